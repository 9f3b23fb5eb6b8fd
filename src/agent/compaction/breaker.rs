//! A model whose summaries failed is left alone: what is recorded of its attempts, whether it
//! is asked by itself, and the one sentence about it.
//!
//! Whoever compacts by hand asks it again. So do another model or summariser and a changed
//! setting of compaction or audit, because failures are counted for each of them.

use crate::agent::compaction::CompactionRun;
use crate::agent::compaction::attempt::AttemptOutcome;
use crate::agent::protocol::Notice;
use crate::engine::summary::{MAX_FAILURES, failures_of};
use crate::session::{Durability, fingerprint};
use crate::transcript::{EntryBody, Measurement, ModelRef, SummariserKey, SummaryAttempt};

impl CompactionRun<'_> {
    /// Whether this model is not asked by itself any more. Said once for each model.
    pub(crate) async fn is_given_up(&mut self, model: &ModelRef) -> bool {
        let is_given_up = self.failures(model) >= MAX_FAILURES;
        let key = self.summariser_key(model);
        let told = &mut self.agent.compactor.given_up_told;
        if is_given_up && !told.contains(&key) {
            told.push(key);
            let text = format!(
                "{model} wrote no usable summary twice in a row: automatic compaction now \
                 summarises without a model"
            );
            let hint = if self.agent.setup.is_interactive {
                "/compact asks it again; compaction.model sets another model for summaries"
            } else {
                "`plim compact` asks it again; compaction.model sets another model for summaries"
            };
            let notice = Notice::warning(text).with_hint(hint);
            self.agent.events.notice(notice).await;
        }
        is_given_up
    }

    /// Whether the model that writes summaries now is not asked by itself any more.
    pub(crate) async fn is_summariser_given_up(&mut self) -> bool {
        let connection = self.summary_connection().await;
        self.is_given_up(&connection.model.model).await
    }

    /// Records how a model did, where that is not what the log says anyway.
    pub(crate) async fn note_attempt(&mut self, model: &ModelRef, attempt: AttemptOutcome) {
        let failures = attempt.failures();
        if failures == 0 && self.failures(model) == 0 {
            return;
        }
        let by = self.summariser_key(model);
        if failures == 0 {
            self.agent.compactor.given_up_told.retain(|it| *it != by);
        }
        let attempt = SummaryAttempt { by, failures };
        let body = EntryBody::Measurement(Measurement::SummaryAttempt(attempt));
        self.agent.thread.append(body, Durability::Buffered).await;
    }

    fn failures(&self, model: &ModelRef) -> u64 {
        let key = self.summariser_key(model);
        failures_of(self.agent.thread.conversation.transcript(), &key)
    }

    fn summariser_key(&self, model: &ModelRef) -> SummariserKey {
        let context = self.agent.thread.conversation.context();
        let settings = format!("{:?} {:?}", context.compaction, context.audit);
        SummariserKey {
            provider: model.provider.clone(),
            model: model.model.clone(),
            settings: fingerprint(settings.as_bytes()),
        }
    }
}
