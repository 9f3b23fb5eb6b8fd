//! A message that is larger than the window: what is offered, and what is sent for each
//! choice.

use plimsoll::agent::{AgentEvent, Op, OversizeChoice, OversizeOffer, TurnEvent, TurnOp};
use plimsoll::config::ModelOverride;
use plimsoll::tool::ApprovalMode;
use plimsoll::transcript::ModelRef;
use serde_json::json;

use super::agent::{Agent, Harness, joined, messages};
use super::flow_overflow::SUMMARY;
use super::server::{Say, Server, Wire, text};

const BOTH: [Wire; 2] = [Wire::Anthropic, Wire::OpenAi];

/// About 25,000 tokens, the question at its end.
fn huge() -> String {
    let lines: Vec<String> = (0..5_000)
        .map(|n| format!("line {n} of the log\n"))
        .collect();
    let lines = lines.concat();
    format!("BEGINNING\n{lines}What went wrong?")
}

async fn offered(agent: &mut Agent, text: &str) -> OversizeOffer {
    agent.say(text).await;
    match agent
        .until(|e| {
            matches!(
                e,
                AgentEvent::Turn(TurnEvent::Oversize(_) | TurnEvent::Finished(_))
            )
        })
        .await
    {
        AgentEvent::Turn(TurnEvent::Oversize(offer)) => *offer,
        other => panic!("{other:?}"),
    }
}

async fn choose(agent: &Agent, offer: &OversizeOffer, choice: OversizeChoice) {
    let id = offer.id;
    agent
        .send(Op::Turn(TurnOp::FitMessage { id, choice }))
        .await;
}

fn harness(server: &Server) -> Harness {
    Harness::new(server).window(20_000).set(|s| {
        s.context.audit.enabled = false;
        s.agent.tools.approvals = ApprovalMode::Ask;
    })
}

#[tokio::test]
async fn a_part_is_sent_and_the_read_tool_pages_the_rest_without_asking() {
    for wire in BOTH {
        let server = Server::start(wire, [text("noted")]).await;
        let harness = harness(&server);
        let mut agent = harness.start().await;
        let offer = offered(&mut agent, &huge()).await;
        assert!(offer.needed_tokens > offer.usable_tokens, "{offer:?}");
        assert!(offer.larger.is_none());
        choose(&agent, &offer, OversizeChoice::File).await;
        assert_eq!(agent.turn_end().await.text, "noted");
        let mut kept = std::fs::read_dir(harness.dir.path().join("session.d")).unwrap();
        let file = kept.next().unwrap().unwrap().path();
        let page = json!({"path": file.display().to_string(), "offset": 2_500, "limit": 3});
        server.then([
            Say::text("I look").call("c1", "read", &page).reply(),
            text("found it"),
        ]);
        let end = agent.ask("look at its middle").await;
        assert_eq!(
            (end.exit_code, end.text.as_str()),
            (0, "found it"),
            "{end:?}"
        );
        assert_eq!(std::fs::read_to_string(&file).unwrap(), huge());
        let first = joined(&server.body(0));
        assert!(first.contains("BEGINNING") && first.contains("What went wrong?"));
        assert!(first.contains(&file.display().to_string()), "{first}");
        assert!(!first.contains("line 2500 of"));
        assert!(joined(&server.seen().pop().unwrap()).contains("line 2500 of"));
        let was_asked = |e: &AgentEvent| matches!(e, AgentEvent::Turn(TurnEvent::Approval(_)));
        assert!(!agent.events.iter().any(was_asked));
        let log = std::fs::read_to_string(harness.session()).unwrap();
        assert!(log.contains("line 2500 of"), "the log keeps the original");
        agent.stop().await;
    }
}

#[tokio::test]
async fn it_is_trimmed_to_what_fits_and_stays_so_after_a_restart() {
    for wire in BOTH {
        let server = Server::start(wire, [text("short"), text("again")]).await;
        let harness = harness(&server);
        let mut agent = harness.start().await;
        let offer = offered(&mut agent, &huge()).await;
        choose(&agent, &offer, OversizeChoice::Trim).await;
        assert_eq!(agent.turn_end().await.text, "short");
        agent.stop().await;
        let mut agent = harness.start().await;
        assert_eq!(agent.ask("and now").await.text, "again");
        let (before, after) = (messages(&server.body(0)), messages(&server.body(1)));
        assert_eq!(before[0], after[0]);
        assert!(before[0].1.contains("BEGINNING") && before[0].1.contains("What went wrong?"));
        let tokens = before[0].1.len() as u64 / 4;
        let trimmed = offer.trim_tokens.unwrap();
        assert!(
            tokens <= trimmed && tokens > trimmed / 2,
            "{tokens} of {trimmed}"
        );
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_larger_model_takes_it_whole_when_one_is_configured() {
    let server = Server::start(Wire::Anthropic, [text("read it all")]).await;
    let harness = harness(&server).set(|s| {
        let own = ModelOverride {
            window_tokens: Some(400_000),
            threshold: None,
            ..ModelOverride::default()
        };
        s.models.insert("anthropic/larger".to_owned(), own);
    });
    let mut agent = harness.start().await;
    let offer = offered(&mut agent, &huge()).await;
    let larger = ModelRef::new("anthropic", "larger");
    assert_eq!(offer.larger, Some((larger, 400_000)));
    choose(&agent, &offer, OversizeChoice::Larger).await;
    assert_eq!(agent.turn_end().await.text, "read it all");
    assert_eq!(server.body(0)["model"], "larger");
    assert!(joined(&server.body(0)).contains("line 2500 of"));
    agent.stop().await;
}

#[tokio::test]
async fn cancelled_it_is_no_part_of_the_conversation_and_the_text_comes_back() {
    for (with_esc, is_first) in [(false, false), (true, false), (false, true)] {
        let server = Server::start(Wire::Anthropic, []).await;
        let harness = harness(&server);
        let mut agent = harness.start().await;
        if !is_first {
            server.then([text("one")]);
            agent.ask("first").await;
        }
        server.then([text("two")]);
        let offer = offered(&mut agent, &huge()).await;
        if with_esc {
            agent.send(Op::Turn(TurnOp::Interrupt)).await;
        } else {
            choose(&agent, &offer, OversizeChoice::Cancel).await;
        }
        let returned = agent
            .until(|e| matches!(e, AgentEvent::Turn(TurnEvent::InputReturned(_))))
            .await;
        let AgentEvent::Turn(TurnEvent::InputReturned(returned)) = returned else {
            unreachable!()
        };
        assert_eq!(returned[0].text, huge());
        assert_eq!(agent.turn_end().await.exit_code, 130);
        agent.stop().await;
        // And after a restart.
        let mut agent = harness.start().await;
        assert_eq!(agent.ask("second").await.text, "two");
        let body = server.seen().pop().unwrap();
        let sent: Vec<String> = messages(&body).into_iter().map(|m| m.1).collect();
        let expected: &[&str] = if is_first {
            &["second"]
        } else {
            &["first", "one", "second"]
        };
        assert_eq!(sent, expected);
        agent.stop().await;
    }
}

#[tokio::test]
async fn nothing_is_summarised_for_a_message_that_cannot_fit_anyway() {
    // About 2,300 tokens of Claude's each: the talk is over the load line with the huge message.
    let script = (0..4).map(|n| text(format!("answer {n} {}", "lorem ipsum ".repeat(620))));
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = harness(&server);
    let mut agent = harness.start().await;
    for turn in 0..4 {
        agent.ask(&format!("question {turn}")).await;
    }
    let offer = offered(&mut agent, &huge()).await;
    assert_eq!(server.seen().len(), 4, "no summary was asked for");
    // Once it is trimmed, the talk before it makes room.
    server.then([text(SUMMARY), text("done")]);
    choose(&agent, &offer, OversizeChoice::Trim).await;
    let end = agent.turn_end().await;
    assert_eq!(end.text, "done", "{end:?}");
    agent.stop().await;
}
