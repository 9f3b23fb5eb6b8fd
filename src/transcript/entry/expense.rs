//! What was paid for and is in no other entry. It changes nothing that is sent.

use crate::transcript::Usage;

/// Requests whose answers are not in the log or were not counted, and what they cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Expense {
    /// What they were for.
    pub purpose: Purpose,
    /// `provider/model` that was asked.
    pub model: String,
    /// Requests that were sent and have no entry of their own.
    pub requests: u64,
    /// What the provider counted, or what is estimated where it did not.
    pub usage: Usage,
    /// Requests whose usage is an estimate, those with an entry of their own included; 0 where
    /// the provider counted.
    pub estimated_requests: u64,
}

/// What a model was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// An answer of which nothing came but its counts, or that ended without them.
    Answer,
    /// A summary that failed, was stopped, or was not used.
    Summary,
}
