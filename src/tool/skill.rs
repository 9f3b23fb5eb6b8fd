//! The `skill` tool: a model asks for the text of a skill. The text itself comes into the
//! conversation as a note of its own, which a summary cannot take away; this tool only says
//! whether there is such a skill.

use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use super::arguments::{ArgumentRow, CallArguments, RequiredText, object_schema};
use super::interface::{Effect, Tool};
use super::outcome::{ToolError, ToolOutcome};
use super::plan::Plan;
use super::scope::{ToolJob, ToolScope};
use super::source::{ToolOptions, ToolSource};
use crate::transcript::{ToolSchema, similar_names};

static NAME: RequiredText = RequiredText::new("name", "Name of the skill.");

/// Offers the tool where there are skills.
#[derive(Clone, Debug)]
pub struct SkillSource {
    names: Arc<[String]>,
}

impl SkillSource {
    /// For the skills of these names.
    pub fn new(names: Vec<String>) -> Self {
        Self {
            names: names.into(),
        }
    }
}

impl ToolSource for SkillSource {
    fn tools(&self, _: &ToolOptions) -> Vec<Arc<dyn Tool>> {
        if self.names.is_empty() {
            return Vec::new();
        }
        let names = Arc::clone(&self.names);
        vec![Arc::new(SkillTool { names })]
    }
}

/// Knows the names of the skills.
#[derive(Clone, Debug)]
pub struct SkillTool {
    names: Arc<[String]>,
}

impl SkillTool {
    /// Its name in calls.
    pub const NAME: &'static str = "skill";

    /// The name that a call asks for.
    pub fn wanted(arguments: &Map<String, Value>) -> Option<&str> {
        arguments.get(NAME.name()).and_then(Value::as_str)
    }

    fn name(&self, arguments: &Map<String, Value>) -> Result<String, ToolError> {
        let name = CallArguments::new(Self::NAME, &[&NAME], arguments)?.text(&NAME)?;
        if self.names.iter().any(|known| known == name) {
            return Ok(name.to_owned());
        }
        let names = self.names.iter().map(String::as_str);
        let guess = similar_names(name, names, 1)
            .first()
            .map(|near| format!(" Did you mean `{near}`?"))
            .unwrap_or_default();
        Err(ToolError(format!(
            "There is no skill `{name}`; there are {}.{guess}",
            self.names.join(", ")
        )))
    }
}

impl Tool for SkillTool {
    fn schema(&self) -> ToolSchema {
        ToolSchema {
            name: Self::NAME.to_owned(),
            description: "Gives the instructions of a skill from the list of skills. Call it \
                before you begin a task that fits the skill's description, and follow what it \
                says. A skill that is in the conversation already needs no other call."
                .to_owned(),
            parameters: object_schema(&[&NAME]),
        }
    }

    fn effect(&self) -> Effect {
        Effect::Read
    }

    fn plan(&self, arguments: &Map<String, Value>, _: &ToolScope) -> Result<Plan, ToolError> {
        let title = self.name(arguments)?;
        Ok(Plan {
            pattern: globset::escape(&title),
            title,
            ..Plan::default()
        })
    }

    fn run(&self, arguments: Map<String, Value>, _: ToolJob) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(async move {
            self.name(&arguments)
                .map(|name| {
                    ToolOutcome::text(format!(
                        "The instructions of the skill `{name}` are in a note of the \
                         conversation."
                    ))
                })
                .into()
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_that_is_none_gets_the_list() {
        let tool = SkillTool {
            names: ["pdf", "release"].map(str::to_owned).into(),
        };
        let name = |value: Value| {
            let arguments = json!({ "name": value });
            tool.name(arguments.as_object().unwrap())
        };
        assert_eq!(name(json!("pdf")).unwrap(), "pdf");
        assert_eq!(
            name(json!("relaese")).unwrap_err().0,
            "There is no skill `relaese`; there are pdf, release. Did you mean `release`?"
        );
        assert!(name(json!(7)).is_err());
    }
}
