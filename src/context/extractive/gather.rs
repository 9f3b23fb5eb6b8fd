//! One walk over the messages that collects what an extractive summary says.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::context::appendix::{self, FileUse};
use crate::context::audit::keywords;
use crate::context::redact;
use crate::context::summary::{SourceMessage, excerpt};
use crate::transcript::Message;

use super::calls::CallHistory;
use super::cues::{self, SentenceCue};
use super::sentences;
use super::steps::StepList;

/// Only this much of one message is read for sentences, in characters.
const READ_CHARS: usize = 60_000;
/// Typed text is rarely longer; beyond, in characters, it is pasted, and only its beginning
/// and end are read.
const TYPED_CHARS: usize = 6_000;
/// Sentences of the newest answer that are quoted.
const MAX_LAST_WORDS: usize = 2;
/// Weight of a word of the instructions, against cue words and position.
const WANTED_WEIGHT: u64 = 100;
/// Weight of what a person typed.
const USER_WEIGHT: u64 = 4;
/// Position counts up to this much.
const POSITION_WEIGHT: u64 = 4;

struct GatheredSentence {
    text: String,
    cue: Option<SentenceCue>,
    weight: u64,
    order: usize,
    /// How many asks came before.
    turn: usize,
    wanted: bool,
}

/// How a person begins a rule without any other word of obligation.
const RULES: [&str; 5] = ["no ", "leave ", "only ", "without ", "别"];

/// Words of instructions that say what to do with the others.
const VERBS: &[&str] = &[
    "keep",
    "preserve",
    "retain",
    "focus",
    "include",
    "remember",
    "mention",
    "summarize",
    "summarise",
    "summary",
    "especially",
    "important",
    "forget",
    "保留",
    "总结",
    "记住",
    "重点",
];

/// The words of instructions that lines are ranked by.
pub(super) fn wanted_words(instructions: &str) -> Vec<String> {
    let mut words = keywords::keywords(instructions);
    words.retain(|word| !VERBS.contains(&word.as_str()));
    words
}

/// Whether a text in lower case has a word that begins with `word`; a plural of it
/// counts as the word. Scripts without spaces have no such beginnings.
fn has_word(lower: &str, word: &str) -> bool {
    /// Shorter words are not cut: `bus`.
    const MIN_PLURAL_BYTES: usize = 5;
    let stem = match word.strip_suffix('s') {
        Some(stem) if word.len() >= MIN_PLURAL_BYTES && !stem.ends_with('s') => stem,
        _ => word,
    };
    let is_ascii = stem.is_ascii();
    lower.match_indices(stem).any(|(at, _)| {
        let before = lower
            .get(..at)
            .and_then(|before| before.chars().next_back());
        !is_ascii || before.is_none_or(|c| !c.is_ascii_alphanumeric())
    })
}

/// The letters and digits of a sentence, in lower case.
fn letters(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

/// How other programs note in the user's name that a turn was stopped.
const STOP_MARK: &str = "[Request interrupted by user";

/// Whether a message is nothing but a tagged block or a mark, as programs put it there.
fn is_machine_made(text: &str) -> bool {
    let text = text.trim();
    if text.starts_with(STOP_MARK) && text.ends_with(']') && !text.contains('\n') {
        return true;
    }
    text.strip_prefix('<')
        .and_then(|rest| rest.split_once('>'))
        .is_some_and(|(tag, _)| {
            !tag.is_empty()
                && tag
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
                && text.ends_with(&format!("</{tag}>"))
        })
}

/// The facts in the messages, by kind.
#[derive(Default)]
pub(super) struct GatheredFacts {
    /// The user's messages, oldest first, without secrets.
    pub asks: Vec<String>,
    /// The outcomes of the tool calls.
    pub calls: CallHistory,
    /// Files that were changed.
    pub modified: BTreeSet<String>,
    /// Files that were read only.
    pub read: BTreeSet<String>,
    /// The remaining steps.
    pub steps: StepList,
    /// Sentences of the newest answer beyond results and announcements.
    pub last_words: Vec<String>,
    sentences: Vec<GatheredSentence>,
    frequency: HashMap<String, u64>,
    wanted: Vec<String>,
}

impl GatheredFacts {
    /// Reads the messages. `wanted` are the words of the instructions.
    pub(super) fn read(messages: &[SourceMessage], wanted: &[String]) -> Self {
        let mut out = Self {
            wanted: wanted.to_vec(),
            ..Self::default()
        };
        for (index, source) in messages.iter().enumerate() {
            let position = index as u64 * POSITION_WEIGHT / messages.len().max(1) as u64;
            match source.message.as_ref() {
                Message::User(_) => {
                    let text = source.message.text();
                    let text = redact::redact(&text);
                    if !text.trim().is_empty() && !is_machine_made(&text) {
                        out.steps.on_ask();
                        out.read_text(&text, USER_WEIGHT + position, true);
                        out.asks.push(text.into_owned());
                    }
                }
                Message::Assistant(assistant) => {
                    let text = assistant.text();
                    out.read_text(&redact::redact(&text), position, false);
                    for call in assistant.tool_calls() {
                        out.steps.read_call(call);
                    }
                }
                Message::ToolResult(_) | Message::BashExecution(_) => {}
            }
        }
        out.calls = CallHistory::read(messages);
        let appendix = appendix::accumulate(None, messages);
        out.modified.extend(appendix.modified_files);
        out.read.extend(appendix.read_files);
        out.add_pending_files(messages);
        out
    }

    /// Files of calls whose result is not among the messages.
    fn add_pending_files(&mut self, messages: &[SourceMessage]) {
        let answered: HashSet<&str> = messages
            .iter()
            .filter_map(|source| match source.message.as_ref() {
                Message::ToolResult(result) => Some(result.call_id.as_str()),
                _ => None,
            })
            .collect();
        for source in messages {
            if let Message::Assistant(assistant) = source.message.as_ref() {
                for call in assistant.tool_calls() {
                    if answered.contains(call.id.as_str()) {
                        continue;
                    }
                    for (file_use, path) in appendix::files_of(call) {
                        if file_use == FileUse::Modify {
                            self.modified.insert(path.to_owned());
                        }
                    }
                }
            }
        }
    }

    fn read_text(&mut self, text: &str, weight: u64, from_user: bool) {
        let typed;
        let text = if from_user && excerpt::is_longer(text, TYPED_CHARS) {
            let (head, tail) = (TYPED_CHARS / 2, TYPED_CHARS / 2);
            typed = format!(
                "{}\n\n{}",
                excerpt::head(text, head),
                excerpt::tail(text, tail)
            );
            typed.as_str()
        } else {
            excerpt::head(text, READ_CHARS)
        };
        self.steps.read_lines(text, from_user);
        let sentences = sentences::sentences(text);
        if !from_user && !sentences.is_empty() {
            self.last_words.clear();
            self.steps.settle();
        }
        let mut announced = Vec::new();
        for sentence in sentences {
            self.read_sentence(sentence, weight, from_user, &mut announced);
        }
        self.steps.announce(announced);
    }

    fn read_sentence(
        &mut self,
        sentence: String,
        weight: u64,
        from_user: bool,
        announced: &mut Vec<(String, String)>,
    ) {
        let lower = keywords::normalize(&sentence);
        let cue = cues::cue_of(&cues::without_code_spans(&lower));
        let is_rule =
            from_user && cue.is_none() && RULES.iter().any(|rule| lower.starts_with(rule));
        let cue = if is_rule {
            Some((SentenceCue::Constraint, 1))
        } else {
            cue
        };
        // What the model calls a must is a finding; rules come from the user, who in turn
        // reports no progress.
        let cue = cue.filter(|(cue, _)| match cue {
            SentenceCue::Constraint => from_user,
            SentenceCue::Done | SentenceCue::NextStep => !from_user,
            SentenceCue::Decision | SentenceCue::Blocked => true,
        });
        let leads_in = sentence.ends_with([':', '：']);
        let wanted = self.is_wanted(&lower);
        if leads_in && !wanted {
            return;
        }
        if !from_user && cue.is_none() && !leads_in && self.last_words.len() < MAX_LAST_WORDS {
            self.last_words.push(sentence.clone());
        }
        if cue.is_none() && !wanted {
            return;
        }
        if cue.is_some_and(|(cue, _)| cue == SentenceCue::NextStep) && !leads_in {
            announced.push((sentence.clone(), lower.clone()));
        }
        keywords::each_run(&lower, &mut |word| {
            if keywords::is_stop(word) {
                return;
            }
            match self.frequency.get_mut(word) {
                Some(count) => *count += 1,
                None => {
                    self.frequency.insert(word.to_owned(), 1);
                }
            }
        });
        let strength = cue.map_or(0, |(_, count)| count * 2);
        self.sentences.push(GatheredSentence {
            text: sentence,
            cue: cue.map(|(cue, _)| cue),
            weight: weight + strength + if wanted { WANTED_WEIGHT } else { 0 },
            order: self.sentences.len(),
            turn: self.asks.len(),
            wanted,
        });
    }

    fn is_wanted(&self, lower: &str) -> bool {
        self.wanted.iter().any(|word| has_word(lower, word))
    }

    /// Items with what the instructions ask for first.
    pub(super) fn wanted_first<T>(&self, items: Vec<T>, text: impl Fn(&T) -> &str) -> Vec<T> {
        let (mut first, rest): (Vec<T>, Vec<T>) = items
            .into_iter()
            .partition(|item| self.is_wanted(&keywords::normalize(text(item))));
        first.extend(rest);
        first
    }

    /// The weightiest sentences of a kind as bullets, in the order they were said.
    pub(super) fn ranked(&self, cue: SentenceCue, most: usize) -> Vec<String> {
        // An obstacle of an earlier turn was most likely removed by the next ask.
        let turn = if cue == SentenceCue::Blocked {
            self.asks.len()
        } else {
            0
        };
        self.pick(most, |sentence| {
            sentence.cue == Some(cue) && sentence.turn >= turn
        })
        .into_iter()
        .map(|text| format!("- {text}"))
        .collect()
    }

    /// Sentences that the instructions ask for and that no other section takes.
    pub(super) fn wanted_sentences(&self, most: usize) -> Vec<String> {
        self.pick(most, |sentence| {
            sentence.wanted
                && !matches!(
                    sentence.cue,
                    Some(SentenceCue::Decision | SentenceCue::Constraint | SentenceCue::Done)
                )
        })
    }

    fn pick(&self, most: usize, is_wanted: impl Fn(&GatheredSentence) -> bool) -> Vec<String> {
        let mut seen = HashSet::new();
        let mut chosen: Vec<(u64, &GatheredSentence)> = self
            .sentences
            .iter()
            .filter(|sentence| is_wanted(sentence))
            // A sentence that differs only in punctuation and capitals says nothing new.
            .filter(|sentence| seen.insert(letters(&sentence.text)))
            .map(|sentence| (sentence.weight + self.commonness(&sentence.text), sentence))
            .collect();
        chosen.sort_by_key(|(weight, sentence)| std::cmp::Reverse((*weight, sentence.order)));
        chosen.truncate(most);
        // What was asked for comes first, then the order of the conversation.
        chosen.sort_by_key(|(_, sentence)| (!sentence.wanted, sentence.order));
        chosen
            .into_iter()
            .map(|(_, sentence)| sentence.text.clone())
            .collect()
    }

    /// How often the words of a sentence occur in others of its kind, at most 3.
    fn commonness(&self, text: &str) -> u64 {
        let words = keywords::words(&keywords::normalize(text));
        let repeated = words
            .iter()
            .filter(|word| self.frequency.get(*word).is_some_and(|n| *n > 2))
            .count();
        repeated.min(3) as u64
    }

    /// Files with a word of the instructions first, then by name.
    pub(super) fn ranked_files<'a>(&self, files: &'a BTreeSet<String>) -> Vec<&'a str> {
        let (mut first, rest): (Vec<&str>, Vec<&str>) = files
            .iter()
            .map(String::as_str)
            .partition(|file| self.is_wanted_file(file));
        first.extend(rest);
        first
    }

    fn is_wanted_file(&self, file: &str) -> bool {
        self.is_wanted(&file.to_lowercase())
    }

    /// Which words of the instructions had an effect.
    pub(super) fn effects(&self, wanted: &[String]) -> Vec<String> {
        wanted
            .iter()
            .filter_map(|word| {
                let sentences = self
                    .sentences
                    .iter()
                    .filter(|s| s.wanted && has_word(&keywords::normalize(&s.text), word))
                    .count();
                let files = self
                    .modified
                    .iter()
                    .chain(&self.read)
                    .filter(|file| has_word(&file.to_lowercase(), word))
                    .count();
                (sentences + files > 0)
                    .then(|| format!("“{word}”: {sentences} sentence(s), {files} file(s) first"))
            })
            .collect()
    }
}
