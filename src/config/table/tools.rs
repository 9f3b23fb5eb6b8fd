//! Rows of what tools may touch and what runs without asking.
//!
//! Only data; how a row is read and checked is in `row`.

use super::applies::ChangeEffect::{AtStart, Live};
use super::applies::LivePart;
use super::field::{APPROVAL_MODES, MCP_DEFERS};
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
        "tools.off",
        agent.tools.off,
        AtStart,
        TEXTS,
        "Names of tools that the model is not offered, e.g. todo."
    ),
    row!(
        "tools.fetch",
        agent.tools.fetch,
        AtStart,
        SettingKind::Bool,
        "Offer the tool fetch: it reads pages of the public Internet, and each host needs your approval."
    ),
    row!(
        "loop_guard",
        agent.tools.loop_guard,
        Live(LivePart::Requests),
        SettingKind::Bool,
        "Ask after three equal tool calls with equal results in a row; without a screen the model is told, and after eight the run ends."
    ),
    row!(
        "skills",
        agent.tools.skills,
        AtStart,
        SettingKind::Bool,
        "Offer skills: folders with a SKILL.md in .plimsoll/skills, .claude/skills and .agents/skills of a trusted project and of your own."
    ),
    row!(
        "mcp.defer",
        mcp.defer,
        AtStart,
        SettingKind::Choice(MCP_DEFERS),
        "When the schemas of MCP tools stay out of the prompt until the model looks for them; auto: above a tenth of the usable window."
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
