//! The rows of the review: two summaries compared by line, then by word inside changed
//! lines, long unchanged runs folded; and the summary with its sources.

use std::time::Duration;

use similar::{ChangeTag, DiffOp, TextDiff};

use super::super::numbers;
use super::super::sheet::{self, Mark, Piece, Row};
use crate::agent::CompactionProposal;

/// Unchanged lines that stay visible around a change.
const CONTEXT_LINES: usize = 2;

/// Folding fewer lines than this would hide more than it saves.
const FOLD_MIN_LINES: usize = 4;

/// Lines less alike than this are a removal and an addition, not a change.
const ALIKE_MIN_RATIO: f32 = 0.4;

/// A diff that takes longer than this becomes coarser instead of freezing the screen.
const DIFF_TIMEOUT: Duration = Duration::from_millis(200);

/// Compares two texts.
pub fn compare(left: &str, right: &str, unfolded: bool) -> Vec<Row> {
    let left = sheet::lines(left);
    let right = sheet::lines(right);
    let a: Vec<&str> = left.iter().map(String::as_str).collect();
    let b: Vec<&str> = right.iter().map(String::as_str).collect();
    let diff = TextDiff::configure()
        .timeout(DIFF_TIMEOUT)
        .diff_slices(&a, &b);
    let mut rows = Vec::new();
    for op in diff.ops() {
        let old = a.get(op.old_range()).unwrap_or_default();
        let new = b.get(op.new_range()).unwrap_or_default();
        match op {
            DiffOp::Equal { .. } => rows.extend(new.iter().map(|line| same(line))),
            _ => changed(old, new, &mut rows),
        }
    }
    if unfolded { rows } else { folded(&rows) }
}

fn same(line: &str) -> Row {
    let mark = if line.starts_with('#') {
        Mark::Heading
    } else {
        Mark::Same
    };
    Row {
        left: Some(sheet::piece(line)),
        right: Some(sheet::piece(line)),
        mark,
    }
}

/// A run of lines that were replaced: alike lines stand beside each other.
fn changed(old: &[&str], new: &[&str], rows: &mut Vec<Row>) {
    let mut next = 0;
    for line in old {
        let rest = new.iter().enumerate().skip(next);
        let partner = rest
            .map(|(at, other)| (at, likeness(line, other)))
            .filter(|(_, ratio)| *ratio >= ALIKE_MIN_RATIO)
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        if let Some((at, _)) = partner {
            rows.extend(new.iter().take(at).skip(next).map(|line| added(line)));
            if let Some(other) = new.get(at) {
                rows.push(by_word(line, other));
            }
            next = at + 1;
        } else {
            rows.push(Row {
                left: Some(sheet::piece(line)),
                right: None,
                mark: Mark::Removed,
            });
        }
    }
    rows.extend(new.iter().skip(next).map(|line| added(line)));
}

fn added(line: &str) -> Row {
    Row {
        left: None,
        right: Some(sheet::piece(line)),
        mark: Mark::Added,
    }
}

/// Share of words that two lines have in common.
fn likeness(a: &str, b: &str) -> f32 {
    let words = |text: &str| -> std::collections::BTreeSet<String> {
        text.split_whitespace()
            .filter(|word| word.contains(char::is_alphanumeric))
            .map(str::to_owned)
            .collect()
    };
    let (a, b) = (words(a), words(b));
    if a.is_empty() && b.is_empty() {
        return 1.0;
    }
    2.0 * a.intersection(&b).count() as f32 / (a.len() + b.len()) as f32
}

fn by_word(old: &str, new: &str) -> Row {
    let diff = TextDiff::configure()
        .timeout(DIFF_TIMEOUT)
        .diff_unicode_words(old, new);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for change in diff.iter_all_changes() {
        let strong = change.tag() != ChangeTag::Equal;
        for mut piece in sheet::piece(change.value()) {
            piece.strong = strong;
            if change.tag() != ChangeTag::Insert {
                left.push(piece.clone());
            }
            if change.tag() != ChangeTag::Delete {
                right.push(piece);
            }
        }
    }
    Row {
        left: Some(left),
        right: Some(right),
        mark: Mark::Changed,
    }
}

/// Folds long runs of unchanged lines; headings stay, so that every section is seen.
fn folded(rows: &[Row]) -> Vec<Row> {
    let mut out: Vec<Row> = Vec::with_capacity(rows.len());
    let last = rows.len();
    let mut at = 0;
    for run in rows.chunk_by(|a, b| a.mark == Mark::Same && b.mark == Mark::Same) {
        let is_same = run.first().is_some_and(|row| row.mark == Mark::Same);
        let before = if at == 0 { 0 } else { CONTEXT_LINES };
        let after = if at + run.len() == last {
            0
        } else {
            CONTEXT_LINES
        };
        at += run.len();
        let hidden = run.len().saturating_sub(before + after);
        if !is_same || hidden < FOLD_MIN_LINES {
            out.extend(run.iter().cloned());
            continue;
        }
        out.extend(run.iter().take(before).cloned());
        let text = vec![Piece {
            text: format!("⋯ {hidden} unchanged lines (space)"),
            strong: false,
        }];
        out.push(Row {
            left: Some(text.clone()),
            right: Some(text),
            mark: Mark::Fold,
        });
        out.extend(run.iter().skip(before + hidden).cloned());
    }
    out
}

/// Each line of the summary (left) with the messages it draws on (right), then the
/// messages that nothing covers.
pub fn sources(proposal: &CompactionProposal) -> Vec<Row> {
    let mut rows = Vec::new();
    for (number, line) in proposal.summary.lines().enumerate() {
        let source = proposal.lines.iter().find(|source| source.line == number);
        let from = source.map_or(String::new(), |source| {
            let names = source
                .sources
                .iter()
                .map(|(id, words)| format!("← {id} {words}"));
            names.collect::<Vec<_>>().join("  ")
        });
        rows.push(Row {
            left: Some(sheet::piece(line)),
            right: (!from.is_empty()).then(|| sheet::piece(&from)),
            mark: if line.starts_with('#') {
                Mark::Heading
            } else {
                Mark::Same
            },
        });
    }
    if !proposal.uncovered.is_empty() {
        let count = numbers::plural(proposal.uncovered.len() as u64, "message");
        let title = format!("{count} that nothing in the summary covers");
        rows.push(Row::default());
        rows.push(Row {
            left: Some(sheet::piece(&title)),
            right: None,
            mark: Mark::Heading,
        });
        rows.extend(proposal.uncovered.iter().map(|(id, words)| Row {
            left: Some(sheet::piece(&format!("{id} {words}"))),
            right: None,
            mark: Mark::Removed,
        }));
    }
    rows
}
