//! Numbers that count nothing: parts of versions, places, times, names and options.

use crate::context::audit::keywords;
use crate::context::grounding::fold::{self, WordGap, word_hash};
use crate::context::grounding::index::{SourceIndex, TextOrigin, tag_of};
use crate::context::identifiers::is_unspaced;

use super::CountedThing;

/// Whether a number counts nothing: it is a part of a version, a place in a file, a time or a
/// name.
pub(super) fn is_part_of_a_name(index: &SourceIndex<'_>, place: usize) -> bool {
    let before = index.gap_at(place);
    let after = index.gap_at(place + 1);
    let follows_number = place.checked_sub(1).is_some_and(|at| index.is_number(at));
    let precedes_number = index.is_number(place + 1);
    is_counted_up(index, place)
        || index.line_before(place).ends_with(" -") && is_argument(index, place)
        || index
            .line_from(place)
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .starts_with('>')
        || matches!(before, fold::WordGap::Underscore)
        || matches!(before, fold::WordGap::Dot | fold::WordGap::Colon) && follows_number
        || matches!(after, fold::WordGap::Dot | fold::WordGap::Colon) && precedes_number
        || after == fold::WordGap::Underscore
}

impl CountedThing {
    /// A noun stands directly behind the number.
    pub(super) fn has_noun(&self) -> bool {
        let first = self.after.first();
        first.is_some_and(|word| {
            let is_word = word.chars().count() > 2 && word.chars().all(char::is_alphabetic);
            is_word && !keywords::is_stop(word) && !word.starts_with(is_unspaced)
        })
    }
}

/// Words before the number of a line, folded.
pub(in crate::context::grounding::claims) const LINE_WORDS: [&str; 8] = [
    "line",
    "zeile",
    "ligne",
    "linea",
    "linha",
    "riga",
    "строка",
    "строке",
];

/// Whether a number is part of an identifier, of an address or tells a place in a file, which
/// counts nothing and is no amount: `ENT-222`, `#48212`, `0042_users`, `lexer.rs:42:9`, `line 42`.
pub(in crate::context::grounding::claims) fn is_of_an_identifier(
    index: &SourceIndex<'_>,
    place: usize,
) -> bool {
    let gap = index.gap_at(place);
    let Some(before) = place.checked_sub(1) else {
        return false;
    };
    let is_joined = |gap| matches!(gap, WordGap::Dot | WordGap::Slash | WordGap::Hyphen);
    let is_of_a_name = || is_joined(index.gap_at(before)) || index.is_number(before);
    let is_label = |words: &[&str]| {
        let mut tags = words.iter().map(|word| tag_of(word_hash(word)));
        index
            .tag_at(before)
            .is_some_and(|tag| tags.any(|it| it == tag))
    };
    let is_part = match gap {
        WordGap::Start => false,
        WordGap::Underscore => true,
        WordGap::Colon => is_of_a_name(),
        WordGap::Hyphen => {
            !index.is_number(before) && (is_of_a_name() || is_in_capitals(index, before))
        }
        WordGap::Space => is_label(&LINE_WORDS),
        _ => index.byte_before(place) == b'#',
    };
    let next = place + 1;
    is_part || index.gap_at(next) == WordGap::Underscore && !index.is_number(next)
}

/// Whether the word at a place is written in capitals, as the first part of a ticket is.
fn is_in_capitals(index: &SourceIndex<'_>, place: usize) -> bool {
    let word = index.line_from(place);
    let letters = word.bytes().take_while(|b| b.is_ascii_alphanumeric());
    let capitals = letters.clone().filter(u8::is_ascii_uppercase).count();
    capitals >= 2 && letters.filter(u8::is_ascii_lowercase).count() == 0
}

fn is_argument(index: &SourceIndex<'_>, place: usize) -> bool {
    let text = index.text_at(place);
    text.is_some_and(|text| text.origin == TextOrigin::Argument)
}

/// Whether a number stands amid others that go up by one: `1 2 3 4 5`.
fn is_counted_up(index: &SourceIndex<'_>, place: usize) -> bool {
    let digits = |at: usize| {
        let word = index.line_from(at);
        let end = word
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(word.len());
        word.get(..end)
            .and_then(|digits| digits.parse::<u32>().ok())
    };
    let Some(own) = digits(place) else {
        return false;
    };
    let before = place.checked_sub(1).and_then(digits);
    own > 0 && before == Some(own - 1) && digits(place + 1).is_none_or(|next| next == own + 1)
}
