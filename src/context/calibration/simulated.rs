//! A provider that counts in a way of its own: how well the next request is foretold after
//! ten of them, and whether what is fixed and what grows are told apart.

use std::sync::Arc;

use super::median;
use crate::context::fixture::{CHARS_PER_TOKEN, Case};
use crate::context::{ContextView, PrunePolicy};
use crate::transcript::{
    AssistantPart, Compaction, CompactionDetails, EntryBody, ExpectedTokens, Measurement,
    StopReason, Usage, UsageSample,
};

const SEEDS: u64 = 12;
const REQUESTS: u64 = 10;

/// Numbers that look random and are the same every time.
struct SeededDice(u64);

impl SeededDice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.below(10_001) as f64 / 10_000.0
    }
}

/// How a session grows.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Growth {
    /// Some thousand tokens with each request.
    Steady,
    /// Small steps, and now and then a very large result.
    Jumps,
    /// Small questions and answers: requests of nearly one size.
    Talk,
    /// Old results are cleared in the middle.
    Pruned,
    /// A summary takes the place of the first half.
    Compacted,
}

/// Counts characters per token, differently for each item, and a fixed part.
struct SimulatedProvider {
    fixed_tokens: f64,
    chars_per_token: f64,
    seed: u64,
}

impl SimulatedProvider {
    fn new(seed: u64) -> Self {
        let mut dice = SeededDice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        dice.below(2);
        Self {
            fixed_tokens: dice.between(8_000.0, 18_000.0),
            chars_per_token: dice.between(2.4, 3.6),
            seed,
        }
    }

    /// The count of a request with this view.
    fn count(&self, view: &ContextView) -> u64 {
        let mut sum = self.fixed_tokens;
        for (at, item) in view.items.iter().enumerate() {
            // Of two texts of one length one has a tenth more tokens than the other.
            let mut dice = SeededDice((self.seed * 1_000 + at as u64) * 0x9e37_79b9 + 7);
            dice.below(2);
            let chars = item.estimate_tokens as f64 * CHARS_PER_TOKEN as f64;
            sum += chars / (self.chars_per_token * dice.between(0.9, 1.1));
        }
        sum as u64
    }

    fn factor(&self) -> f64 {
        CHARS_PER_TOKEN as f64 / self.chars_per_token
    }
}

/// One request: the provider counts it, answers, and the sample is recorded.
fn ask(case: &mut Case, provider: &SimulatedProvider, dice: &mut SeededDice) {
    let settled = case.settle();
    let counted = provider.count(&settled.view);
    let cached = dice.below(counted);
    let stored = dice.below(counted - cached);
    let items = settled.view.items.iter();
    let estimate_tokens = items.map(|item| item.estimate_tokens).sum();
    let usage = Usage {
        input_tokens: counted - cached - stored,
        cache_read_tokens: cached,
        cache_write_tokens: stored,
        output_tokens: 20,
        expected: Some(ExpectedTokens::text(estimate_tokens)),
        ..Usage::default()
    };
    let sample = UsageSample {
        provider: "p".into(),
        model: "m".into(),
        ruler: settled.view.ruler.name.to_owned(),
        estimate_tokens,
        actual_tokens: usage.prompt_tokens(),
        refused: false,
    };
    let said = vec![AssistantPart::Text("I shall look at the next one.".into())];
    case.answer_with(said, StopReason::Stop, Some(usage));
    case.push(EntryBody::Measurement(Measurement::Usage(sample)));
}

fn grow(case: &mut Case, growth: Growth, request: u64, dice: &mut SeededDice) {
    let tokens = match growth {
        Growth::Jumps if request % 4 == 2 => 15_000 + dice.below(25_000),
        Growth::Jumps => 100 + dice.below(900),
        Growth::Talk => 5 + dice.below(60),
        _ => 800 + dice.below(5_000),
    };
    if growth == Growth::Talk {
        case.say(&"word ".repeat(tokens as usize));
    } else {
        case.shell(tokens as usize);
    }
}

fn session(growth: Growth, provider: &SimulatedProvider) -> Case {
    let mut dice = SeededDice(provider.seed * 77 + 13);
    let mut case = Case::new(1_000_000);
    case.system = Arc::from("You are a helpful assistant. ".repeat(20));
    if growth == Growth::Pruned {
        // The second half of the session is above the level from which results are cleared.
        case.window_tokens = 45_000;
        case.settings.prune.hard.min_prunable_chars = 10_000;
        case.settings.compaction.auto = false;
    } else {
        case.settings.prune.policy = PrunePolicy::Off;
    }
    let first = case.say("Find out why the build fails and fix it.");
    for request in 0..REQUESTS {
        ask(&mut case, provider, &mut dice);
        if growth == Growth::Compacted && request == REQUESTS / 2 {
            let compaction = Compaction {
                summary: "The build failed because of a missing brace. ".repeat(30),
                first_kept: Some(case.transcript.leaf().unwrap_or(&first).clone()),
                tokens_before: 50_000,
                details: CompactionDetails::default(),
                from_hook: false,
            };
            case.push(EntryBody::Compaction(Box::new(compaction)));
        }
        grow(&mut case, growth, request, &mut dice);
    }
    case
}

/// Off by this share of what the provider counts: the view, and the line alone, as it is
/// all there is when what was counted has gone stale.
fn errors(case: &mut Case, provider: &SimulatedProvider) -> (f64, f64) {
    let view = case.settle().view;
    assert!(!view.usage.exact);
    assert_eq!(view.ruler.samples, REQUESTS);
    let actual = provider.count(&view) as f64;
    let estimate: u64 = view.items.iter().map(|item| item.estimate_tokens).sum();
    let line = view.ruler.fixed_tokens + view.ruler.calibration * estimate as f64;
    let off = |tokens: f64| (tokens - actual).abs() / actual;
    (off(view.usage.tokens as f64), off(line))
}

fn check(growth: Growth) -> Vec<Case> {
    let mut cases = Vec::new();
    let (mut views, mut lines) = (Vec::new(), Vec::new());
    for seed in 1..=SEEDS {
        let provider = SimulatedProvider::new(seed);
        let mut case = session(growth, &provider);
        let (view, line) = errors(&mut case, &provider);
        views.push(view);
        lines.push(line);
        cases.push(case);
    }
    let worst = |errors: &[f64]| errors.iter().copied().fold(0.0, f64::max);
    let (worst_view, worst_line) = (worst(&views), worst(&lines));
    assert!(
        worst_view < 0.1 && worst_line < 0.15,
        "{growth:?}: {worst_view} {worst_line}"
    );
    let (view, line) = (median(views).unwrap(), median(lines).unwrap());
    assert!(view < 0.05 && line < 0.05, "{growth:?}: {view} {line}");
    cases
}

fn check_separated(growth: Growth) {
    for (seed, case) in (1..=SEEDS).zip(check(growth)) {
        let provider = SimulatedProvider::new(seed);
        let ruler = case.evaluate().view.ruler;
        let fixed = (ruler.fixed_tokens - provider.fixed_tokens).abs() / provider.fixed_tokens;
        let factor = (ruler.calibration - provider.factor()).abs() / provider.factor();
        assert!(
            fixed < 0.15 && factor < 0.15,
            "{growth:?} {seed}: {fixed} {factor}"
        );
        assert!(ruler.margin < 1.1, "{growth:?} {seed}: {}", ruler.margin);
    }
}

#[test]
fn a_session_that_grows_steadily_is_foretold_and_taken_apart() {
    check_separated(Growth::Steady);
}

#[test]
fn large_jumps_are_foretold_and_taken_apart() {
    check_separated(Growth::Jumps);
}

#[test]
fn a_prune_in_the_middle_changes_nothing_about_it() {
    for case in check(Growth::Pruned) {
        let cleared = case.evaluate().view.prune.cleared;
        assert!(cleared > 0, "something was pruned");
    }
}

#[test]
fn nor_does_a_compaction() {
    check_separated(Growth::Compacted);
}

#[test]
fn requests_of_nearly_one_size_are_foretold_though_nothing_says_what_grows() {
    for case in check(Growth::Talk) {
        let ruler = case.evaluate().view.ruler;
        assert!(ruler.fixed_tokens > 6_000.0, "{ruler:?}");
    }
}
