//! The agent: takes an [`Op`], says what happens as [`AgentEvent`]s.
//!
//! One actor owns the session; nothing is shared with a front end but these values.
//! Reading order: `op` and `event` (what crosses the border), `actor` (who owns what),
//! `inbox` and `waiting` (what becomes of an op, now or later), `turn` (the loop), `call` (one request), `batch` (its
//! tools), `failure` (how a failed turn ends), `compact`, `automatic`, `background`, `summarise`,
//! `drive`, `proposal`, `shown`, `overflow`, `limit` and `oversize` (making room), `ruler` (what
//! measures), `bill` and `account` (what it costs), `switch` and `choices` (who answers), `hooks`
//! (what the user's own commands say to it), `overrides`, `settings`, `login`, `branch`, `changes`,
//! `sessions`, `shelf` and `memory` (what the user decides and wants kept), `practice` (where all that can be
//! tried).

mod actor;
mod compaction;
mod cost;
mod decisions;
mod files;
mod hooks;
mod inbox;
mod mailbox;
mod memory;
mod model;
mod protocol;
mod run;
mod sessions;
mod settings;
mod setup;
mod thread;
mod toolbox;
mod turn;
mod waiting;

pub use crate::checkpoint::{
    ChangeKind, ChangedFile, ChangesReport, FileDifference, FileFate, PlannedFile,
};
pub use crate::clock::Clock;
pub use crate::context::audit::AuditFinding;
pub use crate::session::{RescueCopy, SessionPeek};
pub use crate::tool::{ApprovalMode, Grant, JobEnd, JobInfo, Permission};
pub use files::changes_of;
pub use protocol::*;
pub use run::{AgentHandle, StartError, spawn};
pub use sessions::offline_session::{OfflineSession, RequestChange};
pub use sessions::session_list::rename_session;
pub use setup::provenance::SettingOrigins;
pub use setup::{AgentSetup, ModelConnection, RequestSlots, SessionSource, SystemPrompt};
pub use thread::conversation::{Conversation, RulerPrecision, SettledView};
pub use thread::request::encode;
