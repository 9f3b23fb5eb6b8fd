//! The active branch, one row per message: look, jump there, go back, fork, write a
//! message again. Also where the first message is picked that a compaction keeps.

use std::sync::Arc;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::{Overlay, OverlayExit, OverlayScene, Reaction, hints};
use super::rows::{self, TimelineStep};
use super::{draw, with_entry};
use crate::agent::{AgentEvent, CompactOptions, ContextOp, Op, SessionEvent};
use crate::transcript::{EntryId, Transcript};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::widget::{ListCursor, Needle, RowSearch, SearchOutcome};

/// The timeline.
pub struct Timeline {
    transcript: Arc<Transcript>,
    pub(super) steps: Vec<TimelineStep>,
    pub(super) cursor: ListCursor,
    pub(super) search: RowSearch,
    /// A compaction whose first kept message is being picked.
    pub(super) picks_for: Option<CompactOptions>,
    /// A message is being picked to go back to, with files or without.
    pub(super) is_rewinding: bool,
    /// A remark on an action that failed.
    pub(super) remark: String,
}

impl Timeline {
    /// The active branch, with the newest message of the user selected. `None` when nothing was said.
    pub fn of(transcript: Arc<Transcript>, scene: &OverlayScene<'_>) -> Option<Self> {
        let steps = rows::steps(&transcript, scene.view);
        let mut cursor = ListCursor::default();
        cursor.select(steps.len(), steps.len());
        let mut timeline = Self {
            transcript,
            steps,
            cursor,
            search: RowSearch::default(),
            picks_for: None,
            is_rewinding: false,
            remark: String::new(),
        };
        timeline.select_newest_ask();
        (!timeline.steps.is_empty()).then_some(timeline)
    }

    /// A timeline that picks the first message to keep for this compaction.
    #[must_use]
    pub fn picking_for(mut self, options: CompactOptions) -> Self {
        self.picks_for = Some(options);
        self
    }

    /// A timeline that picks the message to rewind to.
    #[must_use]
    pub fn rewinding(mut self) -> Self {
        self.is_rewinding = true;
        self
    }

    /// Mostly it is the newest message that is regretted.
    fn select_newest_ask(&mut self) {
        if !self.selected().is_some_and(|step| step.place.is_ask()) {
            self.select_ask(false);
        }
    }

    pub(super) fn selected(&self) -> Option<&TimelineStep> {
        self.steps.get(self.cursor.selected())
    }

    /// Number of messages after the selected one, which going back leaves on their branch.
    pub(super) fn later(&self) -> usize {
        let from = self.cursor.selected();
        let own = usize::from(self.selected().is_some_and(|step| step.place.is_ask()));
        self.steps.len().saturating_sub(from + 1) + own
    }

    fn picked(&self) -> Reaction {
        match (self.selected(), self.picks_for.clone()) {
            (Some(step), Some(options)) => {
                let from = Some(step.place.entry.id.clone());
                let compaction =
                    Op::Context(ContextOp::Compact(CompactOptions { from, ..options }));
                Reaction::Close(vec![Effect::Send(compaction)])
            }
            _ => Reaction::Consumed,
        }
    }

    fn enter(&self) -> Reaction {
        if self.picks_for.is_some() {
            return self.picked();
        }
        if self.is_rewinding {
            let step = self.selected();
            return step.map_or(Reaction::Consumed, |step| step.place.rewind());
        }
        let entry = self.selected().map(|step| step.place.entry.id.clone());
        entry.map_or(Reaction::Consumed, |entry| {
            Reaction::Leave(OverlayExit::Show(entry), Vec::new())
        })
    }

    /// What the screen is for.
    pub(super) fn list_screen(&self) -> Screen {
        if self.picks_for.is_some() {
            Screen::FirstKept
        } else if self.is_rewinding {
            Screen::RewindTarget
        } else {
            Screen::Timeline
        }
    }

    fn act(&mut self, action: ScreenAction) -> Reaction {
        match action {
            ScreenAction::Back => return Reaction::Close(Vec::new()),
            ScreenAction::Open => return self.enter(),
            ScreenAction::NextAsk { forward } => {
                self.select_ask(forward);
                return Reaction::Consumed;
            }
            _ => {}
        }
        let Some(step) = self.selected() else {
            return Reaction::Ignored;
        };
        let done = match action {
            ScreenAction::GoBack => Ok(step.place.go_back()),
            ScreenAction::Rewind => Ok(step.place.rewind()),
            ScreenAction::Fork => step.place.fork().ok_or("nothing comes before this message"),
            ScreenAction::Edit => step
                .place
                .edit()
                .ok_or("you can edit only your own messages"),
            _ => return Reaction::Ignored,
        };
        done.unwrap_or_else(|why| {
            why.clone_into(&mut self.remark);
            Reaction::Consumed
        })
    }

    /// Whether a key is for the search.
    fn searches(&mut self, key: KeyEvent, action: Option<ScreenAction>) -> bool {
        let (at, len, steps) = (self.cursor.selected(), self.steps.len(), &self.steps);
        let is_match = |row: usize, needle: &Needle| {
            let step = steps.get(row);
            step.is_some_and(|step| needle.is_in(&step.place.text()))
        };
        let found = match action {
            _ if self.search.is_open() => self.search.on_key(key, at, len, is_match),
            Some(ScreenAction::Find) => {
                self.search.begin();
                SearchOutcome::Consumed
            }
            Some(ScreenAction::FindNext { forward }) => {
                self.search.step(forward, at, len, is_match)
            }
            _ => SearchOutcome::Ignored,
        };
        if let SearchOutcome::Hit(row) = found {
            self.cursor.select(row, len);
        }
        found != SearchOutcome::Ignored
    }

    /// The message of the user above or below.
    fn select_ask(&mut self, forward: bool) {
        let at = self.cursor.selected();
        let is_ask = |at: &usize| self.steps.get(*at).is_some_and(|s| s.place.is_ask());
        let found = if forward {
            (at + 1..self.steps.len()).find(is_ask)
        } else {
            (0..at).rev().find(is_ask)
        };
        if let Some(found) = found {
            self.cursor.select(found, self.steps.len());
        }
    }

    fn refresh(&mut self, scene: &OverlayScene<'_>) {
        self.steps = rows::steps(&self.transcript, scene.view);
        let len = self.steps.len();
        self.cursor.select(self.cursor.selected(), len);
    }
}

impl Overlay for Timeline {
    fn name(&self) -> &'static str {
        "timeline"
    }

    fn screen(&self) -> Option<Screen> {
        Some(if self.search.is_open() {
            Screen::Find
        } else {
            self.list_screen()
        })
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        self.remark.clear();
        let action = scene.keymap.screen_action(self.list_screen(), key);
        if self.searches(key, action) {
            return Reaction::Consumed;
        }
        if hints::scrolls_list(&mut self.cursor, action, self.steps.len()) {
            return Reaction::Consumed;
        }
        action.map_or(Reaction::Ignored, |action| self.act(action))
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        Reaction::taken(self.search.on_paste(text))
    }

    fn on_event(&mut self, event: &AgentEvent, scene: &OverlayScene<'_>) -> Reaction {
        let AgentEvent::Session(event) = event else {
            return Reaction::Ignored;
        };
        match event {
            SessionEvent::Entry(entry) => match with_entry(&self.transcript, entry) {
                Some(grown) => self.transcript = grown,
                None => return Reaction::Ignored,
            },
            SessionEvent::BranchMoved(branch) => {
                let leaf: Option<EntryId> = branch.last().map(|entry| entry.id.clone());
                let mut moved = Transcript::clone(&self.transcript);
                moved.set_leaf(leaf);
                self.transcript = Arc::new(moved);
            }
            SessionEvent::Opened(_) => return Reaction::Close(Vec::new()),
            SessionEvent::ModelSwitched { .. }
            | SessionEvent::Reasoning(_)
            | SessionEvent::PlanMode(_)
            | SessionEvent::ModelsListed(_)
            | SessionEvent::Ended(_) => return Reaction::Ignored,
        }
        self.refresh(scene);
        Reaction::Consumed
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let height = draw::HistoryAreas::of(area, self.list_screen(), scene)
            .list
            .height;
        self.cursor.layout(height, self.steps.len());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        draw::timeline(self, area, buffer, scene)
    }
}
