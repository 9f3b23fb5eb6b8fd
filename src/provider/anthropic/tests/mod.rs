mod answers;
mod attachments;
mod cache;
mod reasoning;

use futures::StreamExt as _;
use secrecy::SecretString;
use serde_json::json;

use super::*;
use crate::provider::event::StreamEvent;
use crate::provider::http::scripted::{ScriptedServer, events, response};
use crate::provider::keys::provider_key::ProviderKey;
use crate::provider::testing::{
    assistant, call, connection, request, result, signed, summary, user, written_by,
};
use crate::transcript::{
    AssistantPart, CacheDiagnosis, CacheWishes, Image, Message, ModelRef, Part, PromptCacheTtl,
    ServerContext, ServerEdits, StopReason, ThinkingLevel, UserMessage,
};

fn provider(base: &str) -> AnthropicProvider {
    AnthropicProvider {
        connection: ProviderConnection {
            key: ProviderKey::Known(SecretString::from("sk-ant-x")),
            key_hint: "set ANTHROPIC_API_KEY".to_owned(),
            ..connection("anthropic", format!("{base}/v1/messages"))
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
    check("claude-3-5-haiku", high, 9_216, Value::Null, Value::Null);
    check(
        "house-model",
        high,
        9_216,
        json!({"type": "enabled", "budget_tokens": 8_192}),
        Value::Null,
    );
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
        "claude-opus-5-5",
        ThinkingLevel::Low,
        9_000,
        json!({"type": "adaptive", "display": "summarized", "block_binding": bound}),
        json!("low"),
    );
}

/// Newer models reason unless they are told not to, and show nothing of what they say between
/// tool calls unless they are asked to.
#[test]
fn each_state_goes_out_as_the_model_takes_it() {
    use ThinkingLevel::{Default, Max, Medium, Off, Xhigh};
    let bound = json!({"prefix_mismatch_behavior": "drop_block"});
    let adaptive = |display: &str| json!({"type": "adaptive", "display": display});
    let bound = |display: &str| {
        let mut thinking = adaptive(display);
        thinking["block_binding"] = bound.clone();
        thinking
    };
    let kind = |kind: &str| json!({"type": kind});
    let null = Value::Null;
    for (model, level, thinking, effort) in [
        ("claude-sonnet-5-5", Default, bound("updates"), null.clone()),
        (
            "claude-sonnet-5-5",
            Off,
            kind("between_tools"),
            null.clone(),
        ),
        (
            "claude-sonnet-5-5",
            Medium,
            bound("summarized"),
            json!("medium"),
        ),
        ("claude-opus-5-5", Default, bound("updates"), null.clone()),
        ("claude-opus-5-5", Off, bound("summarized"), json!("low")),
        ("claude-opus-5-5", Max, bound("summarized"), json!("max")),
        ("claude-fable-5-2", Off, bound("summarized"), json!("low")),
        (
            "claude-haiku-5-5",
            Default,
            bound("summarized"),
            null.clone(),
        ),
        ("claude-haiku-5-5", Off, kind("disabled"), null.clone()),
        (
            "claude-opus-5",
            Default,
            adaptive("summarized"),
            null.clone(),
        ),
        ("claude-opus-5", Off, kind("disabled"), null.clone()),
        (
            "claude-sonnet-5",
            Xhigh,
            adaptive("summarized"),
            json!("xhigh"),
        ),
        ("claude-fable-5", Off, adaptive("summarized"), json!("low")),
        ("claude-opus-4-8", Default, null.clone(), null.clone()),
        ("claude-opus-4-8", Off, null.clone(), null.clone()),
        (
            "claude-opus-4-8",
            Xhigh,
            adaptive("summarized"),
            json!("xhigh"),
        ),
        (
            "claude-opus-4-6",
            Xhigh,
            adaptive("summarized"),
            json!("high"),
        ),
        ("claude-opus-4-6", Max, adaptive("summarized"), json!("max")),
        ("claude-sonnet-4-5", Default, null.clone(), null.clone()),
        ("claude-sonnet-4-5", Off, null.clone(), null.clone()),
        ("claude-3-5-haiku", Off, null.clone(), null.clone()),
        ("claude-opus-9", Default, bound("summarized"), null.clone()),
        ("claude-opus-9", Off, kind("disabled"), null.clone()),
        ("glm-4.6", Default, null.clone(), null.clone()),
        ("glm-4.6", Off, kind("disabled"), null.clone()),
    ] {
        let mut request = request("anthropic", model, vec![user("a")]);
        request.thinking = level;
        let body = provider("http://x").wire_body(&request);
        assert_eq!(body["thinking"], thinking, "{model} {level:?}");
        assert_eq!(body["output_config"]["effort"], effort, "{model} {level:?}");
    }
}

#[test]
fn a_loop_that_began_without_reasoning_goes_on_without() {
    let with = |part| {
        let mut request = request(
            "anthropic",
            "claude-sonnet-4-5",
            vec![
                user("a"),
                written_by(
                    "anthropic",
                    "claude-sonnet-4-5",
                    vec![part, call("a", "read", json!({}))],
                ),
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
