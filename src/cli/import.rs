//! The arguments of `plim import`.

use std::path::PathBuf;

use clap::Args;

/// `plim import`
///
/// Reads a session of claude-code, codex, gemini-cli, qwen-code, opencode, goose, crush, cline
/// or aider and writes one of Plimsoll; the source stays as it is. A source that has grown
/// since continues the session that was made of it. `plim context`, `summary`, `fidelity`,
/// `cost` and `export --format md` read such a file without importing it; FILE#ID names a
/// session in a database, @PROGRAM the newest of this directory.
#[derive(Clone, Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct ImportArgs {
    /// A file, a folder, or the name of a program: its newest session of this directory
    #[arg(value_name = "FILE|DIR|PROGRAM")]
    pub source: String,
    /// The program that wrote it, when its content does not tell
    #[arg(long, value_name = "PROGRAM")]
    pub from: Option<String>,
    /// All sessions of it, of all directories
    #[arg(long)]
    pub all: bool,
    /// Only sessions that changed since this day
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// The directory that the sessions shall belong to, instead of their own
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Print JSON
    ///
    /// An object, or an array of them for several sessions: `session` (the file's path),
    /// `state` (new, grown, branched, up-to-date), `entries` (that were written), `messages`,
    /// `tool_calls`, `tool_results`, `errors`, `images` (each time that one occurs),
    /// `attachments` (distinct ones), `compactions`, `lost` and `children` (its sub-agents).
    /// A loss has `line` or `row`, and `reason`.
    #[arg(long, verbatim_doc_comment)]
    pub json: bool,
}
