//! `sliding-window`: the newest whole turns that fit, and no model call.
//!
//! The window moves in steps: when the conversation reaches the budget, the oldest turns go
//! until the rest takes `KEPT_SHARE` of it. Between two steps a request begins as the one
//! before it, so the provider's cache stays warm. The steps follow from the conversation alone,
//! so a restart finds the same window.

use std::borrow::Cow;
use std::sync::Arc;

use super::EngineFailure;
use super::EngineInfo;
use super::selecting::SelectionPolicy;
use crate::context::selection::{Candidates, GroupChoice, Selection};
use crate::transcript::{grouped, plural};

/// Share of the budget that the window takes after it moved.
const KEPT_SHARE: f64 = 0.6;

/// See the module's description.
#[derive(Debug, Default)]
pub struct SlidingWindow;

impl SlidingWindow {
    /// Its id.
    pub const ID: &str = "sliding-window";
    /// One line for people.
    pub const DESCRIPTION: &str =
        "the newest whole turns that fit, with pins and rules; no summary, no model call";
}

impl SelectionPolicy for SlidingWindow {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: Self::ID,
            description: Cow::Borrowed(Self::DESCRIPTION),
            owns_compaction: true,
            is_choosing: true,
        }
    }

    fn select(&mut self, candidates: &Candidates<'_>) -> Result<Selection, EngineFailure> {
        Ok(newest_turns(candidates))
    }
}

/// The newest whole turns within the budget.
pub(super) fn newest_turns(candidates: &Candidates<'_>) -> Selection {
    let budget = candidates.budget;
    let (Some(steady), Some(hard)) = (budget.steady_tokens, budget.hard_tokens) else {
        return Selection::default();
    };
    let mut window = MovingWindow::new(candidates);
    window.replay_to(candidates.groups.len(), steady);
    window.narrow(hard);
    window.selection(hard)
}

/// A window over the groups while it moves.
pub(super) struct MovingWindow<'a> {
    candidates: &'a Candidates<'a>,
    is_left: Vec<bool>,
    /// Tokens of the groups up to the one that is looked at, without those that are left.
    tokens: u64,
    /// The first group of the oldest turn that is not wholly left.
    start: usize,
    /// Groups before this one were left out of their turn already.
    inner: usize,
    /// The first group that the window did not reach yet.
    next: usize,
}

impl<'a> MovingWindow<'a> {
    pub(super) fn new(candidates: &'a Candidates<'a>) -> Self {
        Self {
            candidates,
            is_left: vec![false; candidates.groups.len()],
            tokens: 0,
            start: 0,
            inner: 0,
            next: 0,
        }
    }

    /// Moves the window as it moved while the conversation grew up to a group.
    pub(super) fn replay_to(&mut self, end: usize, budget_tokens: u64) {
        let kept = (budget_tokens as f64 * KEPT_SHARE) as u64;
        let end = end.min(self.candidates.groups.len());
        for at in std::mem::replace(&mut self.next, end)..end {
            self.tokens += self.candidates.groups[at].estimate_tokens;
            if self.tokens > budget_tokens {
                self.leave_turns(at, kept);
            }
            if self.tokens > budget_tokens {
                self.leave_groups(at, kept);
            }
        }
    }

    /// Leaves out what is still too much.
    pub(super) fn narrow(&mut self, budget_tokens: u64) {
        let Some(last) = self.candidates.groups.len().checked_sub(1) else {
            return;
        };
        if self.tokens > budget_tokens {
            self.leave_turns(last, budget_tokens);
            self.leave_groups(last, budget_tokens);
        }
    }

    /// Leaves whole turns before the one of the group at `newest`, the oldest first.
    fn leave_turns(&mut self, newest: usize, target_tokens: u64) {
        let groups = self.candidates.groups;
        let current = groups[newest].turn;
        while self.tokens > target_tokens && groups[self.start].turn != current {
            let turn = groups[self.start].turn;
            while groups[self.start].turn == turn && self.start < newest {
                self.leave(self.start);
                self.start += 1;
            }
        }
    }

    /// Leaves groups of the newest turn, which alone is too long; what was asked stays.
    fn leave_groups(&mut self, newest: usize, target_tokens: u64) {
        let groups = self.candidates.groups;
        self.inner = self.inner.max(self.start);
        while self.tokens > target_tokens && self.inner < newest {
            if !groups[self.inner].is_ask {
                self.leave(self.inner);
            }
            self.inner += 1;
        }
    }

    fn leave(&mut self, at: usize) {
        let group = &self.candidates.groups[at];
        if !group.is_required && !std::mem::replace(&mut self.is_left[at], true) {
            self.tokens -= group.estimate_tokens;
        }
    }

    /// For each group whether it is outside the window.
    pub(super) fn left_groups(&self) -> &[bool] {
        &self.is_left
    }

    /// Tokens of what is inside.
    pub(super) fn tokens(&self) -> u64 {
        self.tokens
    }

    /// The window as a choice.
    fn selection(self, hard_tokens: u64) -> Selection {
        let groups = self.candidates.groups;
        let left = self.is_left.iter().filter(|left| **left).count();
        if left == 0 {
            return Selection {
                is_too_long: self.tokens > hard_tokens,
                ..Selection::default()
            };
        }
        let first = groups.get(self.start).map_or(0, |group| group.turn);
        let outside: Arc<str> =
            Arc::from(format!("outside the window, which begins at turn {first}"));
        let within: Arc<str> = Arc::from(format!(
            "outside the window: turn {first} is longer than its {} tokens",
            grouped(hard_tokens)
        ));
        let choice = |(at, left): (usize, &bool)| match left {
            true if at < self.start => GroupChoice::LeaveOut(Arc::clone(&outside)),
            true => GroupChoice::LeaveOut(Arc::clone(&within)),
            false => GroupChoice::Send,
        };
        Selection {
            choices: self.is_left.iter().enumerate().map(choice).collect(),
            note: Some(note(left)),
            is_too_long: self.tokens > hard_tokens,
        }
    }
}

/// What the model is told of groups that are left out.
pub(super) fn note(left: usize) -> String {
    let what = plural(left as u64, "earlier message");
    format!(
        "[{what} of this conversation are not shown here: they are outside the context window. \
         What is shown is unchanged.]"
    )
}
