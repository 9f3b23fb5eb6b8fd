//! Overflow recovery: the provider said that the request is too long. Three attempts of
//! rising force, then a clear end with the choices. No tool runs twice: what was
//! answered is kept or summarised, only an unanswered message is sent again.

use std::sync::Arc;

use crate::agent::compaction::CompactionRun;
use crate::agent::compaction::material::{CompactionOutcome, CompactionRequest};
use crate::agent::compaction::shrink::NOT_SMALLER;
use crate::agent::mailbox::TurnStop;
use crate::agent::model::switch::ModelSwitch;
use crate::agent::protocol::{CompactionEvent, ContextEvent, Notice, TurnEnd};
use crate::agent::turn::TurnLoop;
use crate::agent::turn::failure::overflow_end;
use crate::agent::turn::oversize::MESSAGE_TOO_LARGE;
use crate::agent::turn::state::{NextStep, RefusedSizes, TurnState, newest_ask, unanswered};
use crate::context::{ContextView, ShrinkMode, WindowSource};
use crate::engine::text::one_line;
use crate::session::Durability;
use crate::transcript::{
    Decision, Entry, EntryBody, EntryId, Message, Part, Trigger, UserMessage, grouped,
};

/// Largest items that the final message lists.
const LISTED_ITEMS: usize = 3;
/// First words of each of them.
const LISTED_CHARS: usize = 40;

/// Causes of an end, as events name them.
const HISTORY_TOO_LARGE: &str = "history_too_large";

impl TurnLoop<'_> {
    /// Makes room after an overflow. `None`: try again; `Some`: the turn ends. A refusal
    /// that names no tokens may be one by bytes.
    pub(crate) async fn recover(
        &mut self,
        sizes: RefusedSizes,
        turn: &mut TurnState,
    ) -> Result<Option<TurnEnd>, TurnStop> {
        if sizes == RefusedSizes::default() && !self.entries_with_images().is_empty() {
            return self.recover_payload(turn).await;
        }
        turn.refused = Some(sizes);
        turn.is_foreseen = false;
        turn.room_for_answer = None;
        self.agent.begin_recovery();
        let Some(attempt) = self.next_attempt(turn).await else {
            return Ok(self.give_up(HISTORY_TOO_LARGE, turn).await);
        };
        if attempt == 1 {
            turn.room_for_answer = self.room_beside_prompt(sizes);
            if turn.room_for_answer.is_some() || self.cut_oversized().await {
                return Ok(None);
            }
        }
        // Nothing was oversized: the next attempt is due at once.
        turn.overflow_attempts = turn.overflow_attempts.max(2);
        self.compact_and_replay(turn).await
    }

    /// Makes room before a request whose view is known not to fit: it is not sent. `None`: it
    /// fits, or only a window that is assumed says that it does not.
    pub(crate) async fn fit_view(
        &mut self,
        view: &ContextView,
        turn: &mut TurnState,
    ) -> Result<Option<NextStep>, TurnStop> {
        let factor = self.agent.model.connection.model.token_factor;
        if !self.agent.thread.compacts_by_itself() || !is_beyond_window(view, factor) {
            return Ok(None);
        }
        turn.refused = Some(RefusedSizes {
            requested: Some(view.usage.tokens),
            prompt: None,
            limit: view.window.tokens,
        });
        turn.is_foreseen = true;
        let end = match self.next_attempt(turn).await {
            None => self.give_up(HISTORY_TOO_LARGE, turn).await,
            Some(1) if self.cut_oversized().await => None,
            Some(_) => {
                turn.overflow_attempts = turn.overflow_attempts.max(2);
                self.compact_and_replay(turn).await?
            }
        };
        Ok(Some(end.map_or(NextStep::Again, NextStep::End)))
    }

    /// Makes room after a request that was refused for its size in bytes: images are what
    /// takes bytes, so older ones go first, then those of the message itself.
    pub(crate) async fn recover_payload(
        &mut self,
        turn: &mut TurnState,
    ) -> Result<Option<TurnEnd>, TurnStop> {
        turn.refused = Some(RefusedSizes::default());
        turn.is_foreseen = false;
        if self.next_attempt(turn).await.is_none() {
            return Ok(self.give_up(HISTORY_TOO_LARGE, turn).await);
        }
        let ask = self.unanswered_ask();
        if self.strip_images(ask.as_deref()).await {
            return Ok(None);
        }
        if let Some(ask) = ask.filter(|ask| has_images(ask)) {
            self.replay(&ask, turn).await;
            self.agent.thread.append_continue(true).await;
            return Ok(None);
        }
        turn.overflow_attempts = turn.overflow_attempts.max(2);
        self.compact_and_replay(turn).await
    }

    /// Counts and announces an attempt; `None` when there may be no more.
    async fn next_attempt(&mut self, turn: &mut TurnState) -> Option<u32> {
        let RefusedSizes {
            requested: requested_tokens,
            limit: limit_tokens,
            ..
        } = turn.refused.unwrap_or_default();
        turn.overflow_attempts += 1;
        let attempt = turn.overflow_attempts;
        self.agent
            .events
            .emit(ContextEvent::Overflow {
                is_foreseen: turn.is_foreseen,
                requested_tokens,
                limit_tokens,
                attempt,
            })
            .await;
        let settings = &self.agent.thread.conversation.context().compaction;
        (settings.auto && attempt <= settings.max_attempts).then_some(attempt)
    }

    /// Room for an answer where the prompt fits and only the two together did not: then
    /// nothing has to go. `None` when the prompt alone is near the limit.
    fn room_beside_prompt(&mut self, sizes: RefusedSizes) -> Option<u64> {
        let (prompt, limit) = (sizes.prompt?, sizes.limit?);
        let view = self.agent.thread.current_view();
        let usable = limit.saturating_sub(view.window.reserved);
        (prompt <= usable).then(|| limit.saturating_sub(prompt))
    }

    fn entries_with_images(&mut self) -> Vec<EntryId> {
        let view = self.agent.thread.current_view();
        let with_images = view.items.iter().filter(|item| {
            let sent = item.sent.as_ref();
            sent.is_some_and(|message| message.images().next().is_some())
        });
        with_images.filter_map(|item| item.entry.clone()).collect()
    }

    /// Replaces every image by a line of text, except in a message that is sent again
    /// anyway. False when there is none.
    async fn strip_images(&mut self, spared: Option<&Entry>) -> bool {
        let mut targets = self.entries_with_images();
        targets.retain(|id| spared.is_none_or(|spared| spared.id != *id));
        if targets.is_empty() {
            return false;
        }
        let reason = "the provider refused the request as too large in bytes".to_owned();
        let overlay = Decision::Media { targets, reason };
        self.agent
            .thread
            .append(EntryBody::Decision(overlay), Durability::Flush)
            .await;
        true
    }

    /// Attempt 1: results that take too much are cut harder.
    async fn cut_oversized(&mut self) -> bool {
        let before = self.agent.thread.conversation.transcript().len();
        self.agent
            .thread
            .settle(ShrinkMode {
                tight_single: true,
                ..ShrinkMode::default()
            })
            .await;
        self.agent.thread.conversation.transcript().len() > before
    }

    /// Attempts 2 and 3: a summary takes the place of what came before; the third
    /// time of everything, with placeholders for what tools said.
    async fn compact_and_replay(
        &mut self,
        turn: &mut TurnState,
    ) -> Result<Option<TurnEnd>, TurnStop> {
        let is_last = turn.overflow_attempts >= 3;
        let held_back = self.unanswered_ask();
        let wanted = CompactionRequest {
            trigger: Trigger::Overflow,
            yes: true,
            attempt: turn.overflow_attempts,
            tail_zero: is_last,
            held_back: held_back.as_ref().map(|entry| entry.id.clone()),
            fit_usable_tokens: self.usable_as_counted(turn),
            model_failed: turn.is_foreseen && self.agent.compactor.auto.has_failed(),
            ..CompactionRequest::default()
        };
        let outcome = CompactionRun::of(self.agent).compact(wanted).await?;
        if outcome == CompactionOutcome::Failed(NOT_SMALLER) && !is_last {
            turn.overflow_attempts = 3;
            return Box::pin(self.compact_and_replay(turn)).await;
        }
        let mut changed = outcome == CompactionOutcome::Applied;
        if is_last {
            let before = self.agent.thread.conversation.transcript().len();
            let pressure = ShrinkMode {
                total: true,
                even_exempt: true,
                ..ShrinkMode::default()
            };
            self.agent.thread.settle(pressure).await;
            changed |= self.agent.thread.conversation.transcript().len() > before;
        }
        if let CompactionOutcome::Failed(cause) = outcome
            && !changed
        {
            return Ok(self.give_up(cause, turn).await);
        }
        if let Some(ask) = held_back.filter(|ask| changed || has_images(ask)) {
            self.replay(&ask, turn).await;
            // Nothing came before it that could have been the cause.
            if !changed {
                self.agent.thread.append_continue(true).await;
            }
            changed = true;
        }
        if changed {
            return Ok(None);
        }
        Ok(self.give_up(HISTORY_TOO_LARGE, turn).await)
    }

    /// The usable part, by the ruler's count, of the limit that the provider named: its
    /// numbers replace the window that was believed and the estimate.
    fn usable_as_counted(&mut self, turn: &TurnState) -> Option<u64> {
        let sizes = turn.refused?;
        let view = self.agent.thread.current_view();
        let window = &view.window;
        let said = sizes
            .limit
            .map(|limit| limit.saturating_sub(window.reserved));
        let known = window.tokens.map(|_| window.usable);
        let limit = [said, known].into_iter().flatten().min()?;
        let counted = sizes.counted().unwrap_or(0).max(view.usage.tokens);
        let factor = view.usage.tokens as f64 / counted.max(1) as f64;
        Some((limit as f64 * factor) as u64)
    }

    /// The newest user message, when nothing has answered it yet.
    fn unanswered_ask(&self) -> Option<Arc<Entry>> {
        let branch = self.agent.thread.conversation.transcript().branch();
        let newest = branch
            .iter()
            .rev()
            .find(|entry| entry.body.speaks_to_model())?;
        unanswered(newest.message()).then(|| Arc::clone(newest))
    }

    /// Appends the message again, after the summary, with attachments as text.
    async fn replay(&mut self, original: &Arc<Entry>, turn: &TurnState) {
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
            .map(crate::engine::text::without_image)
            .collect();
        let message = Message::User(UserMessage { content });
        let entry = self
            .agent
            .thread
            .append(EntryBody::Message(Arc::new(message)), Durability::Flush)
            .await;
        let (original, replay): (EntryId, EntryId) = (original.id.clone(), entry.id.clone());
        let overlay = Decision::Replay {
            original: original.clone(),
            replay: replay.clone(),
            stripped,
        };
        self.agent
            .thread
            .append(EntryBody::Decision(overlay), Durability::Flush)
            .await;
        self.agent
            .events
            .emit(ContextEvent::Replayed {
                is_foreseen: turn.is_foreseen,
                original,
                replay,
                stripped,
            })
            .await;
    }

    /// The last resort when all attempts failed: a larger model, when that is allowed
    /// (`None`), or the end with what was tried, the sizes and the choices.
    async fn give_up(&mut self, cause: &'static str, turn: &mut TurnState) -> Option<TurnEnd> {
        let RefusedSizes { limit, .. } = turn.refused.unwrap_or_default();
        if ModelSwitch::of(self.agent).upgrade(limit).await {
            turn.overflow_attempts = 0;
            return None;
        }
        let view = self.agent.thread.current_view();
        let settings = self.agent.thread.conversation.context();
        let cause = if cause == HISTORY_TOO_LARGE && is_mostly_the_message(&view) {
            MESSAGE_TOO_LARGE
        } else {
            cause
        };
        let max_attempts = settings.compaction.max_attempts;
        let attempts = turn.overflow_attempts.min(max_attempts);
        let what = match cause {
            _ if !settings.compaction.auto => "the context is full and automatic compaction is off",
            HISTORY_TOO_LARGE => "the context is still too long for the model",
            MESSAGE_TOO_LARGE => "the message alone is too long for the model",
            "timeout" => "the context is full and the summary took too long",
            _ => "the context is full and could not be summarised",
        };
        let counted = as_the_provider_says(turn);
        let message = format!(
            "{what}: {} tokens after {attempts} attempts{counted}; the largest items are {}",
            grouped(view.usage.tokens),
            largest_items(&view)
        );
        self.agent
            .events
            .emit(CompactionEvent::Failed {
                trigger: Trigger::Overflow,
                cause,
                message: message.clone(),
                attempts,
                ends_turn: true,
            })
            .await;
        let notice = Notice::error(message).with_hint(if self.agent.setup.is_interactive {
            "nothing is lost: choose a model with a larger window (/model), drop large items in \
             /context, or start a new session (/new)"
        } else {
            "nothing is lost: name a model with a larger window (-m), drop large items (`plim \
             context` lists them, `plim drop` drops), or start a new session (without -c)"
        });
        Some(overflow_end(notice, &turn.text()))
    }
}

/// Whether a view surely does not fit: by the gauge and by what is known of the model's family,
/// in a window that somebody named.
fn is_beyond_window(view: &ContextView, token_factor: f64) -> bool {
    let estimate: u64 = view.items.iter().map(|item| item.estimate_tokens).sum();
    let expected = (estimate as f64 * token_factor) as u64;
    let is_known = view.window.source != WindowSource::Assumed;
    let window = view.window.tokens.filter(|_| is_known);
    window.is_some_and(|window| view.usage.tokens.min(expected) > window)
}

/// The size named by the provider, ready to follow other words.
fn as_the_provider_says(turn: &TurnState) -> String {
    let sizes = turn.refused.unwrap_or_default();
    match (sizes.counted(), sizes.limit) {
        (_, Some(limit)) if turn.is_foreseen => {
            format!(", the model accepts {}: nothing was sent", grouped(limit))
        }
        (Some(requested), Some(limit)) => format!(
            ", the provider counted {} and accepts {}",
            grouped(requested),
            grouped(limit)
        ),
        (Some(requested), None) => format!(", the provider counted {}", grouped(requested)),
        (None, Some(limit)) => format!(", the provider accepts {}", grouped(limit)),
        // It may count bytes: only it knows.
        (None, None) if turn.refusal.is_empty() => String::new(),
        (None, None) => format!(", the provider's message: {}", turn.refusal),
    }
}

fn largest_items(view: &ContextView) -> String {
    let mut largest: Vec<_> = view
        .items
        .iter()
        .filter(|item| item.entry.is_some())
        .collect();
    largest.sort_by_key(|item| std::cmp::Reverse(item.tokens));
    let listed: Vec<String> = largest
        .iter()
        .take(LISTED_ITEMS)
        .filter_map(|item| {
            let words = one_line(&item.preview, LISTED_CHARS);
            Some(format!(
                "{} ({} tokens: {words})",
                item.entry.as_ref()?,
                grouped(item.tokens)
            ))
        })
        .collect();
    listed.join(", ")
}

/// The newest message takes more than the rest of the conversation together.
fn is_mostly_the_message(view: &ContextView) -> bool {
    let said: u64 = view
        .items
        .iter()
        .filter(|item| item.entry.is_some())
        .map(|item| item.estimate_tokens)
        .sum();
    let ask = newest_ask(view).map_or(0, |item| item.estimate_tokens);
    ask.saturating_mul(2) > said
}

fn has_images(entry: &Entry) -> bool {
    entry
        .message()
        .is_some_and(|message| message.images().next().is_some())
}
