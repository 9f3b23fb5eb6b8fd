//! Hooks of the form that several agents share, an example for each event: real shell scripts,
//! what they are told, and what their answers do.

use std::path::Path;

use plimsoll::agent::{AgentEvent, ApprovalDecision, CompactionEvent, Op, TurnEvent, TurnOp};
use plimsoll::config::{EventHook, HookEvent};
use plimsoll::tool::ApprovalMode;
use serde_json::{Value, json};

use super::agent::{Agent, Harness, joined};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Say, Server, Wire, text};

fn hook(event: HookEvent, matcher: &str, command: &str) -> EventHook {
    EventHook {
        event,
        matcher: matcher.to_owned(),
        command: command.to_owned(),
        timeout_secs: None,
    }
}

fn with_hooks(server: &Server, hooks: Vec<EventHook>) -> Harness {
    Harness::new(server).set(|s| {
        s.context.audit.enabled = false;
        s.hooks.commands = hooks;
    })
}

fn told(harness: &Harness, name: &str) -> Value {
    let text = std::fs::read_to_string(harness.setup.cwd.join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn notices(agent: &Agent) -> String {
    let of = |event: &AgentEvent| match event {
        AgentEvent::Notice(notice) => Some(notice.text.clone() + "\n"),
        _ => None,
    };
    agent.events.iter().filter_map(of).collect()
}

fn call(id: &str, tool: &str, arguments: &Value) -> Reply {
    Say::text("c").call(id, tool, arguments).reply()
}

fn write(path: &str) -> Reply {
    call("w", "write", &json!({"path": path, "content": "new\n"}))
}

fn approvals(agent: &Agent) -> usize {
    let is_asked = |event: &&AgentEvent| matches!(event, AgentEvent::Turn(TurnEvent::Approval(_)));
    agent.events.iter().filter(is_asked).count()
}

#[tokio::test]
async fn a_hook_before_a_tool_is_told_the_call_and_may_refuse_it() {
    let server = Server::start(Wire::Anthropic, [write("a.txt"), text("well")]).await;
    let hooks = vec![
        hook(HookEvent::PreToolUse, "Bash", "touch wrong"),
        hook(
            HookEvent::PreToolUse,
            "Edit|Write",
            "cat > told; echo 'no new files' >&2; exit 2",
        ),
        hook(
            HookEvent::PreToolUse,
            "*",
            "echo '{\"decision\": \"approve\"}'",
        ),
    ];
    let harness = with_hooks(&server, hooks);
    let mut agent = harness.start().await;
    agent.ask("write it").await;
    let words = told(&harness, "told");
    assert_eq!(words["hook_event_name"], "PreToolUse");
    assert_eq!(words["tool_name"], "Write");
    let path = harness.setup.cwd.join("a.txt").display().to_string();
    assert_eq!(words["tool_input"]["file_path"], path);
    assert_eq!(words["tool_input"]["content"], "new\n");
    assert_eq!(words["tool"]["name"], "write");
    assert_eq!(words["cwd"], harness.setup.cwd.display().to_string());
    assert!(Path::new(words["transcript_path"].as_str().unwrap()).exists());
    assert!(words["session_id"].is_string() && words["permission_mode"].is_string());
    assert!(!harness.setup.cwd.join("a.txt").exists());
    assert!(!harness.setup.cwd.join("wrong").exists());
    let sent = joined(&server.body(1));
    assert!(sent.contains("refused this call: no new files"), "{sent}");
    assert!(notices(&agent).contains("refused write: no new files"));
    agent.stop().await;
}

#[tokio::test]
async fn a_hook_may_change_arguments_and_what_it_makes_of_them_is_judged_anew() {
    let script = [
        call("s", "shell", &json!({"command": "echo one"})),
        text("well"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let answer = json!({"hookSpecificOutput": {"permissionDecision": "allow",
        "updatedInput": {"command": "echo two > made"}, "additionalContext": "mind the gap"}});
    let command = format!("echo '{answer}'");
    let harness = with_hooks(&server, vec![hook(HookEvent::PreToolUse, "Bash", &command)]);
    let mut agent = harness.start().await;
    agent.ask("run it").await;
    let made = std::fs::read_to_string(harness.setup.cwd.join("made")).unwrap();
    assert_eq!(made, "two\n");
    let sent = joined(&server.body(1));
    assert!(sent.contains("changed the arguments"), "{sent}");
    assert!(sent.contains("mind the gap"), "{sent}");
    agent.stop().await;
}

#[tokio::test]
async fn an_allowance_spares_the_question_but_not_outside_and_a_question_is_asked() {
    let allow = "echo '{\"hookSpecificOutput\": {\"permissionDecision\": \"allow\"}}'";
    let ask = "echo '{\"hookSpecificOutput\": {\"permissionDecision\": \"ask\"}}'";
    for (mode, command, path, questions) in [
        (ApprovalMode::Ask, allow, "a.txt", 0),
        (ApprovalMode::Ask, allow, "../a.txt", 1),
        (ApprovalMode::Edits, ask, "a.txt", 1),
        (ApprovalMode::Edits, "exit 0", "a.txt", 0),
    ] {
        let server = Server::start(Wire::Anthropic, [write(path), text("well")]).await;
        let hooks = vec![hook(HookEvent::PreToolUse, "", command)];
        let harness = with_hooks(&server, hooks).set(|s| s.agent.tools.approvals = mode);
        let mut agent = harness.start().await;
        agent.say("write it").await;
        if questions > 0 {
            let id = agent.approval().await.id;
            let decision = ApprovalDecision::Deny { feedback: None };
            agent.send(Op::Turn(TurnOp::Approve { id, decision })).await;
        }
        agent.turn_end().await;
        assert_eq!(approvals(&agent), questions, "{command} {path}");
        let is_written = harness.setup.cwd.join(path).exists();
        assert_eq!(is_written, questions == 0, "{command} {path}");
        agent.stop().await;
    }
    // What is refused by rule stays refused.
    let server = Server::start(Wire::Anthropic, [write("a.txt"), text("well")]).await;
    let hooks = vec![hook(HookEvent::PreToolUse, "", allow)];
    let mode = ApprovalMode::ReadOnly;
    let harness = with_hooks(&server, hooks).set(|s| s.agent.tools.approvals = mode);
    let mut agent = harness.start().await;
    agent.ask("write it").await;
    assert!(!harness.setup.cwd.join("a.txt").exists());
    agent.stop().await;
}

#[tokio::test]
async fn a_hook_after_a_tool_adds_to_its_result_or_ends_the_turn() {
    let server = Server::start(Wire::Anthropic, [write("a.txt"), text("well")]).await;
    let hooks = vec![
        hook(
            HookEvent::PostToolUse,
            "Write",
            "cat > told; echo 'not formatted' >&2; exit 2",
        ),
        hook(
            HookEvent::PostToolUse,
            "",
            "echo '{\"hookSpecificOutput\": {\"additionalContext\": \"3 tests fail\"}}'",
        ),
    ];
    let harness = with_hooks(&server, hooks);
    let mut agent = harness.start().await;
    agent.ask("write it").await;
    let response = &told(&harness, "told")["tool_response"];
    assert_eq!(response["success"], true);
    assert!(
        response["content"]
            .as_str()
            .unwrap()
            .contains("Created a.txt")
    );
    let sent = joined(&server.body(1));
    for expected in [
        "Created a.txt",
        "objects to this result: not formatted",
        "3 tests fail",
    ] {
        assert!(sent.contains(expected), "{sent}");
    }
    agent.stop().await;

    let server = Server::start(Wire::Anthropic, [write("a.txt")]).await;
    let stop = "echo '{\"continue\": false, \"stopReason\": \"enough for today\"}'";
    let harness = with_hooks(&server, vec![hook(HookEvent::PostToolUse, "", stop)]);
    let mut agent = harness.start().await;
    agent.ask("write it").await;
    assert_eq!(server.seen().len(), 1);
    assert!(notices(&agent).contains("enough for today"));
    agent.stop().await;
}

#[tokio::test]
async fn a_hook_on_a_message_adds_context_or_gives_the_message_back() {
    let server = Server::start(Wire::Anthropic, [text("well")]).await;
    let script = "cat > told; grep -q secret told && { echo 'no secrets' >&2; exit 2; }; \
        echo 'the branch is main'";
    let harness = with_hooks(
        &server,
        vec![hook(HookEvent::UserPromptSubmit, "x", script)],
    );
    let mut agent = harness.start().await;
    let end = agent.ask("my secret is 12").await;
    assert_eq!(end.exit_code, 5, "{end:?}");
    agent
        .until(|event| match event {
            AgentEvent::Turn(TurnEvent::InputReturned(inputs)) => {
                inputs.iter().any(|input| input.text == "my secret is 12")
            }
            _ => false,
        })
        .await;
    assert!(server.seen().is_empty());
    agent.ask("what now?").await;
    assert_eq!(told(&harness, "told")["prompt"], "what now?");
    let sent = joined(&server.body(0));
    let (note, ask) = (sent.find("the branch is main"), sent.find("what now?"));
    assert!(note.is_some() && note < ask, "{sent}");
    assert!(!sent.contains("secret is"), "{sent}");
    agent.stop().await;
    let log = std::fs::read_to_string(harness.session()).unwrap();
    assert!(!log.contains("my secret"), "what is blocked is not saved");
}

#[tokio::test]
async fn hooks_are_told_when_a_session_begins_and_ends() {
    let server = Server::start(Wire::Anthropic, [text("well")]).await;
    let hooks = vec![
        hook(
            HookEvent::SessionStart,
            "startup",
            "cat > began; echo 'release week'",
        ),
        hook(HookEvent::SessionStart, "resume", "touch wrong"),
        hook(HookEvent::SessionEnd, "", "cat > ended"),
    ];
    let harness = with_hooks(&server, hooks);
    let mut agent = harness.start().await;
    agent.ask("what now?").await;
    assert!(joined(&server.body(0)).contains("release week"));
    assert_eq!(told(&harness, "began")["source"], "startup");
    agent.stop().await;
    assert_eq!(told(&harness, "ended")["hook_event_name"], "SessionEnd");
    assert!(!harness.setup.cwd.join("wrong").exists());
}

#[tokio::test]
async fn a_hook_at_the_end_may_have_the_model_go_on_a_few_times() {
    let script: Vec<Reply> = (0..9).map(|n| text(format!("answer {n}"))).collect();
    let server = Server::start(Wire::Anthropic, script).await;
    let once = "cat > told; test -e ran || { touch ran; echo 'run the tests first' >&2; exit 2; }";
    let harness = with_hooks(&server, vec![hook(HookEvent::Stop, "", once)]);
    let mut agent = harness.start().await;
    agent.ask("do it").await;
    assert_eq!(server.seen().len(), 2);
    assert!(joined(&server.body(1)).contains("run the tests first"));
    assert_eq!(told(&harness, "told")["stop_hook_active"], true);
    agent.stop().await;

    let server = Server::start(Wire::Anthropic, (0..9).map(|_| text("done"))).await;
    let harness = with_hooks(&server, vec![hook(HookEvent::Stop, "", "exit 2")]);
    let mut agent = harness.start().await;
    agent.ask("do it").await;
    assert_eq!(server.seen().len(), 6, "an endless wish ends");
    agent.stop().await;
}

#[tokio::test]
async fn a_hook_may_forbid_a_compaction_and_is_told_of_one() {
    let long = || text(format!("answer {}", "and so on ".repeat(200)));
    let server = Server::start(Wire::Anthropic, [long(), long(), text(SUMMARY)]).await;
    let hooks = vec![
        hook(
            HookEvent::PreCompact,
            "manual",
            "cat > before; test -e free || { echo 'not now' >&2; exit 2; }",
        ),
        hook(HookEvent::PreCompact, "auto", "touch wrong"),
        hook(
            HookEvent::PostCompact,
            "",
            "cat > after.part; mv after.part after",
        ),
    ];
    let harness = with_hooks(&server, hooks);
    let mut agent = harness.start().await;
    agent.ask("one").await;
    agent.ask("two").await;
    agent.compact(Some("short"), true).await;
    let event = agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Cancelled { .. })))
        .await;
    assert!(format!("{event:?}").contains("not now"), "{event:?}");
    assert_eq!(told(&harness, "before")["custom_instructions"], "short");
    harness.file("free", "");
    agent.compact(None, true).await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    // Whoever leaves ends the hooks that run.
    let after = harness.setup.cwd.join("after");
    while !after.exists() {
        tokio::task::yield_now().await;
    }
    agent.stop().await;
    assert_eq!(told(&harness, "after")["trigger"], "manual");
    assert!(!harness.setup.cwd.join("wrong").exists());
}

#[tokio::test]
async fn a_question_to_the_user_is_a_notification() {
    let server = Server::start(Wire::Anthropic, [write("a.txt"), text("well")]).await;
    let hooks = vec![
        hook(HookEvent::Notification, "idle_prompt", "touch wrong"),
        hook(
            HookEvent::Notification,
            "permission_prompt",
            "cat > told.part; mv told.part told",
        ),
    ];
    let harness = with_hooks(&server, hooks).set(|s| s.agent.tools.approvals = ApprovalMode::Ask);
    let mut agent = harness.start().await;
    agent.say("write it").await;
    let id = agent.approval().await.id;
    let path = harness.setup.cwd.join("told");
    while !path.exists() {
        tokio::task::yield_now().await;
    }
    let decision = ApprovalDecision::Once;
    agent.send(Op::Turn(TurnOp::Approve { id, decision })).await;
    agent.turn_end().await;
    let words = told(&harness, "told");
    assert_eq!(words["notification_type"], "permission_prompt");
    assert!(words["message"].as_str().unwrap().contains("Write"));
    assert!(!harness.setup.cwd.join("wrong").exists());
    agent.stop().await;
}

#[tokio::test]
async fn a_hook_that_fails_or_hangs_blocks_nothing_and_is_named_without_escape_bytes() {
    let server = Server::start(Wire::Anthropic, [write("a.txt"), text("well")]).await;
    let mut slow = hook(
        HookEvent::PreToolUse,
        "",
        "(sleep 2; touch alive) & sleep 30",
    );
    slow.timeout_secs = Some(1);
    let hooks = vec![
        slow,
        hook(
            HookEvent::PreToolUse,
            "",
            "printf 'bad \\033[2J thing' >&2; exit 3",
        ),
        hook(HookEvent::PreToolUse, "", "printf '{\"decision\": '"),
        hook(
            HookEvent::PostToolUse,
            "",
            "printf '{\"systemMessage\": \"a\\\\u001b[31mb\"}'",
        ),
    ];
    let harness = with_hooks(&server, hooks);
    let mut agent = harness.start().await;
    let end = agent.ask("write it").await;
    assert_eq!(end.exit_code, 0);
    assert!(harness.setup.cwd.join("a.txt").exists());
    let said = notices(&agent);
    for expected in [
        "longer than 1 s",
        "exit code 3: bad [2J thing",
        "not a valid answer",
        "a[31mb",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(!said.contains('\u{1b}'), "{said:?}");
    assert!(!harness.setup.cwd.join("alive").exists());
    agent.stop().await;
}

#[tokio::test]
async fn hooks_of_claude_code_run_when_that_is_set_and_the_project_is_trusted() {
    for (is_set, is_trusted, expected) in [
        (true, true, [true, true]),
        (true, false, [true, false]),
        (false, true, [false, false]),
    ] {
        let server = Server::start(Wire::Anthropic, [text("well")]).await;
        let mut harness = Harness::new(&server).set(|s| s.hooks.claude = is_set);
        let home = harness.dir.path().join("home-of-user");
        let settings = |file: &str| {
            json!({"hooks": {"UserPromptSubmit": [{"hooks": [{"type": "command",
                "command": format!("test -d \"$CLAUDE_PROJECT_DIR\" && touch {file}")}]}]}})
        };
        harness.file(".claude/settings.json", &settings("project").to_string());
        std::fs::create_dir_all(home.join(".claude")).unwrap();
        let of_user = home.join(".claude/settings.json");
        std::fs::write(of_user, settings("user").to_string()).unwrap();
        let shown = home.display().to_string();
        harness.setup.environment.insert("HOME".to_owned(), shown);
        if is_trusted {
            let cwd = harness.setup.cwd.clone();
            harness.setup.settings.trusted_dirs = vec![cwd];
        }
        let mut agent = harness.start().await;
        agent.ask("hello").await;
        let ran = ["user", "project"].map(|name| harness.setup.cwd.join(name).exists());
        assert_eq!(ran, expected, "{is_set} {is_trusted}");
        let said = notices(&agent);
        assert_eq!(
            said.contains("not trusted"),
            is_set && !is_trusted,
            "{said}"
        );
        agent.stop().await;
    }
}
