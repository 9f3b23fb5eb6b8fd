//! Reasoning that a server left in the text, between `<think>` and `</think>`: as it comes
//! from models whose server does not tell it apart. Only at the beginning of an answer.

use std::collections::VecDeque;

use crate::provider::StreamEvent;

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Splits the text of one answer. What it holds back is never longer than a mark and the
/// white space before it.
#[derive(Debug)]
pub(super) enum Think {
    /// Nothing but white space and perhaps a part of the mark so far.
    Begin(String),
    /// In the reasoning; the end may be a part of the mark.
    Inside(String),
    /// Behind the mark, before the text.
    Behind,
    /// In the text.
    Text,
}

impl Default for Think {
    fn default() -> Self {
        Self::Begin(String::new())
    }
}

impl Think {
    /// The server tells reasoning apart itself: marks are text.
    pub(super) fn is_told_apart(&mut self, out: &mut VecDeque<StreamEvent>) {
        if matches!(self, Self::Begin(_)) {
            self.flush(out);
        }
    }

    /// Takes text, passes on what it is.
    pub(super) fn push(&mut self, text: &str, out: &mut VecDeque<StreamEvent>) {
        match std::mem::replace(self, Self::Text) {
            Self::Begin(held) => self.begin(held + text, out),
            Self::Inside(held) => self.inside(&(held + text), out),
            Self::Behind => {
                let text = text.trim_start();
                if text.is_empty() {
                    *self = Self::Behind;
                }
                pass(StreamEvent::Text, text, out);
            }
            Self::Text => pass(StreamEvent::Text, text, out),
        }
    }

    fn begin(&mut self, held: String, out: &mut VecDeque<StreamEvent>) {
        let text = held.trim_start();
        if let Some(rest) = text.strip_prefix(OPEN) {
            self.inside(rest.trim_start(), out);
        } else if OPEN.starts_with(text) {
            *self = Self::Begin(held);
        } else {
            pass(StreamEvent::Text, &held, out);
        }
    }

    fn inside(&mut self, held: &str, out: &mut VecDeque<StreamEvent>) {
        if let Some((thought, text)) = held.split_once(CLOSE) {
            pass(StreamEvent::Thinking, thought, out);
            *self = Self::Behind;
            self.push(text, out);
            return;
        }
        let may_be_mark = (1..CLOSE.len())
            .rev()
            .find(|&len| CLOSE.get(..len).is_some_and(|part| held.ends_with(part)))
            .unwrap_or_default();
        let (thought, rest) = held.split_at(held.len() - may_be_mark);
        pass(StreamEvent::Thinking, thought, out);
        *self = Self::Inside(rest.to_owned());
    }

    /// The text is over, or something else begins: passes on what was held back.
    pub(super) fn flush(&mut self, out: &mut VecDeque<StreamEvent>) {
        match std::mem::replace(self, Self::Text) {
            Self::Begin(held) => pass(StreamEvent::Text, &held, out),
            Self::Inside(held) => pass(StreamEvent::Thinking, &held, out),
            Self::Behind | Self::Text => {}
        }
    }
}

fn pass(event: fn(String) -> StreamEvent, text: &str, out: &mut VecDeque<StreamEvent>) {
    if !text.is_empty() {
        out.push_back(event(text.to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reasoning and text of an answer that comes in these pieces.
    fn split(pieces: &[&str]) -> (String, String) {
        let mut think = Think::default();
        let mut out = VecDeque::new();
        for piece in pieces {
            think.push(piece, &mut out);
        }
        think.flush(&mut out);
        let mut both = (String::new(), String::new());
        for event in out {
            match event {
                StreamEvent::Thinking(text) => both.0 += &text,
                StreamEvent::Text(text) => both.1 += &text,
                other => panic!("{other:?}"),
            }
        }
        both
    }

    #[test]
    fn reasoning_between_marks_is_told_apart_however_it_is_cut() {
        for (text, thought, said) in [
            ("<think>\nhm</think>\n\nyes", "hm", "yes"),
            (" \n<think>a < b </thin</think>c", "a < b </thin", "c"),
            ("<think>never ends", "never ends", ""),
            ("<think></think>yes", "", "yes"),
            ("<thinking>no", "", "<thinking>no"),
            ("say <think>x</think>", "", "say <think>x</think>"),
            ("<thi", "", "<thi"),
            ("größe", "", "größe"),
            ("<think>größe</think>größe", "größe", "größe"),
        ] {
            let expected = (thought.to_owned(), said.to_owned());
            assert_eq!(split(&[text]), expected, "{text}");
            let chars: Vec<String> = text.chars().map(String::from).collect();
            let pieces: Vec<&str> = chars.iter().map(String::as_str).collect();
            let (thought, said) = split(&pieces);
            assert_eq!(
                (thought.trim_start(), said),
                (expected.0.trim_start(), expected.1)
            );
        }
    }
}
