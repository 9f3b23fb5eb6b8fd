//! The moments that a person's own commands are asked at.

use crate::config::HookSettings;

/// When a hook is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::agent) enum Hook {
    BeforeCompact,
    AfterCompact,
    BeforeRequest,
    AutoContinue,
}

impl Hook {
    /// The name after `hooks.` in the settings, and in what it is told.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::BeforeCompact => "before_compact",
            Self::AfterCompact => "after_compact",
            Self::BeforeRequest => "before_request",
            Self::AutoContinue => "auto_continue",
        }
    }

    pub(crate) fn command(self, settings: &HookSettings) -> Option<&String> {
        let command = match self {
            Self::BeforeCompact => &settings.before_compact,
            Self::AfterCompact => &settings.after_compact,
            Self::BeforeRequest => &settings.before_request,
            Self::AutoContinue => &settings.auto_continue,
        };
        command.as_ref().filter(|line| !line.trim().is_empty())
    }
}
