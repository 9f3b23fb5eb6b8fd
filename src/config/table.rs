//! The one table of settings. The loader, `plim config show`, the documented default
//! file and the table in the README are made from it; a new setting is one more row.
//!
//! Invariant: the default of a row is what [`Settings::default`] holds; no row repeats it.

use super::Settings;
use super::field::{
    APPROVAL_MODES, Field, GATES, IDENTIFIER_POLICIES, MEDIA_AGEINGS, NOTIFY_METHODS, NOTIFY_TIMES,
    OVERFLOW_FALLBACKS, PRESETS, PRUNE_POLICIES, RESERVE_RULES, REVIEW_MODES, ROOTS, RULERS,
    THINKING_LEVELS,
};
use super::value::{Kind, Value};

/// One row of the table.
pub struct Setting {
    /// Dotted name, e.g. `prune.soft_ratio`.
    pub key: &'static str,
    /// What it accepts.
    pub kind: Kind,
    /// What leaving it unset means; `None` when it always has a value.
    pub unset: Option<&'static str>,
    /// One sentence.
    pub help: &'static str,
    /// Names of the same thing in other systems.
    pub aliases: &'static [Alias],
    /// Whether it could run commands, widen permissions or redirect keys: then a project's
    /// file may set it only when the directory is trusted.
    pub trusted_only: bool,
    get: fn(&Settings) -> Value,
    set: fn(&mut Settings, &Value) -> bool,
}

/// A name of a setting in another system, with what its values mean here. It is
/// accepted as written here, and with the setting's own section in front.
pub struct Alias {
    /// E.g. `softTrimRatio`.
    pub name: &'static str,
    /// How to read its values, where they differ from ours.
    convert: Option<fn(&Value) -> Option<Value>>,
}

impl Alias {
    /// The value here that a foreign one means; `None` when it means nothing here.
    pub fn convert(&self, value: &Value) -> Option<Value> {
        match self.convert {
            Some(convert) => convert(value),
            None => Some(value.clone()),
        }
    }
}

impl Setting {
    /// The value in `settings`.
    pub fn get(&self, settings: &Settings) -> Value {
        (self.get)(settings)
    }

    /// Puts a value into `settings`.
    ///
    /// # Errors
    ///
    /// What would have been accepted, when the value is of the wrong kind or out of range;
    /// `settings` are unchanged then.
    pub fn set(&self, settings: &mut Settings, value: &Value) -> Result<(), String> {
        let fits = match value {
            Value::None => self.unset.is_some(),
            value => self.kind.accepts(value),
        };
        if fits && (self.set)(settings, value) {
            Ok(())
        } else {
            Err(self.expected())
        }
    }

    /// What it accepts, in words.
    pub fn expected(&self) -> String {
        let kind = self.kind.expected();
        if self.unset.is_some() {
            format!("{kind}, or none")
        } else {
            kind
        }
    }

    /// The value that a text from a variable or a flag means.
    pub fn parse_text(&self, text: &str) -> Value {
        if self.unset.is_some() && matches!(text.trim(), "none" | "") {
            Value::None
        } else {
            self.kind.parse_text(text)
        }
    }

    /// The value that a file means: a setting that can be left out is unset by `"none"`,
    /// which a preset below may have set.
    pub fn written(&self, value: Value) -> Value {
        if self.unset.is_some() && value.as_text() == Some("none") {
            Value::None
        } else {
            value
        }
    }

    /// The default as text.
    pub fn default_text(&self) -> String {
        self.get(&Settings::default()).to_string()
    }

    /// Everything before the last dot of the key: `prune.soft`; empty at the top.
    pub fn section(&self) -> &'static str {
        self.key.rsplit_once('.').map_or("", |(section, _)| section)
    }

    /// The environment variable that sets it: `PLIMSOLL_PRUNE_SOFT_RATIO`.
    pub fn variable(&self) -> String {
        format!("PLIMSOLL_{}", self.key.replace('.', "_").to_uppercase())
    }

    /// The alias that `key` is, if it is one of this setting.
    fn alias(&self, key: &str) -> Option<&'static Alias> {
        let top = self.key.split('.').next().unwrap_or_default();
        let bare = key.strip_prefix(top).and_then(|k| k.strip_prefix('.'));
        self.aliases
            .iter()
            .find(|alias| alias.name == key || Some(alias.name) == bare)
    }
}

/// The setting with this key or alias; with an alias, how to read its values.
pub fn find(key: &str) -> Option<(&'static Setting, Option<&'static Alias>)> {
    let by_key = SETTINGS.iter().find(|setting| setting.key == key);
    by_key.map(|setting| (setting, None)).or_else(|| {
        SETTINGS
            .iter()
            .find_map(|setting| setting.alias(key).map(|alias| (setting, Some(alias))))
    })
}

fn millis_to_secs(value: &Value) -> Option<Value> {
    match value {
        Value::Int(millis) => Some(Value::Int(millis / 1_000)),
        _ => None,
    }
}

/// `off` or `cache-ttl`, the pruning switch of OpenClaw.
fn prune_mode(value: &Value) -> Option<Value> {
    let policy = match value.as_text()? {
        "off" => "off",
        "cache-ttl" => "soft-hard",
        _ => return None,
    };
    Some(Value::Text(policy.to_owned()))
}

/// The pruning switch of OpenCode.
fn prune_switch(value: &Value) -> Option<Value> {
    let policy = match value {
        Value::Bool(true) => "protect-recent",
        Value::Bool(false) => "off",
        _ => return None,
    };
    Some(Value::Text(policy.to_owned()))
}

/// No model has a larger window by far; a larger number is a slip.
const MAX_TOKENS: u64 = 1_000_000_000;
/// Larger than any tool result that fits into memory comfortably.
const MAX_CHARS: u64 = 1_000_000_000;
/// A week: nothing in the program waits for longer.
const MAX_SECS: u64 = 604_800;
/// Longer than any conversation.
const MAX_TURNS: u64 = 1_000_000;

const fn int(min: u64, max: u64, unit: &'static str) -> Kind {
    Kind::Int { min, max, unit }
}

const TOKENS: Kind = int(0, MAX_TOKENS, "tokens");
const CHARS: Kind = int(0, MAX_CHARS, "characters");
const SECS: Kind = int(1, MAX_SECS, "seconds");
const TEXTS: Kind = Kind::List(&Kind::Text);

macro_rules! optional {
    () => {
        None
    };
    ($value:expr) => {
        Some($value)
    };
}

/// One row. `unset` says what `none` means; `trusted` marks what an untrusted project
/// may not set.
macro_rules! row {
    ($key:literal, $($field:ident).+, $kind:expr, $help:literal $(, unset $unset:literal)?
        $(, trusted $trusted:literal)? $(, alias $($alias:literal $(=> $convert:ident)?),+)?) => {
        Setting {
            key: $key,
            kind: $kind,
            unset: optional!($($unset)?),
            help: $help,
            aliases: &[$($(Alias { name: $alias, convert: optional!($($convert)?) }),+)?],
            trusted_only: false $(|| $trusted)?,
            get: |settings| settings.$($field).+.to_value(),
            set: |settings, value| match Field::from_value(value) {
                Some(field) => {
                    settings.$($field).+ = field;
                    true
                }
                None => false,
            },
        }
    };
}

/// All settings, in the order in which they are shown.
pub static SETTINGS: &[Setting] = &[
    // The agent
    row!("model", agent.model, Kind::Model, "The model that answers.", unset "chosen from what is reachable"),
    row!(
        "fallback_models",
        agent.fallback_models,
        Kind::List(&Kind::Model),
        "Models to use, in order, when the first cannot be."
    ),
    row!(
        "overflow_upgrade",
        agent.overflow_upgrade,
        Kind::Bool,
        "Whether an overflow may move to a fallback model with a larger window."
    ),
    row!("base_url", agent.base_url, Kind::Url, "Base URL of the chosen model's provider.", unset "the provider's own", trusted true),
    row!(
        "thinking",
        agent.thinking,
        Kind::Choice(THINKING_LEVELS),
        "How hard a reasoning model should think."
    ),
    row!("system", agent.system, Kind::Prompt, "Replaces the built-in system prompt.", unset "the built-in one"),
    row!("append_system", agent.append_system, Kind::Prompt, "Is added to the system prompt.", unset "nothing"),
    row!("max_turns", agent.max_turns, int(1, MAX_TURNS, "requests"), "Requests that one message may take.", unset "no limit", trusted true),
    row!("max_cost", agent.max_cost_usd, Kind::Dollars, "US dollars that one run may cost.", unset "no limit", trusted true),
    row!("extra_dirs", agent.extra_dirs, TEXTS, "Further directories that tools may touch.", trusted true),
    row!("trusted_dirs", trusted_dirs, TEXTS, "Directories whose projects may set everything in their own configuration file.", trusted true),
    row!("approvals.mode", agent.approvals, Kind::Choice(APPROVAL_MODES), "What runs without asking.", trusted true),
    row!("approvals.allow", agent.approvals_allow, TEXTS, "tool:glob patterns that run without asking, e.g. shell:cargo *.", trusted true),
    row!(
        "tools.shell_timeout_secs",
        agent.shell_timeout_secs,
        SECS,
        "A shell command is killed after this long, unless the call asks for another limit."
    ),
    row!(
        "retry.max_attempts",
        agent.retry_max_attempts,
        int(1, 100, "tries"),
        "Tries of one request, the first included."
    ),
    row!(
        "stream.stall_secs",
        agent.stream_stall_secs,
        SECS,
        "A stream that is silent for this long fails."
    ),
    row!(
        "tls.roots",
        agent.tls_roots,
        Kind::Choice(ROOTS),
        "Whose certificates are believed: those of the system (the bundled ones where it has none) or the bundled ones.", trusted true
    ),
    row!("tls.ca_file", agent.tls_ca_file, Kind::Text, "PEM file with further certificate authorities, as behind a company's proxy.", unset "none", trusted true),
    row!(
        "lanes.global",
        agent.lanes_global,
        int(1, 64, "calls"),
        "Model calls at the same time, over all sessions of the process."
    ),
    row!("agent.window_cap", context.window.agent_cap_tokens, int(1, MAX_TOKENS, "tokens"), "Never use more of the window than this in this agent; named as the agent's cap.", unset "no cap"),
    // The window
    row!(
        "preset",
        preset,
        Kind::Choice(PRESETS),
        "The set of context settings that yours are laid over."
    ),
    row!("context.engine", agent.engine, Kind::Text, "The context engine.", alias "plugins.slots.contextEngine"),
    row!("memory.engine", agent.memory, Kind::Text, "What is remembered of a project between sessions: project-notes (.plimsoll/notes.md), or none.", alias "plugins.slots.memory"),
    row!(
        "ruler",
        context.ruler,
        Kind::Choice(RULERS),
        "How tokens are counted: byte-pair encoding, or a quarter of the characters."
    ),
    row!("ruler_margin", context.ruler_margin, Kind::Factor, "A fixed safety factor on what is not measured; then nothing is learnt from reported usage.", unset "learnt from reported usage, 1.2 at first"),
    row!("window.user", context.window.user_tokens, TOKENS, "Your own number for the model's window; 0 says that it is unknown.", unset "what is known of the model"),
    row!("window.cap", context.window.cap_tokens, int(1, MAX_TOKENS, "tokens"), "Never use more of the window than this.", unset "no cap", alias "contextTokens"),
    row!(
        "window.warn_below",
        context.window.warn_below_tokens,
        TOKENS,
        "Warn about windows smaller than this."
    ),
    row!(
        "window.min",
        context.window.min_tokens,
        TOKENS,
        "Do not call models with a window smaller than this."
    ),
    row!(
        "window.input_limit",
        context.window.heed_input_limit,
        Kind::Bool,
        "Whether a model's own limit on input counts, where it has one."
    ),
    // Pruning
    row!("prune.policy", context.prune.policy, Kind::Choice(PRUNE_POLICIES), "How old tool results are shortened.", alias "prune.mode" => prune_mode, "compaction.prune" => prune_switch),
    row!(
        "prune.gate",
        context.prune.gate,
        Kind::Choice(GATES),
        "When soft-hard may run: with a cold cache or by force, always, or never. protect-recent runs unless this is off."
    ),
    row!("prune.ttl_secs", context.prune.ttl_secs, int(0, MAX_SECS, "seconds"), "The provider's prompt cache counts as cold this long after the last contact.", alias "ttlMs" => millis_to_secs),
    row!("prune.force_ratio", context.prune.force_ratio, Kind::Share, "Share of the usable window at which pruning runs although the cache is warm.", unset "never"),
    row!(
        "prune.force_min_gain",
        context.prune.force_min_gain,
        Kind::Share,
        "Share of the usable window that such a prune has to free, because it throws away a warm cache."
    ),
    row!("prune.keep_last_assistants", context.prune.keep_last_assistants, int(0, MAX_TURNS, "messages"), "The newest assistant messages, and what follows them, are never pruned.", alias "keepLastAssistants"),
    row!("prune.soft_ratio", context.prune.soft_ratio, Kind::Share, "Share of the window from which results are trimmed.", alias "softTrimRatio"),
    row!("prune.hard_ratio", context.prune.hard_ratio, Kind::Share, "Share of the window from which results are cleared.", alias "hardClearRatio"),
    row!("prune.min_prunable_chars", context.prune.min_prunable_chars, CHARS, "Clear only when the candidates hold at least this much.", alias "minPrunableToolChars"),
    row!("prune.soft.max_chars", context.prune.soft_max_chars, CHARS, "Trim results longer than this.", alias "softTrim.maxChars"),
    row!("prune.soft.head_chars", context.prune.soft_head_chars, CHARS, "Kept from the start of a trimmed result.", alias "softTrim.headChars"),
    row!("prune.soft.tail_chars", context.prune.soft_tail_chars, CHARS, "Kept from the end of a trimmed result.", alias "softTrim.tailChars"),
    row!("prune.hard.enabled", context.prune.hard_enabled, Kind::Bool, "Whether results may be cleared at all.", alias "hardClear.enabled"),
    row!("prune.hard.placeholder", context.prune.hard_placeholder, Kind::Text, "What is sent instead of a cleared result.", alias "hardClear.placeholder"),
    row!(
        "prune.superseded",
        context.prune.superseded,
        Kind::Bool,
        "Clear results that a later one made pointless."
    ),
    row!(
        "prune.protect_errors",
        context.prune.protect_errors,
        Kind::Bool,
        "Leave failed results alone."
    ),
    row!(
        "prune.tools.allow",
        context.prune.tools_allow,
        TEXTS,
        "Globs of tools whose results may be pruned; empty means all."
    ),
    row!(
        "prune.tools.deny",
        context.prune.tools_deny,
        TEXTS,
        "Globs of tools whose results are never pruned."
    ),
    row!(
        "prune.protect_tokens",
        context.prune.protect_tokens,
        TOKENS,
        "protect-recent: the newest tool output that stays."
    ),
    row!(
        "prune.minimum_tokens",
        context.prune.minimum_tokens,
        TOKENS,
        "protect-recent: prune only when more than this would go."
    ),
    row!(
        "prune.protect_turns",
        context.prune.protect_turns,
        int(0, MAX_TURNS, "turns"),
        "protect-recent: the newest turns that stay."
    ),
    row!(
        "prune.protect_whole_turns",
        context.prune.protect_whole_turns,
        Kind::Bool,
        "protect-recent: those turns stay even when they hold more than prune.protect_tokens."
    ),
    // Guard and media
    row!(
        "guard.enabled",
        context.guard.enabled,
        Kind::Bool,
        "Whether tool results are cut to fit; the last recovery from overflow clears them all the same."
    ),
    row!(
        "guard.single_share",
        context.guard.single_share,
        Kind::Share,
        "Share of the window that a single tool result may take."
    ),
    row!("guard.total_share", context.guard.total_share, Kind::Share, "Share of the window that a request may take.", unset "the load line"),
    row!(
        "guard.total_target",
        context.guard.total_target,
        Kind::Share,
        "Share of the window that a request above it is brought down to."
    ),
    row!(
        "guard.total_always",
        context.guard.total_always,
        Kind::Bool,
        "Bring requests down before each call, not only when a summary did not help."
    ),
    row!("guard.notice", context.guard.notice, Kind::Text, "Stands where a result was cut.", unset "how much is missing, and why"),
    row!(
        "guard.placeholder",
        context.guard.placeholder,
        Kind::Text,
        "What is sent instead of a result that had to go."
    ),
    row!("guard.tool_output_max_chars", context.guard.tool_output_max_chars, int(1, MAX_CHARS, "characters"), "Cut every tool result to this.", unset "no limit"),
    row!(
        "media.ageing",
        context.media.ageing,
        Kind::Choice(MEDIA_AGEINGS),
        "Which old attachments become text: all, those of tool results that pruning may touch, or none."
    ),
    row!(
        "media.keep_turns",
        context.media.keep_turns,
        int(0, MAX_TURNS, "turns"),
        "Attachments stay for this many completed turns."
    ),
    row!(
        "media.keep_groups",
        context.media.keep_groups,
        int(0, MAX_TURNS, "groups"),
        "Attachments stay for this many groups of messages, if those end sooner."
    ),
    // Compaction
    row!(
        "compaction.auto",
        context.compaction.auto,
        Kind::Bool,
        "Summarise at the load line and on overflow."
    ),
    row!("compaction.threshold", context.compaction.threshold, Kind::Threshold, "The load line, in tokens or as a share of the window.", unset "the usable window"),
    row!("compaction.reserved", context.compaction.reserved_tokens, TOKENS, "Kept free for the answer.", unset "20000, or the model's largest answer when that is less", alias "reserveTokens"),
    row!(
        "compaction.reserve",
        context.compaction.reserve,
        Kind::Choice(RESERVE_RULES),
        "Without compaction.reserved: 20000 at most, or for models without a limit on input all of the largest answer."
    ),
    row!(
        "compaction.reserve_max_share",
        context.compaction.reserve_max_share,
        Kind::Share,
        "Share of the window that is kept free at most."
    ),
    row!("compaction.model", context.compaction.model, Kind::Model, "The model that writes summaries.", unset "the session's"),
    row!("compaction.tail_turns", context.compaction.tail_turns, int(0, 12, "turns"), "Newest turns that are kept word for word.", alias "recentTurnsPreserve"),
    row!("compaction.keep_recent_tokens", context.compaction.keep_recent_tokens, TOKENS, "Tokens that are kept word for word.", unset "a quarter of the usable window, from 2000 to compaction.keep_recent_max", alias "preserve_recent_tokens", "keepRecentTokens"),
    row!(
        "compaction.keep_recent_max",
        context.compaction.keep_recent_max_tokens,
        TOKENS,
        "The largest quarter of the usable window that is kept word for word."
    ),
    row!(
        "compaction.tail_few_asks",
        context.compaction.tail_few_asks,
        Kind::Bool,
        "With fewer user messages than tail_turns: keep them all, and the newest messages up to twice that number."
    ),
    row!(
        "compaction.always_chunk",
        context.compaction.always_chunk,
        Kind::Bool,
        "Summarise in chunks even where one request would do."
    ),
    row!("compaction.max_history_share", context.compaction.max_history_share, Kind::Share, "Share of the window that history may take in one summary.", unset "no limit", alias "maxHistoryShare"),
    row!(
        "compaction.template",
        context.compaction.template,
        Kind::Template,
        "The headings of a summary."
    ),
    row!("compaction.instructions", context.compaction.instructions, Kind::Prompt, "Standing instructions to the summariser.", unset "none", alias "customInstructions"),
    row!(
        "compaction.timeout_secs",
        context.compaction.timeout_secs,
        SECS,
        "A whole compaction may take this long."
    ),
    row!(
        "compaction.max_attempts",
        context.compaction.max_attempts,
        int(1, 10, "attempts"),
        "Recoveries from overflow per message."
    ),
    row!(
        "compaction.auto_continue",
        context.compaction.auto_continue,
        Kind::Bool,
        "Go on working after an automatic compaction."
    ),
    row!(
        "compaction.background",
        context.compaction.background,
        Kind::Bool,
        "Write the summary ahead, from four fifths of the load line, and put it in when that is reached."
    ),
    row!(
        "compaction.review",
        context.compaction.review,
        Kind::Choice(REVIEW_MODES),
        "Which summaries are shown before they count: yours, none, or all."
    ),
    row!(
        "compaction.on_overflow_failure",
        context.compaction.on_overflow_failure,
        Kind::Choice(OVERFLOW_FALLBACKS),
        "When no model can summarise on overflow: summarise without one, or stop."
    ),
    row!(
        "workspace_sections",
        context.compaction.workspace_sections,
        TEXTS,
        "Sections of AGENTS.md that follow every summary."
    ),
    row!("audit.enabled", context.audit.enabled, Kind::Bool, "Check summaries against what they replace.", alias "qualityGuard.enabled", "compaction.qualityGuard.enabled"),
    row!("audit.retries", context.audit.retries, int(0, 3, "retries"), "Ask again with the findings this many times.", alias "qualityGuard.maxRetries", "compaction.qualityGuard.maxRetries"),
    row!(
        "audit.mend",
        context.audit.mend,
        Kind::Bool,
        "Mend what still does not hold; else such a summary failed."
    ),
    row!("audit.identifier_policy", context.audit.identifier_policy, Kind::Choice(IDENTIFIER_POLICIES), "What to do about paths, names and numbers that a summary lost.", alias "identifierPolicy", "compaction.identifierPolicy"),
    row!("audit.identifier_instructions", context.audit.identifier_instructions, Kind::Prompt, "The sentence of the custom policy.", unset "none", alias "identifierInstructions", "compaction.identifierInstructions"),
    // Hooks
    row!("hooks.before_compact", hooks.before_compact, Kind::Text, "Command that may stop a compaction, or give it context, instructions, messages or the summary itself.", unset "none", trusted true),
    row!("hooks.after_compact", hooks.after_compact, Kind::Text, "Command that is told of a compaction that counts.", unset "none", trusted true),
    row!("hooks.before_request", hooks.before_request, Kind::Text, "Command that may add messages before each request.", unset "none", trusted true),
    row!("hooks.auto_continue", hooks.auto_continue, Kind::Text, "Command that decides whether the model goes on after a compaction at the end of an answer.", unset "compaction.auto_continue decides", trusted true),
    row!("hooks.timeout_secs", hooks.timeout_secs, int(1, 600, "seconds"), "A hook that takes longer is set aside.", trusted true),
    // The terminal
    row!(
        "theme",
        ui.theme,
        Kind::Text,
        "Theme, or auto for dark or light as the terminal is."
    ),
    row!(
        "mouse",
        ui.mouse,
        Kind::Bool,
        "Whether the mouse is captured."
    ),
    row!("color", ui.color, Kind::Bool, "Whether colours are used."),
    row!(
        "plain",
        ui.plain,
        Kind::Bool,
        "Line by line instead of a screen: for screen readers and simple terminals."
    ),
    row!(
        "title",
        ui.title,
        Kind::Bool,
        "Whether the window's title says which session this is and what it does."
    ),
    row!(
        "notify.when",
        ui.notify_when,
        Kind::Choice(NOTIFY_TIMES),
        "When to call you because an answer is done or a question waits."
    ),
    row!(
        "notify.method",
        ui.notify_method,
        Kind::Choice(NOTIFY_METHODS),
        "How to call you; auto takes what the terminal is known to understand, else the bell."
    ),
    row!(
        "keys.vi",
        ui.vi,
        Kind::Bool,
        "Whether the composer has the modes of vi."
    ),
];
