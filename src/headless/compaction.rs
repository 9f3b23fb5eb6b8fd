//! A compaction as JSON: `plim compact --json`. The same keys whatever became of it; what
//! is not known is null.

use serde_json::{Map, Value, json};

use super::outcome::usage_json;
use crate::agent::{CompactionPlan, CompactionProposal};
use crate::context::diff;
use crate::transcript::{AuditRecord, EntryId, HistoryShare, Trigger, Usage};

/// A written summary. `entry` is there when it was applied, `reason` when it was not.
pub fn compaction_json(
    proposal: &CompactionProposal,
    entry: Option<&EntryId>,
    with_diff: bool,
    reason: Option<&str>,
) -> Value {
    let mut out = Map::new();
    put(&mut out, "applied", entry.is_some());
    if let Some(entry) = entry {
        put(&mut out, "entry", entry.as_str());
    }
    put(&mut out, "trigger", proposal.trigger.name());
    put(&mut out, "engine", proposal.engine.as_str());
    put(&mut out, "model", proposal.model.as_str());
    put(&mut out, "stages", proposal.stages.as_str());
    put(&mut out, "attempts", proposal.attempts);
    put(&mut out, "degraded", proposal.degraded);
    put(&mut out, "edited", proposal.edited);
    put(&mut out, "mended", proposal.mended.clone());
    put(&mut out, "tokens_before", proposal.tokens_before);
    put(&mut out, "tokens_after", proposal.tokens_after);
    put(&mut out, "ruler", proposal.ruler.as_str());
    let first_kept = proposal.first_kept.as_ref().map(EntryId::as_str);
    put(&mut out, "first_kept", first_kept);
    put(&mut out, "summarized", proposal.summarized);
    put(&mut out, "kept", proposal.kept);
    put_share(&mut out, proposal.history_share.as_ref());
    put(&mut out, "summary", proposal.summary.as_str());
    if !proposal.aliases.is_empty() {
        let aliases = proposal.aliases.iter().cloned();
        let aliases: Map<String, Value> = aliases.map(|(a, n)| (a, Value::from(n))).collect();
        put(&mut out, "aliases", aliases);
    }
    put(&mut out, "audit", audit_json(&proposal.audit));
    if with_diff {
        let text = diff::unified_text(&proposal.left, &proposal.summary);
        put(&mut out, "diff", text);
    }
    put(&mut out, "usage", usage_json(&proposal.usage));
    let millis = u64::try_from(proposal.duration.as_millis()).unwrap_or(u64::MAX);
    put(&mut out, "duration_ms", millis);
    if let Some(reason) = reason {
        put(&mut out, "reason", reason);
    }
    Value::Object(out)
}

/// A dry run: what a compaction would do. `calls` are the requests that it would take.
pub fn planned_json(plan: &CompactionPlan) -> Value {
    let mut out = unwritten("dry run");
    put(&mut out, "engine", plan.engine.as_str());
    put(&mut out, "model", plan.model.as_str());
    put(&mut out, "stages", plan.stages.as_str());
    put(&mut out, "tokens_before", plan.tokens_before);
    put(&mut out, "tokens_after", plan.tokens_after_estimate);
    put(&mut out, "ruler", plan.ruler.as_str());
    let first_kept = plan.first_kept.as_ref().map(EntryId::as_str);
    put(&mut out, "first_kept", first_kept);
    put(&mut out, "summarized", plan.summarized);
    put(&mut out, "kept", plan.kept);
    put_share(&mut out, plan.history_share.as_ref());
    put(&mut out, "calls", plan.calls);
    Value::Object(out)
}

/// Nothing was done, because there was nothing to do or because it failed.
pub fn unchanged_json(reason: &str) -> Value {
    Value::Object(unwritten(reason))
}

/// Every key of a compaction for which no summary was written.
fn unwritten(reason: &str) -> Map<String, Value> {
    let mut out = Map::new();
    put(&mut out, "applied", false);
    put(&mut out, "trigger", Trigger::Manual.name());
    for key in ["engine", "model", "stages"] {
        put(&mut out, key, Value::Null);
    }
    put(&mut out, "attempts", 0);
    put(&mut out, "degraded", false);
    put(&mut out, "edited", false);
    put(&mut out, "mended", Vec::<String>::new());
    let unknown = [
        "tokens_before",
        "tokens_after",
        "ruler",
        "first_kept",
        "summarized",
    ];
    for key in unknown.into_iter().chain(["kept", "summary", "audit"]) {
        put(&mut out, key, Value::Null);
    }
    put(&mut out, "usage", usage_json(&Usage::default()));
    put(&mut out, "duration_ms", 0);
    put(&mut out, "reason", reason);
    out
}

fn put_share(out: &mut Map<String, Value>, share: Option<&HistoryShare>) {
    if let Some(share) = share {
        let share = json!({
            "dropped_chunks": share.dropped_chunks,
            "dropped_messages": share.dropped_messages,
            "dropped_tokens": share.dropped_tokens,
        });
        put(out, "history_share", share);
    }
}

/// What the audit found.
pub(super) fn audit_json(audit: &AuditRecord) -> Value {
    json!({
        "sections": {"found": audit.sections_found, "total": audit.sections_total},
        "identifiers": {
            "found": audit.identifiers_found,
            "missing": audit.missing,
            "altered": audit.altered,
            "total": audit.identifiers_total,
        },
        "last_ask": audit.last_ask,
        "secrets": audit.secrets,
        "passed": audit.passed,
    })
}

fn put(out: &mut Map<String, Value>, key: &str, value: impl Into<Value>) {
    out.insert(key.to_owned(), value.into());
}
