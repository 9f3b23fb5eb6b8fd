//! Pieces and a caret: the edits that readline users know, with undo.

use std::ops::Range;
use std::sync::Arc;

use super::piece::Piece;
use crate::transcript::Image;

/// Edits that can be taken back.
const UNDO_DEPTH: usize = 200;
/// Pieces that all of them may keep: some tens of megabytes of memory.
const UNDO_PIECES: usize = 400_000;

/// The text and the caret. The caret is before the piece of its index.
#[derive(Clone, Debug, Default)]
pub struct Buffer {
    pieces: Vec<Piece>,
    caret: usize,
    killed: Vec<Piece>,
    /// Whether what was killed are lines, which go back as lines.
    killed_lines: bool,
    undo: Vec<(Vec<Piece>, usize)>,
    is_typing: bool,
}

/// Where the caret goes, or how far a deletion reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// One piece back.
    Left,
    /// One piece on.
    Right,
    /// To the start of the word before.
    WordLeft,
    /// To the end of the next word.
    WordRight,
    /// Past the white space and what is not white space before.
    BigWordLeft,
    /// To the start of the next word, as vi has it.
    NextWord,
    /// To the last piece of a word, as vi has it.
    WordEnd,
    /// To the start of the next word, where only white space ends a word.
    NextBigWord,
    /// See [`Motion::NextBigWord`].
    BigWordEnd,
    /// To the start of the line.
    LineStart,
    /// To the end of the line.
    LineEnd,
    /// To the start of the text.
    Start,
    /// To the end of the text.
    End,
}

impl Buffer {
    /// The pieces in order.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The caret, as an index of pieces.
    pub fn caret(&self) -> usize {
        self.caret
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The text that would be sent.
    pub fn text(&self) -> String {
        self.pieces.iter().map(Piece::text).collect()
    }

    /// The text of a range of pieces.
    pub fn text_in(&self, range: Range<usize>) -> String {
        let pieces = self.pieces.get(range).unwrap_or_default();
        pieces.iter().map(Piece::text).collect()
    }

    /// The attachments in order.
    pub fn images(&self) -> Vec<Image> {
        self.pieces
            .iter()
            .filter_map(|piece| match piece {
                Piece::Image(image) => Some(Image::clone(image)),
                _ => None,
            })
            .collect()
    }

    /// Writes text at the caret.
    pub fn insert(&mut self, text: &str) {
        let continues = self.is_typing && !text.contains(char::is_whitespace);
        if !continues {
            self.remember();
        }
        self.is_typing = true;
        // A combining mark joins the grapheme before it.
        let before = match self.caret.checked_sub(1).and_then(|at| self.pieces.get(at)) {
            Some(Piece::Grapheme(before)) if &**before != "\n" => Some(before.clone()),
            _ => None,
        };
        let mut new = Piece::split(text);
        if let Some(before) = before {
            let joined = Piece::split(&format!("{before}{text}"));
            if joined.len() == new.len() {
                self.caret -= 1;
                self.pieces.remove(self.caret);
                new = joined;
            }
        }
        self.put(new);
    }

    /// Writes pasted text at the caret, folded when it is large.
    pub fn insert_folded(&mut self, text: &str) {
        self.remember();
        self.put(Piece::folded(text));
    }

    /// Puts a piece at the caret.
    pub fn insert_piece(&mut self, piece: Piece) {
        self.remember();
        self.put(vec![piece]);
    }

    /// Replaces a range by text and leaves the caret after it.
    pub fn replace_range(&mut self, range: Range<usize>, text: &str) {
        self.replace_pieces(range, Piece::split(text));
    }

    /// Replaces a range by pieces and leaves the caret after them.
    pub fn replace_pieces(&mut self, range: Range<usize>, new: Vec<Piece>) {
        let end = range.end.min(self.pieces.len());
        let start = range.start.min(end);
        self.remember();
        self.pieces.drain(start..end);
        self.caret = start;
        self.put(new);
    }

    /// Replaces everything; the caret goes to the end.
    pub fn replace(&mut self, text: &str) {
        self.remember();
        self.pieces = Piece::folded(text);
        self.caret = self.pieces.len();
    }

    /// Removes everything.
    pub fn clear(&mut self) {
        if self.pieces.is_empty() {
            return;
        }
        self.remember();
        self.pieces.clear();
        self.caret = 0;
    }

    /// Moves the caret.
    pub fn go(&mut self, motion: Motion) {
        self.is_typing = false;
        self.caret = self.target(motion);
    }

    /// Puts the caret before a piece.
    pub fn go_to(&mut self, at: usize) {
        self.is_typing = false;
        self.caret = at.min(self.pieces.len());
    }

    /// Removes what lies between the caret and where a motion leads.
    pub fn delete(&mut self, motion: Motion) {
        let range = self.range_to(motion);
        if !range.is_empty() {
            self.remember();
            self.caret = range.start;
            self.pieces.drain(range);
        }
    }

    /// Removes like [`Buffer::delete`] and keeps it for [`Buffer::yank`].
    pub fn kill(&mut self, motion: Motion) {
        let mut range = self.range_to(motion);
        // At the end of a line, killing joins the lines.
        if range.is_empty() && motion == Motion::LineEnd {
            range = self.range_to(Motion::Right);
        }
        if !range.is_empty() {
            self.remember();
            self.caret = range.start;
            self.killed = self.pieces.drain(range).collect();
            self.killed_lines = false;
        }
    }

    /// Puts back what was killed last.
    pub fn yank(&mut self) {
        if !self.killed.is_empty() {
            self.remember();
            self.put(self.killed.clone());
        }
    }

    /// Keeps a range for [`Buffer::put_back`]; `lines` go back as lines.
    pub fn copy(&mut self, range: Range<usize>, lines: bool) {
        let end = range.end.min(self.pieces.len());
        self.killed = self.pieces[range.start.min(end)..end].to_vec();
        self.killed_lines = lines;
    }

    /// Removes a range and keeps it for [`Buffer::put_back`].
    pub fn cut(&mut self, range: Range<usize>, lines: bool) {
        let end = range.end.min(self.pieces.len());
        let range = range.start.min(end)..end;
        if range.is_empty() && !lines {
            return;
        }
        self.remember();
        self.caret = range.start;
        self.killed = self.pieces.drain(range).collect();
        self.killed_lines = lines;
    }

    /// Removes lines with the line break that goes with them.
    pub fn cut_lines(&mut self, range: Range<usize>) {
        self.cut(range, true);
        if self.caret < self.pieces.len() {
            self.pieces.remove(self.caret);
        } else if self.caret > 0 {
            self.caret -= 1;
            self.pieces.remove(self.caret);
            self.caret = self.target(Motion::LineStart);
        }
    }

    /// Puts back what was kept, as vi does: lines below or above, else after or before
    /// the caret.
    pub fn put_back(&mut self, behind: bool) {
        if self.killed.is_empty() && !self.killed_lines {
            return;
        }
        self.remember();
        let newline = Piece::split("\n");
        let kept = self.killed.clone();
        if !self.killed_lines {
            let is_on_text = self.caret < self.target(Motion::LineEnd);
            self.caret += usize::from(behind && is_on_text);
            self.put(kept);
            self.caret -= 1;
        } else if behind {
            self.caret = self.target(Motion::LineEnd);
            self.put(newline);
            let start = self.caret;
            self.put(kept);
            self.caret = start;
        } else {
            self.caret = self.target(Motion::LineStart);
            let start = self.caret;
            self.put(kept);
            self.put(newline);
            self.caret = start;
        }
    }

    /// Swaps the two pieces around the caret.
    pub fn transpose(&mut self) {
        let at = self.caret.min(self.pieces.len().saturating_sub(1));
        if at > 0 {
            self.remember();
            self.pieces.swap(at - 1, at);
            self.caret = at + 1;
        }
    }

    /// Takes back the newest edit; false when there is none.
    pub fn undo(&mut self) -> bool {
        self.is_typing = false;
        let Some((pieces, caret)) = self.undo.pop() else {
            return false;
        };
        self.pieces = pieces;
        self.caret = caret;
        true
    }

    /// Unfolds the paste at or before the caret; false when there is none.
    pub fn unfold(&mut self) -> bool {
        let near = [Some(self.caret), self.caret.checked_sub(1)];
        let found = near.into_iter().flatten().find_map(|at| {
            let Some(Piece::Paste(text)) = self.pieces.get(at) else {
                return None;
            };
            Some((at, Arc::clone(text)))
        });
        let Some((at, text)) = found else {
            return false;
        };
        self.replace_range(at..at + 1, &text);
        true
    }

    fn put(&mut self, pieces: Vec<Piece>) {
        let count = pieces.len();
        self.pieces.splice(self.caret..self.caret, pieces);
        self.caret += count;
    }

    fn remember(&mut self) {
        self.is_typing = false;
        let kept: usize = self.undo.iter().map(|(pieces, _)| pieces.len()).sum();
        if self.undo.len() == UNDO_DEPTH || (kept > UNDO_PIECES && self.undo.len() > 1) {
            self.undo.remove(0);
        }
        self.undo.push((self.pieces.clone(), self.caret));
    }

    fn range_to(&self, motion: Motion) -> Range<usize> {
        let target = self.target(motion);
        self.caret.min(target)..self.caret.max(target)
    }

    /// Where a motion leads.
    pub fn target(&self, motion: Motion) -> usize {
        let back = |mut at: usize, is: fn(&Piece) -> bool| {
            while at > 0 && is(&self.pieces[at - 1]) {
                at -= 1;
            }
            at
        };
        let on = |mut at: usize, is: fn(&Piece) -> bool| {
            while at < self.pieces.len() && is(&self.pieces[at]) {
                at += 1;
            }
            at
        };
        let caret = self.caret;
        match motion {
            Motion::Left => caret.saturating_sub(1),
            Motion::Right => (caret + 1).min(self.pieces.len()),
            Motion::WordLeft => back(back(caret, |p| !p.is_word()), Piece::is_word),
            Motion::WordRight => on(on(caret, |p| !p.is_word()), Piece::is_word),
            Motion::BigWordLeft => back(back(caret, Piece::is_space), |p| !p.is_space()),
            Motion::NextWord => self.next_word(Piece::class),
            Motion::NextBigWord => self.next_word(big_class),
            Motion::WordEnd => self.word_end(Piece::class),
            Motion::BigWordEnd => self.word_end(big_class),
            Motion::LineStart => back(caret, |p| !p.is_newline()),
            Motion::LineEnd => on(caret, |p| !p.is_newline()),
            Motion::Start => 0,
            Motion::End => self.pieces.len(),
        }
    }

    /// Behind the run of one class at the caret and the white space that follows it.
    fn next_word(&self, class: fn(&Piece) -> u8) -> usize {
        let rest = &self.pieces[self.caret..];
        let Some(first) = rest.first().map(class) else {
            return self.caret;
        };
        let run = rest.iter().take_while(|piece| class(piece) == first);
        let run = run.count();
        let blanks = rest[run..].iter().take_while(|piece| piece.is_space());
        self.caret + run + blanks.count()
    }

    /// The last piece of the run of one class after the caret.
    fn word_end(&self, class: fn(&Piece) -> u8) -> usize {
        let behind = (self.caret + 1).min(self.pieces.len());
        let rest = &self.pieces[behind..];
        let blanks = rest.iter().take_while(|piece| piece.is_space());
        let start = blanks.count();
        let first = rest.get(start).map(class);
        let run = rest[start..]
            .iter()
            .take_while(|piece| Some(class(piece)) == first);
        let end = behind + start + run.count();
        end.saturating_sub(1)
            .min(self.pieces.len().saturating_sub(1))
    }
}

/// Blank or not: the classes of words that only white space ends.
fn big_class(piece: &Piece) -> u8 {
    u8::from(!piece.is_space())
}
