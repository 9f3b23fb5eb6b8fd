//! The search over all sessions at the size of years: `SEARCH_SESSIONS=5000 SEARCH_STORE=DIR
//! cargo bench --bench search` makes so many sessions of about 400 kB each in DIR, where they
//! stay, indexes them and prints times. Without the variables it makes a hundred and throws them
//! away.
#![expect(clippy::expect_used, reason = "a benchmark that cannot go on ends")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use plimsoll::fulltext::{SearchFilter, SearchIndex, SearchPlaces};
use plimsoll::session::{self, Scope};
use plimsoll::transcript::Timestamp;

/// Entries of a session; every third is the output of a tool.
const ENTRIES: usize = 120;
/// Words of an output.
const OUTPUT_WORDS: usize = 1_400;
/// Words of a message.
const MESSAGE_WORDS: usize = 60;
/// Words that there are.
const VOCABULARY: u64 = 40_000;

/// Numbers that are the same at every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// A word; small numbers are common.
    fn word(&mut self, out: &mut String) {
        let fraction = (self.next() % 10_000) as f64 / 10_000.0;
        let at = (fraction * fraction * fraction * VOCABULARY as f64) as u64;
        let _ = write!(
            out,
            "w{at:x}{} ",
            if at.is_multiple_of(7) { "_name" } else { "" }
        );
    }

    fn words(&mut self, many: usize) -> String {
        let mut out = String::new();
        for _ in 0..many {
            self.word(&mut out);
        }
        out
    }
}

fn make(sessions: &Path, many: usize) {
    let folder = sessions.join("--w--");
    std::fs::create_dir_all(&folder).expect("a folder");
    for n in 0..many {
        let path = folder.join(format!("2026-01-01T00-00-00-000Z_s{n:05}.jsonl"));
        if path.exists() {
            continue;
        }
        let mut numbers = Numbers(n as u64);
        let mut text = format!(
            "{{\"type\":\"session\",\"version\":3,\"id\":\"s{n:05}\",\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"cwd\":\"/w/p{}\"}}\n",
            n % 50
        );
        let mut parent = "null".to_owned();
        for entry in 0..ENTRIES {
            let message = match entry % 3 {
                0 => format!(
                    "{{\"role\":\"user\",\"content\":\"{} 漢字入力 needle{n}\"}}",
                    numbers.words(MESSAGE_WORDS)
                ),
                1 => format!(
                    "{{\"role\":\"assistant\",\"content\":[{{\"type\":\"toolCall\",\"id\":\"c{entry}\",\"name\":\"shell\",\"arguments\":{{\"command\":\"{}\"}}}}],\"api\":\"x\",\"provider\":\"p\",\"model\":\"m\",\"usage\":{{}},\"stopReason\":\"toolUse\"}}",
                    numbers.words(10)
                ),
                _ => format!(
                    "{{\"role\":\"toolResult\",\"toolCallId\":\"c{}\",\"toolName\":\"shell\",\"content\":[{{\"type\":\"text\",\"text\":\"{}\"}}],\"isError\":{}}}",
                    entry - 1,
                    numbers.words(OUTPUT_WORDS),
                    entry % 20 == 2
                ),
            };
            let _ = writeln!(
                text,
                "{{\"type\":\"message\",\"id\":\"{entry:08x}\",\"parentId\":{parent},\"timestamp\":\"2026-01-01T00:00:01.000Z\",\"message\":{message}}}"
            );
            parent = format!("\"{entry:08x}\"");
        }
        std::fs::write(&path, text).expect("a session");
    }
}

fn size_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter_map(|it| Some(it.metadata().ok()?.len()))
        .sum()
}

fn main() {
    let mut out = std::io::stdout();
    let many: usize = std::env::var("SEARCH_SESSIONS")
        .ok()
        .and_then(|it| it.parse().ok())
        .unwrap_or(100);
    let kept = std::env::var_os("SEARCH_STORE").map(PathBuf::from);
    let thrown_away = tempfile::tempdir().expect("a folder");
    let root = kept.unwrap_or_else(|| thrown_away.path().to_owned());
    let places = SearchPlaces {
        sessions: root.join("sessions"),
        stores: Vec::new(),
    };
    let mut say = |text: String| {
        let _ = writeln!(out, "{text}");
    };
    let at = Instant::now();
    make(&places.sessions, many);
    let bytes = size_of(&places.sessions.join("--w--"));
    say(format!(
        "{many} sessions, {} MB, made in {:.1?}",
        bytes >> 20,
        at.elapsed()
    ));
    let file = root.join("cache/search.sqlite3");
    let at = Instant::now();
    let mut index = SearchIndex::open(&file).expect("an index");
    let report = index.refresh(&places, &mut |_| true).expect("an update");
    let size = size_of(&root.join("cache")) >> 20;
    say(format!(
        "{} read in {:.1?}, index {size} MB",
        report.read,
        at.elapsed()
    ));
    drop(index);
    for text in [
        "needle42",
        "w10",
        "w3 w5 w9",
        "漢字入力 needle7",
        "\"w1 w2\"",
        "w10a",
        "absent",
    ] {
        say(ask(&file, &places, text, &SearchFilter::default()));
    }
    let filter = SearchFilter::default;
    for filter in [
        SearchFilter {
            errors: true,
            ..filter()
        },
        SearchFilter {
            tool: Some("nothing".to_owned()),
            ..filter()
        },
        SearchFilter {
            dir: Some("/w/p7".to_owned()),
            ..filter()
        },
        SearchFilter {
            program: Some("codex".to_owned()),
            ..filter()
        },
        SearchFilter {
            since: Some(Timestamp(4_000_000_000_000)),
            ..filter()
        },
    ] {
        say(format!("{filter:?}:"));
        say(ask(&file, &places, "w10", &filter));
    }
    for what in ["first list", "list"] {
        let at = Instant::now();
        let listed = session::list(&places.sessions, Scope::All).expect("a list");
        say(format!(
            "{what:22} {:3} sessions, {:.1?}",
            listed.len(),
            at.elapsed()
        ));
    }
}

/// A search as a program that has just started does it.
fn ask(file: &Path, places: &SearchPlaces, text: &str, filter: &SearchFilter) -> String {
    let at = Instant::now();
    let mut index = SearchIndex::open(file).expect("an index");
    index.refresh(places, &mut |_| true).expect("an update");
    let fresh = at.elapsed();
    let found = index.search(text, filter).expect("an answer");
    format!(
        "{text:22} {:3} sessions, {:.1?} with the look for changes ({fresh:.1?})",
        found.len(),
        at.elapsed()
    )
}
