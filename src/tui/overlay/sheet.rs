//! A long text, or two of them side by side, row by row: scrolled, searched, with marks
//! for what differs. Rows are wrapped when they come on screen, so a frame costs the
//! viewport and not the text.
//!
//! Invariant: rows hold safe text; what is copied comes from the owner, never from here.

use std::cell::Cell;

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;

use super::keys::Motion;
use super::paint;
use super::search::{Outcome, Search};

/// From this width on two texts fit side by side.
pub const SPLIT_MIN_WIDTH: u16 = 100;

/// Longer lines are broken before they are wrapped: wrapping one row stays cheap even
/// when a file has a megabyte in a single line.
const ROW_MAX_CHARS: usize = 2_000;

/// Columns in front of each row for its sign.
const SIGN_COLUMNS: u16 = 2;

/// What a row means; decides its sign and colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// The same on both sides, or nothing to compare with.
    #[default]
    Same,
    /// Only on the right.
    Added,
    /// Only on the left.
    Removed,
    /// On both sides, with differences.
    Changed,
    /// Two lines that stand in the same place and have little in common.
    Replaced,
    /// On disk and not sent.
    Cut,
    /// A heading.
    Heading,
    /// Rows that are folded away.
    Fold,
}

/// Text with or without emphasis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// Safe text without line breaks.
    pub text: String,
    /// Emphasised: the words that changed.
    pub strong: bool,
}

/// One row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Left, or only, text.
    pub left: Option<Vec<Piece>>,
    /// Right text.
    pub right: Option<Vec<Piece>>,
    /// Remarks on the left text, one line each: beside its own lines in two columns, under
    /// them in one. What is too long for a line is cut.
    pub notes: Vec<Vec<Piece>>,
    /// What it means.
    pub mark: Mark,
    /// Columns before the lines that continue one that is too long for the screen.
    pub indent: u16,
}

/// Makes a text safe for a row.
pub fn piece(text: &str) -> Vec<Piece> {
    let tabless = wrap::expand_tabs(text);
    vec![Piece {
        text: safe::visible(&tabless).into_owned(),
        strong: false,
    }]
}

/// The lines of a text, very long ones broken.
pub fn lines(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some((at, _)) = rest.char_indices().nth(ROW_MAX_CHARS) {
            let Some((head, tail)) = rest.split_at_checked(at) else {
                break;
            };
            out.push(head.to_owned());
            rest = tail;
        }
        out.push(rest.to_owned());
    }
    out
}

/// Rows with a scroll position and a search.
#[derive(Debug, Default)]
pub struct Sheet {
    rows: Vec<Row>,
    /// First visible row, and how many of its wrapped lines are above the screen.
    top: Cell<(usize, usize)>,
    shape: Cell<Shape>,
    /// A row to bring into sight at the next draw.
    wanted: Cell<Option<usize>>,
    search: Search,
}

/// How the rows were laid out last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Shape {
    width: u16,
    height: u16,
    layout: Layout,
}

/// Which sides are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Layout {
    /// One after the other where they differ.
    #[default]
    Unified,
    /// Side by side.
    Split,
    /// The left one only.
    Left,
    /// The right one only.
    Right,
}

impl Sheet {
    /// A sheet that shows these rows from the start.
    pub fn new(rows: Vec<Row>) -> Self {
        Self {
            rows,
            ..Self::default()
        }
    }

    /// A sheet with the lines of one text.
    pub fn of_text(text: &str) -> Self {
        let row = |line: &String| Row {
            left: Some(piece(line)),
            ..Row::default()
        };
        Self::new(lines(text).iter().map(row).collect())
    }

    /// Shows other rows and keeps the position as far as there are rows.
    pub fn replace(&mut self, rows: Vec<Row>) {
        self.rows = rows;
        let (row, sub) = self.top.get();
        if row >= self.rows.len() {
            self.top.set((self.rows.len().saturating_sub(1), 0));
        } else {
            self.top.set((row, sub));
        }
    }

    /// Adds text that streams in and stays at its end.
    pub fn append(&mut self, text: &str) {
        for (at, line) in text.split('\n').enumerate() {
            let more = piece(line);
            let open = self.rows.last_mut().filter(|_| at == 0);
            match open.and_then(|row| row.left.as_mut()) {
                Some(left) => left.extend(more),
                None => self.rows.push(Row {
                    left: Some(more),
                    ..Row::default()
                }),
            }
        }
        self.motion(Motion::Last);
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Puts a row at the top of the screen, as far as the end allows.
    pub fn show(&self, row: usize) {
        self.top
            .set((row.min(self.rows.len().saturating_sub(1)), 0));
    }

    /// The row at the top of the screen.
    pub fn shown(&self) -> usize {
        self.top.get().0
    }

    /// Scrolls at the next draw as far as needed to bring a row into sight: only then is
    /// it known how much fits.
    pub fn reveal(&self, row: usize) {
        self.wanted.set(Some(row));
    }

    /// Whether the search field has the focus.
    pub fn is_searching(&self) -> bool {
        self.search.is_open()
    }

    /// Takes a key: movement and search. False when it means nothing here.
    pub fn on_key(&mut self, key: KeyEvent) -> bool {
        let start = self.search.hit().unwrap_or(self.top.get().0);
        let rows = &self.rows;
        let outcome = self.search.on_key(key, start, rows.len(), |at, search| {
            rows.get(at).is_some_and(|row| row_matches(row, search))
        });
        match outcome {
            Outcome::Hit(row) => {
                self.bring_into_view(row);
                return true;
            }
            Outcome::Consumed => return true,
            Outcome::Ignored => {}
        }
        match Motion::from_key(key) {
            Some(motion) => self.motion(motion),
            None => return false,
        }
        true
    }

    /// Text pasted into the search field; false when it is not open.
    pub fn on_paste(&mut self, text: &str) -> bool {
        self.search.on_paste(text)
    }

    /// Scrolls.
    pub fn motion(&self, motion: Motion) {
        let page = isize::from(i16::try_from(self.shape.get().height.max(1)).unwrap_or(i16::MAX));
        match motion {
            Motion::Up => self.scroll(-1),
            Motion::Down => self.scroll(1),
            Motion::PageUp => self.scroll(-page),
            Motion::PageDown => self.scroll(page),
            Motion::HalfUp => self.scroll(-(page / 2).max(1)),
            Motion::HalfDown => self.scroll((page / 2).max(1)),
            Motion::First => self.top.set((0, 0)),
            Motion::Last => self.top.set(self.last_top()),
        }
    }

    /// Where the screen stands, for a status line: `all`, `top`, `37%`, `end`.
    pub fn place(&self) -> String {
        let last = self.last_top();
        let (row, _) = self.top.get();
        if last == (0, 0) {
            "all".to_owned()
        } else if self.top.get() == (0, 0) {
            "top".to_owned()
        } else if self.top.get() >= last {
            "end".to_owned()
        } else {
            format!("{}%", row * 100 / self.rows.len().max(1))
        }
    }

    /// Draws the rows, in two columns when `split`; with an open search, its field
    /// takes the last row and the caret's position is returned.
    pub fn draw(
        &self,
        area: Rect,
        buffer: &mut Buffer,
        split: bool,
        theme: &Theme,
    ) -> Option<Position> {
        let layout = if split {
            Layout::Split
        } else {
            Layout::Unified
        };
        self.draw_as(layout, area, buffer, theme)
    }

    /// Draws one of two sides.
    pub fn draw_side(
        &self,
        area: Rect,
        buffer: &mut Buffer,
        right: bool,
        theme: &Theme,
    ) -> Option<Position> {
        let layout = if right { Layout::Right } else { Layout::Left };
        self.draw_as(layout, area, buffer, theme)
    }

    fn draw_as(
        &self,
        layout: Layout,
        area: Rect,
        buffer: &mut Buffer,
        theme: &Theme,
    ) -> Option<Position> {
        let split = layout == Layout::Split;
        let mut height = area.height;
        let mut caret = None;
        if self.search.is_open() && height > 0 {
            height -= 1;
            caret = self.search.draw(area, height, buffer, theme);
        }
        self.shape.set(Shape {
            width: area.width,
            height,
            layout,
        });
        if let Some(row) = self.wanted.take() {
            self.bring_into_view(row);
        }
        if self.top.get() > self.last_top() {
            self.top.set(self.last_top());
        }
        let (mut at, mut skip) = self.top.get();
        let mut y = 0;
        while y < height {
            let Some(row) = self.rows.get(at) else { break };
            let (left, right) = self.layout(row, Some((theme, self.search.hit() == Some(at))));
            for line in skip..left.len().max(right.len()) {
                if y >= height {
                    break;
                }
                if let Some(left) = left.get(line) {
                    paint::line(buffer, area, (0, y), left);
                }
                if split {
                    let middle = half(area.width);
                    paint::text(buffer, area, (middle, y), 1, "│", theme.border);
                    if let Some(right) = right.get(line) {
                        paint::line(buffer, area, (middle + 1, y), right);
                    }
                }
                y += 1;
            }
            skip = 0;
            at += 1;
        }
        caret
    }

    fn bring_into_view(&self, row: usize) {
        let (top, _) = self.top.get();
        let mut used = 0;
        for at in top..=row {
            used += self.rows.get(at).map_or(0, |row| self.height_of(row));
            if used > usize::from(self.shape.get().height) {
                self.show(row.saturating_sub(2));
                return;
            }
        }
        if row < top {
            self.show(row.saturating_sub(2));
        }
    }

    fn scroll(&self, lines: isize) {
        let (mut row, sub) = self.top.get();
        let mut sub = sub as isize + lines;
        while sub < 0 && row > 0 {
            row -= 1;
            sub += self.rows.get(row).map_or(0, |row| self.height_of(row)) as isize;
        }
        while let Some(own) = self.rows.get(row) {
            let height = self.height_of(own) as isize;
            if sub < height {
                break;
            }
            sub -= height;
            row += 1;
        }
        self.top
            .set((row, sub.max(0) as usize).min(self.last_top()));
    }

    /// The position at which the last line stands at the bottom.
    fn last_top(&self) -> (usize, usize) {
        let mut left = usize::from(self.shape.get().height);
        for (at, row) in self.rows.iter().enumerate().rev() {
            let height = self.height_of(row);
            if height >= left {
                return (at, height - left);
            }
            left -= height;
        }
        (0, 0)
    }

    fn height_of(&self, row: &Row) -> usize {
        let (left, right) = self.layout(row, None);
        left.len().max(right.len())
    }

    /// The wrapped lines of a row for the left (or only) and the right column.
    fn layout(
        &self,
        row: &Row,
        paint: Option<(&Theme, bool)>,
    ) -> (Vec<Line<'static>>, Vec<Line<'static>>) {
        let Shape { width, layout, .. } = self.shape.get();
        let split = layout == Layout::Split;
        let side = |pieces: &Option<Vec<Piece>>, is_left: bool, width: u16| {
            pieces.as_ref().map_or_else(Vec::new, |pieces| {
                let line = self.line(pieces, row.mark, is_left, paint);
                // The sign is of the row, not of the words after it that changed.
                let style = paint.map(|(theme, _)| style(row.mark, is_left, false, theme));
                let sign = Span::styled(sign(row.mark, is_left, split), style.unwrap_or_default());
                with_sign(&line, &sign, width, row.indent)
            })
        };
        if split {
            let middle = half(width);
            let right_width = width.saturating_sub(middle + 1);
            let mut right = side(&row.right, false, right_width);
            right.extend(self.notes(row, right_width, paint));
            (side(&row.left, true, middle), right)
        } else if layout == Layout::Left || is_once(row) {
            let mut lines = side(&row.left, true, width);
            lines.extend(self.notes(row, width, paint));
            (lines, Vec::new())
        } else if layout == Layout::Right {
            (side(&row.right, false, width), Vec::new())
        } else {
            let mut lines = side(&row.left, true, width);
            lines.extend(side(&row.right, false, width));
            (lines, Vec::new())
        }
    }

    fn notes(
        &self,
        row: &Row,
        width: u16,
        paint: Option<(&Theme, bool)>,
    ) -> impl Iterator<Item = Line<'static>> {
        let room = usize::from(width.saturating_sub(SIGN_COLUMNS)).max(1);
        row.notes.iter().flat_map(move |note| {
            let cut = note.iter().map(|piece| Piece {
                text: safe::one_line(&piece.text, room),
                strong: piece.strong,
            });
            let line = self.line(&cut.collect::<Vec<_>>(), Mark::Fold, false, paint);
            with_sign(&line, &Span::raw("  "), width, 0)
        })
    }

    fn line(
        &self,
        pieces: &[Piece],
        mark: Mark,
        is_left: bool,
        paint: Option<(&Theme, bool)>,
    ) -> Line<'static> {
        let Some((theme, is_hit)) = paint else {
            let plain = |piece: &Piece| Span::raw(piece.text.clone());
            return Line::from(pieces.iter().map(plain).collect::<Vec<_>>());
        };
        let mut spans = Vec::new();
        for piece in pieces {
            let style = style(mark, is_left, piece.strong, theme);
            if is_hit {
                spans.extend(self.search.highlight(&piece.text, style, theme.selection));
            } else {
                spans.push(Span::styled(piece.text.clone(), style));
            }
        }
        Line::from(spans)
    }
}

fn row_matches(row: &Row, search: &Search) -> bool {
    let sides = row.left.iter().chain(&row.right);
    sides
        .chain(&row.notes)
        .any(|pieces| search.matches(&pieces.iter().map(|p| p.text.as_str()).collect::<String>()))
}

/// Whether both sides say the same, so that one after the other would repeat it.
fn is_once(row: &Row) -> bool {
    let is_same = matches!(row.mark, Mark::Same | Mark::Heading | Mark::Fold);
    is_same && row.left.is_some() && (row.right.is_none() || row.left == row.right)
}

fn half(width: u16) -> u16 {
    width.saturating_sub(1) / 2
}

fn sign(mark: Mark, is_left: bool, split: bool) -> &'static str {
    match (mark, is_left, split) {
        (Mark::Added, ..) | (Mark::Replaced, false, _) | (Mark::Changed, false, false) => "+ ",
        (Mark::Removed, ..) | (Mark::Replaced, true, _) | (Mark::Changed, true, false) => "- ",
        (Mark::Changed, _, true) => "~ ",
        (Mark::Cut, true, _) => "× ",
        (Mark::Fold, ..) => "· ",
        _ => "  ",
    }
}

fn style(mark: Mark, is_left: bool, strong: bool, theme: &Theme) -> Style {
    match (mark, is_left, strong) {
        (Mark::Added, _, true) | (Mark::Changed, false, true) => theme.diff_added_word,
        (Mark::Added, _, false) | (Mark::Replaced, false, _) => theme.diff_added,
        (Mark::Removed, _, true) | (Mark::Changed, true, true) => theme.diff_removed_word,
        (Mark::Removed, _, false) | (Mark::Replaced, true, _) | (Mark::Cut, true, true) => {
            theme.diff_removed
        }
        (Mark::Cut, false, true) => theme.warning,
        (Mark::Fold, ..) => theme.dim,
        (Mark::Heading, ..) => theme.heading,
        _ => theme.text,
    }
}

/// Wraps a line behind its sign; continuation lines are indented as far, and by `indent` more.
fn with_sign(
    line: &Line<'static>,
    sign: &Span<'static>,
    width: u16,
    indent: u16,
) -> Vec<Line<'static>> {
    let wrapped = if line.spans.iter().all(|span| span.content.is_empty()) {
        vec![Line::default()]
    } else {
        wrap::wrap_indent(line, width.saturating_sub(SIGN_COLUMNS).max(1), indent)
    };
    let mut out = Vec::with_capacity(wrapped.len());
    for (at, mut line) in wrapped.into_iter().enumerate() {
        let lead = if at == 0 {
            sign.clone()
        } else {
            Span::styled("  ", sign.style)
        };
        line.spans.insert(0, lead);
        out.push(line);
    }
    out
}
