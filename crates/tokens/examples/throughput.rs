//! How fast texts are counted: `cargo run --release -p plimsoll-tokens --example throughput
//! [FILE…]`, with files or with texts on which tokenizers get slow.

use std::io::{self, Write as _};
use std::time::Instant;

use plimsoll_tokens::Encoding;

const MEGABYTE: usize = 1_000_000;

fn main() -> io::Result<()> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        report("a short text", "hello world")?;
        for (name, part) in [
            ("blanks", " "),
            ("ends of lines", "\n"),
            ("one letter", "a"),
            ("one sign", "!"),
            ("Chinese without a stop", "上下文窗口已经满了"),
            ("hexadecimal", "9f86d081884c7d659a2feaa0c55ad015"),
        ] {
            report(name, &part.repeat(MEGABYTE / part.len()))?;
        }
    }
    for file in files {
        report(&file, &std::fs::read_to_string(&file)?)?;
    }
    Ok(())
}

fn report(name: &str, text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for encoding in [Encoding::O200k, Encoding::Cl100k] {
        let begun = Instant::now();
        let tokens = encoding.count(text);
        let seconds = begun.elapsed().as_secs_f64();
        let megabytes = text.len() as f64 / MEGABYTE as f64;
        let speed = megabytes / seconds;
        writeln!(
            out,
            "{name}: {encoding:?} {tokens} tokens in {:.3} ms, {speed:.1} MB/s",
            seconds * 1e3
        )?;
    }
    Ok(())
}
