//! The arguments of `plim export` and `plim handover`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::commands::SessionArg;

/// `plim export`
///
/// A session of another program can be given as well: FILE, FILE#ID or @PROGRAM. Formats of
/// other programs are files that those programs continue; what they cannot say is listed on
/// stderr.
#[derive(Clone, Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct ExportArgs {
    /// Which session.
    #[command(flatten)]
    pub session: SessionArg,
    /// Format of the output
    #[arg(long, value_enum, default_value_t)]
    pub format: ExportFormatArg,
    /// Write the file where that program looks for its sessions, and print its path
    #[arg(long)]
    pub install: bool,
}

/// Formats of `plim export`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ExportFormatArg {
    /// The session file itself
    #[default]
    Jsonl,
    /// Markdown, for reading
    Md,
    /// One HTML file, for reading in a browser
    Html,
    /// The body of the next request, as `plim request` prints it
    Json,
    /// A session that Claude Code continues
    #[value(alias = "claude")]
    ClaudeCode,
    /// A session that codex continues
    Codex,
    /// A session that pi and OpenClaw continue
    Pi,
}

/// `plim handover`
///
/// Writes a folder with what another agent needs to continue a session: HANDOVER.md (latest
/// request, standing rules, open steps, changed files, an audited summary, what is lost),
/// handover.json (the same for scripts) and the session in the format of that program. Secrets
/// are replaced everywhere. No model is asked.
#[derive(Clone, Debug, Args)]
#[command(verbatim_doc_comment)]
pub struct HandoverArgs {
    /// Which session.
    #[command(flatten)]
    pub session: SessionArg,
    /// The program that continues it: claude-code, codex or pi; other programs get the
    /// document alone
    #[arg(long, value_name = "PROGRAM")]
    pub to: String,
    /// The folder to write; default: handover-ID in this directory
    #[arg(long, short, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Print the content of handover.json
    #[arg(long)]
    pub json: bool,
}
