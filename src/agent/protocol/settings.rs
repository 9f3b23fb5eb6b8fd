//! Replies about settings and keys.

use std::path::PathBuf;

use crate::config::{InterfacePart, SettingOrigin, SettingValue, UiSettings};

/// All settings as they are now, and what became of a change.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingsReport {
    /// One of each, in the order of the table.
    pub rows: Vec<SettingState>,
    /// The user's file.
    pub user_file: PathBuf,
    /// The project's file, there or not.
    pub project_file: PathBuf,
    /// The outcome of the change; `None` when a list was asked for.
    pub outcome: Option<SettingOutcome>,
}

/// One setting as it is now.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingState {
    /// Its key in the table.
    pub key: &'static str,
    /// The value in force; secrets in addresses are masked.
    pub value: SettingValue,
    /// Where it came from.
    pub origin: SettingOrigin,
    /// The other value of a setting that is read at the start: it is not in force yet.
    pub next_start: Option<NextStart>,
}

/// The new value of a setting that is read at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct NextStart {
    /// The value; secrets in addresses are masked.
    pub value: SettingValue,
    /// Whether a file has it; else the next start knows nothing of it.
    pub is_saved: bool,
}

/// The outcome of a change.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingOutcome {
    /// Which setting.
    pub key: &'static str,
    /// One sentence.
    pub text: String,
    /// Nothing was changed.
    pub is_refused: bool,
    /// The change for the interface, if it concerns that.
    pub interface: Option<InterfaceChange>,
}

/// One part of the interface that follows other settings from now on.
#[derive(Clone, Debug, PartialEq)]
pub struct InterfaceChange {
    /// Which part.
    pub part: InterfacePart,
    /// All settings of the interface, as they are now.
    pub ui: Box<UiSettings>,
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
