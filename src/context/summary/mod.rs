//! Summaries of the earlier conversation: planning, prompting, checking, mending.
//!
//! Everything here is sans-IO: [`Summariser`] yields requests and is fed answers; the
//! caller owns the network, the clock and the right to give up. Input is the log's
//! originals, not the pruned view.

pub mod breaker;
pub mod chunk;
pub mod document;
mod estimate;
pub mod excerpt;
pub(in crate::context) mod heading_words;
mod job;
mod machine;
mod notes;
mod plan;
pub mod prompt;
pub mod serialize;
pub(crate) mod source;
pub mod template;
mod tighter;
pub mod untrusted;

use std::sync::Arc;

use super::ruler::Ruler;
use crate::transcript::{Entry, EntryId, Message};

pub use job::{
    FailureMode, KeptContext, Reply, SummaryBackground, SummaryCall, SummaryFailure, SummaryJob,
    SummaryModel, SummaryResult, SummaryRetries, SummaryStep, SummaryTaker, TokenCount,
    WrittenText,
};
pub use machine::{EditedSummary, Summariser, edited, extract, reaudit, without_unsaid};
pub use notes::{note_request, notes_of};
pub use tighter::extract_within;

/// Longest stored summary body, in Unicode scalar values: summaries that nest their
/// predecessor snowball.
pub const MAX_BODY_CHARS: usize = 16_000;
/// A summary is told of at most so many possible rules: the newest.
pub(crate) const MAX_POSSIBLE_RULES: usize = 16;

/// A message in the log, on its way into a summary.
#[derive(Clone, Debug)]
pub struct SourceMessage {
    /// Its entry.
    pub entry: EntryId,
    /// The message.
    pub message: Arc<Message>,
    /// Estimated tokens of the whole message.
    pub tokens: u64,
}

impl SourceMessage {
    /// The message of an entry, counted by a ruler; `None` for an entry that is none.
    pub fn of(entry: &Entry, ruler: &dyn Ruler) -> Option<Self> {
        let message = entry.message()?;
        Some(Self {
            entry: entry.id.clone(),
            message: Arc::clone(message),
            tokens: ruler.message_tokens(message),
        })
    }
}
