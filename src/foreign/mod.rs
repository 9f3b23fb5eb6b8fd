//! Sessions that other agents wrote, read into entries of ours. Nothing here writes beside a
//! source, runs what it says, or opens what it refers to outside the store it lies in.
//!
//! - `program`, `recognition`: which programs are known, and how a file is recognised by its
//!   content; `place`: where a session is.
//! - `conversation`: what a reader gives back, whatever the program: the entries of all
//!   branches, where they come from and what was lost.
//! - `entry_tree`, `parts`, `source`: what the readers share; the tree of entries, content in
//!   the shapes of the providers, lines of bounded length and compressed files.
//! - one module per program, each with `read`; `database` opens those that lie in `SQLite`;
//!   `native`: programs whose sessions have the form of ours.
//! - `stores`: where the programs keep their sessions, and a cheap list of them; `survey`: how
//!   much of a store is understood.
//! - `load`: a file as a session, whoever wrote it; `import`: a file of ours made of one.
//!
//! A reader keeps the active path in the program's own order, what was undone as branches
//! beside it, and the boundary of each compaction with both sides.

mod aider;
mod claude;
mod cline;
mod codex;
mod conversation;
mod database;
mod entry_tree;
mod gemini;
mod google;
mod import;
mod load;
mod parts;
mod place;
mod program;
mod qwen;
mod recognition;
mod source;
mod stores;
mod survey;
#[cfg(test)]
mod tests;

pub use conversation::{ForeignOrigin, ForeignSession, ImportLoss, SessionCounts, SourcePlace};
pub use import::{ImportTarget, ImportedSession, adopt, import};
pub use load::{load, read, read_each};
pub use place::{ForeignListing, SessionPlace, SessionStore};
pub use program::ForeignProgram;
pub use source::SourceError;
pub use stores::{
    databases_below, files_of, listing_of, newest, program_of, programs_below, recent, sessions_in,
    stores,
};
pub use survey::{StoreReport, survey, unreadable_stores};
