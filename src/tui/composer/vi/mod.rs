//! The modes of vi for the composer: normal and insert, motions, operators, text objects,
//! counts. Only unmodified characters in normal mode come here; the rest is the table of keys'.
//!
//! Invariant: in normal mode the caret is on a character, not after the last one of
//! a line. What a command waits for is never run as a command of its own.

mod reach;

use std::ops::Range;

use super::{Buffer, Motion, Piece};
use reach::Find;

/// Larger counts are slips, and would hold the program.
const MAX_COUNT: usize = 999;

/// The meaning of characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// They are commands.
    Normal,
    /// They are text.
    #[default]
    Insert,
}

/// The mode, and a command of which only the beginning was typed.
#[derive(Debug, Default)]
pub struct Vi {
    mode: Mode,
    count: usize,
    operator: Option<Operator>,
    waits_for: Option<Argument>,
    /// The search that `;` and `,` repeat.
    found: Option<(Find, char)>,
}

/// The operation on the text that a motion covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Delete,
    Change,
    Copy,
}

/// The meaning of the next character for a command that needs one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Argument {
    /// The second half of `gg`.
    BehindG,
    /// The character to look for.
    Find(Find),
    /// The text that `r` puts at the caret in place of what is there.
    Replacement,
    /// The name of a text object.
    Object { around: bool },
    /// Of a command that is none here, such as the name of a register.
    Unused,
}

/// The meaning of a character in normal mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViStep {
    /// It was carried out, or waits for more.
    Done,
    /// A row up, or an older message.
    Up,
    /// A row down, or a newer message.
    Down,
    /// On in `$EDITOR`.
    Editor,
}

impl Vi {
    /// The mode.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Whether half a command was typed.
    pub fn is_waiting(&self) -> bool {
        self.operator.is_some() || self.waits_for.is_some() || self.count > 0
    }

    /// Characters are text from here on.
    pub fn insert(&mut self) {
        self.forget();
        self.mode = Mode::Insert;
    }

    /// Esc. False when there was nothing to leave: it means something else then.
    pub fn escape(&mut self, buffer: &mut Buffer) -> bool {
        let was_normal = self.mode == Mode::Normal;
        let waited = self.is_waiting();
        self.forget();
        self.mode = Mode::Normal;
        if !was_normal && buffer.caret() > buffer.target(Motion::LineStart) {
            buffer.go(Motion::Left);
        }
        !was_normal || waited
    }

    /// A character in normal mode.
    pub fn on_char(&mut self, c: char, buffer: &mut Buffer) -> ViStep {
        if let Some(argument) = self.waits_for.take() {
            self.argument(argument, c, buffer);
        } else if let Some(digit) = c.to_digit(10).filter(|digit| *digit > 0 || self.count > 0) {
            self.count = (self.count * 10 + digit as usize).min(MAX_COUNT);
            return ViStep::Done;
        } else if let Some(argument) = self.needs_argument(c) {
            self.waits_for = Some(argument);
            return ViStep::Done;
        } else if let Some((motion, is_inclusive)) = motion(c) {
            self.motion(motion, is_inclusive, buffer);
        } else {
            match (c, self.operator) {
                (';' | ',', _) => self.find_again(c == ',', buffer),
                ('j', None) => return self.leave_to(ViStep::Down),
                ('k', None) => return self.leave_to(ViStep::Up),
                ('v', None) => return self.leave_to(ViStep::Editor),
                ('j', Some(operator)) => self.rows(operator, false, buffer),
                ('k', Some(operator)) => self.rows(operator, true, buffer),
                ('d', Some(operator @ Operator::Delete))
                | ('c', Some(operator @ Operator::Change))
                | ('y', Some(operator @ Operator::Copy)) => self.lines(operator, buffer),
                ('d', None) => return self.wait_for_motion(Operator::Delete),
                ('c', None) => return self.wait_for_motion(Operator::Change),
                ('y', None) => return self.wait_for_motion(Operator::Copy),
                (_, None) => self.command(c, buffer),
                _ => {}
            }
        }
        self.forget();
        if self.mode == Mode::Normal {
            stay_on_text(buffer);
        }
        ViStep::Done
    }

    fn leave_to(&mut self, step: ViStep) -> ViStep {
        self.forget();
        step
    }

    fn wait_for_motion(&mut self, operator: Operator) -> ViStep {
        self.operator = Some(operator);
        ViStep::Done
    }

    fn forget(&mut self) {
        self.count = 0;
        self.operator = None;
        self.waits_for = None;
    }

    /// The meaning of the next character, when this one is half a command.
    fn needs_argument(&self, c: char) -> Option<Argument> {
        if let Some(find) = Find::of(c) {
            return Some(Argument::Find(find));
        }
        Some(match (c, self.operator) {
            ('g', _) => Argument::BehindG,
            ('i' | 'a', Some(_)) => Argument::Object { around: c == 'a' },
            ('r', None) => Argument::Replacement,
            ('"' | '\'' | '`' | '@' | 'm' | 'q' | 'z' | 'Z', _) => Argument::Unused,
            _ => return None,
        })
    }

    /// The second half of a command.
    fn argument(&mut self, argument: Argument, c: char, buffer: &mut Buffer) {
        match argument {
            Argument::BehindG if c == 'g' => self.motion(Motion::Start, false, buffer),
            Argument::BehindG | Argument::Unused => {}
            Argument::Find(find) => {
                self.found = Some((find, c));
                self.find(find, c, false, buffer);
            }
            Argument::Replacement => self.replace(c, buffer),
            Argument::Object { around } => {
                let object = reach::object(c, around, buffer);
                if let (Some(operator), Some(range)) = (self.operator, object) {
                    self.operate(operator, range, buffer);
                }
            }
        }
    }

    fn find_again(&mut self, reverse: bool, buffer: &mut Buffer) {
        if let Some((find, c)) = self.found {
            let find = if reverse { find.reversed() } else { find };
            self.find(find, c, true, buffer);
        }
    }

    fn find(&mut self, find: Find, c: char, repeats: bool, buffer: &mut Buffer) {
        let Some(target) = find.target(c, self.count, repeats, buffer) else {
            return;
        };
        let caret = buffer.caret();
        match self.operator {
            None => buffer.go_to(target),
            Some(operator) if find.forward => self.operate(operator, caret..target + 1, buffer),
            Some(operator) => self.operate(operator, target..caret, buffer),
        }
    }

    /// `r`: the same character in the place of as many as were counted, or nothing when the
    /// line has fewer.
    fn replace(&self, c: char, buffer: &mut Buffer) {
        let range = buffer.caret()..buffer.caret() + self.count.max(1);
        if range.end <= buffer.target(Motion::LineEnd) {
            let (start, count) = (range.start, range.len());
            buffer.replace_range(range, &c.to_string().repeat(count));
            buffer.go_to(start + count - 1);
        }
    }

    /// `~`: the other case, and on.
    fn swap_case(&self, buffer: &mut Buffer) {
        let line_end = buffer.target(Motion::LineEnd);
        let range = buffer.caret()..(buffer.caret() + self.count.max(1)).min(line_end);
        let swapped = |piece: &Piece| match piece {
            Piece::Grapheme(text) => Piece::Grapheme(other_case(text).into()),
            chip => chip.clone(),
        };
        if !range.is_empty() {
            let pieces = buffer.pieces()[range.clone()].iter().map(swapped).collect();
            buffer.replace_pieces(range, pieces);
        }
    }

    /// `J`: the next line after this one, with one blank between them.
    fn join(buffer: &mut Buffer) {
        let line_end = buffer.target(Motion::LineEnd);
        let behind = buffer.pieces().get(line_end + 1..).unwrap_or_default();
        let indent = behind
            .iter()
            .take_while(|piece| piece.is_space() && !piece.is_newline());
        let end = line_end + 1 + indent.count();
        if line_end < buffer.pieces().len() {
            buffer.replace_range(line_end..end, " ");
            buffer.go_to(line_end);
        }
    }

    /// A command that is one character.
    fn command(&mut self, c: char, buffer: &mut Buffer) {
        match c {
            'i' => self.mode = Mode::Insert,
            'a' => self.insert_at(Motion::Right, buffer),
            'I' => self.insert_at(Motion::LineStart, buffer),
            'A' => self.insert_at(Motion::LineEnd, buffer),
            'o' => {
                self.insert_at(Motion::LineEnd, buffer);
                buffer.insert("\n");
            }
            'O' => {
                self.insert_at(Motion::LineStart, buffer);
                buffer.insert("\n");
                buffer.go(Motion::Left);
            }
            'x' => self.over(Operator::Delete, Motion::Right, false, buffer),
            'X' => self.over(Operator::Delete, Motion::Left, false, buffer),
            's' => self.over(Operator::Change, Motion::Right, false, buffer),
            'D' => self.over(Operator::Delete, Motion::LineEnd, false, buffer),
            'C' => self.over(Operator::Change, Motion::LineEnd, false, buffer),
            'S' => self.lines(Operator::Change, buffer),
            'Y' => self.lines(Operator::Copy, buffer),
            'J' => Self::join(buffer),
            '~' => self.swap_case(buffer),
            'p' => buffer.put_back(true),
            'P' => buffer.put_back(false),
            'u' => {
                for _ in 0..self.count.max(1) {
                    buffer.undo();
                }
            }
            _ => {}
        }
    }

    fn insert_at(&mut self, motion: Motion, buffer: &mut Buffer) {
        self.mode = Mode::Insert;
        let end = buffer.target(Motion::LineEnd);
        buffer.go_to(buffer.target(motion).min(end));
    }

    /// Moves, or does what waits for a motion.
    fn motion(&mut self, motion: Motion, is_inclusive: bool, buffer: &mut Buffer) {
        if let Some(operator) = self.operator {
            self.over(operator, motion, is_inclusive, buffer);
            return;
        }
        let (start, end) = (
            buffer.target(Motion::LineStart),
            buffer.target(Motion::LineEnd),
        );
        for _ in 0..self.count.max(1) {
            buffer.go(motion);
        }
        // `h` and `l` stay on their line.
        if matches!(motion, Motion::Left | Motion::Right) {
            buffer.go_to(buffer.caret().clamp(start, end));
        }
    }

    fn over(
        &mut self,
        operator: Operator,
        motion: Motion,
        is_inclusive: bool,
        buffer: &mut Buffer,
    ) {
        // `cw` changes the word, not the blanks after it.
        let (motion, is_inclusive) = match (operator, motion) {
            (Operator::Change, Motion::NextWord) => (Motion::WordEnd, true),
            (Operator::Change, Motion::NextBigWord) => (Motion::BigWordEnd, true),
            other => (other.1, is_inclusive),
        };
        let from = buffer.caret();
        let (line_start, line_end) = (
            buffer.target(Motion::LineStart),
            buffer.target(Motion::LineEnd),
        );
        for _ in 0..self.count.max(1) {
            buffer.go(motion);
        }
        let mut to = buffer.caret();
        buffer.go_to(from);
        let stays = [
            Motion::Left,
            Motion::Right,
            Motion::NextWord,
            Motion::NextBigWord,
        ];
        if stays.contains(&motion) {
            to = to.clamp(line_start, line_end);
        }
        if is_inclusive {
            to += 1;
        }
        self.operate(operator, from.min(to)..from.max(to), buffer);
    }

    fn operate(&mut self, operator: Operator, range: Range<usize>, buffer: &mut Buffer) {
        let start = range.start;
        match operator {
            Operator::Copy => buffer.copy(range, false),
            Operator::Delete | Operator::Change => buffer.cut(range, false),
        }
        buffer.go_to(start);
        if operator == Operator::Change {
            self.mode = Mode::Insert;
        }
    }

    /// `dj`, `yk`: the caret's line with as many below or above it as were counted.
    fn rows(&mut self, operator: Operator, up: bool, buffer: &mut Buffer) {
        let mut lines = 1;
        if up {
            for _ in 0..self.count.max(1) {
                let start = buffer.target(Motion::LineStart);
                if start > 0 {
                    buffer.go_to(start - 1);
                    lines += 1;
                }
            }
        } else {
            lines += self.count.max(1);
        }
        self.count = lines;
        self.lines(operator, buffer);
    }

    /// `dd`, `cc`, `yy`: whole lines.
    fn lines(&mut self, operator: Operator, buffer: &mut Buffer) {
        let start = buffer.target(Motion::LineStart);
        let caret = buffer.caret();
        let mut end = buffer.target(Motion::LineEnd);
        for _ in 1..self.count.max(1) {
            buffer.go_to(end + 1);
            end = buffer.target(Motion::LineEnd);
        }
        buffer.go_to(caret);
        match operator {
            Operator::Copy => buffer.copy(start..end, true),
            Operator::Change => {
                buffer.cut(start..end, true);
                self.mode = Mode::Insert;
            }
            Operator::Delete => buffer.cut_lines(start..end),
        }
    }
}

/// The motion of a character, and whether it includes what it leads to.
fn motion(c: char) -> Option<(Motion, bool)> {
    Some(match c {
        'h' => (Motion::Left, false),
        'l' | ' ' => (Motion::Right, false),
        'w' => (Motion::NextWord, false),
        'b' => (Motion::WordLeft, false),
        'e' => (Motion::WordEnd, true),
        'W' => (Motion::NextBigWord, false),
        'B' => (Motion::BigWordLeft, false),
        'E' => (Motion::BigWordEnd, true),
        '0' | '^' => (Motion::LineStart, false),
        '$' => (Motion::LineEnd, false),
        'G' => (Motion::End, false),
        _ => return None,
    })
}

/// A grapheme in the other case, where it has one.
fn other_case(grapheme: &str) -> String {
    let swap = |c: char| -> String {
        if c.is_uppercase() {
            c.to_lowercase().collect()
        } else {
            c.to_uppercase().collect()
        }
    };
    grapheme.chars().map(swap).collect()
}

fn stay_on_text(buffer: &mut Buffer) {
    let (start, end) = (
        buffer.target(Motion::LineStart),
        buffer.target(Motion::LineEnd),
    );
    if buffer.caret() == end && end > start {
        buffer.go_to(end - 1);
    }
}

#[cfg(test)]
mod tests;
