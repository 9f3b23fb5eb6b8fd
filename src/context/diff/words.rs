//! The words that two lines differ in.

use similar::{Algorithm, ChangeTag, TextDiff};

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The text.
    pub text: String,
    /// Whether the other side differs here.
    pub changed: bool,
}

/// Two lines, each divided into equal and differing pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct WordDiff {
    /// The old line.
    pub old: Vec<Span>,
    /// The new line.
    pub new: Vec<Span>,
    /// The share of both that is equal, 0 to 1.
    pub alike: f32,
}

/// Compares two lines word by word; `None` when one of them has more than `max_bytes`: the
/// comparison is quadratic at worst.
pub fn word_diff(old: &str, new: &str, max_bytes: usize) -> Option<WordDiff> {
    if old.len().max(new.len()) > max_bytes {
        return None;
    }
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Patience)
        .diff_unicode_words(old, new);
    let mut pieces = WordDiff {
        old: Vec::new(),
        new: Vec::new(),
        alike: diff.ratio(),
    };
    for change in diff.iter_all_changes() {
        let text = change.value();
        match change.tag() {
            ChangeTag::Equal => {
                push(&mut pieces.old, text, false);
                push(&mut pieces.new, text, false);
            }
            ChangeTag::Delete => push(&mut pieces.old, text, true),
            ChangeTag::Insert => push(&mut pieces.new, text, true),
        }
    }
    Some(pieces)
}

fn push(spans: &mut Vec<Span>, text: &str, changed: bool) {
    match spans.last_mut() {
        Some(last) if last.changed == changed => last.text.push_str(text),
        _ => spans.push(Span {
            text: text.to_owned(),
            changed,
        }),
    }
}
