//! Prunes a session, compacts it with a summary that needs no model, and writes the result
//! as a new session. The old one is not changed.
//!
//! `cargo run --example prune_and_compact -- SESSION.jsonl NEW.jsonl`

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use plimsoll::clock::Clock;
use plimsoll::context::ruler::{Approximate, Ruler};
use plimsoll::context::summary::{self, SourceMessage, SummaryJob};
use plimsoll::context::tail::{self, TailLimits};
use plimsoll::context::{ContextSettings, Evaluation, RequestContext, ShrinkMode};
use plimsoll::engine::Layered;
use plimsoll::session::{self, Header};
use plimsoll::transcript::{Compaction, EntryBody};

fn main() -> Result<(), Box<dyn Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [source, target] = paths.as_slice() else {
        return Err("which session file, and where does the new one go?".into());
    };
    run(Path::new(source), Path::new(target))
}

pub(crate) fn run(source: &Path, target: &Path) -> Result<(), Box<dyn Error>> {
    let (clock, settings) = (Clock::default(), Arc::new(ContextSettings::default()));
    let mut engine = Layered::new(Arc::clone(&settings), Arc::new(Approximate));
    let (request_context, session) = (RequestContext::default(), session::load(source)?);
    let (mut log, now) = (session.transcript, clock.now());

    let prune_now = ShrinkMode {
        prune_now: true,
        ..ShrinkMode::default()
    };
    let Evaluation { view, decisions } = engine.evaluate(&log, &request_context, now, prune_now);
    for decision in decisions {
        log.append(clock.entry_id(&log), now, EntryBody::Decision(decision))?;
    }

    let limits = TailLimits::of(&settings.compaction, view.window.usable);
    let plan = tail::select(&view, limits, None);
    let history = plan.history.iter().chain(&plan.turn_prefix);
    let messages = history.filter_map(|id| SourceMessage::of(log.get(id)?, &Approximate));
    let count = |text: &str| Approximate.text_tokens(text);
    let job = SummaryJob::new(messages.collect(), Arc::new(count));
    let compaction = Compaction {
        summary: summary::extract(&job).summary,
        first_kept: plan.first_kept,
        tokens_before: view.usage.tokens,
        ..Compaction::default()
    };
    let body = EntryBody::Compaction(Box::new(compaction));
    log.append(clock.entry_id(&log), now, body)?;

    let header = Header::new(clock.session_id(), now, session.header.cwd);
    session::fork(source, target, &header, &log.branch())?;
    Ok(())
}
