//! Settings and keys while the program runs: what is changed is used by the next view and
//! request, what is saved by the next process, and a key is nowhere but where it belongs.

use plimsoll::agent::{
    AgentEvent, ApprovalMode, ContextEvent, EnteredKey, Op, Query, QueryReply, SessionEvent,
    SettingOp, SettingsReport,
};
use plimsoll::config::{
    CommandLine, SettingOrigin, SettingValue, SettingsFile, SettingsStore, find,
};
use plimsoll::provider::{ModelLists, Protocol, ProviderSettings};
use plimsoll::transcript::{ModelRef, ThinkingLevel};

use super::agent::{Agent, Harness};
use super::server::{Server, Wire, text};
use super::web::{Web, json, missing};

async fn settings(agent: &mut Agent, op: impl Into<Op>) -> SettingsReport {
    let is_report = |event: &AgentEvent| {
        matches!(
            event,
            AgentEvent::Reply {
                reply: QueryReply::Settings(_),
                ..
            }
        )
    };
    let seen = agent.events.iter().filter(|it| is_report(it)).count();
    agent.send(op.into()).await;
    loop {
        let reports: Vec<&AgentEvent> = agent.events.iter().filter(|it| is_report(it)).collect();
        if let Some(AgentEvent::Reply {
            reply: QueryReply::Settings(report),
            ..
        }) = reports.get(seen)
        {
            return SettingsReport::clone(report);
        }
        agent.until(is_report).await;
    }
}

fn set(key: &str, value: &str) -> SettingOp {
    SettingOp::Set {
        key: key.to_owned(),
        value: SettingValue::Text(value.to_owned()),
    }
}

fn save(key: &str, place: SettingsFile) -> SettingOp {
    let key = key.to_owned();
    SettingOp::Save { key, place }
}

fn value(report: &SettingsReport, key: &str) -> (SettingValue, SettingOrigin) {
    let row = report.rows.iter().find(|row| row.key == key).unwrap();
    (row.value.clone(), row.origin.clone())
}

fn newest_window(agent: &Agent) -> Option<u64> {
    let mut views = agent.events.iter().rev().filter_map(|event| match event {
        AgentEvent::Context(ContextEvent::View(view)) => Some(view.window.tokens),
        _ => None,
    });
    views.next().flatten()
}

#[tokio::test]
async fn a_change_is_used_by_the_next_view_and_request() {
    let server = Server::start(Wire::Anthropic, [text("hello")]).await;
    let harness = Harness::new(&server).window(200_000);
    let mut agent = harness.start().await;
    let report = settings(&mut agent, set("window.cap", "50k")).await;
    assert_eq!(
        value(&report, "window.cap"),
        (SettingValue::Int(50_000), SettingOrigin::Session)
    );
    assert_eq!(newest_window(&agent), Some(50_000));
    settings(&mut agent, set("append_system", "Answer in rhymes.")).await;
    agent.ask("hi").await;
    let sent = server.seen()[0].to_string();
    assert!(sent.contains("Answer in rhymes."), "{sent}");
    agent.stop().await;
}

#[tokio::test]
async fn what_is_out_of_range_changes_nothing() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    for (key, bad, said) in [
        ("prune.soft_ratio", "7", "a share from 0 to 1"),
        ("prune.soft_ratio", "0.9", "prune.hard_ratio"),
        ("approvals.allow", "[\"shell:[\"]", "not a valid pattern"),
        ("nonsense", "1", "unknown setting"),
    ] {
        let report = settings(&mut agent, set(key, bad)).await;
        let outcome = report.outcome.unwrap();
        assert!(
            outcome.is_refused && outcome.text.contains(said),
            "{outcome:?}"
        );
        let ratio = report.rows.iter().find(|it| it.key == "prune.soft_ratio");
        assert_eq!(ratio.unwrap().origin, SettingOrigin::Default);
    }
    agent.stop().await;
}

#[tokio::test]
async fn another_approval_mode_counts_at_once() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    settings(&mut agent, set("approvals.mode", "read-only")).await;
    agent.send(Op::query(Query::Permissions)).await;
    let is_list = |event: &AgentEvent| {
        matches!(
            event,
            AgentEvent::Reply {
                reply: QueryReply::Permissions(_),
                ..
            }
        )
    };
    agent.until(is_list).await;
    let Some(AgentEvent::Reply {
        reply: QueryReply::Permissions(list),
        ..
    }) = agent.events.iter().rfind(|it| is_list(it))
    else {
        panic!("no list");
    };
    assert_eq!(list.mode, ApprovalMode::ReadOnly);
    agent.stop().await;
}

#[tokio::test]
async fn a_saved_setting_is_that_of_the_next_process() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    settings(&mut agent, set("prune.ttl_secs", "77")).await;
    let report = settings(&mut agent, save("prune.ttl_secs", SettingsFile::User)).await;
    let file = harness.setup.paths.config_file();
    let (_, origin) = value(&report, "prune.ttl_secs");
    assert_eq!(origin.to_string(), format!("{}:2", file.display()));
    settings(&mut agent, set("prune.protect_turns", "5")).await;
    settings(
        &mut agent,
        save("prune.protect_turns", SettingsFile::Project),
    )
    .await;
    agent.stop().await;

    let (command_line, environment) = (
        CommandLine::default(),
        plimsoll::config::EnvironmentVars::new(),
    );
    let store = SettingsStore {
        paths: &harness.setup.paths,
        cwd: &harness.setup.cwd,
        environment: &environment,
        command_line: &command_line,
    };
    let next = store.resolve().unwrap();
    let of = |key: &str| find(key).unwrap().0.get(&next.settings);
    assert_eq!(of("prune.ttl_secs"), SettingValue::Int(77));
    assert_eq!(of("prune.protect_turns"), SettingValue::Int(5));

    let mut agent = harness.start().await;
    let reset = SettingOp::Reset {
        key: "prune.ttl_secs".to_owned(),
    };
    let report = settings(&mut agent, reset).await;
    assert_eq!(
        value(&report, "prune.ttl_secs"),
        (SettingValue::None, SettingOrigin::Default)
    );
    assert!(!std::fs::read_to_string(file).unwrap().contains("ttl_secs"));
    agent.stop().await;
}

#[tokio::test]
async fn what_cannot_be_saved_stays_for_the_session() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = Harness::new(&server);
    let file = harness.setup.paths.config_file();
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    let broken = "# mine\nmouse =\n";
    std::fs::write(&file, broken).unwrap();
    let mut agent = harness.start().await;
    settings(&mut agent, set("prune.ttl_secs", "77")).await;
    let report = settings(&mut agent, save("prune.ttl_secs", SettingsFile::User)).await;
    let outcome = report.outcome.clone().unwrap();
    assert!(
        outcome.is_refused && outcome.text.contains("config.toml:2"),
        "{outcome:?}"
    );
    assert_eq!(
        value(&report, "prune.ttl_secs"),
        (SettingValue::Int(77), SettingOrigin::Session)
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), broken);
    std::fs::remove_file(&file).unwrap();
    let hook = settings(&mut agent, set("hooks.before_compact", "true")).await;
    assert!(!hook.outcome.unwrap().is_refused);
    let refused = settings(
        &mut agent,
        save("hooks.before_compact", SettingsFile::Project),
    )
    .await;
    assert!(refused.outcome.unwrap().text.contains("trusted_dirs"));
    agent.stop().await;
}

#[tokio::test]
async fn what_the_session_chose_is_shown_as_a_setting_and_can_be_saved() {
    let server = Server::start(Wire::Anthropic, []).await;
    let harness = Harness::new(&server);
    let mut agent = harness.start().await;
    agent
        .send(Op::Setting(SettingOp::Thinking(ThinkingLevel::High)))
        .await;
    let report = settings(&mut agent, Op::query(Query::Settings)).await;
    let high = SettingValue::Text("high".to_owned());
    assert_eq!(value(&report, "thinking"), (high, SettingOrigin::Session));
    let other = ModelRef::new("anthropic", "claude-haiku-4-5");
    agent
        .send(Op::Setting(SettingOp::Model(other.clone())))
        .await;
    let report = settings(&mut agent, Op::query(Query::Settings)).await;
    let named = SettingValue::Text(other.to_string());
    assert_eq!(value(&report, "model"), (named, SettingOrigin::Session));
    settings(&mut agent, save("thinking", SettingsFile::User)).await;
    settings(&mut agent, save("model", SettingsFile::User)).await;
    agent.stop().await;
    let file = std::fs::read_to_string(harness.setup.paths.config_file()).unwrap();
    assert!(file.contains("thinking = \"high\""), "{file}");
    assert!(file.contains(&format!("model = \"{other}\"")), "{file}");
}

#[tokio::test]
async fn a_provider_with_a_new_key_is_asked_for_its_models() {
    let server = Server::start(Wire::Anthropic, []).await;
    let groq = Web::start(|asked| match asked.target.as_str() {
        "/v1/models" => json(r#"{"data":[{"id":"brand-new","context_window":131072}]}"#),
        _ => missing(),
    });
    let mut harness = Harness::new(&server);
    let base = format!("{}/v1", groq.base);
    let groq_url = "GROQ_BASE_URL".to_owned();
    harness.setup.environment.insert(groq_url, base);
    let mut agent = harness.start().await;
    agent
        .send(Op::Setting(SettingOp::Login {
            provider: "groq".to_owned(),
            key: EnteredKey::new("gsk-1").unwrap(),
        }))
        .await;
    let has_it = |event: &AgentEvent| match event {
        AgentEvent::Session(SessionEvent::ModelsListed(models)) => models
            .iter()
            .any(|it| it.model.to_string() == "groq/brand-new" && it.missing.is_none()),
        _ => false,
    };
    agent.until(has_it).await;
    agent.stop().await;
    let lists = ModelLists::read(&harness.setup.paths.listed_models_file());
    assert_eq!(lists.models().len(), 1, "known at the next start as well");
}

const SECRET: &str = "sk-typed-0123456789abcdef";

#[tokio::test]
async fn an_entered_key_is_used_by_the_next_request_and_is_in_one_file() {
    let server = Server::start(Wire::Anthropic, [text("hello")]).await;
    let mut harness = Harness::new(&server);
    harness.setup.environment.remove("ANTHROPIC_API_KEY");
    harness.setup.settings.providers.push(ProviderSettings {
        id: "anthropic".to_owned(),
        protocol: Protocol::Anthropic,
        api: None,
        base_url: None,
        // Another address needs a key only when somebody says where it is.
        api_key_env: Some("NOBODY_HAS_THIS".to_owned()),
        api_key_cmd: None,
        timeouts: plimsoll::provider::Timeouts::default(),
        gateway: Some(true),
        fields: plimsoll::provider::RequestFields::default(),
        headers: std::collections::BTreeMap::new(),
        models: Vec::new(),
    });
    let mut agent = harness.start().await;
    let refused = agent.ask("before").await;
    assert_eq!(refused.exit_code, 3, "{refused:?}");
    agent
        .send(Op::Setting(SettingOp::Login {
            provider: "anthropic".to_owned(),
            key: EnteredKey::new(SECRET).unwrap(),
        }))
        .await;
    let end = agent.ask("after").await;
    assert_eq!(end.text, "hello", "{end:?}");
    assert!(server.heads()[0].contains(SECRET));
    let events = format!("{:?}", agent.events);
    assert!(!events.contains(SECRET));
    agent.stop().await;
    let holds = files_with(harness.dir.path(), SECRET);
    assert_eq!(holds, [harness.setup.paths.credentials_file()]);
    let mut agent = harness.start().await;
    agent
        .send(Op::Setting(SettingOp::Logout("anthropic".to_owned())))
        .await;
    assert_eq!(agent.ask("again").await.exit_code, 3);
    agent.stop().await;
    assert!(files_with(harness.dir.path(), SECRET).is_empty());
}

fn files_with(folder: &std::path::Path, text: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_with(&path, text));
        } else if String::from_utf8_lossy(&std::fs::read(&path).unwrap()).contains(text) {
            found.push(path);
        }
    }
    found
}
