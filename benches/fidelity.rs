//! How much of a conversation survives its compactions, over made-up sessions of many shapes:
//! a table in Markdown.
//!
//! `cargo bench --bench fidelity` prints it. With `BLESS=1` it also writes the table of
//! `docs/fidelity.md` and the short one of `docs/context.md` again. `PLIM_FIDELITY_LOST=1` adds what is
//! lost most, by kind and by what the names are of.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a measurement that cannot go on fails"
)]

#[path = "fidelity/code_talks.rs"]
mod code_talks;
#[path = "fidelity/other_talks.rs"]
mod other_talks;
#[path = "fidelity/project.rs"]
mod project;
#[path = "fidelity/report.rs"]
mod report;
#[path = "fidelity/talk.rs"]
mod talk;

use std::path::Path;
use std::sync::Arc;

use plimsoll::context::ContextSettings;
use plimsoll::context::fidelity::{self, FidelityScore};
use plimsoll::context::ruler::{Bpe, Ruler};
use plimsoll::session;
use plimsoll::transcript::{Encoding, Transcript};

use talk::Talk;

/// Windows in which each session is compacted.
const WINDOWS: [u64; 3] = [16_000, 32_000, 100_000];

/// A kind of session, and how one is made.
struct Shape {
    name: &'static str,
    talk: fn() -> Talk,
}

const SHAPES: [Shape; 10] = [
    Shape {
        name: "long refactor",
        talk: code_talks::long_refactor,
    },
    Shape {
        name: "test and fix",
        talk: code_talks::test_fix_loop,
    },
    Shape {
        name: "many small files",
        talk: code_talks::many_small_files,
    },
    Shape {
        name: "one huge log",
        talk: code_talks::one_huge_log,
    },
    Shape {
        name: "research, no code",
        talk: other_talks::research,
    },
    Shape {
        name: "many languages, rules",
        talk: other_talks::languages_and_rules,
    },
    Shape {
        name: "tickets and hosts",
        talk: other_talks::ticket_ops,
    },
    Shape {
        name: "several compactions",
        talk: code_talks::several_compactions,
    },
    Shape {
        name: "the same files again",
        talk: code_talks::re_reads,
    },
    Shape {
        name: "failure and recovery",
        talk: code_talks::failure_and_recovery,
    },
];

/// The scores of one session in one window.
struct ScoredSession {
    name: &'static str,
    window: u64,
    conversation_tokens: u64,
    scores: Vec<FidelityScore>,
}

fn main() {
    let ruler: Arc<dyn Ruler> = Arc::new(Bpe::new(Encoding::O200k));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let demo = session::load(&root.join("assets/demo-session.jsonl")).expect("the demo session");
    let mut sessions: Vec<(&'static str, Transcript)> = SHAPES
        .iter()
        .map(|shape| (shape.name, (shape.talk)().transcript))
        .collect();
    sessions.push(("the demo session", demo.transcript));
    let settings = ContextSettings::default();
    let mut scored = Vec::new();
    for (name, transcript) in &sessions {
        for window in WINDOWS {
            let run = fidelity::simulate(transcript, &settings, &ruler, window);
            let points = run
                .entries
                .iter()
                .filter_map(|id| fidelity::score(&run.transcript, id));
            scored.push(ScoredSession {
                name,
                window,
                conversation_tokens: run.tokens,
                scores: points.collect(),
            });
        }
    }
    let table = report::table(&scored);
    println!("{table}");
    if std::env::var_os("PLIM_FIDELITY_LOST").is_some() {
        println!("{}", report::lost(&scored));
    }
    if std::env::var_os("BLESS").is_some() {
        report::write(root, &scored, &table);
    }
}
