//! `plim sessions`: lists and searches them, names one, throws one away.

pub(super) mod export;
pub(super) mod import;
pub(super) mod search;
mod sub_agents;

use std::fmt::Write as _;

use plimsoll::agent::rename_session;
use plimsoll::cli::{ExitCode, SessionRef, SessionsAct, SessionsArgs};
use plimsoll::config::TitleSource;
use plimsoll::session::{self, Scope, SessionSummary, to_rfc3339};
use plimsoll::tui::render::safe;
use serde_json::{Value, json};

use crate::commands::output::{CommandResult, put, put_json};
use crate::commands::setup::CommandSetup;
use crate::launch::ExitFailure;
use plimsoll::transcript::grouped;

/// `plim sessions`
pub fn sessions(args: &SessionsArgs, at: &CommandSetup<'_>) -> CommandResult {
    match &args.act {
        None => list(args, at),
        Some(SessionsAct::Rename { session, name }) => rename(session, name, at),
        Some(SessionsAct::Delete { session, yes }) => delete(session, *yes, at),
    }
}

fn list(args: &SessionsArgs, at: &CommandSetup<'_>) -> CommandResult {
    let folder = at.launch.paths.sessions_dir();
    let scope = if args.all {
        Scope::All
    } else {
        Scope::Cwd(&at.launch.cwd)
    };
    let mut found = session::list(&folder, scope).map_err(|error| {
        ExitFailure::failed(format!("{}: {error}", folder.display()))
            .with_hint("check the folder's permissions")
    })?;
    let is_any = !found.is_empty();
    if let Some(search) = &args.search {
        let search = search.to_lowercase();
        found.retain(|summary| has(summary, &search));
    }
    if args.json {
        let rows: Vec<Value> = found.iter().map(session_json).collect();
        return put_json(&Value::Array(rows));
    }
    if found.is_empty() {
        return put(match (is_any, args.all) {
            (true, _) => "no session with this text in its name or first message\n",
            (false, true) => "no sessions yet\n",
            (false, false) => {
                "no sessions of this directory yet; --all lists those of all \
                directories\n"
            }
        });
    }
    let has_titles = at.launch.resolved.settings.agent.titles.how != TitleSource::Off;
    let mut out = String::new();
    for summary in &found {
        let _ = write!(
            out,
            "{}  {}  {:>6} entries  {}",
            summary.header.id,
            to_rfc3339(summary.updated),
            grouped(summary.entries),
            title(summary, has_titles)
        );
        if let Some(origin) = &summary.origin {
            let _ = write!(out, "  [from {}]", printable(&origin.source()));
        }
        if args.all {
            let _ = write!(out, "  ({})", printable(&summary.header.cwd));
        }
        out.push('\n');
    }
    put(&out)
}

/// Whether a session has a text, in lower case, in its name or first message.
fn has(summary: &SessionSummary, search: &str) -> bool {
    let texts = [&summary.name, &summary.first_words];
    let mut texts = texts.into_iter().flatten();
    texts.any(|text| text.to_lowercase().contains(search))
}

fn title(summary: &SessionSummary, has_titles: bool) -> String {
    summary
        .label(has_titles)
        .map_or_else(String::new, printable)
}

/// Names come from files: nothing in them may break the line, and a pager that passes
/// colours on must not obey them either.
fn printable(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    safe::visible(&line).into_owned()
}

fn session_json(summary: &SessionSummary) -> Value {
    json!({
        "session": summary.header.id,
        "path": summary.path.display().to_string(),
        "cwd": summary.header.cwd,
        "name": summary.name,
        "title": summary.title,
        "first_words": summary.first_words,
        "created": to_rfc3339(summary.header.timestamp),
        "updated": to_rfc3339(summary.updated),
        "entries": summary.entries,
        "exact": summary.is_exact,
        "bytes": summary.bytes,
        "parent": summary.header.parent_session,
        "imported": summary.origin.as_deref().map(session::origin_json),
    })
}

fn rename(session: &str, name: &str, at: &CommandSetup<'_>) -> CommandResult {
    let path = at.launch.find(&SessionRef::from_text(Some(session)))?;
    rename_session(at.launch.clock, &path, name)?;
    Ok(ExitCode::Done as u8)
}

fn delete(session: &str, yes: bool, at: &CommandSetup<'_>) -> CommandResult {
    let path = at.launch.find(&SessionRef::from_text(Some(session)))?;
    if !yes {
        let text = format!("not deleted yet: {}", path.display());
        return Err(ExitFailure::failed(text)
            .with_hint("confirm with --yes: moves it to the trash folder beside it")
            .with_code(ExitCode::Refused));
    }
    let trashed = session::discard(&path)?;
    put(&format!("moved to {}\n", trashed.display()))
}
