//! Configuration: files, environment and flags on one side, [`Settings`] with the
//! origin of every value on the other.
//!
//! Nothing here asks the process for its environment: a snapshot is handed in.
//!
//! - `table`: every setting, what it accepts and what a change does; `settings`: their values.
//! - `file`: the text of a configuration file; `layers`: files, environment and flags laid
//!   over each other.
//! - `saved`: what the program writes beside the configuration; `paths`: where.
//! - `instructions`: the system prompt, the project's rules, the user's commands.

mod error;
mod file;
mod instructions;
mod layers;
mod origin;
mod paths;
mod saved;
mod settings;
mod show;
mod table;
mod value;

pub use error::ConfigError;
pub use instructions::prompt::{Platform, system_prompt};
pub use instructions::rules::{Rules, RulesFile, read_rules};
pub use instructions::user_commands::{UserCommand, UserCommands};
pub use layers::presets::Preset;
pub use layers::resolve::{IgnoredSetting, Resolved, resolve};
pub use layers::source_files::load;
pub use layers::sources::{FlagSetting, SourceFile, Sources};
pub use layers::trust::TrustedDirs;
pub use origin::Origin;
pub use paths::{Environment, Paths};
pub use saved::privacy::close_to_others;
pub use saved::store::{CommandLine, Saved, Store, Where};
pub use saved::{permissions, secrets};
pub use settings::{
    AgentSettings, HookSettings, KeyChange, ModelOverride, NetworkSettings, NotifyMethod,
    NotifyWhen, Settings, ToolSettings, UiSettings,
};
pub use show::{default_toml, presentable, settings_markdown, show};
pub use table::kind::Kind;
pub use table::{
    Alias, Applies, GROUPS, Group, Interface, InterfacePart, Part, SETTINGS, Setting, find,
};
pub use value::{Value, parse_model};

#[cfg(test)]
mod tests;
