//! A view as a table: the gauge in one line, the totals, and every item with its price,
//! what happened to it and why.

use std::fmt::Write as _;

use plimsoll::context::{Category, ContextView, Disposition, LeftOut, ViewItem};

use plimsoll::transcript::{EntryId, ServerContext, ServerEdits};

use plimsoll::transcript::grouped;

/// How much of a preview fits beside the columns on a wide terminal.
const PREVIEW_CHARS: usize = 60;
/// Columns of a bar at 100 %.
const BAR_COLUMNS: usize = 24;

/// The whole table; `filter` leaves out items with another disposition.
pub fn text(view: &ContextView, model: &str, filter: Option<Disposition>) -> String {
    let mut out = gauge(view, model);
    totals(&mut out, view);
    out.push('\n');
    let _ = writeln!(
        out,
        "{:>9}  {:14}  {:>4}  {:12}  {:10}  preview",
        "tokens", "disposition", "turn", "category", "entry"
    );
    let is_shown = |disposition: Disposition| filter.is_none_or(|wanted| wanted == disposition);
    let items = view.items.iter().filter(|item| !item.is_empty_part());
    for item in items.filter(|item| is_shown(item.disposition)) {
        item_row(&mut out, item);
    }
    let left: Vec<_> = view
        .left_out
        .iter()
        .filter(|left| is_shown(left.disposition))
        .collect();
    if !left.is_empty() {
        out.push_str("\nnot sent\n");
    }
    for left in left {
        left_row(&mut out, left);
    }
    out
}

fn gauge(view: &ContextView, model: &str) -> String {
    let sign = if view.usage.exact { "" } else { "~" };
    let used = grouped(view.usage.tokens);
    let window = &view.window;
    let Some(tokens) = window.tokens else {
        return format!("{model}  {sign}{used} tokens, window unknown\n");
    };
    let percent = view.usage.tokens as f64 / tokens.max(1) as f64 * 100.0;
    let server = match window.server.context {
        ServerContext::Off => String::new(),
        ServerContext::ClearToolUses => further("clear old tool results", window.server),
        ServerContext::Compact => further(
            "replace old messages by a summary of its own",
            window.server,
        ),
    };
    format!(
        "{model}  {sign}{used} of {} tokens ({percent:.1}%, window: {})\n\
         load line {}, {} reserved for the answer{}\n{server}",
        grouped(tokens),
        window.source.name(),
        grouped(window.load_line),
        grouped(window.reserved),
        match (view.compaction.due, view.compaction.waits_for) {
            (false, _) => String::new(),
            (true, None) => "; the next message compacts first".to_owned(),
            (true, Some(tokens)) => format!(
                "; the last compaction freed too little, the next one comes at {} tokens",
                grouped(tokens)
            ),
        },
    )
}

/// The ledger is what is sent; what the server then does is said, not shown.
fn further(does: &str, server: ServerEdits) -> String {
    let from = server.from_tokens.map_or_else(String::new, |tokens| {
        format!(" from {} tokens on", grouped(tokens))
    });
    format!("the server may also {does}{from}, in addition to what is listed here\n")
}

fn totals(out: &mut String, view: &ContextView) {
    out.push('\n');
    let all = view.usage.tokens.max(1);
    for category in Category::ALL {
        let tokens = view.usage.by_category.get(category);
        let share = tokens as f64 / all as f64;
        let bar = "▪".repeat((share * BAR_COLUMNS as f64).round() as usize);
        let _ = writeln!(
            out,
            "{:>9}  {:12}  {:5.1}%  {bar}",
            grouped(tokens),
            category.name(),
            share * 100.0
        );
        if category == Category::Servers {
            for share in view.frame.servers.iter() {
                let _ = writeln!(out, "{:>9}  {}", "", share.in_words());
            }
        }
    }
    let prune = &view.prune;
    let _ = writeln!(
        out,
        "\npruning {} (cache {}): {} trimmed, {} cleared, {} tokens saved",
        prune.policy,
        prune.gate.name(),
        prune.trimmed,
        prune.cleared,
        grouped(prune.tokens_saved)
    );
    let compaction = &view.compaction;
    let _ = writeln!(
        out,
        "compacting now would summarise {} messages and keep {}: ~{} tokens",
        compaction.would_summarize,
        compaction.would_keep,
        grouped(compaction.tokens_after_estimate)
    );
}

fn item_row(out: &mut String, item: &ViewItem) {
    let mut notes = String::new();
    if item.is_pinned() {
        notes.push_str("  pinned");
    }
    if let Some(reason) = &item.reason {
        let _ = write!(notes, "  ({reason})");
    }
    let _ = writeln!(
        out,
        "{:>9}  {:14}  {:>4}  {:12}  {:10}  {}{notes}",
        grouped(item.tokens),
        item.disposition.name(),
        item.turn,
        item.category.name(),
        item.entry.as_ref().map_or("-", EntryId::as_str),
        shortened(&item.preview),
    );
}

fn left_row(out: &mut String, left: &LeftOut) {
    let _ = writeln!(
        out,
        "{:>9}  {:14}  {:>4}  {:12}  {:10}  {}  ({})",
        format!("~{}", grouped(left.tokens_full)),
        left.disposition.name(),
        left.turn,
        "",
        left.entry.as_str(),
        shortened(&left.preview),
        left.reason,
    );
}

fn shortened(preview: &str) -> String {
    let mut words: String = preview.chars().take(PREVIEW_CHARS).collect();
    if words.len() < preview.len() {
        words.push('…');
    }
    words
}
