//! The files that hold sessions, by their names and times only: a list of thousands costs
//! milliseconds.

use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use super::store::FileStamp;
use crate::foreign::{self, ForeignProgram, SessionStore};
use crate::session;

/// Where sessions are searched for.
#[derive(Clone, Debug)]
pub struct SearchPlaces {
    /// The folder of our own.
    pub sessions: PathBuf,
    /// The stores of other programs.
    pub stores: Vec<SessionStore>,
}

/// A file with sessions.
#[derive(Clone, Debug)]
pub(super) struct SourceFile {
    pub path: PathBuf,
    /// The program that wrote it; `None` for one of ours.
    pub program: Option<ForeignProgram>,
    pub stamp: FileStamp,
}

impl SearchPlaces {
    /// Our own sessions, and those of the programs that are found. `variable` reads the
    /// environment.
    pub fn of(sessions: PathBuf, variable: &dyn Fn(&str) -> Option<String>, cwd: &Path) -> Self {
        Self {
            sessions,
            stores: foreign::stores(variable, cwd),
        }
    }

    /// The files there are, least recently changed first.
    pub(super) fn files(&self) -> Vec<SourceFile> {
        let own = session::files(&self.sessions);
        let own = own.into_iter().map(|path| (path, None));
        let foreign = self.stores.iter().flat_map(|store| {
            let files = foreign::files_of(store).into_iter();
            files.map(|path| (path, Some(store.program)))
        });
        let mut files: Vec<SourceFile> = own
            .chain(foreign)
            .filter_map(|(path, program)| {
                let stamp = stamp_of(&path)?;
                Some(SourceFile {
                    path,
                    program,
                    stamp,
                })
            })
            .collect();
        files.sort_by(|a, b| {
            let by_time = a.stamp.changed.cmp(&b.stamp.changed);
            by_time.then_with(|| a.path.cmp(&b.path))
        });
        files
    }
}

/// Size and time of a file, and of a database's log beside it.
fn stamp_of(path: &Path) -> Option<FileStamp> {
    let metadata = path.metadata().ok()?;
    let mut stamp = FileStamp {
        bytes: length(&metadata),
        changed: changed_ms(&metadata),
    };
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let is_database = path.extension().is_some_and(|it| it == "db");
    if is_database && let Ok(metadata) = Path::new(&log).metadata() {
        stamp.bytes = stamp.bytes.saturating_add(length(&metadata));
        stamp.changed = stamp.changed.max(changed_ms(&metadata));
    }
    Some(stamp)
}

fn length(metadata: &Metadata) -> i64 {
    i64::try_from(metadata.len()).unwrap_or(i64::MAX)
}

fn changed_ms(metadata: &Metadata) -> i64 {
    let changed = metadata.modified().ok();
    let since = changed.and_then(|it| it.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |it| i64::try_from(it.as_millis()).unwrap_or(i64::MAX))
}
