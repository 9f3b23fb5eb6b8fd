//! Prints the ledger of a session file: what its next request would carry, item by item.
//!
//! `cargo run --example ledger -- SESSION.jsonl`

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use plimsoll::clock::Clock;
use plimsoll::context::ruler::Bpe;
use plimsoll::context::{RequestContext, ShrinkMode};
use plimsoll::engine::Layered;
use plimsoll::session;
use plimsoll::transcript::{ModelInfo, ModelRef};

const WINDOW_TOKENS: u64 = 200_000;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which session file?")?;
    run(Path::new(&path), &mut io::stdout().lock())
}

pub(crate) fn run(path: &Path, out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let session = session::load(path)?;
    let model = ModelInfo {
        window_tokens: Some(WINDOW_TOKENS),
        ..ModelInfo::unknown(ModelRef::new("anthropic", "claude-sonnet-4-5"))
    };
    let ruler = Arc::new(Bpe::new(model.encoding));
    let (now, gentle) = (Clock::default().now(), ShrinkMode::default());
    let request_context = RequestContext {
        model,
        ..RequestContext::default()
    };
    let mut engine = Layered::new(Arc::default(), ruler);
    let view = engine
        .evaluate(&session.transcript, &request_context, now, gentle)
        .view;

    for item in &view.items {
        let (category, disposition) = (item.category.name(), item.disposition.name());
        let (tokens, preview) = (item.tokens, &item.preview);
        writeln!(
            out,
            "{tokens:>8}  {category:<12}  {disposition:<10}  {preview}"
        )?;
    }
    for left in &view.left_out {
        let (entry, disposition) = (&left.entry, left.disposition.name());
        writeln!(
            out,
            "       -  {entry:<12}  {disposition:<10}  {}",
            left.reason
        )?;
    }
    let used = view.usage.tokens;
    writeln!(out, "{used:>8}  of {WINDOW_TOKENS} tokens")?;
    Ok(())
}
