//! Cutting a line into tokens that can be identifiers, and finding a token again as a
//! whole. Quotes, brackets and sentence punctuation around a token are not part of it.

use super::MAX_TOKEN_BYTES;

/// Punctuation that ends a token, as sentences and code put it there.
const TRAILING: [char; 12] = ['.', ',', ';', ':', '!', '?', ')', ']', '}', '*', '_', '…'];
/// Punctuation that precedes a token.
const LEADING: [char; 11] = ['(', '[', '{', '*', ',', ';', ':', '=', '!', '?', '-'];

/// The tokens of a line, in order: slices of it.
pub fn candidates(line: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for coarse in line.split(is_separator) {
        match url_start(coarse) {
            Some(at) => {
                let (before, url) = coarse.split_at_checked(at).unwrap_or(("", coarse));
                split_fine(before, &mut out);
                push(url, &mut out);
            }
            None => split_fine(coarse, &mut out),
        }
    }
    out
}

fn split_fine<'a>(coarse: &'a str, out: &mut Vec<&'a str>) {
    for fine in coarse.split([
        '(', ')', '[', ']', '{', '}', ',', ';', '=', '&', '!', '?', '*',
    ]) {
        push(fine, out);
    }
}

fn push<'a>(token: &'a str, out: &mut Vec<&'a str>) {
    let token = token.trim_start_matches(LEADING).trim_end_matches(TRAILING);
    if token.len() > 2 && token.len() <= MAX_TOKEN_BYTES {
        out.push(token);
    }
}

/// Where the scheme of a URL begins in a token that has one.
fn url_start(token: &str) -> Option<usize> {
    let at = token.find("://")?;
    let before = token.get(..at)?;
    let scheme = before
        .rfind(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '.' | '-')))
        .map_or(0, |i| i + 1);
    (scheme < at).then_some(scheme)
}

/// White space, quotes, pipes, angle brackets; scripts that are written without spaces
/// and any punctuation beyond ASCII.
fn is_separator(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_whitespace()
            || c.is_ascii_control()
            || matches!(c, '"' | '\'' | '`' | '<' | '>' | '|');
    }
    !c.is_alphanumeric() || is_unspaced(c)
}

/// Scripts that are written without spaces between words.
pub fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c), 0x2E80..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0xFF00..=0xFFEF | 0x20000..=0x3FFFF)
}

/// Whether `token` occurs in `text` as a whole: not inside a longer name, number or
/// path. A line number after a path, or a port after a host, does not make it another.
pub fn contains_whole(text: &str, token: &str) -> bool {
    if token.is_empty() {
        return false;
    }
    text.match_indices(token).any(|(at, _)| {
        let (before, rest) = text.split_at_checked(at).unwrap_or(("", text));
        let after = rest.get(token.len()..).unwrap_or_default();
        starts_whole(before, token) && ends_whole(after)
    })
}

/// Replaces every whole occurrence of a token.
pub fn replace_whole(text: &str, token: &str, with: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for (at, _) in text.match_indices(token) {
        let (before, rest) = text.split_at_checked(at).unwrap_or(("", text));
        let after = rest.get(token.len()..).unwrap_or_default();
        if !token.is_empty() && starts_whole(before, token) && ends_whole(after) {
            out.push_str(text.get(done..at).unwrap_or_default());
            out.push_str(with);
            done = at + token.len();
        }
    }
    out.push_str(text.get(done..).unwrap_or_default());
    out
}

fn starts_whole(before: &str, token: &str) -> bool {
    let mut back = before.chars().rev();
    match (back.next(), back.next()) {
        (Some(c), _) if is_name(c) => false,
        (Some('-' | '.'), Some(c)) if is_name(c) => false,
        (Some('.' | '~'), _) if token.starts_with(['/', '.', '\\']) => false,
        _ => true,
    }
}

fn ends_whole(after: &str) -> bool {
    let mut ahead = after.chars();
    match (ahead.next(), ahead.next()) {
        (Some(c), _) if is_name(c) => false,
        (Some('-' | '.' | '/' | '\\'), Some(c)) if is_name(c) => false,
        _ => true,
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
