//! The first hour: addresses that are none, servers that want a key, a wrong clock, and what
//! is said about each.

use serde_json::{Value, json};

use super::program::{Program, dead_address};
use super::web::{Asked, Web, chat, json as answer, missing};

/// Where nobody answers, unless a test says otherwise.
fn program() -> Program {
    let dead = dead_address();
    let local = ["OLLAMA", "LLAMACPP", "LMSTUDIO", "VLLM"];
    local.iter().fold(Program::new(), |plim, id| {
        plim.with(&format!("{id}_BASE_URL"), &dead)
    })
}

fn problems(doctor: &Value) -> Vec<(&str, &str, &str)> {
    let all = doctor["problems"].as_array().unwrap().iter();
    all.map(|it| {
        let of = |key: &str| it[key].as_str().unwrap_or_default();
        (of("severity"), of("text"), of("hint"))
    })
    .collect()
}

#[test]
fn a_base_url_that_is_none_is_named_with_its_variable_before_anything_is_sent() {
    for base in ["unix:///var/run/model.sock", "two words", "http://h:99999"] {
        let plim = program()
            .with("MISTRAL_API_KEY", "sk-mistral-123456")
            .with("MISTRAL_BASE_URL", base);
        let said = format!("MISTRAL_BASE_URL is {base:?}");
        let doctor = plim.run(&["doctor", "--json", "-m", "mistral/mistral-large-latest"]);
        assert_eq!(doctor.code, 3, "{doctor:?}");
        let doctor = doctor.json();
        let errors: Vec<_> = problems(&doctor)
            .into_iter()
            .filter(|(severity, text, _)| *severity == "error" && !text.contains("Connection"))
            .collect();
        let [("error", text, hint)] = errors.as_slice() else {
            panic!("{doctor}")
        };
        assert!(
            text.contains("cannot be used") && hint.contains(&said),
            "{doctor}"
        );
        let ran = plim.run(&["-m", "mistral/mistral-large-latest", "-p", "hi"]);
        assert_eq!(ran.code, 3, "{ran:?}");
        assert!(
            ran.err.contains(&said) && !ran.err.contains("trying again"),
            "{ran:?}"
        );
        assert!(!ran.err.contains("not authorised"), "{ran:?}");
        // One that is not asked for is said as well.
        let doctor = plim.run(&["doctor", "--json", "--offline"]);
        assert_eq!(doctor.code, 3, "{doctor:?}");
        assert!(doctor.out.contains("Mistral cannot be used"), "{doctor:?}");
    }
}

#[test]
fn an_address_that_speaks_no_tls_is_not_tried_again() {
    // What an HTTP server says to the first bytes of a handshake.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("https://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut first = [0; 64];
            let _ = std::io::Read::read(&mut stream, &mut first);
            let _ = std::io::Write::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let plim = program().with("OPENAI_BASE_URL", &base);
    let ran = plim.run(&["-m", "openai/m", "-p", "hi"]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(
        ran.err.contains("should the address begin with http://"),
        "{ran:?}"
    );
    assert!(!ran.err.contains("trying again"), "{ran:?}");
}

#[test]
fn a_local_server_that_wants_a_key_is_asked_with_it() {
    let web = Web::start(|asked: &Asked| {
        if !asked.head.contains("Bearer local-secret") {
            return (401, String::new(), r#"{"message":"no"}"#.to_owned());
        }
        match asked.target.as_str() {
            "/v1/models" => answer(r#"{"data":[{"id":"x","max_model_len":40960}]}"#),
            "/v1/chat/completions" => chat("hello"),
            _ => missing(),
        }
    });
    let plim = program()
        .with("VLLM_BASE_URL", &format!("{}/v1", web.base))
        .with("VLLM_API_KEY", "local-secret");
    let doctor = plim.run(&["doctor", "--json"]).json();
    assert_eq!(doctor["model"]["model"], "vllm/x", "{doctor}");
    assert_eq!(
        doctor["model"]["window"],
        json!({"tokens": 40_960, "source": "server"})
    );
    assert!(!doctor.to_string().contains("local-secret"));
    let models = plim.run(&["models", "--json"]).json();
    let row = models
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["model"] == "vllm/x");
    assert_eq!(row.unwrap()["window"], 40_960, "{models}");
}

#[test]
fn a_clock_that_differs_from_all_servers_is_said_and_one_server_alone_is_not() {
    let at = |date: &'static str| {
        Web::start(move |_: &Asked| {
            let (status, headers, body) = answer(r#"{"data":[{"id":"m"}]}"#);
            let date = if date.is_empty() {
                // What an HTTP server says now.
                let now = std::time::SystemTime::now();
                let now = jiff::Timestamp::try_from(now).unwrap();
                now.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
            } else {
                date.to_owned()
            };
            (status, format!("{headers}date: {date}\r\n"), body)
        })
    };
    let wrong = at("Fri, 31 Dec 1999 23:59:00 GMT");
    let right = at("");
    let clock = |plim: &Program| {
        let doctor = plim.run(&["doctor", "--json"]).json();
        let found = problems(&doctor)
            .into_iter()
            .find(|(_, text, _)| text.contains("clock"));
        found.map(|(severity, text, _)| (severity.to_owned(), text.to_owned()))
    };
    let one = program()
        .with("GROQ_API_KEY", "gsk-12345678")
        .with("GROQ_BASE_URL", &wrong.base);
    let (severity, text) = clock(&one).unwrap();
    assert_eq!(severity, "warning");
    assert!(text.contains(" d ahead of that of Groq"), "{text}");
    let two = one
        .with("MISTRAL_API_KEY", "sk-12345678")
        .with("MISTRAL_BASE_URL", &right.base);
    assert_eq!(clock(&two), None);
}

#[test]
fn a_model_of_the_table_keeps_its_prices_when_only_its_window_is_set() {
    let plim = program().with("ANTHROPIC_API_KEY", "sk-ant-12345678");
    let of = |args: &[&str]| -> Value {
        let models = plim.run(args).json();
        let rows = models.as_array().unwrap().iter();
        let mut found = rows.filter(|row| row["model"] == "anthropic/claude-haiku-4-5");
        found.next().unwrap().clone()
    };
    let mut before = of(&["models", "--json"]);
    let file = plim.file(
        "mine.toml",
        "[providers.anthropic]\nmodels = [{ id = \"claude-haiku-4-5\", window = 120000 }]\n",
    );
    let after = of(&["models", "--json", "--config", file.to_str().unwrap()]);
    assert!(before["price"]["input"].is_number(), "{before}");
    before["window"] = json!(120_000);
    before["window_source"] = after["window_source"].clone();
    before["sources"]["window"] = json!("user");
    assert_eq!(after, before);
}
