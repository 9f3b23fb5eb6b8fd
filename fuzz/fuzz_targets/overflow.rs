//! Any text as a refusal in the middle of an answer, in each wire format: no panic, no stop
//! beside it, and numbers of an overflow that can be worked with. The first byte chooses the
//! format, the second how the text stands in it.

#![no_main]

use std::collections::VecDeque;

use libfuzzer_sys::fuzz_target;
use plimsoll::provider::{AnswerReader, Protocol, ProviderError};
use plimsoll::transcript::{ModelInfo, ModelRef};
use serde_json::{Value, json};

fn refusal(how: u8, text: &str) -> Value {
    match how % 5 {
        0 => json!({"error": {"message": text}}),
        1 => json!({"error": {"message": text, "code": "context_length_exceeded"}}),
        2 => json!({"error": text}),
        3 => json!({"error": {"message": text, "code": 400, "status": "INVALID_ARGUMENT"}}),
        // Whatever JSON it is by itself.
        _ => serde_json::from_str(text).unwrap_or_else(|_| json!({"error": {"code": text}})),
    }
}

fuzz_target!(|data: &[u8]| {
    let [format, how, bytes @ ..] = data else {
        return;
    };
    let text = String::from_utf8_lossy(bytes);
    let error = refusal(*how, &text);
    let (protocol, event) = match format % 4 {
        0 => {
            let error = json!({"type": "error", "error": error["error"]});
            (
                Protocol::Anthropic,
                format!("event: error\ndata: {error}\n\n"),
            )
        }
        1 => (Protocol::OpenAi, format!("data: {error}\n\n")),
        2 => {
            let failed = json!({"type": "response.failed", "response": error});
            (Protocol::Responses, format!("data: {failed}\n\n"))
        }
        _ => (Protocol::Gemini, format!("data: {error}\n\n")),
    };
    let info = ModelInfo::unknown(ModelRef::new("fuzz", "fuzz"));
    let mut reader = AnswerReader::new(protocol, info).expect("these have a wire format");
    let mut out = VecDeque::new();
    let pushed = reader.push(event.as_bytes(), &mut out);
    let Err(error) = pushed.and_then(|()| reader.finish(&mut out)) else {
        return;
    };
    assert!(!error.to_string().is_empty());
    if let ProviderError::ContextOverflow {
        requested_tokens,
        prompt_tokens,
        limit_tokens,
        ..
    } = error
    {
        let named = [requested_tokens, prompt_tokens, limit_tokens];
        assert!(!named.contains(&Some(0)), "{text:?}: {named:?}");
        if let (Some(prompt), Some(requested)) = (prompt_tokens, requested_tokens) {
            assert!(prompt <= requested, "{text:?}: {named:?}");
        }
    }
});
