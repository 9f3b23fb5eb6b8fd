//! The facts that every wire format needs of its endpoint: where, with which key, through
//! which client. The formats differ in bodies and decoders only.

use std::sync::Arc;

use secrecy::SecretString;
use serde_json::Value;

use super::call::{HttpCall, KeyHeader, RequestFix};
use super::client::HttpClient;
use crate::provider::catalogue::Catalogue;
use crate::provider::keys::provider_key::ProviderKey;
use crate::provider::protocol::Protocol;
use crate::provider::protocol::quirks::Quirks;
use crate::provider::protocol::request_fields::RequestFields;
use crate::transcript::{CompletionRequest, ModelInfo, ModelRef, ReasoningFacts};

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
    /// Values of variables in them, which are not shown.
    pub header_secrets: Vec<SecretString>,
    /// Further fields of the bodies.
    pub fields: RequestFields,
    /// Shared HTTP client.
    pub client: Arc<HttpClient>,
    /// Windows, prices and abilities.
    pub catalogue: Arc<Catalogue>,
}

impl ProviderConnection {
    /// What a model lets be said about its reasoning.
    pub(crate) fn reasoning(&self, model: &ModelRef) -> Arc<ReasoningFacts> {
        self.catalogue.lookup(model).reasoning
    }

    /// The facts about the model that will answer.
    pub(crate) fn info_for(&self, request: &CompletionRequest) -> ModelInfo {
        let mut info = self.catalogue.lookup(&request.model);
        info.window_tokens = info.window_tokens.or(request.window_tokens);
        info
    }

    /// A body with what the user adds to those of this model.
    pub(crate) fn with_fields(
        &self,
        protocol: Protocol,
        model: &ModelRef,
        mut body: Value,
    ) -> Value {
        let described = self.catalogue.described(model);
        let own = described.map(|described| described.fields.clone());
        let fields = own.unwrap_or_default().after(&self.fields);
        fields.lay_over(protocol, &mut body);
        body
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
            header_secrets: self.header_secrets.clone(),
            key_header: self.key_header(key_header),
            key: self.key.clone(),
            key_hint: self.key_hint.clone(),
            body,
            empty_refusal_is_overflow: self.quirks.empty_refusal_is_overflow,
            fix,
        }
    }

    /// The header for the key: some hosts have one of their own in the place of the usual one.
    fn key_header(&self, usual: KeyHeader) -> KeyHeader {
        let own = self.quirks.key_header;
        own.filter(|_| usual == KeyHeader::BEARER).unwrap_or(usual)
    }
}
