//! Checks a summary against what it stands for: headings, identifiers, the latest
//! ask, secrets, length. Says what is wrong; [`mend`] repairs what code can repair.

mod identifiers;
pub mod keywords;
pub mod language;
pub mod mend;

use crate::transcript::{AskCheck, AuditRecord, EntryId};

use super::identifiers::{Aliases, Identifier};
use super::redact;
use super::summary::document::SummaryDocument;
use super::summary::template::SectionHeading;
pub use identifiers::{AlteredIdentifier, SuspectToken, suspects};
use language::TextLanguage;

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
/// Longer than what it summarises.
pub const TOO_LONG: &str = "too_long";
/// Says nothing.
pub const EMPTY: &str = "empty";
/// The answer did not end normally.
pub const NOT_ENDED: &str = "not_ended";
/// Not in the language of the conversation.
pub const WRONG_LANGUAGE: &str = "wrong_language";
/// Holds a secret.
pub const SECRET: &str = "secret";

/// Source size, in tokens, from which a summary must be shorter than its source.
const TOO_LONG_FROM_TOKENS: u64 = 2_000;
/// From this many keywords of the ask on, [`MANY_KEYWORD_HITS`] must occur, else one.
const MANY_KEYWORDS: usize = 3;
/// Keywords that must occur when the ask has many.
const MANY_KEYWORD_HITS: usize = 2;
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
        ..AuditOutcome::default()
    };
    if text.trim().is_empty() {
        audit.note(EMPTY, "the summary is empty".to_owned(), None);
    }
    check_sections(basis, text, &mut audit);
    identifiers::check(basis, text, occurs, &mut audit);
    check_ask(basis, text, &mut audit);
    check_language(basis, text, &mut audit);
    audit.record.secrets = basis.secrets.count_in(text) as u64;
    if audit.record.secrets > 0 {
        let count = audit.record.secrets;
        audit.note(SECRET, format!("holds {count} secret(s)"), None);
    }
    if basis.source_tokens > TOO_LONG_FROM_TOKENS && tokens > basis.source_tokens {
        let source = basis.source_tokens;
        audit.note(
            TOO_LONG,
            format!("~{tokens} tokens summarise ~{source}"),
            None,
        );
    }
    audit.record.passed = audit.findings.is_empty();
    audit
}

fn check_language(basis: &AuditBasis, text: &str, audit: &mut AuditOutcome) {
    let written = basis.language.zip(language::of_summary(text));
    if let Some((wanted, written)) =
        written.filter(|(wanted, written)| written.differs_from(*wanted))
    {
        let [wanted, written] = [wanted, written].map(|l| l.name().unwrap_or("Latin script"));
        let what = format!("written in {written}, the conversation is in {wanted}");
        audit.note(WRONG_LANGUAGE, what, None);
    }
}

fn check_sections(basis: &AuditBasis, text: &str, audit: &mut AuditOutcome) {
    let doc = SummaryDocument::parse(text, &basis.headings);
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
    if let Err(what) = reflects(ask, text) {
        audit.record.ask = AskCheck::Missing;
        audit.note(ASK_NOT_REFLECTED, what, ask.entry.clone());
    }
}

/// Whether enough keywords of an ask occur; else what is wrong.
fn reflects(ask: &LatestAsk, text: &str) -> Result<(), String> {
    let words = keywords::keywords(&ask.text);
    let summary = keywords::normalize(text);
    let hits = words.iter().filter(|word| summary.contains(*word)).count();
    let needed = match words.len() {
        0 => 0,
        n if n >= MANY_KEYWORDS => MANY_KEYWORD_HITS,
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
