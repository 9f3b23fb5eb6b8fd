//! The model that answers, and what is known of it and of those that could answer instead.

pub(in crate::agent) mod catalogue_refresh;
pub(in crate::agent) mod choices;
pub(in crate::agent) mod learned_limits;
pub(in crate::agent) mod limit_learner;
pub(in crate::agent) mod switch;
pub(in crate::agent) mod usage_learner;

use tokio_util::sync::CancellationToken;

use crate::agent::model::learned_limits::LearnedLimits;
use crate::agent::setup::ModelConnection;
use crate::transcript::{ModelRef, ReasoningState, ThinkingLevel};

/// See the module's description.
pub(in crate::agent) struct ActiveModel {
    pub connection: ModelConnection,
    pub thinking: ThinkingLevel,
    /// Ends when another model is put in charge.
    pub connection_changed: CancellationToken,
    /// The model that the session was opened with.
    pub home_model: ModelRef,
    /// Models that could not answer in this turn.
    pub given_up: Vec<ModelRef>,
    pub limits: LearnedLimits,
    /// The model whose server was asked for its window last.
    pub asked_window_of: Option<ModelRef>,
    pub warned_small_window: bool,
}

impl ActiveModel {
    pub(super) fn new(connection: ModelConnection, thinking: ThinkingLevel) -> Self {
        Self {
            thinking,
            connection_changed: CancellationToken::new(),
            home_model: connection.model.model.clone(),
            connection,
            given_up: Vec::new(),
            limits: LearnedLimits::default(),
            asked_window_of: None,
            warned_small_window: false,
        }
    }

    /// How hard the model reasons; `None` when it is not known to.
    pub(in crate::agent) fn reasoning_state(&self) -> Option<ReasoningState> {
        self.connection.model.reasoning_state(self.thinking)
    }

    /// Why the model does not reason as hard as was asked, or may not.
    pub(in crate::agent) fn reasoning_remark(&self) -> Option<String> {
        let model = &self.connection.model.model.model;
        match self.reasoning_state() {
            Some(state) => state.remark(model),
            None => (self.thinking > ThinkingLevel::Off)
                .then(|| format!("{model} is not known to reason: no reasoning level is sent")),
        }
    }
}
