//! Addresses that the user sets: whose models are taken there, how large their windows are,
//! what they cost, and what is said when an address is of no use.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::local_servers::{Route, serve};
use super::program::{Program, dead_address};
use super::web::{Asked, Web, chat, json as answer, missing};

const KEY: &str = "sk-test-0123456789";

/// Nobody answers where servers are looked for.
fn program() -> Program {
    let dead = dead_address();
    ["OLLAMA", "LLAMACPP", "LMSTUDIO", "VLLM"]
        .iter()
        .fold(Program::new(), |plim, id| {
            plim.with(&format!("{id}_BASE_URL"), &dead)
        })
}

fn base(web: &Web) -> String {
    format!("{}/v1", web.base)
}

/// A list of models as any compatible server gives it.
fn list(ids: &[&str]) -> Route {
    let data: Vec<Value> = ids
        .iter()
        .map(|id| json!({"id": id, "object": "model"}))
        .collect();
    ("GET", "/v1/models", json!({"object": "list", "data": data}))
}

/// llama.cpp with one model, which it names by its file.
fn llama(window: u64) -> Web {
    serve(vec![
        list(&["/models/tiny.gguf"]),
        (
            "GET",
            "/props",
            json!({"default_generation_settings": {"n_ctx": window},
                "modalities": {"vision": false}}),
        ),
    ])
}

fn chosen(plim: &Program, args: &[&str]) -> Value {
    let args = [&["doctor", "--json"][..], args].concat();
    plim.run(&args).json()["model"].clone()
}

fn reason(chosen: &Value) -> &str {
    chosen["reason"].as_str().unwrap()
}

#[test]
fn an_address_with_a_key_gets_the_model_and_the_window_of_its_server_and_no_price() {
    let web = llama(20_480);
    let plim = program()
        .with("OPENAI_API_KEY", KEY)
        .with("OPENAI_BASE_URL", &base(&web));
    let model = chosen(&plim, &[]);
    assert_eq!(model["model"], "openai//models/tiny.gguf");
    assert_eq!(
        model["window"],
        json!({"tokens": 20_480, "source": "server"})
    );
    assert!(
        reason(&model).starts_with("OPENAI_API_KEY is set; the only model of http://127"),
        "{model}"
    );
    let ran = plim.run(&["-p", "hi", "--output-format", "json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let sent = web.asked().into_iter().rev();
    let sent = sent.map(|it| it.body).find(|it| it.contains("messages"));
    assert!(sent.unwrap().contains("/models/tiny.gguf"));
    let said = ran.json();
    assert_eq!(said["cost"], Value::Null, "{said}");
}

#[test]
fn an_address_without_a_key_comes_before_servers_that_nobody_named() {
    let web = llama(24_576);
    let plim = program().with("OPENAI_BASE_URL", &base(&web));
    let model = chosen(&plim, &[]);
    assert_eq!(model["model"], "openai//models/tiny.gguf", "{model}");
    assert_eq!(model["window"]["tokens"], 24_576);
    assert!(
        reason(&model).starts_with("OPENAI_BASE_URL is set; the only model of"),
        "{model}"
    );
    // Of the configuration as well, under a name of the user's own.
    let plim = program();
    let text = format!("[providers.box]\nbase_url = \"{}\"\n", base(&web));
    let file = plim.file("config.toml", &text).display().to_string();
    let model = chosen(&plim, &["--config", &file]);
    assert_eq!(model["model"], "box//models/tiny.gguf", "{model}");
    assert!(
        reason(&model).starts_with("providers.box.base_url is set"),
        "{model}"
    );
}

#[test]
fn an_address_that_is_of_no_use_is_said_with_the_reason() {
    let plim = program().with("OPENAI_BASE_URL", &format!("{}/v1", dead_address()));
    let model = chosen(&plim, &[]);
    assert_eq!(model["model"], "offline/plain");
    assert!(
        reason(&model).contains("OPENAI_BASE_URL cannot be used: no connection to 127.0.0.1:"),
        "{model}"
    );
    // With a key it is the one that was meant, whatever else answers.
    let plim = plim.with("OPENAI_API_KEY", KEY);
    let model = chosen(&plim, &[]);
    assert!(model["model"].as_str().unwrap().starts_with("openai/"));
    assert!(reason(&model).contains("no connection to"), "{model}");
    let empty = serve(vec![list(&[])]);
    let plim = program().with("OPENAI_BASE_URL", &base(&empty));
    assert!(reason(&chosen(&plim, &[])).contains("lists no models"));
}

#[test]
fn a_server_that_answers_to_any_name_is_asked_for_its_window_under_each() {
    let web = llama(20_224);
    let plim = program().with("OPENAI_BASE_URL", &base(&web));
    let doctor = plim.run(&["doctor", "--json", "-m", "openai/tiny"]).json();
    assert_eq!(
        doctor["model"]["window"],
        json!({"tokens": 20_224, "source": "server"}),
        "{doctor}"
    );
    assert!(!doctor["problems"].to_string().contains("not among"));
    // Any other server has the models of its list.
    let strict = serve(vec![list(&["a"])]);
    let plim = program().with("OPENAI_BASE_URL", &base(&strict));
    let doctor = plim.run(&["doctor", "--json", "-m", "openai/b"]).json();
    assert_eq!(doctor["model"]["window"]["source"], "assumed");
    assert!(doctor["problems"].to_string().contains("not among"));
}

#[test]
fn of_several_models_the_first_that_talks_is_taken_or_the_one_used_last_and_that_is_said() {
    let web = serve(vec![list(&["text-embedding-3", "first", "second"])]);
    let plim = program().with("OPENAI_BASE_URL", &base(&web));
    let model = chosen(&plim, &[]);
    assert_eq!(model["model"], "openai/first");
    assert!(
        reason(&model).contains("with 2 other models; choose another with -m"),
        "{model}"
    );
    let used = |args: &[&str]| {
        let args = [args, &["-p", "hi", "--output-format", "stream-json"]].concat();
        let ran = plim.run(&args);
        assert_eq!(ran.code, 0, "{ran:?}");
        let lines = ran.lines().into_iter();
        let mut sessions = lines.filter(|line| line["type"] == "session");
        let session = sessions.next().unwrap();
        let text = |key: &str| session[key].as_str().unwrap().to_owned();
        (text("model"), text("model_reason"))
    };
    assert_eq!(used(&["-m", "openai/second"]).0, "openai/second");
    assert_eq!(
        used(&["-c"]),
        ("openai/second".to_owned(), "used last".to_owned())
    );
    assert_eq!(used(&["-c", "-m", "openai/gone"]).0, "openai/gone");
    let (model, reason) = used(&["-c"]);
    assert_eq!(model, "openai/first");
    assert!(
        reason.ends_with("gone, used last, is not available"),
        "{reason}"
    );
}

#[test]
fn windows_and_prices_of_the_catalogue_hold_at_home_and_behind_a_gateway_only() {
    let web = Web::start(|asked: &Asked| match asked.target.as_str() {
        "/v1/chat/completions" => chat("hello"),
        _ => missing(),
    });
    let plim = program()
        .with("OPENAI_API_KEY", KEY)
        .with("OPENAI_BASE_URL", &base(&web));
    let gateway = plim.file("gateway.toml", "[providers.openai]\ngateway = true\n");
    let gateway = gateway.display().to_string();
    for (model, foreign, home) in [
        ("gpt-4o", 128_000, 128_000),
        ("gpt-6.2-sol", 200_000, 1_050_000),
    ] {
        let name = format!("openai/{model}");
        let window = |more: &[&str]| {
            let args = [&["-m", &name][..], more].concat();
            chosen(&plim, &args)["window"].clone()
        };
        assert_eq!(window(&[]), json!({"tokens": foreign, "source": "assumed"}));
        assert_eq!(
            window(&["--config", &gateway]),
            json!({"tokens": home, "source": "catalogue"})
        );
        let cost = |more: &[&str]| {
            let args = [
                &[
                    "-m",
                    &name,
                    "--no-session",
                    "-p",
                    "hi",
                    "--output-format",
                    "json",
                ][..],
                more,
            ];
            plim.run(&args.concat()).json()["cost"].clone()
        };
        assert_eq!(cost(&[]), Value::Null);
        assert!(cost(&["--config", &gateway]).as_f64() > Some(0.0));
    }
}

/// A server that runs a model on this machine takes no more than it says.
#[test]
fn the_users_window_counts_more_than_a_list_and_no_more_than_what_a_server_here_runs() {
    let of = |key: &str| {
        let served = json!({"id": "house", "object": "model", key: 65_536});
        serve(vec![("GET", "/v1/models", json!({"data": [served]}))])
    };
    let (list, vllm) = (of("context_length"), of("max_model_len"));
    let window = |plim: &Program, provider: &str, tokens: u64| {
        let text = format!("[[providers.{provider}.models]]\nid = \"house\"\nwindow = {tokens}\n");
        let file = plim.file("own.toml", &text).display().to_string();
        let model = format!("{provider}/house");
        let chosen = chosen(plim, &["--config", &file, "-m", &model]);
        let window = &chosen["window"];
        (
            window["tokens"].as_u64(),
            window["source"].as_str().map(str::to_owned),
        )
    };
    let is = |tokens: u64, source: &str| (Some(tokens), Some(source.to_owned()));
    let far = program()
        .with("OPENAI_API_KEY", KEY)
        .with("OPENAI_BASE_URL", &base(&list));
    assert_eq!(window(&far, "openai", 32_000), is(32_000, "user"));
    assert_eq!(window(&far, "openai", 99_000), is(99_000, "user"));
    let here = program().with("VLLM_BASE_URL", &base(&vllm));
    assert_eq!(window(&here, "vllm", 32_000), is(32_000, "user"));
    assert_eq!(window(&here, "vllm", 99_000), is(65_536, "server"));
}

#[test]
fn a_model_that_only_embeds_is_not_among_those_that_a_server_offers() {
    let web = serve(vec![(
        "GET",
        "/v1/models",
        json!({"data": [
            {"id": "bge", "type": "embedding", "max_model_len": 512},
            {"id": "embed", "mode": "embedding", "max_input_tokens": 8191},
            {"id": "orders", "architecture": {"output_modalities": ["scores"]}},
            {"id": "house", "type": "chat", "mode": "chat", "max_input_tokens": 65_536,
             "max_output_tokens": 2_000}]}),
    )]);
    let plim = program()
        .with("OPENAI_API_KEY", KEY)
        .with("OPENAI_BASE_URL", &base(&web));
    assert_eq!(chosen(&plim, &[])["model"], "openai/house");
    let rows = plim.run(&["models", "--json"]).json();
    let rows = rows.as_array().unwrap().iter();
    let of_server = |row: &&Value| row["model"].as_str().unwrap().starts_with("openai/");
    let rows: Vec<&Value> = rows.filter(of_server).collect();
    let facts: Vec<_> = rows
        .iter()
        .map(|row| (&row["model"], &row["max_output"]))
        .collect();
    assert_eq!(facts, [(&json!("openai/house"), &json!(2_000))]);
}

/// What was listed at one address says nothing of another.
#[test]
fn a_list_holds_at_the_address_where_it_was_asked_for() {
    let listed = json!({"id": "gpt-4o", "object": "model", "context_length": 90_000});
    let web = serve(vec![("GET", "/v1/models", json!({"data": [listed]}))]);
    let plim = program().with("OPENAI_API_KEY", KEY);
    let gateway = plim.file("gateway.toml", "[providers.openai]\ngateway = true\n");
    let gateway = gateway.display().to_string();
    let window = |plim: &Program| {
        let rows = plim.run(&["--config", &gateway, "models", "--json"]).json();
        let mut rows = rows.as_array().unwrap().iter();
        let row = rows.find(|row| row["model"] == "openai/gpt-4o").unwrap();
        row["window"].clone()
    };
    let plim = plim.with("OPENAI_BASE_URL", &base(&web));
    let refreshed = plim.run(&["--config", &gateway, "models", "--refresh"]);
    assert_eq!(refreshed.code, 0, "{refreshed:?}");
    assert_eq!(window(&plim), 90_000);
    let plim = plim.with("OPENAI_BASE_URL", &format!("{}/v1", dead_address()));
    assert_eq!(window(&plim), 128_000, "the published one");
}

#[test]
fn what_is_not_served_at_an_address_is_not_listed() {
    let web = serve(vec![list(&["house", "gpt-4o"])]);
    let plim = program()
        .with("OPENAI_API_KEY", KEY)
        .with("OPENAI_BASE_URL", &base(&web));
    let rows = plim.run(&["models", "--json"]).json();
    let rows = rows.as_array().unwrap().iter();
    let names = rows.filter_map(|row| row["model"].as_str()?.strip_prefix("openai/"));
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    assert_eq!(names, ["gpt-4o", "house"]);
}

#[test]
fn a_proxy_that_knows_the_models_behind_it_is_asked_for_their_windows() {
    let info = json!({"data": [
        {"model_name": "embed", "model_info": {"mode": "embedding", "max_input_tokens": 8_191}},
        {"model_name": "house", "model_info": {"mode": "chat", "max_input_tokens": 65_536,
            "supports_vision": true, "supports_function_calling": true}},
    ]});
    let web = serve(vec![
        list(&["embed", "house"]),
        ("GET", "/model/info", info),
    ]);
    let plim = program()
        .with("OPENAI_API_KEY", KEY)
        .with("OPENAI_BASE_URL", &base(&web));
    for args in [&[][..], &["-m", "openai/house"]] {
        let model = chosen(&plim, args);
        assert_eq!(model["model"], "openai/house");
        assert_eq!(
            model["window"],
            json!({"tokens": 65_536, "source": "server"})
        );
    }
}

#[test]
fn the_list_of_a_foreign_server_that_speaks_anthropics_format_names_its_windows() {
    let web = Web::start(|asked: &Asked| match asked.target.as_str() {
        "/v1/models" | "/v1/models?limit=1000" if asked.head.contains("x-api-key: sk-") => {
            answer(r#"{"data":[{"type":"model","id":"glm-9","max_input_tokens":77000}]}"#)
        }
        _ => missing(),
    });
    let plim = program()
        .with("ANTHROPIC_API_KEY", KEY)
        .with("ANTHROPIC_BASE_URL", &web.base);
    let model = chosen(&plim, &[]);
    assert_eq!(model["model"], "anthropic/glm-9", "{model}");
    assert_eq!(
        model["window"],
        json!({"tokens": 77_000, "source": "server"})
    );
}

#[test]
fn doctor_ends_soon_when_every_address_takes_connections_and_says_nothing() {
    let silent = || {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/v1", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let _held: Vec<_> = listener.incoming().collect();
        });
        base
    };
    let names = ["OLLAMA", "LLAMACPP", "LMSTUDIO", "VLLM", "OPENAI", "XAI"];
    let plim = names.iter().fold(Program::new(), |plim, id| {
        plim.with(&format!("{id}_BASE_URL"), &silent())
    });
    plim.run(&["--version"]);
    let began = Instant::now();
    let doctor = plim
        .run(&["doctor", "--json", "-S", "probe.local_ms=1000"])
        .json();
    // Two seconds, and what a busy machine takes besides.
    assert!(
        began.elapsed() < Duration::from_millis(3_500),
        "{:?}",
        began.elapsed()
    );
    let said = doctor["model"]["reason"].as_str().unwrap();
    assert!(
        said.contains("OPENAI_BASE_URL cannot be used") && said.contains("within 1000 ms"),
        "{said}"
    );
}
