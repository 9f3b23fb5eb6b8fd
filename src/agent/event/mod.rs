//! What the agent says happened. The TUI, `-p` and stream-json read the same events.

mod compaction;
mod kept;
mod listing;
mod notice;
mod settings;
mod words;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::account::Account;
use super::op::UndoWay;
use crate::checkpoint::{ChangesReport, PlannedFile};
use crate::context::ContextView;
use crate::session::SessionPeek;
use crate::tool::JobInfo;
use crate::transcript::{
    ActKind, AuditRecord, Compaction, Entry, EntryId, Image, ModelRef, Standing, StopReason,
    ToolCall, Transcript, Trigger, Usage,
};

pub use compaction::{CompactionPlan, CompactionProposal, SummaryLine, SummarySources};
pub use kept::{Kept, Unsaved};
pub use listing::{
    ABILITY_LEGEND, Abilities, Freedom, ModelChoice, NotesView, PermissionList, SessionList,
    SessionListing, ToolListing, WireView,
};
pub use notice::{Notice, NoticeLevel};
pub use settings::{
    InterfaceChange, LoginChoice, NextStart, SettingOutcome, SettingState, SettingsReport,
};

/// Something that happened, in order.
#[derive(Clone, Debug)]
pub enum AgentEvent {
    /// A session is open; everything shown before belongs to another one.
    SessionOpened(Box<SessionInfo>),
    /// An entry was written to the log.
    Entry(Arc<Entry>),
    /// The branch was moved (undo, going back, another branch): the whole new branch.
    BranchMoved(Vec<Arc<Entry>>),
    /// The view changed. Published before each request and whenever a number moves.
    View(Arc<ContextView>),
    /// A request is on its way; waiting for the first byte.
    RequestStarted {
        /// Who shall answer.
        model: ModelRef,
    },
    /// More of the answer that is streaming. Its entry follows when it ends.
    Delta(AnswerDelta),
    /// A tool call is about to run (after approval).
    ToolStarted {
        /// The call's id.
        call_id: String,
        /// The tool.
        name: String,
        /// One line that says what it does.
        title: String,
    },
    /// Output of the running tool, raw.
    ToolOutput {
        /// The call's id.
        call_id: String,
        /// The next piece.
        text: String,
    },
    /// A tool call ended; its result entry has been published.
    ToolFinished {
        /// The call's id.
        call_id: String,
        /// Whether it failed.
        is_error: bool,
        /// How long it took.
        elapsed: Duration,
    },
    /// The user has to agree before a call runs.
    Approval(Box<ApprovalRequest>),
    /// An approval is no longer wanted (answered or interrupted).
    ApprovalClosed {
        /// Which one.
        id: u64,
    },
    /// A message is larger than the window: the user has to say what becomes of it.
    Oversize(Box<OversizeOffer>),
    /// That offer is no longer open (answered or interrupted).
    OversizeClosed {
        /// Which one.
        id: u64,
    },
    /// Inputs were not sent and not run, and are no part of the conversation; the composer has
    /// them again. Oldest first.
    InputReturned(Vec<ReturnedInput>),
    /// Messages and commands that wait until something that runs is over, oldest first.
    Queued(Vec<QueuedInput>),
    /// A request failed and is tried again.
    Retrying {
        /// Which try comes next, from 2.
        attempt: u32,
        /// At most this many.
        max_attempts: u32,
        /// When.
        after: Duration,
        /// Why, one sentence.
        reason: String,
    },
    /// The provider refused a request as too long.
    Overflow {
        /// The provider's count, when it gave one.
        requested_tokens: Option<u64>,
        /// The provider's limit, when it gave one.
        limit_tokens: Option<u64>,
        /// Recovery attempt that follows, from 1.
        attempt: u32,
    },
    /// The user's message was sent again after an overflow.
    Replayed {
        /// As the user typed it.
        original: EntryId,
        /// As it was sent again.
        replay: EntryId,
        /// Whether attachments were removed.
        stripped: bool,
    },
    /// Tool results were pruned.
    Pruned {
        /// How many were trimmed.
        trimmed: u64,
        /// How many were cleared.
        cleared: u64,
        /// Tokens that this freed.
        tokens_saved: u64,
        /// Cached tokens that this gave up.
        cache_given_up_tokens: u64,
        /// Nothing was changed.
        dry_run: bool,
    },
    /// Tool results were cut to fit.
    Guarded {
        /// How many were cut.
        truncated: u64,
        /// How many were cleared.
        cleared: u64,
    },
    /// A summary is being written.
    CompactionStarted {
        /// What started it.
        trigger: Trigger,
        /// Estimate of the view now.
        tokens_before: u64,
        /// Messages that it will replace.
        summarized: u64,
        /// Turns that stay verbatim.
        kept_turns: u32,
    },
    /// Which part of the work is going on: `part 2/3`, `merge`, `audit · retry 1`.
    CompactionProgress {
        /// For the status line.
        stage: String,
    },
    /// More of the summary that is being written.
    CompactionDelta(String),
    /// A summary was written and checked.
    CompactionAudited(AuditRecord),
    /// A summary waits for the user's answer.
    CompactionReview(Box<CompactionProposal>),
    /// What the summary under review draws on: it follows the review, which does not
    /// wait for it.
    CompactionSources(Box<SummarySources>),
    /// Answer to [`Op::ShowCompaction`](super::Op): a compaction of the log, as it would
    /// have been reviewed.
    CompactionShown {
        /// Its entry.
        entry: EntryId,
        /// Whether it counts.
        standing: Standing,
        /// With what it draws on.
        proposal: Box<CompactionProposal>,
    },
    /// A dry run: what a compaction would do.
    CompactionPlanned(Box<CompactionPlan>),
    /// A compaction counts from here on.
    CompactionApplied {
        /// Its entry.
        entry: EntryId,
        /// What it says and how it came about.
        compaction: Box<Compaction>,
    },
    /// Nothing was changed, because the user (or the loop guard) said so.
    CompactionCancelled {
        /// Why.
        reason: String,
    },
    /// Nothing was changed, because it failed.
    CompactionFailed {
        /// What started it.
        trigger: Trigger,
        /// Machine-readable: `history_too_large`, `message_too_large`,
        /// `summariser_failed`, `timeout`, `nothing_to_compact`, `no_such_entry`.
        cause: &'static str,
        /// What was tried, and what can be done.
        message: String,
        /// Attempts made.
        attempts: u32,
        /// The turn ends for it, and its end says the same in the same words.
        ends_turn: bool,
    },
    /// A compaction was undone.
    CompactionUndone {
        /// The compaction.
        target: EntryId,
        /// Estimate of the view now.
        tokens_after: u64,
        /// Whether the view is now beyond the load line.
        over_load_line: bool,
    },
    /// A pin, restore or drop took effect.
    OverrideApplied {
        /// `pinned`, `restored` or `dropped`.
        what: &'static str,
        /// The entry that was named.
        target: EntryId,
        /// Further entries that are sent in another form because of it: its group.
        others: usize,
        /// How the view's tokens changed.
        tokens_change: i64,
    },
    /// An act of the person was taken back or put back.
    ActUndone {
        /// Which of the two.
        way: UndoWay,
        /// What kind of act it is.
        kind: ActKind,
        /// The act in words.
        what: String,
        /// How the view's tokens changed, by estimate.
        tokens_change: i64,
    },
    /// Answer to an [`Op::Undo`](super::Op) that would change files or leave messages:
    /// nothing was done yet.
    UndoPlanned(Box<UndoPlan>),
    /// What a pin, restore, drop or undo would do; nothing was done.
    Foreseen {
        /// The op that was asked about.
        op: super::op::Op,
        /// What would be taken back or put back, in words, with the files that change; for
        /// an undo or redo.
        undoes: Option<String>,
        /// Estimate of the view after it.
        tokens_after: u64,
    },
    /// Another model answers from here on.
    ModelSwitched {
        /// The model.
        model: ModelRef,
        /// Why.
        reason: String,
    },
    /// How background jobs stand, oldest first.
    Jobs(Vec<JobInfo>),
    /// Answer to [`Op::ShowChanges`](super::Op).
    Changes(Box<ChangesReport>),
    /// Answer to [`Op::PlanRewind`](super::Op).
    RewindPlanned(Box<RewindPlan>),
    /// Plan mode is on, or over, from here on.
    PlanMode(bool),
    /// Answer to [`Op::ShowWire`](super::Op).
    Wire(Box<WireView>),
    /// Answer to [`Op::ShowNotes`](super::Op).
    Notes(NotesView),
    /// Answer to [`Op::ShowCost`](super::Op).
    Cost(Box<Account>),
    /// Answer to [`Op::ListTools`](super::Op).
    Tools(Vec<ToolListing>),
    /// Answer to [`Op::ListModels`](super::Op).
    Models(Vec<ModelChoice>),
    /// A provider has said which models it has; these are all that are known now.
    ModelsListed(Vec<ModelChoice>),
    /// Answer to [`Op::ListPermissions`](super::Op), and what is left after a revocation.
    Permissions(Box<PermissionList>),
    /// Answer to [`Op::Settings`](super::Op).
    Settings(Box<SettingsReport>),
    /// Answer to [`Op::ListLogins`](super::Op).
    Logins(Vec<LoginChoice>),
    /// Answer to [`Op::ListSessions`](super::Op), and after each change of the list.
    Sessions(SessionList),
    /// Answer to [`Op::PeekSession`](super::Op).
    SessionPeek(Box<SessionPeek>),
    /// Answer to [`Op::ShowHistory`](super::Op): every entry, with the current leaf.
    History(Arc<Transcript>),
    /// Usage and price of a finished request.
    Usage {
        /// Of this request.
        request: Usage,
        /// Of the session so far.
        session: Usage,
    },
    /// Something the user should know.
    Notice(Notice),
    /// The turn is over; the composer is free.
    TurnFinished(TurnEnd),
    /// The agent is done; nothing follows. What is said of the session is so on the disk.
    SessionEnded(Kept),
}

/// A piece of a streaming answer.
#[derive(Clone, Debug, PartialEq)]
pub enum AnswerDelta {
    /// Visible text.
    Text(String),
    /// Reasoning.
    Thinking(String),
    /// The model is writing a tool call.
    ToolCall {
        /// Which call of this answer.
        index: u32,
        /// The tool.
        name: String,
        /// Bytes of arguments so far.
        argument_bytes: usize,
    },
    /// What streamed so far is void (the request is tried again).
    Reset,
}

impl AnswerDelta {
    /// Both as one when that says the same, else each for itself.
    pub fn followed_by(self, next: Self) -> (Self, Option<Self>) {
        match (self, next) {
            (Self::Text(mut text), Self::Text(more)) => {
                text.push_str(&more);
                (Self::Text(text), None)
            }
            (Self::Thinking(mut text), Self::Thinking(more)) => {
                text.push_str(&more);
                (Self::Thinking(text), None)
            }
            (Self::ToolCall { index, .. }, next @ Self::ToolCall { index: same, .. })
                if index == same =>
            {
                (next, None)
            }
            (before, after) => (before, Some(after)),
        }
    }
}

/// What a session is.
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
    /// Who answers.
    pub model: ModelRef,
    /// Why this model was chosen, one clause.
    pub model_reason: String,
    /// Context engine id.
    pub engine: String,
    /// Whether the file existed before.
    pub resumed: bool,
    /// Whether plan mode is on.
    pub plan_mode: bool,
}

/// What an undo or redo would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndoPlan {
    /// Which of the two.
    pub way: UndoWay,
    /// The act in words.
    pub what: String,
    /// Messages that were said since and that the conversation would leave.
    pub leaves: usize,
    /// Files that would change, or cannot.
    pub files: Vec<PlannedFile>,
}

/// What going back would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RewindPlan {
    /// The entry that the conversation would end with; `None`: the beginning.
    pub to: Option<EntryId>,
    /// The message of the user that is gone back to, when it is one.
    pub ask: Option<EntryId>,
    /// Files that would change, or cannot, in the order of their paths.
    pub files: Vec<PlannedFile>,
}

/// The user has to agree before a call runs.
#[derive(Clone, Debug)]
pub struct ApprovalRequest {
    /// Names this request in [`Op::Approve`](super::Op).
    pub id: u64,
    /// The call.
    pub call: ToolCall,
    /// One line: what would happen.
    pub title: String,
    /// Where.
    pub cwd: PathBuf,
    /// Unified diff of an edit.
    pub diff: Option<String>,
    /// What "always" would allow, a glob on the title.
    pub pattern: String,
    /// Paths outside the workspace.
    pub outside: Vec<PathBuf>,
    /// Why it is asked wherever the call works, and whatever was allowed before.
    pub cautions: Vec<String>,
}

/// A message that does not fit into the window, and what can be done about it.
#[derive(Clone, Debug, PartialEq)]
pub struct OversizeOffer {
    /// Names this offer in [`Op::FitMessage`](super::Op).
    pub id: u64,
    /// Estimated tokens of the system prompt, the tools and the message.
    pub needed_tokens: u64,
    /// What the model leaves for them.
    pub usable_tokens: u64,
    /// Who would answer.
    pub model: ModelRef,
    /// Tokens of the message that are sent beside a file with the whole; `None` when there is
    /// no place for a file, or cutting the text does not help.
    pub file_tokens: Option<u64>,
    /// Tokens of the message that trimming leaves; `None` when cutting the text does not help.
    pub trim_tokens: Option<u64>,
    /// A configured model that takes it whole, with its window in tokens.
    pub larger: Option<(ModelRef, u64)>,
}

/// A message or a command that waits until something that runs is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedInput {
    /// Names it in [`Op::Unqueue`](super::Op).
    pub id: u64,
    /// What was typed; a command as it would be typed.
    pub text: String,
    /// When its turn comes.
    pub when: super::SubmitWhen,
    /// It is a command, and no message.
    pub is_command: bool,
}

/// An input that was given back.
#[derive(Clone, Debug, PartialEq)]
pub struct ReturnedInput {
    /// What was typed; a command as it would be typed.
    pub text: String,
    /// The attachments of a message.
    pub images: Vec<Image>,
    /// It is a command, and no message.
    pub is_command: bool,
}

/// How a turn ended.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnEnd {
    /// Why.
    pub stop: StopReason,
    /// The final answer's text, as far as it arrived; what came before a pause included.
    pub text: String,
    /// What went wrong, when it did.
    pub error: Option<Notice>,
    /// Its name for programs: as [`ProviderError::kind`](crate::provider::ProviderError::kind)
    /// says, or `window_too_small`, `max_turns`, `max_cost`, `read_only`.
    pub error_kind: Option<&'static str>,
    /// Exit code for headless runs: 0 done, 1 failed, 3 credentials, 4 overflow,
    /// 5 refused, 130 interrupted.
    pub exit_code: u8,
}

#[cfg(test)]
mod tests;
