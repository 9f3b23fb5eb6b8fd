//! Numbers that are written in words: `fifty-nine`, `neunundfünfzig`, `half a`, `two and a
//! half`.

use crate::context::grounding::fold::folded_text;
use crate::context::grounding::languages::Lexicon;
use crate::context::grounding::quantity::Reading;

/// Words of a text that can belong to one number.
const MAX_WORDS: usize = 5;

/// A number in words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SpokenNumber {
    /// Its value; of a fraction, half of a whole is the step.
    pub reading: Reading,
    /// The byte after its last word.
    pub end: usize,
    /// It tells something only before a unit.
    pub is_fraction: bool,
}

/// The number that the first words of a text say.
pub(super) fn spoken(text: &str, lexicon: &Lexicon) -> Option<SpokenNumber> {
    let words = first_words(text);
    let fraction = |value: f64, end: usize| SpokenNumber {
        reading: Reading { value, step: 0.5 },
        end,
        is_fraction: true,
    };
    if let Some((value, end)) = longest_fraction(&words, "", lexicon) {
        return Some(fraction(value, end));
    }
    let (whole, count) = whole_of(&words, lexicon)?;
    let rest = words.get(count..).unwrap_or_default();
    if let Some((part, end)) = longest_fraction(rest, "+", lexicon) {
        return Some(fraction(f64::from(whole) + part, end));
    }
    let (_, end) = words.get(count.checked_sub(1)?)?;
    Some(SpokenNumber {
        reading: Reading {
            value: f64::from(whole),
            step: 1.0,
        },
        end: *end,
        is_fraction: false,
    })
}

/// The first words of a text, folded, each with its end: joined by a space or a hyphen.
fn first_words(text: &str) -> Vec<(String, usize)> {
    let mut out = Vec::new();
    let mut at = 0;
    while out.len() < MAX_WORDS {
        let rest = text.get(at..).unwrap_or_default();
        let len = rest
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(rest.len());
        if len == 0 {
            break;
        }
        out.push((folded_text(rest.get(..len).unwrap_or_default()), at + len));
        if !rest.get(len..).unwrap_or_default().starts_with([' ', '-']) {
            break;
        }
        at += len + 1;
    }
    out
}

fn longest_fraction(
    words: &[(String, usize)],
    mark: &str,
    lexicon: &Lexicon,
) -> Option<(f64, usize)> {
    (1..=words.len()).rev().find_map(|count| {
        let said = words.get(..count)?;
        let texts: Vec<&str> = said.iter().map(|(word, _)| word.as_str()).collect();
        let value = lexicon.fraction(&format!("{mark}{}", texts.join(" ")))?;
        Some((value, said.last()?.1))
    })
}

/// Words between tens and ones, folded.
const JOINERS: [&str; 7] = ["and", "y", "e", "et", "en", "i", "und"];

/// A whole number in words, and how many words say it.
fn whole_of(words: &[(String, usize)], lexicon: &Lexicon) -> Option<(u32, usize)> {
    let word = |at: usize| words.get(at).map(|(word, _)| word.as_str());
    let number = |at: usize| word(at).and_then(|word| number_of(word, lexicon));
    let joins = |at: usize| word(at).is_some_and(|word| JOINERS.contains(&word));
    let first = number(0)?;
    // `quatre-vingt-sept`, `soixante-douze`.
    let is_score = word(0) == Some("quatre") && word(1).is_some_and(|w| w.starts_with("vingt"));
    let (tens, count) = if is_score { (80, 2) } else { (first, 1) };
    if number(count) == Some(100) && tens < 10 {
        let from = if joins(count + 1) {
            count + 2
        } else {
            count + 1
        };
        let rest = whole_of(words.get(from..).unwrap_or_default(), lexicon);
        return Some(match rest.filter(|(rest, _)| *rest < 100) {
            Some((rest, more)) => (tens * 100 + rest, from + more),
            None => (tens * 100, count + 1),
        });
    }
    let is_tens = (20..100).contains(&tens) && tens.is_multiple_of(10);
    let most = if word(0) == Some("soixante") || is_score {
        20
    } else {
        10
    };
    let from = if joins(count) { count + 1 } else { count };
    let ones = number(from).or_else(|| (word(from) == Some("un")).then_some(1));
    match ones.filter(|ones| is_tens && *ones < most) {
        Some(ones) => Some((tens + ones, from + 1)),
        None => Some((tens, count)),
    }
}

/// The value of one word: of the table, or of one and tens in one word.
fn number_of(word: &str, lexicon: &Lexicon) -> Option<u32> {
    let ones = |word: &str| match word {
        "ein" | "een" => Some(1),
        _ => lexicon.number(word).filter(|value| *value < 10),
    };
    let tens = |word: &str| lexicon.number(word).filter(|value| *value >= 20);
    let joined = |link: &str| {
        let mut places = word.match_indices(link);
        places.find_map(|(at, _)| {
            let first = ones(word.get(..at)?)?;
            Some(first + tens(word.get(at + link.len()..)?)?)
        })
    };
    (lexicon.number(word))
        .or_else(|| joined("und"))
        .or_else(|| joined("en"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::grounding::languages;

    #[test]
    fn numbers_in_words_have_the_value_that_a_reader_gives_them() {
        for (language, text, value) in [
            (0, "Fifty-nine test cases", 59.0),
            (0, "two hundred and twelve rows", 212.0),
            (0, "half a terabyte", 0.5),
            (0, "two and a half hours", 2.5),
            (1, "neunundfünfzig Tests", 59.0),
            (1, "anderthalb Minuten", 1.5),
            (2, "quatre-vingt-sept notices", 87.0),
            (2, "soixante-douze heures", 72.0),
            (3, "cincuenta y nueve pruebas", 59.0),
            (6, "negenenvijftig tests", 59.0),
        ] {
            let found = spoken(text, &languages::all()[language]);
            let found = found.map(|number| number.reading.value);
            assert_eq!(found, Some(value), "{text}");
        }
    }

    #[test]
    fn other_words_are_no_number() {
        for text in ["and a half", "hybrid", "nine", ""] {
            assert_eq!(spoken(text, &languages::all()[1]), None, "{text}");
        }
    }
}
