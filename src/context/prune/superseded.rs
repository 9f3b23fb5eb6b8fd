//! Results that a later one made pointless: the same call made again, a range of a
//! file that was read again, a file that was rewritten since. The cheapest prune: it
//! takes out only what is wrong or double.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{Plan, Price, PruneInput, call_of, candidates};
use crate::context::view::Disposition;
use crate::transcript::{CutForm, CutPhase, EntryId, ToolCall};

/// Not worth a look below this share of the window.
const MIN_RATIO: f64 = 0.15;
/// Not worth rewriting the prefix for less.
const MIN_GAIN_TOKENS: u64 = 2_000;
/// Lines that a read gives when it does not say how many.
const PAGE_LINES: u64 = 2_000;

pub fn decide(input: &PruneInput<'_>, plan: &mut Plan, price: &mut Price<'_>) {
    let Some(window) = input.window_tokens.filter(|&window| window > 0) else {
        return;
    };
    if !input.settings.superseded || (plan.view_tokens as f64) < window as f64 * MIN_RATIO {
        return;
    }
    let newer = newer_results(input);
    let pointless: Vec<_> = candidates(input)
        .filter(|(_, item)| item.disposition != Disposition::Cleared)
        .filter_map(|(info, item)| Some((info, item, newer.get(&info.entry)?)))
        .collect();
    let gain: u64 = pointless.iter().map(|(_, item, _)| item.tokens).sum();
    if gain < MIN_GAIN_TOKENS {
        return;
    }
    for (info, item, newer) in pointless {
        let form = CutForm::Clear {
            placeholder: format!("[Cleared: superseded by a later result ({newer})]"),
        };
        let reason = format!("superseded by {newer}");
        plan.cut((info, item), form, (CutPhase::Superseded, reason), price);
    }
}

/// For each pointless result what replaced it, e.g. `read src/main.rs`.
fn newer_results(input: &PruneInput<'_>) -> HashMap<EntryId, String> {
    let mut newer = HashMap::new();
    let mut seen = Seen::default();
    // Newest first: whatever was seen is later than what comes next.
    for index in (0..input.list.results.len()).rev() {
        let Some(info) = input.list.results.get(index) else {
            continue;
        };
        let Some(call) = call_of(info) else { continue };
        if input.repeatable.contains(&call.name)
            && let Some(by) = seen.newer_than(call)
        {
            newer.insert(info.entry.clone(), by);
        }
        let is_cleared = input
            .list
            .items
            .get(info.at)
            .is_none_or(|item| item.disposition == Disposition::Cleared);
        if !info.is_error && !is_cleared {
            seen.add(call, input.repeatable.contains(&call.name));
        }
    }
    newer
}

/// Calls that come later in the conversation.
#[derive(Default)]
struct Seen {
    identical: HashSet<String>,
    /// Per path the line ranges that were read, and whether it was rewritten.
    ranges: HashMap<String, Vec<(u64, u64)>>,
    rewritten: HashMap<String, String>,
}

impl Seen {
    fn newer_than(&self, call: &ToolCall) -> Option<String> {
        if self.identical.contains(&identity(call)) {
            return Some(describe(call));
        }
        let path = path_of(call)?;
        if let Some(by) = self.rewritten.get(path) {
            return Some(format!("{by} {path}"));
        }
        let (from, to) = range_of(call);
        let ranges = self.ranges.get(path)?;
        ranges
            .iter()
            .any(|&(a, b)| a <= from && to <= b)
            .then(|| describe(call))
    }

    fn add(&mut self, call: &ToolCall, is_repeatable: bool) {
        if is_repeatable {
            self.identical.insert(identity(call));
        }
        let Some(path) = path_of(call) else { return };
        match call.name.as_str() {
            "read" => self
                .ranges
                .entry(path.to_owned())
                .or_default()
                .push(range_of(call)),
            // An edit changes a part: the rest is only known from the read.
            "write" => {
                self.rewritten.insert(path.to_owned(), call.name.clone());
            }
            _ => {}
        }
    }
}

fn identity(call: &ToolCall) -> String {
    format!("{} {}", call.name, call.arguments)
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
