//! Numbers that add up from others which stand apart: sums that the line calls sums, money
//! from a table without its currency, shares of an amount of the line, what is left of a
//! count, and counts beside the words of their sentence.

use std::sync::LazyLock;

use regex::Regex;

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::{folded_text, word_hash};
use crate::context::grounding::index::{SourceIndex, tag_of};
use crate::context::grounding::quantity::{self, Dimension, Quantity, Reading};

use super::super::reader::{Finding, LineReader};
use super::super::tokens;
use super::derived::{self, Amount};
use super::written;

/// Words with which a line says that it adds up, folded.
const SUMS: &[&str] = &[
    "together",
    "total",
    "totals",
    "sum",
    "sums",
    "combined",
    "altogether",
    "overall",
    "both",
    "zusammen",
    "insgesamt",
    "gesamt",
    "summe",
    "beide",
    "beiden",
    "ensemble",
    "somme",
    "juntos",
    "juntas",
    "suma",
    "ambos",
    "soma",
    "insieme",
    "totale",
    "somma",
    "samen",
    "totaal",
    "beide",
    "razem",
    "lacznie",
    "вместе",
    "итого",
    "всего",
    "сумма",
    "toplam",
    "birlikte",
];
/// The same in scripts without spaces.
const SUM_SIGNS: &[&str] = &["共", "合计", "总", "合計", "合わせて", "총", "합계", "모두"];

/// Different amounts of a source from which sums of two are tried.
const MAX_AMOUNTS: usize = 60;
/// The same for sums of three.
const MAX_THREE: usize = 16;
/// Numbers of a kind that are compared with one another.
const MAX_NUMBERS: usize = 2_000;
/// Words of a table between two numbers that belong together.
const TABLE_WORDS: usize = 24;
/// Places of a word or number that are read.
const MAX_PLACES: usize = 60;
/// Bytes of a line that are read to each side of a number.
const LINE_BYTES: usize = 200;
/// Numbers of a line that are compared with an amount.
const MAX_LINE_NUMBERS: usize = 16;
/// Bytes on each side of a number whose words are of its statement.
const STATEMENT_BYTES: usize = 90;
/// Words around a number in which those of its statement stand.
const NEAR_WORDS: usize = 5;
/// Words of a statement beside a number that tell that it is the same.
const MIN_NEAR: usize = 2;

/// Whether a number that nothing gives adds up from others.
pub(super) fn adds_up(reader: &LineReader<'_>, wanted: &Quantity, known: &[&Quantity]) -> bool {
    let own = derived::amounts_of(wanted);
    let index = reader.index;
    let is_sum = calls_it_a_sum(reader.body());
    own.iter().any(|amount| {
        let is_precise = amount.reading.step < 1.0 || wanted.numeral.digits > 3;
        let is_money = matches!(amount.dimension, Dimension::Money(_));
        is_sum && is_precise && is_sum_of_any(index, amount)
            || is_money && amount.reading.step < 1.0 && of_a_table(index, amount)
            || is_share_of_known(index, amount, known)
            || is_clock_time(index, amount)
    }) || is_sum && is_sum_of_counted(reader, wanted)
        || is_said_in_words(reader, wanted)
        || !is_test(reader, wanted)
            && (is_left_of_count(reader, wanted) || is_beside_its_statement(reader, wanted))
}

/// Whether a number counts tests: what they came to has to be said of them.
fn is_test(reader: &LineReader<'_>, wanted: &Quantity) -> bool {
    let mut claims = reader.claims.iter();
    claims.any(|claim| claim.span == wanted.span && claim.class == ClaimClass::TestCount)
}

pub(super) fn calls_it_a_sum(body: &str) -> bool {
    let folded = folded_text(body);
    let mut words = folded.split(|c: char| !c.is_alphanumeric());
    words.any(|word| SUMS.contains(&word)) || SUM_SIGNS.iter().any(|sign| folded.contains(sign))
}

/// Whether an amount is the sum of two, or of three of few, amounts of the source.
fn is_sum_of_any(index: &SourceIndex<'_>, wanted: &Amount) -> bool {
    if wanted.dimension == Dimension::Count {
        return false;
    }
    let found = index.numbers(wanted.dimension, 0.0, f64::INFINITY);
    if found.len() > MAX_NUMBERS {
        return false;
    }
    let mut values: Vec<f64> = found.iter().map(|number| number.value).collect();
    values.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    sums_to(&values, wanted.reading)
}

/// Whether two of few values, or three of very few, make a number.
fn sums_to(values: &[f64], wanted: Reading) -> bool {
    if values.len() > MAX_AMOUNTS {
        return false;
    }
    let gives = |sum: f64| derived::is_exactly(sum, wanted);
    values.iter().enumerate().any(|(at, a)| {
        let rest = values.get(at + 1..).unwrap_or_default();
        rest.iter().enumerate().any(|(next, b)| {
            let last = rest.get(next + 1..).unwrap_or_default();
            gives(a + b) || values.len() <= MAX_THREE && last.iter().any(|c| gives(a + b + c))
        })
    })
}

/// Whether money is the sum or the difference of two numbers of a table that has no currency.
fn of_a_table(index: &SourceIndex<'_>, wanted: &Amount) -> bool {
    let all = index.numbers(Dimension::Count, 0.0, f64::INFINITY);
    let fractions: Vec<_> = all
        .iter()
        .filter(|number| number.value.fract() > 0.0 || number.value >= 10.0)
        .take(MAX_NUMBERS + 1)
        .collect();
    if fractions.len() > MAX_NUMBERS {
        return false;
    }
    let (value, half) = (wanted.reading.value, wanted.reading.step / 2.0 * 1.001);
    fractions.into_iter().any(|a| {
        [value - a.value, value + a.value].into_iter().any(|other| {
            let found = index.numbers(Dimension::Count, other - half, other + half);
            let has_cents = |b: f64| a.value.fract() > 0.0 || b.fract() > 0.0;
            let mut near = found.iter().take(MAX_PLACES);
            other > 0.0
                && near.any(|b| has_cents(b.value) && derived::is_pair(index, a, b, TABLE_WORDS))
        })
    })
}

static CLOCK_PARTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let hours = r"(\d+)\s*(?:h|hrs?|hours?|std|stunden?|heures?|horas?|ore|uur|godz)\.?";
    let minutes = r"(\d+)\s*(?:m|mins?|minutes?|minuten?|minutos?|minuti|minut)";
    let seconds = r"(\d+)\s*(?:s|secs?|seconds?|sek|sekunden?|segundos?|secondes?|secondi)\b";
    let and = r"\.?\s*(?:and |und |et |y |e )?";
    Regex::new(&format!(
        r"{hours}{and}{minutes}(?:\b|\d)(?:{and}{seconds})?|{minutes}{and}{seconds}"
    ))
    .ok()
});

/// Whether an amount of time is what the source writes in hours, minutes and seconds.
fn is_clock_time(index: &SourceIndex<'_>, wanted: &Amount) -> bool {
    let value = wanted.reading.value;
    if wanted.dimension != Dimension::Time || value < MINUTE {
        return false;
    }
    let whole = if value < HOUR { MINUTE } else { HOUR };
    let parts = index.numbers(Dimension::Time, value - whole, value + whole);
    parts.iter().take(MAX_PLACES).any(|number| {
        let line = index.line_at(number.place as usize, LINE_BYTES);
        let clocks = CLOCK_PARTS
            .iter()
            .flat_map(|clock| clock.captures_iter(line));
        clocks.into_iter().any(|groups| {
            let part = |number: usize| {
                let text = groups.get(number).map_or("", |group| group.as_str());
                text.parse::<f64>().unwrap_or_default()
            };
            let minutes = part(2) + part(4);
            let seconds = part(3) + part(5);
            let coarse = part(1) * HOUR + minutes * MINUTE;
            let fits = |time: f64| quantity::rounds_to(time, wanted.reading);
            fits(coarse + seconds) || part(1) > 0.0 && fits(coarse)
        })
    })
}

/// Seconds of a minute.
const MINUTE: f64 = 60.0;
/// Seconds of an hour.
const HOUR: f64 = 3_600.0;

/// Whether a percentage is the share of an amount of the line in a number that stands in one
/// line of the source with it.
fn is_share_of_known(index: &SourceIndex<'_>, wanted: &Amount, known: &[&Quantity]) -> bool {
    if wanted.dimension != Dimension::Percent {
        return false;
    }
    let telling = known
        .iter()
        .filter(|part| !part.units.is_empty() || part.numeral.digits > 3);
    let parts = telling.flat_map(|quantity| derived::amounts_of(quantity));
    let parts: Vec<Amount> = parts.filter(|part| part.reading.value > 0.0).collect();
    parts.into_iter().any(|part| {
        let value = part.reading.value;
        let half = part.reading.step * 1e-6;
        let places = index.numbers(part.dimension, value - half, value + half);
        places.iter().take(MAX_PLACES).any(|number| {
            let line = index.line_at(number.place as usize, LINE_BYTES);
            let found = written::quantities_in(line);
            let wholes = found.iter().take(MAX_LINE_NUMBERS);
            let mut wholes = wholes.flat_map(derived::amounts_of);
            wholes.any(|whole| {
                let of_all = whole.reading.value;
                whole.dimension == part.dimension
                    && of_all > value
                    && derived::is_exactly(value / of_all * 100.0, wanted.reading)
            })
        })
    })
}

/// The words after a number that can tell what it counts, in both numbers.
fn counted_words(reader: &LineReader<'_>, wanted: &Quantity) -> Vec<u64> {
    let after = reader.text().get(wanted.span.end..reader.line.body.end);
    let words = after
        .unwrap_or_default()
        .split(|c: char| !c.is_alphanumeric());
    let nouns = words.filter(|word| word.chars().count() > 2).take(2);
    let forms = nouns.map(folded_text).flat_map(|noun| {
        let others = tokens::other_number(&noun);
        std::iter::once(noun).chain(others)
    });
    forms
        .map(|form| word_hash(&form))
        .filter(|hash| reader.index.count(*hash) > 0)
        .collect()
}

/// The whole number at a place; `None` for words and for parts of longer numbers.
pub(super) fn number_at(index: &SourceIndex<'_>, place: usize) -> Option<f64> {
    let text = index.line_from(place);
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let rest = text.get(end..)?;
    let goes_on = rest.starts_with(['.', ',', '_']) && index.is_number(place + 1);
    text.get(..end)?.parse().ok().filter(|_| !goes_on)
}

fn whole_of(wanted: &Quantity) -> Option<f64> {
    let reading = wanted.readings().next()?;
    let is_bare = wanted.units.is_empty() && reading.step >= 1.0;
    (is_bare && reading.value >= 2.0).then_some(reading.value)
}

/// Whether a count is the sum of two counts of the same thing.
fn is_sum_of_counted(reader: &LineReader<'_>, wanted: &Quantity) -> bool {
    let Some(value) = whole_of(wanted) else {
        return false;
    };
    let index = reader.index;
    let mut values: Vec<f64> = Vec::new();
    for noun in counted_words(reader, wanted) {
        for place in index.places(noun).take(MAX_PLACES) {
            let beside = [place.checked_sub(1), place.checked_sub(2), Some(place + 1)];
            values.extend(
                beside
                    .into_iter()
                    .flatten()
                    .filter_map(|at| number_at(index, at)),
            );
        }
    }
    values.sort_by(f64::total_cmp);
    values.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    sums_to(&values, Reading { value, step: 1.0 })
}

/// Whether a small count is what is left of the thing's number without another one that
/// stands beside a word of the statement: 7 nodes of 46 where 39 were seen.
fn is_left_of_count(reader: &LineReader<'_>, wanted: &Quantity) -> bool {
    let Some(value) = whole_of(wanted) else {
        return false;
    };
    let index = reader.index;
    let nouns = counted_words(reader, wanted);
    let mut words = statement_words(reader, wanted);
    words.retain(|word| !nouns.contains(word));
    let beside = |place: usize, reach: usize| {
        let from = place.saturating_sub(reach.min(1));
        (from..=place + reach).filter_map(move |at| number_at(index, at))
    };
    nouns.iter().any(|noun| {
        index.places(*noun).take(MAX_PLACES).any(|place| {
            let text = |at: usize| index.text_at(at).map(|text| text.text.as_ptr());
            beside(place, 1).any(|whole| {
                words.iter().any(|word| {
                    let near = index.places(*word).take(MAX_PLACES);
                    let mut near = near
                        .filter(|at| at.abs_diff(place) <= TABLE_WORDS && text(*at) == text(place));
                    near.any(|at| {
                        beside(at, 3).any(|part| (whole - part - value).abs() < f64::EPSILON)
                    })
                })
            })
        })
    })
}

/// The telling words of what is said around a number.
fn statement_words(reader: &LineReader<'_>, wanted: &Quantity) -> Vec<u64> {
    derived::telling_words_within(reader, &wanted.span, STATEMENT_BYTES)
}

/// Whether a number of two digits and more stands beside words of its statement in the source,
/// whatever it counts there.
fn is_beside_its_statement(reader: &LineReader<'_>, wanted: &Quantity) -> bool {
    let Some(value) = whole_of(wanted).filter(|value| *value >= 10.0) else {
        return false;
    };
    let index = reader.index;
    let words = statement_words(reader, wanted);
    let mut tags: Vec<u32> = words.into_iter().map(tag_of).collect();
    // A long number needs fewer of them, in singular or plural.
    let needed = if value >= LONG { 1 } else { MIN_NEAR };
    if value >= LONG {
        tags.extend(other_forms(reader, wanted));
    }
    tags.sort_unstable();
    tags.dedup();
    let found = index.numbers(Dimension::Count, value - 1e-6, value + 1e-6);
    let mut bare = found
        .iter()
        .filter(|number| !number.has_unit)
        .take(MAX_PLACES);
    bare.any(|number| {
        let near = index.near(number.place as usize, NEAR_WORDS);
        let mut hits: Vec<u32> = near.filter(|tag| tags.binary_search(tag).is_ok()).collect();
        hits.sort_unstable();
        hits.dedup();
        hits.len() >= needed
    })
}

/// A number from here on stands beside few things.
const LONG: f64 = 100.0;

/// The words around a number in their other number.
fn other_forms(reader: &LineReader<'_>, wanted: &Quantity) -> Vec<u32> {
    let from = wanted.span.start.saturating_sub(STATEMENT_BYTES);
    let text = reader.text();
    let near = text.get(from.max(reader.line.body.start)..wanted.span.start);
    let words = near
        .unwrap_or_default()
        .split(|c: char| !c.is_alphanumeric());
    let long = words.filter(|word| word.chars().count() > 4);
    let forms = long.flat_map(|word| tokens::other_number(&folded_text(word)));
    forms.map(|form| tag_of(word_hash(&form))).collect()
}

/// Whether a number in words with its unit stands in the source in the same words: `half a day`.
fn is_said_in_words(reader: &LineReader<'_>, wanted: &Quantity) -> bool {
    let text = reader.text().get(wanted.span.clone()).unwrap_or_default();
    let is_in_words = text.starts_with(char::is_alphabetic) && !wanted.units.is_empty();
    is_in_words && tokens::loose(reader.index, text) != Finding::Nowhere
}

#[cfg(test)]
mod tests {
    use super::super::open;

    #[test]
    fn sums_shares_and_rests_follow_from_numbers_that_stand_apart() {
        let table = "cells 454.00\nCarriage 18.50\nVAT 94.50\nTotal GBP 567.00\n";
        assert!(open(table, "Net of VAT it comes to £472.50.").is_empty());
        assert_eq!(open(table, "Net of VAT it comes to £482.50."), ["£482.50"]);
        let gaps = "In GS18 fehlen 565,48 € von 31.482,60 €.\n\nIn AM05 fehlen 253,17 €.\n";
        assert!(open(gaps, "In GS18 und AM05 fehlen zusammen 818,65 €.").is_empty());
        assert_eq!(
            open(gaps, "In beiden fehlen zusammen 828,65 €."),
            ["828,65 €"]
        );
        assert!(open(gaps, "Es fehlen 565,48 €, knapp 1,8 % der Rechnung.").is_empty());
        assert_eq!(
            open(gaps, "Es fehlen 565,48 €, rund 2,8 % davon."),
            ["2,8 %"]
        );
        let fleet = r#"{"nodes":46,"seen_last_24h":39}"#;
        assert!(open(fleet, "Seven nodes were not seen.").is_empty());
    }

    #[test]
    fn times_in_words_round_what_a_clock_says() {
        let source = "Duration    : 2h 41m 8s\nPiet needs half a day to redo it.\n";
        assert!(open(source, "The run took a bit more than two and a half hours.").is_empty());
        assert!(open(source, "Piet needs half a day.").is_empty());
        let dry = "Duración: 3 min 42 s. Modo dry-run";
        assert!(open(dry, "El cálculo duró 222 segundos.").is_empty());
        assert_eq!(open(dry, "El cálculo duró 242 segundos."), ["242 segundos"]);
        let wrong = open(source, "The run took four and a half hours.");
        assert_eq!(wrong, ["four and a half hours"]);
    }

    #[test]
    fn columns_with_commas_are_read_as_numbers_of_their_own() {
        let source = "Type,Filter,Recall,Precision\nSNP,PASS,0.9931,0.9978\n";
        assert!(open(source, "SNP recall 99.3 %, precision 99.8 %.").is_empty());
        assert_eq!(open(source, "SNP recall 98.7 %."), ["98.7 %"]);
    }
}
