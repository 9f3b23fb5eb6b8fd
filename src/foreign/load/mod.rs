//! A file as a session, whoever wrote it.

mod native;

use std::path::Path;
use std::sync::Arc;

use super::conversation::ForeignSession;
use super::database::{crush, goose, opencode};
use super::place::SessionPlace;
use super::program::ForeignProgram;
use super::recognition::recognise;
use super::source::SourceError;
use super::{aider, claude, cline, codex, gemini, qwen};
use crate::session::{self, Access, Header, LoadedSession, Problem, SessionError};
use crate::transcript::Transcript;

/// Reads a session without changing anything: a file of ours as [`session::load`] does, that
/// of another program through its reader.
pub fn load(path: &Path) -> Result<LoadedSession, SessionError> {
    let place = SessionPlace::of(path);
    match recognise(&place.path) {
        Ok(Some(program)) => {
            let read = read(&place, Some(program));
            let read = read.map_err(|error| SessionError::Foreign(error.to_string()))?;
            loaded(&read)
        }
        // Its own error says best what is wrong with it.
        Ok(None) | Err(_) => session::load(path),
    }
}

/// Reads a session of another program; `program` where the content need not tell.
pub fn read(
    place: &SessionPlace,
    program: Option<ForeignProgram>,
) -> Result<ForeignSession, SourceError> {
    let path = place.path.as_path();
    let program = match program {
        Some(program) => Some(program),
        None => recognise(path)?,
    };
    let which = place.session.as_deref();
    match program {
        Some(ForeignProgram::ClaudeCode) => claude::read(path),
        Some(ForeignProgram::Codex) => codex::read(path),
        Some(ForeignProgram::GeminiCli) => gemini::read(path),
        Some(ForeignProgram::QwenCode) => qwen::read(path),
        Some(ForeignProgram::OpenCode) => opencode::read(path, which),
        Some(ForeignProgram::Goose) => goose::read(path, which),
        Some(ForeignProgram::Crush) => crush::read(path, which),
        Some(ForeignProgram::Cline) => cline::read(path),
        Some(ForeignProgram::Aider) => aider::read(path, which),
        Some(program @ (ForeignProgram::Pi | ForeignProgram::OpenClaw)) => {
            native::read(path, program)
        }
        None => Err(SourceError::Unrecognised {
            path: path.to_owned(),
        }),
    }
}

/// Reads several sessions of one file, in this order. A database is opened once for all.
pub fn read_each(
    program: ForeignProgram,
    path: &Path,
    sessions: &[String],
    visit: &mut dyn FnMut(Result<ForeignSession, SourceError>),
) {
    match program {
        ForeignProgram::OpenCode => opencode::read_each(path, sessions, visit),
        ForeignProgram::Goose => goose::read_each(path, sessions, visit),
        ForeignProgram::Crush => crush::read_each(path, sessions, visit),
        ForeignProgram::ClaudeCode
        | ForeignProgram::Codex
        | ForeignProgram::GeminiCli
        | ForeignProgram::QwenCode
        | ForeignProgram::Cline
        | ForeignProgram::Aider
        | ForeignProgram::Pi
        | ForeignProgram::OpenClaw => {
            for session in sessions {
                let place = SessionPlace {
                    path: path.to_owned(),
                    session: Some(session.clone()),
                };
                visit(read(&place, Some(program)));
            }
        }
    }
}

fn loaded(read: &ForeignSession) -> Result<LoadedSession, SessionError> {
    let mut transcript = Transcript::new();
    for entry in read.with_origin() {
        let added = transcript.push(Arc::new(entry));
        added.map_err(|error| SessionError::Foreign(error.to_string()))?;
    }
    let problems = read.lost.iter().map(|loss| Problem {
        line: match loss.place {
            super::SourcePlace::Line(line) => line,
            super::SourcePlace::Whole | super::SourcePlace::Row(_) => 0,
        },
        what: match &loss.place {
            super::SourcePlace::Row(_) => format!("{}: {}", loss.place, loss.reason),
            super::SourcePlace::Whole | super::SourcePlace::Line(_) => loss.reason.clone(),
        },
    });
    Ok(LoadedSession {
        header: Header::new(read.origin.session.clone(), read.started, read.cwd.clone()),
        transcript,
        problems: problems.collect(),
        torn: None,
        recovered: None,
        access: Access::Opened,
    })
}
