//! The reader of one line: what of it is claimed already, and what the source has.

use std::ops::Range;

use crate::context::grounding::claim::{Claim, ClaimClass};
use crate::context::grounding::index::SourceIndex;
use crate::context::grounding::languages::Lexicon;
use crate::context::grounding::prose::{LineKind, ProseLine};

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
    pub(super) fn of(place: Option<usize>) -> Self {
        place.map_or(Self::Nowhere, Self::At)
    }

    pub(super) fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::Nowhere { other() } else { self }
    }
}

/// Collects the claims of one line.
pub(super) struct LineReader<'a> {
    pub index: &'a SourceIndex<'a>,
    pub line: &'a ProseLine<'a>,
    pub language: &'static Lexicon,
    /// That of the whole summary.
    pub usual: &'static Lexicon,
    /// Code spans, without their marks.
    pub code: Vec<Range<usize>>,
    /// What is part of a claim, or is none.
    pub taken: Vec<Range<usize>>,
    pub claims: Vec<Claim>,
}

impl<'a> LineReader<'a> {
    pub(super) fn text(&self) -> &'a str {
        self.line.text
    }

    pub(super) fn body(&self) -> &'a str {
        self.line
            .text
            .get(self.line.body.clone())
            .unwrap_or_default()
    }

    /// Where a slice of the line is in it.
    pub(super) fn span_of(&self, slice: &str) -> Range<usize> {
        let base = self.line.text.as_ptr() as usize;
        let at = (slice.as_ptr() as usize).saturating_sub(base);
        at..at + slice.len()
    }

    pub(super) fn is_taken(&self, span: &Range<usize>) -> bool {
        self.taken
            .iter()
            .any(|taken| taken.start < span.end && span.start < taken.end)
    }

    pub(super) fn is_in_code(&self, at: usize) -> bool {
        self.code.iter().any(|code| code.contains(&at))
    }

    pub(super) fn claim(&mut self, span: Range<usize>, class: ClaimClass, finding: Finding) {
        self.note(span.clone(), class, finding);
        self.taken.push(span);
    }

    /// A claim that leaves its words to others.
    pub(super) fn note(&mut self, span: Range<usize>, class: ClaimClass, finding: Finding) {
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

/// The ranges between backticks.
pub(super) fn code_spans(line: &ProseLine<'_>) -> Vec<Range<usize>> {
    if line.kind == LineKind::Code {
        return vec![line.body.clone()];
    }
    let ticks: Vec<usize> = line.text.match_indices('`').map(|(at, _)| at).collect();
    let pairs = ticks.chunks_exact(2);
    pairs.map(|pair| pair[0] + 1..pair[1]).collect()
}
