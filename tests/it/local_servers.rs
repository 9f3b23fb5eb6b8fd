//! Servers on this machine that answer as their documentation says, and refuse whatever is
//! not in it: which model is chosen, how large its window is and who says so.

use serde_json::{Value, json};

use super::program::{Program, Ran, dead_address};
use super::web::{Answer, Asked, Web, chat, json as answer, missing};

/// What a server has at a method and a path.
type Route = (&'static str, &'static str, Value);

fn serve(routes: Vec<Route>) -> Web {
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
fn program(id: &str, base: &str) -> Program {
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
    assert!(
        !is_small || ran.err.contains("OLLAMA_CONTEXT_LENGTH"),
        "{ran:?}"
    );
    let lines = ran.lines();
    let view = lines.iter().rfind(|line| line["type"] == "view").unwrap();
    assert_eq!(view["window"]["tokens"], window, "{view}");
    assert_eq!(view["window"]["source"], "server", "{view}");
    (doctor, ran)
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
        let problems = doctor["problems"].to_string();
        assert!(problems.contains("num_ctx 8,192 of 32,768"), "{problems}");
        assert!(problems.contains("OLLAMA_CONTEXT_LENGTH"), "{problems}");
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
fn openrouter_lists_windows_limits_abilities_and_prices() {
    let web = serve(vec![(
        "GET",
        "/api/v1/models",
        json!({"data": [{
        "id": "maker/yet-unheard-of", "canonical_slug": "maker/yet-unheard-of", "name": "Maker: U",
        "created": 1_771_000_000, "context_length": 262_144,
        "architecture": {"modality": "text+image->text", "input_modalities": ["text", "image"],
            "output_modalities": ["text"], "tokenizer": "Other", "instruct_type": null},
        "pricing": {"prompt": "0.0000003", "completion": "0.0000012", "request": "0", "image": "0",
            "input_cache_read": "0.00000003"},
        "top_provider": {"context_length": 131_072, "max_completion_tokens": 32_768,
            "is_moderated": false},
        "per_request_limits": null,
        "supported_parameters": ["max_tokens", "reasoning", "tools"]}]}),
    )]);
    let plim = program("OLLAMA", &dead_address())
        .with("OPENROUTER_API_KEY", "sk-or-test")
        .with("OPENROUTER_BASE_URL", &format!("{}/api/v1", web.base));
    assert_eq!(plim.run(&["models", "--refresh"]).code, 0);
    let doctor = plim
        .run(&["doctor", "--json", "-m", "openrouter/maker/yet-unheard-of"])
        .json();
    assert_eq!(doctor["model"]["window"]["tokens"], 131_072, "{doctor}");
    let rows = plim.run(&["models", "--json"]).json();
    let all = rows.as_array().unwrap();
    let row = all
        .iter()
        .find(|row| row["model"] == "openrouter/maker/yet-unheard-of")
        .unwrap();
    assert_eq!(row["max_output"], 32_768, "{row}");
    assert_eq!(row["price"]["input"], 0.3, "{row}");
    assert_eq!(row["price"]["cache_read"], 0.03, "{row}");
}

#[test]
fn lists_of_several_pages_are_fetched_to_their_end() {
    let web = serve(vec![
        (
            "GET",
            "/v1/models?limit=1000",
            json!({"data": [{"id": "claude-a", "type": "model",
            "display_name": "A", "created_at": "2026-01-01T00:00:00Z"}],
            "has_more": true, "first_id": "claude-a", "last_id": "claude-a"}),
        ),
        (
            "GET",
            "/v1/models?limit=1000&after_id=claude-a",
            json!({"data": [{"id": "claude-b",
            "type": "model", "max_input_tokens": 300_000, "max_tokens": 64_000}],
            "has_more": false, "first_id": "claude-b", "last_id": "claude-b"}),
        ),
        (
            "GET",
            "/v1beta/models?pageSize=1000",
            json!({"models": [{"name": "models/gemini-a",
            "inputTokenLimit": 1_048_576, "outputTokenLimit": 65_536, "thinking": true,
            "supportedGenerationMethods": ["generateContent", "countTokens"]}],
            "nextPageToken": "x="}),
        ),
        (
            "GET",
            "/v1beta/models?pageSize=1000&pageToken=x%3D",
            json!({"models": [
            {"name": "models/gemini-b", "inputTokenLimit": 9_000, "outputTokenLimit": 1_000}]}),
        ),
    ]);
    let plim = program("OLLAMA", &dead_address())
        .with("ANTHROPIC_API_KEY", "sk-ant-test")
        .with("ANTHROPIC_BASE_URL", &web.base)
        .with("GEMINI_API_KEY", "g")
        .with("GEMINI_BASE_URL", &format!("{}/v1beta", web.base));
    let ran = plim.run(&["models", "--refresh"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for said in ["anthropic: 2 models", "gemini: 2 models", "gemini-b"] {
        assert!(ran.out.contains(said), "{said}: {ran:?}");
    }
    let rows = plim.run(&["models", "--json"]).json();
    let all = rows.as_array().unwrap();
    let window = |name: &str| {
        let row = all.iter().find(|row| row["model"] == name);
        row.map(|row| row["window"].clone())
    };
    assert_eq!(window("anthropic/claude-b"), Some(json!(300_000)));
    assert_eq!(window("gemini/gemini-b"), Some(json!(9_000)));
}
