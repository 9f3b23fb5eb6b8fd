//! The search in the text of all sessions. What the index has is shown at once; what changed
//! since is read after it, and the answer given again.

use std::path::Path;
use std::time::Duration;

use crate::agent::protocol::{
    AgentEvent, Notice, QueryId, QueryReply, SessionHit, SessionList, SessionListing,
};
use crate::agent::sessions::SessionActs;
use crate::clock::Stopwatch;
use crate::fulltext::{Hit, SearchError, SearchFilter, SearchIndex, SearchPlaces, SessionHits};

/// Between two answers while sessions are read into the index.
const BETWEEN_ANSWERS: Duration = Duration::from_secs(2);
/// Sessions of an answer.
const MAX_SESSIONS: usize = 100;

impl SessionActs<'_> {
    /// Finds sessions by their text.
    pub(crate) fn search_sessions(&mut self, to: Option<QueryId>, text: String) {
        let setup = &self.agent.setup;
        let file = setup.paths.search_index_file();
        let variable = |name: &str| setup.environment.get(name).cloned();
        let places = SearchPlaces::of(setup.paths.sessions_dir(), &variable, &setup.cwd);
        let open = self.agent.thread.conversation.path();
        let events = self.agent.events.sender();
        let list = move |sessions: Vec<SessionListing>, text: &str| {
            QueryReply::Sessions(SessionList {
                all: true,
                sessions,
                open: open.clone(),
                found: Some(text.to_owned()),
                ..SessionList::default()
            })
        };
        tokio::spawn(async move {
            let (quick_file, quick_text) = (file.clone(), text.clone());
            let quick = tokio::task::spawn_blocking(move || found(&quick_file, &quick_text)).await;
            let Ok(quick) = quick else { return };
            let before = match quick {
                Ok(sessions) => sessions,
                Err(error) => {
                    let notice = AgentEvent::Notice(Notice::warning(error.to_string()));
                    let _ = events.send(notice).await;
                    return;
                }
            };
            let reply = list(before.clone(), &text);
            let _ = events.send(AgentEvent::Reply { to, reply }).await;
            let answers = events.clone();
            let full = tokio::task::spawn_blocking(move || {
                let mut shown = before;
                let mut tell = |after: Vec<SessionListing>| {
                    if after != shown {
                        shown.clone_from(&after);
                        let _ = answers.blocking_send(AgentEvent::reply(list(after, &text)));
                    }
                };
                let mut since = Stopwatch::start();
                read_in(&file, &places, &mut || {
                    // Many sessions take a while: what is in the index by then is shown.
                    if since.elapsed() > BETWEEN_ANSWERS {
                        tell(found(&file, &text)?);
                        since = Stopwatch::start();
                    }
                    Ok(())
                })?;
                tell(found(&file, &text)?);
                Ok::<(), SearchError>(())
            });
            if let Ok(Err(error)) = full.await {
                let notice = AgentEvent::Notice(Notice::warning(error.to_string()));
                let _ = events.send(notice).await;
            }
        });
    }
}

/// Brings the index up to date; `after_each` is called after each file, and its failure ends
/// it.
fn read_in(
    file: &Path,
    places: &SearchPlaces,
    after_each: &mut dyn FnMut() -> Result<(), SearchError>,
) -> Result<(), SearchError> {
    let mut index = SearchIndex::open(file)?;
    let mut failed = None;
    index.refresh(places, &mut |_| {
        failed = after_each().err();
        failed.is_none()
    })?;
    failed.map_or(Ok(()), Err)
}

/// The answer of the index as it is.
fn found(file: &Path, text: &str) -> Result<Vec<SessionListing>, SearchError> {
    let index = SearchIndex::open(file)?;
    let filter = SearchFilter {
        max_sessions: MAX_SESSIONS,
        ..SearchFilter::default()
    };
    let found = index.search(text, &filter)?;
    Ok(found.iter().flat_map(listings).collect())
}

/// A row for each hit.
fn listings(found: &SessionHits) -> Vec<SessionListing> {
    let listing = |hit: &Hit| SessionListing {
        path: found.place.clone(),
        id: found.session.clone(),
        cwd: found.cwd.clone(),
        name: None,
        title: None,
        first_words: found.title.clone(),
        origin: found.program.clone(),
        created: hit.at,
        updated: found.updated,
        entries: 0,
        bytes: 0,
        hit: Some(SessionHit {
            entry: hit.entry.clone(),
            role: hit.role,
            tool: hit.tool.clone(),
            excerpt: hit.excerpt.clone(),
        }),
    };
    found.hits.iter().map(listing).collect()
}
