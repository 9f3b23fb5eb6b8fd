//! The terminal interface. `update` decides, the runner does, the view draws.

pub mod effect;
pub mod frame;
pub mod input;
pub mod overlay;
pub mod render;
pub mod terminal;
pub mod theme;
