//! A file of ours made of a session that another program wrote.

use std::io;
use std::path::Path;

use serde_json::{Value, json};

use super::header::Header;
use super::record::to_line;
use super::time;
use crate::disk::private;
use crate::disk::replace::WholeFile;
use crate::transcript::Entry;

/// The id of the entry that says where a session comes from: the root of all others.
const IMPORT_ID: &str = "import00";

/// The bytes of a session with these entries, each after its parent. `provenance` is the data
/// of the first one, `plimsoll.import`.
pub fn imported_bytes(header: &Header, provenance: &Value, entries: &[Entry]) -> Vec<u8> {
    let mut text = header.to_line();
    let import = json!({
        "type": "custom",
        "id": IMPORT_ID,
        "parentId": null,
        "timestamp": time::to_rfc3339(header.timestamp),
        "customType": "plimsoll.import",
        "data": provenance,
    });
    text.push('\n');
    text.push_str(&import.to_string());
    text.push('\n');
    for entry in entries {
        if entry.parent.is_some() {
            text.push_str(&to_line(entry));
        } else {
            let root = Entry {
                parent: Some(crate::transcript::EntryId::new(IMPORT_ID)),
                ..entry.clone()
            };
            text.push_str(&to_line(&root));
        }
        text.push('\n');
    }
    text.into_bytes()
}

/// Writes a new session in one step; fails when something is there.
pub fn write_imported(target: &Path, bytes: &[u8]) -> io::Result<()> {
    private::create_parent(target)?;
    WholeFile::durable().create(target, bytes)
}
