//! Before `/undo` or `/redo` changes files or leaves messages: what it is, in words, and what
//! happens to each file. Nothing happens until Enter.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

use super::super::hints::{self, ScreenHints};
use super::super::{Overlay, OverlayScene, Reaction};
use super::rewind::file_row;
use crate::agent::{ContextOp, Op, UndoOp, UndoPlan};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::numbers;
use crate::tui::render::{safe, wrap};
use crate::tui::widget::{ListCursor, keys, paint};

/// Rows above the words: title and rule.
const HEAD_ROWS: u16 = 2;
/// Rows that the words may take.
const MAX_WORDS_ROWS: u16 = 4;

/// The question.
pub struct UndoPreview {
    plan: UndoPlan,
    cursor: ListCursor,
    /// Something was typed that means nothing here: it was meant for the composer, and the
    /// Enter after it, too.
    is_typed_at: bool,
}

impl UndoPreview {
    /// Shows this plan.
    pub fn new(plan: UndoPlan) -> Self {
        Self {
            plan,
            cursor: ListCursor::default(),
            is_typed_at: false,
        }
    }

    fn words(&self) -> String {
        let what = self.plan.what.clone();
        let left = (self.plan.leaves > 0).then(|| {
            let left = numbers::plural(self.plan.leaves as u64, "message");
            format!("The conversation is rewound; {left} written since stay in /tree")
        });
        let changed = (!self.plan.files.is_empty()).then(|| {
            let files = numbers::plural(self.plan.files.len() as u64, "file");
            format!("What happens to {files}:")
        });
        let parts: Vec<String> = [Some(what), left, changed].into_iter().flatten().collect();
        parts.join(". ")
    }
}

impl UndoPreview {
    /// The words in rows of the screen.
    fn word_lines(&self, area: Rect) -> Vec<Line<'static>> {
        let room = area.width.saturating_sub(2).max(1);
        let most = usize::from(MAX_WORDS_ROWS);
        let words = safe::one_line(&self.words(), usize::from(room) * most);
        let mut lines = wrap::wrap(&Line::raw(words), room);
        lines.truncate(most);
        lines
    }

    /// The rows that list the files.
    fn body(&self, area: Rect, scene: &OverlayScene<'_>) -> Rect {
        let head = HEAD_ROWS + self.word_lines(area).len() as u16 + 1;
        let head = head.min(area.height.saturating_sub(1));
        hints::above(area, head, Screen::Undo, scene)
    }
}

impl Overlay for UndoPreview {
    fn name(&self) -> &'static str {
        "undo"
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::Undo)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::Undo, key);
        if hints::scrolls_list(&mut self.cursor, action, self.plan.files.len()) {
            return Reaction::Consumed;
        }
        match action {
            Some(ScreenAction::Back) => Reaction::Close(Vec::new()),
            Some(ScreenAction::Confirm) if self.is_typed_at => Reaction::Consumed,
            _ if keys::typed(key).is_some() => {
                self.is_typed_at = true;
                Reaction::Consumed
            }
            Some(ScreenAction::Confirm) => {
                let op = Op::Context(ContextOp::Undo(UndoOp {
                    way: self.plan.way,
                    confirmed: true,
                }));
                Reaction::Close(vec![Effect::Send(op)])
            }
            _ => Reaction::Ignored,
        }
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let body = self.body(area, scene);
        self.cursor.layout(body.height, self.plan.files.len());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        paint::clear(buffer, area, theme.text);
        paint::title(buffer, area, self.plan.way.name(), "", theme);
        paint::rule(buffer, area, 1, theme);
        let words = paint::inner(area, HEAD_ROWS, 1);
        for (row, line) in (0..words.height).zip(self.word_lines(area)) {
            paint::line(buffer, words, (1, row), &line.style(theme.text));
        }
        let body = self.body(area, scene);
        for item in self.cursor.visible() {
            if let Some(file) = self.plan.files.get(item.at) {
                file_row(file, false, body, item.line, buffer, theme);
            }
        }
        ScreenHints::of(Screen::Undo, scene)
            .saying(ScreenAction::Confirm, self.plan.way.name())
            .only_if(!self.is_typed_at, ScreenAction::Confirm)
            .saying(ScreenAction::Back, "cancel")
            .draw(area, buffer);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{FileFate, PlannedFile, UndoWay};
    use crate::transcript::FileState;
    use crate::tui::overlay::fixture::{self, HOSTILE, OverlayStage};

    fn plan() -> UndoPlan {
        let file = |shown: &str, fate| PlannedFile {
            path: format!("/src/api/{shown}"),
            shown: shown.to_owned(),
            fate,
            desired: FileState::Absent,
            present: FileState::Absent,
        };
        UndoPlan {
            way: UndoWay::Undo,
            what: "rewind of the conversation (4 messages) and 2 files: src/auth.rs, notes.md"
                .to_owned(),
            leaves: 3,
            files: vec![
                file("src/auth.rs", FileFate::Restore),
                file(HOSTILE, FileFate::ChangedSince),
            ],
        }
    }

    #[test]
    fn what_would_be_undone_is_said_with_its_files_before_enter() {
        let stage = OverlayStage::session();
        for (width, height) in [(120, 40), (80, 24)] {
            let screen = stage.draw(&mut UndoPreview::new(plan()), width, height);
            assert!(screen.contains("rewind of the conversation"), "{screen}");
            assert!(screen.contains("3 messages"), "{screen}");
            assert!(screen.contains("restore   ") && screen.contains("src/auth.rs"));
            assert!(screen.contains("enter undo · esc cancel"), "{screen}");
        }
        fixture::assert_safe_at_all_sizes(&stage, &mut UndoPreview::new(plan()));
    }

    #[test]
    fn only_enter_does_it() {
        let stage = OverlayStage::session();
        let mut preview = UndoPreview::new(plan());
        assert!(stage.closes(&mut UndoPreview::new(plan()), "Esc"));
        let op = Op::Context(ContextOp::Undo(UndoOp::UNDO.confirmed()));
        assert_eq!(stage.press(&mut preview, "Enter"), [Effect::Send(op)]);
        let mut typed_at = UndoPreview::new(plan());
        assert_eq!(stage.press(&mut typed_at, "/ r e d o Enter"), []);
        let screen = stage.draw(&mut typed_at, 80, 24);
        assert!(
            !screen.contains("enter undo") && screen.contains("esc"),
            "{screen}"
        );
    }
}
