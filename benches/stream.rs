//! The cost of decoding an answer as it streams, in every wire format. The largest
//! number of bytes held at once must not grow with the answer's length; before anything is
//! timed, 200 MB go through each decoder, and more memory than a few of them fails.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::collections::VecDeque;
use std::time::{Duration, Instant};

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

/// The input of a decoder before anything is timed.
const LONG_BYTES: usize = 200 * 1024 * 1024;
/// The memory that all of it may add to the process, and what 20,000 tokens may cost.
const MAX_GROWTH_KB: u64 = 16 * 1024;
const MAX_LONG_ANSWER: Duration = Duration::from_millis(100);

fn main() {
    for (name, protocol, token, end) in FORMATS.map(|format| format()) {
        endless(name, protocol, &token, &end);
        long_answer(name, protocol, &stream(&token, &end, TOKENS[0]));
    }
    divan::main();
}

type Format = (&'static str, Protocol, Value, Vec<Value>);
const FORMATS: [fn() -> Format; 4] = [
    anthropic_format,
    chat_format,
    responses_format,
    gemini_format,
];

/// The most memory that the process has held, in kB; `None` where the system does not tell.
fn peak_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// Memory does not depend on how long a stream is.
fn endless(name: &str, protocol: Protocol, token: &Value, end: &[Value]) {
    let block = stream(token, &[], 4_000);
    let end = stream(token, end, 1);
    let info = ModelInfo::unknown(ModelRef::new("p", "m"));
    let Some(mut reader) = AnswerReader::new(protocol, info) else {
        return;
    };
    let mut out = VecDeque::new();
    let before = peak_kb();
    let mut fed = 0;
    while fed < LONG_BYTES {
        for piece in block.as_bytes().chunks(PIECE_BYTES) {
            assert!(reader.push(piece, &mut out).is_ok(), "{name}");
            out.clear();
        }
        fed += block.len();
    }
    assert!(reader.push(end.as_bytes(), &mut out).is_ok(), "{name}");
    assert!(reader.finish(&mut out).is_ok(), "{name}");
    let grown = peak_kb().zip(before).map(|(after, before)| after - before);
    println!("{name}: {} MB read, {grown:?} kB more memory", fed >> 20);
    assert!(grown.is_none_or(|grown| grown < MAX_GROWTH_KB), "{name}");
}

fn long_answer(name: &str, protocol: Protocol, stream: &str) {
    let began = Instant::now();
    assert!(read_all(protocol, stream).is_some(), "{name}");
    let took = began.elapsed();
    println!("{name}: {} tokens in {took:?}", TOKENS[0]);
    assert!(took < MAX_LONG_ANSWER, "{name}");
}

fn stream(token: &Value, end: &[Value], tokens: usize) -> String {
    let end: Vec<String> = end.iter().map(|e| format!("data: {e}\n\n")).collect();
    format!("data: {token}\n\n").repeat(tokens) + &end.concat()
}

fn read_all(protocol: Protocol, stream: &str) -> Option<()> {
    let info = ModelInfo::unknown(ModelRef::new("p", "m"));
    let mut reader = AnswerReader::new(protocol, info)?;
    let mut out = VecDeque::new();
    for piece in black_box(stream).as_bytes().chunks(PIECE_BYTES) {
        reader.push(piece, &mut out).ok()?;
        black_box(&out);
        out.clear();
    }
    reader.finish(&mut out).ok()
}

fn decode(bencher: Bencher, format: Format, tokens: usize) {
    let (_, protocol, token, end) = format;
    let stream = stream(&token, &end, tokens);
    bencher.bench_local(|| read_all(protocol, &stream));
}

fn anthropic_format() -> Format {
    let token = json!({"type": "content_block_delta", "index": 0,
        "delta": {"type": "text_delta", "text": " token"}});
    let end = vec![
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}}),
        json!({"type": "message_stop"}),
    ];
    ("anthropic", Protocol::Anthropic, token, end)
}

fn chat_format() -> Format {
    let token = json!({"id": "chatcmpl-0123456789", "object": "chat.completion.chunk",
        "created": 1_800_000_000, "model": "gpt-4o",
        "choices": [{"index": 0, "delta": {"content": " token"}, "finish_reason": null}]});
    let end = vec![json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})];
    ("chat", Protocol::OpenAi, token, end)
}

fn responses_format() -> Format {
    let token = json!({"type": "response.output_text.delta", "item_id": "msg_0123456789",
        "output_index": 0, "content_index": 0, "delta": " token", "sequence_number": 7});
    let end = vec![json!({"type": "response.completed", "response": {}})];
    ("responses", Protocol::Responses, token, end)
}

fn gemini_format() -> Format {
    let token = json!({"candidates": [{"content": {"parts": [{"text": " token"}], "role": "model"}}],
        "usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 7}, "modelVersion": "g"});
    let end = vec![json!({"candidates": [{"finishReason": "STOP"}]})];
    ("gemini", Protocol::Gemini, token, end)
}

#[divan::bench(args = TOKENS)]
fn anthropic(bencher: Bencher, tokens: usize) {
    decode(bencher, anthropic_format(), tokens);
}

#[divan::bench(args = TOKENS)]
fn chat(bencher: Bencher, tokens: usize) {
    decode(bencher, chat_format(), tokens);
}

#[divan::bench(args = TOKENS)]
fn responses(bencher: Bencher, tokens: usize) {
    decode(bencher, responses_format(), tokens);
}

#[divan::bench(args = TOKENS)]
fn gemini(bencher: Bencher, tokens: usize) {
    decode(bencher, gemini_format(), tokens);
}
