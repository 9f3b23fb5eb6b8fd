//! Context engines in a running session: what they send, how one is chosen, and what happens
//! to one that fails.

use plimsoll::agent::{
    AgentEvent, ContextOp, EngineState, Op, Query, QueryReply, SessionEvent, SettingOp,
};
use plimsoll::config::SettingValue;
use plimsoll::transcript::EntryId;

use super::agent::{Agent, Harness, joined};
use super::server::{Reply, Server, Wire, text};

fn answers(count: usize) -> Vec<Reply> {
    (0..count).map(|at| text(format!("answer {at}"))).collect()
}

async fn use_engine(agent: &mut Agent, id: &str) {
    agent
        .send(Op::Setting(SettingOp::Set {
            key: "context.engine".to_owned(),
            value: SettingValue::Text(id.to_owned()),
        }))
        .await;
    agent
        .until(|event| {
            matches!(
                event,
                AgentEvent::Reply {
                    reply: QueryReply::Settings(_),
                    ..
                }
            )
        })
        .await;
}

async fn in_charge(agent: &mut Agent) -> &'static str {
    agent.send(Op::query(Query::Engines)).await;
    let reply = agent
        .until(|event| {
            matches!(
                event,
                AgentEvent::Reply {
                    reply: QueryReply::Engines(_),
                    ..
                }
            )
        })
        .await;
    match reply {
        AgentEvent::Reply {
            reply: QueryReply::Engines(engines),
            ..
        } => {
            let mut found = engines.iter();
            let found = found.find(|engine| engine.state == EngineState::InCharge);
            found.unwrap().id
        }
        _ => unreachable!(),
    }
}

#[tokio::test]
async fn a_sliding_window_sends_the_newest_turns_and_asks_no_model_for_a_summary() {
    for wire in [Wire::Anthropic, Wire::OpenAi] {
        let server = Server::start(wire, answers(40)).await;
        let harness = Harness::new(&server)
            .wordy()
            .window(17_000)
            .set(|settings| {
                settings.agent.engine.id = "sliding-window".to_owned();
            });
        let mut agent = harness.start().await;
        for turn in 0..36 {
            agent.ask(&format!("question-{turn}.")).await;
        }
        let last = joined(&server.body(35));
        assert!(last.contains("question-35.") && last.contains("question-34."));
        assert!(!last.contains("question-0."), "the window did not move");
        assert!(last.contains("earlier messages of this conversation are not shown"));
        // One request for each message: nothing was summarised.
        assert_eq!(server.seen().len(), 36);
        let log = harness.log();
        let first = log.iter().find(|line| line["type"] == "message");
        let first = EntryId::new(first.unwrap()["id"].as_str().unwrap().to_owned());
        agent.send(Op::Context(ContextOp::Pin(first))).await;
        agent.ask("and now?").await;
        assert!(joined(&server.body(36)).contains("question-0."));
        agent.stop().await;
    }
}

#[tokio::test]
async fn engines_change_while_the_program_runs_and_an_unknown_one_changes_nothing() {
    let server = Server::start(Wire::OpenAi, answers(60)).await;
    let harness = Harness::new(&server).wordy().window(17_000);
    let mut agent = harness.start().await;
    use_engine(&mut agent, "sliding-window").await;
    assert_eq!(in_charge(&mut agent).await, "sliding-window");
    let is_named = |event: &AgentEvent| matches!(event, AgentEvent::Session(SessionEvent::Engine(id)) if id == "sliding-window");
    assert!(agent.events.iter().any(is_named));
    for turn in 0..36 {
        agent.ask(&format!("question-{turn}.")).await;
    }
    use_engine(&mut agent, "magic").await;
    assert_eq!(in_charge(&mut agent).await, "sliding-window");
    use_engine(&mut agent, "legacy").await;
    assert_eq!(in_charge(&mut agent).await, "layered");
    agent.stop().await;
    // The log names who made the requests.
    let marks: Vec<_> = harness
        .log()
        .into_iter()
        .filter(|line| line["customType"] == "plimsoll.engine")
        .map(|line| line["data"]["id"].clone())
        .collect();
    assert_eq!(marks, ["sliding-window"]);
}
