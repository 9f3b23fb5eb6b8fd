//! Servers of the Model Context Protocol: their tools are found, asked about and run; they
//! change nothing that stood before, and nothing that they do ends a session.

use std::path::PathBuf;
use std::sync::Arc;

use plimsoll::agent::{AgentEvent, ApprovalDecision, ContextEvent, Op, TurnOp};
use plimsoll::config::{McpDefer, McpServer};
use plimsoll::context::{Category, ContextView};
use plimsoll::mcp::{LinkPhase, McpPlace, McpServers};
use plimsoll::tool::ApprovalMode;
use serde_json::{Value, json};

use super::agent::{Agent, Harness, joined};
use super::mcp_server::{described, notes};
use super::server::{Reply, Say, Server, Wire, text};

/// A harness whose session has these servers.
pub fn with_servers(harness: Harness, defer: McpDefer, servers: &[(&str, &str)]) -> Harness {
    let path = notes_file(&harness);
    let servers = servers
        .iter()
        .map(|(name, behaviour)| described(name, behaviour, &path));
    with_described(harness, defer, servers.collect())
}

pub fn with_described(mut harness: Harness, defer: McpDefer, servers: Vec<McpServer>) -> Harness {
    let setup = &mut harness.setup;
    setup.settings.mcp.defer = defer;
    setup.settings.mcp.servers = servers;
    let place = McpPlace {
        cwd: setup.cwd.clone(),
        environment: std::env::vars().collect(),
        lists_file: setup.paths.server_tools_file(),
        credentials_file: setup.paths.credentials_file(),
        trust: plimsoll::provider::Trust::default(),
    };
    setup.servers = Arc::new(McpServers::new(&setup.settings.mcp, place));
    harness
}

/// The same for another session: what the servers said is known now.
pub fn again(harness: Harness) -> Harness {
    let mcp = harness.setup.settings.mcp.clone();
    with_described(harness, mcp.defer, mcp.servers)
}

pub fn notes_file(harness: &Harness) -> PathBuf {
    harness.setup.cwd.join("notes")
}

pub fn find(id: &str, query: &str) -> Reply {
    Say::text("f")
        .call(id, "find_tools", &json!({ "query": query }))
        .reply()
}

pub fn used(id: &str, name: &str, arguments: &Value) -> Reply {
    Say::text("u")
        .call(
            id,
            "use_tool",
            &json!({ "name": name, "arguments": arguments }),
        )
        .reply()
}

pub fn tool_names(body: &Value) -> Vec<String> {
    let tools = body["tools"].as_array().unwrap();
    let name = |tool: &Value| tool["function"]["name"].as_str().unwrap().to_owned();
    tools.iter().map(name).collect()
}

/// That a later request begins with all that an earlier one said, byte for byte.
pub fn assert_extends(server: &Server, later: usize, earlier: usize) {
    let (later, earlier) = (server.body(later), server.body(earlier));
    assert_eq!(later["tools"].to_string(), earlier["tools"].to_string());
    let (old, new) = (&earlier["messages"], &later["messages"]);
    let (old, new) = (old.as_array().unwrap(), new.as_array().unwrap());
    for (at, message) in old.iter().enumerate() {
        assert_eq!(new[at].to_string(), message.to_string(), "message {at}");
    }
}

pub fn notices(agent: &Agent) -> String {
    let texts = agent.events.iter().filter_map(|event| match event {
        AgentEvent::Notice(notice) => Some(format!("{}\n", notice.text)),
        _ => None,
    });
    texts.collect()
}

#[tokio::test]
async fn a_tool_is_found_and_asked_about_by_its_own_name_and_what_stood_before_stays() {
    let script = [
        find("c1", "says again"),
        used("c2", "good__echo", &json!({"text": "hello"})),
        used("c3", "good__echo", &json!({"text": "more"})),
        text("done"),
    ];
    let server = Server::start(Wire::OpenAi, script).await;
    let harness = Harness::new(&server).set(|s| s.agent.tools.approvals = ApprovalMode::Ask);
    let harness = with_servers(harness, McpDefer::Auto, &[("good", "good")]);
    let mut agent = harness.start().await;
    agent.say("use it").await;
    let request = agent.approval().await;
    assert_eq!(request.call.name, "good__echo");
    assert_eq!(request.title, r#"{"text":"hello"}"#);
    let (id, decision) = (request.id, ApprovalDecision::Session);
    agent.send(Op::Turn(TurnOp::Approve { id, decision })).await;
    assert_eq!(agent.turn_end().await.text, "done", "asked once");

    let names = tool_names(&server.body(0));
    assert!(names.ends_with(&["find_tools".to_owned(), "use_tool".to_owned()]));
    assert!(
        !server.body(0).to_string().contains("echo"),
        "not in the list"
    );
    let found = joined(&server.body(1));
    assert!(found.contains("good__echo: Says it again.") && found.contains("What to say."));
    assert!(joined(&server.body(2)).contains("said hello"));
    assert!(joined(&server.body(3)).contains("said more"));
    for later in 1..4 {
        assert_extends(&server, later, later - 1);
    }
    assert_eq!(harness.setup.servers.reports()[0].calls.calls, 2);
    agent.stop().await;
    let notes = notes(&notes_file(&harness));
    assert_eq!(
        notes,
        ["start good", "call echo", "call echo", "end of input"]
    );
}

#[tokio::test]
async fn a_small_list_that_is_known_is_offered_from_the_first_request() {
    let server = Server::start(Wire::OpenAi, [find("c0", "echo"), text("one")]).await;
    let harness = with_servers(Harness::new(&server), McpDefer::Auto, &[("good", "good")]);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    agent.stop().await;

    let echo = Say::text("w")
        .call("c1", "good__echo", &json!({"text": "direct"}))
        .reply();
    server.then([echo, text("two"), text("three")]);
    let harness = again(harness);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    let names = tool_names(&server.body(2));
    assert!(names.contains(&"good__echo".to_owned()), "{names:?}");
    assert!(!names.contains(&"find_tools".to_owned()), "{names:?}");
    assert!(joined(&server.body(3)).contains("said direct"));
    assert_extends(&server, 3, 2);
    agent.stop().await;
}

#[tokio::test]
async fn a_large_list_that_is_known_is_deferred_all_the_same() {
    let script = [find("c0", "thing"), text("one"), text("two")];
    let server = Server::start(Wire::OpenAi, script).await;
    let harness = with_servers(Harness::new(&server), McpDefer::Auto, &[("many", "many")]);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    agent.stop().await;
    let harness = again(harness);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    let names = tool_names(&server.body(2));
    assert!(names.contains(&"find_tools".to_owned()), "{names:?}");
    let many = names.iter().filter(|name| name.starts_with("many__"));
    assert_eq!(many.count(), 0, "a tenth of the window is less");
    agent.stop().await;
}

#[tokio::test]
async fn two_hundred_and_fifty_tools_cost_as_much_as_two() {
    let script = [
        find("c1", "thing number 217"),
        used("c2", "many__make_thing_217", &json!({"text": "x"})),
        text("done"),
    ];
    let server = Server::start(Wire::OpenAi, script).await;
    let harness = with_servers(Harness::new(&server), McpDefer::Always, &[("many", "many")]);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    let report = &harness.setup.servers.reports()[0];
    assert_eq!((report.deferred.tools, report.listed.tools), (250, 0));
    assert!(report.deferred.tokens > 10_000, "{report:?}");
    let tools = server.body(0)["tools"].as_array().unwrap().clone();
    let ours = tools.iter().filter(|tool| {
        let name = tool["function"]["name"].as_str().unwrap();
        ["find_tools", "use_tool"].contains(&name)
    });
    let chars: usize = ours.map(|tool| tool.to_string().len()).sum();
    assert!(chars / 3 < 1_500, "{chars} characters");
    assert!(joined(&server.body(1)).contains("many__make_thing_217: Makes thing number 217."));
    assert!(joined(&server.body(2)).contains("said x"));
    agent.stop().await;
}

#[tokio::test]
async fn a_hostile_server_prints_nothing_and_takes_no_name_of_another() {
    let script = [
        find("c1", "steal reads echo"),
        used("c2", "bad__read", &json!({"text": "x"})),
        used("c3", "good__echo", &json!({"text": "mine"})),
        text("done"),
    ];
    let server = Server::start(Wire::OpenAi, script).await;
    let servers = [("bad", "hostile"), ("good", "good")];
    let harness = with_servers(Harness::new(&server), McpDefer::Always, &servers);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    let names: Vec<String> = harness
        .setup
        .servers
        .tools_of("bad")
        .iter()
        .map(|it| it.name.clone())
        .collect();
    assert!(
        names.iter().all(|name| name.starts_with("bad__")),
        "{names:?}"
    );
    agent.stop().await;
    let sent = (0..4).map(|n| server.body(n).to_string());
    let log = std::fs::read_to_string(harness.session()).unwrap();
    for text in sent.chain([log]) {
        for escape in ["\\u001b", "\u{1b}", "\\u009b", "\u{9b}", "owned", "eA=="] {
            assert!(!text.contains(escape), "{escape:?}");
        }
    }
    let notes = notes(&notes_file(&harness));
    assert!(notes.contains(&"call read".to_owned()) && notes.contains(&"call echo".to_owned()));
    assert!(joined(&server.body(3)).contains("said mine"));
}

#[tokio::test]
async fn a_server_that_ends_is_started_again_and_one_that_does_not_start_is_named() {
    let script = [
        used("c1", "good__crash", &json!({"text": "x"})),
        used("c2", "good__echo", &json!({"text": "back"})),
        find("c3", "nothing of the kind"),
        text("done"),
    ];
    let server = Server::start(Wire::OpenAi, script).await;
    let servers = [("good", "good"), ("broken", "broken")];
    let harness = with_servers(Harness::new(&server), McpDefer::Always, &servers);
    let mut agent = harness.start().await;
    harness
        .setup
        .servers
        .settled(std::time::Duration::from_secs(30))
        .await;
    agent.ask("go").await;
    let told = joined(&server.body(3));
    assert!(
        told.contains("good__crash has no answer: it ended before it answered"),
        "{told}"
    );
    assert!(told.contains("said back"), "{told}");
    assert!(
        told.contains("broken: its program ended with exit status 7; it said: no database here"),
        "{told}"
    );
    let notices = notices(&agent);
    assert!(
        notices.contains("the MCP server broken does not run"),
        "{notices}"
    );
    let reports = harness.setup.servers.reports();
    let phases: Vec<_> = reports.iter().map(|it| it.phase.name()).collect();
    assert_eq!(phases, ["ready", "failed"]);
    agent.stop().await;
    assert!(
        harness
            .setup
            .servers
            .reports()
            .iter()
            .all(|it| it.phase == LinkPhase::Ended)
    );
}

#[tokio::test]
async fn a_call_that_is_stopped_tells_the_server_and_leaves_it_usable() {
    let script = [
        used("c1", "good__slow", &json!({"text": "x"})),
        used("c2", "good__echo", &json!({"text": "after"})),
        text("done"),
    ];
    let server = Server::start(Wire::OpenAi, script).await;
    let harness = with_servers(Harness::new(&server), McpDefer::Always, &[("good", "good")]);
    harness.setup.servers.start();
    harness
        .setup
        .servers
        .settled(std::time::Duration::from_secs(30))
        .await;
    let mut agent = harness.start().await;
    agent.say("go").await;
    while !notes(&notes_file(&harness)).contains(&"call slow".to_owned()) {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    agent.send(Op::Turn(TurnOp::Interrupt)).await;
    agent.turn_end().await;
    agent.ask("and now").await;
    let told = joined(&server.body(2));
    assert!(
        told.contains("good__slow has no answer: the user stopped it"),
        "{told}"
    );
    assert!(told.contains("said after"), "{told}");
    agent.stop().await;
    assert!(notes(&notes_file(&harness)).contains(&"cancelled".to_owned()));
}

#[tokio::test]
async fn nobody_waits_for_a_server_that_says_nothing_and_nothing_of_it_is_left() {
    let script = [text("at once"), find("c1", "echo"), text("done")];
    let server = Server::start(Wire::OpenAi, script).await;
    let harness = Harness::new(&server);
    let path = notes_file(&harness);
    let mut silent = described("silent", "silent", &path);
    silent.deadline_secs = 1;
    let servers = vec![silent, described("stubborn", "stubborn", &path)];
    let harness = with_described(harness, McpDefer::Auto, servers);
    let mut agent = harness.start().await;
    assert_eq!(agent.ask("go").await.text, "at once");
    agent.ask("find it").await;
    let told = joined(&server.body(2));
    assert!(
        told.contains("silent: it did not answer within 1 s"),
        "{told}"
    );
    assert!(told.contains("stubborn__echo"), "{told}");
    agent.stop().await;
    let notes = notes(&path);
    assert!(
        notes.contains(&"end of input".to_owned()),
        "asked to end first: {notes:?}"
    );
}

#[tokio::test]
async fn wrong_arguments_never_reach_a_server_and_its_failures_are_results() {
    let script = [
        used("c1", "good__echo", &json!({"txt": 1})),
        used("c2", "good__gone", &json!({})),
        used("c3", "good__fail", &json!({"text": "x"})),
        used("c4", "good__picture", &json!({"text": "x"})),
        used("c5", "good__environment", &json!({"text": "x"})),
        text("done"),
    ];
    let server = Server::start(Wire::OpenAi, script).await;
    let harness = with_servers(Harness::new(&server), McpDefer::Always, &[("good", "good")]);
    harness.setup.servers.start();
    harness
        .setup
        .servers
        .settled(std::time::Duration::from_secs(30))
        .await;
    let mut agent = harness.start().await;
    agent.ask("go").await;
    let body = server.body(5);
    let told = joined(&body);
    assert!(
        told.contains("good__echo: `text` is missing. It takes arguments"),
        "{told}"
    );
    assert!(told.contains("there is no tool `good__gone`"), "{told}");
    assert!(told.contains("no such thing"), "{told}");
    assert!(
        body.to_string().contains("iVBORw0KGgo"),
        "the picture is sent"
    );
    let environment = told
        .lines()
        .find(|line| line.contains("PLIM_TEST_MCP"))
        .unwrap();
    assert!(
        environment.contains("\"PATH\"") && !environment.contains("CARGO"),
        "{environment}"
    );
    agent.stop().await;
    let notes = notes(&notes_file(&harness));
    assert!(!notes.contains(&"call echo".to_owned()), "{notes:?}");
}

#[tokio::test]
async fn a_list_that_changes_changes_no_request_of_the_session() {
    let server = Server::start(Wire::OpenAi, [find("c0", "echo"), text("one")]).await;
    let harness = with_servers(
        Harness::new(&server),
        McpDefer::Never,
        &[("new", "changing")],
    );
    let mut agent = harness.start().await;
    agent.ask("go").await;
    agent.stop().await;
    let echo = Say::text("w")
        .call("c1", "new__echo", &json!({"text": "x"}))
        .reply();
    server.then([echo, text("two"), text("three"), text("four")]);
    let harness = again(harness);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    while !notices(&agent).contains("has other tools now") {
        agent.until(|it| matches!(it, AgentEvent::Notice(_))).await;
    }
    agent.ask("go on").await;
    assert!(harness.setup.servers.reports()[0].has_changed);
    for later in 3..5 {
        assert_extends(&server, later, later - 1);
    }
    agent.stop().await;
    let harness = again(harness);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    let names = tool_names(&server.body(5));
    assert!(names.contains(&"new__new".to_owned()), "{names:?}");
    agent.stop().await;
}

#[tokio::test]
async fn a_rule_for_all_tools_of_a_server_is_for_no_other_server() {
    let script = [
        used("c1", "good__echo", &json!({"text": "one"})),
        used("c2", "good2__echo", &json!({"text": "two"})),
        text("done"),
    ];
    let server = Server::start(Wire::OpenAi, script).await;
    let harness = Harness::new(&server).set(|s| {
        s.agent.tools.approvals = ApprovalMode::Ask;
        s.agent.tools.approvals_allow = vec!["good__*".to_owned()];
    });
    let servers = [("good", "good"), ("good2", "good")];
    let harness = with_servers(harness, McpDefer::Always, &servers);
    harness.setup.servers.start();
    harness
        .setup
        .servers
        .settled(std::time::Duration::from_secs(30))
        .await;
    let mut agent = harness.start().await;
    agent.say("go").await;
    let request = agent.approval().await;
    assert_eq!(request.call.name, "good2__echo");
    let (id, decision) = (request.id, ApprovalDecision::Once);
    agent.send(Op::Turn(TurnOp::Approve { id, decision })).await;
    agent.turn_end().await;
    assert!(joined(&server.body(1)).contains("said one"));
    assert!(joined(&server.body(2)).contains("said two"));
    agent.stop().await;
}

fn last_view(agent: &Agent) -> Arc<ContextView> {
    let views = agent.events.iter().rev().find_map(|event| match event {
        AgentEvent::Context(ContextEvent::View(view)) => Some(Arc::clone(view)),
        _ => None,
    });
    views.unwrap()
}

#[tokio::test]
async fn what_each_server_takes_of_a_request_is_in_the_view() {
    let server = Server::start(Wire::OpenAi, [find("c0", "echo"), text("one"), text("two")]).await;
    let harness = with_servers(Harness::new(&server), McpDefer::Auto, &[("good", "good")]);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    let view = last_view(&agent);
    let [reach] = &*view.frame.servers else {
        panic!("{:?}", view.frame.servers)
    };
    assert_eq!(reach.group.name, "found when needed: good");
    assert_eq!(reach.group.tools, ["find_tools", "use_tool"]);
    assert_eq!(reach.tokens, view.usage.by_category.get(Category::Servers));
    agent.stop().await;

    let harness = again(harness);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    let view = last_view(&agent);
    let [good] = &*view.frame.servers else {
        panic!("{:?}", view.frame.servers)
    };
    assert_eq!(
        (good.group.name.as_str(), good.group.tools.len()),
        ("good", 6)
    );
    assert!(good.tokens > reach.tokens, "{good:?}");
    let total: u64 = view.items.iter().map(|item| item.tokens).sum();
    assert_eq!(total, view.usage.tokens);
    let mut items = view.items.iter();
    let item = items.find(|it| it.category == Category::Servers).unwrap();
    assert_eq!(
        (item.tokens, &*item.preview),
        (good.tokens, &*good.in_words())
    );
    let printed = plimsoll::headless::context_json(
        &view,
        plimsoll::headless::ContextLabels {
            session: "s",
            leaf: None,
            model: "m",
            engine: "e",
            preset: "p",
        },
    );
    assert_eq!(printed["servers"][0]["name"], "good");
    assert_eq!(printed["servers"][0]["tokens"], good.tokens);
    agent.stop().await;
}
