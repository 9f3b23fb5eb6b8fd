//! Which services keep a conversation on the machine that has its beginning in the cache,
//! and how they want to be told which conversation a request belongs to. Pure.
//!
//! Nobody else is told: an unknown field has the request refused, and a header is one more
//! thing that says who is asking.

use serde_json::{Value, json};

use super::connection::Connection;
use crate::transcript::CompletionRequest;

/// The field of OpenAI, in both of its interfaces.
pub(super) const FIELD: &str = "prompt_cache_key";

/// OpenAI's own host; other servers of chat completions need not know the field.
const OPENAI: &str = "api.openai.com";

/// A service that reads a header: its id here, its host, the header.
const HEADERS: [(&str, &str, &str); 3] = [
    ("xai", "api.x.ai", "x-grok-conv-id"),
    ("openrouter", "openrouter.ai", "x-session-id"),
    ("fireworks", "api.fireworks.ai", "x-session-affinity"),
];

/// Whether chat completions at this address know [`FIELD`].
pub(super) fn knows_field(url: &str) -> bool {
    host(url) == OPENAI
}

/// Puts the key into a body that may have it.
pub(super) fn insert(request: &CompletionRequest, body: &mut Value) {
    if let (Some(key), Some(body)) = (&request.cache_key, body.as_object_mut()) {
        body.insert(FIELD.to_owned(), json!(&**key));
    }
}

/// Takes it out again; whether it was there.
pub(super) fn remove(body: &mut Value) -> bool {
    body.as_object_mut()
        .is_some_and(|body| body.shift_remove(FIELD).is_some())
}

/// The headers of a request: those of the endpoint, and the key where one is read. What the
/// user set stays as it is.
pub(super) fn headers(
    connection: &Connection,
    request: &CompletionRequest,
) -> Vec<(String, String)> {
    let mut headers = connection.headers.clone();
    let host = host(&connection.url);
    let read = HEADERS
        .iter()
        .find(|(id, home, _)| connection.id == *id || host == *home);
    if let (Some((_, _, name)), Some(key)) = (read, &request.cache_key)
        && !headers
            .iter()
            .any(|(own, _)| own.eq_ignore_ascii_case(name))
    {
        headers.push(((*name).to_owned(), key.to_string()));
    }
    headers
}

/// The host of an address, without its port; empty when there is none.
fn host(url: &str) -> &str {
    let behind = url.split_once("://").map_or("", |(_, behind)| behind);
    let authority = behind.split(['/', '?']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    host.split(':').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_told_from_what_looks_like_it() {
        for (url, is_openai) in [
            ("https://api.openai.com/v1/chat/completions", true),
            ("https://user:secret@api.openai.com:443/v1", true),
            ("https://api.openai.com.example.org/v1", false),
            ("https://proxy.example.org/api.openai.com/v1", false),
            ("api.openai.com", false),
        ] {
            assert_eq!(knows_field(url), is_openai, "{url}");
        }
    }
}
