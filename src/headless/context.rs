//! A view as JSON: `plim context --json`, and the `view` lines of a stream. The keys and
//! their order are a format that other programs read; the same view gives the same bytes.

use serde_json::{Map, Value, json};

use crate::context::ruler::{Approximate, Ruler as _};
use crate::context::rules::RulePlace;
use crate::context::{
    Category, ContextView, LeftOut, RulerReport, ServerShare, UsageReport, ViewItem, WindowReport,
};
use crate::transcript::{Author, EntryId, NoteKind, ServerContext, ServerGroup};

/// Labels that a view does not know itself.
#[derive(Clone, Copy, Debug)]
pub struct ContextLabels<'a> {
    /// The session's id.
    pub session: &'a str,
    /// The newest entry of the branch; `None` in an empty session.
    pub leaf: Option<&'a str>,
    /// `provider/model`.
    pub model: &'a str,
    /// Context engine id.
    pub engine: &'a str,
    /// Name of the preset.
    pub preset: &'a str,
}

/// Decimal places of factors: enough to tell them apart, and stable in print.
const FACTOR_DECIMALS: f64 = 10_000.0;

/// The whole ledger.
pub fn context_json(view: &ContextView, labels: ContextLabels<'_>) -> Value {
    let mut out = Map::new();
    put(&mut out, "session", labels.session);
    put(&mut out, "leaf", labels.leaf);
    put(&mut out, "model", labels.model);
    put(&mut out, "engine", labels.engine);
    put(&mut out, "preset", labels.preset);
    put(&mut out, "window", window(&view.window));
    put(&mut out, "ruler", ruler(&view.ruler));
    put(&mut out, "usage", usage(&view.usage));
    let listed = view.items.iter().filter(|item| !item.is_empty_part());
    let items: Vec<Value> = listed.map(|item| item_json(item, &view.ruler)).collect();
    put(&mut out, "items", items);
    if !view.frame.servers.is_empty() {
        let servers: Vec<Value> = view.frame.servers.iter().map(server_json).collect();
        put(&mut out, "servers", servers);
    }
    let left: Vec<Value> = view.left_out.iter().map(|left| left_json(left)).collect();
    put(&mut out, "left_out", left);
    decisions(&mut out, view);
    Value::Object(out)
}

/// The numbers of a view without its items.
pub fn view_json(view: &ContextView) -> Map<String, Value> {
    let mut out = Map::new();
    put(&mut out, "window", window(&view.window));
    put(&mut out, "ruler", ruler(&view.ruler));
    put(&mut out, "usage", usage(&view.usage));
    let listed = view.items.iter().filter(|item| !item.is_empty_part());
    put(&mut out, "items", listed.count());
    put(&mut out, "left_out", view.left_out.len());
    decisions(&mut out, view);
    out
}

/// The decisions made for the view, and the effect of a compaction.
fn decisions(out: &mut Map<String, Value>, view: &ContextView) {
    let repair = &view.repair;
    put(
        out,
        "repair",
        json!({
            "added": repair.added,
            "dropped_duplicates": repair.dropped_duplicates,
            "dropped_orphans": repair.dropped_orphans,
            "moved": repair.moved,
        }),
    );
    put(
        out,
        "guard",
        json!({"truncated": view.guard.truncated, "cleared": view.guard.cleared}),
    );
    let prune = &view.prune;
    put(
        out,
        "prune",
        json!({
            "policy": prune.policy,
            "gate": prune.gate.name(),
            "trimmed": prune.trimmed,
            "cleared": prune.cleared,
            "tokens_saved": prune.tokens_saved,
            "cache_given_up": prune.cache_given_up,
            "reasoning_lost": prune.reasoning_lost,
        }),
    );
    let rules = &view.rules;
    put(
        out,
        "rules",
        json!({
            "active": rules.active().count(),
            "in_block": rules.in_block(),
            "not_fitting": rules.count(RulePlace::NotFitting),
            "budget_tokens": rules.budget_tokens,
        }),
    );
    let compaction = &view.compaction;
    put(
        out,
        "compaction",
        json!({
            "due": compaction.due,
            "would_summarize": compaction.would_summarize,
            "would_keep": compaction.would_keep,
            "tokens_after_estimate": compaction.tokens_after_estimate,
            "waits_for": compaction.waits_for,
            "compacts_at": compaction.compacts_at,
        }),
    );
}

fn window(window: &WindowReport) -> Value {
    let mut out = Map::new();
    put(&mut out, "tokens", window.tokens);
    put(&mut out, "source", window.source.name());
    if let Some(cap) = window.capped_by {
        put(&mut out, "capped_by", cap.name());
        put(&mut out, "uncapped_tokens", window.uncapped_tokens);
    }
    put(&mut out, "verdict", window.verdict.name());
    put(&mut out, "reserved", window.reserved);
    put(&mut out, "usable", window.usable);
    put(&mut out, "load_line", window.load_line);
    put(&mut out, "load_line_effective", window.load_line_effective);
    let server = window.server;
    if server.context != ServerContext::Off {
        let from = server.from_tokens;
        put(
            &mut out,
            "server",
            json!({"context": server.context.name(), "from_tokens": from}),
        );
    }
    Value::Object(out)
}

fn ruler(ruler: &RulerReport) -> Value {
    json!({
        "name": ruler.name,
        "calibration": factor(ruler.calibration),
        "margin": factor(ruler.margin),
        "samples": ruler.samples,
    })
}

/// A factor without the noise of its last bits.
fn factor(value: f64) -> f64 {
    (value * FACTOR_DECIMALS).round() / FACTOR_DECIMALS
}

fn usage(usage: &UsageReport) -> Value {
    let by_category: Map<String, Value> = Category::ALL
        .into_iter()
        .map(|category| {
            let tokens = usage.by_category.get(category);
            (category.name().to_owned(), json!(tokens))
        })
        .collect();
    json!({"tokens": usage.tokens, "exact": usage.exact, "by_category": by_category})
}

fn item_json(item: &ViewItem, ruler: &RulerReport) -> Value {
    let mut out = Map::new();
    put(&mut out, "entry", item.entry.as_ref().map(EntryId::as_str));
    put(&mut out, "role", item.role.name());
    put(&mut out, "category", item.category.name());
    put(&mut out, "tokens", item.tokens);
    put(&mut out, "tokens_full", item.tokens_full(ruler));
    put(&mut out, "disposition", item.disposition.name());
    if let Some(reason) = &item.reason {
        put(&mut out, "reason", reason.as_str());
    }
    if let Some(by) = &item.cut_by {
        put(&mut out, "policy", by.policy.as_str());
        put(&mut out, "phase", by.phase);
    }
    if item.author == Author::Note(NoteKind::Hook) {
        put(&mut out, "origin", "hook");
    }
    put(&mut out, "turn", item.turn);
    put(&mut out, "pinned", item.is_pinned());
    put(&mut out, "preview", &*item.preview);
    Value::Object(out)
}

fn server_json(share: &ServerShare) -> Value {
    let ServerGroup { name, tools } = &*share.group;
    json!({"name": name, "tools": tools, "tokens": share.tokens})
}

fn left_json(left: &LeftOut) -> Value {
    let mut out = Map::new();
    put(&mut out, "entry", left.entry.as_str());
    put(&mut out, "disposition", left.disposition.name());
    put(&mut out, "reason", left.reason.as_str());
    put(&mut out, "tokens_full", left.tokens_full);
    // Never counted by the view's ruler, only estimated.
    put(&mut out, "ruler", Approximate.name());
    if let Some(compaction) = &left.compaction {
        put(&mut out, "compaction", compaction.as_str());
    }
    Value::Object(out)
}

fn put(out: &mut Map<String, Value>, key: &str, value: impl Into<Value>) {
    out.insert(key.to_owned(), value.into());
}
