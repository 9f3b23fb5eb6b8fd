//! A file as a session, whoever wrote it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::claude;
use super::conversation::ForeignSession;
use super::program::ForeignProgram;
use super::source::SourceError;
use crate::session::{self, Access, Header, LoadedSession, Problem, SessionError};
use crate::transcript::Transcript;

/// A session in a file: of a file that holds several, which one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionPlace {
    /// The file.
    pub path: PathBuf,
    /// The program's id of the session; `None` for the newest.
    pub session: Option<String>,
}

impl SessionPlace {
    /// What a path means: `FILE`, or `FILE#ID` where no file is called that.
    pub fn of(path: &Path) -> Self {
        let whole = Self {
            path: path.to_owned(),
            session: None,
        };
        if path.is_file() {
            return whole;
        }
        let text = path.to_string_lossy();
        let parted = text
            .rsplit_once('#')
            .filter(|(file, _)| Path::new(file).is_file());
        parted.map_or(whole, |(file, session)| Self {
            path: PathBuf::from(file),
            session: Some(session.to_owned()),
        })
    }

    /// The path as [`SessionPlace::of`] takes it.
    pub fn to_path(&self) -> PathBuf {
        match &self.session {
            None => self.path.clone(),
            Some(session) => {
                let mut name = self.path.clone().into_os_string();
                name.push("#");
                name.push(session);
                PathBuf::from(name)
            }
        }
    }
}

/// Reads a session without changing anything: a file of ours as [`session::load`] does, that
/// of another program through its reader.
pub fn load(path: &Path) -> Result<LoadedSession, SessionError> {
    let place = SessionPlace::of(path);
    match ForeignProgram::recognise(&place.path) {
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
        None => ForeignProgram::recognise(path)?,
    };
    match program {
        Some(ForeignProgram::ClaudeCode) => claude::read(path),
        Some(program) => Err(SourceError::NotUnderstood {
            path: path.to_owned(),
            program,
            reason: "this version does not read it yet".to_owned(),
        }),
        None => Err(SourceError::Unrecognised {
            path: path.to_owned(),
        }),
    }
}

fn loaded(read: &ForeignSession) -> Result<LoadedSession, SessionError> {
    let mut transcript = Transcript::new();
    for entry in &read.entries {
        let added = transcript.push(Arc::new(entry.clone()));
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
