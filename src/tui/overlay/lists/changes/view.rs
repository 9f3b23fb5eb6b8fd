//! The difference of one file in full: scrolls.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::{DiffKey, remarks};
use crate::agent::ChangedFile;
use crate::config::DiffSides;
use crate::tui::effect::Effect;
use crate::tui::overlay::{Overlay, OverlayScene, Reaction};
use crate::tui::render::{diff, safe};
use crate::tui::widget::{Page, ScrollLines, ScrollMotion, keys, paint};

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

    fn on_key(&mut self, key: KeyEvent, _scene: &OverlayScene<'_>) -> Reaction {
        if let Some(motion) = ScrollMotion::from_key(key) {
            self.lines.motion(motion);
            return Reaction::Consumed;
        }
        match (key.code, keys::typed(key)) {
            (KeyCode::Esc, _) | (_, Some('q')) => Reaction::Close(Vec::new()),
            (_, Some('t')) => {
                let is_split = self.is_split;
                self.sides = Some(if is_split {
                    DiffSides::Unified
                } else {
                    DiffSides::Split
                });
                Reaction::Consumed
            }
            (_, Some('y')) => {
                self.copied = true;
                Reaction::Act(vec![Effect::Copy(self.file.difference.diff.clone())])
            }
            _ => Reaction::Ignored,
        }
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let body = Page::body(area);
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
        let mut hints = vec![("esc", "back"), ("j k", "scroll")];
        let body = Page::body(area);
        if scene.diff_look(body.width, "").can_be_split() {
            let other = if self.is_split {
                "unified"
            } else {
                "side by side"
            };
            hints.push(("t", other));
        }
        hints.push(("y", "copy the diff"));
        let page = Page {
            title: &self.file.shown,
            remark: if self.copied { "copied" } else { &facts },
            hints: &hints,
        };
        page.draw(area, buffer, theme);
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
