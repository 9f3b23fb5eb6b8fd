//! The difference of one file in full: scrolls.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::remarks;
use crate::agent::ChangedFile;
use crate::tui::effect::Effect;
use crate::tui::overlay::{Overlay, OverlayScene, Reaction};
use crate::tui::render::{diff, safe};
use crate::tui::widget::{Page, ScrollLines, ScrollMotion, keys, paint};

/// Shows a difference.
pub(super) struct FileDiff {
    file: ChangedFile,
    /// The difference in lines of this many columns.
    lines: ScrollLines,
    columns: u16,
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
            columns: 0,
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
            (_, Some('y')) => {
                self.copied = true;
                Reaction::Act(vec![Effect::Copy(self.file.difference.diff.clone())])
            }
            _ => Reaction::Ignored,
        }
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let body = Page::body(area);
        if body.width != self.columns {
            self.columns = body.width;
            let lines = diff::unified(&self.file.difference.diff, body.width, scene.theme);
            self.lines.layout(lines, body.height);
        }
        self.lines.resize(body.height);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        let facts = remarks(&self.file);
        let page = Page {
            title: &self.file.shown,
            remark: if self.copied { "copied" } else { &facts },
            hints: &[("esc", "back"), ("j k", "scroll"), ("y", "copy the diff")],
        };
        page.draw(area, buffer, theme);
        let body = Page::body(area);
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
