//! The identifiers of a line, each with its kind: what points at one thing by itself, names in
//! code, options, ports, and quantities with their units. Whole tokens only, and none that is
//! a piece of a pattern or of a template (`*_test.go`, `${dir}/a.rs`, `[id]/page.tsx`).

use super::classify::{IdentifierKind, classify, joined_names};
use super::symbols::{self, TokenPlace};
use super::tokens::each_candidate;

/// Marks of money before a number, and words after it.
const CURRENCIES: [char; 4] = ['$', '€', '£', '¥'];
const MONEY_UNITS: [&str; 7] = ["EUR", "USD", "GBP", "CHF", "dollars", "euros", "€"];
/// Units of sizes.
const SIZE_UNITS: [&str; 14] = [
    "KiB", "MiB", "GiB", "TiB", "KB", "kB", "MB", "GB", "TB", "PB", "bytes", "Mbit", "Gbit", "GHz",
];
/// Words before the number of a port.
const PORT_WORDS: [&str; 6] = ["port", "Port", "ports", "PORT", "-p", "端口"];

/// Hands over each identifier of a line: a slice of it, and its kind.
pub(super) fn each_sighting<'a>(
    line: &'a str,
    is_code: bool,
    found: &mut impl FnMut(&'a str, IdentifierKind),
) {
    each_candidate(line, &mut |token| {
        let start = (token.as_ptr() as usize).saturating_sub(line.as_ptr() as usize);
        let (Some(before), Some(after)) = (line.get(..start), line.get(start + token.len()..))
        else {
            return;
        };
        let place = TokenPlace {
            before,
            after,
            is_code,
        };
        if is_plain(token, place) {
            return;
        }
        if let Some((text, kind)) = sighted(line, start, token, place) {
            found(text, kind);
        } else if let Some(names) = joined_names(token) {
            for name in names {
                if let Some(kind) = classify(name) {
                    found(name, kind);
                }
            }
        }
    });
}

/// Whether a token is a word like most: nothing has to be looked up.
fn is_plain(token: &str, place: TokenPlace<'_>) -> bool {
    let mut bytes = token.bytes();
    let is_first_letter = bytes.next().is_some_and(|b| b.is_ascii_alphabetic());
    is_first_letter
        && bytes.all(|b| b.is_ascii_lowercase())
        && !place.before.ends_with(['`', '-'])
        && !(place.is_code && place.before.ends_with(' '))
        && !place.after.starts_with('(')
}

fn sighted<'a>(
    line: &'a str,
    start: usize,
    token: &'a str,
    place: TokenPlace<'_>,
) -> Option<(&'a str, IdentifierKind)> {
    let bare = token.trim_end_matches('\\');
    if let Some(flag) = flag(line, start, bare, place) {
        return Some((flag, IdentifierKind::Flag));
    }
    if is_piece(token, place) {
        return None;
    }
    if let Some(found) = quantity(line, start, bare, place) {
        return Some(found);
    }
    if is_date(bare) {
        return Some((bare, IdentifierKind::Date));
    }
    if let Some(kind) = classify(bare) {
        return Some((bare, kind));
    }
    if is_port(bare, place) {
        return Some((bare, IdentifierKind::Port));
    }
    symbols::symbol(bare, place).map(|(kind, name)| (name, kind))
}

/// Whether a token goes on beyond what it was cut at.
fn is_piece(token: &str, place: TokenPlace<'_>) -> bool {
    let is_joint = |c: char| matches!(c, '/' | '.' | '-' | '_' | '\\');
    let opens = place.before.ends_with(['*', '?', '}', ']', ')']) && token.starts_with(is_joint);
    let rest = place.after.trim_start_matches(is_joint);
    let goes_on = rest.starts_with(['{', '*', '['])
        && (rest.len() < place.after.len() || token.contains('/'));
    let is_open = token.ends_with('/') && place.after.starts_with(['{', '*', '[', '<']);
    opens || goes_on || is_open
}

/// `--no-verify`, with its dashes.
fn flag<'a>(line: &'a str, start: usize, token: &str, place: TokenPlace<'_>) -> Option<&'a str> {
    let begins = place.before.strip_suffix("--")?;
    let is_free = begins
        .chars()
        .next_back()
        .is_none_or(|c| c.is_whitespace() || matches!(c, '`' | '"' | '\'' | '(' | '[' | '|' | '{'));
    let is_name = token.starts_with(|c: char| c.is_ascii_lowercase())
        && token
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if is_free && is_name {
        line.get(start - 2..start + token.len())
    } else {
        None
    }
}

fn is_port(token: &str, place: TokenPlace<'_>) -> bool {
    let is_number = (2..=5).contains(&token.len())
        && token.bytes().all(|b| b.is_ascii_digit())
        && token.parse::<u16>().is_ok_and(|port| port > 0);
    if !is_number {
        return false;
    }
    let before = place.before;
    let is_colon = before.strip_suffix(':').is_some_and(|rest| {
        rest.is_empty() || rest.ends_with(|c: char| c.is_whitespace() || matches!(c, '`' | '"'))
    });
    let said = before.trim_end_matches([' ', '=', ':', '`', '"']);
    is_colon || PORT_WORDS.iter().any(|word| said.ends_with(word))
}

fn is_date(token: &str) -> bool {
    let parts: Vec<&str> = token.split('-').collect();
    let is_number = |part: &&str, length: usize| {
        part.len() == length && part.bytes().all(|b| b.is_ascii_digit())
    };
    match parts.as_slice() {
        [year, month, day] => {
            is_number(year, 4)
                && is_number(month, 2)
                && is_number(day, 2)
                && ["19", "20"].iter().any(|century| year.starts_with(century))
        }
        _ => false,
    }
}

/// Money and sizes: the number with its unit, as it is written.
fn quantity<'a>(
    line: &'a str,
    start: usize,
    token: &str,
    place: TokenPlace<'_>,
) -> Option<(&'a str, IdentifierKind)> {
    let number = token.trim_start_matches(CURRENCIES);
    let marks = token.len() - number.len();
    let digits = number
        .bytes()
        .take_while(|b| b.is_ascii_digit() || *b == b'.')
        .count();
    if digits == 0 || !number.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let from = if marks > 0 {
        start
    } else if let Some(first) = first_group(place.before, digits) {
        if !first.is_cut_off {
            return None;
        }
        start - first.len
    } else {
        let sign = place.before.chars().next_back();
        let sign = sign
            .filter(|c| CURRENCIES.contains(c))
            .map_or(0, char::len_utf8);
        start - sign
    };
    let text = line.get(from..).unwrap_or_default();
    let has_sign = text.starts_with(CURRENCIES);
    let mut end = start + marks + digits;
    // Thousands: the token was cut at the comma.
    if digits == number.len() {
        while let Some(group) = line.get(end..).and_then(thousand) {
            end += group;
        }
    }
    let rest = line.get(end..).unwrap_or_default();
    let glued = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    let spaced = usize::from(rest.starts_with(' '));
    let unit_of = |from: usize| {
        let text = rest.get(from..).unwrap_or_default();
        let length = text.bytes().take_while(u8::is_ascii_alphabetic).count();
        text.get(..length).unwrap_or_default()
    };
    if has_sign {
        let scale = unit_of(0);
        let is_scale = ["", "k", "K", "m", "M", "bn", "B"].contains(&scale);
        let text = line.get(from..end + if is_scale { scale.len() } else { 0 })?;
        let is_amount = glued == 0 || is_scale && glued == scale.len();
        return is_amount.then_some((text, IdentifierKind::Quantity));
    }
    let gap = if glued > 0 { 0 } else { spaced };
    let unit = unit_of(gap);
    let is_unit = SIZE_UNITS.contains(&unit) || MONEY_UNITS.contains(&unit);
    let after_unit = rest.get(gap + unit.len()..).unwrap_or_default();
    let ends = !after_unit.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    if is_unit && ends {
        let text = line.get(from..end + gap + unit.len())?;
        return Some((text, IdentifierKind::Quantity));
    }
    None
}

/// What stands before the group of three digits that a token begins with: `1,` of `1,736`.
struct FirstGroup {
    /// Its length, with the currency before it.
    len: usize,
    /// It is too short to be a token of its own, so the number is read here.
    is_cut_off: bool,
}

/// The group before a group of so many digits. Behind a space it is not told which number the
/// group belongs to.
fn first_group(before: &str, digits: usize) -> Option<FirstGroup> {
    /// Shorter tokens are not read.
    const MIN_TOKEN_BYTES: usize = 3;
    let rest = before.strip_suffix([',', ' ', '\u{a0}', '\u{202f}'])?;
    let is_comma = before.ends_with(',');
    let head = rest.trim_end_matches(|c: char| c.is_ascii_digit());
    let group = rest.len() - head.len();
    if digits != 3 || !(1..=3).contains(&group) {
        return None;
    }
    let sign = head.chars().next_back().filter(|c| CURRENCIES.contains(c));
    let token = group + sign.map_or(0, char::len_utf8);
    // `1,204,736` is read where `204` stands.
    let is_first = !head.ends_with([',', '.', '_']);
    Some(FirstGroup {
        len: before.len() - rest.len() + token,
        is_cut_off: is_comma && is_first && token < MIN_TOKEN_BYTES,
    })
}

/// The length of `,000` at the beginning of a text.
fn thousand(text: &str) -> Option<usize> {
    let digits = text.strip_prefix(',')?;
    let count = digits.bytes().take_while(u8::is_ascii_digit).count();
    (count == 3).then_some(4)
}
