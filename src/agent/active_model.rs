//! The model that answers, and what is known of it and of those that could answer instead.

use tokio_util::sync::CancellationToken;

use super::limit::Limits;
use super::setup::Helm;
use crate::transcript::{ModelRef, ThinkingLevel};

/// See the module's description.
pub(super) struct ActiveModel {
    pub helm: Helm,
    pub thinking: ThinkingLevel,
    /// Ends when another model is put in charge.
    pub helm_changed: CancellationToken,
    /// The model that the session was opened with.
    pub home_model: ModelRef,
    /// Models that could not answer in this turn.
    pub given_up: Vec<ModelRef>,
    pub limits: Limits,
    /// The model whose server was asked for its window last.
    pub asked_window_of: Option<ModelRef>,
    pub warned_small_window: bool,
}

impl ActiveModel {
    pub fn new(helm: Helm, thinking: ThinkingLevel) -> Self {
        Self {
            thinking,
            helm_changed: CancellationToken::new(),
            home_model: helm.model.model.clone(),
            helm,
            given_up: Vec::new(),
            limits: Limits::default(),
            asked_window_of: None,
            warned_small_window: false,
        }
    }
}
