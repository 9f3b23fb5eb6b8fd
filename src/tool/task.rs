//! The `task` tool: has a sub-agent do a part of the work in a session of its own. Whoever runs
//! the agent also runs its sub-agents; without one the call is refused.

use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use super::arguments::{
    ArgumentRow, CallArguments, CountArgument, FlagArgument, OptionalText, RequiredText,
    object_schema,
};
use super::interface::{Effect, Tool};
use super::outcome::{ToolError, ToolOutcome};
use super::plan::Plan;
use super::scope::{ToolJob, ToolScope};
use super::source::{ToolOptions, ToolSource};
use super::task_runner::{Inheritance, TaskCall, TaskHost};
use crate::transcript::{ToolSchema, similar_names};

/// Characters of a description; it is one line wherever it is shown.
const MAX_DESCRIPTION_CHARS: usize = 80;
/// The most requests that a call may grant.
const MAX_TURNS: u64 = 200;

static DESCRIPTION: RequiredText =
    RequiredText::new("description", "The task in 3 to 6 words, for the user.");
static PROMPT: RequiredText = RequiredText::new(
    "prompt",
    "The whole task. The agent knows only this and what it inherits: say what is known, what is \
     wanted, and what its answer must contain.",
);
static AGENT: OptionalText = OptionalText::new("agent", "Which agent. Default general.");
static INHERIT: OptionalText = OptionalText::new(
    "inherit",
    "What it knows of this conversation: none (default), summary, or fork (all of it; costs as \
     much as this conversation, mostly at the price of cached tokens).",
);
static MODEL: OptionalText =
    OptionalText::new("model", "Another model, as provider/model. Rarely needed.");
static TOOLS: OptionalText = OptionalText::new(
    "tools",
    "Names of the only tools it may use, separated by commas.",
);
static TURNS: CountArgument = CountArgument::new(
    "max_turns",
    1..=MAX_TURNS,
    0,
    "It is stopped after so many requests.",
);
static BACKGROUND: FlagArgument = FlagArgument::new(
    "background",
    "Do not wait: you go on and are told when it has ended.",
);
/// All of them, in the order of the schema.
static ARGUMENTS: [&dyn ArgumentRow; 8] = [
    &DESCRIPTION,
    &PROMPT,
    &AGENT,
    &INHERIT,
    &MODEL,
    &TOOLS,
    &TURNS,
    &BACKGROUND,
];

/// An agent that a model can choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentChoice {
    /// The name in calls.
    pub name: String,
    /// What it is good for.
    pub description: String,
}

/// Offers the tool, when there are agents to choose among.
#[derive(Clone, Debug)]
pub struct TaskTools {
    agents: Vec<AgentChoice>,
}

impl TaskTools {
    /// A source for these agents.
    pub fn new(agents: Vec<AgentChoice>) -> Self {
        Self { agents }
    }
}

impl ToolSource for TaskTools {
    fn tools(&self, _options: &ToolOptions) -> Vec<Arc<dyn Tool>> {
        if self.agents.is_empty() {
            return Vec::new();
        }
        vec![Arc::new(TaskTool::new(self.agents.clone()))]
    }
}

/// Starts sub-agents.
#[derive(Clone, Debug)]
pub struct TaskTool {
    agents: Vec<AgentChoice>,
}

impl TaskTool {
    /// The name of the tool.
    pub const NAME: &'static str = "task";

    /// A tool that offers these agents.
    pub fn new(agents: Vec<AgentChoice>) -> Self {
        Self { agents }
    }

    fn parse(&self, arguments: &Map<String, Value>) -> Result<TaskCall, ToolError> {
        let given = CallArguments::new(Self::NAME, &ARGUMENTS, arguments)?;
        let one_line = |text: &str| -> String {
            let words: Vec<&str> = text.split_whitespace().collect();
            words
                .join(" ")
                .chars()
                .take(MAX_DESCRIPTION_CHARS)
                .collect()
        };
        let prompt = given.text(&PROMPT)?;
        if prompt.trim().is_empty() {
            return Err(ToolError("task: `prompt` is empty.".to_owned()));
        }
        let agent = given.optional_text(&AGENT)?.map(str::trim);
        let agent = agent.filter(|name| !name.is_empty());
        if let Some(name) = agent {
            self.check_agent(name)?;
        }
        let tools = given.optional_text(&TOOLS)?.unwrap_or_default();
        let tools = tools.split([',', ' ']).filter(|name| !name.is_empty());
        let turns = given.count(&TURNS)?;
        Ok(TaskCall {
            description: one_line(given.text(&DESCRIPTION)?),
            prompt: prompt.to_owned(),
            agent: agent.map(str::to_owned),
            inherit: inheritance(given.optional_text(&INHERIT)?)?,
            model: given
                .optional_text(&MODEL)?
                .filter(|model| !model.trim().is_empty())
                .map(str::to_owned),
            tools: tools.map(str::to_owned).collect(),
            max_turns: u32::try_from(turns).ok().filter(|turns| *turns > 0),
            is_background: given.flag(&BACKGROUND)?,
        })
    }

    fn check_agent(&self, name: &str) -> Result<(), ToolError> {
        if self.agents.iter().any(|agent| agent.name == name) {
            return Ok(());
        }
        let names: Vec<&str> = self.agents.iter().map(|it| it.name.as_str()).collect();
        let guess = similar_names(name, names.iter().copied(), 1)
            .first()
            .map(|near| format!(" Did you mean `{near}`?"))
            .unwrap_or_default();
        Err(ToolError(format!(
            "task: there is no agent `{name}`; there are {}.{guess}",
            names.join(", ")
        )))
    }
}

fn inheritance(text: Option<&str>) -> Result<Inheritance, ToolError> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(Inheritance::None);
    };
    Inheritance::ALL
        .into_iter()
        .find(|it| it.name() == text)
        .ok_or_else(|| {
            let names = Inheritance::ALL.map(Inheritance::name).join(", ");
            ToolError(format!("task: `inherit` is one of {names}."))
        })
}

fn host(scope: &ToolScope) -> Result<&TaskHost, ToolError> {
    scope
        .tasks
        .as_ref()
        .ok_or_else(|| ToolError("task: no sub-agent can be started here.".to_owned()))
}

impl Tool for TaskTool {
    fn schema(&self) -> ToolSchema {
        let agents: Vec<String> = self
            .agents
            .iter()
            .map(|agent| format!("{}: {}", agent.name, agent.description))
            .collect();
        ToolSchema {
            name: Self::NAME.to_owned(),
            description: format!(
                "Gives a part of the work to a sub-agent with a context of its own; you get its \
                 final message. Use it to keep long searches and readings out of your context, \
                 and for parts that do not depend on each other: several calls in one answer run \
                 at the same time. Not for what you can do in a few calls. Agents: {}.",
                agents.join("; ")
            ),
            parameters: object_schema(&ARGUMENTS),
        }
    }

    // Each call of the sub-agent that changes something asks by itself.
    fn effect(&self) -> Effect {
        Effect::Read
    }

    fn runs_beside_others(&self) -> bool {
        true
    }

    fn plan(&self, arguments: &Map<String, Value>, scope: &ToolScope) -> Result<Plan, ToolError> {
        let call = self.parse(arguments)?;
        let title = host(scope)?.0.forecast(&call)?;
        Ok(Plan {
            pattern: globset::escape(&title),
            title,
            ..Plan::default()
        })
    }

    fn run(&self, arguments: Map<String, Value>, job: ToolJob) -> BoxFuture<'_, ToolOutcome> {
        let started = self
            .parse(&arguments)
            .and_then(|call| Ok((call, host(&job.scope)?.clone())));
        match started {
            Ok((call, host)) => host.0.run(call, job),
            Err(error) => Box::pin(async move { Err(error).into() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tool::test_scope::{TestScope, text};

    fn tool() -> TaskTool {
        let agent = |name: &str, description: &str| AgentChoice {
            name: name.to_owned(),
            description: description.to_owned(),
        };
        TaskTool::new(vec![agent("explore", "reads"), agent("general", "works")])
    }

    fn parsed(arguments: &Value) -> Result<TaskCall, String> {
        let arguments = arguments.as_object().unwrap();
        tool().parse(arguments).map_err(|error| error.0)
    }

    #[test]
    fn a_call_is_read_with_all_that_it_says() {
        let call = parsed(&json!({
            "description": " find\nthe  parser ",
            "prompt": "Where is it?",
            "agent": "explore",
            "inherit": "fork",
            "model": "p/m",
            "tools": "read, search",
            "max_turns": "3",
            "background": true,
        }))
        .unwrap();
        assert_eq!(call.description, "find the parser");
        assert_eq!(call.inherit, Inheritance::Fork);
        assert_eq!(call.tools, ["read", "search"]);
        assert_eq!((call.max_turns, call.is_background), (Some(3), true));
        let plain = parsed(&json!({"description": "d", "prompt": "p"})).unwrap();
        assert_eq!(plain.inherit, Inheritance::None);
        assert_eq!((plain.agent, plain.max_turns), (None, None));
    }

    #[test]
    fn what_is_wrong_is_said_with_what_is_accepted() {
        let with = |name: &str, value: &str| {
            let mut call = json!({"description": "d", "prompt": "p"});
            call[name] = json!(value);
            parsed(&call).unwrap_err()
        };
        assert!(with("agent", "explor").contains("Did you mean `explore`?"));
        assert!(with("inherit", "all").contains("none, summary, fork"));
        assert!(with("max_turns", "999").contains("200"));
        assert!(with("prompt", " ").contains("empty"));
    }

    #[test]
    fn the_agents_are_in_the_description() {
        let schema = tool().schema();
        assert!(
            schema
                .description
                .contains("explore: reads; general: works.")
        );
    }

    #[tokio::test]
    async fn without_a_runner_nothing_is_started() {
        let t = TestScope::new();
        let call = json!({"description": "d", "prompt": "p"});
        assert!(
            t.plan(&tool(), call.clone())
                .unwrap_err()
                .0
                .contains("no sub-agent")
        );
        let arguments = call.as_object().unwrap().clone();
        let _ = arguments;
        let outcome = t.run(&tool(), call).await;
        assert!(
            outcome.is_error && text(&outcome).contains("no sub-agent"),
            "{outcome:?}"
        );
    }
}
