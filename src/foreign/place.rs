//! Where a session of another program is, and its row in a list.

use std::path::{Path, PathBuf};

use super::program::ForeignProgram;
use crate::transcript::Timestamp;

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

/// The store of a program on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionStore {
    /// The program.
    pub program: ForeignProgram,
    /// Its folder, or its database.
    pub root: PathBuf,
}

/// A session in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignListing {
    /// The program.
    pub program: ForeignProgram,
    /// Where it is.
    pub place: SessionPlace,
    /// The program's id of it.
    pub session: String,
    /// Its name, when the program gave it one.
    pub title: Option<String>,
    /// The directory that it worked in; empty when nothing says so.
    pub cwd: String,
    /// How its first message begins, where that is cheap to say.
    pub first_words: Option<String>,
    /// When it was changed last.
    pub updated: Timestamp,
    /// Messages, where they can be counted cheaply.
    pub messages: Option<u64>,
}
