//! The words and numbers of everything that a summary may draw on, so that each claim is
//! looked up without reading the conversation again.

mod calls;
mod numbers;
mod outputs;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;

use crate::context::summary::SourceMessage;
use crate::transcript::{AssistantPart, EntryId, Message, Part, ToolCall};

use super::claim::GroundingSources;
use super::fold::{self, FoldedWord, WordGap};
use super::marked::without_unverified;
pub(super) use calls::SourceCall;
pub(super) use numbers::SourceNumber;
pub(super) use outputs::{OutputTally, TALLY};

/// How deep the arguments of a call are read.
const MAX_ARGUMENT_DEPTH: usize = 8;

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

    /// Reads the sources once. Linear in their text.
    pub fn of(sources: GroundingSources<'a>) -> Self {
        let texts = sources.texts.iter().copied();
        Self::of_texts(sources.messages, sources.previous, texts)
    }

    /// The same of the parts of [`GroundingSources`].
    pub(super) fn of_texts(
        messages: &'a [SourceMessage],
        previous: Option<&'a str>,
        texts: impl Iterator<Item = &'a str>,
    ) -> Self {
        let mut index = Self {
            messages,
            ..Self::default()
        };
        index.make_room();
        let texts = texts.map(Cow::Borrowed);
        for text in texts.chain(previous.map(without_unverified)) {
            index.read(text, TextOrigin::Standing, None);
        }
        for (number, source) in messages.iter().enumerate() {
            index.read_message(number, &source.message);
        }
        index.numbers.sort_unstable_by_key(SourceNumber::order);
        index.hexes.sort_unstable();
        index
    }

    /// Room for the words to come, so that the tables do not move while they grow: about a
    /// word for a token, and one new word in so many.
    fn make_room(&mut self) {
        /// Tokens for one word that was not there before.
        const TOKENS_PER_NEW_WORD: usize = 12;
        /// More room is made when it is needed.
        const MAX_ROOM: usize = 8_000_000;
        let tokens: u64 = self.messages.iter().map(|source| source.tokens).sum();
        let words = usize::try_from(tokens).unwrap_or(MAX_ROOM).min(MAX_ROOM);
        self.places.reserve(words);
        self.chains.reserve(words / TOKENS_PER_NEW_WORD);
    }

    fn read_message(&mut self, number: usize, message: &'a Message) {
        match message {
            Message::User(user) => {
                self.read_parts(&user.content, TextOrigin::Person, number);
            }
            Message::Assistant(answer) => {
                if let Some(words) = answer.words_on_the_way() {
                    self.read(Cow::Borrowed(words), TextOrigin::Answer, Some(number));
                }
                for part in &answer.content {
                    match part {
                        AssistantPart::Text(text) => {
                            self.read(Cow::Borrowed(text), TextOrigin::Answer, Some(number));
                        }
                        AssistantPart::ToolCall(call) => self.read_call(number, call),
                        AssistantPart::Thinking { .. } | AssistantPart::RedactedThinking { .. } => {
                        }
                    }
                }
            }
            Message::ToolResult(result) => {
                let first = self.texts.len();
                self.read_parts(&result.content, TextOrigin::Output, number);
                let has_text = self.texts.len() > first;
                self.end_call(&result.call_id, has_text.then_some(first), !result.is_error);
            }
            Message::BashExecution(run) => {
                let first = self.texts.len();
                self.read(
                    Cow::Borrowed(&run.command),
                    TextOrigin::Argument,
                    Some(number),
                );
                self.read(Cow::Borrowed(&run.output), TextOrigin::Output, Some(number));
                self.calls.push(SourceCall {
                    message: number,
                    id: String::new(),
                    tool: "bash".to_owned(),
                    arguments: first..first + 1,
                    output: Some(first + 1),
                    has_worked: run.exit_code == Some(0),
                    has_ended: true,
                });
            }
        }
    }

    fn read_parts(&mut self, parts: &'a [Part], origin: TextOrigin, number: usize) {
        for part in parts {
            match part {
                Part::Text(text) => self.read(Cow::Borrowed(text), origin, Some(number)),
                Part::Image(image) => {
                    if let Some(name) = &image.name {
                        self.read(Cow::Borrowed(name), origin, Some(number));
                    }
                }
            }
        }
    }

    fn read_call(&mut self, number: usize, call: &'a ToolCall) {
        let first = self.texts.len();
        self.read(
            Cow::Borrowed(&call.name),
            TextOrigin::Argument,
            Some(number),
        );
        let mut stack = vec![(&call.arguments, 0)];
        while let Some((value, depth)) = stack.pop() {
            match value {
                serde_json::Value::String(text) => {
                    self.read(Cow::Borrowed(text), TextOrigin::Argument, Some(number));
                }
                serde_json::Value::Number(value) => {
                    let text = Cow::Owned(value.to_string());
                    self.read(text, TextOrigin::Argument, Some(number));
                }
                serde_json::Value::Array(items) if depth < MAX_ARGUMENT_DEPTH => {
                    stack.extend(items.iter().rev().map(|item| (item, depth + 1)));
                }
                serde_json::Value::Object(members) if depth < MAX_ARGUMENT_DEPTH => {
                    for (name, item) in members.iter().rev() {
                        stack.push((item, depth + 1));
                        self.read(Cow::Borrowed(name), TextOrigin::Argument, Some(number));
                    }
                }
                _ => {}
            }
        }
        if let Some(raw) = &call.malformed {
            self.read(Cow::Borrowed(raw), TextOrigin::Argument, Some(number));
        }
        self.calls.push(SourceCall {
            message: number,
            id: call.id.clone(),
            tool: call.name.clone(),
            arguments: first..self.texts.len(),
            output: None,
            has_worked: false,
            has_ended: false,
        });
    }

    /// Gives the newest open call of this id its result.
    fn end_call(&mut self, id: &str, output: Option<usize>, has_worked: bool) {
        let mut open = self.calls.iter_mut().rev().take(MAX_OPEN_CALLS);
        if let Some(call) = open.find(|call| !call.has_ended && call.id == id) {
            call.output = output;
            call.has_worked = has_worked;
            call.has_ended = true;
        }
    }

    fn read(&mut self, text: Cow<'a, str>, origin: TextOrigin, message: Option<usize>) {
        let first_word = self.places.len();
        let mut numeral_end = 0;
        fold::each_word(&text, &mut |word| {
            self.add(&text, word, &mut numeral_end);
        });
        self.texts.push(SourceText {
            text,
            origin,
            message,
            first_word,
        });
    }

    fn add(&mut self, text: &str, word: FoldedWord, numeral_end: &mut usize) {
        let Ok(place) = u32::try_from(self.places.len()) else {
            return;
        };
        let chain = self.chains.entry(word.hash);
        let mut is_new = false;
        let chain = chain.or_insert_with(|| {
            is_new = true;
            WordChain {
                newest: place,
                count: 0,
            }
        });
        let older = std::mem::replace(&mut chain.newest, place);
        chain.count += 1;
        self.places.push(WordPlace {
            tag: tag_of(word.hash),
            older,
            start: u32::try_from(word.start).unwrap_or(u32::MAX),
            gap: word.gap,
        });
        let bytes = text.as_bytes();
        if bytes.get(word.start).is_some_and(u8::is_ascii_digit) && word.start >= *numeral_end {
            *numeral_end = numbers::read(text, word, place, &mut self.numbers);
        }
        if is_new && word.end - word.start >= MIN_HEX_CHARS {
            let written = bytes.get(word.start..word.end).unwrap_or_default();
            self.hexes.extend(nibbles(written).map(|key| (key, place)));
        }
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

/// Open calls that a result is matched with, the newest first.
const MAX_OPEN_CALLS: usize = 256;
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
