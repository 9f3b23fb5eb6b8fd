//! A text in full: the wire body, command output, a file. Scrolls, searches, copies.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::{Overlay, OverlayScene, Reaction};
use crate::tui::effect::Effect;
use crate::tui::widget::{Page, ScrollText, TextSides, keys};

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
}

impl Overlay for TextView {
    fn name(&self) -> &'static str {
        "text"
    }

    fn on_key(&mut self, key: KeyEvent, _scene: &OverlayScene<'_>) -> Reaction {
        if self.sheet.on_key(key) {
            return Reaction::Consumed;
        }
        match (key.code, keys::typed(key)) {
            (KeyCode::Esc, _) | (_, Some('q')) => Reaction::Close(Vec::new()),
            (_, Some('y')) => {
                "copied".clone_into(&mut self.remark);
                Reaction::Act(vec![Effect::Copy(self.text.clone())])
            }
            _ => Reaction::Ignored,
        }
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        Reaction::taken(self.sheet.on_paste(text))
    }

    fn layout(&mut self, area: Rect, _scene: &OverlayScene<'_>) {
        self.sheet.layout(Page::body(area), TextSides::Unified);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let page = Page {
            title: &self.title,
            remark: &format!("{} · {}", self.remark, self.sheet.place_words()),
            hints: &[
                ("esc", "back"),
                ("j k", "scroll"),
                ("/", "search"),
                ("n N", "next, previous"),
                ("y", "copy all"),
            ],
        };
        page.draw(area, buffer, scene.theme);
        self.sheet.draw(Page::body(area), buffer, scene.theme)
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
