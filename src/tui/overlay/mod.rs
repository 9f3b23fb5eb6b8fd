//! Screens on top of the main one. They form a stack; the top one sees each key first
//! and answers consumed or ignored. One that came by itself sees only the keys of
//! [`question`] until somebody moves the keyboard into it.

pub mod approval;
mod bar;
pub mod changes;
mod editor;
mod facts;
mod field;
pub mod help;
pub mod history;
pub mod item;
pub mod jobs;
mod keys;
pub mod ledger;
mod list;
pub mod login;
mod numbers;
pub mod oversize;
mod page;
mod paint;
pub mod palette;
pub mod permissions;
pub mod picker;
pub mod question;
pub mod review;
pub mod rewind;
mod search;
pub mod sessions;
pub mod settings;
mod sheet;
pub mod summaries;
pub mod tables;
pub mod text;
pub mod undo;
pub mod wire;

#[cfg(test)]
mod fixture;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::agent::AgentEvent;
use crate::context::ContextView;
use crate::transcript::{Entry, EntryId, Image, Timestamp};

use super::effect::Effect;
use super::keymap::{Action, Keymap};
use super::theme::Theme;
use question::{KeyboardState, QuestionKey};

/// A screen on top of the main one.
pub trait Overlay {
    /// One word for the status line and tests, e.g. `context`, `review`.
    fn name(&self) -> &'static str;

    /// Whether it hides the main screen completely.
    fn is_full_screen(&self) -> bool {
        true
    }

    /// Whether it hides the transcript, so that wheel and mouse are for it.
    fn hides_transcript(&self) -> bool {
        self.is_full_screen()
    }

    /// Whether it asks something without having been called for.
    fn comes_by_itself(&self) -> bool {
        false
    }

    /// Whether keys are for it. What comes by itself has the keyboard only after somebody
    /// moved it there.
    fn has_keyboard(&self) -> bool {
        true
    }

    /// The keyboard was moved into it, or away from it.
    fn give_keyboard(&mut self, _has: bool) {}

    /// Whether characters and all other keys are its own while it has the keyboard: a text
    /// field is open, or it is a screen with keys of its own.
    fn takes_text(&self) -> bool {
        true
    }

    /// Whether the first key of somebody at rest only moves the keyboard into it: there is
    /// something to read before there is something to answer.
    fn is_read_first(&self) -> bool {
        false
    }

    /// A key of questions, while no text goes to it. Only for what comes by itself.
    fn on_question_key(&mut self, _key: QuestionKey, _scene: &Scene<'_>) -> Reaction {
        Reaction::Ignored
    }

    /// How many rows at the bottom of `area` it covers. The transcript moves up for a
    /// panel, so that what led to its question stays in sight.
    fn rows(&self, area: Rect, _scene: &Scene<'_>) -> u16 {
        area.height
    }

    /// A key press. The overlay's only way to act is the reaction.
    fn on_key(&mut self, key: KeyEvent, scene: &Scene<'_>) -> Reaction;

    /// The wheel turned over it: an arrow key for each row.
    fn on_wheel(&mut self, key: KeyEvent, scene: &Scene<'_>) -> Reaction {
        self.on_key(key, scene)
    }

    /// Text that was pasted while the overlay has a text field in focus.
    fn on_paste(&mut self, _text: &str, _scene: &Scene<'_>) -> Reaction {
        Reaction::Ignored
    }

    /// The result of [`Effect::Edit`] for this overlay.
    fn on_edited(&mut self, _text: String, _scene: &Scene<'_>) -> Reaction {
        Reaction::Ignored
    }

    /// Something happened in the agent. Every overlay on the stack sees it.
    fn on_event(&mut self, _event: &AgentEvent, _scene: &Scene<'_>) -> Reaction {
        Reaction::Ignored
    }

    /// What can be done by name is another list now: the user's own commands were read.
    fn on_offers(&mut self, _offers: Vec<palette::Offer>) {}

    /// Draws into `area` and says where the cursor is, when it has a text field.
    /// Works at any size, also 1×1.
    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &Scene<'_>) -> Option<Position>;
}

/// What an overlay did with a key.
pub enum Reaction {
    /// It changed itself (or chose to do nothing): redraw.
    Consumed,
    /// Not for it: the next overlay, then the main screen, may have it.
    Ignored,
    /// Do these, stay open.
    Act(Vec<Effect>),
    /// Do these and close it.
    Close(Vec<Effect>),
    /// Put another one on top.
    Open(Box<dyn Overlay>),
    /// Do these, close all that hides the main screen, and go there.
    Leave(Way, Vec<Effect>),
    /// Close it; what was typed there and not sent goes on in the composer.
    Return(String, Vec<Effect>),
}

impl Reaction {
    /// The answer where a field or a list says whether it took a key.
    fn taken(is_taken: bool) -> Self {
        if is_taken {
            Self::Consumed
        } else {
            Self::Ignored
        }
    }
}

/// Where an overlay leads.
#[derive(Clone, Debug, PartialEq)]
pub enum Way {
    /// To the main screen as it is.
    Stay,
    /// To a message in the transcript.
    Show(EntryId),
    /// To what a slash command does, named without the slash.
    Command(String),
    /// To what a key of the main screen does.
    Act(Action),
    /// To the composer with a message that was sent before.
    Write {
        /// Its text.
        text: String,
        /// Its attachments.
        images: Vec<Image>,
        /// The message in whose place it will be sent; `None`: as a new one.
        replaces: Option<EntryId>,
    },
}

/// What overlays may look at. Borrowed from the model while they work.
pub struct Scene<'a> {
    /// The newest view; `None` before the first.
    pub view: Option<&'a Arc<ContextView>>,
    /// When it came.
    pub viewed_at: Timestamp,
    /// Every entry of the session that was published, by id.
    pub entries: &'a HashMap<EntryId, Arc<Entry>>,
    /// Those of them that the active branch does not have.
    pub aside: &'a HashSet<EntryId>,
    /// The theme.
    pub theme: &'a Theme,
    /// What the keys do, for hints.
    pub keymap: &'a Keymap,
    /// Who has the keyboard, for hints.
    pub keyboard: KeyboardState,
    /// The clock, for ages.
    pub now: Timestamp,
}
