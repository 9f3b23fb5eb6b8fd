//! Content in the shapes that the programs share: blocks of the Anthropic and the Google API,
//! images, times, usage.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::Value;

use super::conversation::{SessionDraft, SourcePlace};
use crate::session::{fingerprint, from_rfc3339};
use crate::transcript::{
    AssistantPart, EntryBody, Image, Message, Part, Timestamp, ToolCall, ToolResult, Usage,
    UserMessage, decoded_base64,
};

/// Larger images stay where they are.
const MAX_IMAGE_CHARS: usize = 20 * 1024 * 1024 / 3 * 4;
/// Later times are none: seconds taken for milliseconds, or the other way round.
const LAST_MS: i64 = 4_102_444_800_000;
/// Numbers below this are seconds, not milliseconds.
const FIRST_MS: i64 = 100_000_000_000;
/// Base64 characters that tell what an image is.
const MAGIC_CHARS: usize = 32;

/// The images of a session; the same bytes are held once.
#[derive(Default)]
pub(super) struct ImageShelf {
    held: HashMap<(String, usize), Arc<str>>,
}

impl ImageShelf {
    /// An image as it is held, or the text that stands where it was and cannot be had.
    pub(super) fn part(
        &mut self,
        base64: &str,
        mime: &str,
        name: Option<&str>,
        place: &SourcePlace,
        draft: &mut SessionDraft,
    ) -> Part {
        let base64 = base64.trim();
        let hole = |what: String, draft: &mut SessionDraft| {
            draft.lose(place.clone(), what.clone());
            Part::Text(format!("[{what}]"))
        };
        if base64.len() > MAX_IMAGE_CHARS {
            let bytes = base64.len() / 4 * 3;
            return hole(
                format!("an image of {bytes} bytes was left where it is"),
                draft,
            );
        }
        let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
        let head = decoded_base64(base64.get(..MAGIC_CHARS).unwrap_or(base64));
        if base64.is_empty() || !base64.bytes().all(is_base64) || head.is_empty() {
            return hole(format!("an attachment ({mime}) that is no base64"), draft);
        }
        let Some(mime) = mime_of(&head, mime) else {
            return hole(
                format!("an attachment of an unsupported kind ({mime})"),
                draft,
            );
        };
        let key = (fingerprint(base64.as_bytes()), base64.len());
        let data = self.held.entry(key).or_insert_with(|| Arc::from(base64));
        Part::Image(Image {
            data: Arc::clone(data),
            mime: mime.to_owned(),
            name: name.map(str::to_owned),
        })
    }

    /// An image that is given as a URL: inside it (`data:`), else a reference that is not
    /// followed.
    pub(super) fn part_of_url(
        &mut self,
        url: &str,
        name: Option<&str>,
        place: &SourcePlace,
        draft: &mut SessionDraft,
    ) -> Part {
        let inside = url.strip_prefix("data:").and_then(|it| it.split_once(','));
        if let Some((mime, base64)) = inside {
            let mime = mime.split(';').next().unwrap_or_default();
            return self.part(base64, mime, name, place, draft);
        }
        let shown: String = url.chars().filter(|c| !c.is_control()).take(200).collect();
        let what = format!("a file that was only referred to: {shown}");
        draft.lose(place.clone(), what.clone());
        Part::Text(format!("[{what}]"))
    }
}

/// The type by the bytes; what is said decides only where they do not tell.
fn mime_of(head: &[u8], said: &str) -> Option<&'static str> {
    if head.starts_with(b"\x89PNG") {
        Some("image/png")
    } else if head.starts_with(b"\xff\xd8\xff") {
        Some("image/jpeg")
    } else if head.starts_with(b"GIF8") {
        Some("image/gif")
    } else if head.starts_with(b"RIFF") && head.get(8..12) == Some(b"WEBP") {
        Some("image/webp")
    } else if head.starts_with(b"%PDF") {
        Some("application/pdf")
    } else {
        let known = ["image/heic", "image/heif", "image/avif"];
        known.into_iter().find(|mime| *mime == said)
    }
}

/// Whether a part of an answer is reasoning.
pub(super) fn is_reasoning(part: &AssistantPart) -> bool {
    matches!(
        part,
        AssistantPart::Thinking { .. } | AssistantPart::RedactedThinking { .. }
    )
}

/// The text of a member; empty when it is none.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The text of a member; `None` when it is empty or none.
pub(super) fn some_text(value: &Value, key: &str) -> Option<String> {
    Some(text(value, key).to_owned()).filter(|it| !it.is_empty())
}

/// The truth of a member; false when it is none.
pub(super) fn flag(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or_default()
}

/// The number of a member; 0 when it is none.
pub(super) fn number(value: &Value, key: &str) -> u64 {
    let number = value.get(key);
    let whole = number.and_then(Value::as_u64);
    let any = || {
        number
            .and_then(Value::as_f64)
            .map_or(0, |it| it.max(0.0) as u64)
    };
    whole.unwrap_or_else(any).min(Usage::MAX_TOKENS)
}

/// The elements of a member; none when it is no list.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// A time as RFC 3339, in seconds or in milliseconds; 0 when it is none or cannot be right.
pub(super) fn time(value: Option<&Value>) -> Timestamp {
    let at = match value {
        Some(Value::String(text)) => from_rfc3339(text).map_or(0, |at| at.0),
        Some(Value::Number(number)) => number
            .as_i64()
            .or_else(|| number.as_f64().map(|it| it as i64))
            .unwrap_or_default(),
        _ => 0,
    };
    time_of_number(at)
}

/// Seconds or milliseconds as a time.
pub(super) fn time_of_number(at: i64) -> Timestamp {
    let at = if at.abs() < FIRST_MS {
        at.saturating_mul(1_000)
    } else {
        at
    };
    Timestamp(if (0..LAST_MS).contains(&at) { at } else { 0 })
}

/// A time that is written without a zone, taken as UTC: `2026-11-22 09:05:00`.
pub(super) fn written_time(text: &str) -> Timestamp {
    let rfc = format!("{}Z", text.trim().replacen(' ', "T", 1));
    from_rfc3339(&rfc).unwrap_or_default()
}

/// A call with arguments of any shape.
pub(super) fn call(id: &str, name: &str, arguments: Option<&Value>) -> AssistantPart {
    let (arguments, malformed) = match arguments {
        Some(object @ Value::Object(_)) => (object.clone(), None),
        None | Some(Value::Null) => (Value::Object(serde_json::Map::new()), None),
        Some(Value::String(raw)) => match serde_json::from_str(raw) {
            Ok(object @ Value::Object(_)) => (object, None),
            _ if raw.trim().is_empty() => (Value::Object(serde_json::Map::new()), None),
            _ => (Value::Object(serde_json::Map::new()), Some(raw.clone())),
        },
        Some(other) => (
            Value::Object(serde_json::Map::new()),
            Some(other.to_string()),
        ),
    };
    AssistantPart::ToolCall(ToolCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments,
        malformed,
    })
}

/// Content of the Anthropic API that a user message or a result holds: a text, or blocks of
/// text and images. Other blocks are none of ours.
pub(super) fn anthropic_parts(
    content: &Value,
    shelf: &mut ImageShelf,
    place: &SourcePlace,
    draft: &mut SessionDraft,
) -> Vec<Part> {
    let blocks = match content {
        Value::String(text) => return vec![Part::Text(text.clone())],
        Value::Array(blocks) => blocks,
        _ => return Vec::new(),
    };
    let mut parts = Vec::new();
    for block in blocks {
        match text(block, "type") {
            "text" => parts.push(Part::Text(text(block, "text").to_owned())),
            "image" | "document" => {
                let source = block.get("source").unwrap_or(block);
                let mime = [text(source, "media_type"), text(source, "mimeType")];
                let mime = mime
                    .into_iter()
                    .find(|it| !it.is_empty())
                    .unwrap_or_default();
                let part = match text(source, "url") {
                    "" => shelf.part(text(source, "data"), mime, None, place, draft),
                    url => shelf.part_of_url(url, None, place, draft),
                };
                parts.push(part);
            }
            // Results are entries of their own.
            "tool_result" | "tool_use" | "thinking" | "redacted_thinking" => {}
            "tool_reference" => {
                let name = text(block, "tool_name");
                parts.push(Part::Text(format!("[tool {name}]")));
            }
            "file" => {
                let (path, content) = (text(block, "path"), text(block, "content"));
                parts.push(Part::Text(format!("{path}:\n{content}")));
            }
            other => {
                let reason = format!("a block of the unknown type {other:?} in a message");
                draft.lose(place.clone(), reason);
            }
        }
    }
    parts
}

/// A block of an answer of the Anthropic API.
pub(super) fn anthropic_answer_part(block: &Value) -> Option<AssistantPart> {
    match text(block, "type") {
        "text" => Some(AssistantPart::Text(text(block, "text").to_owned())),
        "thinking" => Some(AssistantPart::Thinking {
            text: text(block, "thinking").to_owned(),
            signature: some_text(block, "signature"),
        }),
        "redacted_thinking" => Some(AssistantPart::RedactedThinking {
            data: text(block, "data").to_owned(),
        }),
        "tool_use" | "server_tool_use" => Some(call(
            text(block, "id"),
            text(block, "name"),
            block.get("input"),
        )),
        _ => None,
    }
}

/// Usage as the Anthropic API reports it; `None` when it counts nothing.
pub(super) fn anthropic_usage(usage: &Value) -> Option<Usage> {
    let hour = usage.get("cache_creation");
    let details = usage.get("output_tokens_details");
    let usage = Usage {
        input_tokens: number(usage, "input_tokens"),
        output_tokens: number(usage, "output_tokens"),
        reasoning_tokens: details.map_or(0, |it| number(it, "thinking_tokens")),
        cache_read_tokens: number(usage, "cache_read_input_tokens"),
        cache_write_tokens: number(usage, "cache_creation_input_tokens"),
        cache_write_hour_tokens: hour.map_or(0, |it| number(it, "ephemeral_1h_input_tokens")),
        ..Usage::default()
    };
    (!usage.is_empty()).then(|| usage.bounded())
}

/// A message that a person typed.
pub(super) fn typed(content: Vec<Part>) -> EntryBody {
    EntryBody::Message(Arc::new(Message::User(UserMessage { content })))
}

/// What a program told the model in the user's role.
pub(super) fn injected(custom_type: &str, content: Vec<Part>) -> EntryBody {
    EntryBody::CustomMessage {
        custom_type: custom_type.to_owned(),
        content,
        display: false,
    }
}

/// The result of a call.
pub(super) fn result(result: ToolResult) -> EntryBody {
    EntryBody::Message(Arc::new(Message::ToolResult(result)))
}

/// Whether there is nothing to read in it.
pub(super) fn is_blank(parts: &[Part]) -> bool {
    parts
        .iter()
        .all(|part| matches!(part, Part::Text(text) if text.trim().is_empty()))
}

/// The text of parts, joined by newlines.
pub(super) fn joined_text(parts: &[Part]) -> String {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        Part::Image(_) => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}
