//! Finds sessions. Reads only the beginning and the end of large files, so that a list
//! costs the same however long the sessions are: the name of a large session is known if
//! it was given near the start or the end of it.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use self::cache::ListCache;
use super::header::Header;
use super::paths;
use crate::disk::open;
use crate::transcript::{ImportRecord, Timestamp};

/// Files up to this many bytes are read as a whole.
const WHOLE_BYTES: u64 = 512 * 1024;
/// Of larger ones this much is read at either end, in bytes: room for the header, some
/// entries, and the last ones after a large tool result.
const WINDOW_BYTES: u64 = 128 * 1024;
/// Candidates that an error names.
const MAX_CANDIDATES: usize = 10;

impl SessionSummary {
    /// What a list calls the session: the name that it was given, else its short title, unless
    /// `has_titles` is false, else how it begins.
    pub fn label(&self, has_titles: bool) -> Option<&str> {
        let title = self.title.as_ref().filter(|_| has_titles);
        let label = self.name.as_ref().or(title).or(self.first_words.as_ref());
        label.map(String::as_str)
    }
}

/// The row of a session in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionSummary {
    /// Its file.
    pub path: PathBuf,
    /// Its first line.
    pub header: Header,
    /// The newest name it was given.
    pub name: Option<String>,
    /// How the first user message begins, on one line.
    pub first_words: Option<String>,
    /// A short title, taken from the first user message.
    pub title: Option<String>,
    /// Where it was imported from.
    pub origin: Option<Box<ImportRecord>>,
    /// When the last entry was written.
    pub updated: Timestamp,
    /// Number of entries; an estimate unless `is_exact`.
    pub entries: u64,
    /// Whether `entries` was counted.
    pub is_exact: bool,
    /// Size of the file in bytes.
    pub bytes: u64,
}

/// Which sessions to list.
#[derive(Clone, Copy, Debug)]
pub enum Scope<'a> {
    /// Those of one working directory.
    Cwd(&'a Path),
    /// All.
    All,
}

/// Which session is meant.
#[derive(Clone, Copy, Debug)]
pub enum SessionPick<'a> {
    /// The newest of the working directory.
    Newest,
    /// A path, an id or the beginning of an id.
    Named(&'a str),
}

/// No session, or more than one, is meant.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// The sessions folder could not be read.
    #[error("could not list the sessions: {0}")]
    Io(#[from] io::Error),
    /// This directory has no session.
    #[error("no sessions of {0} yet")]
    NoneHere(PathBuf),
    /// Nothing is called that.
    #[error("no session {name}{}", candidates_text(.candidates))]
    NoMatch {
        /// The requested name.
        name: String,
        /// Ids of the newest sessions.
        candidates: Vec<String>,
    },
    /// Several ids begin like that.
    #[error("{name} is ambiguous: several ids begin with it{}", candidates_text(.candidates))]
    Ambiguous {
        /// The requested name.
        name: String,
        /// Their ids, newest first.
        candidates: Vec<String>,
    },
}

fn candidates_text(candidates: &[String]) -> String {
    if candidates.is_empty() {
        return String::new();
    }
    format!("; sessions: {}", candidates.join(", "))
}

/// The sessions below the sessions folder, last updated first. Files that are no sessions
/// are passed over; a folder that does not exist holds none. A file that has not changed since
/// it was read for a list is not read again.
pub fn list(sessions: &Path, scope: Scope<'_>) -> io::Result<Vec<SessionSummary>> {
    let folders = match scope {
        Scope::Cwd(cwd) => vec![sessions.join(paths::encode_cwd(cwd))],
        Scope::All => entries_of(sessions)?,
    };
    let mut cache = ListCache::of(sessions);
    let mut found = Vec::new();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        for path in entries_of(folder)? {
            if path
                .extension()
                .is_none_or(|extension| extension != "jsonl")
            {
                continue;
            }
            // A session that vanishes or cannot be read must not hide the others.
            if let Ok(row) = cache.row(&path)
                && let Some(summary) = row.summary(&path)
                && scope.holds(&summary)
            {
                found.push(summary);
            }
        }
    }
    cache.keep(matches!(scope, Scope::All));
    found.sort_by(|a, b| b.updated.cmp(&a.updated).then_with(|| b.path.cmp(&a.path)));
    Ok(found)
}

/// The session files below the sessions folder, judged by their names.
pub fn files(sessions: &Path) -> Vec<PathBuf> {
    let folders = entries_of(sessions).unwrap_or_default().into_iter();
    let folders = folders.filter(|folder| folder.is_dir());
    let files = folders.flat_map(|folder| entries_of(&folder).unwrap_or_default());
    let is_session = |path: &PathBuf| path.extension().is_some_and(|it| it == "jsonl");
    files.filter(is_session).collect()
}

/// The file of the session that is meant. `cwd` is the directory whose newest counts.
pub fn resolve(
    sessions: &Path,
    cwd: &Path,
    which: SessionPick<'_>,
) -> Result<PathBuf, ResolveError> {
    let name = match which {
        SessionPick::Newest => {
            return list(sessions, Scope::Cwd(cwd))?
                .into_iter()
                .next()
                .map(|summary| summary.path)
                .ok_or_else(|| ResolveError::NoneHere(cwd.to_owned()));
        }
        SessionPick::Named(name) => name,
    };
    let path = cwd.join(name);
    if path.is_file() {
        return Ok(path);
    }
    let all = list(sessions, Scope::All)?;
    if let Some(exact) = all.iter().find(|summary| summary.header.id == name) {
        return Ok(exact.path.clone());
    }
    let matching: Vec<&SessionSummary> = all
        .iter()
        .filter(|summary| !name.is_empty() && summary.header.id.starts_with(name))
        .collect();
    match matching.as_slice() {
        [only] => Ok(only.path.clone()),
        [] => Err(ResolveError::NoMatch {
            name: name.to_owned(),
            candidates: ids(all.iter()),
        }),
        several => Err(ResolveError::Ambiguous {
            name: name.to_owned(),
            candidates: ids(several.iter().copied()),
        }),
    }
}

fn ids<'a>(summaries: impl Iterator<Item = &'a SessionSummary>) -> Vec<String> {
    summaries
        .take(MAX_CANDIDATES)
        .map(|summary| summary.header.id.clone())
        .collect()
}

impl Scope<'_> {
    /// Two directories may share a folder: the header decides.
    fn holds(self, summary: &SessionSummary) -> bool {
        match self {
            Self::Cwd(cwd) => Path::new(&summary.header.cwd) == cwd,
            Self::All => true,
        }
    }
}

fn entries_of(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    entries.map(|entry| Ok(entry?.path())).collect()
}

/// The lines of a file that were read.
pub(super) struct LineSample {
    pub head: Vec<u8>,
    /// Empty when `head` is the whole file.
    pub tail: Vec<u8>,
    pub bytes: u64,
}

pub(super) fn sample(path: &Path) -> io::Result<LineSample> {
    let mut file = open::following(path)?;
    let bytes = file.metadata()?.len();
    let mut head = Vec::new();
    let mut tail = Vec::new();
    if bytes <= WHOLE_BYTES {
        file.read_to_end(&mut head)?;
    } else {
        (&file).take(WINDOW_BYTES).read_to_end(&mut head)?;
        file.seek(SeekFrom::Start(bytes - WINDOW_BYTES))?;
        file.take(WINDOW_BYTES).read_to_end(&mut tail)?;
    }
    Ok(LineSample { head, tail, bytes })
}

/// The lines of a window that are text, without blank ones.
pub(super) fn lines(window: &[u8]) -> impl DoubleEndedIterator<Item = &str> {
    window
        .split(|byte| *byte == b'\n')
        .filter_map(|line| std::str::from_utf8(line).ok())
        .filter(|line| !line.trim().is_empty())
}

mod cache;
pub(super) mod lineage;
pub(super) mod peek;
mod row;
#[cfg(test)]
mod tests;
