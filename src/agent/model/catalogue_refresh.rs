//! Newer facts about models, asked for beside the conversation, and warnings of models that are
//! switched off.

use std::sync::Arc;
use std::time::Duration;

use crate::agent::protocol::Notice;
use crate::agent::setup::AgentSetup;
use crate::provider::{LifecycleState, MODELS_DEV, Registry, is_catalogue_refresh_due};
use crate::transcript::ModelRef;

/// Nothing waits for it; it only must end.
const PATIENCE: Duration = Duration::from_secs(30);

impl AgentSetup {
    /// The address of the facts of models.dev; `None` when nobody may ask for them.
    pub fn catalogue_url(&self) -> Option<String> {
        let network = &self.settings.agent.network;
        let may_ask = network.catalogue_refresh && !self.flags.offline;
        let own = network.catalogue_url.clone();
        may_ask.then(|| own.unwrap_or_else(|| MODELS_DEV.to_owned()))
    }

    /// Asks models.dev for newer facts, at most once a day and only where somebody chats: what
    /// is called by a script asks for nothing but answers. They count from the next lookup on.
    pub(in crate::agent) fn refresh_catalogue(&self, registry: &Arc<Registry>) {
        let (file, now) = (self.paths.refreshed_models_file(), self.clock.now());
        let url = self
            .catalogue_url()
            .filter(|_| self.is_interactive && !self.leaves_nothing());
        let Some(url) = url.filter(|_| is_catalogue_refresh_due(&file, now)) else {
            return;
        };
        let registry = Arc::clone(registry);
        tokio::spawn(async move {
            // The file says why, for `plim doctor`.
            let refreshed = registry.refresh_catalogue(&url, &file, now, PATIENCE).await;
            tracing::debug!(?refreshed, "model facts updated from models.dev");
        });
    }

    /// What a user of the model should know about its end.
    pub fn lifecycle_notice(&self, registry: &Registry, model: &ModelRef) -> Option<Notice> {
        let state = self.lifecycle_of(registry, model);
        let text = state.warning(model)?;
        Some(Notice::warning(text).with_hint("/model lists the models on offer"))
    }

    /// How long a model is offered, seen from today.
    pub fn lifecycle_of(&self, registry: &Registry, model: &ModelRef) -> LifecycleState {
        let record = registry.catalogue().record(model);
        record.lifecycle.at(self.clock.now())
    }
}
