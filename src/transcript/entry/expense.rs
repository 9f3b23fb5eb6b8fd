//! What was paid for and is in no other entry. It changes nothing that is sent.

use crate::transcript::Usage;

/// Requests whose answers are not in the log, and what they cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Expense {
    /// What they were for.
    pub purpose: Purpose,
    /// `provider/model` that was asked.
    pub model: String,
    /// Requests that were sent.
    pub requests: u64,
    /// What the provider counted.
    pub usage: Usage,
}

/// What a model was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// An answer of which nothing came but its counts.
    Answer,
    /// A summary that failed, was stopped, or was set aside.
    Summary,
}
