//! The user's decisions about single messages, and refused ones.

use plimsoll::agent::{
    AgentEvent, CompactionEvent, ContextEvent, ContextOp, Op, Query, QueryReply, SessionEvent,
    SessionOp, SettingOp, UndoOp,
};
use plimsoll::transcript::EntryId;
use serde_json::json;

use super::agent::{Agent, Harness, is_act_done, joined, messages};
use super::server::{Say, Server, Wire, text};

/// Ids of the messages of a role, in the order of the log.
fn ids(harness: &Harness, role: &str) -> Vec<EntryId> {
    let log = harness.log();
    let of_role = log.iter().filter(|line| line["message"]["role"] == role);
    of_role
        .map(|line| EntryId::new(line["id"].as_str().unwrap()))
        .collect()
}

/// Sends an op; true when it took effect, false when it was refused with these words.
async fn takes_effect(agent: &mut Agent, op: Op, refusal: &str) -> bool {
    agent.send(op).await;
    let answer = agent
        .until(|event| {
            let is_refused = |text: &str| text.contains(refusal);
            is_act_done(event)
                || matches!(event, AgentEvent::Notice(notice) if is_refused(&notice.text))
        })
        .await;
    is_act_done(&answer)
}

#[tokio::test]
async fn pins_beyond_half_of_what_is_usable_are_refused_until_one_is_taken_back() {
    // About 2,490 tokens of Claude's each; 15,000 are usable.
    let long = |n: usize| text(format!("answer {n} {}", "lorem ipsum ".repeat(664)));
    let server = Server::start(Wire::Anthropic, (0..4).map(long)).await;
    let harness = Harness::new(&server).window(20_000);
    let mut agent = harness.start().await;
    for turn in 0..4 {
        agent.ask(&format!("question {turn}")).await;
    }
    let answers = ids(&harness, "assistant");
    let refusal = "half of the usable window";
    let mut taken = Vec::new();
    for answer in &answers {
        taken.push(
            takes_effect(
                &mut agent,
                Op::Context(ContextOp::Pin(answer.clone())),
                refusal,
            )
            .await,
        );
    }
    assert_eq!(taken, [true, true, true, false]);
    assert!(
        takes_effect(
            &mut agent,
            Op::Context(ContextOp::Undo(UndoOp::UNDO)),
            "nothing"
        )
        .await
    );
    let last = Op::Context(ContextOp::Pin(answers[3].clone()));
    assert!(takes_effect(&mut agent, last, refusal).await);
    agent.stop().await;
}

#[tokio::test]
async fn a_pinned_call_counts_with_its_results() {
    let call = Say::text("I look").call("c1", "read", &json!({"path": "big.txt"}));
    let script = [call.reply(), text("seen"), text("later")];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).window(20_000);
    harness.file("big.txt", &"lorem ipsum dolor\n".repeat(1_900));
    let mut agent = harness.start().await;
    agent.ask("look").await;
    let answers = ids(&harness, "assistant");
    let refusal = "half of the usable window";
    assert!(
        !takes_effect(
            &mut agent,
            Op::Context(ContextOp::Pin(answers[0].clone())),
            refusal
        )
        .await
    );
    assert!(
        takes_effect(
            &mut agent,
            Op::Context(ContextOp::Pin(answers[1].clone())),
            refusal
        )
        .await
    );
    agent.stop().await;
}

#[tokio::test]
async fn the_newest_question_cannot_be_dropped_and_a_dropped_one_comes_back() {
    let script = [text("one"), text("two"), text("three"), text("four")];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.ask("second question").await;
    let asked = ids(&harness, "user");
    let newest = Op::Context(ContextOp::Drop(asked[1].clone()));
    assert!(!takes_effect(&mut agent, newest, "newest").await);
    assert!(
        takes_effect(
            &mut agent,
            Op::Context(ContextOp::Drop(asked[0].clone())),
            "newest"
        )
        .await
    );
    let said = |at: usize| -> String {
        let all = messages(&server.body(at)).into_iter();
        all.map(|(_, text)| text + "\n").collect()
    };
    agent.ask("third question").await;
    assert!(!said(2).contains("first question"), "{}", said(2));
    assert!(said(2).contains("[Dropped by the user]"), "{}", said(2));
    assert!(
        takes_effect(
            &mut agent,
            Op::Context(ContextOp::Undo(UndoOp::UNDO)),
            "nothing"
        )
        .await
    );
    agent.ask("fourth question").await;
    let all = said(3);
    assert!(
        all.contains("first question") && all.contains("third question"),
        "{all}"
    );
    agent.stop().await;
}

/// The ledger shows an effect before it is done: it has to be the one that follows.
#[tokio::test]
async fn what_is_foreseen_is_what_happens() {
    let long = |n: usize| text(format!("answer {n} {}", "lorem ipsum ".repeat(300)));
    let server = Server::start(Wire::Anthropic, (0..3).map(long)).await;
    let harness = Harness::new(&server).window(20_000);
    let mut agent = harness.start().await;
    for turn in 0..3 {
        agent.ask(&format!("question {turn}")).await;
    }
    let written = harness.log().len();
    let answers = ids(&harness, "assistant");
    let ops = [
        (Op::Context(ContextOp::Drop(answers[0].clone())), None),
        (
            Op::Context(ContextOp::Undo(UndoOp::UNDO)),
            Some("undo the drop of “answer 0"),
        ),
        (Op::Context(ContextOp::Pin(answers[1].clone())), None),
        (
            Op::Context(ContextOp::Undo(UndoOp::UNDO)),
            Some("undo the pin of “answer 1"),
        ),
    ];
    for (at, (op, undone)) in ops.into_iter().enumerate() {
        agent
            .send(Op::query(Query::Foresee(Box::new(op.clone()))))
            .await;
        let is_answer = |e: &AgentEvent| {
            matches!(
                e,
                AgentEvent::Reply {
                    reply: QueryReply::Foreseen { .. },
                    ..
                }
            )
        };
        let AgentEvent::Reply {
            reply:
                QueryReply::Foreseen {
                    op: of,
                    undoes,
                    tokens_after,
                },
            ..
        } = agent.until(is_answer).await
        else {
            unreachable!()
        };
        assert_eq!(of, op);
        let begins = |words: &str| undone.is_some_and(|undone| words.starts_with(undone));
        assert_eq!(undoes.as_deref().map(begins), undone.map(|_| true));
        assert_eq!(harness.log().len(), written + at, "nothing was done yet");
        assert!(takes_effect(&mut agent, op, "nothing").await);
        let is_view = |e: &AgentEvent| matches!(e, AgentEvent::Context(ContextEvent::View(_)));
        let AgentEvent::Context(ContextEvent::View(view)) = agent.until(is_view).await else {
            unreachable!()
        };
        assert_eq!(view.usage.tokens, tokens_after, "{of:?}");
    }
    agent.stop().await;
}

#[tokio::test]
async fn what_a_group_brings_with_it_is_said() {
    let call = Say::text("I look")
        .call("c1", "read", &json!({"path": "big.txt"}))
        .call("c2", "read", &json!({"path": "big.txt"}));
    let server = Server::start(Wire::Anthropic, [call.reply(), text("seen")]).await;
    let harness = Harness::new(&server);
    harness.file("big.txt", &"lorem ipsum ".repeat(500));
    let mut agent = harness.start().await;
    agent.ask("look").await;
    let results = ids(&harness, "toolResult");
    let mut effects = Vec::new();
    for op in [
        |it| Op::Context(ContextOp::Drop(it)),
        |it| Op::Context(ContextOp::Restore(it)),
    ] {
        agent.send(op(results[0].clone())).await;
        let event = agent
            .until(|event| {
                matches!(
                    event,
                    AgentEvent::Context(ContextEvent::OverrideApplied { .. })
                )
            })
            .await;
        if let AgentEvent::Context(ContextEvent::OverrideApplied {
            others,
            tokens_change,
            ..
        }) = event
        {
            effects.push((others, tokens_change));
        }
    }
    let [(dropped, less), (restored, more)] = effects[..] else {
        panic!("{effects:?}");
    };
    // The call and the other result.
    assert_eq!((dropped, restored), (2, 2));
    assert!(less < -500 && more > 500, "{effects:?}");
    agent.stop().await;
}

/// What a provider counted says nothing of what it will count: both sizes are estimates.
#[tokio::test]
async fn what_a_decision_changes_is_counted_by_one_ruler() {
    let counted = |used: u64| Say::text("a short answer").usage(used).reply();
    let server = Server::start(Wire::Anthropic, [counted(9_000), counted(9_500)]).await;
    let harness = Harness::new(&server).window(40_000);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.ask("second question").await;
    let first = ids(&harness, "user").remove(0);
    for op in [
        Op::Context(ContextOp::Drop(first.clone())),
        Op::Context(ContextOp::Restore(first.clone())),
        Op::Context(ContextOp::Pin(first)),
    ] {
        agent.send(op.clone()).await;
        let applied = agent
            .until(|event| {
                matches!(
                    event,
                    AgentEvent::Context(ContextEvent::OverrideApplied { .. })
                )
            })
            .await;
        let AgentEvent::Context(ContextEvent::OverrideApplied { tokens_change, .. }) = applied
        else {
            unreachable!();
        };
        assert!(tokens_change.abs() < 40, "{op:?}: {tokens_change}");
    }
    agent.stop().await;
}

/// Its words, when it was refused.
async fn refused(agent: &mut Agent, op: Op) -> String {
    agent.send(op).await;
    let said = |e: &AgentEvent| {
        is_act_done(e) || matches!(e, AgentEvent::Notice(it) if it.text.starts_with("not possible"))
    };
    match agent.until(said).await {
        AgentEvent::Notice(notice) => notice.text,
        _ => "done".to_owned(),
    }
}

#[tokio::test]
async fn the_newest_message_of_a_person_is_not_dropped_though_a_note_follows_it() {
    let server = Server::start(Wire::Anthropic, [text("hello"), text("more")]).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("the only question").await;
    agent.send(Op::Setting(SettingOp::PlanMode(true))).await;
    agent
        .until(|e| matches!(e, AgentEvent::Session(SessionEvent::PlanMode(true))))
        .await;
    let question = ids(&harness, "user")[0].clone();
    assert_eq!(
        refused(&mut agent, Op::Context(ContextOp::Drop(question))).await,
        "not possible: your newest message is always sent"
    );
    agent.ask("go on").await;
    let sent = joined(server.seen().last().unwrap());
    assert!(!sent.contains("Dropped by the user"), "{sent}");
    agent.stop().await;
}

#[tokio::test]
async fn what_a_decision_cannot_keep_is_refused_in_words() {
    let mut script: Vec<_> = (0..4).map(|n| text(format!("answer {n}"))).collect();
    script.extend([text(super::flow_overflow::SUMMARY), text("later")]);
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).wordy().without_audit();
    let mut agent = harness.start().await;
    for n in 0..4 {
        agent.ask(&format!("question {n}")).await;
    }
    agent
        .send(Op::Session(SessionOp::Rename("a name".to_owned())))
        .await;
    agent.compact(None, true).await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    let of = |kind: &str| {
        let log = harness.log();
        let line = log
            .iter()
            .find(|line| line["type"] == kind || line["customType"] == kind);
        EntryId::new(line.unwrap()["id"].as_str().unwrap())
    };
    let summary = of("compaction");
    let name = of("session_info");
    for op in [
        |it| Op::Context(ContextOp::Drop(it)),
        |it| Op::Context(ContextOp::Pin(it)),
        |it| Op::Context(ContextOp::Restore(it)),
    ] {
        let said = refused(&mut agent, op(summary.clone())).await;
        assert!(
            said.starts_with("not possible: the active summary"),
            "{said}"
        );
        let said = refused(&mut agent, op(name.clone())).await;
        assert!(said.ends_with("never sent to a model"), "{said}");
    }
    let summarised = ids(&harness, "assistant")[0].clone();
    let said = refused(&mut agent, Op::Context(ContextOp::Drop(summarised.clone()))).await;
    assert!(said.ends_with("replaced by summary"), "{said}");
    assert_eq!(
        refused(&mut agent, Op::Context(ContextOp::Pin(summarised.clone()))).await,
        "done"
    );
    agent.send(Op::Context(ContextOp::Pin(summarised))).await;
    let again = |e: &AgentEvent| {
        is_act_done(e)
            || matches!(e, AgentEvent::Notice(it) if it.text.contains("is already pinned"))
    };
    assert!(
        !is_act_done(&agent.until(again).await),
        "it changes nothing"
    );
    agent.ask("and").await;
    let sent = joined(server.seen().last().unwrap());
    assert!(sent.contains("answer 0"), "a pin gives it back: {sent}");
    agent.stop().await;
}

#[tokio::test]
async fn a_pinned_note_is_sent_after_a_compaction_and_not_summarised() {
    let mut script: Vec<_> = (0..5).map(|n| text(format!("answer {n}"))).collect();
    script.extend([text(super::flow_overflow::SUMMARY), text("later")]);
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).wordy().without_audit();
    let mut agent = harness.start().await;
    agent.ask("question 0").await;
    for on in [true, false] {
        agent.send(Op::Setting(SettingOp::PlanMode(on))).await;
        agent
            .until(|e| matches!(e, AgentEvent::Session(SessionEvent::PlanMode(_))))
            .await;
        agent.ask("question").await;
    }
    let note = {
        let log = harness.log();
        let line = log.iter().find(|l| l["customType"] == "plimsoll.plan");
        EntryId::new(line.unwrap()["id"].as_str().unwrap())
    };
    assert!(
        takes_effect(
            &mut agent,
            Op::Context(ContextOp::Pin(note)),
            "not possible"
        )
        .await
    );
    for _ in 0..2 {
        agent.ask("another question").await;
    }
    let words = "Plan mode is on";
    agent.compact(None, true).await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    agent.ask("the last one").await;
    let bodies = server.seen();
    let summarised = joined(&bodies[bodies.len() - 2]);
    assert!(!summarised.contains(words), "{summarised}");
    let sent = joined(bodies.last().unwrap());
    assert_eq!(sent.matches(words).count(), 1, "{sent}");
    agent.stop().await;
}
