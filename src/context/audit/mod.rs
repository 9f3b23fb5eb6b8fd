//! Checks a summary against what it stands for: headings, identifiers, the latest
//! ask, secrets, length. Says what is wrong; [`mend`] repairs what code can repair.

pub mod keywords;
pub mod language;
pub mod mend;

use crate::transcript::{AuditRecord, EntryId};

use super::identifiers::{self, Aliases, Identifier};
use super::redact;
use super::summary::document::SummaryDocument;
use super::summary::template::SectionHeading;
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
/// Shortest token that can be an altered identifier, in bytes.
const MIN_ALTERED_BYTES: usize = 6;
/// Identifiers from this length on may be two characters off, shorter ones one.
const TWO_OFF_FROM_CHARS: usize = 10;
/// At most this many tokens of a summary are compared with the source.
const MAX_SUSPECTS: usize = 64;

/// The replacement of an alias that means nothing.
const UNKNOWN_ALIAS: &str = "(unknown identifier)";

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
    /// Identifiers that were altered: as written, as it should be.
    pub altered: Vec<(String, String)>,
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

/// Checks a summary. `tokens` is its own size; `occurs` says whether a text stands
/// anywhere in the source, so that a real neighbour is not taken for a misspelling.
pub fn check(
    basis: &AuditBasis,
    text: &str,
    tokens: u64,
    occurs: &dyn Fn(&str) -> bool,
) -> AuditOutcome {
    let mut audit = AuditOutcome {
        record: AuditRecord {
            last_ask: true,
            ..AuditRecord::default()
        },
        tokens,
        ..AuditOutcome::default()
    };
    if text.trim().is_empty() {
        audit.note(EMPTY, "the summary is empty".to_owned(), None);
    }
    check_sections(basis, text, &mut audit);
    check_identifiers(basis, text, occurs, &mut audit);
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

fn check_identifiers(
    basis: &AuditBasis,
    text: &str,
    occurs: &dyn Fn(&str) -> bool,
    audit: &mut AuditOutcome,
) {
    let folded = text.to_lowercase();
    audit.record.identifiers_total = basis.identifiers.len() as u64;
    let (found, missing): (Vec<&Identifier>, Vec<&Identifier>) = basis
        .identifiers
        .iter()
        .partition(|id| id.is_in(text, &folded));
    audit.record.identifiers_found = found.len() as u64;
    for id in &missing {
        audit.record.missing.push(id.text.clone());
        let what = format!("`{}` is missing", id.text);
        audit.note(MISSING_IDENTIFIERS, what, id.entry.clone());
    }
    for alias in basis.aliases.unknown_in(text) {
        let what = format!("`{alias}` stands for nothing");
        audit.record.altered.push(format!("{alias} → ?"));
        audit.note(ALTERED_IDENTIFIER, what, None);
        audit.altered.push((alias, UNKNOWN_ALIAS.to_owned()));
    }
    for (written, id) in altered(basis, text, occurs) {
        let pair = format!("{written} → {}", id.text);
        let what = format!("`{written}` should be `{}`", id.text);
        audit.record.altered.push(pair);
        audit.note(ALTERED_IDENTIFIER, what, id.entry.clone());
        audit.altered.push((written, id.text.clone()));
    }
}

/// Tokens of the summary that occur nowhere in the source and are one or two
/// characters away from a real identifier.
fn altered<'a>(
    basis: &'a AuditBasis,
    text: &str,
    occurs: &dyn Fn(&str) -> bool,
) -> Vec<(String, &'a Identifier)> {
    // An alias that is one character off is another alias.
    if basis.identifiers.is_empty() || !basis.aliases.is_empty() {
        return Vec::new();
    }
    let mut out: Vec<(String, &Identifier)> = Vec::new();
    for (token, id) in suspects(basis, text) {
        if out.len() < MAX_SUSPECTS && !occurs(token) {
            out.push((token.to_owned(), id));
        }
    }
    out
}

/// Tokens of the summary that are one or two characters away from a real identifier,
/// sorted, with it: altered, unless they occur in the source.
pub fn suspects<'t, 'a>(basis: &'a AuditBasis, text: &'t str) -> Vec<(&'t str, &'a Identifier)> {
    let mut tokens: Vec<&str> = text
        .lines()
        .flat_map(identifiers::candidates)
        .filter(|token| is_suspect(token))
        .collect();
    tokens.sort_unstable();
    tokens.dedup();
    let near = tokens.into_iter().filter_map(|token| {
        let (distance, id) = basis
            .identifiers
            .iter()
            .filter_map(|id| near_miss(token, id).map(|distance| (distance, id)))
            .min_by_key(|(distance, _)| *distance)?;
        (distance > 0).then_some((token, id))
    });
    near.collect()
}

fn is_suspect(token: &str) -> bool {
    token.len() >= MIN_ALTERED_BYTES
        && token
            .bytes()
            .any(|b| b.is_ascii_digit() || matches!(b, b'/' | b'\\' | b'_' | b'.' | b'-' | b':'))
}

/// Distance of a token from an identifier: 0 when it is the same, `None` when it is
/// too far to be a misspelling. A line number that was added or left is not a change.
fn near_miss(token: &str, id: &Identifier) -> Option<usize> {
    let limit = if id.text.len() >= TWO_OFF_FROM_CHARS {
        2
    } else {
        1
    };
    if id.text.len() < MIN_ALTERED_BYTES || token.len().abs_diff(id.text.len()) > limit * 4 {
        return None;
    }
    if identifiers::contains_whole(token, &id.text) || identifiers::contains_whole(&id.text, token)
    {
        return Some(0);
    }
    // Another line of the same file is another place, not a misspelling.
    if identifiers::without_line(token) == identifiers::without_line(&id.text) {
        return Some(0);
    }
    if id.kind.ignores_case() {
        distance_within(&token.to_lowercase(), &id.text.to_lowercase(), limit)
    } else {
        distance_within(token, &id.text, limit)
    }
}

/// Edit distance, when it is at most `limit` (1 or 2). A band around the diagonal:
/// linear in the length.
fn distance_within(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (a.get(same..)?, b.get(same..)?);
    let same_end = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    let (a, b) = (a.get(..a.len() - same_end)?, b.get(..b.len() - same_end)?);
    let far = limit + 1;
    let mut previous: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut current = vec![far; b.len() + 1];
        current[0] = i + 1;
        let (from, to) = (i.saturating_sub(limit), (i + limit + 1).min(b.len()));
        for j in from..to {
            let substitute = previous[j] + usize::from(*x != b[j]);
            current[j + 1] = substitute.min(previous[j + 1] + 1).min(current[j] + 1);
        }
        if current.iter().all(|d| *d > limit) {
            return None;
        }
        previous = current;
    }
    previous.last().copied().filter(|d| *d <= limit)
}

fn check_ask(basis: &AuditBasis, text: &str, audit: &mut AuditOutcome) {
    let Some(ask) = basis.ask.as_ref().filter(|ask| !ask.in_tail) else {
        return;
    };
    if let Err(what) = reflects(ask, text) {
        audit.record.last_ask = false;
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
