//! Escape sequences in everything that comes from elsewhere, through every screen and
//! every command of the program itself: none of them reaches the terminal.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use anyhow::Result;
use serde_json::{Value, json};

use super::pty::Pty;
use super::terminal::{Place, has, ready};

/// A title, the clipboard, a link, DCS, CSI, C1, bidi, zero-width, bell, backspace, return.
const HOSTILE: &str = "ab\u{1b}]0;PWNED\u{7}c\u{1b}]52;c;UFdORUQ=\u{7}d\u{1b}]8;;http://PWNED\u{1b}\\e\
                       \u{1b}P+q544e\u{1b}\\f\u{1b}[6nf\u{9b}31mg\u{9d}0;PWNED\u{9c}h\u{202e}i\u{2066}j\
                       \u{200b}k\u{8}l\rm\tn";

/// The sequences that must not come out, however they went in.
const FORBIDDEN: [&str; 13] = [
    "\u{1b}]0;",
    "\u{1b}]52",
    "\u{1b}]8;;http://PWNED",
    "\u{1b}P",
    "\u{1b}[6n",
    "\u{9b}",
    "\u{9d}",
    "\u{9c}",
    "\u{202e}",
    "\u{2066}",
    "\u{200b}",
    "\u{8}",
    "l\rm",
];

fn assert_harmless(pty: &Pty, what: &str) {
    let state = pty.state();
    for sequence in FORBIDDEN {
        assert!(
            !has(&state.bytes, sequence),
            "{what}: {sequence:?} came through:\n{}",
            state.text()
        );
    }
    let title = String::from_utf8_lossy(&state.bytes).contains("\u{1b}]2;ab\u{1b}");
    assert!(!title, "{what}: the title was cut short");
}

/// A session in which everything that can be foreign is.
fn session(place: &Place) -> Result<()> {
    let message = |id: u32, body: Value| {
        json!({
            "type": "message", "id": format!("{id:08x}"),
            "parentId": id.checked_sub(1).map(|before| format!("{before:08x}")),
            "timestamp": "2026-01-01T00:00:00.000Z", "message": body,
        })
    };
    let text = json!([{"type": "text", "text": HOSTILE}]);
    let big = json!([{"type": "text", "text": format!("{HOSTILE}\n").repeat(200)}]);
    let call = |id: &str, name: &str, arguments: Value| {
        json!({
            "role": "assistant", "provider": HOSTILE, "model": HOSTILE, "stopReason": "toolUse",
            "content": [
                {"type": "thinking", "thinking": HOSTILE},
                {"type": "text", "text": HOSTILE},
                {"type": "toolCall", "id": id, "name": name, "arguments": arguments},
            ],
        })
    };
    let result = |id: &str, name: &str, content: &Value, details: Value| {
        json!({
            "role": "toolResult", "toolCallId": id, "toolName": name, "content": content,
            "isError": false, "details": details,
        })
    };
    let diff = json!({"diff": HOSTILE, "path": HOSTILE});
    let todo = json!({"items": [{"text": HOSTILE, "state": "in_progress"}]});
    let lines = [
        json!({"type": "session", "version": 3, "id": "0197", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": HOSTILE}),
        message(0, json!({"role": "user", "content": text})),
        message(
            1,
            call("c1", HOSTILE, json!({"path": HOSTILE, "command": HOSTILE})),
        ),
        message(2, result("c1", HOSTILE, &big, diff)),
        message(3, call("c2", "todo", todo.clone())),
        message(4, result("c2", "todo", &text, todo)),
        message(
            5,
            json!({"role": "bashExecution", "command": HOSTILE, "output": HOSTILE, "exitCode": 0}),
        ),
        message(6, json!({"role": "user", "content": text})),
        json!({"type": "session_info", "id": "00000007", "parentId": "00000006", "timestamp": "2026-01-01T00:00:00.000Z", "name": HOSTILE}),
        json!({"type": "label", "id": "00000008", "parentId": "00000007", "timestamp": "2026-01-01T00:00:00.000Z", "targetId": "00000006", "label": HOSTILE}),
    ];
    let text = lines.map(|line| line.to_string()).join("\n") + "\n";
    fs::write(place.work().join("x.jsonl"), text)?;
    let kept = place.home().join("data/sessions/x");
    fs::create_dir_all(&kept)?;
    fs::copy(place.work().join("x.jsonl"), kept.join("x.jsonl"))?;
    fs::write(place.work().join("AGENTS.md"), HOSTILE)?;
    let themes = place.home().join("themes");
    fs::create_dir_all(&themes)?;
    let name = HOSTILE.replace('/', "_");
    fs::write(
        themes.join(format!("{name}.toml")),
        "name = \"\\u001b]0;PWNED\\u0007\"",
    )?;
    let escaped = serde_json::to_string(HOSTILE)?;
    let models = format!(
        "[providers.mine]\nbase_url = \"http://127.0.0.1:9/v1\"\nmodels = [{{ id = {escaped}, window = 9000 }}]\n"
    );
    fs::write(place.home().join("config.toml"), models)?;
    Ok(())
}

#[test]
fn no_screen_passes_on_what_a_session_holds() -> Result<()> {
    for (columns, rows) in [(120, 40), (40, 12)] {
        let place = Place::new()?;
        session(&place)?;
        let start = || {
            ready(Pty::start(
                place.plim(&["--session", "x.jsonl"]),
                columns,
                rows,
            )?)
        };
        for (command, shown) in [
            ("/context", "sent"),
            ("/pruned", "pruned ·"),
            ("/timeline", "timeline"),
            ("/tree", "tree"),
            ("/resume", "session"),
            ("/model", "mine"),
            ("/theme", "theme"),
            ("/cost", "cost"),
            ("/wire", "max_output_tokens"),
        ] {
            let mut pty = start()?;
            assert_harmless(&pty, "the transcript");
            pty.send(&format!("{command}\r"))?;
            pty.wait(command, |state| {
                let text = state.text();
                text.contains(shown) || columns < 80 && !text.contains(" › ")
            })?;
            assert_harmless(&pty, command);
            let before = pty.state().bytes.len();
            pty.send("\r")?;
            // What has nothing to open draws nothing; at another size everything is drawn.
            pty.resize(columns, rows + 1)?;
            pty.wait(command, |state| state.bytes.len() > before)?;
            assert_harmless(&pty, command);
        }
        let mut pty = start()?;
        // The transcript has the text of the paste already: what is typed behind it is waited for.
        pty.send(&format!("\u{1b}[200~{HOSTILE}\u{1b}[201~TYPED"))?;
        pty.wait_for("TYPED")?;
        assert_harmless(&pty, "a paste");
        pty.signal(rustix::process::Signal::TERM)?;
        pty.wait_for_end()?;
        assert_harmless(&pty, "the farewell");
    }
    Ok(())
}

#[test]
fn no_command_passes_it_on_to_a_terminal() -> Result<()> {
    let place = Place::new()?;
    session(&place)?;
    for arguments in [
        &["sessions", "--all"][..],
        &["context", "x.jsonl"],
        &["summary", "x.jsonl"],
        &["prune", "--dry-run", "x.jsonl"],
        &["request", "x.jsonl"],
        &["cost", "x.jsonl"],
        &["export", "--format", "md", "x.jsonl"],
        &["export", "--format", "html", "x.jsonl"],
        &["models"],
        &["config", "show"],
        &["-p", "read AGENTS.md"],
        &["-p", "read AGENTS.md", "--output-format", "stream-json"],
        &[HOSTILE, HOSTILE],
        &["-S", HOSTILE, "sessions"],
    ] {
        let pty = Pty::start(place.plim(arguments), 120, 40)?;
        pty.wait_for_end()?;
        pty.wait("what it says", |state| !state.bytes.is_empty())?;
        assert_harmless(&pty, &arguments.join(" "));
    }
    Ok(())
}

#[test]
fn the_plain_chat_passes_nothing_on() -> Result<()> {
    let place = Place::new()?;
    session(&place)?;
    let mut pty = Pty::start(place.plim(&["--plain", "--session", "x.jsonl"]), 120, 40)?;
    pty.wait_for("you: ")?;
    pty.send("read AGENTS.md\r")?;
    pty.wait_for("answered")?;
    pty.send("/context\r")?;
    pty.send("/quit\r")?;
    pty.wait_for_end()?;
    assert_harmless(&pty, "--plain");
    Ok(())
}

#[test]
fn the_words_of_a_server_are_only_words() -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            let mut request = vec![0; 64 * 1024];
            let _ = stream.read(&mut request);
            let body = json!({"error": {"message": HOSTILE, "type": HOSTILE, "code": HOSTILE}});
            let body = body.to_string();
            let _ = write!(
                stream,
                "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n\
                 content-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    let place = Place::new()?;
    let start = |arguments: &[&str]| {
        let mut command = place.command(env!("CARGO_BIN_EXE_plim"));
        command.env("OPENAI_API_KEY", "sk-test");
        command.args(["-m", "openai/gpt-4o", "--base-url"]);
        command.arg(format!("http://{address}/v1"));
        command.args(arguments);
        Pty::start(command, 120, 40)
    };
    let pty = start(&["-p", "hello"])?;
    pty.wait_for_end()?;
    pty.wait_for("ab")?;
    assert_harmless(&pty, "-p");
    let pty = start(&["hello"])?;
    pty.wait_for("ab")?;
    assert_harmless(&pty, "the screen");
    Ok(())
}
