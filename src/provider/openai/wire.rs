//! [`CompletionRequest`] → the body of `/chat/completions`. Pure.
//!
//! Kept here: every call is followed by its results in call order with nothing between
//! them, an answer without text has `content: null`, and one with more calls than a message
//! may have goes out as several.

use std::collections::VecDeque;
use std::mem;

use serde_json::Value;

use super::body::{
    CacheMark, CalledFunction, ChatAnswer, ChatBody, ChatCall, ChatContent, ChatFile, ChatFunction,
    ChatMessage, ChatPart, ChatTool, ExtraContent, GoogleContent, ImageUrl, ReasoningChoice,
    StreamOptions, ThinkingSwitch,
};
use super::decode::details::entries;
use super::model_names::is_reasoning_name;
use crate::provider::protocol::attachment::Attachment;
use crate::provider::protocol::body::GO_ON;
use crate::provider::protocol::quirks::{EffortField, Quirks, ReturnedReasoning};
use crate::provider::protocol::wire_ids::{WireIds, wire_name};
use crate::transcript::{
    AssistantMessage, AssistantPart, CompletionRequest, Image, Message, ModelInfo, Part,
    ReasoningFacts, ReasoningOff, ThinkingLevel, ToolResult,
};

/// Stands for reasoning that another model kept to itself: an empty text is refused.
const UNKNOWN_REASONING: &str = " ";

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

/// Google documents this value for histories that carry no signature.
const EXCUSED_SIGNATURE: &str = "skip_thought_signature_validator";

/// For whom a request is encoded.
#[derive(Clone, Copy)]
pub(super) struct ChatTarget<'a> {
    /// Provider id.
    pub provider: &'a str,
    /// Its differences, as far as they are known now.
    pub quirks: Quirks,
    /// The facts about the model.
    pub known: Option<&'a ModelInfo>,
    /// How it is asked to reason.
    pub reasoning: &'a ReasoningFacts,
}

/// Encodes `request` for `target`.
pub(super) fn encode<'a>(request: &'a CompletionRequest, target: ChatTarget<'_>) -> ChatBody<'a> {
    let model = request.model.model.as_str();
    let quirks = target.quirks;
    let limit = Some(request.max_output_tokens);
    let reasons = is_reasoning_name(model);
    let asked = EffortFields::of(request, target);
    let tools = request.tools.iter().map(|tool| ChatTool::Function {
        function: ChatFunction {
            name: &tool.name,
            description: &tool.description,
            parameters: &tool.parameters,
        },
    });
    let marks_cache = quirks.asks_claude_to_cache && model.contains("claude");
    let cache_key = request.cache_key.as_deref();
    ChatBody {
        model,
        stream: true,
        stream_options: Some(StreamOptions {
            include_usage: true,
        }),
        max_tokens: limit.filter(|_| !reasons),
        max_completion_tokens: limit.filter(|_| reasons),
        reasoning_effort: asked.word,
        reasoning: asked.choice,
        thinking: asked.switch,
        enable_thinking: asked.flag,
        tools: tools.collect(),
        cache_control: marks_cache.then_some(CacheMark::Ephemeral),
        messages: ChatMessages::new(request, target).encode(),
        prompt_cache_key: cache_key.filter(|_| quirks.takes_conversation_field),
    }
}

/// The fields that say whether and how much to reason; at most one is there.
#[derive(Default)]
struct EffortFields {
    word: Option<&'static str>,
    choice: Option<ReasoningChoice>,
    switch: Option<ThinkingSwitch>,
    flag: Option<bool>,
}

impl EffortFields {
    /// Models that nobody described may reason: the user asked for it.
    fn of(request: &CompletionRequest, target: ChatTarget<'_>) -> Self {
        let level = target.reasoning.nearest(request.thinking);
        let is_omitted = match level {
            ThinkingLevel::Default => true,
            ThinkingLevel::Off => target.reasoning.off == ReasoningOff::Omitted,
            _ => false,
        };
        if is_omitted || target.known.is_some_and(|info| !info.thinking) {
            return Self::default();
        }
        let is_off = level == ThinkingLevel::Off;
        match target.quirks.effort {
            EffortField::Object => Self {
                choice: Some(if is_off {
                    ReasoningChoice::Switch { enabled: false }
                } else {
                    ReasoningChoice::Effort {
                        effort: level.name(),
                    }
                }),
                ..Self::default()
            },
            EffortField::Switch if is_off => Self {
                switch: Some(ThinkingSwitch::Disabled),
                ..Self::default()
            },
            EffortField::Flag => Self {
                flag: Some(!is_off),
                ..Self::default()
            },
            EffortField::Word | EffortField::Switch => Self {
                word: Some(if is_off { "none" } else { level.name() }),
                ..Self::default()
            },
        }
    }
}

fn is_mistral(model: &str) -> bool {
    let model = model.to_ascii_lowercase();
    MISTRAL_NAMES.iter().any(|name| model.contains(name))
}

/// Before Gemini 3, calls were not signed.
fn is_old_gemini(model: &str) -> bool {
    ["gemini-1", "gemini-2"]
        .iter()
        .any(|old| model.starts_with(old))
}

/// The calls of one answer that did not fit into its message: each further message
/// follows the results of the one before.
#[derive(Default)]
struct CallOverhang {
    messages: VecDeque<ChatAnswer>,
    /// Results that the newest message still waits for.
    open: usize,
}

impl CallOverhang {
    /// Keeps what is too much for one message back.
    fn cut(&mut self, answer: &mut ChatAnswer) {
        self.messages.clear();
        if answer.tool_calls.is_empty() {
            return;
        }
        let rest = answer
            .tool_calls
            .split_off(answer.tool_calls.len().min(MAX_CALLS));
        self.open = answer.tool_calls.len();
        for calls in rest.chunks(MAX_CALLS) {
            self.messages.push_back(ChatAnswer {
                content: None,
                tool_calls: calls.to_vec(),
                ..answer.clone()
            });
        }
    }

    /// A result is out; the message that follows it now, if one does.
    fn answered(&mut self) -> Option<ChatAnswer> {
        self.open = self.open.saturating_sub(1);
        if self.open > 0 {
            return None;
        }
        let next = self.messages.pop_front()?;
        self.open = next.tool_calls.len();
        Some(next)
    }
}

/// The messages of a request under construction.
struct ChatMessages<'a, 't> {
    request: &'a CompletionRequest,
    target: ChatTarget<'t>,
    ids: WireIds,
    out: Vec<ChatMessage<'a>>,
    /// Images of tool results wait here until the run of results is over.
    shown: Vec<ChatPart<'a>>,
    overhang: CallOverhang,
    /// Somebody has to answer results before the user goes on.
    is_bridged: bool,
}

impl<'a, 't> ChatMessages<'a, 't> {
    fn new(request: &'a CompletionRequest, target: ChatTarget<'t>) -> Self {
        Self {
            request,
            target,
            ids: WireIds::new(target.quirks.call_ids),
            out: Vec::new(),
            shown: Vec::new(),
            overhang: CallOverhang::default(),
            is_bridged: target.quirks.has_strict_turns || is_mistral(&request.model.model),
        }
    }

    fn encode(mut self) -> Vec<ChatMessage<'a>> {
        let request = self.request;
        if !request.system.trim().is_empty() {
            let content = &*request.system;
            self.out.push(ChatMessage::System { content });
        }
        for item in &request.messages {
            self.add(&item.message);
        }
        self.flush_images();
        // Some answer nobody but the user; other models take an answer that paused for whole.
        let ends_with_answer = matches!(self.out.last(), Some(ChatMessage::Assistant(_)));
        if ends_with_answer && (self.is_bridged || request.ends_paused()) {
            self.out.push(user_text(GO_ON.to_owned()));
        }
        self.out
    }

    fn add(&mut self, message: &'a Message) {
        if !matches!(message, Message::ToolResult(_)) {
            self.flush_images();
        }
        match message {
            Message::User(user) => {
                self.bridge();
                self.out.extend(user_message(&user.content));
            }
            // Repair turned these into user messages; kept readable if one slips through.
            Message::BashExecution(run) => {
                self.bridge();
                self.out.push(user_text(run.as_user_text()));
            }
            Message::Assistant(answer) => {
                if let Some(mut encoded) = answer_message(answer, &mut self.ids) {
                    self.return_reasoning(&mut encoded, answer);
                    let is_signed = !is_old_gemini(&self.request.model.model);
                    if self.target.quirks.wants_signed_calls && is_signed {
                        excuse_signature(&mut encoded);
                    }
                    self.overhang.cut(&mut encoded);
                    self.out.push(ChatMessage::Assistant(encoded));
                }
            }
            Message::ToolResult(result) => {
                let encoded = tool_message(result, &self.ids, &mut self.shown);
                self.out.push(encoded);
                let next = self.overhang.answered();
                self.out.extend(next.map(ChatMessage::Assistant));
            }
        }
    }

    /// An answer before the user's words when those follow results.
    fn bridge(&mut self) {
        if self.is_bridged && matches!(self.out.last(), Some(ChatMessage::Tool { .. })) {
            self.out.push(ChatMessage::Assistant(ChatAnswer {
                content: Some(BRIDGE.to_owned()),
                ..ChatAnswer::default()
            }));
        }
    }

    fn flush_images(&mut self) {
        if !self.shown.is_empty() {
            self.bridge();
            let content = ChatContent::Parts(mem::take(&mut self.shown));
            self.out.push(ChatMessage::User { content });
        }
    }

    /// Adds the reasoning that goes back with an answer: what the server marked to the model
    /// that wrote it, plain text to its provider.
    fn return_reasoning(&self, out: &mut ChatAnswer, answer: &AssistantMessage) {
        let returned = self.target.quirks.reasoning;
        let is_ours = answer.provider == self.target.provider;
        let is_same = is_ours && answer.model == self.request.model.model;
        let thoughts = || {
            answer.content.iter().filter_map(|part| match part {
                AssistantPart::Thinking { text, signature } => Some((text, signature)),
                _ => None,
            })
        };
        let marked: Vec<Value> = thoughts()
            .filter_map(|(_, signature)| entries(signature.as_deref()?))
            .flatten()
            .collect();
        if is_same && returned != ReturnedReasoning::Nothing && !marked.is_empty() {
            out.reasoning_details = marked;
        } else if returned == ReturnedReasoning::All {
            let all: String = thoughts().map(|(text, _)| text.as_str()).collect();
            let is_known = is_ours && !all.is_empty();
            let text = Some(all).filter(|_| is_known);
            out.reasoning_content = text.or_else(|| Some(UNKNOWN_REASONING.to_owned()));
        }
    }
}

fn user_text<'a>(text: String) -> ChatMessage<'a> {
    ChatMessage::User {
        content: ChatContent::Text(text),
    }
}

fn user_message(parts: &[Part]) -> Option<ChatMessage<'_>> {
    let is_text = |part: &&Part| matches!(part, Part::Text(_));
    if parts.iter().all(|part| is_text(&part)) {
        // Many compatibles take only strings.
        let texts = parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()).filter(|text| !text.trim().is_empty()),
            Part::Image(_) => None,
        });
        let texts: Vec<&str> = texts.collect();
        return (!texts.is_empty()).then(|| user_text(texts.join("\n")));
    }
    let content: Vec<ChatPart<'_>> = parts.iter().filter_map(part).collect();
    Some(ChatMessage::User {
        content: ChatContent::Parts(content),
    })
}

fn part(part: &Part) -> Option<ChatPart<'_>> {
    match part {
        Part::Text(text) => (!text.trim().is_empty()).then(|| ChatPart::Text { text: text.into() }),
        Part::Image(image) => Some(attachment(image)),
    }
}

fn attachment(image: &Image) -> ChatPart<'_> {
    let url = |mime: &str| format!("data:{mime};base64,{}", image.data);
    match Attachment::of(image) {
        Attachment::Image(mime) => ChatPart::ImageUrl {
            image_url: ImageUrl { url: url(mime) },
        },
        Attachment::Pdf => ChatPart::File {
            file: ChatFile {
                filename: image.name.as_deref().unwrap_or("attachment"),
                file_data: url("application/pdf"),
            },
        },
        Attachment::Note(text) => ChatPart::Text { text: text.into() },
    }
}

fn answer_message(answer: &AssistantMessage, ids: &mut WireIds) -> Option<ChatAnswer> {
    let text = answer.text();
    let tool_calls: Vec<ChatCall> = answer
        .tool_calls()
        .map(|call| ChatCall {
            id: ids.call(&call.id),
            kind: "function",
            function: CalledFunction {
                name: wire_name(&call.name),
                arguments: Value::Object(call.arguments_object()).to_string(),
            },
            extra_content: None,
        })
        .collect();
    let content = Some(text).filter(|text| !text.trim().is_empty());
    (content.is_some() || !tool_calls.is_empty()).then(|| ChatAnswer {
        content,
        tool_calls,
        ..ChatAnswer::default()
    })
}

/// Gemini 3 refuses calls without the signature of its reasoning.
fn excuse_signature(answer: &mut ChatAnswer) {
    if let Some(call) = answer.tool_calls.first_mut() {
        call.extra_content = Some(ExtraContent {
            google: GoogleContent {
                thought_signature: EXCUSED_SIGNATURE,
            },
        });
    }
}

fn tool_message<'a>(
    result: &'a ToolResult,
    ids: &WireIds,
    shown: &mut Vec<ChatPart<'a>>,
) -> ChatMessage<'a> {
    let mut text = result.text();
    let images: Vec<ChatPart<'_>> = result
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
        shown.push(ChatPart::Text { text: whose.into() });
        shown.extend(images);
    }
    ChatMessage::Tool {
        tool_call_id: ids.result(&result.call_id),
        content: text,
    }
}
