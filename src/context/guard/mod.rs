//! The tool-result guard: one result that would not fit is cut; when the whole would
//! not fit and nothing else helps, old results become placeholders.

#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::Arc;

use super::cut;
use super::projection::{Measurer, ResultInfo, ViewBuilder};
use super::prune::{self, PlannedCut};
use super::recall::{RECALL_TOOL, RecallAddress, with_address};
use super::settings::GuardSettings;
use super::view::{Category, ContextView, Disposition, ViewItem};
use super::window;
use crate::transcript::{Cut, CutForm, CutPhase, Decision, EntryId, Message, Part};

/// The end of a result is looked at this far to see whether it matters.
const TAIL_PROBE_CHARS: usize = 2_000;
/// A kept tail is at most this share of what is kept,
const TAIL_SHARE: f64 = 0.3;
/// and at most this long.
const MAX_TAIL_CHARS: usize = 4_000;
/// Estimates by characters err: aim below the limit.
const SAFETY: f64 = 0.95;
/// Rounds of cutting one result tighter before it is left as it is.
const MAX_TIGHTENINGS: usize = 4;
/// Newest atomic groups that the total guard spares.
const SPARED_GROUPS: usize = 2;

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
    list: &ViewBuilder,
    settings: &GuardSettings,
    window_tokens: Option<u64>,
    share: f64,
    phase: CutPhase,
    measurer: &mut Measurer,
) -> Vec<PlannedCut> {
    let weight = settings.result_weight.max(1.0);
    let limit = window_tokens.map_or(u64::MAX, |window| (window as f64 * share / weight) as u64);
    let max_chars = settings.tool_output_max_chars.unwrap_or(usize::MAX);
    if list.sums.largest_result <= limit && list.sums.longest_result <= max_chars {
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
        // What was cut once holds its notice besides; only the token limit cuts it again.
        let is_long = !item.disposition.is_cut() && info.chars > max_chars;
        let reason = if item.tokens > limit {
            format!(
                "{} tokens, limit {limit} ({:.0}% of the window{})",
                item.tokens,
                share * 100.0,
                weight_words(weight)
            )
        } else if is_long {
            format!("{} characters, limit {max_chars}", info.chars)
        } else {
            continue;
        };
        let wanted = WantedCut {
            limit_tokens: limit,
            max_chars,
            phase,
            reason,
            notice: settings.notice.as_deref(),
        };
        planned.extend(truncate(list, info, item, wanted, measurer));
    }
    planned
}

/// How small one result has to become.
struct WantedCut<'a> {
    limit_tokens: u64,
    max_chars: usize,
    phase: CutPhase,
    reason: String,
    /// Text where something was cut, when it is not the usual one.
    notice: Option<&'a str>,
}

/// Cuts one result; nothing when that would not make it smaller. Texts are uneven, so
/// a cut in proportion that is still too large is tightened.
fn truncate(
    list: &ViewBuilder,
    info: &ResultInfo,
    item: &ViewItem,
    wanted: WantedCut<'_>,
    measurer: &mut Measurer,
) -> Option<PlannedCut> {
    let text = info.text();
    let total_chars = text.chars().count();
    let unit = measurer.ruler().length_unit();
    let mut chars = unit.chars_within(text.chars(), wanted.max_chars);
    let mut tokens = list.count_of(&info.entry, item.full.estimate_tokens).max(1);
    let mut best = None;
    for _ in 0..MAX_TIGHTENINGS {
        if tokens > wanted.limit_tokens {
            let share = wanted.limit_tokens as f64 / tokens as f64 * SAFETY;
            chars = chars.min((chars as f64 * share) as usize);
        }
        let form = cut_form(&text, total_chars, chars, wanted.notice);
        let (_, shortened) = measurer.shortened(&info.entry, &info.whole, &form);
        tokens = list.count_of(&info.entry, shortened);
        best = Some((form, tokens));
        if tokens <= wanted.limit_tokens {
            break;
        }
    }
    let (form, tokens_after) = best.filter(|&(_, tokens)| tokens < item.tokens)?;
    let cut = Cut {
        target: info.entry.clone(),
        form,
        phase: wanted.phase,
        reason: wanted.reason,
        tokens_before: item.tokens,
        tokens_after,
    };
    Some(PlannedCut { at: info.at, cut })
}

/// Keeps about `chars` characters: the head, and the tail when that matters.
fn cut_form(text: &str, total_chars: usize, chars: usize, notice: Option<&str>) -> CutForm {
    let (head, tail) = if ends_with_something_important(text) {
        let tail = ((chars as f64 * TAIL_SHARE) as usize).min(MAX_TAIL_CHARS);
        (chars.saturating_sub(tail), tail)
    } else {
        (chars, 0)
    };
    let (head_chars, tail_chars) = cut::snap(text, head, tail);
    let omitted = total_chars.saturating_sub(head_chars + tail_chars);
    CutForm::Trim {
        head_chars,
        tail_chars,
        notice: notice_or(
            notice,
            omitted,
            "because the result does not fit into the context",
        ),
    }
}

/// The user's own text where something was cut, else how much is missing, and why.
fn notice_or(notice: Option<&str>, omitted_chars: usize, why: &str) -> String {
    notice.map_or_else(|| cut::notice(omitted_chars, why), str::to_owned)
}

fn ends_with_something_important(text: &str) -> bool {
    let probe = text
        .char_indices()
        .rev()
        .nth(TAIL_PROBE_CHARS - 1)
        .and_then(|(at, _)| text.get(at..));
    let end = probe.unwrap_or(text).to_lowercase();
    end.trim_end().ends_with('}') || IMPORTANT.iter().any(|word| end.contains(word))
}

/// What a reason says of the weight, where there is one.
fn weight_words(weight: f64) -> String {
    if weight > 1.0 {
        format!(", results weigh {weight} times")
    } else {
        String::new()
    }
}

/// Tokens of a view as the total guard compares them: where results have a weight, with it,
/// else with the ruler's margin on what nobody counted.
pub(super) fn load(
    list: &ViewBuilder,
    settings: &GuardSettings,
    view_tokens: u64,
    margin: f64,
) -> f64 {
    if settings.result_weight > 1.0 {
        weighted(list, settings, view_tokens) as f64
    } else {
        window::weighed(view_tokens, list.counted().1, margin)
    }
}

/// Tokens of a view with the weight of its results.
fn weighted(list: &ViewBuilder, settings: &GuardSettings, view_tokens: u64) -> u64 {
    let results = list.sums.by_category.get(Category::ToolResults);
    view_tokens + (results as f64 * (settings.result_weight.max(1.0) - 1.0)) as u64
}

/// Whole results become placeholders, copies that were recalled first, then the oldest, until
/// the view is small enough.
/// The newest groups stay, or the agent would lose what it just asked for and ask
/// again; pinned and restored ones stay too.
///
/// With `even_exempt` (the provider refused the request twice, so its size is not
/// known) every result goes, then exempt ones as far as it takes.
pub(super) fn total(
    list: &ViewBuilder,
    settings: &GuardSettings,
    view_tokens: u64,
    window_tokens: u64,
    even_exempt: bool,
    measurer: &mut Measurer,
) -> Vec<PlannedCut> {
    // Down to more than what is allowed would clear nothing, again and again.
    let share = settings.total_share.unwrap_or(settings.total_target);
    let target = (window_tokens as f64 * settings.total_target.min(share)) as u64;
    let spared_from = nth_newest_group(list, SPARED_GROUPS);
    let weight = settings.result_weight.max(1.0);
    let load = weighted(list, settings, view_tokens);
    let bases = if even_exempt {
        HashSet::new()
    } else {
        list.difference_bases()
    };
    let mut tokens = load;
    let mut planned = Vec::new();
    for pass in [TotalPass::Copies, TotalPass::Results, TotalPass::Exempt] {
        let pass_exempt = pass == TotalPass::Exempt;
        if pass_exempt && !even_exempt {
            break;
        }
        for info in &list.results {
            if (pass == TotalPass::Copies) != is_copy(info) && !pass_exempt {
                continue;
            }
            let Some(item) = list.items.get(info.at) else {
                continue;
            };
            let goes_anyway = even_exempt && !pass_exempt;
            if !goes_anyway && tokens <= target || !even_exempt && info.at >= spared_from {
                break;
            }
            let is_cleared = item.disposition == Disposition::Cleared;
            if is_cleared || info.is_exempt != pass_exempt || bases.contains(&info.at) {
                continue;
            }
            let form = CutForm::Clear {
                placeholder: settings.placeholder.clone(),
            };
            let (_, shortened) = measurer.shortened(&info.entry, &info.whole, &form);
            let after = list.count_of(&info.entry, shortened);
            if after >= item.tokens {
                continue;
            }
            tokens = tokens.saturating_sub(((item.tokens - after) as f64 * weight) as u64);
            let weight = weight_words(weight);
            let reason = format!("the request has {load} tokens{weight}, target {target}");
            let cut = Cut {
                target: info.entry.clone(),
                form,
                phase: CutPhase::Total,
                reason,
                tokens_before: item.tokens,
                tokens_after: after,
            };
            planned.push(PlannedCut { at: info.at, cut });
        }
    }
    planned.sort_by_key(|planned| planned.at);
    planned
}

/// What the total guard clears, in this order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TotalPass {
    /// What was recalled: its original can be recalled again.
    Copies,
    Results,
    /// What else stays by a person's decision.
    Exempt,
}

fn is_copy(info: &ResultInfo) -> bool {
    prune::call_of(info).is_some_and(|call| call.name == RECALL_TOOL)
}

/// Where the results of the n newest atomic groups begin.
fn nth_newest_group(list: &ViewBuilder, n: usize) -> usize {
    let mut groups = 0;
    let mut from = usize::MAX;
    let mut newest: Option<&Arc<Message>> = None;
    for index in (0..list.results.len()).rev() {
        let Some(info) = list.results.get(index) else {
            break;
        };
        let answer = info.call.as_ref().map(|place| &place.answer);
        let is_same = match (newest, answer) {
            (Some(newest), Some(answer)) => Arc::ptr_eq(newest, answer),
            _ => false,
        };
        if !is_same {
            groups += 1;
            newest = answer;
        }
        if groups > n {
            break;
        }
        from = info.at;
    }
    from
}

/// What a command of the user's printed, in the message that tells a model of it.
fn run_output(parts: &[Part]) -> &str {
    let Some(Part::Text(text)) = parts.first() else {
        return "";
    };
    let opened = text.split_once(":\n```").map_or("", |(_, rest)| rest);
    let inner = opened.split_once('\n').map_or("", |(_, inner)| inner);
    inner.rsplit_once('\n').map_or("", |(output, _)| output)
}

/// Cuts one kept result to a budget, for a tail that it alone would burst. Nothing when
/// the result was cut before: then it is small already, and what it was is not in a view.
/// `notice` takes the place of what was cut, when it is not the usual one; `address` is where
/// the model can have the original back.
pub fn cut_to_budget(
    view: &ContextView,
    target: &EntryId,
    budget_tokens: u64,
    notice: Option<&str>,
    address: Option<RecallAddress>,
) -> Option<Decision> {
    let item = view
        .items
        .iter()
        .find(|item| item.entry.as_ref() == Some(target))
        .filter(|item| matches!(item.disposition, Disposition::Sent | Disposition::Edited))?;
    let text = match item.sent.as_deref()? {
        Message::ToolResult(result) => result.text(),
        // The output of a command of the user's.
        Message::User(user) if item.category == Category::ToolResults => {
            run_output(&user.content).to_owned()
        }
        Message::User(_) | Message::Assistant(_) | Message::BashExecution(_) => return None,
    };
    let chars = text.chars().count();
    let keep = (chars as f64 * budget_tokens as f64 / item.tokens.max(1) as f64) as usize;
    let (head_chars, tail_chars) = cut::snap(&text, keep * 2 / 3, keep / 3);
    let omitted = chars.saturating_sub(head_chars + tail_chars);
    let form = CutForm::Trim {
        head_chars,
        tail_chars,
        notice: notice_or(
            notice,
            omitted,
            "because the result is larger than what a compaction keeps",
        ),
    };
    let form = match address {
        Some(address) => with_address(&form, address),
        None => form,
    };
    let reason = format!("{} tokens, a compaction keeps {budget_tokens}", item.tokens);
    Some(Decision::Guard {
        cuts: vec![Cut {
            target: target.clone(),
            form,
            phase: CutPhase::Compaction,
            reason,
            tokens_before: item.tokens,
            tokens_after: budget_tokens,
        }],
    })
}
