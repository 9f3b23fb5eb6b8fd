//! Plimsoll: a terminal chat agent that always shows how loaded the model's context is.

pub mod agent;
pub mod cli;
pub mod config;
pub mod context;
pub mod engine;
pub mod headless;
pub mod provider;
pub mod session;
pub mod tool;
pub mod transcript;
pub mod tui;
