//! The facts that only the terminal knows, asked in one exchange after the first frame: its
//! background, and whether it speaks the kitty keyboard protocol. Nobody waits: the answer is
//! applied when it comes, and until then what the environment says holds.
//!
//! The answers come as input. That about the background is read as keys, which are held back
//! while they can still be the answer; the others stay with whoever reads the terminal, and
//! are there when this one is, since answers come in the order of the questions.
//!
//! Invariant: a key that is no part of an answer is passed on, in order.

use std::collections::VecDeque;
use std::io::{Write as _, stdout};
use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

use super::super::input::{Input, from_event};
use super::super::terminal::speaks_kitty_keyboard;
use super::themes::{self, ThemeOptions};

/// Keyboard protocol, then device attributes, which every terminal answers, then background.
const QUESTION: &str = "\u{1b}[?u\u{1b}[c\u{1b}]11;?\u{1b}\\";
/// The start of the answer, after its introducer.
const ANSWER: &str = "11;rgb";
/// An answer is written at once; keys that are held longer than this are keys.
const HELD: Duration = Duration::from_millis(50);
/// The longest answer: four components of four digits.
const MAX_ANSWER: usize = 32;

/// The exchange with the terminal.
#[derive(Debug)]
pub(super) struct TerminalQuestions {
    state: ExchangeState,
    wants_keyboard: bool,
    has_escapes: bool,
    /// Keys that may be an answer.
    held: Vec<KeyEvent>,
    held_since: Option<Instant>,
    released: VecDeque<Input>,
    answer: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExchangeState {
    Unasked,
    Asked,
    Over,
}

impl TerminalQuestions {
    /// Decides what has to be asked of the terminal that the environment describes.
    pub(super) fn new(env: impl Fn(&str) -> Option<String>) -> Self {
        let get = |name: &str| env(name).unwrap_or_default();
        let is_inside = !get("TMUX").is_empty() || !get("STY").is_empty();
        Self {
            state: ExchangeState::Unasked,
            wants_keyboard: !is_inside && !speaks_kitty_keyboard(&env),
            has_escapes: !matches!(get("TERM").as_str(), "" | "dumb" | "linux"),
            held: Vec::new(),
            held_since: None,
            released: VecDeque::new(),
            answer: None,
        }
    }

    /// Whether the keyboard's protocol is still to be found out.
    pub(super) fn wants_keyboard(&self) -> bool {
        self.wants_keyboard
    }

    /// Asks, once, when there is something that is not known.
    pub(super) fn ask(&mut self, options: &ThemeOptions) -> std::io::Result<()> {
        if self.state != ExchangeState::Unasked {
            return Ok(());
        }
        let wants_background = options.is_dark.is_none() && themes::is_automatic(&options.name);
        if !self.has_escapes || !(wants_background || self.wants_keyboard) {
            self.state = ExchangeState::Over;
            return Ok(());
        }
        self.state = ExchangeState::Asked;
        let mut out = stdout();
        out.write_all(QUESTION.as_bytes())?;
        out.flush()
    }

    /// The input in an event, unless it is (or may be) part of an answer.
    pub(super) fn sift(&mut self, event: Event, now: Instant) -> Option<Input> {
        if self.state != ExchangeState::Asked {
            return from_event(event);
        }
        if let Event::Key(key) = event {
            let begins = key.code == KeyCode::Char(']') && key.modifiers == KeyModifiers::ALT;
            if begins || !self.held.is_empty() {
                self.held.push(key);
                self.held_since.get_or_insert(now);
                self.read();
                return self.released.pop_front();
            }
        } else if !self.held.is_empty() {
            self.release();
        }
        self.released.extend(from_event(event));
        self.released.pop_front()
    }

    /// The keys that were held back and are no answer.
    pub(super) fn released(&mut self, now: Instant) -> Option<Input> {
        if self.release_at().is_some_and(|at| at <= now) {
            self.release();
        }
        self.released.pop_front()
    }

    /// When what is held back is passed on.
    pub(super) fn release_at(&self) -> Option<Instant> {
        self.held_since.map(|since| since + HELD)
    }

    /// Whether the background is dark, once, when the terminal said so.
    pub(super) fn take_answer(&mut self) -> Option<bool> {
        self.answer.take()
    }

    fn read(&mut self) {
        let Some((last, text)) = self.held.split_last() else {
            return;
        };
        let ends = matches!(
            (last.code, last.modifiers),
            (KeyCode::Char('\\'), KeyModifiers::ALT) | (KeyCode::Char('g'), KeyModifiers::CONTROL)
        );
        let text = if ends { text } else { &self.held };
        let answer: Option<String> = text
            .iter()
            .skip(1)
            .map(|key| match key.code {
                KeyCode::Char(c) if key.modifiers.difference(KeyModifiers::SHIFT).is_empty() => {
                    Some(c)
                }
                _ => None,
            })
            .collect();
        let answer = answer.filter(|it| it.starts_with(ANSWER) || ANSWER.starts_with(it.as_str()));
        let Some(answer) = answer.filter(|it| it.len() <= MAX_ANSWER) else {
            return self.release();
        };
        if !ends {
            return;
        }
        match is_dark(&answer) {
            Some(is_dark) => {
                self.answer = Some(is_dark);
                self.state = ExchangeState::Over;
                self.held.clear();
                self.held_since = None;
            }
            None => self.release(),
        }
    }

    fn release(&mut self) {
        self.held_since = None;
        let inputs = self.held.drain(..).map(Event::Key).filter_map(from_event);
        self.released.extend(inputs);
    }
}

/// Whether the colour of an answer, as `11;rgb:1e1e/1e1e/2e2e`, is dark.
fn is_dark(answer: &str) -> Option<bool> {
    let (_, color) = answer.split_once(':')?;
    let mut shares = color.split('/').map(|digits| {
        let most = 16_u32.checked_pow(u32::try_from(digits.len()).ok()?)? - 1;
        let value = u32::from_str_radix(digits, 16).ok()?;
        (most > 0).then(|| f64::from(value) / f64::from(most))
    });
    let mut next = || shares.next().flatten();
    let (red, green, blue) = (next()?, next()?, next()?);
    // As bright as the eye finds them.
    Some(0.299 * red + 0.587 * green + 0.114 * blue < 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> TerminalQuestions {
        TerminalQuestions {
            state: ExchangeState::Asked,
            ..TerminalQuestions::new(|name| (name == "TERM").then(|| "xterm".to_owned()))
        }
    }

    fn key(c: char, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(KeyCode::Char(c), modifiers))
    }

    /// The keys that reach the interface, in order.
    fn pass(questions: &mut TerminalQuestions, keys: &[Event], now: Instant) -> String {
        let mut shown = String::new();
        let mut add = |input: Option<Input>| match input {
            Some(Input::Key(KeyEvent {
                code: KeyCode::Char(c),
                ..
            })) => shown.push(c),
            Some(other) => panic!("{other:?}"),
            None => {}
        };
        for event in keys {
            add(questions.sift(event.clone(), now));
            while let Some(input) = questions.released(now) {
                add(Some(input));
            }
        }
        shown
    }

    fn answer(color: &str, end: Event) -> Vec<Event> {
        let mut keys = vec![key(']', KeyModifiers::ALT)];
        keys.extend(
            format!("11;{color}")
                .chars()
                .map(|c| key(c, KeyModifiers::NONE)),
        );
        keys.push(end);
        keys
    }

    #[test]
    fn the_answer_is_taken_out_of_what_is_typed() {
        let now = Instant::now();
        for (color, end, expected) in [
            ("rgb:ffff/ffff/ffff", key('\\', KeyModifiers::ALT), false),
            ("rgb:1e1e/1e1e/2e2e", key('g', KeyModifiers::CONTROL), true),
            ("rgba:ff/ff/ee/ff", key('g', KeyModifiers::CONTROL), false),
        ] {
            let mut questions = asked();
            let mut keys = vec![key('a', KeyModifiers::NONE)];
            keys.extend(answer(color, end));
            keys.push(key('b', KeyModifiers::NONE));
            assert_eq!(pass(&mut questions, &keys, now), "ab", "{color}");
            assert_eq!(questions.take_answer(), Some(expected), "{color}");
            assert_eq!(questions.take_answer(), None);
        }
    }

    #[test]
    fn what_only_looks_like_an_answer_is_passed_on() {
        let now = Instant::now();
        let mut questions = asked();
        let keys = [
            key(']', KeyModifiers::ALT),
            key('1', KeyModifiers::NONE),
            key('x', KeyModifiers::NONE),
        ];
        assert_eq!(pass(&mut questions, &keys, now), "]1x");
        assert_eq!(
            pass(&mut questions, &keys[..2], now),
            "",
            "may still be one"
        );
        assert_eq!(questions.released(now), None);
        let later = questions.release_at().unwrap();
        assert_eq!(pass(&mut questions, &[], later), "");
        assert!(questions.released(later).is_some() && questions.released(later).is_some());
        assert_eq!(questions.released(later), None);
        let nonsense = answer("rgb:zz/0/0", key('g', KeyModifiers::CONTROL));
        assert_eq!(pass(&mut questions, &nonsense, now), "]11;rgb:zz/0/0g");
        assert_eq!(questions.take_answer(), None);
    }
}
