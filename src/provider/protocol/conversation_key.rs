//! How a server is told to which conversation a request belongs, so that it is answered on
//! the machine that has its beginning in the cache. Pure.
//!
//! Only servers that read it are told: an unknown field has the request refused, and a header
//! is one more thing that says who is asking.

use crate::provider::http::connection::ProviderConnection;
use crate::transcript::CompletionRequest;

/// The field of OpenAI, in both of its interfaces.
pub(in crate::provider) const FIELD: &str = "prompt_cache_key";

/// The headers of a request: those of the endpoint, and the key where one is read. What the
/// user set stays as it is.
pub(in crate::provider) fn headers(
    connection: &ProviderConnection,
    request: &CompletionRequest,
) -> Vec<(String, String)> {
    let mut headers = connection.headers.clone();
    if let (Some(name), Some(key)) = (connection.quirks.conversation_header, &request.cache_key)
        && !headers
            .iter()
            .any(|(own, _)| own.eq_ignore_ascii_case(name))
    {
        headers.push((name.to_owned(), key.to_string()));
    }
    headers
}
