//! Entries of the records, with results beside their calls and the boundaries of compressions.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::Value;

use super::log::{GeminiLog, GeminiRecord, carries_results, content_parts, plain_text};
use crate::foreign::conversation::{SessionDraft, SourcePlace};
use crate::foreign::entry_tree::CompactionFacts;
use crate::foreign::google::{self, GoogleParts};
use crate::foreign::parts::{self, ImageShelf};
use crate::transcript::{
    AssistantMessage, AssistantPart, EntryBody, EntryId, Message, Part, StopReason, ToolResult,
    Usage,
};

/// The type of what the program injected.
const INJECTED: &str = "gemini-cli.injected";
/// The marks around the content of files that a message mentions.
const FILES: &str = "--- Content from referenced files ---";
const FILES_END: &str = "--- End of content ---";

pub(super) struct GeminiAssembly<'a> {
    draft: &'a mut SessionDraft,
    log: &'a GeminiLog,
    /// Results by call, from the messages that carry them.
    answered: HashMap<&'a str, &'a Value>,
    entry_of: HashMap<usize, EntryId>,
    /// All entries of a record.
    entries_of: HashMap<usize, Vec<EntryId>>,
    root: Option<EntryId>,
    shelf: ImageShelf,
}

impl<'a> GeminiAssembly<'a> {
    pub(super) fn new(draft: &'a mut SessionDraft, log: &'a GeminiLog) -> Self {
        let mut answered = HashMap::new();
        for record in log.records.iter().filter(|it| carries_results(&it.value)) {
            for part in content_parts(&record.value) {
                if let Some(response) = part.get("functionResponse") {
                    answered.entry(parts::text(response, "id")).or_insert(part);
                }
            }
        }
        Self {
            draft,
            log,
            answered,
            entry_of: HashMap::new(),
            entries_of: HashMap::new(),
            root: None,
            shelf: ImageShelf::default(),
        }
    }

    pub(super) fn run(mut self) -> Option<EntryId> {
        if let Some((line, value)) = &self.log.context
            && !self.log.records.is_empty()
        {
            let body = parts::injected(INJECTED, vec![Part::Text(plain_text(value))]);
            let at = parts::time(value.get("timestamp"));
            let key = format!("context/{line}");
            self.root = Some(self.draft.tree.add(None, &key, at, body));
        }
        for at in 0..self.log.records.len() {
            self.place(at);
        }
        let tip = self.log.tip?;
        self.entry_of.get(&tip).cloned()
    }

    /// Parents come before their children in the list of records.
    fn place(&mut self, at: usize) {
        let Some(record) = self.log.records.get(at) else {
            return;
        };
        let before = record.parent.and_then(|it| self.entry_of.get(&it)).cloned();
        let before = before.or_else(|| self.root.clone());
        let placed = match (&record.kept, parts::text(&record.value, "type")) {
            (Some(kept), _) => Some(self.boundary(record, kept, before.as_ref())),
            (None, "gemini") => self.answer(at, record, before.as_ref()),
            (None, _) => self.user(at, record, before.as_ref()),
        };
        if let Some(id) = placed.or(before) {
            self.entry_of.insert(at, id);
        }
    }

    fn add(
        &mut self,
        at: usize,
        parent: Option<&EntryId>,
        record: &GeminiRecord,
        key: &str,
        body: EntryBody,
    ) -> EntryId {
        let time = parts::time(record.value.get("timestamp"));
        let key = format!("{}{key}", parts::text(&record.value, "id"));
        let id = self.draft.tree.add(parent, &key, time, body);
        self.entries_of.entry(at).or_default().push(id.clone());
        id
    }

    /// What was typed, then the content of files that it mentions.
    fn user(
        &mut self,
        at: usize,
        record: &GeminiRecord,
        before: Option<&EntryId>,
    ) -> Option<EntryId> {
        if carries_results(&record.value) {
            return None;
        }
        let place = SourcePlace::Line(record.line);
        let content = record.value.get("content").unwrap_or(&Value::Null);
        let read = google::read(content, &mut self.shelf, &place, self.draft);
        let mut typed = Vec::new();
        let mut files = Vec::new();
        let mut is_in_files = false;
        for part in read.shown {
            match &part {
                Part::Text(text) if text.trim() == FILES => is_in_files = true,
                Part::Text(text) if text.trim() == FILES_END => is_in_files = false,
                Part::Text(_) if is_in_files => files.push(part),
                Part::Text(_) | Part::Image(_) => typed.push(part),
            }
        }
        let mut leaf = None;
        if !parts::is_blank(&typed) {
            leaf = Some(self.add(at, before, record, "", parts::typed(typed)));
        }
        if !parts::is_blank(&files) {
            let body = parts::injected(INJECTED, files);
            let parent = leaf.clone().or_else(|| before.cloned());
            leaf = Some(self.add(at, parent.as_ref(), record, "/files", body));
        }
        leaf
    }

    fn answer(
        &mut self,
        at: usize,
        record: &GeminiRecord,
        before: Option<&EntryId>,
    ) -> Option<EntryId> {
        let place = SourcePlace::Line(record.line);
        let value = &record.value;
        let listed = parts::list(value, "toolCalls");
        let read = self.answer_parts(value, listed, &place);
        if read.answer.is_empty() {
            return None;
        }
        let calls: Vec<(String, String)> = read
            .calls()
            .map(|(id, name)| (id.to_owned(), name.to_owned()))
            .collect();
        let message = AssistantMessage {
            content: read.answer,
            provider: "google".to_owned(),
            model: parts::text(value, "model").to_owned(),
            usage: value.get("tokens").and_then(usage_of),
            stop: if calls.is_empty() {
                StopReason::Stop
            } else {
                StopReason::ToolUse
            },
            ..AssistantMessage::default()
        };
        let body = EntryBody::Message(Arc::new(Message::Assistant(message)));
        let mut leaf = self.add(at, before, record, "", body);
        for (call, name) in calls {
            let said = listed.iter().find(|it| parts::text(it, "id") == call);
            if let Some(body) = self.result(&call, &name, said, &place) {
                leaf = self.add(at, Some(&leaf), record, &format!("/{call}"), body);
            }
        }
        Some(leaf)
    }

    /// An answer from its content, its calls and its thoughts, which may stand beside it.
    fn answer_parts(
        &mut self,
        value: &Value,
        listed: &[Value],
        place: &SourcePlace,
    ) -> GoogleParts {
        let content = value.get("content").unwrap_or(&Value::Null);
        let mut read = google::read(content, &mut self.shelf, place, self.draft);
        let known: HashSet<String> = read.calls().map(|(id, _)| id.to_owned()).collect();
        for call in listed {
            let (id, name) = (parts::text(call, "id"), parts::text(call, "name"));
            if !known.contains(id) {
                read.answer.push(parts::call(id, name, call.get("args")));
            }
        }
        let thought = |it: &Value| {
            let (subject, words) = (parts::text(it, "subject"), parts::text(it, "description"));
            format!("{subject}: {words}")
        };
        let thoughts = parts::list(value, "thoughts").iter().map(thought);
        let text = thoughts.collect::<Vec<_>>().join("\n");
        if !text.is_empty() && !read.answer.iter().any(parts::is_reasoning) {
            let signature = None;
            read.answer
                .insert(0, AssistantPart::Thinking { text, signature });
        }
        read
    }

    /// The result of a call: it stands with the call, in the next message, or in both.
    fn result(
        &mut self,
        call: &str,
        name: &str,
        said: Option<&Value>,
        place: &SourcePlace,
    ) -> Option<EntryBody> {
        let listed = said
            .and_then(|it| it.get("result"))
            .filter(|it| !it.is_null());
        let carried = self.answered.get(call).copied();
        let content = listed.or(carried)?;
        let read = google::read(content, &mut self.shelf, place, self.draft);
        let status = said.map_or("", |it| parts::text(it, "status"));
        let mut is_error = matches!(status, "error" | "cancelled");
        let mut content = Vec::new();
        for result in read.results {
            is_error |= result.is_error;
            content.extend(result.content);
        }
        content.extend(read.shown);
        Some(parts::result(ToolResult {
            call_id: call.to_owned(),
            tool_name: name.to_owned(),
            content,
            is_error,
            details: None,
        }))
    }

    fn boundary(
        &mut self,
        record: &GeminiRecord,
        kept: &[usize],
        before: Option<&EntryId>,
    ) -> EntryId {
        let entries = kept
            .iter()
            .filter_map(|at| self.entries_of.get(at))
            .flatten();
        let kept: HashSet<EntryId> = entries.cloned().collect();
        let path = self.draft.tree.path(before);
        let part = self.draft.tree.kept_part(&path, &kept);
        let facts = CompactionFacts {
            summary: plain_text(&record.value).trim().to_owned(),
            model: "gemini-cli".to_owned(),
            ..CompactionFacts::default()
        };
        let body = self.draft.tree.compaction(&path, &part, facts);
        let at = parts::time(record.value.get("timestamp"));
        let key = format!("{}/boundary", parts::text(&record.value, "id"));
        self.draft.tree.add(before, &key, at, body)
    }
}

/// Tokens as the program counts them: the input counts what the cache served.
fn usage_of(tokens: &Value) -> Option<Usage> {
    let (input, cached) = (
        parts::number(tokens, "input"),
        parts::number(tokens, "cached"),
    );
    let usage = Usage {
        input_tokens: input.saturating_sub(cached),
        output_tokens: parts::number(tokens, "output"),
        reasoning_tokens: parts::number(tokens, "thoughts"),
        cache_read_tokens: cached.min(input),
        ..Usage::default()
    };
    (!usage.is_empty()).then(|| usage.bounded())
}
