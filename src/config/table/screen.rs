//! Rows of the terminal: looks, mouse, notifications, keys.
//!
//! Only data; how a row is read and checked is in `row`.

use super::applies::Applies::{AtStart, Live};
use super::applies::{InterfacePart, Part};
use super::field::{NOTIFY_METHODS, NOTIFY_TIMES};
use super::kind::Kind;
use super::row::{Setting, row};

pub(super) const ROWS: &[Setting] = &[
    row!(
        "theme",
        ui.theme,
        Live(Part::Interface(InterfacePart::Theme)),
        Kind::Text,
        "Theme, or auto for dark or light as the terminal is."
    ),
    row!(
        "mouse",
        ui.mouse,
        Live(Part::Interface(InterfacePart::Mouse)),
        Kind::Bool,
        "Whether the mouse is captured."
    ),
    row!(
        "color",
        ui.color,
        Live(Part::Interface(InterfacePart::Color)),
        Kind::Bool,
        "Whether colours are used."
    ),
    row!(
        "plain",
        ui.plain,
        AtStart,
        Kind::Bool,
        "Line by line instead of a screen: for screen readers and simple terminals."
    ),
    row!(
        "title",
        ui.title,
        Live(Part::Interface(InterfacePart::Title)),
        Kind::Bool,
        "Whether the window's title says which session this is and what it does."
    ),
    row!(
        "notify.when",
        ui.notify_when,
        Live(Part::Interface(InterfacePart::NotifyWhen)),
        Kind::Choice(NOTIFY_TIMES),
        "When to call you because an answer is done or a question waits. With --plain the focus is not known: unfocused never calls."
    ),
    row!(
        "notify.method",
        ui.notify_method,
        Live(Part::Interface(InterfacePart::NotifyMethod)),
        Kind::Choice(NOTIFY_METHODS),
        "How to call you; auto takes what the terminal is known to understand, else the bell."
    ),
    row!(
        "keys.vi",
        ui.vi,
        Live(Part::Interface(InterfacePart::ViKeys)),
        Kind::Bool,
        "Whether the composer has the modes of vi."
    ),
];
