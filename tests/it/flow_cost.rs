//! What was spent adds up: every request that a provider counted is in the log once, with
//! what it was for, whatever became of it.

use plimsoll::agent::{AgentEvent, CompactionEvent, Query, QueryReply, SessionCost};
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

fn account(harness: &Harness) -> SessionCost {
    let loaded = session::load(&harness.session()).unwrap();
    SessionCost::of(loaded.transcript.entries().iter().map(AsRef::as_ref))
}

/// The only row of a table of models.
fn only(rows: &std::collections::BTreeMap<String, plimsoll::agent::ModelCost>) -> (u64, u64) {
    assert_eq!(rows.len(), 1, "{rows:?}");
    let spent = rows.values().next().unwrap();
    (spent.requests, spent.usage.input_tokens)
}

#[tokio::test]
async fn every_request_of_a_summary_is_counted_also_when_none_comes_of_it() {
    for wire in [Wire::Anthropic, Wire::OpenAi] {
        let server = Server::start(wire, []).await;
        let harness = Harness::new(&server).wordy().without_audit();
        let mut agent = harness.start().await;
        talk(&mut agent, &server, 5).await;
        server.then([counted("", 1_000), counted(SUMMARY, 2_000)]);
        agent.compact(None, true).await;
        agent
            .until(|e| {
                matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { compaction, .. })
                    if compaction.details.cost.requests == 2
                        && compaction.details.cost.usage.input_tokens == 3_000)
            })
            .await;
        assert_eq!(only(&account(&harness).summaries), (2, 3_000));
        talk(&mut agent, &server, 5).await;
        server.then([counted("", 500), counted("", 600), counted("", 700)]);
        agent.compact(None, true).await;
        agent
            .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Failed { .. })))
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

/// A model that has a price, with a limit.
fn limited(server: &Server, max_usd: f64) -> Harness {
    Harness::new(server)
        .without_audit()
        .set(|s| s.agent.limits.max_cost_usd = Some(max_usd))
}

/// Tokens of a prompt that costs more than [`LITTLE`] with any model here.
const DEAR: u64 = 90_000;
/// US dollars.
const LITTLE: f64 = 0.05;

#[tokio::test]
async fn a_summary_counts_against_the_limit_and_is_not_asked_beyond_it() {
    let server = Server::start(Wire::OpenAi, []).await;
    let harness = limited(&server, LITTLE).wordy();
    let mut agent = harness.start().await;
    talk(&mut agent, &server, 5).await;
    server.then([counted(SUMMARY, DEAR)]);
    agent.compact(None, true).await;
    agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Applied { .. })))
        .await;
    let asked = server.seen().len();
    let end = agent.ask("one more").await;
    assert_eq!((end.error_kind, end.exit_code), (Some("max_cost"), 1));
    let said = end.error.unwrap();
    assert!(said.text.contains("this session has cost"), "{said:?}");
    agent.compact(None, true).await;
    let failed = agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Failed { .. })))
        .await;
    assert!(
        matches!(
            &failed,
            AgentEvent::Compaction(CompactionEvent::Failed {
                cause: "max_cost",
                ..
            })
        ),
        "{failed:?}"
    );
    agent.send(plimsoll::agent::Op::query(Query::Cost)).await;
    let cost = agent
        .until(|e| {
            matches!(
                e,
                AgentEvent::Reply {
                    reply: QueryReply::Cost(_),
                    ..
                }
            )
        })
        .await;
    let AgentEvent::Reply {
        reply: QueryReply::Cost(account),
        ..
    } = cost
    else {
        unreachable!()
    };
    let limit = account.limit.unwrap();
    assert!(limit.spent_usd > limit.max_usd, "{limit:?}");
    agent.stop().await;

    // The log holds it: another start begins where this one ended.
    let mut again = harness.start().await;
    let end = again.ask("and now?").await;
    assert_eq!(end.error_kind, Some("max_cost"));
    assert_eq!(server.seen().len(), asked, "nobody was asked");
    again.stop().await;
}

/// With `-p` the limit is for what this run spends, not for what the session has cost.
#[tokio::test]
async fn a_run_without_a_screen_has_a_limit_of_its_own() {
    let server = Server::start(Wire::OpenAi, [counted("dear", DEAR), counted("x", ASK)]).await;
    let mut harness = limited(&server, LITTLE);
    harness.setup.is_interactive = false;
    let mut agent = harness.start().await;
    assert_eq!(agent.ask("go").await.exit_code, 0);
    agent.stop().await;
    let mut agent = harness.start().await;
    assert_eq!(agent.ask("go on").await.exit_code, 0);
    agent.stop().await;
}

/// Whether a provider has counted it or not, what was sent and came back was paid for.
#[tokio::test]
async fn an_answer_that_breaks_off_counts_against_the_limit() {
    let broken = [
        (Wire::Anthropic, Reply::Cut(Say::text("half").usage(DEAR))),
        (
            Wire::OpenAi,
            Reply::Cut(Say::text("half of it ".repeat(40))),
        ),
    ];
    for (wire, reply) in broken {
        let server = Server::start(wire, [reply, counted("never asked", ASK)]).await;
        let harness = limited(&server, 0.000_01);
        let mut agent = harness.start().await;
        assert_ne!(agent.ask("go").await.exit_code, 0);
        let end = agent.ask("again").await;
        assert_eq!(end.error_kind, Some("max_cost"), "{wire:?}: {end:?}");
        assert_eq!(server.seen().len(), 1, "{wire:?}");
        agent.stop().await;
    }
}

/// The log has the estimate: `/cost`, `plim cost` and the limit agree after a restart.
#[tokio::test]
async fn what_an_uncounted_answer_is_estimated_to_have_cost_is_kept() {
    let half = Reply::Cut(Say::text("half of it ".repeat(40)));
    let server = Server::start(Wire::OpenAi, [half]).await;
    let harness = limited(&server, 0.000_01);
    let mut agent = harness.start().await;
    assert_ne!(agent.ask("go").await.exit_code, 0);
    agent.stop().await;
    let kept = account(&harness).total();
    assert_eq!((kept.requests, kept.estimated, kept.unpriced), (1, 1, 0));
    assert!(kept.usage.cost_usd.unwrap() > 0.000_01, "{kept:?}");
    assert!(kept.usage.output_tokens > 40, "{kept:?}");

    let mut again = harness.start().await;
    again.send(plimsoll::agent::Op::query(Query::Cost)).await;
    let is_cost = |e: &AgentEvent| {
        let AgentEvent::Reply { reply, .. } = e else {
            return false;
        };
        matches!(reply, QueryReply::Cost(_))
    };
    let AgentEvent::Reply {
        reply: QueryReply::Cost(shown),
        ..
    } = again.until(is_cost).await
    else {
        unreachable!()
    };
    assert_eq!(shown.total(), kept);
    let spent = shown.limit.unwrap().spent_usd;
    assert!((spent - kept.usage.cost_usd.unwrap()).abs() < 1e-9);
    let end = again.ask("again").await;
    assert_eq!(end.error_kind, Some("max_cost"));
    assert_eq!(server.seen().len(), 1);
    again.stop().await;
    assert_eq!(account(&harness).total(), kept, "counted once");
}

#[tokio::test]
async fn a_model_without_a_price_is_not_asked_under_a_limit() {
    let server = Server::start(Wire::OpenAi, [counted("x", ASK)]).await;
    let mut harness = limited(&server, 5.0);
    let model = plimsoll::transcript::ModelRef::new("openai", "nobody-knows");
    harness.setup.settings.agent.model = Some(model);
    let mut agent = harness.start().await;
    let end = agent.ask("go").await;
    assert_eq!((end.error_kind, end.exit_code), (Some("no_price"), 3));
    let hint = end.error.unwrap().hint.unwrap();
    assert!(
        hint.contains("[providers.openai]") && hint.contains("nobody-knows"),
        "{hint}"
    );
    assert_eq!(server.seen().len(), 0);
    agent.stop().await;
}
