//! One walk over the messages that collects what an extractive summary says.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::context::appendix::{self, FileUse};
use crate::context::audit::keywords;
use crate::context::summary::{SourceMessage, excerpt};
use crate::transcript::Message;

use super::cues::{self, Cue};

/// Only this much of one message is read for sentences, in characters.
const READ_CHARS: usize = 200_000;
/// Longest list item, in characters.
const ITEM_CHARS: usize = 200;
/// Most list items of one kind.
const MAX_ITEMS: usize = 20;
/// Announced steps that are kept: the newest.
const MAX_ANNOUNCED: usize = 3;
/// Weight of a word of the instructions, against cue words and position.
const WANTED_WEIGHT: u64 = 100;
/// Weight of what a person typed.
const USER_WEIGHT: u64 = 4;
/// Position counts up to this much.
const POSITION_WEIGHT: u64 = 4;

/// How often a tool ran.
#[derive(Clone, Copy, Debug, Default)]
pub struct ToolCount {
    /// Calls.
    pub calls: u64,
    /// Of these, failed.
    pub failed: u64,
}

struct Sentence {
    text: String,
    cue: Option<Cue>,
    weight: u64,
    order: usize,
    wanted: bool,
}

/// What the messages say, by kind.
#[derive(Default)]
pub struct Gathered {
    /// What the user asked first.
    pub first_ask: Option<String>,
    /// What the user asked last.
    pub last_ask: Option<String>,
    /// Calls by tool.
    pub tools: BTreeMap<String, ToolCount>,
    /// Files that were changed.
    pub modified: BTreeSet<String>,
    /// Files that were read only.
    pub read: BTreeSet<String>,
    /// One line each.
    pub failures: Vec<String>,
    /// Open list items.
    pub unchecked: Vec<String>,
    /// Ticked list items.
    pub checked: Vec<String>,
    /// The last announced steps.
    pub announced: Vec<String>,
    /// The first sentence of the newest answer.
    pub last_words: Option<String>,
    sentences: Vec<Sentence>,
    frequency: HashMap<String, u64>,
    wanted: Vec<String>,
}

impl Gathered {
    /// Reads the messages. `wanted` are the words of the instructions.
    pub fn read(messages: &[SourceMessage], wanted: &[String]) -> Self {
        let mut out = Self {
            wanted: wanted.to_vec(),
            ..Self::default()
        };
        for (index, source) in messages.iter().enumerate() {
            let position = index as u64 * POSITION_WEIGHT / messages.len().max(1) as u64;
            match source.message.as_ref() {
                Message::User(_) => {
                    let text = source.message.text();
                    if !text.trim().is_empty() {
                        out.first_ask.get_or_insert_with(|| text.clone());
                        out.read_text(&text, USER_WEIGHT + position, true);
                        out.last_ask = Some(text);
                    }
                }
                Message::Assistant(assistant) => {
                    out.read_text(&assistant.text(), position, false);
                    for call in assistant.tool_calls() {
                        out.tools.entry(call.name.clone()).or_default().calls += 1;
                    }
                }
                Message::ToolResult(result) if result.is_error => {
                    let tool = out.tools.entry(result.tool_name.clone()).or_default();
                    tool.failed += 1;
                }
                Message::ToolResult(_) | Message::BashExecution(_) => {}
            }
        }
        let appendix = appendix::accumulate(None, messages);
        out.modified.extend(appendix.modified_files);
        out.read.extend(appendix.read_files);
        out.failures = appendix.failures;
        out.add_pending_files(messages);
        out.checked.retain(|item| !out.unchecked.contains(item));
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
                    if let Some((FileUse::Modify, path)) = appendix::file_of(call)
                        && !answered.contains(call.id.as_str())
                    {
                        self.modified.insert(path.to_owned());
                    }
                }
            }
        }
    }

    fn read_text(&mut self, text: &str, weight: u64, from_user: bool) {
        let text = excerpt::head(text, READ_CHARS);
        for line in text.lines() {
            self.read_item(line);
        }
        let mut announced = Vec::new();
        for (number, sentence) in cues::sentences(text).into_iter().enumerate() {
            let lower = keywords::normalize(sentence);
            if number == 0 && !from_user {
                self.last_words = Some(sentence.to_owned());
            }
            let cue = cues::cue_of(&lower);
            let wanted = self.wanted.iter().any(|word| lower.contains(word));
            if cue.is_none() && !wanted {
                continue;
            }
            if cue == Some(Cue::NextStep) && !from_user {
                announced.push(sentence.to_owned());
            }
            for word in keywords::words(&lower) {
                *self.frequency.entry(word).or_default() += 1;
            }
            let strength = cue.map_or(0, |cue| cues::strength(&lower, cue) * 2);
            self.sentences.push(Sentence {
                text: sentence.to_owned(),
                cue,
                weight: weight + strength + if wanted { WANTED_WEIGHT } else { 0 },
                order: self.sentences.len(),
                wanted,
            });
        }
        if !announced.is_empty() {
            let surplus = announced.len().saturating_sub(MAX_ANNOUNCED);
            announced.drain(..surplus);
            self.announced = announced;
        }
    }

    fn read_item(&mut self, line: &str) {
        let line = line.trim_start().trim_start_matches(['-', '*', '+', ' ']);
        let (open, item) = if let Some(item) = line.strip_prefix("[ ] ") {
            (true, item)
        } else if let Some(item) = line
            .strip_prefix("[x] ")
            .or_else(|| line.strip_prefix("[X] "))
        {
            (false, item)
        } else {
            return;
        };
        let item = excerpt::one_line(item, ITEM_CHARS);
        self.unchecked.retain(|known| *known != item);
        self.checked.retain(|known| *known != item);
        let list = if open {
            &mut self.unchecked
        } else {
            &mut self.checked
        };
        list.push(item);
        if list.len() > MAX_ITEMS {
            list.remove(0);
        }
    }

    /// The weightiest sentences of a kind as bullets, in the order they were said.
    pub fn ranked(&self, cue: Cue, most: usize) -> Vec<String> {
        self.pick(most, |sentence| sentence.cue == Some(cue))
            .into_iter()
            .map(|text| format!("- {text}"))
            .collect()
    }

    /// Sentences that the instructions ask for and that no other section takes.
    pub fn wanted_sentences(&self, most: usize) -> Vec<String> {
        self.pick(most, |sentence| {
            sentence.wanted
                && !matches!(
                    sentence.cue,
                    Some(Cue::Decision | Cue::Constraint | Cue::Blocked)
                )
        })
    }

    fn pick(&self, most: usize, is_wanted: impl Fn(&Sentence) -> bool) -> Vec<String> {
        let mut seen = HashSet::new();
        let mut chosen: Vec<(u64, &Sentence)> = self
            .sentences
            .iter()
            .filter(|sentence| is_wanted(sentence))
            .filter(|sentence| seen.insert(sentence.text.as_str()))
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
    pub fn ranked_files<'a>(&self, files: &'a BTreeSet<String>) -> Vec<&'a str> {
        let (mut first, rest): (Vec<&str>, Vec<&str>) = files
            .iter()
            .map(String::as_str)
            .partition(|file| self.is_wanted_file(file));
        first.extend(rest);
        first
    }

    fn is_wanted_file(&self, file: &str) -> bool {
        let lower = file.to_lowercase();
        self.wanted.iter().any(|word| lower.contains(word.as_str()))
    }

    /// Which words of the instructions had an effect.
    pub fn effects(&self, wanted: &[String]) -> Vec<String> {
        wanted
            .iter()
            .filter_map(|word| {
                let sentences = self
                    .sentences
                    .iter()
                    .filter(|s| s.wanted && keywords::normalize(&s.text).contains(word.as_str()))
                    .count();
                let files = self
                    .modified
                    .iter()
                    .chain(&self.read)
                    .filter(|file| file.to_lowercase().contains(word.as_str()))
                    .count();
                (sentences + files > 0)
                    .then(|| format!("“{word}”: {sentences} sentence(s), {files} file(s) first"))
            })
            .collect()
    }
}
