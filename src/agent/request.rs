//! From the view to the request: item by item, entry ids kept. What the ledger shows
//! is, by construction, what is sent.

use std::sync::Arc;

use crate::context::window::output_tokens;
use crate::context::{Category, ContextView, Surroundings, WindowSource};
use crate::transcript::{CompletionRequest, RequestMessage, ThinkingLevel};

/// The request that carries a view. `cache_key` as in [`CompletionRequest`].
pub fn encode(
    view: &ContextView,
    around: &Surroundings,
    thinking: ThinkingLevel,
    cache_key: Option<Arc<str>>,
) -> CompletionRequest {
    let messages = view
        .items
        .iter()
        // What stands in the composer is on the gauge; nobody has sent it yet.
        .filter(|item| item.category != Category::Pending)
        .filter_map(|item| {
            Some(RequestMessage {
                entry: item.entry.clone(),
                message: item.sent.clone()?,
                is_summary: item.category == Category::Summary && item.entry.is_some(),
            })
        })
        .collect();
    let usage = &view.usage;
    let prompt_tokens = usage.tokens - usage.by_category.get(Category::Pending);
    let window = &view.window;
    let own_window = window.uncapped_tokens.or(window.tokens);
    CompletionRequest {
        window_tokens: own_window.filter(|_| window.source == WindowSource::User),
        model: around.model.model.clone(),
        system: Arc::clone(&around.system),
        tools: Arc::clone(&around.tools),
        messages,
        max_output_tokens: output_tokens(
            window,
            &around.model,
            (prompt_tokens, usage.measured_tokens),
            view.ruler.margin,
        ),
        thinking: if around.model.thinking {
            thinking
        } else {
            ThinkingLevel::Off
        },
        server: view.window.server,
        cache_key,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::ruler::Approximate;
    use crate::context::{Assembler, ContextSettings, Pressure};
    use crate::transcript::{Message, ModelInfo, ModelRef, Timestamp, Transcript};

    #[test]
    fn what_stands_in_the_composer_is_not_sent() {
        let around = Surroundings {
            system: "system".into(),
            tools: Arc::new([]),
            repeatable: Arc::default(),
            workspace_rules: None,
            model: ModelInfo::unknown(ModelRef::new("p", "m")),
            samples: Arc::default(),
            pending: Some(Arc::new(Message::user_text("half a thou"))),
            live: None,
            tools_running: false,
        };
        let mut assembler =
            Assembler::new(Arc::new(ContextSettings::default()), Arc::new(Approximate));
        let view = assembler
            .evaluate(
                &Transcript::default(),
                &around,
                Timestamp(0),
                Pressure::default(),
            )
            .view;
        assert!(view.usage.by_category.get(Category::Pending) > 0);
        let request = encode(&view, &around, ThinkingLevel::Off, None);
        assert!(request.messages.is_empty(), "{:?}", request.messages);
    }
}
