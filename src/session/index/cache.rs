//! The rows of earlier lists, in a file of the sessions folder: of thousands of sessions only
//! those are read that have changed. It holds nothing that the sessions do not say, and is made
//! again when it is missing or damaged.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use super::row::SessionRow;
use crate::disk::{open, private};

/// The file, in the sessions folder.
const FILE: &str = ".list-cache.json";
/// The form of the rows; a file of another one is made again.
const VERSION: u32 = 1;
/// A larger file is none of ours.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// From so many rows that were read on they are kept: fewer are read in no time.
const WORTH_KEEPING: usize = 32;

/// See the module's description.
pub(super) struct ListCache {
    folder: PathBuf,
    rows: HashMap<String, KeptRow>,
    /// The files that were asked for.
    asked: Vec<String>,
    read: usize,
}

#[derive(Serialize, Deserialize)]
struct CacheFile {
    version: u32,
    rows: HashMap<String, KeptRow>,
}

/// A row, with size and time of the file when it was read.
#[derive(Clone, Serialize, Deserialize)]
struct KeptRow {
    bytes: u64,
    /// Nanoseconds since 1970.
    changed: u64,
    row: SessionRow,
}

impl ListCache {
    /// What is kept of a sessions folder.
    pub(super) fn of(folder: &Path) -> Self {
        let bytes = open::read(&folder.join(FILE), MAX_BYTES).unwrap_or_default();
        let kept = serde_json::from_slice::<CacheFile>(&bytes).ok();
        let kept = kept.filter(|it| it.version == VERSION);
        Self {
            folder: folder.to_owned(),
            rows: kept.map(|it| it.rows).unwrap_or_default(),
            asked: Vec::new(),
            read: 0,
        }
    }

    /// The row of a file: the kept one, unless the file has another size or time now.
    pub(super) fn row(&mut self, path: &Path) -> io::Result<SessionRow> {
        let metadata = path.metadata()?;
        let changed = metadata.modified().ok();
        let changed = changed.and_then(|it| it.duration_since(UNIX_EPOCH).ok());
        let changed = changed.unwrap_or_default();
        let nanos = u64::try_from(changed.as_nanos()).unwrap_or(u64::MAX);
        let name = path.strip_prefix(&self.folder).unwrap_or(path);
        let name = name.to_string_lossy().into_owned();
        self.asked.push(name.clone());
        if let Some(kept) = self.rows.get(&name)
            && (kept.bytes, kept.changed) == (metadata.len(), nanos)
        {
            return Ok(kept.row.clone());
        }
        let row = SessionRow::read(path, changed.as_millis() as i64)?;
        self.read += 1;
        let kept = KeptRow {
            bytes: metadata.len(),
            changed: nanos,
            row: row.clone(),
        };
        self.rows.insert(name, kept);
        Ok(row)
    }

    /// Keeps the rows for the next list. After a list of all sessions those of files that are
    /// gone are left out. What cannot be written is read again the next time.
    pub(super) fn keep(mut self, is_of_all: bool) {
        if self.read < WORTH_KEEPING {
            return;
        }
        if is_of_all {
            let asked: std::collections::HashSet<String> = self.asked.into_iter().collect();
            self.rows.retain(|name, _| asked.contains(name));
        }
        let file = CacheFile {
            version: VERSION,
            rows: self.rows,
        };
        if let Ok(bytes) = serde_json::to_vec(&file) {
            let _ = private::replace(&self.folder.join(FILE), &bytes);
        }
    }
}
