//! How many turns the way to the next compaction is long, by what turns have added so far.

use std::collections::BTreeMap;

use crate::context::{Category, ContextView, Disposition};
use crate::transcript::Message;

/// Fewer finished turns say nothing of the next ones.
const MIN_TURNS: usize = 5;
/// Older turns say little of the next ones.
const MAX_TURNS: usize = 32;
/// A forecast that moves by less keeps what is shown.
const STEP: u64 = 2;

/// Turns until `limit` at the median growth of the newest finished turns; `None` while there
/// are too few of them.
pub(super) fn turns_until(view: &ContextView, limit: u64) -> Option<u64> {
    let growth = median(growth_by_turn(view))?;
    limit.saturating_sub(view.usage.tokens).checked_div(growth)
}

/// What to show: a new forecast only when it moved far enough from what is shown.
pub(super) fn steady(shown: Option<u64>, now: Option<u64>) -> Option<u64> {
    match (shown, now) {
        (Some(shown), Some(now)) if shown.abs_diff(now) < STEP => Some(shown),
        _ => now,
    }
}

/// Tokens that each of the newest finished turns added when it was said: what pruning or a
/// summary has taken since counts in full.
fn growth_by_turn(view: &ContextView) -> Vec<u64> {
    let mut by_turn: BTreeMap<u32, u64> = BTreeMap::new();
    let said = || {
        let items = view.items.iter();
        items.filter(|item| item.category != Category::Pending)
    };
    let newest = said().map(|item| item.turn).max().unwrap_or(0);
    let oldest = newest.saturating_sub(MAX_TURNS as u32).max(1);
    let mut add = |turn: u32, tokens: u64| {
        if turn >= oldest {
            *by_turn.entry(turn).or_default() += tokens;
        }
    };
    for item in said() {
        if item.is_compaction() {
            continue;
        }
        let tokens = match item.disposition {
            Disposition::Trimmed | Disposition::Cleared => item.tokens_full(&view.ruler),
            _ => item.tokens,
        };
        add(item.turn, tokens);
    }
    for left in &view.left_out {
        if matches!(
            left.disposition,
            Disposition::Summarized | Disposition::Omitted
        ) {
            add(left.turn, left.tokens_full);
        }
    }
    let is_finished = said().next_back().is_none_or(|item| {
        matches!(item.sent.as_deref(), Some(Message::Assistant(answer))
            if answer.tool_calls().next().is_none())
    });
    if !is_finished {
        by_turn.remove(&newest);
    }
    by_turn.into_values().filter(|&tokens| tokens > 0).collect()
}

/// The lower median; `None` of too few.
fn median(mut growth: Vec<u64>) -> Option<u64> {
    if growth.len() < MIN_TURNS {
        return None;
    }
    growth.sort_unstable();
    growth.get((growth.len() - 1) / 2).copied()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::context::{FullSize, Role, ViewItem};
    use crate::transcript::{AssistantMessage, Author, EntryBody};
    use crate::tui::testing::view_of;

    #[test]
    fn the_forecast_goes_by_the_median_of_five_turns_or_more() {
        assert_eq!(median(vec![1_000; 4]), None);
        assert_eq!(median(vec![900, 1_000, 90_000, 1_100, 1]), Some(1_000));
        assert_eq!(median(vec![1, 2, 3, 4, 5, 6]), Some(3));
    }

    fn item(turn: u32, tokens: u64, sent: Message) -> Arc<ViewItem> {
        Arc::new(ViewItem {
            entry: None,
            role: Role::User,
            category: Category::of(&EntryBody::Message(Arc::new(sent.clone()))),
            tokens,
            estimate_tokens: tokens,
            full: FullSize::estimated(tokens),
            disposition: Disposition::Sent,
            reason: None,
            cut_by: None,
            turn,
            author: Author::Person,
            entry_override: None,
            timestamp: None,
            preview: "".into(),
            sent: Some(Arc::new(sent)),
        })
    }

    /// A view of turns of 1,000 tokens each, the newest answered or not.
    fn talk(turns: u32, is_answered: bool) -> ContextView {
        let mut view = view_of(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100_000, 0]);
        for turn in 1..=turns {
            let ask = item(turn, 300, Message::user_text("go on"));
            view.items.push_back_mut(ask);
            if turn < turns || is_answered {
                let answer = Message::Assistant(AssistantMessage::default());
                view.items.push_back_mut(item(turn, 700, answer));
            }
        }
        view
    }

    #[test]
    fn turns_are_told_from_five_finished_ones_on() {
        assert_eq!(turns_until(&talk(4, true), 180_000), None);
        assert_eq!(turns_until(&talk(5, false), 180_000), None);
        assert_eq!(turns_until(&talk(5, true), 180_000), Some(80));
        assert_eq!(turns_until(&talk(5, true), 100_999), Some(0));
        assert_eq!(turns_until(&talk(9, true), 90_000), Some(0));
        let mut typing = talk(5, true);
        let mut draft = ViewItem::clone(&item(6, 50_000, Message::user_text("draft")));
        draft.category = Category::Pending;
        typing.items.push_back_mut(Arc::new(draft));
        assert_eq!(
            turns_until(&typing, 180_000),
            Some(80),
            "what is typed is no turn"
        );
    }

    #[test]
    fn what_pruning_took_counts_as_it_was_said() {
        let mut view = talk(5, true);
        let mut cleared = ViewItem::clone(&item(5, 10, Message::user_text("big")));
        cleared.disposition = Disposition::Cleared;
        cleared.full = FullSize::estimated(3_010);
        let whole = growth_by_turn(&view);
        let last = view.items.len() - 1;
        let answer = view.items.get(last).cloned().unwrap();
        view.items.set_mut(last, Arc::new(cleared));
        view.items.push_back_mut(answer);
        let pruned = growth_by_turn(&view);
        assert_eq!(whole[..4], pruned[..4]);
        assert_eq!(pruned[4], whole[4] + 3_010);
    }

    #[test]
    fn the_shown_forecast_moves_by_two_turns_or_more() {
        let mut shown = None;
        let mut seen = Vec::new();
        for now in [9, 8, 9, 7, 6, 8, 5, 4, 2, 1, 0] {
            shown = steady(shown, Some(now));
            seen.extend(shown);
        }
        assert_eq!(seen, [9, 9, 9, 7, 7, 7, 5, 5, 2, 2, 0]);
        assert_eq!(steady(Some(7), None), None);
    }

    proptest! {
        #[test]
        fn what_is_shown_is_never_two_turns_off(forecasts in proptest::collection::vec(0_u64..200, 1..60)) {
            let mut shown = None;
            for now in forecasts {
                shown = steady(shown, Some(now));
                prop_assert!(shown.is_some_and(|shown| shown.abs_diff(now) < STEP));
            }
        }
    }
}
