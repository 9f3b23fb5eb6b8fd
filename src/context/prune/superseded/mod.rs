//! Results that a later one made pointless: the same call made again, lines of a file that
//! a later result holds as well, a file that was rewritten since. The cheapest prune: it
//! takes out only what is wrong or double.
//!
//! Invariant: what a read loses is in a result that is sent whole, or the file is another
//! since. Arguments do not say which lines a result holds (pages end early, files change,
//! results are cut), so the results themselves are compared.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use serde_json::Value;

use super::{Candidate, Plan, Price, PruneInput, call_of};
use crate::context::projection::ResultInfo;
use crate::context::view::Disposition;
use crate::transcript::{CutForm, CutPhase, Message, ToolCall};

/// Not worth a look below this share of the window.
const MIN_RATIO: f64 = 0.15;
/// Not worth rewriting the prefix for less.
const MIN_GAIN_TOKENS: u64 = 2_000;

/// What calls and their results are compared by: numbers, because every result of a long
/// session is compared before every request.
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
    /// Holds these lines of it.
    Read(LineRange),
    /// Rewrites all of it. An edit does not: the rest is only known from the read.
    Write,
    Other,
}

/// The lines of a file that a result holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LineRange {
    from: u64,
    /// The line behind the last one.
    to: u64,
    /// They are all lines that the file had.
    is_whole_file: bool,
}

impl CallKey {
    fn of(call: &ToolCall, result: &Message) -> Self {
        Self {
            identity: hash(&format!("{} {}", call.name, call.arguments)),
            path: path_of(call).map(hash),
            access: match call.name.as_str() {
                "read" => Access::Read(LineRange::of(call, result)),
                "write" => Access::Write,
                _ => Access::Other,
            },
        }
    }
}

impl LineRange {
    fn of(call: &ToolCall, result: &Message) -> Self {
        let from = call.arguments.get("offset").and_then(Value::as_u64);
        let from = from.unwrap_or(1).max(1);
        let held = body_lines(result).count() as u64;
        Self {
            from,
            to: from.saturating_add(held),
            is_whole_file: from == 1 && detail(result, "total") == Some(held),
        }
    }
}

/// The lines of a file in what a read answered, without the closing notice. Where a log does
/// not say how many they are, all lines count: then only a result that says the same word
/// for word holds them.
fn body_lines(result: &Message) -> impl Iterator<Item = String> {
    let text = result.text();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let shown = detail(result, "lines").map_or(usize::MAX, |lines| lines as usize);
    lines.into_iter().take(shown)
}

fn detail(result: &Message, name: &str) -> Option<u64> {
    match result {
        Message::ToolResult(result) => result.details.as_ref()?.get(name)?.as_u64(),
        Message::User(_) | Message::Assistant(_) | Message::BashExecution(_) => None,
    }
}

/// One number for each line that a result holds.
fn line_hashes(info: &ResultInfo) -> &Arc<[u64]> {
    let lines = || body_lines(&info.whole).map(|line| hash(&line)).collect();
    info.lines.get_or_init(lines)
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
    let newer = newer_results(input);
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
            describe(newer.call)
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
        plan.stand_ins.insert(newer.info.at);
    }
}

/// A result with its call.
#[derive(Clone, Copy)]
struct Answered<'a> {
    info: &'a ResultInfo,
    call: &'a ToolCall,
}

/// For each pointless result, by its position, the one that replaced it.
fn newer_results<'a>(input: &'a PruneInput<'_>) -> HashMap<usize, Answered<'a>> {
    let mut newer = HashMap::new();
    let mut seen = Seen::default();
    // Newest first: whatever was seen is later than what comes next.
    for index in (0..input.results_upto).rev() {
        let Some(result) = input.list.results.get(index).and_then(|info| {
            let (info, call) = (info.as_ref(), call_of(info)?);
            Some(Answered { info, call })
        }) else {
            continue;
        };
        let Answered { info, call } = result;
        let is_repeatable = input.repeatable.contains(&call.name);
        if !is_repeatable && call.name != "write" {
            continue;
        }
        let key = *info.key.get_or_init(|| CallKey::of(call, &info.whole));
        if is_repeatable && let Some(by) = seen.newer_than(&key, result) {
            newer.insert(info.at, by);
        }
        // What was written is in the call, whatever became of the result.
        let is_held = !is_repeatable || is_sent_whole(input, info);
        if !info.is_error && is_held {
            seen.add(&key, result);
        }
    }
    newer
}

/// Nothing was cut from it, or put in its place.
fn is_sent_whole(input: &PruneInput<'_>, info: &ResultInfo) -> bool {
    let item = input.list.items.get(info.at);
    item.is_some_and(|item| item.disposition == Disposition::Sent)
}

/// Results that come later in the conversation.
#[derive(Default)]
struct Seen<'a> {
    identical: HashMap<u64, Answered<'a>>,
    /// Per file what was read of it. Ranges within another one are not kept, so that
    /// the ends rise with the beginnings.
    read: HashMap<u64, BTreeMap<u64, (LineRange, Answered<'a>)>>,
    written: HashMap<u64, Answered<'a>>,
}

impl<'a> Seen<'a> {
    fn newer_than(&self, key: &CallKey, result: Answered<'a>) -> Option<Answered<'a>> {
        let call = result.call;
        let is_same_file = |other: &Answered<'_>| path_of(other.call) == path_of(call);
        let written = key.path.and_then(|path| self.written.get(&path));
        if let Some(by) = written.filter(|by| is_same_file(by)) {
            return Some(*by);
        }
        let Access::Read(range) = key.access else {
            let same = self.identical.get(&key.identity)?;
            let is_same = same.call.name == call.name && same.call.arguments == call.arguments;
            return is_same.then_some(*same);
        };
        let (_, &(newer, by)) = self
            .read
            .get(&key.path?)?
            .range(..=range.from)
            .next_back()?;
        let holds = || newer.is_whole_file || holds(by.info, newer, result.info, range);
        (is_same_file(&by) && holds()).then_some(by)
    }

    fn add(&mut self, key: &CallKey, result: Answered<'a>) {
        match (key.access, key.path) {
            (Access::Other, _) => {
                self.identical.insert(key.identity, result);
            }
            (Access::Write, Some(path)) => {
                self.written.insert(path, result);
            }
            (Access::Read(range), Some(path)) => self.add_read(path, range, result),
            (Access::Write | Access::Read(_), None) => {}
        }
    }

    fn add_read(&mut self, path: u64, range: LineRange, result: Answered<'a>) {
        let ranges = self.read.entry(path).or_default();
        let before = ranges.range(..=range.from).next_back();
        if before.is_some_and(|(_, (other, _))| other.is_whole_file || other.to >= range.to) {
            return;
        }
        while let Some((&start, (other, _))) = ranges.range(range.from..).next()
            && (range.is_whole_file || other.to <= range.to)
        {
            ranges.remove(&start);
        }
        ranges.insert(range.from, (range, result));
    }
}

/// Whether the newer result has every line of the older one, at the same place.
fn holds(newer: &ResultInfo, has: LineRange, older: &ResultInfo, wanted: LineRange) -> bool {
    if has.from > wanted.from || has.to < wanted.to {
        return false;
    }
    let (newer, older) = (line_hashes(newer), line_hashes(older));
    let skipped = (wanted.from - has.from) as usize;
    newer.get(skipped..skipped + older.len()) == Some(older.as_ref())
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
