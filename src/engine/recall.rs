//! What left the window and can be had back, for whoever runs a session.

use crate::context::ruler::{Approximate, Ruler};

pub use crate::context::recall::{
    RECALL_PAGE_LINES, RECALL_TOOL, RecallAccess, RecallAddress, RecallHit, RecallIndex,
    RecallPage, RecallPlace, RecallScope, SpeakerKind, SpokenText, TextIndex, WithheldReason,
    spoken_text,
};

/// Tokens of a text, by rule of thumb.
pub fn rough_tokens(text: &str) -> u64 {
    Approximate.text_tokens(text)
}
