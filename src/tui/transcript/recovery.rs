//! A request that was too long, and what was done about it: one card, which grows until the
//! request is answered or given up.

use super::ChatLog;
use super::cell::{Body, Cell, Note};

/// A recovery adds fewer cells than this: a prune, a compaction, the message again.
const RECOVERY_CELLS: usize = 32;

/// A request was refused as too long. A further attempt is told of on the same card.
pub fn begin_recovery(log: &mut ChatLog, note: Note) {
    if let Some(told) = open_card(log) {
        told.text = note.text;
        return;
    }
    // A limit that the refusal named was told of right before it.
    let is_warning = |cell: &mut Cell| match &cell.body {
        Body::Note(told) => (told.sign, told.level) == (note.sign, note.level),
        _ => false,
    };
    let before = log.cells.pop_if(is_warning);
    let mut cell = Cell::new(None, Body::Note(note));
    cell.is_recovery = true;
    log.cells.push(cell);
    if let Some(Body::Note(told)) = before.map(|cell| cell.body) {
        join_recovery(log, &told.text, told.hint.as_deref());
    }
}

/// Adds what was learnt or done to the card; false when nothing is being recovered.
pub fn join_recovery(log: &mut ChatLog, text: &str, hint: Option<&str>) -> bool {
    let Some(told) = open_card(log) else {
        return false;
    };
    let done = told.hint.get_or_insert_default();
    for line in [Some(text), hint].into_iter().flatten() {
        if !done.is_empty() {
            done.push('\n');
        }
        done.push_str(line);
    }
    true
}

/// The request was answered or given up.
pub(super) fn end_recovery(log: &mut ChatLog) {
    for cell in newest(log) {
        cell.is_recovery = false;
    }
}

/// The card of a recovery that goes on; it is drawn again.
fn open_card(log: &mut ChatLog) -> Option<&mut Note> {
    let cell = newest(log).find(|cell| cell.is_recovery)?;
    cell.touch();
    match &mut cell.body {
        Body::Note(note) => Some(note),
        _ => None,
    }
}

/// The newest cells, newest first.
fn newest(log: &mut ChatLog) -> impl Iterator<Item = &mut Cell> {
    log.cells.iter_mut().rev().take(RECOVERY_CELLS)
}
