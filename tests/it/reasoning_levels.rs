//! How hard a model is asked to think: every state, on every wire format, for models that can
//! be switched off and for models that cannot; and what is said of it.

use std::sync::Arc;
use std::time::Duration;

use plimsoll::agent::{
    AgentEvent, AnswerDelta, AnswerEvent, CompactOptions, CompactionEvent, ContextOp, Op,
    SessionEvent, SettingOp,
};
use plimsoll::provider::{Environment, ListedModel, ModelLists, Registry};
use plimsoll::transcript::{
    CacheWishes, CompletionRequest, Message, ModelRef, ReasoningState, RequestMessage, ServerEdits,
    ThinkingLevel, ToolSchema,
};
use serde_json::{Value, json};

use super::agent::{Agent, Harness, joined};
use super::flow_overflow::SUMMARY;
use super::providers::{KEY, program};
use super::server::{Reply, Say, Server, Wire, text};
use super::{strict, strict_gemini};

fn registry() -> Registry {
    Registry::new(Vec::new(), Environment::default(), Duration::from_secs(1))
}

fn request(model: &ModelRef, thinking: ThinkingLevel) -> CompletionRequest {
    let read = ToolSchema {
        name: "read".to_owned(),
        description: "Reads a file.".to_owned(),
        parameters: json!({"type": "object", "properties": {"path": {"type": "string"}}}),
    };
    CompletionRequest {
        model: model.clone(),
        system: "You are a test.".into(),
        tools: [read].into(),
        messages: vec![RequestMessage {
            entry: None,
            message: Arc::new(Message::user_text("hello")),
            is_summary: false,
        }],
        max_output_tokens: 30_000,
        window_tokens: None,
        thinking,
        server: ServerEdits::default(),
        cache_key: None,
        cache: CacheWishes::default(),
    }
}

/// What a body says of reasoning, in a word: `-` for nothing, budgets as numbers.
fn asked(wire: Wire, body: &Value) -> String {
    let config = &body["generationConfig"]["thinkingConfig"];
    let reasoning = &body["reasoning"];
    let places = match wire {
        Wire::Anthropic => vec![&body["output_config"]["effort"], &body["thinking"]["type"]],
        Wire::Responses => vec![&reasoning["effort"]],
        Wire::Gemini => vec![&config["thinkingLevel"], &config["thinkingBudget"]],
        Wire::OpenAi => vec![
            &body["reasoning_effort"],
            &reasoning["effort"],
            &reasoning["enabled"],
            &body["thinking"]["type"],
            &body["enable_thinking"],
        ],
    };
    let said = places.into_iter().find(|value| !value.is_null());
    match said {
        None => "-".to_owned(),
        Some(Value::String(word)) => word.clone(),
        Some(other) => other.to_string(),
    }
}

/// Wire, provider and model, and what goes out when nothing is asked, for off, low, medium,
/// high and max.
const ROWS: [(Wire, &str, &str, &str); 26] = [
    (
        Wire::Anthropic,
        "anthropic",
        "claude-sonnet-5-5",
        "adaptive between_tools low medium high max",
    ),
    (
        Wire::Anthropic,
        "anthropic",
        "claude-opus-5-5",
        "adaptive low low medium high max",
    ),
    (
        Wire::Anthropic,
        "anthropic",
        "claude-haiku-5-5",
        "adaptive disabled low medium high max",
    ),
    (
        Wire::Anthropic,
        "anthropic",
        "claude-opus-4-8",
        "- - low medium high max",
    ),
    (
        Wire::Anthropic,
        "anthropic",
        "claude-sonnet-4-5",
        "- - enabled enabled enabled enabled",
    ),
    (
        Wire::Responses,
        "openai",
        "gpt-6.2-sol",
        "- low low medium high max",
    ),
    (
        Wire::Responses,
        "openai",
        "gpt-6-luna",
        "- none low medium high max",
    ),
    (
        Wire::Responses,
        "openai",
        "gpt-5.1",
        "- none low medium high high",
    ),
    (
        Wire::Responses,
        "openai",
        "gpt-5",
        "- minimal low medium high high",
    ),
    (Wire::Responses, "openai", "gpt-4o", "- - - - - -"),
    (
        Wire::Gemini,
        "gemini",
        "gemini-3.8-flash",
        "- low low medium high high",
    ),
    (
        Wire::Gemini,
        "gemini",
        "gemini-3.5-flash",
        "- minimal low medium high high",
    ),
    (
        Wire::Gemini,
        "gemini",
        "gemini-2.5-flash",
        "- 0 4096 10240 24576 24576",
    ),
    (
        Wire::Gemini,
        "gemini",
        "gemini-2.5-pro",
        "- 4096 4096 10240 24576 24576",
    ),
    (
        Wire::OpenAi,
        "deepseek",
        "deepseek-flash",
        "- disabled low low high max",
    ),
    (
        Wire::OpenAi,
        "openrouter",
        "anthropic/claude-sonnet-5.5",
        "- false low medium high max",
    ),
    (
        Wire::OpenAi,
        "openrouter",
        "anthropic/claude-opus-5.5",
        "- low low medium high max",
    ),
    (
        Wire::OpenAi,
        "xai",
        "grok-4.7",
        "- low low medium high xhigh",
    ),
    (
        Wire::OpenAi,
        "xai",
        "grok-4.3",
        "- none low medium high high",
    ),
    (
        Wire::OpenAi,
        "groq",
        "openai/gpt-oss-120b",
        "- low low medium high high",
    ),
    (Wire::OpenAi, "moonshot", "kimi-k2.6", "- disabled - - - -"),
    (
        Wire::OpenAi,
        "moonshot",
        "kimi-k3",
        "- low low low high max",
    ),
    (
        Wire::OpenAi,
        "zai",
        "glm-5.2",
        "- disabled high high high max",
    ),
    (Wire::OpenAi, "zai", "glm-4.7", "- disabled - - - -"),
    (Wire::OpenAi, "qwen", "qwen3.7-plus", "- false - - - -"),
    (Wire::OpenAi, "minimax", "MiniMax-M3", "- disabled - - - -"),
];

#[test]
fn each_state_is_sent_on_each_wire_as_the_model_takes_it() {
    use ThinkingLevel::{Default, High, Low, Max, Medium, Off};
    let registry = registry();
    for (wire, provider, name, expected) in ROWS {
        let model = ModelRef::new(provider, name);
        let encoder = registry.encoder(&model).unwrap();
        let levels = [Default, Off, Low, Medium, High, Max];
        for (level, expected) in levels.into_iter().zip(expected.split(' ')) {
            let body = encoder.wire_body(&request(&model, level));
            assert_eq!(asked(wire, &body), expected, "{model} {level:?}: {body:#}");
            let verdict = match (wire, provider) {
                (Wire::Gemini, _) => strict_gemini::check(&body, name.contains("-3")),
                (_, "deepseek") => strict::deepseek(&body),
                (_, "openrouter") => strict::openrouter(&body),
                // Their switches are fields of their own.
                (_, "moonshot" | "zai" | "qwen" | "minimax") => Ok(()),
                _ => strict::check(wire, &body),
            };
            assert_eq!(verdict, Ok(()), "{model} {level:?}");
        }
    }
}

#[test]
fn levels_that_a_provider_lists_are_those_that_are_sent_and_said() {
    use ThinkingLevel::{High, Low, Max, Off, Xhigh};
    let model = ModelRef::new("anthropic", "claude-sonnet-5-5");
    let mut lists = ModelLists::default();
    let listed = ListedModel {
        provider: model.provider.clone(),
        model: model.model.clone(),
        efforts: ["none", "low", "high", "someday"]
            .map(str::to_owned)
            .to_vec(),
        ..ListedModel::default()
    };
    lists.replace("anthropic", "https://api.anthropic.com", vec![listed]);
    let registry = registry().with_listed(&lists);
    assert_eq!(
        registry.shown_base("anthropic"),
        "https://api.anthropic.com"
    );
    let encoder = registry.encoder(&model).unwrap();
    let info = registry.model_info(&model);
    for (wish, sent) in [
        (Off, "between_tools"),
        (Low, "low"),
        (High, "high"),
        (Xhigh, "high"),
        (Max, "high"),
    ] {
        let body = encoder.wire_body(&request(&model, wish));
        assert_eq!(asked(Wire::Anthropic, &body), sent, "{wish:?}");
        let said = info.reasoning_state(wish).unwrap().words();
        assert_eq!(said == sent, wish != Off, "{wish:?}: {said}");
    }
    // A model that no family of the table describes has the levels of its list.
    let unknown = ModelRef::new("openrouter", "maker/unheard-of");
    let mut lists = ModelLists::default();
    let listed = ListedModel {
        provider: unknown.provider.clone(),
        model: unknown.model.clone(),
        efforts: ["none", "minimal"].map(str::to_owned).to_vec(),
        ..ListedModel::default()
    };
    lists.replace("openrouter", "https://openrouter.ai/api/v1", vec![listed]);
    let registry = registry.with_listed(&lists);
    let body = registry
        .encoder(&unknown)
        .unwrap()
        .wire_body(&request(&unknown, High));
    assert_eq!(asked(Wire::OpenAi, &body), "minimal");
}

/// What is said of a state is what goes out for it.
#[test]
fn a_model_that_is_said_to_be_off_is_switched_off_and_no_other() {
    let registry = registry();
    for (_, provider, name, expected) in ROWS {
        let model = ModelRef::new(provider, name);
        let info = registry.model_info(&model);
        let Some(state) = info.reasoning_state(ThinkingLevel::Off) else {
            assert_eq!(name, "gpt-4o", "the others reason");
            continue;
        };
        let sent = expected.split(' ').nth(1).unwrap_or_default();
        let is_off = ["-", "0", "none", "false", "disabled", "between_tools"].contains(&sent);
        assert_eq!(state.words() == "off", is_off, "{model} {sent}");
        let remark = state.remark(name);
        assert_eq!(remark.is_none(), is_off, "{model}");
        if let Some(remark) = remark {
            let lowest = format!("cannot be switched off; its lowest is {}", state.words());
            assert!(remark.contains(&lowest), "{remark}");
        }
    }
}

#[test]
fn what_a_model_does_when_nothing_is_asked_is_named_where_it_is_known() {
    let registry = registry();
    for (provider, name, words) in [
        (
            "anthropic",
            "claude-sonnet-5-5",
            Some("model default (high)"),
        ),
        (
            "anthropic",
            "claude-opus-5-5",
            Some("model default (medium)"),
        ),
        ("anthropic", "claude-opus-4-6", Some("model default (off)")),
        ("openai", "gpt-6.2-sol", Some("model default (medium)")),
        ("openai", "gpt-5.1", Some("model default (off)")),
        ("gemini", "gemini-2.5-pro", Some("model default")),
        ("deepseek", "deepseek-v4-pro", Some("model default (high)")),
        ("openai", "gpt-4o", None),
        ("nowhere", "nobody-knows", None),
    ] {
        let info = registry.model_info(&ModelRef::new(provider, name));
        let state = info.reasoning_state(ThinkingLevel::Default);
        let said = state.map(|state| state.words());
        assert_eq!(said.as_deref(), words, "{name}");
    }
}

fn harness(server: &Server, model: &str, level: ThinkingLevel) -> Harness {
    Harness::new(server).set(|s| {
        s.agent.model = Some(ModelRef::new("anthropic", model));
        s.agent.thinking = level;
    })
}

/// The words for how hard the model reasons, as they came.
fn told(agent: &Agent) -> Vec<String> {
    let words = |event: &AgentEvent| {
        match event {
            AgentEvent::Session(SessionEvent::Opened(info)) => info.reasoning.as_ref(),
            AgentEvent::Session(SessionEvent::Reasoning(state)) => state.as_ref(),
            _ => None,
        }
        .map(ReasoningState::words)
    };
    agent.events.iter().filter_map(words).collect()
}

fn notices(agent: &Agent) -> String {
    let text = |event: &AgentEvent| match event {
        AgentEvent::Notice(notice) => Some(format!("{}\n", notice.text)),
        _ => None,
    };
    agent.events.iter().filter_map(text).collect()
}

#[tokio::test]
async fn a_model_that_cannot_be_switched_off_says_so_at_the_start_and_when_it_takes_over() {
    let server = Server::start(Wire::Anthropic, ["one", "two", "three"].map(text)).await;
    let harness = harness(&server, "claude-opus-5-5", ThinkingLevel::Off);
    let mut agent = harness.start().await;
    let cannot = "claude-opus-5-5 cannot be switched off; its lowest is low";
    agent.ask("one").await;
    assert!(notices(&agent).contains(cannot), "{}", notices(&agent));
    let choose = |name: &str| Op::Setting(SettingOp::Model(ModelRef::new("anthropic", name)));
    agent.send(choose("claude-sonnet-5-5")).await;
    agent.ask("two").await;
    agent.send(choose("claude-opus-5-5")).await;
    agent.ask("three").await;
    assert_eq!(told(&agent), ["low", "off", "low"]);
    assert_eq!(notices(&agent).matches(cannot).count(), 2);
    let sent = |at: usize| asked(Wire::Anthropic, &server.body(at));
    assert_eq!([sent(0), sent(1), sent(2)], ["low", "between_tools", "low"]);
    agent.stop().await;
}

#[tokio::test]
async fn of_a_model_that_is_not_known_to_reason_nothing_is_said_that_is_not_sent() {
    let server = Server::start(Wire::Anthropic, ["one", "two"].map(text)).await;
    let harness = harness(&server, "claude-2.1", ThinkingLevel::Default);
    let mut agent = harness.start().await;
    agent.ask("one").await;
    let off = Op::Setting(SettingOp::Thinking(ThinkingLevel::Off));
    agent.send(off).await;
    agent.ask("two").await;
    let said = "claude-2.1 is not known to reason: no reasoning level is sent";
    assert!(notices(&agent).contains(said), "{}", notices(&agent));
    assert!(!notices(&agent).contains("reasoning: off"));
    assert_eq!(asked(Wire::Anthropic, &server.body(1)), "-");
    agent.stop().await;
}

#[tokio::test]
async fn a_level_that_is_chosen_holds_from_the_next_request_on_and_is_said_as_it_is_sent() {
    let server = Server::start(Wire::Anthropic, ["one", "two", "three", "four"].map(text)).await;
    let harness = harness(&server, "claude-opus-4-6", ThinkingLevel::Default);
    let mut agent = harness.start().await;
    agent.ask("one").await;
    for (level, said) in [
        (
            ThinkingLevel::Xhigh,
            "reasoning: high; claude-opus-4-6 has no xhigh; high is sent",
        ),
        (ThinkingLevel::Off, "reasoning: off\n"),
        (ThinkingLevel::Default, "reasoning: model default (off)\n"),
    ] {
        agent.send(Op::Setting(SettingOp::Thinking(level))).await;
        agent.ask("go on").await;
        assert!(
            notices(&agent).contains(said),
            "{said}: {}",
            notices(&agent)
        );
    }
    let sent: Vec<String> = server
        .seen()
        .iter()
        .map(|it| asked(Wire::Anthropic, it))
        .collect();
    assert_eq!(sent, ["-", "high", "-", "-"]);
    assert_eq!(
        told(&agent),
        ["model default (off)", "high", "off", "model default (off)"]
    );
    agent.stop().await;
}

/// The wait is over at once, and what goes out is what was chosen.
#[tokio::test]
async fn a_level_that_is_chosen_during_a_retry_wait_is_in_the_next_try() {
    let body = json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}});
    let wait = ("retry-after-ms", "300".to_owned());
    let busy = Reply::Status(529, vec![wait], body.to_string());
    let server = Server::start(Wire::Anthropic, [busy, text("ok")]).await;
    let harness = harness(&server, "claude-sonnet-5-5", ThinkingLevel::Default);
    let mut agent = harness.start().await;
    agent.say("hello").await;
    agent
        .until(|event| matches!(event, AgentEvent::Stream(AnswerEvent::Retrying { .. })))
        .await;
    agent
        .send(Op::Setting(SettingOp::Thinking(ThinkingLevel::Off)))
        .await;
    assert_eq!(agent.turn_end().await.text, "ok");
    assert_eq!(asked(Wire::Anthropic, &server.body(1)), "between_tools");
    agent.stop().await;
}

/// With `updates` the words between calls come in blocks of reasoning, beside empty ones.
#[tokio::test]
async fn what_claude_says_between_tool_calls_is_shown_logged_sent_back_and_summarised() {
    const SAID: &str = "The parser drops the last byte; I read its tests.";
    let on_the_way = Say::default()
        .thinking(SAID, "c2lnbmVk")
        .call("c1", "list", &json!({}))
        .reply();
    let server = Server::start(Wire::Anthropic, [on_the_way, text("done"), text("more")]).await;
    let harness = harness(&server, "claude-sonnet-5-5", ThinkingLevel::Default).without_audit();
    let mut agent = harness.start().await;
    agent.ask("find the bug").await;
    let thinking = &server.body(0)["thinking"];
    assert_eq!(
        (&thinking["type"], &thinking["display"]),
        (&json!("adaptive"), &json!("updates"))
    );
    let is_shown = |event: &AgentEvent| matches!(event, AgentEvent::Stream(AnswerEvent::Delta(AnswerDelta::Thinking(text))) if text == SAID);
    assert!(agent.events.iter().any(is_shown));
    assert!(
        harness
            .log()
            .iter()
            .any(|line| line.to_string().contains(SAID))
    );
    let back = json!({"type": "thinking", "thinking": SAID, "signature": "c2lnbmVk"});
    assert_eq!(server.body(1)["messages"][1]["content"][0], back);

    agent.ask("and now?").await;
    server.then_for_summaries([text(SUMMARY)]);
    let options = CompactOptions {
        yes: true,
        force: true,
        ..CompactOptions::default()
    };
    agent.send(Op::Context(ContextOp::Compact(options))).await;
    // What is left is not smaller than so little: the request of the summary is what counts.
    agent
        .until(|event| {
            matches!(
                event,
                AgentEvent::Compaction(CompactionEvent::Failed { .. })
            )
        })
        .await;
    let summary = server.seen().into_iter().map(|body| joined(&body));
    let summary = summary.filter(|text| text.contains("[Tool call: list]"));
    let read: Vec<String> = summary.collect();
    assert!(
        !read.is_empty() && read.iter().all(|text| text.contains(SAID)),
        "{read:#?}"
    );
    agent.stop().await;
}

#[test]
fn doctor_and_the_list_of_models_name_how_hard_a_model_reasons() {
    let plim = program()
        .with("ANTHROPIC_API_KEY", KEY)
        .with("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
        .with("DEEPSEEK_API_KEY", KEY)
        .with("OPENAI_API_KEY", KEY);
    let doctor = |model: &str, level: &str| {
        let setting = format!("thinking={level}");
        plim.run(&["doctor", "-m", model, "-S", &setting]).out
    };
    let asks_nothing = doctor("anthropic/claude-sonnet-5-5", "default");
    assert!(
        asks_nothing.contains("reasoning     model default (high)"),
        "{asks_nothing}"
    );
    let off = doctor("anthropic/claude-sonnet-5-5", "off");
    assert!(off.contains("reasoning     off\n"), "{off}");
    let cannot = doctor("anthropic/claude-opus-5-5", "off");
    assert!(cannot.contains("reasoning     low\n"), "{cannot}");
    assert!(
        cannot.contains("cannot be switched off; its lowest is low"),
        "{cannot}"
    );
    let args = [
        "doctor",
        "--json",
        "-m",
        "anthropic/claude-opus-5-5",
        "-S",
        "thinking=off",
    ];
    assert_eq!(
        plim.run(&args).json()["model"]["reasoning"],
        json!({"asked": "off", "sent": "low", "model_default": "medium"})
    );
    let models = plim.run(&["models", "--json"]).json();
    let row = |name: &str| {
        let mut rows = models.as_array().unwrap().iter();
        rows.find(|row| row["model"] == name).unwrap()["reasoning"].clone()
    };
    assert_eq!(
        row("deepseek/deepseek-flash"),
        json!({"levels": ["low", "high", "max"], "off": true, "default": "high"})
    );
    assert_eq!(row("openai/gpt-4o"), json!(null));
}

/// An old configuration stays valid, and means what it says now.
#[test]
fn a_run_without_a_screen_says_when_a_model_cannot_be_switched_off() {
    let web = super::web::Web::start(|_| super::web::missing());
    let plim = program()
        .with("ANTHROPIC_API_KEY", KEY)
        .with("ANTHROPIC_BASE_URL", &web.base);
    let file = plim
        .file("config.toml", "thinking = \"off\"\n")
        .display()
        .to_string();
    let ran = plim.run(&[
        "--config",
        &file,
        "-m",
        "anthropic/claude-opus-5-5",
        "-p",
        "hi",
    ]);
    assert!(
        ran.err
            .contains("cannot be switched off; its lowest is low"),
        "{ran:?}"
    );
    let asked = web.asked();
    let sent = asked
        .iter()
        .find(|asked| asked.head.starts_with("POST"))
        .unwrap();
    let body: Value = serde_json::from_str(&sent.body).unwrap();
    assert_eq!(body["output_config"]["effort"], "low");
}
