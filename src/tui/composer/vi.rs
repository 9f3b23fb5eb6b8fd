//! The modes of vi for the composer: normal and insert, motions, operators, counts.
//! Only unmodified characters in normal mode come here; the rest is the table of keys'.
//!
//! Invariant: in normal mode the caret stands on a character, not behind the last one of
//! a line.

use super::buffer::{Buffer, Motion};

/// Larger counts are slips, and would hold the program.
const MAX_COUNT: usize = 999;

/// What characters do.
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
    is_behind_g: bool,
}

/// What is to be done with the text that a motion covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Delete,
    Change,
    Copy,
}

/// What a character in normal mode comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It was carried out, or waits for more.
    Done,
    /// A row up, or an older message.
    Up,
    /// A row down, or a newer message.
    Down,
}

impl Vi {
    /// What characters do now.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Characters are text from here on.
    pub fn insert(&mut self) {
        *self = Self::default();
    }

    /// Esc. False when there was nothing to leave: it means something else then.
    pub fn escape(&mut self, buffer: &mut Buffer) -> bool {
        let was_normal = self.mode == Mode::Normal;
        let waited = self.operator.is_some() || self.is_behind_g || self.count > 0;
        self.forget();
        self.mode = Mode::Normal;
        if !was_normal && buffer.caret() > buffer.target(Motion::LineStart) {
            buffer.go(Motion::Left);
        }
        !was_normal || waited
    }

    /// A character in normal mode.
    pub fn on_char(&mut self, c: char, buffer: &mut Buffer) -> Step {
        if let Some(digit) = c.to_digit(10).filter(|digit| *digit > 0 || self.count > 0) {
            self.count = (self.count * 10 + digit as usize).min(MAX_COUNT);
            return Step::Done;
        }
        if self.is_behind_g {
            self.is_behind_g = false;
            if c == 'g' {
                self.motion(Motion::Start, false, buffer);
            }
            self.forget();
            return Step::Done;
        }
        if let Some((motion, is_inclusive)) = motion(c) {
            self.motion(motion, is_inclusive, buffer);
        } else {
            match (c, self.operator) {
                ('g', _) => {
                    self.is_behind_g = true;
                    return Step::Done;
                }
                ('j', None) => return self.row(Step::Down),
                ('k', None) => return self.row(Step::Up),
                ('d', Some(Operator::Delete))
                | ('c', Some(Operator::Change))
                | ('y', Some(Operator::Copy)) => self.lines(buffer),
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
        Step::Done
    }

    fn row(&mut self, step: Step) -> Step {
        self.forget();
        step
    }

    fn wait_for_motion(&mut self, operator: Operator) -> Step {
        self.operator = Some(operator);
        Step::Done
    }

    fn forget(&mut self) {
        self.count = 0;
        self.operator = None;
        self.is_behind_g = false;
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
            'D' => self.over(Operator::Delete, Motion::LineEnd, false, buffer),
            'C' => self.over(Operator::Change, Motion::LineEnd, false, buffer),
            'S' => {
                self.operator = Some(Operator::Change);
                self.lines(buffer);
            }
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
        // `cw` changes the word, not the blanks behind it.
        let (motion, is_inclusive) = match (operator, motion) {
            (Operator::Change, Motion::NextWord) => (Motion::WordEnd, true),
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
        if matches!(motion, Motion::Left | Motion::Right | Motion::NextWord) {
            to = to.clamp(line_start, line_end);
        }
        if is_inclusive {
            to += 1;
        }
        let range = from.min(to)..from.max(to);
        match operator {
            Operator::Copy => buffer.copy(range.clone(), false),
            Operator::Delete | Operator::Change => buffer.cut(range.clone(), false),
        }
        buffer.go_to(range.start);
        if operator == Operator::Change {
            self.mode = Mode::Insert;
        }
    }

    /// `dd`, `cc`, `yy`: whole lines.
    fn lines(&mut self, buffer: &mut Buffer) {
        let start = buffer.target(Motion::LineStart);
        let caret = buffer.caret();
        let mut end = buffer.target(Motion::LineEnd);
        for _ in 1..self.count.max(1) {
            buffer.go_to(end + 1);
            end = buffer.target(Motion::LineEnd);
        }
        buffer.go_to(caret);
        match self.operator {
            Some(Operator::Copy) => buffer.copy(start..end, true),
            Some(Operator::Change) => {
                buffer.cut(start..end, true);
                self.mode = Mode::Insert;
            }
            _ => buffer.cut_lines(start..end),
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
        '0' | '^' => (Motion::LineStart, false),
        '$' => (Motion::LineEnd, false),
        'G' => (Motion::End, false),
        _ => return None,
    })
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
mod tests {
    use super::*;

    /// The text after Esc and these commands, the caret as `|`.
    fn after(text: &str, commands: &str) -> String {
        let (mut vi, mut buffer) = (Vi::default(), Buffer::default());
        buffer.insert(text);
        vi.escape(&mut buffer);
        for c in commands.chars() {
            match vi.mode() {
                Mode::Normal => assert_eq!(vi.on_char(c, &mut buffer), Step::Done, "{c}"),
                Mode::Insert if c == '⎋' => _ = vi.escape(&mut buffer),
                Mode::Insert => buffer.insert(&c.to_string()),
            }
        }
        let before = buffer.text_in(0..buffer.caret());
        let behind = buffer.text_in(buffer.caret()..buffer.pieces().len());
        format!("{before}|{behind}")
    }

    #[test]
    fn motions() {
        for (commands, expected) in [
            ("", "one two, thre|e"),
            ("0", "|one two, three"),
            ("0w", "one |two, three"),
            ("0ww", "one two|, three"),
            ("03w", "one two, |three"),
            ("0e", "on|e two, three"),
            ("0ee", "one tw|o, three"),
            ("bb", "one |two, three"),
            ("hhl", "one two, thr|ee"),
            ("0$", "one two, thre|e"),
            ("0hh", "|one two, three"),
            ("gg", "|one two, three"),
            ("99l", "one two, thre|e"),
        ] {
            assert_eq!(after("one two, three", commands), expected, "{commands}");
        }
    }

    #[test]
    fn operators_and_lines() {
        for (text, commands, expected) in [
            ("one two", "0dw", "|two"),
            ("one two", "bdw", "one| "),
            ("one two", "0cwsix⎋", "si|x two"),
            ("one two", "0x", "|ne two"),
            ("one two", "02x", "|e two"),
            ("one two", "0D", "|"),
            ("one two", "db", "one |o"),
            ("one two", "0de", "| two"),
            ("one two", "0ywP", "one| one two"),
            ("a\nb\nc", "ggdd", "|b\nc"),
            ("a\nb\nc", "dd", "a\n|b"),
            ("a\nb\nc", "gg2dd", "|c"),
            ("a\nb", "ggddp", "b\n|a"),
            ("a\nb", "ggyyp", "a\n|a\nb"),
            ("a\nb", "yyP", "a\n|b\nb"),
            ("a\nb", "ggcczz⎋", "z|z\nb"),
            ("a", "ob⎋", "a\n|b"),
            ("a", "Ob⎋", "|b\na"),
            ("ab", "0ax⎋", "a|xb"),
            ("ab", "Ix⎋", "|xab"),
            ("ab", "0Ax⎋", "ab|x"),
            ("ab", "0xu", "|ab"),
            ("", "xdddw", "|"),
        ] {
            assert_eq!(after(text, commands), expected, "{text:?} {commands}");
        }
    }

    #[test]
    fn an_operator_that_waits_is_given_up_with_escape() {
        let (mut vi, mut buffer) = (Vi::default(), Buffer::default());
        buffer.insert("one two");
        assert!(vi.escape(&mut buffer));
        vi.on_char('d', &mut buffer);
        assert!(vi.escape(&mut buffer), "the operator is forgotten");
        vi.on_char('0', &mut buffer);
        assert_eq!(buffer.text(), "one two");
        assert!(!vi.escape(&mut buffer), "nothing left to leave");
    }

    proptest::proptest! {
        #[test]
        fn any_command_leaves_a_caret_inside_the_text(text in "[a-c ,\n漢]{0,12}", commands in "[hlwbe0$xdycDCSpPuiaIAoOgG1-3 ⎋]{0,16}") {
            let (mut vi, mut buffer) = (Vi::default(), Buffer::default());
            buffer.insert(&text);
            vi.escape(&mut buffer);
            for c in commands.chars() {
                match (vi.mode(), c) {
                    (_, '⎋') => _ = vi.escape(&mut buffer),
                    (Mode::Normal, c) => _ = vi.on_char(c, &mut buffer),
                    (Mode::Insert, c) => buffer.insert(&c.to_string()),
                }
                proptest::prop_assert!(buffer.caret() <= buffer.pieces().len());
            }
        }
    }
}
