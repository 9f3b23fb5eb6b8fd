//! The resolved settings: complete, typed and in range.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::field::Field;
use super::keys::KeyChange;
use super::presets::Preset;
use super::value::Value;
use crate::context::{ContextSettings, Threshold};
use crate::provider::{ProviderSettings, Roots};
use crate::tool::ApprovalMode;
use crate::transcript::{ModelRef, ThinkingLevel};

/// Everything that can be set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The set of context settings that files, variables and flags are laid over.
    pub preset: Preset,
    /// Context management.
    pub context: ContextSettings,
    /// The agent loop.
    pub agent: AgentSettings,
    /// Commands of the user that take part.
    pub hooks: HookSettings,
    /// The terminal.
    pub ui: UiSettings,
    /// Endpoints from the configuration, by id; built-in ones are not listed.
    pub providers: Vec<ProviderSettings>,
    /// `[models."provider/model"]` tables, by that name.
    pub models: BTreeMap<String, ModelOverride>,
    /// Directories whose projects may set everything; `~/` is the home directory.
    pub trusted_dirs: Vec<PathBuf>,
}

/// What one model does differently.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModelOverride {
    /// The user's own number for its window; 0 means unknown.
    pub window_tokens: Option<u64>,
    /// Never use more of its window than this.
    pub cap_tokens: Option<u64>,
    /// Its load line.
    pub threshold: Option<Threshold>,
    /// What is kept free for its answer.
    pub reserved_tokens: Option<u64>,
}

impl ModelOverride {
    /// What is set, by key.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, Value)> {
        let all = [
            ("window", self.window_tokens.to_value()),
            ("cap", self.cap_tokens.to_value()),
            ("threshold", self.threshold.to_value()),
            ("reserved", self.reserved_tokens.to_value()),
        ];
        all.into_iter().filter(|(_, value)| *value != Value::None)
    }
}

impl Settings {
    /// The context settings for one model: its own window unless `window.user` is set, its
    /// cap, and its own load line and reserve where it has them.
    pub fn context_for(&self, model: &ModelRef) -> ContextSettings {
        let mut context = self.context.clone();
        if let Some(own) = self.models.get(&model.to_string()) {
            context.window.user_tokens = context.window.user_tokens.or(own.window_tokens);
            context.window.model_cap_tokens = own.cap_tokens;
            let compaction = &mut context.compaction;
            compaction.threshold = own.threshold.or(compaction.threshold);
            compaction.reserve.tokens = own.reserved_tokens.or(compaction.reserve.tokens);
        }
        context
    }
}

/// The agent loop.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentSettings {
    /// The model to use; `None` means choose one.
    pub model: Option<ModelRef>,
    /// Used in order when the model cannot be.
    pub fallback_models: Vec<ModelRef>,
    /// Whether an overflow may move to a model with a larger window.
    pub overflow_upgrade: bool,
    /// Overrides the base URL of the chosen model's provider.
    pub base_url: Option<String>,
    /// Reasoning effort.
    pub thinking: ThinkingLevel,
    /// What runs without asking.
    pub approvals: ApprovalMode,
    /// `tool:glob` patterns that run without asking.
    pub approvals_allow: Vec<String>,
    /// Seconds after which a shell command is killed, unless the call asks for another limit.
    pub shell_timeout_secs: u64,
    /// Megabytes on disk that a session keeps of what files were before it changed them.
    pub checkpoint_mb: u64,
    /// Tries of one request, the first included.
    pub retry_max_attempts: u32,
    /// A stream that is silent for this long fails.
    pub stream_stall_secs: u64,
    /// Ask the usual ports of servers on this machine which models they serve.
    pub probe_local: bool,
    /// Milliseconds that such a server has to answer.
    pub probe_ms: u64,
    /// Whose certificates are believed.
    pub tls_roots: Roots,
    /// PEM file with further certificate authorities.
    pub tls_ca_file: Option<PathBuf>,
    /// Model requests at the same time: the session's, and a summary written beside it.
    pub lanes_global: usize,
    /// Steps (requests) that one message may take; `None` means no limit.
    pub max_turns: Option<u32>,
    /// US dollars that a session may cost, or, without a screen, a run; `None` means no limit.
    pub max_cost_usd: Option<f64>,
    /// Replaces the built-in system prompt.
    pub system: Option<String>,
    /// Is added to the system prompt.
    pub append_system: Option<String>,
    /// Further directories that tools may touch.
    pub extra_dirs: Vec<PathBuf>,
    /// Context engine id.
    pub engine: String,
    /// Memory id.
    pub memory: String,
}

impl Default for AgentSettings {
    fn default() -> Self {
        Self {
            model: None,
            fallback_models: Vec::new(),
            overflow_upgrade: false,
            base_url: None,
            thinking: ThinkingLevel::Off,
            approvals: ApprovalMode::Ask,
            approvals_allow: Vec::new(),
            shell_timeout_secs: 120,
            checkpoint_mb: 500,
            retry_max_attempts: 8,
            stream_stall_secs: 60,
            probe_local: true,
            probe_ms: 1_000,
            tls_roots: Roots::System,
            tls_ca_file: None,
            lanes_global: 4,
            max_turns: None,
            max_cost_usd: None,
            system: None,
            append_system: None,
            extra_dirs: Vec::new(),
            engine: "layered".to_owned(),
            memory: "project-notes".to_owned(),
        }
    }
}

/// Command lines that are run at certain moments; JSON on their stdin and stdout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookSettings {
    /// Before a summary is written.
    pub before_compact: Option<String>,
    /// After a compaction counts.
    pub after_compact: Option<String>,
    /// Before each request.
    pub before_request: Option<String>,
    /// When a compaction at the end of an answer could make the model go on.
    pub auto_continue: Option<String>,
    /// A hook that takes longer is set aside.
    pub timeout_secs: u64,
}

impl Default for HookSettings {
    fn default() -> Self {
        Self {
            before_compact: None,
            after_compact: None,
            before_request: None,
            auto_continue: None,
            timeout_secs: 10,
        }
    }
}

/// The terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UiSettings {
    /// Theme name, or `auto` for dark or light as the terminal is.
    pub theme: String,
    /// Whether the mouse is captured.
    pub mouse: bool,
    /// Line-by-line output without a screen.
    pub plain: bool,
    /// Whether colours are used.
    pub color: bool,
    /// Whether the window's title says which session this is and what it does.
    pub title: bool,
    /// When to call the user.
    pub notify_when: NotifyWhen,
    /// How to call the user.
    pub notify_method: NotifyMethod,
    /// Whether the composer has the modes of vi.
    pub vi: bool,
    /// `[keys.PLACE]` tables, laid over each other.
    pub keys: Vec<KeyChange>,
}

/// When to call the user because something is done or waits for an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NotifyWhen {
    /// While the window does not have the focus.
    #[default]
    Unfocused,
    /// Whatever the window does.
    Always,
    /// Not at all.
    Never,
}

/// How to call the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NotifyMethod {
    /// As the terminal is known to understand, else the bell.
    #[default]
    Auto,
    /// The notification of iTerm2.
    Osc9,
    /// The notification of rxvt.
    Osc777,
    /// The bell.
    Bell,
    /// Not at all.
    None,
}

impl Default for UiSettings {
    fn default() -> Self {
        Self {
            theme: "auto".to_owned(),
            mouse: true,
            plain: false,
            color: true,
            title: true,
            notify_when: NotifyWhen::default(),
            notify_method: NotifyMethod::default(),
            vi: false,
            keys: Vec::new(),
        }
    }
}
