//! Prunes a session by a policy of one's own: what tools printed before the newest turns is
//! replaced by a line. The decision is appended to the log, so that every later view keeps it.
//!
//! `cargo run --example own_policy -- SESSION.jsonl`

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use plimsoll::clock::Clock;
use plimsoll::context::ruler::{Approximate, Ruler};
use plimsoll::context::{Category, ContextView, RequestContext, ShrinkMode, ViewItem};
use plimsoll::engine::Layered;
use plimsoll::session::{Durability, SessionLog};
use plimsoll::transcript::{Cut, CutForm, CutPhase, Decision, EntryBody};

const KEPT_TURNS: u32 = 2;
const PLACEHOLDER: &str = "[Old output was removed; run it again if you need it.]";

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("which session file?")?;
    run(Path::new(&path))
}

pub(crate) fn run(path: &Path) -> Result<(), Box<dyn Error>> {
    let (clock, now) = (Clock::default(), Clock::default().now());
    let (mut file, session) = SessionLog::open(path, now)?;
    let mut log = session.transcript;
    let mut engine = Layered::new(Arc::default(), Arc::new(Approximate));
    let (request_context, gentle) = (RequestContext::default(), ShrinkMode::default());
    let evaluation = engine.evaluate(&log, &request_context, now, gentle);
    let body = EntryBody::Decision(old_output(&evaluation.view));
    let entry = log.append(clock.entry_id(&log), now, body)?;
    file.append(&entry, Durability::Flush)?;
    Ok(file.close()?)
}

fn old_output(view: &ContextView) -> Decision {
    let newest = view.items.iter().map(|item| item.turn).max().unwrap_or(0);
    let is_old = |item: &&Arc<ViewItem>| {
        item.category == Category::ToolResults && item.turn + KEPT_TURNS <= newest
    };
    let cut = |item: &Arc<ViewItem>| {
        let placeholder = PLACEHOLDER.to_owned();
        Some(Cut {
            target: item.entry.clone()?,
            form: CutForm::Clear { placeholder },
            phase: CutPhase::Manual,
            reason: format!("older than {KEPT_TURNS} turns"),
            tokens_before: item.tokens,
            tokens_after: Approximate.text_tokens(PLACEHOLDER),
        })
    };
    Decision::Prune {
        policy: "old-output".to_owned(),
        cuts: view.items.iter().filter(is_old).filter_map(cut).collect(),
        cache_given_up_tokens: 0,
        reasoning_lost: 0,
        by_person: true,
    }
}
