//! Identifiers that a summary lacks, and those that it writes a character or two wrong.

use crate::context::identifiers::{self, Identifier};

use super::{ALTERED_IDENTIFIER, AuditBasis, AuditOutcome, MISSING_IDENTIFIERS};

/// Shortest token that can be an altered identifier, in bytes.
const MIN_ALTERED_BYTES: usize = 6;
/// Identifiers from this length on may be two characters off, shorter ones one.
const TWO_OFF_FROM_CHARS: usize = 10;
/// At most this many tokens of a summary are compared with the source.
const MAX_SUSPECTS: usize = 64;
/// The replacement of an alias that means nothing.
const UNKNOWN_ALIAS: &str = "(unknown identifier)";

pub(super) fn check(
    basis: &AuditBasis,
    text: &str,
    occurs: &dyn Fn(&str) -> bool,
    audit: &mut AuditOutcome,
) {
    let folded = text.to_lowercase();
    audit.record.identifiers_total = basis.identifiers.len() as u64;
    let (found, missing): (Vec<&Identifier>, Vec<&Identifier>) = basis
        .identifiers
        .iter()
        .partition(|id| id.is_in(text, &folded));
    audit.record.identifiers_found = found.len() as u64;
    for id in &missing {
        audit.record.missing.push(id.text.clone());
        let what = format!("`{}` is missing", id.text);
        audit.note(MISSING_IDENTIFIERS, what, id.entry.clone());
    }
    for alias in basis.aliases.unknown_in(text) {
        let what = format!("`{alias}` stands for nothing");
        audit.record.altered.push(format!("{alias} → ?"));
        audit.note(ALTERED_IDENTIFIER, what, None);
        audit.altered.push((alias, UNKNOWN_ALIAS.to_owned()));
    }
    for (written, id) in altered(basis, text, occurs) {
        let pair = format!("{written} → {}", id.text);
        let what = format!("`{written}` should be `{}`", id.text);
        audit.record.altered.push(pair);
        audit.note(ALTERED_IDENTIFIER, what, id.entry.clone());
        audit.altered.push((written, id.text.clone()));
    }
}

/// Tokens of the summary that occur nowhere in the source and are one or two
/// characters away from a real identifier.
fn altered<'a>(
    basis: &'a AuditBasis,
    text: &str,
    occurs: &dyn Fn(&str) -> bool,
) -> Vec<(String, &'a Identifier)> {
    // An alias that is one character off is another alias.
    if basis.identifiers.is_empty() || !basis.aliases.is_empty() {
        return Vec::new();
    }
    let mut out: Vec<(String, &Identifier)> = Vec::new();
    for (token, id) in suspects(basis, text) {
        if out.len() < MAX_SUSPECTS && !occurs(token) {
            out.push((token.to_owned(), id));
        }
    }
    out
}

/// Tokens of the summary that are one or two characters away from a real identifier,
/// sorted, with it: altered, unless they occur in the source.
pub fn suspects<'t, 'a>(basis: &'a AuditBasis, text: &'t str) -> Vec<(&'t str, &'a Identifier)> {
    let mut tokens: Vec<&str> = text
        .lines()
        .flat_map(identifiers::candidates)
        .filter(|token| is_suspect(token))
        .collect();
    tokens.sort_unstable();
    tokens.dedup();
    let near = tokens.into_iter().filter_map(|token| {
        let (distance, id) = basis
            .identifiers
            .iter()
            .filter_map(|id| near_miss(token, id).map(|distance| (distance, id)))
            .min_by_key(|(distance, _)| *distance)?;
        (distance > 0).then_some((token, id))
    });
    near.collect()
}

fn is_suspect(token: &str) -> bool {
    token.len() >= MIN_ALTERED_BYTES
        && token
            .bytes()
            .any(|b| b.is_ascii_digit() || matches!(b, b'/' | b'\\' | b'_' | b'.' | b'-' | b':'))
}

/// Distance of a token from an identifier: 0 when it is the same, `None` when it is
/// too far to be a misspelling. A line number that was added or left is not a change.
fn near_miss(token: &str, id: &Identifier) -> Option<usize> {
    let limit = if id.text.len() >= TWO_OFF_FROM_CHARS {
        2
    } else {
        1
    };
    if id.text.len() < MIN_ALTERED_BYTES || token.len().abs_diff(id.text.len()) > limit * 4 {
        return None;
    }
    if identifiers::contains_whole(token, &id.text) || identifiers::contains_whole(&id.text, token)
    {
        return Some(0);
    }
    // Another line of the same file is another place, not a misspelling.
    if identifiers::without_line(token) == identifiers::without_line(&id.text) {
        return Some(0);
    }
    if id.kind.ignores_case() {
        distance_within(&token.to_lowercase(), &id.text.to_lowercase(), limit)
    } else {
        distance_within(token, &id.text, limit)
    }
}

/// Edit distance, when it is at most `limit` (1 or 2). A band around the diagonal:
/// linear in the length.
pub(super) fn distance_within(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (a.get(same..)?, b.get(same..)?);
    let same_end = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    let (a, b) = (a.get(..a.len() - same_end)?, b.get(..b.len() - same_end)?);
    let far = limit + 1;
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut current = vec![far; b.len() + 1];
        current[0] = i + 1;
        let (from, to) = (i.saturating_sub(limit), (i + limit + 1).min(b.len()));
        for j in from..to {
            let substitute = previous[j] + usize::from(*x != b[j]);
            current[j + 1] = substitute.min(previous[j + 1] + 1).min(current[j] + 1);
        }
        if current.iter().all(|d| *d > limit) {
            return None;
        }
        previous = current;
    }
    previous.last().copied().filter(|d| *d <= limit)
}
