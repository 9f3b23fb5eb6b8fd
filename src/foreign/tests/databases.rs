//! Programs whose sessions lie in `SQLite`.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::*;
use crate::foreign::{ForeignProgram, SessionStore, sessions_in};

fn database(statements: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    Connection::open(&path)
        .unwrap()
        .execute_batch(statements)
        .unwrap();
    (folder, path)
}

fn rows(table: &str, rows: &[&[Value]]) -> String {
    let value = |value: &Value| match value {
        Value::String(text) => format!("'{}'", text.replace('\'', "''")),
        Value::Null => "NULL".to_owned(),
        Value::Number(number) => number.to_string(),
        other => format!("'{}'", other.to_string().replace('\'', "''")),
    };
    let row = |row: &&[Value]| {
        let values: Vec<String> = row.iter().map(value).collect();
        format!("INSERT INTO {table} VALUES ({});\n", values.join(", "))
    };
    rows.iter().map(row).collect()
}

const FIRST: &str = "CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, title TEXT,
        version TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);";
const SECOND: &str = "CREATE TABLE session_v2 (id TEXT, parent_id TEXT, directory TEXT, title TEXT,
        version TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE session_message (id TEXT, session_id TEXT, type TEXT, seq INTEGER,
        time_created INTEGER, data TEXT);";

/// The messages of a session of the first generation, each with its parts.
fn first(messages: &[(&str, Value, Vec<Value>)]) -> String {
    let mut out = String::new();
    for (at, (id, data, parts)) in messages.iter().enumerate() {
        out += &rows(
            "message",
            &[&[json!(id), json!("ses"), json!(at), data.clone()]],
        );
        for (number, part) in parts.iter().enumerate() {
            let part_id = format!("p{at}-{number}");
            out += &rows(
                "part",
                &[&[json!(part_id), json!(id), json!("ses"), part.clone()]],
            );
        }
    }
    out
}

fn session(table: &str, revert: &Value) -> String {
    rows(
        table,
        &[&[
            json!("ses"),
            Value::Null,
            json!("/w"),
            json!("Tides"),
            json!("1.18"),
            revert.clone(),
            json!(1_795_000_000_000_i64),
            json!(5),
        ]],
    )
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn asked() -> Value {
    json!({ "role": "user" })
}

fn said() -> Value {
    json!({ "role": "assistant", "providerID": "p", "modelID": "m", "finish": "stop",
        "tokens": { "input": 8, "output": 3, "reasoning": 2, "cache": { "read": 1, "write": 0 } } })
}

#[test]
fn opencode_calls_and_results_are_one_part_and_pruned_ones_are_cut() {
    let tool = |id: &str, state: Value| json!({ "type": "tool", "tool": "bash", "callID": id, "state": state });
    let messages = [
        (
            "m1",
            asked(),
            vec![
                text("go"),
                json!({ "type": "text", "text": "mode", "synthetic": true }),
                json!({ "type": "text", "text": "shown", "ignored": true }),
                json!({ "type": "file", "mime": "image/png", "filename": "a.png",
                "url": format!("data:image/png;base64,{PNG}") }),
            ],
        ),
        (
            "m2",
            said(),
            vec![
                json!({ "type": "step-start" }),
                text("look"),
                tool(
                    "c1",
                    json!({ "status": "completed", "input": {}, "output": "fine", "metadata": { "exit": 0 },
                "time": { "compacted": 7 } }),
                ),
                tool(
                    "c2",
                    json!({ "status": "completed", "output": "bad", "metadata": { "exit": 2 } }),
                ),
                tool("c3", json!({ "status": "error", "error": "no file" })),
                tool("c4", json!({ "status": "running", "input": {} })),
            ],
        ),
        ("m3", said(), vec![]),
        (
            "m4",
            said(),
            vec![text("done"), json!({ "type": "from-the-future" })],
        ),
    ];
    let (_folder, path) = database(&format!(
        "{FIRST}{}{}",
        session("session", &Value::Null),
        first(&messages)
    ));
    let session = read(&path);
    let expected = [
        "user: go",
        "note: mode",
        "model: look",
        "call: bash",
        "call: bash",
        "call: bash",
        "call: bash",
        "result: fine",
        "error: bad",
        "error: no file",
        "model: done",
    ];
    assert_eq!(path_of(&session), expected);
    let counts = session.counts();
    assert_eq!(
        (counts.images, counts.tool_calls, counts.tool_results),
        (1, 4, 3)
    );
    let cuts = session
        .entries
        .iter()
        .filter(|it| matches!(it.body, EntryBody::Decision(_)))
        .count();
    assert_eq!(
        (cuts, session.unknown.get("part/from-the-future")),
        (1, Some(&1))
    );
    let places: Vec<String> = session.lost.iter().map(|it| it.place.to_string()).collect();
    assert_eq!(places, ["row p1-5", "row p3-1"]);
}

#[test]
fn opencode_hides_what_a_revert_took_back() {
    let messages = [
        ("m1", asked(), vec![text("one")]),
        ("m2", said(), vec![text("1")]),
        ("m3", asked(), vec![text("dead end")]),
        ("m4", said(), vec![text("nothing")]),
    ];
    let revert = json!({ "messageID": "m3" });
    let (_folder, path) = database(&format!(
        "{FIRST}{}{}",
        session("session", &revert),
        first(&messages)
    ));
    let session = read(&path);
    assert_eq!(path_of(&session), ["user: one", "model: 1"]);
    assert_eq!(beside(&session), ["user: dead end", "model: nothing"]);
}

#[test]
fn opencode_compactions_keep_their_tail_and_failed_ones_are_none() {
    let mut summary = said();
    summary["summary"] = json!(true);
    let mut failed = summary.clone();
    failed["error"] = json!({ "name": "APIError", "data": { "message": "x" } });
    let ask =
        |tail: &str| vec![json!({ "type": "compaction", "auto": true, "tail_start_id": tail })];
    let messages = [
        ("m1", asked(), vec![text("one")]),
        ("m2", said(), vec![text("1")]),
        ("m3", asked(), vec![text("two")]),
        ("m4", asked(), ask("m3")),
        ("m5", failed, vec![]),
        ("m6", asked(), ask("m3")),
        ("m7", summary, vec![text("All is well.")]),
        ("m8", asked(), vec![text("three")]),
    ];
    let (_folder, path) = database(&format!(
        "{FIRST}{}{}",
        session("session", &Value::Null),
        first(&messages)
    ));
    let session = read(&path);
    let expected = [
        "user: one",
        "model: 1",
        "user: two",
        "summary: All is well.",
        "user: three",
    ];
    assert_eq!(path_of(&session), expected);
    assert_eq!(first_kept(&session).as_deref(), Some("user: two"));
    assert_eq!(compaction(&session).details.model, "p/m");
}

#[test]
fn opencode_takes_the_generation_that_has_the_messages() {
    let row = |id: &str, kind: &str, seq: i64, data: Value| {
        rows(
            "session_message",
            &[&[
                json!(id),
                json!("ses"),
                json!(kind),
                json!(seq),
                json!(seq),
                data,
            ]],
        )
    };
    let frozen = format!(
        "{FIRST}{SECOND}{}{}",
        session("session", &Value::Null),
        first(&[("m0", asked(), vec![text("frozen")])])
    );
    let (_folder, path) = database(&(frozen.clone() + &row("i", "idle", 1, json!({}))));
    assert_eq!(
        path_of(&read(&path)),
        ["user: frozen"],
        "idle rows make no session"
    );
    let model = json!({ "id": "m", "providerID": "p" });
    let tool = |id: &str, state: Value| json!({ "type": "tool", "id": id, "name": "shell", "state": state });
    let second = [
        row(
            "b",
            "assistant",
            9,
            json!({ "model": model, "content": [
            tool("c1", json!({ "status": "completed", "input": {}, "content": [{ "type": "text", "text": "x" }],
                "metadata": { "exit": 3 } })),
            tool("c2", json!({ "status": "error", "error": { "message": "no" } })) ] }),
        ),
        row("a", "user", 4, json!({ "text": "go" })),
        row("s", "shell", 10, json!({ "command": "ls", "output": "a" })),
        row(
            "k",
            "compaction",
            12,
            json!({ "reason": "auto", "summary": "All.", "recent": "user: go" }),
        ),
        row("z", "synthetic", 13, json!({ "text": "mode" })),
    ];
    let all = frozen + &session("session_v2", &Value::Null) + &second.concat();
    let (_folder, path) = database(&all);
    let session = read(&path);
    let expected = [
        "user: go",
        "call: shell",
        "call: shell",
        "error: x",
        "error: no",
        "run: ls",
        "summary: All.",
        "note: user: go",
        "note: mode",
    ];
    assert_eq!(
        (path_of(&session).as_slice(), session.origin.generation),
        (&expected.map(str::to_owned)[..], "session_v2")
    );
}

#[test]
fn opencode_exports_are_the_same_objects() {
    let message = |id: &str, mut info: Value, parts: Vec<Value>| {
        info["id"] = json!(id);
        json!({ "info": info, "parts": parts })
    };
    let export = json!({ "info": { "id": "ses_1", "directory": "/w", "title": "Tides", "version": "1.18" },
        "messages": [message("m1", asked(), vec![text("go")]), message("m2", said(), vec![text("done")])] });
    let (_folder, path) = file_of("export.json", format!("{export:#}").as_bytes());
    let session = read(&path);
    assert_eq!(path_of(&session), ["user: go", "model: done"]);
    assert_eq!(
        (session.cwd.as_str(), session.title.as_deref()),
        ("/w", Some("Tides"))
    );
}

#[test]
fn what_is_only_in_the_log_is_read_and_nothing_is_made_beside_a_store() {
    let (folder, path) = database(&format!(
        "PRAGMA journal_mode = WAL; {FIRST}{}{}",
        session("session", &Value::Null),
        first(&[("m1", asked(), vec![text("one")])])
    ));
    let writer = Connection::open(&path).unwrap();
    writer
        .execute_batch("PRAGMA wal_autocheckpoint = 0;")
        .unwrap();
    let newest = first(&[("m2", said(), vec![text("newest")])]).replace("p0-", "p9-");
    writer.execute_batch(&newest).unwrap();
    let names = || {
        let mut names: Vec<_> = std::fs::read_dir(folder.path())
            .unwrap()
            .map(|it| it.unwrap().file_name())
            .collect();
        names.sort();
        names
    };
    let before = (names(), std::fs::read(&path).unwrap());
    assert!(path_of(&read(&path)).contains(&"model: newest".to_owned()));
    assert_eq!((names(), std::fs::read(&path).unwrap()), before);
    drop(writer);
    let missing = folder.path().join("missing.db");
    assert!(load::read(&SessionPlace::of(&missing), Some(ForeignProgram::OpenCode)).is_err());
    assert!(!missing.exists());
}

#[test]
fn sub_agents_and_named_sessions_are_found() {
    let child = rows(
        "session",
        &[&[
            json!("kid"),
            json!("ses"),
            json!("/w"),
            json!("Count"),
            json!("1"),
            Value::Null,
            json!(1),
            json!(99),
        ]],
    );
    let kid = first(&[("k1", said(), vec![text("counted")])])
        .replace("'ses'", "'kid'")
        .replace("p0-", "k-");
    let messages = first(&[("m1", asked(), vec![text("go")])]);
    let (_folder, path) = database(&format!(
        "{FIRST}{}{child}{messages}{kid}",
        session("session", &Value::Null)
    ));
    let whole = read(&path);
    assert_eq!(path_of(&whole.children[0]), ["model: counted"]);
    let store = SessionStore {
        program: ForeignProgram::OpenCode,
        root: path.clone(),
    };
    let listed = sessions_in(&store).unwrap();
    assert_eq!(listed.len(), 1, "sub-agents are not listed");
    assert_eq!(
        (listed[0].session.as_str(), listed[0].title.as_deref()),
        ("ses", Some("Tides"))
    );
    let named = PathBuf::from(format!("{}#kid", path.display()));
    assert_eq!(path_of(&read(&named)), ["model: counted"]);
    let wrong = PathBuf::from(format!("{}#nobody", path.display()));
    assert!(load::read(&SessionPlace::of(&wrong), None).is_err());
}

#[test]
fn goose_flags_divide_what_the_model_sees() {
    let shown = json!({ "userVisible": true, "agentVisible": true });
    let replaced = json!({ "userVisible": true, "agentVisible": false });
    let hidden = json!({ "userVisible": false, "agentVisible": true });
    let reply = |id: &str, result: Value| json!([{ "type": "toolResponse", "id": id, "toolResult": result }]);
    let call = |id: &str| {
        json!([{ "type": "thinking", "thinking": "hm", "signature": "s" },
        { "type": "toolRequest", "id": id, "toolCall": { "status": "success",
            "value": { "name": "sh", "arguments": {} } } }])
    };
    let all = [
        ("user", json!([text("one")]), &replaced),
        ("assistant", call("c1"), &replaced),
        (
            "user",
            reply(
                "c1",
                json!({ "status": "success", "value": { "isError": true, "content": [
            { "type": "text", "text": "for the model" },
            { "type": "text", "text": "secret", "annotations": { "audience": ["user"] } }] } }),
            ),
            &replaced,
        ),
        ("user", json!([text("/compact")]), &replaced),
        (
            "assistant",
            json!([{ "type": "systemNotification", "msg": "done" }]),
            &replaced,
        ),
        ("user", json!([text("All is well.")]), &hidden),
        (
            "assistant",
            json!([text("Your context was compacted.")]),
            &hidden,
        ),
        ("user", json!([text("two")]), &shown),
        ("assistant", json!([text("only shown")]), &replaced),
        ("assistant", call("c2"), &shown),
        (
            "user",
            reply("c2", json!({ "status": "error", "error": "no such tool" })),
            &shown,
        ),
    ];
    let mut statements =
        "CREATE TABLE sessions (id TEXT, name TEXT, working_dir TEXT, created_at TEXT,
            provider_name TEXT, model_config_json TEXT, session_type TEXT);
        CREATE TABLE messages (id INTEGER, session_id TEXT, role TEXT, content_json TEXT,
            created_timestamp INTEGER, metadata_json TEXT);"
            .to_owned();
    statements += &rows(
        "sessions",
        &[&[
            json!("g"),
            json!("Tides"),
            json!("/w"),
            json!("2026-11-22 09:00:00"),
            json!("p"),
            json!({ "model_name": "m" }),
            json!("user"),
        ]],
    );
    for (at, (role, content, flags)) in all.iter().enumerate() {
        statements += &rows(
            "messages",
            &[&[
                json!(at),
                json!("g"),
                json!(role),
                content.clone(),
                json!(1_795_340_000 + at),
                (*flags).clone(),
            ]],
        );
    }
    let (_folder, path) = database(&statements);
    let session = read(&path);
    let expected = [
        "user: one",
        "call: sh",
        "error: for the model",
        "summary: All is well.",
        "note: Your context was compacted.",
        "user: two",
        "call: sh",
        "error: no such tool",
    ];
    assert_eq!(path_of(&session), expected);
    assert_eq!(
        (
            session.title.as_deref(),
            session.started.0 > 1_795_000_000_000
        ),
        (Some("Tides"), true)
    );
}

/// Role, parts and whether it is a summary.
fn crush_rows() -> Vec<(&'static str, Value, i32)> {
    let part = |kind: &str, data: Value| json!({ "type": kind, "data": data });
    vec![
        (
            "user",
            json!([
                part("text", json!({ "text": "one" })),
                part(
                    "binary",
                    json!({ "Path": "a.png", "MIMEType": "image/png", "Data": PNG })
                )
            ]),
            0,
        ),
        (
            "assistant",
            json!([
                part("reasoning", json!({ "thinking": "hm" })),
                part(
                    "tool_call",
                    json!({ "id": "c1", "name": "view", "input": "{\"a\":1}" })
                ),
                part("finish", json!({ "reason": "tool_use" }))
            ]),
            0,
        ),
        (
            "tool",
            json!([part(
                "tool_result",
                json!({ "tool_call_id": "c1", "name": "view",
            "content": "no", "is_error": true })
            )]),
            0,
        ),
        (
            "user",
            json!([part(
                "shell_command",
                json!({ "command": "ls", "output": "a", "exit_code": 1 })
            )]),
            0,
        ),
        (
            "assistant",
            json!([part("text", json!({ "text": "All is well." }))]),
            1,
        ),
        ("user", json!([part("text", json!({ "text": "two" }))]), 0),
    ]
}

#[test]
fn crush_orders_ties_by_row_and_summaries_are_boundaries() {
    let all = crush_rows();
    let mut statements = "CREATE TABLE sessions (id TEXT, parent_session_id TEXT, title TEXT,
            created_at INTEGER, updated_at INTEGER, message_count INTEGER);
        CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, model TEXT,
            provider TEXT, is_summary_message INTEGER, created_at INTEGER);"
        .to_owned();
    let head = |id: &str, parent: Value| {
        rows(
            "sessions",
            &[&[
                json!(id),
                parent,
                json!("Tides"),
                json!(1_795_340_000),
                json!(9),
                json!(6),
            ]],
        )
    };
    statements +=
        &(head("s", Value::Null) + &head("title-s", json!("s")) + &head("m$$c1", json!("s")));
    for (at, (role, parts, summary)) in all.iter().enumerate() {
        statements += &rows(
            "messages",
            &[&[
                json!(format!("z{}", 9 - at)),
                json!("s"),
                json!(role),
                parts.clone(),
                json!("m"),
                json!("p"),
                json!(summary),
                json!(1_795_340_001),
            ]],
        );
    }
    let (_folder, path) = database(&statements);
    let session = read(&path);
    let expected = [
        "user: one",
        "call: view",
        "error: no",
        "run: ls",
        "summary: All is well.",
        "user: two",
    ];
    assert_eq!(path_of(&session), expected);
    assert_eq!((session.counts().images, first_kept(&session)), (1, None));
    let children: Vec<&str> = session
        .children
        .iter()
        .map(|it| it.origin.session.as_str())
        .collect();
    assert_eq!(children, ["m$$c1"]);
    let store = SessionStore {
        program: ForeignProgram::Crush,
        root: path,
    };
    assert_eq!(sessions_in(&store).unwrap().len(), 1);
}

/// An older table names no parents: its sessions are not the sub-agents of each other.
#[test]
fn sessions_without_parents_have_no_sub_agents() {
    let mut statements = "CREATE TABLE sessions (id TEXT, title TEXT, created_at INTEGER);
        CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, created_at INTEGER);"
        .to_owned();
    for id in ["a", "b", "c"] {
        statements += &rows("sessions", &[&[json!(id), json!("Tides"), json!(1)]]);
    }
    let (_folder, path) = database(&statements);
    let named = PathBuf::from(format!("{}#b", path.display()));
    let session = read(&named);
    assert_eq!(session.origin.session, "b");
    assert_eq!(session.children.len(), 0);
}

#[test]
fn damaged_rows_cost_themselves() {
    let broken = rows(
        "message",
        &[&[json!("m1"), json!("ses"), json!(1), json!("{\"role\":")]],
    );
    let whole = first(&[("m2", asked(), vec![text("two")])]);
    let (_folder, path) = database(&format!(
        "{FIRST}{}{broken}{whole}",
        session("session", &Value::Null)
    ));
    let session = read(&path);
    assert_eq!(path_of(&session), ["user: two"]);
    assert_eq!(session.lost[0].place, SourcePlace::Row("m1".to_owned()));
}
