//! Identifiers that a summary lacks, and those that it writes a character or two wrong: never
//! one that anybody ever said.

use crate::context::identifiers::{self, Identifier, IdentifierKind};
use crate::transcript::EntryId;

use super::{ALTERED_IDENTIFIER, AuditBasis, AuditOutcome, MISSING_IDENTIFIERS};

/// Shortest token that can be an altered identifier, in bytes.
const MIN_ALTERED_BYTES: usize = 6;
/// Identifiers from this length on may be two characters off, shorter ones one.
const TWO_OFF_FROM_CHARS: usize = 10;
/// At most this many tokens of a summary are compared with the source.
const MAX_SUSPECTS: usize = 64;
/// From so many digits on no hex number is another one by chance or by counting.
const SURE_HEX_DIGITS: usize = 16;
/// The replacement of an alias that means nothing.
const UNKNOWN_ALIAS: &str = "(unknown identifier)";

/// An identifier that a summary writes a character or two wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlteredIdentifier {
    /// As the summary writes it.
    pub written: String,
    /// As it should be.
    pub real: String,
    /// The message that says it so.
    pub source: Option<EntryId>,
}

/// A token of a summary that may be a misspelling of an identifier.
#[derive(Clone, Debug)]
pub struct SuspectToken<'t, 'a> {
    /// As the summary writes it.
    pub written: &'t str,
    /// The identifier that it is like.
    pub real: &'a Identifier,
    /// Parts of it any of which, said anywhere, makes it a name of its own: the token, without
    /// its line, and the folders and names in it that the identifier does not have.
    pub tells: Vec<&'t str>,
}

pub(super) fn check(
    basis: &AuditBasis,
    text: &str,
    occurs: &dyn Fn(&str) -> bool,
    audit: &mut AuditOutcome,
) {
    let folded = text.to_lowercase();
    audit.record.identifiers_total = basis.identifiers.len() as u64;
    audit.record.identifiers_known = basis.identifiers_known.max(basis.identifiers.len() as u64);
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
        audit.altered.push(AlteredIdentifier {
            written: alias,
            real: UNKNOWN_ALIAS.to_owned(),
            source: None,
        });
    }
    let altered = suspects(basis, text).into_iter();
    let altered = altered.filter(|it| !it.tells.iter().any(|tell| occurs(tell)));
    for SuspectToken { written, real, .. } in altered.take(MAX_SUSPECTS) {
        let pair = format!("{written} → {}", real.text);
        let what = format!("`{written}` should be `{}`", real.text);
        audit.record.altered.push(pair);
        audit.note(ALTERED_IDENTIFIER, what, real.entry.clone());
        audit.altered.push(AlteredIdentifier {
            written: written.to_owned(),
            real: real.text.clone(),
            source: real.entry.clone(),
        });
    }
}

/// Tokens of the summary that are one or two characters away from a real identifier, sorted,
/// with it: altered, unless anything of them was said. Only an identifier that neither the
/// summary nor what stays beside it has can be the one that was meant.
pub fn suspects<'t, 'a>(basis: &'a AuditBasis, text: &'t str) -> Vec<SuspectToken<'t, 'a>> {
    // An alias that is one character off is another alias.
    if !basis.aliases.is_empty() {
        return Vec::new();
    }
    let folded = text.to_lowercase();
    let absent: Vec<&Identifier> = basis
        .identifiers
        .iter()
        .filter(|id| id.kind.is_pointer() && !id.is_kept && !id.is_in(text, &folded))
        .collect();
    if absent.is_empty() {
        return Vec::new();
    }
    let mut tokens: Vec<&str> = text
        .lines()
        .flat_map(identifiers::candidates)
        .filter(|token| is_suspect(token))
        .collect();
    tokens.sort_unstable();
    tokens.dedup();
    let absent: Vec<(u64, &Identifier)> = absent
        .into_iter()
        .map(|id| (letters_of(&id.text), id))
        .collect();
    let near = tokens.into_iter().filter_map(|written| {
        let letters = letters_of(written);
        let (distance, real) = absent
            .iter()
            // Each of two changes takes one character away and brings one at most.
            .filter(|(own, _)| (own ^ letters).count_ones() <= 4)
            .filter_map(|(_, id)| near_miss(written, id).map(|distance| (distance, *id)))
            .min_by_key(|(distance, _)| *distance)?;
        (distance > 0 && !could_both_be(written, real)).then(|| SuspectToken {
            written,
            real,
            tells: tells(written, &real.text),
        })
    });
    near.collect()
}

/// The bytes that a text has, without case, folded to 64 bits.
fn letters_of(text: &str) -> u64 {
    let bytes = text.bytes().map(|b| b.to_ascii_lowercase() % 64);
    bytes.fold(0, |all, b| all | 1 << b)
}

/// What of a token makes it a name of its own when it was said.
fn tells<'t>(written: &'t str, real: &str) -> Vec<&'t str> {
    let bare = identifiers::without_line(written);
    let mut out = vec![written];
    if bare != written {
        out.push(bare);
    }
    let real: Vec<&str> = identifiers::without_line(real).split(['/', '\\']).collect();
    let own = bare.split(['/', '\\']);
    out.extend(own.filter(|part| !part.is_empty() && *part != bare && !real.contains(part)));
    out
}

/// Whether a token can be as real as the identifier that it is like: another number of a
/// series, another short commit, a sibling that is named by one letter or by its extension.
fn could_both_be(written: &str, real: &Identifier) -> bool {
    let text = real.text.as_str();
    if real.kind == IdentifierKind::Uuid {
        return false;
    }
    if real.kind == IdentifierKind::Hex {
        return text.len() < SURE_HEX_DIGITS;
    }
    let same = written
        .char_indices()
        .zip(text.chars())
        .find(|((_, one), two)| one != two)
        .map_or(written.len().min(text.len()), |((at, _), _)| at);
    if without_numbers(written) == without_numbers(text) {
        return true;
    }
    let [one, other] = [written, text].map(|text| word_at(text, same));
    let is_letter = |word: &str| word.chars().count() <= 1;
    is_letter(one) && is_letter(other) || extension_at(written, same) && extension_at(text, same)
}

/// The text with each number as a single digit.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut was_digit = false;
    for c in text.chars() {
        let is_digit = c.is_ascii_digit();
        if !(is_digit && was_digit) {
            out.push(if is_digit { '0' } else { c });
        }
        was_digit = is_digit;
    }
    out
}

/// The letters and digits around a position.
fn word_at(text: &str, at: usize) -> &str {
    let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
    let start = before
        .rfind(|c: char| !c.is_alphanumeric())
        .map_or(0, |at| {
            at + before
                .get(at..)
                .and_then(|it| it.chars().next())
                .map_or(1, char::len_utf8)
        });
    let length = after
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(after.len());
    text.get(start..at + length).unwrap_or_default()
}

/// Whether a position is in the extension of a file name.
fn extension_at(text: &str, at: usize) -> bool {
    let bare = identifiers::without_line(text);
    bare.rfind('.')
        .is_some_and(|dot| dot < at && !bare.get(dot..).unwrap_or_default().contains('/'))
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
