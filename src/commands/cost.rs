//! `plim cost`: what a session has cost so far, by model, and what pruning and
//! compaction cost in prompt that had to be cached again.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use plimsoll::cli::CostArgs;
use plimsoll::session;
use plimsoll::transcript::{Entry, EntryBody, Message, Overlay, Usage};
use serde_json::{Value, json};

use super::{Done, Place, grouped, put, put_json};

/// `plim cost`
pub fn cost(args: &CostArgs, at: &Place<'_>) -> Done {
    let path = at.launch.session_to_read(at.common, &args.session)?;
    let loaded = session::load(&path)?;
    let account = Account::of(loaded.transcript.entries().iter().map(AsRef::as_ref));
    if args.json {
        return put_json(&account.json(&loaded.header.id));
    }
    put(&account.text())
}

/// Answers and summaries of one model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Spent {
    requests: u64,
    usage: Usage,
}

/// Something that rewrote the prompt.
#[derive(Clone, Debug, PartialEq)]
struct Rewrite {
    entry: String,
    kind: &'static str,
    /// Estimated tokens that the prompt lost.
    tokens_saved: u64,
    /// Prompt tokens of the next answer that no cache served.
    uncached_after_tokens: Option<u64>,
    /// What the next answer cost.
    next_cost_usd: Option<f64>,
}

#[derive(Debug, Default)]
struct Account {
    models: BTreeMap<String, Spent>,
    summaries: BTreeMap<String, Spent>,
    rewrites: Vec<Rewrite>,
}

impl Account {
    /// Everything in the log counts, also on branches that were left.
    fn of<'a>(entries: impl Iterator<Item = &'a Entry>) -> Self {
        let mut account = Self::default();
        for entry in entries {
            match &entry.body {
                EntryBody::Message(message) => account.message(message),
                EntryBody::Compaction(compaction) => {
                    let details = &compaction.details;
                    add(&mut account.summaries, &details.model, details.usage);
                    let saved = compaction
                        .tokens_before
                        .saturating_sub(details.tokens_after);
                    account.rewrite(entry, "compaction", saved);
                }
                EntryBody::Overlay(Overlay::Prune { cuts, .. }) => {
                    let saved = cuts
                        .iter()
                        .map(|cut| cut.tokens_before.saturating_sub(cut.tokens_after));
                    account.rewrite(entry, "prune", saved.sum());
                }
                _ => {}
            }
        }
        account
    }

    fn message(&mut self, message: &Message) {
        let Message::Assistant(answer) = message else {
            return;
        };
        let Some(usage) = answer.usage else { return };
        let model = format!("{}/{}", answer.provider, answer.model);
        add(&mut self.models, &model, usage);
        let waiting = self
            .rewrites
            .iter_mut()
            .filter(|rewrite| rewrite.uncached_after_tokens.is_none());
        for rewrite in waiting {
            let uncached = usage.input_tokens.saturating_add(usage.cache_write_tokens);
            rewrite.uncached_after_tokens = Some(uncached);
            rewrite.next_cost_usd = usage.cost_usd;
        }
    }

    fn rewrite(&mut self, entry: &Entry, kind: &'static str, tokens_saved: u64) {
        self.rewrites.push(Rewrite {
            entry: entry.id.as_str().to_owned(),
            kind,
            tokens_saved,
            uncached_after_tokens: None,
            next_cost_usd: None,
        });
    }

    fn total(&self) -> Spent {
        let all = self.models.values().chain(self.summaries.values());
        all.fold(Spent::default(), |sum, spent| Spent {
            requests: sum.requests + spent.requests,
            usage: sum.usage.plus(spent.usage),
        })
    }

    fn text(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(
            out,
            "{:44}  {:>8}  {:>11}  {:>11}  {:>11}  {:>10}  {:>10}  {:>10}",
            "model",
            "requests",
            "input",
            "cache read",
            "cache write",
            "output",
            "reasoning",
            "cost"
        );
        for (model, spent) in &self.models {
            spent.row(&mut out, model);
        }
        for (model, spent) in &self.summaries {
            spent.row(&mut out, &format!("summaries by {model}"));
        }
        self.total().row(&mut out, "total");
        for rewrite in &self.rewrites {
            rewrite.row(&mut out);
        }
        out
    }

    fn json(&self, session: &str) -> Value {
        let rows = |spent: &BTreeMap<String, Spent>| -> Vec<Value> {
            spent
                .iter()
                .map(|(model, spent)| {
                    let mut row = spent.json();
                    row["model"] = json!(model);
                    row
                })
                .collect()
        };
        let rewrites = self.rewrites.iter().map(|rewrite| {
            json!({
                "entry": rewrite.entry,
                "kind": rewrite.kind,
                "tokens_saved": rewrite.tokens_saved,
                "uncached_after": rewrite.uncached_after_tokens,
                "next_cost": rewrite.next_cost_usd,
            })
        });
        json!({
            "session": session,
            "models": rows(&self.models),
            "summaries": rows(&self.summaries),
            "total": self.total().json(),
            "rewrites": rewrites.collect::<Vec<_>>(),
        })
    }
}

fn add(to: &mut BTreeMap<String, Spent>, model: &str, usage: Usage) {
    let spent = to.entry(model.to_owned()).or_default();
    spent.requests += 1;
    spent.usage = spent.usage.plus(usage);
}

impl Spent {
    fn row(&self, out: &mut String, name: &str) {
        let usage = &self.usage;
        // Names come from files: nothing in them may move the cursor.
        let name: String = name.chars().filter(|char| !char.is_control()).collect();
        let _ = writeln!(
            out,
            "{name:44}  {:>8}  {:>11}  {:>11}  {:>11}  {:>10}  {:>10}  {:>10}",
            grouped(self.requests),
            grouped(usage.input_tokens),
            grouped(usage.cache_read_tokens),
            grouped(usage.cache_write_tokens),
            grouped(usage.output_tokens),
            grouped(usage.reasoning_tokens),
            dollars(usage.cost_usd),
        );
    }

    fn json(&self) -> Value {
        json!({
            "requests": self.requests,
            "input": self.usage.input_tokens,
            "cache_read": self.usage.cache_read_tokens,
            "cache_write": self.usage.cache_write_tokens,
            "output": self.usage.output_tokens,
            "reasoning": self.usage.reasoning_tokens,
            "cost": self.usage.cost_usd,
        })
    }
}

impl Rewrite {
    fn row(&self, out: &mut String) {
        let after = self.uncached_after_tokens.map_or_else(
            || "no answer since".to_owned(),
            |tokens| {
                format!(
                    "the next answer read {} tokens outside the cache ({})",
                    grouped(tokens),
                    dollars(self.next_cost_usd)
                )
            },
        );
        let _ = writeln!(
            out,
            "{} {}: ~{} tokens fewer; {after}",
            self.kind,
            self.entry,
            grouped(self.tokens_saved)
        );
    }
}

fn dollars(cost: Option<f64>) -> String {
    cost.map_or_else(|| "?".to_owned(), |cost| format!("${cost:.4}"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use plimsoll::transcript::{
        AssistantMessage, AssistantPart, Compaction, CompactionDetails, EntryId, StopReason,
        Timestamp,
    };

    use super::*;

    fn entry(id: &str, body: EntryBody) -> Entry {
        Entry {
            id: EntryId::new(id),
            parent: None,
            timestamp: Timestamp(0),
            body,
        }
    }

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
        })))
    }

    #[test]
    fn models_summaries_and_what_a_compaction_cost_after_it() {
        let compaction = EntryBody::Compaction(Box::new(Compaction {
            tokens_before: 900,
            details: CompactionDetails {
                tokens_after: 100,
                model: "p/small".to_owned(),
                usage: Usage {
                    input_tokens: 7,
                    cost_usd: Some(0.25),
                    ..Usage::default()
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
        let account = Account::of(log.iter());
        assert_eq!(account.models["p/big"].requests, 3);
        assert_eq!(account.models["p/big"].usage.input_tokens, 31);
        assert_eq!(account.total().usage.cost_usd, Some(2.25));
        assert_eq!(account.total().requests, 5);
        let json = account.json("s");
        assert_eq!(json["rewrites"][0]["tokens_saved"], 800);
        assert_eq!(json["rewrites"][0]["uncached_after"], 35);
        assert_eq!(json["rewrites"][0]["next_cost"], 1.0);
        assert_eq!(json["summaries"][0]["model"], "p/small");
        let text = account.text();
        assert!(
            text.contains("summaries by p/small") && text.contains("$2.2500"),
            "{text}"
        );
    }
}
