//! Content of the Google API, which gemini-cli and qwen-code store: parts of text, thoughts,
//! calls, responses and inline data.

use std::collections::HashMap;

use serde_json::Value;

use super::conversation::{SessionDraft, SourcePlace};
use super::entry_tree::EntryTree;
use super::parts::{self, ImageShelf};
use crate::transcript::{AssistantPart, EntryId, Message, Part, Usage};

/// A content, divided by what its parts are.
#[derive(Debug, Default)]
pub(super) struct GoogleParts {
    /// Text and images.
    pub(super) shown: Vec<Part>,
    /// The same as an answer: thoughts, text, calls.
    pub(super) answer: Vec<AssistantPart>,
    /// Results of calls.
    pub(super) results: Vec<GoogleResult>,
}

/// A `functionResponse`.
#[derive(Debug)]
pub(super) struct GoogleResult {
    pub(super) call: String,
    pub(super) content: Vec<Part>,
    pub(super) is_error: bool,
}

impl GoogleParts {
    /// Id and name of each call.
    pub(super) fn calls(&self) -> impl Iterator<Item = (&str, &str)> {
        self.answer.iter().filter_map(|part| match part {
            AssistantPart::ToolCall(call) => Some((call.id.as_str(), call.name.as_str())),
            _ => None,
        })
    }

    /// The text without thoughts.
    pub(super) fn visible_text(&self) -> String {
        parts::joined_text(&self.shown)
    }
}

/// Reads a content: a text, a part, or a list of parts.
pub(super) fn read(
    content: &Value,
    shelf: &mut ImageShelf,
    place: &SourcePlace,
    draft: &mut SessionDraft,
) -> GoogleParts {
    let mut read = GoogleParts::default();
    let list = match content {
        Value::Array(list) => list.as_slice(),
        Value::Object(_) => std::slice::from_ref(content),
        Value::String(text) if !text.is_empty() => {
            read.shown.push(Part::Text(text.clone()));
            read.answer.push(AssistantPart::Text(text.clone()));
            return read;
        }
        _ => return read,
    };
    for part in list {
        if let Value::String(text) = part {
            read.shown.push(Part::Text(text.clone()));
            read.answer.push(AssistantPart::Text(text.clone()));
        } else if let Some(call) = part.get("functionCall") {
            let args = call.get("args");
            read.answer.push(parts::call(
                parts::text(call, "id"),
                parts::text(call, "name"),
                args,
            ));
        } else if let Some(response) = part.get("functionResponse") {
            read.results
                .push(response_of(response, shelf, place, draft));
        } else if let Some(data) = part.get("inlineData") {
            let (base64, mime) = (parts::text(data, "data"), parts::text(data, "mimeType"));
            read.shown
                .push(shelf.part(base64, mime, None, place, draft));
        } else if let Some(data) = part.get("fileData") {
            let uri = parts::text(data, "fileUri");
            read.shown.push(shelf.part_of_url(uri, None, place, draft));
        } else if let Some(text) = part.get("text").and_then(Value::as_str) {
            if parts::flag(part, "thought") {
                let signature = parts::text(part, "thoughtSignature").to_owned();
                read.answer.push(AssistantPart::Thinking {
                    text: text.to_owned(),
                    signature: Some(signature).filter(|it| !it.is_empty()),
                });
            } else {
                read.shown.push(Part::Text(text.to_owned()));
                read.answer.push(AssistantPart::Text(text.to_owned()));
            }
        } else {
            let known = part.as_object().and_then(|it| it.keys().next());
            let kind = known.cloned().unwrap_or_default();
            draft.lose(
                place.clone(),
                format!("a part of the unknown type {kind:?} in a message"),
            );
        }
    }
    read
}

fn response_of(
    response: &Value,
    shelf: &mut ImageShelf,
    place: &SourcePlace,
    draft: &mut SessionDraft,
) -> GoogleResult {
    let body = response.get("response").unwrap_or(&Value::Null);
    let error = body.get("error");
    let said = error.or_else(|| body.get("output")).unwrap_or(body);
    let text = match said {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let mut content = vec![Part::Text(text)];
    if let Some(more) = response.get("parts") {
        content.extend(read(more, shelf, place, draft).shown);
    }
    GoogleResult {
        call: parts::text(response, "id").to_owned(),
        content,
        is_error: error.is_some(),
    }
}

/// Usage as the API reports it: the prompt counts what the cache served.
pub(super) fn usage(metadata: &Value) -> Option<Usage> {
    let prompt = parts::number(metadata, "promptTokenCount");
    let cached = parts::number(metadata, "cachedContentTokenCount");
    let usage = Usage {
        input_tokens: prompt.saturating_sub(cached),
        output_tokens: parts::number(metadata, "candidatesTokenCount"),
        reasoning_tokens: parts::number(metadata, "thoughtsTokenCount"),
        cache_read_tokens: cached.min(prompt),
        ..Usage::default()
    };
    (!usage.is_empty()).then(|| usage.bounded())
}

/// The messages of a path by who speaks (true: the user) and what is said; of several that say
/// the same, the last.
pub(super) fn texts_of(path: &[EntryId], tree: &EntryTree) -> HashMap<(bool, String), EntryId> {
    let mut texts = HashMap::new();
    for id in path {
        let message = tree.get(id).and_then(|entry| entry.message());
        let (is_user, text) = match message.map(AsRef::as_ref) {
            Some(message @ Message::User(_)) => (true, message.text()),
            Some(message @ Message::Assistant(_)) => (false, message.text()),
            _ => continue,
        };
        if !text.trim().is_empty() {
            texts.insert((is_user, text), id.clone());
        }
    }
    texts
}
