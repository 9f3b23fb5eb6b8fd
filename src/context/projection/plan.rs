//! The decisions of a branch, gathered before any item is made: what was undone, which
//! compaction counts, what was pinned, cut, edited or sent again.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::transcript::{
    Cut, CutForm, CutPhase, Decision, Entry, EntryBody, EntryId, EntryOverride, Message, Part,
    undone_entries,
};

/// A recorded cut that is in force.
#[derive(Clone, Debug)]
pub(crate) struct ActiveCut {
    pub form: CutForm,
    pub phase: CutPhase,
    /// The prune policy, or `guard`.
    pub policy: String,
    pub reason: String,
}

/// The compaction that counts.
#[derive(Clone, Debug)]
pub(crate) struct ActiveCompaction {
    /// Its position on the branch.
    pub at: usize,
    /// The first position that stays verbatim; `at` when nothing was kept.
    pub keep_from: usize,
    /// Its `firstKeptEntryId` is not on the branch: everything since the compaction
    /// before was kept instead.
    pub first_kept_missing: bool,
    /// The newest user message, when it lies before `keep_from` and nothing newer was kept.
    pub split_ask: Option<usize>,
    /// Further user messages from before `keep_from` that stay verbatim.
    pub kept_asks: Vec<EntryId>,
    /// Something between that message and `keep_from` is summarised.
    pub is_turn_split: bool,
}

/// See the module's description.
#[derive(Debug, Default)]
pub(crate) struct BranchPlan {
    pub undone: HashSet<EntryId>,
    pub compaction: Option<ActiveCompaction>,
    /// A person's decisions about atomic groups, by their first entry. The newest decision
    /// counts, except that restoring something pinned leaves it pinned.
    overrides: HashMap<EntryId, EntryOverride>,
    /// Tool result → the assistant message whose call it answers.
    groups: HashMap<EntryId, EntryId>,
    /// The newest assistant message so far.
    answer: Option<(EntryId, Arc<Message>)>,
    pub cuts: HashMap<EntryId, ActiveCut>,
    /// Reads that were made differences → what they are differences to.
    bases: HashMap<EntryId, EntryId>,
    pub media: HashMap<EntryId, String>,
    pub edits: HashMap<EntryId, Option<Vec<Part>>>,
    /// Original user message → the message that was sent again in its place.
    pub replayed: HashMap<EntryId, EntryId>,
    pub replays: HashSet<EntryId>,
    /// Results whose pruning a person took back since their newest message: automatic
    /// pruning leaves them alone until the next one.
    pub held: HashSet<EntryId>,
    /// Reads are sent whole, whatever was decided: an engine chooses what else is sent.
    is_whole_reads: bool,
    /// Cuts that compactions in force made.
    compaction_cuts: HashSet<EntryId>,
}

impl BranchPlan {
    /// Reads the decisions of a branch, root first.
    pub(crate) fn of(branch: &[Arc<Entry>]) -> Self {
        Self::reading(branch, false)
    }

    /// The same; with `is_whole_reads` no read is a difference.
    pub(super) fn reading(branch: &[Arc<Entry>], is_whole_reads: bool) -> Self {
        let mut plan = Self {
            undone: undone_entries(branch),
            is_whole_reads,
            ..Self::default()
        };
        plan.read_replays(branch);
        plan.read_holds(branch);
        plan.compaction_cuts = plan.cuts_of_compactions(branch);
        plan.compaction = plan.find_compaction(branch);
        for entry in branch {
            plan.note(entry);
            if !plan.undone.contains(&entry.id) {
                plan.read(entry);
            }
        }
        plan
    }

    /// Takes note of which answer a tool result belongs to, within the span up to the
    /// next answer. Called for every entry in order, so that a decision means the same
    /// group whether the branch is read at once or entry by entry.
    pub(crate) fn note(&mut self, entry: &Entry) {
        // An undo takes back acts; a message that one names is still said.
        let Some(message) = entry.message() else {
            return;
        };
        match message.as_ref() {
            Message::Assistant(_) => self.answer = Some((entry.id.clone(), Arc::clone(message))),
            Message::ToolResult(result) => {
                if let Some((head, answer)) = &self.answer
                    && let Message::Assistant(answer) = answer.as_ref()
                    && answer.tool_calls().any(|call| call.id == result.call_id)
                {
                    self.groups.insert(entry.id.clone(), head.clone());
                }
            }
            Message::User(_) | Message::BashExecution(_) => {}
        }
    }

    /// The user's decision about the group of this entry.
    pub(crate) fn override_of(&self, entry: &EntryId) -> Option<EntryOverride> {
        let head = self.groups.get(entry).unwrap_or(entry);
        self.overrides.get(head).copied()
    }

    /// Whether an entry from before the kept part is sent all the same.
    pub(crate) fn is_kept_anyway(&self, entry: &EntryId) -> bool {
        matches!(
            self.override_of(entry),
            Some(EntryOverride::Pin | EntryOverride::Restore)
        )
    }

    /// Known before the compaction is chosen: a message that was sent again is not the
    /// newest ask any more.
    ///
    /// A log of another program may name anything: only a message of the user can have been
    /// sent again, and only as a later one that is there. Else a summary would be left out and
    /// sent, or a message lost.
    fn read_replays(&mut self, branch: &[Arc<Entry>]) {
        let mut asks: HashMap<&EntryId, usize> = HashMap::new();
        for (at, entry) in branch.iter().enumerate() {
            if self.undone.contains(&entry.id) {
                continue;
            }
            if entry.is_typed_by_user() {
                asks.insert(&entry.id, at);
            }
            let EntryBody::Decision(Decision::Replay {
                original, replay, ..
            }) = &entry.body
            else {
                continue;
            };
            if let (Some(before), Some(after)) = (asks.get(original), asks.get(replay))
                && before < after
            {
                self.replayed.insert(original.clone(), replay.clone());
                self.replays.insert(replay.clone());
            }
        }
    }

    fn read(&mut self, entry: &Entry) {
        match &entry.body {
            EntryBody::ContextEdit {
                target,
                replacement,
            } => {
                self.edits.insert(target.clone(), replacement.clone());
            }
            EntryBody::Decision(decision) if !self.is_without_compaction(&entry.id, decision) => {
                self.read_decision(decision);
            }
            _ => {}
        }
    }

    /// Pruning that was taken back after the newest message of a person.
    fn read_holds(&mut self, branch: &[Arc<Entry>]) {
        let newest_ask = branch.iter().rposition(|entry| entry.is_ask());
        let since = newest_ask.map_or(0, |at| at + 1);
        for entry in branch.iter().skip(since) {
            let EntryBody::Decision(Decision::Undo { target }) = &entry.body else {
                continue;
            };
            if self.undone.contains(&entry.id) {
                continue;
            }
            let undone = branch.iter().find(|entry| entry.id == *target);
            if let Some(EntryBody::Decision(Decision::Prune { cuts, .. })) =
                undone.map(|entry| &entry.body)
            {
                self.held.extend(cuts.iter().map(|cut| cut.target.clone()));
            }
        }
    }

    fn cuts_of_compactions(&self, branch: &[Arc<Entry>]) -> HashSet<EntryId> {
        let compactions = branch
            .iter()
            .filter(|entry| !self.undone.contains(&entry.id));
        compactions
            .filter_map(|entry| match &entry.body {
                EntryBody::Compaction(compaction) => {
                    compaction.details.exceptions.cut_entry.clone()
                }
                _ => None,
            })
            .collect()
    }

    /// A cut that a compaction made holds as long as the compaction does.
    fn is_without_compaction(&self, entry: &EntryId, decision: &Decision) -> bool {
        let Decision::Guard { cuts } = decision else {
            return false;
        };
        cuts.iter().any(|cut| cut.phase == CutPhase::Compaction)
            && !self.compaction_cuts.contains(entry)
    }

    fn read_decision(&mut self, decision: &Decision) {
        match decision {
            Decision::Prune { policy, cuts, .. } => self.read_cuts(policy, cuts),
            Decision::Guard { cuts } => self.read_cuts("guard", cuts),
            Decision::Media { targets, reason } => {
                for target in targets {
                    self.media.insert(target.clone(), reason.clone());
                }
            }
            Decision::Pin { target } => self.decide(target, EntryOverride::Pin),
            Decision::Restore { target } => self.decide(target, EntryOverride::Restore),
            Decision::Drop { target } => self.decide(target, EntryOverride::Drop),
            Decision::Replay { .. } | Decision::Undo { .. } | Decision::Rule { .. } => {}
        }
    }

    /// What a result was made a difference to, whatever was cut of it since.
    pub(super) fn base_of(&self, entry: &EntryId) -> Option<EntryId> {
        self.bases.get(entry).cloned()
    }

    /// Notes cuts that hold from here on.
    pub(super) fn read_cuts(&mut self, policy: &str, cuts: &[Cut]) {
        for cut in cuts {
            if let CutForm::Difference { base, .. } = &cut.form {
                if self.is_whole_reads {
                    continue;
                }
                self.bases.insert(cut.target.clone(), base.clone());
            }
            let record = ActiveCut {
                form: cut.form.clone(),
                phase: cut.phase,
                policy: policy.to_owned(),
                reason: cut.reason.clone(),
            };
            self.cuts.insert(cut.target.clone(), record);
        }
    }

    fn decide(&mut self, target: &EntryId, decision: EntryOverride) {
        let head = self.groups.get(target).unwrap_or(target).clone();
        if decision != EntryOverride::Drop {
            // Whatever was cut from the group before is given back.
            let groups = &self.groups;
            if decision == EntryOverride::Restore {
                self.edits
                    .retain(|entry, _| *entry != head && groups.get(entry) != Some(&head));
            }
            self.cuts
                .retain(|cut, _| *cut != head && groups.get(cut) != Some(&head));
            self.bases
                .retain(|read, _| *read != head && groups.get(read) != Some(&head));
            self.media
                .retain(|entry, _| *entry != head && groups.get(entry) != Some(&head));
        }
        let kept = match (self.overrides.get(&head), decision) {
            (Some(EntryOverride::Pin), EntryOverride::Restore) => EntryOverride::Pin,
            _ => decision,
        };
        self.overrides.insert(head, kept);
    }

    /// The aliases of the summary that counts.
    pub(super) fn aliases<'a>(&self, branch: &'a [Arc<Entry>]) -> &'a [(String, String)] {
        let active = self.compaction.as_ref();
        match active
            .and_then(|active| branch.get(active.at))
            .map(|entry| &entry.body)
        {
            Some(EntryBody::Compaction(compaction)) => &compaction.details.aliases,
            _ => &[],
        }
    }

    fn find_compaction(&self, branch: &[Arc<Entry>]) -> Option<ActiveCompaction> {
        let counts = |at: &usize| {
            matches!(branch[*at].body, EntryBody::Compaction(_))
                && !self.undone.contains(&branch[*at].id)
        };
        let at = (0..branch.len()).rev().find(counts)?;
        let EntryBody::Compaction(compaction) = &branch[at].body else {
            return None;
        };
        let kept = compaction
            .first_kept
            .as_ref()
            .filter(|id| **id != branch[at].id);
        let found = kept.map(|id| branch[..at].iter().position(|entry| entry.id == *id));
        let keep_from = match found {
            None => at,
            Some(Some(position)) => position,
            Some(None) => (0..at)
                .rev()
                .find(counts)
                .map_or(0, |previous| previous + 1),
        };
        // A message that was sent again is after the compaction: nothing to keep here.
        let split_ask = (0..at)
            .rev()
            .find(|&position| {
                branch[position].is_ask() && !self.undone.contains(&branch[position].id)
            })
            .filter(|&position| {
                position < keep_from && !self.replayed.contains_key(&branch[position].id)
            });
        let is_turn_split = split_ask.is_some_and(|ask| {
            branch[ask + 1..keep_from]
                .iter()
                .any(|entry| matches!(entry.body, EntryBody::Message(_)))
        });
        Some(ActiveCompaction {
            at,
            keep_from,
            first_kept_missing: found == Some(None),
            split_ask,
            kept_asks: compaction.details.exceptions.kept_asks.clone(),
            is_turn_split,
        })
    }
}
