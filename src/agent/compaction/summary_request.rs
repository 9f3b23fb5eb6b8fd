//! Has a summary written: chooses who writes it, builds the job, waits for the result
//! within a deadline. Changes nothing.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;

use crate::agent::compaction::CompactionRun;
use crate::agent::compaction::attempt::AttemptOutcome;
use crate::agent::compaction::draft::SummaryDraft;
use crate::agent::compaction::material::{CompactionMaterial, CompactionRequest};
use crate::agent::compaction::run_summary::{
    DrivenSummary, SummaryListeners, SummaryWatcher, TIMEOUT, drive,
};
use crate::agent::mailbox::TurnStop;
use crate::agent::protocol::{CompactionEvent, Notice};
use crate::agent::setup::ModelConnection;
use crate::clock::{self, Stopwatch};
use crate::config::parse_model;
use crate::context::OverflowFallback;
use crate::context::audit::LatestAsk;
use crate::context::summary::{
    FailureMode, KeptContext, SummaryBackground, SummaryJob, SummaryModel, SummaryResult,
    SummaryRetries, SummaryTaker,
};
use crate::engine::summary::summary_background;
use crate::transcript::{EntryId, Trigger};

/// Time limit of a summary without a model: it is done in milliseconds, this only bounds a
/// fault.
const EXTRACTIVE_TIMEOUT: Duration = Duration::from_secs(30);

/// The embedded provider writes no prose: its summaries are the extractive ones.
pub(super) const OFFLINE_PROVIDER: &str = "offline";

impl CompactionRun<'_> {
    /// The model that writes summaries, and its connection.
    pub(crate) async fn summary_connection(&mut self) -> ModelConnection {
        let context = self.agent.thread.conversation.context();
        let Some(named) = &context.compaction.model else {
            return self.agent.model.connection.clone();
        };
        if let Some(connection) = self.named_connection(named) {
            return connection;
        }
        let notice = Notice::warning(format!(
            "compaction.model = {named} cannot be used; {} writes the summary",
            self.agent.model.connection.model.model
        ));
        self.agent.events.notice(notice).await;
        self.agent.model.connection.clone()
    }

    /// The connection of a model that is named for summaries, when it can be used.
    fn named_connection(&self, named: &str) -> Option<ModelConnection> {
        let connection = ModelConnection::new(
            Arc::clone(&self.agent.model.connection.registry),
            &parse_model(named)?,
            "compaction.model".to_owned(),
        );
        connection.provider().is_ok().then_some(connection)
    }

    /// The window of the model that writes summaries.
    pub(super) fn summary_window_tokens(&self) -> u64 {
        let context = self.agent.thread.conversation.context();
        let named = context.compaction.model.as_deref();
        let named = named.and_then(|named| self.named_connection(named));
        let connection = named.as_ref().unwrap_or(&self.agent.model.connection);
        self.window_tokens_of(connection)
    }

    pub(super) fn window_tokens_of(&self, connection: &ModelConnection) -> u64 {
        // What was set for the session's model is not about another one.
        let own = self.agent.settings_for(&connection.model.model);
        let window = crate::engine::counting::window_report(&own, &connection.model, 1.0);
        let assumed = crate::engine::counting::ASSUMED_WINDOW_TOKENS;
        window.tokens.unwrap_or(assumed)
    }

    pub(crate) fn job(
        &mut self,
        wanted: &CompactionRequest,
        material: &CompactionMaterial,
        connection: &ModelConnection,
    ) -> SummaryJob {
        let ruler = self.agent.thread.current_ruler();
        let count = Arc::new(move |text: &str| ruler.text_tokens(text));
        let ask = newest_ask(material);
        let kept = self.kept_context(material);
        let context = self.agent.thread.conversation.context();
        let settings = &context.compaction;
        let previous = material.previous.as_ref().map(|(_, previous)| previous);
        let background = self.background_of(wanted, material);
        SummaryJob {
            turn_prefix: material.turn_prefix.clone(),
            previous_summary: previous.map(|c| c.summary.clone()),
            background,
            ask,
            instructions: wanted
                .instructions
                .clone()
                .filter(|text| !text.trim().is_empty())
                .or_else(|| settings.instructions.clone()),
            template: settings.template.clone(),
            audit: context.audit.clone(),
            history: settings.history.clone(),
            model: SummaryModel {
                window_tokens: self.window_tokens_of(connection),
                max_output_tokens: connection.model.max_output_tokens,
                retries: SummaryRetries {
                    max_tries: self.agent.setup.settings.agent.network.retry_max_attempts,
                    jitter_seed: self.agent.setup.clock.seed(),
                },
            },
            kept,
            taker: self.taker_of(wanted),
            on_failure: match (wanted.trigger, settings.on_overflow_failure) {
                (Trigger::Overflow, OverflowFallback::Extractive) => FailureMode::Degrade,
                _ => FailureMode::Cancel,
            },
            extractive: wanted.extractive || connection.model.model.provider == OFFLINE_PROVIDER,
            ..SummaryJob::new(material.messages.clone(), count)
        }
    }

    /// What is known beside the messages that are replaced.
    fn background_of(
        &self,
        wanted: &CompactionRequest,
        material: &CompactionMaterial,
    ) -> SummaryBackground {
        let plan = &material.plan;
        let sources = material.messages.iter().chain(&material.turn_prefix);
        let replaced = plan.history.iter().chain(&plan.turn_prefix);
        let replaced: HashSet<&EntryId> = replaced.chain(sources.map(|it| &it.entry)).collect();
        let shown = material.view.items.iter();
        let shown = shown.filter_map(|item| item.entry.as_ref());
        let kept: HashSet<&EntryId> = shown.chain(&wanted.held_back).collect();
        let transcript = self.agent.thread.conversation.transcript();
        let mut entries = transcript.branch();
        let is_known = |id: &&EntryId| entries.iter().all(|entry| entry.id != **id);
        let held_back = wanted.held_back.as_ref().filter(is_known);
        entries.extend(held_back.and_then(|id| transcript.get(id)).cloned());
        let previous = material.previous.as_ref().map(|(_, previous)| previous);
        let is_replaced = |id: &EntryId| replaced.contains(id);
        SummaryBackground {
            possible_rules: material.view.rules.possible_texts(is_replaced),
            ..summary_background(&entries, &replaced, &kept, previous)
        }
    }

    /// Who gets the summary of this compaction.
    fn taker_of(&self, wanted: &CompactionRequest) -> SummaryTaker {
        if !wanted.yes && !wanted.is_unseen && self.agent.setup.is_interactive {
            SummaryTaker::Reviewer
        } else if wanted.trigger == Trigger::Manual {
            SummaryTaker::Requester
        } else {
            SummaryTaker::Program
        }
    }

    /// What the next request has beside the summary, messages aside.
    fn kept_context(&mut self, material: &CompactionMaterial) -> KeptContext {
        let request = &self.agent.thread.context;
        let mut texts = vec![request.system.to_string()];
        texts.extend(request.workspace_rules.as_ref().map(ToString::to_string));
        if let Some((_, previous)) = &material.previous {
            let appendix = &previous.details.appendix;
            let files = appendix.read_files.iter().chain(&appendix.modified_files);
            let known = files.chain(&appendix.failures).map(String::as_str);
            texts.push(known.collect::<Vec<_>>().join("\n"));
        }
        KeptContext {
            tokens: material.plan.kept_tokens,
            rules: self.rule_demands(material),
            texts,
        }
    }

    /// Has the summary written. An inner error is the cause of a failure that was said.
    pub(crate) async fn write(
        &mut self,
        wanted: &CompactionRequest,
        material: &CompactionMaterial,
    ) -> Result<Result<SummaryDraft, &'static str>, TurnStop> {
        let connection = self.summary_connection().await;
        let job = self.job(wanted, material, &connection);
        let _lane = self.lane_of(wanted, &job).await?;
        let began = Stopwatch::start();
        let result = if self.does_without_model(wanted, &job, &connection).await {
            self.do_without_model(&job, &connection).await?
        } else {
            self.ask_model(wanted, &job, &connection).await?
        };
        match result.outcome {
            Ok(result) => {
                let draft = SummaryDraft::new(job, result, &connection, began.elapsed());
                self.agent
                    .events
                    .emit(CompactionEvent::Audited(draft.result.audit.clone()))
                    .await;
                Ok(Ok(draft))
            }
            Err((cause, message)) => {
                self.agent
                    .events
                    .emit(CompactionEvent::Failed {
                        trigger: wanted.trigger,
                        cause,
                        message: format!("{message}; the conversation is unchanged"),
                        attempts: wanted.attempt.max(1),
                        ends_turn: false,
                    })
                    .await;
                Ok(Err(cause))
            }
        }
    }

    /// Has the model asked, and what it did recorded.
    async fn ask_model(
        &mut self,
        wanted: &CompactionRequest,
        job: &SummaryJob,
        connection: &ModelConnection,
    ) -> Result<DrivenSummary, TurnStop> {
        let context = self.agent.thread.conversation.context();
        let seconds = context.compaction.timeout_secs;
        let deadline = clock::deadline(Duration::from_secs(seconds));
        let driven = self.drive(job, connection, deadline).await?;
        let attempt = AttemptOutcome::of(&driven.outcome, driven.answers, wanted.trigger);
        if let Some(attempt) = attempt.filter(|_| !job.extractive) {
            self.note_attempt(&connection.model.model, attempt).await;
        }
        let is_late = matches!(driven.outcome, Err((TIMEOUT, _)));
        if is_late && job.on_failure == FailureMode::Degrade {
            return self.do_without_model(job, connection).await;
        }
        Ok(driven)
    }

    /// Whether a summary that nobody asked for is written without its model, because the model
    /// failed.
    async fn does_without_model(
        &mut self,
        wanted: &CompactionRequest,
        job: &SummaryJob,
        connection: &ModelConnection,
    ) -> bool {
        if job.extractive || wanted.trigger == Trigger::Manual {
            return false;
        }
        wanted.model_failed || self.is_given_up(&connection.model.model).await
    }

    /// A compaction that the user asked for waits for a lane like any request. One inside a
    /// run takes none: the run would wait for itself.
    async fn lane_of(
        &mut self,
        wanted: &CompactionRequest,
        job: &SummaryJob,
    ) -> Result<Option<OwnedSemaphorePermit>, TurnStop> {
        if wanted.trigger != Trigger::Manual || job.extractive {
            return Ok(None);
        }
        let lanes = self.agent.setup.lanes.clone();
        self.agent.wait(lanes.enter()).await
    }

    async fn drive(
        &mut self,
        job: &SummaryJob,
        connection: &ModelConnection,
        deadline: Instant,
    ) -> Result<DrivenSummary, TurnStop> {
        let told = self.listeners(Some(self.agent.events.sender()));
        let driving = drive(job.clone(), connection.clone(), deadline, told);
        let written = self.agent.wait(Box::pin(driving)).await;
        self.agent.heed_overheard().await;
        written
    }

    pub(in crate::agent) fn listeners(&self, watcher: SummaryWatcher) -> SummaryListeners {
        SummaryListeners {
            watcher,
            bill: self.agent.costs.bill.clone(),
            overheard: self.agent.model.limits.overheard.clone(),
            limit: self.agent.cost_limit(),
        }
    }

    /// The extractive summary, labelled as one that a model should have written.
    async fn do_without_model(
        &mut self,
        job: &SummaryJob,
        connection: &ModelConnection,
    ) -> Result<DrivenSummary, TurnStop> {
        let job = SummaryJob {
            extractive: true,
            ..job.clone()
        };
        let deadline = clock::deadline(EXTRACTIVE_TIMEOUT);
        let mut driven = self.drive(&job, connection, deadline).await?;
        driven.outcome = driven.outcome.map(|result| SummaryResult {
            degraded: true,
            ..result
        });
        Ok(driven)
    }
}

/// The newest thing that the user asked. It is always kept verbatim.
fn newest_ask(material: &CompactionMaterial) -> Option<LatestAsk> {
    let items = material.view.items.iter().rev();
    let item = items.into_iter().find(|item| item.is_ask())?;
    let text = item.sent.as_ref()?.text();
    Some(LatestAsk {
        text,
        entry: item.entry.clone(),
        in_tail: true,
    })
}
