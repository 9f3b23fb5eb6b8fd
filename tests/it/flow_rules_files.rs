//! Rules of folders that the work reaches: told once, and again after a summary.

use plimsoll::agent::{AgentEvent, CompactionEvent};
use serde_json::json;

use super::agent::{Harness, joined};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Say, Server, Wire, text};

const RULES: &str = "web: two spaces.";

fn read(id: &str) -> Reply {
    Say::text("w")
        .call(id, "read", &json!({"path": format!("web/{id}.ts")}))
        .reply()
}

#[tokio::test]
async fn rules_of_a_folder_come_once_and_again_after_a_summary() {
    let script = [
        text("zero"),
        read("a"),
        read("b"),
        text("one"),
        text("two"),
        text(SUMMARY),
        text("three"),
        read("a"),
        text("four"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server)
        .wordy()
        .set(|s| s.context.audit.enabled = false);
    std::fs::create_dir(harness.setup.cwd.join(".git")).unwrap();
    std::fs::create_dir(harness.setup.cwd.join("web")).unwrap();
    for (name, content) in [("a.ts", "a"), ("b.ts", "b"), ("AGENTS.md", RULES)] {
        harness.file(&format!("web/{name}"), content);
    }
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.ask("second question").await;
    assert!(!joined(&server.body(1)).contains(RULES), "not before");
    agent.ask("third question").await;
    for at in [2, 3, 4] {
        let told = joined(&server.body(at));
        assert_eq!(told.matches(RULES).count(), 1, "{told}");
    }
    let is_said = |event: &AgentEvent| match event {
        AgentEvent::Notice(notice) => notice.text.contains("rules of web/AGENTS.md loaded"),
        _ => false,
    };
    assert!(agent.events.iter().any(is_said));
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
    agent.ask("fifth question").await;
    for at in [6, 7, 8] {
        let told = joined(&server.body(at));
        assert!(told.contains("SUMMARISED"), "{told}");
        assert_eq!(told.matches(RULES).count(), 1, "{told}");
        assert!(told.contains("do not start over"), "{told}");
    }
    agent.stop().await;
}
