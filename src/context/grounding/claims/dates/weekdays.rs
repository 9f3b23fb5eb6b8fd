//! Days of the week: said in the source, or told by a date that is.

use std::ops::Range;

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::{FoldedLine, word_hash};
use crate::context::grounding::index::SourceIndex;

use super::super::reader::{Finding, LineReader};
use super::super::{calendar, tokens};
use super::{
    CalendarDate, DATES, WEEKDAY_NAMES, date_of, is_word, month_words, said, spellings,
    stands_beside, tags,
};

/// `Monday, 19 January`: a day that the source names by its weekday and that comes less than
/// a week before or after a date of it.
pub(super) fn by_its_weekday(index: &SourceIndex<'_>, before: &str, date: CalendarDate) -> Finding {
    let mut words = before.rsplit(|c: char| !c.is_alphanumeric());
    let last = words.find(|word| !word.is_empty()).unwrap_or_default();
    let is_named = |names: &Vec<String>| names.iter().any(|name| name == last);
    let Some(of_week) = WEEKDAY_NAMES.iter().position(is_named) else {
        return Finding::Nowhere;
    };
    let named = WEEKDAY_NAMES.get(of_week).map_or(&[][..], Vec::as_slice);
    if weekday_said(index, named) == Finding::Nowhere {
        return Finding::Nowhere;
    }
    let years = years_of(index, date);
    years.into_iter().fold(Finding::Nowhere, |best, year| {
        let number = calendar::day_number(year, date.month, date.day);
        if best != Finding::Nowhere || calendar::weekday(number) != of_week {
            return best;
        }
        let is_said = |days: i64, reach: usize| {
            let (month, day) = calendar::month_and_day(number + days)?;
            let day = tags(&spellings(day));
            let found = stands_beside(index, &month_words(month), &day, reach);
            (found != Finding::Nowhere).then_some(found)
        };
        // The same day of another week is the one that the source means, unless it is over.
        let is_over = || (-6..=-1).any(|days| is_said(days, 2).is_some());
        if is_said(7, 1).is_some() || is_said(-7, 1).is_some() && !is_over() {
            return best;
        }
        let mut near = (1..=6).flat_map(|days| [-days, days]);
        near.find_map(|days| is_said(days, 2)).unwrap_or(best)
    })
}

/// Years that a source can be of.
pub(super) const YEARS: std::ops::RangeInclusive<u32> = 2_000..=2_050;

pub(super) fn read(reader: &mut LineReader<'_>, folded: &FoldedLine) {
    for (of_week, names) in WEEKDAY_NAMES.iter().enumerate() {
        for name in names {
            for (at, _) in folded.text.match_indices(name.as_str()) {
                let span = folded.original(at..at + name.len());
                let is_whole = name
                    .chars()
                    .next()
                    .is_some_and(crate::context::identifiers::is_unspaced)
                    || is_word(&folded.text, at, name.len());
                if is_whole && !reader.is_taken(&span) && reader.line.body.contains(&span.start) {
                    let place = at..at + name.len();
                    let finding = weekday_said(reader.index, names)
                        .or_else(|| by_its_date(reader.index, &folded.text, &place, of_week));
                    reader.claim(span, ClaimClass::Date, finding);
                }
            }
        }
    }
}

/// `Friday, 7 November 2025`: a date of the source is of that day of the week.
fn by_its_date(
    index: &SourceIndex<'_>,
    text: &str,
    weekday: &Range<usize>,
    of_week: usize,
) -> Finding {
    let is_beside = |date: &Range<usize>| {
        let between = text.get(weekday.end..date.start);
        let between = between.or_else(|| text.get(date.end..weekday.start));
        between.is_some_and(|it| {
            it.len() <= MAX_BESIDE && !it.contains(|c: char| c.is_ascii_digit() || c == ';')
        })
    };
    let found = DATES.iter().flat_map(|(pattern, groups)| {
        let all = pattern.captures_iter(text);
        all.filter_map(|found| Some((found.get(0)?.range(), date_of(&found, *groups)?)))
    });
    let date = found.into_iter().find(|(range, _)| is_beside(range));
    let Some((_, date)) = date else {
        return Finding::Nowhere;
    };
    let is_of_week = |year: u32| {
        let number = calendar::day_number(year, date.month, date.day);
        calendar::weekday(number) == of_week
    };
    if years_of(index, date).into_iter().any(is_of_week) {
        said(index, date)
    } else {
        Finding::Nowhere
    }
}

/// Bytes between a day of the week and its date.
const MAX_BESIDE: usize = 6;

/// The years that a date can be of.
fn years_of(index: &SourceIndex<'_>, date: CalendarDate) -> Vec<u32> {
    let is_written = |year: u32| index.count(word_hash(&year.to_string())) > 0;
    // Of a talk around the new year, only the old one may be written.
    let known = |year: &u32| is_written(*year) || is_written(*year - 1);
    match date.year {
        Some(year) => vec![year],
        None => YEARS.filter(known).collect(),
    }
}

fn weekday_said(index: &SourceIndex<'_>, names: &[String]) -> Finding {
    let places = names.iter().filter_map(|name| {
        let words = tokens::hashes(name);
        index
            .find(&words, &|_, gap| gap.joins(), &|_| true)
            .or_else(|| index.place_of(&format!("{name}s")))
    });
    let short = names
        .first()
        .and_then(|name| index.place_of(name.get(..3)?));
    Finding::of(places.max().or(short))
}

#[cfg(test)]
mod tests {
    use crate::context::grounding::{GroundingSources, check};

    #[test]
    fn a_named_day_of_the_week_gives_its_date_and_not_that_of_another_week() {
        let source = "Jan 15 2026: canary tonight, the other three on Monday.\n";
        for (sentence, expected) in [
            ("The others follow on Monday, 19 January.", vec![]),
            (
                "The others follow on Monday, 26 January.",
                vec!["26 January."],
            ),
            (
                "The others follow on Monday, 20 January.",
                vec!["20 January."],
            ),
        ] {
            let sources = GroundingSources {
                texts: &[source],
                ..GroundingSources::default()
            };
            let grounding = check(&format!("- {sentence}\n"), sources);
            let open = grounding.ungrounded().map(|claim| claim.text.as_str());
            assert_eq!(open.collect::<Vec<_>>(), expected, "{sentence}");
        }
    }

    #[test]
    fn a_date_gives_its_day_of_the_week_and_no_other() {
        let open = |sentence: &str| {
            let sources = GroundingSources {
                texts: &["lock: created 2025-11-07 15:22:09 UTC, token expired on 20 October"],
                ..GroundingSources::default()
            };
            let grounding = check(&format!("- {sentence}\n"), sources);
            let open = grounding.ungrounded().map(|claim| claim.text.clone());
            open.collect::<Vec<_>>()
        };
        for sentence in [
            "The lock is of Friday, 7 November 2025.",
            "The lock is of 2025-11-07 (Friday).",
            "The token expired on Monday 20 October.",
        ] {
            assert_eq!(open(sentence), [""; 0], "{sentence}");
        }
        assert_eq!(open("The lock is of Thursday, 7 November."), ["Thursday"]);
        assert_eq!(open("It comes on Friday."), ["Friday"]);
    }
}
