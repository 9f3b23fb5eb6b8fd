//! A conversation with all that its requests depend on: the log, the view, the ruler, the
//! system prompt, and what was asked last.

mod adoption;
pub(in crate::agent) mod conversation;
pub(in crate::agent) mod engine_program;
pub(in crate::agent) mod engine_slot;
mod opened_log;
pub(in crate::agent) mod plan_notes;
pub(in crate::agent) mod request;

use std::sync::Arc;

use crate::agent::mailbox::EventSender;
use crate::agent::protocol::{ContextEvent, Notice, SessionEvent};
use crate::agent::setup::SystemPrompt;
use crate::agent::thread::conversation::Conversation;
use crate::context::ruler::Ruler;
use crate::context::rules::RulePlace;
use crate::context::{ContextView, Evaluation, RequestContext, ShrinkMode};
use crate::session::Durability;
use crate::transcript::{
    CompletionRequest, Cut, CutForm, Decision, Entry, EntryBody, EntryId, ExpectedTokens,
    FileLedger, Image, Message, NoteKind,
};

/// See the module's description.
pub(in crate::agent) struct Thread {
    pub conversation: Conversation,
    /// The facts besides log, settings and clock that a view depends on.
    pub context: RequestContext,
    pub events: EventSender,
    /// The ruler of the settings, as the model in charge counts.
    pub ruler: Arc<dyn Ruler>,
    /// The text in the composer: on the gauge, and in no decision.
    pub draft: Option<Arc<Message>>,
    pub prompt: SystemPrompt,
    pub last_request: Option<CompletionRequest>,
    /// Tokens of the prompt of that request.
    pub asked_tokens: u64,
    /// The count that the provider should report for the prompt of the running request.
    pub expected: ExpectedTokens,
    /// The user knows that not all of their rules have room.
    pub has_told_full_rules: bool,
    /// What was said last: all entries are saved.
    pub has_told_saved: bool,
}

impl Thread {
    /// The ruler in use.
    pub(super) fn current_ruler(&self) -> Arc<dyn Ruler> {
        Arc::clone(&self.ruler)
    }

    /// Evaluates the view and says so. Records nothing.
    pub(super) async fn publish_view(&mut self) {
        let view = self.current_view();
        self.tell_engine().await;
        self.show_view(view).await;
    }

    /// Publishes a view, with the draft in the composer.
    pub(super) async fn show_view(&mut self, view: ContextView) {
        let shown = match &self.draft {
            Some(draft) => self.conversation.with_draft(view, draft),
            None => view,
        };
        self.events.emit(ContextEvent::View(Arc::new(shown))).await;
    }

    /// Appends an entry and says so.
    pub(super) async fn append(&mut self, body: EntryBody, durability: Durability) -> Arc<Entry> {
        let (entry, notice) = self.conversation.append(body, durability);
        self.tell_appended(Arc::clone(&entry), notice).await;
        entry
    }

    /// Says that there is another entry, and what became of saving it.
    pub(super) async fn tell_appended(&mut self, entry: Arc<Entry>, notice: Option<Notice>) {
        self.events.emit(SessionEvent::Entry(entry)).await;
        if let Some(notice) = notice {
            self.events.notice(notice).await;
        }
        self.tell_saving().await;
    }

    /// Says when entries can no longer be saved, and when they all are again.
    async fn tell_saving(&mut self) {
        let is_saved = self.conversation.is_saved();
        if std::mem::replace(&mut self.has_told_saved, is_saved) != is_saved {
            self.events.emit(SessionEvent::Saved(is_saved)).await;
        }
    }

    pub(super) async fn append_user(&mut self, text: String, images: Vec<Image>) {
        let message = Message::user_parts(text, images);
        self.append(EntryBody::Message(Arc::new(message)), Durability::Flush)
            .await;
    }

    /// The view of the next request, its decisions recorded and said.
    pub(super) async fn settle(&mut self, pressure: ShrinkMode) -> ContextView {
        let settled = self.conversation.settle(&self.context, pressure);
        self.tell_engine().await;
        for notice in &settled.notices {
            self.events.notice(notice.clone()).await;
        }
        for entry in &settled.recorded {
            self.events
                .emit(SessionEvent::Entry(Arc::clone(entry)))
                .await;
        }
        self.tell_saving().await;
        for overlay in settled.overlays() {
            self.say_decision(overlay).await;
        }
        self.tell_full_rules(&settled.view).await;
        self.show_view(settled.view.clone()).await;
        settled.view
    }

    /// Says what became of the context engine since the last view.
    async fn tell_engine(&mut self) {
        for notice in self.conversation.engines().take_notices() {
            self.events.notice(notice).await;
        }
        if let Some(id) = self.conversation.engines().take_change() {
            self.events.emit(SessionEvent::Engine(id.to_owned())).await;
        }
    }

    /// Says once that rules have no room in the request.
    async fn tell_full_rules(&mut self, view: &ContextView) {
        let left = view.rules.count(RulePlace::NotFitting);
        let has_told = std::mem::replace(&mut self.has_told_full_rules, left > 0);
        if left == 0 || has_told {
            return;
        }
        let all = view.rules.active().count();
        let text = format!(
            "{left} of your {all} rules do not fit into the context: the model only sees which \
             messages hold them"
        );
        let hint = "strike outdated rules, or confirm the most important ones: /rules";
        self.events
            .notice(Notice::warning(text).with_hint(hint))
            .await;
    }

    pub(super) async fn say_decision(&self, overlay: &Decision) {
        let count = |cuts: &[Cut], cleared: bool| {
            cuts.iter()
                .filter(|cut| matches!(cut.form, CutForm::Clear { .. }) == cleared)
                .count() as u64
        };
        match overlay {
            Decision::Prune {
                cuts,
                cache_given_up_tokens,
                reasoning_lost,
                by_person,
                ..
            } => {
                let saved = cuts
                    .iter()
                    .map(|cut| cut.tokens_before.saturating_sub(cut.tokens_after));
                self.events
                    .emit(ContextEvent::Pruned {
                        trimmed: count(cuts, false),
                        cleared: count(cuts, true),
                        tokens_saved: saved.sum(),
                        cache_given_up_tokens: *cache_given_up_tokens,
                        reasoning_lost: *reasoning_lost,
                        dry_run: false,
                        by_person: *by_person,
                    })
                    .await;
            }
            Decision::Guard { cuts } => {
                self.events
                    .emit(ContextEvent::Guarded {
                        truncated: count(cuts, false),
                        cleared: count(cuts, true),
                    })
                    .await;
            }
            _ => {}
        }
    }

    /// The view of the next request with the decisions that it would take. Records nothing.
    pub(super) fn evaluate(&mut self, mode: ShrinkMode) -> Evaluation {
        self.conversation.evaluate(&self.context, mode)
    }

    /// The view of the next request. Records nothing.
    pub(super) fn current_view(&mut self) -> ContextView {
        self.evaluate(ShrinkMode::default()).view
    }

    /// The view as it would be with `body` appended.
    pub(super) fn preview(&mut self, body: EntryBody) -> ContextView {
        self.conversation.preview(&self.context, body)
    }

    /// The view as it would be with these entries appended, named by
    /// `preview_id`.
    pub(super) fn preview_all(&mut self, bodies: Vec<EntryBody>) -> ContextView {
        self.conversation.preview_all(&self.context, bodies)
    }

    /// The message that asks a model to go on after an automatic compaction.
    pub(super) async fn append_continue(&mut self, attachments_removed: bool) {
        let mut text =
            "Continue with the next steps of the task. If something is unclear, ask.".to_owned();
        if attachments_removed {
            text.push_str(" Attachments were removed because they did not fit into the context.");
        }
        let body = EntryBody::note(NoteKind::Continue, text);
        self.append(body, Durability::Flush).await;
    }

    pub(super) fn compacts_by_itself(&self) -> bool {
        self.conversation.context().compaction.auto
    }

    pub(super) async fn no_such_entry(&self, id: &EntryId) {
        let notice = Notice::error(format!("no entry {id} in this session"));
        self.events
            .notice(notice.with_hint("/tree shows all entries"))
            .await;
    }

    pub(super) fn file_ledger(&self) -> FileLedger {
        FileLedger::of(self.conversation.transcript())
    }
}
