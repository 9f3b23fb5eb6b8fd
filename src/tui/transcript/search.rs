//! Search through the transcript: which cells hold a text, and the way from one place to
//! the next. Cells that do not have it are not drawn for it.

use super::ChatLog;
use super::cell::{Body, Cell, RenderContext, compaction, part, shell_run};
use super::lines;
use super::shown::{LineStretch, find};
use crate::transcript::{AssistantPart, Message};
use crate::tui::widget::Needle;

/// The found place is shown below this share of the viewport, to be read in its context.
const LEAD_SHARE: usize = 3;

/// A search that goes on.
#[derive(Debug)]
pub struct Search {
    query: String,
    needle: Needle,
    hits: Vec<SearchHit>,
    at: usize,
}

/// One place that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SearchHit {
    cell: usize,
    /// Which one of the cell's, as the cell looks when open.
    nth: usize,
}

impl Search {
    /// The searched text.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// Which place is shown, from 1 on, and how many there are.
    pub fn count(&self) -> (usize, usize) {
        (self.at + 1, self.hits.len())
    }
}

impl ChatLog {
    /// The search that goes on.
    pub fn search(&self) -> Option<&Search> {
        self.search.as_ref()
    }

    /// Looks for a text and shows the first place at or below the top of the viewport, else
    /// the newest. False when it is nowhere: then no search goes on.
    pub fn start_search(&mut self, query: &str, paint: &RenderContext<'_>) -> bool {
        let needle = Needle::new(query);
        let hits = self.hits(&needle, paint);
        self.search = None;
        if hits.is_empty() {
            return false;
        }
        let rows = self.rows(paint, self.page());
        let top = rows.first().map_or(0, |row| row.cell);
        let below = hits.iter().position(|hit| hit.cell >= top);
        self.search = Some(Search {
            query: query.to_owned(),
            needle,
            at: below.unwrap_or(hits.len() - 1),
            hits,
        });
        self.show_hit(paint);
        true
    }

    /// Shows the next (or previous) place; after the last one the first.
    pub fn step_search(&mut self, forward: bool, paint: &RenderContext<'_>) {
        let Some(mut search) = self.search.take() else {
            return;
        };
        let shown = search.hits.get(search.at).copied();
        // An answer may have grown meanwhile.
        search.hits = self.hits(&search.needle, paint);
        let Some(last) = search.hits.len().checked_sub(1) else {
            return;
        };
        let at = search.hits.iter().position(|hit| Some(*hit) == shown);
        search.at = match (at, forward) {
            (Some(at), true) if at < last => at + 1,
            (_, true) => 0,
            (Some(at @ 1..), false) => at - 1,
            (_, false) => last,
        };
        self.search = Some(search);
        self.show_hit(paint);
    }

    /// Ends the search; false when none went on.
    pub fn end_search(&mut self) -> bool {
        self.search.take().is_some()
    }

    /// The matches in some lines of a cell.
    pub(super) fn found(
        &self,
        lines: &[ratatui::text::Line<'_>],
        gutter: usize,
    ) -> Vec<Vec<LineStretch>> {
        self.search
            .as_ref()
            .map_or_else(Vec::new, |search| find(lines, gutter, &search.needle))
    }

    /// The place that is shown now: its cell, and what it covers there.
    pub(super) fn shown_hit(
        &mut self,
        paint: &RenderContext<'_>,
    ) -> Option<(usize, Vec<LineStretch>)> {
        let search = self.search.as_ref()?;
        let hit = *search.hits.get(search.at)?;
        let needle = search.needle.clone();
        let lines = (hit.cell < self.cells.len()).then(|| self.lines(hit.cell, paint))?;
        let gutter = usize::from(lines::gutter(paint.width));
        let found = find(&lines, gutter, &needle);
        Some((hit.cell, found.into_iter().nth(hit.nth)?))
    }

    fn hits(&mut self, needle: &Needle, paint: &RenderContext<'_>) -> Vec<SearchHit> {
        let gutter = usize::from(lines::gutter(paint.width));
        let mut hits = Vec::new();
        for at in 0..self.cells.len() {
            if !self.cells[at].may_hold(needle) {
                continue;
            }
            let closed = self.cells[at].can_expand() && !self.cells[at].is_expanded;
            if closed {
                self.toggle(at);
            }
            let mut found = find(&self.lines(at, paint), gutter, needle).len();
            if self.cells[at].has_more {
                let grown = self.cells[at].grown();
                self.cells[at].grow_to_the_end();
                found = find(&self.lines(at, paint), gutter, needle).len();
                self.cells[at].shrink_to(grown);
            }
            if closed {
                self.toggle(at);
            }
            hits.extend((0..found).map(|nth| SearchHit { cell: at, nth }));
        }
        hits
    }

    fn show_hit(&mut self, paint: &RenderContext<'_>) {
        let hit = self
            .search
            .as_ref()
            .and_then(|it| it.hits.get(it.at).copied());
        let Some(hit) = hit.filter(|hit| hit.cell < self.cells.len()) else {
            return;
        };
        if !self.cells[hit.cell].is_expanded {
            self.toggle(hit.cell);
        }
        self.lines(hit.cell, paint);
        if self.cells[hit.cell].has_more {
            // The place may be anywhere in it.
            self.cells[hit.cell].grow_to_the_end();
        }
        let line = self
            .shown_hit(paint)
            .and_then(|(_, stretches)| Some(stretches.first()?.line));
        self.reveal_line(hit.cell, line.unwrap_or(0), self.page() / LEAD_SHARE, paint);
    }
}

impl Cell {
    /// Whether its source can hold the needle. A cell of a line or two always can.
    fn may_hold(&self, needle: &Needle) -> bool {
        match &self.body {
            Body::Answer(message, at) => match part(message, *at) {
                Some(AssistantPart::Text(text) | AssistantPart::Thinking { text, .. }) => {
                    needle.may_be_in(text)
                }
                _ => false,
            },
            Body::StreamingText(stream) => needle.may_be_in(stream.text()),
            Body::StreamingThinking(text) => needle.may_be_in(text),
            Body::Tool(card) => {
                let result = card
                    .result()
                    .map(|it| Message::ToolResult(it.clone()).text());
                let strings = card.arguments().and_then(serde_json::Value::as_object);
                let mut strings = strings.into_iter().flatten().map(|(_, value)| value);
                card.is_running()
                    || needle.may_be_in(card.name())
                    || needle.may_be_in(&card.title())
                    || result.is_some_and(|text| needle.may_be_in(&text))
                    || strings.any(|value| match value.as_str() {
                        Some(text) => needle.may_be_in(text),
                        None => needle.may_be_in(&value.to_string()),
                    })
            }
            Body::Shell(entry) => shell_run(entry)
                .is_some_and(|run| needle.may_be_in(&run.command) || needle.may_be_in(&run.output)),
            Body::Compaction { entry, .. } => {
                compaction(entry).is_some_and(|it| needle.may_be_in(&it.summary))
            }
            Body::User(entry) => match entry.message() {
                Some(message) => needle.may_be_in(&message.text()),
                None => true,
            },
            Body::StreamingCall { .. } | Body::Compacting(_) | Body::Note(_) => true,
        }
    }
}
