//! Rows of the user's own commands at fixed moments.
//!
//! Only data; how a row is read and checked is in `row`.

use super::applies::ChangeEffect::Live;
use super::applies::LivePart;
use super::kind::SettingKind;
use super::row::{Setting, int, row};

pub(super) const ROWS: &[Setting] = &[
    row!("hooks.before_compact", hooks.before_compact, Live(LivePart::Hooks), SettingKind::Text, "Command that may stop a compaction, or give it context, instructions, messages or the summary itself.", unset "none"),
    row!("hooks.after_compact", hooks.after_compact, Live(LivePart::Hooks), SettingKind::Text, "Command that is told of a compaction that counts.", unset "none"),
    row!("hooks.before_request", hooks.before_request, Live(LivePart::Hooks), SettingKind::Text, "Command that may add messages before each request.", unset "none"),
    row!("hooks.auto_continue", hooks.auto_continue, Live(LivePart::Hooks), SettingKind::Text, "Command that decides whether the model goes on after a compaction at the end of an answer.", unset "compaction.auto_continue decides"),
    row!(
        "hooks.timeout_secs",
        hooks.timeout_secs,
        Live(LivePart::Hooks),
        int(1, 600, "seconds"),
        "A hook that takes longer is set aside."
    ),
];
