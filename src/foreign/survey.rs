//! A look at a store of another program: what is there, how much of it is understood, and why
//! not. A store with sessions of which nothing is understood is never passed over as empty.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::conversation::ForeignSession;
use super::load::{read, read_each};
use super::place::{ForeignListing, SessionStore};
use super::source::SourceError;
use super::stores::{files_with_sessions, sessions_in};

/// Sessions of a store that are read, the newest ones.
const MAX_READ: usize = 20;
/// Larger files are not read for a look.
const MAX_READ_BYTES: u64 = 16 * 1024 * 1024;
/// From one unknown record in so many on a store is not understood.
const UNKNOWN_SHARE: u64 = 20;

/// What a look at a store found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreReport {
    /// The store.
    pub store: SessionStore,
    /// Sessions in it, without sub-agents.
    pub sessions: usize,
    /// Sessions that were read.
    pub read: usize,
    /// Messages in those.
    pub messages: u64,
    /// The generations of the format that were met.
    pub generations: BTreeSet<&'static str>,
    /// The newest version of the program that was met.
    pub version: Option<String>,
    /// Records of unknown types in them, by type.
    pub unknown: BTreeMap<String, u64>,
    /// Why it is not understood.
    pub fault: Option<String>,
}

/// Looks at a store.
pub fn survey(store: &SessionStore) -> StoreReport {
    let mut report = StoreReport {
        store: store.clone(),
        sessions: 0,
        read: 0,
        messages: 0,
        generations: BTreeSet::new(),
        version: None,
        unknown: BTreeMap::new(),
        fault: None,
    };
    let listings = match sessions_in(store) {
        Ok(listings) => listings,
        Err(error) => {
            report.fault = Some(error.to_string());
            return report;
        }
    };
    report.sessions = listings.len();
    let mut records = 0;
    let mut first_fault = None;
    read_newest(store, &listings, &mut |session| match session {
        Ok(session) => {
            records += session.origin.records;
            report.take(&session, &mut first_fault);
        }
        Err(error) => {
            first_fault.get_or_insert(error.to_string());
        }
    });
    report.judge(records, first_fault);
    report
}

fn read_newest(
    store: &SessionStore,
    listings: &[ForeignListing],
    visit: &mut dyn FnMut(Result<ForeignSession, SourceError>),
) {
    if store.root.is_file() {
        let newest = listings.iter().take(MAX_READ);
        let ids: Vec<String> = newest.map(|it| it.session.clone()).collect();
        read_each(store.program, &store.root, &ids, visit);
        return;
    }
    let is_small = |it: &&ForeignListing| {
        let metadata = it.place.path.metadata();
        metadata.is_ok_and(|it| it.len() <= MAX_READ_BYTES)
    };
    for listing in listings.iter().filter(is_small).take(MAX_READ) {
        visit(read(&listing.place, Some(store.program)));
    }
}

impl StoreReport {
    fn take(&mut self, session: &ForeignSession, first_fault: &mut Option<String>) {
        self.read += 1;
        let messages = session.entries.iter().filter(|it| it.message().is_some());
        let messages = messages.count() as u64;
        self.messages += messages;
        self.generations.insert(session.origin.generation);
        // The newest comes first.
        if self.version.is_none() {
            self.version.clone_from(&session.origin.version);
        }
        for (kind, count) in &session.unknown {
            *self.unknown.entry(kind.clone()).or_default() += count;
        }
        if messages == 0 {
            let reason = session.lost.first().map(|it| it.reason.clone());
            let reason = reason.unwrap_or_else(|| "it holds no message".to_owned());
            first_fault.get_or_insert(format!("{}: {reason}", session.origin.session));
        }
    }

    fn judge(&mut self, records: u64, first_fault: Option<String>) {
        let unknown: u64 = self.unknown.values().sum();
        let files = files_with_sessions(&self.store).len();
        let because = first_fault.map_or_else(String::new, |it| format!(", because {it}"));
        self.fault = if self.sessions == 0 && files > 0 && !self.store.root.is_file() {
            Some(format!(
                "{files} files, and none of them is understood as a session{because}"
            ))
        } else if self.sessions > 0 && self.messages == 0 && self.read + because.len() > 0 {
            let sessions = self.sessions;
            Some(format!(
                "{sessions} sessions, and nothing of them is understood{because}"
            ))
        } else if unknown * UNKNOWN_SHARE > records.max(1) {
            let commonest = self.unknown.iter().max_by_key(|(_, count)| **count);
            let kind = commonest.map_or("", |(kind, _)| kind.as_str());
            Some(format!(
                "{unknown} of {records} records are of unknown types, most of them {kind:?}"
            ))
        } else {
            None
        };
    }
}

/// Stores of programs that are known and cannot be read yet, with their folders.
pub fn unreadable_stores(
    variable: &dyn Fn(&str) -> Option<String>,
) -> Vec<(&'static str, PathBuf)> {
    let Some(home) = variable("HOME").filter(|it| !it.is_empty()) else {
        return Vec::new();
    };
    let known = [
        ("copilot-cli", ".copilot/session-state"),
        ("kimi-code", ".kimi-code/sessions"),
        ("antigravity", ".gemini/antigravity"),
        ("hermes", ".hermes/state.db"),
    ];
    let known = known.into_iter();
    let places = known.map(|(name, below)| (name, PathBuf::from(&home).join(below)));
    places.filter(|(_, path)| path.exists()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::foreign::program::ForeignProgram;

    fn store(lines: &[serde_json::Value]) -> (tempfile::TempDir, SessionStore) {
        let folder = tempfile::tempdir().unwrap();
        let text: String = lines.iter().map(|line| line.to_string() + "\n").collect();
        std::fs::write(folder.path().join("s.jsonl"), text).unwrap();
        let store = SessionStore {
            program: ForeignProgram::ClaudeCode,
            root: folder.path().to_owned(),
        };
        (folder, store)
    }

    fn line(uuid: &str, kind: &str) -> serde_json::Value {
        json!({ "type": kind, "uuid": uuid, "parentUuid": null, "sessionId": "s", "cwd": "/w",
            "version": "2.1.330", "timestamp": "2026-11-22T09:00:00.000Z",
            "message": { "role": "user", "content": "hello" } })
    }

    #[test]
    fn a_store_that_is_understood_has_no_fault() {
        let (_folder, store) = store(&[line("a", "user")]);
        let report = survey(&store);
        assert_eq!((report.sessions, report.read, report.messages), (1, 1, 1));
        assert_eq!(report.version.as_deref(), Some("2.1.330"));
        assert_eq!(report.fault, None);
    }

    #[test]
    fn a_store_that_is_not_understood_says_why() {
        let (_folder, new_kinds) = store(&[line("a", "turn"), line("b", "turn")]);
        let fault = survey(&new_kinds).fault.unwrap();
        assert!(fault.contains("nothing of them is understood"), "{fault}");
        assert!(fault.contains("turn"), "{fault}");
        let (_folder, half) = store(&[line("a", "user"), line("b", "turn")]);
        let fault = survey(&half).fault.unwrap();
        assert!(fault.contains("1 of 2 records"), "{fault}");
        let (folder, other) = store(&[]);
        std::fs::write(folder.path().join("s.jsonl"), "no JSON at all\n").unwrap();
        let fault = survey(&other).fault;
        assert!(fault.is_some(), "a file that is no session is not silence");
    }
}
