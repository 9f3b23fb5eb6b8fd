//! The stacked bar of the ledger: the gauge's textures and colours, free space, where
//! compaction happens by itself, and what a change would add or free. Textures keep it readable without colours.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::context::{ByCategory, Category, ContextView};
use crate::tui::gauge;
use crate::tui::theme::Theme;

use super::super::numbers;
use crate::tui::widget::paint;

/// The name of a category for people.
pub(super) fn label(category: Category) -> &'static str {
    match category {
        Category::ToolResults => "results",
        other => other.name(),
    }
}

/// Draws the bar into a row; `change` is what an override would add or free.
pub(super) fn stacked(
    buffer: &mut Buffer,
    area: Rect,
    row: u16,
    view: &ContextView,
    change: i64,
    theme: &Theme,
) {
    let used = view.usage.by_category.total();
    let whole = view
        .window
        .tokens
        .unwrap_or(0)
        .max(used.saturating_add_signed(change.max(0)))
        .max(1);
    let columns = |tokens: u64| -> u16 {
        (tokens as f64 / whole as f64 * f64::from(area.width)).round() as u16
    };
    let cells = segments(&view.usage.by_category, whole, area.width);
    let mut column = 0;
    for (category, width) in cells {
        for _ in 0..width {
            let style = theme.gauge[category.index()];
            paint::text(
                buffer,
                area,
                (column, row),
                1,
                gauge::texture(category),
                style,
            );
            column += 1;
        }
    }
    for free in column..area.width {
        paint::text(buffer, area, (free, row), 1, "·", theme.gauge_free);
    }
    // A change of any size is at least one column, else it would not be seen.
    let moved = columns(change.unsigned_abs()).max(u16::from(change != 0));
    let (cells, sign, style) = if change > 0 {
        (column..column.saturating_add(moved), "+", theme.warning)
    } else {
        (column.saturating_sub(moved)..column, "-", theme.success)
    };
    for cell in cells {
        paint::text(buffer, area, (cell, row), 1, sign, style);
    }
    if let Some(compacts_at) = view.compaction.compacts_at {
        let at = columns(compacts_at).min(area.width.saturating_sub(1));
        paint::text(buffer, area, (at, row), 1, "╎", theme.load_line);
    }
}

/// Tokens per category, as many to a line as fit; empty categories are left away.
pub(super) fn legend(usage: &ByCategory, width: u16, theme: &Theme) -> Vec<Line<'static>> {
    let mut lines: Vec<Line<'static>> = Vec::new();
    for category in Category::ALL {
        let tokens = usage.get(category);
        if tokens == 0 {
            continue;
        }
        let style = theme.gauge[category.index()];
        let entry = [
            Span::styled(gauge::texture(category), style),
            Span::styled(format!(" {} ", label(category)), theme.dim),
            Span::styled(numbers::short(tokens), theme.text),
            Span::raw("  "),
        ];
        let own: usize = entry.iter().map(Span::width).sum();
        match lines.last_mut() {
            // The blanks at the end of a line may stick out.
            Some(line) if line.width() + own <= usize::from(width) + 2 => line.spans.extend(entry),
            _ => lines.push(Line::from(entry.to_vec())),
        }
    }
    lines
}

/// Columns per category. Boundaries are rounded, not widths, so they add up; whatever
/// is there keeps at least one column while there is room.
fn segments(usage: &ByCategory, whole: u64, width: u16) -> Vec<(Category, u16)> {
    let mut out = Vec::new();
    let mut tokens = 0_u64;
    let mut column = 0_u16;
    for category in Category::ALL {
        let own = usage.get(category);
        tokens = tokens.saturating_add(own);
        let end = (tokens as f64 / whole as f64 * f64::from(width)).round() as u16;
        let end = if own > 0 {
            end.max(column + 1)
        } else {
            end.max(column)
        };
        let end = end.min(width);
        out.push((category, end - column));
        column = end;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_fill_what_is_used_and_never_more_than_the_width() {
        let usage = ByCategory([3_000, 8_000, 0, 0, 0, 12, 0, 20_000, 0, 1, 40_000, 0]);
        for width in 0..200 {
            let cells = segments(&usage, 200_000, width);
            let sum: u16 = cells.iter().map(|(_, columns)| columns).sum();
            assert!(sum <= width);
            if width >= 20 {
                for (category, columns) in cells {
                    assert_eq!(
                        columns > 0,
                        usage.get(category) > 0,
                        "{category:?} at {width}"
                    );
                }
            }
        }
    }
}
