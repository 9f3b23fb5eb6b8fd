//! The guard against loops: equal calls with equal results ask the user; without one the model
//! is told, and at last the run ends.

use plimsoll::agent::{ApprovalDecision, Op, TurnOp};
use serde_json::json;

use super::agent::{Harness, joined};
use super::server::{Reply, Say, Server, Wire, text};

const TOLD: &str = "made the same call and got the same result";

fn read(id: usize) -> Reply {
    Say::text("once more")
        .call(&format!("c{id}"), "read", &json!({"path": "a.txt"}))
        .reply()
}

#[tokio::test]
async fn a_run_without_a_user_is_told_of_a_loop_and_ends_at_eight() {
    let server = Server::start(Wire::OpenAi, (0..8).map(read)).await;
    let mut harness = Harness::new(&server);
    harness.setup.is_interactive = false;
    harness.file("a.txt", "plum\n");
    let mut agent = harness.start().await;
    let end = agent.ask("read it").await;
    assert_eq!(end.error_kind, Some("loop"), "{end:?}");
    assert_eq!(end.exit_code, 1);
    assert!(!joined(&server.body(2)).contains(TOLD));
    for at in 3..8 {
        let told = joined(&server.body(at));
        assert_eq!(told.matches(TOLD).count(), 1, "{told}");
    }
    agent.stop().await;
}

#[tokio::test]
async fn without_the_guard_a_loop_is_left_alone_and_jobs_are_no_loop() {
    let script = (0..9).map(read).chain([text("done")]);
    let server = Server::start(Wire::OpenAi, script).await;
    let mut harness = Harness::new(&server).set(|s| s.agent.tools.loop_guard = false);
    harness.setup.is_interactive = false;
    harness.file("a.txt", "plum\n");
    let mut agent = harness.start().await;
    let end = agent.ask("read it").await;
    assert_eq!((end.error_kind, end.text.as_str()), (None, "done"));
    assert!(!joined(&server.body(9)).contains(TOLD));
    agent.stop().await;

    let job = |id: usize| {
        Say::text("w")
            .call(&format!("c{id}"), "job", &json!({}))
            .reply()
    };
    let script = (0..9).map(job).chain([text("done")]);
    let server = Server::start(Wire::OpenAi, script).await;
    let mut harness = Harness::new(&server);
    harness.setup.is_interactive = false;
    let mut agent = harness.start().await;
    assert_eq!(agent.ask("wait").await.text, "done");
    agent.stop().await;
}

#[tokio::test]
async fn the_user_is_asked_before_the_fourth_equal_call() {
    let script = (0..4).map(read).chain([text("done")]);
    let server = Server::start(Wire::OpenAi, script).await;
    let harness = Harness::new(&server);
    harness.file("a.txt", "plum\n");
    let mut agent = harness.start().await;
    agent.say("read it").await;
    let request = agent.approval().await;
    assert_eq!(request.cautions.len(), 1, "{request:?}");
    assert!(request.cautions[0].contains("3 times in a row"));
    assert_eq!(server.seen().len(), 4);
    let decision = ApprovalDecision::Deny {
        feedback: Some("read b.txt".to_owned()),
    };
    let id = request.id;
    agent.send(Op::Turn(TurnOp::Approve { id, decision })).await;
    assert_eq!(agent.turn_end().await.text, "done");
    assert!(joined(&server.body(4)).contains("says: read b.txt"));
    agent.stop().await;
}
