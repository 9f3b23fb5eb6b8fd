//! The protocol between the agent and a front end: [`Op`] goes down, [`AgentEvent`] comes up.
//!
//! Plain data. Nothing here imports an implementation of the agent, so that a screen, a
//! script and an editor are front ends alike.

mod child;
mod compaction;
mod cost;
mod event;
mod kept;
mod key;
mod listing;
mod notice;
mod op;
mod query;
mod question;
mod session;
mod settings;
mod turn;
mod undo;
mod words;

pub use child::{
    AskingChild, ChildEvent, ChildId, ChildInfo, ChildLoad, ChildState, ChildTranscript,
};
pub use compaction::{
    CompactionEffect, CompactionPlan, CompactionProposal, RebuiltSummary, SummaryComparison,
    SummaryLine, SummarySources, SummaryVerdict, SummaryWriting,
};
pub use cost::{CostLimitState, ModelCost, PromptRewrite, RecallUse, SessionCost};
pub use event::{AgentEvent, AnswerEvent, CompactionEvent, ContextEvent, SessionEvent, TurnEvent};
pub use kept::{SaveOutcome, UnsavedSession};
pub use key::EnteredKey;
pub use listing::{
    ABILITY_LEGEND, ChoiceRecord, EngineListing, EngineState, ModelAbilities, ModelChoice,
    NotesView, PermissionList, RecallListing, RecallReport, RuleList, RuleListing, SessionHit,
    SessionList, SessionListing, ToolFreedom, ToolListing, WireView,
};
pub use notice::{Notice, NoticeLevel};
pub use op::{
    CompactOptions, ContextOp, Op, RewindRequest, RuleAct, ServerAct, SessionOp, SettingOp,
    SubmitWhen, TurnOp,
};
pub use query::{Query, QueryId, QueryReply};
pub use question::{
    ApprovalDecision, ApprovalRequest, FormRequest, OversizeChoice, OversizeOffer, ReviewDecision,
};
pub use session::{ApprovalState, ExportFormat, RewindPlan, SessionInfo, WorkMode};
pub use settings::{
    InterfaceChange, LoginChoice, NextStart, SettingOutcome, SettingState, SettingsReport,
};
pub use turn::{AnswerDelta, QueuedInput, ReturnedInput, TurnEnd};
pub use undo::{UndoOp, UndoPlan, UndoWay};
