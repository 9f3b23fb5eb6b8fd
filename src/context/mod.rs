//! Everything between the session log and the request: pure algorithms.
//!
//! No clock, file, environment, network, task or terminal is used here; time is an
//! argument. The result is one value, [`ContextView`], that every consumer reads.
//! Reading order: `view` (what comes out), `assemble` and `decide` (the order of the steps),
//! `projection` (log → list, repair), `guard`, `prune`, `media` (what is shortened),
//! `tail` (what a compaction keeps), `summary` and `audit` (what it replaces it by), `recall`
//! (what left the window and can be had back).
//!
//! # Example
//!
//! A transcript goes in, a view comes out. What the evaluation decided is appended to the
//! transcript before the view is sent: then the next view is the same up to there.
//!
//! ```
//! use std::sync::Arc;
//!
//! use plimsoll::context::ruler::Approximate;
//! use plimsoll::context::{ContextSettings, RequestContext, ShrinkMode, ViewAssembler};
//! use plimsoll::transcript::{
//!     DuplicateEntry, Entry, EntryBody, EntryId, Message, ModelInfo, ModelRef, Timestamp,
//!     Transcript,
//! };
//!
//! # fn main() -> Result<(), DuplicateEntry> {
//! let mut transcript = Transcript::new();
//! transcript.push(Arc::new(Entry {
//!     id: EntryId::new("a1"),
//!     parent: None,
//!     timestamp: Timestamp(0),
//!     body: EntryBody::Message(Arc::new(Message::user_text("How old is the moon?"))),
//! }))?;
//!
//! let request = RequestContext {
//!     model: ModelInfo::unknown(ModelRef::new("provider", "model")),
//!     ..RequestContext::default()
//! };
//! let settings = Arc::new(ContextSettings::default());
//! let mut assembler = ViewAssembler::new(settings, Arc::new(Approximate));
//! let now = Timestamp(1_000);
//! let evaluation = assembler.evaluate(&transcript, &request, now, ShrinkMode::default());
//!
//! let view = evaluation.view;
//! assert_eq!(view.items.len(), 6); // the message comes after five parts of the prompt
//! assert!(view.usage.tokens > 0 && evaluation.decisions.is_empty());
//! # Ok(())
//! # }
//! ```

pub mod appendix;
mod apportion;
mod assemble;
pub mod audit;
mod calibration;
mod category;
mod copied_cut;
mod cut;
mod decide;
pub mod diff;
mod disposition;
pub mod extractive;
pub mod fence;
pub mod fidelity;
#[cfg(test)]
pub(crate) mod fixture;
mod futile;
pub mod grounding;
mod guard;
pub mod identifiers;
pub mod invisible;
mod media;
mod preview;
mod projection;
mod prune;
pub mod recall;
pub mod redact;
pub mod replaced_turns;
pub mod ruler;
pub mod rules;
pub mod selection;
mod settings;
pub mod sources;
pub mod summary;
pub mod tail;
mod view;
pub mod window;

pub use crate::transcript::WindowSource;
pub use assemble::{Evaluation, RequestContext, ShrinkMode, ViewAssembler};
pub use calibration::is_believable_refusal;
pub use copied_cut::{CopiedCut, copied_cut};
pub use cut::{apply as shortened, excerpt_notice, snap as cut_ends};
pub use futile::RETRY_GROWTH_SHARE;
pub use guard::cut_to_budget;
pub use preview::of_entry as first_words;
pub use projection::item::without_image;
pub use settings::{
    AuditSettings, CompactionSettings, ContextSettings, GateKind, GuardSettings, HardClearSettings,
    HistorySettings, IdentifierPolicy, MediaAgeing, MediaSettings, OverflowFallback,
    ProtectRecentSettings, PrunePolicy, PruneSettings, ReserveRule, ReserveSettings, ReviewMode,
    RulerKind, SoftTrimSettings, TailSettings, TemplateKind, Threshold, ToolGlobs, WindowSettings,
};
pub use view::{
    ByCategory, CapSource, Category, CompactionOutlook, ContextView, CutRule, Disposition,
    FrameText, FullSize, Gate, GuardReport, Items, LeftOut, PruneReport, RepairReport, Role,
    RulerReport, ServerShare, UsageReport, ViewItem, WindowReport, WindowVerdict,
};
