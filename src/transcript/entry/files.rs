//! The changes of a session to files, as the log keeps them: per change the state before and
//! the state after. Contents are named by their hash and kept elsewhere.
//!
//! The disk has one past, whatever branches the conversation has: so what the session left
//! is read in file order, and only what a place on a branch stands for along the path.

use std::collections::{BTreeMap, BTreeSet};

use super::{Entry, EntryBody, EntryId};
use crate::transcript::Transcript;

/// The state at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState {
    /// Nothing.
    Absent,
    /// A regular file.
    Content {
        /// SHA-256 of its bytes in hexadecimal.
        hash: String,
        /// Length in bytes.
        bytes: u64,
        /// Permission bits, where the system has them.
        mode: Option<u32>,
    },
    /// A symbolic link.
    Link {
        /// Its target, as written in it.
        target: String,
    },
    /// Something whose content was not kept.
    Unknown {
        /// Why, in a few words.
        why: String,
    },
}

/// One file that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// Absolute, without symlinks in its folders.
    pub path: String,
    /// Before.
    pub before: FileState,
    /// After. Of a tool's edit it is written down before the edit: a killed program may
    /// have left the state before.
    pub after: FileState,
}

/// The cause of changes to files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileCause {
    /// A tool that edits; written before it does.
    Tool,
    /// A command of the model.
    Command,
    /// A command of the user.
    UserCommand,
    /// Nothing but commands in the background: what somebody else changed meanwhile cannot
    /// be told from what they did.
    Job,
    /// The session was taken back; written before the files are.
    Rewind {
        /// Where the conversation was, when it was taken back as well.
        from: Option<EntryId>,
        /// The rewind that this one takes back.
        undoes: Option<EntryId>,
    },
}

/// Files that changed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRecord {
    /// The cause.
    pub cause: FileCause,
    /// Commands that ran in the background meanwhile, ascending: it may have been them.
    pub jobs: Vec<u64>,
    /// In the order of their paths.
    pub changes: Vec<FileChange>,
    /// Changes beyond those that are listed.
    pub unlisted: u64,
    /// Why the files were not looked at, when they were not.
    pub unseen: Option<String>,
}

impl FileCause {
    /// Where the conversation was when it was taken back; `None` for all else, and for a
    /// rewind of files alone.
    pub fn moved_from(&self) -> Option<&EntryId> {
        match self {
            Self::Rewind { from, .. } => from.as_ref(),
            Self::Tool | Self::Command | Self::UserCommand | Self::Job => None,
        }
    }
}

/// The log's knowledge of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackedFile {
    /// Before the session touched it first.
    pub original: FileState,
    /// As the session left it, or meant to.
    pub latest: FileState,
    /// Before the newest change: what is there when the program was killed before it.
    pub penultimate: FileState,
    /// Causes besides tools.
    pub by: ChangedBy,
}

/// Causes of a change besides tools that say which file they change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedBy {
    /// A command of the model.
    pub command: bool,
    /// A command of the user.
    pub user_command: bool,
    /// Commands in the background that ran while it changed.
    pub jobs: BTreeSet<u64>,
}

impl ChangedBy {
    fn add(&mut self, record: &FileRecord) {
        self.command |= record.cause == FileCause::Command;
        self.user_command |= record.cause == FileCause::UserCommand;
        self.jobs.extend(&record.jobs);
    }

    /// In words, one a remark; a job that ran is not said to have done it.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        if self.command {
            words.push("by command".to_owned());
        }
        if self.user_command {
            words.push("by your command".to_owned());
        }
        if !self.jobs.is_empty() {
            let ids: Vec<String> = self.jobs.iter().map(u64::to_string).collect();
            let jobs = if ids.len() == 1 { "job" } else { "jobs" };
            words.push(format!("while {jobs} {} ran", ids.join(", ")));
        }
        words
    }
}

/// The log's knowledge of all files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileLedger {
    /// By path.
    pub files: BTreeMap<String, TrackedFile>,
    /// Changes that were too many to be listed.
    pub unlisted: u64,
    /// Why some command's changes were not looked at, the newest reason.
    pub unseen: Option<String>,
}

fn record(entry: &Entry) -> Option<&FileRecord> {
    match &entry.body {
        EntryBody::Files(record) => Some(record),
        _ => None,
    }
}

impl FileLedger {
    /// Reads all records of a session.
    pub fn of(transcript: &Transcript) -> Self {
        let mut ledger = Self::default();
        for record in transcript.entries().iter().filter_map(|it| record(it)) {
            ledger.add(record);
        }
        ledger
    }

    /// One more record.
    pub fn add(&mut self, record: &FileRecord) {
        self.unlisted += record.unlisted;
        if record.unseen.is_some() {
            self.unseen.clone_from(&record.unseen);
        }
        for change in &record.changes {
            let tracked = self
                .files
                .entry(change.path.clone())
                .or_insert_with(|| TrackedFile {
                    original: change.before.clone(),
                    latest: change.after.clone(),
                    penultimate: change.before.clone(),
                    by: ChangedBy::default(),
                });
            tracked.penultimate = change.before.clone();
            tracked.latest = change.after.clone();
            tracked.by.add(record);
        }
    }

    /// Files that the session left in another state than it found them.
    pub fn changed(&self) -> usize {
        self.files
            .values()
            .filter(|it| it.original != it.latest)
            .count()
    }
}

/// The states of files that a place in the conversation stands for, by path: of those that
/// changed on the way there. `to` is the entry that the conversation would end with.
pub fn states_at(transcript: &Transcript, to: Option<&EntryId>) -> BTreeMap<String, FileState> {
    let here = transcript.branch();
    let mut moved = transcript.clone();
    moved.set_leaf(to.cloned());
    let there = moved.branch();
    let common = here
        .iter()
        .zip(&there)
        .take_while(|(a, b)| a.id == b.id)
        .count();
    let mut states = BTreeMap::new();
    for record in here.iter().skip(common).filter_map(|it| record(it)) {
        // A rewind that moved the conversation came from another branch: what it found is
        // not what the branch began with.
        if record.cause.moved_from().is_some() {
            continue;
        }
        for change in &record.changes {
            let state = || change.before.clone();
            states.entry(change.path.clone()).or_insert_with(state);
        }
    }
    for record in there.iter().skip(common).filter_map(|it| record(it)) {
        for change in &record.changes {
            states.insert(change.path.clone(), change.after.clone());
        }
    }
    states
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::transcript::{Message, Timestamp};

    fn content(hash: &str) -> FileState {
        FileState::Content {
            hash: hash.to_owned(),
            bytes: 1,
            mode: Some(0o644),
        }
    }

    struct Story(Transcript);

    impl Story {
        fn push(&mut self, id: &str, body: EntryBody) {
            let entry = Entry {
                id: EntryId::new(id),
                parent: self.0.leaf().cloned(),
                timestamp: Timestamp(0),
                body,
            };
            self.0.push(Arc::new(entry)).unwrap();
        }

        fn say(&mut self, id: &str) {
            self.push(id, EntryBody::Message(Arc::new(Message::user_text("x"))));
        }

        fn change(&mut self, id: &str, cause: FileCause, changes: &[(&str, &str, &str)]) {
            let changes = changes.iter().map(|(path, before, after)| FileChange {
                path: (*path).to_owned(),
                before: content(before),
                after: content(after),
            });
            let record = FileRecord {
                cause,
                jobs: Vec::new(),
                changes: changes.collect(),
                unlisted: 0,
                unseen: None,
            };
            self.push(id, EntryBody::Files(Box::new(record)));
        }

        fn at(&self, to: Option<&str>) -> Vec<(String, FileState)> {
            let to = to.map(EntryId::new);
            states_at(&self.0, to.as_ref()).into_iter().collect()
        }
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, FileState)> {
        pairs
            .iter()
            .map(|(path, hash)| ((*path).to_owned(), content(hash)))
            .collect()
    }

    #[test]
    fn a_place_stands_for_what_was_there_when_the_conversation_was() {
        let mut story = Story(Transcript::new());
        story.say("q1");
        story.change("e1", FileCause::Tool, &[("/a", "0", "1")]);
        story.say("q2");
        story.change(
            "e2",
            FileCause::Command,
            &[("/a", "1", "2"), ("/b", "x", "y")],
        );
        assert_eq!(story.at(Some("e2")), [], "here");
        assert_eq!(story.at(Some("q2")), pairs(&[("/a", "1"), ("/b", "x")]));
        assert_eq!(story.at(Some("q1")), pairs(&[("/a", "0"), ("/b", "x")]));
        assert_eq!(story.at(None), pairs(&[("/a", "0"), ("/b", "x")]));

        // Another branch, on which the disk is still as the first one left it.
        story.0.set_leaf(Some(EntryId::new("q1")));
        story.say("q3");
        story.change("e3", FileCause::Tool, &[("/a", "2", "3")]);
        assert_eq!(story.at(Some("q3")), pairs(&[("/a", "2")]));
        assert_eq!(story.at(Some("e2")), pairs(&[("/a", "2"), ("/b", "y")]));
        let ledger = FileLedger::of(&story.0);
        assert_eq!(ledger.files["/a"].original, content("0"));
        assert_eq!(ledger.files["/a"].latest, content("3"));
        assert_eq!(ledger.files["/b"].by.words(), ["by command"]);
        assert_eq!(ledger.changed(), 2);
    }

    #[test]
    fn a_rewind_is_no_beginning_of_a_file() {
        let mut story = Story(Transcript::new());
        story.say("q1");
        story.change("e1", FileCause::Tool, &[("/a", "0", "1")]);
        story.0.set_leaf(Some(EntryId::new("q1")));
        let rewind = FileCause::Rewind {
            from: Some(EntryId::new("e1")),
            undoes: None,
        };
        story.change("r1", rewind, &[("/a", "1", "0")]);
        story.say("q2");
        assert_eq!(story.at(Some("q1")), [], "it is as it was there");
        assert_eq!(story.at(Some("e1")), pairs(&[("/a", "1")]));
        assert_eq!(FileLedger::of(&story.0).changed(), 0);
        let undo = FileCause::Rewind {
            from: None,
            undoes: Some(EntryId::new("r1")),
        };
        story.change("u1", undo, &[("/a", "0", "1")]);
        assert_eq!(FileLedger::of(&story.0).changed(), 1);
    }
}
