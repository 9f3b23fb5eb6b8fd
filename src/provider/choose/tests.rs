use std::collections::BTreeMap;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;
use crate::provider::catalogue::listing::{ListedModel, ModelLists};
use crate::provider::http::client::DEFAULT_STALL;
use crate::provider::registry::environment::Environment;
use crate::provider::registry::readiness::AvailableModel;
use crate::transcript::WindowSource;

/// Nothing listens there.
const CLOSED: &str = "http://127.0.0.1:1/v1";

fn registry(variables: &[(&str, &str)]) -> Registry {
    let mut all: BTreeMap<String, String> = ["OLLAMA", "LLAMACPP", "LMSTUDIO", "VLLM"]
        .map(|id| (format!("{id}_BASE_URL"), CLOSED.to_owned()))
        .into();
    for (name, value) in variables {
        all.insert((*name).to_owned(), (*value).to_owned());
    }
    let environment: Environment = all.into_iter().collect();
    // On a machine with much to do, too.
    Registry::new(Vec::new(), environment, DEFAULT_STALL)
        .with_probing(true, Duration::from_secs(20))
}

fn model(text: &str) -> ModelRef {
    let (provider, model) = text.split_once('/').unwrap();
    ModelRef::new(provider, model)
}

async fn check(wish: ModelWish, variables: &[(&str, &str)], expected: &str, why: &str) {
    let choice = choose(&wish, &registry(variables), &|_| true)
        .await
        .unwrap();
    assert_eq!(choice.model.to_string(), expected, "{wish:?}");
    assert!(choice.reason.contains(why), "{}", choice.reason);
}

fn flag(text: &str) -> ModelWish {
    ModelWish {
        flag: Some(text.to_owned()),
        ..ModelWish::default()
    }
}

#[tokio::test]
async fn the_order_of_choices() {
    let keys = [("GROQ_API_KEY", "g"), ("OPENAI_API_KEY", "o")];
    let all = ModelWish {
        flag: Some("groq/x".to_owned()),
        configured: Some(model("openai/y")),
        last_used: Some(model("xai/z")),
        offline: true,
        ..ModelWish::default()
    };
    check(all.clone(), &keys, "offline/plain", "requested").await;
    let wish = ModelWish {
        offline: false,
        ..all
    };
    check(wish.clone(), &keys, "groq/x", "command line").await;
    let wish = ModelWish { flag: None, ..wish };
    check(wish.clone(), &keys, "openai/y", "configuration").await;
    let wish = ModelWish {
        configured: None,
        ..wish
    };
    check(wish.clone(), &[("XAI_API_KEY", "x")], "xai/z", "used last").await;
    check(wish, &keys, "openai/gpt-6.2-sol", "OPENAI_API_KEY is set").await;
    check(
        ModelWish::default(),
        &keys[..1],
        "groq/openai/gpt-oss-120b",
        "GROQ_API_KEY",
    )
    .await;
    let probing = ModelWish {
        probe_local: true,
        ..ModelWish::default()
    };
    check(probing, &[], "offline/plain", "no key").await;
}

#[tokio::test]
async fn names_of_models() {
    check(flag("anthropic/claude-x"), &[], "anthropic/claude-x", "").await;
    check(
        flag("claude-sonnet-4-5-20250929"),
        &[],
        "anthropic/claude-sonnet-4-5-20250929",
        "",
    )
    .await;
    check(flag("openai/gpt-5-mini"), &[], "openai/gpt-5-mini", "").await;
    check(
        flag("google/gemini-2.5-pro"),
        &[],
        "openrouter/google/gemini-2.5-pro",
        "",
    )
    .await;
    check(flag("anthropic"), &[], "anthropic/claude-sonnet-5-5", "").await;
    check(flag("offline"), &[], "offline/plain", "").await;
    for unknown in ["", "who", "who/what", "ollama", "openai/"] {
        assert!(
            choose(&flag(unknown), &registry(&[]), &|_| true)
                .await
                .is_err(),
            "{unknown}"
        );
    }
    let at = |text: &str| ModelWish {
        base_url: Some("http://box:9/v1".to_owned()),
        ..flag(text)
    };
    check(at("who"), &[], "openai/who", "").await;
    check(at("who/what"), &[], "openai/who/what", "").await;
    let registry = registry(&[]);
    let choice = choose(&at("anthropic/any"), &registry, &|_| true)
        .await
        .unwrap();
    assert_eq!(
        registry.address(&choice.model).unwrap().url,
        "http://box:9/v1/messages"
    );
    let nameless = ModelWish {
        flag: None,
        probe_local: true,
        ..at("")
    };
    assert!(choose(&nameless, &registry, &|_| true).await.is_err());
}

/// A server that answers paths with bodies, 404 otherwise.
async fn serve(routes: &'static [(&'static str, &'static str)]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut buffer = vec![0; 4096];
                let n = socket.read(&mut buffer).await.unwrap_or(0);
                let head = String::from_utf8_lossy(&buffer[..n]).into_owned();
                let path = head.split(' ').nth(1).unwrap_or_default();
                let found = routes.iter().find(|(route, _)| *route == path);
                let (status, body) = found.map_or((404, "no"), |(_, body)| (200, *body));
                let answer = format!(
                    "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                    body.len()
                );
                let _ = socket.write_all(answer.as_bytes()).await;
            });
        }
    });
    base
}

async fn local(
    variable: &str,
    routes: &'static [(&'static str, &'static str)],
    name: Option<&str>,
) -> (String, Option<u64>) {
    let base = serve(routes).await;
    let registry = registry(&[(variable, &base)]);
    let wish = ModelWish {
        probe_local: true,
        flag: name.map(str::to_owned),
        ..ModelWish::default()
    };
    let choice = choose(&wish, &registry, &|_| true).await.unwrap();
    let info = registry.model_info(&choice.model);
    let is_served = info.window_source == WindowSource::Server;
    assert_eq!(is_served, choice.model.provider != "offline");
    (choice.model.to_string(), info.window_tokens)
}

#[tokio::test]
async fn local_servers_tell_their_model_and_window() {
    let got = local(
        "OLLAMA_BASE_URL",
        &[(
            "/api/ps",
            r#"{"models":[{"name":"qwen3:8b","context_length":16384}]}"#,
        )],
        None,
    )
    .await;
    assert_eq!(got, ("ollama/qwen3:8b".to_owned(), Some(16_384)));
    let idle: &[(&str, &str)] = &[
        ("/api/ps", r#"{"models":[]}"#),
        ("/api/tags", r#"{"models":[{"name":"a"},{"name":"b"}]}"#),
        (
            "/api/show",
            r#"{"parameters":"stop \"x\"\nnum_ctx    8192","model_info":{"llama.context_length":131072}}"#,
        ),
    ];
    let got = local("OLLAMA_BASE_URL", idle, None).await;
    assert_eq!(got, ("ollama/a".to_owned(), Some(8_192)));
    let got = local("OLLAMA_BASE_URL", idle, Some("ollama/b")).await;
    assert_eq!(got, ("ollama/b".to_owned(), Some(8_192)));
    let got = local(
        "LLAMACPP_BASE_URL",
        &[
            ("/v1/models", r#"{"data":[{"id":"gemma.gguf"}]}"#),
            (
                "/props",
                r#"{"default_generation_settings":{"n_ctx":4096}}"#,
            ),
        ],
        None,
    )
    .await;
    assert_eq!(got, ("llamacpp/gemma.gguf".to_owned(), Some(4_096)));
    let got = local(
        "LMSTUDIO_BASE_URL",
        &[("/api/v0/models", r#"{"data":[{"id":"e","type":"embeddings","state":"loaded"},{"id":"m","type":"vlm","state":"loaded","loaded_context_length":9000,"max_context_length":32768}]}"#)],
        None,
    ).await;
    assert_eq!(got, ("lmstudio/m".to_owned(), Some(9_000)));
    let got = local(
        "VLLM_BASE_URL",
        &[(
            "/v1/models",
            r#"{"data":[{"id":"x/y","max_model_len":40960}]}"#,
        )],
        None,
    )
    .await;
    assert_eq!(got, ("vllm/x/y".to_owned(), Some(40_960)));
    // Something else listens there.
    let got = local("VLLM_BASE_URL", &[("/v1/models", "<html>")], None).await;
    assert_eq!(got, ("offline/plain".to_owned(), Some(32_000)));
}

/// An Ollama that runs a model with 8,192 tokens, and a vLLM with 40,960.
async fn two_servers() -> Registry {
    let ollama = serve(&[(
        "/api/ps",
        r#"{"models":[{"name":"qwen3:8b","context_length":8192}]}"#,
    )])
    .await;
    let vllm = serve(&[(
        "/v1/models",
        r#"{"data":[{"id":"x","max_model_len":40960}]}"#,
    )])
    .await;
    registry(&[("OLLAMA_BASE_URL", &ollama), ("VLLM_BASE_URL", &vllm)])
}

#[tokio::test]
async fn a_server_with_too_small_a_window_is_passed_over_for_one_that_can_be_used() {
    let wish = ModelWish {
        probe_local: true,
        ..ModelWish::default()
    };
    let at_least = |least: u64| {
        move |info: &ModelInfo| info.window_tokens.is_none_or(|window| window >= least)
    };
    let choice = choose(&wish, &two_servers().await, &at_least(16_000)).await;
    let choice = choice.unwrap();
    assert_eq!(choice.model, model("vllm/x"));
    assert_eq!(
        choice.reason,
        "a local vLLM server answers; window too small: Ollama"
    );
    // The first one that can be used, not the largest.
    let choice = choose(&wish, &two_servers().await, &at_least(8_000)).await;
    let choice = choice.unwrap();
    assert_eq!(choice.model, model("ollama/qwen3:8b"));
    assert_eq!(choice.reason, "a local Ollama server answers");
    // None can be used: the one that is nearest to it.
    let choice = choose(&wish, &two_servers().await, &at_least(64_000)).await;
    let choice = choice.unwrap();
    assert_eq!(choice.model, model("vllm/x"));
    assert_eq!(choice.reason, "a local vLLM server answers");
}

#[tokio::test]
async fn of_several_models_that_are_loaded_the_first_that_can_be_used_is_taken() {
    let lm_studio = serve(&[(
        "/api/v0/models",
        r#"{"data":[
            {"id":"large","type":"llm","state":"not-loaded","max_context_length":131072},
            {"id":"small","type":"llm","state":"loaded","loaded_context_length":4096},
            {"id":"enough","type":"llm","state":"loaded","loaded_context_length":32768},
            {"id":"more","type":"llm","state":"loaded","loaded_context_length":65536}]}"#,
    )])
    .await;
    let ollama = serve(&[
        (
            "/api/ps",
            r#"{"models":[{"name":"a","context_length":4096},{"name":"b","context_length":16384},
                {"name":"c","context_length":65536}]}"#,
        ),
        ("/api/show", r#"{"capabilities":["completion"]}"#),
    ])
    .await;
    let wish = ModelWish {
        probe_local: true,
        ..ModelWish::default()
    };
    for (variable, base, expected) in [
        ("LMSTUDIO_BASE_URL", &lm_studio, ["enough", "more", "small"]),
        ("OLLAMA_BASE_URL", &ollama, ["b", "c", "a"]),
    ] {
        for (least, expected) in [16_000, 64_000, 1_000].into_iter().zip(expected) {
            let fits = move |info: &ModelInfo| info.window_tokens >= Some(least);
            let registry = registry(&[(variable, base.as_str())]);
            let choice = choose(&wish, &registry, &fits).await.unwrap();
            assert_eq!(choice.model.model, expected, "{variable} {least}");
            let passed = choice.reason.split_once("window too small: ");
            let passed = passed.map(|(_, names)| names.split(", ").count());
            assert_eq!(passed.is_some(), least > 1_000, "{}", choice.reason);
        }
        // None can be used: the one that is nearest to it.
        let choice = choose(&wish, &registry(&[(variable, base.as_str())]), &|_| false).await;
        assert!(["more", "c"].contains(&choice.unwrap().model.model.as_str()));
    }
}

#[tokio::test]
async fn local_models_are_available_with_and_without_a_window() {
    let ollama = serve(&[
        (
            "/api/ps",
            r#"{"models":[{"name":"b:latest","context_length":16384}]}"#,
        ),
        (
            "/api/tags",
            r#"{"models":[{"name":"a"},{"name":"b:latest"}]}"#,
        ),
        (
            "/api/show",
            r#"{"capabilities":["completion","tools"],"model_info":{"q.context_length":40960}}"#,
        ),
    ])
    .await;
    let listed = ListedModel {
        provider: "vllm".to_owned(),
        model: "listed-once".to_owned(),
        ..ListedModel::default()
    };
    let registry = registry(&[("OLLAMA_BASE_URL", &ollama)]);
    let mut lists = ModelLists::default();
    lists.replace("vllm", &registry.shown_base("vllm"), vec![listed]);
    let registry = registry.with_listed(&lists);
    registry.survey().await;
    let all = registry.available();
    let of = |provider: &str| -> Vec<String> {
        let of_provider = all.iter().filter(|it| it.info.model.provider == provider);
        let text = |it: &AvailableModel| {
            let window = it.info.window_tokens;
            let name = &it.info.model.model;
            let (tools, cache) = (it.info.tools, it.info.prompt_cache);
            format!(
                "{name} {window:?} {tools:?} {cache:?} {}",
                it.readiness.word()
            )
        };
        of_provider.map(text).collect()
    };
    assert_eq!(
        of("ollama"),
        [
            "b:latest Some(16384) Some(true) Prefix ready",
            "a None Some(true) Prefix ready"
        ]
    );
    assert_eq!(of("vllm"), ["listed-once None None Ttl no answer"]);
}

#[tokio::test]
async fn a_base_url_alone_is_asked_what_it_serves() {
    let base = serve(&[(
        "/v1/models",
        r#"{"data":[{"id":"mine","max_model_len":7000}]}"#,
    )])
    .await;
    let registry = registry(&[]);
    let wish = ModelWish {
        base_url: Some(base.trim_end_matches("/v1").to_owned()),
        probe_local: true,
        ..ModelWish::default()
    };
    let choice = choose(&wish, &registry, &|_| true).await.unwrap();
    assert_eq!(choice.model, model("openai/mine"));
    assert_eq!(
        registry.model_info(&choice.model).window_tokens,
        Some(7_000)
    );
    assert!(registry.provider(&choice.model).is_ok());
}

/// The clock goes on by itself when nothing else does: what is measured is what is waited for.
#[tokio::test(start_paused = true)]
async fn a_silent_server_costs_the_probe_time_and_is_said_to_be_silent_not_away() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    let registry = registry(&[("VLLM_BASE_URL", &base), ("OLLAMA_BASE_URL", &base)])
        .with_probing(true, Duration::from_millis(700));
    let wish = ModelWish {
        probe_local: true,
        ..ModelWish::default()
    };
    let started = tokio::time::Instant::now();
    let choice = choose(&wish, &registry, &|_| true).await.unwrap();
    assert_eq!(choice.model, model("offline/plain"));
    assert_eq!(started.elapsed().as_millis(), 700, "all are asked at once");
    for part in ["Ollama", "vLLM", "did not answer within 700 ms"] {
        assert!(choice.reason.contains(part), "{part}: {}", choice.reason);
    }
    let started = tokio::time::Instant::now();
    registry.survey().await;
    assert_eq!(started.elapsed().as_millis(), 700);
}

#[tokio::test]
async fn usual_ports_are_left_alone_where_that_is_wanted_and_addresses_that_were_set_are_not() {
    let registry = |variables: &[(&str, &str)]| {
        let variables = variables.iter();
        let environment: Environment = variables
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        Registry::new(Vec::new(), environment, DEFAULT_STALL)
    };
    let probed = |registry: &Registry| -> Vec<String> {
        let reports = registry.reports().into_iter();
        let probed = reports.filter(|report| report.is_probed);
        probed.map(|report| report.id).collect()
    };
    let all = ["ollama", "llamacpp", "lmstudio", "vllm"];
    let asks = registry(&[]).with_probing(true, Duration::from_secs(20));
    assert_eq!(probed(&asks), all);
    let leaves = |variables| registry(variables).with_probing(false, Duration::from_secs(20));
    assert!(probed(&leaves(&[])).is_empty());
    assert_eq!(probed(&leaves(&[("VLLM_BASE_URL", CLOSED)])), ["vllm"]);
    let wish = ModelWish {
        probe_local: true,
        ..ModelWish::default()
    };
    let base = serve(&[(
        "/v1/models",
        r#"{"data":[{"id":"m","max_model_len":9000}]}"#,
    )])
    .await;
    let set = leaves(&[("VLLM_BASE_URL", base.as_str())]);
    let choice = choose(&wish, &set, &|_| true).await.unwrap();
    assert_eq!(choice.model, model("vllm/m"));
}
