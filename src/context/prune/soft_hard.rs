//! The default policy: by how full the window is, trim large results to head and tail,
//! then clear the oldest.

use super::{CutPrice, CutReason, PrunableResult, PruneInput, PrunePlan, arguments, tool_name};
use crate::context::cut;
use crate::context::recall::RECALL_TOOL;
use crate::context::ruler::LengthUnit;
use crate::context::settings::PruneSettings;
use crate::context::view::Disposition;
use crate::transcript::{CutForm, CutPhase, grouped};

/// Characters of a token, for limits that are given in characters.
const CHARS_PER_TOKEN: u64 = 4;

/// Whether the window is full enough to look.
pub(super) fn is_due(input: &PruneInput<'_>) -> bool {
    let least = input.settings.soft.ratio.min(input.settings.hard.ratio);
    let window = input.window_tokens.unwrap_or(0);
    window > 0 && input.found_tokens as f64 >= window as f64 * least
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
    // Attachments and long texts go at one level: what the first frees does not spare the
    // second.
    if ratio(input.found_tokens) >= input.settings.soft.ratio {
        recalled(input, candidates, plan, price);
        soft(input, candidates, plan, price);
        let why = || {
            format!(
                "(window {:.0}% full, from {:.0}%)",
                ratio(input.found_tokens) * 100.0,
                input.settings.soft.ratio * 100.0
            )
        };
        arguments::decide(input, candidates, &why, plan, price);
    }
    if input.settings.hard.enabled && ratio(plan.view_tokens) >= input.settings.hard.ratio {
        hard(input, candidates, plan, price, window);
    }
}

/// Copies of what was said before go first, and whole: their originals can be recalled again.
fn recalled(
    input: &PruneInput<'_>,
    candidates: &[PrunableResult<'_>],
    plan: &mut PrunePlan,
    price: &mut CutPrice<'_>,
) {
    let settings = input.settings;
    if !settings.hard.enabled {
        return;
    }
    for &result in candidates {
        let is_copy = tool_name(result.info) == RECALL_TOOL;
        if !is_copy || !plan.may_cut(result) {
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
                "recalled text: cleared first (window {:.0}% full, prunes from {:.0}%)",
                input.found_tokens as f64 / input.window_tokens.unwrap_or(u64::MAX) as f64 * 100.0,
                settings.soft.ratio * 100.0
            )
        };
        let reason = CutReason {
            phase: CutPhase::Hard,
            text: &text,
        };
        plan.cut(result.target(), form, &reason, price);
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
    let ratio = input.found_tokens as f64 / window as f64;
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
            trimmed(&info.text(), settings, input.unit)
        };
        let text = || {
            format!(
                "{} characters, over {}: trimmed (window {:.0}% full, trims from {:.0}%)",
                grouped(info.chars as u64),
                grouped(settings.soft.max_chars as u64),
                ratio * 100.0,
                settings.soft.ratio * 100.0
            )
        };
        let reason = CutReason {
            phase: CutPhase::Soft,
            text: &text,
        };
        plan.cut(result.target(), form, &reason, price);
    }
}

/// Head and tail of a text, cut where it hurts least.
fn trimmed(text: &str, settings: &PruneSettings, unit: LengthUnit) -> CutForm {
    let head = unit.chars_within(text.chars(), settings.soft.head_chars);
    let tail = unit.chars_within(text.chars().rev(), settings.soft.tail_chars);
    let (head_chars, tail_chars) = cut::snap(text, head, tail);
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
    if (remaining as u64) < least_prunable(settings, window) {
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
                "old result: cleared (window {:.0}% full, clears from {:.0}%)",
                ratio * 100.0,
                settings.hard.ratio * 100.0
            )
        };
        let reason = CutReason {
            phase: CutPhase::Hard,
            text: &text,
        };
        plan.cut(result.target(), form, &reason, price);
    }
}

/// Characters that candidates have to hold before any of them is cleared.
fn least_prunable(settings: &PruneSettings, window: u64) -> u64 {
    let chars = settings.hard.min_prunable_chars as u64;
    let share = settings.hard.min_prunable_share;
    share.map_or(chars, |share| {
        chars.min((window as f64 * share) as u64 * CHARS_PER_TOKEN)
    })
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
