//! Permissions: what is asked, what a yes lasts for, where it is kept, and its revocation.

use plimsoll::agent::{
    AgentEvent, ApprovalDecision, Grant, Op, Permission, PermissionList, Query, QueryReply,
    SessionOp, SettingOp, TurnEvent, TurnOp,
};
use plimsoll::tool::ApprovalMode;
use serde_json::json;

use super::agent::{Agent, Harness, messages};
use super::server::{Reply, Say, Server, Wire, text};

fn run(id: &str, command: &str) -> Reply {
    Say::text("w")
        .call(id, "shell", &json!({ "command": command }))
        .reply()
}

/// Says something that leads to a call which asks, and answers.
async fn ask_and_answer(agent: &mut Agent, decision: ApprovalDecision) {
    agent.say("go").await;
    let id = agent.approval().await.id;
    agent.send(Op::Turn(TurnOp::Approve { id, decision })).await;
    agent.turn_end().await;
}

async fn list(agent: &mut Agent) -> PermissionList {
    agent.send(Op::query(Query::Permissions)).await;
    let event = agent
        .until(|event| {
            matches!(
                event,
                AgentEvent::Reply {
                    reply: QueryReply::Permissions(_),
                    ..
                }
            )
        })
        .await;
    match event {
        AgentEvent::Reply {
            reply: QueryReply::Permissions(list),
            ..
        } => *list,
        _ => unreachable!(),
    }
}

fn asked(agent: &Agent) -> usize {
    let is_asked = |event: &&AgentEvent| matches!(event, AgentEvent::Turn(TurnEvent::Approval(_)));
    agent.events.iter().filter(is_asked).count()
}

#[tokio::test]
async fn always_lasts_beyond_the_session_in_its_folder_until_it_is_revoked() {
    let script = [
        run("c1", "echo one"),
        text("done"),
        run("c2", "echo two"),
        text("done"),
        run("c3", "echo three"),
        text("done"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let mut harness = Harness::new(&server).set(|s| s.agent.tools.approvals = ApprovalMode::Ask);
    let mut agent = harness.start().await;
    ask_and_answer(&mut agent, ApprovalDecision::Always("echo *".to_owned())).await;
    agent.stop().await;
    let file = harness.setup.paths.permissions_file();
    assert!(file.starts_with(harness.dir.path().join("home")));
    assert!(std::fs::read_to_string(&file).unwrap().contains("echo *"));
    assert_eq!(std::fs::read_dir(&harness.setup.cwd).unwrap().count(), 0);

    let mut agent = harness.start().await;
    agent.ask("go").await;
    assert_eq!(asked(&agent), 0);
    let told = messages(&server.body(3));
    assert!(told.last().unwrap().1.contains("two"), "{told:?}");
    let always = Permission {
        grant: Grant::Always,
        tool: "shell".to_owned(),
        pattern: Some("echo *".to_owned()),
    };
    let listed = list(&mut agent).await;
    assert_eq!(listed.permissions, std::slice::from_ref(&always));
    assert_eq!(listed.file, file);
    agent.send(Op::Setting(SettingOp::Revoke(always))).await;
    let event = agent
        .until(|event| {
            matches!(
                event,
                AgentEvent::Reply {
                    reply: QueryReply::Permissions(_),
                    ..
                }
            )
        })
        .await;
    assert!(
        matches!(&event, AgentEvent::Reply { reply: QueryReply::Permissions(list), .. } if list.permissions.is_empty()),
        "{event:?}"
    );
    assert!(!std::fs::read_to_string(&file).unwrap().contains("echo"));
    let decision = ApprovalDecision::Deny {
        feedback: Some("not now".to_owned()),
    };
    ask_and_answer(&mut agent, decision).await;
    let told = messages(&server.body(5));
    assert!(told.last().unwrap().1.contains("not now"), "{told:?}");
    agent.stop().await;

    // What is allowed in one folder is not in another.
    plimsoll::config::permissions::add(&file, &harness.setup.cwd, "shell", "echo *").unwrap();
    let other = harness.dir.path().join("other");
    std::fs::create_dir(&other).unwrap();
    harness.setup.cwd = other;
    let mut agent = harness.start().await;
    assert!(list(&mut agent).await.permissions.is_empty());
    agent.stop().await;
}

#[tokio::test]
async fn what_is_allowed_for_a_session_ends_with_it() {
    let script = [run("c1", "echo one"), text("done")];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).set(|s| {
        s.agent.tools.approvals = ApprovalMode::Ask;
        s.agent.tools.approvals_allow = vec!["shell:cargo test *".to_owned()];
    });
    let mut agent = harness.start().await;
    ask_and_answer(&mut agent, ApprovalDecision::Session).await;
    let grants: Vec<Grant> = list(&mut agent)
        .await
        .permissions
        .iter()
        .map(|it| it.grant)
        .collect();
    assert_eq!(grants, [Grant::Configured, Grant::Session]);
    assert!(!harness.setup.paths.permissions_file().exists());
    agent.send(Op::Session(SessionOp::New)).await;
    let left = list(&mut agent).await.permissions;
    assert_eq!(left.len(), 1, "{left:?}");
    // The settings are the user's to change.
    agent
        .send(Op::Setting(SettingOp::Revoke(left[0].clone())))
        .await;
    agent
        .until(|event| matches!(event, AgentEvent::Notice(it) if it.text.contains("settings")))
        .await;
    assert_eq!(list(&mut agent).await.permissions, left);
    agent.stop().await;
}

#[tokio::test]
async fn a_broken_file_is_said_and_allows_nothing() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = Harness::new(&server);
    let file = harness.setup.paths.permissions_file();
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, "always = 1").unwrap();
    let mut agent = harness.start().await;
    agent
        .until(
            |event| matches!(event, AgentEvent::Notice(it) if it.text.contains("permissions.toml")),
        )
        .await;
    assert!(list(&mut agent).await.permissions.is_empty());
    agent.stop().await;
}

fn told(agent: &Agent, words: &str) -> bool {
    let is_it =
        |event: &&AgentEvent| matches!(event, AgentEvent::Notice(it) if it.text.contains(words));
    agent.events.iter().any(|event| is_it(&event))
}

#[tokio::test]
async fn what_an_earlier_version_kept_is_narrowed_and_said() {
    let script = [run("c1", "make build CC=x"), text("done")];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).set(|s| s.agent.tools.approvals = ApprovalMode::Ask);
    let file = harness.setup.paths.permissions_file();
    for pattern in ["make build *", "git status *"] {
        plimsoll::config::permissions::add(&file, &harness.setup.cwd, "shell", pattern).unwrap();
    }
    let mut agent = harness.start().await;
    ask_and_answer(&mut agent, ApprovalDecision::Deny { feedback: None }).await;
    assert_eq!(asked(&agent), 1);
    assert!(told(&agent, "saved by an earlier version"));
    assert!(told(&agent, "`make build *`") && !told(&agent, "git status *"));
    agent.stop().await;
}

#[tokio::test]
async fn what_always_covers_is_said_when_it_is_kept() {
    let script = [run("c1", "git status"), text("done")];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).set(|s| s.agent.tools.approvals = ApprovalMode::Ask);
    let mut agent = harness.start().await;
    agent.say("go").await;
    let request = agent.approval().await;
    assert_eq!(request.pattern, "git status *");
    let (id, decision) = (request.id, ApprovalDecision::Always(request.pattern));
    agent.send(Op::Turn(TurnOp::Approve { id, decision })).await;
    agent.turn_end().await;
    assert!(told(&agent, "covers reviewed options"));
    agent.stop().await;
}

#[tokio::test]
async fn own_keys_are_refused_even_where_nothing_asks() {
    let harness = Harness::new(&Server::start(Wire::Anthropic, []).await);
    let keys = harness.setup.paths.credentials_file();
    let read = Say::text("w")
        .call("c1", "read", &json!({ "path": keys }))
        .reply();
    let search = json!({"path": keys.parent().unwrap(), "pattern": "sk", "ignored": true});
    let search = Say::text("w").call("c2", "search", &search).reply();
    let server = Server::start(Wire::Anthropic, [read, search, text("done")]).await;
    let harness = Harness::new(&server).set(|s| s.agent.tools.approvals = ApprovalMode::All);
    let keys = harness.setup.paths.credentials_file();
    std::fs::create_dir_all(keys.parent().unwrap()).unwrap();
    std::fs::write(&keys, "[keys]\n").unwrap();
    let mut agent = harness.start().await;
    agent.ask("go").await;
    for body in [1, 2] {
        let sent = messages(&server.body(body));
        assert!(!sent.last().unwrap().1.contains("sk-"), "{sent:?}");
    }
    agent.stop().await;
}
