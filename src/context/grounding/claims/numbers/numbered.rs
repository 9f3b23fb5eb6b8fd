//! Numbers that are the name of something: `issue 214`.

use crate::context::grounding::fold::{folded_text, word_hash};
use crate::context::grounding::index::SourceIndex;
use crate::context::grounding::quantity::Quantity;

use super::super::places;
use super::super::reader::Finding;

/// What has a number for a name, in lower case.
const NUMBERED: [&str; 12] = [
    "issue",
    "ticket",
    "pr",
    "mr",
    "pull request",
    "merge request",
    "incident",
    "invoice",
    "build",
    "job",
    "pipeline",
    "bug",
];
/// Words before a number that is the name of what was said before.
const LABELS: [&str; 6] = ["nummer", "number", "no", "nr", "num", "id"];
/// Letters of a word before a number that are compared.
const LABEL_LETTERS: usize = 6;

/// Whether a word for what has a number for a name stands before the number.
pub(super) fn is_name(text: &str, quantity: &Quantity) -> bool {
    let before = text.get(..quantity.span.start).unwrap_or_default();
    let after = text.get(quantity.span.end..).unwrap_or_default();
    let Some(label) = before.strip_suffix(' ').map(str::to_lowercase) else {
        return false;
    };
    let is_whole = !after.starts_with(|c: char| c.is_alphanumeric() || c == '-');
    // A small number counts the steps of a list.
    let is_telling = quantity.numeral.digits > 1 && is_whole;
    is_telling
        && NUMBERED.iter().any(|name| {
            let rest = label.strip_suffix(name);
            rest.is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric()))
        })
}

/// Where a number stands as a name: behind a sign of numbers or a word for what has one.
pub(super) fn said(index: &SourceIndex<'_>, written: &str) -> Finding {
    const SIGNS: [char; 6] = ['#', '!', '/', '-', '=', ':'];
    let names = || NUMBERED.iter().chain(&LABELS);
    let place = index.places(word_hash(written)).find(|place| {
        let before = index.line_before(*place);
        let said = before.trim_end_matches([' ', '"', '(', '`', '*']);
        let folded = folded_text(said);
        let ends_so = |name: &&str| {
            let letters = name.len().saturating_sub(LABEL_LETTERS);
            folded.ends_with(name.get(letters..).unwrap_or(name))
        };
        said.ends_with(SIGNS) || names().any(ends_so)
    });
    Finding::of(place)
}

/// Where the source gives a line of a file the number that stands behind a word for a line:
/// `lexer.rs:42:9`, `line 42`, `42 |`.
pub(super) fn place_of_line(
    index: &SourceIndex<'_>,
    text: &str,
    quantity: &Quantity,
) -> Option<usize> {
    let folded = folded_text(text.get(..quantity.span.start)?);
    let mut words = folded
        .trim_end_matches([' ', '#', '`'])
        .rsplit(|c: char| !c.is_alphanumeric());
    let label = words.next()?;
    let is_label = places::LINE_WORDS.iter().any(|word| {
        let plural = label.strip_suffix(['s', 'n']).unwrap_or(label);
        label == *word || plural == *word
    });
    if !quantity.units.is_empty() || !is_label && label != "column" && label != "spalte" {
        return None;
    }
    let written = text.get(quantity.numeral.span.clone())?;
    let mut places = index.places(word_hash(written));
    places.find(|place| {
        let is_gutter = || {
            let rest = index
                .line_from(*place)
                .trim_start_matches(|c: char| c.is_ascii_digit());
            rest.trim_start().starts_with(['|', ':', '│'])
        };
        places::is_of_an_identifier(index, *place) || is_gutter()
    })
}

#[cfg(test)]
mod tests {
    use super::super::open;

    #[test]
    fn the_number_of_an_issue_is_no_count() {
        let source =
            "created #241: capital sharp s; the font has 214 glyphs; pipeline 88123 passed";
        assert_eq!(open(source, "Issue 214 asks for the glyph."), ["214"]);
        assert_eq!(open(source, "Issue 241 asks for the glyph."), [""; 0]);
        assert_eq!(open(source, "Pipeline 88123 passed."), [""; 0]);
    }
}
