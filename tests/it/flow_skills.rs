//! Skills: told to the model by name, added to the conversation when they are asked for, and
//! read again after a summary.

use std::path::PathBuf;

use plimsoll::agent::{AgentEvent, CompactionEvent, ContextEvent, SessionEvent};
use plimsoll::context::Category;
use plimsoll::tool::ApprovalMode;
use serde_json::json;

use super::agent::{Agent, Harness, joined};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Say, Server, Wire, text};

fn call(id: &str, name: &str) -> Reply {
    Say::text("w")
        .call(id, "skill", &json!({ "name": name }))
        .reply()
}

/// Writes a skill into the user's own folder.
fn write(harness: &Harness, name: &str, body: &str) -> PathBuf {
    let folder = harness.dir.path().join("home/skills").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let text = format!("---\nname: {name}\ndescription: about {name}\n---\n{body}\n");
    std::fs::write(folder.join("SKILL.md"), text).unwrap();
    folder
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

fn notices(agent: &Agent) -> String {
    let texts = agent.events.iter().filter_map(|event| match event {
        AgentEvent::Notice(notice) => Some(notice.text.clone()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_skill_that_the_model_uses_is_read_again_after_a_summary() {
    let script = [
        text("zero"),
        call("c1", "pdf"),
        text("one"),
        text("two"),
        text(SUMMARY),
        text("three"),
        text("four"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).wordy().set(|s| {
        s.context.audit.enabled = false;
        // It needs nobody's consent.
        s.agent.tools.approvals = ApprovalMode::ReadOnly;
    });
    let folder = write(&harness, "pdf", "Steps, first edition.");
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.ask("second question").await;
    agent.ask("third question").await;
    let told = joined(&server.body(0));
    assert!(
        !told.contains("first edition"),
        "only what it is for: {told}"
    );
    let body = server.body(0).to_string();
    assert!(body.contains("- pdf: about pdf"), "{body}");
    let told = joined(&server.body(2));
    assert!(told.contains("Steps, first edition."), "{told}");
    assert!(told.contains(&folder.display().to_string()), "{told}");
    assert_eq!(told.matches("first edition").count(), 1, "{told}");
    assert!(notices(&agent).contains("skill pdf loaded"));
    write(&harness, "pdf", "Steps, second edition.");
    compact(&mut agent).await;
    agent.ask("fourth question").await;
    agent.ask("fifth question").await;
    for at in [5, 6] {
        let told = joined(&server.body(at));
        assert!(told.contains("SUMMARISED"), "{told}");
        assert_eq!(told.matches("second edition").count(), 1, "{told}");
        assert!(told.contains("do not start over"), "{told}");
        assert!(!told.contains("first edition"), "{told}");
    }
    // It is counted, and in the ledger.
    let is_item = |event: &AgentEvent| match event {
        AgentEvent::Context(ContextEvent::View(view)) => view
            .items
            .iter()
            .any(|item| item.tokens > 0 && item.preview.contains("[Skill pdf,")),
        _ => false,
    };
    assert!(agent.events.iter().any(is_item));
    agent.stop().await;
}

#[tokio::test]
async fn a_skill_whose_file_is_gone_is_repeated_as_it_was() {
    let script = [
        text("zero"),
        text("one"),
        text("two"),
        text(SUMMARY),
        text("three"),
    ];
    let server = Server::start(Wire::OpenAi, script).await;
    let harness = Harness::new(&server)
        .wordy()
        .set(|s| s.context.audit.enabled = false);
    let folder = write(&harness, "pdf", "Steps that were read.");
    let mut agent = harness.start().await;
    agent.ask("/skill:pdf first").await;
    agent.ask("second question").await;
    agent.ask("third question").await;
    std::fs::remove_dir_all(folder).unwrap();
    compact(&mut agent).await;
    agent.ask("fourth question").await;
    let told = joined(&server.body(4));
    assert_eq!(told.matches("Steps that were read.").count(), 1, "{told}");
    assert!(told.contains("do not start over"), "{told}");
    agent.stop().await;
}

#[tokio::test]
async fn the_user_starts_a_skill_with_a_command_and_an_unknown_one_is_said() {
    let server = Server::start(Wire::OpenAi, [text("one"), text("two"), text("three")]).await;
    let harness = Harness::new(&server);
    write(&harness, "pdf", "Steps of pdf.");
    let mut agent = harness.start().await;
    agent.ask("/skill:pdf form.pdf").await;
    let told = joined(&server.body(0));
    assert!(told.contains("/skill:pdf form.pdf"), "{told}");
    assert!(told.contains("Steps of pdf."), "{told}");
    // It is there already.
    agent.ask("/skill:pdf other.pdf").await;
    let told = joined(&server.body(1));
    assert_eq!(told.matches("Steps of pdf.").count(), 1, "{told}");
    agent.ask("/skill:pfd form.pdf").await;
    assert!(notices(&agent).contains("there is no skill \"pfd\""));
    agent.stop().await;
    let branch = harness.start().await;
    let Some(AgentEvent::Session(SessionEvent::Opened(info))) = branch.events.first() else {
        panic!("{:?}", branch.events)
    };
    let asked = info.branch.iter().filter(|entry| entry.is_ask()).count();
    assert_eq!(asked, 3, "the text of a skill is nobody's message");
    branch.stop().await;
}

#[tokio::test]
async fn without_skills_nothing_is_told_and_nothing_loaded() {
    let server = Server::start(Wire::OpenAi, [text("one"), text("two")]).await;
    let harness = Harness::new(&server).set(|s| s.agent.tools.skills = false);
    write(&harness, "pdf", "Steps of pdf.");
    let mut agent = harness.start().await;
    agent.ask("/skill:pdf form.pdf").await;
    let body = server.body(0).to_string();
    assert!(!body.contains("about pdf") && !body.contains("Steps of pdf."));
    assert!(!body.contains("\"skill\""), "{body}");
    assert!(notices(&agent).contains("there is no skill"));
    agent.stop().await;
    // Switched off as a tool, it is still the user's.
    let harness = Harness::new(&server).set(|s| s.agent.tools.off.push("skill".to_owned()));
    write(&harness, "pdf", "Steps of pdf.");
    let mut agent = harness.start().await;
    agent.ask("/skill:pdf form.pdf").await;
    let body = server.body(1).to_string();
    assert!(
        !body.contains("about pdf") && body.contains("Steps of pdf."),
        "{body}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn names_and_descriptions_are_a_category_of_their_own() {
    let server = Server::start(Wire::Anthropic, [text("one"), text("two")]).await;
    let harness = Harness::new(&server);
    let tokens = |agent: &Agent| {
        let view = agent.events.iter().rev().find_map(|event| match event {
            AgentEvent::Context(ContextEvent::View(view)) => Some(view),
            _ => None,
        });
        let view = view.unwrap();
        let total: u64 = view.items.iter().map(|item| item.tokens).sum();
        assert_eq!(total, view.usage.tokens);
        view.usage.by_category.get(Category::Skills)
    };
    let mut agent = harness.start().await;
    agent.ask("hello").await;
    assert_eq!(tokens(&agent), 0);
    agent.stop().await;
    write(&harness, "pdf", "Steps.");
    let mut agent = harness.start().await;
    agent.ask("hello").await;
    let tokens = tokens(&agent);
    assert!((10..200).contains(&tokens), "{tokens}");
    agent.stop().await;
}
