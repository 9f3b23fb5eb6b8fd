//! A configuration file as text: read into patches with line numbers, and edited so that
//! comments and order stay.

pub(super) mod edit;
pub(super) mod event_hooks;
pub(super) mod keys;
pub(super) mod mcp;
pub(super) mod provider_schema;
pub(super) mod providers;
pub(super) mod raw;
pub(super) mod toml_text;
