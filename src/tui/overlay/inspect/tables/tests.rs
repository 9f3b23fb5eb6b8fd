//! Tables at all sizes, with names that come from elsewhere.

use std::collections::BTreeMap;

use super::*;
use crate::agent::{ModelCost, PromptRewrite, ToolFreedom};
use crate::transcript::Usage;
use crate::tui::overlay::fixture::{self, OverlayStage};

fn spent(input_tokens: u64, cost_usd: Option<f64>) -> ModelCost {
    ModelCost {
        requests: 12,
        usage: Usage {
            input_tokens,
            output_tokens: 8_211,
            cache_read_tokens: 1_204_000,
            cache_write_tokens: 48_000,
            cost_usd,
            ..Usage::default()
        },
        unpriced: if cost_usd.is_none() { 12 } else { 0 },
        estimated: 0,
    }
}

fn cost() -> Tables {
    let rewrite = |kind, entry: &str, uncached_after_tokens| PromptRewrite {
        entry: entry.to_owned(),
        kind,
        tokens_saved: 146_000,
        uncached_after_tokens,
        next_cost_usd: Some(0.12),
        is_other_model: uncached_after_tokens.is_some(),
    };
    Tables::cost(&SessionCost {
        models: BTreeMap::from([
            (
                "anthropic/claude-sonnet".to_owned(),
                spent(31_400, Some(0.84)),
            ),
            (format!("x/{}", fixture::HOSTILE), spent(7, None)),
        ]),
        summaries: BTreeMap::from([("anthropic/claude-haiku".to_owned(), spent(900, Some(0.03)))]),
        agents: BTreeMap::new(),
        rewrites: vec![
            rewrite("prune", "0a1b2c3d", Some(31_000)),
            rewrite("compaction", "c0ffee01", None),
        ],
        ..SessionCost::default()
    })
}

fn tools() -> Tables {
    let tool = |name: &str, does, inside, patterns: &[&str]| ToolListing {
        name: name.to_owned(),
        schema_tokens: 182,
        does,
        inside,
        patterns: patterns.iter().map(|it| (*it).to_owned()).collect(),
    };
    Tables::tools(&[
        tool("read", "reads", ToolFreedom::Runs, &[]),
        tool("edit", "changes files", ToolFreedom::Asks, &[]),
        tool(
            "shell",
            "runs programs",
            ToolFreedom::Asks,
            &["cargo test *", fixture::HOSTILE],
        ),
        tool("write", "changes files", ToolFreedom::Refused, &[]),
    ])
}

#[test]
fn tables_at_their_sizes() {
    let stage = OverlayStage::empty();
    for (name, mut table) in [("cost", cost()), ("tools", tools())] {
        for (columns, rows) in [(120, 40), (80, 24), (40, 12), (20, 6)] {
            let drawn = stage.draw(&mut table, columns, rows);
            insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), drawn);
        }
        fixture::assert_safe_at_all_sizes(&stage, &mut table);
    }
}

#[test]
fn nothing_is_left_out_where_columns_do_not_fit() {
    let said = cost().printed(30).join(" ");
    for part in [
        "cache write 48,000",
        "price $0.84",
        "freed ~146,000",
        "not sent yet",
    ] {
        let is_there = said
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .contains(part);
        assert!(is_there, "{part}: {said}");
    }
    assert!(!said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn a_table_scrolls_to_its_end_and_no_further() {
    let stage = OverlayStage::empty();
    let mut table = cost();
    stage.draw(&mut table, 40, 12);
    stage.press(&mut table, "G");
    assert!(
        stage
            .draw(&mut table, 40, 12)
            .contains("compaction c0ffee01")
    );
    let up = ["k"; 40].join(" ");
    stage.press(&mut table, &format!("j j {up}"));
    assert!(stage.draw(&mut table, 40, 12).contains("tokens by model"));
    assert!(stage.closes(&mut table, "Esc"));
}

#[test]
fn a_session_that_asked_nobody_says_so() {
    let drawn = OverlayStage::empty().draw(&mut Tables::cost(&SessionCost::default()), 40, 12);
    assert!(drawn.contains("no model was asked yet"), "{drawn}");
}

#[test]
fn a_limit_is_said_with_what_is_spent_and_when_it_is_reached() {
    let shown = |limit| {
        let account = SessionCost {
            limit,
            ..SessionCost::default()
        };
        Tables::cost(&account).printed(100).join("\n")
    };
    let limited = |spent_usd| {
        Some(crate::agent::CostLimitState {
            max_usd: 1.0,
            spent_usd,
        })
    };
    assert!(!shown(None).contains("max_cost"));
    let open = shown(limited(0.25));
    assert!(open.contains("max_cost") && open.contains("$0.2500") && open.contains("$1.0000"));
    assert!(!open.contains("reached"), "{open}");
    assert!(shown(limited(1.0)).contains("reached: nothing more is asked"));
}
