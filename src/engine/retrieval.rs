//! `retrieval`: the newest turns, and of what is older the turns that the newest message of the
//! user is about.
//!
//! Older turns are found by the words of that message (BM25, the index of
//! [`crate::context::recall`]), best first, as many as fit into `FOUND_SHARE` of the budget.
//! They stay in their order. What is found depends only on what came before the message, so
//! all requests of a turn begin alike, and a restart finds the same.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::selecting::{SELECTION_LIMIT, SelectionPolicy};
use super::sliding_window::{MovingWindow, note};
use super::{EngineFailure, EngineInfo};
use crate::context::recall::TextIndex;
use crate::context::selection::{Candidates, GroupChoice, Selection};
use crate::transcript::EntryId;

/// Share of the budget for the newest turns.
const RECENT_SHARE: f64 = 0.7;
/// Share of the budget for what is found.
const FOUND_SHARE: f64 = 0.25;
/// Turns that are brought at most.
const MAX_TURNS: usize = 8;
/// Places that are looked at for them.
const MAX_HITS: usize = 32;
/// A turn with less than this share of the best score is not brought.
const LEAST_SHARE: f32 = 0.4;
/// Characters of a message that are searched for: the head and the tail of a longer one say
/// what is wanted.
const QUERY_CHARS: usize = 2_000;

/// See the module's description.
#[derive(Default)]
pub struct Retrieval {
    index: TextIndex,
    /// The entries in the index, in order; its numbers are their places.
    indexed: Vec<EntryId>,
    /// The index was made anew for the newest choice.
    is_cold: bool,
    newest: Option<FoundGroups>,
}

/// The older groups that have words of a message.
struct FoundGroups {
    /// The message.
    ask: Option<EntryId>,
    /// The groups that could be found then.
    left: Vec<bool>,
    /// Places of groups with their scores, best first.
    hits: Vec<(usize, f32)>,
}

impl Retrieval {
    /// Its id.
    pub const ID: &str = "retrieval";
    /// One line for people.
    pub const DESCRIPTION: &str =
        "the newest turns, and older ones that your message is about; no summary, no model call";

    /// Adds what came before the message; makes the index anew when it is of another branch.
    fn catch_up(&mut self, candidates: &Candidates<'_>, ask: usize) {
        let entries = entries_before(candidates, ask).count();
        let mut known = entries_before(candidates, ask).zip(&self.indexed);
        let is_longer = self.indexed.len() <= entries && known.all(|(now, known)| now == known);
        if !is_longer {
            self.index = TextIndex::default();
            self.indexed.clear();
        }
        self.is_cold = self.indexed.is_empty();
        for entry in entries_before(candidates, ask).skip(self.indexed.len()) {
            let number = self.indexed.len() as u32;
            self.index.add(number, &candidates.text_of(entry));
            self.indexed.push(entry.clone());
        }
    }

    /// The older groups that have words of the message at a place, best first.
    fn find(
        &mut self,
        candidates: &Candidates<'_>,
        ask: usize,
        left: &[bool],
    ) -> Vec<(usize, f32)> {
        let ask_entry = first_entry(candidates, ask);
        if let Some(newest) = &self.newest
            && newest.ask == ask_entry
            && newest.left == left
            && entries_before(candidates, ask).eq(&self.indexed)
        {
            return newest.hits.clone();
        }
        self.catch_up(candidates, ask);
        let query = ask_entry.as_ref().map(|entry| candidates.text_of(entry));
        let hits = self.hits(candidates, &shortened(&query.unwrap_or_default()), left);
        self.newest = Some(FoundGroups {
            ask: ask_entry,
            left: left.to_vec(),
            hits: hits.clone(),
        });
        hits
    }

    /// Places of groups with their scores, best first.
    fn hits(&self, candidates: &Candidates<'_>, query: &str, left: &[bool]) -> Vec<(usize, f32)> {
        let homes: Vec<usize> = candidates
            .groups
            .iter()
            .enumerate()
            .flat_map(|(at, group)| {
                let entries = candidates.of(group).filter(|item| item.entry.is_some());
                entries.map(move |_| at)
            })
            .collect();
        let group_of = |text: u32| homes.get(text as usize).copied();
        let is_left = |text: u32| {
            let at = group_of(text);
            at.is_some_and(|at| left.get(at).copied().unwrap_or(false))
        };
        let read = |text: u32| {
            let entry = self.indexed.get(text as usize);
            entry.map_or_else(String::new, |entry| candidates.text_of(entry))
        };
        let weighed = self.index.weigh(query);
        if weighed.is_hopeless() {
            return Vec::new();
        }
        let hits = self.index.search(&weighed, MAX_HITS, &is_left, &read);
        hits.iter()
            .filter_map(|hit| Some((group_of(hit.text)?, hit.score)))
            .collect()
    }
}

impl SelectionPolicy for Retrieval {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: Self::ID,
            description: Cow::Borrowed(Self::DESCRIPTION),
            owns_compaction: true,
            is_choosing: true,
        }
    }

    fn select(&mut self, candidates: &Candidates<'_>) -> Result<Selection, EngineFailure> {
        self.is_cold = false;
        let budget = candidates.budget;
        let (Some(steady), Some(hard)) = (budget.steady_tokens, budget.hard_tokens) else {
            return Ok(Selection::default());
        };
        let share = |share: f64| (steady as f64 * share) as u64;
        let everything: u64 = candidates.groups.iter().map(|it| it.estimate_tokens).sum();
        // As long as all of it fits nothing is looked for.
        if everything <= steady.min(hard) {
            return Ok(Selection::default());
        }
        let ask = candidates.groups.iter().rposition(|group| group.is_ask);
        let mut window = MovingWindow::new(candidates);
        let mut scores = BTreeMap::new();
        if let Some(ask) = ask {
            window.replay_to(ask + 1, share(RECENT_SHARE));
            let left = window.left_groups().to_vec();
            if left.contains(&true) {
                let hits = self.find(candidates, ask, &left);
                scores = chosen(candidates, &hits, &left, share(FOUND_SHARE));
            }
        }
        window.replay_to(candidates.groups.len(), share(RECENT_SHARE));
        let brought = candidates.tokens_of(scores.keys().copied());
        window.narrow(hard.saturating_sub(brought));
        let is_too_long = window.tokens() + brought > hard;
        let left = window.left_groups();
        Ok(selection(left, &scores, is_too_long))
    }

    fn forget(&mut self) {
        self.newest = None;
    }

    fn limit(&self) -> Option<Duration> {
        (!self.is_cold).then_some(SELECTION_LIMIT)
    }
}

/// The entries before the group at a place.
fn entries_before<'a>(
    candidates: &'a Candidates<'_>,
    upto: usize,
) -> impl Iterator<Item = &'a EntryId> {
    let groups = candidates.groups.iter().take(upto);
    let items = groups.flat_map(|group| candidates.of(group));
    items.filter_map(|item| item.entry.as_ref())
}

fn first_entry(candidates: &Candidates<'_>, group: usize) -> Option<EntryId> {
    let group = candidates.groups.get(group)?;
    candidates.of(group).find_map(|item| item.entry.clone())
}

/// The best turns that fit, each whole or, where that is too much, the group that was found.
fn chosen(
    candidates: &Candidates<'_>,
    hits: &[(usize, f32)],
    left: &[bool],
    room_tokens: u64,
) -> BTreeMap<usize, f32> {
    let mut scores = BTreeMap::new();
    let mut room = room_tokens;
    let mut turns = Vec::new();
    let least = hits.first().map_or(0.0, |(_, best)| best * LEAST_SHARE);
    for &(at, score) in hits.iter().filter(|(_, score)| *score >= least) {
        let Some(group) = candidates.groups.get(at) else {
            continue;
        };
        if turns.contains(&group.turn) || scores.contains_key(&at) {
            continue;
        }
        let is_left = |at: &usize| left.get(*at).copied().unwrap_or(false);
        let from = candidates.groups.partition_point(|it| it.turn < group.turn);
        let upto = candidates
            .groups
            .partition_point(|it| it.turn <= group.turn);
        let turn: Vec<usize> = (from..upto).filter(is_left).collect();
        let whole = candidates.tokens_of(turn.iter().copied());
        if whole <= room {
            room -= whole;
            scores.extend(turn.into_iter().map(|at| (at, score)));
            turns.push(group.turn);
        } else if group.estimate_tokens <= room {
            room -= group.estimate_tokens;
            scores.insert(at, score);
        }
        if turns.len() >= MAX_TURNS {
            break;
        }
    }
    scores
}

fn selection(left: &[bool], scores: &BTreeMap<usize, f32>, is_too_long: bool) -> Selection {
    let other: Arc<str> = Arc::from("older than the window, and not what your message is about");
    let choice = |(at, is_left): (usize, &bool)| match (is_left, scores.get(&at)) {
        (false, _) => GroupChoice::Send,
        (true, Some(score)) => GroupChoice::SendBecause(Arc::from(format!(
            "older than the window; selected for your message: score {score:.1}"
        ))),
        (true, None) => GroupChoice::LeaveOut(Arc::clone(&other)),
    };
    let choices: Vec<GroupChoice> = left.iter().enumerate().map(choice).collect();
    let count = choices.iter().filter(|choice| !choice.is_sent()).count();
    Selection {
        choices,
        note: (count > 0).then(|| note(count)),
        is_too_long,
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= QUERY_CHARS {
        return text.to_owned();
    }
    let head: String = text.chars().take(QUERY_CHARS / 2).collect();
    let mut tail: Vec<char> = text.chars().rev().take(QUERY_CHARS / 2).collect();
    tail.reverse();
    format!("{head} {}", tail.into_iter().collect::<String>())
}
