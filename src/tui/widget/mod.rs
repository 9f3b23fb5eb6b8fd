//! The parts of screens: one scroll, one list, one search, one text area, one field, the modes
//! of vi, and the drawing that they share.
//!
//! A widget's state is in the model. Keys change it; `layout` computes what depends on the
//! size, before each frame; `draw` borrows it and changes nothing. No widget knows a screen,
//! an agent or an effect.

pub mod keys;
pub mod list;
pub mod page;
pub mod paint;
pub mod scroll;
pub mod scroll_text;
pub mod search;
pub mod text;
pub mod text_area;
pub mod text_field;
pub mod vi;

pub use keys::ScrollMotion;
pub use list::{ListCursor, VisibleItem};
pub use page::Page;
pub use scroll::{Scroll, ScrollLines};
pub use scroll_text::{MarkedText, RowMark, ScrollText, TextRow, TextSides, TextTone};
pub use search::{Needle, RowSearch, SearchOutcome};
pub use text_area::TextArea;
pub use text_field::TextField;
