//! The origin of a session that another program wrote.

use std::collections::BTreeMap;

/// Where an imported session comes from and what could not be carried over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportRecord {
    /// The program that wrote it.
    pub program: String,
    /// The program's version, as the source says it last.
    pub version: Option<String>,
    /// The generation of its format.
    pub generation: String,
    /// The file or database.
    pub path: String,
    /// The program's id of the session.
    pub session: String,
    /// SHA-256 of the bytes that were read, in hexadecimal; empty for a database.
    pub sha256: String,
    /// Bytes that were read.
    pub bytes: u64,
    /// Lines or rows that were read.
    pub records: u64,
    /// Records of unknown types, by type.
    pub unknown: BTreeMap<String, u64>,
    /// Parts that could not be carried over.
    pub lost: Vec<LostPart>,
}

/// A part of an imported session that could not be carried over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LostPart {
    /// The line of the file, counted from 1.
    pub line: Option<u64>,
    /// The row of the database, or the element of a list, by its id.
    pub row: Option<String>,
    /// What it is and why it was left out.
    pub reason: String,
}

impl ImportRecord {
    /// The program with its version: `claude-code 2.1.330`.
    pub fn source(&self) -> String {
        match &self.version {
            Some(version) => format!("{} {version}", self.program),
            None => self.program.clone(),
        }
    }
}
