//! The `job` tool: the state of background commands, what they printed, and their end.

use std::time::Duration;

use futures::future::BoxFuture;
use serde_json::{Map, Value};
use tokio::time::sleep_until;

use super::jobs::JobInfo;
use crate::clock;
use crate::tool::arguments::{
    ArgumentRow, CallArguments, CountArgument, FlagArgument, object_schema,
};
use crate::tool::interface::{Effect, Tool};
use crate::tool::outcome::{ToolError, ToolOutcome};
use crate::tool::plan::Plan;
use crate::tool::scope::{ToolJob, ToolScope};
use crate::transcript::ToolSchema;

/// The longest that a call may wait for a job.
const MAX_WAIT_SECS: u64 = 600;
/// Characters of a command in a list of jobs.
const COMMAND_CHARS: usize = 100;

/// 0 is none, as if it were left out.
static ID: CountArgument = CountArgument::new("id", 1..=u64::MAX, 0, "The job's number.");
static KILL: FlagArgument = FlagArgument::new("kill", "End it, with all that it started.");
static WAIT_SECS: CountArgument = CountArgument::new(
    "wait_secs",
    0..=MAX_WAIT_SECS,
    0,
    "Wait this long for its end. Default 0.",
);
/// All of them, in the order of the schema.
static ARGUMENTS: [&dyn ArgumentRow; 3] = [&ID, &KILL, &WAIT_SECS];

/// Reads and ends jobs.
#[derive(Clone, Copy, Debug)]
pub struct JobTool;

struct JobCall {
    id: Option<u64>,
    kill: bool,
    wait: Duration,
}

impl JobCall {
    fn parse(arguments: &Map<String, Value>) -> Result<Self, ToolError> {
        let arguments = CallArguments::new(JobTool::NAME, &ARGUMENTS, arguments)?;
        let call = Self {
            id: match arguments.count(&ID)? {
                0 => None,
                id => Some(id),
            },
            kill: arguments.flag(&KILL)?,
            wait: Duration::from_secs(arguments.count(&WAIT_SECS)?),
        };
        if call.id.is_none() && call.kill {
            return Err(ToolError("job: `kill` needs an `id`.".to_owned()));
        }
        Ok(call)
    }
}

impl JobTool {
    /// Its name in calls.
    pub const NAME: &'static str = "job";
}

impl Tool for JobTool {
    fn schema(&self) -> ToolSchema {
        ToolSchema {
            name: Self::NAME.to_owned(),
            description: "Says how commands stand that `shell` runs in the background: without \
                `id` all of them, with `id` one with the end of its output. `wait_secs` waits \
                for its end, `kill` ends it. You are told by yourself when a job has ended, so \
                there is no need to ask again and again."
                .to_owned(),
            parameters: object_schema(&ARGUMENTS),
        }
    }

    // It reaches nothing but what the user has already agreed to run.
    fn effect(&self) -> Effect {
        Effect::Read
    }

    fn plan(&self, arguments: &Map<String, Value>, _: &ToolScope) -> Result<Plan, ToolError> {
        let call = JobCall::parse(arguments)?;
        let title = match (call.id, call.kill) {
            (None, _) => "all".to_owned(),
            (Some(id), true) => format!("end {id}"),
            (Some(id), false) => id.to_string(),
        };
        Ok(Plan {
            pattern: globset::escape(&title),
            title,
            ..Plan::default()
        })
    }

    fn run(&self, arguments: Map<String, Value>, job: ToolJob) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(async move {
            match JobCall::parse(&arguments) {
                Ok(call) => answer(&call, &job).await.into(),
                Err(error) => Err(error).into(),
            }
        })
    }
}

async fn answer(call: &JobCall, job: &ToolJob) -> Result<ToolOutcome, ToolError> {
    let jobs = &job.scope.jobs;
    let Some(id) = call.id else {
        let lines: Vec<String> = jobs.list().iter().map(line).collect();
        return Ok(ToolOutcome::text(if lines.is_empty() {
            "There are no jobs.".to_owned()
        } else {
            lines.join("\n")
        }));
    };
    let missing = || {
        ToolError(format!(
            "There is no job {id}; jobs end with the program. `job` without `id` lists them."
        ))
    };
    if call.kill {
        jobs.end(id).await;
    }
    wait(call.wait, id, job).await;
    let info = jobs.get(id).ok_or_else(missing)?;
    jobs.tell(id);
    let output = match info.output.trim_end() {
        "" => "(no output)",
        output => output,
    };
    Ok(ToolOutcome::text(format!("{output}\n\n[{}]", line(&info))))
}

/// Waits for a job's end, for the user's stop, or for so long.
async fn wait(limit: Duration, id: u64, job: &ToolJob) {
    let mut changes = job.scope.jobs.changes();
    let until = clock::deadline(limit);
    while job.scope.jobs.get(id).is_some_and(|it| it.end.is_none()) {
        tokio::select! {
            seen = changes.changed() => if seen.is_err() { return },
            () = job.cancel.cancelled() => return,
            () = sleep_until(until) => return,
        }
    }
}

fn line(info: &JobInfo) -> String {
    let how = info.end.as_ref().map_or("running", |end| end.how.as_str());
    let command: String = info.command.chars().take(COMMAND_CHARS).collect();
    let secs = info.elapsed.as_secs();
    format!(
        "job {}: {how}, {secs} s: {}",
        info.id,
        command.replace('\n', " ")
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tool::shell::ShellTool;
    use crate::tool::test_scope::{TestScope, text};

    fn shell() -> ShellTool {
        ShellTool::new(Duration::from_secs(20))
    }

    async fn begin(t: &TestScope, command: &str) -> ToolOutcome {
        let arguments = json!({"command": command, "background": true});
        t.run(&shell(), arguments).await
    }

    #[tokio::test]
    async fn a_job_is_begun_read_while_it_runs_and_told_once_when_it_has_ended() {
        let t = TestScope::new();
        let begun = begin(&t, "echo first; sleep 0.2; echo last; exit 3").await;
        assert!(text(&begun).contains("job 1"), "{begun:?}");
        let second = begin(&t, "echo other").await;
        assert!(text(&second).contains("job 2"), "{second:?}");
        let other = t.run(&JobTool, json!({"id": 2, "wait_secs": 20})).await;
        assert!(
            text(&other).starts_with("other\n\n[job 2: exit code 0"),
            "{other:?}"
        );
        let failed = t.run(&JobTool, json!({"id": 1, "wait_secs": 20})).await;
        assert!(text(&failed).contains("first"), "{failed:?}");
        assert!(text(&failed).contains("last"), "{failed:?}");
        assert!(text(&failed).contains("[job 1: exit code 3"), "{failed:?}");
        assert_eq!(t.scope.jobs.take_untold(), [], "the tool has told it");
        begin(&t, "true").await;
        while t.scope.jobs.get(3).unwrap().end.is_none() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(t.scope.jobs.take_untold().len(), 1);
        assert_eq!(t.scope.jobs.take_untold(), []);
    }

    #[tokio::test]
    async fn a_job_is_ended_with_all_that_it_started() {
        let t = TestScope::new();
        begin(&t, "sleep 300 & echo $!; wait").await;
        let pid = loop {
            let output = t.scope.jobs.get(1).unwrap().output;
            if let Some(pid) = output.lines().next() {
                break pid.to_owned();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        };
        let running = t.run(&JobTool, json!({})).await;
        assert!(text(&running).contains("job 1: running"), "{running:?}");
        let ended = t.run(&JobTool, json!({"id": 1, "kill": true})).await;
        assert!(
            text(&ended).contains("ended before it was done"),
            "{ended:?}"
        );
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
        assert!(stat.is_err() || stat.is_ok_and(|stat| stat.contains(") Z ")));
    }

    #[tokio::test]
    async fn limits_and_wrong_numbers_are_said() {
        let t = TestScope::new();
        for _ in 0..8 {
            begin(&t, "sleep 300").await;
        }
        let refused = begin(&t, "sleep 300").await;
        assert!(
            refused.is_error && text(&refused).contains("8 jobs"),
            "{refused:?}"
        );
        t.scope.jobs.end_all().await;
        assert!(t.scope.jobs.list().iter().all(|job| job.end.is_some()));
        let none = t.run(&JobTool, json!({"id": 99})).await;
        assert!(
            none.is_error && text(&none).contains("no job 99"),
            "{none:?}"
        );
        begin(&t, "yes | head -c 3000000").await;
        let long = t.run(&JobTool, json!({"id": 9, "wait_secs": 30})).await;
        assert!(text(&long).len() < 70_000, "{}", text(&long).len());
    }
}
