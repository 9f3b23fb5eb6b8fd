//! `use_tool`: runs a tool that is not in the list. Whoever runs calls takes the call that it
//! stands for instead, so approvals, hooks and rules see the tool that is meant; what comes here
//! names none.

use futures::future::BoxFuture;
use serde_json::{Map, Value, json};

use crate::tool::{Effect, Plan, Tool, ToolError, ToolJob, ToolOutcome, ToolScope};
use crate::transcript::{FIND_TOOLS, ToolSchema, USE_TOOL};

/// See the module's description.
pub(in crate::mcp) struct UseTool;

impl Tool for UseTool {
    fn schema(&self) -> ToolSchema {
        ToolSchema {
            name: USE_TOOL.to_owned(),
            description: format!(
                "Runs a tool that {FIND_TOOLS} found, with arguments of the schema that it gave."
            ),
            parameters: json!({
                "type": "object",
                "properties": {
                    "name": {
                        "type": "string",
                        "description": format!("Name of the tool, as {FIND_TOOLS} gave it."),
                    },
                    "arguments": {
                        "type": "object",
                        "description": "Its arguments.",
                    },
                },
                "required": ["name", "arguments"],
                "additionalProperties": false,
            }),
        }
    }

    fn effect(&self) -> Effect {
        Effect::Serve
    }

    fn plan(&self, arguments: &Map<String, Value>, _: &ToolScope) -> Result<Plan, ToolError> {
        Err(refusal(arguments))
    }

    fn run(&self, arguments: Map<String, Value>, _: ToolJob) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(async move { ToolOutcome::error(refusal(&arguments).0) })
    }
}

fn refusal(arguments: &Map<String, Value>) -> ToolError {
    let name = arguments.get("name").and_then(Value::as_str);
    ToolError(match name {
        Some(name) => format!(
            "{USE_TOOL}: there is no tool `{name}` that can be called so, or its `arguments` are \
             no object. {FIND_TOOLS} finds names and schemas; tools of the list are called \
             directly."
        ),
        None => format!("{USE_TOOL}: `name` has to be a text. {FIND_TOOLS} finds names."),
    })
}
