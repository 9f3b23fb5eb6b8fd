//! Input typed while something runs: it is seen to wait, keeps its order, can be taken
//! back, and is given back when what runs is stopped, fails or ends with the program.

use plimsoll::agent::{
    AgentEvent, AnswerEvent, ApprovalDecision, CompactOptions, ContextOp, Op, QueuedInput,
    ReturnedInput, SessionEvent, SettingOp, SubmitWhen, TurnEnd, TurnEvent, TurnOp,
};
use plimsoll::tool::ApprovalMode;
use plimsoll::transcript::{ModelRef, StopReason};
use serde_json::{Value, json};

use super::agent::{Agent, Harness, messages};
use super::server::{Reply, Say, Server, Wire, text};

const OTHER: &str = "claude-opus-4-1";

fn shell(command: &str) -> Op {
    Op::Turn(TurnOp::Shell {
        command: command.to_owned(),
        excluded: false,
    })
}

fn compact(instructions: &str) -> Op {
    Op::Context(ContextOp::Compact(CompactOptions {
        instructions: Some(instructions.to_owned()),
        ..CompactOptions::default()
    }))
}

fn overloaded(after_ms: u64) -> Reply {
    let body = json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}});
    let header = ("retry-after-ms", after_ms.to_string());
    Reply::Status(529, vec![header], body.to_string())
}

/// A call that runs until the file `go` is there.
fn waits_for_go() -> Reply {
    let command = "while [ ! -e go ]; do sleep 0.01; done";
    Say::text("w")
        .call("c1", "shell", &json!({ "command": command }))
        .reply()
}

async fn queued(agent: &mut Agent, count: usize) -> Vec<QueuedInput> {
    let event = agent
        .until(
            |event| matches!(event, AgentEvent::Turn(TurnEvent::Queued(all)) if all.len() == count),
        )
        .await;
    match event {
        AgentEvent::Turn(TurnEvent::Queued(all)) => all,
        _ => unreachable!(),
    }
}

async fn returned(agent: &mut Agent) -> Vec<ReturnedInput> {
    let is_wanted =
        |event: &AgentEvent| matches!(event, AgentEvent::Turn(TurnEvent::InputReturned(_)));
    match agent.until(is_wanted).await {
        AgentEvent::Turn(TurnEvent::InputReturned(inputs)) => inputs,
        _ => unreachable!(),
    }
}

fn words(inputs: &[ReturnedInput]) -> Vec<&str> {
    inputs.iter().map(|input| input.text.as_str()).collect()
}

async fn until_streaming(agent: &mut Agent) {
    agent
        .until(|event| matches!(event, AgentEvent::Stream(AnswerEvent::Delta(_))))
        .await;
}

async fn until_retrying(agent: &mut Agent) {
    agent
        .until(|event| matches!(event, AgentEvent::Stream(AnswerEvent::Retrying { .. })))
        .await;
}

fn models(server: &Server) -> Vec<String> {
    let of = |body: &Value| body["model"].as_str().unwrap().to_owned();
    server.seen().iter().map(of).collect()
}

#[tokio::test]
async fn who_stops_an_answer_has_commands_back_in_their_order_and_none_of_them_runs() {
    let script = [Reply::Stall(Say::text("half")), text("ok")];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.say("start").await;
    until_streaming(&mut agent).await;
    for op in [
        shell("touch DEFERRED"),
        compact("keep x"),
        Op::Context(ContextOp::Prune { dry_run: false }),
        Op::Context(ContextOp::Uncompact),
    ] {
        agent.send(op).await;
    }
    agent.say("and then this").await;
    let typed = [
        "!touch DEFERRED",
        "/compact keep x",
        "/prune",
        "/uncompact",
        "and then this",
    ];
    let shown = queued(&mut agent, 5).await;
    let shown_words: Vec<&str> = shown.iter().map(|input| input.text.as_str()).collect();
    assert_eq!(shown_words, typed);
    let are_commands: Vec<bool> = shown.iter().map(|input| input.is_command).collect();
    assert_eq!(are_commands, [true, true, true, true, false]);
    agent.send(Op::Turn(TurnOp::Interrupt)).await;
    assert_eq!(words(&returned(&mut agent).await), typed);
    assert_eq!(agent.turn_end().await.stop, StopReason::Aborted);
    agent.ask("next").await;
    agent.stop().await;
    assert_eq!(server.seen().len(), 2, "no summary was asked for");
    assert!(!harness.setup.cwd.join("DEFERRED").exists());
}

#[tokio::test]
async fn one_command_is_taken_back_and_the_others_stay() {
    let server = Server::start(Wire::Anthropic, [waits_for_go(), text("ok")]).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.say("start").await;
    agent
        .until(|event| matches!(event, AgentEvent::Stream(AnswerEvent::ToolStarted { .. })))
        .await;
    agent.send(shell("touch first")).await;
    agent.send(shell("touch second")).await;
    let shown = queued(&mut agent, 2).await;
    agent
        .send(Op::Turn(TurnOp::Unqueue { id: shown[0].id }))
        .await;
    assert_eq!(words(&returned(&mut agent).await), ["!touch first"]);
    harness.file("go", "");
    agent.turn_end().await;
    agent
        .until(|event| matches!(event, AgentEvent::Stream(AnswerEvent::ToolFinished { .. })))
        .await;
    agent.stop().await;
    let exists = |name: &str| harness.setup.cwd.join(name).exists();
    assert_eq!((exists("first"), exists("second")), (false, true));
}

#[tokio::test]
async fn a_message_typed_after_a_command_is_sent_after_it_ran() {
    let server = Server::start(Wire::Anthropic, [waits_for_go(), text("ok"), text("yes")]).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.say("start").await;
    agent
        .until(|event| matches!(event, AgentEvent::Stream(AnswerEvent::ToolStarted { .. })))
        .await;
    agent.send(shell("echo OUTPUT")).await;
    agent.say("what did it print").await;
    let shown = queued(&mut agent, 2).await;
    assert_eq!(
        shown[1].when,
        SubmitWhen::AfterTurn,
        "and the screen says so"
    );
    harness.file("go", "");
    agent.turn_end().await;
    agent.turn_end().await;
    let sent = messages(&server.body(2));
    let at = |part: &str| sent.iter().position(|(_, text)| text.contains(part));
    assert!(
        at("OUTPUT").is_some() && at("OUTPUT") <= at("what did it print"),
        "{sent:?}"
    );
    assert!(
        !messages(&server.body(1))
            .iter()
            .any(|it| it.1.contains("what did"))
    );
    agent.stop().await;
}

#[tokio::test]
async fn what_waits_when_a_turn_fails_is_given_back_and_not_fired_at_the_failing_server() {
    let script = [overloaded(300), overloaded(1)];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).set(|s| s.agent.network.retry_max_attempts = 2);
    let mut agent = harness.start().await;
    agent.say("start").await;
    until_retrying(&mut agent).await;
    agent.submit("one", SubmitWhen::AfterTurn).await;
    agent
        .send(Op::Context(ContextOp::Prune { dry_run: false }))
        .await;
    agent.submit("two", SubmitWhen::AfterTurn).await;
    queued(&mut agent, 3).await;
    assert!(agent.turn_end().await.error.is_some());
    let back = returned(&mut agent).await;
    assert_eq!(words(&back), ["one", "/prune", "two"]);
    agent.stop().await;
    assert_eq!(server.seen().len(), 2, "two tries of one message");
}

#[tokio::test]
async fn what_waits_when_a_call_is_refused_is_given_back() {
    let call = Say::text("w").call("c1", "shell", &json!({"command": "touch made"}));
    let server = Server::start(Wire::Anthropic, [call.reply()]).await;
    let harness = Harness::new(&server).set(|s| s.agent.tools.approvals = ApprovalMode::Ask);
    let mut agent = harness.start().await;
    agent.say("start").await;
    let id = agent.approval().await.id;
    agent.say("do it in another way").await;
    queued(&mut agent, 1).await;
    let decision = ApprovalDecision::Deny { feedback: None };
    agent.send(Op::Turn(TurnOp::Approve { id, decision })).await;
    assert_eq!(words(&returned(&mut agent).await), ["do it in another way"]);
    agent.stop().await;
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn what_waits_when_the_program_ends_is_given_back() {
    let server = Server::start(Wire::Anthropic, [Reply::Stall(Say::text("half"))]).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.say("start").await;
    until_streaming(&mut agent).await;
    agent.send(shell("touch DEFERRED")).await;
    agent.submit("later", SubmitWhen::AfterTurn).await;
    queued(&mut agent, 2).await;
    let events = agent.stop().await;
    let back: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            AgentEvent::Turn(TurnEvent::InputReturned(inputs)) => Some(words(inputs)),
            _ => None,
        })
        .collect();
    assert_eq!(back, [["!touch DEFERRED", "later"]]);
    assert!(!harness.setup.cwd.join("DEFERRED").exists());
}

#[tokio::test]
async fn a_model_chosen_during_a_retry_wait_is_asked_at_once_with_a_request_of_its_own() {
    let server = Server::start(Wire::Anthropic, [overloaded(50_000), text("ok")]).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.say("start").await;
    until_retrying(&mut agent).await;
    agent
        .send(Op::Setting(SettingOp::Model(ModelRef::new(
            "anthropic",
            OTHER,
        ))))
        .await;
    // Sooner than the first model wants to be asked again.
    let end = agent.turn_end().await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "ok"), "{end:?}");
    assert_eq!(models(&server), ["claude-sonnet-4-5", OTHER]);
    let log = agent.stop().await;
    let asked: Vec<String> = log
        .iter()
        .filter_map(|event| match event {
            AgentEvent::Stream(AnswerEvent::RequestStarted { model }) => Some(model.model.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(asked, ["claude-sonnet-4-5", OTHER], "as the screen says");
}

#[tokio::test]
async fn a_request_never_goes_to_another_provider_than_the_one_it_was_made_for() {
    let first = Server::start(Wire::Anthropic, [overloaded(50_000)]).await;
    let second = Server::start(Wire::OpenAi, [text("from the other")]).await;
    let mut harness = Harness::new(&first).set(|s| s.agent.base_url = None);
    for (name, base) in [
        ("ANTHROPIC_BASE_URL", &first.base),
        ("OPENAI_BASE_URL", &second.base),
    ] {
        let environment = &mut harness.setup.environment;
        environment.insert(name.to_owned(), base.clone());
    }
    let mut agent = harness.start().await;
    agent.say("start").await;
    until_retrying(&mut agent).await;
    agent
        .send(Op::Setting(SettingOp::Model(ModelRef::new(
            "openai", "gpt-4o",
        ))))
        .await;
    assert_eq!(agent.turn_end().await.text, "from the other");
    assert_eq!(models(&first), ["claude-sonnet-4-5"]);
    assert_eq!(models(&second), ["gpt-4o"]);
    let answers = agent
        .stop()
        .await
        .into_iter()
        .filter_map(|event| match event {
            AgentEvent::Session(SessionEvent::Entry(entry)) => {
                entry.message().map(|it| format!("{it:?}"))
            }
            _ => None,
        });
    let answers: Vec<String> = answers.filter(|it| it.contains("from the other")).collect();
    assert!(
        answers.len() == 1 && answers[0].contains("gpt-4o"),
        "the log names who answered: {answers:?}"
    );
}

#[tokio::test]
async fn what_is_dropped_during_a_retry_wait_is_not_sent_again() {
    let script = [text("the SECRET answer"), overloaded(400), text("ok")];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("first").await;
    let answer = agent
        .events
        .iter()
        .rev()
        .find_map(|event| match event {
            AgentEvent::Session(SessionEvent::Entry(entry))
                if entry
                    .message()
                    .is_some_and(|it| it.text().contains("SECRET")) =>
            {
                Some(entry.id.clone())
            }
            _ => None,
        })
        .unwrap();
    agent.say("second").await;
    until_retrying(&mut agent).await;
    agent.send(Op::Context(ContextOp::Drop(answer))).await;
    assert_eq!(agent.turn_end().await.text, "ok");
    assert!(server.body(1).to_string().contains("SECRET"));
    assert!(!server.body(2).to_string().contains("SECRET"));
    agent.stop().await;
}

/// The result of a call in the log.
fn result_of(harness: &Harness, call_id: &str) -> String {
    let log = harness.log();
    let results = log.iter().map(|line| &line["message"]);
    results
        .filter(|message| message["role"] == "toolResult" && message["toolCallId"] == call_id)
        .map(ToString::to_string)
        .collect()
}

#[tokio::test]
async fn the_calls_of_a_refused_answer_are_not_run_and_each_is_answered() {
    for (wire, stop) in [
        (Wire::Anthropic, "refusal"),
        (Wire::OpenAi, "content_filter"),
    ] {
        let refused = Say::text("I")
            .call("c1", "shell", &json!({"command": "touch NEVER"}))
            .call("c2", "list", &json!({}))
            .stop(stop);
        let server = Server::start(wire, [refused.reply(), text("ok")]).await;
        let harness = Harness::new(&server);
        let mut agent = harness.start().await;
        let TurnEnd {
            stop, exit_code, ..
        } = agent.ask("start").await;
        assert_eq!((stop, exit_code), (StopReason::Refusal, 1));
        assert_eq!(server.seen().len(), 1, "and it is not asked to go on");
        for id in ["c1", "c2"] {
            let result = result_of(&harness, id);
            assert!(result.contains("not run"), "{id}: {result}");
        }
        let is_start = |event: &AgentEvent| {
            matches!(event, AgentEvent::Stream(AnswerEvent::ToolStarted { .. }))
        };
        assert!(!agent.events.iter().any(is_start));
        // The server holds the next request to the rules of its format.
        assert_eq!(agent.ask("go on").await.text, "ok");
        agent.stop().await;
        assert!(!harness.setup.cwd.join("NEVER").exists());
    }
}

#[tokio::test]
async fn a_call_that_the_output_limit_cut_off_is_not_run_and_whole_ones_before_it_are() {
    for cut in ["", "{\"comm"] {
        let answer = Say::text("I")
            .call("c1", "shell", &json!({"command": "touch WHOLE"}))
            .raw_call("c2", "shell", cut)
            .stop("length");
        let server = Server::start(Wire::OpenAi, [answer.reply(), text("ok")]).await;
        let harness = Harness::new(&server);
        let mut agent = harness.start().await;
        agent.ask("start").await;
        agent.stop().await;
        let result = result_of(&harness, "c2");
        assert!(
            result.contains("not run: the answer was cut off"),
            "{result}"
        );
        assert!(harness.setup.cwd.join("WHOLE").exists());
    }
}

#[tokio::test]
async fn commands_typed_during_a_command_of_the_user_wait_and_are_stopped_with_it() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent
        .send(shell("while [ ! -e go ]; do sleep 0.01; done"))
        .await;
    agent
        .until(|event| matches!(event, AgentEvent::Stream(AnswerEvent::ToolStarted { .. })))
        .await;
    agent.send(shell("touch DEFERRED")).await;
    queued(&mut agent, 1).await;
    agent.send(Op::Turn(TurnOp::Interrupt)).await;
    assert_eq!(words(&returned(&mut agent).await), ["!touch DEFERRED"]);
    agent.stop().await;
    assert!(!harness.setup.cwd.join("DEFERRED").exists());
}
