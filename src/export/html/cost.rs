//! What the models of a session were asked and what they counted, as the log says.

use std::collections::BTreeMap;

use crate::export::branch::BranchReading;
use crate::transcript::{EntryBody, Message, Usage, grouped};

/// The requests to one model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ModelSum {
    pub(super) requests: u64,
    pub(super) usage: Usage,
}

/// What was asked of each model on a branch, summaries included.
#[derive(Debug, Default, PartialEq)]
pub(super) struct CostSummary {
    pub(super) by_model: BTreeMap<String, ModelSum>,
}

impl CostSummary {
    pub(super) fn of(reading: &BranchReading) -> Self {
        let mut cost = Self::default();
        for entry in &reading.entries {
            match &entry.body {
                EntryBody::Message(message) => {
                    if let Message::Assistant(answer) = message.as_ref()
                        && let Some(usage) = answer.usage
                    {
                        cost.add(&format!("{}/{}", answer.provider, answer.model), 1, usage);
                    }
                }
                EntryBody::Compaction(compaction) => {
                    let details = &compaction.details;
                    if details.cost.requests > 0 {
                        cost.add(&details.model, details.cost.requests, details.cost.usage);
                    }
                }
                EntryBody::Expense(expense) => {
                    cost.add(&expense.model, expense.requests, expense.usage);
                }
                _ => {}
            }
        }
        cost
    }

    fn add(&mut self, model: &str, requests: u64, usage: Usage) {
        let sum = self.by_model.entry(model.to_owned()).or_default();
        sum.requests += requests;
        sum.usage = sum.usage.plus(usage);
    }

    /// All models together.
    pub(super) fn total(&self) -> ModelSum {
        let start = ModelSum::default();
        self.by_model.values().fold(start, |sum, it| ModelSum {
            requests: sum.requests + it.requests,
            usage: sum.usage.plus(it.usage),
        })
    }
}

/// US dollars: `$0.0123`, `$4.20`.
pub(super) fn dollars(usd: f64) -> String {
    /// From here on a hundredth of a cent does not matter.
    const COARSE_USD: f64 = 1.0;
    if usd >= COARSE_USD {
        format!("${usd:.2}")
    } else {
        format!("${usd:.4}")
    }
}

/// `1,204 in, 88 out, $0.0123`.
pub(super) fn usage_words(usage: &Usage) -> String {
    let mut words = format!(
        "{} in, {} out",
        grouped(usage.prompt_tokens()),
        grouped(usage.output_tokens)
    );
    if let Some(usd) = usage.cost_usd {
        words.push_str(", ");
        words.push_str(&dollars(usd));
    }
    words
}
