//! Limits that servers name when they refuse a request as too long: the window is that
//! large from there on, also for later sessions, until the server takes more.

use super::actor::Actor;
use super::call::Outcome;
use super::event::Notice;
use crate::context::{ContextView, WindowSource, is_believable_count};
use crate::provider::{self, NamedLimit, ProviderError};
use crate::transcript::{ModelRef, grouped};

/// A request whose size nobody names has at most this many times the tokens that are
/// expected of it.
const MAX_MISCOUNT: f64 = 2.0;

/// A refusal that names a limit, and the request that it is about.
struct Refused {
    model: ModelRef,
    requested_tokens: Option<u64>,
    limit_tokens: u64,
    max_output_tokens: u64,
}

/// What keeps a limit from being believed too often.
#[derive(Debug, Default)]
pub(super) struct Limits {
    /// The largest request that a model has taken in this run, in tokens.
    taken: Option<(ModelRef, u64)>,
    /// What was said of a window that the user set.
    told: Option<(ModelRef, u64)>,
}

impl Limits {
    /// The view as the server would have it: the answer has to fit into what it said that
    /// it takes, also where the user's own window is larger.
    pub fn within(&self, view: &ContextView, model: &ModelRef) -> ContextView {
        let mut view = view.clone();
        if let Some((_, limit)) = self.told.as_ref().filter(|(of, _)| of == model) {
            view.window.tokens = view.window.tokens.map(|tokens| tokens.min(*limit));
        }
        view
    }
}

impl Actor {
    /// Takes what an answer or a refusal says about how much the server takes.
    pub(super) async fn heed_limit(
        &mut self,
        outcome: &Outcome,
        view: &ContextView,
        (model, max_output_tokens): (ModelRef, u64),
    ) {
        match outcome {
            Outcome::Answered(answer) => {
                if let Some(taken) = answer.usage.and_then(|usage| usage.sent_tokens()) {
                    self.on_taken(model, taken).await;
                }
            }
            Outcome::Failed(
                ProviderError::ContextOverflow {
                    requested_tokens,
                    limit_tokens: Some(limit),
                    ..
                },
                _,
            ) => {
                let refused = Refused {
                    model,
                    requested_tokens: *requested_tokens,
                    limit_tokens: *limit,
                    max_output_tokens,
                };
                self.on_limit_named(refused, view).await;
            }
            Outcome::Failed(..) | Outcome::Stopped(..) => {}
        }
    }

    /// A server that takes more than it said takes more.
    async fn on_taken(&mut self, model: ModelRef, taken_tokens: u64) {
        let most = match &self.limits.taken {
            Some((of, most)) if *of == model => (*most).max(taken_tokens),
            _ => taken_tokens,
        };
        self.limits.taken = Some((model.clone(), most));
        let told = &mut self.limits.told;
        *told = told
            .take()
            .filter(|(of, limit)| *of != model || taken_tokens <= *limit);
        let registry = &self.helm.registry;
        if registry
            .limit_of(&model)
            .is_none_or(|limit| taken_tokens <= limit)
        {
            return;
        }
        let Some(limit) = registry.forget_limit(&model) else {
            return;
        };
        self.setup.forget_limit(&limit);
        self.take_model_info(&model);
        let text = format!(
            "{model} took {} tokens: the limit of {} that its server had named is forgotten",
            grouped(taken_tokens),
            grouped(limit.tokens)
        );
        self.notice(Notice::info(text)).await;
        self.publish_view().await;
    }

    async fn on_limit_named(&mut self, refused: Refused, view: &ContextView) {
        let Some(believed) = believed_limit(view, self.helm.model.input_limit_tokens) else {
            return;
        };
        let minimum = self.conversation.context().window.min_tokens;
        let limit = refused.limit_tokens;
        if !(minimum..believed).contains(&limit) || !self.is_borne_out(&refused, view) {
            return;
        }
        let says = format!(
            "the server of {} takes {} tokens, not {}",
            refused.model,
            grouped(limit),
            grouped(believed)
        );
        if view.window.source == WindowSource::User {
            let told = Some((refused.model.clone(), limit));
            if self.limits.told != told {
                self.limits.told = told;
                let hint = "the window that you set stays; correct it where it is set \
                            (--context-window, window.user, [models] or [providers])";
                self.notice(Notice::warning(says).with_hint(hint)).await;
            }
            return;
        }
        let Some(kept) = self.helm.registry.learn_limit(&refused.model, limit) else {
            return;
        };
        self.setup.keep_limit(kept);
        self.take_model_info(&refused.model);
        let hint = "the window is that large from here on; `plim models --refresh` forgets it, \
                    a window of your own in [models] or --context-window comes before it";
        self.notice(Notice::warning(says).with_hint(hint)).await;
        self.publish_view().await;
    }

    /// Whether what is known of the request's size agrees with the refusal.
    fn is_borne_out(&self, refused: &Refused, view: &ContextView) -> bool {
        let limit = refused.limit_tokens;
        let has_taken_more = self.limits.taken.as_ref();
        if has_taken_more.is_some_and(|(of, most)| *of == refused.model && *most > limit) {
            return false;
        }
        if let Some(requested) = refused.requested_tokens {
            let estimate = view.items.iter().map(|item| item.estimate_tokens).sum();
            return requested > limit && is_believable_count(estimate, requested);
        }
        let most = view.usage.tokens as f64 * MAX_MISCOUNT;
        most + refused.max_output_tokens as f64 >= limit as f64
    }

    /// Takes up what is known now about the model in charge.
    pub(super) fn take_model_info(&mut self, model: &ModelRef) {
        let info = self.helm.registry.model_info(model);
        if info != self.helm.model && *model == self.helm.model.model {
            self.helm.model = info;
            self.apply_model_settings();
        }
    }
}

/// How long a prompt may be as far as anybody knew; `None` when the window is unknown
/// because the user says so.
fn believed_limit(view: &ContextView, input_limit_tokens: Option<u64>) -> Option<u64> {
    let window = view.window.uncapped_tokens.or(view.window.tokens)?;
    Some(input_limit_tokens.map_or(window, |limit| limit.min(window)))
}

impl super::setup::Setup {
    /// Keeps a limit for later sessions, unless nothing of this one is kept.
    pub(super) fn keep_limit(&self, limit: NamedLimit) {
        if self.leaves_nothing() {
            return;
        }
        if let Err(error) = provider::keep_limit(&self.paths.limits_file(), limit) {
            // The next session is refused once more.
            tracing::debug!(%error, "a limit was not kept for later sessions");
        }
    }

    /// Forgets it for later sessions as well.
    pub(super) fn forget_limit(&self, limit: &NamedLimit) {
        if self.leaves_nothing() {
            return;
        }
        let file = self.paths.limits_file();
        if let Err(error) = provider::forget_limits(&file, |known| known == limit) {
            tracing::debug!(%error, "a limit was not forgotten for later sessions");
        }
    }
}
