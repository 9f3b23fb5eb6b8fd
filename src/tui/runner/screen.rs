//! The terminal's screen as it was left, and the fewest bytes to the next frame. What only
//! moved up or down is moved by the terminal; nothing is written when nothing changed.
//!
//! Invariant: `shown` is what is on the terminal, cell for cell. A frame goes out in
//! one write and between the marks of a synchronized update: in pieces it could be seen.

use std::io::{self, Write};
use std::ops::Range;

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::queue;
use crossterm::terminal::{BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell, CellWidth as _};
use ratatui::layout::{Position, Rect};
use ratatui::style::Color;
use unicode_width::UnicodeWidthChar;

use crate::tui::render::link;

/// Rows that have to move for a scroll to be worth its bytes.
const MOVED_ROWS: usize = 3;

/// A screen that frames are drawn on.
pub(super) struct Screen<W: Write> {
    backend: CrosstermBackend<W>,
    /// The content of the terminal.
    shown: Buffer,
    /// The buffer of the next frame; kept for its memory.
    next: Buffer,
    /// Where the cursor is; `None` while it is hidden.
    cursor: Option<Position>,
    /// Whether nothing is known of what is on the terminal.
    is_lost: bool,
    /// Whether addresses are written.
    has_links: bool,
}

impl<W: Write> Screen<W> {
    /// A screen of which nothing is known yet: the first frame clears it.
    pub(super) fn new(out: W) -> Self {
        Self {
            backend: CrosstermBackend::new(out),
            shown: Buffer::default(),
            next: Buffer::default(),
            cursor: None,
            is_lost: true,
            has_links: false,
        }
    }

    /// Writes addresses from now on, or none.
    pub(super) fn use_links(&mut self, on: bool) {
        if std::mem::replace(&mut self.has_links, on) != on {
            self.is_lost = true;
        }
    }

    /// Somebody else wrote on the terminal: the next frame starts from a clear screen.
    pub(super) fn lose(&mut self) {
        self.is_lost = true;
    }

    /// Queues bytes that leave the cells alone, such as a title, before the next frame.
    ///
    /// # Errors
    ///
    /// When the terminal is gone.
    pub(super) fn queue(&mut self, sequence: &str) -> io::Result<()> {
        self.backend.write_all(sequence.as_bytes())
    }

    /// Shows a frame of the terminal's size. `paint` fills blank cells and answers with the
    /// place of the cursor, if it is to be seen.
    ///
    /// # Errors
    ///
    /// When the terminal is gone or does not know its size.
    pub(super) fn draw(
        &mut self,
        paint: impl FnOnce(Rect, &mut Buffer) -> Option<Position>,
    ) -> io::Result<()> {
        let area = Rect::from((Position::ORIGIN, self.backend.size()?));
        self.show(area, paint)?;
        io::Write::flush(&mut self.backend)
    }

    fn show(
        &mut self,
        area: Rect,
        paint: impl FnOnce(Rect, &mut Buffer) -> Option<Position>,
    ) -> io::Result<()> {
        let is_fresh = std::mem::take(&mut self.is_lost) || self.shown.area != area;
        if is_fresh {
            self.shown = Buffer::empty(area);
            self.next = Buffer::empty(area);
        } else {
            self.next.reset();
        }
        let cursor = paint(area, &mut self.next);
        let changed = changed_rows(&self.shown, &self.next);
        if !is_fresh && cursor == self.cursor && !changed.contains(&true) {
            return Ok(());
        }
        queue!(self.backend, BeginSynchronizedUpdate)?;
        if is_fresh {
            queue!(self.backend, Clear(ClearType::All))?;
        } else if let Some(moved) = ScrolledRows::between(&self.shown, &self.next, &changed) {
            moved.queue(&mut self.backend)?;
            moved.apply(&mut self.shown);
        }
        self.write_changes()?;
        match cursor {
            Some(Position { x, y }) => {
                queue!(self.backend, MoveTo(x, y))?;
                if is_fresh || self.cursor.is_none() {
                    queue!(self.backend, Show)?;
                }
            }
            None if is_fresh || self.cursor.is_some() => queue!(self.backend, Hide)?,
            None => {}
        }
        queue!(self.backend, EndSynchronizedUpdate)?;
        self.cursor = cursor;
        std::mem::swap(&mut self.shown, &mut self.next);
        Ok(())
    }

    /// Writes the cells that changed. A row of which the terminal may have another idea is
    /// cleared and written as a whole.
    fn write_changes(&mut self) -> io::Result<()> {
        let doubtful = doubtful_rows(&self.shown, &self.next);
        let is_doubtful = |row: u16| doubtful.get(usize::from(row)) == Some(&true);
        let changes = self.shown.diff_iter(&self.next);
        let changes: Vec<WrittenCell<'_>> = changes.filter(|it| !is_doubtful(it.1)).collect();
        write_cells(&mut self.backend, &changes, self.has_links)?;
        for row in (0..self.next.area.height).filter(|row| is_doubtful(*row)) {
            queue!(self.backend, MoveTo(0, row), Clear(ClearType::UntilNewLine))?;
            let cells = whole_row(&self.next, row);
            write_cells(&mut self.backend, &cells, self.has_links)?;
        }
        Ok(())
    }
}

/// A cell at its column and row.
type WrittenCell<'a> = (u16, u16, &'a Cell);

/// Writes cells, those of an address between the marks of one.
fn write_cells<W: Write>(
    backend: &mut CrosstermBackend<W>,
    cells: &[WrittenCell<'_>],
    has_links: bool,
) -> io::Result<()> {
    if cells.iter().all(|it| link::number_of(it.2).is_none()) {
        return backend.draw(cells.iter().copied());
    }
    for run in cells.chunk_by(|a, b| link::number_of(a.2) == link::number_of(b.2)) {
        let number = run.first().and_then(|it| link::number_of(it.2));
        let opening = number.filter(|_| has_links).and_then(link::opening);
        if let Some(opening) = &opening {
            backend.write_all(opening.as_bytes())?;
        }
        let plain: Vec<(u16, u16, Cell)> = run
            .iter()
            .map(|&(x, y, cell)| {
                let mut cell = cell.clone();
                // The number of the address is no colour.
                cell.underline_color = Color::Reset;
                (x, y, cell)
            })
            .collect();
        backend.draw(plain.iter().map(|(x, y, cell)| (*x, *y, cell)))?;
        if opening.is_some() {
            backend.write_all(link::CLOSING.as_bytes())?;
        }
    }
    Ok(())
}

/// The cells of a row that are written: not the second halves of wide ones.
fn whole_row(buffer: &Buffer, row: u16) -> Vec<WrittenCell<'_>> {
    let mut written = Vec::with_capacity(buffer.area.width.into());
    let mut next = 0;
    for (x, cell) in (0..buffer.area.width).zip(cells(buffer, row.into())) {
        if x >= next {
            written.push((x, row, cell));
            next = x.saturating_add(cell.cell_width().max(1));
        }
    }
    written
}

/// Of each row that changes, whether it has or had a grapheme whose width terminals do not
/// agree on: flags, emoji of several characters. What one of them left behind nobody knows.
fn doubtful_rows(shown: &Buffer, next: &Buffer) -> Vec<bool> {
    let rows = changed_rows(shown, next).into_iter().enumerate();
    let has_doubt = |buffer: &Buffer, row: usize| cells(buffer, row).iter().any(is_doubtful);
    rows.map(|(row, is_changed)| is_changed && (has_doubt(shown, row) || has_doubt(next, row)))
        .collect()
}

fn is_doubtful(cell: &Cell) -> bool {
    let symbol = cell.symbol();
    if symbol.len() <= MAX_CHAR_BYTES && symbol.chars().nth(1).is_none() {
        return false;
    }
    let alone: usize = symbol.chars().filter_map(UnicodeWidthChar::width).sum();
    alone != usize::from(cell.cell_width()) || symbol.contains(is_regional_indicator)
}

/// Bytes of one character at most.
const MAX_CHAR_BYTES: usize = 4;

/// Half of a flag.
fn is_regional_indicator(c: char) -> bool {
    matches!(c, '\u{1f1e6}'..='\u{1f1ff}')
}

/// Rows that moved to another place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ScrolledRows {
    /// The rows that take part: those that move, and those that get free or are lost.
    rows: Range<usize>,
    /// How far, in rows.
    by: usize,
    is_up: bool,
}

impl ScrolledRows {
    /// The move that leaves the least to be written, if one is worth it. `changed` says of
    /// each row whether it is another one.
    fn between(shown: &Buffer, next: &Buffer, changed: &[bool]) -> Option<Self> {
        let first = changed.iter().position(|&is| is)?;
        let last = changed.iter().rposition(|&is| is)?;
        let is_written = |row: &usize| changed.get(*row) == Some(&true) && !is_blank(next, *row);
        let mut best = None;
        let mut most = MOVED_ROWS - 1;
        for by in 1..=(last - first) {
            for is_up in [true, false] {
                let (old, new) = if is_up { (by, 0) } else { (0, by) };
                let run = (first..=last - by)
                    .take_while(|row| cells(shown, row + old) == cells(next, row + new))
                    .count();
                let gained = first + new..first + new + run;
                let written = gained.filter(is_written).count();
                if written > most {
                    most = written;
                    best = Some(Self {
                        rows: first..first + run + by,
                        by,
                        is_up,
                    });
                }
            }
        }
        best
    }

    /// Has the terminal do it. Its region of scrolling is the whole screen again after it.
    fn queue(&self, out: &mut impl Write) -> io::Result<()> {
        let Self { rows, by, is_up } = self;
        let direction = if *is_up { 'S' } else { 'T' };
        write!(
            out,
            "\x1b[{};{}r\x1b[{by}{direction}\x1b[r",
            rows.start + 1,
            rows.end
        )
    }

    /// Does the same to what is known of the screen.
    fn apply(&self, shown: &mut Buffer) {
        let width = usize::from(shown.area.width);
        let cells = self.rows.start * width..self.rows.end * width;
        let Some(moving) = shown.content.get_mut(cells) else {
            return;
        };
        let distance = self.by * width;
        let free = if self.is_up {
            moving.rotate_left(distance);
            moving.len() - distance..moving.len()
        } else {
            moving.rotate_right(distance);
            0..distance
        };
        if let Some(free) = moving.get_mut(free) {
            free.fill(Cell::EMPTY);
        }
    }
}

/// Of each row, whether it is to be another one.
fn changed_rows(shown: &Buffer, next: &Buffer) -> Vec<bool> {
    let rows = 0..usize::from(next.area.height);
    rows.map(|row| cells(shown, row) != cells(next, row))
        .collect()
}

/// A row's cells.
fn cells(buffer: &Buffer, row: usize) -> &[Cell] {
    let width = usize::from(buffer.area.width);
    buffer
        .content
        .get(row * width..(row + 1) * width)
        .unwrap_or_default()
}

fn is_blank(buffer: &Buffer, row: usize) -> bool {
    cells(buffer, row).iter().all(|cell| *cell == Cell::EMPTY)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use proptest::prelude::*;
    use ratatui::style::{Color, Style};

    use super::*;

    const WIDTH: u16 = 30;
    const HEIGHT: u16 = 12;

    /// The bytes written to the terminal.
    #[derive(Clone, Default)]
    struct SharedBytes(Rc<RefCell<Vec<u8>>>);

    impl Write for SharedBytes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.borrow_mut().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A screen whose bytes go to a terminal that understands them.
    struct ShownTerminal {
        screen: Screen<SharedBytes>,
        wire: SharedBytes,
        terminal: vt100::Parser,
    }

    impl ShownTerminal {
        fn new() -> Self {
            let wire = SharedBytes::default();
            Self {
                screen: Screen::new(wire.clone()),
                wire,
                terminal: vt100::Parser::new(HEIGHT, WIDTH, 0),
            }
        }

        /// Draws rows, with a cursor if one is given; answers with how many bytes that took.
        fn draw(&mut self, rows: &[String], cursor: Option<Position>) -> usize {
            let area = Rect::new(0, 0, WIDTH, HEIGHT);
            let painted = self.screen.show(area, |_, buffer| {
                for (y, row) in (0..HEIGHT).zip(rows) {
                    buffer.set_string(0, y, row, style(row));
                }
                cursor
            });
            painted.expect("memory takes everything");
            let written = std::mem::take(&mut *self.wire.0.borrow_mut());
            self.terminal.process(&written);
            written.len()
        }

        /// The terminal's rows, with the background of the first cell of each.
        fn seen(&self) -> Vec<(String, vt100::Color)> {
            let screen = self.terminal.screen();
            let behind = |row| {
                screen
                    .cell(row, 0)
                    .map_or(vt100::Color::Default, vt100::Cell::bgcolor)
            };
            (0..HEIGHT)
                .zip(screen.rows(0, WIDTH))
                .map(|(row, text)| (text.trim_end().to_owned(), behind(row)))
                .collect()
        }
    }

    /// Some rows have a background colour: what the terminal puts into free rows must not.
    fn style(row: &str) -> Style {
        if row.starts_with('b') {
            Style::new().bg(Color::Indexed(4))
        } else {
            Style::new()
        }
    }

    fn expected(rows: &[String]) -> Vec<(String, vt100::Color)> {
        let colour = |row: &str| match style(row).bg {
            Some(_) => vt100::Color::Idx(4),
            None => vt100::Color::Default,
        };
        let rows = rows
            .iter()
            .map(|row| (row.trim_end().to_owned(), colour(row)));
        let blank = (String::new(), vt100::Color::Default);
        rows.chain(std::iter::repeat(blank))
            .take(usize::from(HEIGHT))
            .collect()
    }

    fn numbered(rows: Range<usize>) -> Vec<String> {
        rows.map(|row| format!("{row} is a row with a text"))
            .collect()
    }

    proptest! {
        #[test]
        fn the_terminal_shows_every_frame(frames in prop::collection::vec(
            prop::collection::vec("(a|b|[a-c]{4}|wide 漢字|🚀 x|)", 0..14), 1..12,
        )) {
            let mut shown = ShownTerminal::new();
            for rows in &frames {
                shown.draw(rows, None);
                prop_assert_eq!(shown.seen(), expected(rows));
            }
        }

        #[test]
        fn a_long_text_is_shown_wherever_one_scrolls(
            stops in prop::collection::vec((0_usize..60, prop::bool::ANY), 1..12),
        ) {
            let mut shown = ShownTerminal::new();
            for (first, has_header) in stops {
                let mut rows = numbered(first..first + 9);
                if has_header {
                    rows.insert(0, "a header that stays".to_owned());
                }
                rows.push("b line at the bottom".to_owned());
                shown.draw(&rows, None);
                prop_assert_eq!(shown.seen(), expected(&rows));
            }
        }
    }

    #[test]
    fn rows_that_move_up_are_not_written_again() {
        let mut shown = ShownTerminal::new();
        let all = shown.draw(&numbered(10..22), None);
        let moved = shown.draw(&numbered(11..23), None);
        assert!(moved * 3 < all, "{moved} of {all} bytes");
        let back = shown.draw(&numbered(8..20), None);
        assert!(back * 2 < all, "{back} of {all} bytes");
        assert_eq!(shown.seen(), expected(&numbered(8..20)));
    }

    #[test]
    fn a_frame_like_the_last_one_writes_nothing() {
        let mut shown = ShownTerminal::new();
        let cursor = Some(Position::new(3, 4));
        shown.draw(&numbered(0..5), cursor);
        assert_eq!(shown.draw(&numbered(0..5), cursor), 0);
        assert_eq!(shown.terminal.screen().cursor_position(), (4, 3));
    }

    #[test]
    fn the_cursor_moves_hides_and_comes_back_over_equal_cells() {
        let mut shown = ShownTerminal::new();
        let rows = numbered(0..5);
        for cursor in [
            None,
            Some(Position::new(1, 1)),
            Some(Position::new(2, 1)),
            None,
        ] {
            shown.draw(&rows, cursor);
            let screen = shown.terminal.screen();
            assert_eq!(screen.hide_cursor(), cursor.is_none());
            if let Some(Position { x, y }) = cursor {
                assert_eq!(screen.cursor_position(), (y, x));
            }
        }
    }

    #[test]
    fn a_lost_screen_is_cleared_and_drawn_in_full() {
        let mut shown = ShownTerminal::new();
        shown.draw(&numbered(0..5), None);
        shown
            .terminal
            .process(b"\x1b[HSOMEBODY ELSE\x1b[9;9Hwas here");
        shown.screen.lose();
        shown.draw(&numbered(0..5), None);
        assert_eq!(shown.seen(), expected(&numbered(0..5)));
    }

    #[test]
    fn flags_and_joined_emoji_leave_nothing_behind() {
        let mut shown = ShownTerminal::new();
        let doubtful = ["🇩🇪 flag", "a 👩‍👩‍👧‍👦 family 👍🏽", "❤️ heart", "🏳️‍🌈🇫🇷🇯🇵"];
        let plain = ["one", "", "two two two", "b"].map(str::to_owned);
        for _ in 0..3 {
            shown.draw(&doubtful.map(str::to_owned), None);
            shown.draw(&plain, None);
            assert_eq!(shown.seen(), expected(&plain));
            // They scroll, and others come into their rows.
            let mut moved = numbered(0..6);
            moved.extend(doubtful.map(str::to_owned));
            shown.draw(&moved, None);
            shown.draw(&numbered(0..10), None);
            assert_eq!(shown.seen(), expected(&numbered(0..10)));
        }
    }

    #[test]
    fn addresses_are_written_around_their_text_and_only_where_they_are_wanted() {
        let address = link::web("https://a.example/x").unwrap();
        let draw = |has_links: bool| {
            let mut shown = ShownTerminal::new();
            shown.screen.use_links(has_links);
            let area = Rect::new(0, 0, WIDTH, HEIGHT);
            let style = link::to(Style::new(), Some(address.clone()));
            let painted = shown.screen.show(area, |_, buffer| {
                buffer.set_string(2, 1, "see ", Style::new());
                buffer.set_string(6, 1, "here", style);
                buffer.set_string(10, 1, " now", Style::new());
                None
            });
            painted.expect("memory takes everything");
            let written = std::mem::take(&mut *shown.wire.0.borrow_mut());
            shown.terminal.process(&written);
            assert_eq!(shown.seen()[1].0, "  see here now");
            String::from_utf8(written).expect("text")
        };
        let with = draw(true);
        let (_, after) = with
            .split_once(";https://a.example/x\u{1b}\\")
            .expect("a link");
        let (inside, _) = after.split_once(link::CLOSING).expect("its end");
        assert!(
            inside.contains("here") && !inside.contains("now"),
            "{inside:?}"
        );
        let without = draw(false);
        assert!(!without.contains("\u{1b}]8;"), "{without:?}");
        for written in [with, without] {
            assert!(
                !written.contains("58:2") && !written.contains("58;2"),
                "{written:?}"
            );
        }
    }
}
