//! A program in a pseudo-terminal, with a screen that understands what it writes.
//!
//! Shared with the latency bench. One thread reads, one waits for the end, and both
//! wake whoever waits for a condition, until a deadline.

use std::io::{Read as _, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use portable_pty::{CommandBuilder, MasterPty, PtySize, SlavePty, native_pty_system};

/// Generous: a loaded machine with a debug build still gets there.
const DEADLINE: Duration = Duration::from_mins(1);
/// A program that ended has nothing more to read when this long nothing came.
const QUIET: Duration = Duration::from_millis(20);
/// Conditions off the screen (a file) are polled this often.
const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// More than one frame.
const READ_BYTES: usize = 64 * 1024;

/// The output of the program until now.
pub struct State {
    /// The screen as a terminal would show it.
    pub parser: vt100::Parser,
    /// Everything that was written.
    pub bytes: Vec<u8>,
    /// How it ended.
    pub exit_code: Option<u32>,
}

impl State {
    /// The screen's text, rows separated by line feeds.
    pub fn text(&self) -> String {
        self.parser.screen().contents()
    }

    /// Whether the composer is there, and the gauge: the program is ready for keys.
    pub fn is_ready(&self) -> bool {
        let screen = self.parser.screen();
        screen.alternate_screen() && !screen.hide_cursor() && self.text().contains(" › ")
    }
}

type Shared = Arc<(Mutex<State>, Condvar)>;

/// A running program and its terminal.
pub struct Pty {
    shared: Shared,
    writer: Box<dyn Write + Send>,
    master: Box<dyn MasterPty + Send>,
    /// Kept open: the terminal's modes outlive the program, as they do for a shell.
    _slave: Box<dyn SlavePty + Send>,
    /// The program's process id.
    pub pid: u32,
}

/// A command with an environment of its own: nothing of the user's reaches the program.
pub fn command(program: &str, home: &Path, cwd: &Path) -> CommandBuilder {
    let mut command = CommandBuilder::new(program);
    command.env_clear();
    command.env("TERM", "xterm-256color");
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("HOME", home);
    command.env("PLIMSOLL_HOME", home);
    for (name, value) in super::alone::ALONE {
        command.env(name, value);
    }
    command.cwd(cwd);
    // Somebody was here before: no introduction.
    let data = home.join("data");
    let known =
        std::fs::create_dir_all(&data).and_then(|()| std::fs::write(data.join("introduced"), ""));
    drop(known);
    command
}

impl Pty {
    /// Starts a program on a fresh terminal.
    pub fn start(command: CommandBuilder, columns: u16, rows: u16) -> Result<Self> {
        let pair = native_pty_system().openpty(size(columns, rows))?;
        let mut reader = pair.master.try_clone_reader()?;
        let writer = pair.master.take_writer()?;
        let mut child = pair.slave.spawn_command(command)?;
        let pid = child.process_id().context("the program has no id")?;
        let state = State {
            parser: vt100::Parser::new(rows, columns, 0),
            bytes: Vec::new(),
            exit_code: None,
        };
        let shared: Shared = Arc::new((Mutex::new(state), Condvar::new()));
        let screen = Arc::clone(&shared);
        std::thread::spawn(move || {
            let mut buffer = vec![0; READ_BYTES];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                let chunk = buffer.get(..count).unwrap_or_default();
                let mut state = lock(&screen);
                state.parser.process(chunk);
                state.bytes.extend_from_slice(chunk);
                screen.1.notify_all();
            }
        });
        let end = Arc::clone(&shared);
        std::thread::spawn(move || {
            let status = child.wait();
            // The end may be known before the program's last bytes are read.
            let mut read = usize::MAX;
            while std::mem::replace(&mut read, lock(&end).bytes.len()) != read {
                std::thread::sleep(QUIET);
            }
            lock(&end).exit_code = Some(status.map_or(u32::MAX, |status| status.exit_code()));
            end.1.notify_all();
        });
        Ok(Self {
            shared,
            writer,
            master: pair.master,
            _slave: pair.slave,
            pid,
        })
    }

    /// What the program has done until now. Reading goes on only after it is dropped.
    pub fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.shared)
    }

    /// Presses keys.
    pub fn send(&mut self, keys: &str) -> Result<()> {
        self.writer.write_all(keys.as_bytes())?;
        Ok(self.writer.flush()?)
    }

    /// Waits until `is_there`; answers with the time when it was. Fails with what the
    /// screen shows.
    pub fn wait(&self, what: &str, is_there: impl Fn(&State) -> bool) -> Result<Instant> {
        self.wait_within(what, DEADLINE, is_there)
    }

    /// Waits as [`wait`](Self::wait) does, with a limit of its own.
    pub fn wait_within(
        &self,
        what: &str,
        limit: Duration,
        is_there: impl Fn(&State) -> bool,
    ) -> Result<Instant> {
        let deadline = Instant::now() + limit;
        let mut state = self.state();
        while !is_there(&state) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                bail!(
                    "{what} did not come (ended: {:?}); the screen:\n{}",
                    state.exit_code,
                    state.text()
                );
            }
            let woken = self.shared.1.wait_timeout(state, left.min(LOOK_AGAIN));
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
        Ok(Instant::now())
    }

    /// Waits until the screen shows `text`.
    pub fn wait_for(&self, text: &str) -> Result<Instant> {
        self.wait(text, |state| state.text().contains(text))
    }

    /// Waits for the program's end; answers with its exit code.
    pub fn wait_for_end(&self) -> Result<u32> {
        self.wait("the end", |state| state.exit_code.is_some())?;
        self.state().exit_code.context("no exit code")
    }

    /// Gives the terminal another size. Its screen is then blank: terminals keep what they
    /// like of the old one, and a program that draws everything does not mind.
    pub fn resize(&self, columns: u16, rows: u16) -> Result<()> {
        self.state().parser = vt100::Parser::new(rows, columns, 0);
        self.master.resize(size(columns, rows))
    }

    /// The terminal's modes as a text that can be compared.
    pub fn modes(&self) -> String {
        format!("{:?}", self.master.get_termios())
    }

    /// Sends the program a signal.
    pub fn signal(&self, signal: rustix::process::Signal) -> Result<()> {
        let pid = i32::try_from(self.pid)?;
        let pid = rustix::process::Pid::from_raw(pid).context("no process")?;
        Ok(rustix::process::kill_process(pid, signal)?)
    }
}

impl Drop for Pty {
    /// A test that failed leaves no program behind.
    fn drop(&mut self) {
        if self.state().exit_code.is_none() {
            let _ = self.signal(rustix::process::Signal::KILL);
        }
    }
}

fn lock(shared: &Shared) -> MutexGuard<'_, State> {
    shared.0.lock().unwrap_or_else(PoisonError::into_inner)
}

fn size(columns: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}
