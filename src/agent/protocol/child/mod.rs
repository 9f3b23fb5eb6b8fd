//! Sub-agents as a front end shows them: which there are, what they do, how loaded they are.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::transcript::{Entry, ModelRef, Usage};

/// Names a sub-agent of a session: its number, and the number of a sub-agent of its own after
/// a dot (`2.1`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChildId(Arc<str>);

impl ChildId {
    /// The sub-agent with this number.
    pub fn new(number: u64) -> Self {
        Self(number.to_string().into())
    }

    /// The name as it is typed; `None` when it is none.
    pub fn from_text(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        text.split('.')
            .all(is_number)
            .then(|| Self(Arc::from(text)))
    }

    /// A sub-agent of this one, as this one names it.
    #[must_use]
    pub fn join(&self, inner: &Self) -> Self {
        Self(format!("{}.{}", self.0, inner.0).into())
    }

    /// The number in this session, and the name in the sub-agent's own session when it is one
    /// of its sub-agents.
    pub fn split(&self) -> (Self, Option<Self>) {
        match self.0.split_once('.') {
            Some((own, inner)) => (Self(own.into()), Some(Self(inner.into()))),
            None => (self.clone(), None),
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// How many sessions it is away from the session of the person.
    pub fn depth(&self) -> usize {
        self.0.split('.').count()
    }
}

impl fmt::Display for ChildId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The state of a sub-agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChildState {
    /// It works.
    Running,
    /// It waits for the person's answer.
    Asking,
    /// It has answered.
    Done,
    /// It ended with an error.
    Failed,
    /// The person or the program stopped it.
    Stopped,
    /// The program ended before it did.
    Interrupted,
}

impl ChildState {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Running,
        Self::Asking,
        Self::Done,
        Self::Failed,
        Self::Stopped,
        Self::Interrupted,
    ];

    /// The word for it, for people and in the log.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Asking => "asking",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Stopped => "stopped",
            Self::Interrupted => "interrupted",
        }
    }

    /// The state with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Whether nothing more comes of it.
    pub fn is_over(self) -> bool {
        !matches!(self, Self::Running | Self::Asking)
    }
}

/// How loaded the context of a sub-agent is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChildLoad {
    /// Tokens of its next request.
    pub tokens: u64,
    /// Tokens that its model takes, its cap considered; `None` when nobody knows.
    pub window_tokens: Option<u64>,
}

/// A sub-agent at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct ChildInfo {
    /// Names it.
    pub id: ChildId,
    /// The kind of agent: `explore`, `general`, or the name of an agent file.
    pub agent: String,
    /// What it is to do, a few words.
    pub task: String,
    /// The call that started it, in the session of whoever called it.
    pub call_id: String,
    /// Its state.
    pub state: ChildState,
    /// What it does now, or why it failed; one line, may be empty.
    pub doing: String,
    /// The model that answers.
    pub model: ModelRef,
    /// Its gauge.
    pub load: ChildLoad,
    /// Requests that were answered.
    pub requests: u64,
    /// Reported usage, that of its own sub-agents included.
    pub usage: Usage,
    /// How long it has run.
    pub elapsed: Duration,
    /// Whether its caller works on meanwhile.
    pub is_background: bool,
    /// The file of its session; `None` in memory.
    pub session: Option<PathBuf>,
}

impl ChildInfo {
    /// Who it is, for people: `agent 2 (explore: find the parser)`.
    pub fn label(&self) -> String {
        format!("agent {} ({}: {})", self.id, self.agent, self.task)
    }

    /// Tokens that were sent and received.
    pub fn tokens_used(&self) -> u64 {
        let usage = &self.usage;
        usage.input_tokens
            + usage.cache_read_tokens
            + usage.cache_write_tokens
            + usage.output_tokens
    }
}

/// What was said in the session of a sub-agent.
#[derive(Clone, Debug)]
pub struct ChildTranscript {
    /// The sub-agent.
    pub info: ChildInfo,
    /// Its entries, without what it inherited.
    pub entries: Vec<Arc<Entry>>,
    /// The text that streams.
    pub live: String,
}

/// The sub-agent that asks something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskingChild {
    /// Names it.
    pub id: ChildId,
    /// The kind of agent.
    pub agent: String,
    /// What it is to do.
    pub task: String,
}

impl AskingChild {
    /// Who it is, for people.
    pub fn label(&self) -> String {
        format!("agent {} ({}: {})", self.id, self.agent, self.task)
    }
}

/// A sub-agent, from its start to its end.
#[derive(Clone, Debug, PartialEq)]
pub enum ChildEvent {
    /// It has started.
    Started(Box<ChildInfo>),
    /// It has ended; its state says how.
    Ended(Box<ChildInfo>),
    /// All sub-agents of this session and how they are, oldest first.
    Listed(Vec<ChildInfo>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_through_the_sessions_and_back() {
        let inner = ChildId::new(2).join(&ChildId::new(1));
        assert_eq!(inner.as_str(), "2.1");
        assert_eq!(inner.split(), (ChildId::new(2), Some(ChildId::new(1))));
        assert_eq!(ChildId::new(3).split(), (ChildId::new(3), None));
        assert_eq!((inner.depth(), ChildId::new(9).depth()), (2, 1));
        assert_eq!(ChildId::from_text(" 2.1 "), Some(inner));
        for text in ["", "a", "1.", ".1", "1..2", "-1"] {
            assert_eq!(ChildId::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn a_state_is_found_by_its_name() {
        for state in ChildState::ALL {
            assert_eq!(ChildState::from_name(state.name()), Some(state));
        }
        assert!(!ChildState::Asking.is_over() && ChildState::Interrupted.is_over());
    }
}
