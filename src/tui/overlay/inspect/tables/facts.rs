//! The rows of the tables: numbers of the agent.

use super::{FactGroup, TableFact};
use crate::agent::{
    EngineListing, EngineState, ModelCost, PromptRewrite, SessionCost, ToolFreedom, ToolListing,
};
use crate::tui::numbers::grouped;
use crate::tui::overlay::numbers;

/// Price by model, then what rewrote the prompt; and the price of it all.
pub(super) fn cost(account: &SessionCost) -> (String, Vec<FactGroup>) {
    let heads = [
        "requests",
        "input",
        "cache read",
        "cache write",
        "output",
        "reasoning",
        "price",
    ];
    let answers = account
        .models
        .iter()
        .map(|(model, it)| spent(model.clone(), it));
    let summaries = account.summaries.iter();
    let summaries = summaries.map(|(model, it)| spent(format!("summaries by {model}"), it));
    let agents = account.agents.iter();
    let agents = agents.map(|(agent, it)| spent(format!("sub-agents: {agent}"), it));
    let mut rows: Vec<TableFact> = answers.chain(summaries).chain(agents).collect();
    let total = account.total();
    if rows.len() > 1 {
        rows.push(spent("total".to_owned(), &total));
    }
    if rows.is_empty() {
        rows.push(TableFact {
            name: "no model was asked yet".to_owned(),
            ..TableFact::default()
        });
    }
    let mut groups = vec![FactGroup {
        title: "tokens by model".to_owned(),
        heads: heads.map(str::to_owned).to_vec(),
        rows,
    }];
    groups.extend(rewrites(account));
    groups.extend(recalls(account));
    groups.extend(limit(account));
    let remark = total.usage.cost_usd.map(|_| signed_cost(&total));
    (remark.unwrap_or_default(), groups)
}

fn rewrites(account: &SessionCost) -> Option<FactGroup> {
    (!account.rewrites.is_empty()).then(|| FactGroup {
        title: "pruning and compaction".to_owned(),
        heads: ["freed", "read again", "next answer"]
            .map(str::to_owned)
            .to_vec(),
        rows: account.rewrites.iter().map(rewrite).collect(),
    })
}

fn recalls(account: &SessionCost) -> Option<FactGroup> {
    let recalls = account.recalls;
    let cells = [recalls.calls, recalls.found, recalls.tokens];
    (recalls.calls > 0).then(|| FactGroup {
        title: "recall".to_owned(),
        heads: ["calls", "found", "tokens"].map(str::to_owned).to_vec(),
        rows: vec![TableFact {
            name: "what the model asked back".to_owned(),
            cells: cells.map(grouped).to_vec(),
            ..TableFact::default()
        }],
    })
}

fn limit(account: &SessionCost) -> Option<FactGroup> {
    let limit = account.limit?;
    let name = if limit.spent_usd >= limit.max_usd {
        "reached: nothing more is asked"
    } else {
        "answers, summaries and sub-agents, also failed ones"
    };
    Some(FactGroup {
        title: "max_cost: the limit of this session".to_owned(),
        heads: ["spent", "limit"].map(str::to_owned).to_vec(),
        rows: vec![TableFact {
            name: name.to_owned(),
            cells: [limit.spent_usd, limit.max_usd]
                .map(|usd| format!("${usd:.4}"))
                .to_vec(),
            ..TableFact::default()
        }],
    })
}

fn spent(name: String, spent: &ModelCost) -> TableFact {
    let usage = &spent.usage;
    let counts = [
        spent.requests,
        usage.input_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
        usage.output_tokens,
        usage.reasoning_tokens,
    ];
    let mut cells: Vec<String> = counts.map(grouped).to_vec();
    cells.push(signed_cost(spent));
    TableFact {
        name,
        cells,
        note: String::new(),
    }
}

/// The cost of what has a price.
fn signed_cost(spent: &ModelCost) -> String {
    format!("{}{}", spent.cost_sign(), price(spent.usage.cost_usd))
}

fn rewrite(it: &PromptRewrite) -> TableFact {
    let anew = it
        .uncached_after_tokens
        .map_or_else(|| "not sent yet".to_owned(), grouped);
    let next = it.uncached_after_tokens.map(|_| price(it.next_cost_usd));
    TableFact {
        name: format!("{} {}", it.kind, it.entry),
        cells: vec![
            format!("~{}", grouped(it.tokens_saved)),
            anew,
            next.unwrap_or_default(),
        ],
        note: if it.is_other_model {
            "another model, with a cache of its own".to_owned()
        } else {
            String::new()
        },
    }
}

fn price(usd: Option<f64>) -> String {
    usd.map_or_else(|| "?".to_owned(), numbers::dollars)
}

/// The tools with the tokens of their schemas; and the sum of those.
pub(super) fn tools(tools: &[ToolListing]) -> (String, Vec<FactGroup>) {
    let total: u64 = tools.iter().map(|tool| tool.schema_tokens).sum();
    let rows = tools.iter().map(|tool| TableFact {
        name: tool.name.clone(),
        cells: vec![
            format!("~{}", grouped(tool.schema_tokens)),
            tool.does.to_owned(),
            freedom(tool.inside).to_owned(),
        ],
        note: if tool.patterns.is_empty() {
            String::new()
        } else {
            format!("runs without asking: {}", tool.patterns.join(" · "))
        },
    });
    let group = FactGroup {
        title: "tool".to_owned(),
        heads: ["tokens", "does", "in the workspace"]
            .map(str::to_owned)
            .to_vec(),
        rows: rows.collect(),
    };
    let remark = format!("~{} tokens in every request", grouped(total));
    (remark, vec![group])
}

pub(super) fn engines(engines: &[EngineListing]) -> (String, Vec<FactGroup>) {
    let rows = engines.iter().map(|engine| {
        let (state, why) = match &engine.state {
            EngineState::InCharge => ("in use", None),
            EngineState::Available => ("available", None),
            EngineState::SetAside(why) => ("disabled", Some(why)),
        };
        let aliases = engine.aliases.iter().map(|alias| format!("alias: {alias}"));
        let why = why.map(|why| format!("disabled: {why}; /engine {} enables it again", engine.id));
        let notes = std::iter::once(engine.description.clone());
        let notes: Vec<String> = notes.chain(aliases).chain(why).collect();
        TableFact {
            name: engine.id.to_owned(),
            cells: vec![state.to_owned()],
            note: notes.join(" · "),
        }
    });
    let group = FactGroup {
        title: "engine".to_owned(),
        heads: vec!["state".to_owned()],
        rows: rows.collect(),
    };
    let remark = "/engine ID switches; context.engine sets it for every start".to_owned();
    (remark, vec![group])
}

fn freedom(inside: ToolFreedom) -> &'static str {
    match inside {
        ToolFreedom::Runs => "runs",
        ToolFreedom::Asks => "asks",
        ToolFreedom::Refused => "refused",
    }
}
