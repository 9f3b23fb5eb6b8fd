//! What an agent remembers of its hooks from one event to the next.

use std::collections::HashSet;

use super::answer::HookText;
use super::hook::Hook;
use crate::config::EventHook;

/// What an agent remembers of its hooks.
#[derive(Debug, Default)]
pub(in crate::agent) struct HookState {
    /// Hooks that failed in this run and are skipped.
    pub aside: Vec<Hook>,
    /// Those of Claude Code, once they were read.
    pub(super) claude: Option<Vec<EventHook>>,
    /// Failures that were told: each once.
    pub(super) told: HashSet<String>,
    /// Texts for the model that wait for the next message of the user.
    pub opening: Vec<HookText>,
}

impl HookState {
    /// After a change of the settings everything is read and tried again.
    pub(in crate::agent) fn reset(&mut self) {
        self.aside.clear();
        self.claude = None;
        self.told.clear();
    }
}
