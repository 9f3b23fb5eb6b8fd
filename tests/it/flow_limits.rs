//! Limits that servers name when they refuse: learnt for this session and later ones,
//! believed only when they can be true, forgotten when the server takes more.

use plimsoll::agent::{
    AgentEvent, CompactOptions, CompactionEvent, ContextEvent, ContextOp, Op, SessionSource,
};
use plimsoll::context::{WindowReport, WindowSource, WindowVerdict};
use plimsoll::transcript::grouped;
use serde_json::json;

use super::agent::{Agent, Harness};
use super::flow_calibration::views;
use super::flow_overflow::SUMMARY;
use super::providers::{KEY, program};
use super::server::{Reply, Say, Server, Wire, status, text};
use super::web::{Asked, Web, chat, json as answer, missing};

/// The limit of the server, and the one in the table.
const LIMIT: u64 = 32_768;
const TABLE: u64 = 128_000;

fn refusal(requested: u64, limit: u64) -> Reply {
    let message = format!("prompt is too long: {requested} tokens > {limit} maximum");
    status(400, "invalid_request_error", &message)
}

/// An answer, a refusal that names `limit`, and what recovers from it.
fn learning(limit: u64) -> [Reply; 4] {
    [
        text("first answer"),
        refusal(limit + 7_000, limit),
        text(SUMMARY),
        text("after"),
    ]
}

fn window(agent: &Agent) -> WindowReport {
    views(&agent.events).last().unwrap().window.clone()
}

fn told(agent: &Agent) -> Vec<String> {
    let notices = agent.events.iter().filter_map(|event| match event {
        AgentEvent::Notice(notice) => Some(notice.text.clone()),
        _ => None,
    });
    notices.filter(|text| text.contains("limit is")).collect()
}

async fn overflow_once(harness: &Harness) -> Agent {
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    let end = agent.ask("second question").await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "after"), "{end:?}");
    agent
}

async fn first_window(harness: &Harness) -> WindowReport {
    let mut agent = harness.start().await;
    agent
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::View(_))))
        .await;
    let window = window(&agent);
    agent.stop().await;
    window
}

#[tokio::test]
async fn a_limit_named_in_a_refusal_is_the_window_of_this_and_the_next_session() {
    let server = Server::start(Wire::OpenAi, learning(LIMIT)).await;
    let mut harness = Harness::new(&server).without_audit();
    let agent = overflow_once(&harness).await;
    let learnt = window(&agent);
    assert_eq!(
        (learnt.tokens, learnt.source),
        (Some(LIMIT), WindowSource::Refusal)
    );
    assert!(learnt.usable < LIMIT);
    let notices = told(&agent);
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(notices[0].contains("limit is 32,768 tokens, not 128,000"));
    let asked = server.body(3)["max_tokens"].as_u64().unwrap();
    assert!(asked < LIMIT, "{asked}");
    agent.stop().await;

    harness.setup.source = SessionSource::File(harness.dir.path().join("other.jsonl"));
    assert_eq!(first_window(&harness).await, learnt);
    // Another server of the same name has not said so.
    let other = Server::start(Wire::OpenAi, []).await;
    harness.setup.settings.agent.base_url = Some(other.base.clone());
    assert_eq!(first_window(&harness).await.tokens, Some(TABLE));
}

#[tokio::test]
async fn a_window_of_the_users_stays_and_the_request_goes_through() {
    let mut script = learning(LIMIT).to_vec();
    script.extend([refusal(40_000, LIMIT), text(SUMMARY), text("again")]);
    let server = Server::start(Wire::OpenAi, script).await;
    let mut harness = Harness::new(&server).window(100_000).without_audit();
    let mut agent = overflow_once(&harness).await;
    assert_eq!(window(&agent).tokens, Some(100_000));
    assert_eq!(window(&agent).source, WindowSource::User);
    let end = agent.ask("third question").await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "again"), "{end:?}");
    let notices = told(&agent);
    assert_eq!(notices.len(), 1, "said once: {notices:?}");
    assert!(notices[0].contains("32,768 tokens, not 100,000"));
    agent.stop().await;
    harness.setup.settings.context.window.user_tokens = None;
    assert_eq!(first_window(&harness).await.tokens, Some(TABLE));
}

/// The summary is longer than what the server takes, and the conversation was not.
#[tokio::test]
async fn a_limit_that_only_the_refusal_of_a_summary_names_is_learnt() {
    let long = format!("first answer {}", "lorem ipsum ".repeat(20_000));
    let server = Server::start(Wire::OpenAi, [text(long)]).await;
    server.then_for_summaries([refusal(45_000, LIMIT), text(SUMMARY)]);
    let harness = Harness::new(&server).without_audit();
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    server.then([text("second answer")]);
    agent.ask("second question").await;
    assert_eq!(window(&agent).tokens, Some(TABLE));
    agent
        .send(Op::Context(ContextOp::Compact(CompactOptions {
            yes: true,
            force: true,
            ..CompactOptions::default()
        })))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::View(view)) if view.window.tokens == Some(LIMIT)))
        .await;
    assert_eq!(window(&agent).source, WindowSource::Refusal);
    let notices = told(&agent);
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(notices[0].contains("limit is 32,768 tokens, not 128,000"));
    agent.stop().await;
    assert_eq!(first_window(&harness).await.tokens, Some(LIMIT));
}

/// The window stays; what is asked of a server that named its limit fits into it.
#[tokio::test]
async fn beside_a_window_of_the_users_the_answer_fits_into_the_named_limit() {
    const NARROW: u64 = 17_000;
    let server = Server::start(Wire::OpenAi, learning(NARROW)).await;
    let harness = Harness::new(&server).window(100_000).without_audit();
    let agent = overflow_once(&harness).await;
    let output = |at: usize| server.body(at)["max_tokens"].as_u64().unwrap();
    assert_eq!(output(1), 16_384);
    assert!(output(3) < 16_000, "{}", output(3));
    assert_eq!(window(&agent).tokens, Some(100_000));
    agent.stop().await;
}

#[tokio::test]
async fn what_cannot_be_a_limit_is_no_limit() {
    let large = |used: u64| Say::text("first answer").usage(used).reply();
    for (first, refused) in [
        // No server's window is so small, and none is above what is known.
        (text("first answer"), refusal(9_000, 413)),
        (text("first answer"), refusal(220_000, 200_000)),
        // More was taken before.
        (large(24_000), refusal(29_000, 22_000)),
        // No request of a few words has so many tokens.
        (text("first answer"), refusal(9_000_000, LIMIT)),
        (
            text("first answer"),
            status(
                400,
                "invalid_request_error",
                "maximum prompt length is 100000",
            ),
        ),
    ] {
        let script = [first, refused.clone(), text(SUMMARY), text("after")];
        let server = Server::start(Wire::OpenAi, script).await;
        let harness = Harness::new(&server).without_audit();
        let agent = overflow_once(&harness).await;
        assert_eq!(window(&agent).tokens, Some(TABLE), "{refused:?}");
        assert_eq!(told(&agent), [""; 0], "{refused:?}");
        assert!(!harness.setup.paths.limits_file().exists());
        agent.stop().await;
    }
}

/// The gauge, the file and the notice have it; a request that fits is sent all the same.
#[tokio::test]
async fn a_limit_below_the_smallest_window_is_believed_and_told() {
    const TINY: u64 = 9_000;
    let server = Server::start(Wire::OpenAi, learning(TINY)).await;
    let mut harness = Harness::new(&server).without_audit();
    let agent = overflow_once(&harness).await;
    let learnt = window(&agent);
    assert_eq!(
        (learnt.tokens, learnt.source, learnt.verdict),
        (Some(TINY), WindowSource::Refusal, WindowVerdict::Warn)
    );
    assert!(told(&agent)[0].contains("limit is 9,000 tokens, not 128,000"));
    agent.stop().await;
    harness.setup.source = SessionSource::File(harness.dir.path().join("other.jsonl"));
    assert_eq!(first_window(&harness).await.tokens, Some(TINY));
    // The user's own number is the user's to correct.
    let mut agent = harness.window(TINY).start().await;
    let end = agent.ask("hello").await;
    assert_eq!(end.error_kind, Some("window_too_small"), "{end:?}");
    agent.stop().await;
}

/// The limit that the server named counts while its refusal is recovered from: what is too
/// long is cut, nothing is summarised, and no request is made twice.
#[tokio::test]
async fn a_refusal_below_the_users_window_is_answered_by_one_cut() {
    const NARROW: u64 = 20_000;
    let server = Server::start(
        Wire::OpenAi,
        [
            Say::text("reading")
                .call("c1", "read", &json!({"path": "long.txt"}))
                .reply(),
            refusal(30_000, NARROW),
            text("after"),
        ],
    )
    .await;
    let harness = Harness::new(&server).window(200_000).without_audit();
    let line = "the quick brown fox jumps over the lazy dog 0123456789\n";
    std::fs::write(harness.setup.cwd.join("long.txt"), line.repeat(900)).unwrap();
    let mut agent = harness.start().await;
    let end = agent.ask("read it").await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "after"), "{end:?}");
    assert_eq!((server.left(), server.seen().len()), (0, 3));
    assert_ne!(server.body(1), server.body(2));
    let (refused, sent) = (server.body(1).to_string(), server.body(2).to_string());
    assert!(
        sent.len() * 2 < refused.len(),
        "{} {}",
        sent.len(),
        refused.len()
    );
    let last = window(&agent);
    assert_eq!(
        (last.tokens, last.source),
        (Some(200_000), WindowSource::User)
    );
    agent.stop().await;
}

#[tokio::test]
async fn a_limit_is_forgotten_when_the_server_takes_more() {
    let server = Server::start(Wire::OpenAi, learning(LIMIT)).await;
    let harness = Harness::new(&server).without_audit();
    let mut agent = overflow_once(&harness).await;
    server.then([Say::text("fine").usage(LIMIT + 1).reply()]);
    agent.ask(&"word".repeat(8_000)).await;
    assert_eq!(window(&agent).tokens, Some(TABLE));
    let notices = agent.stop().await;
    let is_said = notices.iter().any(|event| {
        matches!(event, AgentEvent::Notice(notice)
            if notice.text.contains("the limit of 32,768") && notice.text.contains("no longer applies"))
    });
    assert!(is_said);
    assert_eq!(first_window(&harness).await.tokens, Some(TABLE));
}

#[tokio::test]
async fn a_session_without_a_file_learns_for_itself_alone() {
    let server = Server::start(Wire::OpenAi, learning(LIMIT)).await;
    let mut harness = Harness::new(&server).without_audit();
    harness.setup.source = SessionSource::Memory;
    let agent = overflow_once(&harness).await;
    assert_eq!(window(&agent).tokens, Some(LIMIT));
    agent.stop().await;
    assert!(!harness.setup.paths.limits_file().exists());
}

/// A chat server that refuses what holds the word, with a list of models.
fn narrow(asked: &Asked) -> super::web::Answer {
    match asked.target.as_str() {
        "/v1/models" => answer(r#"{"data":[{"id":"big-model"}]}"#),
        _ if !asked.head.starts_with("POST") => missing(),
        _ if !asked.body.contains("\"tools\"") => chat(SUMMARY),
        _ if asked.body.contains("unbearable") && !asked.body.contains("SUMMARISED") => (
            400,
            "content-type: application/json\r\n".to_owned(),
            json!({"error": {"message": "prompt is too long: 45000 tokens > 32768 maximum"}})
                .to_string(),
        ),
        _ => chat("fine"),
    }
}

#[test]
fn the_program_keeps_a_named_limit_until_the_list_is_refreshed() {
    let web = Web::start(narrow);
    let plim = program()
        .with("GROQ_API_KEY", KEY)
        .with("GROQ_BASE_URL", &format!("{}/v1", web.base));
    let flags = ["-m", "groq/big-model", "-S", "audit.enabled=false"];
    let run = |more: &[&str]| plim.run(&[&flags[..], more].concat());
    assert_eq!(run(&["-p", "hello"]).code, 0);
    let ran = run(&["-c", "-p", "unbearable words"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.err.contains("limit is 32,768 tokens, not 200,000"),
        "{ran:?}"
    );
    let of = |ran: super::program::Ran| {
        let window = ran.json()["window"].clone();
        (window["tokens"].clone(), window["source"].clone())
    };
    let named = (json!(LIMIT), json!("named by the server"));
    assert_eq!(of(run(&["context", "--json"])), named);
    let doctor = run(&["doctor", "--json"]).json();
    assert_eq!(doctor["model"]["window"]["tokens"], LIMIT);
    assert_eq!(doctor["model"]["window"]["source"], "named by the server");
    let refreshed = plim.run(&["models", "--refresh"]);
    assert!(
        refreshed
            .out
            .contains("limits learnt from refusals forgotten: big-model (32,768)"),
        "{refreshed:?}"
    );
    assert_eq!(of(run(&["context", "--json"])).0, 200_000);
}

/// A command that is over at once counts as all others do.
#[test]
fn an_undone_compaction_leaves_the_size_that_is_said() {
    let plim = program();
    for turn in 0..3 {
        plim.say(&format!("what can you do, number {turn}?"));
    }
    let compacted = plim.run(&["compact", "--yes", "--force", "--extractive"]);
    assert_eq!(compacted.code, 0, "{compacted:?}");
    let undone = plim.run(&["uncompact"]);
    let context = plim.run(&["context", "--json"]).json();
    let tokens = context["usage"]["tokens"].as_u64().unwrap();
    let said = format!("the context has ~{} tokens", grouped(tokens));
    assert!(undone.out.contains(&said), "{tokens}: {undone:?}");
}

/// Every command names the same source for the same window.
#[test]
fn doctor_and_context_name_one_source_of_the_window() {
    let plim = program();
    plim.say("what can you do");
    for (text, source) in [
        (
            "[models.\"anthropic/claude-sonnet-4-5\"]\nwindow = 90000\n",
            "user",
        ),
        ("window.cap = 90000\n", "catalogue"),
        (
            "[providers.anthropic]\nmodels = [{ id = \"claude-sonnet-4-5\", window = 90000 }]\n",
            "user",
        ),
    ] {
        let file = plim.file("config.toml", text).display().to_string();
        let flags = ["--config", &file, "-m", "anthropic/claude-sonnet-4-5"];
        let run = |command: &str| {
            plim.run(&[&flags[..], &[command, "--json"]].concat())
                .json()
        };
        let (context, doctor) = (run("context"), run("doctor"));
        for window in [&context["window"], &doctor["model"]["window"]] {
            assert_eq!(window["tokens"], 90_000, "{text}: {window}");
            assert_eq!(window["source"], source, "{text}: {window}");
        }
    }
}
