//! Servers of the Model Context Protocol in a session that runs: what is switched off and on,
//! lists that are taken anew, found tools that a summary would have lost.

use plimsoll::agent::{
    AgentEvent, AnswerEvent, CompactionEvent, FormAnswer, FormRequest, Op, Query, QueryReply,
    ServerAct, SettingOp, TurnEvent, TurnOp,
};
use plimsoll::config::{McpDefer, McpServer};
use plimsoll::mcp::{LinkPhase, ServerReport};
use serde_json::{Value, json};

use super::agent::{Agent, Harness, joined};
use super::flow_mcp::{
    again, assert_extends, find, notes_file, notices, tool_names, used, with_described,
    with_servers,
};
use super::flow_overflow::SUMMARY;
use super::mcp_server::{described, notes};
use super::server::{Say, Server, Wire, text};

async fn servers_now(agent: &mut Agent) -> Vec<ServerReport> {
    agent.send(Op::query(Query::Servers)).await;
    next_reports(agent).await
}

async fn next_reports(agent: &mut Agent) -> Vec<ServerReport> {
    let event = agent
        .until(|event| {
            matches!(
                event,
                AgentEvent::Reply {
                    reply: QueryReply::Servers(_),
                    ..
                }
            )
        })
        .await;
    match event {
        AgentEvent::Reply {
            reply: QueryReply::Servers(reports),
            ..
        } => reports,
        other => panic!("{other:?}"),
    }
}

async fn act(agent: &mut Agent, act: ServerAct) {
    agent.send(Op::Setting(SettingOp::Servers(act))).await;
}

async fn switch(agent: &mut Agent, what: &str, on: bool) {
    let what = what.to_owned();
    act(agent, ServerAct::Switch { what, on }).await;
    agent.until(|it| matches!(it, AgentEvent::Notice(_))).await;
}

/// A harness in which the lists of the server `good` are known.
async fn known(defer: McpDefer, behaviour: &str) -> (Server, Harness) {
    let server = Server::start(Wire::OpenAi, [find("c0", "echo"), text("one")]).await;
    let harness = with_servers(Harness::new(&server), defer, &[("good", behaviour)]);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    agent.stop().await;
    (server, again(harness))
}

#[tokio::test]
async fn a_listed_server_that_is_switched_off_leaves_the_list_and_comes_back_as_it_was() {
    let (server, harness) = known(McpDefer::Never, "good").await;
    let call = |id: &str| {
        let arguments = json!({"text": "x"});
        Say::text("w").call(id, "good__echo", &arguments).reply()
    };
    server.then([
        text("two"),
        call("c1"),
        text("three"),
        call("c2"),
        text("four"),
    ]);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    switch(&mut agent, "good__*", false).await;
    assert!(notices(&agent).contains(
        "good is off in this session; the next request is sent without the prompt cache"
    ));
    let reports = servers_now(&mut agent).await;
    assert_eq!(
        (&reports[0].phase, reports[0].listed.tools),
        (&LinkPhase::Off, 0)
    );
    agent.ask("and now").await;
    let names = tool_names(&server.body(3));
    assert!(
        !names.iter().any(|name| name.starts_with("good__")),
        "{names:?}"
    );
    assert!(joined(&server.body(4)).contains("There is no tool `good__echo`"));
    switch(&mut agent, "good__*", true).await;
    agent.ask("again").await;
    let listed = |at: usize| server.body(at)["tools"].to_string();
    assert_eq!(listed(2), listed(5), "byte for byte");
    assert!(joined(&server.body(6)).contains("said x"));
    agent.stop().await;
}

#[tokio::test]
async fn what_is_deferred_is_switched_without_a_change_of_the_prompt() {
    let script = [
        find("c1", "says again"),
        used("c2", "good__echo", &json!({"text": "hello"})),
        text("one"),
        find("c3", "says again"),
        used("c4", "good__echo", &json!({"text": "gone"})),
        text("two"),
        used("c5", "good__echo", &json!({"text": "back"})),
        text("three"),
    ];
    let server = Server::start(Wire::OpenAi, script).await;
    let harness = with_servers(Harness::new(&server), McpDefer::Always, &[("good", "good")]);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    switch(&mut agent, "good__echo", false).await;
    assert!(
        notices(&agent).contains("the list of tools is as it was"),
        "{}",
        notices(&agent)
    );
    let report = &servers_now(&mut agent).await[0];
    let off: Vec<&str> = report
        .tools
        .iter()
        .filter(|it| it.is_off)
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(off, ["good__echo"]);
    agent.ask("go on").await;
    let told = joined(&server.body(5));
    assert!(
        told.contains("there is no tool `good__echo` that can be called"),
        "{told}"
    );
    switch(&mut agent, "good__echo", true).await;
    agent.ask("and now").await;
    assert!(joined(&server.body(7)).contains("said back"));
    for later in 1..8 {
        assert_extends(&server, later, later - 1);
    }
    agent.stop().await;
}

/// A harness whose servers are these; those named are off in the configuration.
fn with_off(mut harness: Harness, defer: McpDefer, servers: &[(&str, bool)]) -> Harness {
    let path = notes_file(&harness);
    let described = servers.iter().map(|(name, off)| McpServer {
        off: *off,
        ..described(name, "good", &path)
    });
    let described = described.collect();
    harness = with_described(harness, defer, described);
    harness
}

#[tokio::test]
async fn a_server_that_is_off_in_the_file_is_switched_on_and_its_tools_are_found() {
    let script = [
        text("one"),
        find("c1", "says again"),
        used("c2", "good__echo", &json!({"text": "awake"})),
        text("two"),
    ];
    let server = Server::start(Wire::OpenAi, script).await;
    let harness = with_off(Harness::new(&server), McpDefer::Auto, &[("good", true)]);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    assert_eq!(notes(&notes_file(&harness)), [""; 0], "it was not started");
    let report = &servers_now(&mut agent).await[0];
    assert_eq!((&report.phase, report.entering), (&LinkPhase::Off, 2));
    switch(&mut agent, "good__*", true).await;
    assert!(
        notices(&agent).contains("good is on in this session; the next request is sent without"),
        "{}",
        notices(&agent)
    );
    agent.ask("use it").await;
    let names = |at: usize| tool_names(&server.body(at));
    let reach = ["find_tools", "use_tool"].map(str::to_owned);
    assert!(!names(0).contains(&reach[0]), "{:?}", names(0));
    assert_eq!(names(1), [names(0), reach.to_vec()].concat());
    assert!(joined(&server.body(3)).contains("said awake"));
    for later in 2..4 {
        assert_extends(&server, later, later - 1);
    }
    act(&mut agent, ServerAct::Keep).await;
    while !notices(&agent).contains("good is off again in later sessions") {
        agent.until(|it| matches!(it, AgentEvent::Notice(_))).await;
    }
    agent.stop().await;
}

#[tokio::test]
async fn a_server_that_is_off_in_the_file_enters_the_list_when_its_tools_are_known() {
    let (server, harness) = known(McpDefer::Never, "good").await;
    let echo = Say::text("w").call("c1", "good__echo", &json!({"text": "x"}));
    server.then([text("two"), echo.reply(), text("three")]);
    let harness = with_off(harness, McpDefer::Never, &[("good", true)]);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    assert_eq!(servers_now(&mut agent).await[0].entering, 6);
    switch(&mut agent, "good__*", true).await;
    agent.ask("and now").await;
    let (before, after) = (tool_names(&server.body(2)), tool_names(&server.body(3)));
    assert!(
        !before.iter().any(|name| name.starts_with("good__")),
        "{before:?}"
    );
    assert_eq!(
        after.iter().filter(|it| it.starts_with("good__")).count(),
        6
    );
    assert!(joined(&server.body(4)).contains("said x"));
    assert_eq!(harness.setup.servers.reports()[0].listed.tools, 6);
    agent.stop().await;
}

#[tokio::test]
async fn a_server_that_is_off_in_the_file_costs_nothing_where_tools_are_found_already() {
    let script = [
        text("one"),
        find("c1", "late echo"),
        used("c2", "late__echo", &json!({"text": "awake"})),
        text("two"),
    ];
    let server = Server::start(Wire::OpenAi, script).await;
    let servers = [("good", false), ("late", true)];
    let harness = with_off(Harness::new(&server), McpDefer::Always, &servers);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    assert_eq!(servers_now(&mut agent).await[1].entering, 0);
    switch(&mut agent, "late__*", true).await;
    assert!(notices(&agent).contains("the list of tools is as it was"));
    agent.ask("use it").await;
    assert!(joined(&server.body(3)).contains("said awake"));
    for later in 1..4 {
        assert_extends(&server, later, later - 1);
    }
    agent.stop().await;
}

#[tokio::test]
async fn what_is_switched_off_is_kept_for_later_sessions() {
    let (server, harness) = known(McpDefer::Always, "good").await;
    server.then([text("two")]);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    switch(&mut agent, "good__crash", false).await;
    act(&mut agent, ServerAct::Keep).await;
    agent
        .until(|event| {
            matches!(event, AgentEvent::Reply { reply: QueryReply::Settings(report), .. }
                if report.outcome.as_ref().is_some_and(|it| it.text.starts_with("saved in")))
        })
        .await;
    agent.stop().await;
    let config = std::fs::read_to_string(harness.setup.paths.config_file()).unwrap();
    assert!(config.contains("good__crash"), "{config}");
}

#[tokio::test]
async fn a_changed_list_is_taken_when_the_user_says_so_and_after_what_runs() {
    let (server, harness) = known(McpDefer::Never, "changing").await;
    let echo = Say::text("w")
        .call("c1", "good__echo", &json!({"text": "x"}))
        .reply();
    server.then([echo, text("two"), text("three")]);
    let mut agent = harness.start().await;
    agent.say("go").await;
    // Asked for while the turn runs: it waits.
    act(&mut agent, ServerAct::Reload).await;
    agent.turn_end().await;
    while !notices(&agent).contains("the MCP servers") {
        agent.until(|it| matches!(it, AgentEvent::Notice(_))).await;
    }
    while !harness
        .setup
        .servers
        .tools_of("good")
        .iter()
        .any(|it| it.tool == "new")
    {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    act(&mut agent, ServerAct::Reload).await;
    next_reports(&mut agent).await;
    agent.ask("and now").await;
    let (before, after) = (tool_names(&server.body(3)), tool_names(&server.body(4)));
    assert!(!before.contains(&"good__new".to_owned()), "{before:?}");
    assert!(after.contains(&"good__new".to_owned()), "{after:?}");
    assert!(!harness.setup.servers.reports()[0].has_changed);
    agent.stop().await;
}

fn said_again(body: &Value) -> usize {
    joined(body).matches("[Tools in use: good__echo.").count()
}

#[tokio::test]
async fn schemas_in_use_are_said_again_after_a_summary_once_and_survive_a_resume() {
    let script = [
        find("c1", "says again"),
        used("c2", "good__echo", &json!({"text": "hello"})),
        text("zero"),
        text("one"),
        text("two"),
        text(SUMMARY),
        used("c3", "good__echo", &json!({"text": "more"})),
        text("three"),
        text("four"),
    ];
    let server = Server::start(Wire::OpenAi, script).await;
    let harness = Harness::new(&server).wordy().without_audit();
    let harness = with_servers(harness, McpDefer::Always, &[("good", "good")]);
    let mut agent = harness.start().await;
    for question in ["first", "second", "third"] {
        agent.ask(question).await;
    }
    for later in 1..5 {
        assert_extends(&server, later, later - 1);
    }
    agent.compact(None, true).await;
    agent
        .until(|it| matches!(it, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    agent.ask("fourth").await;
    let told = joined(&server.body(6));
    assert!(told.contains("SUMMARISED"), "{told}");
    assert_eq!(said_again(&server.body(6)), 1, "{told}");
    assert!(
        told.contains("good__echo: Says it again.\narguments: {"),
        "{told}"
    );
    assert!(!told.contains("good__crash"), "it was not used: {told}");
    assert!(joined(&server.body(7)).contains("said more"));
    assert_extends(&server, 7, 6);
    agent.stop().await;

    let harness = again(harness);
    let mut agent = harness.start().await;
    agent.ask("fifth").await;
    assert_eq!(said_again(&server.body(8)), 1);
    assert_extends(&server, 8, 7);
    agent.stop().await;
}

#[tokio::test]
async fn a_screen_that_follows_hears_of_every_state() {
    let server = Server::start(Wire::OpenAi, [text("one")]).await;
    let harness = with_servers(Harness::new(&server), McpDefer::Always, &[("good", "good")]);
    let mut agent = harness.start().await;
    let mut reports = servers_now(&mut agent).await;
    while reports[0].phase != LinkPhase::Ready {
        reports = next_reports(&mut agent).await;
    }
    assert_eq!(reports[0].deferred.tools, 6);
    agent.stop().await;
}

/// Waits until the servers have started.
pub async fn ready(harness: &Harness) {
    let servers = &harness.setup.servers;
    servers.start();
    servers.settled(std::time::Duration::from_secs(30)).await;
}

/// A model that calls `echo` of one server of this kind, and is done.
async fn one_call(kind: &str, said: &str) -> (Server, Harness) {
    let script = [
        used("c1", "good__echo", &json!({"text": said})),
        text("done"),
    ];
    let server = Server::start(Wire::OpenAi, script).await;
    let harness = Harness::new(&server);
    let harness = with_servers(harness, McpDefer::Always, &[("good", kind)]);
    (server, harness)
}

pub async fn form(agent: &mut Agent) -> FormRequest {
    let event = agent
        .until(|it| matches!(it, AgentEvent::Turn(TurnEvent::Form(_))))
        .await;
    match event {
        AgentEvent::Turn(TurnEvent::Form(request)) => *request,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_question_of_a_server_is_a_form_and_its_answer_goes_back() {
    let (server, harness) = one_call("asking", "2").await;
    ready(&harness).await;
    let mut agent = harness.start().await;
    agent.say("go").await;
    let request = form(&mut agent).await;
    assert_eq!(
        (request.form.asker.as_str(), request.form.message.as_str()),
        ("good", "Which project?")
    );
    assert_eq!(request.form.fields[0].title, "Project");
    let content = json!({"project": "apollo", "public": true});
    let answer = FormAnswer::Accept(content.as_object().unwrap().clone());
    agent
        .send(Op::Turn(TurnOp::AnswerForm {
            id: request.id,
            answer,
        }))
        .await;
    let request = form(&mut agent).await;
    let answer = FormAnswer::Decline;
    agent
        .send(Op::Turn(TurnOp::AnswerForm {
            id: request.id,
            answer,
        }))
        .await;
    agent.turn_end().await;
    let told = joined(&server.body(1));
    assert!(
        told.contains("apollo") && told.contains("decline"),
        "{told}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn a_server_that_asks_without_end_is_declined_and_a_stop_takes_its_question_back() {
    let (server, harness) = one_call("asking", "100").await;
    ready(&harness).await;
    let mut agent = harness.start().await;
    agent.say("go").await;
    for _ in 0..10 {
        let id = form(&mut agent).await.id;
        let answer = FormAnswer::Cancel;
        agent
            .send(Op::Turn(TurnOp::AnswerForm { id, answer }))
            .await;
    }
    agent.turn_end().await;
    let told = notes(&notes_file(&harness));
    let count = |what: &str| told.iter().filter(|it| *it == what).count();
    assert_eq!((count("answer cancel"), count("answer decline")), (10, 90));

    server.then([used("c2", "good__echo", &json!({"text": "1"}))]);
    agent.say("again").await;
    let id = form(&mut agent).await.id;
    agent.send(Op::Turn(TurnOp::Interrupt)).await;
    let is_closed = |it: &AgentEvent| matches!(it, AgentEvent::Turn(TurnEvent::FormClosed { id: closed }) if *closed == id);
    agent.until(is_closed).await;
    agent.turn_end().await;
    agent.stop().await;
}

#[tokio::test]
async fn where_nobody_can_answer_a_question_is_declined_and_said() {
    let (server, mut harness) = one_call("asking", "1").await;
    harness.setup.is_interactive = false;
    ready(&harness).await;
    let mut agent = harness.start().await;
    agent.ask("go").await;
    assert!(joined(&server.body(1)).contains("decline"));
    let said = notices(&agent);
    assert!(
        said.contains("the MCP server good asked for input, which was declined"),
        "{said}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn progress_of_a_call_is_shown_while_it_runs() {
    let (_server, harness) = one_call("progress", "x").await;
    ready(&harness).await;
    let mut agent = harness.start().await;
    agent.ask("go").await;
    let shown: String = agent
        .events
        .iter()
        .filter_map(|event| match event {
            AgentEvent::Stream(AnswerEvent::ToolOutput { text, .. }) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(shown, "50%: half way\n");
    agent.stop().await;
}

#[tokio::test]
async fn a_sub_agent_reaches_the_deferred_tools_that_it_names_and_no_others() {
    let task = json!({"description": "say it", "prompt": "TASK-A: say it", "agent": "limited"});
    let start = Say::text("w").call("t1", "task", &task).reply();
    let server = Server::start(Wire::Anthropic, [start, text("thanks")]).await;
    let script = [
        used("c1", "good__echo", &json!({"text": "mine"})),
        used("c2", "good__fail", &json!({"text": "x"})),
        find("c3", "says again fails"),
        text("done"),
    ];
    server.then_for("TASK-A", script);
    let harness = Harness::new(&server).with_tool("task");
    let folder = harness.dir.path().join("home/agents");
    std::fs::create_dir_all(&folder).unwrap();
    let agent =
        "---\nname: limited\ndescription: uses one tool\ntools: read, good__echo\n---\nWork.\n";
    std::fs::write(folder.join("limited.md"), agent).unwrap();
    let harness = with_servers(harness, McpDefer::Always, &[("good", "good")]);
    ready(&harness).await;
    let mut agent = harness.start().await;
    agent.ask("go").await;
    let child: Vec<Value> = server
        .seen()
        .into_iter()
        .filter(|body| body["system"].to_string().contains("Work."))
        .collect();
    let names: Vec<&str> = child[0]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["read", "find_tools", "use_tool"]);
    let told = joined(child.last().unwrap());
    assert!(told.contains("said mine"), "{told}");
    assert!(told.contains("there is no tool `good__fail`"), "{told}");
    assert!(
        told.contains("good__echo: Says it again.") && !told.contains("good__fail: Fails."),
        "{told}"
    );
    agent.stop().await;
}
