//! `/undo` and `/redo`: the newest act of the person, never what was automatic; on the
//! outbound request, over restarts and in forks.

use plimsoll::agent::{
    AgentEvent, AnswerEvent, CompactionEvent, ContextEvent, ContextOp, Op, RewindRequest,
    SessionEvent, SessionOp, TurnOp, UndoOp, UndoPlan,
};
use plimsoll::context::{GateKind, Threshold};
use plimsoll::transcript::EntryId;
use serde_json::json;

use super::agent::{Agent, Harness, joined};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Say, Server, Wire, text};

const UNDO: Op = Op::Context(ContextOp::Undo(UndoOp::UNDO));
const REDO: Op = Op::Context(ContextOp::Undo(UndoOp::REDO));

/// The outcome of an undo or redo, in words.
async fn answer(agent: &mut Agent, op: Op) -> String {
    agent.send(op).await;
    let is_answer = |event: &AgentEvent| match event {
        AgentEvent::Context(ContextEvent::ActUndone { .. } | ContextEvent::UndoPlanned(_))
        | AgentEvent::Compaction(CompactionEvent::Undone { .. }) => true,
        AgentEvent::Notice(notice) => notice.text.starts_with("no"),
        _ => false,
    };
    match agent.until(is_answer).await {
        AgentEvent::Context(ContextEvent::ActUndone { way, what, .. }) => {
            format!("{}: {what}", way.done())
        }
        AgentEvent::Context(ContextEvent::UndoPlanned(plan)) => {
            let UndoPlan {
                what,
                leaves,
                files,
                ..
            } = *plan;
            format!("asks: {what}, {leaves} left, {} files", files.len())
        }
        AgentEvent::Compaction(CompactionEvent::Undone { .. }) => "compaction undone".to_owned(),
        AgentEvent::Notice(notice) => notice.text,
        _ => unreachable!(),
    }
}

fn entry(harness: &Harness, words: &str) -> EntryId {
    let log = harness.log();
    let line = log
        .iter()
        .find(|line| line["type"] == "message" && line.to_string().contains(words));
    EntryId::new(line.unwrap()["id"].as_str().unwrap())
}

fn last_request(server: &Server) -> String {
    joined(server.seen().last().unwrap())
}

/// The server answers "answer 0", "answer 1", … to this many questions.
async fn talked(questions: usize) -> (Server, Harness, Agent) {
    let answers = (0..questions + 4).map(|n| text(format!("answer {n}")));
    let server = Server::start(Wire::Anthropic, answers).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    for n in 0..questions {
        agent.ask(&format!("question {n}")).await;
    }
    (server, harness, agent)
}

#[tokio::test]
async fn undo_takes_back_the_users_pin_and_not_the_guards_later_cut() {
    let script = [
        text("hello"),
        Say::text("I look")
            .call("c1", "read", &json!({"path": "big.txt"}))
            .reply(),
        text("seen"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).window(20_000);
    harness.file(
        "big.txt",
        &"lorem ipsum dolor sit amet, consectetur adipiscing\n".repeat(990),
    );
    let mut agent = harness.start().await;
    agent.ask("remember me").await;
    agent
        .send(Op::Context(ContextOp::Pin(entry(&harness, "remember me"))))
        .await;
    agent.ask("look at it").await;
    let kinds = |kind: &str| {
        let log = harness.log();
        log.iter().filter(|line| line["customType"] == kind).count()
    };
    assert_eq!((kinds("plimsoll.pin"), kinds("plimsoll.guard")), (1, 1));
    assert_eq!(
        answer(&mut agent, UNDO).await,
        "undone: pin of “remember me”"
    );
    assert_eq!(
        answer(&mut agent, UNDO).await,
        "nothing to undo: no rewind, compaction, prune, pin, restore, drop, edit or rule change \
         of yours on this branch"
    );
    assert_eq!(
        answer(&mut agent, REDO).await,
        "redone: pin of “remember me”"
    );
    agent.stop().await;
    let mut agent = harness.start().await;
    assert_eq!(
        answer(&mut agent, UNDO).await,
        "undone: pin of “remember me”",
        "after a restart"
    );
    agent.stop().await;
}

/// A prune with a cold cache was decided again in the same breath.
#[tokio::test]
async fn an_undone_prune_stays_undone_until_the_next_message() {
    let look = |n: usize| {
        Say::text("I look")
            .call(
                &format!("c{n}"),
                "read",
                &json!({"path": format!("f{n}.txt")}),
            )
            .reply()
    };
    let script: Vec<_> = (0..6)
        .flat_map(|n| [look(n), text(format!("seen {n}"))])
        .chain([text("later"), text("last")])
        .collect();
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).window(60_000).set(|s| {
        s.context.prune.gate = GateKind::Always;
        s.context.compaction.auto = false;
        s.context.prune.hard.min_prunable_chars = 1_000;
        s.context.prune.soft.ratio = 0.9;
        s.context.prune.hard.ratio = 0.95;
    });
    for n in 0..6 {
        harness.file(
            &format!("f{n}.txt"),
            &format!("line {n} of the file\n").repeat(900),
        );
    }
    let mut agent = harness.start().await;
    for n in 0..6 {
        agent.ask(&format!("question {n}")).await;
    }
    agent.stop().await;
    // From here on the policy would prune by itself at once.
    let harness = harness.set(|s| {
        s.context.prune.soft.ratio = 0.1;
        s.context.prune.hard.ratio = 0.9;
    });
    let mut agent = harness.start().await;
    agent
        .send(Op::Context(ContextOp::Prune { dry_run: false }))
        .await;
    agent
        .until(|e| {
            matches!(
                e,
                AgentEvent::Context(ContextEvent::Pruned { dry_run: false, .. })
            )
        })
        .await;
    let undone = answer(&mut agent, UNDO).await;
    assert!(undone.starts_with("undone: prune of "), "{undone}");
    let view = |event: &AgentEvent| matches!(event, AgentEvent::Context(ContextEvent::View(_)));
    let AgentEvent::Context(ContextEvent::View(shown)) = agent.until(view).await else {
        unreachable!()
    };
    let cut = shown.items.iter().filter(|item| item.disposition.is_cut());
    assert_eq!(cut.count(), 0, "what the screen shows is the undone state");
    let prunes = || {
        let log = harness.log();
        let is_prune = |line: &&serde_json::Value| line["customType"] == "plimsoll.prune";
        log.iter().filter(is_prune).count()
    };
    assert_eq!(prunes(), 1);
    agent.ask("now").await;
    assert_eq!(
        prunes(),
        2,
        "with the next message the policy decides again"
    );
    agent.stop().await;
}

#[tokio::test]
async fn a_rewind_of_the_conversation_alone_is_undone_and_redone_and_over_a_restart() {
    let (server, harness, mut agent) = talked(3).await;
    agent
        .send(Op::Session(SessionOp::GoTo(Some(entry(
            &harness, "answer 0",
        )))))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Session(SessionEvent::BranchMoved(_))))
        .await;
    agent.stop().await;
    let mut agent = harness.start().await;
    assert_eq!(
        answer(&mut agent, UNDO).await,
        "undone: rewind of the conversation (4 messages)"
    );
    agent.ask("and now").await;
    let sent = last_request(&server);
    assert!(sent.contains("question 2"), "{sent}");
    assert_eq!(
        answer(&mut agent, REDO).await,
        "asks: rewind of the conversation (4 messages), 2 left, 0 files"
    );
    let confirmed = Op::Context(ContextOp::Undo(UndoOp::REDO.confirmed()));
    assert_eq!(
        answer(&mut agent, confirmed).await,
        "redone: rewind of the conversation (4 messages)"
    );
    agent.ask("once more").await;
    let sent = last_request(&server);
    assert!(
        sent.contains("question 0") && !sent.contains("question 1"),
        "{sent}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn going_back_before_the_first_message_holds_over_a_restart_and_is_undone() {
    let (server, harness, mut agent) = talked(2).await;
    agent.send(Op::Session(SessionOp::GoTo(None))).await;
    agent
        .until(|e| matches!(e, AgentEvent::Session(SessionEvent::BranchMoved(_))))
        .await;
    agent.stop().await;
    let mut agent = harness.start().await;
    agent.ask("a new beginning").await;
    let sent = last_request(&server);
    assert!(!sent.contains("question 0"), "{sent}");
    let confirmed = Op::Context(ContextOp::Undo(UndoOp::UNDO.confirmed()));
    assert_eq!(
        answer(&mut agent, confirmed).await,
        "undone: rewind of the conversation (4 messages)"
    );
    agent.ask("back again").await;
    let sent = last_request(&server);
    assert!(
        sent.contains("question 1") && !sent.contains("a new beginning"),
        "{sent}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn a_fork_made_after_a_rewind_can_undo_what_came_before_it() {
    let (_server, harness, mut agent) = talked(2).await;
    agent
        .send(Op::Context(ContextOp::Pin(entry(&harness, "question 0"))))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::OverrideApplied { .. })))
        .await;
    agent.ask("question 2").await;
    agent
        .send(Op::Session(SessionOp::GoTo(Some(entry(
            &harness, "answer 1",
        )))))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Session(SessionEvent::BranchMoved(_))))
        .await;
    // The pin is on the branch that was left: another one, then the fork.
    agent
        .send(Op::Context(ContextOp::Pin(entry(&harness, "question 1"))))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::OverrideApplied { .. })))
        .await;
    agent.send(Op::Session(SessionOp::Fork(None))).await;
    agent
        .until(|e| matches!(e, AgentEvent::Session(SessionEvent::Opened(_))))
        .await;
    assert_eq!(
        answer(&mut agent, UNDO).await,
        "undone: pin of “question 1”"
    );
    let words = answer(&mut agent, UNDO).await;
    assert!(words.starts_with("nothing to undo"), "{words}");
    agent.stop().await;
}

#[tokio::test]
async fn a_rewind_with_files_says_which_files_and_asks_first() {
    let script = [
        Say::text("w")
            .call(
                "c1",
                "write",
                &json!({"path": "a.txt", "content": "by model"}),
            )
            .reply(),
        text("written"),
        text("later"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    let file = harness.setup.cwd.join("a.txt");
    let content = || std::fs::read_to_string(&file).ok();
    let mut agent = harness.start().await;
    agent.ask("write it").await;
    let both = RewindRequest {
        to: None,
        conversation: true,
        files: true,
        overwrite: false,
    };
    agent.send(Op::Session(SessionOp::Rewind(both))).await;
    agent
        .until(|e| matches!(e, AgentEvent::Notice(it) if it.text.starts_with("files")))
        .await;
    assert_eq!(content(), None);
    let what = "rewind of the conversation (4 messages) and 1 file: a.txt";
    assert_eq!(
        answer(&mut agent, UNDO).await,
        format!("asks: {what}, 0 left, 1 files")
    );
    agent.ask("said since").await;
    assert_eq!(
        answer(&mut agent, UNDO).await,
        format!("asks: {what}, 2 left, 1 files")
    );
    assert_eq!(content(), None, "a question changes nothing");
    let confirmed = Op::Context(ContextOp::Undo(UndoOp::UNDO.confirmed()));
    assert_eq!(
        answer(&mut agent, confirmed).await,
        format!("undone: {what}")
    );
    assert_eq!(content().as_deref(), Some("by model"));
    let confirmed = Op::Context(ContextOp::Undo(UndoOp::REDO.confirmed()));
    assert_eq!(
        answer(&mut agent, confirmed).await,
        format!("redone: {what}")
    );
    assert_eq!(content(), None);
    agent.stop().await;
}

#[tokio::test]
async fn while_a_turn_runs_no_rewind_is_undone_under_it_and_a_pin_is() {
    let script = [
        text("answer 0"),
        text("answer 1"),
        Reply::Stall(Say::text("I begin")),
        Reply::Stall(Say::text("I begin")),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("question 0").await;
    agent.ask("question 1").await;
    let first = entry(&harness, "answer 0");
    agent
        .send(Op::Session(SessionOp::GoTo(Some(first.clone()))))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Session(SessionEvent::BranchMoved(_))))
        .await;
    agent.say("go on").await;
    agent
        .until(|e| matches!(e, AgentEvent::Stream(AnswerEvent::Delta(_))))
        .await;
    assert_eq!(
        answer(&mut agent, UNDO).await,
        "nothing was changed: cannot undo the rewind while something is running"
    );
    agent.send(Op::Turn(TurnOp::Interrupt)).await;
    agent.turn_end().await;
    agent.send(Op::Context(ContextOp::Pin(first))).await;
    agent
        .until(|e| matches!(e, AgentEvent::Context(ContextEvent::OverrideApplied { .. })))
        .await;
    agent.say("go on again").await;
    agent
        .until(|e| matches!(e, AgentEvent::Stream(AnswerEvent::Delta(_))))
        .await;
    assert_eq!(answer(&mut agent, UNDO).await, "undone: pin of “answer 0”");
    agent.send(Op::Turn(TurnOp::Interrupt)).await;
    agent.turn_end().await;
    agent.stop().await;
}

#[tokio::test]
async fn undo_takes_back_a_compaction_of_the_user_and_redo_makes_it_again_without_a_model() {
    let mut script: Vec<_> = (0..5).map(|n| text(format!("answer {n}"))).collect();
    script.extend([text(SUMMARY), text("next"), text("last"), text("more")]);
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).wordy().without_audit();
    let mut agent = harness.start().await;
    for n in 0..5 {
        agent.ask(&format!("question {n}")).await;
    }
    agent.compact(None, true).await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    assert_eq!(answer(&mut agent, UNDO).await, "compaction undone");
    agent.ask("whole again").await;
    assert!(last_request(&server).contains("answer 0"));
    let redone = answer(&mut agent, REDO).await;
    assert!(redone.starts_with("redone: compaction of "), "{redone}");
    agent.ask("summarised again").await;
    let sent = last_request(&server);
    assert!(
        sent.contains("SUMMARISED") && !sent.contains("answer 0") && sent.contains("whole again"),
        "{sent}"
    );
    assert_eq!(answer(&mut agent, UNDO).await, "compaction undone");
    agent.ask("and whole").await;
    assert!(last_request(&server).contains("answer 0"));
    agent.stop().await;
}

#[tokio::test]
async fn after_an_automatic_compaction_undo_names_the_way() {
    let long = |n: usize| text(format!("answer {n} {}", "lorem ipsum ".repeat(300)));
    let script = (0..4).map(long).chain([text(SUMMARY), text("last")]);
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server)
        .window(40_000)
        .without_audit()
        .set(|s| {
            s.context.compaction.threshold = Some(Threshold::Tokens(3_500));
            s.context.compaction.tail.tokens = Some(1_000);
        });
    let mut agent = harness.start().await;
    for n in 0..4 {
        agent.ask(&format!("question {n}")).await;
    }
    agent.ask("beyond the line").await;
    agent.send(UNDO).await;
    let is_it = |e: &AgentEvent| matches!(e, AgentEvent::Notice(it) if it.text.starts_with("nothing to undo"));
    let AgentEvent::Notice(notice) = agent.until(is_it).await else {
        unreachable!()
    };
    let hint = notice.hint.unwrap_or_default();
    assert!(hint.contains("/uncompact"), "{hint}");
    agent.stop().await;
}
