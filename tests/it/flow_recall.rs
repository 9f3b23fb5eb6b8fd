//! What left the window is not out of reach: the model finds it, gets its bytes, and nothing
//! that a person kept from it.

use std::fmt::Write as _;

use plimsoll::agent::{AgentEvent, CompactionEvent, ContextEvent, ContextOp, Op, SessionSource};
use plimsoll::tool::ApprovalMode;
use plimsoll::transcript::EntryId;
use serde_json::{Value, json};

use super::agent::{Agent, Harness, joined};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Say, Server, Wire, text};

/// Facts that look alike: only the name tells them apart.
const FACTS: usize = 50;
/// Recalls in one answer.
const BATCH: usize = 5;

fn name(n: usize) -> String {
    let kinds = ["cache", "ledger", "gateway", "mailer", "billing"];
    format!("{}-{}", kinds[n % kinds.len()], n * 7 + 3)
}

fn port(n: usize) -> usize {
    7_000 + n * 37
}

fn fact(n: usize) -> String {
    format!(
        "The service {} listens on port {} and answers within 250 ms.",
        name(n),
        port(n)
    )
}

fn facts(range: std::ops::Range<usize>) -> String {
    range.map(fact).collect::<Vec<_>>().join("\n")
}

/// A file that is trimmed or cleared, with facts in its middle.
fn listing(range: std::ops::Range<usize>) -> String {
    let mut out = String::new();
    for line in 0..160 {
        if line == 80 {
            out += &facts(range.clone());
            out.push('\n');
        }
        let _ = writeln!(
            out,
            "line {line} of a listing about services, ports and answers"
        );
    }
    out
}

fn read(names: &[String]) -> Reply {
    let mut say = Say::text("r");
    for name in names {
        let call = format!("call-{name}");
        say = say.call(&call, "read", &json!({ "path": name }));
    }
    say.reply()
}

fn recall(id: &str, arguments: &Value) -> Reply {
    Say::text("looking").call(id, "recall", arguments).reply()
}

async fn compact(agent: &mut Agent) {
    agent.compact(None, true).await;
    let applied = |event: &AgentEvent| {
        matches!(
            event,
            AgentEvent::Compaction(CompactionEvent::Applied { .. })
        )
    };
    agent.until(applied).await;
}

async fn prune(agent: &mut Agent) {
    let op = Op::Context(ContextOp::Prune { dry_run: false });
    agent.send(op).await;
    let pruned =
        |event: &AgentEvent| matches!(event, AgentEvent::Context(ContextEvent::Pruned { .. }));
    agent.until(pruned).await;
}

/// The text of the result of a call, from the log.
fn result_of(log: &[Value], call: &str) -> String {
    let found = log
        .iter()
        .find(|line| line["message"]["toolCallId"] == call);
    let found = found.unwrap_or_else(|| panic!("no result of {call}"));
    let parts = found["message"]["content"].as_array().unwrap();
    let texts = parts.iter().filter_map(|part| part["text"].as_str());
    texts.collect::<Vec<_>>().join("\n")
}

/// The address of the result of a call: the first line of a log is its header.
fn address_of(log: &[Value], call: &str) -> String {
    let is_result = |line: &Value| line["message"]["toolCallId"] == call;
    format!("r{}", log.iter().position(is_result).unwrap())
}

fn harness(server: &Server) -> Harness {
    Harness::new(server)
        .with_tool("recall")
        .window(60_000)
        .without_audit()
        .set(|s| {
            // It needs nobody's consent.
            s.agent.tools.approvals = ApprovalMode::ReadOnly;
            s.context.prune.soft.ratio = 0.0;
        })
}

/// Fifty facts in what was cleared, trimmed and summarised, after three compactions: each is
/// reached by one search.
#[tokio::test]
async fn fifty_facts_are_available_after_three_compactions() {
    let mut script = Vec::new();
    for round in 0..3 {
        let files: Vec<String> = (0..3).map(|n| format!("{round}-{n}.txt")).collect();
        let said = round * 5 + 15;
        script.extend([
            read(&files),
            text(facts(said..said + 5)),
            text("so"),
            text("well"),
        ]);
        script.push(text(SUMMARY));
    }
    let last: Vec<String> = (0..2).map(|n| format!("3-{n}.txt")).collect();
    script.push(read(&last));
    script.extend(["a", "b", "c", "d"].map(text));
    for batch in 0..FACTS / BATCH {
        let mut say = Say::text("looking");
        for n in batch * BATCH..(batch + 1) * BATCH {
            let query = format!("which port does the service {} listen on", name(n));
            say = say.call(&format!("find-{n}"), "recall", &json!({ "query": query }));
        }
        script.extend([say.reply(), text("found")]);
    }
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = harness(&server);
    for round in 0..3 {
        for n in 0..3 {
            let from = 30 + round * 5 + [0, 2, 4][n];
            let to = if n == 2 { from + 1 } else { from + 2 };
            harness.file(&format!("{round}-{n}.txt"), &listing(from..to));
        }
    }
    harness.file("3-0.txt", &listing(45..48));
    harness.file("3-1.txt", &listing(48..50));
    let mut agent = harness.start().await;
    for round in 0..3 {
        let typed = facts(round * 5..round * 5 + 5);
        agent.ask(&format!("remember:\n{typed}")).await;
        agent.ask("filler").await;
        agent.ask("and more filler").await;
        compact(&mut agent).await;
    }
    agent.ask("read the last ones").await;
    for _ in 0..3 {
        agent.ask("go on").await;
    }
    prune(&mut agent).await;
    let asked_before = server.seen().len();
    for _ in 0..FACTS / BATCH {
        agent.ask("look it up").await;
    }
    agent.stop().await;
    let log = harness.log();
    let with_port = |n: usize| format!("port {} ", port(n));
    let not_found = (0..FACTS)
        .filter(|n| !result_of(&log, &format!("find-{n}")).contains(&with_port(*n)))
        .collect::<Vec<_>>();
    // What the newest messages say is in the window and is not searched.
    let window = joined(&server.body(asked_before));
    let missing: Vec<String> = not_found
        .iter()
        .filter(|n| !window.contains(&with_port(**n)))
        .map(|n| format!("{}: {}", name(*n), result_of(&log, &format!("find-{n}"))))
        .collect();
    assert!(
        missing.is_empty(),
        "{} of {FACTS}: {missing:#?}",
        missing.len()
    );
    assert!(not_found.len() <= 10, "{not_found:?} never left the window");
}

/// The address in the notice of a cut gives back every byte, as an ordinary result; what the
/// window shows is not given twice.
#[tokio::test]
async fn the_address_in_a_notice_gives_back_every_byte() {
    let script = [
        read(&["big.txt".to_owned()]),
        text("read"),
        text("one"),
        text("two"),
        text("three"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = harness(&server);
    harness.file("big.txt", &listing(0..9));
    let mut agent = harness.start().await;
    agent.ask("firstwords: read it").await;
    for words in ["secondwords", "thirdwords", "fourthwords"] {
        agent.ask(words).await;
    }
    prune(&mut agent).await;
    let at = address_of(&harness.log(), "call-big.txt");
    server.then([
        recall("again", &json!({ "id": at })),
        recall("twice", &json!({ "id": at })),
        recall("window", &json!({"query": "secondwords"})),
        recall("none", &json!({"id": "r999"})),
        text("done"),
    ]);
    agent.ask("now give it back").await;
    let offered = server.body(0)["tools"].to_string();
    assert!(offered.contains("\"recall\""), "{offered}");
    let log = harness.whole_log();
    let original = result_of(&log, "call-big.txt");
    assert!(joined(&server.body(5)).contains(&format!("· recall {at}")));
    let given = result_of(&log, "again");
    let (header, body) = given.split_once('\n').unwrap();
    let begin = format!("[recalled {at}: tool result of read, ");
    assert!(
        header.starts_with(&begin) && header.ends_with(", whole]"),
        "{header}"
    );
    assert_eq!(body, original);
    assert!(result_of(&log, "twice").starts_with("You have this above"));
    assert!(result_of(&log, "window").contains("It is in the window"));
    assert!(result_of(&log, "none").starts_with("There is no r999"));
    agent.stop().await;
}

/// Dropped messages stay out of reach, by address and by search, and so does `!!` output.
#[tokio::test]
async fn what_the_user_keeps_from_the_model_cannot_be_recalled() {
    let script = [
        text("noted"),
        text("fine"),
        recall("by-id", &json!({"id": "r1"})), // the first message
        recall("by-words", &json!({"query": "heliotrope"})),
        text("no"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = harness(&server);
    let mut agent = harness.start().await;
    agent.ask("the codename is heliotrope").await;
    agent.ask("go on").await;
    let log = harness.log();
    let typed = log
        .iter()
        .find(|line| line["message"]["role"] == "user")
        .unwrap();
    let id = EntryId::new(typed["id"].as_str().unwrap());
    agent.send(Op::Context(ContextOp::Drop(id))).await;
    let dropped = |event: &AgentEvent| {
        matches!(
            event,
            AgentEvent::Context(ContextEvent::OverrideApplied { .. })
        )
    };
    agent.until(dropped).await;
    agent.ask("what is the codename?").await;
    agent.stop().await;
    let log = harness.log();
    let by_id = result_of(&log, "by-id");
    assert!(by_id.contains("is not available"), "{by_id}");
    let by_words = result_of(&log, "by-words");
    assert!(by_words.starts_with("Nothing was said"), "{by_words}");
}

/// A turn has eight recalls and no more.
#[tokio::test]
async fn a_turn_has_so_many_recalls() {
    let mut say = Say::text("looking");
    for n in 0..9 {
        let query = format!("word{n}");
        say = say.call(&format!("c{n}"), "recall", &json!({ "query": query }));
    }
    let script = [say.reply(), text("enough")];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = harness(&server);
    let mut agent = harness.start().await;
    agent.ask("look").await;
    agent.stop().await;
    let log = harness.log();
    assert!(result_of(&log, "c7").starts_with("Nothing was said"));
    assert!(result_of(&log, "c8").contains("8 recalls were made in this turn"));
}

/// Notes that have no room in the prompt are found, and other sessions of the project only
/// where the setting allows it.
#[tokio::test]
async fn recall_reaches_notes_and_with_memory_sessions_other_sessions_of_the_project() {
    let ask = |id: &str, words: &str| recall(id, &json!({ "query": words }));
    let script = [text("noted"), ask("a", "codename heliotrope-9"), text("no")];
    let server = Server::start(Wire::Anthropic, script).await;
    let mut harness = harness(&server);
    let fillers: Vec<String> = (0..400)
        .map(|n| format!("- filler note number {n}"))
        .collect();
    let fillers = fillers.join("\n");
    harness.file(
        ".plimsoll/notes.md",
        &format!("# Notes\n\n- The mascot is an otter called Bibo.\n{fillers}"),
    );
    harness.setup.source = SessionSource::New;
    let mut agent = harness.start().await;
    agent.ask("the codename is heliotrope-9").await;
    agent.stop().await;

    let mut agent = harness.start().await;
    agent.ask("what is the codename?").await;
    let told = joined(&server.body(2));
    assert!(told.contains("Nothing was said with"), "{told}");
    agent.stop().await;

    let harness = harness.set(|s| s.agent.tools.recall_sessions = true);
    server.then([
        ask("b", "heliotrope-9 codename"),
        text("found"),
        ask("c", "mascot"),
        text("so"),
    ]);
    let mut agent = harness.start().await;
    agent.ask("look again").await;
    let told = joined(&server.body(4));
    assert!(told.contains("in other sessions of this project"), "{told}");
    assert!(told.contains("the codename is heliotrope-9"), "{told}");
    let named = told.split_whitespace().find(|word| word.ends_with("/r1"));
    let named = named.unwrap().to_owned();
    agent.ask("and the mascot?").await;
    let told = joined(&server.body(6));
    assert!(told.contains("an otter called Bibo"), "{told}");
    server.then([recall("d", &json!({ "id": named })), text("done")]);
    agent.ask("in full").await;
    let told = joined(&server.body(8));
    assert!(
        told.contains(&format!("[recalled {named}: another session, whole]")),
        "{told}"
    );
    agent.stop().await;
}
