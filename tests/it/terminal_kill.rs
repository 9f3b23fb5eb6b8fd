//! The program is killed in the middle of a change, and while it takes changes back: what
//! is on disk is whole, and the next run knows its state.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use rustix::process::Signal;

use super::alone::ALONE;
use super::pty::Pty;
use super::terminal::{Place, ready};

/// Files of the rewind that is killed: enough that it takes a while.
const FILES: usize = 300;
/// Until something that must happen is given up.
const PATIENCE: Duration = Duration::from_mins(1);

fn open(place: &Place, arguments: &[&str]) -> Result<Pty> {
    ready(Pty::start(place.plim(arguments), 120, 40)?)
}

fn kill(pty: &Pty) -> Result<()> {
    let pid = rustix::process::Pid::from_raw(i32::try_from(pty.pid)?).context("no process id")?;
    rustix::process::kill_process(pid, Signal::KILL)?;
    pty.wait_for_end()?;
    Ok(())
}

/// Waits in as small steps as the machine has.
fn at_once(is_so: impl Fn() -> bool) -> Result<()> {
    let began = Instant::now();
    while !is_so() {
        ensure!(began.elapsed() < PATIENCE, "it never came to it");
        std::thread::yield_now();
    }
    Ok(())
}

/// Whether a session file says that a file is about to change.
fn is_noted(folder: &Path) -> bool {
    is_kept(folder, "jsonl", "plimsoll.files")
}

/// Whether a file with this ending, somewhere below a folder, has these words.
fn is_kept(folder: &Path, ending: &str, words: &str) -> bool {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == ending)
                && fs::read_to_string(&path).is_ok_and(|it| it.contains(words))
            {
                return true;
            }
        }
    }
    false
}

/// The output of `plim diff --stat` for the newest session.
fn stat(place: &Place) -> Result<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_plim"))
        .args(["diff", "--stat"])
        .current_dir(place.work())
        .env_clear()
        .env("HOME", place.home())
        .env("PLIMSOLL_HOME", place.home())
        .envs(ALONE)
        .output()?;
    ensure!(output.status.success(), "{output:?}");
    Ok(String::from_utf8(output.stdout)?)
}

#[test]
fn killed_between_checkpoint_and_write_a_file_is_whole_and_known() -> Result<()> {
    let lines = "a line of this note\n".repeat(200);
    let (old, new) = (format!("{lines}colour\n"), format!("{lines}color\n"));
    for _ in 0..3 {
        let place = Place::new()?;
        let file = place.work().join("note.txt");
        fs::write(&file, &old)?;
        let mut pty = open(&place, &["--approve", "all"])?;
        pty.send("read note.txt\r")?;
        pty.wait_for("201 lines")?;
        pty.send("replace \"colour\" with \"color\" in note.txt\r")?;
        at_once(|| is_noted(&place.home()))?;
        kill(&pty)?;
        let text = fs::read_to_string(&file)?;
        let is_new = text == new;
        ensure!(is_new || text == old, "it is half written");
        let told = stat(&place)?;
        ensure!(told.contains("note.txt") == is_new, "{told}");
        ensure!(!told.contains("outside"), "nobody else changed it: {told}");
    }
    Ok(())
}

#[test]
fn killed_while_it_takes_files_back_it_can_be_done_again() -> Result<()> {
    let place = Place::new()?;
    let write = |text: &str| {
        format!("run for n in $(seq {FILES}); do echo {text} > f$n; done; echo {text}-$((40+2))\r")
    };
    let mut pty = open(&place, &["--approve", "all"])?;
    pty.send(&write("first"))?;
    pty.wait_for("first-42")?;
    pty.send(&write("second"))?;
    pty.wait_for("second-42")?;
    pty.send("/rewind\r")?;
    pty.wait_for("rewind to before which message?")?;
    pty.send("\r")?;
    pty.wait_for("300 restored")?;
    pty.send("f")?;
    let text =
        |n: usize| fs::read_to_string(place.work().join(format!("f{n}"))).unwrap_or_default();
    let back = || (1..=FILES).filter(|n| text(*n) == "first\n").count();
    at_once(|| back() > 0)?;
    kill(&pty)?;
    for n in 1..=FILES {
        let text = text(n);
        ensure!(text == "first\n" || text == "second\n", "f{n}: {text:?}");
    }
    let told = stat(&place)?;
    ensure!(told.lines().count() == FILES, "{told}");
    ensure!(
        !told.contains("outside"),
        "nobody else changed them: {told}"
    );

    let mut pty = open(&place, &["--approve", "all", "--continue"])?;
    pty.send("/rewind\r")?;
    pty.wait_for("rewind to before which message?")?;
    pty.send("\r")?;
    pty.wait_for("restored, 0 removed")?;
    pty.send("f")?;
    pty.wait("all files", |_| back() == FILES)?;
    pty.wait_for("undo with /undo")?;
    Ok(())
}

/// A server whose answer comes in two pieces right after each other, and then in no more.
fn hesitant() -> Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let base = format!("http://{}/v1", listener.local_addr()?);
    std::thread::spawn(move || {
        let answer = |stream: &mut std::net::TcpStream| -> std::io::Result<()> {
            let _ = stream.read(&mut vec![0; 64 * 1024])?;
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
            stream.write_all(head.as_bytes())?;
            for words in ["one piece ", "and another"] {
                let event = format!("{{\"choices\":[{{\"delta\":{{\"content\":\"{words}\"}}}}]}}");
                stream.write_all(format!("data: {event}\n\n").as_bytes())?;
                std::thread::sleep(Duration::from_millis(50));
            }
            std::thread::sleep(PATIENCE);
            Ok(())
        };
        for mut stream in listener.incoming().flatten() {
            std::thread::spawn(move || answer(&mut stream));
        }
    });
    Ok(base)
}

/// What came right before a pause was kept only when more came.
#[test]
fn killed_while_an_answer_pauses_all_of_it_is_there() -> Result<()> {
    let place = Place::new()?;
    let mut command = place.command(env!("CARGO_BIN_EXE_plim"));
    command.args(["-m", "openai/gpt-5-mini"]);
    command.env("OPENAI_API_KEY", "none");
    command.env("OPENAI_BASE_URL", hesitant()?);
    let mut pty = ready(Pty::start(command, 120, 40)?)?;
    pty.send("go\r")?;
    pty.wait_for("one piece and another")?;
    let began = Instant::now();
    at_once(|| is_kept(&place.home(), "partial", "one piece and another"))?;
    // A quarter of a second on an idle machine.
    ensure!(
        began.elapsed() < Duration::from_secs(30),
        "{:?}",
        began.elapsed()
    );
    kill(&pty)?;

    let pty = open(&place, &["--continue"])?;
    pty.wait_for("one piece and another")?;
    Ok(())
}
