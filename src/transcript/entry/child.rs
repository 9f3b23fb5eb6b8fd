//! The link from a session to the session of a sub-agent.

use crate::transcript::Usage;

/// A sub-agent was started, or has ended. Of several links with a number the newest counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChildLink {
    /// Its number in this session, from 1.
    pub number: u64,
    /// The kind of agent.
    pub agent: String,
    /// What it was to do, a few words.
    pub task: String,
    /// The call that started it.
    pub call: String,
    /// The id of its session.
    pub session: String,
    /// Its file, below the folder of this session's outputs; empty when it is in memory.
    pub file: String,
    /// The model that answered at its start, as `provider/model`.
    pub model: String,
    /// Whether its caller worked on meanwhile.
    pub is_background: bool,
    /// How it ended; `None` at its start.
    pub end: Option<ChildEnd>,
}

/// How a sub-agent ended, and what it cost.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChildEnd {
    /// The name of its state: `done`, `failed`, `stopped`, `interrupted`.
    pub state: String,
    /// Requests that were sent, those of its own sub-agents included.
    pub requests: u64,
    /// Requests whose price nobody knows.
    pub unpriced: u64,
    /// Requests whose usage is estimated.
    pub estimated: u64,
    /// What they used.
    pub usage: Usage,
}
