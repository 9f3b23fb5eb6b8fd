//! Arguments of old calls leave the request, come back on demand, and a model that imitates
//! what is left of them writes no file.

use plimsoll::agent::{ContextOp, UndoOp};
use plimsoll::context::GateKind;
use plimsoll::transcript::EntryId;
use serde_json::{Value, json};

use super::agent::{Agent, Harness};
use super::server::{Reply, Say, Server, Wire, text};

/// A line that only the written file has.
const LINE: &str = "the content of the old file\n";

fn content() -> String {
    LINE.repeat(400)
}

fn write(id: &str, arguments: &Value) -> Reply {
    Say::text("w").call(id, "write", arguments).reply()
}

/// Writes a long file, and says enough for the call to be old.
fn script() -> Vec<Reply> {
    let mut script = vec![write("w1", &json!({"path": "a.txt", "content": content()}))];
    script.extend((0..4).map(|_| text("done")));
    script
}

fn eager(server: &Server) -> Harness {
    Harness::new(server).window(40_000).set(|s| {
        s.context.prune.gate = GateKind::Always;
        s.context.prune.soft.ratio = 0.01;
        s.context.prune.hard.enabled = false;
    })
}

async fn ask_until_old(agent: &mut Agent) {
    for ask in ["write it", "and", "then", "what"] {
        assert_eq!(agent.ask(ask).await.exit_code, 0);
    }
}

/// The prune notes of the calls in a request.
fn notes(body: &Value) -> Vec<String> {
    let text = body.to_string();
    let mut found = text.split("[pruned: ").skip(1);
    let mut notes = Vec::new();
    while let Some((rest, _)) = found.next().and_then(|after| after.split_once(']')) {
        notes.push(format!("[pruned: {rest}]"));
    }
    notes
}

fn holds_content(body: &Value) -> bool {
    body.to_string().matches(LINE.trim()).count() > 100
}

fn entry_of_first_answer(harness: &Harness) -> EntryId {
    let log = harness.log();
    let mut answers = log.iter().filter(|it| it["message"]["role"] == "assistant");
    EntryId::new(answers.next().unwrap()["id"].as_str().unwrap())
}

#[tokio::test]
async fn an_old_write_loses_its_content_and_restoring_gives_it_back() {
    for wire in [Wire::Anthropic, Wire::OpenAi, Wire::Responses, Wire::Gemini] {
        let server = Server::start(wire, script()).await;
        server.then([text("a"), text("b"), text("c")]);
        let harness = eager(&server);
        let mut agent = harness.start().await;
        ask_until_old(&mut agent).await;
        let last = server.body(4);
        assert!(holds_content(&server.body(1)), "{wire:?}");
        assert!(!holds_content(&last), "{wire:?}");
        let notes_now = notes(&last);
        assert_eq!(notes_now.len(), 1, "{wire:?}");
        let answer = entry_of_first_answer(&harness);
        assert!(notes_now[0].contains(answer.as_str()), "{notes_now:?}");
        assert!(last.to_string().contains("a.txt"), "{wire:?}");

        agent.act(ContextOp::Restore(answer)).await;
        agent.ask("again").await;
        assert!(holds_content(&server.body(5)), "{wire:?}: restored");
        agent.act(ContextOp::Undo(UndoOp::UNDO)).await;
        agent.ask("once more").await;
        assert_eq!(notes(&server.body(6)), notes_now, "{wire:?}: taken back");
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_model_that_imitates_what_is_left_of_a_call_writes_no_file() {
    let server = Server::start(Wire::Anthropic, script()).await;
    let harness = eager(&server);
    let mut agent = harness.start().await;
    ask_until_old(&mut agent).await;
    let note = notes(&server.body(4)).remove(0);
    let other = note.replace(|c: char| c.is_ascii_digit(), "7");
    let imitations = [
        json!({"path": "b.txt", "_pruned": note}),
        json!({"path": "b.txt", "content": note}),
        json!({"path": "b.txt", "content": other}),
        json!({"path": "b.txt", "content": format!("first line\n{note}\nlast line\n")}),
        json!({"path": "b.txt", "content": "short", "_pruned": ""}),
    ];
    let calls = imitations.iter().enumerate();
    server.then(calls.map(|(n, arguments)| write(&format!("i{n}"), arguments)));
    let edit = json!({"path": "a.txt", "old_text": LINE.repeat(400), "new_text": note});
    server.then([
        Say::text("e").call("i9", "edit", &edit).reply(),
        Say::text("s")
            .call(
                "i10",
                "shell",
                &json!({"command": format!("printf '%s' '{note}' > b.txt")}),
            )
            .reply(),
        text("I give up"),
    ]);
    agent.ask("write b.txt").await;
    agent.stop().await;
    assert!(!harness.setup.cwd.join("b.txt").exists());
    let kept = std::fs::read_to_string(harness.setup.cwd.join("a.txt")).unwrap();
    assert_eq!(kept, content());
    let log = harness.log();
    let results: Vec<&Value> = log
        .iter()
        .filter(|line| line["message"]["role"] == "toolResult")
        .skip(1)
        .collect();
    assert_eq!(results.len(), 7);
    for result in results {
        assert_eq!(result["message"]["isError"], true, "{result}");
        assert!(
            result.to_string().contains("This call was not run."),
            "{result}"
        );
    }
}
