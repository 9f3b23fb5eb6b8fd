//! What may run without a question: said yes to for the session, or always in this folder,
//! listed and revoked.
//!
//! What is always allowed is kept beside the user's configuration, never in the project.

use super::actor::Actor;
use super::event::{AgentEvent, Notice, PermissionList};
use crate::config::permissions;
use crate::tool::{ApprovalPolicy, Grant, Permission};

use super::setup::Setup;

/// Takes into a policy what is always allowed in the folder of a session.
pub(super) fn take_always(policy: &mut ApprovalPolicy, setup: &Setup) -> Option<Notice> {
    match permissions::read(&setup.paths.permissions_file(), &setup.cwd) {
        Ok(found) => {
            for permission in found {
                policy.allow(permission);
            }
            None
        }
        Err(error) => {
            let notice = Notice::warning(error.message);
            Some(match error.hint {
                Some(hint) => notice.with_hint(hint),
                None => notice,
            })
        }
    }
}

impl Actor {
    /// Allows calls of a tool until the session is closed.
    pub fn allow_for_session(&mut self, tool: &str, pattern: Option<String>) {
        self.policy.allow(Permission {
            grant: Grant::Session,
            tool: tool.to_owned(),
            pattern,
        });
    }

    /// Allows calls of a tool in this folder until that is revoked.
    pub async fn allow_always(&mut self, tool: &str, pattern: String) {
        let file = self.setup.paths.permissions_file();
        match permissions::add(&file, &self.setup.cwd, tool, &pattern) {
            Ok(()) => {
                let text = format!("`{tool}: {pattern}` is always allowed in this folder");
                let notice = Notice::info(text).with_hint("/permissions shows and revokes it");
                self.notice(notice).await;
                self.policy.allow(Permission {
                    grant: Grant::Always,
                    tool: tool.to_owned(),
                    pattern: Some(pattern),
                });
            }
            Err(error) => {
                let notice = Notice::warning(format!("{error}; it is allowed for this session"));
                self.notice(notice).await;
                self.allow_for_session(tool, Some(pattern));
            }
        }
    }

    /// Says what is allowed.
    pub async fn list_permissions(&mut self) {
        let list = PermissionList {
            mode: self.policy.mode(),
            permissions: self.policy.permissions(),
            folder: self.setup.cwd.clone(),
            file: self.setup.paths.permissions_file(),
        };
        self.emit(AgentEvent::Permissions(Box::new(list))).await;
    }

    /// Asks again from here on, and says what is left.
    pub async fn revoke(&mut self, permission: &Permission) {
        match (permission.grant, &permission.pattern) {
            (Grant::Configured, _) => {
                let notice = Notice::info("the settings allow this (approvals_allow)");
                self.notice(notice.with_hint("take it out there")).await;
                return;
            }
            (Grant::Always, Some(pattern)) => {
                let file = self.setup.paths.permissions_file();
                let removed =
                    permissions::remove(&file, &self.setup.cwd, &permission.tool, pattern);
                if let Err(error) = removed {
                    let text = format!("{error}; it is revoked for this session only");
                    self.notice(Notice::warning(text)).await;
                }
            }
            _ => {}
        }
        self.policy.revoke(permission);
        self.list_permissions().await;
    }
}
