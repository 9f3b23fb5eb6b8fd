//! What answers the `recall` tool: the conversation that a call belongs to.

use std::fmt;

use super::outcome::ToolOutcome;

/// What a call asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecallRequest {
    /// The original of an entry.
    Entry {
        /// Its address as the model wrote it.
        id: String,
        /// The first line, from 1.
        offset: usize,
    },
    /// Places in what was said.
    Search {
        /// Names and words.
        query: String,
        /// How many at most.
        hits: usize,
    },
}

/// Answers calls: a conversation as it is when the call runs.
pub trait RecallSource: Send + Sync + fmt::Debug {
    /// The answer for the model.
    fn answer(&self, request: &RecallRequest) -> ToolOutcome;
}
