//! Splits a command into the words that a shell would make of it, where that is certain.

/// Characters that mean themselves outside quotes, besides letters and digits.
const LITERAL: &str = "_-./:=@%+,^";

/// The words of a plain command: one program, with arguments that the shell passes on as
/// they are written. `None` for whatever the shell would join, expand, redirect, match with
/// file names or run first, and for characters that a reader does not see.
pub(super) fn plain_words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = command.trim_matches([' ', '\t', '\n']).chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' => words.extend(word.take()),
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                quoted(&mut letters, letter, word)?;
            }
            '~' if is_inside_word(word.as_deref()) => word.get_or_insert_default().push('~'),
            '#' if word.is_some() => word.get_or_insert_default().push('#'),
            other if is_literal(other) => word.get_or_insert_default().push(other),
            _ => return None,
        }
    }
    words.extend(word);
    (!words.is_empty()).then_some(words)
}

fn quoted(letters: &mut std::str::Chars<'_>, mark: char, word: &mut String) -> Option<()> {
    loop {
        match letters.next()? {
            letter if letter == mark => return Some(()),
            '$' | '`' | '\\' if mark == '"' => return None,
            letter if letter == ' ' || letter.is_ascii_punctuation() || is_literal(letter) => {
                word.push(letter);
            }
            _ => return None,
        }
    }
}

/// `~` at the start of a word, or after `=` and `:`, stands for a home directory.
fn is_inside_word(word: Option<&str>) -> bool {
    word.is_some_and(|word| !word.is_empty() && !word.ends_with(['=', ':']))
}

/// Letters and digits of all languages: no space, control or format character is among them.
fn is_literal(letter: char) -> bool {
    letter.is_alphanumeric() || LITERAL.contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_the_shell_passes_on() {
        let check = |command: &str, expected: &[&str]| {
            assert_eq!(plain_words(command).unwrap(), expected, "{command}");
        };
        check("cargo build -p auth", &["cargo", "build", "-p", "auth"]);
        check("  ls\t-la\n", &["ls", "-la"]);
        check("grep 'a | b' \"c d\"e ''", &["grep", "a | b", "c de", ""]);
        check("git log HEAD~2..HEAD^", &["git", "log", "HEAD~2..HEAD^"]);
        check("cat straße.txt a#b", &["cat", "straße.txt", "a#b"]);
    }

    #[test]
    fn whatever_the_shell_changes_is_not_plain() {
        for command in [
            "",
            " ",
            "a;b",
            "a&&b",
            "a|b",
            "a&",
            "a\nb",
            "a $(b)",
            "a `b`",
            "a >b",
            "a <b",
            "(a)",
            "a $B",
            "a ${B}",
            "a \"$B\"",
            "a \"`b`\"",
            "a *",
            "a b*",
            "a ?",
            "a [b]",
            "a {b,c}",
            "a \\b",
            "a 'b",
            "a \"b",
            "~/a",
            "a ~",
            "a=~/b",
            "a:~",
            "a # b",
            "! a",
            "a\r",
            "a\rb",
            "a \u{1b}[0m",
            "a\u{200b}b",
            "a\u{202e}b",
            "a\u{a0}b",
            "a 'b\nc'",
            "a '\u{2066}'",
        ] {
            assert_eq!(plain_words(command), None, "{command:?}");
        }
    }
}
