//! A copy of a session that could not be saved where it belongs, in another folder: nobody
//! shall lose what was said because a disk is full.

use std::io;
use std::path::{Path, PathBuf};

use super::error::SessionError;
use super::header::Header;
use super::load::read;
use super::log::SessionLog;
use super::record::to_line;
use crate::disk::private;
use crate::transcript::Transcript;

/// The name of a copy in a folder of its own, when the session has no file name.
const FILE_NAME: &str = "session.jsonl";

/// A whole session in another place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RescueCopy {
    /// The file, as good as the session's own.
    pub path: PathBuf,
    /// Whether the disk has confirmed it.
    pub is_confirmed: bool,
}

/// Writes a copy of all of a session that could not be closed into the first of these
/// folders that takes it. `None` when the session's own file lacks nothing that somebody
/// said; an error when no folder took it: of each, why.
pub fn rescue(
    log: &SessionLog,
    problem: &SessionError,
    header: &Header,
    transcript: &Transcript,
    folders: &[PathBuf],
) -> Option<Result<RescueCopy, String>> {
    if !log.holds_words() && !matches!(problem, SessionError::Gone { .. }) {
        return None;
    }
    let bytes = whole(log, header, transcript);
    let name = log.path().and_then(Path::file_name);
    let name = name.map_or_else(|| FILE_NAME.into(), ToOwned::to_owned);
    let mut refused = Vec::new();
    for folder in folders {
        match copy_into(folder, Path::new(&name), &bytes) {
            Ok(copy) => return Some(Ok(copy)),
            Err(error) => refused.push(format!("{}: {error}", folder.display())),
        }
    }
    Some(Err(refused.join("; ")))
}

/// The lines as they are in the file and in memory, with what only other programs
/// understand; where those cannot be read, what is known of them.
fn whole(log: &SessionLog, header: &Header, transcript: &Transcript) -> Vec<u8> {
    let written = log.written().filter(|bytes| {
        let there = read(bytes, Path::new(""));
        there.is_ok_and(|there| {
            let mut all = transcript.entries().iter();
            all.all(|entry| there.transcript.get(&entry.id).is_some())
        })
    });
    written.unwrap_or_else(|| {
        let lines = transcript.entries().iter().map(|entry| to_line(entry));
        let mut text = header.to_line() + "\n";
        for line in lines {
            text.push_str(&line);
            text.push('\n');
        }
        text.into_bytes()
    })
}

/// Writes a file into a new folder that only its owner may enter, so that whoever goes on
/// with it is alone there.
fn copy_into(folder: &Path, name: &Path, bytes: &[u8]) -> io::Result<RescueCopy> {
    let place = tempfile::Builder::new()
        .prefix("plimsoll-")
        .tempdir_in(folder)?;
    private::keep_out_others(place.path())?;
    let path = place.path().join(name);
    let mut file = private::create_new(&path)?;
    io::Write::write_all(&mut file, bytes)?;
    let is_confirmed = file.sync_all().is_ok();
    // From here on it stays.
    let _ = place.keep();
    Ok(RescueCopy { path, is_confirmed })
}
