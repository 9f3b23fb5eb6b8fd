//! One HTTP request: where it goes, what it carries, and what of it is secret.

use std::sync::Arc;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

use super::address::secrets_in;
use super::client::HttpClient;
use crate::provider::error::{ProviderError, is_secret};
use crate::provider::keys::provider_key::ProviderKey;

/// The body to send when the server refuses `body` for a reason that can be worked around:
/// gets the refusal and the body, returns the next body; the same one means that it cannot.
pub(in crate::provider) type RequestFix =
    Box<dyn Fn(&ProviderError, &Value) -> Option<Value> + Send + Sync>;

/// One HTTP request of a provider.
pub(in crate::provider) struct HttpCall {
    /// Shared client.
    pub client: Arc<HttpClient>,
    /// Provider id, for errors.
    pub provider: String,
    /// Where to post.
    pub url: String,
    /// All headers but those with the key.
    pub headers: Vec<(String, String)>,
    /// Values of variables in them.
    pub header_secrets: Vec<SecretString>,
    /// The header that carries the key.
    pub key_header: KeyHeader,
    /// The key.
    pub key: ProviderKey,
    /// The hint for a missing or wrong key.
    pub key_hint: String,
    /// A refusal without a body says that the request is longer than the window.
    pub empty_refusal_is_overflow: bool,
    /// The JSON body.
    pub body: Value,
    /// Further tries of a refused body.
    pub fix: Option<RequestFix>,
}

/// The header in which a key travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::provider) struct KeyHeader {
    /// In lower case.
    pub name: &'static str,
    /// The text before the key in it.
    pub prefix: &'static str,
}

impl KeyHeader {
    /// `authorization: Bearer KEY`.
    pub(crate) const BEARER: Self = Self {
        name: "authorization",
        prefix: "Bearer ",
    };
    /// Anthropic's.
    pub(crate) const X_API_KEY: Self = Self {
        name: "x-api-key",
        prefix: "",
    };
    /// Azure's.
    pub(crate) const API_KEY: Self = Self {
        name: "api-key",
        prefix: "",
    };
    /// Google's.
    pub(crate) const X_GOOG_API_KEY: Self = Self {
        name: "x-goog-api-key",
        prefix: "",
    };
}

/// The headers of a call, with its key.
pub(in crate::provider) fn headers(
    call: &HttpCall,
    key: Option<&SecretString>,
) -> Result<HeaderMap, ProviderError> {
    let invalid = |name: &str| ProviderError::InvalidRequest {
        message: format!(
            "the header {name} of provider {} cannot be sent",
            call.provider
        ),
    };
    let mut map = HeaderMap::new();
    map.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(key) = key.filter(|_| !carries_key(call)) {
        let text = format!("{}{}", call.key_header.prefix, key.expose_secret());
        let mut value = HeaderValue::from_str(&text).map_err(|_| ProviderError::Unauthorized {
            message: format!("the key contains invalid characters; {}", call.key_hint),
        })?;
        value.set_sensitive(true);
        map.insert(HeaderName::from_static(call.key_header.name), value);
    }
    for (name, value) in &call.headers {
        let parsed = HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid(name))?;
        let mut value = HeaderValue::from_str(value).map_err(|_| invalid(name))?;
        // Some hold a key.
        value.set_sensitive(true);
        map.insert(parsed, value);
    }
    Ok(map)
}

/// Whether a header of the user's carries the key, in the way of Azure: then no other does.
fn carries_key(call: &HttpCall) -> bool {
    let mut names = call.headers.iter().map(|(name, _)| name);
    call.key_header == KeyHeader::BEARER
        && names.any(|name| name.eq_ignore_ascii_case(KeyHeader::API_KEY.name))
}

/// The key, what the address holds of keys, and the headers of the user's that look like
/// one.
pub(super) fn secrets(call: &HttpCall, key: Option<&SecretString>) -> Vec<SecretString> {
    const TELLING: [&str; 7] = ["key", "token", "auth", "secret", "pass", "cred", "cookie"];
    let headers = call.headers.iter().filter(|(name, _)| {
        let name = name.to_ascii_lowercase();
        TELLING.iter().any(|word| name.contains(word))
    });
    let values = headers.map(|(_, value)| value.rsplit(' ').next().unwrap_or(value));
    values
        .map(str::to_owned)
        .chain(secrets_in(&call.url))
        .map(SecretString::from)
        .chain(call.header_secrets.iter().cloned())
        .chain(key.filter(|key| is_secret(key.expose_secret())).cloned())
        .collect()
}

/// The error without any of them.
pub(super) fn without_secrets(error: ProviderError, secrets: &[SecretString]) -> ProviderError {
    let secrets = secrets.iter().map(ExposeSecret::expose_secret);
    secrets.fold(error, ProviderError::without)
}
