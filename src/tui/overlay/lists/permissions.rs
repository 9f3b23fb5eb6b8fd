//! Calls that run without a question: by the mode and by permissions, for how long, and where
//! that is written. Revokes; never allows anything.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::hints::{self, ScreenHints};
use super::super::{Overlay, OverlayScene, Reaction};
use crate::agent::{
    AgentEvent, ApprovalMode, Grant, Op, Permission, PermissionList, QueryReply, SettingOp,
};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::numbers;
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::{ListCursor, VisibleItem, paint};

/// Rows above the list: title, rule, mode, where things are written, a blank one.
const HEAD_ROWS: u16 = 5;
/// Columns of a tool's name.
const TOOL_COLUMNS: usize = 12;
/// Columns that a pattern has at least before what is said about it gives way.
const PATTERN_COLUMNS: usize = 16;

/// The list.
pub struct Permissions {
    list: PermissionList,
    cursor: ListCursor,
}

fn head_rows(area: Rect) -> u16 {
    HEAD_ROWS.min(area.height.saturating_sub(2))
}

/// A mode and what it allows.
pub fn mode_sentence(mode: ApprovalMode) -> String {
    let allows = match mode {
        ApprovalMode::Ask => "ask: reading in the folder runs; edits, commands and secrets ask",
        ApprovalMode::ReadOnly => "read-only: reading runs; edits and commands are denied",
        ApprovalMode::Edits => {
            "accept edits: edits in the folder run; commands, secrets, start-up files ask"
        }
        ApprovalMode::All => "allow all: everything runs without a question",
    };
    allows.to_owned()
}

/// How long something is allowed.
pub fn grant_words(grant: Grant) -> &'static str {
    match grant {
        Grant::Configured => "settings",
        Grant::Always => "always, in this folder",
        Grant::Session => "this session",
    }
}

impl Permissions {
    /// Shows this list.
    pub fn new(list: PermissionList) -> Self {
        Self {
            list,
            cursor: ListCursor::default(),
        }
    }

    fn selected(&self) -> Option<&Permission> {
        self.list.permissions.get(self.cursor.selected())
    }

    fn head(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let count = numbers::plural(self.list.permissions.len() as u64, "permission");
        paint::title(buffer, area, "permissions", &count, theme);
        paint::rule(buffer, area, 1, theme);
        let room = usize::from(area.width).saturating_sub(2);
        let mode = format!("mode {}", mode_sentence(self.list.mode));
        let mode = safe::one_line(&mode, room);
        paint::text(buffer, area, (1, 2), area.width, &mode, theme.text);
        let file = self.list.file.to_string_lossy();
        let place = safe::one_line(&format!("permanent permissions are in {file}"), room);
        paint::text(buffer, area, (1, 3), area.width, &place, theme.dim);
    }

    fn row(&self, item: VisibleItem, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let Some(permission) = self.list.permissions.get(item.at) else {
            return;
        };
        let row = item.line;
        let tool = safe::one_line(&permission.tool, TOOL_COLUMNS);
        let used = 2 + paint::text(buffer, area, (2, row), area.width, &tool, theme.accent);
        let words = grant_words(permission.grant);
        let width = usize::from(area.width);
        let left = width.saturating_sub(usize::from(used) + 2);
        let has_words = left >= PATTERN_COLUMNS + wrap::width(words) + 2;
        let room = if has_words {
            left - wrap::width(words) - 2
        } else {
            left
        };
        let calls = safe::one_line(&permission.calls(), room);
        let style = match &permission.pattern {
            Some(_) => theme.text,
            None => theme.warning,
        };
        let used = used + 1;
        let used = used + paint::text(buffer, area, (used, row), area.width, &calls, style);
        if has_words {
            paint::right(buffer, area, (used, row), &format!("{words} "), theme.dim);
        }
        if item.is_selected {
            paint::cursor(buffer, area, row, theme);
        }
    }
}

impl Overlay for Permissions {
    fn name(&self) -> &'static str {
        "permissions"
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::Permissions)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::Permissions, key);
        if hints::scrolls_list(&mut self.cursor, action, self.list.permissions.len()) {
            return Reaction::Consumed;
        }
        match action {
            Some(ScreenAction::Back) => Reaction::Close(Vec::new()),
            Some(ScreenAction::Delete) => match self.selected() {
                Some(permission) => Reaction::Act(vec![Effect::Send(Op::Setting(
                    SettingOp::Revoke(permission.clone()),
                ))]),
                None => Reaction::Consumed,
            },
            _ => Reaction::Ignored,
        }
    }

    fn on_event(&mut self, event: &AgentEvent, _scene: &OverlayScene<'_>) -> Reaction {
        let AgentEvent::Reply {
            reply: QueryReply::Permissions(list),
            ..
        } = event
        else {
            return Reaction::Ignored;
        };
        self.list = PermissionList::clone(list);
        let len = self.list.permissions.len();
        self.cursor.select(self.cursor.selected(), len);
        Reaction::Consumed
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let body = hints::above(area, head_rows(area), Screen::Permissions, scene);
        self.cursor.layout(body.height, self.list.permissions.len());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        paint::clear(buffer, area, theme.text);
        let head = head_rows(area);
        self.head(paint::inner(area, 0, area.height - head), buffer, theme);
        let body = hints::above(area, head, Screen::Permissions, scene);
        for item in self.cursor.visible() {
            self.row(item, body, buffer, theme);
        }
        if self.list.permissions.is_empty() {
            let text = "no permissions besides the mode";
            let text = safe::one_line(text, usize::from(body.width).saturating_sub(2));
            paint::text(buffer, body, (1, 0), body.width, &text, theme.dim);
        }
        // What the settings allow is taken out there.
        let revokes = match self.selected().map(|it| it.grant) {
            Some(Grant::Configured) => "in the settings: approvals.allow",
            Some(_) | None => "revoke",
        };
        ScreenHints::of(Screen::Permissions, scene)
            .saying(ScreenAction::Delete, revokes)
            .only_if(self.selected().is_some(), ScreenAction::Delete)
            .draw(area, buffer);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::overlay::fixture::{self, OverlayStage};

    fn permission(grant: Grant, tool: &str, pattern: Option<&str>) -> Permission {
        Permission {
            grant,
            tool: tool.to_owned(),
            pattern: pattern.map(str::to_owned),
        }
    }

    fn list() -> PermissionList {
        PermissionList {
            mode: ApprovalMode::Ask,
            permissions: vec![
                permission(Grant::Configured, "shell", Some("cargo test *")),
                permission(Grant::Always, "shell", Some("git log * 漢字 \u{1b}[2J")),
                permission(Grant::Session, "edit", None),
            ],
            folder: "/src/api".into(),
            file: "/home/ada/.config/plimsoll/permissions.toml".into(),
        }
    }

    #[test]
    fn the_modes_in_which_files_may_ask_say_so() {
        for (mode, words) in [
            (ApprovalMode::Ask, "secrets"),
            (ApprovalMode::Edits, "start-up files ask"),
        ] {
            assert!(mode_sentence(mode).contains(words));
        }
        assert!(mode_sentence(ApprovalMode::All).contains("without a question"));
    }

    #[test]
    fn permissions_look_like_this() {
        let stage = OverlayStage::empty();
        let mut screen = Permissions::new(list());
        stage.press(&mut screen, "j");
        fixture::assert_looks!("permissions", stage, &mut screen);
    }

    #[test]
    fn revokes_what_is_selected_and_follows_what_is_left() {
        let stage = OverlayStage::empty();
        let mut screen = Permissions::new(list());
        let revoked = |at: usize| {
            [Effect::Send(Op::Setting(SettingOp::Revoke(
                list().permissions[at].clone(),
            )))]
        };
        assert_eq!(stage.press(&mut screen, "j d"), revoked(1));
        assert_eq!(stage.press(&mut screen, "G d"), revoked(2));
        let mut left = list();
        left.permissions.truncate(1);
        stage.report(
            &mut screen,
            &AgentEvent::reply(QueryReply::Permissions(Box::new(left))),
        );
        assert_eq!(stage.press(&mut screen, "x"), revoked(0));
        let mut none = list();
        none.permissions.clear();
        stage.report(
            &mut screen,
            &AgentEvent::reply(QueryReply::Permissions(Box::new(none))),
        );
        assert_eq!(stage.press(&mut screen, "d"), []);
        assert!(
            stage
                .draw(&mut screen, 80, 24)
                .contains("no permissions besides")
        );
        assert!(stage.closes(&mut screen, "Esc"));
    }
}
