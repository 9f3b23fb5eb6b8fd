//! Event data of a compaction that does not count yet: the plan of one, the summary under
//! review, the messages that it draws on.

use std::time::Duration;

use crate::context::audit::AuditFinding;
use crate::transcript::{AuditRecord, EntryId, HistoryShare, Trigger, Usage};

/// The preview of a compaction.
#[derive(Clone, Debug, PartialEq)]
pub struct CompactionPlan {
    /// Estimate of the view now.
    pub tokens_before: u64,
    /// Estimate afterwards, with a summary of the usual length.
    pub tokens_after_estimate: u64,
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
    /// Written without a model because the model failed.
    pub degraded: bool,
}

/// What a summary is shown beside.
#[derive(Clone, Debug, Default)]
pub struct SummaryComparison {
    /// Title of the left side: `previous summary (#2, 13:10)` or `outline of what is replaced`.
    pub left_title: String,
    /// The text on the left side of the diff.
    pub left: String,
    /// The extractive summary of the messages that are replaced, as a baseline.
    pub extractive: String,
}

/// What code found in a summary, and what it mended.
#[derive(Clone, Debug, Default)]
pub struct SummaryVerdict {
    /// What the audit found.
    pub audit: AuditRecord,
    /// Each finding, with the message it comes from.
    pub findings: Vec<AuditFinding>,
    /// Repairs made by code, one clause each.
    pub mended: Vec<String>,
}

/// The sources of a summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SummarySources {
    /// For each line of the summary, the messages it draws on.
    pub lines: Vec<SummaryLine>,
    /// Messages that nothing in the summary covers, with their first words.
    pub uncovered: Vec<(EntryId, String)>,
}

/// A line of the summary with the messages it draws on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryLine {
    /// Line number in the summary, from 0.
    pub line: usize,
    /// The messages, best first, at most three, with their first words.
    pub sources: Vec<(EntryId, String)>,
}
