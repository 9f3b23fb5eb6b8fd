//! Former contents of files that a session changed, changes by commands, and restoring files.
//! Knows files and the records of the log; no conversation, tool or screen.
//!
//! Invariant: nothing here writes over a file whose present state is not kept first.

mod comparison;
mod difference;
mod git;
mod report;
mod restore;
mod scan;
mod stamp;
mod store;
mod watch;

pub use difference::FileDifference;
pub use report::{ChangeKind, ChangedFile, ChangesReport, report};
pub use restore::{FileFate, PlannedFile, RestoreReport, WantedFile, apply, keep_first, plan};
pub use store::{ContentStore, MEGABYTE};
pub use watch::{ChangeSource, FileWatch, PendingRecord, ScanMoment};

use std::path::Path;

/// A path as people read it: relative to the working directory when it is inside.
pub fn shown(path: &str, cwd: &Path) -> String {
    match Path::new(path).strip_prefix(cwd) {
        Ok(rest) => rest.display().to_string(),
        Err(_) => path.to_owned(),
    }
}
