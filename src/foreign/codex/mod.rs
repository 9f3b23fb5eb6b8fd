//! codex: rollouts of records, plain or zstd. Turns are the items of the Responses API, in the
//! order of the file; the events for the screen repeat them and count only for what the items
//! lack: exit codes, usage, what was rolled back.

mod chain;
mod items;
mod replay;
mod skim;

use std::path::Path;

use serde_json::Value;

use self::chain::Segment;
use self::replay::Replay;
use self::skim::{LineWorth, Skim};
use super::conversation::{ForeignSession, SessionDraft, SourcePlace};
use super::parts;
use super::program::ForeignProgram;
use super::source::{self, SourceError};

/// Sub-agents below each other that are read.
const MAX_DEPTH: usize = 3;

/// Reads a thread with all its segments, and its sub-agents.
pub(super) fn read(path: &Path) -> Result<ForeignSession, SourceError> {
    read_at_depth(path, 0)
}

fn read_at_depth(path: &Path, depth: usize) -> Result<ForeignSession, SourceError> {
    let chain = chain::of(path);
    let meta = chain
        .segments
        .last()
        .and_then(|it| chain::session_meta(&it.path));
    let is_paginated = meta
        .as_ref()
        .is_some_and(|it| parts::text(it, "history_mode") == "paginated");
    let generation = if is_paginated { "paginated" } else { "legacy" };
    let origin = source::origin(ForeignProgram::Codex, generation, path);
    let mut draft = SessionDraft::new(origin);
    for id in &chain.missing {
        draft.lose(
            SourcePlace::Whole,
            format!("incomplete: base {id} not found"),
        );
    }
    let mut replay = Replay::new(&mut draft);
    for segment in &chain.segments {
        read_segment(segment, &mut replay)?;
    }
    let (leaf, agents) = replay.finish();
    if draft.origin.session.is_empty() {
        draft.origin.session = chain::name_ids(path)
            .map(|(thread, _)| thread)
            .unwrap_or_default();
    }
    draft.title = title(path, &draft.origin.session);
    let mut children = Vec::new();
    if depth < MAX_DEPTH {
        let files = if agents.is_empty() {
            Vec::new()
        } else {
            chain::rollouts_around(path)
        };
        for agent in agents {
            let is_of = |path: &&std::path::PathBuf| {
                chain::name_ids(path).is_some_and(|(thread, _)| thread == agent)
            };
            match files
                .iter()
                .find(is_of)
                .map(|path| read_at_depth(path, depth + 1))
            {
                Some(Ok(child)) => children.push(child),
                Some(Err(error)) => draft.lose(SourcePlace::Whole, format!("a sub-agent: {error}")),
                None => draft.lose(
                    SourcePlace::Whole,
                    format!("the sub-agent {agent} is not there"),
                ),
            }
        }
    }
    Ok(draft.finish(leaf, children))
}

fn read_segment(segment: &Segment, replay: &mut Replay<'_>) -> Result<(), SourceError> {
    replay.begin(segment);
    let skim = Skim::of(&segment.path)?;
    let mut open = String::new();
    let read = source::each_line(&segment.path, |line| {
        match skim.worth(line.text, line.number) {
            LineWorth::Whole => {}
            LineWorth::Nothing => return Ok(()),
            LineWorth::Older(record) => {
                replay.record(&record, line.number);
                return Ok(());
            }
        }
        // Some files are printed over many lines: an object ends where it can be read.
        let is_open = !open.is_empty();
        if is_open {
            open.push('\n');
            open.push_str(line.text);
        }
        let text = if is_open { open.as_str() } else { line.text };
        match source::record::<Value>(text) {
            Ok(record) => {
                open.clear();
                replay.record(&record, line.number);
                Ok(())
            }
            Err(_) if line.text.trim() == "{" || is_open && !begins_record(line.text) => {
                if !is_open {
                    line.text.clone_into(&mut open);
                }
                Ok(())
            }
            Err(reason) => {
                open.clear();
                if is_open && let Ok(record) = source::record::<Value>(line.text) {
                    replay.record(&record, line.number);
                    return Err("an object printed over lines before it does not end".to_owned());
                }
                Err(reason)
            }
        }
    })?;
    replay.end(read);
    Ok(())
}

/// Whether a line looks like the start of a record of its own.
fn begins_record(text: &str) -> bool {
    text.starts_with("{\"timestamp\"")
}

/// The last name of a thread in the index beside the store.
fn title(path: &Path, thread: &str) -> Option<String> {
    let index = path
        .ancestors()
        .skip(1)
        .map(|it| it.join("session_index.jsonl"));
    let index = index.take(6).find(|it| it.is_file())?;
    let (bytes, _) = source::whole(&index).ok()?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let rows = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut named = rows.filter(|row| parts::text(row, "id") == thread);
    named
        .next_back()
        .map(|row| parts::text(&row, "thread_name").to_owned())
        .filter(|it| !it.is_empty())
}
