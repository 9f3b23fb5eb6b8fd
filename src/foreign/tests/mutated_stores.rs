//! Whatever happens to a row, to a document or to the bytes of a database, reading it ends: with
//! a session whose losses have their place, or with a reason.

use rusqlite::Connection;
use rusqlite::types::Value as Cell;
use serde_json::{Value, json};

use super::*;
use crate::foreign::{ForeignProgram, SourceError};

/// Mutations of each form.
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

/// A value that stands where another one is expected.
fn odd(numbers: &mut Numbers) -> Value {
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    let all = [
        Value::Null,
        json!(true),
        json!(-1),
        json!(1e300),
        json!(u64::MAX),
        json!(""),
        json!("\u{0}\u{202e}\u{1b}[2J"),
        json!("../../../etc/passwd"),
        json!("x".repeat(20_000)),
        json!([]),
        json!({}),
        json!([{}, null, [[]]]),
        deep,
    ];
    all[numbers.below(all.len())].clone()
}

/// Replaces or removes one value somewhere inside.
fn change(value: &mut Value, numbers: &mut Numbers) {
    let stops = numbers.below(3) == 0;
    match value {
        Value::Array(list) if !list.is_empty() && !stops => {
            let at = numbers.below(list.len());
            match numbers.below(6) {
                0 => _ = list.remove(at),
                1 => list.push(list[at].clone()),
                _ => change(&mut list[at], numbers),
            }
        }
        Value::Object(map) if !map.is_empty() && !stops => {
            let at = numbers.below(map.len());
            let key = map.keys().nth(at).unwrap().clone();
            if numbers.below(5) == 0 {
                map.remove(&key);
            } else {
                change(&mut map[&key], numbers);
            }
        }
        other => *other = odd(numbers),
    }
}

/// What the reader says of a mutated source is a session or a reason.
fn is_sound(read: &Result<ForeignSession, SourceError>, what: &str) {
    match read {
        Err(error) => assert!(!error.to_string().is_empty(), "{what}"),
        Ok(session) => {
            assert!(session.transcript().is_ok(), "{what}: ids are unique");
            for loss in &session.lost {
                assert!(!loss.reason.is_empty(), "{what}: {loss:?}");
                if let SourcePlace::Row(row) = &loss.place {
                    assert!(!row.is_empty(), "{what}: {loss:?}");
                }
            }
        }
    }
}

/// A database with a conversation, and the column that holds its JSON.
struct Store {
    program: ForeignProgram,
    tables: &'static str,
    /// Table and column of the JSON.
    json: &'static [(&'static str, &'static str)],
    rows: Vec<(&'static str, Vec<Value>)>,
}

fn opencode_first() -> Store {
    let part = |id: &str, message: &str, data: Value| {
        ("part", vec![json!(id), json!(message), json!("s"), data])
    };
    let state = json!({ "status": "completed", "input": { "command": "ls" }, "output": "a",
        "metadata": { "exit": 1 }, "time": { "start": 1, "compacted": 2 } });
    let message =
        |id: &str, at: u64, data: Value| ("message", vec![json!(id), json!("s"), json!(at), data]);
    Store {
        program: ForeignProgram::OpenCode,
        tables: "CREATE TABLE session (id TEXT, directory TEXT, title TEXT, revert TEXT, time_created INTEGER);
                 CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
                 CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);",
        json: &[("message", "data"), ("part", "data"), ("session", "revert")],
        rows: vec![
            ("session", vec![json!("s"), json!("/w"), json!("Tides"), json!({ "messageID": "m9" }), json!(1)]),
            message("m1", 1, json!({ "role": "user" })),
            part("p1", "m1", json!({ "type": "text", "text": "one" })),
            message("m2", 2, json!({ "role": "assistant", "modelID": "m", "providerID": "p",
                "tokens": { "input": 1, "output": 2, "cache": { "read": 0, "write": 0 } } })),
            part("p2", "m2", json!({ "type": "tool", "tool": "bash", "callID": "c", "state": state })),
            part("p3", "m2", json!({ "type": "file", "mime": "image/png", "url": format!("data:image/png;base64,{PNG}") })),
            message("m3", 3, json!({ "role": "user" })),
            part("p4", "m3", json!({ "type": "compaction", "auto": true, "tail_start_id": "m2" })),
            message("m4", 4, json!({ "role": "assistant", "summary": true, "mode": "compaction", "finish": "stop" })),
            part("p5", "m4", json!({ "type": "text", "text": "All is well." })),
        ],
    }
}

fn opencode_second() -> Store {
    let message = |id: &str, kind: &str, seq: u64, data: Value| {
        (
            "session_message",
            vec![
                json!(id),
                json!("s"),
                json!(kind),
                json!(seq),
                json!(seq),
                data,
            ],
        )
    };
    let state =
        json!({ "status": "completed", "input": {}, "content": [{ "type": "text", "text": "a" }] });
    Store {
        program: ForeignProgram::OpenCode,
        tables: "CREATE TABLE session_v2 (id TEXT, directory TEXT, title TEXT, revert TEXT, time_created INTEGER);
                 CREATE TABLE session_message (id TEXT, session_id TEXT, type TEXT, seq INTEGER,
                    time_created INTEGER, data TEXT);",
        json: &[("session_message", "data")],
        rows: vec![
            ("session_v2", vec![json!("s"), json!("/w"), json!("Tides"), Value::Null, json!(1)]),
            message("m1", "user", 1, json!({ "text": "one", "files": [{ "uri": "file:///x", "mime": "image/png" }] })),
            message("m2", "assistant", 2, json!({ "model": { "id": "m", "providerID": "p" }, "content": [
                { "type": "reasoning", "text": "hm" },
                { "type": "tool", "id": "c", "name": "shell", "state": state, "time": { "pruned": 3 } },
                { "type": "text", "text": "done" } ] })),
            message("m3", "compaction", 3, json!({ "reason": "auto", "summary": "All is well.", "recent": "tail" })),
            message("m4", "shell", 4, json!({ "callID": "x", "command": "ls", "output": "a" })),
        ],
    }
}

fn goose() -> Store {
    let message = |at: u64, role: &str, part: Value, flags: Value| {
        (
            "messages",
            vec![
                json!(at),
                json!("s"),
                json!(role),
                json!([part]),
                json!(at),
                flags,
            ],
        )
    };
    let shown = || json!({ "userVisible": true, "agentVisible": true });
    let request = json!({ "type": "toolRequest", "id": "c", "toolCall": { "status": "success",
        "value": { "name": "sh", "arguments": {} } } });
    let response = json!({ "type": "toolResponse", "id": "c", "toolResult": { "status": "success",
        "value": { "content": [{ "type": "text", "text": "a" }], "isError": true } } });
    Store {
        program: ForeignProgram::Goose,
        tables: "CREATE TABLE sessions (id TEXT, name TEXT, working_dir TEXT, session_type TEXT, model_config_json TEXT);
                 CREATE TABLE messages (id INTEGER, session_id TEXT, role TEXT, content_json TEXT,
                    created_timestamp INTEGER, metadata_json TEXT);",
        json: &[("messages", "content_json"), ("messages", "metadata_json"), ("sessions", "model_config_json")],
        rows: vec![
            ("sessions", vec![json!("s"), json!("Tides"), json!("/w"), json!("user"), json!({ "model_name": "m" })]),
            message(1, "user", json!({ "type": "text", "text": "one" }), json!({ "userVisible": true, "agentVisible": false })),
            message(2, "assistant", request, shown()),
            message(3, "user", response, shown()),
            message(4, "user", json!({ "type": "image", "data": PNG, "mimeType": "image/png" }), shown()),
            message(5, "assistant", json!({ "type": "text", "text": "All is well." }),
                json!({ "userVisible": false, "agentVisible": true })),
        ],
    }
}

fn crush() -> Store {
    let message = |at: u64, role: &str, kind: &str, data: Value, is_summary: u64| {
        let parts = json!([{ "type": kind, "data": data }]);
        (
            "messages",
            vec![
                json!(format!("m{at}")),
                json!("s"),
                json!(role),
                parts,
                json!("m"),
                json!(is_summary),
                json!(at),
            ],
        )
    };
    Store {
        program: ForeignProgram::Crush,
        tables: "CREATE TABLE sessions (id TEXT, parent_session_id TEXT, title TEXT, created_at INTEGER, updated_at INTEGER);
                 CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, model TEXT,
                    is_summary_message INTEGER, created_at INTEGER);",
        json: &[("messages", "parts")],
        rows: vec![
            ("sessions", vec![json!("s"), Value::Null, json!("Tides"), json!(1), json!(9)]),
            message(1, "user", "text", json!({ "text": "one" }), 0),
            message(2, "assistant", "tool_call", json!({ "id": "c", "name": "sh", "input": "{}", "finished": true }), 0),
            message(3, "tool", "tool_result", json!({ "tool_call_id": "c", "content": "a", "is_error": true }), 0),
            message(4, "user", "binary", json!({ "Path": "a.png", "MIMEType": "image/png", "Data": PNG }), 0),
            message(5, "assistant", "text", json!({ "text": "All is well." }), 1),
        ],
    }
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::String(text) => Cell::Text(text.clone()),
        Value::Number(number) => number.as_i64().map_or(Cell::Real(0.5), Cell::Integer),
        other => Cell::Text(other.to_string()),
    }
}

fn write(path: &Path, store: &Store) {
    let connection = Connection::open(path).unwrap();
    connection
        .execute_batch("PRAGMA synchronous = OFF; BEGIN;")
        .unwrap();
    connection.execute_batch(store.tables).unwrap();
    for (table, row) in &store.rows {
        let marks = vec!["?"; row.len()].join(", ");
        let insert = format!("INSERT INTO {table} VALUES ({marks})");
        let cells: Vec<Cell> = row.iter().map(cell).collect();
        connection
            .execute(&insert, rusqlite::params_from_iter(cells))
            .unwrap();
    }
    connection.execute_batch("COMMIT;").unwrap();
}

/// Changes one row: its JSON inside, its JSON as text, or the kind of what a column holds. True
/// when a column has another name now.
fn mutate_row(path: &Path, store: &Store, numbers: &mut Numbers) -> bool {
    let connection = Connection::open(path).unwrap();
    connection
        .execute_batch("PRAGMA synchronous = OFF;")
        .unwrap();
    let (table, column) = store.json[numbers.below(store.json.len())];
    let count = format!("SELECT count(*) FROM {table}");
    let count: i64 = connection.query_row(&count, [], |row| row.get(0)).unwrap();
    let row = numbers.below(count as usize) as i64 + 1;
    let select = format!("SELECT {column} FROM {table} WHERE rowid = ?");
    let held = connection
        .query_row(&select, [row], |row| row.get::<_, Cell>(0))
        .unwrap();
    let mut text = match held {
        Cell::Text(text) => text,
        _ => "{}".to_owned(),
    };
    let new = match numbers.below(6) {
        0 => {
            let mut at = numbers.below(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            text.truncate(at);
            Cell::Text(text)
        }
        1 => Cell::Blob(vec![0xff, 0x00, 0xfe]),
        2 => Cell::Null,
        _ => {
            let mut value: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
            change(&mut value, numbers);
            Cell::Text(value.to_string())
        }
    };
    let update = format!("UPDATE {table} SET {column} = ? WHERE rowid = ?");
    connection
        .execute(&update, rusqlite::params![new, row])
        .unwrap();
    let is_renamed = numbers.below(10) == 0;
    if is_renamed {
        let drop = format!("ALTER TABLE {table} RENAME COLUMN {column} TO gone");
        connection.execute_batch(&drop).unwrap();
    }
    is_renamed
}

#[test]
fn a_mutated_row_of_a_database_is_read_or_refused_with_a_reason() {
    for store in [opencode_first(), opencode_second(), goose(), crush()] {
        let folder = tempfile::tempdir().unwrap();
        let whole = folder.path().join("whole.db");
        write(&whole, &store);
        let sound = load::read(&SessionPlace::of(&whole), Some(store.program)).unwrap();
        assert!(sound.counts().user_turns > 0, "{:?}", sound.lost);
        let mut lost = 0;
        for number in 0..MUTATIONS {
            let mut numbers = Numbers(number);
            let path = folder.path().join(format!("{number}.db"));
            std::fs::copy(&whole, &path).unwrap();
            for _ in 0..=numbers.below(3) {
                if mutate_row(&path, &store, &mut numbers) || numbers.below(2) == 0 {
                    break;
                }
            }
            let read = load::read(&SessionPlace::of(&path), Some(store.program));
            is_sound(&read, &format!("{} {number}", store.program));
            lost += usize::from(read.map_or(true, |it| !it.lost.is_empty()));
            std::fs::remove_file(&path).unwrap();
        }
        assert!(lost > 20, "{}: losses are said, {lost}", store.program);
    }
}

#[test]
fn a_database_with_other_bytes_in_it_is_read_or_refused_with_a_reason() {
    for store in [opencode_first(), goose(), crush()] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        write(&path, &store);
        let whole = std::fs::read(&path).unwrap();
        for number in 0..MUTATIONS {
            let mut numbers = Numbers(number * 7 + 1);
            let mut bytes = whole.clone();
            for _ in 0..=numbers.below(20) {
                // The beginning says what the file is.
                let at = 100 + numbers.below(bytes.len() - 100);
                bytes[at] = numbers.below(256) as u8;
            }
            if numbers.below(8) == 0 {
                bytes.truncate(100 + numbers.below(bytes.len() - 100));
            }
            std::fs::write(&path, &bytes).unwrap();
            let read = load::read(&SessionPlace::of(&path), Some(store.program));
            is_sound(&read, &format!("{} {number}", store.program));
        }
    }
}

#[test]
fn a_mutated_document_is_read_or_refused_with_a_reason() {
    let cline = json!({ "version": 1, "sessionId": "c", "system_prompt": "x", "messages": [
        { "role": "user", "ts": 1, "content": [{ "type": "text", "text": "<task>\none\n</task>" }] },
        { "role": "assistant", "modelInfo": { "modelId": "m" }, "content": [
            { "type": "tool_use", "id": "c", "name": "read", "input": {} }] },
        { "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "c", "content": "a" }] },
    ]});
    let gemini = json!({ "sessionId": "g", "projectHash": "h", "messages": [
        { "id": "u", "type": "user", "content": [{ "text": "one" }] },
        { "id": "a", "type": "gemini", "content": "1", "toolCalls": [{ "id": "c", "name": "n",
            "args": {}, "status": "error", "result": [] }] },
    ]});
    let opencode = json!({ "info": { "id": "ses_1", "directory": "/w" }, "messages": [
        { "info": { "id": "m1", "role": "user" }, "parts": [{ "id": "p", "type": "text", "text": "one" }] },
        { "info": { "id": "m2", "role": "assistant" }, "parts": [{ "id": "q", "type": "tool",
            "tool": "t", "callID": "c", "state": { "status": "completed", "output": "a" } }] },
    ]});
    for (program, name, document) in [
        (ForeignProgram::Cline, "c.messages.json", cline),
        (ForeignProgram::GeminiCli, "session-1.json", gemini),
        (ForeignProgram::OpenCode, "export.json", opencode),
    ] {
        for number in 0..MUTATIONS {
            let mut numbers = Numbers(number);
            let mut changed = document.clone();
            change(&mut changed, &mut numbers);
            let mut text = changed.to_string().into_bytes();
            if numbers.below(4) == 0 {
                text.truncate(numbers.below(text.len()));
            }
            let (_folder, path) = file_of(name, &text);
            let read = load::read(&SessionPlace::of(&path), Some(program));
            is_sound(&read, &format!("{program} {number}"));
        }
    }
}

#[test]
fn mutated_markdown_and_lines_of_the_own_form_are_read_or_refused_with_a_reason() {
    let aider = "# aider chat started at 2026-11-22 09:00:00\n\n> Model: m\n\n#### one\n\nDone.\n```\n#### no turn\n```\n";
    let pi = [
        json!({ "type": "session", "version": 3, "id": "s", "timestamp": "2026-11-22T09:00:00.000Z", "cwd": "/w" }),
        json!({ "type": "message", "id": "a", "parentId": null, "timestamp": "2026-11-22T09:00:00.000Z",
            "message": { "role": "user", "content": "one" } }),
        json!({ "type": "message", "id": "b", "parentId": "a", "timestamp": "2026-11-22T09:00:00.000Z",
            "message": { "role": "assistant", "content": [{ "type": "toolCall", "id": "c", "name": "n", "arguments": {} }] } }),
        json!({ "type": "compaction", "id": "d", "parentId": "b", "timestamp": "2026-11-22T09:00:00.000Z",
            "summary": "s", "firstKeptEntryId": "b", "tokensBefore": 5 }),
    ];
    for number in 0..MUTATIONS {
        let mut numbers = Numbers(number);
        let mut text = aider.as_bytes().to_vec();
        for _ in 0..=numbers.below(6) {
            let at = numbers.below(text.len());
            match numbers.below(3) {
                0 => text[at] = numbers.below(256) as u8,
                1 => _ = text.remove(at),
                _ => text.insert(at, b"\n>#`\xff"[numbers.below(5)]),
            }
        }
        let (_folder, path) = file_of(".aider.chat.history.md", &text);
        let read = load::read(&SessionPlace::of(&path), Some(ForeignProgram::Aider));
        is_sound(&read, &format!("aider {number}"));
        let mut lines = pi.to_vec();
        let at = numbers.below(lines.len());
        change(&mut lines[at], &mut numbers);
        let (_folder, path) = file("s.jsonl", &lines);
        let read = load::read(&SessionPlace::of(&path), Some(ForeignProgram::Pi));
        is_sound(&read, &format!("pi {number}"));
    }
}
