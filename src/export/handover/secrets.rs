//! A session without secrets: what the redaction rules find anywhere in it is replaced
//! everywhere. Reasoning whose text changes loses its signature, which would no longer fit.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use crate::context::redact::KnownSecrets;
use crate::transcript::{
    AssistantMessage, AssistantPart, BashExecution, Compaction, Decision, DuplicateEntry, Entry,
    EntryBody, Message, Part, RuleChange, ToolCall, Transcript,
};

/// A session without secrets.
#[derive(Debug)]
pub(super) struct CleanSession {
    pub(super) transcript: Transcript,
    /// How many were replaced.
    pub(super) removed: usize,
    /// Images, in which nobody looked.
    pub(super) images: usize,
}

/// Takes the secrets out of the active branch and all others.
pub(super) fn without_secrets(transcript: &Transcript) -> Result<CleanSession, DuplicateEntry> {
    let mut cleaner = SecretFilter::default();
    for entry in transcript.entries() {
        each_text(&entry.body, &mut |text| cleaner.known.learn(text));
    }
    let mut clean = Transcript::new();
    for entry in transcript.entries() {
        clean.push(Arc::new(Entry {
            body: cleaner.body(&entry.body),
            ..Entry::clone(entry)
        }))?;
    }
    clean.set_leaf(transcript.leaf().cloned());
    Ok(CleanSession {
        transcript: clean,
        removed: cleaner.removed,
        images: cleaner.images,
    })
}

/// Every text in which a secret can give itself away.
fn each_text(body: &EntryBody, read: &mut dyn FnMut(&str)) {
    match body {
        EntryBody::Message(message) => {
            read(&message.text());
            match message.as_ref() {
                Message::Assistant(answer) => {
                    for call in answer.tool_calls() {
                        read(&call.arguments.to_string());
                    }
                }
                Message::BashExecution(run) => read(&run.command),
                Message::User(_) | Message::ToolResult(_) => {}
            }
        }
        EntryBody::Compaction(compaction) => read(&compaction.summary),
        EntryBody::BranchSummary { summary, .. } => read(summary),
        EntryBody::CustomMessage { content, .. } => {
            for part in content {
                if let Part::Text(text) = part {
                    read(text);
                }
            }
        }
        _ => {}
    }
}

#[derive(Default)]
struct SecretFilter {
    known: KnownSecrets,
    removed: usize,
    images: usize,
}

impl SecretFilter {
    fn text(&mut self, text: &str) -> String {
        let clean = self.known.redact(text);
        if let Cow::Owned(_) = &clean {
            self.removed += self.known.count_in(text);
        }
        clean.into_owned()
    }

    fn parts(&mut self, parts: &[Part]) -> Vec<Part> {
        let mut out = Vec::with_capacity(parts.len());
        for part in parts {
            out.push(match part {
                Part::Text(text) => Part::Text(self.text(text)),
                Part::Image(image) => {
                    self.images += 1;
                    Part::Image(image.clone())
                }
            });
        }
        out
    }

    fn value(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(items) => items.iter().map(|it| self.value(it)).collect(),
            Value::Object(fields) => {
                let fields = fields.iter();
                let clean = fields.map(|(key, it)| (self.text(key), self.member(key, it)));
                Value::Object(clean.collect())
            }
            other => other.clone(),
        }
    }

    /// The value of a key: `{"password": "x"}` gives `x` away, which alone would not.
    fn member(&mut self, key: &str, value: &Value) -> Value {
        let Value::String(text) = value else {
            return self.value(value);
        };
        let pair = format!("{key}: \"{text}\"");
        let mut own = self.known.clone();
        own.learn(&pair);
        if own.is_in(text) {
            self.removed += 1;
            return Value::String(own.redact(text).into_owned());
        }
        Value::String(self.text(text))
    }

    fn body(&mut self, body: &EntryBody) -> EntryBody {
        match body {
            EntryBody::Message(message) => EntryBody::Message(Arc::new(self.message(message))),
            EntryBody::Compaction(compaction) => {
                EntryBody::Compaction(Box::new(self.compaction(compaction)))
            }
            EntryBody::BranchSummary { from, summary } => EntryBody::BranchSummary {
                from: from.clone(),
                summary: self.text(summary),
            },
            EntryBody::ContextEdit {
                target,
                replacement,
            } => EntryBody::ContextEdit {
                target: target.clone(),
                replacement: replacement.as_deref().map(|parts| self.parts(parts)),
            },
            EntryBody::CustomMessage {
                custom_type,
                content,
                display,
            } => EntryBody::CustomMessage {
                custom_type: custom_type.clone(),
                content: self.parts(content),
                display: *display,
            },
            EntryBody::SessionInfo { name } => EntryBody::SessionInfo {
                name: self.text(name),
            },
            EntryBody::Decision(decision) => EntryBody::Decision(self.decision(decision)),
            other => other.clone(),
        }
    }

    fn decision(&mut self, decision: &Decision) -> Decision {
        let Decision::Rule { rule, change } = decision else {
            return decision.clone();
        };
        let change = match change {
            RuleChange::Reword(text) => RuleChange::Reword(self.text(text)),
            RuleChange::Add(text) => RuleChange::Add(self.text(text)),
            other => other.clone(),
        };
        Decision::Rule {
            rule: rule.clone(),
            change,
        }
    }

    fn compaction(&mut self, compaction: &Compaction) -> Compaction {
        let mut clean = compaction.clone();
        clean.summary = self.text(&compaction.summary);
        let others = &compaction.details.appendix.for_others;
        clean.details.appendix.for_others = self.text(others);
        let failures = compaction.details.appendix.failures.iter();
        clean.details.appendix.failures = failures.map(|it| self.text(it)).collect();
        clean
    }

    fn message(&mut self, message: &Message) -> Message {
        match message {
            Message::User(user) => {
                let mut clean = user.clone();
                clean.content = self.parts(&user.content);
                Message::User(clean)
            }
            Message::Assistant(answer) => Message::Assistant(self.answer(answer)),
            Message::ToolResult(result) => {
                let mut clean = result.clone();
                clean.content = self.parts(&result.content);
                clean.details = result.details.as_ref().map(|it| self.value(it));
                Message::ToolResult(clean)
            }
            Message::BashExecution(run) => Message::BashExecution(BashExecution {
                command: self.text(&run.command),
                output: self.text(&run.output),
                ..run.clone()
            }),
        }
    }

    fn answer(&mut self, answer: &AssistantMessage) -> AssistantMessage {
        let mut clean = answer.clone();
        clean.error = answer.error.as_deref().map(|it| self.text(it));
        for part in &mut clean.content {
            match part {
                AssistantPart::Text(text) => *text = self.text(text),
                AssistantPart::Thinking { text, signature } => {
                    let shown = self.text(text);
                    if shown != *text {
                        *signature = None;
                        *text = shown;
                    }
                }
                AssistantPart::RedactedThinking { .. } => {}
                AssistantPart::ToolCall(call) => *call = self.call(call),
            }
        }
        clean
    }

    fn call(&mut self, call: &ToolCall) -> ToolCall {
        ToolCall {
            arguments: self.value(&call.arguments),
            malformed: call.malformed.as_deref().map(|it| self.text(it)),
            ..call.clone()
        }
    }
}
