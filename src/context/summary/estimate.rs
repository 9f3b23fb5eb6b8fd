//! The tokens of a message as the summariser reads it, from what the whole message was
//! counted at: a long session is planned without counting its text a second time. Says
//! nothing where too much is left out for that.

use crate::transcript::{AssistantPart, Message, Part};

use super::serialize::{self, ARGUMENT_CHARS};
use super::{SourceMessage, excerpt};

/// The label of a block and the note of what was cut, in tokens.
const FRAME_TOKENS: u64 = 16;
/// The label of one call, in tokens.
const CALL_TOKENS: u64 = 6;

/// Estimated tokens of [`super::serialize::message`]; a message that is read whole is estimated
/// at no less than it is, a tool output that is cut at its share. `None`: count the text.
pub(super) fn tokens(source: &SourceMessage, output_chars: usize) -> Option<u64> {
    if source.tokens == 0 {
        return None;
    }
    match source.message.as_ref() {
        Message::User(user) => {
            text_parts(&user.content)?;
            Some(source.tokens + FRAME_TOKENS)
        }
        Message::ToolResult(result) => {
            let texts = text_parts(&result.content)?;
            if serialize::is_note(result) {
                return Some(source.tokens + FRAME_TOKENS);
            }
            let total: usize = texts.iter().map(|text| text.len()).sum();
            let mut left = output_chars;
            let mut kept = 0;
            for text in texts {
                let head = excerpt::head(text, left);
                kept += head.len();
                left -= head.chars().count();
            }
            let share = (u128::from(source.tokens) * kept as u128).div_ceil(total.max(1) as u128);
            Some(u64::try_from(share).unwrap_or(u64::MAX) + FRAME_TOKENS)
        }
        Message::Assistant(assistant) => {
            let mut frame = FRAME_TOKENS;
            for part in &assistant.content {
                match part {
                    AssistantPart::Text(_) => {}
                    AssistantPart::ToolCall(call) => {
                        let strings = call.arguments.as_object()?.values();
                        let limit = ARGUMENT_CHARS.min(output_chars);
                        if !strings.into_iter().all(|value| is_short(value, limit)) {
                            return None;
                        }
                        frame += CALL_TOKENS;
                    }
                    AssistantPart::Thinking { .. } | AssistantPart::RedactedThinking { .. } => {
                        return None;
                    }
                }
            }
            assistant.error.is_none().then_some(source.tokens + frame)
        }
        Message::BashExecution(_) => None,
    }
}

/// The texts of a message without attachments.
fn text_parts(parts: &[Part]) -> Option<Vec<&str>> {
    let texts = parts.iter().map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        Part::Image(_) => None,
    });
    texts.collect()
}

fn is_short(value: &serde_json::Value, limit: usize) -> bool {
    match value {
        serde_json::Value::String(text) => text.len() <= limit,
        serde_json::Value::Array(_) | serde_json::Value::Object(_) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::context::ruler::{Bpe, Ruler};
    use crate::transcript::{AssistantMessage, Encoding, EntryId, ToolCall, ToolResult};

    #[test]
    fn estimates_are_close_to_what_counting_gives() {
        let ruler = Bpe::new(Encoding::O200k);
        let code = include_str!("estimate.rs");
        let chinese = "上下文窗口已经满了，请先压缩上下文，然后继续修复测试。\n".repeat(200);
        let log =
            "2026-03-10T08:00:00Z INFO 5f0c1a2b-1b2c-4d5e-8f90-a1b2c3d4e5f6 done\n".repeat(90);
        let result = |text: &str| {
            Message::ToolResult(ToolResult {
                call_id: "c".to_owned(),
                tool_name: "read".to_owned(),
                content: vec![Part::Text(text.to_owned())],
                ..ToolResult::default()
            })
        };
        let call = AssistantPart::ToolCall(ToolCall {
            id: "call_1".to_owned(),
            name: "read".to_owned(),
            arguments: json!({"path": "src/context/summary/estimate.rs", "limit": 40}),
            malformed: None,
        });
        let answer = Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text(code.to_owned()), call],
            ..AssistantMessage::default()
        });
        for message in [
            Message::user_text(code),
            Message::user_text(chinese.clone()),
            answer,
            result(code),
            result(&chinese),
            result(&log),
            result("short"),
        ] {
            let source = SourceMessage {
                entry: EntryId::new("e"),
                tokens: ruler.message_tokens(&message),
                message: Arc::new(message),
            };
            let none = crate::context::redact::KnownSecrets::default();
            let text = serialize::message(&source, serialize::TOOL_OUTPUT_CHARS, &none);
            let counted = ruler.text_tokens(&text) as f64;
            let estimated = tokens(&source, serialize::TOOL_OUTPUT_CHARS).unwrap() as f64;
            assert!(
                estimated >= counted * 0.9,
                "{estimated} for {counted}: {text}"
            );
            assert!(
                estimated <= counted * 1.15 + 24.0,
                "{estimated} for {counted}: {text}"
            );
        }
    }
}
