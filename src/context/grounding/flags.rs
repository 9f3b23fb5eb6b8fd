//! Pieces of words of the source: amounts that a flag has without a space (`-Xmx3g` says `3g`),
//! and names that an excerpt cuts (`src/context/gro…`).

use std::collections::BTreeSet;

use super::claim::Claim;
use super::index::SourceIndex;
use super::quantity::{self, Dimension};

/// Longest amount.
const MAX_AMOUNT_CHARS: usize = 12;

/// Whether a text can be an amount of a flag: digits, then letters, or digits alone.
pub(super) fn is_amount(text: &str) -> bool {
    text.len() <= MAX_AMOUNT_CHARS
        && text.starts_with(|c: char| c.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// How a flag can write an amount of memory: `1536m` for 1.5 GiB.
pub(super) fn flag_spellings(text: &str) -> Vec<String> {
    const UNITS: [(f64, char); 3] = [(1_073_741_824.0, 'g'), (1_048_576.0, 'm'), (1_024.0, 'k')];
    let Some(found) = quantity::quantity_at(text, 0).filter(|found| found.span.end == text.len())
    else {
        return Vec::new();
    };
    let bytes = found
        .units
        .iter()
        .filter(|unit| unit.dimension == Dimension::Bytes);
    let amounts =
        bytes.flat_map(|unit| found.readings().map(|reading| reading.value * unit.factor));
    amounts
        .flat_map(|amount| UNITS.map(|(unit, letter)| (amount / unit, letter)))
        .filter(|(count, _)| *count >= 1.0 && count.fract() == 0.0)
        .map(|(count, letter)| format!("{count:.0}{letter}"))
        .collect()
}

/// Which of these amounts a flag of the source has.
pub(super) fn said_by_flags<'t>(
    index: &SourceIndex<'_>,
    amounts: &BTreeSet<&'t str>,
) -> BTreeSet<&'t str> {
    let wanted: Vec<&'t str> = amounts.iter().copied().collect();
    let mut said = BTreeSet::new();
    let Some(finder) = super::index::finder_of(&wanted) else {
        return said;
    };
    for source in index.texts() {
        let text = source.text.as_ref();
        for hit in finder.find_overlapping_iter(text) {
            let before = text.get(..hit.start()).unwrap_or_default();
            let after = text.get(hit.end()..).unwrap_or_default();
            if !after.starts_with(|c: char| c.is_alphanumeric()) && ends_with_flag(before) {
                said.extend(wanted.get(hit.pattern().as_usize()));
            }
        }
    }
    said
}

/// Fewer characters before a cut tell nothing.
const MIN_CUT_BYTES: usize = 2;

/// The part before the cut of a claim that an ellipsis cuts; `None` for a whole one, and for a
/// number, whose first digits are another number.
pub(super) fn cut_name<'t>(line: &'t str, claim: &Claim) -> Option<&'t str> {
    let text = line.get(claim.span.clone())?;
    let rest = line.get(claim.span.end..)?;
    let is_cut = text.ends_with('…') || rest.starts_with('…');
    let head = text.trim_end_matches('…');
    let is_name = head.contains(char::is_alphabetic) && head.len() >= MIN_CUT_BYTES;
    (is_cut && is_name).then_some(head)
}

/// Which of these beginnings of names the source has.
pub(super) fn said_in_part<'t>(
    index: &SourceIndex<'_>,
    heads: &BTreeSet<&'t str>,
) -> BTreeSet<&'t str> {
    let wanted: Vec<&'t str> = heads.iter().copied().collect();
    let mut said = BTreeSet::new();
    let Some(finder) = super::index::finder_of(&wanted) else {
        return said;
    };
    for source in index.texts() {
        let hits = finder.find_overlapping_iter(source.text.as_ref());
        said.extend(hits.filter_map(|hit| wanted.get(hit.pattern().as_usize())));
    }
    said
}

/// Whether a text ends with the name of a flag.
fn ends_with_flag(text: &str) -> bool {
    let name = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let letters = text.len() - name.len();
    (1..=MAX_AMOUNT_CHARS).contains(&letters)
        && name.ends_with('-')
        && !name.trim_end_matches('-').ends_with(char::is_alphanumeric)
}
