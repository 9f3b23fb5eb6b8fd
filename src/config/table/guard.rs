//! Rows of what is cut to fit: single results, whole requests, attachments.
//!
//! Only data; how a row is read and checked is in `row`.

use super::applies::ChangeEffect::Live;
use super::applies::LivePart;
use super::field::MEDIA_AGEINGS;
use super::kind::SettingKind;
use super::row::{MAX_CHARS, MAX_TURNS, Setting, int, row};

pub(super) const ROWS: &[Setting] = &[
    row!(
        "guard.enabled",
        context.guard.enabled,
        Live(LivePart::Context),
        SettingKind::Bool,
        "Cut tool results to fit. Even with false, the last recovery from overflow clears them, and a compaction cuts a result larger than the part that it keeps."
    ),
    row!(
        "guard.single_share",
        context.guard.single_share,
        Live(LivePart::Context),
        SettingKind::Share,
        "Maximum share of the window for a single tool result.", trusted false
    ),
    row!(
        "guard.result_weight",
        context.guard.result_weight,
        Live(LivePart::Context),
        SettingKind::Factor,
        "Weight of a tool result's tokens in guard.single_share and guard.total_share. Above 1, it replaces ruler_margin.", trusted false
    ),
    row!("guard.total_share", context.guard.total_share, Live(LivePart::Context), SettingKind::Share, "Maximum share of the window for a request.", unset "the load line", trusted false),
    row!(
        "guard.total_target",
        context.guard.total_target,
        Live(LivePart::Context),
        SettingKind::Share,
        "Target for a request above guard.total_share, as a share of the window.", trusted false
    ),
    row!(
        "guard.total_always",
        context.guard.total_always,
        Live(LivePart::Context),
        SettingKind::Bool,
        "Cut requests before each call, not only after a summary was not enough.", trusted false
    ),
    row!("guard.notice", context.guard.notice, Live(LivePart::Context), SettingKind::Text, "Notice in place of the part that was cut.", unset "the size of the part and the reason"),
    row!(
        "guard.placeholder",
        context.guard.placeholder,
        Live(LivePart::Context),
        SettingKind::Text,
        "Notice in place of a cleared result."
    ),
    row!("guard.tool_output_max_chars", context.guard.tool_output_max_chars, Live(LivePart::Context), int(1, MAX_CHARS, "characters"), "Maximum length of every tool result.", unset "no limit", trusted false),
    row!(
        "media.ageing",
        context.media.ageing,
        Live(LivePart::Context),
        SettingKind::Choice(MEDIA_AGEINGS),
        "Old attachments to replace by a text. on: all; pruning: those of tool results that pruning may clear; off: none.", trusted false
    ),
    row!(
        "media.keep_turns",
        context.media.keep_turns,
        Live(LivePart::Context),
        int(0, MAX_TURNS, "turns"),
        "Attachments are sent for this many completed turns.", trusted false
    ),
    row!(
        "media.keep_groups",
        context.media.keep_groups,
        Live(LivePart::Context),
        int(0, MAX_TURNS, "groups"),
        "Attachments are sent for this many groups of messages, if fewer than the turns.", trusted false
    ),
];
