//! Counts of entries from before a change to sent entries. An entry that the change does not
//! touch keeps its number; one that it touches changes by its own factor. Everything follows
//! from the log, so a restart gives the same numbers.

use std::collections::HashMap;
use std::sync::Arc;

use crate::context::view::ViewItem;
use crate::transcript::{Cut, CutForm, Decision, Entry, EntryBody, EntryId};

/// After this many changes the oldest counts are shared out again, so that opening a long
/// session stays cheap.
const CHANGES_PER_STEP: usize = 8;

/// The count of one entry, and the estimate that held then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CountedShare {
    pub estimate: u64,
    pub tokens: u64,
}

impl CountedShare {
    /// The count of the entry with this estimate; `None` when it has grown since.
    pub(crate) fn at(self, estimate: u64) -> Option<u64> {
        if estimate >= self.estimate {
            return (estimate == self.estimate).then_some(self.tokens);
        }
        let (own, tokens) = (u128::from(self.estimate), u128::from(self.tokens));
        let scaled = (tokens * u128::from(estimate) + own / 2).checked_div(own)?;
        u64::try_from(scaled).ok()
    }
}

/// See the module's description.
#[derive(Clone, Debug, Default)]
pub(crate) struct CarriedCounts {
    pub shares: HashMap<EntryId, CountedShare>,
    pub system: u64,
    pub tools: u64,
}

impl CarriedCounts {
    /// The count of an item with its current estimate; `None` for what no provider counted.
    pub(crate) fn tokens_of(&self, item: &ViewItem) -> Option<u64> {
        self.tokens_at(item.entry.as_ref()?, item.estimate_tokens)
    }

    /// The count of an entry with this estimate.
    pub(crate) fn tokens_at(&self, entry: &EntryId, estimate: u64) -> Option<u64> {
        self.shares.get(entry)?.at(estimate)
    }

    /// Keeps what an item was counted as, unless that follows from what is known of it.
    pub(crate) fn keep(&mut self, item: &ViewItem) {
        let Some(entry) = &item.entry else { return };
        if self.tokens_of(item) == Some(item.tokens) {
            return;
        }
        let share = CountedShare {
            estimate: item.estimate_tokens,
            tokens: item.tokens,
        };
        self.shares.insert(entry.clone(), share);
    }
}

/// The counts up to each change of a branch, oldest first.
#[derive(Debug, Default)]
pub(super) struct CountHistory {
    links: Vec<HistoryLink>,
}

#[derive(Clone, Debug)]
pub(super) struct HistoryLink {
    change: EntryId,
    pub counts: Option<Arc<CarriedCounts>>,
}

impl CountHistory {
    /// The counts before this change, when it follows the first `known` links that were
    /// found again.
    pub(super) fn get(&self, known: usize, change: &EntryId) -> Option<&HistoryLink> {
        let link = self.links.get(known)?;
        (link.change == *change).then_some(link)
    }

    /// Replaces everything from the link at this place on.
    pub(super) fn set(
        &mut self,
        place: usize,
        change: EntryId,
        counts: Option<Arc<CarriedCounts>>,
    ) {
        self.links.truncate(place);
        self.links.push(HistoryLink { change, counts });
    }

    /// Forgets what was found.
    pub(super) fn clear(&mut self) {
        self.links.clear();
    }
}

/// The changes of a branch that come after something was counted.
#[derive(Debug, Default)]
pub(super) struct CountBreaks {
    /// Positions on the branch, oldest first.
    pub positions: Vec<usize>,
    /// Counts from before this position are not used.
    pub from: usize,
}

impl CountBreaks {
    /// Finds them; `is_count` says whether an entry holds a provider's count, `is_change`
    /// whether it changes what is sent of earlier ones.
    pub(super) fn of(
        branch: &[Arc<Entry>],
        is_count: impl Fn(&Entry) -> bool,
        is_change: impl Fn(&Entry) -> bool,
    ) -> Self {
        let mut positions = Vec::new();
        let mut is_counted = false;
        for (at, entry) in branch.iter().enumerate() {
            if is_counted && is_change(entry) {
                positions.push(at);
                is_counted = false;
            } else if is_count(entry) {
                is_counted = true;
            }
        }
        let steps = positions.len() / CHANGES_PER_STEP;
        let skipped = steps.saturating_sub(1) * CHANGES_PER_STEP;
        let from = skipped.checked_sub(1).map_or(0, |last| positions[last]);
        positions.drain(..skipped);
        Self { positions, from }
    }
}

/// Whether an entry changes what is sent of earlier ones. Differences are of results that no
/// request has carried.
pub(super) fn changes_what_is_sent(body: &EntryBody) -> bool {
    match body {
        EntryBody::Compaction(_) | EntryBody::ContextEdit { .. } => true,
        EntryBody::Decision(decision) => differences_of(decision).is_none(),
        _ => false,
    }
}

/// The cuts of a decision that makes differences of reads, and nothing else.
pub(super) fn differences_of(decision: &Decision) -> Option<(&str, &[Cut])> {
    let Decision::Prune { policy, cuts, .. } = decision else {
        return None;
    };
    let is_difference = |cut: &Cut| matches!(cut.form, CutForm::Difference { .. });
    let is_all = !cuts.is_empty() && cuts.iter().all(is_difference);
    is_all.then_some((policy.as_str(), cuts.as_slice()))
}
