//! Everything between the session log and the request: pure algorithms.
//!
//! No clock, file, environment, network, task or terminal is used here; time is an
//! argument. The result is one value, [`ContextView`], that every consumer reads.

mod settings;
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
