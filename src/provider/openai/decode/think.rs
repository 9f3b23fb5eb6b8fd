//! Reasoning that a server left in the text, between `<think>` and `</think>`: as it comes
//! from models whose server does not tell it apart.
//!
//! Only at the very beginning of an answer, so that one that speaks of the marks, or shows
//! them in code, is text. Whatever pieces a text comes in, it is split in the same way.

use std::collections::VecDeque;

use crate::provider::event::StreamEvent;

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Splits the text of one answer. What it holds back is never longer than a mark and the
/// white space before it.
#[derive(Debug)]
pub(super) enum ThinkSplitter {
    /// Nothing but white space and perhaps a part of the mark so far.
    Begin(String),
    /// Behind the first mark, before the reasoning.
    Opened,
    /// In the reasoning; the end may be a part of the mark.
    Inside(String),
    /// Behind the second mark, before the text.
    Closed,
    Text,
}

impl Default for ThinkSplitter {
    fn default() -> Self {
        Self::Begin(String::new())
    }
}

impl ThinkSplitter {
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
            Self::Opened => match text.trim_start() {
                "" => *self = Self::Opened,
                thought => self.inside(thought, out),
            },
            Self::Inside(held) => self.inside(&(held + text), out),
            Self::Closed => match text.trim_start() {
                "" => *self = Self::Closed,
                text => pass(StreamEvent::Text, text, out),
            },
            Self::Text => pass(StreamEvent::Text, text, out),
        }
    }

    fn begin(&mut self, held: String, out: &mut VecDeque<StreamEvent>) {
        let text = held.trim_start();
        if let Some(rest) = text.strip_prefix(OPEN) {
            *self = Self::Opened;
            self.push(rest, out);
        } else if OPEN.starts_with(text) {
            *self = Self::Begin(held);
        } else {
            pass(StreamEvent::Text, &held, out);
        }
    }

    fn inside(&mut self, held: &str, out: &mut VecDeque<StreamEvent>) {
        if let Some((thought, text)) = held.split_once(CLOSE) {
            pass(StreamEvent::Thinking, thought, out);
            *self = Self::Closed;
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
            Self::Opened | Self::Closed | Self::Text => {}
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
    use proptest::prelude::*;

    use super::*;

    /// Reasoning and text of an answer that comes in these pieces.
    fn split(pieces: &[&str]) -> (String, String) {
        let mut think = ThinkSplitter::default();
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
    fn reasoning_between_marks_is_told_apart() {
        for (text, thought, said) in [
            ("<think>\nhm</think>\n\nyes", "hm", "yes"),
            (" \n<think>a < b </thin</think>c", "a < b </thin", "c"),
            ("<think>never ends", "never ends", ""),
            ("<think>ends in </thi", "ends in </thi", ""),
            ("<think></think>yes", "", "yes"),
            ("<think> \n </think>\n", "", ""),
            ("<think>größe</think>größe", "größe", "größe"),
            (
                "<think>a</think>b <think>c</think>",
                "a",
                "b <think>c</think>",
            ),
        ] {
            assert_eq!(split(&[text]), (thought.to_owned(), said.to_owned()));
        }
    }

    #[test]
    fn who_speaks_of_the_marks_or_shows_them_in_code_is_not_thinking() {
        for text in [
            "<thinking>no",
            "say <think>x</think>",
            "`<think>` begins what a model thinks, `</think>` ends it",
            "```xml\n<think>hm</think>\n```\nis what it sends",
            "  </think> alone",
            "<thi",
            " \n",
            "größe",
        ] {
            assert_eq!(split(&[text]), (String::new(), text.to_owned()));
        }
    }

    proptest! {
        #[test]
        fn the_pieces_that_a_text_comes_in_do_not_matter(
            pieces in proptest::collection::vec(
                prop_oneof![
                    Just("<think>"), Just("</think>"), Just("<thi"), Just("nk>"), Just("</"),
                    Just("<"), Just(" "), Just("\n"), Just("größe"), Just("```"), Just("a"),
                ],
                0..12,
            ),
        ) {
            let text = pieces.concat();
            let whole = split(&[&text]);
            prop_assert_eq!(&split(&pieces), &whole);
            let chars: Vec<String> = text.chars().map(String::from).collect();
            let chars: Vec<&str> = chars.iter().map(String::as_str).collect();
            prop_assert_eq!(&split(&chars), &whole);
        }
    }
}
