//! Results that a later one made pointless: the same call made again, a range of a
//! file that was read again, a file that was rewritten since. The cheapest prune: it
//! takes out only what is wrong or double.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::{Candidate, Plan, Price, PruneInput, call_of};
use crate::context::projection::ResultInfo;
use crate::context::view::Disposition;
use crate::transcript::{CutForm, CutPhase, ToolCall};

/// Not worth a look below this share of the window.
const MIN_RATIO: f64 = 0.15;
/// Not worth rewriting the prefix for less.
const MIN_GAIN_TOKENS: u64 = 2_000;
/// Lines that a read gives when it does not say how many.
const PAGE_LINES: u64 = 2_000;

/// What calls are compared by: numbers, because every result of a long session is
/// compared before every request.
#[derive(Clone, Copy, Debug)]
pub struct CallKey {
    /// Of the tool and all arguments.
    identity: u64,
    /// Of the file that it is about.
    path: Option<u64>,
    /// What it does to that file.
    access: Access,
}

#[derive(Clone, Copy, Debug)]
enum Access {
    /// Reads these lines.
    Read(u64, u64),
    /// Rewrites all of it. An edit does not: the rest is only known from the read.
    Write,
    Other,
}

impl CallKey {
    fn of(call: &ToolCall) -> Self {
        let (from, to) = range_of(call);
        Self {
            identity: hash(&format!("{} {}", call.name, call.arguments)),
            path: path_of(call).map(hash),
            access: match call.name.as_str() {
                "read" => Access::Read(from, to),
                "write" => Access::Write,
                _ => Access::Other,
            },
        }
    }
}

/// The same in every run.
fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Whether the window is full enough to look.
pub fn is_due(input: &PruneInput<'_>) -> bool {
    let window = input.window_tokens.unwrap_or(0);
    window > 0 && input.settings.superseded && input.view_tokens as f64 >= window as f64 * MIN_RATIO
}

pub fn decide(
    input: &PruneInput<'_>,
    candidates: &[Candidate<'_>],
    plan: &mut Plan,
    price: &mut Price<'_>,
) {
    if !is_due(input) {
        return;
    }
    let newer = newer_calls(input);
    let pointless: Vec<_> = candidates
        .iter()
        .filter(|(_, item)| item.disposition != Disposition::Cleared)
        .filter_map(|&(info, item)| Some((info, item, *newer.get(&info.at)?)))
        .collect();
    let gain: u64 = pointless.iter().map(|(_, item, _)| item.tokens).sum();
    if gain < MIN_GAIN_TOKENS {
        return;
    }
    for (info, item, newer) in pointless {
        let by = if input.is_rough {
            String::new()
        } else {
            describe(newer)
        };
        let form = CutForm::Clear {
            placeholder: if input.is_rough {
                String::new()
            } else {
                format!("[Cleared: superseded by a later result ({by})]")
            },
        };
        let reason = || format!("superseded by {by}");
        plan.cut((info, item), form, (CutPhase::Superseded, &reason), price);
    }
}

/// For each pointless result, by its position, the call that replaced it.
fn newer_calls<'a>(input: &'a PruneInput<'_>) -> HashMap<usize, &'a ToolCall> {
    let mut newer = HashMap::new();
    let mut seen = Seen::default();
    // Newest first: whatever was seen is later than what comes next.
    for index in (0..input.results_upto).rev() {
        let Some((info, call)) = input
            .list
            .results
            .get(index)
            .and_then(|info| Some((info.as_ref(), call_of(info)?)))
        else {
            continue;
        };
        let is_repeatable = input.repeatable.contains(&call.name);
        if !is_repeatable && call.name != "write" {
            continue;
        }
        let key = *info.key.get_or_init(|| CallKey::of(call));
        if is_repeatable && let Some(by) = seen.newer_than(&key, call) {
            newer.insert(info.at, by);
        }
        if !info.is_error && !is_cleared(input, info) {
            seen.add(&key, call, is_repeatable);
        }
    }
    newer
}

fn is_cleared(input: &PruneInput<'_>, info: &ResultInfo) -> bool {
    let item = input.list.items.get(info.at);
    item.is_none_or(|item| item.disposition == Disposition::Cleared)
}

/// Calls that come later in the conversation.
#[derive(Default)]
struct Seen<'a> {
    identical: HashMap<u64, &'a ToolCall>,
    /// Per file what was read of it. Ranges within another one are not kept, so that
    /// the ends rise with the beginnings.
    read: HashMap<u64, BTreeMap<u64, (u64, &'a ToolCall)>>,
    written: HashMap<u64, &'a ToolCall>,
}

impl<'a> Seen<'a> {
    fn newer_than(&self, key: &CallKey, call: &ToolCall) -> Option<&'a ToolCall> {
        if let Some(&same) = self.identical.get(&key.identity)
            && same.name == call.name
            && same.arguments == call.arguments
        {
            return Some(same);
        }
        let path = key.path?;
        let is_same_file = |other: &&ToolCall| path_of(other) == path_of(call);
        if let Some(&by) = self.written.get(&path).filter(|by| is_same_file(by)) {
            return Some(by);
        }
        let Access::Read(from, to) = key.access else {
            return None;
        };
        let (_, &(end, by)) = self.read.get(&path)?.range(..=from).next_back()?;
        (end >= to && is_same_file(&by)).then_some(by)
    }

    fn add(&mut self, key: &CallKey, call: &'a ToolCall, is_repeatable: bool) {
        if is_repeatable {
            self.identical.insert(key.identity, call);
        }
        let Some(path) = key.path else { return };
        match key.access {
            Access::Read(from, to) => {
                let ranges = self.read.entry(path).or_default();
                let before = ranges.range(..=from).next_back();
                if before.is_some_and(|(_, &(end, _))| end >= to) {
                    return;
                }
                while let Some((&start, &(end, _))) = ranges.range(from..).next()
                    && end <= to
                {
                    ranges.remove(&start);
                }
                ranges.insert(from, (to, call));
            }
            Access::Write => {
                self.written.insert(path, call);
            }
            Access::Other => {}
        }
    }
}

fn describe(call: &ToolCall) -> String {
    match path_of(call) {
        Some(path) => format!("{} {path}", call.name),
        None => call.name.clone(),
    }
}

/// Only tools that name one file have a path in this sense.
fn path_of(call: &ToolCall) -> Option<&str> {
    matches!(call.name.as_str(), "read" | "write")
        .then(|| call.arguments.get("path").and_then(Value::as_str))
        .flatten()
}

/// Lines that a read asked for.
fn range_of(call: &ToolCall) -> (u64, u64) {
    let number = |key| call.arguments.get(key).and_then(Value::as_u64);
    let from = number("offset").unwrap_or(1);
    (
        from,
        from.saturating_add(number("limit").unwrap_or(PAGE_LINES)),
    )
}
