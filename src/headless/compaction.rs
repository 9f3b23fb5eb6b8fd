//! A compaction as JSON: `plim compact --json`. The same keys whatever became of it; what
//! is not known is null.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::outcome::usage_json;
use crate::agent::{CompactionPlan, CompactionProposal};
use crate::context::diff;
use crate::context::replaced_turns::ReplacedTurn;
use crate::transcript::{
    AskCheck, AuditRecord, EntryId, HistoryShare, SummaryCheck, Trigger, Usage,
};

/// A compaction without a summary, with the facts known so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnwrittenCompaction {
    /// Estimate of the view, when that was looked at.
    pub tokens_before: Option<u64>,
    /// Messages that it would have replaced.
    pub summarized: Option<u64>,
    /// Requests that were sent for it.
    pub requests: u64,
    /// The provider's counts for them.
    pub usage: Usage,
    /// How long it took.
    pub duration: Duration,
}

/// A written summary. `entry` is named when it was applied, `reason` when it was not.
pub fn compaction_json(
    proposal: &CompactionProposal,
    entry: Option<&EntryId>,
    with_diff: bool,
    reason: Option<&str>,
) -> Value {
    let mut out = all_keys();
    put(&mut out, "applied", entry.is_some());
    put(&mut out, "entry", entry.map(EntryId::as_str));
    put(&mut out, "trigger", proposal.trigger.name());
    put(&mut out, "engine", proposal.engine.as_str());
    put(&mut out, "model", proposal.writing.model.as_str());
    put(&mut out, "stages", proposal.writing.stages.as_str());
    put(&mut out, "calls", proposal.writing.attempts);
    put(&mut out, "attempts", proposal.writing.attempts);
    put(&mut out, "degraded", proposal.writing.degraded);
    put(&mut out, "edited", proposal.edited);
    put(&mut out, "label", proposal.author_label());
    put(&mut out, "tokens_before", proposal.effect.tokens_before);
    put(&mut out, "tokens_after", proposal.effect.tokens_after);
    put(&mut out, "ruler", proposal.effect.ruler.as_str());
    let first_kept = proposal.effect.first_kept.as_ref().map(EntryId::as_str);
    put(&mut out, "first_kept", first_kept);
    put(&mut out, "summarized", proposal.effect.summarized);
    put(&mut out, "kept", proposal.effect.kept);
    let engine_reason = proposal.effect.engine_reason.as_deref();
    put(&mut out, "engine_reason", engine_reason);
    put_share(&mut out, proposal.effect.history_share.as_ref());
    put(&mut out, "summary", proposal.summary.as_str());
    let aliases = proposal.aliases.iter().cloned();
    let aliases: Map<String, Value> = aliases.map(|(a, n)| (a, Value::from(n))).collect();
    put(&mut out, "aliases", aliases);
    out.extend(check_json(&proposal.verdict.check));
    let turns = proposal.comparison.turns.iter().map(turn_json);
    put(&mut out, "turns", turns.collect::<Vec<Value>>());
    let rebuilt = proposal.comparison.rebuilt;
    let rebuilt = rebuilt.map(|it| json!({"messages": it.messages, "lines": it.lines}));
    put(&mut out, "rebuilt", rebuilt);
    if with_diff {
        let text = diff::unified_text(&proposal.comparison.left, &proposal.summary);
        put(&mut out, "diff", text);
    }
    put(&mut out, "usage", usage_json(&proposal.writing.usage));
    put(&mut out, "duration_ms", millis(proposal.writing.duration));
    put(&mut out, "reason", reason);
    Value::Object(out)
}

/// A dry run: what a compaction would do. `calls` are the requests that it would take.
pub fn planned_json(plan: &CompactionPlan) -> Value {
    let mut out = all_keys();
    put(&mut out, "engine", plan.engine.as_str());
    put(&mut out, "model", plan.model.as_str());
    put(&mut out, "stages", plan.stages.as_str());
    put(&mut out, "calls", plan.calls);
    put(&mut out, "tokens_before", plan.tokens_before);
    put(&mut out, "tokens_after", plan.tokens_after);
    put(&mut out, "tokens_after_is_exact", plan.is_exact);
    put(&mut out, "ruler", plan.ruler.as_str());
    let first_kept = plan.first_kept.as_ref().map(EntryId::as_str);
    put(&mut out, "first_kept", first_kept);
    put(&mut out, "summarized", plan.summarized);
    put(&mut out, "kept", plan.kept);
    put(&mut out, "engine_reason", plan.engine_reason.as_deref());
    put_share(&mut out, plan.history_share.as_ref());
    put(&mut out, "reason", "dry run");
    Value::Object(out)
}

/// There was nothing to do, or it failed: the conversation is as it was. `calls` are the
/// requests that were sent all the same.
pub fn unchanged_json(so_far: &UnwrittenCompaction, reason: &str) -> Value {
    let mut out = all_keys();
    put(&mut out, "calls", so_far.requests);
    put(&mut out, "attempts", so_far.requests);
    put(&mut out, "tokens_before", so_far.tokens_before);
    put(&mut out, "tokens_after", so_far.tokens_before);
    put(&mut out, "summarized", so_far.summarized);
    put(&mut out, "usage", usage_json(&so_far.usage));
    put(&mut out, "duration_ms", millis(so_far.duration));
    put(&mut out, "reason", reason);
    Value::Object(out)
}

/// Every key, in its place: each outcome has all of them.
fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn all_keys() -> Map<String, Value> {
    let keys = [
        "applied",
        "entry",
        "trigger",
        "engine",
        "model",
        "stages",
        "calls",
        "attempts",
        "degraded",
        "label",
        "edited",
        "mended",
        "tokens_before",
        "tokens_after",
        "tokens_after_is_exact",
        "ruler",
        "first_kept",
        "summarized",
        "kept",
        "engine_reason",
        "history_share",
        "summary",
        "aliases",
        "rebuilt",
        "audit",
        "grounding",
        "written_by_code_percent",
        "demands",
        "turns",
        "diff",
        "usage",
        "duration_ms",
        "reason",
    ];
    let mut out: Map<String, Value> = keys
        .iter()
        .map(|key| ((*key).to_owned(), Value::Null))
        .collect();
    for key in ["applied", "degraded", "edited"] {
        put(&mut out, key, false);
    }
    // Only what is not written yet can be estimated.
    put(&mut out, "tokens_after_is_exact", true);
    for key in [
        "calls",
        "attempts",
        "duration_ms",
        "written_by_code_percent",
        "demands",
    ] {
        put(&mut out, key, 0);
    }
    put(&mut out, "trigger", Trigger::Manual.name());
    for key in ["mended", "grounding", "turns"] {
        put(&mut out, key, Vec::<String>::new());
    }
    put(&mut out, "aliases", Map::new());
    put(&mut out, "usage", usage_json(&Usage::default()));
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

/// A turn that a first summary replaces, with what the next request does not say of it.
fn turn_json(turn: &ReplacedTurn) -> Value {
    let lost = turn.lost.iter();
    let lost =
        lost.map(|it| json!({"kind": it.kind.name(), "text": it.text, "entry": it.entry.as_str()}));
    json!({
        "number": turn.number,
        "entry": turn.entry.as_str(),
        "ask": turn.words,
        "calls": turn.calls,
        "failed": turn.failed,
        "cover": turn.cover.name(),
        "lost": lost.collect::<Vec<Value>>(),
    })
}

/// What code checked and mended in a summary: `audit` is null where nothing was checked;
/// `grounding` lists the claims that nothing in the conversation says; `demands` counts the
/// identifiers that later summaries have to carry as well.
pub fn check_json(check: &SummaryCheck) -> Map<String, Value> {
    let audit = check.audit.as_ref().filter(|_| !check.is_unaudited());
    let claims = check.ungrounded.iter();
    let claims = claims
        .map(|claim| json!({"text": claim.text, "class": claim.class, "struck": claim.is_struck}));
    let mut out = Map::new();
    put(&mut out, "mended", check.mended.clone());
    put(&mut out, "audit", audit.map(audit_json));
    put(&mut out, "grounding", claims.collect::<Vec<Value>>());
    put(
        &mut out,
        "written_by_code_percent",
        check.written_by_code_percent,
    );
    put(&mut out, "demands", check.demands.len());
    out
}

/// Findings of the audit.
pub(super) fn audit_json(audit: &AuditRecord) -> Value {
    let last_ask = match audit.ask {
        AskCheck::Unchecked => None,
        AskCheck::Missing => Some(false),
        AskCheck::Verbatim | AskCheck::Reflected => Some(true),
    };
    json!({
        "sections": {"found": audit.sections_found, "total": audit.sections_total},
        "identifiers": {
            "found": audit.identifiers_found,
            "known": audit.identifiers_known,
            "missing": audit.missing,
            "altered": audit.altered,
            "total": audit.identifiers_total,
        },
        "rules": {"found": audit.rules_found, "total": audit.rules_total},
        "claims": {"grounded": audit.claims_grounded, "total": audit.claims_total},
        "ask": audit.ask.name(),
        "last_ask": last_ask,
        "secrets": audit.secrets,
        "passed": audit.passed,
    })
}

fn put(out: &mut Map<String, Value>, key: &str, value: impl Into<Value>) {
    out.insert(key.to_owned(), value.into());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{IdentifierDemand, UngroundedClaim};

    #[test]
    fn a_compaction_that_came_to_nothing_says_how_long_it_took() {
        let so_far = UnwrittenCompaction {
            duration: Duration::from_millis(7),
            ..UnwrittenCompaction::default()
        };
        assert_eq!(unchanged_json(&so_far, "no")["duration_ms"], 7);
    }

    #[test]
    fn what_was_not_checked_is_null_and_what_nothing_says_is_listed() {
        let out = Value::Object(check_json(&SummaryCheck::default()));
        assert_eq!(out["audit"], Value::Null);
        assert_eq!(out["grounding"], json!([]));
        let audit = |ask| AuditRecord {
            sections_total: 9,
            ask,
            ..AuditRecord::default()
        };
        let out = Value::Object(check_json(&SummaryCheck {
            audit: Some(audit(AskCheck::Missing)),
            ungrounded: vec![UngroundedClaim {
                text: "deployed to production".to_owned(),
                class: "done_action".to_owned(),
                is_struck: true,
            }],
            demands: vec![IdentifierDemand::default(); 3],
            written_by_code_percent: 62,
            ..SummaryCheck::default()
        }));
        assert_eq!(out["audit"]["sections"]["total"], 9);
        assert_eq!(
            out["grounding"],
            json!([{"text": "deployed to production", "class": "done_action", "struck": true}])
        );
        assert_eq!(
            (&out["written_by_code_percent"], &out["demands"]),
            (&json!(62), &json!(3))
        );
        for (ask, said) in [
            (AskCheck::Unchecked, Value::Null),
            (AskCheck::Missing, json!(false)),
            (AskCheck::Verbatim, json!(true)),
            (AskCheck::Reflected, json!(true)),
        ] {
            assert_eq!(audit_json(&audit(ask))["last_ask"], said, "{ask:?}");
        }
    }
}
