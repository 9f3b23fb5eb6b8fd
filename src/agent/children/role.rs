//! What makes an agent a sub-agent: whom it works for, and what it may do and spend.

use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::cost::bill::UnloggedCost;
use crate::agent::cost::limit::CostLimit;
use crate::agent::setup::SystemPrompt;
use crate::config::AgentTools;
use crate::provider::Registry;
use crate::tool::{ApprovalPolicy, Effect, TaskTool, ToolSet, names_tool};
use crate::transcript::{FIND_TOOLS, USE_TOOL};

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

/// What a sub-agent is offered of the usual tools.
pub(in crate::agent) struct OfferedPart {
    /// Tools of the list that it does not have.
    pub refused: Vec<String>,
    /// The tools outside the list that it can find and call; `None` for all.
    pub found_only: Option<Vec<String>>,
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
    /// The tools of a sub-agent: the usual ones, or what `part_of` makes of them.
    pub(in crate::agent) fn offer(
        &self,
        usual: ToolSet,
        part_of: impl FnOnce(OfferedPart) -> ToolSet,
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
        let found_only = match part {
            AgentTools::Only(names) => Some(names.clone()),
            AgentTools::All | AgentTools::ReadOnly => None,
        };
        if refused.is_empty() && found_only.is_none() {
            return usual;
        }
        part_of(OfferedPart {
            refused,
            found_only,
        })
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
            AgentTools::ReadOnly => !is_task && name != FIND_TOOLS && only_looks(),
            AgentTools::Only(names) => {
                let reaches_others = [FIND_TOOLS, USE_TOOL].contains(&name);
                names_tool(names, name) || (reaches_others && names_others(names, usual))
            }
        }
    }
}

/// Whether a name among these is one of a server's tools that is not in the list.
fn names_others(names: &[String], usual: &ToolSet) -> bool {
    let schemas = usual.schemas();
    let is_listed = |name: &String| {
        let one = std::slice::from_ref(name);
        schemas.iter().any(|schema| names_tool(one, &schema.name))
    };
    let mut names = names.iter().filter(|name| name.contains("__"));
    names.any(|name| !is_listed(name))
}
