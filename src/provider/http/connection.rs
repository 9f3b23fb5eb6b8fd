//! The facts that every wire format needs of its endpoint: where, with which key, through
//! which client. The formats differ in bodies and decoders only.

use std::sync::Arc;

use serde_json::Value;

use super::call::{HttpCall, KeyHeader, RequestFix};
use super::client::HttpClient;
use crate::provider::catalogue::Catalogue;
use crate::provider::keys::provider_key::ProviderKey;
use crate::provider::protocol::quirks::Quirks;
use crate::transcript::{CompletionRequest, ModelInfo};

/// An endpoint that can be asked.
#[derive(Clone)]
pub(in crate::provider) struct ProviderConnection {
    /// Provider id.
    pub id: String,
    /// Where requests go; see [`Address`](super::address::Address).
    pub url: String,
    /// The key; local servers and proxies need none.
    pub key: ProviderKey,
    /// The hint for a missing or wrong key.
    pub key_hint: String,
    /// The differences of this provider, at this address.
    pub quirks: Quirks,
    /// Further headers, in order.
    pub headers: Vec<(String, String)>,
    /// Shared HTTP client.
    pub client: Arc<HttpClient>,
    /// Windows, prices and abilities.
    pub catalogue: Arc<Catalogue>,
}

impl ProviderConnection {
    /// The facts about the model that will answer.
    pub(crate) fn info_for(&self, request: &CompletionRequest) -> ModelInfo {
        let mut info = self.catalogue.lookup(&request.model);
        info.window_tokens = info.window_tokens.or(request.window_tokens);
        info
    }

    /// One request with this body. `key_header` carries the key; `fix` gives the next try of
    /// a refused body.
    pub(crate) fn call(
        &self,
        key_header: KeyHeader,
        body: Value,
        fix: Option<RequestFix>,
    ) -> HttpCall {
        HttpCall {
            client: self.client.clone(),
            provider: self.id.clone(),
            url: self.url.clone(),
            headers: self.headers.clone(),
            key_header,
            key: self.key.clone(),
            key_hint: self.key_hint.clone(),
            body,
            empty_refusal_is_overflow: self.quirks.empty_refusal_is_overflow,
            fix,
        }
    }
}
