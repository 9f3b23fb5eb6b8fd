//! Puts the lines of a transcript in order: the active path, the branches beside it, and the
//! boundaries of compactions with both sides.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::record::{
    AnswerLine, BoundaryFacts, ClaudeContent, ClaudeNode, SpilledResult, summary_in_frame,
};
use crate::foreign::conversation::{SessionDraft, SourcePlace};
use crate::foreign::entry_tree::{CompactionFacts, KeptPart};
use crate::foreign::parts::{self, ImageShelf};
use crate::transcript::{
    AssistantMessage, Cut, CutForm, CutPhase, Decision, EntryBody, EntryId, Message, Part,
    StopReason, ToolResult, is_server_summary,
};

/// Whom answers are by.
const PROVIDER: &str = "anthropic";
/// The type of what the program injected.
const INJECTED: &str = "claude-code.injected";
/// The type of what the program attached.
const ATTACHMENT: &str = "claude-code.attachment";
/// What the program sends instead of a result that it pruned.
const CLEARED: &str = "[Old tool result content cleared]";
/// Roughly so many characters are a token, where nobody counted.
const CHARS_PER_TOKEN: usize = 4;

/// A result of a call: the line that has it and which of its blocks it is.
#[derive(Clone, Copy)]
struct ResultPlace {
    node: usize,
    block: usize,
}

/// Makes entries of lines.
pub(super) struct Assembly<'a> {
    draft: &'a mut SessionDraft,
    nodes: Vec<ClaudeNode>,
    folder: &'a Path,
    by_uuid: HashMap<String, usize>,
    /// The lines of an answer, by `message.id`, in file order.
    answers: HashMap<String, Vec<usize>>,
    /// Where the result of a call is, by the call's id.
    results: HashMap<String, ResultPlace>,
    entry_of: HashMap<usize, EntryId>,
    result_entries: HashMap<String, EntryId>,
    names: HashMap<String, String>,
    shelf: ImageShelf,
    boundary: Option<BoundaryFacts>,
    model: String,
}

impl<'a> Assembly<'a> {
    /// `folder` is the session's own, beside its file.
    pub(super) fn new(
        draft: &'a mut SessionDraft,
        nodes: Vec<ClaudeNode>,
        folder: &'a Path,
    ) -> Self {
        let mut by_uuid = HashMap::new();
        let mut answers: HashMap<String, Vec<usize>> = HashMap::new();
        let mut results = HashMap::new();
        for (at, node) in nodes.iter().enumerate() {
            if by_uuid.contains_key(&node.uuid) {
                let reason = format!("the uuid {} is used twice: the first counts", node.uuid);
                draft.lose(SourcePlace::Line(node.line), reason);
                continue;
            }
            by_uuid.insert(node.uuid.clone(), at);
            match &node.content {
                ClaudeContent::Answer(answer) if !answer.message.is_empty() => {
                    answers.entry(answer.message.clone()).or_default().push(at);
                }
                ClaudeContent::User { content, .. } => {
                    let blocks = content.as_array().map_or(&[][..], Vec::as_slice);
                    for (block, it) in blocks.iter().enumerate() {
                        if parts::text(it, "type") == "tool_result" {
                            let id = parts::text(it, "tool_use_id").to_owned();
                            results.entry(id).or_insert(ResultPlace { node: at, block });
                        }
                    }
                }
                _ => {}
            }
        }
        Self {
            draft,
            nodes,
            folder,
            by_uuid,
            answers,
            results,
            entry_of: HashMap::new(),
            result_entries: HashMap::new(),
            names: HashMap::new(),
            shelf: ImageShelf::default(),
            boundary: None,
            model: String::new(),
        }
    }

    /// Adds all entries; answers with the leaf.
    pub(super) fn run(mut self) -> Option<EntryId> {
        let path = self.active_path();
        let mut last = None;
        for at in &path {
            last = self.place(*at, last);
        }
        self.place_branches(&path);
        last
    }

    /// The walk back from the last message, root first.
    fn active_path(&self) -> Vec<usize> {
        let is_message = |node: &ClaudeNode| {
            matches!(
                node.content,
                ClaudeContent::User { .. } | ClaudeContent::Answer(_) | ClaudeContent::Summary(_)
            )
        };
        let leaf = self
            .nodes
            .iter()
            .enumerate()
            .rfind(|(at, node)| is_message(node) && self.by_uuid.get(&node.uuid) == Some(at));
        let mut path = Vec::new();
        let mut seen = HashSet::new();
        let mut at = leaf.map(|(at, _)| at);
        while let Some(position) = at.filter(|position| seen.insert(*position)) {
            path.push(position);
            at = self.parent(position);
        }
        path.reverse();
        path
    }

    /// The line before; a boundary goes on where the conversation went on, unless that is a
    /// copy below the boundary itself.
    fn parent(&self, at: usize) -> Option<usize> {
        let node = self.nodes.get(at)?;
        let direct = node
            .parent
            .as_ref()
            .and_then(|it| self.by_uuid.get(it))
            .copied();
        let logical = node
            .logical_parent
            .as_ref()
            .and_then(|it| self.by_uuid.get(it))
            .copied();
        direct.or(logical.filter(|logical| *logical < at))
    }

    /// Adds what a line of the path is; answers with the entry that follows.
    fn place(&mut self, at: usize, last: Option<EntryId>) -> Option<EntryId> {
        let Some(node) = self.nodes.get(at).cloned() else {
            return last;
        };
        let placed = match node.content.clone() {
            ClaudeContent::Answer(answer) => self.place_answer(&node, at, &answer, last),
            ClaudeContent::User {
                content, is_typed, ..
            } => self.place_user(&node, at, &content, is_typed, last),
            ClaudeContent::ApiError(text) => {
                let answer = AssistantMessage {
                    provider: PROVIDER.to_owned(),
                    stop: StopReason::Error,
                    error: Some(text),
                    ..AssistantMessage::default()
                };
                let body = EntryBody::Message(Arc::new(Message::Assistant(answer)));
                Some(self.add(&node, last.as_ref(), "", body))
            }
            ClaudeContent::Attachment(texts) if !texts.is_empty() => {
                let content = texts.into_iter().map(Part::Text).collect();
                let body = parts::injected(ATTACHMENT, content);
                Some(self.add(&node, last.as_ref(), "", body))
            }
            ClaudeContent::Boundary(facts) => {
                self.boundary = Some(facts);
                last
            }
            ClaudeContent::Summary(text) => Some(self.place_summary(&node, &text, last.as_ref())),
            ClaudeContent::Pruned(calls) => self.place_prune(&node, &calls, last),
            ClaudeContent::Attachment(_) | ClaudeContent::Link => last,
        };
        if let Some(id) = &placed {
            self.entry_of.entry(at).or_insert_with(|| id.clone());
        }
        placed
    }

    fn add(
        &mut self,
        node: &ClaudeNode,
        parent: Option<&EntryId>,
        suffix: &str,
        body: EntryBody,
    ) -> EntryId {
        let key = format!("{}{suffix}", node.uuid);
        self.draft.tree.add(parent, &key, node.at, body)
    }

    /// An answer from all its lines, and the results of its calls after it.
    fn place_answer(
        &mut self,
        node: &ClaudeNode,
        at: usize,
        answer: &AnswerLine,
        last: Option<EntryId>,
    ) -> Option<EntryId> {
        if self.entry_of.contains_key(&at) {
            return last;
        }
        let lines = self.answers.get(&answer.message).cloned();
        let lines = lines.unwrap_or_else(|| vec![at]);
        let mut message = AssistantMessage {
            provider: PROVIDER.to_owned(),
            ..AssistantMessage::default()
        };
        for line in &lines {
            let Some(part) = self.nodes.get(*line) else {
                continue;
            };
            let place = SourcePlace::Line(part.line);
            let ClaudeContent::Answer(part) = part.content.clone() else {
                continue;
            };
            self.add_blocks(&mut message, &part, &place);
        }
        if message.tool_calls().next().is_some() {
            message.stop = StopReason::ToolUse;
        }
        self.model.clone_from(&message.model);
        let calls: Vec<String> = message.tool_calls().map(|it| it.id.clone()).collect();
        for call in message.tool_calls() {
            self.names.insert(call.id.clone(), call.name.clone());
        }
        let body = EntryBody::Message(Arc::new(Message::Assistant(message)));
        let mut placed = self.add(node, last.as_ref(), "", body);
        for line in lines {
            self.entry_of.insert(line, placed.clone());
        }
        for call in calls {
            if let Some(result) = self.place_result(&call, &placed) {
                placed = result;
            }
        }
        Some(placed)
    }

    fn add_blocks(
        &mut self,
        message: &mut AssistantMessage,
        part: &AnswerLine,
        place: &SourcePlace,
    ) {
        message.model.clone_from(&part.model);
        for block in &part.blocks {
            match parts::anthropic_answer_part(block) {
                // Only a server of ours may say that it goes on from a summary.
                Some(crate::transcript::AssistantPart::RedactedThinking { data })
                    if is_server_summary(&data) =>
                {
                    self.draft.lose(
                        place.clone(),
                        "a block that claims to be a server's summary",
                    );
                }
                Some(part) => message.content.push(part),
                None => {
                    let kind = parts::text(block, "type");
                    let reason = format!("a block of the unknown type {kind:?} in an answer");
                    self.draft.lose(place.clone(), reason);
                }
            }
        }
        // Repeated on each line of an answer, and partial on the first ones: the last counts.
        message.usage = parts::anthropic_usage(&part.usage).or(message.usage);
        message.stop = match part.stop.as_str() {
            "max_tokens" | "model_context_window_exceeded" => StopReason::Length,
            "refusal" => StopReason::Refusal,
            "pause_turn" => StopReason::Paused,
            _ => StopReason::Stop,
        };
    }

    /// The result of a call after `parent`, unless it has its entry already.
    fn place_result(&mut self, call: &str, parent: &EntryId) -> Option<EntryId> {
        if self.result_entries.contains_key(call) {
            return None;
        }
        let place = *self.results.get(call)?;
        let node = self.nodes.get(place.node)?.clone();
        let ClaudeContent::User { content, spill, .. } = &node.content else {
            return None;
        };
        let block = content.get(place.block)?;
        let line = SourcePlace::Line(node.line);
        let empty = Value::Null;
        let held = block.get("content").unwrap_or(&empty);
        let content = parts::anthropic_parts(held, &mut self.shelf, &line, self.draft);
        let details = spill.as_ref().and_then(|it| self.spilled(it, &line));
        let body = parts::result(ToolResult {
            call_id: call.to_owned(),
            tool_name: self.names.get(call).cloned().unwrap_or_default(),
            content,
            is_error: parts::flag(block, "is_error"),
            details,
        });
        let suffix = format!("/result/{}", place.block);
        let id = self.add(&node, Some(parent), &suffix, body);
        self.entry_of.insert(place.node, id.clone());
        self.result_entries.insert(call.to_owned(), id.clone());
        Some(id)
    }

    /// Where the full text of a result lies, when it is still in the session's own folder.
    fn spilled(&mut self, spill: &SpilledResult, place: &SourcePlace) -> Option<Value> {
        let is_plain = !spill.name.contains('\0') && spill.name != ".." && spill.name != ".";
        let path = self.folder.join("tool-results").join(&spill.name);
        let found = path
            .symlink_metadata()
            .ok()
            .filter(|it| is_plain && it.is_file());
        let Some(found) = found else {
            let what = format!("the full result ({} bytes) is no longer there", spill.bytes);
            self.draft.lose(place.clone(), what);
            return None;
        };
        let full = path.display().to_string();
        Some(serde_json::json!({ "importedOutput": full, "bytes": found.len() }))
    }

    /// A line of the user's role: what is typed or injected, after results that no answer of
    /// the path called for.
    fn place_user(
        &mut self,
        node: &ClaudeNode,
        at: usize,
        content: &Value,
        is_typed: bool,
        last: Option<EntryId>,
    ) -> Option<EntryId> {
        let line = SourcePlace::Line(node.line);
        let blocks = content.as_array().map_or(&[][..], Vec::as_slice);
        for block in blocks
            .iter()
            .filter(|it| parts::text(it, "type") == "tool_result")
        {
            let id = parts::text(block, "tool_use_id");
            if !self.names.contains_key(id) {
                let reason = format!("a result of the call {id:?}, which the conversation lacks");
                self.draft.lose(line.clone(), reason);
            }
        }
        let mut parts_of = parts::anthropic_parts(content, &mut self.shelf, &line, self.draft);
        parts_of.retain(|part| !matches!(part, Part::Text(text) if text.trim().is_empty()));
        if parts_of.is_empty() {
            return last.or_else(|| self.entry_of.get(&at).cloned());
        }
        let body = if is_typed {
            parts::typed(parts_of)
        } else {
            parts::injected(INJECTED, parts_of)
        };
        Some(self.add(node, last.as_ref(), "", body))
    }

    fn place_summary(&mut self, node: &ClaudeNode, text: &str, last: Option<&EntryId>) -> EntryId {
        let facts = self.boundary.take().unwrap_or_default();
        let path = self.draft.tree.path(last);
        let kept = self.kept(&facts, &path);
        if kept.unplaced > 0 {
            let reason = format!(
                "{} messages were kept beside the summary from before its kept tail; here the \
                 summary replaces them",
                kept.unplaced
            );
            self.draft.lose(SourcePlace::Line(node.line), reason);
        }
        let facts = CompactionFacts {
            summary: summary_in_frame(text).to_owned(),
            is_auto: facts.is_auto,
            tokens_before: facts.tokens_before,
            tokens_after: facts.tokens_after,
            model: "claude-code".to_owned(),
        };
        let body = self.draft.tree.compaction(&path, &kept, facts);
        self.add(node, last, "", body)
    }

    /// What a boundary keeps of the path before it.
    fn kept(&self, facts: &BoundaryFacts, path: &[EntryId]) -> KeptPart {
        let entry = |uuid: &String| self.entry_of.get(self.by_uuid.get(uuid)?);
        if let Some(kept) = &facts.kept {
            let kept: HashSet<EntryId> = kept.iter().filter_map(entry).cloned().collect();
            return self.draft.tree.kept_part(path, &kept);
        }
        let Some((head, tail)) = &facts.kept_segment else {
            return KeptPart::default();
        };
        let position = |uuid: &String| {
            let id = entry(uuid)?;
            path.iter().position(|it| it == id)
        };
        let range = position(head).zip(position(tail));
        let kept = range.and_then(|(head, tail)| path.get(head..=tail));
        let kept = kept.unwrap_or_default().iter().cloned().collect();
        self.draft.tree.kept_part(path, &kept)
    }

    /// Results that the program no longer sends.
    fn place_prune(
        &mut self,
        node: &ClaudeNode,
        calls: &[String],
        last: Option<EntryId>,
    ) -> Option<EntryId> {
        let mut cuts = Vec::new();
        for call in calls {
            let Some(target) = self.result_entries.get(call).cloned() else {
                continue;
            };
            let text = self.draft.tree.get(&target).and_then(|it| it.message());
            let chars = text.map_or(0, |it| it.text().len());
            cuts.push(Cut {
                target,
                form: CutForm::Clear {
                    placeholder: CLEARED.to_owned(),
                },
                phase: CutPhase::Hard,
                reason: "pruned by claude-code".to_owned(),
                tokens_before: (chars / CHARS_PER_TOKEN) as u64,
                tokens_after: (CLEARED.len() / CHARS_PER_TOKEN) as u64,
            });
        }
        if cuts.is_empty() {
            return last;
        }
        let body = EntryBody::Decision(Decision::Prune {
            policy: "claude-code".to_owned(),
            cuts,
            cache_given_up_tokens: 0,
            reasoning_lost: 0,
            by_person: false,
        });
        Some(self.add(node, last.as_ref(), "", body))
    }

    /// What is beside the path: rewound turns and the ends of other processes.
    fn place_branches(&mut self, path: &[usize]) {
        let on_path: HashSet<usize> = path.iter().copied().collect();
        for at in 0..self.nodes.len() {
            let is_first = self
                .nodes
                .get(at)
                .is_some_and(|node| self.by_uuid.get(&node.uuid) == Some(&at));
            if on_path.contains(&at) || self.entry_of.contains_key(&at) || !is_first {
                continue;
            }
            let before = self.nearest_entry(at);
            self.place(at, before);
        }
    }

    /// The entry that the nearest ancestor of a line has.
    fn nearest_entry(&self, at: usize) -> Option<EntryId> {
        let mut seen = HashSet::from([at]);
        let mut above = self.parent(at);
        while let Some(position) = above.filter(|position| seen.insert(*position)) {
            if let Some(id) = self.entry_of.get(&position) {
                return Some(id.clone());
            }
            above = self.parent(position);
        }
        None
    }
}
