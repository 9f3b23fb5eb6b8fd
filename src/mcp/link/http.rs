//! A server that is reached by HTTP: what is sent with each request, and what a failure means.
//!
//! Headers of the configuration go to the host of the address and to no other. Reasons are
//! those of the innermost error, without addresses: a query may hold a key.

use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::time::Duration;

use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use rmcp::service::ClientInitializeError;
use rmcp::transport::AuthError;
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, InsufficientScopeError, StreamableHttpClientTransportConfig,
    StreamableHttpError,
};
use url::Url;

use super::process::ProgramPlace;
use super::reasons::{innermost, reason, with_cause};
use crate::provider::{RefusedRedirect, ServerClients, ServerRedirects, shown_url};

/// The least that an answer may be silent before its connection is given up.
const MIN_SILENCE: Duration = Duration::from_mins(5);
/// Bytes of one message of a server.
const MAX_MESSAGE_BYTES: usize = 16 * 1024 * 1024;
/// Bytes of an error page that are read.
const MAX_PAGE_BYTES: usize = 4 * 1024;
/// Characters of an error page that are shown.
const MAX_PAGE_CHARS: usize = 120;

/// Permissions of one refusal, and characters of one.
const MAX_SCOPES: usize = 20;
const MAX_SCOPE_CHARS: usize = 200;
/// What a challenge says when a login does not go far enough.
const LACKS_SCOPE: &str = "insufficient_scope";

/// A server as it is asked.
pub(in crate::mcp) struct HttpTarget {
    pub url: Url,
    pub headers: HashMap<HeaderName, HeaderValue>,
}

/// What is to be done about a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::mcp) enum HttpFate {
    /// The server wants a login.
    NeedsLogin,
    /// The login lacks these permissions.
    NeedsScopes(Vec<String>),
    /// Nobody answers there.
    Unreachable,
    /// The session is over; a new one may do.
    SessionLost,
    /// This one request failed.
    Failed,
}

/// A failure with its reason, as a clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::mcp) struct HttpFailure {
    pub fate: HttpFate,
    pub why: String,
}

impl HttpTarget {
    /// Address and headers with their variables.
    pub(in crate::mcp) fn new(
        url: &str,
        headers: &BTreeMap<String, String>,
        place: &ProgramPlace,
    ) -> Result<Self, String> {
        let filled = place.filled(url)?;
        let url = Url::parse(filled.trim())
            .map_err(|error| format!("{} is not a valid address: {error}", shown_url(&filled)))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(format!("{} is not an address of HTTP", shown_url(&filled)));
        }
        let headers = headers.iter().map(|(name, value)| {
            let value = place.filled(value)?;
            let name = name.parse::<HeaderName>();
            let name = name.map_err(|_| "a header has a name that is not valid".to_owned())?;
            let mut value = HeaderValue::from_str(value.trim())
                .map_err(|_| format!("the header {name} has a value that cannot be sent"))?;
            value.set_sensitive(true);
            Ok((name, value))
        });
        Ok(Self {
            headers: headers.collect::<Result<_, String>>()?,
            url,
        })
    }

    /// Whether its headers say who asks.
    pub(super) fn has_authorization(&self) -> bool {
        self.headers.contains_key(&AUTHORIZATION)
    }

    /// The client that it is asked with.
    pub(super) fn client(
        &self,
        clients: &ServerClients,
        deadline: Duration,
    ) -> Result<reqwest::Client, String> {
        let silence = deadline.max(MIN_SILENCE);
        clients.client(self.url.as_str(), silence, ServerRedirects::SameHost)
    }

    pub(super) fn config(self) -> StreamableHttpClientTransportConfig {
        StreamableHttpClientTransportConfig::with_uri(self.url.as_str())
            .custom_headers(self.headers)
            .max_sse_event_size(MAX_MESSAGE_BYTES)
            .max_json_response_size(MAX_MESSAGE_BYTES)
            .max_error_response_size(MAX_PAGE_BYTES)
    }
}

/// What a failed greeting means.
pub(super) fn greeting_failure(error: &ClientInitializeError) -> HttpFailure {
    if let ClientInitializeError::LegacyFallbackFailed { discover, fallback } = error {
        let older = greeting_failure(fallback);
        // The first greeting says more when the second one found the connection closed.
        return if matches!(**fallback, ClientInitializeError::ConnectionClosed(_)) {
            greeting_failure(discover)
        } else {
            older
        };
    }
    match error {
        // The SDK does not name it as the cause.
        ClientInitializeError::TransportError { error, .. } => failure(&*error.error),
        _ => failure(error),
    }
}

/// What an error of the transport means.
pub(in crate::mcp) fn failure(error: &(dyn Error + 'static)) -> HttpFailure {
    let mut cause = Some(error);
    while let Some(current) = cause {
        // The SDK does not name it as the cause.
        let transport = current.downcast_ref::<StreamableHttpError<reqwest::Error>>();
        if let Some(StreamableHttpError::Client(error)) = transport {
            return failure(error);
        }
        let found = known(current);
        if let Some((fate, why)) = found {
            let why = reason(&why);
            return HttpFailure { fate, why };
        }
        cause = current.source();
    }
    HttpFailure {
        fate: HttpFate::Failed,
        why: reason(&innermost(error)),
    }
}

fn known(error: &(dyn Error + 'static)) -> Option<(HttpFate, String)> {
    if error.is::<AuthRequiredError>() {
        return Some((HttpFate::NeedsLogin, NEEDS_LOGIN.to_owned()));
    }
    if let Some(refused) = error.downcast_ref::<InsufficientScopeError>() {
        return Some(forbidden(refused));
    }
    if let Some(refused) = error.downcast_ref::<RefusedRedirect>() {
        return Some((HttpFate::Failed, refused.to_string()));
    }
    if let Some(error) = error.downcast_ref::<reqwest::Error>() {
        return request_failure(error);
    }
    let error = error.downcast_ref::<StreamableHttpError<reqwest::Error>>()?;
    transport_failure(error)
}

const NEEDS_LOGIN: &str = "it needs a login";

/// A refusal with a challenge: permissions that are missing, or another reason.
fn forbidden(refused: &InsufficientScopeError) -> (HttpFate, String) {
    if !refused.www_authenticate_header.contains(LACKS_SCOPE) {
        let why = "it refuses these credentials (HTTP 403)".to_owned();
        return (HttpFate::Failed, why);
    }
    let scopes = refused.get_required_scope().unwrap_or_default();
    let is_scope = |scope: &&str| {
        scope.len() <= MAX_SCOPE_CHARS && scope.chars().all(|c| c.is_ascii_graphic())
    };
    let scopes = scopes.split_whitespace().filter(is_scope).take(MAX_SCOPES);
    let scopes: Vec<String> = scopes.map(str::to_owned).collect();
    let why = if scopes.is_empty() {
        "the login does not go far enough".to_owned()
    } else {
        format!("the login lacks the permission {}", scopes.join(", "))
    };
    (HttpFate::NeedsScopes(scopes), why)
}

fn request_failure(error: &reqwest::Error) -> Option<(HttpFate, String)> {
    if error.is_connect() {
        let host = error.url().and_then(Url::host_str).unwrap_or("the host");
        let why = format!("no connection to {host}: {}", innermost(error));
        return Some((HttpFate::Unreachable, why));
    }
    if error.is_timeout() {
        return Some((HttpFate::Failed, "it was silent for too long".to_owned()));
    }
    if let Some(status) = error.status() {
        return Some((HttpFate::Failed, format!("it answered HTTP {status}")));
    }
    // A refused redirect is the cause of one of these.
    None
}

fn transport_failure(error: &StreamableHttpError<reqwest::Error>) -> Option<(HttpFate, String)> {
    let failed = |why: String| Some((HttpFate::Failed, why));
    let lost = |why: &str| Some((HttpFate::SessionLost, why.to_owned()));
    match error {
        StreamableHttpError::HttpStatus(status) => {
            failed(format!("it answered HTTP {}", status.status))
        }
        StreamableHttpError::UnexpectedContentType(kind) => failed(format!(
            "it is no MCP server: it answered with {}",
            kind.as_deref().unwrap_or("something without a type")
        )),
        StreamableHttpError::ResponseBodyTooLarge { max_size } => {
            let mib = max_size / (1024 * 1024);
            failed(format!("it answered with more than {mib} MiB"))
        }
        StreamableHttpError::ReservedHeaderConflict(name) => failed(format!(
            "the header {name} of its configuration belongs to the protocol"
        )),
        StreamableHttpError::SessionExpired
        | StreamableHttpError::SessionRecoveryTimeout
        | StreamableHttpError::ReinitializationFailed(_) => lost("it forgot the session"),
        StreamableHttpError::UnexpectedEndOfStream => {
            failed("it closed the connection in mid-answer".to_owned())
        }
        StreamableHttpError::UnexpectedServerResponse(text) => Some(unexpected(text)),
        StreamableHttpError::Auth(AuthError::AuthorizationRequired) => {
            Some((HttpFate::NeedsLogin, NEEDS_LOGIN.to_owned()))
        }
        StreamableHttpError::Auth(error) => failed(format!(
            "its login could not be renewed: {}",
            with_cause(error)
        )),
        _ => None,
    }
}

/// An answer with a status that says no: `HTTP 404 Not Found: BODY`.
fn unexpected(text: &str) -> (HttpFate, String) {
    let Some(rest) = text.strip_prefix("HTTP ") else {
        return (
            HttpFate::Failed,
            format!("it is no MCP server, or speaks another version: {text}"),
        );
    };
    let (status, body) = rest.split_once(": ").unwrap_or((rest, ""));
    let code = status.split(' ').next().unwrap_or_default();
    let body = body.trim();
    let said = if body.is_empty() || body.starts_with('<') {
        String::new()
    } else {
        let said: String = body.chars().take(MAX_PAGE_CHARS).collect();
        format!(": {said}")
    };
    match code {
        "401" => (HttpFate::NeedsLogin, NEEDS_LOGIN.to_owned()),
        "403" => (
            HttpFate::Failed,
            format!("it refuses these credentials (HTTP {status}){said}"),
        ),
        // What some servers say of a session that they do not know.
        "400" => (
            HttpFate::SessionLost,
            format!("it answered HTTP {status}{said}"),
        ),
        "404" => (
            HttpFate::SessionLost,
            format!("there is no MCP server at this address (HTTP {status})"),
        ),
        _ => (HttpFate::Failed, format!("it answered HTTP {status}{said}")),
    }
}
