//! `plim fidelity`: every compaction of a session in a table or as JSON, those of other
//! programs too, and what a smaller window would lose.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::commands::{LATER, long_session};
use super::program::Program;

/// A session of another program, with a summary of its own.
fn foreign_log() -> String {
    let bodies = [
        json!({"type": "message", "message": {"role": "user",
            "content": "Port src/lexer.rs. We decided to use TokenKind instead of strings."}}),
        json!({"type": "message", "message": {"role": "assistant", "stopReason": "toolUse",
            "provider": "p", "model": "m", "content": [{"type": "toolCall", "id": "c1",
            "name": "edit", "arguments": {"path": "src/lexer.rs", "old": "next_token", "new": "peek_token"}}]}}),
        json!({"type": "message", "message": {"role": "toolResult", "toolCallId": "c1",
            "toolName": "edit", "content": [{"type": "text", "text": "ok"}], "isError": false}}),
        json!({"type": "message", "message": {"role": "user", "content": "and now the printer"}}),
        json!({"type": "compaction", "summary": "Changed `src/lexer.rs`: peek_token.",
            "firstKeptEntryId": "e3", "tokensBefore": 900}),
        json!({"type": "message", "message": {"role": "assistant", "stopReason": "stop",
            "provider": "p", "model": "m", "content": [{"type": "text",
            "text": "`peek_token` and `next_token` of src/lexer.rs are used by TokenKind."}]}}),
    ];
    let mut log = json!({"type": "session", "version": 3, "id": "foreign",
        "timestamp": "2026-01-02T03:04:05Z", "cwd": "/nowhere"})
    .to_string();
    for (at, mut body) in bodies.into_iter().enumerate() {
        let fields = body.as_object_mut().unwrap();
        fields.insert("id".to_owned(), json!(format!("e{at}")));
        fields.insert(
            "parentId".to_owned(),
            at.checked_sub(1)
                .map_or(Value::Null, |at| json!(format!("e{at}"))),
        );
        fields.insert("timestamp".to_owned(), json!("2026-01-02T03:04:05Z"));
        let _ = write!(log, "\n{body}");
    }
    log.push('\n');
    log
}

fn class<'a>(compaction: &'a Value, name: &str) -> &'a Value {
    let classes = compaction["classes"].as_array().unwrap();
    classes.iter().find(|it| it["class"] == name).unwrap()
}

#[test]
fn the_summary_of_another_program_is_measured_as_it_is() {
    let plim = Program::new();
    plim.file("foreign.jsonl", &foreign_log());
    let out = plim.run(&["fidelity", "foreign.jsonl", "--json"]);
    assert_eq!(out.code, 0, "{out:?}");
    let value = out.json();
    assert_eq!(value["session"], "foreign");
    assert_eq!(value["simulated"], json!([]));
    let compaction = &value["compactions"][0];
    assert_eq!(compaction["replaced"], 3);
    assert_eq!(compaction["kept"], 1);
    assert_eq!(compaction["later"], 1);
    let fates: Vec<(&str, &str)> = class(compaction, "hindsight")["probes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|probe| {
            (
                probe["text"].as_str().unwrap(),
                probe["fate"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("src/lexer.rs", "verbatim"),
        ("next_token", "gone"),
        ("peek_token", "verbatim"),
        ("TokenKind", "gone"),
    ];
    assert_eq!(fates, expected);
    assert_eq!(class(compaction, "decisions")["gone"], 1);
    assert_eq!(class(compaction, "changed files")["verbatim"], 1);
    assert_eq!(class(compaction, "newest ask")["in_tail"], 1);
}

#[test]
fn the_tables_fit_eighty_columns_and_are_the_same_twice() {
    let plim = Program::new();
    plim.file("foreign.jsonl", &foreign_log());
    long_session(&plim);
    for arguments in [
        &["fidelity", "foreign.jsonl"][..],
        &["fidelity", "foreign.jsonl", "--compaction", "1"],
        &["fidelity", "--at", "16k", "--at", "8000"],
        &["fidelity"],
    ] {
        let mut line = arguments.to_vec();
        line.extend(["--now", LATER]);
        let first = plim.run(&line);
        assert_eq!(first.code, 0, "{first:?}");
        assert_eq!(first.out, plim.run(&line).out, "{arguments:?}");
        for row in first.out.lines() {
            assert!(row.chars().count() <= 80, "{row}");
        }
    }
    let table = plim.run(&["fidelity", "foreign.jsonl"]).out;
    assert!(
        table.contains("needed later, gone: next_token TokenKind"),
        "{table}"
    );
    assert!(table.contains("2/4 = 50 %"), "{table}");
}

#[test]
fn a_session_without_a_compaction_is_compacted_in_memory_only() {
    let plim = Program::new();
    long_session(&plim);
    let before = std::fs::read(plim.session()).unwrap();
    let value = plim.run(&["fidelity", "--json", "--at", "8000"]).json();
    assert_eq!(value["compactions"], json!([]));
    let window = &value["simulated"][0];
    assert_eq!(window["window_tokens"], 8_000);
    assert!(
        !window["compactions"].as_array().unwrap().is_empty(),
        "{window}"
    );
    let text = plim.run(&["fidelity", "--at", "900000"]).out;
    assert!(
        text.contains("no compaction; the conversation has"),
        "{text}"
    );
    assert_eq!(std::fs::read(plim.session()).unwrap(), before);
}

#[test]
fn what_is_not_there_is_refused_like_elsewhere() {
    let plim = Program::new();
    plim.file("foreign.jsonl", &foreign_log());
    for (arguments, code) in [
        (&["fidelity", "foreign.jsonl", "--compaction", "7"][..], 1),
        (&["fidelity", "foreign.jsonl", "--at", "3k"], 2),
        (&["fidelity", "foreign.jsonl", "--at", "much"], 2),
        (
            &[
                "fidelity",
                "foreign.jsonl",
                "--at",
                "16k",
                "--compaction",
                "1",
            ],
            2,
        ),
    ] {
        let out = plim.run(arguments);
        assert_eq!(out.code, code, "{arguments:?}: {out:?}");
    }
}
