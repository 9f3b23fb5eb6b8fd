//! [`ContextView`]: the ordered list of what the next request carries, with the
//! reason and the price of every item. The gauge, the ledger, the request encoder,
//! `plim context --json` and the tests all read this one value.
//!
//! Invariants: every entry of the active branch that speaks to the model is in
//! `items` or in `left_out`, exactly once; `usage.tokens` = Σ `usage.by_category`
//! = Σ `items[].tokens`.

use std::sync::Arc;

use rpds::VectorSync;

pub use super::category::{ByCategory, Category};
pub use super::disposition::Disposition;
use super::rules::RulesReport;

use crate::transcript::{
    Author, EntryId, EntryOverride, Message, ServerEdits, ServerGroup, Timestamp, ToolSchema,
    WindowSource, grouped, plural,
};

/// Persistent list: cloning a view, or appending to the next one, shares the rest.
pub type Items = VectorSync<Arc<ViewItem>>;

/// The content of the next request, with the reasons. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ContextView {
    /// The window and the levels drawn in it.
    pub window: WindowReport,
    /// How the numbers were measured.
    pub ruler: RulerReport,
    /// Tokens in all and by category.
    pub usage: UsageReport,
    /// The sent items, in order: system, tools, the conversation, pending input.
    pub items: Items,
    /// Entries on the branch that are not sent.
    pub left_out: VectorSync<Arc<LeftOut>>,
    /// The effect of repairing tool pairing.
    pub repair: RepairReport,
    /// The effect of the tool-result guard.
    pub guard: GuardReport,
    /// The decision and effect of the prune gate, and its forecast.
    pub prune: PruneReport,
    /// The effect of a compaction now.
    pub compaction: CompactionOutlook,
    /// The user's standing rules, and where the request holds them.
    pub rules: RulesReport,
    /// The texts of the first two items, which are not in the log.
    pub frame: FrameText,
}

/// The parts before the conversation, shared with the request.
#[derive(Clone, Debug, Default)]
pub struct FrameText {
    /// The system prompt.
    pub system: Arc<str>,
    /// The part of it that is notes about the project.
    pub memory: Option<Arc<str>>,
    /// The part of it that names skills.
    pub skills: Option<Arc<str>>,
    /// The tools on offer.
    pub tools: Arc<[ToolSchema]>,
    /// Those of them that are there for MCP servers.
    pub servers: Arc<[ServerShare]>,
}

/// What a group of tools takes of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerShare {
    /// The group.
    pub group: Arc<ServerGroup>,
    /// Tokens as the view counts.
    pub tokens: u64,
}

/// The size of an entry as it is on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FullSize {
    /// The ruler's estimate, before calibration and measurement.
    pub estimate_tokens: u64,
    /// Tokens, where a provider counted it before it was cut.
    pub counted_tokens: Option<u64>,
}

impl FullSize {
    /// The size of what nobody has counted.
    pub fn estimated(estimate_tokens: u64) -> Self {
        Self {
            estimate_tokens,
            counted_tokens: None,
        }
    }
}

/// One thing that the request carries.
#[derive(Clone, Debug)]
pub struct ViewItem {
    /// The entry it comes from; `None` for system, tools, pending and synthetic items.
    pub entry: Option<EntryId>,
    /// The provider role.
    pub role: Role,
    /// Its category on the gauge.
    pub category: Category,
    /// Tokens as sent.
    pub tokens: u64,
    /// The ruler's estimate as sent, before calibration and measurement.
    pub estimate_tokens: u64,
    /// The entry as it is on disk. What that costs by the present calibration is asked for
    /// with [`ViewItem::tokens_full`].
    pub full: FullSize,
    /// Its disposition.
    pub disposition: Disposition,
    /// Why, when the disposition is not `Sent`, or what was taken out of it all the same: one
    /// clause with the numbers.
    pub reason: Option<String>,
    /// Which rule cut it.
    pub cut_by: Option<CutRule>,
    /// Number of the turn it belongs to, from 1; 0 before the first.
    pub turn: u32,
    /// Its author.
    pub author: Author,
    /// A person's decision about it.
    pub entry_override: Option<EntryOverride>,
    /// When the entry was written; `None` for items without one.
    pub timestamp: Option<Timestamp>,
    /// First words, one line, safe to print.
    pub preview: Arc<str>,
    /// The sent message. `None` for system and tools, whose text is in [`ContextView::frame`].
    pub sent: Option<Arc<Message>>,
}

/// The rule that cut an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutRule {
    /// The prune policy, or `guard`.
    pub policy: String,
    /// The phase within the policy, e.g. `soft`.
    pub phase: &'static str,
}

impl ViewItem {
    /// Whether it stands for nothing: there are no notes about the project, no skills, no
    /// servers.
    pub fn is_empty_part(&self) -> bool {
        let may_be_missing = matches!(
            self.category,
            Category::Servers | Category::Memory | Category::Skills
        );
        may_be_missing && self.estimate_tokens == 0
    }

    /// Whether a person pinned it: it is always sent and never summarised.
    pub fn is_pinned(&self) -> bool {
        self.entry_override == Some(EntryOverride::Pin)
    }

    /// Whether a person restored it: it is exempt from automatic pruning.
    pub fn is_restored(&self) -> bool {
        self.entry_override == Some(EntryOverride::Restore)
    }

    /// Whether it is a message that a person typed: a summary never takes the newest of these.
    pub fn is_ask(&self) -> bool {
        self.category == Category::User && self.author == Author::Person
    }

    /// Whether it is the summary of a compaction.
    pub fn is_compaction(&self) -> bool {
        self.author == Author::Summariser
    }

    /// Tokens by estimate that are on disk and not sent. An edit may be larger than what
    /// it replaces: then nothing was taken out.
    pub fn out_estimate_tokens(&self) -> u64 {
        self.full
            .estimate_tokens
            .saturating_sub(self.estimate_tokens)
    }

    /// Tokens of the entry as it is on disk: what it costs as sent, and what giving back
    /// the rest would add now.
    pub fn tokens_full(&self, ruler: &RulerReport) -> u64 {
        let counted = self.full.counted_tokens.map(|full| full.max(self.tokens));
        counted.unwrap_or_else(|| self.tokens + ruler.scale(self.out_estimate_tokens()))
    }
}

/// An entry on the branch that is not sent.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// The entry.
    pub entry: EntryId,
    /// It is a message that the request would carry, or that the summary tells of.
    pub is_told: bool,
    /// Its disposition.
    pub disposition: Disposition,
    /// Why, in one clause.
    pub reason: String,
    /// About what it would cost in full, by a quick ruler and without calibration: shown
    /// with a `~`. 0 when it was never counted.
    pub tokens_full: u64,
    /// The compaction that swallowed it, when summarised.
    pub compaction: Option<EntryId>,
    /// Number of the turn it belongs to.
    pub turn: u32,
    /// First words, one line, safe to print.
    pub preview: Arc<str>,
}

impl ServerShare {
    /// The group with what it takes: `files: 12 tools, 3,400 tokens`.
    pub fn in_words(&self) -> String {
        let ServerGroup { name, tools } = &*self.group;
        let count = plural(tools.len() as u64, "tool");
        format!("{name}: {count}, {} tokens", grouped(self.tokens))
    }
}

/// The provider role of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// System prompt and tool schemas.
    System,
    /// User.
    User,
    /// Assistant.
    Assistant,
    /// Tool result.
    Tool,
}

impl Role {
    /// The name in JSON and the ledger.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

/// Tokens of the whole view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UsageReport {
    /// Sum of all items.
    pub tokens: u64,
    /// Whether a provider counted all of it; otherwise some part is estimated.
    pub exact: bool,
    /// Tokens among them that a provider counted.
    pub measured_tokens: u64,
    /// Tokens as sent, by category.
    pub by_category: ByCategory,
}

/// The window and its levels, all in tokens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WindowReport {
    /// The window in force; `None` when unknown (set to 0): then there is no percent
    /// and no proactive compaction.
    pub tokens: Option<u64>,
    /// Where the number comes from.
    pub source: WindowSource,
    /// The source of the cap that lowered it, if one did.
    pub capped_by: Option<CapSource>,
    /// The window before the cap.
    pub uncapped_tokens: Option<u64>,
    /// Whether it is large enough to work with.
    pub verdict: WindowVerdict,
    /// Kept free for the answer.
    pub reserved: u64,
    /// Window (or input limit) minus reserved.
    pub usable: u64,
    /// Where compaction happens by itself; 0 when the window is unknown.
    pub load_line: u64,
    /// The load line divided by the ruler's margin: the level as drawn.
    pub load_line_effective: u64,
    /// Edits of a prompt that the server makes. What is shown here is what is sent.
    pub server: ServerEdits,
}

/// Which cap lowered the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapSource {
    /// `window.cap`.
    Global,
    /// The agent's own cap.
    Agent,
    /// The cap of the model in use.
    Model,
    /// The sub-agent's cap.
    Subagent,
}

impl CapSource {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Agent => "agent",
            Self::Model => "model",
            Self::Subagent => "subagent",
        }
    }
}

/// Whether a window is large enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WindowVerdict {
    /// Fine, or unknown.
    #[default]
    Ok,
    /// Small: warned about once.
    Warn,
    /// Too small: the model is not called.
    Block,
}

impl WindowVerdict {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Block => "block",
        }
    }
}

/// How the numbers were measured.
#[derive(Clone, Debug, PartialEq)]
pub struct RulerReport {
    /// The method, e.g. `o200k_base`, `chars4`.
    pub name: &'static str,
    /// Factor by which estimates are scaled after calibration; 1 before.
    pub calibration: f64,
    /// Fixed tokens per request that calibration found; 0 before.
    pub fixed_tokens: f64,
    /// Safety factor on the unmeasured part, where it is compared with a limit.
    pub margin: f64,
    /// Measured requests so far.
    pub samples: u64,
}

impl Default for RulerReport {
    fn default() -> Self {
        Self {
            name: "",
            calibration: 1.0,
            fixed_tokens: 0.0,
            margin: 1.0,
            samples: 0,
        }
    }
}

impl RulerReport {
    /// An estimate as it is after calibration.
    pub fn scale(&self, estimate_tokens: u64) -> u64 {
        scaled(estimate_tokens, self.calibration)
    }
}

/// An estimate times a factor, to whole tokens.
pub(super) fn scaled(tokens: u64, factor: f64) -> u64 {
    if (factor - 1.0).abs() < f64::EPSILON {
        tokens
    } else {
        (tokens as f64 * factor).round() as u64
    }
}

/// The effect of repair on the projected list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepairReport {
    /// Synthetic results added.
    pub added: u64,
    /// Second results left out.
    pub dropped_duplicates: u64,
    /// Results without a call, and unusable calls, left out.
    pub dropped_orphans: u64,
    /// Results moved after their call.
    pub moved: u64,
}

/// The cuts of the tool-result guard in this view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GuardReport {
    /// Results cut to fit.
    pub truncated: u64,
    /// Results replaced by a placeholder.
    pub cleared: u64,
}

/// The decision of the prune gate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gate {
    /// The provider's cache is cold, or there is none: pruning costs nothing.
    Cold,
    /// The cache is warm: nothing changes.
    #[default]
    Warm,
    /// So full that pruning happens although the cache is warm.
    Forced,
    /// Turned off.
    Off,
}

impl Gate {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cold => "cold",
            Self::Warm => "warm",
            Self::Forced => "forced",
            Self::Off => "off",
        }
    }
}

/// Pruning in this view: what is in force, and what a prune would do now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PruneReport {
    /// The policy, e.g. `soft-hard`, `off`.
    pub policy: &'static str,
    /// The decision of the gate.
    pub gate: Gate,
    /// Results that are trimmed in this view.
    pub trimmed: u64,
    /// Results that are cleared in this view.
    pub cleared: u64,
    /// Tokens that pruning keeps out of this view.
    pub tokens_saved: u64,
    /// Cached tokens given up by what was decided in this evaluation.
    pub cache_given_up: u64,
    /// Answers whose signed reasoning the server drops because of it.
    pub reasoning_lost: u64,
    /// Tokens that pruning now would free, whatever the gate says (an estimate while
    /// the gate is closed).
    pub would_free: u64,
    /// Cached tokens that pruning now would give up.
    pub would_give_up: u64,
    /// Answers whose signed reasoning the server would drop then.
    pub would_lose_reasoning: u64,
    /// Seconds until the provider's cache is cold; `None` when it is, or has none.
    pub cache_secs_left: Option<u64>,
}

/// The effect of a compaction, in two numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompactionForecast {
    /// Messages that would be summarised.
    pub summarized: u64,
    /// Estimated tokens of the view afterwards.
    pub tokens_after_estimate: u64,
}

/// The effect of a compaction now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CompactionOutlook {
    /// Tokens of this view at which a compaction is due, no more of it being counted by a
    /// provider; `None` when compaction is not automatic or the window is unknown.
    pub compacts_at: Option<u64>,
    /// The view has reached the load line and automatic compaction is on.
    pub due: bool,
    /// Messages that would be summarised.
    pub would_summarize: u64,
    /// Messages that would be kept.
    pub would_keep: u64,
    /// Estimated tokens of the view afterwards.
    pub tokens_after_estimate: u64,
    /// The effect of one before the user's next message, which is a kept turn then.
    pub before_message: CompactionForecast,
    /// The last one that came by itself did not help: the next waits until the view has so
    /// many tokens by estimate, or until something else changes.
    pub waits_for: Option<u64>,
}

impl ContextView {
    /// The size by estimate and calibration alone: what is compared with other estimates.
    pub fn estimated_tokens(&self) -> u64 {
        let estimate: u64 = self.items.iter().map(|item| item.estimate_tokens).sum();
        let ruler = &self.ruler;
        (ruler.fixed_tokens + estimate as f64 * ruler.calibration).round() as u64
    }
}
