//! Numbers in text: how they are written, what they measure, and which exact numbers
//! round to them.

mod units;

use std::borrow::Cow;
use std::ops::Range;

use smallvec::{SmallVec, smallvec};

use super::fold::folded_text;
use crate::context::identifiers::is_unspaced;
pub(super) use units::{Dimension, Unit};

/// Longest name of a unit, in characters.
const MAX_UNIT_CHARS: usize = 14;
/// More digits are an identifier, not a quantity.
const MAX_DIGITS: usize = 18;

/// Signs of money and of shares.
pub(super) const AMOUNT_SIGNS: [char; 10] = ['%', '％', '€', '$', '£', '¥', '₽', '₺', '₩', '₹'];

/// Units that a further number may follow: `1h30m`.
const CLOCK: [&str; 5] = ["h", "m", "s", "ms", "d"];

/// One way to read a number: `1.386` is 1,386 or 1.386.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reading {
    /// The value.
    pub value: f64,
    /// What one more in the last digit adds.
    pub step: f64,
}

/// The ways to read a number: most have one.
pub(super) type Readings = SmallVec<[Reading; 1]>;
/// What a number can measure: most have one unit or none.
pub(super) type Units = SmallVec<[Unit; 1]>;

/// A number in a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Numeral {
    /// Where its digits are.
    pub span: Range<usize>,
    /// How it can be read, at least one way.
    pub readings: Readings,
    /// How many digits it has.
    pub digits: usize,
    /// `007`: rather a name.
    pub has_leading_zero: bool,
}

impl Numeral {
    /// Takes a last group of three digits for thousands, where its mark and digits allow nothing
    /// else: `48,212` users are no part of a user.
    pub(super) fn read_as_thousands(&mut self, text: &str, is_group: impl Fn(char, &str) -> bool) {
        let written = text.get(self.span.clone()).unwrap_or_default();
        let mark = written.rfind([',', '.']);
        let cut = mark.and_then(|at| written.split_at_checked(at));
        let Some((mark, digits)) =
            cut.and_then(|(_, tail)| Some((tail.chars().next()?, tail.get(1..)?)))
        else {
            return;
        };
        let has_both = self.readings.iter().any(|reading| reading.step >= 1.0);
        if has_both && digits.len() == 3 && is_group(mark, digits) {
            self.readings.retain(|reading| reading.step >= 1.0);
        }
    }
}

/// Digits behind a mark that nobody writes of an amount: `42.000` is 42 thousand.
pub(super) const ROUND_GROUP: &str = "000";

/// A number with what it measures.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    /// The number.
    pub numeral: Numeral,
    /// The number with its multiplier and unit.
    pub span: Range<usize>,
    /// What it can measure; empty for a bare number and for things that are counted.
    pub units: Units,
    /// What multiplies it (`k`, `million`); 1 without.
    pub multiplier: f64,
    /// Whether the multiplier can be one, but also a unit (`5m`).
    pub multiplier_is_doubtful: bool,
}

impl Quantity {
    /// Every reading with its multiplier.
    pub(super) fn readings(&self) -> impl Iterator<Item = Reading> {
        let doubtful = self.multiplier_is_doubtful;
        let factors = [self.multiplier, 1.0];
        let used = if doubtful && (self.multiplier - 1.0).abs() > f64::EPSILON {
            2
        } else {
            1
        };
        factors.into_iter().take(used).flat_map(move |factor| {
            self.numeral.readings.iter().map(move |reading| Reading {
                value: reading.value * factor,
                step: reading.step * factor,
            })
        })
    }
}

/// Reads the number that begins with the digit at `at`. `None` where the digits are part
/// of a version, an address or an identifier.
pub(super) fn numeral_at(text: &str, at: usize) -> Option<Numeral> {
    let bytes = text.as_bytes();
    let end = digits_end(bytes, at);
    if separator_at(text, end).is_none_or(|(_, next)| !starts_digits(bytes, next)) {
        // Most numbers are one group of digits.
        return plain_numeral(text, at..end);
    }
    let mut groups: Vec<Range<usize>> = Vec::new();
    let mut marks: Vec<char> = Vec::new();
    let mut from = at;
    loop {
        let end = digits_end(bytes, from);
        groups.push(from..end);
        let Some((mark, next)) = separator_at(text, end) else {
            break;
        };
        let is_group = mark != ' ' || digits_end(bytes, next) - next == 3 && end - from <= 3;
        if !starts_digits(bytes, next) || !is_group {
            break;
        }
        marks.push(mark);
        from = next;
    }
    let digits: usize = groups.iter().map(ExactSizeIterator::len).sum();
    if digits > MAX_DIGITS {
        return None;
    }
    let end = groups.last()?.end;
    let first = text.get(groups.first()?.clone())?;
    Some(Numeral {
        readings: readings(text, &groups, &marks)?,
        span: at..end,
        digits,
        has_leading_zero: first.len() > 1 && first.starts_with('0'),
    })
}

/// The first number of a row of a table with commas: `0.9931,0.9978`.
pub(super) fn first_of_row(text: &str, at: usize) -> Option<Quantity> {
    let bytes = text.as_bytes();
    let point = digits_end(bytes, at);
    let end = digits_end(bytes, point + 1);
    let is_row = bytes.get(point) == Some(&b'.') && bytes.get(end) == Some(&b',');
    if !is_row || end == point + 1 || !starts_digits(bytes, end + 1) {
        return None;
    }
    let row = text.get(..end)?;
    Some(with_unit(row, numeral_at(row, at)?))
}

fn plain_numeral(text: &str, span: Range<usize>) -> Option<Numeral> {
    let written = text.get(span.clone())?;
    if written.len() > MAX_DIGITS {
        return None;
    }
    Some(Numeral {
        readings: smallvec![reading(written, "")?],
        digits: written.len(),
        has_leading_zero: written.len() > 1 && written.starts_with('0'),
        span,
    })
}

fn starts_digits(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(u8::is_ascii_digit)
}

fn digits_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take_while(|b| b.is_ascii_digit()).count()
}

fn separator_at(text: &str, at: usize) -> Option<(char, usize)> {
    let c = text.get(at..)?.chars().next()?;
    let mark = match c {
        '.' | ',' | '_' => c,
        '\'' | '’' => '\'',
        '\u{a0}' | '\u{202f}' | '\u{2009}' | ' ' => ' ',
        _ => return None,
    };
    Some((mark, at + c.len_utf8()))
}

/// `groups` of digits, with the marks between them.
fn readings(text: &str, groups: &[Range<usize>], marks: &[char]) -> Option<Readings> {
    let parts: Vec<&str> = groups
        .iter()
        .filter_map(|group| text.get(group.clone()))
        .collect();
    let (last, whole) = parts.split_last()?;
    let (last_mark, inner_marks) = match marks.split_last() {
        Some((last, inner)) => (*last, inner),
        None => return Some(smallvec![reading(last, "")?]),
    };
    let in_threes = |parts: &[&str]| {
        parts.iter().skip(1).all(|part| part.len() == 3)
            && parts.first().is_some_and(|part| part.len() <= 3)
    };
    let same_marks = inner_marks.iter().all(|mark| *mark == last_mark);
    let mut out = Readings::new();
    if same_marks && (last_mark == '_' || in_threes(&parts) && parts[0] != "0") {
        out.push(reading(&parts.concat(), "")?);
    }
    let is_decimal_mark = matches!(last_mark, '.' | ',');
    let one_kind = inner_marks.iter().all(|mark| *mark != last_mark)
        && inner_marks.windows(2).all(|pair| pair[0] == pair[1]);
    if is_decimal_mark && one_kind && (whole.len() == 1 || in_threes(whole)) {
        out.push(reading(&whole.concat(), last)?);
    }
    (!out.is_empty()).then_some(out)
}

fn reading(whole: &str, decimals: &str) -> Option<Reading> {
    let value = if decimals.is_empty() {
        // Much faster than the reading of a decimal fraction.
        match whole.parse::<u32>() {
            Ok(value) => f64::from(value),
            Err(_) => whole.parse().ok()?,
        }
    } else {
        format!("{whole}.{decimals}").parse().ok()?
    };
    let step = 0.1_f64.powi(i32::try_from(decimals.len()).ok()?);
    Some(Reading { value, step })
}

/// The number that begins at `at`, with what stands around it.
pub(super) fn quantity_at(text: &str, at: usize) -> Option<Quantity> {
    let numeral = numeral_at(text, at)?;
    Some(with_unit(text, numeral))
}

/// A number with the multiplier and the unit after it, or the currency before it.
pub(super) fn with_unit(text: &str, numeral: Numeral) -> Quantity {
    let mut out = Quantity {
        span: numeral.span.clone(),
        numeral,
        units: Units::new(),
        multiplier: 1.0,
        multiplier_is_doubtful: false,
    };
    for _ in 0..2 {
        let Some((name, end)) = name_after(text, out.span.end) else {
            break;
        };
        if let Some(factor) = units::multiplier(&name).filter(|_| out.units.is_empty()) {
            out.multiplier = factor;
            out.units = Units::from_slice(units::named(&name));
            out.multiplier_is_doubtful = !out.units.is_empty();
            out.span.end = end;
            if out.multiplier_is_doubtful {
                break;
            }
            continue;
        }
        let found = units::named(&name);
        if found.is_empty() {
            break;
        }
        out.units = Units::from_slice(found);
        out.span.end = end;
        break;
    }
    if let Some((money, start)) = currency_before(text, out.span.start)
        && (out.units.is_empty() || out.multiplier_is_doubtful)
    {
        out.units = money;
        out.multiplier_is_doubtful = false;
        out.span.start = start;
    }
    let is_money = |unit: &Unit| matches!(unit.dimension, Dimension::Money(_));
    if out.units.iter().any(is_money) {
        let is_group = |mark, digits: &str| mark == ',' || digits == ROUND_GROUP;
        out.numeral.read_as_thousands(text, is_group);
    }
    out
}

/// Whether a word is the name of a unit.
pub(super) fn is_unit(word: &str) -> bool {
    !units::named(&folded_text(word)).is_empty()
}

/// `µA`, `kΩ`, `mAh`: whether a token is the sign of something measured.
pub(super) fn is_sign_of_unit(token: &str) -> bool {
    const SIGNS: [&str; 42] = [
        "A", "V", "W", "Hz", "Ω", "Ω", "ohm", "Ohm", "F", "J", "C", "K", "g", "m", "l", "L", "Pa",
        "bar", "eV", "N", "T", "S", "Ah", "Wh", "VA", "Bq", "Sv", "mol", "M", "rad", "bp", "b",
        "lx", "lm", "cd", "ppm", "dB", "dBm", "px", "pt", "B", "cal",
    ];
    let is_sign = |rest: &str| SIGNS.contains(&rest);
    is_sign(token)
        || [
            "p", "n", "µ", "μ", "u", "m", "c", "d", "h", "k", "M", "G", "T", "da",
        ]
        .iter()
        .any(|prefix| token.strip_prefix(prefix).is_some_and(is_sign))
}

/// The word or sign that can be a unit, with its end: directly after the number, after a
/// hyphen or after a space.
fn name_after(text: &str, at: usize) -> Option<(Cow<'_, str>, usize)> {
    let rest = text.get(at..)?;
    let mut chars = rest.chars().peekable();
    let mut from = at;
    if let Some(c) = chars
        .peek()
        .copied()
        .filter(|c| matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '-'))
    {
        from += c.len_utf8();
        chars.next();
    }
    let first = chars.next()?;
    let start = from;
    if !first.is_alphabetic() {
        let is_sign = AMOUNT_SIGNS.contains(&first);
        // `1920×1080` is no factor.
        let is_factor = first == '×' && !chars.peek().is_some_and(char::is_ascii_digit);
        return (is_sign || is_factor).then(|| {
            (
                folded_text(&first.to_string()).into(),
                start + first.len_utf8(),
            )
        });
    }
    let tail = text.get(start..)?;
    if is_unspaced(first) {
        // The longest name of one or two characters.
        for count in [2, 1] {
            let end = tail
                .char_indices()
                .nth(count)
                .map_or(tail.len(), |(end, _)| end);
            let name = folded_text(tail.get(..end)?);
            if !units::named(&name).is_empty() || units::multiplier(&name).is_some() {
                return Some((name.into(), start + end));
            }
        }
        return None;
    }
    let end = tail
        .find(|c: char| !c.is_alphabetic() || is_unspaced(c))
        .unwrap_or(tail.len());
    let name = tail.get(..end)?;
    let goes_on = tail
        .get(end..)?
        .starts_with(|c: char| c.is_ascii_digit() || c == '_');
    if name.len() > 2 * MAX_UNIT_CHARS || goes_on && !CLOCK.contains(&name) {
        return None;
    }
    let is_folded = name.bytes().all(|byte| byte.is_ascii_lowercase());
    let name = if is_folded {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(folded_text(name))
    };
    Some((name, start + end))
}

/// `$5`, `€ 5`, `USD 5`: the currency and where it begins.
fn currency_before(text: &str, at: usize) -> Option<(Units, usize)> {
    let before = text.get(..at)?;
    let trimmed = before.strip_suffix([' ', '\u{a0}']).unwrap_or(before);
    let trimmed = trimmed
        .strip_suffix(['-', '+', '−', '~'])
        .unwrap_or(trimmed);
    let last = trimmed.chars().next_back()?;
    if last.is_ascii() && !last.is_ascii_alphabetic() && last != '$' {
        return None;
    }
    let start = if last.is_alphabetic() {
        let name_starts = trimmed
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_alphabetic())
            .take(5)
            .last()?
            .0;
        let name = trimmed.get(name_starts..)?;
        // Codes alone: `for try 5` is no lira.
        if name.len() != 3 || !name.bytes().all(|b| b.is_ascii_uppercase()) {
            return None;
        }
        name_starts
    } else {
        let mut start = trimmed.len() - last.len_utf8();
        let letters = trimmed.get(..start)?;
        if letters.ends_with("US") || letters.ends_with('R') && last == '$' {
            start -= if letters.ends_with("US") { 2 } else { 1 };
        }
        start
    };
    let found = units::named(&folded_text(trimmed.get(start..)?));
    let money: Units = found
        .iter()
        .copied()
        .filter(|unit| matches!(unit.dimension, Dimension::Money(_)))
        .collect();
    (!money.is_empty()).then_some((money, start))
}

/// Whether the true value, rounded to the precision of the written one, gives it. A
/// number that ends with zeros may have been rounded there when what remains is within a
/// hundredth: 1,900 for 1,914, not 50,000 for 47,500.
pub(super) fn rounds_to(truth: f64, written: Reading) -> bool {
    let slack = written.step * 1e-6;
    let off = (truth - written.value).abs();
    if off <= written.step / 2.0 + slack {
        return true;
    }
    // Of a large amount the part behind the point is left out.
    if written.step >= 1.0
        && written.value >= MIN_CUT
        && (truth.floor() - written.value).abs() < slack
    {
        return true;
    }
    let coarse = coarse_step(written);
    off <= coarse / 2.0 + slack && off <= truth.abs() / COARSE_SHARE
}

/// Amounts from here on are told without the part behind the point.
const MIN_CUT: f64 = 1_000.0;

/// In percent of the truth: how far a number that was rounded to zeros may be from it.
const COARSE_SHARE: f64 = 100.0;

/// The step of the last digit that is not a zero.
pub(super) fn coarse_step(written: Reading) -> f64 {
    let mut step = written.step;
    while step < written.value.abs() && is_multiple(written.value, step * 10.0) {
        step *= 10.0;
    }
    step
}

fn is_multiple(value: f64, step: f64) -> bool {
    let ratio = value / step;
    (ratio - ratio.round()).abs() < 1e-9 * ratio.abs().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<f64> {
        let at = text.find(|c: char| c.is_ascii_digit()).unwrap();
        numeral_at(text, at).map_or_else(Vec::new, |n| n.readings.iter().map(|r| r.value).collect())
    }

    #[test]
    fn numbers_are_read_as_each_country_writes_them() {
        for (text, expected) in [
            ("1914", vec![1914.0]),
            ("1.386", vec![1386.0, 1.386]),
            ("48,213,907", vec![48_213_907.0]),
            ("182,875.20", vec![182_875.2]),
            ("2.150,00", vec![2150.0]),
            ("18 900 zł", vec![18_900.0]),
            ("10_000", vec![10_000.0]),
            ("4.555s", vec![4555.0, 4.555]),
            ("0.212s", vec![0.212]),
            ("12,5", vec![12.5]),
            ("1.2.3", vec![]),
            ("10.20.4.17", vec![]),
        ] {
            assert_eq!(values(text), expected, "{text}");
        }
    }

    #[test]
    fn a_group_of_three_behind_a_comma_is_thousands_of_money() {
        for (text, expected) in [
            ("$222,000", vec![222_000.0]),
            ("48,212 EUR", vec![48_212.0]),
            ("222.000 €", vec![222_000.0]),
            ("1.386 €", vec![1386.0, 1.386]),
            ("$0.002", vec![0.002]),
            ("2,50 €", vec![2.5]),
            ("222,125 ms", vec![222_125.0, 222.125]),
        ] {
            let at = text.find(|c: char| c.is_ascii_digit()).unwrap();
            let found = quantity_at(text, at).unwrap().numeral.readings;
            let found: Vec<f64> = found.iter().map(|reading| reading.value).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn units_are_found_before_and_after() {
        for (text, dimension, factor) in [
            ("4.6 s", Dimension::Time, 1.0),
            ("60秒", Dimension::Time, 1.0),
            ("8Gi", Dimension::Bytes, 1_073_741_824.0),
            ("5-minute", Dimension::Time, 60.0),
            ("€18,900", Dimension::Money(1), 1.0),
            ("19 800 zł", Dimension::Money(4), 1.0),
            ("2,3 %", Dimension::Percent, 1.0),
            ("USD 5", Dimension::Money(0), 1.0),
        ] {
            let at = text.find(|c: char| c.is_ascii_digit()).unwrap();
            let found = quantity_at(text, at).unwrap();
            assert!(
                found.units.contains(&Unit { dimension, factor }),
                "{text}: {found:?}"
            );
            assert_eq!(text.get(found.span.clone()), Some(text), "{found:?}");
        }
        assert!((quantity_at("1.9 million rows", 0).unwrap().multiplier - 1e6).abs() < 1.0);
    }

    #[test]
    fn a_rounded_number_is_told_from_a_wrong_one() {
        for (truth, value, step, expected) in [
            (4.555, 4.6, 0.1, true),
            (4.61, 4.6, 0.1, true),
            (1.579, 1.42, 0.01, false),
            (47_500.0, 50_000.0, 1.0, false),
            (182_875.2, 182_900.0, 1.0, true),
            (1914.0, 1900.0, 1.0, true),
            (48_213_907.0, 48_200_000.0, 100_000.0, true),
            (48_213_907.0, 48_900_000.0, 100_000.0, false),
            (57.0, 75.0, 1.0, false),
        ] {
            assert_eq!(
                rounds_to(truth, Reading { value, step }),
                expected,
                "{truth} {value}"
            );
        }
    }
}
