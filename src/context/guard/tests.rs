//! The parts of results that the guard leaves, and the order of its cuts.

use crate::context::fixture::{Case, cuts, item, sent};
use crate::context::{Disposition, Evaluation, PrunePolicy, ShrinkMode, cut_to_budget};
use crate::transcript::{
    Compaction, CompactionDetails, Cut, CutForm, CutPhase, Decision, EntryBody, EntryId,
    TailExceptions,
};

const WINDOW: u64 = 40_000;
/// Leaves 30,000 usable tokens.
const RESERVED: u64 = 10_000;
const TOTAL: ShrinkMode = ShrinkMode {
    by_person: false,
    prune_now: false,
    tight_single: false,
    total: true,
    even_exempt: false,
};

/// Nothing but the guard shortens anything.
fn case() -> Case {
    let mut case = Case::new(WINDOW);
    case.settings.compaction.reserve.tokens = Some(RESERVED);
    case.settings.prune.policy = PrunePolicy::Off;
    case.user();
    case
}

fn guard_cuts(evaluation: &Evaluation) -> Vec<Cut> {
    let overlays = evaluation.decisions.iter();
    overlays
        .flat_map(|overlay| match overlay {
            Decision::Guard { cuts } => cuts.clone(),
            other => panic!("{other:?}"),
        })
        .collect()
}

fn ids(evaluation: &Evaluation) -> Vec<EntryId> {
    cuts(evaluation).into_iter().map(|(id, _)| id).collect()
}

#[test]
fn the_end_of_a_result_is_kept_when_it_looks_important() {
    let check = |end: &str, has_tail: bool| {
        let mut case = case();
        let body = "nothing of note\n".repeat(8_000);
        let result = case.shell_text(&format!("{body}{end}"));
        let evaluation = case.evaluate();
        let cuts = guard_cuts(&evaluation);
        let [cut] = cuts.as_slice() else {
            panic!("{cuts:?}")
        };
        let CutForm::Trim {
            head_chars,
            tail_chars,
            ..
        } = cut.form
        else {
            panic!("{cut:?}")
        };
        assert_eq!(tail_chars > 0, has_tail, "{end:?}");
        assert!(tail_chars <= 4_000 && head_chars > tail_chars, "{cut:?}");
        let text = sent(&evaluation.view, &result);
        assert_eq!(text.ends_with(end.trim_start()), has_tail, "{end:?}");
        assert!(text.starts_with("nothing of note\n"));
        assert!(text.contains("characters cut"), "a notice says so");
        assert_eq!(
            item(&evaluation.view, &result).disposition,
            Disposition::Truncated
        );
        assert!(cut.tokens_after <= WINDOW / 2);
    };
    check("the end", false);
    for word in [
        "error[E0308]",
        "Unhandled Exception",
        "2 tests FAILED",
        "fatal: not a repository",
        "Traceback (most recent call last)",
        "thread panicked: panic",
        "errno 13",
        "exit code 1",
        "total 12",
        "summary follows",
        "the result is 3",
        "Done.",
        "{\"a\": {}}\n",
    ] {
        check(word, true);
    }
    // Further from the end than anybody looks.
    check(&format!("error\n{}", "all is well\n".repeat(200)), false);
}

#[test]
fn a_cap_in_characters_holds_for_every_result_and_cuts_once() {
    let check = |max_chars: Option<usize>, expected: &[usize]| {
        let mut case = case();
        case.settings.guard.tool_output_max_chars = max_chars;
        for tokens in [100, 400, 600] {
            case.shell(tokens);
        }
        let cuts = guard_cuts(&case.evaluate());
        let found: Vec<_> = cuts
            .iter()
            .map(|cut| match cut.form {
                CutForm::Trim { head_chars, .. } => head_chars,
                CutForm::Clear { .. } | CutForm::Difference { .. } | CutForm::Arguments { .. } => 0,
            })
            .collect();
        assert_eq!(found, expected, "{max_chars:?}");
        case.settle();
    };
    check(None, &[]);
    check(Some(2_400), &[]);
    check(Some(2_000), &[2_000]);
    check(Some(1_000), &[1_000, 1_000]);
}

#[test]
fn an_uneven_text_is_tightened_until_it_fits() {
    let mut case = case();
    // Nearly all tokens are in the front: a cut in proportion keeps too many.
    let text = format!("{}{}", "上下文".repeat(8_000), "a".repeat(60_000));
    let result = case.shell_text(&text);
    let evaluation = case.evaluate();
    let cuts = guard_cuts(&evaluation);
    assert_eq!(cuts.len(), 1);
    assert_eq!(
        cuts[0].reason,
        "33004 tokens, limit 20000 (50% of the window)"
    );
    assert!(cuts[0].tokens_after <= 20_000, "{cuts:?}");
    assert!(cuts[0].tokens_after > 10_000, "not more than it takes");
    assert_eq!(
        cuts[0].tokens_after,
        item(&evaluation.view, &result).tokens,
        "what is recorded is what is counted"
    );
}

#[test]
fn an_overflow_halves_the_limit_on_single_results() {
    let mut case = case();
    let result = case.shell(15_000);
    assert_eq!(guard_cuts(&case.evaluate()), []);
    let tight = ShrinkMode {
        tight_single: true,
        ..ShrinkMode::default()
    };
    let evaluation = case.evaluate_with(tight);
    let cuts = guard_cuts(&evaluation);
    assert_eq!(cuts[0].phase, CutPhase::Overflow);
    assert!(cuts[0].tokens_after <= 10_000);
    case.record(&evaluation);
    let replayed = case.evaluate();
    assert_eq!(
        sent(&replayed.view, &result),
        sent(&evaluation.view, &result)
    );
    assert_eq!(case.evaluate_with(tight).decisions, []);
}

#[test]
fn without_a_window_nothing_is_too_large() {
    let mut case = case();
    case.window_tokens = 0;
    case.shell(500_000);
    assert_eq!(case.evaluate_with(TOTAL).decisions, []);
    case.settings.guard.tool_output_max_chars = Some(100);
    assert_eq!(guard_cuts(&case.evaluate()).len(), 1, "characters count");
}

#[test]
fn the_total_guard_acts_at_its_line_and_stops_at_its_target() {
    let check = |share: Option<f64>, results: usize, expected: usize| {
        let mut case = case();
        case.settings.guard.total_share = share;
        let all: Vec<_> = (0..results).map(|_| case.shell(2_000)).collect();
        let evaluation = case.evaluate_with(TOTAL);
        assert_eq!(ids(&evaluation), all[..expected], "oldest first");
        if expected > 0 {
            let tokens = evaluation.view.usage.tokens;
            assert!(tokens <= WINDOW * 6 / 10 && tokens > WINDOW * 6 / 10 - 2_100);
        }
        assert_eq!(case.evaluate().decisions, [], "only under pressure");
    };
    // The load line is at 30,000 (three quarters), the margin without evidence 1.2.
    check(None, 12, 0);
    check(None, 13, 2);
    check(Some(0.9), 13, 0);
    check(Some(0.6), 12, 1);
}

#[test]
fn the_total_guard_spares_the_newest_two_groups_though_it_is_not_enough() {
    let mut case = case();
    let old = case.batch(&[3_000, 3_000]);
    let middle = case.batch(&[7_000, 7_000, 3_000]);
    let newest = case.batch(&[8_000, 8_000]);
    let evaluation = case.evaluate_with(TOTAL);
    assert_eq!(ids(&evaluation), old, "a group is an answer, not a result");
    assert!(evaluation.view.usage.tokens > WINDOW * 6 / 10);
    for spared in middle.iter().chain(&newest) {
        assert_eq!(
            item(&evaluation.view, spared).disposition,
            Disposition::Sent
        );
    }
}

#[test]
fn exempt_results_go_last_oldest_first_and_only_in_the_last_attempt() {
    let mut case = case();
    let tiny = case.shell(1);
    let pinned = case.shell(9_000);
    let restored = case.shell(9_000);
    let old = case.shell(4_000);
    let newest = [case.shell(4_000), case.shell(9_000)];
    case.pin(&pinned);
    case.restore(&restored);
    let evaluation = case.evaluate_with(TOTAL);
    assert_eq!(ids(&evaluation), std::slice::from_ref(&old));
    let last = ShrinkMode {
        even_exempt: true,
        ..TOTAL
    };
    let [a, b] = newest;
    let evaluation = case.evaluate_with(last);
    assert_eq!(ids(&evaluation), [old.clone(), a.clone(), b.clone()]);
    let kept = item(&evaluation.view, &tiny).disposition;
    assert_eq!(kept, Disposition::Sent, "a placeholder would be larger");
    // Another pin that makes the rest not enough.
    let third = case.shell(9_000);
    case.pin(&third);
    let evaluation = case.evaluate_with(last);
    assert_eq!(
        ids(&evaluation),
        [pinned, old, a, b],
        "of the exempt ones as few as it takes, the oldest"
    );
    let settled = {
        case.record(&evaluation);
        case.evaluate()
    };
    assert_eq!(settled.decisions, []);
    assert_eq!(settled.view.usage.tokens, evaluation.view.usage.tokens);
}

#[test]
fn a_trailing_result_is_cut_to_what_a_compaction_keeps_and_whole_again_without_it() {
    let mut case = case();
    let result = case.shell(10_000);
    let view = case.evaluate().view;
    let Some(Decision::Guard { cuts }) = cut_to_budget(&view, &result, 2_000, None, None) else {
        panic!("nothing was cut")
    };
    let cut = case.push(EntryBody::Decision(Decision::Guard { cuts }));
    let whole = item(&view, &result).tokens;
    let tokens = |case: &mut Case| item(&case.evaluate().view, &result).tokens;
    assert_eq!(tokens(&mut case), whole, "no compaction holds the cut");
    let compaction = case.push(EntryBody::Compaction(Box::new(Compaction {
        first_kept: case.transcript.get(&result).unwrap().parent.clone(),
        details: CompactionDetails {
            exceptions: TailExceptions {
                cut_entry: Some(cut),
                ..TailExceptions::default()
            },
            ..CompactionDetails::default()
        },
        ..Compaction::default()
    })));
    let cut = tokens(&mut case);
    assert!((1_800..=2_100).contains(&cut), "{cut}");
    let view = case.evaluate().view;
    assert!(
        cut_to_budget(&view, &result, 1_000, None, None).is_none(),
        "cut before"
    );
    let undo = case.push(EntryBody::Decision(Decision::Undo { target: compaction }));
    assert_eq!(tokens(&mut case), whole, "undone with its compaction");
    case.push(EntryBody::Decision(Decision::Undo { target: undo }));
    assert_eq!(tokens(&mut case), cut, "and put back with it");
    let user = view.items.iter().find(|item| item.is_ask());
    let user = user.and_then(|item| item.entry.clone()).unwrap();
    assert!(cut_to_budget(&view, &user, 1, None, None).is_none());
}

#[test]
fn what_was_recalled_goes_before_older_results_under_the_total_guard() {
    let mut case = case();
    let old: Vec<_> = (0..8).map(|_| case.shell(2_000)).collect();
    let copy = case.call("recall", serde_json::json!({"id": "r3"}), 2_000, false);
    for _ in 0..4 {
        case.shell(2_000);
    }
    let evaluation = case.evaluate_with(TOTAL);
    assert_eq!(ids(&evaluation), [old[0].clone(), copy.clone()]);
    case.record(&evaluation);
    assert_eq!(case.evaluate_with(TOTAL).decisions, []);
}

#[test]
fn a_result_that_a_compaction_cuts_names_where_the_original_is() {
    let mut case = case();
    let result = case.shell(6_000);
    let view = case.evaluate().view;
    let notice = |address| {
        let cut = cut_to_budget(&view, &result, 1_000, None, address);
        let Some(Decision::Guard { cuts }) = cut else {
            panic!("{cut:?}")
        };
        let CutForm::Trim { notice, .. } = cuts[0].form.clone() else {
            panic!("{cuts:?}")
        };
        notice
    };
    assert!(!notice(None).contains("recall"));
    let address = crate::context::recall::RecallAddress::of(&case.transcript, &result);
    assert!(
        notice(address).ends_with(" · recall r3 …]"),
        "{}",
        notice(address)
    );
}
