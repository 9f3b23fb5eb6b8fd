//! One request to the model: streamed, shown as it comes, kept through a kill, tried
//! again when that can help, as long as the same request would be made.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::agent::actor::{Actor, VIEW_INTERVAL};
use crate::agent::mailbox::TurnStop;
use crate::agent::protocol::{AnswerDelta, AnswerEvent};
use crate::agent::turn::answer::Answer;
use crate::agent::turn::outcome::{CallOutcome, RETRY_WINDOW};
use crate::agent::turn::pace::WorkPace;
use crate::agent::turn::state::may_stand_in;
use crate::clock::Stopwatch;
use crate::provider::{AnswerStream, ProviderError, StreamEvent};
use crate::session::{DRAFT_INTERVAL, Durability, StreamJournal};
use crate::transcript::{
    AssistantMessage, CompletionRequest, Entry, EntryBody, EntryId, Message, ModelRef, Purpose,
    RetryPolicy, StopReason,
};

/// Tries of a request before a fallback model is asked instead.
const TRIES_BEFORE_FALLBACK: u32 = 2;
/// Longest wait before another try where nobody can stop it.
const LONGEST_UNWATCHED_WAIT: Duration = Duration::from_mins(2);
/// When a failed request is made again, unless the provider names a wait.
const RETRY_POLICY: RetryPolicy = RetryPolicy {
    first_wait_ms: 500,
    longest_wait_ms: 30_000,
};

/// Events of an answer that are told as one when they arrive together: a fast model must
/// not wake the screen with every token, nor a very fast one keep it from hearing anything.
const MAX_MERGED_EVENTS: usize = 256;

/// How one try ended.
enum CallAttempt {
    Complete(Answer),
    Broken(Answer, ProviderError),
    Stopped(Answer, TurnStop),
    Outdated,
}

/// How the tries ended that were not stopped.
enum CallResult {
    Answered(Box<AssistantMessage>),
    Failed(ProviderError),
    Outdated,
}

/// A request, and what it takes to see whether the next one would be the same.
struct CallContext {
    request: CompletionRequest,
    room_for_answer: Option<u64>,
    ops_heard: u64,
    connection_changed: CancellationToken,
}

impl CallAttempt {
    /// A number that cannot be says nothing of the window: then the answer is whole.
    fn without_false_alarm(self) -> Self {
        match self {
            Self::Broken(answer, error) if answer.is_false_alarm(&error) => Self::Complete(answer),
            Self::Broken(answer, error) => Self::Broken(answer, error.as_overflow()),
            other => other,
        }
    }
}

/// An answer that broke off, with the id that its entry would have. Of several tries the
/// newest one that said something is worth keeping.
type PartialAnswer = Option<(EntryId, Answer)>;

/// Sends one request, with its retries.
pub(in crate::agent) struct ModelCall<'a> {
    pub(in crate::agent) agent: &'a mut Actor,
}

impl<'a> ModelCall<'a> {
    pub(crate) fn of(agent: &'a mut Actor) -> Self {
        Self { agent }
    }
}

impl ModelCall<'_> {
    /// Sends a request until it is answered, fails for good, or is stopped.
    pub(crate) async fn complete(
        &mut self,
        request: CompletionRequest,
        room_for_answer: Option<u64>,
    ) -> CallOutcome {
        let model = request.model.clone();
        let asked = CallContext {
            request,
            room_for_answer,
            ops_heard: self.agent.mailbox.ops_heard,
            connection_changed: self.agent.model.connection_changed.clone(),
        };
        let mut partial = None;
        match self.try_all(&asked, &mut partial).await {
            Ok(CallResult::Answered(answer)) => {
                self.forget(partial, &model);
                CallOutcome::Answered(answer)
            }
            Ok(CallResult::Outdated) => {
                self.forget(partial, &model);
                CallOutcome::Outdated
            }
            // It says nothing about the model that the user has chosen meanwhile.
            Ok(CallResult::Failed(_))
                if partial.is_none() && self.agent.model.connection.model.model != model =>
            {
                CallOutcome::Outdated
            }
            // Nobody has seen it, and another model begins again.
            Ok(CallResult::Failed(error))
                if !self.agent.setup.is_watched
                    && may_stand_in(&error)
                    && self.agent.has_fallback() =>
            {
                self.forget(partial, &model);
                CallOutcome::Failed(error, None)
            }
            Ok(CallResult::Failed(error)) => {
                let why = Some(error.to_string());
                let kept = self.keep_partial(partial, &model, StopReason::Error, why);
                CallOutcome::Failed(error, kept.await)
            }
            Err(stop) => {
                let kept = self.keep_partial(partial, &model, StopReason::Aborted, None);
                CallOutcome::Stopped(stop, kept.await)
            }
        }
    }

    async fn try_all(
        &mut self,
        asked: &CallContext,
        partial: &mut PartialAnswer,
    ) -> Result<CallResult, TurnStop> {
        let model = &asked.request.model;
        let max_attempts = self
            .agent
            .setup
            .settings
            .agent
            .network
            .retry_max_attempts
            .max(1);
        let mut attempt = 1;
        loop {
            let id = self.agent.thread.conversation.next_id();
            let tried = self.try_once(asked, &id).await?;
            let (answer, error) = match tried.without_false_alarm() {
                CallAttempt::Complete(answer) => {
                    let message = answer.message(model, id.as_str());
                    self.keep(id, message.clone()).await;
                    return Ok(CallResult::Answered(Box::new(message)));
                }
                CallAttempt::Stopped(answer, stop) => {
                    self.note(partial, id, answer, model);
                    return Err(stop);
                }
                CallAttempt::Outdated => return Ok(CallResult::Outdated),
                CallAttempt::Broken(answer, error) => (answer, error),
            };
            if matches!(error, ProviderError::ContextOverflow { .. }) {
                return Ok(self.overfull(id, &answer, error, model).await);
            }
            let is_far = error.retry_after().is_some_and(|wait| wait > RETRY_WINDOW);
            let has_had_its_chance = attempt >= TRIES_BEFORE_FALLBACK && may_stand_in(&error);
            let may_retry = error.is_retryable()
                && attempt < max_attempts
                && !self.was_shown(&answer)
                && !((is_far || has_had_its_chance) && self.agent.has_fallback());
            self.note(partial, id, answer, model);
            let is_paid_up = self
                .agent
                .cost_limit()
                .refusal(&self.agent.model.connection.model)
                .is_none();
            if !may_retry || !is_paid_up {
                return Ok(CallResult::Failed(error));
            }
            if let Some(longest) = self.longest_wait()
                && error.retry_after().is_some_and(|wait| wait > longest)
            {
                return Ok(CallResult::Failed(error.beyond_wait(longest)));
            }
            attempt += 1;
            let changed = asked.connection_changed.clone();
            self.wait_to_retry(attempt, max_attempts, &error, changed)
                .await?;
        }
    }

    /// A prompt that is refused is refused before the first word: here the provider took too
    /// long a one and answered it all the same, or the window was full in the middle of the
    /// answer.
    async fn overfull(
        &mut self,
        id: EntryId,
        answer: &Answer,
        error: ProviderError,
        model: &ModelRef,
    ) -> CallResult {
        if answer.says_something() {
            let mut message = answer.message(model, id.as_str());
            if answer.stop().is_none() {
                message.stop = StopReason::Length;
            }
            self.keep(id, message.clone()).await;
            self.agent.compactor.auto.on_overfull_answer();
            return CallResult::Answered(Box::new(message));
        }
        if answer.has_content() {
            // Thoughts that led to nothing; the next request thinks again.
            self.agent
                .events
                .emit(AnswerEvent::Delta(AnswerDelta::Reset))
                .await;
        }
        self.bill_unkept(answer, model);
        CallResult::Failed(error)
    }

    /// Remembers what arrived, when that is anything.
    fn note(&self, partial: &mut PartialAnswer, id: EntryId, answer: Answer, model: &ModelRef) {
        let forgotten = if answer.has_content() {
            partial.replace((id, answer))
        } else {
            Some((id, answer))
        };
        self.forget(forgotten, model);
    }

    fn forget(&self, partial: PartialAnswer, model: &ModelRef) {
        if let Some((_, answer)) = partial {
            self.bill_unkept(&answer, model);
        }
    }

    /// Whether somebody has seen of an answer what a second try would say again, perhaps in
    /// other words: then it is kept as it is. Nobody has where answers are shown only when
    /// they are whole; and no tool runs before that.
    fn was_shown(&self, answer: &Answer) -> bool {
        self.agent.setup.is_watched && answer.has_content()
    }

    async fn try_once(
        &mut self,
        asked: &CallContext,
        id: &EntryId,
    ) -> Result<CallAttempt, TurnStop> {
        let lanes = self.agent.setup.lanes.clone();
        let permit = self.agent.wait(lanes.enter()).await?;
        // From here to the request nothing is heard: it goes to whom it was made for.
        if self.agent.mailbox.ops_heard != asked.ops_heard
            && self
                .agent
                .is_outdated(&asked.request, asked.room_for_answer)
        {
            return Ok(CallAttempt::Outdated);
        }
        let provider = match self.agent.model.connection.provider() {
            Ok(provider) => provider,
            Err(error) => return Ok(CallAttempt::Broken(Answer::default(), error)),
        };
        let request = asked.request.clone();
        self.agent
            .events
            .emit(AnswerEvent::RequestStarted {
                model: request.model.clone(),
            })
            .await;
        let cancel = CancellationToken::new();
        let model = request.model.clone();
        let stream = provider.stream(request, cancel.clone());
        let outcome = self.read(stream, &model, id).await;
        if matches!(outcome, CallAttempt::Stopped(..)) {
            cancel.cancel();
        }
        self.agent.thread.context.live = None;
        drop(permit);
        Ok(outcome)
    }

    async fn read(&mut self, stream: AnswerStream, model: &ModelRef, id: &EntryId) -> CallAttempt {
        let mut answer = Answer::to_prompt_of(self.agent.thread.expected);
        let mut journal = self.agent.thread.conversation.journal();
        let mut showing = WorkPace::new(VIEW_INTERVAL);
        let mut drafting = WorkPace::new(Duration::ZERO);
        let mut stream = stream.ready_chunks(MAX_MERGED_EVENTS);
        let mut is_drafted = true;
        loop {
            // Also what came before a pause is in the draft soon.
            let patience = if is_drafted {
                Duration::MAX
            } else {
                DRAFT_INTERVAL
            };
            let events = match self.agent.wait(timeout(patience, stream.next())).await {
                Ok(Ok(Some(events))) => events,
                Ok(Ok(None)) => return ended(answer),
                Ok(Err(_)) => {
                    is_drafted = self.journal(&mut journal, &mut drafting, &answer, model, id);
                    continue;
                }
                Err(stop) => return CallAttempt::Stopped(answer, stop),
            };
            let is_stop = matches!(events.last(), Some(Ok(StreamEvent::Stop(_))));
            if let Err(error) = self.take_events(&mut answer, events).await {
                return CallAttempt::Broken(answer, error);
            }
            if is_stop {
                // Usage may follow; the stream ends by itself.
                continue;
            }
            is_drafted = self.journal(&mut journal, &mut drafting, &answer, model, id);
            if showing.is_due() {
                let began = Stopwatch::start();
                let live = answer.message(model, id.as_str());
                self.agent.thread.context.live = Some(Arc::new(Message::Assistant(live)));
                self.agent.thread.publish_view().await;
                showing.done(&began);
            }
        }
    }

    /// Takes what has arrived together and says it in as few words as it can be said.
    async fn take_events(
        &mut self,
        answer: &mut Answer,
        events: Vec<Result<StreamEvent, ProviderError>>,
    ) -> Result<(), ProviderError> {
        let mut failure = None;
        let mut merged: Option<AnswerDelta> = None;
        for event in events {
            let delta = match event {
                Ok(event) => answer.push(event),
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            };
            let Some(delta) = delta else { continue };
            let (told, next) = match merged.take() {
                None => (None, delta),
                Some(before) => match before.followed_by(delta) {
                    (both, None) => (None, both),
                    (before, Some(after)) => (Some(before), after),
                },
            };
            if let Some(told) = told {
                self.agent.events.emit(AnswerEvent::Delta(told)).await;
            }
            merged = Some(next);
        }
        if let Some(delta) = merged {
            self.agent.events.emit(AnswerEvent::Delta(delta)).await;
        }
        failure.map_or(Ok(()), Err)
    }

    /// Keeps what has arrived on disk, when it is time to; false when that is still to come.
    fn journal(
        &self,
        journal: &mut StreamJournal,
        pace: &mut WorkPace,
        answer: &Answer,
        model: &ModelRef,
        id: &EntryId,
    ) -> bool {
        let now = self.agent.setup.clock.now();
        if !journal.has_file() || !answer.has_content() {
            return true;
        }
        if !journal.is_due(now) || !pace.is_due() {
            return false;
        }
        let began = Stopwatch::start();
        let mut message = answer.message(model, id.as_str());
        message.stop = StopReason::Aborted;
        let draft = Entry {
            id: id.clone(),
            parent: self.agent.thread.conversation.transcript().leaf().cloned(),
            timestamp: now,
            body: EntryBody::Message(Arc::new(Message::Assistant(message))),
        };
        // The answer itself is what matters; when its draft cannot be kept, the append
        // at its end says so.
        let _ = journal.update(&draft, now);
        pace.done(&began);
        true
    }

    async fn keep(&mut self, id: EntryId, message: AssistantMessage) {
        let body = EntryBody::Message(Arc::new(Message::Assistant(message)));
        let (entry, notice) = self
            .agent
            .thread
            .conversation
            .append_as(id, body, Durability::Flush);
        self.agent.thread.tell_appended(entry, notice).await;
    }

    /// An answer that is not kept may have been counted all the same.
    fn bill_unkept(&self, answer: &Answer, model: &ModelRef) {
        if let Some(usage) = self.agent.uncounted_usage(answer) {
            self.agent.costs.bill.sent(Purpose::Answer, model);
            self.agent
                .costs
                .bill
                .estimated(Purpose::Answer, model, usage);
        }
        if let Some(usage) = answer.usage() {
            self.agent.costs.bill.sent(Purpose::Answer, model);
            self.agent.costs.bill.counted(Purpose::Answer, model, usage);
        }
    }

    async fn keep_partial(
        &mut self,
        partial: PartialAnswer,
        model: &ModelRef,
        stop: StopReason,
        error: Option<String>,
    ) -> Option<Box<AssistantMessage>> {
        let (id, answer) = partial?;
        let uncounted = self.agent.uncounted_usage(&answer);
        let mut message = answer.message(model, id.as_str());
        message.stop = stop;
        message.error = error;
        self.keep(id, message.clone()).await;
        if let Some(usage) = uncounted {
            self.agent.costs.bill.estimated_entry(model, usage);
        }
        Some(Box::new(message))
    }

    async fn wait_to_retry(
        &mut self,
        attempt: u32,
        max_attempts: u32,
        error: &ProviderError,
        connection_changed: CancellationToken,
    ) -> Result<(), TurnStop> {
        let mut left = error.retry_after().unwrap_or_else(|| self.backoff(attempt));
        self.agent
            .events
            .emit(AnswerEvent::Delta(AnswerDelta::Reset))
            .await;
        loop {
            self.agent
                .events
                .emit(AnswerEvent::Retrying {
                    attempt,
                    max_attempts,
                    after: left,
                    reason: error.to_string(),
                })
                .await;
            let window = left.min(RETRY_WINDOW);
            // Another model is not asked to wait for what this one needs.
            let woken = self
                .agent
                .wait(timeout(window, connection_changed.cancelled()))
                .await?;
            left = left.saturating_sub(window);
            if left.is_zero() || woken.is_ok() {
                return Ok(());
            }
        }
    }

    /// The longest wait before another try; `None` for no limit.
    fn longest_wait(&self) -> Option<Duration> {
        let set = self.agent.setup.settings.agent.network.retry_max_wait_secs;
        let usual = (!self.agent.setup.is_interactive).then_some(LONGEST_UNWATCHED_WAIT);
        set.map(Duration::from_secs).or(usual)
    }

    fn backoff(&self, attempt: u32) -> Duration {
        let failures = attempt.saturating_sub(1);
        Duration::from_millis(RETRY_POLICY.wait_ms(failures, self.agent.setup.clock.seed()))
    }
}

/// A stream that ended: complete when the provider said why.
fn ended(answer: Answer) -> CallAttempt {
    if answer.stop().is_some() {
        CallAttempt::Complete(answer)
    } else {
        CallAttempt::Broken(answer, ProviderError::ended_early())
    }
}
