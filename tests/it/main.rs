//! Tests from outside the crate, in one binary.
//!
//! - `architecture`: who may use whom, what is forbidden where, how large files may be
//! - `rust_text`: what the former reads code with

mod architecture;
mod rust_text;
