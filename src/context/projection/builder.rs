//! Builds the list of items: appends, replaces, keeps the running totals. Every field is
//! persistent or small, so a builder can be cloned at any point and continued in two ways.

use std::sync::Arc;

use rpds::VectorSync;

use super::carried::CarriedCounts;
use super::index::ItemIndex;
use super::measure::UnsharedCount;
use super::result::{DifferencePlace, ResultInfo};
use super::sums::ItemSums;
use crate::context::apportion::apportion;
use crate::context::calibration::Correction;
use crate::context::view::{
    Category, Disposition, FullSize, GuardReport, Items, LeftOut, RepairReport, Role, ViewItem,
    scaled,
};
use crate::transcript::{Author, EntryId};

/// Items before the conversation: system and tools.
pub(crate) const FRAME_ITEMS: usize = 5;

/// A provider's count of the front of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MeasuredFront {
    /// Tokens of system, tools and the items before `upto`.
    pub tokens: u64,
    /// Items that this covers, system and tools included.
    pub upto: usize,
    /// Whether the item at `upto` (the answer) was counted too.
    pub answer_counted: bool,
    pub system: u64,
    pub tools: u64,
}

/// System prompt and tools: what they cost by estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PreambleTokens {
    pub system: u64,
    pub tools: u64,
}

/// The effect of pruning on a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PruneTotals {
    pub trimmed: u64,
    pub cleared: u64,
    /// Uncalibrated estimate of what it keeps out and nobody counted,
    pub saved_estimate: u64,
    /// and what it keeps out of what was counted.
    pub saved_counted: u64,
}

/// The items of a view as they are appended, in the order of the request.
#[derive(Clone, Debug)]
pub(crate) struct ViewBuilder {
    pub items: Items,
    pub left_out: VectorSync<Arc<LeftOut>>,
    pub results: VectorSync<Arc<ResultInfo>>,
    /// Where in `items` the passes that follow look.
    pub index: ItemIndex,
    /// The sums of the conversation's items.
    pub sums: ItemSums,
    pub measured: Option<MeasuredFront>,
    /// Counts of entries from before the newest change of the sent list.
    pub carried: Option<Arc<CarriedCounts>>,
    /// A measurement of the whole front that is not shared out yet.
    pub unshared: Option<UnsharedCount>,
    pub repair: RepairReport,
    pub guard: GuardReport,
    pub pruned: PruneTotals,
    /// Reads that are sent as differences, and what they are differences to.
    pub differences: VectorSync<DifferencePlace>,
    /// Items from this position on may have changed since [`ViewBuilder::mark_seen`].
    pub changed_from: usize,
    factor: f64,
}

impl ViewBuilder {
    /// An empty list with room for what stands before the conversation.
    pub(crate) fn new() -> Self {
        let mut items = Items::new_sync();
        for category in Category::ALL.into_iter().filter(|it| it.is_frame()) {
            items.push_back_mut(Arc::new(frame_item(category)));
        }
        Self {
            items,
            left_out: VectorSync::new_sync(),
            results: VectorSync::new_sync(),
            index: ItemIndex::default(),
            sums: ItemSums::default(),
            measured: None,
            carried: None,
            unshared: None,
            repair: RepairReport::default(),
            guard: GuardReport::default(),
            pruned: PruneTotals::default(),
            differences: VectorSync::new_sync(),
            changed_from: 0,
            factor: 1.0,
        }
    }

    /// An empty list that counts as this one does, without what a provider counted.
    pub(crate) fn emptied(&self) -> Self {
        Self {
            factor: self.factor,
            repair: self.repair,
            ..Self::new()
        }
    }

    /// Whether a provider counted anything of it.
    pub(crate) fn is_counted(&self) -> bool {
        self.measured.is_some() || self.carried.is_some() || self.unshared.is_some()
    }

    /// Whether estimates are scaled here as in another list.
    pub(crate) fn counts_as(&self, other: &Self) -> bool {
        self.factor.to_bits() == other.factor.to_bits()
    }

    /// The same list, with what was repaired in another one.
    pub(crate) fn repaired_as(mut self, other: &Self) -> Self {
        self.repair = other.repair;
        self
    }

    /// Estimates of items that follow are scaled by this.
    pub(crate) fn set_factor(&mut self, factor: f64) {
        self.factor = factor;
    }

    /// Appends an item; its tokens follow from its estimates.
    pub(crate) fn push(&mut self, mut item: ViewItem) {
        let at = self.items.len();
        item.tokens = self.count(&item);
        item.full.counted_tokens = self.count_in_full(&item);
        self.sums.add(&item);
        self.count_cut(&item);
        self.index.note(at, &item);
        self.items.push_back_mut(Arc::new(item));
    }

    /// An estimate as the calibrated ruler would have it.
    pub(crate) fn scale(&self, estimate_tokens: u64) -> u64 {
        scaled(estimate_tokens, self.factor)
    }

    /// The count of an item as sent: from an earlier count, or estimated.
    pub(crate) fn count(&self, item: &ViewItem) -> u64 {
        match &item.entry {
            Some(entry) => self.count_of(entry, item.estimate_tokens),
            None => self.scale(item.estimate_tokens),
        }
    }

    /// The count of an item before it was cut, by the count that restoring it goes by; `None`
    /// where no provider counted it.
    pub(crate) fn count_in_full(&self, item: &ViewItem) -> Option<u64> {
        let carried = self
            .carried
            .as_ref()
            .filter(|_| item.out_estimate_tokens() > 0)?;
        let entry = item.entry.as_ref()?;
        let is_counted = carried.shares.contains_key(entry);
        is_counted.then(|| self.count_of(entry, item.full.estimate_tokens))
    }

    /// The count of an entry with this estimate.
    pub(crate) fn count_of(&self, entry: &EntryId, estimate_tokens: u64) -> u64 {
        let carried = self.carried.as_ref();
        let Some(share) = carried.and_then(|carried| carried.shares.get(entry)) else {
            return self.scale(estimate_tokens);
        };
        let grown = || share.tokens + self.scale(estimate_tokens - share.estimate);
        share.at(estimate_tokens).unwrap_or_else(grown)
    }

    /// System and tools as measured, or as estimated with the fixed part shared out.
    pub(crate) fn frame_shares(&self, frame: PreambleTokens, fit: &Correction) -> PreambleTokens {
        let counted = |system, tools| PreambleTokens { system, tools };
        if let Some(measured) = self.measured {
            return counted(measured.system, measured.tools);
        }
        if let Some(carried) = &self.carried {
            return counted(carried.system, carried.tools);
        }
        let PreambleTokens { system, tools } = frame;
        let has_frame = system + tools > 0;
        let fixed = if has_frame {
            fit.fixed_tokens() as u64
        } else {
            0
        };
        let shares = apportion(fixed, &[system, tools]);
        let factor = fit.factor();
        counted(
            scaled(system, factor) + shares[0],
            scaled(tools, factor) + shares[1],
        )
    }

    /// Items and tokens that a provider counted, the answer included.
    pub(crate) fn counted(&self) -> (usize, u64) {
        let Some(measured) = self.measured else {
            return (0, 0);
        };
        if !measured.answer_counted {
            return (measured.upto, measured.tokens);
        }
        let answer = self.items.get(measured.upto).map_or(0, |item| item.tokens);
        (measured.upto + 1, measured.tokens + answer)
    }

    /// The facts about the tool result at a position.
    pub(crate) fn result_at(&self, at: usize) -> Option<&Arc<ResultInfo>> {
        let (mut low, mut high) = (0, self.results.len());
        while low < high {
            let middle = low.midpoint(high);
            let info = self.results.get(middle)?;
            match info.at.cmp(&at) {
                std::cmp::Ordering::Equal => return Some(info),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Tokens of the conversation's items between two positions. Adds up whichever side
    /// is shorter: as a rule nearly all of a long list, or nearly nothing.
    pub(crate) fn tokens_within(&self, from: usize, upto: usize) -> u64 {
        let upto = upto.min(self.items.len());
        let from = from.clamp(FRAME_ITEMS, upto.max(FRAME_ITEMS));
        let sum = |from: usize, upto: usize| -> u64 {
            let items = (from..upto).filter_map(|at| self.items.get(at));
            items.map(|item| item.tokens).sum()
        };
        if upto.saturating_sub(from) <= self.items.len() / 2 {
            return sum(from, upto);
        }
        let outside = sum(FRAME_ITEMS, from) + sum(upto, self.items.len());
        self.sums.by_category.total().saturating_sub(outside)
    }

    /// Appends a tool result.
    pub(crate) fn push_result(&mut self, item: ViewItem, info: ResultInfo) {
        self.push(item);
        if let Some(item) = self.items.last() {
            self.sums.note_result(item, info.chars);
        }
        self.results.push_back_mut(Arc::new(info));
    }

    pub(super) fn count_cut(&mut self, item: &ViewItem) {
        let Some(counter) = self.counter_of(item) else {
            return;
        };
        *counter += 1;
        if !is_by_guard(item) {
            let (estimate, saved_tokens) = saved(item);
            self.pruned.saved_estimate += estimate;
            self.pruned.saved_counted += saved_tokens;
        }
    }

    /// Where a cut item is counted: with the guard's or with pruning's.
    fn counter_of(&mut self, item: &ViewItem) -> Option<&mut u64> {
        match (item.disposition, is_by_guard(item)) {
            (Disposition::Truncated, _) | (Disposition::Trimmed, true) => {
                Some(&mut self.guard.truncated)
            }
            (Disposition::Cleared, true) => Some(&mut self.guard.cleared),
            (Disposition::Trimmed, false) => Some(&mut self.pruned.trimmed),
            (Disposition::Cleared, false) => Some(&mut self.pruned.cleared),
            _ => None,
        }
    }

    /// Puts another item in the place of one, with its estimates in `item`.
    pub(crate) fn replace(&mut self, at: usize, mut item: ViewItem) {
        let Some(old) = self.items.get(at).cloned() else {
            return;
        };
        item.tokens = self.count(&item);
        item.full.counted_tokens = self.count_in_full(&item);
        self.sums.replace(&old, &item);
        self.uncount_cut(&old);
        self.count_cut(&item);
        self.changed_from = self.changed_from.min(at);
        self.items.set_mut(at, Arc::new(item));
    }

    pub(super) fn uncount_cut(&mut self, item: &ViewItem) {
        let Some(counter) = self.counter_of(item) else {
            return;
        };
        *counter = counter.saturating_sub(1);
        if !is_by_guard(item) {
            let (estimate, saved_tokens) = saved(item);
            self.pruned.saved_estimate -= estimate;
            self.pruned.saved_counted -= saved_tokens;
        }
    }

    /// Whoever looked at the list as it is knows all of it.
    pub(crate) fn mark_seen(&mut self) {
        self.changed_from = usize::MAX;
    }

    /// Leaves an entry out of what is sent.
    pub(crate) fn leave_out(&mut self, left: LeftOut) {
        self.left_out.push_back_mut(Arc::new(left));
    }
}

/// The item of the system prompt or the tools, before its numbers are known.
pub(crate) fn frame_item(category: Category) -> ViewItem {
    ViewItem {
        entry: None,
        role: Role::System,
        category,
        tokens: 0,
        estimate_tokens: 0,
        full: FullSize::estimated(0),
        disposition: Disposition::Sent,
        reason: None,
        cut_by: None,
        turn: 0,
        author: Author::Plimsoll,
        entry_override: None,
        timestamp: None,
        preview: Arc::from(category.name()),
        sent: None,
    }
}

/// The tokens that a cut saves: by estimate, or by count.
fn saved(item: &ViewItem) -> (u64, u64) {
    match item.full.counted_tokens {
        Some(full) => (0, full.saturating_sub(item.tokens)),
        None => (item.out_estimate_tokens(), 0),
    }
}

fn is_by_guard(item: &ViewItem) -> bool {
    item.cut_by.as_ref().is_some_and(|by| by.policy == "guard")
}
