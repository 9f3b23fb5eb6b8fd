//! The default policy: by how full the window is, trim large results to head and tail,
//! then clear the oldest.

use super::{CutPrice, CutReason, PrunableResult, PruneInput, PrunePlan};
use crate::context::cut;
use crate::context::settings::PruneSettings;
use crate::context::view::Disposition;
use crate::transcript::{CutForm, CutPhase};

/// Characters of a token, for limits that are given in characters.
const CHARS_PER_TOKEN: u64 = 4;
/// Clearing starts when candidates hold at least this share of the window.
const MIN_PRUNABLE_SHARE: f64 = 0.25;

/// Whether the window is full enough to look.
pub(super) fn is_due(input: &PruneInput<'_>) -> bool {
    let least = input.settings.soft.ratio.min(input.settings.hard.ratio);
    let window = input.window_tokens.unwrap_or(0);
    window > 0 && input.view_tokens as f64 >= window as f64 * least
}

pub(super) fn decide(
    input: &PruneInput<'_>,
    candidates: &[PrunableResult<'_>],
    plan: &mut PrunePlan,
    price: &mut CutPrice<'_>,
) {
    let Some(window) = input.window_tokens.filter(|&window| window > 0) else {
        return;
    };
    let ratio = |tokens: u64| tokens as f64 / window as f64;
    if ratio(plan.view_tokens) >= input.settings.soft.ratio {
        soft(input, candidates, plan, price);
    }
    if input.settings.hard.enabled && ratio(plan.view_tokens) >= input.settings.hard.ratio {
        hard(input, candidates, plan, price, window);
    }
}

fn soft(
    input: &PruneInput<'_>,
    candidates: &[PrunableResult<'_>],
    plan: &mut PrunePlan,
    price: &mut CutPrice<'_>,
) {
    let settings = input.settings;
    let window = input.window_tokens.unwrap_or(u64::MAX);
    let ratio = plan.view_tokens as f64 / window as f64;
    for &result in candidates {
        let PrunableResult { info, item } = result;
        let is_whole = matches!(
            item.disposition,
            Disposition::Sent
                | Disposition::Edited
                | Disposition::MediaStripped
                | Disposition::Truncated
        );
        let may_cut = plan.may_cut(result) && !plan.cuts.contains_key(&info.at);
        if info.chars <= settings.soft.max_chars || !is_whole || !may_cut {
            continue;
        }
        let form = if input.is_rough {
            CutForm::Trim {
                head_chars: settings.soft.head_chars,
                tail_chars: settings.soft.tail_chars,
                notice: String::new(),
            }
        } else {
            trimmed(&info.text(), settings)
        };
        let text = || {
            format!(
                "{} characters at {:.0}% of the window (trimmed above {} from {:.0}%)",
                info.chars,
                ratio * 100.0,
                settings.soft.max_chars,
                settings.soft.ratio * 100.0
            )
        };
        let reason = CutReason {
            phase: CutPhase::Soft,
            text: &text,
        };
        plan.cut(result, form, &reason, price);
    }
}

/// Head and tail of a text, cut where it hurts least.
fn trimmed(text: &str, settings: &PruneSettings) -> CutForm {
    let (head_chars, tail_chars) =
        cut::snap(text, settings.soft.head_chars, settings.soft.tail_chars);
    let omitted = text.chars().count().saturating_sub(head_chars + tail_chars);
    CutForm::Trim {
        head_chars,
        tail_chars,
        notice: cut::notice(omitted, "to keep the context small"),
    }
}

fn hard(
    input: &PruneInput<'_>,
    candidates: &[PrunableResult<'_>],
    plan: &mut PrunePlan,
    price: &mut CutPrice<'_>,
    window: u64,
) {
    let settings = input.settings;
    let remaining: usize = candidates
        .iter()
        .filter(|result| !plan.is_cleared(**result))
        .map(|result| chars_now(plan, *result, settings))
        .sum();
    let share = (window as f64 * MIN_PRUNABLE_SHARE) as u64 * CHARS_PER_TOKEN;
    if (remaining as u64) < (settings.hard.min_prunable_chars as u64).min(share) {
        return;
    }
    for &result in candidates {
        let ratio = plan.view_tokens as f64 / window as f64;
        if ratio < settings.hard.ratio {
            break;
        }
        if !plan.may_cut(result) {
            continue;
        }
        let form = CutForm::Clear {
            placeholder: if input.is_rough {
                String::new()
            } else {
                settings.hard.placeholder.clone()
            },
        };
        let text = || {
            format!(
                "oldest result at {:.0}% of the window (cleared from {:.0}%)",
                ratio * 100.0,
                settings.hard.ratio * 100.0
            )
        };
        let reason = CutReason {
            phase: CutPhase::Hard,
            text: &text,
        };
        plan.cut(result, form, &reason, price);
    }
}

/// Characters of a result as it is now: trimmed ones hold head and tail.
fn chars_now(plan: &PrunePlan, result: PrunableResult<'_>, settings: &PruneSettings) -> usize {
    let PrunableResult { info, item } = result;
    let is_trimmed = plan.cuts.contains_key(&info.at)
        || matches!(
            item.disposition,
            Disposition::Trimmed | Disposition::Truncated
        );
    if is_trimmed {
        info.chars
            .min(settings.soft.head_chars + settings.soft.tail_chars)
    } else {
        info.chars
    }
}
