//! The tokens that pruning would free while the gate is closed. The number is beside every
//! view, ten times a second while an answer streams, so a long session must not pay for it.
//!
//! Of a long list only the part up to a checkpoint is looked at, which moves in steps: what
//! was found there stays true until the checkpoint or something before it changes. Its
//! position depends on the list alone, so the same list gives the same number.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{PruneInput, decide, protected_from, rough_price};
use crate::context::projection::ViewBuilder;
use crate::context::settings::PrunePolicy;

/// Below this many results the whole list is looked at every time.
const SHORT_RESULTS: usize = 256;
/// The checkpoint moves by at most this part of the results before it,
const RESULT_STEPS: usize = 64;
/// and the fill level by this part of the window.
const FILL_STEPS: u64 = 128;

/// The effect of pruning now, in rough numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PruneForecast {
    /// Tokens that it would free.
    pub freed: u64,
    /// Position of the first item that it would change.
    pub first: Option<usize>,
}

/// The newest forecast of a long list, with what it follows from.
#[derive(Debug, Default)]
pub(crate) struct ForecastCache(Option<KeptForecast>);

#[derive(Debug)]
struct KeptForecast {
    key: ForecastKey,
    /// Items before this position were looked at.
    upto: usize,
    forecast: PruneForecast,
}

#[derive(Debug, PartialEq)]
struct ForecastKey {
    results: usize,
    view_tokens: u64,
    window_tokens: Option<u64>,
    repeatable: Arc<BTreeSet<String>>,
}

/// A forecast, and whether the list was looked at for it.
pub(crate) struct ForecastReading {
    pub forecast: PruneForecast,
    pub is_fresh: bool,
}

impl ForecastCache {
    /// The effect of pruning. `is_kept` says whether later calls may build on it: the list is
    /// the projection's, unchanged.
    pub(crate) fn foresee(
        &mut self,
        input: &PruneInput<'_>,
        repeatable: &Arc<BTreeSet<String>>,
        is_kept: bool,
    ) -> ForecastReading {
        let checkpoint = checkpoint(input).filter(|_| is_kept);
        let Some((results, upto)) = checkpoint else {
            return ForecastReading {
                forecast: look(input),
                is_fresh: false,
            };
        };
        let step = (input.window_tokens.unwrap_or(0) / FILL_STEPS).max(1);
        let input = PruneInput {
            results_upto: results,
            view_tokens: input.view_tokens / step * step,
            found_tokens: input.found_tokens / step * step,
            ..*input
        };
        let key = ForecastKey {
            results,
            view_tokens: input.view_tokens,
            window_tokens: input.window_tokens,
            repeatable: Arc::clone(repeatable),
        };
        if let Some(kept) = &self.0
            && kept.key == key
            && kept.upto <= input.list.changed_from
        {
            return ForecastReading {
                forecast: kept.forecast,
                is_fresh: false,
            };
        }
        let forecast = look(&input);
        self.0 = Some(KeptForecast {
            key,
            upto,
            forecast,
        });
        ForecastReading {
            forecast,
            is_fresh: true,
        }
    }
}

fn look(input: &PruneInput<'_>) -> PruneForecast {
    let planned = decide(input, &mut |target, form| {
        input.list.scale(rough_price(target, form))
    });
    PruneForecast {
        freed: planned.iter().map(super::PlannedCut::freed).sum(),
        first: planned.iter().map(|planned| planned.at).min(),
    }
}

/// Results up to which a long list is looked at, and the position after the last of them.
fn checkpoint(input: &PruneInput<'_>) -> Option<(usize, usize)> {
    if input.settings.policy != PrunePolicy::SoftHard {
        return None;
    }
    let list = input.list;
    let newest_answer = list.index.answers.last().copied().unwrap_or(0);
    let end = protected_from(list, input.settings).min(newest_answer);
    let before = results_before(list, end);
    if before < SHORT_RESULTS {
        return None;
    }
    let step = (before / RESULT_STEPS + 1).next_power_of_two();
    let results = before / step * step;
    let newest = list.results.get(results.checked_sub(1)?)?;
    Some((results, newest.at + 1))
}

/// How many results are before a position.
fn results_before(list: &ViewBuilder, position: usize) -> usize {
    let (mut low, mut high) = (0, list.results.len());
    while low < high {
        let middle = low.midpoint(high);
        let is_before = list
            .results
            .get(middle)
            .is_some_and(|info| info.at < position);
        if is_before {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::context::fixture::{Case, NOW};
    use crate::context::ruler::Approximate;
    use crate::context::{Evaluation, Gate, ShrinkMode, ViewAssembler};
    use crate::transcript::PromptCache;

    fn evaluate(assembler: &mut ViewAssembler, case: &Case) -> Evaluation {
        assembler.evaluate(&case.transcript, &case.around(), NOW, ShrinkMode::default())
    }

    fn assembler(case: &Case) -> ViewAssembler {
        ViewAssembler::new(Arc::new(case.settings.clone()), Arc::new(Approximate))
    }

    /// A warm cache, and so many results that only steps are looked at.
    fn long(results: usize) -> Case {
        let mut case = Case::new(1_200_000);
        case.cache = PromptCache::Prefix;
        case.settings.prune.soft.ratio = 0.1;
        case.settings.prune.hard.ratio = 0.2;
        case.say("go through all of it");
        for n in 0..results {
            case.read(&format!("f{}", n % 200), None, 1_050);
        }
        case
    }

    #[test]
    fn a_forecast_does_not_depend_on_how_the_list_came_about() {
        let mut case = long(300);
        let mut grown = assembler(&case);
        for n in 0..60 {
            let kept = evaluate(&mut grown, &case).view.prune;
            assert_eq!(kept.gate, Gate::Warm);
            assert!(kept.would_free > 50_000, "{kept:?}");
            if n % 7 == 0 {
                let fresh = evaluate(&mut assembler(&case), &case).view.prune;
                assert_eq!(kept, fresh, "after {n}");
            }
            match n % 4 {
                0 => drop(case.answer_counted("well", 340_000 + n * 3_000)),
                1 => drop(case.say("go on")),
                2 => drop(case.read("f1", None, 1_050)),
                _ => drop(case.shell(30)),
            }
        }
    }

    #[test]
    fn what_the_user_decides_shows_in_the_forecast_at_once() {
        let mut case = long(300);
        let mut grown = assembler(&case);
        let before = evaluate(&mut grown, &case).view.prune;
        let oldest = case.transcript.entries()[2].id.clone();
        case.pin(&oldest);
        let after = evaluate(&mut grown, &case).view.prune;
        assert_ne!(before.would_free, after.would_free);
        assert_eq!(after, evaluate(&mut assembler(&case), &case).view.prune);
    }

    #[test]
    fn a_forecast_of_a_long_list_is_near_what_a_prune_then_does() {
        let mut case = long(320);
        let foreseen = evaluate(&mut assembler(&case), &case).view.prune.would_free as f64;
        case.cache = PromptCache::None;
        let pruned = case.evaluate().view;
        let freed = pruned.prune.tokens_saved as f64;
        assert!(
            (foreseen - freed).abs() < freed * 0.06,
            "{foreseen} {freed}"
        );
    }
}
