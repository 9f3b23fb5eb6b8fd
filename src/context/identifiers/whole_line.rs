//! The line around an identifier, cut between words: what is quoted holds no piece of
//! another identifier.

use crate::context::redact;
use crate::context::summary::excerpt;

use super::REMOVED;
use super::texts::whole_tail;

/// Longest line that is kept with an identifier, in characters.
pub const MAX_LINE_CHARS: usize = 200;

/// The text before a token in its line, and the token with what follows. `token` is a slice of
/// `line`.
pub(super) fn split_at_token<'a>(line: &'a str, token: &str) -> (&'a str, &'a str) {
    let at = (token.as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
    line.split_at_checked(at).unwrap_or(("", line))
}

/// The part of a line around a token, so that the token is in it; empty where it does not
/// fit. Reads only the neighbourhood, so that long lines cost no more.
pub(super) fn line_around(line: &str, token: &str) -> String {
    let (before, rest) = split_at_token(line, token);
    let after = rest.get(token.len()..).unwrap_or_default();
    let lead = whole_tail(before, MAX_LINE_CHARS / 4);
    let used = lead.chars().count() + token.chars().count();
    let trail = whole_words(after, MAX_LINE_CHARS.saturating_sub(used));
    let near = format!("{lead}{token}{trail}").replace(REMOVED, redact::PLACEHOLDER);
    let near = excerpt::one_line(&near, near.len());
    if excerpt::is_longer(&near, MAX_LINE_CHARS) {
        let around = excerpt::one_line(token, token.len());
        return whole_words(&around, MAX_LINE_CHARS).to_owned();
    }
    near
}

/// The whole words at the beginning of a text, at most `max_chars` characters of them.
pub(super) fn whole_words(text: &str, max_chars: usize) -> &str {
    let head = excerpt::head(text, max_chars);
    if head.len() == text.len() {
        return head;
    }
    let rest = text.get(head.len()..).unwrap_or_default();
    if rest.starts_with(char::is_whitespace) {
        return head;
    }
    let end = head.rfind(char::is_whitespace).unwrap_or(0);
    head.get(..end).unwrap_or_default()
}

/// Whether a token is what is left of something that had a secret in it, such as a URL
/// with a password: by itself it was never said.
pub(super) fn is_around_secret(line: &str, token: &str) -> bool {
    let is_joint =
        |c: &char| c.is_ascii_punctuation() && !matches!(c, '"' | '\'' | '`' | '<' | '>');
    let (before, rest) = split_at_token(line, token);
    let after = rest.get(token.len()..).unwrap_or_default();
    let ahead = after.chars().find(|c| !is_joint(c));
    let back = before.chars().rev().find(|c| !is_joint(c));
    [ahead, back].contains(&Some(REMOVED))
}
