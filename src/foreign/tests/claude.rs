//! Claude Code.

use serde_json::{Value, json};

use super::*;

fn line(uuid: &str, parent: Option<&str>, kind: &str, message: Value) -> Value {
    json!({
        "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "cwd": "/w",
        "version": "2.1.330", "timestamp": "2026-11-22T09:00:00.000Z", "isSidechain": false,
        "message": std::convert::identity(message),
    })
}

fn user(uuid: &str, parent: Option<&str>, text: &str) -> Value {
    line(
        uuid,
        parent,
        "user",
        json!({ "role": "user", "content": text }),
    )
}

fn answer(uuid: &str, parent: &str, message: &str, block: Value) -> Value {
    line(
        uuid,
        Some(parent),
        "assistant",
        json!({
            "id": message, "role": "assistant", "model": "claude-x", "content": Value::Array(vec![block]),
            "stop_reason": "end_turn", "usage": { "input_tokens": 7, "output_tokens": 3 },
        }),
    )
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn tool(id: &str) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "Read", "input": { "path": id } })
}

fn result(uuid: &str, parent: &str, id: &str, is_error: bool) -> Value {
    line(
        uuid,
        Some(parent),
        "user",
        json!({ "role": "user", "content": [
            { "type": "tool_result", "tool_use_id": id, "content": format!("of {id}"), "is_error": is_error },
        ]}),
    )
}

#[test]
fn parallel_results_under_different_lines_of_one_answer_stay_paired() {
    let (_folder, path) = file(
        "s.jsonl",
        &[
            user("u1", None, "go"),
            answer("a1", "u1", "m1", text("both")),
            answer("a2", "a1", "m1", tool("c1")),
            answer("a3", "a2", "m1", tool("c2")),
            result("r1", "a2", "c1", false),
            result("r2", "a3", "c2", true),
            answer("a4", "r2", "m2", text("done")),
        ],
    );
    let session = read(&path);
    let expected = [
        "user: go",
        "model: both",
        "call: Read",
        "call: Read",
        "result: of c1",
        "error: of c2",
        "model: done",
    ];
    assert_eq!(path_of(&session), expected);
    let counts = session.counts();
    assert_eq!(
        (counts.answers, counts.tool_calls, counts.errors),
        (2, 2, 1)
    );
    let usage: u64 = session
        .entries
        .iter()
        .filter_map(|entry| match entry.message()?.as_ref() {
            Message::Assistant(answer) => Some(answer.usage?.input_tokens),
            _ => None,
        })
        .sum();
    assert_eq!(usage, 14, "once per answer, not per line");
    assert_eq!(session.lost, []);
}

#[test]
fn a_rewind_leaves_its_turn_beside_the_path() {
    let (_folder, path) = file(
        "s.jsonl",
        &[
            user("u1", None, "one"),
            answer("a1", "u1", "m1", text("1")),
            user("u2", Some("a1"), "dead end"),
            answer("a2", "u2", "m2", text("nothing")),
            user("u3", Some("a1"), "two"),
            answer("a3", "u3", "m3", text("2")),
        ],
    );
    let session = read(&path);
    assert_eq!(
        path_of(&session),
        ["user: one", "model: 1", "user: two", "model: 2"]
    );
    assert_eq!(beside(&session), ["user: dead end", "model: nothing"]);
}

#[test]
fn what_no_person_typed_is_no_turn() {
    let mut meta = user("u2", Some("u1"), "from a hook");
    meta["isMeta"] = json!(true);
    let mut notified = user("u3", Some("u2"), "a job has ended");
    notified["origin"] = json!({ "kind": "task-notification" });
    let mut attached = line("t1", Some("u4"), "attachment", Value::Null);
    attached["attachment"] = json!({ "type": "date" });
    attached["rendered"] = json!([{ "content": "Today" }]);
    let mut failed = answer("e1", "t1", "m0", text("API Error: 529"));
    failed["isApiErrorMessage"] = json!(true);
    let (_folder, path) = file(
        "s.jsonl",
        &[
            user("u1", None, "typed"),
            meta,
            notified,
            user("u4", Some("u3"), "<command-name>/compact</command-name>"),
            attached,
            failed,
            answer("a1", "e1", "m1", text("ok")),
        ],
    );
    let session = read(&path);
    let expected = [
        "user: typed",
        "note: from a hook",
        "note: a job has ended",
        "note: <command-name>/compact</command-name>",
        "note: Today",
        "model: ok",
    ];
    assert_eq!(path_of(&session), expected);
    assert_eq!(session.counts().user_turns, 1);
}

fn boundary(metadata: Value) -> Value {
    let mut boundary = line("b", None, "system", Value::Null);
    boundary["subtype"] = json!("compact_boundary");
    boundary["logicalParentUuid"] = json!("a2");
    boundary["compactMetadata"] = metadata;
    boundary
}

fn compacted(metadata: Value) -> ForeignSession {
    let mut summary = user("s", Some("b"), "This goes on.\n\nSummary:\nAll is well.");
    summary["isCompactSummary"] = json!(true);
    let (_folder, path) = file(
        "s.jsonl",
        &[
            user("u1", None, "one"),
            answer("a1", "u1", "m1", text("1")),
            user("u2", Some("a1"), "two"),
            answer("a2", "u2", "m2", text("2")),
            boundary(metadata),
            summary,
            user("u3", Some("s"), "three"),
        ],
    );
    read(&path)
}

#[test]
fn a_boundary_has_both_sides_and_what_was_kept() {
    let session = compacted(
        json!({ "trigger": "auto", "preTokens": 900, "postTokens": 90,
        "preservedMessages": { "uuids": ["u2", "a2"] } }),
    );
    let expected = [
        "user: one",
        "model: 1",
        "user: two",
        "model: 2",
        "summary: All is well.",
        "user: three",
    ];
    assert_eq!(path_of(&session), expected);
    assert_eq!(first_kept(&session).as_deref(), Some("user: two"));
    let compaction = compaction(&session);
    assert_eq!(
        (compaction.tokens_before, compaction.details.tokens_after),
        (900, 90)
    );
    assert_eq!(compaction.details.cause.trigger.name(), "threshold");
    assert_eq!(compaction.details.summarized_messages, 2);
}

#[test]
fn older_boundaries_keep_nothing_and_scattered_ones_say_what_they_cannot_keep() {
    assert_eq!(compacted(json!({ "trigger": "manual" })).lost, []);
    assert_eq!(first_kept(&compacted(json!({ "trigger": "manual" }))), None);
    let scattered = compacted(json!({ "preservedMessages": { "uuids": ["u1", "a1", "a2"] } }));
    assert_eq!(first_kept(&scattered).as_deref(), Some("model: 2"));
    let asks = compaction(&scattered).details.exceptions.kept_asks;
    assert_eq!(
        asks.len(),
        1,
        "the user's message stays, the answer before the tail cannot"
    );
    assert_eq!(lost_lines(&scattered), [6]);
}

#[test]
fn a_fork_whose_boundary_names_a_line_below_it_is_no_circle() {
    let mut summary = user("s", Some("b"), "Summary of before");
    summary["isCompactSummary"] = json!(true);
    let (_folder, path) = file(
        "s.jsonl",
        &[
            boundary(json!({ "trigger": "manual", "preservedMessages": { "uuids": ["a2"] } })),
            summary,
            answer("a2", "s", "m2", text("kept")),
            user("u3", Some("a2"), "on"),
        ],
    );
    let session = read(&path);
    assert_eq!(
        path_of(&session),
        ["summary: Summary of before", "model: kept", "user: on"]
    );
}

#[test]
fn damage_costs_its_own_line_and_says_which() {
    let lines = [
        user("u1", None, "one").to_string(),
        "{\"type\":\"user\",".to_owned(),
        user("u1", None, "again").to_string(),
        "{\"type\":\"from-the-future\",\"uuid\":\"x\",\"parentUuid\":\"u1\"}".to_owned(),
        "[1,2]".to_owned(),
        user("u2", Some("u1"), "two \u{0}\u{301}語\r").to_string(),
        result("r9", "u2", "nobody", false).to_string(),
        "{\"type\":\"assistant\",\"uu".to_owned(),
    ];
    let (_folder, path) = file_of("s.jsonl", lines.join("\n").as_bytes());
    let session = read(&path);
    assert_eq!(
        path_of(&session),
        ["user: one", "user: two \u{0}\u{301}語\r"]
    );
    let mut lines = lost_lines(&session);
    lines.sort_unstable();
    assert_eq!(lines, [2, 3, 4, 5, 7, 8]);
    assert_eq!(session.unknown.get("from-the-future"), Some(&1));
    let torn = session
        .lost
        .iter()
        .find(|it| it.place == SourcePlace::Line(8))
        .unwrap();
    assert_eq!(torn.reason, "the last line is not whole yet");
}

#[test]
fn cycles_and_self_parents_end() {
    let (_folder, path) = file(
        "s.jsonl",
        &[
            user("u1", Some("u3"), "one"),
            user("u2", Some("u2"), "self"),
            user("u3", Some("u1"), "three"),
        ],
    );
    assert_eq!(path_of(&read(&path)), ["user: one", "user: three"]);
}

#[test]
fn images_are_held_once_and_what_is_none_leaves_a_named_hole() {
    let image = |data: &str| {
        json!({ "type": "image",
        "source": { "type": "base64", "media_type": "image/png", "data": data } })
    };
    let with = |uuid: &str, parent: Option<&str>, data: &str| {
        line(
            uuid,
            parent,
            "user",
            json!({ "role": "user", "content": [text("see"), image(data)] }),
        )
    };
    let svg = "PHN2Zz48L3N2Zz4=";
    let (_folder, path) = file(
        "s.jsonl",
        &[
            with("u1", None, PNG),
            with("u2", Some("u1"), PNG),
            with("u3", Some("u2"), "not base64!"),
            with("u4", Some("u3"), svg),
        ],
    );
    let session = read(&path);
    let counts = session.counts();
    assert_eq!((counts.images, counts.attachments), (2, 1));
    assert_eq!(lost_lines(&session), [3, 4]);
}

#[test]
fn sub_agents_are_sessions_of_their_own_inline_or_beside() {
    let (folder, path) = file(
        "s.jsonl",
        &[
            user("u1", None, "go"),
            {
                let mut inline = user("k1", None, "inline task");
                inline["isSidechain"] = json!(true);
                inline["agentId"] = json!("k");
                inline
            },
            answer("a1", "u1", "m1", text("done")),
        ],
    );
    let agents = folder.path().join("s/subagents");
    std::fs::create_dir_all(&agents).unwrap();
    let mut task = user("t1", None, "task");
    task["isSidechain"] = json!(true);
    std::fs::write(agents.join("agent-z.jsonl"), format!("{task}\n")).unwrap();
    std::fs::write(
        agents.join("agent-z.meta.json"),
        r#"{"description":"Count"}"#,
    )
    .unwrap();
    let session = read(&path);
    assert_eq!(path_of(&session), ["user: go", "model: done"]);
    let children: Vec<_> = session
        .children
        .iter()
        .map(|it| (it.origin.session.as_str(), path_of(it), it.title.clone()))
        .collect();
    assert_eq!(
        children,
        [
            ("s/k", vec!["user: inline task".to_owned()], None),
            (
                "s/z",
                vec!["user: task".to_owned()],
                Some("Count".to_owned())
            ),
        ]
    );
    assert!(
        session
            .children
            .iter()
            .all(|it| it.parent.as_deref() == Some("s"))
    );
}

#[test]
fn full_results_are_found_in_the_own_folder_alone() {
    let spilled = |uuid: &str, parent: &str, call: &str, path: &str| {
        let mut result = result(uuid, parent, call, false);
        result["toolUseResult"] = json!({ "persistedOutputPath": path, "persistedOutputSize": 5 });
        result
    };
    let (folder, path) = file(
        "s.jsonl",
        &[
            user("u1", None, "go"),
            answer("a1", "u1", "m1", tool("c1")),
            spilled(
                "r1",
                "a1",
                "c1",
                "/home/old/.claude/s/tool-results/full.txt",
            ),
            answer("a2", "r1", "m2", tool("c2")),
            spilled("r2", "a2", "c2", "../../../etc/passwd"),
        ],
    );
    let results = folder.path().join("s/tool-results");
    std::fs::create_dir_all(&results).unwrap();
    std::fs::write(results.join("full.txt"), "whole").unwrap();
    let session = read(&path);
    let details: Vec<Option<Value>> = session
        .entries
        .iter()
        .filter_map(|entry| match entry.message()?.as_ref() {
            Message::ToolResult(result) => Some(result.details.clone()),
            _ => None,
        })
        .collect();
    let found = details[0].as_ref().unwrap()["importedOutput"]
        .as_str()
        .unwrap();
    assert_eq!(found, results.join("full.txt").display().to_string());
    assert_eq!((&details[1], lost_lines(&session)), (&None, vec![5]));
}

#[test]
fn pruned_results_stay_and_are_cut_in_the_window() {
    let mut pruned = line("p", Some("r1"), "system", Value::Null);
    pruned["subtype"] = json!("microcompact_boundary");
    pruned["microcompactMetadata"] = json!({ "compactedToolIds": ["c1", "none"] });
    let (_folder, path) = file(
        "s.jsonl",
        &[
            user("u1", None, "go"),
            answer("a1", "u1", "m1", tool("c1")),
            result("r1", "a1", "c1", false),
            pruned,
            user("u2", Some("p"), "on"),
        ],
    );
    let session = read(&path);
    let cuts: Vec<_> = session
        .entries
        .iter()
        .filter_map(|entry| match &entry.body {
            EntryBody::Decision(crate::transcript::Decision::Prune { cuts, .. }) => {
                Some(cuts.len())
            }
            _ => None,
        })
        .collect();
    assert_eq!(cuts, [1]);
    assert!(path_of(&session).contains(&"result: of c1".to_owned()));
}

#[test]
fn the_title_that_a_person_gave_wins() {
    let (_folder, path) = file(
        "s.jsonl",
        &[
            json!({ "type": "custom-title", "customTitle": "Mine", "sessionId": "s" }),
            user("u1", None, "go"),
            json!({ "type": "ai-title", "aiTitle": "Its", "sessionId": "s" }),
            json!({ "type": "summary", "summary": "Old", "leafUuid": "x" }),
        ],
    );
    assert_eq!(read(&path).title.as_deref(), Some("Mine"));
}
