//! The table itself, in the order of help.

use super::{Action, Binding, Context};
use crate::tui::composer::Motion;

const fn on(
    context: Context,
    keys: &'static [&'static str],
    action: Action,
    help: &'static str,
) -> Binding {
    Binding {
        keys,
        context,
        action,
        help,
    }
}

const LIST: Context = Context::List;
const EMPTY: Context = Context::Empty;
const MAIN: Context = Context::Main;

/// The table. Within a context the first match wins.
pub const BINDINGS: &[Binding] = &[
    on(
        MAIN,
        &["enter"],
        Action::Send,
        "send; while an answer streams: after the running step",
    ),
    on(
        MAIN,
        &["alt-enter"],
        Action::SendAfterTurn,
        "send after the running turn",
    ),
    on(
        MAIN,
        &["shift-enter", "ctrl-j"],
        Action::Newline,
        "new line (also \\ and enter)",
    ),
    on(
        MAIN,
        &["esc"],
        Action::Escape,
        "stop the running answer, tool or compaction; twice in an empty composer: the timeline",
    ),
    on(
        MAIN,
        &["ctrl-c"],
        Action::Clear,
        "clear the composer; twice: leave",
    ),
    on(EMPTY, &["ctrl-d"], Action::Exit, "leave"),
    on(MAIN, &["ctrl-z"], Action::Suspend, "suspend"),
    on(MAIN, &["ctrl-l"], Action::Redraw, "draw the screen again"),
    on(MAIN, &["ctrl-g"], Action::Editor, "write in $EDITOR"),
    on(MAIN, &["f1"], Action::Help, "help"),
    on(EMPTY, &["?"], Action::Help, "help"),
    on(MAIN, &["f2"], Action::Ledger, "what is in the context"),
    on(
        EMPTY,
        &["enter"],
        Action::ToggleCard,
        "open or close the card in focus",
    ),
    on(
        MAIN,
        &["ctrl-o"],
        Action::ToggleCard,
        "open or close the card in focus, or the newest",
    ),
    on(
        EMPTY,
        &["shift-tab"],
        Action::Focus { forward: false },
        "focus the card above",
    ),
    on(
        EMPTY,
        &["tab"],
        Action::Focus { forward: true },
        "focus the card below",
    ),
    on(MAIN, &["pageup"], Action::ScrollPage(-1), "a page up"),
    on(MAIN, &["pagedown"], Action::ScrollPage(1), "a page down"),
    on(MAIN, &["shift-up"], Action::ScrollLines(-1), "a line up"),
    on(MAIN, &["shift-down"], Action::ScrollLines(1), "a line down"),
    on(
        MAIN,
        &["alt-up"],
        Action::Jump { forward: false },
        "to your message above",
    ),
    on(
        MAIN,
        &["alt-down"],
        Action::Jump { forward: true },
        "to your message below",
    ),
    on(
        MAIN,
        &["ctrl-home"],
        Action::ScrollStart,
        "to the start of the transcript",
    ),
    on(
        MAIN,
        &["ctrl-end"],
        Action::ScrollEnd,
        "to the end of the transcript, and follow",
    ),
    on(
        EMPTY,
        &["home"],
        Action::ScrollStart,
        "to the start of the transcript",
    ),
    on(
        EMPTY,
        &["end"],
        Action::ScrollEnd,
        "to the end of the transcript, and follow",
    ),
    on(
        EMPTY,
        &["ctrl-u"],
        Action::TakeBack,
        "take back the newest queued message",
    ),
    on(
        LIST,
        &["up", "ctrl-p"],
        Action::ListSelect { forward: false },
        "line above",
    ),
    on(
        LIST,
        &["down", "ctrl-n"],
        Action::ListSelect { forward: true },
        "line below",
    ),
    on(LIST, &["tab"], Action::ListAccept, "complete"),
    on(
        LIST,
        &["enter"],
        Action::ListSubmit,
        "complete; a command without arguments runs",
    ),
    on(LIST, &["esc"], Action::ListClose, "close the list"),
    on(
        MAIN,
        &["up"],
        Action::Up,
        "row above; on the first one: an older message",
    ),
    on(
        MAIN,
        &["down"],
        Action::Down,
        "row below; on the last one: a newer message",
    ),
    on(MAIN, &["ctrl-p"], Action::Older, "older message"),
    on(MAIN, &["ctrl-n"], Action::Newer, "newer message"),
    on(
        MAIN,
        &["left", "ctrl-b"],
        Action::Move(Motion::Left),
        "back",
    ),
    on(
        MAIN,
        &["right", "ctrl-f"],
        Action::Move(Motion::Right),
        "on",
    ),
    on(
        MAIN,
        &["alt-left", "ctrl-left", "alt-b"],
        Action::Move(Motion::WordLeft),
        "a word back",
    ),
    on(
        MAIN,
        &["alt-right", "ctrl-right", "alt-f"],
        Action::Move(Motion::WordRight),
        "a word on",
    ),
    on(
        MAIN,
        &["home", "ctrl-a"],
        Action::Move(Motion::LineStart),
        "start of the line",
    ),
    on(
        MAIN,
        &["end", "ctrl-e"],
        Action::Move(Motion::LineEnd),
        "end of the line",
    ),
    on(
        MAIN,
        &["alt-<"],
        Action::Move(Motion::Start),
        "start of the text",
    ),
    on(
        MAIN,
        &["alt->"],
        Action::Move(Motion::End),
        "end of the text",
    ),
    on(
        MAIN,
        &["backspace", "ctrl-h"],
        Action::Delete(Motion::Left),
        "delete before the caret",
    ),
    on(
        MAIN,
        &["delete", "ctrl-d"],
        Action::Delete(Motion::Right),
        "delete behind the caret",
    ),
    on(
        MAIN,
        &["alt-backspace", "ctrl-backspace"],
        Action::Kill(Motion::WordLeft),
        "cut the word before",
    ),
    on(
        MAIN,
        &["ctrl-w"],
        Action::Kill(Motion::BigWordLeft),
        "cut back to white space",
    ),
    on(
        MAIN,
        &["alt-d", "ctrl-delete"],
        Action::Kill(Motion::WordRight),
        "cut the word behind",
    ),
    on(
        MAIN,
        &["ctrl-u"],
        Action::Kill(Motion::LineStart),
        "cut to the start of the line",
    ),
    on(
        MAIN,
        &["ctrl-k"],
        Action::Kill(Motion::LineEnd),
        "cut to the end of the line",
    ),
    on(MAIN, &["ctrl-y"], Action::Yank, "put back what was cut"),
    on(MAIN, &["ctrl-t"], Action::Transpose, "swap two characters"),
    on(MAIN, &["ctrl-_", "ctrl-/", "ctrl-7"], Action::Undo, "undo"),
    on(
        MAIN,
        &["ctrl-x"],
        Action::Unfold,
        "unfold the paste at the caret",
    ),
];
