//! The cells of a screen as SVG: text where there is text, rectangles for bars.

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// A cell, in pixels: the proportions of common terminal fonts at 14 px.
pub const CELL_WIDTH: f64 = 8.43;
pub const CELL_HEIGHT: f64 = 18.0;
/// From the top of a cell to the line that letters stand on.
pub const BASELINE: f64 = 13.5;
/// Above and below a bar.
const BAR_INSET: f64 = 2.0;
/// Around the screen.
pub const MARGIN: f64 = 14.0;
/// The background of a dark terminal; themes leave it alone.
pub const PAPER: &str = "#15191f";
/// Where no style says otherwise.
pub const INK: &str = "#d6d9de";

/// One row of a screen, drawn with its upper left corner at the origin.
pub fn row(buffer: &Buffer, row: u16) -> String {
    let mut out = String::new();
    let mut column = 0;
    while column < buffer.area.width {
        column = run(buffer, row, column, &mut out);
    }
    out
}

/// Text as SVG has it.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Draws the cells from `start` that look alike; answers with the first that does not.
fn run(buffer: &Buffer, row: u16, start: u16, out: &mut String) -> u16 {
    let cell = |column: u16| buffer.cell((column, row));
    let Some(first) = cell(start) else {
        return start + 1;
    };
    let mut end = start;
    let mut text = String::new();
    while let Some(next) = cell(end).filter(|next| end < buffer.area.width && alike(first, next)) {
        text.push_str(next.symbol());
        end += 1;
    }
    let x = f64::from(start) * CELL_WIDTH;
    let width = f64::from(end - start) * CELL_WIDTH;
    let is_reversed = first.modifier.contains(Modifier::REVERSED);
    let (ink, paper) = match (hex(first.fg), hex(first.bg)) {
        (ink, paper) if is_reversed => (
            paper.unwrap_or_else(|| PAPER.to_owned()),
            Some(ink.unwrap_or_else(|| INK.to_owned())),
        ),
        (ink, paper) => (ink.unwrap_or_else(|| INK.to_owned()), paper),
    };
    // Bars are a little lower than a line of text, so that they do not touch it.
    let inset = if block(first.symbol()).is_some() {
        BAR_INSET
    } else {
        0.0
    };
    let (top, tall) = (inset, CELL_HEIGHT - 2.0 * inset);
    if let Some(paper) = paper {
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{tall:.1}\" fill=\"{paper}\"/>"
        );
    }
    if let Some(eighths) = block(first.symbol()) {
        // Fonts leave gaps between blocks; rectangles do not.
        let cells = f64::from(end - start - 1) + f64::from(eighths) / 8.0;
        let _ = writeln!(
            out,
            "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{tall:.1}\" fill=\"{ink}\"/>",
            cells * CELL_WIDTH
        );
    } else if !text.trim().is_empty() {
        let weight = style(first.modifier);
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" textLength=\"{width:.1}\" fill=\"{ink}\"{weight} xml:space=\"preserve\">{}</text>",
            BASELINE,
            escaped(&text)
        );
    }
    end.max(start + 1)
}

/// Whether two cells may share a run. Partial blocks stand alone.
fn alike(a: &Cell, b: &Cell) -> bool {
    let is_same_kind = match (block(a.symbol()), block(b.symbol())) {
        (None, None) | (Some(8), Some(8)) => true,
        _ => std::ptr::eq(a, b),
    };
    is_same_kind && (a.fg, a.bg, a.modifier) == (b.fg, b.bg, b.modifier)
}

/// Eighths of a cell that a block character fills from the left.
fn block(symbol: &str) -> Option<u8> {
    let mut blocks = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"].iter();
    blocks
        .position(|block| *block == symbol)
        .map(|at| at as u8 + 1)
}

fn style(modifier: Modifier) -> String {
    let mut out = String::new();
    for (flag, attribute) in [
        (Modifier::BOLD, " font-weight=\"bold\""),
        (Modifier::ITALIC, " font-style=\"italic\""),
        (Modifier::UNDERLINED, " text-decoration=\"underline\""),
    ] {
        if modifier.contains(flag) {
            out.push_str(attribute);
        }
    }
    out
}

/// Bundled themes name every colour by its components.
fn hex(color: Color) -> Option<String> {
    match color {
        Color::Rgb(r, g, b) => Some(format!("#{r:02x}{g:02x}{b:02x}")),
        _ => None,
    }
}
