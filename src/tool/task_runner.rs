//! What runs the calls of the `task` tool: whoever runs the agent also runs its sub-agents.

use std::fmt;
use std::sync::Arc;

use futures::future::BoxFuture;

use super::outcome::{ToolError, ToolOutcome};
use super::scope::ToolJob;

/// What a sub-agent knows of the conversation that starts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inheritance {
    /// Nothing.
    #[default]
    None,
    /// A summary.
    Summary,
    /// All of it, as it was sent.
    Fork,
}

impl Inheritance {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::None, Self::Summary, Self::Fork];

    /// The name in calls.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Summary => "summary",
            Self::Fork => "fork",
        }
    }
}

/// A task for a sub-agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskCall {
    /// The task in a few words.
    pub description: String,
    /// The whole task.
    pub prompt: String,
    /// The name of the agent; `None`: the usual one.
    pub agent: Option<String>,
    /// What it knows of the conversation.
    pub inherit: Inheritance,
    /// Another model, as it was written.
    pub model: Option<String>,
    /// The only tools that it may use; empty for those of the agent.
    pub tools: Vec<String>,
    /// Requests after which it is stopped.
    pub max_turns: Option<u32>,
    /// Whether its caller goes on meanwhile.
    pub is_background: bool,
}

/// Runs sub-agents.
pub trait TaskRunner: Send + Sync {
    /// What a start would do, in one line: the agent, what it inherits, and the tokens and the
    /// price of its first request. Fails when it cannot be started.
    fn forecast(&self, call: &TaskCall) -> Result<String, ToolError>;

    /// Runs a sub-agent to its end, or starts one in the background.
    fn run(&self, call: TaskCall, job: ToolJob) -> BoxFuture<'static, ToolOutcome>;
}

/// The runner of sub-agents, as tools are given it.
#[derive(Clone)]
pub struct TaskHost(pub Arc<dyn TaskRunner>);

impl fmt::Debug for TaskHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TaskHost")
    }
}
