//! Names of persons and products. Only what is plainly one and stands nowhere is marked:
//! beginnings of sentences, headings, nouns of German and words that everybody uses are no
//! names.

mod capitals;
mod unspaced;
mod words;

use std::ops::Range;

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold::{folded_text, word_hash};
use crate::context::grounding::index::SourceIndex;
use crate::context::grounding::languages;
use crate::context::identifiers::is_unspaced;

use super::reader::{Finding, LineReader};
use super::tokens;
use words::{AGENT_VERBS, COMMON_CAPITALS, IMPLIED, OFFICES, STARTERS, SURNAMES, TITLES};

pub(super) fn read(reader: &mut LineReader<'_>) {
    unspaced::read(reader);
    let words = line_words(reader);
    let is = |language, number: usize| std::ptr::eq(language, &raw const languages::all()[number]);
    // Short lines of a German summary speak for other languages, but seldom for English.
    let is_german = is(reader.language, 1) || is(reader.usual, 1) && !is(reader.language, 0);
    let mut at = 0;
    while at < words.len() {
        let run = words
            .get(at..)
            .unwrap_or_default()
            .iter()
            .take(MAX_NAME_WORDS);
        let mut len = 0;
        for (number, word) in run.enumerate() {
            if !word.is_name_like || number > 0 && (!word.follows_space || word.starts) {
                break;
            }
            len = number + 1;
        }
        if len > 0 {
            judge(reader, &words, at..at + len, is_german);
        }
        at += len.max(1);
    }
    capitals::read(reader, &words);
}

const MAX_NAME_WORDS: usize = 4;

/// A word of the line.
#[derive(Debug)]
struct LineWord<'a> {
    text: &'a str,
    span: Range<usize>,
    /// It begins a sentence, a cell, a quotation, what follows a colon.
    starts: bool,
    follows_space: bool,
    /// It is the beginning of a longer name.
    is_joined: bool,
    is_name_like: bool,
}

fn line_words<'a>(reader: &LineReader<'a>) -> Vec<LineWord<'a>> {
    let text = reader.text();
    let body = reader.line.body.clone();
    let mut out: Vec<LineWord<'_>> = Vec::new();
    let mut previous_end = body.start;
    for (at, part) in split_words(text.get(body.clone()).unwrap_or_default()) {
        let span = body.start + at..body.start + at + part.len();
        let between = text.get(previous_end..span.start).unwrap_or_default();
        // The point of `Dr.` ends no sentence.
        let after_title = between == ". " && out.last().is_some_and(|word| is_title(word.text));
        let starts = out.is_empty()
            || !after_title
                && between.contains(|c: char| {
                    matches!(
                        c,
                        '.' | '!'
                            | '?'
                            | ':'
                            | '|'
                            | '"'
                            | '“'
                            | '('
                            | '*'
                            | '「'
                            | '：'
                            | '→'
                            | '['
                            | ']'
                    )
                });
        let mut chars = part.chars();
        let is_capital = chars.next().is_some_and(char::is_uppercase);
        let rest = chars.as_str();
        let shape = is_capital
            && rest.chars().any(char::is_lowercase)
            && rest.chars().all(char::is_alphabetic);
        let after = text.get(span.end..).unwrap_or_default();
        let is_compound = after.starts_with(|c: char| {
            matches!(c, '_' | '/' | ':' | '(') && !after.starts_with(": ") || c.is_ascii_digit()
        }) || between.ends_with(['_', '/', '.', '@', '#']);
        let is_name_like = shape
            && !is_compound
            && !reader.is_in_code(span.start)
            && !reader.is_taken(&span)
            && tokens::humps(part).len() == 1;
        out.push(LineWord {
            text: part,
            starts,
            follows_space: between == " " || after_title,
            is_joined: after.starts_with(['_', '/', '-', '('])
                || after.starts_with('.')
                    && !after.trim_start_matches('.').starts_with([' ', '\n'])
                    && after.len() > 1,
            is_name_like,
            span: span.clone(),
        });
        previous_end = span.end;
    }
    out
}

fn split_words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    text.split(move |c: char| !is_part(c))
        .filter(|part| !part.is_empty())
        .map(move |part| {
            let at = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
            (at, part)
        })
}

fn judge(
    reader: &mut LineReader<'_>,
    words: &[LineWord<'_>],
    range: Range<usize>,
    is_german: bool,
) {
    let Some(mut run) = words.get(range.clone()) else {
        return;
    };
    let next = words
        .get(range.end)
        .filter(|word| word.follows_space && !word.is_joined);
    let next = next.map(|word| folded_text(word.text));
    let previous = range
        .start
        .checked_sub(1)
        .and_then(|at| words.get(at))
        .map(|word| folded_text(word.text));
    // `a` is the auxiliary of other languages.
    let is_english = std::ptr::eq(reader.language, languages::english());
    let has_agent_verb = next
        .as_deref()
        .filter(|next| !(is_english && *next == "a"))
        .is_some_and(|next| AGENT_VERBS.iter().any(|verb| folded_text(verb) == next));
    if let Some(named) = after_title(words, &range) {
        // Nouns of German have capitals too.
        run = named.get(..1).filter(|_| is_german).unwrap_or(named);
        let is_office = |word: &LineWord<'_>| has_word(OFFICES, &folded_text(word.text));
        if run.first().is_some_and(is_office) {
            return;
        }
    } else if is_german {
        let Some(first) = run.first() else {
            return;
        };
        let from_somewhere = previous
            .as_deref()
            .is_some_and(|p| matches!(p, "aus" | "via" | "laut"))
            && run.len() == 1
            && !is_german_noun(first.text);
        let acts = first.starts
            && run.len() == 1
            && next.as_deref() == Some("hat")
            && !is_subject(words.get(range.end + 1))
            && !is_german_noun(first.text);
        if !from_somewhere && !acts {
            return;
        }
    } else if run.first().is_some_and(|word| word.starts) {
        let is_known_start = |word: &LineWord<'_>| is_starter(word.text);
        let acts = has_agent_verb && !is_passive(reader.text(), words, range.end)
            || acts_from_a_place(words, range.end)
            || run.len() == 1 && owns(reader.text(), run);
        if run.len() > 1 && run.first().is_some_and(is_known_start) {
            run = run.get(1..).unwrap_or_default();
        } else if !acts || run.first().is_some_and(is_known_start) {
            return;
        }
    }
    let Some((first, last)) = run.first().zip(run.last()) else {
        return;
    };
    let span = first.span.start..last.span.end;
    if let Some(finding) = said(reader.index, run.iter().map(|word| word.text)) {
        reader.claim(span, ClaimClass::Name, finding);
    }
}

/// Whether a word of German can only be a subject: `Zuletzt hat er` begins with no name.
fn is_subject(word: Option<&LineWord<'_>>) -> bool {
    const SUBJECTS: [&str; 6] = ["er", "es", "man", "ich", "wir", "niemand"];
    word.is_some_and(|word| SUBJECTS.contains(&word.text))
}

/// The words of a run that stand after a title, in the run or before it.
fn after_title<'w, 'a>(
    words: &'w [LineWord<'a>],
    range: &Range<usize>,
) -> Option<&'w [LineWord<'a>]> {
    let run = words.get(range.clone())?;
    let titles = run.iter().take_while(|word| is_title(word.text)).count();
    let before = range.start.checked_sub(1).and_then(|at| words.get(at));
    let follows = before.is_some_and(|word| word.text == "M");
    let is_named = titles > 0 || follows && run.first().is_some_and(|word| !word.starts);
    run.get(titles..).filter(|_| is_named)
}

/// Whether a list of words has a word.
fn has_word(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

/// Whether a word stands before a person's name; `M` alone is one in French.
fn is_title(word: &str) -> bool {
    word == "M" || has_word(TITLES, &folded_text(word))
}

/// Verbs without an object that are a participle: `Cause found:`, `Ticket closed.`
fn is_passive(text: &str, words: &[LineWord<'_>], verb: usize) -> bool {
    const VERBS: [&str; 16] = [
        "found",
        "fixed",
        "merged",
        "deployed",
        "sent",
        "pushed",
        "deleted",
        "opened",
        "closed",
        "released",
        "published",
        "paid",
        "checked",
        "tested",
        "tuned",
        "handled",
    ];
    words.get(verb).is_some_and(|word| {
        let after = text.get(word.span.end..).unwrap_or_default();
        let ends = after.is_empty() || after.starts_with([':', ',', ';', '.', ')', '*']);
        VERBS.contains(&word.text) && (ends || after.starts_with(" —") || after.starts_with(" ("))
    })
}

/// `Stripe's webhook`: what owns something is named, unless it is a day.
fn owns(text: &str, run: &[LineWord<'_>]) -> bool {
    const DAYS: &str = "today yesterday tomorrow tonight someone somebody everyone everybody \
                        nobody anyone another other each";
    run.last().is_some_and(|word| {
        let after = text.get(word.span.end..).unwrap_or_default();
        let is_owner = ["'s ", "’s "].iter().any(|mark| after.starts_with(mark));
        is_owner && !has_word(DAYS, &folded_text(word.text))
    })
}

/// `Tomasz in Kraków ordered`: what follows a name is a place and a verb.
fn acts_from_a_place(words: &[LineWord<'_>], from: usize) -> bool {
    let text = |at: usize| words.get(at).map_or("", |word| word.text);
    let is_place = ["in", "from", "at", "of"].contains(&text(from));
    let mut rest = (from + 1..from + 1 + MAX_NAME_WORDS).map(text);
    let mut named = false;
    let verb = rest.find(|word| {
        let is_name = word.starts_with(char::is_uppercase) || ["the", "KU"].contains(word);
        named |= is_name;
        !is_name
    });
    let acts = |word: &str| {
        let is_past = word.len() > 4 && word.ends_with("ed");
        is_past || AGENT_VERBS.contains(&word)
    };
    is_place && named && verb.is_some_and(acts)
}

/// Whether a capitalised word is an ordinary one that begins a sentence.
pub(super) fn is_starter(word: &str) -> bool {
    let folded = folded_text(word);
    let by_ending = [
        "ing", "tion", "sion", "ment", "ness", "ity", "ance", "ence", "ures", "ers", "ors", "ed",
        "ly", "tests",
    ];
    STARTERS.contains(&folded.as_str())
        || COMMON_CAPITALS.contains(&folded.as_str())
        || folded.len() > 4 && by_ending.iter().any(|ending| folded.ends_with(ending))
}

/// Endings of German nouns that are no names.
fn is_german_noun(word: &str) -> bool {
    let folded = folded_text(word);
    let endings = [
        "ung", "ungen", "heit", "keit", "schaft", "tion", "tionen", "tat", "nis", "tum", "chen",
        "lein", "ling", "ismus", "grunden", "sicht", "angst", "versehen", "zeit", "daten", "datei",
        "dateien", "fehler", "tests", "en", "er",
    ];
    STARTERS.contains(&folded.as_str())
        || COMMON_CAPITALS.contains(&folded.as_str())
        || endings.iter().any(|ending| folded.ends_with(ending))
}

/// Whether the source has a name; `None` for words that are none.
fn said<'w>(index: &SourceIndex<'_>, words: impl Iterator<Item = &'w str>) -> Option<Finding> {
    let mut finding = None;
    for word in words {
        let folded = folded_text(word);
        if COMMON_CAPITALS.contains(&folded.as_str()) {
            continue;
        }
        let place = place_of_name(index, &folded);
        if place == Finding::Nowhere {
            return Some(Finding::Nowhere);
        }
        finding = Some(place);
    }
    finding
}

/// Endings that languages put to names, and take from them.
const NAME_ENDINGS: [&str; 14] = [
    "a", "u", "y", "e", "i", "em", "ie", "owi", "ом", "у", "а", "е", "ой", "ы",
];

fn place_of_name(index: &SourceIndex<'_>, name: &str) -> Finding {
    let direct = Finding::of(index.place_of(name));
    direct
        .or_else(|| {
            let implied = IMPLIED.iter().find(|(known, _)| *known == name);
            let words = implied.into_iter().flat_map(|(_, words)| words.iter());
            Finding::of(words.filter_map(|word| index.place_of(word)).max())
        })
        .or_else(|| tokens::symbol(index, name))
        .or_else(|| {
            let count = name.chars().count();
            let stems = (1..=3)
                .filter(|cut| count > cut + 2)
                .map(|cut| name.chars().take(count - cut).collect::<String>());
            let forms = stems.flat_map(|stem| {
                let other = NAME_ENDINGS.map(|ending| format!("{stem}{ending}"));
                std::iter::once(stem).chain(other)
            });
            Finding::of(
                forms
                    .filter(|form| form.chars().count() > 3 || !form.is_ascii())
                    .find_map(|form| index.place_of(&form)),
            )
        })
        .or_else(|| {
            let signs = SURNAMES.iter().filter(|(_, latin)| *latin == name);
            Finding::of(signs.filter_map(|(sign, _)| index.place_of(sign)).max())
        })
        .or_else(|| given_name(index, name))
}

/// A Latin given name of a source that writes Chinese names: what it is written with
/// cannot be told, so it counts as said where its surname does.
fn given_name(index: &SourceIndex<'_>, name: &str) -> Finding {
    let is_syllable = name.is_ascii() && name.len() <= MAX_GIVEN_NAME;
    let people = SURNAMES.iter().filter(|_| is_syllable);
    let found = people
        .filter(|(sign, _)| index.count(word_hash(sign)) > 1)
        .count();
    if found > 0 {
        Finding::Follows
    } else {
        Finding::Nowhere
    }
}

/// Letters of a Chinese given name in Latin letters.
const MAX_GIVEN_NAME: usize = 7;
