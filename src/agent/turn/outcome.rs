//! How a request ended.

use std::time::Duration;

use crate::agent::mailbox::TurnStop;
use crate::provider::ProviderError;
use crate::transcript::AssistantMessage;

/// The outcome of a request. The arrived part of an unfinished answer is written, too.
pub(in crate::agent) enum CallOutcome {
    /// The model answered; the entry is written.
    Answered(Box<AssistantMessage>),
    /// It did not, and trying again would not help.
    Failed(ProviderError, Option<Box<AssistantMessage>>),
    /// The user did not want to wait.
    Stopped(TurnStop, Option<Box<AssistantMessage>>),
    /// It was not sent, or not again: meanwhile the user chose another model or changed what
    /// is sent, and the next request has to be made again.
    Outdated,
}

/// A longer wait is announced again this often; and when another model can replace it, it is
/// not waited for at all.
pub(in crate::agent) const RETRY_WINDOW: Duration = Duration::from_mins(1);
