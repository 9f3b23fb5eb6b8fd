//! The agent: takes an [`Op`], reports what happens as [`AgentEvent`]s.
//!
//! One actor owns the session; a front end shares nothing with it but these values.
//!
//! Reading order, folder by folder:
//!
//! - `protocol`: every type that crosses the border; begin with `op` and `event`
//! - `setup`, `run`, `handle`, `actor`: the start of an agent, its task, and its state in parts
//! - `mailbox`, `inbox`, `waiting`: what happens to an op, at once or later
//! - `thread`: the conversation, its view, ruler and request
//! - `turn`: the loop (`mod`), one request (`call`), its tools (`batch`), retries and failures
//!   (`outcome`, `failure`), recovery (`overflow`, `oversize`)
//! - `compaction`: on request, at the load line (`automatic`) and ahead of it (`background`)
//! - `children`: sub-agents, each an agent with a session of its own
//! - `model`, `cost`: the model that answers and its learned limits; usage and prices
//! - `decisions`, `files`: pins, drops and undo; changed files and rewinds
//! - `recall`: answers calls for what left the window
//! - `guidance`: skills and rules in the conversation; `mentions`: what messages take from MCP
//!   servers; `web`: pages for a tool
//! - `sessions`, `settings`, `memory`, `hooks`, `toolbox`: other sessions and the practice
//!   session, settings and keys, project notes, the user's commands, tools

mod actor;
mod children;
mod compaction;
mod cost;
mod decisions;
mod exit;
mod files;
mod form;
mod guidance;
mod handle;
mod hooks;
mod inbox;
mod mailbox;
mod memory;
mod mentions;
mod model;
mod protocol;
mod recall;
mod run;
mod sessions;
mod settings;
mod setup;
mod thread;
mod toolbox;
mod turn;
mod waiting;
mod web;

pub use crate::checkpoint::{
    ChangeKind, ChangedFile, ChangesReport, FileDifference, FileFate, PlannedFile,
};
pub use crate::clock::Clock;
pub use crate::context::audit::AuditFinding;
pub use crate::mcp::{
    CallCount, LinkPhase, ListedPrompt, ListedResource, PromptBlank, ServerOffers, ServerReport,
    ToolCount, ToolReport,
};
pub use crate::session::{RescueCopy, SessionPeek};
pub use crate::tool::{
    ApprovalMode, FieldKind, FormAnswer, FormField, Grant, JobEnd, JobInfo, Permission,
    QuestionForm,
};
pub use children::role::ChildRole;
pub use files::changes_of;
pub use handle::{AgentHandle, StartError};
pub use protocol::*;
pub use run::spawn;
pub use sessions::offline_session::{OfflineSession, RequestChange};
pub use sessions::session_list::rename_session;
pub use setup::provenance::SettingOrigins;
pub use setup::{
    AgentSetup, ModelConnection, RequestSlots, SessionSource, StartFlags, SystemPrompt,
};
pub use thread::conversation::{Conversation, SettledView};
pub use thread::engine_program::EngineProgram;
pub use thread::request::encode;
