//! How a command line names a session.

use std::path::PathBuf;

/// Names an existing session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionRef {
    /// The newest of the working directory.
    Newest,
    /// This file.
    Path(PathBuf),
    /// The one whose id is, or begins with, this.
    Id(String),
}

impl SessionRef {
    /// What the text means: something with a slash or an extension is a path.
    pub fn from_text(text: Option<&str>) -> Self {
        match text {
            None | Some("") => Self::Newest,
            Some(text) if text.contains(['/', '\\', '.']) => Self::Path(PathBuf::from(text)),
            Some(text) => Self::Id(text.to_owned()),
        }
    }
}

/// Which session a conversation goes into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionChoice {
    /// A new one.
    New,
    /// An existing one.
    Existing(SessionRef),
    /// This file, created when missing.
    File(PathBuf),
    /// None: memory only.
    Memory,
}
