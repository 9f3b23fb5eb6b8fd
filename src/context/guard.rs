//! The tool-result guard: one result that would not fit is cut; when the whole would
//! not fit and nothing else helps, old results become placeholders.

use super::cut;
use super::projection::{Measurer, ResultInfo, SentList};
use super::prune::Planned;
use super::settings::GuardSettings;
use super::view::{Disposition, Role, ViewItem};
use crate::transcript::{Cut, CutForm, CutPhase, Message};

/// The end of a result is looked at this far to see whether it matters.
const TAIL_PROBE_CHARS: usize = 2_000;
/// A kept tail is at most this share of what is kept,
const TAIL_SHARE: f64 = 0.3;
/// and at most this long.
const MAX_TAIL_CHARS: usize = 4_000;
/// Estimates by characters err: aim below the limit.
const SAFETY: f64 = 0.95;
/// The total guard clears down to this share of the window.
const TOTAL_TARGET_SHARE: f64 = 0.6;
/// Newest atomic groups that the total guard spares.
const SPARED_GROUPS: usize = 2;
/// Text of a result that the total guard cleared.
const TOTAL_PLACEHOLDER: &str =
    "[Tool output removed: the context is full. Run the tool again if it is needed.]";

/// Words at the end of a result that make its end worth keeping.
const IMPORTANT: [&str; 12] = [
    "error",
    "exception",
    "failed",
    "fatal",
    "traceback",
    "panic",
    "errno",
    "exit code",
    "total",
    "summary",
    "result",
    "done",
];

/// Results that alone take too much of the window, cut to fit.
pub(super) fn single(
    list: &SentList,
    settings: &GuardSettings,
    window_tokens: Option<u64>,
    share: f64,
    phase: CutPhase,
    measurer: &mut Measurer,
) -> Vec<Planned> {
    let limit = window_tokens.map_or(u64::MAX, |window| (window as f64 * share) as u64);
    let max_chars = settings.tool_output_max_chars.unwrap_or(usize::MAX);
    if list.largest_result <= limit && max_chars == usize::MAX {
        return Vec::new();
    }
    let mut planned = Vec::new();
    for info in &list.results {
        let Some(item) = list.items.get(info.at) else {
            continue;
        };
        if item.disposition == Disposition::Cleared {
            continue;
        }
        let sent_chars = sent_chars(info, item);
        if item.tokens <= limit && sent_chars <= max_chars {
            continue;
        }
        let fitting = if item.tokens > limit {
            (info.chars as f64 * limit as f64 / item.tokens_full.max(1) as f64 * SAFETY) as usize
        } else {
            max_chars
        };
        let why = format!(
            "{} tokens, limit {limit} ({:.0}% of the window)",
            item.tokens,
            share * 100.0
        );
        planned.extend(truncate(
            info,
            item,
            fitting.min(max_chars),
            (phase, why),
            measurer,
        ));
    }
    planned
}

fn sent_chars(info: &ResultInfo, item: &ViewItem) -> usize {
    match item.disposition {
        Disposition::Trimmed | Disposition::Truncated => item
            .sent
            .as_ref()
            .map_or(0, |message| message.text().chars().count()),
        _ => info.chars,
    }
}

/// Cuts one result to about `chars` characters.
pub(super) fn truncate(
    info: &ResultInfo,
    item: &ViewItem,
    chars: usize,
    (phase, reason): (CutPhase, String),
    measurer: &mut Measurer,
) -> Option<Planned> {
    let Message::ToolResult(result) = item.sent.as_deref()? else {
        return None;
    };
    let text = result.text();
    let (head, tail) = if ends_with_something_important(&text) {
        let tail = ((chars as f64 * TAIL_SHARE) as usize).min(MAX_TAIL_CHARS);
        (chars.saturating_sub(tail), tail)
    } else {
        (chars, 0)
    };
    let (head_chars, tail_chars) = cut::snap(&text, head, tail);
    let omitted = text.chars().count().saturating_sub(head_chars + tail_chars);
    let form = CutForm::Trim {
        head_chars,
        tail_chars,
        notice: cut::notice(omitted, "because the result does not fit into the context"),
    };
    let (_, estimate) = measurer.shortened(&info.entry, result, &form);
    let cut = Cut {
        target: info.entry.clone(),
        form,
        phase,
        reason,
        tokens_before: item.tokens,
        tokens_after: estimate,
    };
    Some(Planned { at: info.at, cut })
}

fn ends_with_something_important(text: &str) -> bool {
    let skip = text.chars().count().saturating_sub(TAIL_PROBE_CHARS);
    let end: String = text.chars().skip(skip).collect::<String>().to_lowercase();
    end.trim_end().ends_with('}') || IMPORTANT.iter().any(|word| end.contains(word))
}

/// Whole results become placeholders, oldest first, until the view is small enough.
/// The newest groups stay, or the agent would lose what it just asked for and ask
/// again; pinned and restored ones stay unless `even_exempt`.
pub(super) fn total(
    list: &SentList,
    view_tokens: u64,
    window_tokens: u64,
    even_exempt: bool,
    measurer: &mut Measurer,
) -> Vec<Planned> {
    let target = (window_tokens as f64 * TOTAL_TARGET_SHARE) as u64;
    let spared_from = nth_newest_group(list, SPARED_GROUPS);
    let mut tokens = view_tokens;
    let mut planned = Vec::new();
    for pass_exempt in [false, true] {
        if pass_exempt && !even_exempt {
            break;
        }
        for info in &list.results {
            let Some(item) = list.items.get(info.at) else {
                continue;
            };
            if tokens <= target || info.at >= spared_from {
                break;
            }
            if item.disposition == Disposition::Cleared || info.is_exempt != pass_exempt {
                continue;
            }
            let Some(Message::ToolResult(result)) = item.sent.as_deref() else {
                continue;
            };
            let form = CutForm::Clear {
                placeholder: TOTAL_PLACEHOLDER.to_owned(),
            };
            let (_, after) = measurer.shortened(&info.entry, result, &form);
            tokens = tokens.saturating_sub(item.tokens.saturating_sub(after));
            let reason = format!("the view has {view_tokens} tokens, target {target}");
            let cut = Cut {
                target: info.entry.clone(),
                form,
                phase: CutPhase::Total,
                reason,
                tokens_before: item.tokens,
                tokens_after: after,
            };
            planned.push(Planned { at: info.at, cut });
        }
    }
    planned.sort_by_key(|planned| planned.at);
    planned
}

/// Where the n newest atomic groups begin.
fn nth_newest_group(list: &SentList, n: usize) -> usize {
    let mut groups = 0;
    for at in (0..list.items.len()).rev() {
        if list
            .items
            .get(at)
            .is_some_and(|item| item.role != Role::Tool)
        {
            groups += 1;
            if groups == n {
                return at;
            }
        }
    }
    0
}
