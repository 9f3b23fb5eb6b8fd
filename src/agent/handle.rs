//! A running agent, as whoever started it holds it.

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::agent::protocol::{AgentEvent, Op};

/// A running agent.
pub struct AgentHandle {
    /// Takes requests.
    pub ops: mpsc::Sender<Op>,
    /// Events in order; the channel closes after
    /// [`SessionOp::Shutdown`](crate::agent::SessionOp::Shutdown).
    pub events: mpsc::Receiver<AgentEvent>,
    /// Resolves when the session is open, or says why it cannot be.
    pub ready: oneshot::Receiver<Result<(), StartError>>,
    /// The task.
    pub task: JoinHandle<()>,
}

/// Why an agent did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The session cannot be opened.
    #[error(transparent)]
    Session(#[from] crate::session::SessionError),
    /// The model cannot be chosen.
    #[error("{0}")]
    Model(crate::provider::ProviderError),
    /// A setting that only shows itself in use.
    #[error("{0}")]
    Settings(String),
}
