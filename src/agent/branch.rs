//! Branches: going back, sending a message again in another wording, a branch as a
//! session of its own, names for branches. The log only grows: what is left stays in it.
//!
//! A move is an entry, too. So the last entry of the file is at the leaf, and a session opens
//! where it was left, here and in other programs that read the format.

use std::sync::Arc;

use super::actor::Actor;
use super::automatic::AutoCompaction;
use super::protocol::{AgentEvent, Notice, QueryId, QueryReply, SessionEvent};
use super::setup::SessionSource;
use crate::session::{self, Durability, Header, session_file};
use crate::tool::ReadLog;
use crate::transcript::{EntryBody, EntryId, Image};

impl Actor {
    /// Every entry with the leaf, for screens that show more than one branch.
    pub async fn show_history(&self, to: Option<QueryId>) {
        let transcript = self.conversation.transcript().clone();
        self.emit(AgentEvent::Reply {
            to,
            reply: QueryReply::History(Arc::new(transcript)),
        })
        .await;
    }

    /// Makes an entry the leaf, for good.
    pub async fn go_to(&mut self, leaf: Option<EntryId>) {
        if self.conversation.transcript().leaf() == leaf.as_ref() {
            self.notice(Notice::info("the conversation ends there already"))
                .await;
            return;
        }
        let changed = self.files_changed_since(leaf.as_ref());
        let from = self.conversation.transcript().leaf().cloned();
        if !self.move_to(leaf).await {
            return;
        }
        self.record_move(from).await;
        self.resume_standing().await;
        if changed > 0 {
            let files = if changed == 1 { "file" } else { "files" };
            let text = format!("files stay as they are: {changed} {files} changed since then");
            self.notice(Notice::info(text).with_hint("/rewind takes files back as well"))
                .await;
        }
        self.publish_view().await;
    }

    /// Has the model of this branch answer, at its reasoning level.
    pub async fn resume_standing(&mut self) {
        let (notices, is_other) = self.take_up_standing();
        if is_other {
            self.apply_model_settings();
            self.emit(AgentEvent::Session(SessionEvent::ModelSwitched {
                model: self.helm.model.model.clone(),
                reason: self.helm.reason.clone(),
            }))
            .await;
        }
        for notice in notices {
            self.notice(notice).await;
        }
    }

    /// Sends a message in the place of another one.
    pub async fn resend(&mut self, target: EntryId, text: String, images: Vec<Image>) {
        let Some(entry) = self.conversation.transcript().get(&target).cloned() else {
            self.no_such_entry(&target).await;
            return;
        };
        let from = self.conversation.transcript().leaf().cloned();
        if self.move_to(entry.parent.clone()).await {
            self.record_move(from).await;
            self.draft = None;
            self.submit(text, images).await;
        }
    }

    /// Copies the branch up to an entry into a new session and opens that.
    pub async fn fork(&mut self, at: Option<EntryId>) {
        let mut transcript = self.conversation.transcript().clone();
        if let Some(at) = at
            && !transcript.set_leaf(Some(at.clone()))
        {
            self.no_such_entry(&at).await;
            return;
        }
        let branch = transcript.branch();
        let (Some(source), false) = (self.conversation.path(), branch.is_empty()) else {
            let notice = Notice::info("there is nothing on disk yet that could be forked");
            self.notice(notice.with_hint("/new opens an empty session"))
                .await;
            return;
        };
        let now = self.setup.ambient.now();
        let id = self.setup.ambient.session_id();
        let target = session_file(&self.setup.paths.sessions_dir(), &self.setup.cwd, now, &id);
        let mut header = Header::new(id, now, self.setup.cwd.display().to_string());
        header.parent_session = Some(source.display().to_string());
        let path = target.clone();
        let written =
            tokio::task::spawn_blocking(move || session::fork(&source, &path, &header, &branch));
        match written.await {
            Ok(Ok(())) => {
                self.open_other(SessionSource::Open(target)).await;
                let text = "this is a fork: the session it came from is as it was";
                self.notice(Notice::info(text)).await;
            }
            Ok(Err(error)) => {
                let notice = Notice::error(format!("not forked: {error}"));
                self.notice(notice.with_hint("the session that was open goes on"))
                    .await;
            }
            Err(_) => self.notice(Notice::error("not forked")).await,
        }
    }

    /// Names an entry.
    pub async fn label(&mut self, target: EntryId, label: Option<String>) {
        if self.conversation.transcript().get(&target).is_none() {
            self.no_such_entry(&target).await;
            return;
        }
        let label = label
            .map(|label| label.trim().to_owned())
            .filter(|label| !label.is_empty());
        let body = EntryBody::Label { target, label };
        self.append(body, Durability::Buffered).await;
    }

    /// Moves the leaf in memory and says so. What the model had read on the branch that is
    /// left, it may not have read on this one: files are read again before they are edited.
    pub async fn move_to(&mut self, leaf: Option<EntryId>) -> bool {
        if !self.conversation.move_leaf(leaf.clone()) {
            if let Some(leaf) = leaf {
                self.no_such_entry(&leaf).await;
            }
            return false;
        }
        self.scope.reads = Arc::new(ReadLog::default());
        self.auto = AutoCompaction::default();
        let branch = self.conversation.transcript().branch();
        // What the branch says of plan mode holds, however it was left.
        self.set_plan_mode(super::plan_mode::is_on(&branch)).await;
        self.emit(AgentEvent::Session(SessionEvent::BranchMoved(branch)))
            .await;
        true
    }

    async fn no_such_entry(&self, id: &EntryId) {
        let notice = Notice::error(format!("there is no entry {id} in this session"));
        self.notice(notice.with_hint("/tree shows all entries"))
            .await;
    }
}
