//! The terminal interface. `update` decides, the runner does, the view draws.

pub mod effect;
pub mod overlay;
pub mod render;
pub mod theme;
