//! The text before the conversation: the system prompt and the tools.
//! For reading; the exact bytes of a request are the wire view's business.

use crate::context::{Category, FrameText, ServerShare};
use crate::transcript::ToolSchema;

/// The text of a category; `None` when the category is part of the conversation.
pub(super) fn text(category: Category, frame: &FrameText) -> Option<String> {
    match category {
        Category::System => Some(frame.system.to_string()),
        Category::Memory => frame.memory.as_deref().map(str::to_owned),
        Category::Skills => frame.skills.as_deref().map(str::to_owned),
        Category::Tools => {
            let is_own = |tool: &&ToolSchema| {
                let mut servers = frame.servers.iter();
                !servers.any(|share| share.group.has(tool))
            };
            Some(tools(frame.tools.iter().filter(is_own)))
        }
        Category::Servers => Some(servers(frame)),
        _ => None,
    }
}

/// The tools of each server, below what they take.
fn servers(frame: &FrameText) -> String {
    let part = |share: &ServerShare| {
        let own = frame.tools.iter().filter(|tool| share.group.has(tool));
        format!("# {}\n\n{}", share.in_words(), tools(own))
    };
    let parts: Vec<String> = frame.servers.iter().map(part).collect();
    parts.join("\n\n")
}

fn tools<'a>(tools: impl Iterator<Item = &'a ToolSchema>) -> String {
    let tools: Vec<String> = tools.map(tool).collect();
    tools.join("\n\n")
}

/// A tool as a model reads it: name, description, schema of the arguments.
fn tool(tool: &ToolSchema) -> String {
    let parameters = serde_json::to_string_pretty(&tool.parameters).unwrap_or_default();
    format!("## {}\n{}\n{parameters}", tool.name, tool.description)
}
