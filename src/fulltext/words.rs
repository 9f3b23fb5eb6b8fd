//! Words of texts and queries, as the index has them.

use std::fmt::Write as _;

/// Shorter words of a query are whole words, in characters.
const MIN_BEGINNING_CHARS: usize = 4;

/// A text as it is indexed: runs of CJK characters as pairs, all else as it is.
pub(super) fn indexed(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for run in runs(text) {
        if run.is_cjk {
            out.push(' ');
            pairs(run.text, true, &mut out);
        } else {
            out.push_str(run.text);
        }
    }
    out
}

/// How the words of a query are matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordMatch {
    /// As they stand.
    Whole,
    /// As the beginning of a word, from [`MIN_BEGINNING_CHARS`] on: what begins with fewer
    /// characters is a large part of all words, and finding them takes seconds.
    Beginning,
}

/// What a query matches, in the language of FTS5: all of its words; what stands in quotes as it
/// stands. `None` when it has no word.
pub(super) fn matching(query: &str, how: WordMatch) -> Option<String> {
    let mut out = String::new();
    for (at, part) in query.split('"').enumerate() {
        let is_quoted = at % 2 == 1;
        if is_quoted {
            add_term(part, false, &mut out);
        } else {
            for term in part.split_whitespace() {
                let is_long = term.chars().count() >= MIN_BEGINNING_CHARS;
                add_term(term, how == WordMatch::Beginning && is_long, &mut out);
            }
        }
    }
    (!out.is_empty()).then_some(out)
}

/// The words of a query, to find them in a text: without quotes, in lower case.
pub(super) fn needles(query: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, part) in query.split('"').enumerate() {
        if at % 2 == 1 {
            found.push(part.trim().to_lowercase());
        } else {
            found.extend(part.split_whitespace().map(str::to_lowercase));
        }
    }
    found.retain(|it| it.chars().any(char::is_alphanumeric));
    found
}

fn add_term(term: &str, is_beginning: bool, out: &mut String) {
    let runs: Vec<TextRun<'_>> = runs(term)
        .into_iter()
        .filter(|run| run.text.chars().any(char::is_alphanumeric))
        .collect();
    let last = runs.len().saturating_sub(1);
    for (at, run) in runs.iter().enumerate() {
        let is_single = run.is_cjk && run.text.chars().count() == 1;
        let mut words = String::new();
        if run.is_cjk {
            pairs(run.text, false, &mut words);
        } else {
            words.push_str(run.text);
        }
        // One character is a beginning of the pairs that it opens.
        let star = if is_single || is_beginning && at == last && !run.is_cjk {
            "*"
        } else {
            ""
        };
        let gap = if out.is_empty() { "" } else { " " };
        let words = words.trim().replace('"', " ");
        let _ = write!(out, "{gap}\"{words}\"{star}");
    }
}

/// A part of a text that is CJK, or that is not.
struct TextRun<'a> {
    text: &'a str,
    is_cjk: bool,
}

fn runs(text: &str) -> Vec<TextRun<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_cjk = is_cjk(first);
        let end = rest
            .find(|c| self::is_cjk(c) != is_cjk)
            .unwrap_or(rest.len());
        let (text, after) = rest.split_at(end);
        found.push(TextRun { text, is_cjk });
        rest = after;
    }
    found
}

/// The pairs of neighbours of a run, and with `closes` its last character: a single one is
/// found wherever it stands.
fn pairs(run: &str, closes: bool, out: &mut String) {
    let mut before: Option<char> = None;
    for c in run.chars() {
        if let Some(before) = before {
            out.push(before);
            out.push(c);
            out.push(' ');
        }
        before = Some(c);
    }
    let is_single = run.chars().nth(1).is_none();
    if let Some(last) = before.filter(|_| closes || is_single) {
        out.push(last);
        out.push(' ');
    }
}

/// Whether a character is of a script that is written without spaces between words, or is
/// bent as if it were.
fn is_cjk(c: char) -> bool {
    matches!(u32::from(c),
        0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3040..=0x30FF | 0x3100..=0x312F
        | 0x3130..=0x318F | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0x20000..=0x3FFFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_without_spaces_are_cut_into_pairs() {
        assert_eq!(indexed("plain words"), "plain words");
        assert_eq!(indexed("漢字入力"), " 漢字 字入 入力 力 ");
        assert_eq!(indexed("a漢b"), "a 漢 b");
    }

    #[test]
    fn a_query_is_all_of_its_words() {
        let cases = [
            ("", None),
            ("  - ! ", None),
            ("race", Some(r#""race"*"#)),
            ("src/main.rs race", Some(r#""src/main.rs"* "race"*"#)),
            (r#""data race" x"#, Some(r#""data race" "x""#)),
            ("入力", Some(r#""入力""#)),
            ("入", Some(r#""入"*"#)),
            ("漢字の", Some(r#""漢字 字の""#)),
            ("NEAR(a b) OR", Some(r#""NEAR(a"* "b)" "OR""#)),
        ];
        for (query, expected) in cases {
            let beginnings = matching(query, WordMatch::Beginning);
            assert_eq!(beginnings.as_deref(), expected, "{query}");
            let whole = matching(query, WordMatch::Whole);
            let expected = expected.map(|it| {
                if query == "入" {
                    it.to_owned()
                } else {
                    it.replace('*', "")
                }
            });
            assert_eq!(whole, expected, "{query}");
        }
    }
}
