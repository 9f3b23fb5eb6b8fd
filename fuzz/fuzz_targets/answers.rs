//! Any bytes as an answer in each wire format: no panic, one end, and the same events
//! however the bytes are cut. And as the text of a chat completion: the same reasoning and
//! words whatever pieces a server sends it in. The first two bytes choose format and cut.

#![no_main]

use std::collections::VecDeque;

use libfuzzer_sys::fuzz_target;
use plimsoll::provider::{AnswerReader, Protocol, ProviderError, StreamEvent};
use plimsoll::transcript::{ModelInfo, ModelRef};
use serde_json::json;

const FORMATS: [Protocol; 4] = [
    Protocol::Anthropic,
    Protocol::OpenAi,
    Protocol::Responses,
    Protocol::Gemini,
];

fn read(protocol: Protocol, pieces: &[&[u8]]) -> (VecDeque<StreamEvent>, Option<ProviderError>) {
    let info = ModelInfo::unknown(ModelRef::new("fuzz", "fuzz"));
    let mut reader = AnswerReader::new(protocol, info).expect("these have a wire format");
    let mut out = VecDeque::new();
    for piece in pieces {
        if reader.is_over() {
            break;
        }
        if let Err(error) = reader.push(piece, &mut out) {
            return (out, Some(error));
        }
    }
    let error = reader.finish(&mut out).err();
    (out, error)
}

/// What is thought and what is said in a text that a chat server sends in these pieces.
fn told_apart(pieces: &[&str]) -> (String, String) {
    let chunks = pieces.iter().map(|piece| {
        let chunk = json!({"choices": [{"delta": {"content": piece}}]});
        format!("data: {chunk}\n\n")
    });
    let end = json!({"choices": [{"delta": {}, "finish_reason": "stop"}]});
    let body = format!("{}data: {end}\n\n", chunks.collect::<String>());
    let mut both = (String::new(), String::new());
    for event in read(Protocol::OpenAi, &[body.as_bytes()]).0 {
        match event {
            StreamEvent::Thinking(text) => both.0 += &text,
            StreamEvent::Text(text) => both.1 += &text,
            _ => {}
        }
    }
    both
}

fn check_text(text: &str, cut: usize) {
    let whole = told_apart(&[text]);
    let cut = text.floor_char_boundary(cut);
    let (head, tail) = text.split_at(cut);
    assert_eq!(told_apart(&[head, tail]), whole);
    let chars: Vec<String> = text.chars().map(String::from).collect();
    let chars: Vec<&str> = chars.iter().map(String::as_str).collect();
    assert_eq!(told_apart(&chars), whole);
}

fuzz_target!(|data: &[u8]| {
    let [format, cut, bytes @ ..] = data else {
        return;
    };
    let format = usize::from(*format) % (FORMATS.len() + 1);
    let Some(&protocol) = FORMATS.get(format) else {
        check_text(&String::from_utf8_lossy(bytes), usize::from(*cut));
        return;
    };
    let whole = read(protocol, &[bytes]);
    let (head, tail) = bytes.split_at(usize::from(*cut).min(bytes.len()));
    assert_eq!(read(protocol, &[head, tail]), whole);
    let stops = whole
        .0
        .iter()
        .filter(|event| matches!(event, StreamEvent::Stop(_)))
        .count();
    // What was said before the window was full has its end, and then the error comes.
    let is_full = matches!(whole.1, Some(ProviderError::ContextOverflow { .. }));
    assert!(stops == usize::from(whole.1.is_none()) || (is_full && stops == 1));
});
