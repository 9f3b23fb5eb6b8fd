//! Short titles of sessions: who writes them, when nobody is asked, and that a name that a
//! person gave stays.

use std::time::Duration;

use plimsoll::agent::{AgentEvent, Op, SessionCost, SessionEvent, SessionOp};
use plimsoll::config::TitleSource;
use plimsoll::session;
use plimsoll::transcript::{EntryBody, ModelRef};
use serde_json::Value;

use super::agent::{Agent, Harness, joined};
use super::program::Program;
use super::server::{Reply, Say, Server, Wire, status, text};

/// An agent with a model for titles.
fn harness(server: &Server, how: TitleSource) -> Harness {
    Harness::new(server).set(|settings| {
        settings.agent.titles.how = how;
        settings.agent.titles.model = Some(ModelRef::new("anthropic", "claude-haiku-4-5"));
    })
}

/// The names that the session was given, in order.
fn names(harness: &Harness) -> Vec<Value> {
    let log = harness.log().into_iter();
    let named = log.filter(|line| line["type"] == "session_info");
    named.map(|line| line["name"].clone()).collect()
}

async fn named(agent: &mut Agent) {
    agent
        .until(|event| {
            matches!(event, AgentEvent::Session(SessionEvent::Entry(entry))
                if matches!(entry.body, EntryBody::SessionInfo { .. }))
        })
        .await;
}

fn counted(text: &str, input_tokens: u64) -> Reply {
    Say::text(text).usage(input_tokens).reply()
}

#[tokio::test]
async fn a_model_for_titles_is_asked_once_after_the_first_turn_and_its_cost_counts() {
    let server = Server::start(
        Wire::Anthropic,
        [
            counted("St Malo.", 100),
            counted("\"Tide table of St Malo.\"", 40),
        ],
    )
    .await;
    let harness = harness(&server, TitleSource::Auto);
    let mut agent = harness.start().await;
    agent.ask("Which port has the highest tide?").await;
    named(&mut agent).await;
    let asked = server.body(1);
    assert_eq!(asked["model"], "claude-haiku-4-5");
    assert!(joined(&asked).contains("highest tide") && joined(&asked).contains("St Malo."));
    assert!(
        asked
            .get("tools")
            .is_none_or(|tools| tools.as_array().is_none_or(Vec::is_empty))
    );
    server.then([counted("4.02 m.", 120)]);
    agent.ask("And Qingdao?").await;
    agent.stop().await;
    assert_eq!(server.seen().len(), 3, "one request for the title");
    assert_eq!(names(&harness), ["Tide table of St Malo"]);
    let conversation = joined(&server.body(2));
    assert!(
        !conversation.contains("Tide table of St Malo"),
        "{conversation}"
    );
    let loaded = session::load(&harness.session()).unwrap();
    let account = SessionCost::of(loaded.transcript.entries().iter().map(AsRef::as_ref));
    assert_eq!(account.total().usage.input_tokens, 100 + 40 + 120);
    assert_eq!(account.total().requests, 3);
}

#[tokio::test]
async fn a_name_that_a_person_gave_is_never_replaced() {
    // It is given while the title is written, which never ends.
    let server = Server::start(
        Wire::Anthropic,
        [text("one"), Reply::Stall(Say::text("A t"))],
    )
    .await;
    let place = harness(&server, TitleSource::Auto);
    let mut agent = place.start().await;
    agent.ask("first").await;
    let rename = |name: &str| Op::Session(SessionOp::Rename(name.to_owned()));
    agent.send(rename("mine")).await;
    named(&mut agent).await;
    server.then([text("two")]);
    agent.stop().await;
    assert_eq!(names(&place), ["mine"]);
    // It is there already: nobody is asked, also where it was taken away again.
    for name in ["mine", ""] {
        let server = Server::start(Wire::Anthropic, [text("one")]).await;
        let place = harness(&server, TitleSource::Auto);
        let mut agent = place.start().await;
        agent.send(rename(name)).await;
        named(&mut agent).await;
        agent.ask("first").await;
        agent.stop().await;
        assert_eq!(server.seen().len(), 1, "{name:?}");
    }
}

#[tokio::test]
async fn nobody_is_asked_for_a_title_where_that_is_not_expected() {
    for how in [TitleSource::Text, TitleSource::Off] {
        let server = Server::start(Wire::Anthropic, [text("one")]).await;
        let place = harness(&server, how);
        let mut agent = place.start().await;
        agent.ask("first").await;
        agent.stop().await;
        assert_eq!(server.seen().len(), 1, "{how:?}");
        assert!(names(&place).is_empty());
    }
    // Another address than the provider's own: what it serves is not known.
    let server = Server::start(Wire::Anthropic, [text("one")]).await;
    let place = harness(&server, TitleSource::Auto).set(|s| s.agent.titles.model = None);
    let mut agent = place.start().await;
    agent.ask("first").await;
    agent.stop().await;
    assert_eq!(server.seen().len(), 1, "no model for titles is known");
    // Without a screen a run ends with its answer.
    let server = Server::start(Wire::Anthropic, [text("one")]).await;
    let mut place = harness(&server, TitleSource::Auto);
    place.setup.is_interactive = false;
    let mut agent = place.start().await;
    agent.ask("first").await;
    agent.stop().await;
    assert_eq!(server.seen().len(), 1, "a run without a screen");
}

#[tokio::test]
async fn a_title_that_is_refused_is_no_failure() {
    let server = Server::start(
        Wire::Anthropic,
        [text("one"), status(404, "not_found_error", "no such model")],
    )
    .await;
    let place = harness(&server, TitleSource::Auto);
    let mut agent = place.start().await;
    agent.ask("first").await;
    while server.seen().len() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    server.then([text("two")]);
    let end = agent.ask("second").await;
    assert_eq!(end.text, "two");
    agent.stop().await;
    assert_eq!(names(&place), Vec::<Value>::new());
}

#[test]
fn a_list_shows_short_titles_unless_they_are_off() {
    let program = Program::new();
    program.say("Hi! Please, can you fix the tide table? It fails since Monday.");
    let listed = program.run(&["sessions"]).out;
    assert!(listed.contains("  fix the tide table?"), "{listed}");
    assert!(!listed.contains("Hi!"), "{listed}");
    let off = program.run(&["-S", "titles=off", "sessions"]).out;
    assert!(off.contains("Hi! Please, can you fix"), "{off}");
    let row = &program.run(&["sessions", "--json"]).json()[0];
    assert_eq!(row["title"], "fix the tide table?");
    let found = program.run(&["search", "Monday", "--json"]).json();
    assert_eq!(found[0]["title"], "fix the tide table?");
    let id = row["session"].as_str().unwrap();
    assert_eq!(program.run(&["sessions", "rename", id, "Mine"]).code, 0);
    let named = program.run(&["sessions"]).out;
    assert!(
        named.contains("  Mine") && !named.contains("tide table"),
        "{named}"
    );
}
