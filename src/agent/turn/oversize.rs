//! A message that is larger than the window: with the system prompt and the tools it does
//! not fit, so no summary can help and nothing is sent. A larger model takes it when that
//! is allowed; else the user is offered to send a part of it, to use a larger model, or to
//! have the text back. Nobody to ask: a clear end.
//!
//! Invariant: the log keeps the message as it was typed; what is sent instead is an edit.

use std::sync::Arc;

use crate::agent::mailbox::TurnStop;
use crate::agent::model::switch::{ModelSwitch, UNMEASURED_MARGIN};
use crate::agent::protocol::{
    CompactionEvent, Notice, OversizeChoice, OversizeOffer, ReturnedInput, SessionEvent, TurnEvent,
};
use crate::agent::turn::TurnLoop;
use crate::agent::turn::failure::overflow_end;
use crate::agent::turn::state::{NextStep, TurnState, newest_ask, stopped};
use crate::context::{ContextView, RulerReport, ViewItem, WindowSource};
use crate::engine::text::{cut_ends, excerpt_notice, shortened};
use crate::session::{Durability, spill};
use crate::transcript::{
    CutForm, Decision, Entry, EntryBody, Image, Message, ModelRef, Part, Trigger,
};

/// Cause of the end, as events name it.
pub(in crate::agent) const MESSAGE_TOO_LARGE: &str = "message_too_large";

/// Of the room for messages, what is sent of one whose whole text is in a file: the rest is
/// for the pages that the model will read.
const FILE_SHARE: f64 = 0.25;
/// Of the room for messages, what trimming leaves: an answer and its tools need some too.
const TRIM_SHARE: f64 = 0.75;
/// With less room than this many tokens, a part of the message is not worth sending.
const MIN_ROOM_TOKENS: u64 = 400;
/// Of what is kept, the part from the beginning; the end is where people ask.
const HEAD_SHARE: f64 = 0.6;
/// The estimate of a part is not quite its share of the whole: when it is too large, it is
/// cut by this much more,
const SHRINK: f64 = 0.85;
/// and at most so many times.
const MAX_SHRINKS: usize = 12;

/// A message that does not fit.
struct OversizeMessage {
    entry: Arc<Entry>,
    text: String,
    images: Vec<Image>,
    /// Of the system prompt, the tools and the message.
    needed_tokens: u64,
    /// Of its text alone.
    text_tokens: u64,
    usable_tokens: u64,
    /// How the view counts: the offer names the numbers of the gauge.
    counted_by: RulerReport,
}

impl OversizeMessage {
    /// Tokens that a part of the text may take; `None` when shortening it does not help.
    fn room(&self, share: f64) -> Option<u64> {
        let others = self.needed_tokens.saturating_sub(self.text_tokens);
        let room = self.usable_tokens.saturating_sub(others);
        let tokens = (room as f64 * share) as u64;
        (tokens >= MIN_ROOM_TOKENS && self.text_tokens > tokens).then_some(tokens)
    }
}

impl TurnLoop<'_> {
    /// The action instead of sending a view whose newest message is too large alone; `None`
    /// when it is not.
    pub(crate) async fn fit_message(
        &mut self,
        view: &ContextView,
        turn: &TurnState,
    ) -> Result<Option<NextStep>, TurnStop> {
        let Some(notice) = message_too_large(view, self.agent.model.connection.model.token_factor)
        else {
            return Ok(None);
        };
        if ModelSwitch::of(self.agent).upgrade(None).await {
            return Ok(Some(NextStep::Again));
        }
        let oversized = match self.oversized(view) {
            Some(oversized) if self.agent.setup.is_interactive => oversized,
            _ => return Ok(Some(self.cannot_send(notice, turn).await)),
        };
        let larger = self.larger_model(&oversized);
        let choice = self.offer(&oversized, larger.clone()).await?;
        let done = match (choice, larger) {
            (OversizeChoice::File, _) => self.send_with_file(&oversized).await,
            (OversizeChoice::Trim, _) => self.send_trimmed(&oversized).await,
            (OversizeChoice::Larger, Some((model, _))) => {
                let reason = "the message is larger than the previous model's window";
                ModelSwitch::of(self.agent).use_model(model, reason).await;
                true
            }
            (OversizeChoice::Cancel | OversizeChoice::Larger, _) => false,
        };
        if done {
            return Ok(Some(NextStep::Again));
        }
        self.take_back(&oversized).await;
        Ok(Some(NextStep::End(stopped(turn.text()))))
    }

    /// Nobody can be asked, or nothing can be offered.
    async fn cannot_send(&mut self, notice: Notice, turn: &TurnState) -> NextStep {
        self.agent
            .events
            .emit(CompactionEvent::Failed {
                trigger: Trigger::Overflow,
                cause: MESSAGE_TOO_LARGE,
                message: notice.text.clone(),
                attempts: turn.overflow_attempts,
                ends_turn: true,
            })
            .await;
        NextStep::End(overflow_end(notice, &turn.text()))
    }

    fn oversized(&self, view: &ContextView) -> Option<OversizeMessage> {
        let item = newest_ask(view)?;
        let entry = self
            .agent
            .thread
            .conversation
            .transcript()
            .get(item.entry.as_ref()?)?;
        let message = item.sent.as_ref()?;
        let text = message.text();
        let text_only = Message::user_text(text.clone());
        let estimate = self.agent.thread.current_ruler().message_tokens(&text_only);
        let text_tokens = view.ruler.scale(estimate);
        Some(OversizeMessage {
            entry: Arc::clone(entry),
            images: message.images().cloned().collect(),
            text_tokens: text_tokens.min(item.tokens),
            text,
            needed_tokens: needed_tokens(view),
            usable_tokens: view.window.usable,
            counted_by: view.ruler.clone(),
        })
    }

    /// The first model of the fallback chain, then of those that the settings name, that
    /// surely takes the message whole.
    fn larger_model(&self, oversized: &OversizeMessage) -> Option<(ModelRef, u64)> {
        let settings = &self.agent.setup.settings;
        let named = settings.models.keys();
        let named = named.filter_map(|name| crate::config::parse_model(name));
        let chain = settings.agent.fallback_models.iter().cloned();
        let needed = oversized.needed_tokens as f64 * UNMEASURED_MARGIN;
        chain.chain(named).find_map(|model| {
            let report = self.agent.window_of(&model, UNMEASURED_MARGIN);
            let is_known = report.source != WindowSource::Assumed;
            let fits = is_known && report.usable as f64 >= needed;
            let tokens = report.tokens.filter(|_| fits)?;
            self.agent.can_take_over(&model).then_some((model, tokens))
        })
    }

    async fn offer(
        &mut self,
        oversized: &OversizeMessage,
        larger: Option<(ModelRef, u64)>,
    ) -> Result<OversizeChoice, TurnStop> {
        let id = self.agent.mailbox.fresh_id();
        let has_folder = self.agent.thread.conversation.path().is_some();
        self.agent.mailbox.answers.oversize = None;
        self.agent
            .events
            .emit(TurnEvent::Oversize(Box::new(OversizeOffer {
                id,
                needed_tokens: oversized.needed_tokens,
                usable_tokens: oversized.usable_tokens,
                model: self.agent.model.connection.model.model.clone(),
                file_tokens: oversized.room(FILE_SHARE).filter(|_| has_folder),
                trim_tokens: oversized.room(TRIM_SHARE),
                larger,
            })))
            .await;
        let choice = loop {
            match self.agent.mailbox.answers.oversize.take() {
                Some((answered, choice)) if answered == id => break Ok(choice),
                _ => {}
            }
            match self.agent.wait_for_answer().await {
                Ok(()) => {}
                // To stop is not to send it.
                Err(TurnStop::Interrupted) => break Ok(OversizeChoice::Cancel),
                Err(stop) => break Err(stop),
            }
        };
        self.agent
            .events
            .emit(TurnEvent::OversizeClosed { id })
            .await;
        choice
    }

    /// Head and tail, with the path of a file that holds all of it.
    async fn send_with_file(&mut self, oversized: &OversizeMessage) -> bool {
        let Some(room) = oversized.room(FILE_SHARE) else {
            return false;
        };
        let name = format!("{}-message", oversized.entry.id);
        let path = self.agent.thread.conversation.path();
        let kept = path.map(|path| spill(&path, &name, oversized.text.as_bytes()));
        match kept {
            Some(Ok(path)) => {
                let why = format!(
                    "the whole message is in the file {}; read it in pages with the read tool",
                    path.display()
                );
                self.edit_message(oversized, room, &why).await;
                true
            }
            Some(Err(error)) => {
                let notice =
                    Notice::error(format!("the text could not be saved to a file: {error}"));
                self.agent
                    .events
                    .notice(notice.with_hint("the message was not sent"))
                    .await;
                false
            }
            None => false,
        }
    }

    async fn send_trimmed(&mut self, oversized: &OversizeMessage) -> bool {
        let Some(room) = oversized.room(TRIM_SHARE) else {
            return false;
        };
        let why = "the user left them out, because the message is larger than your context";
        self.edit_message(oversized, room, why).await;
        true
    }

    /// Records what is sent in the place of the message.
    async fn edit_message(&mut self, oversized: &OversizeMessage, room: u64, why: &str) {
        let ruler = self.agent.thread.current_ruler();
        let text = fitted(oversized, room, why, |text| {
            let estimate = ruler.message_tokens(&Message::user_text(text));
            oversized.counted_by.scale(estimate)
        });
        let mut content = vec![Part::Text(text)];
        content.extend(oversized.images.iter().cloned().map(Part::Image));
        let body = EntryBody::ContextEdit {
            target: oversized.entry.id.clone(),
            replacement: Some(content),
        };
        self.agent.thread.append(body, Durability::Flush).await;
    }

    /// The message leaves the branch when nothing has answered it, and goes back to where
    /// it came from.
    async fn take_back(&mut self, oversized: &OversizeMessage) {
        let id = &oversized.entry.id;
        let branch = self.agent.thread.conversation.transcript().branch();
        let newest = branch
            .iter()
            .rev()
            .find(|entry| entry.body.speaks_to_model());
        if newest.is_none_or(|entry| entry.id != *id) {
            return;
        }
        self.agent
            .thread
            .conversation
            .move_leaf(oversized.entry.parent.clone());
        // An entry of its own makes the move last.
        let overlay = Decision::Undo { target: id.clone() };
        self.agent
            .thread
            .append(EntryBody::Decision(overlay), Durability::Flush)
            .await;
        let branch = self.agent.thread.conversation.transcript().branch();
        self.agent
            .events
            .emit(SessionEvent::BranchMoved(branch))
            .await;
        let returned = ReturnedInput {
            text: oversized.text.clone(),
            images: oversized.images.clone(),
            is_command: false,
        };
        self.agent
            .mailbox
            .give_back_after(vec![returned], |_| true)
            .await;
    }
}

/// As much of the beginning and the end as `room` tokens hold, by `count`.
fn fitted(
    oversized: &OversizeMessage,
    room: u64,
    why: &str,
    count: impl Fn(&str) -> u64,
) -> String {
    let text = &oversized.text;
    let total = text.chars().count();
    let mut kept = total as f64 * room as f64 / oversized.text_tokens.max(1) as f64;
    let mut part = String::new();
    for _ in 0..MAX_SHRINKS {
        let head = kept * HEAD_SHARE;
        let (head_chars, tail_chars) = cut_ends(text, head as usize, (kept - head) as usize);
        let omitted = total.saturating_sub(head_chars + tail_chars);
        let form = CutForm::Trim {
            head_chars,
            tail_chars,
            notice: excerpt_notice(omitted, why),
        };
        part = shortened(text, &form);
        if count(&part) <= room {
            break;
        }
        kept *= SHRINK;
    }
    part
}

/// Tokens that have to be sent in any case: system prompt, tools and the newest message.
fn needed(view: &ContextView) -> impl Iterator<Item = &ViewItem> {
    let is_frame = |item: &&ViewItem| item.category.is_frame();
    let items = view.items.iter().map(AsRef::as_ref);
    items.filter(is_frame).chain(newest_ask(view))
}

/// Tokens of that, as the gauge counts.
fn needed_tokens(view: &ContextView) -> u64 {
    needed(view).map(|item| item.tokens).sum()
}

/// System, tools and the newest message alone do not fit: compaction cannot help.
///
/// Both by the gauge and by what is known of the model's family: what a server reports can
/// be far off (hidden prompts, wrong counters), and nobody could talk to it any more.
/// Whatever is not surely too large is sent; a refusal is recovered from.
fn message_too_large(view: &ContextView, token_factor: f64) -> Option<Notice> {
    view.window.tokens?;
    let estimate: u64 = needed(view).map(|item| item.estimate_tokens).sum();
    let expected = (estimate as f64 * token_factor) as u64;
    let needed = needed_tokens(view);
    if needed.min(expected) <= view.window.usable {
        return None;
    }
    Some(
        Notice::error(format!(
            "the message is too large: ~{needed} tokens with system prompt and tools, {} usable",
            view.window.usable
        ))
        .with_hint(
            "save the text to a file and name the file in your message, shorten it, or choose \
        a model with a larger window",
        ),
    )
}
