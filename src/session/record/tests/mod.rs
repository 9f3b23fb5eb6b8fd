//! Lines of every kind, as we write them and as other programs do.

mod properties;

use std::sync::Arc;

use serde_json::{Value, json};

use super::*;
use crate::transcript::{
    AssistantMessage, AssistantPart, CompactionDetails, Entry, Message, Part, StopReason, ToolCall,
    ToolResult, Usage, UserMessage,
};

fn read(value: &Value) -> RecordLine {
    read_line(&value.to_string()).unwrap()
}

fn message(value: &Value) -> RecordLine {
    read(&json!({"type": "message", "id": "a", "parentId": null, "message": value}))
}

fn as_message(line: &RecordLine) -> &Message {
    match &line.body {
        EntryBody::Message(message) => message,
        other => panic!("{other:?}: {:?}", line.complaint),
    }
}

fn call(value: &Value) -> ToolCall {
    let line = message(&json!({"role": "assistant", "content": [value]}));
    match as_message(&line) {
        Message::Assistant(answer) => match answer.content.as_slice() {
            [AssistantPart::ToolCall(call)] => call.clone(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_assistant_message_is_written_as_other_programs_expect() {
    let entry = Entry {
        id: EntryId::new("b"),
        parent: Some(EntryId::new("a")),
        timestamp: Timestamp(1_795_222_163_560),
        body: EntryBody::Message(Arc::new(Message::Assistant(AssistantMessage {
            content: vec![
                AssistantPart::Thinking {
                    text: "hm".to_owned(),
                    signature: Some("sig".to_owned()),
                },
                AssistantPart::RedactedThinking {
                    data: "xyz".to_owned(),
                },
                AssistantPart::ToolCall(ToolCall {
                    id: "c1".to_owned(),
                    name: "read".to_owned(),
                    arguments: Value::Null,
                    malformed: Some("{\"path\":".to_owned()),
                }),
            ],
            provider: "p".to_owned(),
            model: "m".to_owned(),
            usage: Some(Usage {
                input_tokens: 10,
                output_tokens: 2,
                cache_read_tokens: 3,
                cache_write_tokens: 4,
                cost_usd: Some(0.5),
                ..Usage::default()
            }),
            stop: StopReason::Refusal,
            error: Some("no".to_owned()),
            response_id: Some("msg_1".to_owned()),
            cache: None,
        }))),
    };
    let written: Value = serde_json::from_str(&to_line(&entry)).unwrap();
    let expected = json!({
        "type": "message", "id": "b", "parentId": "a", "timestamp": "2026-11-21T00:49:23.560Z",
        "message": {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm", "thinkingSignature": "sig"},
                {"type": "thinking", "thinking": "", "thinkingSignature": "xyz", "redacted": true},
                {"type": "toolCall", "id": "c1", "name": "read", "arguments": {}, "partialJson": "{\"path\":"},
            ],
            "api": "plimsoll", "provider": "p", "model": "m",
            "usage": {"input": 10, "output": 2, "cacheRead": 3, "cacheWrite": 4, "totalTokens": 19,
                "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0.5}},
            "stopReason": "stop", "plimsollStop": "refusal", "errorMessage": "no", "responseId": "msg_1",
            "timestamp": 1_795_222_163_560_i64,
        },
    });
    assert_eq!(written, expected);
}

#[test]
fn foreign_arguments_become_an_object_or_raw_text() {
    let cases = [
        (json!({"arguments": {"a": 1}}), json!({"a": 1}), None),
        (
            json!({"arguments": {}, "partialJson": "{"}),
            json!({}),
            Some("{"),
        ),
        (
            json!({"arguments": {}, "partialJson": "{}"}),
            json!({}),
            None,
        ),
        (
            json!({"arguments": {"a": 1}, "partialJson": "{\"a\":1,"}),
            json!({"a": 1}),
            None,
        ),
        (json!({"arguments": [1]}), json!({}), Some("[1]")),
        (json!({"arguments": "ls"}), json!({}), Some("ls")),
        (json!({"arguments": null}), Value::Null, None),
        (json!({}), Value::Null, None),
    ];
    for (mut block, arguments, malformed) in cases {
        block["type"] = json!("toolCall");
        block["id"] = json!("c");
        block["name"] = json!("n");
        let call = call(&block);
        assert_eq!(
            (call.arguments, call.malformed.as_deref()),
            (arguments, malformed),
            "{block}"
        );
    }
}

#[test]
fn text_content_counts_as_one_part() {
    let hi = vec![Part::Text("hi".to_owned())];
    let user = message(&json!({"role": "user", "content": "hi", "timestamp": 7}));
    assert_eq!(
        user.timestamp,
        Timestamp(7),
        "the message's own time, when the line has none"
    );
    assert_eq!(
        as_message(&user),
        &Message::User(UserMessage {
            content: hi.clone()
        })
    );
    let result = message(&json!({"role": "toolResult", "toolCallId": "c", "content": "hi"}));
    assert_eq!(
        as_message(&result),
        &Message::ToolResult(ToolResult {
            call_id: "c".to_owned(),
            content: hi.clone(),
            ..ToolResult::default()
        })
    );
    let hook = message(&json!({"role": "hookMessage", "customType": "x", "content": "hi"}));
    assert_eq!(
        hook.body,
        EntryBody::CustomMessage {
            custom_type: "x".to_owned(),
            content: hi,
            display: true
        }
    );
}

#[test]
fn wrong_shapes_are_unknown_and_reported() {
    let cases = [
        json!({"type": "message", "id": "a"}),
        json!({"type": "message", "id": "a", "message": "hi"}),
        json!({"type": "message", "id": "a", "message": {"role": "user", "content": 5}}),
        json!({"type": "message", "id": "a", "message": {"role": "user"}}),
        json!({"type": "message", "id": "a", "message": {"role": "narrator", "content": ""}}),
        json!({"type": "message", "id": "a", "message": {"role": "toolResult", "content": ""}}),
        json!({"type": "compaction", "id": "a"}),
        json!({"type": "label", "id": "a", "targetId": 1}),
        json!({"type": "model_change", "id": "a"}),
    ];
    for value in cases {
        let line = read(&value);
        let kind = value["type"].as_str().unwrap().to_owned();
        assert_eq!(line.body, EntryBody::Unknown { kind }, "{value}");
        assert!(line.complaint.is_some(), "{value}");
    }
}

#[test]
fn unknown_kinds_are_quiet_whatever_they_hold() {
    let line = read(&json!({"type": "future", "id": "a", "summary": {"x": 1}, "message": 3}));
    assert_eq!(line.complaint, None);
    assert!(matches!(line.body, EntryBody::Unknown { kind } if kind == "future"));
    for custom_type in ["model-snapshot", "plimsoll.prune", "plimsoll.future"] {
        let line =
            read(&json!({"type": "custom", "id": "a", "customType": custom_type, "data": [1]}));
        assert!(matches!(line.body, EntryBody::Custom { custom_type: c } if c == custom_type));
    }
}

/// pi writes its prompt and its tools as messages of their own, and costs as entries.
#[test]
fn the_prompt_and_the_costs_of_another_program_are_kept_quietly_and_not_sent() {
    let prompt = read(&json!({"type": "message", "id": "a1", "parentId": null,
        "timestamp": "2026-11-22T23:59:14.044Z", "message": {"role": "system", "content": "",
        "sections": {"preamble": "You are another program."}, "toolsAdded": [{"name": "read"}],
        "timestamp": 1_795_391_954_043_u64}}));
    assert_eq!(prompt.complaint, None);
    let is_quiet = |line: &RecordLine| matches!(line.body, EntryBody::Unknown { .. });
    assert!(is_quiet(&prompt), "{:?}", prompt.body);
    let usage = read(
        &json!({"type": "usage", "id": "a2", "parentId": "a1", "kind": "cache_warm",
        "timestamp": "2026-11-22T23:59:15.044Z", "usage": {"input": 0}}),
    );
    assert_eq!(usage.complaint, None);
    assert!(is_quiet(&usage));
}

#[test]
fn unknown_parts_and_half_characters_are_reported() {
    let line = message(&json!({"role": "user", "content": [
        {"type": "text", "text": "a"}, {"type": "video", "url": "x"}]}));
    assert_eq!(as_message(&line).text(), "a");
    assert!(line.complaint.unwrap().contains("video"));
    let line = read_line(
        r#"{"type":"message","id":"a","message":{"role":"user","content":"cut \ud83d"}}"#,
    )
    .unwrap();
    assert_eq!(as_message(&line).text(), "cut \u{fffd}");
    assert!(line.complaint.is_some());
}

#[test]
fn no_line_is_what_has_no_type() {
    for text in [
        "",
        "5",
        "null",
        "[\"message\",\"a\",null,null]",
        "{}",
        "{\"type\":\"message\"",
        "{\"type\":5}",
    ] {
        assert!(read_line(text).is_err(), "{text}");
    }
    let deep = format!(
        "{{\"type\":\"message\",\"id\":\"a\",\"message\":{}1{}}}",
        "[".repeat(9_999),
        "]".repeat(9_999)
    );
    assert!(read_line(&deep).is_err() || read_line(&deep).unwrap().complaint.is_some());
}

#[test]
fn foreign_numbers_do_no_harm() {
    let line = message(
        &json!({"role": "assistant", "content": [], "stopReason": "novel",
        "usage": {"input": 1e300, "output": -5, "cacheRead": 2.0, "cacheWrite": u64::MAX}}),
    );
    let Message::Assistant(answer) = as_message(&line) else {
        panic!("{line:?}");
    };
    assert_eq!(answer.stop, StopReason::Stop);
    let usage = answer.usage.unwrap();
    assert_eq!((usage.output_tokens, usage.cache_read_tokens), (0, 2));
    assert!(usage.prompt_tokens() > 0);
    let line = message(&json!({"role": "bashExecution", "command": "ls", "exitCode": 1e99}));
    assert!(matches!(as_message(&line), Message::BashExecution(run) if run.exit_code.is_none()));
}

#[test]
fn details_of_other_programs_keep_their_files() {
    let compaction = |details: Value| {
        let line = read(&json!({"type": "compaction", "id": "a", "summary": "s",
            "firstKeptEntryId": "a", "tokensBefore": 9, "details": details, "extra": 1}));
        match line.body {
            EntryBody::Compaction(compaction) => *compaction,
            other => panic!("{other:?}"),
        }
    };
    let theirs = compaction(json!({"readFiles": ["r"], "modifiedFiles": ["m"]}));
    assert_eq!(theirs.first_kept, None, "its own id keeps nothing");
    assert_eq!(theirs.details.appendix.read_files, ["r"]);
    let strange = compaction(json!({"readFiles": ["r"], "usage": "none"}));
    assert_eq!(strange.details.appendix.read_files, ["r"]);
    assert_eq!(compaction(json!("?")).details, CompactionDetails::default());
}
