//! The `todo` tool: takes the whole list of steps that a model keeps. It changes nothing on
//! the machine; the list lives in the log, with the result that this tool answers.

use futures::future::BoxFuture;
use serde_json::{Map, Value};

use super::arguments::{
    ArgumentRow, CallArguments, ObjectList, RequiredChoice, RequiredText, object_schema,
};
use super::interface::{Effect, Tool};
use super::outcome::{ToolError, ToolOutcome};
use super::plan::Plan;
use super::scope::{ToolJob, ToolScope};
use crate::transcript::{TodoItem, TodoList, TodoState, ToolSchema};

/// Steps of a list; it is shown beside the composer and sent again after each summary.
const MAX_ITEMS: usize = 40;
/// Characters of a step.
const MAX_ITEM_CHARS: usize = 200;

static TEXT: RequiredText = RequiredText::new("text", "The step, a short phrase.");
static STATE: RequiredChoice = RequiredChoice {
    name: "state",
    description: "How far it is.",
    choices: || TodoState::ALL.map(TodoState::name).to_vec(),
};
static TODOS: ObjectList = ObjectList {
    name: "todos",
    description: "All steps, in order. Empty removes the list.",
    item: &[&TEXT, &STATE],
};

/// Keeps the list.
#[derive(Clone, Copy, Debug)]
pub struct TodoTool;

impl Tool for TodoTool {
    fn schema(&self) -> ToolSchema {
        ToolSchema {
            name: TodoList::TOOL.to_owned(),
            description: "Keeps the list of steps of the present task, in sight of the user. \
                Give the whole list each time; it replaces the one before. Use it for tasks of \
                three steps and more: write it at the start, have at most one step in progress, \
                and update it when a step is done. It is kept when the conversation is \
                summarised."
                .to_owned(),
            parameters: object_schema(&[&TODOS]),
        }
    }

    fn effect(&self) -> Effect {
        Effect::Read
    }

    fn plan(&self, arguments: &Map<String, Value>, _: &ToolScope) -> Result<Plan, ToolError> {
        let title = standing(&parse(arguments)?);
        Ok(Plan {
            pattern: globset::escape(&title),
            title,
            ..Plan::default()
        })
    }

    fn run(&self, arguments: Map<String, Value>, _: ToolJob) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(async move {
            parse(&arguments)
                .map(|list| {
                    ToolOutcome::text(format!("The list is kept: {}.", standing(&list)))
                        .with_details(list.to_details())
                })
                .into()
        })
    }
}

fn standing(list: &TodoList) -> String {
    format!("{} of {} done", list.done(), list.items.len())
}

fn parse(arguments: &Map<String, Value>) -> Result<TodoList, ToolError> {
    let given = CallArguments::new(TodoList::TOOL, &[&TODOS], arguments)?.list(&TODOS)?;
    if given.len() > MAX_ITEMS {
        return Err(ToolError(format!(
            "todo: {} steps are too many; {MAX_ITEMS} at most, so put some of them together.",
            given.len()
        )));
    }
    let items = given.iter().enumerate().map(|(at, value)| item(at, value));
    Ok(TodoList {
        items: items.collect::<Result<_, _>>()?,
    })
}

fn item(at: usize, value: &Value) -> Result<TodoItem, ToolError> {
    let number = at + 1;
    let field = |name: &str| value.get(name).and_then(Value::as_str);
    let text = field(TEXT.name())
        .map(str::trim)
        .filter(|text| !text.is_empty());
    let text = text.ok_or_else(|| ToolError(format!("todo: step {number} has no `text`.")))?;
    // It is one line wherever it is shown.
    let text: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().nth(MAX_ITEM_CHARS).is_some() {
        return Err(ToolError(format!(
            "todo: step {number} is longer than {MAX_ITEM_CHARS} characters."
        )));
    }
    let state = field(STATE.name()).and_then(TodoState::from_name);
    let state = state.ok_or_else(|| {
        let names = TodoState::ALL.map(TodoState::name).join(", ");
        ToolError(format!(
            "todo: the `state` of step {number} is one of {names}."
        ))
    })?;
    Ok(TodoItem { text, state })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(todos: &Value) -> Result<TodoList, String> {
        let arguments = json!({ "todos": todos });
        parse(arguments.as_object().unwrap()).map_err(|error| error.0)
    }

    #[test]
    fn a_list_is_taken_as_a_whole_and_said_how_far_it_is() {
        let list = parsed(&json!([
            {"text": " find\nit ", "state": "done"},
            {"text": "mend it", "state": "in_progress"}
        ]))
        .unwrap();
        assert_eq!(list.items[0].text, "find it");
        assert_eq!(standing(&list), "1 of 2 done");
        assert!(parsed(&json!([])).unwrap().items.is_empty());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_step() {
        let step = |text: &str, state: &str| json!({"text": text, "state": state});
        for (todos, complaint) in [
            (json!("a"), "`todos`"),
            (json!([step("a", "done"), step(" ", "done")]), "step 2"),
            (json!([step("a", "finished")]), "pending, in_progress, done"),
            (json!([step(&"x".repeat(201), "done")]), "200 characters"),
            (json!(vec![step("a", "done"); 41]), "41 steps"),
        ] {
            let error = parsed(&todos).unwrap_err();
            assert!(error.contains(complaint), "{error}");
        }
    }
}
