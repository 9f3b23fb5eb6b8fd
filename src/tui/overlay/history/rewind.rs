//! Before a rewind: what would happen to each file, and the choice of what is rewound. Nothing happens until a choice is made.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::super::hints::{self, ScreenHints};
use super::super::{Overlay, OverlayExit, OverlayScene, Reaction};
use crate::agent::{FileFate, Op, PlannedFile, RewindPlan, RewindRequest, SessionOp};
use crate::transcript::{Entry, Message};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::numbers;
use crate::tui::render::safe;
use crate::tui::theme::Theme;
use crate::tui::widget::{ListCursor, paint};

/// Rows above the list: title, rule, where it goes back to, what becomes of files, blank.
const HEAD_ROWS: u16 = 5;
/// Columns of what happens to a file.
const FATE_COLUMNS: u16 = 10;

/// The preview.
pub struct RewindPreview {
    plan: RewindPlan,
    cursor: ListCursor,
    overwrite: bool,
}

impl RewindPreview {
    /// Shows this plan.
    pub fn new(plan: RewindPlan) -> Self {
        Self {
            plan,
            cursor: ListCursor::default(),
            overwrite: false,
        }
    }

    fn count(&self, is_it: impl Fn(&FileFate) -> bool) -> usize {
        self.plan.files.iter().filter(|it| is_it(&it.fate)).count()
    }

    fn has_foreign(&self) -> bool {
        self.count(|fate| *fate == FileFate::ChangedSince) > 0
    }

    fn act(&self, scene: &OverlayScene<'_>, conversation: bool, files: bool) -> Reaction {
        let op = Effect::Send(Op::Session(SessionOp::Rewind(RewindRequest {
            to: self.plan.to.clone(),
            conversation,
            files,
            overwrite: self.overwrite,
        })));
        let ask = self.plan.ask.as_ref().filter(|_| conversation);
        let message = ask
            .and_then(|id| scene.entries.get(id))
            .and_then(|entry| entry.message());
        match message {
            // What was asked there can be asked again.
            Some(message) => Reaction::Leave(
                OverlayExit::Write {
                    text: message.text(),
                    images: message.images().cloned().collect(),
                    replaces: None,
                },
                vec![op],
            ),
            None => Reaction::Leave(OverlayExit::Stay, vec![op]),
        }
    }

    fn head(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) {
        let theme = scene.theme;
        let count = numbers::plural(self.plan.files.len() as u64, "file");
        paint::title(buffer, area, "rewind", &count, theme);
        paint::rule(buffer, area, 1, theme);
        let room = usize::from(area.width).saturating_sub(2);
        let place = match (&self.plan.ask, &self.plan.to) {
            (Some(ask), _) => said(scene, ask).map(|words| format!("to before: {words}")),
            (None, Some(to)) => said(scene, to).map(|words| format!("to after: {words}")),
            (None, None) => None,
        };
        let place = place.unwrap_or_else(|| "to this place in the conversation".to_owned());
        let place = safe::one_line(&place, room);
        paint::text(buffer, area, (1, 2), area.width, &place, theme.text);
        let line = safe::one_line(&self.sum(), room);
        paint::text(buffer, area, (1, 3), area.width, &line, theme.dim);
    }

    fn sum(&self) -> String {
        let restored = self.count(|it| matches!(it, FileFate::Restore | FileFate::Recreate));
        let removed = self.count(|it| *it == FileFate::Remove);
        let foreign = self.count(|it| *it == FileFate::ChangedSince);
        let impossible = self.count(|it| matches!(it, FileFate::Impossible(_)));
        let mut parts = vec![format!("{restored} restored"), format!("{removed} removed")];
        if foreign > 0 {
            let what = if self.overwrite {
                "overwritten"
            } else {
                "kept"
            };
            parts.push(format!("{foreign} changed by others {what}"));
        }
        if impossible > 0 {
            parts.push(format!("{impossible} not possible"));
        }
        format!("files: {} · /undo undoes it", parts.join(", "))
    }
}

fn head_rows(area: Rect) -> u16 {
    HEAD_ROWS.min(area.height.saturating_sub(2))
}

/// The effect on a file, a clause on it, and its colour.
fn fate_words(
    file: &PlannedFile,
    overwrites: bool,
    theme: &Theme,
) -> (&'static str, String, Style) {
    let (word, why, style) = match &file.fate {
        FileFate::Restore => ("restore", "", theme.accent),
        FileFate::Recreate => ("recreate", "it was removed since", theme.diff_added),
        FileFate::Remove => ("remove", "it was not there then", theme.diff_removed),
        FileFate::AsItWas => ("keep", "it is as it was", theme.dim),
        FileFate::ChangedSince if overwrites => (
            "overwrite",
            "others changed it since; a copy is kept",
            theme.warning,
        ),
        FileFate::ChangedSince => ("keep", "others changed it since", theme.warning),
        FileFate::Impossible(why) => ("cannot", why.as_str(), theme.error),
    };
    (word, why.to_owned(), style)
}

/// One row of what happens to files.
pub(super) fn file_row(
    file: &PlannedFile,
    overwrites: bool,
    area: Rect,
    row: u16,
    buffer: &mut Buffer,
    theme: &Theme,
) {
    let (word, why, style) = fate_words(file, overwrites, theme);
    paint::text(buffer, area, (1, row), FATE_COLUMNS, word, style);
    let start = FATE_COLUMNS + 2;
    let room = usize::from(area.width.saturating_sub(start));
    let name = safe::one_line(&file.shown, room);
    let used = start + paint::text(buffer, area, (start, row), area.width, &name, theme.text);
    let left = usize::from(area.width.saturating_sub(used + 2));
    if !why.is_empty() && left > 8 {
        let why = safe::one_line(&why, left);
        paint::text(buffer, area, (used + 2, row), area.width, &why, theme.dim);
    }
}

/// How an entry begins.
fn said(scene: &OverlayScene<'_>, id: &crate::transcript::EntryId) -> Option<String> {
    let text = |entry: &Entry| entry.message().map(|it| Message::text(it));
    let text = scene.entries.get(id).and_then(|entry| text(entry))?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

impl Overlay for RewindPreview {
    fn name(&self) -> &'static str {
        "rewind"
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::Rewind)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::Rewind, key);
        if hints::scrolls_list(&mut self.cursor, action, self.plan.files.len()) {
            return Reaction::Consumed;
        }
        let has_files = !self.plan.files.is_empty();
        match action {
            Some(ScreenAction::Back) => Reaction::Close(Vec::new()),
            Some(ScreenAction::Both) if has_files => self.act(scene, true, true),
            Some(ScreenAction::Conversation) => self.act(scene, true, false),
            Some(ScreenAction::Files) if has_files => self.act(scene, false, true),
            Some(ScreenAction::Overwrite) if self.has_foreign() => {
                self.overwrite = !self.overwrite;
                Reaction::Consumed
            }
            _ => Reaction::Ignored,
        }
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let body = hints::above(area, head_rows(area), Screen::Rewind, scene);
        self.cursor.layout(body.height, self.plan.files.len());
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        paint::clear(buffer, area, theme.text);
        let head = head_rows(area);
        self.head(paint::inner(area, 0, area.height - head), buffer, scene);
        let body = hints::above(area, head, Screen::Rewind, scene);
        for item in self.cursor.visible() {
            if let Some(file) = self.plan.files.get(item.at) {
                file_row(file, self.overwrite, body, item.line, buffer, theme);
            }
            if item.is_selected {
                paint::tint(buffer, body, item.line, theme.selection);
            }
        }
        if self.plan.files.is_empty() {
            let text = "no file has changed since then";
            let text = safe::one_line(text, usize::from(body.width).saturating_sub(2));
            paint::text(buffer, body, (1, 0), body.width, &text, theme.dim);
        }
        let overwrite = if self.overwrite {
            "keep others' changes"
        } else {
            "overwrite others'"
        };
        let has_files = !self.plan.files.is_empty();
        ScreenHints::of(Screen::Rewind, scene)
            .only_if(has_files, ScreenAction::Both)
            .only_if(has_files, ScreenAction::Files)
            .saying(ScreenAction::Overwrite, overwrite)
            .only_if(self.has_foreign(), ScreenAction::Overwrite)
            .draw(area, buffer);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{EntryId, FileState};
    use crate::tui::overlay::fixture::{self, HOSTILE, OverlayStage};

    fn file(shown: &str, fate: FileFate) -> PlannedFile {
        PlannedFile {
            path: format!("/src/api/{shown}"),
            shown: shown.to_owned(),
            fate,
            desired: FileState::Absent,
            present: FileState::Absent,
        }
    }

    fn plan() -> RewindPlan {
        RewindPlan {
            to: Some(EntryId::new("a0000000")),
            ask: Some(EntryId::new("b0000001")),
            files: vec![
                file("src/auth/refresh.rs", FileFate::Restore),
                file("old.rs", FileFate::Recreate),
                file("notes/漢字.md", FileFate::Remove),
                file("README.md", FileFate::ChangedSince),
                file(
                    "dump.bin",
                    FileFate::Impossible("larger than 10 MB".to_owned()),
                ),
                file(HOSTILE, FileFate::Impossible(HOSTILE.to_owned())),
            ],
        }
    }

    #[test]
    fn a_preview_looks_like_this() {
        let stage = OverlayStage::session();
        let mut screen = RewindPreview::new(plan());
        for (columns, rows) in [(120, 40), (80, 24), (40, 12)] {
            let name = format!("rewind_{columns}x{rows}");
            insta::assert_snapshot!(name, stage.draw(&mut screen, columns, rows));
        }
        fixture::assert_safe_at_all_sizes(&stage, &mut screen);
        stage.press(&mut screen, "o");
        assert!(
            stage
                .draw(&mut screen, 80, 24)
                .contains("1 changed by others overwritten")
        );
        let mut empty = RewindPreview::new(RewindPlan {
            files: Vec::new(),
            ..plan()
        });
        assert!(
            stage
                .draw(&mut empty, 80, 24)
                .contains("no file has changed")
        );
        fixture::assert_safe_at_all_sizes(&stage, &mut empty);
    }

    fn sent(
        stage: &OverlayStage,
        screen: &mut RewindPreview,
        token: &str,
    ) -> (OverlayExit, RewindRequest) {
        let reaction = screen.on_key(fixture::key(token), &stage.scene());
        let Reaction::Leave(way, effects) = reaction else {
            panic!("it stays");
        };
        match effects.as_slice() {
            [Effect::Send(Op::Session(SessionOp::Rewind(rewind)))] => (way, rewind.clone()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_choice_says_what_goes_back_and_gives_the_question_back_with_the_conversation() {
        let stage = OverlayStage::session();
        let mut screen = RewindPreview::new(plan());
        for (key, conversation, files) in
            [("b", true, true), ("c", true, false), ("f", false, true)]
        {
            let (way, rewind) = sent(&stage, &mut screen, key);
            assert_eq!((rewind.conversation, rewind.files), (conversation, files));
            assert_eq!((rewind.to, rewind.overwrite), (plan().to, false));
            match way {
                OverlayExit::Write { text, .. } => {
                    assert!(conversation);
                    assert_eq!(text, "now run the build");
                }
                other => assert!(!conversation && other == OverlayExit::Stay, "{other:?}"),
            }
        }
        stage.press(&mut screen, "o");
        assert!(sent(&stage, &mut screen, "b").1.overwrite);
        let mut empty = RewindPreview::new(RewindPlan {
            files: Vec::new(),
            ..plan()
        });
        assert_eq!(
            stage.press(&mut empty, "b"),
            [],
            "there is nothing to rewind"
        );
        assert!(stage.closes(&mut empty, "Esc"));
    }
}
