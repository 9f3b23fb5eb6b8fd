//! The difference between two summaries: by section, then by line, then by word inside
//! changed lines. Rows for a screen, or unified text. Work is bounded: hostile texts
//! cost no more than a coarse difference.

mod lines;
mod words;

pub use words::{Span, WordDiff, word_diff};

use lines::{AlignedLine, align};

/// Unchanged lines that are shown around a change.
const CONTEXT_LINES: usize = 2;
/// Runs of unchanged lines fold from this many hidden lines on.
const MIN_FOLDED_LINES: usize = 2;
/// Longest line that is compared word by word, in bytes.
const MAX_WORD_DIFF_BYTES: usize = 4_000;

/// The kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SummaryDiffKind {
    /// One line, equal on both sides.
    Same,
    /// On the right only.
    Added,
    /// On the left only.
    Removed,
    /// On both sides, with differing words.
    Changed,
    /// A heading. One side is missing where only the other has it.
    Heading,
    /// A run of unchanged lines.
    Fold {
        /// How many lines it stands for.
        count: usize,
    },
}

/// One row: what is on the left and on the right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryDiffRow {
    /// The kind of the row.
    pub kind: SummaryDiffKind,
    /// The left line.
    pub left: Option<Vec<Span>>,
    /// The right line.
    pub right: Option<Vec<Span>>,
}

/// Compares two summaries.
pub fn summary(left: &str, right: &str) -> Vec<SummaryDiffRow> {
    folded(align(left, right).into_iter().map(row).collect())
}

fn row(line: AlignedLine<'_>) -> SummaryDiffRow {
    let whole = |text: &str, changed| {
        Some(vec![Span {
            text: text.to_owned(),
            changed,
        }])
    };
    match line {
        AlignedLine::Same(text) => SummaryDiffRow {
            kind: heading_or(text, SummaryDiffKind::Same),
            left: whole(text, false),
            right: whole(text, false),
        },
        AlignedLine::Removed(text) => SummaryDiffRow {
            kind: heading_or(text, SummaryDiffKind::Removed),
            left: whole(text, true),
            right: None,
        },
        AlignedLine::Added(text) => SummaryDiffRow {
            kind: heading_or(text, SummaryDiffKind::Added),
            left: None,
            right: whole(text, true),
        },
        AlignedLine::Changed(old, new) => {
            let (left, right) = words(old, new);
            SummaryDiffRow {
                kind: SummaryDiffKind::Changed,
                left: Some(left),
                right: Some(right),
            }
        }
    }
}

fn heading_or(text: &str, other: SummaryDiffKind) -> SummaryDiffKind {
    if lines::is_heading(text) {
        SummaryDiffKind::Heading
    } else {
        other
    }
}

/// Both lines divided into equal and differing pieces; whole where they are long.
fn words(old: &str, new: &str) -> (Vec<Span>, Vec<Span>) {
    let whole = |text: &str| {
        vec![Span {
            text: text.to_owned(),
            changed: true,
        }]
    };
    word_diff(old, new, MAX_WORD_DIFF_BYTES)
        .map_or_else(|| (whole(old), whole(new)), |diff| (diff.old, diff.new))
}

/// Replaces long runs of unchanged lines, except headings, by a fold.
fn folded(rows: Vec<SummaryDiffRow>) -> Vec<SummaryDiffRow> {
    let is_change = |row: &SummaryDiffRow| match row.kind {
        SummaryDiffKind::Same => false,
        SummaryDiffKind::Heading => row.left.is_none() || row.right.is_none(),
        _ => true,
    };
    let mut near = vec![false; rows.len()];
    for (index, _) in rows.iter().enumerate().filter(|(_, row)| is_change(row)) {
        let from = index.saturating_sub(CONTEXT_LINES);
        let to = (index + CONTEXT_LINES + 1).min(rows.len());
        near.iter_mut().take(to).skip(from).for_each(|n| *n = true);
    }
    let mut out: Vec<SummaryDiffRow> = Vec::new();
    let mut hidden: Vec<SummaryDiffRow> = Vec::new();
    for (row, near) in rows.into_iter().zip(near) {
        if row.kind == SummaryDiffKind::Same && !near {
            hidden.push(row);
        } else {
            flush(&mut hidden, &mut out);
            out.push(row);
        }
    }
    flush(&mut hidden, &mut out);
    out
}

fn flush(hidden: &mut Vec<SummaryDiffRow>, out: &mut Vec<SummaryDiffRow>) {
    if hidden.len() < MIN_FOLDED_LINES {
        out.append(hidden);
        return;
    }
    out.push(SummaryDiffRow {
        kind: SummaryDiffKind::Fold {
            count: hidden.len(),
        },
        left: None,
        right: None,
    });
    hidden.clear();
}

/// The difference as text for a command line: `+`, `-`, two spaces before what stays.
pub fn unified_text(left: &str, right: &str) -> String {
    let mut out = String::new();
    let mut line = |mark: &str, text: &str| {
        out.push_str(mark);
        out.push_str(text);
        out.push('\n');
    };
    for row in summary(left, right) {
        let text = |spans: &Option<Vec<Span>>| -> Option<String> {
            spans
                .as_ref()
                .map(|s| s.iter().map(|span| span.text.as_str()).collect())
        };
        if let SummaryDiffKind::Fold { count } = row.kind {
            line("  ", &format!("… {count} unchanged lines"));
            continue;
        }
        let is_same = matches!(row.kind, SummaryDiffKind::Same | SummaryDiffKind::Heading);
        match (text(&row.left), text(&row.right)) {
            (Some(old), Some(_)) if is_same => line("  ", &old),
            (old, new) => {
                if let Some(old) = &old {
                    line("- ", old);
                }
                if let Some(new) = &new {
                    line("+ ", new);
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests;
