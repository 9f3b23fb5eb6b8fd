//! A session as a rollout of codex: items of the Responses API between the records of turns.
//!
//! Each item has an id of its own, so that the replacement history of a compaction names what
//! stays word for word; items of reasoning keep the id and the encrypted content that their
//! provider gave them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::claude::image_words;
use super::ids::{digits, uuid_at};
use super::losses::Losses;
use super::plan::{AnswerPart, ExportPlan, Step, StepBody};
use super::{ExportedSession, NativeSession, ParentSession};
use crate::session::{Header, to_rfc3339};
use crate::transcript::{Image, Part, Timestamp, Usage};

/// The version that the file claims to be of: the one whose resume was observed.
const VERSION: &str = "0.169.0";
/// What says in a text that a call failed: there is no flag.
const FAILED: &str = "Process exited with code 1\nOutput:\n";
/// What stands before a summary; readers take what follows the last word.
const FRAME: &str = "The older part of this conversation was replaced by a summary. Use it for \
                     your own analysis:\n";

const LOST_REASONING: &str = "reasoning that only its own provider accepts: left out";
const LOST_IMAGE: &str = "attachment that codex does not accept: named in a text";
const LOST_FAILURE: &str = "note that an answer broke off: left out";
const LOST_CLEARED: &str = "result that is sent cleared: written in full";

/// Writes a session.
pub(super) fn write(session: &ExportedSession<'_>, plan: ExportPlan) -> NativeSession {
    let at = session.header.timestamp;
    let id = thread_id(session, session.header);
    let mut writer = CodexWriter {
        session,
        losses: plan.losses,
        out: String::new(),
        items: Vec::new(),
        turn: String::new(),
        model: String::new(),
        total: Usage::default(),
        id: id.clone(),
    };
    writer.head();
    for (number, step) in plan.steps.iter().enumerate() {
        writer.step(number, step);
    }
    writer.end_turn(plan.steps.last().map_or(at, |step| session.time_of(step)));
    NativeSession {
        bytes: writer.out.into_bytes(),
        file: file(at, &id),
        session: id,
        losses: writer.losses.into_list(),
        beside: Vec::new(),
    }
}

fn thread_id(session: &ExportedSession<'_>, header: &Header) -> String {
    uuid_at(&session.seed_of("codex", header), header.timestamp)
}

/// Where the program looks for it, below its own folder.
fn file(at: Timestamp, id: &str) -> PathBuf {
    let text = to_rfc3339(at);
    let (day, time) = text.split_once('T').unwrap_or((text.as_str(), ""));
    let time = time.split('.').next().unwrap_or_default().replace(':', "-");
    let mut folder = Path::new("sessions").to_owned();
    folder.extend(day.split('-'));
    folder.join(format!("rollout-{day}T{time}-{id}.jsonl"))
}

struct CodexWriter<'a> {
    session: &'a ExportedSession<'a>,
    losses: Losses,
    out: String,
    /// The items of each step.
    items: Vec<Vec<Value>>,
    /// The open turn; empty before the first.
    turn: String,
    model: String,
    total: Usage,
    id: String,
}

impl CodexWriter<'_> {
    fn record(&mut self, at: Timestamp, kind: &str, payload: Value) {
        let mut record = Map::new();
        record.insert("timestamp".to_owned(), json!(to_rfc3339(at)));
        record.insert("type".to_owned(), json!(kind));
        record.insert("payload".to_owned(), payload);
        let _ = writeln!(self.out, "{}", Value::Object(record));
    }

    /// No provider is named: the program resumes no thread of one that it is not set to.
    fn head(&mut self) {
        let at = self.session.header.timestamp;
        let mut meta = json!({
            "id": self.id,
            "session_id": self.session.parent.as_ref().map_or(&self.id, |it| &it.id),
            "timestamp": to_rfc3339(at),
            "cwd": self.session.header.cwd,
            "originator": "plimsoll",
            "cli_version": VERSION,
            "source": "cli",
            "plimsoll": { "session": self.session.header.id },
        });
        if let Some(ParentSession { id: parent, .. }) = &self.session.parent {
            let spawn = json!({ "parent_thread_id": parent, "depth": 1 });
            meta["source"] = json!({ "subagent": { "thread_spawn": spawn } });
            meta["parent_thread_id"] = json!(parent);
        }
        self.record(at, "session_meta", meta);
        for (number, agent) in self.session.agents.clone().into_iter().enumerate() {
            let item = json!({
                "type": "SubAgentActivity",
                "id": self.agent_item_id(number),
                "agent_thread_id": thread_id(self.session, agent),
                "agent_path": format!("/root/{}", number + 1),
            });
            let event = json!({
                "type": "item_completed",
                "thread_id": self.id,
                "turn_id": "",
                "item": item,
            });
            self.record(at, "event_msg", event);
        }
    }

    fn agent_item_id(&self, number: usize) -> String {
        digits(&format!("{}/agent/{number}", self.id), 32)
    }

    fn step(&mut self, number: usize, step: &Step) {
        let at = self.session.time_of(step);
        let items = match &step.body {
            StepBody::Typed(content) => {
                self.begin_turn(at, number);
                let content = self.content(content, "input_text");
                vec![self.message(step, number, "user", &content, "user.text")]
            }
            StepBody::Injected(content) => {
                let content = self.content(content, "input_text");
                vec![self.message(step, number, "user", &content, "plimsoll.injected")]
            }
            StepBody::Answer {
                parts,
                model,
                usage,
                ..
            } => {
                self.use_model(at, model);
                let items = self.answer(step, number, parts);
                return self.finish_answer(at, items, usage.as_ref());
            }
            StepBody::Result {
                call,
                content,
                is_error,
            } => vec![self.result(step, number, call, content, *is_error)],
            StepBody::Compaction { .. } => {
                self.compaction(at, step, number);
                Vec::new()
            }
            StepBody::Failure(_) => {
                self.losses.add(LOST_FAILURE);
                Vec::new()
            }
            StepBody::Cleared(calls) => {
                self.losses.add_many(LOST_CLEARED, calls.len() as u64);
                Vec::new()
            }
        };
        for item in &items {
            self.record(at, "response_item", item.clone());
        }
        self.items.push(items);
    }

    fn begin_turn(&mut self, at: Timestamp, number: usize) {
        self.end_turn(at);
        self.turn = uuid_at(&format!("{}/turn/{number}", self.id), at);
        let started = json!({
            "type": "task_started",
            "turn_id": self.turn,
            "root_turn_id": self.turn,
            "started_at": at.0 / 1000,
            "model_context_window": null,
            "collaboration_mode_kind": "default",
        });
        self.record(at, "event_msg", started);
        self.turn_context(at);
    }

    /// What a resumed thread may do is for the person to say: reading, and questions.
    fn turn_context(&mut self, at: Timestamp) {
        let model = if self.model.is_empty() {
            self.session.first_model().unwrap_or("unknown").to_owned()
        } else {
            self.model.clone()
        };
        let context = json!({
            "turn_id": self.turn,
            "root_turn_id": self.turn,
            "cwd": self.session.header.cwd,
            "approval_policy": "on-request",
            "sandbox_policy": { "type": "read-only" },
            "model": model,
            "summary": "auto",
        });
        self.record(at, "turn_context", context);
    }

    fn end_turn(&mut self, at: Timestamp) {
        if self.turn.is_empty() {
            return;
        }
        let turn = std::mem::take(&mut self.turn);
        let complete = json!({
            "type": "task_complete",
            "turn_id": turn,
            "root_turn_id": turn,
            "last_agent_message": null,
            "completed_at": at.0 / 1000,
        });
        self.record(at, "event_msg", complete);
    }

    /// The model of what follows; without a turn, one begins.
    fn use_model(&mut self, at: Timestamp, model: &str) {
        let model = if model.is_empty() { "unknown" } else { model };
        let is_new = self.model != model;
        model.clone_into(&mut self.model);
        if self.turn.is_empty() {
            self.begin_turn(at, self.items.len());
        } else if is_new {
            self.turn_context(at);
        }
    }

    fn item_id(&self, prefix: &str, step: &Step, suffix: &str) -> String {
        let seed = format!("{}/{}/{suffix}", self.id, step.entry);
        format!("{prefix}_{}", digits(&seed, 32))
    }

    fn message(
        &self,
        step: &Step,
        number: usize,
        role: &str,
        content: &[Value],
        kind: &str,
    ) -> Value {
        let kinds = vec![kind; content.len()];
        json!({
            "type": "message",
            "id": self.item_id("msg", step, &number.to_string()),
            "role": role,
            "content": content,
            "internal_chat_message_metadata_passthrough": { "content_item_kinds": kinds },
        })
    }

    fn content(&mut self, parts: &[Part], kind: &str) -> Vec<Value> {
        let mut content = Vec::new();
        for part in parts {
            content.push(match part {
                Part::Text(text) if text.trim().is_empty() => continue,
                Part::Text(text) => json!({ "type": kind, "text": text }),
                Part::Image(image) if image.mime.starts_with("image/") => image_value(image),
                Part::Image(image) => {
                    self.losses.add(LOST_IMAGE);
                    json!({ "type": kind, "text": image_words(image) })
                }
            });
        }
        content
    }

    fn answer(&mut self, step: &Step, number: usize, parts: &[AnswerPart]) -> Vec<Value> {
        let mut items = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let suffix = format!("{number}/{at}");
            match part {
                AnswerPart::Text(text) => items.push(json!({
                    "type": "message",
                    "id": self.item_id("msg", step, &suffix),
                    "role": "assistant",
                    "content": [{ "type": "output_text", "text": text }],
                })),
                AnswerPart::Reasoning { signature, .. } => {
                    match signature.as_deref().and_then(reasoning_item) {
                        Some(item) => items.push(item),
                        None => self.losses.add(LOST_REASONING),
                    }
                }
                AnswerPart::Sealed(_) => self.losses.add(LOST_REASONING),
                AnswerPart::Call(call) => items.push(json!({
                    "type": "function_call",
                    "id": self.item_id("fc", step, &suffix),
                    "name": call.name,
                    "arguments": call.arguments.to_string(),
                    "call_id": call.id,
                })),
            }
        }
        items
    }

    /// The items of an answer, and what they used: that ends an answer.
    fn finish_answer(&mut self, at: Timestamp, items: Vec<Value>, usage: Option<&Usage>) {
        for item in &items {
            self.record(at, "response_item", item.clone());
        }
        self.items.push(items);
        let usage = usage.copied().unwrap_or_default();
        self.total = self.total.plus(usage);
        let number = self.items.len();
        let record = json!({
            "thread_id": self.id,
            "turn_id": self.turn,
            "session_id": self.id,
            "root_turn_id": self.turn,
            "response_id": format!("resp_{}", digits(&format!("{}/{number}", self.id), 24)),
            "usage": usage_value(&usage),
            "turn_token_usage": usage_value(&usage),
            "thread_token_usage": usage_value(&self.total),
        });
        self.record(at, "token_usage_record", record);
    }

    fn result(
        &mut self,
        step: &Step,
        number: usize,
        call: &str,
        content: &[Part],
        is_error: bool,
    ) -> Value {
        let has_images = content.iter().any(|part| matches!(part, Part::Image(_)));
        let output = if has_images {
            let mut content = self.content(content, "input_text");
            if is_error {
                content.insert(0, json!({ "type": "input_text", "text": FAILED }));
            }
            Value::Array(content)
        } else {
            let texts = content.iter().filter_map(|part| match part {
                Part::Text(text) => Some(text.as_str()),
                Part::Image(_) => None,
            });
            let text = texts.collect::<Vec<_>>().join("\n");
            json!(if is_error && !says_it_failed(&text) {
                format!("{FAILED}{text}")
            } else {
                text
            })
        };
        json!({
            "type": "function_call_output",
            "id": self.item_id("fco", step, &number.to_string()),
            "call_id": call,
            "output": output,
        })
    }

    /// The summary as the answer that it was, and the history that replaces what is before: the
    /// summary, then what stays word for word.
    fn compaction(&mut self, at: Timestamp, step: &Step, number: usize) {
        let StepBody::Compaction {
            summary,
            tokens_before,
            kept,
            ..
        } = &step.body
        else {
            return;
        };
        if self.turn.is_empty() {
            self.begin_turn(at, number);
        }
        let said = json!({
            "type": "message",
            "id": self.item_id("msg", step, "summary"),
            "role": "assistant",
            "content": [{ "type": "output_text", "text": summary }],
        });
        self.record(at, "response_item", said);
        let prompt = Usage {
            input_tokens: *tokens_before,
            ..Usage::default()
        };
        let record = json!({
            "thread_id": self.id,
            "turn_id": self.turn,
            "session_id": self.id,
            "root_turn_id": self.turn,
            "response_id": self.item_id("resp", step, "summary"),
            "usage": usage_value(&prompt),
            "turn_token_usage": usage_value(&prompt),
            "thread_token_usage": usage_value(&self.total),
        });
        self.record(at, "token_usage_record", record);
        let message = format!("{FRAME}{summary}");
        let content = vec![json!({ "type": "input_text", "text": message })];
        let mut history = vec![self.message(step, number, "user", &content, "plimsoll.summary")];
        for at in kept {
            history.extend(self.items.get(*at).cloned().unwrap_or_default());
        }
        let compacted = json!({ "message": message, "replacement_history": history });
        self.record(at, "compacted", compacted);
    }
}

/// An item of reasoning as the provider gave it, from the signature that keeps it.
fn reasoning_item(signature: &str) -> Option<Value> {
    let mut item: Value = serde_json::from_str(signature).ok()?;
    let is_item = item.get("type").and_then(Value::as_str) == Some("reasoning")
        && item.get("encrypted_content").is_some_and(Value::is_string);
    if !is_item {
        return None;
    }
    if !item.get("summary").is_some_and(Value::is_array) {
        item["summary"] = json!([]);
    }
    Some(item)
}

fn image_value(image: &Image) -> Value {
    let url = format!("data:{};base64,{}", image.mime, image.data);
    json!({ "type": "input_image", "image_url": url })
}

/// Whether the first lines of an output say that its call failed.
fn says_it_failed(text: &str) -> bool {
    let head = text.lines().take_while(|line| *line != "Output:").take(8);
    let mut codes = head.filter_map(|line| {
        let code = line.strip_prefix("Process exited with code ");
        let code = code.or_else(|| line.strip_prefix("Exit code: "));
        code?.trim().parse::<i64>().ok()
    });
    text.starts_with("unsupported call: ") || codes.any(|code| code != 0)
}

fn usage_value(usage: &Usage) -> Value {
    let prompt = usage.prompt_tokens();
    json!({
        "input_tokens": prompt,
        "cached_input_tokens": usage.cache_read_tokens,
        "cache_write_input_tokens": usage.cache_write_tokens,
        "output_tokens": usage.output_tokens,
        "reasoning_output_tokens": usage.reasoning_tokens,
        "total_tokens": prompt.saturating_add(usage.output_tokens),
    })
}
