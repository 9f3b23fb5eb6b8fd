//! A session as a transcript of Claude Code: JSON lines, one chain by `parentUuid`.
//!
//! A compaction is a boundary and a summary; what stays word for word is named there and not
//! written a second time, so that readers that know no boundaries show it once.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::ids::{digits, uuid};
use super::losses::Losses;
use super::plan::{AnswerPart, ExportPlan, Step, StepBody, is_blank};
use super::{ExportedSession, NativeFile, NativeSession};
use crate::session::to_rfc3339;
use crate::transcript::{Image, Part, StopReason, Trigger, Usage};

/// The version that the lines claim to be of: that of the oldest program that reads all of them.
const VERSION: &str = "2.1.0";
/// The provider whose reasoning goes back to it.
const PROVIDER: &str = "anthropic";
/// Images that the API takes.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const PDF: &str = "application/pdf";
/// The largest image that the API takes, in bytes of base64.
const MAX_IMAGE_BYTES: usize = 5 * 1024 * 1024;
/// What stands before a summary; readers take what follows `Summary:`.
const FRAME: &str = "The older part of this conversation did not fit into the window. This \
                     summary replaces it.\n\nSummary:\n";

const LOST_REASONING: &str = "reasoning that only its own provider accepts: left out";
const LOST_IMAGE: &str = "attachment that Claude Code does not accept: named in a text";

/// Writes a session. A sub-agent has lines of its parent's session with a name of its own, in a
/// file of the folder beside that of the parent.
pub(super) fn write(session: &ExportedSession<'_>, plan: ExportPlan) -> NativeSession {
    let own = uuid(&session.seed("claude-code"));
    let agent = session.parent.is_some().then(|| digits(&own, 17));
    let id = session.parent.as_ref().map_or(own, |it| it.id.clone());
    let mut writer = ClaudeWriter {
        session,
        id: id.clone(),
        agent: agent.clone(),
        losses: plan.losses,
        out: String::new(),
        last: None,
        uuids: Vec::new(),
    };
    if agent.is_none() {
        writer.head();
    }
    for (number, step) in settled(plan.steps).iter().enumerate() {
        writer.step(number, step);
    }
    let file = file(&session.header.cwd, &id, agent.as_deref());
    NativeSession {
        bytes: writer.out.into_bytes(),
        losses: writer.losses.into_list(),
        beside: agent
            .map(|it| about(session, &file, &it))
            .into_iter()
            .collect(),
        session: id,
        file,
    }
}

/// What the program keeps of a sub-agent beside its file.
fn about(session: &ExportedSession<'_>, file: &Path, agent: &str) -> NativeFile {
    let about = json!({
        "agentType": "general-purpose",
        "description": session.title().unwrap_or_default(),
    });
    NativeFile {
        file: file.with_file_name(format!("agent-{agent}.meta.json")),
        bytes: about.to_string().into_bytes(),
    }
}

/// The steps with a message as the last one: what a line at the end says of earlier results is on
/// no path that readers walk back from the last message.
fn settled(mut steps: Vec<Step>) -> Vec<Step> {
    let Some(StepBody::Cleared(calls)) = steps.last().map(|it| it.body.clone()) else {
        return steps;
    };
    let is_message = |step: &Step| {
        matches!(
            step.body,
            StepBody::Typed(_) | StepBody::Injected(_) | StepBody::Answer { .. }
        )
    };
    let Some(at) = steps.iter().rposition(is_message) else {
        return steps;
    };
    let stays = steps.iter().skip(at).all(|step| match &step.body {
        StepBody::Result { call, .. } => !calls.contains(call),
        StepBody::Compaction { .. } => false,
        _ => true,
    });
    if stays && let Some(cleared) = steps.pop() {
        steps.insert(at, cleared);
    }
    steps
}

/// Where the program looks for it, below its own folder.
fn file(cwd: &str, id: &str, agent: Option<&str>) -> PathBuf {
    let safe = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let folder: String = cwd.chars().map(safe).collect();
    let folder = Path::new("projects").join(folder);
    match agent {
        None => folder.join(format!("{id}.jsonl")),
        Some(agent) => {
            let name = format!("agent-{agent}.jsonl");
            folder.join(id).join("subagents").join(name)
        }
    }
}

struct ClaudeWriter<'a> {
    session: &'a ExportedSession<'a>,
    id: String,
    /// The sub-agent that the lines are of.
    agent: Option<String>,
    losses: Losses,
    out: String,
    /// The line that the next one follows.
    last: Option<String>,
    /// The line of each step; empty where it has none.
    uuids: Vec<String>,
}

impl ClaudeWriter<'_> {
    fn line(&mut self, line: &Value) {
        let _ = writeln!(self.out, "{line}");
    }

    fn head(&mut self) {
        if let Some(title) = self.session.title() {
            self.line(&json!({
                "type": "custom-title",
                "customTitle": title,
                "sessionId": self.id,
            }));
        }
        self.line(&json!({
            "type": "plimsoll-origin",
            "session": self.session.header.id,
            "version": env!("CARGO_PKG_VERSION"),
        }));
    }

    fn line_id(&self, step: &Step, suffix: &str) -> String {
        let agent = self.agent.as_deref().unwrap_or_default();
        uuid(&format!("{}/{agent}/{}/{suffix}", self.id, step.entry))
    }

    /// A line of the chain with these fields; answers with its id.
    fn link(&mut self, kind: &str, step: &Step, suffix: &str, fields: Value) -> String {
        let id = self.line_id(step, suffix);
        let mut line = Map::new();
        let mut put = |key: &str, value: Value| line.insert(key.to_owned(), value);
        put("parentUuid", json!(self.last));
        put("isSidechain", json!(self.agent.is_some()));
        if let Some(agent) = &self.agent {
            put("agentId", json!(agent));
        }
        put("userType", json!("external"));
        put("cwd", json!(self.session.header.cwd));
        put("sessionId", json!(self.id));
        put("version", json!(VERSION));
        put("gitBranch", json!(""));
        put("type", json!(kind));
        if let Value::Object(fields) = fields {
            line.extend(fields);
        }
        line.insert("uuid".to_owned(), json!(id));
        let at = to_rfc3339(self.session.time_of(step));
        line.insert("timestamp".to_owned(), json!(at));
        self.line(&Value::Object(line));
        self.last = Some(id.clone());
        id
    }

    fn step(&mut self, number: usize, step: &Step) {
        let suffix = number.to_string();
        let id = match &step.body {
            StepBody::Typed(content) => self.user(step, &suffix, content, false),
            StepBody::Injected(content) => self.user(step, &suffix, content, true),
            StepBody::Answer { .. } => self.answer_line(step, &suffix),
            StepBody::Failure(words) => self.failure(step, &suffix, words),
            StepBody::Result {
                call,
                content,
                is_error,
            } => {
                let content = self.result_content(content);
                let block = json!({
                    "type": "tool_result",
                    "tool_use_id": call,
                    "content": content,
                    "is_error": is_error,
                });
                let message = json!({ "role": "user", "content": [block] });
                self.link("user", step, &suffix, json!({ "message": message }))
            }
            StepBody::Compaction { .. } => self.compaction(step, &suffix),
            StepBody::Cleared(calls) => self.cleared(step, &suffix, calls),
        };
        self.uuids.push(id);
    }

    fn answer_line(&mut self, step: &Step, suffix: &str) -> String {
        let StepBody::Answer {
            parts,
            provider,
            model,
            usage,
            stop,
        } = &step.body
        else {
            return String::new();
        };
        let model = if model.is_empty() { "unknown" } else { model };
        let message = json!({
            "id": format!("msg_{}", digits(&self.line_id(step, "message"), 24)),
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": self.answer(parts, provider),
            "stop_reason": stop_reason(*stop, parts),
            "stop_sequence": null,
            "usage": usage_value(usage.as_ref()),
        });
        self.link("assistant", step, suffix, json!({ "message": message }))
    }

    fn user(&mut self, step: &Step, suffix: &str, content: &[Part], is_meta: bool) -> String {
        let content = match content {
            [Part::Text(text)] => json!(text),
            parts => Value::Array(self.blocks(parts)),
        };
        let mut fields = json!({ "message": { "role": "user", "content": content } });
        if is_meta {
            fields["isMeta"] = json!(true);
        }
        self.link("user", step, suffix, fields)
    }

    /// Text and images as blocks; a block without text is refused by the API.
    fn blocks(&mut self, parts: &[Part]) -> Vec<Value> {
        let mut blocks = Vec::new();
        for part in parts {
            match part {
                Part::Text(text) if text.trim().is_empty() => {}
                Part::Text(text) => blocks.push(json!({ "type": "text", "text": text })),
                Part::Image(image) => blocks.push(self.image(image)),
            }
        }
        blocks
    }

    fn image(&mut self, image: &Image) -> Value {
        let is_image = IMAGES.contains(&image.mime.as_str());
        let is_pdf = image.mime == PDF;
        if image.data.len() <= MAX_IMAGE_BYTES && (is_image || is_pdf) {
            return json!({
                "type": if is_pdf { "document" } else { "image" },
                "source": { "type": "base64", "media_type": image.mime, "data": image.data },
            });
        }
        self.losses.add(LOST_IMAGE);
        json!({ "type": "text", "text": image_words(image) })
    }

    fn result_content(&mut self, content: &[Part]) -> Value {
        match content {
            [Part::Text(text)] => json!(text),
            parts if is_blank(parts) => json!(""),
            parts => Value::Array(self.blocks(parts)),
        }
    }

    fn answer(&mut self, parts: &[AnswerPart], provider: &str) -> Vec<Value> {
        let mut blocks = Vec::new();
        for part in parts {
            match part {
                AnswerPart::Text(text) => blocks.push(json!({ "type": "text", "text": text })),
                AnswerPart::Reasoning {
                    text,
                    signature: Some(signature),
                } if provider == PROVIDER => blocks.push(json!({
                    "type": "thinking",
                    "thinking": text,
                    "signature": signature,
                })),
                AnswerPart::Sealed(data) if provider == PROVIDER => {
                    blocks.push(json!({ "type": "redacted_thinking", "data": data }));
                }
                AnswerPart::Reasoning { .. } | AnswerPart::Sealed(_) => {
                    self.losses.add(LOST_REASONING);
                }
                AnswerPart::Call(call) => blocks.push(json!({
                    "type": "tool_use",
                    "id": call.id,
                    "name": call.name,
                    "input": call.arguments,
                })),
            }
        }
        blocks
    }

    /// Shown by the program, and never sent.
    fn failure(&mut self, step: &Step, suffix: &str, words: &str) -> String {
        let message = json!({
            "id": self.line_id(step, "failure"),
            "type": "message",
            "role": "assistant",
            "model": "<synthetic>",
            "content": [{ "type": "text", "text": words }],
            "stop_reason": "stop_sequence",
            "stop_sequence": "",
            "usage": usage_value(None),
        });
        let fields = json!({ "message": message, "isApiErrorMessage": true });
        self.link("assistant", step, suffix, fields)
    }

    fn compaction(&mut self, step: &Step, suffix: &str) -> String {
        let StepBody::Compaction {
            summary,
            trigger,
            tokens_before,
            tokens_after,
            kept,
        } = &step.body
        else {
            return String::new();
        };
        let before = self.last.take();
        let anchor = self.line_id(step, suffix);
        let kept: Vec<&String> = kept.iter().filter_map(|at| self.uuids.get(*at)).collect();
        let mut metadata = json!({
            "trigger": match trigger {
                Trigger::Manual => "manual",
                Trigger::Threshold | Trigger::Overflow => "auto",
            },
            "preTokens": tokens_before,
            "postTokens": tokens_after,
        });
        if let (Some(first), Some(last)) = (kept.first(), kept.last()) {
            metadata["preservedSegment"] =
                json!({ "headUuid": first, "anchorUuid": anchor, "tailUuid": last });
            metadata["preservedMessages"] =
                json!({ "anchorUuid": anchor, "uuids": kept, "allUuids": kept });
        }
        let boundary = json!({
            "subtype": "compact_boundary",
            "logicalParentUuid": before,
            "content": "Conversation compacted",
            "isMeta": false,
            "level": "info",
            "compactMetadata": metadata,
        });
        self.link("system", step, &format!("{suffix}/boundary"), boundary);
        let fields = json!({
            "message": { "role": "user", "content": format!("{FRAME}{summary}") },
            "isCompactSummary": true,
            "isVisibleInTranscriptOnly": true,
        });
        self.link("user", step, suffix, fields)
    }

    fn cleared(&mut self, step: &Step, suffix: &str, calls: &[String]) -> String {
        let metadata = json!({
            "trigger": "auto",
            "preTokens": 0,
            "tokensSaved": 0,
            "compactedToolIds": calls,
            "clearedAttachmentUUIDs": [],
        });
        let fields = json!({
            "subtype": "microcompact_boundary",
            "content": "Context microcompacted",
            "isMeta": false,
            "level": "info",
            "microcompactMetadata": metadata,
        });
        self.link("system", step, suffix, fields)
    }
}

/// An attachment that cannot be written, in words.
pub(super) fn image_words(image: &Image) -> String {
    let name = image.name.as_deref().unwrap_or("attachment");
    format!("[{name}: {}, not carried over]", image.mime)
}

fn stop_reason(stop: StopReason, parts: &[AnswerPart]) -> &'static str {
    let has_calls = parts.iter().any(|part| matches!(part, AnswerPart::Call(_)));
    match stop {
        _ if has_calls => "tool_use",
        StopReason::Length => "max_tokens",
        StopReason::Refusal => "refusal",
        StopReason::Paused => "pause_turn",
        StopReason::Stop | StopReason::ToolUse | StopReason::Error | StopReason::Aborted => {
            "end_turn"
        }
    }
}

fn usage_value(usage: Option<&Usage>) -> Value {
    let usage = usage.copied().unwrap_or_default();
    let hour = usage.cache_write_hour_tokens;
    json!({
        "input_tokens": usage.input_tokens,
        "cache_creation_input_tokens": usage.cache_write_tokens,
        "cache_read_input_tokens": usage.cache_read_tokens,
        "output_tokens": usage.output_tokens,
        "output_tokens_details": { "thinking_tokens": usage.reasoning_tokens },
        "cache_creation": {
            "ephemeral_5m_input_tokens": usage.cache_write_tokens.saturating_sub(hour),
            "ephemeral_1h_input_tokens": hour,
        },
    })
}
