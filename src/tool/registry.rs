//! The tools on offer, in an order that stays the same from run to run: schemas are part of
//! the prompt, and a prompt that changes is not cached.

use std::sync::Arc;
use std::time::Duration;

use super::envelope;
use super::interface::Tool;
use super::outcome::ToolError;
use super::source::{ToolOptions, ToolSource, ToolSources};
use crate::transcript::{ToolCall, ToolSchema, USE_TOOL, similar_names};

/// Tools with unique names, in order.
#[derive(Clone)]
pub struct ToolSet {
    sources: Vec<Arc<dyn ToolSource>>,
    options: ToolOptions,
    tools: Vec<(ToolSchema, Arc<dyn Tool>)>,
    schemas: Arc<[ToolSchema]>,
}

impl ToolSet {
    /// The tools of the program and of further sources. Of tools with the same name the
    /// first one is on offer: no source can take the place of another one's tool.
    pub fn new(sources: &ToolSources, options: ToolOptions) -> Self {
        Self::collect(sources.after_builtin(), options)
    }

    /// The tools that come with the program. `shell_timeout` limits commands that name no
    /// limit themselves.
    pub fn builtin(shell_timeout: Duration) -> Self {
        Self::new(&ToolSources::default(), ToolOptions::new(shell_timeout))
    }

    fn collect(sources: Vec<Arc<dyn ToolSource>>, options: ToolOptions) -> Self {
        let mut tools: Vec<(ToolSchema, Arc<dyn Tool>)> = Vec::new();
        for tool in sources.iter().flat_map(|source| source.tools(&options)) {
            let schema = tool.schema();
            if options.is_off(&schema.name) {
                continue;
            }
            if tools.iter().any(|(other, _)| other.name == schema.name) {
                tracing::warn!(name = schema.name, "a second tool of this name is left out");
                continue;
            }
            tools.push((schema, tool));
        }
        let schemas = tools.iter().map(|(schema, _)| schema.clone()).collect();
        Self {
            sources,
            options,
            tools,
            schemas,
        }
    }

    /// The set with another limit for commands that name none themselves, of the same
    /// sources.
    #[must_use]
    pub fn with_shell_timeout(&self, shell_timeout: Duration) -> Self {
        let options = ToolOptions {
            shell_timeout,
            ..self.options.clone()
        };
        Self::collect(self.sources.clone(), options)
    }

    /// Names, descriptions and arguments for the model.
    pub fn schemas(&self) -> Arc<[ToolSchema]> {
        Arc::clone(&self.schemas)
    }

    /// The tool with this name, in the list or called through [`USE_TOOL`].
    pub fn get(&self, name: &str) -> Option<Arc<dyn Tool>> {
        let listed = self.listed(name);
        listed.or_else(|| {
            let is_open = self.listed(USE_TOOL).is_some();
            let may_be_found = is_open && self.options.may_find(name);
            let mut sources = self.sources.iter().filter(|_| may_be_found);
            sources.find_map(|source| source.unlisted(name))
        })
    }

    fn listed(&self, name: &str) -> Option<Arc<dyn Tool>> {
        let mut tools = self.tools.iter();
        let found = tools.find(|(schema, _)| schema.name == name);
        found.map(|(_, tool)| Arc::clone(tool))
    }

    /// The call that a call stands for: of the tool that it names, when it is one of
    /// [`USE_TOOL`] and there is such a tool that is not in the list.
    pub fn meant(&self, call: &ToolCall) -> ToolCall {
        let inner = envelope::inner(call);
        let inner = inner
            .filter(|inner| self.listed(&inner.name).is_none() && self.get(&inner.name).is_some());
        inner.unwrap_or_else(|| call.clone())
    }

    /// The answer to a call of a tool that does not exist.
    pub fn unknown(&self, name: &str) -> ToolError {
        let names: Vec<&str> = self.schemas.iter().map(|s| s.name.as_str()).collect();
        let guess = similar_names(name, names.iter().copied(), 1)
            .first()
            .map(|near| format!(" Did you mean `{near}`?"))
            .unwrap_or_default();
        ToolError(format!(
            "There is no tool `{name}`; there are {}.{guess}",
            names.join(", ")
        ))
    }
}

#[cfg(test)]
mod tests {
    use futures::future::BoxFuture;
    use serde_json::{Map, Value};

    use super::*;
    use crate::tool::interface::Effect;
    use crate::tool::outcome::ToolOutcome;
    use crate::tool::plan::Plan;
    use crate::tool::scope::{ToolJob, ToolScope};
    use crate::tool::source::names_tool;
    use crate::tool::todo::TodoTool;

    fn builtin() -> ToolSet {
        ToolSet::builtin(Duration::from_mins(2))
    }

    #[test]
    fn the_order_is_fixed_and_schemas_are_stable() {
        let names: Vec<String> = builtin().schemas().iter().map(|s| s.name.clone()).collect();
        assert_eq!(
            names,
            [
                "read", "list", "search", "write", "edit", "shell", "job", "todo", "recall"
            ]
        );
        assert_eq!(builtin().schemas(), builtin().schemas());
    }

    /// They begin every prompt: another byte makes every prompt cache worthless.
    #[test]
    fn schemas_are_sent_as_they_were_before() {
        let mut lines = String::new();
        for schema in builtin().schemas().iter() {
            let object = serde_json::json!({
                "name": schema.name,
                "description": schema.description,
                "parameters": schema.parameters,
            });
            lines.push_str(&object.to_string());
            lines.push('\n');
        }
        assert_eq!(lines, include_str!("schemas.jsonl"));
    }

    #[test]
    fn schemas_are_closed_objects_whose_required_arguments_exist() {
        for schema in builtin().schemas().iter() {
            assert_eq!(schema.parameters["type"], "object");
            assert_eq!(schema.parameters["additionalProperties"], false);
            for name in schema.parameters["required"].as_array().unwrap() {
                let property = &schema.parameters["properties"][name.as_str().unwrap()];
                assert!(
                    property["description"].is_string(),
                    "{}: {name}",
                    schema.name
                );
            }
            // They are sent with every request.
            assert!(schema.description.len() < 800, "{}", schema.name);
        }
    }

    /// One tool, under a name that another source may have.
    struct OneTool(&'static str, Arc<dyn Tool>);

    impl Tool for OneTool {
        fn schema(&self) -> ToolSchema {
            ToolSchema {
                name: self.0.to_owned(),
                ..self.1.schema()
            }
        }

        fn effect(&self) -> Effect {
            self.1.effect()
        }

        fn plan(&self, given: &Map<String, Value>, scope: &ToolScope) -> Result<Plan, ToolError> {
            self.1.plan(given, scope)
        }

        fn run(&self, given: Map<String, Value>, job: ToolJob) -> BoxFuture<'_, ToolOutcome> {
            self.1.run(given, job)
        }
    }

    struct OtherTools;

    impl ToolSource for OtherTools {
        fn tools(&self, _: &ToolOptions) -> Vec<Arc<dyn Tool>> {
            let named = |name| -> Arc<dyn Tool> { Arc::new(OneTool(name, Arc::new(TodoTool))) };
            vec![named("edit"), named("plan"), named("plan")]
        }
    }

    fn with_others() -> ToolSet {
        without(&[])
    }

    fn without(off: &[&str]) -> ToolSet {
        let sources = ToolSources::default().with(Arc::new(OtherTools));
        let options = ToolOptions {
            off: off.iter().map(|name| (*name).to_owned()).collect(),
            ..ToolOptions::new(Duration::from_mins(2))
        };
        ToolSet::new(&sources, options)
    }

    fn names(set: &ToolSet) -> Vec<String> {
        set.schemas().iter().map(|it| it.name.clone()).collect()
    }

    #[test]
    fn a_source_adds_its_tools_and_takes_no_name_that_is_taken() {
        let set = with_others();
        assert_eq!(
            names(&set),
            [
                "read", "list", "search", "write", "edit", "shell", "job", "todo", "recall", "plan"
            ]
        );
        assert_eq!(set.get("edit").unwrap().effect(), Effect::Edit);
        assert!(set.get("Edit").is_none());
    }

    #[test]
    fn tools_that_are_off_are_not_offered_and_not_found() {
        let set = without(&["todo", "plan", "nothing"]);
        assert!(set.get("todo").is_none());
        assert_eq!(set.schemas().len(), builtin().schemas().len() - 1);
        let longer = set.with_shell_timeout(Duration::from_secs(7));
        assert!(longer.get("todo").is_none(), "and stay off");
    }

    #[test]
    fn all_tools_of_a_server_are_named_at_once_and_none_of_another_one() {
        let names = ["files__*", "db__query"].map(str::to_owned);
        for (tool, expected) in [
            ("files__read", true),
            ("files__a__b", true),
            ("files2__read", false),
            ("files", false),
            ("db__query", true),
            ("db__query2", false),
        ] {
            assert_eq!(names_tool(&names, tool), expected, "{tool}");
        }
    }

    #[test]
    fn another_time_limit_changes_the_shell_and_no_other_tool() {
        let before = with_others();
        let after = before.with_shell_timeout(Duration::from_secs(77));
        assert_eq!(names(&before), names(&after));
        for (old, new) in before.schemas().iter().zip(after.schemas().iter()) {
            assert_eq!(old == new, old.name != "shell", "{}", old.name);
        }
        let shell = after.get("shell").unwrap().schema();
        assert!(shell.parameters.to_string().contains("Default 77."));
        let without = without(&["shell"]);
        let without = without.with_shell_timeout(Duration::from_secs(77));
        assert!(without.get("shell").is_none());
    }

    #[test]
    fn unknown_tools_get_the_list() {
        assert_eq!(
            builtin().unknown("serach").0,
            "There is no tool `serach`; there are read, list, search, write, edit, shell, \
             job, todo, recall. Did you mean `search`?"
        );
        assert!(builtin().unknown("").0.ends_with("todo, recall."));
    }
}
