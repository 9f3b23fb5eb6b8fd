//! What a person decides about standing rules, through the agent: done, sent, refused and
//! taken back.

use plimsoll::agent::{
    AgentEvent, ContextEvent, ContextOp, Notice, Op, Query, QueryReply, RuleAct, RuleList,
    RuleListing, UndoOp,
};
use plimsoll::context::rules::RuleState;
use plimsoll::transcript::RuleChange;

use super::agent::{Agent, Harness};
use super::server::{Server, Wire, text};

/// Sends an act; answers with the rule as it is then, or with the refusal.
async fn act(agent: &mut Agent, act: RuleAct) -> Result<RuleListing, Notice> {
    agent.send(Op::Context(ContextOp::Rule(act))).await;
    let is_answer = |event: &AgentEvent| {
        matches!(
            event,
            AgentEvent::Context(ContextEvent::RuleChanged { .. }) | AgentEvent::Notice(_)
        )
    };
    match agent.until(is_answer).await {
        AgentEvent::Context(ContextEvent::RuleChanged { rule, .. }) => Ok(*rule),
        AgentEvent::Notice(notice) => Err(notice),
        other => panic!("{other:?}"),
    }
}

async fn undo(agent: &mut Agent) -> String {
    agent.send(Op::Context(ContextOp::Undo(UndoOp::UNDO))).await;
    let is_undone =
        |event: &AgentEvent| matches!(event, AgentEvent::Context(ContextEvent::ActUndone { .. }));
    match agent.until(is_undone).await {
        AgentEvent::Context(ContextEvent::ActUndone { what, .. }) => what,
        other => panic!("{other:?}"),
    }
}

async fn listed(agent: &mut Agent) -> RuleList {
    agent.send(Op::query(Query::Rules)).await;
    let is_list = |event: &AgentEvent| {
        matches!(
            event,
            AgentEvent::Reply {
                reply: QueryReply::Rules(_),
                ..
            }
        )
    };
    match agent.until(is_list).await {
        AgentEvent::Reply {
            reply: QueryReply::Rules(list),
            ..
        } => *list,
        other => panic!("{other:?}"),
    }
}

fn on(rule: &RuleListing, change: RuleChange) -> RuleAct {
    RuleAct::on(rule.standing.rule.id.as_str(), change)
}

#[tokio::test]
async fn an_act_on_a_rule_shows_in_the_next_request_and_undo_takes_it_back() {
    let server = Server::start(Wire::Anthropic, (0..5).map(|_| text("fine"))).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("hello").await;
    let added = act(&mut agent, RuleAct::add("never touch the zeppelin files"));
    let added = added.await.unwrap();
    assert_eq!(added.standing.rule.state, RuleState::Active);
    assert!(added.standing.rule.is_confirmed);
    assert_eq!(added.turn, None, "no message says it");
    assert_eq!(listed(&mut agent).await.rules, std::slice::from_ref(&added));
    let sent = |at: usize| server.body(at).to_string();
    agent.ask("one").await;
    assert!(sent(1).contains("never touch the zeppelin files"));
    let struck = act(&mut agent, on(&added, RuleChange::Strike))
        .await
        .unwrap();
    assert_eq!(struck.standing.rule.state, RuleState::Struck);
    agent.ask("two").await;
    assert!(!sent(2).contains("zeppelin"));
    let undone = undo(&mut agent).await;
    assert!(undone.contains("zeppelin"), "{undone}");
    let text = RuleChange::Reword("always ask before zeppelin".to_owned());
    let reworded = act(&mut agent, on(&added, text)).await.unwrap();
    assert_eq!(reworded.standing.rule.id, added.standing.rule.id);
    agent.ask("three").await;
    assert!(sent(3).contains("always ask before zeppelin"));
    assert!(!sent(3).contains("never touch"));
    undo(&mut agent).await;
    agent.ask("four").await;
    assert!(sent(4).contains("never touch the zeppelin files"));
    agent.stop().await;
}

#[tokio::test]
async fn what_cannot_be_done_to_a_rule_is_said_and_leaves_nothing_in_the_log() {
    let server = Server::start(Wire::Anthropic, [text("fine")]).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("hello").await;
    let rule = act(&mut agent, RuleAct::add("keep it short"))
        .await
        .unwrap();
    let id = rule.standing.rule.id.as_str().to_owned();
    let entries = harness.log().len();
    let mistyped = format!("{}x", id.get(..id.len() - 1).unwrap());
    let long = "x".repeat(401);
    for (refused, says, hint) in [
        (
            RuleAct::on(mistyped, RuleChange::Strike),
            "no rule",
            id.as_str(),
        ),
        (
            RuleAct::on("nothing of the kind", RuleChange::Strike),
            "no rule",
            "/rules lists them",
        ),
        (RuleAct::on("", RuleChange::Strike), "no rule", "/rules"),
        (
            RuleAct::on(&*id, RuleChange::BringBack),
            "is already active",
            "",
        ),
        (
            RuleAct::on(&*id, RuleChange::Confirm),
            "already confirmed",
            "",
        ),
        (RuleAct::add("keep it short"), "already confirmed", ""),
        (RuleAct::add(" \n"), "needs a text", ""),
        (RuleAct::add(&*long), "at most 400 characters", "shorten"),
        (
            RuleAct::on(&*id, RuleChange::Reword(long.clone())),
            "has 401",
            "shorten",
        ),
        (
            RuleAct::on(&*id, RuleChange::Reword("keep it short".to_owned())),
            "already has this text",
            "",
        ),
    ] {
        let shown = format!("{refused:?}");
        let notice = act(&mut agent, refused).await.unwrap_err();
        assert!(notice.text.contains(says), "{shown}: {notice:?}");
        let found = notice.hint.unwrap_or_default();
        assert!(found.contains(hint), "{shown}: {found}");
    }
    assert_eq!(harness.log().len(), entries);
    // The beginning of an id is enough, and the same words again bring a struck rule back.
    let strike = RuleAct::on(id.get(..5).unwrap(), RuleChange::Strike);
    act(&mut agent, strike).await.unwrap();
    for refused in [RuleChange::Strike, RuleChange::Confirm] {
        act(&mut agent, RuleAct::on(&*id, refused))
            .await
            .unwrap_err();
    }
    let back = act(&mut agent, RuleAct::add("keep it short"))
        .await
        .unwrap();
    assert_eq!(back.standing.rule.state, RuleState::Active);
    assert_eq!(listed(&mut agent).await.rules.len(), 1);
    agent.stop().await;
}

#[tokio::test]
async fn a_message_that_sets_rules_is_their_source_and_a_struck_one_comes_back() {
    let server = Server::start(Wire::Anthropic, [text("fine"), text("fine")]).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("hello").await;
    agent
        .ask("From now on never push to main without asking me. What is in the folder?")
        .await;
    let list = listed(&mut agent).await;
    let [rule] = list.rules.as_slice() else {
        panic!("{list:?}");
    };
    assert_eq!(rule.turn, Some(2));
    assert_eq!(rule.place_words(), "in the window");
    assert!(rule.standing.rule.text.contains("never push to main"));
    let log = harness.log();
    let asked = log
        .iter()
        .rfind(|line| line["message"]["role"] == "user")
        .unwrap();
    assert_eq!(
        rule.standing.rule.source.as_str(),
        asked["id"].as_str().unwrap()
    );
    let struck = act(&mut agent, on(rule, RuleChange::Strike)).await.unwrap();
    assert_eq!(struck.place_words(), "struck by you");
    let undone = undo(&mut agent).await;
    assert!(undone.contains("never push to main"), "{undone}");
    let back = listed(&mut agent).await;
    assert_eq!(back.rules, list.rules, "as it was before");
    agent.stop().await;
}
