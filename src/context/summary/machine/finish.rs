//! The end of the work: check, ask again, mend, or do without a model.

use regex::Regex;

use crate::context::IdentifierPolicy;
use crate::context::audit::{self, Audit, Basis, mend};
use crate::context::extractive;
use crate::context::identifiers;
use crate::context::redact;
use crate::context::summary::template::{self, TURN_CONTEXT};
use crate::context::summary::{MAX_BODY_CHARS, SourceMessage, document, untrusted};
use crate::transcript::{AssistantPart, AuditRecord, Message, Part};

use super::{
    Attempt, Candidate, FailureMode, Finding, Step, Summariser, SummaryJob, SummaryResult,
};

/// Most times that a summary is asked for again.
const MAX_AUDIT_RETRIES: u32 = 3;

/// What summaries of this job are checked against.
pub(super) fn basis(job: &SummaryJob, all: &[SourceMessage]) -> Basis {
    let previous = job.previous_summary.as_deref();
    let identifiers = if job.audit.identifier_policy == IdentifierPolicy::Off {
        Vec::new()
    } else {
        identifiers::select(previous, all)
    };
    let messages = all.iter().map(|m| m.tokens).fold(0, u64::saturating_add);
    Basis {
        headings: template::headings(&job.template),
        identifiers,
        ask: job.ask.clone(),
        source_tokens: messages.saturating_add(previous.map_or(0, |text| (job.count)(text))),
    }
}

/// The extractive summary of a job, as a baseline or where no model is asked.
pub fn extract(job: &SummaryJob) -> SummaryResult {
    let job = SummaryJob {
        extractive: true,
        ..job.clone()
    };
    match Summariser::new(job).without_model(false) {
        Step::Done(result) => *result,
        Step::Ask(_) | Step::Failed(_) => SummaryResult::default(),
    }
}

/// Checks a text that the user changed.
pub fn reaudit(job: &SummaryJob, text: &str) -> (AuditRecord, Vec<Finding>) {
    let job = SummaryJob {
        extractive: true,
        ..job.clone()
    };
    let audit = Summariser::new(job).check(text);
    (audit.record, audit.findings)
}

impl Summariser {
    pub(super) fn check(&self, text: &str) -> Audit {
        let occurs = |token: &str| {
            // As a pattern: its searcher is prepared once for all messages.
            let Ok(token) = Regex::new(&regex::escape(token)) else {
                return false;
            };
            let before = self.job.previous_summary.as_deref();
            before.is_some_and(|text| token.is_match(text))
                || self
                    .all
                    .iter()
                    .any(|source| mentions(&source.message, &token))
        };
        audit::check(&self.basis, text, (self.job.count)(text), &occurs)
    }

    /// Checks the text of the last request; asks again while that is allowed.
    pub(super) fn judge(&mut self, text: &str) -> Step {
        let text = match &self.turn_context {
            Some(context) => format!("{text}\n\n## {TURN_CONTEXT}\n{}", demoted(context)),
            None => text.to_owned(),
        };
        let audit = self.check(&text);
        let passed = audit.record.passed;
        let candidate = Candidate { text, audit };
        let is_better = self
            .best
            .as_ref()
            .is_none_or(|best| candidate.audit.badness() < best.audit.badness());
        if is_better {
            self.best = Some(candidate);
        }
        let retries = self.job.audit.retries.min(MAX_AUDIT_RETRIES);
        if self.job.audit.enabled && !passed && self.audit_round < retries {
            self.audit_round += 1;
            self.attempt = Attempt {
                tight: self.attempt.tight,
                skipped: self.attempt.skipped,
                halvings: self.attempt.halvings,
                ..Attempt::default()
            };
            return self.ask(0);
        }
        match self.best.take() {
            Some(best) => self.finish(best),
            None => self.end_without_answer("no attempt held", Vec::new()),
        }
    }

    pub(super) fn finish(&mut self, best: Candidate) -> Step {
        if !self.job.audit.enabled {
            let text = redact::redact(&best.text).into_owned();
            let text = document::trim_by_section(&text, &self.basis.headings, MAX_BODY_CHARS);
            return self.done(text, Vec::new(), Vec::new(), false);
        }
        let mut findings = best.audit.findings;
        if findings.is_empty() {
            let text = mend::fit(&self.basis, &best.text, MAX_BODY_CHARS);
            return self.done(text, findings, Vec::new(), false);
        }
        let reasons = best.audit.record.reasons.clone();
        let is_hopeless = reasons
            .iter()
            .any(|r| [audit::SECRET, audit::EMPTY, audit::NOT_ENDED].contains(&r.as_str()));
        if is_hopeless || !self.job.mend {
            let why = format!("the audit found {}", reasons.join(", "));
            return self.end_without_answer(&why, reasons);
        }
        let audit = Audit {
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
        self.stages.push("mended".to_owned());
        self.done(mended.text, findings, mended.clauses, false)
    }

    /// The last rung: the extractive summary on overflow, else nothing.
    pub(super) fn end_without_answer(&mut self, why: &str, reasons: Vec<String>) -> Step {
        match self.job.on_failure {
            FailureMode::Cancel => self.failed(why, reasons),
            FailureMode::Degrade => {
                self.stages.push(format!("without a model ({why})"));
                self.without_model(true)
            }
        }
    }

    /// The extractive summary, checked and mended.
    pub(super) fn without_model(&mut self, degraded: bool) -> Step {
        let extract = extractive::extract(extractive::Source {
            messages: &self.all,
            previous: self.job.previous_summary.as_deref(),
            headings: &self.basis.headings,
            ask: self.job.ask.as_ref(),
            instructions: untrusted::instructions(self.job.instructions.as_deref()).as_deref(),
            identifiers: &self.basis.identifiers,
        });
        if !degraded {
            self.stages.push("extractive".to_owned());
        }
        let audit = self.check(&extract.text);
        let text = if audit.record.passed {
            extract.text
        } else {
            mend::mend(&self.basis, &extract.text, &audit).text
        };
        let mut step = self.done(text, Vec::new(), Vec::new(), degraded);
        if let Step::Done(result) = &mut step {
            result.instruction_effects = extract.effects;
        }
        step
    }

    fn done(
        &self,
        text: String,
        findings: Vec<Finding>,
        mended: Vec<String>,
        degraded: bool,
    ) -> Step {
        let after = self.check(&text);
        let mut findings = findings;
        for finding in after.findings {
            if !findings
                .iter()
                .any(|known| known.code == finding.code && known.text == finding.text)
            {
                findings.push(finding);
            }
        }
        Step::Done(Box::new(SummaryResult {
            audit: after.record,
            summary: text,
            findings,
            mended,
            degraded,
            stages: self.stages(),
            calls: self.calls,
            usage: self.usage,
            history_share: self.plan.dropped,
            instruction_effects: Vec::new(),
        }))
    }
}

/// Marks the findings that do not come up again.
fn mark_mended(findings: &mut [Finding], after: &Audit) {
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

/// Whether a message says this anywhere that the summariser or a tool could read.
fn mentions(message: &Message, token: &Regex) -> bool {
    let in_parts = |parts: &[Part]| {
        parts
            .iter()
            .any(|part| matches!(part, Part::Text(text) if token.is_match(text)))
    };
    match message {
        Message::User(user) => in_parts(&user.content),
        Message::ToolResult(result) => in_parts(&result.content),
        Message::BashExecution(run) => token.is_match(&run.command) || token.is_match(&run.output),
        Message::Assistant(assistant) => assistant.content.iter().any(|part| match part {
            AssistantPart::Text(text) => token.is_match(text),
            AssistantPart::ToolCall(call) => {
                token.is_match(&identifiers::strings_of(&call.arguments))
            }
            AssistantPart::Thinking { .. } | AssistantPart::RedactedThinking { .. } => false,
        }),
    }
}
