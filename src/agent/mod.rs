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

mod account;
mod active_model;
mod actor;
mod ambient;
mod answer;
mod automatic;
mod background;
mod batch;
mod bill;
mod branch;
mod calibrate;
mod call;
mod changes;
mod choices;
mod compact;
mod compactor;
mod conversation;
mod cost_limit;
mod costs;
mod drive;
mod export;
mod failure;
mod hooks;
mod inbox;
mod jobs;
mod limit;
mod login;
mod looking;
mod lookout;
mod mailbox;
mod memory;
mod overflow;
mod overrides;
mod oversize;
mod permissions;
mod plan_mode;
mod practice;
mod proposal;
mod protocol;
mod reminder;
mod request;
mod ruler;
mod sessions;
mod settings;
mod setup;
mod shelf;
mod shown;
mod summarise;
mod switch;
mod thread;
mod toolbox;
mod turn;
mod undo;
mod waiting;

pub use crate::checkpoint::{
    ChangeKind, ChangedFile, ChangesReport, Difference, Fate, PlannedFile,
};
pub use crate::context::audit::Finding;
pub use crate::session::{RescueCopy, SessionPeek};
pub use crate::tool::{ApprovalMode, Grant, JobEnd, JobInfo, Permission};
pub use actor::{Handle, StartError, spawn};
pub use ambient::Ambient;
pub use changes::changes_of;
pub use conversation::{Conversation, Precision, Settled};
pub use lookout::{Lookout, RequestChange};
pub use protocol::*;
pub use request::encode;
pub use settings::Provenance;
pub use setup::{Helm, Lanes, Prompt, SessionSource, Setup};
pub use shelf::rename_session;
