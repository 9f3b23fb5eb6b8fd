//! Everything between the session log and the request: pure algorithms.
//!
//! No clock, file, environment, network, task or terminal is used here; time is an
//! argument. The result is one value, [`ContextView`], that every consumer reads.
//! Reading order: `view` (what comes out), `assemble` and `decide` (the order of the steps),
//! `projection` (log → list, repair), `guard`, `prune`, `media` (what is shortened),
//! `tail` (what a compaction keeps), `summary` and `audit` (what it replaces it by).

pub mod appendix;
mod apportion;
mod assemble;
pub mod audit;
mod calibration;
mod cut;
mod decide;
pub mod diff;
pub mod extractive;
#[cfg(test)]
mod fixture;
mod futile;
mod guard;
pub mod identifiers;
pub mod invisible;
mod media;
pub mod outline;
mod preview;
mod projection;
mod prune;
pub mod redact;
pub mod ruler;
mod settings;
pub mod sources;
pub mod summary;
pub mod tail;
mod view;
pub mod window;

pub use crate::transcript::WindowSource;
pub use assemble::{Assembler, Evaluation, Pressure, Surroundings};
pub use calibration::is_believable_refusal;
pub use cut::{apply as shortened, snap as cut_ends};
pub use futile::RETRY_GROWTH_SHARE;
pub use guard::cut_to_budget;
pub use preview::of_entry as first_words;
pub use projection::item::without_image;
pub use settings::{
    AuditSettings, CompactionSettings, ContextSettings, GateKind, GuardSettings, IdentifierPolicy,
    MediaAgeing, MediaSettings, OverflowFallback, PrunePolicy, PruneSettings, ReserveRule,
    ReviewMode, RulerKind, TemplateKind, Threshold, WindowSettings,
};
pub use view::{
    ByCategory, CapSource, Category, CompactionOutlook, ContextView, Disposition, FrameText,
    FullSize, Gate, GuardReport, Items, LeftOut, PruneReport, RepairReport, Role, RulerReport,
    UsageReport, ViewItem, WindowReport, WindowVerdict,
};
