//! The settings of context management, resolved and in range. Defaults are the
//! numbers of the `default` preset; a field is the setting of its name, or says which it is.

use crate::transcript::ServerContext;

use super::identifiers::IdentifierLimits;

/// All settings that the context code reads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContextSettings {
    /// Token counting.
    pub ruler: RulerKind,
    /// A fixed safety factor on what is not measured; then nothing is learnt from reported
    /// usage. `None` means calibration, with a margin that shrinks with evidence.
    pub ruler_margin: Option<f64>,
    /// Edits of a prompt that the server may make; only where it can.
    pub server: ServerContext,
    /// Window limits.
    pub window: WindowSettings,
    /// Pruning of old tool results.
    pub prune: PruneSettings,
    /// Cutting of oversized tool results.
    pub guard: GuardSettings,
    /// Ageing of attachments.
    pub media: MediaSettings,
    /// Summarising.
    pub compaction: CompactionSettings,
    /// Checking of summaries.
    pub audit: AuditSettings,
}

/// How tokens are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RulerKind {
    /// Byte-pair encoding, `o200k_base` or the model's own.
    #[default]
    Bpe,
    /// A quarter of the UTF-16 length, as the documented systems count.
    Chars4,
}

/// `window.*`
#[derive(Clone, Debug, PartialEq)]
pub struct WindowSettings {
    /// Warn once below this many tokens.
    pub warn_below_tokens: u64,
    /// Do not call a model below this many tokens.
    pub min_tokens: u64,
    /// Never use more than this many tokens, whatever the agent and the model.
    pub cap_tokens: Option<u64>,
    /// Never use more than this many tokens in this agent.
    pub agent_cap_tokens: Option<u64>,
    /// Never use more than this many tokens in a sub-agent.
    pub subagent_cap_tokens: Option<u64>,
    /// Never use more than this many tokens of the model in use.
    pub model_cap_tokens: Option<u64>,
    /// The user's own number for the session's model (`--context-window`); 0 means unknown.
    pub user_tokens: Option<u64>,
    /// The limit that a server named for a window of the user's own, while what it refused is
    /// made shorter; no setting.
    pub refused_above_tokens: Option<u64>,
    /// Whether a model's own limit on input counts, where it has one.
    pub heed_input_limit: bool,
}

impl Default for WindowSettings {
    fn default() -> Self {
        Self {
            warn_below_tokens: 32_000,
            min_tokens: 16_000,
            cap_tokens: None,
            agent_cap_tokens: None,
            subagent_cap_tokens: None,
            model_cap_tokens: None,
            user_tokens: None,
            refused_above_tokens: None,
            heed_input_limit: true,
        }
    }
}

/// Which prune policy runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PrunePolicy {
    /// Trim by ratio, then clear by ratio.
    #[default]
    SoftHard,
    /// Keep the newest tokens of tool output, clear the rest.
    ProtectRecent,
    /// Never prune.
    Off,
}

impl PrunePolicy {
    /// The name in settings, logs and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::SoftHard => "soft-hard",
            Self::ProtectRecent => "protect-recent",
            Self::Off => "off",
        }
    }
}

/// When the prune gate opens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GateKind {
    /// When the provider's prompt cache has gone cold, or by force.
    #[default]
    CacheTtl,
    /// Before every request.
    Always,
    /// Never.
    Off,
}

/// `prune.*`
#[derive(Clone, Debug, PartialEq)]
pub struct PruneSettings {
    /// Which policy runs.
    pub policy: PrunePolicy,
    /// When it may run.
    pub gate: GateKind,
    /// Seconds after the last contact until the provider's cache counts as cold; `None`: as
    /// long as the provider stores prompts.
    pub ttl_secs: Option<u64>,
    /// Share of usable at which pruning runs although the cache is warm; `None` never.
    pub force_ratio: Option<f64>,
    /// A forced prune has to free at least this share of usable: it throws away a warm
    /// cache, and pruning a little before each request would do so every time.
    pub force_min_gain: f64,
    /// The newest assistant messages, and what follows them, are never pruned.
    pub keep_last_assistants: usize,
    /// Trimming of long results to head and tail.
    pub soft: SoftTrimSettings,
    /// Clearing of results.
    pub hard: HardClearSettings,
    /// Clear results that a later one made pointless.
    pub superseded: bool,
    /// Leave out long arguments of old calls whose effect is on disk.
    pub arguments: bool,
    /// Leave failed results alone.
    pub protect_errors: bool,
    /// Which tools' results may be pruned.
    pub tools: ToolGlobs,
    /// The `protect-recent` policy.
    pub recent: ProtectRecentSettings,
}

/// A provider keeps a prompt for this many seconds by itself,
const USUAL_TTL_SECS: u64 = 300;
/// or for this many where it was asked to.
const HOUR_TTL_SECS: u64 = 3_600;

impl PruneSettings {
    /// For how many seconds the provider keeps a prompt.
    pub fn prompt_ttl_secs(&self, keeps_hour: bool) -> u64 {
        let stored_for = if keeps_hour {
            HOUR_TTL_SECS
        } else {
            USUAL_TTL_SECS
        };
        self.ttl_secs.unwrap_or(stored_for)
    }
}

impl Default for PruneSettings {
    fn default() -> Self {
        Self {
            policy: PrunePolicy::SoftHard,
            gate: GateKind::CacheTtl,
            ttl_secs: None,
            force_ratio: Some(0.7),
            force_min_gain: 0.25,
            keep_last_assistants: 3,
            soft: SoftTrimSettings::default(),
            hard: HardClearSettings::default(),
            superseded: true,
            arguments: true,
            protect_errors: true,
            tools: ToolGlobs::default(),
            recent: ProtectRecentSettings::default(),
        }
    }
}

/// `prune.soft_ratio` and `prune.soft.*`
#[derive(Clone, Debug, PartialEq)]
pub struct SoftTrimSettings {
    /// Share of the window from which results are trimmed.
    pub ratio: f64,
    /// Results above this many characters are trimmed.
    pub max_chars: usize,
    /// Characters kept from the start.
    pub head_chars: usize,
    /// Characters kept from the end.
    pub tail_chars: usize,
}

impl Default for SoftTrimSettings {
    fn default() -> Self {
        Self {
            ratio: 0.3,
            max_chars: 4_000,
            head_chars: 1_500,
            tail_chars: 1_500,
        }
    }
}

/// `prune.hard_ratio`, `prune.min_prunable_*` and `prune.hard.*`
#[derive(Clone, Debug, PartialEq)]
pub struct HardClearSettings {
    /// Whether results may be cleared at all.
    pub enabled: bool,
    /// Share of the window from which results are cleared.
    pub ratio: f64,
    /// Clear only when the candidates hold at least this many characters,
    pub min_prunable_chars: usize,
    /// or this share of the window, when that is less; `None` never less.
    pub min_prunable_share: Option<f64>,
    /// The text sent instead of a cleared result.
    pub placeholder: String,
}

impl Default for HardClearSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            ratio: 0.5,
            min_prunable_chars: 50_000,
            min_prunable_share: Some(0.25),
            placeholder: "[Old tool result content cleared]".to_owned(),
        }
    }
}

/// `prune.tools.*`: globs of tool names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolGlobs {
    /// Tools that may be pruned; empty means all.
    pub allow: Vec<String>,
    /// Tools that may not; wins over `allow`.
    pub deny: Vec<String>,
}

impl Default for ToolGlobs {
    fn default() -> Self {
        Self {
            allow: Vec::new(),
            deny: vec!["skill".to_owned()],
        }
    }
}

/// Settings of the `protect-recent` policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtectRecentSettings {
    /// `prune.protect_tokens`: newest tokens of tool output that stay.
    pub tokens: u64,
    /// `prune.minimum_tokens`: prune only when more than this would go.
    pub minimum_tokens: u64,
    /// `prune.protect_turns`: newest turns that stay.
    pub turns: u32,
    /// `prune.protect_whole_turns`: those turns stay however large they are; else never more
    /// of them than `tokens`.
    pub whole_turns: bool,
}

impl Default for ProtectRecentSettings {
    fn default() -> Self {
        Self {
            tokens: 40_000,
            minimum_tokens: 20_000,
            turns: 2,
            whole_turns: false,
        }
    }
}

/// `guard.*`
#[derive(Clone, Debug, PartialEq)]
pub struct GuardSettings {
    /// Cut and clear results at all; the last attempt of overflow recovery always may.
    pub enabled: bool,
    /// A single result may take this share of the window.
    pub single_share: f64,
    /// A token of a result counts this many times in the shares of the guard. Above 1 no
    /// margin comes on top: the weight is the safety.
    pub result_weight: f64,
    /// The whole view may take this share of the window; `None` means the load line.
    pub total_share: Option<f64>,
    /// Clear down to this share of the window.
    pub total_target: f64,
    /// Hold the total before each request, not only when compaction did not help.
    pub total_always: bool,
    /// Stands where a result was cut; `None` means the numbers and the reason.
    pub notice: Option<String>,
    /// The text sent instead of a result that the total guard cleared.
    pub placeholder: String,
    /// Cut every result to this many characters.
    pub tool_output_max_chars: Option<usize>,
}

impl Default for GuardSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            single_share: 0.5,
            result_weight: 1.0,
            total_share: None,
            total_target: 0.6,
            total_always: false,
            notice: None,
            placeholder:
                "[Tool output removed: the context is full. Run the tool again if it is needed.]"
                    .to_owned(),
            tool_output_max_chars: None,
        }
    }
}

/// Which attachments become text when they are old.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MediaAgeing {
    /// All that were answered.
    #[default]
    On,
    /// Those of tool results that pruning may touch, from `prune.soft_ratio` on.
    Pruning,
    /// None.
    Off,
}

/// `media.*`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaSettings {
    /// Which attachments age.
    pub ageing: MediaAgeing,
    /// Attachments stay for this many completed turns,
    pub keep_turns: u32,
    /// or this many atomic groups, whichever is less.
    pub keep_groups: u32,
}

impl Default for MediaSettings {
    fn default() -> Self {
        Self {
            ageing: MediaAgeing::On,
            keep_turns: 3,
            keep_groups: 8,
        }
    }
}

/// A level in tokens or as a share of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Threshold {
    /// Tokens.
    Tokens(u64),
    /// Share of the window, 0–1.
    Ratio(f64),
}

/// The rule for room for the answer when no number is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReserveRule {
    /// 20,000 tokens, or the model's largest answer when that is less.
    #[default]
    Bounded,
    /// As `Bounded` for models with a limit on input; else all of the model's largest answer.
    Output,
    /// As `Bounded` for models with a limit on input; else that and the model's largest
    /// answer, of which 32,000 tokens count at most.
    OutputAndBuffer,
}

/// The fallback when overflow recovery cannot get a summary from a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverflowFallback {
    /// Use the extractive summary, flagged as degraded.
    #[default]
    Extractive,
    /// Stop and say so.
    Fail,
}

/// Whether compactions are shown before they count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReviewMode {
    /// Only those that the user asked for.
    #[default]
    Manual,
    /// Never.
    Never,
    /// Automatic ones too.
    Always,
}

/// Which headings a summary has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TemplateKind {
    /// Nine sections.
    #[default]
    Standard,
    /// Five sections.
    Openclaw,
    /// Seven sections.
    Opencode,
    /// The user's own: headings in order, as `## ` lines of a file.
    Custom(Vec<String>),
}

/// `compaction.*`
#[derive(Clone, Debug, PartialEq)]
pub struct CompactionSettings {
    /// Compact at the load line and on overflow.
    pub auto: bool,
    /// The load line, when it shall not be `usable`.
    pub threshold: Option<Threshold>,
    /// The room kept free for the answer.
    pub reserve: ReserveSettings,
    /// `provider/model` that writes summaries; `None` means the session's.
    pub model: Option<String>,
    /// The part that stays verbatim.
    pub tail: TailSettings,
    /// How much history one summary reads.
    pub history: HistorySettings,
    /// The headings.
    pub template: TemplateKind,
    /// Standing instructions to the summariser.
    pub instructions: Option<String>,
    /// A whole compaction may take this long.
    pub timeout_secs: u64,
    /// Overflow attempts per user message.
    pub max_attempts: u32,
    /// Append the continue message after an automatic compaction.
    pub auto_continue: bool,
    /// Prepare the summary while the user works, before the load line is reached.
    pub background: bool,
    /// Which compactions wait for the user's review.
    pub review: ReviewMode,
    /// The last rung on overflow.
    pub on_overflow_failure: OverflowFallback,
    /// Sections of AGENTS.md that follow every summary.
    pub workspace_sections: Vec<String>,
}

impl Default for CompactionSettings {
    fn default() -> Self {
        Self {
            auto: true,
            threshold: None,
            reserve: ReserveSettings::default(),
            model: None,
            tail: TailSettings::default(),
            history: HistorySettings::default(),
            template: TemplateKind::Standard,
            instructions: None,
            timeout_secs: 300,
            max_attempts: 3,
            auto_continue: false,
            background: false,
            review: ReviewMode::Manual,
            on_overflow_failure: OverflowFallback::Extractive,
            workspace_sections: vec!["Session Startup".to_owned(), "Red Lines".to_owned()],
        }
    }
}

/// Tokens that stay free for the answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ReserveSettings {
    /// `compaction.reserved_tokens`; `None` means what `rule` says.
    pub tokens: Option<u64>,
    /// `compaction.reserve`
    pub rule: ReserveRule,
    /// `compaction.reserve_max_share`: never more than this share of the window.
    pub max_share: f64,
}

impl Default for ReserveSettings {
    fn default() -> Self {
        Self {
            tokens: None,
            rule: ReserveRule::Bounded,
            max_share: 0.25,
        }
    }
}

/// The part that a compaction keeps verbatim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TailSettings {
    /// `compaction.tail_turns`: newest turns, 0–12; `None`: all that fit into the tokens.
    pub turns: Option<u32>,
    /// `compaction.keep_recent_tokens`; `None` means a quarter of usable, from 2,000 to
    /// `max_tokens`.
    pub tokens: Option<u64>,
    /// Largest such quarter.
    pub max_tokens: u64,
    /// `compaction.tail_few_asks`: with fewer user messages than `turns`, keep all of them,
    /// and of what follows the newest messages up to twice that number.
    pub few_asks: bool,
}

impl Default for TailSettings {
    fn default() -> Self {
        Self {
            turns: Some(3),
            tokens: None,
            max_tokens: 20_000,
            few_asks: false,
        }
    }
}

/// How much history one summary reads.
#[derive(Clone, Debug, PartialEq)]
pub struct HistorySettings {
    /// `compaction.max_history_share`: share of the window; `None` for no limit.
    pub max_share: Option<f64>,
    /// `compaction.always_chunk`: read history in chunks even where it fits into one request.
    pub always_chunk: bool,
}

impl Default for HistorySettings {
    fn default() -> Self {
        Self {
            max_share: Some(0.5),
            always_chunk: false,
        }
    }
}

/// The treatment of identifiers in the audit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IdentifierPolicy {
    /// Copied exactly, checked, repaired.
    #[default]
    Strict,
    /// Not checked.
    Off,
    /// Checked, with the user's own sentence in the prompt.
    Custom,
    /// Replaced by aliases before the summariser sees them; the map is kept beside the
    /// summary.
    Anonymize,
}

/// `audit.*`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditSettings {
    /// Check summaries at all.
    pub enabled: bool,
    /// Ask again with the findings this many times, 0–3.
    pub retries: u32,
    /// Mend what still does not hold; else the summary failed.
    pub mend: bool,
    /// The treatment of identifiers.
    pub identifier_policy: IdentifierPolicy,
    /// The sentence of the `custom` policy.
    pub identifier_instructions: Option<String>,
    /// A summary has to carry at most this many identifiers; `None`: as many as there is room
    /// for.
    pub max_identifiers: Option<u32>,
    /// Only identifiers of so many of the newest messages are demanded; `None`: of all.
    pub identifier_messages: Option<u32>,
}

impl AuditSettings {
    /// How many identifiers a summary has to carry.
    pub fn identifier_limits(&self) -> IdentifierLimits {
        let usual = IdentifierLimits::default();
        let count = self.max_identifiers.map(|most| most as usize);
        IdentifierLimits {
            count: count.unwrap_or(usual.count),
            last_messages: self.identifier_messages.map(|count| count as usize),
            ..usual
        }
    }
}

impl Default for AuditSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            retries: 1,
            mend: true,
            identifier_policy: IdentifierPolicy::Strict,
            identifier_instructions: None,
            max_identifiers: None,
            identifier_messages: None,
        }
    }
}
