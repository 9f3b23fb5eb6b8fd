//! Tests from outside the crate, in one binary.
//!
//! - `architecture`: who may use whom, what is forbidden where, how large files may be
//! - `program`: the binary in a home of its own; `headless`: `-p`; `commands`: the rest
//! - `rust_text`: what the former reads code with
//! - `terminal`: the program itself in a pseudo-terminal
//! - `pty`: what the former runs it in

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

mod architecture;
mod commands;
mod headless;
mod program;
#[cfg(unix)]
mod pty;
mod rust_text;
#[cfg(unix)]
mod terminal;
