//! The treatment of each entry on its way to the model, by entry, kept in step with the newest
//! view at a cost of what changed.

use std::collections::HashMap;
use std::sync::Arc;

use ratatui::style::Style;

use crate::context::{ContextView, Disposition, LeftOut, RulerReport, ViewItem};
use crate::transcript::EntryId;
use crate::tui::marks::{self, RulesSet};
use crate::tui::theme::Theme;

/// The treatment of one entry.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Its disposition.
    pub disposition: Disposition,
    /// Pinned by the user.
    pub is_pinned: bool,
    /// Tokens as sent; 0 when left out.
    pub tokens: u64,
    /// Tokens in full.
    pub tokens_full: u64,
    /// Standing rules that it sets.
    pub(in crate::tui) rules: RulesSet,
    /// The item, when it is sent.
    pub item: Option<Arc<ViewItem>>,
    /// Why, when it is left out.
    pub left_out: Option<Arc<LeftOut>>,
}

/// Two marks are equal when they look the same.
impl PartialEq for Mark {
    fn eq(&self, other: &Self) -> bool {
        self.disposition == other.disposition
            && self.is_pinned == other.is_pinned
            && self.tokens == other.tokens
            && self.tokens_full == other.tokens_full
            && self.rules == other.rules
    }
}

impl Mark {
    /// Why the entry is not sent as it is.
    pub fn reason(&self) -> Option<&str> {
        let item = self.item.as_ref().and_then(|item| item.reason.as_deref());
        item.or_else(|| self.left_out.as_ref().map(|left| left.reason.as_str()))
    }

    /// Whether less than the entry is sent.
    pub fn is_cut(&self) -> bool {
        !matches!(self.disposition, Disposition::Sent | Disposition::Edited)
    }

    /// The sign in the gutter, one column, with its style.
    pub fn sign(&self, theme: &Theme) -> (&'static str, Style) {
        if self.is_pinned {
            return (marks::PINNED, theme.accent);
        }
        match self.disposition {
            Disposition::Sent => (" ", theme.text),
            cut => (marks::symbol(cut), marks::style(cut, theme)),
        }
    }

    /// The word on a card.
    pub fn word(&self) -> &'static str {
        match self.disposition {
            Disposition::MediaStripped => "media removed",
            other => marks::word(other),
        }
    }
}

/// All marks of a session.
#[derive(Debug, Default)]
pub struct Marks {
    items: Vec<Arc<ViewItem>>,
    left_out: Vec<Arc<LeftOut>>,
    /// The calibration that the numbers of cut items follow.
    calibration: f64,
    by_entry: HashMap<EntryId, Mark>,
    /// Entries whose mark tells of rules.
    ruling: Vec<EntryId>,
}

impl Marks {
    /// The mark of an entry; `None` when no view has named it.
    pub fn get(&self, entry: &EntryId) -> Option<&Mark> {
        self.by_entry.get(entry)
    }

    /// Follows a new view. Items that the views share cost a pointer comparison.
    pub fn follow(&mut self, view: &ContextView) {
        let same = self
            .items
            .iter()
            .zip(view.items.iter())
            .take_while(|(old, new)| Arc::ptr_eq(old, new))
            .count();
        let same_left = self
            .left_out
            .iter()
            .zip(view.left_out.iter())
            .take_while(|(old, new)| Arc::ptr_eq(old, new))
            .count();
        for entry in self.items.drain(same..).filter_map(|i| i.entry.clone()) {
            self.by_entry.remove(&entry);
        }
        for left in self.left_out.drain(same_left..) {
            self.by_entry.remove(&left.entry);
        }
        for item in view.items.iter().skip(same) {
            self.items.push(Arc::clone(item));
            if let Some(entry) = &item.entry {
                self.by_entry
                    .insert(entry.clone(), of_item(item, &view.ruler));
            }
        }
        if self.calibration.to_bits() != view.ruler.calibration.to_bits() {
            self.calibration = view.ruler.calibration;
            self.weigh_cut_items(&view.ruler);
        }
        for left in view.left_out.iter().skip(same_left) {
            self.left_out.push(Arc::clone(left));
            self.by_entry.insert(left.entry.clone(), of_left_out(left));
        }
        self.tell_of_rules(view);
    }

    /// Notes at each message which rules it sets.
    fn tell_of_rules(&mut self, view: &ContextView) {
        for entry in self.ruling.drain(..) {
            if let Some(mark) = self.by_entry.get_mut(&entry) {
                mark.rules = RulesSet::default();
            }
        }
        for (entry, rules) in RulesSet::of_all(&view.rules.rules) {
            if let Some(mark) = self.by_entry.get_mut(entry) {
                mark.rules = rules;
                self.ruling.push(entry.clone());
            }
        }
    }

    /// Weighs cut items again: their full size changes with the calibration.
    fn weigh_cut_items(&mut self, ruler: &RulerReport) {
        let is_cut = |item: &&Arc<ViewItem>| item.out_estimate_tokens() > 0;
        for item in self.items.iter().filter(is_cut) {
            if let Some(mark) = item.entry.as_ref().and_then(|id| self.by_entry.get_mut(id)) {
                mark.tokens_full = item.tokens_full(ruler);
            }
        }
    }

    /// Forgets everything: another session is open.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

fn of_item(item: &Arc<ViewItem>, ruler: &RulerReport) -> Mark {
    Mark {
        disposition: item.disposition,
        is_pinned: item.is_pinned(),
        tokens: item.tokens,
        tokens_full: item.tokens_full(ruler),
        rules: RulesSet::default(),
        item: Some(Arc::clone(item)),
        left_out: None,
    }
}

fn of_left_out(left: &Arc<LeftOut>) -> Mark {
    Mark {
        disposition: left.disposition,
        is_pinned: false,
        tokens: 0,
        tokens_full: left.tokens_full,
        rules: RulesSet::default(),
        item: None,
        left_out: Some(Arc::clone(left)),
    }
}
