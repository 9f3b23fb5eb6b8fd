//! Numbers that follow from a count: products and their factors, what a part leaves of its
//! whole, the sum of a column, and shares of two numbers of the same thing.

use crate::context::audit::keywords;
use crate::context::grounding::fold::{folded_text, word_hash};
use crate::context::grounding::index::{SourceIndex, SourceNumber};
use crate::context::grounding::quantity::{Dimension, Quantity};

use super::super::reader::LineReader;
use super::super::tokens;
use super::derived::{self, Amount, is_exactly};
use super::{sums, written};

/// Numbers of a kind that are compared with one another.
const MAX_NUMBERS: usize = 2_000;
/// Places of a word or number that are read.
const MAX_PLACES: usize = 60;
/// Most things of which each costs the same.
const MAX_PARTS: f64 = 1_000.0;
/// Smaller numbers follow from too many.
const MIN_TELLING: f64 = 5.0;
/// Rows of a table that are added up.
const MAX_ROWS: usize = 60;
/// Different numbers of one thing of which shares are tried.
const MAX_VALUES: usize = 8;

/// Whether a number follows from a count of its line or of the source.
pub(super) fn follows(reader: &LineReader<'_>, wanted: &Quantity, found: &[Quantity]) -> bool {
    let others: Vec<Amount> = found
        .iter()
        .filter(|other| other.span != wanted.span)
        .flat_map(derived::amounts_of)
        .collect();
    let index = reader.index;
    derived::amounts_of(wanted).iter().any(|own| {
        is_product(index, own, &others)
            || is_factor(own, &others)
            || is_rest_of_a_part(index, own)
            || is_share_of_counted(reader, wanted, own)
            || sums::calls_it_a_sum(reader.body()) && is_sum_of_a_column(index, own)
    })
}

fn is_whole(amount: &Amount) -> bool {
    amount.dimension == Dimension::Count && amount.reading.step >= 1.0
}

/// `4 at CHF 85 cost CHF 340`: a count of the line times an amount of it, or times money of the
/// source.
fn is_product(index: &SourceIndex<'_>, wanted: &Amount, others: &[Amount]) -> bool {
    if matches!(
        wanted.dimension,
        Dimension::Count | Dimension::Percent | Dimension::Factor
    ) {
        return false;
    }
    let is_money = matches!(wanted.dimension, Dimension::Money(_));
    let of_count =
        |other: &&Amount| is_whole(other) && (2.0..=MAX_PARTS).contains(&other.reading.value);
    others.iter().filter(of_count).any(|count| {
        let times = count.reading.value;
        let mut beside = others.iter().filter(|it| it.dimension == wanted.dimension);
        let one = wanted.reading.value / times;
        let half = 1e-6 * one.abs().max(1.0);
        beside.any(|it| is_exactly(it.reading.value * times, wanted.reading))
            || is_money
                && !index
                    .numbers(wanted.dimension, one - half, one + half)
                    .is_empty()
    })
}

/// `€38.70 for the 18 at €2.15`: how often one amount of the line is in another.
fn is_factor(wanted: &Amount, others: &[Amount]) -> bool {
    let is_money = |it: &&Amount| matches!(it.dimension, Dimension::Money(_));
    let prices = || others.iter().filter(is_money);
    is_whole(wanted)
        && wanted.reading.value >= 2.0
        && prices().any(|one| {
            let all = one.reading.value * wanted.reading.value;
            prices().any(|it| it.dimension == one.dimension && is_exactly(all, it.reading))
        })
}

/// `412 of 638` leaves 226.
fn is_rest_of_a_part(index: &SourceIndex<'_>, wanted: &Amount) -> bool {
    if !is_whole(wanted) || wanted.reading.value < MIN_TELLING {
        return false;
    }
    let value = wanted.reading.value;
    let wholes = index.numbers(Dimension::Count, value + 0.5, f64::INFINITY);
    wholes.len() <= MAX_NUMBERS
        && wholes.iter().any(|whole| {
            part_before(index, whole).is_some_and(|part| (whole.value - part - value).abs() < 1e-6)
        })
}

/// The part that stands before a whole: `412 of 638`, `412/638`.
fn part_before(index: &SourceIndex<'_>, whole: &SourceNumber) -> Option<f64> {
    const LINKS: [&str; 10] = [
        " of ", " de ", " von ", " sur ", " di ", " van ", " z ", " из ", "/", " / ",
    ];
    let place = whole.place as usize;
    let before = index.line_before(place);
    let link = LINKS.iter().find(|link| before.ends_with(**link))?;
    let words = if link.contains(char::is_alphabetic) {
        2
    } else {
        1
    };
    sums::number_at(index, place.checked_sub(words)?)
}

/// Whether a number is the sum of a whole column of a table.
fn is_sum_of_a_column(index: &SourceIndex<'_>, wanted: &Amount) -> bool {
    if !is_whole(wanted) || wanted.reading.value < MIN_TELLING {
        return false;
    }
    let parts = index.numbers(Dimension::Count, 1.0, wanted.reading.value);
    let mut near = parts.iter().rev().take(MAX_NUMBERS);
    near.any(|number| {
        column_below(index, number.place as usize)
            .is_some_and(|sum| (sum - wanted.reading.value).abs() < 1e-6)
    })
}

/// The sum of the column that begins with the number at a place; `None` where it begins above.
fn column_below(index: &SourceIndex<'_>, place: usize) -> Option<f64> {
    let line = index.line_at(place, usize::MAX / 4);
    let text = index.text_at(place)?.text.as_ref();
    let at = (line.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let numbers = |line: &str| -> Vec<f64> {
        let found = written::quantities_in(line);
        let first = found.iter().filter_map(|it| it.numeral.readings.first());
        first.map(|reading| reading.value).collect()
    };
    let columns = numbers(line).len();
    let above = text.get(..at)?.trim_end_matches('\n').rsplit('\n').next()?;
    let first = numbers(line);
    if line.len() > MAX_ROW_BYTES || at > 0 && numbers(above).len() == columns {
        return None;
    }
    let words = index.line_from(place);
    let written: String = words.chars().take_while(char::is_ascii_digit).collect();
    let own: f64 = written.parse().ok()?;
    let column = first.iter().position(|value| (value - own).abs() < 1e-9)?;
    let rows = text.get(at..)?.lines().take(MAX_ROWS).map(numbers);
    let same = rows.take_while(|row| row.len() == columns);
    let values: Vec<f64> = same.filter_map(|row| row.get(column).copied()).collect();
    (values.len() > 1).then(|| values.iter().sum())
}

/// A longer line is no row of a table.
const MAX_ROW_BYTES: usize = 300;

/// Whether a percentage is the share of two numbers that the source gives the counted thing.
fn is_share_of_counted(reader: &LineReader<'_>, wanted: &Quantity, own: &Amount) -> bool {
    if own.dimension != Dimension::Percent || own.reading.step >= 1.0 {
        return false;
    }
    let after = reader.text().get(wanted.span.end..reader.line.body.end);
    let words = after
        .unwrap_or_default()
        .split(|c: char| !c.is_alphanumeric());
    let nouns = words
        .map(folded_text)
        .filter(|word| word.chars().count() > 3 && !keywords::is_stop(word))
        .take(2);
    nouns.into_iter().any(|noun| {
        let forms = std::iter::once(noun.clone()).chain(tokens::other_number(&noun));
        let mut values: Vec<f64> = forms
            .flat_map(|form| numbers_beside(reader.index, word_hash(&form)))
            .collect();
        values.sort_by(f64::total_cmp);
        values.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
        let share = |a: &f64, b: &f64| *b > *a && is_exactly(a / b * 100.0, own.reading);
        values.len() <= MAX_VALUES && values.iter().any(|a| values.iter().any(|b| share(a, b)))
    })
}

/// The numbers directly beside a word.
fn numbers_beside(index: &SourceIndex<'_>, word: u64) -> Vec<f64> {
    let places = index.places(word).take(MAX_PLACES);
    let beside = places.flat_map(|place| [place.checked_sub(1), Some(place + 1)]);
    let numbers = beside.flatten().filter_map(|at| sums::number_at(index, at));
    numbers.filter(|value| *value > 0.0).collect()
}

#[cfg(test)]
mod tests {
    use super::super::open;

    #[test]
    fn products_and_their_factors_follow_from_the_line() {
        let source = "we pay CHF 85 a month per gateway, all four; a set is €2.15, 18 sets";
        assert!(open(source, "At CHF 85 per gateway the four cost CHF 340.").is_empty());
        assert_eq!(
            open(source, "At CHF 85 per gateway the four cost CHF 350."),
            ["CHF 350"]
        );
        assert!(open(source, "A set for each of the 18 would cost €38.70.").is_empty());
        let wrong = open(source, "A set for each of the 18 would cost €41.85.");
        assert_eq!(wrong, ["€41.85"]);
    }

    #[test]
    fn what_a_part_leaves_and_what_a_column_adds_up_to_is_said() {
        let source = "abgebrochen, processed 412 of 638\n\nform | count | none\n-----+----\n\
             capsule | 118 | 0\ninjection | 204 | 204\nsuspension | 67 | 49\n(3 rows)\n";
        assert!(open(source, "The other 226 members were left.").is_empty());
        assert!(!open(source, "The other 236 members were left.").is_empty());
        assert!(open(source, "In total there are 389 products.").is_empty());
        assert!(!open(source, "In total there are 399 products.").is_empty());
    }

    #[test]
    fn shares_of_the_same_thing_are_worked_out() {
        let source = "members=638\nWarning: 7 members without IBAN\n";
        assert!(open(source, "1.1 % of the members have no IBAN.").is_empty());
        assert_eq!(
            open(source, "1.9 % of the members have no IBAN."),
            ["1.9 %"]
        );
    }

    #[test]
    fn parts_of_names_and_sides_of_a_table_are_no_counts() {
        let source = "hosts gw-kb-01, gw-kb-02, gw-kb-03, gw-kb-04; 13 voltages by 5 temperatures";
        assert!(open(source, "Only gw-kb-02; 01, 03 and 04 wait.").is_empty());
        assert!(open(source, "It is a table of 13 x 5 with interpolation.").is_empty());
    }

    #[test]
    fn amounts_with_dots_in_threes_are_no_versions() {
        let source = "Neto a pagar .......... 3.797.033,27 €";
        assert!(open(source, "Neto a pagar 3.797.033,27 €, igual.").is_empty());
        assert_eq!(open(source, "Neto 3.797.033,29 €."), ["3.797.033,29 €"]);
    }
}
