//! What a session changed in files, and taking it back: through the real tools, the log
//! and a restart.

use plimsoll::agent::{AgentEvent, ChangesReport, Fate, Op, Rewind, RewindPlan};
use plimsoll::transcript::EntryId;
use serde_json::{Value, json};

use super::agent::{Agent, Harness, joined};
use super::server::{Reply, Say, Server, Wire, text};

fn call(tool: &str, arguments: &Value) -> Reply {
    Say::text("w").call("c1", tool, arguments).reply()
}

/// The id of the message of the user that says this, and of what it follows.
fn asked(harness: &Harness, words: &str) -> (EntryId, Option<EntryId>) {
    let log = harness.log();
    let line = log
        .iter()
        .find(|line| line["message"]["role"] == "user" && line.to_string().contains(words))
        .unwrap();
    let id = |value: &Value| value.as_str().map(EntryId::new);
    (id(&line["id"]).unwrap(), id(&line["parentId"]))
}

async fn changes(agent: &mut Agent) -> ChangesReport {
    agent.send(Op::ShowChanges).await;
    match agent.until(|it| matches!(it, AgentEvent::Changes(_))).await {
        AgentEvent::Changes(report) => *report,
        _ => unreachable!(),
    }
}

async fn plan(agent: &mut Agent, to: Option<EntryId>) -> RewindPlan {
    agent.send(Op::PlanRewind { to, ask: None }).await;
    let planned = agent.until(|it| matches!(it, AgentEvent::RewindPlanned(_)));
    match planned.await {
        AgentEvent::RewindPlanned(plan) => *plan,
        _ => unreachable!(),
    }
}

/// Goes back and waits until it is said what became of the files.
async fn rewind(agent: &mut Agent, rewind: Rewind) -> String {
    agent.send(Op::Rewind(rewind)).await;
    told(agent).await
}

async fn told(agent: &mut Agent) -> String {
    let is_it = |event: &AgentEvent| matches!(event, AgentEvent::Notice(it) if it.text.starts_with("files"));
    match agent.until(is_it).await {
        AgentEvent::Notice(notice) => notice.text,
        _ => unreachable!(),
    }
}

fn names(report: &ChangesReport) -> Vec<String> {
    let files = report.files.iter();
    let name = |it: &plimsoll::agent::ChangedFile| {
        let by = if it.by_command { " by command" } else { "" };
        let since = if it.changed_since { " since" } else { "" };
        format!("{} {}{by}{since}", it.kind.name(), it.shown)
    };
    files.map(name).collect()
}

/// A session that wrote, edited by command and removed.
async fn changed() -> (Server, Harness, Agent) {
    let script = [
        call("write", &json!({"path": "new/a.txt", "content": "one\n"})),
        text("written"),
        call(
            "shell",
            &json!({"command": "printf two >> new/a.txt; printf x > made; rm old.txt"}),
        ),
        text("done"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    harness.file("old.txt", "from before\n");
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    agent.ask("second question").await;
    (server, harness, agent)
}

fn content(harness: &Harness, name: &str) -> Option<String> {
    std::fs::read_to_string(harness.setup.cwd.join(name)).ok()
}

#[tokio::test]
async fn edits_and_commands_are_listed_and_taken_back_and_that_is_undone() {
    let (server, harness, mut agent) = changed().await;
    let report = changes(&mut agent).await;
    assert_eq!(
        names(&report),
        [
            "added made by command",
            "added new/a.txt by command",
            "deleted old.txt by command"
        ]
    );
    let log = harness.log();
    let before_write = log
        .iter()
        .position(|it| it["customType"] == "plimsoll.files");
    let result = log
        .iter()
        .position(|it| it["message"]["role"] == "toolResult");
    assert!(
        before_write < result,
        "it is in the log before the file changes"
    );
    let removed = &log
        .iter()
        .rev()
        .find(|it| it["message"]["role"] == "toolResult");
    let removed = &removed.unwrap()["message"]["details"]["files"]["removed"];
    assert_eq!(*removed, json!(["old.txt"]));

    // What the command removed was never read by the session and is in no repository.
    let (_, to) = asked(&harness, "second question");
    let planned = plan(&mut agent, to.clone()).await;
    let fates: Vec<_> = planned
        .files
        .iter()
        .map(|it| (it.shown.as_str(), &it.fate))
        .collect();
    assert_eq!(
        fates[..2],
        [("made", &Fate::Remove), ("new/a.txt", &Fate::Restore)]
    );
    assert!(matches!(fates[2].1, Fate::Impossible(why) if why.contains("content before unknown")));
    let both = Rewind {
        to,
        conversation: true,
        files: true,
        overwrite: false,
    };
    let said = rewind(&mut agent, both).await;
    assert_eq!(said, "files: 1 restored, 1 removed, 1 not possible");
    assert_eq!(content(&harness, "new/a.txt").as_deref(), Some("one\n"));
    assert_eq!(content(&harness, "made"), None);

    agent.send(Op::UndoOverride).await;
    assert_eq!(told(&mut agent).await, "files: 2 restored");
    assert_eq!(content(&harness, "new/a.txt").as_deref(), Some("one\ntwo"));
    assert_eq!(content(&harness, "made").as_deref(), Some("x"));
    server.then([text("three")]);
    agent.ask("third question").await;
    let sent = joined(server.seen().last().unwrap());
    assert!(
        sent.contains("second question"),
        "the conversation is back: {sent}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn files_alone_go_back_after_a_restart_and_the_model_is_told() {
    let (server, harness, agent) = changed().await;
    agent.stop().await;
    let mut agent = harness.start().await;
    let report = changes(&mut agent).await;
    assert_eq!(report.files.len(), 3);
    std::fs::write(harness.setup.cwd.join("made"), "by somebody else").unwrap();
    assert!(names(&changes(&mut agent).await)[0].ends_with("since"));
    let files = Rewind {
        to: None,
        conversation: false,
        files: true,
        overwrite: false,
    };
    let said = rewind(&mut agent, files.clone()).await;
    assert!(said.contains("1 removed, 1 left"), "{said}");
    assert_eq!(
        content(&harness, "made").as_deref(),
        Some("by somebody else")
    );
    assert!(!harness.setup.cwd.join("new").exists());
    server.then([text("three")]);
    agent.ask("third question").await;
    let sent = joined(server.seen().last().unwrap());
    assert!(
        sent.contains("second question") && sent.contains("took back changes"),
        "{sent}"
    );
    let overwritten = Rewind {
        overwrite: true,
        ..files
    };
    rewind(&mut agent, overwritten).await;
    assert_eq!(content(&harness, "made"), None);
    agent.send(Op::UndoOverride).await;
    told(&mut agent).await;
    assert_eq!(
        content(&harness, "made").as_deref(),
        Some("by somebody else")
    );
    agent.stop().await;
}

#[tokio::test]
async fn going_back_in_the_conversation_alone_says_how_many_files_changed_since() {
    let (_server, harness, mut agent) = changed().await;
    let (_, to) = asked(&harness, "second question");
    agent.send(Op::GoTo(to)).await;
    assert_eq!(
        told(&mut agent).await,
        "files stay as they are: 3 files changed since then"
    );
    assert_eq!(content(&harness, "made").as_deref(), Some("x"));
    assert_eq!(
        changes(&mut agent).await.files.len(),
        3,
        "the disk has one past"
    );
    agent.stop().await;
}

#[tokio::test]
async fn a_fork_can_take_back_what_its_source_did_when_that_is_gone() {
    let (_server, harness, mut agent) = changed().await;
    agent.send(Op::Fork(None)).await;
    agent
        .until(|it| matches!(it, AgentEvent::SessionOpened(_)))
        .await;
    std::fs::remove_file(harness.session()).unwrap();
    std::fs::remove_dir_all(harness.session().with_extension("d")).unwrap();
    let both = Rewind {
        to: None,
        conversation: false,
        files: true,
        overwrite: false,
    };
    rewind(&mut agent, both).await;
    assert_eq!(content(&harness, "made"), None);
    agent.send(Op::UndoOverride).await;
    told(&mut agent).await;
    assert_eq!(content(&harness, "new/a.txt").as_deref(), Some("one\ntwo"));
    agent.stop().await;
}

#[tokio::test]
async fn an_edit_whose_checkpoint_cannot_be_kept_is_done_and_says_so() {
    let script = [
        call("read", &json!({"path": "a"})),
        call(
            "edit",
            &json!({"path": "a", "old_text": "old", "new_text": "new"}),
        ),
        text("done"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    harness.file("a", "old\n");
    // As on a full disk: nothing can be written where contents are kept.
    std::fs::write(harness.session().with_extension("d"), "in the way").unwrap();
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    assert_eq!(content(&harness, "a").as_deref(), Some("new\n"));
    let is_warning = |it: &AgentEvent| matches!(it, AgentEvent::Notice(it) if it.text.contains("a is changed without a checkpoint"));
    assert!(agent.events.iter().any(is_warning));
    let planned = plan(&mut agent, None).await;
    assert!(matches!(&planned.files[0].fate, Fate::Impossible(why) if why.starts_with("not kept")));
    agent.stop().await;
}

#[tokio::test]
async fn a_command_goes_on_in_the_background_and_what_it_changes_is_listed() {
    let command = "echo first; while [ ! -e go ]; do sleep 0.02; done; echo x > made";
    let script = [
        call("shell", &json!({ "command": command })),
        text("it runs on"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.send(Op::Background).await;
    let nothing = |it: &AgentEvent| matches!(it, AgentEvent::Notice(it) if it.text.starts_with("nothing runs"));
    agent.until(nothing).await;
    agent.say("first question").await;
    agent
        .until(|it| matches!(it, AgentEvent::ToolOutput { .. }))
        .await;
    agent.send(Op::Background).await;
    agent.turn_end().await;
    let sent = joined(server.seen().last().unwrap());
    assert!(
        sent.contains("sent it to the background: it goes on as job 1"),
        "{sent}"
    );
    harness.file("go", "");
    let is_over = |it: &AgentEvent| matches!(it, AgentEvent::Jobs(jobs) if jobs[0].end.is_some());
    agent.until(is_over).await;
    let told = names(&changes(&mut agent).await);
    assert!(
        told.contains(&"added made by command".to_owned()),
        "{told:?}"
    );
    agent.stop().await;
}
