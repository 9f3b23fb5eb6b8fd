//! The bar: categories stacked in eighths of a cell, and the ghost of what pruning has taken
//! out.

use ratatui::style::{Color, Style};
use ratatui::text::Span;

use crate::context::{Category, ContextView};

use super::super::theme::Theme;

/// Steps within one cell that block characters can show.
const EIGHTHS: u64 = 8;
/// Blocks that fill a cell from the left, by eighths.
const LEFT_BLOCKS: [&str; 9] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];
/// Blocks that fill a cell from below, by eighths.
const LOWER_BLOCKS: [char; 9] = ['▁', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// One texture per category, in the order of [`Category::ALL`]; the ledger has the same.
pub(super) const TEXTURES: [&str; Category::COUNT] =
    ["█", "▓", "▩", "▦", "▧", "▚", "▞", "▒", "▥", "░", "▤", "▪"];
const FREE: &str = "·";
/// Tokens that pruning keeps out of the view.
pub(super) const PRUNED: &str = "╌";

/// One span per run of equal cells, `width` columns together, which stand for `full` tokens.
pub(super) fn spans(
    view: &ContextView,
    full: u64,
    width: usize,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let scale = BarScale {
        full,
        eighths: width as u64 * EIGHTHS,
    };
    let ends = category_ends(view, &scale);
    let used = ends[ends.len() - 1];
    let ghost = scale.of(view.usage.tokens.saturating_add(view.prune.tokens_saved));
    let painter = Painter {
        ends,
        used,
        ghost,
        is_textured: theme.gauge.iter().all(|style| !is_coloured(*style)),
        theme,
    };
    let mut spans: Vec<Span<'static>> = Vec::new();
    for cell in 0..width as u64 {
        let (glyph, style) = painter.cell(cell * EIGHTHS);
        match spans.last_mut() {
            Some(span) if span.style == style => span.content.to_mut().push_str(glyph),
            _ => spans.push(Span::styled(glyph, style)),
        }
    }
    spans
}

/// The level of a view as one block character.
pub(super) fn block(view: &ContextView, full: u64) -> char {
    let scale = BarScale {
        full,
        eighths: EIGHTHS,
    };
    LOWER_BLOCKS
        .get(scale.of(view.usage.tokens) as usize)
        .copied()
        .unwrap_or('█')
}

fn is_coloured(style: Style) -> bool {
    style.fg.is_some_and(|color| color != Color::Reset)
}

struct BarScale {
    full: u64,
    eighths: u64,
}

impl BarScale {
    /// Tokens to eighths of a cell, cut at the end of the bar.
    fn of(&self, tokens: u64) -> u64 {
        let share = tokens as f64 / self.full.max(1) as f64;
        ((share * self.eighths as f64).round() as u64).min(self.eighths)
    }
}

/// Where each category ends, in eighths. Sums are scaled, not parts, so that rounding
/// does not add up.
fn category_ends(view: &ContextView, scale: &BarScale) -> [u64; Category::COUNT] {
    let mut ends = [0; Category::COUNT];
    let mut sum = 0_u64;
    for (end, category) in ends.iter_mut().zip(Category::ALL) {
        sum = sum.saturating_add(view.usage.by_category.get(category));
        *end = scale.of(sum);
    }
    // Something is in the window: show it, however large the window is.
    if sum > 0 {
        let last = ends.len() - 1;
        ends[last] = ends[last].max(1);
    }
    ends
}

struct Painter<'a> {
    ends: [u64; Category::COUNT],
    used: u64,
    ghost: u64,
    is_textured: bool,
    theme: &'a Theme,
}

impl Painter<'_> {
    /// The cell that starts at this eighth.
    fn cell(&self, start: u64) -> (&'static str, Style) {
        let end = start + EIGHTHS;
        if start >= self.used {
            return if start < self.ghost {
                (PRUNED, self.theme.pruned)
            } else {
                (FREE, self.theme.gauge_free)
            };
        }
        if self.is_textured {
            let at = self.category_at(start);
            return (TEXTURES[at], self.theme.gauge[at]);
        }
        let first = self.category_at(start);
        let boundary = self.ends[first].min(end);
        let style = self.theme.gauge[first];
        if boundary >= end {
            return (LEFT_BLOCKS[EIGHTHS as usize], style);
        }
        let eighths = (boundary - start).max(1) as usize;
        if boundary >= self.used {
            return (LEFT_BLOCKS[eighths], style);
        }
        // Two categories share the cell: the second one is its background.
        let second = self.theme.gauge[self.category_at(boundary)];
        match second.fg {
            Some(color) => (LEFT_BLOCKS[eighths], style.bg(color)),
            None => (LEFT_BLOCKS[EIGHTHS as usize], style),
        }
    }

    fn category_at(&self, eighth: u64) -> usize {
        self.ends
            .iter()
            .position(|&end| end > eighth)
            .unwrap_or(self.ends.len() - 1)
    }
}
