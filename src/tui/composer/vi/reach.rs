//! How far a vi command reaches: the searches inside a line and the text objects. Ranges are
//! of pieces.

use std::ops::Range;

use super::super::Piece;
use super::super::{Buffer, Motion};

/// `f`, `F`, `t` and `T`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Find {
    /// Whether it looks behind the caret.
    pub forward: bool,
    /// Whether it ends one piece before what it finds.
    pub until: bool,
}

impl Find {
    /// The search that a character asks for.
    pub(super) fn of(c: char) -> Option<Self> {
        let (forward, until) = match c {
            'f' => (true, false),
            'F' => (false, false),
            't' => (true, true),
            'T' => (false, true),
            _ => return None,
        };
        Some(Self { forward, until })
    }

    /// The search in the opposite direction.
    pub(super) fn reversed(self) -> Self {
        Self {
            forward: !self.forward,
            ..self
        }
    }

    /// Where the `count`-th such piece of the caret's line is. One that `until` stopped at
    /// already is passed when the search `repeats`.
    pub(super) fn target(
        self,
        c: char,
        count: usize,
        repeats: bool,
        buffer: &Buffer,
    ) -> Option<usize> {
        let caret = buffer.caret();
        let skip = usize::from(self.until && repeats);
        let is = |at: &usize| is_char(&buffer.pieces()[*at], c);
        let nth = count.max(1) - 1;
        if self.forward {
            let end = buffer.target(Motion::LineEnd);
            let found = (caret + 1 + skip..end).filter(is).nth(nth)?;
            Some(found - usize::from(self.until))
        } else {
            let start = buffer.target(Motion::LineStart);
            let before = start..caret.saturating_sub(skip).max(start);
            let found = before.rev().filter(is).nth(nth)?;
            Some(found + usize::from(self.until))
        }
    }
}

/// The range of `iw`, `a"`, `i(` and their like around the caret; `None` when there is none.
pub(super) fn object(c: char, around: bool, buffer: &Buffer) -> Option<Range<usize>> {
    match c {
        'w' => Some(word(around, Piece::class, buffer)),
        'W' => Some(word(around, |piece| u8::from(!piece.is_space()), buffer)),
        '"' | '\'' | '`' => quoted(c, around, buffer),
        '(' | ')' | 'b' => bracketed('(', ')', around, buffer),
        '[' | ']' => bracketed('[', ']', around, buffer),
        '{' | '}' | 'B' => bracketed('{', '}', around, buffer),
        '<' | '>' => bracketed('<', '>', around, buffer),
        _ => None,
    }
}

/// The run of one class at the caret; `around` takes the blanks after it too, or those
/// before it when there are none.
fn word(around: bool, class: fn(&Piece) -> u8, buffer: &Buffer) -> Range<usize> {
    let line = buffer.target(Motion::LineStart)..buffer.target(Motion::LineEnd);
    let class_at = |at: usize| class(&buffer.pieces()[at]);
    let caret = buffer.caret();
    if caret >= line.end {
        return line.end..line.end;
    }
    let run_end = |from: usize| {
        let class = class_at(from);
        (from..line.end).find(|at| class_at(*at) != class)
    };
    let run_start = |from: usize| {
        let class = class_at(from);
        let other = (line.start..from).rev().find(|at| class_at(*at) != class);
        other.map_or(line.start, |at| at + 1)
    };
    let (mut start, mut end) = (run_start(caret), run_end(caret).unwrap_or(line.end));
    if around {
        let is_blank = |at: usize| buffer.pieces()[at].is_space();
        // On blanks, the word is the one after them.
        if end < line.end && (is_blank(end) || is_blank(caret)) {
            end = run_end(end).unwrap_or(line.end);
        } else if start > line.start && is_blank(start - 1) {
            start = run_start(start - 1);
        }
    }
    start..end
}

/// The quoted text at the caret, else the next one of its line.
fn quoted(quote: char, around: bool, buffer: &Buffer) -> Option<Range<usize>> {
    let line = buffer.target(Motion::LineStart)..buffer.target(Motion::LineEnd);
    let quotes: Vec<usize> = line
        .filter(|at| is_char(&buffer.pieces()[*at], quote))
        .collect();
    let pair = quotes
        .chunks_exact(2)
        .find(|pair| pair[1] >= buffer.caret())?;
    Some(inside(pair[0], pair[1], around))
}

/// The range inside the nearest brackets around the caret.
fn bracketed(open: char, close: char, around: bool, buffer: &Buffer) -> Option<Range<usize>> {
    let pieces = buffer.pieces();
    let caret = buffer.caret();
    let start = unmatched((0..=caret).rev(), open, close, caret, pieces)?;
    let end = unmatched(start + 1..pieces.len(), close, open, start, pieces)?;
    Some(inside(start, end, around))
}

/// The first `wanted` that no `other` on the way belongs to. An `other` at `from` itself is
/// where the way begins.
fn unmatched(
    mut way: impl Iterator<Item = usize>,
    wanted: char,
    other: char,
    from: usize,
    pieces: &[Piece],
) -> Option<usize> {
    let mut depth = 0_usize;
    way.find(|at| {
        let Some(piece) = pieces.get(*at) else {
            return false;
        };
        if is_char(piece, wanted) {
            depth = match depth.checked_sub(1) {
                Some(less) => less,
                None => return true,
            };
        } else if is_char(piece, other) && *at != from {
            depth += 1;
        }
        false
    })
}

fn inside(start: usize, end: usize, around: bool) -> Range<usize> {
    if around {
        start..end + 1
    } else {
        start + 1..end
    }
}

fn is_char(piece: &Piece, c: char) -> bool {
    matches!(piece, Piece::Grapheme(text) if text.chars().eq([c]))
}
