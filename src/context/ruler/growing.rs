//! Counts a message that grows at its end, at a cost of what was added: an answer that
//! streams is measured ten times a second, and counting all of it each time would cost
//! more than receiving it.

use super::Ruler;
use crate::transcript::{AssistantPart, Message};

/// Remembers what it counted of the text that grows.
#[derive(Clone, Debug, Default)]
pub struct GrowingCount {
    counted: String,
    tokens: u64,
}

impl GrowingCount {
    /// Tokens of the message by `ruler`, which must be the same at every call.
    pub fn message_tokens(&mut self, ruler: &dyn Ruler, message: &Message) -> u64 {
        match message {
            Message::Assistant(answer) => match answer.content.as_slice() {
                [AssistantPart::Text(text)] => {
                    ruler.message_overhead_tokens() + self.text_tokens(ruler, text)
                }
                _ => ruler.message_tokens(message),
            },
            _ => ruler.message_tokens(message),
        }
    }

    fn text_tokens(&mut self, ruler: &dyn Ruler, text: &str) -> u64 {
        if !text.starts_with(&self.counted) {
            *self = Self::default();
        }
        let new = text.get(self.counted.len()..).unwrap_or_default();
        let (settled, open) = new.split_at(last_seam(new));
        if !settled.is_empty() {
            self.tokens += ruler.text_tokens(settled);
            self.counted.push_str(settled);
        }
        self.tokens + ruler.text_tokens(open)
    }
}

/// The last place in a text that no token spans, whatever follows: behind the end of a line,
/// where a letter or digit begins the next one.
fn last_seam(text: &str) -> usize {
    let lines = text.rmatch_indices('\n').map(|(at, _)| at + 1);
    let mut seams = lines.filter(|&line| {
        let next = text.get(line..).and_then(|rest| rest.chars().next());
        next.is_some_and(char::is_alphanumeric)
    });
    seams.next().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::ruler::{Approximate, Bpe};
    use crate::transcript::{AssistantMessage, Encoding};

    fn answer(text: &str) -> Message {
        Message::Assistant(AssistantMessage {
            content: vec![AssistantPart::Text(text.to_owned())],
            ..AssistantMessage::default()
        })
    }

    #[test]
    fn an_answer_that_grows_counts_as_if_it_were_whole() {
        let ruler = Bpe::new(Encoding::O200k);
        let text = "Here is why:\n\n- water falls\n- the wheel turns\n\n```rust\nfn mill() {\n    \
                    42\n}\n```\n水车转动\n因为水\n\n  end\n\nof it\n"
            .repeat(20);
        let mut growing = GrowingCount::default();
        for (end, _) in text.char_indices().step_by(7) {
            let so_far = answer(text.get(..end).unwrap());
            assert_eq!(
                growing.message_tokens(&ruler, &so_far),
                ruler.message_tokens(&so_far),
                "at {end}"
            );
        }
        assert!(growing.counted.len() > text.len() / 2);
    }

    #[test]
    fn another_answer_is_counted_from_its_start() {
        let ruler = Approximate;
        let mut growing = GrowingCount::default();
        let (first, second) = (answer("one\ntwo\nthree"), answer("four\nfive"));
        growing.message_tokens(&ruler, &first);
        let counted = growing.message_tokens(&ruler, &second);
        assert_eq!(counted, ruler.message_tokens(&second));
        let user = Message::user_text("x");
        assert_eq!(
            growing.message_tokens(&ruler, &user),
            ruler.message_tokens(&user)
        );
    }
}
