//! Engines that choose among everything that could be sent: a [`SelectionPolicy`] says which
//! atomic groups go; guards, pruning, counting and the ledger are those of every engine.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::happening::{EndedSubagent, EndedTurn, SubagentWish};
use super::shrinking::{ShrinkChoice, ShrinkPlan, ShrinkRequest, ShrinkStep};
use super::{ContextEngine, EngineFailure, EngineInfo, compaction, planned};
use crate::clock;
use crate::context::ruler::Ruler;
use crate::context::selection::{Candidates, Selection};
use crate::context::tail::TailPlan;
use crate::context::{
    ContextSettings, ContextView, Evaluation, RequestContext, ShrinkMode, ViewAssembler,
};
use crate::transcript::{Entry, Message, Timestamp, Transcript};

/// A choice in this process may take so long.
pub const SELECTION_LIMIT: Duration = Duration::from_millis(250);

/// Chooses the groups that the next request carries.
pub trait SelectionPolicy: Send + Sync {
    /// The id and description of the engine.
    fn info(&self) -> EngineInfo;

    /// Chooses. The same candidates give the same choice.
    fn select(&mut self, candidates: &Candidates<'_>) -> Result<Selection, EngineFailure>;

    /// Where a compaction of this view would cut; `usual` is what the settings say.
    fn plan_shrink(
        &mut self,
        _: &ContextView,
        _: &ShrinkRequest<'_>,
        _: Option<&TailPlan>,
    ) -> Result<ShrinkChoice, EngineFailure> {
        Ok(ShrinkChoice::Usual)
    }

    /// How such a plan is carried out.
    fn shrink(
        &mut self,
        _: &ShrinkPlan,
        _: &ShrinkRequest<'_>,
    ) -> Result<ShrinkStep, EngineFailure> {
        Ok(ShrinkStep::Summarise)
    }

    /// A new entry of the log.
    fn ingest(&mut self, _: &Entry) {}

    /// A turn has ended.
    fn after_turn(&mut self, _: &EndedTurn) {}

    /// A sub-agent is about to start. Gives what it is told before its task, if anything.
    fn prepare_subagent(&mut self, _: &SubagentWish) -> Result<Option<String>, EngineFailure> {
        Ok(None)
    }

    /// A sub-agent has ended.
    fn subagent_ended(&mut self, _: &EndedSubagent) {}

    /// What is remembered of a list no longer holds: it is counted otherwise.
    fn forget(&mut self) {}

    /// The most that the choice just made might take; `None` where the policy itself waits no
    /// longer, or built an index.
    fn limit(&self) -> Option<Duration> {
        Some(SELECTION_LIMIT)
    }
}

/// An engine that sends what its policy chooses.
pub struct SelectingEngine<P> {
    assembler: ViewAssembler,
    policy: P,
    /// It chose before. An index is built with the first choice, which may take longer.
    is_warm: bool,
    clock: fn() -> Instant,
}

impl<P: SelectionPolicy> SelectingEngine<P> {
    /// Counts with `ruler`.
    pub fn new(policy: P, settings: Arc<ContextSettings>, ruler: Arc<dyn Ruler>) -> Self {
        Self {
            assembler: ViewAssembler::new(settings, ruler).without_counts(),
            policy,
            is_warm: false,
            clock: clock::instant,
        }
    }

    /// The same engine with another clock, for tests.
    #[must_use]
    pub fn with_clock(mut self, clock: fn() -> Instant) -> Self {
        self.clock = clock;
        self
    }

    /// Of a view of an engine that compacts by itself nothing triggers a compaction.
    fn without_triggers(&self, mut view: ContextView) -> ContextView {
        if self.policy.info().owns_compaction {
            view.compaction.due = false;
            view.compaction.compacts_at = None;
        }
        view
    }
}

impl<P: SelectionPolicy> ContextEngine for SelectingEngine<P> {
    fn info(&self) -> EngineInfo {
        self.policy.info()
    }

    fn assembler(&self) -> &ViewAssembler {
        &self.assembler
    }

    fn assembler_mut(&mut self) -> &mut ViewAssembler {
        &mut self.assembler
    }

    fn renew(&mut self, settings: Arc<ContextSettings>, ruler: Arc<dyn Ruler>) {
        self.assembler = ViewAssembler::new(settings, ruler).without_counts();
        self.policy.forget();
        self.is_warm = false;
    }

    fn assemble(
        &mut self,
        transcript: &Transcript,
        request_context: &RequestContext,
        now: Timestamp,
        pressure: ShrinkMode,
    ) -> Result<Evaluation, EngineFailure> {
        let is_warm = self.is_warm;
        let (policy, clock) = (&mut self.policy, self.clock);
        let mut select = |candidates: &Candidates<'_>| {
            let began = clock();
            let chosen = policy.select(candidates)?;
            let took = clock().saturating_duration_since(began);
            match policy.limit().filter(|_| is_warm) {
                Some(limit) if took > limit => Err(EngineFailure::Late { took, limit }),
                _ => Ok(chosen),
            }
        };
        let evaluation = self.assembler.evaluate_selected(
            transcript,
            request_context,
            now,
            pressure,
            &mut select,
        );
        self.is_warm = true;
        let Evaluation { view, decisions } = evaluation?;
        Ok(Evaluation {
            view: self.without_triggers(view),
            decisions,
        })
    }

    fn plan_shrink(
        &mut self,
        view: &ContextView,
        request: &ShrinkRequest<'_>,
    ) -> Result<Option<ShrinkPlan>, EngineFailure> {
        let choice = if request.is_open() {
            let usual = compaction::plan(&self.settings().compaction, view, request.kept);
            self.policy.plan_shrink(view, request, usual.as_ref())?
        } else {
            ShrinkChoice::Usual
        };
        planned(self.settings(), view, request, choice)
    }

    fn shrink(
        &mut self,
        plan: &ShrinkPlan,
        request: &ShrinkRequest<'_>,
    ) -> Result<ShrinkStep, EngineFailure> {
        self.policy.shrink(plan, request)
    }

    fn ingest(&mut self, entry: &Entry) {
        self.policy.ingest(entry);
    }

    fn after_turn(&mut self, turn: &EndedTurn) {
        self.policy.after_turn(turn);
    }

    fn prepare_subagent(&mut self, wish: &SubagentWish) -> Result<Option<String>, EngineFailure> {
        self.policy.prepare_subagent(wish)
    }

    fn subagent_ended(&mut self, ended: &EndedSubagent) {
        self.policy.subagent_ended(ended);
    }

    fn with_draft(&mut self, view: ContextView, draft: &Arc<Message>) -> ContextView {
        let view = self.assembler.with_draft(view, draft);
        self.without_triggers(view)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::context::fixture::{Case, NOW};
    use crate::context::ruler::Approximate;
    use crate::engine::retrieval::Retrieval;
    use crate::engine::sliding_window::SlidingWindow;
    use crate::transcript::{Decision, EntryBody, PromptCache};

    fn engine<P: SelectionPolicy>(policy: P, case: &Case) -> SelectingEngine<P> {
        let settings = Arc::new(case.settings.clone());
        SelectingEngine::new(policy, settings, Arc::new(Approximate))
    }

    fn view<P: SelectionPolicy>(engine: &mut SelectingEngine<P>, case: &Case) -> Evaluation {
        let (around, pressure) = (case.around(), ShrinkMode::default());
        let made = engine.assemble(&case.transcript, &around, NOW, pressure);
        made.unwrap()
    }

    fn step(case: &mut Case, step: u8, at: usize) {
        match step {
            0..=2 => drop(case.say(&format!("never touch file{at}, look at word{}", at % 5))),
            3 => drop(case.answer(&format!("done with word{}", at % 7))),
            4..=5 => drop(case.shell(200 + at * 37 % 900)),
            6..=8 => drop(case.read(&format!("src/file{}.rs", at % 4), None, 300)),
            9 => drop(case.answer_counted("well", 900 + at as u64 * 30)),
            other => {
                let entries = case.transcript.entries();
                let Some(target) = entries.get(at % entries.len().max(1)) else {
                    return;
                };
                let target = target.id.clone();
                case.push(EntryBody::Decision(match other {
                    10 => Decision::Pin { target },
                    11 => Decision::Undo { target },
                    _ => Decision::Drop { target },
                }));
            }
        }
    }

    /// One engine sees the conversation grow, with all that is recorded for it; others read
    /// it at once.
    fn check<P: SelectionPolicy>(make: fn() -> P, steps: &[u8], cache: PromptCache) {
        let mut case = Case::new(30_000);
        case.cache = cache;
        case.settings.prune.soft.ratio = 0.2;
        case.settings.prune.hard.ratio = 0.4;
        case.say("begin");
        let mut grown = engine(make(), &case);
        for (at, kind) in steps.iter().enumerate() {
            step(&mut case, *kind, at);
            let evaluation = view(&mut grown, &case);
            if at % 9 == 0 || at + 1 == steps.len() {
                let fresh = view(&mut engine(make(), &case), &case);
                assert_eq!(fresh.decisions, evaluation.decisions, "{at}");
                let (fresh, grown) = (fresh.view, &evaluation.view);
                assert_eq!(format!("{fresh:#?}"), format!("{grown:#?}"), "{at}");
            }
            case.record(&evaluation);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn a_view_does_not_depend_on_how_the_conversation_came_about(
            steps in prop::collection::vec(prop_oneof![12 => 0u8..10, 1 => 10u8..13], 1..160),
            has_cache: bool,
        ) {
            let cache = if has_cache { PromptCache::Ttl } else { PromptCache::None };
            check(SlidingWindow::default, &steps, cache);
            check(Retrieval::default, &steps, cache);
        }
    }
}
