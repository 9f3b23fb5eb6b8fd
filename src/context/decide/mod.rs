//! The decisions of one evaluation, in their fixed order: single guard → prune → media →
//! total guard. Works on a copy of the projected list; what it decides is a value that
//! the agent records, and deciding again with it recorded decides nothing.

mod addresses;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use self::addresses::addressed;
use super::guard;
use super::media;
use super::projection::item::{cut_item, strip_media, tokens_when_cut};
use super::projection::{Measurer, PreambleTokens, Projection, ViewBuilder};
use super::prune::difference::{self, SeenReadInput, SeenReads};
use super::prune::{
    self, ForecastCache, GateInput, PlannedCut, PruneForecast, PruneInput, ToolFilter,
};
use super::ruler::Ruler;
use super::settings::{ContextSettings, MediaAgeing, PruneSettings};
use super::view::{CutRule, Disposition, Gate, PruneReport, ViewItem, WindowReport};
use super::{RequestContext, ShrinkMode};
use crate::transcript::{
    Cut, CutForm, CutPhase, Decision, Message, ModelInfo, Timestamp, Transcript,
};

/// Estimates of what a request carries besides the log.
#[derive(Clone, Copy)]
pub(super) struct UnloggedTokens {
    /// System prompt and tools.
    pub frame: PreambleTokens,
    /// The answer that streams.
    pub live: u64,
}

/// The facts that decisions depend on.
pub(super) struct Decider<'a> {
    pub settings: &'a ContextSettings,
    pub tools: &'a ToolFilter,
    pub projection: &'a mut Projection,
    pub forecast: &'a mut ForecastCache,
    /// Differences of reads that were made.
    pub seen: &'a mut SeenReads,
    pub window: &'a WindowReport,
    pub request_context: &'a RequestContext,
    pub unlogged: UnloggedTokens,
    /// What cuts name addresses of; `None` where the model cannot recall.
    pub recallable: Option<&'a Transcript>,
    pub now: Timestamp,
    pub pressure: ShrinkMode,
    /// An engine chose the list: what is kept of the projection's own does not hold for it.
    pub is_selected: bool,
}

/// A list with everything that was decided applied to it.
pub(super) struct DecidedView {
    pub list: ViewBuilder,
    /// To be recorded, in this order.
    pub decisions: Vec<Decision>,
    pub report: PruneReport,
}

impl Decider<'_> {
    /// Decides. What is decided changes the list that providers counted, so the decision is
    /// taken by the numbers that will hold afterwards.
    pub(super) fn decide(&mut self, list: ViewBuilder) -> DecidedView {
        let mut list = list;
        let differences = self.difference_reads(&mut list);
        let mut decided = self.decide_rest(list, differences.is_none());
        decided.decisions.splice(0..0, differences);
        decided
    }

    /// Makes differences of fresh reads. No provider has counted them, so the counts of the
    /// others stay.
    fn difference_reads(&mut self, list: &mut ViewBuilder) -> Option<Decision> {
        if self.projection.is_chosen_from() || self.is_selected {
            return None;
        }
        let input = SeenReadInput {
            list: &*list,
            settings: &self.settings.prune,
            tools: self.tools,
            recallable: self.recallable,
        };
        let planned = difference::decide(&input, self.seen, self.projection);
        if planned.is_empty() {
            return None;
        }
        let policy = self.settings.prune.policy.name();
        let measurer = self.projection.measurer();
        let mut cuts = Vec::with_capacity(planned.len());
        for PlannedCut { at, cut } in planned {
            if let Some(item) = shortened_item(list, at, policy, &cut, measurer)
                && let CutForm::Difference { base, .. } = &cut.form
            {
                list.replace(at, item);
                list.note_difference(at, base);
            }
            cuts.push(cut);
        }
        Some(Decision::Prune {
            policy: policy.to_owned(),
            cuts,
            cache_given_up_tokens: 0,
            reasoning_lost: 0,
            by_person: false,
        })
    }

    fn decide_rest(&mut self, list: ViewBuilder, is_as_listed: bool) -> DecidedView {
        let cached_upto = list
            .measured
            .map_or(list.items.len(), |measured| measured.upto);
        let by_count = self.pass(list.clone(), cached_upto, is_as_listed && !self.is_selected);
        if by_count.decisions.is_empty() || list.measured.is_none() {
            return by_count;
        }
        let mut uncounted = list.clone();
        uncounted.carry_counts();
        let by_estimate = self.pass(uncounted, cached_upto, false);
        if by_estimate.decisions.is_empty() {
            let report = by_estimate.report;
            return DecidedView {
                list,
                decisions: Vec::new(),
                report,
            };
        }
        by_estimate
    }

    fn pass(&mut self, list: ViewBuilder, cached_upto: usize, is_as_listed: bool) -> DecidedView {
        let mut work = DraftView {
            list,
            is_as_listed,
            decisions: Vec::new(),
            cached_upto,
            given_up: 0,
            reasoning_lost: 0,
        };
        self.guard_single(&mut work);
        // What is cut may be what a read was a difference to, which is whole again then.
        self.guard_single(&mut work);
        let found = self.gate_input(&work);
        // Images go one after the other, as they age: without a gate each would cost a cache.
        let gate = prune::cache_gate(&self.settings.prune, &found);
        let may_age = self.pressure.prune_now || matches!(gate, Gate::Cold | Gate::Forced);
        // Those that pruning takes go before any text: a result loses its images first, and is
        // cleared only when that was not enough.
        let is_part_of_pruning = self.settings.media.ageing == MediaAgeing::Pruning;
        if may_age && is_part_of_pruning {
            self.age_media(&mut work, found.view_tokens);
        }
        let mut report = self.prune(&mut work, &found);
        if may_age && !is_part_of_pruning {
            self.age_media(&mut work, found.view_tokens);
        }
        self.guard_total(&mut work);
        report.trimmed = work.list.pruned.trimmed;
        report.cleared = work.list.pruned.cleared;
        report.tokens_saved =
            work.list.pruned.saved_counted + work.list.scale(work.list.pruned.saved_estimate);
        report.cache_given_up = work.given_up;
        report.reasoning_lost = work.reasoning_lost;
        DecidedView {
            list: work.list,
            decisions: work.decisions,
            report,
        }
    }

    fn guard_single(&mut self, work: &mut DraftView) {
        if !self.settings.guard.enabled {
            return;
        }
        let mut share = self.settings.guard.single_share;
        let mut phase = CutPhase::Single;
        if self.pressure.tight_single {
            share /= 2.0;
            phase = CutPhase::Overflow;
        }
        let settings = &self.settings.guard;
        let measurer = self.projection.measurer();
        let window = self.window.tokens;
        let planned = guard::single(&work.list, settings, window, share, phase, measurer);
        let planned = addressed(self.recallable, planned, &work.list, measurer);
        work.apply_guard(planned, measurer);
    }

    fn gate_input(&mut self, work: &DraftView) -> GateInput {
        let contact = self.projection.contact();
        GateInput {
            now: self.now,
            last_contact: contact.at,
            keeps_hour: contact.keeps_hour,
            cache: self.request_context.model.prompt_cache,
            view_tokens: self.view_tokens(work),
            usable_tokens: self.window.usable,
        }
    }

    fn prune(&mut self, work: &mut DraftView, gate_input: &GateInput) -> PruneReport {
        let settings = &self.settings.prune;
        let model = &self.request_context.model;
        let view_tokens = self.view_tokens(work);
        let gate = prune::gate(settings, gate_input);
        let is_open = matches!(gate, Gate::Cold | Gate::Forced) || self.pressure.prune_now;
        let list = work.list.clone();
        let input = PruneInput {
            list: &list,
            results_upto: list.results.len(),
            settings,
            tools: self.tools,
            window_tokens: self.window.tokens,
            view_tokens,
            found_tokens: gate_input.view_tokens,
            unit: self.projection.measurer().ruler().length_unit(),
            repeatable: &self.request_context.repeatable,
            checked: model.reasoning.checks_calls().then_some(&model.model),
            turn: self.turn(&work.list),
            is_rough: !is_open,
        };
        let mut report = PruneReport {
            policy: settings.policy.name(),
            gate,
            cache_secs_left: prune::cache_secs_left(settings, gate_input),
            ..PruneReport::default()
        };
        if !is_open {
            if gate != Gate::Off {
                self.foresee(work, &input, gate_input, &mut report);
            }
            return report;
        }
        let measurer = self.projection.measurer();
        let mut planned = prune::decide(&input, &mut |target, form| {
            let tokens = tokens_when_cut(target.item, target.whole, form, measurer);
            list.count_of(target.entry, tokens)
        });
        if !self.pressure.prune_now {
            planned.retain(|planned| !self.projection.is_held(&planned.cut.target));
        }
        if planned.is_empty() {
            return report;
        }
        let planned = addressed(self.recallable, planned, &list, self.projection.measurer());
        let first = planned.iter().map(|planned| planned.at).min();
        let given_up = work.cached_after(first, settings, gate_input);
        let reasoning_lost = work.reasoning_after(first, model);
        let freed = planned.iter().map(PlannedCut::freed).sum();
        if self.is_worth_it(gate, freed) {
            work.given_up += given_up;
            work.reasoning_lost += reasoning_lost;
            let by_person = self.pressure.by_person;
            let measurer = self.projection.measurer();
            work.apply_prune(settings.policy.name(), planned, by_person, measurer);
        } else {
            report.would_free = freed;
            report.would_give_up = given_up;
            report.would_lose_reasoning = reasoning_lost;
        }
        report
    }

    /// Reports the effect that pruning would have, while the gate is closed.
    fn foresee(
        &mut self,
        work: &DraftView,
        input: &PruneInput<'_>,
        gate_input: &GateInput,
        report: &mut PruneReport,
    ) {
        let repeatable = &self.request_context.repeatable;
        let foreseen = self.forecast.foresee(input, repeatable, work.is_as_listed);
        if foreseen.is_fresh {
            self.projection.mark_seen();
        }
        let PruneForecast { freed, first } = foreseen.forecast;
        let model = &self.request_context.model;
        report.would_free = freed;
        report.would_give_up = work.cached_after(first, input.settings, gate_input);
        report.would_lose_reasoning = work.reasoning_after(first, model);
    }

    /// A forced prune throws away a warm cache: it has to free enough, or each of the
    /// next requests would rewrite the prompt for a little more.
    fn is_worth_it(&self, gate: Gate, freed_tokens: u64) -> bool {
        let least = self.window.usable as f64 * self.settings.prune.force_min_gain;
        gate != Gate::Forced || self.pressure.prune_now || freed_tokens as f64 >= least
    }

    fn age_media(&mut self, work: &mut DraftView, found_tokens: u64) {
        let due = match self.settings.media.ageing {
            MediaAgeing::Off => None,
            MediaAgeing::On => media::old(&work.list, &self.settings.media, self.turn(&work.list)),
            MediaAgeing::Pruning => {
                let window_tokens = self.window.tokens.unwrap_or(u64::MAX);
                let settings = &self.settings.prune;
                let share = found_tokens as f64 / window_tokens.max(1) as f64;
                (share >= settings.soft.ratio)
                    .then(|| media::prunable(&work.list, settings, self.tools))
                    .flatten()
            }
        };
        if let Some((aged, reason)) = due {
            let at = aged.iter().map(|&(at, _)| at);
            work.strip(at, &reason, self.projection.measurer().ruler());
            let targets = aged.into_iter().map(|(_, entry)| entry).collect();
            work.decisions.push(Decision::Media { targets, reason });
        }
    }

    fn guard_total(&mut self, work: &mut DraftView) {
        let settings = &self.settings.guard;
        let is_due = self.pressure.total || settings.total_always;
        let is_allowed = settings.enabled || self.pressure.even_exempt;
        let Some(tokens) = self.window.tokens.filter(|_| is_due && is_allowed) else {
            return;
        };
        let share = settings.total_share;
        let line = share.map_or(self.window.load_line, |share| {
            (tokens as f64 * share) as u64
        });
        let view_tokens = self.view_tokens(work);
        let margin = self.projection.fit().margin();
        let load = guard::load(&work.list, settings, view_tokens, margin);
        if load < line as f64 && !self.pressure.even_exempt {
            return;
        }
        let even_exempt = self.pressure.even_exempt;
        let measurer = self.projection.measurer();
        let planned = guard::total(
            &work.list,
            settings,
            view_tokens,
            tokens,
            even_exempt,
            measurer,
        );
        let planned = addressed(self.recallable, planned, &work.list, measurer);
        work.apply_guard(planned, measurer);
    }

    /// The turn of the next request. After a finished answer it begins with a message that
    /// nobody has sent yet.
    fn turn(&self, list: &ViewBuilder) -> u32 {
        let newest = list.items.last().and_then(|item| item.sent.as_deref());
        let is_answered = matches!(
            newest,
            Some(Message::Assistant(answer)) if answer.tool_calls().next().is_none()
        );
        self.projection.turn() + u32::from(is_answered)
    }

    /// Tokens of the view as decided so far, with the answer that streams.
    fn view_tokens(&mut self, work: &DraftView) -> u64 {
        let frame = work
            .list
            .frame_shares(self.unlogged.frame, self.projection.fit());
        let frame = frame.system + frame.tools;
        work.list.sums.by_category.total() + frame + work.list.scale(self.unlogged.live)
    }
}

/// A list under decision.
struct DraftView {
    list: ViewBuilder,
    /// Nothing was decided about it yet.
    is_as_listed: bool,
    decisions: Vec<Decision>,
    /// Items that the provider has seen.
    cached_upto: usize,
    given_up: u64,
    /// Answers whose reasoning the server drops because of what was pruned.
    reasoning_lost: u64,
}

impl DraftView {
    /// Cached tokens after the first thing that changes: they have to be paid again.
    fn cached_after(
        &self,
        first: Option<usize>,
        settings: &PruneSettings,
        gate: &GateInput,
    ) -> u64 {
        let Some(first) = first.filter(|_| !prune::is_cold(settings, gate)) else {
            return 0;
        };
        self.list.tokens_within(first, self.cached_upto)
    }

    /// Answers after the first thing that changes whose signed reasoning the model's server
    /// takes only behind what it was written after.
    fn reasoning_after(&self, first: Option<usize>, model: &ModelInfo) -> u64 {
        let Some(first) = first.filter(|_| model.reasoning.is_bound) else {
            return 0;
        };
        let answers = self.list.index.answers.iter().rev();
        let behind = answers.take_while(|&&at| at > first);
        let sent = behind.filter_map(|&at| self.list.items.get(at)?.sent.as_deref());
        sent.filter(|message| prune::is_signed_by(message, &model.model))
            .count() as u64
    }

    fn apply_prune(
        &mut self,
        policy: &str,
        planned: Vec<PlannedCut>,
        by_person: bool,
        measurer: &mut Measurer,
    ) {
        let cuts = self.apply(policy, planned, measurer);
        self.decisions.push(Decision::Prune {
            policy: policy.to_owned(),
            cuts,
            cache_given_up_tokens: self.given_up,
            reasoning_lost: self.reasoning_lost,
            by_person,
        });
    }

    fn apply_guard(&mut self, planned: Vec<PlannedCut>, measurer: &mut Measurer) {
        if !planned.is_empty() {
            let cuts = self.apply("guard", planned, measurer);
            self.decisions.push(Decision::Guard { cuts });
        }
    }

    fn apply(
        &mut self,
        policy: &str,
        planned: Vec<PlannedCut>,
        measurer: &mut Measurer,
    ) -> Vec<Cut> {
        self.is_as_listed = false;
        self.list.carry_counts();
        let mut cuts = Vec::with_capacity(planned.len());
        for PlannedCut { at, cut } in planned {
            if let Some(item) = shortened_item(&self.list, at, policy, &cut, measurer) {
                self.list.replace(at, item);
            }
            cuts.push(cut);
        }
        self.list.restore_differences();
        cuts
    }

    fn strip(&mut self, at: impl Iterator<Item = usize>, reason: &str, ruler: &dyn Ruler) {
        self.is_as_listed = false;
        self.list.carry_counts();
        for at in at {
            if let Some(item) = self.list.items.get(at) {
                let mut item = ViewItem::clone(item);
                strip_media(&mut item, reason, ruler);
                self.list.replace(at, item);
            }
        }
        self.list.restore_differences();
    }
}

/// The item at a position as the cut leaves it.
fn shortened_item(
    list: &ViewBuilder,
    at: usize,
    policy: &str,
    cut: &Cut,
    measurer: &mut Measurer,
) -> Option<ViewItem> {
    let mut item = ViewItem::clone(list.items.get(at)?);
    // An answer is cut once: until then it is sent as it is.
    let whole = match list.result_at(at) {
        Some(result) => Arc::clone(&result.whole),
        None => item.sent.clone()?,
    };
    cut_item(&mut item, &whole, &cut.form, measurer);
    item.disposition = match (&cut.form, cut.phase) {
        (CutForm::Clear { .. }, _) => Disposition::Cleared,
        (_, CutPhase::Single | CutPhase::Overflow) => Disposition::Truncated,
        _ => Disposition::Trimmed,
    };
    item.reason = Some(cut.reason.clone());
    item.cut_by = Some(CutRule {
        policy: policy.to_owned(),
        phase: cut.phase.name(),
    });
    Some(item)
}
