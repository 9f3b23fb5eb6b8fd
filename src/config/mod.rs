//! Configuration: files, environment and flags on one side, [`Settings`] with the
//! origin of every value on the other.
//!
//! Nothing here asks the process for its environment: a snapshot is handed in.
//!
//! - `table`: every setting, what it accepts and what a change does; `settings`: their values.
//! - `file`: the text of a configuration file; `layers`: files, environment and flags laid
//!   over each other.
//! - `schema`: the file as a JSON Schema.
//! - `saved`: what the program writes beside the configuration; `paths`: where.
//! - `instructions`: the system prompt, the project's rules, the user's commands, skills.

mod error;
mod file;
mod instructions;
mod layers;
mod origin;
mod paths;
mod saved;
mod schema;
mod settings;
mod show;
mod table;
mod value;

pub use error::ConfigError;
pub use file::event_hooks::{ClaudeHooks, claude_hooks};
pub use instructions::agents::{
    AgentDefinition, AgentDefinitions, AgentTools, DEFAULT_AGENT, tool_name,
};
pub use instructions::front_matter::{FrontMatter, FrontMatterError};
pub use instructions::prompt::{Platform, system_prompt};
pub use instructions::rules::{
    ProjectRules, RulesFile, own_rules_files, read_nested_rules, read_rules,
};
pub use instructions::skills::{RefusedSkill, Skill, SkillOrigin, Skills};
pub use instructions::user_commands::{CommandSources, UserCommand, UserCommands};
pub use layers::presets::ContextPreset;
pub use layers::resolve::{IgnoredSetting, ResolvedSettings, resolve};
pub use layers::source_files::load;
pub use layers::sources::{FlagSetting, SettingSources, SourceFile};
pub use layers::trust::TrustedDirs;
pub use origin::SettingOrigin;
pub use paths::{EnvironmentVars, UserPaths};
pub use saved::privacy::close_to_others;
pub use saved::store::{CommandLine, SavedSetting, SettingsFile, SettingsStore};
pub use saved::{permissions, secrets};
pub use schema::json_schema;
pub use settings::{
    AgentSettings, DiffSides, EventHook, HookEvent, HookSettings, KeyChange, McpDefer, McpLogin,
    McpReach, McpServer, McpSettings, ModelOverride, NetworkSettings, NotifyMethod, NotifyWhen,
    PromptSettings, RequestLimits, ScreenMotion, Settings, TitleSettings, TitleSource,
    ToolSettings, UiSettings, WhereKnown,
};
pub use show::{default_toml, presentable, settings_markdown, show};
pub use table::kind::SettingKind;
pub use table::{
    ChangeEffect, GROUPS, InterfaceKind, InterfacePart, LivePart, Setting, SettingAlias,
    SettingGroup, all_settings, find,
};
pub use value::{SettingValue, parse_model};

#[cfg(test)]
mod tests;
