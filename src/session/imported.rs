//! A file of ours made of a session that another program wrote.

use std::io;
use std::path::Path;

use serde_json::Value;

use super::header::Header;
use super::record::{import_value, to_line};
use crate::disk::private;
use crate::disk::replace::WholeFile;
use crate::transcript::{Entry, ImportRecord};

/// The bytes of a session with these entries, each after its parent.
pub fn imported_bytes(header: &Header, entries: &[Entry]) -> Vec<u8> {
    let mut text = header.to_line();
    text.push('\n');
    for entry in entries {
        text.push_str(&to_line(entry));
        text.push('\n');
    }
    text.into_bytes()
}

/// Writes a new session in one step; fails when something is there.
pub fn write_imported(target: &Path, bytes: &[u8]) -> io::Result<()> {
    private::create_parent(target)?;
    WholeFile::durable().create(target, bytes)
}

/// The origin of a session as JSON.
pub fn origin_json(record: &ImportRecord) -> Value {
    import_value(record)
}
