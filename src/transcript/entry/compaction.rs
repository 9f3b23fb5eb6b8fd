//! A compaction: a summary that stands for everything before its first kept entry.

use super::EntryId;
use crate::transcript::Usage;

/// The cause of a compaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trigger {
    /// `/compact`.
    #[default]
    Manual,
    /// The view reached the load line.
    Threshold,
    /// The provider refused the request as too long.
    Overflow,
}

impl Trigger {
    /// The name in logs and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Manual => "manual",
            Self::Threshold => "threshold",
            Self::Overflow => "overflow",
        }
    }

    /// The trigger with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Manual, Self::Threshold, Self::Overflow]
            .into_iter()
            .find(|t| t.name() == name)
    }
}

/// A compaction in the log.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compaction {
    /// The body of the summary: model-written, repaired and user-edited parts.
    pub summary: String,
    /// The first entry that stays verbatim. `None`, or the compaction's own id, means
    /// that nothing was kept.
    pub first_kept: Option<EntryId>,
    /// Estimate of the view before, by `details.ruler`.
    pub tokens_before: u64,
    /// How it came about.
    pub details: CompactionDetails,
    /// Written by a hook rather than by the summariser.
    pub from_hook: bool,
}

impl Compaction {
    /// Whether the summary can be built upon: its audit found nothing, nothing was repaired in
    /// it, and it is no stand-in for one that a model should have written. What a person or a
    /// hook wrote is what they want.
    pub fn holds_in_full(&self) -> bool {
        let details = &self.details;
        let check = &details.check;
        let has_passed = check.audit.as_ref().is_some_and(|audit| audit.passed)
            && check.mended.is_empty()
            && check.ungrounded.is_empty();
        details.edited || self.from_hook || has_passed && !details.degraded
    }
}

impl CompactionDetails {
    /// Why the context engine cut where it did, for people; `None` where the settings said it.
    pub fn cut_label(&self) -> Option<String> {
        cut_label(&self.engine, self.cause.engine_reason.as_deref())
    }
}

/// Why a context engine cuts where it does, for people; `None` where it does not say.
pub fn cut_label(engine: &str, reason: Option<&str>) -> Option<String> {
    reason.map(|reason| format!("cut chosen by engine {engine}: {reason}"))
}

/// How a compaction came about. Fields are defaults in files of other programs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompactionDetails {
    /// What started it.
    pub cause: CompactionCause,
    /// Estimate of the view after, by `ruler`.
    pub tokens_after: u64,
    /// The ruler of both numbers.
    pub ruler: String,
    /// Context engine id.
    pub engine: String,
    /// `provider/model` that wrote the summary; `extractive` without a model.
    pub model: String,
    /// The instructions that were in force.
    pub instructions: Option<String>,
    /// What code checked and mended in the summary.
    pub check: SummaryCheck,
    /// Written without a model because the model gave no usable text.
    pub degraded: bool,
    /// Changed by the user before it was accepted.
    pub edited: bool,
    /// The part that had to be dropped before summarising, when history was too large.
    pub history_share: Option<HistoryShare>,
    /// What code appends to the summary.
    pub appendix: SummaryAppendix,
    /// What the aliases in the summary stand for, as (alias, identifier), by number.
    pub aliases: Vec<(String, String)>,
    /// What it did to messages that are not part of the kept tail as they are.
    pub exceptions: TailExceptions,
    /// Messages that the summary replaces.
    pub summarized_messages: u64,
    /// What it took to write.
    pub cost: CompactionCost,
}

/// What started a compaction, where the load line was, and who chose the cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompactionCause {
    /// The kind of start.
    pub trigger: Trigger,
    /// Overflow attempt (1–3), else 0.
    pub attempt: u32,
    /// The load line that was in force; 0 in files of other programs.
    pub load_line_tokens: u64,
    /// Why the context engine cut where it did; `None` where the settings said it.
    pub engine_reason: Option<String>,
}

/// The result of checking a stored summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SummaryCheck {
    /// What the audit of the stored text found.
    pub audit: Option<AuditRecord>,
    /// Parts that code mended, one clause each.
    pub mended: Vec<String>,
    /// Claims of the summary that the conversation does not have.
    pub ungrounded: Vec<UngroundedClaim>,
    /// Identifiers that this summary had to carry: later ones have to as well.
    pub demands: Vec<IdentifierDemand>,
    /// Share of what was demanded that the text lacked and code had to write, in percent,
    /// 0–100.
    pub written_by_code_percent: u64,
    /// Rules that the next request has because the rules block carries them, whatever the
    /// summary says: of `rules_found` in the audit.
    pub rules_in_block: u64,
}

/// A claim of a summary that nothing in the conversation says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UngroundedClaim {
    /// The claim as the summary writes it.
    pub text: String,
    /// What kind of claim, e.g. `path`, `money`, `done_action`.
    pub class: String,
    /// Its sentence was taken out; otherwise the claim is marked `[unverified]` or was left
    /// to the person who reviewed it.
    pub is_struck: bool,
}

/// An identifier that a summary had to carry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdentifierDemand {
    /// Exactly as it was written.
    pub text: String,
    /// Times that messages named it.
    pub uses: u64,
    /// A person typed it: it does not decay.
    pub is_typed: bool,
}

/// Files and failures so far: what code appends to a summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SummaryAppendix {
    /// Files read and not modified, sorted.
    pub read_files: Vec<String>,
    /// Files modified, sorted.
    pub modified_files: Vec<String>,
    /// Tool failures, one line each, first per call, oldest first; without those that the
    /// same call put right later.
    pub failures: Vec<String>,
    /// All that a view has from before the kept part beside the summary, as text: what other
    /// programs, which know only the summary and what was kept, read behind it. Written once,
    /// never sent from here.
    pub for_others: String,
}

/// Messages that a compaction treats unlike their neighbours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TailExceptions {
    /// User messages from before `first_kept` that stay verbatim all the same.
    pub kept_asks: Vec<EntryId>,
    /// The cut that it made to a kept result which is larger than all it may keep. The cut
    /// holds as long as the compaction does.
    pub cut_entry: Option<EntryId>,
}

/// What a compaction took to write.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CompactionCost {
    /// Requests that were sent for it, those of drafts that were not taken included; 0 when
    /// no model was asked, and in files of other programs.
    pub requests: u64,
    /// What the provider counted for them.
    pub usage: Usage,
    /// Wall time in milliseconds.
    pub duration_ms: u64,
}

/// Counts of what was dropped (and summarised first) to respect the history share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HistoryShare {
    /// Rounds of dropping the oldest half.
    pub dropped_chunks: u64,
    /// Messages dropped.
    pub dropped_messages: u64,
    /// Their estimated tokens.
    pub dropped_tokens: u64,
}

/// What a summary says of the user's latest ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AskCheck {
    /// There was none, or nobody looked.
    #[default]
    Unchecked,
    /// It stays verbatim beside the summary, which need not say it.
    Verbatim,
    /// The summary reflects it.
    Reflected,
    /// It is neither kept nor reflected.
    Missing,
}

impl AskCheck {
    const ALL: [Self; 4] = [
        Self::Unchecked,
        Self::Verbatim,
        Self::Reflected,
        Self::Missing,
    ];

    /// The name in logs and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unchecked => "unchecked",
            Self::Verbatim => "verbatim",
            Self::Reflected => "reflected",
            Self::Missing => "missing",
        }
    }

    /// The result with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|check| check.name() == name)
    }
}

/// What the audit found in a summary, before code repaired anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuditRecord {
    /// Headings present, of `sections_total`.
    pub sections_found: u64,
    /// Headings that the template asks for.
    pub sections_total: u64,
    /// Identifiers present, of `identifiers_total`.
    pub identifiers_found: u64,
    /// Identifiers selected from what was summarised.
    pub identifiers_total: u64,
    /// Identifiers in what was summarised, selected or not.
    pub identifiers_known: u64,
    /// Active rules that the next request has verbatim, of `rules_total`.
    pub rules_found: u64,
    /// Active rules of the person.
    pub rules_total: u64,
    /// Claims that the conversation has as well, of `claims_total`.
    pub claims_grounded: u64,
    /// Claims of the summary that could be checked.
    pub claims_total: u64,
    /// Identifiers that are missing.
    pub missing: Vec<String>,
    /// Identifiers that were altered, as `written → real`.
    pub altered: Vec<String>,
    /// What it says of the latest ask.
    pub ask: AskCheck,
    /// How many secrets the redaction rules found in the text.
    pub secrets: u64,
    /// Whether everything holds.
    pub passed: bool,
    /// Reason codes of what does not hold, e.g. `missing_section`.
    pub reasons: Vec<String>,
}
