//! The list of items as it grows, with its running totals and what providers measured
//! of it. Every field is persistent or small, so a list can be cloned at any point
//! and continued in two ways.

use std::sync::{Arc, OnceLock};

use rpds::VectorSync;

use super::carried::CarriedCounts;
use super::measure::UnsharedCount;
use crate::context::apportion::apportion;
use crate::context::calibration::Fit;
use crate::context::prune::CallKey;
use crate::context::tail::is_silent;
use crate::context::view::{
    ByCategory, Category, Disposition, FullSize, GuardReport, Items, LeftOut, RepairReport, Role,
    ViewItem, scaled,
};
use crate::transcript::{Author, EntryId, Message};

/// Items before the conversation: system and tools.
pub const FRAME_ITEMS: usize = 2;
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

/// What pruning does to a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PruneTotals {
    pub trimmed: u64,
    pub cleared: u64,
    /// Uncalibrated estimate of what it keeps out and nobody counted,
    pub saved_estimate: u64,
    /// and what it keeps out of what was counted.
    pub saved_counted: u64,
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
    /// What was counted of entries before the newest change of what is sent.
    pub carried: Option<Arc<CarriedCounts>>,
    /// A measurement of the whole front that is not shared out yet.
    pub unshared: Option<UnsharedCount>,
    pub repair: RepairReport,
    pub guard: GuardReport,
    pub pruned: PruneTotals,
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
            carried: None,
            unshared: None,
            repair: RepairReport::default(),
            guard: GuardReport::default(),
            pruned: PruneTotals::default(),
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
        item.tokens = self.count(&item);
        item.full.counted_tokens = self.count_in_full(&item);
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

    /// What an item counts as sent: by what was counted of it before, or as estimated.
    pub fn count(&self, item: &ViewItem) -> u64 {
        match &item.entry {
            Some(entry) => self.count_of(entry, item.estimate_tokens),
            None => self.scale(item.estimate_tokens),
        }
    }

    /// What was counted of an item before it was cut.
    pub fn count_in_full(&self, item: &ViewItem) -> Option<u64> {
        let carried = self
            .carried
            .as_ref()
            .filter(|_| item.out_estimate_tokens() > 0)?;
        carried.tokens_at(item.entry.as_ref()?, item.full.estimate_tokens)
    }

    /// What an entry would count if it were estimated so.
    pub fn count_of(&self, entry: &EntryId, estimate_tokens: u64) -> u64 {
        let carried = self.carried.as_ref();
        let Some(share) = carried.and_then(|carried| carried.shares.get(entry)) else {
            return self.scale(estimate_tokens);
        };
        let grown = || share.tokens + self.scale(estimate_tokens - share.estimate);
        share.at(estimate_tokens).unwrap_or_else(grown)
    }

    /// System and tools as measured, or as estimated with the fixed part shared out.
    pub fn frame_shares(&self, frame: FrameTokens, fit: &Fit) -> (u64, u64) {
        if let Some(measured) = self.measured {
            return (measured.system, measured.tools);
        }
        if let Some(carried) = &self.carried {
            return (carried.system, carried.tools);
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

    pub fn count_cut(&mut self, item: &ViewItem) {
        let Some(counter) = self.counter_of(item) else {
            return;
        };
        *counter += 1;
        if !is_by_guard(item) {
            let (estimate, counted) = saved(item);
            self.pruned.saved_estimate += estimate;
            self.pruned.saved_counted += counted;
        }
    }

    /// Where a cut item is counted: with the guard's or with pruning's.
    fn counter_of(&mut self, item: &ViewItem) -> Option<&mut u64> {
        match (item.disposition, is_by_guard(item)) {
            (Disposition::Truncated, _) | (Disposition::Trimmed, true) => {
                Some(&mut self.guard.truncated)
            }
            (Disposition::Cleared, true) => Some(&mut self.guard.cleared),
            (Disposition::Trimmed, false) => Some(&mut self.pruned.trimmed),
            (Disposition::Cleared, false) => Some(&mut self.pruned.cleared),
            _ => None,
        }
    }

    /// Puts another item in the place of one, with its estimates in `item`.
    pub fn replace(&mut self, at: usize, mut item: ViewItem) {
        let Some(old) = self.items.get(at).cloned() else {
            return;
        };
        item.tokens = self.count(&item);
        item.full.counted_tokens = self.count_in_full(&item);
        self.totals.sub(old.category, old.tokens);
        self.totals.add(item.category, item.tokens);
        self.estimate = (self.estimate + item.estimate_tokens).saturating_sub(old.estimate_tokens);
        self.uncount_cut(&old);
        self.count_cut(&item);
        self.note_tokens(&item, old.tokens);
        self.changed_from = self.changed_from.min(at);
        self.items.set_mut(at, Arc::new(item));
    }

    pub fn uncount_cut(&mut self, item: &ViewItem) {
        let Some(counter) = self.counter_of(item) else {
            return;
        };
        *counter = counter.saturating_sub(1);
        if !is_by_guard(item) {
            let (estimate, counted) = saved(item);
            self.pruned.saved_estimate -= estimate;
            self.pruned.saved_counted -= counted;
        }
    }

    /// Keeps what depends on the tokens of one item in step with them.
    pub fn note_tokens(&mut self, item: &ViewItem, before: u64) {
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
        full: FullSize::estimated(0),
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

/// What a cut item lacks: by estimate, or by what was counted.
fn saved(item: &ViewItem) -> (u64, u64) {
    match item.full.counted_tokens {
        Some(full) => (0, full.saturating_sub(item.tokens)),
        None => (item.out_estimate_tokens(), 0),
    }
}

fn is_by_guard(item: &ViewItem) -> bool {
    item.policy.as_deref() == Some("guard")
}
