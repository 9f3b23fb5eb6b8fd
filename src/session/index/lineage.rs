//! Which sessions a session was forked from. What they measured is in its own log, as far as
//! the fork goes back: it must not count twice.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::session::header::Header;

/// A fork of a fork of a fork: older ones say nothing that matters.
const MAX_ANCESTORS: usize = 16;
/// No header is longer.
const MAX_HEADER_BYTES: u64 = 64 * 1024;

/// The ids of a session and of those it was forked from, as far as their files are there.
pub fn lineage(header: &Header) -> Vec<String> {
    let mut ids = vec![header.id.clone()];
    let mut parent = header.parent_session.clone().map(PathBuf::from);
    while let Some(path) = parent.take().filter(|_| ids.len() <= MAX_ANCESTORS) {
        let Some(header) = header_of(&path).filter(|header| !ids.contains(&header.id)) else {
            break;
        };
        parent = header.parent_session.map(PathBuf::from);
        ids.push(header.id);
    }
    ids
}

/// The header of a file, without the rest of it. Only of plain files: a path in a log may
/// name anything.
fn header_of(path: &Path) -> Option<Header> {
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let file = File::open(path).ok()?.take(MAX_HEADER_BYTES);
    let mut line = String::new();
    BufReader::new(file).read_line(&mut line).ok()?;
    Header::from_line(line.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::Timestamp;

    #[test]
    fn a_fork_knows_those_it_came_from_and_a_circle_ends() {
        let home = tempfile::tempdir().unwrap();
        let file = |id: &str| home.path().join(format!("{id}.jsonl"));
        let header = |id: &str, parent: &Path| {
            let mut header = Header::new(id, Timestamp(0), "/w");
            header.parent_session = Some(parent.display().to_string());
            header
        };
        let write = |header: &Header| {
            std::fs::write(file(&header.id), format!("{}\nmore\n", header.to_line())).unwrap();
        };
        write(&header("a", &file("c")));
        write(&header("b", &file("a")));
        let fork = header("c", &file("b"));
        write(&fork);
        assert_eq!(lineage(&fork), ["c", "b", "a"]);
        assert_eq!(lineage(&header("d", &file("gone"))), ["d"]);
        assert_eq!(lineage(&header("e", home.path())), ["e"], "a folder");
        assert_eq!(lineage(&header("f", Path::new("/dev/null"))), ["f"]);
    }
}
