//! The agent: takes an [`Op`], says what happens as [`AgentEvent`]s.
//!
//! One actor owns the session; nothing is shared with a front end but these values.

mod event;
mod op;

pub use event::{
    AgentEvent, AnswerDelta, ApprovalRequest, CompactionProposal, Finding, ModelChoice, Notice,
    NoticeLevel, QueuedMessage, SessionInfo, SessionListing, SummaryLine, TurnEnd, WireView,
};
pub use op::{ApprovalDecision, Op, ReviewDecision, SubmitWhen};
