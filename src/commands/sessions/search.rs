//! `plim search`: text in all sessions, own and of other programs.

use std::fmt::Write as _;

use plimsoll::cli::SearchArgs;
use plimsoll::fulltext::{
    RefreshProgress, RefreshReport, SearchError, SearchFilter, SearchIndex, SearchPlaces,
    SessionHits,
};
use plimsoll::session::to_rfc3339;
use plimsoll::tui::render::safe;
use serde_json::{Value, json};

use super::import::day;
use crate::commands::output::{CommandResult, put, put_json, say};
use crate::commands::setup::CommandSetup;
use crate::launch::{ExitFailure, foreign_program};

/// From this many files on an update says how far it is.
const MANY_FILES: usize = 200;
/// Columns of a role with its tool.
const ROLE_COLUMNS: usize = 18;

/// `plim search`
pub fn search(args: &SearchArgs, at: &CommandSetup<'_>) -> CommandResult {
    let filter = filter(args, at)?;
    let file = at.launch.paths.search_index_file();
    let mut index = SearchIndex::open(&file).map_err(|error| failure(&error))?;
    let variable = |name: &str| at.launch.variable(name);
    let sessions = at.launch.paths.sessions_dir();
    let places = SearchPlaces::of(sessions, &variable, &at.launch.cwd);
    let report = index
        .refresh(&places, &mut progress())
        .map_err(|error| failure(&error))?;
    say_problems(&report);
    let found = index.search(&args.text.join(" "), &filter);
    let found = found.map_err(|error| failure(&error))?;
    if args.json {
        return put_json(&found.iter().map(json_of).collect::<Value>());
    }
    if found.is_empty() {
        let count = index.session_count().map_err(|error| failure(&error))?;
        return put(&format!("nothing found in {count} sessions\n"));
    }
    put(&found.iter().map(words).collect::<String>())
}

fn filter(args: &SearchArgs, at: &CommandSetup<'_>) -> Result<SearchFilter, ExitFailure> {
    let program = match args.program.as_deref() {
        None => None,
        Some("plimsoll" | "plim") => Some("plimsoll".to_owned()),
        Some(name) => {
            let program = foreign_program(name.trim_start_matches('@'))?;
            Some(program.name().to_owned())
        }
    };
    let dir = args.dir.as_ref().map(|dir| at.launch.absolute(dir));
    let dir = dir.map(|dir| dir.canonicalize().unwrap_or(dir));
    Ok(SearchFilter {
        program,
        dir: dir.map(|dir| dir.display().to_string()),
        since: args.since.as_deref().map(day).transpose()?,
        tool: args.tool.clone(),
        errors: args.errors,
        max_sessions: args.limit,
    })
}

/// Says on stderr how far the first update is, in steps of ten per cent.
fn progress() -> impl FnMut(RefreshProgress) -> bool {
    let mut said = 0;
    move |it| {
        let tenth = it.done * 10 / it.total.max(1);
        if it.total >= MANY_FILES && tenth > said {
            said = tenth;
            let text = format!("reading sessions: {} of {}", it.done, it.total);
            say(&text, None);
        }
        true
    }
}

fn say_problems(report: &RefreshReport) {
    if report.is_busy {
        let hint = Some("sessions that changed last may be missing");
        say("another process updates the search index", hint);
    }
    if let Some((path, reason)) = report.unread.first() {
        let more = match report.unread.len() - 1 {
            0 => String::new(),
            more => format!(", nor {more} more files"),
        };
        let path = path.display();
        say(&format!("{path} is not searched{more}: {reason}"), None);
    }
}

fn failure(error: &SearchError) -> ExitFailure {
    let failure = ExitFailure::failed(error.to_string());
    match error {
        SearchError::NoWord { .. } => ExitFailure::usage(
            error.to_string(),
            "plim search WORDS finds sessions that have all of them",
        ),
        SearchError::Io { .. } | SearchError::Database { .. } => failure
            .with_hint("the sessions are unchanged; without its file the index is made again"),
    }
}

fn words(found: &SessionHits) -> String {
    let line = |text: &str| {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        safe::visible(&line).into_owned()
    };
    let program = found.program.as_deref().unwrap_or("plimsoll");
    let mut out = format!(
        "{}  {program}  {}  {}\n",
        to_rfc3339(found.updated),
        line(&found.cwd),
        line(&found.title),
    );
    for hit in &found.hits {
        let mut role = hit.role.to_owned();
        if let Some(tool) = &hit.tool {
            let _ = write!(role, " {}", line(tool));
        }
        if hit.is_error {
            role.push_str(" failed");
        }
        let _ = writeln!(out, "    {role:ROLE_COLUMNS$}  {}", line(&hit.excerpt));
    }
    if found.more > 0 {
        let _ = writeln!(out, "    and {} more", found.more);
    }
    let place = match &found.program {
        None => found.session.clone(),
        Some(_) => found.place.display().to_string(),
    };
    let _ = writeln!(out, "    plim resume {}\n", line(&place));
    out
}

fn json_of(found: &SessionHits) -> Value {
    let hits = found.hits.iter().map(|hit| {
        let marks = hit.marks.iter().map(|it| json!([it.start, it.end]));
        json!({
            "entry": hit.entry.as_str(),
            "role": hit.role,
            "tool": hit.tool,
            "error": hit.is_error,
            "time": to_rfc3339(hit.at),
            "excerpt": hit.excerpt,
            "marks": marks.collect::<Vec<_>>(),
        })
    });
    json!({
        "session": found.session,
        "path": found.place.display().to_string(),
        "program": found.program,
        "cwd": found.cwd,
        "title": found.title,
        "updated": to_rfc3339(found.updated),
        "hits": hits.collect::<Vec<_>>(),
        "more": found.more,
    })
}
