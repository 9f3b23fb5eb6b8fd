//! Counting for whoever asks a model: rulers, the tokens that a request should have, the
//! window of a model.

use std::sync::Arc;

use crate::context::ruler::{Approximate, Bpe, Chars4, Pictures, Ruler};
use crate::context::{ContextView, RulerKind};
use crate::transcript::{
    AssistantMessage, AssistantPart, Encoding, ExpectedTokens, ImageTokens, Message, ModelInfo,
};

pub use crate::context::is_believable_refusal;
pub use crate::context::window::{
    ASSUMED_WINDOW_TOKENS, PromptSize, output_tokens, report as window_report,
};

/// How a model counts: text by an encoding, images by a formula.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TokenCounting {
    /// The encoding of text.
    pub encoding: Encoding,
    /// The formula for images.
    pub images: ImageTokens,
}

impl TokenCounting {
    /// How this model counts.
    pub fn of(model: &ModelInfo) -> Self {
        Self {
            encoding: model.encoding,
            images: model.image_tokens,
        }
    }
}

/// The ruler that the settings name.
pub fn ruler_of(kind: RulerKind, counting: TokenCounting) -> Arc<dyn Ruler> {
    match kind {
        RulerKind::Bpe => Arc::new(Pictures::new(
            Arc::new(Bpe::new(counting.encoding)),
            counting.images,
        )),
        RulerKind::Chars4 => Arc::new(Chars4),
    }
}

/// The expected count of the request that carries this view, before its provider has
/// taught anything: what was learnt may itself be wrong.
pub fn expected_tokens(view: &ContextView, token_factor: f64, ruler: &dyn Ruler) -> ExpectedTokens {
    let sent = || view.items.iter().filter_map(|item| item.sent.as_deref());
    let estimate: u64 = view.items.iter().map(|item| item.estimate_tokens).sum();
    // A quarter of the characters is far below what Chinese text has.
    let least = if view.ruler.name == Chars4.name() {
        sent()
            .map(|message| Approximate.message_tokens(message))
            .sum()
    } else {
        0
    };
    let scaled = |tokens: u64| (tokens as f64 * token_factor) as u64;
    ExpectedTokens {
        tokens: scaled(estimate.max(least)),
        uncertain_tokens: scaled(sent().map(|message| uncertain(message, ruler)).sum()),
    }
}

/// Tokens of images and reasoning in a message.
fn uncertain(message: &Message, ruler: &dyn Ruler) -> u64 {
    match message {
        Message::Assistant(answer) => {
            let is_reasoning = |part: &&AssistantPart| {
                matches!(
                    part,
                    AssistantPart::Thinking { .. } | AssistantPart::RedactedThinking { .. }
                )
            };
            let content: Vec<_> = answer
                .content
                .iter()
                .filter(is_reasoning)
                .cloned()
                .collect();
            if content.is_empty() {
                return 0;
            }
            ruler.message_tokens(&Message::Assistant(AssistantMessage {
                content,
                ..AssistantMessage::default()
            }))
        }
        other => other.images().map(|image| ruler.image_tokens(image)).sum(),
    }
}
