//! Any bytes as an answer in each wire format: no panic, one end, and the same events
//! however the bytes are cut. The first two bytes choose the format and the cut.

#![no_main]

use std::collections::VecDeque;

use libfuzzer_sys::fuzz_target;
use plimsoll::provider::{AnswerReader, Protocol, ProviderError, StreamEvent};
use plimsoll::transcript::{ModelInfo, ModelRef};

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

fuzz_target!(|data: &[u8]| {
    let [format, cut, bytes @ ..] = data else {
        return;
    };
    let protocol = FORMATS[usize::from(*format) % FORMATS.len()];
    let whole = read(protocol, &[bytes]);
    let (head, tail) = bytes.split_at(usize::from(*cut).min(bytes.len()));
    assert_eq!(read(protocol, &[head, tail]), whole);
    let stops = whole
        .0
        .iter()
        .filter(|event| matches!(event, StreamEvent::Stop(_)))
        .count();
    assert_eq!(stops, usize::from(whole.1.is_none()));
});
