//! Branches and the shelf of sessions: what moves, what stays in the log, what another
//! program reads there, and what is there again after a restart.

use plimsoll::agent::{
    AgentEvent, CompactOptions, CompactionEvent, ContextEvent, ContextOp, NoticeLevel, Op, Query,
    QueryReply, SessionEvent, SessionOp, SessionSource, TurnEvent, TurnOp,
};
use plimsoll::session;
use plimsoll::transcript::{EntryBody, EntryId};
use serde_json::Value;

use super::agent::{Agent, Harness, has_no_tools, messages};
use super::server::{Server, Wire, text};

/// The message of the user that says this.
fn said(log: &[Value], words: &str) -> Value {
    let is_it = |line: &&Value| {
        line["message"]["role"] == "user" && line["message"].to_string().contains(words)
    };
    log.iter().find(is_it).unwrap().clone()
}

fn id(line: &Value) -> EntryId {
    EntryId::new(line["id"].as_str().unwrap())
}

async fn finished(agent: &mut Agent) {
    agent
        .until(|event| matches!(event, AgentEvent::Turn(TurnEvent::Finished(_))))
        .await;
}

/// Tokens of the next view.
async fn viewed(agent: &mut Agent) -> u64 {
    match agent
        .until(|event| matches!(event, AgentEvent::Context(ContextEvent::View(_))))
        .await
    {
        AgentEvent::Context(ContextEvent::View(view)) => view.usage.tokens,
        _ => unreachable!(),
    }
}

#[tokio::test]
async fn a_message_sent_anew_is_a_branch_and_the_old_one_stays() {
    let replies = ["one", "two", "three"].map(text);
    let server = Server::start(Wire::Anthropic, replies).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.ask("second question").await;
    let old = said(&harness.log(), "second question");
    agent
        .send(Op::Session(SessionOp::Resend {
            target: id(&old),
            text: "another question".to_owned(),
            images: Vec::new(),
        }))
        .await;
    finished(&mut agent).await;
    let request = messages(server.seen().last().unwrap());
    let sent: String = request.into_iter().map(|(_, text)| text + "\n").collect();
    assert!(sent.contains("first question") && sent.contains("another question"));
    assert!(!sent.contains("second question"), "{sent}");
    let log = harness.log();
    let new = said(&log, "another question");
    let moved = log.iter().find(|line| line["id"] == new["parentId"]);
    assert_eq!(moved.unwrap()["data"]["cause"], "rewind");
    assert_eq!(moved.unwrap()["parentId"], old["parentId"]);
    assert_eq!(said(&log, "second question"), old, "nothing is rewritten");
    agent.stop().await;
}

#[tokio::test]
async fn going_back_survives_a_restart_in_a_standard_entry() {
    let server = Server::start(Wire::Anthropic, ["one", "two"].map(text)).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.ask(&"a long second question ".repeat(200)).await;
    let before = harness.log();
    let target = EntryId::new(said(&before, "long second")["parentId"].as_str().unwrap());
    let full = {
        agent
            .send(Op::Turn(TurnOp::Draft {
                text: "x".to_owned(),
                images: Vec::new(),
            }))
            .await;
        viewed(&mut agent).await
    };
    agent
        .send(Op::Session(SessionOp::GoTo(Some(target.clone()))))
        .await;
    agent
        .until(|event| matches!(event, AgentEvent::Session(SessionEvent::BranchMoved(_))))
        .await;
    let less = viewed(&mut agent).await;
    // The second question alone has 4,600 characters.
    assert!(less + 1_000 < full, "{less} of {full}");
    agent.stop().await;
    let log = harness.log();
    assert_eq!(log[..before.len()], before[..], "the log only grows");
    let moved = log.last().unwrap();
    assert_eq!(moved["type"], "custom");
    assert_eq!(moved["data"]["cause"], "rewind");
    assert_eq!(moved["data"]["from"], before.last().unwrap()["id"]);
    assert_eq!(moved["parentId"], target.as_str());

    let agent = harness.start().await;
    let branch = match agent.events.last() {
        Some(AgentEvent::Session(SessionEvent::Opened(info))) => info.branch.clone(),
        other => panic!("{other:?}"),
    };
    let texts: Vec<String> = branch
        .iter()
        .filter_map(|entry| entry.message().map(|message| message.text()))
        .collect();
    assert_eq!(texts, ["first question", "one"]);
    agent.stop().await;
}

#[tokio::test]
async fn a_move_keeps_the_name_of_its_target() {
    let server = Server::start(Wire::Anthropic, ["one", "two"].map(text)).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.ask("second question").await;
    let target = EntryId::new(said(&harness.log(), "second")["parentId"].as_str().unwrap());
    let label = Some("good state".to_owned());
    agent
        .send(Op::Session(SessionOp::Label {
            target: target.clone(),
            label: label.clone(),
        }))
        .await;
    agent
        .send(Op::Session(SessionOp::GoTo(Some(target.clone()))))
        .await;
    agent.send(Op::query(Query::History)).await;
    let history = agent
        .until(|event| {
            matches!(
                event,
                AgentEvent::Reply {
                    reply: QueryReply::History(_),
                    ..
                }
            )
        })
        .await;
    let AgentEvent::Reply {
        reply: QueryReply::History(transcript),
        ..
    } = history
    else {
        unreachable!()
    };
    assert_eq!(transcript.label(&target), label);
    agent
        .send(Op::Session(SessionOp::GoTo(Some(EntryId::new("nowhere")))))
        .await;
    agent
        .until(|event| {
            matches!(event, AgentEvent::Notice(notice) if notice.level == NoticeLevel::Error)
        })
        .await;
    agent.stop().await;
}

#[tokio::test]
async fn a_fork_is_a_session_of_its_own_that_names_its_parent() {
    let replies = ["one", "two", "three"].map(text);
    let server = Server::start(Wire::Anthropic, replies).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.ask("second question").await;
    let source = harness.log();
    let end = EntryId::new(said(&source, "second")["parentId"].as_str().unwrap());
    agent.send(Op::Session(SessionOp::Fork(Some(end)))).await;
    let opened = agent
        .until(|event| matches!(event, AgentEvent::Session(SessionEvent::Opened(_))))
        .await;
    let AgentEvent::Session(SessionEvent::Opened(info)) = opened else {
        unreachable!()
    };
    agent.ask("third question").await;
    agent.stop().await;
    assert_eq!(
        harness.log(),
        source,
        "the session it came from is as it was"
    );
    let forked = session::load(&info.path.clone().unwrap()).unwrap();
    let parent = forked.header.parent_session.as_deref();
    assert_eq!(parent, harness.session().to_str());
    assert_eq!(forked.problems, []);
    let texts: Vec<String> = forked
        .transcript
        .branch()
        .iter()
        .filter_map(|entry| entry.message().map(|message| message.text()))
        .collect();
    assert_eq!(texts, ["first question", "one", "third question", "three"]);
}

#[tokio::test]
async fn sessions_are_listed_named_looked_into_and_thrown_away() {
    let server = Server::start(Wire::Anthropic, ["one", "two"].map(text)).await;
    let mut harness = Harness::new(&server);
    harness.setup.source = SessionSource::New;
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.send(Op::Session(SessionOp::New)).await;
    agent.ask("second question").await;
    agent.send(Op::query(Query::Sessions { all: false })).await;
    let list = listed(&mut agent).await;
    let words = |list: &plimsoll::agent::SessionList| -> Vec<String> {
        let mut words: Vec<String> = list
            .sessions
            .iter()
            .map(|s| s.first_words.clone())
            .collect();
        words.sort();
        words
    };
    assert_eq!(words(&list), ["first question", "second question"]);
    let open = list.open.clone().unwrap();
    let other = list
        .sessions
        .iter()
        .find(|s| s.path != open)
        .unwrap()
        .path
        .clone();

    agent
        .send(Op::query(Query::SessionPeek(other.clone())))
        .await;
    let peeked = agent
        .until(|event| {
            matches!(
                event,
                AgentEvent::Reply {
                    reply: QueryReply::SessionPeek(_),
                    ..
                }
            )
        })
        .await;
    let AgentEvent::Reply {
        reply: QueryReply::SessionPeek(peek),
        ..
    } = peeked
    else {
        unreachable!()
    };
    let said = [(true, "first question"), (false, "one")];
    assert_eq!(
        peek.messages,
        said.map(|(is_user, text)| (is_user, text.to_owned()))
    );
    assert_eq!(peek.model.unwrap().model, "claude-sonnet-4-5");

    for (path, name) in [(&other, "older"), (&open, "newer")] {
        let (path, name) = (path.clone(), name.to_owned());
        agent
            .send(Op::Session(SessionOp::RenameOther { path, name }))
            .await;
        listed(&mut agent).await;
    }
    agent
        .send(Op::Session(SessionOp::Discard(open.clone())))
        .await;
    agent
        .send(Op::Session(SessionOp::Discard(other.clone())))
        .await;
    let list = listed(&mut agent).await;
    assert_eq!(list.sessions.len(), 1);
    assert_eq!(list.sessions[0].path, open);
    assert_eq!(list.sessions[0].name.as_deref(), Some("newer"));
    assert!(open.is_file() && !other.exists());
    let trashed = other
        .parent()
        .unwrap()
        .join("trash")
        .join(other.file_name().unwrap());
    let trashed = session::load(&trashed).unwrap().transcript;
    let newest = trashed.entries().last().unwrap();
    let name = "older".to_owned();
    assert_eq!(newest.body, EntryBody::SessionInfo { name });
    agent.stop().await;
}

async fn listed(agent: &mut Agent) -> plimsoll::agent::SessionList {
    match agent
        .until(|event| {
            matches!(
                event,
                AgentEvent::Reply {
                    reply: QueryReply::Sessions(_),
                    ..
                }
            )
        })
        .await
    {
        AgentEvent::Reply {
            reply: QueryReply::Sessions(list),
            ..
        } => list,
        _ => unreachable!(),
    }
}

fn compaction_from(entry: EntryId) -> Op {
    Op::Context(ContextOp::Compact(CompactOptions {
        yes: true,
        extractive: true,
        from: Some(entry),
        ..CompactOptions::default()
    }))
}

#[tokio::test]
async fn a_compaction_keeps_from_the_message_that_was_picked() {
    let one = "one and so on ".repeat(300);
    let replies = [one.as_str(), "two", "three"].map(text);
    let server = Server::start(Wire::Anthropic, replies).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    for question in ["first question", "second question", "third question"] {
        agent.ask(question).await;
    }
    let kept = id(&said(&harness.log(), "second question"));
    agent.send(compaction_from(kept.clone())).await;
    let applied = agent
        .until(|event| {
            matches!(
                event,
                AgentEvent::Compaction(CompactionEvent::Applied { .. })
            )
        })
        .await;
    let AgentEvent::Compaction(CompactionEvent::Applied { compaction, .. }) = applied else {
        unreachable!()
    };
    assert_eq!(compaction.first_kept, Some(kept));
    assert_eq!(compaction.details.summarized_messages, 2);
    agent.send(compaction_from(EntryId::new("nowhere"))).await;
    agent
        .until(|event| {
            matches!(event, AgentEvent::Compaction(CompactionEvent::Failed { cause, .. }) if *cause == "no_such_entry")
        })
        .await;
    agent.stop().await;
}

/// Services find the beginning of a conversation in their caches by it.
#[tokio::test]
async fn requests_that_begin_alike_have_one_key_of_the_cache() {
    let replies = ["one", "two", "a summary", "three", "four", "five"].map(text);
    let server = Server::start(Wire::Responses, replies).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.ask("second question").await;
    agent.compact(None, true).await;
    agent.ask("third question").await;
    agent.send(Op::Session(SessionOp::Fork(None))).await;
    agent
        .until(|event| matches!(event, AgentEvent::Session(SessionEvent::Opened(_))))
        .await;
    agent.ask("fourth question").await;
    agent.stop().await;
    let (summaries, answers): (Vec<Value>, Vec<Value>) =
        server.seen().into_iter().partition(has_no_tools);
    let keys: Vec<&str> = answers
        .iter()
        .filter_map(|body| body["prompt_cache_key"].as_str())
        .collect();
    assert_eq!(keys.len(), answers.len());
    assert!(
        answers.len() >= 4 && keys.iter().all(|key| *key == keys[0]),
        "{keys:?}"
    );
    assert!(
        summaries
            .iter()
            .all(|body| body.get("prompt_cache_key").is_none())
    );

    let other = Server::start(Wire::Responses, [text("one")]).await;
    let harness = Harness::new(&other);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.stop().await;
    assert_ne!(
        other.body(0)["prompt_cache_key"],
        keys[0],
        "another session"
    );
}
