//! Pruning: which tool results, and arguments of calls, are shortened, evaluated before each
//! request.
//!
//! Decisions are values ([`Cut`]s) that the agent records and the projection replays;
//! nothing here changes the log. Pruning rewrites the prompt's prefix and so gives up
//! the provider's cache: the gate decides when that is worth it.

mod arguments;
pub(super) mod difference;
mod forecast;
mod found_tools;
mod gate;
mod protect_recent;
mod soft_hard;
mod superseded;
mod tools;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

pub(super) use arguments::is_signed_by;
pub(super) use forecast::{ForecastCache, PruneForecast};
pub(super) use gate::{GateInput, cache_gate, cache_secs_left, gate, is_cold};
pub(super) use superseded::CallKey;
pub(super) use tools::ToolFilter;

use super::projection::{ResultInfo, ViewBuilder};
use super::ruler::LengthUnit;
use super::settings::{PrunePolicy, PruneSettings};
use super::view::{Disposition, ViewItem};
use crate::transcript::{Cut, CutForm, CutPhase, EntryId, Message, ModelRef, ToolCall};

/// The tool as whose results the output of the user's own commands is pruned.
const RUN_BY_USER: &str = "shell";

/// The input of a policy.
pub(super) struct PruneInput<'a> {
    pub list: &'a ViewBuilder,
    /// Only this many results, the oldest, are looked at.
    pub results_upto: usize,
    pub settings: &'a PruneSettings,
    pub tools: &'a ToolFilter,
    /// The window; policies that need a ratio do nothing without one.
    pub window_tokens: Option<u64>,
    /// Tokens of the whole view.
    pub view_tokens: u64,
    /// Tokens of it before attachments were taken out in the same evaluation.
    pub found_tokens: u64,
    /// The unit of limits on characters.
    pub unit: LengthUnit,
    /// Tools whose newest answer makes older ones pointless.
    pub repeatable: &'a BTreeSet<String>,
    /// The model in use, when its server checks calls against what it signed.
    pub checked: Option<&'a ModelRef>,
    /// Number of the newest turn.
    pub turn: u32,
    /// Only numbers are wanted: texts are not read.
    pub is_rough: bool,
}

/// A decision about the item at a position of the list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlannedCut {
    pub at: usize,
    pub cut: Cut,
}

impl PlannedCut {
    /// Tokens that this frees.
    pub(super) fn freed(&self) -> u64 {
        self.cut.tokens_before.saturating_sub(self.cut.tokens_after)
    }
}

/// A message that may be shortened.
#[derive(Clone, Copy)]
pub(super) struct CutTarget<'a> {
    /// Its position in the items.
    pub at: usize,
    pub entry: &'a EntryId,
    /// The message before any cut.
    pub whole: &'a Arc<Message>,
    /// Characters of a result; of an answer those of the arguments that it would lose.
    pub chars: usize,
    pub item: &'a ViewItem,
}

/// Prices a shortened message: exactly, or by rule of thumb while nothing will be done.
pub(super) type CutPrice<'a> = dyn FnMut(CutTarget<'_>, &CutForm) -> u64 + 'a;

/// The cuts of the policy now, oldest first, each message once.
pub(super) fn decide(input: &PruneInput<'_>, price: &mut CutPrice<'_>) -> Vec<PlannedCut> {
    let mut plan = PrunePlan {
        cuts: BTreeMap::new(),
        view_tokens: input.view_tokens,
        stand_ins: HashSet::new(),
        is_rough: input.is_rough,
    };
    match input.settings.policy {
        PrunePolicy::Off => {}
        PrunePolicy::SoftHard => {
            // Most requests are far from any ratio: then no result is looked at.
            if !superseded::is_due(input) && !soft_hard::is_due(input) {
                return Vec::new();
            }
            let candidates = candidates(input);
            superseded::decide(input, &candidates, &mut plan, price);
            soft_hard::decide(input, &candidates, &mut plan, price);
        }
        PrunePolicy::ProtectRecent => protect_recent::decide(input, &mut plan, price),
    }
    plan.cuts
        .into_iter()
        .map(|(at, cut)| PlannedCut { at, cut })
        .collect()
}

/// Decisions so far, with the view's size after them.
struct PrunePlan {
    cuts: BTreeMap<usize, Cut>,
    view_tokens: u64,
    /// Positions of results that stand for others which this plan takes out.
    stand_ins: HashSet<usize>,
    /// Nobody reads the reasons.
    is_rough: bool,
}

impl PrunePlan {
    /// Tokens of a message after the decisions so far.
    fn tokens(&self, target: CutTarget<'_>) -> u64 {
        let cut = self.cuts.get(&target.at);
        cut.map_or(target.item.tokens, |cut| cut.tokens_after)
    }

    /// Whether a policy may shorten it: not what another result was taken out for.
    fn may_cut(&self, result: PrunableResult<'_>) -> bool {
        !self.is_cleared(result) && !self.stand_ins.contains(&result.info.at)
    }

    fn is_cleared(&self, result: PrunableResult<'_>) -> bool {
        match self.cuts.get(&result.info.at) {
            Some(cut) => matches!(cut.form, CutForm::Clear { .. }),
            None => result.item.disposition == Disposition::Cleared,
        }
    }

    /// Adds a decision; nothing when it would not save anything.
    fn cut(
        &mut self,
        target: CutTarget<'_>,
        form: CutForm,
        reason: &CutReason<'_>,
        price: &mut CutPrice<'_>,
    ) {
        let before = self.tokens(target);
        let after = price(target, &form);
        if after >= before {
            return;
        }
        self.view_tokens -= before - after;
        let cut = Cut {
            target: target.entry.clone(),
            form,
            phase: reason.phase,
            reason: if self.is_rough {
                String::new()
            } else {
                (reason.text)()
            },
            tokens_before: target.item.tokens,
            tokens_after: after,
        };
        self.cuts.insert(target.at, cut);
    }
}

/// A result that a policy may touch, with its item.
#[derive(Clone, Copy)]
pub(super) struct PrunableResult<'a> {
    pub info: &'a ResultInfo,
    pub item: &'a ViewItem,
}

impl<'a> PrunableResult<'a> {
    fn target(self) -> CutTarget<'a> {
        CutTarget {
            at: self.info.at,
            entry: &self.info.entry,
            whole: &self.info.whole,
            chars: self.info.chars,
            item: self.item,
        }
    }
}

/// Why a message is cut. The text is made only when it is wanted.
struct CutReason<'a> {
    phase: CutPhase,
    text: &'a dyn Fn() -> String,
}

/// Results that a policy may touch, oldest first.
fn candidates<'a>(input: &'a PruneInput<'_>) -> Vec<PrunableResult<'a>> {
    let mut candidates = touchable(input.list, input.settings, input.tools);
    if input.results_upto < input.list.results.len() {
        let end = input.list.results.get(input.results_upto);
        let end = end.map_or(usize::MAX, |info| info.at);
        candidates.truncate(candidates.partition_point(|result| result.info.at < end));
    }
    candidates
}

/// Results of a list that pruning may touch, oldest first. Looked for once: a long session
/// has tens of thousands of results.
pub(super) fn touchable<'a>(
    list: &'a ViewBuilder,
    settings: &PruneSettings,
    tools: &ToolFilter,
) -> Vec<PrunableResult<'a>> {
    let protected_from = protected_from(list, settings);
    let first = list.index.first_user.unwrap_or(usize::MAX);
    let mut allowed: HashMap<&str, bool> = HashMap::new();
    let held = found_tools::in_use(list);
    let bases = list.difference_bases();
    list.results
        .iter()
        .take_while(|info| info.at < protected_from)
        .filter(|info| info.at > first)
        .filter(|info| !info.is_exempt && !held.contains(&info.at) && !bases.contains(&info.at))
        .filter(|info| !(settings.protect_errors && info.is_error))
        .filter(|info| {
            let tool = tool_name(info);
            *allowed.entry(tool).or_insert_with(|| tools.may_prune(tool))
        })
        .filter_map(|info| {
            let item = list.items.get(info.at)?;
            Some(PrunableResult { info, item })
        })
        .collect()
}

/// The newest answers and what follows them stay.
fn protected_from(list: &ViewBuilder, settings: &PruneSettings) -> usize {
    let answers = &list.index.answers;
    match answers.len().checked_sub(settings.keep_last_assistants) {
        Some(index) => answers.get(index).copied().unwrap_or(usize::MAX),
        None => 0,
    }
}

fn tool_name(info: &ResultInfo) -> &str {
    call_of(info).map_or(RUN_BY_USER, |call| call.name.as_str())
}

/// The call that a result answers.
pub(super) fn call_of(info: &ResultInfo) -> Option<&ToolCall> {
    info.call.as_ref()?.call()
}

/// Rule of thumb for a shortened message, by estimate: in proportion to the characters
/// that stay.
pub(super) fn rough_price(target: CutTarget<'_>, form: &CutForm) -> u64 {
    /// A placeholder and the message around it.
    const PLACEHOLDER_TOKENS: u64 = 12;
    /// What stands beside the arguments of a call.
    const NOTE_TOKENS: u64 = 25;
    const CHARS_PER_TOKEN: u64 = 4;
    let full_tokens = target.item.full.estimate_tokens;
    match form {
        CutForm::Clear { .. } => PLACEHOLDER_TOKENS,
        CutForm::Trim {
            head_chars,
            tail_chars,
            ..
        } => {
            let kept = (head_chars + tail_chars) as f64 / target.chars.max(1) as f64;
            (full_tokens as f64 * kept.min(1.0)) as u64 + PLACEHOLDER_TOKENS
        }
        CutForm::Difference { text, .. } => text.len() as u64 / CHARS_PER_TOKEN,
        CutForm::Arguments { calls } => {
            let left_out = target.chars as u64 / CHARS_PER_TOKEN;
            full_tokens.saturating_sub(left_out) + NOTE_TOKENS * calls.len() as u64
        }
    }
}
