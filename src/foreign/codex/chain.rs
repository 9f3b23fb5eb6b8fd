//! The files of a thread: a revert begins a new one that takes the beginning of another. The
//! newest segment is the live one; each file says which one it continues and up to where.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::foreign::parts;
use crate::foreign::source::{self, files_below};

/// How much of a file is read for its first record, in bytes: with base instructions it is
/// about 20 kB long.
const HEAD_BYTES: u64 = 1024 * 1024;
/// More files than this are no thread.
const MAX_CHAIN: usize = 256;
/// Folders of a store: year, month, day.
const STORE_DEPTH: usize = 4;
/// Characters of a UUID.
const UUID_CHARS: usize = 36;

/// A file of a thread, and how much of it belongs to the live history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) path: PathBuf,
    /// Records from this ordinal on were reverted; `None` when all of it counts.
    pub(super) end_ordinal: Option<u64>,
    /// Whether it is of the thread itself, not of the one that it was forked from.
    pub(super) is_own: bool,
}

/// The files of a thread in the order in which they are read.
#[derive(Debug, Default)]
pub(super) struct Chain {
    pub(super) segments: Vec<Segment>,
    /// Files that are named and not there.
    pub(super) missing: Vec<String>,
}

/// What the name of a rollout says: the thread, and the segment when it is not the first.
pub(super) fn name_ids(path: &Path) -> Option<(String, Option<String>)> {
    let name = path.file_name()?.to_str()?;
    let stem = name
        .strip_suffix(".zst")
        .unwrap_or(name)
        .strip_suffix(".jsonl")?;
    let tail = |text: &str| {
        let start = text.len().checked_sub(UUID_CHARS)?;
        text.get(start..).map(str::to_owned)
    };
    match stem.rsplit_once('_') {
        Some((first, segment)) => Some((tail(first)?, Some(segment.to_owned()))),
        None => Some((tail(stem)?, None)),
    }
}

/// The first record of a file.
pub(super) fn session_meta(path: &Path) -> Option<Value> {
    let head = source::beginning(path, HEAD_BYTES).ok()?;
    let head = String::from_utf8_lossy(&head);
    let mut objects = source::json_objects(&head);
    let meta = objects.find(|it| parts::text(it, "type") == "session_meta")?;
    meta.get("payload").cloned()
}

/// The rollouts of the store that a file lies in.
pub(super) fn rollouts_around(path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let is_date = |folder: &Path| {
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit())
    };
    let root = folder
        .ancestors()
        .find(|folder| !is_date(folder))
        .unwrap_or(folder);
    // Only a store is searched, never whatever folder a file happens to be in.
    let depth = if is_date(folder) { STORE_DEPTH } else { 1 };
    let mut files = files_below(root, depth);
    files.retain(|path| name_ids(path).is_some());
    // Of a plain file and its packed form, the plain one counts.
    let plain = |path: &Path| path.extension().is_some_and(|it| it == "jsonl");
    let packed_twice = |path: &PathBuf| !plain(path) && path.with_extension("").is_file();
    files.retain(|path| !packed_twice(path));
    files
}

/// The file whose last id is this one.
fn file_of(files: &[PathBuf], id: &str) -> Option<PathBuf> {
    let is_it = |path: &&PathBuf| {
        name_ids(path).is_some_and(|(thread, segment)| segment.as_deref().unwrap_or(&thread) == id)
    };
    files.iter().find(is_it).cloned()
}

/// The chain that a file is part of: that of the thread's newest segment.
pub(super) fn of(path: &Path) -> Chain {
    let only = |path: &Path| Chain {
        segments: vec![Segment {
            path: path.to_owned(),
            end_ordinal: None,
            is_own: true,
        }],
        missing: Vec::new(),
    };
    let Some((thread, _)) = name_ids(path) else {
        return only(path);
    };
    let files = rollouts_around(path);
    let live = files
        .iter()
        .filter_map(|path| Some((name_ids(path)?, path)))
        .filter(|((of, _), _)| *of == thread)
        // Version 7 UUIDs ascend with time; the first file has no segment.
        .max_by(|((_, a), _), ((_, b), _)| a.cmp(b))
        .map_or_else(|| path.to_owned(), |(_, path)| path.clone());
    let mut chain = Chain::default();
    let mut next = Some((live, None));
    while let Some((path, end_ordinal)) = next.take() {
        let is_own = name_ids(&path).is_some_and(|(of, _)| of == thread);
        let base = session_meta(&path).and_then(|meta| meta.get("history_base").cloned());
        let is_seen = chain.segments.iter().any(|it| it.path == path);
        if is_seen || chain.segments.len() >= MAX_CHAIN {
            break;
        }
        chain.segments.push(Segment {
            path,
            end_ordinal,
            is_own,
        });
        let Some(base) = base.filter(Value::is_object) else {
            break;
        };
        let id = parts::text(&base, "thread_id").to_owned();
        match file_of(&files, &id) {
            Some(path) => {
                next = Some((path, Some(parts::number(&base, "end_ordinal_exclusive"))));
            }
            None => chain.missing.push(id),
        }
    }
    chain.segments.reverse();
    chain
}
