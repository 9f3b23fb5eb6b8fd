//! Help: of everything, in sections by task; and of the screen that has the keyboard, from
//! the table that its keys come from.

use crossterm::event::KeyEvent;

use crate::tui::command::{self, CommandId};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Action, Context, Row, Screen, ScreenAction};
use crate::tui::model::{Model, user_commands};
use crate::tui::overlay::Overlay;
use crate::tui::overlay::inspect::help::{Help, HelpRow};
use crate::tui::widget::vi::VI_KEYS;

/// What people want to do, in the order of help.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HelpTask {
    Talk,
    Read,
    Look,
    Shrink,
    Undo,
    Files,
    Sessions,
    Model,
    Settings,
    Edit,
}

impl HelpTask {
    const ALL: [Self; 10] = [
        Self::Talk,
        Self::Look,
        Self::Shrink,
        Self::Undo,
        Self::Read,
        Self::Files,
        Self::Sessions,
        Self::Model,
        Self::Settings,
        Self::Edit,
    ];

    fn title(self) -> &'static str {
        match self {
            Self::Talk => "talk",
            Self::Read => "read the conversation",
            Self::Look => "look at the context",
            Self::Shrink => "make the context smaller, keep what matters",
            Self::Undo => "undo, rewind",
            Self::Files => "files and commands",
            Self::Sessions => "sessions",
            Self::Model => "model",
            Self::Settings => "settings",
            Self::Edit => "edit the input",
        }
    }

    /// The task of a row of the main screen; `None` where its place is a section.
    fn of_row(row: &Row) -> Option<Self> {
        match row.binding.context {
            Context::Main | Context::Empty | Context::Boundary | Context::Search => {
                Self::of_action(row.binding.action)
            }
            Context::Question | Context::List | Context::Recall | Context::Screen(_) => None,
        }
    }

    /// The task of what a key does.
    fn of_action(action: Action) -> Option<Self> {
        Some(match action {
            Action::Send
            | Action::SendAfterTurn
            | Action::Newline
            | Action::Escape
            | Action::Clear
            | Action::Exit
            | Action::Suspend
            | Action::Redraw
            | Action::Editor
            | Action::PasteImage
            | Action::Help
            | Action::Palette
            | Action::NextMode
            | Action::Older
            | Action::Newer
            | Action::Recall
            | Action::TakeBack => Self::Talk,
            Action::ScrollPage(_)
            | Action::ScrollLines(_)
            | Action::ScrollStart
            | Action::ScrollEnd
            | Action::Jump { .. }
            | Action::ToggleCard
            | Action::Focus { .. }
            | Action::Search { .. }
            | Action::SearchEnd => Self::Read,
            Action::Ledger | Action::Legend | Action::ReviewCompaction => Self::Look,
            Action::UndoCompaction | Action::UndoAct | Action::RedoAct => Self::Undo,
            Action::Background => Self::Files,
            Action::Move(_)
            | Action::Delete(_)
            | Action::Kill(_)
            | Action::Yank
            | Action::Transpose
            | Action::Undo
            | Action::Unfold
            | Action::Up
            | Action::Down => Self::Edit,
            Action::RecallStep { .. }
            | Action::RecallErase
            | Action::RecallTake
            | Action::RecallEnd
            | Action::ListSelect { .. }
            | Action::ListAccept
            | Action::ListSubmit
            | Action::ListClose
            | Action::Question(_)
            | Action::Screen(_) => return None,
        })
    }

    fn of_command(id: CommandId) -> Self {
        match id {
            CommandId::Unqueue
            | CommandId::Todo
            | CommandId::Remember
            | CommandId::Notes
            | CommandId::Retry
            | CommandId::Plan
            | CommandId::Palette
            | CommandId::Intro
            | CommandId::Help
            | CommandId::Quit => Self::Talk,
            CommandId::Copy | CommandId::Search | CommandId::Recall => Self::Read,
            CommandId::Context
            | CommandId::Pruned
            | CommandId::Summary
            | CommandId::Wire
            | CommandId::Legend
            | CommandId::Cost
            | CommandId::Tools
            | CommandId::Mcp
            | CommandId::Engine => Self::Look,
            CommandId::Compact
            | CommandId::Prune
            | CommandId::Pin
            | CommandId::Restore
            | CommandId::Drop
            | CommandId::Rules => Self::Shrink,
            CommandId::Uncompact
            | CommandId::Undo
            | CommandId::Redo
            | CommandId::Rewind
            | CommandId::Timeline
            | CommandId::Tree => Self::Undo,
            CommandId::Diff
            | CommandId::Jobs
            | CommandId::Agents
            | CommandId::Init
            | CommandId::Export => Self::Files,
            CommandId::NewSession
            | CommandId::Resume
            | CommandId::SearchAll
            | CommandId::Fork
            | CommandId::Rename => Self::Sessions,
            CommandId::Model | CommandId::Think | CommandId::Login | CommandId::Logout => {
                Self::Model
            }
            CommandId::Settings | CommandId::Theme | CommandId::Permissions => Self::Settings,
        }
    }
}

/// Opens the help of everything.
pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    let rows = all_rows(model);
    model.open_screen(Box::new(Help::new("help", rows)));
    Vec::new()
}

/// By task, keys first; the user's own commands; then the keys of each place.
fn all_rows(model: &Model) -> Vec<HelpRow> {
    let mut rows = Vec::new();
    for task in HelpTask::ALL {
        let keys = model.keymap.rows().iter();
        let keys = keys.filter(|row| HelpTask::of_row(row) == Some(task));
        rows.extend(keys.filter_map(|row| key_row(row, task.title())));
        let commands = command::COMMANDS.iter();
        let commands = commands.filter(|it| HelpTask::of_command(it.id) == task);
        rows.extend(commands.map(|command| {
            HelpRow {
                group: task.title().to_owned(),
                keys: format!("/{} {}", command.name, command.arguments)
                    .trim_end()
                    .to_owned(),
                text: command.help.to_owned(),
            }
        }));
    }
    let own = model.user_commands.known.commands.iter();
    rows.extend(own.map(|command| HelpRow {
        group: "your own commands".to_owned(),
        keys: user_commands::usage(command),
        text: user_commands::help(&model.look, command),
    }));
    for place in Context::all() {
        let keys = model.keymap.rows().iter();
        let keys =
            keys.filter(|row| row.binding.context == place && HelpTask::of_row(row).is_none());
        let group = format!("keys: {}", place.title());
        rows.extend(keys.filter_map(|row| key_row(row, &group)));
    }
    let vi = model.composer.vi.iter().flat_map(|_| VI_KEYS);
    rows.extend(vi.map(|row| HelpRow {
        group: format!("keys: {}", row.mode()),
        keys: row.keys.join(" "),
        text: row.help.to_owned(),
    }));
    rows
}

/// A row of keys; `None` where nothing is bound.
fn key_row(row: &Row, group: &str) -> Option<HelpRow> {
    (!row.keys.is_empty()).then(|| HelpRow {
        group: group.to_owned(),
        keys: row.keys.join(", "),
        text: row.binding.help.to_owned(),
    })
}

/// The key of the help, on whichever screen has the keyboard; `None` for every other key.
pub(super) fn on_key(model: &mut Model, key: KeyEvent) -> Option<Vec<Effect>> {
    let overlay = model.screens.get(listener(model)?)?;
    let screen = overlay.screen().filter(|_| overlay.has_keyboard());
    let is_help = match screen {
        // It closes with the key that opened it.
        Some(Screen::Help) => false,
        Some(screen) => model.keymap.screen_action(screen, key) == Some(ScreenAction::Help),
        None if overlay.comes_by_itself() => {
            model.keymap.action(key, &[Context::Question]) == Some(Action::Help)
        }
        None => false,
    };
    if !is_help {
        return None;
    }
    let rows = screen_rows(model, screen, overlay.comes_by_itself());
    let title = screen.map_or(Context::Question.title(), Screen::title);
    let help = Help::new(format!("keys · {title}"), rows);
    model.open_screen(Box::new(help));
    Some(Vec::new())
}

/// The position of the screen that a key is for.
fn listener(model: &Model) -> Option<usize> {
    let top = model.screens.top()?;
    if model.has_question() && (top.has_keyboard() || !model.screens.is_above_screen()) {
        return model.screens.len().checked_sub(1);
    }
    model.screens.iter().rposition(Overlay::is_full_screen)
}

/// The keys of a screen, and of a question.
fn screen_rows(model: &Model, screen: Option<Screen>, asks: bool) -> Vec<HelpRow> {
    let mut rows = Vec::new();
    if let Some(screen) = screen {
        let found = model.keymap.screen_rows(screen);
        rows.extend(found.iter().map(|row| {
            HelpRow {
                group: if row.is_own {
                    screen.title()
                } else {
                    "move, leave"
                }
                .to_owned(),
                keys: row.keys.join(", "),
                text: row.row.binding.help.to_owned(),
            }
        }));
    }
    if asks && screen.is_none() {
        let keys = model.keymap.rows().iter();
        let keys = keys.filter(|row| row.binding.context == Context::Question);
        rows.extend(keys.filter_map(|row| key_row(row, Context::Question.title())));
    }
    rows.push(HelpRow {
        group: "everything else".to_owned(),
        keys: "/help".to_owned(),
        text: "all keys and commands".to_owned(),
    });
    rows
}
