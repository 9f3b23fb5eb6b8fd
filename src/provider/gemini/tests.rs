use futures::StreamExt as _;
use serde_json::json;

use super::*;
use crate::provider::event::StreamEvent;
use crate::provider::http::scripted::{ScriptStep, ScriptedServer, events};
use crate::provider::keys::provider_key::ProviderKey;
use crate::provider::testing::{assistant, call, connection, request, result, signed, user};
use crate::transcript::{
    AssistantPart, Image, Message, Part, StopReason, ThinkingLevel, ToolResult, Usage, UserMessage,
};

const MODEL: &str = "gemini-3-pro-preview";
const EXCUSED: &str = "skip_thought_signature_validator";

fn provider(base: &str) -> GeminiProvider {
    GeminiProvider {
        connection: ProviderConnection {
            key: ProviderKey::Known(secrecy::SecretString::from("g-key")),
            key_hint: "set GEMINI_API_KEY".to_owned(),
            ..connection("gemini", format!("{base}/v1beta/models"))
        },
    }
}

fn text(text: &str) -> AssistantPart {
    AssistantPart::Text(text.to_owned())
}

/// An answer of the model that is asked.
fn own(content: Vec<AssistantPart>) -> Message {
    match assistant("gemini", content) {
        Message::Assistant(mut message) => {
            message.model = MODEL.to_owned();
            Message::Assistant(message)
        }
        other => other,
    }
}

fn image(mime: &str) -> Part {
    Part::Image(Image {
        data: "QUJD".into(),
        mime: mime.to_owned(),
        name: None,
    })
}

fn contents(messages: Vec<Message>) -> Value {
    provider("http://x").wire_body(&request("gemini", MODEL, messages))["contents"].clone()
}

#[test]
fn a_tool_loop_is_encoded_with_its_signatures() {
    let failed = Message::ToolResult(ToolResult {
        call_id: "call_e1_2".to_owned(),
        tool_name: "other".to_owned(),
        content: vec![Part::Text("no".to_owned()), image("image/png")],
        is_error: true,
        details: None,
    });
    let mut request = request(
        "gemini",
        MODEL,
        vec![
            user("first"),
            user("and"),
            own(vec![
                text("Looking."),
                signed("", "text:T="),
                signed("why", "C="),
                call("x1", "read", json!({"path": "x"})),
                call("call_e1_2", "2do", json!({})),
            ]),
            result("x1", "read", "text of x"),
            failed,
            user("more"),
        ],
    );
    request.system = "Be brief.".into();
    assert_eq!(
        provider("http://x").wire_body(&request),
        json!({
            "systemInstruction": {"parts": [{"text": "Be brief."}]},
            "tools": [{"functionDeclarations": [{"name": "read", "description": "Reads."}]}],
            "generationConfig": {"maxOutputTokens": 4096},
            "contents": [
                {"role": "user", "parts": [{"text": "first"}, {"text": "and"}]},
                {"role": "model", "parts": [
                    {"text": "Looking."},
                    {"text": "", "thoughtSignature": "T="},
                    {"functionCall": {"id": "x1", "name": "read", "args": {"path": "x"}}, "thoughtSignature": "C="},
                    {"functionCall": {"name": "_2do", "args": {}}},
                ]},
                {"role": "user", "parts": [
                    {"functionResponse": {"id": "x1", "name": "read", "response": {"output": "text of x"}}},
                    {"functionResponse": {"name": "_2do", "response": {"error": "no"}}},
                    {"text": "Attachment of the result of _2do:"},
                    {"inlineData": {"mimeType": "image/png", "data": "QUJD"}},
                    {"text": "more"},
                ]},
            ],
        })
    );
}

#[test]
fn calls_of_others_are_excused_where_signatures_are_demanded() {
    let messages = |answer: Message| vec![user("a"), answer, result("c", "read", "b")];
    let content = || vec![signed("why", "sig"), call("c", "read", json!({}))];
    let part = |model: &str, answer: Message| {
        let request = request("gemini", model, messages(answer));
        provider("http://x").wire_body(&request)["contents"][1]["parts"][0].clone()
    };
    assert_eq!(part(MODEL, own(content()))["thoughtSignature"], "sig");
    let foreign = part(MODEL, assistant("anthropic", content()));
    assert_eq!(foreign["thoughtSignature"], EXCUSED);
    assert!(foreign["functionCall"].get("id").is_none());
    let old = part("gemini-2.5-pro", assistant("gemini", content()));
    assert!(old.get("thoughtSignature").is_none());
}

#[test]
fn reasoning_is_asked_for_in_the_models_own_form() {
    let check = |model: &str, level, expected: Value| {
        let mut request = request("gemini", model, vec![user("a")]);
        request.thinking = level;
        let body = provider("http://x").wire_body(&request);
        assert_eq!(
            body["generationConfig"]["thinkingConfig"], expected,
            "{model}"
        );
    };
    let level = |name: &str| json!({"includeThoughts": true, "thinkingLevel": name});
    check(MODEL, ThinkingLevel::Default, Value::Null);
    check(MODEL, ThinkingLevel::Off, level("low"));
    check(MODEL, ThinkingLevel::Medium, level("low"));
    check(MODEL, ThinkingLevel::Max, level("high"));
    check("gemini-3-flash", ThinkingLevel::Medium, level("medium"));
    check(
        "gemini-2.5-pro",
        ThinkingLevel::High,
        json!({"includeThoughts": true, "thinkingBudget": 3_072}),
    );
    check("gemini-flash-latest", ThinkingLevel::Low, level("low"));
    check(
        "learnlm",
        ThinkingLevel::Low,
        json!({"includeThoughts": true}),
    );
    check(
        "gemini-2.5-flash",
        ThinkingLevel::Off,
        json!({"includeThoughts": false, "thinkingBudget": 0}),
    );
    check(
        "gemini-2.5-pro",
        ThinkingLevel::Off,
        json!({"includeThoughts": true, "thinkingBudget": 3_072}),
    );
    for model in ["gemini-2.0-flash", "gemini-1.5-pro", "gemma-3-27b-it"] {
        check(model, ThinkingLevel::High, Value::Null);
    }
}

#[test]
fn an_answer_that_paused_is_asked_to_go_on() {
    let said = AssistantPart::Text("so far".to_owned());
    let Message::Assistant(mut answer) = assistant("gemini", vec![said]) else {
        unreachable!()
    };
    answer.stop = StopReason::Paused;
    let got = contents(vec![user("a"), Message::Assistant(answer)]);
    let go_on = json!({"role": "user", "parts": [{"text": "Go on."}]});
    assert_eq!(got[2], go_on);
}

#[test]
fn attachments_of_a_message() {
    let message = Message::User(UserMessage {
        content: vec![image("application/pdf"), image("image/gif"), image("")],
    });
    let parts = contents(vec![message, user(" ")])[0]["parts"].clone();
    assert_eq!(parts[0]["inlineData"]["mimeType"], "application/pdf");
    assert!(parts[1]["text"].as_str().unwrap().contains("image/gif"));
    assert!(parts[2]["text"].as_str().unwrap().contains("unknown kind"));
    assert_eq!(parts.as_array().unwrap().len(), 3);
}

async fn run(
    scripts: Vec<Vec<ScriptStep>>,
) -> (Vec<Result<StreamEvent, ProviderError>>, ScriptedServer) {
    let server = ScriptedServer::start(scripts).await;
    let items = provider(&server.base)
        .stream(
            request("gemini", MODEL, vec![user("hi")]),
            CancellationToken::new(),
        )
        .collect()
        .await;
    (items, server)
}

fn sse(chunks: &[Value]) -> String {
    chunks
        .iter()
        .map(|chunk| format!("data: {chunk}\r\n\r\n"))
        .collect::<Vec<_>>()
        .concat()
}

fn parts(parts: &Value) -> Value {
    json!({"candidates": [{"index": 0, "content": {"role": "model", "parts": parts}}]})
}

fn finish(reason: &str) -> Value {
    json!({"candidates": [{"finishReason": reason}], "usageMetadata": {
        "promptTokenCount": 50, "cachedContentTokenCount": 30,
        "candidatesTokenCount": 5, "thoughtsTokenCount": 4, "totalTokenCount": 59}})
}

#[tokio::test]
async fn thoughts_text_signatures_and_parallel_calls() {
    let stream = sse(&[
        parts(&json!([{"text": "hm", "thought": true}])),
        parts(&json!([{"text": "漢", "thoughtSignature": "T="}])),
        parts(&json!([
            {"functionCall": {"id": "x1", "name": "read", "args": {"b": 1, "a": 2}}, "thoughtSignature": "C="},
            {"functionCall": {"name": "list"}},
        ])),
        parts(&json!([{"executableCode": {"code": "1"}}])),
        json!({"somethingNew": true}),
        finish("STOP"),
    ]);
    let (items, server) = run(vec![events(&[&stream])]).await;
    let head = &server.seen()[0].head;
    assert!(
        head.starts_with("POST /v1beta/models/gemini-3-pro-preview:streamGenerateContent?alt=sse ")
    );
    assert!(head.contains("x-goog-api-key: g-key"), "{head}");
    let mut items: Vec<StreamEvent> = items.into_iter().map(Result::unwrap).collect();
    let usage = items.iter().find_map(|item| match item {
        StreamEvent::Usage(usage) => Some(*usage),
        _ => None,
    });
    let counted = Usage {
        input_tokens: 20,
        cache_read_tokens: 30,
        output_tokens: 9,
        reasoning_tokens: 4,
        cost_usd: usage.and_then(|usage| usage.cost_usd),
        ..Usage::default()
    };
    assert_eq!(usage, Some(counted));
    items.retain(|item| !matches!(item, StreamEvent::Usage(_)));
    let start = |index, id: &str, name: &str| StreamEvent::ToolCallStart {
        index,
        id: id.to_owned(),
        name: name.to_owned(),
    };
    assert_eq!(
        items,
        [
            StreamEvent::Thinking("hm".to_owned()),
            StreamEvent::Text("漢".to_owned()),
            StreamEvent::ThinkingSignature("text:T=".to_owned()),
            StreamEvent::ThinkingSignature("C=".to_owned()),
            start(0, "x1", "read"),
            StreamEvent::ToolCallArguments {
                index: 0,
                fragment: "{\"b\":1,\"a\":2}".to_owned()
            },
            start(1, "", "list"),
            StreamEvent::Stop(StopReason::ToolUse),
        ]
    );
}

#[tokio::test]
async fn endings() {
    let a = || parts(&json!([{"text": "a"}]));
    for (reason, expected) in [
        ("STOP", StopReason::Stop),
        ("OTHER", StopReason::Stop),
        ("MAX_TOKENS", StopReason::Length),
        ("SAFETY", StopReason::Refusal),
        ("RECITATION", StopReason::Refusal),
        ("PROHIBITED_CONTENT", StopReason::Refusal),
        ("IMAGE_PROHIBITED_CONTENT", StopReason::Refusal),
    ] {
        let (items, _) = run(vec![events(&[&sse(&[a(), finish(reason)])])]).await;
        assert_eq!(
            items.last(),
            Some(&Ok(StreamEvent::Stop(expected))),
            "{reason}"
        );
    }
    let last = async |stream: String| {
        let (items, _) = run(vec![events(&[&stream])]).await;
        items.last().cloned().unwrap().unwrap_err()
    };
    let early = last(sse(&[a()])).await;
    assert_eq!(early, ProviderError::ended_early());
    for reason in ["MALFORMED_FUNCTION_CALL", "MALFORMED_RESPONSE"] {
        let thrown_away = last(sse(&[a(), finish(reason)])).await;
        assert!(thrown_away.is_retryable(), "{thrown_away}");
    }
    assert!(matches!(
        last(sse(&[a()]) + "data: {oops\n\n").await,
        ProviderError::Malformed { .. }
    ));
    let blocked = json!({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 9}});
    assert!(matches!(
        last(sse(&[blocked])).await,
        ProviderError::ContentRefused { message } if message.contains("SAFETY")
    ));
    let error = json!({"error": {"code": 503, "status": "UNAVAILABLE", "message": "The model is overloaded."}});
    assert!(matches!(
        last(sse(&[a(), error])).await,
        ProviderError::Overloaded { .. }
    ));
    let long = json!({"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."}});
    assert!(matches!(
        last(sse(&[long])).await,
        ProviderError::ContextOverflow {
            requested_tokens: Some(1_200_000),
            limit_tokens: Some(1_048_576),
            ..
        }
    ));
}

#[test]
fn refused_signatures_are_excused_once() {
    let request = request(
        "gemini",
        MODEL,
        vec![
            user("a"),
            own(vec![
                text("b"),
                signed("", "text:T="),
                signed("", "C="),
                call("x1", "read", json!({})),
            ]),
            result("x1", "read", "c"),
        ],
    );
    let body = provider("http://x").wire_body(&request);
    let refusal = |message: &str| ProviderError::InvalidRequest {
        message: message.to_owned(),
    };
    assert!(is_about_signatures(&refusal(
        "Thought signature is not valid"
    )));
    let second = json(&wire::excuse(wire::encode(
        &request,
        "gemini",
        &provider("http://x").connection.reasoning(&request.model),
    )));
    assert_ne!(second, body);
    assert_eq!(
        second["contents"][1]["parts"],
        json!([
            {"text": "b"},
            {"functionCall": {"id": "x1", "name": "read", "args": {}}, "thoughtSignature": EXCUSED},
        ])
    );
    assert!(!is_about_signatures(&refusal("something else")));
}
