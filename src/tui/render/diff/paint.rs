//! Rows of a diff: numbers, sign and code, one side below the other or beside it.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::side::{ChangedLines, DiffCode, DiffSide};
use super::{DiffLook, DiffStep};
use crate::tui::render::{safe, wrap};
use crate::tui::theme::Theme;

/// Below this many columns line numbers are left out: the text needs the room.
const MIN_NUMBERED_COLUMNS: u16 = 40;
/// Columns of a sign and the blank after it.
const SIGN_COLUMNS: usize = 2;
/// Between the sides.
const SPLIT_RULE: &str = "│";

/// Draws the steps of a diff.
pub(super) struct DiffPainter<'a> {
    theme: &'a Theme,
    width: u16,
    is_split: bool,
    /// Columns of a line number; 0 for none.
    digits: usize,
    code: DiffCode<'a>,
    /// The next line of each side; `None` where the place in the file is not known.
    next: Option<(u64, u64)>,
    /// What was drawn.
    pub lines: Vec<Line<'static>>,
}

/// A line of one side, before it is broken into rows.
struct SideLine {
    side: DiffSide,
    /// Its number on the old and on the new side.
    old: Option<u64>,
    new: Option<u64>,
    code: Line<'static>,
}

impl<'a> DiffPainter<'a> {
    pub(super) fn new(look: &DiffLook<'a>, language: &'a str, digits: usize) -> Self {
        Self {
            theme: look.theme,
            width: look.width,
            is_split: look.is_split(),
            digits: if look.width < MIN_NUMBERED_COLUMNS {
                0
            } else {
                digits
            },
            code: DiffCode::new(look.highlighter, language),
            next: Some((1, 1)),
            lines: Vec::new(),
        }
    }

    pub(super) fn step(&mut self, step: &DiffStep<'_>) {
        let theme = self.theme;
        match step {
            DiffStep::FileHeader(line) => self.header(line, theme.heading),
            DiffStep::Remark(line) => self.header(line, theme.dim),
            DiffStep::HunkHeader(line, next) => {
                self.next = *next;
                self.code.begin_hunk();
                self.header(line, theme.accent);
            }
            DiffStep::Context(text) => {
                let code = self.code.context(text, theme);
                let (old, new) = (self.number(true), self.number(false));
                self.advance(1, 1);
                let line = |old, new| SideLine {
                    side: DiffSide::Both,
                    old,
                    new,
                    code: code.clone(),
                };
                if self.is_split {
                    self.beside(Some(line(old, None)), Some(line(None, new)));
                } else {
                    self.below(&line(old, new));
                }
            }
            DiffStep::Changes(removed, added) => self.changes(removed, added),
        }
    }

    /// The lines of a change are all there.
    pub(super) fn end_changes<'t>(&mut self, removed: &mut Vec<&'t str>, added: &mut Vec<&'t str>) {
        if !removed.is_empty() || !added.is_empty() {
            let (removed, added) = (std::mem::take(removed), std::mem::take(added));
            self.step(&DiffStep::Changes(removed, added));
        }
    }

    fn header(&mut self, line: &str, style: Style) {
        let text = wrap::expand_tabs(&safe::visible(line)).into_owned();
        self.lines
            .extend(wrap::wrap(&Line::styled(text, style), self.width));
    }

    fn number(&self, is_old: bool) -> Option<u64> {
        self.next.map(|(old, new)| if is_old { old } else { new })
    }

    fn advance(&mut self, old: u64, new: u64) {
        if let Some(next) = &mut self.next {
            *next = (next.0.saturating_add(old), next.1.saturating_add(new));
        }
    }

    fn changes(&mut self, removed: &[&str], added: &[&str]) {
        let ChangedLines { old, new } = self.code.changes(removed, added, self.theme);
        let mut sides: [Vec<SideLine>; 2] = [Vec::new(), Vec::new()];
        for code in old {
            let old = self.number(true);
            sides[0].push(SideLine {
                side: DiffSide::Old,
                old,
                new: None,
                code,
            });
            self.advance(1, 0);
        }
        for code in new {
            let new = self.number(false);
            sides[1].push(SideLine {
                side: DiffSide::New,
                old: None,
                new,
                code,
            });
            self.advance(0, 1);
        }
        let [old, new] = sides;
        if !self.is_split {
            old.iter().chain(&new).for_each(|line| self.below(line));
            return;
        }
        let count = old.len().max(new.len());
        let (mut old, mut new) = (old.into_iter(), new.into_iter());
        for _ in 0..count {
            self.beside(old.next(), new.next());
        }
    }

    /// Rows of the whole width, with the numbers of both sides.
    fn below(&mut self, line: &SideLine) {
        let numbers = if self.digits == 0 {
            String::new()
        } else {
            let (old, new) = (self.shown(line.old), self.shown(line.new));
            let digits = self.digits;
            format!("{old:>digits$} {new:>digits$} ")
        };
        let rows = self.rows(line, &numbers, usize::from(self.width));
        self.lines.extend(rows);
    }

    /// Rows of two halves; a side that has nothing is blank.
    fn beside(&mut self, old: Option<SideLine>, new: Option<SideLine>) {
        let left = usize::from(self.width.saturating_sub(1) / 2);
        let right = usize::from(self.width).saturating_sub(left + 1);
        let half = |line: Option<SideLine>, columns: usize| {
            line.map_or_else(Vec::new, |line| {
                let number = self.shown(line.old.or(line.new));
                let digits = self.digits;
                let numbers = if digits == 0 {
                    String::new()
                } else {
                    format!("{number:>digits$} ")
                };
                self.rows(&line, &numbers, columns)
            })
        };
        let (old, new) = (half(old, left), half(new, right));
        let (mut old_rows, mut new_rows) = (old.into_iter(), new.into_iter());
        loop {
            let (old, new) = (old_rows.next(), new_rows.next());
            if old.is_none() && new.is_none() {
                return;
            }
            let mut spans = old.map_or_else(Vec::new, |line| line.spans);
            pad(&mut spans, left, Style::new());
            spans.push(Span::styled(SPLIT_RULE, self.theme.border));
            spans.extend(new.map_or_else(Vec::new, |line| line.spans));
            self.lines.push(Line::from(spans));
        }
    }

    fn shown(&self, number: Option<u64>) -> String {
        number
            .map(|n| n.to_string())
            .filter(|n| n.len() <= self.digits)
            .unwrap_or_default()
    }

    fn rows(&self, line: &SideLine, numbers: &str, columns: usize) -> Vec<Line<'static>> {
        let room = columns.saturating_sub(numbers.len() + SIGN_COLUMNS).max(1);
        let look = line.side.line_style(self.theme);
        let background = Style {
            bg: look.bg,
            ..Style::new()
        };
        let rows = wrap::wrap(&line.code, u16::try_from(room).unwrap_or(u16::MAX));
        let rows = rows.into_iter().enumerate().map(|(index, row)| {
            // The sign is repeated, the numbers are not: a wrapped row is not a new line.
            let numbers = if index == 0 {
                numbers.to_owned()
            } else {
                " ".repeat(numbers.len())
            };
            let mut spans = vec![
                Span::styled(numbers, self.theme.dim.patch(background)),
                Span::styled(line.side.sign(), look),
            ];
            // With its own sign each row stays a row when it is copied.
            spans.extend(row.spans.into_iter().filter(|it| !wrap::is_joint(it)));
            if background.bg.is_some() {
                pad(&mut spans, columns, background);
            }
            Line::from(spans)
        });
        rows.collect()
    }
}

/// Blanks up to a width.
fn pad(spans: &mut Vec<Span<'static>>, columns: usize, style: Style) {
    let used: usize = spans.iter().map(|span| wrap::width(&span.content)).sum();
    if used < columns {
        spans.push(Span::styled(" ".repeat(columns - used), style));
    }
}
