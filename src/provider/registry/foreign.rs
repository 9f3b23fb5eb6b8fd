//! Addresses that somebody set: whose models are behind them, and how that is found out.

use std::sync::PoisonError;

use super::Registry;
use super::endpoints::{Endpoint, is_home};
use crate::provider::choose::server_kind::ServerKind;
use crate::provider::http::address::shown;
use crate::provider::protocol::Protocol;
use crate::transcript::{ModelRef, WindowSource};

impl Registry {
    /// Tells the catalogue whose requests go to somebody else: what it knows of their models
    /// was found out at another address.
    pub(super) fn note_foreign(&self) {
        let all = self.endpoints.iter();
        let foreign = all.filter(|endpoint| self.is_foreign(endpoint));
        let ids = foreign.map(|endpoint| endpoint.id.clone());
        self.catalogue.set_foreign(ids.collect());
    }

    /// Whether the address that was set for a provider of the table is at another host, where
    /// other models may be behind it. Servers that people run have no models of their own.
    fn is_foreign(&self, endpoint: &Endpoint) -> bool {
        let home = &endpoint.base.built_in;
        let has_own_models = !home.is_empty() && endpoint.server == ServerKind::Other;
        has_own_models
            && !endpoint.base.is_gateway
            && self.given_base(endpoint).is_some()
            && !is_home(&self.address_of(endpoint).base, home)
    }

    /// Whether other models than those of the catalogue may answer for a provider.
    pub(in crate::provider) fn serves_others(&self, provider: &str) -> bool {
        let endpoint = self.endpoint(provider);
        endpoint.is_some_and(|endpoint| self.is_foreign(endpoint))
    }

    /// The address at which a provider is asked what it serves, with `/v1`: one of this
    /// machine, or one that was set and of which nobody else knows it.
    pub(in crate::provider) fn asked_base(&self, provider: &str) -> Option<String> {
        let endpoint = self.endpoint(provider)?;
        if self.setup_problem(endpoint).is_some() {
            return None;
        }
        if let Some(local) = self.local_base(provider) {
            return Some(local);
        }
        let is_own = endpoint.base.built_in.is_empty() && self.given_base(endpoint).is_some();
        if !is_own && !self.is_foreign(endpoint) {
            return None;
        }
        let base = self.address_of(endpoint).base;
        match self.spoken(endpoint) {
            Protocol::OpenAi | Protocol::Responses => Some(base),
            Protocol::Anthropic => Some(format!("{base}/v1")),
            Protocol::Gemini | Protocol::Offline => None,
        }
    }

    /// Whether a server is asked for the window of a model: one on this machine may run it with
    /// another today, and of others nobody has said it.
    pub(in crate::provider) fn is_window_asked(&self, model: &ModelRef) -> bool {
        let is_open = || self.catalogue.lookup(model).window_source == WindowSource::Assumed;
        self.local_base(&model.provider).is_some() || is_open()
    }

    /// A server was asked for the window of a model.
    pub(in crate::provider) fn note_window_asked(&self, model: &ModelRef) {
        let mut asked = self
            .windows_asked
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        asked.insert(model.to_string());
    }

    /// Whether it need not be asked again: a server on this machine may run the model with
    /// another window, or load it only now.
    pub(super) fn was_window_asked(&self, model: &ModelRef) -> bool {
        let asked = self
            .windows_asked
            .read()
            .unwrap_or_else(PoisonError::into_inner);
        self.local_base(&model.provider).is_none() && asked.contains(&model.to_string())
    }

    /// The providers whose address somebody set and from which nothing is missing.
    pub(in crate::provider) fn named_addresses(&self) -> Vec<&str> {
        let all = self.endpoints.iter();
        let named = all.filter(|endpoint| {
            self.given_base(endpoint).is_some() && self.missing_of(endpoint).is_none()
        });
        named.map(|endpoint| endpoint.id.as_str()).collect()
    }

    /// What set the address of a provider.
    pub(in crate::provider) fn address_origin(&self, provider: &str) -> String {
        let endpoint = self.endpoint(provider);
        endpoint.map_or_else(String::new, |endpoint| self.base_origin(endpoint))
    }

    /// The base address of a provider, for people.
    pub fn shown_base(&self, provider: &str) -> String {
        let endpoint = self.endpoint(provider);
        endpoint.map_or_else(String::new, |endpoint| {
            shown(&self.address_of(endpoint).base)
        })
    }
}
