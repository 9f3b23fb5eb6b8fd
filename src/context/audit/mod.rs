//! Checks a summary against what it stands for: headings, identifiers, rules, claims, the
//! latest ask, secrets, length. Says what is wrong; [`mend`] repairs what code can repair.

mod failures;
mod identifiers;
pub mod keywords;
pub mod language;
pub mod mend;
mod rules;
pub mod share;

use crate::transcript::{AskCheck, AuditRecord, EntryId};

use super::grounding::Grounding;
use super::identifiers::{Aliases, Identifier};
use super::redact;
use super::summary::document::{SummaryDocument, SummarySection};
use super::summary::template::{SectionHeading, SectionRole};
use super::summary::{MAX_BODY_CHARS, excerpt};
pub use identifiers::{AlteredIdentifier, SuspectToken, suspects};
use language::TextLanguage;
pub use rules::{RuleCarrier, RuleDemand};

/// A heading is missing or out of order.
pub const MISSING_SECTION: &str = "missing_section";
/// A heading occurs twice.
pub const DUPLICATE_SECTION: &str = "duplicate_section";
/// Identifiers are missing.
pub const MISSING_IDENTIFIERS: &str = "missing_identifiers";
/// An identifier was altered.
pub const ALTERED_IDENTIFIER: &str = "altered_identifier";
/// The latest ask is not reflected.
pub const ASK_NOT_REFLECTED: &str = "latest_user_ask_not_reflected";
/// Longer than what it summarises, or than a summary may be.
pub const TOO_LONG: &str = "too_long";
/// Says nothing.
pub const EMPTY: &str = "empty";
/// The answer did not end normally, or breaks off.
pub const NOT_ENDED: &str = "not_ended";
/// Not in the language of the conversation.
pub const WRONG_LANGUAGE: &str = "wrong_language";
/// A part of it is not in the language of the conversation.
pub const PARTLY_WRONG_LANGUAGE: &str = "partly_wrong_language";
/// Holds a secret.
pub const SECRET: &str = "secret";
/// Rules that nothing else in the next request says are missing.
pub const MISSING_RULES: &str = "missing_rules";
/// Says nothing of the standing rules.
pub const RULES_NOT_TOLD: &str = "rules_not_told";
/// Says what nothing in the conversation says.
pub const UNGROUNDED: &str = "ungrounded";
/// Names no failure although the newest ones were not put right.
pub const FAILURES_NOT_TOLD: &str = "failures_not_told";

/// Source size, in tokens, from which a summary must be shorter than its source.
const TOO_LONG_FROM_TOKENS: u64 = 2_000;
/// From this many keywords of the ask on, [`MANY_KEYWORD_HITS`] must occur, else one.
const MANY_KEYWORDS: usize = 3;
/// Keywords that must occur when the ask has many: two, and one of so many.
const MANY_KEYWORD_HITS: usize = 2;
const KEYWORDS_PER_HIT: usize = 3;

/// So many of the last headings are missing from a text that was cut off: two, and one of so
/// many.
const MIN_LOST_HEADINGS: usize = 2;
const HEADINGS_PER_LOST: usize = 4;

/// The user's last message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LatestAsk {
    /// The text.
    pub text: String,
    /// The message, when it is in the log.
    pub entry: Option<EntryId>,
    /// It is kept verbatim after the summary, which then need not reflect it.
    pub in_tail: bool,
}

/// The facts that a summary is checked against: gathered once per compaction.
#[derive(Clone, Debug, Default)]
pub struct AuditBasis {
    /// The template's headings.
    pub headings: Vec<SectionHeading>,
    /// Identifiers that must be there verbatim; empty when the policy is off.
    pub identifiers: Vec<Identifier>,
    /// How many of these, from the first on, a short text has to carry as well.
    pub identifiers_fixed: usize,
    /// Distinct identifiers in what is summarised, those that need not be there included.
    pub identifiers_known: u64,
    /// Identifiers that the summary before had to carry and this one need not.
    pub identifiers_left: u64,
    /// The latest ask.
    pub ask: Option<LatestAsk>,
    /// Estimated tokens of everything that is summarised.
    pub source_tokens: u64,
    /// The language of the conversation, where it is plain.
    pub language: Option<TextLanguage>,
    /// Secrets that must not occur, whatever is around them.
    pub secrets: redact::KnownSecrets,
    /// Identifiers are written as these; empty unless they are anonymised.
    pub aliases: Aliases,
    /// Active rules of the person, oldest first.
    pub rules: Vec<RuleDemand>,
}

impl AuditBasis {
    /// Whether a text of so many tokens is longer than what it stands for.
    fn is_shorter_than(&self, tokens: u64) -> bool {
        self.source_tokens > TOO_LONG_FROM_TOKENS && tokens > self.source_tokens
    }
}

/// One thing that is wrong, or was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditFinding {
    /// Reason code, e.g. [`MISSING_IDENTIFIERS`].
    pub code: &'static str,
    /// The problem, in one clause.
    pub text: String,
    /// The message it comes from, when there is one.
    pub source: Option<EntryId>,
    /// Whether code put it right.
    pub mended: bool,
}

/// The outcome of a check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AuditOutcome {
    /// Numbers and reason codes, as they go into the log.
    pub record: AuditRecord,
    /// Each thing that is wrong.
    pub findings: Vec<AuditFinding>,
    /// Identifiers that were altered.
    pub altered: Vec<AlteredIdentifier>,
    /// Size of the summary.
    pub tokens: u64,
    /// The claims of the summary, looked up in the conversation.
    pub grounding: Grounding,
    /// Lines of the summary that tell of a failure, normalised.
    told_failures: Vec<String>,
}

impl AuditOutcome {
    /// Rank among attempts: lower is better. A secret outweighs everything else.
    pub fn badness(&self) -> u64 {
        /// No other findings add up to this.
        const SECRET_WEIGHT: u64 = 1_000_000;
        self.record.secrets * SECRET_WEIGHT
            + self.record.missing.len() as u64
            + self.findings.len() as u64
    }

    /// Whether the text is not a summary at all, as an answer to the conversation is none:
    /// not one of the headings is there.
    pub fn is_no_summary(&self) -> bool {
        self.record.sections_found == 0 && self.record.sections_total > 0
    }

    /// Takes in what became of the claims of the text.
    pub fn add_grounding(&mut self, grounding: Grounding) {
        self.record.claims_total = grounding.claims.len() as u64;
        let ungrounded: Vec<String> = grounding
            .ungrounded()
            .map(|claim| format!("`{}` ({}) was never said", claim.text, claim.class.name()))
            .collect();
        self.record.claims_grounded = self.record.claims_total - ungrounded.len() as u64;
        for what in ungrounded {
            self.note(UNGROUNDED, what, None);
        }
        self.grounding = grounding;
        self.record.passed = self.findings.is_empty();
    }

    /// Takes in that no failure is named where failures belong although some were not put right.
    /// One that another section tells is told.
    pub fn add_untold_failure(&mut self, failure: &str) {
        if failures::is_told(&self.told_failures, failure) {
            return;
        }
        let what = format!("nothing is said of what still fails: {failure}");
        self.note(FAILURES_NOT_TOLD, what, None);
        self.record.passed = false;
    }

    fn note(&mut self, code: &'static str, text: String, source: Option<EntryId>) {
        if !self.record.reasons.iter().any(|known| known == code) {
            self.record.reasons.push(code.to_owned());
        }
        self.findings.push(AuditFinding {
            code,
            text,
            source,
            mended: false,
        });
    }
}

/// Checks a summary. `tokens` is its own size; `occurs` says whether a text was said anywhere,
/// in the source, beside it or before it, so that a real neighbour is not taken for a
/// misspelling.
pub fn check(
    basis: &AuditBasis,
    text: &str,
    tokens: u64,
    occurs: &dyn Fn(&str) -> bool,
) -> AuditOutcome {
    let mut audit = AuditOutcome {
        record: AuditRecord {
            ..AuditRecord::default()
        },
        tokens,
        told_failures: failures::told_in(text),
        ..AuditOutcome::default()
    };
    if text.trim().is_empty() {
        audit.note(EMPTY, "the summary is empty".to_owned(), None);
    }
    check_sections(basis, text, &mut audit);
    identifiers::check(basis, text, occurs, &mut audit);
    rules::check(basis, text, &mut audit);
    check_ask(basis, text, &mut audit);
    check_language(basis, text, &mut audit);
    audit.record.secrets = basis.secrets.count_in(text) as u64;
    if audit.record.secrets > 0 {
        let count = audit.record.secrets;
        audit.note(SECRET, format!("holds {count} secret(s)"), None);
    }
    check_length(basis, text, &mut audit);
    audit.record.passed = audit.findings.is_empty();
    audit
}

fn check_length(basis: &AuditBasis, text: &str, audit: &mut AuditOutcome) {
    let tokens = audit.tokens;
    if basis.is_shorter_than(tokens) {
        let source = basis.source_tokens;
        let what = format!("~{tokens} tokens summarise ~{source}");
        audit.note(TOO_LONG, what, None);
    } else if excerpt::is_longer(text, MAX_BODY_CHARS) {
        let chars = text.chars().count();
        let what = format!("{chars} characters; {MAX_BODY_CHARS} are stored");
        audit.note(TOO_LONG, what, None);
    }
}

/// Whether a text looks cut: the last headings of the template are missing, all before them
/// are there, and the last line does not end like a whole one.
fn breaks_off(doc: &SummaryDocument, headings: &[SectionHeading], text: &str) -> bool {
    let known = doc.sections.iter().filter_map(|section| section.known);
    let Some(last) = known.max() else {
        return false;
    };
    let is_last = |section: &&SummarySection| section.known == Some(last);
    let ends_with_it = doc.sections.last().is_some_and(|s| is_last(&s));
    let before = (0..last).all(|index| doc.sections.iter().any(|s| s.known == Some(index)));
    let ends_whole = text.trim_end().ends_with(|c: char| {
        !c.is_alphanumeric() && !matches!(c, ',' | ';' | '-' | '/' | '(' | '、' | '，' | '；')
    });
    let missing = headings.len().saturating_sub(last + 1);
    // A model that forgets the last heading has not been cut off.
    let is_cut = missing >= MIN_LOST_HEADINGS.max(headings.len() / HEADINGS_PER_LOST);
    is_cut && before && ends_with_it && !ends_whole
}

fn check_language(basis: &AuditBasis, text: &str, audit: &mut AuditOutcome) {
    let Some(wanted) = basis.language else {
        return;
    };
    let name = |language: TextLanguage| language.name().unwrap_or("Latin script");
    let (whose, own) = (name(wanted), language::of_summary(text));
    if let Some(written) = own.filter(|written| written.differs_from(wanted)) {
        let what = format!(
            "written in {}, the conversation is in {whose}",
            name(written)
        );
        audit.note(WRONG_LANGUAGE, what, None);
        return;
    }
    let doc = SummaryDocument::parse(text, &basis.headings);
    let bodies = doc.sections.iter().map(|section| section.body.as_str());
    if let Some(written) = language::foreign_part(bodies, wanted) {
        let what = format!(
            "partly written in {}, the conversation is in {whose}",
            name(written)
        );
        audit.note(PARTLY_WRONG_LANGUAGE, what, None);
    }
}

fn check_sections(basis: &AuditBasis, text: &str, audit: &mut AuditOutcome) {
    let doc = SummaryDocument::parse(text, &basis.headings);
    if breaks_off(&doc, &basis.headings, text) {
        let what = "the text breaks off before the last headings".to_owned();
        audit.note(NOT_ENDED, what, None);
    }
    audit.record.sections_total = basis.headings.len() as u64;
    let order: Vec<usize> = doc.sections.iter().filter_map(|s| s.known).collect();
    let mut latest = 0;
    for (index, heading) in basis.headings.iter().enumerate() {
        let count = order.iter().filter(|known| **known == index).count();
        let title = &heading.title;
        match count {
            0 => audit.note(MISSING_SECTION, format!("no heading “{title}”"), None),
            1 => audit.record.sections_found += 1,
            _ => {
                audit.record.sections_found += 1;
                let what = format!("heading “{title}” stands there {count} times");
                audit.note(DUPLICATE_SECTION, what, None);
            }
        }
        if let Some(at) = order.iter().position(|known| *known == index) {
            if at < latest {
                let what = format!("heading “{title}” is out of order");
                audit.note(MISSING_SECTION, what, None);
            }
            latest = latest.max(at);
        }
    }
}

fn check_ask(basis: &AuditBasis, text: &str, audit: &mut AuditOutcome) {
    let Some(ask) = &basis.ask else {
        return;
    };
    if ask.in_tail {
        audit.record.ask = AskCheck::Verbatim;
        return;
    }
    audit.record.ask = AskCheck::Reflected;
    if let Err(what) = reflects(basis, ask, text) {
        audit.record.ask = AskCheck::Missing;
        audit.note(ASK_NOT_REFLECTED, what, ask.entry.clone());
    }
}

/// Sections in which an ask that is open would be, where the template has one of them.
const OPEN_ROLES: [SectionRole; 4] = [
    SectionRole::Goal,
    SectionRole::PendingAsks,
    SectionRole::InProgress,
    SectionRole::NextSteps,
];

/// The part of a summary that tells what is open; all of it where the template has no
/// section for that.
fn open_part(basis: &AuditBasis, text: &str) -> String {
    let doc = SummaryDocument::parse(text, &basis.headings);
    let is_open = |section: &&SummarySection| {
        let heading = section.known.and_then(|index| basis.headings.get(index));
        heading.is_some_and(|heading| OPEN_ROLES.contains(&heading.role))
    };
    let has_role = |heading: &SectionHeading| OPEN_ROLES.contains(&heading.role);
    if !basis.headings.iter().any(has_role) {
        return text.to_owned();
    }
    // Identifiers and asks that a template has no heading for are put behind the others.
    let own = doc
        .sections
        .iter()
        .filter(|section| section.known.is_none());
    let open = doc.sections.iter().filter(is_open).chain(own);
    let bodies: Vec<&str> = open.map(|section| section.body.as_str()).collect();
    bodies.join("\n")
}

/// Whether enough keywords of an ask occur where open work is told; else what is wrong.
fn reflects(basis: &AuditBasis, ask: &LatestAsk, text: &str) -> Result<(), String> {
    let words = keywords::keywords(&ask.text);
    let open = keywords::normalize(&open_part(basis, text));
    let hits = words.iter().filter(|word| open.contains(*word)).count();
    let needed = match words.len() {
        0 => 0,
        n if n >= MANY_KEYWORDS => MANY_KEYWORD_HITS.max(n / KEYWORDS_PER_HIT),
        _ => 1,
    };
    if hits >= needed {
        return Ok(());
    }
    Err(format!(
        "the latest ask is not reflected: {hits} of its keywords ({}) occur",
        words.join(", ")
    ))
}

#[cfg(test)]
mod tests;
