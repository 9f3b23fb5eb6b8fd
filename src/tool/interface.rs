//! The interface between a tool and the agent.

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use super::outcome::{ToolError, ToolOutcome};
use super::plan::Plan;
use super::scope::{ToolJob, ToolScope};
use crate::transcript::ToolSchema;

/// Something that a model can call.
pub trait Tool: Send + Sync {
    /// Name, description and argument schema, stable from run to run.
    fn schema(&self) -> ToolSchema;

    /// The effect of a call on the machine; decides whether approval is needed.
    fn effect(&self) -> Effect;

    /// Whether a later identical call makes an earlier result pointless: read-only,
    /// and the answer describes the present state.
    fn is_repeatable(&self) -> bool {
        false
    }

    /// Whether calls may run at the same time as others of the kind in one answer.
    fn runs_beside_others(&self) -> bool {
        false
    }

    /// The preview of a call, for approvals and cards. Fails when the arguments are wrong:
    /// then the call is answered with that error and never run.
    fn plan(&self, arguments: &Map<String, Value>, scope: &ToolScope) -> Result<Plan, ToolError>;

    /// Runs a call. Ends soon after `job.cancel` fires, leaving nothing running.
    fn run(&self, arguments: Map<String, Value>, job: ToolJob) -> BoxFuture<'_, ToolOutcome>;
}

/// The effect of a call on the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Looks only.
    Read,
    /// Changes files in the workspace.
    Edit,
    /// Runs programs.
    Execute,
    /// Asks servers of the Internet, and by that tells them something.
    Fetch,
    /// Has a server of the user's do something. What it does nobody knows but the server.
    Serve,
}
