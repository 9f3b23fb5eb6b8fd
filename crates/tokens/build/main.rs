//! Writes the tables of the library: the vocabularies of the encodings and the classes of
//! characters.

// Lines on standard output are what a build script tells Cargo.
#![allow(clippy::print_stdout)]

mod classes;
#[path = "../src/hash.rs"]
mod hash;
mod vocabulary;

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-changed=src/hash.rs");
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    classes::write(&folder)?;
    // Ranks of the texts; special tokens follow after a gap and are no part of any text.
    vocabulary::write(&folder, "o200k", &tiktoken_rs::o200k_base()?, 199_998)?;
    vocabulary::write(&folder, "cl100k", &tiktoken_rs::cl100k_base()?, 100_256)?;
    Ok(())
}
