//! The records of a thread in their order: items become entries, a rollback moves back, a
//! compaction keeps what its replacement history names.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::Value;

use super::chain::Segment;
use super::items;
use crate::foreign::conversation::{SessionDraft, SourcePlace};
use crate::foreign::entry_tree::CompactionFacts;
use crate::foreign::parts::{self, ImageShelf};
use crate::foreign::source::ReadLines;
use crate::transcript::{
    AssistantMessage, AssistantPart, EntryBody, EntryId, Message, Part, StopReason, Timestamp,
    ToolResult, Usage,
};

/// The type of what the program injected.
const INJECTED: &str = "codex.injected";
/// Whom the program asks where a file names no provider.
const PROVIDER: &str = "openai";
/// The type of a message between agents.
const AGENT_MESSAGE: &str = "codex.agent-message";
/// What stands for a summary that only its provider can read.
const UNREADABLE: &str = "(the provider keeps this summary encrypted: it cannot be read here)";
/// The end of the sentence before a summary.
const FRAME_END: &str = "analysis:\n";
/// Records without content of the conversation.
const QUIET: [&str; 5] = [
    "world_state",
    "inter_agent_communication",
    "inter_agent_communication_metadata",
    "ghost_snapshot",
    "compaction_checkpoint",
];

/// An answer while its items come.
#[derive(Default)]
struct OpenAnswer {
    key: String,
    at: Timestamp,
    content: Vec<AssistantPart>,
    items: Vec<String>,
}

/// A place that a rollback goes back to: the entry before a typed message.
type TurnStart = Option<EntryId>;

/// What stands in place of the history after a compaction.
#[derive(Default)]
struct Replacement {
    /// Entries that stay word for word.
    kept: HashSet<EntryId>,
    /// What the program says again, with the keys of its entries.
    injected: Vec<(String, Vec<Part>)>,
    /// The summary is one that only the provider can read.
    is_unreadable: bool,
}

/// Makes entries of records.
pub(super) struct Replay<'a> {
    draft: &'a mut SessionDraft,
    leaf: Option<EntryId>,
    open: OpenAnswer,
    last_answer: Option<EntryId>,
    turns: Vec<TurnStart>,
    names: HashMap<String, String>,
    failed: HashSet<String>,
    /// Entries by the ids of their items.
    of_item: HashMap<String, EntryId>,
    agents: Vec<String>,
    shelf: ImageShelf,
    model: String,
    provider: String,
    segment: Option<Segment>,
    /// Where the live history left the segment that is read.
    left_at: Option<(Option<EntryId>, Vec<TurnStart>)>,
    file: usize,
}

impl<'a> Replay<'a> {
    pub(super) fn new(draft: &'a mut SessionDraft) -> Self {
        Self {
            draft,
            leaf: None,
            open: OpenAnswer::default(),
            last_answer: None,
            turns: Vec::new(),
            names: HashMap::new(),
            failed: HashSet::new(),
            of_item: HashMap::new(),
            agents: Vec::new(),
            shelf: ImageShelf::default(),
            model: String::new(),
            provider: String::new(),
            segment: None,
            left_at: None,
            file: 0,
        }
    }

    pub(super) fn begin(&mut self, segment: &Segment) {
        self.segment = Some(segment.clone());
        self.file += 1;
    }

    /// The end of a file.
    pub(super) fn end(&mut self, read: ReadLines) {
        self.flush(None);
        if let Some((leaf, turns)) = self.left_at.take() {
            self.leaf = leaf;
            self.turns = turns;
        }
        let before = (self.draft.origin.bytes, self.draft.origin.records);
        read.account(self.draft);
        self.draft.origin.bytes += before.0;
        self.draft.origin.records += before.1;
    }

    /// The leaf, and the threads of the sub-agents in the order of their start.
    pub(super) fn finish(mut self) -> (Option<EntryId>, Vec<String>) {
        self.flush(None);
        (self.leaf, self.agents)
    }

    pub(super) fn record(&mut self, record: &Value, line: usize) {
        let empty = Value::Null;
        let payload = record.get("payload").unwrap_or(&empty);
        let at = parts::time(record.get("timestamp"));
        if self.is_beyond(record) {
            return;
        }
        let place = SourcePlace::Line(line);
        match parts::text(record, "type") {
            "session_meta" => self.meta(payload, at),
            "turn_context" => {
                parts::text(payload, "model").clone_into(&mut self.model);
                self.draft
                    .note_facts(at, Some(parts::text(payload, "cwd")), None);
            }
            "response_item" => self.item(payload, at, &place),
            "event_msg" => self.event(payload, &place),
            "compacted" => self.compacted(payload, at, &place),
            "token_usage_record" => {
                let usage = payload.get("usage").and_then(usage_of);
                self.count(usage);
            }
            quiet if QUIET.contains(&quiet) => {}
            other => self.draft.meet_unknown(other, place),
        }
    }

    /// Whether a record is behind the end of what counts of its file. What was reverted of the
    /// thread itself becomes a branch; the rest of a file that it was forked from is not read.
    fn is_beyond(&mut self, record: &Value) -> bool {
        let Some(segment) = self.segment.clone() else {
            return false;
        };
        let ordinal = record.get("ordinal").and_then(Value::as_u64);
        let is_behind =
            matches!((ordinal, segment.end_ordinal), (Some(at), Some(end)) if at >= end);
        if is_behind && self.left_at.is_none() {
            self.flush(None);
            self.left_at = Some((self.leaf.clone(), self.turns.clone()));
        }
        is_behind && !segment.is_own
    }

    fn meta(&mut self, meta: &Value, at: Timestamp) {
        let version = parts::text(meta, "cli_version");
        self.draft
            .note_facts(at, Some(parts::text(meta, "cwd")), Some(version));
        let provider = parts::some_text(meta, "model_provider");
        self.provider = provider.unwrap_or_else(|| PROVIDER.to_owned());
        let is_own = self.segment.as_ref().is_none_or(|it| it.is_own);
        if !is_own {
            return;
        }
        let id = parts::text(meta, "id");
        if self.draft.origin.session.is_empty() {
            id.clone_into(&mut self.draft.origin.session);
        }
        let spawned = meta
            .get("source")
            .and_then(|it| it.get("subagent")?.get("thread_spawn"));
        let parent = match parts::text(meta, "parent_thread_id") {
            "" => spawned.map_or("", |it| parts::text(it, "parent_thread_id")),
            parent => parent,
        };
        if !parent.is_empty() {
            self.draft.parent = Some(parent.to_owned());
        }
    }

    fn add(&mut self, key: &str, at: Timestamp, body: EntryBody) -> EntryId {
        let id = self.draft.tree.add(self.leaf.as_ref(), key, at, body);
        self.leaf = Some(id.clone());
        id
    }

    fn item(&mut self, item: &Value, at: Timestamp, place: &SourcePlace) {
        let key = match parts::text(item, "id") {
            "" => format!("{}/{place}", self.file),
            id => id.to_owned(),
        };
        if let Some(call) = items::call(item) {
            if let AssistantPart::ToolCall(call) = &call {
                self.names.insert(call.id.clone(), call.name.clone());
            }
            return self.open(&key, at, call);
        }
        match parts::text(item, "type") {
            "message" if parts::text(item, "role") == "assistant" => {
                let list = parts::list(item, "content");
                for part in items::content(list, &mut self.shelf, place, self.draft) {
                    if let Part::Text(text) = part {
                        self.open(&key, at, AssistantPart::Text(text));
                    }
                }
            }
            "message" => self.message(item, &key, at, place),
            "reasoning" => self.open(&key, at, items::reasoning(item)),
            "function_call_output" | "custom_tool_call_output" | "tool_search_output" => {
                self.result(item, &key, at, place);
            }
            "agent_message" => {
                self.flush(None);
                let list = parts::list(item, "content");
                let content = items::content(list, &mut self.shelf, place, self.draft);
                let id = self.add(&key, at, parts::injected(AGENT_MESSAGE, content));
                self.of_item.insert(key, id);
            }
            "compaction" | "context_compaction" => {
                self.draft
                    .lose(place.clone(), "a summary that the provider keeps encrypted");
            }
            "ghost_snapshot" => {}
            other => self
                .draft
                .meet_unknown(&format!("response_item/{other}"), place.clone()),
        }
    }

    fn open(&mut self, key: &str, at: Timestamp, part: AssistantPart) {
        if self.open.content.is_empty() {
            key.clone_into(&mut self.open.key);
            self.open.at = at;
        }
        self.open.items.push(key.to_owned());
        self.open.content.push(part);
    }

    fn message(&mut self, item: &Value, key: &str, at: Timestamp, place: &SourcePlace) {
        self.flush(None);
        let list = parts::list(item, "content");
        let content = items::content(list, &mut self.shelf, place, self.draft);
        if parts::is_blank(&content) {
            return;
        }
        let is_typed = parts::text(item, "role") == "user" && items::is_typed(item);
        let body = if is_typed {
            self.turns.push(self.leaf.clone());
            parts::typed(content)
        } else {
            parts::injected(INJECTED, content)
        };
        let id = self.add(key, at, body);
        self.of_item.insert(key.to_owned(), id);
    }

    fn result(&mut self, item: &Value, key: &str, at: Timestamp, place: &SourcePlace) {
        self.flush(None);
        let call = parts::text(item, "call_id").to_owned();
        let Some(name) = self.names.get(&call).cloned() else {
            let reason = format!("a result of the call {call:?}, which the conversation lacks");
            return self.draft.lose(place.clone(), reason);
        };
        let content = items::output(item, &mut self.shelf, place, self.draft);
        let body = parts::result(ToolResult {
            is_error: self.failed.contains(&call) || items::has_failed(item),
            call_id: call,
            tool_name: name,
            content,
            details: None,
        });
        let id = self.add(key, at, body);
        self.of_item.insert(key.to_owned(), id);
    }

    /// Ends the answer that is open.
    fn flush(&mut self, usage: Option<Usage>) {
        let open = std::mem::take(&mut self.open);
        if open.content.is_empty() {
            return;
        }
        let has_calls = open
            .content
            .iter()
            .any(|it| matches!(it, AssistantPart::ToolCall(_)));
        let message = AssistantMessage {
            content: open.content,
            provider: self.provider.clone(),
            model: self.model.clone(),
            usage,
            stop: if has_calls {
                StopReason::ToolUse
            } else {
                StopReason::Stop
            },
            ..AssistantMessage::default()
        };
        let body = EntryBody::Message(Arc::new(Message::Assistant(message)));
        let id = self.add(&open.key, open.at, body);
        for item in open.items {
            self.of_item.insert(item, id.clone());
        }
        self.last_answer = Some(id);
    }

    /// The usage of the answer that is open, else of the last one, unless that has its own.
    fn count(&mut self, usage: Option<Usage>) {
        if !self.open.content.is_empty() {
            return self.flush(usage);
        }
        let last = self.last_answer.clone();
        let Some(EntryBody::Message(message)) = last.and_then(|id| self.draft.tree.body_mut(&id))
        else {
            return;
        };
        if let Message::Assistant(answer) = Arc::make_mut(message)
            && answer.usage.is_none()
        {
            answer.usage = usage;
        }
    }

    fn event(&mut self, event: &Value, place: &SourcePlace) {
        match parts::text(event, "type") {
            "task_started" | "task_complete" | "turn_aborted" => self.flush(None),
            "token_count" => {
                let last = event.get("info").and_then(|it| it.get("last_token_usage"));
                let usage = last.and_then(usage_of);
                // It comes after the results: what is open is the next answer.
                if self.open.content.is_empty() {
                    self.count(usage);
                }
            }
            "thread_rolled_back" => self.roll_back(parts::number(event, "num_turns"), place),
            "item_completed" => {
                let item = event.get("item").unwrap_or(&Value::Null);
                match parts::text(item, "type") {
                    "CommandExecution" => {
                        let code = item.get("exit_code").and_then(Value::as_i64);
                        let status = parts::text(item, "status");
                        if code.is_some_and(|code| code != 0) || status == "failed" {
                            self.failed.insert(parts::text(item, "id").to_owned());
                        }
                    }
                    "SubAgentActivity" => {
                        let agent = parts::text(item, "agent_thread_id").to_owned();
                        if !agent.is_empty() && !self.agents.contains(&agent) {
                            self.agents.push(agent);
                        }
                    }
                    _ => {}
                }
            }
            "exec_command_end" => {
                let code = event.get("exit_code").and_then(Value::as_i64);
                if code.is_some_and(|code| code != 0) {
                    self.failed.insert(parts::text(event, "call_id").to_owned());
                }
            }
            // The rest repeats items for the screen.
            _ => {}
        }
    }

    /// Removes the last turns; what they said stays as a branch.
    fn roll_back(&mut self, turns: u64, place: &SourcePlace) {
        self.flush(None);
        let keep = self.turns.len().saturating_sub(turns as usize);
        if (self.turns.len() as u64) < turns {
            let held = self.turns.len();
            let reason = format!("{turns} turns were rolled back, of which {held} are there");
            self.draft.lose(place.clone(), reason);
        }
        if let Some(start) = self.turns.get(keep).cloned() {
            self.leaf = start;
            self.turns.truncate(keep);
        }
    }

    fn compacted(&mut self, payload: &Value, at: Timestamp, place: &SourcePlace) {
        self.flush(None);
        let message = parts::text(payload, "message");
        let (summary, tokens_before, model) = self.take_summary(message);
        let path = self.draft.tree.path(self.leaf.as_ref());
        let replacement = payload.get("replacement_history").and_then(Value::as_array);
        let replaced = self.replacement(replacement, message, &path, place);
        let part = self.draft.tree.kept_part(&path, &replaced.kept);
        if part.unplaced > 0 {
            let reason = format!(
                "{} messages beside the summary are replaced by it here",
                part.unplaced
            );
            self.draft.lose(place.clone(), reason);
        }
        let summary = if replaced.is_unreadable && summary.trim().is_empty() {
            self.draft.lose(
                place.clone(),
                "the summary is unreadable: the provider encrypted it",
            );
            UNREADABLE.to_owned()
        } else {
            summary
        };
        let facts = CompactionFacts {
            summary,
            tokens_before,
            model,
            ..CompactionFacts::default()
        };
        let body = self.draft.tree.compaction(&path, &part, facts);
        self.add(&format!("{}/{place}/compacted", self.file), at, body);
        let injected = replaced.injected.into_iter();
        for (key, content) in injected.filter(|(_, it)| !parts::is_blank(it)) {
            self.add(&key, at, parts::injected(INJECTED, content));
        }
    }

    /// Divides a replacement history into what stood before and what is new. Older records
    /// have none: what was typed is kept.
    fn replacement(
        &mut self,
        history: Option<&Vec<Value>>,
        message: &str,
        path: &[EntryId],
        place: &SourcePlace,
    ) -> Replacement {
        let mut out = Replacement::default();
        let on_path: HashSet<&EntryId> = path.iter().collect();
        let mut typed = self.typed_texts(path);
        if history.is_none() {
            out.kept.extend(typed.values().flatten().cloned());
        }
        for (number, item) in history.into_iter().flatten().enumerate() {
            let id = parts::text(item, "id");
            let kind = parts::text(item, "type");
            let text = items::plain_text(item);
            let held = self.of_item.get(id).filter(|it| on_path.contains(it));
            if kind == "compaction" || kind == "context_compaction" {
                out.is_unreadable = true;
            } else if let Some(entry) = held {
                out.kept.insert(entry.clone());
            } else if text != message || message.is_empty() {
                let is_typed = parts::text(item, "role") == "user" && items::is_typed(item);
                let same = typed.get_mut(&text).filter(|_| is_typed);
                if let Some(entry) = same.and_then(Vec::pop) {
                    out.kept.insert(entry);
                    continue;
                }
                let list = parts::list(item, "content");
                let content = items::content(list, &mut self.shelf, place, self.draft);
                out.injected
                    .push((format!("{id}/{place}/{number}"), content));
            }
        }
        out
    }

    /// The summary: the last answer, when the record repeats it, which then is no answer of
    /// the conversation; with its prompt's tokens and its model.
    fn take_summary(&mut self, message: &str) -> (String, u64, String) {
        let from_record = message
            .split_once(FRAME_END)
            .map_or(message, |(_, behind)| behind);
        let nothing = (from_record.trim().to_owned(), 0, String::new());
        let Some(leaf) = self.leaf.clone() else {
            return nothing;
        };
        let Some(entry) = self.draft.tree.get(&leaf) else {
            return nothing;
        };
        let Some(Message::Assistant(answer)) = entry.message().map(AsRef::as_ref) else {
            return nothing;
        };
        let Some(AssistantPart::Text(last)) = answer.content.last() else {
            return nothing;
        };
        let last = last.trim().to_owned();
        if last.is_empty() || !message.contains(&last) {
            return nothing;
        }
        let taken = (
            last,
            answer.usage.map_or(0, |usage| usage.prompt_tokens()),
            format!("{}/{}", answer.provider, answer.model),
        );
        let is_only_summary =
            answer.tool_calls().next().is_none() && message.contains(answer.text().trim());
        let parent = entry.parent.clone();
        if is_only_summary {
            self.draft.tree.forget(&leaf);
            self.leaf = parent;
        } else if let Some(EntryBody::Message(held)) = self.draft.tree.body_mut(&leaf)
            && let Message::Assistant(answer) = Arc::make_mut(held)
        {
            // Nothing stands between it and the answer before.
            answer.content.pop();
        }
        taken
    }

    /// The typed messages of a path by what they say.
    fn typed_texts(&self, path: &[EntryId]) -> HashMap<String, Vec<EntryId>> {
        let mut texts: HashMap<String, Vec<EntryId>> = HashMap::new();
        for id in path {
            let Some(entry) = self.draft.tree.get(id).filter(|it| it.is_typed_by_user()) else {
                continue;
            };
            let text = entry.message().map(|it| it.text()).unwrap_or_default();
            texts.entry(text).or_default().push(id.clone());
        }
        texts
    }
}

/// Usage as the Responses API reports it: the prompt counts what the cache served.
fn usage_of(usage: &Value) -> Option<Usage> {
    let cached = parts::number(usage, "cached_input_tokens");
    let written = parts::number(usage, "cache_write_input_tokens");
    let usage = Usage {
        input_tokens: parts::number(usage, "input_tokens").saturating_sub(cached + written),
        output_tokens: parts::number(usage, "output_tokens"),
        reasoning_tokens: parts::number(usage, "reasoning_output_tokens"),
        cache_read_tokens: cached,
        cache_write_tokens: written,
        ..Usage::default()
    };
    (!usage.is_empty()).then(|| usage.bounded())
}
