//! Brings the index up to date: files that are new or have another size or time are read
//! again, those that are gone are taken out. Sessions are read by a second thread while the
//! first one writes.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::document::documents;
use super::sources::{SearchPlaces, SourceFile};
use super::store::{IndexChange, IndexedSession, SearchError, SearchIndex};
use crate::foreign::{self, ForeignListing, ForeignProgram, ForeignSession, SessionStore};
use crate::session;
use crate::transcript::{EntryBody, ImportRecord, Transcript, title_from_text};

/// Larger files are not indexed: they are read whole.
const MAX_FILE_BYTES: i64 = 512 * 1024 * 1024;
/// Of codex only what counts is held.
const MAX_ROLLOUT_BYTES: i64 = 8 * MAX_FILE_BYTES;
/// Sessions that may wait for the writer.
const MAX_WAITING: usize = 4;
/// Files of one transaction: what is read once is kept, even if the program is ended.
const FILES_PER_COMMIT: usize = 64;

/// How far an update is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefreshProgress {
    /// Files that were read.
    pub done: usize,
    /// Files to be read.
    pub total: usize,
}

/// What an update did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RefreshReport {
    /// Files that were read.
    pub read: usize,
    /// Files that are gone.
    pub gone: usize,
    /// Files that could not be read, with the reason.
    pub unread: Vec<(PathBuf, String)>,
    /// Another process updates the index: it was left as it is.
    pub is_busy: bool,
}

/// What the reader tells the writer.
enum ReadStep {
    /// A session of a file.
    Session(usize, Box<IndexedSession>),
    /// A file was read. Of a database: sessions that have not changed since the last time.
    Done(usize, HashSet<String>, Option<String>),
}

impl SearchIndex {
    /// Brings the index up to date. `progress` hears of each file, and says whether to go on;
    /// what was read until then is kept.
    pub fn refresh(
        &mut self,
        places: &SearchPlaces,
        progress: &mut dyn FnMut(RefreshProgress) -> bool,
    ) -> Result<RefreshReport, SearchError> {
        let held = self.files()?;
        let files = places.files();
        let there: HashSet<&PathBuf> = files.iter().map(|file| &file.path).collect();
        // Files of another directory's stores are there, but not looked for here.
        let gone = held.keys().filter(|path| !there.contains(path));
        let gone: Vec<PathBuf> = gone.filter(|path| !path.exists()).cloned().collect();
        let is_changed = |file: &SourceFile| held.get(&file.path) != Some(&file.stamp);
        let changed: Vec<SourceFile> = files.iter().filter(|it| is_changed(it)).cloned().collect();
        let mut report = RefreshReport {
            gone: gone.len(),
            ..RefreshReport::default()
        };
        if changed.is_empty() && gone.is_empty() {
            return Ok(report);
        }
        let mut known = HashMap::new();
        for file in changed.iter().filter(|file| holds_several(file.program)) {
            known.insert(file.path.clone(), self.sessions_of(&file.path)?);
        }
        if !self.forget(&gone)? {
            report.is_busy = true;
            return Ok(report);
        }
        std::thread::scope(|scope| {
            let (to_writer, from_reader) = sync_channel(MAX_WAITING);
            let (changed, known) = (&changed, &known);
            scope.spawn(move || read_files(changed, known, &to_writer));
            self.write(changed, &from_reader, progress, &mut report)
        })?;
        Ok(report)
    }

    /// False: another process changes the index.
    fn forget(&mut self, gone: &[PathBuf]) -> Result<bool, SearchError> {
        let Some(change) = self.begin()? else {
            return Ok(false);
        };
        let forget = |change: IndexChange<'_>| {
            for path in gone {
                change.remove_file(path)?;
            }
            change.commit()
        };
        let forgotten = forget(change);
        forgotten.map_err(|source| self.failed(source))?;
        Ok(true)
    }

    fn write(
        &mut self,
        files: &[SourceFile],
        from_reader: &Receiver<ReadStep>,
        progress: &mut dyn FnMut(RefreshProgress) -> bool,
        report: &mut RefreshReport,
    ) -> Result<(), SearchError> {
        let total = files.len();
        let mut goes_on = true;
        while goes_on && report.read < total {
            let Some(change) = self.begin()? else {
                report.is_busy = true;
                return Ok(());
            };
            let batch = write_batch(&change, files, from_reader, report, &mut |report| {
                let done = report.read;
                goes_on = progress(RefreshProgress { done, total });
                goes_on
            });
            let written = batch.and_then(|more| {
                change.commit()?;
                Ok(more)
            });
            match written {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(source) => return Err(self.failed(source)),
            }
        }
        Ok(())
    }
}

/// Writes what comes until a batch is full. False when the reader has ended.
fn write_batch(
    change: &IndexChange<'_>,
    files: &[SourceFile],
    from_reader: &Receiver<ReadStep>,
    report: &mut RefreshReport,
    goes_on: &mut dyn FnMut(&RefreshReport) -> bool,
) -> rusqlite::Result<bool> {
    let first = report.read;
    // Sessions of the file that is being read, by their program's ids.
    let mut fresh: HashSet<String> = HashSet::new();
    while let Ok(step) = from_reader.recv() {
        match step {
            ReadStep::Session(at, session) => {
                let Some(file) = files.get(at) else { continue };
                if fresh.is_empty() && !holds_several(file.program) {
                    change.remove_sessions(&file.path, |_| true)?;
                } else {
                    change.remove_sessions(&file.path, |held| held == session.session)?;
                }
                change.add(&file.path, &session)?;
                fresh.insert(session.session.clone());
            }
            ReadStep::Done(at, unchanged, remark) => {
                let Some(file) = files.get(at) else { continue };
                if remark.is_none() || fresh.is_empty() {
                    let is_gone = |held: &str| !fresh.contains(held) && !unchanged.contains(held);
                    change.remove_sessions(&file.path, is_gone)?;
                }
                change.note_file(file, remark.as_deref())?;
                report
                    .unread
                    .extend(remark.map(|it| (file.path.clone(), it)));
                report.read += 1;
                fresh.clear();
                if !goes_on(report) || report.read - first >= FILES_PER_COMMIT {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Whether one file of the program holds many sessions.
fn holds_several(program: Option<ForeignProgram>) -> bool {
    match program {
        Some(
            ForeignProgram::OpenCode
            | ForeignProgram::Goose
            | ForeignProgram::Crush
            | ForeignProgram::Aider,
        ) => true,
        Some(
            ForeignProgram::ClaudeCode
            | ForeignProgram::Codex
            | ForeignProgram::GeminiCli
            | ForeignProgram::QwenCode
            | ForeignProgram::Cline
            | ForeignProgram::Pi
            | ForeignProgram::OpenClaw,
        )
        | None => false,
    }
}

/// Reads files one after the other, until the writer has ended.
fn read_files(
    files: &[SourceFile],
    known: &HashMap<PathBuf, HashMap<String, i64>>,
    to_writer: &SyncSender<ReadStep>,
) {
    let none = HashMap::new();
    for (at, file) in files.iter().enumerate() {
        let mut is_heard = true;
        let mut send = |session: IndexedSession| {
            let step = ReadStep::Session(at, Box::new(session));
            is_heard = is_heard && to_writer.send(step).is_ok();
        };
        let known = known.get(&file.path).unwrap_or(&none);
        let (unchanged, remark) = read_file(file, known, &mut send);
        if !is_heard
            || to_writer
                .send(ReadStep::Done(at, unchanged, remark))
                .is_err()
        {
            return;
        }
    }
}

/// Reads a file. Answers with the sessions that have not changed, and with what is wrong.
fn read_file(
    file: &SourceFile,
    known: &HashMap<String, i64>,
    send: &mut dyn FnMut(IndexedSession),
) -> (HashSet<String>, Option<String>) {
    let nothing = HashSet::new();
    let max = match file.program {
        Some(ForeignProgram::Codex) => MAX_ROLLOUT_BYTES,
        _ => MAX_FILE_BYTES,
    };
    if file.stamp.bytes > max && !holds_several(file.program) {
        let megabytes = file.stamp.bytes / 1024 / 1024;
        return (nothing, Some(format!("{megabytes} MB are not indexed")));
    }
    let Some(program) = file.program else {
        let remark = match session::load(&file.path) {
            Ok(loaded) => {
                send(own(&file.path, &loaded.header, &loaded.transcript));
                None
            }
            Err(error) => Some(error.to_string()),
        };
        return (nothing, remark);
    };
    if !holds_several(file.program) {
        // A sub-agent's file, or none of a conversation.
        let Some(listing) = foreign::listing_of(program, &file.path) else {
            return (nothing, None);
        };
        return match foreign::read(&listing.place, Some(program)) {
            Ok(read) => {
                send(foreign_session(&listing, &read));
                (nothing, None)
            }
            Err(error) => (nothing, Some(error.to_string())),
        };
    }
    read_database(program, file, known, send)
}

/// Reads the sessions of a database that have changed.
fn read_database(
    program: ForeignProgram,
    file: &SourceFile,
    known: &HashMap<String, i64>,
    send: &mut dyn FnMut(IndexedSession),
) -> (HashSet<String>, Option<String>) {
    let store = SessionStore {
        program,
        root: file.path.clone(),
    };
    let listings = match foreign::sessions_in(&store) {
        Ok(listings) => listings,
        Err(error) => return (HashSet::new(), Some(error.to_string())),
    };
    let is_known =
        |it: &&ForeignListing| it.updated.0 > 0 && known.get(&it.session) == Some(&it.updated.0);
    let unchanged = listings.iter().filter(is_known);
    let unchanged: HashSet<String> = unchanged.map(|it| it.session.clone()).collect();
    let changed: Vec<&ForeignListing> = listings
        .iter()
        .filter(|it| !unchanged.contains(&it.session))
        .collect();
    let ids: Vec<String> = changed.iter().map(|it| it.session.clone()).collect();
    let mut remark = None;
    let mut at = 0;
    foreign::read_each(program, &file.path, &ids, &mut |read| {
        match (read, changed.get(at)) {
            (Ok(read), Some(listing)) => send(foreign_session(listing, &read)),
            (Err(error), _) => remark = Some(error.to_string()),
            (Ok(_), None) => {}
        }
        at += 1;
    });
    (unchanged, remark)
}

fn own(path: &Path, header: &session::Header, transcript: &Transcript) -> IndexedSession {
    let mut name = None;
    let mut origin = None;
    for entry in transcript.entries() {
        match &entry.body {
            EntryBody::SessionInfo { name: new } => {
                name = Some(new.clone()).filter(|it| !it.is_empty());
            }
            EntryBody::Import(record) => origin = Some(key_of(record)),
            _ => {}
        }
    }
    let newest = transcript.entries().last().map(|it| it.timestamp);
    IndexedSession {
        program: String::new(),
        session: header.id.clone(),
        place: path.to_owned(),
        cwd: header.cwd.clone(),
        title: name.unwrap_or_else(|| title_of(transcript)),
        updated: newest.unwrap_or(header.timestamp).0,
        origin,
        documents: documents(transcript),
    }
}

fn foreign_session(listing: &ForeignListing, read: &ForeignSession) -> IndexedSession {
    let transcript = read.transcript().unwrap_or_default();
    let title = read.title.clone().or_else(|| listing.title.clone());
    let cwd = if read.cwd.is_empty() {
        &listing.cwd
    } else {
        &read.cwd
    };
    IndexedSession {
        program: listing.program.name().to_owned(),
        session: listing.session.clone(),
        place: listing.place.to_path(),
        cwd: cwd.clone(),
        title: title.unwrap_or_else(|| title_of(&transcript)),
        updated: listing.updated.0,
        origin: Some(key_of(&read.record())),
        documents: documents(&transcript),
    }
}

/// What an import and its source have in common.
fn key_of(record: &ImportRecord) -> String {
    format!("{}\n{}", record.program, record.session)
}

/// The short title of a session without a name, from the first message of the user.
fn title_of(transcript: &Transcript) -> String {
    let entries = transcript.entries().iter();
    let mut asks = entries.filter(|entry| entry.is_ask());
    let Some(ask) = asks.next().and_then(|entry| entry.message().cloned()) else {
        return String::new();
    };
    let text = ask.text();
    title_from_text(&text).unwrap_or_default()
}
