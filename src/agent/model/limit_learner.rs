//! Limits that servers name when they refuse a request as too long: the window is that
//! large from there on, also for later sessions, until the server takes more.

use crate::agent::actor::Actor;
use crate::agent::model::learned_limits::RefusedRequest;
use crate::agent::model::usage_learner::UsageLearner;
use crate::agent::protocol::Notice;
use crate::agent::turn::outcome::CallOutcome;
use crate::context::{ContextView, WindowReport, WindowSource};
use crate::engine::counting::is_believable_refusal;
use crate::provider::{self, NamedLimit, ProviderError};
use crate::transcript::{ModelRef, grouped};

/// A request whose size nobody names has at most this many times the tokens that are
/// expected of it.
const MAX_MISCOUNT: f64 = 2.0;

/// Refusals with this word speak of all that was asked for, the answer perhaps included.
/// Those that speak of a prompt, an input or messages mean what they say.
const ALL_THAT_WAS_ASKED: &str = "requested";

/// No server runs a model with a smaller window: such a number means something else.
const MIN_LIMIT_TOKENS: u64 = 512;

/// A count is the prompt's without the answer when its error is so many times smaller.
const MUCH_NEARER: f64 = 3.0;

/// Some servers name one number for the prompt and the answer that was asked for. When it is
/// far from the prompt that was expected, and near it without the answer, that is what was
/// counted.
pub(in crate::agent) fn tell_prompt_apart(
    outcome: &mut CallOutcome,
    expected_tokens: u64,
    max_output_tokens: u64,
) {
    let CallOutcome::Failed(
        ProviderError::ContextOverflow {
            requested_tokens: Some(requested),
            prompt_tokens: prompt @ None,
            message,
            ..
        },
        _,
    ) = outcome
    else {
        return;
    };
    if !message.to_lowercase().contains(ALL_THAT_WAS_ASKED) {
        return;
    }
    let without_answer = requested.saturating_sub(max_output_tokens);
    let error = |tokens: u64| (tokens as f64 / expected_tokens.max(1) as f64).ln().abs();
    if error(without_answer) * MUCH_NEARER < error(*requested) {
        *prompt = Some(without_answer);
    }
}

impl UsageLearner<'_> {
    /// Takes what an answer or a refusal says about how much the server takes.
    pub(in crate::agent) async fn heed_limit(
        &mut self,
        outcome: &CallOutcome,
        view: &ContextView,
        model: ModelRef,
        max_output_tokens: u64,
    ) {
        match outcome {
            CallOutcome::Answered(answer) => {
                if let Some(taken) = answer.usage.and_then(|usage| usage.believed_tokens()) {
                    self.on_taken(model, taken).await;
                }
            }
            CallOutcome::Failed(error, _) => {
                let estimate = view.items.iter().map(|item| item.estimate_tokens).sum();
                if let Some(refused) =
                    RefusedRequest::of(error, &model, max_output_tokens, || estimate)
                {
                    let expected_tokens = view.usage.tokens;
                    self.on_limit_named(RefusedRequest {
                        expected_tokens,
                        ..refused
                    })
                    .await;
                }
            }
            CallOutcome::Stopped(..) | CallOutcome::Outdated => {}
        }
    }

    /// A server that takes more than it said takes more.
    async fn on_taken(&mut self, model: ModelRef, taken_tokens: u64) {
        let most = match &self.agent.model.limits.taken {
            Some((of, most)) if *of == model => (*most).max(taken_tokens),
            _ => taken_tokens,
        };
        self.agent.model.limits.taken = Some((model.clone(), most));
        let told = &mut self.agent.model.limits.told;
        *told = told
            .take()
            .filter(|(of, limit)| *of != model || taken_tokens <= *limit);
        let registry = &self.agent.model.connection.registry;
        if registry
            .limit_of(&model)
            .is_none_or(|limit| taken_tokens <= limit)
        {
            return;
        }
        let Some(limit) = registry.forget_limit(&model) else {
            return;
        };
        self.agent.setup.forget_limit(&limit);
        self.agent.take_model_info(&model);
        let text = format!(
            "{model} accepted {} tokens: the limit of {} learnt from its server no longer applies",
            grouped(taken_tokens),
            grouped(limit.tokens)
        );
        self.agent.events.notice(Notice::info(text)).await;
        self.agent.thread.publish_view().await;
    }

    async fn on_limit_named(&mut self, refused: RefusedRequest) {
        let window = self.agent.window_of(&refused.model, 1.0);
        let info = self
            .agent
            .model
            .connection
            .registry
            .model_info(&refused.model);
        let Some(believed) = believed_limit(&window, info.input_limit_tokens) else {
            return;
        };
        let limit = refused.limit_tokens;
        if !(MIN_LIMIT_TOKENS..believed).contains(&limit) || !self.is_borne_out(&refused) {
            return;
        }
        let says = format!(
            "{}'s limit is {} tokens, not {}",
            refused.model,
            grouped(limit),
            grouped(believed)
        );
        if window.source == WindowSource::User {
            let told = Some((refused.model.clone(), limit));
            if self.agent.model.limits.told != told {
                self.agent.model.limits.told = told;
                if self.agent.model.limits.is_recovering {
                    self.agent.apply_model_settings();
                }
                let hint = "your own setting of the window stays in use; correct it in \
                    --context-window, window.user, [models] or [providers]";
                self.agent
                    .events
                    .notice(Notice::warning(says).with_hint(hint))
                    .await;
            }
            return;
        }
        let Some(kept) = self
            .agent
            .model
            .connection
            .registry
            .learn_limit(&refused.model, limit)
        else {
            return;
        };
        self.agent.setup.keep_limit(kept);
        self.agent.take_model_info(&refused.model);
        let hint = "this limit applies from now on; override it with --context-window or \
            [models]; `plim models --refresh` forgets it";
        self.agent
            .events
            .notice(Notice::warning(says).with_hint(hint))
            .await;
        self.agent.thread.publish_view().await;
    }

    /// Whether what is known of the request's size agrees with the refusal.
    fn is_borne_out(&self, refused: &RefusedRequest) -> bool {
        let limit = refused.limit_tokens;
        let has_taken_more = self.agent.model.limits.taken.as_ref();
        if has_taken_more.is_some_and(|(of, most)| *of == refused.model && *most > limit) {
            return false;
        }
        if let (Some(requested), Some(counted)) = (refused.requested_tokens, refused.counted_tokens)
        {
            return requested > limit && is_believable_refusal(refused.estimate_tokens, counted);
        }
        let most = refused.expected_tokens as f64 * MAX_MISCOUNT;
        most + refused.max_output_tokens as f64 >= limit as f64
    }
}

impl Actor {
    /// Takes what refusals of summaries said since the last time.
    pub(in crate::agent) async fn heed_overheard(&mut self) {
        for refused in self.model.limits.overheard.take() {
            UsageLearner::of(self).on_limit_named(refused).await;
        }
    }

    /// A refused request is made shorter: from here on the limit that was named counts, until
    /// there is an answer or the turn is over.
    pub(in crate::agent) fn begin_recovery(&mut self) {
        if !std::mem::replace(&mut self.model.limits.is_recovering, true) {
            self.apply_model_settings();
        }
    }

    /// The user's own window counts again.
    pub(in crate::agent) async fn end_recovery(&mut self) {
        let had_limit = self
            .thread
            .conversation
            .context()
            .window
            .refused_above_tokens;
        self.model.limits.is_recovering = false;
        if had_limit.is_some() {
            self.apply_model_settings();
            self.thread.publish_view().await;
        }
    }

    /// Takes up what is known now about the model in charge.
    pub(in crate::agent) fn take_model_info(&mut self, model: &ModelRef) {
        let info = self.model.connection.registry.model_info(model);
        if info != self.model.connection.model && *model == self.model.connection.model.model {
            self.model.connection.model = info;
            self.apply_model_settings();
        }
    }
}

/// How long a prompt may be as far as anybody knew; `None` when the window is unknown
/// because the user says so.
fn believed_limit(window: &WindowReport, input_limit_tokens: Option<u64>) -> Option<u64> {
    let window = window.uncapped_tokens.or(window.tokens)?;
    Some(input_limit_tokens.map_or(window, |limit| limit.min(window)))
}

impl crate::agent::setup::AgentSetup {
    /// Keeps a limit for later sessions, unless nothing of this one is kept.
    pub(in crate::agent) fn keep_limit(&self, limit: NamedLimit) {
        if self.leaves_nothing() {
            return;
        }
        if let Err(error) = provider::keep_limit(&self.paths.limits_file(), limit) {
            // The next session is refused once more.
            tracing::debug!(%error, "a learnt limit could not be saved for later sessions");
        }
    }

    /// Forgets it for later sessions as well.
    pub(in crate::agent) fn forget_limit(&self, limit: &NamedLimit) {
        if self.leaves_nothing() {
            return;
        }
        let file = self.paths.limits_file();
        if let Err(error) = provider::forget_limits(&file, |known| known == limit) {
            tracing::debug!(%error, "a learnt limit could not be removed for later sessions");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_counted_with_the_prompt_is_told_apart() {
        let all = "However, you requested this many tokens";
        for (expected, requested, max_output, message, prompt) in [
            (2_079, 67_644, 64_000, all, Some(3_644)),
            (100_000, 168_000, 64_000, all, Some(104_000)),
            // The prompt is what is too long.
            (205_000, 212_345, 64_000, all, None),
            (100_000, 130_000, 8_192, all, None),
            (2_000, 3_000, 64_000, all, None),
            (2_079, 67_644, 64_000, "prompt is too long", None),
        ] {
            let error = ProviderError::ContextOverflow {
                requested_tokens: Some(requested),
                prompt_tokens: None,
                limit_tokens: Some(40_000),
                message: message.to_owned(),
            };
            let mut outcome = CallOutcome::Failed(error, None);
            tell_prompt_apart(&mut outcome, expected, max_output);
            let CallOutcome::Failed(ProviderError::ContextOverflow { prompt_tokens, .. }, _) =
                outcome
            else {
                unreachable!();
            };
            assert_eq!(prompt_tokens, prompt, "{expected} {requested} {max_output}");
        }
    }
}
