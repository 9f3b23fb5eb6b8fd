//! Tests from outside the crate, in one binary.
//!
//! - `architecture`: who may use whom, what is forbidden where, how large files may be
//! - `demo`: the demo session of README's tour, with its longer texts in `demo_texts`
//! - `documents`: README, CHANGELOG and the map in `src/lib.rs` say what is so
//! - `flow_*`: what the agent sends, in which order, and what it keeps
//! - `picture`: README's picture is what the program draws
//! - `rust_text`: what the first reads code with
//! - `server`, `agent`: a scripted model server, and an agent that talks to it
//! - `terminal`: the program itself in a pseudo-terminal
//! - `pty`: what the former runs it in

#[cfg(test)]
mod agent;
mod architecture;
#[cfg(test)]
mod demo;
mod demo_texts;
#[cfg(test)]
mod documents;
#[cfg(test)]
mod flow_chat;
#[cfg(test)]
mod flow_compact;
#[cfg(test)]
mod flow_overflow;
#[cfg(test)]
mod flow_prefix;
#[cfg(test)]
mod picture;
#[cfg(unix)]
mod pty;
mod rust_text;
#[cfg(test)]
mod server;
#[cfg(unix)]
mod terminal;
