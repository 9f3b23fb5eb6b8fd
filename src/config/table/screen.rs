//! Rows of the terminal: looks, mouse, notifications, keys.
//!
//! Only data; how a row is read and checked is in `row`.

use super::applies::ChangeEffect::{AtStart, Live};
use super::applies::{InterfacePart, LivePart};
use super::field::{NOTIFY_METHODS, NOTIFY_TIMES};
use super::kind::SettingKind;
use super::row::{Setting, row};

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
];
