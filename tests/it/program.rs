//! The program itself, in a home and a directory of its own, without any key but those
//! that a test gives it; and servers that answer with given bytes.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::alone::ALONE;

/// A place where the program runs.
pub struct Program {
    home: TempDir,
    dir: TempDir,
    variables: Vec<(String, String)>,
}

/// The output and exit code of a run.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Stdout as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Stdout as one JSON object per line.
    pub fn lines(&self) -> Vec<serde_json::Value> {
        let lines = self.out.lines();
        lines
            .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}")))
            .collect()
    }
}

impl Program {
    pub fn new() -> Self {
        Self {
            home: TempDir::new().unwrap(),
            dir: TempDir::new().unwrap(),
            variables: Vec::new(),
        }
    }

    /// With a variable in its environment.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The directory that it works in.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Where everything is kept.
    pub fn home(&self) -> &Path {
        self.home.path()
    }

    /// Writes a file there.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The command, ready to be started.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plim"));
        command
            .args(args)
            .current_dir(self.dir.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home.path())
            .env("PLIMSOLL_HOME", self.home.path().join("plimsoll"))
            .envs(ALONE)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs it with nothing piped in.
    pub fn run(&self, args: &[&str]) -> Ran {
        let ran = ran(self.command(args).output().unwrap());
        holds_to_the_schema(args, &ran);
        ran
    }

    /// Runs it with this piped in.
    pub fn pipe(&self, args: &[&str], input: &str) -> Ran {
        let mut child = self.command(args).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        drop(stdin);
        let ran = ran(child.wait_with_output().unwrap());
        holds_to_the_schema(args, &ran);
        ran
    }

    /// Says something to the offline provider in the newest session, or in a new one.
    pub fn say(&self, text: &str) -> Ran {
        let mut args = vec!["--offline", "-p", text];
        if self.run(&["sessions", "--json"]).json() != serde_json::json!([]) {
            args.insert(0, "-c");
        }
        self.run(&args)
    }

    /// The file of the newest session.
    pub fn session(&self) -> PathBuf {
        let list = self.run(&["sessions", "--json"]).json();
        PathBuf::from(list[0]["path"].as_str().unwrap())
    }
}

/// Whatever a run prints as JSON is what `plim config schema --events` says.
pub fn holds_to_the_schema(args: &[&str], ran: &Ran) {
    let is_json = |arg: &&str| {
        let value = arg.strip_prefix("--output-format=").unwrap_or(arg);
        matches!(value, "json" | "stream-json")
    };
    // An export has formats of its own.
    let is_run = !args.iter().any(|arg| matches!(*arg, "--help" | "export"));
    if is_run && args.iter().any(is_json) {
        for line in ran.out.lines() {
            let line = serde_json::from_str(line).unwrap();
            let said = super::json_schema::line_complaints(&line);
            assert!(said.is_empty(), "{said:?} in {line}");
        }
    }
}

/// What a run left behind.
pub fn ran(output: std::process::Output) -> Ran {
    Ran {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A server on this machine that answers every request with these bytes and hangs up.
/// Its base URL.
pub fn server_that_says(response: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { return };
            read_request(&mut stream);
            let _ = stream.write_all(response.as_bytes());
        }
    });
    base
}

/// Reads head and body, so that closing does not reset the connection.
fn read_request(stream: &mut std::net::TcpStream) {
    let mut seen = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let Ok(count @ 1..) = stream.read(&mut buffer) else {
            return;
        };
        seen.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&seen);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.trim().parse::<usize>().ok())?
        });
        if body.len() >= length.unwrap_or(0) {
            return;
        }
    }
}

/// An address where nobody listens. A port that was free a moment ago may be the next test's.
pub fn dead_address() -> String {
    "http://127.0.0.1:1/v1".to_owned()
}

/// A user of this program has such servers, and what they say is no part of a test.
#[test]
fn every_program_that_a_test_starts_leaves_the_servers_of_this_machine_alone() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let mut started = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue; // A folder.
        };
        // Split, because this file is read too.
        if text.contains(concat!(".env", "_clear()")) {
            started += 1;
            let is_alone = text.contains("ALONE") || text.contains("get_envs()");
            assert!(
                is_alone,
                "{} starts a program without ALONE",
                path.display()
            );
        }
    }
    assert!(
        started > 1,
        "nothing was found: how are programs started now?"
    );
    let doctor = Program::new().run(&["doctor", "--json"]).json();
    let providers = doctor["providers"].as_array().unwrap();
    for id in ["ollama", "llamacpp", "lmstudio", "vllm"] {
        let asked = providers.iter().any(|it| it["provider"] == id);
        assert!(!asked, "{id} was asked: {doctor}");
    }
}
