//! What makes an agent a sub-agent: whom it works for, and what it may do and spend.

use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::cost::bill::UnloggedCost;
use crate::agent::cost::limit::CostLimit;
use crate::agent::setup::SystemPrompt;
use crate::config::AgentTools;
use crate::provider::Registry;
use crate::tool::{ApprovalPolicy, Effect, TaskTool, ToolSet};

/// Sessions below the session of the person; a sub-agent of this depth starts none itself.
pub(in crate::agent) const MAX_DEPTH: usize = 2;

/// See the module's description.
#[derive(Clone)]
pub struct ChildRole {
    /// How many sessions it is away from the session of the person.
    pub(in crate::agent) depth: usize,
    /// The id of its session.
    pub(in crate::agent) session: String,
    /// The session of its caller.
    pub(in crate::agent) caller: Option<PathBuf>,
    /// Its caller's: what is known of models is known to it, too.
    pub(in crate::agent) registry: Arc<Registry>,
    /// What runs without asking.
    pub(in crate::agent) policy: ApprovalPolicy,
    /// Somebody answers its questions.
    pub(in crate::agent) can_ask: bool,
    /// The tools that it is offered.
    pub(in crate::agent) tools: OfferedTools,
    /// The system prompt of its caller, where the prompt has to stay as it was cached.
    pub(in crate::agent) prompt: Option<SystemPrompt>,
    /// The bill of its caller, where all that it spends counts as well.
    pub(in crate::agent) bill: UnloggedCost,
    /// The limit on cost of the person's session.
    pub(in crate::agent) limit: CostLimit,
}

/// The tools that a sub-agent is offered.
#[derive(Clone)]
pub(in crate::agent) enum OfferedTools {
    /// Exactly these: the prompt has to stay as it was cached.
    Same(ToolSet),
    /// A part of the usual ones.
    Part(AgentTools),
}

impl ChildRole {
    /// The tools of a sub-agent: the usual ones, or what `without` makes of them without tools
    /// of these names.
    pub(in crate::agent) fn offer(
        &self,
        usual: ToolSet,
        without: impl FnOnce(Vec<String>) -> ToolSet,
    ) -> ToolSet {
        let part = match &self.tools {
            OfferedTools::Same(tools) => return tools.clone(),
            OfferedTools::Part(part) => part,
        };
        let schemas = usual.schemas();
        let names = schemas.iter().map(|schema| schema.name.clone());
        let refused: Vec<String> = names
            .filter(|name| !self.offers(part, &usual, name))
            .collect();
        if refused.is_empty() {
            return usual;
        }
        without(refused)
    }

    fn offers(&self, part: &AgentTools, usual: &ToolSet, name: &str) -> bool {
        let is_task = name == TaskTool::NAME;
        if is_task && self.depth >= MAX_DEPTH {
            return false;
        }
        let only_looks = || {
            let tool = usual.get(name);
            tool.is_some_and(|tool| tool.effect() == Effect::Read)
        };
        match part {
            AgentTools::All => true,
            AgentTools::ReadOnly => !is_task && only_looks(),
            AgentTools::Only(names) => names.iter().any(|it| it == name),
        }
    }
}
