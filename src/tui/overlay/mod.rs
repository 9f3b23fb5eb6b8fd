//! Screens on top of the main one. They form a stack; the top one sees each key first
//! and answers consumed or ignored. One that came by itself sees only the keys of
//! [`question`] until somebody moves the keyboard into it.
//!
//! - [`question`]: what comes by itself and waits for an answer.
//! - [`review`]: a compaction before it counts, or as it was applied.
//! - [`lists`]: something is picked, changed or ended.
//! - [`inspect`]: something is read.
//! - [`history`]: the messages of the session as places to go to, and what going back does.
//!
//! To add one over data that the model has: a file in one of these rooms with a struct that
//! implements [`Overlay`] over the widgets of [`crate::tui::widget`], and the row of its
//! command or key, whose function pushes it. Data of the agent comes with an event, which
//! `src/tui/update/open.rs` turns into the screen.

mod hints;
pub mod history;
pub mod inspect;
pub mod lists;
mod numbers;
pub mod question;
pub mod review;

#[cfg(test)]
mod fixture;

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::agent::AgentEvent;
use crate::config::DiffSides;
use crate::context::ContextView;
use crate::transcript::{Entry, EntryId, Image, Timestamp};

use super::effect::Effect;
use super::keymap::{Action, Keymap, Screen};
use super::render::diff::DiffLook;
use super::render::highlight::Highlighter;
use super::render::link::FilePlace;
use super::theme::Theme;
use question::{KeyboardState, Question, QuestionKey};

/// A screen on top of the main one.
pub trait Overlay: Any {
    /// One word for the status line and tests, e.g. `context`, `review`.
    fn name(&self) -> &'static str;

    /// The place of its keys now; `None` where it has none of its own.
    fn screen(&self) -> Option<Screen> {
        None
    }

    /// Whether it hides the main screen completely.
    fn is_full_screen(&self) -> bool {
        true
    }

    /// Whether the main screen is drawn around it although all keys are for it.
    fn is_beside_transcript(&self) -> bool {
        false
    }

    /// Whether it hides the transcript, so that wheel and mouse are for it.
    fn hides_transcript(&self) -> bool {
        self.is_full_screen()
    }

    /// The question that it asks by itself; `None` when the user opened it.
    fn question(&self) -> Option<&dyn Question> {
        None
    }

    /// The question, to be answered.
    fn question_mut(&mut self) -> Option<&mut dyn Question> {
        None
    }

    /// Computes what drawing needs and what depends on the size. Called before each frame
    /// with the area that is drawn to.
    fn layout(&mut self, _area: Rect, _scene: &OverlayScene<'_>) {}

    /// How many rows at the bottom of `area` it covers, after the layout for that area. The
    /// transcript moves up for a panel, so that what led to its question stays in sight.
    fn rows(&self, area: Rect) -> u16 {
        area.height
    }

    /// A key press. The overlay's only way to act is the reaction.
    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction;

    /// The wheel turned over it: an arrow key for each row.
    fn on_wheel(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        self.on_key(key, scene)
    }

    /// Text that was pasted while the overlay has a text field in focus.
    fn on_paste(&mut self, _text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        Reaction::Ignored
    }

    /// Something happened in the agent. Every overlay on the stack sees it.
    fn on_event(&mut self, _event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        Reaction::Ignored
    }

    /// Draws into `area` and says where the cursor is, when it has a text field. Works at any
    /// size, also 1×1, and shows what the newest layout found.
    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position>;
}

impl dyn Overlay {
    /// Whether it is this screen.
    pub fn is<T: Overlay>(&self) -> bool {
        (self as &dyn Any).is::<T>()
    }

    /// This screen, if it is that.
    pub fn downcast_ref<T: Overlay>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }

    /// This screen, if it is that, to be changed.
    pub fn downcast_mut<T: Overlay>(&mut self) -> Option<&mut T> {
        (self as &mut dyn Any).downcast_mut()
    }
}

/// The question of an overlay, with answers for one that asks nothing.
impl dyn Overlay + '_ {
    /// Whether nothing of the main screen is seen.
    pub fn covers_screen(&self) -> bool {
        self.is_full_screen() && !self.is_beside_transcript()
    }

    /// Whether it asks something without having been called for.
    pub fn comes_by_itself(&self) -> bool {
        self.question().is_some()
    }

    /// Whether keys are for it.
    pub fn has_keyboard(&self) -> bool {
        self.question().is_none_or(Question::has_keyboard)
    }

    /// Whether characters and all other keys are its own while it has the keyboard.
    pub fn takes_text(&self) -> bool {
        self.question().is_none_or(Question::takes_text)
    }

    /// Whether the first key of somebody at rest only moves the keyboard into it.
    pub fn is_read_first(&self) -> bool {
        self.question().is_some_and(Question::is_read_first)
    }

    /// The keyboard was moved into it, or away from it.
    pub fn give_keyboard(&mut self, has: bool) {
        if let Some(question) = self.question_mut() {
            question.give_keyboard(has);
        }
    }

    /// A key of questions, while no text goes to it.
    pub fn on_question_key(&mut self, key: QuestionKey, scene: &OverlayScene<'_>) -> Reaction {
        let question = self.question_mut();
        question.map_or(Reaction::Ignored, |it| it.on_question_key(key, scene))
    }

    /// The result of [`Effect::Edit`] for this overlay.
    pub fn on_edited(&mut self, text: String, scene: &OverlayScene<'_>) -> Reaction {
        let question = self.question_mut();
        question.map_or(Reaction::Ignored, |it| it.on_edited(text, scene))
    }
}

/// The reaction of an overlay to a key.
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
    Leave(OverlayExit, Vec<Effect>),
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
pub enum OverlayExit {
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

/// The state that overlays may look at. Borrowed from the model while they work.
pub struct OverlayScene<'a> {
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
    /// For code.
    pub highlighter: &'a Highlighter,
    /// How the sides of a diff are placed.
    pub diff_sides: DiffSides,
    /// Where files are, for links to them.
    pub files: FilePlace<'a>,
    /// The keymap, for hints.
    pub keymap: &'a Keymap,
    /// The owner of the keyboard, for hints.
    pub keyboard: KeyboardState,
    /// The clock, for ages.
    pub now: Timestamp,
}

impl OverlayScene<'_> {
    /// How the diff of a file is drawn in a width.
    pub fn diff_look<'a>(&'a self, width: u16, path: &'a str) -> DiffLook<'a> {
        DiffLook {
            width,
            theme: self.theme,
            highlighter: Some(self.highlighter),
            sides: self.diff_sides,
            path,
        }
    }
}
