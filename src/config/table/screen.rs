//! Rows of the terminal: looks, mouse, notifications, keys.
//!
//! Only data; how a row is read and checked is in `row`.

use super::applies::ChangeEffect::{AtStart, Live};
use super::applies::{InterfacePart, LivePart};
use super::field::{DIFF_SIDES, MOTIONS, NOTIFY_METHODS, NOTIFY_TIMES, WHERE_KNOWN};
use super::kind::SettingKind;
use super::row::{Setting, int, row};

/// No screen is wider.
const MAX_TEXT_WIDTH: u64 = 10_000;

pub(super) const ROWS: &[Setting] = &[
    row!(
        "theme",
        ui.theme,
        Live(LivePart::Interface(InterfacePart::Theme)),
        SettingKind::Text,
        "Theme; auto: dark or light, to match the terminal."
    ),
    row!(
        "mouse",
        ui.mouse,
        Live(LivePart::Interface(InterfacePart::Mouse)),
        SettingKind::Bool,
        "Use the mouse."
    ),
    row!(
        "color",
        ui.color,
        Live(LivePart::Interface(InterfacePart::Color)),
        SettingKind::Bool,
        "Use colours."
    ),
    row!(
        "plain",
        ui.plain,
        AtStart,
        SettingKind::Bool,
        "Chat line by line instead of on a screen: for screen readers and simple terminals."
    ),
    row!(
        "title",
        ui.title,
        Live(LivePart::Interface(InterfacePart::Title)),
        SettingKind::Bool,
        "Show the session and its activity in the title of the terminal window."
    ),
    row!(
        "notify.when",
        ui.notify_when,
        Live(LivePart::Interface(InterfacePart::NotifyWhen)),
        SettingKind::Choice(NOTIFY_TIMES),
        "When to notify you of a finished answer or a question. With --plain the focus is unknown: unfocused never notifies."
    ),
    row!(
        "notify.method",
        ui.notify_method,
        Live(LivePart::Interface(InterfacePart::NotifyMethod)),
        SettingKind::Choice(NOTIFY_METHODS),
        "How to notify you; auto: the method that the terminal supports, otherwise the bell."
    ),
    row!(
        "keys.vi",
        ui.vi,
        Live(LivePart::Interface(InterfacePart::ViKeys)),
        SettingKind::Bool,
        "Edit the input with the modes of vi."
    ),
    row!(
        "terminal.links",
        ui.links,
        Live(LivePart::Interface(InterfacePart::Terminal)),
        SettingKind::Choice(WHERE_KNOWN),
        "Whether addresses and paths can be clicked (OSC 8); auto leaves simple terminals and old multiplexers alone."
    ),
    row!(
        "terminal.progress",
        ui.progress,
        Live(LivePart::Interface(InterfacePart::Terminal)),
        SettingKind::Choice(WHERE_KNOWN),
        "Whether the terminal's tab shows that something runs (OSC 9;4); auto where the terminal is known to understand it."
    ),
    row!(
        "motion",
        ui.motion,
        Live(LivePart::Interface(InterfacePart::Drawing)),
        SettingKind::Choice(MOTIONS),
        "How much moves: reduced has no spinners, and times and the gauge change once a second at most."
    ),
    row!(
        "transcript.width",
        ui.text_width,
        Live(LivePart::Interface(InterfacePart::Drawing)),
        int(0, MAX_TEXT_WIDTH, "columns"),
        "Columns of a line of text at most; 0 for the whole screen. Tables, code and diffs use all of it."
    ),
    row!(
        "transcript.diff",
        ui.diff,
        Live(LivePart::Interface(InterfacePart::Drawing)),
        SettingKind::Choice(DIFF_SIDES),
        "How the two sides of a diff are placed: auto is side by side from 160 columns on."
    ),
];
