//! Where a value came from, and what is wrong with it.

use std::fmt;
use std::path::PathBuf;

use super::table::SETTINGS;
use crate::transcript::edit_distance;

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
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

impl fmt::Display for Origin {
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

/// A configuration that cannot be used. Nothing of it takes effect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ConfigError {
    /// What is wrong and where, one sentence.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl ConfigError {
    /// An error without a hint.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: None,
        }
    }

    /// The same with a hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A key that no setting has.
    pub fn unknown_key(origin: &Origin, key: &str) -> Self {
        Self::new(format!("{origin}: unknown setting `{key}`")).with_hint(nearest_hint(key))
    }

    /// A value of the wrong kind or out of range.
    pub fn bad_value(origin: &Origin, key: &str, value: impl fmt::Display, expected: &str) -> Self {
        Self::new(format!("{origin}: `{key}` is {value}; expected {expected}"))
    }
}

/// The hint that names the nearest setting, or how to list all.
pub fn nearest_hint(key: &str) -> String {
    match nearest(key, SETTINGS.iter().map(|setting| setting.key)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`plim config show` lists all settings".to_owned(),
    }
}

/// The candidate that is a few typing errors away, if there is one.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    /// A foreign word longer than this is no misspelt key.
    const MAX_CHARS: usize = 64;
    if word.chars().count() > MAX_CHARS {
        return None;
    }
    let allowed = (word.chars().count() / 3).max(1);
    candidates
        .map(|candidate| (edit_distance(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
