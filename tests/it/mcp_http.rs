//! Servers of the Model Context Protocol by HTTP: old and new ones answer, and whatever one of
//! them does, it ends in a state that says why, and nobody else gets what it was sent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use plimsoll::agent::{FormAnswer, Op, TurnOp};
use plimsoll::config::{McpDefer, McpReach, McpServer, McpSettings};
use plimsoll::mcp::{LinkPhase, McpPlace, McpServers};
use plimsoll::provider::Trust;
use plimsoll::tool::ApprovalMode;
use serde_json::{Map, Value, json};

use super::agent::Harness;
use super::flow_mcp_live::{form, ready};
use super::mcp_web::{
    Act, McpWeb, address, answer, event, header, method_of, newest, older, said, status,
};
use super::server::{Reply, Say, Server, Wire, text};
use super::web::Asked;

/// No test waits longer for a server.
const PATIENCE: Duration = Duration::from_mins(1);

/// What is set in the environment of these tests.
const TOKEN: &str = "tk-0123456789-very-secret";

/// A list of servers without an agent.
struct Servers {
    all: Arc<McpServers>,
    _dir: tempfile::TempDir,
}

impl Servers {
    /// Started, and settled.
    async fn start(servers: Vec<McpServer>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let settings = McpSettings {
            defer: McpDefer::Always,
            servers,
        };
        let place = McpPlace {
            cwd: dir.path().to_owned(),
            environment: [("TOKEN".to_owned(), TOKEN.to_owned())].into(),
            lists_file: dir.path().join("lists.json"),
            credentials_file: dir.path().join("credentials.toml"),
            trust: Trust::default(),
        };
        let all = Arc::new(McpServers::new(&settings, place));
        all.start();
        all.settled(PATIENCE).await;
        Self { all, _dir: dir }
    }

    fn phase(&self) -> LinkPhase {
        self.all.reports()[0].phase.clone()
    }

    fn version(&self) -> String {
        self.all.reports()[0].version.clone().unwrap_or_default()
    }

    /// Why the first server is not used.
    fn why(&self) -> String {
        let phase = self.phase();
        assert!(matches!(phase, LinkPhase::Failed(_)), "{phase:?}");
        phase.why().unwrap_or_default().to_owned()
    }
}

/// Calls the tool of a server so many times: what the model is told of each.
async fn called(server: McpServer, times: usize) -> Vec<String> {
    called_texts(server, &vec!["hello"; times]).await
}

fn use_echo(id: &str, what: &str) -> Reply {
    let arguments = json!({"name": "web__echo", "arguments": {"text": what}});
    Say::text("u").call(id, "use_tool", &arguments).reply()
}

fn with_headers(mut server: McpServer, given: &[(&str, &str)]) -> McpServer {
    if let McpReach::Address { headers, .. } = &mut server.reach {
        let given = given.iter();
        *headers = given
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
    }
    server
}

#[tokio::test]
async fn an_older_server_is_greeted_in_its_way_and_gets_its_headers_and_its_session() {
    let web = McpWeb::start(|asked, body| older(asked, body, "s1"));
    let server = with_headers(
        web.described("web"),
        &[
            ("Authorization", "Bearer ${TOKEN}"),
            ("X-Team", "${TEAM:-none}"),
        ],
    );
    let told = called(server, 2).await;
    assert!(
        told[0].contains("said hello") && !told[0].contains('\u{1b}'),
        "{}",
        told[0]
    );
    let calls = web.asked_for("tools/call", 2);
    for call in &calls {
        assert_eq!(header(call, "mcp-session-id"), Some("s1"));
        assert_eq!(
            header(call, "authorization"),
            Some(format!("Bearer {TOKEN}").as_str())
        );
        assert_eq!(header(call, "x-team"), Some("none"));
    }
    let ends = |asked: &Asked| asked.head.starts_with("DELETE /mcp ");
    assert!(web.asked().iter().any(ends), "the session is ended");
}

#[tokio::test]
async fn a_server_of_the_newest_version_is_not_greeted_in_the_older_way() {
    let web = McpWeb::start(newest);
    let servers = Servers::start(vec![web.described("web")]).await;
    assert_eq!(servers.phase(), LinkPhase::Ready);
    assert!(
        servers.version().contains("protocol 2026-07-28"),
        "{}",
        servers.version()
    );
    assert!(
        web.asked()
            .iter()
            .all(|asked| method_of(asked) != "initialize")
    );
    let told = called(web.described("web"), 1).await;
    assert!(told[0].contains("said hello"), "{}", told[0]);
}

#[tokio::test]
async fn an_answer_may_come_as_a_stream_of_events() {
    let web = McpWeb::start(|asked, body| match method_of(asked).as_str() {
        "tools/call" => {
            let note = json!({"jsonrpc": "2.0", "method": "notifications/message",
                "params": {"level": "info", "data": "\u{1b}[2J"}});
            let last = event(body, &said(&json!("streamed")));
            let kind = "content-type: text/event-stream\r\n".to_owned();
            Act::Answer(200, kind, format!(": hello\n\ndata: {note}\n\n{last}"))
        }
        _ => older(asked, body, "s1"),
    });
    let told = called(web.described("web"), 1).await;
    assert!(told[0].contains("said streamed"), "{}", told[0]);
}

#[tokio::test]
async fn a_session_that_the_server_forgot_is_begun_again_and_the_call_is_answered() {
    let sessions = AtomicUsize::new(0);
    let web = McpWeb::start(move |asked, body| {
        if method_of(asked) == "initialize" {
            sessions.fetch_add(1, Ordering::SeqCst);
        }
        let now = format!("s{}", sessions.load(Ordering::SeqCst));
        let is_first = header(asked, "mcp-session-id") == Some("s1");
        if method_of(asked) == "tools/call" && is_first {
            return status(404, "which session?");
        }
        older(asked, body, &now)
    });
    let told = called(web.described("web"), 1).await;
    assert!(told[0].contains("said hello"), "{}", told[0]);
    let calls = web.asked_for("tools/call", 2);
    assert_eq!(header(&calls[1], "mcp-session-id"), Some("s2"));
}

#[tokio::test]
async fn what_is_no_server_is_said_in_one_clause() {
    let page = "<!doctype html><title>\u{1b}[31mHello</title>";
    for (code, kind, body, expected) in [
        (
            200,
            "text/html",
            page,
            "it is no MCP server: it answered with text/html",
        ),
        (
            404,
            "text/html",
            page,
            "there is no MCP server at this address (HTTP 404 Not Found)",
        ),
        (500, "text/plain", "down", "it answered HTTP 500"),
        (503, "text/html", page, "it answered HTTP 503"),
        (
            403,
            "text/plain",
            "no\u{1b}[2J",
            "it refuses these credentials (HTTP 403 Forbidden): no",
        ),
    ] {
        let web = McpWeb::start(move |_, _| {
            Act::Answer(code, format!("content-type: {kind}\r\n"), body.to_owned())
        });
        let servers = Servers::start(vec![web.described("web")]).await;
        assert_eq!(servers.why(), expected);
        servers.all.close().await;
    }
}

#[tokio::test]
async fn a_server_that_wants_a_login_says_so_and_is_asked_again_at_the_next_call() {
    for challenge in ["www-authenticate: Bearer\r\n", ""] {
        let web = McpWeb::start(|_, _| Act::Answer(401, challenge.to_owned(), "who?".to_owned()));
        let servers = Servers::start(vec![web.described("web")]).await;
        let expected = LinkPhase::NeedsLogin("it needs a login".to_owned());
        assert_eq!(servers.phase(), expected);
        servers.all.close().await;
    }
    let is_known = Arc::new(AtomicBool::new(true));
    let known = Arc::clone(&is_known);
    let web = McpWeb::start(move |asked, body| {
        let text = &body["params"]["arguments"]["text"];
        if text == "forget me" {
            known.store(false, Ordering::SeqCst);
        }
        if !known.load(Ordering::SeqCst) && method_of(asked) == "tools/call" {
            // At the next greeting it knows who asks.
            known.store(text != "forget me", Ordering::SeqCst);
            return Act::Answer(401, String::new(), String::new());
        }
        known.store(true, Ordering::SeqCst);
        older(asked, body, "s1")
    });
    let told = called_with(&web, &["forget me", "hello"]).await;
    assert!(told[0].contains("it needs a login"), "{}", told[0]);
    assert!(told[1].contains("said hello"), "{}", told[1]);
    assert_eq!(web.asked_for("initialize", 2).len(), 2);
}

#[tokio::test]
async fn nobody_there_and_addresses_that_are_none_are_named() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = free.local_addr().unwrap().port();
    drop(free);
    let nobody = address("web", &format!("http://127.0.0.1:{port}/mcp?key={TOKEN}"));
    let servers = Servers::start(vec![nobody]).await;
    let why = servers.why();
    assert!(why.starts_with("no connection to 127.0.0.1: "), "{why}");
    assert!(!why.contains(TOKEN), "{why}");

    let good = "http://127.0.0.1:1/mcp";
    for (server, expected) in [
        (
            address("web", "https://"),
            "https:// is not a valid address: empty host",
        ),
        (
            address("web", "${SCHEME}://a"),
            "the variable SCHEME is not set",
        ),
        (address("web", "${TOKEN}"), "is not a valid address"),
        (
            with_headers(address("web", good), &[("A b", "c")]),
            "a header has a name that is not valid",
        ),
        (
            with_headers(address("web", good), &[("A", "c\nd")]),
            "the header a has a value that cannot be sent",
        ),
    ] {
        let servers = Servers::start(vec![server]).await;
        let why = servers.why();
        assert!(why.contains(expected), "{why}");
    }
}

#[tokio::test]
async fn a_redirect_to_another_host_is_not_followed_and_one_on_the_same_host_is() {
    let other = McpWeb::start(|asked, body| older(asked, body, "s1"));
    let there = format!("location: {}/mcp\r\n", other.base);
    for code in [301, 302, 303, 307, 308] {
        let there = there.clone();
        let web = McpWeb::start(move |_, _| Act::Answer(code, there.clone(), String::new()));
        let server = with_headers(web.described("web"), &[("X-Key", "${TOKEN}")]);
        let servers = Servers::start(vec![server]).await;
        let why = servers.why();
        assert!(why.starts_with("it redirects to 127.0.0.1:"), "{why}");
        assert!(
            why.ends_with("another server; that is not followed"),
            "{why}"
        );
    }
    assert!(other.asked().is_empty(), "nobody else was asked");

    let web = McpWeb::start(|asked, body| {
        if asked.target == "/mcp" {
            return Act::Answer(307, "location: /mcp/\r\n".to_owned(), String::new());
        }
        older(asked, body, "s1")
    });
    let server = with_headers(web.described("web"), &[("X-Key", "${TOKEN}")]);
    let servers = Servers::start(vec![server]).await;
    assert_eq!(servers.phase(), LinkPhase::Ready);
    let listed = web.asked_for("tools/list", 2);
    assert_eq!(header(&listed[1], "x-key"), Some(TOKEN));
}

#[tokio::test]
async fn a_server_that_never_answers_is_waited_for_until_the_deadline() {
    let web = McpWeb::start(|_, _| Act::Silence);
    let mut server = web.described("web");
    server.deadline_secs = 1;
    let servers = Servers::start(vec![server]).await;
    assert_eq!(servers.why(), "it did not answer within 1 s");
    servers.all.close().await;
}

#[tokio::test]
async fn floods_have_bounds_and_a_call_that_gets_one_fails_alone() {
    let head = "HTTP/1.1 200 X\r\ncontent-type: application/json\r\n\r\n";
    let web = McpWeb::start(move |asked, body| match method_of(asked).as_str() {
        "tools/call" if body["params"]["arguments"]["text"] == "flood" => Act::Flood(head, "[[[["),
        _ => older(asked, body, "s1"),
    });
    let told = called_with(&web, &["flood", "hello"]).await;
    assert!(
        told[0].contains("it answered with more than 16 MiB"),
        "{}",
        told[0]
    );
    assert!(told[1].contains("said hello"), "{}", told[1]);

    let page = "HTTP/1.1 500 X\r\ncontent-type: text/html\r\n\r\n";
    let web = McpWeb::start(move |_, _| Act::Flood(page, "<p>"));
    let servers = Servers::start(vec![web.described("web")]).await;
    assert_eq!(servers.why(), "it answered HTTP 500");
}

#[tokio::test]
async fn a_stream_that_breaks_off_fails_its_call_and_no_other() {
    let head = "HTTP/1.1 200 X\r\ncontent-type: text/event-stream\r\n\r\n";
    let web =
        McpWeb::start(
            move |asked, body| match body["params"]["arguments"]["text"].as_str() {
                Some("half") => {
                    Act::Raw(format!("{head}data: {{\"jsonrpc\": \"2.0\", ").into_bytes())
                }
                Some("cut") => Act::Raw(b"HTTP/1.1 200 X\r\ncontent-len".to_vec()),
                Some("strange") => answer(body, &json!(["\u{1b}[2J", 7])),
                _ => older(asked, body, "s1"),
            },
        );
    let mut server = web.described("web");
    server.deadline_secs = 5;
    let told = called_texts(server, &["half", "cut", "strange", "hello"]).await;
    for failed in &told[..3] {
        assert!(failed.contains("web__echo"), "{failed}");
        assert!(
            !failed.contains("said") && !failed.contains('\u{1b}'),
            "{failed}"
        );
    }
    assert!(told[3].contains("said hello"), "{}", told[3]);
}

#[tokio::test]
async fn a_server_that_went_away_is_asked_again_when_it_is_back() {
    let is_down = Arc::new(AtomicBool::new(false));
    let down = Arc::clone(&is_down);
    let web = McpWeb::start(move |asked, body| {
        if down.load(Ordering::SeqCst) {
            return status(503, "starting");
        }
        if body["params"]["arguments"]["text"] == "last" {
            down.store(true, Ordering::SeqCst);
        }
        older(asked, body, "s1")
    });
    let servers = Servers::start(vec![web.described("web")]).await;
    assert_eq!(servers.phase(), LinkPhase::Ready);
    let told = called_with(&web, &["last", "hello"]).await;
    assert!(told[0].contains("said last"), "{}", told[0]);
    assert!(told[1].contains("it answered HTTP 503"), "{}", told[1]);
    is_down.store(false, Ordering::SeqCst);
    assert!(called_with(&web, &["hello"]).await[0].contains("said hello"));
}

#[tokio::test]
async fn a_call_that_takes_too_long_is_cancelled_at_the_server() {
    let web = McpWeb::start(|asked, body| match method_of(asked).as_str() {
        "tools/call" => Act::Silence,
        _ => older(asked, body, "s1"),
    });
    let mut server = web.described("web");
    // The greeting has no more time, and machines are busy.
    server.deadline_secs = 5;
    let told = called(server, 1).await;
    assert!(told[0].contains("it took longer than 5 s"), "{}", told[0]);
    web.asked_for("notifications/cancelled", 1);
}

/// What a call of the newest protocol is answered with before its result.
fn asks_first(body: &Value) -> Act {
    let question = |message: &str| {
        json!({"method": "elicitation/create", "params": {"message": message,
            "requestedSchema": {"type": "object", "required": ["name"], "properties": {
                "name": {"type": "string"}}}}})
    };
    let answers = body["params"]["inputResponses"].clone();
    let required = match body["params"]["requestState"].as_str() {
        None => json!({"inputRequests": {"a": question("First?"), "b": question("Second?")},
            "requestState": "asked"}),
        Some("asked") => json!({ "requestState": format!("wait {answers}") }),
        Some(state) => {
            let told = json!({"content": [{"type": "text", "text": state}],
                "resultType": "complete"});
            return answer(body, &told);
        }
    };
    let mut required = required;
    required["resultType"] = json!("input_required");
    answer(body, &required)
}

#[tokio::test]
async fn questions_in_the_place_of_a_result_are_asked_and_the_call_goes_on_with_the_answers() {
    let web = McpWeb::start(|asked, body| match method_of(asked).as_str() {
        "tools/call" => asks_first(body),
        _ => newest(asked, body),
    });
    let script = [use_echo("c0", "x"), text("done")];
    let model = Server::start(Wire::OpenAi, script).await;
    let harness = with_server(Harness::new(&model), web.described("web"));
    ready(&harness).await;
    let mut agent = harness.start().await;
    agent.say("go").await;
    for (message, name) in [("First?", "Ada"), ("Second?", "Bob")] {
        let request = form(&mut agent).await;
        assert_eq!(request.form.message, message);
        let content = Map::from_iter([("name".to_owned(), json!(name))]);
        let (id, answer) = (request.id, FormAnswer::Accept(content));
        agent
            .send(Op::Turn(TurnOp::AnswerForm { id, answer }))
            .await;
    }
    assert_eq!(agent.turn_end().await.text, "done");
    let told = last_result(&model.body(1));
    assert!(told.contains("Ada") && told.contains("Bob"), "{told}");
    assert_eq!(web.asked_for("tools/call", 3).len(), 3);
    agent.stop().await;
}

async fn called_with(web: &McpWeb, texts: &[&str]) -> Vec<String> {
    called_texts(web.described("web"), texts).await
}

/// Calls the tool with each text: what the model is told of each.
async fn called_texts(server: McpServer, texts: &[&str]) -> Vec<String> {
    let mut script: Vec<Reply> = Vec::new();
    for (at, what) in texts.iter().enumerate() {
        script.push(use_echo(&format!("c{at}"), what));
    }
    script.push(text("done"));
    let model = Server::start(Wire::OpenAi, script).await;
    let harness = with_server(Harness::new(&model), server);
    harness.setup.servers.start();
    harness.setup.servers.settled(PATIENCE).await;
    let mut agent = harness.start().await;
    assert_eq!(agent.ask("go").await.text, "done");
    agent.stop().await;
    (1..=texts.len())
        .map(|at| last_result(&model.body(at)))
        .collect()
}

fn with_server(harness: Harness, server: McpServer) -> Harness {
    let mut harness = harness.set(|s| s.agent.tools.approvals = ApprovalMode::All);
    let setup = &mut harness.setup;
    setup.settings.mcp.defer = McpDefer::Always;
    setup.settings.mcp.servers = vec![server];
    let place = McpPlace {
        cwd: setup.cwd.clone(),
        environment: [("TOKEN".to_owned(), TOKEN.to_owned())].into(),
        lists_file: setup.paths.server_tools_file(),
        credentials_file: setup.paths.credentials_file(),
        trust: Trust::default(),
    };
    setup.servers = Arc::new(McpServers::new(&setup.settings.mcp, place));
    harness
}

/// The newest message of a request.
fn last_result(body: &Value) -> String {
    let messages = body["messages"].as_array().unwrap();
    messages.last().unwrap()["content"].to_string()
}
