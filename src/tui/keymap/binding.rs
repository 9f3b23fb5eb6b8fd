//! The rows of the table of keys: where a key works, what it does, in words.

use super::screen::{Screen, ScreenAction};
use crate::tui::composer::Motion;

/// A key that a question understands while nothing is typed into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKey {
    /// Move the keyboard into the question, or back to the composer.
    Switch,
    /// The choice above.
    Up,
    /// The choice below.
    Down,
    /// Take the selected choice.
    Choose,
    /// Say no.
    Refuse,
    /// A page up in what is asked about.
    PageUp,
    /// A page down in what is asked about.
    PageDown,
}

/// Where a key works. Earlier ones win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// A question that came by itself is open.
    Question,
    /// A completion list is open.
    List,
    /// A search through what was sent goes on.
    Recall,
    /// A search through the transcript goes on, and the composer is empty.
    Search,
    /// The composer is empty and the card of a compaction is in focus.
    Boundary,
    /// The composer is empty.
    Empty,
    /// The main screen.
    Main,
    /// A screen on top.
    Screen(Screen),
}

impl Context {
    /// All of them, in the order of help.
    pub fn all() -> impl Iterator<Item = Self> {
        let main = [
            Self::Main,
            Self::Question,
            Self::Empty,
            Self::Boundary,
            Self::Search,
            Self::Recall,
            Self::List,
        ];
        main.into_iter().chain(Screen::ALL.map(Self::Screen))
    }

    /// The `PLACE` in `[keys.PLACE]`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Question => "question",
            Self::List => "list",
            Self::Recall => "recall",
            Self::Search => "search",
            Self::Boundary => "boundary",
            Self::Empty => "empty",
            Self::Main => "main",
            Self::Screen(screen) => screen.name(),
        }
    }

    /// The heading in help.
    pub fn title(self) -> &'static str {
        match self {
            Self::Question => "open question",
            Self::List => "completion list",
            Self::Recall => "history search",
            Self::Search => "search",
            Self::Boundary => "card of a compaction",
            Self::Empty => "empty input",
            Self::Main => "main screen",
            Self::Screen(screen) => screen.title(),
        }
    }
}

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Send the message.
    Send,
    /// Send the message after the running turn.
    SendAfterTurn,
    /// Begin a new line.
    Newline,
    /// Stop what runs, or step back.
    Escape,
    /// Empty the composer; twice: leave.
    Clear,
    /// Leave.
    Exit,
    /// Stop the process.
    Suspend,
    /// Draw the whole screen again.
    Redraw,
    /// Open `$EDITOR`.
    Editor,
    /// Attach the picture that is in the clipboard.
    PasteImage,
    /// Show help.
    Help,
    /// Show the palette.
    Palette,
    /// Show the ledger.
    Ledger,
    /// Explain the gauge.
    Legend,
    /// Work in the next mode: ask, accept edits, plan.
    NextMode,
    /// Let the command that runs go on in the background.
    Background,
    /// Move the caret.
    Move(Motion),
    /// Remove up to there.
    Delete(Motion),
    /// Remove up to there and keep it.
    Kill(Motion),
    /// Put back what was removed.
    Yank,
    /// Swap two characters.
    Transpose,
    /// Take back an edit.
    Undo,
    /// Unfold the paste at the caret.
    Unfold,
    /// A row up, or an older message.
    Up,
    /// A row down, or a newer message.
    Down,
    /// An older message, whatever the row.
    Older,
    /// A newer message, whatever the row.
    Newer,
    /// Look for a sent message by a part of it.
    Recall,
    /// The next older (or newer) message that holds it.
    RecallStep {
        /// Towards the past.
        older: bool,
    },
    /// Take away its last character.
    RecallErase,
    /// End the search with the message that is shown.
    RecallTake,
    /// End the search with what was being written.
    RecallEnd,
    /// Take back the newest queued message or command.
    TakeBack,
    /// Scroll by lines (in tenths of a page when `page`).
    ScrollPage(isize),
    /// Scroll by lines.
    ScrollLines(isize),
    /// To the start of the transcript.
    ScrollStart,
    /// To the end of the transcript.
    ScrollEnd,
    /// To another message of the user.
    Jump {
        /// Towards the end.
        forward: bool,
    },
    /// Open or close a card.
    ToggleCard,
    /// Review the compaction in focus.
    ReviewCompaction,
    /// Undo the compaction in focus.
    UndoCompaction,
    /// Take back the newest act of the person.
    UndoAct,
    /// Put it back.
    RedoAct,
    /// Put another card in focus.
    Focus {
        /// Towards the end.
        forward: bool,
    },
    /// Begin a search through the transcript, or go to the next place that it found.
    Search {
        /// Towards the end.
        forward: bool,
    },
    /// End the search.
    SearchEnd,
    /// Choose another line of the list.
    ListSelect {
        /// Downwards.
        forward: bool,
    },
    /// Take the chosen line.
    ListAccept,
    /// Take the chosen line; a command without arguments runs.
    ListSubmit,
    /// Close the list.
    ListClose,
    /// A key of a question that came by itself.
    Question(QuestionKey),
    /// A key of a screen on top.
    Screen(ScreenAction),
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Its name in `[keys.PLACE]`; rows of one place may share a name.
    pub name: &'static str,
    /// The usual keys, as help shows them.
    pub keys: &'static [&'static str],
    /// Where they work.
    pub context: Context,
    /// The action.
    pub action: Action,
    /// As few words as the hints of a screen need; empty where they leave it out.
    pub hint: &'static str,
    /// The action in words, as help shows it.
    pub help: &'static str,
}

/// A row of a screen.
pub(super) const fn key(
    screen: Screen,
    keys: &'static [&'static str],
    name: &'static str,
    action: ScreenAction,
    hint: &'static str,
    help: &'static str,
) -> Binding {
    Binding {
        name,
        keys,
        context: Context::Screen(screen),
        action: Action::Screen(action),
        hint,
        help,
    }
}
