//! The end of the work: repair what code can repair, strike what nothing says, or do without a
//! model.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::context::IdentifierPolicy;
use crate::context::audit::{self, AuditOutcome, mend};
use crate::context::grounding::{self, Claim, Grounding};
use crate::context::identifiers::{Identifier, IdentifierUse};
use crate::context::summary::{MAX_BODY_CHARS, document, excerpt};
use crate::transcript::{IdentifierDemand, UngroundedClaim, plural};

use super::{
    AuditFinding, EXTRACTIVE_STAGE, FailureMode, Summariser, SummaryCandidate, SummaryJob,
    SummaryResult, SummaryStep, SummaryTaker, WrittenText,
};

/// Rounds of striking: each takes something out, and what is left of a text is short.
const MAX_STRIKES: usize = 4;
/// A text with more findings of these kinds is not repaired: it failed.
const HOPELESS: [&str; 3] = [audit::SECRET, audit::EMPTY, audit::WRONG_LANGUAGE];
/// Findings that no demand of the template, the identifiers or the ask is behind.
const OTHER_FINDINGS: [&str; 5] = [
    audit::UNGROUNDED,
    audit::FAILURES_NOT_TOLD,
    audit::RULES_NOT_TOLD,
    audit::PARTLY_WRONG_LANGUAGE,
    audit::NOT_ENDED,
];

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

/// A text after what nothing says was dealt with.
pub(super) struct StruckSummary {
    pub text: String,
    pub clauses: Vec<String>,
    pub ungrounded: Vec<UngroundedClaim>,
}

impl StruckSummary {
    /// A text that is left as it is, with what nothing says in it.
    pub(super) fn left(text: &str, grounding: &Grounding) -> Self {
        let mut left = Self {
            text: text.to_owned(),
            clauses: Vec::new(),
            ungrounded: Vec::new(),
        };
        left.take_in(grounding, &[]);
        left
    }

    /// Takes in the open claims of a round, each once.
    fn take_in(&mut self, grounding: &Grounding, struck: &[Claim]) {
        for claim in grounding.ungrounded() {
            let class = claim.class.name();
            let is_struck = struck.contains(claim);
            let mut known = self.ungrounded.iter();
            let is_known = |known: &UngroundedClaim| {
                known.text == claim.text && known.class == class && known.is_struck == is_struck
            };
            if !known.any(is_known) {
                self.ungrounded.push(UngroundedClaim {
                    text: claim.text.clone(),
                    class: class.to_owned(),
                    is_struck,
                });
            }
        }
    }
}

/// What a finished summary says of itself.
#[derive(Default)]
struct SummaryReport {
    audit: AuditOutcome,
    mended: Vec<String>,
    ungrounded: Vec<UngroundedClaim>,
    /// None where code wrote all or nothing of it.
    written: Option<WrittenText>,
    degraded: bool,
    is_extractive: bool,
}

impl Summariser {
    /// A text that nobody wants checked.
    pub(super) fn finish_unchecked(&self, text: &str) -> SummaryStep {
        let text = self.basis.secrets.redact(text).into_owned();
        let text = document::trim_by_section(&text, &self.basis.headings, MAX_BODY_CHARS);
        self.done(text, SummaryReport::default())
    }

    /// The end of a text that was rated: stored with what code put right, or refused.
    pub(super) fn finish(&mut self, best: SummaryCandidate) -> SummaryStep {
        let reasons = best.audit.record.reasons.clone();
        if let Some(why) = self.refusal_of(&best.audit) {
            return self.end_without_answer(&why, reasons);
        }
        let corrected = mend::correct(&best.text, &best.audit);
        let grounding = if corrected.text == best.text {
            best.audit.grounding.clone()
        } else {
            self.grounding_of(&corrected.text)
        };
        let mut struck = self.struck(&corrected.text, &grounding);
        let mut clauses = corrected.clauses;
        clauses.append(&mut struck.clauses);
        let left = self.check(&struck.text);
        // What was struck is missing as well.
        let percent = best
            .lacking_percent
            .max(self.lacking_percent(&struck.text, &left));
        let text = if left.record.passed {
            struck.text.clone()
        } else {
            let mended = mend::mend(&self.basis, &struck.text, &left, &self.baseline().document);
            clauses.extend(mended.clauses);
            mended.text
        };
        if self.check(&text).record.secrets > 0 {
            let why = "the repaired summary would hold a secret";
            return self.end_without_answer(why, vec![audit::SECRET.to_owned()]);
        }
        let cut = cut_percent(&best.text);
        let percent = percent.max(cut);
        let written = WrittenText {
            text: struck.text,
            lacking_percent: percent,
            cut_percent: cut,
        };
        let degraded = written.is_mostly_by_code();
        if degraded && self.job.taker == SummaryTaker::Program {
            let why = format!("of the model's text {percent}% were missing or too much");
            self.record.stages.push(format!("without a model ({why})"));
            return self.without_model(true);
        }
        if !clauses.is_empty() {
            self.record.stages.push("mended".to_owned());
        }
        let report = SummaryReport {
            audit: best.audit,
            mended: clauses,
            ungrounded: struck.ungrounded,
            written: Some(written),
            degraded,
            is_extractive: false,
        };
        self.done(text, report)
    }

    /// Why a text cannot be stored, however it is repaired.
    fn refusal_of(&self, outcome: &AuditOutcome) -> Option<String> {
        if outcome.is_no_summary() {
            let why = "the model did not write a summary: its text has none of the headings";
            return Some(why.to_owned());
        }
        let reasons = &outcome.record.reasons;
        let is_hopeless = |reason: &String| HOPELESS.contains(&reason.as_str());
        let is_demand = |reason: &String| !OTHER_FINDINGS.contains(&reason.as_str());
        let is_refused = reasons.iter().any(is_hopeless)
            || (!self.job.audit.mend && reasons.iter().any(is_demand));
        is_refused.then(|| format!("the audit found {}", reasons.join(", ")))
    }

    /// Whether claims that nothing says are struck: not where a person reviews them.
    pub(super) fn strikes(&self, grounding: &Grounding) -> bool {
        self.job.taker != SummaryTaker::Reviewer && grounding.ungrounded().next().is_some()
    }

    /// A text without what nothing says, unless a person reviews it.
    fn struck(&self, text: &str, grounding: &Grounding) -> StruckSummary {
        if !self.strikes(grounding) {
            return StruckSummary::left(text, grounding);
        }
        self.strike(text, grounding)
    }

    /// A text without what nothing says. What only followed from something that was struck is
    /// struck in turn.
    pub(super) fn strike(&self, text: &str, grounding: &Grounding) -> StruckSummary {
        let mut out = StruckSummary {
            text: text.to_owned(),
            clauses: Vec::new(),
            ungrounded: Vec::new(),
        };
        let (mut struck, mut marked) = (0, BTreeSet::new());
        let mut grounding = Cow::Borrowed(grounding);
        for _ in 0..MAX_STRIKES {
            let cut = grounding::strike(&out.text, &grounding);
            struck += cut.struck.len();
            marked.extend(cut.marked.iter().map(|claim| claim.text.clone()));
            out.take_in(&grounding, &cut.struck);
            out.text = cut.text;
            if cut.struck.is_empty() {
                break;
            }
            grounding = Cow::Owned(self.grounding_of(&out.text));
            if grounding.ungrounded().next().is_none() {
                break;
            }
        }
        let claims = [("struck", struck), ("marked as unverified", marked.len())];
        for (what, count) in claims.into_iter().filter(|(_, count)| *count > 0) {
            let counted = plural(count as u64, "claim");
            out.clauses.push(format!(
                "{what} {counted} that nothing in the conversation says"
            ));
        }
        out
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
        if !degraded {
            self.record.stages.push(EXTRACTIVE_STAGE.to_owned());
        }
        // Its own words are always the same ones, and the others are quotes.
        self.basis.language = None;
        self.run.unread.clear();
        // The list is at most a quarter of the text: it has to carry no more.
        let carried = self.baseline().extract.carried.clone();
        let mut position = 0..;
        let is_carried = |_: &Identifier| position.next().is_some_and(|at| carried.contains(&at));
        self.basis.identifiers.retain(is_carried);
        let baseline = self.baseline();
        let (extract, effects) = (&baseline.extract.text, baseline.extract.effects.clone());
        let mut audit = self.check(extract);
        // Its words are quotes: there is nothing in it to correct.
        audit.altered.clear();
        let (text, mended) = if audit.record.passed {
            (extract.clone(), Vec::new())
        } else {
            let mended = mend::mend(&self.basis, extract, &audit, &baseline.document);
            (mended.text, mended.clauses)
        };
        let text = self.basis.secrets.redact(&text).into_owned();
        let report = SummaryReport {
            audit,
            mended,
            degraded,
            is_extractive: true,
            ..SummaryReport::default()
        };
        let mut step = self.done(text, report);
        if let SummaryStep::Done(result) = &mut step {
            result.instruction_effects = effects;
        }
        step
    }

    /// The identifiers as later summaries have to carry them.
    fn demands(&self) -> Vec<IdentifierDemand> {
        let all = self.basis.identifiers.iter();
        all.map(Identifier::demand).collect()
    }

    /// Those of a text that somebody else wrote: what they left out stays out, except what a
    /// person typed.
    pub(super) fn demands_after(&self, text: &str) -> Vec<IdentifierDemand> {
        let folded = text.to_lowercase();
        let all = self.basis.identifiers.iter();
        all.filter(|id| id.origin == IdentifierUse::Typed || id.is_in(text, &folded))
            .map(Identifier::demand)
            .collect()
    }

    pub(super) fn aliases_for(&self, text: &str) -> Vec<(String, String)> {
        if self.job.audit.identifier_policy == IdentifierPolicy::Anonymize {
            return self.basis.aliases.map_for(text);
        }
        // The policy was another one before: what is still there must stay readable.
        self.job.background.aliases.clone()
    }

    fn done(&self, text: String, report: SummaryReport) -> SummaryStep {
        let SummaryReport {
            audit,
            mended,
            ungrounded,
            written,
            degraded,
            is_extractive,
        } = report;
        let mut findings = audit.findings;
        if self.job.audit.enabled {
            mark_mended(&mut findings, &self.check(&text), &ungrounded);
        }
        let mended = self.run.unread.iter().cloned().chain(mended).collect();
        SummaryStep::Done(Box::new(SummaryResult {
            audit: audit.record,
            aliases: self.aliases_for(&text),
            written: written.unwrap_or_else(|| WrittenText::whole(text.clone())),
            summary: text,
            findings,
            mended,
            ungrounded,
            demands: self.demands(),
            degraded,
            is_extractive,
            stages: self.stages(),
            calls: self.record.calls,
            usage: self.record.usage,
            history_share: self.run.plan.dropped,
            instruction_effects: Vec::new(),
        }))
    }
}

/// The share of a text that is beyond what is stored, in percent.
fn cut_percent(text: &str) -> u64 {
    if !excerpt::is_longer(text, MAX_BODY_CHARS) {
        return 0;
    }
    let chars = text.chars().count();
    ((chars - MAX_BODY_CHARS) * 100 / chars) as u64
}

/// Marks the findings that do not come up again in the stored text. What the text leaves
/// untold or says in another language is not put right by what code adds; what nothing says
/// is, when it was struck.
pub(super) fn mark_mended(
    findings: &mut [AuditFinding],
    after: &AuditOutcome,
    ungrounded: &[UngroundedClaim],
) {
    let is_left = |finding: &AuditFinding| match finding.code {
        audit::UNGROUNDED => !ungrounded.iter().any(|claim| {
            claim.is_struck && finding.text.starts_with(&format!("`{}` ", claim.text))
        }),
        audit::FAILURES_NOT_TOLD
        | audit::WRONG_LANGUAGE
        | audit::PARTLY_WRONG_LANGUAGE
        | audit::NOT_ENDED => true,
        _ => after
            .findings
            .iter()
            .any(|left| left.code == finding.code && left.text == finding.text),
    };
    for finding in findings {
        finding.mended = !is_left(finding);
    }
}
