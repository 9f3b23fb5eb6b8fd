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
        "line down or up; on the last or first line like the arrows",
    ),
    normal(&["gj", "gk"], "screen row down or up, like the arrows"),
    normal(
        &["w", "W", "b", "B"],
        "next word, previous word; capitals: words end at white space",
    ),
    normal(
        &["e", "E", "ge", "gE"],
        "end of the word, end of the previous word",
    ),
    normal(
        &["0", "^", "$", "g_", "|"],
        "line: start, first character, end, last character, column",
    ),
    normal(
        &["gg", "G"],
        "first line, last line; with a count: that line",
    ),
    normal(
        &["+", "-", "_"],
        "first character of the next, previous, this line",
    ),
    normal(
        &["{", "}", "%"],
        "previous paragraph, next paragraph, matching bracket; count and %: percentage of the \
         text",
    ),
    normal(
        &["f{c}", "F{c}", "t{c}", "T{c}", ";", ","],
        "to a character of the line, up to it; repeat, repeat backwards",
    ),
    normal(
        &["/{text}enter", "?{text}enter", "n", "N"],
        "search the input, backwards; next, previous; in an empty input / begins a command and ? \
         opens the help",
    ),
    normal(
        &["d{motion}", "c{motion}", "y{motion}"],
        "cut, change, copy; doubled: whole lines",
    ),
    normal(
        &[">{motion}", "<{motion}"],
        "indent, unindent by four columns; doubled: whole lines",
    ),
    normal(
        &["gu{motion}", "gU{motion}", "g~{motion}", "~"],
        "lower case, upper case, toggle case; toggle one character",
    ),
    normal(
        &[
            "diw", "daW", "ci\"", "ca'", "yi`", "di(", "da[", "ci{", "ya<", "dip", "dap",
        ],
        "text objects after an operator or in a selection: i inside, a around",
    ),
    normal(
        &["x", "X", "D", "s", "S", "C", "Y"],
        "same as dl, dh, d$, cl, cc, c$, yy",
    ),
    normal(&["r{c}", "R"], "replace a character; overwrite"),
    normal(&["J", "gJ"], "join lines; join without a space"),
    normal(
        &["p", "P", "gp", "gP"],
        "paste a register after or before the cursor; gp, gP: cursor after it",
    ),
    normal(
        &["\"a", "\"A", "\"0", "\"1", "\"-", "\"_", "\"+", "\"*"],
        "register of the next command: a to z, capitals append; last copy; last cuts; small cut; \
         none; clipboard (\"+p cannot read that of other programs)",
    ),
    normal(&["u", "ctrl-r"], "undo, redo"),
    normal(&["."], "repeat the last change"),
    normal(&["i", "I", "gI", "a", "A", "o", "O"], "insert; Esc ends it"),
    normal(&["v", "V", "gv"], "select; select lines; as before"),
    visual(&["o"], "other end of the selection"),
    visual(
        &["d", "x", "X", "D", "c", "s", "C", "S", "R"],
        "cut, change; capitals: whole lines",
    ),
    visual(&["y", "Y", "p", "P"], "copy; replace by a register"),
    visual(
        &["~", "u", "U", "r{c}", "J", "gJ", ">", "<"],
        "case, replace, join, indent; as in normal mode",
    ),
    visual(&["v", "V"], "end the selection, or select whole lines"),
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
