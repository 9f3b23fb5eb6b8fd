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
    /// Estimate of the view now, by `ruler`.
    pub tokens_before: u64,
    /// Estimate of the view with this summary, by `ruler`.
    pub tokens_after: u64,
    /// The ruler of both numbers.
    pub ruler: String,
    /// Turns that stay verbatim.
    pub kept_turns: u32,
    /// Messages that the summary replaces.
    pub summarized: u64,
    /// Messages that stay verbatim.
    pub kept: u64,
    /// The first entry that stays verbatim; `None` when nothing does.
    pub first_kept: Option<EntryId>,
    /// Context engine id.
    pub engine: String,
    /// Requests that were sent; 0 without a model.
    pub attempts: u64,
    /// The part that had to be dropped and summarised first.
    pub history_share: Option<HistoryShare>,
    /// The instructions in force.
    pub instructions: Option<String>,
    /// The author: `provider/model`, or `extractive`.
    pub model: String,
    /// How it was made: `1 call`, `2 parts + merge`.
    pub stages: String,
    /// Wall time.
    pub duration: Duration,
    /// Usage of all calls.
    pub usage: Usage,
    /// Title of the left side: `previous summary (#2, 13:10)` or `outline of what is replaced`.
    pub left_title: String,
    /// The text on the left side of the diff.
    pub left: String,
    /// The new summary, after mending.
    pub summary: String,
    /// The extractive summary of the same messages, as a baseline.
    pub extractive: String,
    /// Findings of the audit.
    pub audit: AuditRecord,
    /// Each finding, with the message it comes from.
    pub findings: Vec<AuditFinding>,
    /// Repairs made by code, one clause each.
    pub mended: Vec<String>,
    /// Written without a model because the model failed.
    pub degraded: bool,
    /// Changed by the user since it was written.
    pub edited: bool,
    /// Sources of the summary; `None` until
    /// [`CompactionEvent::Sources`](super::CompactionEvent::Sources).
    pub sources: Option<Box<SummarySources>>,
    /// Words of the instructions that had an effect (extractive summaries).
    pub instruction_effects: Vec<String>,
    /// Aliases in the summary with their meaning, as (alias, identifier).
    pub aliases: Vec<(String, String)>,
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
