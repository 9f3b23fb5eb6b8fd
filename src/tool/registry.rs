//! The tools on offer, in an order that stays the same from run to run: schemas are part of
//! the prompt, and a prompt that changes is not cached.

use std::sync::Arc;
use std::time::Duration;

use super::files::edit::EditTool;
use super::files::list::ListTool;
use super::files::read::ReadTool;
use super::files::search::SearchTool;
use super::files::write::WriteTool;
use super::interface::Tool;
use super::outcome::ToolError;
use super::shell::ShellTool;
use super::shell::job_tool::JobTool;
use super::todo::TodoTool;
use crate::transcript::{ToolSchema, similar_names};

/// Tools with unique names, in order.
#[derive(Clone)]
pub struct ToolSet {
    tools: Vec<(ToolSchema, Arc<dyn Tool>)>,
    schemas: Arc<[ToolSchema]>,
}

impl ToolSet {
    /// A set of these tools, in this order. Fails when two have the same name.
    pub fn new(tools: Vec<Arc<dyn Tool>>) -> Result<Self, ToolError> {
        let mut named: Vec<(ToolSchema, Arc<dyn Tool>)> = Vec::with_capacity(tools.len());
        for tool in tools {
            let schema = tool.schema();
            if named.iter().any(|(other, _)| other.name == schema.name) {
                return Err(ToolError(format!(
                    "There are two tools with the name `{}`.",
                    schema.name
                )));
            }
            named.push((schema, tool));
        }
        Ok(Self::from_unique(named))
    }

    /// The tools that come with the program. `shell_timeout` limits commands that name no
    /// limit themselves.
    pub fn builtin(shell_timeout: Duration) -> Self {
        let tools: [Arc<dyn Tool>; 8] = [
            Arc::new(ReadTool),
            Arc::new(ListTool),
            Arc::new(SearchTool),
            Arc::new(WriteTool),
            Arc::new(EditTool),
            Arc::new(ShellTool::new(shell_timeout)),
            Arc::new(JobTool),
            Arc::new(TodoTool),
        ];
        Self::from_unique(tools.map(|tool| (tool.schema(), tool)).to_vec())
    }

    /// The set with another limit for commands that name none themselves; every other tool
    /// stays as it is, and a set without the shell too.
    #[must_use]
    pub fn with_shell_timeout(&self, shell_timeout: Duration) -> Self {
        let shell: Arc<dyn Tool> = Arc::new(ShellTool::new(shell_timeout));
        let schema = shell.schema();
        let tools = self.tools.iter().map(|(known, tool)| {
            if known.name == schema.name {
                (schema.clone(), Arc::clone(&shell))
            } else {
                (known.clone(), Arc::clone(tool))
            }
        });
        Self::from_unique(tools.collect())
    }

    fn from_unique(tools: Vec<(ToolSchema, Arc<dyn Tool>)>) -> Self {
        let schemas = tools.iter().map(|(schema, _)| schema.clone()).collect();
        Self { tools, schemas }
    }

    /// Names, descriptions and arguments for the model.
    pub fn schemas(&self) -> Arc<[ToolSchema]> {
        Arc::clone(&self.schemas)
    }

    /// The tool with this name.
    pub fn get(&self, name: &str) -> Option<Arc<dyn Tool>> {
        self.tools
            .iter()
            .find(|(schema, _)| schema.name == name)
            .map(|(_, tool)| Arc::clone(tool))
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
    use super::*;

    fn builtin() -> ToolSet {
        ToolSet::builtin(Duration::from_mins(2))
    }

    #[test]
    fn the_order_is_fixed_and_schemas_are_stable() {
        let names: Vec<String> = builtin().schemas().iter().map(|s| s.name.clone()).collect();
        assert_eq!(
            names,
            [
                "read", "list", "search", "write", "edit", "shell", "job", "todo"
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

    #[test]
    fn names_are_found_once() {
        let set = builtin();
        assert_eq!(set.get("edit").unwrap().schema().name, "edit");
        assert!(set.get("Edit").is_none());
        let twice: Vec<Arc<dyn Tool>> = vec![Arc::new(ReadTool), Arc::new(ReadTool)];
        assert!(ToolSet::new(twice).err().unwrap().0.contains("`read`"));
        assert!(ToolSet::new(vec![Arc::new(ReadTool)]).is_ok());
    }

    #[test]
    fn another_time_limit_changes_the_shell_and_no_other_tool() {
        let few: Vec<Arc<dyn Tool>> = vec![
            Arc::new(TodoTool),
            Arc::new(ShellTool::new(Duration::from_secs(5))),
        ];
        let before = ToolSet::new(few).unwrap();
        let after = before.with_shell_timeout(Duration::from_secs(77));
        assert_eq!(before.schemas().len(), after.schemas().len());
        assert_eq!(before.schemas()[0], after.schemas()[0]);
        assert!(Arc::ptr_eq(
            &before.get("todo").unwrap(),
            &after.get("todo").unwrap()
        ));
        assert!(
            after.schemas()[1]
                .parameters
                .to_string()
                .contains("Default 77.")
        );
        let without = ToolSet::new(vec![Arc::new(ReadTool)]).unwrap();
        let without = without.with_shell_timeout(Duration::from_secs(77));
        assert!(without.get("shell").is_none());
    }

    #[test]
    fn unknown_tools_get_the_list() {
        assert_eq!(
            builtin().unknown("serach").0,
            "There is no tool `serach`; there are read, list, search, write, edit, shell, \
             job, todo. Did you mean `search`?"
        );
        assert!(builtin().unknown("").0.ends_with("job, todo."));
    }
}
