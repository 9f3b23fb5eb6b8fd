//! The list of items as it grows, with its running totals and what providers measured
//! of it. Every field is persistent or small, so a list can be cloned at any point
//! and continued in two ways.

use std::sync::{Arc, OnceLock};

use rpds::VectorSync;

use crate::context::apportion::apportion;
use crate::context::calibration::{Calibration, Fit, MAX_BELIEVED_TOKENS};
use crate::context::prune::CallKey;
use crate::context::tail::is_silent;
use crate::context::view::{
    ByCategory, Category, Disposition, GuardReport, Items, LeftOut, RepairReport, Role, ViewItem,
    scaled,
};
use crate::transcript::{Author, EntryId, Message};

/// Items before the conversation: system and tools.
pub const FRAME_ITEMS: usize = 2;
/// A measured segment whose provider count differs from the estimate by more than
/// this factor is not believed; then the whole prefix is shared out anew.
const PLAUSIBLE_RATIO: f64 = 6.0;
/// Within this many tokens a difference is believed whatever the ratio: providers add
/// markup that weighs more than a short message does.
const PLAUSIBLE_SLACK_TOKENS: u64 = 500;

/// A tool result in the list, with what pruning wants to know.
#[derive(Clone, Debug)]
pub struct ResultInfo {
    /// Position in the items.
    pub at: usize,
    /// Its entry.
    pub entry: EntryId,
    /// The result before any cut: what cuts are made from and applied to.
    pub whole: Arc<Message>,
    /// Characters of the original text.
    pub chars: usize,
    /// The message with the call, and which part of it that is; `None` for what the user ran.
    pub call: Option<(Arc<Message>, usize)>,
    /// What pruning compares calls by; made when it is first asked for.
    pub key: OnceLock<CallKey>,
    /// One number for each line of a file that it holds; made when it is first asked for.
    pub lines: OnceLock<Arc<[u64]>>,
    /// Failed.
    pub is_error: bool,
    /// Pinned or restored.
    pub is_exempt: bool,
}

impl ResultInfo {
    /// The text that cuts are made from: of a command of the user's what it printed.
    pub fn text(&self) -> String {
        match self.whole.as_ref() {
            Message::BashExecution(run) => run.output.clone(),
            whole => whole.text(),
        }
    }
}

/// What a provider counted of the front of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Tokens of system, tools and the items before `upto`.
    pub tokens: u64,
    /// Items that this covers, system and tools included.
    pub upto: usize,
    /// Whether the item at `upto` (the answer) was counted too.
    pub answer_counted: bool,
    pub system: u64,
    pub tools: u64,
}

/// System prompt and tools: what they cost by estimate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameTokens {
    pub system: u64,
    pub tools: u64,
}

/// A measurement that gives every item before `upto` a new share. Only the newest one
/// matters, so it waits until numbers are asked for: a log in which each of them
/// surprises stays linear.
#[derive(Clone, Debug)]
struct Unshared {
    prompt_tokens: u64,
    upto: usize,
    frame: FrameTokens,
    calibration: Calibration,
}

/// See the module's description.
#[derive(Clone, Debug)]
pub struct SentList {
    pub items: Items,
    pub left_out: VectorSync<Arc<LeftOut>>,
    pub results: VectorSync<Arc<ResultInfo>>,
    /// Positions of items with attachments.
    pub media: VectorSync<usize>,
    /// Positions of assistant items.
    pub answers: VectorSync<usize>,
    /// Position of the first user message that is not a summary.
    pub first_user: Option<usize>,
    /// Position of the newest message that opens a turn.
    pub newest_ask: Option<usize>,
    /// Position of the newest summary.
    pub newest_summary: Option<usize>,
    /// Conversation tokens by category, without system and tools.
    pub totals: ByCategory,
    /// Uncalibrated estimate of the conversation.
    pub estimate: u64,
    pub measured: Option<Measured>,
    /// A measurement of the whole front that is not shared out yet.
    unshared: Option<Unshared>,
    pub repair: RepairReport,
    pub guard: GuardReport,
    pub trimmed: u64,
    pub cleared: u64,
    /// Uncalibrated estimate of what pruning keeps out.
    pub saved_estimate: u64,
    /// Items that no summary takes: pinned and restored ones, and their tokens.
    pub held: (u64, u64),
    /// Items that add nothing to a summary.
    pub silent: u64,
    /// Items from this position on may have changed since [`SentList::mark_seen`].
    pub changed_from: usize,
    /// No tool result has more tokens than this.
    pub largest_result: u64,
    /// No tool result that is sent whole has more characters than this.
    pub longest_result: usize,
    factor: f64,
}

impl SentList {
    /// An empty list with room for system and tools.
    pub fn new() -> Self {
        let mut items = Items::new_sync();
        for category in [Category::System, Category::Tools] {
            items.push_back_mut(Arc::new(frame_item(category)));
        }
        Self {
            items,
            left_out: VectorSync::new_sync(),
            results: VectorSync::new_sync(),
            media: VectorSync::new_sync(),
            answers: VectorSync::new_sync(),
            first_user: None,
            newest_ask: None,
            newest_summary: None,
            totals: ByCategory::default(),
            estimate: 0,
            measured: None,
            unshared: None,
            repair: RepairReport::default(),
            guard: GuardReport::default(),
            trimmed: 0,
            cleared: 0,
            saved_estimate: 0,
            held: (0, 0),
            silent: 0,
            changed_from: 0,
            largest_result: 0,
            longest_result: 0,
            factor: 1.0,
        }
    }

    /// Estimates of items that follow are scaled by this.
    pub fn set_factor(&mut self, factor: f64) {
        self.factor = factor;
    }

    /// Appends an item; its tokens follow from its estimates.
    pub fn push(&mut self, mut item: ViewItem) {
        let at = self.items.len();
        item.tokens = self.scale(item.estimate_tokens);
        self.totals.add(item.category, item.tokens);
        self.estimate += item.estimate_tokens;
        self.count_cut(&item);
        if item.pinned || item.restored {
            self.held = (self.held.0 + 1, self.held.1 + item.tokens);
        }
        self.silent += u64::from(is_silent(item.disposition));
        match item.role {
            Role::Assistant => self.answers.push_back_mut(at),
            Role::User if item.category != Category::Summary => {
                self.first_user.get_or_insert(at);
            }
            Role::User if item.entry.is_some() => self.newest_summary = Some(at),
            _ => {}
        }
        if item.is_ask() {
            self.newest_ask = Some(at);
        }
        if item
            .sent
            .as_ref()
            .is_some_and(|message| message.images().next().is_some())
        {
            self.media.push_back_mut(at);
        }
        self.items.push_back_mut(Arc::new(item));
    }

    /// An estimate as the calibrated ruler would have it.
    pub fn scale(&self, estimate_tokens: u64) -> u64 {
        scaled(estimate_tokens, self.factor)
    }

    /// System and tools as measured, or as estimated with the fixed part shared out.
    pub fn frame_shares(&self, frame: FrameTokens, fit: &Fit) -> (u64, u64) {
        if let Some(measured) = self.measured {
            return (measured.system, measured.tools);
        }
        let FrameTokens { system, tools } = frame;
        let has_frame = system + tools > 0;
        let fixed = if has_frame {
            fit.fixed_tokens() as u64
        } else {
            0
        };
        let shares = apportion(fixed, &[system, tools]);
        let factor = fit.factor();
        (
            scaled(system, factor) + shares[0],
            scaled(tools, factor) + shares[1],
        )
    }

    /// What is known about the tool result at a position.
    pub fn result_at(&self, at: usize) -> Option<&Arc<ResultInfo>> {
        let (mut low, mut high) = (0, self.results.len());
        while low < high {
            let middle = low.midpoint(high);
            let info = self.results.get(middle)?;
            match info.at.cmp(&at) {
                std::cmp::Ordering::Equal => return Some(info),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Tokens of the conversation's items between two positions. Adds up whichever side
    /// is shorter: as a rule nearly all of a long list, or nearly nothing.
    pub fn tokens_within(&self, from: usize, upto: usize) -> u64 {
        let upto = upto.min(self.items.len());
        let from = from.clamp(FRAME_ITEMS, upto.max(FRAME_ITEMS));
        let sum = |from: usize, upto: usize| -> u64 {
            let items = (from..upto).filter_map(|at| self.items.get(at));
            items.map(|item| item.tokens).sum()
        };
        if upto.saturating_sub(from) <= self.items.len() / 2 {
            return sum(from, upto);
        }
        let around = sum(FRAME_ITEMS, from) + sum(upto, self.items.len());
        self.totals.total().saturating_sub(around)
    }

    /// Items and tokens that a provider counted, the answer included.
    pub fn counted(&self) -> (usize, u64) {
        let Some(measured) = self.measured else {
            return (0, 0);
        };
        if !measured.answer_counted {
            return (measured.upto, measured.tokens);
        }
        let answer = self.items.get(measured.upto).map_or(0, |item| item.tokens);
        (measured.upto + 1, measured.tokens + answer)
    }

    /// Appends a tool result.
    pub fn push_result(&mut self, item: ViewItem, info: ResultInfo) {
        self.push(item);
        if let Some(item) = self.items.last() {
            self.largest_result = self.largest_result.max(item.tokens);
            if !item.disposition.is_cut() {
                self.longest_result = self.longest_result.max(info.chars);
            }
        }
        self.results.push_back_mut(Arc::new(info));
    }

    fn count_cut(&mut self, item: &ViewItem) {
        let Some(counter) = self.counter_of(item) else {
            return;
        };
        *counter += 1;
        if !is_by_guard(item) {
            self.saved_estimate += item.out_estimate_tokens();
        }
    }

    /// Where a cut item is counted: with the guard's or with pruning's.
    fn counter_of(&mut self, item: &ViewItem) -> Option<&mut u64> {
        match (item.disposition, is_by_guard(item)) {
            (Disposition::Truncated, _) | (Disposition::Trimmed, true) => {
                Some(&mut self.guard.truncated)
            }
            (Disposition::Cleared, true) => Some(&mut self.guard.cleared),
            (Disposition::Trimmed, false) => Some(&mut self.trimmed),
            (Disposition::Cleared, false) => Some(&mut self.cleared),
            _ => None,
        }
    }

    /// A provider counted everything so far (and the frame) as `prompt_tokens`: share
    /// that out, so that the items add up to it.
    ///
    /// As a rule only what is new since the last measurement gets a share of the
    /// difference, so the numbers of older items stay what they were.
    pub fn measure(&mut self, prompt_tokens: u64, frame: FrameTokens, calibration: &Calibration) {
        let upto = self.items.len();
        if prompt_tokens > MAX_BELIEVED_TOKENS {
            return;
        }
        if let Some(before) = self.measured
            && let Some((from, delta)) = self.newly_counted(before, upto, prompt_tokens)
        {
            self.share(from, upto, delta);
            self.measured = Some(Measured {
                tokens: prompt_tokens,
                upto,
                answer_counted: false,
                ..before
            });
            return;
        }
        self.measured = Some(Measured {
            tokens: prompt_tokens,
            upto,
            answer_counted: false,
            system: 0,
            tools: 0,
        });
        self.unshared = Some(Unshared {
            prompt_tokens,
            upto,
            frame,
            calibration: calibration.clone(),
        });
    }

    /// From where on items are new to the provider, and the tokens they have together:
    /// behind the last answer if that was counted by itself and still fits, else with it.
    fn newly_counted(
        &self,
        before: Measured,
        upto: usize,
        prompt_tokens: u64,
    ) -> Option<(usize, u64)> {
        let starts = [self.counted(), (before.upto, before.tokens)];
        starts.into_iter().find_map(|(from, tokens)| {
            let delta = prompt_tokens.checked_sub(tokens)?;
            self.is_plausible(from, upto, delta)
                .then_some((from, delta))
        })
    }

    fn is_plausible(&self, from: usize, upto: usize, tokens: u64) -> bool {
        let items = (from..upto).filter_map(|at| self.items.get(at));
        let estimate: u64 = items.map(|item| item.estimate_tokens).sum();
        if upto == from {
            return tokens == 0;
        }
        let ratio = tokens as f64 / estimate.max(1) as f64;
        (1.0 / PLAUSIBLE_RATIO..=PLAUSIBLE_RATIO).contains(&ratio)
            || tokens.abs_diff(estimate) <= PLAUSIBLE_SLACK_TOKENS
    }

    /// The fixed part that calibration knows goes to system and tools; the rest is
    /// shared by everything in proportion to its estimate.
    pub fn share_out(&mut self) {
        let Some(Unshared {
            prompt_tokens,
            upto,
            frame,
            calibration,
        }) = self.unshared.take()
        else {
            return;
        };
        let has_frame = frame.system + frame.tools > 0;
        let fixed = if has_frame {
            calibration.fit().fixed_tokens() as u64
        } else {
            0
        };
        let fixed = fixed.min(prompt_tokens);
        let mut weights = vec![frame.system, frame.tools];
        weights.extend(self.estimates(FRAME_ITEMS, upto));
        let shares = apportion(prompt_tokens - fixed, &weights);
        let fixed_shares = apportion(fixed, &[frame.system, frame.tools]);
        for (offset, &tokens) in shares.iter().enumerate().skip(FRAME_ITEMS) {
            self.set_tokens(offset, tokens);
        }
        if let Some(measured) = &mut self.measured {
            measured.system = shares[0] + fixed_shares[0];
            measured.tools = shares[1] + fixed_shares[1];
        }
    }

    /// The provider counted the answer that was just pushed as this many tokens.
    pub fn measure_answer(&mut self, output_tokens: u64) {
        let Some(mut measured) = self.measured else {
            return;
        };
        let at = measured.upto;
        let is_last = at + 1 == self.items.len();
        if is_last && self.is_plausible(at, at + 1, output_tokens) {
            self.set_tokens(at, output_tokens);
            measured.answer_counted = true;
            self.measured = Some(measured);
        }
    }

    /// Scales everything that no provider counted by the present factor.
    pub fn rescale(&mut self) {
        let from = match self.measured {
            None => FRAME_ITEMS,
            Some(measured) => measured.upto + usize::from(measured.answer_counted),
        };
        for at in from..self.items.len() {
            let tokens = self
                .items
                .get(at)
                .map_or(0, |item| self.scale(item.estimate_tokens));
            self.set_tokens(at, tokens);
        }
    }

    /// Forgets what providers counted: the list is no longer what they saw.
    pub fn forget_measurement(&mut self) {
        self.unshared = None;
        if self.measured.take().is_some() {
            self.rescale();
        }
    }

    /// Puts another item in the place of one, with its estimates in `item`.
    pub fn replace(&mut self, at: usize, mut item: ViewItem) {
        let Some(old) = self.items.get(at).cloned() else {
            return;
        };
        item.tokens = self.scale(item.estimate_tokens);
        self.totals.sub(old.category, old.tokens);
        self.totals.add(item.category, item.tokens);
        self.estimate = (self.estimate + item.estimate_tokens).saturating_sub(old.estimate_tokens);
        self.uncount_cut(&old);
        self.count_cut(&item);
        self.note_tokens(&item, old.tokens);
        self.changed_from = self.changed_from.min(at);
        self.items.set_mut(at, Arc::new(item));
    }

    fn uncount_cut(&mut self, item: &ViewItem) {
        let Some(counter) = self.counter_of(item) else {
            return;
        };
        *counter = counter.saturating_sub(1);
        if !is_by_guard(item) {
            self.saved_estimate -= item.out_estimate_tokens();
        }
    }

    fn estimates(&self, from: usize, upto: usize) -> Vec<u64> {
        (from..upto)
            .filter_map(|at| self.items.get(at))
            .map(|item| item.estimate_tokens)
            .collect()
    }

    fn share(&mut self, from: usize, upto: usize, tokens: u64) {
        for (offset, share) in apportion(tokens, &self.estimates(from, upto))
            .iter()
            .enumerate()
        {
            self.set_tokens(from + offset, *share);
        }
    }

    fn set_tokens(&mut self, at: usize, tokens: u64) {
        if self.items.get(at).is_none_or(|item| item.tokens == tokens) {
            return;
        }
        let Some(shared) = self.items.get_mut(at) else {
            return;
        };
        self.changed_from = self.changed_from.min(at);
        // In place, unless a view still shows it.
        let item = Arc::make_mut(shared);
        let before = item.tokens;
        item.tokens = tokens;
        let item = Arc::clone(shared);
        self.totals.sub(item.category, before);
        self.totals.add(item.category, tokens);
        self.note_tokens(&item, before);
    }

    /// Keeps what depends on the tokens of one item in step with them.
    fn note_tokens(&mut self, item: &ViewItem, before: u64) {
        if item.category == Category::ToolResults {
            self.largest_result = self.largest_result.max(item.tokens);
        }
        if item.pinned || item.restored {
            self.held.1 = (self.held.1 + item.tokens).saturating_sub(before);
        }
    }

    /// Whoever looked at the list as it is knows all of it.
    pub fn mark_seen(&mut self) {
        self.changed_from = usize::MAX;
    }

    /// Leaves an entry out of what is sent.
    pub fn leave_out(&mut self, left: LeftOut) {
        self.left_out.push_back_mut(Arc::new(left));
    }
}

/// The item of the system prompt or the tools, before its numbers are known.
pub fn frame_item(category: Category) -> ViewItem {
    ViewItem {
        entry: None,
        role: Role::System,
        category,
        tokens: 0,
        estimate_tokens: 0,
        full_estimate_tokens: 0,
        disposition: Disposition::Sent,
        reason: None,
        policy: None,
        phase: None,
        turn: 0,
        author: Author::Plimsoll,
        pinned: false,
        restored: false,
        timestamp: None,
        preview: Arc::from(category.name()),
        sent: None,
    }
}

fn is_by_guard(item: &ViewItem) -> bool {
    item.policy.as_deref() == Some("guard")
}
