//! Answers as the server streams them: calls, endings, and what the server does to the
//! context by itself.

use super::*;
use crate::provider::error::ProviderError;

async fn run(
    scripts: Vec<Vec<crate::provider::http::scripted::ScriptStep>>,
) -> (ScriptedServer, Vec<Result<StreamEvent, ProviderError>>) {
    let server = ScriptedServer::start(scripts).await;
    let request = request("anthropic", "claude-sonnet-4-5", vec![user("hi")]);
    let items = provider(&server.base)
        .stream(request, CancellationToken::new())
        .collect()
        .await;
    (server, items)
}

pub(super) fn sse(events: &[Value]) -> String {
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
        script.push(crate::provider::http::scripted::ScriptStep::Send(
            piece.to_vec(),
        ));
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
    let (_, items) = run(vec![events(&[&end("model_context_window_exceeded", 3)])]).await;
    assert!(matches!(
        &items[..],
        [
            ..,
            Ok(StreamEvent::Stop(StopReason::Length)),
            Err(ProviderError::ContextOverflow { .. })
        ]
    ));
    let cut = end("end_turn", 3)
        .split_once("event: message_delta")
        .unwrap()
        .0
        .to_owned();
    let (_, items) = run(vec![events(&[&cut])]).await;
    assert!(matches!(items.last(), Some(Err(error)) if *error == ProviderError::ended_early()));
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
        Some(Err(ProviderError::Overfilled { .. }))
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
    let server = ScriptedServer::start(vec![refused.clone(), fine]).await;
    let messages = vec![
        user("a"),
        written_by(
            "anthropic",
            "claude-opus-5-5",
            vec![
                signed("t", "s"),
                crate::transcript::AssistantPart::Text("b".to_owned()),
            ],
        ),
        user("c"),
    ];
    let ask = |server: &ScriptedServer| {
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
    let server = ScriptedServer::start(vec![refused]).await;
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
    let server = ScriptedServer::start(vec![events(&[&stream])]).await;
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
    let server = ScriptedServer::start(vec![events(&[&stream]), events(&[&stream])]).await;
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
