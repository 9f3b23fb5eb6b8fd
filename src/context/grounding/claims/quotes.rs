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
    let mut found: Vec<(Range<usize>, Finding)> = Vec::new();
    for quote in quoted(reader.body()) {
        in_quote(reader, &quote, &mut found);
    }
    for (span, finding) in found {
        reader.note(span, ClaimClass::Quote, finding);
    }
}

fn in_quote(
    reader: &LineReader<'_>,
    quote: &Range<usize>,
    found: &mut Vec<(Range<usize>, Finding)>,
) {
    let text = reader.body().get(quote.clone()).unwrap_or_default();
    // `"Error: …" from bin/check.R` quotes a file or a program.
    let after = reader.body().get(quote.end..).unwrap_or_default();
    let names_a_file = |word: &str| {
        word.trim_matches(|c: char| !c.is_alphanumeric())
            .contains(['/', '.'])
    };
    // What is still open is often told in the words of an output.
    let is_of_output = reader.line.is_plan || after.split_whitespace().any(names_a_file);
    for piece in sentences_of(text) {
        let words = fold::words_of(text.get(piece.clone()).unwrap_or_default());
        let hashes: Vec<u64> = words.iter().map(|word| word.hash).collect();
        if hashes.len() >= MIN_WORDS {
            let from = reader.line.body.start + quote.start;
            let span = from + piece.start..from + piece.end;
            let in_output = || {
                let whole = reader.index.find(&hashes, &|_, _| true, &|_| true);
                Finding::of(whole.filter(|_| is_of_output))
            };
            found.push((span, said(reader.index, &hashes).or_else(in_output)));
        }
    }
}

/// What a line that begins with a quotation quotes: each from its mark to the one that closes
/// it, over quotations inside of it.
fn quoted(body: &str) -> Vec<Range<usize>> {
    let first = body.chars().next();
    let Some((open, close)) = MARKS.iter().find(|(open, _)| Some(*open) == first) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let (mut depth, mut from) = (0_usize, 0);
    for (at, mark) in body.char_indices().filter(|(_, c)| c == open || c == close) {
        let next = at + mark.len_utf8();
        if opens_at(body, at, mark, *close) {
            from = if depth == 0 { next } else { from };
            depth += 1;
        } else if depth > 0 {
            depth -= 1;
            if depth == 0 && at > from {
                out.push(from..at);
            }
        }
    }
    if depth > 0 {
        // A mark without its other one: all up to the last mark.
        let end = body.rfind(*close).filter(|end| *end > from);
        out.extend(end.map(|end| from..end));
    }
    out
}

/// Whether a mark opens: where both marks are the same, the one before a word.
fn opens_at(body: &str, at: usize, mark: char, close: char) -> bool {
    if !MARKS.contains(&(close, close)) {
        return mark != close;
    }
    let before = body.get(..at).and_then(|text| text.chars().next_back());
    let after = body.get(at + mark.len_utf8()..).unwrap_or_default();
    !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '!' | '?' | ',' | '…' | ')'))
        && after.starts_with(|c: char| !c.is_whitespace())
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

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(body: &str) -> Vec<&str> {
        quoted(body)
            .into_iter()
            .filter_map(|it| body.get(it))
            .collect()
    }

    #[test]
    fn each_quotation_ends_at_its_own_mark() {
        assert_eq!(
            pieces(r#""3 of 412 differ" in the drill, in words "That is not proven.""#),
            ["3 of 412 differ", "That is not proven."]
        );
        assert_eq!(
            pieces(r#""call it "fuel" from now on" (user)"#),
            [r#"call it "fuel" from now on"#]
        );
        assert_eq!(
            pieces("„nie ändern“ und „nur neu“"),
            ["nie ändern", "nur neu"]
        );
        assert!(pieces(r#"the word "fuel" stays"#).is_empty());
    }
}
