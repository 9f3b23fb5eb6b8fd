//! What every wire format needs of its endpoint: where, with which key, through which
//! client. The formats differ in bodies and decoders only.

use std::sync::Arc;

use serde_json::Value;

use super::Catalogue;
use super::http::{Call, HttpClient, Mend};
use super::key::Key;
use crate::transcript::{CompletionRequest, ModelInfo};

/// An endpoint that can be asked.
#[derive(Clone)]
pub(super) struct Connection {
    /// Provider id.
    pub id: String,
    /// Where requests go; see [`Address`](super::Address).
    pub url: String,
    /// The key; local servers and proxies need none.
    pub key: Key,
    /// What to do about a missing or wrong key.
    pub key_hint: String,
    /// Further headers, in order.
    pub headers: Vec<(String, String)>,
    /// Shared HTTP client.
    pub client: Arc<HttpClient>,
    /// Windows, prices and abilities.
    pub catalogue: Arc<Catalogue>,
}

impl Connection {
    /// What is known of the model that shall answer.
    pub fn info_for(&self, request: &CompletionRequest) -> ModelInfo {
        let mut info = self.catalogue.lookup(&request.model);
        info.window_tokens = info.window_tokens.or(request.window_tokens);
        info
    }

    /// One request with this body. `key_header` carries the key, after what precedes it
    /// there; `mend` gives the second try of a refused body.
    pub fn call(
        &self,
        key_header: (&'static str, &'static str),
        body: Value,
        mend: Option<Mend>,
    ) -> Call {
        Call {
            client: self.client.clone(),
            provider: self.id.clone(),
            url: self.url.clone(),
            headers: self.headers.clone(),
            key_header,
            key: self.key.clone(),
            key_hint: self.key_hint.clone(),
            body,
            mend,
        }
    }
}
