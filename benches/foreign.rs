//! The readers of other programs' sessions, in MB of the source per second, and the HTML export
//! of a session of 10 MB. `FOREIGN_MB=64 cargo bench --bench foreign` makes larger sources; a
//! name behind `--` takes that reader only.
#![expect(clippy::expect_used, reason = "a benchmark that cannot go on ends")]
#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

#[path = "foreign/sources.rs"]
mod sources;

use std::path::Path;
use std::time::{Duration, Instant};

use plimsoll::export;
use plimsoll::foreign::{self, SessionPlace};

/// Size of each source when nothing else is asked for, in MB.
const SOURCE_MB: usize = 16;
/// Size of the exported session, in bytes.
const EXPORT_BYTES: usize = 10_000_000;
/// Times that each is read; the fastest counts.
const RUNS: usize = 3;

fn main() {
    let mb = std::env::var("FOREIGN_MB").ok();
    let mb = mb.and_then(|it| it.parse().ok()).unwrap_or(SOURCE_MB);
    let only: Vec<String> = std::env::args()
        .skip(1)
        .filter(|it| !it.starts_with('-'))
        .collect();
    let folder = tempfile::tempdir().expect("a folder");
    for (name, make) in sources::ALL {
        if !only.is_empty() && !only.iter().any(|it| it == name) {
            continue;
        }
        let path = make(folder.path(), mb * 1_000_000);
        measure(name, &path);
        std::fs::remove_file(&path).expect("a file of its own");
    }
    if only.is_empty() || only.iter().any(|it| it == "html") {
        let path = sources::claude(folder.path(), EXPORT_BYTES);
        measure_html(&path);
    }
}

fn measure(name: &str, path: &Path) {
    let bytes = path.metadata().expect("a source").len() as f64;
    let mut best = Duration::MAX;
    let mut said = String::new();
    for _ in 0..RUNS {
        let at = Instant::now();
        let read = foreign::read(&SessionPlace::of(path), None).expect("a session");
        best = best.min(at.elapsed());
        said = format!("{} entries, {} losses", read.entries.len(), read.lost.len());
    }
    let rate = bytes / 1e6 / best.as_secs_f64();
    println!(
        "{name:12} {:6.1} MB in {best:8.1?} = {rate:6.0} MB/s ({said})",
        bytes / 1e6
    );
}

fn measure_html(path: &Path) {
    let loaded = foreign::load(path).expect("a session");
    let mut best = Duration::MAX;
    let mut bytes = 0;
    for _ in 0..RUNS {
        let at = Instant::now();
        bytes = export::html((&loaded).into()).len();
        best = best.min(at.elapsed());
    }
    println!(
        "html         {:6.1} MB in {best:8.1?} ({} MB of HTML)",
        path.metadata().expect("a source").len() as f64 / 1e6,
        bytes / 1_000_000
    );
}
