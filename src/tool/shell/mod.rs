//! The `shell` tool: runs a command in a process group of its own, so that it can be stopped
//! with everything it started.
//!
//! Memory stays bounded whatever is printed. Processes that leave the group (daemons) are out
//! of reach; those that remain in it after a normal end are left running and named.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::{Map, Value, json};
use tokio::time::sleep_until;

use self::process::{CommandEnd, CommandPlace, EndReason};
use self::running::{LONGEST_LIMIT, RunningCommand, closing, keep_tail};
use super::approval::command;
use super::approval::command::CommandFacts;
use super::arguments::{
    ArgumentRow, CallArguments, CountArgument, FlagArgument, RequiredText, object_schema,
};
use super::interface::{Effect, Tool};
use super::outcome::{ToolError, ToolOutcome};
use super::place::repository::mentions_git;
use super::plan::Plan;
use super::scope::{ToolJob, ToolScope};
use crate::clock;
use crate::transcript::ToolSchema;

pub(super) mod job_tool;
pub(super) mod jobs;
pub(super) mod orphan_reaper;
mod output;
mod process;
mod running;
#[cfg(test)]
mod tests;

/// The longest limit that a call may ask for.
const MAX_TIMEOUT_SECS: u64 = 3_600;

static COMMAND: RequiredText = RequiredText::new("command", "The command line.");
static BACKGROUND: FlagArgument = FlagArgument::new(
    "background",
    "Run it as a job, without a time limit. Default false.",
);

/// Runs commands.
#[derive(Clone, Copy, Debug)]
pub struct ShellTool {
    default_timeout: Duration,
}

struct ShellCall {
    command: String,
    limit: Duration,
    background: bool,
}

impl ShellTool {
    /// A tool that stops commands after `default_timeout`, unless a call names another limit.
    pub fn new(default_timeout: Duration) -> Self {
        Self {
            default_timeout: default_timeout.min(LONGEST_LIMIT),
        }
    }

    /// The limit of a call, in seconds; 0 is the limit of the settings.
    fn timeout(self) -> CountArgument {
        let default = self.default_timeout.as_secs();
        let description = format!("Seconds after which it is stopped. Default {default}.");
        CountArgument {
            name: "timeout_secs",
            description: Cow::Owned(description),
            range: 1..=MAX_TIMEOUT_SECS,
            default: 0,
        }
    }

    fn parse(self, arguments: &Map<String, Value>) -> Result<ShellCall, ToolError> {
        let timeout = self.timeout();
        let table: [&dyn ArgumentRow; 3] = [&COMMAND, &timeout, &BACKGROUND];
        let arguments = CallArguments::new("shell", &table, arguments)?;
        let command = arguments.text(&COMMAND)?;
        if command.trim().is_empty() {
            return Err(ToolError("shell: `command` is empty.".to_owned()));
        }
        if command.contains('\0') {
            return Err(ToolError(
                "shell: `command` contains a NUL character.".to_owned(),
            ));
        }
        let limit = match arguments.count(&timeout)? {
            0 => self.default_timeout,
            secs => Duration::from_secs(secs),
        };
        Ok(ShellCall {
            command: command.to_owned(),
            limit,
            background: arguments.flag(&BACKGROUND)?,
        })
    }
}

impl Tool for ShellTool {
    fn schema(&self) -> ToolSchema {
        ToolSchema {
            name: "shell".to_owned(),
            description: "Runs a command with `sh -c` in the working directory and answers \
                with what it printed (standard output and errors together) and how it ended. \
                There is no terminal and no input: use flags that keep programs from asking. \
                Long output is cut in the middle, with a notice that names the file that holds \
                all of it. Each call is a new shell; `cd` and variables do not last. \
                `background` is for servers and long runs: it answers at once, you are told \
                when the command has ended, and `job` shows its output. To read, search or \
                change files, use the tools for that."
                .to_owned(),
            parameters: object_schema(&[&COMMAND, &self.timeout(), &BACKGROUND]),
        }
    }

    fn effect(&self) -> Effect {
        Effect::Execute
    }

    fn plan(&self, arguments: &Map<String, Value>, scope: &ToolScope) -> Result<Plan, ToolError> {
        let line = self.parse(arguments)?.command;
        let title = command::title(&line);
        let facts = CommandFacts::of(&line, scope);
        let caution = if mentions_git(&line) {
            scope.repository.caution(&scope.cwd)
        } else {
            None
        };
        Ok(Plan {
            pattern: facts.suggested(&title),
            title,
            cautions: caution.into_iter().collect(),
            command: Some(facts),
            ..Plan::default()
        })
    }

    fn run(&self, arguments: Map<String, Value>, job: ToolJob) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(async move {
            let result = match self.parse(&arguments) {
                Ok(call) if call.background => begin(&call, &job),
                Ok(call) => execute(&call, job).await,
                Err(error) => Err(error),
            };
            result.into()
        })
    }
}

fn begin(call: &ShellCall, job: &ToolJob) -> Result<ToolOutcome, ToolError> {
    let scope = &job.scope;
    let running = start(&call.command, scope);
    scope
        .jobs
        .adopt(running)
        .map_err(|(error, _)| error)
        .map(|id| {
            ToolOutcome::text(format!(
                "It runs in the background as job {id}. You are told when it has ended; `job` \
             shows its output and ends it."
            ))
            .with_details(json!({ "job": id }))
        })
}

/// Starts a command in a scope: it runs while its end is waited for.
fn start(command: &str, scope: &ToolScope) -> RunningCommand {
    if mentions_git(command) {
        scope.repository.accept(&scope.cwd);
    }
    let place = CommandPlace {
        cwd: scope.cwd.clone(),
        withheld: Arc::clone(&scope.withheld),
    };
    RunningCommand::start(command, place, scope.spill_dir.clone())
}

async fn execute(call: &ShellCall, job: ToolJob) -> Result<ToolOutcome, ToolError> {
    if job.cancel.is_cancelled() {
        return Err(ToolError("Stopped by the user; it was not run.".to_owned()));
    }
    let scope = &job.scope;
    let mut running = start(&call.command, scope);
    let deadline = clock::deadline(call.limit);
    let (mut is_late, mut stays) = (false, false);
    let ended = loop {
        tokio::select! {
            biased;
            Some(piece) = running.pieces.recv() => {
                keep_tail(&mut running.printed, &piece);
                let _ = job.progress.try_send(piece);
            }
            ended = &mut running.end => break ended,
            () = job.cancel.cancelled(), if !running.cancel.is_cancelled() => {
                running.cancel.cancel();
            }
            () = sleep_until(deadline), if !running.cancel.is_cancelled() => {
                is_late = true;
                running.cancel.cancel();
            }
            () = job.detach.cancelled(), if !stays && !running.cancel.is_cancelled() => {
                match scope.jobs.adopt(running) {
                    Ok(id) => return Ok(sent_to_background(id)),
                    // There are too many jobs: it goes on here.
                    Err((_, back)) => {
                        stays = true;
                        running = back;
                    }
                }
            }
        }
    };
    while let Ok(piece) = running.pieces.try_recv() {
        let _ = job.progress.try_send(piece);
    }
    let (text, mut end) = ended.map_err(|error| {
        ToolError(format!(
            "The command could not be started in {}: {error}.",
            scope.cwd.display()
        ))
    })?;
    if is_late && end.ending == EndReason::Cancelled {
        end.ending = EndReason::TimedOut;
    }
    Ok(outcome(text, &end, call.limit, running.began.elapsed()))
}

/// The result for the model: the output, and how it ended.
fn outcome(mut text: String, end: &CommandEnd, limit: Duration, took: Duration) -> ToolOutcome {
    if !text.is_empty() {
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text.push('\n');
    }
    text.push_str(&closing(end, limit));
    ToolOutcome {
        is_error: end.ending != EndReason::Exited || end.exit_code != Some(0),
        details: Some(json!({
            "exitCode": end.exit_code,
            "durationMs": took.as_millis() as u64,
            "timedOut": end.ending == EndReason::TimedOut,
            "cancelled": end.ending == EndReason::Cancelled,
        })),
        ..ToolOutcome::text(text)
    }
}

fn sent_to_background(id: u64) -> ToolOutcome {
    ToolOutcome::text(format!(
        "The user sent it to the background: it goes on as job {id}, without a time limit. \
         You are told when it has ended; `job` shows its output and ends it."
    ))
    .with_details(json!({ "job": id }))
}
