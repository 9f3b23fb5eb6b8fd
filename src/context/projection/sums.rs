//! The sums of a conversation's items, updated while they are appended and replaced.

use crate::context::view::{ByCategory, Category, ViewItem};

/// Pinned and restored items: no summary takes them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HeldItems {
    pub count: u64,
    pub tokens: u64,
}

/// Totals of the conversation's items, without system and tools.
#[derive(Clone, Debug, Default)]
pub(crate) struct ItemSums {
    /// Tokens as sent.
    pub by_category: ByCategory,
    /// Uncalibrated estimate of all.
    pub estimate: u64,
    /// Pinned and restored items.
    pub held: HeldItems,
    /// Items that add nothing to a summary.
    pub silent: u64,
    /// No tool result has more tokens than this.
    pub largest_result: u64,
    /// No tool result that is sent whole has more characters than this.
    pub longest_result: usize,
}

impl ItemSums {
    pub(crate) fn add(&mut self, item: &ViewItem) {
        self.by_category.add(item.category, item.tokens);
        self.estimate += item.estimate_tokens;
        if item.is_pinned() || item.is_restored() {
            self.held.count += 1;
            self.held.tokens += item.tokens;
        }
        self.silent += u64::from(item.disposition.adds_nothing_to_summary());
    }

    /// Notes the size of a result that was added.
    pub(crate) fn note_result(&mut self, item: &ViewItem, chars: usize) {
        self.largest_result = self.largest_result.max(item.tokens);
        if !item.disposition.is_cut() {
            self.longest_result = self.longest_result.max(chars);
        }
    }

    /// Takes one item out and another in.
    pub(crate) fn replace(&mut self, old: &ViewItem, new: &ViewItem) {
        self.by_category.sub(old.category, old.tokens);
        self.by_category.add(new.category, new.tokens);
        self.estimate = (self.estimate + new.estimate_tokens).saturating_sub(old.estimate_tokens);
        self.note_tokens(new, old.tokens);
    }

    /// An item has other tokens than before.
    pub(crate) fn change_tokens(&mut self, item: &ViewItem, before: u64) {
        self.by_category.sub(item.category, before);
        self.by_category.add(item.category, item.tokens);
        self.note_tokens(item, before);
    }

    fn note_tokens(&mut self, item: &ViewItem, before: u64) {
        if item.category == Category::ToolResults {
            self.largest_result = self.largest_result.max(item.tokens);
        }
        if item.is_pinned() || item.is_restored() {
            self.held.tokens = (self.held.tokens + item.tokens).saturating_sub(before);
        }
    }
}
