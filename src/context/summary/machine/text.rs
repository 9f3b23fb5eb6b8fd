//! The text of the request that is due.

use crate::context::audit::{self, AuditFinding};
use crate::context::extractive;
use crate::context::summary::plan::{SummaryTask, TaskDestination};
use crate::context::summary::prompt::{self, PromptMaterial, PromptPurpose};
use crate::context::summary::{SourceMessage, serialize};

use super::{Summariser, WritingPhase};

impl Summariser {
    pub(super) fn request_text(&self, task: &SummaryTask) -> String {
        let previous = self.previous_of(task);
        let text = if task.purpose == PromptPurpose::Merge {
            self.merge_text(task)
        } else {
            self.conversation(task)
        };
        let feedback = self.feedback();
        let rules = self.uncarried_rules();
        prompt::user(
            self.frame(&rules),
            task.purpose,
            PromptMaterial {
                previous: previous.as_deref(),
                text: &text,
                feedback: feedback.as_deref(),
            },
        )
    }

    pub(super) fn units_of(
        &self,
        task: &SummaryTask,
        skipped: std::ops::Range<usize>,
    ) -> Vec<SourceMessage> {
        let units = self
            .source
            .units
            .get(task.units.clone())
            .unwrap_or_default();
        units
            .get(skipped)
            .unwrap_or_default()
            .iter()
            .filter_map(|unit| self.source.all.get(unit.messages.clone()))
            .flatten()
            .cloned()
            .collect()
    }

    fn conversation(&self, task: &SummaryTask) -> String {
        let chars = if self.run.attempt.tight {
            serialize::TIGHT_TOOL_OUTPUT_CHARS
        } else {
            serialize::TOOL_OUTPUT_CHARS
        };
        let blocks: Vec<String> = self
            .units_of(task, self.run.attempt.skipped..task.units.len())
            .iter()
            .map(|source| self.block(source, chars))
            .collect();
        serialize::conversation(blocks.iter().map(String::as_str))
    }

    /// The summary that a request updates: what was rolled, else what came before; with
    /// what had to be left out of the request, summarised without a model.
    fn previous_of(&self, task: &SummaryTask) -> Option<String> {
        let is_part = matches!(
            task.purpose,
            PromptPurpose::Part { .. } | PromptPurpose::TurnPrefix
        );
        let before = if !task.fresh {
            self.run.rolled.as_deref()
        } else if is_part || task.destination == TaskDestination::JoinedPart {
            None
        } else {
            self.run.previous.as_deref()
        };
        if self.run.attempt.skipped == 0 {
            return before.map(str::to_owned);
        }
        let left_out = self.units_of(task, 0..self.run.attempt.skipped);
        let extract = extractive::extract(extractive::ExtractSource {
            messages: &left_out,
            previous: before,
            headings: &self.basis.headings,
            ask: None,
            instructions: self.job.instructions.as_deref(),
            possible_rules: &[],
            identifiers: &[],
            identifiers_fixed: 0,
            identifiers_left: 0,
        });
        Some(extract.text)
    }

    /// The feedback for the model on earlier attempts: what was wrong with the last try, and
    /// what the audit found, with each thing by its name.
    fn feedback(&self) -> Option<String> {
        let mut lines: Vec<String> = Vec::new();
        lines.extend(self.run.attempt.note.iter().map(|note| format!("- {note}")));
        if let WritingPhase::AuditRetry { best, .. } = &self.phase {
            let findings = &best.audit.findings;
            // Of these there can be many: what else is wrong must not be cut off behind them.
            let is_last = |finding: &&AuditFinding| finding.code == audit::MISSING_IDENTIFIERS;
            let first = findings.iter().filter(|finding| !is_last(finding));
            let ordered = first.chain(findings.iter().filter(is_last));
            lines.extend(ordered.map(|finding| {
                let advice = self.advice_on(finding);
                format!("- {}: {}{advice}", finding.code, finding.text)
            }));
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// What the model is to do about a finding, where the finding alone does not say it.
    fn advice_on(&self, finding: &AuditFinding) -> String {
        match finding.code {
            audit::UNGROUNDED => "; leave it out".to_owned(),
            audit::MISSING_RULES => "; copy it word for word".to_owned(),
            audit::MISSING_IDENTIFIERS => self.line_of(&finding.text),
            audit::NOT_ENDED => "; write less and end the text".to_owned(),
            _ => String::new(),
        }
    }

    /// Where an identifier that a finding names was said.
    fn line_of(&self, finding: &str) -> String {
        self.basis
            .identifiers
            .iter()
            .find(|id| finding == format!("`{}` is missing", id.text))
            .map(|id| format!(" (it was said here: {})", id.line))
            .unwrap_or_default()
    }
}
