//! The other policy: the newest tokens of tool output stay, what is older is cleared,
//! all of it at once and only when that is worth it.

use super::found_tools;
use super::{CutPrice, CutReason, PrunableResult, PruneInput, PrunePlan, arguments, tool_name};
use crate::context::recall::RECALL_TOOL;
use crate::context::view::Disposition;
use crate::transcript::{CutForm, CutPhase};

pub(super) fn decide(input: &PruneInput<'_>, plan: &mut PrunePlan, price: &mut CutPrice<'_>) {
    let collected = collect(input);
    let total: u64 = collected.iter().map(|result| result.item.tokens).sum();
    if total <= input.settings.recent.minimum_tokens {
        return;
    }
    for &result in &collected {
        let form = CutForm::Clear {
            placeholder: input.settings.hard.placeholder.clone(),
        };
        let text = || {
            format!(
                "older than the newest {} tokens of tool output ({total} tokens cleared)",
                input.settings.recent.tokens
            )
        };
        let reason = CutReason {
            phase: CutPhase::ProtectRecent,
            text: &text,
        };
        plan.cut(result.target(), form, &reason, price);
    }
    let why = || {
        format!(
            "(older than the newest {} tokens)",
            input.settings.recent.tokens
        )
    };
    arguments::decide(input, &collected, &why, plan, price);
}

/// Results beyond the protected ones, newest first.
fn collect<'a>(input: &'a PruneInput<'_>) -> Vec<PrunableResult<'a>> {
    let settings = input.settings;
    let mut skipped_tokens = 0;
    let mut is_skipping = true;
    let mut sum = 0;
    let mut collected = Vec::new();
    let held = found_tools::in_use(input.list);
    let bases = input.list.difference_bases();
    for index in (0..input.list.results.len()).rev() {
        let Some(info) = input.list.results.get(index) else {
            continue;
        };
        let Some(item) = input.list.items.get(info.at) else {
            continue;
        };
        // What is before a summary belongs to another epoch.
        let is_before_summary = input
            .list
            .index
            .newest_summary
            .is_some_and(|at| info.at < at);
        let name = tool_name(info);
        // Copies of what was said before go first: one that is gone says nothing of the rest.
        let is_copy = name == RECALL_TOOL;
        let is_cleared = item.disposition == Disposition::Cleared;
        if is_cleared && is_copy && !is_before_summary {
            continue;
        }
        if is_cleared || is_before_summary {
            break;
        }
        // One long turn of an agent must not protect everything.
        let is_recent_turn = item.turn.saturating_add(settings.recent.turns) > input.turn;
        skipped_tokens += item.tokens;
        let is_within = settings.recent.whole_turns || skipped_tokens <= settings.recent.tokens;
        is_skipping &= is_recent_turn && is_within;
        if is_skipping {
            continue;
        }
        // A failed call is not a completed output.
        let is_kept = info.is_exempt || held.contains(&info.at) || bases.contains(&info.at);
        if is_kept || info.is_error || !input.tools.may_prune(name) {
            continue;
        }
        sum += item.tokens;
        if is_copy || sum > settings.recent.tokens {
            collected.push(PrunableResult { info, item });
        }
    }
    collected
}
