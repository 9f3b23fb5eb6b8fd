//! Overflow recovery: the provider said that the request is too long. Three attempts of
//! rising force, then a clear end with the choices. No tool runs twice: what was
//! answered is kept or summarised, only an unanswered message is sent again.

use std::sync::Arc;

use super::actor::{Actor, Stop};
use super::compact::{Compacted, Wanted};
use super::event::{AgentEvent, Notice, TurnEnd};
use super::turn::{Turn, overflow_end, unanswered};
use crate::context::Pressure;
use crate::session::Durability;
use crate::transcript::{Entry, EntryBody, EntryId, Message, Overlay, Part, Trigger, UserMessage};

/// Largest items that the final message lists.
const LISTED_ITEMS: usize = 3;

impl Actor {
    /// Makes room after an overflow. `None`: try again; `Some`: the turn ends.
    pub async fn recover(
        &mut self,
        (requested_tokens, limit_tokens): (Option<u64>, Option<u64>),
        turn: &mut Turn,
    ) -> Result<Option<TurnEnd>, Stop> {
        let settings = self.conversation.context().compaction.clone();
        turn.overflow_attempts += 1;
        let attempt = turn.overflow_attempts;
        self.emit(AgentEvent::Overflow {
            requested_tokens,
            limit_tokens,
            attempt,
        })
        .await;
        if !settings.auto {
            let cause = "the context is full and automatic compaction is off";
            return Ok(Some(self.give_up(cause, "history_too_large", turn).await));
        }
        if attempt > settings.max_attempts {
            let cause = "the context is still too long for the model";
            return Ok(Some(self.give_up(cause, "history_too_large", turn).await));
        }
        if attempt == 1 && self.cut_oversized().await {
            return Ok(None);
        }
        // Nothing was oversized: the next attempt is due at once.
        turn.overflow_attempts = turn.overflow_attempts.max(2);
        self.compact_and_replay(turn).await
    }

    /// Attempt 1: results that take too much are cut harder.
    async fn cut_oversized(&mut self) -> bool {
        let before = self.conversation.transcript().len();
        self.settle(Pressure {
            tight_single: true,
            ..Pressure::default()
        })
        .await;
        self.conversation.transcript().len() > before
    }

    /// Attempts 2 and 3: a summary takes the place of what came before; the third
    /// time of everything, with placeholders for what tools said.
    async fn compact_and_replay(&mut self, turn: &mut Turn) -> Result<Option<TurnEnd>, Stop> {
        let is_last = turn.overflow_attempts >= 3;
        let held_back = self.unanswered_ask();
        let wanted = Wanted {
            trigger: Trigger::Overflow,
            yes: true,
            attempt: turn.overflow_attempts,
            tail_zero: is_last,
            held_back: held_back.as_ref().map(|entry| entry.id.clone()),
            ..Wanted::default()
        };
        let outcome = self.compact(wanted).await?;
        let mut changed = outcome == Compacted::Applied;
        if is_last {
            let before = self.conversation.transcript().len();
            let pressure = Pressure {
                total: true,
                even_exempt: true,
                ..Pressure::default()
            };
            self.settle(pressure).await;
            changed |= self.conversation.transcript().len() > before;
        }
        match (outcome, held_back) {
            (Compacted::Failed | Compacted::Cancelled, _) if !changed => {
                let cause = "no summary could be made";
                return Ok(Some(self.give_up(cause, "summariser_failed", turn).await));
            }
            (_, Some(ask)) if changed || has_images(&ask) => {
                self.replay(&ask).await;
                changed = true;
            }
            _ => {}
        }
        if changed {
            return Ok(None);
        }
        let cause = "the message alone is too long for the model";
        Ok(Some(self.give_up(cause, "message_too_large", turn).await))
    }

    /// The newest user message, when nothing has answered it yet.
    fn unanswered_ask(&self) -> Option<Arc<Entry>> {
        let branch = self.conversation.transcript().branch();
        let newest = branch
            .iter()
            .rev()
            .find(|entry| entry.body.speaks_to_model())?;
        unanswered(newest.message()).then(|| Arc::clone(newest))
    }

    /// Appends the message again, behind the summary, with attachments as text.
    async fn replay(&mut self, original: &Arc<Entry>) {
        let Some(Message::User(user)) = original.message().map(AsRef::as_ref) else {
            return;
        };
        let stripped = user
            .content
            .iter()
            .any(|part| matches!(part, Part::Image(_)));
        let content = user
            .content
            .iter()
            .map(crate::context::without_image)
            .collect();
        let message = Message::User(UserMessage { content });
        let entry = self
            .append(EntryBody::Message(Arc::new(message)), Durability::Flush)
            .await;
        let (original, replay): (EntryId, EntryId) = (original.id.clone(), entry.id.clone());
        let overlay = Overlay::Replay {
            original: original.clone(),
            replay: replay.clone(),
            stripped,
        };
        self.append(EntryBody::Overlay(overlay), Durability::Flush)
            .await;
        self.emit(AgentEvent::Replayed {
            original,
            replay,
            stripped,
        })
        .await;
    }

    async fn give_up(&mut self, what: &str, cause: &'static str, turn: &Turn) -> TurnEnd {
        let view = self
            .conversation
            .evaluate(&self.around, Pressure::default())
            .view;
        let mut largest: Vec<_> = view
            .items
            .iter()
            .filter(|item| item.entry.is_some())
            .collect();
        largest.sort_by_key(|item| std::cmp::Reverse(item.tokens));
        let listed: Vec<String> = largest
            .iter()
            .take(LISTED_ITEMS)
            .filter_map(|item| Some(format!("{} {} tokens", item.entry.as_ref()?, item.tokens)))
            .collect();
        let message = format!(
            "{what}: the view has {} tokens after {} attempts; the largest items are {}",
            view.usage.tokens,
            turn.overflow_attempts,
            listed.join(", ")
        );
        self.emit(AgentEvent::CompactionFailed {
            trigger: Trigger::Overflow,
            cause,
            message: message.clone(),
            attempts: turn.overflow_attempts,
        })
        .await;
        let notice = Notice::error(message).with_hint(
            "nothing is lost: choose a model with a larger window (/model), drop large items in /context, or start a new session (/new)",
        );
        overflow_end(notice, &turn.text)
    }
}

fn has_images(entry: &Entry) -> bool {
    entry
        .message()
        .is_some_and(|message| message.images().next().is_some())
}
