//! The sentences of a text: what is said in it, not what is quoted, pasted or listed as
//! data. In English and Chinese.

use crate::context::summary::document::SummaryDocument;
use crate::context::summary::excerpt;

/// Longest sentence that is quoted, in characters.
const MAX_SENTENCE_CHARS: usize = 300;
/// Shorter ones say nothing (`Ok.`), in bytes.
const MIN_SENTENCE_BYTES: usize = 8;
/// A line of at least this many bytes that ends in the middle of a sentence was wrapped.
const WRAPPED_FROM_BYTES: usize = 56;
/// Abbreviations whose full stop ends no sentence.
const ABBREVIATIONS: [&str; 6] = ["e.g.", "i.e.", "etc.", "vs.", "cf.", "approx."];
/// First words of lines that programs print.
const LOG_LEVELS: [&str; 6] = ["INFO", "WARN", "WARNING", "ERROR", "DEBUG", "TRACE"];
/// One in so many characters that only code has makes a line code.
const SYMBOL_SHARE: usize = 10;

/// The sentences of a text, in order. List marks are removed and wrapped lines joined.
/// Code, headings, table rows, check boxes and lines that a program printed are no
/// sentences; overlong and tiny ones are left out.
pub(super) fn sentences(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut paragraph = String::new();
    for (line, in_code) in SummaryDocument::lines_with_code(text) {
        let line = line.trim();
        let is_said = !in_code && !line.starts_with(['#', '|']) && !is_box(line) && is_prose(line);
        if !is_said || !goes_on(&paragraph, line) {
            split(&paragraph, &mut out);
            paragraph.clear();
        }
        if is_said {
            if !paragraph.is_empty() {
                paragraph.push(' ');
            }
            paragraph.push_str(without_mark(line));
        }
    }
    split(&paragraph, &mut out);
    out
}

fn is_box(line: &str) -> bool {
    let item = without_mark(line);
    ["[ ] ", "[x] ", "[X] "]
        .iter()
        .any(|mark| item.starts_with(mark))
}

/// Whether a line continues a paragraph that was wrapped.
fn goes_on(paragraph: &str, line: &str) -> bool {
    paragraph.len() >= WRAPPED_FROM_BYTES
        && !paragraph.ends_with(['.', '!', '?', ':', '。', '！', '？', '：'])
        && line.starts_with(|c: char| c.is_lowercase() || c == '`' || c == '(')
}

/// Whether a person or a model wrote a line, not a program: no log, no code, no trace.
pub(super) fn is_prose(line: &str) -> bool {
    let line = line.trim();
    if line.ends_with(['{', '}', ';']) || line.starts_with("$ ") || line.starts_with("at ") {
        return false;
    }
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or_default();
    let has_level = [first, words.next().unwrap_or_default()]
        .into_iter()
        .chain(words.next())
        .any(|word| LOG_LEVELS.contains(&word.trim_matches(['[', ']', ':'])));
    if has_level || is_time(first) {
        return false;
    }
    let is_output = ["error[", "error:", "warning:", "thread '", "test ", "    "];
    if is_output.iter().any(|start| line.starts_with(start)) {
        return false;
    }
    let mut in_span = false;
    let (mut said, mut symbols) = (0, 0);
    for c in line.chars() {
        in_span ^= c == '`';
        if in_span {
            continue;
        }
        said += 1;
        symbols += usize::from(matches!(
            c,
            '{' | '}' | '<' | '>' | '=' | '|' | '\\' | '$' | '^' | '~' | ';' | '[' | ']'
        ));
    }
    symbols * SYMBOL_SHARE <= said.max(SYMBOL_SHARE)
}

/// `2026-03-10T08:00:00Z`, `[12:30:01]`
fn is_time(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let joints = word.bytes().filter(|b| matches!(b, b':' | b'-')).count();
    let begins = word.trim_start_matches('[');
    digits >= 6 && joints >= 2 && begins.starts_with(|c: char| c.is_ascii_digit())
}

/// Splits a paragraph into its sentences.
fn split(paragraph: &str, out: &mut Vec<String>) {
    let mut rest = paragraph;
    while let Some(end) = sentence_end(rest) {
        let (sentence, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        push(sentence, out);
        rest = after;
    }
    push(rest, out);
}

/// A line without quote and list marks: `- `, `> `, `3. `, `3、`.
pub(super) fn without_mark(line: &str) -> &str {
    let mut rest = line.trim_start();
    while let Some(after) = ["- ", "* ", "+ ", "> ", "• "]
        .iter()
        .find_map(|mark| rest.strip_prefix(mark))
    {
        rest = after.trim_start();
    }
    let unnumbered = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let after = [". ", ") ", "、", "．", "）"]
        .iter()
        .find_map(|mark| unnumbered.strip_prefix(mark));
    match after {
        Some(after) if unnumbered.len() < rest.len() => after.trim_start(),
        _ => rest,
    }
}

fn push(sentence: &str, out: &mut Vec<String>) {
    let sentence = sentence.trim();
    let too_long = excerpt::is_longer(sentence, MAX_SENTENCE_CHARS);
    if sentence.len() >= MIN_SENTENCE_BYTES && !too_long {
        out.push(without_lead_emphasis(sentence));
    }
}

/// `**Decision**: we …` without its asterisks, of which a sentence may hold only half.
fn without_lead_emphasis(sentence: &str) -> String {
    let Some(inner) = sentence.strip_prefix("**") else {
        return sentence.to_owned();
    };
    match inner.split_once("**") {
        Some((strong, rest)) => format!("{strong}{rest}"),
        None => inner.to_owned(),
    }
}

/// The byte after the first sentence end: a full stop before white space, or a Chinese one.
fn sentence_end(text: &str) -> Option<usize> {
    let marks = ['.', '!', '?', '。', '！', '？', '；'];
    text.match_indices(marks).find_map(|(at, mark)| {
        let end = at + mark.len();
        let ends = match mark {
            "." | "!" | "?" => {
                let after = text.get(end..).unwrap_or_default();
                let said = text.get(..end).unwrap_or_default();
                after.starts_with(char::is_whitespace)
                    && !ABBREVIATIONS.iter().any(|short| said.ends_with(short))
            }
            _ => true,
        };
        ends.then_some(end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_of_two_languages() {
        let text = "# We must\n| a | must |\n- [ ] must do\n2. **We** decided to use sqlite. It is 3.14 times faster!\n```\nlet must = 1;\n```\n必须保留迁移步骤。不要改动接口。";
        assert_eq!(
            sentences(text),
            [
                "We decided to use sqlite.",
                "It is 3.14 times faster!",
                "必须保留迁移步骤。",
                "不要改动接口。"
            ]
        );
    }

    #[test]
    fn wrapped_lines_are_one_sentence_and_abbreviations_end_none() {
        let text = "The collector must not see a batch twice, because its store counts\neach one. Some fields, e.g. the unit, may be empty.\n- A list item\n- another item";
        assert_eq!(
            sentences(text),
            [
                "The collector must not see a batch twice, because its store counts each one.",
                "Some fields, e.g. the unit, may be empty.",
                "A list item",
                "another item"
            ]
        );
    }

    #[test]
    fn what_programs_print_is_not_said() {
        for line in [
            "2026-03-10T08:00:00Z the queue must be flushed",
            "[12:30:01.221] you must restart",
            "kelp[221]: WARN disk must be mounted",
            "    let must = Some(never);",
            "at Object.must (index.js:4:9)",
            "if (x <= y && must) {",
            "error: you must specify a target",
            "$ cargo test must",
        ] {
            assert!(!is_prose(line), "{line}");
        }
        for line in [
            "It must stay `{a; b}` as it is",
            "3 files must not change",
            "必须保留迁移步骤。",
        ] {
            assert!(is_prose(line), "{line}");
        }
    }
}
