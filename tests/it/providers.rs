//! The program and its providers: where keys come from, proxies, lists of models,
//! local servers, `plim doctor`, and how often it connects.

use serde_json::json;

use super::leaks::fine;
use super::program::{Program, dead_address};
use super::web::{Web, chat, json as answer, missing};

/// Nothing else that a run writes looks like this.
pub const KEY: &str = "sk-Zq7XvLongDistinctive42";

/// Local servers of the machine that the tests run on are out of the game.
pub fn program() -> Program {
    let dead = dead_address();
    ["OLLAMA", "LLAMACPP", "LMSTUDIO", "VLLM"]
        .iter()
        .fold(Program::new(), |plim, id| {
            plim.with(&format!("{id}_BASE_URL"), &dead)
        })
}

pub fn config(plim: &Program, text: &str) -> String {
    plim.file("config.toml", text).display().to_string()
}

/// Whether the head of a request for an answer had this.
pub fn was_sent(web: &Web, text: &str) -> bool {
    let asked = web.asked();
    let mut answers = asked.iter().filter(|asked| asked.head.starts_with("POST"));
    answers.any(|asked| asked.head.contains(text))
}

#[test]
fn a_key_is_stored_used_and_forgotten() {
    let web = Web::start(|_| chat("hello"));
    let plim = program();
    let base = format!("{}/v1", web.base);
    let file = config(
        &plim,
        &format!("[providers.openai]\napi_key_env = \"MINE\"\nbase_url = \"{base}\"\n"),
    );
    let ask = || plim.run(&["--config", &file, "-m", "openai/gpt-5-mini", "-p", "hi"]);
    let refused = ask();
    assert_eq!(refused.code, 3, "{refused:?}");
    assert!(refused.err.contains("plim login openai"), "{refused:?}");
    let stored = plim.pipe(&["login", "openai"], &format!("  {KEY}\n"));
    assert_eq!(stored.code, 0, "{stored:?}");
    assert!(!stored.out.contains(KEY) && !stored.err.contains(KEY));
    assert_eq!(ask().code, 0);
    assert!(was_sent(&web, &format!("Bearer {KEY}")));
    assert_eq!(plim.run(&["logout", "openai"]).code, 0);
    assert_eq!(plim.run(&["logout", "openai"]).code, 1);
    assert_eq!(ask().code, 3);
    assert_eq!(plim.pipe(&["login", "nobody"], KEY).code, 2);
    assert_eq!(plim.pipe(&["login", "openai"], "\n").code, 1);
}

#[test]
fn a_command_prints_the_key() {
    let web = Web::start(|_| chat("hello"));
    let plim = program();
    let base = format!("{}/v1", web.base);
    let with = |line: &str| {
        let text = format!(
            "[providers.mine]\nbase_url = \"{base}\"\napi_key_cmd = \"{line}\"\nheaders = {{ x-team = \"blue\" }}\n"
        );
        let file = config(&plim, &text);
        plim.run(&["--config", &file, "-m", "mine/x", "-p", "hi"])
    };
    assert_eq!(with(&format!("echo {KEY}")).code, 0);
    assert!(was_sent(&web, &format!("Bearer {KEY}")) && was_sent(&web, "x-team: blue"));
    let failed = with("echo the store is locked >&2; exit 1");
    assert_ne!(failed.code, 0);
    assert!(failed.err.contains("the store is locked"), "{failed:?}");
    assert!(failed.err.contains("api_key_cmd"), "{failed:?}");
}

#[test]
fn requests_go_through_the_proxy_unless_the_host_is_excepted() {
    let proxy = Web::start(|_| chat("through the proxy"));
    let ask = |plim: &Program| {
        plim.run(&[
            "-m",
            "openai/x",
            "--base-url",
            "http://model.invalid/v1",
            "-S",
            "retry.max_attempts=1",
            "-p",
            "hi",
        ])
    };
    let ran = ask(&program()
        .with("HTTP_PROXY", &proxy.base)
        .with("http_proxy", &proxy.base));
    assert!(ran.out.contains("through the proxy"), "{ran:?}");
    // It is also asked what it serves.
    let targets = || {
        let asked = proxy.asked().into_iter().map(|asked| asked.target);
        asked
            .filter(|target| target.ends_with("/completions"))
            .collect::<Vec<_>>()
    };
    assert_eq!(targets(), ["http://model.invalid/v1/chat/completions"]);
    let excepted = program()
        .with("http_proxy", &proxy.base)
        .with("NO_PROXY", "model.invalid");
    assert_ne!(ask(&excepted).code, 0);
    assert_eq!(targets().len(), 1);
}

#[test]
fn an_https_proxy_is_asked_for_a_tunnel() {
    let proxy = Web::start(|_| (403, String::new(), String::new()));
    let plim = program()
        .with("https_proxy", &proxy.base)
        .with("OPENAI_API_KEY", KEY);
    let ran = plim.run(&["-m", "openai/x", "-S", "retry.max_attempts=1", "-p", "hi"]);
    assert_ne!(ran.code, 0);
    let asked = &proxy.asked()[0];
    assert!(
        asked.head.starts_with("CONNECT api.openai.com:443"),
        "{asked:?}"
    );
    assert!(!asked.head.contains(KEY));
}

#[test]
fn lists_are_fetched_from_those_who_answer() {
    let list = r#"{"data":[{"id":"new-model","context_length":64000,
        "top_provider":{"max_completion_tokens":8000},
        "pricing":{"prompt":"0.000001","completion":"0.000002"}},{"id":"bare"}]}"#;
    let web = Web::start(move |asked| match asked.target.as_str() {
        "/v1/models" => answer(list),
        _ => missing(),
    });
    let plim = program()
        .with("OPENROUTER_API_KEY", KEY)
        .with("OPENROUTER_BASE_URL", &format!("{}/v1", web.base))
        .with("GROQ_API_KEY", KEY)
        .with("GROQ_BASE_URL", &dead_address());
    let ran = plim.run(&[
        "-S",
        "providers.openrouter.gateway=true",
        "models",
        "--refresh",
    ]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(
        ran.out
            .contains("OpenRouter: 2 models; 2 new: new-model, bare"),
        "{ran:?}"
    );
    assert!(ran.err.contains("Groq: "), "{ran:?}");
    let rows = plim
        .run(&[
            "-S",
            "providers.openrouter.gateway=true",
            "models",
            "--json",
        ])
        .json();
    let rows = rows.as_array().unwrap();
    let row = |name: &str| rows.iter().find(|row| row["model"] == name);
    let new = row("openrouter/new-model").unwrap();
    assert_eq!(new["window"], 64_000);
    assert_eq!(new["window_source"], "provider's list");
    assert_eq!(new["max_output"], 8_000);
    assert_eq!(new["price"]["output"], 2.0);
    assert!(row("openrouter/bare").is_none(), "nobody knows its window");
    assert!(row("anthropic/claude-sonnet-4-5").is_some());
    let again = plim.run(&["models", "--refresh", "--json"]).json();
    let change = again
        .as_array()
        .unwrap()
        .iter()
        .find(|change| change["provider"] == "openrouter")
        .unwrap()
        .clone();
    assert_eq!(change["new"], json!([]));
    // The user's own word counts more than the list.
    let text = "[providers.openrouter]\ngateway = true\n[[providers.openrouter.models]]\nid = \"new-model\"\nwindow = 5000\n";
    let file = config(&plim, text);
    let rows = plim.run(&["--config", &file, "models", "--json"]).json();
    let own = rows
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["model"] == "openrouter/new-model")
        .unwrap()
        .clone();
    assert_eq!(
        (&own["window"], &own["window_source"]),
        (&json!(5_000), &json!("user"))
    );
}

#[test]
fn nobody_to_ask_is_said() {
    let ran = program().run(&["models", "--refresh"]);
    assert_eq!(
        ran.code, 1,
        "all four local ones are set and none answers: {ran:?}"
    );
    let ran = Program::new().run(&["models", "--refresh"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.err.contains("hint: "), "{ran:?}");
}

/// An Ollama that runs a model with a small window once it is loaded.
fn ollama() -> Web {
    let is_loaded = std::sync::atomic::AtomicBool::new(false);
    Web::start(move |asked| {
        use std::sync::atomic::Ordering;
        match asked.target.as_str() {
            "/api/ps" if is_loaded.load(Ordering::SeqCst) => {
                answer(r#"{"models":[{"name":"qwen3:latest","context_length":20000}]}"#)
            }
            "/api/ps" => answer(r#"{"models":[]}"#),
            "/api/show" => answer(r#"{"model_info":{"qwen3.context_length":131072}}"#),
            "/api/generate" => {
                is_loaded.store(true, Ordering::SeqCst);
                answer(r#"{"done":true}"#)
            }
            "/v1/models" => answer(r#"{"data":[{"id":"qwen3:latest"}]}"#),
            "/v1/chat/completions" => chat("hello"),
            _ => missing(),
        }
    })
}

#[test]
fn ollama_is_asked_for_its_runtime_window_before_the_first_request() {
    let web = ollama();
    let plim = program().with("OLLAMA_BASE_URL", &format!("{}/v1", web.base));
    let ran = plim.run(&[
        "-m",
        "ollama/qwen3",
        "-p",
        "hi",
        "--output-format",
        "stream-json",
    ]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let lines = ran.lines();
    let view = lines.iter().rfind(|line| line["type"] == "view").unwrap();
    assert_eq!(view["window"]["tokens"], 20_000);
    assert_eq!(view["window"]["source"], "server");
    let targets: Vec<String> = web.asked().into_iter().map(|asked| asked.target).collect();
    let at = |path: &str| targets.iter().position(|target| target == path).unwrap();
    assert!(
        at("/api/generate") < at("/v1/chat/completions"),
        "{targets:?}"
    );
    let doctor = plim.run(&["doctor", "-m", "ollama/qwen3"]);
    assert_eq!(
        doctor.code, 3,
        "the other local addresses are set and dead: {doctor:?}"
    );
    assert!(
        doctor.out.contains("num_ctx 20,000 of 131,072"),
        "{doctor:?}"
    );
    assert!(doctor.out.contains("OLLAMA_CONTEXT_LENGTH"), "{doctor:?}");
}

#[test]
fn doctor_says_what_is_reachable_and_what_to_mend() {
    let web = Web::start(|asked| match asked.target.as_str() {
        "/v1/models?limit=1000" => answer(r#"{"data":[{"id":"claude-sonnet-4-5-20250929"}]}"#),
        _ => missing(),
    });
    let plim = Program::new()
        .with("ANTHROPIC_API_KEY", KEY)
        .with("ANTHROPIC_BASE_URL", &format!("{}/v1", web.base));
    let args = [
        "doctor",
        "--json",
        "-m",
        "anthropic/claude-sonnet-4-5",
        "-S",
        "providers.anthropic.gateway=true",
    ];
    let ran = plim.run(&args);
    assert_eq!(ran.code, 0, "{ran:?}");
    let said = ran.json();
    assert_eq!(said["ok"], true);
    assert_eq!(
        said["model"]["window"],
        json!({"tokens": 200_000, "source": "catalogue"})
    );
    let anthropic = &said["providers"][0];
    assert_eq!(anthropic["provider"], "anthropic");
    assert_eq!(anthropic["key"], "ANTHROPIC_API_KEY");
    assert_eq!(anthropic["state"], "ok");
    assert!(anthropic["mended"].as_str().unwrap().contains("/v1"));
    assert_eq!(said["sessions"]["writable"], true);
    assert!(
        web.asked()
            .iter()
            .all(|asked| asked.head.contains("x-api-key"))
    );
    let bare = program().run(&["doctor", "-S", "context.server=compact"]);
    assert!(
        bare.out.contains("no language model configured"),
        "{bare:?}"
    );
    assert!(bare.out.contains("api_key_cmd"), "{bare:?}");
    assert!(
        bare.out.contains("not supported by offline/plain"),
        "{bare:?}"
    );
    let unknown = plim.run(&["doctor", "-m", "anthropic/yet-unheard-of"]);
    assert!(
        unknown.out.contains("unknown; assuming 200,000 tokens"),
        "{unknown:?}"
    );
    assert!(unknown.out.contains("--context-window N"), "{unknown:?}");
    let keyless = program().run(&["doctor", "-m", "groq/openai/gpt-oss-120b"]);
    assert_eq!(keyless.code, 3, "{keyless:?}");
    assert!(keyless.out.contains("GROQ_API_KEY"), "{keyless:?}");
    assert!(keyless.out.contains("hint: "), "{keyless:?}");
}

#[test]
fn the_providers_own_count_stands_beside_the_estimate() {
    let web = Web::start(|asked| match asked.target.as_str() {
        "/v1/messages/count_tokens" => answer(r#"{"input_tokens":4321}"#),
        _ => missing(),
    });
    let plim = program();
    assert_eq!(plim.say("help").code, 0);
    let plim = plim
        .with("ANTHROPIC_API_KEY", KEY)
        .with("ANTHROPIC_BASE_URL", &web.base);
    let args = [
        "context",
        "--exact",
        "--json",
        "-m",
        "anthropic/claude-sonnet-4-5",
    ];
    let said = plim.run(&args).json();
    assert_eq!(said["counted"]["tokens"], 4_321);
    assert_eq!(said["counted"]["estimate"], said["usage"]["tokens"]);
    let asked = &web.asked()[0];
    let body: serde_json::Value = serde_json::from_str(&asked.body).unwrap();
    assert!(body.get("messages").is_some() && body.get("system").is_some());
    assert!(body.get("stream").is_none() && body.get("max_tokens").is_none());
    // What a header would have to allow is no part of the count.
    let args = args.map(|it| it.replace("sonnet-4-5", "sonnet-5-5"));
    plim.run(&args.each_ref().map(String::as_str));
    let body: serde_json::Value = serde_json::from_str(&web.asked()[1].body).unwrap();
    assert_eq!(body["thinking"], serde_json::json!({"type": "adaptive"}));
    let ran = plim.run(&["context", "--exact", "--offline"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("hint: "), "{ran:?}");
}

#[test]
fn gemini_and_responses_count_and_chat_completions_say_that_they_do_not() {
    let web = Web::start(|asked| match asked.target.as_str() {
        "/v1beta/models/gemini-2.5-pro:countTokens" => answer(r#"{"totalTokens":77}"#),
        "/v1/responses/input_tokens" => {
            answer(r#"{"object":"response.input_tokens","input_tokens":88}"#)
        }
        _ => missing(),
    });
    let plim = program();
    assert_eq!(plim.say("help").code, 0);
    let plim = plim
        .with("GEMINI_API_KEY", KEY)
        .with("GEMINI_BASE_URL", &format!("{}/v1beta", web.base));
    let text = format!(
        "[providers.openai]\nbase_url = \"{0}/v1\"\napi = \"responses\"\n[providers.mine]\nbase_url = \"{0}/v1\"\n",
        web.base
    );
    let file = config(&plim, &text);
    let count = |model: &str| {
        plim.run(&[
            "context", "--exact", "--json", "--config", &file, "-m", model,
        ])
    };
    let bodies = || -> Vec<serde_json::Value> {
        let asked = web.asked();
        asked
            .iter()
            .map(|asked| serde_json::from_str(&asked.body).unwrap())
            .collect()
    };
    assert_eq!(
        count("gemini/gemini-2.5-pro").json()["counted"]["tokens"],
        77
    );
    let whole = &bodies()[0]["generateContentRequest"];
    assert_eq!(whole["model"], "models/gemini-2.5-pro");
    assert!(whole["contents"].is_array() && whole["systemInstruction"].is_object());
    assert_eq!(count("openai/gpt-5-mini").json()["counted"]["tokens"], 88);
    let body = &bodies()[1];
    assert!(
        body["input"].is_array() && body.get("stream").is_none() && body.get("store").is_none()
    );
    let chat = count("mine/x");
    assert_eq!(chat.code, 1, "{chat:?}");
    assert!(
        chat.err
            .contains("mine cannot count the tokens of a request"),
        "{chat:?}"
    );
    assert_eq!(web.asked().len(), 2);
}

#[test]
fn what_a_server_does_to_the_prompt_is_off_by_default_and_said_where_it_is_on() {
    let web = Web::start(|asked| {
        let (status, kind, body) = fine(&asked.target);
        let cut =
            r#""context_management":{"applied_edits":[{"cleared_input_tokens":500}]},"usage""#;
        let body = if asked.body.contains("clear_tool_uses") {
            body.replace(r#""usage":{"output"#, &format!(r#"{cut}:{{"output"#))
        } else {
            body
        };
        (status, kind, body)
    });
    let plim = program()
        .with("ANTHROPIC_API_KEY", KEY)
        .with("ANTHROPIC_BASE_URL", &web.base);
    let run = |more: &[&str]| {
        let mut args = vec!["-m", "anthropic/claude-sonnet-4-5", "-p", "hi"];
        args.extend(["--output-format", "stream-json"]);
        args.extend(["-S", "providers.anthropic.gateway=true"]);
        args.extend(more);
        plim.run(&args)
    };
    let off = run(&[]);
    assert_eq!(off.code, 0, "{off:?}");
    assert!(!web.asked()[0].body.contains("context_management"));
    assert!(!off.out.contains("server_cut") && !off.out.contains("from_tokens"));
    let on = run(&["-S", "context.server=clear-tool-uses"]);
    assert_eq!(on.code, 0, "{on:?}");
    let asked = web.asked();
    assert!(
        asked[1].head.contains("context-management-2025-06-27"),
        "{asked:?}"
    );
    let lines = on.lines();
    let usage = lines.iter().find(|line| line["type"] == "usage").unwrap();
    assert_eq!(usage["request"]["server_cut"], 500);
    assert!(on.out.contains("the server cleared 500 tokens"), "{on:?}");
    let ledger = |form: &[&str]| {
        let mut args = vec!["context", "-S", "context.server=clear-tool-uses"];
        args.extend(form);
        plim.run(&args)
    };
    let said = ledger(&["--json"]).json();
    assert_eq!(said["window"]["server"]["context"], "clear-tool-uses");
    assert_eq!(
        said["window"]["server"]["from_tokens"].as_u64(),
        said["window"]["load_line"]
            .as_u64()
            .map(|line| line * 3 / 4)
    );
    let text = ledger(&[]).out;
    assert!(
        text.contains("the server may also clear old tool results from"),
        "{text}"
    );
    // The log has it, and the next reader counts what was sent.
    let log = std::fs::read_to_string(plim.session()).unwrap();
    assert!(log.contains("\"plimsollServerCut\":500"), "{log}");
    let unable = plim.run(&["--offline", "-S", "context.server=compact", "-p", "help"]);
    assert!(
        unable.err.contains("not supported by offline/plain"),
        "{unable:?}"
    );
}

#[test]
fn requests_of_a_turn_share_a_connection() {
    let list = json!({"choices": [{"index": 0, "finish_reason": "tool_calls", "delta": {
        "tool_calls": [{"index": 0, "id": "c1", "function":
            {"name": "list", "arguments": "{\"path\": \".\"}"}}]}}]});
    let call = format!("data: {list}\n\ndata: [DONE]\n\n");
    let web = Web::start(move |asked| {
        if asked.target != "/v1/chat/completions" {
            return missing();
        }
        if asked.body.contains("\"role\":\"tool\"") {
            return chat("done");
        }
        let kind = "content-type: text/event-stream\r\n".to_owned();
        (200, kind, call.clone())
    });
    let base = format!("{}/v1", web.base);
    let ran = program().run(&["-m", "openai/x", "--base-url", &base, "-p", "hi"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let answers = web.asked();
    let chats = answers
        .iter()
        .filter(|asked| asked.target == "/v1/chat/completions");
    assert_eq!(chats.count(), 2);
    assert_eq!(web.connections(), 1, "{answers:?}");
}

#[test]
fn a_dated_or_used_up_limit_is_waited_for() {
    let seen = std::sync::Mutex::new(0);
    let web = Web::start(move |asked| {
        if asked.target != "/v1/chat/completions" {
            return missing();
        }
        let mut seen = seen.lock().unwrap();
        *seen += 1;
        if *seen == 1 {
            let headers = "date: Fri, 31 Dec 1999 23:59:58 GMT\r\nretry-after: Fri, 31 Dec 1999 23:59:59 GMT\r\n";
            return (429, headers.to_owned(), "{}".to_owned());
        }
        chat("hello")
    });
    let base = format!("{}/v1", web.base);
    let ran = program().run(&[
        "-m",
        "openai/x",
        "--base-url",
        &base,
        "-p",
        "hi",
        "--output-format",
        "stream-json",
    ]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let lines = ran.lines();
    let retrying = lines
        .iter()
        .find(|line| line["type"] == "retrying")
        .unwrap();
    assert_eq!(retrying["after_ms"], 1_000, "{retrying}");
}
