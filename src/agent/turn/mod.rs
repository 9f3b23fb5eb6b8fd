//! The turn loop: evaluate, compact at the load line, ask the model, run its tools,
//! again. Ends with an answer without tool calls, an error, or the user's stop.

pub(in crate::agent) mod answer;
pub(in crate::agent) mod batch;
pub(in crate::agent) mod call;
pub(in crate::agent) mod failure;
pub(in crate::agent) mod jobs;
pub(in crate::agent) mod outcome;
pub(in crate::agent) mod overflow;
pub(in crate::agent) mod oversize;
mod pace;
pub(in crate::agent) mod plan_mode;
pub(in crate::agent) mod reminder;
pub(in crate::agent) mod repeats;
pub(in crate::agent) mod state;
mod together;
mod user_command;

use crate::agent::exit;
use crate::agent::hooks::EventHooks;
use crate::agent::turn::state::{NextStep, RefusedSizes, TurnState, may_stand_in, stopped};
use std::sync::Arc;

use crate::agent::actor::Actor;
use crate::agent::compaction::CompactionRun;
use crate::agent::guidance::Guidance;
use crate::agent::mailbox::TurnStop;
use crate::agent::mentions::ServerTexts;
use crate::agent::model::limit_learner::tell_prompt_apart;
use crate::agent::model::switch::ModelSwitch;
use crate::agent::model::usage_learner::{UsageLearner, unmeasured};
use crate::agent::protocol::{Notice, TurnEnd};
use crate::agent::setup::SmallWindow;
use crate::agent::thread::request;
use crate::agent::turn::batch::ToolBatch;
use crate::agent::turn::call::ModelCall;
use crate::agent::turn::failure::{FailureExit, failure};
use crate::agent::turn::outcome::CallOutcome;
use crate::agent::turn::reminder::Reminders;
use crate::agent::turn::repeats::{RepeatVerdict, newest_results};
use crate::context::{ContextView, ShrinkMode, WindowSource, WindowVerdict};
use crate::engine::counting::expected_tokens;
use crate::engine::happening::EndedTurn;
use crate::provider::ProviderError;
use crate::session::Durability;
use crate::transcript::{
    AssistantMessage, CompletionRequest, Entry, EntryBody, Message, NoteKind, StopReason, grouped,
};

/// A paused answer is sent back at most this often in a turn: a server that only pauses
/// must not run up costs.
const MAX_RESUMED: u32 = 8;

/// Runs one turn of the agent.
pub(in crate::agent) struct TurnLoop<'a> {
    pub(in crate::agent) agent: &'a mut Actor,
}

impl<'a> TurnLoop<'a> {
    pub(super) fn of(agent: &'a mut Actor) -> Self {
        Self { agent }
    }
}

impl TurnLoop<'_> {
    /// Runs a turn to its end. The user's message is the leaf.
    pub(super) async fn run_turn(&mut self) -> TurnEnd {
        let mut turn = TurnState::default();
        self.agent.model.given_up.clear();
        let end = loop {
            match Box::pin(self.step(&mut turn)).await {
                Ok(NextStep::Again) => {}
                Ok(NextStep::End(end)) => break end,
                Err(_) => break stopped(turn.text()),
            }
        };
        self.agent.end_recovery().await;
        self.tell_end(&end);
        end
    }

    /// Tells the context engine how the turn ended, and how its last prompt was counted.
    fn tell_end(&mut self, end: &TurnEnd) {
        let expected_tokens = self.agent.thread.expected.tokens;
        let conversation = &mut self.agent.thread.conversation;
        let usage_of = |entry: &Arc<Entry>| match entry.message().map(AsRef::as_ref) {
            Some(Message::Assistant(answer)) => Some(answer.usage),
            _ => None,
        };
        let usage = conversation.transcript().ancestors().find_map(usage_of);
        let turn = EndedTurn {
            outcome: match end.exit_code {
                exit::DONE => "done",
                exit::INTERRUPTED => "stopped",
                _ => "failed",
            },
            prompt_tokens: usage.flatten().map(|usage| usage.prompt_tokens()),
            expected_tokens,
        };
        conversation.engines().after_turn(&turn);
    }

    async fn step(&mut self, turn: &mut TurnState) -> Result<NextStep, TurnStop> {
        if let Some(end) = self.check_limits(turn) {
            return Ok(NextStep::End(end));
        }
        self.learn_window(turn).await?;
        self.before_request().await?;
        let view = self.agent.thread.settle(ShrinkMode::default()).await;
        if let Some(next) = self.guard_window(&view, &turn.text()).await {
            return Ok(next);
        }
        if let Some(next) = self.fit_message(&view, turn).await? {
            return Ok(next);
        }
        let view = CompactionRun::of(self.agent)
            .compact_at_load_line(view)
            .await?;
        if let Some(next) = self.fit_view(&view, turn).await? {
            return Ok(next);
        }
        let view = Reminders::of(self.agent).remind(view).await;
        // A summary may have cost the rest.
        if let Some(end) = self.agent.unpayable(&turn.text()) {
            return Ok(NextStep::End(end));
        }
        match self.ask(&view, turn.room_for_answer).await {
            CallOutcome::Answered(answer) => self.answered(*answer, turn).await,
            CallOutcome::Failed(error, partial) => {
                self.failed(error, partial.as_deref(), turn).await
            }
            CallOutcome::Outdated => Ok(NextStep::Again),
            CallOutcome::Stopped(stop, partial) => {
                if let Some(partial) = partial {
                    turn.hear(&partial);
                }
                Err(stop)
            }
        }
    }

    /// Some local servers say how large a window is only when the model is loaded, and cut
    /// what is longer without an error: then it is loaded before the request is made. One
    /// that was too small is asked again: it may have been started with more since.
    async fn learn_window(&mut self, turn: &TurnState) -> Result<(), TurnStop> {
        let model = self.agent.model.connection.model.model.clone();
        let registry = Arc::clone(&self.agent.model.connection.registry);
        let is_known = self
            .agent
            .thread
            .conversation
            .context()
            .window
            .user_tokens
            .is_some();
        let is_too_small = self.agent.model.connection.model.window_source == WindowSource::Server
            && self.agent.window_of(&model, 1.0).verdict == WindowVerdict::Block;
        let is_open = registry.has_window_to_learn(&model);
        if turn.steps > 0 || is_known || !(is_open || is_too_small) {
            return Ok(());
        }
        // A server that does not say it will not say it later.
        let asked = self.agent.model.asked_window_of.replace(model.clone());
        if !is_too_small && asked.as_ref() == Some(&model) {
            return Ok(());
        }
        self.agent.wait(registry.learn_window(&model)).await?;
        let before = self.agent.model.reasoning_state();
        self.agent.take_model_info(&model);
        if self.agent.model.reasoning_state() != before {
            ModelSwitch::of(self.agent).tell_reasoning().await;
        }
        Ok(())
    }

    fn check_limits(&self, turn: &TurnState) -> Option<TurnEnd> {
        let agent = &self.agent.setup.settings.agent;
        if agent.limits.max_turns.is_some_and(|max| turn.steps >= max) {
            let text = format!("stopped after {} requests (max_turns)", turn.steps);
            let notice = Notice::warning(text);
            return Some(failure(notice, "max_turns", exit::FAILED, &turn.text()));
        }
        self.agent.unpayable(&turn.text())
    }

    /// Too small a window: warn once, or take the next model that passes, or say why not.
    async fn guard_window(&mut self, view: &ContextView, text: &str) -> Option<NextStep> {
        let window = view.window.tokens?;
        match view.window.verdict {
            WindowVerdict::Ok => None,
            WindowVerdict::Warn => {
                if !self.agent.model.warned_small_window {
                    self.agent.model.warned_small_window = true;
                    let notice = Notice::warning(format!(
                        "{} has a window of only {} tokens ({})",
                        self.agent.model.connection.model.model,
                        grouped(window),
                        view.window.source.name()
                    ));
                    self.agent
                        .events
                        .notice(notice.with_hint("expect frequent compactions"))
                        .await;
                }
                None
            }
            WindowVerdict::Block => {
                if ModelSwitch::of(self.agent)
                    .fall_back("the model's window is too small")
                    .await
                {
                    // The other model has a window of its own: look again.
                    return Some(NextStep::Again);
                }
                let others = self.agent.setup.settings.agent.fallback_models.len();
                let chain = match others {
                    0 => "",
                    _ => "; no fallback model is available",
                };
                let small = SmallWindow {
                    model: &self.agent.model.connection.model.model,
                    tokens: window,
                    source: view.window.source,
                    minimum: self.agent.thread.conversation.context().window.min_tokens,
                };
                let notice = Notice::error(format!("{small}{chain}"))
                    .with_hint(small.hint(&self.agent.model.connection.registry));
                let end = failure(notice, "window_too_small", exit::FAILED, text);
                Some(NextStep::End(end))
            }
        }
    }

    async fn ask(&mut self, view: &ContextView, room_for_answer: Option<u64>) -> CallOutcome {
        let request = self.agent.request_of(view, room_for_answer);
        self.agent.thread.last_request = Some(request.clone());
        self.agent.thread.asked_tokens = view.usage.tokens;
        let factor = self.agent.model.connection.model.token_factor;
        self.agent.thread.expected =
            expected_tokens(view, factor, self.agent.thread.current_ruler().as_ref());
        let model = request.model.clone();
        let max_output_tokens = request.max_output_tokens;
        let mut outcome = ModelCall::of(self.agent)
            .complete(request, room_for_answer)
            .await;
        tell_prompt_apart(&mut outcome, view.usage.tokens, max_output_tokens);
        UsageLearner::of(self.agent)
            .calibrate(&outcome, unmeasured(view, model.clone()))
            .await;
        UsageLearner::of(self.agent)
            .heed_limit(&outcome, view, model, max_output_tokens)
            .await;
        outcome
    }

    /// Counts what an answer called. Tells the model that it repeats itself; `Some` ends a
    /// run in which nobody can be asked.
    async fn heed_repeats(
        &mut self,
        answer: &AssistantMessage,
        turn: &mut TurnState,
    ) -> Option<TurnEnd> {
        if !self.agent.setup.settings.agent.tools.loop_guard {
            return None;
        }
        let entries = self.agent.thread.conversation.transcript().entries();
        turn.repeats.count(answer, &newest_results(entries));
        if self.agent.setup.can_ask() {
            return None;
        }
        match turn.repeats.verdict() {
            RepeatVerdict::Nothing => None,
            RepeatVerdict::Tell(text) => {
                let body = EntryBody::note(NoteKind::Repeat, text);
                self.agent.thread.append(body, Durability::Flush).await;
                None
            }
            RepeatVerdict::End(notice) => Some(failure(notice, "loop", exit::FAILED, &turn.text())),
        }
    }

    async fn answered(
        &mut self,
        answer: AssistantMessage,
        turn: &mut TurnState,
    ) -> Result<NextStep, TurnStop> {
        turn.steps += 1;
        turn.overflow_attempts = 0;
        turn.is_foreseen = false;
        turn.refused = None;
        turn.room_for_answer = None;
        self.agent.end_recovery().await;
        turn.hear(&answer);
        if answer.stop == StopReason::Refusal {
            ToolBatch::of(self.agent).leave_calls(&answer).await;
        } else if answer.tool_calls().next().is_some() {
            let batch = ToolBatch::of(self.agent).run_tools(&answer, turn).await?;
            if let Some(end) = batch {
                return Ok(NextStep::End(end));
            }
            Guidance::of(self.agent).follow_calls(&answer).await;
            if let Some(end) = self.heed_repeats(&answer, turn).await {
                return Ok(NextStep::End(end));
            }
            if self.append_steering().await {
                turn.repeats.forget();
            }
            return Ok(NextStep::Again);
        }
        if self.append_steering().await {
            return Ok(NextStep::Again);
        }
        if answer.stop == StopReason::Paused && turn.resumed < MAX_RESUMED {
            turn.resumed += 1;
            return Ok(NextStep::Again);
        }
        if self.shall_not_stop(&answer, turn).await? {
            return Ok(NextStep::Again);
        }
        if let Some(notice) = self.about_the_end(&answer) {
            self.agent.events.notice(notice).await;
        }
        if CompactionRun::of(self.agent)
            .compact_at_stream_end(turn)
            .await?
        {
            return Ok(NextStep::Again);
        }
        let exit_code = match answer.stop {
            _ if turn.was_refused => exit::REFUSED,
            StopReason::Refusal => exit::FAILED,
            _ => exit::DONE,
        };
        Ok(NextStep::End(TurnEnd {
            stop: answer.stop,
            text: turn.text(),
            error: None,
            error_kind: None,
            exit_code,
        }))
    }

    /// The notice of an end that is not the plain end of an answer.
    fn about_the_end(&self, answer: &AssistantMessage) -> Option<Notice> {
        match answer.stop {
            StopReason::Refusal => {
                let notice = Notice::warning("the model declined to answer");
                Some(notice.with_hint("rephrase the message, or choose another model"))
            }
            StopReason::Length => Some(self.cut_off()),
            StopReason::Paused => {
                let times = MAX_RESUMED + 1;
                let said = format!("the answer paused {times} times and is not complete");
                Some(Notice::warning(said).with_hint("type \"continue\" for the rest"))
            }
            _ if answer.says_nothing() => {
                let notice = Notice::warning("the model's answer is empty");
                Some(notice.with_hint("type \"continue\", or rephrase the message"))
            }
            _ => None,
        }
    }

    /// Why an answer is not whole, and how it goes on.
    fn cut_off(&self) -> Notice {
        let (why, hint) = match (
            self.agent.compactor.auto.is_overfull(),
            self.agent.thread.compacts_by_itself(),
        ) {
            (false, _) => ("at the output limit", "type \"continue\" for the rest"),
            (true, true) => (
                "because the context window is full",
                "older messages are summarised now; type \"continue\" for the rest",
            ),
            (true, false) => (
                "because the context window is full",
                "free space with /compact, then type \"continue\" for the rest",
            ),
        };
        Notice::warning(format!("the answer was cut off {why}")).with_hint(hint)
    }

    /// Messages that were typed to steer the running turn.
    async fn append_steering(&mut self) -> bool {
        let steering = self.agent.mailbox.waiting.take_steering();
        let mut any = false;
        for (text, images) in steering {
            if let Err(refusal) = EventHooks::of(self.agent).ask_prompt_hooks(&text).await {
                EventHooks::of(self.agent)
                    .return_steering(&refusal, text, images)
                    .await;
                continue;
            }
            let whole = Box::pin(ServerTexts::of(self.agent).whole(&text, &images)).await;
            let whole = match whole {
                Ok(whole) => whole,
                Err(refusal) => {
                    EventHooks::of(self.agent)
                        .return_steering(&refusal.into(), text, images)
                        .await;
                    continue;
                }
            };
            any = true;
            self.agent
                .thread
                .append_user(whole.text, whole.images)
                .await;
            Guidance::of(self.agent).take_asked_skill(&text).await;
        }
        if any {
            self.agent.compactor.auto.on_user_message();
            self.agent.mailbox.publish_queue().await;
        }
        any
    }

    async fn failed(
        &mut self,
        error: ProviderError,
        partial: Option<&AssistantMessage>,
        turn: &mut TurnState,
    ) -> Result<NextStep, TurnStop> {
        if let Some(partial) = partial {
            turn.hear(partial);
        }
        if let ProviderError::ContextOverflow {
            requested_tokens,
            prompt_tokens,
            limit_tokens,
            message,
        } = &error
        {
            turn.refusal.clone_from(message);
            let sizes = RefusedSizes {
                requested: *requested_tokens,
                prompt: *prompt_tokens,
                limit: *limit_tokens,
            };
            return match self.recover(sizes, turn).await? {
                None => Ok(NextStep::Again),
                Some(end) => Ok(NextStep::End(end)),
            };
        }
        if let ProviderError::PayloadTooLarge { message } = &error {
            turn.refusal.clone_from(message);
            return match self.recover_payload(turn).await? {
                None => Ok(NextStep::Again),
                Some(end) => Ok(NextStep::End(end)),
            };
        }
        // Another model would go on in the middle of what this one said.
        if partial.is_none()
            && may_stand_in(&error)
            && ModelSwitch::of(self.agent)
                .fall_back(&error.to_string())
                .await
        {
            return Ok(NextStep::Again);
        }
        // Why it is not tried again.
        if error.is_retryable()
            && let Some(end) = self.agent.unpayable(&turn.text())
        {
            self.agent
                .events
                .notice(Notice::warning(error.to_string()))
                .await;
            return Ok(NextStep::End(end));
        }
        let left = match partial {
            Some(_) => FailureExit::Partial,
            None if turn.steps > 0 => FailureExit::Work,
            None => FailureExit::Message,
        };
        Ok(NextStep::End(self.agent.failed_end(
            &error,
            left,
            &turn.text(),
        )))
    }
}

impl Actor {
    /// The request that carries a view to the model in charge.
    fn request_of(&self, view: &ContextView, room_for_answer: Option<u64>) -> CompletionRequest {
        let bounded = self
            .model
            .limits
            .within(view, &self.model.connection.model.model);
        let cache_key = self.thread.conversation.cache_key();
        let mut request = request::encode(
            &bounded,
            &self.thread.context,
            self.model.thinking,
            cache_key,
        );
        request.cache = self.setup.settings.agent.network.prompt_cache;
        if let Some(room) = room_for_answer {
            request.max_output_tokens = request.max_output_tokens.min(room);
        }
        request
    }

    /// Whether another request would be made now: another model answers, or what is sent was
    /// changed.
    pub(super) fn is_outdated(&mut self, request: &CompletionRequest, room: Option<u64>) -> bool {
        let evaluated = self.thread.evaluate(ShrinkMode::default());
        // How long the answer may be follows from what is counted, also of the composer.
        let now = CompletionRequest {
            max_output_tokens: request.max_output_tokens,
            ..self.request_of(&evaluated.view, room)
        };
        now != *request
    }
}
