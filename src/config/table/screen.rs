//! Rows of the terminal: looks, mouse, notifications, keys.
//!
//! Only data; how a row is read and checked is in `row`.

use super::super::field::{NOTIFY_METHODS, NOTIFY_TIMES};
use super::super::value::Kind;
use super::row::{Setting, row};

pub(super) const ROWS: &[Setting] = &[
    row!(
        "theme",
        ui.theme,
        Kind::Text,
        "Theme, or auto for dark or light as the terminal is."
    ),
    row!(
        "mouse",
        ui.mouse,
        Kind::Bool,
        "Whether the mouse is captured."
    ),
    row!("color", ui.color, Kind::Bool, "Whether colours are used."),
    row!(
        "plain",
        ui.plain,
        Kind::Bool,
        "Line by line instead of a screen: for screen readers and simple terminals."
    ),
    row!(
        "title",
        ui.title,
        Kind::Bool,
        "Whether the window's title says which session this is and what it does."
    ),
    row!(
        "notify.when",
        ui.notify_when,
        Kind::Choice(NOTIFY_TIMES),
        "When to call you because an answer is done or a question waits."
    ),
    row!(
        "notify.method",
        ui.notify_method,
        Kind::Choice(NOTIFY_METHODS),
        "How to call you; auto takes what the terminal is known to understand, else the bell."
    ),
    row!(
        "keys.vi",
        ui.vi,
        Kind::Bool,
        "Whether the composer has the modes of vi."
    ),
];
