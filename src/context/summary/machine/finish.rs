//! The end of the work: check, ask again, repair, or do without a model.

use std::borrow::Cow;
use std::collections::HashSet;

use aho_corasick::AhoCorasick;

use crate::context::IdentifierPolicy;
use crate::context::audit::{self, AuditOutcome, keywords, mend};
use crate::context::extractive;
use crate::context::identifiers::{self, IdentifierUse};
use crate::context::summary::template::TURN_CONTEXT;
use crate::context::summary::{MAX_BODY_CHARS, document, excerpt};
use crate::transcript::{AuditRecord, IdentifierDemand};

use super::{
    AuditFinding, EXTRACTIVE_STAGE, FailureMode, RequestAttempt, Summariser, SummaryCandidate,
    SummaryJob, SummaryResult, SummaryStep, WritingPhase,
};

/// Most times that a summary is asked for again.
const MAX_AUDIT_RETRIES: u32 = 3;

/// The extractive summary of a job, as a baseline or where no model is asked.
pub fn extract(job: &SummaryJob) -> SummaryResult {
    let job = SummaryJob {
        extractive: true,
        ..job.clone()
    };
    match Summariser::new(job).without_model(false) {
        SummaryStep::Done(result) => *result,
        SummaryStep::Ask(_) | SummaryStep::Failed(_) => SummaryResult::default(),
    }
}

/// A text that the user changed, as it can be stored, with what the audit says of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EditedSummary {
    /// Without secrets, at most 16,000 characters.
    pub text: String,
    /// Findings of the audit.
    pub audit: AuditRecord,
    /// Each thing that is wrong.
    pub findings: Vec<AuditFinding>,
    /// Aliases in it with their meaning.
    pub aliases: Vec<(String, String)>,
    /// Identifiers that it had to carry.
    pub demands: Vec<IdentifierDemand>,
}

/// Checks a text that the user changed. What they took out stays out; a secret never
/// goes in.
pub fn reaudit(job: &SummaryJob, text: &str) -> EditedSummary {
    let job = SummaryJob {
        extractive: true,
        ..job.clone()
    };
    let machine = Summariser::new(job);
    let text = machine.basis.secrets.redact(text);
    let text = document::trim_by_section(&text, &machine.basis.headings, MAX_BODY_CHARS);
    let audit = machine.check(&text);
    EditedSummary {
        aliases: machine.aliases_for(&text),
        demands: machine.demands_after(&text),
        text,
        audit: audit.record,
        findings: audit.findings,
    }
}

impl Summariser {
    pub(super) fn check(&self, text: &str) -> AuditOutcome {
        let suspects = audit::suspects(&self.basis, text);
        let tells: Vec<&str> = suspects.into_iter().flat_map(|it| it.tells).collect();
        let said = self.said_of(&tells);
        let occurs = |token: &str| said.contains(token);
        audit::check(&self.basis, text, (self.job.count)(text), &occurs)
    }

    /// Which of these tokens anybody ever said: in the source, beside it, before it. All are
    /// looked for at once, without case.
    fn said_of<'t>(&self, tokens: &[&'t str]) -> HashSet<&'t str> {
        let mut found = HashSet::new();
        if tokens.is_empty() {
            return found;
        }
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(tokens);
        let Ok(finder) = finder else {
            // Nothing is changed that could not be looked up.
            return tokens.iter().copied().collect();
        };
        let distinct = tokens.iter().collect::<HashSet<_>>().len();
        let mut read = |text: &str| {
            let shown: Cow<'_, str> = if text.contains(excerpt::is_format_char) {
                let seen = text.chars().filter(|c| !excerpt::is_format_char(*c));
                seen.collect::<String>().into()
            } else {
                text.into()
            };
            let hits = finder.find_overlapping_iter(shown.as_ref());
            found.extend(hits.filter_map(|hit| tokens.get(hit.pattern().as_usize()).copied()));
            found.len() < distinct
        };
        let background = &self.job.background;
        let ask = self.job.ask.iter().map(|ask| &ask.text);
        let texts = self.job.previous_summary.iter().chain(ask);
        let texts = texts.chain(&self.job.instructions);
        let demands = background.demands.iter().map(|demand| &demand.text);
        if texts.chain(demands).all(|text| read(text)) {
            let beside = self.source.all.iter().chain(&background.kept);
            let messages = beside.map(|source| &source.message);
            let mut messages = messages.chain(&background.earlier);
            messages.all(|message| identifiers::each_text(message, &mut read));
        }
        found
    }

    /// Whether any of these words, in lower case, is in the source.
    pub(super) fn source_says_any(&self, words: &[String]) -> bool {
        let finder = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(words);
        let Ok(finder) = finder else { return true };
        let mut is_silent = |text: &str| {
            if text.is_ascii() {
                !finder.is_match(text)
            } else {
                !finder.is_match(&keywords::normalize(text))
            }
        };
        let mut before = self.job.previous_summary.iter();
        let mut messages = self.source.all.iter();
        !(before.all(|text| is_silent(text))
            && messages.all(|source| identifiers::each_text(&source.message, &mut is_silent)))
    }

    /// Checks the text of the last request; asks again while that is allowed.
    pub(super) fn judge(&mut self, text: &str) -> SummaryStep {
        let text = match &self.run.turn_context {
            Some(context) => format!("{text}\n\n## {TURN_CONTEXT}\n{}", demoted(context)),
            None => text.to_owned(),
        };
        let audit = self.check(&text);
        let passed = audit.record.passed;
        let candidate = Box::new(SummaryCandidate { text, audit });
        let (round, best) = match std::mem::replace(&mut self.phase, WritingPhase::Tasks) {
            WritingPhase::AuditRetry { round, best }
                if best.audit.badness() <= candidate.audit.badness() =>
            {
                (round, best)
            }
            WritingPhase::AuditRetry { round, .. } => (round, candidate),
            WritingPhase::Tasks => (0, candidate),
        };
        let retries = self.job.audit.retries.min(MAX_AUDIT_RETRIES);
        if !self.job.audit.enabled || passed || round >= retries {
            return self.finish(*best);
        }
        self.phase = WritingPhase::AuditRetry {
            round: round + 1,
            best,
        };
        self.run.attempt = RequestAttempt {
            tight: self.run.attempt.tight,
            skipped: self.run.attempt.skipped,
            halvings: self.run.attempt.halvings,
            ..RequestAttempt::default()
        };
        self.ask(0)
    }

    pub(super) fn finish(&mut self, best: SummaryCandidate) -> SummaryStep {
        if !self.job.audit.enabled {
            let text = self.basis.secrets.redact(&best.text).into_owned();
            let text = document::trim_by_section(&text, &self.basis.headings, MAX_BODY_CHARS);
            return self.done(text, Vec::new(), Vec::new(), false);
        }
        let is_no_summary = best.audit.is_no_summary();
        let mut findings = best.audit.findings;
        if findings.is_empty() {
            let mut clauses = Vec::new();
            let text = mend::fit(&self.basis, &best.text, MAX_BODY_CHARS);
            if text.len() != best.text.len() {
                clauses.push(format!("cut to {MAX_BODY_CHARS} characters"));
            }
            return self.done(text, findings, clauses, false);
        }
        let reasons = best.audit.record.reasons.clone();
        if is_no_summary {
            let why = "the model did not write a summary: its text has none of the headings";
            return self.end_without_answer(why, reasons);
        }
        let is_hopeless = reasons
            .iter()
            .any(|r| [audit::SECRET, audit::EMPTY, audit::NOT_ENDED].contains(&r.as_str()));
        if is_hopeless || !self.job.audit.mend {
            let why = format!("the audit found {}", reasons.join(", "));
            return self.end_without_answer(&why, reasons);
        }
        let audit = AuditOutcome {
            findings: Vec::new(),
            ..best.audit
        };
        let mended = mend::mend(&self.basis, &best.text, &audit);
        let after = self.check(&mended.text);
        if after.record.secrets > 0 {
            let why = "the mended summary would hold a secret";
            return self.end_without_answer(why, vec![audit::SECRET.to_owned()]);
        }
        mark_mended(&mut findings, &after);
        self.record.stages.push("mended".to_owned());
        self.done(mended.text, findings, mended.clauses, false)
    }

    /// The last rung: the extractive summary on overflow, else nothing.
    pub(super) fn end_without_answer(&mut self, why: &str, reasons: Vec<String>) -> SummaryStep {
        match self.job.on_failure {
            FailureMode::Cancel => self.failed(why, reasons),
            FailureMode::Degrade => {
                self.record.stages.push(format!("without a model ({why})"));
                self.without_model(true)
            }
        }
    }

    /// The extractive summary, checked and repaired.
    pub(super) fn without_model(&mut self, degraded: bool) -> SummaryStep {
        let extract = extractive::extract(extractive::ExtractSource {
            messages: &self.source.all,
            previous: self.job.previous_summary.as_deref(),
            headings: &self.basis.headings,
            ask: self.job.ask.as_ref(),
            instructions: self.job.instructions.as_deref(),
            identifiers: &self.basis.identifiers,
            identifiers_fixed: self.basis.identifiers_fixed,
            identifiers_left: self.basis.identifiers_left,
        });
        // The list is at most a quarter of the text: it has to carry no more.
        self.basis.identifiers.truncate(extract.listed);
        if !degraded {
            self.record.stages.push(EXTRACTIVE_STAGE.to_owned());
        }
        // Its own words are always the same ones, and the others are quotes.
        self.basis.language = None;
        self.run.unread.clear();
        let mut audit = self.check(&extract.text);
        // Its words are quotes: there is nothing in it to correct.
        audit.altered.clear();
        let text = if audit.record.passed {
            extract.text
        } else {
            mend::mend(&self.basis, &extract.text, &audit).text
        };
        let text = self.basis.secrets.redact(&text).into_owned();
        let mut step = self.done(text, Vec::new(), Vec::new(), degraded);
        if let SummaryStep::Done(result) = &mut step {
            result.instruction_effects = extract.effects;
        }
        step
    }

    /// The identifiers as later summaries have to carry them.
    fn demands(&self) -> Vec<IdentifierDemand> {
        let all = self.basis.identifiers.iter();
        all.map(identifiers::Identifier::demand).collect()
    }

    /// Those of a text that somebody else wrote: what they left out stays out, except what a
    /// person typed.
    fn demands_after(&self, text: &str) -> Vec<IdentifierDemand> {
        let folded = text.to_lowercase();
        let all = self.basis.identifiers.iter();
        all.filter(|id| id.origin == IdentifierUse::Typed || id.is_in(text, &folded))
            .map(identifiers::Identifier::demand)
            .collect()
    }

    fn aliases_for(&self, text: &str) -> Vec<(String, String)> {
        if self.job.audit.identifier_policy == IdentifierPolicy::Anonymize {
            return self.basis.aliases.map_for(text);
        }
        // The policy was another one before: what is still there must stay readable.
        self.job.background.aliases.clone()
    }

    fn done(
        &self,
        text: String,
        findings: Vec<AuditFinding>,
        mended: Vec<String>,
        degraded: bool,
    ) -> SummaryStep {
        let after = self.check(&text);
        let mended = self.run.unread.iter().cloned().chain(mended).collect();
        let mut findings = findings;
        for finding in after.findings {
            if !findings
                .iter()
                .any(|known| known.code == finding.code && known.text == finding.text)
            {
                findings.push(finding);
            }
        }
        SummaryStep::Done(Box::new(SummaryResult {
            audit: after.record,
            aliases: self.aliases_for(&text),
            demands: self.demands(),
            summary: text,
            findings,
            mended,
            degraded,
            stages: self.stages(),
            calls: self.record.calls,
            usage: self.record.usage,
            history_share: self.run.plan.dropped,
            instruction_effects: Vec::new(),
        }))
    }
}

/// Marks the findings that do not come up again.
fn mark_mended(findings: &mut [AuditFinding], after: &AuditOutcome) {
    for finding in findings {
        finding.mended = !after
            .findings
            .iter()
            .any(|left| left.code == finding.code && left.text == finding.text);
    }
}

/// Headings inside the turn's context would pose as sections of the summary.
fn demoted(context: &str) -> String {
    context
        .lines()
        .map(|line| {
            if line.starts_with('#') {
                format!("**{}**", line.trim_start_matches('#').trim())
            } else {
                line.to_owned()
            }
        })
        .collect::<Vec<_>>()
        .join("\n")
}
