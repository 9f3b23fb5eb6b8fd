//! The rows of the review: two summaries compared, long unchanged runs folded unless
//! asked for; and the summary with its sources.

use super::super::numbers;
use super::super::sheet::{self, Mark, Piece, Row};
use crate::agent::CompactionProposal;
use crate::context::diff::{self, RowKind, Span};
use crate::tui::render::safe;

/// Columns of an alias with what it stands for.
const ALIAS_COLUMNS: usize = 200;
/// Above the aliases.
pub(in crate::tui::overlay) const ALIASES_TITLE: &str =
    "Aliases (kept beside the summary, not sent)";

/// Compares two texts.
pub fn compare(left: &str, right: &str, unfolded: bool) -> Vec<Row> {
    let lines: Vec<&str> = right.lines().collect();
    // A fold says how many lines it hides, not which: they are the next ones on the right.
    let mut next = 0;
    let mut rows = Vec::new();
    for row in diff::summary(left, right) {
        if let RowKind::Fold { count } = row.kind {
            if unfolded {
                rows.extend(lines.iter().skip(next).take(count).map(|line| same(line)));
            } else {
                rows.push(fold(count));
            }
            next += count;
            continue;
        }
        next += usize::from(row.right.is_some());
        rows.push(converted(row));
    }
    paired(rows)
}

/// Lines that went beside the lines that came in their place: side by side takes half
/// the rows, and the eye finds what replaced what. Headings keep rows of their own.
fn paired(rows: Vec<Row>) -> Vec<Row> {
    let mut out: Vec<Row> = Vec::with_capacity(rows.len());
    // The first row of the newest run of removed lines that has no partner yet.
    let mut free = None;
    for row in rows {
        let is_line = !starts_heading(&row);
        match row.mark {
            Mark::Removed if is_line => {
                free = free.or(Some(out.len()));
                out.push(row);
            }
            Mark::Added if is_line && free.is_some_and(|at| at < out.len()) => {
                if let Some(old) = free.and_then(|at| out.get_mut(at)) {
                    old.right = row.right;
                    old.mark = Mark::Replaced;
                }
                free = free.map(|at| at + 1);
            }
            _ => {
                free = None;
                out.push(row);
            }
        }
    }
    out
}

fn starts_heading(row: &Row) -> bool {
    let text = row.left.as_ref().or(row.right.as_ref());
    text.and_then(|pieces| pieces.first())
        .is_some_and(|piece| piece.text.starts_with('#'))
}

fn converted(row: diff::Row) -> Row {
    let mark = match (row.kind, &row.left, &row.right) {
        (RowKind::Added, ..) | (RowKind::Heading, None, _) => Mark::Added,
        (RowKind::Removed, ..) | (RowKind::Heading, _, None) => Mark::Removed,
        (RowKind::Changed, ..) => Mark::Changed,
        (RowKind::Heading, ..) => Mark::Heading,
        (RowKind::Same | RowKind::Fold { .. }, ..) => Mark::Same,
    };
    let is_word_by_word = mark == Mark::Changed;
    let side = |spans: Option<Vec<Span>>| {
        spans.map(|spans| {
            let pieces = spans.into_iter().flat_map(|span| {
                let mut pieces = sheet::piece(&span.text);
                for piece in &mut pieces {
                    piece.strong = is_word_by_word && span.changed;
                }
                pieces
            });
            pieces.collect()
        })
    };
    Row {
        left: side(row.left),
        right: side(row.right),
        mark,
        ..Row::default()
    }
}

fn same(line: &str) -> Row {
    Row {
        left: Some(sheet::piece(line)),
        right: Some(sheet::piece(line)),
        mark: Mark::Same,
        ..Row::default()
    }
}

fn fold(count: usize) -> Row {
    let text = vec![Piece {
        text: format!("⋯ {count} unchanged lines (space)"),
        strong: false,
    }];
    Row {
        left: Some(text.clone()),
        right: Some(text),
        mark: Mark::Fold,
        ..Row::default()
    }
}

/// What the aliases of the summary stand for: not a part of it, so a row of its own says.
pub fn aliases(proposal: &CompactionProposal) -> Vec<Row> {
    let both = |text: &str, mark| Row {
        left: Some(sheet::piece(text)),
        right: Some(sheet::piece(text)),
        mark,
        ..Row::default()
    };
    if proposal.aliases.is_empty() {
        return Vec::new();
    }
    let mut rows = vec![Row::default(), both(ALIASES_TITLE, Mark::Heading)];
    rows.extend(proposal.aliases.iter().map(|(alias, name)| {
        let line = safe::one_line(&format!("{alias} = {name}"), ALIAS_COLUMNS);
        both(&line, Mark::Same)
    }));
    rows
}

/// Each line of the summary (left) with the messages it draws on (right), then the
/// messages that nothing covers.
pub fn sources(proposal: &CompactionProposal) -> Vec<Row> {
    let mut rows = Vec::new();
    let Some(found) = &proposal.sources else {
        rows.push(Row {
            left: Some(sheet::piece("the messages are being read …")),
            ..Row::default()
        });
        return rows;
    };
    for (number, line) in proposal.summary.lines().enumerate() {
        let source = found.lines.iter().find(|source| source.line == number);
        let sources = source.map_or(&[][..], |source| &source.sources[..]);
        let notes = sources
            .iter()
            .map(|(id, words)| sheet::piece(&format!("← {id} {words}")));
        rows.push(Row {
            left: Some(sheet::piece(line)),
            notes: notes.collect(),
            mark: if line.starts_with('#') {
                Mark::Heading
            } else {
                Mark::Same
            },
            ..Row::default()
        });
    }
    if !found.uncovered.is_empty() {
        let count = numbers::plural(found.uncovered.len() as u64, "message");
        let title = format!("{count} that nothing in the summary covers");
        rows.push(Row::default());
        rows.push(Row {
            left: Some(sheet::piece(&title)),
            mark: Mark::Heading,
            ..Row::default()
        });
        rows.extend(found.uncovered.iter().map(|(id, words)| Row {
            left: Some(sheet::piece(&format!("{id} {words}"))),
            mark: Mark::Removed,
            ..Row::default()
        }));
    }
    rows
}
