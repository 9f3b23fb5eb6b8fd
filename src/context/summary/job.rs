//! The input and output of a summariser.

use std::sync::Arc;

use crate::context::audit::share::MOSTLY_BY_CODE_PERCENT;
use crate::context::audit::{AuditFinding, LatestAsk, RuleDemand};
use crate::context::{AuditSettings, HistorySettings, TemplateKind};
use crate::transcript::{
    AuditRecord, HistoryShare, IdentifierDemand, Message, StopReason, UngroundedClaim, Usage,
};

use super::SourceMessage;

/// Estimates the tokens of a text.
pub type TokenCount = Arc<dyn Fn(&str) -> u64 + Send + Sync>;

/// Tries of one request for a summary, however many the settings allow: another plan may
/// succeed, and a summary can be written without a model.
pub(super) const MAX_TRIES: u32 = 3;

/// The window that is assumed where nobody knows it.
pub(super) const ASSUMED_WINDOW_TOKENS: u64 = 200_000;

/// Who gets a summary: what is done about a text that does not hold depends on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SummaryTaker {
    /// A person looks at the text before it counts: nothing is struck, and a degraded text
    /// is shown with its label.
    Reviewer,
    /// A person asked for it and does not look: what nothing says is struck, and a degraded
    /// text counts with its label.
    #[default]
    Requester,
    /// Nobody asked: what nothing says is struck, and the extractive summary takes the place
    /// of a degraded text.
    Program,
}

/// What the next request has beside the summary and the messages that stay.
#[derive(Clone, Debug, Default)]
pub struct KeptContext {
    /// Tokens of everything that stays, in a held-back message as well.
    pub tokens: u64,
    /// The active rules of the person, oldest first.
    pub rules: Vec<RuleDemand>,
    /// The system prompt, rules of the workspace and other texts without a message.
    pub texts: Vec<String>,
}

/// The fallback when no model answers with a usable summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FailureMode {
    /// Nothing changes: the caller is told why.
    #[default]
    Cancel,
    /// The extractive summary is used, flagged as degraded.
    Degrade,
}

/// Limits of the summarising model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SummaryModel {
    /// Its window, in tokens; 0 when nobody knows it.
    pub window_tokens: u64,
    /// Its largest answer, in tokens.
    pub max_output_tokens: u64,
    /// Repeating of requests that failed.
    pub retries: SummaryRetries,
}

impl Default for SummaryModel {
    fn default() -> Self {
        /// The answer that is assumed to be possible.
        const ASSUMED_OUTPUT_TOKENS: u64 = 8_192;
        Self {
            window_tokens: ASSUMED_WINDOW_TOKENS,
            max_output_tokens: ASSUMED_OUTPUT_TOKENS,
            retries: SummaryRetries::default(),
        }
    }
}

/// Repeating of requests that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SummaryRetries {
    /// Tries of one request, the first included; three at most are made.
    pub max_tries: u32,
    /// Spreads the retries of many sessions.
    pub jitter_seed: u64,
}

impl Default for SummaryRetries {
    fn default() -> Self {
        Self {
            max_tries: MAX_TRIES,
            jitter_seed: 0,
        }
    }
}

/// What is known beside the messages that a summary replaces.
#[derive(Clone, Debug, Default)]
pub struct SummaryBackground {
    /// Aliases in the previous summary with their meaning, as (alias, identifier).
    pub aliases: Vec<(String, String)>,
    /// Identifiers that the previous summary had to carry, the weightiest first.
    pub demands: Vec<IdentifierDemand>,
    /// Words of the replaced messages that may be rules of the person, oldest first: neither a
    /// kept message nor the rules block has them.
    pub possible_rules: Vec<String>,
    /// What stays word for word after the summary, a message held back included.
    pub kept: Vec<SourceMessage>,
    /// Everything else that was said before, earlier summaries included: it tells what is
    /// real, and nothing is taken from it.
    pub earlier: Vec<Arc<Message>>,
}

/// One summary to be written.
#[derive(Clone)]
pub struct SummaryJob {
    /// The messages that the summary replaces, oldest first.
    pub messages: Vec<SourceMessage>,
    /// The beginning of a turn whose rest stays.
    pub turn_prefix: Vec<SourceMessage>,
    /// The stored summary of what came before.
    pub previous_summary: Option<String>,
    /// What is known beside the messages.
    pub background: SummaryBackground,
    /// The user's last message.
    pub ask: Option<LatestAsk>,
    /// The user's instructions; cut to 800 code points.
    pub instructions: Option<String>,
    /// The headings.
    pub template: TemplateKind,
    /// Checking.
    pub audit: AuditSettings,
    /// How much history one request reads.
    pub history: HistorySettings,
    /// The summarising model.
    pub model: SummaryModel,
    /// What the next request has beside the summary.
    pub kept: KeptContext,
    /// Who gets it.
    pub taker: SummaryTaker,
    /// The fallback when no model answers.
    pub on_failure: FailureMode,
    /// Do not ask a model at all.
    pub extractive: bool,
    /// The ruler.
    pub count: TokenCount,
}

impl SummaryJob {
    /// All that the summary stands for, oldest first.
    pub(crate) fn replaced(&self) -> Vec<SourceMessage> {
        let all = self.messages.iter().chain(&self.turn_prefix);
        all.cloned().collect()
    }

    /// A job with the defaults of the `default` preset and a window of 200,000.
    pub fn new(messages: Vec<SourceMessage>, count: TokenCount) -> Self {
        Self {
            messages,
            turn_prefix: Vec::new(),
            previous_summary: None,
            background: SummaryBackground::default(),
            ask: None,
            instructions: None,
            template: TemplateKind::Standard,
            audit: AuditSettings::default(),
            history: HistorySettings::default(),
            model: SummaryModel::default(),
            kept: KeptContext::default(),
            taker: SummaryTaker::default(),
            on_failure: FailureMode::Cancel,
            extractive: false,
            count,
        }
    }
}

/// A request to the summarising model: no tools, one user message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryCall {
    /// The system prompt.
    pub system: String,
    /// The user message.
    pub text: String,
    /// Largest answer.
    pub max_output_tokens: u64,
    /// Wait this long before sending.
    pub delay_ms: u64,
    /// For the status line, e.g. `part 2/3`, `merge`, `audit · retry 1`.
    pub stage: String,
}

/// The outcome of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The model answered.
    Answer {
        /// Its text.
        text: String,
        /// Why it ended.
        stop: StopReason,
        /// Whether it called a tool.
        had_tool_call: bool,
        /// The reported usage; zeros when there was none.
        usage: Usage,
    },
    /// The request was too long for the model.
    Overflow,
    /// The model or the provider declined.
    Refused {
        /// Why, as far as known.
        message: String,
    },
    /// The request failed.
    Failed {
        /// Why.
        message: String,
        /// Whether the same request may succeed later.
        retryable: bool,
    },
}

/// The next step.
#[derive(Clone, Debug, PartialEq)]
pub enum SummaryStep {
    /// Send this and report the reply.
    Ask(SummaryCall),
    /// The summary is ready.
    Done(Box<SummaryResult>),
    /// There is none; the log is as before.
    Failed(SummaryFailure),
}

/// The part of a summary that code did not write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WrittenText {
    /// Lines of the summary that are not in it are the code's.
    pub text: String,
    /// Share of what was demanded that it lacks, in percent.
    pub lacking_percent: u64,
    /// Share of it that is beyond what is stored, in percent.
    pub cut_percent: u64,
}

impl WrittenText {
    /// A text of which code wrote nothing.
    pub fn whole(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }

    /// Whether more was missing, or too much, than was there.
    pub fn is_mostly_by_code(&self) -> bool {
        self.lacking_percent > MOSTLY_BY_CODE_PERCENT
    }
}

/// A finished summary.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SummaryResult {
    /// The text to store, at most 16,000 characters.
    pub summary: String,
    /// What the audit found before code repaired anything.
    pub audit: AuditRecord,
    /// Problems in the text as it was written, solved and unsolved.
    pub findings: Vec<AuditFinding>,
    /// Repairs made by code, one clause each.
    pub mended: Vec<String>,
    /// Claims of the text that nothing in the conversation says.
    pub ungrounded: Vec<UngroundedClaim>,
    /// The text as it was written, before code put in what it lacked.
    pub written: WrittenText,
    /// Written without a model because the model gave no usable text, or mostly by code.
    pub degraded: bool,
    /// No model wrote it: it is the extractive summary.
    pub is_extractive: bool,
    /// The stages that it took, joined.
    pub stages: String,
    /// Requests that were sent.
    pub calls: u64,
    /// Usage of its requests.
    pub usage: Usage,
    /// The part that had to be dropped and summarised first.
    pub history_share: Option<HistoryShare>,
    /// Words of the instructions that had an effect (extractive summaries).
    pub instruction_effects: Vec<String>,
    /// Aliases in the text with their meaning, as (alias, identifier).
    pub aliases: Vec<(String, String)>,
    /// Identifiers that the text had to carry, the weightiest first.
    pub demands: Vec<IdentifierDemand>,
}

/// Why there is no summary.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SummaryFailure {
    /// The failure, in one sentence.
    pub message: String,
    /// Reason codes of the audit, when the text did not hold.
    pub reasons: Vec<String>,
    /// The stages that were gone through, joined.
    pub stages: String,
    /// Requests that were sent.
    pub calls: u64,
    /// Usage of its requests.
    pub usage: Usage,
}
