//! Screens with a list of which one is picked, changed or ended.

pub mod agents;
pub mod changes;
pub mod jobs;
pub mod login;
pub mod palette;
pub mod permissions;
pub mod picker;
pub mod recall;
pub mod rules;
pub mod servers;
pub mod sessions;
pub mod settings;
