//! codex.

use serde_json::{Value, json};

use super::*;

const THREAD: &str = "01a20289-5b6a-7102-8eee-f3e69a9ebf82";
const SEGMENT: &str = "01a20289-5d25-79b3-a4ce-ce837fa87b1e";
const AGENT: &str = "01a20289-5db9-72e3-9b54-32458dd9d787";

fn record(kind: &str, payload: Value) -> Value {
    json!({ "timestamp": "2026-11-22T09:00:00.000Z", "type": kind, "payload": std::convert::identity(payload) })
}

fn meta(more: &Value) -> Value {
    let mut payload = json!({ "id": THREAD, "cwd": "/w", "cli_version": "0.169.0",
        "model_provider": "openai" });
    for (key, value) in more.as_object().into_iter().flatten() {
        payload[key] = value.clone();
    }
    record("session_meta", payload)
}

fn item(payload: Value) -> Value {
    record("response_item", payload)
}

fn message(id: &str, role: &str, text: &str) -> Value {
    let kind = if role == "assistant" {
        "output_text"
    } else {
        "input_text"
    };
    item(json!({ "type": "message", "id": id, "role": role,
        "content": [{ "type": kind, "text": text }] }))
}

fn call(id: &str, name: &str) -> Value {
    item(json!({ "type": "function_call", "call_id": id, "name": name, "arguments": "{\"a\":1}" }))
}

fn output(id: &str, text: &str) -> Value {
    item(json!({ "type": "function_call_output", "call_id": id, "output": text }))
}

fn event(payload: Value) -> Value {
    record("event_msg", payload)
}

fn usage(tokens: u64) -> Value {
    record(
        "token_usage_record",
        json!({ "usage": { "input_tokens": tokens,
        "cached_input_tokens": 1, "output_tokens": 2 } }),
    )
}

#[test]
fn items_make_turns_and_events_repeat_none() {
    let (_folder, path) = file(
        "rollout.jsonl",
        &[
            meta(&Value::Null),
            record("turn_context", json!({ "model": "gpt-x", "cwd": "/w" })),
            message("m0", "developer", "be good"),
            message("m1", "user", "<environment_context>here"),
            message("m2", "user", "go"),
            event(json!({ "type": "user_message", "message": "go" })),
            item(
                json!({ "type": "reasoning", "id": "r", "summary": [{ "text": "think" }],
            "encrypted_content": "xyz" }),
            ),
            message("m3", "assistant", "I look."),
            event(json!({ "type": "agent_message", "message": "I look." })),
            call("c1", "exec"),
            call("c2", "exec"),
            usage(11),
            output(
                "c1",
                "Process exited with code 0\nOutput:\nProcess exited with code 9",
            ),
            output("c2", "Process exited with code 2\nOutput:\n"),
            message("m4", "assistant", "Done."),
            usage(21),
        ],
    );
    let session = read(&path);
    let said = path_of(&session);
    assert_eq!(
        said[..3],
        [
            "note: be good",
            "note: <environment_context>here",
            "user: go"
        ]
    );
    assert_eq!(said[3..6], ["model: I look.", "call: exec", "call: exec"]);
    assert!(
        said[6].starts_with("result: ") && said[7].starts_with("error: "),
        "{said:?}"
    );
    assert_eq!(said[8], "model: Done.");
    let counts = session.counts();
    assert_eq!(
        (counts.answers, counts.reasoning, counts.user_turns),
        (2, 1, 1)
    );
    let answers: Vec<_> = session
        .entries
        .iter()
        .filter_map(|entry| match entry.message()?.as_ref() {
            Message::Assistant(answer) => {
                Some((answer.model.clone(), answer.usage?.prompt_tokens()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(
        answers,
        [("gpt-x".to_owned(), 11), ("gpt-x".to_owned(), 21)]
    );
    assert_eq!(session.lost, []);
}

#[test]
fn errors_are_known_by_exit_codes_of_every_age() {
    let cases = [
        ("unsupported call: shell", true),
        ("{\"output\":\"x\",\"metadata\":{\"exit_code\":1}}", true),
        ("{\"output\":\"x\",\"metadata\":{\"exit_code\":0}}", false),
        ("Exit code: 127\nOutput:\nnot found", true),
        ("a file that says Process exited with code 1", false),
    ];
    for (text, is_error) in cases {
        let (_folder, path) = file(
            "rollout.jsonl",
            &[
                meta(&Value::Null),
                message("m", "user", "go"),
                call("c", "exec"),
                output("c", text),
            ],
        );
        assert_eq!(read(&path).counts().errors, u64::from(is_error), "{text}");
    }
    let ended = json!({ "type": "item_completed", "item": { "type": "CommandExecution",
        "id": "c", "exit_code": 1, "status": "failed" } });
    let (_folder, path) = file(
        "rollout.jsonl",
        &[
            meta(&Value::Null),
            message("m", "user", "go"),
            call("c", "exec"),
            event(ended),
            output("c", "plain"),
        ],
    );
    assert_eq!(read(&path).counts().errors, 1);
}

#[test]
fn a_rollback_takes_typed_turns_and_leaves_them_beside() {
    let roll = |turns: u64| event(json!({ "type": "thread_rolled_back", "num_turns": turns }));
    let lines = |turns| {
        [
            meta(&Value::Null),
            message("m1", "user", "one"),
            message("m2", "assistant", "1"),
            message("m3", "user", "# AGENTS.md injected"),
            message("m4", "user", "two"),
            message("m5", "assistant", "2"),
            roll(turns),
            message("m6", "user", "three"),
        ]
    };
    let (_folder, path) = file("rollout.jsonl", &lines(1));
    let session = read(&path);
    assert_eq!(
        path_of(&session),
        [
            "user: one",
            "model: 1",
            "note: # AGENTS.md injected",
            "user: three"
        ]
    );
    assert_eq!(beside(&session), ["user: two", "model: 2"]);
    let (_folder, path) = file("rollout.jsonl", &lines(9));
    let session = read(&path);
    assert_eq!(path_of(&session), ["user: three"]);
    assert_eq!(lost_lines(&session), [7]);
}

fn compacted(replacement: Value) -> ForeignSession {
    let frame = "Here is a summary, use it to assist with your own analysis:\nAll is well.";
    let mut payload = json!({ "message": frame });
    if !replacement.is_null() {
        payload["replacement_history"] = replacement;
    }
    let (_folder, path) = file(
        "rollout.jsonl",
        &[
            meta(&Value::Null),
            message("m1", "user", "one"),
            message("m2", "assistant", "1"),
            message("m3", "user", "two"),
            message("m4", "assistant", "2"),
            message("m5", "assistant", "All is well."),
            usage(900),
            record("compacted", payload),
            message("m6", "user", "three"),
        ],
    );
    read(&path)
}

#[test]
fn a_compaction_keeps_what_its_replacement_names_and_its_summary_is_no_answer() {
    let typed = |id: &str, text: &str| {
        json!({ "type": "message", "id": id, "role": "user",
        "content": [{ "type": "input_text", "text": text }] })
    };
    let session = compacted(json!([
        typed("m1", "one"),
        typed("other", "two"),
        typed("e", "<environment_context>again"),
    ]));
    let expected = [
        "user: one",
        "model: 1",
        "user: two",
        "model: 2",
        "summary: All is well.",
        "note: <environment_context>again",
        "user: three",
    ];
    assert_eq!(path_of(&session), expected);
    let compaction = compaction(&session);
    let asks = compaction.details.exceptions.kept_asks.len();
    assert_eq!(
        (compaction.first_kept, compaction.tokens_before, asks),
        (None, 900, 2)
    );
    assert_eq!(beside(&session), Vec::<String>::new());
}

#[test]
fn each_compaction_of_a_large_file_keeps_what_it_kept() {
    /// More than what is read as a whole.
    const LARGE_BYTES: usize = 49 * 1024 * 1024;
    let history = |kept: &[&str]| {
        let items = kept.iter().map(|id| {
            json!({ "type": "message", "id": id, "role": "user", "content": [
                { "type": "input_text", "text": "one" },
                { "type": "input_image", "image_url": format!("data:image/png;base64,{PNG}") },
            ] })
        });
        record(
            "compacted",
            json!({ "message": "all is well", "replacement_history": items.collect::<Vec<_>>() }),
        )
    };
    let (_folder, path) = file(
        "rollout.jsonl",
        &[
            meta(&Value::Null),
            message("m1", "user", "one"),
            message("m2", "user", "two"),
            history(&["m1"]),
            record("world_state", json!({ "x": "x".repeat(LARGE_BYTES) })),
            message("m3", "user", "three"),
            history(&["m3"]),
            message("m4", "user", "four"),
        ],
    );
    let session = read(&path);
    assert_eq!(session.lost, []);
    let kept = |entry: &Entry| match &entry.body {
        EntryBody::Compaction(it) => {
            Some(it.details.exceptions.kept_asks.len() + usize::from(it.first_kept.is_some()))
        }
        _ => None,
    };
    let kept: Vec<usize> = session.entries.iter().filter_map(kept).collect();
    assert_eq!(kept, [1, 1], "what stayed beside each summary");
}

#[test]
fn older_compactions_keep_what_was_typed() {
    let compaction = compaction(&compacted(Value::Null));
    assert_eq!(compaction.details.exceptions.kept_asks.len(), 2);
}

#[test]
fn an_encrypted_summary_is_said_to_be_unreadable() {
    let (_folder, path) = file(
        "rollout.jsonl",
        &[
            meta(&Value::Null),
            message("m1", "user", "one"),
            record(
                "compacted",
                json!({ "message": "", "replacement_history": [
            { "type": "compaction", "encrypted_content": "zzz" }] }),
            ),
        ],
    );
    let session = read(&path);
    assert!(compaction(&session).summary.contains("encrypted"));
    assert_eq!(lost_lines(&session), [3]);
}

fn numbered(records: Vec<Value>, from: u64) -> String {
    let mut out = String::new();
    for (at, mut record) in records.into_iter().enumerate() {
        record["ordinal"] = json!(from + at as u64);
        out.push_str(&record.to_string());
        out.push('\n');
    }
    out
}

#[test]
fn segments_follow_their_base_and_the_newest_is_live() {
    let first = numbered(
        vec![
            meta(&json!({ "history_mode": "paginated" })),
            message("m1", "user", "one"),
            message("m2", "assistant", "1"),
            message("m3", "user", "dead end"),
            message("m4", "assistant", "nothing"),
        ],
        0,
    );
    let base = json!({ "thread_id": THREAD, "end_ordinal_exclusive": 3 });
    let second = numbered(
        vec![
            meta(&json!({ "history_mode": "paginated", "history_base": base })),
            message("m5", "user", "two"),
            event(
                json!({ "type": "item_completed", "item": { "type": "SubAgentActivity",
            "agent_thread_id": AGENT } }),
            ),
        ],
        3,
    );
    let child = numbered(
        vec![
            meta(&json!({ "id": AGENT, "parent_thread_id": THREAD })),
            message("k1", "assistant", "counted"),
        ],
        0,
    );
    let (folder, path) = file_of(
        &format!("sessions/2026/11/22/rollout-2026-11-22T09-00-00-{THREAD}.jsonl"),
        first.as_bytes(),
    );
    let day = path.parent().unwrap();
    std::fs::write(
        day.join(format!(
            "rollout-2026-11-22T09-00-00-{THREAD}_{SEGMENT}.jsonl"
        )),
        second,
    )
    .unwrap();
    std::fs::write(
        day.join(format!("rollout-2026-11-22T09-00-01-{AGENT}.jsonl")),
        child,
    )
    .unwrap();
    let index = format!("{{\"id\":\"{THREAD}\",\"thread_name\":\"Tides\"}}\n");
    std::fs::write(folder.path().join("session_index.jsonl"), index).unwrap();
    let session = read(&path);
    assert_eq!(path_of(&session), ["user: one", "model: 1", "user: two"]);
    assert_eq!(beside(&session), ["user: dead end", "model: nothing"]);
    assert_eq!(session.title.as_deref(), Some("Tides"));
    assert_eq!(path_of(&session.children[0]), ["model: counted"]);
    std::fs::remove_file(&path).unwrap();
    let segment = day.join(format!(
        "rollout-2026-11-22T09-00-00-{THREAD}_{SEGMENT}.jsonl"
    ));
    let session = read(&segment);
    assert_eq!(
        session.lost[0].reason,
        format!("incomplete: base {THREAD} not found")
    );
}

#[test]
fn packed_rollouts_are_read_also_of_several_frames_and_truncated() {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    let packed = |text: String| compress_to_vec(text.as_bytes(), CompressionLevel::Fastest);
    let line = |value: Value| format!("{value}\n");
    let mut bytes = packed(line(meta(&Value::Null)) + &line(message("m1", "user", "one")));
    bytes.extend(packed(line(message("m2", "assistant", "1"))));
    let (_folder, path) = file_of("rollout.jsonl.zst", &bytes);
    assert_eq!(path_of(&read(&path)), ["user: one", "model: 1"]);
    let (_folder, path) = file_of("rollout.jsonl.zst", &bytes[..bytes.len() - 9]);
    let session = read(&path);
    assert_eq!(path_of(&session)[..1], ["user: one"]);
    assert!(
        session
            .lost
            .iter()
            .any(|it| it.reason.starts_with("incomplete")),
        "{:?}",
        session.lost
    );
}

#[test]
fn objects_over_many_lines_are_read_and_images_stand_alone() {
    let pretty = [
        meta(&Value::Null),
        item(json!({ "type": "message", "role": "user", "content": [
            { "type": "input_text", "text": "see" },
            { "type": "input_text", "text": "<image name=x>" },
            { "type": "input_image", "image_url": format!("data:image/png;base64,{PNG}") },
            { "type": "input_text", "text": "</image>" },
        ]})),
    ];
    let text: String = pretty
        .iter()
        .map(|it| serde_json::to_string_pretty(it).unwrap() + "\n")
        .collect();
    let (_folder, path) = file_of("rollout.jsonl", text.as_bytes());
    let session = read(&path);
    assert_eq!(path_of(&session), ["user: see"]);
    assert_eq!((session.counts().images, session.lost.len()), (1, 0));
}
