//! Text to lines: Markdown, code, diffs, tool output. Widths in columns, wrapping at
//! graphemes, foreign control characters made visible.
//!
//! Nothing here draws or waits; the same text, width and theme give the same lines.

pub mod ansi;
pub mod diff;
pub mod highlight;
pub mod link;
pub mod markdown;
pub mod safe;
pub mod wrap;
