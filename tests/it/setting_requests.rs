//! The effect of each setting of the agent on the requests that are sent, to their number, and to
//! what tools may do. Every setting is given by its key.

use std::time::{Duration, Instant};

use plimsoll::agent::{AgentEvent, CompactionEvent, ContextEvent, SessionEvent, TurnEvent};
use plimsoll::transcript::Message;
use serde_json::{Value, json};

use super::agent::{Agent, Harness, has_no_tools, joined};
use super::program::Program;
use super::server::{Reply, Say, Server, Wire, status, text};
use super::setting_effects::set_all;

/// An agent with these settings on top of the helper's own.
fn harness(server: &Server, pairs: &[(&str, &str)]) -> Harness {
    Harness::new(server).set(|settings| set_all(settings, pairs))
}

/// The body of the one request that a message takes.
async fn sent(wire: Wire, pairs: &[(&str, &str)]) -> Value {
    let server = Server::start(wire, [text("hello")]).await;
    let place = harness(&server, pairs);
    let mut agent = place.start().await;
    let end = agent.ask("hi").await;
    assert_eq!(end.exit_code, 0, "{pairs:?}: {end:?}");
    agent.stop().await;
    server.body(0)
}

fn call(name: &str, arguments: &Value) -> Reply {
    Say::text("w").call("c1", name, arguments).reply()
}

fn approvals(agent: &Agent) -> usize {
    let is_asked = |event: &&AgentEvent| matches!(event, AgentEvent::Turn(TurnEvent::Approval(_)));
    agent.events.iter().filter(is_asked).count()
}

#[tokio::test]
async fn the_model_that_is_set_answers() {
    for id in ["claude-haiku-4-5", "claude-sonnet-4-5"] {
        let body = sent(Wire::Anthropic, &[("model", &format!("anthropic/{id}"))]).await;
        assert_eq!(body["model"], id);
    }
}

#[tokio::test]
async fn the_address_that_is_set_is_asked() {
    let one = Server::start(Wire::Anthropic, [text("one")]).await;
    let other = Server::start(Wire::Anthropic, [text("other")]).await;
    let place = harness(&one, &[("base_url", &other.base)]);
    let mut agent = place.start().await;
    assert_eq!(agent.ask("hi").await.text, "other");
    assert_eq!((one.seen().len(), other.seen().len()), (0, 1));
    agent.stop().await;
}

#[tokio::test]
async fn how_hard_to_think_is_sent() {
    let body = |level| async move { sent(Wire::Anthropic, &[("thinking", level)]).await };
    let off = body("off").await;
    let (low, high) = (body("low").await, body("high").await);
    assert_ne!(off.get("thinking"), low.get("thinking"));
    assert_ne!(low.get("thinking"), high.get("thinking"));
}

#[tokio::test]
async fn the_system_prompt_is_the_one_that_is_set() {
    let built_in = sent(Wire::Anthropic, &[]).await["system"].to_string();
    let own = sent(Wire::Anthropic, &[("system", "Speak as a parrot.")]).await;
    let own = own["system"].to_string();
    assert!(own.contains("Speak as a parrot."), "{own}");
    assert!(own.len() < built_in.len());
}

#[tokio::test]
async fn one_message_takes_no_more_requests_than_set() {
    let loops = || (0..5).map(|_| call("list", &json!({})));
    for (max, requests) in [("1", 1), ("3", 3)] {
        let server = Server::start(Wire::Anthropic, loops()).await;
        let place = harness(&server, &[("max_turns", max)]);
        let mut agent = place.start().await;
        let end = agent.ask("go").await;
        assert_eq!(end.error_kind, Some("max_turns"), "{end:?}");
        assert_eq!(server.seen().len(), requests);
        agent.stop().await;
    }
}

#[tokio::test]
async fn no_request_follows_one_that_cost_as_much_as_allowed() {
    let script = || {
        let dear = Say::text("w").call("c1", "list", &json!({})).usage(100_000);
        [dear.reply(), text("done")]
    };
    for (limit, requests) in [("0.01", 1), ("100", 2), ("none", 2)] {
        let server = Server::start(Wire::Anthropic, script()).await;
        let place = harness(&server, &[("max_cost", limit)]);
        let mut agent = place.start().await;
        agent.ask("go").await;
        assert_eq!(server.seen().len(), requests, "{limit}");
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_request_is_tried_as_often_as_set_and_so_is_a_summary() {
    let overloaded = || status(529, "overloaded_error", "Overloaded");
    for (tries, requests, for_summary) in [("1", 1, 1), ("2", 2, 2)] {
        let mut script: Vec<Reply> = (0..5).map(|turn| text(format!("answer {turn}"))).collect();
        script.extend((0..9).map(|_| overloaded()));
        let server = Server::start(Wire::Anthropic, script).await;
        let pairs = [("retry.max_attempts", tries)];
        let place = harness(&server, &pairs);
        let mut agent = place.start().await;
        for turn in 0..5 {
            agent.ask(&format!("question {turn}")).await;
        }
        let end = agent.ask("and now").await;
        assert!(end.error.is_some());
        assert_eq!(server.seen().len(), 5 + requests, "{tries}");
        agent.compact(None, true).await;
        agent
            .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Failed { .. })))
            .await;
        let asked = server.seen();
        let summaries = asked.iter().filter(|body| has_no_tools(body)).count();
        assert_eq!(summaries, for_summary, "{tries}");
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_stream_that_is_silent_for_long_enough_fails() {
    let server = Server::start(Wire::Anthropic, [Reply::Stall(Say::text("Well"))]).await;
    let pairs = [("stream.stall_secs", "1"), ("retry.max_attempts", "1")];
    let place = harness(&server, &pairs);
    let mut agent = place.start().await;
    let began = Instant::now();
    let end = agent.ask("hi").await;
    assert!(end.error.is_some(), "{end:?}");
    // The helper's own patience is 10 seconds.
    assert!(began.elapsed() < Duration::from_secs(8));
    agent.stop().await;
}

#[tokio::test]
async fn a_file_in_a_further_directory_is_read_without_a_question() {
    let further = tempfile::tempdir().unwrap();
    let further = further.path().canonicalize().unwrap();
    std::fs::write(further.join("note.txt"), "the milk").unwrap();
    let path = further.join("note.txt").display().to_string();
    let server = Server::start(
        Wire::Anthropic,
        [call("read", &json!({"path": path})), text("done")],
    )
    .await;
    let dirs = format!("[\"{}\"]", further.display());
    let pairs = [("approvals.mode", "ask"), ("extra_dirs", dirs.as_str())];
    let place = harness(&server, &pairs);
    let mut agent = place.start().await;
    agent.ask("go").await;
    assert_eq!(approvals(&agent), 0);
    assert!(joined(&server.body(1)).contains("the milk"));
    agent.stop().await;

    // Without the setting there is a question.
    let run = call("read", &json!({"path": path}));
    let server = Server::start(Wire::Anthropic, [run, text("done")]).await;
    let place = harness(&server, &[("approvals.mode", "ask")]);
    let mut agent = place.start().await;
    agent.say("go").await;
    agent.approval().await;
    agent.stop().await;
}

#[tokio::test]
async fn a_tool_that_is_off_is_not_offered_and_a_wrong_name_is_said() {
    let offered = |body: &Value| {
        let tools = body["tools"].as_array().unwrap().iter();
        tools
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let server = Server::start(
        Wire::Anthropic,
        [call("todo", &json!({"items": []})), text("done")],
    )
    .await;
    let place = Harness::new(&server).set(|s| s.agent.tools.off.push("todo".to_owned()));
    let place = place.set(|s| s.agent.tools.off.push("tooo".to_owned()));
    let mut agent = place.start().await;
    agent.ask("go").await;
    assert!(!offered(&server.body(0)).contains(&"todo".to_owned()));
    assert!(joined(&server.body(1)).contains("There is no tool `todo`"));
    let said = format!("{:?}", agent.events);
    assert!(said.contains("tools.off names `tooo`, but there is no such tool."));
    assert!(!said.contains("names `todo`"));
    agent.stop().await;

    let place = Harness::new(&server).with_tool("todo");
    assert!(place.setup.tools().get("todo").is_some());
}

#[tokio::test]
async fn a_pattern_that_is_allowed_runs_without_a_question() {
    let server = Server::start(
        Wire::Anthropic,
        [
            call("shell", &json!({"command": "echo milk"})),
            text("done"),
        ],
    )
    .await;
    let pairs = [
        ("approvals.mode", "ask"),
        ("approvals.allow", "[\"shell:echo *\"]"),
    ];
    let place = harness(&server, &pairs);
    let mut agent = place.start().await;
    agent.ask("go").await;
    assert_eq!(approvals(&agent), 0);
    let all = joined(&server.body(1));
    assert!(all.contains("milk"), "{all}");
    agent.stop().await;
}

#[tokio::test]
async fn a_command_that_only_reads_runs_without_a_question_and_its_result_says_so() {
    let run = || call("shell", &json!({"command": "ls | wc -l"}));
    let server = Server::start(Wire::Anthropic, [run(), text("done")]).await;
    let place = harness(&server, &[("approvals.mode", "ask")]);
    let mut agent = place.start().await;
    agent.ask("go").await;
    assert_eq!(approvals(&agent), 0);
    let notes_unasked = |event: &AgentEvent| match event {
        AgentEvent::Session(SessionEvent::Entry(entry)) => {
            matches!(entry.message().map(AsRef::as_ref), Some(Message::ToolResult(result))
                if result.details.as_ref().is_some_and(|it| it["readOnly"] == true))
        }
        _ => false,
    };
    assert!(agent.events.iter().any(notes_unasked));
    agent.stop().await;

    let server = Server::start(Wire::Anthropic, [run(), text("done")]).await;
    let pairs = [("approvals.mode", "ask"), ("approvals.read_only", "false")];
    let place = harness(&server, &pairs);
    let mut agent = place.start().await;
    agent.say("go").await;
    agent.approval().await;
    agent.stop().await;
}

#[tokio::test]
async fn the_server_is_asked_to_clear_only_where_it_can() {
    let edits = |wire, mode| async move {
        let body = sent(wire, &[("context.server", mode)]).await;
        body["context_management"].to_string()
    };
    assert_eq!(edits(Wire::Anthropic, "off").await, "null");
    let clears = edits(Wire::Anthropic, "clear-tool-uses").await;
    assert!(clears.contains("clear_tool_uses"), "{clears}");
    let compacts = edits(Wire::Anthropic, "compact").await;
    assert!(compacts.contains("compact"), "{compacts}");
    assert_eq!(edits(Wire::OpenAi, "clear-tool-uses").await, "null");
}

#[tokio::test]
async fn tokens_are_counted_as_set() {
    for (ruler, name) in [("bpe", "o200k"), ("chars4", "chars4")] {
        let server = Server::start(Wire::Anthropic, [text("hello")]).await;
        let place = harness(&server, &[("ruler", ruler)]);
        let mut agent = place.start().await;
        // A message near the load line waits for the exact tables.
        agent.ask(&"lorem ipsum dolor ".repeat(12_000)).await;
        let is_there = agent.events.iter().any(|event| match event {
            AgentEvent::Context(ContextEvent::View(view)) => view.ruler.name.contains(name),
            _ => false,
        });
        assert!(is_there, "{ruler}");
        agent.stop().await;
    }
}

#[tokio::test]
async fn one_lane_makes_a_summary_wait_for_the_answer() {
    for (lanes, summary_waits) in [(1, true), (4, false)] {
        let long = || text(format!("answer {}", "lorem ipsum ".repeat(560)));
        let script = [long(), long(), long(), Reply::Stall(Say::text("slowly"))];
        let server = Server::start(Wire::Anthropic, script).await;
        // The summary is begun at the end of a turn and takes its time as well.
        server.then_for_summaries([Reply::Stall(Say::text("## Goal"))]);
        let mut harness = harness(
            &server,
            &[
                ("window.user", "20000"),
                ("compaction.background", "true"),
                ("compaction.threshold", "12000"),
            ],
        );
        harness.setup.lanes = plimsoll::agent::RequestSlots::new(lanes);
        let mut agent = harness.start().await;
        for turn in 0..3 {
            agent.ask(&format!("question {turn}")).await;
        }
        until(|| server.seen().iter().any(has_no_tools)).await;
        let before = server.seen().len();
        agent.say("and now").await;
        if summary_waits {
            tokio::time::sleep(Duration::from_millis(300)).await;
            assert_eq!(server.seen().len(), before, "the lane is taken");
        } else {
            until(|| server.seen().len() > before).await;
        }
        agent.stop().await;
    }
}

async fn until(is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(30), waiting).await;
    assert!(waited.is_ok(), "it did not come");
}

#[tokio::test]
async fn an_overflow_is_recovered_from_as_often_as_set() {
    let mut counts = Vec::new();
    for attempts in ["1", "4"] {
        let overflow = || super::server::overflow(Wire::Anthropic);
        let script = (0..6)
            .map(|_| text("answer"))
            .chain((0..40).map(|_| overflow()));
        let server = Server::start(Wire::Anthropic, script).await;
        let pairs = [
            ("compaction.max_attempts", attempts),
            ("compaction.model", "offline/plain"),
        ];
        let place = harness(&server, &pairs);
        let mut agent = place.start().await;
        for turn in 0..6 {
            agent.ask(&format!("question {turn}")).await;
        }
        let end = agent.ask("the last question").await;
        assert_eq!(end.exit_code, 4, "{end:?}");
        counts.push(server.seen().len());
        agent.stop().await;
    }
    assert!(counts[0] < counts[1], "{counts:?}");
}

mod certificates {
    use std::sync::Arc;

    use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
    use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;
    use tokio_rustls::TlsAcceptor;

    /// `https://127.0.0.1:PORT` of a server that refuses every request, and the certificate
    /// of its authority.
    pub async fn server() -> (String, String) {
        let mut params = CertificateParams::new(Vec::<String>::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let key = KeyPair::generate().unwrap();
        let leaf = CertificateParams::new(vec!["127.0.0.1".to_owned()])
            .unwrap()
            .signed_by(&key, &authority)
            .unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![CertificateDer::clone(leaf.der())], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("https://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    let Ok(mut stream) = acceptor.accept(socket).await else {
                        return;
                    };
                    let mut buffer = vec![0; 64 * 1024];
                    let _ = stream.read(&mut buffer).await;
                    let body = r#"{"error":{"type":"x","message":"HEARD YOU"}}"#;
                    let answer = format!(
                        "HTTP/1.1 400 No\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                        body.len()
                    );
                    let _ = stream.write_all(answer.as_bytes()).await;
                    let _ = stream.shutdown().await;
                });
            }
        });
        (base, authority.pem())
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn certificates_are_trusted_as_set() {
    let (base, pem) = certificates::server().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authority.pem");
    std::fs::write(&file, pem).unwrap();
    let file = file.display().to_string();
    let run = move |roots: &str, of_system: &str, own: Option<&str>| {
        let program = Program::new()
            .with("ANTHROPIC_API_KEY", "sk-x")
            .with("SSL_CERT_FILE", of_system);
        let (roots, base) = (format!("tls.roots={roots}"), format!("base_url={base}"));
        let mut args = vec!["-S", &roots, "-S", &base, "-S", "retry.max_attempts=1"];
        let own = own.map(|own| format!("tls.ca_file={own}"));
        if let Some(own) = &own {
            args.extend(["-S", own]);
        }
        args.extend(["--model", "anthropic/claude-sonnet-4-5", "-p", "hi"]);
        program.run(&args).err
    };
    let ran = tokio::task::spawn_blocking(move || {
        [
            // The system's authorities are those of its file.
            run("system", &file, None),
            run("bundled", &file, None),
            run("bundled", "/nonexistent", Some(&file)),
        ]
    });
    let [system, bundled, own] = ran.await.unwrap();
    assert!(system.contains("HEARD YOU"), "{system}");
    assert!(!bundled.contains("HEARD YOU"), "{bundled}");
    assert!(bundled.contains("tls.ca_file"), "{bundled}");
    assert!(own.contains("HEARD YOU"), "{own}");
}
