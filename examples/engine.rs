//! A context engine of one's own: it sends what people said, and of the rest only the newest
//! turn. The view that it makes is checked like that of any engine.
//!
//! `cargo run --example engine -- SESSION.jsonl`

use std::borrow::Cow;
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use plimsoll::clock::Clock;
use plimsoll::context::ruler::Approximate;
use plimsoll::context::selection::{Candidates, GroupChoice, Selection};
use plimsoll::context::{RequestContext, ShrinkMode};
use plimsoll::engine::selecting::{SelectingEngine, SelectionPolicy};
use plimsoll::engine::{ContextEngine, EngineFailure, EngineInfo, validation};
use plimsoll::session;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which session file?")?;
    run(Path::new(&path), &mut std::io::stdout())
}

/// Questions, and the newest turn.
struct Questions;

impl SelectionPolicy for Questions {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: "questions",
            description: Cow::Borrowed("what people said, and the newest turn"),
            owns_compaction: false,
            is_choosing: true,
        }
    }

    fn select(&mut self, candidates: &Candidates<'_>) -> Result<Selection, EngineFailure> {
        let newest = candidates.newest_turn();
        let groups = candidates.groups.iter();
        let choices = groups.map(|group| {
            if group.is_required || group.is_ask || group.turn == newest {
                GroupChoice::Send
            } else {
                GroupChoice::LeaveOut(Arc::from("an answer of an earlier turn"))
            }
        });
        Ok(Selection {
            choices: choices.collect(),
            ..Selection::default()
        })
    }
}

pub(crate) fn run(path: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let log = session::load(path)?.transcript;
    let mut engine = SelectingEngine::new(Questions, Arc::default(), Arc::new(Approximate));
    let (request_context, gentle) = (RequestContext::default(), ShrinkMode::default());
    let now = Clock::default().now();
    let view = engine.assemble(&log, &request_context, now, gentle)?.view;
    validation::check(&view, &log, false).map_err(|fault| fault.to_string())?;
    for left in &view.left_out {
        writeln!(out, "left out: {} ({})", left.preview, left.reason)?;
    }
    Ok(writeln!(out, "{} tokens are sent", view.usage.tokens)?)
}
