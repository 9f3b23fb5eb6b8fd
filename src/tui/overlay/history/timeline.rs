//! The active branch, one row per message: look, jump there, go back, fork, write a
//! message again. Also where the first message is picked that a compaction keeps.

use std::sync::Arc;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::{Overlay, OverlayExit, OverlayScene, Reaction, hints, numbers};
use super::acts::TimelineAct;
use super::rows::{self, TimelineStep};
use super::{draw, with_entry};
use crate::agent::{
    AgentEvent, CompactOptions, ContextOp, Op, Query, QueryReply, SessionEvent, UndoOp,
};
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
    /// An act that a second key press undoes.
    pub(super) offer: Option<UndoOffer>,
}

/// An undo that waits for its second key press.
pub(super) struct UndoOffer {
    target: EntryId,
    /// How many acts are undone.
    acts: usize,
    /// What is undone, and the effect where it is known.
    pub words: String,
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
            offer: None,
        };
        timeline.select_newest_ask();
        (!timeline.steps.is_empty()).then_some(timeline)
    }

    /// A timeline that picks the first message to keep for this compaction.
    #[must_use]
    pub fn picking_for(mut self, options: CompactOptions) -> Self {
        self.picks_for = Some(options);
        self.leave_out_acts();
        self
    }

    /// A timeline that picks the message to rewind to.
    #[must_use]
    pub fn rewinding(mut self) -> Self {
        self.is_rewinding = true;
        self.leave_out_acts();
        self
    }

    /// Only what was said can be chosen.
    fn leave_out_acts(&mut self) {
        self.steps.retain(|step| !step.place.is_act_alone());
        self.cursor.select(self.steps.len(), self.steps.len());
        self.select_newest_ask();
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
        let later = self.steps.iter().skip(from + 1);
        later.filter(|step| !step.place.is_act_alone()).count() + own
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

    /// Number of messages.
    pub(super) fn messages(&self) -> usize {
        let messages = self.steps.iter();
        messages.filter(|step| !step.place.is_act_alone()).count()
    }

    /// On an act: the first press says what an undo does, the second one does it.
    fn undo_selected(&mut self) -> Option<Reaction> {
        let place = &self.selected()?.place;
        let (act, target) = (place.act.clone()?, place.entry.id.clone());
        let undo = || Op::Context(ContextOp::Undo(UndoOp::UNDO.confirmed()));
        let is_second = self.offer.take().is_some_and(|it| it.target == target);
        if is_second {
            let undos = (0..act.acts).map(|_| Effect::Send(undo()));
            return Some(Reaction::Act(undos.collect()));
        }
        let mut effects = Vec::new();
        let words = if act.acts == 1 {
            let question = Op::query(Query::Foresee(Box::new(undo())));
            effects.push(Effect::Send(question));
            format!("undo of the {}", act.words)
        } else {
            let mut newest: Vec<&TimelineAct> = Vec::new();
            newest.extend(self.steps.iter().filter_map(|it| it.place.act.as_ref()));
            newest.retain(|it| it.acts <= act.acts);
            newest.sort_by_key(|it| it.acts);
            let words: Vec<&str> = newest.iter().map(|it| it.words.as_str()).collect();
            format!("undo of {} acts: {}", act.acts, words.join("; "))
        };
        self.offer = Some(UndoOffer {
            target,
            acts: act.acts,
            words,
        });
        Some(Reaction::Act(effects))
    }

    /// Takes over what an undo would do.
    fn foreseen(&mut self, event: &AgentEvent, scene: &OverlayScene<'_>) -> Option<Reaction> {
        let AgentEvent::Reply {
            reply:
                QueryReply::Foreseen {
                    undoes: Some(undoes),
                    tokens_after,
                    ..
                },
            ..
        } = event
        else {
            return None;
        };
        let offer = self.offer.as_mut().filter(|offer| offer.acts == 1)?;
        let change = scene.view.map(|view| {
            let signed = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
            signed(*tokens_after).saturating_sub(signed(view.usage.tokens))
        });
        let change = change.map(|change| format!(": {} tokens", numbers::signed(change)));
        offer.words = format!("{undoes}{}", change.unwrap_or_default());
        Some(Reaction::Consumed)
    }

    fn enter(&mut self) -> Reaction {
        if self.picks_for.is_some() {
            return self.picked();
        }
        if self.is_rewinding {
            let step = self.selected();
            return step.map_or(Reaction::Consumed, |step| step.place.rewind());
        }
        if let Some(reaction) = self.undo_selected() {
            return reaction;
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
        if step.place.is_act_alone() {
            "this is an act of yours: enter undoes it".clone_into(&mut self.remark);
            return Reaction::Consumed;
        }
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
        if self.list_screen() != Screen::Timeline {
            self.steps.retain(|step| !step.place.is_act_alone());
        }
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
        if action != Some(ScreenAction::Open) && self.offer.take().is_some() {
            // Esc leaves the undo alone; every other key does so too and means itself.
            if action == Some(ScreenAction::Back) {
                return Reaction::Consumed;
            }
        }
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
        if let Some(reaction) = self.foreseen(event, scene) {
            return reaction;
        }
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
            | SessionEvent::Engine(_)
            | SessionEvent::PlanMode(_)
            | SessionEvent::Saved(_)
            | SessionEvent::Approvals(_)
            | SessionEvent::ServersOffer(_)
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
