//! The seam between the program and a model's service: one request goes in, one stream of
//! events comes out.

use futures::stream::BoxStream;
use tokio_util::sync::CancellationToken;

use super::error::ProviderError;
use super::event::StreamEvent;
use crate::transcript::CompletionRequest;

/// The stream of one answer. It ends after [`StreamEvent::Stop`] or an error; after a stop
/// may come the error that the window was full.
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
