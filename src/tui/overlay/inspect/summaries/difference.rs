//! Two summaries of a session compared, older on the left.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::SummaryRecord;
use crate::context::diff;
use crate::tui::effect::Effect;
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::overlay::hints::{self, ScreenHints};
use crate::tui::overlay::review::compare;
use crate::tui::overlay::{Overlay, OverlayScene, Reaction, numbers};
use crate::tui::widget::{Page, ScrollText, TextSides};

/// Shows what changed from one summary to another.
pub(super) struct SummaryDifference {
    title: String,
    older: String,
    newer: String,
    sheet: ScrollText,
    unfolded: bool,
    copied: bool,
}

impl SummaryDifference {
    /// Compares two compactions.
    pub(super) fn new(older: &SummaryRecord, newer: &SummaryRecord) -> Self {
        let after = |record: &SummaryRecord| {
            numbers::plural(record.compaction.summary.lines().count() as u64, "line")
        };
        let mut out = Self {
            title: format!(
                "summary #{} ({}) → #{} ({})",
                older.number,
                after(older),
                newer.number,
                after(newer)
            ),
            older: older.compaction.summary.clone(),
            newer: newer.compaction.summary.clone(),
            sheet: ScrollText::default(),
            unfolded: false,
            copied: false,
        };
        out.rebuild();
        out
    }

    fn rebuild(&mut self) {
        let rows = compare(&self.older, &self.newer, self.unfolded);
        self.sheet.replace(rows);
    }
}

impl Overlay for SummaryDifference {
    fn name(&self) -> &'static str {
        "difference"
    }

    fn screen(&self) -> Option<Screen> {
        Some(if self.sheet.is_searching() {
            Screen::Find
        } else {
            Screen::Comparison
        })
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        self.copied = false;
        let action = scene.keymap.screen_action(Screen::Comparison, key);
        if hints::scrolls_text(&mut self.sheet, action, key) {
            return Reaction::Consumed;
        }
        match action {
            Some(ScreenAction::Back) => Reaction::Close(Vec::new()),
            Some(ScreenAction::Fold) => {
                self.unfolded = !self.unfolded;
                self.rebuild();
                Reaction::Consumed
            }
            Some(ScreenAction::Copy) => {
                self.copied = true;
                let text = diff::unified_text(&self.older, &self.newer);
                Reaction::Act(vec![Effect::Copy(text)])
            }
            _ => Reaction::Ignored,
        }
    }

    fn on_paste(&mut self, text: &str, _scene: &OverlayScene<'_>) -> Reaction {
        Reaction::taken(self.sheet.on_paste(text))
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let sides = TextSides::for_width(area.width);
        let body = hints::body(area, Screen::Comparison, scene);
        self.sheet.layout(body, sides);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let place = self.sheet.place_words();
        let page = Page {
            title: &self.title,
            remark: if self.copied { "copied" } else { &place },
        };
        page.draw(area, buffer, scene.theme);
        if !self.sheet.is_searching() {
            ScreenHints::of(Screen::Comparison, scene).draw(area, buffer);
        }
        let body = hints::body(area, Screen::Comparison, scene);
        self.sheet.draw(body, buffer, scene.theme)
    }
}
