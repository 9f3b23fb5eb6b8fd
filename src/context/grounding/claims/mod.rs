//! What a line of a summary claims, and where the source says it.

mod actions;
mod counts;
mod dates;
mod names;
mod numbers;
mod tokens;

use std::ops::Range;

use super::fold::folded_text;
use super::index::SourceIndex;
use super::languages::{self, Lexicon};
use super::prose::{LineKind, ProseLine};
use super::{Claim, ClaimClass};
pub(super) use tokens::{hashes, other_number};

/// What the source has for a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// It stands at this place.
    At(usize),
    /// It follows from what is there.
    Follows,
    /// It is nowhere.
    Nowhere,
}

impl Finding {
    fn of(place: Option<usize>) -> Self {
        place.map_or(Self::Nowhere, Self::At)
    }

    fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::Nowhere { other() } else { self }
    }
}

/// Collects the claims of one line.
struct LineReader<'a> {
    index: &'a SourceIndex<'a>,
    line: &'a ProseLine<'a>,
    language: &'static Lexicon,
    /// Code spans, without their marks.
    code: Vec<Range<usize>>,
    /// What is part of a claim, or is none.
    taken: Vec<Range<usize>>,
    claims: Vec<Claim>,
}

/// What follows a claim that was marked before.
pub(super) const UNVERIFIED: &str = " [unverified]";

/// The claims of a line, in their order.
///
/// `usual` is the language of the whole summary.
pub(super) fn of_line(
    index: &SourceIndex<'_>,
    line: &ProseLine<'_>,
    usual: &'static Lexicon,
) -> Vec<Claim> {
    if matches!(
        line.kind,
        LineKind::Heading | LineKind::Blank | LineKind::Rule
    ) {
        return Vec::new();
    }
    let mut reader = LineReader {
        index,
        line,
        language: usual,
        code: code_spans(line),
        taken: Vec::new(),
        claims: Vec::new(),
    };
    reader.language = languages::likely(&folded_text(reader.body()), usual);
    reader.skip_marks();
    tokens::read(&mut reader);
    dates::read(&mut reader);
    numbers::read(&mut reader);
    if line.kind != LineKind::Code {
        names::read(&mut reader);
        actions::read(&mut reader);
    }
    let mut claims = reader.claims;
    claims.sort_by_key(|claim| (claim.span.start, claim.span.end));
    claims
}

/// The ranges between backticks.
fn code_spans(line: &ProseLine<'_>) -> Vec<Range<usize>> {
    if line.kind == LineKind::Code {
        return vec![line.body.clone()];
    }
    let ticks: Vec<usize> = line.text.match_indices('`').map(|(at, _)| at).collect();
    let pairs = ticks.chunks_exact(2);
    pairs.map(|pair| pair[0] + 1..pair[1]).collect()
}

impl<'a> LineReader<'a> {
    fn text(&self) -> &'a str {
        self.line.text
    }

    fn body(&self) -> &'a str {
        self.line
            .text
            .get(self.line.body.clone())
            .unwrap_or_default()
    }

    /// Where a slice of the line is in it.
    fn span_of(&self, slice: &str) -> Range<usize> {
        let base = self.line.text.as_ptr() as usize;
        let at = (slice.as_ptr() as usize).saturating_sub(base);
        at..at + slice.len()
    }

    fn skip_marks(&mut self) {
        let marks = self.text().match_indices(UNVERIFIED.trim_start());
        let ranges = marks.map(|(at, mark)| at..at + mark.len());
        self.taken.extend(ranges);
    }

    fn is_taken(&self, span: &Range<usize>) -> bool {
        self.taken
            .iter()
            .any(|taken| taken.start < span.end && span.start < taken.end)
    }

    fn is_in_code(&self, at: usize) -> bool {
        self.code.iter().any(|code| code.contains(&at))
    }

    fn claim(&mut self, span: Range<usize>, class: ClaimClass, finding: Finding) {
        self.note(span.clone(), class, finding);
        self.taken.push(span);
    }

    /// A claim that leaves its words to others.
    fn note(&mut self, span: Range<usize>, class: ClaimClass, finding: Finding) {
        let Some(text) = self.line.text.get(span.clone()) else {
            return;
        };
        self.claims.push(Claim {
            text: text.to_owned(),
            class,
            line: self.line.number,
            is_grounded: finding != Finding::Nowhere,
            source: match finding {
                Finding::At(place) => self.index.entry_at(place),
                Finding::Follows | Finding::Nowhere => None,
            },
            span,
        });
    }
}
