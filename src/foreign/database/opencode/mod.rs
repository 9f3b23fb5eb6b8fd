//! opencode: `SQLite`, with two generations of tables in one file. A session is of the second
//! when that has messages of it; the tables of the first then are a frozen copy.

mod first;
mod frames;
mod second;

use std::path::Path;

use serde_json::Value;

use self::frames::Assembly;
use crate::foreign::conversation::{ForeignSession, SessionDraft};
use crate::foreign::database::{self, ForeignDatabase};
use crate::foreign::parts;
use crate::foreign::program::ForeignProgram;
use crate::foreign::source::{self, SourceError};

/// Bytes that tell a database from an export.
const SQLITE_HEAD: u64 = 16;
/// What is read of a session's row.
const SESSION_COLUMNS: [&str; 7] = [
    "id",
    "parent_id",
    "directory",
    "title",
    "version",
    "revert",
    "time_created",
];

/// Reads a session, the newest when none is named, and its sub-agents.
pub(in crate::foreign) fn read(
    path: &Path,
    which: Option<&str>,
) -> Result<ForeignSession, SourceError> {
    if !source::beginning(path, SQLITE_HEAD)?.starts_with(b"SQLite") {
        return read_export(path);
    }
    database::read_with(ForeignProgram::OpenCode, path, which, read_session)
}

/// Reads several sessions of a database.
pub(in crate::foreign) fn read_each(
    path: &Path,
    sessions: &[String],
    visit: &mut dyn FnMut(Result<ForeignSession, SourceError>),
) {
    let head = source::beginning(path, SQLITE_HEAD);
    if head.is_ok_and(|head| head.starts_with(b"SQLite")) {
        database::read_each_with(path, sessions, read_session, visit);
    } else {
        visit(read_export(path));
    }
}

/// Reads what `opencode export` printed.
fn read_export(path: &Path) -> Result<ForeignSession, SourceError> {
    let (bytes, sha256) = source::whole(path)?;
    let mut draft = SessionDraft::new(source::origin(ForeignProgram::OpenCode, "export", path));
    draft.origin.bytes = bytes.len() as u64;
    draft.origin.sha256 = sha256;
    let document = source::record::<Value>(&String::from_utf8_lossy(&bytes));
    let document = document.map_err(|reason| SourceError::NotUnderstood {
        path: path.to_owned(),
        program: ForeignProgram::OpenCode,
        reason,
    })?;
    let info = document.get("info").unwrap_or(&Value::Null);
    parts::text(info, "id").clone_into(&mut draft.origin.session);
    let created = info.get("time").and_then(|it| it.get("created"));
    let (cwd, version) = (parts::text(info, "directory"), parts::text(info, "version"));
    draft.note_facts(parts::time(created), Some(cwd), Some(version));
    draft.title = parts::some_text(info, "title");
    draft.parent = parts::some_text(info, "parentID");
    let revert = info
        .get("revert")
        .map_or("", |it| parts::text(it, "messageID"));
    let mut assembly = Assembly::new(&mut draft, revert);
    first::read_export(parts::list(&document, "messages"), &mut assembly);
    let leaf = assembly.finish();
    Ok(draft.finish(leaf, Vec::new()))
}

fn read_session(
    database: &ForeignDatabase,
    session: &str,
    depth: usize,
) -> Result<ForeignSession, SourceError> {
    let row = |table: &str| database.session_row(table, &SESSION_COLUMNS, session);
    let messages = second::messages(database, session)?;
    let is_second = messages
        .iter()
        .any(|it| matches!(it.text("type"), "user" | "assistant"));
    let (generation, other) = if is_second {
        ("session_v2", "session")
    } else {
        ("session", "session_v2")
    };
    let head = row(generation)?.or(row(other)?);
    let head = head.ok_or_else(|| database.no_session(session))?;
    let mut draft = SessionDraft::new(source::origin(
        ForeignProgram::OpenCode,
        generation,
        &database.path,
    ));
    session.clone_into(&mut draft.origin.session);
    let at = parts::time_of_number(head.number("time_created"));
    draft.note_facts(at, Some(head.text("directory")), Some(head.text("version")));
    draft.title = head.some_text("title");
    draft.parent = head.some_text("parent_id");
    let revert = head.json("revert").unwrap_or(Value::Null);
    let mut assembly = Assembly::new(&mut draft, parts::text(&revert, "messageID"));
    if is_second {
        second::read(&messages, &mut assembly);
    } else {
        first::read(database, session, &mut assembly)?;
    }
    let leaf = assembly.finish();
    let mut children = Vec::new();
    if depth > 1 {
        for id in children_of(database, session)? {
            children.push(read_session(database, &id, depth - 1)?);
        }
    }
    Ok(draft.finish(leaf, children))
}

fn children_of(database: &ForeignDatabase, session: &str) -> Result<Vec<String>, SourceError> {
    let mut found: Vec<String> = Vec::new();
    for table in ["session_v2", "session"] {
        for id in database.children_of(table, "parent_id", session)? {
            if !found.contains(&id) {
                found.push(id);
            }
        }
    }
    Ok(found)
}
