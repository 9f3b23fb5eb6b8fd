//! Cells that go, and cells that take their place: the answer that streamed gives way to
//! its entry. Invariant: the reader stays at the line that is being read, and what was
//! opened stays open.

use super::cell::{Body, Cell, part};
use super::{ChatLog, Position};
use crate::transcript::AssistantPart;

/// The part of an answer that a cell shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CellKind {
    Text,
    Thinking,
    Call,
}

impl ChatLog {
    /// Puts the cells of an answer in the place of what streamed. Remarks that came in
    /// between stay, below them.
    pub(super) fn hand_over(&mut self, answer: Vec<Cell>) {
        let Some(first) = self.streaming.take() else {
            self.cells.extend(answer);
            return;
        };
        let first = first.min(self.cells.len());
        let old = self.cells.split_off(first);
        let old_keys = keys(&old);
        let new_keys = keys(&answer);
        self.cells.extend(answer);
        let remarks_from = self.cells.len();
        let mut remarks = 0;
        let mut places = Vec::with_capacity(old.len());
        for (cell, key) in old.into_iter().zip(old_keys) {
            if !is_streaming(&cell) {
                places.push(Some(remarks_from + remarks));
                remarks += 1;
                self.cells.push(cell);
                continue;
            }
            let place = new_keys.iter().position(|new| key.is_some() && *new == key);
            let place = place.map(|at| first + at);
            if let Some(heir) = place.and_then(|at| self.cells.get_mut(at)) {
                heir.is_expanded |= cell.is_expanded;
            }
            places.push(place);
        }
        let last = self.cells.len().saturating_sub(1);
        move_reader(self, |at| match at.checked_sub(first) {
            None => at,
            Some(within) => places
                .get(within)
                .copied()
                .flatten()
                .unwrap_or(at)
                .min(last),
        });
    }

    /// Takes cells out.
    pub(super) fn remove(&mut self, is_unwanted: impl Fn(&Cell) -> bool) {
        let gone: Vec<usize> = (0..self.cells.len())
            .filter(|&at| self.cells.get(at).is_some_and(&is_unwanted))
            .collect();
        if gone.is_empty() {
            return;
        }
        self.cells.retain(|cell| !is_unwanted(cell));
        let moved = |at: usize| at - gone.partition_point(|&gone| gone < at);
        self.streaming = self.streaming.map(moved);
        move_reader(self, moved);
    }

    /// The newest cell of the answer that streams.
    pub(super) fn newest_streaming(&mut self) -> Option<&mut Cell> {
        let tail = self.cells.get_mut(self.streaming?..)?;
        tail.iter_mut().rev().find(|cell| is_streaming(cell))
    }
}

/// Moves the reader's place along with cells that have other places now.
fn move_reader(log: &mut ChatLog, moved: impl Fn(usize) -> usize) {
    if let Position::At { cell, .. } = &mut log.position {
        *cell = moved(*cell);
    }
    log.focus = log.focus.map(moved);
    if let Some(away) = &mut log.away {
        away.keep_within(log.cells.len());
    }
}

fn is_streaming(cell: &Cell) -> bool {
    matches!(
        cell.body,
        Body::StreamingText(_) | Body::StreamingThinking(_) | Body::StreamingCall { .. }
    )
}

/// The kind of each cell, and how many of the kind are above it.
fn keys(cells: &[Cell]) -> Vec<Option<(CellKind, usize)>> {
    let mut seen = Vec::new();
    let keys = cells.iter().map(|cell| {
        let kind = kind(cell)?;
        let above = seen.iter().filter(|other| **other == kind).count();
        seen.push(kind);
        Some((kind, above))
    });
    keys.collect()
}

fn kind(cell: &Cell) -> Option<CellKind> {
    match &cell.body {
        Body::StreamingText(stream) => {
            // Such a block is not shown once it is written.
            let is_blank = stream.text().trim().is_empty();
            (!is_blank).then_some(CellKind::Text)
        }
        Body::StreamingThinking(_) => Some(CellKind::Thinking),
        Body::StreamingCall { .. } => Some(CellKind::Call),
        Body::Tool(card) if card.is_of_call() => Some(CellKind::Call),
        Body::Answer(message, at) => match part(message, *at)? {
            AssistantPart::Text(_) => Some(CellKind::Text),
            _ => Some(CellKind::Thinking),
        },
        _ => None,
    }
}
