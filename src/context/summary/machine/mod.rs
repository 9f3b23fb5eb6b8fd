//! The summariser: a state machine that yields requests and is fed replies. It never
//! ends with an apology for a summary: either a checked text, the extractive summary
//! marked as such, or a failure that says why.

mod answer;
mod finish;
mod prepare;
mod text;

use crate::context::audit::language::Language;
use crate::context::audit::{Audit, Basis, Finding};
use crate::transcript::{HistoryShare, RetryPolicy, Usage};

use super::job::{ASSUMED_WINDOW_TOKENS, MAX_TRIES};
use super::plan::{self, Goes, Limits, Load, Plan, Task, Unit};
use super::prompt::{self, Frame};
use super::{
    FailureMode, MAX_BODY_CHARS, Reply, SourceMessage, Step, SummaryCall, SummaryFailure,
    SummaryJob, SummaryResult, chunk, estimate, serialize,
};

pub use finish::{Edited, extract, reaudit};

/// The stage of a summary without a model.
const EXTRACTIVE_STAGE: &str = "extractive";
/// When a request that failed, or whose answer is no summary, is made again.
const RETRY_POLICY: RetryPolicy = RetryPolicy {
    first_wait_ms: 500,
    longest_wait_ms: 5_000,
};

/// How the current request is made smaller or repeated.
#[derive(Clone, Debug, Default)]
struct Attempt {
    /// Failed tries so far.
    tries: u32,
    /// Tool outputs are cut short.
    tight: bool,
    /// The first so many units are summarised without a model.
    skipped: usize,
    /// Times that the texts to merge were halved.
    halvings: u32,
    /// What the model is told about its last try.
    note: Option<String>,
}

/// An attempt at the whole that could be stored.
#[derive(Clone, Debug)]
struct Candidate {
    text: String,
    audit: Audit,
}

/// Writes one summary. Dropping it cancels the work; nothing else has to be undone.
pub struct Summariser {
    job: SummaryJob,
    basis: Basis,
    /// History, then the beginning of the split turn.
    all: Vec<SourceMessage>,
    units: Vec<Unit>,
    history: usize,
    plan: Plan,
    at: usize,
    attempt: Attempt,
    rolled: Option<String>,
    previous: Option<String>,
    parts: Vec<String>,
    turn_context: Option<String>,
    without_oversized: bool,
    audit_round: u32,
    best: Option<Candidate>,
    /// What was read without a model because the request was too long.
    unread: Vec<String>,
    stages: Vec<String>,
    calls: u64,
    usage: Usage,
}

impl Summariser {
    /// Plans the work. Nothing is asked before [`Summariser::start`].
    pub fn new(mut job: SummaryJob) -> Self {
        if job.window_tokens == 0 {
            job.window_tokens = ASSUMED_WINDOW_TOKENS;
        }
        let basis = prepare::basis(&mut job);
        let previous = job.previous_summary.clone();
        let mut all = job.messages.clone();
        let split = all.len();
        all.extend(job.turn_prefix.iter().cloned());
        let mut out = Self {
            basis,
            units: Vec::new(),
            history: split,
            plan: Plan::default(),
            at: 0,
            attempt: Attempt::default(),
            rolled: None,
            previous,
            parts: Vec::new(),
            turn_context: None,
            without_oversized: false,
            audit_round: 0,
            best: None,
            unread: Vec::new(),
            stages: Vec::new(),
            calls: 0,
            usage: Usage::default(),
            all,
            job,
        };
        if !out.job.extractive {
            out.make_plan();
        }
        out
    }

    /// Requests that the work takes when every one of them succeeds.
    pub fn planned_calls(&self) -> usize {
        self.plan.tasks.len()
    }

    /// Their names in order, or that no model is asked.
    pub fn planned_stages(&self) -> String {
        if self.job.extractive {
            return EXTRACTIVE_STAGE.to_owned();
        }
        let stages = self.plan.tasks.iter().map(|task| task.stage.as_str());
        stages.collect::<Vec<_>>().join(" · ")
    }

    /// What is summarised first to keep to the share of the window.
    pub fn planned_share(&self) -> Option<HistoryShare> {
        self.plan.dropped
    }

    /// The first step.
    pub fn start(&mut self) -> Step {
        if self.all.is_empty() {
            return self.failed("there is nothing to summarise", Vec::new());
        }
        if self.job.extractive {
            return self.without_model(false);
        }
        self.ask(0)
    }

    /// The step after a reply.
    pub fn on_reply(&mut self, reply: Reply) -> Step {
        match reply {
            Reply::Answer {
                text,
                stop,
                had_tool_call,
                usage,
            } => {
                self.usage = self.usage.plus(usage);
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
        let groups = chunk::atomic_groups(self.all.get(..self.history).unwrap_or_default());
        let later = chunk::atomic_groups(self.all.get(self.history..).unwrap_or_default());
        let shift = self.history;
        let later = later.into_iter().map(|g| g.start + shift..g.end + shift);
        let history_units = if shift == 0 { usize::MAX } else { groups.len() };
        self.units = groups
            .into_iter()
            .chain(later)
            .map(|messages| Unit {
                tokens: self.unit_tokens(&messages),
                messages,
            })
            .collect();
        let load = Load {
            units: &self.units,
            history: history_units.min(self.units.len()),
            new_content: self.job.new_content_tokens,
            history_share: self.job.max_history_share,
            always_chunk: self.job.always_chunk,
        };
        self.plan = plan::plan(load, self.limits());
        self.unread.clear();
        self.at = 0;
        self.attempt = Attempt::default();
        self.rolled = None;
        self.previous.clone_from(&self.job.previous_summary);
        self.parts.clear();
        self.turn_context = None;
    }

    fn unit_tokens(&self, messages: &std::ops::Range<usize>) -> u64 {
        let messages = self.all.get(messages.clone()).unwrap_or_default();
        messages
            .iter()
            .map(|source| self.block_tokens(source))
            .fold(0, u64::saturating_add)
    }

    fn block_tokens(&self, source: &SourceMessage) -> u64 {
        let chars = serialize::TOOL_OUTPUT_CHARS;
        let known = estimate::tokens(source, chars).filter(|tokens| {
            !self.without_oversized || *tokens <= chunk::oversized_above(self.job.window_tokens)
        });
        known.unwrap_or_else(|| (self.job.count)(&self.block(source, chars)))
    }

    /// The text of one message, or the note that stands for it.
    fn block(&self, source: &SourceMessage, output_chars: usize) -> String {
        let text = serialize::message(source, output_chars, &self.basis.secrets);
        if self.without_oversized && self.is_oversized(&text) {
            serialize::omitted(source)
        } else {
            text
        }
    }

    fn is_oversized(&self, block: &str) -> bool {
        // A token has at least one byte: short texts need not be counted.
        let limit = chunk::oversized_above(self.job.window_tokens);
        block.len() as u64 > limit && (self.job.count)(block) > limit
    }

    fn limits(&self) -> Limits {
        let empty = prompt::user(
            self.frame(),
            prompt::Purpose::Whole,
            prompt::Material::default(),
        );
        let mut overhead =
            (self.job.count)(&empty) + (self.job.count)(&prompt::system(self.frame()));
        if let Some(previous) = &self.job.previous_summary {
            overhead += (self.job.count)(previous);
        }
        Limits {
            window: self.job.window_tokens,
            max_output: self.job.max_output_tokens,
            overhead,
        }
    }

    fn frame(&self) -> Frame<'_> {
        Frame {
            headings: &self.basis.headings,
            audit: &self.job.audit,
            language: self.basis.language.and_then(Language::name),
            instructions: self.job.instructions.as_deref(),
        }
    }

    fn task(&self) -> Option<&Task> {
        self.plan.tasks.get(self.at)
    }

    fn ask(&mut self, delay_ms: u64) -> Step {
        let Some(task) = self.task().cloned() else {
            return self.failed("the plan is empty", Vec::new());
        };
        let mut stage = task.stage.clone();
        if self.audit_round > 0 {
            stage = format!("audit · retry {}", self.audit_round);
        }
        let system = prompt::system(self.frame());
        let text = self.request_text(&task);
        if self.stages.last() != Some(&stage) {
            self.stages.push(stage.clone());
        }
        self.calls += 1;
        Step::Ask(SummaryCall {
            system,
            text,
            max_output_tokens: self.limits().output(),
            delay_ms,
            stage,
        })
    }

    /// The task is done: its text goes where it belongs, the next one is asked.
    fn accept(&mut self, text: String) -> Step {
        let goes = self.task().map_or(Goes::Summary, |task| task.goes);
        self.note_unread();
        match goes {
            Goes::Roll => self.rolled = Some(text),
            Goes::Previous => self.previous = Some(text),
            Goes::Part => self.parts.push(text),
            Goes::TurnContext => self.turn_context = Some(text),
            Goes::Summary => return self.judge(&text),
        }
        self.at += 1;
        self.attempt = Attempt::default();
        self.ask(0)
    }

    /// What the model did not get to read is said in the entry, not only on the way.
    fn note_unread(&mut self) {
        let units = self.task().map(|task| task.units.clone());
        let units = units
            .and_then(|units| self.units.get(units))
            .unwrap_or_default();
        let unread = units.iter().take(self.attempt.skipped);
        let messages: usize = unread.map(|unit| unit.messages.len()).sum();
        if messages > 0 {
            let stage = "oldest half without a model".to_owned();
            self.stages.push(stage);
            self.unread.push(format!(
                "summarised the oldest {messages} message(s) of a request without a model: it was too long"
            ));
        }
    }

    fn retry(&mut self, why: &str, note: Option<String>) -> Step {
        self.attempt.tries += 1;
        if self.attempt.tries >= self.job.max_tries.min(MAX_TRIES) {
            return self.give_up(why, true);
        }
        if note.is_some() {
            self.attempt.note = note;
        }
        let seed = self.job.jitter_seed.wrapping_add(self.calls);
        self.ask(RETRY_POLICY.wait_ms(self.attempt.tries, seed))
    }

    /// The request was too long: shorter tool outputs, then without the oldest half.
    fn on_overflow(&mut self) -> Step {
        let Some(task) = self.task() else {
            return self.give_up("the summary request was too long", true);
        };
        let left = task.units.len().saturating_sub(self.attempt.skipped);
        if task.units.is_empty() {
            /// Halving a summary more often than this leaves nothing of it.
            const MAX_HALVINGS: u32 = 3;
            if self.attempt.halvings >= MAX_HALVINGS {
                return self.give_up("the summaries are too long to be merged", true);
            }
            self.attempt.halvings += 1;
        } else if !self.attempt.tight {
            self.attempt.tight = true;
        } else if left > 1 {
            self.attempt.skipped += left.div_ceil(2);
        } else {
            return self.give_up("a message is too long for the summarising model", true);
        }
        self.ask(0)
    }

    /// The rest of the ladder. `may_repeat`: another plan could succeed.
    fn give_up(&mut self, why: &str, may_repeat: bool) -> Step {
        if let Some(best) = self.best.take() {
            self.stages.push(format!("audit retry failed ({why})"));
            return self.finish(best);
        }
        let has_oversized = || {
            self.all.iter().any(|source| {
                let secrets = &self.basis.secrets;
                let text = serialize::message(source, serialize::TOOL_OUTPUT_CHARS, secrets);
                self.is_oversized(&text)
            })
        };
        if may_repeat && !self.without_oversized && has_oversized() {
            self.without_oversized = true;
            self.stages.push("without oversized messages".to_owned());
            self.make_plan();
            return self.ask(0);
        }
        self.end_without_answer(why, Vec::new())
    }

    fn stages(&self) -> String {
        self.stages.join(" · ")
    }

    fn failed(&self, why: &str, reasons: Vec<String>) -> Step {
        Step::Failed(SummaryFailure {
            message: format!("The summary could not be written: {why}. Nothing was changed."),
            reasons,
            stages: self.stages(),
            calls: self.calls,
            usage: self.usage,
        })
    }
}

#[cfg(test)]
mod tests;
