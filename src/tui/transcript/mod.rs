//! The transcript on screen: one cell per thing that was said or done, drawn lazily.
//! Not the log (see [`crate::transcript`]) and not what is sent (see
//! [`crate::context`]): cells point at entries and remember only how they look.
//!
//! Invariant: a frame measures the cells near the viewport and no others.

mod build;
mod card;
mod cell;
mod handover;
mod highlight;
mod lines;
mod live;
mod marks;
mod recovery;
mod scroll;
mod search;
mod select;
mod shown;
mod streamed;
mod viewport;

pub use card::{ToolCard, ToolState, call_title};
pub use cell::{Body, Cell, Note, RenderContext};
pub use highlight::{Highlight, RowHighlight};
pub use marks::{Mark, Marks};
pub use recovery::{begin_recovery, join_recovery};
pub use scroll::Position;
pub use search::Search;
pub use streamed::StreamedText;
pub use viewport::VisibleRow;

use std::collections::HashSet;

use crate::transcript::EntryId;

/// All cells of the open session, where the reader is, and what is in focus.
#[derive(Debug, Default)]
pub struct ChatLog {
    cells: Vec<Cell>,
    /// The treatment of each entry on its way to the model.
    pub marks: Marks,
    position: Position,
    away: Option<scroll::ReaderGap>,
    focus: Option<usize>,
    /// First cell of the answer that is streaming.
    streaming: Option<usize>,
    press: Option<select::PointerPress>,
    search: Option<Search>,
    viewport: viewport::Viewport,
    /// Entries that an undo takes back.
    undone: HashSet<EntryId>,
}

impl ChatLog {
    /// The cells, oldest first.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The cell in focus.
    pub fn focus(&self) -> Option<usize> {
        self.focus.filter(|&at| at < self.cells.len())
    }

    /// The compaction whose card is in focus.
    pub fn focused_compaction(&self) -> Option<EntryId> {
        let cell = self.cells.get(self.focus()?)?;
        let is_boundary = matches!(cell.body, Body::Compaction { .. });
        cell.entry.clone().filter(|_| is_boundary)
    }

    /// The newest compaction that was not undone.
    pub fn compaction_in_force(&self) -> Option<EntryId> {
        let counts = |cell: &&Cell| {
            matches!(
                cell.body,
                Body::Compaction {
                    is_undone: false,
                    ..
                }
            )
        };
        self.cells.iter().rfind(counts)?.entry.clone()
    }

    /// Opens or closes a cell; false when there is nothing to open.
    pub fn toggle(&mut self, at: usize) -> bool {
        let Some(cell) = self.cells.get_mut(at).filter(|cell| cell.can_expand()) else {
            return false;
        };
        cell.is_expanded = !cell.is_expanded;
        cell.touch();
        true
    }

    /// Opens or closes the cell in focus, else the newest one that can be.
    pub fn toggle_focused(&mut self) -> bool {
        let at = self
            .focus()
            .or_else(|| self.cells.iter().rposition(Cell::can_expand));
        at.is_some_and(|at| self.toggle(at))
    }

    /// Moves the focus to the next (or previous) cell that can be opened.
    pub fn move_focus(&mut self, forward: bool) {
        let can = |at: &usize| self.cells.get(*at).is_some_and(Cell::can_expand);
        self.focus = if forward {
            match self.focus() {
                Some(at) => (at + 1..self.cells.len()).find(can),
                None => None,
            }
        } else {
            let end = self.focus().unwrap_or(self.cells.len());
            (0..end).rev().find(can).or(self.focus())
        };
    }

    /// Puts nothing in focus; false when nothing was.
    pub fn blur(&mut self) -> bool {
        self.focus.take().is_some()
    }

    /// The newest answer's text, for copying.
    pub fn last_answer(&self) -> Option<String> {
        self.cells.iter().rev().find_map(Cell::answer)
    }
}

#[cfg(test)]
mod tests;
