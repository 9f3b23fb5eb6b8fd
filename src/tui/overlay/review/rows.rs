//! The rows of the review: two summaries compared, long unchanged runs folded unless
//! asked for; and the summary with its sources.

use super::super::numbers;
use crate::agent::CompactionProposal;
use crate::context::diff::{self, Span, SummaryDiffKind};
use crate::tui::render::safe;
use crate::tui::widget::scroll_text::safe_text;
use crate::tui::widget::{RowMark, TextRow};

/// Columns of an alias with what it stands for.
const ALIAS_COLUMNS: usize = 200;
/// Above the aliases.
pub(in crate::tui::overlay) const ALIASES_TITLE: &str =
    "Aliases (kept beside the summary, not sent)";

/// Compares two texts.
pub(crate) fn compare(left: &str, right: &str, unfolded: bool) -> Vec<TextRow> {
    let lines: Vec<&str> = right.lines().collect();
    // A fold says how many lines it hides, not which: they are the next ones on the right.
    let mut next = 0;
    let mut rows = Vec::new();
    for row in diff::summary(left, right) {
        if let SummaryDiffKind::Fold { count } = row.kind {
            if unfolded {
                rows.extend(
                    lines
                        .iter()
                        .skip(next)
                        .take(count)
                        .map(|line| TextRow::both(line)),
                );
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
fn paired(rows: Vec<TextRow>) -> Vec<TextRow> {
    let mut out: Vec<TextRow> = Vec::with_capacity(rows.len());
    // The first row of the newest run of removed lines that has no partner yet.
    let mut free = None;
    for row in rows {
        let is_line = !starts_heading(&row);
        match row.mark {
            RowMark::Removed if is_line => {
                free = free.or(Some(out.len()));
                out.push(row);
            }
            RowMark::Added if is_line && free.is_some_and(|at| at < out.len()) => {
                if let Some(old) = free.and_then(|at| out.get_mut(at)) {
                    old.right = row.right;
                    old.mark = RowMark::Replaced;
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

fn starts_heading(row: &TextRow) -> bool {
    let text = row.left.as_ref().or(row.right.as_ref());
    text.and_then(|pieces| pieces.first())
        .is_some_and(|piece| piece.text.starts_with('#'))
}

fn converted(row: diff::SummaryDiffRow) -> TextRow {
    let mark = match (row.kind, &row.left, &row.right) {
        (SummaryDiffKind::Added, ..) | (SummaryDiffKind::Heading, None, _) => RowMark::Added,
        (SummaryDiffKind::Removed, ..) | (SummaryDiffKind::Heading, _, None) => RowMark::Removed,
        (SummaryDiffKind::Changed, ..) => RowMark::Changed,
        (SummaryDiffKind::Heading, ..) => RowMark::Heading,
        (SummaryDiffKind::Same | SummaryDiffKind::Fold { .. }, ..) => RowMark::Same,
    };
    let is_word_by_word = mark == RowMark::Changed;
    let side = |spans: Option<Vec<Span>>| {
        spans.map(|spans| {
            let pieces = spans.into_iter().flat_map(|span| {
                let mut pieces = safe_text(&span.text);
                for piece in &mut pieces {
                    piece.strong = is_word_by_word && span.changed;
                }
                pieces
            });
            pieces.collect()
        })
    };
    TextRow {
        left: side(row.left),
        right: side(row.right),
        mark,
        ..TextRow::default()
    }
}

fn fold(count: usize) -> TextRow {
    TextRow::both(&format!("⋯ {count} unchanged lines (space)")).marked(RowMark::Fold)
}

/// The aliases of the summary with their meaning: not a part of it, so a row of its own says so.
pub(super) fn aliases(proposal: &CompactionProposal) -> Vec<TextRow> {
    if proposal.aliases.is_empty() {
        return Vec::new();
    }
    let mut rows = vec![
        TextRow::default(),
        TextRow::both(ALIASES_TITLE).marked(RowMark::Heading),
    ];
    rows.extend(proposal.aliases.iter().map(|(alias, name)| {
        let line = safe::one_line(&format!("{alias} = {name}"), ALIAS_COLUMNS);
        TextRow::both(&line)
    }));
    rows
}

/// Each line of the summary (left) with the messages it draws on (right), then the
/// messages that nothing covers.
pub(super) fn sources(proposal: &CompactionProposal) -> Vec<TextRow> {
    let mut rows = Vec::new();
    let Some(found) = &proposal.sources else {
        rows.push(TextRow::left("the messages are being read …"));
        return rows;
    };
    for (number, line) in proposal.summary.lines().enumerate() {
        let source = found.lines.iter().find(|source| source.line == number);
        let sources = source.map_or(&[][..], |source| &source.sources[..]);
        let notes = sources
            .iter()
            .map(|(id, words)| safe_text(&format!("← {id} {words}")));
        let mark = if line.starts_with('#') {
            RowMark::Heading
        } else {
            RowMark::Same
        };
        rows.push(TextRow {
            notes: notes.collect(),
            ..TextRow::left(line).marked(mark)
        });
    }
    if !found.uncovered.is_empty() {
        let count = numbers::plural(found.uncovered.len() as u64, "message");
        let title = format!("{count} that nothing in the summary covers");
        rows.push(TextRow::default());
        rows.push(TextRow::left(&title).marked(RowMark::Heading));
        let uncovered = found.uncovered.iter();
        rows.extend(
            uncovered.map(|(id, words)| {
                TextRow::left(&format!("{id} {words}")).marked(RowMark::Removed)
            }),
        );
    }
    rows
}
