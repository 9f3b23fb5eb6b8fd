//! Requests that are in no entry of the log yet: requests for summaries,
//! which may still fail or go unused, answers of which nothing came but their counts, and
//! the estimated cost of answers that ended without them.
//! Whoever asks adds to it as it happens; a compaction takes what its summary cost, and the
//! rest is written down on its own, so that the log adds up to what was spent.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::transcript::{Expense, ModelRef, Purpose, Usage};

/// Shared with the summary that is written beside the conversation.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnloggedCost {
    sums: Arc<Mutex<CostSums>>,
    /// The bill of the agent that started this one.
    caller: Option<Arc<UnloggedCost>>,
}

#[derive(Debug, Default)]
struct CostSums {
    /// Requests that are in no entry yet.
    open: BTreeMap<OpenKey, OpenSum>,
    /// US dollars for everything, whether an entry has it or not.
    spent_usd: f64,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct OpenKey {
    purpose: Purpose,
    model: String,
    is_estimated: bool,
}

impl CostSums {
    fn add_estimate(&mut self, key: OpenKey, requests: u64, usage: Usage) {
        let sum = self.open.entry(key).or_default();
        sum.requests += requests;
        sum.estimated += 1;
        sum.usage = sum.usage.plus(usage);
    }
}

impl OpenKey {
    fn of(purpose: Purpose, model: &ModelRef, is_estimated: bool) -> Self {
        let model = model.to_string();
        Self {
            purpose,
            model,
            is_estimated,
        }
    }
}

/// Requests without an entry, requests that were estimated, and what they used.
#[derive(Debug, Default)]
struct OpenSum {
    requests: u64,
    estimated: u64,
    usage: Usage,
}

impl UnloggedCost {
    /// A bill whose sums count on another one as well.
    pub(crate) fn below(caller: Option<Self>) -> Self {
        Self {
            caller: caller.map(Arc::new),
            ..Self::default()
        }
    }

    /// Counts a request that has been sent.
    pub(crate) fn sent(&self, purpose: Purpose, model: &ModelRef) {
        let mut sums = self.lock();
        let key = OpenKey::of(purpose, model, false);
        sums.open.entry(key).or_default().requests += 1;
    }

    /// Adds what the provider counted for it.
    pub(crate) fn counted(&self, purpose: Purpose, model: &ModelRef, usage: Usage) {
        let mut sums = self.lock();
        let sum = sums.open.entry(OpenKey::of(purpose, model, false));
        let sum = sum.or_default();
        sum.usage = sum.usage.plus(usage);
        drop(sums);
        self.spend(usage.cost_usd.unwrap_or(0.0));
    }

    /// Adds what a request that has been sent is estimated to have used, where its provider
    /// did not count it.
    pub(crate) fn estimated(&self, purpose: Purpose, model: &ModelRef, usage: Usage) {
        let mut sums = self.lock();
        let counted = sums.open.get_mut(&OpenKey::of(purpose, model, false));
        if let Some(counted) = counted {
            counted.requests = counted.requests.saturating_sub(1);
        }
        sums.add_estimate(OpenKey::of(purpose, model, true), 1, usage);
        drop(sums);
        self.spend(usage.cost_usd.unwrap_or(0.0));
    }

    /// Adds what an answer in the log is estimated to have used, where its provider did not
    /// count it.
    pub(crate) fn estimated_entry(&self, model: &ModelRef, usage: Usage) {
        let key = OpenKey::of(Purpose::Answer, model, true);
        self.lock().add_estimate(key, 0, usage);
        self.spend(usage.cost_usd.unwrap_or(0.0));
    }

    /// Adds what an entry of its own has.
    pub(crate) fn spend(&self, usd: f64) {
        self.lock().spent_usd += usd;
        if let Some(caller) = &self.caller {
            caller.spend(usd);
        }
    }

    /// Begins with what the log of another session says.
    pub(crate) fn begin_with(&self, usd: f64) {
        self.lock().spent_usd = usd;
    }

    /// US dollars that were spent on everything.
    pub(crate) fn spent_usd(&self) -> f64 {
        self.lock().spent_usd
    }

    /// Takes what the summaries of a model have cost.
    pub(crate) fn take_summaries(&self, model: &str) -> (u64, Usage) {
        let mut sums = self.lock();
        let mut taken = (0, Usage::default());
        for is_estimated in [false, true] {
            let key = OpenKey {
                purpose: Purpose::Summary,
                model: model.to_owned(),
                is_estimated,
            };
            let sum = sums.open.remove(&key).unwrap_or_default();
            taken = (taken.0 + sum.requests, taken.1.plus(sum.usage));
        }
        taken
    }

    /// Takes everything that cost something.
    pub(crate) fn take(&self) -> Vec<Expense> {
        let all = std::mem::take(&mut self.lock().open);
        all.into_iter()
            .filter(|(_, sum)| sum.usage.is_reported())
            .map(|(key, sum)| Expense {
                purpose: key.purpose,
                model: key.model,
                requests: sum.requests,
                usage: sum.usage,
                estimated_requests: sum.estimated,
            })
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, CostSums> {
        self.sums.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
