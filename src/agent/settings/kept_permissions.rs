//! Reads what is always allowed in a folder.

use crate::agent::protocol::Notice;
use crate::agent::setup::AgentSetup;
use crate::config::permissions;
use crate::tool::{ApprovalPolicy, Permission, is_outdated_pattern};

/// The tool whose patterns are about commands.
pub(in crate::agent) const SHELL: &str = "shell";

/// Takes into a policy what is always allowed in the folder of a session.
pub(in crate::agent) fn take_always(
    policy: &mut ApprovalPolicy,
    setup: &AgentSetup,
) -> Option<Notice> {
    match permissions::read(&setup.paths.permissions_file(), &setup.cwd) {
        Ok(found) => {
            let notice = outdated_notice(&found);
            for permission in found {
                policy.allow(permission);
            }
            notice
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

/// The notice of patterns that earlier versions kept after one key stroke and read too widely.
fn outdated_notice(found: &[Permission]) -> Option<Notice> {
    let patterns: Vec<&str> = found
        .iter()
        .filter(|it| it.tool == SHELL)
        .filter_map(|it| it.pattern.as_deref())
        .filter(|pattern| is_outdated_pattern(pattern))
        .collect();
    let first = patterns.first()?;
    let notice = Notice::info(format!(
        "permissions saved by an earlier version now cover only the command before the `*`, \
         because its options and files can run other programs: `{}`",
        patterns.join("`, `")
    ));
    Some(notice.with_hint(format!(
        "revoke them with /permissions; \"shell:{first}\" in approvals.allow allows more"
    )))
}
