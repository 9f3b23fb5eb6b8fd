//! Which decoder reads which wire format.

use super::AnswerReader;
use crate::provider::protocol::Protocol;
use crate::provider::protocol::decode::AnswerDecoder;
use crate::provider::{anthropic, gemini, openai, responses};
use crate::transcript::ModelInfo;

impl AnswerReader {
    /// For an answer of a model in a wire format; `None` for the embedded provider, which
    /// has none.
    pub fn new(protocol: Protocol, info: ModelInfo) -> Option<Self> {
        let decoder: Box<dyn AnswerDecoder> = match protocol {
            Protocol::Anthropic => Box::new(anthropic::decode::AnthropicDecoder::new(info)),
            Protocol::OpenAi => Box::new(openai::decode::ChatDecoder::new(info)),
            Protocol::Responses => Box::new(responses::decode::ResponsesDecoder::new(info)),
            Protocol::Gemini => Box::new(gemini::decode::GeminiDecoder::new(info)),
            Protocol::Offline => return None,
        };
        Some(Self::of(decoder))
    }
}
