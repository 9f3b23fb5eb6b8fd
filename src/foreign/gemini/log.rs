//! The list of messages that the program holds, replayed line by line.

use std::collections::HashSet;

use serde_json::Value;

use crate::foreign::conversation::{SessionDraft, SourcePlace};
use crate::foreign::parts;

/// The first message of each start.
const CONTEXT: &str = "<session_context>";
/// Messages for the screen alone.
const SCREEN: [&str; 3] = ["info", "warning", "error"];

/// A message, or the boundary of a compression.
pub(super) struct GeminiRecord {
    pub(super) line: usize,
    pub(super) value: Value,
    /// The record before it.
    pub(super) parent: Option<usize>,
    /// The records that are kept; only of a boundary.
    pub(super) kept: Option<Vec<usize>>,
}

/// A place of the list that is held.
#[derive(Clone)]
pub(super) struct HeldMessage {
    pub(super) id: String,
    pub(super) key: MessageKey,
    /// The record to change when the id comes again; none for a summary and its answer.
    pub(super) record: Option<usize>,
    /// The record that a message after this one follows.
    pub(super) tip: Option<usize>,
}

/// Who speaks and what: how messages of two lists are compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct MessageKey {
    pub(super) is_user: bool,
    pub(super) text: String,
    pub(super) calls: Vec<String>,
}

#[derive(Default)]
pub(super) struct GeminiLog {
    pub(super) records: Vec<GeminiRecord>,
    pub(super) held: Vec<HeldMessage>,
    /// All ids that were ever held: most messages are new, and need no look at those before.
    ids: HashSet<String>,
    pub(super) tip: Option<usize>,
    /// The message that says where the program runs.
    pub(super) context: Option<(usize, Value)>,
}

impl GeminiLog {
    pub(super) fn line(&mut self, value: Value, line: usize, draft: &mut SessionDraft) {
        if let Some(set) = value.get("$set") {
            Self::facts(set, draft);
            if let Some(Value::Array(messages)) = set.get("messages") {
                self.replace(messages, line, draft);
            }
            return;
        }
        if let Some(id) = value.get("$rewindTo") {
            let id = id.as_str().unwrap_or_default();
            let at = self.held.iter().position(|it| it.id == id);
            // An id that is not held clears all, as the program does.
            self.cut(at.unwrap_or(0));
            return;
        }
        if value.get("projectHash").is_some() {
            Self::facts(&value, draft);
            return;
        }
        if value.get("id").is_some_and(Value::is_string) && value.get("type").is_some() {
            return self.message(value, line, draft);
        }
        let kind = value.as_object().and_then(|it| it.keys().next().cloned());
        draft.meet_unknown(&kind.unwrap_or_default(), SourcePlace::Line(line));
    }

    pub(super) fn facts(facts: &Value, draft: &mut SessionDraft) {
        let at = parts::time(facts.get("startTime"));
        draft.note_facts(at, None, None);
        let id = parts::text(facts, "sessionId");
        if draft.origin.session.is_empty() {
            id.clone_into(&mut draft.origin.session);
        }
        let title = parts::text(facts, "summary");
        if !title.is_empty() {
            draft.title = Some(title.to_owned());
        }
    }

    pub(super) fn message(&mut self, value: Value, line: usize, draft: &mut SessionDraft) {
        let kind = parts::text(&value, "type");
        if SCREEN.contains(&kind) {
            return;
        }
        if kind != "user" && kind != "gemini" {
            return draft.meet_unknown(kind, SourcePlace::Line(line));
        }
        let id = parts::text(&value, "id").to_owned();
        if is_context(&value) {
            self.context.get_or_insert((line, value));
            return;
        }
        let key = key_of(&value);
        let may_be_held = self.ids.contains(&id);
        let is_same = |it: &HeldMessage| it.id == id && it.key.is_user == key.is_user;
        let known = if may_be_held {
            self.held.iter().rposition(is_same)
        } else {
            None
        };
        let held = known.and_then(|at| self.held.get_mut(at));
        if let Some(held) = held {
            held.key = key;
            if let Some(record) = held.record.and_then(|at| self.records.get_mut(at)) {
                record.value = value;
            }
            return;
        }
        self.append(value, key, line);
    }

    fn append(&mut self, value: Value, key: MessageKey, line: usize) {
        let at = self.records.len();
        let id = parts::text(&value, "id").to_owned();
        self.ids.insert(id.clone());
        self.held.push(HeldMessage {
            id,
            key,
            record: Some(at),
            tip: Some(at),
        });
        self.records.push(GeminiRecord {
            line,
            value,
            parent: self.tip,
            kept: None,
        });
        self.tip = Some(at);
    }

    fn cut(&mut self, length: usize) {
        if length >= self.held.len() {
            return;
        }
        self.held.truncate(length);
        self.tip = self.held.last().and_then(|it| it.tip);
    }

    /// Compares a replaced list with the one that is held. Messages that only carry results
    /// stand in both or in one, under any id: they count with their calls.
    fn replace(&mut self, messages: &[Value], line: usize, draft: &mut SessionDraft) {
        for message in messages.iter().filter(|it| is_context(it)) {
            self.context.get_or_insert((line, message.clone()));
        }
        let speaks = |value: &&Value| {
            let kind = parts::text(value, "type");
            (kind == "user" || kind == "gemini") && !is_context(value) && !carries_results(value)
        };
        let new: Vec<&Value> = messages.iter().filter(speaks).collect();
        let keys: Vec<MessageKey> = new.iter().map(|it| key_of(it)).collect();
        let held: Vec<usize> = (0..self.held.len())
            .filter(|at| self.held.get(*at).is_some_and(|it| !it.key.is_empty()))
            .collect();
        let key_at = |at: usize| self.held.get(at).map(|it| &it.key);
        let same = keys
            .iter()
            .zip(&held)
            .take_while(|(key, at)| key_at(**at) == Some(key))
            .count();
        if new.is_empty() {
            // Each start writes the context alone before it takes up what was there.
            return;
        }
        if same == keys.len() {
            if let Some(end) = held.get(same) {
                self.cut(*end);
            }
            return;
        }
        let tail = keys.len().saturating_sub(2);
        let is_tail = held.len() >= tail
            && keys
                .iter()
                .skip(2)
                .zip(held.iter().skip(held.len() - tail))
                .all(|(key, at)| key_at(*at) == Some(key));
        let is_new = |key: &MessageKey| !held.iter().any(|at| key_at(*at) == Some(key));
        let is_compression = same == 0
            && !held.is_empty()
            && is_tail
            && keys.first().is_some_and(|key| key.is_user && is_new(key))
            && keys
                .get(1)
                .is_some_and(|key| !key.is_user && key.calls.is_empty());
        if is_compression {
            let kept = held.iter().skip(held.len() - tail).copied().collect();
            return self.compress(&new, keys, kept, line);
        }
        if same < held.len() {
            let reason = "a replaced list that is neither a rewind nor a compression: what \
                          differs became a branch";
            draft.lose(SourcePlace::Line(line), reason);
            if let Some(end) = held.get(same) {
                self.cut(*end);
            }
        }
        for value in new.into_iter().skip(same) {
            self.append(value.clone(), key_of(value), line);
        }
    }

    fn compress(&mut self, new: &[&Value], keys: Vec<MessageKey>, kept: Vec<usize>, line: usize) {
        let kept: Vec<HeldMessage> = kept
            .into_iter()
            .filter_map(|at| self.held.get(at).cloned())
            .collect();
        let boundary = self.records.len();
        self.records.push(GeminiRecord {
            line,
            value: new.first().copied().cloned().unwrap_or_default(),
            parent: self.tip,
            kept: Some(kept.iter().filter_map(|it| it.record).collect()),
        });
        let pair = new
            .iter()
            .zip(keys)
            .take(2)
            .map(|(value, key)| HeldMessage {
                id: parts::text(value, "id").to_owned(),
                key,
                record: None,
                tip: Some(boundary),
            });
        let kept = kept.into_iter().map(|it| HeldMessage {
            tip: Some(boundary),
            ..it
        });
        self.held = pair.chain(kept).collect();
        self.ids.extend(self.held.iter().map(|it| it.id.clone()));
        self.tip = Some(boundary);
    }
}

impl MessageKey {
    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.calls.is_empty()
    }
}

fn is_context(value: &Value) -> bool {
    parts::text(value, "type") == "user" && plain_text(value).trim_start().starts_with(CONTEXT)
}

pub(super) fn content_parts(value: &Value) -> &[Value] {
    match value.get("content") {
        Some(Value::Array(list)) => list,
        Some(object @ Value::Object(_)) => std::slice::from_ref(object),
        _ => &[],
    }
}

pub(super) fn carries_results(value: &Value) -> bool {
    let list = content_parts(value);
    parts::text(value, "type") == "user"
        && !list.is_empty()
        && list.iter().all(|it| it.get("functionResponse").is_some())
}

/// The text without thoughts.
pub(super) fn plain_text(value: &Value) -> String {
    if let Some(Value::String(text)) = value.get("content") {
        return text.clone();
    }
    let shown = content_parts(value)
        .iter()
        .filter(|it| !parts::flag(it, "thought"));
    let texts: Vec<&str> = shown.filter_map(|it| it.get("text")?.as_str()).collect();
    texts.join("\n")
}

fn key_of(value: &Value) -> MessageKey {
    let listed = parts::list(value, "toolCalls")
        .iter()
        .map(|it| parts::text(it, "id"));
    let inside = content_parts(value)
        .iter()
        .filter_map(|it| it.get("functionCall"));
    let inside = inside.map(|it| parts::text(it, "id"));
    let mut calls: Vec<String> = listed.chain(inside).map(str::to_owned).collect();
    calls.sort();
    calls.dedup();
    MessageKey {
        is_user: parts::text(value, "type") == "user",
        text: plain_text(value),
        calls,
    }
}
