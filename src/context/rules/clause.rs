//! Clauses of what was typed, with the cues that are in them.

use std::cmp::Reverse;
use std::ops::{Deref, Range};
use std::rc::Rc;

use plimsoll_cues::{Cue, CueHit, Script};

use super::clause_reader::{ClauseReader, ClauseWords};
use super::typed::TypedLine;

/// Shorter clauses say too little.
pub(super) const MIN_RULE_CHARS: usize = 4;
/// So many words say what a clause is about.
const WORDY: usize = 4;
/// A question behind a rule has at least so many.
const QUESTION_WORDS: usize = 3;
/// A question of at most this many words may name a case: “touching prod? call me first”.
const MAX_CASE_WORDS: usize = 6;

/// A clause with what is known of it.
pub(super) struct Clause<'a> {
    pub text: &'a str,
    /// Where it begins in its line.
    pub start: usize,
    pub masked: &'a str,
    words: Rc<ClauseWords>,
    /// It ends with a question mark.
    pub is_marked: bool,
    /// It asks for an answer.
    pub is_question: bool,
}

impl Deref for Clause<'_> {
    type Target = ClauseWords;

    fn deref(&self) -> &ClauseWords {
        &self.words
    }
}

impl<'a> Clause<'a> {
    pub(super) fn of(
        text: &'a str,
        masked: &'a str,
        is_question: bool,
        reader: &ClauseReader,
    ) -> Self {
        Self {
            text,
            start: 0,
            masked,
            words: reader.words(masked),
            is_marked: is_question,
            is_question,
        }
    }

    pub(super) fn part(&self, from: usize, upto: usize, reader: &ClauseReader) -> Self {
        let text = self.text.get(from..upto).unwrap_or_default();
        let masked = self.masked.get(from..upto).unwrap_or_default();
        Self::of(
            text,
            masked,
            self.is_question && upto == self.text.len(),
            reader,
        )
    }

    /// Where words like “and” are. An accent makes another word of some: “è” is no “e”.
    pub(super) fn and_words(&self) -> Vec<Range<usize>> {
        let end = self.text.len();
        let hits = self
            .cues
            .of(Cue::And)
            .filter(|hit| hit.start > self.cues.body);
        let ranges = hits.map(|hit| {
            let start = self.normal.origin(hit.start, end);
            start..self.normal.origin(hit.end, end).max(start)
        });
        let is_plain = |range: &Range<usize>| {
            let word = self.text.get(range.clone()).unwrap_or_default().trim();
            self.normal.script != Script::Latin || word.is_ascii()
        };
        ranges.filter(is_plain).collect()
    }

    pub(super) fn is_long(&self) -> bool {
        self.text.trim().chars().count() >= MIN_RULE_CHARS
    }

    /// Whether it has enough words to say what it is about.
    pub(super) fn is_wordy(&self) -> bool {
        self.has_words(WORDY)
    }

    /// Whether it has so many words, or letters where writers put no spaces.
    pub(super) fn has_words(&self, least: usize) -> bool {
        let text = self.normal.text.trim();
        let is_unspaced = matches!(self.normal.script, Script::Han | Script::Kana);
        text.split(' ').count() >= least
            || text.chars().filter(|c| !c.is_ascii()).count() >= 6
            || is_unspaced && text.chars().count() >= 8
    }

    /// Whether the language puts the verb of an order first.
    pub(super) fn has_first_verb(&self) -> bool {
        !self.cues.is_verb_last
    }

    pub(super) fn has(&self, cue: Cue) -> bool {
        self.cues.has(cue)
    }

    pub(super) fn has_any(&self, cues: &[Cue]) -> bool {
        self.cues.has_any(cues)
    }
}

/// The clauses of a line.
pub(super) fn clauses<'a>(line: &'a TypedLine<'_>, reader: &ClauseReader) -> Vec<Clause<'a>> {
    let mut found: Vec<Clause<'a>> = Vec::new();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for range in line.sentences.iter().cloned() {
        match ranges.last_mut() {
            Some(before)
                if is_asking(line, before) && is_consequence(line, before, &range, reader) =>
            {
                before.end = range.end;
            }
            _ => ranges.push(range),
        }
    }
    for range in ranges {
        let mut range = range;
        let mut sentence = clause_at(line, range.clone(), reader);
        if let Some(at) = question_behind(&sentence, reader) {
            let behind = range.start + at;
            found.push(clause_at(line, range.start..behind, reader));
            range.start = behind;
            sentence = clause_at(line, range.clone(), reader);
        }
        let mut from = range.start;
        let asides = if sentence.has(Cue::Product) {
            Vec::new()
        } else {
            asides(&sentence)
        };
        for hit in asides {
            let at = range.start + sentence.normal.origin(hit.start, range.len());
            let behind = range.start + sentence.normal.origin(hit.end, range.len());
            let rest = clause_at(line, behind..range.end, reader);
            if at > from && rest.is_wordy() {
                found.push(clause_at(line, from..at, reader));
                from = if says_nothing(&sentence, hit) {
                    behind
                } else {
                    at
                };
            }
        }
        found.push(clause_at(line, from..range.end, reader));
    }
    found
}

/// Whether a sentence says what follows from the question before: “… ? then call me”,
/// “touching prod? call me first”.
fn is_consequence(
    line: &TypedLine<'_>,
    question: &Range<usize>,
    range: &Range<usize>,
    reader: &ClauseReader,
) -> bool {
    let sentence = clause_at(line, range.clone(), reader);
    if sentence.cues.begins_with(Cue::Then) {
        return true;
    }
    let case = clause_at(line, question.clone(), reader);
    let words = case.normal.text.split_whitespace().count();
    sentence.has(Cue::AskFirst)
        && !sentence.is_question
        && words <= MAX_CASE_WORDS
        && !case.has_any(&[Cue::Question, Cue::Request])
}

/// Where something else begins in a sentence.
fn asides(sentence: &Clause<'_>) -> Vec<CueHit> {
    let inner = sentence.cues.of(Cue::Aside);
    let mut hits: Vec<CueHit> = inner.filter(|hit| hit.start > sentence.cues.body).collect();
    // Of those at the same place the longest.
    hits.sort_by_key(|hit| (hit.start, Reverse(hit.end)));
    hits.dedup_by(|next, hit| next.start < hit.end);
    hits
}

/// Whether an aside only leads over.
fn says_nothing(sentence: &Clause<'_>, aside: CueHit) -> bool {
    const TELLING: [Cue; 5] = [
        Cue::Lasting,
        Cue::Absolute,
        Cue::Negative,
        Cue::Remember,
        Cue::Generally,
    ];
    let mut within = sentence.cues.hits.iter();
    !within
        .any(|hit| TELLING.contains(&hit.cue) && hit.start >= aside.start && hit.start < aside.end)
}

/// Whether a word at the end asks for nothing but a nod, also without a comma before it.
fn is_nod(tag: &str) -> bool {
    const NODS: [&str; 6] = ["ok", "okay", "oke", "vale", "ок", "океи"];
    NODS.contains(&tag)
}

/// Where a question begins behind a rule: “always answer in Dutch, what does this do?”.
fn question_behind(sentence: &Clause<'_>, reader: &ClauseReader) -> Option<usize> {
    const TELLING: [Cue; 8] = [
        Cue::Lasting,
        Cue::Absolute,
        Cue::Negative,
        Cue::Manner,
        Cue::Limit,
        Cue::Remember,
        Cue::Each,
        Cue::Forbidden,
    ];
    const BEGINNING: [Cue; 8] = [
        Cue::Order,
        Cue::Negative,
        Cue::Absolute,
        Cue::Lasting,
        Cue::Remember,
        Cue::Task,
        Cue::Prefer,
        Cue::Manner,
    ];
    const GOVERNING: [Cue; 6] = [
        Cue::Question,
        Cue::Request,
        Cue::Suppose,
        Cue::Whenever,
        Cue::Report,
        Cue::Narration,
    ];
    if !sentence.is_question || !sentence.has_any(&TELLING) {
        return None;
    }
    let comma = sentence.masked.rfind([',', '，', '、'])?;
    let mark = sentence.masked.get(comma..)?.chars().next()?;
    let left = sentence.part(0, comma, reader);
    let right = sentence.part(comma + mark.len_utf8(), sentence.text.len(), reader);
    let is_question = right.cues.begins_with(Cue::Question) && right.has_words(QUESTION_WORDS);
    let begins = |cue: &Cue| left.cues.begins_with(*cue);
    let is_order = BEGINNING.iter().any(begins) || !left.has_first_verb() && left.has(Cue::Order);
    let is_rule = is_order && left.has_any(&TELLING) && !left.has_any(&GOVERNING);
    (is_question && is_rule).then_some(comma + mark.len_utf8())
}

fn is_asking(line: &TypedLine<'_>, range: &Range<usize>) -> bool {
    let text = line.masked.get(range.clone()).unwrap_or_default();
    text.trim_end().ends_with(['?', '？'])
}

fn clause_at<'a>(
    line: &'a TypedLine<'_>,
    range: Range<usize>,
    reader: &ClauseReader,
) -> Clause<'a> {
    let text = line.text.get(range.clone()).unwrap_or_default();
    let masked = line.masked.get(range.clone()).unwrap_or_default();
    let mut clause = Clause {
        start: range.start,
        ..Clause::of(text, masked, is_asking(line, &range), reader)
    };
    if clause.is_question {
        let end = clause.normal.text.trim_end().len();
        // “…, ok?” asks for nothing but a nod.
        let is_asking = clause.has_any(&[Cue::Question, Cue::Request]);
        let is_tag = |hit: CueHit| {
            let before = clause.normal.text.get(..hit.start).unwrap_or_default();
            let tag = clause.normal.text.get(hit.start..end).unwrap_or_default();
            let is_apart = before.trim_end().ends_with(',') || !is_asking && is_nod(tag.trim());
            hit.end >= end && is_apart
        };
        let is_nod = clause.cues.of(Cue::Tag).any(is_tag);
        clause.is_question = !is_nod;
    }
    clause
}
