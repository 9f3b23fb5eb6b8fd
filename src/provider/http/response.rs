//! Posts a request and tells what came back: an answer, or a refusal and what it means.

use std::borrow::Cow;
use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, LOCATION};
use reqwest::{Response, StatusCode};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::address::shown;
use super::call::{HttpCall, headers};
use super::failure::{host_of, network, watched};
use super::retry_after::retry_after;
use crate::provider::error::{CUT, ProviderError};
use crate::provider::overflow::{Refusal, classify};
use crate::provider::protocol::decode::is_whole;
use crate::provider::protocol::sse::MAX_EVENT_BYTES;

/// Error bodies are read up to here; longer ones are pages for people.
const MAX_ERROR_BODY_BYTES: usize = 64 * 1024;

/// As many things may be wrong with one body for a server of another dialect.
const MAX_FIXES: usize = 3;

/// A response that is no refusal.
pub(super) enum AnswerResponse {
    /// The answer is to come.
    Stream(Response),
    /// This is all of it.
    Whole(String),
}

/// Posts the body and waits for a response that promises an answer.
pub(super) async fn open(
    call: &HttpCall,
    key: Option<&SecretString>,
    cancel: &CancellationToken,
) -> Result<AnswerResponse, ProviderError> {
    let mut body = Cow::Borrowed(&call.body);
    for _ in 0..MAX_FIXES {
        let error = match attempt(call, key, &body, cancel).await {
            Ok(opened) => return Ok(opened),
            Err(error) => error,
        };
        let second = call.fix.as_ref().and_then(|fix| fix(&error, &body));
        match second.filter(|second| *second != *body) {
            Some(second) => body = Cow::Owned(second),
            None => return Err(error),
        }
    }
    attempt(call, key, &body, cancel).await
}

async fn attempt(
    call: &HttpCall,
    key: Option<&SecretString>,
    body: &Value,
    cancel: &CancellationToken,
) -> Result<AnswerResponse, ProviderError> {
    let host = host_of(&call.url);
    let patience = call.client.first_byte(&call.url);
    let sending = call
        .client
        .for_url(&call.url)?
        .post(&call.url)
        .headers(headers(call, key)?)
        .body(body.to_string())
        .send();
    let response = watched(sending, patience, &format!("{host} did not answer"), cancel)
        .await?
        .map_err(|error| network(&host, call.client.proxy_of(&call.url), &error))?;
    let status = response.status();
    // An error object or a whole answer, or the page of a gateway or hotel; some servers name
    // no type at all.
    let is_json = is_of_kind(&response, "application/json");
    if status.is_success() && !is_json && !is_of_kind(&response, "text/html") {
        return Ok(AnswerResponse::Stream(response));
    }
    let head = ResponseHead::of(&response);
    let limit = if status.is_success() && is_json {
        MAX_EVENT_BYTES
    } else {
        MAX_ERROR_BODY_BYTES
    };
    let body = read_body(call, response, limit, cancel).await?;
    if status.is_success() && is_json && is_whole(&body) {
        return Ok(AnswerResponse::Whole(body));
    }
    Err(head.refusal(call, key, &body))
}

fn is_of_kind(response: &Response, kind: &str) -> bool {
    let named = response.headers().get(CONTENT_TYPE);
    named.is_some_and(|value| value.as_bytes().starts_with(kind.as_bytes()))
}

/// The text of a response that is not a stream; empty when it cannot be read.
async fn read_body(
    call: &HttpCall,
    response: Response,
    limit: usize,
    cancel: &CancellationToken,
) -> Result<String, ProviderError> {
    let stall = call.client.stall();
    let reading = read_capped(response, limit);
    match watched(reading, stall, "the error text", cancel).await {
        Err(ProviderError::Cancelled) => Err(ProviderError::Cancelled),
        read => Ok(read.unwrap_or_default()),
    }
}

/// The error that a response means when it is no stream of events.
pub(super) async fn refusal(
    call: &HttpCall,
    key: Option<&SecretString>,
    response: Response,
    cancel: &CancellationToken,
) -> ProviderError {
    let head = ResponseHead::of(&response);
    match read_body(call, response, MAX_ERROR_BODY_BYTES, cancel).await {
        Ok(body) => head.refusal(call, key, &body),
        Err(error) => error,
    }
}

/// The relevant parts of such a response besides its body.
struct ResponseHead {
    status: StatusCode,
    retry_after: Option<Duration>,
    is_page: bool,
    /// Where a redirection leads, without secrets.
    location: Option<String>,
}

impl ResponseHead {
    fn of(response: &Response) -> Self {
        Self {
            status: response.status(),
            retry_after: retry_after(response.headers()),
            is_page: is_of_kind(response, "text/html"),
            location: location(response),
        }
    }

    fn refusal(self, call: &HttpCall, key: Option<&SecretString>, body: &str) -> ProviderError {
        let Self {
            status,
            retry_after,
            is_page,
            location,
        } = self;
        if status.is_redirection() {
            return ProviderError::InvalidRequest {
                message: redirection(&host_of(&call.url), status, location.as_deref()),
            };
        }
        if status.is_success() && is_page {
            return ProviderError::InvalidRequest {
                message: format!(
                    "{} answered with a web page; check the base URL, and whether your network \
                     requires a sign-in",
                    host_of(&call.url)
                ),
            };
        }
        if status.is_success() && !body.contains("\"error\"") {
            return ProviderError::Malformed {
                message: format!("{} did not send an event stream", host_of(&call.url)),
            };
        }
        let refusal = Refusal {
            status: (status != StatusCode::OK).then_some(status.as_u16()),
            body,
            empty_is_overflow: call.empty_refusal_is_overflow,
            retry_after,
        };
        match classify(refusal, key.map(ExposeSecret::expose_secret)) {
            ProviderError::Unauthorized { message } => ProviderError::Unauthorized {
                message: format!("{message}; {}", call.key_hint),
            },
            ProviderError::InvalidRequest { message } if status == StatusCode::NOT_FOUND => {
                ProviderError::InvalidRequest {
                    message: format!(
                        "{message}; nothing found at {}: check the base URL",
                        shown(&call.url)
                    ),
                }
            }
            other => other,
        }
    }
}

/// Where a response sends whoever asked, as an address for people.
fn location(response: &Response) -> Option<String> {
    let named = response.headers().get(LOCATION)?.to_str().ok()?;
    let from = response.url();
    let leads_to = from.join(named).ok()?;
    let is_plain = matches!(leads_to.scheme(), "http" | "https");
    is_plain.then(|| shown(leads_to.as_str()))
}

/// It is not followed: a request that is sent on would lose its body, or take the key to another
/// host.
fn redirection(host: &str, status: StatusCode, location: Option<&str>) -> String {
    let status = status.as_u16();
    match location {
        Some(location) => format!(
            "{host} redirects to {location} (HTTP {status}); redirects are not followed: if that \
             is the API, use it as the base URL"
        ),
        None => {
            format!("{host} redirects (HTTP {status}); check the base URL")
        }
    }
}

async fn read_capped(mut response: Response, limit: usize) -> String {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        let room = limit.saturating_sub(body.len());
        body.extend(chunk.iter().take(room));
        if room <= chunk.len() {
            body.extend(CUT.to_string().bytes());
            break;
        }
    }
    String::from_utf8_lossy(&body).into_owned()
}
