//! Settings that are changed while the program runs: what is said to be in force is so, and
//! what is not in force is said not to be.

use plimsoll::agent::{
    AgentEvent, Op, Query, QueryReply, SettingOp, SettingOutcome, SettingState, SettingsReport,
};
use plimsoll::config::{ChangeEffect, LivePart, SettingValue, SettingsFile, all_settings};
use serde_json::{Value as Json, json};

use super::agent::{Agent, Harness, joined};
use super::server::{Reply, Say, Server, Wire, text};

const IN_FORCE: &str = "active for this session";

async fn ask(agent: &mut Agent, op: impl Into<Op>) -> SettingsReport {
    let is_report = |event: &AgentEvent| {
        matches!(
            event,
            AgentEvent::Reply {
                reply: QueryReply::Settings(_),
                ..
            }
        )
    };
    agent.send(op.into()).await;
    match agent.until(is_report).await {
        AgentEvent::Reply {
            reply: QueryReply::Settings(report),
            ..
        } => *report,
        _ => unreachable!(),
    }
}

/// The sentence on a change, and the row after it.
async fn change(agent: &mut Agent, key: &str, value: &str) -> (SettingOutcome, SettingState) {
    let (key, value) = (key.to_owned(), SettingValue::Text(value.to_owned()));
    let op = SettingOp::Set {
        key: key.clone(),
        value,
    };
    after(agent, op, &key).await
}

async fn after(agent: &mut Agent, op: SettingOp, key: &str) -> (SettingOutcome, SettingState) {
    let report = ask(agent, op).await;
    let row = report.rows.iter().find(|row| row.key == key).unwrap();
    (report.outcome.unwrap(), row.clone())
}

fn call(name: &str, arguments: &Json) -> Reply {
    Say::text("w").call("c1", name, arguments).reply()
}

fn tools(body: &Json) -> Vec<String> {
    let tools = body["tools"].as_array().unwrap();
    let names = tools.iter().map(|tool| tool["name"].as_str().unwrap());
    names.map(str::to_owned).collect()
}

#[tokio::test]
async fn another_time_limit_is_kept_and_told_to_the_model() {
    let slow = || call("shell", &json!({"command": "sleep 20"}));
    let script = [text("before"), slow(), text("after")];
    let server = Server::start(Wire::Anthropic, script).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent.ask("one").await;
    let (said, _) = change(&mut agent, "tools.shell_timeout_secs", "1").await;
    assert_eq!(said.text, IN_FORCE);
    let began = std::time::Instant::now();
    agent.ask("two").await;
    assert!(began.elapsed() < std::time::Duration::from_secs(15));
    let (first, second) = (server.body(0), server.body(1));
    assert!(first["tools"].to_string().contains("Default 120."));
    assert!(second["tools"].to_string().contains("Default 1."));
    assert_eq!(tools(&first), tools(&second), "no tool is lost");
    let all = joined(&server.body(2));
    assert!(all.contains("the time limit"), "{all}");
    agent.stop().await;
}

#[tokio::test]
async fn what_is_read_at_the_start_is_not_in_force_before_it() {
    let server = Server::start(Wire::Anthropic, [text("hello"), text("again")]).await;
    let harness = Harness::new(&server);
    harness.file(".plimsoll/notes.md", "- sing\n");
    let mut agent = harness.start().await;
    let (said, row) = change(&mut agent, "memory.engine", "none").await;
    assert!(said.text.starts_with("not active yet"), "{}", said.text);
    assert!(!said.is_refused);
    assert_eq!(row.value, SettingValue::Text("project-notes".to_owned()));
    let next = row.next_start.unwrap();
    assert_eq!(next.value, SettingValue::Text("none".to_owned()));
    assert!(!next.is_saved);
    // Whatever makes the prompt again: the notes are in it as before.
    change(&mut agent, "append_system", "Be kind.").await;
    agent.ask("hi").await;
    let body = server.body(0).to_string();
    assert!(
        body.contains("- sing") && body.contains("Be kind."),
        "{body}"
    );

    let save = SettingOp::Save {
        key: "memory.engine".to_owned(),
        place: SettingsFile::User,
    };
    let (said, row) = after(&mut agent, save, "memory.engine").await;
    assert!(
        said.text.contains("active from the next start"),
        "{}",
        said.text
    );
    assert_eq!(row.value, SettingValue::Text("project-notes".to_owned()));
    assert!(row.next_start.unwrap().is_saved);
    let file = std::fs::read_to_string(harness.setup.paths.config_file()).unwrap();
    assert!(file.contains("engine = \"none\""), "{file}");

    let (said, row) = change(&mut agent, "memory.engine", "project-notes").await;
    assert!(said.text.contains("already active"), "{}", said.text);
    assert_eq!(row.next_start, None);
    let reset = SettingOp::Reset {
        key: "memory.engine".to_owned(),
    };
    let (said, row) = after(&mut agent, reset, "memory.engine").await;
    assert!(said.text.contains("from the next start it has its default"));
    assert_eq!(row.next_start, None);
    agent.stop().await;
}

/// A value that differs from the one of now, for every setting.
fn other_value(setting: &plimsoll::config::Setting, now: &SettingValue) -> String {
    use plimsoll::config::SettingKind;
    match setting.kind {
        SettingKind::Bool => (*now != SettingValue::Bool(true)).to_string(),
        SettingKind::Int { min, .. } => match *now {
            SettingValue::Int(now) if u64::try_from(now).is_ok_and(|now| now == min) => min + 1,
            SettingValue::Int(now) => now.unsigned_abs() - 1,
            _ => min + 40_000,
        }
        .to_string(),
        SettingKind::Share => if *now == SettingValue::Float(0.4) {
            "0.41"
        } else {
            "0.4"
        }
        .to_owned(),
        SettingKind::Factor => "1.5".to_owned(),
        SettingKind::Dollars => "3".to_owned(),
        SettingKind::Text | SettingKind::Prompt => "other".to_owned(),
        SettingKind::Url => "http://127.0.0.1:9".to_owned(),
        SettingKind::Choice(names) => {
            let other = |name: &&&str| now.as_text() != Some(**name);
            (*names.iter().find(other).unwrap()).to_owned()
        }
        SettingKind::Model => "anthropic/claude-haiku-4-5".to_owned(),
        SettingKind::Threshold => "0.6".to_owned(),
        SettingKind::Template => "openclaw".to_owned(),
        SettingKind::List(&SettingKind::Model) => "[\"anthropic/claude-haiku-4-5\"]".to_owned(),
        SettingKind::List(_) => "[\"read\"]".to_owned(),
    }
}

/// The sentence about each change and the value in its row agree for every setting of the
/// table: at once, or not before the next start.
#[tokio::test]
async fn every_change_is_in_force_or_said_not_to_be() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = Harness::new(&server).set(|settings| {
        settings.agent.base_url = None;
        settings.agent.thinking = plimsoll::transcript::ThinkingLevel::Off;
    });
    let mut checked = 0;
    for setting in all_settings() {
        let mut agent = harness.start().await;
        let list = ask(&mut agent, Op::query(Query::Settings)).await;
        let before = list.rows.into_iter().find(|row| row.key == setting.key);
        let before = before.unwrap().value;
        let text = other_value(setting, &before);
        let (said, row) = change(&mut agent, setting.key, &text).await;
        agent.stop().await;
        if said.is_refused {
            // Values that belong together: none of them changed.
            assert_eq!(row.value, before, "{}: {}", setting.key, said.text);
            assert!(!said.text.contains(IN_FORCE), "{}", said.text);
            continue;
        }
        checked += 1;
        let mut wanted = plimsoll::config::Settings::default();
        let parsed = setting.parse_text(&text);
        assert_eq!(setting.set(&mut wanted, &parsed), Ok(()), "{}", setting.key);
        let wanted = setting.get(&wanted);
        match setting.applies {
            ChangeEffect::AtStart => {
                assert_eq!(row.value, before, "{}", setting.key);
                assert!(said.text.starts_with("not active yet"), "{}", said.text);
                assert_eq!(row.next_start.unwrap().value, wanted, "{}", setting.key);
            }
            ChangeEffect::Live(LivePart::Model) => {
                assert!(said.text.contains("from the next turn on"));
            }
            ChangeEffect::Live(LivePart::Engine) => {
                assert!(said.text.contains("is sent in this session"));
            }
            ChangeEffect::Live(LivePart::Context) if said.text != IN_FORCE => {
                assert!(said.text.contains("not active"), "{}", said.text);
            }
            ChangeEffect::Live(_) => {
                assert_eq!(said.text, IN_FORCE, "{}", setting.key);
                assert_eq!(row.value, wanted, "{}", setting.key);
                assert_eq!(row.next_start, None);
            }
        }
    }
    assert!(checked > 95, "{checked}");
}

#[tokio::test]
async fn what_the_model_or_its_provider_cannot_do_is_not_said_to_be_in_force() {
    let server = Server::start(Wire::OpenAi, [text("hello")]).await;
    let harness = Harness::new(&server).set(|settings| {
        let own = plimsoll::config::ModelOverride {
            threshold: Some(plimsoll::context::Threshold::Ratio(0.5)),
            ..plimsoll::config::ModelOverride::default()
        };
        settings.models.insert("openai/gpt-4o".to_owned(), own);
    });
    let mut agent = harness.start().await;
    for (key, value) in [
        ("context.server", "clear-tool-uses"),
        ("compaction.threshold", "0.7"),
        ("thinking", "high"),
    ] {
        let (said, _) = change(&mut agent, key, value).await;
        assert!(said.text.contains("not active"), "{key}: {}", said.text);
        assert!(said.text.contains("gpt-4o"), "{key}: {}", said.text);
    }
    let (said, _) = change(&mut agent, "context.server", "off").await;
    assert_eq!(said.text, IN_FORCE);
    agent.stop().await;
}

#[tokio::test]
async fn another_room_for_files_and_other_directories_keep_what_was_kept() {
    let write = |content: &str| call("write", &json!({"path": "a.txt", "content": content}));
    let read = call("read", &json!({"path": "a.txt"}));
    let script = [read, write("one"), text("done")];
    let server = Server::start(Wire::Anthropic, script).await;
    // Without a file beside which it could be kept: a store that is gone has lost it.
    let mut harness = Harness::new(&server);
    harness.setup.source = plimsoll::agent::SessionSource::Memory;
    harness.file("a.txt", "before");
    let mut agent = harness.start().await;
    agent.ask("first").await;
    let (said, _) = change(&mut agent, "tools.checkpoint_mb", "499").await;
    assert_eq!(said.text, IN_FORCE);
    let further = tempfile::tempdir().unwrap();
    let dirs = format!("[\"{}\"]", further.path().display());
    let (said, _) = change(&mut agent, "extra_dirs", &dirs).await;
    assert_eq!(said.text, IN_FORCE);
    agent.send(Op::query(Query::Changes)).await;
    let is_changes = |event: &AgentEvent| {
        matches!(
            event,
            AgentEvent::Reply {
                reply: QueryReply::Changes(_),
                ..
            }
        )
    };
    let AgentEvent::Reply {
        reply: QueryReply::Changes(report),
        ..
    } = agent.until(is_changes).await
    else {
        unreachable!()
    };
    assert_eq!(report.files.len(), 1, "{:?}", server.seen().last());
    let diff = &report.files[0].difference.diff;
    assert!(
        diff.contains("-before") && diff.contains("+one"),
        "{diff:?}"
    );
    agent.stop().await;
}

#[tokio::test]
async fn a_summary_ahead_is_not_put_in_once_that_is_off() {
    let long = |turn| text(format!("answer {turn} {}", "lorem ipsum ".repeat(560)));
    let server = Server::start(Wire::Anthropic, (0..5).map(long)).await;
    server.then_for_summaries([Reply::Stall(Say::text("## Goal"))]);
    let pairs = [
        ("window.user", "20000"),
        ("compaction.background", "true"),
        ("compaction.threshold", "12000"),
        ("compaction.timeout_secs", "600"),
    ];
    let harness =
        Harness::new(&server).set(|settings| super::setting_effects::set_all(settings, &pairs));
    let mut agent = harness.start().await;
    for turn in 0..3 {
        agent.ask(&format!("question {turn}")).await;
    }
    change(&mut agent, "compaction.background", "false").await;
    change(&mut agent, "compaction.auto", "false").await;
    let end = agent.ask("and now").await;
    assert_eq!(end.exit_code, 0, "nothing waits for it: {end:?}");
    agent.stop().await;
}
