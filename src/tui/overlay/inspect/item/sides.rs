//! The texts of both sides as rows, with what is missing on one of them marked.

use crate::tui::widget::scroll_text::{MarkedText, safe_text, text_lines};
use crate::tui::widget::{RowMark, TextRow};

/// Words that are looked for in one row: a row may end within a sentence.
const WANTED_WORDS: usize = 4;

/// The first row on the left with the first of these words.
pub(super) fn row_with(rows: &[TextRow], words: &str) -> Option<usize> {
    let first: Vec<&str> = words.split_whitespace().take(WANTED_WORDS).collect();
    let first = first.join(" ");
    let says = |row: &TextRow| {
        let pieces = row.left.iter().flatten();
        let text: String = pieces.map(|piece| piece.text.as_str()).collect();
        text.contains(&first)
    };
    (!first.is_empty()).then(|| rows.iter().position(says))?
}

/// The rows at which a run of cut ones begins.
pub(super) fn cuts(rows: &[TextRow]) -> impl Iterator<Item = usize> {
    let is_cut = |at: usize| rows.get(at).is_some_and(|row| row.mark == RowMark::Cut);
    (0..rows.len()).filter(move |&at| is_cut(at) && !at.checked_sub(1).is_some_and(is_cut))
}

/// The text on disk, and what stands for it on the right, its first line emphasised.
pub(super) fn note(disk: Option<String>, remark: &str) -> Vec<TextRow> {
    let left = disk.map(|text| text_lines(&text)).unwrap_or_default();
    let right = text_lines(remark);
    let row = |at: usize| {
        let beside = right.get(at).map(|line| match at {
            0 => emphasised(line),
            _ => safe_text(line),
        });
        TextRow {
            left: left.get(at).map(|line| emphasised(line)),
            right: beside,
            mark: if at == 0 || at < left.len() {
                RowMark::Cut
            } else {
                RowMark::Same
            },
            ..TextRow::default()
        }
    };
    (0..left.len().max(right.len())).map(row).collect()
}

pub(super) fn both(text: &str) -> Vec<TextRow> {
    let lines = text_lines(text);
    lines.iter().map(|line| TextRow::both(line)).collect()
}

/// Aligns what is sent with what is on disk by their common start and end; what lies
/// between was cut (left) and stands for it (right).
pub(super) fn compare(disk: &str, sent: &str) -> Vec<TextRow> {
    let left = text_lines(disk);
    let right = text_lines(sent);
    let head = left.iter().zip(&right).take_while(|(a, b)| a == b).count();
    let room = left.len().min(right.len()) - head;
    let tail = left
        .iter()
        .rev()
        .zip(right.iter().rev())
        .take(room)
        .take_while(|(a, b)| a == b)
        .count();
    let cut = left.get(head..left.len() - tail).unwrap_or_default();
    let instead = right.get(head..right.len() - tail).unwrap_or_default();
    let mut rows: Vec<TextRow> = left
        .iter()
        .take(head)
        .map(|line| TextRow::both(line))
        .collect();
    rows.extend(between(cut, instead));
    rows.extend(
        left.iter()
            .skip(left.len() - tail)
            .map(|line| TextRow::both(line)),
    );
    rows
}

/// The lines that differ. A cut in the middle of a line leaves its start or its end:
/// those lines are beside what is left of them, with the missing part emphasised.
fn between(mut cut: &[String], mut instead: &[String]) -> Vec<TextRow> {
    let mut rows = Vec::new();
    let mut last = None;
    if let ([line, cut_rest @ ..], [kept, rest @ ..]) = (cut, instead)
        && !kept.is_empty()
        && let Some(missing) = line.strip_prefix(kept.as_str())
    {
        rows.push(partly(&[(kept, false), (missing, true)], kept));
        (cut, instead) = (cut_rest, rest);
    }
    if let ([cut_rest @ .., line], [rest @ .., kept]) = (cut, instead)
        && !kept.is_empty()
        && let Some(missing) = line.strip_suffix(kept.as_str())
    {
        last = Some(partly(&[(missing, true), (kept, false)], kept));
        (cut, instead) = (cut_rest, rest);
    }
    for at in 0..cut.len().max(instead.len()) {
        rows.push(TextRow {
            left: cut.get(at).map(|line| emphasised(line)),
            right: instead.get(at).map(|line| emphasised(line)),
            mark: RowMark::Cut,
            ..TextRow::default()
        });
    }
    rows.extend(last);
    rows
}

fn partly(left: &[(&str, bool)], right: &str) -> TextRow {
    let left = left.iter().flat_map(|(text, strong)| {
        if *strong {
            emphasised(text)
        } else {
            safe_text(text)
        }
    });
    TextRow {
        left: Some(left.collect()),
        right: Some(safe_text(right)),
        mark: RowMark::Cut,
        ..TextRow::default()
    }
}

fn emphasised(text: &str) -> Vec<MarkedText> {
    let mut pieces = safe_text(text);
    for piece in &mut pieces {
        piece.strong = true;
    }
    pieces
}
