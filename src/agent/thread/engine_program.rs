//! The program of the engine `process`: started in a process group of its own, with pipes, a
//! scrubbed environment and bounded lines. Whatever it does, nobody waits for it longer than
//! the limit, and nothing of it is left when it is dropped.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::agent::setup::AgentSetup;
use crate::config::{EnvironmentVars, SettingOrigin};
use crate::engine::process::{ProgramLauncher, ProgramLink};
use crate::engine::text::one_line;
use crate::tool::ReapedGroup;

/// The setting that names the program.
const COMMAND_SETTING: &str = "context.engine_command";
/// A longer line is no answer.
const MAX_LINE_BYTES: u64 = 8 * 1024 * 1024;
/// Lines that wait to be read; then the program waits.
const MAX_WAITING_LINES: usize = 64;
/// Characters of a line of its stderr in the log file.
const LOGGED_CHARS: usize = 400;
/// Variables that the program gets. None of them holds a key.
const PASSED: [&str; 9] = [
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ",
];

/// See the module's description.
#[derive(Clone, Debug)]
pub struct EngineProgram {
    command: String,
    cwd: PathBuf,
    environment: Vec<(String, String)>,
    limit: Duration,
}

impl EngineProgram {
    /// A program that is run by the shell.
    pub fn new(
        command: String,
        cwd: PathBuf,
        environment: &EnvironmentVars,
        limit: Duration,
    ) -> Self {
        let passed = PASSED.iter().filter_map(|name| {
            let value = environment.get(*name)?;
            Some(((*name).to_owned(), value.to_owned()))
        });
        Self {
            command,
            cwd,
            environment: passed.collect(),
            limit,
        }
    }

    /// The program that the settings name, or why there is none. A project may not name it.
    pub(in crate::agent) fn of(setup: &AgentSetup) -> Result<Arc<dyn ProgramLauncher>, Arc<str>> {
        let agent = &setup.settings.agent;
        let Some(command) = agent.engine.command.clone() else {
            return Err(Arc::from(format!("no program is set ({COMMAND_SETTING})")));
        };
        if let Some(origin @ SettingOrigin::ProjectFile { .. }) =
            setup.provenance.origins.get(COMMAND_SETTING)
        {
            return Err(Arc::from(format!(
                "{COMMAND_SETTING} is only taken from your own configuration, not from {origin}"
            )));
        }
        let limit = Duration::from_millis(agent.engine.limit_ms);
        let program = Self::new(command, setup.cwd.clone(), &setup.environment, limit);
        Ok(Arc::new(program))
    }
}

impl ProgramLauncher for EngineProgram {
    fn launch(&self) -> Result<Box<dyn ProgramLink>, String> {
        let mut command = Command::new("sh");
        command
            .arg("-c")
            .arg(&self.command)
            .current_dir(&self.cwd)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        ReapedGroup::prepare();
        let cannot = |error: std::io::Error| format!("it could not be started: {error}");
        let mut child = command.spawn().map_err(cannot)?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let (to_write, lines_to_write) = mpsc::channel::<String>();
        let (line_sender, lines) = mpsc::sync_channel(MAX_WAITING_LINES);
        let stdin = child.stdin.take();
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let program = ProgramProcess {
            child,
            group: group.map(ReapedGroup::new),
            to_write,
            lines: Mutex::new(lines),
        };
        let threads = [
            spawn("engine-stdin", move || {
                if let Some(mut stdin) = stdin {
                    // A program that has ended is told of where its answer is awaited.
                    for line in lines_to_write {
                        if stdin.write_all(line.as_bytes()).is_err() {
                            break;
                        }
                    }
                }
            }),
            spawn("engine-stdout", move || read_lines(stdout, &line_sender)),
            spawn("engine-stderr", move || log_lines(stderr)),
        ];
        threads
            .into_iter()
            .collect::<Result<(), _>>()
            .map_err(cannot)?;
        Ok(Box::new(program))
    }

    fn limit(&self) -> Duration {
        self.limit
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// A line, or why no more come.
type ProgramLine = Result<String, String>;

struct ProgramProcess {
    child: Child,
    group: Option<ReapedGroup>,
    to_write: Sender<String>,
    lines: Mutex<Receiver<ProgramLine>>,
}

impl ProgramLink for ProgramProcess {
    fn send(&mut self, line: String) -> Result<(), String> {
        let ended = |_| "it ended".to_owned();
        self.to_write.send(line).map_err(ended)
    }

    fn receive(&mut self, limit: Duration) -> Result<Option<String>, String> {
        let lines = self.lines.get_mut();
        let lines = lines.unwrap_or_else(PoisonError::into_inner);
        match lines.recv_timeout(limit) {
            Ok(line) => line.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err("it ended".to_owned()),
        }
    }
}

impl Drop for ProgramProcess {
    fn drop(&mut self) {
        if let Some(group) = &self.group {
            let _ = kill_process_group(group.group(), Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read_lines(stdout: Option<ChildStdout>, lines: &SyncSender<ProgramLine>) {
    let Some(stdout) = stdout else { return };
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let read = stdout
            .by_ref()
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut line);
        let said = match read {
            Ok(0) => Err("it ended".to_owned()),
            Ok(length) if length as u64 == MAX_LINE_BYTES => Err(format!(
                "it printed a line of more than {MAX_LINE_BYTES} bytes"
            )),
            Ok(_) => Ok(String::from_utf8_lossy(&line).into_owned()),
            Err(error) => Err(format!("its output could not be read: {error}")),
        };
        let is_last = said.is_err();
        if lines.send(said).is_err() || is_last {
            return;
        }
    }
}

/// What the program says about itself is in the log file of `-v`.
fn log_lines(stderr: Option<ChildStderr>) {
    let Some(stderr) = stderr else { return };
    let mut stderr = BufReader::new(stderr);
    let mut line = Vec::new();
    while let Ok(1..) = stderr
        .by_ref()
        .take(MAX_LINE_BYTES)
        .read_until(b'\n', &mut line)
    {
        let said = one_line(&String::from_utf8_lossy(&line), LOGGED_CHARS);
        tracing::info!(target: "plimsoll::engine", "the engine program says: {said}");
        line.clear();
    }
}
