//! What was spent adds up: every request that a provider counted is in the log once, with
//! what it was for, whatever became of it.

use plimsoll::agent::{Account, AgentEvent};
use plimsoll::session;

use super::agent::{Agent, Harness};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Say, Server, Wire};

/// Tokens that each answer of the conversation was counted with.
const ASK: u64 = 100;

fn counted(text: &str, input_tokens: u64) -> Reply {
    Say::text(text).usage(input_tokens).reply()
}

async fn talk(agent: &mut Agent, server: &Server, turns: u64) {
    for turn in 0..turns {
        server.then([counted("an answer", ASK)]);
        agent.ask(&format!("question {turn}")).await;
    }
}

fn account(harness: &Harness) -> Account {
    let loaded = session::load(&harness.session()).unwrap();
    Account::of(loaded.transcript.entries().iter().map(AsRef::as_ref))
}

/// The only row of a table of models.
fn only(rows: &std::collections::BTreeMap<String, plimsoll::agent::Spent>) -> (u64, u64) {
    assert_eq!(rows.len(), 1, "{rows:?}");
    let spent = rows.values().next().unwrap();
    (spent.requests, spent.usage.input_tokens)
}

#[tokio::test]
async fn every_request_of_a_summary_is_counted_also_when_none_comes_of_it() {
    for wire in [Wire::Anthropic, Wire::OpenAi] {
        let server = Server::start(wire, []).await;
        let harness = Harness::new(&server).without_audit();
        let mut agent = harness.start().await;
        talk(&mut agent, &server, 5).await;
        server.then([counted("", 1_000), counted(SUMMARY, 2_000)]);
        agent.compact(None, true).await;
        agent
            .until(|e| {
                matches!(e, AgentEvent::CompactionApplied { compaction, .. }
                    if compaction.details.requests == 2
                        && compaction.details.usage.input_tokens == 3_000)
            })
            .await;
        assert_eq!(only(&account(&harness).summaries), (2, 3_000));
        talk(&mut agent, &server, 5).await;
        server.then([counted("", 500), counted("", 600), counted("", 700)]);
        agent.compact(None, true).await;
        agent
            .until(|e| matches!(e, AgentEvent::CompactionFailed { .. }))
            .await;
        agent.stop().await;
        let account = account(&harness);
        assert_eq!(only(&account.models), (10, 10 * ASK));
        assert_eq!(only(&account.summaries), (5, 4_800));
        assert_eq!(account.total().requests, server.seen().len() as u64);
    }
}

/// A provider that counts the prompt first has counted it, although nothing else came.
#[tokio::test]
async fn a_try_that_broke_before_its_first_word_is_counted() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    server.then([
        Reply::Cut(Say::default().usage(70)),
        counted("an answer", ASK),
    ]);
    agent.ask("a question").await;
    agent.stop().await;
    assert_eq!(only(&account(&harness).models), (2, 70 + ASK));
}
