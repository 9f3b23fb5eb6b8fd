//! Items of the Responses API as codex stores them.

use serde_json::Value;

use crate::foreign::conversation::{SessionDraft, SourcePlace};
use crate::foreign::parts::{self, ImageShelf};
use crate::transcript::{AssistantPart, Part};

/// How texts begin that the program put into the user's role.
const INJECTED: [&str; 7] = [
    "<environment_context>",
    "<user_instructions>",
    "# AGENTS.md",
    "<skills_instructions>",
    "<turn_aborted>",
    "<permissions instructions>",
    "<subagent_notification>",
];

/// Whether a person typed a message of the user's role: newer files say so for each part,
/// older ones only by how the text begins.
pub(super) fn is_typed(item: &Value) -> bool {
    let about = item.get("internal_chat_message_metadata_passthrough");
    let kinds = about.map_or(&[][..], |it| parts::list(it, "content_item_kinds"));
    let mut kinds = kinds.iter().filter_map(Value::as_str).peekable();
    if kinds.peek().is_some() {
        return kinds.any(|kind| kind.starts_with("user."));
    }
    let first = parts::list(item, "content")
        .iter()
        .find_map(|it| it.get("text")?.as_str());
    let first = first.unwrap_or_default().trim_start();
    !INJECTED.iter().any(|it| first.starts_with(it))
}

/// The content of a message. An image stands between two marks, which are no text.
pub(super) fn content(
    list: &[Value],
    shelf: &mut ImageShelf,
    place: &SourcePlace,
    draft: &mut SessionDraft,
) -> Vec<Part> {
    let is_image = |at: usize| {
        list.get(at)
            .is_some_and(|it| parts::text(it, "type") == "input_image")
    };
    let mut out = Vec::new();
    for (at, part) in list.iter().enumerate() {
        match parts::text(part, "type") {
            "input_text" | "output_text" | "text" => {
                let text = parts::text(part, "text");
                let trimmed = text.trim();
                let opens =
                    trimmed.starts_with("<image") && trimmed.ends_with('>') && is_image(at + 1);
                let closes = trimmed == "</image>" && at > 0 && is_image(at - 1);
                if !opens && !closes {
                    out.push(Part::Text(text.to_owned()));
                }
            }
            "input_image" => {
                let url = parts::text(part, "image_url");
                out.push(shelf.part_of_url(url, None, place, draft));
            }
            "refusal" => out.push(Part::Text(parts::text(part, "refusal").to_owned())),
            // The task of a sub-agent lies here, even in clear; what is encrypted is one word.
            "encrypted_content" => {
                let text = parts::text(part, "encrypted_content");
                if text.contains(char::is_whitespace) {
                    out.push(Part::Text(text.to_owned()));
                } else {
                    draft.lose(place.clone(), "an encrypted part of a message");
                }
            }
            other => {
                let reason = format!("a part of the unknown type {other:?} in a message");
                draft.lose(place.clone(), reason);
            }
        }
    }
    out
}

/// Reasoning: its summary, and the whole item for the provider that encrypted it.
pub(super) fn reasoning(item: &Value) -> AssistantPart {
    let texts = |key: &str| -> Vec<&str> {
        let list = parts::list(item, key).iter();
        list.filter_map(|it| it.get("text")?.as_str()).collect()
    };
    let mut text = texts("summary");
    if text.is_empty() {
        text = texts("content");
    }
    let encrypted = item.get("encrypted_content").is_some_and(Value::is_string);
    let signature = encrypted.then(|| {
        serde_json::json!({
            "type": "reasoning",
            "id": item.get("id"),
            "summary": item.get("summary"),
            "encrypted_content": item.get("encrypted_content"),
        })
        .to_string()
    });
    AssistantPart::Thinking {
        text: text.join("\n"),
        signature,
    }
}

/// The call in an item; `None` when it is none.
pub(super) fn call(item: &Value) -> Option<AssistantPart> {
    let id = match parts::text(item, "call_id") {
        "" => parts::text(item, "id"),
        id => id,
    };
    let name = parts::text(item, "name");
    match parts::text(item, "type") {
        "function_call" => Some(parts::call(id, name, item.get("arguments"))),
        "custom_tool_call" => {
            let input = serde_json::json!({ "input": item.get("input") });
            Some(parts::call(id, name, Some(&input)))
        }
        "local_shell_call" => Some(parts::call(id, "local_shell", item.get("action"))),
        "tool_search_call" => Some(parts::call(id, "tool_search", item.get("arguments"))),
        "web_search_call" => Some(parts::call(id, "web_search", item.get("action"))),
        _ => None,
    }
}

/// The output of a call as content.
pub(super) fn output(
    item: &Value,
    shelf: &mut ImageShelf,
    place: &SourcePlace,
    draft: &mut SessionDraft,
) -> Vec<Part> {
    match item.get("output").or_else(|| item.get("tools")) {
        Some(Value::String(text)) => vec![Part::Text(unwrapped(text))],
        Some(Value::Array(list)) => content(list, shelf, place, draft),
        Some(object @ Value::Object(_)) => match object.get("content") {
            Some(Value::String(text)) => vec![Part::Text(text.clone())],
            Some(Value::Array(list)) => content(list, shelf, place, draft),
            _ => vec![Part::Text(object.to_string())],
        },
        _ => Vec::new(),
    }
}

/// Older outputs are JSON with the text and the exit code in it.
fn unwrapped(text: &str) -> String {
    let object = serde_json::from_str::<Value>(text).ok();
    let inner = object.filter(|it| it.get("metadata").is_some());
    let inner = inner.and_then(|it| it.get("output")?.as_str().map(str::to_owned));
    inner.unwrap_or_else(|| text.to_owned())
}

/// Whether an output says that its call failed. There is no flag: the exit code stands in the
/// lines before the output itself, or in JSON around it.
pub(super) fn has_failed(item: &Value) -> bool {
    let output = item.get("output");
    if let Some(object) = output.filter(|it| it.is_object()) {
        return object.get("success").and_then(Value::as_bool) == Some(false);
    }
    let text = match output {
        Some(Value::String(text)) => text.as_str(),
        Some(Value::Array(list)) => list
            .iter()
            .find_map(|it| it.get("text")?.as_str())
            .unwrap_or_default(),
        _ => "",
    };
    if text.starts_with("unsupported call: ") {
        return true;
    }
    let code = |metadata: &Value| metadata.get("exit_code").and_then(Value::as_i64);
    if text.starts_with('{')
        && let Ok(object) = serde_json::from_str::<Value>(text)
    {
        let code = object
            .get("metadata")
            .and_then(code)
            .or_else(|| code(&object));
        return code.is_some_and(|code| code != 0);
    }
    let head = text.lines().take_while(|line| *line != "Output:").take(8);
    let mut codes = head.filter_map(|line| {
        let code = line.strip_prefix("Process exited with code ");
        let code = code.or_else(|| line.strip_prefix("Exit code: "));
        code?.trim().parse::<i64>().ok()
    });
    codes.any(|code| code != 0)
}

/// The text of all parts of a message.
pub(super) fn plain_text(item: &Value) -> String {
    let texts = parts::list(item, "content").iter();
    let texts: Vec<&str> = texts.filter_map(|it| it.get("text")?.as_str()).collect();
    texts.join("\n")
}
