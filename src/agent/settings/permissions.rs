//! Calls that may run without a question: allowed for the session, or always in this folder,
//! listed and revoked.
//!
//! What is always allowed is kept beside the user's configuration, never in the project.

use crate::agent::actor::Actor;
use crate::agent::protocol::{Notice, PermissionList, QueryId, QueryReply};
use crate::agent::settings::SettingActs;
use crate::agent::settings::kept_permissions::SHELL;
use crate::config::permissions;
use crate::tool::{Grant, Permission, pattern_narrowing};

/// The coverage of a pattern, where that is less than its text suggests.
fn narrowing(tool: &str, pattern: &str) -> Option<String> {
    pattern_narrowing(pattern).filter(|_| tool == SHELL)
}

impl Actor {
    /// Allows calls of a tool until the session is closed.
    pub(crate) async fn allow_for_session(&mut self, tool: &str, pattern: Option<String>) {
        let is_blanket = pattern.is_none();
        self.toolbox.policy.allow(Permission {
            grant: Grant::Session,
            tool: tool.to_owned(),
            pattern,
        });
        if is_blanket {
            self.tell_approvals().await;
        }
    }

    /// Allows calls like this one until the session is closed, and says what that covers.
    pub(crate) async fn allow_pattern(&mut self, tool: &str, pattern: String) {
        if let Some(narrowing) = narrowing(tool, &pattern) {
            let notice = Notice::info(format!("allowed for this session: {narrowing}"));
            self.events
                .notice(notice.with_hint("approvals.allow accepts wider patterns"))
                .await;
        }
        self.allow_for_session(tool, Some(pattern)).await;
    }

    /// Allows calls of a tool in this folder until that is revoked.
    pub(crate) async fn allow_always(&mut self, tool: &str, pattern: String) {
        let file = self.setup.paths.permissions_file();
        match permissions::add(&file, &self.setup.cwd, tool, &pattern) {
            Ok(()) => {
                let mut text = format!("`{tool}: {pattern}` is always allowed in this folder");
                if let Some(narrowing) = narrowing(tool, &pattern) {
                    text = format!("{text}: {narrowing}");
                }
                let notice = Notice::info(text).with_hint("revoke it with /permissions");
                self.events.notice(notice).await;
                self.toolbox.policy.allow(Permission {
                    grant: Grant::Always,
                    tool: tool.to_owned(),
                    pattern: Some(pattern),
                });
            }
            Err(error) => {
                let notice = Notice::warning(format!("{error}; it is allowed for this session"));
                self.events.notice(notice).await;
                self.allow_for_session(tool, Some(pattern)).await;
            }
        }
    }
}

impl SettingActs<'_> {
    /// Says what is allowed.
    pub(crate) async fn list_permissions(&mut self, to: Option<QueryId>) {
        let list = PermissionList {
            mode: self.agent.toolbox.policy.mode(),
            permissions: self.agent.toolbox.policy.permissions(),
            folder: self.agent.setup.cwd.clone(),
            file: self.agent.setup.paths.permissions_file(),
        };
        self.agent
            .events
            .reply(to, QueryReply::Permissions(Box::new(list)))
            .await;
    }

    /// Asks again from here on, and says what is left.
    pub(crate) async fn revoke(&mut self, permission: &Permission) {
        match (permission.grant, &permission.pattern) {
            (Grant::Configured, _) => {
                let notice = Notice::info("this is allowed by the settings (approvals.allow)");
                self.agent
                    .events
                    .notice(notice.with_hint("remove it there"))
                    .await;
                return;
            }
            (Grant::Always, Some(pattern)) => {
                let file = self.agent.setup.paths.permissions_file();
                let removed =
                    permissions::remove(&file, &self.agent.setup.cwd, &permission.tool, pattern);
                if let Err(error) = removed {
                    let text = format!("{error}; it is revoked for this session only");
                    self.agent.events.notice(Notice::warning(text)).await;
                }
            }
            _ => {}
        }
        self.agent.toolbox.policy.revoke(permission);
        self.agent.tell_approvals().await;
        self.list_permissions(None).await;
    }
}
