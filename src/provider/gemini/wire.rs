//! [`CompletionRequest`] → the JSON body of `streamGenerateContent`. Pure.
//!
//! Kept here: roles alternate and the user begins, the responses of all calls of a turn
//! stand together at the start of the next content, and a signature goes back in the
//! kind of part it came with, to the model that wrote it.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::{OF_TEXT, schema};
use crate::provider::GO_ON;
use crate::provider::attachment::Attachment;
use crate::provider::wire_ids::{IdStyle, WireIds, wire_name};
use crate::transcript::{
    AssistantMessage, AssistantPart, CompletionRequest, Image, Message, Part, ThinkingLevel,
    ToolResult,
};

/// Reasoning budgets in tokens for models that take a number.
const BUDGET_LOW: u64 = 4_096;
const BUDGET_MEDIUM: u64 = 10_240;
const BUDGET_HIGH: u64 = 24_576;
/// Reasoning counts as output: the answer itself needs room beside it.
const ANSWER_MIN: u64 = 1_024;
/// The smallest budget that every model with budgets takes.
const BUDGET_MIN: u64 = 512;

/// From this generation on, calls are signed and effort is a word rather than a budget.
const FIRST_SIGNED: u32 = 3;

/// Models that do not reason, and refuse to be asked.
const NEVER: [&str; 3] = ["gemini-1", "gemini-2.0", "gemma"];

/// What Google documents for histories whose calls carry no signature.
const EXCUSED: &str = "skip_thought_signature_validator";

/// A content under construction.
struct Wire {
    role: &'static str,
    parts: Vec<Value>,
    /// Function responses so far; they stand first.
    responses: usize,
}

/// How the newest call with an id went out.
struct SentCall {
    name: String,
    /// Only calls that came with an id go back with one.
    id: Option<String>,
}

/// Encodes `request` for the provider `id`.
pub(super) fn encode(request: &CompletionRequest, id: &str) -> Value {
    let mut body = Map::new();
    if !request.system.trim().is_empty() {
        let system = json!({"parts": [{"text": &*request.system}]});
        body.insert("systemInstruction".to_owned(), system);
    }
    if !request.tools.is_empty() {
        let functions: Vec<Value> = request
            .tools
            .iter()
            .map(|tool| {
                let mut function = Map::new();
                function.insert("name".to_owned(), json!(function_name(&tool.name)));
                function.insert("description".to_owned(), json!(tool.description));
                // An object without properties is refused; a function without is fine.
                if let Some(parameters) = schema::parameters(&tool.parameters) {
                    function.insert("parameters".to_owned(), parameters);
                }
                Value::Object(function)
            })
            .collect();
        let tools = json!([{"functionDeclarations": functions}]);
        body.insert("tools".to_owned(), tools);
    }
    let mut generation = json!({"maxOutputTokens": request.max_output_tokens});
    if let Some(thinking) = thinking(request) {
        generation["thinkingConfig"] = thinking;
    }
    body.insert("generationConfig".to_owned(), generation);
    let contents: Vec<Value> = contents(request, id)
        .into_iter()
        .map(|content| json!({"role": content.role, "parts": content.parts}))
        .collect();
    body.insert("contents".to_owned(), Value::Array(contents));
    Value::Object(body)
}

/// The generation of a Gemini model; `None` for other names.
fn generation(model: &str) -> Option<u32> {
    let name = model.strip_prefix("models/").unwrap_or(model);
    let rest = name.strip_prefix("gemini-")?;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn thinking(request: &CompletionRequest) -> Option<Value> {
    let budget = match request.thinking {
        ThinkingLevel::Off => return None,
        ThinkingLevel::Low => BUDGET_LOW,
        ThinkingLevel::Medium => BUDGET_MEDIUM,
        ThinkingLevel::High => BUDGET_HIGH,
    };
    let model = &request.model.model;
    if NEVER.iter().any(|name| model.contains(name)) {
        return None;
    }
    match generation(model) {
        // The first model with words knew only two of them.
        Some(FIRST_SIGNED) if model.contains("gemini-3-pro") => {
            let level = match request.thinking {
                ThinkingLevel::Low => "low",
                _ => "high",
            };
            Some(json!({"includeThoughts": true, "thinkingLevel": level}))
        }
        Some(generation) if generation >= FIRST_SIGNED => {
            Some(json!({"includeThoughts": true, "thinkingLevel": request.thinking.name()}))
        }
        Some(_) => {
            let budget = budget.min(request.max_output_tokens.saturating_sub(ANSWER_MIN));
            (budget >= BUDGET_MIN)
                .then(|| json!({"includeThoughts": true, "thinkingBudget": budget}))
        }
        None => Some(json!({"includeThoughts": true})),
    }
}

fn contents(request: &CompletionRequest, id: &str) -> Vec<Wire> {
    let is_signed = generation(&request.model.model).is_some_and(|g| g >= FIRST_SIGNED);
    let mut calls = Calls::new();
    let mut out: Vec<Wire> = Vec::new();
    for item in &request.messages {
        match &*item.message {
            Message::User(user) => add(&mut out, "user", user_parts(&user.content)),
            // Repair turned these into user messages; kept readable if one slips through.
            Message::BashExecution(run) => {
                add(&mut out, "user", vec![json!({"text": run.as_user_text()})]);
            }
            Message::Assistant(assistant) => {
                let is_ours = assistant.provider == id && assistant.model == request.model.model;
                let mut parts = model_parts(assistant, is_ours, &mut calls);
                if is_signed {
                    sign_first_call(&mut parts);
                }
                add(&mut out, "model", parts);
            }
            Message::ToolResult(result) => add_response(&mut out, result, &calls),
        }
    }
    // An answer that paused would be taken for whole.
    let ends_with_answer = out.last().is_some_and(|content| content.role == "model");
    if ends_with_answer && request.ends_paused() {
        add(&mut out, "user", vec![json!({"text": GO_ON})]);
    }
    out
}

fn add(out: &mut Vec<Wire>, role: &'static str, parts: Vec<Value>) {
    if !parts.is_empty() {
        last_of(out, role).parts.extend(parts);
    }
}

/// The last content when it has this role, or a new one.
fn last_of<'a>(out: &'a mut Vec<Wire>, role: &'static str) -> &'a mut Wire {
    let at = match out.last() {
        Some(last) if last.role == role => out.len() - 1,
        _ => {
            out.push(Wire {
                role,
                parts: Vec::new(),
                responses: 0,
            });
            out.len() - 1
        }
    };
    &mut out[at]
}

/// The calls so far: what their responses must repeat.
struct Calls {
    ids: WireIds,
    newest: HashMap<String, SentCall>,
}

impl Calls {
    fn new() -> Self {
        Self {
            ids: WireIds::new(IdStyle::Any),
            newest: HashMap::new(),
        }
    }

    fn add(&mut self, id: &str, name: &str, has_own_id: bool) -> &SentCall {
        let wire_id = self.ids.call(id);
        let sent = SentCall {
            name: function_name(name),
            id: has_own_id.then_some(wire_id),
        };
        self.newest.insert(id.to_owned(), sent);
        &self.newest[id]
    }
}

fn model_parts(message: &AssistantMessage, is_ours: bool, calls: &mut Calls) -> Vec<Value> {
    /// How calls are named here that came without an id.
    const MADE_UP_ID: &str = "call_";
    let mut parts: Vec<Value> = Vec::new();
    let mut signature: Option<&str> = None;
    for part in &message.content {
        match part {
            AssistantPart::Text(text) if text.trim().is_empty() => {}
            AssistantPart::Text(text) => parts.push(json!({"text": text})),
            AssistantPart::Thinking {
                signature: Some(sign),
                ..
            } if is_ours && !sign.is_empty() => match sign.strip_prefix(OF_TEXT) {
                Some(sign) => parts.push(json!({"text": "", "thoughtSignature": sign})),
                None => signature = Some(sign),
            },
            AssistantPart::Thinking { .. } | AssistantPart::RedactedThinking { .. } => {}
            AssistantPart::ToolCall(call) => {
                let has_own_id = is_ours && !call.id.starts_with(MADE_UP_ID);
                let sent = calls.add(&call.id, &call.name, has_own_id);
                let mut function = Map::new();
                if let Some(id) = &sent.id {
                    function.insert("id".to_owned(), json!(id));
                }
                function.insert("name".to_owned(), json!(sent.name));
                function.insert("args".to_owned(), Value::Object(call.arguments_object()));
                let mut part = json!({"functionCall": function});
                if let Some(sign) = signature.take() {
                    part["thoughtSignature"] = json!(sign);
                }
                parts.push(part);
            }
        }
    }
    parts
}

/// Signed generations refuse a turn whose first call has no signature.
fn sign_first_call(parts: &mut [Value]) {
    let first = parts
        .iter_mut()
        .find(|part| part.get("functionCall").is_some());
    if let Some(part) = first.filter(|part| part.get("thoughtSignature").is_none()) {
        part["thoughtSignature"] = json!(EXCUSED);
    }
}

/// Parts with what excuses a call in place of every signature.
pub(super) fn excuse(parts: &mut Vec<Value>) {
    parts.retain(|part| part.get("thoughtSignature").is_none() || part["text"] != "");
    for part in parts {
        let is_call = part.get("functionCall").is_some();
        if let Some(part) = part.as_object_mut()
            && part.shift_remove("thoughtSignature").is_some()
            && is_call
        {
            part.insert("thoughtSignature".to_owned(), json!(EXCUSED));
        }
    }
}

fn add_response(out: &mut Vec<Wire>, result: &ToolResult, calls: &Calls) {
    let sent = calls.newest.get(&result.call_id);
    let mut function = Map::new();
    if let Some(id) = sent.and_then(|sent| sent.id.as_ref()) {
        function.insert("id".to_owned(), json!(id));
    }
    let name = sent.map_or_else(
        || function_name(&result.tool_name),
        |sent| sent.name.clone(),
    );
    function.insert("name".to_owned(), json!(name));
    let key = if result.is_error { "error" } else { "output" };
    function.insert("response".to_owned(), json!({key: result.text()}));
    let images: Vec<Value> = result
        .content
        .iter()
        .filter_map(|part| match part {
            Part::Image(image) => Some(attachment(image)),
            Part::Text(_) => None,
        })
        .collect();
    let content = last_of(out, "user");
    let part = json!({"functionResponse": function});
    content.parts.insert(content.responses, part);
    content.responses += 1;
    if !images.is_empty() {
        let whose = format!("Attachment of the result of {name}:");
        content.parts.push(json!({"text": whose}));
        content.parts.extend(images);
    }
}

fn user_parts(parts: &[Part]) -> Vec<Value> {
    parts
        .iter()
        .filter_map(|part| match part {
            Part::Text(text) => (!text.trim().is_empty()).then(|| json!({"text": text})),
            Part::Image(image) => Some(attachment(image)),
        })
        .collect()
}

fn attachment(image: &Image) -> Value {
    let data = |mime: &str| json!({"inlineData": {"mimeType": mime, "data": &*image.data}});
    match Attachment::of(image) {
        // The one common kind that Gemini does not read.
        Attachment::Image("image/gif") => {
            let name = image.name.as_deref().unwrap_or("attachment");
            json!({"text": format!("[{name}: image/gif cannot be sent to this model]")})
        }
        Attachment::Image(mime) => data(mime),
        Attachment::Pdf => data("application/pdf"),
        Attachment::Note(text) => json!({"text": text}),
    }
}

/// Names begin with a letter or an underscore here.
fn function_name(name: &str) -> String {
    /// The longest name.
    const MAX_NAME_CHARS: usize = 64;
    let name = wire_name(name);
    if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return name;
    }
    format!("_{name}").chars().take(MAX_NAME_CHARS).collect()
}
