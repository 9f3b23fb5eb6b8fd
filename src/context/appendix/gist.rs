//! The gist of a failed call's output, on one line: compilers and test runners say it in the
//! middle of a page.

use crate::context::redact;
use crate::context::summary::excerpt;

/// Only so much of an output is read, from its start and from its end, in characters.
const READ_CHARS: usize = 20_000;
/// Lines that say what went wrong: the first that is there decides where to begin.
const BEGINS: [fn(&str) -> bool; 4] = [
    |line| line.contains(" panicked at "),
    |line| line.starts_with("error") || line.starts_with("E  "),
    |line| {
        let first = line.split([':', ' ']).next().unwrap_or_default();
        first.ends_with("Error") || first.ends_with("Exception") || first == "fatal"
    },
    |line| {
        let marks = [
            "error",
            "Error",
            "ERROR",
            "FAIL",
            "fatal",
            "denied",
            "not found",
        ];
        marks.iter().any(|mark| line.contains(mark))
    },
];

/// The telling part of a failed call's output: on one line, without secrets, at most
/// `max_chars` characters. A short output is told whole.
pub fn gist(output: &str, max_chars: usize) -> String {
    let read = if excerpt::is_longer(output, READ_CHARS * 2) {
        let (head, tail) = (
            excerpt::head(output, READ_CHARS),
            excerpt::tail(output, READ_CHARS),
        );
        format!("{head}\n{tail}")
    } else {
        output.to_owned()
    };
    // A cut secret is not recognised: redacted before anything is left out.
    let clean = redact::redact(&read);
    let lines: Vec<&str> = clean
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.trim().is_empty() && !is_status(line))
        .collect();
    let whole = lines.join("\n");
    if !excerpt::is_longer(whole.trim(), max_chars) && lines.len() <= SHORT_LINES {
        return excerpt::one_line(&whole, max_chars);
    }
    let begin = BEGINS
        .iter()
        .find_map(|says| lines.iter().position(|line| says(line.trim_start())))
        .unwrap_or(0);
    let told: Vec<&str> = lines
        .get(begin..)
        .unwrap_or_default()
        .iter()
        .map(|line| line.trim())
        .filter(|line| !is_quoted_code(line))
        .take_while(|line| *line != "failures:")
        .take(TOLD_LINES)
        .collect();
    excerpt::one_line(&told.join(" "), max_chars)
}

/// An output of so few lines is told whole when it fits.
const SHORT_LINES: usize = 4;
/// Lines that are told from where the failure begins.
const TOLD_LINES: usize = 5;

/// `[exit code 101]`: told beside the failure, from the result's own field. Advice that
/// is under every panic says nothing about this one.
fn is_status(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("[exit code ") && line.ends_with(']') || line.starts_with("note: run with")
}

/// A compiler's quotation of code: `47 |     let x`, `|  ^^^^`, `= note:`.
fn is_quoted_code(line: &str) -> bool {
    let unnumbered = line
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_start();
    unnumbered.starts_with('|') || unnumbered.starts_with("= ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_telling_lines_are_found() {
        let building = "   Compiling a v0.1.0\n".repeat(20);
        for (output, expected) in [
            ("no such file\n\n[exit code 1]".to_owned(), "no such file"),
            (
                format!(
                    "{building}error[E0382]: borrow of moved value: `x`\n --> src/a.rs:4:9\n  |\n4 |     x\n  |     ^ value borrowed\n\nerror: could not compile `a`\n"
                ),
                "error[E0382]: borrow of moved value: `x` --> src/a.rs:4:9 error: could not compile `a`",
            ),
            (
                format!(
                    "{building}test a ... FAILED\n\nfailures:\n\n---- a stdout ----\nthread 'a' panicked at src/a.rs:1:2:\nassertion failed: is_ready\nnote: run with `RUST_BACKTRACE=1`\n\nerror: test failed\n"
                ),
                "thread 'a' panicked at src/a.rs:1:2: assertion failed: is_ready error: test failed",
            ),
            (
                format!(
                    "{building}Traceback (most recent call last):\n  File \"a.py\", line 3\nValueError: no such key\n"
                ),
                "ValueError: no such key",
            ),
        ] {
            assert_eq!(gist(&output, 240), expected);
        }
        assert_eq!(gist(&"word ".repeat(100), 20).chars().count(), 20);
        assert!(!gist("key sk-abcdefghijklmnopqrstuv123456", 9).contains("sk-"));
    }
}
