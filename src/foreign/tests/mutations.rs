//! Whatever happens to a file, reading it ends, and what is lost has its line.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::foreign::ForeignProgram;

/// Bytes that break texts, numbers and structure.
const JUNK: [&[u8]; 10] = [
    b"",
    b"\0\0",
    b"\xff\xfe",
    b"\"",
    b"}",
    b"null",
    b"-1e400",
    b"\\ud800",
    "\u{301}語".as_bytes(),
    b"\r\n\n",
];

/// A small session of a program that keeps lines.
fn sample(program: ForeignProgram) -> Vec<Value> {
    let uuid_line = |uuid: &str, parent: Value, kind: &str, message: Value| {
        json!({
        "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "cwd": "/w",
        "provenance": "real_user", "timestamp": "2026-11-22T09:00:00.000Z", "message": message })
    };
    let record = |kind: &str, payload: Value| {
        json!({ "timestamp": "2026-11-22T09:00:00.000Z",
        "type": kind, "payload": payload })
    };
    let codex = |role: &str, text: &str| {
        record(
            "response_item",
            json!({ "type": "message", "id": text,
        "role": role, "content": [{ "type": "input_text", "text": text }] }),
        )
    };
    match program {
        ForeignProgram::ClaudeCode => vec![
            uuid_line("u1", Value::Null, "user", json!({ "content": "one" })),
            uuid_line(
                "a1",
                json!("u1"),
                "assistant",
                json!({ "id": "m", "content": [
                { "type": "tool_use", "id": "c", "name": "n", "input": {} }] }),
            ),
            uuid_line(
                "r1",
                json!("a1"),
                "user",
                json!({ "content": [
                { "type": "tool_result", "tool_use_id": "c", "content": "x" }] }),
            ),
            uuid_line("u2", json!("r1"), "user", json!({ "content": "two" })),
        ],
        ForeignProgram::QwenCode => vec![
            uuid_line(
                "u1",
                Value::Null,
                "user",
                json!({ "parts": [{ "text": "one" }] }),
            ),
            uuid_line(
                "a1",
                json!("u1"),
                "assistant",
                json!({ "parts": [{ "text": "1" }] }),
            ),
            uuid_line(
                "u2",
                json!("a1"),
                "user",
                json!({ "parts": [{ "text": "two" }] }),
            ),
        ],
        ForeignProgram::Codex => vec![
            record("session_meta", json!({ "id": "t", "cwd": "/w" })),
            codex("user", "one"),
            codex("assistant", "1"),
            record(
                "event_msg",
                json!({ "type": "thread_rolled_back", "num_turns": 1 }),
            ),
            codex("user", "two"),
        ],
        _ => vec![
            json!({ "sessionId": "g", "projectHash": "h" }),
            json!({ "id": "u1", "type": "user", "content": "one" }),
            json!({ "$set": { "messages": [{ "id": "u1", "type": "user", "content": "one" }] } }),
            json!({ "$rewindTo": "u1" }),
            json!({ "id": "u2", "type": "user", "content": [{ "text": "two" }] }),
        ],
    }
}

#[derive(Clone, Debug)]
enum Mutation {
    Insert(usize, usize),
    Remove(usize, usize),
    Swap(usize, usize),
    Repeat(usize),
    Cut(usize),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = 0..4_000_usize;
    prop_oneof![
        (at.clone(), 0..JUNK.len()).prop_map(|(at, junk)| Mutation::Insert(at, junk)),
        (at.clone(), 1..40_usize).prop_map(|(at, length)| Mutation::Remove(at, length)),
        (at.clone(), at.clone()).prop_map(|(a, b)| Mutation::Swap(a, b)),
        at.clone().prop_map(Mutation::Repeat),
        at.prop_map(Mutation::Cut),
    ]
}

fn mutated(bytes: &mut Vec<u8>, mutation: &Mutation) {
    let length = bytes.len().max(1);
    match mutation {
        Mutation::Insert(at, junk) => {
            let at = at % length.min(bytes.len() + 1);
            bytes.splice(at..at, JUNK[*junk].iter().copied());
        }
        Mutation::Remove(at, count) => {
            let at = (at % length).min(bytes.len());
            let end = (at + count).min(bytes.len());
            bytes.drain(at..end);
        }
        Mutation::Swap(a, b) => {
            let mut lines: Vec<Vec<u8>> = bytes
                .split(|byte| *byte == b'\n')
                .map(<[u8]>::to_vec)
                .collect();
            let count = lines.len();
            lines.swap(a % count, b % count);
            *bytes = lines.join(&b'\n');
        }
        Mutation::Repeat(at) => {
            let lines: Vec<Vec<u8>> = bytes
                .split(|byte| *byte == b'\n')
                .map(<[u8]>::to_vec)
                .collect();
            let line = lines[at % lines.len()].clone();
            bytes.extend(line);
            bytes.push(b'\n');
        }
        Mutation::Cut(at) => bytes.truncate(at % length),
    }
}

fn programs() -> impl Strategy<Value = ForeignProgram> {
    prop_oneof![
        Just(ForeignProgram::ClaudeCode),
        Just(ForeignProgram::QwenCode),
        Just(ForeignProgram::Codex),
        Just(ForeignProgram::GeminiCli),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_mutated_file_is_read_and_each_loss_has_its_line(
        program in programs(),
        mutations in prop::collection::vec(mutation(), 1..5),
    ) {
        let lines = sample(program);
        let mut bytes: Vec<u8> = lines.iter().flat_map(|it| format!("{it}\n").into_bytes()).collect();
        for mutation in &mutations {
            mutated(&mut bytes, mutation);
        }
        let (_folder, path) = file_of("s.jsonl", &bytes);
        let session = load::read(&SessionPlace::of(&path), Some(program)).unwrap();
        let count = bytes.split(|byte| *byte == b'\n').count();
        for loss in &session.lost {
            if let SourcePlace::Line(line) = loss.place {
                prop_assert!((1..=count).contains(&line), "{loss:?}");
            }
            prop_assert!(!loss.reason.is_empty());
        }
        prop_assert!(session.transcript().is_ok(), "ids are unique, parents come first");
        let known = session.entries.iter().all(|entry| {
            entry.parent.as_ref().is_none_or(|id| session.entries.iter().any(|it| it.id == *id))
        });
        prop_assert!(known);
        // A line that is no JSON at all is never passed over in silence.
        let whole = bytes.split(|byte| *byte == b'\n').enumerate();
        for (at, line) in whole.filter(|(_, line)| !line.trim_ascii().is_empty()) {
            let is_object = serde_json::from_slice::<Value>(line).is_ok_and(|it| it.is_object());
            let may_continue = program == ForeignProgram::Codex;
            if !is_object && !may_continue && !String::from_utf8_lossy(line).contains("\\ud800") {
                let lost = session.lost.iter().any(|it| it.place == SourcePlace::Line(at + 1));
                prop_assert!(lost, "line {} of {:?}", at + 1, String::from_utf8_lossy(line));
            }
        }
    }
}

#[test]
fn long_lines_and_deep_values_end_with_a_reason() {
    let deep = format!(
        "{{\"type\":\"user\",\"uuid\":\"d\",\"message\":{}1{}}}",
        "[".repeat(5_000),
        "]".repeat(5_000)
    );
    let long = format!(
        "{{\"type\":\"user\",\"uuid\":\"l\",\"sessionId\":\"s\",\"message\":{{\"content\":\"{}\"}}}}",
        "語".repeat(400_000)
    );
    let text = format!("{long}\n{deep}\n");
    let (_folder, path) = file_of("s.jsonl", text.as_bytes());
    let session = load::read(&SessionPlace::of(&path), Some(ForeignProgram::ClaudeCode)).unwrap();
    assert_eq!(session.counts().user_turns, 1);
    assert_eq!(lost_lines(&session), [2]);
}
