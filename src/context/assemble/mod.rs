//! One evaluation: from (log, settings, request context, clock reading) to a
//! [`ContextView`], with the decisions that the agent has to record.
//!
//! The order is fixed: projection with recorded decisions and repair → single guard →
//! prune → media → total guard → counting. The view already shows what was decided;
//! recording it and evaluating again gives the same view.

mod frame;
mod request_context;

use std::sync::Arc;

use frame::{FrameEstimate, FrameShares};
pub use request_context::RequestContext;

use super::decide::{DecidedView, Decider, UnloggedTokens};
use super::projection::{
    ChosenGroups, FRAME_ITEMS, KeptSelection, Measurer, Preamble, PreambleTokens, Projection,
    ViewBuilder, frame_item,
};
use super::prune::difference::SeenReads;
use super::prune::{ForecastCache, ToolFilter};
use super::recall::RECALL_TOOL;
use super::ruler::{GrowingCount, Ruler};
use super::rules::{RulesReport, block_budget};
use super::selection::{CandidateGroup, Candidates, KeptCandidates, Selection, SelectionBudget};
use super::settings::ContextSettings;
use super::tail::{self, TailLimits};
use super::view::{
    Category, CompactionForecast, CompactionOutlook, ContextView, FullSize, Role, UsageReport,
    ViewItem, WindowReport,
};
use super::{futile, preview, window};
use crate::transcript::{Decision, EntryId, Message, Timestamp, Transcript};

/// How hard an evaluation tries to make the view smaller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShrinkMode {
    /// Prune whatever the gate says.
    pub prune_now: bool,
    /// A person asked for what is decided: their `/undo` takes it back.
    pub by_person: bool,
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
    pub decisions: Vec<Decision>,
}

/// Everything that could be sent, and what it is measured with.
struct BaseList {
    list: ViewBuilder,
    window: WindowReport,
    unlogged: UnloggedTokens,
    /// An engine chose it from another list.
    is_selected: bool,
    /// The model has a tool that gives back what is not sent.
    can_recall: bool,
}

/// What a view holds besides its list.
struct FoundSizes {
    unlogged: UnloggedTokens,
    window: WindowReport,
    rules: RulesReport,
}

/// When and how hard a view is decided about.
#[derive(Clone, Copy)]
struct DecisionMoment {
    now: Timestamp,
    pressure: ShrinkMode,
}

/// Evaluates views of one session. Keeps what it counted; holds no other state, so
/// evaluating twice gives the same view.
pub struct ViewAssembler {
    settings: Arc<ContextSettings>,
    tools: ToolFilter,
    projection: Projection,
    /// The forecast of pruning in a long session.
    forecast: ForecastCache,
    /// Differences of reads that were made.
    seen: SeenReads,
    /// Estimates of system and tools, with what they were made of.
    framed: Option<FrameEstimate>,
    /// The count of the answer that streams.
    live: GrowingCount,
    /// The groups that an engine chose from last, and what was made of its choice.
    candidates: KeptCandidates,
    selected: KeptSelection,
}

impl ViewAssembler {
    /// An assembler that counts with `ruler`.
    pub fn new(settings: Arc<ContextSettings>, ruler: Arc<dyn Ruler>) -> Self {
        Self {
            tools: ToolFilter::new(&settings.prune.tools.allow, &settings.prune.tools.deny),
            projection: Projection::new(Measurer::new(ruler)).with_margin(settings.ruler_margin),
            settings,
            forecast: ForecastCache::default(),
            seen: SeenReads::default(),
            framed: None,
            live: GrowingCount::default(),
            candidates: KeptCandidates::default(),
            selected: KeptSelection::default(),
        }
    }

    /// Counts of providers are not those of its lists: an engine chooses what is sent.
    #[must_use]
    pub fn without_counts(mut self) -> Self {
        self.projection = self.projection.without_counts();
        self
    }

    /// The settings in force.
    pub fn settings(&self) -> &Arc<ContextSettings> {
        &self.settings
    }

    /// Counts an entry's message as it is on disk; remembered.
    pub fn entry_tokens(&mut self, entry: &EntryId, message: &Message) -> u64 {
        self.projection.measurer().full(entry, message).tokens
    }

    /// The view of the next request.
    pub fn evaluate(
        &mut self,
        transcript: &Transcript,
        request_context: &RequestContext,
        now: Timestamp,
        pressure: ShrinkMode,
    ) -> Evaluation {
        let base = self.base(transcript, request_context);
        let rules = self.projection.rules().clone();
        let moment = DecisionMoment { now, pressure };
        self.conclude(base, rules, moment, transcript, request_context)
    }

    /// The view of the next request with what `select` chooses of the list. An error of it is
    /// given back, and nothing is changed.
    pub fn evaluate_selected<E>(
        &mut self,
        transcript: &Transcript,
        request_context: &RequestContext,
        now: Timestamp,
        pressure: ShrinkMode,
        select: &mut dyn FnMut(&Candidates<'_>) -> Result<Selection, E>,
    ) -> Result<Evaluation, E> {
        let mut base = self.base(transcript, request_context);
        let mut moment = DecisionMoment { now, pressure };
        let list = &base.list;
        let groups = self
            .candidates
            .groups_of(&list.items, list.index.newest_ask);
        let selection = select(&Candidates {
            items: &base.list.items,
            groups: &groups,
            budget: self.budget(&base, &groups, request_context),
            transcript,
        })?;
        moment.pressure.total |= selection.is_too_long;
        let mut rules = self.projection.rules().clone();
        if !selection.is_everything() {
            let chosen = ChosenGroups {
                list: &base.list,
                groups: &groups,
                selection: &selection,
            };
            let kept = &mut self.selected;
            let chosen = self.projection.selected(chosen, kept, transcript);
            base.list = chosen.list;
            base.is_selected = true;
            rules = chosen.rules;
        }
        Ok(self.conclude(base, rules, moment, transcript, request_context))
    }

    /// The tokens that the groups of a list may take, beside what is always sent.
    fn budget(
        &self,
        base: &BaseList,
        groups: &[CandidateGroup],
        request_context: &RequestContext,
    ) -> SelectionBudget {
        let in_groups: u64 = groups.iter().map(|group| group.estimate_tokens).sum();
        let opening = base.list.sums.estimate.saturating_sub(in_groups);
        let frame = base.unlogged.frame;
        let fixed = opening + frame.system + frame.tools + self.rules_tokens(request_context);
        let usual = request_context.model.token_factor;
        let factor = self.projection.fit().factor();
        SelectionBudget::of(&base.window, fixed, factor, usual)
    }

    /// The list of everything that could be sent.
    fn base(&mut self, transcript: &Transcript, request_context: &RequestContext) -> BaseList {
        let mut tools = request_context.tools.iter();
        let can_recall = tools.any(|tool| tool.name == RECALL_TOOL);
        let frame = Preamble {
            can_recall,
            model: request_context.model.model.clone(),
            tokens: self.frame_tokens(request_context),
            workspace_rules: request_context.workspace_rules.clone(),
            token_factor: request_context.model.token_factor,
            samples: Arc::clone(&request_context.samples),
            rules_tokens: self.rules_tokens(request_context),
        };
        self.projection.sync(transcript, &frame);
        let margin = self.projection.fit().margin();
        BaseList {
            window: window::report(&self.settings, &request_context.model, margin),
            list: self.projection.list(request_context.tools_running),
            unlogged: UnloggedTokens {
                frame: frame.tokens,
                live: self.live_tokens(request_context),
            },
            is_selected: false,
            can_recall,
        }
    }

    /// Decides about a list and makes a view of it.
    fn conclude(
        &mut self,
        base: BaseList,
        rules: RulesReport,
        moment: DecisionMoment,
        transcript: &Transcript,
        request_context: &RequestContext,
    ) -> Evaluation {
        let mut decider = Decider {
            settings: &self.settings,
            tools: &self.tools,
            projection: &mut self.projection,
            forecast: &mut self.forecast,
            seen: &mut self.seen,
            window: &base.window,
            request_context,
            unlogged: base.unlogged,
            recallable: base.can_recall.then_some(transcript),
            now: moment.now,
            pressure: moment.pressure,
            is_selected: base.is_selected,
        };
        let settled = decider.decide(base.list);
        let found = FoundSizes {
            unlogged: base.unlogged,
            window: base.window,
            rules,
        };
        let mut evaluation = self.finish(settled, found, request_context);
        let view = &mut evaluation.view;
        view.compaction.waits_for = futile::waits_for(transcript, view);
        evaluation
    }

    /// Appends what is in the composer to a view that is only shown. Decisions are made of
    /// views without it, because nobody has sent it.
    pub fn with_draft(&mut self, mut view: ContextView, draft: &Arc<Message>) -> ContextView {
        let estimate = self.projection.measurer().ruler().message_tokens(draft);
        let turn = self.projection.turn() + 1;
        let (role, category) = (Role::User, Category::Pending);
        let mut item = loose_item(draft, role, category, estimate, turn);
        item.tokens = view.ruler.scale(estimate);
        view.usage.tokens += item.tokens;
        view.usage.by_category.add(category, item.tokens);
        view.usage.exact = false;
        view.compaction.tokens_after_estimate += item.tokens;
        view.compaction.before_message.tokens_after_estimate += item.tokens;
        view.items.push_back_mut(Arc::new(item));
        view.compaction.due = self.is_due(&view);
        let waits_for = view.compaction.waits_for;
        view.compaction.waits_for = waits_for.filter(|&wanted| !futile::reaches(&view, wanted));
        view
    }

    /// The most that the block of rules may take; the ruler's margin does not change it.
    fn rules_tokens(&self, request_context: &RequestContext) -> u64 {
        let window = window::report(&self.settings, &request_context.model, 1.0);
        block_budget(window.tokens)
    }

    fn live_tokens(&mut self, request_context: &RequestContext) -> u64 {
        let ruler = self.projection.measurer().ruler();
        let live = request_context.live.as_ref();
        live.map_or(0, |live| self.live.message_tokens(ruler, live))
    }

    fn frame_tokens(&mut self, request_context: &RequestContext) -> PreambleTokens {
        let known = self.framed.as_ref().filter(|it| it.is_of(request_context));
        if let Some(known) = known {
            return known.tokens;
        }
        let ruler = self.projection.measurer().ruler();
        let framed = FrameEstimate::of(request_context, ruler);
        self.framed.insert(framed).tokens
    }

    fn finish(
        &mut self,
        decided: DecidedView,
        found: FoundSizes,
        request_context: &RequestContext,
    ) -> Evaluation {
        let FoundSizes {
            unlogged,
            window,
            rules,
        } = found;
        let DecidedView {
            mut list,
            decisions,
            report: prune,
        } = decided;
        let counted = list.frame_shares(unlogged.frame, self.projection.fit());
        let framed = self.framed.as_ref();
        let shares = framed
            .map(|framed| framed.shares(counted))
            .unwrap_or_default();
        if let Some(framed) = framed {
            framed.put(&mut list, &shares);
        }
        self.push_live(&mut list, unlogged.live, request_context);
        let usage = usage(&list, &shares);
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
            rules,
            frame: shares.text(request_context),
        };
        let kept_anyway = tail::KeptAnyway {
            held: list.sums.held,
            newest_ask: list.index.newest_ask,
            silent: list.sums.silent,
        };
        view.compaction = self.outlook(&view, kept_anyway);
        Evaluation { view, decisions }
    }

    /// Adds the answer that streams.
    fn push_live(&self, list: &mut ViewBuilder, tokens: u64, request_context: &RequestContext) {
        let turn = self.projection.turn();
        if let Some(live) = &request_context.live {
            let (role, category) = (Role::Assistant, Category::Assistant);
            list.push(loose_item(live, role, category, tokens, turn));
        }
    }

    fn outlook(&self, view: &ContextView, kept_anyway: tail::KeptAnyway) -> CompactionOutlook {
        let settings = &self.settings.compaction;
        let limits = TailLimits::of(settings, view.window.usable);
        let outlook = tail::outlook(view, limits, kept_anyway);
        let before_message = if is_answered(view) {
            let next = tail::outlook(view, limits.before_message(), kept_anyway);
            CompactionForecast {
                summarized: next.summarized,
                tokens_after_estimate: next.tokens_after,
            }
        } else {
            CompactionForecast {
                summarized: outlook.summarized,
                tokens_after_estimate: outlook.tokens_after,
            }
        };
        CompactionOutlook {
            compacts_at: self.compacts_at(view),
            due: self.is_due(view),
            would_summarize: outlook.summarized,
            would_keep: outlook.kept,
            tokens_after_estimate: outlook.tokens_after,
            before_message,
            waits_for: None,
        }
    }

    fn compacts_at(&self, view: &ContextView) -> Option<u64> {
        let is_automatic = self.settings.compaction.auto && view.window.tokens.is_some();
        let (line, measured) = (view.window.load_line, view.usage.measured_tokens);
        is_automatic.then(|| window::reached_at(line, measured, view.ruler.margin))
    }

    fn is_due(&self, view: &ContextView) -> bool {
        let (tokens, measured) = (view.usage.tokens, view.usage.measured_tokens);
        let weighed = window::weighed(tokens, measured, view.ruler.margin);
        self.settings.compaction.auto
            && view.window.tokens.is_some()
            && weighed >= view.window.load_line as f64
    }
}

/// Whether nothing is going on: the next request begins with another message of the user.
fn is_answered(view: &ContextView) -> bool {
    let newest = view.items.last().and_then(|item| item.sent.as_deref());
    matches!(newest, Some(Message::Assistant(answer)) if answer.tool_calls().next().is_none())
}

/// The tokens of all items of a list.
fn usage(list: &ViewBuilder, frame: &FrameShares) -> UsageReport {
    let mut by_category = list.sums.by_category;
    for category in Category::ALL {
        by_category.add(category, frame.parts.get(category));
    }
    let (measured_items, measured_tokens) = list.counted();
    UsageReport {
        tokens: by_category.total(),
        // Exact when a provider counted every item.
        exact: measured_items == list.items.len() && measured_items > FRAME_ITEMS,
        measured_tokens: measured_tokens.min(by_category.total()),
        by_category,
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
        estimate_tokens: tokens,
        full: FullSize::estimated(tokens),
        turn,
        preview: preview::of_message(message),
        sent: Some(Arc::clone(message)),
        ..frame_item(category)
    }
}
