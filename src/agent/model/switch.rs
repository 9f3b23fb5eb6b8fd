//! The model that answers: models that the user chooses, replacements when one cannot answer,
//! and larger ones when a conversation fits nowhere else.
//!
//! A switch by the user to a window that the conversation does not fit into has it
//! summarised first, by the model that can still read all of it.

use std::sync::Arc;

use crate::agent::actor::Actor;
use crate::agent::compaction::CompactionRun;
use crate::agent::compaction::material::{CompactionOutcome, CompactionRequest};
use crate::agent::mailbox::TurnStop;
use crate::agent::protocol::{Notice, SessionEvent};
use crate::agent::setup::ModelConnection;
use crate::context::{ContextSettings, WindowReport, WindowSource, WindowVerdict};
use crate::disk::private;
use crate::engine::counting;
use crate::engine::recall::rough_tokens;
use crate::session::Durability;
use crate::transcript::{EntryBody, ModelRef, Trigger};

/// Another model counts in another way, and none of its counts is known yet.
pub(in crate::agent) const UNMEASURED_MARGIN: f64 = 1.2;

/// A conversation that is too long for a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::agent) struct WindowMisfit {
    /// Tokens that the context takes now.
    pub tokens: u64,
    /// Tokens that the model's window leaves for it.
    pub usable_tokens: u64,
}

impl Actor {
    /// The settings for a model. The user's own number of `--context-window` is about
    /// the model that the session was opened with, not about those that stand in for it.
    pub(crate) fn settings_for(&self, model: &ModelRef) -> ContextSettings {
        let settings = &self.setup.settings;
        let mut context = settings.context_for(model);
        if *model != self.model.home_model {
            let own = settings.models.get(&model.to_string());
            context.window.user_tokens = own.and_then(|own| own.window_tokens);
        }
        context.window.refused_above_tokens = self.model.limits.refused_above(model);
        context.server = self
            .model
            .connection
            .registry
            .server_context(model, context.server);
        context
    }

    pub(crate) fn window_of(&self, model: &ModelRef, margin: f64) -> WindowReport {
        let info = self.model.connection.registry.model_info(model);
        counting::window_report(&self.settings_for(model), &info, margin)
    }

    /// Whether another model could stand in for this one.
    pub(crate) fn has_fallback(&self) -> bool {
        let current = &self.model.connection.model.model;
        let chain = &self.setup.settings.agent.fallback_models;
        let mut others = chain.iter().filter(|model| *model != current);
        others.any(|model| self.can_take_over(model))
    }

    /// None is tried twice in a turn, whatever its place in the chain.
    pub(crate) fn can_take_over(&self, model: &ModelRef) -> bool {
        !self.model.given_up.contains(model)
            && self
                .model
                .connection
                .registry
                .missing(&model.provider)
                .is_none()
            && self.window_of(model, 1.0).verdict != WindowVerdict::Block
    }
}

/// Puts another model in charge.
pub(in crate::agent) struct ModelSwitch<'a> {
    pub(in crate::agent) agent: &'a mut Actor,
}

impl<'a> ModelSwitch<'a> {
    pub(crate) fn of(agent: &'a mut Actor) -> Self {
        Self { agent }
    }
}

impl ModelSwitch<'_> {
    /// Whether the conversation has to be summarised before this model can have it.
    pub(crate) fn misfit(&mut self, model: &ModelRef) -> Option<WindowMisfit> {
        let target = self.agent.window_of(model, UNMEASURED_MARGIN);
        target.tokens?;
        // It makes every request as long as the window of the day.
        if self.agent.thread.conversation.engine().owns_compaction {
            return None;
        }
        let view = self.agent.thread.current_view();
        let is_smaller = view.window.tokens.is_none() || target.usable < view.window.usable;
        let weighed = view.usage.tokens as f64 * UNMEASURED_MARGIN;
        (is_smaller && weighed > target.usable as f64).then_some(WindowMisfit {
            tokens: view.usage.tokens,
            usable_tokens: target.usable,
        })
    }

    /// Puts the model in charge that the user chose; makes the conversation fit first.
    /// Only while nothing runs.
    pub(crate) async fn set_model(&mut self, model: ModelRef) {
        if model == self.agent.model.connection.model.model {
            return;
        }
        if let Some(misfit) = self.misfit(&model) {
            match self.shrink_for(&model, misfit).await {
                Ok(true) => {}
                Ok(false) => return self.stays(&model).await,
                Err(_) => {
                    self.agent
                        .events
                        .compaction_cancelled("stopped by the user")
                        .await;
                    return self.stays(&model).await;
                }
            }
        }
        self.choose_model(model).await;
    }

    /// Puts the model in charge that the user chose, as the conversation is.
    pub(crate) async fn choose_model(&mut self, model: ModelRef) {
        self.use_model(model.clone(), "chosen by the user").await;
        let registry = &self.agent.model.connection.registry;
        if let Some(notice) = self.agent.setup.lifecycle_notice(registry, &model) {
            self.agent.events.notice(notice).await;
        }
        // A convenience for the next start; the log holds the truth.
        let file = self.agent.setup.paths.last_model_file();
        let _ = private::replace(&file, model.to_string().as_bytes());
    }

    /// Takes up the model and the reasoning level that were in force where the conversation
    /// goes on now. The log there says so already: nothing is written. Gives what is to be
    /// said of it, and whether another model answers from here on.
    pub(crate) fn take_up_standing(&mut self) -> (Vec<Notice>, bool) {
        let mut notices = Vec::new();
        if self
            .agent
            .thread
            .conversation
            .transcript()
            .branch()
            .is_empty()
        {
            return (notices, false);
        }
        let default = self.agent.setup.settings.agent.thinking;
        let level = self
            .agent
            .thread
            .conversation
            .last_thinking()
            .unwrap_or(default);
        if std::mem::replace(&mut self.agent.model.thinking, level) != level {
            let text = format!(
                "reasoning level: {}, as before in this session",
                level.name()
            );
            notices.push(Notice::info(text));
        }
        let current = self.agent.model.connection.model.model.clone();
        let Some(model) = self
            .agent
            .thread
            .conversation
            .last_model()
            .filter(|it| *it != current)
        else {
            return (notices, false);
        };
        let is_flagged =
            self.agent.setup.flags.model.is_some() && current == self.agent.model.home_model;
        let reason = if self.agent.setup.flags.offline {
            Some("--offline was given".to_owned())
        } else if is_flagged {
            Some("--model was given".to_owned())
        } else {
            self.agent
                .model
                .connection
                .registry
                .missing(&model.provider)
        };
        if let Some(reason) = reason {
            let text = format!("this session used {model}; {current} answers now: {reason}");
            notices.push(Notice::info(text).with_hint("/model chooses another"));
            return (notices, false);
        }
        let registry = Arc::clone(&self.agent.model.connection.registry);
        self.use_connection(ModelConnection::new(
            registry,
            &model,
            "used before in this session".to_owned(),
        ));
        (notices, true)
    }

    /// Summarises until the conversation fits, with the model that is in charge now.
    /// False when it could not be summarised at all.
    async fn shrink_for(
        &mut self,
        model: &ModelRef,
        misfit: WindowMisfit,
    ) -> Result<bool, TurnStop> {
        let sizes = format!(
            "the conversation has {} tokens; {model} has space for {}",
            misfit.tokens, misfit.usable_tokens
        );
        if !self.agent.thread.conversation.context().compaction.auto {
            let notice = Notice::warning(sizes);
            let hint = "compaction.auto is off: /compact before your next message, or choose a \
                model with a larger window";
            self.agent.events.notice(notice.with_hint(hint)).await;
            return Ok(true);
        }
        let text = format!(
            "{sizes}: {} compacts it first",
            self.agent.model.connection.model.model
        );
        self.agent.events.notice(Notice::info(text)).await;
        let mut has_shrunk = false;
        for tail_zero in [false, true] {
            let Some(misfit) = self.misfit(model) else {
                return Ok(true);
            };
            let wanted = CompactionRequest {
                trigger: Trigger::Threshold,
                yes: true,
                force: true,
                tail_zero,
                fit_usable_tokens: Some(misfit.usable_tokens),
                ..CompactionRequest::default()
            };
            match CompactionRun::of(self.agent).compact(wanted).await? {
                CompactionOutcome::Applied => has_shrunk = true,
                // What is left is more than any summary can help with: the next request
                // of the new model says so.
                CompactionOutcome::Nothing => return Ok(true),
                CompactionOutcome::Cancelled | CompactionOutcome::Failed(_) => {
                    return Ok(has_shrunk);
                }
            }
        }
        Ok(true)
    }

    async fn stays(&mut self, model: &ModelRef) {
        let current = &self.agent.model.connection.model.model;
        let notice = Notice::error(format!(
            "the model stays {current}: without a summary the conversation does not fit into the \
             window of {model}"
        ));
        let hint = "compact without a model (/compact --extractive) and choose again, or start a \
            new session with /new";
        self.agent.events.notice(notice.with_hint(hint)).await;
        self.agent.thread.publish_view().await;
    }

    /// Takes the next model of the fallback chain that can be used: its provider is set
    /// up and its window passes the guard.
    pub(crate) async fn fall_back(&mut self, reason: &str) -> bool {
        let current = self.agent.model.connection.model.model.clone();
        self.agent.model.given_up.push(current.clone());
        let chain = self.agent.setup.settings.agent.fallback_models.clone();
        let Some(model) = chain
            .into_iter()
            .find(|model| self.agent.can_take_over(model))
        else {
            return false;
        };
        self.use_model(model, &format!("{current}: {reason}")).await;
        true
    }

    /// Moves to a fallback model whose window is known to be larger, when that is
    /// allowed. `limit_tokens` is what the provider said of the window in use.
    pub(crate) async fn upgrade(&mut self, limit_tokens: Option<u64>) -> bool {
        let agent = &self.agent.setup.settings.agent;
        let current = self.agent.model.connection.model.model.clone();
        let in_force = self.agent.window_of(&current, 1.0).tokens;
        let Some(window) = in_force
            .max(limit_tokens)
            .filter(|_| agent.overflow_upgrade)
        else {
            return false;
        };
        self.agent.model.given_up.push(current.clone());
        let chain = self.agent.setup.settings.agent.fallback_models.clone();
        let larger = chain.into_iter().find_map(|model| {
            let report = self.agent.window_of(&model, 1.0);
            let tokens = report.tokens.filter(|&tokens| tokens > window)?;
            let is_known = report.source != WindowSource::Assumed;
            (is_known && self.agent.can_take_over(&model)).then_some((model, tokens))
        });
        let Some((model, tokens)) = larger else {
            return false;
        };
        let reason = format!(
            "the conversation does not fit into {current}'s window of {window} tokens; {model} \
             has {tokens}"
        );
        self.use_model(model, &reason).await;
        true
    }

    /// Whoever waits to ask the model that was in charge need not wait any longer.
    pub(crate) fn use_connection(&mut self, connection: ModelConnection) {
        self.agent.model.connection = connection;
        std::mem::take(&mut self.agent.model.connection_changed).cancel();
        self.fit_memory();
    }

    /// Reads the prompt afresh when its notes take more than their share of the window of the
    /// model in charge. Each model has a prompt cache of its own, so none is lost.
    fn fit_memory(&mut self) {
        let model = &self.agent.model.connection.model;
        let share = self.agent.setup.memory_share(model);
        let notes = self.agent.thread.prompt.memory.as_deref().map(rough_tokens);
        if share.is_some_and(|share| notes > Some(share)) {
            self.agent.refresh_prompt();
        }
    }

    /// Puts another model in charge; the log says so.
    pub(crate) async fn use_model(&mut self, model: ModelRef, reason: &str) {
        let registry = Arc::clone(&self.agent.model.connection.registry);
        self.use_connection(ModelConnection::new(registry, &model, reason.to_owned()));
        self.agent.apply_model_settings();
        let body = EntryBody::ModelChange {
            provider: model.provider.clone(),
            model: model.model.clone(),
        };
        self.agent.thread.append(body, Durability::Buffered).await;
        self.agent
            .events
            .emit(SessionEvent::ModelSwitched {
                model,
                reason: reason.to_owned(),
            })
            .await;
        self.tell_reasoning().await;
        if let Err(error) = self.agent.model.connection.provider() {
            self.agent
                .events
                .notice(Notice::warning(error.to_string()))
                .await;
        }
        self.agent.thread.publish_view().await;
    }

    /// Says how hard the model in charge reasons, and where that is not what was asked.
    pub(crate) async fn tell_reasoning(&mut self) {
        let state = self.agent.model.reasoning_state();
        let events = &self.agent.events;
        events.emit(SessionEvent::Reasoning(state)).await;
        if let Some(remark) = self.agent.model.reasoning_remark() {
            events.notice(Notice::info(remark)).await;
        }
    }
}
