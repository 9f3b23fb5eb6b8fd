//! The turns that a compaction replaces, one by one: what was asked, and what of it the next
//! request does not say any more.
//!
//! A turn is covered when the summary has enough keywords of its ask beside its rules, and when everything
//! that was typed as an identifier, every number that was typed, every file that was changed, every command that failed
//! and every rule is in the summary, in what stays verbatim or in what code appends. All of
//! that is looked up as text; what is only similar does not count. Linear in the text.

mod kept_words;
mod numbers;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::transcript::{Entry, EntryId, Message, plural};

use super::appendix::{self, FileUse};
use super::audit::keywords;
use super::identifiers;
use super::redact;
use super::rules::Rule;
use super::summary::{SourceMessage, excerpt};
use kept_words::{KeptNames, KeptTexts, Quotes};
use numbers::{KeptNumbers, lost_numbers};

/// Longest quoted ask, in characters.
const ASK_CHARS: usize = 100;
/// Text of an ask that is looked at, in characters: a pasted log is no ask.
const READ_CHARS: usize = 4_000;
/// One in so many keywords of an ask has to be in the summary.
const KEYWORDS_PER_HIT: usize = 3;
/// So many at least, where the ask has them.
const MIN_HITS: usize = 2;
/// What stands for the ask before the first one.
const NO_ASK: &str = "(before the first message)";
/// Identifiers of one turn that are named.
const MAX_NAMED: usize = 64;

/// Which turn each entry of a branch belongs to, and what was asked in it.
#[derive(Clone, Debug, Default)]
pub struct TurnIndex {
    numbers: HashMap<EntryId, u32>,
    asks: BTreeMap<u32, TurnAsk>,
}

/// What a person typed at the start of a turn.
#[derive(Clone, Debug)]
struct TurnAsk {
    entry: EntryId,
    text: String,
}

impl TurnIndex {
    /// The turns of a branch, root first. Turns count from 1; what comes before the first
    /// ask is turn 0.
    pub fn of<'a>(branch: impl IntoIterator<Item = &'a Entry>) -> Self {
        let mut index = Self::default();
        let mut number = 0;
        for entry in branch {
            if entry.is_typed_by_user() {
                number += 1;
                let text = entry.message().map(|message| message.text());
                let ask = TurnAsk {
                    entry: entry.id.clone(),
                    text: text.unwrap_or_default(),
                };
                index.asks.insert(number, ask);
            }
            index.numbers.insert(entry.id.clone(), number);
        }
        index
    }
}

/// What the next request says beside what is replaced.
#[derive(Clone, Debug, Default)]
pub struct NextRequestText {
    /// The body of the summary.
    pub summary: String,
    /// All messages of the next request: the summary with what code appends to it, and what
    /// stays verbatim.
    pub messages: Vec<Arc<Message>>,
}

/// How much of a turn the next request still says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnCover {
    /// All that was looked for.
    Covered,
    /// What was asked, but something else is lost.
    Partly,
    /// Not what was asked.
    Missing,
    /// It says nothing that could be looked for.
    Unchecked,
}

impl TurnCover {
    /// The name in JSON and in plain lines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Covered => "covered",
            Self::Partly => "partly covered",
            Self::Missing => "not covered",
            Self::Unchecked => "nothing to check",
        }
    }

    /// One column that stands for it.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Covered => "✓",
            Self::Partly => "~",
            Self::Missing => "✗",
            Self::Unchecked => "·",
        }
    }
}

/// The kind of thing that is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LostKind {
    /// What was asked, beside the rules in it.
    Ask,
    /// A standing rule of the person.
    Rule,
    /// An identifier that the person typed.
    Identifier,
    /// A number that the person typed.
    Number,
    /// A file that was changed.
    File,
    /// A command that failed and was not put right.
    FailedCommand,
}

impl LostKind {
    /// The name in JSON and on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Rule => "rule",
            Self::Identifier => "identifier",
            Self::Number => "number",
            Self::File => "changed file",
            Self::FailedCommand => "failed command",
        }
    }
}

/// Something that was said in a turn and that the next request does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LostText {
    /// What it is.
    pub kind: LostKind,
    /// On one line, without secrets.
    pub text: String,
    /// The message that says it.
    pub entry: EntryId,
}

/// A turn that a compaction replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplacedTurn {
    /// From 1; 0 is what came before the first ask.
    pub number: u32,
    /// The ask, or the first message that is replaced.
    pub entry: EntryId,
    /// The beginning of the ask, on one line, without secrets.
    pub words: String,
    /// Calls and commands in it.
    pub calls: u64,
    /// How many of them failed.
    pub failed: u64,
    /// What the next request still says of it.
    pub cover: TurnCover,
    /// What it does not say, in the order of [`LostKind`].
    pub lost: Vec<LostText>,
}

impl ReplacedTurn {
    /// Number, ask and counts, on one line.
    pub fn in_words(&self) -> String {
        let turn = format!("{}. {}", self.number, self.words);
        if self.calls == 0 {
            return turn;
        }
        let mut counts = vec![plural(self.calls, "call")];
        if self.failed > 0 {
            counts.push(format!("{} failed", self.failed));
        }
        format!("{turn} — {}", counts.join(", "))
    }
}

impl LostText {
    /// What is lost, on one line.
    pub fn in_words(&self) -> String {
        format!("lost: {} `{}`", self.kind.name(), self.text)
    }
}

/// How many turns are covered, in words.
pub fn covered_words(turns: &[ReplacedTurn]) -> String {
    let is_covered = |turn: &&ReplacedTurn| turn.cover == TurnCover::Covered;
    let covered = turns.iter().filter(is_covered).count();
    let of = plural(turns.len() as u64, "turn");
    format!("{of} replaced, {covered} covered")
}

/// The turns of what a compaction replaces, in order, each with what is lost of it.
pub fn replaced_turns(
    replaced: &[SourceMessage],
    index: &TurnIndex,
    rules: &[&Rule],
    kept: &NextRequestText,
) -> Vec<ReplacedTurn> {
    let texts = KeptTexts::of(kept);
    let names = KeptNames::of(&texts.squeezed);
    let numbers = KeptNumbers::of(&texts.squeezed);
    let mut turns = gather(replaced, index);
    let failures = open_failures(replaced, kept);
    let quoted = Quotes::of(&failures, rules, &texts);
    let asked: HashSet<&EntryId> = replaced.iter().map(|source| &source.entry).collect();
    for failure in &failures {
        let number = index.numbers.get(&failure.entry).copied().unwrap_or(0);
        let behind = turns.partition_point(|turn| turn.number <= number);
        let turn = behind.checked_sub(1).and_then(|at| turns.get_mut(at));
        if let Some(turn) = turn.filter(|_| !quoted.has(&failure.text)) {
            turn.failures.push(failure.clone());
        }
    }
    let mut out = Vec::with_capacity(turns.len());
    for turn in turns {
        let ask = index.asks.get(&turn.number);
        let own: Vec<&Rule> = rules_of(&turn, index, rules).collect();
        let mut lost = lost_rules(&own, &quoted);
        if let Some(ask) = ask.filter(|ask| asked.contains(&ask.entry)) {
            lost.extend(lost_identifiers(ask, &names));
            lost.extend(lost_numbers(ask, &numbers));
        }
        lost.extend(lost_files(&turn, &names));
        lost.extend(turn.failures.iter().cloned());
        let is_kept = ask.is_some_and(|ask| !asked.contains(&ask.entry));
        let said = match ask {
            _ if is_kept => Some(true),
            Some(ask) => {
                let rest = without_rules(&ask.text, &own);
                let is_rule_alone = !own.is_empty() && keywords::keywords(&rest).is_empty();
                let is_told = if is_rule_alone {
                    Some(true)
                } else {
                    reflects(&rest, &turn.answer, &texts.summary)
                };
                if is_told == Some(false) {
                    lost.insert(0, lost_ask(ask, &rest));
                }
                is_told
            }
            None => reflects("", &turn.answer, &texts.summary),
        };
        out.push(ReplacedTurn {
            number: turn.number,
            entry: ask.map_or(turn.first, |ask| ask.entry.clone()),
            words: ask.map_or_else(|| NO_ASK.to_owned(), |ask| first_words(&ask.text)),
            calls: turn.calls,
            failed: turn.failed,
            cover: cover(said, lost.is_empty()),
            lost,
        });
    }
    out
}

fn cover(said: Option<bool>, is_whole: bool) -> TurnCover {
    match (said, is_whole) {
        (Some(true), true) => TurnCover::Covered,
        (Some(true) | None, false) => TurnCover::Partly,
        (Some(false), _) => TurnCover::Missing,
        (None, true) => TurnCover::Unchecked,
    }
}

/// Whether a summary has enough keywords of an ask, or of the answer where the ask has none
/// (`go on`); `None` where neither has any.
fn reflects(ask: &str, answer: &str, summary: &str) -> Option<bool> {
    let bare = without_identifiers(excerpt::head(ask, READ_CHARS));
    let mut words = keywords::keywords(&bare);
    if words.is_empty() {
        words = keywords::keywords(answer);
    }
    if words.is_empty() {
        // What was asked is the identifiers, which are looked for anyway.
        return (bare.trim().len() < ask.trim().len()).then_some(true);
    }
    let hits = words.iter().filter(|word| summary.contains(*word)).count();
    let fewest = MIN_HITS.min(words.len());
    Some(hits >= words.len().div_ceil(KEYWORDS_PER_HIT).max(fewest))
}

/// A text without its identifiers: the words in a path are no words of an ask.
fn without_identifiers(text: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    identifiers::each_candidate(text, &mut |token| {
        if names.len() < MAX_NAMED && identifiers::classify(token).is_some() {
            names.push(token);
        }
    });
    let mut bare = text.to_owned();
    for name in names {
        bare = bare.replace(name, " ");
    }
    bare
}

fn first_words(ask: &str) -> String {
    let clean = redact::redact(excerpt::head(ask, READ_CHARS)).into_owned();
    excerpt::one_line(&clean, ASK_CHARS)
}

/// A turn while its messages are read.
struct OpenTurn {
    number: u32,
    first: EntryId,
    calls: u64,
    failed: u64,
    /// The newest answer in it.
    answer: String,
    /// Files that it changed, with the message of the call.
    changed: Vec<ChangedPath>,
    failures: Vec<LostText>,
}

/// A file that a call changed.
struct ChangedPath {
    path: String,
    entry: EntryId,
}

/// Counts calls and failures by turn.
fn gather(replaced: &[SourceMessage], index: &TurnIndex) -> Vec<OpenTurn> {
    let mut turns: Vec<OpenTurn> = Vec::new();
    let mut changing: HashMap<&str, Vec<ChangedPath>> = HashMap::new();
    for source in replaced {
        let last = turns.last().map(|turn| turn.number);
        let known = index.numbers.get(&source.entry).copied();
        let number = known.or(last).unwrap_or(0);
        if last.is_none_or(|last| last != number) {
            turns.push(OpenTurn {
                number,
                first: source.entry.clone(),
                calls: 0,
                failed: 0,
                answer: String::new(),
                changed: Vec::new(),
                failures: Vec::new(),
            });
        }
        let Some(turn) = turns.last_mut() else {
            continue;
        };
        match source.message.as_ref() {
            Message::Assistant(assistant) => {
                let text = assistant.text();
                if !text.trim().is_empty() {
                    turn.answer = text;
                }
                for call in assistant.tool_calls() {
                    turn.calls += 1;
                    let files = appendix::files_of(call).into_iter();
                    let changed = files.filter(|(file_use, _)| *file_use == FileUse::Modify);
                    let changed = changed.map(|(_, path)| ChangedPath {
                        path: path.to_owned(),
                        entry: source.entry.clone(),
                    });
                    changing.insert(&call.id, changed.collect());
                }
            }
            Message::ToolResult(result) => {
                turn.failed += u64::from(result.is_error);
                let changed = changing.remove(result.call_id.as_str());
                turn.changed
                    .extend(changed.filter(|_| !result.is_error).into_iter().flatten());
            }
            Message::BashExecution(run) => {
                turn.calls += 1;
                turn.failed += u64::from(run.exit_code != Some(0));
            }
            Message::User(_) => {}
        }
    }
    turns
}

/// Commands that failed and that the same command did not put right later, oldest first.
fn open_failures(replaced: &[SourceMessage], kept: &NextRequestText) -> Vec<LostText> {
    let mut open: Vec<Option<LostText>> = Vec::new();
    let mut newest: HashMap<String, usize> = HashMap::new();
    let mut calls: HashMap<&str, appendix::CallSubject> = HashMap::new();
    let replaced = replaced
        .iter()
        .map(|source| (source.message.as_ref(), Some(&source.entry)));
    let later = kept.messages.iter().map(|message| (message.as_ref(), None));
    for (message, entry) in replaced.chain(later) {
        let (command, has_failed) = match message {
            Message::Assistant(assistant) => {
                let subjects = assistant.tool_calls();
                calls.extend(subjects.map(|call| (call.id.as_str(), appendix::subject_of(call))));
                continue;
            }
            Message::ToolResult(result) => match calls.remove(result.call_id.as_str()) {
                Some(subject) if subject.is_command => (subject.text, result.is_error),
                _ => continue,
            },
            Message::BashExecution(run) => {
                (appendix::shown(&run.command), run.exit_code != Some(0))
            }
            Message::User(_) => continue,
        };
        if let Some(earlier) = newest.remove(&command).and_then(|at| open.get_mut(at)) {
            *earlier = None;
        }
        if let Some(entry) = entry.filter(|_| has_failed && !command.is_empty()) {
            newest.insert(command.clone(), open.len());
            open.push(Some(LostText {
                kind: LostKind::FailedCommand,
                text: command,
                entry: entry.clone(),
            }));
        }
    }
    open.into_iter().flatten().collect()
}

/// The rules that a turn set.
fn rules_of<'r>(
    turn: &OpenTurn,
    index: &TurnIndex,
    rules: &[&'r Rule],
) -> impl Iterator<Item = &'r Rule> {
    let own = rules.iter().copied();
    own.filter(|rule| index.numbers.get(&rule.source) == Some(&turn.number))
}

/// An ask without the rules in it: they are looked for by themselves.
fn without_rules(ask: &str, rules: &[&Rule]) -> String {
    let mut rest = excerpt::head(ask, READ_CHARS).to_owned();
    if !rules.is_empty() {
        rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    for rule in rules {
        rest = rest.replace(rule.text.as_str(), " ");
    }
    rest
}

fn lost_ask(ask: &TurnAsk, rest: &str) -> LostText {
    LostText {
        kind: LostKind::Ask,
        text: first_words(rest.trim()),
        entry: ask.entry.clone(),
    }
}

fn lost_rules(own: &[&Rule], quoted: &Quotes) -> Vec<LostText> {
    own.iter()
        .filter(|rule| !quoted.has(&rule.text))
        .map(|rule| LostText {
            kind: LostKind::Rule,
            text: rule.text.clone(),
            entry: rule.source.clone(),
        })
        .collect()
}

fn lost_identifiers(ask: &TurnAsk, names: &KeptNames<'_>) -> Vec<LostText> {
    let text = redact::redact(excerpt::head(&ask.text, READ_CHARS)).into_owned();
    let mut lost: Vec<LostText> = Vec::new();
    identifiers::each_candidate(&text, &mut |token| {
        let is_new = !lost.iter().any(|known| known.text == token);
        let is_named = lost.len() < MAX_NAMED && is_new;
        if is_named && identifiers::classify(token).is_some() && !names.has(token) {
            lost.push(LostText {
                kind: LostKind::Identifier,
                text: token.to_owned(),
                entry: ask.entry.clone(),
            });
        }
    });
    lost
}

fn lost_files(turn: &OpenTurn, names: &KeptNames<'_>) -> Vec<LostText> {
    let mut lost: Vec<LostText> = Vec::new();
    for changed in &turn.changed {
        let text = appendix::shown(&changed.path);
        let is_new = !lost.iter().any(|known| known.text == text);
        if is_new && lost.len() < MAX_NAMED && !names.has(&changed.path) {
            lost.push(LostText {
                kind: LostKind::File,
                text,
                entry: changed.entry.clone(),
            });
        }
    }
    lost
}

#[cfg(test)]
mod tests;
