//! Plan mode: what the model is told and where, what is refused, and what lasts.

use plimsoll::agent::{
    AgentEvent, AnswerEvent, ApprovalDecision, ApprovalMode, CompactionEvent, Op, SessionEvent,
    SettingOp, TurnOp, WorkMode,
};
use serde_json::json;

use super::agent::{Agent, Harness, joined, messages};
use super::flow_overflow::SUMMARY;
use super::server::{Say, Server, Wire, text};

const BEGUN: &str = "[Plan mode is on.";
const OVER: &str = "[Plan mode is over.";

async fn set(agent: &mut Agent, on: bool) {
    agent.send(Op::Setting(SettingOp::PlanMode(on))).await;
    agent
        .until(
            |event| matches!(event, AgentEvent::Session(SessionEvent::PlanMode(now)) if *now == on),
        )
        .await;
}

#[tokio::test]
async fn what_changes_something_is_refused_with_a_reason_even_when_all_is_allowed() {
    let calls = Say::text("w")
        .call("c1", "write", &json!({"path": "new.txt", "content": "x"}))
        .call("c2", "shell", &json!({"command": "touch made"}))
        .call("c3", "read", &json!({"path": "old.txt"}));
    let script = [
        text("one"),
        calls.reply(),
        text("a plan"),
        Say::text("w")
            .call("c4", "write", &json!({"path": "new.txt", "content": "x"}))
            .reply(),
        text("done"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    harness.file("old.txt", "content of old");
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    set(&mut agent, true).await;
    agent.ask("make a file").await;
    assert!(!harness.setup.cwd.join("new.txt").exists());
    assert!(!harness.setup.cwd.join("made").exists());
    let told = joined(&server.body(2));
    assert!(
        told.contains("`write` was not run: plan mode is on"),
        "{told}"
    );
    assert!(
        told.contains("`shell` was not run: plan mode is on"),
        "{told}"
    );
    assert!(told.contains("content of old"), "{told}");
    assert_eq!(told.matches(BEGUN).count(), 1, "{told}");
    set(&mut agent, false).await;
    agent.ask("go").await;
    assert!(harness.setup.cwd.join("new.txt").exists());
    let told = joined(&server.body(3));
    assert!(told.find(BEGUN) < told.find(OVER), "{told}");
    // The prompt that is cached stays as it was.
    for at in 1..5 {
        let (before, now) = (server.body(at - 1), server.body(at));
        assert_eq!(before["system"], now["system"]);
        assert_eq!(before["tools"], now["tools"]);
        let before = joined(&before);
        assert!(joined(&now).starts_with(before.trim_end()), "request {at}");
    }
    agent.stop().await;
}

/// Works in a mode, and waits until that is said.
async fn work_in(agent: &mut Agent, mode: WorkMode) {
    agent.send(Op::Setting(SettingOp::Mode(mode))).await;
    let wanted = mode.approvals();
    agent
        .until(|event| match event {
            AgentEvent::Session(SessionEvent::PlanMode(true)) => mode == WorkMode::Plan,
            AgentEvent::Session(SessionEvent::Approvals(state)) => Some(state.mode) == wanted,
            _ => false,
        })
        .await;
}

#[tokio::test]
async fn the_modes_of_one_key_decide_at_once_what_runs_unasked() {
    let write = |id: &str, name: &str| {
        Say::text("w")
            .call(id, "write", &json!({"path": name, "content": "x"}))
            .reply()
    };
    let script = [
        write("c1", "free.txt"),
        text("done"),
        write("c2", "Makefile"),
        text("stopped"),
        write("c3", "planned.txt"),
        text("a plan"),
        write("c4", "asked.txt"),
        text("stopped"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).set(|s| s.agent.tools.approvals = ApprovalMode::Ask);
    let mut agent = harness.start().await;
    let made = |name: &str| harness.setup.cwd.join(name).exists();
    let deny = |id| {
        let decision = ApprovalDecision::Deny { feedback: None };
        Op::Turn(TurnOp::Approve { id, decision })
    };
    work_in(&mut agent, WorkMode::AcceptEdits).await;
    agent.ask("go").await;
    assert!(made("free.txt"));
    agent.say("go").await;
    let request = agent.approval().await;
    assert!(request.cautions[0].contains("builds"), "{request:?}");
    agent.send(deny(request.id)).await;
    agent.turn_end().await;
    work_in(&mut agent, WorkMode::Plan).await;
    agent.ask("go").await;
    assert!(!made("planned.txt"));
    work_in(&mut agent, WorkMode::Ask).await;
    agent.say("go").await;
    let request = agent.approval().await;
    agent.send(deny(request.id)).await;
    agent.turn_end().await;
    assert!(!made("asked.txt"));
    agent.stop().await;
}

#[tokio::test]
async fn it_survives_a_restart_and_a_summary() {
    let script = [
        text("one"),
        text("two"),
        text("three"),
        text(SUMMARY),
        text("four"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).wordy().without_audit();
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    set(&mut agent, true).await;
    agent.ask("second question").await;
    agent.stop().await;
    let mut agent = harness.start().await;
    let opened = agent.events.first();
    assert!(
        matches!(opened, Some(AgentEvent::Session(SessionEvent::Opened(info))) if info.plan_mode),
        "{opened:?}"
    );
    agent.ask("third question").await;
    assert_eq!(joined(&server.body(2)).matches(BEGUN).count(), 1);
    agent.compact(None, true).await;
    agent
        .until(|event| {
            matches!(
                event,
                AgentEvent::Compaction(CompactionEvent::Applied { .. })
            )
        })
        .await;
    agent.ask("fourth question").await;
    let after = joined(&server.body(4));
    assert!(after.contains("SUMMARISED"), "{after}");
    assert_eq!(after.matches(BEGUN).count(), 1, "{after}");
    agent.stop().await;
}

#[tokio::test]
async fn a_change_of_mind_leaves_nothing_in_the_request() {
    let server = Server::start(Wire::Anthropic, [text("one"), text("two")]).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    // Nothing is begun for it in a session that is empty.
    set(&mut agent, true).await;
    set(&mut agent, false).await;
    agent.ask("first question").await;
    for _ in 0..3 {
        set(&mut agent, true).await;
        set(&mut agent, false).await;
    }
    agent.ask("second question").await;
    for at in 0..2 {
        let told = joined(&server.body(at));
        assert!(!told.contains("Plan mode"), "{told}");
    }
    agent.stop().await;
}

#[tokio::test]
async fn begun_while_a_turn_runs_it_holds_for_the_next_call() {
    let script = [
        Say::text("w")
            .call(
                "c1",
                "shell",
                &json!({"command": "while [ ! -e go ]; do sleep 0.02; done; echo ran"}),
            )
            .call("c2", "shell", &json!({"command": "touch made"}))
            .reply(),
        text("done"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.say("run both").await;
    agent
        .until(|event| matches!(event, AgentEvent::Stream(AnswerEvent::ToolStarted { .. })))
        .await;
    set(&mut agent, true).await;
    harness.file("go", "");
    agent.turn_end().await;
    assert!(!harness.setup.cwd.join("made").exists());
    let told = messages(&server.body(1));
    let (_, last) = told.last().unwrap();
    assert!(
        last.contains("ran") && last.contains("`shell` was not run"),
        "{told:?}"
    );
    assert!(last.contains(BEGUN), "{told:?}");
    agent.stop().await;
}

#[tokio::test]
async fn a_run_can_begin_with_it() {
    let server = Server::start(Wire::Anthropic, [text("a plan")]).await;
    let mut harness = Harness::new(&server);
    harness.setup.flags.plan_mode = true;
    let mut agent = harness.start().await;
    let opened = agent.events.first();
    assert!(
        matches!(opened, Some(AgentEvent::Session(SessionEvent::Opened(info))) if info.plan_mode)
    );
    agent.ask("first question").await;
    assert_eq!(joined(&server.body(0)).matches(BEGUN).count(), 1);
    agent.stop().await;
}
