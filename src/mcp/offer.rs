//! A tool of a server as a model gets it: named after the server, with bounds, and without what
//! a terminal would obey.

use std::collections::HashSet;

use rmcp::model::Tool as ServerTool;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::content::harmless;
use super::names::tool_name;
use crate::config::McpServer;
use crate::engine::recall::rough_tokens;
use crate::transcript::ToolSchema;

/// Tools of one server.
pub(super) const MAX_TOOLS: usize = 2_000;
/// Characters of a description.
const MAX_DESCRIPTION_CHARS: usize = 4_000;
/// Bytes of a schema; one that is larger is replaced by one that takes any object.
const MAX_SCHEMA_BYTES: usize = 64 * 1024;
/// Levels of a schema that are looked at.
const MAX_DEPTH: usize = 24;

/// See the module's description.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OfferedTool {
    /// Its name for models: `server__tool`.
    pub name: String,
    /// Its name for the server.
    pub tool: String,
    /// What it does, in the server's words.
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: Value,
    /// The server says that it only looks. It is only said.
    pub says_it_only_looks: bool,
}

impl OfferedTool {
    /// Its schema for the list of tools.
    pub(super) fn schema(&self) -> ToolSchema {
        ToolSchema {
            name: self.name.clone(),
            description: self.description.clone(),
            parameters: self.parameters.clone(),
        }
    }

    /// Tokens of its schema, by rule of thumb.
    pub fn tokens(&self) -> u64 {
        let schema = json!({
            "name": self.name,
            "description": self.description,
            "parameters": self.parameters,
        });
        rough_tokens(&schema.to_string())
    }
}

/// The tools of a server that are offered, in the order of their names: the server's own order
/// may differ from start to start.
pub(super) fn offered(server: &McpServer, tools: Vec<ServerTool>) -> Vec<OfferedTool> {
    let mut names = HashSet::new();
    let wanted = |tool: &ServerTool| {
        server.tools.is_empty() || server.tools.iter().any(|name| *name == tool.name)
    };
    let mut offered: Vec<OfferedTool> = tools
        .into_iter()
        .filter(wanted)
        .map(|tool| offer(server, tool))
        .filter(|tool| names.insert(tool.name.clone()))
        .take(MAX_TOOLS)
        .collect();
    offered.sort_by(|a, b| a.name.cmp(&b.name));
    offered
}

fn offer(server: &McpServer, tool: ServerTool) -> OfferedTool {
    let description = tool.description.as_deref().or(tool.title.as_deref());
    let description = description.unwrap_or_default();
    let description: String = description.chars().take(MAX_DESCRIPTION_CHARS).collect();
    let says = tool.annotations.as_ref().and_then(|it| it.read_only_hint);
    OfferedTool {
        name: tool_name(&server.name, &tool.name),
        description: harmless(&description).trim().to_owned(),
        parameters: parameters(tool.input_schema.as_ref().clone()),
        says_it_only_looks: says == Some(true),
        tool: tool.name.into_owned(),
    }
}

/// The schema of a server, as an object with properties, which every provider takes.
fn parameters(mut schema: Map<String, Value>) -> Value {
    let is_object = schema.get("type").is_none_or(|it| it == "object");
    let properties = schema.get("properties").is_none_or(Value::is_object);
    let size = serde_json::to_string(&schema).map_or(usize::MAX, |text| text.len());
    if !is_object || !properties || size > MAX_SCHEMA_BYTES {
        return json!({"type": "object", "properties": {}});
    }
    schema.shift_remove("$schema");
    schema.insert("type".to_owned(), json!("object"));
    schema.entry("properties").or_insert_with(|| json!({}));
    let mut schema = Value::Object(schema);
    clean(&mut schema, MAX_DEPTH);
    schema
}

/// Makes the texts of a schema harmless. What lies deeper than a schema does is taken out.
fn clean(value: &mut Value, depth: usize) {
    match value {
        Value::String(text) => *text = harmless(text),
        _ if depth == 0 => *value = Value::Null,
        Value::Array(items) => {
            for item in items {
                clean(item, depth - 1);
            }
        }
        Value::Object(fields) => {
            *fields = std::mem::take(fields)
                .into_iter()
                .map(|(name, mut value)| {
                    clean(&mut value, depth - 1);
                    (harmless(&name), value)
                })
                .collect();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{McpReach, SettingOrigin};

    fn server(tools: &[&str]) -> McpServer {
        McpServer {
            name: "files".to_owned(),
            reach: McpReach::Program {
                command: "files".to_owned(),
                args: Vec::new(),
                env: std::collections::BTreeMap::new(),
                cwd: None,
            },
            deadline_secs: 5,
            tools: tools.iter().map(|it| (*it).to_owned()).collect(),
            off: false,
            origin: SettingOrigin::Default,
        }
    }

    fn listed(value: Value) -> Vec<ServerTool> {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn a_tool_is_named_after_its_server_and_loses_what_a_terminal_obeys() {
        let tools = listed(json!([
            {"name": "write", "inputSchema": {"type": "object"}},
            {"name": "read", "description": "Reads\u{1b}[2J a file.\u{7}", "inputSchema": {
                "$schema": "x", "type": "object", "required": ["path"],
                "properties": {"path": {"type": "string", "description": "\u{1b}]0;hi\u{7}Path"}}},
                "annotations": {"readOnlyHint": true}},
            {"name": "read", "inputSchema": {}},
        ]));
        let offered = offered(&server(&[]), tools);
        let names: Vec<_> = offered.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["files__read", "files__write"]);
        let read = &offered[0];
        assert_eq!(read.description, "Reads a file.");
        assert!(read.says_it_only_looks);
        assert_eq!(
            read.parameters,
            json!({"type": "object", "required": ["path"],
                "properties": {"path": {"type": "string", "description": "Path"}}})
        );
        assert_eq!(
            offered[1].parameters,
            json!({"type": "object", "properties": {}})
        );
    }

    #[test]
    fn only_tools_of_the_list_are_offered() {
        let tools = json!([
            {"name": "read", "inputSchema": {}}, {"name": "write", "inputSchema": {}}]);
        let offered = offered(&server(&["write", "gone"]), listed(tools));
        assert_eq!(offered.len(), 1);
        assert_eq!(offered[0].tool, "write");
    }

    #[test]
    fn a_schema_that_is_none_or_too_large_takes_any_object() {
        let any = json!({"type": "object", "properties": {}});
        let large = "x".repeat(MAX_SCHEMA_BYTES);
        for schema in [
            json!({"type": "string"}),
            json!({"properties": 7}),
            json!({"description": large}),
        ] {
            assert_eq!(parameters(schema.as_object().unwrap().clone()), any);
        }
        let mut deep = json!("end");
        for _ in 0..100 {
            deep = json!({"properties": {"a": deep}});
        }
        let cut = parameters(deep.as_object().unwrap().clone());
        assert!(!cut.to_string().contains("end"));
    }
}
