//! A text in full: the wire body, command output, a file. Scrolls, searches, copies.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::hints::{self, ScreenHints};
use super::super::{Overlay, OverlayScene, Reaction};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::widget::{Page, ScrollText, TextSides};

/// Shows a text.
pub struct TextView {
    title: String,
    text: String,
    remark: String,
    sheet: ScrollText,
}

impl TextView {
    /// A view of `text` from its start.
    pub fn new(title: String, text: String) -> Self {
        let remark = crate::tui::numbers::plural(text.lines().count() as u64, "line");
        Self {
            sheet: ScrollText::of_text(&text),
            title,
            text,
            remark,
        }
    }

    /// The view from this line on, from 1.
    #[must_use]
    pub fn from_line(mut self, line: usize) -> Self {
        self.sheet.reveal(line.saturating_sub(1));
        self
    }
}

impl Overlay for TextView {
    fn name(&self) -> &'static str {
        "text"
    }

    fn screen(&self) -> Option<Screen> {
        Some(if self.sheet.is_searching() {
            Screen::Find
        } else {
            Screen::Text
        })
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::Text, key);
        if hints::scrolls_text(&mut self.sheet, action, key) {
            return Reaction::Consumed;
        }
        match action {
            Some(ScreenAction::Back) => Reaction::Close(Vec::new()),
            Some(ScreenAction::Copy) => {
                "copied".clone_into(&mut self.remark);
                Reaction::Act(vec![Effect::Copy(self.text.clone())])
            }
            _ => Reaction::Ignored,
        }
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        Reaction::taken(self.sheet.on_paste(text))
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let body = hints::body(area, Screen::Text, scene);
        self.sheet.layout(body, TextSides::Unified);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let page = Page {
            title: &self.title,
            remark: &format!("{} · {}", self.remark, self.sheet.place_words()),
        };
        page.draw(area, buffer, scene.theme);
        if !self.sheet.is_searching() {
            ScreenHints::of(Screen::Text, scene).draw(area, buffer);
        }
        let body = hints::body(area, Screen::Text, scene);
        self.sheet.draw(body, buffer, scene.theme)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::overlay::fixture::{self, OverlayStage};

    fn stage() -> OverlayStage {
        OverlayStage::empty()
    }

    #[test]
    fn scrolls_searches_and_copies() {
        let stage = stage();
        let lines: Vec<String> = (1..=500).map(|n| format!("line {n}")).collect();
        let text = lines.join("\n");
        let mut view = TextView::new("request".to_owned(), text.clone());
        stage.draw(&mut view, 40, 12);
        stage.press(&mut view, "PgDn");
        assert!(stage.draw(&mut view, 40, 12).contains("line 10"));
        stage.press(&mut view, "/ l i n e space 4 2 0 Enter");
        assert!(stage.draw(&mut view, 40, 12).contains("line 420"));
        stage.press(&mut view, "G");
        assert!(stage.draw(&mut view, 40, 12).contains("line 500"));
        let effects = stage.press(&mut view, "y");
        assert_eq!(effects, [Effect::Copy(text)]);
        assert!(stage.closes(&mut view, "Esc"));
    }

    #[test]
    fn hostile_text_stays_text() {
        let stage = stage();
        let mut view = TextView::new(fixture::HOSTILE.to_owned(), fixture::HOSTILE.repeat(40));
        fixture::assert_safe_at_all_sizes(&stage, &mut view);
    }

    #[test]
    fn a_text_looks_like_this() {
        let stage = stage();
        let text = format!(
            "{{\n\t\"model\": \"claude\",\n\t\"text\": \"漢字 👩‍🚀 {}\"\n}}",
            "wide ".repeat(30)
        );
        let mut view = TextView::new("next request".to_owned(), text);
        fixture::assert_looks!("text", stage, &mut view);
    }
}
