//! Counts of tests by their outcome: said beside it, added up, or counted line by line.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::fold::{self, word_hash};
use crate::context::grounding::index::{OutputTally, SourceIndex, TALLY};
use crate::context::grounding::quantity::Reading;

use super::super::reader::Finding;
use super::{CountedThing, MAX_PLACES, OUTCOME_TAGS, REACH, TEST_TAGS, sorted_tags, stays};

/// The outcome that a number of the source has beside it: `3 passed`, `failed: 2`.
fn outcome_beside(index: &SourceIndex<'_>, place: usize) -> Option<usize> {
    let of = |at: usize| {
        let tag = index.tag_at(at)?;
        OUTCOME_TAGS
            .iter()
            .position(|tags| tags.binary_search(&tag).is_ok())
    };
    let goes_on = matches!(
        index.gap_at(place + 1),
        fold::WordGap::Space | fold::WordGap::Hyphen
    );
    of(place + 1).filter(|_| goes_on).or_else(|| {
        let is_label = matches!(
            index.gap_at(place),
            fold::WordGap::Sign | fold::WordGap::Colon | fold::WordGap::Space
        );
        of(place.checked_sub(1)?).filter(|_| is_label)
    })
}

/// Whether the line of a number tells of failures too: `11 passed; 1 failed`.
pub(super) fn is_beside_failures(index: &SourceIndex<'_>, place: usize) -> bool {
    let line = index.line_at(place, 200);
    let mut tallies = TALLY.iter().flat_map(|tally| tally.captures_iter(line));
    tallies.any(|found| {
        let number = found.get(1).map_or("0", |number| number.as_str());
        let word = found.get(2).map_or("", |word| word.as_str());
        number.bytes().any(|b| b != b'0') && word.starts_with(['f', 'F']) && !word.starts_with("fl")
    })
}

pub(super) fn test_count(
    index: &SourceIndex<'_>,
    readings: &[Reading],
    places: &[usize],
    thing: &CountedThing,
) -> Finding {
    let outcome = thing.outcome.and_then(|number| OUTCOME_TAGS.get(number));
    let says = |place: &usize| {
        let beside = outcome_beside(index, *place);
        if let Some((own, beside)) = thing.outcome.zip(beside) {
            return own == beside;
        }
        outcome.is_some_and(|tags| index.is_near(*place, REACH, tags))
            || index.is_near(*place, REACH, &TEST_TAGS)
            || outcome.is_none()
                && OUTCOME_TAGS
                    .iter()
                    .any(|tags| index.is_near(*place, REACH, tags))
    };
    let found = places.iter().copied().filter(|place| says(place)).max();
    Finding::of(found).or_else(|| {
        // What passed of a run with failures is not all of it.
        let is_all = thing.is_all && thing.outcome == Some(0);
        let can_be_sum = (outcome.is_none() || thing.is_total) && !is_all;
        let is_none = readings.iter().any(|reading| reading.value < 1.0);
        if is_none && thing.outcome.is_some_and(|outcome| outcome > 0) && has_clean_run(index) {
            return Finding::Follows;
        }
        let is_tallied = readings
            .iter()
            .any(|reading| has_so_many_lines(index, reading.value, thing));
        let is_rest = thing.outcome == Some(0)
            && readings
                .iter()
                .any(|reading| rests(index).contains(&(reading.value as u64)));
        let is_sum = is_tallied
            || is_rest
            || can_be_sum
                && readings
                    .iter()
                    .any(|reading| sums(index).contains(&(reading.value as u64)));
        let is_of_calls = !thing.names_tests
            && readings
                .iter()
                .any(|reading| failed_calls(index).contains(&(reading.value as usize)));
        if is_sum || is_of_calls {
            Finding::Follows
        } else {
            Finding::Nowhere
        }
    })
}

/// Whether an output lists what passed and nothing that failed.
fn has_clean_run(index: &SourceIndex<'_>) -> bool {
    let tallies = index.tallies();
    tallies
        .iter()
        .any(|tally| tally.passed > 0 && tally.failed == 0)
}

/// Whether an output lists so many tests with this outcome, one a line: `--- FAIL`, `✓`.
pub(super) fn has_so_many_lines(index: &SourceIndex<'_>, value: f64, thing: &CountedThing) -> bool {
    let is = |count: usize| count > 1 && (count as f64 - value).abs() < 0.5;
    let is_whole = |count: usize| {
        thing
            .whole
            .is_none_or(|whole| (count as f64 - whole).abs() < 0.5)
    };
    let lists = |tally: &OutputTally| {
        let tests = tally.passed + tally.failed;
        if !is_whole(tally.runs) && !is_whole(tests) {
            return false;
        }
        match thing.outcome {
            Some(0) if thing.is_all && (tally.failed > 0 || tally.bad_runs > 0) => false,
            Some(0) => is(tally.passed) || is(tally.runs - tally.bad_runs),
            Some(1) => is(tally.failed) || is(tally.bad_runs),
            Some(_) => false,
            None => is(tests) || is(tally.runs),
        }
    };
    index.tallies().iter().any(lists)
}

/// How many calls failed: of each tool, and of all.
fn failed_calls(index: &SourceIndex<'_>) -> BTreeSet<usize> {
    let mut by_tool: BTreeMap<&str, usize> = BTreeMap::new();
    for call in index.calls() {
        if call.has_ended && !call.has_worked {
            *by_tool.entry(call.tool.as_str()).or_default() += 1;
        }
    }
    let all = by_tool.values().sum();
    by_tool.into_values().chain([all]).collect()
}

static TOTAL: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"(?i)(\d+)\s+tests?\b").ok());

/// What passed where a line gives all tests and those that did not: `48 tests, 1 skipped`.
fn rests(index: &SourceIndex<'_>) -> BTreeSet<u64> {
    let number = |found: regex::Captures<'_>| found.get(1)?.as_str().parse::<u64>().ok();
    let places = index.places(word_hash("tests")).take(MAX_PLACES);
    let rest = |place: usize| {
        let line = index.line_at(place, 200);
        let total = TOTAL.as_ref()?.captures(line).and_then(number)?;
        let tally = TALLY.as_ref()?;
        let says_passed = line.to_lowercase().contains("pass");
        let others: Vec<u64> = tally.captures_iter(line).filter_map(number).collect();
        let rest = total.checked_sub(others.iter().sum())?;
        (!says_passed && !others.is_empty()).then_some(rest)
    };
    places.filter_map(rest).collect()
}

/// Totals of the tallies in the source, and how many failures an output lists.
fn sums(index: &SourceIndex<'_>) -> BTreeSet<u64> {
    let mut out = BTreeSet::new();
    for word in ["passed", "failed", "passing", "failing"] {
        for place in index.places(word_hash(word)).take(MAX_PLACES) {
            let line = index.line_at(place, 200);
            let mut run = Vec::new();
            for found in TALLY.iter().flat_map(|tally| tally.captures_iter(line)) {
                run.extend(found.get(1).and_then(|n| n.as_str().parse::<u64>().ok()));
            }
            let mut sum = 0_u64;
            for value in run {
                sum = sum.saturating_add(value);
                out.insert(sum);
            }
        }
    }
    out
}

/// `OK (318 tests, 911 assertions)`: what a number beside the tests counts.
pub(super) fn is_of_assertions(index: &SourceIndex<'_>, place: usize) -> bool {
    static ASSERTIONS: LazyLock<Vec<u32>> = LazyLock::new(|| {
        let words = [
            "assertion",
            "assertions",
            "asserts",
            "expect",
            "expectations",
        ];
        sorted_tags(words.into_iter(), "")
    });
    let next = index.tag_at(place + 1);
    next.is_some_and(|tag| ASSERTIONS.binary_search(&tag).is_ok()) && stays(index, place + 1)
}
