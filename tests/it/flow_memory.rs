//! The notes of a project: the prompts that have them, and what `/remember` and
//! `/notes` say about it.

use plimsoll::agent::{
    AgentEvent, CompactionEvent, ContextEvent, NoticeLevel, Op, Query, QueryReply, SessionEvent,
    SessionOp,
};
use plimsoll::context::Category;
use serde_json::Value;

use super::agent::{Agent, Harness};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Server, Wire, status, text};

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
    let with_origin = "# Notes\n\n- the port is 8080 <!-- from session ";
    assert!(notes.text.starts_with(with_origin), "{}", notes.text);
    assert!(!prompt.contains("<!--"), "{prompt}");
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

/// Five turns, and a compaction whose first request is the one for notes.
async fn compacted_with(answer: Reply, flush: bool) -> (Server, Agent, Harness) {
    let mut script: Vec<_> = (0..5).map(|n| text(format!("answer {n}"))).collect();
    script.extend(flush.then_some(answer));
    script.extend([text(SUMMARY), text("next")]);
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server)
        .wordy()
        .without_audit()
        .set(|s| s.agent.memory_flush = flush);
    harness.file(".plimsoll/notes.md", "# Notes\n\n- build with just\n");
    let mut agent = harness.start().await;
    for n in 0..5 {
        agent
            .ask(&format!("question {n}: staging is the host db-2"))
            .await;
    }
    agent.compact(None, true).await;
    (server, agent, harness)
}

fn notes_file(harness: &Harness) -> String {
    std::fs::read_to_string(harness.dir.path().join("work/.plimsoll/notes.md")).unwrap()
}

#[tokio::test]
async fn before_a_compaction_the_model_may_add_notes_which_are_said_and_taken_back() {
    let answer =
        text("- Staging is the host db-2.\n- Build with just\n- Deploy to db-77.prod.net\n");
    let (server, mut agent, harness) = compacted_with(answer, true).await;
    let (_, hint) = told(&mut agent, "the model added 1 note").await;
    assert!(hint.contains("/notes undo"), "{hint}");
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    // It can do nothing but answer, and knows what is noted.
    let asked = server.body(5);
    assert!(
        asked
            .get("tools")
            .is_none_or(|tools| tools == &serde_json::json!([]))
    );
    assert!(asked.to_string().contains("- build with just"));
    let kept = notes_file(&harness);
    let added: Vec<&str> = kept
        .lines()
        .filter(|it| it.contains("by the model"))
        .collect();
    assert_eq!(added.len(), 1, "{kept}");
    assert!(
        added[0].starts_with("- Staging is the host db-2. <!-- from session "),
        "{kept}"
    );
    agent.ask("go on").await;
    assert!(system(&server.body(7)).contains("- Staging is the host db-2."));
    // Its cost is the compaction's.
    let log = harness.log();
    let compaction = log.iter().find(|it| it["type"] == "compaction").unwrap();
    assert!(
        compaction.to_string().contains("\"requests\":2"),
        "{compaction}"
    );
    for words in ["1 note removed: Staging is", "the model added no notes"] {
        agent.send(Op::Session(SessionOp::TakeBackNotes)).await;
        told(&mut agent, words).await;
    }
    assert_eq!(notes_file(&harness), "# Notes\n\n- build with just\n");
    agent.stop().await;
}

#[tokio::test]
async fn without_the_setting_no_notes_are_asked_for_and_a_failed_request_changes_nothing() {
    let (server, mut agent, harness) = compacted_with(text("unused"), false).await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    assert_eq!(server.seen().len(), 6);
    agent.stop().await;
    drop(harness);

    let refusal = status(400, "invalid_request_error", "no");
    let (_server, mut agent, harness) = compacted_with(refusal, true).await;
    told(&mut agent, "no notes were added before the compaction").await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    assert_eq!(notes_file(&harness), "# Notes\n\n- build with just\n");
    agent.stop().await;
}

#[tokio::test]
async fn notes_are_a_category_of_their_own_with_a_share_of_the_window() {
    let server = Server::start(Wire::Anthropic, [text("one")]).await;
    let harness = Harness::new(&server).window(20_000);
    let notes = (0..400).map(|n| format!("- fact number {n:04}\n"));
    let notes = notes.collect::<Vec<_>>().concat();
    harness.file(".plimsoll/notes.md", &notes);
    let mut agent = harness.start().await;
    told(&mut agent, "2% of the model's window (400 tokens)").await;
    agent.ask("hello").await;
    let prompt = system(&server.body(0));
    assert!(prompt.contains("fact number 0399") && !prompt.contains("fact number 0100"));
    let seen = agent.stop().await;
    let view = seen.iter().rev().find_map(|event| match event {
        AgentEvent::Context(ContextEvent::View(view)) => Some(view),
        _ => None,
    });
    let view = view.unwrap();
    let tokens = view.usage.by_category.get(Category::Memory);
    assert!((100..=600).contains(&tokens), "{tokens}");
    let total: u64 = view.items.iter().map(|item| item.tokens).sum();
    assert_eq!(total, view.usage.tokens);
}
