//! The embedded provider: no key, no network, no language model, and it says so.
//!
//! It understands a small command language in plain words ([`COMMANDS`]), calls the
//! tools on offer, and answers with what they returned. Deterministic: the same request
//! gives the same answer. Its window is real: what does not fit is refused as an
//! overflow, so that everything about context can be tried without a model.

mod account;
mod commands;
mod words;

pub use commands::{COMMANDS, Command};

use std::sync::Arc;

use futures::StreamExt as _;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use self::commands::OfflineAction;
use crate::provider::catalogue::Catalogue;
use crate::provider::catalogue::cost::priced;
use crate::provider::error::ProviderError;
use crate::provider::event::StreamEvent;
use crate::provider::http::stream::failed;
use crate::provider::service::{AnswerStream, Provider};
use crate::transcript::{AssistantPart, CompletionRequest, Message, Part, StopReason, Usage};

/// Its window when nobody sets another one: small enough to see it fill.
const DEFAULT_WINDOW_TOKENS: u64 = 32_000;

/// It counts tokens as UTF-8 bytes divided by this, rounded up, and calls that its own.
const BYTES_PER_TOKEN: usize = 4;

/// The answer when it does not understand.
const INTRODUCTION: &str = "I am Plimsoll's offline provider, not a language model. \
I understand these commands, also several joined by \"and\" or on lines of their own:";

/// The provider `offline`.
pub struct Offline {
    catalogue: Arc<Catalogue>,
}

impl Offline {
    /// With the window that `catalogue` gives the model.
    pub fn new(catalogue: Arc<Catalogue>) -> Self {
        Self { catalogue }
    }
}

/// An answer before it is streamed.
#[derive(Default)]
struct OfflineAnswer {
    text: String,
    calls: Vec<(&'static str, Value)>,
}

impl Provider for Offline {
    fn id(&self) -> &'static str {
        "offline"
    }

    fn wire_body(&self, request: &CompletionRequest) -> Value {
        encode(request)
    }

    fn stream(&self, request: CompletionRequest, cancel: CancellationToken) -> AnswerStream {
        let info = self.catalogue.lookup(&request.model);
        let limit = info.window_tokens.unwrap_or(DEFAULT_WINDOW_TOKENS);
        let prompt = estimate(&encode(&request).to_string());
        if prompt > limit {
            return failed(ProviderError::ContextOverflow {
                requested_tokens: Some(prompt),
                prompt_tokens: None,
                limit_tokens: Some(limit),
                message: format!("the request has {prompt} tokens, the window is {limit}"),
            });
        }
        let (mut events, output) = events(answer(&request), &request);
        let usage = Usage {
            input_tokens: prompt,
            output_tokens: output,
            ..Usage::default()
        };
        let stop = events.pop();
        events.push(StreamEvent::Usage(priced(usage, &info)));
        events.extend(stop);
        let state = (events.into_iter(), cancel, false);
        futures::stream::unfold(state, |(mut events, cancel, over)| async move {
            if over {
                return None;
            }
            if cancel.is_cancelled() {
                return Some((Err(ProviderError::Cancelled), (events, cancel, true)));
            }
            let event = events.next()?;
            // Lets the screen draw and the user interrupt between two words.
            tokio::task::yield_now().await;
            Some((Ok(event), (events, cancel, false)))
        })
        .boxed()
    }
}

/// The answer as events, the stop last, and its size in tokens.
fn events(answer: OfflineAnswer, request: &CompletionRequest) -> (Vec<StreamEvent>, u64) {
    let mut events = Vec::new();
    let room = usize::try_from(request.max_output_tokens)
        .unwrap_or(usize::MAX)
        .saturating_mul(BYTES_PER_TOKEN);
    let mut bytes = 0_usize;
    let mut stop = StopReason::Stop;
    for word in answer.text.split_inclusive([' ', '\n']) {
        if bytes + word.len() > room {
            stop = StopReason::Length;
            break;
        }
        bytes += word.len();
        events.push(StreamEvent::Text(word.to_owned()));
    }
    // Ids stay unique over the conversation: results of earlier turns are counted.
    let earlier = request
        .messages
        .iter()
        .map(|item| match &*item.message {
            Message::Assistant(assistant) => assistant.tool_calls().count(),
            _ => 0,
        })
        .sum::<usize>();
    for (index, (name, arguments)) in (0_u32..).zip(answer.calls) {
        let fragment = arguments.to_string();
        bytes += name.len() + fragment.len();
        stop = StopReason::ToolUse;
        events.push(StreamEvent::ToolCallStart {
            index,
            id: format!("offline_{}", earlier + index as usize + 1),
            name: name.to_owned(),
        });
        events.push(StreamEvent::ToolCallArguments { index, fragment });
    }
    events.push(StreamEvent::Stop(stop));
    (events, tokens(bytes))
}

fn answer(request: &CompletionRequest) -> OfflineAnswer {
    let newest_user = request
        .messages
        .iter()
        .rposition(|item| matches!(&*item.message, Message::User(_)));
    let (before, after) = request
        .messages
        .split_at(newest_user.map_or(0, |at| at + 1));
    if let Some(text) = account::of_results(after) {
        return OfflineAnswer {
            text,
            calls: Vec::new(),
        };
    }
    let typed = before.last().map(|item| first_text(&item.message));
    let understood = commands::understand(typed.unwrap_or_default());
    let mut answer = OfflineAnswer::default();
    let mut say = |text: &str| {
        if !answer.text.is_empty() {
            answer.text.push_str("\n\n");
        }
        answer.text.push_str(text);
    };
    for clause in &understood.unclear {
        say(&format!("I do not understand \"{clause}\"."));
    }
    let mut calls = Vec::new();
    let mut wants_help = understood.actions.is_empty();
    for action in understood.actions {
        match action {
            OfflineAction::Call { tool, arguments } if has_tool(request, tool) => {
                calls.push((tool, arguments));
            }
            OfflineAction::Call { tool, .. } => say(&format!(
                "That needs the tool `{tool}`, which is not on offer now."
            )),
            OfflineAction::Summarise => say(&account::of_conversation(&request.messages)),
            OfflineAction::Help => wants_help = true,
        }
    }
    if wants_help {
        say(&commands::help(INTRODUCTION));
    }
    answer.calls = calls;
    answer
}

fn has_tool(request: &CompletionRequest, name: &str) -> bool {
    request.tools.iter().any(|tool| tool.name == name)
}

/// The first text part, which the user typed; attached files follow in parts of their own.
fn first_text(message: &Message) -> &str {
    match message {
        Message::User(user) => user
            .content
            .iter()
            .find_map(|part| match part {
                Part::Text(text) => Some(text.as_str()),
                Part::Image(_) => None,
            })
            .unwrap_or_default(),
        _ => "",
    }
}

/// Its wire format: what it counts.
fn encode(request: &CompletionRequest) -> Value {
    let tools: Vec<Value> = request
        .tools
        .iter()
        .map(|tool| {
            json!({"name": tool.name, "description": tool.description, "parameters": tool.parameters})
        })
        .collect();
    let messages: Vec<Value> = request
        .messages
        .iter()
        .map(|item| encode_message(&item.message))
        .collect();
    json!({
        "model": request.model.model,
        "max_output_tokens": request.max_output_tokens,
        "system": &*request.system,
        "tools": tools,
        "messages": messages,
    })
}

fn encode_message(message: &Message) -> Value {
    let mut out = Map::new();
    let role = match message {
        Message::User(_) | Message::BashExecution(_) => "user",
        Message::Assistant(_) => "assistant",
        Message::ToolResult(_) => "tool",
    };
    out.insert("role".to_owned(), json!(role));
    out.insert("text".to_owned(), json!(message.text()));
    match message {
        Message::Assistant(assistant) => {
            let calls: Vec<Value> = assistant
                .content
                .iter()
                .filter_map(|part| match part {
                    AssistantPart::ToolCall(call) => {
                        Some(json!({"id": call.id, "name": call.name, "arguments": call.arguments}))
                    }
                    _ => None,
                })
                .collect();
            out.insert("calls".to_owned(), Value::Array(calls));
        }
        Message::ToolResult(result) => {
            out.insert("call".to_owned(), json!(result.call_id));
        }
        Message::User(_) | Message::BashExecution(_) => {}
    }
    let images: Vec<&str> = message.images().map(|image| &*image.data).collect();
    if !images.is_empty() {
        out.insert("images".to_owned(), json!(images));
    }
    Value::Object(out)
}

fn estimate(text: &str) -> u64 {
    tokens(text.len())
}

fn tokens(bytes: usize) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN) as u64
}

#[cfg(test)]
mod tests;
