//! Things that are counted: tests by their outcome, what the log itself counts, and the
//! rest by the words beside the number.

mod listed;
mod logged;
mod numbered;
mod outcomes;
mod parts;
mod repeats;
mod words;

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use crate::context::audit::keywords;
use crate::context::grounding::fold::{self, folded_text, word_hash};
use crate::context::grounding::index::{SourceIndex, SourceNumber, tag_of};
use crate::context::grounding::languages::{self, Lexicon};
use crate::context::grounding::quantity::{self, Dimension, Quantity, Reading};
use crate::context::identifiers::is_unspaced;
use crate::context::summary::excerpt;

use super::numbers::in_dimension_where;
use super::places::is_of_an_identifier;
use super::reader::Finding;
use super::tokens;
pub(super) use logged::is_read_only;
use numbered::is_part_of_a_name;
use outcomes::{is_of_assertions, test_count};
use parts::{below_its_label, is_said_as_part, is_vague, place_of_telling, without_names};
use words::{BORDERS, OUTCOMES, OWN_LABELS, TESTS, UNSPACED};

static TEST_TAGS: LazyLock<Vec<u32>> =
    LazyLock::new(|| sorted_tags(TESTS.iter().copied(), UNSPACED[0]));
static OUTCOME_TAGS: LazyLock<Vec<Vec<u32>>> = LazyLock::new(|| {
    let rows = OUTCOMES.iter().zip(UNSPACED.iter().skip(1));
    rows.map(|(words, signs)| sorted_tags(words.iter().copied(), signs))
        .collect()
});

fn sorted_tags<'a>(words: impl Iterator<Item = &'a str>, signs: &str) -> Vec<u32> {
    let mut out: Vec<u32> = words.map(|word| tag_of(word_hash(word))).collect();
    out.extend(fold::words_of(signs).iter().map(|word| tag_of(word.hash)));
    out.sort_unstable();
    out.dedup();
    out
}

/// What a number counts: the words on both sides.
#[derive(Debug, Default)]
pub(super) struct CountedThing {
    /// The words after it, folded, as far as they belong to it.
    pub after: Vec<String>,
    /// The word before it, folded.
    pub before: Option<String>,
    /// It counts tests.
    pub is_test: bool,
    /// The word for tests stands after it.
    names_tests: bool,
    /// Which outcome.
    outcome: Option<usize>,
    /// It stands after `1 of` or `1/`: a total.
    is_total: bool,
    /// The part before it, in digits: `3 of`.
    part: Option<f64>,
    /// The whole that it is a part of: `3 of 5`.
    whole: Option<f64>,
    /// What the whole counts, folded.
    whole_names: Vec<String>,
    /// It counts the whole: `all 12`, `12 of 12`.
    is_all: bool,
    /// It is a part of what stands before: `12 of them`.
    is_part: bool,
    /// What follows it in a script without spaces.
    signs: String,
}

/// What the source has for a count.
#[derive(Clone, Copy, Debug)]
pub(super) struct CountFinding {
    pub finding: Finding,
    /// A summariser may have counted it itself.
    pub is_own: bool,
}

impl From<Finding> for CountFinding {
    fn from(finding: Finding) -> Self {
        Self {
            finding,
            is_own: false,
        }
    }
}

/// A number that a summariser may have counted, and that nothing gives.
const OWN_COUNT: CountFinding = CountFinding {
    finding: Finding::Nowhere,
    is_own: true,
};

/// The word before a number that can be its label. Of `5 of 9` it is none.
fn label_of(before: &str) -> Option<String> {
    let last = folded_words(before).pop();
    last.filter(|word| !BORDERS.contains(&word.as_str()) && word.chars().all(char::is_alphabetic))
}

/// Words that begin another statement, folded.
const JOINTS: &[&str] = &[
    "and", "und", "et", "y", "e", "en", "i", "и", "ve", "but", "aber",
];
/// Characters of a script without spaces that tell what is counted.
const MAX_SIGNS: usize = 8;

/// Characters after a number in which its whole stands.
const MAX_PART_CHARS: usize = 80;

/// Words that are read on each side.
const CONTEXT_WORDS: usize = 4;

/// Whether a number is a whole: `1 of`, `1/` stands before it.
fn is_total(before: &str, lexicon: &Lexicon) -> bool {
    let mut back = folded_words(before).into_iter().rev();
    let links = ["of", "von", "de", "sur", "di", "da", "van", "z", "из"];
    let owners = ["the", "its", "their", "these", "those", "all"];
    back.next()
        .is_some_and(|word| links.contains(&word.as_str()) || owners.contains(&word.as_str()))
        && folded_words(before).iter().any(|word| {
            lexicon.number(word).is_some() || word.starts_with(|c: char| c.is_ascii_digit())
        })
        || before.ends_with('/')
            && before
                .trim_end_matches('/')
                .ends_with(|c: char| c.is_ascii_digit())
}

/// Whether these words begin with one between a part and its whole.
fn is_link(following: &[String]) -> bool {
    let links = [
        "of", "von", "der", "de", "des", "sur", "di", "dei", "delle", "da", "dos", "das", "van",
        "z", "из", "out",
    ];
    let first = following.first();
    first.is_some_and(|word| links.contains(&word.as_str()))
}

/// Words for what was spoken of before, folded.
const BACK: &[&str] = &[
    "them", "these", "those", "ihnen", "denen", "ellos", "ellas", "eux", "elles", "loro", "них",
];

/// Whether a number is followed by the whole that it is a part of.
fn is_fraction(following: &[String]) -> bool {
    let mut next = following.iter().skip(1).take(2);
    is_link(following) && next.any(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Words after the part of a whole in which its outcome stands.
const FRACTION_WORDS: usize = 14;

impl CountedThing {
    /// Reads what stands around a number.
    pub(super) fn around(
        text: &str,
        body: &Range<usize>,
        span: &Range<usize>,
        lexicon: &Lexicon,
    ) -> Self {
        let after = text.get(span.end..body.end).unwrap_or_default();
        let before = text.get(body.start..span.start).unwrap_or_default();
        let ends = |c: char| {
            matches!(
                c,
                ';' | '|'
                    | '('
                    | ')'
                    | '（'
                    | '）'
                    | '；'
                    | '。'
                    | '→'
                    | '/'
                    | ':'
                    | '：'
                    | ','
                    | '，'
                    | '、'
                    | '!'
                    | '?'
            )
        };
        let mut stop = after.find(ends).unwrap_or(after.len());
        if let Some(point) = after.find(". ").filter(|point| *point < stop) {
            stop = point;
        }
        let whole = after.find([';', ',', '|', '(', '；', '，', '。', '!', '?']);
        let statement = after
            .get(..whole.unwrap_or(after.len()))
            .unwrap_or_default();
        let after = after.get(..stop).unwrap_or_default();
        let start = before
            .rfind([';', '|', '；', '。', '→', ',', '，', '、', '(', '（'])
            .unwrap_or(0);
        let before = before.get(start..).unwrap_or_default();
        let mut out = Self::default();
        let following = folded_words(after);
        let said = folded_words(&without_names(after));
        if !text
            .get(span.clone())
            .is_some_and(|number| number.contains(['.', ',']))
        {
            let whole = is_fraction(&following).then(|| folded_words(statement));
            out.read_outcome(whole.as_ref().unwrap_or(&said), before);
        }
        out.is_total = is_total(before, lexicon);
        out.part = parts::part_of(before).filter(|_| out.is_total);
        out.read_part(text.get(span.end..body.end).unwrap_or_default());
        for word in following {
            let is_border = BORDERS.contains(&word.as_str())
                || lexicon.number(&word).is_some()
                || word.starts_with(|c: char| c.is_ascii_digit());
            if is_border || out.after.len() >= CONTEXT_WORDS {
                break;
            }
            out.after.push(word);
        }
        out.read_before(text.get(span.clone()).unwrap_or_default(), before);
        out
    }

    /// Reads the whole that a number is a part of, and what both count.
    fn read_part(&mut self, rest: &str) {
        let following = folded_words(excerpt::head(rest, MAX_PART_CHARS));
        self.signs = rest
            .chars()
            .filter(|c| !c.is_whitespace())
            .take(MAX_SIGNS)
            .collect();
        self.is_part = is_link(&following)
            && following
                .get(1)
                .is_some_and(|word| BACK.contains(&word.as_str()));
        let digits = rest.find(|c: char| c.is_ascii_digit());
        let whole = digits.filter(|_| is_fraction(&following));
        let Some(found) = whole.and_then(|at| quantity::quantity_at(rest, at)) else {
            return;
        };
        self.whole = found.readings().next().map(|reading| reading.value);
        let named = rest.get(found.numeral.span.end..).unwrap_or_default();
        let counted = folded_words(excerpt::head(named, MAX_PART_CHARS)).into_iter();
        let is_noun = |word: &String| !BORDERS.contains(&word.as_str());
        self.whole_names = counted.take_while(is_noun).take(CONTEXT_WORDS).collect();
        self.forget_tests_of_others();
    }

    /// `412 of 412 lines`: what names the whole is counted, not the tests that stand before.
    fn forget_tests_of_others(&mut self) {
        let is_told = |word: &String| {
            let tag = tag_of(word_hash(word));
            let mut outcomes = OUTCOME_TAGS.iter();
            TEST_TAGS.binary_search(&tag).is_ok()
                || outcomes.any(|tags| tags.binary_search(&tag).is_ok())
        };
        let first = self.whole_names.first();
        let is_other = first.is_some_and(|word| word.chars().all(char::is_alphabetic));
        if is_other && !self.names_tests && !self.whole_names.iter().any(is_told) {
            self.is_test = false;
            self.outcome = None;
        }
    }

    fn read_outcome(&mut self, following: &[String], before: &str) {
        // `koha_test`: a name is no word for tests.
        let preceding = folded_words(&without_names(before));
        // `3 of 5 tests in a.py failed`: as far as the next number that counts something else.
        let is_number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
        let is_part = is_fraction(following);
        let skipped = if is_part { 3 } else { 0 };
        let most = if is_part {
            FRACTION_WORDS
        } else {
            CONTEXT_WORDS + 2
        };
        let other = following.iter().skip(skipped).position(is_number);
        let reach = other.map_or(most, |at| at + skipped).min(most);
        let near = following.iter().take(reach);
        let labels = preceding.iter().rev().take(1);
        for word in near.chain(labels) {
            // `14 tests and failed once` counts no failed tests.
            if self.names_tests && self.outcome.is_none() && JOINTS.contains(&word.as_str()) {
                break;
            }
            let tag = tag_of(word_hash(word));
            let is_test = TEST_TAGS.binary_search(&tag).is_ok();
            self.is_test |= is_test;
            self.names_tests |= is_test;
            let outcome = OUTCOME_TAGS
                .iter()
                .position(|tags| tags.binary_search(&tag).is_ok());
            self.outcome = self.outcome.or(outcome);
        }
        let speaks_of_tests = preceding
            .iter()
            .any(|word| TEST_TAGS.binary_search(&tag_of(word_hash(word))).is_ok());
        let first = following.first().map(|word| tag_of(word_hash(word)));
        let outcome_first = first.is_some_and(|tag| {
            OUTCOME_TAGS
                .iter()
                .any(|tags| tags.binary_search(&tag).is_ok())
        });
        // `three failing lines` counts lines.
        let counts_others = following.get(1).is_some_and(|word| {
            let is_noun = word.chars().count() > 2 && !word.starts_with(is_unspaced);
            let is_adjective = following
                .first()
                .is_some_and(|first| first.ends_with("ing"));
            let ends = BORDERS.contains(&word.as_str()) || keywords::is_stop(word);
            is_adjective && is_noun && !ends && !self.names_tests
        });
        let is_outcome = outcome_first && !counts_others;
        self.is_test |= is_outcome || speaks_of_tests && self.outcome.is_some();
    }

    /// Nothing says what is counted.
    pub(super) fn is_empty(&self) -> bool {
        self.after.is_empty()
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let names = self
            .after
            .iter()
            .chain(&self.before)
            .chain(&self.whole_names);
        names.map(String::as_str)
    }

    /// The tags of the words on both sides, in singular and plural.
    fn tags(&self) -> Vec<u32> {
        let forms = self
            .names()
            .flat_map(|word| std::iter::once(word.to_owned()).chain(tokens::other_number(word)));
        let mut out: Vec<u32> = forms.map(|word| tag_of(word_hash(&word))).collect();
        out.sort_unstable();
        out
    }
}

/// The folded words of a text; of scripts without spaces, their characters.
fn folded_words(text: &str) -> Vec<String> {
    let folded = fold::words_of(text);
    folded
        .iter()
        .filter_map(|word| text.get(word.start..word.end))
        .map(folded_text)
        .filter(|word| !"个個次处项条件的被はをがの개".contains(word.as_str()))
        .collect()
}

/// Words between a number and what it counts.
const REACH: usize = 4;
/// A summariser counts up to here by itself.
const MAX_OWN_COUNT: f64 = 12.0;
/// Whole numbers below are never rounded ones.
const MIN_ROUNDED: f64 = 100.0;
/// Occurrences of a word that are read.
const MAX_PLACES: usize = 2_000;

/// Whether the source has a count; `None` where it claims nothing that could be checked.
pub(super) fn counted(
    index: &SourceIndex<'_>,
    quantity: &Quantity,
    thing: &CountedThing,
) -> Option<CountFinding> {
    let readings: Vec<Reading> = quantity.readings().collect();
    let places = places_beside(index, &readings, thing);
    let told = place_of_telling(index, quantity, &readings, thing);
    if let Some(place) = told.or_else(|| parts::place_beside_its_part(index, &places, thing)) {
        return Some(Finding::At(place).into());
    }
    let counts_calls = || {
        let value = readings.first().map_or(0.0, |reading| reading.value);
        logged::follows_from_log(index, value, thing)
    };
    if thing.is_test && counts_calls() {
        return Some(Finding::Follows.into());
    }
    if thing.is_test {
        let finding = test_count(index, &readings, &places, thing);
        // An outcome has to stand beside its count.
        let is_part = thing.outcome.is_none() && thing.whole.is_some();
        let is_said = is_part && is_said_as_part(index, &readings, &places, thing);
        let by_whole = if is_said { Finding::Follows } else { finding };
        return Some(finding.or_else(|| by_whole).into());
    }
    if thing.whole.is_some() && !is_said_as_part(index, &readings, &places, thing) {
        return Some(OWN_COUNT);
    }
    let names = thing.tags();
    let near = places
        .iter()
        .copied()
        .filter(|place| index.is_near(*place, REACH, &names))
        .max();
    let value = readings.first()?.value;
    let is_small = value <= MAX_OWN_COUNT && readings.first()?.step >= 1.0;
    let near = near.or_else(|| repeats::said_in_kin_words(index, &places, thing));
    if near.is_some() {
        return Some(Finding::of(near).into());
    }
    if logged::follows_from_log(index, value, thing)
        || listed::is_listed(index, value, thing)
        || listed::is_listed_by_a_command(index, value, &places, thing)
        || repeats::is_a_loop(index, value, thing)
    {
        return Some(Finding::Follows.into());
    }
    if is_small && value >= MIN_CHECKED && logged::is_logged_in_signs(thing) {
        return Some(OWN_COUNT);
    }
    if let Some(place) = below_its_label(index, &places, thing) {
        return Some(Finding::At(place).into());
    }
    if is_counted_otherwise(index, thing) {
        return Some(Finding::Nowhere.into());
    }
    let anywhere = places.iter().copied().max();
    match anywhere {
        None if thing.is_part => Some(OWN_COUNT),
        None if is_small && !thing.is_total => {
            (value >= MIN_CHECKED && !thing.is_empty()).then_some(OWN_COUNT)
        }
        // A small number stands somewhere in any conversation.
        Some(_) if is_vague(index, quantity, thing) => Some(OWN_COUNT),
        found => Some(Finding::of(found).into()),
    }
}

/// Fewer things are counted by everybody who writes.
const MIN_CHECKED: f64 = 5.0;

/// Where a number stands that can count the thing: `911 assertions` are no tests.
fn places_beside(
    index: &SourceIndex<'_>,
    readings: &[Reading],
    thing: &CountedThing,
) -> Vec<usize> {
    let mut places = places_where(index, readings, &|number| {
        // `$1,250` are no customers.
        !number.is_amount || !thing.has_noun()
    });
    if thing.names_tests {
        places.retain(|place| !is_of_assertions(index, *place));
    }
    if thing.is_test && thing.is_all && thing.outcome == Some(0) {
        places.retain(|place| !outcomes::is_beside_failures(index, *place));
    }
    // A small number has its own rules, and stands somewhere in any conversation.
    let is_small = readings.iter().any(|it| it.value <= MAX_OWN_COUNT);
    if thing.has_noun() && !is_small {
        places.retain(|place| !is_of_an_identifier(index, *place));
    }
    places
}

/// Where a number stands, in digits or words.
fn places_of(index: &SourceIndex<'_>, readings: &[Reading]) -> Vec<usize> {
    places_where(index, readings, &|_| true)
}

/// The same where the number is accepted.
fn places_where(
    index: &SourceIndex<'_>,
    readings: &[Reading],
    accepts: &dyn Fn(&SourceNumber) -> bool,
) -> Vec<usize> {
    let mut out: BTreeSet<usize> = BTreeSet::new();
    for reading in readings {
        // A whole number is no rounded one unless it is large or ends with zeros.
        let is_small = reading.step >= 1.0 && reading.value < MIN_ROUNDED;
        let half = if is_small { 1e-6 } else { reading.step / 2.0 };
        let exact = index.numbers(Dimension::Count, reading.value - half, reading.value + half);
        out.extend(
            exact
                .iter()
                .filter(|number| accepts(number))
                .take(MAX_PLACES * 10)
                .map(|number| number.place as usize),
        );
        let rounded = in_dimension_where(index, Dimension::Count, *reading, 1.0, accepts);
        let rounded = rounded.filter(|_| !is_small);
        out.extend(rounded.map(|place| place as usize));
        if (2.0..=100.0).contains(&reading.value) && reading.step >= 1.0 {
            for lexicon in languages::all() {
                for word in lexicon.words_of(reading.value as u32) {
                    let hashes = tokens::hashes(word);
                    if let [hash] = hashes.as_slice() {
                        out.extend(index.places(*hash).take(MAX_PLACES));
                    }
                }
            }
        }
    }
    let is_small = |reading: &Reading| reading.step >= 1.0 && reading.value < MIN_ROUNDED;
    if readings.iter().all(is_small) {
        out.retain(|place| !is_part_of_a_name(index, *place));
    }
    out.into_iter().collect()
}

/// Whether the source gives the counted thing another number.
fn is_counted_otherwise(index: &SourceIndex<'_>, thing: &CountedThing) -> bool {
    let nouns: Vec<&String> = if thing.after.is_empty() {
        thing.before.iter().collect()
    } else {
        thing.after.iter().take(2).collect()
    };
    let forms = nouns
        .into_iter()
        .flat_map(|word| std::iter::once(word.clone()).chain(tokens::other_number(word)));
    let is_label = thing.after.is_empty();
    if is_label
        && thing
            .before
            .as_deref()
            .is_some_and(|label| OWN_LABELS.contains(&label))
    {
        return false;
    }
    forms
        .filter(|word| !word.starts_with(is_unspaced))
        .any(|word| {
            let mut places = index.places(word_hash(&word)).take(MAX_PLACES);
            places.any(|place| {
                let before = place
                    .checked_sub(1)
                    .is_some_and(|at| is_count(index, at) && stays(index, place));
                let after = is_count(index, place + 1) && stays(index, place + 1);
                if is_label {
                    after
                } else {
                    before || after && is_labelled(index, place)
                }
            })
        })
}

/// `customers: 57`, `customers = 57`
fn is_labelled(index: &SourceIndex<'_>, place: usize) -> bool {
    let line = index.line_before(place + 1);
    line.trim_end_matches([' ', '~', '"', '\''])
        .ends_with([':', '=', '：'])
}

fn stays(index: &SourceIndex<'_>, place: usize) -> bool {
    !matches!(
        index.gap_at(place),
        fold::WordGap::Start
            | fold::WordGap::Newline
            | fold::WordGap::Dot
            | fold::WordGap::Slash
            | fold::WordGap::Underscore
    )
}

fn is_count(index: &SourceIndex<'_>, place: usize) -> bool {
    static NUMBER_WORDS: LazyLock<Vec<u32>> = LazyLock::new(|| {
        let english = languages::all().first();
        let values = 2..=20;
        let words = values.flat_map(|value| {
            english
                .into_iter()
                .flat_map(move |lexicon| lexicon.words_of(value))
        });
        sorted_tags(words, "")
    });
    index.is_number(place)
        || index
            .tag_at(place)
            .is_some_and(|tag| NUMBER_WORDS.binary_search(&tag).is_ok())
}
