//! The MCP servers: their state, what their tools take, what was called. Switches one off or on,
//! takes the lists that they have now, opens the tools of one.
//!
//! Invariant: what costs the prompt cache is said first and done by a second press.

mod tools;
mod words;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::super::hints::{self, ScreenHints};
use super::super::{Overlay, OverlayScene, Reaction};
use crate::agent::{AgentEvent, LinkPhase, Op, QueryReply, ServerAct, ServerReport, SettingOp};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::numbers;
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::{ListCursor, Page, VisibleItem, paint};

use tools::ServerTools;
pub use words::{NO_SERVERS, lines};

/// Rows of facts about the selected server.
const FACT_ROWS: u16 = 4;
/// From this height on they have room.
const FACTS_FROM: u16 = 12;
/// From this width on calls have room beside the tools; else they are a fact.
const CALLS_FROM: u16 = 90;

/// The list.
pub struct Servers {
    all: Vec<ServerReport>,
    cursor: ListCursor,
    /// What the next press of the key does, in words that are shown.
    pending: Option<PendingSwitch>,
}

/// A switch that was asked for and costs something.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PendingSwitch {
    what: String,
    on: bool,
    words: String,
}

impl PendingSwitch {
    /// Switches at once where that costs nothing, or when it was said what it costs.
    fn press(slot: &mut Option<Self>, wanted: Self, is_free: bool) -> Reaction {
        let is_second = slot.as_ref() == Some(&wanted);
        if !is_free && !is_second {
            *slot = Some(wanted);
            return Reaction::Consumed;
        }
        *slot = None;
        let Self { what, on, .. } = wanted;
        act(ServerAct::Switch { what, on })
    }
}

fn act(act: ServerAct) -> Reaction {
    Reaction::Act(vec![Effect::Send(Op::Setting(SettingOp::Servers(act)))])
}

/// Tokens of the next request.
fn prompt_tokens(scene: &OverlayScene<'_>) -> u64 {
    scene.view.map_or(0, |view| view.usage.tokens)
}

impl Servers {
    /// Shows these.
    pub fn new(servers: Vec<ServerReport>) -> Self {
        Self {
            all: servers,
            cursor: ListCursor::default(),
            pending: None,
        }
    }

    fn selected(&self) -> Option<&ServerReport> {
        self.all.get(self.cursor.selected())
    }

    fn switch(&mut self, scene: &OverlayScene<'_>) -> Reaction {
        let Some(server) = self.selected() else {
            return Reaction::Consumed;
        };
        let on = server.phase == LinkPhase::Off;
        let tools = match (on, server.is_listed) {
            (true, _) => server.entering,
            (false, true) => server.listed.tools,
            (false, false) => 0,
        };
        let tools = tools as u64;
        let is_free = tools == 0;
        let wanted = PendingSwitch {
            what: format!("{}__*", server.name),
            on,
            words: words::cost(tools, on, prompt_tokens(scene)),
        };
        PendingSwitch::press(&mut self.pending, wanted, is_free)
    }

    fn has_facts(area: Rect) -> bool {
        area.height >= FACTS_FROM
    }

    /// The rows that list them.
    fn list(area: Rect, scene: &OverlayScene<'_>) -> Rect {
        let body = hints::body(area, Screen::Servers, scene);
        let facts = if Self::has_facts(area) { FACT_ROWS } else { 0 };
        paint::inner(body, 0, facts)
    }

    fn row(&self, item: VisibleItem, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let Some(server) = self.all.get(item.at) else {
            return;
        };
        let row = item.line;
        let (sign, style) = sign(server, theme);
        let name = format!("{sign} {}", safe::one_line(&server.name, 32));
        let mut used = 1 + paint::text(buffer, area, (1, row), area.width, &name, style);
        let mut right = words::tools(server);
        if area.width >= CALLS_FROM {
            right = format!("{right} · {}", words::calls(&server.calls));
        }
        let room = usize::from(area.width.saturating_sub(used)).saturating_sub(1);
        let state = safe::one_line(words::state(server), room);
        used += 1 + paint::text(
            buffer,
            area,
            (used + 1, row),
            area.width,
            &state,
            theme.text,
        );
        let room = usize::from(area.width.saturating_sub(used)).saturating_sub(2);
        if wrap::width(&right) <= room {
            paint::right(buffer, area, (used, row), &format!("{right} "), theme.dim);
        }
        if item.is_selected {
            paint::cursor(buffer, area, row, theme);
        }
    }

    fn facts(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let room = area.width.saturating_sub(2).max(1);
        let (texts, style) = match (&self.pending, self.selected()) {
            (Some(pending), _) => (vec![pending.words.clone()], theme.warning),
            (None, Some(server)) => {
                let mut facts = words::facts(server);
                if area.width < CALLS_FROM {
                    facts.push(words::calls(&server.calls));
                }
                (facts, theme.dim)
            }
            (None, None) => (vec![NO_SERVERS.to_owned()], theme.dim),
        };
        let lines = texts.iter().flat_map(|text| {
            let line = ratatui::text::Line::styled(safe::visible(text).into_owned(), style);
            wrap::wrap(&line, room)
        });
        for (row, line) in (0..area.height).zip(lines) {
            paint::line(buffer, area, (1, row), &line);
        }
    }
}

/// The sign of a server's state and its colour.
fn sign(server: &ServerReport, theme: &Theme) -> (&'static str, Style) {
    match &server.phase {
        LinkPhase::Ready => ("✓", theme.success),
        LinkPhase::Off => ("□", theme.dim),
        LinkPhase::Failed(_) | LinkPhase::NeedsLogin(_) => ("✗", theme.error),
        _ => ("▸", theme.accent),
    }
}

impl Overlay for Servers {
    fn name(&self) -> &'static str {
        "mcp"
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::Servers)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::Servers, key);
        if action != Some(ScreenAction::Toggle) {
            self.pending = None;
        }
        if hints::scrolls_list(&mut self.cursor, action, self.all.len()) {
            return Reaction::Consumed;
        }
        match (action, self.selected()) {
            (Some(ScreenAction::Back), _) => Reaction::Close(Vec::new()),
            (Some(ScreenAction::Toggle), _) => self.switch(scene),
            (Some(ScreenAction::Save), _) => act(ServerAct::Keep),
            (Some(ScreenAction::Retry), _) => act(ServerAct::Reload),
            (Some(ScreenAction::Open), Some(server)) => {
                Reaction::Open(Box::new(ServerTools::new(server.clone())))
            }
            _ => Reaction::Ignored,
        }
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        let AgentEvent::Reply {
            reply: QueryReply::Servers(servers),
            ..
        } = event
        else {
            return Reaction::Ignored;
        };
        self.all.clone_from(servers);
        self.cursor.select(self.cursor.selected(), self.all.len());
        Reaction::Consumed
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let list = Self::list(area, scene);
        self.cursor.layout(list.height, self.all.len());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        let is_ready = |server: &&ServerReport| server.phase == LinkPhase::Ready;
        let ready = self.all.iter().filter(is_ready).count();
        let count = numbers::plural(self.all.len() as u64, "server");
        let page = Page {
            title: "mcp servers",
            remark: &format!("{count}, {ready} ready"),
        };
        page.draw(area, buffer, theme);
        let list = Self::list(area, scene);
        for item in self.cursor.visible() {
            self.row(item, list, buffer, theme);
        }
        if Self::has_facts(area) {
            let body = hints::body(area, Screen::Servers, scene);
            let facts = paint::inner(body, body.height.saturating_sub(FACT_ROWS), 0);
            self.facts(facts, buffer, theme);
        }
        let is_off = self.selected().is_some_and(|it| it.phase == LinkPhase::Off);
        let switch = if is_off { "switch on" } else { "switch off" };
        let has_any = self.selected().is_some();
        ScreenHints::of(Screen::Servers, scene)
            .saying(ScreenAction::Toggle, switch)
            .only_if(has_any, ScreenAction::Toggle)
            .only_if(has_any, ScreenAction::Open)
            .draw(area, buffer);
        None
    }
}

#[cfg(test)]
mod tests;
