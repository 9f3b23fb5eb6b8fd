//! Parts of a whole, numbers below their label, numbers that are so small that they could
//! count anything, and those that are so long that they tell themselves.

use std::collections::BTreeSet;

use crate::context::audit::keywords;
use crate::context::grounding::fold::{folded_text, word_hash};
use crate::context::grounding::index::SourceIndex;
use crate::context::grounding::quantity::{self, Dimension, Quantity, Reading};
use crate::context::identifiers::is_unspaced;

use super::super::places::is_of_an_identifier;
use super::super::tokens;
use super::{
    CountedThing, MAX_PLACES, MIN_CHECKED, MIN_ROUNDED, label_of, logged, outcomes, places_of,
};

/// Whether a number in digits is so small that another thing can have it, and the source
/// speaks of what it counts without the number.
pub(super) fn is_vague(index: &SourceIndex<'_>, quantity: &Quantity, thing: &CountedThing) -> bool {
    let is_small = |reading: Reading| {
        reading.step >= 1.0 && (MIN_CHECKED..MIN_ROUNDED).contains(&reading.value)
    };
    let is_spoken_of = |word: &String| {
        let is_noun = word.chars().count() > 2 && !word.starts_with(is_unspaced);
        let mut forms = tokens::other_number(word);
        forms.push(word.clone());
        is_noun && forms.iter().any(|form| index.count(word_hash(form)) > 0)
    };
    let is_in_digits = quantity.numeral.span.len() == quantity.numeral.digits;
    is_in_digits
        && quantity.readings().all(is_small)
        && thing
            .after
            .first()
            .is_some_and(|word| !keywords::is_stop(word) && is_spoken_of(word))
}

/// Whether the source says a part beside its whole, or what is left of the whole.
pub(super) fn is_said_as_part(
    index: &SourceIndex<'_>,
    readings: &[Reading],
    places: &[usize],
    thing: &CountedThing,
) -> bool {
    let Some((whole, part)) = thing.whole.zip(readings.first().map(|it| it.value)) else {
        return false;
    };
    let exact = |value: f64| Reading { value, step: 1.0 };
    let wholes = places_of(index, &[exact(whole)]);
    let rest = whole - part;
    let rests = if rest >= 2.0 {
        places_of(index, &[exact(rest)])
    } else {
        wholes.clone()
    };
    let is_near = |place: usize| {
        let text = |at: usize| index.text_at(at).map(|text| text.text.as_ptr());
        let from = wholes.partition_point(|at| at + PART_REACH < place);
        let near = wholes.get(from..).unwrap_or_default().iter();
        near.take_while(|at| **at <= place + PART_REACH)
            .any(|at| text(*at) == text(place) && (*at != place || rest < 1.0))
    };
    places.iter().chain(&rests).any(|place| is_near(*place))
        || outcomes::has_so_many_lines(index, part, thing)
        || logged::follows_from_log(index, part, thing)
}

/// The number in digits that stands last before `of` or `/`.
pub(super) fn part_of(before: &str) -> Option<f64> {
    let end = before.rfind(|c: char| c.is_ascii_digit())? + 1;
    let digits = before.get(..end)?;
    let start = digits.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    digits.get(start..)?.parse().ok()
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

    /// Reads what stands before the number.
    pub(super) fn read_before(&mut self, number: &str, before: &str) {
        self.before = label_of(before).filter(|_| self.whole.is_none());
        self.is_all = is_all(number, before, self);
    }
}

/// Words for all of a number, folded.
const ALL: [&str; 17] = [
    "all",
    "alle",
    "samtliche",
    "tous",
    "toutes",
    "todos",
    "todas",
    "tutti",
    "tutte",
    "wszystkie",
    "все",
    "tum",
    "всех",
    "全部",
    "所有",
    "すべて",
    "모든",
];

/// Whether a number is said to be the whole: `all 12`, `12 of 12`.
fn is_all(number: &str, before: &str, thing: &CountedThing) -> bool {
    let value: Option<f64> = number.parse().ok();
    let is_same = |other: Option<f64>| value.is_some() && other == value;
    let folded = folded_text(before);
    let mut words = folded.split_whitespace().rev();
    let last = words.next().unwrap_or_default();
    // `all of the 12`
    let owner = words
        .nth(usize::from(last == "the"))
        .filter(|_| last == "the");
    let is_word = |word: &str| {
        ALL.iter()
            .any(|all| word == *all || !all.is_ascii() && word.ends_with(all))
    };
    is_same(thing.whole) || is_same(thing.part) || is_word(last) || owner == Some("all")
}

/// Where a whole stands in one line of the source with the part that the summary gives it.
pub(super) fn place_beside_its_part(
    index: &SourceIndex<'_>,
    places: &[usize],
    thing: &CountedThing,
) -> Option<usize> {
    let part = thing.part?;
    let parts = places_of(
        index,
        &[Reading {
            value: part,
            step: 1.0,
        }],
    );
    let line = |place: usize| index.line_at(place, usize::MAX / 4).as_ptr();
    let is_beside = |place: usize| {
        let from = parts.partition_point(|at| at + PART_REACH < place);
        let near = parts.get(from..).unwrap_or_default().iter();
        near.take_while(|at| **at <= place + PART_REACH)
            .any(|at| *at != place && line(*at) == line(place))
    };
    places.iter().rev().copied().find(|place| is_beside(*place))
}

/// Words between a part and its whole.
const PART_REACH: usize = 12;

/// A number that stands in one text with its label: a column below its head.
pub(super) fn below_its_label(
    index: &SourceIndex<'_>,
    places: &[usize],
    thing: &CountedThing,
) -> Option<usize> {
    let label = thing.before.as_ref().filter(|_| thing.after.is_empty())?;
    let text = |at: usize| index.text_at(at).map(|text| text.text.as_ptr());
    let heads: BTreeSet<Option<*const u8>> = index
        .places(word_hash(label))
        .take(MAX_PLACES)
        .map(text)
        .collect();
    places
        .iter()
        .rev()
        .take(MAX_PLACES)
        .copied()
        .find(|place| heads.contains(&text(*place)))
}

/// Where a number stands that is so long that it tells itself, whatever it counts.
pub(super) fn place_of_telling(
    index: &SourceIndex<'_>,
    quantity: &Quantity,
    readings: &[Reading],
    thing: &CountedThing,
) -> Option<usize> {
    let digits = quantity.numeral.digits;
    let tells = |reading: &&Reading| {
        let is_round = quantity::coarse_step(**reading) > reading.step;
        let is_fraction = reading.step < 1.0 && digits >= MIN_TELLING_DIGITS - 1;
        !is_round && (is_fraction || digits >= MIN_TELLING_DIGITS)
    };
    let found = readings.iter().filter(tells).flat_map(|reading| {
        let half = reading.step * 1e-6;
        index.numbers(Dimension::Count, reading.value - half, reading.value + half)
    });
    let bare = found.filter(|number| !number.has_unit);
    let places = bare.map(|number| number.place as usize);
    let counts = |place: &usize| !thing.has_noun() || !is_of_an_identifier(index, *place);
    places.filter(counts).max()
}

/// Digits from which a number tells itself; behind the point one fewer does.
const MIN_TELLING_DIGITS: usize = 4;

/// A text without its words that are joined by signs: paths and names of code.
pub(super) fn without_names(text: &str) -> String {
    let is_name = |word: &&str| {
        let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
        inner.contains(['_', '/', '.', '@']) || word.starts_with('`') && word.ends_with('`')
    };
    let words = text.split_inclusive(' ').filter(|word| !is_name(word));
    words.collect()
}
