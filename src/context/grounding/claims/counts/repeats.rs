//! Numbers that a source says in other words: kin of the counted word, and how often a loop
//! runs.

use crate::context::grounding::fold::folded_text;
use crate::context::grounding::index::SourceIndex;

use super::CountedThing;

/// Letters that two words of one stem begin with.
const STEM_CHARS: usize = 5;
/// Places of a number that are read.
const MAX_KIN_PLACES: usize = 200;
/// Bytes around a number in which a kin word stands.
const KIN_BYTES: usize = 60;
/// Words that name repetitions, folded.
const REPEATS: &[&str] = &[
    "run",
    "runs",
    "time",
    "times",
    "attempt",
    "attempts",
    "iteration",
    "iterations",
    "repeat",
    "repeats",
    "repetitions",
    "tries",
    "round",
    "rounds",
    "pass",
    "passes",
    "lauf",
    "laufe",
    "laufen",
    "mal",
    "versuche",
    "versuchen",
    "durchlaufe",
    "durchlaufen",
    "wiederholungen",
    "fois",
    "essais",
    "executions",
    "veces",
    "intentos",
    "ejecuciones",
    "vezes",
    "tentativas",
    "execucoes",
    "volte",
    "tentativi",
    "esecuzioni",
    "keer",
    "pogingen",
    "razy",
    "prob",
    "raz",
    "раз",
    "запусков",
    "попыток",
    "kez",
    "deneme",
    "次",
    "回",
    "번",
];

/// The newest of these places of a number beside a word of the same stem as what is counted:
/// `9 Stornos` for `9 stornierte Buchungen`.
pub(super) fn said_in_kin_words(
    index: &SourceIndex<'_>,
    places: &[usize],
    thing: &CountedThing,
) -> Option<usize> {
    let stem = |word: &str| {
        let mut stem: String = word.chars().take(STEM_CHARS).collect();
        stem.retain(char::is_alphabetic);
        (stem.chars().count() == STEM_CHARS).then_some(stem)
    };
    let mut stems: Vec<String> = thing.after.iter().filter_map(|word| stem(word)).collect();
    // A summary of a diff counts lines as insertions and deletions.
    if thing
        .after
        .first()
        .is_some_and(|word| word.starts_with("line"))
    {
        stems.extend(["insertion", "deletion"].map(str::to_owned));
    }
    if stems.is_empty() {
        return None;
    }
    let newest = places.iter().rev().take(MAX_KIN_PLACES).copied();
    newest.into_iter().find(|place| {
        let around = folded_text(index.line_at(*place, KIN_BYTES));
        let mut words = around.split(|c: char| !c.is_alphanumeric());
        words.any(|word| stems.iter().any(|stem| word.starts_with(stem.as_str())))
    })
}

/// Whether something is counted that a command of the source repeats so often: `1 2 3 4 5`,
/// `seq 20`, `--count 20`.
pub(super) fn is_a_loop(index: &SourceIndex<'_>, value: f64, thing: &CountedThing) -> bool {
    if !(2.0..=10_000.0).contains(&value) || value.fract() > 0.0 {
        return false;
    }
    if !thing.names().any(|name| REPEATS.contains(&name)) {
        return false;
    }
    let bound = format!("{value:.0}");
    let places = index.places(crate::context::grounding::fold::word_hash(&bound));
    places.take(MAX_KIN_PLACES).any(|place| {
        let line = index.line_at(place, KIN_BYTES);
        BOUNDS
            .iter()
            .any(|(open, close)| has_whole(line, &format!("{open}{bound}{close}")))
            || has_whole(line, &counted_up(value))
    })
}

/// Whether a text holds another one that no digit follows.
fn has_whole(text: &str, part: &str) -> bool {
    let mut ends = text.match_indices(part).map(|(at, _)| at + part.len());
    ends.any(|end| {
        let rest = text.get(end..).unwrap_or_default();
        !rest.starts_with(|c: char| c.is_ascii_digit())
    })
}

/// What stands around the bound of a loop.
const BOUNDS: &[(&str, &str)] = &[
    ("seq ", ""),
    ("seq 1 ", ""),
    ("{1..", "}"),
    ("range(", ")"),
    ("-n ", ""),
    ("-c ", ""),
    ("-n", ""),
    ("--count ", ""),
    ("--count=", ""),
    ("--repeat ", ""),
    ("--repeat=", ""),
    ("--repeat-each ", ""),
    ("--repeat-each=", ""),
    ("--runs ", ""),
    ("--runs=", ""),
    ("--times ", ""),
    ("-count ", ""),
    ("-count=", ""),
    ("< ", ";"),
    ("<", ";"),
    ("<= ", ";"),
    ("<=", ";"),
];

/// `1 2 3 4 5` for five; of more, the last ones.
fn counted_up(value: f64) -> String {
    let last = value as u32;
    let from = last.saturating_sub(2).max(1);
    let numbers: Vec<String> = (from..=last).map(|number| number.to_string()).collect();
    numbers.join(" ")
}
