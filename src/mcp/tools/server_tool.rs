//! A tool of a server. Whether it is run is the user's to say, whatever the server says of it.

use std::fmt::Write as _;
use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::{Map, Value, json};

use crate::clock::Stopwatch;
use crate::mcp::arguments::fault;
use crate::mcp::content::outcome;
use crate::mcp::link::ServerLink;
use crate::mcp::link::calls::RunningCall;
use crate::mcp::offer::OfferedTool;
use crate::tool::{Effect, Plan, Tool, ToolError, ToolJob, ToolOutcome, ToolScope};
use crate::transcript::ToolSchema;

/// See the module's description.
pub(in crate::mcp) struct ServerTool {
    link: Arc<ServerLink>,
    offered: Arc<OfferedTool>,
}

impl ServerTool {
    pub(in crate::mcp) fn new(link: &Arc<ServerLink>, offered: &Arc<OfferedTool>) -> Self {
        Self {
            link: Arc::clone(link),
            offered: Arc::clone(offered),
        }
    }
}

impl Tool for ServerTool {
    fn schema(&self) -> ToolSchema {
        self.offered.schema()
    }

    fn effect(&self) -> Effect {
        Effect::Serve
    }

    fn plan(&self, arguments: &Map<String, Value>, _: &ToolScope) -> Result<Plan, ToolError> {
        if let Some(fault) = fault(arguments, &self.offered.parameters) {
            let (name, schema) = (&self.offered.name, &self.offered.parameters);
            return Err(ToolError(format!(
                "{name}: {fault}. It takes arguments of this schema: {schema}"
            )));
        }
        let mut plan = Plan::titled(visible(arguments));
        // "Always" means the whole tool, and can be narrowed.
        "*".clone_into(&mut plan.pattern);
        Ok(plan)
    }

    fn run(&self, arguments: Map<String, Value>, job: ToolJob) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(async move {
            let began = Stopwatch::start();
            let name = &self.offered.name;
            let running = RunningCall::of(&job);
            let answered = tokio::select! {
                () = job.cancel.cancelled() => Err(
                    "the user stopped it. The server was told; what it had done by then is not \
                     known".to_owned()
                ),
                answered = self.link.call(&self.offered.tool, arguments, &running) => answered,
            };
            let outcome = match answered {
                Ok(answer) => outcome(answer),
                Err(why) => ToolOutcome::error(format!("{name} has no answer: {why}.")),
            };
            let took = began.elapsed().as_millis();
            outcome.with_details(json!({
                "server": self.link.server.name,
                "tool": self.offered.name,
                "durationMs": u64::try_from(took).unwrap_or(u64::MAX),
            }))
        })
    }
}

/// Arguments in one line, each character that cannot be seen as its number.
fn visible(arguments: &Map<String, Value>) -> String {
    let text = serde_json::to_string(arguments).unwrap_or_default();
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let is_hidden = c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
        if is_hidden {
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_about_shows_every_character() {
        let arguments = json!({"text": "a\u{202e}b\u{9b}c\u{1b}[2J", "n": 1});
        let shown = visible(arguments.as_object().unwrap());
        assert_eq!(shown, r#"{"text":"a\u{202e}b\u{9b}c\u001b[2J","n":1}"#);
    }
}
