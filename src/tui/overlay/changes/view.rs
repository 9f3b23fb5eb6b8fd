//! The difference of one file in full: scrolls.

use std::cell::{Cell, RefCell};

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::super::keys::Motion;
use super::super::{Overlay, Reaction, Scene, keys, paint};
use super::remarks;
use crate::agent::ChangedFile;
use crate::tui::effect::Effect;
use crate::tui::render::{diff, safe};

/// Shows a difference.
pub(super) struct FileDiff {
    file: ChangedFile,
    // Drawing knows the size, and drawing borrows: hence the cells.
    lines: RefCell<(u16, Vec<Line<'static>>)>,
    top: Cell<usize>,
    height: Cell<u16>,
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
            lines: RefCell::default(),
            top: Cell::new(0),
            height: Cell::new(1),
            copied: false,
        }
    }

    fn scroll(&self, motion: Motion) {
        let page = usize::from(self.height.get()).max(1);
        let last = self.lines.borrow().1.len().saturating_sub(page);
        let top = self.top.get();
        let to = match motion {
            Motion::Up => top.saturating_sub(1),
            Motion::Down => top + 1,
            Motion::PageUp => top.saturating_sub(page),
            Motion::PageDown => top + page,
            Motion::HalfUp => top.saturating_sub(page.div_ceil(2)),
            Motion::HalfDown => top + page.div_ceil(2),
            Motion::First => 0,
            Motion::Last => last,
        };
        self.top.set(to.min(last));
    }
}

impl Overlay for FileDiff {
    fn name(&self) -> &'static str {
        "file"
    }

    fn on_key(&mut self, key: KeyEvent, _scene: &Scene<'_>) -> Reaction {
        if let Some(motion) = Motion::from_key(key) {
            self.scroll(motion);
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

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &Scene<'_>) -> Option<Position> {
        let theme = scene.theme;
        paint::clear(buffer, area, theme.text);
        let facts = if self.copied {
            "copied".to_owned()
        } else {
            remarks(&self.file)
        };
        paint::title(buffer, area, 0, (&self.file.shown, &facts), theme);
        paint::rule(buffer, area, 1, theme);
        let body = paint::inner(area, 2, 1);
        if self.file.difference.diff.is_empty() {
            let room = usize::from(area.width).saturating_sub(2);
            let note = safe::one_line(&nothing_to_show(&self.file), room);
            paint::text(buffer, body, (1, 0), body.width, &note, theme.dim);
        } else if body.width > 0 {
            let mut lines = self.lines.borrow_mut();
            if lines.0 != body.width {
                *lines = (
                    body.width,
                    diff::unified(&self.file.difference.diff, body.width, theme),
                );
            }
            self.height.set(body.height);
            let last = lines.1.len().saturating_sub(body.height.into());
            self.top.set(self.top.get().min(last));
            for (row, line) in (0..body.height).zip(lines.1.iter().skip(self.top.get())) {
                paint::line(buffer, body, (0, row), line);
            }
        }
        let hints = [("esc", "back"), ("j k", "scroll"), ("y", "copy the diff")];
        paint::hints(buffer, area, area.height.saturating_sub(1), &hints, theme);
        None
    }
}
