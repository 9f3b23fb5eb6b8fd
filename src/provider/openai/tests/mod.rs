mod odd;
mod reasoning;

use futures::StreamExt as _;
use serde_json::json;

use super::*;
use crate::provider::catalogue::Catalogue;
use crate::provider::catalogue::user_model::DescribedModel;
use crate::provider::event::StreamEvent;
use crate::provider::http::scripted::{ScriptStep, ScriptedServer, events, response};
use crate::provider::testing::{assistant, call, connection, request, result, signed, user};
use crate::transcript::{
    AssistantPart, Image, Message, ModelRef, Part, StopReason, ThinkingLevel, ToolResult,
    UserMessage,
};

fn provider(base: &str, id: &str) -> ChatProvider {
    let known = DescribedModel {
        window_tokens: Some(1_000),
        ..DescribedModel::named(ModelRef::new("test", "small"))
    };
    ChatProvider {
        connection: ProviderConnection {
            catalogue: Arc::new(Catalogue::new(vec![known])),
            ..connection(id, format!("{base}/v1/chat/completions"))
        },
        learned: Arc::default(),
    }
}

fn text(text: &str) -> AssistantPart {
    AssistantPart::Text(text.to_owned())
}

fn image() -> Part {
    Part::Image(Image {
        data: "QUJD".into(),
        mime: "image/png".to_owned(),
        name: None,
    })
}

#[test]
fn a_tool_loop_is_encoded() {
    let seen = Message::ToolResult(ToolResult {
        call_id: "b:1".to_owned(),
        tool_name: "read".to_owned(),
        content: vec![Part::Text("a picture".to_owned()), image()],
        ..ToolResult::default()
    });
    let mut request = request(
        "test",
        "m",
        vec![
            user("first"),
            assistant(
                "test",
                vec![
                    signed("why", "sig"),
                    call("a", "read", json!({"path": "x"})),
                    call("b:1", "read", json!({})),
                ],
            ),
            seen,
            result("a", "read", "text of x"),
            assistant("test", vec![text("done")]),
            user("more"),
        ],
    );
    request.system = "Be brief.".into();
    let url = json!({"url": "data:image/png;base64,QUJD"});
    assert_eq!(
        provider("http://x", "test").wire_body(&request),
        json!({
            "model": "m",
            "stream": true,
            "stream_options": {"include_usage": true},
            "max_tokens": 4096,
            "tools": [{"type": "function", "function": {"name": "read", "description": "Reads.", "parameters": {"type": "object"}}}],
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "first"},
                {"role": "assistant", "content": null, "tool_calls": [
                    {"id": "a", "type": "function", "function": {"name": "read", "arguments": "{\"path\":\"x\"}"}},
                    {"id": "b_1", "type": "function", "function": {"name": "read", "arguments": "{}"}},
                ]},
                {"role": "tool", "tool_call_id": "b_1", "content": "a picture\n[attachment: see the next user message]"},
                {"role": "tool", "tool_call_id": "a", "content": "text of x"},
                {"role": "user", "content": [
                    {"type": "text", "text": "Attachment of the result of read:"},
                    {"type": "image_url", "image_url": url},
                ]},
                {"role": "assistant", "content": "done"},
                {"role": "user", "content": "more"},
            ],
        })
    );
}

#[test]
fn the_fields_that_models_differ_in() {
    let check = |id: &str, model: &str, pointer: &str, expected: Value| {
        let mut request = request(id, model, vec![user("a")]);
        request.thinking = ThinkingLevel::Low;
        let body = provider("http://x", id).wire_body(&request);
        assert_eq!(
            body.pointer(pointer).cloned().unwrap_or_default(),
            expected,
            "{model} {pointer}"
        );
    };
    for model in ["o3", "o4-mini", "gpt-5", "gpt-5.2-pro", "openai/gpt-6"] {
        check("openai", model, "/max_completion_tokens", json!(4096));
        check("openai", model, "/max_tokens", Value::Null);
    }
    for model in ["gpt-4o", "omni", "llama", "gpt-oss-120b", "gpt-"] {
        check("openai", model, "/max_tokens", json!(4096));
    }
    check("openai", "gpt-5", "/reasoning_effort", json!("low"));
    check("openai", "gpt-4o", "/reasoning_effort", Value::Null);
    check("test", "nobody-knows", "/reasoning_effort", json!("low"));
}

#[test]
fn what_single_providers_insist_on() {
    let messages = |id: &str| {
        vec![
            user("a"),
            assistant(
                id,
                vec![signed("why", ""), call("toolu_1", "read", json!({}))],
            ),
            result("toolu_1", "read", "b"),
        ]
    };
    let deepseek =
        provider("http://x", "deepseek").wire_body(&request("deepseek", "m", messages("deepseek")));
    assert_eq!(deepseek["messages"][1]["reasoning_content"], "why");
    let foreign =
        provider("http://x", "deepseek").wire_body(&request("deepseek", "m", messages("x")));
    assert_eq!(foreign["messages"][1]["reasoning_content"], " ");
    let mistral =
        provider("http://x", "mistral").wire_body(&request("mistral", "m", messages("x")));
    assert_eq!(mistral["messages"][1]["tool_calls"][0]["id"], "c00000001");
    assert_eq!(mistral["messages"][2]["tool_call_id"], "c00000001");
    assert!(mistral["messages"][1]["reasoning_content"].is_null());
    for (model, signs) in [("gemini-3-pro-preview", true), ("gemini-2.5-pro", false)] {
        let gemini =
            provider("http://x", "gemini").wire_body(&request("gemini", model, messages("x")));
        let google = &gemini["messages"][1]["tool_calls"][0]["extra_content"]["google"];
        assert_eq!(google["thought_signature"].is_string(), signs);
    }
}

#[test]
fn the_cache_of_claude_is_asked_for() {
    for (id, model, marks) in [
        ("openrouter", "anthropic/claude-sonnet-5.5", true),
        ("openrouter", "openai/gpt-5.1", false),
        ("proxy", "claude-sonnet-5-5", false),
    ] {
        let body = provider("http://x", id).wire_body(&request(id, model, vec![user("a")]));
        let is_marked = body["cache_control"] == json!({"type": "ephemeral"});
        assert_eq!(is_marked, marks, "{id} {model}");
    }
}

/// OpenAI takes 128 calls in a message.
#[test]
fn more_calls_than_a_message_may_have_go_out_in_several() {
    const CALLS: usize = 300;
    let ids: Vec<String> = (0..CALLS).map(|n| format!("c{n}")).collect();
    let calls = ids.iter().map(|id| call(id, "read", json!({})));
    let said = [text("Looking.")].into_iter().chain(calls).collect();
    let mut messages = vec![user("a"), assistant("openai", said)];
    messages.extend(ids.iter().map(|id| result(id, "read", "x")));
    messages.push(user("b"));
    let body = provider("http://x", "openai").wire_body(&request("openai", "gpt-4o", messages));
    let messages = body["messages"].as_array().unwrap();
    let calls: Vec<usize> = messages
        .iter()
        .filter_map(|message| Some(message["tool_calls"].as_array()?.len()))
        .collect();
    assert_eq!(calls, [128, 128, 44]);
    assert_eq!(messages[1]["content"], "Looking.");
    assert_eq!(messages[1 + 1 + 128]["content"], Value::Null);
    let answered = messages.iter().filter_map(|m| m["tool_call_id"].as_str());
    assert!(answered.eq(ids.iter().map(String::as_str)));
}

/// Its models refuse the user's words directly after results, wherever they run.
#[test]
fn mistral_gets_an_answer_between_results_and_the_user() {
    let roles = |id: &str, model: &str| {
        let messages = vec![
            user("a"),
            assistant(id, vec![call("c1", "read", json!({}))]),
            result("c1", "read", "x"),
            user("b"),
        ];
        let body = provider("http://x", id).wire_body(&request(id, model, messages));
        let messages = body["messages"].as_array().unwrap();
        let roles = messages.iter().map(|m| m["role"].as_str().unwrap());
        roles.collect::<Vec<_>>().join(" ")
    };
    let bridged = "user assistant tool assistant user";
    assert_eq!(roles("mistral", "mistral-large-latest"), bridged);
    assert_eq!(roles("openrouter", "mistralai/Devstral-Small"), bridged);
    assert_eq!(roles("openrouter", "x/y"), "user assistant tool user");
}

#[test]
fn user_parts() {
    let message = Message::User(UserMessage {
        content: vec![
            Part::Text("look".to_owned()),
            Part::Text(" ".to_owned()),
            image(),
        ],
    });
    let body =
        provider("http://x", "test").wire_body(&request("test", "m", vec![message, user("  ")]));
    assert_eq!(body["messages"].as_array().unwrap().len(), 1);
    assert_eq!(body["messages"][0]["content"][1]["type"], "image_url");
}

async fn run(
    scripts: Vec<Vec<ScriptStep>>,
) -> (Vec<Result<StreamEvent, ProviderError>>, Vec<Value>) {
    let server = ScriptedServer::start(scripts).await;
    let request = request("test", "small", vec![user("hi")]);
    let items = provider(&server.base, "test")
        .stream(request, CancellationToken::new())
        .collect()
        .await;
    (
        items,
        server.seen().into_iter().map(|seen| seen.body).collect(),
    )
}

fn sse(chunks: &[Value]) -> String {
    chunks
        .iter()
        .map(|chunk| format!("data: {chunk}\n\n"))
        .collect::<Vec<_>>()
        .concat()
}

fn delta(delta: &Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn finish(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]})
}

async fn decoded(chunks: &[Value]) -> Vec<StreamEvent> {
    let (items, _) = run(vec![events(&[&sse(chunks)])]).await;
    items.into_iter().map(Result::unwrap).collect()
}

#[tokio::test]
async fn text_reasoning_usage_and_done() {
    let stream = sse(&[
        delta(&json!({"role": "assistant", "content": null})),
        delta(&json!({"reasoning_content": "hm"})),
        delta(&json!({"reasoning": "so"})),
        delta(&json!({"content": "a"})),
        delta(
            &json!({"content": [{"type": "text", "text": "b"}, {"type": "thinking", "thinking": [{"type": "text", "text": "c"}]}]}),
        ),
        finish("stop"),
        json!({"choices": [], "usage": {"prompt_tokens": 50, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": 30}, "completion_tokens_details": {"reasoning_tokens": 5}}}),
    ]) + "data: [DONE]\n\n";
    let (items, _) = run(vec![events(&[&stream])]).await;
    let items: Vec<StreamEvent> = items.into_iter().map(Result::unwrap).collect();
    let usage = crate::transcript::Usage {
        input_tokens: 20,
        cache_read_tokens: 30,
        output_tokens: 7,
        reasoning_tokens: 5,
        ..crate::transcript::Usage::default()
    };
    assert_eq!(
        items,
        [
            StreamEvent::Thinking("hm".to_owned()),
            StreamEvent::Thinking("so".to_owned()),
            StreamEvent::Text("a".to_owned()),
            StreamEvent::Text("b".to_owned()),
            StreamEvent::Thinking("c".to_owned()),
            StreamEvent::Usage(usage),
            StreamEvent::Stop(StopReason::Stop),
        ]
    );
}

#[tokio::test]
async fn what_came_from_the_cache_has_many_names() {
    for details in [
        json!({"prompt_tokens_details": {"cached_tokens": 30}}),
        json!({"prompt_cache_hit_tokens": 30, "prompt_cache_miss_tokens": 20}),
        json!({"cached_tokens": 30}),
    ] {
        let mut usage = json!({"prompt_tokens": 50, "completion_tokens": 7});
        let more = details.as_object().unwrap().clone();
        usage.as_object_mut().unwrap().extend(more);
        let items = decoded(&[
            delta(&json!({"content": "a"})),
            finish("stop"),
            json!({"choices": [], "usage": usage}),
        ])
        .await;
        let counted = items.iter().find_map(|item| match item {
            StreamEvent::Usage(usage) => Some((usage.input_tokens, usage.cache_read_tokens)),
            _ => None,
        });
        assert_eq!(counted, Some((20, 30)), "{details}");
    }
}

/// Calls as (id, name, arguments), in order of their index.
async fn calls(pieces: &[Value]) -> Vec<(String, String, String)> {
    let mut chunks: Vec<Value> = pieces
        .iter()
        .map(|p| delta(&json!({"tool_calls": [p]})))
        .collect();
    chunks.push(finish("tool_calls"));
    let items = decoded(&chunks).await;
    assert_eq!(items.last(), Some(&StreamEvent::Stop(StopReason::ToolUse)));
    let mut calls = Vec::new();
    for item in items {
        match item {
            StreamEvent::ToolCallStart { index, id, name } => {
                assert_eq!(index as usize, calls.len());
                calls.push((id, name, String::new()));
            }
            StreamEvent::ToolCallArguments { index, fragment } => {
                calls[index as usize].2 += &fragment;
            }
            _ => {}
        }
    }
    calls
}

#[tokio::test]
async fn tool_calls_however_they_are_sent() {
    let piece = |index: Value, id: &str, name: &str, arguments: Value| json!({"index": index, "id": id, "function": {"name": name, "arguments": arguments}});
    let pair = |one: &str, two: &str| {
        vec![
            ("a".to_owned(), "read".to_owned(), one.to_owned()),
            ("b".to_owned(), "list".to_owned(), two.to_owned()),
        ]
    };
    let none = Value::Null;
    // In pieces, interleaved, broken JSON passed on.
    let got = calls(&[
        piece(json!(0), "a", "read", json!("")),
        piece(json!(1), "b", "list", json!("{")),
        piece(json!(0), "", "", json!("{\"p\"")),
        piece(json!(1), "", "", json!("}")),
        piece(json!(0), "", "", json!(":oops")),
    ])
    .await;
    assert_eq!(got, pair("{\"p\":oops", "{}"));
    // Whole, without index; whole, all under index 0; arguments as an object.
    for index in [none.clone(), json!(0)] {
        let got = calls(&[
            piece(index.clone(), "a", "read", json!({"x": 1})),
            piece(index, "b", "list", json!("{}")),
        ])
        .await;
        assert_eq!(got, pair("{\"x\":1}", "{}"));
    }
    // No index in pieces: by id, or the last one.
    let got = calls(&[
        piece(none.clone(), "a", "read", json!("{")),
        piece(none.clone(), "b", "list", json!("{")),
        piece(none.clone(), "a", "", json!("}")),
        piece(none.clone(), "", "", json!("}")),
    ])
    .await;
    assert_eq!(got, pair("{}", "{}"));
    // The id and the name repeated in every piece.
    let got = calls(&[
        piece(json!(0), "a", "read", json!("{")),
        piece(json!(0), "a", "read", json!("}")),
        piece(json!(1), "b", "list", json!("{}")),
    ])
    .await;
    assert_eq!(got, pair("{}", "{}"));
    // No ids at all; a name that comes late; no name at all.
    let got = calls(&[
        piece(none.clone(), "", "read", json!("{}")),
        piece(none.clone(), "", "list", json!("{}")),
    ])
    .await;
    assert_eq!(got.len(), 2);
    let got = calls(&[
        piece(json!(0), "a", "", json!("{")),
        piece(json!(0), "", "read", json!("}")),
    ])
    .await;
    assert_eq!(got, [("a".to_owned(), "read".to_owned(), "{}".to_owned())]);
    // A name in pieces; two calls under one index that only their names tell apart; arguments
    // that are null.
    let got = calls(&[
        piece(json!(0), "a", "re", none.clone()),
        piece(json!(0), "", "ad", none.clone()),
        piece(json!(0), "", "", json!("{}")),
        piece(json!(1), "b", "li", none.clone()),
        piece(json!(1), "b", "st", json!("{}")),
    ])
    .await;
    assert_eq!(got, pair("{}", "{}"));
    let got = calls(&[
        piece(json!(0), "", "read", json!("{}")),
        piece(json!(0), "", "list", none.clone()),
    ])
    .await;
    let nameless =
        |name: &str, arguments: &str| (String::new(), name.to_owned(), arguments.to_owned());
    assert_eq!(got, [nameless("read", "{}"), nameless("list", "")]);
    let got = calls(&[json!({"index": 0, "function": {"arguments": "{}"}})]).await;
    assert_eq!(got, [(String::new(), String::new(), "{}".to_owned())]);
}

#[tokio::test]
async fn endings() {
    let a = || delta(&json!({"content": "a"}));
    for (reason, expected) in [
        ("stop", StopReason::Stop),
        ("length", StopReason::Length),
        ("content_filter", StopReason::Refusal),
        ("tool_calls", StopReason::Stop),
        ("eos", StopReason::Stop),
        ("sensitive", StopReason::Refusal),
    ] {
        let items = decoded(&[a(), finish(reason)]).await;
        assert_eq!(items.last(), Some(&StreamEvent::Stop(expected)), "{reason}");
    }
    for reason in ["model_length", "model_context_window_exceeded"] {
        let (items, _) = run(vec![events(&[&sse(&[a(), finish(reason)])])]).await;
        assert!(
            matches!(
                &items[..],
                [
                    ..,
                    Ok(StreamEvent::Stop(StopReason::Length)),
                    Err(ProviderError::ContextOverflow { .. })
                ]
            ),
            "{reason}: {items:?}"
        );
    }
    let items = decoded(&[delta(&json!({"refusal": "no"})), finish("stop")]).await;
    assert_eq!(items.last(), Some(&StreamEvent::Stop(StopReason::Refusal)));

    let last = async |stream: String| {
        let (items, _) = run(vec![events(&[&stream])]).await;
        items.last().cloned().unwrap()
    };
    let early = last(sse(&[a()])).await;
    assert!(matches!(early, Err(error) if error == ProviderError::ended_early()));
    assert!(last("data: [DONE]\n\n".to_owned()).await.is_err());
    assert_eq!(
        last(sse(&[a()]) + "data: [DONE]").await,
        Ok(StreamEvent::Stop(StopReason::Stop))
    );
    assert!(matches!(
        last(sse(&[a()]) + "data: {oops\n\n").await,
        Err(ProviderError::Malformed { .. })
    ));
    let error =
        json!({"error": {"message": "prompt is too long: 9 tokens > 8 maximum", "code": 400}});
    assert!(matches!(
        last(sse(&[a(), error])).await,
        Err(ProviderError::ContextOverflow {
            requested_tokens: Some(9),
            ..
        })
    ));
    assert!(matches!(
        last(sse(&[a(), finish("error")])).await,
        Err(ProviderError::Overloaded { .. })
    ));
    let usage = |prompt: u64, output: u64| json!({"choices": [], "usage": {"prompt_tokens": prompt, "completion_tokens": output}});
    assert!(matches!(
        last(sse(&[finish("length"), usage(995, 0)])).await,
        Err(ProviderError::Overfilled { .. })
    ));
    assert!(
        last(sse(&[a(), finish("length"), usage(990, 9)]))
            .await
            .is_ok()
    );
    // llama-server stops there when its window is full.
    assert!(matches!(
        last(sse(&[a(), finish("length"), usage(990, 10)])).await,
        Err(ProviderError::Overfilled { .. })
    ));
    assert!(matches!(
        last(sse(&[a(), finish("stop"), usage(2_000, 1)])).await,
        Err(ProviderError::Overfilled { .. })
    ));
}

/// What a provider learns from a refusal is known to its next request.
async fn answers_twice(server: &ScriptedServer) {
    let provider = provider(&server.base, "test");
    for _ in 0..2 {
        let request = request("test", "small", vec![user("hi")]);
        let items: Vec<_> = provider
            .stream(request, CancellationToken::new())
            .collect()
            .await;
        assert!(items.iter().all(Result::is_ok), "{items:?}");
    }
}

#[tokio::test]
async fn a_server_that_does_not_know_stream_options_is_asked_once_more() {
    let refused = response(
        400,
        "",
        r#"{"error":{"message":"Unrecognized request argument supplied: stream_options"}}"#,
    );
    let fine = events(&[&sse(&[delta(&json!({"content": "a"})), finish("stop")])]);
    let server = ScriptedServer::start(vec![refused.clone(), fine.clone(), fine]).await;
    answers_twice(&server).await;
    let bodies: Vec<bool> = server
        .seen()
        .iter()
        .map(|seen| seen.body["stream_options"].is_object())
        .collect();
    assert_eq!(bodies, [true, false, false]);

    let (items, bodies) = run(vec![refused]).await;
    assert!(matches!(
        items.as_slice(),
        [Err(ProviderError::InvalidRequest { .. })]
    ));
    assert_eq!(bodies.len(), 2);
}

#[tokio::test]
async fn a_limit_that_goes_by_its_other_name_is_renamed_from_then_on() {
    let refused = response(
        400,
        "",
        r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","code":"unsupported_parameter"}}"#,
    );
    let old = response(
        422,
        "",
        r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}"#,
    );
    let fine = events(&[&sse(&[delta(&json!({"content": "a"})), finish("stop")])]);
    let server = ScriptedServer::start(vec![refused, old, fine]).await;
    answers_twice(&server).await;
    let fields: Vec<(bool, bool, bool)> = server
        .seen()
        .iter()
        .map(|seen| {
            let has = |name: &str| !seen.body[name].is_null();
            (
                has("max_tokens"),
                has("max_completion_tokens"),
                has("stream_options"),
            )
        })
        .collect();
    let learned = (false, true, false);
    assert_eq!(
        fields,
        [(true, false, true), (false, true, true), learned, learned]
    );
}

#[test]
fn only_openai_itself_is_told_the_key_of_the_cache_in_the_body() {
    for (base, is_told) in [
        ("https://api.openai.com", true),
        ("https://api.groq.com/openai", false),
        ("http://127.0.0.1:8000", false),
    ] {
        let provider = provider(base, "openai");
        let mut request = request("openai", "gpt-5", vec![user("a")]);
        assert!(
            provider
                .wire_body(&request)
                .get("prompt_cache_key")
                .is_none()
        );
        request.cache_key = Some("k1".into());
        let body = provider.wire_body(&request);
        assert_eq!(body["prompt_cache_key"] == "k1", is_told, "{base}: {body}");
        let refusal = ProviderError::InvalidRequest {
            message: "Unrecognized request argument supplied: prompt_cache_key".to_owned(),
        };
        assert!(provider.learned.learn(&refusal, &body));
        let body = provider.wire_body(&request);
        assert!(body.get("prompt_cache_key").is_none(), "refused once");
    }
}

#[tokio::test]
async fn a_service_that_routes_by_a_header_is_told_the_conversation() {
    for (id, header) in [
        ("xai", Some("x-grok-conv-id: k1")),
        ("openrouter", Some("x-session-id: k1")),
        ("fireworks", Some("x-session-affinity: k1")),
        ("groq", None),
    ] {
        let server = ScriptedServer::start(vec![events(&[&sse(&[finish("stop")])])]).await;
        let mut told = provider(&server.base, id);
        let mut request = request(id, "m", vec![user("a")]);
        request.cache_key = Some("k1".into());
        let mut heads = Vec::new();
        for own in [
            Vec::new(),
            vec![("X-Grok-Conv-Id".to_owned(), "mine".to_owned())],
        ] {
            told.connection.headers = own;
            let stream = told.stream(request.clone(), CancellationToken::new());
            let items: Vec<_> = stream.collect().await;
            assert!(items.iter().all(Result::is_ok), "{items:?}");
            heads = server.seen().into_iter().map(|seen| seen.head).collect();
        }
        let found: Vec<&str> = heads[0]
            .lines()
            .filter(|line| line.ends_with(": k1"))
            .collect();
        assert_eq!(found, Vec::from_iter(header), "{id}");
        if id == "xai" {
            assert!(
                !heads[1].contains(": k1"),
                "the user's own stays: {}",
                heads[1]
            );
        }
    }
}
