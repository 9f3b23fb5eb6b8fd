//! The metadata of a file: enough to tell that it changed without reading it.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::store::mode_of;

/// The clock that stamps files may lag behind the one that is asked by this much.
const CLOCK_LAG: Duration = Duration::from_millis(20);
/// A file system that counts whole seconds, or two of them, shows a change only then.
const COARSE_TICK: Duration = Duration::from_secs(2);

/// The metadata of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StatStamp {
    pub(super) is_link: bool,
    pub(super) bytes: u64,
    pub(super) modified: Option<SystemTime>,
    pub(super) mode: Option<u32>,
    /// Tells a file from another one that was moved to its place.
    inode: u64,
    /// When its content, name, owner or permissions were changed last: nobody can set it
    /// back, as can be done with the time of modification.
    changed: Option<SystemTime>,
}

/// The facts of a file that a move does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct FileIdentity {
    inode: u64,
    bytes: u64,
    modified: Option<SystemTime>,
}

impl StatStamp {
    pub(super) fn of(metadata: &Metadata) -> Self {
        Self {
            is_link: metadata.is_symlink(),
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
            mode: Some(mode_of(metadata)),
            inode: metadata.ino(),
            changed: changed(metadata),
        }
    }

    /// The metadata at a path, links not followed; `None` for nothing and for folders.
    pub(super) fn at(path: &Path) -> Option<Self> {
        let metadata = std::fs::symlink_metadata(path).ok()?;
        (!metadata.is_dir()).then(|| Self::of(&metadata))
    }

    /// Whether only permissions or the number of names differ: then the content is the
    /// same, unless somebody set the time of modification back.
    pub(super) fn is_same_content(&self, other: &Self) -> bool {
        self.identity() == other.identity() && self.is_link == other.is_link
    }

    pub(super) fn identity(&self) -> FileIdentity {
        FileIdentity {
            inode: self.inode,
            bytes: self.bytes,
            modified: self.modified,
        }
    }

    /// Whether it was changed after a moment, as far as clocks can tell.
    pub(super) fn is_after(&self, moment: SystemTime) -> bool {
        is_after(self.changed, moment)
    }

    /// Whether a change after `now` is sure to give it another stamp.
    pub(super) fn is_settled(&self, now: SystemTime) -> bool {
        let Some(at) = self.changed else {
            return false;
        };
        let since_epoch = at.duration_since(SystemTime::UNIX_EPOCH);
        let is_coarse = since_epoch.is_ok_and(|it| it.subsec_nanos() == 0);
        let tick = if is_coarse { COARSE_TICK } else { CLOCK_LAG };
        now.duration_since(at).is_ok_and(|age| age > tick)
    }
}

/// Whether something that was changed then was changed after a moment.
pub(super) fn is_after(changed: Option<SystemTime>, moment: SystemTime) -> bool {
    changed.is_none_or(|at| at + CLOCK_LAG >= moment)
}

/// When anything about a file was changed last.
pub(super) fn changed(metadata: &Metadata) -> Option<SystemTime> {
    let secs = u64::try_from(metadata.ctime()).ok()?;
    let nanos = u32::try_from(metadata.ctime_nsec()).ok()?;
    SystemTime::UNIX_EPOCH.checked_add(Duration::new(secs, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_settles_when_the_tick_of_its_clock_is_over() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("a");
        std::fs::write(&path, "x").unwrap();
        let mut stamp = StatStamp::at(&path).unwrap();
        let at = |nanos| SystemTime::UNIX_EPOCH + Duration::new(1_000, nanos);
        stamp.changed = Some(at(5));
        assert!(!stamp.is_settled(at(6)) && stamp.is_settled(at(900_000_000)));
        stamp.changed = Some(at(0));
        assert!(!stamp.is_settled(at(900_000_000)), "it counts seconds");
        assert!(!stamp.is_settled(at(0) - Duration::from_secs(9)), "ahead");
        assert!(stamp.is_after(at(0)) && stamp.is_after(at(10_000_000)));
        assert!(!stamp.is_after(at(30_000_000)));
    }
}
