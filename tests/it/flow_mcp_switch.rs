//! Tools of servers that were found stay usable when another model answers, whatever it
//! speaks: after `/model`, after a summary, and in a resumed session.

use plimsoll::agent::{AgentEvent, CompactionEvent, Op, SessionEvent, SettingOp};
use plimsoll::config::McpDefer;
use serde_json::{Value, json};

use super::agent::Agent;
use super::flow_across::Four;
use super::flow_mcp::{again, find, used, with_servers};
use super::flow_overflow::SUMMARY;
use super::server::text;

async fn switch(agent: &mut Agent, four: &Four, at: usize) {
    agent
        .send(Op::Setting(SettingOp::Model(four.model(at))))
        .await;
    let model = four.model(at);
    agent
        .until(|it| matches!(it, AgentEvent::Session(SessionEvent::ModelSwitched { model: now, .. }) if *now == model))
        .await;
}

/// The newest request of a server.
fn newest(four: &Four, at: usize) -> Value {
    four.servers[at].1.seen().pop().unwrap()
}

fn said_again(body: &Value) -> usize {
    body.to_string()
        .matches("[Tools in use: good__echo.")
        .count()
}

#[tokio::test]
async fn a_found_tool_is_used_without_a_search_by_models_of_every_kind() {
    let four = Four::start().await;
    let harness = with_servers(four.harness(), McpDefer::Always, &[("good", "good")]);
    let mut agent = harness.start().await;
    four.then(
        0,
        [
            find("c1", "says again"),
            used("c2", "good__echo", &json!({"text": "at 0"})),
            text("done"),
        ],
    );
    agent.ask("go").await;
    let listed = newest(&four, 0)["tools"].to_string();
    for at in [1, 2, 3, 0] {
        switch(&mut agent, &four, at).await;
        let word = format!("now at {at}");
        let echo = used("c1", "good__echo", &json!({ "text": word }));
        four.then(at, [echo, text("done")]);
        let before = four.servers[at].1.seen().len();
        agent.ask("use it again").await;
        let asked = four.servers[at].1.body(before);
        assert!(
            asked.to_string().contains("What to say."),
            "the schema: {asked}"
        );
        let offered = asked["tools"].to_string();
        assert!(
            offered.contains("find_tools") && offered.contains("use_tool"),
            "{offered}"
        );
        assert!(!offered.contains("good__echo"), "{offered}");
        let answered = newest(&four, at).to_string();
        assert!(answered.contains(&format!("said {word}")), "{answered}");
    }
    assert_eq!(
        newest(&four, 0)["tools"].to_string(),
        listed,
        "byte for byte"
    );
    agent.stop().await;
}

#[tokio::test]
async fn schemas_in_use_are_said_again_after_a_summary_to_whichever_model_answers() {
    let four = Four::start().await;
    let harness = with_servers(
        four.harness().wordy(),
        McpDefer::Always,
        &[("good", "good")],
    );
    let mut agent = harness.start().await;
    four.then(
        0,
        [
            find("c1", "says again"),
            used("c2", "good__echo", &json!({"text": "hello"})),
            text("zero"),
            text("one"),
            text("two"),
        ],
    );
    for question in ["first", "second", "third"] {
        agent.ask(question).await;
    }
    switch(&mut agent, &four, 1).await;
    four.then(1, [text(SUMMARY), text("three")]);
    agent.compact(None, true).await;
    agent
        .until(|it| matches!(it, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    agent.ask("fourth").await;
    assert_eq!(said_again(&newest(&four, 1)), 1);
    for (at, word) in [(2, "early"), (3, "late"), (0, "last")] {
        switch(&mut agent, &four, at).await;
        let echo = used("c1", "good__echo", &json!({ "text": word }));
        four.then(at, [echo, text("done")]);
        agent.ask("use it").await;
        let body = newest(&four, at);
        assert_eq!(said_again(&body), 1, "{at}");
        let body = body.to_string();
        assert!(body.contains(&format!("said {word}")), "{at}: {body}");
        assert!(body.contains("What to say."), "{at}: {body}");
    }
    agent.stop().await;

    let mut harness = again(harness);
    harness.setup.flags.model = Some(four.model(2).to_string());
    let mut agent = harness.start().await;
    let echo = used("c1", "good__echo", &json!({"text": "resumed"}));
    four.then(2, [echo, text("done")]);
    agent.ask("and now").await;
    let body = newest(&four, 2);
    assert_eq!(said_again(&body), 1);
    assert!(body.to_string().contains("said resumed"), "{body}");
    agent.stop().await;
}
