//! Compactions that a session would have had in a smaller window, with the summary that code
//! writes. The session's own ones are left out; the conversation after each is the real one.
//!
//! The load line and the kept part are those of the settings, without pruning, which only
//! puts compactions off.

use std::collections::HashSet;
use std::sync::Arc;

use crate::context::audit::LatestAsk;
use crate::context::ruler::Ruler;
use crate::context::summary::source::{source_message, summary_background};
use crate::context::summary::{self, KeptContext, SourceMessage, SummaryBackground, SummaryJob};
use crate::context::tail::{self, TailLimits, TailPlan};
use crate::context::{
    ContextSettings, ContextView, PrunePolicy, RequestContext, ShrinkMode, ViewAssembler, appendix,
};
use crate::transcript::{
    Compaction, CompactionCause, CompactionDetails, Decision, Entry, EntryBody, EntryId, Message,
    SummaryAppendix, SummaryCheck, TailExceptions, Transcript, Trigger,
};

/// Simulated compactions of one session and window at most: the first ones.
pub const MAX_SIMULATED: usize = 8;

/// A session with the compactions that it would have had.
#[derive(Clone, Debug, Default)]
pub struct SimulatedCompactions {
    /// The active branch with them in it.
    pub transcript: Transcript,
    /// Their entries, in order; empty when all fits the window.
    pub entries: Vec<EntryId>,
    /// Tokens of the whole conversation.
    pub tokens: u64,
}

/// Goes through the active branch and compacts without a model wherever a window of
/// `window_tokens` is full, [`MAX_SIMULATED`] times at most.
pub fn simulate(
    transcript: &Transcript,
    settings: &ContextSettings,
    ruler: &Arc<dyn Ruler>,
    window_tokens: u64,
) -> SimulatedCompactions {
    let mut settings = settings.clone();
    settings.window.user_tokens = Some(window_tokens);
    settings.prune.policy = PrunePolicy::Off;
    let mut simulation = Simulation::new(settings, Arc::clone(ruler));
    let branch = transcript.branch();
    let counted: Vec<&Arc<Entry>> = branch.iter().filter(|entry| is_replayed(entry)).collect();
    for (at, entry) in counted.iter().enumerate() {
        simulation.push(entry);
        // A compaction happens before a request: when the next message is an answer.
        let next = counted.get(at + 1).and_then(|entry| entry.message());
        let is_answered = matches!(next.map(AsRef::as_ref), Some(Message::Assistant(_)));
        if is_answered && simulation.out.entries.len() < MAX_SIMULATED {
            simulation.compact_when_full();
        }
    }
    simulation.out
}

/// Whether an entry of the session is part of its simulation.
fn is_replayed(entry: &Entry) -> bool {
    match &entry.body {
        EntryBody::Message(_)
        | EntryBody::CustomMessage { .. }
        | EntryBody::BranchSummary { .. }
        | EntryBody::ContextEdit { .. } => true,
        EntryBody::Decision(decision) => matches!(
            decision,
            Decision::Pin { .. } | Decision::Drop { .. } | Decision::Restore { .. }
        ),
        _ => false,
    }
}

struct Simulation {
    settings: Arc<ContextSettings>,
    ruler: Arc<dyn Ruler>,
    assembler: ViewAssembler,
    /// Tokens of the view now.
    tokens: u64,
    load_line: u64,
    /// The newest compaction.
    previous: Option<Compaction>,
    out: SimulatedCompactions,
}

impl Simulation {
    fn new(settings: ContextSettings, ruler: Arc<dyn Ruler>) -> Self {
        let settings = Arc::new(settings);
        let mut out = Self {
            assembler: ViewAssembler::new(Arc::clone(&settings), Arc::clone(&ruler)),
            settings,
            ruler,
            tokens: 0,
            load_line: 0,
            previous: None,
            out: SimulatedCompactions::default(),
        };
        out.load_line = out.view().window.load_line;
        out
    }

    fn push(&mut self, entry: &Entry) {
        let body = entry.body.clone();
        let added = self
            .out
            .transcript
            .append(entry.id.clone(), entry.timestamp, body);
        if added.is_err() {
            return;
        }
        if let Some(message) = source_message(entry) {
            let tokens = self.ruler.message_tokens(&message);
            self.tokens += tokens;
            self.out.tokens += tokens;
        }
    }

    fn view(&mut self) -> ContextView {
        let entries = self.out.transcript.entries();
        let now = entries
            .last()
            .map(|entry| entry.timestamp)
            .unwrap_or_default();
        let request = RequestContext::default();
        self.assembler
            .evaluate(&self.out.transcript, &request, now, ShrinkMode::default())
            .view
    }

    fn compact_when_full(&mut self) {
        if self.load_line == 0 || self.tokens < self.load_line {
            return;
        }
        let view = self.view();
        let Some(plan) = self.plan(&view) else {
            return;
        };
        let compaction = self.compaction(&view, &plan);
        let id = EntryId::new(format!("simulated-{}", self.out.entries.len() + 1));
        let now = self
            .out
            .transcript
            .entries()
            .last()
            .map(|entry| entry.timestamp);
        self.tokens = plan.kept_tokens + self.ruler.text_tokens(&compaction.summary);
        let body = EntryBody::Compaction(Box::new(compaction.clone()));
        if self
            .out
            .transcript
            .append(id.clone(), now.unwrap_or_default(), body)
            .is_ok()
        {
            self.out.entries.push(id);
            self.previous = Some(compaction);
        }
    }

    /// What is replaced and kept: as much as the settings say, less where that leaves nothing
    /// to replace.
    fn plan(&self, view: &ContextView) -> Option<TailPlan> {
        let limits = TailLimits::of(&self.settings.compaction, view.window.usable);
        let choices = [
            limits,
            TailLimits { turns: 1, ..limits },
            TailLimits::nothing(),
        ];
        let mut plans = choices
            .into_iter()
            .map(|limits| tail::select(view, limits, None));
        plans.find(|plan| !plan.is_empty())
    }

    fn sources(&self, entries: &[EntryId]) -> Vec<SourceMessage> {
        let entries = entries.iter().filter_map(|id| self.out.transcript.get(id));
        entries.filter_map(|entry| self.source(entry)).collect()
    }

    fn source(&self, entry: &Entry) -> Option<SourceMessage> {
        let message = source_message(entry)?;
        Some(SourceMessage {
            entry: entry.id.clone(),
            tokens: self.ruler.message_tokens(&message),
            message,
        })
    }

    fn job(&self, view: &ContextView, plan: &TailPlan) -> SummaryJob {
        let ruler = Arc::clone(&self.ruler);
        let previous = self.previous.as_ref();
        let ask = view.items.iter().rev().find(|item| item.is_ask());
        let ask = ask.and_then(|item| {
            Some(LatestAsk {
                text: item.sent.as_ref()?.text(),
                entry: item.entry.clone(),
                in_tail: true,
            })
        });
        SummaryJob {
            turn_prefix: self.sources(&plan.turn_prefix),
            previous_summary: previous.map(|it| it.summary.clone()),
            background: self.background(view, plan),
            ask,
            instructions: self.settings.compaction.instructions.clone(),
            template: self.settings.compaction.template.clone(),
            audit: self.settings.audit.clone(),
            history: self.settings.compaction.history.clone(),
            kept: KeptContext {
                tokens: plan.kept_tokens,
                ..KeptContext::default()
            },
            extractive: true,
            ..SummaryJob::new(
                self.sources(&plan.history),
                Arc::new(move |text: &str| ruler.text_tokens(text)),
            )
        }
    }

    /// What is known beside the messages that are replaced, as for a real compaction.
    fn background(&self, view: &ContextView, plan: &TailPlan) -> SummaryBackground {
        let replaced: HashSet<&EntryId> = plan.history.iter().chain(&plan.turn_prefix).collect();
        let shown = view.items.iter().filter(|item| !item.is_compaction());
        let kept: HashSet<&EntryId> = shown.filter_map(|item| item.entry.as_ref()).collect();
        let entries = self.out.transcript.entries();
        SummaryBackground {
            possible_rules: view.rules.possible_texts(|id| replaced.contains(id)),
            ..summary_background(entries, &replaced, &kept, self.previous.as_ref())
        }
    }

    fn compaction(&self, view: &ContextView, plan: &TailPlan) -> Compaction {
        let job = self.job(view, plan);
        let result = summary::extract(&job);
        let before: Option<&SummaryAppendix> =
            self.previous.as_ref().map(|it| &it.details.appendix);
        Compaction {
            summary: result.summary,
            first_kept: plan.first_kept.clone(),
            tokens_before: self.tokens,
            details: CompactionDetails {
                cause: CompactionCause {
                    trigger: Trigger::Threshold,
                    attempt: 0,
                    load_line_tokens: self.load_line,
                    engine_reason: None,
                },
                ruler: self.ruler.name().to_owned(),
                engine: "simulated".to_owned(),
                model: "extractive".to_owned(),
                check: SummaryCheck {
                    audit: Some(result.audit),
                    mended: result.mended,
                    demands: result.demands,
                    ..SummaryCheck::default()
                },
                appendix: appendix::accumulate(before, &job.replaced()),
                aliases: result.aliases,
                exceptions: TailExceptions {
                    kept_asks: plan.kept_asks.clone(),
                    cut_entry: None,
                },
                summarized_messages: plan.summarized(),
                ..CompactionDetails::default()
            },
            from_hook: false,
        }
    }
}
