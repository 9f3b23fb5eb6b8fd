//! Highlighted columns of the viewport: the selection and search hits.

use std::ops::Range;

use ratatui::text::Line;

use super::ChatLog;
use super::cell::{Cell, RenderContext};
use super::lines;
use super::viewport::VisibleRow;

/// Rows beside the visible ones that a match may begin or end in.
const BROKEN_ROWS: usize = 4;

/// The reason for a highlight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Highlight {
    /// The search found it.
    Found,
    /// The search shows it now.
    Shown,
    /// It is selected.
    Selected,
}

/// Highlighted columns of a row of the viewport.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowHighlight {
    /// The row, from the top of the viewport.
    pub row: usize,
    /// The columns, gutter included.
    pub columns: Range<usize>,
    /// Why.
    pub why: Highlight,
}

impl ChatLog {
    /// The highlights in these rows, later ones on top.
    pub(super) fn highlights(
        &mut self,
        rows: &[VisibleRow],
        paint: &RenderContext<'_>,
    ) -> Vec<RowHighlight> {
        let mut out = Vec::new();
        if self.search.is_some() {
            self.search_highlights(rows, paint, &mut out);
        }
        if self.is_selecting() {
            let gutter = usize::from(lines::gutter(paint.width));
            for (at, row) in rows.iter().enumerate() {
                let lines = laid_out(self, row.cell);
                let columns = row
                    .line
                    .and_then(|line| self.selected_columns(row.cell, line, lines, gutter));
                out.extend(columns.map(|columns| RowHighlight {
                    row: at,
                    columns,
                    why: Highlight::Selected,
                }));
            }
        }
        out
    }

    fn search_highlights(
        &mut self,
        rows: &[VisibleRow],
        paint: &RenderContext<'_>,
        out: &mut Vec<RowHighlight>,
    ) {
        let gutter = usize::from(lines::gutter(paint.width));
        let of = |cell: usize, line: usize, columns: Range<usize>, why: Highlight| {
            let is_it = |row: &VisibleRow| row.cell == cell && row.line == Some(line);
            let row = rows.iter().position(is_it)?;
            Some(RowHighlight { row, columns, why })
        };
        for chunk in rows.chunk_by(|a, b| a.cell == b.cell) {
            let visible: Vec<usize> = chunk.iter().filter_map(|row| row.line).collect();
            let (Some(row), Some(first), Some(last)) =
                (chunk.first(), visible.first(), visible.last())
            else {
                continue;
            };
            let from = first.saturating_sub(BROKEN_ROWS);
            let lines = laid_out(self, row.cell);
            let to = (last + 1 + BROKEN_ROWS).min(lines.len());
            let lines = lines.get(from..to).unwrap_or_default();
            for stretch in self.found(lines, gutter).into_iter().flatten() {
                let line = from + stretch.line;
                out.extend(of(row.cell, line, stretch.columns, Highlight::Found));
            }
        }
        let Some((cell, stretches)) = self.shown_hit(paint) else {
            return;
        };
        for stretch in stretches {
            out.extend(of(cell, stretch.line, stretch.columns, Highlight::Shown));
        }
    }
}

fn laid_out(log: &ChatLog, cell: usize) -> &[Line<'static>] {
    log.cells.get(cell).map_or(&[], Cell::laid_out)
}
