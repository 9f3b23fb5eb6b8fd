//! `plim models`: what could be used, what is known about it and from whom; with
//! `--refresh`, what the providers themselves say. The same list as `/model` shows.

mod refresh;

use std::fmt::Write as _;

use plimsoll::agent::{ABILITY_LEGEND, ModelChoice, SessionSource};
use plimsoll::cli::ModelsArgs;
use plimsoll::provider::Registry;
use plimsoll::transcript::{Price, WindowSource};
use serde_json::{Value, json};

use super::output::{CommandResult, put, put_json};
use super::setup::CommandSetup;
use plimsoll::transcript::grouped;

/// `plim models`
pub async fn models(args: ModelsArgs, at: &CommandSetup<'_>) -> CommandResult {
    let setup = at.launch.setup(SessionSource::Memory, false);
    let registry = setup.registry();
    if args.refresh {
        return refresh::refresh(args, &registry, &setup, at).await;
    }
    if !setup.flags.offline {
        registry.survey().await;
    }
    let rows = setup.model_choices(&registry);
    if args.json {
        let rows = rows.iter().map(|row| row_json(row, &registry));
        return put_json(&Value::Array(rows.collect()));
    }
    put(&table(&rows))
}

/// The width of the names' column, at most.
const NAME_COLUMNS: usize = 44;

/// The width of the column of sources, at least.
const SAYS_COLUMNS: usize = 15;

fn table(rows: &[ModelChoice]) -> String {
    let names = rows.iter().map(|row| row.model.to_string().chars().count());
    let wide = names.max().unwrap_or(0).min(NAME_COLUMNS);
    let sources: Vec<String> = rows.iter().map(says).collect();
    let said = sources.iter().map(|source| source.chars().count());
    let said = said.max().unwrap_or(0).max(SAYS_COLUMNS);
    let mut out = format!(
        "{:wide$}  {:>10}  {:said$}  {:>9}  {:4}  {:6}  {:28}  state\n",
        "model", "window", "says", "answer", "can", "cache", "$ per million in/out/cached",
    );
    for (row, says) in rows.iter().zip(sources) {
        let window = row.window_tokens.map_or_else(|| "?".to_owned(), grouped);
        let _ = writeln!(
            out,
            "{:wide$}  {window:>10}  {says:said$}  {:>9}  {}  {:6}  {:28}  {}",
            row.model.to_string(),
            grouped(row.max_output_tokens),
            row.abilities.marks(),
            row.cache.name(),
            row.price.map_or_else(|| "?".to_owned(), price),
            state(row),
        );
    }
    let _ = writeln!(out, "\ncan: {ABILITY_LEGEND} · ? unknown");
    out
}

/// Who says the window, then who says what, where it is somebody else.
fn says(row: &ModelChoice) -> String {
    let mut text = window_says(row).to_owned();
    let others = [
        ("price", row.record.price, row.price.is_some()),
        ("can", row.record.abilities, true),
    ];
    for (what, source, is_said) in others {
        if is_said && source != row.record.limits {
            let _ = write!(text, ", {what}: {source}");
        }
    }
    text
}

/// The layer of the catalogue, or whoever stands above it.
fn window_says(row: &ModelChoice) -> &'static str {
    if row.window_source == WindowSource::Catalogue.name() {
        row.record.limits
    } else {
        row.window_source
    }
}

fn state(row: &ModelChoice) -> String {
    match &row.missing {
        None => match row.record.end() {
            Some(end) => format!("{}, {end}", row.state),
            None => row.state.to_owned(),
        },
        Some(missing) => format!("{}: {}", row.state, shortest(missing)),
    }
}

/// The first of the ways to get what is missing.
fn shortest(missing: &str) -> &str {
    missing.split(", or ").next().unwrap_or(missing)
}

fn price(price: Price) -> String {
    let long = price.long.map_or_else(String::new, |long| {
        let above = long.from_tokens / 1_000;
        format!(
            " · >{above}k {}/{}/{}",
            long.input, long.output, long.cache_read
        )
    });
    format!(
        "{}/{}/{}{long}",
        price.input, price.output, price.cache_read
    )
}

fn row_json(row: &ModelChoice, registry: &Registry) -> Value {
    let info = registry.model_info(&row.model);
    json!({
        "model": row.model.to_string(),
        "window": row.window_tokens,
        "window_source": row.window_source,
        "sources": {
            "window": window_says(row),
            "price": row.record.price,
            "abilities": row.record.abilities,
        },
        "efforts": row.record.efforts,
        "lifecycle": row.record.stage,
        "retires": row.record.retires,
        "input_limit": registry.model_info(&row.model).input_limit_tokens,
        "max_output": row.max_output_tokens,
        "tools": row.abilities.tools,
        "images": row.abilities.images,
        "pdf": row.abilities.pdf,
        "thinking": row.abilities.thinking,
        "reasoning": row.abilities.thinking.then(|| info.reasoning.json()),
        "prompt_cache": row.cache.name(),
        "price": row.price.map(|price| json!({
            "input": price.input,
            "output": price.output,
            "cache_read": price.cache_read,
            "cache_write": price.cache_write,
            "long": price.long.map(|long| json!({
                "above": long.from_tokens,
                "input": long.input,
                "output": long.output,
                "cache_read": long.cache_read,
                "cache_write": long.cache_write,
            })),
        })),
        "available": row.missing.is_none(),
        "state": row.state,
        "missing": row.missing,
    })
}
