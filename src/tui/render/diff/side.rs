//! One side of a changed line: its code in colours, its changed words, its background.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::context::diff::{self, word_diff};
use crate::tui::render::highlight::{Highlighter, LineHighlighter};
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;

/// Longer lines are not compared word by word: the comparison is quadratic at worst and
/// nobody reads it.
const MAX_WORD_DIFF_BYTES: usize = 1_000;

/// Lines that have less than this part in common are not a change of one another.
const MIN_ALIKE: f32 = 0.3;

/// Lines of a diff that are coloured; the rest has the colour of its side. At about ten
/// lines a millisecond this bounds what a diff can cost a frame.
const MAX_COLOURED_LINES: usize = 400;

/// A side of a diff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DiffSide {
    Both,
    Old,
    New,
}

impl DiffSide {
    pub(super) fn sign(self) -> &'static str {
        match self {
            Self::Both => "  ",
            Self::Old => "- ",
            Self::New => "+ ",
        }
    }

    /// The style of a line whose code has no colours of its own.
    pub(super) fn style(self, theme: &Theme) -> Style {
        match self {
            Self::Both => theme.text,
            Self::Old => theme.diff_removed,
            Self::New => theme.diff_added,
        }
    }

    /// The sign's style and the background.
    pub(super) fn line_style(self, theme: &Theme) -> Style {
        match self {
            Self::Both => theme.text,
            Self::Old => theme.diff_removed_line,
            Self::New => theme.diff_added_line,
        }
    }

    fn word_style(self, theme: &Theme) -> Style {
        match self {
            Self::Both => theme.text,
            Self::Old => theme.diff_removed_word,
            Self::New => theme.diff_added_word,
        }
    }
}

/// The code of a diff, in the order in which it is read.
pub(super) struct DiffCode<'a> {
    highlighter: Option<&'a Highlighter>,
    language: &'a str,
    /// The state of the new side; the old one goes its own way for the lines of a change.
    state: Option<LineHighlighter>,
    coloured: usize,
}

impl<'a> DiffCode<'a> {
    pub(super) fn new(highlighter: Option<&'a Highlighter>, language: &'a str) -> Self {
        let mut code = Self {
            highlighter,
            language,
            state: None,
            coloured: 0,
        };
        code.begin_hunk();
        code
    }

    /// A hunk begins anywhere in its file.
    pub(super) fn begin_hunk(&mut self) {
        let started = self.highlighter.map(|it| it.start(self.language));
        self.state = started.filter(LineHighlighter::is_coloured);
    }

    /// A line of both sides.
    pub(super) fn context(&mut self, text: &str, theme: &Theme) -> Line<'static> {
        coloured(&mut self.state, &mut self.coloured, text, theme)
            .unwrap_or_else(|| plain(text, theme.text))
    }

    /// Removed and added lines. Equally many are pairs, of which the changed words are marked.
    pub(super) fn changes(
        &mut self,
        removed: &[&str],
        added: &[&str],
        theme: &Theme,
    ) -> ChangedLines {
        let mut old_state = self.state.clone();
        let count = &mut self.coloured;
        let mut side = |state: &mut Option<LineHighlighter>, lines: &[&str], side: DiffSide| {
            let lines = lines.iter().map(|text| {
                // Colours of code are for a background that says which side it is.
                let has_background = side.line_style(theme).bg.is_some();
                let coloured = coloured(state, count, text, theme).filter(|_| has_background);
                coloured.map_or_else(
                    || plain(text, side.style(theme)),
                    |line| on_background(line, side.line_style(theme)),
                )
            });
            lines.collect::<Vec<_>>()
        };
        let mut old = side(&mut old_state, removed, DiffSide::Old);
        let mut new = side(&mut self.state, added, DiffSide::New);
        if removed.len() == added.len() {
            for (old, new) in old.iter_mut().zip(&mut new) {
                mark_words(old, new, theme);
            }
        }
        ChangedLines { old, new }
    }
}

/// The lines of a change, each side in its order.
pub(super) struct ChangedLines {
    pub old: Vec<Line<'static>>,
    pub new: Vec<Line<'static>>,
}

/// A line as it may be shown, tabs expanded, in one style.
fn plain(text: &str, style: Style) -> Line<'static> {
    let shown = wrap::expand_tabs(&safe::visible(text)).into_owned();
    Line::from(Span::styled(shown, style))
}

fn coloured(
    state: &mut Option<LineHighlighter>,
    count: &mut usize,
    text: &str,
    theme: &Theme,
) -> Option<Line<'static>> {
    *count += 1;
    let state = state.as_mut().filter(|_| *count <= MAX_COLOURED_LINES)?;
    let mut line = state.line(text, theme);
    for span in &mut line.spans {
        span.style = line.style.patch(span.style);
    }
    state.is_coloured().then_some(line)
}

fn on_background(mut line: Line<'static>, style: Style) -> Line<'static> {
    for span in &mut line.spans {
        span.style.bg = style.bg;
    }
    line
}

/// Marks the words that differ, where the two lines are a change of one another.
fn mark_words(old: &mut Line<'static>, new: &mut Line<'static>, theme: &Theme) {
    let text = |line: &Line<'_>| -> String { line.spans.iter().map(|it| &*it.content).collect() };
    let Some(diff) = word_diff(&text(old), &text(new), MAX_WORD_DIFF_BYTES) else {
        return;
    };
    if diff.alike >= MIN_ALIKE {
        *old = marked(old, &diff.old, DiffSide::Old.word_style(theme));
        *new = marked(new, &diff.new, DiffSide::New.word_style(theme));
    }
}

/// A line with its changed pieces in another style. The pieces together are its text.
fn marked(line: &Line<'static>, pieces: &[diff::Span], style: Style) -> Line<'static> {
    let mut spans: Vec<Span<'static>> = Vec::with_capacity(line.spans.len() + pieces.len());
    let mut pieces = pieces.iter();
    let mut piece = pieces.next();
    let mut piece_left = piece.map_or(0, |it| it.text.len());
    for span in &line.spans {
        let mut rest: &str = &span.content;
        while !rest.is_empty() {
            while piece_left == 0 && piece.is_some() {
                piece = pieces.next();
                piece_left = piece.map_or(0, |it| it.text.len());
            }
            let take = if piece_left == 0 {
                rest.len()
            } else {
                piece_left
            };
            let (part, after) = rest
                .split_at_checked(take.min(rest.len()))
                .unwrap_or((rest, ""));
            let is_changed = piece.is_some_and(|it| it.changed);
            let style = if is_changed { style } else { span.style };
            spans.push(Span::styled(part.to_owned(), style));
            piece_left = piece_left.saturating_sub(part.len());
            rest = after;
        }
    }
    Line::from(spans)
}
