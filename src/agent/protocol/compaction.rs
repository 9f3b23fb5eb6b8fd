//! Event data of a compaction that does not count yet: the plan of one, the summary under
//! review, the messages that it draws on.

use std::time::Duration;

use crate::context::audit::AuditFinding;
use crate::context::grounding::Claim;
use crate::context::replaced_turns::ReplacedTurn;
use crate::transcript::{
    AuditDetail, AuditSubject, EntryId, HistoryShare, SummaryCheck, Trigger, Usage, author_label,
    cut_label,
};

/// The preview of a compaction.
#[derive(Clone, Debug, PartialEq)]
pub struct CompactionPlan {
    /// Estimate of the view now.
    pub tokens_before: u64,
    /// Tokens of the view afterwards: with the summary itself where no model writes it, else
    /// with one of the usual length.
    pub tokens_after: u64,
    /// Whether `tokens_after` is what the compaction would give: no model writes the summary,
    /// and no hook or engine may put another in its place.
    pub is_exact: bool,
    /// Messages that would be summarised.
    pub summarized: u64,
    /// Messages that would be kept.
    pub kept: u64,
    /// The first entry that would stay verbatim.
    pub first_kept: Option<EntryId>,
    /// Model calls that it would take; 0 without a model.
    pub calls: u64,
    /// Context engine id.
    pub engine: String,
    /// The model that would write: `provider/model`, or `extractive`.
    pub model: String,
    /// The requests by name, or `extractive`.
    pub stages: String,
    /// The ruler that counted.
    pub ruler: String,
    /// The part that would be summarised first because the rest takes so much.
    pub history_share: Option<HistoryShare>,
    /// Why the context engine would cut there; `None` where the settings say it.
    pub engine_reason: Option<String>,
}

impl CompactionPlan {
    /// What stands before `tokens_after` where it is no more than an estimate.
    pub fn about(&self) -> &'static str {
        if self.is_exact { "" } else { "about " }
    }

    /// Why the context engine would cut there, for people.
    pub fn cut_label(&self) -> Option<String> {
        cut_label(&self.engine, self.engine_reason.as_deref())
    }
}

/// A summary that waits for the user's answer.
#[derive(Clone, Debug)]
pub struct CompactionProposal {
    /// The cause of the compaction.
    pub trigger: Trigger,
    /// Context engine id.
    pub engine: String,
    /// What it does to the view.
    pub effect: CompactionEffect,
    /// How the summary was written.
    pub writing: SummaryWriting,
    /// The new summary, after mending.
    pub summary: String,
    /// What the aliases in the summary stand for, as (alias, identifier).
    pub aliases: Vec<(String, String)>,
    /// What the summary is shown beside.
    pub comparison: SummaryComparison,
    /// What code checked and mended.
    pub verdict: SummaryVerdict,
    /// Changed by the user since it was written.
    pub edited: bool,
    /// Sources of the summary; `None` until [`CompactionEvent::Sources`](super::CompactionEvent::Sources).
    pub sources: Option<Box<SummarySources>>,
}

impl CompactionProposal {
    /// What a reader has to know of who wrote it; `None` for the text of a model.
    pub fn author_label(&self) -> Option<String> {
        let percent = self.verdict.check.written_by_code_percent;
        author_label(&self.writing.model, self.writing.degraded, percent)
    }

    /// Why the context engine cuts there, for people.
    pub fn cut_label(&self) -> Option<String> {
        cut_label(&self.engine, self.effect.engine_reason.as_deref())
    }
}

/// What a compaction does to the view.
#[derive(Clone, Debug, Default)]
pub struct CompactionEffect {
    /// Estimate of the view now, by `ruler`.
    pub tokens_before: u64,
    /// Estimate of the view with this summary, by `ruler`.
    pub tokens_after: u64,
    /// The ruler of both numbers.
    pub ruler: String,
    /// Messages that the summary replaces.
    pub summarized: u64,
    /// Messages that stay verbatim.
    pub kept: u64,
    /// Turns that stay verbatim.
    pub kept_turns: u32,
    /// The first entry that stays verbatim; `None` when nothing does.
    pub first_kept: Option<EntryId>,
    /// What had to be dropped and summarised first.
    pub history_share: Option<HistoryShare>,
    /// Why the context engine cuts there; `None` where the settings say it.
    pub engine_reason: Option<String>,
}

/// Who wrote a summary, in how many steps, at what cost.
#[derive(Clone, Debug, Default)]
pub struct SummaryWriting {
    /// Who wrote it: `provider/model`, or `extractive`.
    pub model: String,
    /// How it was made: `1 call`, `2 parts + merge`.
    pub stages: String,
    /// Requests that were sent; 0 without a model.
    pub attempts: u64,
    /// Wall time.
    pub duration: Duration,
    /// Usage of all calls.
    pub usage: Usage,
    /// The instructions in force.
    pub instructions: Option<String>,
    /// Words of the instructions that had an effect (extractive summaries).
    pub instruction_effects: Vec<String>,
    /// Written without a model because the model gave no usable text.
    pub degraded: bool,
}

/// What a summary is shown beside.
#[derive(Clone, Debug, Default)]
pub struct SummaryComparison {
    /// Title of the left side: `previous summary (#2, 13:10)` or `3 turns that go, 2 covered`.
    pub left_title: String,
    /// The previous summary; empty where there is none to compare with.
    pub left: String,
    /// Where there is no previous summary, the turns that go, with what is lost of each.
    pub turns: Vec<ReplacedTurn>,
    /// The extractive summary of the messages that are replaced, as a baseline.
    pub extractive: String,
    /// What reading the log again brought back; `None` when an earlier summary is built upon.
    pub rebuilt: Option<RebuiltSummary>,
}

/// A summary that was rebuilt from the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RebuiltSummary {
    /// Messages that were read again.
    pub messages: u64,
    /// Lines that the summary before did not have.
    pub lines: u64,
}

/// What code found in a summary, and what it mended.
#[derive(Clone, Debug, Default)]
pub struct SummaryVerdict {
    /// As it goes into the log.
    pub check: SummaryCheck,
    /// Each finding, with the message it comes from.
    pub findings: Vec<AuditFinding>,
}

impl SummaryVerdict {
    /// Each thing that was found, by subject. What a finding says with its message is not
    /// said again without one.
    pub fn details(&self) -> Vec<AuditDetail> {
        let findings = self.findings.iter().map(|finding| AuditDetail {
            subject: AuditSubject::of_reason(finding.code),
            text: finding.text.clone(),
            source: finding.source.clone(),
            is_mended: finding.mended,
        });
        let mut details: Vec<AuditDetail> = findings.collect();
        let told: Vec<AuditSubject> = details.iter().map(|it| it.subject).collect();
        let stored = self.check.details().into_iter();
        details.extend(stored.filter(|it| !told.contains(&it.subject)));
        details.sort_by_key(|it| it.subject);
        details
    }
}

/// Where a summary comes from, by what its claims say word for word, and what else is
/// similar to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SummarySources {
    /// The claims of the summary that could be looked up, in the order of the text.
    pub claims: Vec<Claim>,
    /// The lines of the summary that messages belong to.
    pub lines: Vec<SummaryLine>,
    /// Messages that no line of the summary is similar to, with their first words.
    pub uncovered: Vec<(EntryId, String)>,
}

/// The messages that belong to a line of the summary, with their first words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SummaryLine {
    /// Line number in the summary, from 0.
    pub line: usize,
    /// Messages that say a claim of the line.
    pub exact: Vec<(EntryId, String)>,
    /// Others that share words with it, best first, at most three. The line need not come
    /// from any of them.
    pub similar: Vec<(EntryId, String)>,
}
