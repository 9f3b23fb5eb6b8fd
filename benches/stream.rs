//! What it costs to decode an answer as it streams, in every wire format. The largest
//! number of bytes held at once must not grow with the answer's length.

use std::collections::VecDeque;

use divan::{AllocProfiler, Bencher, black_box};
use plimsoll::provider::{AnswerReader, Protocol};
use plimsoll::transcript::{ModelInfo, ModelRef};
use serde_json::{Value, json};

/// Counts what is allocated; its columns are printed below the times.
#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

/// Events of an answer, a token each: a long one, and ten of them.
const TOKENS: [usize; 2] = [20_000, 200_000];
/// Bytes of a piece, as the network cuts them.
const PIECE_BYTES: usize = 1_460;

fn main() {
    divan::main();
}

fn stream(token: &Value, end: &[Value], tokens: usize) -> String {
    let end: Vec<String> = end.iter().map(|e| format!("data: {e}\n\n")).collect();
    format!("data: {token}\n\n").repeat(tokens) + &end.concat()
}

fn decode(bencher: Bencher, protocol: Protocol, stream: &str) {
    bencher.bench_local(|| {
        let info = ModelInfo::unknown(ModelRef::new("p", "m"));
        let mut reader = AnswerReader::new(protocol, info)?;
        let mut out = VecDeque::new();
        for piece in black_box(stream).as_bytes().chunks(PIECE_BYTES) {
            reader.push(piece, &mut out).ok()?;
            black_box(&out);
            out.clear();
        }
        reader.finish(&mut out).ok()
    });
}

#[divan::bench(args = TOKENS)]
fn anthropic(bencher: Bencher, tokens: usize) {
    let token = json!({"type": "content_block_delta", "index": 0,
        "delta": {"type": "text_delta", "text": " token"}});
    let end = [
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": tokens}}),
        json!({"type": "message_stop"}),
    ];
    decode(bencher, Protocol::Anthropic, &stream(&token, &end, tokens));
}

#[divan::bench(args = TOKENS)]
fn chat(bencher: Bencher, tokens: usize) {
    let token = json!({"id": "chatcmpl-0123456789", "object": "chat.completion.chunk",
        "created": 1_800_000_000, "model": "gpt-4o",
        "choices": [{"index": 0, "delta": {"content": " token"}, "finish_reason": null}]});
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    decode(bencher, Protocol::OpenAi, &stream(&token, &[end], tokens));
}

#[divan::bench(args = TOKENS)]
fn responses(bencher: Bencher, tokens: usize) {
    let token = json!({"type": "response.output_text.delta", "item_id": "msg_0123456789",
        "output_index": 0, "content_index": 0, "delta": " token", "sequence_number": 7});
    let end = json!({"type": "response.completed", "response": {}});
    decode(
        bencher,
        Protocol::Responses,
        &stream(&token, &[end], tokens),
    );
}

#[divan::bench(args = TOKENS)]
fn gemini(bencher: Bencher, tokens: usize) {
    let token = json!({"candidates": [{"content": {"parts": [{"text": " token"}], "role": "model"}}],
        "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 7}, "modelVersion": "g"});
    let end = json!({"candidates": [{"finishReason": "STOP"}]});
    decode(bencher, Protocol::Gemini, &stream(&token, &[end], tokens));
}
