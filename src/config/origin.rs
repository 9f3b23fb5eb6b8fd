//! Where the value of a setting came from.

use std::fmt;
use std::path::PathBuf;

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingOrigin {
    /// Nobody set it.
    Default,
    /// The preset in force.
    Preset(&'static str),
    /// The user's file.
    UserFile {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
    },
    /// The project's file.
    ProjectFile {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
    },
    /// An environment variable.
    Environment(String),
    /// A flag, as it was written.
    Flag(String),
    /// It was changed while the program runs, and not saved.
    Session,
}

impl fmt::Display for SettingOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Preset(name) => write!(f, "preset {name}"),
            Self::UserFile { path, line } | Self::ProjectFile { path, line } => {
                write!(f, "{}:{line}", path.display())
            }
            Self::Environment(name) => f.write_str(name),
            Self::Flag(flag) => f.write_str(flag),
            Self::Session => f.write_str("this session"),
        }
    }
}
