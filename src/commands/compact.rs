//! `plim compact`: the agent's own compaction with its review on the command line. Without
//! `--yes`, and without a person to ask, it shows what it would do and changes nothing.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};

use plimsoll::agent::{
    self, AgentEvent, AgentHandle, CompactOptions, CompactionEvent, CompactionPlan,
    CompactionProposal, ContextOp, Op, ReviewDecision, SaveOutcome, SessionEvent, SessionOp,
    SessionSource, TurnOp,
};
use plimsoll::cli::{CompactArgs, ExitCode};
use plimsoll::clock::Stopwatch;
use plimsoll::context::{ReviewMode, diff};
use plimsoll::headless::{UnwrittenCompaction, compaction_json, planned_json, unchanged_json};
use plimsoll::transcript::{EntryBody, EntryId};
use tokio::sync::mpsc;

use super::output::{CommandResult, put, put_json, say, warn};
use super::setup::{CommandSetup, not_writable};
use crate::launch::ExitFailure;
use plimsoll::transcript::{grouped, plural};

/// How it ended.
enum CompactEnd {
    Planned(Box<CompactionPlan>),
    Applied(EntryId),
    Cancelled(String),
    Nothing(String),
    Failed {
        cause: &'static str,
        message: String,
    },
    ReadOnly(String),
    /// The summary is in no file, or nobody knows.
    Unsaved(ExitFailure),
}

/// `plim compact`
pub async fn compact(args: &CompactArgs, at: &CommandSetup<'_>) -> CommandResult {
    let began = Stopwatch::start();
    match carry_out(args, at).await {
        Ok((mut review, end)) => {
            review.so_far.duration = began.elapsed();
            review.report(end)
        }
        Err(failure) => {
            // A program waits for its object, whatever became of it.
            if args.json {
                let so_far = UnwrittenCompaction {
                    duration: began.elapsed(),
                    ..UnwrittenCompaction::default()
                };
                put_json(&unchanged_json(&so_far, &failure.message))?;
            }
            Err(failure)
        }
    }
}

async fn carry_out<'a>(
    args: &'a CompactArgs,
    at: &CommandSetup<'_>,
) -> Result<(CompactReview<'a>, CompactEnd), ExitFailure> {
    let path = at.launch.session_to_read(at.common, &args.session)?;
    let source = if args.dry_run {
        SessionSource::Read(path)
    } else {
        SessionSource::Open(path)
    };
    // Somebody answers the review: a person, `--yes` or the setting.
    let mut setup = at.launch.setup(source, true);
    // The agent is to ask in any case: what it would show is what is printed.
    let review = &mut setup.settings.context.compaction.review;
    let is_never = std::mem::replace(review, ReviewMode::Manual) == ReviewMode::Never;
    let is_unasked = args.yes || is_never;
    let AgentHandle {
        ops,
        mut events,
        ready,
        task,
    } = agent::spawn(setup);
    match ready.await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return Err(error.into()),
        Err(_) => return Err(ExitFailure::failed("the agent did not start")),
    }
    let op = Op::Context(ContextOp::Compact(CompactOptions {
        instructions: args.instructions(),
        yes: false,
        unseen: is_unasked || args.json,
        dry_run: args.dry_run,
        force: args.force,
        extractive: args.extractive,
        from: args.from.as_deref().map(EntryId::new),
        rebuild: args.rebuild,
    }));
    let _ = ops.send(op).await;
    let mut review = CompactReview {
        args,
        is_unasked,
        ops,
        proposal: None,
        so_far: UnwrittenCompaction::default(),
        interrupted: false,
    };
    let end = review.follow(&mut events).await;
    let _ = review.ops.send(Op::Session(SessionOp::Shutdown)).await;
    let mut unsaved = None;
    while let Some(event) = events.recv().await {
        review.take_note(&event);
        if let AgentEvent::Notice(notice) = &event {
            warn(notice);
        }
        if let AgentEvent::Session(SessionEvent::Ended(SaveOutcome::Unsaved(it))) = event {
            unsaved = Some(it);
        }
    }
    let _ = task.await;
    let end = match (end?, unsaved) {
        (CompactEnd::ReadOnly(why), _) => CompactEnd::ReadOnly(why),
        (_, Some(unsaved)) => CompactEnd::Unsaved(ExitFailure::unsaved(&unsaved)),
        (end, None) => end,
    };
    Ok((review, end))
}

struct CompactReview<'a> {
    args: &'a CompactArgs,
    /// The summary counts without a question: `--yes`, or `compaction.review = never`.
    is_unasked: bool,
    ops: mpsc::Sender<Op>,
    proposal: Option<Box<CompactionProposal>>,
    so_far: UnwrittenCompaction,
    interrupted: bool,
}

impl CompactReview<'_> {
    /// Collects facts that are reported also when there is no summary in the end.
    fn take_note(&mut self, event: &AgentEvent) {
        if let AgentEvent::Compaction(CompactionEvent::Started {
            tokens_before,
            summarized,
            ..
        }) = event
        {
            self.so_far.tokens_before = Some(*tokens_before);
            self.so_far.summarized = Some(*summarized);
        }
        if let AgentEvent::Session(SessionEvent::Entry(entry)) = event
            && let EntryBody::Expense(expense) = &entry.body
        {
            self.so_far.requests += expense.requests;
            self.so_far.usage = self.so_far.usage.plus(expense.usage);
        }
    }

    /// The cost of a failed attempt, for the end of a sentence that says so.
    fn paid(&self) -> String {
        let requests = match self.so_far.requests {
            0 => return String::new(),
            1 => "1 request".to_owned(),
            more => format!("{} requests", grouped(more)),
        };
        let cost = self.so_far.usage.cost_usd;
        let cost = cost.map(|usd| format!(" (${usd:.4})"));
        format!(
            "; {requests}{} for it are in the log",
            cost.unwrap_or_default()
        )
    }

    /// Answers the review when it comes, and waits for the end.
    async fn follow(
        &mut self,
        events: &mut mpsc::Receiver<AgentEvent>,
    ) -> Result<CompactEnd, ExitFailure> {
        loop {
            let event = tokio::select! {
                event = events.recv() => event,
                Ok(()) = tokio::signal::ctrl_c(), if !self.interrupted => {
                    self.interrupted = true;
                    let _ = self.ops.send(Op::Turn(TurnOp::Interrupt)).await;
                    continue;
                }
            };
            let Some(event) = event else {
                return Err(ExitFailure::failed(
                    "the program stopped before the compaction was finished",
                )
                .with_hint("the conversation is unchanged"));
            };
            self.take_note(&event);
            if let AgentEvent::Notice(notice) = &event {
                warn(notice);
            }
            if let AgentEvent::Compaction(CompactionEvent::Progress { stage }) = &event
                && io::stderr().is_terminal()
            {
                say(stage, None);
            }
            if let AgentEvent::Compaction(CompactionEvent::Review(proposal)) = event {
                let decision = self.decide(&proposal).await?;
                self.proposal = Some(proposal);
                let review = Op::Context(ContextOp::Review(decision));
                let _ = self.ops.send(review).await;
            } else if let Some(end) = ending(event, self.args.dry_run) {
                return Ok(end);
            }
        }
    }

    async fn decide(
        &mut self,
        proposal: &CompactionProposal,
    ) -> Result<ReviewDecision, ExitFailure> {
        if self.is_unasked {
            return Ok(ReviewDecision::Accept);
        }
        if self.args.json {
            return Ok(ReviewDecision::Cancel);
        }
        put(&preview(proposal, true))?;
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Ok(ReviewDecision::Cancel);
        }
        let answer = tokio::select! {
            answer = tokio::task::spawn_blocking(ask) => answer.unwrap_or(false),
            _ = tokio::signal::ctrl_c() => {
                self.interrupted = true;
                false
            }
        };
        Ok(if answer {
            ReviewDecision::Accept
        } else {
            ReviewDecision::Cancel
        })
    }

    fn report(&self, end: CompactEnd) -> CommandResult {
        match end {
            CompactEnd::Planned(plan) => self.planned(&plan),
            CompactEnd::Applied(entry) => self.applied(&entry),
            CompactEnd::Nothing(message) => {
                let message = message.replace("/compact", "plim compact");
                if self.args.json {
                    return put_json(&unchanged_json(&self.so_far, &message));
                }
                put(&format!("{message}\n"))
            }
            CompactEnd::Cancelled(reason) => self.cancelled(&reason),
            CompactEnd::Failed { cause, message } => {
                if self.args.json {
                    put_json(&unchanged_json(&self.so_far, &message))?;
                }
                let code = match cause {
                    "history_too_large" | "message_too_large" => ExitCode::Overflow,
                    "no_price" => ExitCode::Configuration,
                    _ => ExitCode::Failed,
                };
                Err(ExitFailure::failed(message)
                    .with_hint("--extractive compacts without a model")
                    .with_code(code))
            }
            CompactEnd::ReadOnly(why) => {
                let failure = not_writable(&why);
                if self.args.json {
                    put_json(&unchanged_json(&self.so_far, &failure.message))?;
                }
                Err(failure)
            }
            CompactEnd::Unsaved(failure) => {
                if self.args.json {
                    put_json(&self.unapplied_json(&failure.message))?;
                }
                Err(failure)
            }
        }
    }

    fn planned(&self, plan: &CompactionPlan) -> CommandResult {
        if self.args.json {
            return put_json(&planned_json(plan));
        }
        put(&format!(
            "would summarise {} messages and keep {}: {} → {}{} tokens ({}), {}\nby {}; nothing \
             was changed\n{}",
            grouped(plan.summarized),
            grouped(plan.kept),
            grouped(plan.tokens_before),
            if plan.is_exact { "" } else { "~" },
            grouped(plan.tokens_after),
            plan.ruler,
            match plan.calls {
                0 | 1 => plural(plan.calls, "request"),
                // How long their texts are is not known before.
                calls => format!("at least {}", plural(calls, "request")),
            },
            by(&plan.model, &plan.stages),
            plan.cut_label()
                .map(|label| label + "\n")
                .unwrap_or_default(),
        ))
    }

    fn applied(&self, entry: &EntryId) -> CommandResult {
        let Some(proposal) = &self.proposal else {
            return put(&format!("compacted: entry {entry}\n"));
        };
        if self.args.json {
            let with_diff = self.args.diff;
            return put_json(&compaction_json(proposal, Some(entry), with_diff, None));
        }
        // Who was asked has seen it already.
        let mut text = if self.is_unasked {
            preview(proposal, self.args.diff)
        } else {
            String::new()
        };
        let _ = writeln!(text, "compacted: entry {entry}; undo with `plim uncompact`");
        put(&text)
    }

    fn cancelled(&self, reason: &str) -> CommandResult {
        if self.args.json {
            put_json(&self.unapplied_json(reason))?;
        }
        let paid = self.paid();
        if self.interrupted {
            let text = format!("interrupted: the conversation is unchanged{paid}");
            say(&text, None);
            return Ok(ExitCode::Interrupted as u8);
        }
        let text = format!("not compacted: the conversation is unchanged{paid}");
        Err(ExitFailure::failed(text)
            .with_hint("--yes applies it without asking")
            .with_code(ExitCode::Refused))
    }

    /// A summary that does not count, if there is one.
    fn unapplied_json(&self, reason: &str) -> serde_json::Value {
        match &self.proposal {
            Some(proposal) => compaction_json(proposal, None, self.args.diff, Some(reason)),
            None => unchanged_json(&self.so_far, reason),
        }
    }
}

/// The end that an event means; `None` while it goes on.
fn ending(event: AgentEvent, dry_run: bool) -> Option<CompactEnd> {
    match event {
        AgentEvent::Session(SessionEvent::Opened(info)) if !dry_run => {
            info.read_only.map(CompactEnd::ReadOnly)
        }
        AgentEvent::Compaction(event) => compaction_ending(event),
        AgentEvent::Session(_)
        | AgentEvent::Stream(_)
        | AgentEvent::Turn(_)
        | AgentEvent::Context(_)
        | AgentEvent::Child(_)
        | AgentEvent::Reply { .. }
        | AgentEvent::Notice(_) => None,
    }
}

fn compaction_ending(event: CompactionEvent) -> Option<CompactEnd> {
    match event {
        CompactionEvent::Planned(plan) => Some(CompactEnd::Planned(plan)),
        CompactionEvent::Applied { entry, .. } => Some(CompactEnd::Applied(entry)),
        CompactionEvent::Cancelled { reason } => Some(CompactEnd::Cancelled(reason)),
        CompactionEvent::Failed {
            cause: "nothing_to_compact",
            message,
            ..
        } => Some(CompactEnd::Nothing(message)),
        CompactionEvent::Failed { cause, message, .. } => {
            Some(CompactEnd::Failed { cause, message })
        }
        CompactionEvent::Started { .. }
        | CompactionEvent::Progress { .. }
        | CompactionEvent::Delta(_)
        | CompactionEvent::Audited(_)
        | CompactionEvent::Review(_)
        | CompactionEvent::Sources(_)
        | CompactionEvent::Undone { .. } => None,
    }
}

/// The author and the steps; without a model both are one word.
fn by(model: &str, stages: &str) -> String {
    if model == stages {
        model.to_owned()
    } else {
        format!("{model}, {stages}")
    }
}

/// Numbers, audit, the summary and what it changes.
fn preview(proposal: &CompactionProposal, with_diff: bool) -> String {
    let cost = proposal
        .writing
        .usage
        .cost_usd
        .map(|usd| format!(", ${usd:.4}"));
    let mut out = format!(
        "{} messages summarised, {} kept: {} → {} tokens ({})\nby {}, {:.1} s{}\n",
        grouped(proposal.effect.summarized),
        grouped(proposal.effect.kept),
        grouped(proposal.effect.tokens_before),
        grouped(proposal.effect.tokens_after),
        proposal.effect.ruler,
        by(&proposal.writing.model, &proposal.writing.stages),
        proposal.writing.duration.as_secs_f64(),
        cost.unwrap_or_default(),
    );
    for label in proposal
        .author_label()
        .into_iter()
        .chain(proposal.cut_label())
    {
        let _ = writeln!(out, "{label}");
    }
    let _ = writeln!(out, "audit: {}", proposal.verdict.check.in_words());
    if let Some(rebuilt) = proposal.comparison.rebuilt {
        let _ = writeln!(
            out,
            "rebuilt from the log: {} messages read again, {} lines missing from the previous \
             summary",
            grouped(rebuilt.messages),
            grouped(rebuilt.lines)
        );
    }
    for detail in proposal.verdict.details() {
        let end = if detail.is_mended { " (repaired)" } else { "" };
        let source = detail.source.map(|id| format!(" ← {id}"));
        let source = source.unwrap_or_default();
        let _ = writeln!(out, "  {}{end}{source}", detail.text);
    }
    if with_diff {
        changes(proposal, &mut out);
    }
    out
}

/// What the summary changes: the previous one beside it; of a first one the turns that go,
/// and the summary.
fn changes(proposal: &CompactionProposal, out: &mut String) {
    let comparison = &proposal.comparison;
    if comparison.turns.is_empty() {
        let _ = writeln!(out, "\n--- {}\n+++ summary", comparison.left_title);
        out.push_str(&diff::unified_text(&comparison.left, &proposal.summary));
        return;
    }
    let _ = writeln!(out, "\n{}:", comparison.left_title);
    for turn in &comparison.turns {
        let _ = writeln!(out, "{} {}", turn.cover.sign(), turn.in_words());
        for lost in &turn.lost {
            let _ = writeln!(out, "    {} ← {}", lost.in_words(), lost.entry);
        }
    }
    let _ = writeln!(out, "\nsummary:\n{}", proposal.summary.trim_end());
}

/// Asks on the terminal; anything but yes is no.
fn ask() -> bool {
    let mut err = io::stderr();
    let _ = write!(err, "apply this summary? [y/N] ");
    let _ = err.flush();
    let mut line = String::new();
    let _ = io::stdin().read_line(&mut line);
    matches!(line.trim(), "y" | "Y" | "yes")
}
