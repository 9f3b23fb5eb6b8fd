//! `/recall`: where a text was said in this session, whether or not the context still holds it.
//! Reads; changes nothing.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::super::hints::{self, ScreenHints};
use super::super::{Overlay, OverlayScene, Reaction};
use crate::agent::{RecallListing, RecallReport};
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::numbers;
use crate::tui::overlay::inspect::text::TextView;
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::{ListCursor, Page, VisibleItem, paint};

/// Rows of a hit: where it is, and its words.
const HIT_ROWS: u16 = 2;

/// The hits.
pub struct RecallHits {
    report: RecallReport,
    cursor: ListCursor,
    remark: String,
}

impl RecallHits {
    /// Shows these hits, the best selected.
    pub fn new(report: RecallReport) -> Self {
        Self {
            report,
            cursor: ListCursor::default(),
            remark: String::new(),
        }
    }

    fn selected(&self) -> Option<&RecallListing> {
        self.report.hits.get(self.cursor.selected())
    }

    fn row(&self, item: VisibleItem, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        let Some(hit) = self.report.hits.get(item.at) else {
            return;
        };
        let row = item.line * HIT_ROWS;
        let label = format!("{} ", safe::one_line(&hit.label, 12));
        let used = 1 + paint::text(buffer, area, (1, row), area.width, &label, theme.accent);
        let place = format!("{} · line {}", hit.source, hit.line);
        let mark_width = wrap::width(&hit.mark) + 2;
        let room = usize::from(area.width.saturating_sub(used)).saturating_sub(mark_width);
        let place = safe::one_line(&place, room);
        paint::text(buffer, area, (used, row), area.width, &place, theme.dim);
        if !hit.mark.is_empty() {
            let mark = format!("{} ", hit.mark);
            paint::right(buffer, area, (used + 1, row), &mark, theme.warning);
        }
        let room = usize::from(area.width.saturating_sub(4));
        let words = safe::one_line(&hit.snippet, room);
        paint::text(buffer, area, (3, row + 1), area.width, &words, theme.text);
        if item.is_selected {
            paint::cursor(buffer, area, row, theme);
        }
    }

    fn remark(&self) -> String {
        if self.remark.is_empty() {
            let hits = numbers::plural(self.report.hits.len() as u64, "place");
            let entries = numbers::plural(self.report.entries as u64, "entry");
            format!("{hits} in {entries}")
        } else {
            self.remark.clone()
        }
    }
}

impl Overlay for RecallHits {
    fn name(&self) -> &'static str {
        "recall"
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::RecallHits)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        let action = scene.keymap.screen_action(Screen::RecallHits, key);
        self.remark.clear();
        if hints::scrolls_list(&mut self.cursor, action, self.report.hits.len()) {
            return Reaction::Consumed;
        }
        match (action, self.selected()) {
            (Some(ScreenAction::Back), _) => Reaction::Close(Vec::new()),
            (Some(ScreenAction::Open), Some(hit)) => {
                let title = format!("{} · {}", hit.label, hit.source);
                let view = TextView::new(title, hit.text.clone()).from_line(hit.line);
                Reaction::Open(Box::new(view))
            }
            (Some(ScreenAction::Copy), Some(hit)) => {
                let text = hit.text.clone();
                "copied".clone_into(&mut self.remark);
                Reaction::Act(vec![Effect::Copy(text)])
            }
            _ => Reaction::Ignored,
        }
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let list = hints::body(area, Screen::RecallHits, scene);
        let hits = self.report.hits.len();
        self.cursor.layout((list.height / HIT_ROWS).max(1), hits);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        let query = safe::one_line(&self.report.query, usize::from(area.width) / 2);
        let page = Page {
            title: &format!("recall “{query}”"),
            remark: &self.remark(),
        };
        page.draw(area, buffer, theme);
        ScreenHints::of(Screen::RecallHits, scene).draw(area, buffer);
        let list = hints::body(area, Screen::RecallHits, scene);
        for item in self.cursor.visible() {
            self.row(item, list, buffer, theme);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{EntryId, Timestamp};
    use crate::tui::overlay::fixture::{self, OverlayStage};

    fn hit(number: usize, source: &str, snippet: &str, mark: &str) -> RecallListing {
        RecallListing {
            entry: EntryId::new(format!("{number:08x}")),
            label: format!("r{number}"),
            source: source.to_owned(),
            timestamp: Timestamp(0),
            line: number,
            snippet: snippet.to_owned(),
            mark: mark.to_owned(),
            text: (1..=90)
                .map(|n| format!("line {n}"))
                .collect::<Vec<_>>()
                .join("\n"),
        }
    }

    fn report() -> RecallReport {
        RecallReport {
            query: "queue_depth".to_owned(),
            entries: 212,
            hits: vec![
                hit(
                    41,
                    "tool result of read",
                    "… gateway_port = 8143 queue_depth = 77 …",
                    "",
                ),
                hit(
                    7,
                    "user",
                    "what is queue_depth for? 漢字 \u{1b}[2J",
                    "in the window",
                ),
                hit(
                    9,
                    "command of the user",
                    "queue_depth=9",
                    "not for the model: run with !!",
                ),
            ],
        }
    }

    #[test]
    fn hits_look_like_this() {
        let stage = OverlayStage::empty();
        let mut screen = RecallHits::new(report());
        fixture::assert_looks!("recall", stage, &mut screen);
    }

    #[test]
    fn enter_opens_the_entry_at_its_line_and_what_the_model_may_not_have_is_marked() {
        let stage = OverlayStage::empty();
        let mut screen = RecallHits::new(report());
        let drawn = stage.draw(&mut screen, 90, 20);
        assert!(drawn.contains("not for the model: run with !!"), "{drawn}");
        let mut opened = stage.opens(&mut screen, "Enter");
        assert_eq!(opened.name(), "text");
        let drawn = stage.draw(opened.as_mut(), 60, 12);
        assert!(
            drawn.contains("line 41") && !drawn.contains("line 1\n"),
            "{drawn}"
        );
        assert_eq!(
            stage.press(&mut screen, "j y"),
            [Effect::Copy(report().hits[1].text.clone())]
        );
        assert!(stage.closes(&mut screen, "Esc"));
    }

    #[test]
    fn hostile_text_stays_text() {
        let stage = OverlayStage::empty();
        let hits = vec![hit(1, fixture::HOSTILE, fixture::HOSTILE, fixture::HOSTILE)];
        let mut screen = RecallHits::new(RecallReport {
            query: fixture::HOSTILE.to_owned(),
            entries: 1,
            hits,
        });
        fixture::assert_safe_at_all_sizes(&stage, &mut screen);
    }
}
