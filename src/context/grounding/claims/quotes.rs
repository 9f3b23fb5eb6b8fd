//! What a summary puts into quotation marks as an ask or a rule of the person: the words of it
//! have to be the person's.

use std::ops::Range;

use crate::context::grounding::claim::ClaimClass;
use crate::context::grounding::fold;
use crate::context::grounding::index::{SourceIndex, TextOrigin};
use crate::context::identifiers::is_unspaced;

use super::reader::{Finding, LineReader};

/// Signs that open and close what is quoted.
const MARKS: [(char, char); 5] = [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('「', '」')];
/// Shorter quotes are names and single words, in words.
const MIN_WORDS: usize = 5;
/// In percent: a sentence with fewer of its pairs of words is not what was said.
const MIN_SHARE: usize = 60;

pub(super) fn read(reader: &mut LineReader<'_>) {
    if !reader.line.is_plan && !reader.line.is_rule {
        return;
    }
    let body = reader.line.body.clone();
    let Some(quote) = quoted(reader.body()) else {
        return;
    };
    let text = reader.body().get(quote.clone()).unwrap_or_default();
    // `"Error: …" from bin/check.R` quotes a file or a program.
    let after = reader.body().get(quote.end..).unwrap_or_default();
    let names_a_file = |word: &str| {
        word.trim_matches(|c: char| !c.is_alphanumeric())
            .contains(['/', '.'])
    };
    let is_of_output = after.split_whitespace().any(names_a_file);
    let mut found: Vec<(Range<usize>, Finding)> = Vec::new();
    for piece in sentences_of(text) {
        let words = fold::words_of(text.get(piece.clone()).unwrap_or_default());
        let hashes: Vec<u64> = words.iter().map(|word| word.hash).collect();
        if hashes.len() >= MIN_WORDS {
            let from = body.start + quote.start;
            let span = from + piece.start..from + piece.end;
            let in_output = || {
                let whole = reader.index.find(&hashes, &|_, _| true, &|_| true);
                Finding::of(whole.filter(|_| is_of_output))
            };
            found.push((span, said(reader.index, &hashes).or_else(in_output)));
        }
    }
    for (span, finding) in found {
        reader.note(span, ClaimClass::Quote, finding);
    }
}

/// Where a line quotes: from the first mark, at its beginning, to the last.
fn quoted(body: &str) -> Option<Range<usize>> {
    let first = body.chars().next()?;
    let (open, close) = MARKS.iter().find(|(open, _)| *open == first)?;
    let end = body.rfind(*close)?;
    let start = open.len_utf8();
    (end > start).then_some(start..end)
}

/// The sentences of a quotation.
fn sentences_of(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut from = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let ends = matches!(c, '。' | '！' | '？' | '；')
            || matches!(c, '.' | '!' | '?' | ';') && next.is_none_or(char::is_whitespace);
        if ends {
            out.push(from..at + c.len_utf8());
            from = at + c.len_utf8();
        }
    }
    out.push(from..text.len());
    out.retain(|piece| {
        let text = text.get(piece.clone()).unwrap_or_default();
        text.contains(|c: char| c.is_alphanumeric() || is_unspaced(c))
    });
    out
}

/// Where a person says most pairs of these words.
fn said(index: &SourceIndex<'_>, words: &[u64]) -> Finding {
    let is_of_person = |place: usize| {
        let text = index.text_at(place);
        text.is_some_and(|text| matches!(text.origin, TextOrigin::Person | TextOrigin::Standing))
    };
    let pairs = words.windows(2);
    let all = pairs.len();
    let places: Vec<usize> = pairs
        .filter_map(|pair| index.find(pair, &|_, _| true, &is_of_person))
        .collect();
    let is_said = places.len() * 100 >= all * MIN_SHARE;
    Finding::of(places.into_iter().max().filter(|_| is_said))
}
