//! The completion list.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::super::model::Model;
use super::super::render::{safe, wrap};
use super::rows::{blank, put};

/// Names take at most this share of the width, in percent.
const NAME_SHARE: usize = 50;

/// Draws the list over the other content.
pub(super) fn draw(model: &Model, area: Rect, buffer: &mut Buffer) {
    let Some(popup) = model.completion.popup() else {
        return;
    };
    let theme = &model.look.theme;
    let rows = usize::from(area.height);
    let first = (popup.selected + 1).saturating_sub(rows);
    let width = usize::from(area.width);
    let has_details = popup.items.iter().any(|item| !item.detail.is_empty());
    let most = if has_details {
        width * NAME_SHARE / 100
    } else {
        width.saturating_sub(3)
    };
    let widest = popup
        .items
        .iter()
        .map(|item| wrap::width(&item.label))
        .max();
    let column = widest.unwrap_or(0).min(most);
    blank(buffer, area, theme.text);
    for (y, (at, item)) in (0..area.height).zip(popup.items.iter().enumerate().skip(first)) {
        let is_selected = at == popup.selected;
        let label = safe::one_line(&item.label, column);
        let pad = " ".repeat(column - wrap::width(&label).min(column) + 2);
        let sign = if is_selected { " ▸ " } else { "   " };
        let room = width.saturating_sub(column + 5);
        let mut line = Line::from(vec![
            Span::styled(sign, theme.accent),
            Span::styled(label, theme.accent),
            Span::raw(pad),
            Span::styled(safe::one_line(&item.detail, room), theme.dim),
        ]);
        if is_selected {
            line.spans
                .push(Span::raw(" ".repeat(width.saturating_sub(line.width()))));
            for span in &mut line.spans {
                span.style = span.style.patch(theme.selection);
            }
        }
        put(buffer, area, y, &line);
    }
}
