//! qwen-code.

use serde_json::{Value, json};

use super::*;

fn line(uuid: &str, parent: Option<&str>, kind: &str, parts: Value) -> Value {
    let role = if kind == "assistant" { "model" } else { "user" };
    json!({ "uuid": uuid, "parentUuid": parent, "sessionId": "q", "cwd": "/w", "type": kind,
        "timestamp": "2026-11-22T09:00:00.000Z", "version": "0.24.4", "model": "qw",
        "provenance": if kind == "user" { "real_user" } else { "x" },
        "message": { "role": role, "parts": std::convert::identity(parts) } })
}

fn user(uuid: &str, parent: Option<&str>, text: &str) -> Value {
    line(uuid, parent, "user", json!([{ "text": text }]))
}

fn system(uuid: &str, parent: &str, subtype: &str, payload: Value) -> Value {
    json!({ "uuid": uuid, "parentUuid": parent, "sessionId": "q", "type": "system",
        "provenance": "system", "subtype": subtype, "systemPayload": std::convert::identity(payload) })
}

#[test]
fn a_walk_gives_the_path_and_reminders_are_not_typed() {
    let call = json!([{ "text": "hm", "thought": true }, { "text": "look" },
        { "functionCall": { "id": "c1", "name": "read", "args": {} } }]);
    let mut result = line(
        "r1",
        Some("t1"),
        "tool_result",
        json!([{ "functionResponse": { "id": "c1", "response": { "output": "said" } } }]),
    );
    result["toolCallResult"] = json!({ "callId": "c1", "status": "error" });
    let mut note = user("n1", Some("r1"), "a job has ended");
    note["subtype"] = json!("notification");
    let (_folder, path) = file(
        "q.jsonl",
        &[
            line(
                "u1",
                None,
                "user",
                json!([{ "text": "<system-reminder>x" }, { "text": "go" }]),
            ),
            line("a1", Some("u1"), "assistant", call),
            system(
                "t1",
                "a1",
                "ui_telemetry",
                json!({ "uiEvent": { "text": "look" } }),
            ),
            result,
            note,
            user("d1", Some("n1"), "dead end"),
            system("w", "n1", "rewind", Value::Null),
            user("u2", Some("w"), "two"),
            system("z", "u2", "from-the-future", Value::Null),
        ],
    );
    let session = read(&path);
    let expected = [
        "note: <system-reminder>x",
        "user: go",
        "model: look",
        "call: read",
        "error: said",
        "note: a job has ended",
        "user: two",
    ];
    assert_eq!(path_of(&session), expected);
    assert_eq!(beside(&session), ["user: dead end"]);
    assert_eq!(lost_lines(&session), [9]);
}

#[test]
fn a_compression_has_its_summary_and_the_files_that_were_read_again() {
    let said = |role: &str, text: &str| json!({ "role": role, "parts": [{ "text": text }] });
    let payload = json!({
        "info": { "originalTokenCount": 900, "newTokenCount": 90, "triggerReason": "manual" },
        "compressedHistory": [said("user", "All is well."), said("model", "Got it."),
            said("user", "File: a"), said("user", "two")],
    });
    let (_folder, path) = file(
        "q.jsonl",
        &[
            user("u1", None, "one"),
            user("u2", Some("u1"), "two"),
            system("k", "u2", "chat_compression", payload),
            user("u3", Some("k"), "three"),
        ],
    );
    let session = read(&path);
    let expected = [
        "user: one",
        "user: two",
        "summary: All is well.",
        "note: File: a",
        "user: three",
    ];
    assert_eq!(path_of(&session), expected);
    assert_eq!(first_kept(&session).as_deref(), Some("user: two"));
    assert_eq!(compaction(&session).tokens_before, 900);
}

#[test]
fn sub_agents_lie_in_a_folder_of_their_session() {
    let lines = format!("{}\n", user("u1", None, "go"));
    let (folder, path) = file_of("p/chats/q.jsonl", lines.as_bytes());
    let agents = folder.path().join("p/subagents/q");
    std::fs::create_dir_all(&agents).unwrap();
    let mut task = user("k1", None, "task");
    task["isSidechain"] = json!(true);
    task["provenance"] = Value::Null;
    std::fs::write(agents.join("agent-z.jsonl"), format!("{task}\n")).unwrap();
    let session = read(&path);
    assert_eq!(session.children.len(), 1);
    assert_eq!(path_of(&session.children[0]), ["user: task"]);
}
