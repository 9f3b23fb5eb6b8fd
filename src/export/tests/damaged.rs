//! A damaged session is exported as far as it can be read, and what cannot is known by its line.

use serde_json::json;

use super::*;
use crate::session::{self, LoadedSession};

/// Damaged sessions of the test.
const MUTATIONS: u64 = 200;

/// Numbers that are the same at every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }
}

/// A session with everything that exports treat in a way of its own.
fn lines() -> Vec<String> {
    let entry = |id: &str, parent: &str, fields: serde_json::Value| {
        let mut entry = json!({ "type": "message", "id": id, "parentId": parent,
            "timestamp": "2026-11-22T09:00:00.000Z" });
        for (key, value) in fields.as_object().into_iter().flatten() {
            entry[key] = value.clone();
        }
        entry.to_string()
    };
    let said = |role: &str, content: serde_json::Value| json!({ "message": { "role": role, "content": content } });
    let mut lines = vec![
        json!({ "type": "session", "version": 3, "id": "s", "cwd": "/w",
            "timestamp": "2026-11-22T09:00:00.000Z" })
        .to_string(),
        entry("a", "", said("user", json!("Never round. <script>x9"))),
        entry(
            "b",
            "a",
            said(
                "assistant",
                json!([
                    { "type": "thinking", "thinking": "hm", "thinkingSignature": "x" },
                    { "type": "text", "text": "look" },
                    { "type": "toolCall", "id": "c", "name": "shell", "arguments": { "command": "ls" } },
                ]),
            ),
        ),
        entry(
            "d",
            "b",
            json!({ "message": { "role": "toolResult", "toolCallId": "c",
            "toolName": "shell", "content": [{ "type": "text", "text": "a\nb" }], "isError": true } }),
        ),
        entry(
            "e",
            "d",
            json!({ "type": "compaction", "summary": "## Goal\n- x",
            "firstKeptEntryId": "d", "tokensBefore": 9 }),
        ),
        entry(
            "f",
            "e",
            json!({ "type": "custom", "customType": "plimsoll.prune", "data": {
            "phase": "hard", "cuts": [{ "target": "d", "form": "clear" }] } }),
        ),
        entry(
            "g",
            "f",
            json!({ "type": "context_edit", "targetId": "a", "replacement": null }),
        ),
        entry("h", "g", json!({ "type": "session_info", "name": "Tides" })),
        entry(
            "i",
            "h",
            said(
                "user",
                json!([{ "type": "image", "data": "AAAA", "mimeType": "image/png" }]),
            ),
        ),
    ];
    lines[1] = lines[1].replace("\"parentId\":\"\"", "\"parentId\":null");
    lines
}

/// Changes bytes, lines or the links between entries.
fn damage(lines: &mut Vec<String>, numbers: &mut Numbers) {
    const WORDS: [&str; 8] = [
        "null",
        "\"a\"",
        "{}",
        "[[]]",
        "-1",
        "\"\\ud800\"",
        "1e400",
        "\u{202e}",
    ];
    let at = 1 + numbers.below(lines.len() - 1);
    let line = lines[at].clone();
    match numbers.below(6) {
        0 => _ = lines.remove(at),
        1 => lines.push(line),
        2 => lines.swap(at, 1),
        3 => {
            let mut end = numbers.below(line.len());
            while !line.is_char_boundary(end) {
                end -= 1;
            }
            lines[at].truncate(end);
        }
        4 => {
            let ids = ["a", "b", "d", "e", "f", "g", "h", "i", "nobody"];
            let parent = format!("\"parentId\":\"{}\"", ids[numbers.below(ids.len())]);
            let old = line.split("\"parentId\":").nth(1).unwrap_or_default();
            let old = old.split(',').next().unwrap_or_default().to_owned();
            lines[at] = line.replacen(&format!("\"parentId\":{old}"), &parent, 1);
        }
        _ => {
            let values: Vec<usize> = line.match_indices(':').map(|(at, _)| at).collect();
            let from = values[numbers.below(values.len())] + 1;
            let end = line
                .get(from..)
                .and_then(|it| it.find([',', '}']))
                .map_or(line.len(), |it| from + it);
            if line.is_char_boundary(from) && line.is_char_boundary(end) {
                lines[at].replace_range(from..end, WORDS[numbers.below(WORDS.len())]);
            }
        }
    }
}

fn export_all(loaded: &LoadedSession, what: &str) {
    let (header, transcript) = (&loaded.header, &loaded.transcript);
    let page = html(loaded.into());
    assert!(!page.contains("<script>x9"), "{what}");
    assert!(page.ends_with("</html>\n"), "{what}: the page is whole");
    assert!(markdown(loaded.into()).starts_with("# "), "{what}");
    for receiver in ReceiverProgram::ALL {
        let native = native(NativeExport {
            receiver,
            header,
            transcript,
            agents: &[],
            number: 1,
        });
        let lines = native.bytes.split(|byte| *byte == b'\n');
        for line in lines.filter(|line| !line.is_empty()) {
            let parsed = serde_json::from_slice::<serde_json::Value>(line);
            assert!(parsed.is_ok(), "{what}, {receiver}");
        }
        assert!(
            handover(header, transcript, &[], Some(receiver)).is_ok(),
            "{what}"
        );
    }
}

#[test]
fn a_damaged_session_is_exported_and_what_is_lost_of_it_has_its_line() {
    let whole = lines().join("\n") + "\n";
    let path = std::path::Path::new("s.jsonl");
    let sound = session::read(whole.as_bytes(), path).unwrap();
    assert_eq!(sound.problems, []);
    assert_eq!(sound.transcript.len(), 8);
    export_all(&sound, "undamaged");
    for number in 0..MUTATIONS {
        let mut numbers = Numbers(number);
        let mut lines = lines();
        for _ in 0..=numbers.below(3) {
            damage(&mut lines, &mut numbers);
        }
        let text = lines.join("\n") + "\n";
        let what = format!("{number}: {text}");
        let loaded = session::read(text.as_bytes(), path).unwrap();
        export_all(&loaded, &what);
        for (at, line) in lines.iter().enumerate() {
            let is_json =
                serde_json::from_str::<serde_json::Value>(line).is_ok_and(|it| it.is_object());
            if !is_json && !line.trim().is_empty() {
                let is_said = loaded.problems.iter().any(|it| it.line == at + 1);
                assert!(is_said, "line {} of {what}", at + 1);
                let place = format!("line {}: ", at + 1);
                for document in [html((&loaded).into()), markdown((&loaded).into())] {
                    assert!(document.contains(&place), "{place} in the export of {what}");
                }
            }
        }
    }
}
