//! The file of the index. Everything in it can be made again from the sessions.

use std::collections::HashMap;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior, params};

use super::document::Document;
use super::sources::SourceFile;
use super::{facts, words};
use crate::disk::private;

/// The version of the tables; an index of another one is made again.
const VERSION: i64 = 2;
/// Longest wait for another process that writes the index.
const BUSY: Duration = Duration::from_secs(2);
/// Shorter texts are kept as they are.
const MIN_PACKED_BYTES: usize = 256;
/// A text of the index unpacks to no more.
const MAX_TEXT_BYTES: u64 = 1024 * 1024;

const SCHEMA: &str = "
CREATE TABLE files (
    path TEXT PRIMARY KEY, bytes INTEGER NOT NULL, changed INTEGER NOT NULL, remark TEXT
) WITHOUT ROWID;
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY, file TEXT NOT NULL, program TEXT NOT NULL, session TEXT NOT NULL,
    place TEXT NOT NULL, cwd TEXT NOT NULL, title TEXT NOT NULL, updated INTEGER NOT NULL,
    newest INTEGER NOT NULL, origin TEXT, first_row INTEGER NOT NULL, last_row INTEGER NOT NULL
);
CREATE INDEX sessions_file ON sessions (file);
CREATE INDEX sessions_origin ON sessions (origin);
CREATE TABLE entries (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL, entry TEXT NOT NULL, role INTEGER NOT NULL,
    tool TEXT NOT NULL, is_error INTEGER NOT NULL, at INTEGER NOT NULL, text BLOB NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5 (
    text, facts, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
);
";

/// The index could not be used.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The system says why.
    #[error("the search index {path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// `SQLite` says why.
    #[error("the search index {path}: {source}", path = path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// The error of `SQLite`.
        source: rusqlite::Error,
    },
    /// The text to search for has no word in it.
    #[error("{text:?} has no word to search for")]
    NoWord {
        /// The text.
        text: String,
    },
}

/// An open index.
pub struct SearchIndex {
    pub(super) connection: Connection,
    path: PathBuf,
}

/// A session as it is put into the index.
pub(super) struct IndexedSession {
    /// The program that wrote it; empty for one of ours.
    pub program: String,
    pub session: String,
    /// The path that opens it.
    pub place: PathBuf,
    pub cwd: String,
    pub title: String,
    pub updated: i64,
    /// The session that it is, or was imported from.
    pub origin: Option<String>,
    pub documents: Vec<Document>,
}

/// Size and time of a file when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileStamp {
    pub bytes: i64,
    pub changed: i64,
}

impl SearchIndex {
    /// Opens the index, or makes a new one where there is none that can be used.
    pub fn open(path: &Path) -> Result<Self, SearchError> {
        match Self::open_once(path) {
            Err(SearchError::Database { source, .. }) if is_damage(&source) => {
                Self::remove(path)?;
                Self::open_once(path)
            }
            opened => opened,
        }
    }

    fn open_once(path: &Path) -> Result<Self, SearchError> {
        let io = |source| SearchError::Io {
            path: path.to_owned(),
            source,
        };
        private::create_parent(path).map_err(io)?;
        match private::create_new(path) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(io(error)),
        }
        let prepare = || -> rusqlite::Result<Option<Connection>> {
            let connection = Connection::open(path)?;
            connection.busy_timeout(BUSY)?;
            connection.execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY;
                 PRAGMA cache_size = -32768; PRAGMA trusted_schema = 0;",
            )?;
            let version: i64 = connection.query_row("PRAGMA user_version", [], |row| row.get(0))?;
            let tables = "SELECT count(*) FROM sqlite_master";
            let tables: i64 = connection.query_row(tables, [], |row| row.get(0))?;
            if version == 0 && tables == 0 {
                let script = format!("BEGIN;{SCHEMA}PRAGMA user_version = {VERSION};COMMIT;");
                connection.execute_batch(&script)?;
            } else if version != VERSION {
                return Ok(None);
            }
            // A table that cannot be read is seen here, not in the middle of a search.
            connection.query_row("SELECT count(*) FROM files", [], |row| row.get::<_, i64>(0))?;
            Ok(Some(connection))
        };
        let opened = prepare().map_err(|source| SearchError::Database {
            path: path.to_owned(),
            source,
        })?;
        let Some(connection) = opened else {
            Self::remove(path)?;
            return Self::open_once(path);
        };
        Ok(Self {
            connection,
            path: path.to_owned(),
        })
    }

    /// Deletes the files of an index.
    fn remove(path: &Path) -> Result<(), SearchError> {
        for ending in ["", "-wal", "-shm"] {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            let file = PathBuf::from(name);
            match std::fs::remove_file(&file) {
                Err(source) if source.kind() != io::ErrorKind::NotFound => {
                    return Err(SearchError::Io { path: file, source });
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn failed(&self, source: rusqlite::Error) -> SearchError {
        SearchError::Database {
            path: self.path.clone(),
            source,
        }
    }

    /// The sessions in it.
    pub fn session_count(&self) -> Result<u64, SearchError> {
        let count = "SELECT count(*) FROM sessions";
        let count = self
            .connection
            .query_row(count, [], |row| row.get::<_, i64>(0));
        let count = count.map_err(|source| self.failed(source))?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    /// The files that were read, with their stamps.
    pub(super) fn files(&self) -> Result<HashMap<PathBuf, FileStamp>, SearchError> {
        let read = || -> rusqlite::Result<HashMap<PathBuf, FileStamp>> {
            let all = "SELECT path, bytes, changed FROM files";
            let mut statement = self.connection.prepare(all)?;
            let rows = statement.query_map([], |row| {
                let path: String = row.get(0)?;
                let stamp = FileStamp {
                    bytes: row.get(1)?,
                    changed: row.get(2)?,
                };
                Ok((PathBuf::from(path), stamp))
            })?;
            rows.collect()
        };
        read().map_err(|source| self.failed(source))
    }

    /// The sessions of a file, with the times of their last change.
    pub(super) fn sessions_of(&self, file: &Path) -> Result<HashMap<String, i64>, SearchError> {
        let read = || -> rusqlite::Result<HashMap<String, i64>> {
            let of = "SELECT session, updated FROM sessions WHERE file = ?1";
            let mut statement = self.connection.prepare(of)?;
            let rows = statement.query_map([file.to_string_lossy()], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })?;
            rows.collect()
        };
        read().map_err(|source| self.failed(source))
    }

    /// Begins a change. `None`: another process changes the index.
    pub(super) fn begin(&mut self) -> Result<Option<IndexChange<'_>>, SearchError> {
        let path = self.path.clone();
        let begun =
            Transaction::new(&mut self.connection, TransactionBehavior::Immediate).map(Some);
        let begun = match begun {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(None),
            other => other,
        };
        let begun = begun.map_err(|source| SearchError::Database { path, source })?;
        Ok(begun.map(|transaction| IndexChange { transaction }))
    }
}

/// Whether the file itself is at fault.
fn is_damage(error: &rusqlite::Error) -> bool {
    use rusqlite::Error::SqliteFailure;
    match error {
        SqliteFailure(failure, _) => matches!(
            failure.code,
            ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt | ErrorCode::Unknown
        ),
        _ => false,
    }
}

/// A change of the index; all of it, or nothing.
pub(super) struct IndexChange<'a> {
    transaction: Transaction<'a>,
}

impl IndexChange<'_> {
    /// Takes out a file with all of its sessions.
    pub(super) fn remove_file(&self, file: &Path) -> rusqlite::Result<()> {
        self.remove_sessions(file, |_| true)?;
        let delete = "DELETE FROM files WHERE path = ?1";
        self.transaction.execute(delete, [file.to_string_lossy()])?;
        Ok(())
    }

    /// Takes out the sessions of a file that `is_gone` names.
    pub(super) fn remove_sessions(
        &self,
        file: &Path,
        is_gone: impl Fn(&str) -> bool,
    ) -> rusqlite::Result<()> {
        let of = "SELECT id, session, first_row, last_row FROM sessions WHERE file = ?1";
        let mut statement = self.transaction.prepare(of)?;
        let rows = statement.query_map([file.to_string_lossy()], |row| {
            Ok((
                row.get::<_, i64>(0)?,
                row.get::<_, String>(1)?,
                [row.get::<_, i64>(2)?, row.get::<_, i64>(3)?],
            ))
        })?;
        let rows: Vec<_> = rows.collect::<rusqlite::Result<_>>()?;
        for (id, session, range) in rows {
            if !is_gone(&session) {
                continue;
            }
            for table in [
                "DELETE FROM words WHERE rowid BETWEEN ?1 AND ?2",
                "DELETE FROM entries WHERE id BETWEEN ?1 AND ?2",
            ] {
                self.transaction.prepare(table)?.execute(range)?;
            }
            self.transaction
                .execute("DELETE FROM sessions WHERE id = ?1", [id])?;
        }
        Ok(())
    }

    /// Notes that a file was read.
    pub(super) fn note_file(
        &self,
        file: &SourceFile,
        remark: Option<&str>,
    ) -> rusqlite::Result<()> {
        let insert = "INSERT OR REPLACE INTO files (path, bytes, changed, remark)
                      VALUES (?1, ?2, ?3, ?4)";
        self.transaction.prepare(insert)?.execute(params![
            file.path.to_string_lossy(),
            file.stamp.bytes,
            file.stamp.changed,
            remark
        ])?;
        Ok(())
    }

    /// Puts a session in.
    pub(super) fn add(&self, file: &Path, session: &IndexedSession) -> rusqlite::Result<()> {
        let next = "SELECT coalesce(max(id), 0) + 1 FROM entries";
        let first: i64 = self.transaction.query_row(next, [], |row| row.get(0))?;
        let said = session.documents.iter().map(|document| document.at.0);
        let newest = said.max().unwrap_or_default().max(session.updated);
        let insert = "INSERT INTO sessions (file, program, session, place, cwd, title, updated,
                      newest, origin, first_row, last_row)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
        self.transaction.prepare(insert)?.execute(params![
            file.to_string_lossy(),
            session.program,
            session.session,
            session.place.to_string_lossy(),
            session.cwd,
            session.title,
            session.updated,
            newest,
            session.origin,
            first,
            first + session.documents.len() as i64 - 1
        ])?;
        let id = self.transaction.last_insert_rowid();
        let insert = "INSERT INTO entries (id, session, entry, role, tool, is_error, at, text)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let mut entries = self.transaction.prepare(insert)?;
        let insert = "INSERT INTO words (rowid, text, facts) VALUES (?1, ?2, ?3)";
        let mut words = self.transaction.prepare(insert)?;
        for (row, document) in (first..).zip(&session.documents) {
            let facts = facts::words_of(session, document);
            words.execute(params![row, words::indexed(&document.text), facts])?;
            entries.execute(params![
                row,
                id,
                document.entry.as_str(),
                document.role.number(),
                document.tool,
                document.is_error,
                document.at.0,
                packed(&document.text)
            ])?;
        }
        Ok(())
    }

    pub(super) fn commit(self) -> rusqlite::Result<()> {
        self.transaction.commit()
    }
}

/// A text as it is kept: as it is after a 0, deflated after a 1.
fn packed(text: &str) -> Vec<u8> {
    if text.len() >= MIN_PACKED_BYTES {
        let mut encoder = DeflateEncoder::new(vec![1], Compression::fast());
        if encoder.write_all(text.as_bytes()).is_ok()
            && let Ok(packed) = encoder.finish()
        {
            return packed;
        }
    }
    let mut plain = Vec::with_capacity(text.len() + 1);
    plain.push(0);
    plain.extend_from_slice(text.as_bytes());
    plain
}

/// The text of an entry of the index.
pub(super) fn unpacked(kept: &[u8]) -> String {
    match kept.split_first() {
        Some((0, plain)) => String::from_utf8_lossy(plain).into_owned(),
        Some((_, packed)) => {
            let mut text = Vec::new();
            let decoder = DeflateDecoder::new(packed);
            let _ = decoder.take(MAX_TEXT_BYTES).read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        }
        None => String::new(),
    }
}
