//! What a context engine chooses from, and its choice.
//!
//! A list is offered as atomic groups: an answer with the results of its calls, or one message.
//! A group is sent or left out as a whole, so a choice can never part a call from its result.
//! The choice is applied in `crate::context::projection`; guards, pruning and counting then
//! work on what was chosen.

use std::ops::Range;
use std::sync::Arc;

use super::projection::FRAME_ITEMS;
use super::recall::spoken_text;
use super::view::{Category, Items, Role, ViewItem, WindowReport};
use crate::transcript::{EntryId, Transcript};

/// Estimates may be this much too low before a choice changes: what a provider counts moves the
/// calibration a little with every request, and a choice that follows it empties the cache.
const STEADY_MARGIN: f64 = 1.25;

/// An atomic group of items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateGroup {
    /// Its positions in the items.
    pub items: Range<usize>,
    /// Number of the turn it belongs to.
    pub turn: u32,
    /// Its tokens by estimate.
    pub estimate_tokens: u64,
    /// A message that a person typed.
    pub is_ask: bool,
    /// Pinned or restored, the newest message of the user, or the newest group: always sent.
    pub is_required: bool,
}

/// The tokens that groups may take, by estimate. `None` where the window is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SelectionBudget {
    /// Follows from settings and model alone: the same choice from one request to the next.
    pub steady_tokens: Option<u64>,
    /// By the present calibration: what is above it reaches the load line.
    pub hard_tokens: Option<u64>,
}

impl SelectionBudget {
    /// What is left of the load line beside `fixed_tokens`. `factor` is the present factor of
    /// estimates, `usual_factor` the model's before anything was counted.
    pub(super) fn of(
        window: &WindowReport,
        fixed_tokens: u64,
        factor: f64,
        usual_factor: f64,
    ) -> Self {
        if window.tokens.is_none() {
            return Self::default();
        }
        let room = |line: f64, factor: f64| {
            let estimate = (line / factor.max(f64::EPSILON)) as u64;
            Some(estimate.saturating_sub(fixed_tokens))
        };
        Self {
            steady_tokens: room(window.load_line as f64 / STEADY_MARGIN, usual_factor),
            hard_tokens: room(window.load_line_effective as f64, factor),
        }
    }

    /// The smaller one.
    pub fn least(self) -> Option<u64> {
        let (steady, hard) = (self.steady_tokens?, self.hard_tokens?);
        Some(steady.min(hard))
    }
}

/// What an engine chooses from.
#[derive(Clone, Copy, Debug)]
pub struct Candidates<'a> {
    /// The whole list, system prompt and tools included.
    pub items: &'a Items,
    /// Its groups in order. What is in none of them is always sent: system prompt, tools,
    /// summary.
    pub groups: &'a [CandidateGroup],
    /// The tokens they may take.
    pub budget: SelectionBudget,
    /// The log, with every message as it was said.
    pub transcript: &'a Transcript,
}

impl Candidates<'_> {
    /// The items of a group.
    pub fn of(&self, group: &CandidateGroup) -> impl Iterator<Item = &Arc<ViewItem>> {
        let places = group.items.clone();
        places.filter_map(|at| self.items.get(at))
    }

    /// The turn of the newest group.
    pub fn newest_turn(&self) -> u32 {
        self.groups.last().map_or(0, |group| group.turn)
    }

    /// What an entry says, as it is in the log: an answer with its calls. What only repeats
    /// what was recalled says nothing.
    pub fn text_of(&self, entry: &EntryId) -> String {
        let entry = self.transcript.get(entry);
        let spoken = entry.and_then(|entry| spoken_text(entry));
        spoken.map(|spoken| spoken.text).unwrap_or_default()
    }

    /// Tokens by estimate of the groups at these places.
    pub fn tokens_of(&self, groups: impl IntoIterator<Item = usize>) -> u64 {
        let groups = groups.into_iter().filter_map(|at| self.groups.get(at));
        groups.map(|group| group.estimate_tokens).sum()
    }
}

/// What becomes of a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum GroupChoice {
    /// It is sent.
    #[default]
    Send,
    /// It is sent for this reason.
    SendBecause(Arc<str>),
    /// It is left out for this reason.
    LeaveOut(Arc<str>),
}

impl GroupChoice {
    /// Whether it is sent.
    pub fn is_sent(&self) -> bool {
        !matches!(self, Self::LeaveOut(_))
    }
}

/// The choice of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// One for each group; missing ones are sent.
    pub choices: Vec<GroupChoice>,
    /// Said to the model before the conversation.
    pub note: Option<String>,
    /// Even what has to be sent is too long: results are cleared.
    pub is_too_long: bool,
}

impl Selection {
    /// Whether every group is sent as it is, and nothing is said besides.
    pub fn is_everything(&self) -> bool {
        let is_plain = |choice: &GroupChoice| *choice == GroupChoice::Send;
        self.note.is_none() && self.choices.iter().all(is_plain)
    }

    /// The choice for the group at a place.
    pub fn choice(&self, at: usize) -> &GroupChoice {
        self.choices.get(at).unwrap_or(&GroupChoice::Send)
    }
}

/// The groups of the newest list. As a rule the next one has only more items behind.
#[derive(Default)]
pub(super) struct KeptCandidates {
    items: Items,
    newest_ask: Option<usize>,
    groups: Vec<CandidateGroup>,
}

impl KeptCandidates {
    /// The groups of a list.
    pub(super) fn groups_of(
        &mut self,
        items: &Items,
        newest_ask: Option<usize>,
    ) -> Vec<CandidateGroup> {
        let same = self.items.iter().zip(items).skip(FRAME_ITEMS);
        let same = same.take_while(|(before, now)| Arc::ptr_eq(before, now));
        let same = FRAME_ITEMS + same.count();
        let is_kept = |group: &&CandidateGroup| group.items.end <= same;
        let kept = self.groups.iter().take_while(is_kept).count();
        // The newest group is required because it is, and may get more items; the newest
        // message of the user as long as there is no other.
        let mut kept = kept.min(self.groups.len().saturating_sub(1));
        if newest_ask != self.newest_ask {
            let is_ask = |group: &CandidateGroup| group.is_ask && group.is_required;
            kept = kept.min(self.groups.iter().rposition(is_ask).unwrap_or(kept));
        }
        self.groups.truncate(kept);
        let from = self
            .groups
            .last()
            .map_or(FRAME_ITEMS, |group| group.items.end);
        add_groups(&mut self.groups, items, from, newest_ask);
        self.items = items.clone();
        self.newest_ask = newest_ask;
        self.groups.clone()
    }
}

/// Adds the groups of the items from a position on.
fn add_groups(
    groups: &mut Vec<CandidateGroup>,
    items: &Items,
    from: usize,
    newest_ask: Option<usize>,
) {
    // Made up by repair: it goes with what follows it.
    let mut ahead: Option<usize> = None;
    for at in from..items.len() {
        let Some(item) = items.get(at) else { break };
        if is_opening(item) {
            continue;
        }
        if item.entry.is_none() && item.role != Role::Tool {
            ahead.get_or_insert(at);
            continue;
        }
        let is_part = item.role == Role::Tool && ahead.is_none();
        if let Some(group) = groups.last_mut().filter(|_| is_part) {
            group.items.end = at + 1;
            group.estimate_tokens += item.estimate_tokens;
            group.is_required |= is_held(item);
            continue;
        }
        let start = ahead.take().unwrap_or(at);
        let before = (start..at).filter_map(|at| items.get(at));
        groups.push(CandidateGroup {
            items: start..at + 1,
            turn: item.turn,
            estimate_tokens: item.estimate_tokens
                + before.map(|item| item.estimate_tokens).sum::<u64>(),
            is_ask: item.is_ask(),
            is_required: is_held(item) || newest_ask == Some(at),
        });
    }
    if let Some(last) = groups.last_mut() {
        last.is_required = true;
        if ahead.is_some() {
            last.items.end = items.len();
        }
    }
}

/// The summary and the block of rules: no engine leaves them out.
pub(super) fn is_opening(item: &ViewItem) -> bool {
    item.is_compaction() || item.category == Category::Rules
}

fn is_held(item: &ViewItem) -> bool {
    item.is_pinned() || item.is_restored()
}
