//! The search index of recall: what an entry costs to read in, what a query takes at 100,000
//! entries, and how much memory the index needs beside the text.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::sync::Arc;

use divan::{Bencher, black_box};
use plimsoll::context::recall::{RecallIndex, spoken_text};
use plimsoll::transcript::{
    Entry, EntryBody, EntryId, Message, Part, Timestamp, ToolResult, Transcript,
};

const ENTRIES: usize = 100_000;

fn main() {
    let transcript = transcript(ENTRIES);
    let index = indexed(&transcript);
    let spoken = transcript.entries().iter().filter_map(|it| spoken_text(it));
    let text: usize = spoken.map(|it| it.text.len()).sum();
    let share = index.heap_bytes() as f64 / text as f64 * 100.0;
    println!(
        "{ENTRIES} entries, {} MB of text, index {} MB ({share:.1}%)",
        text / 1_000_000,
        index.heap_bytes() / 1_000_000
    );
    divan::main();
}

/// Words with the frequencies of a text: few of them are most of it.
fn word(seed: &mut u64) -> String {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    let share = (*seed >> 11) as f64 / (1_u64 << 53) as f64;
    let rank = (share.powi(3) * 40_000.0) as u64;
    match rank % 7 {
        0 => format!("src/part{}/file_{rank}.rs:{}", rank % 40, rank % 900),
        1 => format!("handle{rank}Request"),
        2 => format!("value_{rank}"),
        _ => format!("word{rank}"),
    }
}

fn transcript(entries: usize) -> Transcript {
    let mut seed = 7;
    let mut transcript = Transcript::new();
    for number in 0..entries {
        let words: Vec<String> = (0..160).map(|_| word(&mut seed)).collect();
        let text = format!("{}\nid: item-{number:06x}", words.join(" "));
        let message = if number % 3 == 0 {
            Message::user_text(text)
        } else {
            Message::ToolResult(ToolResult {
                tool_name: "read".to_owned(),
                content: vec![Part::Text(text)],
                ..ToolResult::default()
            })
        };
        let pushed = transcript.push(Arc::new(Entry {
            id: EntryId::new(format!("{number:08x}")),
            parent: transcript.leaf().cloned(),
            timestamp: Timestamp(number as i64),
            body: EntryBody::Message(Arc::new(message)),
        }));
        assert!(pushed.is_ok());
    }
    transcript
}

fn indexed(transcript: &Transcript) -> RecallIndex {
    let mut index = RecallIndex::default();
    index.sync(transcript);
    index
}

#[divan::bench(sample_count = 5)]
fn index_a_thousand_entries(bencher: Bencher) {
    let transcript = transcript(1_000);
    bencher.bench(|| black_box(indexed(&transcript).entries()));
}

#[divan::bench(sample_count = 20, args = [
    "item-00c350",
    "src/part7/file_21.rs",
    "word3 word4 word5 handle8Request",
    "where is the value_2 of file_7 handled",
])]
fn query(bencher: Bencher, query: &str) {
    let transcript = transcript(ENTRIES);
    let index = indexed(&transcript);
    bencher.bench(|| {
        let hits = index.search(&transcript, query, 10, &|_| true);
        assert!(!hits.is_empty());
        black_box(hits)
    });
}
