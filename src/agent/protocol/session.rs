//! Sessions as a front end shows them.

use std::path::PathBuf;
use std::sync::Arc;

use crate::checkpoint::PlannedFile;
use crate::tool::{ApprovalMode, ApprovalPolicy, Permission};
use crate::transcript::{Entry, EntryId, ModelRef, ReasoningState};

/// Facts of a session: its file, model and state.
#[derive(Clone, Debug)]
pub struct SessionInfo {
    /// The id in its header.
    pub id: String,
    /// Display name; empty when unnamed.
    pub name: String,
    /// The file; `None` in memory.
    pub path: Option<PathBuf>,
    /// The directory it belongs to.
    pub cwd: PathBuf,
    /// Why nothing can be written, when it is read-only.
    pub read_only: Option<String>,
    /// The active branch, root first.
    pub branch: Vec<Arc<Entry>>,
    /// Compactions that other branches have, and what was undone there, in file order.
    pub aside: Vec<Arc<Entry>>,
    /// The current model.
    pub model: ModelRef,
    /// Why this model was chosen, one clause.
    pub model_reason: String,
    /// How hard it reasons; `None` when it is not known to.
    pub reasoning: Option<ReasoningState>,
    /// Context engine id.
    pub engine: String,
    /// Whether the file existed before.
    pub resumed: bool,
    /// The entry that a search led to.
    pub found: Option<EntryId>,
    /// Whether plan mode is on.
    pub plan_mode: bool,
    /// What runs without asking.
    pub approvals: ApprovalState,
}

/// What runs without asking: the mode, and the tools of which every call is allowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApprovalState {
    /// The mode.
    pub mode: ApprovalMode,
    /// Permissions for all calls of a tool, the longest lasting first.
    pub blanket: Vec<Permission>,
}

impl ApprovalState {
    /// The state of a policy.
    pub(in crate::agent) fn of(policy: &ApprovalPolicy) -> Self {
        let all = policy.permissions().into_iter();
        Self {
            mode: policy.mode(),
            blanket: all.filter(|it| it.pattern.is_none()).collect(),
        }
    }
}

/// The modes that one key goes through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WorkMode {
    /// Edits and commands ask.
    #[default]
    Ask,
    /// Edits in the folder run, commands ask.
    AcceptEdits,
    /// Nothing is changed, no command runs.
    Plan,
}

impl WorkMode {
    /// The mode after this state of a session: ask, accept edits, plan, and ask again. What is
    /// none of the three leads to ask.
    pub fn after(approvals: ApprovalMode, is_planning: bool) -> Self {
        match (is_planning, approvals) {
            (false, ApprovalMode::Ask) => Self::AcceptEdits,
            (false, ApprovalMode::Edits) => Self::Plan,
            (true, _) | (false, ApprovalMode::ReadOnly | ApprovalMode::All) => Self::Ask,
        }
    }

    /// The approval mode that it sets; `None` leaves the one that is set.
    pub fn approvals(self) -> Option<ApprovalMode> {
        match self {
            Self::Ask => Some(ApprovalMode::Ask),
            Self::AcceptEdits => Some(ApprovalMode::Edits),
            Self::Plan => None,
        }
    }
}

/// The effect of a rewind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewindPlan {
    /// The entry that the conversation would end with; `None`: the beginning.
    pub to: Option<EntryId>,
    /// The message of the user that is gone back to, when it is one.
    pub ask: Option<EntryId>,
    /// Files that would change, or cannot, in the order of their paths.
    pub files: Vec<PlannedFile>,
}

/// As what a session is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFormat {
    /// Markdown, for reading.
    #[default]
    Md,
    /// One HTML file, for reading in a browser.
    Html,
    /// The session file itself.
    Jsonl,
    /// The body of the next request, as the provider would get it.
    Json,
}

impl ExportFormat {
    /// All of them, the one that is meant when none is named first.
    pub const ALL: [Self; 4] = [Self::Md, Self::Html, Self::Jsonl, Self::Json];

    /// The name of the format, also the extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Md => "md",
            Self::Html => "html",
            Self::Jsonl => "jsonl",
            Self::Json => "json",
        }
    }

    /// The format of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }
}
