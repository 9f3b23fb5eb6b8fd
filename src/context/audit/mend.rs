//! Puts right what code can put right in a summary: headings, identifiers, the latest
//! ask, length. Deterministic, and it says what it did. An empty, unfinished or
//! secret-bearing summary is not repaired: it failed.

use crate::context::identifiers::{Identifier, list_chars, list_lines, replace_whole};
use crate::context::summary::document::{self, SummaryDocument, SummarySection};
use crate::context::summary::template::{
    CONSTRAINTS, IDENTIFIERS, NONE, PENDING_ASKS, SectionHeading, SectionRole,
};
use crate::context::summary::{MAX_BODY_CHARS, excerpt};

use super::{AuditBasis, AuditOutcome, RuleDemand, reflects, rules};

/// Longest ask that is put into a summary, in characters.
const MAX_ASK_CHARS: usize = 800;
/// Characters of Markdown around a heading or a line.
const LINE_MARKUP_CHARS: usize = 5;
/// Most characters of words that are quoted beside appended identifiers.
const QUOTE_CHARS: usize = 600;
/// The marks before an item of a list.
const BULLETS: [char; 3] = ['-', '*', ' '];
/// The line that counts the identifiers that found no room, around the count.
const LEFT_BEGINS: &str = "- (";
const LEFT_ENDS: &str = " older ones are only in the log)";
/// A summary that was longer than its source is cut to this share of it, in percent.
const SHARE_OF_SOURCE: u64 = 90;

/// A repaired summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MendedSummary {
    /// The text, at most [`MAX_BODY_CHARS`] characters.
    pub text: String,
    /// Repairs, one clause each.
    pub clauses: Vec<String>,
}

/// Repairs what `audit` found in `text`. A heading that is missing is filled from `baseline`,
/// the extractive summary.
pub fn mend(
    basis: &AuditBasis,
    text: &str,
    audit: &AuditOutcome,
    baseline: &SummaryDocument,
) -> MendedSummary {
    let MendedSummary { text, mut clauses } = correct(text, audit);
    let mut doc = ordered(
        &SummaryDocument::parse(&text, &basis.headings),
        baseline,
        basis,
        &mut clauses,
    );
    let rules = rules::missing(basis, &doc.render());
    if !rules.is_empty() {
        append_rules(&mut doc, basis, &rules);
        clauses.push(format!("appended {} missing rule(s)", rules.len()));
    }
    let asked = basis.ask.as_ref().filter(|ask| !ask.in_tail);
    if asked.is_some_and(|ask| reflects(basis, ask, &doc.render()).is_err()) {
        append_ask(&mut doc, basis);
        clauses.push("appended the latest ask".to_owned());
    }
    let mut limit = MAX_BODY_CHARS;
    if basis.is_shorter_than(audit.tokens) {
        limit = limit.min(chars_within(basis, &text, audit));
        clauses.push("cut a summary that was longer than its source".to_owned());
    } else if excerpt::is_longer(&text, MAX_BODY_CHARS) {
        clauses.push(format!("cut to {MAX_BODY_CHARS} characters"));
    }
    let missing = missing_in(basis, &doc.render());
    if !missing.is_empty() {
        append_identifiers(&mut doc, basis, &missing, QUOTE_CHARS);
        let count = missing.len();
        clauses.push(format!("appended {count} missing identifier(s)"));
    }
    let text = fit(basis, &doc.render(), limit);
    MendedSummary { text, clauses }
}

/// The characters that a text may have to be smaller than its source. Whatever its
/// script: by the tokens that it has now.
fn chars_within(basis: &AuditBasis, text: &str, audit: &AuditOutcome) -> usize {
    let chars = text.chars().count() as u64;
    let wanted = basis.source_tokens.saturating_mul(SHARE_OF_SOURCE) / 100;
    (chars.saturating_mul(wanted) / audit.tokens.max(1)) as usize
}

/// Cuts a text to `limit` characters by section. Identifiers that the cut would lose are
/// listed again, without their lines, and an ask that it would lose is.
pub fn fit(basis: &AuditBasis, text: &str, limit: usize) -> String {
    if !excerpt::is_longer(text, limit) {
        return text.to_owned();
    }
    let all: Vec<&Identifier> = basis.identifiers.iter().collect();
    // Whichever of them a cut loses: each on a line of its own at worst.
    let lone = all.len() * LINE_MARKUP_CHARS;
    let listed = list_chars(&list_lines(&all, 0)) + lone;
    let ask = basis.ask.as_ref().filter(|ask| !ask.in_tail);
    let asked = ask.map_or(0, |_| {
        MAX_ASK_CHARS + PENDING_ASKS.len() + 2 * LINE_MARKUP_CHARS
    });
    let ruled = basis.rules.iter().filter(|rule| !rule.is_in_request(""));
    let ruled: usize = ruled
        .map(|rule| rule.text.chars().count() + LINE_MARKUP_CHARS)
        .sum();
    let reserve = listed + IDENTIFIERS.len() + LINE_MARKUP_CHARS + asked + ruled;
    let limit = limit.max(2 * reserve).min(MAX_BODY_CHARS);
    let cut = document::trim_by_section(text, &basis.headings, limit.saturating_sub(reserve));
    let missing = missing_in(basis, &cut);
    let mut doc = SummaryDocument::parse(&cut, &basis.headings);
    append_identifiers(&mut doc, basis, &missing, 0);
    let lost = rules::missing(basis, &doc.render());
    append_rules(&mut doc, basis, &lost);
    if ask.is_some_and(|ask| reflects(basis, ask, &doc.render()).is_err()) {
        append_ask(&mut doc, basis);
    }
    doc.render()
}

fn missing_in<'a>(basis: &'a AuditBasis, text: &str) -> Vec<&'a Identifier> {
    let folded = text.to_lowercase();
    basis
        .identifiers
        .iter()
        .filter(|id| !id.is_in(text, &folded))
        .collect()
}

/// Puts right the identifiers that `audit` found altered.
pub fn correct(text: &str, audit: &AuditOutcome) -> MendedSummary {
    let mut out = MendedSummary {
        text: text.to_owned(),
        clauses: Vec::new(),
    };
    for altered in &audit.altered {
        let (written, real) = (&altered.written, &altered.real);
        out.text = replace_whole(&out.text, written, real);
        let source = altered.source.as_ref();
        let source = source.map_or_else(String::new, |entry| format!(" (said in {entry})"));
        out.clauses
            .push(format!("corrected `{written}` to `{real}`{source}"));
    }
    out
}

/// Every heading of the template once and in order; sections that it does not know
/// follow, except that the beginning of a split turn stays last.
fn ordered(
    doc: &SummaryDocument,
    baseline: &SummaryDocument,
    basis: &AuditBasis,
    clauses: &mut Vec<String>,
) -> SummaryDocument {
    let mut sections = Vec::new();
    let (mut added, mut filled) = (Vec::new(), Vec::new());
    let mut merged = 0;
    for (index, heading) in basis.headings.iter().enumerate() {
        let mut bodies = Vec::new();
        let mut count = 0;
        for section in doc.sections.iter().filter(|s| s.known == Some(index)) {
            count += 1;
            if !section.body.trim().is_empty() && !bodies.contains(&section.body.as_str()) {
                bodies.push(section.body.as_str());
            }
        }
        if count == 0 {
            match from_log(baseline, index) {
                Some(body) => {
                    bodies.push(body);
                    filled.push(heading.title.as_str());
                }
                None => added.push(heading.title.as_str()),
            }
        }
        merged += usize::from(count > 1);
        let body = if bodies.is_empty() && !has_children(&basis.headings, index) {
            NONE.to_owned()
        } else {
            document::close_fence(&bodies.join("\n"))
        };
        sections.push(SummarySection {
            known: Some(index),
            level: heading.level,
            title: heading.title.clone(),
            body,
        });
    }
    if !filled.is_empty() {
        clauses.push(format!("filled from the log: {}", filled.join(", ")));
    }
    if !added.is_empty() {
        clauses.push(format!("added empty heading(s): {}", added.join(", ")));
    }
    if merged > 0 {
        clauses.push(format!("merged {merged} doubled heading(s)"));
    }
    let order: Vec<usize> = doc.sections.iter().filter_map(|s| s.known).collect();
    if !order.is_sorted() {
        clauses.push("put the headings in order".to_owned());
    }
    for section in doc.sections.iter().filter(|s| s.known.is_none()) {
        sections.push(SummarySection {
            body: document::close_fence(&section.body),
            ..section.clone()
        });
    }
    SummaryDocument {
        preamble: document::close_fence(&doc.preamble),
        sections,
    }
}

/// What the extractive summary says under a heading, when it says anything.
fn from_log(baseline: &SummaryDocument, index: usize) -> Option<&str> {
    let known = |section: &&SummarySection| section.known == Some(index);
    let body = baseline.sections.iter().find(known)?.body.as_str();
    (!body.is_empty() && body != NONE).then_some(body)
}

fn append_rules(doc: &mut SummaryDocument, basis: &AuditBasis, missing: &[&RuleDemand]) {
    if missing.is_empty() {
        return;
    }
    let lines: Vec<String> = missing
        .iter()
        .map(|rule| format!("- {}", rule.text))
        .collect();
    let lines = lines.join("\n");
    append_lines(doc, basis, SectionRole::Constraints, CONSTRAINTS, &lines);
}

fn has_children(headings: &[SectionHeading], index: usize) -> bool {
    match (headings.get(index), headings.get(index + 1)) {
        (Some(own), Some(next)) => next.level > own.level,
        _ => false,
    }
}

fn append_ask(doc: &mut SummaryDocument, basis: &AuditBasis) {
    let Some(ask) = &basis.ask else { return };
    // Before the cut, because half a secret is not recognised; and after the lines are
    // joined, because a label may now be beside its value.
    let clean = basis.secrets.redact(&ask.text);
    let line = excerpt::one_line(
        &excerpt::head_and_tail(clean.trim(), MAX_ASK_CHARS),
        MAX_ASK_CHARS,
    );
    let clean = excerpt::ellipsized(&basis.secrets.redact(&line), MAX_ASK_CHARS);
    let line = format!("- {clean}");
    append_lines(doc, basis, SectionRole::PendingAsks, PENDING_ASKS, &line);
}

fn append_identifiers(
    doc: &mut SummaryDocument,
    basis: &AuditBasis,
    missing: &[&Identifier],
    quote_chars: usize,
) {
    if missing.is_empty() {
        return;
    }
    let mut lines = list_lines(missing, quote_chars);
    lines.extend(left_line(basis.identifiers_left));
    let text = basis.secrets.redact(&lines.join("\n")).into_owned();
    append_lines(doc, basis, SectionRole::Identifiers, IDENTIFIERS, &text);
}

/// What the list says of the identifiers that earlier ones had and that found no room.
pub fn left_line(left: u64) -> Option<String> {
    (left > 0).then(|| format!("{LEFT_BEGINS}{left}{LEFT_ENDS}"))
}

/// Whether a line of a summary is one of these.
pub fn is_left_line(line: &str) -> bool {
    let count = line.strip_prefix(LEFT_BEGINS);
    let count = count.and_then(|rest| rest.strip_suffix(LEFT_ENDS));
    count.is_some_and(|count| count.parse::<u64>().is_ok())
}

fn append_lines(
    doc: &mut SummaryDocument,
    basis: &AuditBasis,
    role: SectionRole,
    title: &str,
    lines: &str,
) {
    let at = doc.find(&basis.headings, role, title).unwrap_or_else(|| {
        doc.sections.push(SummarySection {
            known: None,
            level: 2,
            title: title.to_owned(),
            body: String::new(),
        });
        doc.sections.len() - 1
    });
    if let Some(section) = doc.sections.get_mut(at) {
        let said = section.body.trim().trim_start_matches(BULLETS);
        let is_none = said.is_empty() || said == NONE;
        section.body = if is_none {
            lines.to_owned()
        } else {
            format!("{}\n{lines}", section.body)
        };
    }
}
