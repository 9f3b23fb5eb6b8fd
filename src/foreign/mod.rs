//! Sessions that other agents wrote, read into entries of ours. Nothing here writes beside a
//! source, runs what it says, or opens what it refers to outside the store it lies in.
//!
//! - `program`: which programs are known, and how a file is recognised by its content.
//! - `conversation`: what a reader gives back, whatever the program: the entries of all
//!   branches, where they come from and what was lost.
//! - `entry_tree`, `parts`, `source`: what the readers share; the tree of entries, content in
//!   the shapes of the providers, lines of bounded length and compressed files.
//! - one module per program, each with `read`; `database` opens those that lie in `SQLite`.
//! - `stores`: where the programs keep their sessions, and a cheap list of them.
//! - `load`: a file as a session, whoever wrote it; `import`: a file of ours made of one.
//!
//! A reader keeps the active path in the program's own order, what was undone as branches
//! beside it, and the boundary of each compaction with both sides.

mod claude;
mod conversation;
mod entry_tree;
mod import;
mod load;
mod parts;
mod program;
mod source;
mod stores;

pub use conversation::{ForeignOrigin, ForeignSession, ImportLoss, SessionCounts, SourcePlace};
pub use import::{ImportTarget, ImportedSession, import};
pub use load::{SessionPlace, load, read};
pub use program::ForeignProgram;
pub use source::SourceError;
pub use stores::{
    ForeignListing, SessionStore, databases_below, newest, program_of, programs_below, sessions_in,
    stores,
};
