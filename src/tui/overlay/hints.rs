//! The keys of a screen in its last rows, and the decoding of its key presses. Both read the
//! one table of keys, so that a hint is never of a key that does nothing.
//!
//! Invariant: no hint is cut. What has no room is behind "more", the key of the help.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::OverlayScene;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::widget::page::HEAD_ROWS;
use crate::tui::widget::paint::{self, KeyHint};
use crate::tui::widget::{ListCursor, ScrollText};

/// From this height on the hints may have two rows.
const TWO_ROWS_FROM: u16 = 9;

/// The hints of a screen.
pub(super) struct ScreenHints<'a> {
    scene: &'a OverlayScene<'a>,
    screen: Screen,
    without: Vec<ScreenAction>,
    words: Vec<HintWords>,
}

/// Other words for an action.
struct HintWords {
    action: ScreenAction,
    words: String,
}

impl<'a> ScreenHints<'a> {
    /// All keys of a screen.
    pub(super) fn of(screen: Screen, scene: &'a OverlayScene<'a>) -> Self {
        Self {
            scene,
            screen,
            without: Vec::new(),
            words: Vec::new(),
        }
    }

    /// Without an action that means nothing now.
    #[must_use]
    pub(super) fn without(mut self, action: ScreenAction) -> Self {
        self.without.push(action);
        self
    }

    /// Without an action unless it means something now.
    #[must_use]
    pub(super) fn only_if(self, holds: bool, action: ScreenAction) -> Self {
        if holds { self } else { self.without(action) }
    }

    /// With words for what the action means now.
    #[must_use]
    pub(super) fn saying(mut self, action: ScreenAction, words: impl Into<String>) -> Self {
        let words = words.into();
        self.words.push(HintWords { action, words });
        self
    }

    /// Draws them into the last rows of an area.
    pub(super) fn draw(&self, area: Rect, buffer: &mut Buffer) {
        let hints = self.hints();
        let rows = rows(area, self.screen, self.scene);
        let help = help_key(self.screen, self.scene);
        paint::hint_rows(buffer, area, rows, &hints, &help, self.scene.theme);
    }

    /// Neighbours with the same words are one hint; the way back is the second one.
    fn hints(&self) -> Vec<KeyHint> {
        let mut hints: Vec<KeyHint> = Vec::new();
        let mut back = None;
        for row in self.scene.keymap.screen_rows(self.screen) {
            let words = self.words.iter().find(|it| it.action == row.action);
            let words = words.map_or(row.row.binding.hint, |it| it.words.as_str());
            if words.is_empty() || self.without.contains(&row.action) {
                continue;
            }
            let key = row.keys.first().map_or("", |key| key_sign(key));
            if row.action == ScreenAction::Back {
                back = Some(KeyHint::new(key, words));
                continue;
            }
            match hints.last_mut().filter(|last| last.words == words) {
                Some(last) => {
                    last.key.push(' ');
                    last.key.push_str(key);
                }
                None => hints.push(KeyHint::new(key, words)),
            }
        }
        if let Some(back) = back {
            hints.insert(hints.len().min(1), back);
        }
        hints
    }
}

/// Rows that the hints of a screen need, whatever they leave out at the moment.
pub(super) fn rows(area: Rect, screen: Screen, scene: &OverlayScene<'_>) -> u16 {
    let hints = ScreenHints::of(screen, scene).hints();
    let help = help_key(screen, scene);
    let fits = paint::hints_fit(&hints, &help, area.width);
    1 + u16::from(!fits && area.height >= TWO_ROWS_FROM)
}

/// An area without the rows of the hints, and without `top` rows at its start.
pub(super) fn above(area: Rect, top: u16, screen: Screen, scene: &OverlayScene<'_>) -> Rect {
    paint::inner(area, top, rows(area, screen, scene))
}

/// The body of a [`Page`](crate::tui::widget::Page) above the hints of a screen.
pub(super) fn body(area: Rect, screen: Screen, scene: &OverlayScene<'_>) -> Rect {
    above(area, HEAD_ROWS, screen, scene)
}

/// The key that shows all keys of a screen.
fn help_key(screen: Screen, scene: &OverlayScene<'_>) -> String {
    let rows = scene.keymap.screen_rows(screen);
    let row = rows.iter().find(|row| row.action == ScreenAction::Help);
    let key = row.and_then(|row| row.keys.first());
    key.map_or_else(|| "f1".to_owned(), |key| (*key).to_owned())
}

/// A key as hints show it.
pub(super) fn key_sign(key: &str) -> &str {
    match key {
        "up" => "↑",
        "down" => "↓",
        "left" => "←",
        "right" => "→",
        other => other,
    }
}

/// Takes the keys that every list has; false when the action is another one.
pub(super) fn scrolls_list(
    cursor: &mut ListCursor,
    action: Option<ScreenAction>,
    len: usize,
) -> bool {
    let Some(ScreenAction::Scroll(motion)) = action else {
        return false;
    };
    cursor.motion(motion, len);
    true
}

/// Takes the keys that every text has, and every key while its search is typed; false when
/// the action is another one.
pub(super) fn scrolls_text(
    sheet: &mut ScrollText,
    action: Option<ScreenAction>,
    key: KeyEvent,
) -> bool {
    if sheet.is_searching() {
        sheet.on_search_key(key);
        return true;
    }
    match action {
        Some(ScreenAction::Scroll(motion)) => sheet.motion(motion),
        Some(ScreenAction::Find) => sheet.begin_search(),
        Some(ScreenAction::FindNext { forward }) => return sheet.find_next(forward),
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::overlay::fixture::{self, OverlayStage};

    /// The last rows of a screen of this size.
    fn foot(screen: Screen, width: u16, height: u16) -> String {
        let stage = OverlayStage::empty();
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        ScreenHints::of(screen, &stage.scene()).draw(area, &mut buffer);
        let text = fixture::rows(&buffer);
        text.trim_start_matches('\n').to_owned()
    }

    #[test]
    fn every_key_is_in_the_hints_or_the_hints_name_the_help() {
        let stage = OverlayStage::empty();
        for screen in Screen::ALL.into_iter().filter(|it| it.shared().is_some()) {
            let all = ScreenHints::of(screen, &stage.scene()).hints();
            for (width, height) in [(120, 40), (80, 24), (40, 12), (20, 6)] {
                let foot = foot(screen, width, height);
                let shown = |hint: &KeyHint| foot.contains(&format!("{} {}", hint.key, hint.words));
                let is_whole = all.iter().all(shown);
                let help = if is_whole { "help" } else { "more" };
                assert!(
                    foot.contains(help),
                    "{screen:?} at {width}×{height}: {foot}"
                );
                assert!(
                    foot.lines()
                        .all(|row| row.chars().count() <= usize::from(width))
                );
            }
        }
    }

    #[test]
    fn hints_that_do_not_fit_one_row_take_two_and_then_say_more() {
        insta::assert_snapshot!("hints_ledger_120", foot(Screen::Ledger, 120, 40));
        insta::assert_snapshot!("hints_ledger_80", foot(Screen::Ledger, 80, 24));
        insta::assert_snapshot!("hints_ledger_40", foot(Screen::Ledger, 40, 12));
        insta::assert_snapshot!("hints_review_80", foot(Screen::Review, 80, 24));
        insta::assert_snapshot!("hints_review_40", foot(Screen::Review, 40, 12));
    }

    #[test]
    fn a_key_that_is_bound_otherwise_is_in_the_hint_and_is_the_one_that_works() {
        let mut stage = OverlayStage::empty();
        stage.bind("keys.ledger.sort = \"o\"");
        let area = Rect::new(0, 0, 120, 40);
        let mut buffer = Buffer::empty(area);
        ScreenHints::of(Screen::Ledger, &stage.scene()).draw(area, &mut buffer);
        let screen = fixture::rows(&buffer);
        assert!(
            screen.contains("o sort") && !screen.contains("s sort"),
            "{screen}"
        );
        let action = |key| {
            stage
                .keymap
                .screen_action(Screen::Ledger, fixture::key(key))
        };
        assert_eq!(action("o"), Some(ScreenAction::Sort));
        assert_eq!(action("s"), None);
    }
}
