//! What is known about models: who says it, what models.dev adds, and which are switched off.

use std::path::Path;
use std::time::{Duration, Instant};

use plimsoll::agent::{AgentEvent, NoticeLevel, Op, SettingOp};
use plimsoll::transcript::{ModelRef, Timestamp};
use serde_json::{Value, json};

use super::agent::{Harness, NOW_MS};
use super::program::{Program, dead_address};
use super::server::{Server, Wire, text};
use super::web::{Answer, Web, json as answer, missing};

/// A model as models.dev describes it.
fn described(window: u64, input: f64) -> Value {
    json!({"tool_call": true, "reasoning": true, "release_date": "2026-11-20",
        "limit": {"context": window, "output": 64_000},
        "modalities": {"input": ["text", "image"], "output": ["text"]},
        "cost": {"input": input, "output": 5.0 * input, "cache_read": 0.1 * input}})
}

fn api_json() -> Value {
    json!({"anthropic": {"id": "anthropic", "models": {
        "claude-unheard-of-9": described(3_000_000, 7.0),
        "claude-haiku-4-5": described(200_000, 0.5)}}})
}

fn models_dev(body: String) -> Web {
    Web::start(move |asked| -> Answer {
        if asked.target == "/api.json" {
            answer(&body)
        } else {
            missing()
        }
    })
}

fn program(web: &str) -> Program {
    Program::new()
        .with("ANTHROPIC_API_KEY", "sk-ant-12345678")
        .with("ANTHROPIC_BASE_URL", &dead_address())
        .with("PLIMSOLL_CATALOGUE_REFRESH", "true")
        .with("PLIMSOLL_CATALOGUE_URL", &format!("{web}/api.json"))
}

/// What stands at the address is the provider itself: its prices hold.
const GATEWAY: [&str; 2] = ["-S", "providers.anthropic.gateway=true"];

fn rows(plim: &Program, args: &[&str]) -> Vec<Value> {
    let all = [args, &GATEWAY, &["models", "--json"]].concat();
    let rows = plim.run(&all).json();
    rows.as_array().unwrap().clone()
}

fn row(rows: &[Value], model: &str) -> Option<Value> {
    rows.iter().find(|row| row["model"] == model).cloned()
}

#[test]
fn a_refresh_adds_what_models_dev_says_and_each_row_names_its_source() {
    let web = models_dev(api_json().to_string());
    let plim = program(&web.base);
    let before = rows(&plim, &[]);
    assert_eq!(row(&before, "anthropic/claude-unheard-of-9"), None);
    assert!(web.asked().is_empty(), "a list of models asks nobody");
    let ran = plim.run(&["models", "--refresh"]);
    assert!(
        ran.out
            .contains("models.dev: 2 models; 1 new: anthropic/claude-unheard-of-9"),
        "{ran:?}"
    );
    assert_eq!(web.asked().len(), 1);
    assert!(!web.asked()[0].head.contains("sk-ant"), "{:?}", web.asked());
    let after = rows(&plim, &[]);
    let new = row(&after, "anthropic/claude-unheard-of-9").unwrap();
    assert_eq!(
        (&new["window"], &new["price"]["input"]),
        (&json!(3_000_000), &json!(7.0))
    );
    assert_eq!(new["sources"]["window"], "models.dev");
    let cheaper = row(&after, "anthropic/claude-haiku-4-5").unwrap();
    assert_eq!(cheaper["price"]["input"], 0.5);
    assert_eq!(
        cheaper["sources"],
        json!({"window": "snapshot", "price": "models.dev", "abilities": "models.dev"})
    );
    let newest = row(&after, "anthropic/claude-sonnet-5-5").unwrap();
    assert_eq!(newest["sources"]["price"], "own table");
    let text = plim.run(&[&GATEWAY[..], &["models"]].concat()).out;
    assert!(text.contains("snapshot, price: models.dev"), "{text}");
    let doctor = plim
        .run(
            &[
                &GATEWAY[..],
                &["doctor", "-m", "anthropic/claude-haiku-4-5"],
            ]
            .concat(),
        )
        .out;
    assert!(
        doctor.contains("limits: snapshot · price: models.dev"),
        "{doctor}"
    );
    assert!(
        doctor.contains("snapshot of 20") && doctor.contains("models.dev of 20"),
        "{doctor}"
    );
    let off = plim.with("PLIMSOLL_CATALOGUE_REFRESH", "false");
    off.run(&["models", "--refresh"]);
    assert_eq!(web.asked().len(), 1, "switched off, nobody is asked");
}

#[test]
fn an_answer_that_cannot_be_true_changes_nothing_and_doctor_says_it_once() {
    let mut absurd = api_json();
    absurd["anthropic"]["models"] = json!({
        "claude-haiku-4-5": described(u64::MAX, 1.0), "claude-opus-4-5": described(1, -4.0)});
    let huge = format!("{{\"anthropic\": \"{}\"}}", "x".repeat(13 * 1024 * 1024));
    for hostile in [
        "<html>",
        "[]",
        "{\"anthropic\": {\"models\": 7}}",
        &absurd.to_string(),
        &huge,
    ] {
        let web = models_dev(hostile.to_owned());
        let plim = program(&web.base);
        let before = rows(&plim, &[]);
        let ran = plim.run(&["models", "--refresh"]);
        let start: String = hostile.chars().take(80).collect();
        assert!(
            ran.err.contains("models.dev: ") && ran.code != 0,
            "{start}: {ran:?}"
        );
        assert_eq!(rows(&plim, &[]), before, "{start}");
        let doctor = plim.run(&["doctor", "--json"]).json();
        let problems = doctor["problems"].as_array().unwrap().iter();
        let said: Vec<&Value> = problems
            .filter(|it| it["text"].as_str().unwrap().contains("models.dev"))
            .collect();
        assert_eq!(said.len(), 1, "{start}: {doctor}");
        assert_eq!(said[0]["severity"], "warning");
    }
}

#[test]
fn a_broken_file_of_models_is_ignored_and_doctor_says_it_once() {
    let plim = program(&dead_address());
    let before = rows(&plim, &[]);
    let cache = plim.home().join("plimsoll/cache");
    std::fs::create_dir_all(&cache).unwrap();
    let wrong = "{\"id\":\"anthropic/claude-haiku-4-5\",\"window\":-7,\"max_output\":1e999}\n";
    for broken in [wrong, "\0\0\0", "{}", "{\"id\":\"", &"\n".repeat(100_000)] {
        std::fs::write(cache.join("models-dev.jsonl"), broken).unwrap();
        assert_eq!(rows(&plim, &[]), before);
        let doctor = plim.run(&["doctor"]).out;
        assert_eq!(
            doctor.matches("models-dev.jsonl is ignored").count(),
            1,
            "{doctor}"
        );
    }
}

#[test]
fn a_server_that_says_nothing_costs_a_refresh_no_more_than_its_patience() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let _held: Vec<_> = listener.incoming().collect();
    });
    let plim = program(&base);
    let began = Instant::now();
    let ran = plim.run(&["models", "--refresh"]);
    let secs = began.elapsed().as_secs_f64();
    assert!(ran.err.contains("models.dev: ") && ran.code != 0, "{ran:?}");
    assert!(
        secs < 30.0,
        "{secs} s on a busy machine; 4.1 on an idle one"
    );
}

#[test]
fn models_that_are_switched_off_are_hidden_from_their_day_on_and_warned_of_before() {
    let plim = program(&dead_address());
    let on = |day: &str| rows(&plim, &["--now", &format!("{day}T12:00:00Z")]);
    let ending = row(&on("2026-11-22"), "anthropic/claude-sonnet-4-5").unwrap();
    assert_eq!(ending["retires"], "2026-11-30");
    assert!(row(&on("2026-11-29"), "anthropic/claude-sonnet-4-5").is_some());
    assert_eq!(row(&on("2026-11-30"), "anthropic/claude-sonnet-4-5"), None);
    for gone in [
        "claude-opus-4-1",
        "claude-sonnet-4",
        "claude-3-opus-20240229",
    ] {
        assert_eq!(
            row(&on("2026-11-22"), &format!("anthropic/{gone}")),
            None,
            "{gone}"
        );
    }
    let text = plim.run(&["--now", "2026-11-22T12:00:00Z", "models"]).out;
    assert!(text.contains("ready, until 2026-11-30"), "{text}");
    let doctor = |day: &str| {
        let now = format!("{day}T12:00:00Z");
        let args = [
            "--now",
            &now,
            "-m",
            "anthropic/claude-sonnet-4-5",
            "doctor",
            "--json",
        ];
        let problems = plim.run(&args).json()["problems"].clone();
        let all = problems.as_array().unwrap().clone();
        let found = all
            .into_iter()
            .find(|it| it["text"].as_str().unwrap().contains("switched off"));
        found.map(|it| {
            (
                it["severity"].as_str().unwrap().to_owned(),
                it["text"].clone(),
            )
        })
    };
    assert_eq!(doctor("2026-10-01"), None);
    let (severity, said) = doctor("2026-11-22").unwrap();
    assert_eq!(severity, "warning");
    assert!(
        said.as_str().unwrap().contains("on 2026-11-30, in 8 days"),
        "{said}"
    );
    assert_eq!(doctor("2026-12-24").unwrap().0, "error");
}

#[test]
fn of_a_provider_that_is_not_set_up_only_the_models_are_listed_that_people_look_for() {
    let of = |plim: &Program, provider: &str| {
        let rows = rows(plim, &[]);
        let all = rows.iter().filter_map(|row| row["model"].as_str());
        all.filter(|model| model.starts_with(provider)).count()
    };
    let bare = Program::new();
    for provider in ["anthropic/", "groq/", "openrouter/", "cerebras/"] {
        let listed = of(&bare, provider);
        assert!((1..=12).contains(&listed), "{provider}: {listed}");
    }
    let keyed = Program::new().with("OPENROUTER_API_KEY", "sk-or-12345678");
    assert!(of(&keyed, "openrouter/") > 150);
}

/// Waits until a file is there.
async fn appears(path: &Path) {
    let began = Instant::now();
    while !path.exists() {
        assert!(
            began.elapsed() < Duration::from_mins(1),
            "{}",
            path.display()
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn models_dev_is_asked_once_a_day_beside_a_chat_and_not_where_it_is_switched_off() {
    let web = models_dev(api_json().to_string());
    let server = Server::start(Wire::Anthropic, std::iter::repeat_n(text("hi"), 8)).await;
    let url = format!("{}/api.json", web.base);
    let mut harness = Harness::new(&server).set(|s| {
        s.agent.network.catalogue_refresh = true;
        s.agent.network.catalogue_url = Some(url);
    });
    let file = harness.setup.paths.refreshed_models_file();
    let chat = async |harness: &Harness| {
        let mut agent = harness.start().await;
        agent.ask("hello").await;
        agent.stop().await;
    };
    // Where it is switched off, where nobody looks, without a network.
    for quiet in [
        |harness: &mut Harness| harness.setup.settings.agent.network.catalogue_refresh = false,
        |harness: &mut Harness| harness.setup.is_interactive = false,
        |harness: &mut Harness| harness.setup.flags.offline = true,
    ] {
        let known = harness.setup.clone();
        quiet(&mut harness);
        chat(&harness).await;
        harness.setup = known;
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(web.asked().is_empty() && !file.exists());
    chat(&harness).await;
    appears(&file).await;
    let model = ModelRef::new("anthropic", "claude-unheard-of-9");
    let window = harness
        .setup
        .registry()
        .catalogue()
        .lookup(&model)
        .window_tokens;
    assert_eq!(window, Some(3_000_000));
    chat(&harness).await;
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(web.asked().len(), 1, "once a day");
    let later = Timestamp(NOW_MS + 25 * 3_600_000);
    harness.setup.clock = plimsoll::agent::Clock::new(Some(later));
    chat(&harness).await;
    let began = Instant::now();
    while web.asked().len() < 2 {
        assert!(began.elapsed() < Duration::from_mins(1));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn whoever_uses_a_model_that_is_switched_off_is_told_so_and_may() {
    let server = Server::start(Wire::Anthropic, [text("hi"), text("there")]).await;
    let mut harness = Harness::new(&server);
    // 2026-11-22
    harness.setup.clock = plimsoll::agent::Clock::new(Some(Timestamp(1_795_305_600_000)));
    harness.setup.flags.model = Some("anthropic/claude-opus-4-1".to_owned());
    let mut agent = harness.start().await;
    agent.ask("hello").await;
    let said = |events: &[AgentEvent], words: &str| {
        events.iter().any(|event| {
            matches!(event, AgentEvent::Notice(notice)
                if notice.level == NoticeLevel::Warning && notice.text.contains(words))
        })
    };
    assert!(said(
        &agent.events,
        "claude-opus-4-1 was switched off on 2026-08-05"
    ));
    assert_eq!(server.body(0)["model"], "claude-opus-4-1");
    let next = ModelRef::new("anthropic", "claude-sonnet-4-5");
    agent.send(Op::Setting(SettingOp::Model(next))).await;
    agent.ask("and now").await;
    assert!(said(
        &agent.events,
        "claude-sonnet-4-5 will be switched off on 2026-11-30, in 8 days"
    ));
    agent.stop().await;
}
