//! Rulers: how many tokens a text has. A ruler is a method with a name; every number
//! in a view says which one produced it.
//!
//! Rulers are pure and total: any text, however hostile, gets a number.

mod approximate;
mod bpe;
mod growing;
mod image;

pub use approximate::{Approximate, Chars4};
pub use bpe::Bpe;
pub use growing::GrowingCount;
pub use image::{Pictures, image_tokens};

use crate::transcript::{AssistantPart, Message, Part, ToolSchema};

/// The unit in which limits on characters are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LengthUnit {
    /// Unicode code points.
    #[default]
    CodePoints,
    /// UTF-16 code units: the length of a string in JavaScript.
    Utf16,
}

impl LengthUnit {
    /// The length of a text.
    pub fn length(self, text: &str) -> usize {
        match self {
            Self::CodePoints => text.chars().count(),
            Self::Utf16 => text.encode_utf16().count(),
        }
    }

    /// How many of these characters, from the first on, are within a limit.
    pub fn chars_within(self, chars: impl Iterator<Item = char>, limit: usize) -> usize {
        match self {
            Self::CodePoints => chars.take(limit).count(),
            Self::Utf16 => {
                let ends = chars.scan(0_usize, |end, c| {
                    *end += c.len_utf16();
                    Some(*end)
                });
                ends.take_while(|&end| end <= limit).count()
            }
        }
    }
}

/// A method of counting tokens.
pub trait Ruler: Send + Sync {
    /// The name shown beside numbers, e.g. `o200k_base`.
    fn name(&self) -> &'static str;

    /// Tokens of a text.
    fn text_tokens(&self, text: &str) -> u64;

    /// The unit of limits on characters.
    fn length_unit(&self) -> LengthUnit {
        LengthUnit::CodePoints
    }

    /// Tokens of a message beyond its content.
    fn message_overhead_tokens(&self) -> u64;

    /// Tokens of an attachment.
    fn image_tokens(&self, image: &crate::transcript::Image) -> u64 {
        image_tokens(image)
    }

    /// Tokens of a whole message as it is sent. Tool-result `details` never count.
    fn message_tokens(&self, message: &Message) -> u64 {
        self.message_overhead_tokens() + content_tokens(self, message)
    }

    /// Tokens of the schemas of all tools on offer.
    fn tools_tokens(&self, tools: &[ToolSchema]) -> u64 {
        tools
            .iter()
            .map(|tool| {
                self.message_overhead_tokens()
                    + self.text_tokens(&tool.name)
                    + self.text_tokens(&tool.description)
                    + self.text_tokens(&tool.parameters.to_string())
            })
            .sum()
    }
}

/// Whether two rulers, by their names, count nearly the same, so that what one of them
/// measured says something to the other: older logs have measurements by the rule of thumb.
pub fn are_alike(a: &str, b: &str) -> bool {
    const ALIKE: [&str; 3] = ["bytes4", "o200k_base", "cl100k_base"];
    ALIKE.contains(&a) && ALIKE.contains(&b)
}

fn content_tokens<R: Ruler + ?Sized>(ruler: &R, message: &Message) -> u64 {
    match message {
        Message::User(user) => parts_tokens(ruler, &user.content),
        Message::ToolResult(result) => parts_tokens(ruler, &result.content),
        Message::Assistant(answer) => answer
            .content
            .iter()
            .map(|part| answer_part_tokens(ruler, part))
            .sum(),
        Message::BashExecution(run) => ruler.text_tokens(&run.as_user_text()),
    }
}

fn parts_tokens<R: Ruler + ?Sized>(ruler: &R, parts: &[Part]) -> u64 {
    parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => ruler.text_tokens(text),
            Part::Image(image) => ruler.image_tokens(image),
        })
        .sum()
}

fn answer_part_tokens<R: Ruler + ?Sized>(ruler: &R, part: &AssistantPart) -> u64 {
    match part {
        AssistantPart::Text(text) | AssistantPart::Thinking { text, .. } => ruler.text_tokens(text),
        // Encrypted reasoning: base64 of something that the provider counts by itself.
        AssistantPart::RedactedThinking { data } => data.len() as u64 / ENCRYPTED_BYTES_PER_TOKEN,
        AssistantPart::ToolCall(call) => {
            let arguments = call
                .malformed
                .clone()
                .unwrap_or_else(|| call.arguments.to_string());
            ruler.text_tokens(&call.name) + ruler.text_tokens(&arguments)
        }
    }
}

/// Base64 inflates by a third and a token is about four characters.
const ENCRYPTED_BYTES_PER_TOKEN: u64 = 5;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::transcript::{AssistantMessage, Encoding, ToolCall, ToolResult};

    #[test]
    fn chars4_counts_as_the_documented_systems_do() {
        let ruler = Chars4;
        let check = |message: Message, expected: u64| {
            assert_eq!(ruler.message_tokens(&message), expected, "{message:?}");
        };
        check(Message::user_text("12345"), 2);
        check(Message::user_text("你好世界你"), 2);
        // An emoji is two UTF-16 units.
        check(Message::user_text("😀😀😀"), 2);
        let call = ToolCall {
            id: "x".into(),
            name: "read".into(),
            arguments: json!({"path": "a"}),
            malformed: None,
        };
        // 4 (name) + 12 (`{"path":"a"}`) = 16 units.
        let answer = AssistantMessage {
            content: vec![AssistantPart::ToolCall(call)],
            ..AssistantMessage::default()
        };
        check(Message::Assistant(answer), 4);
    }

    #[test]
    fn limits_on_characters_count_in_the_unit_of_the_ruler() {
        let text = "a😀e\u{301}你";
        assert_eq!(Approximate.length_unit().length(text), 5);
        assert_eq!(Chars4.length_unit().length(text), 6);
        for limit in 0..8 {
            let points = LengthUnit::CodePoints.chars_within(text.chars(), limit);
            assert_eq!(points, limit.min(5));
            let kept = LengthUnit::Utf16.chars_within(text.chars(), limit);
            let units = |chars| text.chars().take(chars).map(char::len_utf16).sum::<usize>();
            assert!(units(kept) <= limit);
            assert!(kept == 5 || units(kept + 1) > limit, "{limit}");
        }
        assert_eq!(LengthUnit::Utf16.chars_within(text.chars().rev(), 3), 3);
        assert_eq!(LengthUnit::Utf16.length("\r\n\0"), 3);
    }

    #[test]
    fn details_of_a_result_cost_nothing() {
        let with = ToolResult {
            content: vec![Part::Text("ok".into())],
            details: Some(json!({"diff": "x".repeat(9_000)})),
            ..ToolResult::default()
        };
        let without = ToolResult {
            details: None,
            ..with.clone()
        };
        let ruler = Approximate;
        assert_eq!(
            ruler.message_tokens(&Message::ToolResult(with)),
            ruler.message_tokens(&Message::ToolResult(without))
        );
    }

    #[test]
    fn bpe_counts_what_the_encoding_says() {
        let text = "上下文窗口已经满了";
        for (encoding, expected) in [(Encoding::O200k, 6), (Encoding::Cl100k, 11)] {
            let ruler = Bpe::new(encoding);
            assert_eq!(ruler.text_tokens("hello world"), 2);
            assert_eq!(ruler.text_tokens(""), 0);
            assert_eq!(ruler.text_tokens(text), expected, "{encoding:?}");
        }
    }

    #[test]
    fn a_long_text_has_the_tokens_of_its_lines() {
        let text = "The quick brown fox jumps.\n";
        let ruler = Bpe::new(Encoding::O200k);
        let lines = 3_000;
        let expected = ruler.text_tokens(text) * lines;
        assert_eq!(ruler.text_tokens(&text.repeat(lines as usize)), expected);
    }
}
