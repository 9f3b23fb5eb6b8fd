//! Commits and lines that a command lists or counts.

use crate::context::audit::keywords;
use crate::context::grounding::fold::{folded_text, word_hash};
use crate::context::grounding::index::{SourceIndex, TextOrigin};
use crate::context::identifiers::is_unspaced;

use super::super::tokens;
use super::{CountedThing, MAX_PLACES};

/// Words for commits, beginnings, folded.
const COMMITS: &[&str] = &["commit", "коммит", "提交", "コミット", "커밋"];
/// Words for the lines of a file, beginnings, folded.
const LINES: &[&str] = &[
    "line",
    "row",
    "zeile",
    "ligne",
    "linea",
    "fila",
    "linha",
    "riga",
    "righe",
    "regel",
    "wiersz",
    "linii",
    "строк",
    "satir",
    "行",
    "줄",
];
/// Bytes of a line that are read to each side of a number.
const LINE_BYTES: usize = 200;
/// Places of a number that are read.
const MAX_COMMAND_PLACES: usize = 60;
/// Digits of the hash that a listed commit begins with.
const MIN_HASH: usize = 7;

/// Whether a command lists so many commits, or counted so many lines of a file.
pub(super) fn is_listed_by_a_command(
    index: &SourceIndex<'_>,
    value: f64,
    places: &[usize],
    thing: &CountedThing,
) -> bool {
    names(thing, COMMITS) && has_so_many_commits(index, value)
        || names(thing, LINES)
            && places
                .iter()
                .rev()
                .take(MAX_COMMAND_PLACES)
                .any(|at| counts_lines(index, *at))
}

fn names(thing: &CountedThing, words: &[&str]) -> bool {
    words.iter().any(|word| {
        let is_sign = word.starts_with(is_unspaced) && thing.signs.contains(word);
        let folded = folded_text(word);
        is_sign || thing.names().any(|name| name.starts_with(&folded))
    })
}

/// Whether the output of a log has so many lines that begin with a hash.
fn has_so_many_commits(index: &SourceIndex<'_>, value: f64) -> bool {
    let is_log = |number: usize| {
        let text = index.text(number);
        text.is_some_and(|text| text.text.contains("git log") || text.text.contains("git cherry"))
    };
    let mut logs = index
        .calls()
        .iter()
        .filter(|call| call.has_ended && call.arguments.clone().any(is_log));
    let is_hash =
        |word: &str| word.len() >= MIN_HASH && word.bytes().all(|b| b.is_ascii_hexdigit());
    logs.any(|call| {
        let output = call.output.and_then(|number| index.text(number));
        let listed = output.map_or(0, |text| {
            let first = text.text.lines().filter_map(|line| {
                let mut words = line.split_whitespace().filter(|word| *word != "commit");
                words.next()
            });
            first.filter(|word| is_hash(word)).count()
        });
        listed > 1 && (listed as f64 - value).abs() < 0.5
    })
}

/// `8 out/list.csv`: a number at the beginning of an output's line with nothing but a path.
fn counts_lines(index: &SourceIndex<'_>, place: usize) -> bool {
    let text = index.text_at(place);
    if text.is_none_or(|text| text.origin != TextOrigin::Output) {
        return false;
    }
    let mut words = index.line_at(place, LINE_BYTES).split_whitespace();
    let starts = words
        .next()
        .is_some_and(|word| index.line_from(place).starts_with(word));
    let is_path = words.next().is_some_and(|word| word.contains(['/', '.']));
    starts && is_path && words.next().is_none()
}

/// Whether one text of the source has that many lines that name the thing.
pub(super) fn is_listed(index: &SourceIndex<'_>, value: f64, thing: &CountedThing) -> bool {
    if !(2.0..=50.0).contains(&value) {
        return false;
    }
    let forms = thing
        .after
        .iter()
        .flat_map(|word| std::iter::once(word.clone()).chain(tokens::other_number(word)));
    let mut places: Vec<usize> = forms
        .filter(|word| !keywords::is_stop(word) && word.chars().count() > 2)
        .flat_map(|word| {
            index
                .places(word_hash(&word))
                .take(MAX_PLACES)
                .collect::<Vec<_>>()
        })
        .collect();
    places.sort_unstable();
    let mut run: (Option<*const u8>, usize, &str) = (None, 0, "");
    for place in places {
        let text = index.text_at(place).map(|text| text.text.as_ptr());
        let line = index.line_at(place, 120);
        if text != run.0 {
            if (value - run.1 as f64).abs() < f64::EPSILON {
                return true;
            }
            run = (text, 0, "");
        }
        if !std::ptr::eq(line, run.2) {
            run = (text, run.1 + 1, line);
        }
    }
    (value - run.1 as f64).abs() < f64::EPSILON
}
