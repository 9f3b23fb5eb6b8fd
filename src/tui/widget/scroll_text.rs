//! A long text, or two of them side by side, row by row: scrolled, searched, with marks
//! for what differs. Only rows near the viewport are wrapped, so a frame costs the viewport
//! and not the text.
//!
//! Invariant: rows hold safe text; what is copied comes from the owner, never from here.

use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;

use super::keys::ScrollMotion;
use super::paint;
use super::scroll::{Scroll, ScrollRows};
use super::search::{Needle, RowSearch, SearchOutcome};

/// From this width on two texts fit side by side.
pub const SPLIT_MIN_WIDTH: u16 = 100;

/// Longer lines are broken before they are wrapped: wrapping one row stays cheap even
/// when a file has a megabyte in a single line.
const ROW_MAX_CHARS: usize = 2_000;

/// Columns in front of each row for its sign.
const SIGN_COLUMNS: u16 = 2;

/// The meaning of a row; decides its sign and colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowMark {
    /// No difference, or nothing to compare with.
    #[default]
    Same,
    /// Only on the right.
    Added,
    /// Only on the left.
    Removed,
    /// On both sides, with differences.
    Changed,
    /// Two lines in the same place that have little in common.
    Replaced,
    /// On disk and not sent.
    Cut,
    /// A heading.
    Heading,
    /// Rows that are folded away.
    Fold,
}

/// The look of a piece of text beside that of its row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextTone {
    /// That of the row.
    #[default]
    Plain,
    /// Can be opened.
    Link,
    /// A heading in a row that is none.
    Title,
    /// Secondary.
    Quiet,
    /// Good news.
    Good,
    /// Attention.
    Bad,
    /// Under the cursor.
    Chosen,
}

/// Text, with or without emphasis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MarkedText {
    /// Safe text without line breaks.
    pub text: String,
    /// Emphasised: the words that changed.
    pub strong: bool,
    /// Its own look.
    pub tone: TextTone,
}

impl MarkedText {
    /// A piece of foreign text, made safe.
    pub fn safe(text: &str, tone: TextTone) -> Self {
        let tabless = wrap::expand_tabs(text);
        Self {
            text: safe::visible(&tabless).into_owned(),
            strong: false,
            tone,
        }
    }
}

/// One row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextRow {
    /// Left, or only, text.
    pub left: Option<Vec<MarkedText>>,
    /// Right text.
    pub right: Option<Vec<MarkedText>>,
    /// Remarks on the left text, one line each: beside its own lines in two columns, under
    /// them in one. What is too long for a line is cut.
    pub notes: Vec<Vec<MarkedText>>,
    /// The meaning.
    pub mark: RowMark,
    /// Columns before the lines that continue one that is too long for the screen.
    pub indent: u16,
}

impl TextRow {
    /// A line on the left, or alone.
    pub fn left(line: &str) -> Self {
        Self {
            left: Some(safe_text(line)),
            ..Self::default()
        }
    }

    /// A line on the right.
    pub fn right(line: &str) -> Self {
        Self {
            right: Some(safe_text(line)),
            ..Self::default()
        }
    }

    /// The line on both sides.
    pub fn both(line: &str) -> Self {
        Self {
            right: Some(safe_text(line)),
            ..Self::left(line)
        }
    }

    /// The row with another meaning.
    #[must_use]
    pub fn marked(self, mark: RowMark) -> Self {
        Self { mark, ..self }
    }
}

/// A line of foreign text, safe for a row.
pub fn safe_text(text: &str) -> Vec<MarkedText> {
    vec![MarkedText::safe(text, TextTone::Plain)]
}

/// The lines of a text, very long ones broken.
pub fn text_lines(text: &str) -> Vec<String> {
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
pub struct ScrollText {
    rows: Vec<TextRow>,
    scroll: Scroll,
    layout: SideLayout,
    /// A row to bring into sight at the next layout.
    wanted: Option<usize>,
    search: RowSearch,
}

/// How the rows are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SideLayout {
    width: u16,
    height: u16,
    sides: TextSides,
}

/// Which sides are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextSides {
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

impl TextSides {
    /// Side by side where there is room for it.
    pub fn for_width(width: u16) -> Self {
        if width >= SPLIT_MIN_WIDTH {
            Self::Split
        } else {
            Self::Unified
        }
    }
}

/// The rows as a layout wraps them.
struct WrappedRows<'a> {
    rows: &'a [TextRow],
    layout: SideLayout,
}

impl ScrollRows for WrappedRows<'_> {
    fn count(&self) -> usize {
        self.rows.len()
    }

    fn lines(&self, row: usize) -> usize {
        let wrapped = self.rows.get(row).map(|row| self.layout.wrap(row, None));
        wrapped.map_or(0, |it| it.left.len().max(it.right.len()))
    }
}

/// Colours, and what is found, for the rows that are drawn.
#[derive(Clone, Copy)]
struct RowPaint<'a> {
    theme: &'a Theme,
    /// The search, in the row of its current hit.
    search: Option<&'a RowSearch>,
}

/// A row in lines; `right` is empty unless both sides are shown.
struct WrappedRow {
    left: Vec<Line<'static>>,
    right: Vec<Line<'static>>,
}

impl ScrollText {
    /// A text that shows these rows from the start.
    pub fn new(rows: Vec<TextRow>) -> Self {
        Self {
            rows,
            ..Self::default()
        }
    }

    /// The lines of one text.
    pub fn of_text(text: &str) -> Self {
        Self::new(
            text_lines(text)
                .iter()
                .map(|it| TextRow::left(it))
                .collect(),
        )
    }

    /// Shows other rows and keeps the position as far as there are rows.
    pub fn replace(&mut self, rows: Vec<TextRow>) {
        self.rows = rows;
        if self.scroll.first() >= self.rows.len() {
            self.show(self.rows.len());
        }
    }

    /// Adds text that streams in and stays at its end.
    pub fn append(&mut self, text: &str) {
        for (at, line) in text.split('\n').enumerate() {
            let open = self.rows.last_mut().filter(|_| at == 0);
            match open.and_then(|row| row.left.as_mut()) {
                Some(left) => left.extend(safe_text(line)),
                None => self.rows.push(TextRow::left(line)),
            }
        }
        self.motion(ScrollMotion::Last);
    }

    /// The rows.
    pub fn rows(&self) -> &[TextRow] {
        &self.rows
    }

    /// Puts a row at the top of the screen, as far as the end allows.
    pub fn show(&mut self, row: usize) {
        self.scroll.show(row, self.rows.len());
    }

    /// The row at the top of the screen.
    pub fn first_visible(&self) -> usize {
        self.scroll.first()
    }

    /// Scrolls at the next layout as far as needed to bring a row into sight: only then is
    /// it known how much fits.
    pub fn reveal(&mut self, row: usize) {
        self.wanted = Some(row);
    }

    /// Whether the search field has the focus.
    pub fn is_searching(&self) -> bool {
        self.search.is_open()
    }

    /// Opens the field of a search.
    pub fn begin_search(&mut self) {
        self.search.begin();
    }

    /// A key for the field of the search.
    pub fn on_search_key(&mut self, key: KeyEvent) {
        let start = self.search_start();
        let rows = &self.rows;
        let outcome = self.search.on_key(key, start, rows.len(), |at, needle| {
            rows.get(at).is_some_and(|row| row_matches(row, needle))
        });
        self.reveal_hit(outcome);
    }

    /// To the next match of the search, or the one before; false when nothing is searched for.
    pub fn find_next(&mut self, forward: bool) -> bool {
        let start = self.search_start();
        let rows = &self.rows;
        let outcome = self.search.step(forward, start, rows.len(), |at, needle| {
            rows.get(at).is_some_and(|row| row_matches(row, needle))
        });
        self.reveal_hit(outcome);
        outcome != SearchOutcome::Ignored
    }

    fn search_start(&self) -> usize {
        self.search.hit().unwrap_or(self.scroll.first())
    }

    fn reveal_hit(&mut self, outcome: SearchOutcome) {
        if let SearchOutcome::Hit(row) = outcome {
            let rows = WrappedRows {
                rows: &self.rows,
                layout: self.layout,
            };
            self.scroll.reveal(row, &rows);
        }
    }

    /// Text pasted into the search field; false when it is not open.
    pub fn on_paste(&mut self, text: &str) -> bool {
        self.search.on_paste(text)
    }

    /// Scrolls.
    pub fn motion(&mut self, motion: ScrollMotion) {
        let rows = WrappedRows {
            rows: &self.rows,
            layout: self.layout,
        };
        self.scroll.motion(motion, &rows);
    }

    /// Where the viewport is, for a status line: `all`, `top`, `37%`, `end`.
    pub fn place_words(&self) -> String {
        let rows = WrappedRows {
            rows: &self.rows,
            layout: self.layout,
        };
        self.scroll.in_words(&rows)
    }

    /// Lays the rows out for an area; an open search has its last row.
    pub fn layout(&mut self, area: Rect, sides: TextSides) {
        let field_rows = u16::from(self.search.is_open());
        self.layout = SideLayout {
            width: area.width,
            height: area.height.saturating_sub(field_rows),
            sides,
        };
        let rows = WrappedRows {
            rows: &self.rows,
            layout: self.layout,
        };
        if let Some(row) = self.wanted.take() {
            self.scroll.resize(self.layout.height.into());
            self.scroll.reveal(row, &rows);
        }
        self.scroll.layout(self.layout.height.into(), &rows);
    }

    /// Draws the rows in sight. With an open search the caret's position is returned.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer, theme: &Theme) -> Option<Position> {
        let height = self.layout.height.min(area.height);
        let middle = half(area.width);
        let mut skip = self.scroll.hidden_lines();
        let mut y = 0;
        for (at, row) in self.rows.iter().enumerate().skip(self.scroll.first()) {
            if y >= height {
                break;
            }
            let is_hit = self.search.hit() == Some(at);
            let paint = RowPaint {
                theme,
                search: is_hit.then_some(&self.search),
            };
            let WrappedRow { left, right } = self.layout.wrap(row, Some(paint));
            let lines = skip..left.len().max(right.len());
            for (y, line) in (y..height).zip(lines.clone()) {
                if let Some(left) = left.get(line) {
                    paint::line(buffer, area, (0, y), left);
                }
                if self.layout.sides == TextSides::Split {
                    paint::text(buffer, area, (middle, y), 1, "│", theme.border);
                    if let Some(right) = right.get(line) {
                        paint::line(buffer, area, (middle + 1, y), right);
                    }
                }
            }
            y += lines.len() as u16;
            skip = 0;
        }
        self.search.draw(area, self.layout.height, buffer, theme)
    }
}

impl SideLayout {
    /// A row in lines; without colours when only their number counts.
    fn wrap(self, row: &TextRow, paint: Option<RowPaint<'_>>) -> WrappedRow {
        let is_split = self.sides == TextSides::Split;
        let side = |texts: &Option<Vec<MarkedText>>, is_left: bool, width: u16| {
            texts.as_ref().map_or_else(Vec::new, |texts| {
                let line = styled_line(texts, row.mark, is_left, paint);
                // The sign is of the row, not of the words after it that changed.
                let style = paint.map(|it| style(row.mark, is_left, false, it.theme));
                let sign = sign(row.mark, is_left, is_split);
                let sign = Span::styled(sign, style.unwrap_or_default());
                with_sign(&line, &sign, width, row.indent)
            })
        };
        let alone = |lines| WrappedRow {
            left: lines,
            right: Vec::new(),
        };
        if is_split {
            let middle = half(self.width);
            let right_width = self.width.saturating_sub(middle + 1);
            let mut right = side(&row.right, false, right_width);
            right.extend(notes(row, right_width, paint));
            WrappedRow {
                left: side(&row.left, true, middle),
                right,
            }
        } else if self.sides == TextSides::Left || is_once(row) {
            let mut lines = side(&row.left, true, self.width);
            lines.extend(notes(row, self.width, paint));
            alone(lines)
        } else if self.sides == TextSides::Right {
            alone(side(&row.right, false, self.width))
        } else {
            let mut lines = side(&row.left, true, self.width);
            lines.extend(side(&row.right, false, self.width));
            alone(lines)
        }
    }
}

fn notes(
    row: &TextRow,
    width: u16,
    paint: Option<RowPaint<'_>>,
) -> impl Iterator<Item = Line<'static>> {
    let room = usize::from(width.saturating_sub(SIGN_COLUMNS)).max(1);
    row.notes.iter().flat_map(move |note| {
        let cut = note.iter().map(|it| MarkedText {
            text: safe::one_line(&it.text, room),
            ..it.clone()
        });
        let line = styled_line(&cut.collect::<Vec<_>>(), RowMark::Fold, false, paint);
        with_sign(&line, &Span::raw("  "), width, 0)
    })
}

fn styled_line(
    texts: &[MarkedText],
    mark: RowMark,
    is_left: bool,
    paint: Option<RowPaint<'_>>,
) -> Line<'static> {
    let Some(RowPaint { theme, search }) = paint else {
        let plain = |it: &MarkedText| Span::raw(it.text.clone());
        return texts.iter().map(plain).collect();
    };
    let mut spans = Vec::new();
    for it in texts {
        let style = toned(style(mark, is_left, it.strong, theme), it.tone, theme);
        match search {
            Some(search) => spans.extend(search.highlight(&it.text, style, theme.selection)),
            None => spans.push(Span::styled(it.text.clone(), style)),
        }
    }
    Line::from(spans)
}

fn row_matches(row: &TextRow, needle: &Needle) -> bool {
    let sides = row.left.iter().chain(&row.right);
    sides
        .chain(&row.notes)
        .any(|texts| needle.is_in(&texts.iter().map(|it| it.text.as_str()).collect::<String>()))
}

/// Whether both sides say the same, so that one after the other would repeat it.
fn is_once(row: &TextRow) -> bool {
    let is_same = matches!(row.mark, RowMark::Same | RowMark::Heading | RowMark::Fold);
    is_same && row.left.is_some() && (row.right.is_none() || row.left == row.right)
}

fn half(width: u16) -> u16 {
    width.saturating_sub(1) / 2
}

fn sign(mark: RowMark, is_left: bool, split: bool) -> &'static str {
    match (mark, is_left, split) {
        (RowMark::Added, ..) | (RowMark::Replaced, false, _) | (RowMark::Changed, false, false) => {
            "+ "
        }
        (RowMark::Removed, ..) | (RowMark::Replaced, true, _) | (RowMark::Changed, true, false) => {
            "- "
        }
        (RowMark::Changed, _, true) => "~ ",
        (RowMark::Cut, true, _) => "× ",
        (RowMark::Fold, ..) => "· ",
        _ => "  ",
    }
}

fn style(mark: RowMark, is_left: bool, strong: bool, theme: &Theme) -> Style {
    match (mark, is_left, strong) {
        (RowMark::Added, _, true) | (RowMark::Changed, false, true) => theme.diff_added_word,
        (RowMark::Added, _, false) | (RowMark::Replaced, false, _) => theme.diff_added,
        (RowMark::Removed, _, true) | (RowMark::Changed, true, true) => theme.diff_removed_word,
        (RowMark::Removed, _, false)
        | (RowMark::Replaced, true, _)
        | (RowMark::Cut, true, true) => theme.diff_removed,
        (RowMark::Cut, false, true) => theme.warning,
        (RowMark::Fold, ..) => theme.dim,
        (RowMark::Heading, ..) => theme.heading,
        _ => theme.text,
    }
}

fn toned(style: Style, tone: TextTone, theme: &Theme) -> Style {
    match tone {
        TextTone::Plain => style,
        TextTone::Link => style.add_modifier(Modifier::UNDERLINED),
        TextTone::Title => theme.heading,
        TextTone::Quiet => theme.dim,
        TextTone::Good => theme.success,
        TextTone::Bad => theme.warning,
        TextTone::Chosen => style.patch(theme.selection),
    }
}

/// Wraps a line after its sign; continuation lines are indented as far, and by `indent` more.
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
