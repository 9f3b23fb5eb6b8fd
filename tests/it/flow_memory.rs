//! The notes of a project: the prompts that have them, and what `/remember` and
//! `/notes` say about it.

use plimsoll::agent::{
    AgentEvent, CompactionEvent, NoticeLevel, Op, Query, QueryReply, SessionEvent, SessionOp,
};
use serde_json::Value;

use super::agent::{Agent, Harness};
use super::flow_overflow::SUMMARY;
use super::server::{Server, Wire, text};

async fn told(agent: &mut Agent, words: &str) -> (NoticeLevel, String) {
    let event = agent
        .until(|e| matches!(e, AgentEvent::Notice(it) if it.text.contains(words)))
        .await;
    let AgentEvent::Notice(notice) = event else {
        unreachable!()
    };
    (notice.level, notice.hint.unwrap_or_default())
}

fn system(body: &Value) -> String {
    body["system"].to_string()
}

#[tokio::test]
async fn a_note_is_in_the_prompt_of_the_next_session_and_leaves_the_cache_of_this_one() {
    let script = ["one", "two", "three"].map(text).to_vec();
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("hello").await;
    agent
        .send(Op::Session(SessionOp::Remember(
            "the port is 8080".to_owned(),
        )))
        .await;
    let (level, hint) = told(&mut agent, ".plimsoll/notes.md").await;
    assert_eq!(level, NoticeLevel::Info);
    assert!(hint.contains("from the next session"), "{hint}");
    agent.ask("again").await;
    assert_eq!(system(&server.body(0)), system(&server.body(1)));
    agent.send(Op::Session(SessionOp::New)).await;
    agent
        .until(|e| matches!(e, AgentEvent::Session(SessionEvent::Opened(_))))
        .await;
    agent.ask("a new one").await;
    let prompt = system(&server.body(2));
    assert!(
        prompt.contains("# Notes that the user keeps") && prompt.contains("- the port is 8080"),
        "{prompt}"
    );
    agent.send(Op::query(Query::Notes)).await;
    let shown = agent
        .until(|e| {
            matches!(
                e,
                AgentEvent::Reply {
                    reply: QueryReply::Notes(_),
                    ..
                }
            )
        })
        .await;
    let AgentEvent::Reply {
        reply: QueryReply::Notes(notes),
        ..
    } = shown
    else {
        unreachable!()
    };
    assert_eq!(notes.text, "# Notes\n\n- the port is 8080");
    agent.stop().await;
}

#[tokio::test]
async fn before_anything_was_said_a_note_counts_at_once() {
    let server = Server::start(Wire::Anthropic, vec![text("hello")]).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.send(Op::query(Query::Notes)).await;
    told(&mut agent, "no notes yet").await;
    agent
        .send(Op::Session(SessionOp::Remember("sing".to_owned())))
        .await;
    told(&mut agent, "note added to").await;
    agent.ask("hello").await;
    assert!(system(&server.body(0)).contains("- sing"));
    agent.stop().await;
}

#[tokio::test]
async fn with_a_summary_notes_and_rules_are_read_afresh() {
    let mut script: Vec<_> = (0..5).map(|n| text(format!("answer {n}"))).collect();
    script.extend([text(SUMMARY), text("next")]);
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).wordy().without_audit();
    let mut agent = harness.start().await;
    for n in 0..5 {
        agent.ask(&format!("question {n}")).await;
    }
    agent
        .send(Op::Session(SessionOp::Remember("use tabs".to_owned())))
        .await;
    harness.file("AGENTS.md", "## Red Lines\nnever push\n");
    agent.compact(None, true).await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    agent.ask("go on").await;
    let (before, after) = (server.body(4), server.body(6));
    assert!(!before.to_string().contains("use tabs"));
    assert!(system(&after).contains("- use tabs"), "{}", system(&after));
    assert!(after["messages"].to_string().contains("never push"));
    agent.stop().await;
}

#[tokio::test]
async fn without_a_memory_nothing_is_read_or_kept_and_an_unknown_one_is_said() {
    let server = Server::start(Wire::Anthropic, vec![text("one"), text("two")]).await;
    let none = Harness::new(&server).set(|s| "none".clone_into(&mut s.agent.memory));
    none.file(".plimsoll/notes.md", "- sing\n");
    let mut agent = none.start().await;
    agent
        .send(Op::Session(SessionOp::Remember("dance".to_owned())))
        .await;
    told(&mut agent, "memory.engine is none").await;
    agent.ask("hello").await;
    assert!(!server.body(0).to_string().contains("- sing"));
    agent.stop().await;

    let unknown = Harness::new(&server).set(|s| "vectors".clone_into(&mut s.agent.memory));
    unknown.file(".plimsoll/notes.md", "- sing\n");
    let mut agent = unknown.start().await;
    let (level, hint) = told(&mut agent, "no memory engine \"vectors\"").await;
    assert_eq!(level, NoticeLevel::Warning);
    assert_eq!(hint, "memory.engine accepts: project-notes, none");
    agent.ask("hello").await;
    assert!(server.body(1).to_string().contains("- sing"));
    agent.stop().await;
}
