//! Settings of the agent loop, its tools and its requests.

use std::path::PathBuf;

use crate::provider::Roots;
use crate::tool::ApprovalMode;
use crate::transcript::{CacheWishes, ModelRef, PromptCacheTtl, ThinkingLevel};

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
    /// How hard a reasoning model should think.
    pub thinking: ThinkingLevel,
    /// Settings of tools.
    pub tools: ToolSettings,
    /// How models are reached.
    pub network: NetworkSettings,
    /// How much may be asked.
    pub limits: RequestLimits,
    /// The user's own words in the system prompt.
    pub prompt: PromptSettings,
    /// The context engine.
    pub engine: EngineSettings,
    /// Memory id.
    pub memory: String,
    /// The model may add notes before a compaction.
    pub memory_flush: bool,
    /// Short titles of sessions.
    pub titles: TitleSettings,
}

impl Default for AgentSettings {
    fn default() -> Self {
        Self {
            model: None,
            fallback_models: Vec::new(),
            overflow_upgrade: false,
            base_url: None,
            thinking: ThinkingLevel::Default,
            tools: ToolSettings::default(),
            network: NetworkSettings::default(),
            limits: RequestLimits::default(),
            prompt: PromptSettings::default(),
            engine: EngineSettings::default(),
            memory: "project-notes".to_owned(),
            memory_flush: false,
            titles: TitleSettings::default(),
        }
    }
}

/// Short titles of sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TitleSettings {
    /// Who writes them.
    pub how: TitleSource,
    /// The model that writes them; `None`: the small model of the provider that answers, where
    /// one is known.
    pub model: Option<ModelRef>,
}

/// Who writes the titles of sessions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TitleSource {
    /// A model where that is cheap; else they are taken from the first message.
    #[default]
    Auto,
    /// They are taken from the first message.
    Text,
    /// Nobody: lists show how the first message begins.
    Off,
}

/// Which context engine makes the requests.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSettings {
    /// Its id.
    pub id: String,
    /// The command of the user's program, for the engine `process`.
    pub command: Option<String>,
    /// Milliseconds after which nobody waits for its answer.
    pub limit_ms: u64,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            id: "layered".to_owned(),
            command: None,
            limit_ms: 1_000,
        }
    }
}

/// Settings of tools.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSettings {
    /// The calls that run without asking.
    pub approvals: ApprovalMode,
    /// `tool:glob` patterns that run without asking.
    pub approvals_allow: Vec<String>,
    /// Commands that only look run without asking.
    pub approvals_read_only: bool,
    /// Seconds after which a shell command is killed, unless the call asks for another limit.
    pub shell_timeout_secs: u64,
    /// Megabytes on disk that a session keeps of what files were before it changed them.
    pub checkpoint_mb: u64,
    /// Further directories that tools may touch.
    pub extra_dirs: Vec<PathBuf>,
    /// Names of tools that the model is not offered.
    pub off: Vec<String>,
    /// Whether skills are offered.
    pub skills: bool,
    /// Recall reaches other sessions of the project.
    pub recall_sessions: bool,
    /// Whether pages of the Internet can be read.
    pub fetch: bool,
    /// Whether equal calls with equal results are noticed.
    pub loop_guard: bool,
}

impl Default for ToolSettings {
    fn default() -> Self {
        Self {
            approvals: ApprovalMode::Ask,
            approvals_allow: Vec::new(),
            approvals_read_only: true,
            shell_timeout_secs: 120,
            checkpoint_mb: 500,
            extra_dirs: Vec::new(),
            off: Vec::new(),
            skills: true,
            recall_sessions: false,
            fetch: false,
            loop_guard: true,
        }
    }
}

/// How much may be asked of models.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RequestLimits {
    /// Model requests at the same time: the session's, and a summary written beside it.
    pub lanes_global: usize,
    /// Steps (requests) that one message may take; `None` means no limit.
    pub max_turns: Option<u32>,
    /// US dollars that a session may cost, or, without a screen, a run; `None` means no limit.
    pub max_cost_usd: Option<f64>,
    /// The most tokens of a sub-agent's window; `None` means no cap.
    pub subagent_window_tokens: Option<u64>,
}

impl Default for RequestLimits {
    fn default() -> Self {
        Self {
            lanes_global: 4,
            max_turns: None,
            max_cost_usd: None,
            subagent_window_tokens: None,
        }
    }
}

/// The user's own words in the system prompt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PromptSettings {
    /// Replaces the built-in system prompt.
    pub system: Option<String>,
    /// Is added to the system prompt.
    pub append: Option<String>,
}

/// How models are reached.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkSettings {
    /// Tries of one request, the first included.
    pub retry_max_attempts: u32,
    /// Longest wait before another try, in seconds; `None`: two minutes where nobody watches,
    /// no limit on the screen.
    pub retry_max_wait_secs: Option<u64>,
    /// A stream that is silent for this long fails.
    pub stream_stall_secs: u64,
    /// Ask the usual ports of servers on this machine which models they serve.
    pub probe_local: bool,
    /// Milliseconds that such a server has to answer.
    pub probe_ms: u64,
    /// Ask models.dev for newer facts about models.
    pub catalogue_refresh: bool,
    /// Its address, where it is another one.
    pub catalogue_url: Option<String>,
    /// The trusted certificates.
    pub tls_roots: Roots,
    /// PEM file with further certificate authorities.
    pub tls_ca_file: Option<PathBuf>,
    /// What is asked of the prompt cache.
    pub prompt_cache: CacheWishes,
}

impl Default for NetworkSettings {
    fn default() -> Self {
        Self {
            retry_max_attempts: 8,
            retry_max_wait_secs: None,
            stream_stall_secs: 60,
            probe_local: true,
            probe_ms: 1_000,
            catalogue_refresh: true,
            catalogue_url: None,
            tls_roots: Roots::System,
            tls_ca_file: None,
            prompt_cache: CacheWishes {
                ttl: PromptCacheTtl::Usual,
                diagnosis: true,
            },
        }
    }
}
