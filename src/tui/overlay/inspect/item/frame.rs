//! The text before the conversation: the system prompt and the tools.
//! For reading; the exact bytes of a request are the wire view's business.

use crate::context::{Category, FrameText};
use crate::transcript::ToolSchema;

/// The text of a category; `None` when the category is part of the conversation.
pub(super) fn text(category: Category, frame: &FrameText) -> Option<String> {
    match category {
        Category::System => Some(frame.system.to_string()),
        Category::Memory => frame.memory.as_deref().map(str::to_owned),
        Category::Tools => Some(
            frame
                .tools
                .iter()
                .map(tool)
                .collect::<Vec<_>>()
                .join("\n\n"),
        ),
        _ => None,
    }
}

/// A tool as a model reads it: name, description, schema of the arguments.
fn tool(tool: &ToolSchema) -> String {
    let parameters = serde_json::to_string_pretty(&tool.parameters).unwrap_or_default();
    format!("## {}\n{}\n{parameters}", tool.name, tool.description)
}
