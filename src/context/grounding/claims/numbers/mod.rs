//! Numbers with what they measure or count.

mod derived;
mod numbered;
mod products;
mod spoken;
mod sums;
mod written;

use std::ops::Range;

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::{WordGap, folded_text, word_hash};
use crate::context::grounding::index::{SourceIndex, SourceNumber, tag_of};
use crate::context::grounding::languages::{self, Lexicon};
use crate::context::grounding::prose::LineKind;
use crate::context::grounding::quantity::{
    self, Dimension, Numeral, Quantity, Reading, Readings, Unit,
};
use crate::context::identifiers::is_unspaced;

use super::counts::{self, CountedThing};
use super::places;
use super::reader::{Finding, LineReader};
use super::tokens;
use written::{is_whole, run_end, starts_number};

/// Digits from which a number without a unit is found wherever it stands.
const TELLING_DIGITS: usize = 3;
/// Words around a number in which its unit stands.
const UNIT_REACH: usize = 6;
/// Chinese and Japanese words between a number and what it counts.
const COUNTERS: &str = "个個次处項项条條台份名位件段种種张張行步轮輪回本人つ名개번건명대";

pub(super) fn read(reader: &mut LineReader<'_>) {
    let lexicon = reader.language;
    let mut found = quantities(reader, lexicon);
    share_units(reader.text(), &mut found);
    read_groups(reader.text(), lexicon, &mut found);
    let mut known: Vec<&Quantity> = Vec::new();
    let mut open: Vec<&Quantity> = Vec::new();
    for quantity in &found {
        if let Some((class, finding)) = judge(reader, lexicon, quantity) {
            let side = if finding == Finding::Nowhere {
                &mut open
            } else {
                &mut known
            };
            // The number of an issue follows from no other number.
            if class != ClaimClass::Identifier {
                side.push(quantity);
            }
            reader.claim(quantity.span.clone(), class, finding);
        }
    }
    for quantity in open {
        if derived::follows(reader, quantity, &known) == Finding::Nowhere
            && !sums::adds_up(reader, quantity, &known)
            && !products::follows(reader, quantity, &found)
        {
            continue;
        }
        for claim in &mut reader.claims {
            claim.is_grounded |= claim.span == quantity.span;
        }
    }
}

/// Numbers of the line, in its order: digits and words.
fn quantities(reader: &LineReader<'_>, lexicon: &Lexicon) -> Vec<Quantity> {
    let text = reader.text();
    let mut out = Vec::new();
    let mut at = reader.line.body.start;
    while let Some(c) = text
        .get(at..reader.line.body.end)
        .and_then(|rest| rest.chars().next())
    {
        let next = at + c.len_utf8();
        let span = at..next;
        if reader.is_taken(&span) || reader.is_in_code(at) && is_of_a_command(text, at) {
            at = next;
        } else if c.is_ascii_digit() {
            let end = run_end(text, at);
            match starts_number(text, at)
                .then(|| quantity::quantity_at(text, at))
                .flatten()
            {
                Some(quantity) if is_whole(text, &quantity) => {
                    at = quantity.numeral.span.end.max(next);
                    out.push(quantity);
                }
                _ => at = end.max(next),
            }
        } else if c.is_alphabetic() && !reader.is_in_code(at) && reader.line.kind != LineKind::Code
        {
            let (quantity, end) = number_word(text, at, lexicon);
            out.extend(quantity);
            at = end.max(next);
        } else {
            at = next;
        }
    }
    out
}

/// `19.08 of the 20.83 µs`: a part is measured as its whole.
fn share_units(text: &str, found: &mut [Quantity]) {
    const LINKS: [&str; 8] = ["of", "of the", "out of", "von", "de", "di", "van", "sur"];
    for at in 1..found.len() {
        let (parts, wholes) = found.split_at_mut(at);
        let Some((part, whole)) = parts.last_mut().zip(wholes.first()) else {
            continue;
        };
        let between = text
            .get(part.span.end..whole.span.start)
            .unwrap_or_default();
        let is_point = part
            .numeral
            .readings
            .iter()
            .all(|reading| reading.step < 1.0);
        if part.units.is_empty() && is_point && LINKS.contains(&between.trim()) {
            part.units.clone_from(&whole.units);
        }
    }
}

/// `42,000 users`: where nothing is measured, a group of three behind a comma is thousands. Of
/// languages that write decimals behind one, only a group without any digit but zero is.
fn read_groups(text: &str, lexicon: &Lexicon, found: &mut [Quantity]) {
    let is_english = std::ptr::eq(lexicon, languages::english());
    for quantity in found.iter_mut().filter(|it| it.units.is_empty()) {
        quantity.numeral.read_as_thousands(text, |mark, digits| {
            is_english && mark == ',' || digits == quantity::ROUND_GROUP
        });
    }
}

/// `tail -14`, `2>&1`: the number of an option or of a stream.
fn is_of_a_command(text: &str, at: usize) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let before = text
        .get(..at)
        .unwrap_or_default()
        .trim_end_matches(is_digit);
    let after = text
        .get(at..)
        .unwrap_or_default()
        .trim_start_matches(is_digit);
    before.ends_with(" -") || after.starts_with('>')
}

/// The number word at `at`, with where to go on.
fn number_word(text: &str, at: usize, lexicon: &Lexicon) -> (Option<Quantity>, usize) {
    let rest = text.get(at..).unwrap_or_default();
    let first = rest.chars().next().unwrap_or(' ');
    if is_unspaced(first) {
        return unspaced_number(text, at, lexicon);
    }
    let len = rest
        .find(|c: char| !c.is_alphabetic() || is_unspaced(c))
        .unwrap_or(rest.len());
    let end = at + len;
    let Some(found) = spoken::spoken(rest, lexicon) else {
        return (None, end);
    };
    let follows = rest.get(found.end..).unwrap_or_default();
    if !follows.starts_with([' ', '-']) {
        return (None, end);
    }
    let quantity = worded(text, at..at + found.end, found.reading);
    if found.is_fraction && quantity.units.is_empty() {
        return (None, end);
    }
    let end = quantity.span.end;
    (Some(quantity), end)
}

fn unspaced_number(text: &str, at: usize, lexicon: &Lexicon) -> (Option<Quantity>, usize) {
    let rest = text.get(at..).unwrap_or_default();
    let one = rest.chars().next().map_or(1, char::len_utf8);
    let before = text.get(..at).and_then(|text| text.chars().next_back());
    if before == Some('第') {
        return (None, at + one);
    }
    for count in [3, 2, 1] {
        let len = rest
            .char_indices()
            .nth(count)
            .map_or(rest.len(), |(len, _)| len);
        let Some(value) = rest
            .get(..len)
            .and_then(|word| lexicon.number(&folded_text(word)))
        else {
            continue;
        };
        let after = rest.get(len..).unwrap_or_default().trim_start();
        let reading = Reading {
            value: f64::from(value),
            step: 1.0,
        };
        let quantity = worded(text, at..at + len, reading);
        let counts = after.starts_with(|c| COUNTERS.contains(c)) || !quantity.units.is_empty();
        return (counts.then_some(quantity), at + len);
    }
    (None, at + one)
}

fn worded(text: &str, span: Range<usize>, reading: Reading) -> Quantity {
    let numeral = Numeral {
        span,
        readings: Readings::from_buf([reading]),
        digits: if reading.value < 10.0 { 1 } else { 2 },
        has_leading_zero: false,
    };
    quantity::with_unit(text, numeral)
}

/// What a number claims; `None` where nothing can be said of it.
fn judge(
    reader: &LineReader<'_>,
    lexicon: &Lexicon,
    quantity: &Quantity,
) -> Option<(ClaimClass, Finding)> {
    let index = reader.index;
    let text = reader.text();
    if quantity.numeral.has_leading_zero
        && quantity.numeral.digits == quantity.numeral.span.len()
        && quantity.numeral.digits > 2
    {
        let written = text.get(quantity.numeral.span.clone())?;
        return Some((ClaimClass::Identifier, tokens::loose(index, written)));
    }
    if quantity.units.is_empty() && numbered::is_name(text, quantity) {
        let written = text.get(quantity.numeral.span.clone())?;
        return Some((ClaimClass::Identifier, numbered::said(index, written)));
    }
    if let Some(place) = place_in_a_list(index, text, quantity) {
        return Some((ClaimClass::Measure, Finding::At(place)));
    }
    if let Some(class) = class_of(&quantity.units) {
        // `2x` is counted by the writer.
        let is_factor = |unit: &Unit| unit.dimension == Dimension::Factor;
        if quantity.units.iter().all(is_factor) && is_small_whole(quantity) {
            return None;
        }
        let finding = measured(index, text, quantity);
        // `1.2k` and `5m` can be thousands and millions of anything.
        if finding == Finding::Nowhere && quantity.multiplier_is_doubtful {
            let thing = CountedThing::around(text, &reader.line.body, &quantity.span, lexicon);
            return counts::counted(index, quantity, &thing).map(|found| (class, found.finding));
        }
        return Some((class, finding));
    }
    if reader.line.kind == LineKind::Code {
        return None;
    }
    let thing = CountedThing::around(text, &reader.line.body, &quantity.span, lexicon);
    let reading = quantity.readings().next()?;
    let is_word = !text
        .get(quantity.numeral.span.clone())?
        .starts_with(|c: char| c.is_ascii_digit());
    if reading.value < 2.0 && reading.step >= 1.0 && !thing.is_test || is_word && thing.is_empty() {
        return None;
    }
    if (1_900.0..2_100.0).contains(&reading.value)
        && quantity.numeral.digits == 4
        && quantity.numeral.readings.len() == 1
        && thing.after.is_empty()
    {
        let year = tokens::loose(index, text.get(quantity.numeral.span.clone())?);
        return Some((ClaimClass::Date, year));
    }
    let class = if thing.is_test {
        ClaimClass::TestCount
    } else {
        ClaimClass::Measure
    };
    let found = counts::counted(index, quantity, &thing)?;
    let class = if found.is_own {
        ClaimClass::Count
    } else {
        class
    };
    let finding = found.finding.or_else(|| in_its_row(index, text, quantity));
    Some((class, finding))
}

/// `501:13`, `1.4.2`: numbers that are joined are found together where none of them counts
/// anything.
fn in_its_row(index: &SourceIndex<'_>, text: &str, quantity: &Quantity) -> Finding {
    let is_joined = |c: char| c.is_ascii_digit() || matches!(c, ':' | '.');
    let (before, after) = (
        text.get(..quantity.span.start),
        text.get(quantity.span.end..),
    );
    let start = before.unwrap_or_default().trim_end_matches(is_joined).len();
    let rest = after.unwrap_or_default().trim_start_matches(is_joined);
    let row = text.get(start..text.len() - rest.len()).unwrap_or_default();
    let row = row.trim_matches([':', '.']);
    if row.len() > quantity.span.len() {
        tokens::loose(index, row)
    } else {
        Finding::Nowhere
    }
}

/// `line 42`; `01, 03 and 04`: the last part of names such as `gw-04`; `13 x 5`: both sides of a table.
fn place_in_a_list(index: &SourceIndex<'_>, text: &str, quantity: &Quantity) -> Option<usize> {
    if let Some(place) = numbered::place_of_line(index, text, quantity) {
        return Some(place);
    }
    let span = quantity.numeral.span.clone();
    let written = text.get(span.clone())?;
    if quantity.numeral.has_leading_zero && written.len() == 2 && quantity.units.is_empty() {
        let mut places = index.places(word_hash(written)).take(MAX_LISTED);
        return places.find(|place| {
            let gap = index.gap_at(*place);
            matches!(gap, WordGap::Hyphen | WordGap::Underscore)
        });
    }
    let value: f64 = written.parse().ok()?;
    let other = other_side(text, &span)?;
    let of = |value: f64| index.numbers(Dimension::Count, value - 1e-9, value + 1e-9);
    let mut own = of(value).iter().take(MAX_LISTED);
    let found = own.find(|number| {
        let mut others = of(other).iter().take(MAX_LISTED);
        others.any(|other| other.place.abs_diff(number.place) <= SIDE_WORDS)
    });
    found.map(|number| number.place as usize)
}

/// The other number of `13 x 5`, on either side.
fn other_side(text: &str, span: &Range<usize>) -> Option<f64> {
    const CROSS: [char; 2] = ['x', '×'];
    let is_digit = |c: char| c.is_ascii_digit();
    let after = text.get(span.end..)?.trim_start();
    if let Some(rest) = after.strip_prefix(CROSS) {
        let rest = rest.trim_start();
        let end = rest.find(|c: char| !is_digit(c)).unwrap_or(rest.len());
        return rest.get(..end)?.parse().ok();
    }
    let before = text.get(..span.start)?.trim_end();
    let before = before.strip_suffix(CROSS)?.trim_end();
    let start = before.trim_end_matches(is_digit).len();
    before.get(start..)?.parse().ok()
}

/// Places of a number that are read.
const MAX_LISTED: usize = 60;
/// Words between the two sides of a table.
const SIDE_WORDS: u32 = 4;

fn is_small_whole(quantity: &Quantity) -> bool {
    let mut readings = quantity.readings();
    readings.any(|reading| reading.step >= 1.0 && reading.value <= MAX_OWN_FACTOR)
}

/// A summariser tells factors up to here from what it reads.
const MAX_OWN_FACTOR: f64 = 12.0;

fn class_of(units: &[Unit]) -> Option<ClaimClass> {
    let classes = units.iter().map(|unit| match unit.dimension {
        Dimension::Money(_) | Dimension::Cents => ClaimClass::Money,
        Dimension::Percent => ClaimClass::Percentage,
        Dimension::Time | Dimension::Bytes | Dimension::Factor | Dimension::Count => {
            ClaimClass::Measure
        }
    });
    classes.into_iter().next()
}

/// A number with a unit: the same, or one that rounds to it, with a unit of the same kind;
/// else the same digits where no unit stands.
fn measured(index: &SourceIndex<'_>, text: &str, quantity: &Quantity) -> Finding {
    let mut best: Option<u32> = None;
    for reading in quantity.readings() {
        for unit in &quantity.units {
            let mut found = in_dimension(index, unit.dimension, reading, unit.factor);
            if unit.dimension == Dimension::Cents {
                for currency in 0..MAX_CURRENCIES {
                    let money = Dimension::Money(currency);
                    found = found.max(in_dimension(index, money, reading, unit.factor / 100.0));
                }
            }
            best = best.max(found);
        }
    }
    if let Some(place) = best {
        return Finding::At(place as usize);
    }
    let unit = text
        .get(quantity.numeral.span.end..quantity.span.end)
        .unwrap_or_default();
    let mut tags: Vec<u32> = std::iter::once(unit.trim().to_owned())
        .chain(tokens::other_number(unit.trim()))
        .map(|word| tag_of(word_hash(&word)))
        .collect();
    tags.sort_unstable();
    let has_name = unit.chars().any(char::is_alphabetic);
    let readings = quantity.readings();
    let found = readings.flat_map(|reading| {
        let half = reading.step / 2.0;
        index.numbers(Dimension::Count, reading.value - half, reading.value + half)
    });
    let has_other_unit = stands_with_another_unit(index, quantity);
    let bare = found.filter(|number| {
        let is_same = quantity
            .readings()
            .any(|reading| (number.value - reading.value).abs() < reading.step * 1e-6);
        let place = number.place as usize;
        let is_named = has_name && index.is_near(place, UNIT_REACH, &tags);
        let is_telling = quantity.numeral.digits >= TELLING_DIGITS && !has_other_unit
            // `512 customers` are no 512 GB.
            && !places::counts_things(index, place);
        let is_bare = !number.has_unit && !places::is_of_an_identifier(index, place);
        is_bare && (is_same && is_telling || is_named)
    });
    Finding::of(bare.map(|number| number.place as usize).max())
}

/// Whether the source has the number with another unit of its kind: where it waits 900
/// seconds, a bare 900 is no witness of 900 minutes.
fn stands_with_another_unit(index: &SourceIndex<'_>, quantity: &Quantity) -> bool {
    /// Nanoseconds to weeks, in seconds.
    const TIMES: [f64; 8] = [1e-9, 1e-6, 1e-3, 1.0, 60.0, 3_600.0, 86_400.0, 604_800.0];
    quantity.units.iter().any(|unit| {
        let factors = TIMES.iter().filter(|factor| {
            unit.dimension == Dimension::Time && (*factor / unit.factor - 1.0).abs() > 1e-6
        });
        let mut readings = factors.flat_map(|factor| {
            let values = quantity.readings().map(|reading| reading.value);
            values.map(move |value| value * factor)
        });
        readings.any(|value| {
            let near = value.abs() * 1e-9;
            !index
                .numbers(Dimension::Time, value - near, value + near)
                .is_empty()
        })
    })
}

/// Currencies that a cent can be a hundredth of.
const MAX_CURRENCIES: u8 = 16;

/// The newest number of a dimension that rounds to a reading.
pub(super) fn in_dimension(
    index: &SourceIndex<'_>,
    dimension: Dimension,
    reading: Reading,
    factor: f64,
) -> Option<u32> {
    in_dimension_where(index, dimension, reading, factor, &|_| true)
}

/// The same among the numbers that are accepted.
pub(super) fn in_dimension_where(
    index: &SourceIndex<'_>,
    dimension: Dimension,
    reading: Reading,
    factor: f64,
    accepts: &dyn Fn(&SourceNumber) -> bool,
) -> Option<u32> {
    let half = quantity::coarse_step(reading) / 2.0 * 1.001;
    let (low, high) = (
        (reading.value - half) * factor,
        (reading.value + half.max(reading.step)) * factor,
    );
    index
        .numbers(dimension, low, high)
        .iter()
        .filter(|number| accepts(number) && quantity::rounds_to(number.value / factor, reading))
        .map(|number| number.place)
        .max()
}

/// What of a sentence nothing in a source says.
#[cfg(test)]
fn open(source: &str, sentence: &str) -> Vec<String> {
    use crate::context::grounding::{GroundingSources, check};
    let sources = GroundingSources {
        texts: &[source],
        ..GroundingSources::default()
    };
    let grounding = check(&format!("- {sentence}\n"), sources);
    let open = grounding.ungrounded().map(|claim| claim.text.clone());
    open.collect()
}

#[cfg(test)]
mod tests {
    use super::open;

    /// What has every digit of the sentences below, of other things.
    const SOURCE: &str = "ticket ENT-222, see PR #48212; src/lexer.rs:417:9: error; \
        line 913 of notes.txt; migrations/0042_users.sql; 10.0.0.12:5432; 11 passed, 40 done";

    #[test]
    fn a_number_of_an_identifier_or_of_a_line_is_no_amount_and_counts_nothing() {
        for sentence in [
            "The budget is $222,000.",
            "The budget is $222.",
            "The invoice says $48,212.",
            "It costs 11,000 EUR.",
            "It costs 40.000 EUR.",
            "There are 417,000 users.",
            "There are 417 users.",
            "There are 5432 customers.",
            "There are 48,212 customers.",
            "It has 913 records.",
        ] {
            assert!(!open(SOURCE, sentence).is_empty(), "{sentence}");
        }
    }

    #[test]
    fn an_amount_counts_nothing_and_a_count_of_things_is_no_amount() {
        let source = "the invoice says $1,250 and 37% of it are paid; 512 customers in 4 regions, \
            2,400 rows, the cache holds 768 unless told otherwise, retry 3 times, $40$ nodes, \
            12 CAD files";
        for sentence in [
            "There are 1,250 customers.",
            "It has 37 columns.",
            "The logs take 512 GB.",
            "The logs take 2,400 GB.",
        ] {
            assert!(!open(source, sentence).is_empty(), "{sentence}");
        }
        for sentence in [
            "The invoice is 1,250.",
            "The invoice is $1,250.",
            "There are 512 customers.",
            "The cache takes 768 MB.",
            "There are 40 nodes.",
            "There are 12 files.",
        ] {
            assert_eq!(open(source, sentence), [""; 0], "{sentence}");
        }
    }

    #[test]
    fn an_amount_that_was_said_stays_however_it_is_written() {
        let source = "the budget is $222,000 and 48212 EUR for 42000 users; 417 rows were read; \
            port 5432, the limit is 1.250 kg; Zeile 12 hat 42.000 Zeichen, ENT-222";
        for sentence in [
            "The budget is $222,000.",
            "The budget is $222k.",
            "The budget is 48,212 EUR.",
            "There are 42,000 users.",
            "It has 417 rows.",
            "The port is 5432.",
            "The limit is 1.250 kg.",
            "The ticket is ENT-222.",
        ] {
            assert_eq!(open(source, sentence), [""; 0], "{sentence}");
        }
        let lines = "src/lexer.rs:417:9: error, db:5432, issue #48212";
        for sentence in [
            "The lexer fails at line 417.",
            "Port 5432 is open.",
            "Issue 48212 tells more.",
        ] {
            assert_eq!(open(lines, sentence), [""; 0], "{sentence}");
        }
    }
}
