//! From the bytes of a session file to a transcript. Changes nothing on disk: what can be
//! repaired there is described in [`ParsedFile`] and done by whoever holds the lock.
//!
//! Every line that can be read is in the transcript; every other one is in the list of
//! problems. Lines are read by as many threads as there are cores, then linked in order.

use std::io::BufRead;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::foreign::ForeignFile;
use super::access::Access;
use super::error::SessionError;
use super::header::Header;
use super::record::{ParentLink, RecordLine, read_line};
use crate::disk::open;
use crate::transcript::{Entry, EntryBody, EntryId, Transcript};

/// Below this many bytes a second thread costs more than it saves.
const MIN_CHUNK_BYTES: usize = 512 * 1024;
/// More threads than this only wait for memory.
const MAX_THREADS: usize = 8;
/// The first version whose lines have ids of their own.
const FIRST_VERSION_WITH_IDS: u32 = 2;

/// Something in a session file that could not be used as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Line number, counted from 1; 0 when it is not about a line.
    pub line: usize,
    /// The problem and the treatment.
    pub what: String,
}

/// A session as it was read.
#[derive(Debug)]
pub struct LoadedSession {
    /// The first line.
    pub header: Header,
    /// Every entry that could be read; the leaf is the last one.
    pub transcript: Transcript,
    /// The parts that could not be used. They are still in the file.
    pub problems: Vec<Problem>,
    /// Where a torn last line was put; `None` when there was none, or when the file was
    /// only read.
    pub torn: Option<PathBuf>,
    /// The answer that was being streamed when the program was killed, now an aborted
    /// entry.
    pub recovered: Option<EntryId>,
    /// Whether entries can be appended.
    pub access: Access,
}

/// Reads a session without locking or changing anything. The result is read-only; a torn
/// last line is a problem in its list.
pub fn load(path: &Path) -> Result<LoadedSession, SessionError> {
    let bytes = open::read(path, u64::MAX).map_err(SessionError::io(path))?;
    read(&bytes, path)
}

/// Reads the bytes of a session as [`load`] does; `path` is for the error.
pub fn read(bytes: &[u8], path: &Path) -> Result<LoadedSession, SessionError> {
    Ok(parse(bytes, path)?.into_loaded(Access::Opened))
}

/// The content of a file.
#[derive(Debug)]
pub(super) struct ParsedFile {
    pub header: Header,
    pub transcript: Transcript,
    pub problems: Vec<Problem>,
    /// Bytes of a last line that was cut off while it was written.
    pub torn: Option<Range<usize>>,
    /// The last line is whole, but nothing ends it.
    pub is_unterminated: bool,
}

impl ParsedFile {
    pub(super) fn into_loaded(self, access: Access) -> LoadedSession {
        LoadedSession {
            header: self.header,
            transcript: self.transcript,
            problems: self.problems,
            torn: None,
            recovered: None,
            access,
        }
    }
}

/// A line of the file with its number and where it begins.
struct NumberedLine {
    line: usize,
    offset: usize,
    read: Result<RecordLine, String>,
}

/// Reads a whole file. `path` is for the error.
pub(super) fn parse(bytes: &[u8], path: &Path) -> Result<ParsedFile, SessionError> {
    let mut rest = bytes;
    let mut line = 0;
    let mut header = None;
    while header.is_none() && !rest.is_empty() {
        let first = next_line(&mut rest);
        line += 1;
        if first.trim_ascii().is_empty() {
            continue;
        }
        header = std::str::from_utf8(first).ok().and_then(Header::from_line);
        if header.is_none() {
            break;
        }
    }
    let Some(header) = header else {
        return Err(SessionError::NotASession {
            path: path.to_owned(),
            looks_like: ForeignFile::recognise(bytes),
        });
    };
    let mut lines = read_lines(rest, line, bytes.len() - rest.len());
    let is_open = bytes.last() != Some(&b'\n');
    let mut torn = None;
    let mut problems = Vec::new();
    let last_start = bytes.iter().rposition(|byte| *byte == b'\n');
    let is_torn = |last: &mut NumberedLine| last.read.is_err() && Some(last.offset) > last_start;
    if is_open && let Some(last) = lines.pop_if(is_torn) {
        torn = Some(last.offset..bytes.len());
        problems.push(Problem {
            line: last.line,
            what: "the last line is incomplete: the program or the machine stopped while it was \
                written"
                .to_owned(),
        });
    }
    let mut linker = EntryLinker::new(&header);
    for numbered in lines {
        linker.add(numbered);
    }
    linker.problems.append(&mut problems);
    Ok(ParsedFile {
        header,
        transcript: linker.transcript,
        problems: linker.problems,
        is_unterminated: is_open && torn.is_none(),
        torn,
    })
}

/// Takes the next line off `rest`, line end included.
fn next_line<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let all = *rest;
    // A slice is a reader that cannot fail, and its search for the line end is fast.
    let length = rest.skip_until(b'\n').unwrap_or(all.len());
    all.get(..length).unwrap_or(all)
}

/// Reads all lines, on several threads when there are many. `line` lines and `offset`
/// bytes come before them.
fn read_lines(bytes: &[u8], line: usize, offset: usize) -> Vec<NumberedLine> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores
        .min(MAX_THREADS)
        .min(bytes.len() / MIN_CHUNK_BYTES)
        .max(1);
    let chunks = split(bytes, threads);
    let mut parts: Vec<(Vec<NumberedLine>, usize)> = if let [only] = chunks.as_slice() {
        vec![read_chunk(only)]
    } else {
        std::thread::scope(|scope| {
            let running: Vec<_> = chunks
                .iter()
                .map(|chunk| (*chunk, scope.spawn(|| read_chunk(chunk))))
                .collect();
            running
                .into_iter()
                // A thread that could not finish is made up for here.
                .map(|(chunk, thread)| thread.join().unwrap_or_else(|_| read_chunk(chunk)))
                .collect()
        })
    };
    let mut lines = Vec::with_capacity(parts.iter().map(|(part, _)| part.len()).sum());
    let (mut line, mut offset) = (line, offset);
    for ((part, count), chunk) in parts.iter_mut().zip(&chunks) {
        for numbered in part.iter_mut() {
            numbered.line += line;
            numbered.offset += offset;
        }
        lines.append(part);
        line += *count;
        offset += chunk.len();
    }
    lines
}

/// Cuts at line ends into about `parts` pieces of equal size.
fn split(bytes: &[u8], parts: usize) -> Vec<&[u8]> {
    let target = bytes.len() / parts;
    let mut chunks = Vec::with_capacity(parts);
    let mut rest = bytes;
    while chunks.len() + 1 < parts {
        let Some((_, mut after)) = rest.split_at_checked(target) else {
            break;
        };
        next_line(&mut after);
        let (chunk, behind) = rest.split_at(rest.len() - after.len());
        chunks.push(chunk);
        rest = behind;
    }
    chunks.push(rest);
    chunks
}

/// Reads a chunk and counts its lines, blank ones included. Numbers and offsets are
/// relative to the chunk.
fn read_chunk(chunk: &[u8]) -> (Vec<NumberedLine>, usize) {
    let mut lines = Vec::new();
    let mut rest = chunk;
    let mut line = 0;
    while !rest.is_empty() {
        let offset = chunk.len() - rest.len();
        let bytes = next_line(&mut rest);
        line += 1;
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let read = match std::str::from_utf8(bytes) {
            Ok(text) => read_line(text),
            Err(error) => Err(error.to_string()),
        };
        lines.push(NumberedLine { line, offset, read });
    }
    (lines, line)
}

/// Puts lines into a transcript in file order.
struct EntryLinker {
    transcript: Transcript,
    problems: Vec<Problem>,
    version: u32,
    /// Version 1: position in the transcript of each line, counted from 0 with the header.
    positions: Vec<usize>,
}

impl EntryLinker {
    fn new(header: &Header) -> Self {
        let mut linker = Self {
            transcript: Transcript::new(),
            problems: Vec::new(),
            version: header.version,
            positions: vec![0],
        };
        if let Some((provider, model)) = header.legacy_model.clone() {
            linker.add_from_header(header, "model", EntryBody::ModelChange { provider, model });
        }
        if let Some(level) = header.legacy_thinking.clone() {
            linker.add_from_header(header, "thinking", EntryBody::ThinkingLevelChange { level });
        }
        linker
    }

    /// Adds facts that later versions write in a line of their own.
    fn add_from_header(&mut self, header: &Header, what: &str, body: EntryBody) {
        let entry = Entry {
            id: EntryId::new(format!("{}-{what}", derived_id(1).as_str())),
            parent: self.transcript.leaf().cloned(),
            timestamp: header.timestamp,
            body,
        };
        // These come first and differ: never a duplicate.
        let _ = self.transcript.push(Arc::new(entry));
    }

    fn add(&mut self, numbered: NumberedLine) {
        let line = numbered.line;
        self.positions.push(self.transcript.len());
        let read = match numbered.read {
            Ok(read) => read,
            Err(what) => return self.report(line, format!("skipped: {what}")),
        };
        let id = match read.id {
            Some(id) => id,
            None if self.version < FIRST_VERSION_WITH_IDS => derived_id(line),
            None => return self.report(line, "skipped: it has no id".to_owned()),
        };
        if let Some(what) = read.complaint {
            self.report(line, what);
        }
        let mut body = read.body;
        if let (Some(index), EntryBody::Compaction(compaction)) = (read.first_kept_index, &mut body)
            && compaction.first_kept.is_none()
        {
            compaction.first_kept = self.entry_at_index(index);
        }
        let parent = self.parent(line, read.parent);
        let entry = Entry {
            id,
            parent,
            timestamp: read.timestamp,
            body,
        };
        if let Err(duplicate) = self.transcript.push(Arc::new(entry)) {
            self.report(line, format!("skipped: {duplicate}"));
        }
    }

    /// Only entries before this line can be parents: that also rules out cycles. Where the
    /// parent is missing (its line is damaged), the line before takes its place, so that
    /// what came earlier stays in the conversation.
    fn parent(&mut self, line: usize, parent: ParentLink) -> Option<EntryId> {
        match parent {
            ParentLink::Root => None,
            ParentLink::Unsaid => self.last(),
            ParentLink::Id(id) if self.transcript.get(&id).is_some() => Some(id),
            ParentLink::Id(id) => {
                let what = format!(
                    "its parent {id} is missing from the file; read as if it followed the \
                     previous entry"
                );
                self.report(line, what);
                self.last()
            }
        }
    }

    fn last(&self) -> Option<EntryId> {
        self.transcript
            .entries()
            .last()
            .map(|entry| entry.id.clone())
    }

    /// The entry that a version 1 index means, or the next that could be read.
    fn entry_at_index(&self, index: usize) -> Option<EntryId> {
        let position = *self.positions.get(index)?;
        let entry = self.transcript.entries().get(position)?;
        Some(entry.id.clone())
    }

    fn report(&mut self, line: usize, what: String) {
        self.problems.push(Problem { line, what });
    }
}

/// The id of a line that has none: the same at every reading.
fn derived_id(line: usize) -> EntryId {
    EntryId::new(format!("{line:08x}"))
}

pub(super) mod foreign;
#[cfg(test)]
mod tests;
