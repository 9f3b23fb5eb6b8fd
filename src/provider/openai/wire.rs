//! [`CompletionRequest`] → the JSON body of `/chat/completions`. Pure.
//!
//! Kept here: every call is followed by its results in call order, nothing stands
//! between them, an answer without text has `content: null`, and one with more calls than
//! a message may have goes out as several.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

use super::decode::details::entries;
use crate::provider::GO_ON;
use crate::provider::attachment::Attachment;
use crate::provider::wire_ids::{IdStyle, WireIds, wire_name};
use crate::transcript::{
    AssistantMessage, AssistantPart, CompletionRequest, Image, Message, ModelInfo, Part,
    ThinkingLevel, ToolResult,
};

/// The limit of an answer in tokens, and its name for models that reason.
pub(super) const LIMIT: &str = "max_tokens";
pub(super) const REASONING_LIMIT: &str = "max_completion_tokens";

/// What a server wants to have back of the reasoning of earlier answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Returned {
    /// What it marked for it.
    #[default]
    Marked,
    /// All of it, in every answer.
    All,
    /// Nothing.
    Nothing,
}

/// Stands for reasoning that another model kept to itself: an empty text is refused.
const UNKNOWN_REASONING: &str = " ";

/// Encodes `request` for the provider `id`. `known` is what is known about the model.
pub(super) fn encode(
    request: &CompletionRequest,
    id: &str,
    known: Option<&ModelInfo>,
    returned: Returned,
) -> Value {
    let model = &request.model.model;
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(model));
    body.insert("stream".to_owned(), json!(true));
    body.insert("stream_options".to_owned(), json!({"include_usage": true}));
    let limit = if is_reasoning_name(model) {
        REASONING_LIMIT
    } else {
        LIMIT
    };
    body.insert(limit.to_owned(), json!(request.max_output_tokens));
    // Models that nobody described may reason: the user asked for it.
    if request.thinking != ThinkingLevel::Off && known.is_none_or(|info| info.thinking) {
        body.insert(
            "reasoning_effort".to_owned(),
            json!(request.thinking.name()),
        );
    }
    if !request.tools.is_empty() {
        let tools: Vec<Value> = request
            .tools
            .iter()
            .map(|tool| {
                json!({"type": "function", "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.parameters,
                }})
            })
            .collect();
        body.insert("tools".to_owned(), Value::Array(tools));
    }
    // Claude caches only what it is asked to.
    if id == "openrouter" && model.contains("claude") {
        let mark = json!({"type": "ephemeral"});
        body.insert("cache_control".to_owned(), mark);
    }
    let messages = Value::Array(messages(request, id, returned));
    body.insert("messages".to_owned(), messages);
    Value::Object(body)
}

/// The o-series and GPT-5 and later refuse `max_tokens`.
pub(in crate::provider) fn is_reasoning_name(model: &str) -> bool {
    /// The first generation of GPT with the new field.
    const FIRST_GPT: u32 = 5;
    let name = model.rsplit('/').next().unwrap_or(model);
    let is_o = name
        .strip_prefix('o')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let generation = name.strip_prefix("gpt-").and_then(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit());
        let digits = rest.get(..end.unwrap_or(rest.len()))?;
        digits.parse::<u32>().ok()
    });
    is_o || generation.is_some_and(|generation| generation >= FIRST_GPT)
}

/// As many calls as OpenAI takes in one message.
const MAX_CALLS: usize = 128;

/// Mistral wants an answer between results and the user's next words.
const BRIDGE: &str = "[the results arrived; the user goes on]";
/// Its models, wherever they run: the order of roles is a matter of their templates.
const MISTRAL_NAMES: [&str; 6] = [
    "mistral",
    "mixtral",
    "ministral",
    "magistral",
    "devstral",
    "codestral",
];

fn is_mistral(id: &str, model: &str) -> bool {
    let model = model.to_ascii_lowercase();
    id == "mistral" || MISTRAL_NAMES.iter().any(|name| model.contains(name))
}

/// The user's words after results, where somebody has to have answered those first.
fn bridge(out: &[Value]) -> Option<Value> {
    let follows = out.last().is_some_and(|last| last["role"] == "tool");
    follows.then(|| json!({"role": "assistant", "content": BRIDGE}))
}

/// The calls of one answer that did not fit into its message: each further message
/// follows the results of the one before.
#[derive(Default)]
struct Overhang {
    messages: VecDeque<Value>,
    /// Results that the newest message still waits for.
    open: usize,
}

impl Overhang {
    /// Keeps what is too much for one message back.
    fn cut(&mut self, message: &mut Value) {
        self.messages.clear();
        let Some(calls) = message.get_mut("tool_calls").and_then(Value::as_array_mut) else {
            return;
        };
        let rest = calls.split_off(calls.len().min(MAX_CALLS));
        self.open = calls.len();
        let mut next = message.clone();
        next["content"] = Value::Null;
        for calls in rest.chunks(MAX_CALLS) {
            next["tool_calls"] = json!(calls);
            self.messages.push_back(next.clone());
        }
    }

    /// A result is out; the message that follows it now, if one does.
    fn answered(&mut self) -> Option<Value> {
        self.open = self.open.saturating_sub(1);
        if self.open > 0 {
            return None;
        }
        let next = self.messages.pop_front()?;
        self.open = next["tool_calls"].as_array().map_or(0, Vec::len);
        Some(next)
    }
}

fn messages(request: &CompletionRequest, id: &str, returned: Returned) -> Vec<Value> {
    let style = if id == "mistral" {
        IdStyle::Nine
    } else {
        IdStyle::Any
    };
    let mut ids = WireIds::new(style);
    let mut out = Vec::new();
    // Images of tool results wait here until the run of results is over.
    let mut shown: Vec<Value> = Vec::new();
    let mut overhang = Overhang::default();
    let is_bridged = is_mistral(id, &request.model.model);
    if !request.system.trim().is_empty() {
        out.push(json!({"role": "system", "content": &*request.system}));
    }
    for item in &request.messages {
        if !matches!(&*item.message, Message::ToolResult(_)) {
            flush_images(&mut out, &mut shown, is_bridged);
        }
        if is_bridged && matches!(&*item.message, Message::User(_) | Message::BashExecution(_)) {
            out.extend(bridge(&out));
        }
        match &*item.message {
            Message::User(user) => out.extend(user_message(&user.content)),
            // Repair turned these into user messages; kept readable if one slips through.
            Message::BashExecution(run) => {
                out.push(json!({"role": "user", "content": run.as_user_text()}));
            }
            Message::Assistant(assistant) => {
                let mut encoded = assistant_message(assistant, &mut ids);
                if let Some(message) = encoded.as_mut() {
                    let is_ours = assistant.provider == id;
                    let is_same = is_ours && assistant.model == request.model.model;
                    return_reasoning(message, assistant, (is_ours, is_same), returned);
                }
                if id == "gemini" && !is_old_gemini(&request.model.model) {
                    encoded.as_mut().map(excuse_signature);
                }
                if let Some(message) = encoded.as_mut() {
                    overhang.cut(message);
                }
                out.extend(encoded);
            }
            Message::ToolResult(result) => {
                out.push(tool_message(result, &ids, &mut shown));
                out.extend(overhang.answered());
            }
        }
    }
    flush_images(&mut out, &mut shown, is_bridged);
    // Mistral answers nobody but the user; other models take an answer that paused for whole.
    let ends_with_answer = out.last().is_some_and(|last| last["role"] == "assistant");
    if ends_with_answer && (is_bridged || request.ends_paused()) {
        out.push(json!({"role": "user", "content": GO_ON}));
    }
    out
}

fn user_message(parts: &[Part]) -> Option<Value> {
    let content: Vec<Value> = parts.iter().filter_map(part).collect();
    if content.is_empty() {
        return None;
    }
    let text_only = parts.iter().all(|part| matches!(part, Part::Text(_)));
    let content = if text_only {
        // Many compatibles take only strings.
        let texts: Vec<&str> = content.iter().filter_map(|p| p["text"].as_str()).collect();
        json!(texts.join("\n"))
    } else {
        Value::Array(content)
    };
    Some(json!({"role": "user", "content": content}))
}

fn part(part: &Part) -> Option<Value> {
    match part {
        Part::Text(text) => {
            (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}))
        }
        Part::Image(image) => Some(attachment(image)),
    }
}

fn attachment(image: &Image) -> Value {
    let url = |mime: &str| format!("data:{mime};base64,{}", image.data);
    match Attachment::of(image) {
        Attachment::Image(mime) => json!({"type": "image_url", "image_url": {"url": url(mime)}}),
        Attachment::Pdf => {
            let name = image.name.as_deref().unwrap_or("attachment");
            json!({"type": "file", "file": {"filename": name, "file_data": url("application/pdf")}})
        }
        Attachment::Note(text) => json!({"type": "text", "text": text}),
    }
}

fn assistant_message(message: &AssistantMessage, ids: &mut WireIds) -> Option<Value> {
    let text = message.text();
    let calls: Vec<Value> = message
        .tool_calls()
        .map(|call| {
            json!({"id": ids.call(&call.id), "type": "function", "function": {
                "name": wire_name(&call.name),
                "arguments": Value::Object(call.arguments_object()).to_string(),
            }})
        })
        .collect();
    if calls.is_empty() && text.trim().is_empty() {
        return None;
    }
    let mut out = Map::new();
    out.insert("role".to_owned(), json!("assistant"));
    let content = (!text.trim().is_empty()).then_some(text);
    out.insert("content".to_owned(), json!(content));
    if !calls.is_empty() {
        out.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    Some(Value::Object(out))
}

/// Adds the reasoning that goes back with an answer: of the same provider (`is_ours`), and
/// what is signed to the same model (`is_same`).
fn return_reasoning(
    out: &mut Value,
    message: &AssistantMessage,
    (is_ours, is_same): (bool, bool),
    returned: Returned,
) {
    let thoughts = || {
        message.content.iter().filter_map(|part| match part {
            AssistantPart::Thinking { text, signature } => Some((text, signature)),
            _ => None,
        })
    };
    let marked: Vec<Value> = thoughts()
        .filter_map(|(_, signature)| entries(signature.as_deref()?))
        .flatten()
        .collect();
    if is_same && returned != Returned::Nothing && !marked.is_empty() {
        out["reasoning_details"] = Value::Array(marked);
    } else if returned == Returned::All {
        let all: String = thoughts().map(|(text, _)| text.as_str()).collect();
        let is_known = is_ours && !all.is_empty();
        let text = if is_known {
            all.as_str()
        } else {
            UNKNOWN_REASONING
        };
        out["reasoning_content"] = json!(text);
    }
}

/// Before Gemini 3, calls were not signed.
fn is_old_gemini(model: &str) -> bool {
    ["gemini-1", "gemini-2"]
        .iter()
        .any(|old| model.starts_with(old))
}

/// Gemini 3 refuses calls without the signature of its reasoning. Google documents this
/// value for histories that do not carry one.
fn excuse_signature(message: &mut Value) {
    if let Some(call) = message.pointer_mut("/tool_calls/0") {
        call["extra_content"] =
            json!({"google": {"thought_signature": "skip_thought_signature_validator"}});
    }
}

fn tool_message(result: &ToolResult, ids: &WireIds, shown: &mut Vec<Value>) -> Value {
    let mut text = result.text();
    let images: Vec<Value> = result
        .content
        .iter()
        .filter_map(|part| match part {
            Part::Image(image) => Some(attachment(image)),
            Part::Text(_) => None,
        })
        .collect();
    if !images.is_empty() {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str("[attachment: see the next user message]");
        let whose = format!("Attachment of the result of {}:", result.tool_name);
        shown.push(json!({"type": "text", "text": whose}));
        shown.extend(images);
    }
    json!({"role": "tool", "tool_call_id": ids.result(&result.call_id), "content": text})
}

fn flush_images(out: &mut Vec<Value>, shown: &mut Vec<Value>, is_bridged: bool) {
    if !shown.is_empty() {
        if is_bridged {
            out.extend(bridge(out));
        }
        out.push(json!({"role": "user", "content": std::mem::take(shown)}));
    }
}
