//! Feeds the sans-IO summariser with the answers of a model, within a deadline. Knows no
//! session: it runs beside the actor as well as inside a compaction.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::agent::cost::bill::UnloggedCost;
use crate::agent::cost::limit::{CostLimit, estimated_usage};
use crate::agent::model::learned_limits::{PendingLimits, RefusedRequest};
use crate::agent::protocol::{AgentEvent, AnswerDelta, CompactionEvent};
use crate::agent::setup::ModelConnection;
use crate::agent::turn::answer::Answer;
use crate::agent::turn::outcome::RETRY_WINDOW;
use crate::context::summary::{
    Reply, SummaryCall, SummaryJob, SummaryResult, SummaryStep, TokenCount,
};
use crate::engine::summary::Summariser;
use crate::provider::ProviderError;
use crate::transcript::{
    CacheWishes, CompletionRequest, ExpectedTokens, Message, ModelRef, Purpose, RequestMessage,
    ServerEdits, StopReason, ThinkingLevel,
};

/// A summary, or the cause and what to say of it.
pub(in crate::agent) type SummaryOutcome = Result<SummaryResult, (&'static str, String)>;

/// A summary that was written or not, and how many answers the last of its requests got: a
/// text that does not hold is asked for again.
pub(in crate::agent) struct DrivenSummary {
    pub outcome: SummaryOutcome,
    pub answers: u64,
}

/// The cause of a summary that took too long.
pub(in crate::agent) const TIMEOUT: &str = "timeout";

/// Takes stages and text of the summary that is being written; `None` when nobody looks.
pub(in crate::agent) type SummaryWatcher = Option<mpsc::Sender<AgentEvent>>;

/// Receivers of progress and notices beside the summary itself.
#[derive(Clone)]
pub(in crate::agent) struct SummaryListeners {
    pub watcher: SummaryWatcher,
    pub bill: UnloggedCost,
    pub overheard: PendingLimits,
    pub limit: CostLimit,
}

/// Has the summary of `job` written by `connection`'s model, at the cost that is recorded, also
/// when there is no summary in the end. Dropping the future stops it. The
/// machine's own work (planning, auditing) can take a while on long sessions, so it runs
/// on a thread of its own.
pub(in crate::agent) async fn drive(
    job: SummaryJob,
    connection: ModelConnection,
    deadline: Instant,
    told: SummaryListeners,
) -> DrivenSummary {
    let mut answers = LastAnswers::default();
    let outcome = Box::pin(written(job, connection, deadline, told, &mut answers)).await;
    DrivenSummary {
        outcome,
        answers: answers.count,
    }
}

/// The answers that one request got so far.
#[derive(Default)]
struct LastAnswers {
    stage: String,
    count: u64,
}

impl LastAnswers {
    /// A request is made: the same one again, or another.
    fn on_request(&mut self, stage: &str) {
        /// How the stages begin that ask for a checked text once more.
        const AGAIN: &str = "audit";
        if self.stage != stage && !stage.starts_with(AGAIN) {
            stage.clone_into(&mut self.stage);
            self.count = 0;
        }
    }

    fn on_reply(&mut self, reply: &Reply) {
        self.count += u64::from(matches!(
            reply,
            Reply::Answer { .. } | Reply::Refused { .. }
        ));
    }
}

async fn written(
    job: SummaryJob,
    connection: ModelConnection,
    deadline: Instant,
    told: SummaryListeners,
    answers: &mut LastAnswers,
) -> SummaryOutcome {
    let count = Arc::clone(&job.count);
    let started = tokio::task::spawn_blocking(move || {
        let mut machine = Summariser::new(job);
        let step = machine.start();
        (machine, step)
    });
    let (mut machine, mut step) = in_time(deadline, started).await?;
    let mut asked_wait = Duration::ZERO;
    loop {
        let call = match step {
            SummaryStep::Done(result) => return Ok(*result),
            SummaryStep::Failed(failure) => return Err(("summariser_failed", failure.message)),
            SummaryStep::Ask(call) => call,
        };
        if let Some(refusal) = told.limit.refusal(&connection.model) {
            return Err((refusal.kind(), refusal.notice().text));
        }
        let stage = call.stage.clone();
        answers.on_request(&stage);
        say(
            told.watcher.as_ref(),
            AgentEvent::Compaction(CompactionEvent::Progress { stage }),
        )
        .await;
        // A wait lasts one window at most; each request opens another.
        let wait = Duration::from_millis(call.delay_ms).max(asked_wait.min(RETRY_WINDOW));
        let asking = async {
            tokio::time::sleep(wait).await;
            ask(call, &connection, &count, &told).await
        };
        let answered = timeout_at(deadline, asking).await.map_err(|_| late())?;
        let reply;
        (reply, asked_wait) = answered;
        answers.on_reply(&reply);
        let fed = tokio::task::spawn_blocking(move || {
            let step = machine.on_reply(reply);
            (machine, step)
        });
        (machine, step) = in_time(deadline, fed).await?;
    }
}

async fn say(watcher: Option<&mpsc::Sender<AgentEvent>>, event: AgentEvent) {
    if let Some(watcher) = watcher {
        // A front end that is gone has no use for events.
        let _ = watcher.send(event).await;
    }
}

/// The result of a thread, before the deadline.
async fn in_time<T>(
    deadline: Instant,
    thread: tokio::task::JoinHandle<T>,
) -> Result<T, (&'static str, String)> {
    let joined = timeout_at(deadline, thread).await.map_err(|_| late())?;
    joined.map_err(|_| {
        let message = "the summary could not be planned".to_owned();
        ("summariser_failed", message)
    })
}

fn late() -> (&'static str, String) {
    let message = "the summary took longer than compaction.timeout_secs allows".to_owned();
    (TIMEOUT, message)
}

/// One request of the summariser, with the wait that the provider asks for before the next.
pub(super) async fn ask(
    call: SummaryCall,
    connection: &ModelConnection,
    count: &TokenCount,
    told: &SummaryListeners,
) -> (Reply, Duration) {
    let provider = match connection.provider() {
        Ok(provider) => provider,
        Err(error) => return refused(error),
    };
    let prompt_tokens = count(&call.system).saturating_add(count(&call.text));
    let max_output_tokens = call.max_output_tokens;
    let model = &connection.model.model;
    let request = summary_request(call, model);
    told.bill.sent(Purpose::Summary, model);
    let cancel = CancellationToken::new();
    let _guard = cancel.clone().drop_guard();
    let mut stream = provider.stream(request, cancel);
    let expected = (prompt_tokens as f64 * connection.model.token_factor) as u64;
    let mut answer = Answer::to_prompt_of(ExpectedTokens::text(expected));
    let ended = loop {
        match stream.next().await {
            None => break (finished(&answer, connection), Duration::ZERO),
            Some(Err(error)) if answer.is_false_alarm(&error) => {
                break (finished(&answer, connection), Duration::ZERO);
            }
            Some(Err(error)) => {
                let error = error.as_overflow();
                let refused_request =
                    RefusedRequest::of(&error, model, max_output_tokens, || prompt_tokens);
                told.overheard.extend(refused_request);
                break refused(error);
            }
            Some(Ok(event)) => {
                if let Some(AnswerDelta::Text(text)) = answer.push(event) {
                    say(
                        told.watcher.as_ref(),
                        AgentEvent::Compaction(CompactionEvent::Delta(text)),
                    )
                    .await;
                }
            }
        }
    };
    match answer.usage() {
        Some(usage) => told.bill.counted(Purpose::Summary, model, usage),
        None if answer.has_content() => {
            let counted = |text: &str| count(text);
            let usage = estimated_usage(&connection.model, prompt_tokens, &answer, counted);
            told.bill.estimated(Purpose::Summary, model, usage);
        }
        None => {}
    }
    ended
}

/// The request of a call, which begins like no other request of the session.
fn summary_request(call: SummaryCall, model: &ModelRef) -> CompletionRequest {
    CompletionRequest {
        model: model.clone(),
        system: Arc::from(call.system),
        tools: Arc::from(Vec::new()),
        messages: vec![RequestMessage {
            entry: None,
            message: Arc::new(Message::user_text(call.text)),
            is_summary: false,
        }],
        max_output_tokens: call.max_output_tokens,
        window_tokens: None,
        thinking: ThinkingLevel::Default,
        server: ServerEdits::default(),
        cache_key: None,
        cache: CacheWishes::default(),
    }
}

fn finished(answer: &Answer, connection: &ModelConnection) -> Reply {
    let message = answer.message(&connection.model.model, "summary");
    let Some(stop) = answer.stop() else {
        return Reply::Failed {
            message: ProviderError::ended_early().to_string(),
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

fn refused(error: ProviderError) -> (Reply, Duration) {
    let wait = error.retry_after().unwrap_or_default();
    (reply_of(error), wait)
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
