//! What can be said about a shell command without running it: whether it is one plain command,
//! and which pattern stands for others like it.
//!
//! This does not parse the shell's language. It errs on the side of calling a command
//! compound, because the answer decides whether a glob may stand for it.

/// Stands for a line break in titles, which are one line.
pub(super) const LINE_BREAK_MARK: char = '\u{2424}';

/// Characters that can join, nest or redirect commands.
const JOINING: [char; 8] = [';', '&', '|', '<', '>', '`', '(', LINE_BREAK_MARK];

/// Programs whose second word says what they do.
const WITH_SUBCOMMAND: [&str; 14] = [
    "brew", "bun", "cargo", "deno", "dotnet", "git", "go", "gradle", "just", "make", "mvn", "npm",
    "pnpm", "yarn",
];

/// Second words that run whatever follows.
const RUNS_ANYTHING: [&str; 6] = ["run", "exec", "x", "dlx", "create", "config"];

/// A command on one line, for cards and patterns. Different commands keep different titles
/// wherever the difference is in what would run.
pub(super) fn title(command: &str) -> String {
    let mut out = String::with_capacity(command.len());
    for letter in command.trim().chars() {
        match letter {
            '\n' => out.push(LINE_BREAK_MARK),
            // A mark in the command itself must not pass for a line break.
            LINE_BREAK_MARK => out.push_str("\\u{2424}"),
            other => out.push(other),
        }
    }
    out
}

/// Whether a command may be more than one plain command: such ones match only exactly.
pub(super) fn is_compound(title: &str) -> bool {
    title
        .chars()
        .any(|letter| JOINING.contains(&letter) || (letter.is_control() && letter != '\t'))
}

/// What "always" should allow: other arguments of the same subcommand, or this very command.
pub(super) fn suggested(title: &str) -> String {
    let mut words = title.split(' ').filter(|word| !word.is_empty());
    let (program, subcommand) = (words.next(), words.next());
    match (program, subcommand) {
        (Some(program), Some(subcommand))
            if !is_compound(title)
                && WITH_SUBCOMMAND.contains(&program)
                && is_plain_word(subcommand)
                && !RUNS_ANYTHING.contains(&subcommand) =>
        {
            format!("{program} {subcommand} *")
        }
        _ if is_compound(title) => title.to_owned(),
        _ => globset::escape(title),
    }
}

fn is_plain_word(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_ascii_lowercase())
        && word
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compound_commands() {
        let check = |command: &str, expected| {
            assert_eq!(is_compound(&title(command)), expected, "{command}");
        };
        check("cargo build -p auth", false);
        check("echo \"$HOME\" 'a b' {c,d} *.rs", false);
        check("  ls -la\n", false);
        for command in [
            "a; b",
            "a && b",
            "a || b",
            "a | b",
            "a & b",
            "a &",
            "a\nb",
            "a $(b)",
            "a `b`",
            "a > b",
            "a >> b",
            "a < b",
            "a <(b)",
            "(a)",
            "a 2>&1",
            "a\r\nb",
            "a \u{1b}[0m",
            "f() { a",
        ] {
            check(command, true);
        }
    }

    #[test]
    fn titles_do_not_collide_across_line_breaks() {
        assert_eq!(title("a\nb"), "a\u{2424}b");
        assert_ne!(title("a\nb"), title("a\u{2424}b"));
        assert_ne!(title("a\nb"), title("a b"));
    }

    #[test]
    fn suggestions() {
        let check = |command: &str, expected: &str| {
            assert_eq!(suggested(&title(command)), expected, "{command}");
        };
        check("cargo build -p auth", "cargo build *");
        check("git status", "git status *");
        check("git -C /x status", "git -C /x status");
        check("npm run evil", "npm run evil");
        check("rm -rf *.o", "rm -rf [*].o");
        check("cargo build && rm -rf /", "cargo build && rm -rf /");
        check("cargo build\nrm x", "cargo build\u{2424}rm x");
        check("ls", "ls");
        check("", "");
    }
}
