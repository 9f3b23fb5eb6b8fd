//! One line of the session log.

mod author;
mod child;
mod compaction;
mod cut;
mod decision;
mod expense;
mod files;
mod import;
mod measurement;
mod rule;
mod todo;

use std::fmt;
use std::sync::Arc;

use super::{Message, Part};

pub use author::{Author, NoteKind};
pub use child::{ChildEnd, ChildLink};
pub use compaction::{
    AskCheck, AuditRecord, Compaction, CompactionCause, CompactionCost, CompactionDetails,
    HistoryShare, IdentifierDemand, SummaryAppendix, SummaryCheck, TailExceptions, Trigger,
    UngroundedClaim, cut_label,
};
pub use cut::{ArgumentCut, Cut, CutForm, CutPhase, LEFT_OUT_FIELD};
pub use decision::{Decision, EntryOverride};
pub use expense::{Expense, Purpose};
pub use files::{
    ChangedBy, FileCause, FileChange, FileLedger, FileRecord, FileState, TrackedFile, states_at,
};
pub use import::{ImportRecord, LostPart};
pub use measurement::{EngineMark, Measurement, SummariserKey, SummaryAttempt, UsageSample};
pub use rule::{RuleChange, RuleId};
pub use todo::{TodoItem, TodoList, TodoState};

/// Identity of an entry, unique in its session: 8 hex digits as a rule, anything
/// non-empty in files that other programs wrote. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryId(Arc<str>);

impl EntryId {
    /// Wraps an id from the log.
    pub fn new(id: impl Into<Arc<str>>) -> Self {
        Self(id.into())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A clock reading in milliseconds since the Unix epoch, UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Whole seconds from `earlier` to `self`; 0 when the clock went backwards.
    pub fn secs_since(self, earlier: Self) -> u64 {
        u64::try_from(self.0.saturating_sub(earlier.0) / 1000).unwrap_or(0)
    }
}

/// One immutable line of the session log.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Unique in the session.
    pub id: EntryId,
    /// The entry this one follows; `None` at the root of the tree.
    pub parent: Option<EntryId>,
    /// When it was written.
    pub timestamp: Timestamp,
    /// The content.
    pub body: EntryBody,
}

/// The content of an entry. Only some kinds speak to the model: see
/// [`EntryBody::speaks_to_model`].
#[derive(Clone, Debug, PartialEq)]
pub enum EntryBody {
    /// A message of the conversation. In an `Arc`, so that a view that sends it
    /// unchanged shares it.
    Message(Arc<Message>),
    /// A summary that stands for everything before `first_kept`.
    Compaction(Box<Compaction>),
    /// A summary of a branch that was left, enters the context as a user message.
    BranchSummary {
        /// The leaf of the branch that was left.
        from: Option<EntryId>,
        /// The summary of the branch that was left.
        summary: String,
    },
    /// Replaces (or, with `None`, empties) the content of an earlier message.
    ContextEdit {
        /// The message that is edited.
        target: EntryId,
        /// Its new content.
        replacement: Option<Vec<Part>>,
    },
    /// A message injected by a program, sent as a user message.
    CustomMessage {
        /// The author and reason, e.g. [`NoteKind::Continue`](super::NoteKind).
        custom_type: String,
        /// The content for the model.
        content: Vec<Part>,
        /// Whether a front end shows it.
        display: bool,
    },
    /// A decision over the view: it changes what is sent, never what was said.
    Decision(Decision),
    /// An observation of a provider; never sent.
    Measurement(Measurement),
    /// A paid request that is in no other entry; never sent.
    Expense(Expense),
    /// Files that changed, with what they were before; never sent.
    Files(Box<FileRecord>),
    /// A sub-agent was started, or has ended; never sent.
    Child(Box<ChildLink>),
    /// The origin of an imported session; never sent.
    Import(Box<ImportRecord>),
    /// Another program's data; never sent.
    Custom {
        /// That program's type name.
        custom_type: String,
    },
    /// A bookmark.
    Label {
        /// The entry that is labelled.
        target: EntryId,
        /// The label; `None` removes it.
        label: Option<String>,
    },
    /// Names the session.
    SessionInfo {
        /// The display name.
        name: String,
    },
    /// From here on another model answers.
    ModelChange {
        /// Provider id.
        provider: String,
        /// Model id.
        model: String,
    },
    /// From here on another reasoning level applies.
    ThinkingLevelChange {
        /// The level as text.
        level: String,
    },
    /// A type this version does not know. Kept in the file, ignored in the view.
    Unknown {
        /// The `type` field.
        kind: String,
    },
}

impl EntryBody {
    /// Whether this kind of entry is (or stands for) a message that a model reads.
    /// Such an entry on the active branch is in the view or in its left-out list,
    /// exactly once.
    pub fn speaks_to_model(&self) -> bool {
        matches!(
            self,
            Self::Message(_)
                | Self::Compaction(_)
                | Self::BranchSummary { .. }
                | Self::CustomMessage { .. }
        )
    }
}

impl Entry {
    /// The message, when the entry is one.
    pub fn message(&self) -> Option<&Arc<Message>> {
        match &self.body {
            EntryBody::Message(message) => Some(message),
            _ => None,
        }
    }

    /// Whether a person typed this: such an entry starts a turn. `replays` are not
    /// told apart here; a replay belongs to its original's turn (see `context`).
    pub fn is_typed_by_user(&self) -> bool {
        matches!(self.message().map(AsRef::as_ref), Some(Message::User(_)))
    }
}
