//! Rows of the user's own commands at fixed moments.
//!
//! Only data; how a row is read and checked is in `row`.

use super::applies::ChangeEffect::Live;
use super::applies::LivePart;
use super::kind::SettingKind;
use super::row::{Setting, int, row};

pub(super) const ROWS: &[Setting] = &[
    row!("hooks.before_compact", hooks.before_compact, Live(LivePart::Hooks), SettingKind::Text, "Command that runs before a compaction: it may stop it, or supply context, instructions, messages or the summary.", unset "none"),
    row!("hooks.after_compact", hooks.after_compact, Live(LivePart::Hooks), SettingKind::Text, "Command that runs after a compaction.", unset "none"),
    row!("hooks.before_request", hooks.before_request, Live(LivePart::Hooks), SettingKind::Text, "Command that runs before each request: it may add messages.", unset "none"),
    row!("hooks.auto_continue", hooks.auto_continue, Live(LivePart::Hooks), SettingKind::Text, "Command that decides whether the model continues after a compaction at the end of an answer.", unset "the value of compaction.auto_continue"),
    row!(
        "hooks.claude",
        hooks.claude,
        Live(LivePart::Hooks),
        SettingKind::Bool,
        "Also run the hooks in ~/.claude/settings.json and, in a trusted project, in .claude/settings.json."
    ),
    row!(
        "hooks.timeout_secs",
        hooks.timeout_secs,
        Live(LivePart::Hooks),
        int(1, 600, "seconds"),
        "Time limit of a hook; a slower hook is ignored."
    ),
];
