//! A branch as a session of its own. Lines are copied as they are in the file, so that
//! what this version does not understand is not lost on the way.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::Arc;

use super::error::SessionError;
use super::header::Header;
use super::paths;
use super::record::{ParentLink, read_line, to_line};
use crate::disk::replace::WholeFile;
use crate::disk::{open, private};
use crate::transcript::{Entry, EntryId};

/// Writes `branch` (root first) to the new file `target` after `header`, whose
/// `parent_session` should name `source`. Entries that are not in the source's file, e.g.
/// because they could not be saved there, are written again. The source is not changed;
/// a target that exists is an error. Open the target to go on with it.
pub fn fork(
    source: &Path,
    target: &Path,
    header: &Header,
    branch: &[Arc<Entry>],
) -> Result<(), SessionError> {
    let bytes = match open::read(source, u64::MAX) {
        Ok(bytes) => bytes,
        // Nothing was saved there yet.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(SessionError::io(source)(error)),
    };
    let lines = lines_by_id(&bytes);
    let mut text = header.to_line();
    text.push('\n');
    for entry in branch {
        match lines.get(&entry.id) {
            // A parent that was repaired in memory must not be lost again.
            Some((line, parent)) if *parent == entry.parent => text.push_str(line),
            _ => text.push_str(&to_line(entry)),
        }
        text.push('\n');
    }
    if !target.exists() {
        let outputs = paths::outputs_folder(source);
        share(&outputs, &paths::outputs_folder(target)).map_err(SessionError::io(&outputs))?;
    }
    write(target, text.as_bytes()).map_err(SessionError::io(target))
}

/// Gives the fork the outputs and kept contents of its source: none of them is changed once
/// it is written, so a link is as good as a copy, and each session can be thrown away.
fn share(from: &Path, to: &Path) -> io::Result<()> {
    private::check_folder(from)?;
    let entries = match std::fs::read_dir(from) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    private::create_unlinked_folder(to)?;
    for entry in entries {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() && to.starts_with(&source) {
            // The session of a sub-agent lies below the one that it is forked from.
            continue;
        }
        if kind.is_dir() {
            share(&source, &target)?;
        } else if kind.is_file() && std::fs::hard_link(&source, &target).is_err() {
            // Not every file system has links.
            std::fs::copy(&source, &target)?;
        }
    }
    Ok(())
}

/// The lines that have ids, with their parents. Of an id that is used twice, the first
/// line counts, as in loading.
fn lines_by_id(bytes: &[u8]) -> HashMap<EntryId, (&str, Option<EntryId>)> {
    let mut lines = HashMap::new();
    for text in bytes.split(|byte| *byte == b'\n') {
        let Ok(text) = std::str::from_utf8(text) else {
            continue;
        };
        let Ok(line) = read_line(text) else {
            continue;
        };
        let parent = match line.parent {
            ParentLink::Id(id) => Some(id),
            ParentLink::Root => None,
            ParentLink::Unsaid => continue,
        };
        if let Some(id) = line.id {
            lines.entry(id).or_insert((text.trim(), parent));
        }
    }
    lines
}

/// Half a session would look like a whole one: it is there in one step.
fn write(target: &Path, bytes: &[u8]) -> io::Result<()> {
    private::create_parent(target)?;
    WholeFile::durable().create(target, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::load;
    use crate::transcript::{EntryBody, Timestamp};

    #[test]
    fn a_fork_has_its_outputs_when_its_source_is_gone() {
        let home = tempfile::tempdir().unwrap();
        let (source, target) = (home.path().join("s.jsonl"), home.path().join("t.jsonl"));
        let header = Header::new("s", Timestamp(0), "/w");
        std::fs::write(&source, format!("{}\n", header.to_line())).unwrap();
        std::fs::create_dir_all(home.path().join("s.d/files")).unwrap();
        std::fs::write(home.path().join("s.d/1-shell.txt"), "output").unwrap();
        std::fs::write(home.path().join("s.d/files/ab"), "content").unwrap();
        fork(&source, &target, &Header::new("t", Timestamp(1), "/w"), &[]).unwrap();
        crate::session::trash::discard(&source).unwrap();
        let read = |name: &str| std::fs::read_to_string(home.path().join(name)).unwrap();
        assert_eq!(read("t.d/1-shell.txt"), "output");
        assert_eq!(read("t.d/files/ab"), "content");
    }

    #[test]
    fn a_fork_keeps_what_is_not_understood() {
        let home = tempfile::tempdir().unwrap();
        let (source, target) = (home.path().join("s.jsonl"), home.path().join("f/t.jsonl"));
        let future = r#"{"type":"future","id":"a","parentId":null,"x":[1.50, {}]}"#;
        let text = format!(
            "{}\n{future}\n{}\ndamaged\n{}\n{}\n",
            r#"{"type":"session","version":3,"id":"s","cwd":"/w"}"#,
            r#"{"type":"session_info","id":"other","parentId":"a","name":"left out"}"#,
            r#"{"type":"custom","id":"b","parentId":"a","customType":"t","data":{"k":1}}"#,
            r#"{"type":"custom","id":"c","parentId":"lost","customType":"t"}"#,
        );
        std::fs::write(&source, &text).unwrap();
        let mut loaded = load(&source).unwrap();
        loaded.transcript.set_leaf(Some(EntryId::new("b")));
        let mut branch = loaded.transcript.branch();
        branch.push(Arc::new(Entry {
            id: EntryId::new("unsaved"),
            parent: Some(EntryId::new("b")),
            timestamp: Timestamp(5),
            body: EntryBody::SessionInfo {
                name: "n".to_owned(),
            },
        }));
        let mut header = Header::new("t", Timestamp(9), "/w");
        header.parent_session = Some(source.to_string_lossy().into_owned());
        fork(&source, &target, &header, &branch).unwrap();
        let forked = std::fs::read_to_string(&target).unwrap();
        let lines: Vec<&str> = forked.lines().collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[1], future);
        assert!(lines[2].contains(r#""data":{"k":1}"#));
        let reloaded = load(&target).unwrap();
        assert_eq!(reloaded.header, header);
        assert_eq!(reloaded.problems, []);
        assert_eq!(reloaded.transcript.branch(), branch);
        assert!(fork(&source, &target, &header, &branch).is_err());

        let mended = home.path().join("mended.jsonl");
        loaded.transcript.set_leaf(Some(EntryId::new("c")));
        fork(&source, &mended, &header, &loaded.transcript.branch()).unwrap();
        let again = load(&mended).unwrap();
        assert_eq!(again.problems, []);
        assert_eq!(again.transcript.branch().len(), 3);
    }
}
