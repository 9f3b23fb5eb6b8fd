//! Servers of the Model Context Protocol that sub-agents call: their questions come up where
//! the person is, and each call shows how far it has come.

use plimsoll::agent::{AgentEvent, ChildEvent, FormAnswer, Op, TurnEvent, TurnOp};
use plimsoll::config::McpDefer;
use serde_json::{Value, json};

use super::agent::{Agent, Harness, joined};
use super::flow_mcp::{notices, used, with_servers};
use super::flow_mcp_live::{form, ready};
use super::server::{Reply, Say, Server, Wire, text};

fn task(id: &str, prompt: &str, is_background: bool) -> (String, Value) {
    let arguments = json!({"description": format!("do {id}"), "prompt": prompt,
        "background": is_background});
    (id.to_owned(), arguments)
}

fn starts(calls: impl IntoIterator<Item = (String, Value)>) -> Reply {
    let calls = calls.into_iter();
    let say = calls.fold(Say::text("w"), |say, (id, arguments)| {
        say.call(&id, "task", &arguments)
    });
    say.reply()
}

fn asks() -> [Reply; 2] {
    let echo = used("e1", "good__echo", &json!({"text": "1"}));
    [echo, text("the child is done")]
}

async fn harness(server: &Server, behaviour: &str) -> Harness {
    let harness = Harness::new(server).with_tool("task");
    let harness = with_servers(harness, McpDefer::Always, &[("good", behaviour)]);
    ready(&harness).await;
    harness
}

/// What a sub-agent was told, in the request after its call.
fn told(server: &Server, prompt: &str) -> String {
    let seen = server.seen().into_iter().rev();
    let mut texts = seen.map(|body| joined(&body));
    texts
        .find(|text| text.contains(prompt) && text.contains("heard"))
        .unwrap()
}

async fn accept(agent: &mut Agent, id: u64) {
    let content = json!({"project": "apollo"});
    let answer = FormAnswer::Accept(content.as_object().unwrap().clone());
    agent
        .send(Op::Turn(TurnOp::AnswerForm { id, answer }))
        .await;
}

#[tokio::test]
async fn a_question_during_a_call_of_a_sub_agent_comes_up_with_its_name() {
    let script = [starts([task("t1", "TASK-A go", false)]), text("thanks")];
    let server = Server::start(Wire::Anthropic, script).await;
    server.then_for("TASK-A", asks());
    let harness = harness(&server, "asking").await;
    let mut agent = harness.start().await;
    agent.say("go").await;
    let request = form(&mut agent).await;
    let asked_by = request.asked_by.unwrap();
    assert_eq!(asked_by.label(), "agent 1 (general: do t1)");
    assert_eq!(request.form.message, "Which project?");
    accept(&mut agent, request.id).await;
    agent.turn_end().await;
    assert!(told(&server, "TASK-A").contains("apollo"));
    let closed = agent.events.iter().any(|event| {
        matches!(event, AgentEvent::Turn(TurnEvent::FormClosed { id }) if *id == request.id)
    });
    assert!(closed);
    agent.stop().await;
}

#[tokio::test]
async fn a_question_of_a_sub_agents_own_sub_agent_comes_up_too() {
    let script = [starts([task("t1", "TASK-A go", false)]), text("thanks")];
    let server = Server::start(Wire::Anthropic, script).await;
    let inner = starts([task("t2", "TASK-B go", false)]);
    server.then_for("TASK-A", [inner, text("the outer one is done")]);
    server.then_for("TASK-B", asks());
    let harness = harness(&server, "asking").await;
    let mut agent = harness.start().await;
    agent.say("go").await;
    let request = form(&mut agent).await;
    let asked_by = request.asked_by.unwrap();
    assert_eq!(asked_by.label(), "agent 1.1 (general: do t2)");
    accept(&mut agent, request.id).await;
    agent.turn_end().await;
    assert!(told(&server, "TASK-B").contains("apollo"));
    agent.stop().await;
}

#[tokio::test]
async fn two_sub_agents_that_are_asked_at_once_are_answered_one_after_the_other() {
    let calls = [
        task("t1", "TASK-A go", false),
        task("t2", "TASK-B go", false),
    ];
    let server = Server::start(Wire::Anthropic, [starts(calls), text("thanks")]).await;
    let echo = |name: &str| used("e1", name, &json!({"text": "1"}));
    server.then_for("TASK-A", [echo("good__echo"), text("done")]);
    server.then_for("TASK-B", [echo("other__echo"), text("done")]);
    let harness = Harness::new(&server).with_tool("task");
    let servers = [("good", "asking"), ("other", "asking")];
    let harness = with_servers(harness, McpDefer::Always, &servers);
    ready(&harness).await;
    let mut agent = harness.start().await;
    agent.say("go").await;
    let first = form(&mut agent).await;
    let asked = |agent: &Agent| {
        let forms = agent.events.iter();
        forms
            .filter(|it| matches!(it, AgentEvent::Turn(TurnEvent::Form(_))))
            .count()
    };
    assert_eq!(asked(&agent), 1);
    accept(&mut agent, first.id).await;
    let second = form(&mut agent).await;
    assert_ne!(first.asked_by, second.asked_by);
    accept(&mut agent, second.id).await;
    agent.turn_end().await;
    for prompt in ["TASK-A", "TASK-B"] {
        assert!(told(&server, prompt).contains("apollo"), "{prompt}");
    }
    agent.stop().await;
}

#[tokio::test]
async fn a_stop_takes_the_question_of_a_sub_agent_back() {
    let server = Server::start(
        Wire::Anthropic,
        [starts([task("t1", "TASK-A go", false)]), text("thanks")],
    )
    .await;
    server.then_for("TASK-A", asks());
    let harness = harness(&server, "asking").await;
    let mut agent = harness.start().await;
    agent.say("go").await;
    let id = form(&mut agent).await.id;
    agent.send(Op::Turn(TurnOp::Interrupt)).await;
    let is_closed = |it: &AgentEvent| matches!(it, AgentEvent::Turn(TurnEvent::FormClosed { id: closed }) if *closed == id);
    agent.until(is_closed).await;
    agent.stop().await;
}

#[tokio::test]
async fn in_the_background_a_question_is_declined_and_that_is_said() {
    let script = [starts([task("t1", "TASK-A go", true)]), text("meanwhile")];
    let server = Server::start(Wire::Anthropic, script).await;
    server.then_for("TASK-A", asks());
    let harness = harness(&server, "asking").await;
    let mut agent = harness.start().await;
    agent.say("go").await;
    let said = "the MCP server good asked for input for agent 1 (general: do t1), which was \
                declined";
    agent
        .until(|it| matches!(it, AgentEvent::Notice(notice) if notice.text == said))
        .await;
    agent
        .until(|it| matches!(it, AgentEvent::Child(ChildEvent::Ended(_))))
        .await;
    assert!(told(&server, "TASK-A").contains("decline"));
    let is_form = |it: &AgentEvent| matches!(it, AgentEvent::Turn(TurnEvent::Form(_)));
    assert!(!agent.events.iter().any(is_form));
    agent.stop().await;
}

#[tokio::test]
async fn where_nobody_is_a_question_of_a_sub_agent_is_declined_and_that_is_said() {
    let script = [starts([task("t1", "TASK-A go", false)]), text("thanks")];
    let server = Server::start(Wire::Anthropic, script).await;
    let inner = starts([task("t2", "TASK-B go", false)]);
    server.then_for("TASK-A", [inner, text("the outer one is done")]);
    server.then_for("TASK-B", asks());
    let mut harness = harness(&server, "asking").await;
    harness.setup.is_interactive = false;
    let mut agent = harness.start().await;
    agent.ask("go").await;
    assert!(told(&server, "TASK-B").contains("decline"));
    let said = notices(&agent);
    assert!(
        said.contains("asked for input for agent 1.1 (general: do t2), which was declined"),
        "{said}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn two_calls_at_once_show_each_how_far_it_has_come() {
    let calls = [
        task("t1", "TASK-A go", false),
        task("t2", "TASK-B go", false),
    ];
    let server = Server::start(Wire::Anthropic, [starts(calls), text("thanks")]).await;
    for (task, word) in [("TASK-A", "one"), ("TASK-B", "two")] {
        let echo = used("e1", "good__echo", &json!({ "text": word }));
        server.then_for(task, [echo, text("done")]);
    }
    let harness = harness(&server, "pairs").await;
    let mut agent = harness.start().await;
    agent.say("go").await;
    let shows_both = |event: &AgentEvent| {
        let AgentEvent::Child(ChildEvent::Listed(list)) = event else {
            return false;
        };
        let doing: Vec<&str> = list.iter().map(|child| child.doing.as_str()).collect();
        doing == ["good__echo 50%: one", "good__echo 50%: two"]
    };
    agent.until(shows_both).await;
    agent.turn_end().await;
    agent.stop().await;
}
