//! Lists and files: sessions, models, settings, and a session for other eyes.

use std::fmt::Write as _;
use std::io;

use plimsoll::cli::{Cli, Command, ConfigArgs, ConfigTopic, ExportArgs, ExportFormat, JsonArg};
use plimsoll::config;
use plimsoll::session::{self, Scope, SessionSummary, to_rfc3339};
use serde_json::{Value, json};

use super::{Done, Place, grouped, put, put_json, say, unless_closed};
use crate::launch::Failure;

/// `plim sessions`
pub fn sessions(form: JsonArg, at: &Place<'_>) -> Done {
    let folder = at.launch.paths.sessions_dir();
    let cwd = &at.launch.cwd;
    let found = session::list(&folder, Scope::Cwd(cwd)).map_err(|error| {
        Failure::failed(format!("{}: {error}", folder.display()))
            .with_hint("check the folder's permissions")
    })?;
    if form.json {
        let rows: Vec<Value> = found.iter().map(session_json).collect();
        return put_json(&Value::Array(rows));
    }
    if found.is_empty() {
        return put("there is no session of this directory yet\n");
    }
    let mut out = String::new();
    for summary in &found {
        let _ = writeln!(
            out,
            "{}  {}  {:>6} entries  {}",
            summary.header.id,
            to_rfc3339(summary.updated),
            grouped(summary.entries),
            title(summary)
        );
    }
    put(&out)
}

fn title(summary: &SessionSummary) -> String {
    let title = summary.name.as_ref().or(summary.first_words.as_ref());
    // Names come from files: nothing in them may move the cursor.
    title.map_or_else(String::new, |title| {
        title.chars().filter(|char| !char.is_control()).collect()
    })
}

fn session_json(summary: &SessionSummary) -> Value {
    json!({
        "session": summary.header.id,
        "path": summary.path.display().to_string(),
        "name": summary.name,
        "first_words": summary.first_words,
        "created": to_rfc3339(summary.header.timestamp),
        "updated": to_rfc3339(summary.updated),
        "entries": summary.entries,
        "exact": summary.is_exact,
        "bytes": summary.bytes,
    })
}

/// `plim export`
pub fn export(args: &ExportArgs, at: &Place<'_>) -> Done {
    let path = at.launch.session_to_read(at.common, &args.session)?;
    // Also for a copy: what is no session is not exported as one.
    let loaded = session::load(&path)?;
    for problem in &loaded.problems {
        say(&format!("line {}: {}", problem.line, problem.what), None);
    }
    match args.format {
        ExportFormat::Md => put(&session::markdown(&loaded.header, &loaded.transcript)),
        ExportFormat::Jsonl => {
            let mut file = std::fs::File::open(&path)
                .map_err(|error| Failure::failed(format!("{}: {error}", path.display())))?;
            let copied = io::copy(&mut file, &mut io::stdout().lock());
            unless_closed(copied.map(|_| ()))
        }
    }
}

/// `plim config show`
pub fn config(args: ConfigArgs, at: &Place<'_>) -> Done {
    match args.what {
        ConfigTopic::Show => put(&config::show(&at.launch.resolved)),
        ConfigTopic::Default => put(&config::default_toml()),
        ConfigTopic::Path => put(&format!("{}\n", at.launch.paths.config_file().display())),
    }
}

/// What helps to mend a broken configuration must not need a whole one. `None`: the
/// command line asks for something else.
pub fn needs_no_settings(cli: &Cli) -> Option<Done> {
    let Some(Command::Config(args)) = &cli.command else {
        return None;
    };
    match args.what {
        ConfigTopic::Show => None,
        ConfigTopic::Default => Some(put(&config::default_toml())),
        ConfigTopic::Path => Some(
            crate::launch::paths()
                .and_then(|paths| put(&format!("{}\n", paths.config_file().display()))),
        ),
    }
}
