//! The lines of a Claude Code transcript, with what of them is content. What only the screen
//! or the telemetry of that program needs is not read.

use serde::Deserialize;
use serde_json::Value;

use crate::foreign::parts;
use crate::foreign::source;
use crate::transcript::Timestamp;

/// The types of lines that hold nothing of the conversation.
const WITHOUT_CONTENT: [&str; 27] = [
    "progress",
    "api-request-shape",
    "api-request-blob",
    "api-request",
    "file-history-snapshot",
    "queue-operation",
    "last-prompt",
    "mode",
    "permission-mode",
    "tools-used",
    "cost-state",
    "atis-latch",
    "pr-link",
    "agent-name",
    "agent-color",
    "agent-setting",
    "tag",
    "content-replacement",
    "fork-context-ref",
    "relocated",
    "worktree-state",
    "bridge-session",
    "plimsoll-origin",
    "marble-origami-commit",
    "marble-origami-snapshot",
    "speculation-accept",
    "task-summary",
];
/// Subtypes of `system` lines that hold nothing for the model.
const QUIET_SYSTEM: [&str; 8] = [
    "api_error",
    "stop_hook_summary",
    "turn_duration",
    "away_summary",
    "local_command",
    "informational",
    "memory_saved",
    "agents_killed",
];
/// How texts begin that the program put into the user's role.
const INJECTED: [&str; 8] = [
    "<task-notification>",
    "<command-name>",
    "<command-message>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<local-command-caveat>",
    "<system-reminder>",
    "<bash-stdout>",
];

/// What all lines of the chain have.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ClaudeHead {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) uuid: Option<String>,
    pub(super) parent_uuid: Option<String>,
    pub(super) logical_parent_uuid: Option<String>,
    pub(super) session_id: Option<String>,
    pub(super) agent_id: Option<String>,
    pub(super) is_sidechain: bool,
    pub(super) timestamp: Option<Value>,
    pub(super) cwd: Option<String>,
    pub(super) version: Option<String>,
    pub(super) subtype: Option<String>,
}

/// The content of a line.
#[derive(Clone, Debug)]
pub(super) enum ClaudeContent {
    /// A line of the user's role: typed text, results, or what the program put there.
    User {
        content: Value,
        is_typed: bool,
        spill: Option<SpilledResult>,
    },
    /// A block of an answer.
    Answer(AnswerLine),
    /// An error of the API that is shown as an answer.
    ApiError(String),
    /// Text that was sent without being typed.
    Attachment(Vec<String>),
    /// The boundary of a compaction.
    Boundary(BoundaryFacts),
    /// The summary after a boundary, in its frame.
    Summary(String),
    /// Results and attachments that are no longer sent.
    Pruned(Vec<String>),
    /// A link of the chain without content.
    Link,
}

/// A line of an answer; those of one `message.id` are one answer.
#[derive(Clone, Debug, Default)]
pub(super) struct AnswerLine {
    pub(super) message: String,
    pub(super) model: String,
    pub(super) blocks: Vec<Value>,
    pub(super) usage: Value,
    pub(super) stop: String,
}

/// A result whose full text lies in a file of the session's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SpilledResult {
    pub(super) name: String,
    pub(super) bytes: u64,
}

/// What a boundary says.
#[derive(Clone, Debug, Default)]
pub(super) struct BoundaryFacts {
    pub(super) is_auto: bool,
    pub(super) tokens_before: u64,
    pub(super) tokens_after: u64,
    /// The lines that are kept word for word; `None` in older files, which keep none.
    pub(super) kept: Option<Vec<String>>,
    /// The first and the last kept line, where they are not listed.
    pub(super) kept_segment: Option<(String, String)>,
}

/// A line that is part of the chain.
#[derive(Clone, Debug)]
pub(super) struct ClaudeNode {
    pub(super) line: usize,
    pub(super) uuid: String,
    pub(super) parent: Option<String>,
    pub(super) logical_parent: Option<String>,
    /// The sub-agent, when the line is of one.
    pub(super) agent: Option<String>,
    pub(super) at: Timestamp,
    pub(super) content: ClaudeContent,
}

/// A line as it was understood.
pub(super) enum ClaudeLine {
    /// A link of the chain.
    Node(Box<ClaudeNode>),
    /// A title: its rank and the text; the highest rank wins, then the last.
    Title(u8, String),
    /// Nothing of the conversation.
    Quiet,
    /// A type that is not known.
    Unknown(String),
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct UserRecord {
    message: Value,
    is_meta: bool,
    is_compact_summary: bool,
    turn_companion: bool,
    origin: Value,
    tool_use_result: Value,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct AnswerRecord {
    message: Value,
    is_api_error_message: bool,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct SystemRecord {
    compact_metadata: Value,
    microcompact_metadata: Value,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct AttachmentRecord {
    attachment: Value,
    rendered: Vec<Value>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct TitleRecord {
    custom_title: Option<String>,
    ai_title: Option<String>,
    summary: Option<String>,
}

/// Reads the head of a line, then what its type calls for.
pub(super) fn read(text: &str, line: usize) -> Result<(ClaudeHead, ClaudeLine), String> {
    let head: ClaudeHead = source::record(text)?;
    if WITHOUT_CONTENT.contains(&head.kind.as_str()) && head.uuid.is_none() {
        return Ok((head, ClaudeLine::Quiet));
    }
    let content = match head.kind.as_str() {
        "user" => user_content(&source::record(text)?),
        "assistant" => answer_content(source::record(text)?),
        "attachment" => Some(attachment_content(&source::record(text)?)),
        "system" => system_content(head.subtype.as_deref(), &source::record(text)?),
        "custom-title" | "ai-title" | "summary" => {
            let title = source::record(text)?;
            return Ok((head, title_of(title)));
        }
        kind if WITHOUT_CONTENT.contains(&kind) => Some(ClaudeContent::Link),
        _ => None,
    };
    // A link that is not understood still links.
    let unknown = || match (head.kind.as_str(), &head.subtype) {
        ("system", Some(subtype)) => format!("system/{subtype}"),
        (kind, _) => kind.to_owned(),
    };
    let Some(uuid) = head.uuid.clone().filter(|uuid| !uuid.is_empty()) else {
        return match content {
            None => {
                let kind = unknown();
                Ok((head, ClaudeLine::Unknown(kind)))
            }
            Some(ClaudeContent::Link | ClaudeContent::Attachment(_)) => {
                Ok((head, ClaudeLine::Quiet))
            }
            Some(_) => Err("a message without uuid has no place in the conversation".to_owned()),
        };
    };
    let agent = head
        .is_sidechain
        .then(|| head.agent_id.clone().unwrap_or_default());
    let is_known = content.is_some();
    let node = ClaudeNode {
        line,
        uuid,
        parent: head.parent_uuid.clone(),
        logical_parent: head.logical_parent_uuid.clone(),
        agent,
        at: parts::time(head.timestamp.as_ref()),
        content: content.unwrap_or(ClaudeContent::Link),
    };
    if !is_known {
        return {
            let kind = unknown();
            Ok((head, ClaudeLine::Unknown(kind)))
        };
    }
    Ok((head, ClaudeLine::Node(Box::new(node))))
}

fn title_of(title: TitleRecord) -> ClaudeLine {
    match (title.custom_title, title.ai_title, title.summary) {
        (Some(title), _, _) => ClaudeLine::Title(2, title),
        (_, Some(title), _) => ClaudeLine::Title(1, title),
        (_, _, Some(title)) => ClaudeLine::Title(0, title),
        _ => ClaudeLine::Quiet,
    }
}

fn user_content(record: &UserRecord) -> Option<ClaudeContent> {
    let content = record.message.get("content")?.clone();
    if record.is_compact_summary {
        return Some(ClaudeContent::Summary(all_text(&content)));
    }
    let by_program = matches!(
        parts::text(&record.origin, "kind"),
        "task-notification" | "hook" | "system"
    );
    let begins = all_text(&content);
    let looks_injected = INJECTED
        .iter()
        .any(|it| begins.trim_start().starts_with(it));
    let is_typed = !(record.is_meta || record.turn_companion || by_program || looks_injected);
    let persisted = parts::text(&record.tool_use_result, "persistedOutputPath");
    // The path may be of another machine: only its last part counts.
    let name = persisted.rsplit(['/', '\\']).next().unwrap_or_default();
    let spill = (!name.is_empty()).then(|| SpilledResult {
        name: name.to_owned(),
        bytes: parts::number(&record.tool_use_result, "persistedOutputSize"),
    });
    Some(ClaudeContent::User {
        content,
        is_typed,
        spill,
    })
}

fn all_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().filter(|it| parts::text(it, "type") == "text");
            let texts: Vec<&str> = texts.map(|it| parts::text(it, "text")).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

fn answer_content(record: AnswerRecord) -> Option<ClaudeContent> {
    let message = record.message;
    let content = message.get("content")?;
    let model = parts::text(&message, "model");
    if record.is_api_error_message || model == "<synthetic>" {
        return Some(ClaudeContent::ApiError(all_text(content)));
    }
    let blocks = match content {
        Value::String(text) => vec![serde_json::json!({ "type": "text", "text": text })],
        Value::Array(blocks) => blocks.clone(),
        _ => return None,
    };
    Some(ClaudeContent::Answer(AnswerLine {
        message: parts::text(&message, "id").to_owned(),
        model: model.to_owned(),
        blocks,
        usage: message.get("usage").cloned().unwrap_or_default(),
        stop: parts::text(&message, "stop_reason").to_owned(),
    }))
}

fn attachment_content(record: &AttachmentRecord) -> ClaudeContent {
    let kind = parts::text(&record.attachment, "type");
    // The system prompt: a request has one of ours.
    if kind == "prompt_snapshot" {
        return ClaudeContent::Link;
    }
    let mut texts: Vec<String> = record
        .rendered
        .iter()
        .map(|it| match it.get("content") {
            Some(content) => all_text(content),
            None => parts::text(it, "text").to_owned(),
        })
        .filter(|text| !text.trim().is_empty())
        .collect();
    if texts.is_empty() && kind == "file" {
        let content = record.attachment.get("content");
        let file = content.and_then(|it| it.get("file"));
        let text = file.map_or("", |it| parts::text(it, "content"));
        let name = parts::text(&record.attachment, "filename");
        if !text.is_empty() {
            texts.push(format!("{name}:\n{text}"));
        }
    }
    ClaudeContent::Attachment(texts)
}

fn system_content(subtype: Option<&str>, record: &SystemRecord) -> Option<ClaudeContent> {
    match subtype {
        Some("compact_boundary") => Some(ClaudeContent::Boundary(boundary_facts(
            &record.compact_metadata,
        ))),
        Some("microcompact_boundary") => {
            let ids = parts::list(&record.microcompact_metadata, "compactedToolIds");
            let ids = ids.iter().filter_map(Value::as_str).map(str::to_owned);
            Some(ClaudeContent::Pruned(ids.collect()))
        }
        Some(quiet) if QUIET_SYSTEM.contains(&quiet) => Some(ClaudeContent::Link),
        None => Some(ClaudeContent::Link),
        Some(_) => None,
    }
}

fn boundary_facts(metadata: &Value) -> BoundaryFacts {
    let listed = metadata.get("preservedMessages").map(|it| {
        let ids = parts::list(it, "uuids").iter().filter_map(Value::as_str);
        ids.map(str::to_owned).collect()
    });
    let segment = metadata.get("preservedSegment").map(|it| {
        let end = |key: &str| parts::text(it, key).to_owned();
        (end("headUuid"), end("tailUuid"))
    });
    BoundaryFacts {
        is_auto: parts::text(metadata, "trigger") == "auto",
        tokens_before: parts::number(metadata, "preTokens"),
        tokens_after: parts::number(metadata, "postTokens"),
        kept: listed,
        kept_segment: segment,
    }
}

/// The part of a summary's frame that is the summary.
pub(super) fn summary_in_frame(text: &str) -> &str {
    let summary = text
        .split_once("\nSummary:")
        .map_or(text, |(_, behind)| behind);
    summary.trim()
}
