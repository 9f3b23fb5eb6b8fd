//! Calls in the form that hooks of the shared kind expect: the tool names and arguments of
//! Claude Code. Whatever has no counterpart there keeps its own name and arguments.

use std::path::Path;

use serde_json::{Map, Value, json};

use crate::transcript::ToolCall;

/// A call as a hook is told.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::agent) struct SharedCall {
    pub name: &'static str,
    pub input: Map<String, Value>,
}

/// One argument under both names.
struct ArgumentName {
    own: &'static str,
    shared: &'static str,
}

const fn named(own: &'static str, shared: &'static str) -> ArgumentName {
    ArgumentName { own, shared }
}

/// A tool under both names. Arguments that are not listed keep theirs.
struct ToolName {
    own: &'static str,
    shared: &'static str,
    arguments: &'static [ArgumentName],
}

const FILE: ArgumentName = named("path", "file_path");

const TOOLS: &[ToolName] = &[
    ToolName {
        own: "shell",
        shared: "Bash",
        arguments: &[named("background", "run_in_background")],
    },
    ToolName {
        own: "job",
        shared: "BashOutput",
        arguments: &[named("id", "bash_id")],
    },
    ToolName {
        own: "read",
        shared: "Read",
        arguments: &[FILE],
    },
    ToolName {
        own: "write",
        shared: "Write",
        arguments: &[FILE],
    },
    ToolName {
        own: "edit",
        shared: "Edit",
        arguments: &[
            FILE,
            named("old_text", "old_string"),
            named("new_text", "new_string"),
        ],
    },
    ToolName {
        own: "list",
        shared: "LS",
        arguments: &[],
    },
    ToolName {
        own: "search",
        shared: "Grep",
        arguments: &[
            named("ignore_case", "-i"),
            named("context", "-C"),
            named("limit", "head_limit"),
        ],
    },
    ToolName {
        own: "todo",
        shared: "TodoWrite",
        arguments: &[],
    },
    ToolName {
        own: "skill",
        shared: "Skill",
        arguments: &[],
    },
    ToolName {
        own: "task",
        shared: "Task",
        arguments: &[],
    },
    ToolName {
        own: "fetch",
        shared: "WebFetch",
        arguments: &[],
    },
];

fn tool(own: &str) -> Option<&'static ToolName> {
    TOOLS.iter().find(|tool| tool.own == own)
}

/// The names under which a matcher may mean a tool, the shared one first.
pub(in crate::agent) fn names_of(call: &ToolCall) -> Vec<String> {
    let shared = shared_call(call, Path::new("")).map(|shared| shared.name.to_owned());
    shared.into_iter().chain([call.name.clone()]).collect()
}

/// A call in the shared form; `None` when its tool has no counterpart.
pub(in crate::agent) fn shared_call(call: &ToolCall, cwd: &Path) -> Option<SharedCall> {
    let tool = tool(&call.name)?;
    let mut input = renamed(
        &call.arguments_object(),
        tool.arguments,
        Direction::ToShared,
    );
    if let Some(Value::String(path)) = input.get_mut(FILE.shared) {
        *path = cwd.join(&*path).display().to_string();
    }
    Some(SharedCall {
        name: tool.shared,
        input,
    })
}

/// The arguments of a tool from those in the shared form.
pub(in crate::agent) fn own_arguments(
    call: &ToolCall,
    shared: &Map<String, Value>,
) -> Map<String, Value> {
    match tool(&call.name) {
        Some(tool) => renamed(shared, tool.arguments, Direction::ToOwn),
        None => shared.clone(),
    }
}

/// The result of a call as a hook is told.
pub(in crate::agent) fn shared_response(call: &ToolCall, text: &str, is_error: bool) -> Value {
    let mut response = json!({"content": text, "is_error": is_error, "success": !is_error});
    if call.name == "shell" {
        response["stdout"] = text.into();
        response["stderr"] = "".into();
        response["interrupted"] = false.into();
    }
    if let Some(path) = call.arguments.get(FILE.own) {
        response["filePath"] = path.clone();
    }
    response
}

#[derive(Clone, Copy)]
enum Direction {
    ToShared,
    ToOwn,
}

fn renamed(
    fields: &Map<String, Value>,
    names: &[ArgumentName],
    direction: Direction,
) -> Map<String, Value> {
    let other = |field: &str| {
        let found = names.iter().find_map(|name| match direction {
            Direction::ToShared => (name.own == field).then_some(name.shared),
            Direction::ToOwn => (name.shared == field).then_some(name.own),
        });
        found.unwrap_or(field).to_owned()
    };
    let fields = fields.iter();
    fields
        .map(|(name, value)| (other(name), value.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: Value) -> ToolCall {
        ToolCall {
            id: "c".to_owned(),
            name: name.to_owned(),
            arguments,
            malformed: None,
        }
    }

    #[test]
    fn calls_have_the_names_that_hooks_expect_and_come_back_as_they_were() {
        for (own, arguments, shared, input) in [
            (
                "shell",
                json!({"command": "ls"}),
                "Bash",
                json!({"command": "ls"}),
            ),
            (
                "read",
                json!({"path": "/w/a.rs", "offset": 3}),
                "Read",
                json!({"file_path": "/w/a.rs", "offset": 3}),
            ),
            (
                "write",
                json!({"path": "/w/a.rs", "content": "x"}),
                "Write",
                json!({"file_path": "/w/a.rs", "content": "x"}),
            ),
            (
                "edit",
                json!({"path": "/w/a", "old_text": "a", "new_text": "b", "replace_all": true}),
                "Edit",
                json!({"file_path": "/w/a", "old_string": "a", "new_string": "b",
                    "replace_all": true}),
            ),
            (
                "search",
                json!({"pattern": "x", "ignore_case": true}),
                "Grep",
                json!({"pattern": "x", "-i": true}),
            ),
        ] {
            let call = call(own, arguments.clone());
            let told = shared_call(&call, Path::new("/w")).unwrap();
            assert_eq!((told.name, json!(told.input)), (shared, input), "{own}");
            assert_eq!(json!(own_arguments(&call, &told.input)), arguments, "{own}");
            assert_eq!(names_of(&call), [shared, own]);
        }
        let foreign = call("mcp__files__get", json!({"path": "a"}));
        assert_eq!(shared_call(&foreign, Path::new("/w")), None);
        assert_eq!(names_of(&foreign), ["mcp__files__get"]);
        let relative = shared_call(&call("read", json!({"path": "a"})), Path::new("/w")).unwrap();
        assert_eq!(relative.input["file_path"], "/w/a");
    }
}
