//! Where each kind of entry that is sent has its place: answers open a span, results and
//! commands of the user join it, everything else follows.

use std::sync::Arc;

use super::item::{self, LoggedMessage};
use super::span::{CallSpan, SpanOpening, SpanResult};
use super::{Projection, answer};
use crate::context::view::Disposition;
use crate::context::{fence, invisible};
use crate::transcript::{
    AssistantMessage, AssistantPart, Entry, EntryBody, EntryOverride, Message, UserMessage,
};

impl Projection {
    pub(super) fn place(&mut self, entry: &Arc<Entry>, position: usize) {
        match &entry.body {
            EntryBody::Message(message) => self.place_message(entry, message, position),
            EntryBody::CustomMessage { content, .. } => {
                let message = Message::User(UserMessage {
                    content: content.clone(),
                });
                self.place_user(entry, &Arc::new(message), None);
            }
            EntryBody::BranchSummary { summary, .. } => {
                let message = Message::user_text(branch_summary_text(summary));
                self.place_user(entry, &Arc::new(message), None);
            }
            // The one in force was placed first; older ones are part of it.
            EntryBody::Compaction(_) if self.compaction_id().as_ref() != Some(&entry.id) => {
                self.leave_out_summarized(entry);
            }
            _ => {}
        }
    }

    fn place_message(&mut self, entry: &Arc<Entry>, message: &Arc<Message>, position: usize) {
        let cleaned = invisible::cleaned_result(message);
        let (message, removed) = match &cleaned {
            Some((message, removed)) => (message, Some(invisible::removed_text(*removed))),
            None => (message, None),
        };
        match message.as_ref() {
            Message::Assistant(answer) => self.place_answer(entry, message, answer, position),
            Message::ToolResult(_) => {
                let counted = self.measurer.full(&entry.id, message);
                let mut item = item::plain(entry, Arc::clone(message), counted.tokens, self.turn);
                item.reason = removed;
                let (item, whole) = item::finish_result(
                    item,
                    LoggedMessage { entry, message },
                    &self.plan,
                    &mut self.measurer,
                );
                let whole = whole.unwrap_or_else(|| Arc::clone(message));
                let base = self.plan.base_of(&entry.id);
                self.span.push_result(SpanResult {
                    entry: Arc::clone(entry),
                    item,
                    whole,
                    chars: counted.chars,
                    base,
                });
            }
            Message::BashExecution(run) if run.excluded => {
                self.leave_out(entry, Disposition::Excluded, "run with !!");
            }
            Message::BashExecution(run) => {
                let sent = Arc::new(Message::user_text(run.as_user_text()));
                self.place_run(LoggedMessage { entry, message }, sent, removed);
            }
            Message::User(_) => self.place_user(entry, message, None),
        }
    }

    /// Places the output of a command that the user ran. It is cut like a tool result; no call
    /// belongs to it.
    fn place_run(&mut self, run: LoggedMessage<'_>, sent: Arc<Message>, removed: Option<String>) {
        let LoggedMessage { entry, message } = run;
        let counted = self.measurer.full(&entry.id, message);
        let mut item = item::plain(entry, sent, counted.tokens, self.turn);
        item.reason = removed;
        let (mut item, whole) = item::finish_result(item, run, &self.plan, &mut self.measurer);
        if self.plan.override_of(&entry.id) == Some(EntryOverride::Drop) {
            item::drop_item(&mut item, self.measurer.ruler());
            return self.span.push_other(item);
        }
        self.span.push_run(SpanResult {
            entry: Arc::clone(entry),
            item,
            whole: whole.unwrap_or_else(|| Arc::clone(message)),
            chars: counted.chars,
            base: None,
        });
    }

    fn place_user(&mut self, entry: &Arc<Entry>, message: &Arc<Message>, removed: Option<String>) {
        if message.text().trim().is_empty() && message.images().next().is_none() {
            self.leave_out(entry, Disposition::Excluded, "empty");
            return;
        }
        let counted = self.measurer.full(&entry.id, message);
        let mut item = item::plain(entry, Arc::clone(message), counted.tokens, self.turn);
        item.reason = removed;
        let mut item = item::finish(item, entry, &self.plan, &mut self.measurer);
        if self.plan.override_of(&entry.id) == Some(EntryOverride::Drop) {
            item::drop_item(&mut item, self.measurer.ruler());
        }
        self.span.push_other(item);
    }

    fn place_answer(
        &mut self,
        entry: &Arc<Entry>,
        message: &Arc<Message>,
        answer: &AssistantMessage,
        position: usize,
    ) {
        let prepared = answer::prepare(&entry.id, message, answer, &mut self.used_call_ids);
        let Some(prepared) = prepared else {
            let why = if answer.stop.is_broken() {
                "aborted or failed"
            } else {
                "empty"
            };
            self.leave_out(entry, Disposition::Excluded, why);
            // Its results, if any, must not pair with an earlier answer.
            self.close_span();
            return;
        };
        self.close_span();
        self.settled.repair.dropped_orphans += prepared.dropped_calls;
        self.measure(answer, position);
        let is_shared = Arc::ptr_eq(&prepared.message, message);
        // What repair leaves out nothing gives back, so it is no part of the full size.
        let tokens = if is_shared {
            self.measurer.full(&entry.id, message).tokens
        } else {
            self.measurer.ruler().message_tokens(&prepared.message)
        };
        let item = item::plain(entry, Arc::clone(&prepared.message), tokens, self.turn);
        let whole = Arc::clone(&prepared.message);
        let logged = LoggedMessage {
            entry,
            message: &whole,
        };
        let mut item = item::finish_answer(item, logged, &self.plan, &mut self.measurer);
        let is_dropped = self.plan.override_of(&entry.id) == Some(EntryOverride::Drop);
        if is_dropped {
            item::drop_item(&mut item, self.measurer.ruler());
        }
        let is_whole = is_shared && !is_dropped && !item.disposition.is_cut();
        let output_tokens = counted_output(answer).filter(|_| is_whole);
        self.span = CallSpan::open(SpanOpening {
            item,
            whole,
            calls: prepared.calls,
            is_dropped,
            output_tokens,
        });
    }
}

/// Output tokens that say what the answer will cost as part of a prompt: reasoning is
/// generated but not (or not in full) sent back.
fn counted_output(answer: &AssistantMessage) -> Option<u64> {
    let is_plain = answer
        .content
        .iter()
        .all(|part| matches!(part, AssistantPart::Text(_) | AssistantPart::ToolCall(_)));
    answer
        .usage
        .filter(|usage| is_plain && usage.believed_tokens().is_some())
        .map(|usage| usage.output_tokens.saturating_sub(usage.reasoning_tokens))
}

fn branch_summary_text(summary: &str) -> String {
    format!(
        "Another branch of this conversation was left; this is what happened there.\n\n\
         <summary>\n{}\n</summary>",
        fence::neutralised(summary.trim())
    )
}
