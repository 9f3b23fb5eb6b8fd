//! The program of a server: in a process group of its own, with pipes and an environment that
//! holds no key of ours. Asked to end, then made to; nothing of it is left.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop, ProcessGroup};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{ChildStderr, ChildStdin, ChildStdout};

use crate::config::EnvironmentVars;
use crate::engine::text::{one_line, redact};
use crate::mcp::content::harmless;
use crate::tool::ReapedGroup;

/// How long a program may take to end when its input ends, and again when it is asked to.
const PATIENCE: Duration = Duration::from_millis(500);
/// Bytes of a line of its stderr.
const MAX_LINE_BYTES: u64 = 64 * 1024;
/// Characters of such a line in the log file and in a message.
const LOGGED_CHARS: usize = 400;
/// Variables that a program gets. None of them holds a key.
const PASSED: [&str; 14] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TMPDIR",
    "TZ",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_CACHE_HOME",
];

/// Where programs run, and what they may know.
#[derive(Clone)]
pub(in crate::mcp) struct ProgramPlace {
    /// The working directory.
    pub cwd: PathBuf,
    /// A snapshot of the environment, for the variables that a description names.
    pub environment: EnvironmentVars,
}

/// A program as it is started.
pub(super) struct ProgramStart<'a> {
    pub server: &'a str,
    pub command: &'a str,
    pub args: &'a [String],
    pub env: &'a BTreeMap<String, String>,
    pub cwd: Option<&'a Path>,
}

/// A running program. Dropping it kills it, with all that it started.
pub(super) struct ServerProcess {
    child: Box<dyn ChildWrapper>,
    group: Option<ReapedGroup>,
    last_words: LastWords,
}

/// The last line that a program wrote to its stderr.
#[derive(Clone, Default)]
struct LastWords(Arc<Mutex<String>>);

impl LastWords {
    fn set(&self, line: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = line;
    }

    fn get(&self) -> String {
        let line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        line.clone()
    }
}

/// The pipes of a program.
pub(super) struct ProgramPipes {
    pub input: ChildStdin,
    pub output: ChildStdout,
}

impl ProgramPlace {
    /// Starts a program. An error is one clause.
    pub(super) fn start(
        &self,
        start: &ProgramStart<'_>,
    ) -> Result<(ServerProcess, ProgramPipes), String> {
        let command = self.filled(start.command)?;
        let args = start.args.iter().map(|arg| self.filled(arg));
        let args = args.collect::<Result<Vec<_>, _>>()?;
        let env = start.env.iter();
        let env = env.map(|(name, value)| Ok((name.clone(), self.filled(value)?)));
        let env = env.collect::<Result<Vec<_>, String>>()?;
        let passed = PASSED
            .iter()
            .filter_map(|name| Some((*name, self.environment.get(*name)?)));
        let cwd = start.cwd.map_or_else(
            || self.cwd.clone(),
            |cwd| self.cwd.join(at_home(cwd, &self.environment)),
        );
        let mut wrap = CommandWrap::with_new(&command, |program| {
            program
                .args(&args)
                .current_dir(&cwd)
                .env_clear()
                .envs(passed)
                .envs(env)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
        });
        wrap.wrap(KillOnDrop).wrap(ProcessGroup::leader());
        ReapedGroup::prepare();
        let cannot = |error: io::Error| format!("{command} could not be started: {error}");
        let mut child = wrap.spawn().map_err(cannot)?;
        let leader = child.id().and_then(|id| i32::try_from(id).ok());
        let group = leader.and_then(Pid::from_raw).map(ReapedGroup::new);
        let pipes = (child.stdin().take(), child.stdout().take());
        let last_words = LastWords::default();
        if let Some(stderr) = child.stderr().take() {
            let log = log_lines(start.server.to_owned(), stderr, last_words.clone());
            tokio::spawn(log);
        }
        let process = ServerProcess {
            child,
            group,
            last_words,
        };
        match pipes {
            (Some(input), Some(output)) => Ok((process, ProgramPipes { input, output })),
            _ => Err(format!("{command} has no pipes")),
        }
    }

    /// A text with the variables that it names: `${NAME}`, `${NAME:-otherwise}`.
    pub(in crate::mcp) fn filled(&self, text: &str) -> Result<String, String> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            filled.push_str(before);
            let Some((inside, behind)) = after.split_once('}') else {
                filled.push_str("${");
                rest = after;
                continue;
            };
            let (name, otherwise) = match inside.split_once(":-") {
                Some((name, otherwise)) => (name, Some(otherwise)),
                None => (inside, None),
            };
            let value = self.environment.get(name).map(String::as_str);
            let value = value.or(otherwise);
            filled.push_str(value.ok_or_else(|| format!("the variable {name} is not set"))?);
            rest = behind;
        }
        filled.push_str(rest);
        Ok(filled)
    }
}

impl ServerProcess {
    /// Waits for its end. One clause says how it ended.
    pub(super) async fn ended(&mut self) -> String {
        let how = match self.child.wait().await {
            Ok(status) => match status.code() {
                Some(code) => format!("its program ended with exit status {code}"),
                None => "its program was ended by a signal".to_owned(),
            },
            Err(error) => format!("its program is lost: {error}"),
        };
        // What it said last may still be on its way.
        tokio::time::sleep(Duration::from_millis(20)).await;
        self.with_last_words(how)
    }

    /// A clause with what the program said last.
    pub(super) fn with_last_words(&self, clause: String) -> String {
        match self.last_words.get() {
            words if words.is_empty() => clause,
            words => format!("{clause}; it said: {words}"),
        }
    }

    /// Ends it: its input has ended already.
    pub(super) async fn end(mut self) {
        if tokio::time::timeout(PATIENCE, self.child.wait())
            .await
            .is_err()
        {
            self.signal(Signal::TERM);
            let _ = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        }
    }

    fn signal(&self, signal: Signal) {
        if let Some(group) = &self.group {
            let _ = kill_process_group(group.group(), signal);
        }
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

/// A path with `~/` as the home directory.
fn at_home(path: &Path, environment: &EnvironmentVars) -> PathBuf {
    match (path.strip_prefix("~"), environment.get("HOME")) {
        (Ok(rest), Some(home)) => Path::new(home).join(rest),
        _ => path.to_owned(),
    }
}

/// What a program says beside its answers is in the log file of `-v`, without secrets.
async fn log_lines(server: String, stderr: ChildStderr, last_words: LastWords) {
    let mut stderr = BufReader::new(stderr);
    let mut line = Vec::new();
    loop {
        let mut bounded = (&mut stderr).take(MAX_LINE_BYTES);
        if !matches!(bounded.read_until(b'\n', &mut line).await, Ok(1..)) {
            return;
        }
        let said = harmless(&String::from_utf8_lossy(&line));
        let said = one_line(&redact(&said), LOGGED_CHARS);
        tracing::info!(target: "plimsoll::mcp", server, "the server says: {said}");
        if !said.is_empty() {
            last_words.set(said);
        }
        line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> ProgramPlace {
        ProgramPlace {
            cwd: "/".into(),
            environment: [("HOME", "/home/me"), ("KEY", "s3cret")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
        }
    }

    #[test]
    fn variables_are_filled_in_and_a_missing_one_is_named() {
        for (text, expected) in [
            ("plain $KEY", Ok("plain $KEY")),
            ("${HOME}/x-${KEY}", Ok("/home/me/x-s3cret")),
            ("${NONE:-default}", Ok("default")),
            ("${NONE:-}", Ok("")),
            ("${open", Ok("${open")),
            ("${NONE}", Err("the variable NONE is not set")),
        ] {
            let filled = place().filled(text);
            assert_eq!(
                filled.as_deref().map_err(String::as_str),
                expected,
                "{text}"
            );
        }
    }

    #[tokio::test]
    async fn a_program_gets_no_variable_that_nobody_gave_it() {
        let (env, args) = (
            [("OWN".to_owned(), "${KEY}".to_owned())].into(),
            ["-c", "env >&2; exit 3"].map(str::to_owned),
        );
        let start = ProgramStart {
            server: "test",
            command: "/bin/sh",
            args: &args,
            env: &env,
            cwd: None,
        };
        let (mut process, mut pipes) = place().start(&start).unwrap();
        let mut output = String::new();
        pipes.output.read_to_string(&mut output).await.unwrap();
        let how = process.ended().await;
        assert!(
            how.starts_with("its program ended with exit status 3"),
            "{how}"
        );
        assert!(!how.contains("KEY=s3cret") || how.contains("OWN="), "{how}");
    }

    #[tokio::test]
    async fn a_program_that_cannot_be_started_is_named() {
        let start = ProgramStart {
            server: "test",
            command: "/nonexistent/server",
            args: &[],
            env: &BTreeMap::new(),
            cwd: None,
        };
        let why = place().start(&start).err().unwrap();
        assert!(
            why.starts_with("/nonexistent/server could not be started"),
            "{why}"
        );
    }
}
