//! Token counts of providers: kept for later sessions, and taken from a refusal.

use std::path::PathBuf;

use plimsoll::agent::{AgentEvent, ContextEvent, SessionSource};
use plimsoll::context::{CapSource, Category, ContextView, RulerKind};
use serde_json::Value;

use super::agent::Harness;
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Say, Server, Wire, status, text};

/// Every request costs this much beyond what is said.
const FIXED_TOKENS: u64 = 15_000;

/// Answers that count `FIXED_TOKENS` and a share of what was asked.
fn counted(estimates: &[u64]) -> Vec<Reply> {
    let reply = |tokens: &u64| Say::text("ok").usage(FIXED_TOKENS + tokens).reply();
    estimates.iter().map(reply).collect()
}

pub fn views(events: &[AgentEvent]) -> impl DoubleEndedIterator<Item = &ContextView> {
    events.iter().filter_map(|event| match event {
        AgentEvent::Context(ContextEvent::View(view)) => Some(view.as_ref()),
        _ => None,
    })
}

fn file(harness: &Harness) -> PathBuf {
    harness.setup.paths.calibration_file()
}

/// Five requests of growing size.
async fn teach(harness: &Harness) {
    let mut agent = harness.start().await;
    for n in 1..=5 {
        agent.ask(&"word ".repeat(n * 4_000)).await;
    }
    agent.stop().await;
}

fn lessons() -> Vec<Reply> {
    counted(&[8_000, 24_000, 48_000, 80_000, 120_000])
}

fn roomy(server: &Server) -> Harness {
    Harness::new(server).window(900_000)
}

#[tokio::test]
async fn a_new_session_begins_with_what_the_one_before_learnt() {
    let server = Server::start(Wire::Anthropic, lessons()).await;
    let mut harness = roomy(&server);
    teach(&harness).await;
    harness.setup.source = SessionSource::File(harness.dir.path().join("other.jsonl"));
    let mut agent = harness.start().await;
    agent
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::View(_))))
        .await;
    let view = views(&agent.events).last().unwrap().clone();
    assert_eq!(view.ruler.samples, 5);
    // System prompt and tools are estimated too; the server counts them as fixed.
    let frame: u64 = view
        .items
        .iter()
        .filter(|item| matches!(item.category, Category::System | Category::Tools))
        .map(|item| item.estimate_tokens)
        .sum();
    let fixed = view.ruler.fixed_tokens + frame as f64 * view.ruler.calibration;
    assert!(
        (fixed - FIXED_TOKENS as f64).abs() < 1_000.0,
        "{fixed}: {:?}",
        view.ruler
    );
    assert!(
        (view.ruler.calibration - 1.6).abs() < 0.1,
        "{:?}",
        view.ruler
    );
    assert!(view.ruler.margin < 1.2 && !view.usage.exact);
    assert!(
        view.usage.tokens > FIXED_TOKENS * 9 / 10,
        "{}",
        view.usage.tokens
    );
    agent.stop().await;
}

#[tokio::test]
async fn a_session_that_is_resumed_does_not_learn_twice() {
    let server = Server::start(Wire::Anthropic, lessons()).await;
    let harness = roomy(&server);
    teach(&harness).await;
    let mut agent = harness.start().await;
    agent
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::View(_))))
        .await;
    assert_eq!(views(&agent.events).last().unwrap().ruler.samples, 5);
    agent.stop().await;
}

#[tokio::test]
async fn a_session_without_a_file_reads_and_leaves_nothing() {
    let server = Server::start(Wire::Anthropic, [lessons(), counted(&[9])].concat()).await;
    let mut harness = roomy(&server);
    teach(&harness).await;
    let before = std::fs::read(file(&harness)).unwrap();
    harness.setup.source = SessionSource::Memory;
    let mut agent = harness.start().await;
    agent.ask("hello").await;
    assert_eq!(views(&agent.events).next().unwrap().ruler.samples, 5);
    agent.stop().await;
    assert_eq!(std::fs::read(file(&harness)).unwrap(), before);
}

#[tokio::test]
async fn a_broken_file_costs_what_was_learnt_and_nothing_else() {
    let server = Server::start(Wire::Anthropic, counted(&[8_000])).await;
    let harness = roomy(&server);
    std::fs::create_dir_all(file(&harness).parent().unwrap()).unwrap();
    std::fs::write(file(&harness), "{\"models\": {\"anthropic/cl").unwrap();
    let mut agent = harness.start().await;
    let end = agent.ask("hello").await;
    assert_eq!(end.exit_code, 0);
    agent.stop().await;
    let text = std::fs::read_to_string(file(&harness)).unwrap();
    let written: Value = serde_json::from_str(&text).unwrap();
    let samples = &written["models"]["anthropic/claude-sonnet-4-5"];
    assert_eq!(samples.as_array().map(Vec::len), Some(1), "{text}");
}

#[tokio::test]
async fn answers_that_count_zero_teach_nothing() {
    let server = Server::start(Wire::OpenAi, [Say::text("a").usage(0).reply()]).await;
    let harness = roomy(&server);
    let mut agent = harness.start().await;
    agent.ask("hello").await;
    assert!(!file(&harness).exists());
    let last = views(&agent.events).last().unwrap();
    assert!(!last.usage.exact && last.ruler.samples == 0);
    agent.stop().await;
}

#[tokio::test]
async fn the_count_of_a_refusal_replaces_the_estimate_and_teaches() {
    let refusal = status(
        400,
        "invalid_request_error",
        "prompt is too long: 61000 tokens > 60000 maximum",
    );
    let replies = [text("first answer"), refusal, text(SUMMARY), text("after")];
    let server = Server::start(Wire::Anthropic, replies).await;
    let harness = Harness::new(&server).window(60_000).set(|s| {
        s.context.audit.enabled = false;
        s.context.ruler = RulerKind::Chars4;
    });
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    // The ruler says 25,000 tokens: far below the load line.
    let end = agent.ask(&"word ".repeat(20_000)).await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "after"), "{end:?}");
    let at_refusal = views(&agent.events).find(|view| view.usage.tokens == 61_000);
    let view = at_refusal.expect("the view shows what the provider counted");
    assert!(view.usage.exact && view.ruler.samples > 0);
    let logged = harness.log();
    let sample = logged.iter().find(|line| line["data"]["refused"] == true);
    assert_eq!(sample.unwrap()["data"]["actualTokens"], 61_000);
    assert!(file(&harness).exists());
    agent.stop().await;
}

#[tokio::test]
async fn a_cap_of_the_agent_lowers_its_window_and_is_named() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = Harness::new(&server).set(|s| {
        s.context.window.cap_tokens = Some(120_000);
        s.context.window.agent_cap_tokens = Some(90_000);
    });
    let mut agent = harness.start().await;
    agent
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::View(_))))
        .await;
    let window = views(&agent.events).last().unwrap().window.clone();
    assert_eq!(window.tokens, Some(90_000));
    assert_eq!(window.capped_by, Some(CapSource::Agent));
    assert_eq!(window.uncapped_tokens, Some(200_000));
    agent.stop().await;
}
