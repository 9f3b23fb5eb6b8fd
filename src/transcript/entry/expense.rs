//! Requests that were paid for and are in no other entry. They change nothing that is sent.

use crate::transcript::Usage;

/// Requests whose answers are not in the log or were not counted, and what they cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Expense {
    /// The purpose of the requests.
    pub purpose: Purpose,
    /// `provider/model` that was asked.
    pub model: String,
    /// Requests that were sent and have no entry of their own.
    pub requests: u64,
    /// The provider's counts, or an estimate where there are none.
    pub usage: Usage,
    /// Requests whose usage is an estimate, those with an entry of their own included; 0 where
    /// the provider counted.
    pub estimated_requests: u64,
}

/// The purpose of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// An answer of which nothing came but its counts, or that ended without them.
    Answer,
    /// A summary that failed, was stopped, or was not used.
    Summary,
    /// A short title of the session.
    Title,
}
