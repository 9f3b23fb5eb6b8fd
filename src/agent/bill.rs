//! What models were asked that stands in no entry of the log yet: requests for summaries,
//! which may still fail or be set aside, and answers of which nothing came but their counts.
//! Whoever asks adds to it as it happens; a compaction takes what its summary cost, and the
//! rest is written down on its own, so that the log adds up to what was spent.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::actor::Actor;
use crate::session::Durability;
use crate::transcript::{EntryBody, Expense, ModelRef, Purpose, Usage};

/// Shared with the summary that is written beside the conversation.
#[derive(Clone, Debug, Default)]
pub struct Bill(Arc<Mutex<Sums>>);

#[derive(Debug, Default)]
struct Sums {
    /// What stands in no entry yet.
    open: BTreeMap<(Purpose, String), (u64, Usage)>,
    /// US dollars for everything, whether an entry has it or not.
    spent_usd: f64,
}

impl Bill {
    /// Counts a request that has been sent.
    pub fn sent(&self, purpose: Purpose, model: &ModelRef) {
        let mut sums = self.lock();
        let key = (purpose, model.to_string());
        sums.open.entry(key).or_default().0 += 1;
    }

    /// Adds what the provider counted for it.
    pub fn counted(&self, purpose: Purpose, model: &ModelRef, usage: Usage) {
        let mut sums = self.lock();
        let key = (purpose, model.to_string());
        let (_, sum) = sums.open.entry(key).or_default();
        *sum = sum.plus(usage);
        sums.spent_usd += usage.cost_usd.unwrap_or(0.0);
    }

    /// Adds what an entry of its own has, or what can only be estimated.
    pub fn spend(&self, usd: f64) {
        self.lock().spent_usd += usd;
    }

    /// Begins with what the log of another session says.
    pub fn begin_with(&self, usd: f64) {
        self.lock().spent_usd = usd;
    }

    /// US dollars that were spent on everything.
    pub fn spent_usd(&self) -> f64 {
        self.lock().spent_usd
    }

    /// Takes what the summaries of a model have cost.
    pub fn take_summaries(&self, model: &str) -> (u64, Usage) {
        let key = (Purpose::Summary, model.to_owned());
        self.lock().open.remove(&key).unwrap_or_default()
    }

    /// Takes everything that cost something.
    fn take(&self) -> Vec<Expense> {
        let all = std::mem::take(&mut self.lock().open);
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
        if self.compactor.background.is_some() {
            return;
        }
        for expense in self.costs.bill.take() {
            self.costs.usage = self.costs.usage.plus(expense.usage);
            let body = EntryBody::Expense(expense);
            self.thread.append(body, Durability::Buffered).await;
        }
    }
}
