//! Events of the agent. The screen, `-p` and stream-json read the same events.

use std::sync::Arc;
use std::time::Duration;

use super::{
    AnswerDelta, ApprovalRequest, ApprovalState, ChildEvent, CompactionPlan, CompactionProposal,
    FormRequest, ModelChoice, Notice, OversizeOffer, QueryId, QueryReply, QueuedInput,
    ReturnedInput, RuleListing, SaveOutcome, SessionInfo, SummarySources, TurnEnd, UndoPlan,
    UndoWay,
};
use crate::context::ContextView;
use crate::mcp::ServerOffers;
use crate::tool::JobInfo;
use crate::transcript::{
    AuditRecord, Compaction, Entry, EntryId, ModelRef, ReasoningState, Trigger, UndoableKind, Usage,
};

/// Something that happened, in order.
#[derive(Clone, Debug)]
pub enum AgentEvent {
    /// A request and its answer, while it streams.
    Stream(AnswerEvent),
    /// Questions to the person, inputs that wait, jobs, and the end of a turn.
    Turn(TurnEvent),
    /// The view, and decisions on it.
    Context(ContextEvent),
    /// A compaction, from its start to its end.
    Compaction(CompactionEvent),
    /// The session, its entries and its model.
    Session(SessionEvent),
    /// A sub-agent, from its start to its end.
    Child(ChildEvent),
    /// The reply to a query.
    Reply {
        /// The query's id. `None`: nobody asked; something that was listed has changed.
        to: Option<QueryId>,
        /// The reply.
        reply: QueryReply,
    },
    /// Something the user should know.
    Notice(Notice),
}

impl From<AnswerEvent> for AgentEvent {
    fn from(event: AnswerEvent) -> Self {
        Self::Stream(event)
    }
}

impl From<TurnEvent> for AgentEvent {
    fn from(event: TurnEvent) -> Self {
        Self::Turn(event)
    }
}

impl From<ContextEvent> for AgentEvent {
    fn from(event: ContextEvent) -> Self {
        Self::Context(event)
    }
}

impl From<CompactionEvent> for AgentEvent {
    fn from(event: CompactionEvent) -> Self {
        Self::Compaction(event)
    }
}

impl From<SessionEvent> for AgentEvent {
    fn from(event: SessionEvent) -> Self {
        Self::Session(event)
    }
}

impl From<ChildEvent> for AgentEvent {
    fn from(event: ChildEvent) -> Self {
        Self::Child(event)
    }
}

impl From<Notice> for AgentEvent {
    fn from(notice: Notice) -> Self {
        Self::Notice(notice)
    }
}

impl AgentEvent {
    /// A reply that nobody asked for: something that was listed has changed.
    pub fn reply(reply: QueryReply) -> Self {
        Self::Reply { to: None, reply }
    }
}

/// A request and its answer, while it streams.
#[derive(Clone, Debug)]
pub enum AnswerEvent {
    /// A request is on its way; waiting for the first byte.
    RequestStarted {
        /// The new model.
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
    /// Usage and price of a finished request.
    Usage {
        /// Of this request.
        request: Usage,
        /// Of the session so far.
        session: Usage,
    },
}

/// Questions to the person, inputs that wait, jobs, and the end of a turn.
#[derive(Clone, Debug)]
pub enum TurnEvent {
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
    /// A tool that runs asks the person something.
    Form(Box<FormRequest>),
    /// That question is no longer open (answered or interrupted).
    FormClosed {
        /// Which one.
        id: u64,
    },
    /// Inputs were not sent and not run, and are no part of the conversation; the composer has
    /// them again. Oldest first.
    InputReturned(Vec<ReturnedInput>),
    /// Messages and commands that wait until something that runs is over, oldest first.
    Queued(Vec<QueuedInput>),
    /// The state of background jobs, oldest first.
    Jobs(Vec<JobInfo>),
    /// The turn is over; the composer is free.
    Finished(TurnEnd),
}

/// The view, and decisions on it.
#[derive(Clone, Debug)]
pub enum ContextEvent {
    /// The view changed. Published before each request and whenever a number moves.
    View(Arc<ContextView>),
    /// The provider refused a request as too long, or it was known that it would.
    Overflow {
        /// It was not sent.
        is_foreseen: bool,
        /// The provider's count, when it gave one.
        requested_tokens: Option<u64>,
        /// The provider's limit, when it gave one.
        limit_tokens: Option<u64>,
        /// Recovery attempt that follows, from 1.
        attempt: u32,
    },
    /// The user's message follows the summary that made room for it.
    Replayed {
        /// It was not sent before.
        is_foreseen: bool,
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
        /// Answers whose signed reasoning the server drops because of it.
        reasoning_lost: u64,
        /// Nothing was changed.
        dry_run: bool,
        /// The person asked for it, so that undo undoes it.
        by_person: bool,
    },
    /// Tool results were cut to fit.
    Guarded {
        /// How many were cut.
        truncated: u64,
        /// How many were cleared.
        cleared: u64,
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
    /// A person's act on a standing rule took effect.
    RuleChanged {
        /// What was done, as a participle: `struck`, `added`.
        what: &'static str,
        /// The rule as it is now.
        rule: Box<RuleListing>,
        /// How the view's tokens changed.
        tokens_change: i64,
    },
    /// An act of the person was taken back or put back.
    ActUndone {
        /// Which of the two.
        way: UndoWay,
        /// The kind of act.
        kind: UndoableKind,
        /// The act in words.
        what: String,
        /// How the view's tokens changed, by estimate.
        tokens_change: i64,
    },
    /// Answer to an [`Op::Undo`](super::Op) that would change files or leave messages:
    /// nothing was done yet.
    UndoPlanned(Box<UndoPlan>),
}

/// A compaction, from its start to its end.
#[derive(Clone, Debug)]
pub enum CompactionEvent {
    /// A summary is being written.
    Started {
        /// The cause of the compaction.
        trigger: Trigger,
        /// Estimate of the view now.
        tokens_before: u64,
        /// Messages that it will replace.
        summarized: u64,
        /// Turns that stay verbatim.
        kept_turns: u32,
    },
    /// Which part of the work is going on: `part 2/3`, `merge`, `audit · retry 1`.
    Progress {
        /// For the status line.
        stage: String,
    },
    /// More of the summary that is being written.
    Delta(String),
    /// A summary was written and checked.
    Audited(AuditRecord),
    /// A summary waits for the user's answer.
    Review(Box<CompactionProposal>),
    /// The sources of the summary under review: they follow the review, which does not wait
    /// for it.
    Sources(Box<SummarySources>),
    /// A dry run: what a compaction would do.
    Planned(Box<CompactionPlan>),
    /// A compaction counts from here on.
    Applied {
        /// Its entry.
        entry: EntryId,
        /// The summary, and the facts of its making.
        compaction: Box<Compaction>,
    },
    /// Nothing was changed, because the user (or the loop guard) said so.
    Cancelled {
        /// Why.
        reason: String,
    },
    /// Nothing was changed, because it failed.
    Failed {
        /// The cause of the compaction.
        trigger: Trigger,
        /// Machine-readable: `history_too_large`, `message_too_large`,
        /// `summariser_failed`, `timeout`, `nothing_to_compact`, `no_such_entry`.
        cause: &'static str,
        /// The failed attempt, and what can be done.
        message: String,
        /// Attempts made.
        attempts: u32,
        /// The turn ends for it, and its end says the same in the same words.
        ends_turn: bool,
    },
    /// A compaction was undone.
    Undone {
        /// The compaction.
        target: EntryId,
        /// Estimate of the view now.
        tokens_after: u64,
        /// Whether the view is now beyond the load line.
        over_load_line: bool,
    },
}

/// The session, its entries and its model.
#[derive(Clone, Debug)]
pub enum SessionEvent {
    /// A session is open; everything shown before belongs to another one.
    Opened(Box<SessionInfo>),
    /// An entry was written to the log.
    Entry(Arc<Entry>),
    /// Whether all entries are on disk has changed: writing failed, or succeeded again.
    Saved(bool),
    /// The branch was moved (undo, going back, another branch): the whole new branch.
    BranchMoved(Vec<Arc<Entry>>),
    /// Another model answers from here on.
    ModelSwitched {
        /// The model.
        model: ModelRef,
        /// Why.
        reason: String,
    },
    /// How hard the model reasons from here on; `None` when it is not known to reason.
    Reasoning(Option<ReasoningState>),
    /// This context engine makes the views from here on.
    Engine(String),
    /// Plan mode is on, or over, from here on.
    PlanMode(bool),
    /// Another approval mode, or other permissions, from now on.
    Approvals(ApprovalState),
    /// What MCP servers offer beside their tools.
    ServersOffer(Arc<ServerOffers>),
    /// A provider has said which models it has; these are all that are known now.
    ModelsListed(Vec<ModelChoice>),
    /// The agent is done; nothing follows. What is said of the session is so on the disk.
    Ended(SaveOutcome),
}
