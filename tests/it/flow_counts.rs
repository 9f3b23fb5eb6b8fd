//! Numbers: whose they are, when they are believed, and that what nobody sent decides nothing.

use plimsoll::agent::{
    AgentEvent, CompactionEvent, ContextEvent, ContextOp, Op, SessionEvent, SessionOp,
    SessionSource, TurnOp,
};
use plimsoll::context::{Category, ContextView, Threshold};
use plimsoll::transcript::{EntryId, Image};
use serde_json::{Value, json};

use super::agent::{Agent, Harness, has_no_tools};
use super::flow_calibration::views;
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Say, Server, Wire, status, text};

fn counted(tokens: u64) -> Reply {
    Say::text("well").usage(tokens).reply()
}

/// About this many tokens.
fn words(tokens: usize) -> String {
    "word".repeat(tokens)
}

fn newest_view(agent: &Agent) -> ContextView {
    views(&agent.events).last().unwrap().clone()
}

fn disbeliefs(events: &[AgentEvent]) -> usize {
    let is_it = |event: &&AgentEvent| matches!(event, AgentEvent::Notice(it) if it.text.contains("implausible"));
    events.iter().filter(is_it).count()
}

/// Requests for summaries so far.
fn summaries(server: &Server) -> usize {
    server
        .seen()
        .iter()
        .filter(|body| has_no_tools(body))
        .count()
}

/// The request after a tool ran, while this was in the composer.
async fn request_with_draft(draft: Option<&str>) -> (String, usize) {
    let slow = json!({"command": "sleep 1"});
    let script = [
        Say::text("").call("t1", "shell", &slow).reply(),
        text("done"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).window(60_000).set(|s| {
        s.context.compaction.threshold = Some(Threshold::Tokens(12_000));
        s.context.compaction.tail.turns = Some(1);
    });
    let mut agent = harness.start().await;
    agent.say(&words(4_000)).await;
    if let Some(draft) = draft {
        let (text, images) = (draft.to_owned(), Vec::new());
        agent.send(Op::Turn(TurnOp::Draft { text, images })).await;
        let is_on_gauge = |event: &AgentEvent| matches!(event, AgentEvent::Context(ContextEvent::View(view)) if view.usage.by_category.get(Category::Pending) > 0);
        agent.until(is_on_gauge).await;
    }
    agent.turn_end().await;
    let place = harness.dir.path().canonicalize().unwrap();
    let sent = server.body(1).to_string();
    let count = server.seen().len();
    agent.stop().await;
    (sent.replace(&place.display().to_string(), "DIR"), count)
}

#[tokio::test]
async fn what_stands_in_the_composer_changes_no_request_and_starts_no_compaction() {
    let (without, requests) = request_with_draft(None).await;
    assert_eq!(requests, 2);
    let (with, requests) = request_with_draft(Some(&words(20_000))).await;
    assert_eq!(requests, 2, "no summary was asked for");
    assert_eq!(with, without);
}

#[tokio::test]
async fn an_attached_picture_counts_before_it_is_sent() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    let image = Image {
        data: "aGVsbG8=".into(),
        mime: "image/png".to_owned(),
        name: None,
    };
    let (text, images) = ("look".to_owned(), vec![image]);
    agent.send(Op::Turn(TurnOp::Draft { text, images })).await;
    agent
        .until(|event| matches!(event, AgentEvent::Context(ContextEvent::View(view)) if view.usage.by_category.get(Category::Pending) > 1_000))
        .await;
    agent.stop().await;
}

#[tokio::test]
async fn a_count_that_cannot_be_right_is_said_once_and_neither_shown_nor_learnt() {
    let server = Server::start(Wire::OpenAi, [1, 40, 40, 900_000].map(counted)).await;
    let harness = Harness::new(&server).window(120_000);
    let check = |view: &ContextView, at_least: u64| {
        assert!(!view.usage.exact);
        assert!(
            (at_least..at_least + 4_000).contains(&view.usage.tokens),
            "{}",
            view.usage.tokens
        );
        assert_eq!(view.ruler.samples, 0);
    };
    let mut agent = harness.start().await;
    for n in 1..=3 {
        agent.ask(&words(5_000)).await;
        check(&newest_view(&agent), 5_000 * n);
    }
    assert_eq!(disbeliefs(&agent.stop().await), 1);
    let mut agent = harness.start().await;
    agent.ask("and now far too much").await;
    check(&newest_view(&agent), 15_000);
    let events = agent.stop().await;
    assert_eq!(disbeliefs(&events), 0, "the log remembers that it was said");
    let is_compaction = |event: &AgentEvent| {
        matches!(
            event,
            AgentEvent::Compaction(CompactionEvent::Started { .. })
                | AgentEvent::Context(ContextEvent::Overflow { .. })
        )
    };
    assert!(!events.iter().any(is_compaction));
    assert!(!harness.setup.paths.calibration_file().exists());
    assert_eq!(summaries(&server), 0);
}

#[tokio::test]
async fn a_count_that_can_be_right_is_shown_and_the_same_after_a_restart() {
    let server = Server::start(Wire::OpenAi, [counted(8_000)]).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask(&words(5_000)).await;
    let before = newest_view(&agent);
    assert!(before.usage.exact);
    assert_eq!(before.usage.tokens, 8_010);
    agent.stop().await;
    let mut agent = harness.start().await;
    agent
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::View(_))))
        .await;
    assert_eq!(newest_view(&agent).usage, before.usage);
    agent.stop().await;
}

/// What another program sent with its prompt nobody knows here.
#[tokio::test]
async fn usage_that_another_program_reported_is_not_taken_for_ours() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = Harness::new(&server);
    let usage = json!({"input": 12, "output": 9, "cacheRead": 30_000, "cacheWrite": 7_000, "totalTokens": 37_021,
        "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0}});
    let answer = json!({"role": "assistant", "content": [{"type": "text", "text": "hello"}], "api": "anthropic-messages",
        "provider": "anthropic", "model": "claude-sonnet-4-5", "usage": usage, "stopReason": "stop", "timestamp": 2});
    let lines: [Value; 3] = [
        json!({"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/w"}),
        json!({"type": "message", "id": "a0000001", "parentId": null, "timestamp": "2026-01-01T00:00:01Z",
            "message": {"role": "user", "content": "hi", "timestamp": 1}}),
        json!({"type": "message", "id": "a0000002", "parentId": "a0000001", "timestamp": "2026-01-01T00:00:02Z", "message": answer}),
    ];
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    let log = lines.join("\n") + "\n";
    std::fs::write(harness.session(), log).unwrap();
    let mut agent = harness.start().await;
    agent
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::View(_))))
        .await;
    let view = newest_view(&agent);
    assert!(
        !view.usage.exact && view.usage.tokens < 6_000,
        "{}",
        view.usage.tokens
    );
    agent.stop().await;
}

#[tokio::test]
async fn a_fork_counts_what_its_source_counted() {
    let lessons = [9_000, 17_000, 23_000, 40_000, 41_000];
    let server = Server::start(Wire::Anthropic, lessons.map(counted)).await;
    let harness = Harness::new(&server).window(900_000);
    let mut agent = harness.start().await;
    for tokens in [5_000, 6_000, 4_000, 12_000] {
        agent.ask(&words(tokens)).await;
    }
    let before = newest_view(&agent);
    let numbers =
        |view: &ContextView| -> Vec<u64> { view.items.iter().map(|item| item.tokens).collect() };
    agent.send(Op::Session(SessionOp::Fork(None))).await;
    agent
        .until(|e| matches!(e, AgentEvent::Session(SessionEvent::Opened(_))))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::View(_))))
        .await;
    let after = newest_view(&agent);
    assert_eq!(numbers(&after), numbers(&before));
    assert_eq!(
        (after.ruler.calibration, after.ruler.fixed_tokens),
        (before.ruler.calibration, before.ruler.fixed_tokens)
    );
    agent.stop().await;
}

/// A pinned message that alone is beyond the load line: a summary of the rest does not help.
async fn beyond_the_line(server: &Server) -> Harness {
    let harness = Harness::new(server)
        .window(40_000)
        .without_audit()
        .set(|s| {
            s.context.compaction.threshold = Some(Threshold::Tokens(8_000));
            s.context.compaction.tail.turns = Some(1);
            s.context.compaction.tail.tokens = Some(40);
        });
    let mut agent = harness.start().await;
    agent.ask(&words(8_000)).await;
    let asked = harness.log();
    let asked = asked
        .iter()
        .find(|line| line["message"]["role"] == "user")
        .unwrap();
    let asked = EntryId::new(asked["id"].as_str().unwrap());
    agent.send(Op::Context(ContextOp::Pin(asked))).await;
    agent
        .until(|e| matches!(e, AgentEvent::Session(SessionEvent::Entry(_))))
        .await;
    // What there is to summarise frees next to nothing.
    agent.ask(&words(450)).await;
    agent.ask("second").await;
    agent.stop().await;
    harness
}

#[tokio::test]
async fn a_compaction_that_did_not_help_is_not_repeated_until_the_view_has_grown() {
    let server = Server::start(Wire::Anthropic, (0..8).map(|_| text("well"))).await;
    server.then_for_summaries((0..3).map(|_| text(SUMMARY)));
    let harness = beyond_the_line(&server).await;
    assert_eq!(summaries(&server), 1);
    for said in ["third", "fourth"] {
        // Also after a restart.
        let mut agent = harness.start().await;
        agent.ask(said).await;
        let view = newest_view(&agent);
        assert!(view.compaction.due && view.compaction.waits_for.is_some());
        agent.stop().await;
    }
    assert_eq!(summaries(&server), 1);
    let mut agent = harness.start().await;
    agent.ask(&words(4_000)).await;
    agent.ask("and now?").await;
    assert_eq!(summaries(&server), 2, "the view has grown");
    agent.stop().await;
}

#[tokio::test]
async fn after_a_compaction_whose_request_failed_the_next_message_is_not_sent_beyond_the_line() {
    let refused = status(400, "invalid_request_error", "no");
    let server = Server::start(Wire::Anthropic, [text("well"), refused, text("after")]).await;
    server.then_for_summaries((0..3).map(|_| text(SUMMARY)));
    let harness = Harness::new(&server)
        .window(60_000)
        .without_audit()
        .set(|s| {
            s.context.compaction.threshold = Some(Threshold::Tokens(14_000));
            s.context.compaction.tail.turns = Some(1);
            s.context.compaction.tail.tokens = Some(40);
        });
    let mut agent = harness.start().await;
    agent.ask(&words(7_000)).await;
    let end = agent.ask(&words(5_000)).await;
    assert_ne!(end.exit_code, 0);
    assert_eq!(summaries(&server), 1);
    let end = agent.ask(&words(6_000)).await;
    assert_eq!((end.text.as_str(), summaries(&server)), ("after", 2));
    let sent = server.seen().pop().unwrap().to_string();
    assert!(sent.len() < 14_000 * 4, "{}", sent.len());
    agent.stop().await;
}

#[tokio::test]
async fn a_session_that_is_forked_and_opened_again_counts_the_same() {
    let server = Server::start(Wire::OpenAi, [counted(9_000), counted(18_000)]).await;
    let mut harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask(&words(5_000)).await;
    agent.ask(&words(6_000)).await;
    agent.send(Op::Session(SessionOp::Fork(None))).await;
    agent
        .until(|e| matches!(e, AgentEvent::Session(SessionEvent::Opened(_))))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::View(_))))
        .await;
    let before = newest_view(&agent);
    let opened = agent.events.iter().rev().find_map(|event| match event {
        AgentEvent::Session(SessionEvent::Opened(info)) => info.path.clone(),
        _ => None,
    });
    agent.stop().await;
    harness.setup.source = SessionSource::Open(opened.unwrap());
    let mut agent = harness.start().await;
    agent
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::View(_))))
        .await;
    let after = newest_view(&agent);
    assert_eq!((after.usage, after.ruler), (before.usage, before.ruler));
    agent.stop().await;
}
