//! Failures between this machine and a server, in words.

use std::error::Error as _;
use std::future::Future;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::proxy::NamedProxy;
use crate::provider::error::ProviderError;

/// Waits for `work`, at most `patience`, unless cancelled.
pub(super) async fn watched<T>(
    work: impl Future<Output = T>,
    patience: Duration,
    what: &str,
    cancel: &CancellationToken,
) -> Result<T, ProviderError> {
    tokio::select! {
        biased;
        () = cancel.cancelled() => Err(ProviderError::Cancelled),
        outcome = tokio::time::timeout(patience, work) => outcome.map_err(|_| ProviderError::Timeout {
            message: format!("{what} for {} s", patience.as_secs_f64()),
        }),
    }
}

/// Host and port, never credentials or a query.
pub(super) fn host_of(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    host.to_owned()
}

/// An answer whose connection broke while it arrived.
pub(super) fn broken_off(host: &str, error: &reqwest::Error) -> ProviderError {
    ProviderError::Network {
        message: format!(
            "the connection to {host} broke before the answer was complete: {}",
            innermost(error)
        ),
    }
}

/// The cause that is closest to what happened.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    let mut innermost = None;
    while let Some(inner) = cause {
        innermost = Some(inner.to_string());
        cause = inner.source();
    }
    innermost.unwrap_or_else(|| "the connection failed".to_owned())
}

/// A connection error in words, innermost cause last, without the address's secrets.
pub(super) fn network(
    host: &str,
    proxy: Option<&NamedProxy>,
    error: &reqwest::Error,
) -> ProviderError {
    if error.is_builder() {
        return ProviderError::NotSetUp {
            message: format!("{host} is not a valid address; check the base URL"),
        };
    }
    let why = innermost(error);
    let through = proxy.map(NamedProxy::clause).unwrap_or_default();
    if error.is_connect() && error.is_timeout() {
        return ProviderError::Timeout {
            message: format!("{host} did not accept the connection in time{through}"),
        };
    }
    let hint = tls_hint(&why);
    let doing = if error.is_connect() {
        "no connection to"
    } else {
        "the connection broke with"
    };
    let message = format!("{doing} {host}{through}: {why}{hint}");
    if hint.is_empty() {
        ProviderError::Network { message }
    } else {
        ProviderError::NotSetUp { message }
    }
}

/// The hint about a certificate that is not believed, or a server that has none; empty for
/// everything that may pass by itself.
fn tls_hint(why: &str) -> &'static str {
    let why = why.to_ascii_lowercase();
    if why.contains("invalidcontenttype") {
        "; the server does not use TLS: should the address begin with http:// instead of \
         https://?"
    } else if !why.contains("certificate") {
        ""
    } else if why.contains("issuer") || why.contains("unknownca") || why.contains("root") {
        "; if your proxy or server uses its own certificate authority, set tls.ca_file to its \
         PEM file"
    } else {
        "; check the host in the base URL and this machine's clock"
    }
}
