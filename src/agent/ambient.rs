//! The clock by the name that the agent's settings have for it.

pub use crate::clock::Clock as Ambient;
