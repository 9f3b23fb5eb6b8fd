//! Servers that misbehave while the agent talks to them: each case ends in a clear state
//! with what arrived kept, is asked again only when nothing was shown, and the request after
//! it keeps the strict rules (the scripted server refuses to end otherwise).

use std::collections::BTreeMap;
use std::time::Duration;

use plimsoll::agent::{AgentEvent, AnswerEvent, Op, TurnEnd, TurnOp};
use plimsoll::provider::{Api, Protocol, ProviderSettings, Timeouts};
use plimsoll::transcript::StopReason;
use serde_json::{Value, json};

use super::agent::{Agent, Harness};
use super::server::{Reply, STREAM_HEAD, Say, Server, Wire, text};

/// Tries of a request.
const TRIES: u32 = 2;
/// How long the server may be silent.
const STALL: Duration = Duration::from_millis(400);

/// A settled talk with a server: patient for [`STALL`] only.
fn harness(server: &Server) -> Harness {
    let (id, protocol) = match server.wire {
        Wire::Anthropic => ("anthropic", Protocol::Anthropic),
        Wire::Gemini => ("gemini", Protocol::Gemini),
        Wire::OpenAi | Wire::Responses => ("openai", Protocol::OpenAi),
    };
    let harness = Harness::new(server).set(|s| {
        s.agent.network.retry_max_attempts = TRIES;
        s.providers.retain(|provider| provider.id != id);
        s.providers.push(ProviderSettings {
            id: id.to_owned(),
            protocol,
            api: match server.wire {
                Wire::OpenAi => Some(Api::Chat),
                Wire::Responses => Some(Api::Responses),
                Wire::Anthropic | Wire::Gemini => None,
            },
            base_url: None,
            api_key_env: None,
            api_key_cmd: None,
            gateway: Some(true),
            fields: plimsoll::provider::RequestFields::default(),
            headers: BTreeMap::new(),
            timeouts: Timeouts {
                connect: None,
                first_byte: Some(STALL * 4),
                stall: Some(STALL),
            },
            models: Vec::new(),
        });
    });
    harness.file("a.txt", "plum\n");
    harness
}

fn stream(body: &[u8]) -> Reply {
    Reply::Raw([STREAM_HEAD.as_bytes(), body].concat())
}

fn page(code: u16, body: &str) -> Reply {
    let head = format!(
        "HTTP/1.1 {code} X\r\ncontent-type: text/html; charset=UTF-8\r\nconnection: close\r\n\r\n"
    );
    Reply::Raw((head + body).into_bytes())
}

fn refused(code: u16, header: (&'static str, &str)) -> Reply {
    let body = json!({"error": {"message": "slow down", "type": "rate_limit_error"}});
    let headers = vec![(header.0, header.1.to_owned())];
    Reply::Status(code, headers, body.to_string())
}

/// A chunk of a chat completion.
fn chunk(delta: &Value, finish: Option<&str>) -> String {
    let data = json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    format!("data: {data}\n\n")
}

fn chunks(deltas: &[Value], finish: &str) -> Reply {
    let said: String = deltas.iter().map(|delta| chunk(delta, None)).collect();
    stream((said + &chunk(&json!({}), Some(finish)) + "data: [DONE]\n\n").as_bytes())
}

fn calls(calls: &[Value]) -> Reply {
    chunks(&[json!({"tool_calls": calls})], "tool_calls")
}

const CLOUDFLARE: &str = "<!DOCTYPE html>\n<html class=\"no-js\" lang=\"en-US\"><head>\
<title>Just a moment...</title><style>body{margin:0}</style><script>var a='b';</script></head>\
<body><h1>Checking your browser</h1><p>Ray ID: 8f2a &bull; Performance &amp; security</p></body></html>";

/// One misbehaviour of a chat completions server, and how it ends.
struct Row {
    name: &'static str,
    reply: Reply,
    /// Requests that it gets.
    asks: usize,
    exit_code: u8,
    /// A part of the error's sentence.
    says: &'static str,
    /// The part of the answer that is kept.
    keeps: &'static str,
}

#[rustfmt::skip]
fn rows() -> Vec<Row> {
    let row = |name, reply, asks, exit_code, says, keeps| Row { name, reply, asks, exit_code, says, keeps };
    let hello = chunk(&json!({"content": "hello"}), None);
    let broken = format!("{hello}data: {{\"choices\":[{{\"delta\":{{\"content\":\"caf");
    let cut_letter = [broken.as_bytes(), b"\xc3"].concat();
    let late_error = format!("{hello}data: {}\n\n", json!({"error": {"message": "Incorrect API key provided", "code": "invalid_api_key", "type": "invalid_request_error"}}));
    let long_pings = Reply::Endless(STREAM_HEAD.into(), b": keep-alive\n\n".to_vec());
    let pings_after_words = Reply::Endless([STREAM_HEAD, &hello].concat().into_bytes(), b": keep-alive\n\n".to_vec());
    vec![
        row("a page instead of an answer", page(200, "<html><body>Welcome to the hotel</body></html>"), 1, 1, "check the base URL", ""),
        row("nothing at all", stream(b""), 2, 1, "ended before the answer", ""),
        row("only its end", stream(b"data: [DONE]\n\n"), 2, 1, "ended before the answer", ""),
        row("silence after the head", Reply::Endless(STREAM_HEAD.into(), Vec::new()), 2, 1, "stopped sending", ""),
        row("silence before the head", Reply::Endless(Vec::new(), Vec::new()), 2, 1, "did not answer", ""),
        row("signs of life for ever", long_pings, 2, 1, "keep-alive signals", ""),
        row("words, then signs of life for ever", pings_after_words, 1, 1, "keep-alive signals", "hello"),
        row("cut inside a letter", stream(&cut_letter), 1, 1, "", "hello"),
        row("a refused key in the middle", stream(late_error.as_bytes()), 1, 3, "Incorrect API key", "hello"),
        row("a redirection to itself", Reply::Status(307, vec![("location", "/v1/chat/completions".to_owned())], String::new()), 1, 1, "redirects", ""),
        row("overloaded", refused(529, ("x-a", "b")), 2, 1, "slow down", ""),
        row("a wait that is over", refused(429, ("retry-after", "Fri, 31 Dec 1999 23:59:59 GMT")), 2, 1, "slow down", ""),
        row("a negative wait", refused(429, ("retry-after", "-7")), 2, 1, "slow down", ""),
        row("a gateway's page", page(503, "<html><head><title>503</title></head><body><h1>Service Temporarily Unavailable</h1></body></html>"), 2, 1, "Unavailable", ""),
        row("a page of Cloudflare", page(403, CLOUDFLARE), 1, 3, "", ""),
        row("a time-out of Cloudflare", page(524, CLOUDFLARE), 2, 1, "", ""),
        row("two ends", stream((hello.clone() + &chunk(&json!({}), Some("stop")) + &chunk(&json!({}), Some("length")) + "data: [DONE]\n\n").as_bytes()), 1, 0, "", "hello"),
        row("counts that are none", stream((hello.clone() + &chunk(&json!({}), Some("stop")) + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":-5,\"completion_tokens\":1e300,\"prompt_tokens_details\":null,\"cost\":-3}}\n\ndata: [DONE]\n\n").as_bytes()), 1, 0, "", "hello"),
        row("an absurd count", stream((hello + &chunk(&json!({}), Some("stop")) + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":18446744073709551615,\"completion_tokens\":null}}\n\ndata: [DONE]\n\n").as_bytes()), 1, 0, "", "hello"),
    ]
}

/// What an error says is a sentence for people: no markup, no page of it.
fn is_readable(name: &str, end: &TurnEnd) -> String {
    let error = end.error.as_ref().map(|notice| notice.text.clone());
    let error = error.unwrap_or_default();
    let is_short = error.chars().count() < 400;
    assert!(
        is_short && !error.contains(['<', '{', '\n']),
        "{name}: {error}"
    );
    assert_eq!(error.is_empty(), end.exit_code == 0, "{name}: {end:?}");
    error
}

/// The words of the answers in the log.
fn answers(harness: &Harness) -> Vec<String> {
    let log = harness.log();
    let messages = log.iter().map(|entry| &entry["message"]);
    let of = |message: &Value| message["content"].to_string();
    messages
        .filter(|message| message["role"] == "assistant")
        .map(of)
        .collect()
}

async fn plays(row: Row) {
    let name = row.name;
    let replies = vec![row.reply.clone(); row.asks];
    let server = Server::start(Wire::OpenAi, replies).await;
    let harness = harness(&server);
    let mut agent = harness.start().await;
    let end = agent.ask("hi").await;
    let error = is_readable(name, &end);
    assert_eq!(end.exit_code, row.exit_code, "{name}: {end:?}");
    assert!(error.contains(row.says), "{name}: {error}");
    assert_eq!(server.seen().len(), row.asks, "{name}");
    assert_eq!(server.left(), 0, "{name}");
    let kept = answers(&harness);
    assert_eq!(
        kept.len(),
        usize::from(!row.keeps.is_empty()),
        "{name}: {kept:?}"
    );
    assert!(
        kept.iter().all(|kept| kept.contains(row.keeps)),
        "{name}: {kept:?}"
    );
    server.then([text("fine")]);
    let end = agent.ask("and now?").await;
    assert_eq!(
        (end.exit_code, end.text.as_str()),
        (0, "fine"),
        "{name}: {end:?}"
    );
    let sent = server.seen().pop().unwrap().to_string();
    assert!(
        sent.contains(row.keeps) && sent.contains("and now?"),
        "{name}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn whatever_a_server_does_ends_in_a_clear_state_and_the_talk_goes_on() {
    futures::future::join_all(rows().into_iter().map(plays)).await;
}

/// An answer with calls, and what their results say in the next request.
async fn results(reply: Reply) -> (Vec<String>, Agent, Harness, Server) {
    let server = Server::start(Wire::OpenAi, [reply, text("done")]).await;
    let harness = harness(&server);
    let mut agent = harness.start().await;
    let end = agent.ask("go").await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "done"), "{end:?}");
    let body = server.body(1);
    let messages = body["messages"].as_array().unwrap();
    let results = messages.iter().filter(|message| message["role"] == "tool");
    let said = results
        .map(|result| result["content"].to_string())
        .collect();
    (said, agent, harness, server)
}

#[tokio::test]
async fn calls_however_broken_are_answered_one_by_one() {
    let call = |id: Value, name: Value, arguments: Value| json!({"id": id, "function": {"name": name, "arguments": arguments}});
    let path = json!("{\"path\":\"a.txt\"}");
    let read = json!("read");
    let rows: [(&str, Vec<Value>, &[&str]); 7] = [
        (
            "no id",
            vec![call(Value::Null, read.clone(), path.clone())],
            &["plum"],
        ),
        (
            "no name",
            vec![call(json!("c1"), Value::Null, path.clone())],
            &["no tool"],
        ),
        (
            "neither",
            vec![call(Value::Null, Value::Null, path.clone())],
            &["no tool"],
        ),
        (
            "one id for two",
            vec![
                json!({"index": 0, "id": "c1", "function": {"name": "read", "arguments": path}}),
                json!({"index": 1, "id": "c1", "function": {"name": "read", "arguments": path}}),
            ],
            &["plum", "plum"],
        ),
        (
            "an object",
            vec![call(json!("c1"), read.clone(), json!({"path": "a.txt"}))],
            &["plum"],
        ),
        (
            "null",
            vec![call(json!("c1"), read.clone(), Value::Null)],
            &["path"],
        ),
        (
            "no JSON",
            vec![call(json!("c1"), read, json!("{\"path\": "))],
            &["not a json object"],
        ),
    ];
    for (name, pieces, expected) in rows {
        let (said, agent, ..) = results(calls(&pieces)).await;
        assert_eq!(said.len(), expected.len(), "{name}: {said:?}");
        for (said, expected) in said.iter().zip(expected) {
            assert!(said.to_lowercase().contains(expected), "{name}: {said}");
        }
        agent.stop().await;
    }
}

#[tokio::test]
async fn arguments_that_stay_broken_are_answered_each_time() {
    let broken = || Say::text("").raw_call("c1", "read", "{\"path\"").reply();
    let server = Server::start(Wire::OpenAi, [broken(), broken(), text("I give up")]).await;
    let harness = harness(&server);
    let mut agent = harness.start().await;
    let end = agent.ask("go").await;
    assert_eq!(
        (end.exit_code, end.text.as_str()),
        (0, "I give up"),
        "{end:?}"
    );
    let last = server.body(2).to_string();
    assert_eq!(last.matches("not a JSON object").count(), 2, "{last}");
    agent.stop().await;
}

/// OpenAI takes 128 calls in a message, whoever made more of them.
#[tokio::test]
async fn hundreds_of_parallel_calls_are_answered_and_fit_the_next_request() {
    const CALLS: usize = 300;
    let call = |n: usize| {
        json!({"index": n, "id": format!("c{n}"), "function":
        {"name": "read", "arguments": "{\"path\":\"a.txt\"}"}})
    };
    let all: Vec<Value> = (0..CALLS).map(call).collect();
    let (said, agent, ..) = results(calls(&all)).await;
    assert_eq!(said.len(), CALLS);
    agent.stop().await;
}

/// A call that was shown is not asked for again, and the next request answers it.
#[tokio::test]
async fn a_stream_that_breaks_after_a_call_is_not_repeated() {
    for wire in [Wire::Anthropic, Wire::OpenAi, Wire::Responses, Wire::Gemini] {
        let say = Say::text("Looking.").call("x1", "read", &json!({"path": "a.txt"}));
        let server = Server::start(wire, [Reply::Cut(say), text("fine")]).await;
        let harness = harness(&server);
        let mut agent = harness.start().await;
        let end = agent.ask("go").await;
        assert_eq!(
            (end.exit_code, end.stop),
            (1, StopReason::Error),
            "{wire:?}"
        );
        assert_eq!(server.seen().len(), 1, "{wire:?}");
        let ran = agent
            .events
            .iter()
            .any(|e| matches!(e, AgentEvent::Stream(AnswerEvent::ToolFinished { .. })));
        assert!(!ran, "{wire:?}: half an answer ran a tool");
        assert_eq!(agent.ask("and now?").await.text, "fine", "{wire:?}");
        agent.stop().await;
    }
}

/// Anthropic sends pings of its own; they are no answer either.
#[tokio::test]
async fn pings_alone_are_no_answer() {
    let ping = b"event: ping\ndata: {\"type\":\"ping\"}\n\n".to_vec();
    let endless = || Reply::Endless(STREAM_HEAD.into(), ping.clone());
    let server = Server::start(Wire::Anthropic, [endless(), endless()]).await;
    let harness = harness(&server);
    let mut agent = harness.start().await;
    let end = agent.ask("hi").await;
    assert!(
        is_readable("pings", &end).contains("keep-alive signals"),
        "{end:?}"
    );
    agent.stop().await;
}

/// A key that is refused between two steps of a tool loop: the results stay.
#[tokio::test]
async fn a_key_that_is_refused_in_a_loop_loses_no_result() {
    let call = Say::text("").call("x1", "read", &json!({"path": "a.txt"}));
    let no = super::server::status(401, "authentication_error", "no");
    let server = Server::start(Wire::OpenAi, [call.reply(), no, text("fine")]).await;
    let harness = harness(&server);
    let mut agent = harness.start().await;
    let end = agent.ask("go").await;
    assert_eq!(end.exit_code, 3, "{end:?}");
    assert_eq!(agent.ask("again").await.text, "fine");
    assert!(server.body(2).to_string().contains("plum"));
    agent.stop().await;
}

/// A day is the longest wait that is believed; it can be left at once.
#[tokio::test]
async fn an_absurd_wait_is_cut_to_a_day_and_can_be_left() {
    let reply = refused(429, ("retry-after", "999999999"));
    let server = Server::start(Wire::OpenAi, [reply, text("fine")]).await;
    let harness = harness(&server);
    let mut agent = harness.start().await;
    agent.say("hi").await;
    let told = agent
        .until(|event| matches!(event, AgentEvent::Stream(AnswerEvent::Retrying { .. })))
        .await;
    let AgentEvent::Stream(AnswerEvent::Retrying { after, .. }) = told else {
        unreachable!()
    };
    assert_eq!(after, Duration::from_hours(24));
    agent.send(Op::Turn(TurnOp::Interrupt)).await;
    assert_eq!(agent.turn_end().await.exit_code, 130);
    assert_eq!(agent.ask("again").await.text, "fine");
    agent.stop().await;
}
