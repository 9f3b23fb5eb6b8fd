//! What recall reaches beside the open session: notes of the project, the logs of the session's
//! sub-agents, and, where `memory.sessions` allows it, its other sessions.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::RecallSnapshot;
use super::answer::{hit_text, withheld_text};
use crate::agent::children::inherited_entries;
use crate::engine::recall::{
    RecallAccess, RecallAddress, RecallIndex, RecallScope, TextIndex, spoken_text,
};
use crate::session::{self, Scope};
use crate::tool::ToolOutcome;
use crate::transcript::{Entry, EntryId, Transcript};

/// Notes that a search gives.
const MAX_NOTES: usize = 3;
/// Other sessions that are searched, the newest ones,
const MAX_SESSIONS: usize = 20;
/// their size at most, in bytes,
const MAX_SESSION_BYTES: u64 = 16 * 1024 * 1024;
/// and the places in each of them.
const MAX_HITS_EACH: usize = 2;

/// Notes and other sessions, as a call finds them.
#[derive(Clone, Debug, Default)]
pub(super) struct RecallElsewhere {
    /// Notes that the system prompt does not hold, each by itself.
    pub notes: Vec<String>,
    /// Where they are kept.
    pub notes_place: String,
    /// The logs of sub-agents, newest first, with the names that addresses have.
    pub agents: Vec<(String, PathBuf)>,
    /// Other sessions; `None` where the settings keep them apart.
    pub sessions: Option<OtherSessions>,
}

/// The other sessions of a project.
#[derive(Clone, Debug)]
pub(super) struct OtherSessions {
    /// Where sessions are.
    pub folder: PathBuf,
    /// The project's directory.
    pub cwd: PathBuf,
    /// The open session, which is none of them.
    pub open: Option<PathBuf>,
}

/// The share of a query's words that notes have to have.
const LEAST_KNOWN_SHARE: f64 = 0.5;

impl RecallElsewhere {
    /// The notes that a query finds, as they are given to a model; empty when it finds none.
    pub(super) fn notes_for(&self, query: &str) -> String {
        let mut index = TextIndex::default();
        for (number, note) in self.notes.iter().enumerate() {
            index.add(number as u32, note);
        }
        // Where most of the words are in no note, a note with the rest is about something else.
        if index.known_share(query) < LEAST_KNOWN_SHARE {
            return String::new();
        }
        let read = |number: u32| self.notes.get(number as usize).cloned().unwrap_or_default();
        let hits = index.search(&index.weigh(query), MAX_NOTES, &|_| true, &read);
        let complete = hits.iter().filter(|hit| hit.has_all);
        let texts = complete.map(|hit| {
            let place = &self.notes_place;
            format!("\n\nnote · {place}\n{}", read(hit.text))
        });
        texts.collect::<Vec<_>>().concat()
    }
}

impl OtherSessions {
    /// The newest of them, with the id that a model names each by.
    fn files(&self) -> Vec<(String, PathBuf)> {
        let listed = session::list(&self.folder, Scope::Cwd(&self.cwd)).unwrap_or_default();
        let others = listed
            .into_iter()
            .filter(|it| self.open.as_ref() != Some(&it.path) && it.bytes <= MAX_SESSION_BYTES);
        let newest = others.take(MAX_SESSIONS);
        newest.map(|it| (it.header.id, it.path)).collect()
    }
}

/// The places of a query in logs, as they are given to a model; empty when there are none.
fn places(files: &[(String, PathBuf)], query: &str, wanted: usize) -> String {
    let mut out = String::new();
    let mut given = 0;
    for (id, path) in files.iter().take(MAX_SESSIONS) {
        let Some(transcript) = loaded(path) else {
            continue;
        };
        let mut index = RecallIndex::default();
        index.sync(&transcript);
        if index.lacks_word(query) {
            continue;
        }
        let scope = RecallScope::of(&transcript, None);
        let own = own_entries(&transcript);
        let admits = |entry: &Entry| scope.is_open(&entry.id) && own.contains(&entry.id);
        let hits = index.search(&transcript, query, MAX_HITS_EACH, &admits);
        for hit in hits.iter().filter(|hit| hit.has_all) {
            if given == wanted {
                return out;
            }
            out.push_str(&hit_text(hit, &scope, Some(id)));
            given += 1;
        }
    }
    out
}

/// A log that is not too long to be read at once.
fn loaded(path: &Path) -> Option<Transcript> {
    let bytes = path.metadata().ok()?.len();
    let loaded = (bytes <= MAX_SESSION_BYTES).then(|| session::load_broken_off(path));
    Some(loaded?.ok()?.transcript)
}

/// What a log holds besides what a fork inherited.
fn own_entries(transcript: &Transcript) -> HashSet<EntryId> {
    let branch = transcript.branch();
    let inherited = inherited_entries(&branch);
    let own = branch.iter().skip(inherited);
    own.map(|entry| entry.id.clone()).collect()
}

impl RecallSnapshot {
    /// The places of a query in other sessions; empty when there are none, or none may be asked.
    pub(super) fn in_other_sessions(&self, query: &str, wanted: usize) -> String {
        let others = self.elsewhere.sessions.as_ref();
        others.map_or_else(String::new, |others| places(&others.files(), query, wanted))
    }

    /// The places of a query in the logs of sub-agents; empty when there are none.
    pub(super) fn in_agents(&self, query: &str, wanted: usize) -> String {
        places(&self.elsewhere.agents, query, wanted)
    }

    /// The text of an entry of a sub-agent, `agent1/r4`, or of another session, `ID/r41`; `Err` is the answer that it is not
    /// given.
    pub(super) fn foreign_text(
        &self,
        session: &str,
        address: &str,
    ) -> Result<(RecallAddress, String), ToolOutcome> {
        let refused = || {
            let text = format!(
                "There is no {session}/{address} among the sub-agents and the sessions here."
            );
            ToolOutcome::error(text)
        };
        let others = self.elsewhere.sessions.as_ref();
        let others = others.map(OtherSessions::files).unwrap_or_default();
        let mut files = self.elsewhere.agents.iter().chain(&others);
        let (_, path) = files.find(|(id, _)| id == session).ok_or_else(refused)?;
        let transcript = loaded(path).ok_or_else(refused)?;
        let address = RecallAddress::parse(address).ok_or_else(refused)?;
        let entry = address.entry(&transcript).ok_or_else(refused)?;
        let scope = RecallScope::of(&transcript, None);
        if let RecallAccess::Withheld(reason) = scope.access(&entry.id) {
            return Err(ToolOutcome::error(withheld_text(address, reason)));
        }
        let spoken = spoken_text(&entry).ok_or_else(refused)?;
        let mut index = RecallIndex::default();
        index.sync(&transcript);
        Ok((address, index.without_secrets(&spoken.text)))
    }
}
