//! `plim prune`: the prune policy now, by its own gate or by force. What a dry run says is
//! what the next request would record.

use std::fmt::Write as _;

use plimsoll::cli::PruneArgs;
use plimsoll::context::{ContextView, Gate, ShrinkMode};
use plimsoll::transcript::{Cut, CutForm, Decision};
use serde_json::{Value, json};

use super::output::{CommandResult, put, put_json};
use super::setup::{CommandSetup, not_writable};
use crate::launch::ExitFailure;
use plimsoll::transcript::{grouped, lost_reasoning_words};

/// `plim prune`
pub async fn prune(args: &PruneArgs, at: &CommandSetup<'_>) -> CommandResult {
    let pressure = ShrinkMode {
        prune_now: args.force,
        by_person: true,
        ..ShrinkMode::default()
    };
    let (view, decisions) = if args.dry_run {
        let evaluation = at.look(&args.session).await?.evaluate(pressure);
        (evaluation.view, evaluation.decisions)
    } else {
        let mut offline = at.change(&args.session).await?;
        let settled = offline.settle(pressure);
        let problem = settled.notices.first().cloned();
        if let Some(problem) = problem.or_else(|| offline.conversation.close()) {
            return Err(not_saved(&problem.text));
        }
        let decisions = settled.overlays().cloned().collect();
        (settled.view, decisions)
    };
    if args.json {
        return put_json(&as_json(&view, &decisions, !args.dry_run));
    }
    put(&as_text(&view, &decisions, args.dry_run))
}

fn not_saved(why: &str) -> ExitFailure {
    ExitFailure {
        message: why.to_owned(),
        ..not_writable("not saved")
    }
}

fn as_json(view: &ContextView, decisions: &[Decision], applied: bool) -> Value {
    let mut prunes = Vec::new();
    let mut guards = Vec::new();
    let mut media = Vec::new();
    let mut given_up = 0;
    for decision in decisions {
        match decision {
            Decision::Prune {
                cuts,
                cache_given_up_tokens,
                ..
            } => {
                given_up += cache_given_up_tokens;
                prunes.extend(cuts.iter().map(cut_json));
            }
            Decision::Guard { cuts } => guards.extend(cuts.iter().map(cut_json)),
            Decision::Media { targets, reason } => media.extend(
                targets
                    .iter()
                    .map(|target| json!({"entry": target.as_str(), "reason": reason})),
            ),
            _ => {}
        }
    }
    let saved: u64 = pruned(decisions).map(saved).sum();
    let cleared = pruned(decisions).filter(|cut| is_clear(cut)).count();
    json!({
        "applied": applied && !decisions.is_empty(),
        "policy": view.prune.policy,
        "gate": view.prune.gate.name(),
        "trimmed": pruned(decisions).count() - cleared,
        "cleared": cleared,
        "tokens_saved": saved,
        "cache_given_up": given_up,
        "reasoning_lost": reasoning_lost(decisions),
        "would_free": view.prune.would_free,
        "would_give_up": view.prune.would_give_up,
        "would_lose_reasoning": view.prune.would_lose_reasoning,
        "cuts": prunes,
        "guard": guards,
        "media": media,
        "tokens": view.usage.tokens,
    })
}

fn cut_json(cut: &Cut) -> Value {
    json!({
        "entry": cut.target.as_str(),
        "form": form(cut),
        "phase": cut.phase.name(),
        "reason": cut.reason,
        "tokens_before": cut.tokens_before,
        "tokens_after": cut.tokens_after,
    })
}

fn as_text(view: &ContextView, decisions: &[Decision], dry_run: bool) -> String {
    if decisions.is_empty() {
        return nothing(view);
    }
    let mut out = String::new();
    for decision in decisions {
        match decision {
            Decision::Prune { cuts, .. } | Decision::Guard { cuts } => {
                for cut in cuts {
                    let _ = writeln!(
                        out,
                        "{:10}  {:7}  {:>9} → {:>7}  {}",
                        cut.target.as_str(),
                        form(cut),
                        grouped(cut.tokens_before),
                        grouped(cut.tokens_after),
                        cut.reason
                    );
                }
            }
            Decision::Media { targets, reason } => {
                for target in targets {
                    let _ = writeln!(out, "{target}  attachments  {reason}");
                }
            }
            _ => {}
        }
    }
    let saved: u64 = decisions.iter().flat_map(cuts_of).map(saved).sum();
    let verb = if dry_run { "would free" } else { "freed" };
    let lost = lost_reasoning_words(reasoning_lost(decisions));
    let _ = writeln!(out, "{verb} ~{} tokens{lost}", grouped(saved));
    out
}

/// Answers whose signed reasoning the server drops because of the decisions.
fn reasoning_lost(decisions: &[Decision]) -> u64 {
    let lost = decisions.iter().map(|decision| match decision {
        Decision::Prune { reasoning_lost, .. } => *reasoning_lost,
        _ => 0,
    });
    lost.sum()
}

fn nothing(view: &ContextView) -> String {
    let prune = &view.prune;
    let lost = lost_reasoning_words(prune.would_lose_reasoning);
    match prune.gate {
        Gate::Off => "nothing to prune: prune.policy is off\n".to_owned(),
        Gate::Warm if prune.would_free > 0 => format!(
            "nothing pruned: the provider's prompt cache is still valid. --force frees ~{} \
             tokens and invalidates {} cached tokens{lost}\n",
            grouped(prune.would_free),
            grouped(prune.would_give_up)
        ),
        Gate::Forced if prune.would_free > 0 => format!(
            "nothing pruned: ~{} tokens are too few to invalidate {} cached tokens. --force \
             frees them{lost}\n",
            grouped(prune.would_free),
            grouped(prune.would_give_up)
        ),
        _ => format!(
            "nothing to prune: no old tool result is large enough in a context of {} tokens\n",
            grouped(view.usage.tokens)
        ),
    }
}

fn cuts_of(decision: &Decision) -> &[Cut] {
    match decision {
        Decision::Prune { cuts, .. } | Decision::Guard { cuts } => cuts,
        _ => &[],
    }
}

fn pruned(decisions: &[Decision]) -> impl Iterator<Item = &Cut> {
    decisions
        .iter()
        .filter(|decision| matches!(decision, Decision::Prune { .. }))
        .flat_map(cuts_of)
}

fn saved(cut: &Cut) -> u64 {
    cut.tokens_before.saturating_sub(cut.tokens_after)
}

fn is_clear(cut: &Cut) -> bool {
    matches!(cut.form, CutForm::Clear { .. })
}

fn form(cut: &Cut) -> &'static str {
    match cut.form {
        CutForm::Clear { .. } => "cleared",
        CutForm::Trim { .. } => "trimmed",
        CutForm::Difference { .. } => "difference",
        CutForm::Arguments { .. } => "arguments",
    }
}
