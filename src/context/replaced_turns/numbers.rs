//! The numbers that a person typed: a limit, a size, a count. A single digit counts little and is
//! not looked for.

use std::collections::HashSet;

use super::{LostKind, LostText, MAX_NAMED, READ_CHARS, TurnAsk, without_identifiers};
use crate::context::redact;
use crate::context::summary::excerpt;

/// Fewest digits of a number that is looked for.
const MIN_DIGITS: usize = 2;

/// The numbers that the kept texts say.
pub(super) struct KeptNumbers(HashSet<String>);

impl KeptNumbers {
    pub(super) fn of(texts: &[String]) -> Self {
        let said = texts.iter().flat_map(|text| numbers(text));
        let mut kept = HashSet::new();
        for number in said {
            // `14:05:33` has `14:05` in it, `8080:80` a port.
            let marks = number.digits.match_indices(':').map(|(at, _)| at);
            let ends = marks.chain([number.digits.len()]);
            kept.extend(ends.filter_map(|end| number.digits.get(..end)).map(plain));
        }
        Self(kept)
    }
}

/// A number in a text.
struct TypedNumber<'a> {
    digits: &'a str,
    /// With the unit behind it.
    words: &'a str,
}

/// Of the numbers of an ask, those that the kept texts do not say.
pub(super) fn lost_numbers(ask: &TurnAsk, kept: &KeptNumbers) -> Vec<LostText> {
    let text = redact::redact(excerpt::head(&ask.text, READ_CHARS)).into_owned();
    let bare = without_identifiers(&text);
    let mut lost: Vec<LostText> = Vec::new();
    for number in numbers(&bare) {
        let is_new = !lost.iter().any(|known| known.text == number.words);
        if is_new && lost.len() < MAX_NAMED && !kept.0.contains(&plain(number.digits)) {
            lost.push(LostText {
                kind: LostKind::Number,
                text: number.words.to_owned(),
                entry: ask.entry.clone(),
            });
        }
    }
    lost
}

/// Numbers that stand by themselves, or with letters behind them: `90`, `1,204`, `4.6`, `90s`,
/// `02:30`.
fn numbers(text: &str) -> Vec<TypedNumber<'_>> {
    let is_digit = |c: char| c.is_ascii_digit();
    let mut out = Vec::new();
    let mut from = 0;
    while let Some(found) = text.get(from..).and_then(|rest| rest.find(is_digit)) {
        let start = from + found;
        let rest = text.get(start..).unwrap_or_default();
        let in_number = |c: char| is_digit(c) || matches!(c, '.' | ',' | ':');
        let run = rest.find(|c| !in_number(c)).unwrap_or(rest.len());
        let digits = rest
            .get(..run)
            .unwrap_or_default()
            .trim_end_matches(['.', ',', ':']);
        from = start + run.max(1);
        let before = text.get(..start).and_then(|head| head.chars().next_back());
        let is_glued = before.is_some_and(|c| c.is_alphanumeric() || "_-#/.:@".contains(c));
        if is_glued || digits.bytes().filter(u8::is_ascii_digit).count() < MIN_DIGITS {
            continue;
        }
        let behind = rest.get(digits.len()..).unwrap_or_default();
        let unit = unit_len(behind);
        out.push(TypedNumber {
            digits,
            words: rest.get(..digits.len() + unit).unwrap_or(digits),
        });
    }
    out
}

/// Length of the unit at the start of what is behind a number, with the space before it.
fn unit_len(behind: &str) -> usize {
    const MAX_UNIT_CHARS: usize = 12;
    let word = behind.strip_prefix(' ').unwrap_or(behind);
    let space = behind.len() - word.len();
    let is_unit = |c: char| c.is_alphabetic() || c == '%';
    let unit = word.find(|c| !is_unit(c)).unwrap_or(word.len());
    let is_short = word
        .get(..unit)
        .is_some_and(|it| it.chars().count() <= MAX_UNIT_CHARS);
    if unit > 0 && is_short {
        space + unit
    } else {
        0
    }
}

/// A number without the commas of its thousands.
fn plain(digits: &str) -> String {
    digits.replace(',', "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::EntryId;

    fn lost(ask: &str, kept: &str) -> Vec<String> {
        let ask = TurnAsk {
            entry: EntryId::new("a"),
            text: ask.to_owned(),
        };
        let kept = KeptNumbers::of(&[kept.to_owned()]);
        let lost = lost_numbers(&ask, &kept).into_iter();
        lost.map(|it| it.text).collect()
    }

    #[test]
    fn numbers_that_were_typed_and_are_not_said_any_more_are_lost() {
        let ask = "raise the timeout from 30 s to 90 s, 1,204 rows, below 80 characters, 2 tries";
        assert_eq!(
            lost(ask, "the timeout was raised to 90s"),
            ["30 s", "1,204 rows", "80 characters"]
        );
        assert_eq!(lost(ask, "30 s, 90 s, 1204 rows and 80."), [""; 0]);
    }

    #[test]
    fn a_time_of_day_is_lost_as_a_whole() {
        let ask = "the job runs at 02:30: not at 14:05, nor at 7:15";
        assert_eq!(lost(ask, "it runs at 14:05 or 02:45"), ["02:30", "7:15"]);
        assert_eq!(lost("at 14:05 on 8080", "14:05:33, 8080:80"), [""; 0]);
    }

    #[test]
    fn digits_of_names_are_no_numbers() {
        let ask = "see ENT-222, PR #48212, src/a.rs:42, 10.0.0.12:5432, utf-8, v1.25.3 and db77";
        assert_eq!(lost(ask, ""), [""; 0]);
    }

    proptest::proptest! {
        #[test]
        fn what_is_kept_whole_loses_no_number(text in "\\PC{0,80}") {
            proptest::prop_assert_eq!(lost(&text, &text).len(), 0);
        }
    }
}
