//! Summaries that a person or a hook wrote or changed: checked like any other text. What code put
//! in stays the code's, also in a text that a person changed elsewhere.

use std::collections::HashSet;

use crate::context::audit::{AuditFinding, AuditOutcome};
use crate::context::summary::{MAX_BODY_CHARS, document};
use crate::transcript::{AuditRecord, IdentifierDemand, UngroundedClaim};

use super::finish::{StruckSummary, mark_mended};
use super::{Summariser, SummaryJob, SummaryResult};

/// A text that a person or a hook wrote, as it can be stored, with what the audit says of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EditedSummary {
    /// Without secrets, at most 16,000 characters.
    pub text: String,
    /// The text without what code put in.
    pub written: String,
    /// What the audit found in what code did not write, before anything was struck.
    pub audit: AuditRecord,
    /// Each thing that is wrong.
    pub findings: Vec<AuditFinding>,
    /// What was struck or marked, one clause each.
    pub mended: Vec<String>,
    /// Claims that nothing in the conversation says.
    pub ungrounded: Vec<UngroundedClaim>,
    /// Aliases in it with their meaning.
    pub aliases: Vec<(String, String)>,
    /// Identifiers that it had to carry.
    pub demands: Vec<IdentifierDemand>,
    /// Share of what was demanded that `written` lacks, in percent; 0 where there was no draft.
    pub lacking_percent: u64,
}

/// Checks a text that no summariser wrote. What it leaves out stays out; a secret never goes
/// in; what nothing says is struck unless a person reviews it.
pub fn reaudit(job: &SummaryJob, text: &str) -> EditedSummary {
    checked(job, |machine| {
        let text = machine.basis.secrets.redact(text);
        let outcome = machine.rate(&text);
        let struck = if machine.strikes(&outcome.grounding) {
            machine.strike(&text, &outcome.grounding)
        } else {
            StruckSummary::left(&text, &outcome.grounding)
        };
        let written = struck.text.clone();
        machine.edited(outcome, struck, &written)
    })
}

/// Checks the text that a person made of a draft. Lines that code put into the draft, and that
/// the person left alone, are not rated: nobody who is judged wrote them.
pub fn edited(job: &SummaryJob, draft: &SummaryResult, text: &str) -> EditedSummary {
    checked(job, |machine| {
        let text = machine.basis.secrets.redact(text);
        let written = without_lines_of_code(&text, draft);
        let outcome = machine.rate(&written);
        let left = StruckSummary::left(&text, &outcome.grounding);
        machine.edited_draft(outcome, left, &written)
    })
}

/// A draft without the claims that nothing in the conversation says, as a summary is stored that
/// nobody reviews. The rating is that of the text as it was written.
pub fn without_unsaid(job: &SummaryJob, draft: &SummaryResult, text: &str) -> EditedSummary {
    checked(job, |machine| {
        let text = machine.basis.secrets.redact(text);
        let outcome = machine.rate(&without_lines_of_code(&text, draft));
        let struck = machine.strike(&text, &outcome.grounding);
        let written = without_lines_of_code(&struck.text, draft);
        machine.edited_draft(outcome, struck, &written)
    })
}

/// What becomes of a text that no summariser wrote: the conversation is read once.
fn checked(job: &SummaryJob, check: impl FnOnce(&Summariser) -> EditedSummary) -> EditedSummary {
    let job = SummaryJob {
        extractive: true,
        ..job.clone()
    };
    check(&Summariser::with_index(job))
}

/// A text without the lines that code put into the draft that it was made of. A heading stays
/// where somebody else wrote below it.
fn without_lines_of_code(text: &str, draft: &SummaryResult) -> String {
    let written: HashSet<String> = draft.written.text.lines().map(words).collect();
    let added: HashSet<String> = draft.summary.lines().map(words).collect();
    let is_code = |line: &str| {
        let words = words(line);
        added.contains(&words) && !written.contains(&words)
    };
    let mut out = String::with_capacity(text.len());
    let mut heading = None;
    for line in text.lines() {
        if is_code(line) {
            if line.starts_with('#') {
                heading = Some(line);
            }
            continue;
        }
        if line.starts_with('#') {
            heading = None;
        } else if !line.trim().is_empty()
            && let Some(heading) = heading.take()
        {
            out.push_str(heading);
            out.push('\n');
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}

/// The letters and digits of a line: a dot more makes it nobody else's.
fn words(line: &str) -> String {
    line.chars().filter(|c| c.is_alphanumeric()).collect()
}

impl Summariser {
    /// An edited text as it is stored.
    fn edited(&self, outcome: AuditOutcome, struck: StruckSummary, written: &str) -> EditedSummary {
        let text = document::trim_by_section(&struck.text, &self.basis.headings, MAX_BODY_CHARS);
        let mut findings = outcome.findings;
        if written != text {
            mark_mended(&mut findings, &self.check(&text), &struck.ungrounded);
        }
        EditedSummary {
            aliases: self.aliases_for(&text),
            demands: self.demands_after(&text),
            written: written.to_owned(),
            text,
            audit: outcome.record,
            findings,
            mended: struck.clauses,
            ungrounded: struck.ungrounded,
            lacking_percent: 0,
        }
    }

    /// The same of a draft, with what the text lacks: that reads the conversation for what
    /// could have been said.
    fn edited_draft(
        &self,
        outcome: AuditOutcome,
        struck: StruckSummary,
        written: &str,
    ) -> EditedSummary {
        EditedSummary {
            lacking_percent: self.lacking_percent(written, &self.check(written)),
            ..self.edited(outcome, struck, written)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::summary::WrittenText;

    fn draft() -> SummaryResult {
        SummaryResult {
            written: WrittenText::whole("## Goal\nmend it\n".to_owned()),
            summary: "## Goal\nmend it\n\n## Blocked\n(none)\n\n## Exact identifiers\n- `a.rs`\n"
                .to_owned(),
            ..SummaryResult::default()
        }
    }

    #[test]
    fn what_code_put_in_is_nobodys_writing() {
        let draft = draft();
        let text = draft.summary.replace("mend it", "mend it soon");
        let left = without_lines_of_code(&text, &draft);
        assert_eq!(left.trim_end(), "## Goal\nmend it soon");
        let dotted = text.replace("(none)", "none.").replace("`a.rs`", "`a.rs`.");
        let left = without_lines_of_code(&dotted, &draft);
        assert_eq!(left.trim_end(), "## Goal\nmend it soon");
    }

    #[test]
    fn what_a_person_writes_below_a_heading_of_code_stands_below_it() {
        let draft = draft();
        let text = draft.summary.replace("(none)", "- the port is taken");
        let left = without_lines_of_code(&text, &draft);
        assert!(left.contains("## Blocked\n- the port is taken"), "{left}");
        assert!(!left.contains("identifiers"), "{left}");
    }
}
