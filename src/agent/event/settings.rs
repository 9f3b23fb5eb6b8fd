//! What is said of settings and of keys.

use std::path::PathBuf;

use crate::config::{Origin, UiSettings, Value};

/// All settings as they are now, and what became of a change.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingsReport {
    /// One of each, in the order of the table.
    pub rows: Vec<SettingState>,
    /// The user's file.
    pub user_file: PathBuf,
    /// The project's file, there or not.
    pub project_file: PathBuf,
    /// What became of the change; `None` when a list was asked for.
    pub outcome: Option<SettingOutcome>,
}

/// One setting as it is now.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingState {
    /// Its key in the table.
    pub key: &'static str,
    /// The value in force; secrets in addresses are masked.
    pub value: Value,
    /// Where it came from.
    pub origin: Origin,
    /// Whether a change counts from the next start on only.
    pub at_start: bool,
}

/// What became of a change.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingOutcome {
    /// Which setting.
    pub key: &'static str,
    /// One sentence.
    pub text: String,
    /// Nothing was changed.
    pub is_refused: bool,
    /// What the interface uses from here on, when it is about that.
    pub ui: Option<Box<UiSettings>>,
}

/// A provider that a key can be entered for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginChoice {
    /// Its id.
    pub provider: String,
    /// Its address, without secrets; may be empty.
    pub base_url: String,
    /// Whether it runs on this machine: such servers need no key.
    pub is_local: bool,
    /// Where its key comes from, when it has one.
    pub key: Option<String>,
    /// Whether that is the key that was entered here: it can be forgotten.
    pub is_stored: bool,
}
