//! What both generations share: entries one after the other, the branch of what a revert
//! hides, results that are no longer sent.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;

use crate::foreign::conversation::{SessionDraft, SourcePlace};
use crate::foreign::entry_tree::CompactionFacts;
use crate::foreign::parts::{self, ImageShelf};
use crate::transcript::{
    AssistantMessage, AssistantPart, Cut, CutForm, CutPhase, Decision, EntryBody, EntryId, Message,
    Part, StopReason, Timestamp, ToolResult, Usage,
};

/// The type of what the program injected.
pub(super) const INJECTED: &str = "opencode.injected";
/// What the program sends instead of a result that it pruned.
const CLEARED: &str = "[Old tool result content cleared]";

/// A call with its result, as both generations have it in one part.
pub(super) struct ToolUse {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) input: Value,
    /// None while it runs, and where it never ended.
    pub(super) result: Option<ToolOutcome>,
}

/// How a call ended.
pub(super) struct ToolOutcome {
    pub(super) content: Vec<Part>,
    pub(super) is_error: bool,
    pub(super) is_pruned: bool,
}

/// Where the hidden part of a session begins.
struct LeafBefore(Option<EntryId>);

/// Makes entries of messages.
pub(super) struct Assembly<'a> {
    pub(super) draft: &'a mut SessionDraft,
    pub(super) shelf: ImageShelf,
    leaf: Option<EntryId>,
    /// The message from which on all is hidden; empty for none.
    revert: String,
    /// The leaf where the hidden part begins.
    before_revert: Option<LeafBefore>,
    pruned: Vec<(EntryId, usize)>,
    /// The first entry of each message, in order.
    firsts: Vec<(String, EntryId)>,
    message: String,
    at: Timestamp,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(draft: &'a mut SessionDraft, revert: &str) -> Self {
        Self {
            draft,
            shelf: ImageShelf::default(),
            leaf: None,
            revert: revert.to_owned(),
            before_revert: None,
            pruned: Vec::new(),
            firsts: Vec::new(),
            message: String::new(),
            at: Timestamp(0),
        }
    }

    /// The next message.
    pub(super) fn begin(&mut self, id: &str, at: Timestamp) -> SourcePlace {
        if !self.revert.is_empty() && id == self.revert && self.before_revert.is_none() {
            self.before_revert = Some(LeafBefore(self.leaf.clone()));
        }
        id.clone_into(&mut self.message);
        self.at = at;
        self.draft.origin.records += 1;
        SourcePlace::Row(id.to_owned())
    }

    pub(super) fn add(&mut self, suffix: &str, body: EntryBody) -> EntryId {
        let key = format!("{}{suffix}", self.message);
        let id = self.draft.tree.add(self.leaf.as_ref(), &key, self.at, body);
        self.leaf = Some(id.clone());
        if self
            .firsts
            .last()
            .is_none_or(|(message, _)| *message != self.message)
        {
            self.firsts.push((self.message.clone(), id.clone()));
        }
        id
    }

    /// A message of the user's role: what was typed after what was injected.
    pub(super) fn user(&mut self, typed: Vec<Part>, injected: Vec<Part>) {
        if !parts::is_blank(&typed) {
            self.add("", parts::typed(typed));
        }
        if !parts::is_blank(&injected) {
            self.add("/injected", parts::injected(INJECTED, injected));
        }
    }

    /// An answer and the results of its calls; nothing when it is empty and did not fail.
    pub(super) fn answer(&mut self, mut message: AssistantMessage, uses: Vec<ToolUse>) {
        for tool in &uses {
            message
                .content
                .push(parts::call(&tool.id, &tool.name, Some(&tool.input)));
        }
        if message.content.is_empty() && message.error.is_none() {
            return;
        }
        if !uses.is_empty() && !message.stop.is_broken() {
            message.stop = StopReason::ToolUse;
        }
        self.add(
            "",
            EntryBody::Message(Arc::new(Message::Assistant(message))),
        );
        for tool in uses {
            let Some(outcome) = tool.result else { continue };
            let chars: usize = parts::joined_text(&outcome.content).len();
            let body = parts::result(ToolResult {
                call_id: tool.id.clone(),
                tool_name: tool.name,
                content: outcome.content,
                is_error: outcome.is_error,
                details: None,
            });
            let id = self.add(&format!("/{}", tool.id), body);
            if outcome.is_pruned {
                self.pruned.push((id, chars));
            }
        }
    }

    /// A compaction that keeps the messages from `tail` on.
    pub(super) fn compaction(&mut self, tail: &str, facts: CompactionFacts) {
        let path = self.draft.tree.path(self.leaf.as_ref());
        let first = self
            .firsts
            .iter()
            .find(|(message, _)| message == tail)
            .map(|(_, id)| id);
        let from = first.and_then(|first| path.iter().position(|id| id == first));
        let kept: HashSet<EntryId> = match from {
            Some(from) => path.iter().skip(from).cloned().collect(),
            None => HashSet::new(),
        };
        let part = self.draft.tree.kept_part(&path, &kept);
        let body = self.draft.tree.compaction(&path, &part, facts);
        self.add("", body);
    }

    /// The leaf: after all that is not hidden.
    pub(super) fn finish(mut self) -> Option<EntryId> {
        if let Some(LeafBefore(before)) = self.before_revert.take() {
            self.leaf = before;
        }
        let on_path: HashSet<EntryId> = self
            .draft
            .tree
            .path(self.leaf.as_ref())
            .into_iter()
            .collect();
        let pruned = std::mem::take(&mut self.pruned);
        let cuts: Vec<Cut> = pruned
            .into_iter()
            .filter(|(target, _)| on_path.contains(target))
            .map(|(target, chars)| Cut {
                target,
                form: CutForm::Clear {
                    placeholder: CLEARED.to_owned(),
                },
                phase: CutPhase::Hard,
                reason: "pruned by opencode".to_owned(),
                tokens_before: (chars / 4) as u64,
                tokens_after: (CLEARED.len() / 4) as u64,
            })
            .collect();
        if !cuts.is_empty() {
            "pruned".clone_into(&mut self.message);
            self.add(
                "",
                EntryBody::Decision(Decision::Prune {
                    policy: "opencode".to_owned(),
                    cuts,
                    cache_given_up_tokens: 0,
                    reasoning_lost: 0,
                    by_person: false,
                }),
            );
        }
        self.leaf
    }
}

/// Usage as both generations count it: the output leaves out reasoning.
pub(super) fn usage(data: &Value) -> Option<Usage> {
    let tokens = data.get("tokens")?;
    let cache = tokens.get("cache").unwrap_or(&Value::Null);
    let reasoning = parts::number(tokens, "reasoning");
    let usage = Usage {
        input_tokens: parts::number(tokens, "input"),
        output_tokens: parts::number(tokens, "output").saturating_add(reasoning),
        reasoning_tokens: reasoning,
        cache_read_tokens: parts::number(cache, "read"),
        cache_write_tokens: parts::number(cache, "write"),
        cost_usd: data
            .get("cost")
            .and_then(Value::as_f64)
            .filter(|usd| *usd > 0.0),
        ..Usage::default()
    };
    (!usage.is_empty()).then(|| usage.bounded())
}

/// How an answer ended.
pub(super) fn ending(data: &Value) -> (StopReason, Option<String>) {
    if let Some(error) = data.get("error").filter(|it| it.is_object()) {
        let name = match parts::text(error, "name") {
            "" => parts::text(error, "type"),
            name => name,
        };
        let inner = error.get("data").unwrap_or(error);
        let message = parts::text(inner, "message");
        let words = if message.is_empty() { name } else { message };
        let stop = match name {
            "MessageAbortedError" | "aborted" => StopReason::Aborted,
            _ => StopReason::Error,
        };
        return (stop, Some(words.to_owned()));
    }
    match parts::text(data, "finish") {
        "length" => (StopReason::Length, None),
        "content-filter" => (StopReason::Refusal, None),
        _ => (StopReason::Stop, None),
    }
}

/// Whether a command ended with another exit code than 0.
pub(super) fn failed_command(state: &Value) -> bool {
    let exit = state
        .get("metadata")
        .and_then(|it| it.get("exit")?.as_i64());
    exit.is_some_and(|exit| exit != 0)
}

/// A text of an answer.
pub(super) fn push_text(message: &mut AssistantMessage, text: &str) {
    if !text.is_empty() {
        message.content.push(AssistantPart::Text(text.to_owned()));
    }
}

/// Reasoning of an answer.
pub(super) fn push_reasoning(message: &mut AssistantMessage, text: &str) {
    if !text.is_empty() {
        message.content.push(AssistantPart::Thinking {
            text: text.to_owned(),
            signature: None,
        });
    }
}
