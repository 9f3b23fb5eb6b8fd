//! Dates, times and days of the week.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::{FoldedLine, WordGap, folded_text, word_hash};
use crate::context::grounding::index::{SourceIndex, tag_of};

use super::calendar;
use super::reader::{Finding, LineReader};
use super::tokens;

/// Names of the months in the thirteen languages that name them.
const MONTHS: [&[&str]; 12] = [
    &[
        "january",
        "jan",
        "januar",
        "janvier",
        "enero",
        "janeiro",
        "gennaio",
        "januari",
        "stycznia",
        "styczeń",
        "января",
        "январь",
        "ocak",
    ],
    &[
        "february",
        "feb",
        "februar",
        "février",
        "febrero",
        "fevereiro",
        "febbraio",
        "februari",
        "lutego",
        "luty",
        "февраля",
        "февраль",
        "şubat",
    ],
    &[
        "march",
        "mar",
        "märz",
        "mars",
        "marzo",
        "março",
        "maart",
        "marca",
        "marzec",
        "марта",
        "март",
        "mart",
    ],
    &[
        "april",
        "apr",
        "avril",
        "abril",
        "aprile",
        "kwietnia",
        "kwiecień",
        "апреля",
        "апрель",
        "nisan",
    ],
    &[
        "may", "mai", "mayo", "maio", "maggio", "mei", "maja", "maj", "мая", "май", "mayıs",
    ],
    &[
        "june", "jun", "juni", "juin", "junio", "junho", "giugno", "czerwca", "czerwiec", "июня",
        "июнь", "haziran",
    ],
    &[
        "july", "jul", "juli", "juillet", "julio", "julho", "luglio", "lipca", "lipiec", "июля",
        "июль", "temmuz",
    ],
    &[
        "august",
        "aug",
        "août",
        "agosto",
        "augustus",
        "sierpnia",
        "sierpień",
        "августа",
        "август",
        "ağustos",
    ],
    &[
        "september",
        "sep",
        "sept",
        "septembre",
        "septiembre",
        "setembro",
        "settembre",
        "września",
        "wrzesień",
        "сентября",
        "сентябрь",
        "eylül",
    ],
    &[
        "october",
        "oct",
        "oktober",
        "okt",
        "octobre",
        "octubre",
        "outubro",
        "ottobre",
        "października",
        "październik",
        "октября",
        "октябрь",
        "ekim",
    ],
    &[
        "november",
        "nov",
        "novembre",
        "noviembre",
        "novembro",
        "listopada",
        "listopad",
        "ноября",
        "ноябрь",
        "kasım",
    ],
    &[
        "december",
        "dec",
        "dezember",
        "dez",
        "décembre",
        "diciembre",
        "dezembro",
        "dicembre",
        "grudnia",
        "grudzień",
        "декабря",
        "декабрь",
        "aralık",
    ],
];

/// Names of the days of the week that mean nothing else.
const WEEKDAYS: [&[&str]; 7] = [
    &[
        "monday",
        "montag",
        "montags",
        "lundi",
        "lunes",
        "segunda feira",
        "lunedì",
        "maandag",
        "poniedziałek",
        "понедельник",
        "pazartesi",
        "周一",
        "星期一",
        "月曜",
        "월요일",
    ],
    &[
        "tuesday",
        "dienstag",
        "dienstags",
        "mardi",
        "martes",
        "terça feira",
        "martedì",
        "dinsdag",
        "wtorek",
        "вторник",
        "周二",
        "星期二",
        "火曜",
        "화요일",
    ],
    &[
        "wednesday",
        "mittwoch",
        "mittwochs",
        "mercredi",
        "miércoles",
        "quarta feira",
        "mercoledì",
        "woensdag",
        "środa",
        "środę",
        "среду",
        "çarşamba",
        "周三",
        "星期三",
        "水曜",
        "수요일",
    ],
    &[
        "thursday",
        "donnerstag",
        "donnerstags",
        "jeudi",
        "jueves",
        "quinta feira",
        "giovedì",
        "donderdag",
        "czwartek",
        "четверг",
        "perşembe",
        "周四",
        "星期四",
        "木曜",
        "목요일",
    ],
    &[
        "friday",
        "freitag",
        "freitags",
        "vendredi",
        "viernes",
        "sexta feira",
        "venerdì",
        "vrijdag",
        "piątek",
        "пятница",
        "пятницу",
        "周五",
        "星期五",
        "金曜",
        "금요일",
    ],
    &[
        "saturday",
        "samstag",
        "sonnabend",
        "samedi",
        "sábado",
        "sabato",
        "zaterdag",
        "sobota",
        "sobotę",
        "суббота",
        "субботу",
        "cumartesi",
        "周六",
        "星期六",
        "土曜",
        "토요일",
    ],
    &[
        "sunday",
        "sonntag",
        "sonntags",
        "dimanche",
        "domingo",
        "domenica",
        "zondag",
        "niedziela",
        "niedzielę",
        "воскресенье",
        "周日",
        "星期日",
        "日曜",
        "일요일",
    ],
];

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
    let mut names: Vec<String> = MONTHS
        .iter()
        .flat_map(|names| names.iter())
        .map(|n| folded_text(n))
        .collect();
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
            if !reader.is_taken(&span) && reader.line.body.contains(&span.start) {
                let before = folded.text.get(..whole.start()).unwrap_or_default();
                let finding =
                    said(reader.index, date).or_else(|| by_its_weekday(reader.index, before, date));
                reader.claim(span, ClaimClass::Date, finding);
            }
        }
    }
    clock_times(reader);
    weekdays(reader, &folded);
}

fn date_of(found: &Captures<'_>, groups: [usize; 3]) -> Option<CalendarDate> {
    let group = |number: usize| found.get(number).map(|group| group.as_str());
    let month = group(groups[1])?;
    let number = month.parse().ok().or_else(|| {
        let at = MONTHS
            .iter()
            .position(|names| names.iter().any(|name| folded_text(name) == month))?;
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
    let at = usize::try_from(month).ok().and_then(|at| at.checked_sub(1));
    let names = at.and_then(|at| MONTHS.get(at)).into_iter();
    let folded = names.flat_map(|names| names.iter().map(|name| folded_text(name)));
    spellings(month).into_iter().chain(folded).collect()
}

/// `Monday, 19 January`: a day that the source names by its weekday and that comes less than
/// a week before or after a date of it.
fn by_its_weekday(index: &SourceIndex<'_>, before: &str, date: CalendarDate) -> Finding {
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
    let is_written = |year: u32| index.count(word_hash(&year.to_string())) > 0;
    // Of a talk around the new year, only the old one may be written.
    let known = |year: &u32| is_written(*year) || is_written(*year - 1);
    let years: Vec<u32> = match date.year {
        Some(year) => vec![year],
        None => YEARS.filter(known).collect(),
    };
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
        // The same day of another week is the one that the source means.
        if is_said(-7, 1).or_else(|| is_said(7, 1)).is_some() {
            return best;
        }
        let mut near = (1..=6).flat_map(|days| [-days, days]);
        near.find_map(|days| is_said(days, 2)).unwrap_or(best)
    })
}

/// Years that a source can be of.
const YEARS: std::ops::RangeInclusive<u32> = 2_000..=2_050;

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

fn weekdays(reader: &mut LineReader<'_>, folded: &FoldedLine) {
    for names in WEEKDAY_NAMES.iter() {
        for name in names {
            for (at, _) in folded.text.match_indices(name.as_str()) {
                let span = folded.original(at..at + name.len());
                let is_whole = name
                    .chars()
                    .next()
                    .is_some_and(crate::context::identifiers::is_unspaced)
                    || is_word(&folded.text, at, name.len());
                if is_whole && !reader.is_taken(&span) && reader.line.body.contains(&span.start) {
                    let finding = weekday_said(reader.index, names);
                    reader.claim(span, ClaimClass::Date, finding);
                }
            }
        }
    }
}

fn is_word(text: &str, at: usize, len: usize) -> bool {
    let before = text.get(..at).and_then(|t| t.chars().next_back());
    let after = text.get(at + len..).and_then(|t| t.chars().next());
    !before.is_some_and(char::is_alphanumeric)
        && (!after.is_some_and(char::is_alphanumeric) || after == Some('s'))
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
}
