//! Bringing the projection up to date: what was appended is taken entry by entry, a few cuts are
//! applied where they are, and whatever else reaches back folds the branch again.

use std::sync::Arc;

use super::carried::{changes_what_is_sent, differences_of};
use super::{Preamble, Projection, item};
use crate::context::view::{Disposition, ViewItem};
use crate::transcript::{Cut, CutForm, CutPhase, Decision, Entry, EntryBody, EntryId, Transcript};

/// More new entries than this at once are folded again.
const MAX_APPENDED: usize = 4_096;
/// More cuts than this at once are folded: each is looked for.
const MAX_RECUT: usize = 64;

impl Projection {
    /// Brings the projection up to date with a transcript.
    pub(in crate::context) fn sync(&mut self, transcript: &Transcript, frame: &Preamble) {
        if *frame == self.frame
            && let Some(new) = self.appended(transcript)
            && !new.iter().any(|entry| self.reaches_back(entry))
        {
            let is_as_before = new.into_iter().all(|entry| self.append(&entry));
            if is_as_before {
                self.note_new_rules();
                self.leaf = transcript.leaf().cloned();
                self.refresh_fit();
                return;
            }
        }
        self.fold(transcript, frame);
        self.refresh_fit();
    }

    /// The entries appended since the last time; `None` when the branch is another one.
    fn appended(&self, transcript: &Transcript) -> Option<Vec<Arc<Entry>>> {
        let mut new = Vec::new();
        let mut at = transcript.leaf().cloned();
        while at != self.leaf {
            let entry = transcript.get(at.as_ref()?)?;
            // Walking further back than this is more expensive than folding again.
            if new.len() > MAX_APPENDED {
                return None;
            }
            at.clone_from(&entry.parent);
            new.push(Arc::clone(entry));
        }
        self.leaf.as_ref()?;
        new.reverse();
        Some(new)
    }

    /// Whether an entry changes what was folded before it.
    fn reaches_back(&self, entry: &Entry) -> bool {
        // A message of a person ends what an undo holds back.
        changes_what_is_sent(&entry.body) && !self.may_recut(entry)
            || !self.plan.held.is_empty() && entry.is_ask()
    }

    /// Takes one more entry; false when it changed what was folded before it after all.
    fn append(&mut self, entry: &Arc<Entry>) -> bool {
        if changes_what_is_sent(&entry.body) && !self.recut(entry) {
            return false;
        }
        if let EntryBody::Decision(decision) = &entry.body
            && let Some((policy, cuts)) = differences_of(decision)
            && !self.recut_fresh(entry, policy, cuts)
        {
            return false;
        }
        self.plan.note(entry);
        let is_other_block = self.rules.reader.append(entry);
        self.take(entry);
        !is_other_block
    }

    /// Whether an entry only cuts a few results of a list that no provider counted: then these
    /// are cut, and the rest stays. What was counted is shared out anew by a fold.
    fn may_recut(&self, entry: &Entry) -> bool {
        let is_simple = |cut: &Cut| {
            let is_text = matches!(cut.form, CutForm::Trim { .. } | CutForm::Clear { .. });
            is_text && cut.phase != CutPhase::Compaction
        };
        !self.settled.is_counted()
            && !self.plan.undone.contains(&entry.id)
            && recorded_cuts(entry)
                .is_some_and(|(_, cuts)| cuts.len() <= MAX_RECUT && cuts.iter().all(is_simple))
    }

    /// Cuts the results that an entry names; false when one of them is not in the list, or is
    /// cut already in a way that does not show what it was.
    fn recut(&mut self, entry: &Entry) -> bool {
        let Some((policy, cuts)) = recorded_cuts(entry).filter(|_| self.may_recut(entry)) else {
            return false;
        };
        self.plan.read_cuts(policy, cuts);
        cuts.iter().all(|cut| self.recut_result(&cut.target))
    }

    /// Makes differences of reads of the newest answer; false when one of them is another's.
    fn recut_fresh(&mut self, entry: &Entry, policy: &str, cuts: &[Cut]) -> bool {
        if self.plan.undone.contains(&entry.id) {
            return false;
        }
        self.plan.read_cuts(policy, cuts);
        cuts.iter().all(|cut| {
            let (Some(result), Some(record)) = (
                self.span.result_mut(&cut.target),
                self.plan.cuts.get(&cut.target),
            ) else {
                return false;
            };
            if result.item.disposition != Disposition::Sent {
                return false;
            }
            item::apply_cut(&mut result.item, &result.whole, record, &mut self.measurer);
            result.base = self.plan.base_of(&cut.target);
            true
        })
    }

    fn recut_result(&mut self, target: &EntryId) -> bool {
        let mut newest_first = self.settled.results.iter().rev();
        let Some(info) = newest_first.find(|info| info.entry == *target) else {
            return false;
        };
        let (at, whole) = (info.at, Arc::clone(&info.whole));
        let (Some(item), Some(record)) = (self.settled.items.get(at), self.plan.cuts.get(target))
        else {
            return false;
        };
        if item.disposition.is_cut() && whole.images().next().is_some() {
            return false;
        }
        // Reads that are differences to it become whole.
        if self.settled.is_base(at) {
            return false;
        }
        let mut item = ViewItem::clone(item);
        item::apply_cut(&mut item, &whole, record, &mut self.measurer);
        self.settled.replace(at, item);
        true
    }
}

/// The cuts that an entry records, and who made them.
fn recorded_cuts(entry: &Entry) -> Option<(&str, &[Cut])> {
    match &entry.body {
        EntryBody::Decision(Decision::Prune { policy, cuts, .. }) => Some((policy, cuts)),
        EntryBody::Decision(Decision::Guard { cuts }) => Some(("guard", cuts)),
        _ => None,
    }
}
