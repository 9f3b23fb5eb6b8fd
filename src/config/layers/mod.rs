//! Files, environment and flags laid over each other: what counts, where it came from, and
//! what a project may not set.

mod consistency;
pub(super) mod presets;
pub(super) mod resolve;
pub(super) mod source_files;
pub(super) mod sources;
pub(super) mod trust;
