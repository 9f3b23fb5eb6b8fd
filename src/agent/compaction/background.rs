//! Compaction ahead of time: the summary is written while the user works and put in when
//! the load line is reached. What was said meanwhile stays verbatim.
//!
//! Until then nothing is in the log; a draft that no longer fits the branch is discarded and
//! leaves nothing but its cost.

use std::time::Duration;

use tokio_util::task::AbortOnDropHandle;

use crate::agent::compaction::CompactionRun;
use crate::agent::compaction::attempt::AttemptOutcome;
use crate::agent::compaction::draft::SummaryDraft;
use crate::agent::compaction::material::{
    CompactionMaterial, CompactionOutcome, CompactionRequest,
};
use crate::agent::compaction::run_summary::drive;
use crate::agent::compaction::state::{BackgroundSummary, UnwrittenSummary};
use crate::agent::mailbox::TurnStop;
use crate::agent::protocol::Notice;
use crate::clock::{self, Stopwatch};
use crate::context::{Category, ContextView, Evaluation, ShrinkMode};
use crate::transcript::{Decision, Entry, EntryBody, Trigger};

/// Share of the load line from which a summary is prepared.
const PREPARE_FROM_SHARE: f64 = 0.8;

/// One that is ready and fits.
pub(in crate::agent) struct PreparedSummary {
    material: CompactionMaterial,
    draft: SummaryDraft,
}

impl CompactionRun<'_> {
    /// Begins a summary when the view comes near the load line and the settings want that.
    pub(crate) async fn prepare_summary(&mut self, view: &ContextView) {
        if !self.should_prepare(view) {
            return;
        }
        let wanted = ahead();
        let Some(leaf) = self.agent.thread.conversation.transcript().leaf().cloned() else {
            return;
        };
        let material = self.material(&wanted);
        let Some(material) = material.filter(|it| !it.frees_nothing()) else {
            return;
        };
        let connection = self.summary_connection().await;
        let model = connection.model.model.clone();
        // Without a model a summary is written in no time.
        if self.is_given_up(&model).await {
            return;
        }
        let job = self.job(&wanted, &material, &connection);
        let seconds = self
            .agent
            .thread
            .conversation
            .context()
            .compaction
            .timeout_secs;
        let (lanes, told) = (self.agent.setup.lanes.clone(), self.listeners(None));
        let task = tokio::spawn(async move {
            let _lane = if job.extractive {
                None
            } else {
                lanes.enter().await
            };
            let began = Stopwatch::start();
            let deadline = clock::deadline(Duration::from_secs(seconds));
            let driven = Box::pin(drive(job.clone(), connection.clone(), deadline, told)).await;
            let attempt = AttemptOutcome::of(&driven.outcome, driven.answers, Trigger::Threshold);
            let attempt = attempt.filter(|_| !job.extractive);
            match driven.outcome {
                Ok(result) if result.degraded => Err(UnwrittenSummary {
                    message: "the model wrote no usable summary".to_owned(),
                    attempt,
                }),
                Ok(result) => Ok(SummaryDraft::new(job, result, &connection, began.elapsed())),
                Err((_, message)) => Err(UnwrittenSummary { message, attempt }),
            }
        });
        self.agent.compactor.background = Some(BackgroundSummary {
            material,
            leaf,
            model,
            task: AbortOnDropHandle::new(task),
        });
        let text = "preparing a summary for the load line; the context stays as it is until then";
        self.agent.events.notice(Notice::info(text)).await;
    }

    fn should_prepare(&self, view: &ContextView) -> bool {
        let context = self.agent.thread.conversation.context();
        let line = view.window.load_line_effective as f64;
        context.compaction.background
            && !self.agent.thread.conversation.engine().owns_compaction
            && context.compaction.auto
            && self.agent.compactor.auto.may_prepare(view)
            && !self.agent.hook_decides_compactions()
            && line > 0.0
            && view.usage.tokens as f64 >= line * PREPARE_FROM_SHARE
            && !self
                .agent
                .compactor
                .background
                .as_ref()
                .is_some_and(|it| self.fits(it))
    }

    /// The summary that was prepared, when it still fits; waits while it is being written.
    pub(crate) async fn prepared_summary(
        &mut self,
        wanted: &CompactionRequest,
    ) -> Result<Option<PreparedSummary>, TurnStop> {
        let Some(background) = self.agent.compactor.background.take() else {
            return Ok(None);
        };
        if wanted.trigger != Trigger::Threshold || !self.fits(&background) {
            return Ok(None);
        }
        self.agent.compactor.is_summarising = true;
        let written = self.agent.wait(background.task).await;
        self.agent.compactor.is_summarising = false;
        self.agent.heed_overheard().await;
        let draft = match written? {
            Ok(Ok(draft)) => draft,
            Ok(Err(UnwrittenSummary { message, attempt })) => {
                self.agent.compactor.auto.on_unprepared();
                if let Some(attempt) = attempt {
                    self.note_attempt(&background.model, attempt).await;
                }
                let text = format!("the summary prepared in advance failed: {message}");
                self.agent.events.notice(Notice::info(text)).await;
                return Ok(None);
            }
            Err(_) => return Ok(None),
        };
        let material = self.brought_up_to_date(background.material);
        let line = material.view.window.load_line_effective;
        let after = self
            .compaction(wanted, &material, &draft)
            .details
            .tokens_after;
        // So much was said meanwhile that it would not help: a new one is written.
        Ok((after < line).then_some(PreparedSummary { material, draft }))
    }

    /// Puts a prepared summary in.
    pub(crate) async fn put_in(
        &mut self,
        wanted: CompactionRequest,
        prepared: PreparedSummary,
    ) -> Result<CompactionOutcome, TurnStop> {
        let PreparedSummary { material, draft } = prepared;
        self.carry_out(wanted, &material, Some(draft)).await
    }

    /// Whether the branch has only grown by messages since it was begun.
    fn fits(&self, background: &BackgroundSummary) -> bool {
        let branch = self.agent.thread.conversation.transcript().branch();
        branch
            .iter()
            .position(|entry| entry.id == background.leaf)
            .is_some_and(|at| !branch.iter().skip(at + 1).any(|entry| rewrites(entry)))
    }

    /// The plan with current numbers.
    fn brought_up_to_date(&mut self, planned: CompactionMaterial) -> CompactionMaterial {
        let Evaluation { view, decisions } = self.agent.thread.evaluate(ShrinkMode::default());
        let (asks, messages) = (asks(&view), messages(&view));
        let mut plan = planned.plan;
        let new_asks = asks.saturating_sub(self::asks(&planned.view));
        plan.kept_turns += u32::try_from(new_asks).unwrap_or(u32::MAX);
        plan.kept += messages.saturating_sub(self::messages(&planned.view));
        plan.kept_tokens += view.usage.tokens.saturating_sub(planned.view.usage.tokens);
        CompactionMaterial {
            decisions: self.with_cut(&view, &plan, decisions),
            view,
            plan,
            ..planned
        }
    }
}

/// A compaction ahead of time: the one that the load line would ask for.
fn ahead() -> CompactionRequest {
    CompactionRequest {
        trigger: Trigger::Threshold,
        yes: true,
        ..CompactionRequest::default()
    }
}

/// Entries after which a summary of what was before them may say something else.
fn rewrites(entry: &Entry) -> bool {
    matches!(
        entry.body,
        EntryBody::Compaction(_)
            | EntryBody::BranchSummary { .. }
            | EntryBody::ContextEdit { .. }
            | EntryBody::Decision(Decision::Drop { .. } | Decision::Undo { .. })
    )
}

fn asks(view: &ContextView) -> u64 {
    view.items.iter().filter(|item| item.is_ask()).count() as u64
}

fn messages(view: &ContextView) -> u64 {
    let is_message = |category| {
        !matches!(
            category,
            Category::System
                | Category::Tools
                | Category::Servers
                | Category::Memory
                | Category::Skills
                | Category::Summary
                | Category::Rules
                | Category::Pending
        )
    };
    let kept = view.items.iter().filter(|item| is_message(item.category));
    kept.count() as u64
}
