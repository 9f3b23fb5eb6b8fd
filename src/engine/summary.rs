//! Writing and checking summaries: a state machine without I/O, and what a review shows.

pub use crate::context::appendix::{
    accumulate_addressed, render as render_appendix, workspace_rules,
};
pub use crate::context::audit::{RuleCarrier, RuleDemand};
pub use crate::context::fidelity::{FidelityScore, score};
pub use crate::context::grounding::check as check_grounding;
pub use crate::context::identifiers::under_aliases;
pub use crate::context::replaced_turns::{covered_words, replaced_turns};
pub use crate::context::sources::coverage;
pub use crate::context::summary::breaker::{MAX_FAILURES, failures_of};
pub(crate) use crate::context::summary::source::{
    edited_message, source_message, summary_background,
};
pub use crate::context::summary::{
    Summariser, edited, extract, extract_within, note_request, notes_of, reaudit, without_unsaid,
};
