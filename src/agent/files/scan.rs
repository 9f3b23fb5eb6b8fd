//! Looks at the files around commands and jobs, and records what they changed.
//!
//! A command waits a moment at most for the look before it, and its result for the one
//! after. What changes while a job runs is never said to be the job's for sure.

use crate::agent::files::watch::{FileScan, room_bytes, roots, watch};
use std::sync::Arc;
use std::time::Duration;

use tokio::task::spawn_blocking;

use crate::agent::actor::Actor;
use crate::agent::files::FileActs;
use crate::agent::protocol::Notice;
use crate::checkpoint::{ChangeSource, ScanMoment};
use crate::tool::{JobInfo, Jobs};
use crate::transcript::{FileCause, FileRecord};

/// How long the first command may wait for the first look.
const FIRST_WAIT: Duration = Duration::from_millis(400);

impl FileActs<'_> {
    /// Watches over the files of the conversation that is open now.
    pub(crate) fn watch_anew(&mut self) {
        let agent = &self.agent.setup.settings.agent;
        self.agent.toolbox.scope.watch = watch(
            &self.agent.thread.conversation,
            &self.agent.toolbox.scope.cwd,
            agent,
        );
        // Jobs of the conversation that was left are none of this one's business.
        let jobs = self
            .agent
            .toolbox
            .scope
            .jobs
            .list()
            .into_iter()
            .map(|job| job.id);
        self.agent.toolbox.looking = FileScan {
            ended: jobs.collect(),
            ..FileScan::default()
        };
    }

    /// Watches over the directories that the settings name now. What was kept of files stays,
    /// and so do the jobs of this conversation.
    pub(crate) fn watch_other_dirs(&mut self) {
        let roots = roots(
            &self.agent.toolbox.scope.cwd,
            &self.agent.setup.settings.agent,
        );
        self.agent.toolbox.scope.watch =
            Arc::new(self.agent.toolbox.scope.watch.with_roots(&roots));
        // The next command is preceded by a first look at all of them.
        self.agent.toolbox.looking.first = None;
        self.agent.toolbox.looking.has_begun = false;
    }

    /// Lists the files in the background. Not before something is asked: a program that
    /// was only opened needs no list.
    pub(crate) fn look_early(&mut self) {
        if !std::mem::replace(&mut self.agent.toolbox.looking.has_begun, true) {
            let watch = Arc::clone(&self.agent.toolbox.scope.watch);
            self.agent.toolbox.looking.first = Some(spawn_blocking(move || watch.look_early()));
        }
    }

    /// Looks at the files before a command.
    pub(crate) async fn look_before(&mut self) -> Option<ScanMoment> {
        self.look_early();
        if let Some(first) = &mut self.agent.toolbox.looking.first
            && tokio::time::timeout(FIRST_WAIT, first).await.is_ok()
        {
            self.agent.toolbox.looking.first = None;
        }
        let has_looked = self.look_if_jobs_ran().await;
        let (watch, ledger) = (
            Arc::clone(&self.agent.toolbox.scope.watch),
            self.agent.thread.file_ledger(),
        );
        let looked = spawn_blocking(move || watch.before_command(&ledger, has_looked));
        looked.await.ok()
    }

    /// Records what a command has changed since a look.
    pub(crate) async fn look_after(
        &mut self,
        look: Option<ScanMoment>,
        cause: FileCause,
    ) -> Option<FileRecord> {
        let jobs = ids(&self.agent.toolbox.scope.jobs, |job| job.end.is_none());
        self.record_since(look?, ChangeSource { cause, jobs }).await
    }

    async fn record_since(&mut self, look: ScanMoment, doing: ChangeSource) -> Option<FileRecord> {
        let (watch, ledger) = (
            Arc::clone(&self.agent.toolbox.scope.watch),
            self.agent.thread.file_ledger(),
        );
        let found = spawn_blocking(move || watch.after_command(&look, doing, &ledger));
        let record = found.await.ok().flatten()?;
        if let Some(why) = &record.unseen {
            // Said once, by the screen and in the log.
            if std::mem::replace(&mut self.agent.toolbox.looking.is_unseen_told, true) {
                return None;
            }
            let text = format!("changes by commands may be listed late or not at all: {why}");
            let notice = Notice::warning(text);
            self.agent
                .events
                .notice(notice.with_hint("/diff and /rewind still cover the model's own edits"))
                .await;
        }
        self.record_files(record.clone()).await;
        Some(record)
    }

    /// Records what changed since the newest look while jobs ran, or while something did
    /// that could not be looked at. False when there was no reason to look.
    pub(crate) async fn look_if_jobs_ran(&mut self) -> bool {
        if self.agent.toolbox.detach.is_some() {
            // A command runs: what it has done so far is told when it is over.
            return false;
        }
        let ended = &self.agent.toolbox.looking.ended;
        let jobs = ids(&self.agent.toolbox.scope.jobs, |job| {
            !ended.contains(&job.id)
        });
        let is_owing = self.agent.toolbox.scope.watch.is_owing();
        if jobs.is_empty() && !is_owing {
            return false;
        }
        let over = ids(&self.agent.toolbox.scope.jobs, |job| job.end.is_some());
        self.agent.toolbox.looking.ended.extend(over);
        let cause = if is_owing {
            FileCause::Command
        } else {
            FileCause::Job
        };
        let look = self.agent.toolbox.scope.watch.since_last_look();
        let has_looked = look.is_some();
        if let Some(look) = look {
            self.record_since(look, ChangeSource { cause, jobs }).await;
        }
        has_looked
    }
}

impl Actor {
    /// Keeps as much of files as the settings allow now.
    pub(crate) fn use_checkpoint_room(&self) {
        let room = room_bytes(&self.setup.settings.agent);
        self.toolbox.scope.watch.store().set_room(room);
    }

    /// Resolves when a job has ended whose end was not followed by a look.
    pub(crate) fn job_end(&self) -> impl Future<Output = ()> + use<> {
        let jobs = Arc::clone(&self.toolbox.scope.jobs);
        let mut changes = jobs.changes();
        let ended = self.toolbox.looking.ended.clone();
        async move {
            let is_new = |job: &JobInfo| job.end.is_some() && !ended.contains(&job.id);
            while !jobs.list().iter().any(is_new) {
                // The sender lives as long as the jobs.
                let _ = changes.changed().await;
            }
        }
    }
}

fn ids(jobs: &Jobs, wanted: impl Fn(&JobInfo) -> bool) -> Vec<u64> {
    let jobs = jobs.list();
    jobs.iter()
        .filter(|it| wanted(it))
        .map(|it| it.id)
        .collect()
}
