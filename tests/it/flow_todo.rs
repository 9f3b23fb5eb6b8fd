//! The list of steps: taken from the model, kept in the log, said again after a summary.

use plimsoll::agent::{AgentEvent, CompactionEvent, ContextEvent, SessionEvent};
use plimsoll::tool::ApprovalMode;
use plimsoll::transcript::TodoList;
use serde_json::json;

use super::agent::{Agent, Harness, joined};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Say, Server, Wire, text};

const LISTED: &str = "[Your list of steps";

fn todo(id: &str, states: [&str; 2]) -> Reply {
    let [first, second] = states;
    let todos = json!({"todos": [
        {"text": "find the race", "state": first},
        {"text": "mend the guard", "state": second},
    ]});
    Say::text("w").call(id, "todo", &todos).reply()
}

#[tokio::test]
async fn the_list_survives_a_summary_and_a_restart_until_all_is_done() {
    let script = [
        text("zero"),
        todo("c1", ["in_progress", "pending"]),
        todo("c2", ["done", "in_progress"]),
        text("one"),
        text("two"),
        text(SUMMARY),
        text("three"),
        text("four"),
        todo("c3", ["done", "done"]),
        text("five"),
        text("six"),
        text(SUMMARY),
        text("seven"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).wordy().set(|s| {
        s.context.audit.enabled = false;
        // It needs nobody's consent.
        s.agent.tools.approvals = ApprovalMode::ReadOnly;
    });
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.ask("second question").await;
    agent.ask("third question").await;
    let told = joined(&server.body(4));
    assert!(told.contains("The list is kept: 1 of 2 done."), "{told}");
    assert!(!told.contains(LISTED), "its own calls say it: {told}");
    compact(&mut agent).await;
    agent.stop().await;

    let mut agent = harness.start().await;
    let Some(AgentEvent::Session(SessionEvent::Opened(info))) = agent.events.first() else {
        panic!("{:?}", agent.events)
    };
    let list = TodoList::newest(&info.branch).unwrap();
    assert_eq!(list.lines(), "[x] find the race\n[~] mend the guard\n");
    agent.ask("fourth question").await;
    agent.ask("fifth question").await;
    for at in [6, 7] {
        let told = joined(&server.body(at));
        assert!(told.contains("SUMMARISED"), "{told}");
        assert!(told.contains(list.lines().trim_end()), "{told}");
        assert_eq!(told.matches(LISTED).count(), 1, "{told}");
    }
    // It is counted before it leaves, and in the ledger.
    let is_item = |event: &AgentEvent| match event {
        AgentEvent::Context(ContextEvent::View(view)) => view
            .items
            .iter()
            .any(|item| item.tokens > 0 && item.preview.contains("Your list of steps")),
        _ => false,
    };
    assert!(agent.events.iter().any(is_item));
    agent.ask("sixth question").await;
    agent.ask("seventh question").await;
    compact(&mut agent).await;
    agent.ask("eighth question").await;
    let told = joined(&server.body(12));
    assert!(
        told.contains("SUMMARISED") && !told.contains(LISTED),
        "{told}"
    );
    agent.stop().await;
}

async fn compact(agent: &mut Agent) {
    agent.compact(None, true).await;
    agent
        .until(|event| {
            matches!(
                event,
                AgentEvent::Compaction(CompactionEvent::Applied { .. })
            )
        })
        .await;
}
