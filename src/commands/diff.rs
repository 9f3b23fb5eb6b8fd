//! `plim diff`: which files a session has changed, and how, as a patch, as names with
//! numbers, or as JSON. Compares the state before the session with what is there now.

use std::fmt::Write as _;
use std::path::Path;

use plimsoll::agent::{ChangedFile, ChangesReport, changes_of};
use plimsoll::cli::DiffArgs;
use plimsoll::session;
use serde_json::{Value, json};

use super::output::{CommandResult, put, put_json, say};
use super::setup::CommandSetup;

/// `plim diff`
pub fn diff(args: &DiffArgs, at: &CommandSetup<'_>) -> CommandResult {
    let path = at.launch.session_to_read(at.common, &args.session)?;
    let loaded = session::load(&path)?;
    let cwd = Path::new(&loaded.header.cwd);
    let report = changes_of(&loaded.transcript, Some(&path), cwd);
    if args.json {
        return put_json(&as_json(&report, &loaded.header.id));
    }
    if report.unlisted > 0 {
        let text = format!(
            "{} more changes by commands are not listed",
            report.unlisted
        );
        say(&text, None);
    }
    if let Some(why) = &report.unseen {
        say(
            &format!("some changes by commands are unknown: {why}"),
            None,
        );
    }
    put(&text(&report, args.stat))
}

fn text(report: &ChangesReport, only_stat: bool) -> String {
    let mut out = String::new();
    for file in &report.files {
        if only_stat || file.difference.diff.is_empty() {
            let _ = writeln!(out, "{}", line(file));
        } else {
            out.push_str(&file.difference.diff);
        }
    }
    out
}

/// A file in a line. Its name comes from the disk: nothing in it may move the cursor.
fn line(file: &ChangedFile) -> String {
    let name = file.shown.replace(char::is_control, "\u{fffd}");
    let mut line = format!(
        "{:8}  +{} -{}  {name}",
        file.kind.name(),
        file.difference.added,
        file.difference.removed
    );
    let since = file
        .changed_since
        .then(|| "changed since by another program".to_owned());
    for remark in file.by.words().iter().chain(&since).chain(&file.note) {
        let _ = write!(line, "  ({remark})");
    }
    line
}

fn as_json(report: &ChangesReport, session: &str) -> Value {
    let files = report.files.iter().map(|file| {
        json!({
            "path": file.path,
            "kind": file.kind.name(),
            "added": file.difference.added,
            "removed": file.difference.removed,
            "by_command": file.by.command,
            "by_user_command": file.by.user_command,
            "jobs": file.by.jobs,
            "changed_since": file.changed_since,
            "note": file.note,
            "diff": file.difference.diff,
        })
    });
    json!({
        "session": session,
        "files": files.collect::<Vec<_>>(),
        "unlisted": report.unlisted,
        "unseen": report.unseen,
    })
}
