//! Long sessions in the forms of other programs: turns of a question, a call with an output of
//! some kilobytes, and an answer.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};
use serde_json::{Value, json};

/// The time of every record.
const TIME: &str = "2026-11-22T09:00:00.000Z";
/// The same in milliseconds.
const MILLIS: i64 = 1_795_338_000_000;

/// Makes a source of about so many bytes in a folder.
type MakeSource = fn(&Path, usize) -> PathBuf;

/// All readers with their sources.
pub const ALL: [(&str, MakeSource); 10] = [
    ("claude-code", claude),
    ("codex", codex),
    ("gemini-cli", gemini),
    ("qwen-code", qwen),
    ("opencode-1", opencode_first),
    ("opencode-2", opencode_second),
    ("goose", goose),
    ("crush", crush),
    ("cline", cline),
    ("aider", aider),
];

/// What is said in a turn.
struct Turn {
    number: usize,
    question: String,
    output: String,
    answer: String,
}

impl Turn {
    fn new(number: usize) -> Self {
        let mut output = String::new();
        for at in number..number + 80 {
            let _ = writeln!(
                output,
                "src/part{}/file_{at}.rs:{}: let value_{at} = handle(\"a\\t{at}\");",
                at % 40,
                at % 900
            );
        }
        Self {
            number,
            question: format!("Question {number}: why does handle{number} fail at 漢字 {number}?"),
            output,
            answer: format!("It fails because **value_{number}** is read too early.\n").repeat(12),
        }
    }

    fn bytes(&self) -> usize {
        self.question.len() + self.output.len() + self.answer.len()
    }

    fn call(&self) -> String {
        format!("call_{}", self.number)
    }
}

/// Turns until their texts have so many bytes.
fn turns(bytes: usize) -> impl Iterator<Item = Turn> {
    let mut written = 0;
    (0..).map(Turn::new).take_while(move |turn| {
        written += turn.bytes();
        written <= bytes
    })
}

fn write(folder: &Path, name: &str, lines: impl Iterator<Item = Value>) -> PathBuf {
    let path = folder.join(name);
    let text: String = lines.map(|line| line.to_string() + "\n").collect();
    std::fs::write(&path, text).expect("a source");
    path
}

/// Lines that name the line before by its uuid.
fn chain(
    folder: &Path,
    bytes: usize,
    is_qwen: bool,
    messages: impl Fn(&Turn) -> Vec<(&'static str, Value)>,
) -> PathBuf {
    let mut parent = Value::Null;
    let mut lines = Vec::new();
    for turn in turns(bytes) {
        for (at, (kind, message)) in messages(&turn).into_iter().enumerate() {
            let uuid = json!(format!("{:08x}-{at}", turn.number));
            let is_typed = at == 0;
            let mut line = json!({
                "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "cwd": "/w",
                "version": "2.1.330", "timestamp": TIME, "message": message,
            });
            if is_qwen {
                let said = if is_typed {
                    "real_user"
                } else {
                    "assistant_output"
                };
                line["provenance"] = json!(said);
            }
            lines.push(line);
            parent = uuid;
        }
    }
    write(folder, "session.jsonl", lines.into_iter())
}

pub fn claude(folder: &Path, bytes: usize) -> PathBuf {
    chain(folder, bytes, false, |turn| {
        let id = format!("msg_{}", turn.number);
        let answer = |id: String, block: Value| {
            json!({ "id": id, "role": "assistant", "model": "claude-x", "content": [block],
                "usage": { "input_tokens": 9, "output_tokens": 3 } })
        };
        let call = json!({ "type": "tool_use", "id": turn.call(), "name": "Bash",
            "input": { "command": "grep -rn value ." } });
        let result = json!({ "role": "user", "content": [{ "type": "tool_result",
            "tool_use_id": turn.call(), "content": turn.output }] });
        vec![
            ("user", json!({ "role": "user", "content": turn.question })),
            ("assistant", answer(id.clone(), call)),
            ("user", result),
            (
                "assistant",
                answer(
                    format!("{id}b"),
                    json!({ "type": "text", "text": turn.answer }),
                ),
            ),
        ]
    })
}

fn qwen(folder: &Path, bytes: usize) -> PathBuf {
    chain(folder, bytes, true, |turn| {
        let call = json!({ "functionCall": { "id": turn.call(), "name": "shell",
            "args": { "command": "grep -rn value ." } } });
        let result = json!({ "functionResponse": { "id": turn.call(), "name": "shell",
            "response": { "output": turn.output } } });
        vec![
            (
                "user",
                json!({ "role": "user", "parts": [{ "text": turn.question }] }),
            ),
            ("assistant", json!({ "role": "model", "parts": [call] })),
            ("tool_result", json!({ "role": "user", "parts": [result] })),
            (
                "assistant",
                json!({ "role": "model", "parts": [{ "text": turn.answer }] }),
            ),
        ]
    })
}

fn codex(folder: &Path, bytes: usize) -> PathBuf {
    let record =
        |kind: &str, payload: Value| json!({ "timestamp": TIME, "type": kind, "payload": payload });
    let meta = record(
        "session_meta",
        json!({ "id": "t", "cwd": "/w", "cli_version": "0.169.0" }),
    );
    let items = turns(bytes).flat_map(|turn| {
        let message = |role: &str, kind: &str, text: &str| {
            json!({ "type": "message", "id": format!("{role}{}", turn.number), "role": role,
                "content": [{ "type": kind, "text": text }] })
        };
        [
            message("user", "input_text", &turn.question),
            json!({ "type": "function_call", "name": "exec_command", "call_id": turn.call(),
                "arguments": "{\"cmd\":\"grep -rn value .\"}" }),
            json!({ "type": "function_call_output", "call_id": turn.call(),
                "output": format!("Process exited with code 0\nOutput:\n{}", turn.output) }),
            message("assistant", "output_text", &turn.answer),
        ]
    });
    let items: Vec<Value> = items.collect();
    let items = items.into_iter().map(|item| record("response_item", item));
    write(
        folder,
        "rollout-2026-11-22T09-00-00-t.jsonl",
        std::iter::once(meta).chain(items),
    )
}

fn gemini(folder: &Path, bytes: usize) -> PathBuf {
    let head = json!({ "sessionId": "g", "projectHash": "h", "startTime": TIME });
    let messages = turns(bytes).flat_map(|turn| {
        let id = |kind: &str| format!("{kind}{}", turn.number);
        let response = json!({ "functionResponse": { "id": turn.call(), "name": "shell",
            "response": { "output": turn.output } } });
        let call = json!({ "id": turn.call(), "name": "shell", "args": { "command": "grep" },
            "status": "success", "result": [response] });
        [
            json!({ "id": id("u"), "timestamp": TIME, "type": "user",
                "content": [{ "text": turn.question }] }),
            json!({ "id": id("c"), "timestamp": TIME, "type": "gemini", "content": "",
                "model": "gem", "toolCalls": [call] }),
            json!({ "id": id("r"), "timestamp": TIME, "type": "user", "content": [response] }),
            json!({ "id": id("a"), "timestamp": TIME, "type": "gemini", "content": turn.answer,
                "model": "gem" }),
        ]
    });
    let messages: Vec<Value> = messages.collect();
    write(
        folder,
        "session-1.jsonl",
        std::iter::once(head).chain(messages),
    )
}

fn cline(folder: &Path, bytes: usize) -> PathBuf {
    let messages = turns(bytes).flat_map(|turn| {
        let block = |block: Value| json!([block]);
        [
            json!({ "role": "user", "content": block(json!({ "type": "text", "text": turn.question })) }),
            json!({ "role": "assistant", "content": block(json!({ "type": "tool_use",
                "id": turn.call(), "name": "bash", "input": { "command": "grep" } })) }),
            json!({ "role": "user", "content": block(json!({ "type": "tool_result",
                "tool_use_id": turn.call(), "content": turn.output })) }),
            json!({ "role": "assistant", "content": block(json!({ "type": "text", "text": turn.answer })) }),
        ]
    });
    let document = json!({ "version": 1, "agent": "cline", "sessionId": "c", "system_prompt": "x",
        "messages": messages.collect::<Vec<_>>() });
    write(folder, "c.messages.json", std::iter::once(document))
}

fn aider(folder: &Path, bytes: usize) -> PathBuf {
    let path = folder.join(".aider.chat.history.md");
    let mut text = "# aider chat started at 2026-11-22 09:00:00\n\n".to_owned();
    for turn in turns(bytes) {
        text.push_str("#### ");
        text.push_str(&turn.question);
        text.push_str("\n\n");
        text.push_str(&turn.answer);
        for line in turn.output.lines() {
            text.push_str("\n> ");
            text.push_str(line);
        }
        text.push_str("\n\n");
    }
    std::fs::write(&path, text).expect("a source");
    path
}

fn database(folder: &Path, tables: &str) -> (PathBuf, Connection) {
    let path = folder.join("store.db");
    let connection = Connection::open(&path).expect("a database");
    connection.execute_batch(tables).expect("tables");
    connection.execute_batch("BEGIN").expect("a transaction");
    (path, connection)
}

fn opencode_first(folder: &Path, bytes: usize) -> PathBuf {
    let (path, connection) = database(
        folder,
        "CREATE TABLE session (id TEXT, directory TEXT, title TEXT, time_created INTEGER);
         CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
         CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);
         INSERT INTO session VALUES ('ses', '/w', 'Tides', 1);",
    );
    let add = |number: usize, role: &str, parts: &[Value]| {
        let id = format!("msg_{number:08}_{role}");
        let data = json!({ "role": role, "modelID": "m", "providerID": "p" }).to_string();
        let row = params![id, "ses", MILLIS + number as i64, data];
        connection
            .execute("INSERT INTO message VALUES (?, ?, ?, ?)", row)
            .expect("a row");
        for (at, part) in parts.iter().enumerate() {
            let row = params![format!("{id}{at}"), id, "ses", part.to_string()];
            connection
                .execute("INSERT INTO part VALUES (?, ?, ?, ?)", row)
                .expect("a row");
        }
    };
    for turn in turns(bytes) {
        add(
            turn.number * 2,
            "user",
            &[json!({ "type": "text", "text": turn.question })],
        );
        let tool = json!({ "type": "tool", "tool": "bash", "callID": turn.call(), "state":
            { "status": "completed", "input": { "command": "grep" }, "output": turn.output } });
        let text = json!({ "type": "text", "text": turn.answer });
        add(turn.number * 2 + 1, "assistant", &[tool, text]);
    }
    connection.execute_batch("COMMIT").expect("a commit");
    path
}

fn opencode_second(folder: &Path, bytes: usize) -> PathBuf {
    let (path, connection) = database(
        folder,
        "CREATE TABLE session_v2 (id TEXT, directory TEXT, title TEXT, time_created INTEGER);
         CREATE TABLE session_message (id TEXT, session_id TEXT, type TEXT, seq INTEGER,
             time_created INTEGER, data TEXT);
         INSERT INTO session_v2 VALUES ('ses', '/w', 'Tides', 1);",
    );
    let add = |number: usize, kind: &str, data: &Value| {
        let row = params![
            format!("m{number}"),
            "ses",
            kind,
            number as i64,
            MILLIS,
            data.to_string()
        ];
        connection
            .execute("INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?)", row)
            .expect("a row");
    };
    for turn in turns(bytes) {
        add(turn.number * 2, "user", &json!({ "text": turn.question }));
        let state = json!({ "status": "completed", "input": { "command": "grep" },
            "content": [{ "type": "text", "text": turn.output }] });
        let answer = json!({ "model": { "id": "m", "providerID": "p" }, "content": [
            { "type": "tool", "id": turn.call(), "name": "shell", "state": state },
            { "type": "text", "text": turn.answer },
        ] });
        add(turn.number * 2 + 1, "assistant", &answer);
    }
    connection.execute_batch("COMMIT").expect("a commit");
    path
}

fn goose(folder: &Path, bytes: usize) -> PathBuf {
    let (path, connection) = database(
        folder,
        "CREATE TABLE sessions (id TEXT, name TEXT, working_dir TEXT, session_type TEXT);
         CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT,
             content_json TEXT, created_timestamp INTEGER);
         INSERT INTO sessions VALUES ('g', 'Tides', '/w', 'user');",
    );
    let add = |role: &str, part: &Value| {
        let row = params!["g", role, json!([part]).to_string(), MILLIS];
        let insert = "INSERT INTO messages (session_id, role, content_json, created_timestamp)
                      VALUES (?, ?, ?, ?)";
        connection.execute(insert, row).expect("a row");
    };
    for turn in turns(bytes) {
        add("user", &json!({ "type": "text", "text": turn.question }));
        add(
            "assistant",
            &json!({ "type": "toolRequest", "id": turn.call(), "toolCall":
            { "status": "success", "value": { "name": "shell", "arguments": {} } } }),
        );
        add(
            "user",
            &json!({ "type": "toolResponse", "id": turn.call(), "toolResult":
            { "status": "success", "value": { "content": [{ "type": "text", "text": turn.output }] } } }),
        );
        add("assistant", &json!({ "type": "text", "text": turn.answer }));
    }
    connection.execute_batch("COMMIT").expect("a commit");
    path
}

fn crush(folder: &Path, bytes: usize) -> PathBuf {
    let (path, connection) = database(
        folder,
        "CREATE TABLE sessions (id TEXT, title TEXT, created_at INTEGER, updated_at INTEGER);
         CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, model TEXT,
             provider TEXT, created_at INTEGER);
         INSERT INTO sessions VALUES ('c', 'Tides', 1, 1);",
    );
    let add = |number: usize, role: &str, kind: &str, data: &Value| {
        let parts = json!([{ "type": kind, "data": data }]).to_string();
        let row = params![
            format!("m{number}"),
            "c",
            role,
            parts,
            "m",
            "p",
            MILLIS / 1000
        ];
        connection
            .execute("INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, ?)", row)
            .expect("a row");
    };
    for turn in turns(bytes) {
        let at = turn.number * 4;
        add(at, "user", "text", &json!({ "text": turn.question }));
        add(
            at + 1,
            "assistant",
            "tool_call",
            &json!({ "id": turn.call(), "name": "bash",
            "input": "{\"command\":\"grep\"}", "finished": true }),
        );
        add(
            at + 2,
            "tool",
            "tool_result",
            &json!({ "tool_call_id": turn.call(), "name": "bash",
            "content": turn.output }),
        );
        add(at + 3, "assistant", "text", &json!({ "text": turn.answer }));
    }
    connection.execute_batch("COMMIT").expect("a commit");
    path
}
