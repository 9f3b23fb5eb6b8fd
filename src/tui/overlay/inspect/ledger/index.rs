//! Which rows the ledger shows and in what order. Built when the view or the options
//! change, never while drawing a frame that looks like the one before.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::context::{Category, ContextView, Disposition};
use crate::transcript::{Decision, EntryBody, EntryId};
use crate::tui::overlay::OverlayScene;

use crate::tui::overlay::inspect::facts::{EntryMap, ItemFacts, LedgerItem};
use crate::tui::widget::Needle;

/// A row of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LedgerRow {
    /// An item or something left out.
    Leaf(LedgerItem),
    /// Messages that a compaction stands for; they follow when it is open.
    Compaction {
        /// The compaction.
        id: EntryId,
        /// How many messages.
        count: u64,
        /// Tokens that they would take in full.
        tokens_full: u64,
        /// Whether they follow.
        open: bool,
    },
    /// Start of a turn, when grouped.
    Turn {
        /// Its number.
        turn: u32,
        /// Rows that follow.
        count: u64,
        /// Tokens as sent.
        tokens: u64,
    },
}

/// The scope of the ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LedgerScope {
    /// Everything.
    All,
    /// Items that are not sent in full.
    Pruned,
}

/// The order of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LedgerSort {
    /// As sent.
    #[default]
    Order,
    /// Largest first; in the pruned ledger by what was taken out.
    Size,
    /// Newest first.
    Age,
    /// As on the gauge, largest first within each.
    Category,
}

impl LedgerSort {
    /// The next one when cycling.
    pub(super) fn next(self) -> Self {
        match self {
            Self::Order => Self::Size,
            Self::Size => Self::Age,
            Self::Age => Self::Category,
            Self::Category => Self::Order,
        }
    }

    /// Its name in the title.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Size => "size",
            Self::Age => "newest",
            Self::Category => "category",
        }
    }
}

/// Which rows are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum LedgerFilter {
    /// All of the scope.
    #[default]
    Everything,
    /// One disposition.
    Only(Disposition),
    /// Items that the user pinned.
    Pinned,
}

/// How rows are chosen and ordered.
#[derive(Clone, Debug)]
pub(super) struct LedgerOptions {
    /// The scope of the ledger.
    pub scope: LedgerScope,
    /// The order.
    pub sort: LedgerSort,
    /// By disposition.
    pub filter: LedgerFilter,
    /// By words; empty means all.
    pub words: String,
    /// With a row at the start of each turn.
    pub by_turn: bool,
    /// Compactions that are open although they start closed, or the reverse.
    pub toggled: HashSet<EntryId>,
}

/// The rows for one view.
#[derive(Debug, Default)]
pub(super) struct LedgerIndex {
    /// In display order.
    pub rows: Vec<LedgerRow>,
    /// Rows that stand for entries or items, folded ones included.
    pub count: u64,
    /// The largest number of tokens in one row; scales the share bars.
    pub largest: u64,
    /// Whether a row has a reason.
    pub has_reasons: bool,
    /// Tokens kept out by all rows together.
    pub tokens_out: u64,
}

/// A leaf, or leaves that a compaction replaced.
enum OrderedSlot {
    Leaf(LedgerItem),
    Swallowed(EntryId, Vec<usize>),
}

impl LedgerIndex {
    /// Chooses and orders the rows.
    pub(super) fn build(view: &ContextView, entries: &EntryMap, options: &LedgerOptions) -> Self {
        // Capitals find small letters too.
        let words = Needle::new(&options.words.to_lowercase());
        let keep = |leaf: LedgerItem| {
            ItemFacts::of(leaf, view, entries).is_some_and(|facts| is_kept(&facts, options, &words))
        };
        let mut index = Self::default();
        let mut leaves = Vec::new();
        let narrowed = options.filter != LedgerFilter::Everything || !words.is_empty();
        let folds = options.sort == LedgerSort::Order && !options.by_turn;
        for slot in in_order(view) {
            match slot {
                OrderedSlot::Leaf(leaf) if keep(leaf) => {
                    index.note(leaf, view, entries, options.scope);
                    leaves.push(LedgerRow::Leaf(leaf));
                }
                OrderedSlot::Leaf(_) => {}
                OrderedSlot::Swallowed(id, members) => {
                    let members: Vec<LedgerItem> = members
                        .into_iter()
                        .map(LedgerItem::Left)
                        .filter(|&leaf| keep(leaf))
                        .collect();
                    if members.is_empty() {
                        continue;
                    }
                    let starts_open = options.scope == LedgerScope::Pruned || narrowed;
                    let open = starts_open != options.toggled.contains(&id);
                    let before = index.tokens_out;
                    for &leaf in &members {
                        index.note(leaf, view, entries, options.scope);
                    }
                    if folds {
                        let told = members.iter().filter(|&&leaf| is_told(leaf, view));
                        leaves.push(LedgerRow::Compaction {
                            id,
                            count: told.count() as u64,
                            tokens_full: index.tokens_out - before,
                            open,
                        });
                    }
                    if open || !folds {
                        leaves.extend(members.into_iter().map(LedgerRow::Leaf));
                    }
                }
            }
        }
        sort(&mut leaves, view, entries, options);
        index.rows = if options.by_turn {
            with_turns(leaves, view, entries)
        } else {
            leaves
        };
        index
    }

    /// The row of an entry.
    pub(super) fn position(&self, id: &EntryId, view: &ContextView) -> Option<usize> {
        self.rows
            .iter()
            .position(|row| entry_of(row, view) == Some(id))
    }

    fn note(
        &mut self,
        leaf: LedgerItem,
        view: &ContextView,
        entries: &EntryMap,
        scope: LedgerScope,
    ) {
        let Some(facts) = ItemFacts::of(leaf, view, entries) else {
            return;
        };
        self.count += 1;
        self.has_reasons |= !facts.reason.is_empty();
        self.tokens_out = self.tokens_out.saturating_add(facts.tokens_out());
        self.largest = self.largest.max(weight(&facts, scope));
    }
}

/// The entry that a row is about.
pub(super) fn entry_of<'a>(row: &'a LedgerRow, view: &'a ContextView) -> Option<&'a EntryId> {
    match row {
        LedgerRow::Leaf(LedgerItem::Item(at)) => view.items.get(*at)?.entry.as_ref(),
        LedgerRow::Leaf(LedgerItem::Left(at)) => Some(&view.left_out.get(*at)?.entry),
        LedgerRow::Compaction { id, .. } => Some(id),
        LedgerRow::Turn { .. } => None,
    }
}

/// The newest result among those that were pruned last, on the active branch.
pub(super) fn pruned_last(scene: &OverlayScene<'_>) -> Option<EntryId> {
    let entries = scene.entries.values();
    let cuts = entries.filter_map(|entry| match &entry.body {
        EntryBody::Decision(Decision::Prune { cuts, .. } | Decision::Guard { cuts }) => {
            let is_here = !cuts.is_empty() && !scene.aside.contains(&entry.id);
            is_here.then_some((entry.timestamp, &entry.id, cuts))
        }
        _ => None,
    });
    // Ids tell entries of one millisecond apart; a map has no order of its own.
    let newest = cuts.max_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)));
    newest.and_then(|(_, _, cuts)| cuts.last().map(|cut| cut.target.clone()))
}

/// The number that a row is sorted by and its share bar shows.
pub(super) fn weight(facts: &ItemFacts<'_>, scope: LedgerScope) -> u64 {
    match scope {
        LedgerScope::All => facts.tokens,
        LedgerScope::Pruned => facts.tokens_out(),
    }
}

fn is_kept(facts: &ItemFacts<'_>, options: &LedgerOptions, words: &Needle) -> bool {
    let in_scope = match options.scope {
        LedgerScope::All => true,
        LedgerScope::Pruned => !matches!(
            facts.disposition,
            Disposition::Sent | Disposition::Synthetic
        ),
    };
    let passes = match options.filter {
        LedgerFilter::Everything => true,
        LedgerFilter::Only(disposition) => facts.disposition == disposition,
        LedgerFilter::Pinned => facts.pinned,
    };
    in_scope
        && passes
        && (words.is_empty()
            || [
                facts.preview,
                facts.reason,
                facts.category.name(),
                facts.role.name(),
            ]
            .iter()
            .any(|text| words.is_in(text)))
}

/// Whether a leaf is a message, as `/summary` counts them.
fn is_told(leaf: LedgerItem, view: &ContextView) -> bool {
    match leaf {
        LedgerItem::Left(at) => view.left_out.get(at).is_some_and(|left| left.is_told),
        LedgerItem::Item(_) => true,
    }
}

/// Everything in the order it was said; what a compaction swallowed follows its summary.
fn in_order(view: &ContextView) -> Vec<OrderedSlot> {
    let (mut swallowed, loose) = split_left_out(view);
    let mut loose = loose.into_iter().peekable();
    let mut slots = Vec::with_capacity(view.items.len() + view.left_out.len());
    // Compactions whose own summary was summarised in turn have no item: their messages
    // come with the first summary that there is.
    let has_item: HashSet<&EntryId> = view
        .items
        .iter()
        .filter(|item| item.category == Category::Summary)
        .filter_map(|item| item.entry.as_ref())
        .collect();
    if has_item.is_empty() {
        slots.extend(
            swallowed
                .drain(..)
                .map(|(id, left)| OrderedSlot::Swallowed(id, left)),
        );
    }
    let shown = view.items.iter().enumerate();
    for (at, item) in shown.filter(|(_, item)| !item.is_empty_part()) {
        let is_pending = item.category == Category::Pending;
        while let Some(left) = loose.next_if(|&left| {
            let turn = view.left_out.get(left).map_or(0, |left| left.turn);
            is_pending || turn < item.turn
        }) {
            slots.push(OrderedSlot::Leaf(LedgerItem::Left(left)));
        }
        slots.push(OrderedSlot::Leaf(LedgerItem::Item(at)));
        if item.category == Category::Summary {
            let own = item.entry.as_ref();
            let (now, later): (Vec<_>, Vec<_>) = swallowed
                .drain(..)
                .partition(|(id, _)| Some(id) == own || !has_item.contains(id));
            swallowed = later;
            slots.extend(
                now.into_iter()
                    .map(|(id, left)| OrderedSlot::Swallowed(id, left)),
            );
        }
    }
    slots.extend(loose.map(|left| OrderedSlot::Leaf(LedgerItem::Left(left))));
    slots
}

/// Positions in `left_out`: by compaction in the order of first appearance, and the rest.
fn split_left_out(view: &ContextView) -> (Vec<(EntryId, Vec<usize>)>, Vec<usize>) {
    let mut groups: Vec<(EntryId, Vec<usize>)> = Vec::new();
    let mut known: HashMap<&EntryId, usize> = HashMap::new();
    let mut loose = Vec::new();
    for (at, left) in view.left_out.iter().enumerate() {
        let Some(id) = &left.compaction else {
            loose.push(at);
            continue;
        };
        let group = *known.entry(id).or_insert_with(|| {
            groups.push((id.clone(), Vec::new()));
            groups.len() - 1
        });
        if let Some((_, members)) = groups.get_mut(group) {
            members.push(at);
        }
    }
    (groups, loose)
}

fn sort(rows: &mut [LedgerRow], view: &ContextView, entries: &EntryMap, options: &LedgerOptions) {
    let facts = |row: &LedgerRow| match row {
        LedgerRow::Leaf(leaf) => ItemFacts::of(*leaf, view, entries),
        _ => None,
    };
    let size = |row: &LedgerRow| facts(row).map_or(0, |facts| weight(&facts, options.scope));
    match options.sort {
        LedgerSort::Order => {}
        LedgerSort::Size => rows.sort_by_cached_key(|row| std::cmp::Reverse(size(row))),
        LedgerSort::Age => rows.sort_by_cached_key(|row| {
            std::cmp::Reverse(facts(row).and_then(|facts| facts.timestamp))
        }),
        LedgerSort::Category => rows.sort_by_cached_key(|row| {
            let category = facts(row).map_or(usize::MAX, |facts| facts.category.index());
            (category, std::cmp::Reverse(size(row)))
        }),
    }
}

/// Puts a row before each turn; the order within a turn stays.
fn with_turns(leaves: Vec<LedgerRow>, view: &ContextView, entries: &EntryMap) -> Vec<LedgerRow> {
    let mut keyed: Vec<(u32, u64, LedgerRow)> = leaves
        .into_iter()
        .map(|row| {
            let (turn, tokens) = match &row {
                LedgerRow::Leaf(leaf) => ItemFacts::of(*leaf, view, entries)
                    .map_or((0, 0), |facts| (facts.turn, facts.tokens)),
                _ => (0, 0),
            };
            (turn, tokens, row)
        })
        .collect();
    keyed.sort_by_key(|(turn, ..)| *turn);
    let mut rows = Vec::with_capacity(keyed.len());
    for group in keyed.chunk_by(|a, b| a.0 == b.0) {
        rows.push(LedgerRow::Turn {
            turn: group.first().map_or(0, |(turn, ..)| *turn),
            count: group.len() as u64,
            tokens: group.iter().map(|(_, tokens, _)| tokens).sum(),
        });
        rows.extend(group.iter().map(|(.., row)| row.clone()));
    }
    rows
}

/// The filters that show something in this view, in cycling order.
pub(super) fn filters(view: &ContextView) -> Vec<LedgerFilter> {
    let items = view.items.iter().map(|item| item.disposition);
    let left = view.left_out.iter().map(|left| left.disposition);
    let present: HashSet<Disposition> = items.chain(left).collect();
    let mut out = vec![LedgerFilter::Everything];
    let ordered = Disposition::ALL.into_iter().filter(|d| present.contains(d));
    out.extend(ordered.map(LedgerFilter::Only));
    if view.items.iter().any(|item| item.is_pinned()) {
        out.push(LedgerFilter::Pinned);
    }
    out
}

/// An index with the view it was built for.
#[derive(Debug, Default)]
pub(super) struct ViewIndex {
    view: Option<Arc<ContextView>>,
    /// The rows.
    pub index: LedgerIndex,
}

impl ViewIndex {
    /// Whether it was built for this very view.
    pub(super) fn is_for(&self, view: &Arc<ContextView>) -> bool {
        self.view.as_ref().is_some_and(|own| Arc::ptr_eq(own, view))
    }

    /// Builds it.
    pub(super) fn build(
        view: &Arc<ContextView>,
        entries: &EntryMap,
        options: &LedgerOptions,
    ) -> Self {
        Self {
            view: Some(Arc::clone(view)),
            index: LedgerIndex::build(view, entries, options),
        }
    }
}
