//! Standing rules that a summary has to say because nothing else in the next request does.

use crate::context::summary::document::SummaryDocument;
use crate::context::summary::template::SectionRole;
use crate::transcript::plural;

use super::{AuditBasis, AuditOutcome, MISSING_RULES, RULES_NOT_TOLD, keywords, share};

/// In percent: a text that has so many of a rule's keywords tells it.
const TOLD_SHARE: usize = 50;
/// Fewer rules can be told in other words altogether.
const MIN_RULES: usize = 3;

/// A statement tells at most so many rules.
const RULES_PER_STATEMENT: usize = 4;

/// What carries a rule into the next request, whatever the summary says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RuleCarrier {
    /// Nothing: the summary has to say it.
    #[default]
    Summary,
    /// A message that stays verbatim.
    Kept,
    /// The rules block behind the summary.
    Block,
}

/// An active rule of the person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleDemand {
    /// Verbatim.
    pub text: String,
    /// What carries it.
    pub carrier: RuleCarrier,
}

impl RuleDemand {
    /// Whether the next request has the rule verbatim with this summary.
    pub fn is_in_request(&self, summary: &str) -> bool {
        self.carrier != RuleCarrier::Summary || summary.contains(&self.text)
    }
}

/// Rules that nothing carries and that a text lacks, oldest first.
pub(super) fn missing<'a>(basis: &'a AuditBasis, text: &str) -> Vec<&'a RuleDemand> {
    let rules = basis.rules.iter();
    rules.filter(|rule| !rule.is_in_request(text)).collect()
}

pub(super) fn check(basis: &AuditBasis, text: &str, audit: &mut AuditOutcome) {
    let missing = missing(basis, text);
    audit.record.rules_total = basis.rules.len() as u64;
    audit.record.rules_found = (basis.rules.len() - missing.len()) as u64;
    for rule in missing {
        let what = format!("the rule “{}” is missing", rule.text);
        audit.note(MISSING_RULES, what, None);
    }
    if is_silent(basis, text) {
        let rules = plural(basis.rules.len() as u64, "standing rule");
        let what = format!("nothing is said of {rules} of the user");
        audit.note(RULES_NOT_TOLD, what, None);
    }
}

/// Whether a text says nothing of the rules: nothing is stated where the template has rules,
/// too few statements for the rules there are, or none of several rules has half of its
/// keywords anywhere. Few statements are too few where most rules have not. Who reads it takes
/// the work for free of rules, whatever carries them beside it.
fn is_silent(basis: &AuditBasis, text: &str) -> bool {
    let has_section = basis
        .headings
        .iter()
        .any(|heading| heading.role == SectionRole::Constraints);
    if basis.rules.is_empty() || !has_section {
        return false;
    }
    let doc = SummaryDocument::parse(text, &basis.headings);
    if !share::states_any(&doc, &basis.headings, SectionRole::Constraints) {
        return true;
    }
    let is_rules = |index: usize| {
        let heading = basis.headings.get(index);
        heading.is_some_and(|heading| heading.role == SectionRole::Constraints)
    };
    let sections = doc.sections.iter();
    let own = sections.filter(|section| section.known.is_some_and(is_rules));
    let statements: usize = own.map(|section| statements(&section.body)).sum();
    let told = keywords::normalize(text);
    let is_told = |rule: &&RuleDemand| {
        let words = keywords::keywords(&rule.text);
        let hits = words.iter().filter(|word| told.contains(*word)).count();
        words.is_empty() || hits * 100 >= words.len() * TOLD_SHARE
    };
    let all = basis.rules.len();
    let told = basis.rules.iter().filter(is_told).count();
    let is_brief = statements * 2 < all && told * 2 < all;
    statements * RULES_PER_STATEMENT < all || is_brief || all >= MIN_RULES && told == 0
}

/// How many statements a section makes: its clauses.
fn statements(body: &str) -> usize {
    let pieces = body.split(['\n', ',', ';', '.', '，', '；', '。', '、']);
    let is_statement = |piece: &&str| piece.chars().filter(|c| c.is_alphanumeric()).count() > 1;
    pieces.filter(is_statement).count()
}
