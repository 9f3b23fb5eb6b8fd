//! pi and OpenClaw: their sessions have the form of ours, and are opened where they lie. Here
//! they are read as those of any other program are, for lists, the search and `plim doctor`.

use std::collections::BTreeMap;
use std::path::Path;

use crate::foreign::conversation::{ForeignSession, ImportLoss, SourcePlace};
use crate::foreign::program::ForeignProgram;
use crate::foreign::source::{self, SourceError};
use crate::session;
use crate::transcript::EntryBody;

/// Reads a session. What cannot be read of it has its line.
pub(super) fn read(path: &Path, program: ForeignProgram) -> Result<ForeignSession, SourceError> {
    let bytes = path.metadata().map_err(SourceError::io(path))?.len();
    let loaded = session::load(path).map_err(|_| SourceError::Unrecognised {
        path: path.to_owned(),
    })?;
    let entries: Vec<_> = loaded.transcript.entries().iter().collect();
    let mut unknown: BTreeMap<String, u64> = BTreeMap::new();
    let mut title = None;
    for entry in &entries {
        match &entry.body {
            EntryBody::Unknown { kind } => *unknown.entry(kind.clone()).or_default() += 1,
            EntryBody::SessionInfo { name } => {
                title = Some(name.clone()).filter(|it| !it.is_empty());
            }
            _ => {}
        }
    }
    let generation = match loaded.header.version {
        1 => "tree-1",
        2 => "tree-2",
        _ => "tree-3",
    };
    let mut origin = source::origin(program, generation, path);
    origin.session.clone_from(&loaded.header.id);
    origin.bytes = bytes;
    origin.records = (entries.len() + loaded.problems.len()) as u64 + 1;
    let lost = loaded.problems.iter().map(|problem| ImportLoss {
        place: SourcePlace::Line(problem.line),
        reason: problem.what.clone(),
    });
    Ok(ForeignSession {
        origin,
        title,
        cwd: loaded.header.cwd,
        started: loaded.header.timestamp,
        lost: lost.collect(),
        entries: entries.into_iter().map(|it| (**it).clone()).collect(),
        unknown,
        children: Vec::new(),
        parent: loaded.header.parent_session,
    })
}
