//! The shelf of sessions: listed, looked into, named, thrown away. The open session is
//! named through its own log and never thrown away.

use std::path::{Path, PathBuf};

use crate::agent::protocol::{Notice, QueryId, QueryReply, SessionList, SessionListing};
use crate::agent::sessions::SessionActs;
use crate::clock::Clock;
use crate::session::{
    self, Access, Durability, Scope, SessionError, SessionLog, SessionPeek, SessionSummary,
};
use crate::transcript::{Entry, EntryBody};

/// Names a session that is not open here: one more entry at its end.
///
/// # Errors
///
/// The file cannot be written, or another process writes it.
pub fn rename_session(clock: Clock, path: &Path, name: &str) -> Result<(), SessionError> {
    let (mut log, loaded) = SessionLog::open(path, clock.now())?;
    if loaded.access != Access::Write {
        return Err(SessionError::ReadOnly {
            path: path.to_owned(),
            access: loaded.access,
            unsaved: 0,
        });
    }
    let entry = Entry {
        id: clock.entry_id(&loaded.transcript),
        parent: loaded.transcript.leaf().cloned(),
        timestamp: clock.now(),
        body: EntryBody::SessionInfo {
            name: name.to_owned(),
        },
    };
    log.append(&entry, Durability::Flush)
}

impl SessionActs<'_> {
    /// Lists the sessions of this directory, or all.
    pub(crate) async fn list_sessions(&mut self, to: Option<QueryId>, all: bool) {
        self.agent.listed_all = all;
        let folder = self.agent.setup.paths.sessions_dir();
        let cwd = self.agent.setup.cwd.clone();
        let listed = tokio::task::spawn_blocking(move || {
            let scope = if all { Scope::All } else { Scope::Cwd(&cwd) };
            session::list(&folder, scope)
        });
        match listed.await {
            Ok(Ok(listed)) => {
                self.agent
                    .events
                    .reply(
                        to,
                        QueryReply::Sessions(SessionList {
                            all,
                            sessions: listed.into_iter().map(listing).collect(),
                            open: self.agent.thread.conversation.path(),
                        }),
                    )
                    .await;
            }
            Ok(Err(error)) => {
                self.agent
                    .events
                    .notice(Notice::error(format!("sessions cannot be listed: {error}")))
                    .await;
            }
            Err(_) => {}
        }
    }

    /// Says how a session ends.
    pub(crate) async fn peek_session(&mut self, to: Option<QueryId>, path: PathBuf) {
        let peeked = tokio::task::spawn_blocking(move || SessionPeek::of(&path)).await;
        // One that has just gone has nothing to show.
        if let Ok(Ok(peek)) = peeked {
            self.agent
                .events
                .reply(to, QueryReply::SessionPeek(Box::new(peek)))
                .await;
        }
    }

    /// Names the open session or another one, and lists them again.
    pub(crate) async fn rename_other(&mut self, path: PathBuf, name: String) {
        if self.is_open(&path) {
            self.rename(name).await;
        } else {
            let clock = self.agent.setup.clock;
            let renamed =
                tokio::task::spawn_blocking(move || rename_session(clock, &path, &name)).await;
            if let Ok(Err(error)) = renamed {
                self.agent
                    .events
                    .notice(Notice::error(format!("not renamed: {error}")))
                    .await;
            }
        }
        self.list_sessions(None, self.agent.listed_all).await;
    }

    /// Moves another session to the trash folder, and lists them again.
    pub(crate) async fn discard_session(&mut self, path: PathBuf) {
        if self.is_open(&path) {
            let notice = Notice::warning("the open session cannot be deleted");
            self.agent
                .events
                .notice(notice.with_hint("open another one first"))
                .await;
            return;
        }
        let discarded = tokio::task::spawn_blocking(move || session::discard(&path)).await;
        match discarded {
            Ok(Ok(trashed)) => {
                let text = format!("deleted: moved to {}", trashed.display());
                self.agent.events.notice(Notice::info(text)).await;
            }
            Ok(Err(error)) => {
                self.agent
                    .events
                    .notice(Notice::error(format!("not deleted: {error}")))
                    .await;
            }
            Err(_) => {}
        }
        self.list_sessions(None, self.agent.listed_all).await;
    }

    fn is_open(&self, path: &Path) -> bool {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let open = self.agent.thread.conversation.path();
        open.is_some_and(|open| real(&open) == real(path))
    }
}

fn listing(summary: SessionSummary) -> SessionListing {
    SessionListing {
        path: summary.path,
        id: summary.header.id,
        cwd: summary.header.cwd,
        name: summary.name,
        first_words: summary.first_words.unwrap_or_default(),
        created: summary.header.timestamp,
        updated: summary.updated,
        entries: summary.entries,
        bytes: summary.bytes,
    }
}
