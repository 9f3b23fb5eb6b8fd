//! A shell in its own process group: started, read, stopped.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use process_wrap::tokio::{ChildWrapper, CommandWrap, KillOnDrop, ProcessGroup};
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;
use tokio::time::sleep_until;
use tokio_util::sync::CancellationToken;

use super::orphan_reaper::ReapedGroup;
use super::output::CommandOutput;
use crate::clock::{self, Stopwatch};

/// Bytes per read.
const CHUNK_BYTES: usize = 64 * 1024;

/// Chunks read after everything was stopped: a pipe holds no more than a megabyte, and a process
/// that left the group could go on writing.
const MAX_DRAINED_CHUNKS: usize = 16;

/// Time between asking a group to end and making it.
const GRACE: Duration = Duration::from_millis(500);

/// Background processes may hold the pipe open for ever; this long after the shell's end
/// what is still in it is read, then no more.
const LINGER: Duration = Duration::from_millis(150);

/// How often a group that was asked to end is looked at.
const POLL: Duration = Duration::from_millis(10);

/// Where a command runs.
#[derive(Clone, Debug)]
pub(super) struct CommandPlace {
    /// Its working directory.
    pub(super) cwd: PathBuf,
    /// Variables that it does not get.
    pub(super) withheld: Arc<[String]>,
}

/// Why a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tool) enum EndReason {
    /// By itself, or by somebody else's signal.
    Exited,
    /// At the time limit.
    TimedOut,
    /// The user stopped it.
    Cancelled,
}

/// How a command ended.
#[derive(Clone, Copy, Debug)]
pub(in crate::tool) struct CommandEnd {
    pub(super) ending: EndReason,
    pub(super) exit_code: Option<i32>,
    pub(super) signal: Option<i32>,
    /// Whether processes of the command are still running.
    pub(super) is_group_alive: bool,
}

/// Runs a command until it ends, `limit` is over or `cancel` fires. When the future is dropped
/// the whole group is killed.
pub(super) async fn run(
    command: &str,
    place: &CommandPlace,
    limit: Duration,
    cancel: &CancellationToken,
    output: &mut CommandOutput,
) -> io::Result<CommandEnd> {
    let (mut pipe, mut group) = spawn(command, place)?;
    let deadline = clock::deadline(limit);
    let mut chunk = vec![0; CHUNK_BYTES];
    let mut is_open = true;
    let mut status: Option<ExitStatus> = None;
    // A time far away stands for "not yet": the shell has not ended.
    let mut linger_until = deadline + LINGER;
    let ending = loop {
        if status.is_some() && !is_open {
            break EndReason::Exited;
        }
        tokio::select! {
            read = pipe.read(&mut chunk), if is_open => match read {
                Ok(length) if length > 0 => {
                    output.push(chunk.get(..length).unwrap_or_default()).await;
                }
                _ => is_open = false,
            },
            ended = group.child.wait(), if status.is_none() => {
                status = Some(ended?);
                linger_until = clock::deadline(LINGER);
            }
            () = sleep_until(linger_until), if status.is_some() => break EndReason::Exited,
            () = sleep_until(deadline), if status.is_none() => break EndReason::TimedOut,
            () = cancel.cancelled(), if status.is_none() => break EndReason::Cancelled,
        }
    };
    if ending == EndReason::Exited {
        group.is_released = true;
    } else {
        let rest = if is_open { Some(&mut pipe) } else { None };
        status = group.stop(rest, output).await;
    }
    Ok(CommandEnd {
        ending,
        exit_code: status.and_then(|status| status.code()),
        signal: status.and_then(|status| status.signal()),
        is_group_alive: ending == EndReason::Exited && group.is_alive(),
    })
}

fn spawn(command: &str, place: &CommandPlace) -> io::Result<(Receiver, CommandGroup)> {
    // One pipe for both streams keeps what was printed in order.
    let (reader, writer) = io::pipe()?;
    let errors = writer.try_clone()?;
    let mut wrap = CommandWrap::with_new("sh", |shell| {
        shell
            .arg("-c")
            .arg(command)
            .current_dir(&place.cwd)
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(errors)
            // Nothing may wait for keys, and there is no screen to draw on.
            .env("TERM", "dumb")
            .env("PAGER", "cat")
            .env("GIT_PAGER", "cat")
            .env("GIT_TERMINAL_PROMPT", "0")
            // What only looks takes no locks, and leaves the index alone.
            .env("GIT_OPTIONAL_LOCKS", "0");
        for name in &*place.withheld {
            shell.env_remove(name);
        }
    });
    wrap.wrap(KillOnDrop).wrap(ProcessGroup::leader());
    ReapedGroup::prepare();
    let child = wrap.spawn()?;
    // The leader's process id is the group's id.
    let id = child
        .id()
        .and_then(|id| i32::try_from(id).ok())
        .and_then(Pid::from_raw)
        .ok_or_else(|| io::Error::other("it has no process id"))?;
    let group = CommandGroup {
        child,
        guarded: ReapedGroup::new(id),
        is_released: false,
    };
    // `wrap` holds the writing ends; the pipe would never end while it lives.
    drop(wrap);
    Ok((Receiver::from_owned_fd(reader.into())?, group))
}

/// The processes of one command.
struct CommandGroup {
    child: Box<dyn ChildWrapper>,
    /// Dropped after what is left of it has been ended, and with what goes on.
    guarded: ReapedGroup,
    /// Whether what is left of it may go on.
    is_released: bool,
}

impl CommandGroup {
    /// Whether any process of the group is there, finished but uncollected ones included.
    fn is_alive(&self) -> bool {
        test_kill_process_group(self.guarded.group()).is_ok()
    }

    /// Ends the group, politely at first; reads what it still prints, so that nobody hangs on
    /// a full pipe. Returns how the shell ended.
    async fn stop(
        &mut self,
        mut pipe: Option<&mut Receiver>,
        output: &mut CommandOutput,
    ) -> Option<ExitStatus> {
        let _ = kill_process_group(self.guarded.group(), Signal::TERM);
        let mut chunk = vec![0; CHUNK_BYTES];
        let mut status = None;
        let (waited, give_up) = (Stopwatch::start(), clock::deadline(GRACE));
        while waited.elapsed() < GRACE && (status.is_none() || self.is_alive()) {
            let until = give_up.min(clock::deadline(POLL));
            tokio::select! {
                ended = self.child.wait(), if status.is_none() => status = ended.ok(),
                read = read_some(&mut pipe, &mut chunk) => match read {
                    0 => pipe = None,
                    length => output.push(chunk.get(..length).unwrap_or_default()).await,
                },
                () = sleep_until(until) => {}
            }
        }
        let _ = kill_process_group(self.guarded.group(), Signal::KILL);
        self.is_released = true;
        if status.is_none() {
            status = self.child.wait().await.ok();
        }
        if let Some(pipe) = pipe {
            drain(pipe, &mut chunk, output).await;
        }
        status
    }
}

/// Reads what is in the pipe now: the last words of what was stopped.
async fn drain(pipe: &Receiver, chunk: &mut [u8], output: &mut CommandOutput) {
    for _ in 0..MAX_DRAINED_CHUNKS {
        match pipe.try_read(chunk) {
            Ok(length) if length > 0 => {
                output.push(chunk.get(..length).unwrap_or_default()).await;
            }
            _ => return,
        }
    }
}

/// Reads from a pipe that may be closed; then it never answers.
async fn read_some(pipe: &mut Option<&mut Receiver>, chunk: &mut [u8]) -> usize {
    match pipe {
        Some(pipe) => pipe.read(chunk).await.unwrap_or(0),
        None => std::future::pending().await,
    }
}

impl Drop for CommandGroup {
    fn drop(&mut self) {
        if !self.is_released {
            let _ = kill_process_group(self.guarded.group(), Signal::KILL);
        }
    }
}
