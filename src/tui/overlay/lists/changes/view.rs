//! The difference of one file in full: scrolls.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{DiffKey, remarks};
use crate::agent::ChangedFile;
use crate::config::DiffSides;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::overlay::hints::{self, ScreenHints};
use crate::tui::overlay::{Overlay, OverlayScene, Reaction};
use crate::tui::render::{diff, safe};
use crate::tui::widget::{Page, ScrollLines, paint};

/// Shows a difference.
pub(super) struct FileDiff {
    file: ChangedFile,
    /// The difference in lines of this many columns.
    lines: ScrollLines,
    made_for: Option<(u16, DiffKey)>,
    /// How the sides are placed, when that was chosen here.
    sides: Option<DiffSides>,
    is_split: bool,
    copied: bool,
}

/// Why there is no difference to read.
pub(super) fn nothing_to_show(file: &ChangedFile) -> String {
    file.note
        .clone()
        .unwrap_or_else(|| format!("{}, and empty", file.kind.name()))
}

impl FileDiff {
    pub(super) fn new(file: &ChangedFile) -> Self {
        Self {
            file: file.clone(),
            lines: ScrollLines::default(),
            made_for: None,
            sides: None,
            is_split: false,
            copied: false,
        }
    }
}

impl Overlay for FileDiff {
    fn name(&self) -> &'static str {
        "file"
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::FileDiff)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        match scene.keymap.screen_action(Screen::FileDiff, key) {
            Some(ScreenAction::Scroll(motion)) => {
                self.lines.motion(motion);
                Reaction::Consumed
            }
            Some(ScreenAction::Back) => Reaction::Close(Vec::new()),
            Some(ScreenAction::Layout) => {
                self.sides = Some(if self.is_split {
                    DiffSides::Unified
                } else {
                    DiffSides::Split
                });
                Reaction::Consumed
            }
            Some(ScreenAction::Copy) => {
                self.copied = true;
                Reaction::Act(vec![Effect::Copy(self.file.difference.diff.clone())])
            }
            _ => Reaction::Ignored,
        }
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let body = hints::body(area, Screen::FileDiff, scene);
        let mut look = scene.diff_look(body.width, &self.file.shown);
        look.sides = self.sides.unwrap_or(look.sides);
        self.is_split = look.is_split();
        let key = DiffKey {
            sides: look.sides,
            ..DiffKey::of(scene)
        };
        let made_for = Some((body.width, key));
        if self.made_for != made_for {
            let text = diff::without_names(&self.file.difference.diff);
            self.lines.layout(diff::lines(text, &look), body.height);
            self.made_for = made_for;
        }
        self.lines.resize(body.height);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        let facts = remarks(&self.file);
        let body = hints::body(area, Screen::FileDiff, scene);
        let can_be_split = scene.diff_look(body.width, "").can_be_split();
        let other = if self.is_split {
            "unified"
        } else {
            "side by side"
        };
        let page = Page {
            title: &self.file.shown,
            remark: if self.copied { "copied" } else { &facts },
        };
        page.draw(area, buffer, theme);
        ScreenHints::of(Screen::FileDiff, scene)
            .only_if(can_be_split, ScreenAction::Layout)
            .saying(ScreenAction::Layout, other)
            .draw(area, buffer);
        if self.file.difference.diff.is_empty() {
            let room = usize::from(area.width).saturating_sub(2);
            let note = safe::one_line(&nothing_to_show(&self.file), room);
            paint::text(buffer, body, (1, 0), body.width, &note, theme.dim);
        } else {
            self.lines.draw(body, 0, buffer);
        }
        None
    }
}
