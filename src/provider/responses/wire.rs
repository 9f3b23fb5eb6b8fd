//! [`CompletionRequest`] → the JSON body of `/responses`. Pure.
//!
//! Kept here: a call and its results share one id, an item of reasoning goes back
//! unchanged and only to the model that wrote it, and never without the item that
//! followed it; newer models are told of every earlier text whether it was on the way or
//! the answer.

use serde_json::{Map, Value, json};

use crate::provider::attachment::Attachment;
use crate::provider::openai::is_reasoning_name;
use crate::provider::wire_ids::{IdStyle, WireIds, wire_name};
use crate::transcript::{
    AssistantMessage, AssistantPart, CompletionRequest, Image, Message, ModelInfo, Part,
    ServerContext, ThinkingLevel, ToolResult, is_server_summary,
};

/// The API's smallest limit of an answer in tokens.
const MIN_OUTPUT_TOKENS: u64 = 16;

/// A server does not compact from fewer tokens on.
const MIN_COMPACT_TOKENS: u64 = 1_000;

/// Encodes `request` for the provider `id`. `known` is what is known about the model.
pub(super) fn encode(request: &CompletionRequest, id: &str, known: Option<&ModelInfo>) -> Value {
    let model = &request.model.model;
    let limit = request.max_output_tokens.max(MIN_OUTPUT_TOKENS);
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(model));
    body.insert("stream".to_owned(), json!(true));
    body.insert("store".to_owned(), json!(false));
    body.insert("max_output_tokens".to_owned(), json!(limit));
    if is_reasoning_name(model) || known.is_some_and(|info| info.thinking) {
        let include = json!(["reasoning.encrypted_content"]);
        body.insert("include".to_owned(), include);
    }
    // Models that nobody described may reason: the user asked for it.
    if request.thinking != ThinkingLevel::Off && known.is_none_or(|info| info.thinking) {
        let reasoning = json!({"effort": request.thinking.name(), "summary": "auto"});
        body.insert("reasoning".to_owned(), reasoning);
    }
    if !request.system.trim().is_empty() {
        body.insert("instructions".to_owned(), json!(&*request.system));
    }
    if request.server.context == ServerContext::Compact {
        let mut compaction = json!({"type": "compaction"});
        if let Some(from) = request.server.from_tokens {
            compaction["compact_threshold"] = json!(from.max(MIN_COMPACT_TOKENS));
        }
        body.insert("context_management".to_owned(), json!([compaction]));
    }
    if !request.tools.is_empty() {
        let tools: Vec<Value> = request
            .tools
            .iter()
            .map(|tool| {
                json!({
                    "type": "function",
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.parameters,
                    // Strict schemas demand that every argument is required.
                    "strict": false,
                })
            })
            .collect();
        body.insert("tools".to_owned(), Value::Array(tools));
    }
    body.insert("input".to_owned(), Value::Array(input(request, id)));
    Value::Object(body)
}

/// GPT-5.3 Codex and later tell what they say on the way from their answer, and want that
/// back.
fn knows_phases(model: &str) -> bool {
    const FIRST: (u32, u32) = (5, 4);
    const FIRST_CODEX: (u32, u32) = (5, 3);
    let name = model.rsplit('/').next().unwrap_or(model);
    let Some(rest) = name.strip_prefix("gpt-") else {
        return false;
    };
    let version = rest.split('-').next().unwrap_or(rest);
    let (major, minor) = version.split_once('.').unwrap_or((version, "0"));
    let (Ok(major), Ok(minor)) = (major.parse(), minor.parse()) else {
        return false;
    };
    let is_codex = rest.contains("codex");
    (major, minor) >= if is_codex { FIRST_CODEX } else { FIRST }
}

fn input(request: &CompletionRequest, id: &str) -> Vec<Value> {
    let has_phases = knows_phases(&request.model.model);
    let mut ids = WireIds::new(IdStyle::Any);
    let mut out = Vec::new();
    for item in &request.messages {
        match &*item.message {
            Message::User(user) => {
                let content = parts(&user.content);
                if !content.is_empty() {
                    out.push(json!({"role": "user", "content": content}));
                }
            }
            // Repair turned these into user messages; kept readable if one slips through.
            Message::BashExecution(run) => {
                let text = json!({"type": "input_text", "text": run.as_user_text()});
                out.push(json!({"role": "user", "content": [text]}));
            }
            Message::Assistant(assistant) => {
                let is_ours = assistant.provider == id && assistant.model == request.model.model;
                let goes_on = request.server.context == ServerContext::Compact;
                let begin = out.len();
                answer_items(assistant, (is_ours, goes_on), &mut ids, &mut out);
                if has_phases {
                    add_phases(&mut out, begin);
                }
            }
            Message::ToolResult(result) => out.push(result_item(result, &ids)),
        }
    }
    out
}

/// What an answer says beside its calls was on the way.
fn add_phases(out: &mut [Value], begin: usize) {
    let Some(items) = out.get_mut(begin..) else {
        return;
    };
    let is_on_the_way = items.iter().any(|item| item["type"] == "function_call");
    let phase = if is_on_the_way {
        "commentary"
    } else {
        "final_answer"
    };
    for item in items.iter_mut().filter(|item| item["role"] == "assistant") {
        item["phase"] = json!(phase);
    }
}

/// `goes_on`: the server's own summaries go back to it, so that it goes on from them.
fn answer_items(
    message: &AssistantMessage,
    (is_ours, goes_on): (bool, bool),
    ids: &mut WireIds,
    out: &mut Vec<Value>,
) {
    // Reasoning waits for what followed it; alone it would be refused.
    let mut waiting: Vec<Value> = Vec::new();
    for part in &message.content {
        let item = match part {
            AssistantPart::Text(text) if text.trim().is_empty() => continue,
            AssistantPart::Text(text) => json!({
                "role": "assistant",
                "content": [{"type": "output_text", "text": text}],
            }),
            AssistantPart::Thinking {
                signature: Some(signature),
                ..
            } if is_ours => {
                waiting.extend(reasoning_item(signature));
                continue;
            }
            AssistantPart::RedactedThinking { data } if is_server_summary(data) => {
                let summary = serde_json::from_str(data).ok();
                out.extend(summary.filter(|_| is_ours && goes_on));
                continue;
            }
            AssistantPart::Thinking { .. } | AssistantPart::RedactedThinking { .. } => continue,
            AssistantPart::ToolCall(call) => json!({
                "type": "function_call",
                "call_id": ids.call(&call.id),
                "name": wire_name(&call.name),
                "arguments": Value::Object(call.arguments_object()).to_string(),
            }),
        };
        out.append(&mut waiting);
        out.push(item);
    }
}

/// The item as it came; what other formats sign with is none.
fn reasoning_item(signature: &str) -> Option<Value> {
    let item: Value = serde_json::from_str(signature).ok()?;
    let is_reasoning = item["type"] == "reasoning" && item["encrypted_content"].is_string();
    is_reasoning.then_some(item)
}

fn result_item(result: &ToolResult, ids: &WireIds) -> Value {
    let has_attachment = result
        .content
        .iter()
        .any(|part| matches!(part, Part::Image(_)));
    let output = if has_attachment {
        Value::Array(parts(&result.content))
    } else {
        Value::String(result.text())
    };
    json!({
        "type": "function_call_output",
        "call_id": ids.result(&result.call_id),
        "output": output,
    })
}

fn parts(parts: &[Part]) -> Vec<Value> {
    let text = |text: &str| json!({"type": "input_text", "text": text});
    parts
        .iter()
        .filter_map(|part| match part {
            Part::Text(content) => (!content.trim().is_empty()).then(|| text(content)),
            Part::Image(image) => Some(attachment(image)),
        })
        .collect()
}

fn attachment(image: &Image) -> Value {
    let url = |mime: &str| format!("data:{mime};base64,{}", image.data);
    match Attachment::of(image) {
        Attachment::Image(mime) => json!({"type": "input_image", "image_url": url(mime)}),
        Attachment::Pdf => json!({
            "type": "input_file",
            "filename": image.name.as_deref().unwrap_or("attachment.pdf"),
            "file_data": url("application/pdf"),
        }),
        Attachment::Note(text) => json!({"type": "input_text", "text": text}),
    }
}
