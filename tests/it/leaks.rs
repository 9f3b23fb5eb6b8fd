//! Keys and what is as secret, in everything that runs print, log, keep and export, while
//! servers say them back wherever they can.

use std::path::Path;

use serde_json::json;

use super::program::{Program, Ran, dead_address};
use super::providers::{KEY, config, program, was_sent};
use super::web::{Answer, Web, chat};

/// Every file below a folder, whole.
fn all_text(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let bytes = std::fs::read(&path).unwrap();
                let text = String::from_utf8_lossy(&bytes).into_owned();
                found.push((path.display().to_string(), text));
            }
        }
    }
    found
}

/// An answer in the format of whoever is asked at this path.
pub fn fine(target: &str) -> Answer {
    let events: &[serde_json::Value] = if target.contains("/messages") {
        &[
            json!({"type": "message_start", "message": {"usage": {"input_tokens": 9}}}),
            json!({"type": "content_block_start", "index": 0,
                "content_block": {"type": "text", "text": "hello"}}),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"},
                "usage": {"output_tokens": 3}}),
            json!({"type": "message_stop"}),
        ]
    } else if target.contains(":streamGenerateContent") {
        &[
            json!({"candidates": [{"content": {"parts": [{"text": "hello"}]},
            "finishReason": "STOP"}]}),
        ]
    } else if target.contains("/responses") {
        &[
            json!({"type": "response.output_text.delta", "output_index": 0, "delta": "hello"}),
            json!({"type": "response.completed", "response": {}}),
        ]
    } else {
        return chat("hello");
    };
    let lines: Vec<String> = events
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect();
    (
        200,
        "content-type: text/event-stream\r\n".to_owned(),
        lines.concat(),
    )
}

/// A server that says the key wherever it can; what it is asked decides how.
fn telltale() -> Web {
    let said = format!("Incorrect API key provided: {KEY}. You can find your API key elsewhere.");
    let echo = json!({"error": {"message": said, "code": "invalid_api_key"}}).to_string();
    let kind = "content-type: application/json\r\n".to_owned();
    Web::start(move |asked| {
        if asked.head.starts_with("GET") {
            return (401, kind.clone(), echo.clone());
        }
        match asked.body.as_str() {
            body if body.contains("case-401") => (401, kind.clone(), echo.clone()),
            body if body.contains("case-400") => (400, kind.clone(), echo.clone()),
            body if body.contains("case-302") => {
                let to = format!("location: http://127.0.0.1:1/{KEY}\r\n");
                (302, to, String::new())
            }
            body if body.contains("case-stream") => {
                let event = format!("data: {echo}\n\n");
                (200, "content-type: text/event-stream\r\n".to_owned(), event)
            }
            _ => fine(&asked.target),
        }
    })
}

/// Neither what the runs said nor what is on disk afterwards has the key.
fn is_in_nothing(plim: &Program, ran: &[Ran]) {
    for Ran { out, err, .. } in ran {
        assert!(!out.contains(KEY) && !err.contains(KEY), "{out}\n{err}");
    }
    let files = all_text(plim.home());
    let has = |what: &str| files.iter().any(|(name, _)| name.contains(what));
    assert!(has(".jsonl") && has("plim.log"), "{:?}", files.len());
    for (name, text) in files.iter().chain(&all_text(plim.dir())) {
        assert!(!text.contains(KEY), "{name}");
    }
}

#[test]
fn a_key_is_in_nothing_that_a_run_writes_in_any_format() {
    let web = telltale();
    let plim = program()
        .with("ANTHROPIC_API_KEY", KEY)
        .with("ANTHROPIC_BASE_URL", &web.base)
        .with("GEMINI_API_KEY", KEY)
        .with("GEMINI_BASE_URL", &format!("{}/v1beta", web.base))
        .with("MINE", KEY);
    let text = format!(
        "[providers.openai]\nbase_url = \"{}/v1\"\napi = \"responses\"\napi_key_env = \"MINE\"\n",
        web.base
    );
    let file = config(&plim, &text);
    let mut ran = Vec::new();
    for model in [
        "anthropic/claude-sonnet-4-5",
        "gemini/gemini-2.5-pro",
        "openai/gpt-5-mini",
    ] {
        for case in ["fine", "case-401", "case-400", "case-302", "case-stream"] {
            let once = "retry.max_attempts=1";
            let args = [
                "--config", &file, "-vv", "-m", model, "-S", once, "-p", case,
            ];
            ran.push(tried(&plim, &args, model, case));
        }
        for command in [
            vec!["context", "--exact"],
            vec!["request"],
            vec!["doctor", "--json"],
        ] {
            let mut args = vec!["--config", &file, "-vv", "-m", model];
            args.splice(0..0, command);
            ran.push(plim.run(&args));
        }
    }
    let asked = web.asked();
    for header in ["x-api-key", "x-goog-api-key", "Bearer"] {
        let is_sent = |head: &str| head.contains(header) && head.contains(KEY);
        assert!(asked.iter().any(|asked| is_sent(&asked.head)), "{header}");
    }
    is_in_nothing(&plim, &ran);
}

/// Runs it; only the case that is fine ends well.
fn tried(plim: &Program, args: &[&str], model: &str, case: &str) -> Ran {
    let outcome = plim.run(args);
    assert_eq!(
        outcome.code == 0,
        case == "fine",
        "{model} {case}: {outcome:?}"
    );
    outcome
}

#[test]
fn an_address_with_a_key_in_it_is_shown_without() {
    let web = telltale();
    let host = web.base.trim_start_matches("http://");
    let base = format!("http://me:{KEY}@{host}/v1?key={KEY}");
    let plim = program()
        .with("OPENAI_BASE_URL", &base)
        .with("PLIMSOLL_BASE_URL", &base)
        .with("GEMINI_API_KEY", "other")
        .with("GEMINI_BASE_URL", &base);
    let mut ran = Vec::new();
    for model in ["openai/x", "gemini/gemini-2.5-pro"] {
        for case in ["fine", "case-400", "case-302"] {
            let once = "retry.max_attempts=1";
            let args = [
                "-vv",
                "-m",
                model,
                "-S",
                once,
                "-p",
                case,
                "--output-format",
                "stream-json",
            ];
            ran.push(tried(&plim, &args, model, case));
        }
    }
    for args in [
        vec!["doctor"],
        vec!["doctor", "--json"],
        vec!["models", "--refresh"],
        vec!["config", "show"],
        vec!["request", "-m", "openai/x"],
        vec!["export"],
    ] {
        ran.push(plim.run(&args));
    }
    let asked = web.asked();
    let query = format!("key={KEY}");
    let chat = format!("/v1/chat/completions?{query}");
    assert!(asked.iter().any(|asked| asked.target == chat), "{asked:?}");
    assert!(asked.iter().any(|asked| {
        asked
            .target
            .ends_with(&format!(":streamGenerateContent?alt=sse&{query}"))
    }));
    is_in_nothing(&plim, &ran);
}

#[test]
fn a_key_is_in_nothing_that_a_run_writes() {
    let web = telltale();
    let plim = program()
        .with("OPENAI_API_KEY", KEY)
        .with("OPENAI_BASE_URL", &format!("{}/v1", web.base));
    let mut ran = Vec::new();
    for case in ["fine", "case-401", "case-400", "case-302", "case-stream"] {
        for form in ["text", "json", "stream-json"] {
            ran.push(plim.run(&[
                "-vv",
                "-m",
                "openai/gpt-5-mini",
                "-S",
                "retry.max_attempts=1",
                "-p",
                case,
                "--output-format",
                form,
            ]));
        }
    }
    for args in [
        vec!["export", "--format", "md"],
        vec!["export", "--format", "html"],
        vec!["export", "--format", "json"],
        vec!["export", "--format", "jsonl"],
        vec!["request", "-m", "openai/gpt-5-mini"],
        vec!["request", "-m", "openai/gpt-5-mini", "--diff-previous"],
        vec!["context", "--json"],
        vec!["doctor", "-vv"],
        vec!["doctor", "--json"],
        vec!["models", "--refresh"],
        vec!["models", "--json"],
        vec!["config", "show"],
        vec!["cost"],
    ] {
        ran.push(plim.run(&args));
    }
    assert!(
        web.asked().iter().any(|asked| asked.head.contains(KEY)),
        "the key was sent"
    );
    is_in_nothing(&plim, &ran);
}

/// Headers, a command and a proxy's password are as secret as a key.
#[test]
fn what_is_secret_beside_the_key_is_in_nothing_either() {
    let web = telltale();
    let dead = dead_address();
    let dead = dead.trim_start_matches("http://").trim_end_matches("/v1");
    let plim = program().with("HTTPS_PROXY", &format!("http://me:{KEY}@{dead}"));
    let text = format!(
        "[providers.mine]\nbase_url = \"{}/v1\"\napi_key_cmd = \"echo {KEY}\"\nheaders = {{ x-api-token = \"{KEY}\" }}\n",
        web.base
    );
    let file = config(&plim, &text);
    let mut ran = Vec::new();
    for case in ["fine", "case-401", "case-400", "case-stream"] {
        let once = "retry.max_attempts=1";
        let args = [
            "--config", &file, "-vv", "-m", "mine/x", "-S", once, "-p", case,
        ];
        ran.push(plim.run(&args));
    }
    for args in [
        vec!["config", "show"],
        vec!["doctor", "-vv", "-m", "mine/x"],
        vec!["doctor", "--json", "-m", "mine/x"],
        vec!["request", "-m", "mine/x"],
        vec!["models", "--refresh"],
    ] {
        let mut all = vec!["--config", file.as_str()];
        all.extend(args);
        ran.push(plim.run(&all));
    }
    // The proxy is not there: its address is named, its password is not.
    let once = [
        "-vv",
        "-S",
        "retry.max_attempts=1",
        "-m",
        "groq/x",
        "-p",
        "hi",
    ];
    let plim = plim.with("GROQ_API_KEY", "other");
    let failed = plim.run(&once);
    assert_ne!(failed.code, 0, "{failed:?}");
    ran.push(failed);
    assert!(was_sent(&web, &format!("x-api-token: {KEY}")));
    std::fs::remove_file(&file).unwrap();
    is_in_nothing(&plim, &ran);
}

/// A long error is cut; where it is cut in the middle of a key, half of the key is not shown
/// either. What is sent for a password in an address is as secret as the password.
#[test]
fn neither_a_part_of_a_key_nor_the_header_of_a_password_is_shown() {
    /// The common prefix of the provider's keys may be seen.
    const BEGINNING: &str = "sk-Zq7Xv";
    let kind = "content-type: application/json\r\n";
    let web = Web::start(move |asked| {
        let (_, pad) = asked.body.split_once("pad-").unwrap_or(("", "0"));
        let digits: String = pad.chars().take_while(char::is_ascii_digit).collect();
        let pad = "x".repeat(digits.parse().unwrap_or(0));
        let mut lines = asked.head.lines();
        let basic = lines.find(|line| line.to_lowercase().starts_with("authorization: basic"));
        let said = format!("{} {pad}{KEY} was refused", basic.unwrap_or("no"));
        let echo = json!({"error": {"message": said, "code": "invalid"}}).to_string();
        if asked.body.contains("case-stream") {
            let kind = "content-type: text/event-stream\r\n".to_owned();
            return (200, kind, format!("data: {echo}\n\n"));
        }
        (400, kind.to_owned(), echo)
    });
    let host = web.base.trim_start_matches("http://");
    let plim = program()
        .with("OPENAI_API_KEY", KEY)
        .with("OPENAI_BASE_URL", &format!("{}/v1", web.base));
    let file = config(
        &plim,
        &format!(
            "[providers.mine]\nbase_url = \"http://me:p%40ssword-7@{host}/v1\"\n\
             headers = {{ x-pass = \"{KEY}\" }}\n"
        ),
    );
    let mut ran = Vec::new();
    for model in ["openai/gpt-5-mini", "mine/x"] {
        for case in [
            "case-400 pad-375",
            "case-400 pad-385",
            "case-stream pad-385",
        ] {
            let once = "retry.max_attempts=1";
            let args = [
                "--config", &file, "-vv", "-m", model, "-S", once, "-p", case,
            ];
            ran.push(plim.run(&args));
        }
    }
    let asked = web.asked();
    let is_basic = |head: &str| head.to_lowercase().contains("authorization: basic");
    assert!(asked.iter().any(|asked| is_basic(&asked.head)));
    std::fs::remove_file(&file).unwrap();
    let files = all_text(plim.home());
    let said = ran.iter().flat_map(|ran| [&ran.out, &ran.err]);
    for text in said.chain(files.iter().map(|(_, text)| text)) {
        assert!(!text.contains(BEGINNING), "{text}");
        assert!(!text.contains("ssword-7"), "{text}");
        // `me:p@ssword-7`
        assert!(!text.contains("bWU6cEBzc3dvcmQtNw"), "{text}");
    }
    assert!(
        ran.iter()
            .all(|ran| ran.err.contains("refused") || ran.err.contains('…'))
    );
    assert!(ran.iter().any(|ran| ran.err.contains("[key]…")), "{ran:?}");
}

/// A key out of the system's keyring is nowhere but in the request either.
#[cfg(not(target_os = "macos"))]
#[test]
fn a_key_of_the_keyring_is_in_nothing_that_a_run_writes() {
    use std::os::unix::fs::PermissionsExt as _;
    let web = telltale();
    let tools = tempfile::tempdir().unwrap();
    let tool = tools.path().join("secret-tool");
    let script = format!("#!/bin/sh\n[ \"$1\" = lookup ] && echo {KEY}\ncat > /dev/null\n");
    std::fs::write(&tool, script).unwrap();
    std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    let plim = program()
        .with("PATH", &format!("{}:/usr/bin:/bin", tools.path().display()))
        .with("MISTRAL_BASE_URL", &format!("{}/v1", web.base));
    let mut ran = vec![plim.pipe(&["login", "mistral", "--keyring"], KEY)];
    for case in ["fine", "case-401", "case-400", "case-stream"] {
        let once = "retry.max_attempts=1";
        let args = ["-vv", "-m", "mistral/x", "-S", once, "-p", case];
        ran.push(tried(&plim, &args, "mistral/x", case));
    }
    for args in [
        vec!["doctor", "-vv", "-m", "mistral/x"],
        vec!["doctor", "--json", "-m", "mistral/x"],
        vec!["request", "-m", "mistral/x"],
        vec!["export", "--format", "html"],
        vec!["models", "--refresh"],
    ] {
        ran.push(plim.run(&args));
    }
    assert!(was_sent(&web, &format!("Bearer {KEY}")));
    is_in_nothing(&plim, &ran);
}

/// The content that a screen shows and keeps: the wire request, facts, an export, errors that
/// say the key.
#[test]
fn a_key_is_on_no_screen() -> anyhow::Result<()> {
    use super::pty::Pty;
    use super::terminal::{Place, has, ready};
    let web = telltale();
    let place = Place::new()?;
    let mut command = place.command(env!("CARGO_BIN_EXE_plim"));
    command.args([
        "-vv",
        "-m",
        "openai/gpt-5-mini",
        "-S",
        "retry.max_attempts=1",
    ]);
    command.env("OPENAI_API_KEY", KEY);
    command.env("OPENAI_BASE_URL", format!("{}/v1", web.base));
    let mut pty = ready(Pty::start(command, 120, 40)?)?;
    pty.send("fine\r")?;
    pty.wait_for("hello")?;
    pty.send("case-401\r")?;
    pty.wait_for("Incorrect API key")?;
    pty.send("/clear\r")?;
    pty.wait("another session", |state| {
        !state.text().contains("Incorrect")
    })?;
    pty.send("case-stream\r")?;
    pty.wait_for("Incorrect API key")?;
    pty.send("/wire\r")?;
    pty.wait_for("secrets masked")?;
    pty.send("\u{1b}")?;
    pty.wait("the talk", |state| {
        !state.text().contains("secrets masked") && state.is_ready()
    })?;
    pty.send("/export html\r")?;
    pty.wait("the export", |_| {
        let mut files = all_text(&place.work())
            .into_iter()
            .chain(all_text(&place.home()));
        files.any(|(name, _)| Path::new(&name).extension().is_some_and(|it| it == "html"))
    })?;
    assert!(!has(&pty.state().bytes, KEY));
    drop(pty);
    for (name, text) in all_text(&place.home())
        .iter()
        .chain(&all_text(&place.work()))
    {
        assert!(!text.contains(KEY), "{name}");
    }
    assert!(was_sent(&web, &format!("Bearer {KEY}")));
    Ok(())
}

/// A model may run `env`; what it reads there is nobody's key.
#[test]
fn commands_do_not_get_the_keys_of_the_program() {
    let plim = program().with("OPENAI_API_KEY", KEY).with("MINE", KEY);
    let file = config(
        &plim,
        "[providers.mine]\nbase_url = \"http://x/v1\"\napi_key_env = \"MINE\"\n",
    );
    let ask = [
        "--config",
        &file,
        "-vv",
        "--offline",
        "--approve",
        "all",
        "-p",
        "run env",
    ];
    let ran = plim.run(&ask);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("PATH="), "{ran:?}");
    is_in_nothing(&plim, &[ran, plim.run(&["export", "--format", "md"])]);
}

/// With too little memory the program panics or aborts wherever it is: what it says then
/// has no key either.
#[cfg(target_os = "linux")]
#[test]
fn a_crash_shows_no_key() {
    const PATIENCE: std::time::Duration = std::time::Duration::from_secs(3);
    let plim = program()
        .with("OPENAI_API_KEY", KEY)
        .with("OPENAI_BASE_URL", &dead_address())
        .with("RUST_BACKTRACE", "full");
    let once = "retry.max_attempts=1";
    let args = ["-vv", "-m", "openai/gpt-5-mini", "-S", once, "-p", "hi"];
    let mut crashes = 0;
    for megabytes in (48..=72).step_by(4) {
        let whole = plim.command(&args);
        let mut limited = std::process::Command::new("sh");
        let line = format!("ulimit -v {}; exec \"$0\" \"$@\"", megabytes * 1_024);
        limited
            .args(["-c", &line])
            .arg(whole.get_program())
            .args(whole.get_args())
            .env_clear()
            .envs(
                whole
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .current_dir(plim.dir())
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped());
        let mut child = limited.spawn().unwrap();
        let began = std::time::Instant::now();
        // A panic while threads start may leave the process waiting for one of them.
        while child.try_wait().unwrap().is_none() && began.elapsed() < PATIENCE {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let _ = child.kill();
        let said = child.wait_with_output().unwrap();
        // Without a server it ends with 1 when it lives.
        crashes += usize::from(said.status.code() != Some(1));
        for bytes in [&said.stdout, &said.stderr] {
            let text = String::from_utf8_lossy(bytes);
            assert!(!text.contains(KEY), "{megabytes} MB: {text}");
        }
    }
    assert!(crashes > 0, "it lives on less than it was thought to");
    for (name, text) in all_text(plim.home()) {
        assert!(!text.contains(KEY), "{name}");
    }
}
