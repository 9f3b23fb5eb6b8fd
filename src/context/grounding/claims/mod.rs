//! What a line of a summary claims, and where the source says it.

mod actions;
mod asks;
mod attribution;
mod calendar;
mod consent;
mod counts;
mod dates;
mod edited;
mod effects;
mod frames;
mod names;
mod numbers;
mod paths;
mod places;
mod quotes;
mod reader;
mod runs;
mod tokens;
mod vocabulary;

use super::claim::Claim;
use super::fold::folded_text;
use super::index::SourceIndex;
use super::languages::{self, Lexicon};
use super::prose::{LineKind, ProseLine};
use reader::{LineReader, code_spans};
pub(super) use tokens::{hashes, other_number};

use super::claim::UNVERIFIED;

/// The claims of a line, in their order. Marks of an earlier check are read over.
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
    if !line.text.contains(UNVERIFIED) {
        return of_clean_line(index, line, usual);
    }
    let clean = line.text.replace(UNVERIFIED, "");
    let mut claims = of_clean_line(index, &line.with_text(&clean), usual);
    for claim in &mut claims {
        claim.span = with_marks(line.text, claim.span.start, true)
            ..with_marks(line.text, claim.span.end, false);
        line.text
            .get(claim.span.clone())
            .unwrap_or_default()
            .clone_into(&mut claim.text);
    }
    claims
}

/// Where a place of a line without its marks is in the line; a mark at that very place is
/// passed over by what begins there.
fn with_marks(text: &str, place: usize, begins: bool) -> usize {
    let mut shift = 0;
    for (at, mark) in text.match_indices(UNVERIFIED) {
        if at - shift < place || begins && at - shift == place {
            shift += mark.len();
        }
    }
    place + shift
}

fn of_clean_line(
    index: &SourceIndex<'_>,
    line: &ProseLine<'_>,
    usual: &'static Lexicon,
) -> Vec<Claim> {
    let mut reader = LineReader {
        index,
        line,
        language: usual,
        usual,
        code: code_spans(line),
        taken: Vec::new(),
        claims: Vec::new(),
    };
    reader.language = languages::likely(&folded_text(reader.body()), usual);
    frames::read(&mut reader);
    tokens::read(&mut reader);
    dates::read(&mut reader);
    numbers::read(&mut reader);
    if line.kind != LineKind::Code {
        names::read(&mut reader);
        actions::read(&mut reader);
        effects::read(&mut reader);
        edited::read(&mut reader);
        runs::read(&mut reader);
        consent::read(&mut reader);
        asks::read(&mut reader);
        attribution::read(&mut reader);
        quotes::read(&mut reader);
    }
    let mut claims = reader.claims;
    claims.sort_by_key(|claim| (claim.span.start, claim.span.end));
    claims
}
