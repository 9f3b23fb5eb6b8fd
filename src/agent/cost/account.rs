//! Cost of a session so far, by model, and the cost of pruning and compaction in prompt that
//! had to be cached again. Pure: entries in, sums out; how it is shown is for others.

use std::collections::BTreeMap;

use crate::agent::protocol::{ModelCost, PromptRewrite, SessionCost};
use crate::engine::recall::{RECALL_TOOL, rough_tokens};
use crate::transcript::{Decision, Entry, EntryBody, Expense, Message, Purpose, ToolResult, Usage};

impl SessionCost {
    /// Everything in the log counts, also on branches that were left.
    pub fn of<'a>(entries: impl Iterator<Item = &'a Entry>) -> Self {
        let mut account = Self::default();
        let mut newest = None;
        for entry in entries {
            match &entry.body {
                EntryBody::Message(message) => account.message(message, &mut newest),
                EntryBody::Compaction(compaction) => {
                    let details = &compaction.details;
                    // Older logs and other programs count no requests.
                    let requests = details
                        .cost
                        .requests
                        .max(u64::from(details.cost.usage.is_reported()));
                    add(
                        &mut account.summaries,
                        &details.model,
                        requests,
                        details.cost.usage,
                    );
                    let saved = compaction
                        .tokens_before
                        .saturating_sub(details.tokens_after);
                    account.rewrite(entry, "compaction", saved);
                }
                EntryBody::Decision(Decision::Prune { cuts, .. }) => {
                    let saved = cuts
                        .iter()
                        .map(|cut| cut.tokens_before.saturating_sub(cut.tokens_after));
                    account.rewrite(entry, "prune", saved.sum());
                }
                EntryBody::Expense(it) => {
                    let to = match it.purpose {
                        Purpose::Answer | Purpose::Title => &mut account.models,
                        Purpose::Summary => &mut account.summaries,
                    };
                    add_expense(to, it);
                }
                EntryBody::Child(link) => {
                    if let Some(end) = &link.end {
                        let cost = ModelCost {
                            requests: end.requests,
                            usage: end.usage,
                            unpriced: end.unpriced,
                            estimated: end.estimated,
                        };
                        account.add_agent(&link.agent, &cost);
                    }
                }
                _ => {}
            }
        }
        account
    }

    /// `newest`: who answered before, and then who did now.
    fn message(&mut self, message: &Message, newest: &mut Option<String>) {
        let answer = match message {
            Message::Assistant(answer) => answer,
            Message::ToolResult(result) => return self.recall(result),
            Message::User(_) | Message::BashExecution(_) => return,
        };
        let model = format!("{}/{}", answer.provider, answer.model);
        // One that was stopped before its counts came was paid for as well.
        add(
            &mut self.models,
            &model,
            1,
            answer.usage.unwrap_or_default(),
        );
        let Some(usage) = answer.usage else { return };
        let before = newest.replace(model.clone());
        let is_other_model = before.is_some_and(|before| before != model);
        let waiting = self
            .rewrites
            .iter_mut()
            .filter(|rewrite| rewrite.uncached_after_tokens.is_none());
        for rewrite in waiting {
            let uncached = usage.input_tokens.saturating_add(usage.cache_write_tokens);
            rewrite.uncached_after_tokens = Some(uncached);
            rewrite.next_cost_usd = usage.cost_usd;
            rewrite.is_other_model = is_other_model;
        }
    }

    fn recall(&mut self, result: &ToolResult) {
        if result.tool_name != RECALL_TOOL {
            return;
        }
        let kind = result.details.as_ref().and_then(|it| it["recall"].as_str());
        self.recalls.calls += 1;
        self.recalls.found += u64::from(matches!(kind, Some("entry" | "search")));
        self.recalls.tokens += rough_tokens(&result.text());
    }

    fn rewrite(&mut self, entry: &Entry, kind: &'static str, tokens_saved: u64) {
        self.rewrites.push(PromptRewrite {
            entry: entry.id.as_str().to_owned(),
            kind,
            tokens_saved,
            uncached_after_tokens: None,
            next_cost_usd: None,
            is_other_model: false,
        });
    }

    /// Answers, summaries and sub-agents together.
    pub fn total(&self) -> ModelCost {
        let all = self.models.values().chain(self.summaries.values());
        let all = all.chain(self.agents.values());
        all.fold(ModelCost::default(), |sum, spent| sum.plus(spent))
    }

    /// Adds what a sub-agent cost.
    pub fn add_agent(&mut self, name: &str, cost: &ModelCost) {
        let sum = self.agents.entry(name.to_owned()).or_default();
        *sum = sum.plus(cost);
    }
}

fn add_expense(to: &mut BTreeMap<String, ModelCost>, expense: &Expense) {
    add(to, &expense.model, expense.requests, expense.usage);
    if expense.estimated_requests == 0 {
        return;
    }
    // Answers that are entries of their own were added without any usage.
    let of_entries = expense.estimated_requests.saturating_sub(expense.requests);
    let spent = to.entry(expense.model.clone()).or_default();
    spent.estimated = spent.estimated.saturating_add(expense.estimated_requests);
    if expense.requests == 0 {
        spent.usage = spent.usage.plus(expense.usage);
    }
    if expense.usage.cost_usd.is_some() {
        spent.unpriced = spent.unpriced.saturating_sub(of_entries);
    }
}

fn add(to: &mut BTreeMap<String, ModelCost>, model: &str, requests: u64, usage: Usage) {
    if requests == 0 {
        return;
    }
    let spent = to.entry(model.to_owned()).or_default();
    spent.requests = spent.requests.saturating_add(requests);
    spent.usage = spent.usage.plus(usage);
    if usage.cost_usd.is_none() {
        spent.unpriced = spent.unpriced.saturating_add(requests);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::transcript::testing::entry;
    use crate::transcript::{
        AssistantMessage, AssistantPart, Compaction, CompactionCost, CompactionDetails, StopReason,
    };

    use super::*;

    fn answer(model: &str, input: u64, cost: f64) -> EntryBody {
        EntryBody::Message(Arc::new(Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text("x".to_owned())],
            provider: "p".to_owned(),
            model: model.to_owned(),
            usage: Some(Usage {
                input_tokens: input,
                cache_write_tokens: 5,
                output_tokens: 2,
                cost_usd: Some(cost),
                ..Usage::default()
            }),
            stop: StopReason::Stop,
            error: None,
            ..AssistantMessage::default()
        })))
    }

    #[test]
    fn a_price_that_nobody_knows_is_not_taken_for_nothing() {
        let unknown = AssistantMessage {
            provider: "p".to_owned(),
            model: "own".to_owned(),
            usage: Some(Usage {
                input_tokens: 10,
                ..Usage::default()
            }),
            ..AssistantMessage::default()
        };
        let unknown = EntryBody::Message(Arc::new(Message::Assistant(unknown)));
        let log = [
            entry("a", answer("big", 10, 0.5)),
            entry("b", unknown),
            entry("c", answer("big", 10, 0.5)),
        ];
        let total = SessionCost::of(log.iter()).total();
        assert_eq!((total.usage.cost_usd, total.unpriced), (Some(1.0), 1));
    }

    fn summary(model: &str, requests: u64, cost_usd: Option<f64>) -> EntryBody {
        let usage = Usage {
            input_tokens: if requests == 0 { 0 } else { 7 },
            cost_usd,
            ..Usage::default()
        };
        EntryBody::Compaction(Box::new(Compaction {
            details: CompactionDetails {
                model: model.to_owned(),
                cost: CompactionCost {
                    requests,
                    usage,
                    duration_ms: 0,
                },
                ..CompactionDetails::default()
            },
            ..Compaction::default()
        }))
    }

    #[test]
    fn summaries_count_their_requests_and_those_without_a_model_none() {
        let expense = |purpose, requests| {
            EntryBody::Expense(Expense {
                purpose,
                model: "p/big".to_owned(),
                requests,
                estimated_requests: 0,
                usage: Usage {
                    input_tokens: 100,
                    cost_usd: Some(1.0),
                    ..Usage::default()
                },
            })
        };
        let log = [
            entry("a", summary("p/big", 3, Some(0.5))),
            entry("b", summary("extractive", 0, None)),
            entry("c", expense(Purpose::Summary, 2)),
            entry("d", expense(Purpose::Answer, 1)),
            entry("e", summary("p/own", 2, None)),
        ];
        let account = SessionCost::of(log.iter());
        let summaries = &account.summaries["p/big"];
        assert_eq!((summaries.requests, summaries.usage.input_tokens), (5, 107));
        assert_eq!(account.models["p/big"].requests, 1);
        assert!(!account.summaries.contains_key("extractive"));
        let total = account.total();
        assert_eq!((total.requests, total.unpriced), (8, 2));
        assert_eq!(total.usage.cost_usd, Some(2.5));
    }

    /// Most providers count at the end: of an answer that was stopped nobody knows the cost.
    #[test]
    fn an_answer_without_counts_was_a_request_all_the_same() {
        let stopped = AssistantMessage {
            provider: "p".to_owned(),
            model: "big".to_owned(),
            stop: StopReason::Aborted,
            ..AssistantMessage::default()
        };
        let stopped = EntryBody::Message(Arc::new(Message::Assistant(stopped)));
        let log = [entry("a", answer("big", 10, 0.5)), entry("b", stopped)];
        let spent = SessionCost::of(log.iter()).models["p/big"];
        assert_eq!((spent.requests, spent.unpriced), (2, 1));
        assert_eq!(spent.usage.cost_usd, Some(0.5));
    }

    #[test]
    fn an_estimate_of_an_answer_in_the_log_is_counted_once_and_marked() {
        let stopped = AssistantMessage {
            provider: "p".to_owned(),
            model: "big".to_owned(),
            stop: StopReason::Aborted,
            ..AssistantMessage::default()
        };
        let stopped = EntryBody::Message(Arc::new(Message::Assistant(stopped)));
        let estimate = EntryBody::Expense(Expense {
            purpose: Purpose::Answer,
            model: "p/big".to_owned(),
            requests: 0,
            usage: Usage {
                input_tokens: 100,
                cost_usd: Some(0.25),
                ..Usage::default()
            },
            estimated_requests: 1,
        });
        let log = [entry("a", stopped), entry("b", estimate)];
        let spent = SessionCost::of(log.iter()).total();
        assert_eq!((spent.requests, spent.unpriced, spent.estimated), (1, 0, 1));
        assert_eq!(spent.usage.input_tokens, 100);
        assert_eq!(spent.usage.cost_usd, Some(0.25));
    }

    #[test]
    fn models_summaries_and_what_a_compaction_cost_after_it() {
        let compaction = EntryBody::Compaction(Box::new(Compaction {
            tokens_before: 900,
            details: CompactionDetails {
                tokens_after: 100,
                model: "p/small".to_owned(),
                cost: CompactionCost {
                    usage: Usage {
                        input_tokens: 7,
                        cost_usd: Some(0.25),
                        ..Usage::default()
                    },
                    ..CompactionCost::default()
                },
                ..CompactionDetails::default()
            },
            ..Compaction::default()
        }));
        let log = [
            entry("a", answer("big", 10, 0.5)),
            entry("b", answer("big", 20, 0.5)),
            entry("c", compaction),
            entry("d", answer("other", 30, 1.0)),
            entry("e", answer("big", 1, 0.0)),
        ];
        let account = SessionCost::of(log.iter());
        assert_eq!(account.models.len(), 2);
        assert_eq!(account.models["p/big"].requests, 3);
        assert_eq!(account.models["p/big"].usage.input_tokens, 31);
        assert_eq!(account.total().usage.cost_usd, Some(2.25));
        assert_eq!(account.total().requests, 5);
        let rewrite = &account.rewrites[0];
        assert_eq!((rewrite.kind, rewrite.tokens_saved), ("compaction", 800));
        assert_eq!(rewrite.uncached_after_tokens, Some(35));
        assert_eq!(rewrite.next_cost_usd, Some(1.0));
        assert!(rewrite.is_other_model, "big was followed by other");
        assert_eq!(account.total().unpriced, 0);
        assert_eq!(account.summaries["p/small"].requests, 1);
    }
}
