//! What models were asked that stands in no entry of the log yet: requests for summaries,
//! which may still fail or be set aside, and answers of which nothing came but their counts.
//! Whoever asks adds to it as it happens; a compaction takes what its summary cost, and the
//! rest is written down on its own, so that the log adds up to what was spent.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::actor::Actor;
use crate::session::Durability;
use crate::transcript::{EntryBody, Expense, ModelRef, Overlay, Purpose, Usage};

/// Shared with the summary that is written beside the conversation.
#[derive(Clone, Debug, Default)]
pub struct Bill(Arc<Mutex<Sums>>);

type Sums = BTreeMap<(Purpose, String), (u64, Usage)>;

impl Bill {
    /// Counts a request that has been sent.
    pub fn sent(&self, purpose: Purpose, model: &ModelRef) {
        self.lock()
            .entry((purpose, model.to_string()))
            .or_default()
            .0 += 1;
    }

    /// Adds what the provider counted for it.
    pub fn counted(&self, purpose: Purpose, model: &ModelRef, usage: Usage) {
        let mut sums = self.lock();
        let (_, sum) = sums.entry((purpose, model.to_string())).or_default();
        *sum = sum.plus(usage);
    }

    /// Takes what the summaries of a model have cost.
    pub fn take_summaries(&self, model: &str) -> (u64, Usage) {
        let key = (Purpose::Summary, model.to_owned());
        self.lock().remove(&key).unwrap_or_default()
    }

    /// Takes everything that cost something.
    fn take(&self) -> Vec<Expense> {
        let all = std::mem::take(&mut *self.lock());
        all.into_iter()
            .filter(|(_, (_, usage))| usage.is_reported())
            .map(|((purpose, model), (requests, usage))| Expense {
                purpose,
                model,
                requests,
                usage,
            })
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, Sums> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Actor {
    /// Writes down what was spent and stands in no entry, once it is known that no entry
    /// will have it: a summary that is being prepared may still be put in.
    pub async fn settle_bill(&mut self) {
        if self.background.is_some() {
            return;
        }
        for expense in self.bill.take() {
            self.usage = self.usage.plus(expense.usage);
            let body = EntryBody::Overlay(Overlay::Expense(expense));
            self.append(body, Durability::Buffered).await;
        }
    }
}
