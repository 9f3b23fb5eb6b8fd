//! The tools of a server: what each does and takes. Takes one out of what is offered, or puts
//! it back.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{PendingSwitch, act, prompt_tokens, words};
use crate::agent::{AgentEvent, QueryReply, ServerAct, ServerReport, ToolReport};
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::numbers;
use crate::tui::overlay::hints::{self, ScreenHints};
use crate::tui::overlay::{Overlay, OverlayScene, Reaction};
use crate::tui::render::safe;
use crate::tui::theme::Theme;
use crate::tui::widget::{ListCursor, Page, VisibleItem, paint};

/// The list.
pub(super) struct ServerTools {
    server: ServerReport,
    cursor: ListCursor,
    pending: Option<PendingSwitch>,
}

impl ServerTools {
    pub(super) fn new(server: ServerReport) -> Self {
        Self {
            server,
            cursor: ListCursor::default(),
            pending: None,
        }
    }

    fn selected(&self) -> Option<&ToolReport> {
        self.server.tools.get(self.cursor.selected())
    }

    /// Its server is off: then each tool is.
    fn is_shut(&self) -> bool {
        self.server.is_switched_off || self.server.phase == crate::agent::LinkPhase::Off
    }

    fn switch(&mut self, scene: &OverlayScene<'_>) -> Reaction {
        let Some(tool) = self.selected().filter(|_| !self.is_shut()) else {
            return Reaction::Consumed;
        };
        let wanted = PendingSwitch {
            what: tool.name.clone(),
            on: tool.is_off,
            words: words::cost(1, tool.is_off, prompt_tokens(scene)),
        };
        let is_free = !self.server.is_listed;
        PendingSwitch::press(&mut self.pending, wanted, is_free)
    }

    fn row(&self, item: VisibleItem, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let Some(tool) = self.server.tools.get(item.at) else {
            return;
        };
        let row = item.line;
        let (sign, style) = if tool.is_off {
            ("□", theme.dim)
        } else {
            ("✓", theme.text)
        };
        let name = format!("{sign} {}", safe::one_line(&tool.name, 64));
        let used = 1 + paint::text(buffer, area, (1, row), area.width, &name, style);
        let tokens = format!("~{} ", numbers::tokens(tool.tokens));
        let room = usize::from(area.width.saturating_sub(used)).saturating_sub(tokens.len() + 3);
        let does = safe::one_line(&tool.does, room);
        let used = used + 2;
        let used = used + paint::text(buffer, area, (used, row), area.width, &does, theme.dim);
        paint::right(buffer, area, (used, row), &tokens, theme.dim);
        if item.is_selected {
            paint::cursor(buffer, area, row, theme);
        }
    }

    /// One line above the hints: what the key does, or where the tools are.
    fn remark(&self) -> String {
        if let Some(pending) = &self.pending {
            return pending.words.clone();
        }
        if self.is_shut() {
            return "the server is off: none of them is offered".to_owned();
        }
        if self.server.tools.is_empty() {
            return "its tools are not known before it was started".to_owned();
        }
        if self.server.is_listed {
            "they are in the list of tools of every request".to_owned()
        } else {
            "they are found when needed: switching one changes no byte of the prompt".to_owned()
        }
    }
}

impl Overlay for ServerTools {
    fn name(&self) -> &'static str {
        "mcp tools"
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::ServerTools)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::ServerTools, key);
        if action != Some(ScreenAction::Toggle) {
            self.pending = None;
        }
        if hints::scrolls_list(&mut self.cursor, action, self.server.tools.len()) {
            return Reaction::Consumed;
        }
        match action {
            Some(ScreenAction::Back) => Reaction::Close(Vec::new()),
            Some(ScreenAction::Toggle) => self.switch(scene),
            Some(ScreenAction::Save) => act(ServerAct::Keep),
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
        let mut servers = servers.iter();
        if let Some(server) = servers.find(|it| it.name == self.server.name) {
            self.server = server.clone();
            let len = self.server.tools.len();
            self.cursor.select(self.cursor.selected(), len);
        }
        Reaction::Consumed
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let body = paint::inner(hints::body(area, Screen::ServerTools, scene), 0, 1);
        self.cursor.layout(body.height, self.server.tools.len());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        let title = format!("tools of {}", self.server.name);
        let page = Page {
            title: &title,
            remark: &words::tools(&self.server),
        };
        page.draw(area, buffer, theme);
        let body = hints::body(area, Screen::ServerTools, scene);
        let list = paint::inner(body, 0, 1);
        for item in self.cursor.visible() {
            self.row(item, list, buffer, theme);
        }
        let room = usize::from(body.width.saturating_sub(2));
        let remark = safe::one_line(&self.remark(), room);
        let style = if self.pending.is_some() {
            theme.warning
        } else {
            theme.dim
        };
        let bottom = body.height.saturating_sub(1);
        paint::text(buffer, body, (1, bottom), body.width, &remark, style);
        let is_off = self.selected().is_some_and(|tool| tool.is_off);
        let switch = if is_off { "offer again" } else { "take out" };
        let may_switch = self.selected().is_some() && !self.is_shut();
        ScreenHints::of(Screen::ServerTools, scene)
            .saying(ScreenAction::Toggle, switch)
            .only_if(may_switch, ScreenAction::Toggle)
            .draw(area, buffer);
        None
    }
}
