//! The effect of each setting of summaries: when one is written, what the summariser is asked,
//! what is accepted, and what follows it. Every setting is given by its key.

use plimsoll::agent::{
    AgentEvent, CompactOptions, CompactionEvent, CompactionPlan, ContextOp, Op, ReviewDecision,
    TurnEvent,
};
use serde_json::Value;

use super::agent::{Agent, Harness, has_no_tools, joined};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Say, Server, Wire, text};
use super::setting_effects::set_all;

const ASKED: usize = 5;

/// Answers to some questions, then these.
async fn server(then: impl IntoIterator<Item = Reply>) -> Server {
    let script = (0..ASKED).map(|turn| text(format!("answer {turn} about src/main.rs")));
    Server::start(Wire::Anthropic, script.chain(then)).await
}

/// An agent with these settings that has talked for a while.
async fn talked(server: &Server, pairs: &[(&str, &str)]) -> (Harness, Agent) {
    let harness = Harness::new(server)
        .wordy()
        .set(|settings| set_all(settings, pairs));
    harness.file(
        "AGENTS.md",
        "# Rules\n\n## Red Lines\nNEVER SING\n\n## Style\nBE BRIEF\n",
    );
    let mut agent = harness.start().await;
    for turn in 0..ASKED {
        agent.ask(&format!("question {turn}")).await;
    }
    (harness, agent)
}

fn is_end(event: &AgentEvent) -> bool {
    matches!(
        event,
        AgentEvent::Compaction(CompactionEvent::Applied { .. } | CompactionEvent::Failed { .. })
    )
}

fn was_applied(agent: &Agent) -> bool {
    let is_applied = |event: &AgentEvent| {
        matches!(
            event,
            AgentEvent::Compaction(CompactionEvent::Applied { .. })
        )
    };
    agent.events.iter().any(is_applied)
}

fn summaries(server: &Server) -> Vec<Value> {
    let mut seen = server.seen();
    seen.retain(has_no_tools);
    seen
}

/// The requests to the summariser with these settings.
async fn asked(pairs: &[(&str, &str)]) -> Value {
    let server = server([text(SUMMARY), text(SUMMARY)]).await;
    let (_harness, mut agent) = talked(&server, pairs).await;
    agent.compact(None, true).await;
    agent.until(is_end).await;
    agent.stop().await;
    summaries(&server).remove(0)
}

#[tokio::test]
async fn what_is_set_is_what_the_summariser_is_asked() {
    let usual = asked(&[]).await;
    assert_eq!(usual["model"], "claude-sonnet-4-5");
    let own = asked(&[("compaction.model", "anthropic/claude-haiku-4-5")]).await;
    assert_eq!(own["model"], "claude-haiku-4-5");
    for (pairs, words) in [
        (
            vec![("compaction.template", "[\"My heading\"]")],
            "## My heading",
        ),
        (vec![("compaction.template", "openclaw")], "## Open TODOs"),
        (
            vec![("compaction.instructions", "stress ports")],
            "stress ports",
        ),
        (
            vec![
                ("audit.identifier_policy", "custom"),
                ("audit.identifier_instructions", "Keep ticket numbers."),
            ],
            "Keep ticket numbers.",
        ),
    ] {
        assert!(!usual.to_string().contains(words), "{words}");
        let body = asked(&pairs).await.to_string();
        assert!(body.contains(words), "{words}: {body}");
    }
    assert!(joined(&usual).contains("src/main.rs"));
    let anonymous = asked(&[("audit.identifier_policy", "anonymize")]).await;
    assert!(!joined(&anonymous).contains("src/main.rs"), "{anonymous}");
}

async fn planned(pairs: &[(&str, &str)]) -> CompactionPlan {
    let long = || text("word ".repeat(4_000));
    let server = Server::start(Wire::Anthropic, (0..6).map(|_| long())).await;
    let harness = Harness::new(&server).window(64_000).set(|settings| {
        set_all(settings, pairs);
    });
    let mut agent = harness.start().await;
    for turn in 0..6 {
        agent.ask(&format!("question {turn}")).await;
    }
    let plan = agent.planned(CompactOptions::default()).await;
    agent.stop().await;
    plan
}

#[tokio::test]
async fn history_is_read_in_the_parts_that_are_set() {
    let all = [("compaction.max_history_share", "none")];
    let whole = planned(&all).await;
    assert_eq!((whole.calls, whole.history_share), (1, None));
    let chunks = planned(&[all[0], ("compaction.always_chunk", "true")]).await;
    assert!(chunks.calls > 1, "{chunks:?}");
    // What is kept takes more than this share, and so does history.
    let share = planned(&[("compaction.max_history_share", "0.05")]).await;
    assert!(share.history_share.is_some(), "{share:?}");
}

#[tokio::test]
async fn summaries_are_checked_asked_for_again_and_corrected_as_set() {
    let bad = || text("## Goal\nsomething short");
    // Requests, and whether the summary counts.
    for (pairs, requests, counts) in [
        (vec![("audit.enabled", "false")], 1, true),
        (vec![("audit.retries", "0")], 1, true),
        (vec![("audit.retries", "2")], 3, true),
        (
            vec![("audit.retries", "0"), ("audit.mend", "false")],
            1,
            false,
        ),
    ] {
        let server = server((0..6).map(|_| bad())).await;
        let (_harness, mut agent) = talked(&server, &pairs).await;
        agent.compact(None, true).await;
        agent.until(is_end).await;
        assert_eq!(summaries(&server).len(), requests, "{pairs:?}");
        assert_eq!(was_applied(&agent), counts, "{pairs:?}");
        agent.stop().await;
    }
}

/// The identifiers that a summary had to carry with these settings.
async fn demanded(pairs: &[(&str, &str)]) -> u64 {
    let answers = (0..ASKED).map(|turn| text(format!("answer {turn} about src/part{turn}.rs")));
    let server = Server::start(
        Wire::Anthropic,
        answers.chain([text(SUMMARY), text(SUMMARY)]),
    )
    .await;
    let (_harness, mut agent) = talked(&server, pairs).await;
    agent.compact(None, true).await;
    let event = agent.until(is_end).await;
    agent.stop().await;
    let AgentEvent::Compaction(CompactionEvent::Applied { compaction, .. }) = event else {
        panic!("{event:?}")
    };
    compaction.details.check.audit.unwrap().identifiers_total
}

#[tokio::test]
async fn a_summary_has_to_carry_as_many_identifiers_of_as_many_messages_as_set() {
    let all = demanded(&[]).await;
    assert!(all >= 2, "{all}");
    assert_eq!(demanded(&[("audit.max_identifiers", "1")]).await, 1);
    assert_eq!(demanded(&[("audit.identifier_messages", "2")]).await, 1);
}

#[tokio::test]
async fn the_sections_that_are_set_follow_a_summary() {
    for (sections, sent, not_sent) in [
        ("[\"Red Lines\"]", "NEVER SING", "BE BRIEF"),
        ("[\"Style\"]", "BE BRIEF", "NEVER SING"),
    ] {
        let server = server([text(SUMMARY), text("next")]).await;
        let pairs = [("workspace_sections", sections), ("audit.enabled", "false")];
        let (_harness, mut agent) = talked(&server, &pairs).await;
        agent.compact(None, true).await;
        agent.until(is_end).await;
        agent.ask("and now").await;
        let all = joined(&server.seen().pop().unwrap());
        assert!(all.contains(sent) && !all.contains(not_sent), "{all}");
        agent.stop().await;
    }
}

/// Talks until the load line of 12,000 tokens is passed; the requests for summaries.
async fn at_the_line(pairs: &[(&str, &str)]) -> usize {
    let long = |turn| text(format!("answer {turn} {}", "lorem ipsum ".repeat(880)));
    let server = Server::start(Wire::Anthropic, (0..5).map(long)).await;
    server.then_for_summaries([text(SUMMARY)]);
    let harness = Harness::new(&server).window(20_000).set(|settings| {
        set_all(
            settings,
            &[
                ("compaction.threshold", "12000"),
                ("audit.enabled", "false"),
            ],
        );
        set_all(settings, pairs);
    });
    let mut agent = harness.start().await;
    for turn in 0..4 {
        agent.ask(&format!("question {turn}")).await;
    }
    agent.stop().await;
    summaries(&server).len()
}

#[tokio::test]
async fn at_the_load_line_a_summary_is_written_unless_that_is_off() {
    assert_eq!(at_the_line(&[]).await, 1);
    assert_eq!(at_the_line(&[("compaction.auto", "false")]).await, 0);
}

/// Whether a compaction waited for a review: of `/compact`, and of one at the load line.
async fn reviewed(mode: &str, by_hand: bool) -> (bool, String) {
    let long = |turn| text(format!("answer {turn} {}", "lorem ipsum ".repeat(880)));
    let server = Server::start(Wire::Anthropic, (0..7).map(long)).await;
    server.then_for_summaries([text(SUMMARY)]);
    let threshold = if by_hand { "190000" } else { "12000" };
    let window = if by_hand { "200000" } else { "20000" };
    let harness = Harness::new(&server).set(|settings| {
        set_all(
            settings,
            &[
                ("window.user", window),
                ("compaction.threshold", threshold),
                ("audit.enabled", "false"),
                ("compaction.review", mode),
            ],
        );
    });
    let mut agent = harness.start().await;
    let is_review =
        |event: &AgentEvent| matches!(event, AgentEvent::Compaction(CompactionEvent::Review(_)));
    for turn in 0..4 {
        agent.say(&format!("question {turn}")).await;
        let event = agent
            .until(|e| is_review(e) || matches!(e, AgentEvent::Turn(TurnEvent::Finished(_))))
            .await;
        if is_review(&event) {
            agent
                .send(Op::Context(ContextOp::Review(ReviewDecision::Accept)))
                .await;
            agent.turn_end().await;
        }
    }
    if by_hand {
        agent.compact(None, false).await;
        let event = agent.until(|e| is_review(e) || is_end(e)).await;
        if is_review(&event) {
            agent
                .send(Op::Context(ContextOp::Review(ReviewDecision::Accept)))
                .await;
            agent.until(is_end).await;
        }
    }
    let events = agent.stop().await;
    let was_applied = events
        .iter()
        .any(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })));
    assert!(was_applied, "{mode}");
    let notes = events.iter().filter_map(|event| match event {
        AgentEvent::Notice(notice) => Some(notice.text.clone()),
        _ => None,
    });
    let notes = notes.collect::<Vec<_>>().join("\n");
    (events.iter().any(is_review), notes)
}

#[tokio::test]
async fn summaries_wait_for_a_review_as_set() {
    for (mode, by_hand, at_line) in [
        ("manual", true, false),
        ("never", false, false),
        ("always", true, true),
    ] {
        let (was_reviewed, said) = reviewed(mode, true).await;
        assert_eq!(was_reviewed, by_hand, "{mode}");
        // What nobody looked at is said to be so.
        assert_eq!(said.contains("without a review"), mode == "never", "{said}");
        let (was_reviewed, said) = reviewed(mode, false).await;
        assert_eq!(was_reviewed, at_line, "{mode}");
        assert!(!said.contains("without a review"), "nobody asked: {said}");
    }
}

#[tokio::test]
async fn a_compaction_cuts_with_the_words_that_are_set() {
    for (pairs, words) in [
        (vec![("guard.notice", "CUT BY ME")], "CUT BY ME"),
        (vec![], "larger than what a compaction keeps"),
    ] {
        let call = Say::text("w").call("c1", "read", &serde_json::json!({"path": "big.txt"}));
        let script = [
            text("one"),
            text("two"),
            call.reply(),
            text(SUMMARY),
            text("next"),
        ];
        let server = Server::start(Wire::Anthropic, script).await;
        let harness = Harness::new(&server).set(|settings| {
            let few = [
                // The turn ends with the result: nothing follows it.
                ("max_turns", "1"),
                ("compaction.keep_recent_tokens", "500"),
                ("compaction.tail_turns", "1"),
                ("audit.enabled", "false"),
            ];
            set_all(settings, &few);
            set_all(settings, &pairs);
        });
        harness.file("big.txt", &"lorem ipsum dolor\n".repeat(600));
        let mut agent = harness.start().await;
        for turn in ["first", "second", "third"] {
            agent.ask(turn).await;
        }
        agent.compact(None, true).await;
        agent.until(is_end).await;
        agent.ask("and now").await;
        let all = server.seen().pop().unwrap().to_string();
        assert!(all.contains(words), "{words}: {all}");
        agent.stop().await;
    }
}
