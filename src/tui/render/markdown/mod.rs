//! Markdown to styled, wrapped lines; whole or while it arrives.
//!
//! The text is cut into blocks by a scan that only looks back (see `split`), so a block
//! that is finished is rendered once, and one push or many give the same lines.
//! Not HTML and not a linker of references: what has no form here is shown as written.

mod block;
mod blocks;
mod nesting;
mod split;
mod table;
#[cfg(test)]
mod tests;

use ratatui::text::Line;

pub use blocks::code_blocks;

use self::split::{Cut, Splitter};
use super::highlight::{Highlighter, LineHighlighter};
use super::{safe, wrap};
use crate::tui::theme::Theme;

/// Columns by which the continuation of a long code line is indented.
const CODE_CONTINUATION_INDENT: u16 = 2;

/// Columns of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextColumns {
    /// For what is not read line by line: tables and code.
    pub all: u16,
    /// For text; at most as many.
    pub text: u16,
}

/// As many for text as for all.
impl From<u16> for TextColumns {
    fn from(all: u16) -> Self {
        Self { all, text: all }
    }
}

/// Markdown as styled lines of at most so many columns.
pub fn render(
    text: &str,
    width: impl Into<TextColumns>,
    theme: &Theme,
    highlighter: &Highlighter,
) -> Vec<Line<'static>> {
    let mut stream = MarkdownStream::new();
    stream.push(text);
    stream.lines(width, theme, highlighter);
    stream.lines
}

/// Markdown that is still arriving. What is finished is rendered once per width and
/// theme; only the last open block is rendered again.
#[derive(Debug, Default)]
pub struct MarkdownStream {
    text: String,
    splitter: Splitter,
    /// State of the code block that is open at top level.
    code: Option<LineHighlighter>,
    lines: Vec<Line<'static>>,
    /// How many of `lines` belong to finished blocks.
    finished: usize,
    key: Option<Key>,
    restarts: u64,
}

/// The parameters that the cached lines were rendered with.
#[derive(Debug, PartialEq)]
struct Key {
    width: TextColumns,
    theme: Theme,
    generation: u64,
}

impl MarkdownStream {
    /// An empty stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what arrived. Costs a copy; the work is done by [`lines`](Self::lines).
    pub fn push(&mut self, delta: &str) {
        self.text.push_str(delta);
    }

    /// Everything that arrived so far, as it was.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines of everything so far, at most `width` columns each.
    pub fn lines(
        &mut self,
        width: impl Into<TextColumns>,
        theme: &Theme,
        highlighter: &Highlighter,
    ) -> &[Line<'static>] {
        let width = width.into();
        let generation = highlighter.generation();
        let is_current = self.key.as_ref().is_some_and(|key| {
            key.width == width && key.generation == generation && key.theme == *theme
        });
        if !is_current {
            self.key = Some(Key {
                width,
                theme: theme.clone(),
                generation,
            });
            self.splitter = Splitter::default();
            self.code = None;
            self.lines.clear();
            self.finished = 0;
            self.restarts += 1;
        }
        self.lines.truncate(self.finished);
        let canvas = Canvas {
            width: width.all,
            text_width: width.text.min(width.all),
            theme,
            highlighter,
        };
        let mut splitter = std::mem::take(&mut self.splitter);
        while let Some(cut) = splitter.next(&self.text) {
            self.finish(&cut, &canvas);
        }
        self.finished = self.lines.len();
        if let Some(cut) = splitter.rest(&self.text) {
            self.show_open(&cut, &canvas);
        }
        self.splitter = splitter;
        &self.lines
    }

    /// The newest lines, from one of them on.
    pub fn shown_from(&self, line: usize) -> &[Line<'static>] {
        self.lines.get(line..).unwrap_or_default()
    }

    /// How many of the lines stay as they are, until [`restarts`](Self::restarts) changes.
    pub fn settled(&self) -> usize {
        self.finished
    }

    /// Grows when everything had to be rendered again.
    pub fn restarts(&self) -> u64 {
        self.restarts
    }

    /// Renders a finished piece for good.
    fn finish(&mut self, cut: &Cut, canvas: &Canvas<'_>) {
        match cut {
            Cut::Block {
                range,
                gap,
                ordinal,
            } => {
                let text = self.text.get(range.clone()).unwrap_or_default();
                let rows = block::render(text, *ordinal, canvas);
                append(&mut self.lines, rows, *gap);
            }
            Cut::CodeStart { info, gap } => {
                let language = info.split([' ', ',', '{']).next().unwrap_or_default();
                self.code = Some(canvas.highlighter.start(language));
                append(&mut self.lines, canvas.fence(info), *gap);
            }
            Cut::CodeLine { range } => {
                let text = self.text.get(range.clone()).unwrap_or_default();
                if let Some(code) = &mut self.code {
                    self.lines
                        .extend(canvas.code_line(&code.line(text, canvas.theme)));
                }
            }
            Cut::CodeEnd => {
                self.code = None;
                self.lines.extend(canvas.fence(""));
            }
        }
    }

    /// Renders the piece that may still change. An unfinished line of code stays plain:
    /// colouring it again with every token would cost more than all the rest.
    fn show_open(&mut self, cut: &Cut, canvas: &Canvas<'_>) {
        match cut {
            Cut::CodeLine { range } => {
                let text = self.text.get(range.clone()).unwrap_or_default();
                self.lines
                    .extend(canvas.code_line(&plain_code(text, canvas.theme)));
            }
            Cut::CodeEnd => self.lines.extend(canvas.fence("")),
            Cut::Block { .. } | Cut::CodeStart { .. } => self.finish(cut, canvas),
        }
    }
}

/// Where rendered text goes: how wide, in which colours.
struct Canvas<'a> {
    width: u16,
    /// Columns for text.
    text_width: u16,
    theme: &'a Theme,
    highlighter: &'a Highlighter,
}

impl Canvas<'_> {
    /// The row that opens or closes a code block. It is shown, so that code is told from
    /// text without colour, and what is copied is Markdown again.
    fn fence(&self, info: &str) -> Vec<Line<'static>> {
        let text = format!("```{}", safe::one_line(info, usize::from(self.width)));
        wrap::wrap(&Line::styled(text, self.theme.dim), self.width)
    }

    fn code_line(&self, line: &Line<'_>) -> Vec<Line<'static>> {
        wrap::wrap_indent(line, self.width, CODE_CONTINUATION_INDENT)
    }
}

fn plain_code(text: &str, theme: &Theme) -> Line<'static> {
    Line::styled(
        wrap::expand_tabs(&safe::visible(text)).into_owned(),
        theme.code,
    )
}

fn append(lines: &mut Vec<Line<'static>>, rows: Vec<Line<'static>>, gap: bool) {
    if rows.is_empty() {
        return;
    }
    if gap && !lines.is_empty() {
        lines.push(Line::default());
    }
    lines.extend(rows);
}
