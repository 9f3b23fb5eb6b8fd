//! Rows of what tools may touch and what runs without asking.
//!
//! Only data; how a row is read and checked is in `row`.

use super::applies::ChangeEffect::{AtStart, Live};
use super::applies::LivePart;
use super::field::APPROVAL_MODES;
use super::kind::SettingKind;
use super::row::{SECS, Setting, TEXTS, int, row};

/// A terabyte is no bound any more.
const MAX_CHECKPOINT_MB: u64 = 1024 * 1024;

pub(super) const ROWS: &[Setting] = &[
    row!(
        "extra_dirs",
        agent.tools.extra_dirs,
        Live(LivePart::ToolDirs),
        TEXTS,
        "Further directories that tools may use."
    ),
    row!(
        "trusted_dirs",
        trusted_dirs,
        AtStart,
        TEXTS,
        "Trusted directories: the configuration of a project below them may set everything."
    ),
    row!(
        "approvals.mode",
        agent.tools.approvals,
        Live(LivePart::Approvals),
        SettingKind::Choice(APPROVAL_MODES),
        "Tool calls that run without asking."
    ),
    row!(
        "approvals.allow",
        agent.tools.approvals_allow,
        Live(LivePart::Approvals),
        TEXTS,
        "Patterns (tool:glob) of calls that run without asking, e.g. shell:cargo *."
    ),
    row!(
        "approvals.read_only",
        agent.tools.approvals_read_only,
        Live(LivePart::Approvals),
        SettingKind::Bool,
        "Commands that only read (ls, cat, rg, git status, git diff …) run without asking in the modes ask and edits."
    ),
    row!(
        "tools.shell_timeout_secs",
        agent.tools.shell_timeout_secs,
        Live(LivePart::ShellTool),
        SECS,
        "Time limit of a shell command, unless the call sets its own.", trusted false
    ),
    row!(
        "tools.checkpoint_mb",
        agent.tools.checkpoint_mb,
        Live(LivePart::Checkpoints),
        int(0, MAX_CHECKPOINT_MB, "MB"),
        "Disk space per session for the original contents of changed files, for /diff and /rewind."
    ),
];
