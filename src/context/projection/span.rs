//! Repair of tool pairing, span by span. A span reaches from one assistant message to
//! the next; calls and results pair within it and never across it, because some
//! providers reuse call ids.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use super::answer::ProjectedCall;
use super::builder::{FRAME_ITEMS, ViewBuilder};
use super::item;
use super::result::{CallPlace, ResultInfo};
use crate::context::ruler::Ruler;
use crate::context::view::{Disposition, LeftOut, ViewItem};
use crate::transcript::{Entry, EntryId, Message};

const NO_BEGINNING_TEXT: &str = "[The conversation begins with the assistant's message below.]";

/// The assistant message that opens a span.
#[derive(Clone, Debug)]
pub(super) struct SpanOpening {
    pub item: ViewItem,
    /// The message that is sent, before any cut.
    pub whole: Arc<Message>,
    pub calls: Vec<ProjectedCall>,
    /// The user dropped this group: results are not sent.
    pub is_dropped: bool,
    /// The provider's count, when that is the cost of sending it.
    pub output_tokens: Option<u64>,
}

/// A tool result within a span.
#[derive(Clone, Debug)]
pub(super) struct SpanResult {
    pub entry: Arc<Entry>,
    pub item: ViewItem,
    /// The result before any cut.
    pub whole: Arc<Message>,
    pub chars: usize,
    /// What it was made a difference to.
    pub base: Option<EntryId>,
}

impl SpanResult {
    /// The facts of it at a position of the list.
    fn info(&self, at: usize, whole: Arc<Message>, call: Option<CallPlace>) -> ResultInfo {
        ResultInfo {
            at,
            entry: self.entry.id.clone(),
            whole,
            chars: self.chars,
            call,
            key: OnceLock::new(),
            lines: OnceLock::new(),
            range: OnceLock::new(),
            is_error: is_error(&self.entry),
            is_exempt: self.item.is_pinned() || self.item.is_restored(),
        }
    }
}

/// A member of the span of an assistant message.
#[derive(Clone, Debug)]
enum SpanMember {
    Result(Box<SpanResult>),
    /// The output of a command of the user.
    Run(Box<SpanResult>),
    Other(Box<ViewItem>),
}

impl SpanMember {
    fn answers(&self, call_id: &str) -> bool {
        let Self::Result(result) = self else {
            return false;
        };
        matches!(result.whole.as_ref(), Message::ToolResult(answer) if answer.call_id == call_id)
    }
}

/// One span, members in the order of the log.
#[derive(Clone, Debug, Default)]
pub(super) struct CallSpan {
    opening: Option<SpanOpening>,
    members: Vec<SpanMember>,
}

impl CallSpan {
    /// Begins with an assistant message.
    pub(super) fn open(opening: SpanOpening) -> Self {
        Self {
            opening: Some(opening),
            members: Vec::new(),
        }
    }

    pub(super) fn push_result(&mut self, result: SpanResult) {
        self.members.push(SpanMember::Result(Box::new(result)));
    }

    /// The result of an entry of this span.
    pub(super) fn result_mut(&mut self, entry: &EntryId) -> Option<&mut SpanResult> {
        self.members.iter_mut().find_map(|member| match member {
            SpanMember::Result(result) if result.entry.id == *entry => Some(result.as_mut()),
            SpanMember::Result(_) | SpanMember::Run(_) | SpanMember::Other(_) => None,
        })
    }

    pub(super) fn push_run(&mut self, run: SpanResult) {
        self.members.push(SpanMember::Run(Box::new(run)));
    }

    pub(super) fn push_other(&mut self, item: ViewItem) {
        self.members.push(SpanMember::Other(Box::new(item)));
    }

    /// Whether every call has a result: nothing that is said later belongs to it.
    pub(super) fn is_complete(&self) -> bool {
        let calls = self.opening.iter().flat_map(|opening| &opening.calls);
        let mut calls = calls.map(|call| call.logged_id.as_str());
        calls.all(|id| self.members.iter().any(|member| member.answers(id)))
    }

    /// Appends the span to a list: the answer, its results in call order, the rest.
    /// While tools are `running`, calls without a result are left open.
    pub(super) fn write(&self, list: &mut ViewBuilder, ruler: &dyn Ruler, running: bool) {
        let calls = self
            .opening
            .as_ref()
            .map_or(&[][..], |opening| &opening.calls);
        let mut opened_at = list.items.len();
        if let Some(opening) = &self.opening {
            if list.items.len() == FRAME_ITEMS {
                let why = "the conversation does not begin with a user message";
                list.push(item::synthetic_user(NO_BEGINNING_TEXT, ruler, 0, why));
            }
            opened_at = list.items.len();
            list.push(opening.item.clone());
            if let Some(tokens) = opening.output_tokens {
                list.measure_answer(tokens);
            }
        }
        let paired = self.pair(calls, list);
        for (call, result) in calls.iter().zip(&paired) {
            let place = self.opening.as_ref().map(|opening| CallPlace {
                at: opened_at,
                answer: Arc::clone(&opening.whole),
                part: call.part,
            });
            match (place, *result) {
                (Some(place), Some(result)) => self.write_result(list, call, result, place),
                (Some(_), None) if !running => self.write_missing(list, ruler, call),
                _ => {}
            }
        }
        for member in &self.members {
            match member {
                SpanMember::Result(_) => {}
                SpanMember::Run(run) => {
                    let whole = Arc::clone(&run.whole);
                    list.push_result(run.item.clone(), run.info(list.items.len(), whole, None));
                }
                SpanMember::Other(item) => list.push(ViewItem::clone(item)),
            }
        }
    }

    fn write_result(
        &self,
        list: &mut ViewBuilder,
        call: &ProjectedCall,
        result: &SpanResult,
        place: CallPlace,
    ) {
        let Some(opening) = &self.opening else { return };
        if opening.is_dropped {
            leave_out(
                list,
                &result.entry,
                Disposition::Dropped,
                "dropped by the user",
                opening.item.turn,
            );
            return;
        }
        let whole = with_call_id(&result.whole, call);
        let info = result.info(list.items.len(), whole, Some(place));
        let mut item = result.item.clone();
        item.sent = item.sent.map(|message| with_call_id(&message, call));
        match &result.base {
            Some(base) => list.push_difference(item, info, base),
            None => list.push_result(item, info),
        }
    }

    /// Answers a call that has no result.
    fn write_missing(&self, list: &mut ViewBuilder, ruler: &dyn Ruler, call: &ProjectedCall) {
        let Some(opening) = self.opening.as_ref().filter(|it| !it.is_dropped) else {
            return;
        };
        list.repair.added += 1;
        let (id, name, turn) = (&call.sent_id, &call.name, opening.item.turn);
        list.push(item::synthetic_result(id, name, ruler, turn));
    }

    /// For each call the first result that answers it; whatever else is a result is
    /// left out. Counts what was in another place.
    fn pair<'a>(
        &'a self,
        calls: &[ProjectedCall],
        list: &mut ViewBuilder,
    ) -> Vec<Option<&'a SpanResult>> {
        let mut paired: Vec<Option<&SpanResult>> = vec![None; calls.len()];
        let calls = calls.iter().enumerate();
        let indices: HashMap<&str, usize> = calls
            .map(|(index, call)| (call.logged_id.as_str(), index))
            .collect();
        let mut expected = 0;
        let mut others_seen = false;
        for member in &self.members {
            let SpanMember::Result(result) = member else {
                others_seen = true;
                continue;
            };
            let call_id = call_id(&result.entry);
            match indices.get(call_id).copied() {
                Some(index) if paired[index].is_none() => {
                    if others_seen || index < expected {
                        list.repair.moved += 1;
                    }
                    expected = expected.max(index);
                    paired[index] = Some(result);
                }
                Some(_) => {
                    list.repair.dropped_duplicates += 1;
                    let why = "second result for the same call";
                    leave_out(
                        list,
                        &result.entry,
                        Disposition::Duplicate,
                        why,
                        result.item.turn,
                    );
                }
                None => {
                    list.repair.dropped_orphans += 1;
                    let why = "its call is not in the context";
                    leave_out(
                        list,
                        &result.entry,
                        Disposition::Orphaned,
                        why,
                        result.item.turn,
                    );
                }
            }
        }
        paired
    }
}

fn leave_out(
    list: &mut ViewBuilder,
    entry: &Entry,
    disposition: Disposition,
    why: &str,
    turn: u32,
) {
    let left: LeftOut = item::left_out(entry, disposition, why, turn);
    list.leave_out(left);
}

fn call_id(entry: &Entry) -> &str {
    match entry.message().map(AsRef::as_ref) {
        Some(Message::ToolResult(result)) => &result.call_id,
        _ => "",
    }
}

fn is_error(entry: &Entry) -> bool {
    matches!(entry.message().map(AsRef::as_ref), Some(Message::ToolResult(result)) if result.is_error)
}

/// A result with the call id of the request.
fn with_call_id(message: &Arc<Message>, call: &ProjectedCall) -> Arc<Message> {
    match message.as_ref() {
        Message::ToolResult(result) if result.call_id != call.sent_id => {
            let mut result = result.clone();
            result.call_id.clone_from(&call.sent_id);
            Arc::new(Message::ToolResult(result))
        }
        _ => Arc::clone(message),
    }
}
