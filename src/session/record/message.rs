//! Messages of every role. One record holds the fields of the common roles, because a tagged
//! union would buffer each message before it is read; a message of a rare role is read again
//! for the fields that no other role has.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};
use serde_json::{Number, Value};

use super::body::parse;
use super::{ReadBody, RecordTime};
use crate::transcript::{
    AssistantMessage, AssistantPart, BashExecution, CacheDiagnosis, EntryBody, ExpectedTokens,
    Image, Message, Part, StopReason, ToolCall, ToolResult, Usage, UserMessage,
};

/// Our own value of `plimsollStop`: other programs have no such stop reason.
pub(super) const REFUSAL: &str = "refusal";
/// The value of `plimsollStop` for an answer that the server paused.
pub(super) const PAUSED: &str = "paused";

#[derive(Deserialize)]
struct MessageLine<R> {
    message: R,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MessageRecord {
    role: String,
    content: Option<MessageContent>,
    timestamp: Option<RecordTime>,
    // assistant
    provider: Option<String>,
    model: Option<String>,
    usage: Option<UsageRecord>,
    stop_reason: Option<String>,
    plimsoll_stop: Option<String>,
    error_message: Option<String>,
    response_id: Option<String>,
    plimsoll_cache: Option<CacheRecord>,
    // toolResult
    tool_call_id: Option<String>,
    tool_name: Option<String>,
    is_error: Option<bool>,
    details: Option<Value>,
}

/// The further fields of the role `bashExecution`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BashFields {
    command: Option<String>,
    output: Option<String>,
    exit_code: Option<Number>,
    exclude_from_context: Option<bool>,
    plimsoll_job: Option<u64>,
    details: Option<Value>,
}

/// The further fields of the role `custom`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CustomFields {
    custom_type: Option<String>,
    display: Option<bool>,
}

/// Reads the message of a line.
pub(super) fn read(text: &str) -> Result<ReadBody, String> {
    let record = parse::<MessageLine<MessageRecord>>(text)?.message;
    let stamp = record.timestamp.and_then(RecordTime::get);
    let mut unknown = Vec::new();
    let message = match record.role.as_str() {
        "user" => Message::User(UserMessage {
            content: required(record.content)?.into_parts(&mut unknown),
        }),
        "assistant" => Message::Assistant(assistant(record, &mut unknown)),
        "toolResult" => Message::ToolResult(tool_result(record, &mut unknown)?),
        "bashExecution" => {
            Message::BashExecution(bash(parse::<MessageLine<BashFields>>(text)?.message))
        }
        // `hookMessage` until version 2.
        "custom" | "hookMessage" => {
            let content = required(record.content)?;
            let fields = parse::<MessageLine<CustomFields>>(text)?.message;
            let body = custom(fields.custom_type, content, fields.display);
            return Ok(ReadBody { stamp, ..body });
        }
        // Since 0.87 pi keeps its own prompt and tools in the conversation: they are not ours.
        "system" => {
            let kind = record.role;
            return Ok(ReadBody {
                stamp,
                ..ReadBody::from(EntryBody::Unknown { kind })
            });
        }
        other => return Err(format!("the role {other} is unknown")),
    };
    Ok(ReadBody {
        stamp,
        complaint: complaint(&unknown),
        ..ReadBody::from(EntryBody::Message(Arc::new(message)))
    })
}

/// A message injected by a program.
pub(super) fn custom(
    custom_type: Option<String>,
    content: MessageContent,
    display: Option<bool>,
) -> ReadBody {
    let mut unknown = Vec::new();
    let content = content.into_parts(&mut unknown);
    ReadBody {
        complaint: complaint(&unknown),
        ..ReadBody::from(EntryBody::CustomMessage {
            custom_type: custom_type.unwrap_or_default(),
            content,
            display: display.unwrap_or(true),
        })
    }
}

fn complaint(unknown: &[String]) -> Option<String> {
    (!unknown.is_empty())
        .then(|| format!("parts of unknown type were skipped: {}", unknown.join(", ")))
}

fn required(content: Option<MessageContent>) -> Result<MessageContent, String> {
    content.ok_or_else(|| "it has no content".to_owned())
}

fn assistant(record: MessageRecord, unknown: &mut Vec<String>) -> AssistantMessage {
    let content = match record.content {
        None => Vec::new(),
        Some(MessageContent::Text(text)) => vec![AssistantPart::Text(text)],
        Some(MessageContent::Blocks(blocks)) => blocks
            .into_iter()
            .filter_map(|block| {
                block
                    .into_assistant_part()
                    .map_err(|kind| unknown.push(kind))
                    .ok()
            })
            .collect(),
    };
    let stop = match (
        record.plimsoll_stop.as_deref(),
        record.stop_reason.as_deref(),
    ) {
        (Some(REFUSAL), _) => StopReason::Refusal,
        (Some(PAUSED), _) => StopReason::Paused,
        (_, Some("length")) => StopReason::Length,
        (_, Some("toolUse")) => StopReason::ToolUse,
        (_, Some("error")) => StopReason::Error,
        (_, Some("aborted")) => StopReason::Aborted,
        _ => StopReason::Stop,
    };
    AssistantMessage {
        content,
        provider: record.provider.unwrap_or_default(),
        model: record.model.unwrap_or_default(),
        usage: record.usage.and_then(UsageRecord::into_usage),
        stop,
        error: record.error_message,
        response_id: record.response_id,
        cache: record.plimsoll_cache.and_then(CacheRecord::into_diagnosis),
    }
}

/// What a server said of its prompt cache.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CacheRecord {
    finding: String,
    #[serde(default)]
    reason: String,
    missed_tokens: Option<Number>,
}

impl CacheRecord {
    fn into_diagnosis(self) -> Option<CacheDiagnosis> {
        let missed = self.missed_tokens.map(|number| tokens(Some(&number)));
        match self.finding.as_str() {
            "same" => Some(CacheDiagnosis::Same),
            "changed" => Some(CacheDiagnosis::changed(&self.reason, missed)),
            "unknown" => Some(CacheDiagnosis::unknown(&self.reason)),
            _ => None,
        }
    }
}

fn tool_result(record: MessageRecord, unknown: &mut Vec<String>) -> Result<ToolResult, String> {
    Ok(ToolResult {
        call_id: record
            .tool_call_id
            .ok_or_else(|| "it names no tool call".to_owned())?,
        tool_name: record.tool_name.unwrap_or_default(),
        content: record
            .content
            .map(|content| content.into_parts(unknown))
            .unwrap_or_default(),
        is_error: record.is_error.unwrap_or(false),
        details: record.details,
    })
}

fn bash(record: BashFields) -> BashExecution {
    BashExecution {
        command: record.command.unwrap_or_default(),
        output: record.output.unwrap_or_default(),
        exit_code: record
            .exit_code
            .and_then(|code| code.as_i64())
            .and_then(|code| i32::try_from(code).ok()),
        job: record.plimsoll_job,
        files: record.details,
        excluded: record.exclude_from_context.unwrap_or(false),
    }
}

/// Content as a string or as blocks.
#[derive(Debug)]
pub(super) enum MessageContent {
    Text(String),
    Blocks(Vec<ContentBlock>),
}

impl MessageContent {
    /// The parts of a message in the user role; `unknown` collects the types of blocks
    /// that have no place there.
    pub(super) fn into_parts(self, unknown: &mut Vec<String>) -> Vec<Part> {
        let blocks = match self {
            Self::Text(text) => return vec![Part::Text(text)],
            Self::Blocks(blocks) => blocks,
        };
        let mut parts = Vec::with_capacity(blocks.len());
        for block in blocks {
            match (block.kind.as_str(), block.text, block.data) {
                ("text", Some(text), _) => parts.push(Part::Text(text)),
                ("image", _, Some(data)) => parts.push(Part::Image(Image {
                    data: data.0,
                    mime: block.mime_type.unwrap_or_default(),
                    name: block.name,
                })),
                _ => unknown.push(block.kind),
            }
        }
        parts
    }
}

impl<'de> Deserialize<'de> for MessageContent {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct ContentReader;
        impl<'de> Visitor<'de> for ContentReader {
            type Value = MessageContent;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("text or content blocks")
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<MessageContent, E> {
                Ok(MessageContent::Text(text.to_owned()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<MessageContent, A::Error> {
                let mut blocks = Vec::new();
                while let Some(block) = seq.next_element()? {
                    blocks.push(block);
                }
                Ok(MessageContent::Blocks(blocks))
            }
        }
        from.deserialize_any(ContentReader)
    }
}

/// The fields of every type of block.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContentBlock {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
    thinking: Option<String>,
    thinking_signature: Option<String>,
    redacted: Option<bool>,
    id: Option<String>,
    name: Option<String>,
    arguments: Option<Value>,
    partial_json: Option<String>,
    data: Option<SharedText>,
    mime_type: Option<String>,
}

impl ContentBlock {
    /// The part, or the type of a block that is none.
    fn into_assistant_part(self) -> Result<AssistantPart, String> {
        match (self.kind.as_str(), self.text) {
            ("text", Some(text)) => Ok(AssistantPart::Text(text)),
            ("thinking", _) if self.redacted == Some(true) => Ok(AssistantPart::RedactedThinking {
                data: self.thinking_signature.unwrap_or_default(),
            }),
            ("thinking", _) => Ok(AssistantPart::Thinking {
                text: self.thinking.unwrap_or_default(),
                signature: self.thinking_signature,
            }),
            ("toolCall", _) => {
                let (arguments, malformed) = arguments(self.arguments, self.partial_json);
                Ok(AssistantPart::ToolCall(ToolCall {
                    id: self.id.unwrap_or_default(),
                    name: self.name.unwrap_or_default(),
                    arguments,
                    malformed,
                }))
            }
            _ => Err(self.kind),
        }
    }
}

/// The arguments of a call, and the raw text when they are no object: then they are the empty
/// object that was sent for them. Other programs leave `partialJson` behind in answers that
/// were cut off, beside what they could parse of it; only where nothing could be parsed does
/// the raw text say more than the arguments.
fn arguments(value: Option<Value>, raw: Option<String>) -> (Value, Option<String>) {
    match value {
        Some(Value::Object(object)) => match raw {
            Some(raw)
                if object.is_empty()
                    && serde_json::from_str::<serde_json::Map<String, Value>>(&raw).is_err() =>
            {
                (Value::Object(object), Some(raw))
            }
            _ => (Value::Object(object), None),
        },
        None | Some(Value::Null) if raw.is_none() => (Value::Null, None),
        None | Some(Value::Null) => (no_arguments(), raw),
        Some(Value::String(text)) => (no_arguments(), Some(text)),
        Some(other) => (no_arguments(), Some(other.to_string())),
    }
}

fn no_arguments() -> Value {
    Value::Object(serde_json::Map::new())
}

/// Text that goes straight into shared memory: attachments are large.
#[derive(Debug)]
struct SharedText(Arc<str>);

impl<'de> Deserialize<'de> for SharedText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct BorrowedText<'a>(#[serde(borrow)] Cow<'a, str>);
        let BorrowedText(text) = BorrowedText::deserialize(from)?;
        Ok(Self(Arc::from(text)))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UsageRecord {
    input: Option<Number>,
    output: Option<Number>,
    cache_read: Option<Number>,
    cache_write: Option<Number>,
    #[serde(rename = "cacheWrite1h")]
    cache_write_hour: Option<Number>,
    reasoning: Option<Number>,
    plimsoll_server_cut: Option<Number>,
    plimsoll_expected: Option<Number>,
    plimsoll_uncertain: Option<Number>,
    cost: Option<CostRecord>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CostRecord {
    total: Option<f64>,
    plimsoll_unknown: Option<bool>,
}

impl UsageRecord {
    /// All zeros is how "not reported" is written: other programs need the fields.
    fn into_usage(self) -> Option<Usage> {
        let usage = Usage {
            input_tokens: tokens(self.input.as_ref()),
            output_tokens: tokens(self.output.as_ref()),
            cache_read_tokens: tokens(self.cache_read.as_ref()),
            reasoning_tokens: tokens(self.reasoning.as_ref()),
            cache_write_tokens: tokens(self.cache_write.as_ref()),
            cache_write_hour_tokens: tokens(self.cache_write_hour.as_ref()),
            server_cut_tokens: self.plimsoll_server_cut.map(|number| tokens(Some(&number))),
            expected: self.plimsoll_expected.map(|number| ExpectedTokens {
                tokens: tokens(Some(&number)),
                uncertain_tokens: tokens(self.plimsoll_uncertain.as_ref()),
            }),
            cost_usd: self
                .cost
                .filter(|cost| cost.plimsoll_unknown != Some(true))
                .and_then(|cost| cost.total),
        };
        (!usage.is_empty()).then_some(usage)
    }
}

fn tokens(number: Option<&Number>) -> u64 {
    let count = number.and_then(|n| n.as_u64().or_else(|| n.as_f64().map(|f| f as u64)));
    count.unwrap_or(0).min(Usage::MAX_TOKENS)
}
