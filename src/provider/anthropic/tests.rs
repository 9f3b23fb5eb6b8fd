use std::sync::Arc;

use futures::StreamExt as _;
use secrecy::SecretString;
use serde_json::json;

use super::*;
use crate::provider::StreamEvent;
use crate::provider::http::scripted::{Scripted, events, response};
use crate::provider::key::Key;
use crate::provider::testing::{assistant, call, request, result, signed, summary, user};
use crate::transcript::{
    Image, Message, ModelRef, Part, ServerContext, ServerEdits, StopReason, ThinkingLevel,
    UserMessage,
};

fn provider(base: &str) -> Anthropic {
    Anthropic {
        connection: Connection {
            id: "anthropic".to_owned(),
            url: format!("{base}/v1/messages"),
            key: Key::Known(SecretString::from("sk-ant-x")),
            key_hint: "set ANTHROPIC_API_KEY".to_owned(),
            headers: Vec::new(),
            client: Arc::default(),
            catalogue: Arc::default(),
        },
    }
}

fn body(messages: Vec<Message>) -> Value {
    let mut request = request("anthropic", "claude-sonnet-4-5", messages);
    request.system = "Be brief.".into();
    provider("http://x").wire_body(&request)
}

const MARK: &str = r#"{"type":"ephemeral"}"#;

fn mark() -> Value {
    serde_json::from_str(MARK).unwrap()
}

#[test]
fn a_tool_loop_is_encoded_strictly() {
    let got = body(vec![
        user("first"),
        assistant(
            "anthropic",
            vec![
                signed("why", "sig"),
                crate::transcript::AssistantPart::Text("  ".to_owned()),
                call("a", "read", json!({"path": "x"})),
                call("b:1", "list", json!({})),
            ],
        ),
        result("a", "read", "text of x"),
        result("b:1", "list", ""),
        user("and now?"),
    ]);
    assert_eq!(
        got,
        json!({
            "model": "claude-sonnet-4-5",
            "max_tokens": 4096,
            "stream": true,
            "tools": [{"name": "read", "description": "Reads.", "input_schema": {"type": "object"}}],
            "system": [{"type": "text", "text": "Be brief.", "cache_control": mark()}],
            "messages": [
                {"role": "user", "content": [{"type": "text", "text": "first", "cache_control": mark()}]},
                {"role": "assistant", "content": [
                    {"type": "thinking", "thinking": "why", "signature": "sig"},
                    {"type": "tool_use", "id": "a", "name": "read", "input": {"path": "x"}},
                    {"type": "tool_use", "id": "b_1", "name": "list", "input": {}},
                ]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": "text of x"}]},
                    {"type": "tool_result", "tool_use_id": "b_1"},
                    {"type": "text", "text": "and now?", "cache_control": mark()},
                ]},
            ],
        })
    );
}

#[test]
fn the_body_is_the_same_bytes_every_time() {
    let messages = || {
        vec![
            user("a"),
            assistant(
                "anthropic",
                vec![call("a", "read", json!({"z": 1, "a": 2}))],
            ),
            result("a", "read", "b"),
        ]
    };
    assert_eq!(body(messages()).to_string(), body(messages()).to_string());
    assert!(
        body(messages())
            .to_string()
            .contains(r#""input":{"z":1,"a":2}"#)
    );
}

#[test]
fn breakpoints_are_at_most_four_and_stay_off_reasoning() {
    let long = vec![
        summary("what was"),
        user("1"),
        assistant("anthropic", vec![call("a", "read", json!({}))]),
        result("a", "read", "x"),
        assistant("anthropic", vec![call("b", "read", json!({}))]),
        result("b", "read", "y"),
        assistant(
            "anthropic",
            vec![signed("t", "s"), call("c", "read", json!({}))],
        ),
        result("c", "read", "z"),
    ];
    let got = body(long);
    assert_eq!(got.to_string().matches(MARK).count(), 4);
    assert!(got["messages"][0]["content"][0]["cache_control"].is_object());
    assert!(got["messages"][0]["content"][1]["cache_control"].is_null());
    assert!(got["messages"][6]["content"][0]["cache_control"].is_object());
}

#[test]
fn foreign_reasoning_and_blank_messages_are_left_out() {
    let got = body(vec![
        user("a"),
        assistant(
            "openai",
            vec![
                signed("t", "s"),
                crate::transcript::AssistantPart::Text("b".to_owned()),
            ],
        ),
        user(" \n"),
        assistant(
            "openai",
            vec![crate::transcript::AssistantPart::Text("c".to_owned())],
        ),
        user("d"),
    ]);
    let roles: Vec<&str> = got["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    assert!(!got.to_string().contains("signature"));
}

#[test]
fn an_answer_that_is_sent_back_to_go_on_ends_without_white_space() {
    let text = |text: &str| crate::transcript::AssistantPart::Text(text.to_owned());
    let got = body(vec![
        user("a "),
        assistant("anthropic", vec![text("so far \n")]),
    ]);
    assert_eq!(got["messages"][0]["content"][0]["text"], "a ");
    assert_eq!(got["messages"][1]["content"][0]["text"], "so far");
}

#[test]
fn attachments_are_base64() {
    let image = |mime: &str| {
        Part::Image(Image {
            data: "QUJD".into(),
            mime: mime.to_owned(),
            name: None,
        })
    };
    let message = Message::User(UserMessage {
        content: vec![
            image("image/png"),
            image("application/pdf"),
            image("video/mp4"),
        ],
    });
    let got = body(vec![message]);
    let blocks = &got["messages"][0]["content"];
    assert_eq!(
        blocks[0]["source"],
        json!({"type": "base64", "media_type": "image/png", "data": "QUJD"})
    );
    assert_eq!(blocks[1]["type"], "document");
    assert!(blocks[2]["text"].as_str().unwrap().contains("video/mp4"));
}

#[test]
fn reasoning_is_asked_for_in_the_models_own_form() {
    let check = |model: &str, level, max, thinking: Value, effort: Value| {
        let mut request = request("anthropic", model, vec![user("a")]);
        request.model = ModelRef::new("anthropic", model);
        request.thinking = level;
        request.max_output_tokens = max;
        let body = provider("http://x").wire_body(&request);
        assert_eq!(body["thinking"], thinking, "{model}");
        assert_eq!(body["output_config"]["effort"], effort, "{model}");
    };
    let high = ThinkingLevel::High;
    let bound = json!({"prefix_mismatch_behavior": "drop_block"});
    check(
        "claude-sonnet-4-5-20250929",
        ThinkingLevel::Off,
        9_000,
        Value::Null,
        Value::Null,
    );
    check(
        "claude-sonnet-4-5-20250929",
        high,
        9_216,
        json!({"type": "enabled", "budget_tokens": 8_192}),
        Value::Null,
    );
    check("claude-sonnet-4-5", high, 2_000, Value::Null, Value::Null);
    check(
        "claude-3-7-sonnet-20250219",
        ThinkingLevel::Low,
        64_000,
        json!({"type": "enabled", "budget_tokens": 4_096}),
        Value::Null,
    );
    check(
        "claude-opus-4-6",
        high,
        9_000,
        json!({"type": "adaptive", "display": "summarized"}),
        json!("high"),
    );
    check(
        "claude-opus-5",
        ThinkingLevel::Off,
        9_000,
        Value::Null,
        Value::Null,
    );
    check(
        "claude-opus-5-5",
        ThinkingLevel::Off,
        9_000,
        json!({"type": "adaptive", "block_binding": bound}),
        Value::Null,
    );
    check(
        "claude-opus-5-5",
        ThinkingLevel::Low,
        9_000,
        json!({"type": "adaptive", "display": "summarized", "block_binding": bound}),
        json!("low"),
    );
}

#[test]
fn a_loop_that_began_without_reasoning_goes_on_without() {
    let with = |part| {
        let mut request = request(
            "anthropic",
            "claude-sonnet-4-5",
            vec![
                user("a"),
                assistant("anthropic", vec![part, call("a", "read", json!({}))]),
                result("a", "read", "b"),
            ],
        );
        request.thinking = ThinkingLevel::High;
        request.max_output_tokens = 30_000;
        provider("http://x").wire_body(&request)["thinking"].is_object()
    };
    assert!(with(signed("t", "s")));
    assert!(!with(crate::transcript::AssistantPart::Text(
        "t".to_owned()
    )));
}

async fn run(
    scripts: Vec<Vec<crate::provider::http::scripted::Step>>,
) -> (Scripted, Vec<Result<StreamEvent, ProviderError>>) {
    let server = Scripted::start(scripts).await;
    let request = request("anthropic", "claude-sonnet-4-5", vec![user("hi")]);
    let items = provider(&server.base)
        .stream(request, CancellationToken::new())
        .collect()
        .await;
    (server, items)
}

fn sse(events: &[Value]) -> String {
    events
        .iter()
        .map(|e| format!("event: {}\ndata: {e}\n\n", e["type"].as_str().unwrap()))
        .collect::<Vec<_>>()
        .concat()
}

#[tokio::test]
async fn an_answer_with_interleaved_calls() {
    let stream = sse(&[
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 10, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 5, "output_tokens": 1}}}),
        json!({"type": "ping"}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "s1"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "s2"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "redacted_thinking", "data": "xyz"}}),
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "content_block_start", "index": 2, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 2, "delta": {"type": "text_delta", "text": "漢"}}),
        json!({"type": "content_block_stop", "index": 2}),
        json!({"type": "content_block_start", "index": 3, "content_block": {"type": "tool_use", "id": "t1", "name": "read", "input": {}}}),
        json!({"type": "content_block_start", "index": 4, "content_block": {"type": "tool_use", "id": "t2", "name": "list", "input": {"path": "."}}}),
        json!({"type": "content_block_delta", "index": 3, "delta": {"type": "input_json_delta", "partial_json": ""}}),
        json!({"type": "content_block_delta", "index": 3, "delta": {"type": "input_json_delta", "partial_json": "{broken"}}),
        json!({"type": "content_block_stop", "index": 4}),
        json!({"type": "content_block_stop", "index": 3}),
        json!({"type": "brand_new", "index": 9}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 7, "output_tokens_details": {"thinking_tokens": 4}}}),
        json!({"type": "message_stop"}),
    ]);
    let middle = stream.find('漢').unwrap() + 1;
    let mut script = events(&[]);
    for piece in [&stream.as_bytes()[..middle], &stream.as_bytes()[middle..]] {
        script.push(crate::provider::http::scripted::Step::Send(piece.to_vec()));
    }
    let (server, items) = run(vec![script]).await;
    let items: Vec<StreamEvent> = items.into_iter().map(Result::unwrap).collect();
    let StreamEvent::Usage(last) = items[items.len() - 2].clone() else {
        panic!("{items:?}")
    };
    assert_eq!(
        (
            last.input_tokens,
            last.cache_read_tokens,
            last.cache_write_tokens,
            last.output_tokens,
            last.reasoning_tokens
        ),
        (10, 20, 5, 7, 4)
    );
    assert!(last.cost_usd.unwrap() > 0.0);
    let plain: Vec<StreamEvent> = items
        .into_iter()
        .filter(|e| !matches!(e, StreamEvent::Usage(_)))
        .collect();
    assert_eq!(
        plain,
        [
            StreamEvent::Thinking("hm".to_owned()),
            StreamEvent::ThinkingSignature("s1s2".to_owned()),
            StreamEvent::RedactedThinking("xyz".to_owned()),
            StreamEvent::Text("漢".to_owned()),
            StreamEvent::ToolCallStart {
                index: 0,
                id: "t1".to_owned(),
                name: "read".to_owned()
            },
            StreamEvent::ToolCallStart {
                index: 1,
                id: "t2".to_owned(),
                name: "list".to_owned()
            },
            StreamEvent::ToolCallArguments {
                index: 0,
                fragment: "{broken".to_owned()
            },
            StreamEvent::ToolCallArguments {
                index: 1,
                fragment: "{\"path\":\".\"}".to_owned()
            },
            StreamEvent::Stop(StopReason::ToolUse),
        ]
    );
    let head = &server.seen()[0].head;
    assert!(head.contains("x-api-key: sk-ant-x") && head.contains("anthropic-version: 2023-06-01"));
    assert!(!head.contains("anthropic-beta"));
}

#[tokio::test]
async fn endings() {
    let end = |reason: &str, output: u64| {
        sse(&[
            json!({"type": "message_start", "message": {"usage": {"input_tokens": 10, "output_tokens": 0}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "a"}}),
            json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": output}}),
        ])
    };
    for (reason, expected) in [
        ("end_turn", StopReason::Stop),
        ("stop_sequence", StopReason::Stop),
        ("pause_turn", StopReason::Paused),
        ("max_tokens", StopReason::Length),
        ("model_context_window_exceeded", StopReason::Length),
        ("refusal", StopReason::Refusal),
        ("tool_use", StopReason::ToolUse),
    ] {
        let (_, items) = run(vec![events(&[&end(reason, 3)])]).await;
        assert_eq!(
            items.last(),
            Some(&Ok(StreamEvent::Stop(expected))),
            "{reason}"
        );
    }
    let cut = end("end_turn", 3)
        .split_once("event: message_delta")
        .unwrap()
        .0
        .to_owned();
    let (_, items) = run(vec![events(&[&cut])]).await;
    assert!(
        matches!(items.last(), Some(Err(ProviderError::Malformed { message })) if message.contains("ended early"))
    );
    let broken = format!("{cut}data: {{\"type\":\n\n");
    let (_, items) = run(vec![events(&[&broken])]).await;
    assert!(matches!(
        items.last(),
        Some(Err(ProviderError::Malformed { .. }))
    ));
    let failing = format!(
        "{cut}{}",
        sse(&[
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
        ])
    );
    let (_, items) = run(vec![events(&[&failing])]).await;
    assert!(items.contains(&Ok(StreamEvent::Text("a".to_owned()))));
    assert!(matches!(
        items.last(),
        Some(Err(ProviderError::Overloaded { .. }))
    ));
    let full = sse(&[
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 199_999, "output_tokens": 0}}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": 0}}),
    ]);
    let (_, items) = run(vec![events(&[&full])]).await;
    assert!(matches!(
        items.last(),
        Some(Err(ProviderError::ContextOverflow { .. }))
    ));
}

#[tokio::test]
async fn reasoning_that_is_refused_is_left_out_once() {
    let refused = response(
        400,
        "",
        r#"{"error":{"type":"invalid_request_error","message":"messages.1.content.0: Invalid `signature` in `thinking` block."}}"#,
    );
    let fine = events(&[&sse(&[
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}}),
    ])]);
    let server = Scripted::start(vec![refused.clone(), fine]).await;
    let messages = vec![
        user("a"),
        assistant(
            "anthropic",
            vec![
                signed("t", "s"),
                crate::transcript::AssistantPart::Text("b".to_owned()),
            ],
        ),
        user("c"),
    ];
    let ask = |server: &Scripted| {
        let request = request("anthropic", "claude-opus-5-5", messages.clone());
        provider(&server.base).stream(request, CancellationToken::new())
    };
    let items: Vec<_> = ask(&server).collect().await;
    assert!(items.iter().all(Result::is_ok), "{items:?}");
    let seen = server.seen();
    assert!(
        seen[0]
            .head
            .contains("anthropic-beta: thinking-binding-controls")
    );
    assert!(seen[0].body.to_string().contains("signature"));
    assert!(!seen[1].body.to_string().contains("signature"));
    assert!(!seen[1].body.to_string().contains("block_binding"));
    let server = Scripted::start(vec![refused]).await;
    let items: Vec<_> = ask(&server).collect().await;
    assert_eq!((items.len(), server.seen().len()), (1, 2));
}

fn with_server(
    context: ServerContext,
    from_tokens: Option<u64>,
    messages: Vec<Message>,
) -> CompletionRequest {
    let mut request = request("anthropic", "claude-sonnet-4-6", messages);
    request.server = ServerEdits {
        context,
        from_tokens,
    };
    request
}

#[tokio::test]
async fn the_server_clears_old_results_only_when_asked_and_says_what_it_cleared() {
    let stream = sse(&[
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 70_000, "cache_read_input_tokens": 5_000}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "ok"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 3},
            "context_management": {"applied_edits": [{"type": "clear_tool_uses_20250919",
                "cleared_tool_uses": 8, "cleared_input_tokens": 50_000}]}}),
        json!({"type": "message_stop"}),
    ]);
    let server = Scripted::start(vec![events(&[&stream])]).await;
    let mut provider = provider(&server.base);
    provider.connection.headers = vec![("Anthropic-Beta".to_owned(), "mine-1".to_owned())];
    let off = with_server(ServerContext::Off, Some(90_000), vec![user("hi")]);
    assert!(provider.wire_body(&off).get("context_management").is_none());
    let asked = with_server(ServerContext::ClearToolUses, Some(90_000), vec![user("hi")]);
    assert_eq!(
        provider.wire_body(&asked)["context_management"],
        json!({"edits": [{"type": "clear_tool_uses_20250919",
            "trigger": {"type": "input_tokens", "value": 90_000}}]})
    );
    let items: Vec<_> = provider
        .stream(asked, CancellationToken::new())
        .collect()
        .await;
    let head = server.seen()[0].head.to_lowercase();
    assert!(
        head.contains("anthropic-beta: context-management-2025-06-27,mine-1"),
        "{head}"
    );
    let usage = last_usage(&items);
    assert_eq!(usage.prompt_tokens(), 75_000);
    assert_eq!(usage.server_cut_tokens, Some(50_000));
    assert_eq!(usage.sent_tokens(), Some(125_000));
}

fn last_usage(items: &[Result<StreamEvent, ProviderError>]) -> crate::transcript::Usage {
    let found = items.iter().rev().find_map(|item| match item {
        Ok(StreamEvent::Usage(usage)) => Some(*usage),
        _ => None,
    });
    found.unwrap()
}

#[tokio::test]
async fn the_servers_own_summary_goes_back_to_it_and_nowhere_else() {
    let stream = sse(&[
        json!({"type": "message_start", "message": {"usage": {"input_tokens": 23_000}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "compaction"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "compaction_delta", "content": "So far: "}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "compaction_delta", "content": "all."}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": "ok"}}),
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {
            "input_tokens": 23_000, "output_tokens": 3, "iterations": [
                {"type": "compaction", "input_tokens": 1_000_000, "output_tokens": 0},
                {"type": "message", "input_tokens": 23_000, "output_tokens": 3}]}}),
        json!({"type": "message_stop"}),
    ]);
    let server = Scripted::start(vec![events(&[&stream]), events(&[&stream])]).await;
    let provider = provider(&server.base);
    let asked = with_server(ServerContext::Compact, Some(9), vec![user("hi")]);
    assert_eq!(
        provider.wire_body(&asked)["context_management"]["edits"][0],
        json!({"type": "compact_20260112", "trigger": {"type": "input_tokens", "value": 50_000}})
    );
    let items: Vec<_> = provider
        .stream(asked, CancellationToken::new())
        .collect()
        .await;
    assert!(
        server.seen()[0]
            .head
            .contains("anthropic-beta: compact-2026-01-12")
    );
    let block = json!({"type": "compaction", "content": "So far: all."});
    let Some(Ok(StreamEvent::RedactedThinking(data))) = items
        .iter()
        .find(|item| matches!(item, Ok(StreamEvent::RedactedThinking(_))))
    else {
        panic!("{items:?}");
    };
    assert_eq!(*data, block.to_string());
    let usage = last_usage(&items);
    assert_eq!(usage.sent_tokens(), None, "nobody says what was left out");
    assert!(
        usage.cost_usd > Some(2.9),
        "the summary is paid for: {usage:?}"
    );

    let part = crate::transcript::AssistantPart::RedactedThinking { data: data.clone() };
    let text = crate::transcript::AssistantPart::Text("ok".to_owned());
    let log = |whose: &str| {
        let answer = assistant(whose, vec![part.clone(), text.clone()]);
        vec![user("hi"), answer, user("go on")]
    };
    let content =
        |request: &CompletionRequest| provider.wire_body(request)["messages"][1]["content"].clone();
    let own = with_server(ServerContext::Compact, None, log("anthropic"));
    assert_eq!(content(&own)[0], block);
    for elsewhere in [
        with_server(ServerContext::Off, None, log("anthropic")),
        with_server(ServerContext::Compact, None, log("other")),
    ] {
        assert_eq!(content(&elsewhere), json!([{"type": "text", "text": "ok"}]));
    }
    let items: Vec<_> = provider
        .stream(own, CancellationToken::new())
        .collect()
        .await;
    assert_eq!(last_usage(&items).sent_tokens(), None);
}
