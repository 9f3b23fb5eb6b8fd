//! The facts that a view depends on beside the log, the settings and the clock.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::transcript::{Message, ModelInfo, ModelRef, ServerGroup, ToolSchema, UsageSample};

/// The facts besides the log, the settings and the clock that a view depends on.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// The system prompt.
    pub system: Arc<str>,
    /// The part of it that is notes about the project.
    pub memory: Option<Arc<str>>,
    /// The part of it that names skills.
    pub skills: Option<Arc<str>>,
    /// Tools on offer.
    pub tools: Arc<[ToolSchema]>,
    /// Those of them that are there for MCP servers, by server.
    pub servers: Arc<[Arc<ServerGroup>]>,
    /// Tools whose newest answer makes older ones pointless.
    pub repeatable: Arc<BTreeSet<String>>,
    /// Sections of the workspace's rules that follow every summary.
    pub workspace_rules: Option<Arc<str>>,
    /// The model that will answer.
    pub model: ModelInfo,
    /// Token counts of its provider in earlier sessions, oldest first; not those in the log.
    pub samples: Arc<[UsageSample]>,
    /// The answer that is streaming, as far as it has arrived.
    pub live: Option<Arc<Message>>,
    /// Tools are running: their calls have no results yet.
    pub tools_running: bool,
}

impl Default for RequestContext {
    /// Nothing but the conversation, for a model of which nothing is known.
    fn default() -> Self {
        Self {
            system: Arc::default(),
            memory: None,
            skills: None,
            tools: Arc::default(),
            servers: Arc::default(),
            repeatable: Arc::default(),
            workspace_rules: None,
            model: ModelInfo::unknown(ModelRef::default()),
            samples: Arc::default(),
            live: None,
            tools_running: false,
        }
    }
}
