//! Search over the text of all sessions, own and of other programs, in an index that is kept
//! up to date by size and time of the files.
//!
//! - `words`: how a text is cut into words, and what a query matches; CJK text in pairs of
//!   characters, because it has no spaces.
//! - `document`: the searchable parts of a session; `facts`: what filters ask of them, as words
//!   of the index.
//! - `store`: the index, an `SQLite` file with FTS5. It holds nothing that the sessions do not
//!   hold, and is made again when it is missing, damaged or of another version.
//! - `refresh`: brings the index up to date; `sources` lists the files.
//! - `query`: finds, with the words around each hit.
//!
//! No session is changed, and nothing is written beside those of other programs.

mod document;
mod facts;
mod query;
mod refresh;
mod sources;
mod store;
#[cfg(test)]
mod tests;
mod words;

pub use query::{Hit, SearchFilter, SessionHits};
pub use refresh::{RefreshProgress, RefreshReport};
pub use sources::SearchPlaces;
pub use store::{SearchError, SearchIndex};
