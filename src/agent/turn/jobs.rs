//! Background jobs in a conversation: told to the model when they have ended, shown while
//! they run, ended by the user and with the program.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::{mpsc, watch};

use crate::agent::actor::Actor;
use crate::agent::files::FileActs;
use crate::agent::protocol::{AgentEvent, Notice, TurnEvent};
use crate::agent::turn::reminder::Reminders;
use crate::session::Durability;
use crate::tool::{JobInfo, Jobs};
use crate::transcript::{EntryBody, NoteKind};

/// Characters of a job's output that the model is told when it has ended.
const TOLD_CHARS: usize = 2_000;
/// Between two lists of jobs while they print.
const LIST_INTERVAL: Duration = Duration::from_millis(200);

impl Reminders<'_> {
    /// Tells the model which jobs have ended; true when something was written.
    pub(crate) async fn tell_ended_jobs(&mut self) -> bool {
        let ended = self.agent.toolbox.scope.jobs.take_untold();
        if !ended.is_empty() {
            FileActs::of(self.agent).look_if_jobs_ran().await;
        }
        for job in &ended {
            let body = EntryBody::note(NoteKind::Job, told(job));
            self.agent.thread.append(body, Durability::Flush).await;
        }
        !ended.is_empty()
    }

    /// Lets the command that runs go on in the background.
    pub(crate) async fn send_to_background(&mut self) {
        if let Some(detach) = &self.agent.toolbox.detach {
            detach.cancel();
            return;
        }
        let text = "no running command to move to the background";
        self.agent.events.notice(Notice::info(text)).await;
    }
}

impl Actor {
    /// Ends a job beside whatever else goes on.
    pub(crate) fn kill_job(&self, id: u64) {
        let jobs = Arc::clone(&self.toolbox.scope.jobs);
        tokio::spawn(async move { jobs.end(id).await });
    }
}

fn told(job: &JobInfo) -> String {
    let how = job.end.as_ref().map_or("", |end| end.how.as_str());
    let output = job.output.trim_end();
    let chars = output.chars().count();
    let from = chars.saturating_sub(TOLD_CHARS);
    let end: String = output.chars().skip(from).collect();
    let heading = match (chars, from) {
        (0, _) => return format!("[Job {} has ended: {how}. It printed nothing.]", job.id),
        (_, 0) => "It printed:".to_owned(),
        _ => "The `job` tool has more of its output; this is the end:".to_owned(),
    };
    format!(
        "[Job {} (`{}`) has ended: {how}. {heading}\n{end}]",
        job.id, job.command
    )
}

/// Reports the state of jobs whenever it changes, until they or the listener are gone.
pub(in crate::agent) fn report(jobs: &Arc<Jobs>, events: mpsc::Sender<AgentEvent>) {
    let changes = jobs.changes();
    tokio::spawn(report_changes(Arc::downgrade(jobs), changes, events));
}

async fn report_changes(
    jobs: Weak<Jobs>,
    mut changes: watch::Receiver<u64>,
    events: mpsc::Sender<AgentEvent>,
) {
    while changes.changed().await.is_ok() {
        let Some(list) = jobs.upgrade().map(|jobs| jobs.list()) else {
            return;
        };
        if events
            .send(AgentEvent::Turn(TurnEvent::Jobs(list)))
            .await
            .is_err()
        {
            return;
        }
        tokio::time::sleep(LIST_INTERVAL).await;
    }
}
