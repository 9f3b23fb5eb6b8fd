//! What a reader gives back, whatever the program.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::entry_tree::{EntryTree, LEAF_MARK};
use super::program::ForeignProgram;
use crate::transcript::{
    DuplicateEntry, Entry, EntryBody, EntryId, ImportRecord, LostPart, Message, NoteKind,
    Timestamp, Transcript,
};

/// The id of the entry that says where a session comes from: the root of all others.
pub(super) const RECORD_ID: &str = "import00";
/// The id of the note that tells the model so: the end of what was imported.
const NOTE_ID: &str = "import01";

/// The place of something in a source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourcePlace {
    /// The source as a whole.
    Whole,
    /// A line of the file, counted from 1.
    Line(usize),
    /// A row of a database or an element of a list, by its id.
    Row(String),
}

impl fmt::Display for SourcePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("session"),
            Self::Line(line) => write!(f, "line {line}"),
            Self::Row(row) => write!(f, "row {row}"),
        }
    }
}

/// Something of a source that the entries do not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportLoss {
    /// Where it stands.
    pub place: SourcePlace,
    /// What it is and why it was left out.
    pub reason: String,
}

impl ImportLoss {
    fn part(&self) -> LostPart {
        let (line, row) = match &self.place {
            SourcePlace::Whole => (None, None),
            SourcePlace::Line(line) => (Some(*line as u64), None),
            SourcePlace::Row(row) => (None, Some(row.clone())),
        };
        LostPart {
            line,
            row,
            reason: self.reason.clone(),
        }
    }

    /// `{line, reason}` or `{row, reason}`.
    pub fn json(&self) -> Value {
        match &self.place {
            SourcePlace::Whole => json!({ "reason": self.reason }),
            SourcePlace::Line(line) => json!({ "line": line, "reason": self.reason }),
            SourcePlace::Row(row) => json!({ "row": row, "reason": self.reason }),
        }
    }
}

/// Where a session comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeignOrigin {
    /// The program that wrote it.
    pub program: ForeignProgram,
    /// The generation of its format, e.g. `paginated`.
    pub generation: &'static str,
    /// The program's version, as the source says it last.
    pub version: Option<String>,
    /// The file.
    pub path: PathBuf,
    /// The program's id of the session.
    pub session: String,
    /// SHA-256 of the bytes that were read, in hexadecimal; empty for a database.
    pub sha256: String,
    /// Bytes that were read.
    pub bytes: u64,
    /// Lines or rows that were read.
    pub records: u64,
}

/// A session of another program.
#[derive(Clone, Debug, PartialEq)]
pub struct ForeignSession {
    /// Where it comes from.
    pub origin: ForeignOrigin,
    /// Its name, when it has one.
    pub title: Option<String>,
    /// The directory that it worked in; empty when nothing says so.
    pub cwd: String,
    /// When it began; 0 when nothing says so.
    pub started: Timestamp,
    /// All entries, parents first; the last one is the leaf.
    pub entries: Vec<Entry>,
    /// What the entries do not have, in the order of the source.
    pub lost: Vec<ImportLoss>,
    /// Records of unknown types, by type.
    pub unknown: BTreeMap<String, u64>,
    /// Its sub-agents.
    pub children: Vec<ForeignSession>,
    /// The call that started it and the session of that call, for a sub-agent.
    pub parent: Option<String>,
}

/// Counts of the active path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SessionCounts {
    /// Messages that a person typed.
    pub user_turns: u64,
    /// Answers of a model.
    pub answers: u64,
    /// Answers with reasoning.
    pub reasoning: u64,
    /// Calls of tools.
    pub tool_calls: u64,
    /// Results of calls.
    pub tool_results: u64,
    /// Results that say that the call failed.
    pub errors: u64,
    /// Images, each time that one occurs.
    pub images: u64,
    /// Distinct images.
    pub attachments: u64,
    /// Compactions.
    pub compactions: u64,
}

impl ForeignSession {
    /// The entries as a transcript, with the leaf where the program left it.
    pub fn transcript(&self) -> Result<Transcript, DuplicateEntry> {
        let mut transcript = Transcript::new();
        for entry in &self.entries {
            transcript.push(std::sync::Arc::new(entry.clone()))?;
        }
        Ok(transcript)
    }

    /// What the active path holds.
    pub fn counts(&self) -> SessionCounts {
        let Ok(transcript) = self.transcript() else {
            return SessionCounts::default();
        };
        let mut counts = SessionCounts::default();
        let mut distinct = HashSet::new();
        for entry in transcript.branch() {
            counts.add(&entry.body);
            let message = entry.message();
            for image in message.into_iter().flat_map(|it| it.images()) {
                counts.images += 1;
                distinct.insert(image.data.clone());
            }
        }
        counts.attachments = distinct.len() as u64;
        counts
    }

    /// Where the session comes from and what is not in it.
    pub fn record(&self) -> ImportRecord {
        let origin = &self.origin;
        ImportRecord {
            program: origin.program.name().to_owned(),
            version: origin.version.clone(),
            generation: origin.generation.to_owned(),
            path: origin.path.display().to_string(),
            session: origin.session.clone(),
            sha256: origin.sha256.clone(),
            bytes: origin.bytes,
            records: origin.records,
            unknown: self.unknown.clone(),
            lost: self.lost.iter().map(ImportLoss::part).collect(),
        }
    }

    /// The entries below the one that says where they come from, with a note for the model at
    /// the end: what is said after it is said here.
    pub(super) fn with_origin(&self) -> Vec<Entry> {
        let record = self.record();
        let root = EntryId::new(RECORD_ID);
        let mut entries = self.entries.clone();
        for entry in entries.iter_mut().filter(|it| it.parent.is_none()) {
            entry.parent = Some(root.clone());
        }
        // The note is the leaf in its place.
        let is_mark = |entry: &mut Entry| matches!(&entry.body, EntryBody::Custom { custom_type } if custom_type == LEAF_MARK);
        let mark = entries.pop_if(is_mark);
        let newest = entries.last().map(|it| (it.id.clone(), it.timestamp));
        let (leaf, at) = newest.unwrap_or((root.clone(), self.started));
        let note = Entry {
            id: EntryId::new(NOTE_ID),
            parent: Some(mark.and_then(|it| it.parent).unwrap_or(leaf)),
            timestamp: at,
            body: EntryBody::note(
                NoteKind::Imported,
                format!(
                    "The conversation before this note was imported from {}. Its tools may have \
                     other names here, and files may have changed since.",
                    record.source()
                ),
            ),
        };
        let record = Entry {
            id: root,
            parent: None,
            timestamp: self.started,
            body: EntryBody::Import(Box::new(record)),
        };
        std::iter::once(record)
            .chain(entries)
            .chain(std::iter::once(note))
            .collect()
    }

    /// Why nothing of it can be imported, if so.
    pub fn refusal(&self) -> Option<String> {
        if self.entries.iter().any(|entry| entry.message().is_some()) {
            return None;
        }
        let reason = match self.lost.first() {
            None => "it holds no message".to_owned(),
            Some(loss) => {
                let reason = &loss.reason;
                format!("it holds no message that could be read ({reason})")
            }
        };
        let origin = &self.origin;
        Some(format!(
            "{} is of {}: {reason}",
            origin.path.display(),
            origin.program
        ))
    }
}

impl SessionCounts {
    fn add(&mut self, body: &EntryBody) {
        match body {
            EntryBody::Compaction(_) => self.compactions += 1,
            EntryBody::Message(message) => match message.as_ref() {
                Message::User(_) => self.user_turns += 1,
                Message::Assistant(answer) => {
                    self.answers += 1;
                    self.tool_calls += answer.tool_calls().count() as u64;
                    let reasons = answer.content.iter().any(super::parts::is_reasoning);
                    self.reasoning += u64::from(reasons);
                }
                Message::ToolResult(result) => {
                    self.tool_results += 1;
                    self.errors += u64::from(result.is_error);
                }
                Message::BashExecution(_) => {}
            },
            _ => {}
        }
    }
}

/// A session while it is read.
pub(super) struct SessionDraft {
    pub(super) origin: ForeignOrigin,
    pub(super) title: Option<String>,
    pub(super) cwd: String,
    pub(super) started: Timestamp,
    pub(super) tree: EntryTree,
    pub(super) parent: Option<String>,
    lost: Vec<ImportLoss>,
    unknown: BTreeMap<String, (u64, SourcePlace)>,
}

impl SessionDraft {
    pub(super) fn new(origin: ForeignOrigin) -> Self {
        Self {
            origin,
            title: None,
            cwd: String::new(),
            started: Timestamp(0),
            tree: EntryTree::default(),
            parent: None,
            lost: Vec::new(),
            unknown: BTreeMap::new(),
        }
    }

    pub(super) fn lose(&mut self, place: SourcePlace, reason: impl Into<String>) {
        // A damaged row may lack even its id.
        let place = match place {
            SourcePlace::Row(row) if row.trim().is_empty() => {
                SourcePlace::Row("without id".to_owned())
            }
            place => place,
        };
        self.lost.push(ImportLoss {
            place,
            reason: reason.into(),
        });
    }

    /// Notes a record of a type that is not known.
    pub(super) fn meet_unknown(&mut self, kind: &str, place: SourcePlace) {
        /// Types are short; a longer one is none.
        const MOST_CHARS: usize = 80;
        let kind: String = kind.chars().take(MOST_CHARS).collect();
        self.unknown.entry(kind).or_insert((0, place)).0 += 1;
    }

    /// Takes over the earliest time, the newest directory and version that records say.
    pub(super) fn note_facts(&mut self, at: Timestamp, cwd: Option<&str>, version: Option<&str>) {
        if at.0 > 0 && (self.started.0 == 0 || at < self.started) {
            self.started = at;
        }
        if let Some(cwd) = cwd.filter(|cwd| !cwd.is_empty() && self.cwd.is_empty()) {
            cwd.clone_into(&mut self.cwd);
        }
        if let Some(version) = version.filter(|version| !version.is_empty()) {
            self.origin.version = Some(version.to_owned());
        }
    }

    /// The session with this leaf.
    pub(super) fn finish(
        mut self,
        leaf: Option<EntryId>,
        children: Vec<ForeignSession>,
    ) -> ForeignSession {
        let unknown = std::mem::take(&mut self.unknown);
        for (kind, (count, place)) in &unknown {
            let reason = format!("records of the unknown type {kind:?}: {count}, the first here");
            self.lose(place.clone(), reason);
        }
        let leaf = match &self.title {
            Some(name) => {
                let body = EntryBody::SessionInfo { name: name.clone() };
                Some(self.tree.add(leaf.as_ref(), "title", self.started, body))
            }
            None => leaf,
        };
        self.finished(leaf.as_ref(), children, unknown)
    }

    fn finished(
        self,
        leaf: Option<&EntryId>,
        children: Vec<ForeignSession>,
        unknown: BTreeMap<String, (u64, SourcePlace)>,
    ) -> ForeignSession {
        let unknown = unknown.into_iter().map(|(kind, (count, _))| (kind, count));
        ForeignSession {
            origin: self.origin,
            title: self.title,
            cwd: self.cwd,
            started: self.started,
            entries: self.tree.into_entries(leaf),
            lost: self.lost,
            unknown: unknown.collect(),
            children,
            parent: self.parent,
        }
    }
}
