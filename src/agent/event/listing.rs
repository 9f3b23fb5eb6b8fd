//! What is listed or shown because a front end asked for it.

use std::path::PathBuf;

use crate::tool::{ApprovalMode, Permission};
use crate::transcript::{ModelRef, Timestamp};

/// What may run without a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PermissionList {
    /// What the mode allows.
    pub mode: ApprovalMode,
    /// What is allowed on top of it.
    pub permissions: Vec<Permission>,
    /// The folder that it is allowed in.
    pub folder: PathBuf,
    /// Where is written what is always allowed.
    pub file: PathBuf,
}

/// What is remembered of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotesView {
    /// Where it is kept.
    pub place: String,
    /// The notes; never empty.
    pub text: String,
}

/// The exact request.
#[derive(Clone, Debug)]
pub struct WireView {
    /// Method and address, without secrets.
    pub target: String,
    /// The JSON body of the next request, pretty-printed.
    pub body: String,
    /// That of the last one that was sent; `None` before the first.
    pub last_body: Option<String>,
    /// Estimated tokens at the start that are the same as in the request before.
    pub unchanged_prefix_tokens: Option<u64>,
    /// Where the first difference to the request before is, in words.
    pub first_difference: Option<String>,
}

/// A model that could be used.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelChoice {
    /// The model.
    pub model: ModelRef,
    /// Its window, when known.
    pub window_tokens: Option<u64>,
    /// US dollars per million prompt and answer tokens, when known.
    pub price: Option<(f64, f64)>,
    /// Whether a key (or the server) is there; otherwise what is missing.
    pub missing: Option<String>,
}

/// Sessions that could be resumed, last updated first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SessionList {
    /// Whether those of all directories are listed.
    pub all: bool,
    /// The sessions.
    pub sessions: Vec<SessionListing>,
    /// The one that is open.
    pub open: Option<PathBuf>,
}

/// A session that could be resumed.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionListing {
    /// The file.
    pub path: PathBuf,
    /// The id in its header.
    pub id: String,
    /// The directory it belongs to.
    pub cwd: String,
    /// The name it was given.
    pub name: Option<String>,
    /// How its first message begins.
    pub first_words: String,
    /// When it began.
    pub created: Timestamp,
    /// The newest entry's time.
    pub updated: Timestamp,
    /// Entries in the file; an estimate when it is large.
    pub entries: u64,
    /// Size of the file in bytes.
    pub bytes: u64,
}

/// A tool that the model has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolListing {
    /// Its name.
    pub name: String,
    /// Estimate of its schema, which is part of every request.
    pub schema_tokens: u64,
    /// What its calls can do: `reads`, `changes files`, `runs programs`.
    pub does: &'static str,
    /// What becomes of a call inside the workspace that no pattern covers.
    pub inside: Freedom,
    /// Globs on the titles of calls that run without asking.
    pub patterns: Vec<String>,
}

/// Whether a call waits for consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// It runs at once.
    Runs,
    /// The user is asked.
    Asks,
    /// It does not run.
    Refused,
}
