//! An outline of messages, one line a turn: what was asked and what was done about it.
//! The left side of the first review, where there is no earlier summary.

use std::collections::BTreeMap;

use crate::transcript::Message;

use super::redact;
use super::summary::{SourceMessage, excerpt};

/// Longest quoted ask, in characters.
const ASK_CHARS: usize = 100;
/// Text that is looked at for an ask's first words, in characters.
const LOOKED_AT_CHARS: usize = 1_000;

#[derive(Default)]
struct OutlineTurn {
    ask: Option<String>,
    answers: usize,
    tools: BTreeMap<String, usize>,
    failed: usize,
}

impl OutlineTurn {
    fn line(&self, number: usize) -> String {
        let mut facts = Vec::new();
        if !self.tools.is_empty() {
            let tools: Vec<String> = self
                .tools
                .iter()
                .map(|(name, count)| format!("{name} ×{count}"))
                .collect();
            facts.push(tools.join(", "));
        }
        if self.failed > 0 {
            facts.push(format!("{} failed", self.failed));
        }
        if self.answers > 0 {
            facts.push(format!("{} answer(s)", self.answers));
        }
        let ask = self.ask.as_deref().unwrap_or("(before the first message)");
        if facts.is_empty() {
            format!("{number}. {ask}")
        } else {
            format!("{number}. {ask} — {}", facts.join(" · "))
        }
    }
}

/// One line per turn, numbered from 1.
pub fn outline(messages: &[SourceMessage]) -> String {
    let mut turns: Vec<OutlineTurn> = Vec::new();
    for source in messages {
        if let Message::User(_) = source.message.as_ref() {
            let text = source.message.text();
            let clean = redact::redact(excerpt::head(&text, LOOKED_AT_CHARS)).into_owned();
            turns.push(OutlineTurn {
                ask: Some(excerpt::one_line(&clean, ASK_CHARS)),
                ..OutlineTurn::default()
            });
            continue;
        }
        if turns.is_empty() {
            turns.push(OutlineTurn::default());
        }
        let Some(turn) = turns.last_mut() else {
            continue;
        };
        match source.message.as_ref() {
            Message::Assistant(assistant) => {
                turn.answers += usize::from(!assistant.text().trim().is_empty());
                for call in assistant.tool_calls() {
                    *turn.tools.entry(call.name.clone()).or_default() += 1;
                }
            }
            Message::ToolResult(result) => turn.failed += usize::from(result.is_error),
            Message::BashExecution(_) => *turn.tools.entry("!".to_owned()).or_default() += 1,
            Message::User(_) => {}
        }
    }
    let lines: Vec<String> = turns
        .iter()
        .enumerate()
        .map(|(index, turn)| turn.line(index + 1))
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::transcript::{
        AssistantMessage, AssistantPart, BashExecution, EntryId, ToolCall, ToolResult,
    };

    #[test]
    fn one_line_a_turn() {
        let call = |name: &str| {
            AssistantPart::ToolCall(ToolCall {
                id: "1".to_owned(),
                name: name.to_owned(),
                arguments: serde_json::json!({}),
                malformed: None,
            })
        };
        let messages: Vec<SourceMessage> = [
            Message::BashExecution(BashExecution::default()),
            Message::user_text("fix\nit"),
            Message::Assistant(AssistantMessage {
                content: vec![
                    AssistantPart::Text("ok".to_owned()),
                    call("read"),
                    call("read"),
                    call("edit"),
                ],
                ..AssistantMessage::default()
            }),
            Message::ToolResult(ToolResult {
                is_error: true,
                ..ToolResult::default()
            }),
            Message::user_text("thanks"),
        ]
        .into_iter()
        .map(|message| SourceMessage {
            entry: EntryId::new("e"),
            message: Arc::new(message),
            tokens: 1,
        })
        .collect();
        assert_eq!(
            outline(&messages),
            "1. (before the first message) — ! ×1\n2. fix it — edit ×1, read ×2 · 1 failed · 1 answer(s)\n3. thanks"
        );
    }
}
