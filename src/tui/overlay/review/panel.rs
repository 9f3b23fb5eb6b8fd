//! The audit below the texts: its words, what is under the cursor in the text, the findings.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use super::super::inspect::findings;
use super::draw::ReviewAreas;
use super::{Review, ReviewFocus};
use crate::tui::audit_line::{AuditLayout, FAILS_SIGN, audit_rows};
use crate::tui::render::safe;
use crate::tui::theme::Theme;
use crate::tui::widget::paint;

/// Rows of the audit's words on a screen with room for them.
const MAX_WORD_ROWS: usize = 3;

/// The audit's words in rows of a width: all of them; or one row, that of the part under the
/// cursor, else of the first part that does not hold.
pub(super) fn word_rows(
    review: &Review,
    width: u16,
    is_tall: bool,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let part = match review.focus {
        ReviewFocus::Part(at) => Some(at),
        ReviewFocus::Text | ReviewFocus::Stop(_) | ReviewFocus::Finding(_) => None,
    };
    let layout = AuditLayout {
        lead: "audit ",
        selected: part,
        width: width.saturating_sub(2),
    };
    let mut rows = audit_rows(&review.proposal.verdict.check, layout, theme);
    if is_tall {
        rows.truncate(MAX_WORD_ROWS);
        return rows;
    }
    let is_chosen = |span: &Span<'_>| span.style == span.style.patch(theme.selection);
    let fails = |span: &Span<'_>| span.content.starts_with(FAILS_SIGN);
    let wanted = |span: &Span<'_>| match part {
        Some(_) => is_chosen(span),
        None => fails(span),
    };
    let at = rows.iter().position(|row| row.spans.iter().any(wanted));
    rows.drain(..at.unwrap_or(0));
    rows.truncate(1);
    rows
}

/// Draws it.
pub(super) fn audit(review: &Review, areas: &ReviewAreas, buffer: &mut Buffer, theme: &Theme) {
    let area = areas.audit;
    let room = usize::from(area.width.saturating_sub(2));
    let chosen = review.chosen_stop().and_then(|at| review.stops.get(at));
    match chosen {
        Some(stop) => {
            let style = if stop.is_bad {
                theme.warning
            } else {
                theme.text
            };
            let sign = if stop.is_bad { "! " } else { "" };
            let words = safe::one_line(&format!("{sign}{}", stop.words), room);
            paint::text(buffer, area, (1, 0), area.width, &words, style);
        }
        None => {
            for (row, line) in (0..).zip(&areas.words) {
                paint::line(buffer, area, (1, row), line);
            }
        }
    }
    let focus = match review.focus {
        ReviewFocus::Finding(at) => Some(at),
        ReviewFocus::Text | ReviewFocus::Stop(_) | ReviewFocus::Part(_) => None,
    };
    let first = focus.map_or(0, |at| (at + 1).saturating_sub(areas.findings));
    let details = review.details.iter().enumerate();
    let shown = details.skip(first).take(areas.findings);
    for (row, (at, detail)) in (areas.words.len() as u16..).zip(shown) {
        let sign = findings::sign(detail, theme);
        paint::text(buffer, area, (2, row), 1, &sign.content, sign.style);
        let room = usize::from(area.width.saturating_sub(5));
        let words = safe::one_line(&findings::words(detail), room);
        paint::text(buffer, area, (4, row), area.width, &words, theme.text);
        if focus == Some(at) {
            paint::cursor(buffer, area, row, theme);
        }
    }
}
