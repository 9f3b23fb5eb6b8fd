//! The setup of each provider, for people. Names of sources only, never a key.

use super::Registry;
use super::endpoints::Endpoint;
use super::key_origin::KeyOrigin;
use crate::provider::http::address::{is_local, shown};
use crate::provider::protocol::Protocol;

/// One provider as it is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndpointReport {
    /// Provider id.
    pub id: String,
    /// The name for people.
    pub name: String,
    /// Its base address, without names and passwords; empty when none is set.
    pub base_url: String,
    /// The repair made to it.
    pub note: Option<String>,
    /// Where its key comes from.
    pub key: Option<KeyOrigin>,
    /// The hint when its key is refused.
    pub key_hint: String,
    /// The missing condition for its use.
    pub missing: Option<String>,
    /// Whether it is on this machine.
    pub is_local: bool,
    /// Whether somebody set an address for it.
    pub is_configured: bool,
    /// Whether it is on this machine and may be asked what it serves without being named.
    pub is_probed: bool,
}

impl Registry {
    /// Every provider on a network, built-in ones first.
    pub fn reports(&self) -> Vec<EndpointReport> {
        let endpoints = self.endpoints.iter();
        endpoints
            .filter(|endpoint| endpoint.protocol != Protocol::Offline)
            .map(|endpoint| self.report(endpoint))
            .collect()
    }

    fn report(&self, endpoint: &Endpoint) -> EndpointReport {
        let address = self.address_of(endpoint);
        let is_configured = self.given_base(endpoint).is_some();
        let has_address = is_configured || !endpoint.base.built_in.is_empty();
        EndpointReport {
            id: endpoint.id.clone(),
            name: endpoint.name.clone(),
            base_url: if has_address {
                shown(&address.base)
            } else {
                String::new()
            },
            note: address.note.filter(|_| has_address),
            key: self.key_origin_of(endpoint),
            key_hint: self.key_hint_of(endpoint),
            missing: self.missing_of(endpoint),
            is_local: is_local(&address.base),
            is_configured,
            is_probed: is_local(&address.base) && self.is_probed(&endpoint.id),
        }
    }

    /// Names of the variables that are set and hold keys.
    pub fn key_variables(&self) -> Vec<String> {
        let names = self
            .endpoints
            .iter()
            .flat_map(|endpoint| &endpoint.key.variables);
        names
            .filter(|name| self.environment.get(name).is_some())
            .cloned()
            .collect()
    }

    /// Where a provider's key comes from.
    pub(in crate::provider) fn key_origin(&self, provider: &str) -> Option<KeyOrigin> {
        self.key_origin_of(self.endpoint(provider)?)
    }
}
