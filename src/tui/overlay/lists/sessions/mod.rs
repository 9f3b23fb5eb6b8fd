//! Sessions to continue: typing filters, a preview shows how each one ends; they can be
//! renamed and deleted here. Those of other programs are shown program by program; opening one
//! imports it. Knows files by their paths only and reads none of them.
//!
//! Invariant: nothing is deleted without a yes, and never the open session.

mod draw;

use std::path::PathBuf;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::{Overlay, OverlayScene, Reaction, hints};
use super::picker;
use crate::agent::{
    AgentEvent, NoticeLevel, Op, Query, QueryReply, SessionList, SessionListing, SessionOp,
    SessionPeek,
};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::widget::{ListCursor, TextField};

/// The picker.
pub struct Sessions {
    list: SessionList,
    /// Positions in the list, best match first.
    found: Vec<usize>,
    field: TextField,
    cursor: ListCursor,
    peek: Option<SessionPeek>,
    /// The session whose preview was asked for last.
    peeked: Option<PathBuf>,
    asking: SessionPrompt,
    /// The event or failure.
    remark: String,
}

/// The open prompt about the selected session.
enum SessionPrompt {
    Nothing,
    Name(TextField),
    Delete,
}

impl Sessions {
    /// Its [`Overlay::name`].
    pub const NAME: &'static str = "sessions";

    /// A picker of these, the newest one that is not open selected.
    pub fn new(list: SessionList) -> Self {
        let mut it = Self {
            found: Vec::new(),
            list,
            field: TextField::default(),
            cursor: ListCursor::default(),
            peek: None,
            peeked: None,
            asking: SessionPrompt::Nothing,
            remark: String::new(),
        };
        it.filter();
        let others = |at: &usize| !it.is_open(&it.list.sessions[*at]);
        let first = it.found.iter().position(others).unwrap_or(0);
        it.cursor.select(first, it.found.len());
        it.peeked = it.selected().map(|session| session.path.clone());
        it
    }

    /// Asks for the preview of the selected one.
    pub fn peek(&self) -> Vec<Effect> {
        let path = self.peeked.clone();
        path.map(|path| Effect::Send(Op::query(Query::SessionPeek(path))))
            .into_iter()
            .collect()
    }

    fn selected(&self) -> Option<&SessionListing> {
        let at = self.found.get(self.cursor.selected())?;
        self.list.sessions.get(*at)
    }

    fn is_open(&self, session: &SessionListing) -> bool {
        self.list.open.as_ref() == Some(&session.path)
    }

    fn filter(&mut self) {
        let labels = self.list.sessions.iter().map(|session| {
            let name = session.name.as_deref().unwrap_or_default();
            let hit = session.hit.as_ref().map_or("", |hit| &hit.excerpt);
            format!("{name} {} {hit}", session.first_words)
        });
        self.found = picker::ranked(&self.field.text(), labels);
        self.cursor.select(0, self.found.len());
    }

    /// After the selection may have changed: another preview, if another one is selected.
    fn moved(&mut self) -> Reaction {
        let path = self.selected().map(|session| session.path.clone());
        if path == self.peeked {
            return Reaction::Consumed;
        }
        self.peeked = path;
        Reaction::Act(self.peek())
    }

    fn on_naming(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Option<Reaction> {
        let SessionPrompt::Name(field) = &mut self.asking else {
            return None;
        };
        match scene.keymap.screen_action(Screen::Field, key) {
            Some(ScreenAction::Back) => self.asking = SessionPrompt::Nothing,
            Some(ScreenAction::Open) => {
                let name = field.text().trim().to_owned();
                self.asking = SessionPrompt::Nothing;
                let path = self.selected()?.path.clone();
                let op = Op::Session(SessionOp::RenameOther { path, name });
                return Some(Reaction::Act(vec![Effect::Send(op)]));
            }
            _ => {
                field.on_key(key);
            }
        }
        Some(Reaction::Consumed)
    }

    fn on_deleting(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Option<Reaction> {
        if !matches!(self.asking, SessionPrompt::Delete) {
            return None;
        }
        self.asking = SessionPrompt::Nothing;
        let answer = scene.keymap.screen_action(Screen::DeletePrompt, key);
        if answer != Some(ScreenAction::Confirm) {
            "nothing was deleted".clone_into(&mut self.remark);
            return Some(Reaction::Consumed);
        }
        let path = self.selected()?.path.clone();
        Some(Reaction::Act(vec![Effect::Send(Op::Session(
            SessionOp::Discard(path),
        ))]))
    }

    /// The sessions of the program after the one that is shown; ours come after the last one.
    fn next_program(&mut self) -> Reaction {
        if self.list.programs.is_empty() {
            "no sessions of other programs were found".clone_into(&mut self.remark);
            return Reaction::Consumed;
        }
        let programs = &self.list.programs;
        let at = programs
            .iter()
            .position(|it| Some(it) == self.list.program.as_ref());
        let next = at.map_or(0, |at| at + 1);
        ask_for(programs.get(next).cloned(), self.list.all)
    }

    /// Whether what is shown is of another program; says that it is only read.
    fn is_only_read(&mut self) -> bool {
        let Some(program) = &self.list.program else {
            return false;
        };
        self.remark = format!("sessions of {program} are only read; opening one imports it");
        true
    }

    fn ask_name(&mut self) -> Reaction {
        if self.is_only_read() {
            return Reaction::Consumed;
        }
        if let Some(session) = self.selected() {
            let name = session.name.clone().unwrap_or_default();
            self.asking = SessionPrompt::Name(TextField::new(&name));
        }
        Reaction::Consumed
    }

    fn ask_delete(&mut self) -> Reaction {
        if self.is_only_read() {
            return Reaction::Consumed;
        }
        match self.selected() {
            Some(session) if self.is_open(session) => {
                "the open session cannot be deleted".clone_into(&mut self.remark);
            }
            Some(_) => self.asking = SessionPrompt::Delete,
            None => {}
        }
        Reaction::Consumed
    }

    fn open(&mut self) -> Reaction {
        match self.selected() {
            Some(session) if self.is_open(session) && session.hit.is_none() => {
                Reaction::Close(Vec::new())
            }
            Some(session) => {
                let path = session.path.clone();
                let op = match &session.hit {
                    None => SessionOp::Resume(path),
                    Some(hit) => SessionOp::ResumeAt {
                        path,
                        entry: hit.entry.clone(),
                    },
                };
                Reaction::Close(vec![Effect::Send(Op::Session(op))])
            }
            None => Reaction::Consumed,
        }
    }

    /// The list was read again: what was selected stays so.
    fn relist(&mut self, list: &SessionList) -> Reaction {
        let selected = self.selected().map(|session| session.path.clone());
        let at = self.cursor.selected();
        self.list = list.clone();
        self.filter();
        let again = self
            .found
            .iter()
            .position(|&at| Some(&self.list.sessions[at].path) == selected.as_ref());
        self.cursor.select(again.unwrap_or(at), self.found.len());
        self.moved()
    }
}

/// Asks for the sessions of a program, `None` for ours.
fn ask_for(program: Option<String>, all: bool) -> Reaction {
    let query = match program {
        None => Query::Sessions { all },
        Some(program) => Query::ForeignSessions { program, all },
    };
    Reaction::Act(vec![Effect::Send(Op::query(query))])
}

impl Overlay for Sessions {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn screen(&self) -> Option<Screen> {
        Some(match self.asking {
            SessionPrompt::Nothing => Screen::Sessions,
            SessionPrompt::Name(_) => Screen::Field,
            SessionPrompt::Delete => Screen::DeletePrompt,
        })
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        self.remark.clear();
        let asked = self.on_naming(key, scene);
        if let Some(reaction) = asked.or_else(|| self.on_deleting(key, scene)) {
            return reaction;
        }
        let action = scene.keymap.screen_action(Screen::Sessions, key);
        if hints::scrolls_list(&mut self.cursor, action, self.found.len()) {
            return self.moved();
        }
        match action {
            Some(ScreenAction::Back) => Reaction::Close(Vec::new()),
            Some(ScreenAction::Open) => self.open(),
            Some(ScreenAction::AllFolders) => ask_for(self.list.program.clone(), !self.list.all),
            Some(ScreenAction::NextProgram) => self.next_program(),
            Some(ScreenAction::Rename) => self.ask_name(),
            Some(ScreenAction::Delete) => self.ask_delete(),
            _ if self.field.on_key(key) => {
                self.filter();
                self.moved()
            }
            _ => Reaction::Ignored,
        }
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        if let SessionPrompt::Name(field) = &mut self.asking {
            field.insert(text);
            return Reaction::Consumed;
        }
        self.field.insert(text);
        self.filter();
        self.moved()
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        if let AgentEvent::Reply {
            reply: QueryReply::Sessions(list),
            ..
        } = event
        {
            return self.relist(list);
        }
        if let AgentEvent::Reply {
            reply: QueryReply::SessionPeek(peek),
            ..
        } = event
            && Some(&peek.path) == self.peeked.as_ref()
        {
            self.peek = Some(SessionPeek::clone(peek));
            return Reaction::Consumed;
        }
        if let AgentEvent::Notice(notice) = event
            && notice.level != NoticeLevel::Info
        {
            self.remark.clone_from(&notice.text);
            return Reaction::Consumed;
        }
        Reaction::Ignored
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let list = draw::SessionAreas::of(area, scene).list;
        self.cursor.layout(list.height, self.found.len());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        draw::sessions(self, area, buffer, scene)
    }
}

#[cfg(test)]
mod tests;
