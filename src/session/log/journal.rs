//! The arrived part of an answer that is still streaming, in `<file>.partial`, so that a kill
//! costs at most the last moment of it. The draft is the line that the answer would be if it
//! ended now; when the log is opened, a draft that is left over becomes an aborted answer.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::disk::{open, private};
use crate::session::paths;
use crate::session::record::{ParentLink, read_line, to_line};
use crate::session::time;
use crate::transcript::{Entry, EntryBody, EntryId, Message, StopReason, Timestamp, Transcript};

/// Shortest time between two drafts: what a kill may cost. Nothing is flushed to the disk
/// for it: what a program has written is there when it is killed.
pub const DRAFT_INTERVAL: Duration = Duration::from_millis(250);
/// More drafts of one millisecond than this do not come about.
const MOST_ASIDE: u32 = 100;
/// No answer is longer, by far.
const MAX_DRAFT_BYTES: u64 = 512 * 1024 * 1024;
/// The note on an answer that was recovered.
const INTERRUPTED: &str = "the program stopped while this answer was streaming";

/// Keeps the draft of one answer. Removing it is the log's business, when the answer's own
/// entry is written.
#[derive(Clone, Debug)]
pub struct StreamJournal {
    /// `None` for sessions without a file.
    path: Option<PathBuf>,
    last: Option<Timestamp>,
}

/// The outcome for a left-over draft.
#[derive(Debug, PartialEq)]
pub(in crate::session) enum DraftLeftover {
    /// There is none, or its answer is in the log.
    None,
    /// It is to be appended.
    Recovered(Box<Entry>),
    /// It could not be used, for this reason.
    Useless(String),
}

impl StreamJournal {
    pub(in crate::session) fn new(session: Option<&Path>) -> Self {
        Self {
            path: session.map(draft_path),
            last: None,
        }
    }

    /// Whether there is anywhere to keep a draft.
    pub fn has_file(&self) -> bool {
        self.path.is_some()
    }

    /// Whether the last draft is old enough for another one: ask before building it.
    pub fn is_due(&self, now: Timestamp) -> bool {
        let interval = i64::try_from(DRAFT_INTERVAL.as_millis()).unwrap_or(i64::MAX);
        self.path.is_some()
            && self.last.is_none_or(|last| {
                let age = now.0.saturating_sub(last.0);
                // A clock that went backwards must not end the journal.
                !(0..interval).contains(&age)
            })
    }

    /// Replaces the draft, when it is due. `draft` is the assistant entry as far as it has
    /// arrived, with the id that the whole answer's entry will have.
    pub fn update(&mut self, draft: &Entry, now: Timestamp) -> io::Result<()> {
        let Some(path) = self.path.as_deref().filter(|_| self.is_due(now)) else {
            return Ok(());
        };
        // Also on failure: a full disk should not be asked with every token.
        self.last = Some(now);
        private::replace(path, to_line(draft).as_bytes())
    }
}

/// The draft's file.
pub(in crate::session) fn draft_path(session: &Path) -> PathBuf {
    paths::beside(session, "partial")
}

/// Looks for a draft that was left over when this transcript was written.
pub(in crate::session) fn leftover(session: &Path, transcript: &Transcript) -> DraftLeftover {
    let bytes = match open::read_unlinked(&draft_path(session), MAX_DRAFT_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return DraftLeftover::None,
        Err(error) => return DraftLeftover::Useless(error.to_string()),
    };
    let text = String::from_utf8_lossy(&bytes);
    let line = match read_line(&text) {
        Ok(line) => line,
        Err(what) => return DraftLeftover::Useless(what),
    };
    let (Some(id), EntryBody::Message(message)) = (line.id, &line.body) else {
        return DraftLeftover::Useless("it is not a message".to_owned());
    };
    let Message::Assistant(answer) = message.as_ref() else {
        return DraftLeftover::Useless("it is not an answer".to_owned());
    };
    if transcript.get(&id).is_some() {
        return DraftLeftover::None;
    }
    let parent = match line.parent {
        ParentLink::Id(parent) => Some(parent),
        ParentLink::Root | ParentLink::Unsaid => None,
    };
    if has_moved_on(transcript, parent.as_ref()) {
        return DraftLeftover::Useless("the session continued without it".to_owned());
    }
    let mut answer = answer.clone();
    answer.stop = StopReason::Aborted;
    answer.error = Some(INTERRUPTED.to_owned());
    DraftLeftover::Recovered(Box::new(Entry {
        id,
        // After the settings and notes that were written while it streamed.
        parent: transcript.leaf().cloned(),
        timestamp: line.timestamp,
        body: EntryBody::Message(Arc::new(Message::Assistant(answer))),
    }))
}

/// Whether somebody has said something since `parent`, or elsewhere than after it: clocks are
/// set back, entries stay in order.
fn has_moved_on(transcript: &Transcript, parent: Option<&EntryId>) -> bool {
    let mut since = 0;
    for entry in transcript.branch().iter().rev() {
        if Some(&entry.id) == parent {
            return false;
        }
        if entry.body.speaks_to_model() {
            return true;
        }
        since += 1;
    }
    // Its parent is not on this branch, or it is the first of all.
    parent.is_some() || since != transcript.len()
}

/// Puts a draft that cannot be used where no other draft replaces it.
pub(in crate::session) fn set_aside(session: &Path, now: Timestamp) -> io::Result<PathBuf> {
    let name = format!("unused-{}", time::to_file_name(now));
    let mut aside = paths::beside(session, &name);
    // Two within a millisecond, or on a clock that does not move.
    for number in 2..=MOST_ASIDE {
        if aside.symlink_metadata().is_err() {
            break;
        }
        aside = paths::beside(session, &format!("{name}-{number}"));
    }
    std::fs::rename(draft_path(session), &aside)?;
    Ok(aside)
}

/// Removes the draft, if there is one.
pub(in crate::session) fn clear(session: &Path) {
    // One that stays is recognised by its id when the session is opened.
    let _ = std::fs::remove_file(draft_path(session));
}
