//! What the user adds to requests: fields of the body, headers from variables, keys in other
//! headers. And what is said of addresses and proxies that lead nowhere.

use serde_json::{Value, json};

use super::program::{Program, Ran, dead_address};
use super::providers::{KEY, config, program};
use super::web::{Asked, Web, chat, missing};

/// A chat server; whatever else is asked is not there.
fn server() -> Web {
    Web::start(|asked: &Asked| {
        if asked.head.starts_with("POST") && asked.target.contains("/chat/completions") {
            chat("hello")
        } else {
            missing()
        }
    })
}

/// The request for an answer.
fn sent(web: &Web) -> Asked {
    let asked = web.asked().into_iter().rev();
    let mut chats = asked.filter(|asked| asked.body.contains("\"messages\""));
    chats.next().unwrap()
}

fn body(web: &Web) -> Value {
    serde_json::from_str(&sent(web).body).unwrap()
}

fn ask(plim: &Program, web: &Web, table: &str, model: &str) -> Ran {
    let text = format!(
        "[providers.mine]\nbase_url = \"{}/v1\"\n{table}\n",
        web.base
    );
    let file = config(plim, &text);
    plim.run(&["--config", &file, "-m", model, "-p", "hi"])
}

#[test]
fn fields_of_a_provider_and_of_a_model_are_in_the_body_the_model_s_over_the_provider_s() {
    let web = server();
    let plim = program();
    let table = "temperature = 0.25\nservice_tier = \"flex\"\n\
                 extra_body = { seed = 7, provider = { order = [\"a\"], sort = \"price\" } }\n\
                 [[providers.mine.models]]\nid = \"own\"\ntemperature = 1\n\
                 extra_body = { provider = { sort = \"latency\" }, none = { x = 1.5 } }\n";
    assert_eq!(ask(&plim, &web, table, "mine/other").code, 0);
    let other = body(&web);
    assert_eq!(other["temperature"], 0.25);
    assert_eq!(other["service_tier"], "flex");
    assert_eq!(other["seed"], 7);
    assert_eq!(other["provider"], json!({"order": ["a"], "sort": "price"}));
    assert_eq!(ask(&plim, &web, table, "mine/own").code, 0);
    let own = body(&web);
    assert_eq!(own["temperature"].as_f64(), Some(1.0));
    assert_eq!(own["service_tier"], "flex");
    assert_eq!(own["provider"], json!({"order": ["a"], "sort": "latency"}));
    assert_eq!(own["none"], json!({"x": 1.5}));
    assert_eq!(own["model"], "own");
    // Without them nothing of it is sent.
    assert_eq!(ask(&plim, &web, "", "mine/other").code, 0);
    for field in ["temperature", "service_tier", "seed", "provider"] {
        assert_eq!(body(&web)[field], Value::Null, "{field}");
    }
}

#[test]
fn a_field_that_only_the_program_sets_is_refused_with_its_place() {
    let web = server();
    let plim = program();
    for (table, said) in [
        (
            "extra_body = { messages = [] }",
            "config.toml:3: `providers.mine.extra_body.messages` cannot be set",
        ),
        (
            "extra_body = { stream = false }",
            "extra_body.stream` cannot",
        ),
        (
            "models = [{ id = \"x\", extra_body = { model = \"y\" } }]",
            "extra_body.model` cannot be set",
        ),
        ("extra_body = { tools = [] }", "extra_body.tools` cannot"),
        (
            "extra_body = { at = 2026-01-01 }",
            "that JSON does not support",
        ),
        ("extra_body = 7", "expected a table"),
        ("temperature = 3", "expected a number from 0 to 2"),
        ("temperature = \"warm\"", "expected a number from 0 to 2"),
    ] {
        let ran = ask(&plim, &web, table, "mine/x");
        assert_eq!(ran.code, 3, "{table}: {ran:?}");
        assert!(ran.err.contains(said), "{table}: {ran:?}");
    }
    assert!(web.asked().is_empty());
}

#[test]
fn headers_name_variables_and_one_that_is_not_set_is_said() {
    let web = server();
    let table = "headers = { X-Team = \"$TEAM-${TEAM}\", X-Token = \"Bearer $MY_TOKEN\", \
                 X-Price = \"$$5\" }";
    let plim = program()
        .with("TEAM", "blue")
        .with("MY_TOKEN", "very-secret-token-42");
    let ran = ask(&plim, &web, table, "mine/x");
    assert_eq!(ran.code, 0, "{ran:?}");
    let head = sent(&web).head;
    for header in [
        "x-team: blue-blue\r\n",
        "x-token: Bearer very-secret-token-42\r\n",
        "x-price: $5\r\n",
    ] {
        assert!(head.contains(header), "{head}");
    }
    let asked = web.asked().len();
    let unset = program().with("TEAM", "blue");
    let ran = ask(&unset, &web, table, "mine/x");
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(
        ran.err
            .contains("the header X-Token of provider mine uses $MY_TOKEN, which is not set"),
        "{ran:?}"
    );
    assert_eq!(web.asked().len(), asked, "nothing is sent without it");
    // A server that echoes it is not quoted, and neither is it in the settings.
    let echo = Web::start(|asked: &Asked| {
        let body = json!({"error": {"message": format!("bad {}", asked.head)}});
        (
            400,
            "content-type: application/json\r\n".to_owned(),
            body.to_string(),
        )
    });
    let ran = ask(&plim, &echo, table, "mine/x");
    assert!(
        !format!("{ran:?}").contains("very-secret-token-42"),
        "{ran:?}"
    );
}

#[test]
fn azure_gets_its_key_in_its_own_header_and_in_no_other() {
    let web = server();
    let plim = program()
        .with("AZURE_OPENAI_ENDPOINT", &web.base)
        .with("AZURE_OPENAI_API_KEY", KEY);
    let ran = plim.run(&["-m", "azure/my-deployment", "-p", "hi"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let asked = sent(&web);
    assert_eq!(asked.target, "/openai/v1/chat/completions");
    assert!(asked.head.contains(&format!("api-key: {KEY}")));
    assert!(
        !asked.head.to_lowercase().contains("authorization"),
        "{}",
        asked.head
    );
    // Set up by hand, under any name.
    let plim = program().with("MINE_API_KEY", KEY);
    let table = format!("headers = {{ api-key = \"{KEY}\" }}");
    assert_eq!(ask(&plim, &web, &table, "mine/x").code, 0);
    let head = sent(&web).head.to_lowercase();
    assert!(
        head.contains("api-key: ") && !head.contains("authorization"),
        "{head}"
    );
}

#[test]
fn what_is_missing_of_an_address_with_variables_is_said() {
    let plim = program().with("AWS_BEARER_TOKEN_BEDROCK", KEY);
    for (model, said) in [
        (
            "bedrock/openai.gpt-oss-120b-1:0",
            "set AWS_REGION, or providers.bedrock.base_url",
        ),
        (
            "azure/x",
            "set AZURE_OPENAI_ENDPOINT, or providers.azure.base_url",
        ),
        (
            "vertex/google/gemini-2.5-pro",
            "set GOOGLE_CLOUD_LOCATION and GOOGLE_CLOUD_PROJECT, or providers.vertex.base_url",
        ),
    ] {
        let ran = plim.run(&["-m", model, "-p", "hi"]);
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(ran.err.contains(said), "{ran:?}");
    }
}

#[test]
fn a_redirection_names_where_it_leads() {
    let web = Web::start(|_| {
        let location = "location: https://me:secret@elsewhere.example/v2?key=abc\r\n".to_owned();
        (307, location, String::new())
    });
    let ran = ask(&program(), &web, "", "mine/x");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(
        ran.err.contains(
            "redirects to https://elsewhere.example/v2 (HTTP 307); redirects are not followed"
        ),
        "{ran:?}"
    );
    assert!(!ran.err.contains("secret") && !ran.err.contains("abc"));
}

#[test]
fn a_dead_proxy_is_named_and_one_that_is_none_is_said_before_anything_is_sent() {
    let dead = dead_address();
    let once = ["-S", "retry.max_attempts=1"];
    let ask = |plim: &Program| {
        let base = ["--base-url", "https://api.invalid/v1", "-m", "openai/x"];
        plim.run(&[&base[..], &once, &["-p", "hi"]].concat())
    };
    let ran = ask(&program().with("HTTPS_PROXY", &dead));
    assert_eq!(ran.code, 1, "{ran:?}");
    let said = format!("no connection to api.invalid through the proxy {dead} (HTTPS_PROXY): ");
    assert!(ran.err.contains(&said), "{ran:?}");
    let ran = ask(&program().with("HTTPS_PROXY", "nonsense:::"));
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(
        ran.err
            .contains("HTTPS_PROXY is \"nonsense:::\"; expected the URL of a proxy"),
        "{ran:?}"
    );
}
