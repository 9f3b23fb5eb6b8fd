//! Standing rules that a summary has to say because nothing else in the next request does.

use super::{AuditBasis, AuditOutcome, MISSING_RULES};

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
}
