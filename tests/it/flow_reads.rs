//! Files that are read again: the request carries the difference to the earlier read, as long as
//! that is whole in it.

use std::fmt::Write as _;

use plimsoll::agent::{ContextOp, SessionSource, UndoOp};
use plimsoll::transcript::EntryId;
use serde_json::{Value, json};

use super::agent::{Harness, joined};
use super::server::{Reply, Say, Server, Wire, text};

const DIFFERENCE: &str = "[a.txt, lines 1–120: as lines 1–120 of your latest read above that \
    shows lines 1–120 in full";
/// A line that only the file has.
const LINE: &str = "line 60 of the file";

fn content() -> String {
    (1..=120).fold(String::new(), |mut out, n| {
        let _ = writeln!(out, "line {n} of the file, which is long enough to matter");
        out
    })
}

fn call(id: &str, tool: &str, arguments: &Value) -> Reply {
    Say::text("w").call(id, tool, arguments).reply()
}

fn read(id: &str) -> Reply {
    call(id, "read", &json!({"path": "a.txt"}))
}

fn harness(server: &Server) -> Harness {
    let harness = Harness::new(server)
        .with_tool("recall")
        .set(|s| s.context.prune.difference_reads = true);
    harness.file("a.txt", &content());
    harness
}

fn times(body: &Value, words: &str) -> usize {
    body.to_string().matches(words).count()
}

/// The entries of results, in order.
fn results(harness: &Harness) -> Vec<EntryId> {
    let log = harness.log();
    let results = log
        .iter()
        .filter(|line| line["message"]["role"] == "toolResult");
    results
        .map(|line| EntryId::new(line["id"].as_str().unwrap()))
        .collect()
}

#[tokio::test]
async fn a_file_that_is_read_again_is_sent_as_the_difference() {
    for wire in [Wire::Anthropic, Wire::OpenAi, Wire::Responses, Wire::Gemini] {
        let server = Server::start(wire, [read("r1"), read("r2"), text("done")]).await;
        server.then([text("a"), text("b"), text("c")]);
        let mut harness = harness(&server);
        let mut agent = harness.start().await;
        agent.ask("read it twice").await;
        assert_eq!(times(&server.body(1), LINE), 1, "{wire:?}");
        let body = server.body(2);
        assert_eq!(times(&body, LINE), 1, "{wire:?}: {body}");
        assert_eq!(times(&body, DIFFERENCE), 1, "{wire:?}: {body}");

        let again = results(&harness)[1].clone();
        agent.act(ContextOp::Restore(again)).await;
        agent.ask("restored").await;
        assert_eq!(times(&server.body(3), LINE), 2, "{wire:?}");
        agent.act(ContextOp::Undo(UndoOp::UNDO)).await;
        agent.ask("taken back").await;
        assert_eq!(times(&server.body(4), LINE), 1, "{wire:?}");
        agent.stop().await;

        // Another run of the program sends the same bytes.
        harness.setup.source = SessionSource::Open(harness.session());
        let mut agent = harness.start().await;
        agent.ask("restarted").await;
        agent.stop().await;
        let (before, after) = (joined(&server.body(4)), joined(&server.body(5)));
        assert!(after.starts_with(before.trim_end()), "{wire:?}: {after}");
        // The file of the session has both reads whole.
        let log = serde_json::to_string(&harness.log()).unwrap();
        assert_eq!(log.matches(LINE).count(), 2, "{wire:?}");
    }
}

/// When a person drops the earlier read, the later one is whole at once.
#[tokio::test]
async fn without_the_earlier_read_the_whole_file_is_sent() {
    let server = Server::start(Wire::Anthropic, [read("r1"), read("r2"), text("done")]).await;
    server.then([text("a"), text("b")]);
    let harness = harness(&server);
    let mut agent = harness.start().await;
    agent.ask("read it twice").await;
    let first = results(&harness)[0].clone();
    agent.act(ContextOp::Drop(first)).await;
    agent.ask("go on").await;
    let body = server.body(3);
    assert_eq!(
        (times(&body, LINE), times(&body, DIFFERENCE)),
        (1, 0),
        "{body}"
    );
    agent.act(ContextOp::Undo(UndoOp::UNDO)).await;
    agent.ask("back").await;
    let body = server.body(4);
    assert_eq!(
        (times(&body, LINE), times(&body, DIFFERENCE)),
        (1, 1),
        "{body}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn a_changed_file_shows_its_changes_and_recall_gives_all_of_it() {
    let edit = json!({"path": "a.txt", "old_text": "line 60 of", "new_text": "Line sixty of"});
    let script = [
        read("r1"),
        call("e1", "edit", &edit),
        read("r2"),
        text("done"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = harness(&server);
    let mut agent = harness.start().await;
    agent.ask("change it").await;
    let body = joined(&server.body(3));
    let changes = "-line 60 of the file, which is long enough to matter\n+Line sixty of the file";
    assert!(body.contains(changes), "{body}");
    assert!(body.contains("with these changes · recall r"), "{body}");
    let (_, address) = body.rsplit_once("with these changes · recall ").unwrap();
    let (address, _) = address.split_once(']').unwrap();
    server.then([
        call("c1", "recall", &json!({ "id": address })),
        text("I have it"),
    ]);
    agent.ask("all of it").await;
    let body = joined(&server.body(5));
    let whole = content().replace("line 60 of", "Line sixty of");
    assert!(body.contains(whole.trim_end()), "{body}");
    agent.stop().await;
}

#[tokio::test]
async fn after_a_failed_edit_the_next_read_is_whole() {
    let edit = json!({"path": "a.txt", "old_text": "not in it", "new_text": "b"});
    let script = [
        read("r1"),
        call("e1", "edit", &edit),
        read("r2"),
        read("r3"),
        text("done"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = harness(&server);
    let mut agent = harness.start().await;
    agent.ask("change it").await;
    agent.stop().await;
    let of = |n| {
        (
            times(&server.body(n), LINE),
            times(&server.body(n), DIFFERENCE),
        )
    };
    assert_eq!((of(3), of(4)), ((2, 0), (2, 1)));
}

/// Another engine may leave out the earlier read at any time: it sends whole reads.
#[tokio::test]
async fn other_engines_and_the_default_send_whole_reads() {
    for (engine, is_on) in [
        ("sliding-window", true),
        ("retrieval", true),
        ("layered", false),
    ] {
        let server = Server::start(Wire::Anthropic, [read("r1"), read("r2"), text("done")]).await;
        let harness = harness(&server).set(|s| {
            engine.clone_into(&mut s.agent.engine.id);
            s.context.prune.difference_reads = is_on;
        });
        let mut agent = harness.start().await;
        agent.ask("read it twice").await;
        agent.stop().await;
        assert_eq!(times(&server.body(2), LINE), 2, "{engine}");
    }
}
