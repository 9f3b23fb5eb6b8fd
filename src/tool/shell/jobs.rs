//! Commands that run beside the conversation: begun by the shell tool, read and ended by the
//! `job` tool and by the user. None outlives the program.
//!
//! Invariant: memory stays bounded; of each job the end of its output is kept here, and a
//! page of it once it has ended. What is longer is in a file, as for every command.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::running::{FinishedCommand, RunningCommand, finished, keep_tail};
use crate::clock::Stopwatch;
use crate::tool::outcome::ToolError;

/// Jobs that may run at once.
const MAX_RUNNING: usize = 8;
/// Jobs that are remembered; the oldest that have ended are forgotten first.
const MAX_KEPT: usize = 32;
/// The state of a job, for the model and the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobInfo {
    /// Names it; from 1, never used twice in a run of the program.
    pub id: u64,
    /// The command line.
    pub command: String,
    /// The end of what it printed; after its end a page of all of it.
    pub output: String,
    /// How long it has been running, or ran.
    pub elapsed: Duration,
    /// How it ended; `None` while it runs.
    pub end: Option<JobEnd>,
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobEnd {
    /// In words: `exit code 0`.
    pub how: String,
    /// Whether it failed.
    pub is_error: bool,
}

/// All jobs of a run of the program.
#[derive(Debug)]
pub struct Jobs {
    table: Mutex<JobTable>,
    changes: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct JobTable {
    jobs: Vec<JobState>,
    last_id: u64,
}

#[derive(Debug)]
struct JobState {
    id: u64,
    command: String,
    output: String,
    began: Stopwatch,
    elapsed: Option<Duration>,
    end: Option<JobEnd>,
    /// The model knows that it has ended.
    is_told: bool,
    cancel: CancellationToken,
    task: Option<JoinHandle<()>>,
}

impl Default for Jobs {
    fn default() -> Self {
        Self {
            table: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }
}

impl Jobs {
    /// Takes a command over as a job. Fails when too many run; then it is given back.
    pub(in crate::tool) fn adopt(
        self: &Arc<Self>,
        running: RunningCommand,
    ) -> Result<u64, (ToolError, RunningCommand)> {
        let mut table = self.lock();
        let others = table.jobs.iter().filter(|job| job.end.is_none()).count();
        if others >= MAX_RUNNING {
            let error = ToolError(format!(
                "{others} jobs are running, which is as many as may; end one with `job` first."
            ));
            return Err((error, running));
        }
        table.last_id += 1;
        let id = table.last_id;
        let RunningCommand {
            command,
            began,
            cancel,
            mut pieces,
            printed,
            mut end,
        } = running;
        let jobs = Arc::clone(self);
        let task = tokio::spawn(async move {
            let ended = loop {
                tokio::select! {
                    Some(piece) = pieces.recv() => jobs.printed(id, &piece),
                    ended = &mut end => break ended,
                }
            };
            jobs.ended(id, finished(ended));
        });
        table.jobs.push(JobState {
            id,
            command,
            output: printed,
            began,
            elapsed: None,
            end: None,
            is_told: false,
            cancel,
            task: Some(task),
        });
        table.forget_oldest();
        drop(table);
        self.changed();
        Ok(id)
    }

    /// All that are remembered, oldest first.
    pub fn list(&self) -> Vec<JobInfo> {
        self.lock().jobs.iter().map(JobState::info).collect()
    }

    /// One of them.
    pub fn get(&self, id: u64) -> Option<JobInfo> {
        self.list().into_iter().find(|job| job.id == id)
    }

    /// Ends a job with all that it started, and waits for that. Nothing happens to one that
    /// has ended.
    pub async fn end(&self, id: u64) {
        let task = {
            let mut table = self.lock();
            let job = table.jobs.iter_mut().find(|job| job.id == id);
            job.and_then(|job| {
                job.cancel.cancel();
                job.task.take()
            })
        };
        if let Some(task) = task {
            // One that broke down has ended as well: its processes are killed with it.
            let _ = task.await;
        }
    }

    /// Ends all of them.
    pub async fn end_all(&self) {
        let ids: Vec<u64> = {
            let table = self.lock();
            for job in &table.jobs {
                job.cancel.cancel();
            }
            table.jobs.iter().map(|job| job.id).collect()
        };
        for id in ids {
            self.end(id).await;
        }
    }

    /// Jobs that have ended and that the model does not know of yet; it does from here on.
    pub fn take_untold(&self) -> Vec<JobInfo> {
        let mut table = self.lock();
        let untold = table
            .jobs
            .iter_mut()
            .filter(|job| job.end.is_some() && !job.is_told);
        untold
            .map(|job| {
                job.is_told = true;
                job.info()
            })
            .collect()
    }

    /// Notes that the model knows the state of this job.
    pub fn tell(&self, id: u64) {
        let mut table = self.lock();
        if let Some(job) = table.jobs.iter_mut().find(|job| job.id == id) {
            job.is_told = job.end.is_some();
        }
    }

    /// Another conversation begins, which these jobs do not concern.
    pub fn leave_conversation(&self) {
        for job in &mut self.lock().jobs {
            job.is_told = true;
        }
    }

    /// Changes whenever a job begins, prints or ends.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    fn printed(&self, id: u64, piece: &str) {
        let mut table = self.lock();
        if let Some(job) = table.jobs.iter_mut().find(|job| job.id == id) {
            keep_tail(&mut job.output, piece);
        }
        drop(table);
        self.changed();
    }

    fn ended(&self, id: u64, finished: FinishedCommand) {
        let mut table = self.lock();
        if let Some(job) = table.jobs.iter_mut().find(|job| job.id == id) {
            job.elapsed = Some(job.began.elapsed());
            job.output = finished.output;
            job.end = Some(JobEnd {
                how: finished.how,
                is_error: finished.is_error,
            });
        }
        drop(table);
        self.changed();
    }

    fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    fn lock(&self) -> MutexGuard<'_, JobTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl JobTable {
    fn forget_oldest(&mut self) {
        while self.jobs.len() > MAX_KEPT
            && let Some(at) = self.jobs.iter().position(|job| job.end.is_some())
        {
            self.jobs.remove(at);
        }
    }
}

impl JobState {
    fn info(&self) -> JobInfo {
        JobInfo {
            id: self.id,
            command: self.command.clone(),
            output: self.output.clone(),
            elapsed: self.elapsed.unwrap_or_else(|| self.began.elapsed()),
            end: self.end.clone(),
        }
    }
}
