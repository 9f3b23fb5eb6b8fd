//! The model that answers: the window guard and its chain, a larger model after an overflow, and a
//! switch to a window that the conversation does not fit into.

use plimsoll::agent::{
    AgentEvent, AnswerEvent, CompactionEvent, NoticeLevel, Op, SessionEvent, SessionOp, SettingOp,
    TurnEvent, TurnOp,
};
use plimsoll::config::{ModelOverride, Settings};
use plimsoll::transcript::{EntryId, ModelRef, ThinkingLevel, Trigger};
use serde_json::{Value, json};

use super::agent::{Agent, Harness, has_no_tools, joined};
use super::flow_overflow::SUMMARY;
use super::server::{Reply, Say, Server, Wire, overflow, text};

const HOME: &str = "claude-sonnet-4-5";

fn model(name: &str) -> ModelRef {
    ModelRef::new("anthropic", name)
}

/// The user's own windows, by model.
fn windows(settings: &mut Settings, windows: &[(&str, u64)]) {
    for (name, tokens) in windows {
        let own = ModelOverride {
            window_tokens: Some(*tokens),
            ..ModelOverride::default()
        };
        settings.models.insert(model(name).to_string(), own);
    }
}

fn fallbacks(settings: &mut Settings, names: &[&str]) {
    settings.agent.fallback_models = names.iter().map(|name| model(name)).collect();
}

fn switched(agent: &Agent) -> Vec<String> {
    let to = |event: &AgentEvent| match event {
        AgentEvent::Session(SessionEvent::ModelSwitched { model, .. }) => Some(model.model.clone()),
        _ => None,
    };
    agent.events.iter().filter_map(to).collect()
}

fn asked(server: &Server) -> Vec<String> {
    let of = |body: &Value| body["model"].as_str().unwrap().to_owned();
    server.seen().iter().map(of).collect()
}

#[tokio::test]
async fn a_window_that_is_too_small_moves_on_to_the_first_model_that_passes() {
    let server = Server::start(Wire::Anthropic, [text("hello")]).await;
    let harness = Harness::new(&server).set(|s| {
        windows(s, &[(HOME, 8_000), ("tiny", 15_999), ("large", 64_000)]);
        fallbacks(s, &["tiny", "large"]);
    });
    let mut agent = harness.start().await;
    let end = agent.ask("hi").await;
    assert_eq!((end.exit_code, end.text.as_str()), (0, "hello"), "{end:?}");
    assert_eq!(switched(&agent), ["large"]);
    assert_eq!(asked(&server), ["large"]);
    agent.stop().await;
}

#[tokio::test]
async fn a_window_given_by_flag_is_not_that_of_the_models_that_stand_in() {
    let server = Server::start(Wire::Anthropic, [text("hello")]).await;
    let harness = Harness::new(&server)
        .window(8_000)
        .set(|s| fallbacks(s, &["claude-opus-4-1"]));
    let mut agent = harness.start().await;
    let end = agent.ask("hi").await;
    assert_eq!(end.exit_code, 0, "{end:?}");
    assert_eq!(asked(&server), ["claude-opus-4-1"]);
    agent.stop().await;
}

#[tokio::test]
async fn when_no_model_passes_the_error_names_number_source_and_setting() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = Harness::new(&server).set(|s| {
        windows(s, &[(HOME, 8_000), ("tiny", 9_000)]);
        fallbacks(s, &["tiny"]);
    });
    let mut agent = harness.start().await;
    let end = agent.ask("hi").await;
    assert_ne!(end.exit_code, 0);
    let error = end.error.unwrap();
    for part in [HOME, "8,000", "source: user", "16,000", "no fallback model"] {
        assert!(error.text.contains(part), "{part}: {}", error.text);
    }
    assert!(error.hint.unwrap().contains("window.min"));
    assert!(switched(&agent).is_empty());
    assert!(server.seen().is_empty());
    agent.stop().await;
}

#[tokio::test]
async fn an_overflow_moves_up_when_that_is_allowed_and_never_down() {
    for (is_allowed, expected) in [(true, vec!["larger"]), (false, vec![])] {
        let script: Vec<Reply> = [text("first answer")]
            .into_iter()
            .chain((0..30).map(|_| overflow(Wire::Anthropic)))
            .collect();
        let server = Server::start(Wire::Anthropic, script).await;
        let harness = Harness::new(&server).set(|s| {
            s.context.audit.enabled = false;
            s.context.compaction.model = Some("offline/plain".to_owned());
            s.agent.overflow_upgrade = is_allowed;
            windows(s, &[("equal", 200_000), ("smaller", 64_000)]);
            windows(s, &[("larger", 400_000), ("least", 20_000)]);
            fallbacks(s, &["equal", "smaller", "larger", "least"]);
        });
        let mut agent = harness.start().await;
        agent.ask("first question").await;
        let end = agent.ask("second question").await;
        assert_eq!(switched(&agent), expected);
        assert_eq!(end.exit_code, 4, "{end:?}");
        assert!(end.error.unwrap().hint.unwrap().contains("larger window"));
        agent.stop().await;
    }
}

#[tokio::test]
async fn a_larger_model_answers_what_the_smaller_one_could_not() {
    let mut script = vec![text("first answer")];
    script.extend((0..2).map(|_| overflow(Wire::Anthropic)));
    script.push(text("read it all"));
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server).set(|s| {
        s.context.audit.enabled = false;
        s.context.compaction.model = Some("offline/plain".to_owned());
        s.context.compaction.max_attempts = 3;
        s.agent.overflow_upgrade = true;
        windows(s, &[("larger", 400_000)]);
        fallbacks(s, &["larger"]);
    });
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    let end = agent.ask("second question").await;
    assert_eq!(end.text, "read it all", "{end:?}");
    assert_eq!(asked(&server).last().unwrap(), "larger");
    let all = joined(&server.seen().pop().unwrap());
    assert!(all.ends_with("second question\n"), "{all}");
    agent.stop().await;
}

#[tokio::test]
async fn a_message_that_fits_only_a_larger_model_goes_to_it_when_allowed() {
    let server = Server::start(Wire::Anthropic, [text("read")]).await;
    let harness = Harness::new(&server).set(|s| {
        s.agent.overflow_upgrade = true;
        windows(s, &[(HOME, 20_000), ("larger", 400_000)]);
        fallbacks(s, &["larger"]);
    });
    let mut agent = harness.start().await;
    let end = agent.ask(&"word ".repeat(20_000)).await;
    assert_eq!(end.text, "read", "{end:?}");
    assert_eq!(asked(&server), ["larger"]);
    agent.stop().await;
}

/// About 2,500 tokens by the ruler.
fn long(n: usize) -> Reply {
    text(format!("answer {n} {}", "lorem ipsum ".repeat(830)))
}

async fn a_long_talk(server: &Server) -> (Harness, Agent) {
    server.then((0..10).map(long));
    let harness = Harness::new(server).set(|s| {
        s.context.audit.enabled = false;
        windows(s, &[("small", 20_000), ("other", 100_000)]);
    });
    let mut agent = harness.start().await;
    for turn in 0..10 {
        agent.ask(&format!("question {turn}")).await;
    }
    (harness, agent)
}

#[tokio::test]
async fn a_switch_to_a_smaller_window_summarises_first_with_the_old_model() {
    let server = Server::start(Wire::Anthropic, []).await;
    let (_harness, mut agent) = a_long_talk(&server).await;
    // What fits is switched to as it is.
    agent
        .send(Op::Setting(SettingOp::Model(model("other"))))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Session(SessionEvent::ModelSwitched { .. })))
        .await;
    assert_eq!(server.seen().len(), 10);
    server.then([text(SUMMARY), text("from the small one")]);
    agent
        .send(Op::Setting(SettingOp::Model(model("small"))))
        .await;
    let applied = agent
        .until(|e| {
            matches!(
                e,
                AgentEvent::Compaction(CompactionEvent::Applied { .. })
                    | AgentEvent::Session(SessionEvent::ModelSwitched { .. })
            )
        })
        .await;
    assert!(
        matches!(
            applied,
            AgentEvent::Compaction(CompactionEvent::Applied { .. })
        ),
        "{applied:?}"
    );
    agent
        .until(|e| matches!(e, AgentEvent::Session(SessionEvent::ModelSwitched { .. })))
        .await;
    let end = agent.ask("and now").await;
    assert_eq!(end.text, "from the small one", "{end:?}");
    assert_eq!(asked(&server)[10..], ["other", "small"]);
    assert!(has_no_tools(&server.body(10)));
    let all = joined(&server.body(11));
    assert!(all.contains("SUMMARISED") && !all.contains("answer 0"));
    assert!(all.contains("and now"));
    agent.stop().await;
}

#[tokio::test]
async fn a_switch_that_cannot_be_made_to_fit_changes_nothing_and_says_so() {
    let server = Server::start(Wire::Anthropic, []).await;
    let (harness, mut agent) = a_long_talk(&server).await;
    let before = harness.log_without_costs();
    server.then((0..9).map(|_| text("")));
    agent
        .send(Op::Setting(SettingOp::Model(model("small"))))
        .await;
    let is_error =
        |e: &AgentEvent| matches!(e, AgentEvent::Notice(n) if n.level == NoticeLevel::Error);
    let AgentEvent::Notice(notice) = agent.until(is_error).await else {
        unreachable!()
    };
    assert!(notice.text.contains("model stays"), "{}", notice.text);
    assert!(notice.hint.unwrap().contains("--extractive"));
    assert!(switched(&agent).is_empty());
    assert_eq!(harness.log_without_costs(), before);
    agent.stop().await;
}

#[tokio::test]
async fn a_switch_during_a_turn_waits_for_its_end_when_a_summary_is_needed() {
    let server = Server::start(Wire::Anthropic, []).await;
    let (harness, mut agent) = a_long_talk(&server).await;
    let waits = json!({"command": "while [ ! -e go ]; do sleep 0.01; done"});
    server.then([
        Say::text("w").call("c1", "shell", &waits).reply(),
        text("done"),
        text(SUMMARY),
        text("next"),
    ]);
    agent.say("go").await;
    agent
        .until(|e| matches!(e, AgentEvent::Stream(AnswerEvent::ToolStarted { .. })))
        .await;
    agent
        .send(Op::Setting(SettingOp::Model(model("small"))))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Notice(n) if n.text.contains("from the next turn on")))
        .await;
    assert!(switched(&agent).is_empty());
    harness.file("go", "");
    agent.turn_end().await;
    let event = agent
        .until(|e| matches!(e, AgentEvent::Compaction(CompactionEvent::Started { .. })))
        .await;
    let AgentEvent::Compaction(CompactionEvent::Started { trigger, .. }) = event else {
        unreachable!()
    };
    assert_eq!(trigger, Trigger::Threshold);
    agent
        .until(|e| matches!(e, AgentEvent::Session(SessionEvent::ModelSwitched { .. })))
        .await;
    assert_eq!(agent.ask("hello").await.text, "next");
    assert_eq!(asked(&server)[10..], [HOME, HOME, HOME, "small"]);
    agent.stop().await;
}

#[tokio::test]
async fn who_stops_the_turn_that_a_switch_waits_for_keeps_the_model_and_has_the_command_back() {
    let server = Server::start(Wire::Anthropic, []).await;
    let (_harness, mut agent) = a_long_talk(&server).await;
    server.then([Reply::Stall(Say::text("slow")), text("next")]);
    agent.say("go").await;
    agent
        .until(|e| matches!(e, AgentEvent::Stream(AnswerEvent::Delta(_))))
        .await;
    agent
        .send(Op::Setting(SettingOp::Model(model("small"))))
        .await;
    agent.send(Op::Turn(TurnOp::Interrupt)).await;
    let returned = agent
        .until(|e| matches!(e, AgentEvent::Turn(TurnEvent::InputReturned(_))))
        .await;
    let AgentEvent::Turn(TurnEvent::InputReturned(returned)) = returned else {
        unreachable!()
    };
    let texts: Vec<&str> = returned.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(texts, ["/model anthropic/small"]);
    agent.turn_end().await;
    assert_eq!(agent.ask("hello").await.text, "next");
    assert_eq!(asked(&server)[10..], [HOME, HOME], "no summary either");
    assert!(switched(&agent).is_empty());
    agent.stop().await;
}

#[tokio::test]
async fn a_model_chosen_after_one_that_waits_takes_its_place() {
    let server = Server::start(Wire::Anthropic, []).await;
    let (_harness, mut agent) = a_long_talk(&server).await;
    server.then([Reply::Stall(Say::text("slow")), text("next")]);
    agent.say("go").await;
    agent
        .until(|e| matches!(e, AgentEvent::Stream(AnswerEvent::Delta(_))))
        .await;
    agent
        .send(Op::Setting(SettingOp::Model(model("small"))))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Turn(TurnEvent::Queued(all)) if all.len() == 1))
        .await;
    agent
        .send(Op::Setting(SettingOp::Model(model("other"))))
        .await;
    agent
        .until(|e| matches!(e, AgentEvent::Turn(TurnEvent::Queued(all)) if all.is_empty()))
        .await;
    agent.send(Op::Turn(TurnOp::Interrupt)).await;
    agent.turn_end().await;
    assert_eq!(agent.ask("hello").await.text, "next");
    assert_eq!(switched(&agent), ["other"]);
    assert_eq!(asked(&server)[10..], [HOME, "other"]);
    agent.stop().await;
}

#[tokio::test]
async fn a_branch_is_gone_on_with_as_it_was_left() {
    let server = Server::start(Wire::Anthropic, ["one", "two", "three"].map(text)).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("first question").await;
    let first = last_entry(&harness);
    agent
        .send(Op::Setting(SettingOp::Thinking(ThinkingLevel::High)))
        .await;
    agent
        .send(Op::Setting(SettingOp::Model(model("claude-opus-4-1"))))
        .await;
    agent.ask("second question").await;
    let second = last_entry(&harness);
    agent
        .send(Op::Session(SessionOp::GoTo(Some(first.clone()))))
        .await;
    agent.ask("third question").await;
    assert_eq!(asked(&server), [HOME, "claude-opus-4-1", HOME]);
    assert!(server.body(1).get("thinking").is_some());
    assert!(server.body(2).get("thinking").is_none(), "as it was there");
    agent.send(Op::Session(SessionOp::GoTo(Some(second)))).await;
    let back = |event: &AgentEvent| matches!(event, AgentEvent::Session(SessionEvent::ModelSwitched { model, .. }) if model.model == "claude-opus-4-1");
    agent.until(back).await;

    // A model that cannot answer here is named, with the reason.
    let elsewhere = ModelRef::new("mistral", "mistral-large-latest");
    agent.send(Op::Setting(SettingOp::Model(elsewhere))).await;
    agent
        .until(|event| matches!(event, AgentEvent::Session(SessionEvent::ModelSwitched { model, .. }) if model.provider == "mistral"))
        .await;
    let without_key = last_entry(&harness);
    agent.send(Op::Session(SessionOp::GoTo(Some(first)))).await;
    agent
        .until(
            |event| matches!(event, AgentEvent::Session(SessionEvent::ModelSwitched { model, .. }) if model.model == HOME),
        )
        .await;
    agent
        .send(Op::Session(SessionOp::GoTo(Some(without_key))))
        .await;
    let said = agent
        .until(|event| matches!(event, AgentEvent::Notice(notice) if notice.text.contains("answers now")))
        .await;
    let AgentEvent::Notice(said) = said else {
        unreachable!()
    };
    assert!(
        said.text
            .contains("this session used mistral/mistral-large-latest")
    );
    assert!(said.text.contains("MISTRAL_API_KEY"), "{}", said.text);
    agent.stop().await;
}

fn last_entry(harness: &Harness) -> EntryId {
    let log = harness.log();
    EntryId::new(log.last().unwrap()["id"].as_str().unwrap())
}
