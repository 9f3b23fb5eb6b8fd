//! Tests from outside the crate, in one binary.
//!
//! - `architecture`: who may use whom, what is forbidden where, how large files may be
//! - `rust_text`: what the former reads code with
//! - `server`, `agent`: a scripted model server, and an agent that talks to it
//! - `flow_*`: what the agent sends, in which order, and what it keeps

#[cfg(test)]
mod agent;
mod architecture;
#[cfg(test)]
mod flow_chat;
#[cfg(test)]
mod flow_compact;
#[cfg(test)]
mod flow_overflow;
#[cfg(test)]
mod flow_prefix;
mod rust_text;
#[cfg(test)]
mod server;
