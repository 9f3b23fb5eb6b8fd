//! Finds sessions by their text, the newest first.

use std::ops::Range;
use std::path::PathBuf;

use rusqlite::types::Value;
use rusqlite::{Row, params_from_iter};

use super::document::DocumentRole;
use super::store::{SearchError, SearchIndex, unpacked};
use super::words::WordMatch;
use super::{facts, words};
use crate::transcript::{EntryId, Timestamp};

/// Sessions of an answer, unless the filter says otherwise.
const MAX_SESSIONS: usize = 20;
/// Hits of a session that are shown; the others are counted.
const HITS_SHOWN: usize = 3;
/// Hits that are looked at: the rest of a common word is older.
const MAX_ROWS: usize = 5_000;
/// Characters before and after a found word.
const BEFORE_CHARS: usize = 60;
const AFTER_CHARS: usize = 120;

/// Which sessions and which parts of them are searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchFilter {
    /// Only sessions of this program; `plimsoll` for our own.
    pub program: Option<String>,
    /// Only sessions of this directory, or of one below it.
    pub dir: Option<String>,
    /// Only what was said since.
    pub since: Option<Timestamp>,
    /// Only calls of this tool, and their results.
    pub tool: Option<String>,
    /// Only results that say that a call failed.
    pub errors: bool,
    /// Sessions of the answer at most; 0: as many as fit a screen.
    pub max_sessions: usize,
}

/// A session in which something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionHits {
    /// The path that opens it.
    pub place: PathBuf,
    /// The program that wrote it; `None` for one of ours.
    pub program: Option<String>,
    /// Its id.
    pub session: String,
    /// The directory that it worked in; empty when nothing says so.
    pub cwd: String,
    /// Its name, or how it begins.
    pub title: String,
    /// When it was changed last.
    pub updated: Timestamp,
    /// Where the text was found, newest first.
    pub hits: Vec<Hit>,
    /// Hits that are not listed.
    pub more: usize,
}

/// A place where the text was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The entry.
    pub entry: EntryId,
    /// `user`, `assistant`, `tool_call`, `tool_result`, `summary` or `note`.
    pub role: &'static str,
    /// The tool, of a call or a result.
    pub tool: Option<String>,
    /// Whether the call failed.
    pub is_error: bool,
    /// When it was said.
    pub at: Timestamp,
    /// The words around the first match, on one line.
    pub excerpt: String,
    /// Where the words of the query are in it, in bytes.
    pub marks: Vec<Range<usize>>,
}

impl SearchIndex {
    /// The sessions that hold all words of a text in one message, call, result or summary. Where
    /// few hold them as whole words, the words count as beginnings of longer ones too.
    pub fn search(
        &self,
        text: &str,
        filter: &SearchFilter,
    ) -> Result<Vec<SessionHits>, SearchError> {
        let no_word = || SearchError::NoWord {
            text: text.to_owned(),
        };
        let max = match filter.max_sessions {
            0 => MAX_SESSIONS,
            max => max,
        };
        let needles = words::needles(text);
        let whole = words::matching(text, WordMatch::Whole).ok_or_else(no_word)?;
        let beginnings = words::matching(text, WordMatch::Beginning).ok_or_else(no_word)?;
        let mut found = self.matching(&whole, &needles, filter, max)?;
        if found.len() < max && beginnings != whole {
            found = self.matching(&beginnings, &needles, filter, max)?;
        }
        found.sort_by_key(|it| std::cmp::Reverse(it.updated));
        Ok(found)
    }

    /// The sessions with rows that match a query of FTS5, the newest rows first.
    fn matching(
        &self,
        matching: &str,
        needles: &[String],
        filter: &SearchFilter,
        max: usize,
    ) -> Result<Vec<SessionHits>, SearchError> {
        let (sql, values) = statement(matching, filter);
        let read = || -> rusqlite::Result<Vec<SessionHits>> {
            let mut statement = self.connection.prepare(&sql)?;
            let mut rows = statement.query(params_from_iter(values.iter()))?;
            let mut found: Vec<SessionHits> = Vec::new();
            let mut newest: Option<i64> = None;
            while let Some(row) = rows.next()? {
                // The rows of a session follow one another.
                let session: i64 = row.get(0)?;
                if newest != Some(session) {
                    if found.len() == max {
                        break;
                    }
                    newest = Some(session);
                    found.push(session_of(row)?);
                }
                if let Some(open) = found.last_mut() {
                    if open.hits.len() < HITS_SHOWN {
                        open.hits.push(hit_of(row, needles)?);
                    } else {
                        open.more += 1;
                    }
                }
            }
            Ok(found)
        };
        read().map_err(|source| self.failed(source))
    }
}

/// The query with its values.
fn statement(matching: &str, filter: &SearchFilter) -> (String, Vec<Value>) {
    let mut sql = "SELECT s.id, s.place, s.program, s.session, s.cwd, s.title, s.updated, \
                   e.entry, e.role, e.tool, e.is_error, e.at, e.text \
                   FROM words w CROSS JOIN entries e ON e.id = w.rowid \
                   CROSS JOIN sessions s ON s.id = e.session WHERE words MATCH ?"
        .to_owned();
    let mut values = vec![Value::Text(facts::narrowed(matching, filter))];
    // A session that was imported is found in its import, one of several files in the newest.
    sql.push_str(
        " AND (s.program = '' OR s.origin IS NULL OR NOT EXISTS (SELECT 1 FROM sessions other \
         WHERE other.origin = s.origin AND (other.program = '' \
         OR other.program = s.program AND other.id > s.id)))",
    );
    let mut narrow = |condition: &str, value: Value| {
        sql.push_str(" AND ");
        sql.push_str(condition);
        values.push(value);
    };
    if let Some(program) = &filter.program {
        let own = program == "plimsoll";
        let program = if own { "" } else { program };
        narrow("s.program = ?", Value::Text(program.to_owned()));
    }
    if let Some(dir) = &filter.dir {
        let dir = dir.trim_end_matches('/');
        let below = format!("{dir}/");
        narrow("(s.cwd || '/') >= ?", Value::Text(below.clone()));
        narrow("(s.cwd || '/') < ?", Value::Text(format!("{dir}0")));
    }
    if let Some(since) = filter.since {
        narrow("e.at >= ?", Value::Integer(since.0));
        // Rows of sessions that ended before need not be looked at.
        narrow(
            "w.rowid >= (SELECT min(first_row) FROM sessions WHERE newest >= ?)",
            Value::Integer(since.0),
        );
    }
    if let Some(tool) = &filter.tool {
        narrow("e.tool = ? COLLATE NOCASE", Value::Text(tool.clone()));
    }
    if filter.errors {
        narrow("e.is_error = ?", Value::Integer(1));
    }
    sql.push_str(" ORDER BY w.rowid DESC LIMIT ?");
    values.push(Value::Integer(MAX_ROWS as i64));
    (sql, values)
}

fn session_of(row: &Row<'_>) -> rusqlite::Result<SessionHits> {
    let program: String = row.get(2)?;
    Ok(SessionHits {
        place: PathBuf::from(row.get::<_, String>(1)?),
        program: Some(program).filter(|it| !it.is_empty()),
        session: row.get(3)?,
        cwd: row.get(4)?,
        title: row.get(5)?,
        updated: Timestamp(row.get(6)?),
        hits: Vec::new(),
        more: 0,
    })
}

fn hit_of(row: &Row<'_>, needles: &[String]) -> rusqlite::Result<Hit> {
    let tool: String = row.get(9)?;
    let text = unpacked(row.get_ref(12)?.as_blob().unwrap_or_default());
    let excerpt = excerpt(&text, needles);
    let mut marks: Vec<Range<usize>> = needles
        .iter()
        .filter_map(|needle| find(&excerpt, needle))
        .collect();
    marks.sort_by_key(|it| it.start);
    Ok(Hit {
        entry: EntryId::new(row.get::<_, String>(7)?),
        role: DocumentRole::name_of(row.get(8)?),
        tool: Some(tool).filter(|it| !it.is_empty()),
        is_error: row.get(10)?,
        at: Timestamp(row.get(11)?),
        excerpt,
        marks,
    })
}

/// The words around the first match, on one line.
fn excerpt(text: &str, needles: &[String]) -> String {
    let first = needles.iter().filter_map(|needle| find(text, needle));
    let at = first.map(|it| it.start).min().unwrap_or_default();
    let (before, after) = text.split_at(at);
    let start = before
        .char_indices()
        .rev()
        .nth(BEFORE_CHARS)
        .map_or(0, |(at, _)| at);
    let end = after
        .char_indices()
        .nth(AFTER_CHARS)
        .map_or(text.len(), |(more, _)| at + more);
    let cut = text.get(start..end).unwrap_or_default();
    let line = cut.split_whitespace().collect::<Vec<_>>().join(" ");
    let opens = if start > 0 { "…" } else { "" };
    let closes = if end < text.len() { "…" } else { "" };
    format!("{opens}{line}{closes}")
}

/// The first place of a lower-case text, whatever the case it has there.
fn find(text: &str, needle: &str) -> Option<Range<usize>> {
    let first = needle.chars().next()?;
    for (start, c) in text.char_indices() {
        if c.to_lowercase().next() != Some(first) {
            continue;
        }
        let rest = text.get(start..)?;
        let mut wanted = needle.chars().peekable();
        for (at, c) in rest.char_indices() {
            if wanted.peek().is_none() {
                return Some(start..start + at);
            }
            let fits = c.to_lowercase().all(|lower| wanted.next() == Some(lower));
            if !fits {
                wanted = "\u{0}".chars().peekable();
                break;
            }
        }
        if wanted.peek().is_none() {
            return Some(start..text.len());
        }
    }
    None
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn a_match_is_found_in_any_case() {
        assert_eq!(find("Ein ÜBERlauf", "über"), Some(4..9));
        assert_eq!(find("aab", "ab"), Some(1..3));
        assert_eq!(find("aab", "abc"), None);
        assert_eq!(find("入力漢字", "漢字"), Some(6..12));
    }

    #[test]
    fn an_excerpt_is_one_line_around_the_match() {
        let text = format!(
            "{}\nthe\tNEEDLE here\n{}",
            "x ".repeat(500),
            "y ".repeat(500)
        );
        let cut = excerpt(&text, &["needle".to_owned()]);
        assert!(cut.starts_with('…') && cut.ends_with('…') && cut.contains("the NEEDLE here"));
        assert!(cut.chars().count() < 200, "{cut}");
        assert_eq!(excerpt("short", &["gone".to_owned()]), "short");
    }
}
