//! Calls of tools that are not in the list of tools: the list stays as it was, and a call of
//! one small tool names the one that is meant.

use serde_json::Value;

use crate::transcript::{ToolCall, USE_TOOL};

/// The argument with its arguments.
const ARGUMENTS: &str = "arguments";

/// The call that a call of [`USE_TOOL`] stands for. Some models write the arguments as a text.
pub(super) fn inner(call: &ToolCall) -> Option<ToolCall> {
    if call.name != USE_TOOL || call.malformed.is_some() {
        return None;
    }
    let name = call.used_tool()?;
    let arguments = match call.arguments.get(ARGUMENTS) {
        None | Some(Value::Null) => Value::Object(serde_json::Map::new()),
        Some(Value::String(text)) => serde_json::from_str(text).ok()?,
        Some(value) => value.clone(),
    };
    arguments.is_object().then(|| ToolCall {
        id: call.id.clone(),
        name: name.to_owned(),
        arguments,
        malformed: None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn meant(name: &str, arguments: Value) -> Option<(String, Value)> {
        let call = ToolCall {
            id: "call_1".to_owned(),
            name: name.to_owned(),
            arguments,
            malformed: None,
        };
        inner(&call).map(|inner| (inner.name, inner.arguments))
    }

    #[test]
    fn the_tool_that_is_meant_is_found_with_its_arguments() {
        let found = Some(("a__b".to_owned(), json!({"x": 1})));
        let arguments = [json!({"x": 1}), json!("{\"x\": 1}")];
        for arguments in arguments {
            let given = json!({"name": "a__b", "arguments": arguments});
            assert_eq!(meant(USE_TOOL, given.clone()), found);
            assert_eq!(meant("other", given), None);
        }
        let none = Some(("a__b".to_owned(), json!({})));
        assert_eq!(meant(USE_TOOL, json!({"name": "a__b"})), none);
        for wrong in [
            json!({}),
            json!({"name": 7}),
            json!({"name": "a", "arguments": [1]}),
            json!({"name": "a", "arguments": "x"}),
        ] {
            assert_eq!(meant(USE_TOOL, wrong), None);
        }
    }
}
