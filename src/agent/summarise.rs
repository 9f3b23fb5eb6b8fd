//! Has a summary written: builds the job, feeds the sans-IO summariser with the answers
//! of a model, within a deadline. Changes nothing.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::actor::{Actor, Stop};
use super::answer::Answer;
use super::compact::{Material, Wanted};
use super::event::{AgentEvent, AnswerDelta, Notice};
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

    /// Has the summary written. `None`: it failed, and that was said.
    pub async fn write(
        &mut self,
        wanted: &Wanted,
        material: &Material,
    ) -> Result<Option<Draft>, Stop> {
        let began = Instant::now();
        let helm = self.summary_helm().await;
        let job = self.job(wanted, material, &helm);
        let seconds = self.conversation.context().compaction.timeout_secs;
        let deadline = began + Duration::from_secs(seconds);
        let result = self.drive(job.clone(), &helm, deadline).await?;
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
                Ok(Some(Draft {
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
                Ok(None)
            }
        }
    }

    /// Feeds the summariser until it is done. Its own work (planning, auditing) can
    /// take a while on long sessions, so it runs on a thread of its own.
    async fn drive(
        &mut self,
        job: SummaryJob,
        helm: &Helm,
        deadline: Instant,
    ) -> Result<Result<SummaryResult, (&'static str, String)>, Stop> {
        let crashed = || {
            Err((
                "summariser_failed",
                "the summary could not be planned".to_owned(),
            ))
        };
        let started = tokio::task::spawn_blocking(move || {
            let mut machine = Summariser::new(job);
            let step = machine.start();
            (machine, step)
        });
        let Ok((mut machine, mut step)) = self.wait(started).await? else {
            return Ok(crashed());
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
                let message =
                    "the summary took longer than compaction.timeout_secs allows".to_owned();
                return Ok(Err(("timeout", message)));
            };
            let fed = tokio::task::spawn_blocking(move || {
                let step = machine.on_reply(reply);
                (machine, step)
            });
            let Ok(next) = self.wait(fed).await? else {
                return Ok(crashed());
            };
            (machine, step) = next;
        }
    }

    /// One request of the summariser; `None` when the deadline has passed.
    async fn summary_call(
        &mut self,
        call: SummaryCall,
        helm: &Helm,
        deadline: Instant,
    ) -> Result<Option<Reply>, Stop> {
        self.wait(tokio::time::sleep(Duration::from_millis(call.delay_ms)))
            .await?;
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
            let next = tokio::time::timeout_at(deadline, stream.next());
            match self.wait(next).await? {
                Err(_) => return Ok(None),
                Ok(None) => break finished(&answer, helm),
                Ok(Some(Err(error))) => break reply_of(error),
                Ok(Some(Ok(event))) => {
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
