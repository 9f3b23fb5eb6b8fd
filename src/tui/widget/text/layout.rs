//! How pieces fall into rows of a width, and where the caret is.

use std::ops::Range;

use super::buffer::Buffer;
use super::piece::Piece;

/// Rows of a width. Pieces are never split, except by the width of the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The rows; at least one.
    pub rows: Vec<Row>,
    /// Row of the caret.
    pub caret_row: usize,
    /// Column of the caret.
    pub caret_column: usize,
}

/// The pieces of one row, without the line break that ends it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Indexes of the pieces.
    pub pieces: Range<usize>,
}

/// Where a line that is longer than a row is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaks {
    /// After a space; a word that is longer than the row anywhere.
    AtSpaces,
    /// Where the row is full.
    AtEdge,
}

impl Layout {
    /// Lays out a buffer in rows of `width` columns, broken at spaces.
    pub fn of(buffer: &Buffer, width: usize) -> Self {
        Self::broken(buffer, width, Breaks::AtSpaces)
    }

    /// Lays out a buffer in rows of `width` columns.
    pub fn broken(buffer: &Buffer, width: usize, breaks: Breaks) -> Self {
        let width = width.max(1);
        let pieces = buffer.pieces();
        let rows = rows(pieces, width, breaks);
        let caret = buffer.caret();
        let caret_row = rows
            .iter()
            .rposition(|row| row.pieces.start <= caret)
            .unwrap_or(0);
        let mut layout = Self {
            caret_row,
            caret_column: columns(pieces, rows[caret_row].pieces.start..caret),
            rows,
        };
        // After a full row the caret is at the start of the next one.
        if layout.caret_column >= width {
            layout.caret_column = 0;
            layout.caret_row += 1;
            if layout.caret_row == layout.rows.len() {
                layout.rows.push(Row {
                    pieces: caret..caret,
                });
            }
        }
        layout
    }

    /// The piece at a column of a row, or the row's end.
    pub fn at(&self, buffer: &Buffer, row: usize, column: usize) -> usize {
        let Some(row) = self.rows.get(row) else {
            return buffer.pieces().len();
        };
        let mut left = column;
        for at in row.pieces.clone() {
            let width = buffer.pieces().get(at).map_or(0, Piece::width);
            if width > left {
                return at;
            }
            left -= width;
        }
        row.pieces.end
    }
}

fn columns(pieces: &[Piece], range: Range<usize>) -> usize {
    let pieces = pieces.get(range).unwrap_or_default();
    pieces.iter().map(Piece::width).sum()
}

fn rows(pieces: &[Piece], width: usize, breaks: Breaks) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut start = 0;
    let mut used = 0;
    let mut after_space = None;
    for (at, piece) in pieces.iter().enumerate() {
        if piece.is_newline() {
            rows.push(Row { pieces: start..at });
            (start, used, after_space) = (at + 1, 0, None);
            continue;
        }
        let columns = piece.width();
        if used + columns > width && at > start {
            // A word longer than the row breaks anywhere.
            let cut = after_space.filter(|&cut| cut > start && !piece.is_space());
            let cut = cut.unwrap_or(at);
            rows.push(Row { pieces: start..cut });
            used = self::columns(pieces, cut..at);
            (start, after_space) = (cut, None);
        }
        used += columns;
        if piece.is_space() && breaks == Breaks::AtSpaces {
            after_space = Some(at + 1);
        }
    }
    rows.push(Row {
        pieces: start..pieces.len(),
    });
    rows
}
