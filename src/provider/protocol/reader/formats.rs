//! Which decoder reads which wire format.

use super::AnswerReader;
use crate::provider::protocol::Protocol;
use crate::provider::protocol::decode::Decode;
use crate::provider::{anthropic, gemini, openai, responses};
use crate::transcript::ModelInfo;

impl AnswerReader {
    /// For an answer of a model in a wire format; `None` for the embedded provider, which
    /// has none.
    pub fn new(protocol: Protocol, info: ModelInfo) -> Option<Self> {
        let decoder: Box<dyn Decode> = match protocol {
            Protocol::Anthropic => Box::new(anthropic::decode::Decoder::new(info)),
            Protocol::OpenAi => Box::new(openai::decode::Decoder::new(info)),
            Protocol::Responses => Box::new(responses::decode::Decoder::new(info)),
            Protocol::Gemini => Box::new(gemini::decode::Decoder::new(info)),
            Protocol::Offline => return None,
        };
        Some(Self::of(decoder))
    }
}
