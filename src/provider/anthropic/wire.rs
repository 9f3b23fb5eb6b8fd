//! [`CompletionRequest`] → the JSON body of `/v1/messages`. Pure.
//!
//! Strict rules of the API kept here: roles alternate, results come first in the
//! message directly after their calls, no text block is blank, at most four cache
//! breakpoints, a failed call has text alone; reasoning goes back unchanged, only to the
//! model that signed it, only while it reasons, and never as the end of an answer.

use serde_json::{Map, Value, json};

use super::attachments;
use super::breakpoints::{self, cache};
use super::reasoning::{Reasoning, thinking};
use crate::provider::GO_ON;
use crate::provider::wire_ids::{IdStyle, WireIds, wire_name};
use crate::transcript::{
    AssistantMessage, AssistantPart, CompletionRequest, Message, Part, ServerContext, ServerEdits,
    ToolResult, is_server_summary,
};

/// Edits that the server can make to a prompt by itself.
pub(super) const CLEAR_TOOL_USES: &str = "clear_tool_uses_20250919";
pub(super) const COMPACT: &str = "compact_20260112";
/// The API refuses to compact from fewer tokens on.
const MIN_COMPACT_TOKENS: u64 = 50_000;

/// A message under construction.
pub(super) struct Wire {
    /// `user` or `assistant`.
    pub role: &'static str,
    /// What it consists of.
    pub blocks: Vec<Value>,
    /// Tool results so far; they stand first.
    results: usize,
    /// Where the newest summary ends.
    pub summary_end: Option<usize>,
    /// Holds an answer of the model that is asked.
    pub is_ours: bool,
}

/// Encodes `request` for the provider `id`.
pub(super) fn encode(request: &CompletionRequest, id: &str) -> Value {
    let model = &request.model.model;
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(model));
    body.insert("max_tokens".to_owned(), json!(request.max_output_tokens));
    body.insert("stream".to_owned(), json!(true));
    let has_system = !request.system.trim().is_empty();
    if !request.tools.is_empty() {
        let mut tools: Vec<Value> = request
            .tools
            .iter()
            .map(|tool| {
                json!({
                    "name": tool.name,
                    "description": tool.description,
                    "input_schema": tool.parameters,
                })
            })
            .collect();
        // Tools precede the system prompt in the cache: its breakpoint covers them.
        if !has_system {
            tools.last_mut().map(cache);
        }
        body.insert("tools".to_owned(), Value::Array(tools));
    }
    if has_system {
        let mut block = json!({"type": "text", "text": &*request.system});
        cache(&mut block);
        body.insert("system".to_owned(), json!([block]));
    }
    let mut messages = messages(request, id);
    thinking(request, in_loop_without_thinking(&messages), &mut body);
    let reasons = body.contains_key("thinking");
    if !reasons {
        drop_reasoning(&mut messages);
    }
    attachments::cap(&mut messages);
    end_answer(&mut messages, reasons || !Reasoning::of(model).goes_on());
    breakpoints::mark(&mut messages);
    if let Some(edit) = server_edit(request.server) {
        body.insert("context_management".to_owned(), json!({"edits": [edit]}));
    }
    let messages: Vec<Value> = messages
        .into_iter()
        .map(|m| json!({"role": m.role, "content": m.blocks}))
        .collect();
    body.insert("messages".to_owned(), Value::Array(messages));
    Value::Object(body)
}

fn server_edit(server: ServerEdits) -> Option<Value> {
    let (kind, least) = match server.context {
        ServerContext::Off => return None,
        ServerContext::ClearToolUses => (CLEAR_TOOL_USES, 0),
        ServerContext::Compact => (COMPACT, MIN_COMPACT_TOKENS),
    };
    let mut edit = json!({"type": kind});
    if let Some(from) = server.from_tokens {
        edit["trigger"] = json!({"type": "input_tokens", "value": from.max(least)});
    }
    Some(edit)
}

fn messages(request: &CompletionRequest, id: &str) -> Vec<Wire> {
    let mut ids = WireIds::new(IdStyle::Any);
    let mut out: Vec<Wire> = Vec::new();
    for item in &request.messages {
        match &*item.message {
            Message::User(user) => {
                add(
                    &mut out,
                    "user",
                    user_blocks(&user.content),
                    item.is_summary,
                );
            }
            // Repair turned these into user messages; kept readable if one slips through.
            Message::BashExecution(run) => {
                let text = json!({"type": "text", "text": run.as_user_text()});
                add(&mut out, "user", vec![text], false);
            }
            Message::Assistant(assistant) => {
                let goes_on = request.server.context == ServerContext::Compact;
                // Signatures are bound to the model: another one refuses them.
                let is_ours = assistant.provider == id && assistant.model == request.model.model;
                let whose = Whose {
                    may_sign: is_ours,
                    goes_on: goes_on && assistant.provider == id,
                };
                let blocks = assistant_blocks(assistant, whose, &mut ids);
                add(&mut out, "assistant", blocks, false);
                if let Some(answer) = out.last_mut().filter(|m| m.role == "assistant") {
                    answer.is_ours |= is_ours;
                }
            }
            Message::ToolResult(result) => add_result(&mut out, result, &ids),
        }
    }
    out
}

fn add(out: &mut Vec<Wire>, role: &'static str, blocks: Vec<Value>, is_summary: bool) {
    if blocks.is_empty() {
        return;
    }
    let message = last_of(out, role);
    message.blocks.extend(blocks);
    if is_summary {
        message.summary_end = message.blocks.len().checked_sub(1);
    }
}

fn add_result(out: &mut Vec<Wire>, result: &ToolResult, ids: &WireIds) {
    let mut block = Map::new();
    block.insert("type".to_owned(), json!("tool_result"));
    block.insert("tool_use_id".to_owned(), json!(ids.result(&result.call_id)));
    let mut content = user_blocks(&result.content);
    let mut shown = Vec::new();
    if result.is_error {
        block.insert("is_error".to_owned(), json!(true));
        // What a failed call shows beside its text stands behind the results.
        (content, shown) = content.into_iter().partition(|part| part["type"] == "text");
    }
    if !content.is_empty() {
        block.insert("content".to_owned(), Value::Array(content));
    }
    let message = last_of(out, "user");
    message.blocks.insert(message.results, Value::Object(block));
    message.results += 1;
    message.summary_end = message.summary_end.map(|end| end + 1);
    if !shown.is_empty() {
        let whose = format!(
            "Attachment of the result of {}:",
            wire_name(&result.tool_name)
        );
        message.blocks.push(json!({"type": "text", "text": whose}));
        message.blocks.append(&mut shown);
    }
}

/// The last message when it has this role, or a new one.
fn last_of<'a>(out: &'a mut Vec<Wire>, role: &'static str) -> &'a mut Wire {
    let at = match out.last() {
        Some(last) if last.role == role => out.len() - 1,
        _ => {
            out.push(Wire {
                role,
                blocks: Vec::new(),
                results: 0,
                summary_end: None,
                is_ours: false,
            });
            out.len() - 1
        }
    };
    &mut out[at]
}

fn user_blocks(parts: &[Part]) -> Vec<Value> {
    parts
        .iter()
        .filter_map(|part| match part {
            Part::Text(text) => text_block(text),
            Part::Image(image) => Some(attachments::block(image)),
        })
        .collect()
}

fn text_block(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}))
}

/// What of an answer may go back besides its words and calls.
#[derive(Clone, Copy)]
struct Whose {
    /// Signed reasoning: it is of this very model.
    may_sign: bool,
    /// The server's own summaries, so that it goes on from them.
    goes_on: bool,
}

fn assistant_blocks(message: &AssistantMessage, whose: Whose, ids: &mut WireIds) -> Vec<Value> {
    let mut blocks: Vec<Value> = message
        .content
        .iter()
        .filter_map(|part| match part {
            AssistantPart::Text(text) => text_block(text),
            AssistantPart::Thinking { text, signature } => signature
                .as_ref()
                .filter(|signature| whose.may_sign && !signature.is_empty())
                .map(|s| json!({"type": "thinking", "thinking": text, "signature": s})),
            AssistantPart::RedactedThinking { data } if is_server_summary(data) => {
                serde_json::from_str(data).ok().filter(|_| whose.goes_on)
            }
            AssistantPart::RedactedThinking { data } => (whose.may_sign && !data.is_empty())
                .then(|| json!({"type": "redacted_thinking", "data": data})),
            AssistantPart::ToolCall(call) => Some(json!({
                "type": "tool_use",
                "id": ids.call(&call.id),
                "name": wire_name(&call.name),
                "input": call.arguments_object(),
            })),
        })
        .collect();
    // An answer that broke off in the middle of its reasoning must not end with it.
    while blocks.last().is_some_and(is_reasoning) {
        blocks.pop();
    }
    blocks
}

fn is_reasoning(block: &Value) -> bool {
    matches!(
        block["type"].as_str(),
        Some("thinking" | "redacted_thinking")
    )
}

/// A request that asks for no reasoning must not bring any.
fn drop_reasoning(messages: &mut [Wire]) {
    for message in messages {
        message.blocks.retain(|block| !is_reasoning(block));
    }
}

/// An answer at the end is one that goes on: most models have to be asked to, the others
/// refuse one that ends with white space.
fn end_answer(messages: &mut Vec<Wire>, is_asked: bool) {
    let Some(answer) = messages.last_mut().filter(|m| m.role == "assistant") else {
        return;
    };
    if is_asked {
        let text = json!({"type": "text", "text": GO_ON});
        add(messages, "user", vec![text], false);
    } else if let Some(block) = answer.blocks.last_mut()
        && let Some(text) = block["text"].as_str()
    {
        block["text"] = json!(text.trim_end());
    }
}

/// With a budget, a running tool loop must begin with reasoning; one that began without
/// (another model, reasoning just switched on) goes on without. Later answers of the loop
/// may lack it: switching it off for them would cost the cache of the whole prompt.
fn in_loop_without_thinking(messages: &[Wire]) -> bool {
    let Some((newest, before)) = messages.split_last() else {
        return false;
    };
    if newest.results == 0 {
        return false;
    }
    // The user's words begin a turn, alone or behind results.
    let alone = |message: &Wire| message.results == 0;
    let behind = |message: &Wire| message.blocks.len() > message.results;
    let first_after = |is_turn: &dyn Fn(&Wire) -> bool| {
        let begin = before
            .iter()
            .rposition(|message| message.role == "user" && is_turn(message))?;
        before.get(begin + 1)
    };
    [first_after(&alone), first_after(&behind)]
        .into_iter()
        .flatten()
        .any(|answer| !answer.blocks.first().is_some_and(is_reasoning))
}
