//! A command that runs, whoever waits for it: the call that started it, or the list of jobs.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::output::CommandOutput;
use super::process::{self, CommandEnd, CommandPlace, EndReason};
use crate::clock::Stopwatch;
use crate::tool::page::counted;

/// The longest limit that a setting may give: more than a day is not a limit anyway, and a sum
/// with the present time must not overflow.
pub(super) const LONGEST_LIMIT: Duration = Duration::from_hours(24);

/// Pieces of output that may wait.
const PIECES: usize = 1_024;

/// Bytes of output that are kept of a job that runs.
const TAIL_BYTES: usize = 32 * 1024;

/// A command that runs, wherever it is waited for. It has no time limit of its own that
/// matters; dropping it kills it with all that it started.
pub(in crate::tool) struct RunningCommand {
    pub(in crate::tool) command: String,
    pub(in crate::tool) began: Stopwatch,
    pub(in crate::tool) cancel: CancellationToken,
    /// Its output.
    pub(in crate::tool) pieces: mpsc::Receiver<String>,
    /// The end of what was printed and taken.
    pub(in crate::tool) printed: String,
    pub(in crate::tool) end: BoxFuture<'static, Result<(String, CommandEnd), io::Error>>,
}

impl RunningCommand {
    /// Starts a command: it runs while its end is waited for. Output that is too long for a
    /// page goes to a file in `spill_dir`.
    pub(super) fn start(command: &str, place: CommandPlace, spill_dir: Option<PathBuf>) -> Self {
        let (progress, pieces) = mpsc::channel(PIECES);
        let cancel = CancellationToken::new();
        let (line, stop) = (command.to_owned(), cancel.clone());
        let end = async move {
            let mut output = CommandOutput::new(spill_dir, progress);
            let end = process::run(&line, &place, LONGEST_LIMIT, &stop, &mut output).await?;
            Ok((output.finish().await, end))
        };
        Self {
            command: command.to_owned(),
            began: Stopwatch::start(),
            cancel,
            pieces,
            printed: String::new(),
            end: Box::pin(end),
        }
    }
}

/// How a command of a job has ended.
pub(in crate::tool) fn finished(
    result: Result<(String, CommandEnd), io::Error>,
) -> FinishedCommand {
    match result {
        Ok((output, end)) => {
            let how = closing(&end, LONGEST_LIMIT);
            FinishedCommand {
                output,
                how: match end.ending {
                    EndReason::Cancelled => "ended before it was done".to_owned(),
                    _ => how.trim_matches(['[', ']']).to_owned(),
                },
                is_error: end.ending != EndReason::Exited || end.exit_code != Some(0),
            }
        }
        Err(error) => FinishedCommand {
            output: String::new(),
            how: format!("it could not be started: {error}"),
            is_error: true,
        },
    }
}

/// A command of a job that has ended.
#[derive(Debug)]
pub(in crate::tool) struct FinishedCommand {
    /// A page of what it printed.
    pub(in crate::tool) output: String,
    /// How it ended, in words.
    pub(in crate::tool) how: String,
    /// Whether it failed.
    pub(in crate::tool) is_error: bool,
}

/// Appends to what a command has printed; only its end stays.
pub(in crate::tool) fn keep_tail(output: &mut String, piece: &str) {
    output.push_str(piece);
    let surplus = output.len().saturating_sub(TAIL_BYTES);
    if surplus > 0 {
        *output = output.split_off(output.ceil_char_boundary(surplus));
    }
}

/// The last line: how it ended.
pub(super) fn closing(end: &CommandEnd, limit: Duration) -> String {
    let how = match (end.ending, end.exit_code, end.signal) {
        (EndReason::Cancelled, ..) => "stopped by the user".to_owned(),
        (EndReason::TimedOut, ..) => format!(
            "stopped after {}, the time limit; `timeout_secs` allows more",
            counted(limit.as_secs(), "second", "seconds")
        ),
        (EndReason::Exited, Some(code), _) => format!("exit code {code}"),
        (EndReason::Exited, None, Some(signal)) => format!("killed by signal {signal}"),
        (EndReason::Exited, None, None) => "ended in an unknown way".to_owned(),
    };
    let left = if end.is_group_alive {
        "; processes that it started in the background are still running, their output is no \
         longer read"
    } else {
        ""
    };
    format!("[{how}{left}]")
}
