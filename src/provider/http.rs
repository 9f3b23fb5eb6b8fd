//! HTTP for all providers: one client per kind of address, connection reuse, timeouts,
//! cancellation at any byte, and the pump from bytes to [`StreamEvent`]s.
//!
//! It knows no wire format: a [`Decode`] turns server-sent events into stream events.
//! Invariant: no error carries a key. Plain-HTTP addresses never touch a CA bundle, so
//! local servers work on machines that have none.

pub(super) mod address;
mod client;
mod pump;

pub use client::HttpClient;
pub(super) use pump::{Call, Decode, failed, stream_answer};

use std::time::Duration;

use reqwest::header::HeaderMap;

/// A stream that is silent for this long fails, unless the settings say otherwise.
pub const DEFAULT_STALL: Duration = Duration::from_mins(1);

/// Hosts that do not accept a connection for this long are down.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A local server reads the whole prompt before its first byte, on slow hardware for
/// minutes: it gets this many stall times for it.
const LOCAL_FIRST_BYTE_STALLS: u32 = 10;

/// Error bodies are read up to here; longer ones are pages for people.
const MAX_ERROR_BODY_BYTES: usize = 64 * 1024;

/// The longest wait that a server may ask for; beyond it the header is nonsense.
const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);

/// Reads `retry-after-ms` and `retry-after` (in seconds; dates are left to the
/// caller's own backoff).
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    /// Milliseconds of a second.
    const MILLIS: f64 = 1_000.0;
    let number = |name: &str| -> Option<f64> {
        let value: f64 = headers.get(name)?.to_str().ok()?.trim().parse().ok()?;
        (value.is_finite() && value >= 0.0).then_some(value)
    };
    let seconds = number("retry-after-ms")
        .map(|ms| ms / MILLIS)
        .or_else(|| number("retry-after"))?;
    Some(Duration::try_from_secs_f64(seconds).map_or(MAX_RETRY_AFTER, |d| d.min(MAX_RETRY_AFTER)))
}

#[cfg(test)]
pub(super) mod scripted;
#[cfg(test)]
mod tests;
