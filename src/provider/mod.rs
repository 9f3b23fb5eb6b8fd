//! Providers: the only place that speaks HTTP to a model.
//!
//! Wire types are private to each provider's file; the rest of the program sees
//! [`CompletionRequest`], [`StreamEvent`] and
//! [`ProviderError`].
//!
//! [`choose()`] picks a model, [`Registry`] finds its endpoint and key, a [`Provider`]
//! encodes and streams; `http` moves bytes, `sse` and the decoders are state machines
//! without I/O, `overflow` says what a refusal means. No error carries a key.

mod affinity;
mod anthropic;
mod attachment;
mod catalogue;
mod choose;
mod connection;
mod cost;
mod described;
mod error;
mod event;
mod gemini;
mod http;
mod key;
mod keyring;
mod limits;
mod listing;
mod offline;
mod openai;
mod overflow;
mod reader;
mod registry;
mod responses;
mod settings;
mod sse;
#[cfg(test)]
mod testing;
mod wire_ids;

pub use catalogue::Catalogue;
pub use choose::{Choice, ModelWish, Served, ServerKind, WANTED_WINDOW_TOKENS, choose};
pub use cost::priced;
pub use described::DescribedModel;
pub use error::ProviderError;
pub use event::StreamEvent;
pub use http::address::{Address, shown as shown_url};
pub use http::{DEFAULT_STALL, HttpClient, has_system_roots};
pub use keyring::{Keyring, KeyringError};
pub use limits::{NamedLimit, forget_limits, keep_limit, read_limits};
pub use listing::{ListedModel, read_listed, with_list, write_listed};
pub use offline::{COMMANDS, Command, Offline};
pub use reader::AnswerReader;
pub use registry::{Available, EndpointReport, Environment, KeyOrigin, Readiness, Registry};
pub use settings::{Api, Protocol, ProviderSettings, Roots, Timeouts, Trust};
pub(crate) use wire_ids::wire_name;

use futures::stream::BoxStream;
use tokio_util::sync::CancellationToken;

use crate::transcript::CompletionRequest;

/// What asks a model to go on with an answer, where that may not stand last.
const GO_ON: &str = "Go on.";

/// The stream of one answer. It ends after [`StreamEvent::Stop`] or an error; behind a stop may
/// come the error that the window was full.
pub type AnswerStream = BoxStream<'static, Result<StreamEvent, ProviderError>>;

/// A service that answers requests.
pub trait Provider: Send + Sync {
    /// Id as in `provider/model`.
    fn id(&self) -> &str;

    /// The exact body that [`Provider::stream`] would send: same request, same bytes.
    fn wire_body(&self, request: &CompletionRequest) -> serde_json::Value;

    /// Sends the request and streams the answer. Connection errors and refusals are
    /// the stream's first item. Cancelling `cancel` ends the stream with
    /// [`ProviderError::Cancelled`] and closes the connection. One attempt: retries
    /// are the caller's decision.
    fn stream(&self, request: CompletionRequest, cancel: CancellationToken) -> AnswerStream;
}
