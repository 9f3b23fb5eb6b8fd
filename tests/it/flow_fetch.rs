//! The tool that reads pages: off unless it is switched on, each host agreed to, nothing of the
//! user's own network.

use plimsoll::agent::{ApprovalDecision, Op, TurnOp};
use plimsoll::tool::ApprovalMode;
use serde_json::json;

use super::agent::{Harness, joined};
use super::server::{Reply, Say, Server, Wire, text};

fn fetch(id: &str, url: &str) -> Reply {
    Say::text("w")
        .call(id, "fetch", &json!({ "url": url }))
        .reply()
}

#[tokio::test]
async fn pages_are_fetched_only_where_that_is_switched_on_and_agreed_to() {
    let server = Server::start(Wire::OpenAi, [text("one")]).await;
    let own = server.base.clone();
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    assert!(!server.body(0).to_string().contains("\"fetch\""), "off");
    agent.stop().await;

    // The server of the model is in the user's own network, and no page.
    let script = [fetch("c1", &own), fetch("c2", &own), text("done")];
    let server = Server::start(Wire::OpenAi, script).await;
    let harness = Harness::new(&server).set(|s| {
        s.agent.tools.fetch = true;
        s.agent.tools.approvals = ApprovalMode::Ask;
    });
    let mut agent = harness.start().await;
    agent.say("read it").await;
    let request = agent.approval().await;
    assert!(request.title.starts_with(&own), "{request:?}");
    assert!(request.pattern.ends_with("/*"), "{request:?}");
    let (id, decision) = (request.id, ApprovalDecision::Pattern(request.pattern));
    agent.send(Op::Turn(TurnOp::Approve { id, decision })).await;
    assert_eq!(
        agent.turn_end().await.text,
        "done",
        "one host is asked about once"
    );
    assert!(server.body(0).to_string().contains("\"fetch\""));
    let told = joined(&server.body(2));
    assert_eq!(
        told.matches("not an address of the public Internet")
            .count(),
        2
    );
    agent.stop().await;
}
