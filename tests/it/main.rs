//! Tests from outside the crate, in one binary.
//!
//! - `architecture`: who may use whom, what is forbidden where, how large files may be
//! - `rust_text`: what the former reads code with
//! - `server`, `agent`: a scripted model server, and an agent that talks to it
//! - `flow_*`: what the agent sends, in which order, and what it keeps

mod agent;
mod architecture;
mod flow_chat;
mod flow_compact;
mod flow_overflow;
mod flow_prefix;
mod rust_text;
mod server;
