//! A session's changes to files, and taking them back: through the real tools, the log
//! and a restart.

use plimsoll::agent::{
    AgentEvent, AnswerEvent, ChangesReport, ContextOp, FileFate, Op, Query, QueryReply, RewindPlan,
    RewindRequest, SessionEvent, SessionOp, TurnEvent, TurnOp, UndoOp,
};
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
    agent.send(Op::query(Query::Changes)).await;
    match agent
        .until(|it| {
            matches!(
                it,
                AgentEvent::Reply {
                    reply: QueryReply::Changes(_),
                    ..
                }
            )
        })
        .await
    {
        AgentEvent::Reply {
            reply: QueryReply::Changes(report),
            ..
        } => *report,
        _ => unreachable!(),
    }
}

async fn plan(agent: &mut Agent, to: Option<EntryId>) -> RewindPlan {
    agent
        .send(Op::query(Query::RewindPlan { to, ask: None }))
        .await;
    let planned = agent.until(|it| {
        matches!(
            it,
            AgentEvent::Reply {
                reply: QueryReply::RewindPlan(_),
                ..
            }
        )
    });
    match planned.await {
        AgentEvent::Reply {
            reply: QueryReply::RewindPlan(plan),
            ..
        } => *plan,
        _ => unreachable!(),
    }
}

/// Goes back and waits until it is said what became of the files.
async fn rewind(agent: &mut Agent, rewind: RewindRequest) -> String {
    agent.send(Op::Session(SessionOp::Rewind(rewind))).await;
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
        let by = it.by.words().join(" ");
        let since = if it.changed_since { " since" } else { "" };
        let words = format!("{} {} {by}", it.kind.name(), it.shown);
        words.trim_end().to_owned() + since
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
        [
            ("made", &FileFate::Remove),
            ("new/a.txt", &FileFate::Restore)
        ]
    );
    assert!(
        matches!(fates[2].1, FileFate::Impossible(why) if why.contains("content before unknown"))
    );
    let both = RewindRequest {
        to,
        conversation: true,
        files: true,
        overwrite: false,
    };
    let said = rewind(&mut agent, both).await;
    assert_eq!(said, "files: 1 restored, 1 removed, 1 not possible");
    assert_eq!(content(&harness, "new/a.txt").as_deref(), Some("one\n"));
    assert_eq!(content(&harness, "made"), None);

    agent
        .send(Op::Context(ContextOp::Undo(UndoOp::UNDO.confirmed())))
        .await;
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
    let files = RewindRequest {
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
        sent.contains("second question") && sent.contains("undid changes"),
        "{sent}"
    );
    let overwritten = RewindRequest {
        overwrite: true,
        ..files
    };
    rewind(&mut agent, overwritten).await;
    assert_eq!(content(&harness, "made"), None);
    agent
        .send(Op::Context(ContextOp::Undo(UndoOp::UNDO.confirmed())))
        .await;
    told(&mut agent).await;
    assert_eq!(
        content(&harness, "made").as_deref(),
        Some("by somebody else")
    );
    server.then([text("four")]);
    agent.ask("fourth question").await;
    let sent = joined(server.seen().last().unwrap());
    assert!(sent.contains("redid changes to files: made"), "{sent}");
    agent.stop().await;
}

#[tokio::test]
async fn going_back_in_the_conversation_alone_says_how_many_files_changed_since() {
    let (_server, harness, mut agent) = changed().await;
    let (_, to) = asked(&harness, "second question");
    agent.send(Op::Session(SessionOp::GoTo(to))).await;
    assert_eq!(
        told(&mut agent).await,
        "files stay as they are; changed since then: 3 files"
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
    agent.send(Op::Session(SessionOp::Fork(None))).await;
    agent
        .until(|it| matches!(it, AgentEvent::Session(SessionEvent::Opened(_))))
        .await;
    std::fs::remove_file(harness.session()).unwrap();
    std::fs::remove_dir_all(harness.session().with_extension("d")).unwrap();
    let both = RewindRequest {
        to: None,
        conversation: false,
        files: true,
        overwrite: false,
    };
    rewind(&mut agent, both).await;
    assert_eq!(content(&harness, "made"), None);
    agent
        .send(Op::Context(ContextOp::Undo(UndoOp::UNDO.confirmed())))
        .await;
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
    let is_warning = |it: &AgentEvent| matches!(it, AgentEvent::Notice(it) if it.text.contains("a changes without a checkpoint"));
    assert!(agent.events.iter().any(is_warning));
    let planned = plan(&mut agent, None).await;
    assert!(
        matches!(&planned.files[0].fate, FileFate::Impossible(why) if why.starts_with("not kept"))
    );
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
    agent.send(Op::Turn(TurnOp::Background)).await;
    let nothing = |it: &AgentEvent| matches!(it, AgentEvent::Notice(it) if it.text.starts_with("no running command"));
    agent.until(nothing).await;
    agent.say("first question").await;
    agent
        .until(|it| matches!(it, AgentEvent::Stream(AnswerEvent::ToolOutput { .. })))
        .await;
    agent.send(Op::Turn(TurnOp::Background)).await;
    agent.turn_end().await;
    let sent = joined(server.seen().last().unwrap());
    assert!(
        sent.contains("sent it to the background: it goes on as job 1"),
        "{sent}"
    );
    harness.file("go", "");
    let is_over = |it: &AgentEvent| matches!(it, AgentEvent::Turn(TurnEvent::Jobs(jobs)) if jobs[0].end.is_some());
    agent.until(is_over).await;
    let told = names(&changes(&mut agent).await);
    assert!(
        told.contains(&"added made while job 1 ran".to_owned()),
        "{told:?}"
    );
    agent.stop().await;
}

/// The outcome of a command of the user.
async fn command(agent: &mut Agent, command: &str) {
    let shell = Op::Turn(TurnOp::Shell {
        command: command.to_owned(),
        excluded: false,
    });
    agent.send(shell).await;
    let is_over =
        |it: &AgentEvent| matches!(it, AgentEvent::Stream(AnswerEvent::ToolFinished { .. }));
    agent.until(is_over).await;
}

#[tokio::test]
async fn a_command_of_the_user_is_the_users_in_the_list_and_in_summaries() {
    let script = [
        call("write", &json!({"path": "a.txt", "content": "one\n"})),
        text("written"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    command(&mut agent, "rm a.txt; echo x > b.txt").await;
    let told = names(&changes(&mut agent).await);
    assert_eq!(told, ["added b.txt by your command"]);
    let log = harness.log();
    let run = log
        .iter()
        .find(|it| it["message"]["role"] == "bashExecution");
    let files = &run.unwrap()["message"]["details"];
    assert_eq!(files["removed"], json!(["a.txt"]));
    assert_eq!(files["changed"], json!(["b.txt"]));
    server.then([text("two")]);
    agent.ask("second question").await;
    assert!(!joined(server.seen().last().unwrap()).contains("removed"));
    agent.stop().await;
}

#[tokio::test]
async fn a_command_of_the_user_that_was_stopped_says_so_and_one_in_the_background_does_not() {
    let server = Server::start(Wire::Anthropic, [text("one")]).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    for op in [Op::Turn(TurnOp::Interrupt), Op::Turn(TurnOp::Background)] {
        let shell = Op::Turn(TurnOp::Shell {
            command: "echo begun; sleep 300".to_owned(),
            excluded: false,
        });
        agent.send(shell).await;
        let has_begun =
            |it: &AgentEvent| matches!(it, AgentEvent::Stream(AnswerEvent::ToolOutput { .. }));
        agent.until(has_begun).await;
        agent.send(op).await;
        let is_over =
            |it: &AgentEvent| matches!(it, AgentEvent::Stream(AnswerEvent::ToolFinished { .. }));
        agent.until(is_over).await;
    }
    agent.ask("first question").await;
    let sent = joined(&server.body(0));
    assert!(sent.contains("sleep 300` (killed)"), "{sent}");
    assert!(sent.contains("sleep 300` (continues as job 1)"), "{sent}");
    let log = harness.log();
    let runs = log
        .iter()
        .filter(|it| it["message"]["role"] == "bashExecution");
    let cancelled: Vec<_> = runs.map(|it| &it["message"]["cancelled"]).collect();
    assert_eq!(cancelled, [&json!(true), &json!(false)]);
    agent.stop().await;
}

#[tokio::test]
async fn what_changes_while_a_job_runs_is_not_said_to_be_its_work_and_later_changes_are_nobodys() {
    let job = "echo 1 > by-job; while [ ! -e go ]; do sleep 0.02; done";
    let script = [
        call("shell", &json!({"command": job, "background": true})),
        text("begun"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    harness.file("by-me", "x");
    command(&mut agent, "echo y > by-command").await;
    harness.file("go", "");
    let is_over = |it: &AgentEvent| matches!(it, AgentEvent::Turn(TurnEvent::Jobs(jobs)) if jobs[0].end.is_some());
    agent.until(is_over).await;
    let listed = || {
        let log = harness.log();
        log.iter().any(|it| it.to_string().contains("/go\""))
    };
    for _ in 0..500 {
        if listed() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    harness.file("later", "x");
    let told = names(&changes(&mut agent).await);
    let is_mine = |it: &String| it == "added by-me while job 1 ran";
    assert!(told.iter().any(is_mine), "{told:?}");
    let both = "added by-command by your command while job 1 ran".to_owned();
    assert!(told.contains(&both), "{told:?}");
    assert!(!told.iter().any(|it| it.contains("later")), "{told:?}");
    agent.stop().await;
}

#[tokio::test]
async fn nothing_is_taken_back_while_something_runs() {
    let (server, harness, mut agent) = changed().await;
    server.then([
        call("shell", &json!({"command": "echo begun; sleep 300"})),
        text("stopped"),
    ]);
    agent.say("third question").await;
    let has_begun =
        |it: &AgentEvent| matches!(it, AgentEvent::Stream(AnswerEvent::ToolOutput { .. }));
    agent.until(has_begun).await;
    let files = RewindRequest {
        to: None,
        conversation: false,
        files: true,
        overwrite: false,
    };
    agent.send(Op::Session(SessionOp::Rewind(files))).await;
    let refused = |it: &AgentEvent| matches!(it, AgentEvent::Notice(it) if it.text.starts_with("nothing was rewound"));
    agent.until(refused).await;
    assert_eq!(content(&harness, "made").as_deref(), Some("x"));
    agent.send(Op::Turn(TurnOp::Interrupt)).await;
    agent.turn_end().await;
    agent.stop().await;
}

#[tokio::test]
async fn two_sessions_in_one_directory_list_what_each_has_done() {
    let (_server, mut harness, mut first) = changed().await;
    let write = call("write", &json!({"path": "second.txt", "content": "2"}));
    let server = Server::start(Wire::Anthropic, [write, text("written")]).await;
    harness.setup.settings.agent.base_url = Some(server.base.clone());
    harness.setup.source = plimsoll::agent::SessionSource::File(harness.dir.path().join("b.jsonl"));
    let mut second = harness.start().await;
    second.ask("first question").await;
    command(&mut second, "echo x > shelled.txt").await;
    command(&mut first, "echo x > own.txt").await;
    let told = names(&changes(&mut second).await);
    assert_eq!(
        told,
        ["added second.txt", "added shelled.txt by your command"]
    );
    let told = names(&changes(&mut first).await);
    assert!(told.contains(&"added own.txt by your command".to_owned()));
    assert!(
        !told
            .iter()
            .any(|it| it.contains("second") || it.contains("shelled"))
    );
    first.stop().await;
    second.stop().await;
}

#[tokio::test]
async fn what_has_no_room_to_be_kept_is_changed_and_said() {
    let script = [
        call("write", &json!({"path": "a", "content": "one"})),
        text("done"),
    ];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).set(|it| it.agent.tools.checkpoint_mb = 0);
    harness.file("old", "x");
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    command(&mut agent, "echo two > a").await;
    let planned = plan(&mut agent, None).await;
    assert_eq!(
        planned.files[0].fate,
        FileFate::Remove,
        "it is as we left it"
    );
    let files = RewindRequest {
        to: None,
        conversation: false,
        files: true,
        overwrite: false,
    };
    let said = rewind(&mut agent, files).await;
    assert_eq!(said, "files: 1 not possible");
    let is_reason = |it: &AgentEvent| matches!(it, AgentEvent::Notice(it) if it.text.contains("tools.checkpoint_mb"));
    agent.until(is_reason).await;
    assert_eq!(content(&harness, "a").as_deref(), Some("two\n"));
    agent.stop().await;
}
