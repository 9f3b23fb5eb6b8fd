//! The bytes of a source: lines of bounded length, plain or compressed, hashed while they are
//! read. A file may grow meanwhile: its length at the start is where it ends.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use ring::digest::{Context, SHA256};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use serde_json::Value;

use super::conversation::{ForeignOrigin, SessionDraft, SourcePlace};
use super::program::ForeignProgram;
use crate::disk::open;

/// Longer lines are left out.
pub(super) const MAX_LINE_BYTES: usize = 64 * 1024 * 1024;
/// A file that is read whole may be as large as this.
const MAX_WHOLE_BYTES: u64 = 512 * 1024 * 1024;
/// Files of a store that are listed.
const MAX_FILES: usize = 100_000;
/// How zstd frames begin.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// A compressed file may ask for a window of so many bytes,
const MAX_ZSTD_WINDOW: u64 = 128 * 1024 * 1024;
/// and unpack to so many.
const MAX_ZSTD_OUTPUT: u64 = 8 * 1024 * 1024 * 1024;

/// A source could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The system says why.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The database says why.
    #[error("{path}: {source}", path = path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// The error of `SQLite`.
        source: rusqlite::Error,
    },
    /// It is of no program known here.
    #[error("{path} is no session of a program known here", path = path.display())]
    Unrecognised {
        /// The file.
        path: PathBuf,
    },
    /// There is no such session in it.
    #[error("{path} holds no session {session}", path = path.display())]
    NoSession {
        /// The file.
        path: PathBuf,
        /// The id.
        session: String,
    },
    /// It was recognised, and nothing in it was understood.
    #[error("{path} is of {program}, and nothing of it was understood: {reason}", path = path.display())]
    NotUnderstood {
        /// The file.
        path: PathBuf,
        /// The program.
        program: ForeignProgram,
        /// Why.
        reason: String,
    },
}

impl SourceError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}

/// The first bytes of a file, unpacked when it is compressed.
pub(super) fn beginning(path: &Path, bytes: u64) -> Result<Vec<u8>, SourceError> {
    let mut probe = Vec::new();
    let (reader, _) = reader(path)?;
    let read = reader.take(bytes).read_to_end(&mut probe);
    match read {
        // What was unpacked before the damage is enough to tell.
        Err(_) if !probe.is_empty() => Ok(probe),
        Err(error) => Err(SourceError::io(path)(error)),
        Ok(_) => Ok(probe),
    }
}

/// A file that is read whole, and its hash.
pub(super) fn whole(path: &Path) -> Result<(Vec<u8>, String), SourceError> {
    let bytes = open::read(path, MAX_WHOLE_BYTES).map_err(SourceError::io(path))?;
    let hash = ring::digest::digest(&SHA256, &bytes);
    Ok((bytes, hex(hash.as_ref())))
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// The file's bytes, unpacked; and whether they were packed.
fn reader(path: &Path) -> Result<(Box<dyn BufRead>, bool), SourceError> {
    let file = open::following(path).map_err(SourceError::io(path))?;
    let length = file.metadata().map_err(SourceError::io(path))?.len();
    let mut file = BufReader::with_capacity(256 * 1024, file.take(length));
    let is_packed = file
        .fill_buf()
        .map_err(SourceError::io(path))?
        .starts_with(&ZSTD);
    if !is_packed {
        return Ok((Box::new(file), false));
    }
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(MAX_ZSTD_WINDOW);
    let unpacked = ZstdReader {
        from: file,
        decoder,
        is_in_frame: false,
        left: MAX_ZSTD_OUTPUT,
    };
    Ok((
        Box::new(BufReader::with_capacity(256 * 1024, unpacked)),
        true,
    ))
}

/// Unpacks frames one after the other.
struct ZstdReader<R: BufRead> {
    from: R,
    decoder: FrameDecoder,
    is_in_frame: bool,
    /// Bytes that may still come out.
    left: u64,
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            if !self.is_in_frame {
                if self.from.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.decoder
                    .reset(&mut self.from)
                    .map_err(io::Error::other)?;
                self.is_in_frame = true;
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                let decoded = self.decoder.decode_blocks(&mut self.from, one);
                decoded.map_err(io::Error::other)?;
            }
            if self.decoder.can_collect() == 0 {
                self.is_in_frame = false;
                continue;
            }
            let read = self.decoder.read(into)?;
            self.left = self
                .left
                .checked_sub(read as u64)
                .ok_or_else(|| io::Error::other("it unpacks to more than is read of a file"))?;
            return Ok(read);
        }
    }
}

/// The bytes of a file as lines, unpacked.
pub(super) fn lines_of(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let read = reader(path).map_err(io::Error::other)?;
    Ok(read.0)
}

/// A line of a source.
pub(super) struct SourceLine<'a> {
    /// Counted from 1.
    pub(super) number: usize,
    /// Its text without the line end.
    pub(super) text: &'a str,
}

/// What was read of a file of lines.
#[derive(Debug, Default)]
pub(super) struct ReadLines {
    pub(super) sha256: String,
    pub(super) bytes: u64,
    pub(super) lines: u64,
    /// Lines that could not be read at all, with the reason.
    pub(super) skipped: Vec<(SourcePlace, String)>,
}

impl ReadLines {
    /// Puts what was read into a session.
    pub(super) fn account(self, draft: &mut SessionDraft) {
        draft.origin.sha256 = self.sha256;
        draft.origin.bytes = self.bytes;
        draft.origin.records = self.lines;
        for (place, reason) in self.skipped {
            draft.lose(place, reason);
        }
    }
}

/// Reads a file line by line. `each` answers with the reason when a line cannot be used; a
/// last line that nothing ends and that cannot be used is still being written.
pub(super) fn each_line(
    path: &Path,
    mut each: impl FnMut(SourceLine<'_>) -> Result<(), String>,
) -> Result<ReadLines, SourceError> {
    let (mut reader, is_packed) = reader(path)?;
    let mut hash = Context::new(&SHA256);
    let mut read = ReadLines::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        let limit = MAX_LINE_BYTES as u64 + 1;
        let taken = (&mut reader).take(limit).read_until(b'\n', &mut line);
        let number = read.lines as usize + 1;
        let mut skip = |reason: String| read.skipped.push((SourcePlace::Line(number), reason));
        match taken {
            Ok(0) => break,
            Ok(taken) => read.bytes += taken as u64,
            Err(error) if is_packed => {
                skip(format!("incomplete: unpacking failed here ({error})"));
                break;
            }
            Err(error) => return Err(SourceError::io(path)(error)),
        }
        hash.update(&line);
        read.lines += 1;
        let is_ended = line.ends_with(b"\n");
        if !is_ended && line.len() > MAX_LINE_BYTES {
            let rest = skip_rest(&mut reader, &mut hash).map_err(SourceError::io(path))?;
            read.bytes += rest;
            let bytes = line.len() as u64 + rest;
            read.skipped.push((
                SourcePlace::Line(number),
                format!("a line of {bytes} bytes was left out"),
            ));
            continue;
        }
        let bytes = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line);
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        let used = if let Ok(text) = std::str::from_utf8(bytes) {
            let text = text.trim_end_matches(['\n', '\r']);
            each(SourceLine { number, text })
        } else {
            let text = String::from_utf8_lossy(bytes);
            let text = text.trim_end_matches(['\n', '\r']);
            skip("bytes that are no UTF-8 were replaced".to_owned());
            each(SourceLine { number, text })
        };
        match used {
            Ok(()) => {}
            Err(_) if !is_ended => skip("the last line is not whole yet".to_owned()),
            Err(reason) => skip(reason),
        }
    }
    read.sha256 = hex(hash.finish().as_ref());
    Ok(read)
}

/// Passes over the rest of a line without holding it. Returns its length in bytes.
fn skip_rest(reader: &mut impl BufRead, hash: &mut Context) -> io::Result<u64> {
    let mut skipped = 0;
    loop {
        let available = reader.fill_buf()?;
        if available.is_empty() {
            return Ok(skipped);
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(available.len(), |at| at + 1);
        hash.update(available.get(..length).unwrap_or_default());
        reader.consume(length);
        skipped += length as u64;
        if end.is_some() {
            return Ok(skipped);
        }
    }
}

/// The objects of a text, one a line or printed over many, up to the first that is none.
pub(super) fn json_objects(text: &str) -> impl Iterator<Item = Value> {
    let objects = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    objects.map_while(Result::ok)
}

/// The start of a session's origin.
pub(super) fn origin(
    program: ForeignProgram,
    generation: &'static str,
    path: &Path,
) -> ForeignOrigin {
    ForeignOrigin {
        program,
        generation,
        version: None,
        path: path.to_owned(),
        session: String::new(),
        sha256: String::new(),
        bytes: 0,
        records: 0,
    }
}

/// Reads a record. A lone half of a surrogate pair in its text is replaced.
pub(super) fn record<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, String> {
    if !text.trim_start().starts_with('{') {
        return Err("not a JSON object".to_owned());
    }
    let error = match serde_json::from_str(text) {
        Ok(record) => return Ok(record),
        Err(error) => error,
    };
    let mended = crate::transcript::mend_halves(text);
    let mended = mended.and_then(|text| serde_json::from_str(&text).ok());
    mended.ok_or_else(|| error.to_string())
}

/// Regular files below a folder, in the order of their paths; links are not followed.
pub(super) fn files_below(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![(folder.to_owned(), depth)];
    while let Some((folder, depth)) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if kind.is_dir() && depth > 1 {
                open.push((entry.path(), depth - 1));
            } else if kind.is_file() && found.len() < MAX_FILES {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}
