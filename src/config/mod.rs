//! Configuration: files, environment and flags on one side, [`Settings`] with the
//! origin of every value on the other.
//!
//! Nothing here asks the process for its environment: a snapshot is handed in.

mod commands;
mod consistency;
mod edit;
mod error;
mod field;
mod keys;
mod paths;
pub mod permissions;
mod presets;
mod privacy;
mod private_file;
mod prompt;
mod providers;
mod raw;
mod resolve;
mod rules;
pub mod secrets;
mod settings;
mod show;
mod store;
mod table;
mod trust;
mod value;

pub use commands::{UserCommand, UserCommands};
pub use error::{ConfigError, Origin, nearest};
pub use keys::KeyChange;
pub use paths::{Environment, Paths};
pub use presets::Preset;
pub use privacy::close_to_others;
pub use prompt::{Platform, system_prompt};
pub use resolve::{FlagSetting, IgnoredSetting, Resolved, SourceFile, Sources, load, resolve};
pub use rules::{Rules, RulesFile, read_rules};
pub use settings::{
    AgentSettings, HookSettings, ModelOverride, NotifyMethod, NotifyWhen, Settings, UiSettings,
};
pub use show::{default_toml, presentable, settings_markdown, show};
pub use store::{CommandLine, Saved, Store, Where};
pub use table::{
    Alias, Applies, GROUPS, Group, Interface, InterfacePart, Part, SETTINGS, Setting, find,
};
pub use trust::TrustedDirs;
pub use value::{Kind, Value, parse_model};

#[cfg(test)]
mod tests;
