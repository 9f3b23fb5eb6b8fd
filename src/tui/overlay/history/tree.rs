//! All branches of a session: switch to one, go back to any message, fork, name a branch.

use std::sync::Arc;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::{Overlay, OverlayScene, Reaction, hints};
use super::rows::{self, TreeNode};
use super::{draw, with_entry};
use crate::agent::{AgentEvent, Op, SessionEvent, SessionOp};
use crate::transcript::Transcript;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::widget::{ListCursor, Needle, RowSearch, SearchOutcome, TextField};

/// The tree.
pub struct Tree {
    transcript: Arc<Transcript>,
    pub(super) nodes: Vec<TreeNode>,
    pub(super) cursor: ListCursor,
    pub(super) search: RowSearch,
    /// A name that is being written.
    pub(super) naming: Option<TextField>,
    /// A remark on an action that failed.
    pub(super) remark: String,
}

impl Tree {
    /// The tree with the end of the active branch selected. `None` when nothing was said.
    pub fn of(transcript: Arc<Transcript>) -> Option<Self> {
        let nodes = rows::tree(&transcript);
        let mut cursor = ListCursor::default();
        let here = nodes.iter().position(|node| node.is_here).unwrap_or(0);
        cursor.select(here, nodes.len());
        (!nodes.is_empty()).then(|| Self {
            transcript,
            nodes,
            cursor,
            search: RowSearch::default(),
            naming: None,
            remark: String::new(),
        })
    }

    pub(super) fn selected(&self) -> Option<&TreeNode> {
        self.nodes.get(self.cursor.selected())
    }

    /// Ends of branches.
    pub(super) fn branches(&self) -> usize {
        let mut tips: Vec<_> = self.nodes.iter().map(|node| &node.tip).collect();
        tips.sort_unstable();
        tips.dedup();
        tips.len()
    }

    /// To the end of the branch of the selected row.
    fn switch(&mut self) -> Reaction {
        let Some(node) = self.selected() else {
            return Reaction::Consumed;
        };
        if node.is_active {
            "you are on this branch; rewind goes to here".clone_into(&mut self.remark);
            return Reaction::Consumed;
        }
        Reaction::Close(vec![Effect::Send(Op::Session(SessionOp::GoTo(Some(
            node.tip.clone(),
        ))))])
    }

    fn act(&mut self, action: ScreenAction) -> Reaction {
        match action {
            ScreenAction::Back => return Reaction::Close(Vec::new()),
            ScreenAction::Open => return self.switch(),
            _ => {}
        }
        let Some(node) = self.selected() else {
            return Reaction::Ignored;
        };
        let done = match action {
            ScreenAction::GoBack => Ok(node.place.go_back()),
            ScreenAction::Rewind => Ok(node.place.rewind()),
            ScreenAction::Fork => node.place.fork().ok_or("nothing comes before this message"),
            ScreenAction::Edit => node
                .place
                .edit()
                .ok_or("you can edit only your own messages"),
            ScreenAction::Rename => {
                let label = node.place.label.clone().unwrap_or_default();
                self.naming = Some(TextField::new(&label));
                Ok(Reaction::Consumed)
            }
            _ => return Reaction::Ignored,
        };
        done.unwrap_or_else(|why| {
            why.clone_into(&mut self.remark);
            Reaction::Consumed
        })
    }

    /// A key for the search: names of branches are found as well as what was said.
    fn on_search(&mut self, key: KeyEvent, action: Option<ScreenAction>) -> Option<Reaction> {
        let (len, nodes) = (self.nodes.len(), &self.nodes);
        let start = self.cursor.selected();
        let is_match = |row: usize, needle: &Needle| {
            nodes.get(row).is_some_and(|node| {
                let label = node.place.label.as_deref().unwrap_or_default();
                needle.is_in(label) || needle.is_in(&node.place.text())
            })
        };
        let found = match action {
            _ if self.search.is_open() => self.search.on_key(key, start, len, is_match),
            Some(ScreenAction::Find) => {
                self.search.begin();
                SearchOutcome::Consumed
            }
            Some(ScreenAction::FindNext { forward }) => {
                self.search.step(forward, start, len, is_match)
            }
            _ => SearchOutcome::Ignored,
        };
        match found {
            SearchOutcome::Hit(row) => self.cursor.select(row, len),
            SearchOutcome::Consumed => {}
            SearchOutcome::Ignored => return None,
        }
        Some(Reaction::Consumed)
    }

    fn on_naming(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Option<Reaction> {
        let field = self.naming.as_mut()?;
        match scene.keymap.screen_action(Screen::Field, key) {
            Some(ScreenAction::Back) => self.naming = None,
            Some(ScreenAction::Open) => {
                let label = Some(field.text().trim().to_owned()).filter(|text| !text.is_empty());
                self.naming = None;
                let target = self.selected()?.place.entry.id.clone();
                let op = Op::Session(SessionOp::Label { target, label });
                return Some(Reaction::Act(vec![Effect::Send(op)]));
            }
            _ => {
                field.on_key(key);
            }
        }
        Some(Reaction::Consumed)
    }
}

impl Overlay for Tree {
    fn name(&self) -> &'static str {
        "tree"
    }

    fn screen(&self) -> Option<Screen> {
        Some(if self.naming.is_some() {
            Screen::Field
        } else if self.search.is_open() {
            Screen::Find
        } else {
            Screen::Tree
        })
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        self.remark.clear();
        if let Some(reaction) = self.on_naming(key, scene) {
            return reaction;
        }
        let action = scene.keymap.screen_action(Screen::Tree, key);
        if let Some(reaction) = self.on_search(key, action) {
            return reaction;
        }
        if hints::scrolls_list(&mut self.cursor, action, self.nodes.len()) {
            return Reaction::Consumed;
        }
        action.map_or(Reaction::Ignored, |action| self.act(action))
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        match &mut self.naming {
            Some(field) => {
                field.insert(text);
                Reaction::Consumed
            }
            None if self.search.on_paste(text) => Reaction::Consumed,
            None => Reaction::Ignored,
        }
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        let AgentEvent::Session(event) = event else {
            return Reaction::Ignored;
        };
        match event {
            SessionEvent::Entry(entry) => match with_entry(&self.transcript, entry) {
                Some(grown) => self.transcript = grown,
                None => return Reaction::Ignored,
            },
            SessionEvent::BranchMoved(branch) => {
                let mut moved = Transcript::clone(&self.transcript);
                moved.set_leaf(branch.last().map(|entry| entry.id.clone()));
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
        self.nodes = rows::tree(&self.transcript);
        self.cursor.select(self.cursor.selected(), self.nodes.len());
        Reaction::Consumed
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let height = draw::HistoryAreas::of(area, Screen::Tree, scene)
            .list
            .height;
        self.cursor.layout(height, self.nodes.len());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        draw::tree(self, area, buffer, scene)
    }
}
