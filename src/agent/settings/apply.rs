//! What another value of a setting does at once, and which ones count at the start alone.

use std::sync::Arc;

use super::super::actor::Actor;
use super::super::waiting::{WaitingCommand, WaitingWork};
use crate::config::{ConfigError, Origin, Resolved, Setting};
use crate::tool::ApprovalPolicy;

/// What is read once: connections, what lies below the other settings, engines, how the
/// program shows itself at all.
const AT_START: [&str; 10] = [
    "base_url",
    "trusted_dirs",
    "stream.stall_secs",
    "tls.roots",
    "tls.ca_file",
    "lanes.global",
    "preset",
    "context.engine",
    "memory.engine",
    "plain",
];

/// What the interface looks after.
const OF_SCREEN: [&str; 7] = [
    "theme",
    "mouse",
    "color",
    "title",
    "notify.when",
    "notify.method",
    "keys.vi",
];

/// Whether a change counts from the next start on only.
pub(super) fn is_at_start(key: &str) -> bool {
    AT_START.contains(&key)
}

/// Whether the interface has to do something about it.
pub(super) fn is_of_screen(key: &str) -> bool {
    OF_SCREEN.contains(&key)
}

impl Actor {
    /// Takes one setting over from other settings; the next view, gauge and request use it.
    pub(super) async fn use_settings(
        &mut self,
        setting: &'static Setting,
        from: &Resolved,
    ) -> Result<(), ConfigError> {
        let mut settings = self.setup.settings.clone();
        let value = setting.get(&from.settings);
        let refused = |expected: String| {
            ConfigError::bad_value(&Origin::Session, setting.key, &value, &expected)
        };
        setting.set(&mut settings, &value).map_err(refused)?;
        let policy = ApprovalPolicy::new(settings.agent.approvals, &settings.agent.approvals_allow)
            .map_err(|error| ConfigError::new(error.to_string()))?;
        let setup = Arc::make_mut(&mut self.setup);
        setup.settings = settings;
        setup
            .provenance
            .origins
            .insert(setting.key, from.origin(setting.key));
        if is_at_start(setting.key) || is_of_screen(setting.key) {
            return Ok(());
        }
        self.apply_setting(setting.key, policy).await;
        Ok(())
    }

    async fn apply_setting(&mut self, key: &str, policy: ApprovalPolicy) {
        match key {
            "model" => {
                // After what runs: the conversation may have to be summarised for it.
                if let Some(model) = self.setup.settings.agent.model.clone() {
                    self.wait_in_line(WaitingWork::Command(WaitingCommand::SetModel(model)));
                }
            }
            "thinking" => {
                let level = self.setup.settings.agent.thinking;
                self.set_thinking(level).await;
            }
            "approvals.mode" | "approvals.allow" => self.use_policy(policy),
            "tools.shell_timeout_secs" => self.tools = self.setup.tools(),
            "extra_dirs" => {
                let dirs = self.setup.settings.agent.extra_dirs.clone();
                self.scope.extra_dirs = dirs;
                self.watch_anew();
            }
            "tools.checkpoint_mb" => self.watch_anew(),
            "system" | "append_system" | "workspace_sections" => {
                self.refresh_prompt_aloud().await;
            }
            "ruler" => self.forget_ruler(),
            key if key.starts_with("hooks.") => self.hooks_aside.clear(),
            _ => {}
        }
        self.apply_model_settings();
        self.publish_view().await;
    }

    /// Another mode, other patterns; what the user allowed since stays allowed.
    fn use_policy(&mut self, mut policy: ApprovalPolicy) {
        policy.set_plan_mode(self.policy.is_plan_mode());
        for permission in self.policy.permissions() {
            if permission.grant != crate::tool::Grant::Configured {
                policy.allow(permission);
            }
        }
        self.policy = policy;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::find;

    #[test]
    fn the_lists_name_settings() {
        for key in AT_START.iter().chain(&OF_SCREEN) {
            assert!(find(key).is_some_and(|(it, _)| it.key == *key), "{key}");
        }
    }
}
