//! The messages about a session that could not be saved, that another process has, or
//! that nobody began, and how it ends then; and that whoever reads `--output-format json` gets
//! one object, however a run ends.

use std::path::Path;

use plimsoll::session::SessionLog;
use plimsoll::transcript::Timestamp;
use serde_json::Value;

use super::program::{Program, Ran};
use super::web::{Web, chat};

/// The one object of a run, with the exit code that it names.
fn object(ran: &Ran) -> Value {
    assert_eq!(ran.lines().len(), 1, "one object: {ran:?}");
    let object = ran.json();
    assert_eq!(object["type"], "result", "{ran:?}");
    assert_eq!(object["exit_code"], ran.code, "{ran:?}");
    object
}

fn json_args<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [args, &["--output-format", "json"]].concat()
}

#[test]
fn an_answer_that_cannot_be_saved_is_printed_and_its_copy_named() {
    let refuge = tempfile::tempdir().unwrap();
    let plim = Program::new().with("TMPDIR", refuge.path().to_str().unwrap());
    // The session's folder goes while the answer is made.
    let args = [
        "--offline",
        "--approve",
        "all",
        "--session",
        "sub/session.jsonl",
        "-p",
        "run rm -r sub",
    ];
    let ran = plim.run(&args);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(!ran.out.trim().is_empty(), "the answer is printed: {ran:?}");

    let ran = plim.run(&json_args(&args));
    let object = object(&ran);
    assert_eq!(
        (&object["saved"], &object["error"]["kind"]),
        (&false.into(), &"unsaved".into())
    );
    let copy = object["copy"].as_str().unwrap();
    assert!(Path::new(copy).starts_with(refuge.path()), "{copy}");
    assert!(ran.err.contains(copy), "{ran:?}");
    let on = plim.run(&["--offline", "--session", copy, "-p", "help"]);
    assert_eq!(on.code, 0, "it goes on with the copy: {on:?}");
    let log = std::fs::read_to_string(copy).unwrap();
    assert_eq!(log.matches("\"role\":\"user\"").count(), 2, "{log}");
}

/// The system ends a program whose file grows beyond the user's limit, unless it is ready
/// for that.
#[test]
fn a_limit_on_file_sizes_is_a_full_disk_and_no_end() {
    let plim = Program::new();
    let session = plim.dir().join("s.jsonl");
    let prompt = "word ".repeat(2_000);
    let program = plim.command(&[]);
    let mut command = std::process::Command::new("sh");
    command.env_clear();
    for (name, value) in program.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    let words = "ulimit -f 8; exec \"$0\" --offline --session \"$1\" -p \"$2\"";
    let output = command
        .current_dir(plim.dir())
        .args(["-c", words])
        .arg(program.get_program())
        .arg(&session)
        .arg(&prompt)
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "no signal ends it: {err}");
    assert!(err.contains("could not be saved"), "{err}");
    assert!(
        err.contains("are lost"),
        "no folder takes so large a file: {err}"
    );
    assert!(!session.exists(), "nothing is half there");
}

#[test]
fn an_empty_file_is_a_session_that_nobody_began() {
    let plim = Program::new();
    let path = plim.file("empty.jsonl", "");
    let ran = plim.run(&["--offline", "--session", "empty.jsonl", "-p", "help"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(plim.run(&["context", "empty.jsonl"]).code, 0);
    let before = std::fs::read(&path).unwrap();
    let on = plim.run(&["--offline", "--session", "empty.jsonl", "-p", "help"]);
    assert_eq!(on.code, 0, "{on:?}");
    assert!(std::fs::read(&path).unwrap().starts_with(&before));
}

#[test]
fn what_cannot_be_kept_is_not_asked() {
    let web = Web::start(|_| chat("hello"));
    let plim = Program::new()
        .with("OPENAI_API_KEY", "k")
        .with("OPENAI_BASE_URL", &format!("{}/v1", web.base));
    let held = plim.dir().join("held.jsonl");
    let made = plim.run(&["-m", "openai/x", "--session", "held.jsonl", "-p", "go"]);
    // It is also asked which models there are.
    let asked = || {
        let asked = web.asked().into_iter();
        asked
            .filter(|it| it.target.ends_with("/completions"))
            .count()
    };
    assert_eq!((made.code, asked()), (0, 1), "{made:?}");
    let (log, _) = SessionLog::open(&held, Timestamp(0)).unwrap();
    plim.file(
        "newer.jsonl",
        "{\"type\":\"session\",\"version\":99,\"id\":\"s\",\"cwd\":\"/\"}\n",
    );
    let before = std::fs::read(&held).unwrap();
    for (file, why, way_on) in [
        ("held.jsonl", "has it open", "COPY.jsonl"),
        ("newer.jsonl", "version 99", "of plim that wrote it"),
    ] {
        let args = ["-m", "openai/x", "--session", file, "-p", "go"];
        let ran = plim.run(&args);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{ran:?}");
        assert!(
            ran.err.contains("nothing was sent") && ran.err.contains(why),
            "{ran:?}"
        );
        assert!(
            ran.err.contains(way_on) && !ran.err.contains("space"),
            "{ran:?}"
        );
        let ran = plim.run(&json_args(&args));
        let object = object(&ran);
        assert_eq!(object["error"]["kind"], "read_only", "{object}");
    }
    assert_eq!(asked(), 1, "nobody was asked");
    assert_eq!(std::fs::read(&held).unwrap(), before);
    drop(log);
}

/// Neither a folder that cannot be made nor a lock that is no file is noticed after the
/// request was paid.
#[cfg(unix)]
#[test]
fn a_new_session_that_cannot_be_made_is_said_before_anything_is_sent() {
    let web = Web::start(|_| chat("hello"));
    let plim = Program::new()
        .with("OPENAI_API_KEY", "k")
        .with("OPENAI_BASE_URL", &format!("{}/v1", web.base));
    plim.file("blocked", "");
    let made = std::process::Command::new("mkfifo")
        .arg(plim.dir().join("new.jsonl.lock"))
        .status();
    assert!(made.unwrap().success());
    for file in ["blocked/session.jsonl", "new.jsonl"] {
        let args = ["-m", "openai/x", "--session", file, "-p", "go"];
        let ran = plim.run(&args);
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{ran:?}");
        assert!(ran.err.contains("nothing was sent"), "{ran:?}");
        assert!(ran.err.contains("--no-session"), "{ran:?}");
        let object = object(&plim.run(&json_args(&args)));
        assert_eq!(object["error"]["kind"], "unsaved", "{object}");
    }
    let completions = web.asked().into_iter();
    let asked = completions.filter(|it| it.target.ends_with("/completions"));
    assert_eq!(asked.count(), 0, "nobody was asked");
}

#[test]
fn a_command_line_that_is_refused_has_its_object_too() {
    let plim = Program::new();
    let cases: &[&[&str]] = &[
        &["-p", "x", "--no-such-flag"],
        &["-p", "x", "resume"],
        &["-p", "x", "--max-turns"],
        &["-p", "/compact"],
    ];
    for args in cases {
        for format in ["json", "stream-json"] {
            let flag = format!("--output-format={format}");
            for shape in [vec!["--output-format", format], vec![flag.as_str()]] {
                let ran = plim.run(&[&shape, *args].concat());
                assert_eq!(ran.code, 2, "{ran:?}");
                let object = object(&ran);
                assert_eq!(object["error"]["kind"], "usage", "{object}");
                let message = object["error"]["message"].as_str().unwrap();
                assert!(ran.err.contains(message), "stderr says it, too: {ran:?}");
            }
        }
    }
    let help = plim.run(&["--output-format", "json", "-p", "x", "--help"]);
    assert_eq!(help.code, 0);
    assert!(help.out.contains("Usage"), "help is no failure: {help:?}");
}

#[test]
fn a_run_that_never_begins_has_its_object_too() {
    let plim = Program::new();
    plim.file("prose.jsonl", "this is not a session\n");
    let cases: &[(&[&str], i32)] = &[
        (&["-m", "nobody/nothing", "-p", "x"], 3),
        (&["--offline", "-S", "prune.polcy=off", "-p", "x"], 3),
        (&["--offline", "-C", "nowhere", "-p", "x"], 2),
        (&["--offline", "-r", "abcdef", "-p", "x"], 1),
        (&["--offline", "--session", "prose.jsonl", "-p", "x"], 1),
        (&["--offline", "-p", ""], 2),
    ];
    for (args, code) in cases {
        for format in ["json", "stream-json"] {
            let ran = plim.run(&[args, &["--output-format", format][..]].concat());
            assert_eq!(ran.code, *code, "{ran:?}");
            let object = object(&ran);
            assert_eq!(object["stop_reason"], "error", "{object}");
            let message = object["error"]["message"].as_str().unwrap();
            assert!(ran.err.contains(message), "stderr says it, too: {ran:?}");
        }
    }
}

#[test]
fn a_run_that_a_signal_ends_keeps_what_it_has_and_says_so_in_its_object() {
    use rustix::process::{Pid, Signal, kill_process};
    for (signal, code, format) in [
        (Signal::TERM, 143, "json"),
        (Signal::TERM, 143, "stream-json"),
        (Signal::HUP, 129, "json"),
        (Signal::INT, 130, "json"),
    ] {
        let plim = Program::new();
        let session = plim.dir().join("s.jsonl");
        let args = [
            "--offline",
            "--approve",
            "all",
            "--session",
            "s.jsonl",
            "-p",
            "run sleep 30",
            "--output-format",
            format,
        ];
        let child = plim.command(&args).spawn().unwrap();
        let is_running = || {
            let log = std::fs::read_to_string(&session).unwrap_or_default();
            log.contains("toolCall")
        };
        let began = std::time::Instant::now();
        while !is_running() {
            assert!(began.elapsed().as_secs() < 30, "it never ran");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        kill_process(Pid::from_child(&child), signal).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code));
        let lines: Vec<Value> = String::from_utf8_lossy(&output.stdout)
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let finished = lines.iter().find(|line| line["type"] == "turn_finished");
        assert_eq!(finished.is_some(), format == "stream-json");
        if let Some(finished) = finished {
            assert_eq!(finished["exit_code"], code, "{finished}");
        }
        let object = lines.last().unwrap();
        assert_eq!(object["stop_reason"], "aborted", "{object}");
        assert_eq!(
            (&object["exit_code"], &object["saved"]),
            (&code.into(), &true.into())
        );
        let log = std::fs::read_to_string(&session).unwrap();
        assert!(log.contains("toolResult"), "the call is answered: {log}");
    }
}

mod on_a_screen {
    use anyhow::{Result, ensure};
    use rustix::process::Signal;

    use super::super::pty::Pty;
    use super::super::terminal::{Place, ready};

    /// How the user leaves.
    const WAYS: [&str; 4] = ["/quit\r", "\u{3}\u{3}", "TERM", "HUP"];

    /// A session of one message that cannot be saved; left like this.
    fn left(place: &Place, way: &str, is_free_again: bool) -> Result<(u32, String)> {
        let blocked = place.work().join("blocked");
        std::fs::write(&blocked, "")?;
        let session = blocked.join("s.jsonl");
        let arguments = ["--session", session.to_str().unwrap_or_default()];
        let mut command = place.plim(&arguments);
        command.env("TMPDIR", place.home());
        let mut pty = ready(Pty::start(command, 120, 40)?)?;
        pty.send("help\r")?;
        pty.wait_for("could not save")?;
        pty.wait_for("runs a shell command")?;
        if is_free_again {
            std::fs::remove_file(&blocked)?;
        }
        match way {
            "TERM" => pty.signal(Signal::TERM)?,
            "HUP" => pty.signal(Signal::HUP)?,
            "\u{3}\u{3}" => {
                pty.send("\u{3}")?;
                pty.wait_for("again")?;
                pty.send("\u{3}")?;
            }
            keys => pty.send(keys)?,
        }
        let code = pty.wait_for_end()?;
        let text = String::from_utf8_lossy(&pty.state().bytes).into_owned();
        Ok((code, text))
    }

    #[test]
    fn whoever_leaves_a_session_that_is_not_saved_is_told_and_gets_a_copy() -> Result<()> {
        for way in WAYS {
            let place = Place::new()?;
            let (code, text) = left(&place, way, false)?;
            ensure!(code == 1, "{way:?}: {code}");
            ensure!(!text.contains("is saved."), "{way:?}: {text}");
            ensure!(text.contains("is not saved"), "{way:?}: {text}");
            let folders = std::fs::read_dir(place.home())?.flatten();
            let copies: Vec<_> = folders
                .map(|folder| folder.path().join("s.jsonl"))
                .filter(|copy| copy.is_file())
                .collect();
            ensure!(copies.len() == 1, "{way:?}: {copies:?}");
            ensure!(
                std::fs::read_to_string(&copies[0])?.contains("help"),
                "{way:?}"
            );
        }
        Ok(())
    }

    #[test]
    fn a_session_that_could_be_saved_in_the_end_is_saved() -> Result<()> {
        let place = Place::new()?;
        let (code, text) = left(&place, "/quit\r", true)?;
        ensure!(code == 0 && text.contains("is saved."), "{code}: {text}");
        let saved = std::fs::read_to_string(place.work().join("blocked/s.jsonl"))?;
        ensure!(saved.contains("help"), "{saved}");
        Ok(())
    }

    #[test]
    fn a_session_whose_file_is_removed_meanwhile_is_not_called_saved() -> Result<()> {
        let place = Place::new()?;
        let session = place.work().join("s.jsonl");
        let mut command = place.plim(&["--session", session.to_str().unwrap_or_default()]);
        command.env("TMPDIR", place.home());
        let mut pty = ready(Pty::start(command, 120, 40)?)?;
        pty.send("help\r")?;
        pty.wait("the file", |_| session.exists())?;
        pty.wait_for("runs a shell command")?;
        std::fs::remove_file(&session)?;
        pty.send("/quit\r")?;
        let code = pty.wait_for_end()?;
        let text = String::from_utf8_lossy(&pty.state().bytes).into_owned();
        ensure!(code == 1 && text.contains("was removed"), "{code}: {text}");
        Ok(())
    }
}
