//! The rules of a branch: its messages and the person's decisions about them, in order.
//!
//! A message is read once and remembered, because an entry never changes; the fold over what
//! was read is cheap. Appending a message that says nothing of older rules costs that message.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::finder::{FoundRule, MessageRules};
use super::remembered;
use super::standing::{SaidIn, SaidRule};
use super::withdrawal::Withdrawal;
use super::words;
use super::{Rule, RuleBook, RuleChange, RuleId, RuleState};
use crate::context::cut;
use crate::transcript::{
    Decision, Entry, EntryBody, EntryId, Message, NoteKind, Part, undone_entries,
};

const DROPPED: &str = "its message was dropped";
const UNDONE: &str = "its message was undone";
const STRUCK: &str = "struck by you";
const UNSURE: &str = "may hold for one request only";
const SAID_ELSEWHERE: &str = "said in another program; does it hold here?";
/// Share of a withdrawal's words that a rule has to hold, at least.
const LEAST_MATCH: f64 = 0.5;

/// Reads the rules of branches. Keeps what it found in a message; holds no other state that
/// outlives a branch, so reading a branch twice gives the same rules.
#[derive(Clone, Debug, Default)]
pub struct RuleReader {
    /// What the messages say that no edit has changed.
    found: HashMap<EntryId, Arc<MessageRules>>,
    branch: BranchRules,
}

/// The rules of the branch that was read last.
#[derive(Clone, Debug, Default)]
struct BranchRules {
    said: Vec<SaidRule>,
    by_id: HashMap<RuleId, usize>,
    /// By their words without case and punctuation.
    by_words: HashMap<String, usize>,
    fates: MessageFates,
    position: usize,
    /// Messages before this position were imported: their rules need a confirmation.
    imported_until: usize,
    /// Messages that changed the standing of older rules.
    rewriting: HashSet<EntryId>,
}

/// What became of messages after they were said.
#[derive(Clone, Debug, Default)]
struct MessageFates {
    undone: HashSet<EntryId>,
    /// Dropped messages, with the position of the decision.
    dropped: HashMap<EntryId, usize>,
    edits: HashMap<EntryId, Option<Vec<Part>>>,
    /// Message that was sent again → the entry that says it now.
    replayed: HashMap<EntryId, EntryId>,
    /// The other way round.
    replays: HashMap<EntryId, EntryId>,
}

impl MessageFates {
    fn of(branch: &[Arc<Entry>]) -> Self {
        let mut fates = Self {
            undone: undone_entries(branch),
            ..Self::default()
        };
        for (at, entry) in branch.iter().enumerate() {
            let is_undone = || fates.undone.contains(&entry.id);
            match &entry.body {
                EntryBody::ContextEdit {
                    target,
                    replacement,
                } if !is_undone() => {
                    fates.edits.insert(target.clone(), replacement.clone());
                }
                EntryBody::Decision(decision) if !is_undone() => fates.heed(decision, at),
                _ => {}
            }
        }
        fates
    }

    fn heed(&mut self, decision: &Decision, at: usize) {
        match decision {
            Decision::Drop { target } => {
                self.dropped.insert(target.clone(), at);
            }
            Decision::Pin { target } => {
                self.dropped.remove(target);
            }
            Decision::Restore { target } => {
                self.dropped.remove(target);
                self.edits.remove(target);
            }
            Decision::Replay {
                original, replay, ..
            } => {
                self.replayed.insert(original.clone(), replay.clone());
                self.replays.insert(replay.clone(), original.clone());
            }
            Decision::Prune { .. }
            | Decision::Guard { .. }
            | Decision::Media { .. }
            | Decision::Undo { .. }
            | Decision::Rule { .. } => {}
        }
    }

    /// Why the rules of a message do not count, and since which position.
    fn end_of(&self, entry: &EntryId) -> Option<(&'static str, usize)> {
        if self.undone.contains(entry) {
            return Some((UNDONE, 0));
        }
        self.dropped.get(entry).map(|&at| (DROPPED, at))
    }
}

impl RuleReader {
    /// Reads a branch, root first, in the place of the one before.
    pub fn read(&mut self, branch: &[Arc<Entry>]) {
        self.branch = BranchRules {
            fates: MessageFates::of(branch),
            imported_until: end_of_import(branch),
            ..BranchRules::default()
        };
        for entry in branch {
            self.append(entry);
        }
    }

    /// Reads the entry that follows those that were read. It must not be one that changes
    /// earlier entries. True when rules of earlier messages stand otherwise now.
    pub fn append(&mut self, entry: &Entry) -> bool {
        let position = self.branch.position;
        self.branch.position += 1;
        match &entry.body {
            EntryBody::Message(message) => {
                let Message::User(_) = message.as_ref() else {
                    return false;
                };
                if self.branch.fates.replayed.contains_key(&entry.id) {
                    return false;
                }
                let rules = self.found_in(entry, message);
                self.branch.say(entry, &rules, position)
            }
            EntryBody::Decision(Decision::Rule { rule, change })
                if !self.branch.fates.undone.contains(&entry.id) =>
            {
                self.branch.decide(&entry.id, rule, change, position);
                true
            }
            _ => false,
        }
    }

    /// The rules of the branch.
    pub fn book(&self) -> RuleBook {
        let rules = self.branch.said.iter().map(|said| Rule::clone(&said.rule));
        RuleBook {
            rules: rules.collect(),
        }
    }

    /// Whether a message of the branch changed the standing of older rules.
    pub(in crate::context) fn is_rewriting(&self, entry: &EntryId) -> bool {
        self.branch.rewriting.contains(entry)
    }

    /// The rules of the branch, with the messages that say them.
    pub(in crate::context) fn said(&self) -> &[SaidRule] {
        &self.branch.said
    }

    /// What a message says, as it is now.
    fn found_in(&mut self, entry: &Entry, message: &Message) -> Arc<MessageRules> {
        let edit = self.branch.fates.edits.get(&entry.id);
        let edited = edit.and_then(|replacement| edited_text(replacement.as_deref()));
        if let Some(text) = edited {
            return remembered::read(&text);
        }
        if let Some(known) = self.found.get(&entry.id) {
            return Arc::clone(known);
        }
        let rules = remembered::read(&message.text());
        self.found.insert(entry.id.clone(), Arc::clone(&rules));
        rules
    }
}

/// The position after the part of a branch that was imported.
fn end_of_import(branch: &[Arc<Entry>]) -> usize {
    let is_end = |entry: &Arc<Entry>| entry.body.note_kind() == Some(NoteKind::Imported);
    branch.iter().rposition(is_end).unwrap_or_default()
}

/// The text that an edit put in the place of a message. `None` when the edit is a cut that
/// was made because the message was too large: what was said still holds.
fn edited_text(replacement: Option<&[Part]>) -> Option<String> {
    let parts = replacement.unwrap_or_default().iter();
    let texts: Vec<&str> = parts
        .filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Image(_) => None,
        })
        .collect();
    let text = texts.join("\n");
    (!cut::is_excerpt(&text)).then_some(text)
}

impl BranchRules {
    /// What a message says. True when it changed the standing of older rules.
    fn say(&mut self, entry: &Entry, message: &MessageRules, position: usize) -> bool {
        let said_in = SaidIn {
            entry: entry.id.clone(),
            position,
        };
        let end = self.fates.end_of(&entry.id);
        let mut is_rewriting = false;
        if end.is_none() {
            for withdrawal in &message.withdrawals {
                if self.withdraw(withdrawal, entry) {
                    is_rewriting = true;
                    continue;
                }
                for found in &withdrawal.otherwise {
                    is_rewriting |= self.add_found(&said_in, found, None);
                }
            }
        }
        for found in &message.rules {
            is_rewriting |= self.add_found(&said_in, found, end);
        }
        if is_rewriting {
            self.rewriting.insert(entry.id.clone());
        }
        is_rewriting
    }

    /// The rules that were said before and that these words take back.
    fn withdraw(&mut self, withdrawal: &Withdrawal, entry: &Entry) -> bool {
        let counts =
            |said: &SaidRule| matches!(said.rule.state, RuleState::Active | RuleState::Possible);
        let scores: Vec<f64> = self
            .said
            .iter()
            .map(|said| {
                if counts(said) {
                    withdrawal.match_of(&said.rule.text)
                } else {
                    0.0
                }
            })
            .collect();
        let best = scores.iter().copied().fold(0.0, f64::max);
        if best < LEAST_MATCH {
            return false;
        }
        for (said, score) in self.said.iter_mut().zip(scores) {
            if score >= best {
                let rule = Arc::make_mut(&mut said.rule);
                rule.state = RuleState::Superseded;
                rule.reason = format!("undone in message {}", entry.id);
            }
        }
        true
    }

    /// True when an older message says the same.
    fn add_found(
        &mut self,
        said_in: &SaidIn,
        found: &FoundRule,
        end: Option<(&'static str, usize)>,
    ) -> bool {
        let words = words::comparable(&found.text);
        let is_imported = said_in.position < self.imported_until;
        let is_certain = found.is_certain && !is_imported;
        if let Some(&at) = self.by_words.get(&words) {
            if end.is_none() {
                self.repeat(at, said_in, is_certain);
            }
            return true;
        }
        let origin = self
            .fates
            .replays
            .get(&said_in.entry)
            .unwrap_or(&said_in.entry);
        let (state, reason) = match end {
            Some((why, _)) => (RuleState::Struck, why),
            None if is_certain => (RuleState::Active, ""),
            None if is_imported => (RuleState::Possible, SAID_ELSEWHERE),
            None => (RuleState::Possible, UNSURE),
        };
        self.push(SaidRule {
            rule: Arc::new(Rule {
                id: RuleId::of(origin.as_str(), &found.text),
                text: found.text.clone(),
                source: said_in.entry.clone(),
                state,
                reason: reason.to_owned(),
                is_confirmed: false,
                uses: u32::from(end.is_none()),
            }),
            messages: vec![said_in.clone()],
            ended_at: end.map(|(_, at)| at),
        });
        false
    }

    fn push(&mut self, said: SaidRule) {
        let at = self.said.len();
        self.by_id.insert(said.rule.id.clone(), at);
        self.by_words
            .entry(words::comparable(&said.rule.text))
            .or_insert(at);
        self.said.push(said);
    }

    /// The same words again: the newest message is the source, the oldest gives the age. What
    /// was struck or taken back before is said anew.
    fn repeat(&mut self, at: usize, said_in: &SaidIn, is_certain: bool) {
        let Some(said) = self.said.get_mut(at) else {
            return;
        };
        let rule = Arc::make_mut(&mut said.rule);
        if rule.state == RuleState::Possible && !is_certain {
            rule.uses += 1;
        } else if rule.state != RuleState::Active && (is_certain || rule.is_confirmed) {
            rule.uses = 1;
            rule.state = RuleState::Active;
            rule.reason.clear();
        } else {
            rule.uses += 1;
        }
        rule.source = said_in.entry.clone();
        said.ended_at = None;
        said.messages.push(said_in.clone());
    }

    fn decide(&mut self, entry: &EntryId, rule: &RuleId, change: &RuleChange, position: usize) {
        if let RuleChange::Add(text) = change {
            self.add_by_hand(entry, rule, text);
            return;
        }
        let Some(said) = self.by_id.get(rule).and_then(|&at| self.said.get_mut(at)) else {
            return;
        };
        // A message that was dropped after the decision takes its rules along.
        if said.ended_at.is_some_and(|ended| ended > position) {
            return;
        }
        let rule = Arc::make_mut(&mut said.rule);
        match change {
            RuleChange::Strike => {
                rule.state = RuleState::Struck;
                STRUCK.clone_into(&mut rule.reason);
                return;
            }
            RuleChange::BringBack => {}
            RuleChange::Confirm => rule.is_confirmed = true,
            RuleChange::Reword(text) => {
                let text = words::fenced(text);
                if text.is_empty() {
                    return;
                }
                rule.text = text;
                rule.is_confirmed = true;
                said.messages.clear();
            }
            RuleChange::Add(_) => return,
        }
        rule.state = RuleState::Active;
        rule.reason.clear();
    }

    fn add_by_hand(&mut self, entry: &EntryId, rule: &RuleId, text: &str) {
        let text = words::fenced(text);
        if text.is_empty() {
            return;
        }
        let known = self.by_words.get(&words::comparable(&text));
        if let Some(said) = known.and_then(|&at| self.said.get_mut(at)) {
            let rule = Arc::make_mut(&mut said.rule);
            rule.state = RuleState::Active;
            rule.reason.clear();
            rule.is_confirmed = true;
            return;
        }
        self.push(SaidRule {
            rule: Arc::new(Rule {
                id: rule.clone(),
                text,
                source: entry.clone(),
                state: RuleState::Active,
                reason: String::new(),
                is_confirmed: true,
                uses: 1,
            }),
            messages: Vec::new(),
            ended_at: None,
        });
    }
}
