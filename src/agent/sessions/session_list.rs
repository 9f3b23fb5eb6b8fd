//! The shelf of sessions: listed, looked into, named, thrown away. The open session is
//! named through its own log and never thrown away.

use std::io;
use std::path::{Path, PathBuf};

use crate::agent::protocol::{Notice, QueryId, QueryReply, SessionList, SessionListing};
use crate::agent::sessions::SessionActs;
use crate::clock::Clock;
use crate::config::TitleSource;
use crate::foreign::{self, ForeignListing, SessionPlace, SessionStore, SourceError};
use crate::session::{
    self, Access, Durability, Scope, SessionError, SessionLog, SessionPeek, SessionSummary,
};
use crate::transcript::{Entry, EntryBody, title_from_text};

/// Sessions of another program in a list.
const MAX_FOREIGN: usize = 200;

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
        let stores = self.foreign_stores();
        let programs = program_names(&stores);
        let has_titles = self.has_titles();
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
                            sessions: listed
                                .into_iter()
                                .map(|it| listing(it, has_titles))
                                .collect(),
                            open: self.agent.thread.conversation.path(),
                            program: None,
                            programs,
                            found: None,
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

    /// Lists the sessions of another program of this directory, or all.
    pub(crate) async fn list_foreign(&mut self, to: Option<QueryId>, program: String, all: bool) {
        let stores = self.foreign_stores();
        let programs = program_names(&stores);
        let cwd = self.agent.setup.cwd.clone();
        let name = program.clone();
        let has_titles = self.has_titles();
        let listed = tokio::task::spawn_blocking(move || {
            let cwd = (!all).then_some(cwd.as_path());
            recent(&stores, &name, cwd, has_titles)
        });
        let Ok(listed) = listed.await else { return };
        match listed {
            Ok(sessions) => {
                let list = SessionList {
                    all,
                    sessions,
                    open: self.agent.thread.conversation.path(),
                    program: Some(program),
                    programs,
                    found: None,
                };
                self.agent
                    .events
                    .reply(to, QueryReply::Sessions(list))
                    .await;
            }
            Err(error) => {
                let text = format!("sessions of {program} cannot be listed: {error}");
                self.agent.events.notice(Notice::warning(text)).await;
            }
        }
    }

    /// Whether lists show short titles.
    fn has_titles(&self) -> bool {
        self.agent.setup.settings.agent.titles.how != TitleSource::Off
    }

    fn foreign_stores(&self) -> Vec<SessionStore> {
        let setup = &self.agent.setup;
        foreign::stores(&|name| setup.environment.get(name).cloned(), &setup.cwd)
    }

    /// Says how a session ends.
    pub(crate) async fn peek_session(&mut self, to: Option<QueryId>, path: PathBuf) {
        let peeked = tokio::task::spawn_blocking(move || peek(&path)).await;
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

/// The end of a session, whoever wrote it. Of other programs only what is quick to read.
fn peek(path: &Path) -> io::Result<SessionPeek> {
    const MAX_FOREIGN_BYTES: u64 = 16 * 1024 * 1024;
    let place = SessionPlace::of(path);
    let is_small = place.path.metadata()?.len() <= MAX_FOREIGN_BYTES;
    let program = foreign::program_of(&place.path).ok().flatten();
    let Some(program) = program else {
        return SessionPeek::of(path);
    };
    let mut peek = SessionPeek {
        path: path.to_owned(),
        ..SessionPeek::default()
    };
    if is_small && let Ok(read) = foreign::read(&place, Some(program)) {
        let transcript = read.transcript().unwrap_or_default();
        let messages = transcript.branch();
        peek.fill(messages.iter().rev().filter_map(|entry| entry.message()));
    }
    Ok(peek)
}

/// The sessions of a program that changed last.
fn recent(
    stores: &[SessionStore],
    program: &str,
    cwd: Option<&Path>,
    has_titles: bool,
) -> Result<Vec<SessionListing>, SourceError> {
    let mut found = Vec::new();
    for store in stores.iter().filter(|it| it.program.name() == program) {
        found.extend(foreign::recent(store, cwd, MAX_FOREIGN)?);
    }
    found.sort_by_key(|it| std::cmp::Reverse(it.updated));
    let listings = found
        .into_iter()
        .map(|row| foreign_listing(row, has_titles));
    Ok(listings.collect())
}

/// The programs of stores, each once.
fn program_names(stores: &[SessionStore]) -> Vec<String> {
    let mut names: Vec<String> = stores
        .iter()
        .map(|it| it.program.name().to_owned())
        .collect();
    names.dedup();
    names
}

fn foreign_listing(row: ForeignListing, has_titles: bool) -> SessionListing {
    let bytes = row.place.path.metadata().map_or(0, |it| it.len());
    SessionListing {
        path: row.place.to_path(),
        id: row.session,
        cwd: row.cwd,
        name: row.title,
        title: row
            .first_words
            .as_deref()
            .filter(|_| has_titles)
            .and_then(title_from_text),
        first_words: row.first_words.unwrap_or_default(),
        origin: None,
        created: row.updated,
        updated: row.updated,
        entries: row.messages.unwrap_or_default(),
        bytes,
        hit: None,
    }
}

fn listing(summary: SessionSummary, has_titles: bool) -> SessionListing {
    SessionListing {
        path: summary.path,
        id: summary.header.id,
        cwd: summary.header.cwd,
        name: summary.name,
        title: summary.title.filter(|_| has_titles),
        first_words: summary.first_words.unwrap_or_default(),
        origin: summary.origin.map(|record| record.source()),
        created: summary.header.timestamp,
        updated: summary.updated,
        entries: summary.entries,
        bytes: summary.bytes,
        hit: None,
    }
}
