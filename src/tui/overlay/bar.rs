//! The stacked bar of the ledger: one texture and colour per category, free space, the
//! load line, and what a change would add or free. Textures keep it readable without
//! colours.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::context::{ByCategory, Category, ContextView};
use crate::tui::theme::Theme;

use super::{numbers, paint};

/// One texture per category, in the order of [`Category::ALL`].
const TEXTURES: [&str; 7] = ["█", "▓", "▞", "▒", "▚", "░", "▪"];

/// The texture of a category.
pub fn texture(category: Category) -> &'static str {
    TEXTURES.get(category.index()).copied().unwrap_or("█")
}

/// What people call a category.
pub fn label(category: Category) -> &'static str {
    match category {
        Category::ToolResults => "results",
        other => other.name(),
    }
}

/// Draws the bar into a row; `change` is what an override would add or free.
pub fn stacked(
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
            paint::text(buffer, area, (column, row), 1, texture(category), style);
            column += 1;
        }
    }
    for free in column..area.width {
        paint::text(buffer, area, (free, row), 1, "·", theme.gauge_free);
    }
    let after = columns(used.saturating_add_signed(change));
    for extra in column..after {
        paint::text(buffer, area, (extra, row), 1, "+", theme.warning);
    }
    for freed in after..column {
        paint::text(buffer, area, (freed, row), 1, "-", theme.success);
    }
    if view.window.load_line_effective > 0 {
        let at = columns(view.window.load_line_effective).min(area.width.saturating_sub(1));
        paint::text(buffer, area, (at, row), 1, "╎", theme.load_line);
    }
}

/// Tokens per category in one line; empty categories are left away.
pub fn legend(usage: &ByCategory, theme: &Theme) -> Line<'static> {
    let mut spans = Vec::new();
    for category in Category::ALL {
        let tokens = usage.get(category);
        if tokens == 0 {
            continue;
        }
        if !spans.is_empty() {
            spans.push(Span::styled("  ", theme.dim));
        }
        let style = theme.gauge[category.index()];
        spans.push(Span::styled(texture(category), style));
        spans.push(Span::styled(format!(" {} ", label(category)), theme.dim));
        spans.push(Span::styled(numbers::short(tokens), theme.text));
    }
    Line::from(spans)
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
        let usage = ByCategory([3_000, 8_000, 12, 20_000, 1, 40_000, 0]);
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
