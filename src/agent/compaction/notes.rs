//! The notes that a model may add before a compaction, where `memory.flush` is on: one request
//! that can do nothing else. What was added is said, and can be taken back.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout_at;

use crate::agent::compaction::CompactionRun;
use crate::agent::compaction::material::{CompactionMaterial, CompactionRequest};
use crate::agent::compaction::run_summary::ask;
use crate::agent::compaction::summary_request::OFFLINE_PROVIDER;
use crate::agent::mailbox::TurnStop;
use crate::agent::memory::{flush_origin, single_notes};
use crate::agent::protocol::{CompactionEvent, Notice};
use crate::agent::setup::ModelConnection;
use crate::clock;
use crate::context::summary::{Reply, SourceMessage, TokenCount};
use crate::engine::recall::RecallAddress;
use crate::engine::summary::{note_request, notes_of};
use crate::transcript::{Trigger, plural};

/// The most that the request may take.
const LIMIT: Duration = Duration::from_mins(1);
/// The conversation takes at most one part of so many of the model's window.
const WINDOW_PARTS: u64 = 2;

impl CompactionRun<'_> {
    /// Lets the model that writes summaries note what holds beyond this session. A request
    /// that fails is said and changes nothing.
    pub(super) async fn flush_memory(
        &mut self,
        wanted: &CompactionRequest,
        material: &CompactionMaterial,
    ) -> Result<(), TurnStop> {
        if !self.may_flush(wanted) {
            return Ok(());
        }
        let connection = self.summary_connection().await;
        let model = &connection.model.model;
        if model.provider == OFFLINE_PROVIDER || self.is_given_up(model).await {
            return Ok(());
        }
        let sources = material.messages.iter().chain(&material.turn_prefix);
        let messages: Vec<SourceMessage> = sources.cloned().collect();
        match self.ask_for_notes(wanted, &messages, &connection).await? {
            Ok(notes) => self.keep_notes(&notes).await,
            Err(why) => {
                let text = format!("no notes were added before the compaction: {why}");
                self.agent.events.notice(Notice::warning(text)).await;
            }
        }
        Ok(())
    }

    fn may_flush(&self, wanted: &CompactionRequest) -> bool {
        let setup = &self.agent.setup;
        setup.settings.agent.memory_flush
            && !wanted.extractive
            && !wanted.model_failed
            && !setup.leaves_nothing()
            && setup.child.is_none()
    }

    /// The notes that the model would add; an inner error is why there are none.
    async fn ask_for_notes(
        &mut self,
        wanted: &CompactionRequest,
        messages: &[SourceMessage],
        connection: &ModelConnection,
    ) -> Result<Result<Vec<String>, String>, TurnStop> {
        let known = match self.agent.setup.memory().0.show() {
            Ok(shown) => single_notes(&shown.text),
            Err(why) => return Ok(Err(why)),
        };
        let ruler = self.agent.thread.current_ruler();
        let count: TokenCount = Arc::new(move |text: &str| ruler.text_tokens(text));
        let room = self.window_tokens_of(connection) / WINDOW_PARTS;
        let Some(call) = note_request(messages, &known, room, &count) else {
            return Ok(Ok(Vec::new()));
        };
        let told = self.listeners(None);
        if let Some(refusal) = told.limit.refusal(&connection.model) {
            return Ok(Err(refusal.notice().text));
        }
        let stage = call.stage.clone();
        let progress = CompactionEvent::Progress { stage };
        self.agent.events.emit(progress).await;
        let lanes = self.agent.setup.lanes.clone();
        // Inside a run a lane is taken already: the run would wait for itself.
        let is_alone = wanted.trigger == Trigger::Manual;
        let connection = connection.clone();
        let asking = Box::pin(async move {
            let _lane = if is_alone { lanes.enter().await } else { None };
            timeout_at(
                clock::deadline(LIMIT),
                ask(call, &connection, &count, &told),
            )
            .await
        });
        let answered = self.agent.wait(asking).await?;
        self.agent.heed_overheard().await;
        Ok(match answered {
            Ok((Reply::Answer { text, .. }, _)) => Ok(notes_of(&text, messages)),
            Ok((Reply::Failed { message, .. } | Reply::Refused { message }, _)) => Err(message),
            Ok((Reply::Overflow, _)) => Err("the request was too long".to_owned()),
            Err(_) => Err(format!("no answer within {} s", LIMIT.as_secs())),
        })
    }

    /// Keeps the new ones among these, and says which.
    async fn keep_notes(&mut self, notes: &[String]) {
        let conversation = &self.agent.thread.conversation;
        let newest = conversation.transcript().ancestors().count();
        let place = RecallAddress::at(newest.saturating_sub(1)).to_string();
        let origin = flush_origin(conversation.id(), &place);
        let notice = match self.agent.setup.memory().0.add(notes, &origin) {
            Err(why) => Notice::warning(why),
            Ok(kept) if kept.added.is_empty() => return,
            Ok(kept) => {
                let many = plural(kept.added.len() as u64, "note");
                let place = kept.place;
                let said = kept.added.join(" · ");
                let text = format!("the model added {many} to {place}: {said}");
                Notice::info(text).with_hint("/notes undo removes them, /notes shows all")
            }
        };
        self.agent.events.notice(notice).await;
    }
}
