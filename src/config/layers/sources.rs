//! The sources of the settings, as they were read.

use std::path::PathBuf;

use crate::config::paths::EnvironmentVars;
use crate::config::value::SettingValue;

/// A configuration file that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFile {
    /// Where it is.
    pub path: PathBuf,
    /// The text of the file.
    pub text: String,
}

/// A setting from the command line.
#[derive(Clone, Debug, PartialEq)]
pub struct FlagSetting {
    /// The setting's key.
    pub key: String,
    /// A text is read as the setting's kind says.
    pub value: SettingValue,
    /// The flag as it was written, for messages.
    pub flag: String,
    /// Whether a list joins what is set already instead of replacing it.
    pub adds: bool,
}

/// Everything that settings come from.
#[derive(Clone, Debug, Default)]
pub struct SettingSources {
    /// The user's file, when there is one.
    pub user_file: Option<SourceFile>,
    /// The project's file, when there is one.
    pub project_file: Option<SourceFile>,
    /// Why a project's file that is there was not read, one sentence.
    pub project_refusal: Option<String>,
    /// The `.mcp.json` of a trusted project, when there is one.
    pub shared_servers: Option<SourceFile>,
    /// Why a project's `.mcp.json` that is there was not read, one sentence.
    pub servers_refusal: Option<String>,
    /// A snapshot of the environment.
    pub environment: EnvironmentVars,
    /// Flags, in order; later ones win.
    pub flags: Vec<FlagSetting>,
    /// The working directory, which `@FILE` on the command line is relative to.
    pub cwd: PathBuf,
}
