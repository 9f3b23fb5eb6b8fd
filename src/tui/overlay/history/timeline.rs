//! The active branch, one row per message: look, jump there, go back, fork, write a
//! message again. Also where the first message is picked that a compaction keeps.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::{Overlay, OverlayExit, OverlayScene, Reaction};
use super::rows::{self, TimelineStep};
use super::{draw, with_entry};
use crate::agent::{AgentEvent, CompactOptions, ContextOp, Op, SessionEvent};
use crate::transcript::{EntryId, Transcript};
use crate::tui::effect::Effect;
use crate::tui::widget::{ListCursor, RowSearch, ScrollMotion, SearchOutcome, keys};

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
    /// The active branch, with its newest message selected. `None` when nothing was said.
    pub fn of(transcript: Arc<Transcript>, scene: &OverlayScene<'_>) -> Option<Self> {
        let steps = rows::steps(&transcript, scene.view);
        let mut cursor = ListCursor::default();
        cursor.select(steps.len(), steps.len());
        (!steps.is_empty()).then(|| Self {
            transcript,
            steps,
            cursor,
            search: RowSearch::default(),
            picks_for: None,
            is_rewinding: false,
            remark: String::new(),
        })
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
        // Mostly it is the newest message that is regretted.
        if !self.selected().is_some_and(|step| step.place.is_ask()) {
            self.select_ask(false);
        }
        self
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

    fn command(&mut self, key: char) -> Reaction {
        if key == 'q' {
            return Reaction::Close(Vec::new());
        }
        let Some(step) = self.selected().filter(|_| self.picks_for.is_none()) else {
            return Reaction::Ignored;
        };
        let done = match key {
            'b' => Ok(step.place.go_back()),
            'r' => Ok(step.place.rewind()),
            'f' => step.place.fork().ok_or("nothing comes before this message"),
            'e' => step.place.edit().ok_or("only your own messages are edited"),
            _ => return Reaction::Ignored,
        };
        done.unwrap_or_else(|why| {
            why.clone_into(&mut self.remark);
            Reaction::Consumed
        })
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

    fn on_key(&mut self, key: KeyEvent, _scene: &OverlayScene<'_>) -> Reaction {
        self.remark.clear();
        let len = self.steps.len();
        let steps = &self.steps;
        let found = self
            .search
            .on_key(key, self.cursor.selected(), len, |row, needle| {
                steps
                    .get(row)
                    .is_some_and(|step| needle.is_in(&step.place.text()))
            });
        match found {
            SearchOutcome::Hit(row) => {
                self.cursor.select(row, len);
                return Reaction::Consumed;
            }
            SearchOutcome::Consumed => return Reaction::Consumed,
            SearchOutcome::Ignored => {}
        }
        if self.cursor.on_key(key, len) {
            return Reaction::Consumed;
        }
        match (key.code, keys::typed(key)) {
            (KeyCode::Esc, _) => Reaction::Close(Vec::new()),
            (KeyCode::Enter, _) => self.enter(),
            (KeyCode::Left, _) => {
                self.select_ask(false);
                Reaction::Consumed
            }
            (KeyCode::Right, _) => {
                self.select_ask(true);
                Reaction::Consumed
            }
            (_, Some('g')) => {
                self.cursor.motion(ScrollMotion::First, len);
                Reaction::Consumed
            }
            (_, Some(key)) => self.command(key),
            _ => Reaction::Ignored,
        }
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
            | SessionEvent::Approvals(_)
            | SessionEvent::ModelsListed(_)
            | SessionEvent::Ended(_) => return Reaction::Ignored,
        }
        self.refresh(scene);
        Reaction::Consumed
    }

    fn layout(&mut self, area: Rect, _scene: &OverlayScene<'_>) {
        let height = draw::HistoryAreas::of(area).list.height;
        self.cursor.layout(height, self.steps.len());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        draw::timeline(self, area, buffer, scene)
    }
}
