//! A session that was closed and opened again sends what it would have sent had it stayed
//! open, byte for byte, also where a model wrote what cannot be used.

use plimsoll::agent::{AgentEvent, Op, Query, QueryReply, SessionEvent, SessionSource};
use serde_json::json;

use super::agent::{Agent, Harness};
use super::server::{Reply, Say, Server, Wire, text};

/// Arguments as models write them, whole and broken.
const ARGUMENTS: &[&str] = &[
    r#"{"path": "#,
    r#"{"path": "a.txt"}"#,
    "",
    "{}",
    " {} ",
    "null",
    "[1, 2]",
    r#""a text""#,
    "17",
    r#"{"path": "a.txt"} and more"#,
    r#"{"path": "a.txt", "limit": 31.245270191439438, "offset": 12345678901234567890123}"#,
    r#"{"path": "\ud800"}"#,
];

async fn next_request(agent: &mut Agent) -> String {
    agent.send(Op::query(Query::Wire)).await;
    match agent
        .until(|e| {
            matches!(
                e,
                AgentEvent::Reply {
                    reply: QueryReply::Wire(_),
                    ..
                }
            )
        })
        .await
    {
        AgentEvent::Reply {
            reply: QueryReply::Wire(wire),
            ..
        } => wire.body,
        _ => unreachable!(),
    }
}

fn script(wire: Wire) -> Vec<Reply> {
    let mut replies: Vec<Reply> = ARGUMENTS
        .iter()
        // This one's calls come as objects.
        .filter(|text| {
            wire != Wire::Gemini
                || serde_json::from_str::<serde_json::Map<_, serde_json::Value>>(text).is_ok()
        })
        .enumerate()
        .map(|(n, arguments)| {
            let say = Say::text("I look").usage(n as u64 % 2 * 900);
            say.raw_call(&format!("call{n}"), "read", arguments).reply()
        })
        .collect();
    replies.push(text("done"));
    replies
}

/// A file where the session's folder should be: nothing can be written until it is gone.
#[tokio::test]
async fn the_screen_is_told_while_the_session_cannot_be_saved() {
    let server = Server::start(Wire::Anthropic, [text("one"), text("two")]).await;
    let mut place = Harness::new(&server);
    let folder = place.dir.path().join("sessions");
    std::fs::write(&folder, "in the way").unwrap();
    place.setup.source = SessionSource::File(folder.join("session.jsonl"));
    let told = |agent: &Agent| -> Vec<bool> {
        let events = agent.events.iter();
        events
            .filter_map(|event| match event {
                AgentEvent::Session(SessionEvent::Saved(is_saved)) => Some(*is_saved),
                _ => None,
            })
            .collect()
    };
    let mut agent = place.start().await;
    agent.ask("first").await;
    assert_eq!(told(&agent), [false]);
    std::fs::remove_file(&folder).unwrap();
    std::fs::create_dir(&folder).unwrap();
    agent.ask("second").await;
    assert_eq!(told(&agent), [false, true]);
    agent.stop().await;
    let log = std::fs::read_to_string(folder.join("session.jsonl")).unwrap();
    assert!(log.contains("first") && log.contains("second"), "{log}");
}

#[tokio::test]
async fn after_a_restart_the_next_request_is_the_same_byte_for_byte() {
    for wire in [Wire::Anthropic, Wire::OpenAi, Wire::Responses, Wire::Gemini] {
        let server = Server::start(wire, script(wire)).await;
        let harness = Harness::new(&server);
        harness.file("a.txt", "forty-two\n");
        let mut agent = harness.start().await;
        let end = agent.ask("go").await;
        assert_eq!(
            (end.exit_code, end.text.as_str()),
            (0, "done"),
            "{wire:?}: {end:?}"
        );
        let running = next_request(&mut agent).await;
        assert!(running.contains("I look"), "{wire:?}");

        let mut reading = Harness::new(&server);
        reading.setup = harness.setup.clone();
        reading.setup.source = SessionSource::Read(harness.session());
        let mut other = reading.start().await;
        assert_eq!(next_request(&mut other).await, running, "{wire:?}");
        other.stop().await;
        agent.stop().await;
        let mut again = harness.start().await;
        assert_eq!(next_request(&mut again).await, running, "{wire:?}");
        again.stop().await;
    }
}

/// What was sent after a broken call is what a restarted session would have sent then: the
/// call with its error, in the place where the model made it.
#[tokio::test]
async fn a_broken_call_and_its_error_stay_in_the_conversation() {
    let broken = Say::text("I look").raw_call("c1", "read", r#"{"path": "#);
    let server = Server::start(Wire::OpenAi, [broken.reply(), text("one"), text("two")]).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("go").await;
    agent.stop().await;
    let mut again = harness.start().await;
    again.ask("and now?").await;
    again.stop().await;
    let (live, later) = (server.body(1), server.body(2));
    let sent = live["messages"].as_array().unwrap();
    assert_eq!(
        later["messages"].as_array().unwrap()[..sent.len()],
        sent[..]
    );
    assert_eq!(sent[sent.len() - 1]["role"], json!("tool"));
}
