//! Builds the list of items: appends, replaces, keeps the running totals. Every field is
//! persistent or small, so a builder can be cloned at any point and continued in two ways.

use std::sync::Arc;

use rpds::VectorSync;

use super::index::ItemIndex;
use super::measured::{MeasuredFront, UnsharedCount};
use super::result::ResultInfo;
use super::sums::ItemSums;
use crate::context::view::{
    Category, Disposition, GuardReport, Items, LeftOut, RepairReport, Role, ViewItem, scaled,
};
use crate::transcript::Author;

/// Items before the conversation: system and tools.
pub(crate) const FRAME_ITEMS: usize = 2;

/// The items of a view as they are appended, in the order of the request.
#[derive(Clone, Debug)]
pub(crate) struct ViewBuilder {
    pub items: Items,
    pub left_out: VectorSync<Arc<LeftOut>>,
    pub results: VectorSync<Arc<ResultInfo>>,
    /// Where in `items` the passes that follow look.
    pub index: ItemIndex,
    /// What the conversation's items add up to.
    pub sums: ItemSums,
    pub measured: Option<MeasuredFront>,
    /// A measurement of the whole front that is not shared out yet.
    pub(super) unshared: Option<UnsharedCount>,
    pub repair: RepairReport,
    pub guard: GuardReport,
    /// Items from this position on may have changed since [`ViewBuilder::mark_seen`].
    pub changed_from: usize,
    factor: f64,
}

impl ViewBuilder {
    /// An empty list with room for system and tools.
    pub(crate) fn new() -> Self {
        let mut items = Items::new_sync();
        for category in [Category::System, Category::Tools] {
            items.push_back_mut(Arc::new(frame_item(category)));
        }
        Self {
            items,
            left_out: VectorSync::new_sync(),
            results: VectorSync::new_sync(),
            index: ItemIndex::default(),
            sums: ItemSums::default(),
            measured: None,
            unshared: None,
            repair: RepairReport::default(),
            guard: GuardReport::default(),
            changed_from: 0,
            factor: 1.0,
        }
    }

    /// Estimates of items that follow are scaled by this.
    pub(crate) fn set_factor(&mut self, factor: f64) {
        self.factor = factor;
    }

    /// Appends an item; its tokens follow from its estimates.
    pub(crate) fn push(&mut self, mut item: ViewItem) {
        let at = self.items.len();
        item.tokens = self.scale(item.estimate_tokens);
        self.sums.add(&item);
        self.count_cut(&item);
        self.index.note(at, &item);
        self.items.push_back_mut(Arc::new(item));
    }

    /// An estimate as the calibrated ruler would have it.
    pub(crate) fn scale(&self, estimate_tokens: u64) -> u64 {
        scaled(estimate_tokens, self.factor)
    }

    /// What is known about the tool result at a position.
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
        let around = sum(FRAME_ITEMS, from) + sum(upto, self.items.len());
        self.sums.by_category.total().saturating_sub(around)
    }

    /// Appends a tool result.
    pub(crate) fn push_result(&mut self, item: ViewItem, info: ResultInfo) {
        self.push(item);
        if let Some(item) = self.items.last() {
            self.sums.note_result(item, info.chars);
        }
        self.results.push_back_mut(Arc::new(info));
    }

    fn count_cut(&mut self, item: &ViewItem) {
        let Some(counter) = self.counter_of(item) else {
            return;
        };
        *counter += 1;
        if !is_by_guard(item) {
            self.sums.saved_estimate += item.out_estimate_tokens();
        }
    }

    /// Where a cut item is counted: with the guard's or with pruning's.
    fn counter_of(&mut self, item: &ViewItem) -> Option<&mut u64> {
        match (item.disposition, is_by_guard(item)) {
            (Disposition::Truncated, _) | (Disposition::Trimmed, true) => {
                Some(&mut self.guard.truncated)
            }
            (Disposition::Cleared, true) => Some(&mut self.guard.cleared),
            (Disposition::Trimmed, false) => Some(&mut self.sums.trimmed),
            (Disposition::Cleared, false) => Some(&mut self.sums.cleared),
            _ => None,
        }
    }

    /// Puts another item in the place of one, with its estimates in `item`.
    pub(crate) fn replace(&mut self, at: usize, mut item: ViewItem) {
        let Some(old) = self.items.get(at).cloned() else {
            return;
        };
        item.tokens = self.scale(item.estimate_tokens);
        self.sums.replace(&old, &item);
        self.uncount_cut(&old);
        self.count_cut(&item);
        self.changed_from = self.changed_from.min(at);
        self.items.set_mut(at, Arc::new(item));
    }

    fn uncount_cut(&mut self, item: &ViewItem) {
        let Some(counter) = self.counter_of(item) else {
            return;
        };
        *counter = counter.saturating_sub(1);
        if !is_by_guard(item) {
            self.sums.saved_estimate -= item.out_estimate_tokens();
        }
    }

    pub(super) fn set_tokens(&mut self, at: usize, tokens: u64) {
        if self.items.get(at).is_none_or(|item| item.tokens == tokens) {
            return;
        }
        let Some(shared) = self.items.get_mut(at) else {
            return;
        };
        self.changed_from = self.changed_from.min(at);
        // In place, unless a view still shows it.
        let item = Arc::make_mut(shared);
        let before = item.tokens;
        item.tokens = tokens;
        let item = Arc::clone(shared);
        self.sums.change_tokens(&item, before);
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
        full_estimate_tokens: 0,
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

fn is_by_guard(item: &ViewItem) -> bool {
    item.cut_by.as_ref().is_some_and(|by| by.policy == "guard")
}
