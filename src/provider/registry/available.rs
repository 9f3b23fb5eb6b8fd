//! Which models could be used: one list for everybody who shows one.

use std::sync::PoisonError;
use std::time::Duration;

use futures::future::join_all;

use super::Registry;
use crate::provider::http::address::shown;
use crate::provider::{ServerKind, choose};
use crate::transcript::{ModelInfo, ModelRef};

/// Servers on this machine have this long to list what they serve.
const SURVEY_TIME: Duration = Duration::from_millis(600);

/// A model that could be used, and what is in the way of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Available {
    /// What is known about it.
    pub info: ModelInfo,
    /// Whether it can be used now.
    pub readiness: Readiness,
}

/// Whether a model can be used now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// Nothing is missing. Whether a server far away answers, its first request shows.
    Ready,
    /// A key or an address is missing: what to do.
    Unset(String),
    /// The server on this machine that would run it does not answer: where it was asked.
    Silent(String),
}

impl Readiness {
    /// In one or two words.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Unset(_) => "not set up",
            Self::Silent(_) => "no answer",
        }
    }

    /// What is missing; `None` when nothing is.
    pub fn missing(&self) -> Option<&str> {
        match self {
            Self::Ready => None,
            Self::Unset(what) | Self::Silent(what) => Some(what),
        }
    }
}

impl Registry {
    /// How the server of a model is made to run it with a window of this many tokens.
    pub fn larger_window(&self, model: &ModelRef, tokens: u64) -> String {
        ServerKind::promised_by(&model.provider).larger_window(&model.model, tokens)
    }

    /// Asks all servers on this machine at once which models they have; what they say is
    /// in [`Registry::available`] from here on. What else wants a key is a gateway to somewhere
    /// else, and its list is fetched when the user wants it.
    pub async fn survey(&self) {
        let is_server = |id: &&str| {
            let is_named = ServerKind::promised_by(id) != ServerKind::Other;
            self.local_base(id).is_some() && (is_named || self.key_origin(id).is_none())
        };
        let local = self.ids().filter(is_server);
        let asked = local.map(|id| async move {
            let said = choose::served_all(self, id, SURVEY_TIME).await;
            (id.to_owned(), said)
        });
        // In the order of the providers, whoever answered first.
        let answers = join_all(asked).await.into_iter().map(|(id, said)| {
            let answers = said.is_some();
            for served in said.into_iter().flatten() {
                choose::remember(self, &id, served);
            }
            (id, answers)
        });
        let answers: Vec<(String, bool)> = answers.collect();
        let mut known = self
            .answering
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        known.extend(answers);
    }

    /// All models of known endpoints, as far as they are known.
    pub fn available(&self) -> Vec<Available> {
        let known = self
            .answering
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        // What a server here listed once is all that is known of it while it is silent.
        let is_silent = |provider: &str| known.get(provider) == Some(&false);
        let all = self.catalogue.all_and_of(is_silent).into_iter();
        all.filter_map(|info| {
            let endpoint = self.endpoint(&info.model.provider)?;
            let readiness = match self.missing_of(endpoint) {
                Some(what) => Readiness::Unset(what),
                None if is_silent(&info.model.provider) => {
                    let base = shown(&self.address_of(endpoint).base);
                    Readiness::Silent(format!("{} does not answer at {base}", endpoint.name))
                }
                None => Readiness::Ready,
            };
            Some(Available {
                readiness,
                info: self.limited(info),
            })
        })
        .collect()
    }
}
