//! Numbers that follow from others: sums, differences, shares, factors and averages of numbers
//! that stand together, in the line that tells them or in the source.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::context::audit::keywords;
use crate::context::grounding::fold::{self, word_hash};
use crate::context::grounding::index::{SourceIndex, SourceNumber, tag_of};
use crate::context::grounding::quantity::{self, Dimension, Quantity, Reading, Unit};

use super::super::reader::{Finding, LineReader};
use super::written;

/// Words between two numbers of the source that belong together.
const PAIR_WORDS: usize = 24;
/// The same for bare numbers, of which there are more.
const COUNT_WORDS: usize = 12;
/// Numbers of a kind that are compared with one another.
const MAX_NUMBERS: usize = 2_000;
/// Neighbours of a number that are compared with it.
const MAX_NEAR: usize = 200;
/// Words of a clause whose lines are read.
const MAX_WORDS: usize = 8;
/// Lines of a word that are read.
const MAX_LINES: usize = 40;
/// Bytes of a line that are read to each side of a word.
const LINE_BYTES: usize = 200;
/// Numbers of a line that are compared with one another.
const MAX_LINE_NUMBERS: usize = 24;
/// Most things that an average is taken of.
const MAX_PARTS: f64 = 1_000.0;

/// A number in base units, with what one more in its last digit adds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amount {
    pub dimension: Dimension,
    pub reading: Reading,
}

/// What a number can stand for.
pub(super) fn amounts_of(quantity: &Quantity) -> Vec<Amount> {
    let bare = [Unit {
        dimension: Dimension::Count,
        factor: 1.0,
    }];
    let units = if quantity.units.is_empty() {
        &bare[..]
    } else {
        &quantity.units
    };
    let of_unit = |unit: &Unit| {
        let unit = *unit;
        quantity.readings().map(move |reading| Amount {
            dimension: unit.dimension,
            reading: Reading {
                value: reading.value * unit.factor,
                step: reading.step * unit.factor,
            },
        })
    };
    units.iter().flat_map(of_unit).collect()
}

/// Whether a number follows from others of its line, or from one of them and one of the source,
/// or from two that stand together in the source.
pub(super) fn follows(reader: &LineReader<'_>, wanted: &Quantity, known: &[&Quantity]) -> Finding {
    let is_ratio = is_factor_by_its_word(reader.text(), wanted);
    let own = amounts_of(wanted);
    let others: Vec<Amount> = known.iter().flat_map(|other| amounts_of(other)).collect();
    let from_line = own
        .iter()
        .any(|amount| follows_from(amount, &others, is_ratio, true));
    let from_source = || {
        own.iter().any(|amount| {
            with_another(reader.index, amount, &others)
                || wanted.numeral.readings.len() == 1
                    && of_neighbours(reader.index, amount, is_ratio)
                || is_share_in_words(reader.index, amount)
        })
    };
    if from_line
        || from_source()
        || is_beside_its_word(reader, wanted, &own)
        || from_lines_about_it(reader, wanted, &own, is_ratio)
    {
        Finding::Follows
    } else {
        Finding::Nowhere
    }
}

/// `digest[..8]` for the first 8 bytes of the digest: the bare number beside a word of the line.
fn is_beside_its_word(reader: &LineReader<'_>, wanted: &Quantity, own: &[Amount]) -> bool {
    let is_memory = own.iter().any(|it| it.dimension == Dimension::Bytes);
    if !is_memory {
        return false;
    }
    let mut tags: Vec<u32> = telling_words(reader, &wanted.span)
        .into_iter()
        .map(tag_of)
        .collect();
    tags.sort_unstable();
    wanted.numeral.readings.iter().any(|reading| {
        let bare = reader
            .index
            .numbers(Dimension::Count, reading.value, reading.value);
        let mut bare = bare.iter().filter(|number| !number.has_unit).take(MAX_NEAR);
        bare.any(|number| reader.index.is_near(number.place as usize, 1, &tags))
    })
}

/// `a factor of about 32`: a bare number that is one.
fn is_factor_by_its_word(text: &str, quantity: &Quantity) -> bool {
    const WORDS: [&str; 6] = ["factor", "faktor", "facteur", "fattore", "раз", "倍"];
    const TIMES: [&str; 9] = [
        " times",
        " fois",
        " veces",
        " vezes",
        " mal ",
        " volte",
        " keer",
        " раза",
        "倍",
    ];
    let after = text.get(quantity.span.end..).unwrap_or_default();
    if TIMES.iter().any(|word| after.starts_with(word))
        && quantity.numeral.readings.iter().all(|it| it.step < 1.0)
    {
        return true;
    }
    let before = text.get(..quantity.span.start).unwrap_or_default();
    let mut last = before.rsplit(' ').filter(|word| !word.is_empty()).take(3);
    quantity.units.is_empty() && last.any(|word| WORDS.contains(&word.to_lowercase().as_str()))
}

/// Whether an amount is the sum, the difference, a share or a factor of two others.
fn follows_from(wanted: &Amount, others: &[Amount], is_ratio: bool, sums: bool) -> bool {
    let gives = |truth: f64| is_exactly(truth, wanted.reading);
    let is_telling = wanted.reading.value >= MIN_TELLING || wanted.reading.step < 1.0;
    let pairs = others.iter().enumerate().flat_map(|(number, a)| {
        let rest = others.iter().enumerate();
        rest.filter(move |(other, b)| *other != number && a.dimension == b.dimension)
            .map(move |(_, b)| (a, b))
    });
    pairs.into_iter().any(|(a, b)| {
        let (x, y) = (a.reading.value, b.reading.value);
        let is_kin = a.dimension == wanted.dimension && is_telling;
        let by_sum = is_kin && (sums && gives(x + y) || gives((x - y).abs()));
        let by_share = y.abs() > f64::EPSILON
            && match wanted.dimension {
                Dimension::Percent => {
                    gives(x / y * 100.0) || gives((x - y).abs() / y.abs() * 100.0)
                }
                Dimension::Factor => gives(x / y),
                _ => is_ratio && gives(x / y),
            };
        by_sum || by_share
    })
}

/// Whether a derived number rounds to the written one at its last digit.
pub(super) fn is_exactly(truth: f64, written: Reading) -> bool {
    (truth - written.value).abs() <= written.step / 2.0 * (1.0 + 1e-6)
}

/// Smaller whole numbers are the difference of many.
const MIN_TELLING: f64 = 5.0;

/// Whether an amount follows from one of its line and one of the source: their difference, their
/// sum, or the mean of so many.
fn with_another(index: &SourceIndex<'_>, wanted: &Amount, others: &[Amount]) -> bool {
    let (value, half) = (wanted.reading.value, wanted.reading.step / 2.0 * 1.001);
    let numbers = |at: f64, half: f64| {
        let half = half.max(1e-9);
        index.numbers(wanted.dimension, at - half, at + half)
    };
    others.iter().any(|other| {
        let known = other.reading.value;
        if other.dimension != wanted.dimension {
            let is_mean = other.dimension == Dimension::Count
                && (2.0..=MAX_PARTS).contains(&known)
                && wanted.reading.step < 1.0
                && wanted.dimension != Dimension::Percent;
            return is_mean && !numbers(value * known, half * known).is_empty();
        }
        let targets = [known + value, known - value];
        // One stands beside every number.
        let is_bare = wanted.dimension == Dimension::Count;
        let least = if is_bare { 1.0 } else { 0.0 };
        targets
            .iter()
            .filter(|target| **target > least)
            .any(|target| {
                let found = numbers(*target, half);
                if wanted.dimension != Dimension::Count {
                    return !found.is_empty();
                }
                let beside = index.numbers(Dimension::Count, known - 1e-9, known + 1e-9);
                value >= MIN_TELLING && are_near(index, found, beside, COUNT_WORDS)
            })
    })
}

/// Whether some number of one list stands near one of the other.
fn are_near(
    index: &SourceIndex<'_>,
    numbers: &[SourceNumber],
    others: &[SourceNumber],
    reach: usize,
) -> bool {
    numbers.iter().take(MAX_NEAR).any(|a| {
        let mut near = others.iter().take(MAX_NEAR);
        near.any(|b| is_pair(index, a, b, reach))
    })
}

pub(super) fn is_pair(
    index: &SourceIndex<'_>,
    a: &SourceNumber,
    b: &SourceNumber,
    reach: usize,
) -> bool {
    let (first, last) = (a.place.min(b.place) as usize, a.place.max(b.place) as usize);
    let start = |place: usize| index.text_at(place).map(|text| text.text.as_ptr());
    (1..=reach).contains(&(last - first)) && start(first) == start(last)
}

/// Whether an amount is the difference or the sum of two that stand together in the source, or
/// the factor between them.
fn of_neighbours(index: &SourceIndex<'_>, wanted: &Amount, is_ratio: bool) -> bool {
    let (value, half) = (wanted.reading.value, wanted.reading.step / 2.0 * 1.001);
    let is_bare = wanted.dimension == Dimension::Count;
    if is_bare && wanted.reading.step >= 1.0 {
        return false;
    }
    let is_factor = is_ratio || wanted.dimension == Dimension::Factor;
    let kinds = if is_factor {
        vec![Dimension::Bytes, Dimension::Time]
    } else {
        vec![wanted.dimension]
    };
    kinds.into_iter().any(|kind| {
        let all = index.numbers(kind, 0.0, f64::INFINITY);
        all.len() <= MAX_NUMBERS
            && all.iter().any(|a| {
                let target = if is_factor {
                    a.value * value
                } else {
                    a.value + value
                };
                let width = if is_factor { a.value * half } else { half };
                let found = index.numbers(kind, target - width, target + width);
                let mut near = found.iter().take(MAX_NEAR);
                let reach = if is_bare { COUNT_WORDS } else { PAIR_WORDS };
                near.any(|b| is_pair(index, a, b, reach))
            })
    })
}

/// `77%` for `0.77`, and `98.16%` where `1.84%` are the others.
fn is_share_in_words(index: &SourceIndex<'_>, wanted: &Amount) -> bool {
    if wanted.dimension != Dimension::Percent {
        return false;
    }
    let (value, half) = (wanted.reading.value, wanted.reading.step / 2.0 * 1.001);
    let part = index.numbers(
        Dimension::Count,
        (value - half) / 100.0,
        (value + half) / 100.0,
    );
    let rest = 100.0 - value;
    let others = index.numbers(Dimension::Percent, rest - half, rest + half);
    part.iter().any(|number| number.value.fract() > 0.0) || rest > 0.0 && !others.is_empty()
}

/// Whether an amount follows from two numbers of a line of the source that is about the same.
fn from_lines_about_it(
    reader: &LineReader<'_>,
    wanted: &Quantity,
    own: &[Amount],
    is_ratio: bool,
) -> bool {
    let index = reader.index;
    let mut words = telling_words(reader, &wanted.span);
    words.sort_by_key(|word| index.count(*word));
    let mut last = "";
    for word in words.into_iter().take(MAX_WORDS) {
        for place in index.places(word).take(MAX_LINES) {
            let line = index.line_at(place, LINE_BYTES);
            if std::ptr::eq(line, last) {
                continue;
            }
            last = line;
            let found = written::quantities_in(line);
            let amounts: Vec<Amount> = found
                .iter()
                .take(MAX_LINE_NUMBERS)
                .flat_map(amounts_of)
                .collect();
            let is_there = own.iter().any(|amount| {
                changes_by(amount, &amounts) || spans(line, amount) || {
                    let is_plain =
                        matches!(amount.dimension, Dimension::Count | Dimension::Percent);
                    !is_plain && follows_from(amount, &amounts, is_ratio, false)
                }
            });
            if is_there {
                return true;
            }
        }
    }
    false
}

/// Whether an amount is the percentage by which one number of a line changes to the next.
fn changes_by(wanted: &Amount, amounts: &[Amount]) -> bool {
    let is_share = wanted.dimension == Dimension::Percent;
    let mut pairs = amounts.windows(2).filter(|_| is_share);
    pairs.any(|pair| {
        let (from, to) = (pair[0], pair[1]);
        let (x, y) = (from.reading.value, to.reading.value);
        let is_telling = from.dimension != Dimension::Count || x.fract() > 0.0 || x >= MIN_CHANGED;
        from.dimension == to.dimension
            && is_telling
            && x.abs() > f64::EPSILON
            && is_exactly((y - x).abs() / x.abs() * 100.0, wanted.reading)
    })
}

/// Smaller counts change by shares that stand for anything.
const MIN_CHANGED: f64 = 100.0;

/// The telling words of a line, without those of a span.
fn telling_words(reader: &LineReader<'_>, span: &Range<usize>) -> Vec<u64> {
    telling_words_within(reader, span, usize::MAX)
}

/// The telling words that stand at most so many bytes from a span.
pub(super) fn telling_words_within(
    reader: &LineReader<'_>,
    span: &Range<usize>,
    reach: usize,
) -> Vec<u64> {
    let body = reader.body();
    let base = reader.line.body.start;
    let reached = span.start.saturating_sub(reach)..span.end.saturating_add(reach);
    let mut out = Vec::new();
    for word in fold::words_of(body) {
        let text = body.get(word.start..word.end).unwrap_or_default();
        let is_own = span.start < base + word.end && base + word.start < span.end;
        let lowered = text.to_lowercase();
        let is_telling = text.chars().count() > 1
            && text.contains(char::is_alphabetic)
            && !keywords::is_stop(&lowered)
            && !quantity::is_unit(text)
            && reached.contains(&(base + word.start));
        if is_telling && !is_own && reader.index.count(word.hash) > 0 {
            out.push(word.hash);
        }
    }
    // Places of calls tell nothing of what they are about.
    out.retain(|hash| *hash != word_hash("total"));
    out
}

static CLOCK_SPAN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b(\d{1,2}):(\d{2})\W{1,5}(\d{1,2}):(\d{2})\b").ok());

/// `02:00–04:00`: whether an amount of time is what a line gives the two ends of.
fn spans(line: &str, wanted: &Amount) -> bool {
    if wanted.dimension != Dimension::Time {
        return false;
    }
    let spans = CLOCK_SPAN
        .iter()
        .flat_map(|clock| clock.captures_iter(line));
    spans.into_iter().any(|groups| {
        let part = |number: usize| {
            let text = groups.get(number).map_or("", |group| group.as_str());
            text.parse::<f64>().unwrap_or_default()
        };
        let minutes = part(3) * 60.0 + part(4) - part(1) * 60.0 - part(2);
        minutes > 0.0 && quantity::rounds_to(minutes * 60.0, wanted.reading)
    })
}
