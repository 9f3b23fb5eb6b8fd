//! Branches: going back, sending a message again in another wording, a branch as a
//! session of its own, names for branches. The log only grows: what is left stays in it.
//!
//! A move is an entry, too. So the last entry of the file is at the leaf, and a session opens
//! where it was left, here and in other programs that read the format.

use std::sync::Arc;

use crate::agent::actor::Actor;
use crate::agent::compaction::state::AutoCompaction;
use crate::agent::files::FileActs;
use crate::agent::model::switch::ModelSwitch;
use crate::agent::protocol::{Notice, QueryId, QueryReply, SessionEvent};
use crate::agent::sessions::SessionActs;
use crate::agent::setup::SessionSource;
use crate::agent::turn::reminder::Reminders;
use crate::session::{self, Durability, Header, session_file};
use crate::tool::ReadLog;
use crate::transcript::{EntryBody, EntryId, Image};

impl Actor {
    /// Every entry with the leaf, for screens that show more than one branch.
    pub(crate) async fn show_history(&self, to: Option<QueryId>) {
        let transcript = self.thread.conversation.transcript().clone();
        self.events
            .reply(to, QueryReply::History(Arc::new(transcript)))
            .await;
    }

    /// Moves the leaf in memory and says so. What the model had read on the branch that is
    /// left, it may not have read on this one: files are read again before they are edited.
    pub(crate) async fn move_to(&mut self, leaf: Option<EntryId>) -> bool {
        if !self.thread.conversation.move_leaf(leaf.clone()) {
            if let Some(leaf) = leaf {
                self.thread.no_such_entry(&leaf).await;
            }
            return false;
        }
        self.toolbox.scope.reads = Arc::new(ReadLog::default());
        self.compactor.auto = AutoCompaction::default();
        let branch = self.thread.conversation.transcript().branch();
        // What the branch says of plan mode holds, however it was left.
        Reminders::of(self)
            .set_plan_mode(crate::agent::thread::plan_notes::is_on(&branch))
            .await;
        self.events.emit(SessionEvent::BranchMoved(branch)).await;
        true
    }
}

impl SessionActs<'_> {
    /// Makes an entry the leaf, for good.
    pub(crate) async fn go_to(&mut self, leaf: Option<EntryId>) {
        if self.agent.thread.conversation.transcript().leaf() == leaf.as_ref() {
            self.agent
                .events
                .notice(Notice::info("the conversation already ends there"))
                .await;
            return;
        }
        let changed = self.agent.files_changed_since(leaf.as_ref());
        let from = self.agent.thread.conversation.transcript().leaf().cloned();
        if !self.agent.move_to(leaf).await {
            return;
        }
        FileActs::of(self.agent).record_move(from).await;
        self.resume_standing().await;
        if changed > 0 {
            let files = if changed == 1 { "file" } else { "files" };
            let text = format!("files stay as they are; changed since then: {changed} {files}");
            self.agent
                .events
                .notice(Notice::info(text).with_hint("/rewind also restores files"))
                .await;
        }
        self.agent.thread.publish_view().await;
    }

    /// Has the model of this branch answer, at its reasoning level.
    pub(crate) async fn resume_standing(&mut self) {
        let before = self.agent.model.reasoning_state();
        let (notices, is_other) = ModelSwitch::of(self.agent).take_up_standing();
        if is_other {
            self.agent.apply_model_settings();
            self.agent
                .events
                .emit(SessionEvent::ModelSwitched {
                    model: self.agent.model.connection.model.model.clone(),
                    reason: self.agent.model.connection.reason.clone(),
                })
                .await;
        }
        if is_other || self.agent.model.reasoning_state() != before {
            ModelSwitch::of(self.agent).tell_reasoning().await;
        }
        for notice in notices {
            self.agent.events.notice(notice).await;
        }
    }

    /// Sends a message in the place of another one.
    pub(crate) async fn resend(&mut self, target: EntryId, text: String, images: Vec<Image>) {
        let Some(entry) = self
            .agent
            .thread
            .conversation
            .transcript()
            .get(&target)
            .cloned()
        else {
            self.agent.thread.no_such_entry(&target).await;
            return;
        };
        let from = self.agent.thread.conversation.transcript().leaf().cloned();
        if self.agent.move_to(entry.parent.clone()).await {
            FileActs::of(self.agent).record_move(from).await;
            self.agent.thread.draft = None;
            self.agent.submit(text, images).await;
        }
    }

    /// Copies the branch up to an entry into a new session and opens that.
    pub(crate) async fn fork(&mut self, at: Option<EntryId>) {
        let mut transcript = self.agent.thread.conversation.transcript().clone();
        if let Some(at) = at
            && !transcript.set_leaf(Some(at.clone()))
        {
            self.agent.thread.no_such_entry(&at).await;
            return;
        }
        let branch = transcript.branch();
        let (Some(source), false) = (self.agent.thread.conversation.path(), branch.is_empty())
        else {
            let notice = Notice::info("nothing to fork: the session is not on disk yet");
            self.agent
                .events
                .notice(notice.with_hint("/new starts an empty session"))
                .await;
            return;
        };
        let now = self.agent.setup.clock.now();
        let id = self.agent.setup.clock.session_id();
        let target = session_file(
            &self.agent.setup.paths.sessions_dir(),
            &self.agent.setup.cwd,
            now,
            &id,
        );
        let mut header = Header::new(id, now, self.agent.setup.cwd.display().to_string());
        header.parent_session = Some(source.display().to_string());
        let path = target.clone();
        let written =
            tokio::task::spawn_blocking(move || session::fork(&source, &path, &header, &branch));
        match written.await {
            Ok(Ok(())) => {
                self.open_other(SessionSource::Open(target)).await;
                let text = "this is a fork; the original session is unchanged";
                self.agent.events.notice(Notice::info(text)).await;
            }
            Ok(Err(error)) => {
                let notice = Notice::error(format!("not forked: {error}"));
                self.agent
                    .events
                    .notice(notice.with_hint("the open session continues"))
                    .await;
            }
            Err(_) => self.agent.events.notice(Notice::error("not forked")).await,
        }
    }

    /// Names an entry.
    pub(crate) async fn label(&mut self, target: EntryId, label: Option<String>) {
        if self
            .agent
            .thread
            .conversation
            .transcript()
            .get(&target)
            .is_none()
        {
            self.agent.thread.no_such_entry(&target).await;
            return;
        }
        let label = label
            .map(|label| label.trim().to_owned())
            .filter(|label| !label.is_empty());
        let body = EntryBody::Label { target, label };
        self.agent.thread.append(body, Durability::Buffered).await;
    }
}
