//! A Markdown table fitted to a width: columns shrink, cells wrap, and where not even
//! that is enough the rows become records.

use pulldown_cmark::Alignment;
use ratatui::layout::Alignment as Side;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use crate::tui::render::wrap;
use crate::tui::theme::Theme;

/// A column narrower than this is not read but deciphered: then rows become records.
const MIN_COLUMN: usize = 4;
/// More columns than this are never drawn as a grid.
const MAX_GRID_COLUMNS: usize = 64;
const SEPARATOR: &str = " │ ";
const RULE_CROSSING: &str = "─┼─";

type Cell = Vec<Span<'static>>;

/// A table that is being collected. The first row is the head.
pub(super) struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<Cell>>,
    row: Vec<Cell>,
}

impl Table {
    pub(super) fn new(alignments: Vec<Alignment>) -> Self {
        Self {
            alignments,
            rows: Vec::new(),
            row: Vec::new(),
        }
    }

    pub(super) fn push_cell(&mut self, cell: Cell) {
        self.row.push(cell);
    }

    pub(super) fn end_row(&mut self) {
        self.rows.push(std::mem::take(&mut self.row));
    }

    /// The table in at most `columns` columns.
    pub(super) fn lines(&self, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
        match self.fit(columns) {
            Some(widths) => self.grid(&widths, theme),
            None => self.records(columns, theme),
        }
    }

    /// Column widths that fit, the widest shrunk first.
    fn fit(&self, columns: usize) -> Option<Vec<usize>> {
        let count = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        if count == 0 || count > MAX_GRID_COLUMNS {
            return None;
        }
        let room = columns.checked_sub((count - 1) * wrap::width(SEPARATOR))?;
        let mut widths = vec![1; count];
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell_columns(cell).max(*width);
            }
        }
        // The largest cap under which all columns together fit.
        let natural: usize = widths.iter().sum();
        if natural > room {
            let mut cap = room;
            while cap > 0 && widths.iter().map(|&width| width.min(cap)).sum::<usize>() > room {
                cap -= 1;
            }
            if cap < MIN_COLUMN {
                return None;
            }
            let used: usize = widths.iter().map(|&width| width.min(cap)).sum();
            let mut spare = room - used;
            for width in &mut widths {
                let extra = usize::from(*width > cap && spare > 0);
                spare -= extra;
                *width = (*width).min(cap) + extra;
            }
        }
        Some(widths)
    }

    fn grid(&self, widths: &[usize], theme: &Theme) -> Vec<Line<'static>> {
        let mut out = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            let empty = Cell::new();
            let cells: Vec<Vec<Line<'static>>> = widths
                .iter()
                .enumerate()
                .map(|(column, &width)| {
                    let cell = row.get(column).unwrap_or(&empty);
                    let line = if index == 0 {
                        bold(cell)
                    } else {
                        Line::from(cell.clone())
                    };
                    wrap::wrap(&line, width as u16)
                })
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for part in 0..height {
                out.push(self.grid_row(&cells, part, widths, theme));
            }
            if index == 0 {
                let rule: Vec<String> = widths.iter().map(|&width| "─".repeat(width)).collect();
                out.push(Line::styled(rule.join(RULE_CROSSING), theme.border));
            }
        }
        out
    }

    fn grid_row(
        &self,
        cells: &[Vec<Line<'static>>],
        part: usize,
        widths: &[usize],
        theme: &Theme,
    ) -> Line<'static> {
        let mut spans = Vec::new();
        for (column, (cell, &width)) in cells.iter().zip(widths).enumerate() {
            if column > 0 {
                spans.push(Span::styled(SEPARATOR, theme.border));
            }
            let content = cell
                .get(part)
                .map(|line| line.spans.clone())
                .unwrap_or_default();
            // Rows of a table are rows: what is beside them goes on too.
            let content: Vec<_> = content
                .into_iter()
                .filter(|it| !wrap::is_joint(it))
                .collect();
            let blank = width.saturating_sub(cell_columns(&content));
            let before = match self.side(column) {
                Side::Left => 0,
                Side::Center => blank / 2,
                Side::Right => blank,
            };
            let is_last = column + 1 == widths.len();
            let after = if is_last { 0 } else { blank - before };
            push_blanks(&mut spans, before);
            spans.extend(content);
            push_blanks(&mut spans, after);
        }
        Line::from(spans)
    }

    fn side(&self, column: usize) -> Side {
        match self.alignments.get(column) {
            Some(Alignment::Right) => Side::Right,
            Some(Alignment::Center) => Side::Center,
            _ => Side::Left,
        }
    }

    /// One `head: cell` line per cell, a rule between rows.
    fn records(&self, columns: usize, theme: &Theme) -> Vec<Line<'static>> {
        let width = columns.min(usize::from(u16::MAX)) as u16;
        let Some((head, rows)) = self.rows.split_first() else {
            return Vec::new();
        };
        if rows.is_empty() {
            return head
                .iter()
                .flat_map(|cell| wrap::wrap(&bold(cell), width))
                .collect();
        }
        let mut out = Vec::new();
        for (index, row) in rows.iter().enumerate() {
            if index > 0 {
                out.push(Line::styled("─".repeat(columns), theme.border));
            }
            for (column, cell) in row.iter().enumerate() {
                let mut line = head.get(column).map(bold).unwrap_or_default();
                line.spans.push(Span::styled(": ", theme.dim));
                line.spans.extend(cell.iter().cloned());
                out.extend(wrap::wrap(&line, width));
            }
        }
        out
    }
}

fn cell_columns(cell: &[Span<'_>]) -> usize {
    cell.iter().map(|span| wrap::width(&span.content)).sum()
}

fn push_blanks(spans: &mut Vec<Span<'static>>, count: usize) {
    if count > 0 {
        spans.push(Span::raw(" ".repeat(count)));
    }
}

fn bold(cell: &Cell) -> Line<'static> {
    let spans: Vec<Span<'static>> = cell
        .iter()
        .map(|span| {
            Span::styled(
                span.content.clone(),
                span.style.add_modifier(Modifier::BOLD),
            )
        })
        .collect();
    Line::from(spans)
}
