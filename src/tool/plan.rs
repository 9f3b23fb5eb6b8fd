//! The preview of a call, as approvals and cards show it.

use std::path::PathBuf;

use super::approval::command::CommandFacts;
use super::place::path::ResolvedPath;
use super::scope::ToolScope;

/// The preview of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// One line for the card: `src/main.rs`, `cargo build -p auth`.
    pub title: String,
    /// Unified diff of an edit.
    pub diff: Option<String>,
    /// The pattern that "always" would allow, as a glob on the title: `cargo build *`.
    pub pattern: String,
    /// Paths outside the workspace that the call touches; these always ask.
    pub outside: Vec<PathBuf>,
    /// Why the call asks wherever it works, as sentences without a full stop.
    pub cautions: Vec<String>,
    /// The file or folder that a path argument leads to.
    pub target: Option<PathBuf>,
    /// The facts about a command.
    pub(super) command: Option<CommandFacts>,
}

impl Plan {
    /// Of something that needs no agreement, as the user asked for it.
    pub fn titled(title: String) -> Self {
        Self {
            title,
            ..Self::default()
        }
    }

    /// Of a call that looks at one path.
    pub(super) fn reading(path: ResolvedPath, scope: &ToolScope) -> Self {
        Self {
            pattern: globset::escape(&path.shown),
            outside: path.outside_for_reading(scope),
            cautions: path.cautions_for_reading(scope),
            title: path.shown,
            target: Some(path.absolute),
            ..Self::default()
        }
    }

    /// Of a call that changes one file.
    pub(super) fn changing(path: ResolvedPath, diff: String, scope: &ToolScope) -> Self {
        Self {
            pattern: globset::escape(&path.shown),
            outside: path.outside_for_writing(),
            cautions: path.cautions_for_writing(scope),
            title: path.shown,
            diff: Some(diff),
            target: Some(path.absolute),
            ..Self::default()
        }
    }

    /// Whether nothing that the call touches asks by itself.
    pub fn is_inside(&self) -> bool {
        self.outside.is_empty() && self.cautions.is_empty()
    }
}
