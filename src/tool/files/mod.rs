//! The tools that look at files and change them, and what they share: the walk, the page of a
//! text file, the record of what was read, and the way in which a change gets on disk.

pub(super) mod edit;
pub(super) mod list;
pub(super) mod read;
pub(super) mod read_log;
mod save;
pub(super) mod search;
mod text_file;
pub(super) mod walk;
pub(super) mod write;
