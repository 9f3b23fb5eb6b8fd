//! HTTP for all providers: one client per kind of address, connection reuse, timeouts,
//! cancellation at any byte, and the pump from bytes to [`StreamEvent`](crate::provider::StreamEvent)s.
//!
//! It knows no wire format: a [`Decode`] turns server-sent events into stream events.
//! Invariant: no error carries a key. Plain-HTTP addresses never touch a CA bundle, so
//! local servers work on machines that have none.

pub(super) mod address;
mod client;
mod fetch;
mod pump;
mod waits;

pub use client::HttpClient;
pub(super) use pump::{Call, Decode, Mend, failed, headers, stream_answer};

pub use client::has_system_roots;
pub(super) use fetch::fetch;
use waits::retry_after;

use std::time::Duration;

/// A stream that is silent for this long fails, unless the settings say otherwise.
pub const DEFAULT_STALL: Duration = Duration::from_mins(1);

/// Hosts that do not accept a connection for this long are down.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// A local server reads the whole prompt before its first byte, on slow hardware for
/// minutes: it gets this many stall times for it.
const LOCAL_FIRST_BYTE_STALLS: u32 = 10;

/// Error bodies are read up to here; longer ones are pages for people.
const MAX_ERROR_BODY_BYTES: usize = 64 * 1024;

#[cfg(test)]
pub(super) mod scripted;
#[cfg(test)]
mod tests;
