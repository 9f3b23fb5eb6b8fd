//! What a summary says of commands and of the whole of the tests: `` `cargo fmt` succeeded ``,
//! `all tests pass`. The calls tell, and the newest run of the tests.

mod commands;
mod fixed;
mod operations;
mod outcome;
mod suite;

use std::ops::Range;

use crate::context::grounding::fold::FoldedLine;
use crate::context::grounding::languages;
use crate::context::grounding::prose;

use super::reader::LineReader;

pub(super) fn read(reader: &mut LineReader<'_>) {
    let line = reader.line;
    if line.is_plan || line.is_rule || line.is_goal {
        return;
    }
    for sentence in prose::sentences(line) {
        let text = reader.text().get(sentence.clone()).unwrap_or_default();
        if text.trim_end().ends_with(['?', '？']) {
            continue;
        }
        suite::read(reader, &sentence);
        for clause in prose::clauses(reader.text(), sentence.clone()) {
            commands::read(reader, &clause.span);
            if !is_struck(reader, &clause.span) {
                outcome::read(reader, &clause.span);
            }
            if !is_struck(reader, &clause.span) {
                fixed::read(reader, &clause.span);
            }
        }
    }
}

/// Whether a clause has a claim that is struck already.
fn is_struck(reader: &LineReader<'_>, clause: &Range<usize>) -> bool {
    let mut claims = reader.claims.iter();
    claims.any(|claim| {
        let overlaps = claim.span.start < clause.end && clause.start < claim.span.end;
        !claim.is_grounded && claim.class.is_hard() && overlaps
    })
}

/// Whether something before a place of a folded text plans, denies or conditions it.
fn is_open(folded: &str, at: &Range<usize>) -> bool {
    let before = folded.get(..at.start).unwrap_or_default();
    languages::leave_open(folded, before)
}

/// A folded text whose code is blank: what a command is called says nothing of its end.
fn without_code(told: &str) -> FoldedLine {
    let mut blank = String::with_capacity(told.len());
    let mut in_code = false;
    for c in told.chars() {
        if c == '`' {
            in_code = !in_code;
        }
        let stays = !in_code && c != '`';
        let filled = std::iter::repeat_n(' ', c.len_utf8());
        if stays {
            blank.push(c);
        } else {
            blank.extend(filled);
        }
    }
    FoldedLine::of(&blank)
}
