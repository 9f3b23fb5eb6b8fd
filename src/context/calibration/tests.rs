//! What measured requests teach, on sessions as they are: mostly tool output, with a
//! large fixed part that no estimate sees.

use std::sync::Arc;

use super::{Calibration, median};
use crate::context::fixture::{Case, NOW, item};
use crate::context::ruler::{Approximate, Bpe, Ruler};
use crate::context::{ContextView, PrunePolicy, ShrinkMode, ViewAssembler};
use crate::transcript::{Encoding, EntryBody, Measurement, UsageSample};

/// What a provider counts beyond the conversation.
const FIXED_TOKENS: f64 = 15_000.0;
/// Numbers of a provider's noise, ±3%, that look random and are the same every time.
fn noise(seed: u64) -> f64 {
    let mut x = seed
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(0x1234_5678);
    x ^= x >> 31;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 29;
    (x % 6_001) as f64 / 100_000.0 - 0.03
}

fn counted(estimate_tokens: u64, factor: f64, seed: u64) -> u64 {
    let exact = FIXED_TOKENS + factor * estimate_tokens as f64;
    (exact * (1.0 + noise(seed))) as u64
}

/// A session in which each request reads or runs something; after each of `requests`
/// its provider reported what it counted.
fn tool_heavy(requests: u64, factor: f64, seed: u64, ruler: &str) -> Case {
    let mut case = Case::new(1_000_000);
    case.settings.prune.policy = PrunePolicy::Off;
    case.system = Arc::from("You are a helpful assistant.");
    case.say("Find out why the build fails and fix it.");
    for n in 0..requests {
        let tokens = 800 + (n * 7 + seed * 13) % 9 * 700;
        case.shell(tokens as usize);
        let estimate = estimate(&case.evaluate().view);
        case.push(EntryBody::Measurement(Measurement::Usage(UsageSample {
            provider: "p".into(),
            model: "m".into(),
            ruler: ruler.to_owned(),
            estimate_tokens: estimate,
            actual_tokens: counted(estimate, factor, seed * 100 + n),
            refused: false,
        })));
    }
    case
}

fn estimate(view: &ContextView) -> u64 {
    view.items.iter().map(|item| item.estimate_tokens).sum()
}

#[test]
fn after_ten_requests_the_next_is_foretold_within_five_percent() {
    let mut errors = Vec::new();
    let mut fixed = Vec::new();
    for seed in 0..12 {
        let factor = 1.2 + (seed % 4) as f64 * 0.1;
        let mut case = tool_heavy(10, factor, seed, Approximate.name());
        // The next request holds one more result that nobody counted.
        case.shell(3_000);
        let view = case.evaluate().view;
        assert!(!view.usage.exact);
        let actual = FIXED_TOKENS + factor * estimate(&view) as f64;
        errors.push((view.usage.tokens as f64 - actual).abs() / actual);
        fixed.push((view.ruler.fixed_tokens - FIXED_TOKENS).abs() / FIXED_TOKENS);
        assert_eq!(view.ruler.samples, 10);
        assert!(view.ruler.margin < 1.1, "{}", view.ruler.margin);
    }
    let worst = errors.iter().copied().fold(0.0, f64::max);
    assert!(median(errors).unwrap() < 0.05);
    assert!(worst < 0.1, "{worst}");
    assert!(median(fixed).unwrap() < 0.1);
}

#[test]
fn without_calibration_the_same_request_is_far_off() {
    let mut case = tool_heavy(10, 1.4, 1, "another ruler");
    case.shell(3_000);
    let view = case.evaluate().view;
    assert_eq!((view.ruler.samples, view.ruler.margin), (0, 1.2));
    let actual = FIXED_TOKENS + 1.4 * estimate(&view) as f64;
    assert!((view.usage.tokens as f64) < actual * 0.7);
}

#[test]
fn what_was_learnt_before_the_tables_were_loaded_is_not_lost() {
    let case = tool_heavy(10, 1.4, 2, Approximate.name());
    let exact: Arc<dyn Ruler> = Arc::new(Bpe::new(Encoding::O200k));
    let mut assembler = ViewAssembler::new(Arc::new(case.settings.clone()), exact);
    let evaluation =
        assembler.evaluate(&case.transcript, &case.around(), NOW, ShrinkMode::default());
    let report = evaluation.view.ruler;
    assert_eq!((report.name, report.samples), ("o200k_base", 10));
    assert!((report.fixed_tokens - FIXED_TOKENS).abs() < FIXED_TOKENS * 0.2);
}

#[test]
fn stand_ins_give_way_to_enough_samples_of_its_own() {
    let mut calibration = Calibration::default();
    for n in 1..=6 {
        calibration.add_stand_in(1_000 * n, 3_000 * n);
    }
    assert!((calibration.fit().factor() - 3.0).abs() < 1e-9);
    for n in 1..=3 {
        calibration.add(1_000 * n, 1_500 * n);
    }
    assert!(calibration.fit().factor() > 1.5, "three are too few");
    calibration.add(4_000, 6_000);
    assert!((calibration.fit().factor() - 1.5).abs() < 1e-9);
}

/// What an earlier session of a model left: `fixed` + 1.4 × estimate.
fn earlier(samples: u64, fixed: u64) -> Arc<[UsageSample]> {
    let sample = |n: u64| UsageSample {
        provider: "p".into(),
        model: "m".into(),
        ruler: Approximate.name().to_owned(),
        estimate_tokens: 5_000 * n,
        actual_tokens: fixed + 7_000 * n,
        refused: false,
    };
    (1..=samples).map(sample).collect()
}

fn view_with(case: &Case, samples: &Arc<[UsageSample]>) -> ContextView {
    let mut request_context = case.around();
    request_context.samples = Arc::clone(samples);
    let settings = Arc::new(case.settings.clone());
    ViewAssembler::new(settings, Arc::new(Approximate))
        .evaluate(
            &case.transcript,
            &request_context,
            NOW,
            ShrinkMode::default(),
        )
        .view
}

#[test]
fn a_new_session_begins_with_what_earlier_ones_learnt() {
    let mut case = Case::new(1_000_000);
    case.system = Arc::from("You are a helpful assistant.");
    case.say("Go on where the other session stopped.");
    let view = view_with(&case, &earlier(9, 20_000));
    assert_eq!(view.ruler.samples, 9);
    assert!((view.ruler.fixed_tokens - 20_000.0).abs() < 1.0);
    assert!((view.ruler.calibration - 1.4).abs() < 1e-9);
    assert!((view.ruler.margin - 1.03).abs() < 1e-9);
    assert!((20_000..20_100).contains(&view.usage.tokens));
    let mut other = case.around();
    other.samples = earlier(9, 20_000);
    other.model.model.model = "another".into();
    let settings = Arc::new(case.settings.clone());
    let view = ViewAssembler::new(settings, Arc::new(Approximate))
        .evaluate(&case.transcript, &other, NOW, ShrinkMode::default())
        .view;
    assert_eq!(view.ruler.samples, 0, "they are about one model");
}

#[test]
fn what_this_session_counts_takes_the_place_of_what_earlier_ones_did() {
    let case = tool_heavy(10, 1.3, 4, Approximate.name());
    let alone = view_with(&case, &Arc::default());
    let with = view_with(&case, &earlier(32, 18_000));
    assert!((with.ruler.fixed_tokens - alone.ruler.fixed_tokens).abs() < 1e-9);
    assert_eq!(with.ruler.samples, alone.ruler.samples + 32);
}

#[test]
fn nothing_is_learnt_where_the_margin_is_given() {
    let mut case = Case::new(1_000_000);
    case.settings.ruler_margin = Some(1.0);
    case.say("hello");
    let view = view_with(&case, &earlier(9, 20_000));
    assert_eq!(view.ruler.samples, 0);
    assert!(view.usage.tokens < 100);
}

#[test]
fn requests_of_one_size_say_nothing_about_growth() {
    let mut calibration = Calibration::default();
    for n in 0..8 {
        calibration.add(1_000 + n * 3, 31_000 + (n * 37) % 400);
    }
    let fit = calibration.fit();
    assert!((fit.factor() - 1.0).abs() < 1e-9, "{fit:?}");
    assert!((fit.fixed_tokens() - 30_100.0).abs() < 300.0, "{fit:?}");
}

#[test]
fn the_fixed_part_belongs_to_system_and_tools() {
    let case = tool_heavy(10, 1.3, 3, Approximate.name());
    let view = case.evaluate().view;
    let system = view.items.get(0).map_or(0, |item| item.tokens) as f64;
    assert!(
        (system - FIXED_TOKENS).abs() < FIXED_TOKENS * 0.2,
        "{system}"
    );
    let ask = case.transcript.entries()[0].id.clone();
    assert!(item(&view, &ask).tokens < 50, "no message pays for it");
}

#[test]
fn margin_shrinks_with_evidence_and_never_grows_beyond_the_first() {
    let mut calibration = Calibration::default();
    assert!((calibration.fit().margin() - 1.2).abs() < 1e-9);
    for n in 1..=3 {
        calibration.add(1_000 * n, 1_200 * n);
    }
    assert!((calibration.fit().factor() - 1.2).abs() < 1e-9);
    assert!((calibration.fit().margin() - 1.03).abs() < 1e-9);
}

#[test]
fn few_samples_leave_the_factor_near_that_of_the_models_family() {
    for prior in [1.0, 1.25, 1.5] {
        let mut calibration = Calibration::starting_at(prior);
        assert!((calibration.fit().factor() - prior).abs() < 1e-9);
        // A hidden prompt of 20,000 tokens: each request seems to have many times its text.
        for n in 1..=3 {
            calibration.add(8_000 * n, 20_000 + 8_000 * n);
            let factor = calibration.fit().factor();
            assert!((factor - prior * 1.25).abs() < 1e-9, "{prior}: {factor}");
        }
        calibration.add(32_000, 52_000);
        let fit = calibration.fit();
        assert!((fit.factor() - 1.0).abs() < 1e-9, "now they are told apart");
        assert!((fit.fixed_tokens() - 20_000.0).abs() < 1.0);
        let mut low = Calibration::starting_at(prior);
        low.add(10_000, 5_100);
        assert!((low.fit().factor() - prior * 0.75).abs() < 1e-9);
    }
}

#[test]
fn numbers_that_cannot_be_right_teach_nothing_wherever_they_were_kept() {
    let mut case = Case::new(1_000_000);
    case.say("hello");
    let kept: Arc<[UsageSample]> = earlier(6, 0)
        .iter()
        .map(|sample| UsageSample {
            actual_tokens: 40,
            ..sample.clone()
        })
        .collect();
    assert_eq!(view_with(&case, &kept).ruler.samples, 0);
    for sample in kept.iter() {
        case.push(EntryBody::Measurement(Measurement::Usage(sample.clone())));
    }
    let ruler = case.evaluate().view.ruler;
    assert_eq!((ruler.samples, ruler.calibration), (0, 1.0));
}

#[test]
fn fixed_part_and_growing_part_are_told_apart_despite_an_outlier() {
    let mut calibration = Calibration::default();
    for n in 1..=10 {
        let estimate = 2_000 * n;
        calibration.add(estimate, 30_000 + estimate * 14 / 10);
    }
    calibration.add(9_000, 400_000);
    assert!(
        (calibration.fit().factor() - 1.4).abs() < 0.05,
        "{}",
        calibration.fit().factor()
    );
    assert!((calibration.fit().fixed_tokens() - 30_000.0).abs() < 1_500.0);
}

#[test]
fn nothing_is_learnt_from_zeros() {
    let mut calibration = Calibration::default();
    calibration.add(0, 10);
    calibration.add(10, 0);
    calibration.add(10, u64::MAX);
    assert_eq!(calibration, Calibration::default());
}
