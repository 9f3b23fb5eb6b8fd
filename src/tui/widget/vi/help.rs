//! The keys of vi, for help and the README.

/// One row of help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViKeyRow {
    /// The keys.
    pub keys: &'static [&'static str],
    /// Whether they are for a selection.
    pub selects: bool,
    /// What they do.
    pub help: &'static str,
}

const fn normal(keys: &'static [&'static str], help: &'static str) -> ViKeyRow {
    ViKeyRow {
        keys,
        selects: false,
        help,
    }
}

const fn visual(keys: &'static [&'static str], help: &'static str) -> ViKeyRow {
    ViKeyRow {
        keys,
        selects: true,
        help,
    }
}

/// The keys, in the order of help. In them `{c}` is a character, `{text}` some text, `{motion}`
/// a motion or, behind an operator, a text object.
pub const VI_KEYS: &[ViKeyRow] = &[
    normal(&["h", "l", "space", "backspace"], "left and right"),
    normal(
        &["j", "k"],
        "a line down or up; on the last or the first one as the arrows",
    ),
    normal(
        &["gj", "gk"],
        "a row of the screen down or up, as the arrows",
    ),
    normal(
        &["w", "W", "b", "B"],
        "to the next word, to the word before; capitals: words end at white space",
    ),
    normal(
        &["e", "E", "ge", "gE"],
        "to the end of the word, of the word before",
    ),
    normal(
        &["0", "^", "$", "g_", "|"],
        "start of the line, its first character, its end, its last character, a column",
    ),
    normal(
        &["gg", "G"],
        "to the first line, to the last; with a count to that line",
    ),
    normal(
        &["+", "-", "_"],
        "first character of the line below, above, of this one",
    ),
    normal(
        &["{", "}", "%"],
        "paragraph before, next one, the bracket's partner; a count and %: so far down",
    ),
    normal(
        &["f{c}", "F{c}", "t{c}", "T{c}", ";", ","],
        "to a character of the line, up to it; again, the other way",
    ),
    normal(
        &["/{text}enter", "?{text}enter", "n", "N"],
        "search the input, backwards; next, previous; with an empty input / begins a command and ? is help",
    ),
    normal(
        &["d{motion}", "c{motion}", "y{motion}"],
        "cut, change, copy; twice: lines",
    ),
    normal(
        &[">{motion}", "<{motion}"],
        "move lines right or left by four columns; twice: lines",
    ),
    normal(
        &["gu{motion}", "gU{motion}", "g~{motion}", "~"],
        "small, capital, other case; the other case of a character",
    ),
    normal(
        &[
            "diw", "daW", "ci\"", "ca'", "yi`", "di(", "da[", "ci{", "ya<", "dip", "dap",
        ],
        "text objects after an operator or for a selection: i inside, a around",
    ),
    normal(
        &["x", "X", "D", "s", "S", "C", "Y"],
        "as dl, dh, d$, cl, cc, c$, yy",
    ),
    normal(
        &["r{c}", "R"],
        "replace a character; type over what is there",
    ),
    normal(&["J", "gJ"], "join lines; without a space"),
    normal(
        &["p", "P", "gp", "gP"],
        "put a register after or before the caret; gp, gP: the caret goes after it",
    ),
    normal(
        &["\"a", "\"A", "\"0", "\"1", "\"-", "\"_", "\"+", "\"*"],
        "register of the next command: a to z, capitals append; last copy; last cuts; small cut; none; clipboard, which \"+p cannot read from other programs",
    ),
    normal(&["u", "ctrl-r"], "undo, redo"),
    normal(&["."], "the last change once more"),
    normal(&["i", "I", "gI", "a", "A", "o", "O"], "insert; esc ends it"),
    normal(&["v", "V", "gv"], "select; select lines; as before"),
    visual(&["o"], "to the other end of the selection"),
    visual(
        &["d", "x", "X", "D", "c", "s", "C", "S", "R"],
        "cut, change; capitals: its lines",
    ),
    visual(&["y", "Y", "p", "P"], "copy; put a register in its place"),
    visual(
        &["~", "u", "U", "r{c}", "J", "gJ", ">", "<"],
        "case, replace, join, move; as in normal mode",
    ),
    visual(&["v", "V"], "end it, or make it one of lines"),
];

impl ViKeyRow {
    /// The mode, as a heading of help.
    pub fn mode(&self) -> &'static str {
        if self.selects {
            "vi: selection"
        } else {
            "vi: normal mode"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::grammar::{ENTER, Parsed, parse};
    use super::*;

    #[test]
    fn every_key_of_the_help_is_a_command() {
        for row in VI_KEYS {
            for keys in row.keys {
                let mut typed = keys.to_string();
                for (name, key) in [
                    ("{motion}", "w"),
                    ("{text}enter", "x\n"),
                    ("{c}", "x"),
                    ("space", " "),
                    ("backspace", "\u{8}"),
                    ("ctrl-r", "\u{12}"),
                ] {
                    if typed == name || name.starts_with('{') {
                        typed = typed.replace(name, key);
                    }
                }
                if typed.starts_with('"') {
                    typed.push_str("yy");
                }
                let typed: Vec<char> = typed.chars().collect();
                let parsed = parse(&typed, row.selects);
                assert!(matches!(parsed, Parsed::Whole(_)), "{keys}: {parsed:?}");
                let shorter = parse(&typed[..typed.len() - 1], row.selects);
                assert_eq!(shorter, Parsed::Partial, "{keys} has a key too many");
                assert!(!typed.contains(&ENTER) || keys.ends_with("enter"));
            }
        }
    }
}
