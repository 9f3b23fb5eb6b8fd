//! The sub-agents of a session that is exported: those of a session of ours lie in the folder
//! beside it, those of an import are sessions of their own, those of another program are read
//! with their parent.

use std::path::{Path, PathBuf};

use plimsoll::export::SubAgent;
use plimsoll::foreign::{self, ForeignSession, SessionPlace};
use plimsoll::session::{self, Scope};
use plimsoll::transcript::{EntryBody, ImportRecord, Transcript};

use crate::commands::output::say;

/// The sub-agents of a session; `sessions` is the folder of our own ones. One that cannot be
/// read is said on stderr.
pub fn sub_agents(path: &Path, transcript: &Transcript, sessions: &Path) -> Vec<SubAgent> {
    let place = SessionPlace::of(path);
    if let Ok(Some(program)) = foreign::program_of(&place.path) {
        let read = foreign::read(&place, Some(program));
        let mut agents = Vec::new();
        if let Ok(read) = &read {
            take_children(read, &mut agents);
        }
        return agents;
    }
    let folder = session::outputs_folder(path).join("agents");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|it| it == "jsonl"));
    files.extend(imported(path, transcript, sessions));
    files.sort();
    files.iter().filter_map(|path| load(path)).collect()
}

fn take_children(session: &ForeignSession, agents: &mut Vec<SubAgent>) {
    for child in &session.children {
        match child.transcript() {
            Ok(transcript) => agents.push(SubAgent {
                header: session::Header::new(
                    child.origin.session.clone(),
                    child.started,
                    child.cwd.clone(),
                ),
                transcript,
            }),
            Err(error) => say(&format!("a sub-agent is left out: {error}"), None),
        }
        take_children(child, agents);
    }
}

fn load(path: &Path) -> Option<SubAgent> {
    match session::load(path) {
        Ok(loaded) => Some(SubAgent {
            header: loaded.header,
            transcript: loaded.transcript,
        }),
        Err(error) => {
            say(&format!("a sub-agent is left out: {error}"), None);
            None
        }
    }
}

/// The imports of the sub-agents of an import. A fork of it has the same origin as itself.
fn imported(path: &Path, transcript: &Transcript, sessions: &Path) -> Vec<PathBuf> {
    let origin_of = |transcript: &Transcript| {
        let entries = transcript.entries().iter();
        let mut origins = entries.filter_map(|entry| match &entry.body {
            EntryBody::Import(record) => Some(record.clone()),
            _ => None,
        });
        origins.next()
    };
    let Some(own) = origin_of(transcript) else {
        return Vec::new();
    };
    let is_child_of =
        |record: &ImportRecord| record.program == own.program && record.session != own.session;
    let all = session::list(sessions, Scope::All).unwrap_or_default();
    let children = all.into_iter().filter(|it| {
        let parent = it.header.parent_session.as_deref();
        parent.is_some_and(|it| Path::new(it) == path)
            && it.origin.as_deref().is_some_and(is_child_of)
    });
    children.map(|it| it.path).collect()
}
