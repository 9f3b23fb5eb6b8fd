//! The exact request: the next one, and the last one that was sent, with what changed
//! between them. How many leading tokens are the same decides what a cache can give.
//!
//! Invariant: what is shown and copied is the body as the provider gets it; keys and
//! tokens are no part of a body.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::hints::{self, ScreenHints};
use super::super::{Overlay, OverlayScene, Reaction, numbers};
use crate::agent::WireView;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::render::safe;
use crate::tui::widget::scroll_text::text_lines;
use crate::tui::widget::{RowMark, ScrollText, TextRow, TextSides, paint};

/// From this height on address and comparison are above the body.
const HEAD_MIN_ROWS: u16 = 10;

/// The request.
pub struct Wire {
    view: Box<WireView>,
    shows_last: bool,
    sheet: ScrollText,
    copied: bool,
}

impl Wire {
    /// The name to find it by among the open screens.
    pub const NAME: &'static str = "request";

    /// The next request from its start.
    pub fn new(view: Box<WireView>) -> Self {
        let mut shown = Self {
            view,
            shows_last: false,
            sheet: ScrollText::default(),
            copied: false,
        };
        shown.show();
        shown
    }

    fn body(&self) -> &str {
        match &self.view.last_body {
            Some(last) if self.shows_last => last,
            _ => &self.view.body,
        }
    }

    fn other(&self) -> Option<&str> {
        let last = self.view.last_body.as_deref()?;
        Some(if self.shows_last {
            &self.view.body
        } else {
            last
        })
    }

    fn show(&mut self) {
        let differs_at = self
            .other()
            .and_then(|other| first_difference(self.body(), other));
        let lines = text_lines(self.body());
        // What came, or what went.
        let changed = |line: &String| {
            if self.shows_last {
                TextRow::left(line).marked(RowMark::Removed)
            } else {
                TextRow::right(line).marked(RowMark::Added)
            }
        };
        let rows = lines.iter().enumerate().map(|(at, line)| match differs_at {
            Some(from) if at == from => changed(line),
            _ => TextRow::left(line),
        });
        let rows: Vec<TextRow> = rows.collect();
        self.sheet.replace(rows);
    }

    /// The first line that the other request does not have there.
    fn changed_row(&self) -> Option<usize> {
        self.sheet
            .rows()
            .iter()
            .position(|row| row.mark != RowMark::Same)
    }

    fn title(&self) -> String {
        let which = if self.shows_last { "last" } else { "next" };
        format!("{which} request · secrets masked")
    }

    /// Where the text of the request is.
    fn body_area(&self, area: Rect, scene: &OverlayScene<'_>) -> Rect {
        let head = if has_head(area) {
            self.rule_row() + 1
        } else {
            1
        };
        hints::above(area, head, Screen::Request, scene)
    }

    /// The row of the line below the head.
    fn rule_row(&self) -> u16 {
        3 + u16::from(self.view.cache.is_some())
    }

    /// The share of the request that a cache could serve, and the first difference.
    fn comparison(&self) -> String {
        let Some(tokens) = self.view.unchanged_prefix_tokens else {
            return "nothing was sent yet: there is no request to compare with".to_owned();
        };
        let tokens = numbers::grouped(tokens);
        match &self.view.first_difference {
            Some(difference) => {
                format!("~{tokens} leading tokens as in the last request · then {difference}")
            }
            None => format!("~{tokens} leading tokens as in the last request: all of it"),
        }
    }
}

/// Whether address and comparison are above the body.
fn has_head(area: Rect) -> bool {
    area.height >= HEAD_MIN_ROWS
}

/// The first line of `body` that is another one in `other`.
fn first_difference(body: &str, other: &str) -> Option<usize> {
    if body == other {
        return None;
    }
    let (mine, theirs) = (text_lines(body), text_lines(other));
    let same = mine.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    Some(same.min(mine.len().saturating_sub(1)))
}

impl Overlay for Wire {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn screen(&self) -> Option<Screen> {
        Some(if self.sheet.is_searching() {
            Screen::Find
        } else {
            Screen::Request
        })
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        self.copied = false;
        let action = scene.keymap.screen_action(Screen::Request, key);
        if hints::scrolls_text(&mut self.sheet, action, key) {
            return Reaction::Consumed;
        }
        match action {
            Some(ScreenAction::Back) => return Reaction::Close(Vec::new()),
            Some(ScreenAction::OtherSide) if self.view.last_body.is_some() => {
                self.shows_last = !self.shows_last;
                self.show();
            }
            Some(ScreenAction::FirstChange) => {
                if let Some(row) = self.changed_row() {
                    self.sheet.show(row);
                }
            }
            Some(ScreenAction::Copy) => {
                self.copied = true;
                return Reaction::Act(vec![Effect::Copy(self.body().to_owned())]);
            }
            _ => return Reaction::Ignored,
        }
        Reaction::Consumed
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        Reaction::taken(self.sheet.on_paste(text))
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let body = self.body_area(area, scene);
        self.sheet.layout(body, TextSides::Unified);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        paint::clear(buffer, area, theme.text);
        let has_head = has_head(area);
        let caret = self.sheet.draw(self.body_area(area, scene), buffer, theme);
        let remark = if self.copied {
            "copied".to_owned()
        } else {
            let lines = self.sheet.rows().len() as u64;
            format!(
                "{} · {}",
                numbers::plural(lines, "line"),
                self.sheet.place_words()
            )
        };
        paint::title(buffer, area, &self.title(), &remark, theme);
        if has_head {
            let room = usize::from(area.width.saturating_sub(2));
            let compared = self.comparison();
            let lines = [
                Some(&self.view.target),
                Some(&compared),
                self.view.cache.as_ref(),
            ];
            for (row, text) in (1..).zip(lines.into_iter().flatten()) {
                let shown = safe::one_line(text, room);
                paint::text(buffer, area, (1, row), area.width, &shown, theme.dim);
            }
            paint::rule(buffer, area, self.rule_row(), theme);
        }
        if !self.sheet.is_searching() {
            let other = if self.shows_last {
                "next request"
            } else {
                "last request"
            };
            ScreenHints::of(Screen::Request, scene)
                .saying(ScreenAction::OtherSide, other)
                .only_if(self.view.last_body.is_some(), ScreenAction::OtherSide)
                .only_if(self.changed_row().is_some(), ScreenAction::FirstChange)
                .draw(area, buffer);
        }
        caret
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::overlay::fixture::{self, OverlayStage};

    fn body(question: &str) -> String {
        let messages = format!("    {{ \"role\": \"user\", \"content\": \"{question}\" }}");
        format!("{{\n  \"model\": \"m\",\n  \"messages\": [\n{messages}\n  ]\n}}")
    }

    fn wire() -> WireView {
        WireView {
            target: "POST https://example.test/v1/messages".to_owned(),
            body: body("and now?"),
            last_body: Some(body("why?")),
            unchanged_prefix_tokens: Some(12_300),
            first_difference: Some("message 1 (entry b0000001) differs".to_owned()),
            cache: None,
        }
    }

    #[test]
    fn shows_both_requests_and_leads_to_what_changed() {
        let stage = OverlayStage::empty();
        let mut view = Wire::new(Box::new(wire()));
        let screen = stage.draw(&mut view, 80, 24);
        assert!(screen.contains("+     { \"role\""), "{screen}");
        assert!(screen.contains("~12,300 leading tokens"), "{screen}");
        stage.press(&mut view, "c");
        assert_eq!(view.sheet.rows()[3].mark, RowMark::Added);
        assert_eq!(
            stage.press(&mut view, "y"),
            [Effect::Copy(body("and now?"))]
        );
        stage.press(&mut view, "Tab");
        let screen = stage.draw(&mut view, 80, 24);
        assert!(
            screen.contains("last request") && screen.contains("why?"),
            "{screen}"
        );
        assert_eq!(stage.press(&mut view, "y"), [Effect::Copy(body("why?"))]);
        assert!(stage.closes(&mut view, "Esc"));
    }

    #[test]
    fn a_first_request_has_nothing_to_compare_with() {
        let stage = OverlayStage::empty();
        let mut first = wire();
        first.last_body = None;
        first.unchanged_prefix_tokens = None;
        first.first_difference = None;
        let mut view = Wire::new(Box::new(first));
        stage.press(&mut view, "Tab c");
        let screen = stage.draw(&mut view, 80, 24);
        assert!(screen.contains("nothing was sent yet"), "{screen}");
        assert!(screen.contains("next request"), "{screen}");
    }

    #[test]
    fn what_the_server_says_of_its_cache_is_above_the_body() {
        let stage = OverlayStage::empty();
        let said = "reported by the server: tools changed, 12,300 tokens not from the cache";
        let mut told = wire();
        told.cache = Some(said.to_owned());
        let mut view = Wire::new(Box::new(told));
        let screen = stage.draw(&mut view, 80, 24);
        assert!(screen.contains(said), "{screen}");
        assert!(screen.contains("\"model\": \"m\""), "{screen}");
        let mut silent = Wire::new(Box::new(wire()));
        let screen = stage.draw(&mut silent, 80, 24);
        assert!(!screen.contains("reported by the server"), "{screen}");
    }

    #[test]
    fn the_request_at_its_sizes() {
        fixture::assert_looks!(
            "request",
            OverlayStage::empty(),
            &mut Wire::new(Box::new(wire()))
        );
    }

    #[test]
    fn hostile_bodies_stay_text() {
        let mut hostile = wire();
        hostile.body = fixture::HOSTILE.repeat(30);
        hostile.target = fixture::HOSTILE.to_owned();
        fixture::assert_safe_at_all_sizes(
            &OverlayStage::empty(),
            &mut Wire::new(Box::new(hostile)),
        );
    }
}
