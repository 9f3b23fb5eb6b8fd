//! The compaction driver: chooses what is replaced, feeds the summariser, lets the user
//! review, and appends one entry. Until that entry nothing has changed, and whatever
//! fails or is cancelled leaves the log and the view exactly as before.

pub(in crate::agent) mod attempt;
pub(in crate::agent) mod automatic;
pub(in crate::agent) mod background;
pub(in crate::agent) mod breaker;
pub(in crate::agent) mod comparison;
pub(in crate::agent) mod draft;
mod kept_rules;
pub(in crate::agent) mod material;
mod notes;
pub(in crate::agent) mod rebuild;
pub(in crate::agent) mod review;
pub(in crate::agent) mod run_summary;
pub(in crate::agent) mod shrink;
pub(in crate::agent) mod state;
pub(in crate::agent) mod summary_request;

use crate::agent::compaction::material::{
    CompactionMaterial, CompactionOutcome, CompactionRequest, failed_at, source_of,
};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use crate::agent::actor::Actor;
use crate::agent::compaction::draft::SummaryDraft;
use crate::agent::hooks::{CompactionAdvice, HOOK_AUTHOR};
use crate::agent::mailbox::TurnStop;
use crate::agent::protocol::{CompactOptions, CompactionEvent, CompactionPlan, Notice};
use crate::agent::setup::ModelConnection;
use crate::context::summary::{SourceMessage, SummaryJob};
use crate::context::tail::TailPlan;
use crate::context::{
    Category, ContextView, Disposition, Evaluation, ReviewMode, ShrinkMode, ViewItem,
};
use crate::engine::summary::{self, Summariser, edited_message};
use crate::transcript::{Compaction, Entry, EntryBody, EntryId, Trigger, grouped};

/// The outcome of writing a summary for a review.
enum ReviewedDraft {
    Draft(Box<SummaryDraft>),
    /// With the cause that the event named.
    Failed(&'static str),
    /// It was asked for again, and the user stopped that.
    Stopped,
}

/// Runs one compaction, or prepares one.
pub(in crate::agent) struct CompactionRun<'a> {
    pub(in crate::agent) agent: &'a mut Actor,
}

impl<'a> CompactionRun<'a> {
    pub(super) fn of(agent: &'a mut Actor) -> Self {
        Self { agent }
    }
}

impl CompactionRun<'_> {
    /// `/compact`.
    pub(super) async fn compact_op(&mut self, options: CompactOptions) {
        let review = self.agent.thread.conversation.context().compaction.review;
        let is_unreviewed = review == ReviewMode::Never && !options.yes;
        let wanted = CompactionRequest {
            trigger: Trigger::Manual,
            instructions: options.instructions,
            yes: options.yes || is_unreviewed,
            is_unseen: options.unseen,
            force: options.force,
            extractive: options.extractive,
            from: options.from,
            rebuild: options.rebuild,
            ..CompactionRequest::default()
        };
        if options.dry_run {
            if self.plan_only(&wanted).await.is_err() {
                self.say_stopped().await;
            }
            return;
        }
        match self.compact(wanted).await {
            Err(_) => self.say_stopped().await,
            Ok(CompactionOutcome::Applied) if is_unreviewed && self.agent.setup.is_interactive => {
                let text = "the summary was applied without a review: compaction.review is never";
                let notice = Notice::info(text);
                self.agent
                    .events
                    .notice(notice.with_hint("/summary shows it, /uncompact undoes the compaction"))
                    .await;
            }
            Ok(_) => {}
        }
        self.agent.thread.publish_view().await;
    }

    async fn say_stopped(&self) {
        let why = "stopped by the user";
        self.agent.events.compaction_cancelled(why).await;
    }

    async fn plan_only(&mut self, wanted: &CompactionRequest) -> Result<(), TurnStop> {
        let Some(material) = self.material(wanted) else {
            self.nothing_to_compact(wanted).await;
            return Ok(());
        };
        let connection = self.summary_connection().await;
        let job = self.job(wanted, &material, &connection);
        let model = draft::author(job.extractive, &connection);
        let exact = self
            .exact_tokens_after(wanted, &material, &job, &connection)
            .await?;
        let summariser = Summariser::new(job);
        let estimate = || material.plan.tokens_after(&material.view);
        let plan = CompactionPlan {
            tokens_before: material.view.estimated_tokens(),
            tokens_after: exact.unwrap_or_else(estimate),
            is_exact: exact.is_some(),
            summarized: material.plan.summarized(),
            kept: material.plan.kept,
            first_kept: material.plan.first_kept.clone(),
            calls: if material.shrink.needs_model {
                summariser.planned_calls() as u64
            } else {
                0
            },
            engine: self.agent.thread.conversation.engine().id.to_owned(),
            model,
            stages: summariser.planned_stages(),
            ruler: material.view.ruler.name.to_owned(),
            history_share: summariser.planned_share(),
            engine_reason: material.shrink.reason.clone(),
        };
        self.agent
            .events
            .emit(CompactionEvent::Planned(Box::new(plan)))
            .await;
        Ok(())
    }

    /// The view after a compaction whose summary is known beforehand: code writes it, and no
    /// hook or engine may put another in its place.
    async fn exact_tokens_after(
        &mut self,
        wanted: &CompactionRequest,
        material: &CompactionMaterial,
        job: &SummaryJob,
        connection: &ModelConnection,
    ) -> Result<Option<u64>, TurnStop> {
        let is_known =
            job.extractive && material.shrink.needs_model && !self.agent.hook_decides_compactions();
        if !is_known {
            return Ok(None);
        }
        let written = job.clone();
        let writing = tokio::task::spawn_blocking(move || summary::extract(&written));
        let Ok(result) = self.agent.wait(writing).await? else {
            return Ok(None);
        };
        let draft = SummaryDraft::new(job.clone(), result, connection, Duration::ZERO);
        let compaction = self.forecast(wanted, material, &draft).compaction;
        Ok(Some(compaction.details.tokens_after))
    }

    /// Runs one compaction to its end.
    pub(super) async fn compact(
        &mut self,
        wanted: CompactionRequest,
    ) -> Result<CompactionOutcome, TurnStop> {
        let Some(mut material) = self.material(&wanted) else {
            self.nothing_to_compact(&wanted).await;
            return Ok(CompactionOutcome::Nothing);
        };
        if wanted.trigger == Trigger::Threshold && material.frees_nothing() {
            return Ok(CompactionOutcome::Nothing);
        }
        let mut wanted = wanted;
        let prepared = match self.before_compact(&mut wanted, &mut material).await? {
            CompactionAdvice::Write => {
                match Box::pin(self.engine_draft(&mut wanted, &material)).await? {
                    Ok(draft) => draft,
                    Err(outcome) => return Ok(outcome),
                }
            }
            CompactionAdvice::Summary(text) => {
                let author = HOOK_AUTHOR;
                Some(self.given_draft(&wanted, &material, text, author).await?)
            }
            CompactionAdvice::Cancelled(reason) => {
                self.agent
                    .events
                    .emit(CompactionEvent::Cancelled { reason })
                    .await;
                return Ok(CompactionOutcome::Cancelled);
            }
        };
        self.carry_out(wanted, &material, prepared).await
    }

    /// Has a summary written, unless one is `prepared`, reviewed if that is wanted, and
    /// appended.
    pub(super) async fn carry_out(
        &mut self,
        wanted: CompactionRequest,
        material: &CompactionMaterial,
        prepared: Option<SummaryDraft>,
    ) -> Result<CompactionOutcome, TurnStop> {
        let mut wanted = wanted;
        let mut prepared = prepared;
        let mut has_flushed = false;
        // What was shown before the summary was asked for again, with its instructions.
        let mut before: Option<(Box<SummaryDraft>, Option<String>)> = None;
        loop {
            self.agent
                .events
                .emit(CompactionEvent::Started {
                    trigger: wanted.trigger,
                    tokens_before: material.view.estimated_tokens(),
                    summarized: material.plan.summarized(),
                    kept_turns: material.plan.kept_turns,
                })
                .await;
            if !std::mem::replace(&mut has_flushed, true) {
                Box::pin(self.flush_memory(&wanted, material)).await?;
            }
            let draft = match prepared.take() {
                Some(draft) => draft,
                None => match (
                    self.write_in_review(&wanted, material, before.is_some())
                        .await?,
                    before.take(),
                ) {
                    (ReviewedDraft::Draft(draft), _) => *draft,
                    // It was paid for and read: nothing that comes after takes it away.
                    (
                        ReviewedDraft::Failed(_) | ReviewedDraft::Stopped,
                        Some((draft, instructions)),
                    ) => {
                        wanted.instructions = instructions;
                        *draft
                    }
                    (ReviewedDraft::Failed(cause), None) => {
                        return Ok(CompactionOutcome::Failed(cause));
                    }
                    (ReviewedDraft::Stopped, None) => return Err(TurnStop::Interrupted),
                },
            };
            let needs_review = !wanted.yes && self.agent.setup.is_interactive;
            if !needs_review {
                return self.apply(&wanted, material, draft).await;
            }
            match self.review(&wanted, material, draft).await? {
                review::ReviewVerdict::Accept(draft) => {
                    return self.apply(&wanted, material, *draft).await;
                }
                review::ReviewVerdict::Retry(instructions, shown) => {
                    before = Some((shown, wanted.instructions.clone()));
                    if instructions.is_some() {
                        wanted.instructions = instructions;
                    }
                }
                review::ReviewVerdict::Cancel => {
                    self.agent.events.compaction_cancelled("cancelled").await;
                    return Ok(CompactionOutcome::Cancelled);
                }
            }
        }
    }

    /// Has it written while cancelling the review stops the writing.
    async fn write_in_review(
        &mut self,
        wanted: &CompactionRequest,
        material: &CompactionMaterial,
        is_retry: bool,
    ) -> Result<ReviewedDraft, TurnStop> {
        self.agent.compactor.retry_stopped = is_retry.then_some(false);
        self.agent.compactor.is_summarising = true;
        let written = self.write(wanted, material).await;
        self.agent.compactor.is_summarising = false;
        let is_stopped = self.agent.compactor.retry_stopped.take() == Some(true);
        match written {
            Ok(Ok(draft)) => Ok(ReviewedDraft::Draft(Box::new(draft))),
            Ok(Err(cause)) => Ok(ReviewedDraft::Failed(cause)),
            Err(TurnStop::Interrupted) if is_stopped => Ok(ReviewedDraft::Stopped),
            Err(stop) => Err(stop),
        }
    }

    /// Chooses what is replaced; `None` when everything would be kept.
    pub(super) fn material(&mut self, wanted: &CompactionRequest) -> Option<CompactionMaterial> {
        let Evaluation { view, decisions } = self.agent.thread.evaluate(ShrinkMode::default());
        let engines = self.agent.thread.conversation.engines();
        let shrink = engines.plan_shrink(&view, &wanted.shrink_request())?;
        let plan = shrink.tail.clone();
        let base = self.base(wanted, &view);
        if wanted.rebuild && base.again.is_empty() {
            return None;
        }
        let rebuilt = base.again.len();
        let mut history = base.again;
        history.extend(self.with_repaired(&view, &plan));
        let messages = self.sources(&view, &history);
        let turn_prefix = self.sources(&view, &plan.turn_prefix);
        Some(CompactionMaterial {
            decisions: self.with_cut(&view, &plan, decisions),
            view,
            plan,
            previous: base.previous,
            in_force: base.in_force,
            rebuilt,
            messages,
            turn_prefix,
            shrink,
            failed_at: failed_at(&self.agent.thread.conversation.transcript().branch()),
        })
    }

    /// The history with what repair or the engine keeps out of requests: it was said all the
    /// same.
    fn with_repaired(&self, view: &ContextView, plan: &TailPlan) -> Vec<EntryId> {
        let left_as = |dispositions: &[Disposition]| -> HashSet<&EntryId> {
            let left = view.left_out.iter();
            left.filter(|left| dispositions.contains(&left.disposition))
                .map(|left| &left.entry)
                .collect()
        };
        let omitted = left_as(&[Disposition::Omitted]);
        let removed = left_as(&[
            Disposition::Orphaned,
            Disposition::Duplicate,
            Disposition::Omitted,
        ]);
        if removed.is_empty() {
            return plan.history.clone();
        }
        let history: HashSet<&EntryId> = plan.history.iter().collect();
        let branch = self.agent.thread.conversation.transcript().branch();
        // Only what lies within the history: the rest is kept, or an earlier summary's.
        let is_history = |entry: &Arc<Entry>| history.contains(&entry.id);
        let is_first = |entry: &Arc<Entry>| is_history(entry) || omitted.contains(&entry.id);
        let first = branch.iter().position(is_first).unwrap_or(branch.len());
        let last = branch.iter().rposition(is_history).unwrap_or(0);
        branch
            .get(first..=last)
            .unwrap_or_default()
            .iter()
            .map(|entry| &entry.id)
            .filter(|id| history.contains(id) || removed.contains(id))
            .cloned()
            .collect()
    }

    fn compaction_in_force(&self, view: &ContextView) -> Option<(EntryId, Compaction)> {
        let item = view
            .items
            .iter()
            .find(|item| item.category == Category::Summary)?;
        let id = item.entry.clone()?;
        match &self.agent.thread.conversation.transcript().get(&id)?.body {
            EntryBody::Compaction(compaction) => Some((id, Compaction::clone(compaction))),
            _ => None,
        }
    }

    /// The log's originals of these entries; of what was edited, what it was edited to.
    fn sources(&mut self, view: &ContextView, entries: &[EntryId]) -> Vec<SourceMessage> {
        let is_edited = |item: &&Arc<ViewItem>| item.disposition == Disposition::Edited;
        let edited: Vec<&Arc<ViewItem>> = view.items.iter().filter(is_edited).collect();
        let found: Vec<Arc<Entry>> = entries
            .iter()
            .filter_map(|id| self.agent.thread.conversation.transcript().get(id).cloned())
            .collect();
        found
            .iter()
            .filter_map(|entry| {
                let edit = edited
                    .iter()
                    .find(|item| item.entry.as_ref() == Some(&entry.id));
                if let Some(item) = edit {
                    return Some(SourceMessage {
                        entry: entry.id.clone(),
                        message: edited_message(entry, item.sent.as_ref()?),
                        tokens: item.estimate_tokens,
                    });
                }
                source_of(&mut self.agent.thread, entry)
            })
            .collect()
    }

    async fn nothing_to_compact(&mut self, wanted: &CompactionRequest) {
        if wanted.rebuild {
            let message = "nothing to rebuild: no summary is active, or the log does not hold \
                the messages that it replaced";
            return self.found_nothing(wanted, message.to_owned()).await;
        }
        if let Some(from) = &wanted.from
            && self
                .agent
                .thread
                .conversation
                .transcript()
                .get(from)
                .is_none()
        {
            let message = format!("there is no entry {from} in this session");
            return self.did_not_begin(wanted, "no_such_entry", message).await;
        }
        if let Some(from) = &wanted.from {
            let message = format!(
                "nothing to compact: no messages before {from} that a summary could replace, or \
                 {from} is not in the window"
            );
            return self.found_nothing(wanted, message).await;
        }
        let forced = CompactionRequest {
            force: true,
            ..wanted.clone()
        };
        let message = match self.material(&forced) {
            None => "nothing to compact: the conversation is still empty".to_owned(),
            Some(material) => format!(
                "nothing to compact: all turns are recent enough to be kept. /compact --force \
                 keeps fewer: {} → about {} tokens, {} messages summarised",
                grouped(material.view.estimated_tokens()),
                grouped(material.plan.tokens_after(&material.view)),
                material.plan.summarized()
            ),
        };
        self.found_nothing(wanted, message).await;
    }

    /// Only an explicit request is answered that there is nothing to do.
    async fn found_nothing(&self, wanted: &CompactionRequest, message: String) {
        self.did_not_begin(wanted, "nothing_to_compact", message)
            .await;
    }

    async fn did_not_begin(
        &self,
        wanted: &CompactionRequest,
        cause: &'static str,
        message: String,
    ) {
        if wanted.trigger == Trigger::Manual {
            self.agent
                .events
                .emit(CompactionEvent::Failed {
                    trigger: wanted.trigger,
                    cause,
                    message,
                    attempts: 0,
                    ends_turn: false,
                })
                .await;
        }
    }
}
