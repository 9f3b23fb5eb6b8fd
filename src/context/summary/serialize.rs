//! Messages as text for the summariser: what was said and done, in order, without
//! thinking, attachments, structured details or secrets.

use crate::context::{identifiers, redact};
use crate::transcript::{AssistantPart, Message, Part, ToolCall};

use super::{SourceMessage, excerpt};

/// Characters of a tool output that the summariser reads.
pub const TOOL_OUTPUT_CHARS: usize = 2_000;
/// Characters of a tool output that are read after a request was too long.
pub const TIGHT_TOOL_OUTPUT_CHARS: usize = 500;
/// Characters of one argument value: longer ones are file contents.
pub const ARGUMENT_CHARS: usize = 1_000;
/// Tokens in the unit of the note for omitted messages.
const NOTE_UNIT_TOKENS: u64 = 1_000;

/// How far beyond a cut secrets are looked for, in characters: one that the cut goes
/// through would not be recognised by its first half.
const SECRET_SLACK_CHARS: usize = 1_000;

/// The secrets that the text of these messages gives away, as far as it is read.
pub fn secrets(previous: Option<&str>, messages: &[SourceMessage]) -> redact::KnownSecrets {
    let mut known = redact::KnownSecrets::default();
    known.learn(previous.unwrap_or_default());
    for source in messages {
        match source.message.as_ref() {
            Message::User(_) => known.learn(&source.message.text()),
            Message::ToolResult(_) => {
                let text = source.message.text();
                known.learn(excerpt::head(&text, TOOL_OUTPUT_CHARS + SECRET_SLACK_CHARS));
            }
            Message::Assistant(assistant) => {
                known.learn(&assistant.text());
                for call in assistant.tool_calls() {
                    known.learn(&identifiers::named_strings_of(&call.arguments));
                }
            }
            Message::BashExecution(run) => {
                known.learn(&run.command);
                let output = excerpt::head(&run.output, TOOL_OUTPUT_CHARS + SECRET_SLACK_CHARS);
                known.learn(output);
            }
        }
    }
    known
}

/// One message as a block of text, tool outputs cut to `output_chars` characters.
pub fn message(
    source: &SourceMessage,
    output_chars: usize,
    secrets: &redact::KnownSecrets,
) -> String {
    let cut = |text: &str, chars: usize| cut(text, chars, secrets);
    let text = match source.message.as_ref() {
        Message::User(user) => format!("[User]\n{}", parts(&user.content)),
        Message::Assistant(assistant) => {
            let mut out = "[Assistant]".to_owned();
            for part in &assistant.content {
                match part {
                    AssistantPart::Text(text) => push(&mut out, text),
                    AssistantPart::ToolCall(call) => {
                        push(&mut out, &tool_call(call, output_chars, secrets));
                    }
                    AssistantPart::Thinking { .. } | AssistantPart::RedactedThinking { .. } => {}
                }
            }
            if let Some(error) = &assistant.error {
                push(&mut out, &format!("(the answer broke off: {error})"));
            }
            out
        }
        Message::ToolResult(result) => {
            let failed = if result.is_error { " (failed)" } else { "" };
            let output = cut(&parts(&result.content), output_chars);
            format!("[Tool result: {}{failed}]\n{output}", result.tool_name)
        }
        Message::BashExecution(run) if run.excluded => String::new(),
        Message::BashExecution(run) => {
            let output = cut(&run.output, output_chars);
            format!("[User ran `{}`: {}]\n{output}", run.command, run.ending())
        }
    };
    visible(secrets.redact(&text).into_owned())
}

/// Without what a reader would not see: it can carry orders to the model.
fn visible(text: String) -> String {
    let hides = |c: char| excerpt::is_format_char(c) || c.is_control() && !matches!(c, '\n' | '\t');
    if text.contains(hides) {
        text.chars().filter(|c| !hides(*c)).collect()
    } else {
        text
    }
}

/// The note that stands for a message too large to summarise.
pub fn omitted(source: &SourceMessage) -> String {
    let what = match source.message.as_ref() {
        Message::User(_) | Message::BashExecution(_) => "user message",
        Message::Assistant(_) => "answer",
        Message::ToolResult(_) => "tool result",
    };
    let thousands = source.tokens.div_ceil(NOTE_UNIT_TOKENS);
    format!("[Large {what} (~{thousands}K tokens) omitted from summary]")
}

/// Blocks joined to a conversation.
pub fn conversation<'a>(blocks: impl IntoIterator<Item = &'a str>) -> String {
    blocks
        .into_iter()
        .filter(|block| !block.is_empty())
        .collect::<Vec<_>>()
        .join("\n\n")
}

fn parts(parts: &[Part]) -> String {
    let mut out = String::new();
    for part in parts {
        match part {
            Part::Text(text) => push(&mut out, text),
            Part::Image(image) => {
                let name = image.name.as_deref().unwrap_or("unnamed");
                push(&mut out, &format!("[Attached {}: {name}]", image.mime));
            }
        }
    }
    out
}

fn tool_call(call: &ToolCall, output_chars: usize, secrets: &redact::KnownSecrets) -> String {
    let cut = |text: &str| cut(text, ARGUMENT_CHARS.min(output_chars), secrets);
    let arguments: Vec<String> = call
        .arguments
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| {
            let value = match value {
                serde_json::Value::String(text) => cut(text),
                other => cut(&other.to_string()),
            };
            format!("{name}={value}")
        })
        .collect();
    format!("[Tool call: {}] {}", call.name, arguments.join(", "))
}

/// The first `chars` characters without secrets, with the number of what is omitted.
fn cut(text: &str, chars: usize, secrets: &redact::KnownSecrets) -> String {
    if !excerpt::is_longer(text, chars) {
        return text.to_owned();
    }
    let read = excerpt::head(text, chars + SECRET_SLACK_CHARS);
    let clean = secrets.redact(read);
    let kept = excerpt::head(&clean, chars);
    let rest = clean.get(kept.len()..).unwrap_or_default();
    let unread = text.get(read.len()..).unwrap_or_default();
    let omitted = rest.chars().count() + unread.chars().count();
    format!("{kept}\n[… {omitted} more characters omitted]")
}

fn push(out: &mut String, text: &str) {
    if !out.is_empty() && !text.is_empty() {
        out.push('\n');
    }
    out.push_str(text);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::transcript::{
        AssistantMessage, BashExecution, EntryId, Image, ToolResult, UserMessage,
    };

    fn none() -> redact::KnownSecrets {
        redact::KnownSecrets::default()
    }

    fn source(message: Message) -> SourceMessage {
        SourceMessage {
            entry: EntryId::new("e"),
            message: Arc::new(message),
            tokens: 36_500,
        }
    }

    #[test]
    fn every_kind_of_message() {
        let user = source(Message::User(UserMessage {
            content: vec![
                Part::Text("look".to_owned()),
                Part::Image(Image {
                    data: "AAAA".into(),
                    mime: "image/png".to_owned(),
                    name: Some("shot.png".to_owned()),
                }),
            ],
        }));
        assert_eq!(
            message(&user, 10, &none()),
            "[User]\nlook\n[Attached image/png: shot.png]"
        );
        let answer = source(Message::Assistant(AssistantMessage {
            content: vec![
                AssistantPart::Thinking {
                    text: "hmm".to_owned(),
                    signature: None,
                },
                AssistantPart::Text("I read it".to_owned()),
                AssistantPart::ToolCall(ToolCall {
                    id: "c".to_owned(),
                    name: "read".to_owned(),
                    arguments: json!({"path": "a.rs", "n": 3}),
                    malformed: None,
                }),
            ],
            ..AssistantMessage::default()
        }));
        assert_eq!(
            message(&answer, 500, &none()),
            "[Assistant]\nI read it\n[Tool call: read] path=a.rs, n=3"
        );
        let result = source(Message::ToolResult(ToolResult {
            tool_name: "bash".to_owned(),
            content: vec![Part::Text("y".repeat(2_500))],
            is_error: true,
            details: Some(json!({"hidden": 1})),
            ..ToolResult::default()
        }));
        let text = message(&result, TOOL_OUTPUT_CHARS, &none());
        assert!(text.starts_with("[Tool result: bash (failed)]\nyyy"));
        assert!(text.ends_with("[… 500 more characters omitted]"));
        assert!(!text.contains("hidden"));
        assert_eq!(
            omitted(&result),
            "[Large tool result (~37K tokens) omitted from summary]"
        );
        let run = |excluded| {
            source(Message::BashExecution(BashExecution {
                command: "ls".to_owned(),
                output: "a".to_owned(),
                exit_code: Some(0),
                excluded,
                ..BashExecution::default()
            }))
        };
        assert_eq!(
            message(&run(false), 9, &none()),
            "[User ran `ls`: exit code 0]\na"
        );
        assert_eq!(message(&run(true), 9, &none()), "");
    }

    #[test]
    fn secrets_do_not_reach_the_summariser() {
        let user = source(Message::user_text("use sk-abcdefghijklmnopqrstuv123456"));
        assert!(message(&user, 10, &none()).ends_with("use [secret removed]"));
    }

    #[test]
    fn a_secret_across_the_cut_or_said_again_without_a_clue_is_removed() {
        let key = "sk-abcdefghijklmnopqrstuv123456";
        let result = |text: String| {
            source(Message::ToolResult(ToolResult {
                tool_name: "read".to_owned(),
                content: vec![Part::Text(text)],
                ..ToolResult::default()
            }))
        };
        for before in 1_965..2_001 {
            let text = format!("{} {key} {}", "y".repeat(before), "z".repeat(500));
            let shown = message(&result(text), TOOL_OUTPUT_CHARS, &none());
            assert!(!shown.contains("sk-a"), "{before}: {shown}");
        }
        let env = result("DB_PASSWORD=Tr0ub4dor-3\n".to_owned());
        let said = source(Message::user_text("it takes Tr0ub4dor-3, try it"));
        let known = secrets(None, &[env, said.clone()]);
        let shown = message(&said, 10, &known);
        assert_eq!(shown, "[User]\nit takes [secret removed], try it");
    }

    #[test]
    fn what_nobody_sees_is_not_read() {
        let hidden: String = "obey"
            .chars()
            .filter_map(|c| char::from_u32(0xE0000 + u32::from(c)))
            .collect();
        let user = source(Message::user_text(format!(
            "a{hidden}\u{202e}b\tc\u{1b}[1m"
        )));
        assert_eq!(message(&user, 10, &none()), "[User]\nab\tc[1m");
    }
}
