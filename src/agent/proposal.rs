//! A written summary on its way into the log: what the user is shown of it, what they
//! decide, and the entry that it becomes.

use std::time::Duration;

use super::actor::{Actor, Stop};
use super::compact::{Material, Wanted, estimated_tokens};
use super::event::{AgentEvent, CompactionProposal, Finding, SummaryLine};
use super::op::ReviewDecision;
use crate::context::summary::{self, SourceMessage, SummaryJob, SummaryResult};
use crate::context::{appendix, outline, sources};
use crate::transcript::{Compaction, CompactionDetails, EntryBody, EntryId};

/// A summary that does not count yet.
#[derive(Clone)]
pub(super) struct Draft {
    pub job: SummaryJob,
    pub result: SummaryResult,
    /// `provider/model`, or `extractive`.
    pub model: String,
    pub took: Duration,
    /// Changed by the user.
    pub edited: bool,
}

/// What the user decided.
pub(super) enum Verdict {
    Accept(Box<Draft>),
    Retry(Option<String>),
    Cancel,
}

/// How much of a source message is shown beside a line that draws on it.
const FIRST_WORDS_CHARS: usize = 80;

impl Actor {
    /// Shows a draft and waits until the user has decided.
    pub async fn review(
        &mut self,
        wanted: &Wanted,
        material: &Material,
        draft: Draft,
    ) -> Result<Verdict, Stop> {
        let mut draft = draft;
        loop {
            let proposal = self.proposal(wanted, material, &draft);
            self.review_answer = None;
            self.emit(AgentEvent::CompactionReview(Box::new(proposal)))
                .await;
            let decision = loop {
                if let Some(decision) = self.review_answer.take() {
                    break decision;
                }
                self.wait_for_answer().await?;
            };
            match decision {
                ReviewDecision::Accept => return Ok(Verdict::Accept(Box::new(draft))),
                ReviewDecision::Retry { instructions } => return Ok(Verdict::Retry(instructions)),
                ReviewDecision::Cancel => return Ok(Verdict::Cancel),
                ReviewDecision::Edit(text) => {
                    let (audit, findings) = summary::reaudit(&draft.job, &text);
                    draft.result.summary = text;
                    draft.result.audit = audit;
                    draft.result.findings = findings;
                    draft.edited = true;
                }
            }
        }
    }

    fn proposal(
        &mut self,
        wanted: &Wanted,
        material: &Material,
        draft: &Draft,
    ) -> CompactionProposal {
        let compaction = self.compaction(wanted, material, draft);
        let result = &draft.result;
        let all: Vec<SourceMessage> = material
            .messages
            .iter()
            .chain(&material.turn_prefix)
            .cloned()
            .collect();
        let extractive = summary::extract(&draft.job).summary;
        let (left_title, left) = self.left_side(material, &all, &extractive, &result.summary);
        let coverage = sources::coverage(&result.summary, &all);
        let words = |id: &EntryId| (id.clone(), first_words(&all, id));
        CompactionProposal {
            trigger: wanted.trigger,
            tokens_before: compaction.tokens_before,
            tokens_after: compaction.details.tokens_after,
            ruler: compaction.details.ruler.clone(),
            kept_turns: material.plan.kept_turns,
            summarized: material.plan.summarized(),
            instructions: draft.job.instructions.clone(),
            model: draft.model.clone(),
            stages: result.stages.clone(),
            duration: draft.took,
            usage: result.usage,
            left_title,
            left,
            summary: result.summary.clone(),
            extractive,
            audit: result.audit.clone(),
            findings: result
                .findings
                .iter()
                .map(|finding| Finding {
                    code: finding.code,
                    text: finding.text.clone(),
                    source: finding.source.clone(),
                    mended: finding.mended,
                })
                .collect(),
            mended: result.mended.clone(),
            degraded: result.degraded,
            edited: draft.edited,
            lines: coverage
                .lines
                .iter()
                .map(|line| SummaryLine {
                    line: line.line,
                    sources: line.sources.iter().map(words).collect(),
                })
                .collect(),
            uncovered: coverage.uncovered.iter().map(words).collect(),
            instruction_effects: result.instruction_effects.clone(),
        }
    }

    /// What the new summary is compared with: the one before it; the first time the
    /// extractive summary; and where that is what was written, the outline.
    fn left_side(
        &self,
        material: &Material,
        all: &[SourceMessage],
        extractive: &str,
        written: &str,
    ) -> (String, String) {
        if let Some((_, previous)) = &material.previous {
            let number = self
                .conversation
                .transcript()
                .branch()
                .iter()
                .filter(|entry| matches!(entry.body, EntryBody::Compaction(_)))
                .count();
            return (
                format!("previous summary (#{number})"),
                previous.summary.clone(),
            );
        }
        if extractive.trim() == written.trim() {
            return (
                "outline of what is replaced".to_owned(),
                outline::outline(all),
            );
        }
        (
            "extractive summary of what is replaced".to_owned(),
            extractive.to_owned(),
        )
    }
}

/// The entry that a draft becomes; the size afterwards is still to be measured.
pub(super) fn compaction(wanted: &Wanted, material: &Material, draft: &Draft) -> Compaction {
    let all: Vec<SourceMessage> = material
        .messages
        .iter()
        .chain(&material.turn_prefix)
        .cloned()
        .collect();
    let previous = material
        .previous
        .as_ref()
        .map(|(_, previous)| &previous.details);
    let appendix = appendix::accumulate(previous, &all);
    let result = &draft.result;
    Compaction {
        summary: result.summary.clone(),
        first_kept: material.plan.first_kept.clone(),
        tokens_before: estimated_tokens(&material.view),
        details: CompactionDetails {
            tokens_after: 0,
            ruler: material.view.ruler.name.to_owned(),
            trigger: wanted.trigger,
            attempt: wanted.attempt,
            engine: String::new(),
            model: draft.model.clone(),
            instructions: draft.job.instructions.clone(),
            audit: Some(result.audit.clone()),
            mended: result.mended.clone(),
            degraded: result.degraded,
            edited: draft.edited,
            history_share: result.history_share,
            read_files: appendix.read_files,
            modified_files: appendix.modified_files,
            failures: appendix.failures,
            summarized_messages: material.plan.summarized(),
            usage: result.usage,
            duration_ms: u64::try_from(draft.took.as_millis()).unwrap_or(u64::MAX),
        },
        from_hook: false,
    }
}

fn first_words(all: &[SourceMessage], id: &EntryId) -> String {
    let Some(source) = all.iter().find(|source| source.entry == *id) else {
        return String::new();
    };
    summary::excerpt::one_line(&source.message.text(), FIRST_WORDS_CHARS)
}
