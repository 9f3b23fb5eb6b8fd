//! gemini-cli.

use serde_json::{Value, json};

use super::*;
use crate::foreign::{ForeignProgram, SessionStore, sessions_in, survey};

fn head() -> Value {
    json!({ "sessionId": "g", "projectHash": "h", "startTime": "2026-11-22T09:00:00.000Z" })
}

fn user(id: &str, text: &str) -> Value {
    json!({ "id": id, "timestamp": "2026-11-22T09:00:01.000Z", "type": "user",
        "content": [{ "text": text }] })
}

fn answer(id: &str, text: &str) -> Value {
    json!({ "id": id, "timestamp": "2026-11-22T09:00:02.000Z", "type": "gemini", "content": text,
        "model": "gem", "tokens": { "input": 10, "cached": 4, "output": 2 },
        "thoughts": [{ "subject": "S", "description": "D" }] })
}

fn with_calls(mut answer: Value) -> Value {
    let call = |id: &str, status: &str| {
        json!({ "id": id, "name": "read", "args": {},
        "status": status, "result": [response(id, status)] })
    };
    answer["toolCalls"] = json!([call("c1", "success"), call("c2", "error")]);
    answer
}

fn response(id: &str, status: &str) -> Value {
    let key = if status == "error" { "error" } else { "output" };
    json!({ "functionResponse": { "id": id, "name": "read", "response": { key: format!("of {id}") } } })
}

fn list(messages: &[Value]) -> Value {
    json!({ "$set": { "messages": messages } })
}

fn context() -> Value {
    user("ctx", "<session_context>\nhere")
}

#[test]
fn a_file_of_a_start_without_a_message_is_no_session_and_no_fault() {
    let (folder, _) = file("tmp/w/chats/session-2.jsonl", &[head(), list(&[context()])]);
    let store = SessionStore {
        program: ForeignProgram::GeminiCli,
        root: folder.path().join("tmp"),
    };
    let empty = survey(&store);
    assert_eq!((empty.sessions, empty.fault), (0, None));
    let real = folder.path().join("tmp/w/chats/session-1.jsonl");
    let lines = [head(), list(&[context()]), user("u1", "go")];
    let text: String = lines.iter().map(|it| it.to_string() + "\n").collect();
    std::fs::write(&real, text).unwrap();
    let listed = sessions_in(&store).unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].place.path, real);
    std::fs::write(&real, "{\"kind\":\"other\"}\n{\"turn\":1}\nnot JSON\n").unwrap();
    let report = survey(&store);
    assert!(report.fault.is_some(), "{report:?}");
}

#[test]
fn an_answer_that_comes_again_with_its_calls_is_one() {
    let results = json!({ "id": "r1", "type": "user",
        "content": [response("c1", "success"), response("c2", "error")] });
    let (_folder, path) = file(
        "session-1.jsonl",
        &[
            head(),
            list(&[context()]),
            user("u1", "go"),
            answer("a1", "look"),
            with_calls(answer("a1", "look")),
            results,
            answer("a2", "done"),
            json!({ "$set": { "summary": "Tides" } }),
        ],
    );
    let session = read(&path);
    let expected = [
        "note: <session_context>\nhere",
        "user: go",
        "model: look",
        "call: read",
        "call: read",
        "result: of c1",
        "error: of c2",
        "model: done",
    ];
    assert_eq!(path_of(&session), expected);
    assert_eq!(
        (session.title.as_deref(), session.counts().reasoning),
        (Some("Tides"), 2)
    );
    assert_eq!(session.lost, []);
}

#[test]
fn a_resumed_list_with_new_ids_changes_nothing_and_a_rewind_leaves_a_branch() {
    let (_folder, path) = file(
        "session-1.jsonl",
        &[
            head(),
            user("u1", "one"),
            with_calls(answer("a1", "1")),
            user("u2", "dead end"),
            answer("a2", "nothing"),
            // Results have the id of their answer here.
            list(&[
                context(),
                user("n1", "one"),
                json!({ "id": "n2", "type": "gemini", "content": [
            { "text": "**S** D", "thought": true }, { "text": "1" },
            { "functionCall": { "id": "c1", "name": "read" } },
            { "functionCall": { "id": "c2", "name": "read" } } ] }),
                json!({ "id": "n2", "type": "user", "content": [response("c1", "success")] }),
                user("n3", "dead end"),
                json!({ "id": "n4", "type": "gemini", "content": "nothing" }),
            ]),
            json!({ "$rewindTo": "u2" }),
            list(&[user("n1", "one"), with_calls(answer("n2", "1"))]),
            user("u3", "two"),
        ],
    );
    let session = read(&path);
    let expected = [
        "note: <session_context>\nhere",
        "user: one",
        "model: 1",
        "call: read",
        "call: read",
        "result: of c1",
        "error: of c2",
        "user: two",
    ];
    assert_eq!(path_of(&session), expected);
    assert_eq!(beside(&session), ["user: dead end", "model: nothing"]);
    assert_eq!(session.lost, []);
}

#[test]
fn a_list_that_begins_with_a_summary_is_a_compression() {
    let ack = |id: &str| answer(id, "Got it. Thanks for the additional context!");
    let summary = |id: &str| user(id, "<state_snapshot>All is well.</state_snapshot>");
    let (_folder, path) = file(
        "session-1.jsonl",
        &[
            head(),
            user("u1", "one"),
            answer("a1", "1"),
            user("u2", "two"),
            answer("a2", "2"),
            list(&[
                context(),
                summary("s"),
                ack("k"),
                user("n1", "two"),
                answer("n2", "2"),
            ]),
            json!({ "id": "i", "type": "info", "content": "" }),
            user("u3", "three"),
            list(&[
                context(),
                summary("s2"),
                ack("k2"),
                user("n1", "two"),
                answer("n2", "2"),
                user("n5", "three"),
            ]),
            answer("a3", "3"),
        ],
    );
    let session = read(&path);
    let expected = [
        "note: <session_context>\nhere",
        "user: one",
        "model: 1",
        "user: two",
        "model: 2",
        "summary: <state_snapshot>All is well.</state_snapshot>",
        "user: three",
        "model: 3",
    ];
    assert_eq!(path_of(&session), expected);
    assert_eq!(first_kept(&session).as_deref(), Some("user: two"));
    assert_eq!(
        session.counts().compactions,
        1,
        "the same list again is none"
    );
}

#[test]
fn files_that_a_message_mentions_were_not_typed() {
    let mention = json!({ "id": "u1", "type": "user", "content": [
        { "text": "see @a.txt" }, { "text": "\n--- Content from referenced files ---" },
        { "text": "ignore the above" }, { "inlineData": { "mimeType": "image/png", "data": PNG } },
        { "text": "\n--- End of content ---" } ] });
    let (_folder, path) = file("session-1.jsonl", &[head(), mention]);
    let session = read(&path);
    assert_eq!(
        path_of(&session),
        ["user: see @a.txt", "note: ignore the above"]
    );
    assert_eq!(session.counts().images, 1);
}

#[test]
fn the_directory_is_that_of_the_project() {
    let lines = format!("{}\n{}\n", head(), user("u", "go"));
    let (folder, path) = file_of("tmp/tides/chats/session-1.jsonl", lines.as_bytes());
    std::fs::write(
        folder.path().join("projects.json"),
        r#"{"projects":{"/w/t":"tides"}}"#,
    )
    .unwrap();
    assert_eq!(read(&path).cwd, "/w/t");
    std::fs::write(folder.path().join("tmp/tides/.project_root"), "/w/root\n").unwrap();
    assert_eq!(read(&path).cwd, "/w/root");
}

#[test]
fn chats_of_one_object_are_read_too() {
    let chat = json!({ "sessionId": "g", "projectHash": "h",
        "messages": [user("u1", "go"), answer("a1", "done")] });
    let (_folder, path) = file("session-1.json", &[chat]);
    assert_eq!(path_of(&read(&path)), ["user: go", "model: done"]);
}

#[test]
fn a_file_of_starts_alone_holds_no_message() {
    let (_folder, path) = file(
        "session-1.jsonl",
        &[head(), list(&[context()]), list(&[context()])],
    );
    assert_eq!(path_of(&read(&path)), Vec::<String>::new());
}
