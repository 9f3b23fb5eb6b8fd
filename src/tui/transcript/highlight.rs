//! Which columns of the viewport stand out: what is selected and what was found.

use std::ops::Range;

use super::Conversation;
use super::cell::Paint;
use super::lines;
use super::scroll::VisibleRow;

/// Rows beside the visible ones that a match may begin or end in.
const BROKEN_ROWS: usize = 4;

/// Why columns stand out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Highlight {
    /// The search found it.
    Found,
    /// The search shows it now.
    Shown,
    /// It is selected.
    Selected,
}

impl Conversation {
    /// What stands out in these rows: row, columns and why, later ones on top.
    pub fn highlights(
        &self,
        rows: &[VisibleRow],
        paint: &Paint<'_>,
    ) -> Vec<(usize, Range<usize>, Highlight)> {
        let mut out = Vec::new();
        if self.search.is_some() {
            self.search_highlights(rows, paint, &mut out);
        }
        if self.is_selecting() {
            let gutter = usize::from(lines::gutter(paint.width));
            for (y, row) in rows.iter().enumerate() {
                let columns = row
                    .line
                    .and_then(|line| self.selected_columns(row.cell, line, &row.lines, gutter));
                out.extend(columns.map(|columns| (y, columns, Highlight::Selected)));
            }
        }
        out
    }

    fn search_highlights(
        &self,
        rows: &[VisibleRow],
        paint: &Paint<'_>,
        out: &mut Vec<(usize, Range<usize>, Highlight)>,
    ) {
        let gutter = usize::from(lines::gutter(paint.width));
        let row_of = |cell: usize, line: usize| {
            rows.iter()
                .position(|row| row.cell == cell && row.line == Some(line))
        };
        for chunk in rows.chunk_by(|a, b| a.cell == b.cell) {
            let visible: Vec<usize> = chunk.iter().filter_map(|row| row.line).collect();
            let (Some(row), Some(first), Some(last)) =
                (chunk.first(), visible.first(), visible.last())
            else {
                continue;
            };
            let from = first.saturating_sub(BROKEN_ROWS);
            let to = (last + 1 + BROKEN_ROWS).min(row.lines.len());
            let lines = row.lines.get(from..to).unwrap_or_default();
            for stretch in self.found(lines, gutter).into_iter().flatten() {
                if let Some(y) = row_of(row.cell, from + stretch.line) {
                    out.push((y, stretch.columns, Highlight::Found));
                }
            }
        }
        let Some((cell, stretches)) = self.shown_hit(paint) else {
            return;
        };
        for stretch in stretches {
            if let Some(y) = row_of(cell, stretch.line) {
                out.push((y, stretch.columns, Highlight::Shown));
            }
        }
    }
}
