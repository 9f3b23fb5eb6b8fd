//! Errors of a session file, in words that say what was kept and what to do.

use std::io;
use std::path::PathBuf;

use super::access::Access;
use super::load::foreign::ForeignFile;

/// A session could not be opened, or an entry could not be saved.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The file could not be read or written at all. Nothing was changed.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The first line is not a session header. The file was not touched.
    #[error("{path} is not a session file: {looks_like}", path = path.display())]
    NotASession {
        /// The file.
        path: PathBuf,
        /// The format it seems to have.
        looks_like: ForeignFile,
    },
    /// A session of another program could not be read. The file was not touched.
    #[error("{0}")]
    Foreign(String),
    /// Entries could not be written; they are kept in memory, in order.
    #[error(
        "could not save to {path}: {source}; {unsaved} unsaved line(s) are kept in memory and \
         retried with the next entry and on exit",
        path = path.display()
    )]
    Unsaved {
        /// The session file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
        /// Lines that wait.
        unsaved: usize,
    },
    /// Entries are in the file, but the disk did not confirm that they would survive a
    /// power failure.
    #[error(
        "{path} was written, but the disk did not confirm it: {source}; confirmed again with the \
         next entry",
        path = path.display()
    )]
    Unconfirmed {
        /// The session file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The file was removed or replaced while the session was open.
    #[error("{path} was removed or replaced while the session was open", path = path.display())]
    Gone {
        /// The session file.
        path: PathBuf,
    },
    /// This process may only read the session.
    #[error(
        "{path} is {access}{}", kept_in_memory(*.unsaved),
        path = path.display()
    )]
    ReadOnly {
        /// The session file.
        path: PathBuf,
        /// Why.
        access: Access,
        /// Lines that are in memory only.
        unsaved: usize,
    },
}

fn lines(count: usize) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} line{ending} of the session")
}

fn kept_in_memory(unsaved: usize) -> String {
    if unsaved == 0 {
        return String::new();
    }
    format!("; {unsaved} line(s) are kept in memory only")
}

impl SessionError {
    /// The part missing of a session that is left like this: nothing is tried again.
    pub fn at_the_end(&self) -> String {
        match self {
            Self::Unsaved {
                path,
                source,
                unsaved,
            } => format!(
                "{} could not be saved to {}: {source}",
                lines(*unsaved),
                path.display()
            ),
            Self::Unconfirmed { path, source } => format!(
                "{} was written, but the disk did not confirm it: {source}",
                path.display()
            ),
            Self::ReadOnly {
                path,
                access,
                unsaved: unsaved @ 1..,
            } => format!(
                "{} could not be saved: {} is {access}",
                lines(*unsaved),
                path.display()
            ),
            Self::ReadOnly { .. }
            | Self::Io { .. }
            | Self::NotASession { .. }
            | Self::Foreign(_)
            | Self::Gone { .. } => self.to_string(),
        }
    }

    /// Turns a system error about `path` into one that names it.
    pub(super) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }
}
