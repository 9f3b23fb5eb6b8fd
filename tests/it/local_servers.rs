//! Servers on this machine that answer as their documentation says, and refuse whatever is
//! not in it: which model is chosen, how large its window is and who says so.

use serde_json::{Value, json};

use super::program::{Program, Ran, dead_address};
use super::web::{Answer, Asked, Web, chat, json as answer, missing};

/// The response of a server at a method and a path.
pub type Route = (&'static str, &'static str, Value);

pub fn serve(routes: Vec<Route>) -> Web {
    Web::start(move |asked: &Asked| -> Answer {
        let method = asked.head.split(' ').next().unwrap_or_default();
        if (method, asked.target.as_str()) == ("POST", "/v1/chat/completions") {
            return chat("hello");
        }
        let found = routes
            .iter()
            .find(|(how, path, _)| (*how, *path) == (method, asked.target.as_str()));
        let Some((_, path, body)) = found else {
            return missing();
        };
        if *path == "/api/show" {
            let question: Value = serde_json::from_str(&asked.body).unwrap();
            assert!(question["model"].is_string(), "{question}");
        }
        answer(&body.to_string())
    })
}

/// With one server where it is looked for, and nobody at the other addresses.
pub fn program(id: &str, base: &str) -> Program {
    let dead = dead_address();
    let others = ["OLLAMA", "LLAMACPP", "LMSTUDIO", "VLLM"];
    let others = others.iter().filter(|other| **other != id);
    others
        .fold(Program::new(), |plim, other| {
            plim.with(&format!("{other}_BASE_URL"), &dead)
        })
        .with(&format!("{id}_BASE_URL"), base)
}

/// Model, reason and window of `plim doctor`, and of a run.
fn check(plim: &Program, model: &str, window: u64) -> (Value, Ran) {
    let doctor = plim.run(&["doctor", "--json"]).json();
    let chosen = &doctor["model"];
    assert_eq!(chosen["model"], model, "{doctor}");
    assert!(
        chosen["reason"].as_str().unwrap().contains("a local"),
        "{chosen}"
    );
    assert_eq!(
        chosen["window"],
        json!({"tokens": window, "source": "server"})
    );
    let ran = plim.run(&["-p", "hi", "--output-format", "stream-json"]);
    // A window this small is said to be too small, with what to do, before anything is sent.
    let is_small = window < 16_000;
    assert_eq!(ran.code, i32::from(is_small), "{ran:?}");
    let ways = ["OLLAMA_CONTEXT_LENGTH=32768", "--context-length 32768"];
    assert!(
        !is_small || ways.iter().any(|way| ran.err.contains(way)),
        "{ran:?}"
    );
    let lines = ran.lines();
    let view = lines.iter().rfind(|line| line["type"] == "view").unwrap();
    assert_eq!(view["window"]["tokens"], window, "{view}");
    assert_eq!(view["window"]["source"], "server", "{view}");
    (doctor, ran)
}

/// With two servers where they are looked for.
fn program_with(first: (&str, &str), second: (&str, &str)) -> Program {
    program(first.0, first.1).with(&format!("{}_BASE_URL", second.0), second.1)
}

fn vllm(window: u64) -> Web {
    serve(vec![(
        "GET",
        "/v1/models",
        json!({"object": "list", "data": [{"id": "Qwen/Qwen3-32B", "object": "model",
            "owned_by": "vllm", "max_model_len": window}]}),
    )])
}

/// A port that takes connections and never says anything.
fn silent() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let _held: Vec<_> = listener.incoming().collect();
    });
    base
}

#[test]
fn a_server_that_can_be_used_is_taken_before_one_with_too_small_a_window() {
    let (small, large) = (serve(ollama()), vllm(40_960));
    let plim = program_with(("OLLAMA", &small.base), ("VLLM", &large.base));
    let doctor = plim.run(&["doctor", "--json"]).json();
    assert_eq!(doctor["model"]["model"], "vllm/Qwen/Qwen3-32B", "{doctor}");
    assert_eq!(
        doctor["model"]["reason"],
        "a local vLLM server answers; window too small: Ollama"
    );
    let ran = plim.run(&["-p", "hi"]);
    assert_eq!((ran.code, ran.out.trim()), (0, "hello"), "{ran:?}");
    // What is too small is the user's to say.
    let ran = plim
        .run(&["doctor", "--json", "-S", "window.min=4000"])
        .json();
    assert_eq!(ran["model"]["model"], "ollama/mistral:latest");
}

#[test]
fn only_too_small_windows_are_said_by_doctor_with_what_to_do_at_each_server() {
    let web = vllm(8_192);
    let plim = program("VLLM", &web.base);
    let ran = plim.run(&["doctor"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    for said in [
        "a local vLLM server answers",
        " problems\n\nerror: ",
        "has 8,192 tokens (source: server); the minimum is 16,000: no request can be sent",
        "restart vLLM with --max-model-len 32768",
    ] {
        assert!(ran.out.contains(said), "{said}: {ran:?}");
    }
    assert!(!ran.out.contains("no problems"), "{ran:?}");
    let rows = plim.run(&["models", "--json"]).json();
    let all = rows.as_array().unwrap();
    let row = all
        .iter()
        .find(|row| row["model"] == "vllm/Qwen/Qwen3-32B")
        .unwrap();
    assert_eq!(
        (&row["state"], &row["available"]),
        (&json!("too small"), &json!(false))
    );
}

#[test]
fn models_lists_what_a_local_server_has_even_where_its_list_has_no_window() {
    let web = serve(ollama());
    let plim = program("OLLAMA", &web.base);
    let names = || -> Vec<String> {
        let rows = plim.run(&["models", "--json"]).json();
        let rows = rows.as_array().unwrap().iter();
        let local = rows.filter(|row| row["model"].as_str().unwrap().starts_with("ollama/"));
        local
            .map(|row| {
                format!(
                    "{} {} {} {}",
                    row["model"], row["window"], row["state"], row["prompt_cache"]
                )
            })
            .collect()
    };
    let before = names();
    assert_eq!(before, ["\"ollama/gemma3:4b\" null \"ready\" \"prefix\""]);
    assert_eq!(plim.run(&["models", "--refresh"]).code, 0);
    assert_eq!(names(), before, "a refresh takes nothing away");
    let text = plim.run(&["models"]).out;
    let row = text
        .lines()
        .find(|line| line.starts_with("ollama/gemma3:4b"))
        .unwrap();
    assert!(row.contains("TV··") && row.contains("ready"), "{row}");
    assert!(text.contains("T tools"), "{text}");
}

#[test]
fn a_server_that_is_gone_keeps_its_models_and_they_are_not_ready() {
    let web = serve(ollama());
    let plim = program("OLLAMA", &web.base);
    assert_eq!(plim.run(&["models", "--refresh"]).code, 0);
    let dead = dead_address();
    let kept = plim.home().join("plimsoll/data/models.json");
    let text = std::fs::read_to_string(&kept).unwrap();
    std::fs::write(&kept, text.replace(&format!("{}/v1", web.base), &dead)).unwrap();
    let plim = plim.with("OLLAMA_BASE_URL", &dead);
    let rows = plim.run(&["models", "--json"]).json();
    let all = rows.as_array().unwrap();
    let row = all
        .iter()
        .find(|row| row["model"] == "ollama/mistral:latest")
        .unwrap();
    assert_eq!(row["state"], "no answer", "{row}");
    let missing = row["missing"].as_str().unwrap();
    assert!(
        missing.starts_with("Ollama does not answer at http://127.0.0.1"),
        "{row}"
    );
}

#[test]
fn a_port_that_takes_connections_and_says_nothing_is_not_waited_for_long() {
    let plim = program_with(("OLLAMA", &silent()), ("LLAMACPP", &silent()))
        .with("PLIMSOLL_PROBE_LOCAL_MS", "600");
    let timed = |args: &[&str]| {
        let started = std::time::Instant::now();
        (plim.run(args), started.elapsed().as_secs_f64())
    };
    let (doctor, secs) = timed(&["doctor"]);
    assert!(
        secs < 30.0,
        "{secs} s on a busy machine; 1.7 on an idle one"
    );
    assert_eq!(doctor.code, 3, "{doctor:?}");
    assert!(
        doctor
            .out
            .contains("Ollama accepted a connection at http://127.0.0.1"),
        "{doctor:?}"
    );
    assert!(doctor.out.contains("did not answer in 1"), "{doctor:?}");
    let (refresh, secs) = timed(&["models", "--refresh"]);
    assert!(
        secs < 30.0,
        "{secs} s on a busy machine; 4.1 on an idle one"
    );
    assert_eq!(refresh.code, 1, "{refresh:?}");
    for name in ["Ollama", "llama.cpp"] {
        let said = format!("{name}: no list from http://127.0.0.1");
        assert!(refresh.err.contains(&said), "{refresh:?}");
    }
    let (models, secs) = timed(&["models"]);
    assert!(models.code == 0 && secs < 30.0, "{secs} s");
}

#[test]
fn a_window_that_was_too_small_is_asked_again_before_the_next_message() {
    use super::pty::Pty;
    let window = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(8_192));
    let said = window.clone();
    let web = Web::start(move |asked: &Asked| match asked.target.as_str() {
        "/v1/models" => {
            let window = said.load(std::sync::atomic::Ordering::SeqCst);
            answer(&json!({"data": [{"id": "m", "max_model_len": window}]}).to_string())
        }
        "/v1/chat/completions" => chat("hello from m"),
        _ => missing(),
    });
    let place = super::terminal::Place::new().unwrap();
    let mut command = place.command(env!("CARGO_BIN_EXE_plim"));
    let dead = dead_address();
    for id in ["OLLAMA", "LLAMACPP", "LMSTUDIO"] {
        command.env(format!("{id}_BASE_URL"), &dead);
    }
    command.env("VLLM_BASE_URL", &web.base);
    let mut pty = Pty::start(command, 100, 30).unwrap();
    // On the first screen, before anything was typed.
    pty.wait_for("the minimum is 16,000").unwrap();
    pty.wait_for("--max-model-len 32768").unwrap();
    window.store(40_960, std::sync::atomic::Ordering::SeqCst);
    pty.send("hi\r").unwrap();
    pty.wait_for("hello from m").unwrap();
}

fn of_provider<'a>(doctor: &'a Value, id: &str) -> &'a Value {
    let all = doctor["providers"].as_array().unwrap();
    all.iter().find(|one| one["provider"] == id).unwrap()
}

fn ollama() -> Vec<Route> {
    let details = json!({"parent_model": "", "format": "gguf", "family": "llama",
        "families": ["llama"], "parameter_size": "7.2B", "quantization_level": "Q4_0"});
    vec![
        (
            "GET",
            "/api/ps",
            json!({"models": [{"name": "mistral:latest", "model": "mistral:latest",
            "size": 5_137_025_024_u64, "digest": "2ae6f6dd", "details": details,
            "expires_at": "2026-06-04T14:38:31.83753-07:00", "size_vram": 5_137_025_024_u64,
            "context_length": 8_192}]}),
        ),
        (
            "GET",
            "/api/tags",
            json!({"models": [{"name": "gemma3:4b", "model": "gemma3:4b",
            "modified_at": "2026-05-04T14:38:31-07:00", "size": 1, "digest": "a", "details": details}]}),
        ),
        (
            "POST",
            "/api/show",
            json!({"modelfile": "# …", "parameters":
            "num_keep                       24\nstop                           \"<|eot_id|>\"",
            "template": "{{ .Prompt }}", "details": details,
            "model_info": {"general.architecture": "llama", "general.parameter_count": 7_248_023_552_u64,
                "llama.attention.head_count": 32, "llama.context_length": 32_768,
                "llama.rope.freq_base": 1_000_000},
            "capabilities": ["completion", "tools", "vision"]}),
        ),
        (
            "GET",
            "/v1/models",
            json!({"object": "list", "data": [{"id": "mistral:latest",
            "object": "model", "created": 1_771_000_000, "owned_by": "library"}]}),
        ),
    ]
}

#[test]
fn ollama_runs_with_less_than_its_model_has_and_that_is_the_window() {
    let web = serve(ollama());
    for base in ["", "/v1", "/v1/v1/"] {
        let plim = program("OLLAMA", &format!("{}{base}", web.base));
        let (doctor, _) = check(&plim, "ollama/mistral:latest", 8_192);
        let said = of_provider(&doctor, "ollama");
        assert_eq!(said["serves"]["largest_window"], 32_768);
        assert_eq!(said["serves"]["cuts_silently"], true);
        assert_eq!(said["serves"]["images"], true);
        assert_eq!(said["mended"].is_string(), base != "/v1", "{said}");
        assert_eq!(doctor["ok"], false, "nothing can be sent: {doctor}");
        let problems = doctor["problems"].to_string();
        assert!(problems.contains("8,192 tokens"), "{problems}");
        assert!(problems.contains("the minimum is 16,000"), "{problems}");
        assert!(
            problems.contains("OLLAMA_CONTEXT_LENGTH=32768"),
            "{problems}"
        );
    }
}

#[test]
fn llama_cpp_says_its_window_in_its_properties() {
    let path = "../models/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf";
    let web = serve(vec![
        (
            "GET",
            "/v1/models",
            json!({"object": "list", "data": [{"id": path, "object": "model",
            "created": 1_735_142_223, "owned_by": "llamacpp", "meta": {"vocab_type": 2,
            "n_vocab": 128_256, "n_ctx_train": 131_072, "n_embd": 4_096,
            "n_params": 8_030_261_312_u64, "size": 4_912_898_304_u64}}]}),
        ),
        (
            "GET",
            "/props",
            json!({"default_generation_settings": {"id": 0, "id_task": -1,
            "n_ctx": 16_384, "speculative": false, "is_processing": false,
            "params": {"n_predict": -1, "temperature": 0.8}}, "total_slots": 4,
            "model_path": path, "chat_template": "…", "modalities": {"vision": true},
            "build_info": "b6000-abcdef"}),
        ),
    ]);
    let (doctor, _) = check(
        &program("LLAMACPP", &web.base),
        &format!("llamacpp/{path}"),
        16_384,
    );
    let said = &of_provider(&doctor, "llamacpp")["serves"];
    assert_eq!(said["largest_window"], 131_072);
    assert_eq!(said["images"], true);
}

#[test]
fn lm_studio_says_what_is_loaded_and_how_large() {
    let model = |id: &str, kind: &str, state: &str| {
        json!({"id": id, "object": "model", "type": kind, "publisher": "p", "arch": "llama",
            "compatibility_type": "gguf", "quantization": "Q4_K_M", "state": state,
            "max_context_length": 131_072})
    };
    let mut loaded = model("meta-llama-3.1-8b-instruct", "llm", "loaded");
    loaded["loaded_context_length"] = json!(4_096);
    let all = json!([
        model(
            "text-embedding-nomic-embed-text-v1.5",
            "embeddings",
            "loaded"
        ),
        model("qwen2-vl-7b-instruct", "vlm", "not-loaded"),
        loaded,
    ]);
    let ids = [
        "text-embedding-nomic-embed-text-v1.5",
        "qwen2-vl-7b-instruct",
    ];
    let ids: Vec<Value> = ids
        .iter()
        .map(|id| json!({"id": id, "object": "model"}))
        .collect();
    let web = serve(vec![
        (
            "GET",
            "/api/v0/models",
            json!({"object": "list", "data": all}),
        ),
        ("GET", "/v1/models", json!({"object": "list", "data": ids})),
    ]);
    let plim = program("LMSTUDIO", &format!("{}/v1", web.base));
    let (doctor, _) = check(&plim, "lmstudio/meta-llama-3.1-8b-instruct", 4_096);
    assert_eq!(
        of_provider(&doctor, "lmstudio")["serves"]["largest_window"],
        131_072
    );
}

#[test]
fn vllm_says_its_window_in_its_list() {
    let web = serve(vec![(
        "GET",
        "/v1/models",
        json!({"object": "list", "data": [
        {"id": "Qwen/Qwen3-32B", "object": "model", "created": 1_771_000_000,
         "owned_by": "vllm", "root": "Qwen/Qwen3-32B", "parent": null, "max_model_len": 40_960,
         "permission": [{"id": "modelperm-1", "object": "model_permission"}]}]}),
    )]);
    check(&program("VLLM", &web.base), "vllm/Qwen/Qwen3-32B", 40_960);
}

#[test]
fn exit_codes_say_whether_something_is_to_be_mended() {
    let web = Web::start(|asked: &Asked| {
        if asked.head.contains("right") {
            answer(r#"{"data":[{"id":"mistral-large-latest"}]}"#)
        } else {
            (
                401,
                String::new(),
                r#"{"message":"Unauthorized"}"#.to_owned(),
            )
        }
    });
    let plim = |key: &str| {
        program("OLLAMA", &dead_address())
            .with("MISTRAL_API_KEY", key)
            .with("MISTRAL_BASE_URL", &format!("{}/v1", web.base))
    };
    let refused = plim("wrong").run(&["models", "--refresh"]);
    assert_eq!(
        refused.code, 1,
        "the local ones are set and dead: {refused:?}"
    );
    assert!(refused.err.contains("plim doctor"), "{refused:?}");
    let doctor = plim("wrong").run(&["doctor"]);
    assert_eq!(doctor.code, 3, "{doctor:?}");
    assert!(doctor.out.contains("no working key"), "{doctor:?}");
    let hint =
        "hint: correct MISTRAL_API_KEY, or unset it and store a key with `plim login mistral`";
    assert!(doctor.out.contains(hint), "{doctor:?}");
    assert_eq!(doctor.out.matches("plim login").count(), 1, "{doctor:?}");
    // A list that cannot be kept is no success.
    let right = plim("right");
    let data = right.home().join("plimsoll/data");
    std::fs::create_dir_all(right.home().join("plimsoll")).unwrap();
    std::fs::write(&data, "a file in the place of the folder").unwrap();
    let kept = right.run(&["models", "--refresh"]);
    assert_eq!(kept.code, 1, "{kept:?}");
    assert!(
        kept.err.contains("the previous list stays in use"),
        "{kept:?}"
    );
    // A file of keys that cannot be read, and settings that cannot be.
    let broken = plim("right");
    assert_eq!(broken.pipe(&["login", "groq"], "gsk-1").code, 0);
    std::fs::write(broken.home().join("plimsoll/credentials.toml"), "keys = [").unwrap();
    for command in [&["doctor"][..], &["login", "groq"], &["logout", "groq"]] {
        let ran = broken.pipe(command, "gsk-2");
        assert_eq!(ran.code, 3, "{command:?}: {ran:?}");
        assert!(
            (ran.out + &ran.err).contains("credentials.toml"),
            "{command:?}"
        );
    }
    let file = broken.file("bad.toml", "prune.polcy = \"off\"\n");
    let ran = broken.run(&["doctor", "--config", file.to_str().unwrap()]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.err.contains("bad.toml:1"), "{ran:?}");
}
