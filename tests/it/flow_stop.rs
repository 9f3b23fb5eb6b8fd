//! Stopping and waiting: a compaction that is cancelled at any moment leaves the file as
//! it was, waits end, and sessions of one process share the lanes.

use std::time::Duration;

use plimsoll::agent::{
    AgentEvent, AnswerEvent, CompactionEvent, ContextEvent, ContextOp, Op, Query, QueryReply,
    RequestSlots, ReviewDecision, SessionEvent, TurnOp,
};
use plimsoll::context::Threshold;
use serde_json::json;

use super::agent::{Agent, Harness, has_no_tools};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Say, Server, Wire, overflow, status, text};

async fn talked(server: &Server, change: impl FnOnce(&mut Harness)) -> (Harness, Agent) {
    server.then((0..5).map(|turn| text(format!("answer {turn}"))));
    let mut harness = Harness::new(server).wordy().without_audit();
    change(&mut harness);
    let mut agent = harness.start().await;
    for turn in 0..5 {
        agent.ask(&format!("question {turn}")).await;
    }
    (harness, agent)
}

fn cancelled(event: &AgentEvent) -> bool {
    matches!(
        event,
        AgentEvent::Compaction(CompactionEvent::Cancelled { .. })
    )
}

/// The log, but for the lines that say what requests cost.
fn bytes(harness: &Harness) -> String {
    let log = std::fs::read_to_string(harness.session()).unwrap();
    let lines = log.split_inclusive('\n');
    lines
        .filter(|line| !line.contains("\"plimsoll.expense\""))
        .filter(|line| !line.contains("\"plimsoll.summary-attempt\""))
        .collect()
}

/// Messages that the next request would carry.
async fn next_body(agent: &mut Agent) -> String {
    agent.send(Op::query(Query::Wire)).await;
    match agent
        .until(|e| {
            matches!(
                e,
                AgentEvent::Reply {
                    reply: QueryReply::Wire(_),
                    ..
                }
            )
        })
        .await
    {
        AgentEvent::Reply {
            reply: QueryReply::Wire(wire),
            ..
        } => wire.body,
        _ => unreachable!(),
    }
}

#[tokio::test]
async fn a_compaction_cancelled_at_any_moment_leaves_log_and_view_as_they_were() {
    type Moment = fn(&AgentEvent) -> bool;
    let moments: [(Reply, Moment); 4] = [
        // While it is being planned or sent,
        (text(SUMMARY), |e| {
            matches!(e, AgentEvent::Compaction(CompactionEvent::Started { .. }))
        }),
        // while the summary streams,
        (Reply::Stall(Say::text("## Goal")), |e| {
            matches!(e, AgentEvent::Compaction(CompactionEvent::Delta(_)))
        }),
        // while a refused request waits for its retry,
        (status(529, "overloaded_error", "Overloaded"), |e| {
            matches!(e, AgentEvent::Compaction(CompactionEvent::Progress { .. }))
        }),
        // and while the user reads it.
        (text(SUMMARY), |e| {
            matches!(e, AgentEvent::Compaction(CompactionEvent::Review(_)))
        }),
    ];
    for (reply, moment) in moments {
        let server = Server::start(Wire::Anthropic, []).await;
        let (harness, mut agent) = talked(&server, |_| {}).await;
        let (before, body) = (bytes(&harness), next_body(&mut agent).await);
        server.then([reply]);
        agent.compact(None, false).await;
        agent.until(moment).await;
        agent.send(Op::Turn(TurnOp::Interrupt)).await;
        agent.until(cancelled).await;
        assert_eq!(bytes(&harness), before);
        assert_eq!(next_body(&mut agent).await, body);
        agent.stop().await;
        assert_eq!(bytes(&harness), before);
    }
}

#[tokio::test]
async fn a_review_that_is_cancelled_leaves_the_bytes_of_the_log() {
    let server = Server::start(Wire::Anthropic, []).await;
    let (harness, mut agent) = talked(&server, |_| {}).await;
    let before = bytes(&harness);
    server.then([text(SUMMARY)]);
    agent.compact(None, false).await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Review(_))))
        .await;
    agent
        .send(Op::Context(ContextOp::Review(ReviewDecision::Cancel)))
        .await;
    agent.until(cancelled).await;
    assert_eq!(bytes(&harness), before);
    agent.stop().await;
}

#[tokio::test]
async fn the_timeout_of_a_compaction_covers_the_waits_before_its_retries() {
    let server = Server::start(Wire::Anthropic, []).await;
    let (harness, mut agent) = talked(&server, |harness| {
        harness.setup.settings.context.compaction.timeout_secs = 1;
    })
    .await;
    let before = bytes(&harness);
    server.then((0..9).map(|_| status(529, "overloaded_error", "Overloaded")));
    agent.compact(None, true).await;
    let event = agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Failed { .. })))
        .await;
    let AgentEvent::Compaction(CompactionEvent::Failed { cause, .. }) = event else {
        unreachable!()
    };
    // Its tries would not be used up before.
    assert_eq!(cause, "timeout");
    assert_eq!(bytes(&harness), before);
    agent.stop().await;
}

#[tokio::test]
async fn a_summary_stream_that_stalls_is_asked_for_again() {
    let server = Server::start(Wire::Anthropic, []).await;
    let (_harness, mut agent) = talked(&server, |harness| {
        harness.setup.settings.agent.network.stream_stall_secs = 1;
    })
    .await;
    server.then([Reply::Stall(Say::text("## Goal")), text(SUMMARY)]);
    agent.compact(None, true).await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    assert_eq!(server.left(), 0);
    agent.stop().await;
}

#[tokio::test]
async fn sessions_of_one_process_share_the_lanes() {
    let lanes = RequestSlots::new(1);
    let slow = Server::start(Wire::Anthropic, [Reply::Stall(Say::text("slow"))]).await;
    let quick = Server::start(Wire::Anthropic, [text("quick")]).await;
    let (mut first, mut second) = (Harness::new(&slow), Harness::new(&quick));
    first.setup.lanes = lanes.clone();
    second.setup.lanes = lanes;
    let (mut first, mut second) = (first.start().await, second.start().await);
    first.say("take the lane").await;
    first
        .until(|e| matches!(e, AgentEvent::Stream(AnswerEvent::Delta(_))))
        .await;
    second.say("wait for it").await;
    second
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::View(_))))
        .await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(quick.seen().is_empty(), "it did not wait");
    first.send(Op::Turn(TurnOp::Interrupt)).await;
    assert_eq!(first.turn_end().await.exit_code, 130);
    assert_eq!(second.turn_end().await.text, "quick");
    first.stop().await;
    second.stop().await;
}

#[tokio::test]
async fn waiting_for_a_lane_can_be_stopped() {
    let lanes = RequestSlots::new(1);
    let slow = Server::start(Wire::Anthropic, [Reply::Stall(Say::text("slow"))]).await;
    let other = Server::start(Wire::Anthropic, []).await;
    let mut first = Harness::new(&slow);
    first.setup.lanes = lanes.clone();
    let (harness, mut second) = talked(&other, |harness| harness.setup.lanes = lanes).await;
    let mut first = first.start().await;
    first.say("take the lane").await;
    first
        .until(|e| matches!(e, AgentEvent::Stream(AnswerEvent::Delta(_))))
        .await;
    let before = bytes(&harness);
    second.compact(None, true).await;
    second
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Started { .. })))
        .await;
    second.send(Op::Turn(TurnOp::Interrupt)).await;
    second.until(cancelled).await;
    assert_eq!(bytes(&harness), before);
    assert_eq!(other.seen().len(), 5);
    first.stop().await;
    second.stop().await;
}

#[tokio::test]
async fn overflow_recovery_inside_a_run_does_not_wait_for_itself() {
    let script = [
        text("first answer"),
        overflow(Wire::Anthropic),
        text(SUMMARY),
        text("after"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let mut harness = Harness::new(&server).wordy().without_audit();
    harness.setup.lanes = RequestSlots::new(1);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    let end = agent.ask("second question").await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "after"), "{end:?}");
    let summaries = server.seen().iter().filter(|b| has_no_tools(b)).count();
    assert_eq!(summaries, 1);
    agent.stop().await;
}

#[tokio::test]
async fn an_automatic_compaction_that_failed_is_said_once_until_the_next_message() {
    // About 2,300 tokens of Claude's each.
    let script = (0..4).map(|n| text(format!("answer {n} {}", "lorem ipsum ".repeat(620))));
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).window(20_000).set(|s| {
        s.context.audit.enabled = false;
        s.context.compaction.threshold = Some(Threshold::Tokens(12_000));
    });
    let mut agent = harness.start().await;
    let failures = |agent: &Agent| {
        let failed =
            |e: &&AgentEvent| matches!(e, AgentEvent::Compaction(CompactionEvent::Failed { .. }));
        agent.events.iter().filter(failed).count()
    };
    for turn in 0..3 {
        agent.ask(&format!("question {turn}")).await;
    }
    // Its answer reaches the load line, and the summariser refuses.
    let refused = || status(400, "invalid_request_error", "no");
    server.then([refused()]);
    agent.ask("question 3").await;
    assert_eq!((failures(&agent), server.left()), (1, 0));
    // The next message tries again, the batches of its turn do not.
    server.then([refused()]);
    server.then(["a", "b"].map(|id| Say::text("l").call(id, "list", &json!({})).reply()));
    server.then([text("done")]);
    let end = agent.ask("look around").await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "done"), "{end:?}");
    assert_eq!((failures(&agent), server.left()), (2, 0));
    agent.stop().await;
}

#[tokio::test]
async fn an_undo_beyond_the_load_line_says_so_before_and_holds_compaction() {
    // About 2,300 tokens of Claude's each.
    let script = (0..4).map(|n| text(format!("answer {n} {}", "lorem ipsum ".repeat(620))));
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).window(20_000).set(|s| {
        s.context.audit.enabled = false;
        s.context.compaction.threshold = Some(Threshold::Tokens(12_000));
    });
    let mut agent = harness.start().await;
    server.then([text(SUMMARY)]);
    for turn in 0..4 {
        agent.ask(&format!("question {turn}")).await;
    }
    // The end of the fourth answer compacted.
    assert_eq!((server.seen().len(), server.left()), (5, 0));
    let before = agent.events.len();
    agent.send(Op::Context(ContextOp::Uncompact)).await;
    agent
        .until(|e| {
            matches!(
                e,
                AgentEvent::Compaction(CompactionEvent::Undone {
                    over_load_line: true,
                    ..
                })
            )
        })
        .await;
    let told = &agent.events[before..];
    let warned = told
        .iter()
        .position(|e| matches!(e, AgentEvent::Notice(n) if n.text.contains("above the load line")));
    let moved = told
        .iter()
        .position(|e| matches!(e, AgentEvent::Session(SessionEvent::Entry(_))));
    assert!(warned.unwrap() < moved.unwrap(), "it is said before");
    // Nothing is compacted until the user says something; then it is.
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(server.seen().len(), 5);
    server.then([text(SUMMARY), text("after")]);
    assert_eq!(agent.ask("go on").await.text, "after");
    let summaries = server.seen().iter().filter(|b| has_no_tools(b)).count();
    assert_eq!((summaries, server.left()), (2, 0));
    agent.stop().await;
}

#[tokio::test]
async fn a_summary_waits_as_long_as_the_provider_asks_before_its_next_try() {
    let server = Server::start(Wire::Anthropic, []).await;
    let (_harness, mut agent) = talked(&server, |_| {}).await;
    let busy = json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}});
    let header = ("retry-after-ms", "1800".to_owned());
    let refusal = Reply::Status(529, vec![header], busy.to_string());
    server.then([refusal, text(SUMMARY)]);
    let began = std::time::Instant::now();
    agent.compact(None, true).await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    assert!(began.elapsed() >= Duration::from_millis(1_800));
    assert_eq!(server.left(), 0);
    agent.stop().await;
}
