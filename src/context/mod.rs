//! Everything between the session log and the request: pure algorithms.
//!
//! No clock, file, environment, network, task or terminal is used here; time is an
//! argument. The result is one value, [`ContextView`], that every consumer reads.

pub mod appendix;
pub mod audit;
pub mod diff;
pub mod extractive;
pub mod identifiers;
pub mod outline;
pub mod redact;
mod settings;
pub mod sources;
pub mod summary;
mod view;

pub use settings::{
    AuditSettings, CompactionSettings, ContextSettings, GateKind, GuardSettings, IdentifierPolicy,
    MediaSettings, OverflowFallback, PrunePolicy, PruneSettings, ReviewMode, RulerKind,
    TemplateKind, Threshold, WindowSettings,
};
pub use view::{
    ByCategory, CapSource, Category, CompactionOutlook, ContextView, Disposition, Gate,
    GuardReport, Items, LeftOut, PruneReport, RepairReport, Role, RulerReport, UsageReport,
    ViewItem, WindowReport, WindowSource, WindowVerdict,
};
