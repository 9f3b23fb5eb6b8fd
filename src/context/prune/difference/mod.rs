//! Reads of what was read before: a fresh result of `read` whose lines are in the window already
//! is sent as the difference to the earlier result.
//!
//! Nothing of the prompt's cache is given up: the result was never sent. The difference holds
//! only while its base is sent whole; where it is not, the projection sends the whole read.

#[cfg(test)]
mod tests;
mod text;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use self::text::{ShownLines, difference, shown_path};
use super::{PlannedCut, ToolFilter, call_of};
use crate::context::appendix::written_files;
use crate::context::projection::item::tokens_when_cut;
use crate::context::projection::{Measurer, Projection, ResultInfo, ViewBuilder};
use crate::context::recall::{RecallAddress, with_address};
use crate::context::settings::{GateKind, PrunePolicy, PruneSettings};
use crate::context::view::Disposition;
use crate::transcript::{Cut, CutForm, CutPhase, EntryId, Transcript, grouped};

const READ: &str = "read";
/// Earlier reads that a fresh one is compared with.
const MAX_BASES: usize = 4;
/// Pairs of reads that are remembered.
const MAX_REMEMBERED: usize = 256;

/// Texts of differences that were made, by the read and its base: a view is made many times
/// while the same reads are its newest results.
#[derive(Default)]
pub(in crate::context) struct SeenReads {
    texts: HashMap<SeenKey, Option<Arc<str>>>,
}

/// A read, its base, and whether the base is named by an address.
type SeenKey = (EntryId, EntryId, bool);

impl SeenReads {
    fn text(
        &mut self,
        base: &EarlierRead<'_>,
        fresh: &FreshRead<'_>,
        address: Option<&str>,
    ) -> Option<Arc<str>> {
        let key = (
            fresh.info.entry.clone(),
            base.info.entry.clone(),
            address.is_some(),
        );
        if let Some(known) = self.texts.get(&key) {
            return known.clone();
        }
        if self.texts.len() >= MAX_REMEMBERED {
            self.texts.clear();
        }
        let text = difference(&base.shown, &fresh.shown, address).map(Arc::from);
        self.texts.insert(key, text.clone());
        text
    }
}

/// A result that no request has carried yet.
struct FreshRead<'a> {
    info: &'a ResultInfo,
    shown: ShownLines,
}

/// A result that the window shows whole.
struct EarlierRead<'a> {
    info: &'a ResultInfo,
    shown: ShownLines,
}

/// What the search for seen reads looks at.
pub(in crate::context) struct SeenReadInput<'a> {
    pub list: &'a ViewBuilder,
    pub settings: &'a PruneSettings,
    pub tools: &'a ToolFilter,
    /// The log, where the model can recall from it.
    pub recallable: Option<&'a Transcript>,
}

/// The fresh reads that are sent as differences, oldest first, with their bases.
pub(in crate::context) fn decide(
    input: &SeenReadInput<'_>,
    seen: &mut SeenReads,
    projection: &mut Projection,
) -> Vec<PlannedCut> {
    let settings = input.settings;
    let is_off = settings.policy == PrunePolicy::Off || settings.gate == GateKind::Off;
    if !settings.difference_reads || is_off || !input.tools.may_prune(READ) {
        return Vec::new();
    }
    let Some(&answer) = input.list.index.answers.last() else {
        return Vec::new();
    };
    let fresh = fresh_reads(input.list, answer);
    let mut positions: Option<HashMap<EntryId, RecallAddress>> = None;
    let mut planned = Vec::new();
    for read in &fresh {
        if projection.is_held(&read.info.entry) {
            continue;
        }
        let upto: Vec<usize> = planned
            .iter()
            .map(|planned: &PlannedCut| planned.at)
            .collect();
        let bases = bases_of(input.list, read, answer, &upto);
        if bases.is_empty() {
            continue;
        }
        let addresses = positions.get_or_insert_with(|| addresses_of(input.recallable));
        let measurer = projection.measurer();
        planned.extend(shortest(
            input.list, read, &bases, addresses, seen, measurer,
        ));
    }
    planned
}

fn addresses_of(recallable: Option<&Transcript>) -> HashMap<EntryId, RecallAddress> {
    let branch = recallable.map(Transcript::branch).unwrap_or_default();
    let numbered = branch.iter().enumerate();
    numbered
        .map(|(at, entry)| (entry.id.clone(), RecallAddress::at(at)))
        .collect()
}

/// Whole reads behind the newest answer that no failed edit of the file calls for.
fn fresh_reads(list: &ViewBuilder, answer: usize) -> Vec<FreshRead<'_>> {
    let mut fresh = Vec::new();
    for index in (0..list.results.len()).rev() {
        let Some(info) = list.results.get(index).filter(|info| info.at > answer) else {
            break;
        };
        let is_newest = info.call.as_ref().is_some_and(|call| call.at == answer);
        if !is_newest || info.is_exempt || !is_sent_whole(list, info) {
            continue;
        }
        let Some(shown) = shown_by(info) else {
            continue;
        };
        if !follows_failed_edit(list, index, &shown.path) {
            fresh.push(FreshRead { info, shown });
        }
    }
    fresh.reverse();
    fresh
}

fn shown_by(info: &ResultInfo) -> Option<ShownLines> {
    ShownLines::of(call_of(info)?, &info.whole)
}

fn is_sent_whole(list: &ViewBuilder, info: &ResultInfo) -> bool {
    let item = list.items.get(info.at);
    item.is_some_and(|item| item.disposition == Disposition::Sent)
}

/// Whether an edit of this file failed since it was read before: whoever edits what is not there
/// needs to see all of it.
fn follows_failed_edit(list: &ViewBuilder, index: usize, path: &str) -> bool {
    for earlier in (0..index).rev() {
        let Some(info) = list.results.get(earlier) else {
            break;
        };
        let Some(call) = call_of(info) else { continue };
        if info.is_error {
            let mut files = written_files(call).into_iter();
            if files.any(|file| file_name(file) == file_name(path)) {
                return true;
            }
        } else if call.name == READ && shown_path(&info.whole) == Some(path) {
            return false;
        }
    }
    false
}

/// Paths of one file may be spelled in several ways.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Earlier reads of the same file that are sent whole, the newest of each range of lines.
/// `planned` are the positions of reads that become differences.
fn bases_of<'a>(
    list: &'a ViewBuilder,
    fresh: &FreshRead<'_>,
    answer: usize,
    planned: &[usize],
) -> Vec<EarlierRead<'a>> {
    let mut bases = Vec::new();
    let mut ranges = HashSet::new();
    for index in (0..list.results.len()).rev() {
        let Some(info) = list.results.get(index).filter(|info| info.at < answer) else {
            continue;
        };
        let range = info.shown_range();
        let Some(range) = range.filter(|range| range.path == fresh.shown.path) else {
            continue;
        };
        if !is_sent_whole(list, info) || !ranges.insert(range) {
            continue;
        }
        if list.is_latest_in_full(info.at, fresh.info.at, planned)
            && let Some(shown) = shown_by(info)
        {
            bases.push(EarlierRead { info, shown });
        }
        if bases.len() == MAX_BASES {
            break;
        }
    }
    bases
}

/// The shortest difference, when it takes at most half of what the read takes.
fn shortest(
    list: &ViewBuilder,
    fresh: &FreshRead<'_>,
    bases: &[EarlierRead<'_>],
    addresses: &HashMap<EntryId, RecallAddress>,
    seen: &mut SeenReads,
    measurer: &mut Measurer,
) -> Option<PlannedCut> {
    let texts = bases.iter().filter_map(|base| {
        let address = addresses.get(&base.info.entry).map(ToString::to_string);
        let text = seen.text(base, fresh, address.as_deref())?;
        Some((base, text))
    });
    let (base, text) = texts.min_by_key(|(_, text)| text.len())?;
    let form = CutForm::Difference {
        base: base.info.entry.clone(),
        text: text.as_ref().to_owned(),
    };
    let form = match addresses.get(&fresh.info.entry) {
        Some(address) => with_address(&form, *address),
        None => form,
    };
    let item = list.items.get(fresh.info.at)?;
    let tokens = tokens_when_cut(item, &fresh.info.whole, &form, measurer);
    if tokens.saturating_mul(2) > item.estimate_tokens {
        return None;
    }
    let reason = format!(
        "lines {} to {} of {} were read before: sent as the difference, {} instead of {} characters",
        grouped(fresh.shown.from),
        grouped(fresh.shown.to()),
        fresh.shown.path,
        grouped(text.chars().count() as u64),
        grouped(fresh.info.chars as u64),
    );
    let cut = Cut {
        target: fresh.info.entry.clone(),
        form,
        phase: CutPhase::SeenBefore,
        reason,
        tokens_before: item.tokens,
        tokens_after: list.count_of(&fresh.info.entry, tokens),
    };
    Some(PlannedCut {
        at: fresh.info.at,
        cut,
    })
}
