//! From the view to the request: item by item, entry ids kept. What the ledger shows
//! is, by construction, what is sent.

use std::sync::Arc;

use crate::context::{Category, ContextView, Surroundings, window};
use crate::transcript::{CompletionRequest, RequestMessage, ThinkingLevel};

/// The request that carries a view.
pub fn encode(
    view: &ContextView,
    around: &Surroundings,
    thinking: ThinkingLevel,
) -> CompletionRequest {
    let messages = view
        .items
        .iter()
        .filter_map(|item| {
            Some(RequestMessage {
                entry: item.entry.clone(),
                message: item.sent.clone()?,
                is_summary: item.category == Category::Summary && item.entry.is_some(),
            })
        })
        .collect();
    let margin = if view.usage.exact {
        1.0
    } else {
        view.ruler.margin
    };
    CompletionRequest {
        model: around.model.model.clone(),
        system: Arc::clone(&around.system),
        tools: Arc::clone(&around.tools),
        messages,
        max_output_tokens: window::output_tokens(
            &view.window,
            &around.model,
            view.usage.tokens,
            margin,
        ),
        thinking: if around.model.thinking {
            thinking
        } else {
            ThinkingLevel::Off
        },
    }
}
