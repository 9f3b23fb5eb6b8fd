//! Numbers that count nothing: parts of versions, places, times, names and options.

use crate::context::grounding::fold;
use crate::context::grounding::index::{SourceIndex, TextOrigin};

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
