//! Pruning, and the prefix that requests share: what was decided once is sent the same
//! way ever after, and equal logs give equal bytes.

use plimsoll::agent::{
    AgentEvent, Clock, CompactionEvent, ContextEvent, Op, SessionEvent, SessionSource, SettingOp,
};
use plimsoll::config::ModelOverride;
use plimsoll::context::Threshold;
use plimsoll::transcript::{ModelRef, Timestamp};
use serde_json::{Value, json};

use super::agent::{Harness, NOW_MS, messages};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Say, Server, Wire, status, text};

const FILES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];
const TEN_MINUTES_MS: i64 = 600_000;

/// Reads six files of 9,000 characters one after the other.
fn reads() -> Vec<Reply> {
    let read = |name: &&str| {
        Say::text("r")
            .call(
                &format!("call_{name}"),
                "read",
                &json!({"path": format!("{name}.txt")}),
            )
            .reply()
    };
    FILES.iter().map(read).chain([text("all read")]).collect()
}

fn with_files(harness: Harness) -> Harness {
    for name in FILES {
        harness.file(
            &format!("{name}.txt"),
            &format!("file {name} {}\n", "lorem ipsum\n".repeat(750)),
        );
    }
    harness
}

/// The messages without the marks of the prompt cache, which move by design.
pub fn plain(body: &Value) -> Vec<Value> {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.remove("cache_control");
                map.values_mut().for_each(strip);
            }
            Value::Array(list) => list.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let mut list = body["messages"].as_array().cloned().unwrap_or_default();
    list.iter_mut().for_each(strip);
    list
}

fn extends(later: &Value, earlier: &Value) {
    let (later_list, earlier_list) = (plain(later), plain(earlier));
    assert_eq!(
        later["system"].to_string().len(),
        earlier["system"].to_string().len()
    );
    assert_eq!(
        later["tools"].to_string().len(),
        earlier["tools"].to_string().len()
    );
    assert!(later_list.len() > earlier_list.len());
    for (at, (a, b)) in later_list.iter().zip(&earlier_list).enumerate() {
        assert_eq!(a, b, "message {at} changed");
    }
}

fn prunes(harness: &Harness) -> usize {
    let log = harness.log();
    log.iter()
        .filter(|line| line["customType"] == "plimsoll.prune")
        .count()
}

#[tokio::test]
async fn pruning_waits_for_a_cold_cache_and_then_stays() {
    for wire in [Wire::Anthropic, Wire::OpenAi] {
        let mut script = reads();
        script.extend([text("warm"), text("cold"), text("again")]);
        let server = Server::start(wire, script).await;
        let mut harness = with_files(Harness::new(&server).window(40_000));
        let mut agent = harness.start().await;
        agent.ask("read them").await;
        agent.ask("one more").await;
        assert_eq!(prunes(&harness), 0, "a warm cache is left alone");
        for at in 0..7 {
            extends(&server.body(at + 1), &server.body(at));
        }
        agent.stop().await;

        harness.setup.source = SessionSource::Open(harness.session());
        harness.setup.clock = Clock::new(Some(Timestamp(NOW_MS + TEN_MINUTES_MS)));
        let mut agent = harness.start().await;
        agent.ask("later").await;
        assert_eq!(prunes(&harness), 1);
        let cold = server.body(8);
        let sizes: Vec<usize> = messages(&cold)
            .iter()
            .filter(|(_, text)| text.starts_with("result:"))
            .map(|(_, text)| text.len())
            .collect();
        assert_eq!(sizes.len(), 6);
        assert!(sizes[0] < 4_000 && sizes[5] > 8_000, "{sizes:?}");
        agent.stop().await;

        harness.setup.clock = Clock::new(Some(Timestamp(NOW_MS + TEN_MINUTES_MS + 1_000)));
        let mut agent = harness.start().await;
        agent.ask("and later").await;
        assert_eq!(prunes(&harness), 1, "recorded once");
        extends(&server.body(9), &cold);
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_full_window_prunes_although_the_cache_is_warm() {
    let mut script = reads();
    script.extend([text("x"), text("y")]);
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = with_files(Harness::new(&server).window(32_000));
    let mut agent = harness.start().await;
    let end = agent.ask("read them").await;
    assert_eq!(end.text, "all read", "{end:?}");
    assert!(prunes(&harness) >= 1);
    assert!(agent.events.iter().any(|e| matches!(
        e,
        AgentEvent::Context(ContextEvent::Pruned { dry_run: false, .. })
    )));
    agent.stop().await;
}

#[tokio::test]
async fn the_same_log_gives_the_same_bytes() {
    for wire in [Wire::Anthropic, Wire::OpenAi] {
        let mut script = reads();
        script.extend([text(SUMMARY), text("x"), text("x")]);
        let server = Server::start(wire, script).await;
        let mut harness = with_files(Harness::new(&server)).without_audit();
        let mut agent = harness.start().await;
        agent.ask("read them").await;
        agent.compact(None, true).await;
        agent
            .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
            .await;
        agent.stop().await;
        let before = server.seen().len();
        for copy in ["copy1.jsonl", "copy2.jsonl"] {
            let path = harness.dir.path().join(copy);
            std::fs::copy(harness.session(), &path).unwrap();
            harness.setup.source = SessionSource::Open(path);
            let mut agent = harness.start().await;
            agent.ask("go on").await;
            agent.stop().await;
        }
        let (one, two) = (server.body(before), server.body(before + 1));
        assert_eq!(one.to_string(), two.to_string());
    }
}

#[tokio::test]
async fn a_line_that_is_always_exceeded_does_not_compact_without_end() {
    let script: Vec<Reply> = (0..60).map(|_| text(SUMMARY)).collect();
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).window(40_000).set(|s| {
        s.context.audit.enabled = false;
        s.context.compaction.threshold = Some(Threshold::Tokens(100));
    });
    let mut agent = harness.start().await;
    for turn in 0..4 {
        let end = agent.ask(&format!("question {turn}")).await;
        assert_eq!(end.exit_code, 0, "{end:?}");
    }
    // An answer, a summary before it and one after it, per turn.
    assert!(server.seen().len() <= 4 * 3, "{}", server.seen().len());
    agent.stop().await;
}

#[tokio::test]
async fn another_model_goes_on_with_the_same_conversation() {
    let server = Server::start(Wire::Anthropic, [text("one"), text("two")]).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("first").await;
    agent
        .send(Op::Setting(SettingOp::Model(ModelRef::new(
            "anthropic",
            "claude-haiku-4-5",
        ))))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Session(SessionEvent::ModelSwitched { .. })))
        .await;
    agent.ask("second").await;
    let body = server.body(1);
    assert_eq!(body["model"], "claude-haiku-4-5");
    assert_eq!(messages(&body).len(), 3);
    agent.stop().await;
}

#[tokio::test]
async fn a_chain_that_names_the_model_itself_ends() {
    let server = Server::start(Wire::Anthropic, (0..9).map(|_| status(401, "x", "no"))).await;
    let harness = Harness::new(&server).set(|s| {
        s.agent.fallback_models = ["claude-haiku-4-5", "claude-sonnet-4-5", "claude-haiku-4-5"]
            .map(|model| ModelRef::new("anthropic", model))
            .to_vec();
    });
    let mut agent = harness.start().await;
    assert_eq!(agent.ask("hi").await.exit_code, 3);
    assert_eq!(server.seen().len(), 2);
    agent.stop().await;
}

#[tokio::test]
async fn a_model_with_too_small_a_window_is_passed_over() {
    let server = Server::start(Wire::Anthropic, [text("one")]).await;
    let harness = Harness::new(&server).set(|s| {
        let small = |tokens| ModelOverride {
            window_tokens: Some(tokens),
            ..ModelOverride::default()
        };
        s.models
            .insert("anthropic/claude-sonnet-4-5".to_owned(), small(10_000));
        s.models
            .insert("anthropic/claude-opus-4-1".to_owned(), small(12_000));
        s.agent.fallback_models = ["claude-opus-4-1", "claude-haiku-4-5"]
            .map(|model| ModelRef::new("anthropic", model))
            .to_vec();
    });
    let mut agent = harness.start().await;
    let end = agent.ask("hi").await;
    assert_eq!(end.exit_code, 0, "{end:?}");
    assert_eq!(server.body(0)["model"], "claude-haiku-4-5");
    agent.stop().await;
}

#[tokio::test]
async fn what_the_provider_counted_decides_about_compaction() {
    // 31,000 of 30,000 usable tokens by the provider's own count, far less by the ruler.
    let long = "lorem ipsum ".repeat(4_000);
    let server = Server::start(
        Wire::OpenAi,
        [
            text("one"),
            Say::text("two").usage(31_000).reply(),
            text(SUMMARY),
            text("three"),
        ],
    )
    .await;
    let harness = Harness::new(&server).window(40_000).without_audit();
    let mut agent = harness.start().await;
    agent.ask(&long).await;
    agent.ask("next").await;
    let end = agent.ask("last").await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "three"), "{end:?}");
    let last = server.seen().pop().unwrap();
    assert!(last.to_string().contains("SUMMARISED"));
    agent.stop().await;
}

#[tokio::test]
async fn auto_continue_sends_the_continue_message() {
    let long = "lorem ipsum ".repeat(4_000);
    let server = Server::start(
        Wire::OpenAi,
        [
            text("one"),
            Say::text("two").usage(31_000).reply(),
            text(SUMMARY),
            text("three"),
        ],
    )
    .await;
    let harness = Harness::new(&server).window(40_000).set(|s| {
        s.context.audit.enabled = false;
        s.context.compaction.auto_continue = true;
    });
    let mut agent = harness.start().await;
    agent.ask(&long).await;
    let end = agent.ask("next").await;
    // The answer is not lost for what comes after it.
    assert_eq!(
        (end.exit_code, end.text.as_str()),
        (0, "two\n\nthree"),
        "{end:?}"
    );
    let (role, text) = messages(&server.body(3)).pop().unwrap();
    assert!(role == "user" && text.contains("next steps"), "{text}");
    agent.stop().await;
}

#[tokio::test]
async fn with_a_fake_clock_two_sessions_are_equal_line_by_line() {
    let mut logs = Vec::new();
    for _ in 0..2 {
        let server = Server::start(Wire::Anthropic, vec![text("hello")]).await;
        let mut harness = Harness::new(&server);
        harness.setup.clock = Clock::fake(Timestamp(NOW_MS), 1);
        let mut agent = harness.start().await;
        agent.ask("hi").await;
        agent.stop().await;
        // The header names the folder.
        logs.push(harness.log().split_off(1));
    }
    assert!(!logs[0].is_empty());
    assert_eq!(logs[0], logs[1]);
}
