//! The session log: append-only JSON Lines on disk, [`Transcript`](crate::transcript::Transcript)
//! in memory. The records on disk are private types, converted at this edge.
//!
//! Nothing here reads a clock or makes up an id: both are arguments. No entry is ever
//! edited or removed; what this version does not understand stays in the file untouched.

mod error;
mod export;
mod foreign;
mod fork;
mod header;
mod html;
mod index;
mod journal;
mod lineage;
mod load;
mod lock;
mod log;
mod paths;
mod peek;
mod record;
mod rescue;
mod samples;
mod sink;
mod spill;
mod time;
mod trash;

pub use error::SessionError;
pub use export::{copy_native, markdown, save_new};
pub use foreign::Foreign;
pub use fork::fork;
pub use header::Header;
pub use html::html;
pub use index::{ResolveError, Scope, SessionSummary, Which, list, resolve};
pub use journal::{DRAFT_INTERVAL, StreamJournal};
pub use lineage::lineage;
pub use load::{Loaded, Problem, load, read};
use lock::SessionLock;
pub use log::{Access, Durability, SessionLog, is_unbegun};
pub use paths::{encode_cwd, fingerprint, outputs_folder, session_file};
pub use peek::SessionPeek;
pub use rescue::{RescueCopy, rescue};
pub use samples::SampleFile;
pub use spill::spill;
pub use time::{from_rfc3339, to_file_name, to_rfc3339};
pub use trash::discard;
