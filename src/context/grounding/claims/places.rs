//! Numbers of the source that are no amounts and count nothing: parts of identifiers, places in
//! files.

use crate::context::audit::keywords;
use crate::context::grounding::fold::{WordGap, word_hash};
use crate::context::grounding::index::{SourceIndex, tag_of};
use crate::context::grounding::quantity;

/// Words before the number of a line, folded.
pub(super) const LINE_WORDS: [&str; 8] = [
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
pub(super) fn is_of_an_identifier(index: &SourceIndex<'_>, place: usize) -> bool {
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

/// Words that end like the plural of a thing and are none.
const NO_PLURALS: [&str; 21] = [
    "across",
    "always",
    "unless",
    "besides",
    "towards",
    "afterwards",
    "perhaps",
    "less",
    "plus",
    "minus",
    "versus",
    "dans",
    "sans",
    "sous",
    "vers",
    "mais",
    "depuis",
    "moins",
    "menos",
    "antes",
    "was",
];

/// Whether what follows a number is a word for several things: `512 customers`.
pub(super) fn counts_things(index: &SourceIndex<'_>, place: usize) -> bool {
    /// Shorter words are units, or little words.
    const MIN_LETTERS: usize = 4;
    /// Groups of the digits of a number: `1,250,000`.
    const MAX_GROUPS: usize = 4;
    let mut after = place + 1..=place + MAX_GROUPS;
    let is_of_the_number = |at: usize| {
        index.is_number(at) && !matches!(index.gap_at(at), WordGap::Space | WordGap::Newline)
    };
    let Some(at) = after.find(|at| !is_of_the_number(*at)) else {
        return false;
    };
    let word = index.word_at(at).to_lowercase();
    index.gap_at(at) == WordGap::Space
        && word.chars().count() >= MIN_LETTERS
        && word.ends_with('s')
        && word.chars().all(char::is_alphabetic)
        && !NO_PLURALS.contains(&word.as_str())
        && !keywords::is_stop(&word)
        && !quantity::is_unit(&word)
}

/// Whether the word at a place is written in capitals, as the first part of a ticket is.
fn is_in_capitals(index: &SourceIndex<'_>, place: usize) -> bool {
    let word = index.line_from(place);
    let letters = word.bytes().take_while(u8::is_ascii_alphanumeric);
    let capitals = letters.clone().filter(u8::is_ascii_uppercase).count();
    capitals >= 2 && letters.filter(u8::is_ascii_lowercase).count() == 0
}
