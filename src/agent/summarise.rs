//! Has a summary written: builds the job, feeds the sans-IO summariser with the answers
//! of a model, within a deadline. Changes nothing.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::actor::Actor;
use super::answer::Answer;
use super::compact::{Material, Wanted};
use super::event::{AgentEvent, AnswerDelta, Notice};
use super::inbox::Stop;
use super::proposal::Draft;
use super::setup::Helm;
use crate::config::parse_model;
use crate::context::audit::Ask;
use crate::context::summary::{
    FailureMode, Reply, Step, Summariser, SummaryCall, SummaryJob, SummaryResult,
};
use crate::context::{Category, OverflowFallback};
use crate::provider::ProviderError;
use crate::transcript::{
    CompletionRequest, Message, RequestMessage, StopReason, ThinkingLevel, Trigger,
};

/// What a summary without a model may take: it is done in milliseconds, this only bounds
/// a fault.
const EXTRACTIVE_TIMEOUT: Duration = Duration::from_secs(30);

/// The embedded provider writes no prose: its summaries are the extractive ones.
const OFFLINE_PROVIDER: &str = "offline";

impl Actor {
    /// Who writes summaries.
    pub async fn summary_helm(&mut self) -> Helm {
        let Some(named) = self.conversation.context().compaction.model.clone() else {
            return self.helm.clone();
        };
        let helm = parse_model(&named).map(|model| {
            Helm::new(
                Arc::clone(&self.helm.registry),
                &model,
                "compaction.model".to_owned(),
            )
        });
        match helm {
            Some(helm) if helm.provider().is_ok() => helm,
            _ => {
                let notice = Notice::warning(format!(
                    "compaction.model = {named} cannot be used; {} writes the summary",
                    self.helm.model.model
                ));
                self.notice(notice).await;
                self.helm.clone()
            }
        }
    }

    pub fn job(&mut self, wanted: &Wanted, material: &Material, helm: &Helm) -> SummaryJob {
        let context = self.conversation.context();
        let settings = &context.compaction;
        let ruler = self.current_ruler();
        let count = Arc::new(move |text: &str| ruler.text_tokens(text));
        let window = crate::context::window::report(&context, &helm.model, 1.0);
        let ask = newest_ask(material);
        let pending = material.view.usage.by_category.get(Category::Pending);
        SummaryJob {
            turn_prefix: material.turn_prefix.clone(),
            previous_summary: material.previous.as_ref().map(|(_, c)| c.summary.clone()),
            ask,
            instructions: wanted
                .instructions
                .clone()
                .or_else(|| settings.instructions.clone()),
            template: settings.template.clone(),
            audit: context.audit.clone(),
            mend: context.audit.mend,
            always_chunk: settings.always_chunk,
            max_history_share: settings.max_history_share,
            window_tokens: window
                .tokens
                .unwrap_or(crate::context::window::ASSUMED_WINDOW_TOKENS),
            max_output_tokens: helm.model.max_output_tokens,
            new_content_tokens: material.plan.kept_tokens + pending,
            jitter_seed: self.setup.ambient.seed(),
            on_failure: match (wanted.trigger, settings.on_overflow_failure) {
                (Trigger::Overflow, OverflowFallback::Extractive) => FailureMode::Degrade,
                _ => FailureMode::Cancel,
            },
            extractive: wanted.extractive || helm.model.model.provider == OFFLINE_PROVIDER,
            ..SummaryJob::new(material.messages.clone(), count)
        }
    }

    /// Has the summary written. An inner error is the cause of a failure that was said.
    pub async fn write(
        &mut self,
        wanted: &Wanted,
        material: &Material,
    ) -> Result<Result<Draft, &'static str>, Stop> {
        let helm = self.summary_helm().await;
        let job = self.job(wanted, material, &helm);
        let _lane = self.lane_of(wanted, &job).await?;
        let began = Instant::now();
        let seconds = self.conversation.context().compaction.timeout_secs;
        let deadline = began + Duration::from_secs(seconds);
        let mut result = self.drive(job.clone(), &helm, deadline).await?;
        if matches!(result, Err((TIMEOUT, _))) && job.on_failure == FailureMode::Degrade {
            result = self.do_without_model(&job, &helm).await?;
        }
        match result {
            Ok(result) => {
                let model = if job.extractive || result.degraded {
                    "extractive".to_owned()
                } else {
                    helm.model.model.to_string()
                };
                self.usage = self.usage.plus(result.usage);
                self.emit(AgentEvent::CompactionAudited(result.audit.clone()))
                    .await;
                Ok(Ok(Draft {
                    job,
                    result,
                    model,
                    took: began.elapsed(),
                    edited: false,
                }))
            }
            Err((cause, message)) => {
                self.emit(AgentEvent::CompactionFailed {
                    trigger: wanted.trigger,
                    cause,
                    message: format!("{message}; the conversation is unchanged"),
                    attempts: wanted.attempt.max(1),
                })
                .await;
                Ok(Err(cause))
            }
        }
    }

    /// A compaction that the user asked for waits for a lane like any request. One inside a
    /// run takes none: the run would wait for itself behind others.
    async fn lane_of(
        &mut self,
        wanted: &Wanted,
        job: &SummaryJob,
    ) -> Result<Option<OwnedSemaphorePermit>, Stop> {
        if wanted.trigger != Trigger::Manual || job.extractive {
            return Ok(None);
        }
        let lanes = self.setup.lanes.clone();
        self.wait(lanes.enter()).await
    }

    /// The last rung of overflow recovery, when a model took too long.
    async fn do_without_model(&mut self, job: &SummaryJob, helm: &Helm) -> Result<Written, Stop> {
        let job = SummaryJob {
            extractive: true,
            ..job.clone()
        };
        let deadline = Instant::now() + EXTRACTIVE_TIMEOUT;
        let written = self.drive(job, helm, deadline).await?;
        Ok(written.map(|result| SummaryResult {
            degraded: true,
            ..result
        }))
    }

    /// Feeds the summariser until it is done. Its own work (planning, auditing) can
    /// take a while on long sessions, so it runs on a thread of its own.
    async fn drive(
        &mut self,
        job: SummaryJob,
        helm: &Helm,
        deadline: Instant,
    ) -> Result<Written, Stop> {
        let started = tokio::task::spawn_blocking(move || {
            let mut machine = Summariser::new(job);
            let step = machine.start();
            (machine, step)
        });
        let started = self.within(deadline, started).await?;
        let (mut machine, mut step) = match started.map_or_else(|| Err(late()), crashed) {
            Ok(begun) => begun,
            Err(why) => return Ok(Err(why)),
        };
        loop {
            let call = match step {
                Step::Done(result) => return Ok(Ok(*result)),
                Step::Failed(failure) => return Ok(Err(("summariser_failed", failure.message))),
                Step::Ask(call) => call,
            };
            self.emit(AgentEvent::CompactionProgress {
                stage: call.stage.clone(),
            })
            .await;
            let asked = self.summary_call(call, helm, deadline).await?;
            let Some(reply) = asked else {
                return Ok(Err(late()));
            };
            let fed = tokio::task::spawn_blocking(move || {
                let step = machine.on_reply(reply);
                (machine, step)
            });
            let fed = self.within(deadline, fed).await?;
            (machine, step) = match fed.map_or_else(|| Err(late()), crashed) {
                Ok(next) => next,
                Err(why) => return Ok(Err(why)),
            };
        }
    }

    /// Waits for something until the deadline; `None` when that has passed.
    async fn within<T>(
        &mut self,
        deadline: Instant,
        future: impl Future<Output = T>,
    ) -> Result<Option<T>, Stop> {
        let outcome = self.wait(tokio::time::timeout_at(deadline, future)).await?;
        Ok(outcome.ok())
    }

    /// One request of the summariser; `None` when the deadline has passed, which covers
    /// the waits before a retry as well.
    async fn summary_call(
        &mut self,
        call: SummaryCall,
        helm: &Helm,
        deadline: Instant,
    ) -> Result<Option<Reply>, Stop> {
        let delay = tokio::time::sleep(Duration::from_millis(call.delay_ms));
        if self.within(deadline, delay).await?.is_none() {
            return Ok(None);
        }
        let provider = match helm.provider() {
            Ok(provider) => provider,
            Err(error) => return Ok(Some(reply_of(error))),
        };
        let request = CompletionRequest {
            model: helm.model.model.clone(),
            system: Arc::from(call.system),
            tools: Arc::from(Vec::new()),
            messages: vec![RequestMessage {
                entry: None,
                message: Arc::new(Message::user_text(call.text)),
                is_summary: false,
            }],
            max_output_tokens: call.max_output_tokens,
            thinking: ThinkingLevel::Off,
        };
        let cancel = CancellationToken::new();
        let guard = cancel.clone().drop_guard();
        let mut stream = provider.stream(request, cancel);
        let mut answer = Answer::default();
        let reply = loop {
            match self.within(deadline, stream.next()).await? {
                None => return Ok(None),
                Some(None) => break finished(&answer, helm),
                Some(Some(Err(error))) => break reply_of(error),
                Some(Some(Ok(event))) => {
                    if let Some(AnswerDelta::Text(text)) = answer.push(event) {
                        self.emit(AgentEvent::CompactionDelta(text)).await;
                    }
                }
            }
        };
        drop(guard);
        Ok(Some(reply))
    }
}

/// A summary, or the cause and what to say of it.
type Written = Result<SummaryResult, (&'static str, String)>;

/// The cause of a summary that took too long.
const TIMEOUT: &str = "timeout";

fn late() -> (&'static str, String) {
    let message = "the summary took longer than compaction.timeout_secs allows".to_owned();
    (TIMEOUT, message)
}

/// A thread that did not come back.
fn crashed<T>(joined: Result<T, tokio::task::JoinError>) -> Result<T, (&'static str, String)> {
    joined.map_err(|_| {
        let message = "the summary could not be planned".to_owned();
        ("summariser_failed", message)
    })
}

/// The newest thing that the user asked. It is always kept verbatim.
fn newest_ask(material: &Material) -> Option<Ask> {
    let item = material
        .view
        .items
        .iter()
        .rev()
        .find(|item| item.category == Category::User && item.entry.is_some())?;
    let text = item.sent.as_ref()?.text();
    Some(Ask {
        text,
        entry: item.entry.clone(),
        in_tail: true,
    })
}

fn finished(answer: &Answer, helm: &Helm) -> Reply {
    let message = answer.message(&helm.model.model, "summary");
    let Some(stop) = answer.stop() else {
        return Reply::Failed {
            message: "the stream ended early".to_owned(),
            retryable: true,
        };
    };
    if stop == StopReason::Refusal {
        return Reply::Refused {
            message: message.text(),
        };
    }
    Reply::Answer {
        had_tool_call: message.tool_calls().next().is_some(),
        text: message.text(),
        stop,
        usage: answer.usage().unwrap_or_default(),
    }
}

fn reply_of(error: ProviderError) -> Reply {
    match error {
        ProviderError::ContextOverflow { .. } => Reply::Overflow,
        ProviderError::ContentRefused { message } => Reply::Refused { message },
        error => Reply::Failed {
            retryable: error.is_retryable(),
            message: error.to_string(),
        },
    }
}
