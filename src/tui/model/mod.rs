//! All that the interface knows, split by concern: each part has a file, its own methods and
//! tests. Drawing borrows the model; only `update` changes it.

pub mod activity;
pub mod appearance;
pub mod attention;
pub mod introduction;
pub mod outgoing;
pub mod queries;
pub mod screens;
pub mod session;
pub mod status;
pub mod user_commands;

use std::time::Duration;

use crate::agent::{NoticeLevel, Query};
use crate::transcript::{EntryId, Timestamp};

use super::completion::Completion;
use super::composer::{Composer, Mode};
use super::effect::Effect;
use super::gauge::Reading;
use super::keymap::Keymap;
use super::overlay::question::{Keyboard, KeyboardState};
use super::overlay::{Overlay, OverlayScene};
use super::render::link::FilePlace;
use super::transcript::{ChatLog, Note, RenderContext};

pub use activity::{Activity, CompactionProgress, TurnPhase};
pub use appearance::{Appearance, DrawingStyle, UserLocale};
pub use attention::Attention;
pub use introduction::Introduction;
pub use outgoing::OutgoingText;
pub use queries::{HistoryUse, Queries, ReplyPurpose, ScreenRequest};
pub use screens::{ScreenId, ScreenStack};
pub use session::SessionState;
pub use status::{StatusLine, Toast};
pub use user_commands::UserCommandList;

/// How often the ages in lists are drawn again.
const AGES: Duration = Duration::from_secs(30);

/// The state of the interface.
#[derive(Default)]
pub struct Model {
    /// The clock, at the newest message.
    pub now: Timestamp,
    /// The keymap.
    pub keymap: Keymap,
    /// Colours, and how times and paths are written.
    pub look: Appearance,
    /// The open session.
    pub session: SessionState,
    /// The activity of the agent.
    pub activity: Activity,
    /// Whether the user looks, and whether to call.
    pub attention: Attention,
    /// The transcript.
    pub conversation: ChatLog,
    /// Where the user writes.
    pub composer: Composer,
    /// The list above the composer.
    pub completion: Completion,
    /// The destination of the composer's text.
    pub outgoing: OutgoingText,
    /// Commands of the user, as they were read last.
    pub user_commands: UserCommandList,
    /// Questions to the agent whose replies are not there yet.
    pub queries: Queries,
    /// Screens on top of the main one.
    pub screens: ScreenStack,
    /// The messages of the status line.
    pub status: StatusLine,
    /// The introduction.
    pub introduction: Introduction,
}

impl Model {
    /// Says something for a moment.
    pub fn say(&mut self, level: NoticeLevel, text: impl Into<String>) {
        self.status.show(level, text, self.now);
    }

    /// Writes something between the messages.
    pub fn remark(
        &mut self,
        sign: &'static str,
        level: NoticeLevel,
        text: String,
        hint: Option<String>,
    ) {
        self.conversation.push_note(Note {
            sign,
            level,
            text,
            hint,
        });
    }

    /// Asks the agent for what a screen will show.
    pub fn ask_for_screen(&mut self, query: Query) -> Vec<Effect> {
        let request = ScreenRequest::default();
        vec![Effect::Send(self.queries.ask_for_screen(query, request))]
    }

    /// Opens a screen above the others. A question that comes by itself finds the keyboard
    /// in the composer, also when somebody was in another panel.
    pub fn open_screen(&mut self, overlay: Box<dyn Overlay>) -> ScreenId {
        if overlay.comes_by_itself() {
            self.screens.has_offered_enter = false;
            let panels = self.screens.iter_mut();
            for panel in panels.filter(|it| !it.is_full_screen()) {
                panel.give_keyboard(false);
            }
        }
        self.screens.push(overlay)
    }

    /// Enters a step of the turn now.
    pub fn enter(&mut self, phase: TurnPhase) {
        self.activity.enter(phase, self.now);
    }

    /// The summary is written or given up.
    pub fn end_compaction(&mut self) {
        self.status.hide_stopping();
        self.activity.compaction = None;
        self.conversation.end_compacting();
    }

    /// The numbers for the gauge.
    pub fn reading(&self) -> Reading<'_> {
        let is_steady = self.look.drawing.is_calm() && self.activity.is_busy();
        let steady = self.activity.steady.get().filter(|_| is_steady);
        Reading {
            view: steady.or(self.session.view.as_deref()),
            age_secs: self.now.secs_since(self.session.gauge.viewed_at),
            cost_usd: self.session.cost_usd,
            zoom: self.session.gauge.zoom,
            turns_left: self.session.gauge.turns_left,
            is_compacting: self.activity.compaction.is_some(),
        }
    }

    /// The context for drawing cells in a width.
    pub fn paint(&self, width: u16) -> RenderContext<'_> {
        RenderContext {
            width,
            theme: &self.look.theme,
            theme_generation: self.look.generation,
            highlighter: &self.look.highlighter,
            now: self.now,
            zone: &self.look.locale.zone,
            drawing: self.look.drawing,
            files: self.files(),
        }
    }

    /// Where the session's files are, for links to them.
    fn files(&self) -> FilePlace<'_> {
        FilePlace {
            host: &self.look.locale.host,
            dir: &self.session.cwd,
        }
    }

    /// Lets the transcript measure its cells while it changes.
    pub fn with_paint(
        &mut self,
        act: impl FnOnce(&mut ChatLog, &RenderContext<'_>),
    ) -> Vec<Effect> {
        let mut conversation = std::mem::take(&mut self.conversation);
        let paint = self.paint(conversation.width());
        act(&mut conversation, &paint);
        self.conversation = conversation;
        Vec::new()
    }

    /// Scrolls to the message of an entry; false when the conversation does not show it.
    pub fn show_entry(&mut self, entry: &EntryId) -> bool {
        let cells = self.conversation.cells();
        let Some(at) = cells.iter().position(|cell| cell.is_about(entry)) else {
            return false;
        };
        self.with_paint(|chat, paint| chat.bring_to_top(at, paint));
        true
    }

    /// The state that overlays may look at.
    pub fn scene(&self) -> OverlayScene<'_> {
        OverlayScene {
            view: self.session.view.as_ref(),
            viewed_at: self.session.gauge.viewed_at,
            entries: &self.session.published.by_id,
            aside: &self.session.published.aside,
            theme: &self.look.theme,
            highlighter: &self.look.highlighter,
            diff_sides: self.look.drawing.diff_sides,
            files: self.files(),
            keymap: &self.keymap,
            keyboard: self.keyboard_state(),
            now: self.now,
        }
    }

    /// Whether a question that came by itself is on top.
    pub fn has_question(&self) -> bool {
        self.screens.has_question()
    }

    /// The owner of the keyboard while the top overlay is open.
    pub fn keyboard_state(&self) -> KeyboardState {
        let Some(top) = self.screens.top() else {
            return KeyboardState::default();
        };
        if !top.comes_by_itself() || top.has_keyboard() {
            return KeyboardState::default();
        }
        let composer = &self.composer;
        let is_over_screen = self.screens.is_above_screen();
        let is_listing = self.completion.popup().is_some() || composer.recall().is_some();
        let is_empty = composer.buffer.is_empty();
        let is_searching = is_empty && self.conversation.search().is_some();
        let vi_takes_escape = composer.vi.as_ref().is_some_and(|vi| match vi.mode() {
            Mode::Insert => !is_empty,
            Mode::Normal => vi.is_waiting(),
            Mode::Replace | Mode::Visual | Mode::VisualLine => true,
        });
        let is_elsewhere = is_over_screen || is_searching || self.conversation.focus().is_some();
        let keyboard = if is_listing && !is_over_screen {
            Keyboard::Busy
        } else if is_empty && !is_elsewhere && self.attention.is_at_rest(self.now) {
            Keyboard::Ready
        } else {
            Keyboard::Away
        };
        KeyboardState {
            keyboard,
            escape_is_taken: is_over_screen || is_listing || is_searching || vi_takes_escape,
        }
    }

    /// Whether something on screen changes with the clock soon.
    pub fn is_animated(&self) -> bool {
        let has_toast = self.status.toast.is_some();
        self.activity.is_busy() || has_toast || self.composer.is_waiting()
    }

    /// When something on screen changes with the clock although nothing happens; `None`:
    /// never, and nothing needs to wake up.
    pub fn next_change(&self) -> Option<Duration> {
        // Lists say how old things are.
        let aging = (!self.screens.is_empty()).then_some(AGES);
        let counting = self.reading().cache_changes_in();
        // The hints of a question say whose the keys are.
        let resting = self.attention.rest_left(self.now);
        let resting = resting.filter(|_| self.has_question());
        aging.into_iter().chain(counting).chain(resting).min()
    }
}
