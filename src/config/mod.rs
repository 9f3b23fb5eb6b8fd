//! Configuration: raw files, environment and flags on one side, [`Settings`] with the
//! origin of every value on the other.

mod settings;

pub use settings::{AgentSettings, Settings, UiSettings};
