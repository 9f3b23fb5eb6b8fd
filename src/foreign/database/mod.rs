//! `SQLite` stores of other programs, opened so that nothing beside them changes: a copy of the
//! database and of its log is read, which has the newest rows. Only tables that a reader names
//! are read; others may hold what is secret.

pub(super) mod crush;
pub(super) mod goose;
pub(super) mod opencode;

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use tempfile::TempDir;

use crate::disk::open;
use crate::foreign::conversation::ForeignSession;
use crate::foreign::parts;
use crate::foreign::place::{ForeignListing, SessionPlace};
use crate::foreign::program::ForeignProgram;
use crate::foreign::source::SourceError;

/// Larger databases are not copied.
const MAX_COPY_BYTES: u64 = 512 * 1024 * 1024;
/// Times that a database may change while it is copied.
const COPY_TRIES: usize = 3;
/// Longest wait for another program.
const BUSY: Duration = Duration::from_millis(250);

/// Sub-agents below each other that are read.
const MAX_CHILD_DEPTH: usize = 4;

/// What is read of a session's row in a list.
const LISTED: [&str; 11] = [
    "id",
    "title",
    "name",
    "directory",
    "working_dir",
    "time_updated",
    "updated_at",
    "parent_id",
    "parent_session_id",
    "session_type",
    "message_count",
];

/// A database that is only read.
pub(super) struct ForeignDatabase {
    connection: Connection,
    /// The columns of each table.
    tables: HashMap<String, Vec<String>>,
    path: std::path::PathBuf,
    /// Holds the copy as long as it is read.
    _copy: Option<TempDir>,
}

/// A row by the names of its columns; a column that the table lacks is empty.
#[derive(Debug, Default)]
pub(super) struct DatabaseRow {
    values: HashMap<&'static str, Value>,
}

impl DatabaseRow {
    pub(super) fn text(&self, column: &str) -> &str {
        self.values
            .get(column)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// The text of a column; `None` when it is empty.
    pub(super) fn some_text(&self, column: &str) -> Option<String> {
        Some(self.text(column).to_owned()).filter(|it| !it.is_empty())
    }

    pub(super) fn number(&self, column: &str) -> i64 {
        let value = self.values.get(column);
        let float = || value.and_then(Value::as_f64).map(|it| it as i64);
        value
            .and_then(Value::as_i64)
            .or_else(float)
            .unwrap_or_default()
    }

    /// The JSON that a column holds as text.
    pub(super) fn json(&self, column: &str) -> Result<Value, String> {
        let text = self.text(column);
        serde_json::from_str(text).map_err(|error| format!("{column} is not understood: {error}"))
    }
}

impl ForeignDatabase {
    /// Opens a database. A missing one stays missing.
    pub(super) fn open(path: &Path) -> Result<Self, SourceError> {
        let length = open::following(path).and_then(|it| it.metadata());
        let length = length.map_err(SourceError::io(path))?.len();
        let beside = |ending: &str| {
            let mut name = path.as_os_str().to_owned();
            name.push(ending);
            std::path::PathBuf::from(name)
        };
        if length > MAX_COPY_BYTES {
            let (wal, shm) = (beside("-wal").exists(), beside("-shm").exists());
            if shm || !wal {
                // With a log the program's own index of it is there; without one nothing is lacking.
                let mode = if shm { "mode=ro" } else { "immutable=1" };
                return Self::connect(path, path, mode, None);
            }
        }
        let folder = TempDir::new().map_err(SourceError::io(path))?;
        let copy = folder.path().join("store.db");
        copy_unchanged(path, &beside("-wal"), &copy).map_err(SourceError::io(path))?;
        Self::connect(path, &copy, "mode=ro", Some(folder))
    }

    /// Opens a database for a look at its tables, as it was when its log was last taken over.
    fn peek(path: &Path) -> Result<Self, SourceError> {
        Self::connect(path, path, "immutable=1", None)
    }

    fn connect(
        path: &Path,
        file: &Path,
        mode: &str,
        copy: Option<TempDir>,
    ) -> Result<Self, SourceError> {
        let failed = |source| SourceError::Database {
            path: path.to_owned(),
            source,
        };
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
            | OpenFlags::SQLITE_OPEN_URI
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let uri = format!("file:{}?{mode}", escaped(file));
        let connection = Connection::open_with_flags(uri, flags).map_err(failed)?;
        let prepare = || -> rusqlite::Result<HashMap<String, Vec<String>>> {
            connection.busy_timeout(BUSY)?;
            connection.execute_batch("PRAGMA query_only = 1; PRAGMA trusted_schema = 0; BEGIN;")?;
            let list = "SELECT name FROM sqlite_master WHERE type = 'table'";
            let mut statement = connection.prepare(list)?;
            let names = statement.query_map([], |row| row.get::<_, String>(0))?;
            let names: Vec<String> = names.flatten().collect();
            let mut tables = HashMap::new();
            let mut columns = connection.prepare("SELECT name FROM pragma_table_info(?1)")?;
            for name in names {
                let found = columns.query_map([&name], |row| row.get::<_, String>(0))?;
                tables.insert(name.clone(), found.flatten().collect());
            }
            Ok(tables)
        };
        let tables = prepare().map_err(failed)?;
        Ok(Self {
            tables,
            connection,
            path: path.to_owned(),
            _copy: copy,
        })
    }

    pub(super) fn has(&self, table: &str, column: &str) -> bool {
        let columns = self.tables.get(table);
        columns.is_some_and(|columns| columns.iter().any(|it| it == column))
    }

    /// The row of a session.
    pub(super) fn session_row(
        &self,
        table: &str,
        columns: &[&'static str],
        session: &str,
    ) -> Result<Option<DatabaseRow>, SourceError> {
        let rows = self.rows(table, columns, Some(("id", session)), "rowid")?;
        Ok(rows.into_iter().next())
    }

    /// That a session is not there.
    pub(super) fn no_session(&self, session: &str) -> SourceError {
        SourceError::NoSession {
            path: self.path.clone(),
            session: session.to_owned(),
        }
    }

    /// The other sessions of a table that name this one in the column of their parent.
    pub(super) fn children_of(
        &self,
        table: &str,
        parent: &str,
        session: &str,
    ) -> Result<Vec<String>, SourceError> {
        let rows = self.rows(table, &["id"], Some((parent, session)), "rowid")?;
        let ids = rows.iter().map(|row| row.text("id").to_owned());
        Ok(ids.filter(|id| id != session).collect())
    }

    /// Rows of a table; `filter` is a column and the text that it holds. Names are this
    /// program's own; those that the table lacks are empty, and no text is found in them.
    pub(super) fn rows(
        &self,
        table: &str,
        columns: &[&'static str],
        filter: Option<(&str, &str)>,
        order: &str,
    ) -> Result<Vec<DatabaseRow>, SourceError> {
        let held: Vec<&'static str> = columns
            .iter()
            .copied()
            .filter(|column| self.has(table, column))
            .collect();
        let is_open = filter.is_none_or(|(column, _)| self.has(table, column));
        if held.is_empty() || !is_open {
            return Ok(Vec::new());
        }
        let list: Vec<String> = held.iter().map(|it| format!("\"{it}\"")).collect();
        let condition = filter.map_or(String::new(), |(column, _)| {
            format!("WHERE \"{column}\" = ?1")
        });
        let query = format!(
            "SELECT {} FROM \"{table}\" {condition} ORDER BY {order}",
            list.join(", ")
        );
        let read = || -> rusqlite::Result<Vec<DatabaseRow>> {
            let mut statement = self.connection.prepare(&query)?;
            let parameters: Vec<&str> = filter.iter().map(|(_, value)| *value).collect();
            let mut found = statement.query(rusqlite::params_from_iter(parameters))?;
            let mut rows = Vec::new();
            while let Some(row) = found.next()? {
                let mut values = HashMap::new();
                for (at, column) in held.iter().enumerate() {
                    values.insert(*column, value_of(row.get_ref(at)?));
                }
                rows.push(DatabaseRow { values });
            }
            Ok(rows)
        };
        read().map_err(|source| SourceError::Database {
            path: self.path.clone(),
            source,
        })
    }
}

fn value_of(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::from(number),
        ValueRef::Real(number) => Value::from(number),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            Value::from(String::from_utf8_lossy(bytes).into_owned())
        }
    }
}

/// A path as a URI has it.
fn escaped(path: &Path) -> String {
    use std::fmt::Write as _;
    use std::os::unix::ffi::OsStrExt;
    let mut out = String::new();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                out.push(char::from(*byte));
            }
            other => {
                let _ = write!(out, "%{other:02X}");
            }
        }
    }
    out
}

/// Copies a database and its log as they are at one moment.
fn copy_unchanged(path: &Path, log: &Path, copy: &Path) -> std::io::Result<()> {
    let state = |path: &Path| {
        let metadata = path.metadata().ok();
        metadata.map(|it| (it.len(), it.modified().unwrap_or(UNIX_EPOCH)))
    };
    let mut log_copy = copy.as_os_str().to_owned();
    log_copy.push("-wal");
    for _ in 0..COPY_TRIES {
        let before = (state(path), state(log));
        std::io::copy(
            &mut open::following(path)?,
            &mut std::fs::File::create(copy)?,
        )?;
        if before.1.is_some() {
            let mut to = std::fs::File::create(&log_copy)?;
            std::io::copy(&mut open::following(log)?, &mut to)?;
        }
        if before == (state(path), state(log)) {
            return Ok(());
        }
    }
    Err(std::io::Error::other(
        "it changes all the time; try again when the other program rests",
    ))
}

/// The program whose tables a database has.
pub(super) fn recognise(path: &Path) -> Result<Option<ForeignProgram>, SourceError> {
    let peeked = ForeignDatabase::peek(path)
        .ok()
        .and_then(|it| program_of(&it));
    match peeked {
        Some(program) => Ok(Some(program)),
        None => Ok(program_of(&ForeignDatabase::open(path)?)),
    }
}

fn program_of(database: &ForeignDatabase) -> Option<ForeignProgram> {
    let has = |table: &str, column: &str| database.has(table, column);
    if has("session_message", "seq") || has("part", "message_id") {
        Some(ForeignProgram::OpenCode)
    } else if has("messages", "content_json") {
        Some(ForeignProgram::Goose)
    } else if has("messages", "parts") {
        Some(ForeignProgram::Crush)
    } else {
        None
    }
}

/// The sessions of a database, sub-agents left out, as its own tables list them.
pub(super) fn listings(
    program: ForeignProgram,
    path: &Path,
) -> Result<Vec<ForeignListing>, SourceError> {
    let database = ForeignDatabase::open(path)?;
    let tables: &[&str] = match program {
        ForeignProgram::OpenCode => &["session_v2", "session"],
        _ => &["sessions"],
    };
    let mut found: Vec<ForeignListing> = Vec::new();
    for table in tables {
        for row in database.rows(table, &LISTED, None, "rowid")? {
            let id = row.text("id").to_owned();
            if id.is_empty() || is_child(&row) || found.iter().any(|it| it.session == id) {
                continue;
            }
            found.push(listing(program, path, &row));
        }
    }
    Ok(found)
}

/// Whether a row is a sub-agent's, or no conversation.
fn is_child(row: &DatabaseRow) -> bool {
    !row.text("parent_id").is_empty()
        || !row.text("parent_session_id").is_empty()
        || row.text("session_type") == "sub_agent"
        || row.text("id").starts_with("title-")
}

fn listing(program: ForeignProgram, path: &Path, row: &DatabaseRow) -> ForeignListing {
    let either = |a: &str, b: &str| match row.text(a) {
        "" => row.text(b).to_owned(),
        text => text.to_owned(),
    };
    let updated = match row.number("time_updated").max(row.number("updated_at")) {
        0 => parts::written_time(row.text("updated_at")),
        number => parts::time_of_number(number),
    };
    // Empty where the tables do not say it.
    let cwd = either("directory", "working_dir");
    let messages = u64::try_from(row.number("message_count")).ok();
    let session = row.text("id").to_owned();
    ForeignListing {
        program,
        place: SessionPlace {
            path: path.to_owned(),
            session: Some(session.clone()),
        },
        session,
        title: Some(either("title", "name")).filter(|it| !it.is_empty()),
        cwd,
        first_words: None,
        updated,
        messages: messages.filter(|it| *it > 0),
    }
}

/// Reads a session, the newest when none is named, and its sub-agents, with the reader of one
/// session: of what, which, and how many levels of them are read.
pub(super) fn read_with(
    program: ForeignProgram,
    path: &Path,
    which: Option<&str>,
    read_session: impl Fn(&ForeignDatabase, &str, usize) -> Result<ForeignSession, SourceError>,
) -> Result<ForeignSession, SourceError> {
    let session = pick(program, path, which)?;
    let database = ForeignDatabase::open(path)?;
    read_session(&database, &session, MAX_CHILD_DEPTH)
}

/// Reads sessions without their sub-agents, one after the other.
pub(super) fn read_each_with(
    path: &Path,
    sessions: &[String],
    read_session: impl Fn(&ForeignDatabase, &str, usize) -> Result<ForeignSession, SourceError>,
    visit: &mut dyn FnMut(Result<ForeignSession, SourceError>),
) {
    match ForeignDatabase::open(path) {
        Ok(database) => {
            for session in sessions {
                visit(read_session(&database, session, 0));
            }
        }
        Err(error) => visit(Err(error)),
    }
}

/// The session that is meant: the named one, else the newest.
fn pick(program: ForeignProgram, path: &Path, which: Option<&str>) -> Result<String, SourceError> {
    if let Some(session) = which {
        return Ok(session.to_owned());
    }
    let all = listings(program, path)?;
    let newest = all
        .into_iter()
        .max_by_key(|it| it.updated)
        .map(|it| it.session);
    newest.ok_or_else(|| SourceError::NotUnderstood {
        path: path.to_owned(),
        program,
        reason: "its tables list no session".to_owned(),
    })
}
