//! A session that another process holds: looking is free, writing is refused before it
//! begins, and the file stays what it was.

use plimsoll::agent::{AgentEvent, ContextOp, Op, Query, QueryReply, SessionOp, SettingOp};
use plimsoll::transcript::{EntryId, ModelRef};

use super::agent::Harness;
use super::server::{Server, Wire, text};

#[tokio::test]
async fn what_only_looks_is_answered_and_what_writes_is_refused() {
    let server = Server::start(Wire::OpenAi, [text("an answer")]).await;
    let harness = Harness::new(&server);
    let mut holder = harness.start().await;
    holder.ask("a question").await;
    let before = std::fs::read(harness.session()).unwrap();
    let mut other = harness.start().await;

    other.send(Op::query(Query::Cost)).await;
    other
        .until(|e| {
            matches!(
                e,
                AgentEvent::Reply {
                    reply: QueryReply::Cost(_),
                    ..
                }
            )
        })
        .await;
    other.send(Op::query(Query::Wire)).await;
    other
        .until(|e| {
            matches!(
                e,
                AgentEvent::Reply {
                    reply: QueryReply::Wire(_),
                    ..
                }
            )
        })
        .await;
    other.send(Op::query(Query::Tools)).await;
    other
        .until(|e| {
            matches!(
                e,
                AgentEvent::Reply {
                    reply: QueryReply::Tools(_),
                    ..
                }
            )
        })
        .await;

    let said = harness
        .log()
        .into_iter()
        .find(|line| line["type"] == "message");
    let target = EntryId::new(said.unwrap()["id"].as_str().unwrap());
    let writes = [
        Op::Context(ContextOp::Pin(target.clone())),
        Op::Context(ContextOp::Drop(target)),
        Op::Context(ContextOp::Prune { dry_run: false }),
        Op::Session(SessionOp::Rename("other".to_owned())),
        Op::Setting(SettingOp::Model(ModelRef::new("openai", "gpt-5"))),
    ];
    for op in writes {
        other.send(op.clone()).await;
        let refused = |e: &AgentEvent| matches!(e, AgentEvent::Notice(notice) if notice.text.contains("nothing was changed"));
        other.until(refused).await;
    }
    other.say("and now?").await;
    other
        .until(|e| matches!(e, AgentEvent::Notice(notice) if notice.text.contains("nothing was changed")))
        .await;
    assert_eq!(server.seen().len(), 1);
    other.stop().await;
    assert_eq!(std::fs::read(harness.session()).unwrap(), before);
    holder.stop().await;
}

/// The next request and the last one are beside each other, each as it is sent.
#[tokio::test]
async fn the_last_request_is_shown_beside_the_next() {
    let replies = [text("one"), text("two")];
    let server = Server::start(Wire::OpenAi, replies).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.ask("second question").await;
    agent.send(Op::query(Query::Wire)).await;
    let event = agent
        .until(|e| {
            matches!(
                e,
                AgentEvent::Reply {
                    reply: QueryReply::Wire(_),
                    ..
                }
            )
        })
        .await;
    let AgentEvent::Reply {
        reply: QueryReply::Wire(wire),
        ..
    } = event
    else {
        unreachable!()
    };
    let last: serde_json::Value = serde_json::from_str(&wire.last_body.unwrap()).unwrap();
    assert_eq!(&last, server.seen().last().unwrap());
    let next: serde_json::Value = serde_json::from_str(&wire.body).unwrap();
    let count = |body: &serde_json::Value| body["messages"].as_array().unwrap().len();
    assert_eq!(count(&next), count(&last) + 1, "the answer came since");
    agent.stop().await;
}
