//! A summary written ahead: it counts at the load line only, keeps what was said
//! meanwhile, and vanishes when the branch is no longer the one it was written for.

use std::time::Duration;

use plimsoll::agent::{AgentEvent, CompactionEvent, ContextEvent, ContextOp, Op};
use plimsoll::context::Threshold;
use plimsoll::transcript::EntryId;
use serde_json::Value;

use super::agent::{Agent, Harness, has_no_tools, joined};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Server, Wire, text};

/// About 2,100 tokens of Claude's.
fn long(turn: usize) -> Reply {
    text(format!("answer {turn} {}", "lorem ipsum ".repeat(560)))
}

fn harness(server: &Server) -> Harness {
    Harness::new(server).window(20_000).set(|s| {
        s.context.audit.enabled = false;
        s.context.compaction.background = true;
        s.context.compaction.threshold = Some(Threshold::Tokens(12_000));
    })
}

fn summaries(server: &Server) -> usize {
    let seen = server.seen();
    seen.iter().filter(|body| has_no_tools(body)).count()
}

fn applied(agent: &Agent) -> usize {
    let is_applied =
        |e: &&AgentEvent| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. }));
    agent.events.iter().filter(is_applied).count()
}

fn compactions(harness: &Harness) -> usize {
    let log = harness.log();
    let is_compaction = |line: &&Value| line["type"] == "compaction";
    log.iter().filter(is_compaction).count()
}

fn is_begun(event: &AgentEvent) -> bool {
    matches!(event, AgentEvent::Notice(notice) if notice.text.contains("preparing a summary"))
}

/// Talks until a summary was asked for; returns how many turns that took. A turn that begins
/// one says so before it ends; how long it takes beside the conversation is not certain.
async fn until_prepared(agent: &mut Agent, server: &Server) -> usize {
    for turn in 0..8 {
        agent.ask(&format!("question {turn}")).await;
        if agent.events.iter().any(is_begun) {
            let asked = async {
                while summaries(server) == 0 {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
            };
            let asked = tokio::time::timeout(Duration::from_mins(1), asked).await;
            assert!(asked.is_ok(), "the summary was not asked for");
            return turn + 1;
        }
    }
    panic!("no summary was prepared");
}

#[tokio::test]
async fn a_summary_written_ahead_counts_at_the_load_line_and_keeps_what_was_said_since() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = harness(&server);
    server.then((0..3).map(long));
    server.then_for_summaries([text(SUMMARY)]);
    let mut agent = harness.start().await;
    let turns = until_prepared(&mut agent, &server).await;
    assert_eq!((turns, server.left()), (3, 0));
    assert_eq!((applied(&agent), compactions(&harness)), (0, 0));

    server.then([long(3), text("short"), text("short")]);
    agent.ask("said meanwhile").await;
    if applied(&agent) == 0 {
        agent.ask("and at the line").await;
    }
    assert_eq!((applied(&agent), compactions(&harness)), (1, 1));
    assert_eq!(summaries(&server), 1, "it was not written again");

    agent.ask("last").await;
    // The next summary may be asked for already, after the answer.
    let seen = server.seen();
    let is_of_the_talk = |all: &String| !all.contains("<conversation>");
    let all = seen.iter().rev().map(joined).find(is_of_the_talk).unwrap();
    assert!(all.contains("SUMMARISED"), "{all}");
    assert!(
        !all.contains("answer 0") && all.contains("said meanwhile"),
        "{all}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn a_summary_written_ahead_is_discarded_when_something_was_dropped() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = harness(&server);
    server.then((0..3).map(long));
    server.then_for_summaries([text(SUMMARY)]);
    let mut agent = harness.start().await;
    until_prepared(&mut agent, &server).await;
    let first = harness
        .log()
        .into_iter()
        .find(|line| line["message"]["role"] == "assistant");
    let first = first.unwrap()["id"].as_str().unwrap().to_owned();
    agent
        .send(Op::Context(ContextOp::Drop(EntryId::new(first))))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::OverrideApplied { .. })))
        .await;
    assert_eq!(compactions(&harness), 0);
    // Less is in the window now: another two answers reach the line.
    let other = SUMMARY.replace("SUMMARISED", "WRITTEN AFRESH");
    server.then([long(3), long(4), text("short")]);
    server.then_for_summaries([text(other.clone()), text(other)]);
    for turn in 0..3 {
        if applied(&agent) == 0 {
            agent.ask(&format!("later {turn}")).await;
        }
    }
    assert_eq!(compactions(&harness), 1);
    let log = harness.log();
    let stored = log
        .iter()
        .find(|line| line["type"] == "compaction")
        .unwrap();
    let summary = stored["summary"].as_str().unwrap();
    assert!(summary.contains("WRITTEN AFRESH"), "{summary}");
    agent.stop().await;
}
