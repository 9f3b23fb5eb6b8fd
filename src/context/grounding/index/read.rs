//! The making of the index: every text is read once, the two halves of a long conversation at
//! the same time.

use std::borrow::Cow;
use std::collections::hash_map::Entry;

use crate::context::grounding::claim::GroundingSources;
use crate::context::grounding::fold::{self, FoldedWord};
use crate::context::grounding::marked::without_unverified;
use crate::context::summary::SourceMessage;
use crate::parallel;
use crate::transcript::{AssistantPart, Message, Part, ToolCall};

use super::{
    MIN_HEX_CHARS, SourceCall, SourceIndex, SourceNumber, SourceText, TextOrigin, WordChain,
    WordPlace, nibbles, numbers, tag_of,
};

/// How deep the arguments of a call are read.
const MAX_ARGUMENT_DEPTH: usize = 8;
/// Open calls that a result is matched with, the newest first.
const MAX_OPEN_CALLS: usize = 256;
/// Tokens of a conversation whose halves are read at the same time.
const MIN_TOKENS_TO_HALVE: u64 = 100_000;

/// What is matched with earlier messages when their index takes in that of later ones.
#[derive(Debug, Default)]
struct OpenEnds {
    /// Words by hash, with their first places.
    firsts: Vec<(u64, u32)>,
    /// Results without a call.
    results: Vec<OpenResult>,
}

/// A result whose call is not among the messages that were read.
#[derive(Debug)]
struct OpenResult {
    call: String,
    output: Option<usize>,
    has_worked: bool,
    /// So many of the newest calls before the messages can be meant.
    reach: usize,
}

/// Reads messages, and texts beside them, into an index.
#[derive(Debug, Default)]
struct SourceReader<'a> {
    index: SourceIndex<'a>,
    ends: OpenEnds,
}

impl<'a> SourceIndex<'a> {
    /// Reads the sources once. Linear in their text.
    pub fn of(sources: GroundingSources<'a>) -> Self {
        let texts = sources.texts.iter().copied();
        Self::of_texts(sources.messages, sources.previous, texts)
    }

    /// The same of the parts of [`GroundingSources`].
    pub(in crate::context::grounding) fn of_texts(
        messages: &'a [SourceMessage],
        previous: Option<&'a str>,
        texts: impl Iterator<Item = &'a str>,
    ) -> Self {
        let middle = middle(messages);
        Self::in_two(messages, middle, |reader| {
            let texts = texts.map(Cow::Borrowed);
            for text in texts.chain(previous.map(without_unverified)) {
                reader.read(text, TextOrigin::Standing, None);
            }
        })
    }

    /// Reads the messages before and after `middle` at the same time.
    fn in_two(
        messages: &'a [SourceMessage],
        middle: usize,
        before: impl FnOnce(&mut SourceReader<'a>),
    ) -> Self {
        let first = || {
            let mut reader = SourceReader::default();
            before(&mut reader);
            reader.read_messages(messages, 0..middle);
            reader
        };
        let mut out = if middle == messages.len() {
            first()
        } else {
            let second = || {
                let mut reader = SourceReader::default();
                reader.read_messages(messages, middle..messages.len());
                reader
            };
            let (second, mut first) = parallel::both(second, first);
            first.append(second);
            first
        };
        out.index.messages = messages;
        out.index.numbers = numbers::sorted(&out.index.numbers);
        out.index.hexes.sort_unstable();
        out.index
    }
}

/// The number of the message where the second half begins; their count where one reading is
/// quick enough.
fn middle(messages: &[SourceMessage]) -> usize {
    let sum = |messages: &[SourceMessage]| -> u64 {
        let tokens = messages.iter().map(|source| source.tokens);
        tokens.fold(0, u64::saturating_add)
    };
    let all = sum(messages);
    if !(MIN_TOKENS_TO_HALVE..u64::from(u32::MAX) / 2).contains(&all) {
        return messages.len();
    }
    let mut so_far = 0_u64;
    let is_first = |source: &&SourceMessage| {
        so_far = so_far.saturating_add(source.tokens);
        so_far <= all / 2
    };
    messages.iter().take_while(is_first).count()
}

impl<'a> SourceReader<'a> {
    fn read_messages(&mut self, messages: &'a [SourceMessage], range: std::ops::Range<usize>) {
        let read = messages.get(range.clone()).unwrap_or_default();
        self.make_room(read);
        for (number, source) in range.zip(read) {
            self.read_message(number, &source.message);
        }
    }

    /// Takes in what was read of later messages.
    fn append(&mut self, later: Self) {
        let texts = self.index.texts.len();
        let Ok(shift) = u32::try_from(self.index.places.len()) else {
            return;
        };
        let mut other = later.index;
        let places = std::mem::take(&mut other.places);
        self.index.places.reserve(places.len());
        self.index.places.extend(places.into_iter().map(|place| {
            let older = place.older.saturating_add(shift);
            WordPlace { older, ..place }
        }));
        let known = self.append_words(&other, &later.ends.firsts, shift);
        let is_new = |place: u32| known.binary_search(&place).is_err();
        let hexes = other.hexes.into_iter().filter(|(_, place)| is_new(*place));
        let hexes = hexes.map(|(key, place)| (key, place.saturating_add(shift)));
        self.index.hexes.extend(hexes);
        let numbers = other.numbers.into_iter().map(|number| {
            let place = number.place.saturating_add(shift);
            SourceNumber { place, ..number }
        });
        self.index.numbers.extend(numbers);
        for result in later.ends.results {
            let output = result.output.map(|output| output + texts);
            self.end_call(&result.call, output, result.has_worked, result.reach);
        }
        let calls = other.calls.into_iter().map(|call| SourceCall {
            arguments: call.arguments.start + texts..call.arguments.end + texts,
            output: call.output.map(|output| output + texts),
            ..call
        });
        self.index.calls.extend(calls);
        let later = other.texts.into_iter().map(|text| {
            let first_word = text.first_word.saturating_add(shift as usize);
            SourceText { first_word, ..text }
        });
        self.index.texts.extend(later);
    }

    /// Joins the occurrences of each word, whose places are appended already; gives the first
    /// places of later words that are not new.
    fn append_words(
        &mut self,
        later: &SourceIndex<'_>,
        firsts: &[(u64, u32)],
        shift: u32,
    ) -> Vec<u32> {
        let mut known = Vec::new();
        for (hash, first) in firsts {
            let Some(chain) = later.chains.get(hash) else {
                continue;
            };
            let newest = chain.newest.saturating_add(shift);
            match self.index.chains.entry(*hash) {
                Entry::Vacant(entry) => {
                    entry.insert(WordChain { newest, ..*chain });
                }
                Entry::Occupied(mut entry) => {
                    let before = entry.get_mut();
                    let place = first.saturating_add(shift) as usize;
                    if let Some(place) = self.index.places.get_mut(place) {
                        place.older = before.newest;
                    }
                    before.newest = newest;
                    before.count += chain.count;
                    known.push(*first);
                }
            }
        }
        known
    }

    /// Room for the words to come, so that the tables do not move while they grow: about a
    /// word for a token, and one new word in so many.
    fn make_room(&mut self, messages: &[SourceMessage]) {
        /// Tokens for one word that was not there before.
        const TOKENS_PER_NEW_WORD: usize = 12;
        /// More room is made when it is needed.
        const MAX_ROOM: usize = 8_000_000;
        let tokens: u64 = messages.iter().map(|source| source.tokens).sum();
        let words = usize::try_from(tokens).unwrap_or(MAX_ROOM).min(MAX_ROOM);
        self.index.places.reserve(words);
        self.index.chains.reserve(words / TOKENS_PER_NEW_WORD);
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
                let first = self.index.texts.len();
                self.read_parts(&result.content, TextOrigin::Output, number);
                let has_text = self.index.texts.len() > first;
                let output = has_text.then_some(first);
                self.end_call(&result.call_id, output, !result.is_error, MAX_OPEN_CALLS);
            }
            Message::BashExecution(run) => {
                let first = self.index.texts.len();
                self.read(
                    Cow::Borrowed(&run.command),
                    TextOrigin::Argument,
                    Some(number),
                );
                self.read(Cow::Borrowed(&run.output), TextOrigin::Output, Some(number));
                self.index.calls.push(SourceCall {
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
        let first = self.index.texts.len();
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
        self.index.calls.push(SourceCall {
            message: number,
            id: call.id.clone(),
            tool: call.name.clone(),
            arguments: first..self.index.texts.len(),
            output: None,
            has_worked: false,
            has_ended: false,
        });
    }

    /// Gives the newest open call of this id its result; at most `reach` calls are looked at.
    fn end_call(&mut self, id: &str, output: Option<usize>, has_worked: bool, reach: usize) {
        let calls = &mut self.index.calls;
        let left = reach.saturating_sub(calls.len());
        let mut open = calls.iter_mut().rev().take(reach);
        if let Some(call) = open.find(|call| !call.has_ended && call.id == id) {
            call.output = output;
            call.has_worked = has_worked;
            call.has_ended = true;
        } else if left > 0 {
            self.ends.results.push(OpenResult {
                call: id.to_owned(),
                output,
                has_worked,
                reach: left,
            });
        }
    }

    fn read(&mut self, text: Cow<'a, str>, origin: TextOrigin, message: Option<usize>) {
        let first_word = self.index.places.len();
        let mut numeral_end = 0;
        fold::each_word(&text, &mut |word| {
            self.add(&text, word, &mut numeral_end);
        });
        self.index.texts.push(SourceText {
            text,
            origin,
            message,
            first_word,
        });
    }

    fn add(&mut self, text: &str, word: FoldedWord, numeral_end: &mut usize) {
        let Ok(place) = u32::try_from(self.index.places.len()) else {
            return;
        };
        let chain = self.index.chains.entry(word.hash);
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
        self.index.places.push(WordPlace {
            tag: tag_of(word.hash),
            older,
            start: u32::try_from(word.start).unwrap_or(u32::MAX),
            gap: word.gap,
        });
        let bytes = text.as_bytes();
        if bytes.get(word.start).is_some_and(u8::is_ascii_digit) && word.start >= *numeral_end {
            *numeral_end = numbers::read(text, word, place, &mut self.index.numbers);
        }
        if is_new {
            self.ends.firsts.push((word.hash, place));
        }
        if is_new && word.end - word.start >= MIN_HEX_CHARS {
            let written = bytes.get(word.start..word.end).unwrap_or_default();
            self.index
                .hexes
                .extend(nibbles(written).map(|key| (key, place)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::transcript::{AssistantMessage, EntryId, ToolResult};

    fn any_text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("the cat sat".to_owned()),
            Just("令牌 naïve".to_owned()),
            Just("9a4894a8c0ffee11".to_owned()),
            "[0-9]{1,4} (ms|tests|customers|%)",
            "[a-e]{1,3}",
        ];
        prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.join(" "))
    }

    fn any_message() -> impl Strategy<Value = Message> {
        // Few ids: calls and results meet across any border, or never.
        let id = || "c[0-2]";
        let call = (id(), any_text()).prop_map(|(id, text)| {
            Message::Assistant(AssistantMessage {
                content: vec![AssistantPart::ToolCall(ToolCall {
                    id,
                    name: "bash".to_owned(),
                    arguments: serde_json::json!({ "command": text }),
                    malformed: None,
                })],
                ..AssistantMessage::default()
            })
        });
        let result = (id(), any_text(), any::<bool>()).prop_map(|(call_id, text, is_error)| {
            Message::ToolResult(ToolResult {
                call_id,
                content: vec![Part::Text(text)],
                is_error,
                ..ToolResult::default()
            })
        });
        prop_oneof![any_text().prop_map(Message::user_text), call, result]
    }

    /// All that an index knows, in an order of its own.
    fn known(index: &SourceIndex<'_>) -> String {
        let mut chains: Vec<_> = index.chains.iter().collect();
        chains.sort_unstable_by_key(|(hash, _)| **hash);
        format!(
            "{:?}\n{:?}\n{:?}\n{:?}\n{:?}\n{chains:?}",
            index.texts, index.places, index.calls, index.numbers, index.hexes
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn halves_that_are_read_apart_know_what_one_reading_knows(
            messages in prop::collection::vec(any_message(), 1..12),
        ) {
            let messages: Vec<SourceMessage> = messages
                .into_iter()
                .enumerate()
                .map(|(number, message)| SourceMessage {
                    entry: EntryId::new(number.to_string()),
                    message: Arc::new(message),
                    tokens: 10,
                })
                .collect();
            let before = |reader: &mut SourceReader<'_>| {
                let rule = Cow::Borrowed("the cat stays, 3 tests");
                reader.read(rule, TextOrigin::Standing, None);
            };
            let whole = known(&SourceIndex::in_two(&messages, messages.len(), before));
            for middle in 0..messages.len() {
                let halves = SourceIndex::in_two(&messages, middle, before);
                prop_assert_eq!(&known(&halves), &whole, "{}", middle);
            }
        }
    }

    #[test]
    fn only_long_conversations_are_halved_and_about_in_the_middle() {
        let messages = |tokens: u64| -> Vec<SourceMessage> {
            let message = |number: usize| SourceMessage {
                entry: EntryId::new(number.to_string()),
                message: Arc::new(Message::user_text("word")),
                tokens,
            };
            (0..10).map(message).collect()
        };
        assert_eq!(middle(&messages(9_000)), 10);
        assert_eq!(middle(&messages(u64::MAX)), 10);
        assert_eq!(middle(&messages(20_000)), 5);
        assert_eq!(middle(&[]), 0);
    }
}
