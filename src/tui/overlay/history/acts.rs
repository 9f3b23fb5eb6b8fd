//! The acts of the person that can be undone, in words, for the timeline.

use std::collections::HashMap;
use std::sync::Arc;

use super::HistoryPlace;
use crate::context::ContextView;
use crate::transcript::{
    Decision, Entry, EntryBody, EntryId, FileRecord, Transcript, undoable_acts,
};
use crate::tui::numbers;

/// Characters of a message or a rule in the name of an act.
const SUBJECT_CHARS: usize = 40;

/// An act that can be undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TimelineAct {
    /// What was done.
    pub words: String,
    /// How many acts are undone with it: itself, and every newer one.
    pub acts: usize,
}

/// The acts by the entry of the branch that stands for each.
pub(super) fn acts(
    transcript: &Transcript,
    view: Option<&Arc<ContextView>>,
) -> HashMap<EntryId, TimelineAct> {
    let branch = transcript.branch();
    let mut found = HashMap::new();
    for (at, act) in undoable_acts(transcript).into_iter().rev().enumerate() {
        let Some(entry) = transcript.get(&act.entry) else {
            continue;
        };
        let told = TimelineAct {
            words: words(entry, transcript, view).unwrap_or_else(|| act.kind.name().to_owned()),
            acts: at + 1,
        };
        // A rewind that was redone stands where that was done.
        let is_here = branch.iter().any(|entry| entry.id == act.names);
        found.insert(if is_here { act.names } else { act.entry }, told);
    }
    found
}

/// An act in words; `None` for what is none.
fn words(
    entry: &Arc<Entry>,
    transcript: &Transcript,
    view: Option<&Arc<ContextView>>,
) -> Option<String> {
    let subject = |target: &EntryId| {
        let words = transcript.get(target).map(first_words);
        words.unwrap_or_else(|| target.to_string())
    };
    Some(match &entry.body {
        EntryBody::Decision(Decision::Prune { cuts, .. }) => {
            let saved = cuts.iter();
            let saved = saved.map(|cut| cut.tokens_before.saturating_sub(cut.tokens_after));
            let results = numbers::plural(cuts.len() as u64, "result");
            format!("prune of {results}, {}", numbers::tokens(saved.sum()))
        }
        EntryBody::Decision(Decision::Pin { target }) => format!("pin of “{}”", subject(target)),
        EntryBody::Decision(Decision::Restore { target }) => {
            format!("restore of “{}”", subject(target))
        }
        EntryBody::Decision(Decision::Drop { target }) => format!("drop of “{}”", subject(target)),
        EntryBody::ContextEdit { target, .. } => format!("edit of “{}”", subject(target)),
        EntryBody::Decision(Decision::Rule { rule, change }) => {
            let mut rules = view.into_iter().flat_map(|view| view.rules.rules.iter());
            let of_view = rules.find(|it| it.rule.id == *rule);
            let text = change.text().or(of_view.map(|it| it.rule.text.as_str()));
            let text = text.map_or_else(|| rule.to_string(), clipped);
            format!("{} of the rule “{text}”", change.noun())
        }
        EntryBody::Compaction(compaction) => format!(
            "compaction {} → {}",
            numbers::tokens(compaction.tokens_before),
            numbers::tokens(compaction.details.tokens_after)
        ),
        EntryBody::Files(record) => rewind_words(record),
        _ => return None,
    })
}

fn rewind_words(record: &FileRecord) -> String {
    let conversation = record
        .cause
        .moved_from()
        .map(|_| "the conversation".to_owned());
    let files =
        (!record.changes.is_empty()).then(|| numbers::plural(record.changes.len() as u64, "file"));
    let parts: Vec<String> = [conversation, files].into_iter().flatten().collect();
    format!("rewind of {}", parts.join(" and "))
}

fn first_words(entry: &Arc<Entry>) -> String {
    let place = HistoryPlace {
        entry: Arc::clone(entry),
        last: entry.id.clone(),
        label: None,
        act: None,
    };
    let text = place.text();
    let line = text.trim().lines().next().unwrap_or_default();
    if line.is_empty() {
        entry.id.to_string()
    } else {
        clipped(line)
    }
}

fn clipped(words: &str) -> String {
    if words.chars().count() <= SUBJECT_CHARS {
        return words.to_owned();
    }
    let head: String = words.chars().take(SUBJECT_CHARS).collect();
    format!("{}…", head.trim_end())
}
