//! What the agent says for a screen, in the words of a shell: `/compact` is `plim compact`.

use super::{has_act, has_subcommand};

/// Flags that do what a slash command without a subcommand does.
const FLAGS: &[(&str, &str)] = &[
    ("model", "-m PROVIDER/MODEL"),
    ("settings", "-S KEY=VALUE"),
    ("think", "-S thinking=LEVEL"),
];

/// The text with subcommands and flags of `plim` in place of the screen's slash commands.
/// Paths and unknown commands stay.
pub fn in_shell_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, from)) = rest.split_once('/') {
        out.push_str(before);
        let is_start = !out.ends_with(|char: char| !char.is_whitespace() && char != '(');
        let is_other = |char: char| !char.is_ascii_alphabetic() && char != '-';
        let end = from.find(is_other).unwrap_or(from.len());
        let (name, mut after) = from.split_at(end);
        let is_path = after.starts_with(['/', '.', '_']);
        let flag = FLAGS.iter().find(|(command, _)| *command == name);
        if !is_start || is_path {
            out.push('/');
            out.push_str(name);
        } else if let Some((_, flag)) = flag {
            out.push_str(flag);
        } else if has_subcommand(name) {
            out.push_str("`plim ");
            out.push_str(name);
            // `/rules restore ID` is one command.
            let act = after
                .trim_start()
                .split(is_other)
                .next()
                .unwrap_or_default();
            if has_act(name, act) {
                let (shown, left) = after.split_at(after.find(act).unwrap_or(0) + act.len());
                out.push_str(shown);
                after = left;
                if let Some(left) = after.strip_prefix(" ID") {
                    out.push_str(" ID");
                    after = left;
                }
            }
            out.push('`');
        } else {
            out.push('/');
            out.push_str(name);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_name_what_a_shell_has() {
        for (said, expected) in [
            (
                "/redo repeats what /undo undid",
                "`plim redo` repeats what `plim undo` undid",
            ),
            (
                "undo a pin (/undo), or drop it",
                "undo a pin (`plim undo`), or drop it",
            ),
            (
                "it was automatic: /uncompact undoes it",
                "it was automatic: `plim uncompact` undoes it",
            ),
            (
                "restore it first: /rules restore ID",
                "restore it first: `plim rules restore ID`",
            ),
            ("/rules lists them", "`plim rules` lists them"),
            (
                "choose another model (/model), or lower window.min",
                "choose another model (-m PROVIDER/MODEL), or lower window.min",
            ),
            ("src/undo and /nothing stay", "src/undo and /nothing stay"),
            ("/model/x.gguf and /undo.rs", "/model/x.gguf and /undo.rs"),
            (
                "see https://models.dev/doctor",
                "see https://models.dev/doctor",
            ),
            ("http://doctor is up", "http://doctor is up"),
            ("", ""),
            ("/", "/"),
        ] {
            assert_eq!(in_shell_words(said), expected);
        }
    }
}
