//! The session log: append-only JSON Lines on disk, [`Transcript`](crate::transcript::Transcript)
//! in memory. The records on disk are private types, converted at this edge.
//!
//! Nothing here reads a clock or makes up an id: both are arguments. No entry is ever
//! edited or removed; what this version does not understand stays in the file untouched.
//!
//! - `log`: the file of a session while it is written; its lock, its journal of the answer
//!   that is being streamed.
//! - `load`, `index`: reading one, listing all.
//! - `record`: the lines; `paths`: where files lie.

mod access;
mod error;
mod fork;
mod header;
mod imported;
mod index;
mod load;
mod log;
mod paths;
mod record;
mod rescue;
mod samples;
mod spill;
mod time;
mod trash;

pub use access::Access;
pub use error::SessionError;
pub use fork::fork;
pub use header::Header;
pub use imported::{imported_bytes, origin_json, write_imported};
pub use index::lineage::lineage;
pub use index::peek::SessionPeek;
pub use index::{ResolveError, Scope, SessionPick, SessionSummary, files, list, resolve};
pub use load::foreign::ForeignFile;
pub use load::{LoadedSession, Problem, load, read};
pub use log::journal::{DRAFT_INTERVAL, StreamJournal};
pub use log::{Durability, SessionLog, is_unbegun, load_broken_off};
pub use paths::{encode_cwd, fingerprint, outputs_folder, session_file};
pub use rescue::{RescueCopy, rescue};
pub use samples::SampleFile;
pub use spill::spill;
pub use time::{from_rfc3339, to_file_name, to_rfc3339};
pub use trash::discard;
