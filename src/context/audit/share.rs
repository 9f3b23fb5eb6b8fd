//! How much of what was demanded a text lacks: what code has to write in its place.
//!
//! Demanded are
//! - every section of the template that has no sections of its own: lacking when its heading is
//!   not there, and when nothing is stated under it although the log has something for it;
//! - the identifiers, which together weigh half as much as the sections;
//! - the latest ask where it is not kept beside the summary, as much as a section;
//! - the rules that nothing else carries: each as much as a section, together at most half as
//!   much as the sections.

use crate::context::summary::document::SummaryDocument;
use crate::context::summary::template::{NONE, SectionHeading, SectionRole};
use crate::transcript::AskCheck;

use super::{AuditBasis, AuditOutcome, rules};

/// A text that lacks more than this share of what was demanded, in percent, is mostly code's.
pub const MOSTLY_BY_CODE_PERCENT: u64 = 50;

/// The weight of one section.
const SECTION_WEIGHT: u64 = 100;
/// Longest note in brackets that stands for nothing, in characters.
const MAX_NOTE_CHARS: usize = 12;
/// Words that say that there is nothing.
const NOTHING: [&str; 18] = [
    "", "-", "—", "–", "none", "n/a", "nothing", "keine", "nichts", "aucun", "ninguno", "nessuno",
    "无", "没有", "なし", "없음", "нет", "yok",
];

/// Whether a line of a section says that there is nothing.
fn says_nothing(line: &str) -> bool {
    let said = line.trim_start_matches(['-', '*', '+', '•', ' ', '\t']);
    let said = said.trim().trim_end_matches(['.', '。']);
    let is_note = [('(', ')'), ('（', '）'), ('[', ']')]
        .iter()
        .any(|(open, close)| said.starts_with(*open) && said.ends_with(*close));
    said == NONE
        || NOTHING.contains(&said.to_lowercase().as_str())
        || (is_note && said.chars().nth(MAX_NOTE_CHARS).is_none())
}

/// Whether a line asks instead of stating.
fn asks(line: &str) -> bool {
    line.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '`' | '*' | '"' | ')'))
        .ends_with(['?', '？', '؟'])
}

/// Whether anything is stated under a heading. Only an ask may be a question.
fn states(body: &str, role: SectionRole) -> bool {
    let may_ask = role == SectionRole::PendingAsks;
    body.lines()
        .any(|line| !says_nothing(line) && (may_ask || !asks(line)))
}

/// Whether anything is stated in a section with this heading.
fn is_stated(doc: &SummaryDocument, index: usize, role: SectionRole) -> bool {
    let known = doc.sections.iter().filter(|s| s.known == Some(index));
    known.into_iter().any(|section| states(&section.body, role))
}

/// Whether anything is stated in a section of this role.
pub fn states_any(doc: &SummaryDocument, headings: &[SectionHeading], role: SectionRole) -> bool {
    let with_role = headings.iter().enumerate();
    with_role
        .filter(|(_, heading)| heading.role == role)
        .any(|(index, _)| is_stated(doc, index, role))
}

/// The share of what was demanded that a text lacks, in percent, rounded down. `baseline` is
/// the extractive summary: it says which sections the log has something for. `audit` is the
/// check of the same text.
pub fn lacking_percent(
    basis: &AuditBasis,
    text: &str,
    baseline: &SummaryDocument,
    audit: &AuditOutcome,
) -> u64 {
    let doc = SummaryDocument::parse(text, &basis.headings);
    let (mut demanded, mut lacking) = (0, 0);
    for (index, heading) in basis.headings.iter().enumerate() {
        let next = basis.headings.get(index + 1);
        let is_parent = next.is_some_and(|next| next.level > heading.level);
        if is_parent || heading.role == SectionRole::Identifiers {
            continue;
        }
        demanded += SECTION_WEIGHT;
        let is_there = doc.sections.iter().any(|s| s.known == Some(index));
        let has_source = || is_stated(baseline, index, heading.role);
        if !is_there || (!is_stated(&doc, index, heading.role) && has_source()) {
            lacking += SECTION_WEIGHT;
        }
    }
    let sections = demanded;
    let known = basis.identifiers.len() as u64;
    if let Some(missing) = known.checked_sub(audit.record.identifiers_found)
        && known > 0
    {
        let weight = (sections / 2).max(SECTION_WEIGHT);
        demanded += weight;
        lacking += weight * missing / known;
    }
    if !matches!(audit.record.ask, AskCheck::Unchecked | AskCheck::Verbatim) {
        demanded += SECTION_WEIGHT;
        lacking += SECTION_WEIGHT * u64::from(audit.record.ask == AskCheck::Missing);
    }
    let uncarried = uncarried(basis);
    if uncarried > 0 {
        let weight = (SECTION_WEIGHT * uncarried)
            .min(sections / 2)
            .max(SECTION_WEIGHT);
        demanded += weight;
        lacking += weight * rules::missing(basis, text).len() as u64 / uncarried;
    }
    (lacking * 100).checked_div(demanded).unwrap_or_default()
}

/// Rules that the summary has to say.
fn uncarried(basis: &AuditBasis) -> u64 {
    let rules = basis.rules.iter();
    rules.filter(|rule| !rule.is_in_request("")).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_with_nothing_or_with_questions_alone_states_nothing() {
        for (body, expected) in [
            ("(none)", false),
            ("- (none)", false),
            ("- （无）", false),
            ("n/a", false),
            ("- Were the rules written? Did the user apply them?", false),
            ("", false),
            ("- wrote the rules", true),
            ("(none)\n- wrote the rules", true),
            ("- (the worker was restarted by hand)", true),
        ] {
            assert_eq!(states(body, SectionRole::Done), expected, "{body}");
        }
        assert!(states("- what is next?", SectionRole::PendingAsks));
    }
}
