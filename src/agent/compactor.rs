//! What is known between compactions: why the next one waits or is owed, the summary that is
//! prepared, and whether one is being written.

use super::automatic::AutoCompaction;
use super::background::Background;

/// See the module's description.
#[derive(Default)]
pub(super) struct Compactor {
    pub auto: AutoCompaction,
    /// A summary that is prepared for the load line.
    pub background: Option<Background>,
    /// A summary is being written: cancelling the review stops it.
    pub is_summarising: bool,
    /// A summary that was asked for again is being written; whether the user stopped it,
    /// so that the one before it comes back.
    pub retry_stopped: Option<bool>,
}
