//! Tools that are not in the list of tools: one tool finds them, another one runs them. What the
//! log holds of both.

use serde_json::Value;

use super::{ToolCall, ToolResult};

/// The tool that finds tools and gives their schemas.
pub const FIND_TOOLS: &str = "find_tools";
/// The tool whose calls stand for calls of what was found.
pub const USE_TOOL: &str = "use_tool";
/// The argument of [`USE_TOOL`] that names the tool.
pub const USED_NAME: &str = "name";
/// The detail of a result of [`FIND_TOOLS`] that names what it holds.
pub const FOUND_DETAIL: &str = "found";

impl ToolCall {
    /// The name of the found tool that it runs.
    pub fn used_tool(&self) -> Option<&str> {
        let name = self.arguments.get(USED_NAME).and_then(Value::as_str);
        name.filter(|_| self.name == USE_TOOL)
    }
}

impl ToolResult {
    /// The names of the tools whose schemas it holds.
    pub fn found_tools(&self) -> impl Iterator<Item = &str> {
        let is_found = self.tool_name == FIND_TOOLS && !self.is_error;
        let details = self.details.as_ref().filter(|_| is_found);
        let found = details.and_then(|details| details.get(FOUND_DETAIL)?.as_array());
        found.into_iter().flatten().filter_map(Value::as_str)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_found_and_used_is_read_from_the_log() {
        let call = |name: &str, arguments| ToolCall {
            id: "c".to_owned(),
            name: name.to_owned(),
            arguments,
            malformed: None,
        };
        let used = call(USE_TOOL, json!({"name": "a__x", "arguments": {}}));
        assert_eq!(used.used_tool(), Some("a__x"));
        assert_eq!(call("other", json!({"name": "a__x"})).used_tool(), None);
        assert_eq!(call(USE_TOOL, json!([])).used_tool(), None);
        let found = ToolResult {
            tool_name: FIND_TOOLS.to_owned(),
            details: Some(json!({"found": ["a__x", 7, "b__y"]})),
            ..ToolResult::default()
        };
        assert_eq!(found.found_tools().collect::<Vec<_>>(), ["a__x", "b__y"]);
        let failed = ToolResult {
            is_error: true,
            ..found
        };
        assert_eq!(failed.found_tools().count(), 0);
    }
}
