//! Words of a rule: as they are sent, and as they are compared.

use std::sync::LazyLock;

use regex::Regex;

use super::MAX_RULE_CHARS;
use crate::context::invisible;
use crate::context::redact;

/// Tags that something in a request is fenced with, or that a reader may take for a change of
/// the speaker.
static FENCE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let names = "user_?rules|rules?|summary|system(?:[-_]reminder)?|assistant|user|human|tool\
                 (?:_result|_use|_call)?|function_results|untrusted-text|instructions|im_start|im_end";
    Regex::new(&format!(r"(?i)<(\s*[/|]?\s*(?:{names})\b)")).ok()
});

/// The opening sign of a tag that cannot close a fence.
const HARMLESS_SIGN: &str = "‹${1}";

/// A rule as it is sent: one line of at most [`MAX_RULE_CHARS`] characters, without secrets,
/// invisible and control characters; nothing in it can close its fence.
pub(super) fn fenced(text: &str) -> String {
    let visible = invisible::cleaned(text).text;
    let visible: String = visible
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .filter(|c| !is_direction_mark(*c))
        .collect();
    let redacted = redact::redact(&visible);
    let line = redacted.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = match FENCE.as_ref() {
        Some(fence) => fence.replace_all(&line, HARMLESS_SIGN).into_owned(),
        None => line.replace('<', "‹"),
    };
    line.chars()
        .take(MAX_RULE_CHARS)
        .collect::<String>()
        .trim()
        .to_owned()
}

/// Marks that turn the direction of what follows: they have no place in a fence.
fn is_direction_mark(c: char) -> bool {
    matches!(
        c,
        '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    )
}

/// A text without case, punctuation and spaces: equal for the same words said twice.
pub(super) fn comparable(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words: Vec<String> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}
