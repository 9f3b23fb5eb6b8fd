//! The arguments of `plim search` and `plim sessions`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// `plim search`
///
/// Finds sessions in which one message, call, result or summary has all of these words; "words
/// in quotes" together. Where few have them, words of four letters and more also find longer
/// ones that begin so. Searches your own sessions and those of
/// claude-code, codex, gemini-cli, qwen-code, opencode, goose, crush, cline, aider, pi and
/// openclaw, imported or not. The first search makes an index in the cache folder; later ones
/// read what has changed. Of a long text the first 16,000 and the last 4,000 characters are
/// indexed.
#[derive(Clone, Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct SearchArgs {
    /// Words to find
    #[arg(required = true)]
    pub text: Vec<String>,
    /// Only sessions of this program; plimsoll for your own
    #[arg(long, value_name = "PROGRAM")]
    pub program: Option<String>,
    /// Only sessions of this directory, or of one below it
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Only what was said since this day
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Only calls of this tool, and their results
    #[arg(long, value_name = "NAME")]
    pub tool: Option<String>,
    /// Only results of calls that failed
    #[arg(long)]
    pub errors: bool,
    /// Most sessions to list
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// Print JSON
    ///
    /// An array of sessions, the newest first: `session` (its id), `path` (which opens it),
    /// `program` (null for your own), `cwd`, `title`, `updated`, `hits` and `more` (hits that are
    /// not listed). A hit has `entry`, `role` (user, assistant, `tool_call`, `tool_result`,
    /// summary, note), `tool`, `error`, `time`, `excerpt` and `marks` (byte ranges of the words in the
    /// excerpt).
    #[arg(long, verbatim_doc_comment)]
    pub json: bool,
}

/// `plim sessions`
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct SessionsArgs {
    /// Only sessions with this text in their name or first message
    #[arg(value_name = "TEXT")]
    pub search: Option<String>,
    /// Sessions of all directories
    #[arg(long)]
    pub all: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// What to do instead of listing.
    #[command(subcommand)]
    pub act: Option<SessionsAct>,
}

/// What `plim sessions` changes.
#[derive(Clone, Debug, Subcommand)]
pub enum SessionsAct {
    /// Rename a session
    #[command(after_help = "Example: plim sessions rename 0198 \"token refresh\"")]
    Rename {
        /// Path, id or beginning of an id
        session: String,
        /// The new name
        name: String,
    },
    /// Move a session to the trash folder beside it
    #[command(after_help = "Example: plim sessions delete 0198 --yes")]
    Delete {
        /// Path, id or beginning of an id
        session: String,
        /// Confirm; without this flag nothing is deleted
        #[arg(short, long)]
        yes: bool,
    },
}
