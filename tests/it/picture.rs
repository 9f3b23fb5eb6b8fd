//! README's picture, `assets/screen.svg`: the demo session through the real update loop
//! and renderer, its cells as SVG. It fails when it is stale; `BLESS=1 cargo test` draws
//! it again.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use plimsoll::agent::{AgentEvent, ContextEvent, SessionEvent, SessionInfo};
use plimsoll::context::PruneSettings;
use plimsoll::transcript::{Entry, EntryBody, EntryId, ModelRef};
use plimsoll::tui::testing::Harness;
use plimsoll::tui::theme::Theme;
use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::demo;

/// The screen, in cells.
const COLUMNS: u16 = 112;
const ROWS: u16 = 38;
/// A cell, in pixels: the proportions of common terminal fonts at 14 px.
const CELL_WIDTH: f64 = 8.43;
const CELL_HEIGHT: f64 = 18.0;
/// From the top of a cell to the line that letters stand on.
const BASELINE: f64 = 13.5;
/// Above and below a bar.
const BAR_INSET: f64 = 2.0;
/// Around the screen.
const MARGIN: f64 = 14.0;
/// The background of a dark terminal; themes leave it alone.
const PAPER: &str = "#15191f";
/// Where no style says otherwise.
const INK: &str = "#d6d9de";

/// The demo, opened a day later, scrolled to its summary.
fn scene() -> Buffer {
    let mut transcript = demo::transcript();
    let (_, decisions) = demo::evaluate(&transcript, PruneSettings::default());
    for (number, decision) in decisions.into_iter().enumerate() {
        let entry = Entry {
            id: EntryId::new(format!("d{number:07}")),
            parent: transcript.leaf().cloned(),
            timestamp: demo::LATER,
            body: EntryBody::Decision(decision),
        };
        transcript.push(Arc::new(entry)).unwrap();
    }
    let (view, _) = demo::evaluate(&transcript, PruneSettings::default());
    let mut harness = Harness::new(COLUMNS, ROWS);
    harness.model.look.theme = Theme::bundled("dark").unwrap();
    harness.model.look.generation += 1;
    harness.wait(demo::LATER.0 - harness.model.now.0);
    harness.event(AgentEvent::Session(SessionEvent::Opened(Box::new(
        SessionInfo {
            id: "demo-ferry-times".to_owned(),
            name: "ferry times to timestamptz".to_owned(),
            path: None,
            cwd: "/home/ada/ferrytable".into(),
            read_only: None,
            branch: transcript.branch(),
            model: ModelRef::new("offline", "plain"),
            model_reason: String::new(),
            reasoning: None,
            engine: "layered".to_owned(),
            aside: Vec::new(),
            resumed: true,
            plan_mode: false,
            approvals: plimsoll::agent::ApprovalState::default(),
        },
    ))));
    harness.event(AgentEvent::Context(ContextEvent::View(Arc::new(view))));
    harness.type_text("/compact keep commit ids and the decisions about row 4471");
    harness.keys("pageup pageup pageup");
    harness.draw().0
}

#[test]
fn the_committed_picture_is_what_the_program_draws() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/screen.svg");
    crate::documents::same_or_bless(&path, &svg(&scene()));
}

/// The cells of a screen as a picture with text in it.
fn svg(buffer: &Buffer) -> String {
    let width = f64::from(buffer.area.width) * CELL_WIDTH + 2.0 * MARGIN;
    let height = f64::from(buffer.area.height) * CELL_HEIGHT + 2.0 * MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" rx=\"10\" fill=\"{PAPER}\"/>\n"
    );
    for row in 0..buffer.area.height {
        let mut column = 0;
        while column < buffer.area.width {
            column = run(buffer, row, column, &mut out);
        }
    }
    out.push_str("</svg>\n");
    out
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
    let x = MARGIN + f64::from(start) * CELL_WIDTH;
    let y = MARGIN + f64::from(row) * CELL_HEIGHT;
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
    let (top, tall) = (y + inset, CELL_HEIGHT - 2.0 * inset);
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
            y + BASELINE,
            text.replace('&', "&amp;").replace('<', "&lt;")
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
