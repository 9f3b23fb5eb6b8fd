//! The tail of a compaction: newest turns within a budget, and what is kept besides.

use proptest::prelude::*;

use super::{TailLimits, TailPlan, select};
use crate::context::fixture::Case;
use crate::context::{CompactionSettings, PrunePolicy, ShrinkMode};
use crate::transcript::{
    Compaction, CompactionDetails, CutForm, Decision, EntryBody, EntryId, Message, StopReason,
};

/// A window in which nothing is shortened.
fn case() -> Case {
    let mut case = Case::new(1_000_000);
    case.settings.prune.policy = PrunePolicy::Off;
    case
}

fn limits(turns: u32, budget_tokens: u64) -> TailLimits {
    TailLimits {
        is_before_message: false,
        turns,
        budget_tokens,
        few_asks: false,
    }
}

fn plan(case: &Case, limits: TailLimits) -> TailPlan {
    select(&case.evaluate().view, limits, None)
}

/// A question and the answer to it, 400 tokens and a little.
fn turn(case: &mut Case) -> [EntryId; 2] {
    [case.user(), case.answer(&"word ".repeat(320))]
}

#[test]
fn the_budget_is_a_quarter_of_usable_within_bounds_unless_it_is_set() {
    let check = |keep: Option<u64>, usable, expected| {
        let mut settings = CompactionSettings::default();
        settings.tail.tokens = keep;
        let found = TailLimits::of(&settings, usable);
        assert_eq!(found, limits(3, expected), "{keep:?} {usable}");
    };
    check(None, 4_000, 2_000);
    check(None, 40_000, 10_000);
    check(None, 180_000, 20_000);
    check(None, 0, 20_000);
    check(Some(500), 40_000, 500);
}

#[test]
fn the_newest_turns_are_kept_and_the_rest_is_history() {
    let mut case = case();
    let turns: Vec<_> = (0..5).map(|_| turn(&mut case)).collect();
    let plan = plan(&case, limits(3, 20_000));
    assert_eq!(plan.first_kept.as_ref(), Some(&turns[2][0]));
    assert_eq!(plan.history, turns[..2].concat());
    assert_eq!(plan.turn_prefix, []);
    assert_eq!((plan.kept, plan.kept_turns, plan.summarized()), (6, 3, 4));
    assert_eq!(plan.oversized, None);
}

#[test]
fn the_budget_cuts_between_turns_when_it_can() {
    let mut case = case();
    let turns: Vec<_> = (0..5).map(|_| turn(&mut case)).collect();
    let plan = plan(&case, limits(3, 900));
    assert_eq!(plan.first_kept.as_ref(), Some(&turns[3][0]));
    assert!(plan.kept_tokens <= 900);
    assert_eq!(plan.history, turns[..3].concat());
}

#[test]
fn a_long_turn_is_split_at_a_group_and_keeps_what_was_asked() {
    let mut case = case();
    let before = turn(&mut case);
    let ask = case.user();
    let groups: Vec<_> = (0..6).map(|_| case.batch(&[500, 500])).collect();
    let plan = plan(&case, limits(3, 2_500));
    // Two groups of a little more than 1,000 tokens fit.
    let first_kept = plan.first_kept.clone().unwrap();
    let answer_of = |result: &EntryId| case.transcript.get(result).unwrap().parent.clone();
    assert_eq!(Some(first_kept), answer_of(&groups[4][0]));
    assert_eq!(plan.history, before);
    assert_eq!(plan.turn_prefix.len(), 4 * 3, "an answer and two results");
    assert!(!plan.turn_prefix.contains(&ask) && !plan.history.contains(&ask));
    assert_eq!((plan.kept, plan.kept_turns), (1 + 2 * 3, 1));
}

#[test]
fn the_beginning_of_an_older_turn_goes_with_its_question() {
    let mut case = case();
    let ask = case.user();
    let results: Vec<_> = (0..4).map(|_| case.shell(500)).collect();
    let last = turn(&mut case);
    let plan = plan(&case, limits(3, 1_500));
    assert_eq!(plan.turn_prefix.first(), Some(&ask));
    assert!(!plan.turn_prefix.contains(&results[3]));
    assert_eq!(plan.history, []);
    assert!(!plan.turn_prefix.contains(&last[0]));
    assert_eq!(plan.kept_turns, 2);
}

#[test]
fn pinned_and_restored_groups_stay_wherever_they_are() {
    let mut case = case();
    let mut turns: Vec<_> = (0..4).map(|_| turn(&mut case)).collect();
    case.pin(&turns[0][1]);
    case.restore(&turns[1][0]);
    let plan = plan(&case, limits(1, 20_000));
    assert_eq!(plan.first_kept.as_ref(), Some(&turns[3][0]));
    let [_, second] = turns[1].clone();
    let [first, _] = turns[0].clone();
    let third = turns.swap_remove(2);
    assert_eq!(plan.history, [vec![first, second], third.to_vec()].concat());
    assert_eq!(plan.kept, 4);
}

#[test]
fn a_trailing_result_beyond_the_budget_is_kept_and_named() {
    let mut case = case();
    turn(&mut case);
    case.user();
    let result = case.shell(9_000);
    let found = plan(&case, limits(3, 2_000));
    assert_eq!(found.oversized, Some(result));
    assert_eq!(found.summarized(), 2, "the turn before");
    assert_eq!(plan(&case, limits(3, 20_000)).oversized, None);
}

#[test]
fn what_a_command_of_the_users_printed_is_cut_to_the_budget_like_a_result() {
    let mut case = case();
    turn(&mut case);
    case.user();
    let run = case.run(9_000);
    let found = plan(&case, limits(3, 2_000));
    assert_eq!(found.oversized.as_ref(), Some(&run));
    let view = case.evaluate().view;
    let cut = crate::context::cut_to_budget(&view, &run, 2_000, None, None);
    let Some(Decision::Guard { cuts }) = cut else {
        panic!("it is not cut");
    };
    let CutForm::Trim {
        head_chars,
        tail_chars,
        ..
    } = &cuts[0].form
    else {
        panic!("it is cleared");
    };
    let kept = head_chars + tail_chars;
    assert!((4_000..=9_000).contains(&kept), "{kept}");
}

#[test]
fn what_is_held_back_is_neither_kept_nor_summarised() {
    let mut case = case();
    let turns: Vec<_> = (0..3).map(|_| turn(&mut case)).collect();
    let held = case.user();
    let view = case.evaluate().view;
    let plan = select(&view, limits(0, 0), Some(&held));
    assert_eq!(plan.history, turns.concat());
    assert_eq!(plan.turn_prefix, []);
    assert_eq!((plan.first_kept, plan.kept), (None, 0));
}

#[test]
fn a_tail_of_nothing_keeps_the_newest_question_alone() {
    let mut case = case();
    let old = turn(&mut case);
    let newest = turn(&mut case);
    let plan = plan(&case, TailLimits::nothing());
    assert_eq!(plan.first_kept, None);
    assert_eq!((plan.kept, plan.kept_turns), (1, 1));
    let summarized = [plan.history, plan.turn_prefix].concat();
    assert_eq!(summarized, [old.to_vec(), vec![newest[1].clone()]].concat());
}

#[test]
fn nothing_is_left_to_summarise_when_all_fits_or_was_summarised() {
    let mut case = case();
    assert!(plan(&case, limits(3, 20_000)).is_empty());
    turn(&mut case);
    turn(&mut case);
    assert!(plan(&case, limits(3, 20_000)).is_empty());
    let first_kept = Some(turn(&mut case)[0].clone());
    case.push(EntryBody::Compaction(Box::new(Compaction {
        summary: "what came before".into(),
        first_kept,
        tokens_before: 1_000,
        details: CompactionDetails::default(),
        from_hook: false,
    })));
    let after = plan(&case, limits(3, 20_000));
    assert!(after.is_empty(), "a summary is not summarised: {after:?}");
}

#[test]
fn pending_input_is_no_part_of_the_tail() {
    let mut case = case();
    turn(&mut case);
    let newest = turn(&mut case);
    case.pending = Some(Message::user_text("w".repeat(9_000)).into());
    let plan = plan(&case, limits(1, 1_000));
    assert_eq!(plan.first_kept.as_ref(), Some(&newest[0]));
    assert_eq!(plan.kept, 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The gauge's forecast is what the compaction then does.
    #[test]
    fn the_outlook_has_the_numbers_of_the_plan(
        steps in prop::collection::vec((0u8..6, 1usize..900), 0..40),
        tail_turns in 0u32..5,
        budget in 0u64..4_000,
    ) {
        let mut case = case();
        case.settings.compaction.tail.turns = Some(tail_turns);
        case.settings.compaction.tail.tokens = Some(budget);
        for (kind, size) in steps {
            match kind {
                0 => { case.user(); }
                1 => { case.answer(&"w".repeat(size)); }
                2 => { case.batch(&[size, 3]); }
                3 => { let id = case.shell(size); case.pin(&id); }
                4 => { let id = case.user(); case.restore(&id); }
                _ => { case.shell(size); }
            }
        }
        let view = case.evaluate_with(ShrinkMode::default()).view;
        let plan = select(&view, limits(tail_turns, budget), None);
        let outlook = &view.compaction;
        prop_assert_eq!(outlook.would_summarize, plan.summarized());
        prop_assert_eq!(outlook.would_keep, plan.kept);
        prop_assert_eq!(outlook.tokens_after_estimate, plan.tokens_after(&view));
        if plan.summarized() == 0 {
            prop_assert_eq!(outlook.tokens_after_estimate, view.usage.tokens);
        }
    }
}

/// It was taken for the summary of a compaction: then no summary told of it.
#[test]
fn a_branch_summary_that_stands_first_is_summarised_like_what_follows_it() {
    let mut case = case();
    let branch = case.push(EntryBody::BranchSummary {
        from: None,
        summary: "ZEBRA was tried and given up".to_owned(),
    });
    let old = turn(&mut case);
    turn(&mut case);
    let plan = plan(&case, limits(1, 20_000));
    assert_eq!(plan.history[0], branch);
    assert_eq!(plan.history[1..], old);
}

#[test]
fn a_pinned_branch_summary_is_kept_and_sent_after_a_compaction() {
    let mut case = case();
    let branch = case.push(EntryBody::BranchSummary {
        from: None,
        summary: "ZEBRA was tried and given up".to_owned(),
    });
    case.push(EntryBody::Decision(Decision::Pin {
        target: branch.clone(),
    }));
    turn(&mut case);
    let kept = turn(&mut case)[0].clone();
    let plan = plan(&case, limits(1, 20_000));
    assert!(!plan.history.contains(&branch));
    case.push(EntryBody::Compaction(Box::new(Compaction {
        summary: "what came before".into(),
        first_kept: Some(kept),
        ..Compaction::default()
    })));
    let view = case.evaluate().view;
    let is_it = |entry: &Option<EntryId>| entry.as_ref() == Some(&branch);
    assert!(view.items.iter().any(|item| is_it(&item.entry)));
    assert!(view.left_out.iter().all(|left| left.entry != branch));
}

/// What is announced is what happens: the message that sets a compaction off is a kept turn.
#[test]
fn the_forecast_before_a_message_counts_it_as_a_turn() {
    let mut case = case();
    for _ in 0..6 {
        turn(&mut case);
    }
    let announced = case.evaluate().view.compaction;
    case.user();
    let happens = case.evaluate().view.compaction;
    let before = announced.before_message;
    assert_eq!(before.summarized, happens.would_summarize);
    assert!(before.summarized > announced.would_summarize);
    let after = happens.tokens_after_estimate;
    assert!(before.tokens_after_estimate.abs_diff(after) < 20, "{after}");
    assert_eq!(happens.before_message.summarized, happens.would_summarize);
}

/// The ledger counts what `/summary` says was replaced.
#[test]
fn the_messages_behind_a_summary_are_those_that_it_was_made_of() {
    let mut case = case();
    turn(&mut case);
    let dropped = case.user();
    case.answer_with(Vec::new(), StopReason::Aborted, None);
    case.push(EntryBody::Decision(Decision::Drop { target: dropped }));
    case.call("read", serde_json::json!({"path": "a"}), 50, false);
    turn(&mut case);
    for round in 0..2 {
        let kept = turn(&mut case)[0].clone();
        let planned = plan(&case, limits(1, 20_000)).summarized();
        case.push(EntryBody::Compaction(Box::new(Compaction {
            summary: "what came before".into(),
            first_kept: Some(kept),
            ..Compaction::default()
        })));
        let view = case.evaluate().view;
        let told = view
            .left_out
            .iter()
            .filter(|left| left.is_told && left.compaction.is_some());
        let earlier = if round == 0 { 0 } else { 6 };
        assert_eq!(told.count() as u64, planned + earlier, "{round}");
        turn(&mut case);
    }
}
