//! Which tools fit some words: the ranking of recall, over names, descriptions and arguments.

use std::sync::Arc;

use serde_json::Value;

use super::offer::OfferedTool;
use crate::engine::recall::TextIndex;

/// The best tools, the best first.
pub(super) fn find(query: &str, tools: &[Arc<OfferedTool>], limit: usize) -> Vec<Arc<OfferedTool>> {
    if let Some(exact) = tools.iter().find(|tool| tool.name == query.trim()) {
        return vec![Arc::clone(exact)];
    }
    let mut index = TextIndex::default();
    let texts: Vec<String> = tools.iter().map(|tool| text_of(tool)).collect();
    for (number, text) in texts.iter().enumerate() {
        index.add(number as u32, text);
    }
    let read = |number: u32| texts.get(number as usize).cloned().unwrap_or_default();
    let hits = index.search(&index.weigh(query), limit, &|_| true, &read);
    let found = hits.iter().filter_map(|hit| tools.get(hit.text as usize));
    found.cloned().collect()
}

/// What is searched of a tool. Its name counts twice: who asks for `create issue` means it.
fn text_of(tool: &OfferedTool) -> String {
    let words = tool.name.replace(['_', '-'], " ");
    let mut text = format!("{} {words}. {words}. {}", tool.name, tool.description);
    let properties = tool.parameters.get("properties").and_then(Value::as_object);
    for (name, schema) in properties.into_iter().flatten() {
        let description = schema.get("description").and_then(Value::as_str);
        text.push_str(". ");
        text.push_str(name);
        text.push(' ');
        text.push_str(description.unwrap_or_default());
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str, description: &str, argument: &str) -> Arc<OfferedTool> {
        Arc::new(OfferedTool {
            name: name.to_owned(),
            tool: name.to_owned(),
            description: description.to_owned(),
            parameters: json!({"type": "object", "properties": {argument: {"type": "string"}}}),
            says_it_only_looks: false,
        })
    }

    fn names(found: &[Arc<OfferedTool>]) -> Vec<&str> {
        found.iter().map(|it| it.name.as_str()).collect()
    }

    #[test]
    fn names_descriptions_and_arguments_are_searched() {
        let tools = [
            tool("github__create_issue", "Opens a ticket.", "title"),
            tool("github__list_issues", "Lists tickets.", "repository"),
            tool("db__query", "Runs a statement.", "sql"),
            tool("files__read_file", "Reads a file.", "path"),
        ];
        assert_eq!(
            names(&find("create an issue", &tools, 5))[0],
            "github__create_issue"
        );
        assert_eq!(names(&find("sql", &tools, 5)), ["db__query"]);
        assert_eq!(
            names(&find("files__read_file", &tools, 5)),
            ["files__read_file"]
        );
        assert_eq!(find("ticket issue file", &tools, 2).len(), 2);
        assert!(find("weather", &tools, 5).is_empty());
        assert!(find("", &tools, 5).is_empty());
    }
}
