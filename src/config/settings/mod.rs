//! The resolved settings: complete, typed and in range.

mod agent;
mod hooks;
mod interface;
mod mcp;
mod model_override;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

pub use agent::{
    AgentSettings, NetworkSettings, PromptSettings, RequestLimits, TitleSettings, TitleSource,
    ToolSettings,
};
pub use hooks::{EventHook, HookEvent, HookSettings};
pub use interface::{
    DiffSides, KeyChange, NotifyMethod, NotifyWhen, ScreenMotion, UiSettings, WhereKnown,
};
pub use mcp::{McpDefer, McpLogin, McpReach, McpServer, McpSettings};
pub use model_override::ModelOverride;

use super::layers::presets::ContextPreset;
use crate::context::ContextSettings;
use crate::provider::{ProviderSettings, Trust};
use crate::transcript::ModelRef;

/// Everything that can be set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// The set of context settings that files, variables and flags are laid over.
    pub preset: ContextPreset,
    /// Context management.
    pub context: ContextSettings,
    /// The agent loop.
    pub agent: AgentSettings,
    /// Commands of the user that take part.
    pub hooks: HookSettings,
    /// Servers that offer tools.
    pub mcp: McpSettings,
    /// The terminal.
    pub ui: UiSettings,
    /// Endpoints from the configuration, by id; built-in ones are not listed.
    pub providers: Vec<ProviderSettings>,
    /// `[models."provider/model"]` tables, by that name.
    pub models: BTreeMap<String, ModelOverride>,
    /// Directories whose projects may set everything; `~/` is the home directory.
    pub trusted_dirs: Vec<PathBuf>,
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

    /// The certificates that servers are checked against; the path of a file of them is
    /// relative to `cwd`.
    pub fn trust(&self, cwd: &Path) -> Trust {
        let network = &self.agent.network;
        let ca_file = network.tls_ca_file.as_ref();
        Trust {
            roots: network.tls_roots,
            ca_file: ca_file.map(|path| cwd.join(path)),
        }
    }
}
