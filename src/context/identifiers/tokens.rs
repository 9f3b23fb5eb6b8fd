//! Cutting a line into tokens that can be identifiers, and finding a token again as a
//! whole. Quotes, brackets and sentence punctuation around a token are not part of it.

use super::MAX_TOKEN_BYTES;
use super::classify::{IdentifierKind, classify};

/// Punctuation that ends a token, as sentences and code put it there.
const TRAILING: [char; 12] = ['.', ',', ';', ':', '!', '?', ')', ']', '}', '*', '_', '…'];
/// Punctuation that precedes a token.
const LEADING: [char; 11] = ['(', '[', '{', '*', ',', ';', ':', '=', '!', '?', '-'];

/// Punctuation between tokens that are close together.
const BETWEEN: [char; 13] = [
    '(', ')', '[', ']', '{', '}', ',', ';', '=', '&', '!', '?', '*',
];
/// Punctuation inside names: what is on both sides of it belongs together.
const JOINTS: [char; 5] = ['/', '\\', '-', '_', '.'];

/// The tokens of a text, in order: slices of it.
pub fn candidates(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    each_candidate(text, &mut |token| out.push(token));
    out
}

/// Hands over the tokens of a text, in order.
pub fn each_candidate<'a>(text: &'a str, found: &mut impl FnMut(&'a str)) {
    let mut from = 0;
    let mut opens = false;
    for (at, c) in text.char_indices().filter(|(_, c)| is_separator(*c)) {
        let closes = is_quote(c);
        let piece = text.get(from..at).unwrap_or_default();
        split_piece(piece, opens && closes, found);
        from = at + c.len_utf8();
        opens = closes;
    }
    split_piece(text.get(from..).unwrap_or_default(), false, found);
}

/// Splits the text between two separators.
fn split_piece<'a>(piece: &'a str, is_quoted: bool, found: &mut impl FnMut(&'a str)) {
    if piece.is_ascii() || !piece.contains(is_unspaced) {
        return split_spaced(piece, found);
    }
    if piece.contains("://") {
        return piece
            .split(is_unspaced)
            .for_each(|part| split_spaced(part, found));
    }
    for fine in piece.split(BETWEEN) {
        if is_whole_path(trimmed(fine), is_quoted) {
            push(fine, found);
        } else {
            fine.split(is_unspaced).for_each(|part| push(part, found));
        }
    }
}

/// Whether a token with letters of a script without spaces is one path
/// (`docs/说明.md`), not a path within a sentence (`请看src/a.rs`). Quotes settle it;
/// without them whatever could be a path by itself ends the doubt the other way.
fn is_whole_path(token: &str, is_quoted: bool) -> bool {
    if token.len() > MAX_TOKEN_BYTES
        || !matches!(
            classify(token),
            Some(IdentifierKind::Path | IdentifierKind::WindowsPath)
        )
    {
        return false;
    }
    if is_quoted {
        return true;
    }
    let begins_unspaced = token.starts_with(is_unspaced);
    let after_words = token.trim_start_matches(is_unspaced);
    if begins_unspaced && !after_words.starts_with(JOINTS) {
        return false;
    }
    let is_complete = |part: &str| {
        let goes_on = part.ends_with(JOINTS) || !begins_unspaced && part.starts_with(JOINTS);
        !goes_on && classify(part).is_some()
    };
    !token.split(is_unspaced).any(is_complete)
}

fn split_spaced<'a>(coarse: &'a str, found: &mut impl FnMut(&'a str)) {
    // Most pieces are words: nothing to split or trim.
    if coarse.bytes().all(|b| b.is_ascii_alphanumeric()) {
        if coarse.len() > 2 && coarse.len() <= MAX_TOKEN_BYTES {
            found(coarse);
        }
        return;
    }
    match url_start(coarse) {
        Some(at) => {
            let (before, url) = coarse.split_at_checked(at).unwrap_or(("", coarse));
            before.split(BETWEEN).for_each(|fine| push(fine, found));
            push(url, found);
        }
        None => coarse.split(BETWEEN).for_each(|fine| push(fine, found)),
    }
}

fn push<'a>(fine: &'a str, found: &mut impl FnMut(&'a str)) {
    if fine.len() <= 2 {
        return;
    }
    let token = trimmed(fine);
    if token.len() > 2 && token.len() <= MAX_TOKEN_BYTES {
        found(token);
    }
}

fn trimmed(fine: &str) -> &str {
    fine.trim_start_matches(LEADING).trim_end_matches(TRAILING)
}

/// Where the scheme of a URL begins in a token that has one.
fn url_start(token: &str) -> Option<usize> {
    if !token.as_bytes().contains(&b':') {
        return None;
    }
    let at = token.find("://")?;
    let before = token.get(..at)?;
    // A word that is glued to a link is not part of its scheme.
    if let Some(web) = ["https", "http"].iter().find(|web| before.ends_with(**web)) {
        return Some(at - web.len());
    }
    let scheme = before
        .rfind(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-')))
        .map_or(0, |i| i + 1);
    (scheme < at).then_some(scheme)
}

/// White space, quotes, pipes, angle brackets, and any punctuation beyond ASCII.
fn is_separator(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_whitespace()
            || c.is_ascii_control()
            || matches!(c, '"' | '\'' | '`' | '<' | '>' | '|');
    }
    !c.is_alphanumeric() && !is_combining(c)
}

/// Marks that are written over or under the letter before them: `é` as two characters,
/// as some file systems store names.
pub(super) fn is_combining(c: char) -> bool {
    matches!(u32::from(c), 0x0300..=0x036F | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0x3099..=0x309A | 0xFE20..=0xFE2F)
}

/// Marks that are put around a name.
fn is_quote(c: char) -> bool {
    matches!(
        c,
        '"' | '\'' | '`' | '“' | '”' | '‘' | '’' | '「' | '」' | '『' | '』' | '《' | '》'
    )
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
        (Some(c), _) if is_name(c) || is_combining(c) => false,
        (Some('-' | '.' | '/' | '\\'), Some(c)) if is_name(c) => false,
        _ => true,
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
