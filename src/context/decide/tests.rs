//! The order of the steps, and by which numbers they decide.

use std::sync::Arc;

use crate::context::fixture::{Case, NOW, cuts, item, sent};
use crate::context::ruler::Approximate;
use crate::context::{Disposition, Evaluation, Gate, GateKind, ShrinkMode, ViewAssembler};
use crate::transcript::{AssistantPart, CutPhase, Decision, PromptCache, StopReason, ToolSchema};

const WINDOW: u64 = 40_000;
/// Leaves 30,000 usable tokens.
const RESERVED: u64 = 10_000;

fn names(evaluation: &Evaluation) -> Vec<&'static str> {
    let overlays = evaluation.decisions.iter();
    overlays
        .map(|overlay| match overlay {
            Decision::Guard { cuts } => cuts[0].phase.name(),
            Decision::Prune { .. } => "prune",
            Decision::Media { .. } => "media",
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn single_guard_then_prune_then_media_then_total_guard() {
    let mut case = Case::new(WINDOW);
    case.settings.media.keep_turns = 0;
    case.settings.media.keep_groups = 1;
    let picture = case.show("old.png");
    case.answer("Seen.");
    case.say(&"w".repeat(24_000 * 4));
    let large = case.shell(25_000);
    let spared: Vec<_> = (0..3).map(|_| case.shell(3_000)).collect();
    let pressure = ShrinkMode {
        total: true,
        ..ShrinkMode::default()
    };
    let evaluation = case.evaluate_with(pressure);
    assert_eq!(names(&evaluation), ["single", "prune", "media", "total"]);
    let view = &evaluation.view;
    assert_eq!(item(view, &large).disposition, Disposition::Cleared);
    assert_eq!(item(view, &picture).disposition, Disposition::MediaStripped);
    assert_eq!(item(view, &spared[0]).disposition, Disposition::Cleared);
    assert_eq!(item(view, &spared[1]).disposition, Disposition::Sent);
    // Each step starts from what the one before left.
    let Decision::Prune { cuts, .. } = &evaluation.decisions[1] else {
        panic!("{:?}", evaluation.decisions)
    };
    assert!(cuts[0].tokens_before <= WINDOW / 2, "{cuts:?}");
    case.record(&evaluation);
    let again = case.evaluate_with(pressure);
    assert_eq!(again.decisions, []);
    assert_eq!(again.view.usage, evaluation.view.usage);
}

/// Results of 900 tokens, `tokens` in all, and a provider that counted otherwise.
fn counted_otherwise(tokens: usize, counted: u64) -> Case {
    let mut case = Case::new(WINDOW);
    case.user();
    for _ in 0..tokens / 900 {
        case.shell(900);
    }
    case.protected_end();
    case.answer_counted("Well.", counted);
    case
}

#[test]
fn decisions_hold_by_the_numbers_that_hold_afterwards() {
    let check = |tokens, counted, is_pruned: bool| {
        let mut case = counted_otherwise(tokens, counted);
        let evaluation = case.evaluate();
        let is_exact = evaluation.view.usage.exact;
        assert_eq!(
            !evaluation.decisions.is_empty(),
            is_pruned,
            "{tokens} {counted}"
        );
        assert_eq!(is_exact, !is_pruned, "what was counted stays counted");
        let settled = case.settle();
        assert_eq!(settled.view.usage, evaluation.view.usage);
    };
    // Cleared from 20,000 tokens on: both say no, both say yes.
    check(15_000, 16_000, false);
    check(25_000, 26_000, true);
    // The count alone says yes, and what was counted holds after the cut as well.
    check(15_000, 26_000, true);
    // The estimate alone says yes: what was counted is what is sent.
    check(25_000, 16_000, false);
}

/// A warm cache, and results that a prune would shorten by about 7,000 tokens each.
fn warm(results: usize) -> Case {
    let mut case = Case::new(WINDOW);
    case.settings.compaction.reserve.tokens = Some(RESERVED);
    case.cache = PromptCache::Ttl;
    case.user();
    for _ in 0..results {
        case.shell(8_000);
    }
    case.protected_end();
    case
}

#[test]
fn a_forced_prune_has_to_free_enough() {
    let check = |min_gain: f64, expected: usize| {
        let mut case = warm(3);
        case.settings.prune.force_min_gain = min_gain;
        let evaluation = case.evaluate();
        assert_eq!(evaluation.view.prune.gate, Gate::Forced);
        assert_eq!(cuts(&evaluation).len(), expected, "{min_gain}");
        let report = &evaluation.view.prune;
        assert_eq!(report.would_free == 0, expected > 0);
        assert_eq!(report.cache_given_up == 0, expected == 0);
        // Whoever asks for it gets it, worth it or not.
        let asked = case.evaluate_with(ShrinkMode {
            prune_now: true,
            ..ShrinkMode::default()
        });
        assert_eq!(cuts(&asked).len(), 3);
    };
    // 21,700 of 30,000 usable tokens are freed.
    check(0.0, 3);
    check(0.7, 3);
    check(0.75, 0);
    check(1.0, 0);
}

#[test]
fn a_warm_cache_waits_and_says_what_would_be_won_and_lost() {
    let case = warm(2);
    let waiting = case.evaluate();
    let report = &waiting.view.prune;
    assert_eq!(report.gate, Gate::Warm);
    assert_eq!(waiting.decisions, []);
    assert_eq!(
        (report.trimmed, report.cleared, report.tokens_saved),
        (0, 0, 0)
    );
    assert_eq!(report.cache_secs_left, Some(299));
    let asked = case.evaluate_with(ShrinkMode {
        prune_now: true,
        ..ShrinkMode::default()
    });
    let freed = waiting.view.usage.tokens - asked.view.usage.tokens;
    assert!(
        report.would_free.abs_diff(freed) < freed / 20,
        "{} {freed}",
        report.would_free
    );
    assert_eq!(report.would_give_up, asked.view.prune.cache_given_up);
    // Everything after the user message and the first call is paid again.
    assert!(report.would_give_up > 16_000 && report.would_give_up < waiting.view.usage.tokens);
}

#[test]
fn only_what_the_provider_has_seen_is_given_up() {
    let mut case = warm(2);
    case.answer_counted("Well.", case.evaluate().view.usage.tokens);
    let seen = case.evaluate().view.prune.would_give_up;
    case.say(&"w".repeat(2_000));
    assert_eq!(case.evaluate().view.prune.would_give_up, seen);
}

#[test]
fn the_cache_decides_when_the_gate_opens() {
    let check = |cache, age_secs, gate: Gate, gives_up: bool| {
        let mut case = warm(2);
        case.cache = cache;
        case.age_secs = age_secs;
        let evaluation = case.evaluate();
        let report = &evaluation.view.prune;
        assert_eq!(report.gate, gate, "{cache:?} {age_secs}");
        assert_eq!(evaluation.decisions.is_empty(), gate == Gate::Warm);
        let lost = report.cache_given_up + report.would_give_up;
        assert_eq!(lost > 0, gives_up, "{cache:?} {age_secs}");
    };
    check(PromptCache::Ttl, 1, Gate::Warm, true);
    check(PromptCache::Ttl, 300, Gate::Cold, false);
    check(PromptCache::None, 1, Gate::Cold, false);
    check(PromptCache::Prefix, 9_999, Gate::Warm, true);
    let mut case = warm(2);
    case.settings.prune.gate = GateKind::Always;
    let always = case.evaluate();
    assert_eq!(cuts(&always).len(), 2);
    assert!(
        always.view.prune.cache_given_up > 0,
        "the cache is warm all the same"
    );
    case.settings.prune.gate = GateKind::Off;
    let off = case.evaluate();
    assert_eq!((off.view.prune.gate, off.decisions.len()), (Gate::Off, 0));
}

#[test]
fn nothing_is_pruned_twice() {
    let mut case = warm(3);
    case.settings.prune.gate = GateKind::Always;
    let settled = case.settle();
    assert_eq!(settled.view.prune.trimmed, 3);
    assert!(settled.view.prune.tokens_saved > 20_000);
    let Some(Decision::Prune { cuts, .. }) = warm(3)
        .evaluate_with(ShrinkMode {
            prune_now: true,
            ..ShrinkMode::default()
        })
        .decisions
        .pop()
    else {
        panic!("asked for")
    };
    assert!(cuts.iter().all(|cut| cut.phase == CutPhase::Soft));
}

#[test]
fn a_prune_says_how_much_signed_reasoning_it_costs_before_and_after() {
    let signed = |case: &mut Case| {
        let thinking = AssistantPart::Thinking {
            text: "hm".to_owned(),
            signature: Some("s".to_owned()),
        };
        let said = AssistantPart::Text("well".to_owned());
        case.answer_with(vec![thinking, said], StopReason::Stop, None)
    };
    let lost = |is_bound: bool, is_forced: bool| {
        let mut case = Case::new(WINDOW);
        case.settings.compaction.reserve.tokens = Some(RESERVED);
        case.cache = PromptCache::Ttl;
        case.user();
        // Before what is pruned: it stays bound to what it was.
        signed(&mut case);
        case.shell(8_000);
        case.shell(8_000);
        case.protected_end();
        signed(&mut case);
        case.user();
        signed(&mut case);
        let mut around = case.around();
        Arc::make_mut(&mut around.model.reasoning).is_bound = is_bound;
        let mode = ShrinkMode {
            prune_now: is_forced,
            ..ShrinkMode::default()
        };
        let mut assembler =
            ViewAssembler::new(Arc::new(case.settings.clone()), Arc::new(Approximate));
        let evaluation = assembler.evaluate(&case.transcript, &around, NOW, mode);
        let report = evaluation.view.prune;
        let recorded = evaluation.decisions.iter().map(|decision| match decision {
            Decision::Prune { reasoning_lost, .. } => *reasoning_lost,
            other => panic!("{other:?}"),
        });
        assert_eq!(recorded.sum::<u64>(), report.reasoning_lost);
        (report.would_lose_reasoning, report.reasoning_lost)
    };
    assert_eq!(lost(true, false), (2, 0));
    assert_eq!(lost(true, true), (0, 2));
    assert_eq!(lost(false, false), (0, 0));
    assert_eq!(lost(false, true), (0, 0));
}

/// Where the model can recall, a cut names where the original is, in few tokens, and the same
/// bytes are sent ever after.
#[test]
fn cuts_name_the_address_of_the_original_where_there_is_a_tool_to_ask_with() {
    let mut case = Case::new(WINDOW);
    case.user();
    let old = case.shell(12_000);
    case.shell(12_000);
    case.protected_end();
    let evaluate = |case: &Case, tools: &[&str]| {
        let mut around = case.around();
        let schema = |name: &&str| ToolSchema {
            name: (*name).to_owned(),
            description: String::new(),
            parameters: serde_json::json!({"type": "object"}),
        };
        around.tools = tools.iter().map(schema).collect();
        let settings = Arc::new(case.settings.clone());
        let mut assembler = ViewAssembler::new(settings, Arc::new(Approximate));
        assembler.evaluate(&case.transcript, &around, NOW, ShrinkMode::default())
    };
    let without = evaluate(&case, &["read"]);
    assert!(!sent(&without.view, &old).contains("recall"));
    let with = evaluate(&case, &["read", "recall"]);
    let text = sent(&with.view, &old);
    assert!(text.contains(" · recall r3"), "{text}");
    let (before, after) = (item(&without.view, &old), item(&with.view, &old));
    assert!(after.tokens <= before.tokens + 8, "{before:?} {after:?}");
    case.record(&with);
    let again = evaluate(&case, &["read", "recall"]);
    assert_eq!(again.decisions, []);
    assert_eq!(sent(&again.view, &old), text);
    assert_eq!(again.view.usage, with.view.usage);
}
