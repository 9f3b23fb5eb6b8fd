//! What a person switched off or on while the program runs, on top of the setting `tools.off`.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::names::JOINT;

/// See the module's description.
#[derive(Default)]
pub(super) struct Switches(Mutex<SwitchState>);

#[derive(Default)]
struct SwitchState {
    configured: Vec<String>,
    /// By name, or `server__*`; true for on.
    switched: BTreeMap<String, bool>,
}

impl Switches {
    /// Takes the setting as it is.
    pub(super) fn configure(&self, configured: &[String]) {
        let mut state = self.state();
        if state.configured != configured {
            state.configured = configured.to_vec();
        }
    }

    pub(super) fn switch(&self, what: &str, on: bool) {
        self.state().switched.insert(what.to_owned(), on);
    }

    /// What is off now.
    pub(super) fn off(&self) -> Vec<String> {
        let state = self.state();
        let is_on = |name: &String| state.switched.get(name) == Some(&true);
        let configured = state.configured.iter().filter(|name| !is_on(name));
        let mut off: Vec<String> = configured.cloned().collect();
        let switched = state.switched.iter().filter(|(_, on)| !**on);
        for (name, _) in switched {
            if !off.contains(name) {
                off.push(name.clone());
            }
        }
        off
    }

    fn state(&self) -> MutexGuard<'_, SwitchState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All tools of a server, as `tools.off` names them.
pub(super) fn all_of(server: &str) -> String {
    format!("{server}{JOINT}*")
}

/// The server of which `what` names all tools.
pub(super) fn server_of(what: &str) -> Option<&str> {
    what.strip_suffix('*')?.strip_suffix(JOINT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_switched_last_counts_above_the_setting() {
        let switches = Switches::default();
        switches.configure(&["todo".to_owned(), "a__*".to_owned()]);
        assert_eq!(switches.off(), ["todo", "a__*"]);
        switches.switch("a__*", true);
        switches.switch("b__x", false);
        assert_eq!(switches.off(), ["todo", "b__x"]);
        switches.switch("a__*", false);
        switches.switch("b__x", true);
        assert_eq!(switches.off(), ["todo", "a__*"]);
        assert_eq!(server_of(&all_of("a")), Some("a"));
        assert_eq!(server_of("a__x"), None);
    }
}
