//! The fallback chain, by the requests that go out: whom a failure moves on to, and what
//! moves nowhere.

use plimsoll::agent::{AgentEvent, AnswerEvent, SessionEvent};
use plimsoll::transcript::ModelRef;
use serde_json::json;

use super::agent::{Agent, Harness};
use super::server::{Reply, Server, Wire, status, text};

const HOME: &str = "claude-sonnet-4-5";
const FIRST: &str = "claude-opus-4-1";
const SECOND: &str = "claude-haiku-4-5";

fn harness(server: &Server, chain: &[&str], tries: u32) -> Harness {
    Harness::new(server).set(|s| {
        let chain = chain.iter().map(|name| ModelRef::new("anthropic", *name));
        s.agent.fallback_models = chain.collect();
        s.agent.network.retry_max_attempts = tries;
    })
}

fn asked(server: &Server) -> Vec<String> {
    let of = |body: &serde_json::Value| body["model"].as_str().unwrap().to_owned();
    server.seen().iter().map(of).collect()
}

fn reasons(agent: &Agent) -> Vec<String> {
    let of = |event: &AgentEvent| match event {
        AgentEvent::Session(SessionEvent::ModelSwitched { reason, .. }) => Some(reason.clone()),
        _ => None,
    };
    agent.events.iter().filter_map(of).collect()
}

/// A refusal that asks to come back after so many milliseconds.
fn limited(code: u16, after_ms: u64) -> Reply {
    let body =
        json!({"type": "error", "error": {"type": "rate_limit_error", "message": "slow down"}});
    let header = ("retry-after-ms", after_ms.to_string());
    Reply::Status(code, vec![header], body.to_string())
}

#[tokio::test]
async fn a_key_that_is_refused_moves_on_at_once_and_down_the_chain() {
    for code in [401, 403] {
        let no = || status(code, "authentication_error", "no");
        let server = Server::start(Wire::Anthropic, [no(), no(), text("ok")]).await;
        let harness = harness(&server, &[FIRST, SECOND], 8);
        let mut agent = harness.start().await;
        let end = agent.ask("hi").await;
        assert_eq!(
            (end.exit_code, end.text.as_str()),
            (0, "ok"),
            "{code} {end:?}"
        );
        assert_eq!(asked(&server), [HOME, FIRST, SECOND]);
        let reasons = reasons(&agent);
        assert!(
            reasons[0].contains(HOME) && reasons[1].contains(FIRST),
            "{reasons:?}"
        );
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_limit_or_overload_moves_on_after_its_second_try() {
    for code in [429, 529, 503] {
        let script = [limited(code, 5), limited(code, 5), text("ok")];
        let server = Server::start(Wire::Anthropic, script).await;
        let harness = harness(&server, &[FIRST], 8);
        let mut agent = harness.start().await;
        let end = agent.ask("hi").await;
        assert_eq!(
            (end.exit_code, end.text.as_str()),
            (0, "ok"),
            "{code} {end:?}"
        );
        assert_eq!(asked(&server), [HOME, HOME, FIRST]);
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_wait_of_hours_is_not_waited_for_when_another_model_can_answer() {
    let script = [limited(429, 7_200_000), text("ok")];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = harness(&server, &[FIRST], 8);
    let mut agent = harness.start().await;
    // No test waits for hours.
    assert_eq!(agent.ask("hi").await.text, "ok");
    assert_eq!(asked(&server), [HOME, FIRST]);
    agent.stop().await;
}

#[tokio::test]
async fn when_the_chain_ends_the_last_failure_is_said_and_nobody_is_asked_twice() {
    let no = || status(401, "authentication_error", "no");
    let server = Server::start(Wire::Anthropic, [no(), no(), text("never")]).await;
    let harness = harness(&server, &[HOME, FIRST, HOME], 8);
    let mut agent = harness.start().await;
    let end = agent.ask("hi").await;
    assert_eq!(end.exit_code, 3, "{end:?}");
    assert_eq!(asked(&server), [HOME, FIRST]);
    assert_eq!(server.left(), 1);
    agent.stop().await;
}

#[tokio::test]
async fn a_request_that_is_wrong_in_itself_moves_nowhere() {
    let bad = status(400, "invalid_request_error", "temperature: no such field");
    let server = Server::start(Wire::Anthropic, [bad, text("never")]).await;
    let harness = harness(&server, &[FIRST], 8);
    let mut agent = harness.start().await;
    let end = agent.ask("hi").await;
    assert_eq!(end.exit_code, 1, "{end:?}");
    assert_eq!(asked(&server), [HOME]);
    agent.stop().await;
}

/// A minute of the wait passes on the test's clock, the last second for real.
#[tokio::test]
async fn a_wait_of_more_than_a_minute_is_told_of_anew_and_ends_when_it_should() {
    let after = |wanted: u64| move |event: &AgentEvent| matches!(event, AgentEvent::Stream(AnswerEvent::Retrying { after, .. }) if after.as_secs() == wanted);
    let script = [limited(429, 61_000), text("ok")];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = harness(&server, &[], 8);
    let mut agent = harness.start().await;
    agent.say("hi").await;
    agent.until(after(61)).await;
    tokio::time::pause();
    tokio::time::advance(std::time::Duration::from_mins(1)).await;
    tokio::time::resume();
    agent.until(after(1)).await;
    assert_eq!(server.seen().len(), 1, "it has not come back yet");
    let end = agent.turn_end().await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "ok"), "{end:?}");
    agent.stop().await;
}
