//! The session's changes to files: recorded, shown, and taken back.
//!
//! Every record is in the log before the files change, or as soon as it is known what a
//! command changed. Nothing of it speaks to the model but the word that files were taken
//! back under its feet.

pub(in crate::agent) mod scan;
pub(in crate::agent) mod watch;

use std::path::Path;
use std::sync::Arc;

use crate::agent::actor::Actor;
use crate::agent::protocol::{Notice, QueryId, QueryReply, RewindPlan, RewindRequest};
use crate::agent::sessions::SessionActs;
use crate::checkpoint::{
    self, ChangesReport, ContentStore, FileFate, PendingRecord, PlannedFile, RestoreReport,
    WantedFile,
};
use crate::session::{Durability, outputs_folder};
use crate::tool::ReadLog;
use crate::transcript::{
    EntryBody, EntryId, FileCause, FileChange, FileLedger, FileRecord, FileState, NoteKind,
    Transcript, states_at,
};

/// Room of a store that is only read.
const KEEPS_NOTHING: u64 = 0;
/// Files that are named when the model is told that they were taken back.
const MAX_NAMED: usize = 20;

/// The changes of a session to files, as far as its log and the disk say.
pub fn changes_of(transcript: &Transcript, path: Option<&Path>, cwd: &Path) -> ChangesReport {
    let store = match path {
        Some(path) => ContentStore::beside(&outputs_folder(path), KEEPS_NOTHING),
        None => ContentStore::temporary(KEEPS_NOTHING),
    };
    checkpoint::report(&store, &FileLedger::of(transcript), cwd)
}

/// Records, shows and takes back changes of files.
pub(in crate::agent) struct FileActs<'a> {
    pub(in crate::agent) agent: &'a mut Actor,
}

impl<'a> FileActs<'a> {
    pub(super) fn of(agent: &'a mut Actor) -> Self {
        Self { agent }
    }
}

impl FileActs<'_> {
    /// Writes a record of a tool that waits for it.
    pub(super) async fn note_files(&mut self, noted: PendingRecord) {
        let unkept = noted
            .record
            .changes
            .iter()
            .find_map(|change| match &change.before {
                FileState::Unknown { why } => Some((change.path.clone(), why.clone())),
                _ => None,
            });
        self.record_files(noted.record).await;
        if let Some((path, why)) = unkept {
            let shown = checkpoint::shown(&path, &self.agent.toolbox.scope.cwd);
            let text = format!("{shown} changes without a checkpoint: {why}");
            let notice = Notice::warning(text).with_hint("/rewind cannot undo this change");
            self.agent.events.notice(notice).await;
        }
        // A tool that has ended meanwhile does not wait.
        let _ = noted.done.send(());
    }

    pub(super) async fn record_files(&mut self, record: FileRecord) {
        self.agent
            .thread
            .append(EntryBody::Files(Box::new(record)), Durability::Flush)
            .await;
    }

    /// Shows what the session has changed.
    pub(super) async fn show_changes(&mut self, to: Option<QueryId>) {
        self.look_if_jobs_ran().await;
        let (watch, ledger) = (
            Arc::clone(&self.agent.toolbox.scope.watch),
            self.agent.thread.file_ledger(),
        );
        let cwd = self.agent.toolbox.scope.cwd.clone();
        let report =
            tokio::task::spawn_blocking(move || checkpoint::report(watch.store(), &ledger, &cwd));
        if let Ok(report) = report.await {
            self.agent
                .events
                .reply(to, QueryReply::Changes(Box::new(report)))
                .await;
        }
    }

    /// Says of each file what going back to an entry would do to it.
    pub(super) async fn plan_rewind(
        &mut self,
        to: Option<QueryId>,
        end: Option<EntryId>,
        ask: Option<EntryId>,
    ) {
        self.look_if_jobs_ran().await;
        let files = self.agent.planned(self.wanted_at(end.as_ref())).await;
        let plan = RewindPlan {
            to: end,
            ask,
            files,
        };
        let reply = QueryReply::RewindPlan(Box::new(plan));
        self.agent.events.reply(to, reply).await;
    }

    fn wanted_at(&self, to: Option<&EntryId>) -> Vec<WantedFile> {
        let ledger = self.agent.thread.file_ledger();
        states_at(self.agent.thread.conversation.transcript(), to)
            .into_iter()
            .map(|(path, desired)| {
                let tracked = ledger.files.get(&path);
                let unknown = || desired.clone();
                WantedFile {
                    expected: tracked.map_or_else(unknown, |it| it.latest.clone()),
                    before_expected: tracked.map_or_else(unknown, |it| it.penultimate.clone()),
                    desired,
                    path,
                }
            })
            .collect()
    }

    /// Goes back: in the conversation, in the files, or both.
    pub(super) async fn rewind(&mut self, rewind: RewindRequest) {
        let RewindRequest {
            to,
            conversation,
            files,
            overwrite,
        } = rewind;
        if !files {
            return SessionActs::of(self.agent).go_to(to).await;
        }
        let wanted = self.wanted_at(to.as_ref());
        let leaf = self.agent.thread.conversation.transcript().leaf().cloned();
        let is_moving = conversation && leaf != to;
        let Some((changes, applied)) = self.prepared(wanted, overwrite).await else {
            return;
        };
        if is_moving && !self.agent.move_to(to).await {
            return;
        }
        let cause = FileCause::Rewind {
            from: leaf.filter(|_| is_moving),
            undoes: None,
        };
        self.put_back(cause, changes, applied, is_moving).await;
        if is_moving {
            SessionActs::of(self.agent).resume_standing().await;
        }
        self.agent.thread.publish_view().await;
    }

    /// Writes down that the person moved in the conversation: so a session opens there, here
    /// and in other programs that read the format, and `/undo` finds the way back.
    pub(super) async fn record_move(&mut self, from: Option<EntryId>) {
        // A session that cannot be written moves in memory only.
        if self.agent.thread.conversation.read_only().is_some() {
            return;
        }
        self.record_files(FileRecord {
            cause: FileCause::Rewind { from, undoes: None },
            jobs: Vec::new(),
            changes: Vec::new(),
            unlisted: 0,
            unseen: None,
        })
        .await;
    }

    /// Keeps what is there now. `None` where it cannot be done at all.
    pub(super) async fn prepared(
        &mut self,
        wanted: Vec<WantedFile>,
        overwrite: bool,
    ) -> Option<(Vec<FileChange>, RestoreReport)> {
        if let Some(why) = self.agent.thread.conversation.read_only() {
            let notice = Notice::error(format!("nothing was undone: the session is {why}"));
            self.agent.events.notice(notice).await;
            return None;
        }
        let planned = self.agent.planned(wanted).await;
        let watch = Arc::clone(&self.agent.toolbox.scope.watch);
        tokio::task::spawn_blocking(move || {
            checkpoint::keep_first(watch.store(), &planned, overwrite)
        })
        .await
        .ok()
    }

    /// Records a rewind (or the undo of one) and puts the files back.
    pub(super) async fn put_back(
        &mut self,
        cause: FileCause,
        changes: Vec<FileChange>,
        mut applied: RestoreReport,
        is_moving: bool,
    ) {
        let is_undo = matches!(
            cause,
            FileCause::Rewind {
                undoes: Some(_),
                ..
            }
        );
        self.record_files(FileRecord {
            cause,
            jobs: Vec::new(),
            changes: changes.clone(),
            unlisted: 0,
            unseen: None,
        })
        .await;
        let (watch, cwd) = (
            Arc::clone(&self.agent.toolbox.scope.watch),
            self.agent.toolbox.scope.cwd.clone(),
        );
        let done = tokio::task::spawn_blocking(move || {
            checkpoint::apply(watch.store(), &changes, &cwd, &mut applied);
            for change in &changes {
                watch.put_back(Path::new(&change.path));
            }
            (changes, applied)
        });
        let Ok((changes, applied)) = done.await else {
            return;
        };
        self.agent.toolbox.scope.reads = Arc::new(ReadLog::default());
        if !is_moving && !changes.is_empty() {
            self.tell_model(&changes, is_undo).await;
        }
        if !changes.is_empty() || !is_undo {
            self.agent.events.notice(said(&applied, is_undo)).await;
        }
        for (path, why) in &applied.failed {
            self.agent
                .events
                .notice(Notice::warning(format!("{path} was not restored: {why}")))
                .await;
        }
    }

    /// The conversation goes on with files that are not as the model left them.
    async fn tell_model(&mut self, changes: &[FileChange], is_undo: bool) {
        let names = changes.iter().take(MAX_NAMED);
        let names: Vec<String> = names
            .map(|it| checkpoint::shown(&it.path, &self.agent.toolbox.scope.cwd))
            .collect();
        let more = changes.len().saturating_sub(MAX_NAMED);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        let what = if is_undo {
            "redid changes to files"
        } else {
            "undid changes to files"
        };
        let text = format!(
            "[The user {what}: {}{more}. Read them again before you rely on their contents.]",
            names.join(", ")
        );
        let body = EntryBody::note(NoteKind::Rewind, text);
        self.agent.thread.append(body, Durability::Flush).await;
    }
}

impl Actor {
    /// Files that would have to change for the conversation to end at an entry with the
    /// files that it had there.
    pub(super) fn files_changed_since(&self, to: Option<&EntryId>) -> usize {
        let ledger = self.thread.file_ledger();
        let states = states_at(self.thread.conversation.transcript(), to);
        let is_other = |path: &String, state: &FileState| {
            ledger.files.get(path).is_none_or(|it| it.latest != *state)
        };
        states
            .iter()
            .filter(|(path, state)| is_other(path, state))
            .count()
    }

    pub(super) async fn planned(&self, wanted: Vec<WantedFile>) -> Vec<PlannedFile> {
        let (watch, cwd) = (
            Arc::clone(&self.toolbox.scope.watch),
            self.toolbox.scope.cwd.clone(),
        );
        let extra_dirs = self.toolbox.scope.extra_dirs.clone();
        let planned = tokio::task::spawn_blocking(move || {
            checkpoint::plan(watch.store(), wanted, &cwd, &extra_dirs)
        });
        let mut planned = planned.await.unwrap_or_default();
        planned.retain(|file| file.fate != FileFate::AsItWas);
        planned
    }
}

fn said(applied: &RestoreReport, is_undo: bool) -> Notice {
    let count = |number: u64, what: &str| (number > 0).then(|| format!("{number} {what}"));
    let parts: Vec<String> = [
        count(applied.restored, "restored"),
        count(applied.removed, "removed"),
        count(applied.left, "left alone (changed by another program)"),
        count(applied.failed.len() as u64, "not possible"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() {
        return Notice::info("the files already had these contents; nothing was changed");
    }
    let notice = Notice::info(format!("files: {}", parts.join(", ")));
    if is_undo {
        return notice;
    }
    notice.with_hint("undo with /undo")
}
