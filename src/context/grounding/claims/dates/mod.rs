//! Dates, times and days of the week.

mod names;
mod weekdays;

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::{FoldedLine, WordGap, folded_text, word_hash};
use crate::context::grounding::index::{SourceIndex, tag_of};

use super::reader::{Finding, LineReader};
use super::tokens;
use names::{MONTHS, WEEKDAYS};

/// Written forms of dates: pattern, and the groups of year, month and day.
const FORMS: [(&str, [usize; 3]); 6] = [
    (r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:\b|t)", [1, 2, 3]),
    (r"\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})\b", [3, 2, 1]),
    (r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b", [3, 1, 2]),
    (
        r"(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]",
        [1, 2, 3],
    ),
    (
        r"\b(\d{1,2})(?:st|nd|rd|th|er|º|\.)?\s+(?:de\s+|of\s+)?(MONTH)\b\.?(?:,?\s+(?:de\s+)?(\d{4})\b)?",
        [3, 2, 1],
    ),
    (
        r"\b(MONTH)\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4})\b)?",
        [3, 1, 2],
    ),
];

static DATES: LazyLock<Vec<(Regex, [usize; 3])>> = LazyLock::new(|| {
    let mut names: Vec<&str> = MONTH_NAMES.iter().flatten().map(String::as_str).collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    let months = names.join("|");
    FORMS
        .iter()
        .filter_map(|(form, groups)| {
            Some((Regex::new(&form.replace("MONTH", &months)).ok()?, *groups))
        })
        .collect()
});
static CLOCK: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b(\d{1,2}):(\d{2})(?::(\d{2}))?\b").ok());
/// The names of each month, folded.
static MONTH_NAMES: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let fold = |names: &&[&str]| names.iter().map(|name| folded_text(name)).collect();
    MONTHS.iter().map(fold).collect()
});
static WEEKDAY_NAMES: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let fold = |names: &&[&str]| names.iter().map(|name| folded_text(name)).collect();
    WEEKDAYS.iter().map(fold).collect()
});

/// A date, with a year where one is written.
#[derive(Clone, Copy, Debug)]
struct CalendarDate {
    year: Option<u32>,
    month: u32,
    day: u32,
}

pub(super) fn read(reader: &mut LineReader<'_>) {
    let folded = FoldedLine::of(reader.text());
    for (pattern, groups) in DATES.iter() {
        for found in pattern.captures_iter(&folded.text) {
            let Some((whole, date)) = found.get(0).zip(date_of(&found, *groups)) else {
                continue;
            };
            let span = folded.original(whole.range());
            if counts_behind_a_month(&folded.text, whole.end()) {
                continue;
            }
            if !reader.is_taken(&span) && reader.line.body.contains(&span.start) {
                let before = folded.text.get(..whole.start()).unwrap_or_default();
                let finding = said(reader.index, date)
                    .or_else(|| weekdays::by_its_weekday(reader.index, before, date));
                reader.claim(span, ClaimClass::Date, finding);
            }
        }
    }
    clock_times(reader);
    weekdays::read(reader, &folded);
    months(reader, &folded);
}

/// `September 1,204`: the number goes on, so it counts something of that month.
fn counts_behind_a_month(text: &str, end: usize) -> bool {
    let mut rest = text.get(end..).unwrap_or_default().chars();
    rest.next() == Some(',') && rest.next().is_some_and(|c| c.is_ascii_digit())
}

fn date_of(found: &Captures<'_>, groups: [usize; 3]) -> Option<CalendarDate> {
    let group = |number: usize| found.get(number).map(|group| group.as_str());
    let month = group(groups[1])?;
    let number = month.parse().ok().or_else(|| {
        let is_named = |names: &Vec<String>| names.iter().any(|name| name == month);
        let at = MONTH_NAMES.iter().position(is_named)?;
        u32::try_from(at + 1).ok()
    })?;
    let mut date = CalendarDate {
        year: group(groups[0]).and_then(|year| year.parse().ok()),
        month: number,
        day: group(groups[2])?.parse().ok()?,
    };
    if date.month > 12 && date.day <= 12 {
        std::mem::swap(&mut date.month, &mut date.day);
    }
    ((1..=12).contains(&date.month) && (1..=31).contains(&date.day)).then_some(date)
}

/// Spellings of a number of a date.
fn spellings(number: u32) -> Vec<String> {
    let mut out = vec![number.to_string(), format!("{number:02}")];
    out.extend(["st", "nd", "rd", "th"].map(|ending| format!("{number}{ending}")));
    out.extend((0..24).map(|hour| format!("{number:02}t{hour:02}")));
    out
}

fn tags(words: &[String]) -> Vec<u32> {
    let mut out: Vec<u32> = words.iter().map(|word| tag_of(word_hash(word))).collect();
    out.sort_unstable();
    out
}

/// Words between the parts of a date.
const DATE_REACH: usize = 5;

fn said(index: &SourceIndex<'_>, date: CalendarDate) -> Finding {
    let days = tags(&spellings(date.day));
    let months = month_words(date.month);
    let month_tags = tags(&months);
    if let Some(year) = date.year {
        let compact = format!("{year}{:02}{:02}", date.month, date.day);
        let mut places = index.places(word_hash(&year.to_string()));
        let place = places.find(|place| {
            index.is_near(*place, DATE_REACH, &days)
                && index.is_near(*place, DATE_REACH, &month_tags)
        });
        return Finding::of(place.or_else(|| index.place_of(&compact)));
    }
    stands_beside(index, &months, &days, 2)
}

/// Where a month stands with a day at most so many words from it.
fn stands_beside(
    index: &SourceIndex<'_>,
    months: &[String],
    days: &[u32],
    reach: usize,
) -> Finding {
    let near_day = months.iter().find_map(|month| {
        index
            .places(word_hash(month))
            .find(|place| index.is_near(*place, reach, days))
    });
    Finding::of(near_day)
}

/// The spellings of a month.
fn month_words(month: u32) -> Vec<String> {
    let names = month_names(month).iter().cloned();
    spellings(month).into_iter().chain(names).collect()
}

/// The names of a month, folded.
fn month_names(month: u32) -> &'static [String] {
    let at = usize::try_from(month).ok().and_then(|at| at.checked_sub(1));
    let names = at.and_then(|at| MONTH_NAMES.get(at));
    names.map_or(&[], Vec::as_slice)
}

fn clock_times(reader: &mut LineReader<'_>) {
    let Some(pattern) = CLOCK.as_ref() else {
        return;
    };
    let base = reader.line.body.start;
    let body = reader.body();
    for found in pattern.find_iter(body) {
        let span = base + found.start()..base + found.end();
        if reader.is_taken(&span) {
            continue;
        }
        let words = tokens::hashes(found.as_str());
        let joins = |_: usize, gap: WordGap| matches!(gap, WordGap::Colon);
        let index = reader.index;
        let trimmed = found.as_str().trim_start_matches('0');
        let place = index
            .find(&words, &joins, &|_| true)
            .or_else(|| index.find(&tokens::hashes(trimmed), &joins, &|_| true))
            .or_else(|| index.find(&tokens::hashes(&format!("0{trimmed}")), &joins, &|_| true))
            .or_else(|| {
                // `2026-03-14T02:00`: the hour is a word with the day.
                let minutes = words.get(1..)?;
                let joined = |place: usize| {
                    let line = index.line_at(place, CLOCK_BYTES);
                    line.contains(&format!("T{}", found.as_str()))
                };
                index.find(minutes, &joins, &joined)
            });
        reader.claim(span, ClaimClass::Date, Finding::of(place));
    }
}

/// Bytes around a time of day in which the whole time stands.
const CLOCK_BYTES: usize = 40;

/// A month without a day: marked where the source has it in no form.
fn months(reader: &mut LineReader<'_>, folded: &FoldedLine) {
    /// Names that mean something else as well, folded.
    const DOUBTFUL: [&str; 2] = ["march", "augustus"];
    const MIN_CHARS: usize = 5;
    for month in 1..=12 {
        let is_plain = |name: &&String| {
            name.chars().count() >= MIN_CHARS && !DOUBTFUL.contains(&name.as_str())
        };
        for name in month_names(month).iter().filter(is_plain) {
            for (at, _) in folded.text.match_indices(name.as_str()) {
                let span = folded.original(at..at + name.len());
                let is_whole = is_word(&folded.text, at, name.len());
                let is_open = !reader.is_taken(&span) && !reader.is_in_code(span.start);
                let is_own = reader.line.body.contains(&span.start);
                if is_whole && is_open && is_own && !is_month_said(reader.index, month) {
                    reader.claim(span, ClaimClass::Date, Finding::Nowhere);
                }
            }
        }
    }
}

/// Whether a source names a month, or has it behind a year.
fn is_month_said(index: &SourceIndex<'_>, month: u32) -> bool {
    let mut names = month_names(month).iter();
    if names.any(|name| index.place_of(name).is_some()) {
        return true;
    }
    let numbers = tags(&spellings(month));
    let mut years = weekdays::YEARS.filter(|year| index.count(word_hash(&year.to_string())) > 0);
    years.any(|year| {
        let mut places = index.places(word_hash(&year.to_string()));
        places.any(|place| index.is_near(place, 2, &numbers))
    })
}

fn is_word(text: &str, at: usize, len: usize) -> bool {
    let before = text.get(..at).and_then(|t| t.chars().next_back());
    let after = text.get(at + len..).and_then(|t| t.chars().next());
    !before.is_some_and(char::is_alphanumeric)
        && (!after.is_some_and(char::is_alphanumeric) || after == Some('s'))
}

#[cfg(test)]
mod tests {
    use crate::context::grounding::{GroundingSources, check};

    #[test]
    fn a_number_behind_a_month_is_no_day() {
        let sources = GroundingSources {
            texts: &["2024-09 1204\n2024-10 21873"],
            ..GroundingSources::default()
        };
        let grounding = check(
            "- Monthly count: September 1,204, October 21,873\n",
            sources,
        );
        let open: Vec<&str> = grounding.ungrounded().map(|it| it.text.as_str()).collect();
        assert_eq!(open, [""; 0]);
    }
}
