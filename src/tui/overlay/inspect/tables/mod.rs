//! Facts in groups of rows: what the session cost, which tools there are. Where the columns
//! do not fit side by side they follow one another below each name; nothing is left out.
//!
//! Knows layout; what the rows say is in the functions that make them.

mod facts;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use super::super::hints::{self, ScreenHints};
use super::super::{Overlay, OverlayScene, Reaction};
use crate::agent::{EngineListing, SessionCost, ToolListing};
use crate::tui::keymap::{Screen, ScreenAction};
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;
use crate::tui::widget::{ScrollLines, paint};

/// Columns between two columns.
const COLUMN_SPACE: usize = 2;
/// A name takes at most this many columns beside its numbers.
const NAME_COLUMNS: usize = 44;
/// Columns that what belongs to a name is moved in by.
const INDENT: usize = 2;

/// Rows that share a heading and columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct FactGroup {
    title: String,
    /// Headings of the columns after the name.
    heads: Vec<String>,
    rows: Vec<TableFact>,
}

/// One row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct TableFact {
    name: String,
    cells: Vec<String>,
    /// Below it; may be empty.
    note: String,
}

/// How a line of the layout looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineTone {
    Heading,
    Name,
    Plain,
}

/// Shows groups of facts.
pub struct Tables {
    name: &'static str,
    title: String,
    remark: String,
    groups: Vec<FactGroup>,
    lines: ScrollLines,
}

impl Tables {
    /// The table of the session's cost.
    pub fn cost(account: &SessionCost) -> Self {
        let (remark, groups) = facts::cost(account);
        Self::new("cost", "cost of this session", remark, groups)
    }

    /// The tools that the model has.
    pub fn tools(tools: &[ToolListing]) -> Self {
        let (remark, groups) = facts::tools(tools);
        Self::new("tools", "tools of the model", remark, groups)
    }

    /// The context engines.
    pub fn engines(engines: &[EngineListing]) -> Self {
        let (remark, groups) = facts::engines(engines);
        Self::new("engines", "context engines", remark, groups)
    }

    fn new(name: &'static str, title: &str, remark: String, groups: Vec<FactGroup>) -> Self {
        Self {
            name,
            title: title.to_owned(),
            remark,
            groups,
            lines: ScrollLines::default(),
        }
    }

    /// All of it in lines for a terminal that can only print; they are safe to print.
    pub fn printed(&self, columns: u16) -> Vec<String> {
        let lines = self.toned_lines(columns).into_iter();
        lines.map(|(text, _)| text).collect()
    }

    fn toned_lines(&self, columns: u16) -> Vec<(String, LineTone)> {
        let mut out = Vec::new();
        for group in &self.groups {
            if !out.is_empty() {
                out.push((String::new(), LineTone::Plain));
            }
            group.push(usize::from(columns), &mut out);
        }
        out
    }
}

impl FactGroup {
    fn push(&self, columns: usize, out: &mut Vec<(String, LineTone)>) {
        let widths = self.widths();
        let numbers: usize = widths.iter().map(|width| width + COLUMN_SPACE).sum();
        let names = self.rows.iter().map(|row| wrap::width(&row.name));
        let name = names.max().unwrap_or(0).min(NAME_COLUMNS);
        let name = name.max(wrap::width(&self.title).min(NAME_COLUMNS));
        let is_wide = name + numbers <= columns;
        let title = if is_wide {
            beside(&self.title, &self.heads, name, &widths)
        } else {
            safe::one_line(&self.title, columns)
        };
        out.push((title, LineTone::Heading));
        for row in &self.rows {
            if is_wide {
                out.push((beside(&row.name, &row.cells, name, &widths), LineTone::Name));
            } else {
                out.push((safe::one_line(&row.name, columns), LineTone::Name));
                let pairs = self.heads.iter().zip(&row.cells);
                let pairs = pairs.filter(|(_, cell)| !cell.is_empty());
                let said: Vec<String> =
                    pairs.map(|(head, cell)| format!("{head} {cell}")).collect();
                push_wrapped(&said.join(" · "), columns, out);
            }
            push_wrapped(&row.note, columns, out);
        }
    }

    fn widths(&self) -> Vec<usize> {
        let width = |at: usize| {
            let cells = self.rows.iter().filter_map(|row| row.cells.get(at));
            let cells = cells.chain(self.heads.get(at));
            cells.map(|cell| wrap::width(cell)).max().unwrap_or(0)
        };
        (0..self.heads.len()).map(width).collect()
    }
}

/// A name and, flush right in their columns, what belongs to it.
fn beside(name: &str, cells: &[String], columns: usize, widths: &[usize]) -> String {
    let mut line = safe::one_line(name, columns);
    line.push_str(&" ".repeat(columns.saturating_sub(wrap::width(&line))));
    for (cell, width) in cells.iter().zip(widths) {
        let cell = safe::one_line(cell, *width);
        let pad = COLUMN_SPACE + width.saturating_sub(wrap::width(&cell));
        line.push_str(&" ".repeat(pad));
        line.push_str(&cell);
    }
    line.trim_end().to_owned()
}

fn push_wrapped(text: &str, columns: usize, out: &mut Vec<(String, LineTone)>) {
    if text.is_empty() {
        return;
    }
    let safe = safe::visible(text).into_owned();
    let room = columns.saturating_sub(INDENT).max(1);
    for line in wrap::wrap(&Line::raw(safe), room as u16) {
        out.push((format!("{}{line}", " ".repeat(INDENT)), LineTone::Plain));
    }
}

fn style(tone: LineTone, theme: &Theme) -> Style {
    match tone {
        LineTone::Heading => theme.heading,
        LineTone::Name => theme.text,
        LineTone::Plain => theme.dim,
    }
}

impl Overlay for Tables {
    fn name(&self) -> &'static str {
        self.name
    }

    fn screen(&self) -> Option<Screen> {
        Some(Screen::Facts)
    }

    fn on_key(&mut self, key: KeyEvent, scene: &OverlayScene<'_>) -> Reaction {
        match scene.keymap.screen_action(Screen::Facts, key) {
            Some(ScreenAction::Scroll(motion)) => self.lines.motion(motion),
            Some(ScreenAction::Back) => return Reaction::Close(Vec::new()),
            _ => return Reaction::Ignored,
        }
        Reaction::Consumed
    }

    fn layout(&mut self, area: Rect, scene: &OverlayScene<'_>) {
        let body = body(area, scene);
        let lines = self.toned_lines(body.width.saturating_sub(2)).into_iter();
        let styled = lines.map(|(text, tone)| Line::styled(text, style(tone, scene.theme)));
        self.lines.layout(styled.collect(), body.height);
    }

    fn draw(&self, area: Rect, buffer: &mut Buffer, scene: &OverlayScene<'_>) -> Option<Position> {
        let theme = scene.theme;
        paint::clear(buffer, area, theme.text);
        paint::title(buffer, area, &self.title, &self.remark, theme);
        if has_rule(area) {
            paint::rule(buffer, area, 1, theme);
        }
        self.lines.draw(body(area, scene), 1, buffer);
        if area.height > 2 {
            ScreenHints::of(Screen::Facts, scene).draw(area, buffer);
        }
        None
    }
}

/// A rule only where there is room for more than it.
fn has_rule(area: Rect) -> bool {
    area.height > 8
}

/// Where the lines are.
fn body(area: Rect, scene: &OverlayScene<'_>) -> Rect {
    let top = if has_rule(area) { 2 } else { 1 };
    if area.height > 2 {
        hints::above(area, top, Screen::Facts, scene)
    } else {
        paint::inner(area, top, 0)
    }
}

#[cfg(test)]
mod tests;
