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
            thinking: ThinkingLevel::Default,
            tools: ToolSettings::default(),
            network: NetworkSettings::default(),
            lanes_global: 4,
            max_turns: None,
            max_cost_usd: None,
            system: None,
            append_system: None,
            engine: "layered".to_owned(),
            memory: "project-notes".to_owned(),
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
        }
    }
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
