//! Background jobs: begun by the model, told to it when they have ended, none left at exit.

use plimsoll::agent::{AgentEvent, Op, TurnEvent, TurnOp};
use serde_json::json;

use super::agent::{Harness, messages};
use super::server::{Reply, Say, Server, Wire, text};

fn begin(command: &str) -> Reply {
    let arguments = json!({"command": command, "background": true});
    Say::text("w").call("c1", "shell", &arguments).reply()
}

fn is_over(event: &AgentEvent) -> bool {
    matches!(event, AgentEvent::Turn(TurnEvent::Jobs(jobs)) if jobs.iter().all(|job| job.end.is_some()))
}

#[tokio::test]
async fn the_model_is_told_with_the_next_request_that_a_job_has_ended() {
    let script = [
        begin("while [ ! -e go ]; do sleep 0.02; done; echo built; exit 4"),
        text("begun"),
        text("two"),
        text("three"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    let told = messages(&server.body(1));
    assert!(told.last().unwrap().1.contains("as job 1"), "{told:?}");
    harness.file("go", "");
    agent.until(is_over).await;
    agent.ask("second question").await;
    agent.ask("third question").await;
    for at in [2, 3] {
        let all: String = messages(&server.body(at))
            .into_iter()
            .map(|(_, text)| text + "\n")
            .collect();
        assert_eq!(all.matches("has ended: exit code 4").count(), 1, "{all}");
        assert!(all.contains("built"), "{all}");
        // It ended before the question was asked.
        assert!(all.find("has ended") < all.find("second question"), "{all}");
    }
    agent.stop().await;
}

#[tokio::test]
async fn a_job_is_ended_by_the_user_and_what_runs_ends_with_the_program() {
    let script = [
        begin("echo $$ > first; sleep 300"),
        text("begun"),
        begin("echo $$ > second; sleep 300"),
        text("begun"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.send(Op::Turn(TurnOp::KillJob(1))).await;
    agent.until(is_over).await;
    agent.ask("second question").await;
    let file = harness.setup.cwd.join("second");
    while std::fs::read_to_string(&file).map_or(true, |text| text.is_empty()) {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    agent.stop().await;
    for name in ["first", "second"] {
        let Ok(pid) = std::fs::read_to_string(harness.setup.cwd.join(name)) else {
            continue;
        };
        let status = std::process::Command::new("kill")
            .args(["-0", pid.trim()])
            .stderr(std::process::Stdio::null())
            .status()
            .unwrap();
        assert!(!status.success(), "{name} is still running");
    }
}
