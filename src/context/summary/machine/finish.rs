//! The end of the work: check, ask again, repair, or do without a model.

use std::collections::HashSet;

use aho_corasick::AhoCorasick;

use crate::context::IdentifierPolicy;
use crate::context::audit::{self, AuditOutcome, keywords, mend};
use crate::context::extractive;
use crate::context::identifiers;
use crate::context::summary::template::TURN_CONTEXT;
use crate::context::summary::{MAX_BODY_CHARS, document};
use crate::transcript::{AssistantPart, AuditRecord, Message, Part};

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
        text,
        audit: audit.record,
        findings: audit.findings,
    }
}

impl Summariser {
    pub(super) fn check(&self, text: &str) -> AuditOutcome {
        let suspects: Vec<&str> = audit::suspects(&self.basis, text)
            .into_iter()
            .map(|(token, _)| token)
            .collect();
        let occurring = self.occurring(&suspects);
        let occurs = |token: &str| occurring.contains(token);
        audit::check(&self.basis, text, (self.job.count)(text), &occurs)
    }

    /// Which of these tokens the source says anywhere: all are looked for at once.
    fn occurring<'t>(&self, tokens: &[&'t str]) -> HashSet<&'t str> {
        let mut found = HashSet::new();
        if tokens.is_empty() {
            return found;
        }
        let Ok(finder) = AhoCorasick::new(tokens) else {
            return found;
        };
        let mut read = |text: &str| {
            let hits = finder.find_overlapping_iter(text);
            found.extend(hits.filter_map(|hit| tokens.get(hit.pattern().as_usize()).copied()));
            found.len() < tokens.len()
        };
        let before = self.job.previous_summary.iter();
        let goes_on = before.map(String::as_str).all(&mut read);
        if goes_on {
            self.source
                .all
                .iter()
                .all(|source| says(&source.message, &mut read));
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
            && messages.all(|source| says(&source.message, &mut is_silent)))
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
        });
        if !degraded {
            self.record.stages.push(EXTRACTIVE_STAGE.to_owned());
        }
        // Its own words are always the same ones, and the others are quotes.
        self.basis.language = None;
        self.run.unread.clear();
        let audit = self.check(&extract.text);
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

    fn aliases_for(&self, text: &str) -> Vec<(String, String)> {
        if self.job.audit.identifier_policy == IdentifierPolicy::Anonymize {
            return self.basis.aliases.map_for(text);
        }
        // The policy was another one before: what is still there must stay readable.
        self.job.previous_aliases.clone()
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

/// Hands over all that the summariser or a tool could read of a message, while wanted.
fn says(message: &Message, read: &mut impl FnMut(&str) -> bool) -> bool {
    let mut parts = |parts: &[Part]| {
        parts.iter().all(|part| match part {
            Part::Text(text) => read(text),
            Part::Image(_) => true,
        })
    };
    match message {
        Message::User(user) => parts(&user.content),
        Message::ToolResult(result) => parts(&result.content),
        Message::BashExecution(run) => read(&run.command) && read(&run.output),
        Message::Assistant(assistant) => assistant.content.iter().all(|part| match part {
            AssistantPart::Text(text) => read(text),
            AssistantPart::ToolCall(call) => read(&identifiers::strings_of(&call.arguments)),
            AssistantPart::Thinking { .. } | AssistantPart::RedactedThinking { .. } => true,
        }),
    }
}
