//! Questions of a front end that change nothing, and their replies.

use std::path::PathBuf;
use std::sync::Arc;

use super::{
    ChildId, ChildTranscript, CompactionProposal, EngineListing, LoginChoice, ModelChoice,
    NotesView, Op, PermissionList, RecallReport, RewindPlan, RuleList, SessionCost, SessionList,
    SettingsReport, ToolListing, WireView,
};
use crate::checkpoint::ChangesReport;
use crate::context::fidelity::FidelityScore;
use crate::mcp::ServerReport;
use crate::session::SessionPeek;
use crate::transcript::{CompactionStanding, EntryId, Transcript};

/// Tells the replies of one front end apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueryId(pub u64);

/// A question that changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Query {
    /// The exact request body of the next request.
    Wire,
    /// A compaction of the log as it would have been reviewed.
    Compaction(EntryId),
    /// How much of the conversation each compaction of the log left within reach.
    Fidelity,
    /// The view after this op, without doing it. It has no reply when the op is not a pin,
    /// restore, drop or undo, or when it would be refused.
    Foresee(Box<Op>),
    /// The standing rules, with what becomes of them.
    Rules,
    /// Calls that may run without a question.
    Permissions,
    /// All settings with their origins.
    Settings,
    /// The providers, with where their keys come from.
    Logins,
    /// The session's changes to files.
    Changes,
    /// The effect of a rewind on files.
    RewindPlan {
        /// The entry that the conversation would end with; `None`: the beginning.
        to: Option<EntryId>,
        /// The message of the user that is gone back to, when it is one.
        ask: Option<EntryId>,
    },
    /// Cost of the session so far.
    Cost,
    /// The tools that the model has.
    Tools,
    /// The MCP servers.
    Servers,
    /// The context engines.
    Engines,
    /// The models that could be used.
    Models,
    /// The sessions of this directory, or of all directories.
    Sessions {
        /// Of all directories.
        all: bool,
    },
    /// The sessions of another program in this directory, or in all directories; answered as
    /// [`Query::Sessions`].
    ForeignSessions {
        /// The program.
        program: String,
        /// Of all directories.
        all: bool,
    },
    /// Sessions of all programs and directories with these words; answered as
    /// [`Query::Sessions`], once more when the index has been brought up to date.
    SessionText(String),
    /// The end of a session.
    SessionPeek(PathBuf),
    /// All entries on all branches.
    History,
    /// Notes of this project.
    Notes,
    /// What was said in the session of a sub-agent.
    Child(ChildId),
    /// Where a text was said in the session.
    Recall(String),
}

/// The reply to a [`Query`].
#[derive(Clone, Debug)]
pub enum QueryReply {
    /// [`Query::Wire`]
    Wire(Box<WireView>),
    /// [`Query::Compaction`]
    Compaction {
        /// Its entry.
        entry: EntryId,
        /// Whether it counts.
        standing: CompactionStanding,
        /// With what it draws on.
        proposal: Box<CompactionProposal>,
    },
    /// [`Query::Fidelity`]: each compaction with its score, in file order.
    Fidelity(Vec<(EntryId, FidelityScore)>),
    /// [`Query::Foresee`]: nothing was done.
    Foreseen {
        /// The op that was asked about.
        op: Op,
        /// The effect of an undo or redo, in words, with the files that change; for an undo or
        /// redo.
        undoes: Option<String>,
        /// Estimate of the view after it.
        tokens_after: u64,
    },
    /// [`Query::Rules`]
    Rules(Box<RuleList>),
    /// [`Query::Permissions`]; also after a revocation.
    Permissions(Box<PermissionList>),
    /// [`Query::Settings`]; also after each change of a setting.
    Settings(Box<SettingsReport>),
    /// [`Query::Logins`]
    Logins(Vec<LoginChoice>),
    /// [`Query::Changes`]
    Changes(Box<ChangesReport>),
    /// [`Query::RewindPlan`]
    RewindPlan(Box<RewindPlan>),
    /// [`Query::Cost`]
    Cost(Box<SessionCost>),
    /// [`Query::Tools`]
    Tools(Vec<ToolListing>),
    /// [`Query::Servers`]; also after each act on them.
    Servers(Vec<ServerReport>),
    /// [`Query::Engines`]
    Engines(Vec<EngineListing>),
    /// [`Query::Models`]
    Models(Vec<ModelChoice>),
    /// [`Query::Sessions`]; also after each change of the list.
    Sessions(SessionList),
    /// [`Query::SessionPeek`]
    SessionPeek(Box<SessionPeek>),
    /// [`Query::History`]: every entry, with the current leaf.
    History(Arc<Transcript>),
    /// [`Query::Notes`]
    Notes(NotesView),
    /// [`Query::Child`]
    Child(Box<ChildTranscript>),
    /// [`Query::Recall`]
    Recall(Box<RecallReport>),
}
