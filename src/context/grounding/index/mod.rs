//! The words and numbers of everything that a summary may draw on, so that each claim is
//! looked up without reading the conversation again.

mod calls;
mod numbers;
mod outputs;
mod read;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use crate::context::summary::SourceMessage;
use crate::transcript::EntryId;

use super::fold::WordGap;
pub(super) use calls::SourceCall;
pub(super) use numbers::SourceNumber;
pub(super) use outputs::{OutputTally, TALLY};

/// Who says a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextOrigin {
    /// A message in the user role.
    Person,
    /// An answer of the model.
    Answer,
    /// An argument of a call, or a command of the user.
    Argument,
    /// The output of a tool or a command.
    Output,
    /// The previous summary, a rule, the surroundings.
    Standing,
}

/// One text of the source.
#[derive(Debug)]
pub(super) struct SourceText<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// Who says it.
    pub origin: TextOrigin,
    /// Number of its message.
    pub message: Option<usize>,
    /// Position of its first word.
    first_word: usize,
}

/// Passes on a hash that is one already.
#[derive(Clone, Copy, Debug, Default)]
struct PassedHash(u64);

impl Hasher for PassedHash {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

/// The occurrences of a word: a chain from the newest to the oldest.
#[derive(Clone, Copy, Debug)]
struct WordChain {
    newest: u32,
    count: u32,
}

/// Where a word stands.
#[derive(Clone, Copy, Debug)]
struct WordPlace {
    /// Half of the word's hash: tells neighbours apart.
    tag: u32,
    /// The occurrence before this one, itself where there is none.
    older: u32,
    /// First byte in its text.
    start: u32,
    gap: WordGap,
}

/// Everything that a summary may draw on, ready to be asked.
#[derive(Debug, Default)]
pub struct SourceIndex<'a> {
    messages: &'a [SourceMessage],
    texts: Vec<SourceText<'a>>,
    calls: Vec<SourceCall>,
    chains: HashMap<u64, WordChain, BuildHasherDefault<PassedHash>>,
    places: Vec<WordPlace>,
    numbers: Vec<SourceNumber>,
    hexes: Vec<(u64, u32)>,
    tallies: OnceLock<Vec<OutputTally>>,
}

/// The half of a hash that a place keeps.
pub(super) fn tag_of(hash: u64) -> u32 {
    (hash >> 32) as u32 ^ hash as u32
}

/// An automaton of these texts; `None` where there is none.
pub(super) fn finder_of(texts: &[&str]) -> Option<AhoCorasick> {
    let some = Some(texts).filter(|texts| !texts.is_empty())?;
    AhoCorasick::new(some).ok()
}

impl<'a> SourceIndex<'a> {
    /// Which of these texts a source has as they are. Short texts say too little; sentences are
    /// looked for all at once.
    pub(super) fn said_verbatim<'t>(&self, texts: &BTreeSet<&'t str>) -> BTreeSet<&'t str> {
        /// Fewer characters are no sentence.
        const MIN_CHARS: usize = 16;
        /// A longer text is looked for alone: an automaton of repetitive long texts has no end.
        const MAX_SENTENCE_BYTES: usize = 1_000;
        let wanted = texts
            .iter()
            .filter(|text| text.chars().count() >= MIN_CHARS);
        let (sentences, long): (Vec<&'t str>, Vec<&'t str>) =
            wanted.partition(|text| text.len() <= MAX_SENTENCE_BYTES);
        let is_said = |text: &&str| self.texts.iter().any(|source| source.text.contains(*text));
        let mut said: BTreeSet<&'t str> = long.into_iter().filter(is_said).collect();
        if let Some(finder) = finder_of(&sentences) {
            for source in &self.texts {
                let hits = finder.find_overlapping_iter(source.text.as_ref());
                said.extend(hits.filter_map(|hit| sentences.get(hit.pattern().as_usize())));
            }
        }
        said
    }

    /// What the outputs list: counted when it is first asked for.
    pub(super) fn tallies(&self) -> &[OutputTally] {
        self.tallies.get_or_init(|| {
            let texts = self.texts.iter();
            let outputs = texts.filter(|text| text.origin == TextOrigin::Output);
            outputs
                .filter_map(|text| OutputTally::of(&text.text))
                .collect()
        })
    }

    /// All calls, oldest first.
    pub(super) fn calls(&self) -> &[SourceCall] {
        &self.calls
    }

    /// All messages.
    pub(super) fn messages(&self) -> &'a [SourceMessage] {
        self.messages
    }

    /// A text by its number.
    pub(super) fn text(&self, number: usize) -> Option<&SourceText<'a>> {
        self.texts.get(number)
    }

    /// All texts.
    pub(super) fn texts(&self) -> impl Iterator<Item = &SourceText<'a>> {
        self.texts.iter()
    }

    /// The texts of a message.
    pub(super) fn texts_of(&self, message: usize) -> impl Iterator<Item = &SourceText<'a>> {
        let from = self
            .texts
            .partition_point(|text| text.message.is_none_or(|m| m < message));
        let rest = self.texts.get(from..).unwrap_or_default().iter();
        rest.take_while(move |text| text.message == Some(message))
    }

    /// The text that a place is in.
    pub(super) fn text_at(&self, place: usize) -> Option<&SourceText<'a>> {
        let after = self.texts.partition_point(|text| text.first_word <= place);
        self.texts.get(after.checked_sub(1)?)
    }

    /// The message that a place is in; `None` in texts without one.
    pub(super) fn entry_at(&self, place: usize) -> Option<EntryId> {
        let message = self.text_at(place)?.message?;
        self.messages
            .get(message)
            .map(|source| source.entry.clone())
    }

    /// The line around a place, at most `max_bytes` to each side.
    pub(super) fn line_at(&self, place: usize, max_bytes: usize) -> &str {
        let Some((text, word)) = self.text_at(place).zip(self.places.get(place)) else {
            return "";
        };
        let at = word.start as usize;
        let text = text.text.as_ref();
        let (before, after) = text.split_at_checked(at).unwrap_or((text, ""));
        let from = before.rfind('\n').map_or(0, |newline| newline + 1);
        let to = at + after.find('\n').unwrap_or(after.len());
        let from = ceil_boundary(text, from.max(at.saturating_sub(max_bytes)));
        let to = ceil_boundary(text, to.min(at + max_bytes));
        text.get(from..to).unwrap_or_default()
    }

    /// How often a word occurs.
    pub(super) fn count(&self, hash: u64) -> usize {
        self.chains
            .get(&hash)
            .map_or(0, |chain| chain.count as usize)
    }

    /// The places of a word, newest first.
    pub(super) fn places(&self, hash: u64) -> impl Iterator<Item = usize> {
        let newest = self.chains.get(&hash).map(|chain| chain.newest);
        std::iter::successors(newest, |place| {
            let older = self.places.get(*place as usize)?.older;
            (older < *place).then_some(older)
        })
        .map(|place| place as usize)
    }

    /// What stands before the word at a place.
    pub(super) fn gap_at(&self, place: usize) -> WordGap {
        self.places
            .get(place)
            .map_or(WordGap::Start, |word| word.gap)
    }

    /// The tag of the word at a place.
    pub(super) fn tag_at(&self, place: usize) -> Option<u32> {
        self.places.get(place).map(|word| word.tag)
    }

    /// The newest place where these words stand one after the other, each joined to the one
    /// before as `joins` says of its number and gap; `accepts` judges the place.
    pub(super) fn find(
        &self,
        words: &[u64],
        joins: &dyn Fn(usize, WordGap) -> bool,
        accepts: &dyn Fn(usize) -> bool,
    ) -> Option<usize> {
        let (rarest, _) = words
            .iter()
            .enumerate()
            .min_by_key(|(_, hash)| self.count(**hash))?;
        let starts = self
            .places(*words.get(rarest)?)
            .filter_map(|place| place.checked_sub(rarest));
        let mut found = starts.filter(|start| {
            words.iter().enumerate().all(|(number, hash)| {
                let place = self.places.get(start + number);
                place.is_some_and(|place| {
                    place.tag == tag_of(*hash) && (number == 0 || joins(number, place.gap))
                })
            }) && accepts(*start)
        });
        found.next()
    }

    /// Whether one of the words with these sorted tags stands at most `reach` words from a
    /// place, in the same text.
    pub(super) fn is_near(&self, place: usize, reach: usize, tags: &[u32]) -> bool {
        self.near(place, reach)
            .any(|word| tags.binary_search(&word).is_ok())
    }

    /// The tags of the words around a place, nearest first on each side.
    pub(super) fn near(&self, place: usize, reach: usize) -> impl Iterator<Item = u32> {
        let after = (place + 1..=place + reach)
            .map_while(|at| self.places.get(at).filter(|w| w.gap != WordGap::Start));
        let before = (0..reach).map_while(move |back| {
            let here = self.places.get(place.checked_sub(back)?)?;
            let at = place.checked_sub(back + 1)?;
            (here.gap != WordGap::Start)
                .then(|| self.places.get(at))
                .flatten()
        });
        after.chain(before).map(|word| word.tag)
    }

    /// The numbers of a dimension from `low` to `high`, in base units.
    pub(super) fn numbers(
        &self,
        dimension: super::quantity::Dimension,
        low: f64,
        high: f64,
    ) -> &[SourceNumber] {
        let from = self
            .numbers
            .partition_point(|n| n.is_before(dimension, low));
        let rest = self.numbers.get(from..).unwrap_or_default();
        let len = rest.partition_point(|n| n.dimension == dimension && n.value <= high);
        rest.get(..len).unwrap_or_default()
    }

    /// A place of a longer hexadecimal word that begins with this one.
    pub(super) fn hex_that_begins(&self, hex: &str) -> Option<usize> {
        let key = nibbles(hex.as_bytes())?;
        let shift = 4 * (HEX_KEY_CHARS.saturating_sub(hex.len()));
        let from = self.hexes.partition_point(|(known, _)| *known < key);
        let (known, place) = self.hexes.get(from)?;
        (known >> shift == key >> shift).then_some(*place as usize)
    }
}

/// Shortest hexadecimal word that a shorter one can stand for.
const MIN_HEX_CHARS: usize = 8;
/// Characters of it that are compared.
const HEX_KEY_CHARS: usize = 16;

/// The first sixteen hexadecimal digits of a word as a number; `None` for other words.
fn nibbles(word: &[u8]) -> Option<u64> {
    let mut key = 0_u64;
    for at in 0..HEX_KEY_CHARS {
        let digit = match word.get(at) {
            Some(byte) => char::from(*byte).to_digit(16)?,
            None => 0,
        };
        key = key << 4 | u64::from(digit);
    }
    word.iter().all(u8::is_ascii_hexdigit).then_some(key)
}

fn ceil_boundary(text: &str, at: usize) -> usize {
    (at..text.len())
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or(text.len())
}

impl SourceIndex<'_> {
    /// The byte before the word at a place; 0 at the start of its text.
    pub(super) fn byte_before(&self, place: usize) -> u8 {
        let word = self.text_at(place).zip(self.places.get(place));
        word.and_then(|(text, word)| {
            let before = (word.start as usize).checked_sub(1)?;
            text.text.as_bytes().get(before).copied()
        })
        .unwrap_or(0)
    }

    /// What stands before a place in its line, at most a few bytes.
    pub(super) fn line_before(&self, place: usize) -> &str {
        let Some((text, word)) = self.text_at(place).zip(self.places.get(place)) else {
            return "";
        };
        let text = text.text.as_ref();
        let end = (word.start as usize).min(text.len());
        let start = ceil_boundary(text, end.saturating_sub(8));
        text.get(start..end).unwrap_or_default()
    }

    /// The word at a place with what follows it, at most a few bytes.
    pub(super) fn line_from(&self, place: usize) -> &str {
        let Some((text, word)) = self.text_at(place).zip(self.places.get(place)) else {
            return "";
        };
        let text = text.text.as_ref();
        let start = (word.start as usize).min(text.len());
        let end = ceil_boundary(text, (start + 8).min(text.len()));
        text.get(start..end).unwrap_or_default()
    }

    /// The word at a place, as it is written.
    pub(super) fn word_at(&self, place: usize) -> &str {
        let word = self.text_at(place).zip(self.places.get(place));
        let rest = word.and_then(|(text, word)| text.text.get(word.start as usize..));
        let rest = rest.unwrap_or_default();
        let end = rest.find(|c: char| !c.is_alphanumeric());
        rest.get(..end.unwrap_or(rest.len())).unwrap_or_default()
    }

    /// Whether the word at a place begins with a digit.
    pub(super) fn is_number(&self, place: usize) -> bool {
        let word = self.text_at(place).zip(self.places.get(place));
        word.is_some_and(|(text, word)| {
            let first = text.text.as_bytes().get(word.start as usize);
            first.is_some_and(u8::is_ascii_digit)
        })
    }

    /// The first place of a text that has words.
    pub(super) fn first_place(&self, text: usize) -> Option<usize> {
        let place = self.texts.get(text)?.first_word;
        (place < self.places.len()).then_some(place)
    }

    /// A place of a word.
    pub(super) fn place_of(&self, word: &str) -> Option<usize> {
        self.places(super::fold::word_hash(word)).next()
    }
}
