//! How long the looks at the files around a command hold it up.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use plimsoll::checkpoint::{ChangeSource, ContentStore, FileWatch, MEGABYTE};
use plimsoll::transcript::{FileCause, FileLedger};

use super::{Place, report};

/// Files of the tree, in folders of twenty.
const FILES: usize = 20_000;
const FILES_PER_FOLDER: usize = 20;
/// Commands that are measured.
const COMMANDS: usize = 30;

/// The looks before and after a command that changes one file among many.
pub fn looks(place: &Place) -> Result<()> {
    let root = place.home.join("tree");
    for at in 0..FILES {
        let folder = root.join(format!("src/{}", at / FILES_PER_FOLDER));
        std::fs::create_dir_all(&folder)?;
        std::fs::write(folder.join(format!("{at}.rs")), "x")?;
    }
    let watch = FileWatch::new(
        ContentStore::temporary(MEGABYTE),
        std::slice::from_ref(&root),
    );
    watch.look_early();
    let (mut before, mut after): (Vec<Duration>, Vec<Duration>) = (Vec::new(), Vec::new());
    let mut ledger = FileLedger::default();
    for at in 0..COMMANDS {
        let began = Instant::now();
        let look = watch.before_command(&ledger, false);
        before.push(began.elapsed());
        std::fs::write(root.join("made"), at.to_string())?;
        let doing = ChangeSource {
            cause: FileCause::Command,
            jobs: Vec::new(),
        };
        let began = Instant::now();
        let record = watch.after_command(&look, doing, &ledger);
        after.push(began.elapsed());
        ledger.add(&record.context("the change was not found")?);
    }
    std::fs::remove_dir_all(&root)?;
    report::times("20,000 files before a command", &mut before)?;
    report::times("20,000 files after it", &mut after)
}
