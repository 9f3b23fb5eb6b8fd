//! One evaluation: from (log, settings, model, surroundings, clock reading) to a
//! [`ContextView`], with the decisions that the agent has to record.
//!
//! The order is fixed: projection with recorded overlays and repair → single guard →
//! prune → media → total guard → counting. The view already shows what was decided;
//! recording it and evaluating again gives the same view.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::projection::{
    FRAME_ITEMS, Frame, FrameTokens, Measurer, Projection, SentList, frame_item, scaled,
};
use super::prune::{self, GateInput, Planned, PruneInput, ToolFilter};
use super::ruler::Ruler;
use super::settings::{ContextSettings, PruneSettings};
use super::tail::{self, TailLimits};
use super::view::{
    Category, CompactionOutlook, ContextView, Disposition, Gate, PruneReport, Role, UsageReport,
    ViewItem, WindowReport,
};
use super::{cut, guard, media, preview, window};
use crate::transcript::{
    Cut, CutForm, CutPhase, EntryId, Message, ModelInfo, Overlay, Timestamp, ToolSchema, Transcript,
};

/// What a view depends on besides the log, the settings and the clock.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The system prompt.
    pub system: Arc<str>,
    /// Tools on offer.
    pub tools: Arc<[ToolSchema]>,
    /// Tools whose newest answer makes older ones pointless.
    pub repeatable: Arc<BTreeSet<String>>,
    /// Sections of the workspace's rules that follow every summary.
    pub workspace_rules: Option<Arc<str>>,
    /// Who will answer.
    pub model: ModelInfo,
    /// What is typed and not yet sent.
    pub pending: Option<Arc<Message>>,
    /// The answer that is streaming, as far as it has arrived.
    pub live: Option<Arc<Message>>,
    /// Tools are running: their calls have no results yet.
    pub tools_running: bool,
}

/// How hard an evaluation tries to make the view smaller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pressure {
    /// Prune whatever the gate says.
    pub prune_now: bool,
    /// Halve the limit on single results (overflow attempt 1).
    pub tight_single: bool,
    /// Clear whole results when the view is beyond the load line.
    pub total: bool,
    /// Not even pins and restores are spared (overflow attempt 3).
    pub even_exempt: bool,
}

/// A view and what was newly decided for it.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The view, decisions included.
    pub view: ContextView,
    /// To be appended to the log, in this order, before the view is used.
    pub decisions: Vec<Overlay>,
}

/// Evaluates views of one session. Keeps what it counted; holds no other state, so
/// evaluating twice gives the same view.
pub struct Assembler {
    settings: Arc<ContextSettings>,
    tools: ToolFilter,
    projection: Projection,
    /// Estimates of system and tools, with what they were made of.
    framed: Option<(Arc<str>, Arc<[ToolSchema]>, FrameTokens)>,
}

impl Assembler {
    /// An assembler that counts with `ruler`.
    pub fn new(settings: Arc<ContextSettings>, ruler: Arc<dyn Ruler>) -> Self {
        Self {
            tools: ToolFilter::new(&settings.prune.tools_allow, &settings.prune.tools_deny),
            projection: Projection::new(Measurer::new(ruler)),
            settings,
            framed: None,
        }
    }

    /// The settings in force.
    pub fn settings(&self) -> &Arc<ContextSettings> {
        &self.settings
    }

    /// Counts with the ruler of this assembler.
    pub fn message_tokens(&mut self, message: &Message) -> u64 {
        self.projection.measurer().ruler().message_tokens(message)
    }

    /// Counts an entry's message as it is on disk; remembered.
    pub fn entry_tokens(&mut self, entry: &EntryId, message: &Message) -> u64 {
        self.projection.measurer().full(entry, message).tokens
    }

    /// The view of the next request.
    pub fn evaluate(
        &mut self,
        transcript: &Transcript,
        around: &Surroundings,
        now: Timestamp,
        pressure: Pressure,
    ) -> Evaluation {
        let frame = Frame {
            model: around.model.model.clone(),
            tokens: self.frame_tokens(around),
            workspace_rules: around.workspace_rules.clone(),
        };
        self.projection.sync(transcript, &frame);
        let margin = self.projection.fit().margin();
        let window = window::report(&self.settings, &around.model, margin);
        let mut work = Work {
            list: self.projection.list(around.tools_running),
            decisions: Vec::new(),
            given_up: 0,
            frame: frame.tokens,
        };
        self.guard_single(&mut work, &window, pressure);
        let mut report = self.prune(&mut work, &window, around, now, pressure);
        if pressure.prune_now || matches!(report.gate, Gate::Cold | Gate::Forced) {
            self.age_media(&mut work);
        }
        self.guard_total(&mut work, &window, around, pressure);
        report.trimmed = work.list.trimmed;
        report.cleared = work.list.cleared;
        report.tokens_saved = work.list.saved;
        report.cache_given_up = work.given_up;
        self.finish(work, window, report, around)
    }

    fn frame_tokens(&mut self, around: &Surroundings) -> FrameTokens {
        if let Some((system, tools, tokens)) = &self.framed
            && *system == around.system
            && (Arc::ptr_eq(tools, &around.tools) || **tools == *around.tools)
        {
            return *tokens;
        }
        let ruler = self.projection.measurer().ruler();
        let system = if around.system.is_empty() {
            0
        } else {
            ruler.text_tokens(&around.system) + ruler.message_overhead_tokens()
        };
        let tokens = FrameTokens {
            system,
            tools: ruler.tools_tokens(&around.tools),
        };
        self.framed = Some((
            Arc::clone(&around.system),
            Arc::clone(&around.tools),
            tokens,
        ));
        tokens
    }

    fn guard_single(&mut self, work: &mut Work, window: &WindowReport, pressure: Pressure) {
        let mut share = self.settings.guard.single_share;
        let mut phase = CutPhase::Single;
        if pressure.tight_single {
            share /= 2.0;
            phase = CutPhase::Overflow;
        }
        let settings = &self.settings.guard;
        let measurer = self.projection.measurer();
        let planned = guard::single(&work.list, settings, window.tokens, share, phase, measurer);
        work.apply_guard(planned, measurer);
    }

    fn prune(
        &mut self,
        work: &mut Work,
        window: &WindowReport,
        around: &Surroundings,
        now: Timestamp,
        pressure: Pressure,
    ) -> PruneReport {
        let settings = Arc::clone(&self.settings);
        let view_tokens = self.tokens_so_far(work, around);
        let gate_input = GateInput {
            now,
            last_contact: self.projection.last_contact(),
            cache: around.model.prompt_cache,
            view_tokens,
            usable_tokens: window.usable,
        };
        let gate = prune::gate(&settings.prune, &gate_input);
        let turn = self.projection.turn();
        let is_open = matches!(gate, Gate::Cold | Gate::Forced) || pressure.prune_now;
        let list = work.list.clone();
        let input = PruneInput {
            list: &list,
            settings: &settings.prune,
            tools: &self.tools,
            window_tokens: window.tokens,
            view_tokens,
            repeatable: &around.repeatable,
            turn,
            is_rough: !is_open,
        };
        let mut report = PruneReport {
            policy: settings.prune.policy.name(),
            gate,
            cache_secs_left: prune::cache_secs_left(&settings.prune, &gate_input),
            ..PruneReport::default()
        };
        if is_open {
            let measurer = self.projection.measurer();
            let planned = prune::decide(&input, &mut |info, _, form| {
                list.scale(measurer.shortened(&info.entry, &info.whole, form).1)
            });
            if !planned.is_empty() {
                work.given_up += cached_behind(&list, &planned, &settings.prune, &gate_input);
                let policy = settings.prune.policy.name();
                work.apply_prune(policy, planned, self.projection.measurer());
            }
        } else if gate != Gate::Off {
            let planned = prune::decide(&input, &mut prune::rough_price);
            report.would_free = planned
                .iter()
                .map(|p| p.cut.tokens_before - p.cut.tokens_after.min(p.cut.tokens_before))
                .sum();
            if !planned.is_empty() {
                report.would_give_up = cached_behind(&list, &planned, &settings.prune, &gate_input);
            }
        }
        report
    }

    fn age_media(&mut self, work: &mut Work) {
        let turn = self.projection.turn();
        if let Some((aged, reason)) = media::old(&work.list, &self.settings.media, turn) {
            let at = aged.iter().map(|&(at, _)| at);
            work.strip(at, &reason, self.projection.measurer().ruler());
            let targets = aged.into_iter().map(|(_, entry)| entry).collect();
            work.decisions.push(Overlay::Media { targets, reason });
        }
    }

    fn guard_total(
        &mut self,
        work: &mut Work,
        window: &WindowReport,
        around: &Surroundings,
        pressure: Pressure,
    ) {
        let Some(tokens) = window.tokens.filter(|_| pressure.total) else {
            return;
        };
        let line = self
            .settings
            .guard
            .total_share
            .map_or(window.load_line, |share| (tokens as f64 * share) as u64);
        let view_tokens = self.tokens_so_far(work, around);
        let margin = self.projection.fit().margin();
        let weighed = weighed(view_tokens, work.list.counted().1, margin);
        if weighed < line as f64 && !pressure.even_exempt {
            return;
        }
        let measurer = self.projection.measurer();
        let planned = guard::total(
            &work.list,
            view_tokens,
            tokens,
            pressure.even_exempt,
            measurer,
        );
        work.apply_guard(planned, measurer);
    }

    /// Tokens of the view before anything is decided.
    fn tokens_so_far(&mut self, work: &Work, around: &Surroundings) -> u64 {
        let (system, tools) = self.frame_shares(work);
        let unlogged = around.live.iter().chain(&around.pending);
        let unlogged: u64 = unlogged
            .map(|message| work.list.scale(self.message_tokens(message)))
            .sum();
        work.list.totals.total() + system + tools + unlogged
    }

    /// System and tools as measured, or as estimated with the fixed part shared out.
    fn frame_shares(&self, work: &Work) -> (u64, u64) {
        if let Some(measured) = work.list.measured {
            return (measured.system, measured.tools);
        }
        let calibration = self.projection.fit();
        let FrameTokens { system, tools } = work.frame;
        let factor = calibration.factor();
        let has_frame = system + tools > 0;
        let fixed = if has_frame {
            calibration.fixed_tokens() as u64
        } else {
            0
        };
        let shares = super::apportion::apportion(fixed, &[system, tools]);
        (
            scaled(system, factor) + shares[0],
            scaled(tools, factor) + shares[1],
        )
    }

    fn finish(
        &mut self,
        work: Work,
        window: WindowReport,
        prune: PruneReport,
        around: &Surroundings,
    ) -> Evaluation {
        let (system, tools) = self.frame_shares(&work);
        let Work {
            mut list,
            decisions,
            frame,
            ..
        } = work;
        list.items.set_mut(
            0,
            Arc::new(frame_view_item(
                Category::System,
                system,
                frame.system,
                &around.system,
            )),
        );
        let names: Vec<&str> = around.tools.iter().map(|tool| tool.name.as_str()).collect();
        list.items.set_mut(
            1,
            Arc::new(frame_view_item(
                Category::Tools,
                tools,
                frame.tools,
                &names.join(", "),
            )),
        );
        if let Some(live) = &around.live {
            let item = loose_item(
                live,
                Role::Assistant,
                Category::Assistant,
                self.message_tokens(live),
                self.projection.turn(),
            );
            list.push(item);
        }
        if let Some(pending) = &around.pending {
            let item = loose_item(
                pending,
                Role::User,
                Category::Pending,
                self.message_tokens(pending),
                self.projection.turn() + 1,
            );
            list.push(item);
        }
        let mut by_category = list.totals;
        by_category.add(Category::System, system);
        by_category.add(Category::Tools, tools);
        let (measured_items, measured_tokens) = list.counted();
        let usage = UsageReport {
            tokens: by_category.total(),
            // Exact when a provider counted every item.
            exact: measured_items == list.items.len() && measured_items > FRAME_ITEMS,
            by_category,
        };
        let ruler_name = self.projection.measurer().ruler().name();
        let ruler = self.projection.fit().report(ruler_name);
        let mut view = ContextView {
            window,
            ruler,
            usage,
            items: list.items,
            left_out: list.left_out,
            repair: list.repair,
            guard: list.guard,
            prune,
            compaction: CompactionOutlook::default(),
        };
        let kept_anyway = tail::KeptAnyway {
            held: list.held,
            newest_ask: list.newest_ask,
        };
        view.compaction = self.outlook(&view, measured_tokens, kept_anyway);
        Evaluation { view, decisions }
    }

    fn outlook(
        &self,
        view: &ContextView,
        measured_tokens: u64,
        kept_anyway: tail::KeptAnyway,
    ) -> CompactionOutlook {
        let settings = &self.settings.compaction;
        let limits = TailLimits::of(settings, view.window.usable);
        let outlook = tail::outlook(view, limits, kept_anyway);
        let weighed = weighed(view.usage.tokens, measured_tokens, view.ruler.margin);
        CompactionOutlook {
            due: settings.auto
                && view.window.tokens.is_some()
                && weighed >= view.window.load_line as f64,
            would_summarize: outlook.summarized,
            would_keep: outlook.kept,
            tokens_after_estimate: outlook.tokens_after,
        }
    }
}

/// Tokens as they are compared with a limit: the margin is for what nobody counted.
fn weighed(tokens: u64, measured_tokens: u64, margin: f64) -> f64 {
    let measured = measured_tokens.min(tokens);
    measured as f64 + (tokens - measured) as f64 * margin
}

/// Cached tokens behind the first thing that changes: they have to be paid again.
fn cached_behind(
    list: &SentList,
    planned: &[Planned],
    settings: &PruneSettings,
    input: &GateInput,
) -> u64 {
    let is_cached = !prune::is_cold(settings, input);
    let measured = list
        .measured
        .map_or(list.items.len(), |measured| measured.upto);
    let Some(first) = planned
        .iter()
        .map(|planned| planned.at)
        .min()
        .filter(|_| is_cached)
    else {
        return 0;
    };
    (first..measured)
        .filter_map(|at| list.items.get(at))
        .map(|item| item.tokens)
        .sum()
}

/// A list under decision.
struct Work {
    list: SentList,
    decisions: Vec<Overlay>,
    given_up: u64,
    frame: FrameTokens,
}

impl Work {
    fn apply_prune(&mut self, policy: &str, planned: Vec<Planned>, measurer: &mut Measurer) {
        let cuts = self.apply(policy, planned, measurer);
        self.decisions.push(Overlay::Prune {
            policy: policy.to_owned(),
            cuts,
            cache_given_up_tokens: self.given_up,
        });
    }

    fn apply_guard(&mut self, planned: Vec<Planned>, measurer: &mut Measurer) {
        if !planned.is_empty() {
            let cuts = self.apply("guard", planned, measurer);
            self.decisions.push(Overlay::Guard { cuts });
        }
    }

    fn apply(&mut self, policy: &str, planned: Vec<Planned>, measurer: &mut Measurer) -> Vec<Cut> {
        self.list.forget_measurement();
        let mut cuts = Vec::with_capacity(planned.len());
        for Planned { at, cut } in planned {
            if let Some(item) = shortened_item(&self.list, at, policy, &cut, measurer) {
                self.list.replace(at, item);
            }
            cuts.push(cut);
        }
        cuts
    }

    fn strip(&mut self, at: impl Iterator<Item = usize>, reason: &str, ruler: &dyn Ruler) {
        self.list.forget_measurement();
        for at in at {
            if let Some(item) = self.list.items.get(at) {
                let mut item = ViewItem::clone(item);
                super::projection::item::strip_media(&mut item, reason, ruler);
                self.list.replace(at, item);
            }
        }
    }
}

/// The item at a position as the cut leaves it.
fn shortened_item(
    list: &SentList,
    at: usize,
    policy: &str,
    cut: &Cut,
    measurer: &mut Measurer,
) -> Option<ViewItem> {
    let mut item = ViewItem::clone(list.items.get(at)?);
    let whole = &list.result_at(at)?.whole;
    super::projection::item::cut_item(&mut item, whole, &cut.form, measurer);
    item.disposition = match (&cut.form, cut.phase) {
        (CutForm::Clear { .. }, _) => Disposition::Cleared,
        (_, CutPhase::Single | CutPhase::Overflow) => Disposition::Truncated,
        _ => Disposition::Trimmed,
    };
    item.reason = Some(cut.reason.clone());
    item.policy = Some(policy.to_owned());
    item.phase = Some(cut.phase.name());
    Some(item)
}

fn frame_view_item(category: Category, tokens: u64, estimate: u64, text: &str) -> ViewItem {
    ViewItem {
        tokens,
        tokens_full: tokens,
        estimate_tokens: estimate,
        preview: preview::of_text(text),
        ..frame_item(category)
    }
}

/// An item that is not in the log yet.
fn loose_item(
    message: &Arc<Message>,
    role: Role,
    category: Category,
    tokens: u64,
    turn: u32,
) -> ViewItem {
    ViewItem {
        role,
        category,
        tokens_full: tokens,
        estimate_tokens: tokens,
        turn,
        preview: preview::of_message(message),
        sent: Some(Arc::clone(message)),
        ..frame_item(category)
    }
}

/// Cuts one kept result to a budget, for a tail that it alone would burst. Nothing when
/// the result was cut before: then it is small already, and what it was is not in a view.
pub fn cut_to_budget(view: &ContextView, target: &EntryId, budget_tokens: u64) -> Option<Overlay> {
    let item = view
        .items
        .iter()
        .find(|item| item.entry.as_ref() == Some(target))
        .filter(|item| matches!(item.disposition, Disposition::Sent | Disposition::Edited))?;
    let Message::ToolResult(result) = item.sent.as_deref()? else {
        return None;
    };
    let text = result.text();
    let chars = text.chars().count();
    let keep = (chars as f64 * budget_tokens as f64 / item.tokens.max(1) as f64) as usize;
    let (head_chars, tail_chars) = cut::snap(&text, keep * 2 / 3, keep / 3);
    let omitted = chars.saturating_sub(head_chars + tail_chars);
    let form = CutForm::Trim {
        head_chars,
        tail_chars,
        notice: cut::notice(
            omitted,
            "because the result is larger than what a compaction keeps",
        ),
    };
    let reason = format!("{} tokens, a compaction keeps {budget_tokens}", item.tokens);
    Some(Overlay::Guard {
        cuts: vec![Cut {
            target: target.clone(),
            form,
            phase: CutPhase::Single,
            reason,
            tokens_before: item.tokens,
            tokens_after: budget_tokens,
        }],
    })
}
