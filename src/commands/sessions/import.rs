//! `plim import`: sessions of ours made of those that other programs wrote.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use plimsoll::cli::{ExitCode, ImportArgs};
use plimsoll::context::rules::{RuleBook, RuleState};
use plimsoll::foreign::{
    self, ForeignProgram, ImportTarget, ImportedSession, SessionPlace, SessionStore, SourceError,
};
use plimsoll::session::{self, from_rfc3339};
use plimsoll::transcript::Timestamp;
use serde_json::Value;

use crate::commands::output::{CommandResult, put, put_json, say};
use crate::commands::setup::CommandSetup;
use crate::launch::{ExitFailure, foreign_program};

/// A session to import, with its program where that is known.
struct ImportSource {
    place: SessionPlace,
    program: Option<ForeignProgram>,
}

/// `plim import`
pub fn import(args: &ImportArgs, at: &CommandSetup<'_>) -> CommandResult {
    let sources = sources(args, at)?;
    let cwd = args.dir.as_ref().map(|dir| at.launch.absolute(dir));
    let sessions = at.launch.paths.sessions_dir();
    let target = ImportTarget {
        sessions: &sessions,
        cwd: cwd.as_deref(),
        now: at.launch.now(),
    };
    let mut imported: Vec<ImportedSession> = Vec::new();
    let mut failures = 0;
    let is_one = sources.len() == 1;
    for source in sources {
        match import_one(&source, target) {
            Ok(session) => imported.push(session),
            Err(failure) if is_one => return Err(failure),
            // One that cannot be read must not hide the others.
            Err(failure) => {
                failures += 1;
                say(&failure.message, failure.hint.as_deref());
            }
        }
    }
    let written = match (args.json, imported.as_slice()) {
        (true, [only]) if is_one => put_json(&only.json()),
        (true, all) => put_json(&all.iter().map(ImportedSession::json).collect::<Value>()),
        (false, all) => put(&all.iter().map(words).collect::<String>()),
    };
    let code = written?;
    Ok(if failures > 0 {
        ExitCode::Failed as u8
    } else {
        code
    })
}

/// What an import did, and the rules in it that wait for a confirmation.
fn words(imported: &ImportedSession) -> String {
    let mut words = imported.words();
    let loaded = session::load(&imported.path);
    let rules = loaded.map(|it| RuleBook::of(&it.transcript).rules);
    let rules = rules.unwrap_or_default();
    let possible = rules.iter().filter(|it| it.state == RuleState::Possible);
    let possible = possible.count();
    if possible > 0 {
        let _ = writeln!(
            words,
            "  possible rules: {possible}, none active; `plim rules {}` shows them",
            imported.path.display()
        );
    }
    words
}

fn import_one(
    source: &ImportSource,
    target: ImportTarget<'_>,
) -> Result<ImportedSession, ExitFailure> {
    let read = foreign::read(&source.place, source.program).map_err(|error| unread(&error))?;
    if let Some(reason) = read.refusal() {
        return Err(ExitFailure::failed(reason));
    }
    Ok(foreign::import(&read, target)?)
}

fn unread(error: &SourceError) -> ExitFailure {
    let failure = ExitFailure::failed(error.to_string());
    match error {
        // Sessions of pi and OpenClaw have the form of ours.
        SourceError::Unrecognised { path } if session::load(path).is_ok() => {
            let path = path.display();
            ExitFailure::failed(format!("{path} is a session already: no import is needed"))
                .with_hint(format!("plim --session {path} opens it"))
        }
        SourceError::Unrecognised { .. } => {
            failure.with_hint("--from PROGRAM says which program wrote it")
        }
        _ => failure,
    }
}

/// The sessions that the arguments mean.
fn sources(args: &ImportArgs, at: &CommandSetup<'_>) -> Result<Vec<ImportSource>, ExitFailure> {
    let named = args.from.as_deref().map(foreign_program);
    let from = named.transpose()?;
    let since = args.since.as_deref().map(day).transpose()?;
    let path = at.launch.absolute(Path::new(&args.source));
    let place = SessionPlace::of(&path);
    if place.path.is_file() && !args.all {
        let program = from;
        return Ok(vec![ImportSource { place, program }]);
    }
    let is_changed = |updated: Timestamp| since.is_none_or(|since| updated >= since);
    let stores = stores_meant(args, &path, from, at)?;
    let is_folder = path.is_dir();
    let mut found = Vec::new();
    for store in &stores {
        let rows = foreign::sessions_in(store).map_err(|error| unread(&error))?;
        found.extend(rows.into_iter().filter(|row| is_changed(row.updated)));
    }
    found.sort_by_key(|row| std::cmp::Reverse(row.updated));
    if !args.all && !is_folder {
        found.retain(|row| Path::new(&row.cwd) == at.launch.cwd);
        found.truncate(1);
    }
    if found.is_empty() {
        let hint = if args.all {
            "the source may lie elsewhere"
        } else {
            "--all takes those of all directories"
        };
        return Err(
            ExitFailure::failed(format!("{} holds no session to import", args.source))
                .with_hint(hint),
        );
    }
    let sources = found.into_iter().map(|row| ImportSource {
        place: row.place,
        program: Some(row.program),
    });
    Ok(sources.collect())
}

/// The stores that the arguments mean: a file with several sessions, a folder, or those of a
/// program on this machine.
fn stores_meant(
    args: &ImportArgs,
    path: &Path,
    from: Option<ForeignProgram>,
    at: &CommandSetup<'_>,
) -> Result<Vec<SessionStore>, ExitFailure> {
    if path.is_file() {
        let program = from.map_or_else(|| foreign::program_of(path), |it| Ok(Some(it)));
        let program = program.map_err(|error| unread(&error))?;
        let store = program.map(|program| SessionStore {
            program,
            root: path.to_owned(),
        });
        return Ok(store.into_iter().collect());
    }
    if path.is_dir() {
        return Ok(stores_below(path, from));
    }
    let name = args.source.trim_start_matches('@');
    if name.contains(['/', '.']) {
        let text = format!("{} does not exist", path.display());
        return Err(ExitFailure::failed(text).with_hint("name a file, a folder or a program"));
    }
    let program = foreign_program(name)?;
    if program.is_native() {
        let text = format!("sessions of {program} are opened as they are: no import is needed");
        let hint = format!("plim --resume @{program} opens the newest one of this directory");
        return Err(ExitFailure::failed(text).with_hint(hint));
    }
    let variable = |name: &str| at.launch.variable(name);
    let mut stores = foreign::stores(&variable, &at.launch.cwd);
    stores.retain(|store| store.program == program);
    Ok(stores)
}

/// A folder as the store of the program that wrote its files.
fn stores_below(folder: &Path, from: Option<ForeignProgram>) -> Vec<SessionStore> {
    let root: PathBuf = folder.to_owned();
    let programs = match from {
        Some(program) => vec![program],
        None => foreign::programs_below(folder),
    };
    let stores = programs.into_iter().flat_map(|program| {
        foreign::databases_below(&root, program)
            .into_iter()
            .map(move |root| SessionStore { program, root })
    });
    stores.collect()
}

/// The beginning of a day (`2026-11-20`) or a time.
pub(super) fn day(text: &str) -> Result<Timestamp, ExitFailure> {
    let midnight = format!("{text}T00:00:00Z");
    from_rfc3339(text)
        .or_else(|| from_rfc3339(&midnight))
        .ok_or_else(|| {
            ExitFailure::usage(
                format!("{text:?} is not a date"),
                "a date is written 2026-11-20, a time 2026-11-20T09:30:00Z",
            )
        })
}
