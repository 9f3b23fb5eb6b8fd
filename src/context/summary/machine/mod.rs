//! The summariser: a state machine that yields requests and is fed replies. It never
//! ends with an apology for a summary: either a checked text, the extractive summary
//! marked as such, or a failure that says why.

mod answer;
mod edit;
mod finish;
mod judge;
mod merge;
mod prepare;
mod stages;
mod text;

use std::cell::OnceCell;

use crate::context::audit::language::TextLanguage;
use crate::context::audit::{AuditBasis, AuditFinding, AuditOutcome, RuleCarrier};
use crate::context::extractive::ExtractiveSummary;
use crate::context::grounding::OwnedSourceIndex;
use crate::transcript::{HistoryShare, RetryPolicy, Usage};

use super::job::{ASSUMED_WINDOW_TOKENS, MAX_TRIES};
use super::plan::{
    self, MessageGroup, RequestLimits, SummaryLoad, SummaryPlan, SummaryTask, TaskDestination,
};
use super::prompt::{self, PromptFrame};
use super::{
    FailureMode, MAX_BODY_CHARS, Reply, SourceMessage, SummaryCall, SummaryFailure, SummaryJob,
    SummaryResult, SummaryStep, SummaryTaker, WrittenText, chunk, document, estimate, serialize,
};

pub use edit::{EditedSummary, edited, reaudit, without_unsaid};
pub use finish::extract;

/// The stage of a summary without a model.
const EXTRACTIVE_STAGE: &str = "extractive";
/// When a request that failed, or whose answer is not a summary, is made again.
const RETRY_POLICY: RetryPolicy = RetryPolicy {
    first_wait_ms: 500,
    longest_wait_ms: 5_000,
};

/// How the current request is made smaller or repeated.
#[derive(Clone, Debug, Default)]
struct RequestAttempt {
    /// Failed tries so far.
    tries: u32,
    /// Tool outputs are cut short.
    tight: bool,
    /// The first so many units are summarised without a model.
    skipped: usize,
    /// Times that the texts to merge were halved.
    halvings: u32,
    /// The note for the model about its last try.
    note: Option<String>,
    /// The last try was no summary of the conversation at all.
    was_worthless: bool,
}

/// An attempt at the whole that could be stored.
#[derive(Clone, Debug)]
struct SummaryCandidate {
    text: String,
    audit: AuditOutcome,
    /// Share of what was demanded that the text lacks, in percent.
    lacking_percent: u64,
}

/// The extractive summary, as a text and by section.
struct SummaryBaseline {
    document: document::SummaryDocument,
    extract: ExtractiveSummary,
}

/// The messages to summarise, and how they are cut into units.
struct SourceUnits {
    /// History, then the beginning of the split turn.
    all: Vec<SourceMessage>,
    /// Atomic groups of `all`.
    units: Vec<MessageGroup>,
    /// Messages of `all` that are history.
    history: usize,
    /// A note stands for each message that is too large for one request.
    without_oversized: bool,
    /// `all` and the messages that stay: what a summary may draw on.
    grounds: Vec<SourceMessage>,
}

/// The plan that is carried out, and what its tasks gave so far.
#[derive(Default)]
struct PlanRun {
    plan: SummaryPlan,
    /// The task that is due.
    at: usize,
    attempt: RequestAttempt,
    /// The summary of the units before, when they are read one after the other.
    rolled: Option<String>,
    /// The stored summary of what came before.
    previous: Option<String>,
    /// Partial summaries to be merged.
    parts: Vec<String>,
    /// Tokens of parts that one merge may carry, once one was too large or refused.
    merge_room: Option<u64>,
    turn_context: Option<String>,
    /// Text that was read without a model because the request was too long.
    unread: Vec<String>,
}

/// The phase of the work: which text is asked for.
enum WritingPhase {
    /// The tasks of the plan, one after the other.
    Tasks,
    /// The last task again, with what the audit found in the best text so far.
    AuditRetry {
        /// From 1.
        round: u32,
        best: Box<SummaryCandidate>,
    },
}

/// The record of the run so far.
#[derive(Default)]
struct RunRecord {
    stages: Vec<String>,
    calls: u64,
    usage: Usage,
}

/// Writes one summary. Dropping it cancels the work; nothing else has to be undone.
pub struct Summariser {
    job: SummaryJob,
    basis: AuditBasis,
    source: SourceUnits,
    run: PlanRun,
    phase: WritingPhase,
    record: RunRecord,
    /// Read from the messages when it is first needed.
    baseline: OnceCell<SummaryBaseline>,
    /// The index of all that the summary may draw on, made when it is first needed.
    index: OnceCell<OwnedSourceIndex>,
    /// The index of what earlier summaries have replaced, made when it is first needed.
    earlier_index: OnceCell<OwnedSourceIndex>,
}

impl Summariser {
    /// Plans the work. Nothing is asked before [`Summariser::start`].
    pub fn new(mut job: SummaryJob) -> Self {
        if job.model.window_tokens == 0 {
            job.model.window_tokens = ASSUMED_WINDOW_TOKENS;
        }
        let basis = prepare::basis(&mut job);
        let previous = job.previous_summary.clone();
        let mut all = job.messages.clone();
        let split = all.len();
        all.extend(job.turn_prefix.iter().cloned());
        let grounds = prepare::grounds(&job);
        let mut out = Self {
            basis,
            source: SourceUnits {
                all,
                units: Vec::new(),
                history: split,
                without_oversized: false,
                grounds,
            },
            run: PlanRun {
                previous,
                ..PlanRun::default()
            },
            phase: WritingPhase::Tasks,
            record: RunRecord::default(),
            baseline: OnceCell::new(),
            index: OnceCell::new(),
            earlier_index: OnceCell::new(),
            job,
        };
        if !out.job.extractive {
            out.make_plan();
        }
        out
    }

    /// Requests that the work takes when every one of them succeeds, and what they give can be
    /// joined in one.
    pub fn planned_calls(&self) -> usize {
        self.run.plan.tasks.len()
    }

    /// Their names in order, or that no model is asked.
    pub fn planned_stages(&self) -> String {
        if self.job.extractive {
            return EXTRACTIVE_STAGE.to_owned();
        }
        stages::joined(self.run.plan.tasks.iter().map(|task| task.stage.as_str()))
    }

    /// The part to summarise first to keep to the share of the window.
    pub fn planned_share(&self) -> Option<HistoryShare> {
        self.run.plan.dropped
    }

    /// The first step.
    pub fn start(&mut self) -> SummaryStep {
        if self.source.all.is_empty() {
            return self.failed("there is nothing to summarise", Vec::new());
        }
        if self.job.extractive {
            return self.without_model(false);
        }
        self.ask(0)
    }

    /// The step after a reply.
    pub fn on_reply(&mut self, reply: Reply) -> SummaryStep {
        match reply {
            Reply::Answer {
                text,
                stop,
                had_tool_call,
                usage,
            } => {
                self.record.usage = self.record.usage.plus(usage);
                self.on_answer(&text, stop, had_tool_call)
            }
            Reply::Overflow => self.on_overflow(),
            Reply::Refused { message } => {
                self.retry(&format!("the model declined: {message}"), None)
            }
            Reply::Failed {
                message,
                retryable: true,
            } => self.retry(&message, None),
            Reply::Failed { message, .. } => self.give_up(&message, false),
        }
    }

    fn make_plan(&mut self) {
        let groups = chunk::atomic_groups(
            self.source
                .all
                .get(..self.source.history)
                .unwrap_or_default(),
        );
        let later = chunk::atomic_groups(
            self.source
                .all
                .get(self.source.history..)
                .unwrap_or_default(),
        );
        let shift = self.source.history;
        let later = later.into_iter().map(|g| g.start + shift..g.end + shift);
        let history_units = if shift == 0 { usize::MAX } else { groups.len() };
        self.source.units = groups
            .into_iter()
            .chain(later)
            .map(|messages| MessageGroup {
                tokens: self.unit_tokens(&messages),
                messages,
            })
            .collect();
        let load = SummaryLoad {
            units: &self.source.units,
            history: history_units.min(self.source.units.len()),
            new_content: self.job.kept.tokens,
            history_share: self.job.history.max_share,
            always_chunk: self.job.history.always_chunk,
        };
        self.run = PlanRun {
            plan: plan::plan(load, self.limits()),
            previous: self.job.previous_summary.clone(),
            ..PlanRun::default()
        };
    }

    fn unit_tokens(&self, messages: &std::ops::Range<usize>) -> u64 {
        let messages = self.source.all.get(messages.clone()).unwrap_or_default();
        messages
            .iter()
            .map(|source| self.block_tokens(source))
            .fold(0, u64::saturating_add)
    }

    fn block_tokens(&self, source: &SourceMessage) -> u64 {
        let chars = serialize::TOOL_OUTPUT_CHARS;
        let known = estimate::tokens(source, chars).filter(|tokens| {
            !self.source.without_oversized
                || *tokens <= chunk::oversized_above(self.job.model.window_tokens)
        });
        known.unwrap_or_else(|| (self.job.count)(&self.block(source, chars)))
    }

    /// The text of one message, or the note that stands for it.
    fn block(&self, source: &SourceMessage, output_chars: usize) -> String {
        let text = serialize::message(source, output_chars, &self.basis.secrets);
        if self.source.without_oversized && self.is_oversized(&text) {
            serialize::omitted(source)
        } else {
            text
        }
    }

    fn is_oversized(&self, block: &str) -> bool {
        // A token has at least one byte: short texts need not be counted.
        let limit = chunk::oversized_above(self.job.model.window_tokens);
        block.len() as u64 > limit && (self.job.count)(block) > limit
    }

    fn limits(&self) -> RequestLimits {
        let rules = self.uncarried_rules();
        let frame = self.frame(&rules);
        let material = prompt::PromptMaterial::default();
        let empty = prompt::user(frame, prompt::PromptPurpose::Whole, material);
        let mut overhead = (self.job.count)(&empty) + (self.job.count)(&prompt::system(frame));
        if let Some(previous) = &self.job.previous_summary {
            overhead += (self.job.count)(previous);
        }
        RequestLimits {
            window: self.job.model.window_tokens,
            max_output: self.job.model.max_output_tokens,
            overhead,
        }
    }

    /// Rules that only the summary can carry.
    fn uncarried_rules(&self) -> Vec<&str> {
        let rules = self.basis.rules.iter();
        let own = rules.filter(|rule| rule.carrier == RuleCarrier::Summary);
        own.map(|rule| rule.text.as_str()).collect()
    }

    fn frame<'a>(&'a self, rules: &'a [&'a str]) -> PromptFrame<'a> {
        PromptFrame {
            rules,
            has_kept_rules: rules.len() < self.basis.rules.len(),
            possible_rules: &self.job.background.possible_rules,
            headings: &self.basis.headings,
            audit: &self.job.audit,
            language: self.basis.language.and_then(TextLanguage::name),
            instructions: self.job.instructions.as_deref(),
        }
    }

    fn task(&self) -> Option<&SummaryTask> {
        self.run.plan.tasks.get(self.run.at)
    }

    fn ask(&mut self, delay_ms: u64) -> SummaryStep {
        self.split_merge();
        let Some(task) = self.task().cloned() else {
            return self.failed("the plan is empty", Vec::new());
        };
        let mut stage = task.stage.clone();
        if let WritingPhase::AuditRetry { round, .. } = self.phase {
            stage = format!("audit · retry {round}");
        }
        let system = prompt::system(self.frame(&[]));
        let text = self.request_text(&task);
        if self.record.stages.last() != Some(&stage) {
            self.record.stages.push(stage.clone());
        }
        self.record.calls += 1;
        SummaryStep::Ask(SummaryCall {
            system,
            text,
            max_output_tokens: self.limits().output(),
            delay_ms,
            stage,
        })
    }

    /// The task is done: its text goes where it belongs, the next one is asked.
    fn accept(&mut self, text: String) -> SummaryStep {
        let destination = self
            .task()
            .map_or(TaskDestination::Summary, |task| task.destination);
        self.note_unread();
        match destination {
            TaskDestination::Roll => self.run.rolled = Some(text),
            TaskDestination::Previous => self.run.previous = Some(text),
            TaskDestination::Part => self.run.parts.push(text),
            TaskDestination::JoinedPart => {
                let parts = self.task().map(|task| task.parts.clone());
                self.join_parts(parts.unwrap_or_default(), text);
            }
            TaskDestination::TurnContext => self.run.turn_context = Some(text),
            TaskDestination::Summary => {
                let text = self.with_turn_context(&text);
                return self.finish_unchecked(&text);
            }
        }
        self.run.at += 1;
        self.run.attempt = RequestAttempt::default();
        self.ask(0)
    }

    /// Notes in the entry the part that the model did not read.
    fn note_unread(&mut self) {
        let units = self.task().map(|task| task.units.clone());
        let units = units
            .and_then(|units| self.source.units.get(units))
            .unwrap_or_default();
        let unread = units.iter().take(self.run.attempt.skipped);
        let messages: usize = unread.map(|unit| unit.messages.len()).sum();
        if messages > 0 {
            let stage = "oldest half without a model".to_owned();
            self.record.stages.push(stage);
            self.run.unread.push(format!(
                "summarised the oldest {messages} message(s) of a request without a model: it was too long"
            ));
        }
    }

    fn retry(&mut self, why: &str, note: Option<String>) -> SummaryStep {
        self.run.attempt.tries += 1;
        if self.run.attempt.tries >= self.job.model.retries.max_tries.min(MAX_TRIES) {
            return self.give_up(why, true);
        }
        if note.is_some() {
            self.run.attempt.note = note;
        }
        let seed = self
            .job
            .model
            .retries
            .jitter_seed
            .wrapping_add(self.record.calls);
        self.ask(RETRY_POLICY.wait_ms(self.run.attempt.tries, seed))
    }

    /// The request was too long: another one, until it is refused for everything. The same one
    /// would be refused again.
    fn on_overflow(&mut self) -> SummaryStep {
        let Some(task) = self.task().cloned() else {
            return self.give_up("the summary request was too long", true);
        };
        let refused = self.request_text(&task);
        loop {
            if let Err(why) = self.shorten(&task) {
                return self.give_up(why, true);
            }
            self.split_merge();
            let now = self.task().map(|task| self.request_text(task));
            if now.as_ref() != Some(&refused) {
                return self.ask(0);
            }
        }
    }

    /// Shorter tool outputs, then without the oldest half.
    ///
    /// # Errors
    ///
    /// Why nothing can be left out any more.
    fn shorten(&mut self, task: &SummaryTask) -> Result<(), &'static str> {
        let left = task.units.len().saturating_sub(self.run.attempt.skipped);
        if task.units.is_empty() {
            /// Halving a summary more often than this leaves nothing of it.
            const MAX_HALVINGS: u32 = 3;
            if self.run.attempt.halvings >= MAX_HALVINGS {
                return Err("the summaries are too long to be merged");
            }
            self.run.attempt.halvings += 1;
        } else if !self.run.attempt.tight {
            self.run.attempt.tight = true;
        } else if left > 1 {
            self.run.attempt.skipped += left.div_ceil(2);
        } else {
            return Err("a message is too long for the summarising model");
        }
        Ok(())
    }

    /// The rest of the ladder. `may_repeat`: another plan could succeed.
    fn give_up(&mut self, why: &str, may_repeat: bool) -> SummaryStep {
        let phase = std::mem::replace(&mut self.phase, WritingPhase::Tasks);
        if let WritingPhase::AuditRetry { best, .. } = phase {
            self.record
                .stages
                .push(format!("audit retry failed ({why})"));
            return self.finish(*best);
        }
        let has_oversized = || {
            self.source.all.iter().any(|source| {
                let secrets = &self.basis.secrets;
                let text = serialize::message(source, serialize::TOOL_OUTPUT_CHARS, secrets);
                self.is_oversized(&text)
            })
        };
        if may_repeat && !self.source.without_oversized && has_oversized() {
            self.source.without_oversized = true;
            self.record
                .stages
                .push("without oversized messages".to_owned());
            self.make_plan();
            return self.ask(0);
        }
        self.end_without_answer(why, Vec::new())
    }

    fn stages(&self) -> String {
        stages::joined(self.record.stages.iter().map(String::as_str))
    }

    fn failed(&self, why: &str, reasons: Vec<String>) -> SummaryStep {
        SummaryStep::Failed(SummaryFailure {
            message: format!("the summary could not be written: {why}"),
            reasons,
            stages: self.stages(),
            calls: self.record.calls,
            usage: self.record.usage,
        })
    }
}

#[cfg(test)]
mod tests;
