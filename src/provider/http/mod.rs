//! HTTP for all providers: one client per kind of address, connection reuse, timeouts,
//! cancellation at any byte, and the driver from bytes to stream events.
//!
//! It knows no wire format: a [`AnswerDecoder`](super::protocol::decode::AnswerDecoder) turns server-sent
//! events into stream events. Invariant: no error carries a key. Plain-HTTP addresses never
//! touch a CA bundle, so local servers work on machines that have none.

pub(super) mod address;
pub(super) mod call;
pub(super) mod client;
pub(super) mod connection;
mod failure;
pub(super) mod fetch;
pub(super) mod pages;
pub(super) mod proxy;
mod response;
mod retry_after;
pub(super) mod servers;
pub(super) mod stream;

#[cfg(test)]
pub(super) mod scripted;
#[cfg(test)]
mod tests;
