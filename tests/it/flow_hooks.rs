//! Hooks: real shell scripts that stop compactions, write summaries, add messages, and
//! misbehave; and what is sent then.

use std::time::Instant;

use plimsoll::agent::{
    AgentEvent, AnswerEvent, CompactionEvent, ContextEvent, Op, SessionEvent, TurnOp,
};
use plimsoll::config::HookSettings;
use plimsoll::context::Threshold;
use plimsoll::transcript::{Author, NoteKind};
use serde_json::Value;

use super::agent::{Agent, Harness, has_no_tools, joined};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Server, Wire, text};

/// An agent with hooks. Scripts are written into its working directory.
async fn agent(server: &Server, change: impl FnOnce(&mut HookSettings)) -> (Harness, Agent) {
    let harness = Harness::new(server).set(|s| {
        s.context.audit.enabled = false;
        change(&mut s.hooks);
    });
    let agent = harness.start().await;
    (harness, agent)
}

/// One that a summary is shorter than.
fn long_answer() -> Reply {
    text(format!("answer {}", "and so on ".repeat(200)))
}

fn warnings(agent: &Agent) -> Vec<String> {
    let of = |event: &AgentEvent| match event {
        AgentEvent::Notice(notice) if notice.text.contains("is ignored") => {
            assert!(notice.hint.as_ref().unwrap().contains("hooks."));
            Some(notice.text.clone())
        }
        _ => None,
    };
    agent.events.iter().filter_map(of).collect()
}

fn is_over(event: &AgentEvent) -> bool {
    matches!(
        event,
        AgentEvent::Compaction(
            CompactionEvent::Applied { .. }
                | CompactionEvent::Cancelled { .. }
                | CompactionEvent::Failed { .. }
        )
    )
}

#[tokio::test]
async fn before_request_adds_messages_that_are_counted_shown_and_kept() {
    let server = Server::start(Wire::Anthropic, [text("one"), text("two")]).await;
    let (harness, mut agent) = agent(&server, |hooks| {
        let script = "cat > told; echo '{\"messages\":[\"the build is red\"]}'";
        hooks.before_request = Some(script.to_owned());
    })
    .await;
    agent.ask("first question").await;
    agent.ask("second question").await;
    let told: Value =
        serde_json::from_str(&std::fs::read_to_string(harness.setup.cwd.join("told")).unwrap())
            .unwrap();
    assert_eq!(told["hook"], "before_request");
    assert_eq!(told["newest_user_message"], "second question");
    assert!(told["tokens"].as_u64().unwrap() > 0);
    // It is part of the first request, and the same words are not added again.
    for at in [0, 1] {
        let all = joined(&server.body(at));
        assert_eq!(all.matches("the build is red").count(), 1, "{all}");
    }
    let before = agent
        .events
        .iter()
        .position(|e| matches!(e, AgentEvent::Stream(AnswerEvent::RequestStarted { .. })))
        .unwrap();
    let is_counted = agent.events[..before].iter().any(|event| match event {
        AgentEvent::Context(ContextEvent::View(view)) => view
            .items
            .iter()
            .any(|item| item.author == Author::Note(NoteKind::Hook) && item.tokens > 0),
        _ => false,
    });
    assert!(is_counted, "the view shows it before the request leaves");
    let log = harness.log();
    let kept = log.iter().filter(|l| l["customType"] == "plimsoll.hook");
    assert_eq!(kept.count(), 1);
    agent.stop().await;
}

#[tokio::test]
async fn before_compact_may_cancel_with_a_reason() {
    let server = Server::start(Wire::Anthropic, [text("answer")]).await;
    let (harness, mut agent) = agent(&server, |hooks| {
        hooks.before_compact = Some("echo '{\"cancel\":\"not during a deploy\"}'".to_owned());
    })
    .await;
    agent.ask("question").await;
    let before = std::fs::read(harness.session()).unwrap();
    agent.compact(None, true).await;
    let event = agent.until(is_over).await;
    let AgentEvent::Compaction(CompactionEvent::Cancelled { reason }) = event else {
        panic!("{event:?}")
    };
    assert!(reason.contains("not during a deploy"), "{reason}");
    assert_eq!(std::fs::read(harness.session()).unwrap(), before);
    assert_eq!(server.seen().len(), 1);
    agent.stop().await;
}

#[tokio::test]
async fn before_compact_may_give_context_instructions_and_messages() {
    let script = [long_answer(), text(SUMMARY)];
    let server = Server::start(Wire::Anthropic, script).await;
    let (harness, mut agent) = agent(&server, |hooks| {
        hooks.before_compact = Some("cat > told; cat reply.json".to_owned());
    })
    .await;
    harness.file(
        "reply.json",
        r#"{"context": "ticket OPS-4711 is open", "prompt": "keep the ports",
            "messages": [{"role": "user", "text": "rewritten question"},
                         {"role": "assistant", "text": "rewritten answer"}]}"#,
    );
    agent.ask("original question").await;
    agent.compact(Some("keep nothing"), true).await;
    let event = agent.until(is_over).await;
    assert!(
        matches!(
            event,
            AgentEvent::Compaction(CompactionEvent::Applied { .. })
        ),
        "{event:?}"
    );
    let told: Value =
        serde_json::from_str(&std::fs::read_to_string(harness.setup.cwd.join("told")).unwrap())
            .unwrap();
    assert_eq!(told["trigger"], "manual");
    assert_eq!(told["instructions"], "keep nothing");
    assert!(told["messages"].to_string().contains("answer"), "{told}");
    let asked = server.body(1).to_string();
    for part in [
        "OPS-4711",
        "keep the ports",
        "rewritten question",
        "rewritten answer",
    ] {
        assert!(asked.contains(part), "{part}: {asked}");
    }
    assert!(!asked.contains("keep nothing"), "{asked}");
    agent.stop().await;
}

#[tokio::test]
async fn before_compact_may_bring_the_summary_and_after_compact_is_told() {
    let server = Server::start(Wire::Anthropic, [long_answer(), text("later")]).await;
    let (harness, mut agent) = agent(&server, |hooks| {
        hooks.before_compact = Some("cat summary.json".to_owned());
        hooks.after_compact = Some("cat > after.json".to_owned());
    })
    .await;
    harness.file("summary.json", r###"{"summary": "## Goal\nSUPPLIED"}"###);
    agent.ask("question").await;
    agent.compact(None, true).await;
    let event = agent.until(is_over).await;
    let AgentEvent::Compaction(CompactionEvent::Applied { compaction, .. }) = event else {
        panic!("{event:?}")
    };
    assert!(compaction.from_hook && compaction.details.model == "hook");
    agent.ask("next").await;
    let all = joined(&server.body(1));
    assert!(all.contains("SUPPLIED"), "{all}");
    assert_eq!(server.seen().len(), 2, "no model was asked for a summary");
    let after = std::fs::read_to_string(harness.setup.cwd.join("after.json")).unwrap();
    let after: Value = serde_json::from_str(&after).unwrap();
    assert_eq!(after["hook"], "after_compact");
    assert!(after["summary"].as_str().unwrap().contains("SUPPLIED"));
    assert!(after["tokens_after"].as_u64().is_some());
    agent.stop().await;
}

#[tokio::test]
async fn auto_continue_is_decided_by_its_hook() {
    // Without a hook the setting decides; the hook may say otherwise either way.
    for (setting, script, goes_on) in [
        (true, "echo '{\"continue\":false}'", false),
        (false, "echo '{\"continue\":true}'", true),
        (true, "true", true),
    ] {
        let long = format!("answer {}", "lorem ipsum ".repeat(1_500));
        let mut replies: Vec<_> = (0..3).map(|_| text(long.clone())).collect();
        replies.extend([text(SUMMARY), text("went on")]);
        let server = Server::start(Wire::Anthropic, replies).await;
        let harness = Harness::new(&server).window(20_000).set(|s| {
            s.context.audit.enabled = false;
            s.context.compaction.threshold = Some(Threshold::Tokens(14_000));
            s.context.compaction.tail.turns = Some(1);
            s.context.compaction.auto_continue = setting;
            s.hooks.auto_continue = Some(script.to_owned());
        });
        let mut agent = harness.start().await;
        for turn in 0..2 {
            agent.ask(&format!("question {turn}")).await;
        }
        let end = agent.ask("question 2").await;
        let told = |body: &Value| body.to_string().contains("Continue with the next steps");
        let went_on = server.seen().iter().any(told);
        assert_eq!(went_on, goes_on, "{script}: {:?}", end.exit_code);
        assert!(server.seen().iter().any(has_no_tools), "it was compacted");
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_hook_that_fails_is_slow_or_talks_garbage_is_set_aside_once_and_blocks_nothing() {
    for (script, why) in [
        ("echo no key >&2; exit 3", "no key"),
        ("sleep 30", "longer than 1 s"),
        ("echo hello", "not a valid answer"),
        ("echo '{\"messages\": 3}'", "not a valid answer"),
        ("echo '{\"mesages\": []}'", "mesages"),
    ] {
        let server = Server::start(Wire::Anthropic, [text("one"), text("two")]).await;
        let (_harness, mut agent) = agent(&server, |hooks| {
            hooks.before_request = Some(script.to_owned());
            // Only the slow one has to be given up.
            hooks.timeout_secs = if why.contains("longer") { 1 } else { 25 };
        })
        .await;
        let began = Instant::now();
        assert_eq!(agent.ask("first").await.text, "one");
        assert_eq!(agent.ask("second").await.text, "two");
        assert!(began.elapsed().as_secs() < 28, "{script}");
        let said = warnings(&agent);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains(why), "{script}: {said:?}");
        agent.stop().await;
    }
}

#[tokio::test]
async fn esc_does_not_wait_for_a_hook_and_a_broken_one_does_not_stop_a_compaction() {
    let server = Server::start(Wire::Anthropic, [long_answer(), text(SUMMARY)]).await;
    let (harness, mut agent) = agent(&server, |hooks| {
        hooks.before_request = Some("test -e slow && sleep 30; true".to_owned());
        hooks.before_compact = Some("exit 1".to_owned());
    })
    .await;
    agent.ask("first").await;
    harness.file("slow", "");
    agent.say("second").await;
    agent
        .until(|e| matches!(e, AgentEvent::Session(SessionEvent::Entry(_))))
        .await;
    let began = Instant::now();
    agent.send(Op::Turn(TurnOp::Interrupt)).await;
    assert_eq!(agent.turn_end().await.exit_code, 130);
    assert!(began.elapsed().as_secs() < 25);
    assert!(
        warnings(&agent).is_empty(),
        "a stop is no failure of the hook"
    );
    agent.compact(None, true).await;
    let event = agent.until(is_over).await;
    assert!(
        matches!(
            event,
            AgentEvent::Compaction(CompactionEvent::Applied { .. })
        ),
        "{event:?}"
    );
    assert_eq!(warnings(&agent).len(), 1);
    agent.stop().await;
}
