//! Results that a later one made pointless: the same call made again, lines of a file that
//! a later result holds as well, a file that was rewritten since. The cheapest prune: it
//! takes out only what is wrong or double.
//!
//! Invariant: what a read loses is in a result that is sent whole, or the file is another
//! since. Arguments do not say which lines a result holds (pages end early, files change,
//! results are cut), so the results themselves are compared.

mod call_key;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

pub(crate) use call_key::CallKey;

use call_key::{FileAccess, LineRange, body_lines, hash, path_of};

use super::{CutPrice, CutReason, PrunableResult, PruneInput, PrunePlan, call_of};
use crate::context::projection::ResultInfo;
use crate::context::view::Disposition;
use crate::transcript::{CutForm, CutPhase, ToolCall};

/// Not worth a look below this share of the window.
const MIN_RATIO: f64 = 0.15;
/// Not worth rewriting the prefix for less.
const MIN_GAIN_TOKENS: u64 = 2_000;

/// One number for each line that a result holds.
fn line_hashes(info: &ResultInfo) -> &Arc<[u64]> {
    let lines = || body_lines(&info.whole).map(|line| hash(&line)).collect();
    info.lines.get_or_init(lines)
}

/// Whether the window is full enough to look.
pub(super) fn is_due(input: &PruneInput<'_>) -> bool {
    let window = input.window_tokens.unwrap_or(0);
    window > 0 && input.settings.superseded && input.view_tokens as f64 >= window as f64 * MIN_RATIO
}

pub(super) fn decide(
    input: &PruneInput<'_>,
    candidates: &[PrunableResult<'_>],
    plan: &mut PrunePlan,
    price: &mut CutPrice<'_>,
) {
    if !is_due(input) {
        return;
    }
    let newer = newer_results(input);
    let pointless: Vec<_> = candidates
        .iter()
        .filter(|result| result.item.disposition != Disposition::Cleared)
        .filter_map(|&result| Some((result, *newer.get(&result.info.at)?)))
        .collect();
    let gain: u64 = pointless.iter().map(|(result, _)| result.item.tokens).sum();
    if gain < MIN_GAIN_TOKENS {
        return;
    }
    for (result, newer) in pointless {
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
        let reason = CutReason {
            phase: CutPhase::Superseded,
            text: &|| format!("replaced by a later result: {by}"),
        };
        plan.cut(result.target(), form, &reason, price);
        plan.stand_ins.insert(newer.info.at);
    }
}

/// A result with its call.
#[derive(Clone, Copy)]
struct AnsweredCall<'a> {
    info: &'a ResultInfo,
    call: &'a ToolCall,
}

/// For each pointless result, by its position, the one that replaced it.
fn newer_results<'a>(input: &'a PruneInput<'_>) -> HashMap<usize, AnsweredCall<'a>> {
    let mut newer = HashMap::new();
    let mut seen = LaterResults::default();
    // Newest first: whatever was seen is later than what comes next.
    for index in (0..input.results_upto).rev() {
        let Some(result) = input.list.results.get(index).and_then(|info| {
            let (info, call) = (info.as_ref(), call_of(info)?);
            Some(AnsweredCall { info, call })
        }) else {
            continue;
        };
        let AnsweredCall { info, call } = result;
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
struct LaterResults<'a> {
    identical: HashMap<u64, AnsweredCall<'a>>,
    /// Per file what was read of it. Ranges within another one are not kept, so that
    /// the ends rise with the beginnings.
    read: HashMap<u64, BTreeMap<u64, (LineRange, AnsweredCall<'a>)>>,
    written: HashMap<u64, AnsweredCall<'a>>,
}

impl<'a> LaterResults<'a> {
    fn newer_than(&self, key: &CallKey, result: AnsweredCall<'a>) -> Option<AnsweredCall<'a>> {
        let call = result.call;
        let is_same_file = |other: &AnsweredCall<'_>| path_of(other.call) == path_of(call);
        let written = key.path.and_then(|path| self.written.get(&path));
        if let Some(by) = written.filter(|by| is_same_file(by)) {
            return Some(*by);
        }
        let FileAccess::Read(range) = key.access else {
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

    fn add(&mut self, key: &CallKey, result: AnsweredCall<'a>) {
        match (key.access, key.path) {
            (FileAccess::Other, _) => {
                self.identical.insert(key.identity, result);
            }
            (FileAccess::Write, Some(path)) => {
                self.written.insert(path, result);
            }
            (FileAccess::Read(range), Some(path)) => self.add_read(path, range, result),
            (FileAccess::Write | FileAccess::Read(_), None) => {}
        }
    }

    fn add_read(&mut self, path: u64, range: LineRange, result: AnsweredCall<'a>) {
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
