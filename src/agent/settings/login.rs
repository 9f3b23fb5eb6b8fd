//! Keys that are entered while the program runs: which provider has one and from where,
//! stored for their owner alone, used by the next request.
//!
//! Invariant: a key is in an op and where keys are kept, nowhere else.

use std::sync::Arc;
use std::time::Duration;

use crate::agent::model::switch::ModelSwitch;
use crate::agent::protocol::{
    AgentEvent, EnteredKey, LoginChoice, Notice, QueryId, QueryReply, SessionEvent,
};
use crate::agent::sessions::SessionActs;
use crate::agent::settings::SettingActs;
use crate::agent::setup::ModelConnection;
use crate::config::secrets::{self, KeyPlace};
use crate::provider::{KeyOrigin, Keyring, ModelLists};

/// How long a list of models is waited for.
const LIST_PATIENCE: Duration = Duration::from_secs(20);

impl SettingActs<'_> {
    /// Says which provider has a key, and from where.
    pub(crate) async fn list_logins(&mut self, to: Option<QueryId>) {
        let choices = self.logins();
        self.agent
            .events
            .reply(to, QueryReply::Logins(choices))
            .await;
    }

    fn logins(&self) -> Vec<LoginChoice> {
        let reports = self.agent.model.connection.registry.reports().into_iter();
        let choice = |report: crate::provider::EndpointReport| LoginChoice {
            is_stored: matches!(report.key, Some(KeyOrigin::Stored | KeyOrigin::Keyring)),
            key: report.key.map(|key| key.name().to_owned()),
            provider: report.id,
            base_url: report.base_url,
            is_local: report.is_local,
        };
        reports.map(choice).collect()
    }

    /// Stores a key; the next request to this provider has it.
    pub(crate) async fn login(&mut self, provider: &str, key: EnteredKey) {
        let known = self.logins();
        if !known.iter().any(|it| it.provider == provider) {
            let notice = Notice::error(format!("no provider {provider:?}"));
            return self
                .agent
                .events
                .notice(notice.with_hint("/login lists them"))
                .await;
        }
        let path = self.agent.setup.paths.credentials_file();
        let kept = self.keeps_something();
        if let Err(error) = kept.and_then(|()| secrets::store_key(&path, provider, key.secret())) {
            let text = format!("the key was not stored: {}", error.message);
            let notice = Notice::error(text);
            return self.agent.events.notice(hinted(notice, error.hint)).await;
        }
        if !self.take_stored_keys().await {
            return;
        }
        let text = format!("key of {provider} stored in {}", path.display());
        self.agent.events.notice(Notice::info(text)).await;
        let above = known
            .into_iter()
            .find(|it| it.provider == provider && !it.is_stored);
        if let Some(name) = above.and_then(|it| it.key) {
            let notice = Notice::warning(format!("{name} takes precedence over the stored key"));
            self.agent
                .events
                .notice(notice.with_hint("unset it to use the stored key"))
                .await;
        }
        if self.agent.model.connection.model.model.provider != provider {
            SessionActs::of(self.agent).list_models(None).await;
            self.ask_for_models(provider);
        }
    }

    /// Asks a provider, beside the conversation, which models it has: a new key may open
    /// others than the embedded table knows. Quiet when it does not answer; the first
    /// request says why.
    fn ask_for_models(&self, provider: &str) {
        if self.agent.setup.flags.offline {
            return;
        }
        let registry = Arc::clone(&self.agent.model.connection.registry);
        let file = self.agent.setup.paths.listed_models_file();
        let (provider, events) = (provider.to_owned(), self.agent.events.sender());
        let setup = Arc::clone(&self.agent.setup);
        tokio::spawn(async move {
            let Ok(listed) = registry.list_models(&provider, LIST_PATIENCE).await else {
                return;
            };
            let mut lists = ModelLists::read(&file);
            lists.replace(&provider, &registry.shown_base(&provider), listed);
            registry.set_listed(&lists);
            // It is a copy of what can be asked for again.
            let _ = lists.write(&file);
            let choices = setup.model_choices(&registry);
            let _ = events
                .send(AgentEvent::Session(SessionEvent::ModelsListed(choices)))
                .await;
        });
    }

    /// Forgets a key.
    pub(crate) async fn logout(&mut self, provider: &str) {
        let path = self.agent.setup.paths.credentials_file();
        let notice = match secrets::forget_key(&path, provider) {
            Ok(Some(kept)) if self.take_stored_keys().await => forgotten(provider, kept).await,
            Ok(Some(_)) => return,
            Ok(None) => Notice::warning(format!("no stored key of {provider:?}"))
                .with_hint("/login shows the source of each key"),
            Err(error) => hinted(Notice::error(error.message), error.hint),
        };
        self.agent.events.notice(notice).await;
    }

    /// Uses the stored keys as they are now.
    async fn take_stored_keys(&mut self) -> bool {
        match secrets::read(&self.agent.setup.paths.credentials_file()) {
            Ok(stored) => {
                let registry = &self.agent.model.connection.registry;
                registry.set_stored_keys(stored.keys, stored.keyring);
                let registry = Arc::clone(&self.agent.model.connection.registry);
                let (model, reason) = (
                    self.agent.model.connection.model.model.clone(),
                    self.agent.model.connection.reason.clone(),
                );
                ModelSwitch::of(self.agent)
                    .use_connection(ModelConnection::new(registry, &model, reason));
                true
            }
            Err(error) => {
                let notice = Notice::error(error.message);
                self.agent.events.notice(hinted(notice, error.hint)).await;
                false
            }
        }
    }
}

/// The sentence on an unused key; one in the keyring is deleted.
async fn forgotten(provider: &str, kept: KeyPlace) -> Notice {
    if let (KeyPlace::Keyring, Some(ring)) = (kept, Keyring::of_system())
        && let Err(error) = ring.forget(provider).await
    {
        let text = format!("{error}; the key of {provider} may still be stored");
        return Notice::warning(text).with_hint("it is no longer used; delete it by hand");
    }
    Notice::info(format!("key of {provider} deleted"))
}

fn hinted(notice: Notice, hint: Option<String>) -> Notice {
    match hint {
        Some(hint) => notice.with_hint(hint),
        None => notice,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_one_line_and_never_printed() {
        let key = EnteredKey::new(" sk-secret\n").unwrap();
        assert!(!format!("{key:?}").contains("secret"));
        assert_eq!(key, EnteredKey::new("sk-secret").unwrap());
        for text in ["", "  ", "two words", "clé"] {
            let error = EnteredKey::new(text).unwrap_err();
            assert!(error.message.contains("not a valid key"));
        }
    }
}
