//! A session for other eyes: the file itself, byte for byte, or its active branch as a document
//! or as the session of another program.
//!
//! - `markdown`, `html`: for people; `program`: for another program that continues it;
//!   `handover`: both, without secrets, for another agent.
//! - `branch`: what holds of each entry of a branch, which the page shows and other programs are
//!   told in their own way.
//!
//! Nothing here asks a model or changes a session. Text of a session is data: no format lets it
//! become markup, a script or a command.

mod branch;
mod handover;
mod html;
mod markdown;
mod program;
#[cfg(test)]
mod tests;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::disk::private;
use crate::session::{Header, LoadedSession, Problem};
use crate::transcript::{EntryBody, Transcript, grouped};

pub use handover::{Handover, HandoverFacts, handover};
pub use html::html;
pub use markdown::markdown;
pub use program::{
    ExportLoss, NativeExport, NativeFile, NativeSession, ProgramHome, ReceiverProgram, SubAgent,
    native,
};

/// What a document is written from.
#[derive(Clone, Copy, Debug)]
pub struct DocumentSource<'a> {
    /// The first line of the session's file.
    pub header: &'a Header,
    /// Its entries.
    pub transcript: &'a Transcript,
    /// The parts of the file that could not be read. The document names them.
    pub problems: &'a [Problem],
}

impl<'a> From<&'a LoadedSession> for DocumentSource<'a> {
    fn from(loaded: &'a LoadedSession) -> Self {
        Self {
            header: &loaded.header,
            transcript: &loaded.transcript,
            problems: &loaded.problems,
        }
    }
}

/// Writes an export into a new file, `NAME.ENDING` or, where that exists, `NAME-2.ENDING`
/// and so on. Returns its path; what is there already is never touched.
pub fn save_new(folder: &Path, name: &str, ending: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    /// So many exports of one session in a folder are a mistake.
    const MOST: u32 = 1_000;
    for number in 1..=MOST {
        let target = folder.join(match number {
            1 => format!("{name}.{ending}"),
            _ => format!("{name}-{number}.{ending}"),
        });
        match private::create_new(&target) {
            Ok(mut file) => {
                let written = file.write_all(bytes).and_then(|()| file.sync_all());
                return written.map(|()| target.clone()).inspect_err(|_| {
                    // Half an export would look like a whole one.
                    let _ = std::fs::remove_file(&target);
                });
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// More damaged parts than this are counted, not listed.
const MAX_PROBLEMS: usize = 20;

/// What could not be read, one line each, for a document.
pub(super) fn problem_lines(problems: &[Problem]) -> Vec<String> {
    let listed = problems.iter().take(MAX_PROBLEMS);
    let mut lines: Vec<String> = listed
        .map(|problem| match problem.line {
            0 => problem.what.clone(),
            line => format!("line {line}: {}", problem.what),
        })
        .collect();
    if let Some(more) = problems
        .len()
        .checked_sub(MAX_PROBLEMS)
        .filter(|it| *it > 0)
    {
        lines.push(format!("and {} more", grouped(more as u64)));
    }
    lines
}

/// The name of a session, for a heading.
pub(super) fn title(transcript: &Transcript) -> String {
    let branch = transcript.branch();
    let name = branch.iter().rev().find_map(|entry| match &entry.body {
        EntryBody::SessionInfo { name } if !name.is_empty() => Some(name.clone()),
        _ => None,
    });
    name.unwrap_or_else(|| "Session".to_owned())
}
