//! Cost of a session so far, by model, and the cost of each rewrite of the prompt.

use std::collections::BTreeMap;

use crate::transcript::Usage;

/// Answers and summaries of one model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModelCost {
    /// Requests that were sent.
    pub requests: u64,
    /// Their sum.
    pub usage: Usage,
    /// Those of them whose price nobody knows: the sum is more than it says.
    pub unpriced: u64,
    /// Those of them that nobody counted and whose usage is estimated.
    pub estimated: u64,
}

impl ModelCost {
    /// Both together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            requests: self.requests.saturating_add(other.requests),
            usage: self.usage.plus(other.usage),
            unpriced: self.unpriced.saturating_add(other.unpriced),
            estimated: self.estimated.saturating_add(other.estimated),
        }
    }

    /// The mark before its cost: a sum that leaves something out or holds an estimate says
    /// so.
    pub fn cost_sign(&self) -> &'static str {
        match (self.usage.cost_usd, self.unpriced, self.estimated) {
            (Some(_), 1.., _) => "≥",
            (Some(_), 0, 1..) => "~",
            _ => "",
        }
    }
}

/// Something that rewrote the prompt.
#[derive(Clone, Debug, PartialEq)]
pub struct PromptRewrite {
    /// Its entry.
    pub entry: String,
    /// `compaction` or `prune`.
    pub kind: &'static str,
    /// Estimated tokens that the prompt lost.
    pub tokens_saved: u64,
    /// Prompt tokens of the next answer that no cache served.
    pub uncached_after_tokens: Option<u64>,
    /// Cost of the next answer, in US dollars.
    pub next_cost_usd: Option<f64>,
    /// It was another model's, whose cache had nothing of this talk anyway.
    pub is_other_model: bool,
}

/// Recalls of a model, and what they gave back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecallUse {
    /// Calls.
    pub calls: u64,
    /// Those of them that gave something.
    pub found: u64,
    /// About what they gave, in tokens.
    pub tokens: u64,
}

/// The sums of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionCost {
    /// Answers, by `provider/model`.
    pub models: BTreeMap<String, ModelCost>,
    /// Summaries, by the same.
    pub summaries: BTreeMap<String, ModelCost>,
    /// Sub-agents by their name; those that run included, where somebody knows of them.
    pub agents: BTreeMap<String, ModelCost>,
    /// In the order of the log.
    pub rewrites: Vec<PromptRewrite>,
    /// Recalls.
    pub recalls: RecallUse,
    /// The limit on cost, if there is one.
    pub limit: Option<CostLimitState>,
}

/// A limit on costs, in US dollars.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostLimitState {
    /// From here on nothing is asked.
    pub max_usd: f64,
    /// US dollars that count against it, estimates included.
    pub spent_usd: f64,
}
