//! The rows of the review: two summaries compared, long unchanged runs folded unless
//! asked for; the summary with the messages that say it; a first summary beside the turns
//! that it replaces.

use super::super::numbers;
use super::claims::{LineClaims, StopRows};
use crate::agent::{CompactionProposal, SummaryLine};
use crate::context::diff::{self, Span, SummaryDiffKind};
use crate::context::replaced_turns::{ReplacedTurn, TurnCover};
use crate::transcript::EntryId;
use crate::tui::render::safe;
use crate::tui::widget::scroll_text::MarkedText;
use crate::tui::widget::{RowMark, TextRow, TextSides, TextTone};

/// Columns of an alias with what it stands for.
const ALIAS_COLUMNS: usize = 200;
/// Above the aliases.
pub(in crate::tui::overlay) const ALIASES_TITLE: &str =
    "Aliases (kept beside the summary, not sent)";
/// What is lost of one turn, in rows; the rest is counted.
const LOST_ROWS: usize = 6;

/// Compares two texts.
pub(crate) fn compare(left: &str, right: &str, unfolded: bool) -> Vec<TextRow> {
    let claims = LineClaims::default();
    let mut rows = StopRows::new(&claims, None, TextSides::Split);
    comparison(left, right, unfolded, &mut rows);
    rows.rows
}

/// Compares two texts, with the claims of the right one marked.
pub(super) fn comparison(left: &str, right: &str, unfolded: bool, out: &mut StopRows<'_>) {
    let lines: Vec<&str> = right.lines().collect();
    let rows = paired(compared(left, right));
    // A fold says how many lines it hides, not which: they are the next ones on the right.
    let mut next = 0;
    for row in rows {
        if row.hidden == 0 {
            let number = next;
            next += usize::from(row.right.is_some());
            let is_word_by_word = row.mark == RowMark::Changed;
            let left = row.left.map(|spans| plain(&spans, is_word_by_word));
            let right = row
                .right
                .map(|spans| out.marked(number, &spans, is_word_by_word));
            // Both sides are one row where nothing differs.
            let is_same = matches!(row.mark, RowMark::Same | RowMark::Heading);
            let left = match (left, &right) {
                (Some(_), Some(right)) if is_same => {
                    let line = lines.get(number).copied().unwrap_or_default();
                    Some(out.twin(line, right))
                }
                (left, _) => left,
            };
            out.push(TextRow {
                left,
                right,
                mark: row.mark,
                ..TextRow::default()
            });
            continue;
        }
        let hidden = next..next + row.hidden;
        next = hidden.end;
        if unfolded || hidden.clone().any(|line| out.claims.has_unsaid(line)) {
            for number in hidden {
                out.line(number, lines.get(number).copied().unwrap_or_default());
            }
        } else {
            out.push(fold(row.hidden));
        }
    }
}

/// A row of a comparison before it is marked.
#[derive(Default)]
struct ComparedRow {
    left: Option<Vec<Span>>,
    right: Option<Vec<Span>>,
    mark: RowMark,
    /// Unchanged lines that it stands for; 0 unless it is a fold.
    hidden: usize,
}

fn compared(left: &str, right: &str) -> Vec<ComparedRow> {
    let rows = diff::summary(left, right).into_iter();
    let converted = rows.map(|row| {
        let mark = match (row.kind, &row.left, &row.right) {
            (SummaryDiffKind::Added, ..) | (SummaryDiffKind::Heading, None, _) => RowMark::Added,
            (SummaryDiffKind::Removed, ..) | (SummaryDiffKind::Heading, _, None) => {
                RowMark::Removed
            }
            (SummaryDiffKind::Changed, ..) => RowMark::Changed,
            (SummaryDiffKind::Heading, ..) => RowMark::Heading,
            (SummaryDiffKind::Same | SummaryDiffKind::Fold { .. }, ..) => RowMark::Same,
        };
        let hidden = match row.kind {
            SummaryDiffKind::Fold { count } => count,
            _ => 0,
        };
        ComparedRow {
            left: row.left,
            right: row.right,
            mark,
            hidden,
        }
    });
    converted.collect()
}

/// Lines that went beside the lines that came in their place: side by side takes half
/// the rows, and the eye finds what replaced what. Headings keep rows of their own.
fn paired(rows: Vec<ComparedRow>) -> Vec<ComparedRow> {
    let mut out: Vec<ComparedRow> = Vec::with_capacity(rows.len());
    // The first row of the newest run of removed lines that has no partner yet.
    let mut free = None;
    for row in rows {
        let is_line = row.hidden == 0 && !starts_heading(&row);
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

fn starts_heading(row: &ComparedRow) -> bool {
    let text = row.left.as_ref().or(row.right.as_ref());
    text.and_then(|spans| spans.first())
        .is_some_and(|span| span.text.starts_with('#'))
}

fn plain(spans: &[Span], is_word_by_word: bool) -> Vec<MarkedText> {
    let pieces = spans.iter().map(|span| MarkedText {
        strong: is_word_by_word && span.changed,
        ..MarkedText::safe(&span.text, TextTone::Plain)
    });
    pieces.collect()
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

/// Each line of the summary (left) with the messages that say a claim of it, then those that
/// are only similar (right); then the messages that no line is similar to.
pub(super) fn sources(proposal: &CompactionProposal, out: &mut StopRows<'_>) {
    let Some(found) = &proposal.sources else {
        out.push(TextRow::left("reading the messages …"));
        return;
    };
    for (number, line) in proposal.summary.lines().enumerate() {
        let own = found.lines.iter().find(|source| source.line == number);
        let notes = own.map_or_else(Vec::new, source_notes);
        let similar = own.filter(|own| own.exact.is_empty());
        let similar = similar.and_then(|own| own.similar.first());
        if let Some((id, words)) = similar.filter(|_| !out.claims.has_any(number)) {
            let words = format!("similar to {id}, but not said there: {words}");
            out.row_stop(words, false, id.clone());
        }
        let mut row = out.line_row(number, line);
        row.left = row.right.take();
        row.notes = notes;
        out.push(row);
    }
    if !found.uncovered.is_empty() {
        let count = numbers::plural(found.uncovered.len() as u64, "message");
        let title = format!("{count} not covered by any line");
        out.push(TextRow::default());
        out.push(TextRow::left(&title).marked(RowMark::Heading));
        for (id, words) in &found.uncovered {
            out.row_stop(format!("no line covers {id}"), true, id.clone());
            let row = out.plain_row(&format!("{id} {words}"), TextTone::Plain);
            out.push(row.marked(RowMark::Removed));
        }
    }
}

fn source_notes(line: &SummaryLine) -> Vec<Vec<MarkedText>> {
    let note = |sign: &str, id: &EntryId, words: &str| {
        vec![MarkedText::safe(
            &format!("{sign} {id} {words}"),
            TextTone::Plain,
        )]
    };
    let exact = line.exact.iter().map(|(id, words)| note("←", id, words));
    let similar = line.similar.iter();
    let similar = similar.map(|(id, words)| note("≈ similar:", id, words));
    exact.chain(similar).collect()
}

/// A first summary beside the turns that go, or after them where there is no room.
pub(super) fn turns(proposal: &CompactionProposal, sides: TextSides, out: &mut StopRows<'_>) {
    for turn in &proposal.comparison.turns {
        turn_rows(turn, out);
    }
    let summary = proposal.summary.lines().enumerate();
    if sides == TextSides::Split {
        for (number, line) in summary {
            out.beside(number, line);
        }
    } else {
        out.push(TextRow::default());
        out.push(TextRow::left("new summary").marked(RowMark::Fold));
        for (number, line) in summary {
            out.line(number, line);
        }
    }
}

fn turn_rows(turn: &ReplacedTurn, out: &mut StopRows<'_>) {
    let words = format!("{}: turn {}", turn.cover.name(), turn.in_words());
    out.row_stop(words, turn.cover == TurnCover::Missing, turn.entry.clone());
    let tone = match turn.cover {
        TurnCover::Covered => TextTone::Good,
        TurnCover::Partly | TurnCover::Missing => TextTone::Bad,
        TurnCover::Unchecked => TextTone::Quiet,
    };
    let mut row = out.plain_row(&turn.in_words(), TextTone::Plain);
    let sign = MarkedText::safe(&format!("{} ", turn.cover.sign()), tone);
    if let Some(pieces) = &mut row.left {
        pieces.insert(0, sign);
    }
    out.push(TextRow { indent: 2, ..row });
    for lost in turn.lost.iter().take(LOST_ROWS) {
        let words = format!("{} ← {}", lost.in_words(), lost.entry);
        out.row_stop(words, true, lost.entry.clone());
        let row = out.plain_row(&format!("    {}", lost.in_words()), TextTone::Bad);
        out.push(TextRow { indent: 6, ..row });
    }
    let more = turn.lost.len().saturating_sub(LOST_ROWS);
    if more > 0 {
        let words = format!("    and {more} more");
        out.push(TextRow {
            left: Some(vec![MarkedText::safe(&words, TextTone::Bad)]),
            ..TextRow::default()
        });
    }
}
