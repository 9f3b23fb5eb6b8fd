//! qwen-code: JSON lines that form a graph by `parentUuid`. The chain is linear through
//! results: a plain walk back from the last line is the active path.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::conversation::{ForeignSession, SessionDraft, SourcePlace};
use super::entry_tree::CompactionFacts;
use super::google::{self, GoogleParts};
use super::parts::{self, ImageShelf};
use super::program::ForeignProgram;
use super::source::{self, SourceError, files_below};
use crate::transcript::{
    AssistantMessage, EntryBody, EntryId, Message, Part, StopReason, Timestamp, ToolResult,
};

/// The type of what the program injected.
const INJECTED: &str = "qwen-code.injected";
/// Subtypes of `system` lines without content. `ui_telemetry` holds answers again.
const QUIET: [&str; 10] = [
    "custom_title",
    "session_model",
    "parent_session",
    "slash_command",
    "file_history_snapshot",
    "ui_telemetry",
    "attribution_snapshot",
    "rewind",
    "at_command",
    "session_title",
];
/// Sub-agents of a session that are read.
const MAX_CHILDREN: usize = 1_000;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct QwenRecord {
    #[serde(rename = "type")]
    kind: String,
    subtype: Option<String>,
    uuid: String,
    parent_uuid: Option<String>,
    session_id: String,
    timestamp: Value,
    cwd: Option<String>,
    version: Option<String>,
    provenance: Option<String>,
    model: Option<String>,
    message: Value,
    usage_metadata: Value,
    system_payload: Value,
    tool_call_result: Value,
    is_sidechain: bool,
}

struct QwenNode {
    line: usize,
    at: Timestamp,
    record: QwenRecord,
}

/// Reads a session and its sub-agents.
pub(super) fn read(path: &Path) -> Result<ForeignSession, SourceError> {
    let (mut draft, nodes) = read_file(path)?;
    let mut children = Vec::new();
    let session = draft.origin.session.clone();
    if !nodes.iter().any(|node| node.record.is_sidechain) {
        let root = path.parent().and_then(Path::parent);
        let folder = root.map(|it| it.join("subagents").join(&session));
        // An id that leads elsewhere is no folder of this session.
        let is_plain = !session.contains(['/', '\\', '\0']) && !session.starts_with('.');
        let files = folder.filter(|_| is_plain).map(|it| files_below(&it, 1));
        let files = files.unwrap_or_default();
        let is_agent =
            |path: &&std::path::PathBuf| path.extension().is_some_and(|it| it == "jsonl");
        for file in files.iter().filter(is_agent).take(MAX_CHILDREN) {
            match child(file, &session) {
                Ok(child) => children.push(child),
                Err(error) => draft.lose(SourcePlace::Whole, format!("a sub-agent: {error}")),
            }
        }
    }
    let leaf = QwenAssembly::new(&mut draft, &nodes).run();
    Ok(draft.finish(leaf, children))
}

fn child(path: &Path, parent: &str) -> Result<ForeignSession, SourceError> {
    let (mut draft, nodes) = read_file(path)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let agent = stem.strip_prefix("agent-").unwrap_or(&stem).to_owned();
    draft.origin.session = format!("{parent}/{agent}");
    draft.parent = Some(parent.to_owned());
    let leaf = QwenAssembly::new(&mut draft, &nodes).run();
    Ok(draft.finish(leaf, Vec::new()))
}

fn read_file(path: &Path) -> Result<(SessionDraft, Vec<QwenNode>), SourceError> {
    let origin = source::origin(ForeignProgram::QwenCode, "uuid-chain", path);
    let mut draft = SessionDraft::new(origin);
    let mut nodes = Vec::new();
    let mut seen = HashSet::new();
    let read = source::each_line(path, |line| {
        let record: QwenRecord = source::record(line.text)?;
        if record.uuid.is_empty() {
            return Err("a record without uuid has no place in the conversation".to_owned());
        }
        if !seen.insert(record.uuid.clone()) {
            return Err(format!(
                "the uuid {} is used twice: the first counts",
                record.uuid
            ));
        }
        if draft.origin.session.is_empty() {
            draft.origin.session.clone_from(&record.session_id);
        }
        let at = parts::time(Some(&record.timestamp));
        draft.note_facts(at, record.cwd.as_deref(), record.version.as_deref());
        if record.kind == "system" {
            let subtype = record.subtype.as_deref().unwrap_or_default();
            if subtype == "custom_title" || subtype == "session_title" {
                let title =
                    ["customTitle", "title"].map(|key| parts::text(&record.system_payload, key));
                let title = title.into_iter().find(|it| !it.is_empty());
                draft.title = title.map(str::to_owned).or(draft.title.take());
            } else if subtype != "chat_compression" && !QUIET.contains(&subtype) {
                draft.meet_unknown(&format!("system/{subtype}"), SourcePlace::Line(line.number));
            }
        } else if !["user", "assistant", "tool_result"].contains(&record.kind.as_str()) {
            draft.meet_unknown(&record.kind, SourcePlace::Line(line.number));
        }
        nodes.push(QwenNode {
            line: line.number,
            at,
            record,
        });
        Ok(())
    })?;
    read.account(&mut draft);
    Ok((draft, nodes))
}

struct QwenAssembly<'a> {
    draft: &'a mut SessionDraft,
    nodes: &'a [QwenNode],
    by_uuid: HashMap<&'a str, usize>,
    entry_of: HashMap<usize, EntryId>,
    names: HashMap<String, String>,
    shelf: ImageShelf,
    model: String,
}

impl<'a> QwenAssembly<'a> {
    fn new(draft: &'a mut SessionDraft, nodes: &'a [QwenNode]) -> Self {
        let by_uuid = nodes
            .iter()
            .enumerate()
            .map(|(at, node)| (node.record.uuid.as_str(), at));
        Self {
            by_uuid: by_uuid.collect(),
            draft,
            nodes,
            entry_of: HashMap::new(),
            names: HashMap::new(),
            shelf: ImageShelf::default(),
            model: String::new(),
        }
    }

    fn parent(&self, at: usize) -> Option<usize> {
        let parent = self.nodes.get(at)?.record.parent_uuid.as_deref()?;
        self.by_uuid.get(parent).copied()
    }

    fn walk(&self, from: usize) -> Vec<usize> {
        let mut seen = HashSet::new();
        let steps = std::iter::successors(Some(from), |at| self.parent(*at));
        steps.take_while(|at| seen.insert(*at)).collect()
    }

    fn run(mut self) -> Option<EntryId> {
        let last = self.nodes.len().checked_sub(1)?;
        let mut path = self.walk(last);
        path.reverse();
        let mut leaf = None;
        for at in &path {
            leaf = self.place(*at, leaf);
        }
        let on_path: HashSet<usize> = path.into_iter().collect();
        for at in 0..self.nodes.len() {
            if !on_path.contains(&at) {
                let above = self.walk(at);
                let before = above.iter().skip(1).find_map(|it| self.entry_of.get(it));
                let before = before.cloned();
                self.place(at, before);
            }
        }
        leaf
    }

    fn place(&mut self, at: usize, last: Option<EntryId>) -> Option<EntryId> {
        let node = self.nodes.get(at)?;
        let placed = match (node.record.kind.as_str(), node.record.subtype.as_deref()) {
            ("user", _) => self.user(node, last),
            ("assistant", _) => self.answer(node, last),
            ("tool_result", _) => self.results(node, last),
            ("system", Some("chat_compression")) => self.compression(node, last),
            _ => last,
        };
        if let Some(id) = &placed {
            self.entry_of.insert(at, id.clone());
        }
        placed
    }

    fn content(&mut self, node: &QwenNode) -> GoogleParts {
        let place = SourcePlace::Line(node.line);
        let content = node.record.message.get("parts").unwrap_or(&Value::Null);
        google::read(content, &mut self.shelf, &place, self.draft)
    }

    fn user(&mut self, node: &QwenNode, last: Option<EntryId>) -> Option<EntryId> {
        let read = self.content(node);
        let record = &node.record;
        // Files of sub-agents do not say where a message comes from.
        let by_person = record
            .provenance
            .as_deref()
            .is_none_or(|it| it == "real_user");
        let is_typed = by_person && record.subtype.is_none();
        let mut typed = read.shown;
        let is_reminder = |part: &Part| matches!(part, Part::Text(text) if text.trim_start().starts_with("<system-reminder>"));
        let reminders = typed.iter().take_while(|it| is_reminder(it)).count();
        let mut injected: Vec<Part> = typed.drain(..reminders).collect();
        if !is_typed {
            injected.append(&mut typed);
        }
        let mut leaf = last;
        if !parts::is_blank(&injected) {
            let body = parts::injected(INJECTED, injected);
            let key = format!("{}/injected", record.uuid);
            leaf = Some(self.draft.tree.add(leaf.as_ref(), &key, node.at, body));
        }
        if !parts::is_blank(&typed) {
            let body = parts::typed(typed);
            leaf = Some(
                self.draft
                    .tree
                    .add(leaf.as_ref(), &record.uuid, node.at, body),
            );
        }
        leaf
    }

    fn answer(&mut self, node: &QwenNode, last: Option<EntryId>) -> Option<EntryId> {
        let read = self.content(node);
        if read.answer.is_empty() {
            return last;
        }
        for (id, name) in read.calls() {
            self.names.insert(id.to_owned(), name.to_owned());
        }
        let has_calls = read.calls().next().is_some();
        if let Some(model) = &node.record.model {
            self.model.clone_from(model);
        }
        let message = AssistantMessage {
            content: read.answer,
            provider: "qwen".to_owned(),
            model: self.model.clone(),
            usage: google::usage(&node.record.usage_metadata),
            stop: if has_calls {
                StopReason::ToolUse
            } else {
                StopReason::Stop
            },
            ..AssistantMessage::default()
        };
        let body = EntryBody::Message(Arc::new(Message::Assistant(message)));
        Some(
            self.draft
                .tree
                .add(last.as_ref(), &node.record.uuid, node.at, body),
        )
    }

    fn results(&mut self, node: &QwenNode, last: Option<EntryId>) -> Option<EntryId> {
        let read = self.content(node);
        let said = &node.record.tool_call_result;
        let mut leaf = last;
        for result in read.results {
            let Some(name) = self.names.get(&result.call).cloned() else {
                let reason = format!(
                    "a result of the call {:?}, which the conversation lacks",
                    result.call
                );
                self.draft.lose(SourcePlace::Line(node.line), reason);
                continue;
            };
            let is_this = parts::text(said, "callId") == result.call;
            let has_failed =
                is_this && matches!(parts::text(said, "status"), "error" | "cancelled");
            let key = format!("{}/{}", node.record.uuid, result.call);
            let body = parts::result(ToolResult {
                call_id: result.call,
                tool_name: name,
                content: result.content,
                is_error: result.is_error || has_failed,
                details: None,
            });
            leaf = Some(self.draft.tree.add(leaf.as_ref(), &key, node.at, body));
        }
        leaf
    }

    fn compression(&mut self, node: &QwenNode, last: Option<EntryId>) -> Option<EntryId> {
        let payload = &node.record.system_payload;
        let place = SourcePlace::Line(node.line);
        let history = parts::list(payload, "compressedHistory");
        let mut read: Vec<(bool, GoogleParts)> = Vec::new();
        for item in history {
            let is_user = parts::text(item, "role") == "user";
            let content = item.get("parts").unwrap_or(&Value::Null);
            read.push((
                is_user,
                google::read(content, &mut self.shelf, &place, self.draft),
            ));
        }
        let Some((true, first)) = read.first() else {
            self.draft
                .lose(place, "a compression without a summary was left out");
            return last;
        };
        let summary = parts::joined_text(&first.shown);
        let path = self.draft.tree.path(last.as_ref());
        let texts = google::texts_of(&path, &self.draft.tree);
        let mut kept = HashSet::new();
        let mut injected = Vec::new();
        // The fixed answer after the summary says nothing.
        for (is_user, item) in read.iter().skip(2) {
            let text = item.visible_text();
            if let Some(id) = texts.get(&(*is_user, text)) {
                kept.insert(id.clone());
            } else if *is_user && !parts::is_blank(&item.shown) {
                injected.push(item.shown.clone());
            } else if !is_user && !item.answer.is_empty() {
                self.draft.lose(
                    place.clone(),
                    "an answer beside the summary that is not before it",
                );
            }
        }
        let part = self.draft.tree.kept_part(&path, &kept);
        let info = payload.get("info").unwrap_or(&Value::Null);
        let facts = CompactionFacts {
            summary: summary.trim().to_owned(),
            is_auto: parts::text(info, "triggerReason") != "manual",
            tokens_before: parts::number(info, "originalTokenCount"),
            tokens_after: parts::number(info, "newTokenCount"),
            model: "qwen-code".to_owned(),
        };
        let body = self.draft.tree.compaction(&path, &part, facts);
        let uuid = &node.record.uuid;
        let mut leaf = self.draft.tree.add(last.as_ref(), uuid, node.at, body);
        for (number, content) in injected.into_iter().enumerate() {
            let key = format!("{uuid}/kept/{number}");
            let body = parts::injected(INJECTED, content);
            leaf = self.draft.tree.add(Some(&leaf), &key, node.at, body);
        }
        Some(leaf)
    }
}
