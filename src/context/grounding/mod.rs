//! Whether a summary says what was said: claims of its text are looked up in the
//! conversation.
//!
//! A claim is a path, an identifier, a symbol, a number with its unit, money, a percentage,
//! a version, a date, the name of a person, host or product, a count of tests, an action
//! that cannot be undone and is said to be done, a permission that somebody is said to have
//! given, or who is said to have wanted something. Planned, negated, conditional and asked-for
//! actions claim nothing.

mod claim;
mod claims;
mod flags;
mod fold;
mod index;
mod languages;
mod marked;
mod owned_index;
mod prose;
mod quantity;
mod strike;
mod worthless;

use std::collections::BTreeSet;

use crate::context::redact;
use crate::parallel;
pub use claim::{Claim, ClaimClass, Grounding, GroundingSources, StruckText, Worthless};
pub use index::SourceIndex;
pub use marked::without_unverified;
pub use owned_index::{OwnedSourceIndex, OwnedSources};

/// Looks up the claims of a summary.
pub fn check(summary: &str, sources: GroundingSources<'_>) -> Grounding {
    check_with(&SourceIndex::of(sources), summary)
}

/// Looks up the claims of a summary in sources that were read before.
pub fn check_with(index: &SourceIndex<'_>, summary: &str) -> Grounding {
    // What stands for a secret claims nothing.
    let blank = " ".repeat(redact::PLACEHOLDER.len());
    let summary = summary.replace(redact::PLACEHOLDER, &blank);
    let lines = prose::lines(&summary);
    let english = languages::english();
    let told = lines
        .iter()
        .filter(|line| line.kind == prose::LineKind::Prose);
    let told: Vec<&str> = told.map(|line| line.text).collect();
    let usual = languages::likely(&fold::folded_text(&told.join("\n")), english);
    let mut claims = claims_of(index, &lines, usual);
    // A line that somebody said word for word invents no figure, however it is read. That an
    // action was done or permitted takes more than the words of an answer.
    let is_act = |class| {
        matches!(
            class,
            ClaimClass::DoneAction | ClaimClass::Effect | ClaimClass::Permission
        )
    };
    let is_open = |claim: &Claim| !claim.is_grounded && !is_act(claim.class);
    let told: Vec<&str> = summary.lines().map(without_bullet).collect();
    let line_of = |claim: &Claim| told.get(claim.line).copied().unwrap_or_default();
    let open: BTreeSet<&str> = claims
        .iter()
        .filter(|it| is_open(it))
        .map(line_of)
        .collect();
    let said = index.said_verbatim(&open);
    for claim in claims.iter_mut().filter(|claim| is_open(claim)) {
        claim.is_grounded = said.contains(line_of(claim));
    }
    said_in_pieces(index, &summary, &mut claims, &is_open);
    Grounding { claims }
}

/// The claims of lines: each line is read by itself, those of a long text in two halves at the
/// same time.
fn claims_of(
    index: &SourceIndex<'_>,
    lines: &[prose::ProseLine<'_>],
    usual: &'static languages::Lexicon,
) -> Vec<Claim> {
    /// Fewer lines are read faster than they are given to another thread.
    const MIN_LINES_TO_HALVE: usize = 16;
    let of = |lines: &[prose::ProseLine<'_>]| -> Vec<Claim> {
        let claims = lines.iter();
        let claims = claims.flat_map(|line| claims::of_line(index, line, usual));
        claims.collect()
    };
    if lines.len() < MIN_LINES_TO_HALVE {
        return of(lines);
    }
    let (first, second) = lines.split_at(lines.len() / 2);
    let (second, mut first) = parallel::both(|| of(second), || of(first));
    first.extend(second);
    first
}

/// Takes amounts of flags and names that are cut for said where the source has them.
fn said_in_pieces(
    index: &SourceIndex<'_>,
    summary: &str,
    claims: &mut [Claim],
    is_open: &dyn Fn(&Claim) -> bool,
) {
    let lines: Vec<&str> = summary.lines().collect();
    let cut_of = |claim: &Claim| flags::cut_name(lines.get(claim.line)?, claim);
    let open: Vec<Claim> = claims.iter().filter(|it| is_open(it)).cloned().collect();
    let spelt = |text: &str| flags::flag_spellings(text);
    let others: Vec<String> = open.iter().flat_map(|claim| spelt(&claim.text)).collect();
    let texts = open.iter().map(|claim| claim.text.as_str());
    let amounts = texts.chain(others.iter().map(String::as_str));
    let amounts = flags::said_by_flags(index, &amounts.filter(|it| flags::is_amount(it)).collect());
    let heads = flags::said_in_part(index, &open.iter().filter_map(cut_of).collect());
    for claim in claims.iter_mut().filter(|claim| is_open(claim)) {
        let is_cut = cut_of(claim).is_some_and(|head| heads.contains(head));
        let is_said = |text: &str| amounts.contains(text);
        claim.is_grounded =
            is_cut || is_said(&claim.text) || spelt(&claim.text).iter().any(|text| is_said(text));
    }
}

/// The words of a line, without the mark of a list and the white space around them.
fn without_bullet(line: &str) -> &str {
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '-' | '*' | '•');
    line.trim_start_matches(is_mark).trim_end()
}

/// Takes sentences with ungrounded hard claims out of a summary, or the clause where the
/// rest stands on its own, and marks the soft ones. Headings stay; a section that has
/// nothing left says `(none)`.
pub fn strike(summary: &str, grounding: &Grounding) -> StruckText {
    strike::strike(summary, grounding)
}

/// Whether a text declines to summarise, or asks for the conversation.
pub fn declines(text: &str) -> bool {
    worthless::declines(text)
}

/// Whether a text is no summary of the conversation, whoever asked for it.
pub fn worthless(summary: &str, sources: GroundingSources<'_>) -> Option<Worthless> {
    worthless_with(&SourceIndex::of(sources), summary, sources)
}

/// [`worthless()`] with sources that were read before.
pub fn worthless_with(
    index: &SourceIndex<'_>,
    summary: &str,
    sources: GroundingSources<'_>,
) -> Option<Worthless> {
    worthless::judge(index, summary, sources)
}
