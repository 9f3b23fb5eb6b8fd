//! `plim cost`: what a session has cost so far, by model, and what pruning and
//! compaction cost in prompt that had to be cached again.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use plimsoll::agent::{ModelCost, PromptRewrite, SessionCost};
use plimsoll::cli::CostArgs;
use plimsoll::foreign;
use serde_json::{Value, json};

use super::output::{CommandResult, put, put_json};
use super::setup::CommandSetup;
use plimsoll::transcript::grouped;

/// `plim cost`
pub fn cost(args: &CostArgs, at: &CommandSetup<'_>) -> CommandResult {
    let path = at.launch.session_to_read(at.common, &args.session)?;
    let loaded = foreign::load(&path)?;
    let account = SessionCost::of(loaded.transcript.entries().iter().map(AsRef::as_ref));
    if args.json {
        return put_json(&as_json(&account, &loaded.header.id));
    }
    put(&text(&account))
}

fn text(account: &SessionCost) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{:44}  {:>8}  {:>11}  {:>11}  {:>11}  {:>10}  {:>10}  {:>10}",
        "model", "requests", "input", "cache read", "cache write", "output", "reasoning", "cost"
    );
    for (model, spent) in &account.models {
        spent_row(&mut out, model, spent);
    }
    for (model, spent) in &account.summaries {
        spent_row(&mut out, &format!("summaries by {model}"), spent);
    }
    for (agent, spent) in &account.agents {
        spent_row(&mut out, &format!("sub-agents: {agent}"), spent);
    }
    spent_row(&mut out, "total", &account.total());
    for rewrite in &account.rewrites {
        rewrite_row(&mut out, rewrite);
    }
    if account.recalls.calls > 0 {
        let recalls = account.recalls;
        let _ = writeln!(
            out,
            "recall: {} calls, {} found something, ~{} tokens returned",
            recalls.calls,
            recalls.found,
            grouped(recalls.tokens)
        );
    }
    out
}

fn as_json(account: &SessionCost, session: &str) -> Value {
    let rows = |spent: &BTreeMap<String, ModelCost>, name: &str| -> Vec<Value> {
        spent
            .iter()
            .map(|(model, spent)| {
                let mut row = spent_json(spent);
                row[name] = json!(model);
                row
            })
            .collect()
    };
    let rewrites = account.rewrites.iter().map(|rewrite| {
        json!({
            "entry": rewrite.entry,
            "kind": rewrite.kind,
            "tokens_saved": rewrite.tokens_saved,
            "uncached_after": rewrite.uncached_after_tokens,
            "next_cost": rewrite.next_cost_usd,
            "next_by_other_model": rewrite.is_other_model,
        })
    });
    json!({
        "session": session,
        "models": rows(&account.models, "model"),
        "summaries": rows(&account.summaries, "model"),
        "agents": rows(&account.agents, "agent"),
        "total": spent_json(&account.total()),
        "rewrites": rewrites.collect::<Vec<_>>(),
        "recalls": {
            "calls": account.recalls.calls,
            "found": account.recalls.found,
            "tokens": account.recalls.tokens,
        },
    })
}

fn spent_row(out: &mut String, name: &str, spent: &ModelCost) {
    let usage = &spent.usage;
    // Names come from files: nothing in them may move the cursor.
    let name: String = name.chars().filter(|char| !char.is_control()).collect();
    let _ = writeln!(
        out,
        "{name:44}  {:>8}  {:>11}  {:>11}  {:>11}  {:>10}  {:>10}  {:>10}",
        grouped(spent.requests),
        grouped(usage.input_tokens),
        grouped(usage.cache_read_tokens),
        grouped(usage.cache_write_tokens),
        grouped(usage.output_tokens),
        grouped(usage.reasoning_tokens),
        signed_cost(spent),
    );
}

/// The cost of what has a price.
fn signed_cost(spent: &ModelCost) -> String {
    format!("{}{}", spent.cost_sign(), dollars(spent.usage.cost_usd))
}

fn spent_json(spent: &ModelCost) -> Value {
    json!({
        "requests": spent.requests,
        "input": spent.usage.input_tokens,
        "cache_read": spent.usage.cache_read_tokens,
        "cache_write": spent.usage.cache_write_tokens,
        "output": spent.usage.output_tokens,
        "reasoning": spent.usage.reasoning_tokens,
        "cost": spent.usage.cost_usd,
        "unpriced_requests": spent.unpriced,
        "estimated_requests": spent.estimated,
    })
}

fn rewrite_row(out: &mut String, rewrite: &PromptRewrite) {
    let after = rewrite.uncached_after_tokens.map_or_else(
        || "no answer since".to_owned(),
        |tokens| {
            let why = if rewrite.is_other_model {
                ", as another model wrote it and each model has its own cache"
            } else {
                ""
            };
            format!(
                "the next answer read {} tokens outside the cache ({}){why}",
                grouped(tokens),
                dollars(rewrite.next_cost_usd)
            )
        },
    );
    let _ = writeln!(
        out,
        "{} {}: ~{} tokens fewer; {after}",
        rewrite.kind,
        rewrite.entry,
        grouped(rewrite.tokens_saved)
    );
}

fn dollars(cost: Option<f64>) -> String {
    cost.map_or_else(|| "?".to_owned(), |cost| format!("${cost:.4}"))
}

#[cfg(test)]
mod tests {
    use plimsoll::transcript::Usage;

    use super::*;

    #[test]
    fn text_and_json_say_the_same() {
        let spent = ModelCost {
            requests: 2,
            usage: Usage {
                input_tokens: 1_030,
                cost_usd: Some(2.25),
                ..Usage::default()
            },
            unpriced: 1,
            estimated: 0,
        };
        let account = SessionCost {
            summaries: BTreeMap::from([("p/small\u{1b}".to_owned(), spent)]),
            rewrites: vec![PromptRewrite {
                entry: "c".to_owned(),
                kind: "compaction",
                tokens_saved: 800,
                uncached_after_tokens: Some(35),
                next_cost_usd: Some(1.0),
                is_other_model: true,
            }],
            ..SessionCost::default()
        };
        let json = as_json(&account, "s");
        assert_eq!(json["rewrites"][0]["tokens_saved"], 800);
        assert_eq!(json["rewrites"][0]["uncached_after"], 35);
        assert_eq!(json["rewrites"][0]["next_cost"], 1.0);
        assert_eq!(json["summaries"][0]["requests"], 2);
        let text = text(&account);
        for part in [
            "summaries by p/small ",
            "1,030",
            "≥$2.2500",
            "~800 tokens",
            "another model",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
