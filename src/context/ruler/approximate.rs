//! Cheap rulers: a rule of thumb, and one that counts as the documented systems do.

use super::{LengthUnit, Ruler};
use crate::transcript::{AssistantPart, Message, Part, ToolSchema};

/// A quarter of the UTF-8 length: within −10…+3% of `o200k_base` on English, code and
/// Chinese. For what is shown as about so much, and for what nothing else measures.
#[derive(Clone, Copy, Debug, Default)]
pub struct Approximate;

const BYTES_PER_TOKEN: u64 = 4;
/// Role and separators of a message in the common chat formats.
const OVERHEAD_TOKENS: u64 = 4;

impl Ruler for Approximate {
    fn name(&self) -> &'static str {
        "bytes4"
    }

    fn text_tokens(&self, text: &str) -> u64 {
        (text.len() as u64).div_ceil(BYTES_PER_TOKEN)
    }

    fn message_overhead_tokens(&self) -> u64 {
        OVERHEAD_TOKENS
    }
}

/// A quarter of the UTF-16 length per message, images 4,800 units, no overheads: the
/// count of the systems whose presets Plimsoll offers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chars4;

const UNITS_PER_TOKEN: u64 = 4;
const IMAGE_UNITS: u64 = 4_800;

fn units(text: &str) -> u64 {
    text.encode_utf16().count() as u64
}

impl Ruler for Chars4 {
    fn name(&self) -> &'static str {
        "chars4"
    }

    fn length_unit(&self) -> LengthUnit {
        LengthUnit::Utf16
    }

    fn text_tokens(&self, text: &str) -> u64 {
        units(text).div_ceil(UNITS_PER_TOKEN)
    }

    fn message_overhead_tokens(&self) -> u64 {
        0
    }

    fn image_tokens(&self, _image: &crate::transcript::Image) -> u64 {
        IMAGE_UNITS / UNITS_PER_TOKEN
    }

    /// Rounds once per message, not once per part.
    fn message_tokens(&self, message: &Message) -> u64 {
        let sum: u64 = match message {
            Message::User(user) => user.content.iter().map(part_units).sum(),
            Message::ToolResult(result) => result.content.iter().map(part_units).sum(),
            Message::Assistant(answer) => answer.content.iter().map(answer_units).sum(),
            Message::BashExecution(run) => units(&run.as_user_text()),
        };
        sum.div_ceil(UNITS_PER_TOKEN)
    }

    fn tools_tokens(&self, tools: &[ToolSchema]) -> u64 {
        let sum: u64 = tools
            .iter()
            .map(|tool| {
                units(&tool.name) + units(&tool.description) + units(&tool.parameters.to_string())
            })
            .sum();
        sum.div_ceil(UNITS_PER_TOKEN)
    }
}

fn part_units(part: &Part) -> u64 {
    match part {
        Part::Text(text) => units(text),
        Part::Image(_) => IMAGE_UNITS,
    }
}

fn answer_units(part: &AssistantPart) -> u64 {
    match part {
        AssistantPart::Text(text) | AssistantPart::Thinking { text, .. } => units(text),
        AssistantPart::RedactedThinking { .. } => 0,
        AssistantPart::ToolCall(call) => units(&call.name) + units(&call.arguments.to_string()),
    }
}
