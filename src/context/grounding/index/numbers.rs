//! The numbers of the source, by what they measure and how much it is.

use rustc_hash::FxHashMap;

use crate::context::grounding::fold::FoldedWord;
use crate::context::grounding::quantity::{self, Dimension, Quantity};

/// A number of the source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::context::grounding) struct SourceNumber {
    /// In base units of the dimension.
    pub value: f64,
    /// What it measures; every number also stands there as a count.
    pub dimension: Dimension,
    /// Of a count: it also measures something.
    pub has_unit: bool,
    /// It is an amount of money or a share, by its sign: it counts nothing.
    pub is_amount: bool,
    /// Where its first word stands.
    pub place: u32,
}

impl SourceNumber {
    /// The dimension and the value, in the order of both.
    fn key(&self) -> (u16, u64) {
        const SIGN: u64 = 1 << 63;
        let bits = self.value.to_bits();
        // As `f64::total_cmp` has it: below zero, the greater the bits, the less.
        let value = if bits & SIGN == 0 { bits | SIGN } else { !bits };
        (self.dimension.rank(), value)
    }

    pub(super) fn is_before(&self, dimension: Dimension, value: f64) -> bool {
        let (own, other) = (self.dimension.rank(), dimension.rank());
        own < other || own == other && self.value < value
    }
}

/// Sorts numbers as they were read by dimension and value; what is the same, newest first.
/// Conversations say few numbers, many times each: only the different ones are compared.
pub(super) fn sorted(read: &[SourceNumber]) -> Vec<SourceNumber> {
    let mut groups: FxHashMap<(u16, u64), usize> = FxHashMap::default();
    let mut counts: Vec<usize> = Vec::new();
    let group_of: Vec<usize> = read
        .iter()
        .map(|number| {
            let group = *groups.entry(number.key()).or_insert(counts.len());
            if group == counts.len() {
                counts.push(0);
            }
            counts[group] += 1;
            group
        })
        .collect();
    let mut order: Vec<((u16, u64), usize)> = groups.into_iter().collect();
    order.sort_unstable();
    // From counts to where each group begins.
    let mut begin = 0;
    for (_, group) in order {
        begin += std::mem::replace(&mut counts[group], begin);
    }
    let mut out = read.to_vec();
    for (number, group) in read.iter().zip(group_of).rev() {
        out[counts[group]] = *number;
        counts[group] += 1;
    }
    out
}

/// Reads the number that begins with a word; gives the byte after its digits.
pub(super) fn read(text: &str, word: FoldedWord, place: u32, out: &mut Vec<SourceNumber>) -> usize {
    let found = quantity::quantity_at(text, word.start)
        .or_else(|| quantity::first_of_row(text, word.start));
    let Some(found) = found else {
        return word.end;
    };
    let is_cut = found.numeral.span.end < word.end
        && found.span.end == found.numeral.span.end
        && found.multiplier <= 1.0;
    if is_cut {
        return word.end;
    }
    let is_amount = is_amount(text, &found);
    for reading in found.readings() {
        for unit in &found.units {
            out.push(SourceNumber {
                value: reading.value * unit.factor,
                dimension: unit.dimension,
                has_unit: true,
                is_amount,
                place,
            });
        }
        out.push(SourceNumber {
            value: reading.value,
            dimension: Dimension::Count,
            has_unit: !found.units.is_empty(),
            is_amount,
            place,
        });
    }
    if found.multiplier > 1.0 && !found.multiplier_is_doubtful {
        out.extend(found.numeral.readings.iter().map(|reading| SourceNumber {
            value: reading.value,
            dimension: Dimension::Count,
            has_unit: true,
            is_amount,
            place,
        }));
    }
    // Columns of a table look like the groups of a number: each is read by itself too.
    let digits = text.get(found.numeral.span.clone()).unwrap_or_default();
    if digits.contains(char::is_whitespace) {
        word.end
    } else {
        found.numeral.span.end
    }
}

/// Whether a number is money or a share, with its sign: three letters can be another word, and
/// `$40$` is a formula.
fn is_amount(text: &str, found: &Quantity) -> bool {
    let is_kind = found
        .units
        .iter()
        .any(|unit| matches!(unit.dimension, Dimension::Money(_) | Dimension::Percent));
    if !is_kind || found.multiplier_is_doubtful {
        return false;
    }
    let digits = found.numeral.span.clone();
    let (before, behind) = (text.get(..digits.start), text.get(digits.end..));
    let is_formula = before.is_some_and(|text| text.ends_with('$'))
        && behind.is_some_and(|text| text.starts_with('$'));
    let written = text.get(found.span.clone()).unwrap_or_default();
    !is_formula && written.contains(quantity::AMOUNT_SIGNS)
}
