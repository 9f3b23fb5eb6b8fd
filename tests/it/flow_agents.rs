//! Sub-agents: their sessions, results, questions, costs and ends.

use std::collections::BTreeSet;
use std::path::PathBuf;

use plimsoll::agent::{
    AgentEvent, ApprovalDecision, ChildEvent, ChildId, ChildState, Op, Query, QueryReply,
    RequestSlots, SessionCost, SessionSource, TurnEvent, TurnOp,
};
use plimsoll::tool::ApprovalMode;
use serde_json::{Value, json};

use super::agent::{Agent, Harness, joined, messages};
use super::server::{Reply, Say, Server, Wire, text};

fn task(id: &str, prompt: &str) -> (String, Value) {
    let arguments = json!({"description": format!("do {id}"), "prompt": prompt});
    (id.to_owned(), arguments)
}

fn with(call: (String, Value), name: &str, value: impl Into<Value>) -> (String, Value) {
    let (id, mut arguments) = call;
    arguments[name] = value.into();
    (id, arguments)
}

/// An answer that starts sub-agents.
fn starts(calls: impl IntoIterator<Item = (String, Value)>) -> Reply {
    let say = Say::text("I have it done.").usage(100);
    let calls = calls.into_iter();
    calls
        .fold(say, |say, (id, arguments)| {
            say.call(&id, "task", &arguments)
        })
        .reply()
}

async fn server(script: impl IntoIterator<Item = Reply>) -> Server {
    Server::start(Wire::Anthropic, script).await
}

fn harness(server: &Server) -> Harness {
    Harness::new(server).with_tool("task")
}

fn child_file(harness: &Harness, number: u64) -> PathBuf {
    let name = format!("session.d/agents/{number}.jsonl");
    harness.dir.path().join(name)
}

fn lines(path: &std::path::Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The body whose newest message of the user holds these words.
fn body_with(server: &Server, words: &str) -> Value {
    let holds = |body: &Value| {
        let messages = messages(body);
        let mut users = messages.iter().rev().filter(|(role, _)| role == "user");
        users.next().is_some_and(|(_, text)| text.contains(words))
    };
    let found = server.seen().into_iter().find(holds);
    found.unwrap_or_else(|| panic!("no request with {words}"))
}

fn tools(body: &Value) -> Vec<String> {
    let tools = body["tools"].as_array().unwrap().iter();
    tools
        .map(|tool| tool["name"].as_str().unwrap().to_owned())
        .collect()
}

fn ended(events: &[AgentEvent]) -> Vec<plimsoll::agent::ChildInfo> {
    let all = events.iter().filter_map(|event| match event {
        AgentEvent::Child(ChildEvent::Ended(info)) => Some(info.as_ref().clone()),
        _ => None,
    });
    all.collect()
}

async fn cost(agent: &mut Agent) -> SessionCost {
    agent.send(Op::query(Query::Cost)).await;
    let is_cost = |event: &AgentEvent| {
        matches!(
            event,
            AgentEvent::Reply {
                reply: QueryReply::Cost(_),
                ..
            }
        )
    };
    match agent.until(is_cost).await {
        AgentEvent::Reply {
            reply: QueryReply::Cost(account),
            ..
        } => *account,
        _ => unreachable!(),
    }
}

#[tokio::test]
async fn a_sub_agent_works_in_a_session_of_its_own_and_its_last_words_are_the_result() {
    let call = with(
        task("c1", "TASK-A: where is the parser?"),
        "agent",
        "explore",
    );
    let server = server([starts([call]), text("thanks")]).await;
    let look = Say::text("I look.").call("r1", "read", &json!({"path": "a.txt"}));
    server.then_for("TASK-A", [look.usage(20).reply(), text("It is in a.txt.")]);
    let harness = harness(&server);
    harness.file("a.txt", "parser");
    let mut agent = harness.start().await;
    agent.ask("find the parser").await;

    let child = body_with(&server, "TASK-A");
    assert!(child["system"].to_string().contains("You are a sub-agent."));
    assert!(!joined(&child).contains("find the parser"));
    let offered: BTreeSet<String> = tools(&child).into_iter().collect();
    for (name, is_offered) in [
        ("read", true),
        ("search", true),
        ("edit", false),
        ("task", false),
    ] {
        assert_eq!(offered.contains(name), is_offered, "{name}: {offered:?}");
    }
    let result = joined(&body_with(&server, "It is in a.txt."));
    assert!(result.contains("2 requests"), "{result}");
    let file = child_file(&harness, 1);
    assert!(result.contains(&file.display().to_string()), "{result}");
    assert!(!result.contains("I look."), "only the final message");

    let log = lines(&file);
    let parent = harness.session().display().to_string();
    assert_eq!(log[0]["parentSession"], parent.as_str());
    let links: Vec<Value> = harness
        .log()
        .into_iter()
        .filter(|line| line["customType"] == "plimsoll.agent")
        .collect();
    assert_eq!(links.len(), 2, "{links:#?}");
    assert_eq!(links[0]["data"]["session"], log[0]["id"]);
    assert_eq!(links[0]["data"]["file"], "agents/1.jsonl");
    assert_eq!(links[1]["data"]["end"]["state"], "done");
    agent.stop().await;
}

#[tokio::test]
async fn several_run_at_the_same_time_and_the_sum_of_their_tokens_is_exact() {
    let calls = (0..10).map(|n| task(&format!("c{n}"), &format!("TASK-{n}-X go")));
    let server = server([starts(calls), Say::text("all done").usage(1_000).reply()]).await;
    let mut input = 100 + 1_000;
    for n in 0..10 {
        let look = Say::text("looking").call("l1", "list", &json!({"path": "."}));
        let first = look.usage(10 + n).reply();
        let second = Say::text(format!("answer {n}")).usage(200 + n).reply();
        input += 210 + 2 * n;
        server.then_for(&format!("TASK-{n}-X"), [first, second]);
    }
    let harness = harness(&server);
    let mut agent = harness.start().await;
    agent.ask("do ten things").await;
    let last = joined(&server.seen().pop().unwrap());
    let places: Vec<usize> = (0..10)
        .map(|n| last.find(&format!("answer {n}")).unwrap())
        .collect();
    assert!(places.is_sorted(), "in the order of the calls: {last}");

    let account = cost(&mut agent).await;
    let total = account.total();
    assert_eq!(total.usage.input_tokens, input);
    assert_eq!(total.requests, 22);
    assert_eq!(account.agents["general"].requests, 20);
    let of_children: u64 = ended(&agent.events).iter().map(|it| it.requests).sum();
    assert_eq!(of_children, 20);
    agent.stop().await;
}

#[tokio::test]
async fn one_slot_is_enough_for_agents_of_agents_and_none_starts_a_third_depth() {
    let server = server([starts([task("c1", "TASK-OUTER go")]), text("done")]).await;
    let inner = starts([task("c2", "TASK-INNER go")]);
    server.then_for("TASK-OUTER", [inner, text("outer says so")]);
    server.then_for("TASK-INNER", [text("inner says so")]);
    let mut harness = harness(&server);
    harness.setup.lanes = RequestSlots::new(1);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    assert!(tools(&body_with(&server, "TASK-OUTER")).contains(&"task".to_owned()));
    assert!(!tools(&body_with(&server, "TASK-INNER")).contains(&"task".to_owned()));
    let last = joined(&server.seen().pop().unwrap());
    assert!(
        last.contains("outer says so") && !last.contains("inner says so"),
        "{last}"
    );
    let info = ended(&agent.events).pop().unwrap();
    assert_eq!(info.requests, 3, "those of its own are counted");
    let account = cost(&mut agent).await;
    assert_eq!(account.total().requests, 5);
    agent.stop().await;
}

#[tokio::test]
async fn a_question_of_a_sub_agent_comes_up_with_its_name_and_is_answered_there() {
    let server = server([starts([task("c1", "TASK-A go")]), text("done")]).await;
    let shell = Say::text("I run it.").call("s1", "shell", &json!({"command": "touch made"}));
    server.then_for("TASK-A", [shell.reply(), text("made it")]);
    let harness = harness(&server).set(|s| s.agent.tools.approvals = ApprovalMode::Ask);
    let mut agent = harness.start().await;
    agent.say("go").await;
    let request = agent.approval().await;
    let asking = request.asked_by.clone().unwrap();
    assert_eq!(asking.label(), "agent 1 (general: do c1)");
    assert_eq!(request.title, "touch made");
    agent
        .send(Op::Turn(TurnOp::Approve {
            id: request.id,
            decision: ApprovalDecision::Session,
        }))
        .await;
    agent.turn_end().await;
    assert!(harness.setup.cwd.join("made").exists());
    // What was allowed for the session holds for the agent itself.
    let shell = Say::text("I too.").call("s2", "shell", &json!({"command": "touch more"}));
    server.then([shell.reply(), text("yes")]);
    agent.ask("and more").await;
    assert!(harness.setup.cwd.join("more").exists());
    agent.stop().await;
}

#[tokio::test]
async fn a_stop_ends_the_sub_agents_and_keeps_all_that_they_had_said() {
    let calls = [task("c1", "TASK-A go"), task("c2", "TASK-B go")];
    let server = server([starts(calls)]).await;
    let look = Say::text("First finding.").call("l1", "list", &json!({"path": "."}));
    server.then_for(
        "TASK-A",
        [look.reply(), Reply::Stall(Say::text("Second finding"))],
    );
    server.then_for("TASK-B", [Reply::Stall(Say::default())]);
    let harness = harness(&server);
    let mut agent = harness.start().await;
    agent.say("go").await;
    let is_far = |event: &AgentEvent| {
        matches!(event, AgentEvent::Child(ChildEvent::Listed(list))
            if list.iter().any(|it| it.requests == 1 && it.doing == "answers"))
    };
    agent.until(is_far).await;
    agent.send(Op::Turn(TurnOp::Interrupt)).await;
    agent.turn_end().await;
    let results: Vec<String> = harness
        .log()
        .iter()
        .filter(|line| line["message"]["role"] == "toolResult")
        .map(ToString::to_string)
        .collect();
    assert_eq!(results.len(), 2, "{results:#?}");
    for words in ["First finding.", "Second finding", "was stopped"] {
        assert!(results[0].contains(words), "{words}: {}", results[0]);
    }
    assert!(
        results[1].contains("It had said nothing yet"),
        "{}",
        results[1]
    );
    let states: Vec<ChildState> = ended(&agent.events).iter().map(|it| it.state).collect();
    assert_eq!(states, [ChildState::Stopped; 2]);
    agent.stop().await;
}

#[tokio::test]
async fn a_fork_sends_the_prefix_of_its_caller_byte_for_byte() {
    let call = with(task("c1", "TASK-A go on"), "inherit", "fork");
    let look = Say::text("I look.").call("l1", "list", &json!({"path": "."}));
    let server = server([text("hello"), look.reply(), starts([call]), text("done")]).await;
    server.then_for("TASK-A", [text("forked")]);
    let harness = harness(&server);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.ask("second question").await;
    let seen = server.seen();
    // The request whose answer started it.
    let (before, fork) = (&seen[2], body_with(&server, "TASK-A"));
    assert_eq!(before["system"], fork["system"]);
    assert_eq!(before["tools"], fork["tools"]);
    let plain = |body: &Value| super::flow_prefix::plain(body);
    let (before, fork) = (plain(before), plain(&fork));
    // The last message of the user may be joined with what follows it.
    let shared = before.len() - 1;
    assert_eq!(before[..shared], fork[..shared]);
    let last = before[shared]["content"].as_array().unwrap();
    let joined = fork[shared]["content"].as_array().unwrap();
    assert_eq!(last[..], joined[..last.len()]);
    assert!(fork.last().unwrap().to_string().contains("TASK-A"));
    let started = agent.events.iter().find_map(|event| match event {
        AgentEvent::Stream(plimsoll::agent::AnswerEvent::ToolStarted { title, .. })
            if title.contains("inherits the conversation") =>
        {
            Some(title.clone())
        }
        _ => None,
    });
    let title = started.expect("the card says what it inherits");
    assert!(title.contains("cached") && title.contains('$'), "{title}");
    // What it inherited was paid for once.
    let account = cost(&mut agent).await;
    assert_eq!(account.total().requests, 5);
    agent.stop().await;
}

#[tokio::test]
async fn a_fork_does_not_list_the_sub_agents_of_its_caller() {
    let before = starts([task("c1", "TASK-A look")]);
    let fork = starts([with(task("c2", "TASK-B go on"), "inherit", "fork")]);
    let server = server([before, text("so"), fork, text("done")]).await;
    server.then_for("TASK-A", [text("seen")]);
    server.then_for("TASK-B", [text("forked")]);
    let mut agent = harness(&server).start().await;
    agent.ask("first question").await;
    agent.ask("second question").await;
    let is_forked = |info: &plimsoll::agent::ChildInfo| info.task == "do c2";
    let is_listed = |event: &AgentEvent| match event {
        AgentEvent::Child(ChildEvent::Listed(all)) => all.iter().any(is_forked),
        _ => false,
    };
    if !agent.events.iter().any(is_listed) {
        agent.until(is_listed).await;
    }
    let events = agent.stop().await;
    let listed = events.iter().filter_map(|event| match event {
        AgentEvent::Child(ChildEvent::Listed(children)) => Some(children),
        _ => None,
    });
    let ids: BTreeSet<&str> = listed.flatten().map(|child| child.id.as_str()).collect();
    assert_eq!(ids, ["1", "2"].into());
}

#[tokio::test]
async fn a_background_agent_reports_with_the_next_request_and_outlives_the_turn() {
    let call = with(task("c1", "TASK-A go"), "background", true);
    let server = server([starts([call]), text("meanwhile"), text("read it")]).await;
    let wait = json!({"command": "while [ ! -e go ]; do sleep 0.02; done"});
    let shell = Say::text("I wait.").call("s1", "shell", &wait);
    server.then_for("TASK-A", [shell.reply(), text("BACKGROUND-ANSWER")]);
    let harness = harness(&server);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    let told = joined(&body_with(&server, "works in the background"));
    assert!(!told.contains("BACKGROUND-ANSWER"), "{told}");
    harness.file("go", "");
    if ended(&agent.events).is_empty() {
        agent
            .until(|event| matches!(event, AgentEvent::Child(ChildEvent::Ended(_))))
            .await;
    }
    agent.ask("and now?").await;
    let last = joined(&server.seen().pop().unwrap());
    assert_eq!(last.matches("BACKGROUND-ANSWER").count(), 1, "{last}");
    assert!(
        last.find("BACKGROUND-ANSWER") < last.find("and now?"),
        "{last}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn a_running_agent_is_steered_and_stopped_by_its_name() {
    let call = with(task("c1", "TASK-A go"), "background", true);
    let server = server([starts([call]), text("meanwhile")]).await;
    let wait = json!({"command": "while [ ! -e go ]; do sleep 0.02; done"});
    let shell = Say::text("I wait.").call("s1", "shell", &wait);
    server.then_for(
        "TASK-A",
        [shell.reply(), Reply::Stall(Say::text("never ends"))],
    );
    let harness = harness(&server);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    let id = ChildId::new(1);
    let text = "STEERED: look left".to_owned();
    agent
        .send(Op::Turn(TurnOp::TellChild {
            id: id.clone(),
            text,
        }))
        .await;
    let is_waiting = |event: &AgentEvent| matches!(event, AgentEvent::Child(ChildEvent::Listed(list)) if list[0].doing.starts_with("shell"));
    if !agent.events.iter().any(is_waiting) {
        agent.until(is_waiting).await;
    }
    // Ops are heard in order: when this is answered, the message is with the sub-agent.
    agent.send(Op::query(Query::Child(id.clone()))).await;
    agent
        .until(|event| {
            matches!(
                event,
                AgentEvent::Reply {
                    reply: QueryReply::Child(_),
                    ..
                }
            )
        })
        .await;
    harness.file("go", "");
    let is_answering = |event: &AgentEvent| matches!(event, AgentEvent::Child(ChildEvent::Listed(list)) if list[0].doing == "answers");
    agent.until(is_answering).await;
    assert!(joined(&body_with(&server, "STEERED")).contains("TASK-A"));
    agent.send(Op::query(Query::Child(id.clone()))).await;
    let read = agent
        .until(|event| {
            matches!(
                event,
                AgentEvent::Reply {
                    reply: QueryReply::Child(_),
                    ..
                }
            )
        })
        .await;
    let AgentEvent::Reply {
        reply: QueryReply::Child(read),
        ..
    } = read
    else {
        unreachable!()
    };
    assert!(read.live.contains("never ends"), "{:?}", read.live);
    assert!(read.entries.len() >= 4);
    agent.send(Op::Turn(TurnOp::StopChild(id))).await;
    agent
        .until(|event| matches!(event, AgentEvent::Child(ChildEvent::Ended(_))))
        .await;
    assert_eq!(ended(&agent.events)[0].state, ChildState::Stopped);
    agent.stop().await;
}

#[tokio::test]
async fn an_agent_that_a_kill_cut_off_is_reported_as_interrupted_with_its_words() {
    let server = server([starts([task("c1", "TASK-A go")]), text("I see")]).await;
    let look = Say::text("Half a finding.").call("l1", "list", &json!({"path": "."}));
    server.then_for(
        "TASK-A",
        [look.usage(77).reply(), Reply::Stall(Say::default())],
    );
    let harness = harness(&server);
    let mut agent = harness.start().await;
    agent.say("go").await;
    agent
        .until(|event| {
            matches!(event, AgentEvent::Child(ChildEvent::Listed(list))
                if list[0].requests == 1 && list[0].doing.starts_with("waits"))
        })
        .await;
    // What a killed process leaves is what is on the disk now.
    let copy = harness.dir.path().join("copy");
    std::fs::create_dir_all(copy.join("session.d/agents")).unwrap();
    std::fs::copy(harness.session(), copy.join("session.jsonl")).unwrap();
    let name = "session.d/agents/1.jsonl";
    std::fs::copy(child_file(&harness, 1), copy.join(name)).unwrap();
    // It was in the middle of a sentence.
    let log = lines(&copy.join(name));
    let is_answer = |line: &&Value| line["message"]["role"] == "assistant";
    let mut draft = log.iter().find(is_answer).unwrap().clone();
    draft["id"] = json!("feedbeef");
    draft["parentId"] = log.last().unwrap()["id"].clone();
    draft["message"]["content"] = json!([{"type": "text", "text": "A second find"}]);
    draft["message"].as_object_mut().unwrap().remove("usage");
    std::fs::write(copy.join(format!("{name}.partial")), format!("{draft}\n")).unwrap();

    let mut second = Harness::new(&server).with_tool("task");
    second.setup.cwd.clone_from(&harness.setup.cwd);
    second.setup.source = SessionSource::Open(copy.join("session.jsonl"));
    let mut later = second.start().await;
    later
        .until(|event| {
            matches!(event, AgentEvent::Child(ChildEvent::Listed(list))
                if list[0].state == ChildState::Interrupted && list[0].usage.input_tokens == 77)
        })
        .await;
    later.ask("what happened?").await;
    let body = joined(&body_with(&server, "what happened?"));
    assert!(body.contains("was interrupted"), "{body}");
    assert_eq!(body.matches("Half a finding.").count(), 1, "{body}");
    assert!(body.contains("A second find"), "{body}");
    let account = cost(&mut later).await;
    assert_eq!(account.agents["general"].usage.input_tokens, 77);
    later.stop().await;
    agent.send(Op::Turn(TurnOp::Interrupt)).await;
    agent.stop().await;
}

#[tokio::test]
async fn recall_reaches_what_a_sub_agent_said_on_its_way() {
    let find = Say::text("Where?")
        .call("f1", "recall", &json!({"query": "heliotrope valve"}))
        .call("f2", "recall", &json!({"id": "agent1/r2"}))
        .call("f3", "recall", &json!({"id": "agent7/r2"}));
    let script = [
        starts([task("c1", "TASK-A look")]),
        text("so"),
        find.reply(),
    ];
    let server = server(script.into_iter().chain([text("found")])).await;
    let look = Say::text("The heliotrope valve is in src/valve.rs.");
    let look = look.call("l1", "list", &json!({"path": "."}));
    server.then_for("TASK-A", [look.reply(), text("All valves are fine.")]);
    let mut agent = harness(&server).with_tool("recall").start().await;
    agent.ask("go").await;
    let told = joined(&server.seen().pop().unwrap());
    assert!(told.contains(" · recall agent1/r1"), "{told}");
    assert!(!told.contains("heliotrope"), "{told}");
    agent.ask("where is the valve?").await;
    let told = joined(&server.seen().pop().unwrap());
    assert!(told.contains("in the logs of sub-agents"), "{told}");
    assert!(told.contains("agent1/r2 · assistant"), "{told}");
    assert!(
        told.contains("[recalled agent1/r2: a sub-agent, whole]"),
        "{told}"
    );
    assert!(told.contains("There is no agent7/r2"), "{told}");
    agent.stop().await;
}

#[tokio::test]
async fn what_sub_agents_cost_counts_against_the_limit() {
    let server = server([starts([task("c1", "TASK-A go")]), text("never asked")]).await;
    // A million tokens of input cost three dollars.
    server.then_for("TASK-A", [Say::text("dear").usage(20_000).reply()]);
    let harness = harness(&server).set(|s| s.agent.limits.max_cost_usd = Some(0.02));
    let mut agent = harness.start().await;
    let end = agent.ask("go").await;
    assert_eq!(end.error_kind, Some("max_cost"), "{end:?}");
    assert_eq!(server.left(), 1);
    agent.stop().await;
}

#[tokio::test]
async fn a_summary_does_not_make_the_model_forget_who_runs() {
    let call = with(task("c1", "TASK-A go"), "background", true);
    let server = server([starts([call]), text("meanwhile")]).await;
    server.then_for("TASK-A", [Reply::Stall(Say::text("at it"))]);
    let harness = harness(&server).wordy().without_audit();
    let mut agent = harness.start().await;
    agent.ask("go").await;
    for n in 0..6 {
        server.then([text(format!("answer {n} {}", "lorem ipsum ".repeat(200)))]);
        agent.ask("another question").await;
    }
    server.then_for_summaries([text(super::flow_overflow::SUMMARY)]);
    agent.compact(None, true).await;
    server.then([text("still there")]);
    agent.ask("who runs?").await;
    let body = joined(&server.seen().pop().unwrap());
    assert!(
        body.contains("Sub-agents that you started and that still run"),
        "{body}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn without_a_person_a_refused_call_is_told_with_the_name_of_the_agent() {
    let server = server([starts([task("c1", "TASK-A go")]), text("done")]).await;
    let shell = Say::text("I run it.").call("s1", "shell", &json!({"command": "touch made"}));
    server.then_for("TASK-A", [shell.reply(), text("I may not")]);
    let mut harness = harness(&server).set(|s| s.agent.tools.approvals = ApprovalMode::Ask);
    harness.setup.is_interactive = false;
    let mut agent = harness.start().await;
    agent.ask("go").await;
    let asked = agent.events.iter().find_map(|event| match event {
        AgentEvent::Turn(TurnEvent::Approval(request)) => request.asked_by.clone(),
        _ => None,
    });
    assert!(asked.is_some());
    assert!(joined(&server.seen().pop().unwrap()).contains("I may not"));
    assert!(!harness.setup.cwd.join("made").exists());
    agent.stop().await;
}

#[tokio::test]
async fn the_window_of_sub_agents_has_a_cap_of_its_own() {
    let server = server([starts([task("c1", "TASK-A go")]), text("done")]).await;
    server.then_for("TASK-A", [text("small")]);
    let harness = harness(&server).set(|s| s.agent.limits.subagent_window_tokens = Some(50_000));
    let mut agent = harness.start().await;
    agent.ask("go").await;
    let child = ended(&agent.events).pop().unwrap();
    assert_eq!(child.load.window_tokens, Some(50_000));
    let own = agent.events.iter().rev().find_map(|event| match event {
        AgentEvent::Context(plimsoll::agent::ContextEvent::View(view)) => view.window.tokens,
        _ => None,
    });
    assert!(own > Some(50_000), "the agent itself keeps its window");
    agent.stop().await;
}
