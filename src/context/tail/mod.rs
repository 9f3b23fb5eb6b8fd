//! The tail that a compaction keeps verbatim: the newest turns within a budget, a turn that
//! does not fit split at an atomic-group boundary. What comes before is summarised.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::ops::Range;

use super::projection::{FRAME_ITEMS, HeldItems};
use super::settings::CompactionSettings;
use super::view::{Category, ContextView, Disposition, Role, ViewItem};
use crate::transcript::EntryId;

/// Share of usable that the tail may take,
const BUDGET_SHARE: f64 = 0.25;
/// from this on; how far up is a setting.
const MIN_BUDGET_TOKENS: u64 = 2_000;
/// With few user messages, this many times the number of turns is kept in messages.
const FEW_ASKS_FACTOR: usize = 2;
/// A summary takes about this share of what it replaces,
const SUMMARY_SHARE: f64 = 0.1;
/// within these bounds: for estimates only.
const SUMMARY_RANGE: (u64, u64) = (300, 4_000);

/// How much is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TailLimits {
    /// Newest turns.
    pub turns: u32,
    /// Tokens.
    pub budget_tokens: u64,
    /// With fewer user messages than `turns`, keep all of them, and of what follows the
    /// newest messages up to twice that number.
    pub few_asks: bool,
    /// The next message of the user, which is not in the view, is the newest turn.
    pub is_before_message: bool,
}

impl TailLimits {
    /// The limits that the settings give for this much usable window (0 = unknown).
    pub fn of(settings: &CompactionSettings, usable_tokens: u64) -> Self {
        let budget = settings.tail.tokens.unwrap_or_else(|| {
            let most = settings.tail.max_tokens;
            if usable_tokens == 0 {
                return most;
            }
            let share = (usable_tokens as f64 * BUDGET_SHARE) as u64;
            share.clamp(MIN_BUDGET_TOKENS.min(most), most)
        });
        Self {
            turns: settings.tail.turns.unwrap_or(u32::MAX),
            budget_tokens: budget,
            few_asks: settings.tail.few_asks,
            is_before_message: false,
        }
    }

    /// Whether the conversation has fewer user messages than turns would be kept.
    fn has_few_asks(self, view: &ContextView, end: usize) -> bool {
        let asks = (FRAME_ITEMS..end).filter(|&at| is_ask(view, at));
        let others = self.turns.saturating_sub(u32::from(self.is_before_message)) as usize;
        self.few_asks && asks.take(others).count() < others
    }

    /// The limits when a message that nobody has sent yet comes first: it is a turn of its
    /// own, and the newest.
    pub(super) fn before_message(self) -> Self {
        Self {
            is_before_message: true,
            ..self
        }
    }

    /// Keep nothing but the newest user message.
    pub fn nothing() -> Self {
        Self {
            turns: 0,
            budget_tokens: 0,
            few_asks: false,
            is_before_message: false,
        }
    }
}

/// The parts that a compaction would replace and keep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TailPlan {
    /// The first entry that is kept; `None` keeps nothing.
    pub first_kept: Option<EntryId>,
    /// Entries that are summarised as history, in log order.
    pub history: Vec<EntryId>,
    /// Entries of the split turn's beginning, summarised under a heading of their own.
    pub turn_prefix: Vec<EntryId>,
    /// Kept messages.
    pub kept: u64,
    /// Kept turns, a split one included.
    pub kept_turns: u32,
    /// Tokens of what is kept, without system and tools.
    pub kept_tokens: u64,
    /// Tokens of what is summarised.
    pub summarized_tokens: u64,
    /// User messages from before `first_kept` that are kept all the same.
    pub kept_asks: Vec<EntryId>,
    /// A kept result that is larger than the whole budget, to be cut to it.
    pub oversized: Option<EntryId>,
}

impl TailPlan {
    /// Nothing would be summarised.
    pub fn is_empty(&self) -> bool {
        self.history.is_empty() && self.turn_prefix.is_empty()
    }

    /// Messages that would be summarised.
    pub fn summarized(&self) -> u64 {
        (self.history.len() + self.turn_prefix.len()) as u64
    }

    /// Counts a message that is kept, as part of the tail or from before it.
    fn keep(&mut self, item: &ViewItem, entry: &EntryId, limits: TailLimits, is_tail: bool) {
        self.kept += 1;
        self.kept_tokens += item.tokens;
        if !is_tail {
            return;
        }
        if self.first_kept.is_none() {
            self.first_kept = Some(entry.clone());
        }
        if item.category == Category::ToolResults && item.tokens > limits.budget_tokens.max(1) {
            self.oversized = Some(entry.clone());
        }
    }

    /// Counts a message that is summarised; what was dropped goes without a word.
    fn summarise(&mut self, item: &ViewItem, entry: &EntryId, split_turn: Option<u32>) {
        self.summarized_tokens += item.tokens;
        if item.disposition == Disposition::Dropped {
            return;
        }
        if split_turn == Some(item.turn) {
            self.turn_prefix.push(entry.clone());
        } else {
            self.history.push(entry.clone());
        }
    }

    /// The tokens of the view afterwards, with a summary of usual size; there is none of
    /// nothing.
    pub fn tokens_after(&self, view: &ContextView) -> u64 {
        if self.summarized() == 0 {
            return view.usage.tokens;
        }
        let leaving: HashSet<&EntryId> = self.history.iter().chain(&self.turn_prefix).collect();
        let rules = view.rules.tokens_leaving(|entry| leaving.contains(entry));
        let kept = frame_tokens(view) + self.kept_tokens + view.ruler.scale(rules);
        kept + summary_estimate(self.summarized_tokens)
    }
}

/// Chooses the tail of a view. `held_back` is a user message that is neither
/// summarised nor kept, because it is sent again.
pub fn select(view: &ContextView, limits: TailLimits, held_back: Option<&EntryId>) -> TailPlan {
    let end = conversation_end(view);
    let tail = cut_position(view, limits, end)..end;
    plan(view, limits, tail, held_back)
}

/// Keeps everything from an entry on, whatever it takes, from the start of its atomic
/// group. `None` when the entry is not in the conversation that the view sends, or when
/// nothing would be summarised.
pub fn select_from(view: &ContextView, first_kept: &EntryId) -> Option<TailPlan> {
    let end = conversation_end(view);
    let is_it = |at: &usize| {
        let item = view.items.get(*at);
        item.is_some_and(|item| item.entry.as_ref() == Some(first_kept))
    };
    let at = (FRAME_ITEMS..end).find(|at| is_it(at) && !is_compaction(view, *at))?;
    let all = TailLimits {
        turns: u32::MAX,
        budget_tokens: u64::MAX,
        few_asks: false,
        is_before_message: false,
    };
    let plan = plan(view, all, group_start(view, at + 1)..end, None);
    (!plan.is_empty()).then_some(plan)
}

/// The plan with these items as the tail.
fn plan(
    view: &ContextView,
    limits: TailLimits,
    tail: Range<usize>,
    held_back: Option<&EntryId>,
) -> TailPlan {
    let Range { start: cut, end } = tail;
    let mut plan = TailPlan::default();
    // A message that is sent again is the newest ask: no older one is kept in its place.
    let newest_ask = (FRAME_ITEMS..end).rev().find(|&at| is_ask(view, at));
    let split_turn = split_turn(view, cut, end);
    let has_few_asks = limits.has_few_asks(view, end);
    let mut last_turn = None;
    for at in FRAME_ITEMS..end {
        let Some(item) = view.items.get(at) else {
            continue;
        };
        if item.is_compaction() || item.category == Category::Rules {
            continue;
        }
        let Some(entry) = &item.entry else {
            // What repair made up goes with what it is beside.
            if at >= cut {
                plan.kept_tokens += item.tokens;
            } else {
                plan.summarized_tokens += item.tokens;
            }
            continue;
        };
        if Some(entry) == held_back {
            continue;
        }
        let is_few_ask = has_few_asks && item.is_ask();
        let is_kept = at >= cut
            || item.is_pinned()
            || item.is_restored()
            || Some(at) == newest_ask
            || is_few_ask;
        if is_kept {
            if last_turn != Some(item.turn) {
                plan.kept_turns += 1;
                last_turn = Some(item.turn);
            }
            if at < cut && is_few_ask {
                plan.kept_asks.push(entry.clone());
            }
            plan.keep(item, entry, limits, at >= cut);
        } else {
            plan.summarise(item, entry, split_turn);
        }
    }
    plan
}

/// The numbers of [`select`] without its lists, in the time of the tail: for every view.
pub(super) fn outlook(
    view: &ContextView,
    limits: TailLimits,
    kept_anyway: KeptAnyway,
) -> TailOutlook {
    let end = conversation_end(view);
    let cut = cut_position(view, limits, end);
    let mut kept = KeptItems::default();
    let mut kept_entries = HashSet::new();
    for at in cut..end {
        if let Some(item) = view.items.get(at)
            && !item.is_pinned()
            && !item.is_restored()
        {
            kept.add(item);
            kept_entries.extend(&item.entry);
        }
    }
    let is_kept_ask = |at: &usize| *at < cut && is_ask(view, *at);
    let asks: Vec<usize> = if limits.has_few_asks(view, end) {
        (FRAME_ITEMS..end).filter(is_kept_ask).collect()
    } else {
        // The message to come is the newest then, and this one is like any other.
        let newest = kept_anyway.newest_ask.filter(|_| !limits.is_before_message);
        let newest = newest.into_iter();
        newest.filter(is_kept_ask).collect()
    };
    for ask in asks.into_iter().filter_map(|at| view.items.get(at)) {
        if !ask.is_pinned() && !ask.is_restored() {
            kept.add(ask);
            kept_entries.extend(&ask.entry);
        }
    }
    let held = kept_anyway.held;
    let first = FRAME_ITEMS + usize::from(is_compaction(view, FRAME_ITEMS));
    let speaking = (end.saturating_sub(first) as u64).saturating_sub(kept_anyway.silent);
    let frame = frame_tokens(view);
    let kept_tokens = kept.tokens + held.tokens;
    let summarized_tokens = view.usage.tokens.saturating_sub(frame + kept_tokens);
    let summarized = speaking.saturating_sub(kept.speaking + held.count);
    TailOutlook {
        summarized,
        kept: kept.messages + held.count,
        tokens_after: if summarized == 0 {
            view.usage.tokens
        } else {
            let rules = view
                .rules
                .tokens_leaving(|entry| !kept_entries.contains(entry));
            frame + summary_estimate(summarized_tokens) + kept_tokens + view.ruler.scale(rules)
        },
    }
}

/// A tail under count.
#[derive(Default)]
struct KeptItems {
    messages: u64,
    /// Those that a summary would tell of.
    speaking: u64,
    tokens: u64,
}

impl KeptItems {
    fn add(&mut self, item: &ViewItem) {
        self.messages += u64::from(item.entry.is_some());
        self.speaking += u64::from(!item.disposition.adds_nothing_to_summary());
        self.tokens += item.tokens;
    }
}

/// Entries that stay wherever they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeptAnyway {
    /// Pinned and restored items.
    pub held: HeldItems,
    /// Position of the newest message that opens a turn.
    pub newest_ask: Option<usize>,
    /// Items that add nothing to a summary.
    pub silent: u64,
}

/// The effect of a compaction, in numbers.
pub(super) struct TailOutlook {
    pub summarized: u64,
    pub kept: u64,
    pub tokens_after: u64,
}

/// System, tools, the block of rules and pending input: no compaction takes them.
fn frame_tokens(view: &ContextView) -> u64 {
    let is_untouched = |category: &Category| {
        category.is_frame() || matches!(category, Category::Rules | Category::Pending)
    };
    let untouched = Category::ALL.into_iter().filter(is_untouched);
    untouched
        .map(|category| view.usage.by_category.get(category))
        .sum()
}

fn summary_estimate(summarized_tokens: u64) -> u64 {
    ((summarized_tokens as f64 * SUMMARY_SHARE) as u64).clamp(SUMMARY_RANGE.0, SUMMARY_RANGE.1)
}

/// Pending input and a streaming answer are not part of the log.
fn conversation_end(view: &ContextView) -> usize {
    let mut end = view.items.len();
    while end > FRAME_ITEMS
        && view.items.get(end - 1).is_some_and(|item| {
            item.category == Category::Pending || (item.entry.is_none() && item.role != Role::Tool)
        })
    {
        end -= 1;
    }
    end
}

/// The first kept position.
fn cut_position(view: &ContextView, limits: TailLimits, end: usize) -> usize {
    let mut cut = end;
    let most_messages = if limits.has_few_asks(view, end) {
        (limits.turns as usize).saturating_mul(FEW_ASKS_FACTOR)
    } else {
        usize::MAX
    };
    let ahead = u32::from(limits.is_before_message);
    let mut messages = ahead as usize;
    let mut tokens = 0;
    let mut turns = ahead;
    let mut turn = None;
    let mut at = end;
    while at > FRAME_ITEMS {
        let group = group_start(view, at);
        let Some(first) = view.items.get(group) else {
            break;
        };
        if first.is_compaction() || first.category == Category::Rules {
            break;
        }
        if turn != Some(first.turn) {
            turns += 1;
            if turns > limits.turns {
                break;
            }
            turn = Some(first.turn);
        }
        let group_tokens: u64 = (group..at)
            .filter_map(|at| view.items.get(at))
            .map(|item| item.tokens)
            .sum();
        // The newest group stays however large it is: what it holds was just asked for.
        let is_newest = cut == end && limits.turns > 0 && !limits.is_before_message;
        if tokens + group_tokens > limits.budget_tokens && !is_newest {
            break;
        }
        messages += 1;
        if messages > most_messages {
            break;
        }
        tokens += group_tokens;
        cut = group;
        at = group;
    }
    cut
}

/// Where the atomic group that ends before `end` begins.
fn group_start(view: &ContextView, end: usize) -> usize {
    let mut at = end - 1;
    while at > FRAME_ITEMS
        && view
            .items
            .get(at)
            .is_some_and(|item| item.role == Role::Tool)
    {
        at -= 1;
    }
    at
}

/// The turn whose beginning is cut off, when the cut is inside one.
fn split_turn(view: &ContextView, cut: usize, end: usize) -> Option<u32> {
    let first = view.items.get(cut).filter(|_| cut < end)?;
    let before = view.items.get(cut.checked_sub(1)?)?;
    (cut > FRAME_ITEMS && before.turn == first.turn && !is_ask(view, cut)).then_some(first.turn)
}

fn is_ask(view: &ContextView, at: usize) -> bool {
    view.items.get(at).is_some_and(|item| item.is_ask())
}

fn is_compaction(view: &ContextView, at: usize) -> bool {
    view.items.get(at).is_some_and(|item| item.is_compaction())
}
