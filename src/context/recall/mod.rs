//! Recall: what is out of the window is not out of reach. An index over everything that was
//! said, the addresses of entries, and what of them a model may have back.
//!
//! - `terms`, `query`, `index`: a search over texts of any origin; `segment`, `bits`: how the index
//!   is kept; `levels`: the best of many chunks
//! - `spoken`, `address`, `page`: what an entry says, how it is named, and its bytes in pages
//! - `access`: what a model may have; `hits`: the search over a transcript
//!
//! Nothing here is kept on disk: the index is made of the log when it is first asked for, and
//! grows with it.

mod access;
mod address;
mod bits;
mod hits;
mod index;
mod levels;
mod page;
mod query;
mod segment;
mod spoken;
mod terms;
#[cfg(test)]
mod tests;

pub use access::{RecallAccess, RecallPlace, RecallScope, WithheldReason};
pub use address::RecallAddress;
pub(super) use address::with_address;
pub use hits::{RecallHit, RecallIndex};
pub use index::{IndexHit, TextIndex};
pub use page::{RECALL_PAGE_BYTES, RECALL_PAGE_LINES, RecallPage};
pub use query::WeighedQuery;
pub use spoken::{RECALL_TOOL, SpeakerKind, SpokenText, spoken_text};
